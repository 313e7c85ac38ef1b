"""The program `coalesce`, as pip installs it."""
import os
import sys

from coalesce_cuda import PROGRAM, environment


def main():
    os.execve(PROGRAM, ["coalesce"] + sys.argv[1:], environment())


if __name__ == "__main__":
    main()

#!/usr/bin/env bash
# The picture of README is what the program prints now.
#
# needs: nvcc
set -eu
"$ROOT/tools/picture" "$COALESCE" | cmp - "$ROOT/docs/screen.svg" || {
	echo "docs/screen.svg is out of date: tools/picture >docs/screen.svg"
	exit 1
}

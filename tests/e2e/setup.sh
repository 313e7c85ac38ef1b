#!/usr/bin/env bash
# tools/setup finds the compiler in the order that base/toolkit/toolkit.c looks in, and names what it cannot install.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# A folder with a bin/nvcc that runs, or fails.
put_nvcc() {
	mkdir -p "$work/$1/bin"
	printf '#!/bin/sh\nexit %d\n' "$2" >"$work/$1/bin/nvcc"
	chmod +x "$work/$1/bin/nvcc"
}

# expect WANTED VARIABLE=VALUE...: what `tools/setup --nvcc` prints in that environment.
expect() {
	local wanted=$1 found
	shift
	found=$(env -u COALESCE_CUDA -u CUDA_HOME -u CUDA_PATH PATH=/usr/bin:/bin "$@" "$ROOT/tools/setup" --nvcc)
	if [ "$found" != "$wanted" ]; then
		echo "with $*: '$found', not '$wanted'"
		failures=1
	fi
}

for name in chosen home path nvcc; do put_nvcc $name 0; done
put_nvcc broken 127

expect "$work/chosen/bin/nvcc" COALESCE_CUDA="$work/chosen" CUDA_HOME="$work/home" CUDA_PATH="$work/path"
expect "" COALESCE_CUDA="$work/none" CUDA_HOME="$work/home"
expect "$work/home/bin/nvcc" CUDA_HOME="$work/home" CUDA_PATH="$work/path" PATH="$work/nvcc/bin:/usr/bin:/bin"
expect "$work/path/bin/nvcc" CUDA_HOME="$work/none" CUDA_PATH="$work/path" PATH="$work/nvcc/bin:/usr/bin:/bin"
expect "$work/nvcc/bin/nvcc" PATH="$work/nvcc/bin:/usr/bin:/bin"
expect "$(env -u COALESCE_CUDA -u CUDA_HOME -u CUDA_PATH PATH=/usr/bin:/bin "$ROOT/tools/setup" --nvcc)" PATH="$work/broken/bin:/usr/bin:/bin"

# Where the machine lacks flex and may not install it, the command to type is printed, and nothing is installed.
# A folder of links to all programs but those hides them; `id` says that the user is not root.
mkdir "$work/bin"
for program in bash env dirname python3 make gcc g++ bison pkg-config git tr cat; do
	ln -s "$(command -v $program)" "$work/bin/$program"
done
printf '#!/bin/sh\necho 1000\n' >"$work/bin/id"
chmod +x "$work/bin/id"
message=$(PATH="$work/bin" COALESCE_CUDA="$work/chosen" "$work/bin/bash" "$ROOT/tools/setup" 2>&1)
status=$?
if [ $status != 1 ] || ! grep -q '^apt-get update && apt-get install .* flex$' <<<"$message"; then
	echo "without flex, as a user: exit status $status, and: $message"
	failures=1
fi
exit $failures

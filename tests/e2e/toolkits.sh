#!/usr/bin/env bash
# needs: nvcc
#
# predict says the same with an installed toolkit, with NVIDIA's wheels alone, and without NVRTC; which compiler it took is said with -v alone.
# A folder of links to the toolkit that is there stands for each: the wheels have lib/ where installers have lib64/.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
nvcc=$(cd "$ROOT" && tools/setup --nvcc)
whole=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
[ "$(basename "$(dirname "$nvcc")")" = bin ] && [ -e "$(dirname "$nvcc")/../include/cuda.h" ] && whole=$(cd "$(dirname "$nvcc")/.." && pwd)
library=$(ls "$whole"/lib64/libnvrtc.so.?? "$whole"/lib/libnvrtc.so.?? "$whole"/targets/*/lib/libnvrtc.so.?? 2>/dev/null | head -n 1)

fail() {
	echo "$*"
	failures=1
}

# toolkit NAME: a folder with the toolkit's compiler and headers, without NVRTC.
toolkit() {
	mkdir -p "$work/$1"
	for part in bin include nvvm; do
		[ -e "$whole/$part" ] && ln -s "$whole/$part" "$work/$1/$part"
	done
}

# nvrtc NAME FOLDER: puts NVRTC there.
nvrtc() {
	mkdir -p "$work/$1/$2"
	ln -s "$(dirname "$library")"/libnvrtc* "$work/$1/$2/"
}

# predict NAME ROOT...: what the program prints on both streams, with -v in NAME.verbose; it sees no other toolkit.
predict() {
	local name=$1
	shift
	for flag in -q -v; do
		(cd "$ROOT" && env -u COALESCE_CUDA -u CUDA_HOME -u CUDA_PATH PATH=/usr/bin:/bin "$@" "$flag" >"$work/$name$flag" 2>&1) ||
			fail "$name: exit status $?: $(cat "$work/$name$flag")"
	done
}

# compiled NAME WORD: the compiler that -v names.
compiled() {
	grep -q "^time: libclang [0-9.]* s, $2 " "$work/$1-v" || fail "$1 is not compiled by $2: $(grep '^time:' "$work/$1-v")"
}

command=("$COALESCE" predict benchmarks/idw.cu)
predict whole COALESCE_CUDA="$whole" "${command[@]}"

toolkit plain
predict plain COALESCE_CUDA="$work/plain" "${command[@]}"
compiled plain nvcc
grep -qx 'compiled by nvcc, not NVRTC: the toolkit has no NVRTC' "$work/plain-v" || fail "-v does not say that there is no NVRTC"
cmp "$work/whole-q" "$work/plain-q" || fail "without NVRTC the answer is another"

if [ -z "$library" ]; then
	echo "this toolkit has no NVRTC"
	[ $failures = 0 ] && exit 77
	exit 1
fi
compiled whole nvrtc

# The wheels, where tools/setup puts them: in toolkit/ beside the folder of the program, and nowhere else.
mkdir -p "$work/tree/build"
cp "$COALESCE" "$work/tree/build/coalesce"
ln -s "$ROOT/machines" "$work/tree/machines"
toolkit tree/toolkit
nvrtc tree/toolkit lib
if env -u CUDA_HOME PATH=/usr/bin:/bin sh -c 'command -v nvcc' >/dev/null; then
	echo "nvcc lies in /usr/bin: the wheels are not tried"
else
	predict wheels "$work/tree/build/coalesce" "${command[@]:1}"
	compiled wheels nvrtc
	cmp "$work/whole-q" "$work/wheels-q" || fail "with the wheels alone the answer is another"
fi

# Another version than nvcc's is not asked: its code may be another.
toolkit other
nvrtc other lib64
rm "$work/other/include"
mkdir "$work/other/include"
ln -s "$(readlink -f "$whole/include")"/* "$work/other/include/"
rm "$work/other/include/cuda.h"
sed 's/^#define CUDA_VERSION .*/#define CUDA_VERSION 13090/' "$whole/include/cuda.h" >"$work/other/include/cuda.h"
predict other COALESCE_CUDA="$work/other" "${command[@]}"
compiled other nvcc
grep -q '^compiled by nvcc, not NVRTC: the toolkit is of version 13.9, its NVRTC of ' "$work/other-v" || fail "-v does not say that versions differ: $(tail -n 2 "$work/other-v")"

cmp "$work/whole-q" "$work/other-q" || fail "with another version of NVRTC the answer is another"

# A library that cannot be opened.
toolkit broken
mkdir "$work/broken/lib64"
echo "no library" >"$work/broken/lib64/$(basename "$library")"
predict broken COALESCE_CUDA="$work/broken" "${command[@]}"
compiled broken nvcc
cmp "$work/whole-q" "$work/broken-q" || fail "with a broken NVRTC the answer is another"
exit $failures

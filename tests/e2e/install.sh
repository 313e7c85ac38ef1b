#!/usr/bin/env bash
# `make install PREFIX=...` gives a program that finds its machine files wherever it is started.
set -eu
build=$BUILD/install
prefix=$build/prefix
make -s --no-print-directory -C "$ROOT" BUILD="$build" PREFIX="$prefix" install >/dev/null
cmp "$ROOT/machines/h200.json" "$prefix/share/coalesce/machines/h200.json"
cd /
"$prefix/bin/coalesce" --version
"$prefix/bin/coalesce" machines | grep -q H200
if grep -qaF "$ROOT/machines" "$prefix/bin/coalesce"; then
	echo "the installed program names the source tree"
	exit 1
fi

#!/usr/bin/env bash
# `make install PREFIX=...` gives a program that finds its machine files wherever it is started.
set -eu
build=$BUILD/install
prefix=$build/prefix
make -s --no-print-directory -C "$ROOT" BUILD="$build" PREFIX="$prefix" install >/dev/null
cmp "$ROOT/LICENSE" "$prefix/share/doc/coalesce/LICENSE"
cmp "$ROOT/machines/h200.json" "$prefix/share/coalesce/machines/h200.json"
cd /
"$prefix/bin/coalesce" --version
"$prefix/bin/coalesce" machines | grep -q H200
if grep -qaF "$ROOT/machines" "$prefix/bin/coalesce"; then
	echo "the installed program names the source tree"
	exit 1
fi
# Manual pages and completion are installed for every command.
names=$("$prefix/bin/coalesce" help | sed -n 's/^coalesce \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$names")" -ge 11 ]
for name in $names; do
	"$prefix/bin/coalesce" help --man "$name" | cmp - "$prefix/share/man/man1/coalesce-$name.1"
done
"$prefix/bin/coalesce" completion bash | cmp - "$prefix/share/bash-completion/completions/coalesce"
test -s "$prefix/share/zsh/site-functions/_coalesce" -a -s "$prefix/share/fish/vendor_completions.d/coalesce.fish"
# The calibration program goes along, and is written out from there.
bundle=$prefix/calibrate
"$prefix/bin/coalesce" calibrate --bundle "$bundle"
for file in "$ROOT"/benchmarks/calibrate/*.cu "$ROOT"/benchmarks/calibrate/*.h; do
	cmp "$file" "$bundle/$(basename "$file")"
done
built=$(make -n -C "$bundle" calibrate)
for file in "$ROOT"/benchmarks/calibrate/*.cu; do
	case $built in *" $(basename "$file")"*) ;; *) echo "$(basename "$file") is not built" && exit 1 ;; esac
done
cmp "$ROOT/benchmarks/calibrate/README.md" "$prefix/share/coalesce/calibrate/README.md"
# A machine file is made with what is installed, too.
"$prefix/bin/coalesce" calibrate --from "$ROOT/benchmarks/measured/calibration-h200-fifth.json" \
	--from "$ROOT/benchmarks/measured/calibration-h200-fourth.json" -o "$prefix/h200.json"
# It is the project's own.
cmp "$prefix/h200.json" "$ROOT/machines/h200.json"
rm -rf "$prefix"

#!/usr/bin/env bash
# The packages: the same commit gives the same bytes; the tarball builds and tests itself; the Debian package installs into a root of its own, and its
# program runs there; the wheel installs into a fresh environment and predicts where there is no libclang but its own.
#
# needs: nvcc
# tier: slow
set -eu
cd "$ROOT"
[ -d .git ] || [ -f .git ] || exit 77
out=$TMPDIR/out
say() { echo "packages: $*"; }
make_it() { make -s --no-print-directory BUILD="$out" "$1" | tail -1; }

# ---- the tarball -----------------------------------------------------------------------------
first=$(make_it dist)
sum=$(sha256sum <"$first")
[ "$(sha256sum <"$(make_it dist)")" = "$sum" ] || { say "two tarballs differ" && exit 1; }
mkdir "$TMPDIR/source"
tar -xzf "$first" -C "$TMPDIR/source" --strip-components=1
git archive HEAD | tar -tf - | grep -v '/$' | sort >"$TMPDIR/wanted"
(cd "$TMPDIR/source" && find . -type f -o -type l | sed 's|^\./||' | sort) | cmp - "$TMPDIR/wanted"
make -s --no-print-directory -C "$TMPDIR/source" BUILD=build -j2 all unit-programs >/dev/null
"$TMPDIR/source/build/coalesce" predict "$TMPDIR/source/benchmarks/idw.cu" -q >"$TMPDIR/from-tarball"
grep -q '^kernel idw' "$TMPDIR/from-tarball"
python3 "$TMPDIR/source/tests/run" --build "$TMPDIR/source/build" --filter 'base|layering|kernel' layering unit golden

# ---- the Debian package ------------------------------------------------------------------------
if command -v dpkg-deb >/dev/null && [ "$(id -u)" = 0 ]; then
	package=$(make_it deb)
	sum=$(sha256sum <"$package")
	[ "$(sha256sum <"$(make_it deb)")" = "$sum" ] || { say "two packages differ" && exit 1; }
	root=$TMPDIR/root
	mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/tmp" "$root/proc"
	# What the package depends on is there in this root as well, as far as dpkg knows, and as files below.
	cp /var/lib/dpkg/status "$root/var/lib/dpkg/status"
	dpkg --root="$root" --force-script-chrootless --no-triggers --install "$package" >/dev/null
	[ "$(dpkg --root="$root" -s coalesce | grep '^Status')" = "Status: install ok installed" ]
	ldd "$root/usr/bin/coalesce" | grep -o '/[^ ]*' | sort -u | while read -r library; do
		mkdir -p "$root$(dirname "$library")"
		cp -L "$library" "$root$library"
	done
	chroot "$root" /usr/bin/coalesce --version
	chroot "$root" /usr/bin/coalesce machines h200 | grep -q 'NVIDIA H200'
	status=0
	chroot "$root" /usr/bin/coalesce doctor >"$TMPDIR/doctor" || status=$?
	[ $status = 3 ] && grep -q 'CUDA toolkit   missing' "$TMPDIR/doctor"
	"$root/usr/bin/coalesce" predict benchmarks/idw.cu -q | cmp - <("$COALESCE" predict benchmarks/idw.cu -q)
	PKG_CONFIG_PATH=$root/usr/lib/pkgconfig sh -c "cc docs/library/example.c \$(pkg-config --cflags --libs coalesce) -o '$TMPDIR/example'"
	LD_LIBRARY_PATH=$root/usr/lib "$TMPDIR/example" benchmarks/idw.cu a100 | grep -q 'record point: '
	grep -q '^License: Apache-2.0' "$root/usr/share/doc/coalesce/copyright"
	zcat "$root/usr/share/man/man1/coalesce-predict.1.gz" | grep -q '^.TH coalesce-predict'
	rm -rf "$root"
else
	say "no dpkg-deb, or not root: the package is not tried"
fi

# ---- the wheel ------------------------------------------------------------------------------------
wheel=$(make_it wheel)
python3 -m venv "$TMPDIR/venv"
"$TMPDIR/venv/bin/pip" install -q --no-index --disable-pip-version-check "$wheel"
cmp LICENSE "$(ls "$TMPDIR"/venv/lib/python3*/site-packages/coalesce_cuda-*.dist-info/licenses/LICENSE)"
"$COALESCE" --version | cut -d' ' -f2 >"$TMPDIR/version"
cat >"$TMPDIR/try" <<'END'
set -eu
# Where that may be done, this machine's own libclang and jansson are hidden.
if [ "$1" = hidden ]; then
	mount -t tmpfs none /usr/lib/llvm-22
	for file in /usr/lib/x86_64-linux-gnu/libclang-22.so.* /usr/lib/x86_64-linux-gnu/libLLVM*.so.* /usr/lib/x86_64-linux-gnu/libjansson.so.*; do
		[ -L "$file" ] || mount --bind /dev/null "$file"
	done
fi
export XDG_CACHE_HOME="$TMPDIR/cache"
"$TMPDIR/venv/bin/coalesce" doctor | tr -d '\n' | grep -q 'libclang *found *[0-9.]*, *[^ ]*coalesce_cuda/'
"$TMPDIR/venv/bin/coalesce" predict benchmarks/idw.cu -q >"$TMPDIR/from-wheel"
"$TMPDIR/venv/bin/python" -c "
import coalesce_cuda, dataclasses, os
found = coalesce_cuda.predict('benchmarks/idw.cu')
print(found['program']['recommended'], found.actions[0].record, found.kernels[0].layouts[0].time_us > 0)
assert dataclasses.is_dataclass(found.kernels[0]) and coalesce_cuda.__version__ == '$(cat "$TMPDIR/version")'
assert os.path.exists(os.path.join(os.path.dirname(coalesce_cuda.__file__), 'py.typed'))
coalesce_cuda.rewrite('benchmarks/idw.cu', 'soa', os.environ['TMPDIR'] + '/idw.soa.cu', '--no-compile')
try:
    coalesce_cuda.predict('nowhere.cu')
except coalesce_cuda.Error as error:
    print(error, error.exit_code, error.messages[0].file)" >"$TMPDIR/from-python"
END
if unshare -m true 2>/dev/null; then
	unshare -m bash "$TMPDIR/try" hidden
else
	bash "$TMPDIR/try" seen
fi
"$COALESCE" predict benchmarks/idw.cu -q | cmp - "$TMPDIR/from-wheel"
grep -q 'No such file' "$TMPDIR/from-python"
say "tarball, Debian package and wheel work"

#!/usr/bin/env bash
# docs/ci: the hook refuses what became slower and lets pass what did not; the shards of the job array and of the matrix are merged to what one run prints.
#
# needs: nvcc
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/repository"
ln -s "$COALESCE" "$work/bin/coalesce"
export PATH=$work/bin:$PATH

cd "$work/repository"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git init -q .
ln -s "$ROOT/docs/ci/pre-commit" .git/hooks/pre-commit
# One member of eight is read: far more bytes as records than as separate arrays.
cat >"$work/slow.cu" <<'END'
struct record { float a, b, c, d, e, f, g, h; };
__global__ void sum(const struct record *records, float *sums)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	sums[i] += records[i].a;
}
int main()
{
	struct record *records;
	float *sums;
	cudaMalloc(&records, sizeof(struct record) << 24);
	cudaMalloc(&sums, sizeof(float) << 24);
	sum<<<1 << 16, 256>>>(records, sums);
	cudaFree(records);
	cudaFree(sums);
}
END
coalesce rewrite "$work/slow.cu" --layout soa -o "$work/fast.cu" -q
fast=$work/fast.cu slow=$work/slow.cu
export COALESCE_GATE=100000 COALESCE_SLOWER=1

cp "$fast" kernel.cu
git add kernel.cu
git commit -qm fast
cp "$slow" kernel.cu
git add kernel.cu
if git commit -qm slow 2>message; then
	echo "a commit that makes a kernel slower passes"
	exit 1
fi
grep -q 'the gate failed: kernel .* is predicted .* slower than before' message
COALESCE_SLOWER=100000 git commit -qm 'slow, on purpose'
cp "$fast" kernel.cu
git add kernel.cu
git commit -qm 'fast again' 2>/dev/null
echo '__device__ float square(float x) { return x * x; }' >helpers.cu
git add helpers.cu
git commit -qm 'device functions alone' 2>/dev/null || { echo "a commit without kernels fails" && exit 1; }
echo '__device__ float cube(float x) { return x * x * x; }' >helpers.cu
git add helpers.cu
git commit -qm 'changed' 2>/dev/null || { echo "a change without kernels fails" && exit 1; }
if COALESCE_GATE=0 git commit -qm 'no change' --allow-empty 2>/dev/null; then :; else echo "a commit without CUDA files fails" && exit 1; fi

cd "$work"
cat >suite.json <<END
{"schema": "coalesce/suite/1", "machine": "h200", "cases": [
  {"id": "a", "group": "g", "file": "$ROOT/benchmarks/gather.cu", "size": "s", "options": ["-DN=1024"]},
  {"id": "b", "group": "g", "file": "$ROOT/benchmarks/nbody.cu", "size": "s", "options": ["-DN=512"]},
  {"id": "c", "group": "h", "file": "$ROOT/benchmarks/grayscale.cu", "size": "s"}]}
END
export SLURM_ARRAY_TASK_COUNT=2
for SLURM_ARRAY_TASK_ID in 2 1 1; do
	export SLURM_ARRAY_TASK_ID
	"$ROOT/docs/ci/slurm.sh" suite.json results 2>said
done
[ "$(ls results)" = "$(printf 'finished\npart-1.json\npart-2.json')" ]
grep -q '2 cases were finished before' said
coalesce batch --merge results/part-*.json --json >merged.json
coalesce batch suite.json --json 2>/dev/null >whole.json
cmp whole.json merged.json

# The matrix: its own commands, with the numbers of two jobs.
ln -s "$(dirname "$work/bin/coalesce")" build
export SUITE=suite.json SHARDS=2
for shard in 1 2; do
	eval "$(sed -n 's/^ *- run: \(build.coalesce batch "$SUITE".*\)/\1/p' "$ROOT/docs/ci/matrix.yml" | sed "s/\\\${{ matrix.shard }}/$shard/g")" 2>/dev/null
done
eval "$(sed -n 's/^ *- run: make demo && \(build.coalesce batch --merge .*\)/\1/p' "$ROOT/docs/ci/matrix.yml") --json" | cmp whole.json -

python3 - <<'END'
import os
try:
    import yaml
except ImportError:
    raise SystemExit(0)
for name, job in (("github.yml", "layouts"), ("matrix.yml", "merge")):
    with open(os.environ["ROOT"] + "/docs/ci/" + name, encoding="utf-8") as stream:
        assert yaml.safe_load(stream)["jobs"][job]["steps"]
END

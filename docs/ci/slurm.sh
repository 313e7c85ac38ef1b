#!/bin/sh
#SBATCH --job-name=coalesce
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
# A suite over the nodes of a cluster: each task predicts one shard; the last step puts the parts together, byte for byte what one run prints.
#
#   sbatch docs/ci/slurm.sh SUITE.json RESULTS            the shards, into RESULTS/part-N.json
#   coalesce batch --merge RESULTS/part-*.json --json     one summary; without --json the tables
#
# Each finished case is kept in RESULTS/finished: a job that was stopped, or is submitted again after a change, predicts only what is missing or changed.
set -eu
suite=$1 results=$2
mkdir -p "$results"
part=$results/part-$SLURM_ARRAY_TASK_ID.json
coalesce batch "$suite" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --jobs "${SLURM_CPUS_PER_TASK:-1}" --resume "$results/finished" --json >"$part.new"
mv "$part.new" "$part"

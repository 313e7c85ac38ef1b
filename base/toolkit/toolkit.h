/*
 * base/toolkit: where the CUDA toolkit lies. It knows the folders that NVIDIA's installers, pip wheels, conda and
 * Debian make, and nothing of CUDA itself; it stands in base because the analyzer's tests, the model and the commands
 * all need the same answer. Prefix: toolkit_.
 */
#ifndef COALESCE_BASE_TOOLKIT_TOOLKIT_H
#define COALESCE_BASE_TOOLKIT_TOOLKIT_H

#include "base/base.h"

/* An installed CUDA toolkit. All texts live in the arena; either reason or all of the first four are NULL. */
struct toolkit {
	const char *root;    /* what clang takes as --cuda-path */
	const char *nvcc;    /* path of the compiler driver */
	const char *include; /* folder of cuda_runtime.h */
	const char *version; /* "13.0" */
	const char *ptxas;   /* path of the assembler; NULL where only nvcc knows it */
	const char *cccl;    /* folder of cub/, thrust/ and cuda/std; NULL where they lie in include itself */
	const char *reason;  /* NULL, or why there is none, and what to do */
};
/*
 * Looks for a toolkit in $COALESCE_CUDA (and then nowhere else), $CUDA_HOME, $CUDA_PATH, around nvcc on PATH, in
 * toolkit/ beside the folder of the running program, and in /usr/local/cuda; tools/setup looks in the same order.
 * Starts no process, except where nvcc is a script that calls another nvcc: that is asked where it lies.
 */
struct toolkit toolkit_find(struct arena *arena);

#endif

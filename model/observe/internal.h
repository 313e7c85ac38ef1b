/* What the files of the room share. */
#ifndef COALESCE_MODEL_OBSERVE_INTERNAL_H
#define COALESCE_MODEL_OBSERVE_INTERNAL_H

#include "model/observe/observe.h"

struct observed_program {
	struct arena *arena;
	const struct observe_request *request;
	struct nvcc_call call; /* of the program's build; its folder holds all there is */
	const char *kernels;   /* the shared object of its kernels; NULL: they do not run, for this reason: */
	const char *problem;
	const char **kernel_names; /* mangled, as in its PTX */
	unsigned kernel_count;
	const char *failure;
	unsigned runs;
};
/* Notes what went wrong; false. */
bool observe_fail(struct observed_program *program, const char *text);
/* Runs nvcc. False, with what it complains of noted, where it does not build `what`. */
bool observe_nvcc_run(struct observed_program *program, const struct nvcc_call *call, const char *what);
/* Puts the compiled stand-in into the program's folder. */
bool observe_standin_build(struct observed_program *program);

struct observe_box {
	const char *folder; /* the only one that may be written to */
	double seconds;
};
/* Whether this system can keep a program from writing outside a folder. */
bool observe_box_keeps_files(void);
/* For struct process_box. */
bool observe_box_enter(const void *context);
/*
 * Makes a shared object of the kernels whose PTX stands in a program's file, in a folder. Fills the program's kernels,
 * or why they do not run, and their names. seconds: of processor time for the compiler.
 */
void observe_kernels_build(struct observed_program *program, const char *file, const char *folder, double seconds);
/* Copies a folder, whose path is absolute, to the same path below another one. NULL where that cannot be. */
const char *observe_folder_copy(struct arena *arena, const char *folder, const char *below);

/* Sets what the host passes for a parameter of the kernel. value: as the source has it. */
void observe_value_fill(struct arena *arena, const struct analysis *analysis, const struct parameter *parameter,
                        const struct observed_launch *launch, struct host_value *value);
/* Puts what the program wrote to variables in constant memory in the place of what the source says of it. */
void observe_symbols(struct arena *arena, struct analysis *analysis, const struct observation *observation);

#endif

/* What the files of the room share. */
#ifndef COALESCE_MODEL_OBSERVE_INTERNAL_H
#define COALESCE_MODEL_OBSERVE_INTERNAL_H

#include "model/observe/observe.h"

struct observe_box {
	const char *folder; /* the only one that may be written to */
	double seconds;
};
/* Whether this system can keep a program from writing outside a folder. */
bool observe_box_keeps_files(void);
/* For struct process_box. */
bool observe_box_enter(const void *context);
/*
 * Makes a shared object of the kernels whose PTX stands in a program, in a folder. Returns its path; NULL, with the reason in *problem, where that cannot be.
 * seconds: of processor time for the compiler.
 */
const char *observe_kernels_build(struct arena *arena, const char *program, const char *folder, double seconds,
                                  const char **problem);
/* Copies a folder, whose path is absolute, to the same path below another one. NULL where that cannot be. */
const char *observe_folder_copy(struct arena *arena, const char *folder, const char *below);

/* Sets what the host passes for a parameter of the kernel. value: as the source has it. */
void observe_value_fill(struct arena *arena, const struct analysis *analysis, const struct parameter *parameter,
                        const struct observed_launch *launch, struct host_value *value);
/* Puts what the program wrote to variables in constant memory in the place of what the source says of it. */
void observe_symbols(struct arena *arena, struct analysis *analysis, const struct observation *observation);
/* Whether two mangled names mean one kernel: in namespaces without a name each compiler has its own. */
bool observe_names_equal(const char *a, const char *b);

#endif

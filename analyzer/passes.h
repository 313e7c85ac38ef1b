/*
 * The passes of an analysis which lie beside this header, in the order in which they run; front/front.h and host/host.h
 * have the others.
 */
#ifndef COALESCE_ANALYZER_PASSES_H
#define COALESCE_ANALYZER_PASSES_H

#include "analyzer/analyzer.h"
#include "analyzer/tree/tree.h"

/* analyze.c: the analysis in this process. *cache becomes the precompiled header's path once one is used. */
struct analysis *analyze_here(struct arena *arena, const struct analyzer_options *options,
                              struct diagnostics *diagnostics, const char **cache);

/* kernel.c: requires the function's body; fills everything of a kernel but its references and launches. */
struct kernel *kernel_read(struct arena *arena, const struct source_unit *unit, const struct source_function *function,
                           struct diagnostics *diagnostics);

/* references.c: the search of a function's body for the places that name some pointers, which go to kernel->references.
 */
struct reference_search {
	struct arena *arena;
	const struct source_unit *unit;
	struct kernel *kernel;
	const struct source_function *function;
	/* The pointer that a node, without casts, names; NULL: none. */
	const struct parameter *(*named)(const struct reference_search *search, const struct node *node);
	void *context; /* for named */
};
void references_find(struct reference_search *search);

/* kernel.c: requires kernel_read; fills kernel->references. */
void kernel_find_references(struct arena *arena, const struct source_unit *unit, struct kernel *kernel,
                            const struct source_function *function);

/* held.c: requires the kernels; fills analysis->held_functions and unit->held. */
void held_find_all(struct analysis *analysis, struct source_unit *unit);

#endif

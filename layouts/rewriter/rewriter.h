/*
 * The plan by which one file is rewritten, which its device side (device/) and its host side (host/) share.
 */
#ifndef COALESCE_LAYOUTS_REWRITER_REWRITER_H
#define COALESCE_LAYOUTS_REWRITER_REWRITER_H

#include "base/lookup/lookup.h"
#include "layouts/types/types.h"
#include "layouts/text/text.h"

/* ---- the plan of one rewriting ------------------------------------------------------ */

enum group_change {
	CHANGE_NONE,      /* the file has this layout */
	CHANGE_ALIGNMENT, /* the record's own declaration gets another alignment; nothing else changes */
	CHANGE_BUFFERS    /* pointers to other types, references rewritten */
};
struct group_plan {
	const struct layout_group *group;
	const struct placement *placement;
	enum group_change change;
	const char *base; /* for names: "point", "record" */
	/* CHANGE_BUFFERS: of the record in device memory; NULL where buffers have no type of their own */
	const char *type_name;
	/* where the pointers are members of a struct, type_name is its name, and this of that with pointers to const */
	const char *const_type_name;
	const char *merged_name; /* FORM_ARRAYS: of the pointer to the records */
	bool used;               /* a kernel was changed */
	bool refused; /* of a group with a holder, or whose pointers a record holds: device code cannot follow */
	bool is_held; /* records passed by value hold pointers to it, as proxies from held_position on */
	unsigned held_position;
	bool host_changed; /* the host side was rewritten */
};
/*
 * Types that stand for `point *` and `point &` (or for `float *`, a member of joined arrays) in device code that does
 * more than index: see proxies.c.
 */
struct device_proxy {
	const struct group_plan *plan;
	unsigned field; /* FORM_ARRAYS: the member it points to */
	bool is_const;
	const char *pointer_name, *reference_name;
	unsigned position; /* offset before which it has to be declared */
	bool is_held;      /* it is a member of a record passed by value */
};
/* A function that makes a record out of the members of an element: see device/loaders.c. */
struct device_loader {
	const struct group_plan *plan;
	const struct record *record;
	const char *path, *name;
	unsigned position; /* offset before which it has to be defined */
};
struct kernel_plan {
	const struct kernel *kernel;
	struct lookup references;               /* of the kernel, by where their text begins */
	const struct layout_binding **bindings; /* for each parameter, NULL where it has none */
	/* for each parameter whose buffers change, the new names, one for each buffer */
	const char *const **pointers;
	const struct device_proxy **proxies; /* for each parameter, what stands for it in the body, or NULL */
	bool *is_indirect;                   /* for each parameter: all its mentions go through the proxy */
	struct device_name **names;          /* local names of elements that go */
	unsigned name_count;
	bool lends; /* elements that functions and methods take are copied for them, rather than to have a proxy */
	bool bound, refused, changed; /* refused: it takes a holder that cannot change */
	bool is_apart;                /* REWRITE_COMPILE: the text is another instantiation's, whose records move */
};
struct rewriter {
	struct arena *arena;
	const struct analysis *analysis;
	const struct layout_groups *groups;
	enum rewrite_purpose purpose;
	struct diagnostics *diagnostics;
	const struct edit_source *source;
	struct edits edits;
	const char *indentation;          /* what the file indents by */
	struct group_plan *group_plans;   /* one for each group */
	struct kernel_plan *kernel_plans; /* one for each kernel of the analysis */
	struct kernel_plan
		*held_plans; /* one for each held function of the analysis, where a program is written; else NULL */
	struct device_proxy **proxies;
	unsigned proxy_count;
	struct device_loader **loaders;
	unsigned loader_count;
	/* for each group, which of the analysis's functions become templates over its pointers */
	bool **generic;
};
/*
 * A block of declarations as it is inserted at a place: on lines of its own, with the line's number after it where
 * lines count. Releases the block.
 */
char *rewriter_block(const struct rewriter *rewriter, struct text *block, unsigned place);
/* ---- sites.c: where functions of ours stand ---- */

/* A file's place for definitions of functions that its code calls. */
struct rewriter_site {
	const char *path;
	unsigned position;
	bool *calls; /* by function */
};
struct rewriter_sites {
	struct rewriter_site *list;
	unsigned count;
};
/*
 * The places for functions of these names, one in each source file that calls some of them; `position` is that in its
 * file. Each function has one at least. Sorts the edits, which are complete but for the definitions.
 */
struct rewriter_sites rewriter_sites_find(struct rewriter *rewriter, const char *const *names, unsigned name_count,
                                          unsigned position);

/* The plan of a binding's group. */
struct group_plan *rewriter_group(const struct rewriter *rewriter, const struct layout_group *group);
/* A name that no identifier of the file has: base, or base with underscores after it. */
const char *rewriter_name(const struct rewriter *rewriter, const char *base);
/*
 * A record's name as it may be written anywhere in the file: "ant", and "struct ant" (or "::ant") where something that
 * is no type has the name too and may hide it.
 */
const char *rewriter_record_name(const struct rewriter *rewriter, const struct record *record);
/* The name alone, for `name{values}`. */
const char *rewriter_type_name(const char *record_name);
/* `#line N "PATH"` with a newline, for the line that holds offset; a quote in the path is `_`: ptxas does not read its
 * own name of such a file. */
char *rewriter_line_marker(struct arena *arena, const struct analysis *analysis, unsigned offset);

/* Makes the files of a program out of the edits, which are sorted; false where one does not lie in one file (reported).
 */
bool rewriter_files_make(struct rewriter *rewriter, struct rewritten *rewritten);

/* A buffer's pointer as a member of the struct of them: "x", "f[3]". */
const char *rewriter_buffer_member(struct arena *arena, const struct placement *placement, unsigned buffer);
/* Whether the pointers to a group's buffers are members of a struct. */
bool rewriter_joins_pointers(const struct group_plan *plan);
/* The plan of a binding's group where its buffers change, else NULL. */
const struct group_plan *rewriter_binding_change(const struct rewriter *rewriter, const struct layout_binding *binding);

/* Whether the file being rewritten compares, by that operator, two names that it declares as pointers to a record. */
bool rewriter_compares(const struct rewriter *rewriter, const char *record, const char *operator);

#endif

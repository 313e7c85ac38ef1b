/*
 * A call of the CUDA runtime that several take the place of: what host_calls.c decides and host_parts.c writes.
 */
#ifndef COALESCE_LAYOUTS_HOST_INTERNAL_H
#define COALESCE_LAYOUTS_HOST_INTERNAL_H

#include "layouts/internal.h"

/*
 * One of the calls that take the place of one: of a buffer, or of a field's scalars (of index `inner` where a tile
 * holds a member array).
 */
struct part {
	unsigned buffer, field, inner;
};
/* A call being replaced. */
struct call_edit {
	const struct rewriter *rewriter;
	const struct host_plan *host;
	const struct host_member *member;
	struct host_operation operation;
	struct helpers *helpers;
	struct range statement; /* to be repeated; empty: the calls are joined */
	struct part *parts;
	unsigned part_count;
	struct range *sizes; /* of joined arrays: all different sizes, whose they are, and the counts that they mean */
	const struct host_member **size_members;
	const char **counts;
	unsigned size_count;
};

static inline const struct placement *placement_of(const struct call_edit *call)
{
	return call->host->plan->placement;
}

static inline const struct layout_field *field_of(const struct call_edit *call, unsigned field)
{
	return &call->host->plan->group->fields[field];
}

static inline bool is_tiled(const struct call_edit *call)
{
	return placement_of(call)->tile > 1;
}

/* Whether each field has a buffer of its own, in which its values lie together. */
static inline bool is_separate(const struct call_edit *call)
{
	return !placement_of(call)->layout->declare;
}

/* Writes one of the calls. */
void part_write(struct text *out, const struct edits *edits, const struct edit *edit, const struct call_edit *call,
                const struct part *part);
/* The helper that copies one member of tiles to or from the host. */
enum helper tile_copy(const struct call_edit *call);

#endif

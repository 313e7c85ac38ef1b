/*
 * Grid and block of a launch: given, found in the source, or assumed. An assumed block has 256 threads and an assumed
 * grid 1024 blocks, along as many axes as the kernel asks for, or as the block has where that is known; 64 or 16384
 * blocks where the same is to be predicted with another size.
 */
#include "model/cases/cases.h"

#include <string.h>

/* By size, smaller ones first, and by axes. */
static const uint32_t blocks_assumed[3][3][3] = {{{64, 1, 1}, {8, 8, 1}, {4, 4, 4}},
                                                 {{1024, 1, 1}, {32, 32, 1}, {16, 8, 8}},
                                                 {{16384, 1, 1}, {128, 128, 1}, {32, 32, 16}}};
static const uint32_t threads_assumed[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};

static bool is_possible(const struct host_value *value)
{
	return value->known && value->value >= 1 && value->value <= UINT32_MAX;
}

/* Takes the first extent that the host is sure of and no launch can have. */
static void refused_find(struct launch_case *launch, const char *name, const struct host_value values[3])
{
	for (unsigned axis = 0; axis < 3 && !launch->refused.name; axis++)
		if (values[axis].known && !values[axis].assumed && !is_possible(&values[axis]))
			launch->refused = (struct refused_extent){name, axis, values[axis].value};
}

void case_dimensions_said(const struct launch_case *launch, int64_t grid[3], int64_t block[3])
{
	const struct refused_extent *refused = &launch->refused;
	for (unsigned axis = 0; axis < 3; axis++) {
		grid[axis] = launch->grid[axis];
		block[axis] = launch->block[axis];
	}
	if (refused->name)
		*(strcmp(refused->name, "gridDim") == 0 ? &grid[refused->axis] : &block[refused->axis]) =
			refused->value;
}

/* Returns false where an extent is not known, or is a guess that cannot be. */
static bool host_dimensions(const struct host_value values[3], uint32_t result[3])
{
	for (unsigned axis = 0; axis < 3; axis++)
		if (!values[axis].known || (values[axis].assumed && !is_possible(&values[axis])))
			return false;
	for (unsigned axis = 0; axis < 3; axis++)
		result[axis] = is_possible(&values[axis]) ? (uint32_t)values[axis].value : 1;
	return true;
}

static void dimensions_note_add(struct arena *arena, struct launch_case *launch, const char *what, const char *value,
                                const char *reason, const char *note)
{
	enum assumed_kind kind = strcmp(what, "grid") == 0 ? ASSUMED_GRID : ASSUMED_BLOCK;
	case_assume(arena, launch,
	            (struct case_assumption){.kind = kind, .value = value, .reason = reason, .note = note});
}

/* Dimensions that a branch or loop of the host may set otherwise. */
static void dimensions_note(struct arena *arena, struct launch_case *launch, const char *what,
                            const struct host_value values[3])
{
	for (unsigned axis = 0; axis < 3; axis++)
		if (values[axis].assumed) {
			dimensions_note_add(
				arena, launch, what,
				arena_printf(arena, "%lld along %c", (long long)values[axis].value, "xyz"[axis]),
				values[axis].reason,
				arena_printf(arena, "%s of %s is assumed %lld along %c: %s: give --%s", what,
			                     launch->kernel->name, (long long)values[axis].value, "xyz"[axis],
			                     values[axis].reason, what));
			return;
		}
}

/* ---- axes ------------------------------------------------------------------------- */

/* The last axis, from 0, along which the kernel looks at its position of that kind. */
static unsigned axis_used(const struct kernel *kernel, enum symbol_kind kind)
{
	unsigned last = 0;
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		if (kernel->symbols[i]->kind == kind && kernel->symbols[i]->axis > last &&
		    case_kernel_mentions(kernel, kernel->symbols[i]))
			last = kernel->symbols[i]->axis;
	return last;
}

static unsigned axis_of(const uint32_t dimensions[3])
{
	return dimensions[2] > 1 ? 2 : dimensions[1] > 1 ? 1 : 0;
}

/* ---- one of the two ------------------------------------------------------------------ */

/* Returns false where nobody says it. */
static bool dimensions_fill(struct arena *arena, struct launch_case *launch, const char *what,
                            const struct dimensions *given, const struct host_value *found, uint32_t result[3])
{
	if (given->given) {
		memcpy(result, given->value, 3 * sizeof result[0]);
		return true;
	}
	if (found)
		refused_find(launch, strcmp(what, "grid") == 0 ? "gridDim" : "blockDim", found);
	if (!found || !host_dimensions(found, result))
		return false;
	dimensions_note(arena, launch, what, found);
	return true;
}

static const char *dimensions_text(struct arena *arena, const uint32_t value[3])
{
	const char *text = arena_printf(arena, "%u", value[0]);
	for (unsigned axis = 1; axis <= axis_of(value); axis++)
		text = arena_printf(arena, "%s,%u", text, value[axis]);
	return text;
}

static void dimensions_assume(struct arena *arena, struct launch_case *launch, const char *what,
                              const struct host_value *found, const uint32_t assumed[3], uint32_t result[3])
{
	const char *reason = NULL;
	for (unsigned axis = 0; axis < 3 && found; axis++)
		if (!found[axis].known && !reason)
			reason = found[axis].reason;
	memcpy(result, assumed, 3 * sizeof result[0]);
	launch->assumed = true;
	dimensions_note_add(arena, launch, what, dimensions_text(arena, result), reason,
	                    arena_printf(arena, "%s of %s is not constant%s%s; assumed %s: give --%s", what,
	                                 launch->kernel->name, reason ? ": " : "", reason ? reason : "",
	                                 dimensions_text(arena, result), what));
}

/* The block that a template argument says. Returns false where none does. */
static bool template_block_fill(struct arena *arena, struct launch_case *launch)
{
	uint64_t threads = case_instance_block(launch->kernel);
	if (threads == 0)
		return false;
	launch->block[0] = (uint32_t)threads;
	launch->block[1] = launch->block[2] = 1;
	launch->assumed = true;
	dimensions_note_add(
		arena, launch, "block", dimensions_text(arena, launch->block), "its template argument says it",
		arena_printf(arena, "block of %s is not constant; %llu, as its template argument says: give --block",
	                     launch->kernel->name, (unsigned long long)threads));
	return true;
}

static int64_t assumed_size(const struct case_options *options)
{
	return options->change_count ? options->changes[0].assumed_size : 0;
}

void case_dimensions_fill(struct arena *arena, struct launch_case *launch, const struct launch *found,
                          const struct case_options *options)
{
	const struct host_value *grid = found ? found->grid : NULL, *block = found ? found->block : NULL;
	bool has_block = dimensions_fill(arena, launch, "block", &options->block, block, launch->block);
	if (!has_block)
		has_block = template_block_fill(arena, launch);
	bool has_grid = dimensions_fill(arena, launch, "grid", &options->grid, grid, launch->grid);
	unsigned threads_axis = axis_used(launch->kernel, SYMBOL_THREAD),
		 blocks_axis = axis_used(launch->kernel, SYMBOL_BLOCK);
	if (!has_grid) {
		unsigned axis =
			has_block && axis_of(launch->block) > blocks_axis ? axis_of(launch->block) : blocks_axis;
		dimensions_assume(arena, launch, "grid", grid, blocks_assumed[1 + assumed_size(options)][axis],
		                  launch->grid);
	}
	if (!has_block)
		dimensions_assume(arena, launch, "block", block, threads_assumed[threads_axis], launch->block);
}

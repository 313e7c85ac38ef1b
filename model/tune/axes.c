/*
 * A space as axes of a sweep: what each name means in the file, and what may be changed beside the names.
 */
#include "model/tune/tune.h"

#include <string.h>

#define LEAST_REGISTERS 24 /* a limit below is not tried */
#define MOST_LIMITS 3      /* of registers, that are tried */

static void note_add(struct arena *arena, struct tune_axes *axes, const char *note)
{
	ARENA_PUSH(arena, axes->notes, axes->note_count, note);
}

/* ---- names of the file ------------------------------------------------------------------- */

/* What -DNAME=VALUE among the flags says; NULL: nothing. */
static const char *flag_value(const struct predict_options *options, const char *name)
{
	size_t length = strlen(name);
	const char *value = NULL;
	for (unsigned i = 0; i < options->analyzer.flag_count; i++) {
		const char *flag = options->analyzer.flags[i];
		if (strncmp(flag, "-D", 2) == 0 && strncmp(flag + 2, name, length) == 0 &&
		    (flag[2 + length] == '=' || !flag[2 + length]))
			value = flag[2 + length] ? flag + 3 + length : "1";
	}
	return value;
}

static bool is_number_axis(const struct tune_parameter *parameter)
{
	for (unsigned v = 0; v < parameter->count; v++)
		if (parameter->values[v].word || parameter->values[v].items)
			return false;
	return true;
}

static struct sweep_axis axis_of(struct arena *arena, const struct tune_parameter *parameter, enum sweep_kind kind)
{
	struct sweep_axis axis = {.kind = kind, .name = parameter->name, .count = parameter->count};
	bool numbers = is_number_axis(parameter);
	axis.values = arena_array(arena, parameter->count, sizeof *axis.values);
	if (!numbers)
		axis.words = arena_array(arena, parameter->count, sizeof *axis.words);
	for (unsigned v = 0; v < parameter->count; v++) {
		axis.values[v] = numbers ? (int64_t)parameter->values[v].number : (int64_t)v;
		if (!numbers)
			axis.words[v] = tune_value_text(arena, &parameter->values[v]);
	}
	return axis;
}

/* The value that the file has, as a text; an axis of words gets it as a further word where none is it. */
static void own_set(struct arena *arena, struct sweep_axis *axis, const char *text)
{
	const char **words = NULL;
	unsigned count = 0;
	axis->has_own = axis->words || case_integer_parse(text, &axis->own);
	if (!axis->words)
		return;
	for (unsigned v = 0; v < axis->count; v++) {
		if (strcmp(axis->words[v], text) == 0)
			axis->own = v;
		ARENA_PUSH(arena, words, count, axis->words[v]);
	}
	for (unsigned v = 0; v < axis->count; v++)
		if (strcmp(axis->words[v], text) == 0)
			return;
	axis->own = axis->count;
	ARENA_PUSH(arena, words, count, text);
	axis->words = words;
}

/* The value that a text gives a name at so many places; NULL: none. */
static const char *edits_value(struct arena *arena, const char *text, const struct sweep_edit *edits, unsigned count)
{
	const char *value = count ? arena_strndup(arena, text + edits[0].at, edits[0].length) : NULL;
	for (unsigned e = 1; e < count; e++)
		if (edits[e].length != edits[0].length || memcmp(text + edits[e].at, value, edits[0].length) != 0)
			return "several values";
	return value;
}

/* Makes words of an axis of numbers. */
static void words_make(struct arena *arena, struct sweep_axis *axis)
{
	axis->words = arena_array(arena, axis->count, sizeof *axis->words);
	for (unsigned v = 0; v < axis->count; v++)
		axis->words[v] = arena_printf(arena, "%lld", (long long)axis->values[v]);
	for (unsigned v = 0; v < axis->count; v++)
		axis->values[v] = v;
}

/* A name of the file: a macro that the command line may set, or one that the text gives a value. */
static const char *file_axis(struct arena *arena, const struct tune_parameter *parameter,
                             const struct predict_options *options, const char *text, struct sweep_axis *axis)
{
	unsigned count;
	int64_t number;
	bool guarded;
	const struct sweep_edit *edits = sweep_definition_edits(arena, text, parameter->name, NULL, &count, &guarded);
	const char *said = flag_value(options, parameter->name);
	*axis = axis_of(arena, parameter, count == 0 || guarded ? SWEEP_MACRO : SWEEP_DEFINITION);
	if (!said)
		said = edits_value(arena, text, edits, count);
	if (said && !case_integer_parse(said, &number) && !axis->words)
		words_make(arena, axis);
	if (said)
		own_set(arena, axis, said);
	if (count == 0 && !strstr(text, parameter->name))
		return arena_printf(arena, "the file has no '%s'", parameter->name);
	return NULL;
}

static bool own_kind(const char *name, enum sweep_kind *kind)
{
#define X(word, sweep)                                                                                                 \
	if (strcmp(name, #word) == 0) {                                                                                \
		*kind = SWEEP_##sweep;                                                                                 \
		return true;                                                                                           \
	}
	TUNE_OWN_NAMES(X)
#undef X
	return false;
}

const char *tune_axes_named(struct arena *arena, const struct tune_space *space, const struct predict_options *options,
                            const char *text, struct tune_axes *axes, bool *lacking)
{
	*lacking = false;
	for (unsigned p = 0; p < space->parameter_count; p++) {
		const struct tune_parameter *parameter = &space->parameters[p];
		struct sweep_axis *axis = &axes->list[p];
		enum sweep_kind kind;
		const char *problem = NULL;
		if (own_kind(parameter->name, &kind)) {
			*axis = axis_of(arena, parameter, kind);
			axis->has_own = true;
			axis->own = kind == SWEEP_SHARE;
			if (kind != SWEEP_SHAPE && axis->words)
				problem = arena_printf(arena, "%s takes numbers", parameter->name);
		} else {
			problem = file_axis(arena, parameter, options, text, axis);
		}
		if (problem)
			return problem;
		*lacking = *lacking || !axis->has_own;
	}
	axes->count = axes->named = space->parameter_count;
	return NULL;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* The launches that take the longest as written: their block is the one that is changed. */
static const struct case_result *longest_case(const struct prediction *first)
{
	const struct case_result *longest = &first->cases[0];
	for (unsigned c = 1; c < first->case_count; c++)
		if (predict_launches_seconds(&first->cases[c], &first->cases[c].rows[0]) >
		    predict_launches_seconds(longest, &longest->rows[0]))
			longest = &first->cases[c];
	return longest;
}

static bool blocks_equal(const uint32_t a[3], const uint32_t b[3])
{
	return memcmp(a, b, 3 * sizeof a[0]) == 0;
}

/* Why the blocks of a size may not be others; NULL: they may, along those axes. */
static const char *block_is_bound(struct arena *arena, const struct prediction *first, const uint32_t block[3],
                                  bool along[3])
{
	along[0] = along[1] = along[2] = true;
	for (unsigned c = 0; c < first->case_count; c++) {
		bool own[3] = {false};
		if (!blocks_equal(first->cases[c].launch->block, block))
			continue;
		const char *why = tune_block_is_bound(arena, &first->cases[c], own);
		if (why)
			return arena_printf(arena, "the block of %s stays: %s", first->cases[c].launch->kernel->name,
			                    why);
		for (unsigned axis = 0; axis < 3; axis++)
			along[axis] = along[axis] && own[axis];
	}
	return along[0] || along[1] || along[2] ? NULL : "the block stays: kernels differ in the axes that they use";
}

static bool covers_all(const struct prediction *first, const uint32_t from[3], const uint32_t block[3])
{
	for (unsigned c = 0; c < first->case_count; c++)
		if (blocks_equal(first->cases[c].launch->block, from) &&
		    !tune_block_covers(first->cases[c].launch, block))
			return false;
	return true;
}

static void shape_add(struct arena *arena, struct sweep_axis *axis, unsigned *stored, const uint32_t shape[3])
{
	for (unsigned i = 0; i < axis->count; i++)
		if (blocks_equal(axis->dimensions[i], shape))
			return;
	axis->dimensions = arena_grow(arena, axis->dimensions, *stored, sizeof *axis->dimensions);
	memcpy(axis->dimensions[(*stored)++], shape, sizeof *axis->dimensions);
	const int64_t index = axis->count;
	ARENA_PUSH(arena, axis->values, axis->count, index);
}

/* Along one axis all sizes that --block-size auto tries; along several, powers of two of whole warps, with at least a
 * quarter of a warp along x. */
static void shapes_find(struct arena *arena, const struct prediction *first, const uint32_t own[3], const bool along[3],
                        struct sweep_axis *axis, unsigned *stored)
{
	const struct sweep_axis sizes = sweep_axis_blocks(arena, first);
	unsigned axes = (unsigned)along[0] + along[1] + along[2],
		 most = (unsigned)first->machine->sm_max_threads_per_block.value;
	uint32_t shape[3] = {own[0], own[1], own[2]};
	for (unsigned i = 0; i < sizes.count && axes == 1; i++) {
		shape[along[0] ? 0 : along[1] ? 1 : 2] = (uint32_t)sizes.values[i];
		if (sizes.values[i] % WARP_LANES == 0 && covers_all(first, own, shape))
			shape_add(arena, axis, stored, shape);
	}
	for (uint32_t x = along[0] ? WARP_LANES / 4 : own[0]; axes > 1 && x <= most; x *= 2)
		for (uint32_t y = along[1] ? 1 : own[1]; x * y <= most; y *= 2)
			for (uint32_t z = along[2] ? 1 : own[2]; x * y * z <= most; z *= 2) {
				const uint32_t one[3] = {along[0] ? x : own[0], along[1] ? y : own[1],
				                         along[2] ? z : own[2]};
				if (one[0] * one[1] * one[2] >= 2 * WARP_LANES &&
				    one[0] * one[1] * one[2] % WARP_LANES == 0 && covers_all(first, own, one))
					shape_add(arena, axis, stored, one);
			}
}

static struct sweep_axis shape_axis(struct arena *arena, const uint32_t own[3], unsigned *stored)
{
	struct sweep_axis axis = {.kind = SWEEP_SHAPE, .name = "block", .has_own = true};
	shape_add(arena, &axis, stored, own);
	return axis;
}

static void block_axis_add(struct arena *arena, const struct prediction *first, struct tune_axes *axes)
{
	const uint32_t *own = longest_case(first)->launch->block;
	bool along[3];
	unsigned stored = 0;
	const char *why = block_is_bound(arena, first, own, along);
	if (why) {
		note_add(arena, axes, arena_printf(arena, "%s; --tune block=128,256 tries others all the same", why));
		return;
	}
	struct sweep_axis axis = shape_axis(arena, own, &stored);
	shapes_find(arena, first, own, along, &axis, &stored);
	if (axis.count > 1)
		axes->list[axes->count++] = axis;
}

/* The blocks that the user names. The own one is a value that points need not have. */
static const char *block_axis_name(struct arena *arena, const struct prediction *first,
                                   const struct tune_parameter *parameter, struct sweep_axis *axis)
{
	unsigned stored = 0;
	struct sweep_axis made = shape_axis(arena, longest_case(first)->launch->block, &stored);
	int64_t *values = arena_array(arena, parameter->count, sizeof *values);
	for (unsigned v = 0; v < parameter->count; v++) {
		const struct tune_value *value = &parameter->values[v];
		uint32_t shape[3] = {1, 1, 1};
		for (unsigned i = 0; i < (value->items ? value->count : 1); i++) {
			double size = value->items ? value->items[i].number : value->number;
			if (value->word || !(size >= 1 && size <= INT32_MAX))
				return arena_printf(arena, "'%s' is no block", tune_value_text(arena, value));
			shape[i] = (uint32_t)size;
		}
		shape_add(arena, &made, &stored, shape);
		for (unsigned i = 0; i < made.count; i++)
			if (blocks_equal(made.dimensions[i], shape))
				values[v] = i;
	}
	made.values = values;
	made.count = parameter->count;
	made.name = "block";
	*axis = made;
	return NULL;
}

/* ---- registers, loops ---------------------------------------------------------------------- */

static unsigned most_registers(const struct prediction *first)
{
	unsigned most = 0;
	for (unsigned c = 0; c < first->case_count; c++)
		for (unsigned r = 0; r < first->cases[c].row_count; r++)
			most = first->cases[c].rows[r].estimate->registers > most
			               ? first->cases[c].rows[r].estimate->registers
			               : most;
	return most;
}

static bool has_launch_bounds(const struct prediction *first)
{
	for (unsigned c = 0; c < first->case_count; c++) {
		const struct ptx_function *function = first->cases[c].rows[0].view->ptx.function;
		if (function && (function->maximum_threads[0] || function->maximum_registers))
			return true;
	}
	return false;
}

static bool says_registers(const struct predict_options *options)
{
	for (unsigned i = 0; i < options->analyzer.flag_count; i++)
		if (strstr(options->analyzer.flags[i], "maxrregcount"))
			return true;
	return false;
}

/* Limits of registers below what the code takes, by which one more block of 256 threads or its like may be resident:
 * the registers of an SM over whole warps. */
static void registers_axis_add(struct arena *arena, const struct prediction *first,
                               const struct predict_options *options, struct tune_axes *axes)
{
	struct sweep_axis axis = {.kind = SWEEP_REGISTERS, .name = "registers", .has_own = true};
	unsigned most = most_registers(first), granule = 8;
	if (says_registers(options) || has_launch_bounds(first))
		return;
	ARENA_PUSH(arena, axis.values, axis.count, 0);
	double warps = first->machine->sm_max_warps.value, file = first->machine->sm_registers.value;
	for (double resident = 4; resident <= warps && axis.count <= MOST_LIMITS; resident += 4) {
		unsigned limit = (unsigned)(file / (resident * WARP_LANES)) / granule * granule;
		bool known = axis.values[axis.count - 1] == limit;
		if (limit < most && limit >= LEAST_REGISTERS && !known && 2 * limit >= most)
			ARENA_PUSH(arena, axis.values, axis.count, (int64_t)limit);
	}
	if (axis.count > 1)
		axes->list[axes->count++] = axis;
}

static void values_axis_add(struct arena *arena, struct tune_axes *axes, enum sweep_kind kind, const char *name,
                            const int64_t *values, unsigned count)
{
	struct sweep_axis axis = {.kind = kind, .name = name, .has_own = true, .own = values[0], .count = count};
	axis.values = arena_array(arena, count, sizeof *values);
	memcpy(axis.values, values, count * sizeof *values);
	axes->list[axes->count++] = axis;
}

static void loops_axes_add(struct arena *arena, const struct prediction *first, struct tune_axes *axes)
{
	static const int64_t factors[] = {0, 1, 2, 4, 8}, shares[] = {1, 2, 4, 8};
	unsigned loops = 0;
	bool strides = false;
	if (first->analysis->source && first->analysis->source->main_text)
		sweep_unroll_edits(arena, first->analysis, NULL, 2, &loops);
	if (loops)
		values_axis_add(arena, axes, SWEEP_UNROLL, "unroll", factors, ARRAY_COUNT(factors));
	for (unsigned c = 0; c < first->case_count; c++)
		strides = strides || tune_grid_strides(&first->cases[c]);
	for (unsigned c = 0; c < first->case_count; c++)
		for (unsigned i = 0; i < first->cases[c].launch->kernel->symbol_count; i++)
			if (first->cases[c].launch->kernel->symbols[i]->kind == SYMBOL_GRID_SIZE)
				strides = strides && tune_grid_strides(&first->cases[c]);
	if (strides)
		values_axis_add(arena, axes, SWEEP_SHARE, "share", shares, ARRAY_COUNT(shares));
}

const char *tune_axes_add(struct arena *arena, const struct tune_space *space, const struct prediction *first,
                          const struct predict_options *options, struct tune_axes *axes)
{
	for (unsigned p = 0; p < axes->named; p++) {
		const char *problem = NULL;
		unsigned bounded = 1;
		if (axes->list[p].kind == SWEEP_SHAPE)
			problem = block_axis_name(arena, first, &space->parameters[p], &axes->list[p]);
		if (axes->list[p].kind == SWEEP_BOUNDS)
			sweep_bounds_edits(arena, first, NULL, NULL, 1, &bounded);
		if (!bounded)
			problem = "launch_bounds: no kernel of the file that is launched is without __launch_bounds__";
		if (problem)
			return problem;
	}
	if (axes->named > 0)
		return NULL;
	if (!options->cases.block.given)
		block_axis_add(arena, first, axes);
	registers_axis_add(arena, first, options, axes);
	loops_axes_add(arena, first, axes);
	return NULL;
}

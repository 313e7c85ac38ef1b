/*
 * Axes: "NAME=LO:HI[:xF|:+S]" as values, and whether NAME is a scalar, a macro, an argument of the program, the block,
 * the grid or the tile.
 */
#include "model/sweep/sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_MOST (INT64_C(1) << 53) /* that a double holds exactly */

const char *sweep_kind_name(enum sweep_kind kind)
{
	static const char *const names[] = {
#define X(name, word, anew) #word,
		SWEEP_KINDS(X)
#undef X
	};
	return names[kind];
}

bool sweep_kind_anew(enum sweep_kind kind)
{
	static const bool anews[] = {
#define X(name, word, anew) anew,
		SWEEP_KINDS(X)
#undef X
	};
	return anews[kind];
}

unsigned sweep_argument(const char *name)
{
	unsigned place = 0;
	int length = 0;
	return sscanf(name, "argv[%u]%n", &place, &length) == 1 && name[length] == '\0' ? place : 0;
}

/* ---- values ---------------------------------------------------------------------------- */

struct range_parts {
	const char *low, *high, *step; /* step: NULL for none */
};

static bool range_split(struct arena *arena, const char *text, struct range_parts *parts)
{
	const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
	if (!first)
		return false;
	parts->low = arena_strndup(arena, text, (size_t)(first - text));
	parts->high = arena_strndup(arena, first + 1, second ? (size_t)(second - first - 1) : strlen(first + 1));
	parts->step = second ? second + 1 : NULL;
	return true;
}

/* The next value, or `value` itself where there is none. */
static int64_t step_from(int64_t value, double factor, int64_t summand)
{
	double next = summand ? (double)value + (double)summand : floor((double)value * factor + 0.5);
	return next > (double)value && next < (double)VALUE_MOST ? (int64_t)next : value;
}

static const char *values_fill(struct arena *arena, struct sweep_axis *axis, int64_t low, int64_t high, double factor,
                               int64_t summand)
{
	int64_t value = low;
	while (value <= high) {
		int64_t next = step_from(value, factor, summand);
		ARENA_PUSH(arena, axis->values, axis->count, value);
		if (axis->count > MOST_SWEEP_POINTS)
			return arena_printf(arena, "more than %d values", MOST_SWEEP_POINTS);
		if (next == value && (summand || value == INT64_MAX))
			break;
		value = next == value ? value + 1 : next;
	}
	return axis->count ? NULL : "no value lies in that range";
}

static const char *step_refused(struct arena *arena, const char *text)
{
	return arena_printf(arena, "'%s' is no step: xF multiplies by F above 1, +S adds S", text);
}

static const char *step_parse(struct arena *arena, const char *text, double *factor, int64_t *summand)
{
	char *end;
	*factor = 2;
	*summand = 0;
	if (!text)
		return NULL;
	if (*text == '+' && case_integer_parse(text + 1, summand) && *summand > 0)
		return NULL;
	*factor = 0;
	if (*text != 'x')
		return step_refused(arena, text);
	*factor = strtod(text + 1, &end);
	if (*factor > 1 && isfinite(*factor) && *end == '\0' && end != text + 1)
		return NULL;
	return step_refused(arena, text);
}

static enum sweep_kind kind_by_name(const char *name)
{
	static const enum sweep_kind own[] = {SWEEP_BLOCK, SWEEP_GRID, SWEEP_TILE};
	for (size_t i = 0; i < ARRAY_COUNT(own); i++)
		if (strcmp(name, sweep_kind_name(own[i])) == 0)
			return own[i];
	return sweep_argument(name) ? SWEEP_ARGUMENT : SWEEP_SCALAR;
}

static const char *values_check(struct arena *arena, const struct sweep_axis *axis)
{
	for (unsigned i = 0; i < axis->count; i++) {
		int64_t value = axis->values[i];
		if (axis->kind == SWEEP_TILE && (value < 2 || value > LAYOUT_TILE_MOST || (value & (value - 1)) != 0))
			return arena_printf(arena, "%lld is no tile: a power of two from 2 to %d", (long long)value,
			                    LAYOUT_TILE_MOST);
		if (axis->kind != SWEEP_SCALAR && !sweep_kind_anew(axis->kind) && (value < 1 || value > INT32_MAX))
			return arena_printf(arena, "%lld is no %s", (long long)value, axis->name);
	}
	return NULL;
}

const char *sweep_axis_parse(struct arena *arena, const char *text, struct sweep_axis *axis)
{
	const char *equals = strchr(text, '=');
	struct range_parts parts;
	int64_t low, high, summand;
	double factor;
	if (!equals || equals == text || !range_split(arena, equals + 1, &parts))
		return "it is not NAME=LO:HI, NAME=LO:HI:xF or NAME=LO:HI:+S";
	*axis = (struct sweep_axis){.name = arena_strndup(arena, text, (size_t)(equals - text))};
	axis->kind = kind_by_name(axis->name);
	if (!case_integer_parse(parts.low, &low) || !case_integer_parse(parts.high, &high))
		return "LO and HI are integers, as of --arg";
	const char *problem = step_parse(arena, parts.step, &factor, &summand);
	if (!problem && low > high)
		problem = "LO lies above HI";
	if (!problem && low < 1 && !summand)
		problem = "values are multiplied, and so begin above 0: a step +S adds";
	if (!problem)
		problem = values_fill(arena, axis, low, high, factor, summand);
	return problem ? problem : values_check(arena, axis);
}

/* ---- axes that are no ranges ------------------------------------------------------------------ */

struct sweep_axis sweep_axis_machines(struct arena *arena, const char *names)
{
	struct sweep_axis axis = {.kind = SWEEP_MACHINE, .name = "machine", .has_own = true};
	unsigned count = 0;
	for (const char *next = names;; next++) {
		size_t length = strcspn(next, ",");
		ARENA_PUSH(arena, axis.words, count, arena_strndup(arena, next, length));
		ARENA_PUSH(arena, axis.values, axis.count, (int64_t)count - 1);
		next += length;
		if (!*next)
			return axis;
	}
}

static void value_insert(struct arena *arena, struct sweep_axis *axis, int64_t value)
{
	unsigned at = 0;
	while (at < axis->count && axis->values[at] < value)
		at++;
	if (at < axis->count && axis->values[at] == value)
		return;
	ARENA_PUSH(arena, axis->values, axis->count, value);
	memmove(&axis->values[at + 1], &axis->values[at], (axis->count - 1 - at) * sizeof axis->values[0]);
	axis->values[at] = value;
}

struct sweep_axis sweep_axis_blocks(struct arena *arena, const struct prediction *first)
{
	struct sweep_axis axis = {.kind = SWEEP_BLOCK, .name = "block"};
	int64_t most = (int64_t)first->machine->sm_max_threads_per_block.value;
	for (int64_t block = WARP_LANES; block <= most; block *= 2) {
		value_insert(arena, &axis, block);
		if (block > WARP_LANES && block / 2 * 3 <= most)
			value_insert(arena, &axis, block / 2 * 3);
	}
	for (unsigned c = 0; c < first->case_count; c++) {
		const uint32_t *block = first->cases[c].launch->block;
		value_insert(arena, &axis, (int64_t)block[0] * block[1] * block[2]);
	}
	return axis;
}

const char *sweep_value(struct arena *arena, const struct sweep_axis *axis, int64_t value)
{
	if (axis->words)
		return axis->words[value];
	if (!axis->dimensions)
		return arena_printf(arena, "%lld", (long long)value);
	const uint32_t *size = axis->dimensions[value];
	return size[2] > 1   ? arena_printf(arena, "%ux%ux%u", size[0], size[1], size[2])
	       : size[1] > 1 ? arena_printf(arena, "%ux%u", size[0], size[1])
	                     : arena_printf(arena, "%u", size[0]);
}

/* ---- names ------------------------------------------------------------------------------- */

static bool is_scalar(const struct prediction *first, const char *name)
{
	const struct case_change change = {.scalar = name};
	for (unsigned c = 0; c < first->case_count; c++) {
		const struct kernel *kernel = first->cases[c].launch->kernel;
		for (unsigned i = 0; i < kernel->symbol_count; i++)
			if (kernel->symbols[i]->kind == SYMBOL_PARAMETER &&
			    case_change_means(kernel, &change, kernel->symbols[i]->name))
				return true;
	}
	return false;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The next place of a word in text, or NULL. */
static const char *word_find(const char *text, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		if (!is_word(at[length]) && (at == text || !is_word(at[-1])))
			return at;
	return NULL;
}

/* Whether the word before a place is `before`, as in "#define N". */
static bool word_before(const char *text, const char *at, const char *before)
{
	size_t length = strlen(before);
	while (at > text && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '('))
		at--;
	return (size_t)(at - text) >= length && strncmp(at - length, before, length) == 0;
}

/* What hinders -D from setting a macro, or NULL. A definition that no condition on the name stands before replaces that
 * of the command line. */
static const char *macro_problem(struct arena *arena, const char *text, const char *name)
{
	const char *at = word_find(text, name);
	if (!at)
		return arena_printf(arena, "no kernel has an integer parameter '%s', and the file has no such macro",
		                    name);
	for (; at; at = word_find(at + 1, name)) {
		if (word_before(text, at, "ifndef") || word_before(text, at, "defined"))
			return NULL;
		if (word_before(text, at, "define"))
			return arena_printf(arena, "the file defines %s itself, without #ifndef %s: -D cannot set it",
			                    name, name);
	}
	return NULL;
}

const char *sweep_axis_resolve(struct arena *arena, const struct prediction *first, unsigned argument_count,
                               struct sweep_axis *axis)
{
	if (axis->kind == SWEEP_ARGUMENT && sweep_argument(axis->name) > argument_count)
		return arena_printf(arena, "the program has %u arguments: give them all behind `--`", argument_count);
	if (axis->kind != SWEEP_SCALAR || is_scalar(first, axis->name))
		return NULL;
	axis->kind = SWEEP_MACRO;
	return macro_problem(arena, first->analysis->text, axis->name);
}

/*
 * What the values of a point mean for a prediction: its options, with the flags, the arguments, the launches and the
 * text of the point.
 */
#include "model/sweep/sweep.h"

#include <string.h>

static void flag_add(struct arena *arena, struct predict_options *options, const char *flag)
{
	const char **flags = arena_array(arena, options->analyzer.flag_count + 1, sizeof *flags);
	memcpy(flags, options->analyzer.flags, options->analyzer.flag_count * sizeof *flags);
	flags[options->analyzer.flag_count++] = flag;
	options->analyzer.flags = flags;
}

/* Leaves out the flags that begin with a word and go on with '=' or nothing. */
static void flags_drop(struct arena *arena, struct predict_options *options, const char *word)
{
	const char **flags = arena_array(arena, options->analyzer.flag_count + 1, sizeof *flags);
	unsigned count = 0;
	size_t length = strlen(word);
	for (unsigned i = 0; i < options->analyzer.flag_count; i++) {
		const char *flag = options->analyzer.flags[i];
		if (strncmp(flag, word, length) != 0 || (flag[length] && flag[length] != '='))
			flags[count++] = flag;
	}
	options->analyzer.flags = flags;
	options->analyzer.flag_count = count;
}

/* The program's command line with another argument. */
static void argument_set(struct arena *arena, struct predict_options *options, const char *name, int64_t value)
{
	const char **arguments = arena_array(arena, options->analyzer.argument_count + 1, sizeof *arguments);
	memcpy(arguments, options->analyzer.arguments, options->analyzer.argument_count * sizeof *arguments);
	arguments[sweep_argument(name) - 1] = arena_printf(arena, "%lld", (long long)value);
	options->analyzer.arguments = arguments;
}

/* Sets a value that the compilers are told; at 0 registers are as the code has them. What is not plain is the file's
 * own value. */
static void flags_set(struct arena *arena, const struct sweep_axis *axis, int64_t value,
                      struct predict_options *options)
{
	const char *word = axis->kind == SWEEP_MACRO ? arena_printf(arena, "-D%s", axis->name) : "--maxrregcount";
	if ((axis->kind == SWEEP_REGISTERS && value == 0) || !text_is_plain(sweep_value(arena, axis, value)))
		return;
	flags_drop(arena, options, word);
	flag_add(arena, options, arena_printf(arena, "%s=%s", word, sweep_value(arena, axis, value)));
}

/* Sets what changes launches alone. */
static void change_set(const struct sweep_axis *axis, int64_t value, struct case_change *change)
{
	*change = (struct case_change){.scalar = axis->kind == SWEEP_SCALAR ? axis->name : NULL, .value = value};
	change->block = axis->kind == SWEEP_BLOCK ? (uint64_t)value : 0;
	change->grid = axis->kind == SWEEP_GRID ? (uint64_t)value : 0;
	change->share = axis->kind == SWEEP_SHARE ? (uint64_t)value : 0;
	change->assumed_size = axis->kind == SWEEP_ASSUMED ? value : 0;
	if (axis->kind == SWEEP_SHAPE) {
		memcpy(change->from, axis->dimensions[axis->own], sizeof change->from);
		memcpy(change->shape, axis->dimensions[value], sizeof change->shape);
	}
}

static void value_set(struct arena *arena, const struct sweep_axis *axis, int64_t value,
                      struct predict_options *options, struct case_change *changes)
{
	struct dimensions *said = axis->kind == SWEEP_SAID_BLOCK ? &options->cases.block : &options->cases.grid;
	switch (axis->kind) {
	case SWEEP_MACRO:
	case SWEEP_REGISTERS:
		flags_set(arena, axis, value, options);
		break;
	case SWEEP_ARGUMENT:
		argument_set(arena, options, axis->name, value);
		break;
	case SWEEP_MACHINE:
		options->machine = axis->words[value];
		break;
	case SWEEP_SAID_BLOCK:
	case SWEEP_SAID_GRID:
		said->given = true;
		memcpy(said->value, axis->dimensions[value], sizeof said->value);
		break;
	case SWEEP_TILE:
	case SWEEP_UNROLL:
	case SWEEP_BOUNDS:
	case SWEEP_DEFINITION:
		break;
	default:
		if (!axis->has_own || axis->own != value)
			change_set(axis, value, &changes[options->cases.change_count++]);
	}
}

void sweep_options_at(struct arena *arena, const struct sweep_request *request, const struct sweep *sweep,
                      const struct sweep_point *point, struct predict_options *options)
{
	struct case_change *changes = arena_array(arena, MOST_SWEEP_AXES, sizeof *changes);
	options->cases.changes = changes;
	options->cases.change_count = 0;
	for (unsigned a = 0; a < sweep->axis_count; a++)
		value_set(arena, &sweep->axes[a], point->at[a], options, changes);
	const char *text = sweep_text_at(arena, sweep, point, request->first);
	if (text)
		options->analyzer.text = text;
}

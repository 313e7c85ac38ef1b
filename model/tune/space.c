/*
 * What is tuned: names with their values, conditions on them, and blocks and grids that follow from them.
 */
#include "model/tune/tune.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VALUES 1024 /* of a name */

static size_t identifier_length(const char *text)
{
	size_t length = 0;
	if (isdigit((unsigned char)*text))
		return 0;
	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

static bool is_identifier(const char *text)
{
	return *text && text[identifier_length(text)] == '\0';
}

const char *tune_value_text(struct arena *arena, const struct tune_value *value)
{
	const char *text = "";
	for (unsigned i = 0; i < value->count; i++)
		text = arena_printf(arena, "%s%s%lld", text, i ? "x" : "", (long long)value->items[i].number);
	if (value->items)
		return text;
	return value->word ? value->word : arena_printf(arena, "%lld", (long long)value->number);
}

static bool value_read(struct arena *arena, const char *text, struct tune_value *value)
{
	struct tune_fault fault;
	*value = (struct tune_value){.word = is_identifier(text) ? text : NULL};
	if (value->word)
		return true;
	const char *digits = text + (*text == '-');
	if (!*digits || strspn(digits, "0123456789") != strlen(digits))
		return false;
	const struct tune_expression *expression = tune_expression_parse(arena, text, TUNE_C, &fault);
	return expression && tune_expression_value(arena, expression, NULL, 0, value, &fault) && tune_is_integer(value);
}

/* "32x8": the block along its axes, as a list. */
static bool shape_read(struct arena *arena, const char *text, struct tune_value *value)
{
	*value = (struct tune_value){.items = arena_array(arena, 3, sizeof(struct tune_value))};
	for (const char *next = text; value->count < 3; next++) {
		char *end;
		value->items[value->count++].number = (double)strtoul(next, &end, 10);
		if (end == next || strspn(text, "0123456789x") != strlen(text))
			return false;
		if (!*end)
			return true;
		next = end;
	}
	return false;
}

/* Takes a value unless it is there. Returns what is wrong, or NULL. */
static const char *value_take(struct arena *arena, struct tune_parameter *parameter, const struct tune_value *value)
{
	bool word = value->word != NULL;
	bool shape = value->items && strcmp(parameter->name, "block") == 0;
	if ((value->items && !shape) || (word && !is_identifier(value->word)) ||
	    (!word && !shape && !tune_is_integer(value)))
		return arena_printf(arena, "a value of %s is neither an integer nor an identifier", parameter->name);
	for (unsigned i = 0; i < parameter->count; i++)
		if (strcmp(tune_value_text(arena, &parameter->values[i]), tune_value_text(arena, value)) == 0)
			return NULL;
	if (parameter->count == MOST_VALUES)
		return arena_printf(arena, "%s has more than %d values", parameter->name, MOST_VALUES);
	ARENA_PUSH(arena, parameter->values, parameter->count, *value);
	return NULL;
}

const char *tune_parameter_take(struct arena *arena, struct tune_space *space, const char *name,
                                const struct tune_value *values, unsigned count)
{
	struct tune_parameter parameter = {.name = name};
	if (!is_identifier(name))
		return arena_printf(arena, "'%s' is no identifier", name);
	for (unsigned p = 0; p < space->parameter_count; p++)
		if (strcmp(space->parameters[p].name, name) == 0)
			return arena_printf(arena, "%s is tuned already", name);
	if (space->parameter_count + 6 > MOST_SWEEP_AXES)
		return arena_printf(arena, "at most %d names are tuned", MOST_SWEEP_AXES - 6);
	for (unsigned i = 0; i < count; i++) {
		const char *problem = value_take(arena, &parameter, &values[i]);
		if (problem)
			return problem;
	}
	if (parameter.count == 0)
		return arena_printf(arena, "%s has no values", name);
	ARENA_PUSH(arena, space->parameters, space->parameter_count, parameter);
	return NULL;
}

const char *tune_parameter_add(struct arena *arena, struct tune_space *space, const char *text)
{
	const char *equals = strchr(text, '='), *next = equals + 1;
	struct tune_value *values = NULL, value;
	unsigned count = 0;
	for (;; next++) {
		size_t length = strcspn(next, ",");
		const char *word = arena_strndup(arena, next, length);
		bool shape = strncmp(text, "block=", strlen("block=")) == 0 && strchr(word, 'x');
		if (shape ? !shape_read(arena, word, &value) : !value_read(arena, word, &value))
			return arena_printf(arena, "'%s' is neither an integer nor an identifier", word);
		ARENA_PUSH(arena, values, count, value);
		next += length;
		if (!*next)
			break;
	}
	return tune_parameter_take(arena, space, arena_strndup(arena, text, (size_t)(equals - text)), values, count);
}

const char *tune_condition_add(struct arena *arena, struct tune_space *space, const char *text, enum tune_syntax syntax,
                               struct tune_fault *fault)
{
	const struct tune_expression *expression = tune_expression_parse(arena, text, syntax, fault);
	if (!expression)
		return fault->text;
	ARENA_PUSH(arena, space->conditions, space->condition_count, (struct tune_condition){text, expression});
	return NULL;
}

/* The end of a part that a comma outside of brackets ends. */
static size_t part_length(const char *text)
{
	int depth = 0;
	size_t at = 0;
	for (; text[at] && (text[at] != ',' || depth > 0); at++)
		depth += (strchr("([", text[at]) != NULL) - (strchr(")]", text[at]) != NULL);
	return at;
}

const char *tune_dimensions_parse(struct arena *arena, const char *text, enum tune_syntax syntax,
                                  const struct tune_expression *dimensions[3], struct tune_fault *fault)
{
	const char *next = text;
	for (unsigned axis = 0; axis < 3; axis++) {
		size_t length = part_length(next);
		dimensions[axis] = tune_expression_parse(arena, arena_strndup(arena, next, length), syntax, fault);
		if (!dimensions[axis]) {
			fault->at += (unsigned)(next - text);
			return fault->text;
		}
		next += length;
		if (!*next)
			return NULL;
		next++;
	}
	*fault = (struct tune_fault){"there are three axes at most", (unsigned)(next - text - 1)};
	return fault->text;
}

/* ---- names ----------------------------------------------------------------------------- */

/* All names that an expression may have: parameters, and words that are values. */
static const char **known_names(struct arena *arena, const struct tune_space *space, unsigned *count)
{
	const char **names = NULL;
	*count = 0;
	for (unsigned p = 0; p < space->parameter_count; p++) {
		const struct tune_parameter *parameter = &space->parameters[p];
		ARENA_PUSH(arena, names, *count, parameter->name);
		for (unsigned v = 0; v < parameter->count; v++)
			if (parameter->values[v].word)
				ARENA_PUSH(arena, names, *count, parameter->values[v].word);
	}
	return names;
}

const char *tune_space_check(struct arena *arena, const struct tune_space *space)
{
	unsigned count, at;
	const char **names = known_names(arena, space, &count), *unknown = NULL, *where = "";
	for (unsigned c = 0; c < space->condition_count && !unknown; c++) {
		unknown = tune_expression_unknown(space->conditions[c].expression, names, count, &at);
		where = space->conditions[c].text;
	}
	for (unsigned axis = 0; axis < 3 && !unknown; axis++) {
		if (space->block[axis])
			unknown = tune_expression_unknown(space->block[axis], names, count, &at);
		where = "the block";
		if (space->grid[axis] && !unknown) {
			unknown = tune_expression_unknown(space->grid[axis], names, count, &at);
			where = "the grid";
		}
	}
	return unknown ? arena_printf(arena, "%s: '%s' is no name that is tuned%s", where, unknown,
	                              text_suggestion(arena, unknown, names, count))
	               : NULL;
}

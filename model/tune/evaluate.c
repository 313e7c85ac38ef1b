/*
 * Values of expressions. Numbers are doubles that hold integers exactly, up to MOST_INTEGER; what leaves that range has
 * no value.
 */
#include "model/tune/tune.h"

#include <math.h>
#include <string.h>

#define MOST_INTEGER 9007199254740992.0 /* beyond it not every integer is a double */
#define MOST_ITEMS 4096
#define MOST_STEPS 1000000 /* nodes looked at in one valuation */

struct valuation {
	struct arena *arena;
	const struct tune_name *names;
	unsigned count;
	unsigned *steps; /* left */
	struct tune_fault fault;
};
typedef const struct tune_expression *node;

static bool value_of(struct valuation *valuation, node expression, struct tune_value *value);

static bool fail(struct valuation *valuation, node at, const char *text)
{
	if (!valuation->fault.text)
		valuation->fault = (struct tune_fault){text, at->at};
	return false;
}

bool tune_is_integer(const struct tune_value *value)
{
	return !value->word && !value->items && floor(value->number) == value->number &&
	       fabs(value->number) <= MOST_INTEGER;
}

static bool number_of(struct valuation *valuation, node expression, double *number)
{
	struct tune_value value;
	if (!value_of(valuation, expression, &value))
		return false;
	*number = value.number;
	return !value.word && !value.items ? true : fail(valuation, expression, "a number is needed here");
}

static bool truth_of(struct valuation *valuation, node expression, bool *truth)
{
	double number;
	if (!number_of(valuation, expression, &number))
		return false;
	*truth = number != 0;
	return true;
}

static bool values_equal(const struct tune_value *a, const struct tune_value *b)
{
	if (a->word || b->word)
		return a->word && b->word && strcmp(a->word, b->word) == 0;
	return !a->items && !b->items && a->number == b->number;
}

/* ---- names ----------------------------------------------------------------------------- */

static bool name_value(struct valuation *valuation, node name, struct tune_value *value)
{
	for (unsigned i = 0; i < valuation->count; i++)
		if (strcmp(valuation->names[i].name, name->text) == 0) {
			*value = valuation->names[i].value;
			return true;
		}
	*value = (struct tune_value){.word = name->text};
	return true;
}

/* ---- arithmetic ------------------------------------------------------------------------ */

static bool power(double base, double exponent, double *result)
{
	*result = 1;
	for (double i = 0; i < exponent && fabs(*result) <= MOST_INTEGER; i++)
		*result *= base;
	return exponent >= 0 && floor(exponent) == exponent && exponent <= 64;
}

static bool quotient(struct valuation *valuation, node expression, double a, double b, double *result)
{
	bool python = expression->syntax == TUNE_PYTHON;
	if (b == 0)
		return fail(valuation, expression, "it divides by zero");
	if (expression->operator== TUNE_REMAINDER)
		*result = python ? a - b * floor(a / b) : fmod(a, b);
	else if (expression->operator== TUNE_FLOOR)
		*result = floor(a / b);
	else
		*result = python ? a / b : trunc(a / b);
	return true;
}

static bool arithmetic(struct valuation *valuation, node expression, double a, double b, double *result)
{
	switch (expression->operator) {
	case TUNE_ADD:
		*result = a + b;
		return true;
	case TUNE_SUBTRACT:
		*result = a - b;
		return true;
	case TUNE_MULTIPLY:
		*result = a * b;
		return true;
	case TUNE_POWER:
		return power(a, b, result) || fail(valuation, expression, "the exponent is no integer from 0 to 64");
	default:
		return quotient(valuation, expression, a, b, result);
	}
}

static bool comparison(enum tune_operator operator, double a, double b)
{
	switch (operator) {
	case TUNE_LESS:
		return a < b;
	case TUNE_LESS_EQUAL:
		return a <= b;
	case TUNE_GREATER:
		return a > b;
	default:
		return a >= b;
	}
}

static bool number_value(struct valuation *valuation, node expression, double *result)
{
	double a, b;
	if (!number_of(valuation, expression->operands[0], &a) || !number_of(valuation, expression->operands[1], &b))
		return false;
	if (expression->operator>= TUNE_LESS && expression->operator<= TUNE_GREATER_EQUAL)
		*result = comparison(expression->operator, a, b);
	else if (!arithmetic(valuation, expression, a, b, result))
		return false;
	return fabs(*result) <= MOST_INTEGER ? true : fail(valuation, expression, "the number becomes too large");
}

/* ---- equality and membership ----------------------------------------------------------- */

static bool equality_value(struct valuation *valuation, node expression, double *result)
{
	struct tune_value a, b;
	if (!value_of(valuation, expression->operands[0], &a) || !value_of(valuation, expression->operands[1], &b))
		return false;
	if (expression->operator!= TUNE_IN) {
		*result = values_equal(&a, &b) == (expression->operator== TUNE_EQUAL);
		return true;
	}
	if (!b.items)
		return fail(valuation, expression->operands[1], "a list is needed here");
	*result = 0;
	for (unsigned i = 0; i < b.count; i++)
		*result = *result != 0 || values_equal(&a, &b.items[i]);
	return true;
}

static bool junction_value(struct valuation *valuation, node expression, double *result)
{
	bool truth, decides = expression->operator== TUNE_OR;
	if (!truth_of(valuation, expression->operands[0], &truth))
		return false;
	if (truth != decides && !truth_of(valuation, expression->operands[1], &truth))
		return false;
	*result = truth;
	return true;
}

/* ---- lists ----------------------------------------------------------------------------- */

static bool item_add(struct valuation *valuation, node at, struct tune_value *list, struct tune_value item)
{
	if (list->count == MOST_ITEMS)
		return fail(valuation, at, "the list has too many items");
	ARENA_PUSH(valuation->arena, list->items, list->count, item);
	return true;
}

/* A list without items is one all the same. */
static struct tune_value list_empty(struct valuation *valuation)
{
	return (struct tune_value){.items = arena_array(valuation->arena, 4, sizeof(struct tune_value))};
}

static bool list_value(struct valuation *valuation, node expression, struct tune_value *value)
{
	*value = list_empty(valuation);
	for (unsigned i = 0; i < expression->count; i++) {
		struct tune_value item;
		if (!value_of(valuation, expression->operands[i], &item) ||
		    !item_add(valuation, expression, value, item))
			return false;
	}
	return true;
}

static bool range_value(struct valuation *valuation, node call, const struct tune_value *given,
                        struct tune_value *value)
{
	double first = given->count > 1 ? given->items[0].number : 0;
	double end = given->items[given->count > 1 ? 1 : 0].number,
	       step = given->count > 2 ? given->items[2].number : 1;
	*value = list_empty(valuation);
	if (step == 0)
		return fail(valuation, call, "the step is zero");
	for (double at = first; step > 0 ? at < end : at > end; at += step)
		if (!item_add(valuation, call, value, (struct tune_value){.number = at}))
			return false;
	return true;
}

static bool comprehension_value(struct valuation *valuation, node expression, struct tune_value *value)
{
	struct tune_value from, item;
	struct tune_name *names = arena_array(valuation->arena, valuation->count + 1, sizeof *names);
	struct valuation inner = {valuation->arena, names, valuation->count + 1, valuation->steps, {0}};
	bool good = value_of(valuation, expression->operands[1], &from);
	*value = list_empty(valuation);
	if (good && !from.items)
		return fail(valuation, expression->operands[1], "a list is needed here");
	memcpy(names + 1, valuation->names, valuation->count * sizeof *names);
	for (unsigned i = 0; good && i < from.count; i++) {
		bool taken = true;
		names[0] = (struct tune_name){expression->text, from.items[i]};
		good = (expression->count < 3 || truth_of(&inner, expression->operands[2], &taken)) &&
		       (!taken || (value_of(&inner, expression->operands[0], &item) &&
		                   item_add(&inner, expression, value, item)));
	}
	if (!valuation->fault.text)
		valuation->fault = inner.fault;
	return good;
}

/* ---- functions ------------------------------------------------------------------------- */

static bool numbers_only(const struct tune_value *list)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].word || list->items[i].items)
			return false;
	return true;
}

static bool call_value(struct valuation *valuation, node call, struct tune_value *value)
{
	struct tune_value given;
	bool is_list = strcmp(call->text, "list") == 0, is_range = strcmp(call->text, "range") == 0;
	if (!list_value(valuation, call, &given))
		return false;
	if (is_list && given.count == 1 && given.items[0].items) {
		*value = given.items[0];
		return true;
	}
	if (is_list || given.count == 0 || !numbers_only(&given) || (is_range && given.count > 3))
		return fail(valuation, call, "its arguments are wrong");
	if (is_range)
		return range_value(valuation, call, &given, value);
	*value = given.items[0];
	if (strcmp(call->text, "ceil_div") == 0) {
		if (given.count != 2 || given.items[1].number == 0)
			return fail(valuation, call, "ceil_div takes two numbers, the second of which is not 0");
		value->number = ceil(given.items[0].number / given.items[1].number);
		return true;
	}
	for (unsigned i = 1; i < given.count; i++)
		value->number = *call->text == 'm' && call->text[1] == 'i' ? fmin(value->number, given.items[i].number)
		                                                           : fmax(value->number, given.items[i].number);
	return true;
}

/* ---- all ------------------------------------------------------------------------------- */

static bool single_value(struct valuation *valuation, node expression, double *result)
{
	double operand;
	if (!number_of(valuation, expression->operands[0], &operand))
		return false;
	*result = expression->operator== TUNE_NOT ? operand == 0 : - operand;
	return true;
}

static bool value_of(struct valuation *valuation, node expression, struct tune_value *value)
{
	*value = (struct tune_value){.number = expression->number};
	if ((*valuation->steps)-- == 0) {
		*valuation->steps = 0;
		return fail(valuation, expression, "it takes too many steps");
	}
	switch (expression->operator) {
	case TUNE_NUMBER:
		return true;
	case TUNE_WORD:
		value->word = expression->text;
		return true;
	case TUNE_NAME:
		return name_value(valuation, expression, value);
	case TUNE_LIST:
		return list_value(valuation, expression, value);
	case TUNE_CALL:
		return call_value(valuation, expression, value);
	case TUNE_COMPREHENSION:
		return comprehension_value(valuation, expression, value);
	case TUNE_NOT:
	case TUNE_NEGATE:
		return single_value(valuation, expression, &value->number);
	case TUNE_OR:
	case TUNE_AND:
		return junction_value(valuation, expression, &value->number);
	case TUNE_EQUAL:
	case TUNE_UNEQUAL:
	case TUNE_IN:
		return equality_value(valuation, expression, &value->number);
	default:
		return number_value(valuation, expression, &value->number);
	}
}

bool tune_expression_value(struct arena *arena, const struct tune_expression *expression, const struct tune_name *names,
                           unsigned count, struct tune_value *value, struct tune_fault *fault)
{
	unsigned steps = MOST_STEPS;
	struct valuation valuation = {.arena = arena, .names = names, .count = count, .steps = &steps};
	bool good = value_of(&valuation, expression, value);
	*fault = valuation.fault;
	return good;
}

bool tune_expression_holds(struct arena *arena, const struct tune_expression *expression, const struct tune_name *names,
                           unsigned count, bool *holds, struct tune_fault *fault)
{
	unsigned steps = MOST_STEPS;
	struct valuation valuation = {.arena = arena, .names = names, .count = count, .steps = &steps};
	bool good = truth_of(&valuation, expression, holds);
	*fault = valuation.fault;
	return good;
}

static bool is_named(const char *name, const char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

const char *tune_expression_unknown(const struct tune_expression *expression, const char *const *names, unsigned count,
                                    unsigned *at)
{
	if (expression->operator== TUNE_NAME && !is_named(expression->text, names, count)) {
		*at = expression->at;
		return expression->text;
	}
	for (unsigned i = 0; i < expression->count; i++) {
		const char *unknown = tune_expression_unknown(expression->operands[i], names, count, at);
		bool own =
			unknown && expression->operator== TUNE_COMPREHENSION && strcmp(unknown, expression->text) == 0;
		if (unknown && !own)
			return unknown;
	}
	return NULL;
}

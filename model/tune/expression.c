/*
 * Integer expressions, read by recursive descent. Precedence is that of Python, which is that of C for the operators
 * that both have, but for `!`: in C it binds a single operand, `not` binds a comparison.
 */
#include "model/tune/tune.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NESTED 100
#define MOST_INTEGER 9007199254740992.0 /* beyond it not every integer is a double */

struct parser {
	struct arena *arena;
	enum tune_syntax syntax;
	const char *text, *next;
	unsigned depth;
	struct tune_fault fault;
};
typedef const struct tune_expression *node;

static node or_parse(struct parser *parser);
static node unary_parse(struct parser *parser);

static node fail(struct parser *parser, const char *at, const char *text)
{
	if (!parser->fault.text)
		parser->fault = (struct tune_fault){text, (unsigned)(at - parser->text)};
	return NULL;
}

static void spaces_skip(struct parser *parser)
{
	while (isspace((unsigned char)*parser->next))
		parser->next++;
}

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes a word or sign. One of signs is not taken where a longer one stands there. */
static bool take(struct parser *parser, const char *sign)
{
	size_t length = strlen(sign);
	spaces_skip(parser);
	if (strncmp(parser->next, sign, length) != 0)
		return false;
	char after = parser->next[length];
	bool longer = is_letter(*sign) ? is_letter(after)
	                               : length == 1 && ((after == '=' && strchr("<>!=", *sign)) ||
	                                                 (after == *sign && strchr("*/<>&|", *sign)));
	if (longer)
		return false;
	parser->next += length;
	return true;
}

static struct tune_expression *node_make(struct parser *parser, enum tune_operator operator, const char * at)
{
	struct tune_expression *made = arena_alloc(parser->arena, sizeof *made);
	*made = (struct tune_expression){
		.operator= operator, .syntax = parser->syntax, .at = (unsigned)(at - parser->text)};
	return made;
}

static void operand_add(struct parser *parser, struct tune_expression *to, node operand)
{
	ARENA_PUSH(parser->arena, to->operands, to->count, operand);
}

static node pair(struct parser *parser, enum tune_operator operator, const char * at, node left, node right)
{
	if (!left || !right)
		return NULL;
	struct tune_expression *made = node_make(parser, operator, at);
	operand_add(parser, made, left);
	operand_add(parser, made, right);
	return made;
}

/* ---- operands -------------------------------------------------------------------------- */

static node number_parse(struct parser *parser)
{
	char *end;
	struct tune_expression *made = node_make(parser, TUNE_NUMBER, parser->next);
	const char *begin = parser->next;
	made->number = (double)strtoull(begin, &end, 0);
	if (*end == '.' && end[1] == '0' && !isdigit((unsigned char)end[2]))
		end += 2;
	parser->next = end;
	if (is_letter(*end) || *end == '.')
		return fail(parser, begin, "it is no integer");
	if (made->number > MOST_INTEGER)
		return fail(parser, begin, "the integer is too large");
	return made;
}

static node quoted_parse(struct parser *parser)
{
	const char quote = *parser->next, *end = strchr(parser->next + 1, quote);
	struct tune_expression *made = node_make(parser, TUNE_WORD, parser->next);
	if (!end)
		return fail(parser, parser->next, "the text does not end");
	made->text = arena_strndup(parser->arena, parser->next + 1, (size_t)(end - parser->next - 1));
	parser->next = end + 1;
	return made;
}

/* Items with commas between them, up to the bracket that closes; one behind the last item may stand. */
static bool items_parse(struct parser *parser, struct tune_expression *to, const char *close)
{
	while (!take(parser, close)) {
		node item = or_parse(parser);
		if (!item)
			return false;
		operand_add(parser, to, item);
		if (take(parser, ",") || (spaces_skip(parser), *parser->next == *close))
			continue;
		fail(parser, parser->next, *close == ')' ? "',' or ')' is missing here" : "',' or ']' is missing here");
		return false;
	}
	return true;
}

static const char *word_take(struct parser *parser)
{
	spaces_skip(parser);
	size_t length = 0;
	while (is_letter(parser->next[length]))
		length++;
	const char *word = arena_strndup(parser->arena, parser->next, length);
	parser->next += length;
	return word;
}

/* "for NAME in LIST if CONDITION]" behind an item. */
static node comprehension_parse(struct parser *parser, const char *at, node item)
{
	struct tune_expression *made = node_make(parser, TUNE_COMPREHENSION, at);
	made->text = word_take(parser);
	if (!*made->text || isdigit((unsigned char)*made->text) || !take(parser, "in"))
		return fail(parser, parser->next, "it is not for NAME in LIST");
	operand_add(parser, made, item);
	for (unsigned part = 0; part < 2; part++) {
		node operand = or_parse(parser);
		if (!operand)
			return NULL;
		operand_add(parser, made, operand);
		if (part == 1 || !take(parser, "if"))
			break;
	}
	return take(parser, "]") ? made : fail(parser, parser->next, "']' is missing here");
}

static node list_parse(struct parser *parser, const char *at)
{
	struct tune_expression *made = node_make(parser, TUNE_LIST, at);
	if (take(parser, "]"))
		return made;
	node first = or_parse(parser);
	if (!first)
		return NULL;
	if (take(parser, "for"))
		return comprehension_parse(parser, at, first);
	operand_add(parser, made, first);
	if (!take(parser, ",") && (spaces_skip(parser), *parser->next != ']'))
		return fail(parser, parser->next, "',' or ']' is missing here");
	return items_parse(parser, made, "]") ? made : NULL;
}

/* "(a)" is a, "(a, b)" and "(a,)" are lists. */
static node parentheses_parse(struct parser *parser, const char *at)
{
	struct tune_expression *made = node_make(parser, TUNE_LIST, at);
	node first = or_parse(parser);
	if (!first)
		return NULL;
	operand_add(parser, made, first);
	if (take(parser, ")"))
		return first;
	if (!take(parser, ","))
		return fail(parser, parser->next, "')' is missing here");
	return items_parse(parser, made, ")") ? made : NULL;
}

static node name_parse(struct parser *parser)
{
	static const char *const functions[] = {"min", "max", "ceil_div", "range", "list"};
	const char *at = parser->next, *word = word_take(parser);
	struct tune_expression *made = node_make(parser, TUNE_NAME, at);
	made->text = word;
	if (strcmp(word, "True") == 0 || strcmp(word, "true") == 0 || strcmp(word, "False") == 0 ||
	    strcmp(word, "false") == 0) {
		made->operator= TUNE_NUMBER;
		made->number = *word == 'T' || *word == 't';
		return made;
	}
	if (!take(parser, "("))
		return made;
	made->operator= TUNE_CALL;
	for (size_t f = 0; f < ARRAY_COUNT(functions); f++)
		if (strcmp(word, functions[f]) == 0)
			return items_parse(parser, made, ")") ? made : NULL;
	return fail(parser, at, "there is no such function: min, max, ceil_div and range are known");
}

static node atom_parse(struct parser *parser)
{
	spaces_skip(parser);
	const char *at = parser->next;
	if (isdigit((unsigned char)*at))
		return number_parse(parser);
	if (*at == '\'' || *at == '"')
		return quoted_parse(parser);
	if (take(parser, "("))
		return parentheses_parse(parser, at);
	if (take(parser, "["))
		return list_parse(parser, at);
	if (is_letter(*at))
		return name_parse(parser);
	return fail(parser, at, *at ? "a value is missing here" : "a value is missing at the end");
}

/* ---- operators ------------------------------------------------------------------------- */

static node power_parse(struct parser *parser)
{
	node base = atom_parse(parser);
	spaces_skip(parser);
	const char *at = parser->next;
	return base && take(parser, "**") ? pair(parser, TUNE_POWER, at, base, unary_parse(parser)) : base;
}

/* Takes part in all recursion: what nests too deeply is refused here. */
static node unary_parse(struct parser *parser)
{
	spaces_skip(parser);
	const char *at = parser->next;
	bool minus = take(parser, "-"), not = !minus && take(parser, "!"), plus = !minus && !not &&take(parser, "+");
	if (++parser->depth > MOST_NESTED)
		return fail(parser, at, "it is nested too deeply");
	node operand = minus || not || plus ? unary_parse(parser) : power_parse(parser);
	parser->depth--;
	if (!operand || plus || (!minus && !not ))
		return operand;
	struct tune_expression *made = node_make(parser, minus ? TUNE_NEGATE : TUNE_NOT, at);
	operand_add(parser, made, operand);
	return made;
}

/* An operator of a level, or none. */
static bool operator_take(struct parser *parser, const enum tune_operator *level, size_t count,
                          enum tune_operator *operator)
{
	static const char *const spellings[] = {
#define X(name, spelling) spelling,
		TUNE_OPERATORS(X)
#undef X
	};
	for (size_t i = 0; i < count; i++)
		if (take(parser, spellings[level[i]])) {
			*operator= level[i];
			return true;
		}
	return false;
}

static node level_parse(struct parser *parser, const enum tune_operator *level, size_t count,
                        node (*operand)(struct parser *))
{
	enum tune_operator operator;
	node left = operand(parser);
	for (;;) {
		spaces_skip(parser);
		const char *at = parser->next;
		if (!left || !operator_take(parser, level, count, &operator))
			return left;
		left = pair(parser, operator, at, left, operand(parser));
	}
}

static node product_parse(struct parser *parser)
{
	static const enum tune_operator level[] = {TUNE_MULTIPLY, TUNE_FLOOR, TUNE_DIVIDE, TUNE_REMAINDER};
	return level_parse(parser, level, ARRAY_COUNT(level), unary_parse);
}

static node sum_parse(struct parser *parser)
{
	static const enum tune_operator level[] = {TUNE_ADD, TUNE_SUBTRACT};
	return level_parse(parser, level, ARRAY_COUNT(level), product_parse);
}

/* A comparison's operator; *negated: it is `not in`. */
static bool comparison_take(struct parser *parser, enum tune_operator *operator, bool * negated)
{
	static const enum tune_operator level[] = {TUNE_EQUAL, TUNE_UNEQUAL, TUNE_LESS_EQUAL, TUNE_GREATER_EQUAL,
	                                           TUNE_LESS,  TUNE_GREATER, TUNE_IN};
	const char *before = parser->next;
	*negated = take(parser, "not");
	if (*negated && take(parser, "in")) {
		*operator= TUNE_IN;
		return true;
	}
	parser->next = before;
	*negated = false;
	return operator_take(parser, level, ARRAY_COUNT(level), operator);
}

/* a < b < c is a < b and b < c, where comparisons chain. */
static node comparison_parse(struct parser *parser)
{
	node left = sum_parse(parser), all = NULL;
	for (bool negated;; all = all ? all : left) {
		enum tune_operator operator;
		spaces_skip(parser);
		const char *at = parser->next;
		if (!left || !comparison_take(parser, &operator, & negated))
			return left && all ? all : left;
		if (all && parser->syntax == TUNE_C)
			return fail(parser, at, "comparisons do not chain in C: put && between them");
		node right = sum_parse(parser), one = pair(parser, operator, at, left, right);
		if (one && negated) {
			struct tune_expression *made = node_make(parser, TUNE_NOT, at);
			operand_add(parser, made, one);
			one = made;
		}
		if (!one)
			return NULL;
		all = all ? pair(parser, TUNE_AND, at, all, one) : one;
		left = right;
	}
}

static node not_parse(struct parser *parser)
{
	spaces_skip(parser);
	const char *at = parser->next;
	if (!take(parser, "not"))
		return comparison_parse(parser);
	if (++parser->depth > MOST_NESTED)
		return fail(parser, at, "it is nested too deeply");
	node operand = not_parse(parser);
	parser->depth--;
	struct tune_expression *made = node_make(parser, TUNE_NOT, at);
	operand_add(parser, made, operand);
	return operand ? made : NULL;
}

static node junction_parse(struct parser *parser, const char *sign, const char *word, enum tune_operator operator,
                           node (*operand)(struct parser *))
{
	node left = operand(parser);
	for (;;) {
		spaces_skip(parser);
		const char *at = parser->next;
		if (!left || (!take(parser, sign) && !take(parser, word)))
			return left;
		left = pair(parser, operator, at, left, operand(parser));
	}
}

static node and_parse(struct parser *parser)
{
	return junction_parse(parser, "&&", "and", TUNE_AND, not_parse);
}

static node or_parse(struct parser *parser)
{
	return junction_parse(parser, "||", "or", TUNE_OR, and_parse);
}

const struct tune_expression *tune_expression_parse(struct arena *arena, const char *text, enum tune_syntax syntax,
                                                    struct tune_fault *fault)
{
	struct parser parser = {.arena = arena, .syntax = syntax, .text = text, .next = text};
	node all = or_parse(&parser);
	spaces_skip(&parser);
	if (all && *parser.next)
		all = fail(&parser, parser.next, "an operator is missing here");
	*fault = parser.fault;
	return all;
}

/*
 * What a call may change that is not walked: arguments whose address it is given, or a reference to them, and what a
 * lambda among them sets. A container that a function of the file goes through, and gives to nobody else but itself,
 * has as many elements as before: functions that build trees call themselves so.
 */
#include "analyzer/host/library/library.h"

#include <ctype.h>
#include <string.h>

static const char *const harmless[] = {"operator[]", "at",       "front", "back",   "begin", "end",  "cbegin", "cend",
                                       "empty",      "capacity", "data",  "rbegin", "rend",  "size", NULL};

/* ---- lambdas: their text is all that is known of them -------------------------------------------- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && isspace((unsigned char)*at))
		at++;
	return at;
}

/* The next place behind which a name stands as a word; NULL. */
static const char *word_find(const char *at, const char *begin, const char *end, const char *name)
{
	size_t length = strlen(name);

	for (; length && (at = memmem(at, (size_t)(end - at), name, length)) != NULL; at++)
		if ((at == begin || !is_word(at[-1])) && (at + length == end || !is_word(at[length])))
			return at + length;
	return NULL;
}

/* Behind the members and elements that are named of what stands before. */
static const char *skip_parts(const char *at, const char *end)
{
	for (at = skip_blanks(at, end); at < end && (*at == '.' || *at == '['); at = skip_blanks(at, end)) {
		bool is_index = *at == '[';

		at++;
		while (at < end && (is_index ? *at != ']' : is_word(*at)))
			at++;
		at += is_index && at < end;
	}
	return at;
}

/* Whether what stands before is set: x = 1, x += 1, x++; or a method called that is none of the harmless ones. */
static bool is_set(const char *at, const char *end)
{
	const char *behind = skip_parts(at, end), *word = behind;
	char first = behind < end ? *behind : 0, second = behind + 1 < end ? behind[1] : 0;

	if (first == '=')
		return second != '=';
	if ((first == '+' || first == '-') && second == first)
		return true;
	if (first && strchr("+-*/%&|^", first) && second == '=')
		return true;
	if ((first == '<' || first == '>') && second == first && behind + 2 < end && behind[2] == '=')
		return true;
	while (word > at && is_word(word[-1]))
		word--;
	for (unsigned i = 0; first == '(' && harmless[i]; i++)
		if (strlen(harmless[i]) == (size_t)(behind - word) &&
		    memcmp(word, harmless[i], (size_t)(behind - word)) == 0)
			return false;
	return first == '(' && word > at;
}

/* Whether the text of a lambda sets a variable of that name, or takes its address. */
static bool sets_name(const char *begin, const char *end, const char *name)
{
	for (const char *at = begin; (at = word_find(at, begin, end, name)) != NULL;) {
		const char *before = at - strlen(name);
		bool is_stepped =
			before - begin > 2 && (before[-1] == '+' || before[-1] == '-') && before[-2] == before[-1];

		if (is_stepped || is_set(at, end))
			return true;
	}
	return false;
}

struct captured_search {
	struct host *host;
	const char *begin, *end;
};

static bool captured_visit(void *context, const struct node *node)
{
	const struct captured_search *search = context;
	struct source_declaration *variable = node->kind == NODE_REFERENCE ? node_variable(node) : NULL;

	if (variable && variable->type && search->host->environment[variable->slot] &&
	    sets_name(search->begin, search->end, variable->name))
		host_store(search->host, node, host_unknown(search->host, "set by a lambda"));
	return true;
}

/* Forgets what a lambda of the function that is walked may set. */
static void forget_captured(struct host *host, const struct node *lambda)
{
	const char *text = host->unit->text;
	struct captured_search search = {host, text + lambda->range.begin, text + lambda->range.end};

	if (host->stack_depth > 0 && !lambda->declaration)
		node_visit(host->stack[host->stack_depth - 1]->body, captured_visit, &search);
}

/* ---- containers that keep their size -------------------------------------------------------------- */

/* Of a function, how often it names one of its parameters, and how often for what leaves a container as large as it is.
 */
struct size_search {
	const struct host *host;
	const struct source_function *function;
	unsigned position, names, harmless;
};

static bool size_visit(void *context, const struct node *node)
{
	struct size_search *search = context;
	const struct source_declaration *parameter = search->function->parameters[search->position];
	const char *text = search->host->unit->text;
	bool is_method = node->kind == NODE_CALL && node->declaration && node->declaration->in_system_header;

	search->names += node->kind == NODE_REFERENCE && node->declaration == parameter;
	if (node->kind == NODE_LAMBDA)
		search->names += word_find(text + node->range.begin, text + node->range.begin, text + node->range.end,
		                           parameter->name) != NULL;
	if (is_method && node->children[0] && node_variable(node_strip_casts(node->children[0])) == parameter)
		search->harmless += host_is_one_of(node->declaration->name, harmless);
	if (node->kind == NODE_CALL && node->declaration && node->declaration->function == search->function &&
	    search->position + 1 < node->child_count)
		search->harmless += node_variable(node_strip_casts(node->children[search->position + 1])) == parameter;
	return true;
}

/* What a call leaves of an argument that it may change. */
static const struct host_constant *left_of(struct host *host, const struct node *node, unsigned position,
                                           const struct node *changed)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	struct size_search search = {.host = host, .function = function, .position = position};
	struct host_place place = host_place_of(host, changed);
	const struct host_constant *value =
		place.variable && place.is_exact ? host_read(host, place, changed->type) : NULL;

	if (value && value->kind == CONSTANT_CONTAINER && function && function->body &&
	    position < function->parameter_count) {
		node_visit(function->body, size_visit, &search);
		if (search.names == search.harmless)
			return host_container_exposed(host, value);
	}
	return host_unknown_name(host, "set by '", node->declaration ? node->declaration->name : "a function", "'");
}

/* ---- arguments ------------------------------------------------------------------------------------- */

/* What a call may change through an argument: its address is passed, or a reference to it. NULL where it is nothing of
 * the host's. */
static const struct node *changed_argument(const struct node *node, unsigned position)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	const struct node *argument = node_strip_casts(node->children[position + 1]);
	const struct source_declaration *parameter =
		function && position < function->parameter_count ? function->parameters[position] : NULL;

	if (argument && argument->kind == NODE_UNARY && argument->op == OPERATOR_ADDRESS)
		return function && position < 32 && (function->kept_parameters >> position & 1) != 0
		               ? NULL
		               : argument->children[0];
	if (parameter && parameter->type->shape == SHAPE_REFERENCE && !parameter->type->target->is_const)
		return argument;
	if (function && position < 32 && (function->changed_parameters >> position & 1) != 0)
		return argument;
	return NULL;
}

void host_forget_arguments(struct host *host, const struct node *node)
{
	for (unsigned i = 1; i < node->child_count; i++) {
		const struct node *changed = changed_argument(node, i - 1),
				  *argument = node_strip_casts(node->children[i]);

		while (argument && (argument->kind == NODE_CONSTRUCT || argument->kind == NODE_OPAQUE) &&
		       argument->child_count == 1)
			argument = node_strip_casts(argument->children[0]);
		if (argument && argument->kind == NODE_LAMBDA)
			forget_captured(host, argument);
		if (changed)
			host_store(host, changed, left_of(host, node, i - 1, changed));
	}
}

/*
 * The program's command line: main's argc and argv, and the functions that read numbers and options from strings.
 *
 * Where the command line is not given nothing is known of it: what a program does without arguments is then found by
 * the branches that ask for them (see host_join).
 */
#include "analyzer/host/library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define POINTER_BYTES 8
static const struct source_type pointer_type = {.shape = SHAPE_POINTER, .type = {.size_bytes = POINTER_BYTES}};
static const struct source_type integer_type = {
	.shape = SHAPE_INTEGER, .bits = 32, .is_signed = true, .type = {.size_bytes = 4, .spelling = "int"}};

/* ---- main ------------------------------------------------------------------------------------- */

void host_bind_arguments(struct host *host, const struct source_function *function)
{
	static const struct source_type array = {
		.shape = SHAPE_ARRAY, .target = &pointer_type, .type = {.spelling = "char *"}};
	const struct host_constant *words = host_unknown(host, "a word that is not given");
	struct source_declaration *variable;
	unsigned count = host->options->argument_count;

	if (!host->options->arguments || function->is_method || strcmp(function->short_name, "main") != 0 ||
	    function->parameter_count < 2)
		return;
	words = host_record_set(host, words, 0, &pointer_type, host_string(host, host->unit->path));
	for (unsigned i = 0; i < count; i++)
		words = host_record_set(host, words, (i + UINT64_C(1)) * POINTER_BYTES, &pointer_type,
		                        host_string(host, host->options->arguments[i]));
	words = host_record_set(host, words, (count + UINT64_C(1)) * POINTER_BYTES, &pointer_type,
	                        host_integer(host, 0));
	if (!host->words)
		host->words = host_own_variable(host, "argv", &array);
	variable = host->words;
	host_set(host, variable, words);
	host_set(host, function->parameters[0], host_integer(host, (int64_t)count + 1));
	host_set(host, function->parameters[1],
	         host_address(host, CONSTANT_ADDRESS, (struct host_place){variable, 0, true}));
}

/* ---- numbers ------------------------------------------------------------------------------------ */

enum argument_reader { READ_INTEGER, READ_UNSIGNED, READ_REAL };

/* Functions that read a number from a text, with the position of its base, -1 for none. */
static const struct number_function {
	const char *name;
	enum argument_reader reader;
	int base;
} number_functions[] = {
	{"atoi", READ_INTEGER, -1},    {"atol", READ_INTEGER, -1},     {"atoll", READ_INTEGER, -1},
	{"atof", READ_REAL, -1},       {"strtol", READ_INTEGER, 2},    {"strtoll", READ_INTEGER, 2},
	{"strtoul", READ_UNSIGNED, 2}, {"strtoull", READ_UNSIGNED, 2}, {"strtod", READ_REAL, -1},
	{"strtof", READ_REAL, -1},     {"stoi", READ_INTEGER, 2},      {"stol", READ_INTEGER, 2},
	{"stoll", READ_INTEGER, 2},    {"stoul", READ_UNSIGNED, 2},    {"stoull", READ_UNSIGNED, 2},
	{"stod", READ_REAL, -1},       {"stof", READ_REAL, -1},
};

static const struct host_constant *number_of(struct host *host, const char *text, enum argument_reader reader, int base)
{
	if (reader == READ_REAL)
		return host_real(host, strtod(text, NULL));
	return host_integer(host,
	                    reader == READ_UNSIGNED ? (int64_t)strtoull(text, NULL, base) : strtoll(text, NULL, base));
}

static const struct host_constant *read_number(struct host *host, const struct node *node,
                                               const struct host_constant *const *arguments)
{
	unsigned count = node->child_count - 1;

	for (unsigned i = 0; i < ARRAY_COUNT(number_functions); i++) {
		const struct host_constant *base =
			number_functions[i].base >= 0 && (unsigned)number_functions[i].base < count
				? arguments[number_functions[i].base]
				: NULL;

		if (strcmp(node->declaration->name, number_functions[i].name) != 0 || count == 0 ||
		    arguments[0]->kind != CONSTANT_STRING)
			continue;
		if (base && base->kind == CONSTANT_INTEGER && (base->value < 0 || base->value > 36 || base->value == 1))
			return NULL;
		return host_convert(host,
		                    number_of(host, arguments[0]->text, number_functions[i].reader,
		                              base && base->kind == CONSTANT_INTEGER ? (int)base->value : 10),
		                    node->type);
	}
	return NULL;
}

/* sscanf with a format of one number: what most programs read with it. */
static const struct host_constant *read_format(struct host *host, const struct node *node,
                                               const struct host_constant *const *arguments)
{
	const struct node *target = node_strip_casts(node_argument(node, 2));
	const char *format, *kind;

	if (strcmp(node->declaration->name, "sscanf") != 0 || node->child_count != 4 ||
	    arguments[0]->kind != CONSTANT_STRING || arguments[1]->kind != CONSTANT_STRING || !target ||
	    target->kind != NODE_UNARY || target->op != OPERATOR_ADDRESS)
		return NULL;
	format = arguments[1]->text;
	kind = format + strlen(format) - (*format ? 1 : 0);
	if (*format != '%' || strchr(format + 1, '%') || !strchr("dufgi", *kind))
		return NULL;
	host_store(host, target->children[0],
	           number_of(host, arguments[0]->text, strchr("fg", *kind) ? READ_REAL : READ_INTEGER,
	                     *kind == 'i' ? 0 : 10));
	return host_integer(host, 1);
}

/* ---- comparing strings ---------------------------------------------------------------------------- */

static bool are_strings(const struct host_constant *const *values)
{
	return values[0]->kind == CONSTANT_STRING && values[1]->kind == CONSTANT_STRING;
}

static const struct host_constant *found_string(struct host *host, const char *text)
{
	return text ? host_string(host, text) : host_integer(host, 0);
}

static const struct host_constant *find_character(struct host *host, const char *name, const char *text, int character)
{
	if (strcmp(name, "strchr") == 0)
		return found_string(host, strchr(text, character));
	return strcmp(name, "strrchr") == 0 ? found_string(host, strrchr(text, character)) : NULL;
}

static const struct host_constant *compare_strings(struct host *host, const struct node *node,
                                                   const struct host_constant *const *arguments)
{
	const char *name = node->declaration->name;
	unsigned count = node->child_count - 1;

	if (count >= 1 && strcmp(name, "strlen") == 0 && arguments[0]->kind == CONSTANT_STRING)
		return host_integer(host, (int64_t)strlen(arguments[0]->text));
	if (count == 2 && arguments[0]->kind == CONSTANT_STRING && arguments[1]->kind == CONSTANT_INTEGER)
		return find_character(host, name, arguments[0]->text, (int)arguments[1]->value);
	if (count < 2 || !are_strings(arguments))
		return NULL;
	if (strcmp(name, "strstr") == 0)
		return found_string(host, strstr(arguments[0]->text, arguments[1]->text));
	if (strcmp(name, "strncasecmp") == 0 && count == 3 && arguments[2]->kind == CONSTANT_INTEGER &&
	    arguments[2]->value >= 0)
		return host_integer(host,
		                    strncasecmp(arguments[0]->text, arguments[1]->text, (size_t)arguments[2]->value));
	if (strcmp(name, "strcmp") == 0)
		return host_integer(host, strcmp(arguments[0]->text, arguments[1]->text));
	if (strcmp(name, "strcasecmp") == 0)
		return host_integer(host, strcasecmp(arguments[0]->text, arguments[1]->text));
	if (strcmp(name, "strncmp") == 0 && count == 3 && arguments[2]->kind == CONSTANT_INTEGER &&
	    arguments[2]->value >= 0)
		return host_integer(host, strncmp(arguments[0]->text, arguments[1]->text, (size_t)arguments[2]->value));
	if (strcmp(name, "operator==") == 0 || strcmp(name, "operator!=") == 0)
		return host_integer(host, (strcmp(arguments[0]->text, arguments[1]->text) == 0) == (name[8] == '='));
	return NULL;
}

/* substr(begin, count) */
static const struct host_constant *text_cut(struct host *host, const char *text, int64_t begin,
                                            const struct host_constant *count)
{
	size_t length = strlen(text);

	if (begin < 0 || (uint64_t)begin > length || (count && count->kind != CONSTANT_INTEGER))
		return NULL;
	length -= (size_t)begin;
	if (count && (uint64_t)count->value < length)
		length = (size_t)count->value;
	return host_string(host, arena_strndup(host->arena, text + begin, length));
}

const struct host_constant *host_text_part(struct host *host, const char *name, const char *text,
                                           const struct host_constant *first, const struct host_constant *second)
{
	const char *found;

	if (!first)
		return NULL;
	if (strcmp(name, "substr") == 0 && first->kind == CONSTANT_INTEGER)
		return text_cut(host, text, first->value, second);
	if (strcmp(name, "find") != 0 || (second && (second->kind != CONSTANT_INTEGER || second->value != 0)) ||
	    (first->kind != CONSTANT_STRING && first->kind != CONSTANT_INTEGER))
		return NULL;
	found = first->kind == CONSTANT_STRING ? strstr(text, first->text) : strchr(text, (int)first->value);
	return host_integer(host, found ? found - text : -1);
}

/* ---- getopt ------------------------------------------------------------------------------------------ */

struct argument_name_search {
	const char *name;
	struct source_declaration *found;
};

static bool name_visit(void *context, const struct node *node)
{
	struct argument_name_search *search = context;

	if (node->kind == NODE_REFERENCE && node->declaration && node->declaration->in_system_header &&
	    node->declaration->kind == DECLARATION_VARIABLE && strcmp(node->declaration->name, search->name) == 0)
		search->found = node->declaration;
	return !search->found;
}

/* A global variable of the system's headers, where a function of the file names it; else NULL. */
static struct source_declaration *system_variable(const struct host *host, const char *name)
{
	struct argument_name_search search = {name, NULL};

	for (unsigned i = 0; i < host->unit->function_count && !search.found; i++)
		if (!host->unit->functions[i]->is_kernel)
			node_visit(host->unit->functions[i]->body, name_visit, &search);
	return search.found;
}

static void system_variable_set(struct host *host, const char *name, const struct host_constant *value)
{
	struct source_declaration *variable = system_variable(host, name);

	if (variable)
		host_set(host, variable, value);
}

/* The state of a scan over the words: word is the next one's number, letter the position within it of several options.
 */
struct options {
	struct host *host;
	struct host_place words; /* argv */
	int64_t count, word, letter;
	const char *argument;
};

static const char *word_at(const struct options *options, int64_t number)
{
	struct host_place place = options->words;
	const struct host_constant *word;

	place.offset += (uint64_t)number * POINTER_BYTES;
	word = number < options->count ? host_read(options->host, place, &pointer_type) : NULL;
	return word && word->kind == CONSTANT_STRING ? word->text : NULL;
}

/* A string or integer of an element of getopt_long's table. */
static const struct host_constant *table_part(struct host *host, struct host_place table, unsigned row, uint64_t offset,
                                              const struct source_type *type)
{
	const uint64_t row_bytes = 32;

	table.offset += row * row_bytes + offset;
	return host_read(host, table, type);
}

/* `--name`, `--name=value` or `--name value`; -1 behind the last word, '?' for one that is not in the table. */
static int64_t next_long(struct options *options, struct host_place table, const char *name)
{
	const uint64_t at_argument = 8, at_value = 24;
	const char *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);

	options->word++;
	for (unsigned row = 0;; row++) {
		const struct host_constant *text = table_part(options->host, table, row, 0, &pointer_type);
		const struct host_constant *wants, *value;

		if (text->kind != CONSTANT_STRING)
			return '?';
		if (strncmp(text->text, name, length) != 0 || text->text[length])
			continue;
		wants = table_part(options->host, table, row, at_argument, &integer_type);
		value = table_part(options->host, table, row, at_value, &integer_type);
		if (equals)
			options->argument = equals + 1;
		else if (wants->kind == CONSTANT_INTEGER && wants->value == 1)
			options->argument = word_at(options, options->word++);
		return value->kind == CONSTANT_INTEGER ? value->value : '?';
	}
}

static int64_t next_short(struct options *options, const char *known)
{
	const char *word = word_at(options, options->word), *found;
	char letter = word[options->letter];
	bool is_last = !word[options->letter + 1];

	found = letter == ':' ? NULL : strchr(known, letter);
	options->letter++;
	if (found && found[1] == ':') {
		options->argument = !is_last          ? word + options->letter
		                    : found[2] == ':' ? NULL
		                                      : word_at(options, ++options->word);
		is_last = true;
	}
	if (is_last) {
		options->word++;
		options->letter = 0;
	}
	return found ? letter : '?';
}

static int64_t next_option(struct options *options, const char *known, struct host_place table)
{
	const char *word = word_at(options, options->word);

	if (!word || word[0] != '-' || !word[1])
		return -1;
	if (strcmp(word, "--") == 0) {
		options->word++;
		return -1;
	}
	if (options->letter == 0 && word[1] == '-' && table.variable)
		return next_long(options, table, word + 2);
	if (options->letter == 0)
		options->letter = 1;
	return next_short(options, known);
}

static int64_t integer_or(const struct host_constant *constant, int64_t otherwise)
{
	return constant && constant->kind == CONSTANT_INTEGER ? constant->value : otherwise;
}

static const struct host_constant *read_options(struct host *host, const struct node *node,
                                                const struct host_constant *const *arguments)
{
	bool is_long = strcmp(node->declaration->name, "getopt_long") == 0;
	struct options options = {.host = host};
	struct host_place table = {NULL, 0, true};
	const struct host_constant *rows;
	int64_t found, state;

	if (strcmp(node->declaration->name, "getopt") != 0 && !is_long)
		return NULL;
	if (node->child_count < (is_long ? 5u : 4u) || arguments[0]->kind != CONSTANT_INTEGER ||
	    arguments[1]->kind != CONSTANT_ADDRESS || arguments[2]->kind != CONSTANT_STRING)
		return NULL;
	rows = is_long ? host_decay(host, node->children[4], arguments[3]) : NULL;
	if (rows && rows->kind == CONSTANT_ADDRESS)
		table = (struct host_place){rows->variable, (uint64_t)rows->value, true};
	if (!host->position)
		host->position = host_own_variable(host, "getopt", &integer_type);
	state = integer_or(host->environment[host->position->slot], 1 << 8);
	options.count = arguments[0]->value;
	options.words = (struct host_place){arguments[1]->variable, (uint64_t)arguments[1]->value, true};
	options.word = state >> 8;
	options.letter = state & 0xff;
	found = next_option(&options, arguments[2]->text, table);
	host_set(host, host->position, host_integer(host, options.word << 8 | (options.letter & 0xff)));
	system_variable_set(host, "optind", host_integer(host, options.word));
	system_variable_set(host, "optarg",
	                    options.argument ? host_string(host, options.argument) : host_integer(host, 0));
	return host_integer(host, found);
}

/* ---- the entry ----------------------------------------------------------------------------------------- */

const struct host_constant *host_parse(struct host *host, const struct node *node,
                                       const struct host_constant *const *arguments)
{
	static const struct host_constant *(*const parsers[])(struct host *, const struct node *,
	                                                      const struct host_constant *const *) = {
		read_number, read_format, compare_strings, read_options};
	const struct host_constant *result = NULL;

	for (unsigned i = 0; i < ARRAY_COUNT(parsers) && !result; i++)
		result = parsers[i](host, node, arguments);
	return result;
}

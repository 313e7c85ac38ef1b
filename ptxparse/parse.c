/*
 * The parse as a whole: scanner, grammar and builders put together, diagnostics, and the arrays that grow.
 *
 * Time is linear in the length of the text, and so is memory: nothing is allocated for what is declared and not used.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ptxparse/internal.h"
#include "ptxparse/parser.h"
#define YYSTYPE PTX_YYSTYPE /* what flex calls it */
#include "ptxparse/lexer.h"

/* ---- diagnostics ------------------------------------------------------------- */

/* The scanner overwrites one byte after the current token, which is never before it. */
static unsigned column_of(const struct parser *parser, const char *at)
{
	const char *start = at;
	if (!at)
		return 0;
	while (start > parser->text && start[-1] != '\n')
		start--;
	return (unsigned)(at - start) + 1;
}

static void report(struct parser *parser, enum severity severity, uint32_t line, const char *at, const char *format,
                   va_list arguments)
{
	struct place place = {parser->module->path, line, column_of(parser, at)};
	char message[256];
	vsnprintf(message, sizeof message, format, arguments);
	diagnostics_report(parser->diagnostics, severity, place, "%s", message);
}

void parser_error(struct parser *parser, uint32_t line, const char *at, const char *format, ...)
{
	va_list arguments;
	if (parser->failed)
		return;
	parser->failed = true;
	va_start(arguments, format);
	report(parser, SEVERITY_ERROR, line, at, format, arguments);
	va_end(arguments);
}

void parser_error_here(struct parser *parser, const char *format, ...)
{
	va_list arguments;
	if (parser->failed)
		return;
	parser->failed = true;
	va_start(arguments, format);
	report(parser, SEVERITY_ERROR, parser->line, parser->token_at, format, arguments);
	va_end(arguments);
}

void parser_warn(struct parser *parser, uint32_t line, const char *at, const char *format, ...)
{
	va_list arguments;
	if (parser->failed || parser->warned_line == line)
		return;
	parser->warned_line = line;
	if (parser->warnings++ >= MAXIMUM_WARNINGS)
		return;
	va_start(arguments, format);
	report(parser, SEVERITY_WARNING, line, at, format, arguments);
	va_end(arguments);
}

static void report_left_out(struct parser *parser)
{
	struct place place = {parser->module->path, 0, 0};
	if (parser->warnings > MAXIMUM_WARNINGS)
		diagnostics_report(parser->diagnostics, SEVERITY_WARNING, place, "%u more lines with warnings are not listed",
		                   parser->warnings - MAXIMUM_WARNINGS);
}

/* ---- arrays ------------------------------------------------------------------- */

void *pool_push(struct pool *pool)
{
	if (pool->count == pool->capacity) {
		pool->capacity = pool->capacity ? pool->capacity * 2 : 64;
		pool->data = realloc(pool->data, pool->capacity * pool->size);
		if (!pool->data)
			bug("out of memory");
	}
	return memset((char *)pool->data + pool->count++ * pool->size, 0, pool->size);
}

void *pool_copy(const struct pool *pool, struct arena *arena)
{
	void *copy;
	if (pool->count == 0)
		return NULL;
	copy = arena_array(arena, pool->count, pool->size);
	memcpy(copy, pool->data, pool->count * pool->size);
	return copy;
}

static struct pool *const *pools_of(struct parser *parser, struct pool *list[static 16])
{
	struct pool **next = list;
	*next++ = &parser->functions;
	*next++ = &parser->variables;
	*next++ = &parser->registers;
	*next++ = &parser->insns;
	*next++ = &parser->operands;
	*next++ = &parser->locations;
	*next++ = &parser->files;
	*next++ = &parser->dimensions;
	*next++ = &parser->initial;
	*next++ = &parser->strings;
	*next = NULL;
	return list;
}

static void pools_init(struct parser *parser)
{
	parser->functions.size = sizeof(struct ptx_function);
	parser->variables.size = sizeof(struct ptx_variable);
	parser->registers.size = sizeof(struct ptx_register);
	parser->insns.size = sizeof(struct ptx_insn);
	parser->operands.size = sizeof(struct ptx_operand);
	parser->dimensions.size = sizeof(uint64_t);
	parser->initial.size = 1;
	parser->strings.size = 1;
}

/* ---- the parse ------------------------------------------------------------------ */

static struct ptx_module *module_create(struct arena *arena, const char *path)
{
	struct ptx_module *module = arena_alloc(arena, sizeof *module);
	module->arena = arena;
	module->path = arena_strdup(arena, path ? path : "<ptx>");
	return module;
}

static void parser_init(struct parser *parser, struct arena *arena, const char *path, const char *text, size_t length,
                        struct diagnostics *diagnostics)
{
	parser->arena = arena;
	parser->scratch = arena_create();
	parser->diagnostics = diagnostics;
	parser->module = module_create(arena, path);
	parser->line = 1;
	parser->length = length;
	parser->text = calloc(1, length + 2);
	if (!parser->text)
		bug("out of memory");
	memcpy(parser->text, text, length);
	pools_init(parser);
	names_init(parser);
	places_init(parser);
}

static void parser_release(struct parser *parser)
{
	struct pool *list[16];
	struct pool *const *next = pools_of(parser, list);
	for (; *next; next++)
		free((*next)->data);
	places_release(parser);
	names_release(parser);
	free(parser->text);
	arena_release(parser->scratch);
}

static void parser_run(struct parser *parser)
{
	yyscan_t scanner;
	if (ptx_yylex_init_extra(parser, &scanner) != 0)
		bug("the scanner cannot be made");
	ptx_yy_scan_buffer(parser->text, parser->length + 2, scanner);
	if (ptx_yyparse(scanner, parser) != 0 && !parser->failed)
		parser_error_here(parser, "nested too deeply");
	if (!parser->failed)
		module_finish(parser);
	ptx_yylex_destroy(scanner);
}

struct ptx_module *ptx_parse(struct arena *arena, const char *path, const char *text, size_t length,
                             struct diagnostics *diagnostics)
{
	struct parser parser;
	struct ptx_module *module;
	memset(&parser, 0, sizeof parser);
	if (length > INT_MAX - 2) {
		struct place place = {path, 0, 0};
		diagnostics_report(diagnostics, SEVERITY_ERROR, place, "the file is larger than 2 GiB");
		return NULL;
	}
	parser_init(&parser, arena, path, text, length, diagnostics);
	parser_run(&parser);
	report_left_out(&parser);
	module = parser.failed ? NULL : parser.module;
	parser_release(&parser);
	return module;
}

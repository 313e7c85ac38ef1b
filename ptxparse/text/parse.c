/*
 * The parse as a whole: scanner, grammar and builders put together.
 *
 * Time is linear in the length of the text, and so is memory: nothing is allocated for what is declared and not used.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ptxparse/text/builders.h"
#include "ptxparse/text/parser.h"
#define YYSTYPE PTX_YYSTYPE /* what flex calls it */
#include "ptxparse/text/lexer.h"

static void report_left_out(struct ptx_parser *parser)
{
	struct place place = {parser->module->path, 0, 0};
	if (parser->warnings > MAXIMUM_WARNINGS)
		diagnostics_report(parser->diagnostics, SEVERITY_WARNING, place,
		                   "%u more lines with warnings are not listed", parser->warnings - MAXIMUM_WARNINGS);
}

static struct ptx_pool *const *pools_of(struct ptx_parser *parser, struct ptx_pool *list[static 16])
{
	struct ptx_pool **next = list;
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

static void pools_init(struct ptx_parser *parser)
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

static void parser_init(struct ptx_parser *parser, struct arena *arena, const char *path, const char *text,
                        size_t length, struct diagnostics *diagnostics)
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
	ptx_names_init(parser);
	ptx_places_init(parser);
}

static void parser_release(struct ptx_parser *parser)
{
	struct ptx_pool *list[16];
	struct ptx_pool *const *next = pools_of(parser, list);
	for (; *next; next++)
		free((*next)->data);
	ptx_places_release(parser);
	ptx_names_release(parser);
	free(parser->text);
	arena_release(parser->scratch);
}

static void parser_run(struct ptx_parser *parser)
{
	yyscan_t scanner;
	if (ptx_yylex_init_extra(parser, &scanner) != 0)
		bug("the scanner cannot be made");
	ptx_yy_scan_buffer(parser->text, parser->length + 2, scanner);
	if (ptx_yyparse(scanner, parser) != 0 && !parser->failed)
		ptx_error_here(parser, "nested too deeply");
	if (!parser->failed)
		ptx_module_finish(parser);
	ptx_yylex_destroy(scanner);
}

struct ptx_module *ptx_parse(struct arena *arena, const char *path, const char *text, size_t length,
                             struct diagnostics *diagnostics)
{
	struct ptx_parser parser;
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

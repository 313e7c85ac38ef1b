/*
 * Diagnostics of a parse: the first error ends it, warnings come once a line.
 */
#include <stdio.h>

#include "ptxparse/text/reader.h"

/* The scanner overwrites one byte after the current token, which is never before it. */
static unsigned column_of(const struct ptx_parser *parser, const char *at)
{
	const char *start = at;
	if (!at)
		return 0;
	while (start > parser->text && start[-1] != '\n')
		start--;
	return (unsigned)(at - start) + 1;
}

static void report(struct ptx_parser *parser, enum severity severity, uint32_t line, const char *at, const char *format,
                   va_list arguments)
{
	struct place place = {parser->module->path, line, column_of(parser, at)};
	char message[256];
	vsnprintf(message, sizeof message, format, arguments);
	diagnostics_report(parser->diagnostics, severity, place, "%s", message);
}

void ptx_error(struct ptx_parser *parser, uint32_t line, const char *at, const char *format, ...)
{
	va_list arguments;
	if (parser->failed)
		return;
	parser->failed = true;
	va_start(arguments, format);
	report(parser, SEVERITY_ERROR, line, at, format, arguments);
	va_end(arguments);
}

void ptx_error_here(struct ptx_parser *parser, const char *format, ...)
{
	va_list arguments;
	if (parser->failed)
		return;
	parser->failed = true;
	va_start(arguments, format);
	report(parser, SEVERITY_ERROR, parser->line, parser->token_at, format, arguments);
	va_end(arguments);
}

void ptx_warn(struct ptx_parser *parser, uint32_t line, const char *at, const char *format, ...)
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

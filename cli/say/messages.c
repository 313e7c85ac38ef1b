/*
 * What the program says beside its result: errors in one form on stderr, and whether the result could be written. It
 * remembers what it said, so that a command that was asked for JSON and fails says it once more as JSON on stdout.
 * Where another program asks (library/), messages are kept for it instead.
 */
#include "base/clock/clock.h"
#include "cli/say/say.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Of the one command that a thread runs. arena: NULL before the first message. */
static _Thread_local struct {
	struct diagnostics *kept; /* where messages go instead, or NULL */
	struct arena *arena;
	struct diagnostics said;
	const char *command; /* NULL: none was found yet */
	bool printed;        /* something was written to stdout */
	unsigned width;      /* columns that messages may take; 0: any */
	double start;        /* seconds that the process had worked when the command began */
} session;

void cli_begin(const char *command)
{
	session.command = command;
	session.start = clock_process().processor;
}

double cli_begin_seconds(void)
{
	return session.start;
}

void cli_messages_fit(unsigned width)
{
	session.width = width;
}

void cli_messages_keep(struct diagnostics *kept)
{
	session.kept = kept;
}

static struct diagnostics *said(void)
{
	if (session.kept)
		return session.kept;
	if (!session.arena) {
		session.arena = arena_create();
		diagnostics_init(&session.said, session.arena);
	}
	return &session.said;
}

static void message_print(const char *format, va_list arguments, const char *hint)
{
	struct text text = {0};
	text_vprintf(&text, format, arguments);
	text_puts(&text, session.kept ? "" : hint);
	if (!session.kept)
		fprintf(stderr, "coalesce: error: %s%s", text.data, text.data[text.length - 1] == '\n' ? "" : "\n");
	diagnostics_report(said(), SEVERITY_ERROR, (struct place){NULL, 0, 0}, "%s", text.data);
	text_release(&text);
}

void cli_hint(const char *text)
{
	if (!session.kept)
		fprintf(stderr, "coalesce: note: %s\n", text);
	diagnostics_report(said(), SEVERITY_NOTE, (struct place){NULL, 0, 0}, "%s", text);
}

void cli_error(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	message_print(format, arguments, "");
	va_end(arguments);
}

enum exit_code cli_usage_error(const char *format, ...)
{
	struct text hint = {0};
	va_list arguments;
	text_printf(&hint, "; see `coalesce help%s%s`", session.command ? " " : "",
	            session.command ? session.command : "");
	va_start(arguments, format);
	message_print(format, arguments, hint.data);
	va_end(arguments);
	text_release(&hint);
	return EXIT_USAGE;
}

void cli_diagnostics_say(const struct diagnostics *diagnostics, enum severity least)
{
	struct diagnostics shown = *diagnostics;
	shown.width = session.width;
	diagnostics_print(&shown, 0, least, stderr);
	for (size_t i = 0; i < diagnostics->count; i++)
		diagnostics_report(said(), diagnostics->list[i].severity, diagnostics->list[i].place, "%s",
		                   diagnostics->list[i].message);
}

/* ---- results ------------------------------------------------------------------------- */

enum exit_code cli_print(struct text *out, enum exit_code code)
{
	bool written = out->length == 0 || file_write("-", out->data, out->length) == 0;
	session.printed = session.printed || out->length > 0;
	if (!written)
		cli_error("cannot write standard output: %s", strerror(errno));
	text_release(out);
	return written || code != EXIT_VERDICT ? code : EXIT_INPUT;
}

bool cli_file_save(const char *path, const char *text, size_t length)
{
	if (text && file_write(path, text, length) == 0)
		return true;
	cli_error("cannot write %s: %s", path, strerror(errno));
	return false;
}

void cli_json(struct text *out, struct json_t *root)
{
	const size_t digits = 10;
	char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
	if (!text)
		bug("a result that JSON cannot hold");
	text_printf(out, "%s\n", text);
	free(text);
	json_decref(root);
}

/* ---- the end -------------------------------------------------------------------------- */

static json_t *number_or_null(unsigned number)
{
	return number ? json_integer(number) : json_null();
}

static json_t *messages_json(const struct diagnostics *diagnostics)
{
	json_t *list = json_array();
	for (size_t i = 0; i < diagnostics->count; i++) {
		const struct diagnostic *one = &diagnostics->list[i];
		json_array_append_new(list,
		                      json_pack("{s:s, s:s?, s:o, s:o, s:s}", "severity", severity_name(one->severity),
		                                "file", one->place.file, "line", number_or_null(one->place.line),
		                                "column", number_or_null(one->place.column), "message", one->message));
	}
	return list;
}

enum exit_code cli_finish(bool as_json, enum exit_code code)
{
	struct text out = {0};
	if (as_json && code != EXIT_VERDICT && !session.printed) {
		cli_json(&out, json_pack("{s:s, s:s?, s:i, s:o}", "schema", "coalesce/error/1", "command",
		                         session.command, "exit_code", (int)code, "messages", messages_json(said())));
		code = cli_print(&out, code);
	}
	arena_release(session.arena);
	session.arena = NULL;
	return code;
}

/*
 * What a file's directives say: guards, and the macros that end with it.
 */
#include "analyzer/source/lines.h"

#include <string.h>

bool source_declares_alone(const char *text)
{
	for (const char *directive = strchr(text, '#'); directive; directive = strchr(directive + 1, '#')) {
		const char *name = directive + 1 + strspn(directive + 1, " \t");

		if (strncmp(name, "include", strlen("include")) != 0)
			return false;
	}
	return !strpbrk(text, "{=");
}

bool source_is_read_once(const char *text)
{
	const char *guard = strstr(text, "#ifndef"), *once = strstr(text, "#pragma once");
	size_t length;

	if (once || !guard)
		return once != NULL;
	guard += strlen("#ifndef");
	guard += strspn(guard, " \t");
	length = strcspn(guard, " \t\r\n");
	for (const char *define = strstr(guard, "#define"); define; define = strstr(define + 1, "#define")) {
		const char *name = define + strlen("#define");

		name += strspn(name, " \t");
		if (strncmp(name, guard, length) == 0 && strchr(" \t\r\n", name[length]))
			return true;
	}
	return false;
}

/* Whether the user's flags define a macro. */
static bool is_given(const struct analyzer_options *options, const char *name, size_t length)
{
	for (unsigned i = 0; i < options->flag_count; i++) {
		const char *flag = options->flags[i];
		const char *given = strcmp(flag, "-D") == 0 && i + 1 < options->flag_count ? options->flags[i + 1]
		                    : strncmp(flag, "-D", 2) == 0                          ? flag + 2
		                                                                           : "";

		if (strncmp(given, name, length) == 0 && (given[length] == '\0' || given[length] == '='))
			return true;
	}
	return false;
}

void source_macros_end(struct text *out, const struct line_reader *file, const struct analyzer_options *options)
{
	const char *text = file->text;
	struct line_reader reading = source_reading_begin(file->path, file->text, file->length);

	while (reading.next < reading.length) {
		size_t i = source_blanks_skip(&reading, reading.next), name;
		bool directive = !reading.in_comment && text[i] == '#';

		i = source_blanks_skip(&reading, i + directive);
		directive = directive && strncmp(text + i, "define", strlen("define")) == 0;
		name = directive ? source_blanks_skip(&reading, i + strlen("define")) : i;
		i = strspn(text + name, SOURCE_WORD_CHARACTERS);
		if (directive && i > 0 && !is_given(options, text + name, i))
			text_printf(out, "#undef %.*s\n", (int)i, text + name);
		source_line_pass(&reading);
	}
}

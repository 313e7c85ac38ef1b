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

static void macro_add(struct arena *arena, struct source_macros *macros, const char *name)
{
	for (unsigned m = 0; m < macros->count; m++)
		if (strcmp(macros->names[m], name) == 0)
			return;
	ARENA_PUSH(arena, macros->names, macros->count, name);
}

void source_macros_collect(struct arena *arena, struct source_macros *macros, const char *text, size_t length)
{
	struct line_reader reading = source_reading_begin("", text, length);

	while (reading.next < reading.length) {
		size_t i = source_blanks_skip(&reading, reading.next), name;
		bool directive = !reading.in_comment && text[i] == '#';

		i = source_blanks_skip(&reading, i + directive);
		directive = directive && strncmp(text + i, "define", strlen("define")) == 0;
		name = directive ? source_blanks_skip(&reading, i + strlen("define")) : i;
		i = strspn(text + name, SOURCE_WORD_CHARACTERS);
		if (directive && i > 0)
			macro_add(arena, macros, arena_strndup(arena, text + name, i));
		source_line_pass(&reading);
	}
}

void source_macros_begin(struct text *out, const struct source_macros *macros)
{
	for (unsigned m = 0; m < macros->count; m++)
		text_printf(out, "#pragma push_macro(\"%s\")\n", macros->names[m]);
}

void source_macros_end(struct text *out, const struct source_macros *macros)
{
	for (unsigned m = 0; m < macros->count; m++)
		text_printf(out, "#pragma pop_macro(\"%s\")\n", macros->names[m]);
}

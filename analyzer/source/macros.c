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

/* Whether a text asks whether a macro is defined. */
static bool is_tested(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
		const char *before = at;

		while (before > text && strchr(" \t(", before[-1]))
			before--;
		if (before == at || strchr(SOURCE_WORD_CHARACTERS, at[length]))
			continue;
		if (before - text > 6 && (strncmp(before - 6, "ifndef", 6) == 0 || strncmp(before - 7, "defined", 7) == 0))
			return true;
	}
	return false;
}

static void macro_add(struct arena *arena, struct source_macros *macros, const char *text, const char *name)
{
	bool tested = is_tested(text, name);

	for (unsigned m = 0; m < macros->count; m++)
		if (strcmp(macros->list[m].name, name) == 0) {
			macros->list[m].is_tested |= tested;
			return;
		}
	ARENA_PUSH(arena, macros->list, macros->count, (struct source_macro){name, tested});
}

void source_macros_collect(struct arena *arena, struct source_macros *macros, const char *text, size_t length,
                           const struct analyzer_options *options)
{
	struct line_reader reading = source_reading_begin("", text, length);

	while (reading.next < reading.length) {
		size_t i = source_blanks_skip(&reading, reading.next), name;
		bool directive = !reading.in_comment && text[i] == '#';

		i = source_blanks_skip(&reading, i + directive);
		directive = directive && strncmp(text + i, "define", strlen("define")) == 0;
		name = directive ? source_blanks_skip(&reading, i + strlen("define")) : i;
		i = strspn(text + name, SOURCE_WORD_CHARACTERS);
		if (directive && i > 0 && !is_given(options, text + name, i))
			macro_add(arena, macros, text, arena_strndup(arena, text + name, i));
		source_line_pass(&reading);
	}
}

void source_macros_begin(struct text *out, const struct source_macros *macros)
{
	for (unsigned m = 0; m < macros->count; m++)
		if (macros->list[m].is_tested)
			text_printf(out, "#ifdef %s\n#define coalesce_outer_%s\n#endif\n", macros->list[m].name,
			            macros->list[m].name);
}

void source_macros_end(struct text *out, const struct source_macros *macros)
{
	for (unsigned m = 0; m < macros->count; m++) {
		const char *name = macros->list[m].name;

		if (macros->list[m].is_tested)
			text_printf(out, "#ifndef coalesce_outer_%s\n#undef %s\n#endif\n#undef coalesce_outer_%s\n", name, name,
			            name);
		else
			text_printf(out, "#undef %s\n", name);
	}
}

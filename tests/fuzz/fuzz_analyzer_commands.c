/*
 * The arguments of compilers: every string of bytes is split into words, and its flags are well formed. No file of
 * arguments is read but in a folder that there is not.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/front/front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const char *word)
{
	fprintf(stderr, "%s: %s\n", what, word);
	abort();
}

/* A word quoted is that word again. */
static void check_quoted(struct arena *arena, const char *word)
{
	struct text text = {0};
	struct flags_words again;

	for (const char *c = word; *c; c++)
		text_printf(&text, "\\%c", *c);
	again = flags_split(arena, text.data ? text.data : "");
	if (*word && (again.count != 1 || strcmp(again.list[0], word) != 0))
		fail("not the same when quoted", word);
	text_release(&text);
}

static void check_flags(const char *const *flags, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		bool has_value = strcmp(flags[i], "-isystem") == 0 || strcmp(flags[i], "-iquote") == 0 ||
		                 strcmp(flags[i], "-include") == 0;

		if (flags[i][0] != '-')
			fail("not a flag", flags[i]);
		if (has_value && (++i == count || flags[i][0] != '/'))
			fail("a flag without its folder", flags[i - 1]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	const char *text = arena_strndup(arena, (const char *)data, size);
	struct flags_words words;
	unsigned count = 0;
	const char *const *flags;

	diagnostics_init(&diagnostics, arena);
	words = flags_split(arena, text);
	for (unsigned i = 0; i < words.count; i++) {
		check_quoted(arena, words.list[i]);
		if (strstr(words.list[i], "@/") || strstr(words.list[i], "=/") || words.list[i][0] == '/')
			words.list[i] = "-O2";
	}
	flags = flags_of_call(arena, "/no/such/folder", "/no/such/file", &words, &count, &diagnostics);
	check_flags(flags, count);
	arena_release(arena);
	return 0;
}

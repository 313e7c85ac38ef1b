/*
 * The arguments of a compiler's command: which of them matter for reading a file. Files of further arguments (nvcc's --options-file, gcc's @file), in which
 * CMake keeps folders of headers, are read too.
 */
#include "analyzer/front/front.h"

#include <string.h>

/* Files of arguments that name each other are not followed for ever. */
#define FILE_DEPTH_MAX 8

/* A flag's name without its value; takes_folder: the value is a folder or file, relative to the command's folder. */
static const struct flag {
	const char *name, *as;
	bool takes_folder;
} flags[] = {
	{"-D", "-D", false},
	{"-U", "-U", false},
	{"--define-macro", "-D", false},
	{"--undefine-macro", "-U", false},
	{"-isystem", "-isystem", true},
	{"--system-include", "-isystem", true},
	{"-include", "-include", true},
	{"--pre-include", "-include", true},
	{"--include-path", "-I", true},
	{"-iquote", "-iquote", true},
	{"-I", "-I", true},
	{"-std", "-std=", false},
	{"--std", "-std=", false},
};

struct flag_list {
	struct arena *arena;
	const char *folder;
	const char **list;
	unsigned count;
	struct diagnostics *diagnostics;
};

/*
 * The row of the flag that an argument begins with; *value is what follows in the same argument, NULL where the next
 * one is the value.
 */
static const struct flag *flag_of(const char *argument, const char **value)
{
	for (unsigned i = 0; i < ARRAY_COUNT(flags); i++) {
		size_t length = strlen(flags[i].name);
		bool is_short = flags[i].name[2] == 0;

		if (strncmp(argument, flags[i].name, length) != 0)
			continue;
		if (argument[length] == 0) {
			*value = NULL;
			return &flags[i];
		}
		if (argument[length] == '=' || is_short || (flags[i].takes_folder && argument[length] == '/')) {
			*value = argument + length + (argument[length] == '=');
			return &flags[i];
		}
	}
	return NULL;
}

static void push_flag(struct flag_list *found, const struct flag *flag, const char *value)
{
	if (flag->takes_folder && value[0] != '/')
		value = arena_printf(found->arena, "%s/%s", found->folder, value);
	if (flag->as[1] == 'i') {
		ARENA_PUSH(found->arena, found->list, found->count, flag->as);
		ARENA_PUSH(found->arena, found->list, found->count, arena_strdup(found->arena, value));
	} else {
		ARENA_PUSH(found->arena, found->list, found->count, arena_printf(found->arena, "%s%s", flag->as, value));
	}
}

/* ---- files of arguments ------------------------------------------------------------------------- */

/* The end of a word that begins at `text`, quotes and backslashes taken away: the word is appended to `word`. */
static const char *read_word(struct text *word, const char *text)
{
	char quote = 0;

	for (; *text && (quote || !strchr(" \t\r\n", *text)); text++) {
		if (*text == quote) {
			quote = 0;
		} else if (!quote && (*text == '"' || *text == '\'')) {
			quote = *text;
		} else {
			if (*text == '\\' && quote != '\'' && text[1])
				text++;
			text_append(word, text, 1);
		}
	}
	return text;
}

struct front_words front_split(struct arena *arena, const char *text)
{
	struct front_words words = {NULL, 0};
	struct text word = {0};

	for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
		text = read_word(&word, text);
		ARENA_PUSH(arena, words.list, words.count, arena_strndup(arena, word.data ? word.data : "", word.length));
		text_release(&word);
	}
	return words;
}

/* Whether an argument names a file of arguments, in itself or in the one behind it; *file is its name, *at the last argument that belongs to it. */
static bool options_file(const struct front_words *arguments, unsigned *at, const char **file)
{
	static const char *const names[] = {"--options-file", "-optf"};
	const char *argument = arguments->list[*at];

	if (argument[0] == '@') {
		*file = argument + 1;
		return true;
	}
	for (unsigned i = 0; i < ARRAY_COUNT(names); i++) {
		size_t length = strlen(names[i]);

		if (strncmp(argument, names[i], length) != 0 || (argument[length] != '=' && argument[length] != 0))
			continue;
		if (argument[length] == 0 && *at + 1 == arguments->count)
			return false;
		*file = argument[length] == '=' ? argument + length + 1 : arguments->list[++*at];
		return true;
	}
	return false;
}

static void read_arguments(struct flag_list *found, const struct front_words *arguments, unsigned depth);

static void read_options_file(struct flag_list *found, const char *name, unsigned depth)
{
	const char *path = name[0] == '/' ? name : arena_printf(found->arena, "%s/%s", found->folder, name);
	const char *text = depth < FILE_DEPTH_MAX ? file_read(found->arena, path, NULL) : NULL;
	struct front_words words;

	if (!text) {
		diagnostics_report(found->diagnostics, SEVERITY_WARNING, (struct place){path, 0, 0},
		                   "the arguments in it are left out: it cannot be read");
		return;
	}
	words = front_split(found->arena, text);
	read_arguments(found, &words, depth + 1);
}

static void read_arguments(struct flag_list *found, const struct front_words *arguments, unsigned depth)
{
	for (unsigned i = 0; i < arguments->count; i++) {
		const char *file, *value = NULL;
		const struct flag *flag;

		if (options_file(arguments, &i, &file)) {
			read_options_file(found, file, depth);
			continue;
		}
		flag = flag_of(arguments->list[i], &value);
		if (flag && !value && i + 1 < arguments->count)
			value = arguments->list[++i];
		if (flag && value)
			push_flag(found, flag, value);
	}
}

const char *const *front_flags(struct arena *arena, const char *folder, const struct front_words *arguments, unsigned *count,
                               struct diagnostics *diagnostics)
{
	struct flag_list found = {.arena = arena, .folder = folder, .diagnostics = diagnostics};

	read_arguments(&found, arguments, 0);
	*count = found.count;
	return found.list;
}

/*
 * The arguments of a compiler's command: which of them matter for reading a file. Files of further arguments (nvcc's
 * --options-file, gcc's @file), in which CMake keeps folders of headers, are read too.
 */
#include "analyzer/flags/flags.h"

#include <string.h>

/* Files of arguments that name each other are not followed for ever. */
#define FILE_DEPTH_MAX 8

/*
 * Flags of nvcc (and of the compilers that it takes flags from): X(name, as, use, form, holds). A word of one letter
 * stands for all that begin with it. A flag without a row is none. holds: what the value may contain, enum flag_holds.
 */
#define FLAGS(X)                                                                                                       \
	X("-D", "-D", READ, VALUE, MACRO)                                                                              \
	X("-U", "-U", READ, VALUE, NAME)                                                                               \
	X("--define-macro", "-D", READ, VALUE, MACRO)                                                                  \
	X("--undefine-macro", "-U", READ, VALUE, NAME)                                                                 \
	X("-isystem", "-isystem", READ, FOLDER, PATH)                                                                  \
	X("--system-include", "-isystem", READ, FOLDER, PATH)                                                          \
	X("-include", "-include", READ, FOLDER, PATH)                                                                  \
	X("--pre-include", "-include", READ, FOLDER, PATH)                                                             \
	X("--include-path", "-I", READ, FOLDER, PATH)                                                                  \
	X("-iquote", "-iquote", READ, FOLDER, PATH)                                                                    \
	X("-I", "-I", READ, FOLDER, PATH)                                                                              \
	X("-std", "-std=", READ, VALUE, STANDARD)                                                                      \
	X("--std", "-std=", READ, VALUE, STANDARD)                                                                     \
	X("-use_fast_math", "--use_fast_math", COMPILED, NONE, ANY)                                                    \
	X("--use_fast_math", "--use_fast_math", COMPILED, NONE, ANY)                                                   \
	X("-ftz", "--ftz=", COMPILED, VALUE, WORD)                                                                     \
	X("--ftz", "--ftz=", COMPILED, VALUE, WORD)                                                                    \
	X("-prec-div", "--prec-div=", COMPILED, VALUE, WORD)                                                           \
	X("--prec-div", "--prec-div=", COMPILED, VALUE, WORD)                                                          \
	X("-prec-sqrt", "--prec-sqrt=", COMPILED, VALUE, WORD)                                                         \
	X("--prec-sqrt", "--prec-sqrt=", COMPILED, VALUE, WORD)                                                        \
	X("-fmad", "--fmad=", COMPILED, VALUE, WORD)                                                                   \
	X("--fmad", "--fmad=", COMPILED, VALUE, WORD)                                                                  \
	X("-maxrregcount", "--maxrregcount=", COMPILED, VALUE, WORD)                                                   \
	X("--maxrregcount", "--maxrregcount=", COMPILED, VALUE, WORD)                                                  \
	X("-extended-lambda", "--extended-lambda", COMPILED, NONE, ANY)                                                \
	X("--extended-lambda", "--extended-lambda", COMPILED, NONE, ANY)                                               \
	X("-expt-extended-lambda", "--extended-lambda", COMPILED, NONE, ANY)                                           \
	X("--expt-extended-lambda", "--extended-lambda", COMPILED, NONE, ANY)                                          \
	X("-expt-relaxed-constexpr", "--expt-relaxed-constexpr", COMPILED, NONE, ANY)                                  \
	X("--expt-relaxed-constexpr", "--expt-relaxed-constexpr", COMPILED, NONE, ANY)                                 \
	X("-Xptxas", "-Xptxas=", COMPILED, VALUE, LIST)                                                                \
	X("--ptxas-options", "-Xptxas=", COMPILED, VALUE, LIST)                                                        \
	X("-arch", "", TARGET, VALUE, ANY)                                                                             \
	X("--gpu-architecture", "", TARGET, VALUE, ANY)                                                                \
	X("-gencode", "", TARGET, VALUE, ANY)                                                                          \
	X("--generate-code", "", TARGET, VALUE, ANY)                                                                   \
	X("-code", "", LEFT_OUT, VALUE, ANY)                                                                           \
	X("--gpu-code", "", LEFT_OUT, VALUE, ANY)                                                                      \
	X("-rdc", "-rdc=", BUILT, VALUE, ANY)                                                                          \
	X("--relocatable-device-code", "-rdc=", BUILT, VALUE, ANY)                                                     \
	X("-Xcompiler", "-Xcompiler=", BUILT, VALUE, ANY)                                                              \
	X("--compiler-options", "-Xcompiler=", BUILT, VALUE, ANY)                                                      \
	X("-Xlinker", "", LEFT_OUT, VALUE, ANY)                                                                        \
	X("--linker-options", "", LEFT_OUT, VALUE, ANY)                                                                \
	X("-Xcudafe", "", LEFT_OUT, VALUE, ANY)                                                                        \
	X("-diag-suppress", "", LEFT_OUT, VALUE, ANY)                                                                  \
	X("--diag-suppress", "", LEFT_OUT, VALUE, ANY)                                                                 \
	X("-ccbin", "", LEFT_OUT, VALUE, ANY)                                                                          \
	X("--compiler-bindir", "", LEFT_OUT, VALUE, ANY)                                                               \
	X("-cudart", "", LEFT_OUT, VALUE, ANY)                                                                         \
	X("--cudart", "", LEFT_OUT, VALUE, ANY)                                                                        \
	X("-default-stream", "", LEFT_OUT, VALUE, ANY)                                                                 \
	X("--default-stream", "", LEFT_OUT, VALUE, ANY)                                                                \
	X("-x", "", LEFT_OUT, VALUE, ANY)                                                                              \
	X("--optimize", "", LEFT_OUT, VALUE, ANY)                                                                      \
	X("--machine-bits", "", LEFT_OUT, VALUE, ANY)                                                                  \
	X("-lineinfo", "", LEFT_OUT, NONE, ANY)                                                                        \
	X("--generate-line-info", "", LEFT_OUT, NONE, ANY)                                                             \
	X("-m64", "", LEFT_OUT, NONE, ANY)                                                                             \
	X("-c", "", LEFT_OUT, NONE, ANY)                                                                               \
	X("-dc", "", LEFT_OUT, NONE, ANY)                                                                              \
	X("-dlto", "", LEFT_OUT, NONE, ANY)                                                                            \
	X("-g", "", LEFT_OUT, NONE, ANY)                                                                               \
	X("-w", "", LEFT_OUT, NONE, ANY)                                                                               \
	X("-O", "", LEFT_OUT, LETTER, ANY)                                                                             \
	X("-W", "", LEFT_OUT, LETTER, ANY)                                                                             \
	X("-l", "-l", BUILT, LETTER, ANY)                                                                              \
	X("-L", "-L", BUILT, VALUE, ANY)

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"
#define NAME_CHARACTERS LETTERS DIGITS "_"
#define WORD_CHARACTERS NAME_CHARACTERS "+.:=,-"

/*
 * What the value of a flag may contain. characters: the allowed ones, NULL for all but control characters. A value of
 * ptxas's has no "/", so that it cannot name a file outside of the compiler's own folder. MACRO: a name, parameters in
 * parentheses, then "=" and anything.
 */
enum flag_holds { HOLDS_ANY, HOLDS_MACRO, HOLDS_NAME, HOLDS_PATH, HOLDS_WORD, HOLDS_LIST, HOLDS_STANDARD };
static const struct flag_set {
	const char *characters, *words;
} flag_sets[] = {
	[HOLDS_ANY] = {NULL, ""},
	[HOLDS_MACRO] = {NULL, "a macro's name, parameters in parentheses, '=' and text without control characters"},
	[HOLDS_NAME] = {NAME_CHARACTERS, "a macro's name: letters, digits and '_'"},
	[HOLDS_PATH] = {NULL, "a path without control characters"},
	[HOLDS_WORD] = {WORD_CHARACTERS, "letters, digits and any of _+.:=,-"},
	[HOLDS_LIST] = {WORD_CHARACTERS " ", "letters, digits, blanks and any of _+.:=,-"},
	[HOLDS_STANDARD] = {WORD_CHARACTERS, "c++11, c++14, c++17, c++20 or c++23"},
};

/* FOLDER: a folder or file, relative to where the compiler is started; LETTER: the value stands in the same word. */
enum flag_form { FLAG_NONE, FLAG_VALUE, FLAG_FOLDER, FLAG_LETTER };
static const struct flag {
	const char *name, *as;
	enum nvcc_flag_use use;
	enum flag_form form;
	enum flag_holds holds;
} flags[] = {
#define X(name, as, use, form, holds) {name, as, NVCC_FLAG_##use, FLAG_##form, HOLDS_##holds},
	FLAGS(X)
#undef X
};

/* file: where the arguments stand that are being read. */
struct flag_list {
	struct arena *arena;
	const char *folder, *file;
	const char **list;
	unsigned count;
	bool refused;
	struct diagnostics *diagnostics;
};

/* Whether an argument is that flag; *value is what follows in the same argument, NULL where that is nothing. */
static bool flag_is(const struct flag *flag, const char *argument, const char **value)
{
	size_t length = strlen(flag->name);
	bool has_value = flag->form != FLAG_NONE, is_short = flag->name[2] == 0 && has_value;

	*value = NULL;
	if (strncmp(argument, flag->name, length) != 0)
		return false;
	if (argument[length] == 0)
		return true;
	*value = argument + length + (argument[length] == '=');
	return has_value &&
	       (argument[length] == '=' || is_short || (flag->form == FLAG_FOLDER && argument[length] == '/'));
}

/* The row of the flag that an argument begins with, or NULL. */
static const struct flag *flag_of(const char *argument, const char **value)
{
	for (unsigned i = 0; i < ARRAY_COUNT(flags); i++)
		if (flag_is(&flags[i], argument, value))
			return &flags[i];
	return NULL;
}

/* Whether text begins with a macro's name and, after it, parameters; *rest is what follows. */
static bool begins_with_macro(const char *text, const char **rest)
{
	size_t name = strspn(text, NAME_CHARACTERS);

	*rest = text + name;
	if (name == 0 || strspn(text, DIGITS) > 0)
		return false;
	if (**rest != '(')
		return true;
	*rest += 1 + strspn(*rest + 1, NAME_CHARACTERS "., ");
	return *(*rest)++ == ')';
}

static bool has_control_character(const char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < ' ' && *text != '\t') || *text == 127)
			return true;
	return false;
}

/* Whether a language standard is one of C++ that there is; those of C are left to the compilers. */
static bool standard_exists(const char *value)
{
	static const char *const years[] = {"98", "03", "11", "14", "17", "20", "23",
	                                    "26", "0x", "1y", "1z", "2a", "2b", "2c"};
	const char *year = strstr(value, "++");

	for (unsigned i = 0; year && i < ARRAY_COUNT(years); i++)
		if (strcmp(year + 2, years[i]) == 0)
			return true;
	return !year;
}

/* Whether a flag may have that value. */
static bool value_allowed(const struct flag *flag, const char *value)
{
	const char *characters = flag_sets[flag->holds].characters, *rest = NULL;

	if (flag->holds == HOLDS_ANY)
		return true;
	if (flag->holds == HOLDS_STANDARD && !standard_exists(value))
		return false;
	if (characters)
		return *value && value[strspn(value, characters)] == 0 &&
		       (flag->holds != HOLDS_NAME || strspn(value, DIGITS) == 0);
	if (flag->holds == HOLDS_MACRO && (!begins_with_macro(value, &rest) || (*rest && *rest != '=')))
		return false;
	return *value && !has_control_character(value);
}

bool flags_read(struct arena *arena, unsigned count, const char *const *arguments, unsigned *at, struct nvcc_flag *flag)
{
	const char *value = NULL;
	const struct flag *row = flag_of(arguments[*at], &value);

	*flag = (struct nvcc_flag){.use = NVCC_FLAG_LEFT_OUT};
	if (!row)
		return false;
	flag->name = row->name;
	flag->use = row->use;
	flag->is_path = row->form == FLAG_FOLDER;
	flag->wants_value = !value && row->form != FLAG_NONE && row->form != FLAG_LETTER;
	if (flag->wants_value && *at + 1 < count) {
		value = arguments[++*at];
		flag->wants_value = false;
	}
	flag->value = value;
	if (value && !value_allowed(row, value))
		flag->holds = flag_sets[row->holds].words;
	flag->words[0] =
		value && row->as[0] && row->as[1] != 'i' ? arena_printf(arena, "%s%s", row->as, value) : row->as;
	flag->words[1] = row->as[0] && row->as[1] == 'i' ? value : NULL;
	return true;
}

const char *flags_complaint(struct arena *arena, const struct nvcc_flag *flag)
{
	char *value = arena_strdup(arena, flag->value);

	for (char *c = value; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	return arena_printf(arena, "%s takes %s, not '%s'", flag->name, flag->holds, value);
}

bool flags_matter_to_source(const char *flag)
{
	const char *value;
	const struct flag *row = flag_of(flag, &value);

	return !row || row->use == NVCC_FLAG_READ;
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

struct flags_words flags_split(struct arena *arena, const char *text)
{
	struct flags_words words = {NULL, 0};
	struct text word = {0};

	for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
		text = read_word(&word, text);
		ARENA_PUSH(arena, words.list, words.count,
		           arena_strndup(arena, word.data ? word.data : "", word.length));
		text_release(&word);
	}
	return words;
}

/* Whether an argument names a file of arguments, in itself or in the one behind it; *file is its name, *at the last
 * argument that belongs to it. */
static bool options_file(const struct flags_words *arguments, unsigned *at, const char **file)
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

static void read_arguments(struct flag_list *found, const struct flags_words *arguments, unsigned depth);

static void read_options_file(struct flag_list *found, const char *name, unsigned depth)
{
	const char *path = name[0] == '/' ? name : arena_printf(found->arena, "%s/%s", found->folder, name);
	const char *text = depth < FILE_DEPTH_MAX ? file_read(found->arena, path, NULL) : NULL;
	struct flags_words words;

	if (!text) {
		diagnostics_report(found->diagnostics, SEVERITY_WARNING, (struct place){path, 0, 0},
		                   "the arguments in it are left out: it cannot be read");
		return;
	}
	const char *outer = found->file;
	words = flags_split(found->arena, text);
	found->file = path;
	read_arguments(found, &words, depth + 1);
	found->file = outer;
}

/* ---- places ------------------------------------------------------------------------------------- */

/* What quoting adds to a word, and what parts a flag from its value. */
#define QUOTING " \t\r\n\\\"'=,"

/* Whether text begins with the word, however it is quoted there. */
static bool begins_quoted(const char *text, const char *word)
{
	for (; *word; word++) {
		if (strchr(QUOTING, *word))
			continue;
		text += strspn(text, QUOTING);
		if (*text++ != *word)
			return false;
	}
	return true;
}

static struct place place_at(const char *file, const char *text, const char *at)
{
	struct place place = {file, 1, 1};

	for (; text < at; text++) {
		place.column = *text == '\n' ? 1 : place.column + 1;
		place.line += *text == '\n';
	}
	return place;
}

/* The place of a flag in the file of arguments; its line is 0 where it is not found. */
static struct place flag_place(const struct flag_list *found, const struct nvcc_flag *flag)
{
	const char *text = file_read(found->arena, found->file, NULL);
	const char *word = arena_printf(found->arena, "%s%s", flag->name, flag->value);

	for (const char *at = text ? strstr(text, flag->name) : NULL; at; at = strstr(at + 1, flag->name))
		if (begins_quoted(at, word))
			return place_at(found->file, text, at);
	return (struct place){found->file, 0, 0};
}

static void refuse_flag(struct flag_list *found, const struct nvcc_flag *flag)
{
	found->refused = true;
	diagnostics_report(found->diagnostics, SEVERITY_ERROR, flag_place(found, flag), "%s",
	                   flags_complaint(found->arena, flag));
}

/* ---- the flags that matter ------------------------------------------------------------------------ */

/* A flag of a folder, where it is one, from wherever the compiler is started. */
static void push_flag(struct flag_list *found, struct nvcc_flag flag)
{
	const char *value = flag.value;

	if (flag.is_path && value && value[0] != '/') {
		value = arena_printf(found->arena, "%s/%s", found->folder, value);
		flag.words[0] = flag.words[1] ? flag.words[0] : arena_printf(found->arena, "-I%s", value);
		flag.words[1] = flag.words[1] ? value : NULL;
	}
	for (unsigned i = 0; i < ARRAY_COUNT(flag.words); i++)
		if (flag.words[i])
			ARENA_PUSH(found->arena, found->list, found->count, arena_strdup(found->arena, flag.words[i]));
}

static void read_arguments(struct flag_list *found, const struct flags_words *arguments, unsigned depth)
{
	for (unsigned i = 0; i < arguments->count; i++) {
		const char *file;
		struct nvcc_flag flag;

		if (options_file(arguments, &i, &file)) {
			read_options_file(found, file, depth);
			continue;
		}
		if (!flags_read(found->arena, arguments->count, arguments->list, &i, &flag) || flag.wants_value ||
		    flag.use > NVCC_FLAG_COMPILED)
			continue;
		if (flag.holds)
			refuse_flag(found, &flag);
		else
			push_flag(found, flag);
	}
}

const char *const *flags_of_call(struct arena *arena, const char *folder, const char *file,
                                 const struct flags_words *arguments, unsigned *count, struct diagnostics *diagnostics)
{
	struct flag_list found = {.arena = arena, .folder = folder, .file = file, .diagnostics = diagnostics};

	read_arguments(&found, arguments, 0);
	*count = found.refused ? 0 : found.count;
	return found.refused ? NULL : found.list;
}

const char *const *flags_of_list(struct arena *arena, const char *folder, const char *file, const char *const *words,
                                 unsigned word_count, unsigned *count, struct diagnostics *diagnostics)
{
	struct flags_words arguments = {NULL, 0};

	for (unsigned i = 0; i < word_count; i++)
		ARENA_PUSH(arena, arguments.list, arguments.count, words[i]);
	return flags_of_call(arena, folder, file, &arguments, count, diagnostics);
}

/*
 * The arguments of a compiler's command: which of them matter for reading a file. Files of further arguments (nvcc's --options-file, gcc's @file), in which
 * CMake keeps folders of headers, are read too.
 */
#include "analyzer/front/front.h"

#include <string.h>

/* Files of arguments that name each other are not followed for ever. */
#define FILE_DEPTH_MAX 8

/*
 * Flags of nvcc (and of the compilers that it takes flags from): X(name, as, use, form). A word of one letter stands for all that begin with it. Those that have
 * no row are none: a new one needs nothing else.
 */
#define FLAGS(X)                                                                                                                   \
	X("-D", "-D", READ, VALUE)                                                                                                 \
	X("-U", "-U", READ, VALUE)                                                                                                 \
	X("--define-macro", "-D", READ, VALUE)                                                                                     \
	X("--undefine-macro", "-U", READ, VALUE)                                                                                   \
	X("-isystem", "-isystem", READ, FOLDER)                                                                                    \
	X("--system-include", "-isystem", READ, FOLDER)                                                                            \
	X("-include", "-include", READ, FOLDER)                                                                                    \
	X("--pre-include", "-include", READ, FOLDER)                                                                               \
	X("--include-path", "-I", READ, FOLDER)                                                                                    \
	X("-iquote", "-iquote", READ, FOLDER)                                                                                      \
	X("-I", "-I", READ, FOLDER)                                                                                                \
	X("-std", "-std=", READ, VALUE)                                                                                            \
	X("--std", "-std=", READ, VALUE)                                                                                           \
	X("-use_fast_math", "--use_fast_math", COMPILED, NONE)                                                                     \
	X("--use_fast_math", "--use_fast_math", COMPILED, NONE)                                                                    \
	X("-ftz", "--ftz=", COMPILED, VALUE)                                                                                       \
	X("--ftz", "--ftz=", COMPILED, VALUE)                                                                                      \
	X("-prec-div", "--prec-div=", COMPILED, VALUE)                                                                             \
	X("--prec-div", "--prec-div=", COMPILED, VALUE)                                                                            \
	X("-prec-sqrt", "--prec-sqrt=", COMPILED, VALUE)                                                                           \
	X("--prec-sqrt", "--prec-sqrt=", COMPILED, VALUE)                                                                          \
	X("-fmad", "--fmad=", COMPILED, VALUE)                                                                                     \
	X("--fmad", "--fmad=", COMPILED, VALUE)                                                                                    \
	X("-maxrregcount", "--maxrregcount=", COMPILED, VALUE)                                                                     \
	X("--maxrregcount", "--maxrregcount=", COMPILED, VALUE)                                                                    \
	X("-extended-lambda", "--extended-lambda", COMPILED, NONE)                                                                 \
	X("--extended-lambda", "--extended-lambda", COMPILED, NONE)                                                                \
	X("-expt-extended-lambda", "--extended-lambda", COMPILED, NONE)                                                            \
	X("--expt-extended-lambda", "--extended-lambda", COMPILED, NONE)                                                           \
	X("-expt-relaxed-constexpr", "--expt-relaxed-constexpr", COMPILED, NONE)                                                   \
	X("--expt-relaxed-constexpr", "--expt-relaxed-constexpr", COMPILED, NONE)                                                  \
	X("-Xptxas", "-Xptxas=", COMPILED, VALUE)                                                                                  \
	X("--ptxas-options", "-Xptxas=", COMPILED, VALUE)                                                                          \
	X("-arch", "", TARGET, VALUE)                                                                                              \
	X("--gpu-architecture", "", TARGET, VALUE)                                                                                 \
	X("-gencode", "", TARGET, VALUE)                                                                                           \
	X("--generate-code", "", TARGET, VALUE)                                                                                    \
	X("-code", "", LEFT_OUT, VALUE)                                                                                            \
	X("--gpu-code", "", LEFT_OUT, VALUE)                                                                                       \
	X("-rdc", "", LEFT_OUT, VALUE)                                                                                             \
	X("--relocatable-device-code", "", LEFT_OUT, VALUE)                                                                        \
	X("-Xcompiler", "", LEFT_OUT, VALUE)                                                                                       \
	X("--compiler-options", "", LEFT_OUT, VALUE)                                                                               \
	X("-Xlinker", "", LEFT_OUT, VALUE)                                                                                         \
	X("--linker-options", "", LEFT_OUT, VALUE)                                                                                 \
	X("-Xcudafe", "", LEFT_OUT, VALUE)                                                                                         \
	X("-diag-suppress", "", LEFT_OUT, VALUE)                                                                                   \
	X("--diag-suppress", "", LEFT_OUT, VALUE)                                                                                  \
	X("-ccbin", "", LEFT_OUT, VALUE)                                                                                           \
	X("--compiler-bindir", "", LEFT_OUT, VALUE)                                                                                \
	X("-cudart", "", LEFT_OUT, VALUE)                                                                                          \
	X("--cudart", "", LEFT_OUT, VALUE)                                                                                         \
	X("-default-stream", "", LEFT_OUT, VALUE)                                                                                  \
	X("--default-stream", "", LEFT_OUT, VALUE)                                                                                 \
	X("-x", "", LEFT_OUT, VALUE)                                                                                               \
	X("--optimize", "", LEFT_OUT, VALUE)                                                                                       \
	X("--machine-bits", "", LEFT_OUT, VALUE)                                                                                   \
	X("-lineinfo", "", LEFT_OUT, NONE)                                                                                         \
	X("--generate-line-info", "", LEFT_OUT, NONE)                                                                              \
	X("-m64", "", LEFT_OUT, NONE)                                                                                              \
	X("-c", "", LEFT_OUT, NONE)                                                                                                \
	X("-dc", "", LEFT_OUT, NONE)                                                                                               \
	X("-dlto", "", LEFT_OUT, NONE)                                                                                             \
	X("-g", "", LEFT_OUT, NONE)                                                                                                \
	X("-w", "", LEFT_OUT, NONE)                                                                                                \
	X("-O", "", LEFT_OUT, LETTER)                                                                                              \
	X("-W", "", LEFT_OUT, LETTER)                                                                                              \
	X("-l", "", LEFT_OUT, LETTER)                                                                                              \
	X("-L", "", LEFT_OUT, VALUE)

/* FOLDER: a folder or file, relative to where the compiler is started; LETTER: the value stands in the same word. */
enum flag_form { FLAG_NONE, FLAG_VALUE, FLAG_FOLDER, FLAG_LETTER };
static const struct flag {
	const char *name, *as;
	enum front_flag_use use;
	enum flag_form form;
} flags[] = {
#define X(name, as, use, form) {name, as, FRONT_FLAG_##use, FLAG_##form},
	FLAGS(X)
#undef X
};

struct flag_list {
	struct arena *arena;
	const char *folder;
	const char **list;
	unsigned count;
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
	return has_value && (argument[length] == '=' || is_short || (flag->form == FLAG_FOLDER && argument[length] == '/'));
}

/* The row of the flag that an argument begins with, or NULL. */
static const struct flag *flag_of(const char *argument, const char **value)
{
	for (unsigned i = 0; i < ARRAY_COUNT(flags); i++)
		if (flag_is(&flags[i], argument, value))
			return &flags[i];
	return NULL;
}

bool front_flag_read(struct arena *arena, unsigned count, const char *const *arguments, unsigned *at, struct front_flag *flag)
{
	const char *value = NULL;
	const struct flag *row = flag_of(arguments[*at], &value);

	*flag = (struct front_flag){.use = FRONT_FLAG_LEFT_OUT};
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
	flag->words[0] = value && row->as[0] && row->as[1] != 'i' ? arena_printf(arena, "%s%s", row->as, value) : row->as;
	flag->words[1] = row->as[0] && row->as[1] == 'i' ? value : NULL;
	return true;
}

bool front_flag_matters_to_source(const char *flag)
{
	const char *value;
	const struct flag *row = flag_of(flag, &value);

	return !row || row->use == FRONT_FLAG_READ;
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

/* A flag of a folder, where it is one, from wherever the compiler is started. */
static void push_flag(struct flag_list *found, struct front_flag flag)
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

static void read_arguments(struct flag_list *found, const struct front_words *arguments, unsigned depth)
{
	for (unsigned i = 0; i < arguments->count; i++) {
		const char *file;
		struct front_flag flag;

		if (options_file(arguments, &i, &file)) {
			read_options_file(found, file, depth);
			continue;
		}
		if (front_flag_read(found->arena, arguments->count, arguments->list, &i, &flag) && !flag.wants_value &&
		    (flag.use == FRONT_FLAG_READ || flag.use == FRONT_FLAG_COMPILED))
			push_flag(found, flag);
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

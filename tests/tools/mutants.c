/*
 * Programs changed at random, each given to the commands in a process of its own: every one must end with an exit code of the contract.
 *
 *     mutants [--count N] [--first SEED] [--keep DIR] [--seconds S] FILE.cu...
 *
 * A mutant is one of the files with one to four changes: words taken out, doubled, exchanged, put in the place of others, numbers changed, pieces of other files
 * put in, the end cut off. It is predicted from its source alone (as JSON, which must hold kernels with positive times), dumped, or rewritten as a patch; no
 * compiler is asked. Status 0, or 1 with an error on stderr, is right, everything else a failure: it is told, and its input kept in DIR. Where hardly any
 * mutant is taken with status 0 the whole run fails. The same seed and files give the same mutants. COALESCE_CUDA may name tests/fuzz/toolkit, whose small headers stand
 * in for the real ones: then most of the time is spent in our own code.
 */
#include "cli/cli.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHANGES_MOST 4
#define WORDS_MOST 60000
/* One mutant in so many is taken with status 0, at least: where fewer are, something else is wrong than the mutants. */
#define TAKEN_LEAST 10

struct word {
	const char *text;
	size_t length;
};
struct program {
	const char *path, *folder;
	struct word *words;
	unsigned count;
};
struct settings {
	unsigned long count, first, seconds;
	const char *keep, *folder;
	struct program *programs;
	unsigned program_count;
};
struct mutant {
	const struct program *from;
	struct word *words;
	unsigned count;
};
/* How a command ended: what it wrote, and its status as wait() gives it. */
struct ending {
	int status;
	char *out, *said;
};

/* What is called, after the name of the command; "@" stands for the file. */
static const char *const calls[][8] = {
	{"predict", "@", "--model=source", "--json"},
	{"predict", "@", "--model=source", "--json", "-q", "--", "4096", "7"},
	{"predict", "@", "--model=source", "--json", "-q", "--tile=all"},
	{"predict", "@", "--dump=kernel,affine"},
	{"rewrite", "@", "--no-compile", "--diff", "--layout=soa"},
	{"rewrite", "@", "--no-compile", "--diff", "--layout=asta"},
	{"rewrite", "@", "--no-compile", "--diff", "--layout=aosa"},
	{"rewrite", "@", "--no-compile", "--diff", "--layout=soa", "--style=struct"},
};

/* ---- chance ------------------------------------------------------------------------------ */

static uint64_t chance_state;

static uint64_t chance_next(void)
{
	chance_state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = chance_state;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static unsigned chance_below(unsigned bound)
{
	return bound ? (unsigned)(chance_next() % bound) : 0;
}

/* ---- words ------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t word_length(const char *text)
{
	static const char *const signs[] = {"<<<", ">>>", "->", "::", "<<", ">>", "&&", "||", "+=", "++"};
	size_t length = 0;
	while (is_letter(text[length]) || (text[length] >= '0' && text[length] <= '9'))
		length++;
	if (length == 0)
		length = strspn(text, " \t\r\n");
	for (size_t i = 0; i < ARRAY_COUNT(signs) && length == 0; i++)
		if (strncmp(text, signs[i], strlen(signs[i])) == 0)
			length = strlen(signs[i]);
	return length ? length : 1;
}

static void program_read(struct arena *arena, struct program *program, const char *path)
{
	const char *text = file_read(arena, path, NULL), *slash = strrchr(path, '/');
	*program = (struct program){.path = path, .folder = slash ? arena_strndup(arena, path, (size_t)(slash - path)) : "."};
	for (const char *next = text ? text : ""; *next && program->count < WORDS_MOST / 2;) {
		struct word word = {next, word_length(next)};
		ARENA_PUSH(arena, program->words, program->count, word);
		next += word.length;
	}
}

/* ---- changes ----------------------------------------------------------------------------- */

static void words_remove(struct mutant *mutant, unsigned at, unsigned count)
{
	count = count < mutant->count - at ? count : mutant->count - at;
	memmove(mutant->words + at, mutant->words + at + count, (mutant->count - at - count) * sizeof *mutant->words);
	mutant->count -= count;
}

static void words_insert(struct mutant *mutant, unsigned at, const struct word *from, unsigned count)
{
	struct word copy[32];
	count = count < ARRAY_COUNT(copy) ? count : ARRAY_COUNT(copy);
	if (mutant->count + count > WORDS_MOST)
		return;
	memcpy(copy, from, count * sizeof *copy);
	memmove(mutant->words + at + count, mutant->words + at, (mutant->count - at) * sizeof *mutant->words);
	memcpy(mutant->words + at, copy, count * sizeof *copy);
	mutant->count += count;
}

/* A piece of a file, of at most so many words, put in. */
static void piece_insert(struct mutant *mutant, unsigned at, const struct word *words, unsigned count, unsigned most)
{
	unsigned begin = chance_below(count), length = 1 + chance_below(most);
	if (count)
		words_insert(mutant, at, words + begin, length < count - begin ? length : count - begin);
}

static void number_change(struct mutant *mutant)
{
	static const char *const numbers[] = {"0",       "-1", "1",    "2147483648", "18446744073709551615", "1e30", "0x",
	                                      "1 << 40", "07", "1.5f", "true"};
	const char *number = numbers[chance_below(ARRAY_COUNT(numbers))];
	unsigned at = chance_below(mutant->count);
	for (unsigned i = 0; i < mutant->count; i++, at = (at + 1) % mutant->count)
		if (mutant->words[at].text[0] >= '0' && mutant->words[at].text[0] <= '9')
			break;
	mutant->words[at] = (struct word){number, strlen(number)};
}

static int word_kind(const struct word *word)
{
	char c = word->text[0];
	return is_letter(c) ? 0 : c >= '0' && c <= '9' ? 1 : strchr(" \t\r\n", c) ? 2 : 3;
}

/* The place of another word, mostly of one that is written like the word at a place, so that many mutants are still programs. */
static unsigned word_alike(const struct mutant *mutant, unsigned at)
{
	unsigned found = chance_below(mutant->count);
	bool any = chance_below(5) == 0;
	for (unsigned i = 0; i < 50 && !any && word_kind(&mutant->words[found]) != word_kind(&mutant->words[at]); i++)
		found = chance_below(mutant->count);
	return found;
}

static void words_exchange(struct mutant *mutant, unsigned at)
{
	unsigned with = word_alike(mutant, at);
	struct word kept = mutant->words[at];
	mutant->words[at] = mutant->words[with];
	mutant->words[with] = kept;
}

static void mutant_change(struct mutant *mutant, const struct program *other)
{
	unsigned at = chance_below(mutant->count);
	for (unsigned i = 0; i < 8 && word_kind(&mutant->words[at]) == 2; i++)
		at = chance_below(mutant->count);
	switch (chance_below(8)) {
	case 0:
		words_remove(mutant, at, 1 + chance_below(4));
		break;
	case 1:
		piece_insert(mutant, at, mutant->words + at, mutant->count - at, 12);
		break;
	case 2:
		words_exchange(mutant, at);
		break;
	case 3:
		mutant->words[at] = mutant->words[word_alike(mutant, at)];
		break;
	case 4:
	case 5:
		number_change(mutant);
		break;
	case 6:
		piece_insert(mutant, at, other->words, other->count, 30);
		break;
	default:
		mutant->count = chance_below(5) ? mutant->count : at;
		break;
	}
}

static struct mutant mutant_make(const struct settings *settings, uint64_t seed)
{
	static struct word words[WORDS_MOST];
	chance_state = seed * UINT64_C(0x2545f4914f6cdd1d);
	struct mutant mutant = {.from = &settings->programs[chance_below(settings->program_count)], .words = words};
	mutant.count = mutant.from->count;
	if (mutant.count)
		memcpy(words, mutant.from->words, mutant.count * sizeof *words);
	for (unsigned i = 1 + chance_below(CHANGES_MOST); i > 0 && mutant.count; i--)
		mutant_change(&mutant, &settings->programs[chance_below(settings->program_count)]);
	return mutant;
}

/* ---- running ----------------------------------------------------------------------------- */

static bool mutant_write(const struct mutant *mutant, const char *path)
{
	struct text text = {0};
	for (unsigned i = 0; i < mutant->count; i++)
		text_append(&text, mutant->words[i].text, mutant->words[i].length);
	bool written = file_write(path, text.data ? text.data : "", text.length) == 0;
	text_release(&text);
	return written;
}

static void command_call(int count, char **arguments, unsigned long seconds) NO_RETURN;
static void command_call(int count, char **arguments, unsigned long seconds)
{
	struct arena *arena = arena_create();
	struct command_line line = {0};
	const bool predicts = arguments[0][0] == 'p';
	alarm((unsigned)seconds);
	cli_begin(arguments[0]);
	enum exit_code code = EXIT_USAGE;
	if (command_line_parse(arena, predicts ? 'p' : 'r', count - 1, arguments + 1, &line))
		code = predicts ? command_predict(arena, &line) : command_rewrite(arena, &line);
	arena_release(arena);
	code = cli_finish(false, code);
	fflush(NULL);
	_exit((int)code);
}

static char *stream_read(struct arena *arena, int stream)
{
	off_t length = lseek(stream, 0, SEEK_END);
	char *text = arena_alloc(arena, (size_t)length + 1);
	text[pread(stream, text, (size_t)length, 0)] = '\0';
	close(stream);
	return text;
}

static struct ending command_end(struct arena *arena, int count, char **arguments, unsigned long seconds)
{
	const int out = memfd_create("out", MFD_CLOEXEC), said = memfd_create("said", MFD_CLOEXEC);
	struct ending ending = {0};
	pid_t child = fork();
	if (child == 0) {
		dup2(out, STDOUT_FILENO);
		dup2(said, STDERR_FILENO);
		command_call(count, arguments, seconds);
	}
	waitpid(child, &ending.status, 0);
	ending.out = stream_read(arena, out);
	ending.said = stream_read(arena, said);
	return ending;
}

/* ---- judging ----------------------------------------------------------------------------- */

/* What is wrong with the layouts of a kernel in a prediction, or NULL. */
static const char *layouts_wrong(const json_t *layouts)
{
	const json_t *row;
	size_t at;
	if (json_array_size(layouts) == 0)
		return "status 0 with an empty table";
	json_array_foreach(layouts, at, row)
	{
		double time = json_number_value(json_object_get(row, "time_us"));
		if (!isfinite(time) || time <= 0)
			return "status 0 with a time that is none";
	}
	return NULL;
}

static const char *prediction_wrong(const char *text)
{
	json_t *root = json_loads(text, 0, NULL);
	const json_t *kernels = json_object_get(root, "kernels"), *kernel;
	const char *wrong = json_array_size(kernels) ? NULL : "status 0 without a kernel";
	size_t at;
	json_array_foreach(kernels, at, kernel)
	{
		wrong = wrong ? wrong : layouts_wrong(json_object_get(kernel, "layouts"));
	}
	json_decref(root);
	return wrong;
}

/* Whether a sanitizer found something, but for libclang's own crashes: it runs in a child process for these. */
static bool is_found(const char *said)
{
	const char *summary = strstr(said, "SUMMARY: ");
	return strstr(said, "runtime error") || (strstr(said, "Sanitizer") && !(summary && strstr(summary, "libclang-")));
}

/* Why a command may not end like this, or NULL. */
static const char *ending_wrong(const struct ending *ending, bool predicts)
{
	if (WIFSIGNALED(ending->status))
		return WTERMSIG(ending->status) == SIGALRM ? "not done in time" : strsignal(WTERMSIG(ending->status));
	if (is_found(ending->said))
		return "a sanitizer's finding";
	if (strstr(ending->said, "internal error"))
		return "a bug of ours";
	if (WEXITSTATUS(ending->status) > 1)
		return "an exit code that is not for this";
	if (WEXITSTATUS(ending->status) == 1)
		return strstr(ending->said, "error:") ? NULL : "status 1 without an error";
	return predicts ? prediction_wrong(ending->out) : NULL;
}

static unsigned arguments_make(struct arena *arena, const struct mutant *mutant, const char *const *call, const char *path,
                               char **arguments)
{
	unsigned count = 0;
	for (unsigned i = 0; i < ARRAY_COUNT(calls[0]) && call[i]; i++) {
		if (i == 2)
			arguments[count++] = arena_printf(arena, "-I%s", mutant->from->folder);
		arguments[count++] = arena_strdup(arena, strcmp(call[i], "@") == 0 ? path : call[i]);
	}
	arguments[count] = NULL;
	return count;
}

/* Whether the mutant of a seed is taken as it should be; what is wrong is told. *taken counts those that end with status 0. */
static bool seed_try(const struct settings *settings, uint64_t seed, unsigned long *taken)
{
	struct arena *arena = arena_create();
	const char *path = arena_printf(arena, "%s/mutant.cu", settings->folder);
	const struct mutant mutant = mutant_make(settings, seed);
	const char *const *call = calls[chance_below(ARRAY_COUNT(calls))];
	char *arguments[ARRAY_COUNT(calls[0]) + 2];
	unsigned count = arguments_make(arena, &mutant, call, path, arguments);
	bool written = mutant_write(&mutant, path);
	struct ending ending = command_end(arena, (int)count, arguments, settings->seconds);
	const char *wrong =
		written ? ending_wrong(&ending, call[0][0] == 'p' && strncmp(call[2], "--model", 7) == 0) : "not written";
	if (wrong) {
		size_t length = strlen(ending.said);
		printf("%llu: %s (status %d):", (unsigned long long)seed, wrong, ending.status);
		for (unsigned i = 0; i < count; i++)
			printf(" %s", arguments[i]);
		printf("\n%s\n", ending.said + (length > 600 ? length - 600 : 0));
		fflush(stdout);
	}
	if (wrong && settings->keep)
		mutant_write(&mutant, arena_printf(arena, "%s/%llu.cu", settings->keep, (unsigned long long)seed));
	*taken += !wrong && ending.status == 0;
	unlink(path);
	arena_release(arena);
	return !wrong;
}

/* ---- the program ------------------------------------------------------------------------- */

static bool option_take(struct settings *settings, const char *name, const char *value)
{
	if (strcmp(name, "--count") == 0)
		settings->count = strtoul(value, NULL, 10);
	else if (strcmp(name, "--first") == 0)
		settings->first = strtoul(value, NULL, 10);
	else if (strcmp(name, "--seconds") == 0)
		settings->seconds = strtoul(value, NULL, 10);
	else if (strcmp(name, "--keep") == 0)
		settings->keep = value;
	else
		return false;
	return true;
}

int main(int count, char **arguments)
{
	struct arena *arena = arena_create();
	struct settings settings = {.count = 100, .first = 1, .seconds = 60};
	unsigned long wrong = 0, taken = 0;
	int next = 1;
	while (next + 1 < count && option_take(&settings, arguments[next], arguments[next + 1]))
		next += 2;
	settings.program_count = (unsigned)(count - next);
	settings.programs = arena_array(arena, (size_t)settings.program_count + 1, sizeof *settings.programs);
	for (unsigned i = 0; i < settings.program_count; i++)
		program_read(arena, &settings.programs[i], arguments[next + (int)i]);
	settings.folder = mkdtemp(arena_strdup(arena, "/tmp/mutants-XXXXXX"));
	if (settings.program_count == 0 || !settings.folder) {
		fprintf(stderr, "mutants: files are needed, and a folder for mutants\n");
		return 2;
	}
	for (unsigned long i = 0; i < settings.count; i++)
		wrong += !seed_try(&settings, settings.first + i, &taken);
	rmdir(settings.folder);
	printf("%lu mutants, %lu of status 0, %lu wrong\n", settings.count, taken, wrong);
	arena_release(arena);
	return wrong || taken * TAKEN_LEAST < settings.count ? 1 : 0;
}

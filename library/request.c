/*
 * What is asked: words of a command line, each looked at when it is given.
 */
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

/*
 * Options of predict that say how the program shows a prediction, or what it finds beside a file, not what is
 * predicted; coalesce_view() is for that.
 */
static const char *const showing[] = {
	"--json",  "--html",     "--format",         "--sarif",      "--dot",  "--ncu",  "--dump",
	"--color", "--gate",     "--sweep",          "--block-size", "--csv",  "--jobs", "-v",
	"-q",      "--baseline", "--write-baseline", "--no-project", "--check"};

/* "--json", and "--html=page.html". */
static bool shows(const char *option)
{
	size_t length = strcspn(option, "=");
	for (size_t i = 0; i < ARRAY_COUNT(showing); i++)
		if (strlen(showing[i]) == length && strncmp(showing[i], option, length) == 0)
			return true;
	return false;
}

bool library_request_read(struct arena *arena, const struct coalesce_request *request, struct command_line *line,
                          struct predict_options *options)
{
	unsigned count = 0, own = request->word_count + request->argument_count;
	char **words = arena_array(arena, own + 1, sizeof *words);
	for (unsigned i = 0; i < request->word_count; i++)
		words[count++] = arena_strdup(arena, request->words[i]);
	if (request->argument_count)
		words[count++] = arena_strdup(arena, "--");
	for (unsigned i = 0; i < request->argument_count; i++)
		words[count++] = arena_strdup(arena, request->arguments[i]);
	if (!command_line_parse(arena, 'p', (int)count, words, line))
		return false;
	line->file = arena_strdup(arena, request->path);
	if (!options_fill(arena, line, options))
		return false;
	options->analyzer.text = request->text ? arena_strdup(arena, request->text) : NULL;
	return true;
}

/* ---- changes ----------------------------------------------------------------------------------- */

struct request_change {
	struct coalesce_request *request;
	const char *word, *value;
	size_t length;
	bool refused;
};

/* A message of the command line's, in which options have their names without dashes. */
static const char *without_dashes(struct arena *arena, const char *message)
{
	struct text out = {0};
	for (const char *next = message; *next; next++) {
		bool begins = next == message || strchr(" '`(", next[-1]);
		if (begins && strncmp(next, "--", 2) == 0 && next[2] >= 'a' && next[2] <= 'z')
			next += 2;
		text_append(&out, next, 1);
	}
	const char *copy = arena_strdup(arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

/* Whether what the options name is there: a machine and a model; what is wrong is in `said`. */
static bool names_known(struct arena *arena, const struct predict_options *options, struct diagnostics *said)
{
	if (!cost_model_find(options->model))
		cli_error("unknown model '%s'", options->model);
	else
		(void)machine_load(arena, options->machine, said);
	return said->errors == 0;
}

static void refuse(struct request_change *change, const char *why)
{
	change->request->error = why;
	change->refused = true;
}

/* Looks at the request with its new words, of which the first is an option or a flag; without them where they are
 * wrong. */
static void words_check(struct request_change *change, unsigned count_before, bool is_flag)
{
	struct coalesce_request *request = change->request;
	struct arena *arena = arena_create();
	struct diagnostics said;
	struct command_line line = {0};
	struct predict_options options = {0};
	diagnostics_init(&said, arena);
	cli_messages_keep(&said);
	if (!library_request_read(arena, request, &line, &options) || !names_known(arena, &options, &said)) {
		const char *why = said.count ? said.list[0].message : "wrong usage";
		request->word_count = count_before;
		refuse(change, is_flag ? arena_strdup(request->arena, why) : without_dashes(request->arena, why));
	}
	cli_messages_keep(NULL);
	arena_release(arena);
}

static void option_add(void *context)
{
	struct request_change *change = context;
	struct coalesce_request *request = change->request;
	unsigned before = request->word_count;
	const char *option = arena_printf(request->arena, "%s%s", strlen(change->word) > 1 ? "--" : "-", change->word);
	if (shows(option)) {
		refuse(change, arena_printf(request->arena, "option '%s' shows a prediction: see coalesce_view()",
		                            change->word));
		return;
	}
	ARENA_PUSH(request->arena, request->words, request->word_count, option);
	if (change->value)
		ARENA_PUSH(request->arena, request->words, request->word_count,
		           arena_strdup(request->arena, change->value));
	words_check(change, before, false);
}

static void flag_add(void *context)
{
	struct request_change *change = context;
	struct coalesce_request *request = change->request;
	unsigned before = request->word_count;
	if (change->word[0] != '-' || !change->word[1] || strcmp(change->word, "--") == 0 || shows(change->word)) {
		refuse(change, arena_printf(request->arena, "'%s' is no flag", change->word));
		return;
	}
	ARENA_PUSH(request->arena, request->words, request->word_count, arena_strdup(request->arena, change->word));
	words_check(change, before, true);
}

static void argument_add(void *context)
{
	struct request_change *change = context;
	struct coalesce_request *request = change->request;
	ARENA_PUSH(request->arena, request->arguments, request->argument_count,
	           arena_strdup(request->arena, change->word));
}

static void text_set(void *context)
{
	struct request_change *change = context;
	if (memchr(change->word, 0, change->length))
		refuse(change, "the text holds a zero");
	else
		change->request->text = arena_strndup(change->request->arena, change->word, change->length);
}

static enum coalesce_status change_make(void (*make)(void *context), struct request_change change)
{
	struct failure failure = {0};
	if (!change.request)
		return COALESCE_MEMORY;
	change.request->error = "";
	if (!change.word) {
		change.request->error = "NULL is given";
		return COALESCE_USAGE;
	}
	enum coalesce_status status = library_run(make, &change, &failure);
	if (status != COALESCE_OK)
		change.request->error = status == COALESCE_MEMORY ? "out of memory" : "a bug of the library";
	return status == COALESCE_OK && change.refused ? COALESCE_USAGE : status;
}

enum coalesce_status coalesce_request_text(struct coalesce_request *request, const char *text, size_t length)
{
	return change_make(text_set, (struct request_change){.request = request, .word = text, .length = length});
}

enum coalesce_status coalesce_request_option(struct coalesce_request *request, const char *name, const char *value)
{
	return change_make(option_add, (struct request_change){.request = request, .word = name, .value = value});
}

enum coalesce_status coalesce_request_flag(struct coalesce_request *request, const char *flag)
{
	return change_make(flag_add, (struct request_change){.request = request, .word = flag});
}

enum coalesce_status coalesce_request_argument(struct coalesce_request *request, const char *word)
{
	return change_make(argument_add, (struct request_change){.request = request, .word = word});
}

const char *coalesce_request_error(const struct coalesce_request *request)
{
	return request ? request->error : "out of memory";
}

/* ---- its life ---------------------------------------------------------------------------------- */

static void request_begin(void *context)
{
	struct coalesce_request *request = context;
	request->arena = arena_create();
	request->path = arena_strdup(request->arena, request->path ? request->path : "");
}

struct coalesce_request *coalesce_request_create(const char *path)
{
	struct coalesce_request *request = calloc(1, sizeof *request);
	struct failure failure = {0};
	if (!request)
		return NULL;
	request->path = path;
	request->error = "";
	if (library_run(request_begin, request, &failure) == COALESCE_OK)
		return request;
	coalesce_request_free(request);
	return NULL;
}

void coalesce_request_free(struct coalesce_request *request)
{
	if (!request)
		return;
	arena_release(request->arena);
	free(request);
}

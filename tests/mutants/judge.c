/*
 * What is wrong with the way in which a command ended: its exit status, what it printed, and what it left in its
 * folder.
 */
#include "mutants.h"

#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define SECONDS_MOST 30

static bool has_word(const struct mutant *mutant, const char *word)
{
	for (int i = 0; i < mutant->word_count; i++)
		if (strcmp(mutant->words[i], word) == 0)
			return true;
	return false;
}

/* ---- what it printed ------------------------------------------------------------------------- */

/* Whether a sanitizer found something, but for libclang's own crashes: it runs in a child process for these. */
static bool is_found(const char *said)
{
	const char *summary = strstr(said, "SUMMARY: ");
	return strstr(said, "runtime error") ||
	       (strstr(said, "Sanitizer") && !(summary && strstr(summary, "libclang-")));
}

static bool is_inside_word(char c)
{
	return c && (isalnum((unsigned char)c) || strchr("_'\"$.:<&/#", c));
}

/* Whether a text has a number that is none, inside or outside of quotes. */
static bool has_no_number(const char *text, bool inside)
{
	static const char *const names[] = {"nan", "inf", "NaN", "Infinity"};
	bool quoted = false;
	for (const char *at = text; *at; at++) {
		quoted = *at == '\n' ? false : quoted != (*at == '"');
		for (size_t i = strchr("niNI", *at) ? 0 : ARRAY_COUNT(names);
		     i < ARRAY_COUNT(names) && quoted == inside; i++) {
			size_t length = strlen(names[i]);
			bool same = strncmp(at, names[i], length) == 0;
			if (same &&
			    (inside || ((at == text || !is_inside_word(at[-1])) && !is_inside_word(at[length]))))
				return true;
		}
	}
	return false;
}

/* Whether an input has such a word in a text: then the command may show it. */
static bool has_such_name(const struct mutant *mutant)
{
	for (int i = 0; i < mutant->word_count; i++)
		if (mutant->inputs[i].data && has_no_number(mutant->inputs[i].data, true))
			return true;
	return false;
}

/* Times of a prediction: kernels[].layouts[].time_us. */
static const char *times_wrong(const json_t *root)
{
	const json_t *kernel, *row;
	size_t k, l;
	json_array_foreach(json_object_get(root, "kernels"), k, kernel)
	{
		const json_t *layouts = json_object_get(kernel, "layouts");
		if (json_array_size(layouts) == 0)
			return "status 0 with an empty table";
		json_array_foreach(layouts, l, row)
		{
			double time = json_number_value(json_object_get(row, "time_us"));
			if (!isfinite(time) || time <= 0)
				return "status 0 with a time that is none";
		}
	}
	return NULL;
}

static const char *json_wrong(const struct mutant *mutant, const struct ending *ending)
{
	json_t *root = json_loads(ending->out.data, 0, NULL);
	const char *schema = json_string_value(json_object_get(root, "schema")), *wrong = NULL;
	if (!root)
		wrong = "what it printed is no JSON";
	else if (strcmp(mutant->words[0], "predict") == 0 && schema && strcmp(schema, "coalesce/predict/1") == 0)
		wrong = times_wrong(root);
	json_decref(root);
	return wrong;
}

static const char *printed_wrong(const struct mutant *mutant, const struct ending *ending)
{
	bool shown = strcmp(mutant->words[0], "ptx") != 0 && strcmp(mutant->words[0], "rewrite") != 0 &&
	             !has_word(mutant, "--explain");
	if (has_word(mutant, "--json"))
		return json_wrong(mutant, ending);
	return shown && has_no_number(ending->out.data, false) && !has_such_name(mutant)
	               ? "it prints a number that is none"
	               : NULL;
}

/* ---- what it left ---------------------------------------------------------------------------- */

static const struct seed_word *word_named(const struct seed *seed, const char *name, unsigned *at)
{
	for (unsigned i = 0; i < seed->word_count; i++)
		if (seed->words[i].name && strcmp(seed->words[i].name, name) == 0) {
			*at = i;
			return &seed->words[i];
		}
	for (unsigned i = 0; i < seed->beside_count; i++)
		if (strcmp(seed->beside[i].name, name) == 0)
			return &seed->beside[i];
	return NULL;
}

static bool ends_with(const struct blob *text, const char *end)
{
	size_t length = text->length;
	while (length && isspace((unsigned char)text->data[length - 1]))
		length--;
	return length >= strlen(end) && memcmp(text->data + length - strlen(end), end, strlen(end)) == 0;
}

static const char *output_wrong(struct arena *arena, const char *path)
{
	static const struct {
		const char *extension, *end;
	} forms[] = {{".json", "}"}, {".sarif", "}"}, {".html", "</html>"}, {".dot", "}"}};
	const char *dot = strrchr(path, '.');
	struct blob text = {0};
	text.data = file_read(arena, path, &text.length);
	for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
		if (dot && text.data && strcmp(dot, forms[i].extension) == 0 && !ends_with(&text, forms[i].end))
			return arena_printf(arena, "%s is half written", path);
	return NULL;
}

/* gives: the command gave a verdict, and may write. */
static const char *entry_wrong(struct arena *arena, const struct mutant *mutant, const char *folder, const char *name,
                               bool gives)
{
	unsigned at = 0;
	const struct seed_word *word = word_named(mutant->seed, name, &at);
	const char *path = arena_printf(arena, "%s/%s", folder, name);
	if (!word)
		return gives && has_word(mutant, "--in-place") ? NULL : arena_printf(arena, "it left %s", name);
	if (word->kind == WORD_OUTPUT)
		return gives ? output_wrong(arena, path) : arena_printf(arena, "it failed, and left %s", name);
	if (word->kind != WORD_FILE || (gives && has_word(mutant, "--in-place")) || !mutant->inputs[at].data)
		return NULL;
	struct blob text = {0};
	text.data = file_read(arena, path, &text.length);
	bool same = text.data && text.length == mutant->inputs[at].length &&
	            memcmp(text.data, mutant->inputs[at].data, text.length) == 0;
	return same || word != &mutant->seed->words[at] ? NULL : arena_printf(arena, "it changed its input %s", name);
}

static const char *folder_wrong(struct arena *arena, const struct mutant *mutant, const char *folder, bool gives)
{
	const char *wrong = NULL;
	DIR *entries = opendir(folder);
	for (struct dirent *entry = readdir(entries); entry && !wrong; entry = readdir(entries))
		if (entry->d_name[0] != '.')
			wrong = entry_wrong(arena, mutant, folder, entry->d_name, gives);
	closedir(entries);
	return wrong;
}

/* ---- all of it ------------------------------------------------------------------------------- */

const char *judge(struct arena *arena, const struct mutant *mutant, const struct ending *ending, const char *folder)
{
	const char *said = ending->said.data;
	const bool is_batch = strcmp(mutant->words[0], "batch") == 0; /* where a case fails it reports on the others */
	const char *wrong = ending->code < 0 || ending->code > 4 ? arena_printf(arena, "exit status %d", ending->code)
	                    : is_found(said)                     ? "a sanitizer's finding"
	                    : strstr(said, "internal error")     ? "a bug of ours"
	                    : ending->code % 4 && !strstr(said, "error:") ? "a failure without an error"
	                    : ending->seconds > SECONDS_MOST              ? "more than 30 s"
	                    : ending->code % 4 && ending->out.length && !has_word(mutant, "--json") && !is_batch
	                            ? "it failed, and printed a result"
	                    : ending->code % 4 == 0 ? printed_wrong(mutant, ending)
	                                            : NULL;
	return wrong ? wrong : folder_wrong(arena, mutant, folder, ending->code % 4 == 0 || is_batch);
}

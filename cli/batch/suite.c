/*
 * Suites (schema coalesce/suite/1): cases to predict, each a source file with options, and the file that holds their
 * measurements.
 */
#include "cli/batch/batch.h"

#include <jansson.h>
#include <string.h>

struct suite_reader {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path, *folder;
};

static bool refuse(const struct suite_reader *reader, const char *where, const char *what)
{
	diagnostics_report(reader->diagnostics, SEVERITY_ERROR, (struct place){reader->path, 0, 0}, "%s: %s", where,
	                   what);
	return false;
}

/* A path as seen from where the program runs. */
static const char *path_from(const struct suite_reader *reader, const char *path)
{
	return *path == '/' || !*reader->folder ? arena_strdup(reader->arena, path)
	                                        : arena_printf(reader->arena, "%s/%s", reader->folder, path);
}

static bool words_read(const struct suite_reader *reader, const char *where, json_t *options, struct suite_case *entry)
{
	size_t index;
	json_t *word;
	if (options && !json_is_array(options))
		return refuse(reader, where, "\"options\" is no array");
	json_array_foreach(options, index, word)
	{
		if (!json_is_string(word))
			return refuse(reader, where, "\"options\" holds something that is no text");
		const char *own_word = arena_strdup(reader->arena, json_string_value(word));
		ARENA_PUSH(reader->arena, entry->words, entry->word_count, own_word);
	}
	return true;
}

static bool case_read(const struct suite_reader *reader, const char *where, json_t *value, struct suite_case *entry)
{
	json_t *options = NULL, *published = NULL, *variants = NULL;
	json_error_t error;
	if (json_unpack_ex(value, &error, JSON_STRICT, "{s:s, s:s, s:s, s:s, s?s, s?o, s?o, s?o}", "id", &entry->id,
	                   "group", &entry->group, "file", &entry->file, "size", &entry->size, "measured",
	                   &entry->measured, "options", &options, "published", &published, "variants", &variants) != 0)
		return refuse(reader, where, error.text);
	const char *wrong = published ? batch_published_read(reader->arena, published, &entry->published) : NULL;
	if (!wrong && variants)
		wrong = batch_jobs_read(reader->arena, variants, &entry->jobs, &entry->job_count);
	if (wrong)
		return refuse(reader, where, wrong);
	if (!entry->measured)
		entry->measured = entry->id;
	if (!*entry->id ||
	    strspn(entry->id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
	            strlen(entry->id) ||
	    *entry->id == '.')
		return refuse(reader, where, "\"id\" takes letters, digits, '.', '_' and '-'");
	const char **texts[] = {&entry->id, &entry->group, &entry->size, &entry->measured};
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		*texts[i] = arena_strdup(reader->arena, *texts[i]);
	entry->file = path_from(reader, entry->file);
	return words_read(reader, where, options, entry);
}

static bool cases_read(const struct suite_reader *reader, json_t *cases, struct suite *suite)
{
	json_t *value;
	size_t index;
	if (json_array_size(cases) == 0)
		return refuse(reader, "file", "\"cases\" is no array, or empty");
	json_array_foreach(cases, index, value)
	{
		struct suite_case entry = {0};
		const char *where = arena_printf(reader->arena, "cases[%zu]", index);
		if (!case_read(reader, where, value, &entry))
			return false;
		for (unsigned i = 0; i < suite->case_count; i++)
			if (strcmp(suite->cases[i].id, entry.id) == 0)
				return refuse(reader, where,
				              arena_printf(reader->arena, "a second case with id \"%s\"", entry.id));
		ARENA_PUSH(reader->arena, suite->cases, suite->case_count, entry);
	}
	return true;
}

static bool suite_read(const struct suite_reader *reader, json_t *root, struct suite *suite)
{
	json_t *cases;
	const char *schema;
	json_error_t error;
	if (json_unpack_ex(root, &error, JSON_STRICT, "{s:s, s:s, s?s, s:o}", "schema", &schema, "machine",
	                   &suite->machine, "measured", &suite->measured, "cases", &cases) != 0)
		return refuse(reader, "file", error.text);
	suite->machine = arena_strdup(reader->arena, suite->machine);
	suite->measured = suite->measured ? path_from(reader, suite->measured) : NULL;
	return cases_read(reader, cases, suite);
}

const struct suite *batch_suite_load(struct arena *arena, const char *path, struct diagnostics *diagnostics)
{
	struct suite *suite = arena_alloc(arena, sizeof *suite);
	const char *slash = strrchr(path, '/');
	struct suite_reader reader = {arena, diagnostics, arena_strdup(arena, path),
	                              slash ? arena_strndup(arena, path, (size_t)(slash - path)) : ""};
	json_t *root = json_file_read(arena, path, "coalesce/suite/1", diagnostics);
	bool good = root && suite_read(&reader, root, suite);
	suite->path = reader.path;
	json_decref(root);
	return good ? suite : NULL;
}

bool batch_suite_line(struct arena *arena, const struct suite_case *entry, const char *machine,
                      struct command_line *line)
{
	char **words = arena_array(arena, entry->word_count + 1, sizeof *words);
	for (unsigned w = 0; w < entry->word_count; w++)
		words[w] = arena_strdup(arena, entry->words[w]);
	*line = (struct command_line){0};
	if (!command_line_parse(arena, 'b', (int)entry->word_count, words, line))
		return false;
	if (line->file) {
		cli_usage_error("case %s: '%s' is no option", entry->id, line->file);
		return false;
	}
	line->file = entry->file;
	if (line->machine.count == 0)
		ARENA_PUSH(arena, line->machine.list, line->machine.count, machine);
	return true;
}

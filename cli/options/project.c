/*
 * coalesce.json: options that a project wants of every command which reads one of its files. The file is found upward
 * from the source. What the command line says comes first. Flags are checked as those of compile_commands.json are.
 */
#include "cli/options/options.h"
#include "cli/say/say.h"

#include <errno.h>
#include <fnmatch.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char project_name[] = "coalesce.json";

struct project {
	struct arena *arena;
	struct command_line *line;
	struct diagnostics *diagnostics;
	struct json_file file;
	const char *folder;
	const char **words; /* flags for the compilers */
	unsigned word_count;
};

static void complain(const struct project *project, const char *key, const char *text)
{
	diagnostics_report(project->diagnostics, SEVERITY_ERROR,
	                   json_place(project->file.path, project->file.text, &key, 1), "%s", text);
}

/* A path as it is from where the command runs. */
static const char *path_from(const struct project *project, const char *path)
{
	return *path == '/' ? path : arena_printf(project->arena, "%s/%s", project->folder, path);
}

static void value_push(const struct project *project, struct option_values *values, const char *text)
{
	if (values->count)
		return;
	ARENA_PUSH(project->arena, values->list, values->count, text);
	values->of_project = true;
}

/* ---- the keys ---------------------------------------------------------------------------------------- */

/* Returns the text of a key, or NULL (reported). */
static const char *text_of(const struct project *project, const char *key, const json_t *value)
{
	const char *text = json_string_value(value);
	if (!text || !*text || strlen(text) != json_string_length(value)) {
		complain(project, key, arena_printf(project->arena, "\"%s\" takes a text", key));
		return NULL;
	}
	return arena_strdup(project->arena, text);
}

/* The texts of a list; false where it is none (reported). */
static bool texts_of(const struct project *project, const char *key, const json_t *value, const char ***list,
                     unsigned *count)
{
	bool good = json_is_array(value);
	for (size_t i = 0; good && i < json_array_size(value); i++) {
		const json_t *one = json_array_get(value, i);
		const char *text = json_string_value(one);
		good = text && *text && strlen(text) == json_string_length(one);
		if (good)
			ARENA_PUSH(project->arena, *list, *count, arena_strdup(project->arena, text));
	}
	if (!good)
		complain(project, key, arena_printf(project->arena, "\"%s\" takes a list of texts", key));
	return good;
}

static void machine_take(struct project *project, const char *key, const json_t *value)
{
	const char *name = text_of(project, key, value), *end = name ? strrchr(name, '.') : NULL;
	if (name)
		value_push(project, &project->line->machine,
		           end && strcmp(end, ".json") == 0 ? path_from(project, name) : name);
}

static void layouts_take(struct project *project, const char *key, const json_t *value)
{
	const char **list = NULL, *joined = "";
	unsigned count = 0;
	if (!texts_of(project, key, value, &list, &count) || count == 0)
		return;
	for (unsigned i = 0; i < count; i++)
		joined = arena_printf(project->arena, "%s%s%s", joined, i ? "," : "", list[i]);
	value_push(project, &project->line->layouts, joined);
}

static void word_push(struct project *project, const char *word)
{
	ARENA_PUSH(project->arena, project->words, project->word_count, word);
}

static void include_take(struct project *project, const char *key, const json_t *value)
{
	const char **list = NULL;
	unsigned count = 0;
	if (!texts_of(project, key, value, &list, &count))
		return;
	for (unsigned i = 0; i < count; i++)
		word_push(project, arena_printf(project->arena, "-I%s", path_from(project, list[i])));
}

static void define_take(struct project *project, const char *key, const json_t *value)
{
	const char **list = NULL;
	unsigned count = 0;
	if (!texts_of(project, key, value, &list, &count))
		return;
	for (unsigned i = 0; i < count; i++)
		word_push(project, arena_printf(project->arena, "-D%s", list[i]));
}

static void flags_take(struct project *project, const char *key, const json_t *value)
{
	const char **list = NULL;
	unsigned count = 0;
	if (!texts_of(project, key, value, &list, &count))
		return;
	for (unsigned i = 0; i < count; i++) {
		struct nvcc_flag flag;
		unsigned first = i;
		if (!flags_read(project->arena, count, list, &i, &flag) || flag.wants_value) {
			complain(project, key,
			         arena_printf(project->arena, "'%s' is no flag of nvcc's that is taken here",
			                      list[first]));
			return;
		}
		for (unsigned w = first; w <= i; w++)
			word_push(project, list[w]);
	}
}

static void gate_take(struct project *project, const char *key, const json_t *value)
{
	if (!json_is_number(value) || !(json_number_value(value) >= 0))
		complain(project, key, "\"gate\" takes a number of per cent, 0 or more");
	else if (project->line->letter == 'p')
		value_push(project, &project->line->gate,
		           arena_printf(project->arena, "%.10g", json_number_value(value)));
}

static void path_take(struct project *project, const char *key, const json_t *value, struct option_values *values)
{
	const char *path = text_of(project, key, value);
	if (path)
		value_push(project, values, path_from(project, path));
}

static void baseline_take(struct project *project, const char *key, const json_t *value)
{
	struct option_values ignored = {0};
	path_take(project, key, value, project->line->letter == 'p' ? &project->line->baseline : &ignored);
}

static void build_take(struct project *project, const char *key, const json_t *value)
{
	path_take(project, key, value, &project->line->build);
}

static void exclude_take(struct project *project, const char *key, const json_t *value)
{
	texts_of(project, key, value, &project->line->excluded, &project->line->excluded_count);
}

static void schema_take(struct project *project, const char *key, const json_t *value)
{
	text_of(project, key, value);
}

/* The keys: add a row to add one, and its property in schemas/project.schema.json. */
static const struct {
	const char *name;
	void (*take)(struct project *project, const char *key, const json_t *value);
} keys[] = {
	{"machine", machine_take}, {"layouts", layouts_take}, {"include", include_take}, {"define", define_take},
	{"flags", flags_take},     {"build", build_take},     {"gate", gate_take},       {"baseline", baseline_take},
	{"exclude", exclude_take}, {"$schema", schema_take},
};

static void key_take(struct project *project, const char *key, const json_t *value)
{
	const char *names[ARRAY_COUNT(keys)];
	for (size_t k = 0; k < ARRAY_COUNT(keys); k++) {
		names[k] = keys[k].name;
		if (strcmp(keys[k].name, key) == 0) {
			keys[k].take(project, key, value);
			return;
		}
	}
	complain(project, arena_strdup(project->arena, key),
	         arena_printf(project->arena, "unknown key '%s'%s", key,
	                      text_suggestion(project->arena, key, names, ARRAY_COUNT(keys))));
}

/* The flags, checked, before those of the command line, so that these win. */
static void flags_put(struct project *project)
{
	struct command_line *line = project->line;
	unsigned count = 0, all = 0;
	const char *const *flags = flags_of_list(project->arena, project->folder, project->file.path, project->words,
	                                         project->word_count, &count, project->diagnostics);
	const char **list = NULL;
	for (unsigned i = 0; i < count; i++)
		ARENA_PUSH(project->arena, list, all, flags[i]);
	for (unsigned i = 0; i < line->flag_count; i++)
		ARENA_PUSH(project->arena, list, all, line->flags[i]);
	line->flags = list;
	line->project_flag_count = count;
	line->flag_count = all;
}

static void keys_take(struct project *project)
{
	const char *key;
	json_t *value;
	json_object_foreach(project->file.root, key, value) key_take(project, arena_strdup(project->arena, key), value);
	if (project->word_count && project->diagnostics->errors == 0)
		flags_put(project);
}

/* ---- finding it ---------------------------------------------------------------------------------------- */

/* The folder of a file without links and dots; NULL where there is none. */
static const char *folder_of(struct arena *arena, const char *path)
{
	char whole[PATH_MAX];
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || !realpath(path, whole))
		return NULL;
	char *slash = strrchr(whole, '/');
	return arena_strndup(arena, whole, (size_t)(slash - whole));
}

/* Whether the project file is of somebody whom the reader trusts: of the reader, of root, or of the owner of the
 * source. */
static bool is_trusted(const struct stat *status, const char *source)
{
	struct stat of_source;
	return status->st_uid == geteuid() || status->st_uid == 0 ||
	       (stat(source, &of_source) == 0 && of_source.st_uid == status->st_uid);
}

/* The nearest project file above a source, or NULL. */
static const char *project_find(struct arena *arena, const char *source, struct diagnostics *diagnostics)
{
	const char *folder = folder_of(arena, source);
	struct stat status;
	for (size_t length = folder ? strlen(folder) + 1 : 0; length > 0;) {
		length--;
		const char *path = arena_printf(arena, "%.*s/%s", (int)length, folder, project_name);
		if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
			if (is_trusted(&status, source))
				return path;
			diagnostics_report(diagnostics, SEVERITY_WARNING, (struct place){path, 0, 0},
			                   "it belongs to another user, and is passed over; --no-project says so "
			                   "without this warning");
			return NULL;
		}
		while (length > 0 && folder[length - 1] != '/')
			length--;
	}
	return NULL;
}

enum exit_code options_project(struct arena *arena, struct command_line *line)
{
	struct diagnostics diagnostics;
	struct project project = {.arena = arena, .line = line, .diagnostics = &diagnostics};
	if (!option_takes_flags(line->letter) || !line->file || line->no_project.count)
		return EXIT_VERDICT;
	diagnostics_init(&diagnostics, arena);
	const char *path = project_find(arena, line->file, &diagnostics);
	if (path && json_file_open(arena, path, " the project's options", &project.file, &diagnostics)) {
		const char *slash = strrchr(path, '/');
		project.folder = slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
		line->project_folder = project.folder;
		if (json_is_object(project.file.root))
			keys_take(&project);
		else
			diagnostics_report(&diagnostics, SEVERITY_ERROR, (struct place){path, 1, 1},
			                   "it takes an object");
		json_decref(project.file.root);
		diagnostics_report(&diagnostics, SEVERITY_REMARK, (struct place){path, 0, 0}, "its options apply");
	}
	enum exit_code code = diagnostics.errors ? EXIT_INPUT : EXIT_VERDICT;
	cli_diagnostics_say(&diagnostics, options_least_severity(line, code));
	return code;
}

bool options_file_is_excluded(struct arena *arena, const struct command_line *line, const char *file)
{
	const char *folder = line->excluded_count ? folder_of(arena, file) : NULL, *slash = strrchr(file, '/');
	size_t above = line->project_folder ? strlen(line->project_folder) : 0;
	if (!folder || strncmp(folder, line->project_folder, above) != 0)
		return false;
	const char *path = arena_printf(arena, "%s/%s", folder, slash ? slash + 1 : file) + above;
	path += strspn(path, "/");
	for (unsigned i = 0; i < line->excluded_count; i++)
		if (fnmatch(line->excluded[i], path, FNM_LEADING_DIR) == 0)
			return true;
	return false;
}

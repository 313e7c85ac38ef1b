/*
 * Machine files: machines/NAME.json -> struct machine. A number is {"value", "unit", "kind", "source"}, or
 * {"value": null, "reason", "assume": {"value", "source"}} where nobody published it; machines/README.md is the format.
 * The model takes value, or the substitute, and keeps how the number is known so that reports can say so.
 */
#include "model/json.h"
#include "model/machine/file.h"
#include "model/machine/machine.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef COALESCE_DATA_DIR
#error "COALESCE_DATA_DIR: the folder that holds machines/"
#endif

static enum quantity_kind quantity_kind_of(const char *text)
{
	if (text && strcmp(text, "measured") == 0)
		return QUANTITY_MEASURED;
	if (text && strcmp(text, "published") == 0)
		return QUANTITY_PUBLISHED;
	return QUANTITY_ASSUMED;
}

static const char *text_member(struct arena *arena, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? arena_strdup(arena, text) : NULL;
}

/* Reads one number of a machine file that was found to be good. */
static void quantity_read(struct arena *arena, const json_t *entry, struct quantity *quantity)
{
	const json_t *value = json_object_get(entry, "value"), *substitute = json_object_get(entry, "assume");
	quantity->unit = text_member(arena, entry, "unit");
	if (json_is_number(value)) {
		quantity->value = json_number_value(value);
		quantity->kind = quantity_kind_of(json_string_value(json_object_get(entry, "kind")));
		quantity->source = text_member(arena, entry, "source");
	} else {
		quantity->value = json_number_value(json_object_get(substitute, "value"));
		quantity->kind = QUANTITY_SUBSTITUTED;
		quantity->source = text_member(arena, substitute, "source");
		quantity->reason = text_member(arena, entry, "reason");
	}
}

static const char *id_of_path(struct arena *arena, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t length = strlen(name);
	if (length > 5 && strcmp(name + length - 5, ".json") == 0)
		length -= 5;
	return arena_strndup(arena, name, length);
}

static bool capability_read(struct machine *machine, const char *text)
{
	return text && sscanf(text, "%u.%u", &machine->capability_major, &machine->capability_minor) == 2;
}

static const char *calibration_text(struct arena *arena, const json_t *calibration)
{
	const char *date = json_string_value(json_object_get(calibration, "date"));
	const char *driver = json_string_value(json_object_get(calibration, "driver"));
	const char *clock = json_string_value(json_object_get(calibration, "clock"));
	return date && driver && clock ? arena_printf(arena, "%s, driver %s, %s", date, driver, clock) : NULL;
}

static void notes_read(struct arena *arena, const json_t *notes, struct machine *machine)
{
	size_t index;
	const json_t *note;
	json_array_foreach(notes, index, note)
		ARENA_PUSH(arena, machine->notes, machine->note_count, arena_strdup(arena, json_string_value(note)));
}

static const struct machine *machine_from_file(const struct machine_file *file)
{
	struct machine *machine = arena_alloc(file->arena, sizeof *machine);
	if (!machine_file_check(file))
		return NULL;
	machine->path = file->path;
	machine->id = id_of_path(file->arena, file->path);
	machine->name = text_member(file->arena, file->root, "name");
	machine->architecture = text_member(file->arena, file->root, "architecture");
	if (!capability_read(machine, json_string_value(json_object_get(file->root, "compute_capability")))) {
		const char *name = "compute_capability";
		diagnostics_report(file->diagnostics, SEVERITY_ERROR, json_place(file->path, file->text, &name, 1),
		                   "%s: not like \"9.0\"", name);
		return NULL;
	}
	machine->calibrated = calibration_text(file->arena, json_object_get(file->root, "calibration"));
	notes_read(file->arena, json_object_get(file->root, "notes"), machine);
#define X(group, key)                                                                                                              \
	quantity_read(file->arena, json_object_get(json_object_get(file->root, #group), #key), &machine->group##_##key);
	MACHINE_KEYS(X)
#undef X
	return machine;
}

/* The object of a machine file and, where wanted, its text. A new reference, or NULL where it cannot be read or is no JSON (reported). */
static json_t *json_open(struct arena *arena, const char *path, const char **text_read, struct diagnostics *diagnostics)
{
	size_t length = 0;
	json_error_t error;
	struct place place = {arena_strdup(arena, path), 0, 0};
	char *text = file_read(arena, path, &length);
	if (!text) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, place, "cannot read the machine file: %s", strerror(errno));
		return NULL;
	}
	if (text_read)
		*text_read = text;
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (!root) {
		place.line = error.line > 0 ? (unsigned)error.line : 0;
		place.column = error.column > 0 ? (unsigned)error.column : 0;
		diagnostics_report(diagnostics, SEVERITY_ERROR, place, "%s", error.text);
	}
	return root;
}

static bool json_names(const json_t *root, const char *name)
{
	size_t index;
	const json_t *alias;
	json_array_foreach(json_object_get(root, "aliases"), index,
	                   alias) if (strcasecmp(json_string_value(alias) ? json_string_value(alias) : "", name) == 0) return true;
	const char *own = json_string_value(json_object_get(root, "name"));
	return own && strcasecmp(own, name) == 0;
}

static const char *const *machine_folders(struct arena *arena)
{
	const char **folders = arena_array(arena, 4, sizeof *folders);
	unsigned count = 0;
	const char *own = program_directory(arena);
	if (own) {
		folders[count++] = arena_printf(arena, "%s/../machines", own);
		folders[count++] = arena_printf(arena, "%s/../share/coalesce/machines", own);
	}
	folders[count] = COALESCE_DATA_DIR "/machines";
	return folders;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Paths of the machine files in the first machine folder that has any, sorted. */
static const char **machine_paths(struct arena *arena, unsigned *count)
{
	const char **paths = NULL;
	*count = 0;
	for (const char *const *folder = machine_folders(arena); *folder && *count == 0; folder++) {
		DIR *directory = opendir(*folder);
		for (struct dirent *entry; directory && (entry = readdir(directory));) {
			size_t length = strlen(entry->d_name);
			if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0 &&
			    strcmp(entry->d_name, "schema.json") != 0)
				ARENA_PUSH(arena, paths, *count, arena_printf(arena, "%s/%s", *folder, entry->d_name));
		}
		if (directory)
			closedir(directory);
	}
	if (*count)
		qsort(paths, *count, sizeof *paths, compare_texts);
	return paths;
}

static const struct machine *machine_from_path(struct arena *arena, const char *path, struct diagnostics *diagnostics)
{
	struct machine_file file = {.arena = arena, .diagnostics = diagnostics, .path = arena_strdup(arena, path)};
	json_t *root = json_open(arena, path, &file.text, diagnostics);
	file.root = root;
	const struct machine *machine = root ? machine_from_file(&file) : NULL;
	json_decref(root);
	return machine;
}

static void report_unknown(struct arena *arena, const char *name, const char *const *paths, unsigned count,
                           struct diagnostics *diagnostics)
{
	struct text known = {0};
	for (unsigned i = 0; i < count; i++)
		text_printf(&known, "%s%s", i ? ", " : "", id_of_path(arena, paths[i]));
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "unknown machine '%s'; known: %s", name,
	                   known.length ? known.data : "none, as no machine files were found");
	text_release(&known);
}

static const char *path_by_alias(struct arena *arena, const char *name, const char *const *paths, unsigned count,
                                 struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < count; i++) {
		json_t *root = json_open(arena, paths[i], NULL, diagnostics);
		bool found = json_names(root, name);
		json_decref(root);
		if (found)
			return paths[i];
	}
	return NULL;
}

const struct machine *machine_load(struct arena *arena, const char *name, struct diagnostics *diagnostics)
{
	size_t length = strlen(name);
	if (length > 5 && strcmp(name + length - 5, ".json") == 0)
		return machine_from_path(arena, name, diagnostics);
	unsigned count;
	const char **paths = machine_paths(arena, &count);
	const char *found = NULL;
	for (unsigned i = 0; i < count && !found; i++)
		if (strcasecmp(id_of_path(arena, paths[i]), name) == 0)
			found = paths[i];
	if (!found)
		found = path_by_alias(arena, name, paths, count, diagnostics);
	if (found)
		return machine_from_path(arena, found, diagnostics);
	report_unknown(arena, name, paths, count, diagnostics);
	return NULL;
}

const struct machine **machine_list(struct arena *arena, unsigned *count, struct diagnostics *diagnostics)
{
	unsigned path_count;
	const char **paths = machine_paths(arena, &path_count);
	const struct machine **machines = arena_array(arena, path_count + 1, sizeof(const struct machine *));
	*count = 0;
	for (unsigned i = 0; i < path_count; i++) {
		const struct machine *machine = machine_from_path(arena, paths[i], diagnostics);
		if (machine)
			machines[(*count)++] = machine;
	}
	return machines;
}

enum exit_code machine_failure(const struct diagnostics *diagnostics)
{
	for (size_t i = diagnostics->count; i-- > 0;)
		if (diagnostics->list[i].severity == SEVERITY_ERROR)
			return diagnostics->list[i].place.file ? EXIT_INPUT : EXIT_USAGE;
	return EXIT_USAGE;
}

const struct machine_number *machine_numbers(struct arena *arena, const struct machine *machine, unsigned *count)
{
	const struct machine_number numbers[] = {
#define X(group, key) {#group "." #key, &machine->group##_##key},
		MACHINE_KEYS(X)
#undef X
	};
	struct machine_number *copy = arena_array(arena, ARRAY_COUNT(numbers), sizeof *copy);
	memcpy(copy, numbers, sizeof numbers);
	*count = ARRAY_COUNT(numbers);
	return copy;
}

/* Whether a name is one of the words of a text. */
static bool names_include(const char *names, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = strstr(names, name); at; at = strstr(at + length, name))
		if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

const char **machine_assumptions(struct arena *arena, const struct machine *machine, const char *names, unsigned *count)
{
	unsigned number_count;
	const struct machine_number *numbers = machine_numbers(arena, machine, &number_count);
	const char **sentences = NULL;
	*count = 0;
	for (unsigned i = 0; i < number_count; i++) {
		const struct quantity *quantity = numbers[i].quantity;
		if (quantity->kind == QUANTITY_SUBSTITUTED && (!names || names_include(names, numbers[i].name)))
			ARENA_PUSH(arena, sentences, *count,
			           arena_printf(arena, "%s of %s is not known (%s): %.10g %s, assumed from %s", numbers[i].name,
			                        machine->name, quantity->reason, quantity->value, quantity->unit,
			                        quantity->source));
	}
	return sentences;
}

void machine_count_kinds(const struct machine *machine, unsigned counts[4])
{
	memset(counts, 0, 4 * sizeof counts[0]);
#define X(group, key) counts[machine->group##_##key.kind]++;
	MACHINE_KEYS(X)
#undef X
}

/* The oldest architecture that CUDA 13 compiles for (its release notes: Maxwell, Pascal and Volta were removed). */
#define OLDEST_TARGET 75

const char *machine_target(struct arena *arena, const struct machine *machine, bool *exact)
{
	unsigned own = machine->capability_major * 10 + machine->capability_minor;
	*exact = own >= OLDEST_TARGET;
	return arena_printf(arena, "sm_%u", *exact ? own : OLDEST_TARGET);
}

/*
 * Machine files: machines/NAME.json -> struct machine. A number is {"value", "unit", "kind", "source"}, or
 * {"value": null, "reason", "assume": {"value", "source"}} where nobody published it; machines/README.md is the format.
 * The model takes value, or the substitute, and keeps how the number is known so that reports can say so.
 */
#include "base/json/json.h"
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

/* How messages call it. */
#define MACHINE_FILE " the machine file"

static const struct quantity *quantity_of(const struct machine *machine, const struct machine_form *form)
{
	return (const void *)((const char *)machine + form->offset);
}

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
	if (json_is_number(value) || json_is_boolean(value)) {
		quantity->value = json_is_true(value) ? 1 : json_number_value(value);
		quantity->kind = quantity_kind_of(json_string_value(json_object_get(entry, "kind")));
		quantity->source = text_member(arena, entry, "source");
	} else {
		value = json_object_get(substitute, "value");
		quantity->value = json_is_true(value) ? 1 : json_number_value(value);
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

static struct machine *machine_from_file(const struct machine_file *file)
{
	struct machine *machine = arena_alloc(file->arena, sizeof *machine);
	if (!machine_check(file))
		return NULL;
	machine->path = file->json.path;
	machine->id = id_of_path(file->arena, file->json.path);
	machine->name = text_member(file->arena, file->json.root, "name");
	machine->architecture = text_member(file->arena, file->json.root, "architecture");
	if (!capability_read(machine, json_string_value(json_object_get(file->json.root, "compute_capability")))) {
		const char *name = "compute_capability";
		diagnostics_report(file->diagnostics, SEVERITY_ERROR,
		                   json_place(file->json.path, file->json.text, &name, 1), "%s: not like \"9.0\"",
		                   name);
		return NULL;
	}
	machine->calibrated = calibration_text(file->arena, json_object_get(file->json.root, "calibration"));
	notes_read(file->arena, json_object_get(file->json.root, "notes"), machine);
	machine->relative = text_member(file->arena, file->json.root, "relative");
	machine->relative = machine->relative ? machine->relative : MACHINE_RELATIVE;
	machine_tables_read(file, machine);
	for (size_t i = 0; i < machine_form_count; i++)
		quantity_read(
			file->arena,
			json_object_get(json_object_get(file->json.root, machine_forms[i].group), machine_forms[i].key),
			(void *)((char *)machine + machine_forms[i].offset));
	return machine;
}

bool machine_file_names(const json_t *root, const char *name)
{
	size_t index;
	const json_t *alias;
	json_array_foreach(json_object_get(root, "aliases"), index,
	                   alias) if (strcasecmp(json_string_value(alias) ? json_string_value(alias) : "", name) ==
	                              0) return true;
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

/* A machine with the numbers of its own file alone. */
static struct machine *machine_read(struct arena *arena, const char *path, struct diagnostics *diagnostics)
{
	struct machine_file file = {.arena = arena, .diagnostics = diagnostics};
	const struct json_part evidence = {"evidence", machine_evidence_take, &file};
	if (!json_file_open_without(arena, path, MACHINE_FILE, &evidence, &file.json, diagnostics))
		return NULL;
	if (json_object_get(file.json.root, "evidence"))
		file.evidence_count = 0;
	struct machine *machine = machine_from_file(&file);
	json_decref(file.json.root);
	return machine;
}

/* The path of the machine file of that id, or NULL. */
static const char *path_by_id(struct arena *arena, const char *id)
{
	unsigned count;
	const char **paths = machine_paths(arena, &count);
	for (unsigned i = 0; i < count; i++)
		if (strcasecmp(id_of_path(arena, paths[i]), id) == 0)
			return paths[i];
	return NULL;
}

static const struct machine *machine_from_path(struct arena *arena, const char *path, struct diagnostics *diagnostics)
{
	struct machine *machine = machine_read(arena, path, diagnostics);
	const char *other =
		machine && strcmp(machine->relative, machine->id) != 0 ? path_by_id(arena, machine->relative) : NULL;
	const struct machine *relative = other ? machine_read(arena, other, diagnostics) : NULL;
	return machine && machine_inherit(arena, machine, relative, diagnostics) ? machine : NULL;
}

static void report_unknown(struct arena *arena, const char *name, const char *const *paths, unsigned count,
                           struct diagnostics *diagnostics)
{
	const char **names = arena_array(arena, count + 1, sizeof *names);
	for (unsigned i = 0; i < count; i++)
		names[i] = id_of_path(arena, paths[i]);
	if (count == 0)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "unknown machine '%s': no machine files were found", name);
	else
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "unknown machine '%s'%s; to add one, type `coalesce calibrate -o NAME.json` where "
		                   "it is, and give "
		                   "--machine NAME.json",
		                   name, text_suggestion(arena, name, names, count));
}

static const char *path_by_alias(struct arena *arena, const char *name, const char *const *paths, unsigned count,
                                 struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < count; i++) {
		struct json_file file;
		bool found = json_file_open(arena, paths[i], MACHINE_FILE, &file, diagnostics) &&
		             machine_file_names(file.root, name);
		json_decref(file.root);
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
	const char *found = path_by_id(arena, name);
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
	struct machine_number *numbers = arena_array(arena, machine_form_count, sizeof *numbers);
	*count = 0;
	for (size_t i = 0; i < machine_form_count; i++)
		if (*machine_forms[i].readers)
			numbers[(*count)++] = (struct machine_number){machine_forms[i].name, machine_forms[i].readers,
			                                              quantity_of(machine, &machine_forms[i])};
	return numbers;
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

const char **machine_assumptions(struct arena *arena, const struct machine *machine, const char *reader,
                                 unsigned *count, unsigned *named)
{
	unsigned number_count, inherited_count = 0, inherited_named = 0;
	const struct machine_number *numbers = machine_numbers(arena, machine, &number_count);
	const char **sentences = NULL;
	*count = 0;
	for (unsigned i = 0; i < number_count; i++) {
		const struct quantity *quantity = numbers[i].quantity;
		if (quantity->kind == QUANTITY_SUBSTITUTED && (!reader || names_include(numbers[i].readers, reader)))
			ARENA_PUSH(arena, sentences, *count,
			           arena_printf(arena, "%s of %s is not known (%s): %.10g %s, assumed from %s",
			                        numbers[i].name, machine->name, quantity->reason, quantity->value,
			                        quantity->unit, quantity->source));
	}
	unsigned own = *count;
	const char **inherited = !reader || strcmp(reader, "full") == 0
	                                 ? machine_inherited(arena, machine, &inherited_count, &inherited_named)
	                                 : NULL;
	for (unsigned i = 0; i < inherited_count; i++)
		ARENA_PUSH(arena, sentences, *count, inherited[i]);
	if (named)
		*named = own + inherited_named;
	return sentences;
}

void machine_count_kinds(const struct machine *machine, unsigned counts[4])
{
	memset(counts, 0, 4 * sizeof counts[0]);
	for (size_t i = 0; i < machine_form_count; i++)
		if (*machine_forms[i].readers)
			counts[quantity_of(machine, &machine_forms[i])->kind]++;
}

/* The oldest architecture that CUDA 13 compiles for (its release notes: Maxwell, Pascal and Volta were removed). */
#define OLDEST_TARGET 75

const char *machine_target(struct arena *arena, const struct machine *machine, bool *exact)
{
	unsigned own = machine->capability_major * 10 + machine->capability_minor;
	*exact = own >= OLDEST_TARGET;
	return arena_printf(arena, "sm_%u", *exact ? own : OLDEST_TARGET);
}

/*
 * All numbers of a machine file by name, those of a calibration run's evidence among them: single numbers, and tables
 * over strides, sizes or occupancy. For models that take more than machine.def has rows for; a file without evidence
 * has none of the tables, and a model says what it takes in their place.
 */
#include "model/machine/file.h"
#include "model/machine/machine.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* A list, or a number as often as it is wanted. */
static const double *list_read(struct arena *arena, const json_t *list, size_t count)
{
	double *values = arena_array(arena, count, sizeof *values);
	for (size_t i = 0; i < count; i++)
		values[i] = json_number_value(json_is_array(list) ? json_array_get(list, i) : list);
	return values;
}

static void table_read(struct arena *arena, const char *name, const json_t *entry, struct machine *machine)
{
	const json_t *value = json_object_get(entry, "value"), *at = json_object_get(entry, "at");
	if (json_is_null(value))
		value = json_object_get(json_object_get(entry, "assume"), "value");
	if (!json_is_number(value) && !json_is_array(value))
		return;
	size_t count = json_is_array(value) ? json_array_size(value) : 1;
	const char *kind = json_string_value(json_object_get(entry, "kind")),
		   *unit = json_string_value(json_object_get(entry, "unit"));
	const json_t *source = json_object_get(
		json_is_null(json_object_get(entry, "value")) ? json_object_get(entry, "assume") : entry, "source");
	struct machine_table table = {
		.name = name,
		.value = list_read(arena, value, count),
		.at = at ? list_read(arena, at, count) : NULL,
		.count = (unsigned)count,
		.source = arena_strdup(arena, json_is_string(source) ? json_string_value(source) : ""),
		.unit = arena_strdup(arena, unit ? unit : ""),
		.kind = !kind || strcmp(kind, "unknown") == 0 ? "assumed" : arena_strdup(arena, kind)};
	ARENA_PUSH(arena, machine->tables, machine->table_count, table);
}

static size_t name_hash(const char *name)
{
	uint32_t hash = UINT32_C(0x811c9dc5);
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT32_C(0x01000193);
	return hash ^ hash >> 16;
}

/* The place of the table of that name, or the one where it would be. */
static uint32_t *table_place(const struct machine *machine, const char *name)
{
	size_t mask = machine->table_place_count - 1, at = name_hash(name) & mask;
	while (machine->table_places[at] && strcmp(machine->tables[machine->table_places[at] - 1].name, name) != 0)
		at = (at + 1) & mask;
	return &machine->table_places[at];
}

/* Of several with one name the first is found. */
static void tables_index(struct arena *arena, struct machine *machine)
{
	machine->table_place_count = 1;
	while (machine->table_place_count < 2 * machine->table_count + 1)
		machine->table_place_count *= 2;
	machine->table_places = arena_array(arena, machine->table_place_count, sizeof *machine->table_places);
	for (unsigned i = 0; i < machine->table_count; i++) {
		uint32_t *place = table_place(machine, machine->tables[i].name);
		*place = *place ? *place : i + 1;
	}
}

void machine_table_add(struct arena *arena, struct machine *machine, const struct machine_table *table)
{
	ARENA_PUSH(arena, machine->tables, machine->table_count, *table);
	if (2 * machine->table_count + 1 > machine->table_place_count)
		tables_index(arena, machine);
	else
		*table_place(machine, table->name) = machine->table_count;
}

void machine_tables_read(const struct machine_file *file, struct machine *machine)
{
	const json_t *evidence = json_object_get(file->json.root, "evidence");
	const char *key;
	json_t *entry;
	for (size_t i = 0; i < machine_form_count; i++)
		table_read(
			file->arena, machine_forms[i].name,
			json_object_get(json_object_get(file->json.root, machine_forms[i].group), machine_forms[i].key),
			machine);
	for (unsigned i = 0; i < file->evidence_count; i++)
		ARENA_PUSH(file->arena, machine->tables, machine->table_count, file->evidence[i]);
	json_object_foreach((json_t *)evidence, key, entry)
		table_read(file->arena, arena_strdup(file->arena, key), entry, machine);
	tables_index(file->arena, machine);
}

const struct machine_table *machine_table_find(const struct machine *machine, const char *name)
{
	const uint32_t *place = machine->table_places ? table_place(machine, name) : NULL;
	return place && *place ? &machine->tables[*place - 1] : NULL;
}

double machine_table_at(const struct machine_table *table, double at)
{
	unsigned i = 0;
	while (table->at && i < table->count && table->at[i] < at)
		i++;
	if (!table->at || i == 0)
		return table->value[0];
	if (i == table->count)
		return table->value[i - 1];
	double share = (at - table->at[i - 1]) / (table->at[i] - table->at[i - 1]);
	return table->value[i - 1] + share * (table->value[i] - table->value[i - 1]);
}

/* ---- instructions ------------------------------------------------------------------------- */

/* The instruction whose cost a table is: "float_fma" of "latency.float_fma_cycles" and "issue_cycles.float_fma"; NULL
 * for other tables. */
static const char *instruction_of(struct arena *arena, const char *name, bool *latency)
{
	static const char issue[] = "issue_cycles.", wait[] = "latency.", unit[] = "_cycles";
	size_t length = strlen(name);
	*latency = strncmp(name, wait, sizeof wait - 1) == 0;
	if (strncmp(name, issue, sizeof issue - 1) == 0)
		return name + sizeof issue - 1;
	if (!*latency || length < sizeof unit + sizeof wait || strcmp(name + length - (sizeof unit - 1), unit) != 0)
		return NULL;
	return arena_strndup(arena, name + sizeof wait - 1, length - (sizeof wait - 1) - (sizeof unit - 1));
}

static struct machine_instruction *instruction_add(struct arena *arena, struct machine_instruction **list,
                                                   unsigned *count, const char *name)
{
	for (unsigned i = 0; i < *count; i++)
		if (strcmp((*list)[i].name, name) == 0)
			return &(*list)[i];
	ARENA_PUSH(arena, *list, *count,
	           (struct machine_instruction){.name = name, .latency_cycles = NAN, .issue_cycles = NAN});
	return &(*list)[*count - 1];
}

const struct machine_instruction *machine_instructions(struct arena *arena, const struct machine *machine,
                                                       unsigned *count)
{
	struct machine_instruction *list = NULL;
	*count = 0;
	for (unsigned i = 0; i < machine->table_count; i++) {
		const struct machine_table *table = &machine->tables[i];
		bool latency;
		const char *name = table->count == 1 ? instruction_of(arena, table->name, &latency) : NULL;
		if (!name)
			continue;
		struct machine_instruction *instruction = instruction_add(arena, &list, count, name);
		*(latency ? &instruction->latency_cycles : &instruction->issue_cycles) = table->value[0];
		if (!instruction->source || latency) {
			instruction->source = table->source;
			instruction->kind = table->kind;
		}
	}
	return list;
}

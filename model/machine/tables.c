/*
 * All numbers of a machine file by name, those of a calibration run's evidence among them: single numbers, and tables over strides, sizes or occupancy. For models
 * that take more than machine.def has rows for; a file without evidence has none of the tables, and a model says what it takes in their place.
 */
#include "model/machine/file.h"
#include "model/machine/machine.h"

#include <jansson.h>
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
	struct machine_table table = {.name = name,
	                              .value = list_read(arena, value, count),
	                              .at = at ? list_read(arena, at, count) : NULL,
	                              .count = (unsigned)count};
	ARENA_PUSH(arena, machine->tables, machine->table_count, table);
}

void machine_tables_read(const struct machine_file *file, struct machine *machine)
{
	const json_t *evidence = json_object_get(file->json.root, "evidence");
	const char *key;
	json_t *entry;
	for (size_t i = 0; i < machine_form_count; i++)
		table_read(file->arena, machine_forms[i].name,
		           json_object_get(json_object_get(file->json.root, machine_forms[i].group), machine_forms[i].key),
		           machine);
	json_object_foreach((json_t *)evidence, key, entry) table_read(file->arena, arena_strdup(file->arena, key), entry, machine);
}

const struct machine_table *machine_table_find(const struct machine *machine, const char *name)
{
	for (unsigned i = 0; i < machine->table_count; i++)
		if (strcmp(machine->tables[i].name, name) == 0)
			return &machine->tables[i];
	return NULL;
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

/*
 * The evidence of a calibration run, which is nine tenths of a machine file: read from its text into tables, without the JSON library's values between. What is not as it should be
 * is not taken here, nor what is rare: then all of the file is read through the library, and check.c finds what is wrong, and where.
 */
#include "model/machine/file.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* A number, or a list of them. */
struct series {
	double *numbers;
	unsigned count;
	bool given, list, boolean;
};
enum entry_text { TEXT_UNIT, TEXT_KIND, TEXT_SOURCE, TEXT_METHOD, TEXT_AXIS, TEXT_COUNT };
/* A measurement, member by member. */
struct entry {
	struct series value, low, high, at;
	const char *texts[TEXT_COUNT]; /* NULL: not given */
	bool repeated;
};
/* All of them as they are read. */
struct evidence {
	struct machine_file *file;
	struct arena *scratch;
	const char **names;
	unsigned count;
};

static bool number_take(struct arena *arena, struct json_reader *reader, struct series *series)
{
	double number;
	bool whole;
	if (!json_take_number(reader, &number, &whole))
		return false;
	ARENA_PUSH(arena, series->numbers, series->count, number);
	return true;
}

static bool series_take(struct arena *arena, struct json_reader *reader, struct series *series)
{
	if (series->given)
		return false;
	series->given = true;
	series->list = json_take(reader, '[');
	if (!series->list)
		return number_take(arena, reader, series);
	do {
		if (!number_take(arena, reader, series))
			return false;
	} while (json_take(reader, ','));
	return json_take(reader, ']');
}

/* A value, which may also be true or false. */
static bool value_take(struct arena *arena, struct json_reader *reader, struct series *series)
{
	if (series->given || !json_take_boolean(reader))
		return series_take(arena, reader, series);
	series->given = series->boolean = true;
	ARENA_PUSH(arena, series->numbers, series->count, 0.0);
	return true;
}

static bool text_take(struct arena *arena, struct json_reader *reader, const char **text)
{
	const char *taken;
	if (*text || !json_take_text(reader, &taken) || !*taken)
		return false;
	*text = arena_strdup(arena, taken);
	return true;
}

static bool repeats_take(struct json_reader *reader, struct entry *entry)
{
	double count;
	bool whole = false, first = !entry->repeated;
	entry->repeated = true;
	return first && json_take_number(reader, &count, &whole) && whole;
}

static bool member_take(struct arena *arena, struct json_reader *reader, struct entry *entry)
{
	static const char *const texts[TEXT_COUNT] = {[TEXT_UNIT] = "unit",
	                                              [TEXT_KIND] = "kind",
	                                              [TEXT_SOURCE] = "source",
	                                              [TEXT_METHOD] = "method",
	                                              [TEXT_AXIS] = "axis"};
	const char *name;
	size_t text = 0;
	if (!json_take_text(reader, &name))
		return false;
	while (text < TEXT_COUNT && strcmp(name, texts[text]) != 0)
		text++;
	struct series *series = strcmp(name, "low") == 0    ? &entry->low
	                        : strcmp(name, "high") == 0 ? &entry->high
	                        : strcmp(name, "at") == 0   ? &entry->at
	                                                    : NULL;
	bool value = strcmp(name, "value") == 0, repeats = strcmp(name, "repeats") == 0;
	if (!json_take(reader, ':'))
		return false;
	if (text < TEXT_COUNT)
		return text_take(arena, reader, &entry->texts[text]);
	if (series)
		return series_take(arena, reader, series);
	if (value)
		return value_take(arena, reader, &entry->value);
	return repeats && repeats_take(reader, entry);
}

static bool entry_take(struct arena *arena, struct json_reader *reader, struct entry *entry)
{
	if (!json_take(reader, '{'))
		return false;
	do {
		if (!member_take(arena, reader, entry))
			return false;
	} while (json_take(reader, ','));
	return json_take(reader, '}');
}

/* As check.c has it. */
static bool bound_holds(const struct series *value, const struct series *limit, int sign)
{
	bool holds = !limit->given || (limit->list == value->list && limit->count == value->count);
	for (unsigned i = 0; holds && limit->given && i < value->count; i++)
		holds = sign * (limit->numbers[i] - value->numbers[i]) <= 0;
	return holds;
}

static bool entry_is_good(const struct entry *entry)
{
	bool good = entry->value.given && entry->repeated && entry->texts[TEXT_SOURCE] && entry->texts[TEXT_METHOD] &&
	            machine_unit_is_known(entry->texts[TEXT_UNIT]) && bound_holds(&entry->value, &entry->low, 1) &&
	            bound_holds(&entry->value, &entry->high, -1);
	for (unsigned i = 0; i < entry->value.count; i++)
		good = good && entry->value.numbers[i] >= 0;
	if (entry->texts[TEXT_AXIS])
		return good && entry->value.list && entry->at.list && entry->value.count == entry->at.count;
	return good && !entry->value.list && !entry->at.given;
}

static const double *numbers_kept(struct arena *arena, const struct series *series)
{
	double *numbers = arena_array(arena, series->count, sizeof *numbers);
	memcpy(numbers, series->numbers, series->count * sizeof *numbers);
	return numbers;
}

static void table_add(struct machine_file *file, const char *name, const struct entry *entry)
{
	const char *kind = entry->texts[TEXT_KIND];
	struct machine_table table = {.name = name,
	                              .value = numbers_kept(file->arena, &entry->value),
	                              .at = entry->at.given ? numbers_kept(file->arena, &entry->at) : NULL,
	                              .count = entry->value.count,
	                              .source = arena_strdup(file->arena, entry->texts[TEXT_SOURCE]),
	                              .kind = !kind || strcmp(kind, "unknown") == 0 ? "assumed" : arena_strdup(file->arena, kind)};
	ARENA_PUSH(file->arena, file->evidence, file->evidence_count, table);
}

static bool measurement_take(struct evidence *evidence, struct json_reader *reader)
{
	struct entry entry = {.repeated = false};
	const char *name;
	if (!json_take_text(reader, &name))
		return false;
	name = arena_strdup(evidence->file->arena, name);
	ARENA_PUSH(evidence->scratch, evidence->names, evidence->count, name);
	if (!json_take(reader, ':') || !entry_take(evidence->scratch, reader, &entry) || !entry_is_good(&entry))
		return false;
	if (!entry.value.boolean)
		table_add(evidence->file, name, &entry);
	return true;
}

static bool measurements_take(struct evidence *evidence, struct json_reader *reader)
{
	if (!json_take(reader, '{'))
		return false;
	do {
		if (!measurement_take(evidence, reader))
			return false;
	} while (json_take(reader, ','));
	return json_take(reader, '}');
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts them. */
static bool names_differ(const char **names, unsigned count)
{
	bool differ = true;
	qsort(names, count, sizeof *names, compare_names);
	for (unsigned i = 1; i < count; i++)
		differ = differ && strcmp(names[i - 1], names[i]) != 0;
	return differ;
}

bool machine_evidence_take(void *context, struct json_reader *reader)
{
	struct evidence evidence = {.file = context, .scratch = arena_create()};
	bool taken = measurements_take(&evidence, reader) && names_differ(evidence.names, evidence.count);
	arena_release(evidence.scratch);
	return taken;
}

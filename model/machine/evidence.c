/*
 * The evidence of a calibration run, which is nine tenths of a machine file: read from its text into tables, without
 * the JSON library's values between. What is not as it should be is not taken here, nor what is rare: then all of the
 * file is read through the library, and check.c finds what is wrong, and where.
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
enum measurement_text { TEXT_UNIT, TEXT_KIND, TEXT_SOURCE, TEXT_METHOD, TEXT_AXIS, TEXT_COUNT };
/* A measurement, member by member. */
struct evidence_entry {
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

static bool repeats_take(struct json_reader *reader, struct evidence_entry *one)
{
	double count;
	bool whole = false, first = !one->repeated;
	one->repeated = true;
	return first && json_take_number(reader, &count, &whole) && whole;
}

static bool member_take(struct arena *arena, struct json_reader *reader, struct evidence_entry *one)
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
	struct series *series = strcmp(name, "low") == 0    ? &one->low
	                        : strcmp(name, "high") == 0 ? &one->high
	                        : strcmp(name, "at") == 0   ? &one->at
	                                                    : NULL;
	bool value = strcmp(name, "value") == 0, repeats = strcmp(name, "repeats") == 0;
	if (!json_take(reader, ':'))
		return false;
	if (text < TEXT_COUNT)
		return text_take(arena, reader, &one->texts[text]);
	if (series)
		return series_take(arena, reader, series);
	if (value)
		return value_take(arena, reader, &one->value);
	return repeats && repeats_take(reader, one);
}

static bool members_take(struct arena *arena, struct json_reader *reader, struct evidence_entry *one)
{
	if (!json_take(reader, '{'))
		return false;
	do {
		if (!member_take(arena, reader, one))
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

static bool measurement_is_good(const struct evidence_entry *one)
{
	bool good = one->value.given && one->repeated && one->texts[TEXT_SOURCE] && one->texts[TEXT_METHOD] &&
	            machine_unit_is_known(one->texts[TEXT_UNIT]) && bound_holds(&one->value, &one->low, 1) &&
	            bound_holds(&one->value, &one->high, -1);
	for (unsigned i = 0; i < one->value.count; i++)
		good = good && one->value.numbers[i] >= 0;
	if (one->texts[TEXT_AXIS])
		return good && one->value.list && one->at.list && one->value.count == one->at.count;
	return good && !one->value.list && !one->at.given;
}

static const double *numbers_kept(struct arena *arena, const struct series *series)
{
	double *numbers = arena_array(arena, series->count, sizeof *numbers);
	memcpy(numbers, series->numbers, series->count * sizeof *numbers);
	return numbers;
}

static void table_add(struct machine_file *file, const char *name, const struct evidence_entry *one)
{
	const char *kind = one->texts[TEXT_KIND];
	struct machine_table table = {.name = name,
	                              .value = numbers_kept(file->arena, &one->value),
	                              .at = one->at.given ? numbers_kept(file->arena, &one->at) : NULL,
	                              .count = one->value.count,
	                              .source = arena_strdup(file->arena, one->texts[TEXT_SOURCE]),
	                              .unit = arena_strdup(file->arena, one->texts[TEXT_UNIT]),
	                              .kind = !kind || strcmp(kind, "unknown") == 0 ? "assumed"
	                                                                            : arena_strdup(file->arena, kind)};
	ARENA_PUSH(file->arena, file->evidence, file->evidence_count, table);
}

static bool measurement_take(struct evidence *evidence, struct json_reader *reader)
{
	struct evidence_entry one = {.repeated = false};
	const char *name;
	if (!json_take_text(reader, &name))
		return false;
	name = arena_strdup(evidence->file->arena, name);
	ARENA_PUSH(evidence->scratch, evidence->names, evidence->count, name);
	if (!json_take(reader, ':') || !members_take(evidence->scratch, reader, &one) || !measurement_is_good(&one))
		return false;
	if (!one.value.boolean)
		table_add(evidence->file, name, &one);
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

/*
 * Whether a machine file is one: every key known and present, every number with the key's own unit, its source and a
 * value that can be, or with a substitute; and what must hold between numbers. machines/README.md is the format;
 * machines/schema.json says the same to other programs (tests/e2e/machine_files.py holds the two against each other).
 */
#include "model/execute/execute.h"
#include "base/json/json.h"
#include "model/machine/file.h"
#include "model/machine/machine.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

const struct machine_form machine_forms[] = {
#define NUMBER(group, key, unit, rule, readers)                                                                        \
	{#group, #key, #group "." #key, unit, readers, rule, offsetof(struct machine, group##_##key)},
#include "model/machine/machine.def"
#undef NUMBER
};
const size_t machine_form_count = ARRAY_COUNT(machine_forms);

/* Between what a value in a unit can lie at all: to catch a wrong power of ten, as MHz given as Hz. */
static const struct unit_form {
	const char *unit;
	double least, most;
} units[] = {
	{"count", 0, 1e9},         {"bytes", 0, 1e15},
	{"cycles", 0, 1e6},        {"Hz", 1e7, 1e11},
	{"bytes/s", 1e8, 1e16},    {"s", 0, 10},
	{"threads/cycle", 0, 1e5}, {"bytes/cycle", 0, 1e6},
	{"tags/cycle", 0, 1e4},    {"instructions/cycle", 0, 64},
	{"boolean", 0, 1},         {"operations/s", 0, 1e18},
	{"ratio", 0, 1e6},
};

static const char *const texts[] = {"schema", "name", "architecture", "compute_capability"};
static const char *const number_members[] = {"value",  "unit", "kind", "source",  "reason",
                                             "assume", "low",  "high", "repeats", "method"};
static const char *const evidence_members[] = {"value", "unit",    "kind",   "source", "low",
                                               "high",  "repeats", "method", "axis",   "at"};

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Reports at group, group.key or group.key.member; key and member may be NULL. */
static void complain(const struct machine_file *file, const char *group, const char *key, const char *member,
                     const char *format, ...) PRINTF_LIKE(5, 6);
static void complain(const struct machine_file *file, const char *group, const char *key, const char *member,
                     const char *format, ...)
{
	const char *names[] = {group, key, member};
	unsigned count = !group ? 0 : !key ? 1 : !member ? 2 : 3;
	struct text what = {0};
	va_list arguments;
	va_start(arguments, format);
	text_vprintf(&what, format, arguments);
	va_end(arguments);
	diagnostics_report(file->diagnostics, SEVERITY_ERROR,
	                   json_place(file->json.path, file->json.text, names, count), "%s%s%s%s%s", group ? group : "",
	                   key ? "." : "", key ? key : "", group ? ": " : "", what.data);
	text_release(&what);
}

static const char *nonempty(const json_t *object, const char *member)
{
	const char *text = json_string_value(json_object_get(object, member));
	return text && *text ? text : NULL;
}

/* ---- one number ------------------------------------------------------------------------------------- */

static const struct unit_form *unit_find(const char *unit)
{
	for (size_t i = 0; unit && i < ARRAY_COUNT(units); i++)
		if (strcmp(units[i].unit, unit) == 0)
			return &units[i];
	return NULL;
}

bool machine_unit_is_known(const char *unit)
{
	return unit_find(unit) != NULL;
}

/* What a value breaks of a rule, or NULL. */
static const char *rule_broken(enum machine_rule rule, double value)
{
	switch (rule) {
	case EITHER:
	case LEAST_0:
		return value < 0 ? "must not be negative" : NULL;
	case WHOLE:
		return value < 1 || floor(value) != value ? "must be a whole number above 0" : NULL;
	case POSITIVE:
		return value <= 0 ? "must be above 0" : NULL;
	case LANES:
		return value != WARP_LANES ? "must be 32: warps have 32 lanes, and shared memory a bank for each"
		                           : NULL;
	case SECTOR:
		return value != SECTOR_BYTES ? "must be 32: requests are counted in sectors of 32 bytes" : NULL;
	case GRANULE:
		return value != SECTOR_BYTES && value != 2 * SECTOR_BYTES && value != LINE_BYTES
		               ? "must be 32, 64 or 128: DRAM is read by whole sectors of one line"
		               : NULL;
	case LINE:
		return value != LINE_BYTES ? "must be 128: tags are counted for lines of 128 bytes" : NULL;
	}
	return NULL;
}

static void value_check(const struct machine_file *file, const struct machine_form *form, const char *member,
                        const json_t *value)
{
	const struct unit_form *unit = unit_find(form->unit);
	if (!unit && form->rule != EITHER)
		bug("machine.def gives %s.%s in %s, a unit without limits", form->group, form->key, form->unit);
	if (form->rule == EITHER) {
		if (!json_is_boolean(value))
			complain(file, form->group, form->key, member, "%s must be true or false", member);
		return;
	}
	if (!json_is_number(value)) {
		complain(file, form->group, form->key, member, "%s is no number", member);
		return;
	}
	double number = json_number_value(value);
	const char *broken = rule_broken(form->rule, number);
	if (broken)
		complain(file, form->group, form->key, member, "%s is %g: %s", member, number, broken);
	else if (number < unit->least || number > unit->most)
		complain(file, form->group, form->key, member, "%s is %g %s, which no GPU has (%g to %g)", member,
		         number, form->unit, unit->least, unit->most);
}

static void range_check(const struct machine_file *file, const struct machine_form *form, const json_t *entry)
{
	const json_t *low = json_object_get(entry, "low"), *high = json_object_get(entry, "high");
	double value = json_number_value(json_object_get(entry, "value"));
	if (low && (!json_is_number(low) || json_number_value(low) > value))
		complain(file, form->group, form->key, "low", "low is no number or above the value");
	if (high && (!json_is_number(high) || json_number_value(high) < value))
		complain(file, form->group, form->key, "high", "high is no number or below the value");
}

static void known_number_check(const struct machine_file *file, const struct machine_form *form, const json_t *entry)
{
	static const char *const kinds[] = {"measured", "published", "assumed"};
	const char *kind = nonempty(entry, "kind");
	value_check(file, form, "value", json_object_get(entry, "value"));
	range_check(file, form, entry);
	if (!kind || !is_one_of(kind, kinds, ARRAY_COUNT(kinds)))
		complain(file, form->group, form->key, "kind",
		         "kind must be \"measured\", \"published\" or \"assumed\"");
	if (!nonempty(entry, "source"))
		complain(file, form->group, form->key, "source", "no source");
}

static void unknown_number_check(const struct machine_file *file, const struct machine_form *form, const json_t *entry)
{
	const json_t *assume = json_object_get(entry, "assume");
	const char *kind = nonempty(entry, "kind");
	if (!kind || strcmp(kind, "unknown") != 0)
		complain(file, form->group, form->key, "kind", "value is null, so kind must be \"unknown\"");
	if (!nonempty(entry, "reason"))
		complain(file, form->group, form->key, "reason", "value is null, and no reason is given");
	if (!assume)
		complain(file, form->group, form->key, NULL, "value is null, and nothing to assume is given");
	else
		value_check(file, form, "assume", json_object_get(assume, "value"));
	if (assume && !nonempty(assume, "source"))
		complain(file, form->group, form->key, "assume", "no source of what is assumed");
}

static void number_check(const struct machine_file *file, const struct machine_form *form, const json_t *entry)
{
	const char *unit = nonempty(entry, "unit"), *member;
	json_t *value;
	if (!json_is_object(entry)) {
		complain(file, form->group, form->key, NULL, "must be an object with value, unit, kind and source");
		return;
	}
	json_object_foreach((json_t *)entry, member,
	                    value) if (!is_one_of(member, number_members, ARRAY_COUNT(number_members)))
		complain(file, form->group, form->key, member, "unknown key \"%s\"", member);
	if (!unit)
		complain(file, form->group, form->key, "unit", "no unit; it must be \"%s\"", form->unit);
	else if (strcmp(unit, form->unit) != 0)
		complain(file, form->group, form->key, "unit", "the unit is \"%s\", and must be \"%s\"", unit,
		         form->unit);
	if (!json_object_get(entry, "value"))
		complain(file, form->group, form->key, NULL, "no value; null where it is not known");
	else if (json_is_null(json_object_get(entry, "value")))
		unknown_number_check(file, form, entry);
	else
		known_number_check(file, form, entry);
}

/* ---- groups ---------------------------------------------------------------------------------------------- */

static const struct machine_form *form_find(const char *group, const char *key)
{
	for (size_t i = 0; i < machine_form_count; i++)
		if (strcmp(machine_forms[i].group, group) == 0 && (!key || strcmp(machine_forms[i].key, key) == 0))
			return &machine_forms[i];
	return NULL;
}

static void group_check(const struct machine_file *file, const char *group, const json_t *entries)
{
	const char *key;
	json_t *entry;
	if (!json_is_object(entries)) {
		complain(file, group, NULL, NULL, "must be an object");
		return;
	}
	json_object_foreach((json_t *)entries, key, entry)
	{
		const struct machine_form *form = form_find(group, key);
		if (form)
			number_check(file, form, entry);
		else
			complain(file, group, key, NULL, "unknown key \"%s\"", key);
	}
}

static void missing_check(const struct machine_file *file)
{
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		if (!nonempty(file->json.root, texts[i]))
			complain(file, texts[i], NULL, NULL, "missing, or no text");
	for (size_t i = 0; i < machine_form_count; i++)
		if (!json_object_get(json_object_get(file->json.root, machine_forms[i].group), machine_forms[i].key))
			complain(file, machine_forms[i].group, machine_forms[i].key, NULL, "missing");
}

/* A list of texts, or nothing. */
static void texts_check(const struct machine_file *file, const char *group, const json_t *list)
{
	size_t index;
	const json_t *entry;
	if (!json_is_array(list))
		complain(file, group, NULL, NULL, "must be a list of texts");
	json_array_foreach(list, index, entry) if (!json_is_string(entry))
		complain(file, group, NULL, NULL, "entry %zu is no text", index + 1);
}

/* ---- evidence ------------------------------------------------------------------------------------------------- */

static bool is_value(const json_t *value)
{
	return json_is_number(value) || json_is_boolean(value);
}

/* A number, or one of a list. */
static double number_at(const json_t *value, size_t index)
{
	return json_number_value(json_is_array(value) ? json_array_get(value, index) : value);
}

/* Whether low or high, where given, has as many numbers as the value, none of them on its wrong side. sign: 1 for low,
 * -1 for high. */
static bool bound_holds(const json_t *entry, const char *bound, int sign)
{
	const json_t *value = json_object_get(entry, "value"), *limit = json_object_get(entry, bound);
	if (!limit)
		return true;
	if (json_is_array(value) != json_is_array(limit) || json_array_size(value) != json_array_size(limit))
		return false;
	for (size_t i = 0; i < (json_is_array(value) ? json_array_size(value) : 1); i++)
		if (sign * (number_at(limit, i) - number_at(value, i)) > 0)
			return false;
	return true;
}

static const char *evidence_problem(const json_t *entry)
{
	const json_t *value = json_object_get(entry, "value"), *at = json_object_get(entry, "at");
	size_t index;
	const json_t *item;
	if (!json_is_object(entry))
		return "must be an object";
	if (!unit_find(nonempty(entry, "unit")))
		return "no unit, or an unknown one";
	if (!nonempty(entry, "source") || !nonempty(entry, "method") ||
	    !json_is_integer(json_object_get(entry, "repeats")))
		return "source, method or repeats is missing";
	if (!bound_holds(entry, "low", 1) || !bound_holds(entry, "high", -1))
		return "the value is outside its own range";
	if (!json_object_get(entry, "axis"))
		return is_value(value) && (json_is_boolean(value) || json_number_value(value) >= 0)
		               ? NULL
		               : "value is no number, or negative";
	if (!json_array_size(value) || json_array_size(value) != json_array_size(at))
		return "value and at are not lists of one length";
	json_array_foreach(value, index,
	                   item) if (!json_is_number(item) ||
	                             json_number_value(item) < 0) return "a value is no number, or negative";
	return NULL;
}

static void evidence_check(const struct machine_file *file, const json_t *evidence)
{
	const char *key, *member;
	json_t *entry, *value;
	json_object_foreach((json_t *)evidence, key, entry)
	{
		const char *problem = evidence_problem(entry);
		if (problem)
			complain(file, "evidence", key, NULL, "%s", problem);
		json_object_foreach(entry, member,
		                    value) if (!is_one_of(member, evidence_members, ARRAY_COUNT(evidence_members)))
			complain(file, "evidence", key, member, "unknown key \"%s\"", member);
	}
}

/* ---- between numbers --------------------------------------------------------------------------------------------- */

static double number_of(const struct machine_file *file, const char *group, const char *key)
{
	const json_t *entry = json_object_get(json_object_get(file->json.root, group), key),
		     *value = json_object_get(entry, "value");
	return json_number_value(json_is_null(value) ? json_object_get(json_object_get(entry, "assume"), "value")
	                                             : value);
}

/* The first is at most the second. */
static const struct ascending {
	const char *low_group, *low, *high_group, *high;
} ascending[] = {
	{"l1", "hit_latency_cycles", "l2", "hit_latency_cycles"},
	{"l2", "hit_latency_cycles", "l2", "far_hit_latency_cycles"},
	{"l2", "hit_latency_cycles", "dram", "latency_cycles"},
	{"l1", "size_bytes", "l2", "size_bytes"},
	{"l2", "size_bytes", "dram", "size_bytes"},
	{"l1", "sector_bytes", "l1", "line_bytes"},
	{"l2", "sector_bytes", "l2", "line_bytes"},
	{"l2", "sector_bytes", "dram", "access_granularity_bytes"},
	{"dram", "read_bandwidth_bytes_per_second", "dram", "bandwidth_bytes_per_second"},
	{"dram", "write_bandwidth_bytes_per_second", "dram", "bandwidth_bytes_per_second"},
	{"launch", "overhead_seconds", "launch", "event_overhead_seconds"},
	{"lanes", "fp64", "lanes", "fp32"},
	{"l1_load_cycles", "float_stride_1", "l1_load_cycles", "float_stride_32"},
};

static void relations_check(const struct machine_file *file)
{
	double added = number_of(file, "dram", "latency_cycles") - number_of(file, "l2", "hit_latency_cycles");
	for (size_t i = 0; i < ARRAY_COUNT(ascending); i++) {
		const struct ascending *pair = &ascending[i];
		double low = number_of(file, pair->low_group, pair->low),
		       high = number_of(file, pair->high_group, pair->high);
		if (low > high)
			complain(file, pair->low_group, pair->low, NULL, "%g is above %s.%s, which is %g", low,
			         pair->high_group, pair->high, high);
	}
	if (fabs(added - number_of(file, "dram", "latency_added_cycles")) > 1e-3)
		complain(file, "dram", "latency_added_cycles", NULL,
		         "is not dram.latency_cycles - l2.hit_latency_cycles = %g", added);
}

bool machine_check(const struct machine_file *file)
{
	size_t before = file->diagnostics->errors;
	const char *group;
	json_t *entries;
	if (!json_is_object(file->json.root)) {
		complain(file, NULL, NULL, NULL, "a machine file must be an object");
		return false;
	}
	json_object_foreach((json_t *)file->json.root, group, entries)
	{
		if (form_find(group, NULL))
			group_check(file, group, entries);
		else if (strcmp(group, "relative") == 0 && !nonempty(file->json.root, group))
			complain(file, group, NULL, NULL, "must be the id of a machine file");
		else if (strcmp(group, "aliases") == 0 || strcmp(group, "notes") == 0)
			texts_check(file, group, entries);
		else if (strcmp(group, "evidence") == 0)
			evidence_check(file, entries);
		else if (!is_one_of(group, texts, ARRAY_COUNT(texts)) && strcmp(group, "calibration") != 0 &&
		         strcmp(group, "relative") != 0)
			complain(file, group, NULL, NULL, "unknown key \"%s\"", group);
	}
	missing_check(file);
	if (file->diagnostics->errors == before)
		relations_check(file);
	return file->diagnostics->errors == before;
}

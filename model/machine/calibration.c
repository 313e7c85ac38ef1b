/*
 * Calibration results -> machine file: what benchmarks/calibrate measured, put in the place of what a template says.
 * The results format is benchmarks/calibrate/README.md, the machine file's machines/README.md.
 *
 * A result whose key the template has replaces that number; every other one goes into the group "evidence". Numbers
 * that were not measured stay as they are where the template describes the same device, evidence too; else they become
 * assumptions from it, and there is none. A second run, on another card of the same device, changes no number: the file
 * says where the two do not agree.
 */
#include "base/json/json.h"
#include "model/machine/file.h"
#include "model/machine/machine.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#define RESULTS_SCHEMA "coalesce/calibration/1"
#define MACHINE_SCHEMA "coalesce/machine/1"

/* Two cards of one device may lie that far apart in what is a time, and in what is a rate. */
#define LATENCY_AGREEMENT 0.05
#define RATE_AGREEMENT 0.03

/* What a conversion works with. root is the machine file that is being made. */
struct unit_conversion {
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct place place;            /* of the results */
	const json_t *results, *other; /* other: of the run to compare with, or NULL */
	json_t *root;
	const char *device, *source;
};

static const char *text_of(const json_t *object, const char *key, const char *fallback)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text && *text ? text : fallback;
}

static void report(const struct unit_conversion *conversion, enum severity severity, const char *what,
                   const char *detail)
{
	diagnostics_report(conversion->diagnostics, severity, conversion->place, "%s%s%s", what, *detail ? ": " : "",
	                   detail);
}

/* A number as machine files have it: whole numbers without a point. Lists likewise. A new reference. */
static json_t *plain_number(const json_t *value)
{
	size_t index;
	json_t *item, *list;
	double real = json_number_value(value);
	if (json_is_real(value) && fabs(real) < 1e15 && floor(real) == real)
		return json_integer((json_int_t)real);
	if (!json_is_array(value))
		return json_deep_copy(value);
	list = json_array();
	json_array_foreach(value, index, item) json_array_append_new(list, plain_number(item));
	return list;
}

static void copy_member(json_t *to, const json_t *from, const char *key)
{
	const json_t *value = json_object_get(from, key);
	if (value)
		json_object_set_new(to, key, plain_number(value));
}

/* A new entry of a machine file for a result; tables keep their axis. */
static json_t *measured_entry(const struct unit_conversion *conversion, const json_t *result)
{
	json_t *entry = json_object();
	copy_member(entry, result, "axis");
	copy_member(entry, result, "at");
	copy_member(entry, result, "value");
	copy_member(entry, result, "unit");
	json_object_set_new(entry, "kind", json_string("measured"));
	json_object_set_new(entry, "source", json_string(conversion->source));
	copy_member(entry, result, "low");
	copy_member(entry, result, "high");
	copy_member(entry, result, "repeats");
	copy_member(entry, result, "method");
	return entry;
}

/* What is wrong with the form of a result, or NULL. */
static const char *result_problem(const json_t *result)
{
	const json_t *value = json_object_get(result, "value"), *at = json_object_get(result, "at");
	const char *key = text_of(result, "key", NULL);
	if (!key || !strchr(key, '.') || *key == '.' || !strchr(key, '.')[1])
		return "no \"key\" of the form group.key";
	if (!text_of(result, "unit", NULL) || !text_of(result, "method", NULL) ||
	    !json_is_integer(json_object_get(result, "repeats")))
		return "\"unit\", \"method\" or \"repeats\" is missing";
	if (json_object_get(result, "axis"))
		return json_is_array(value) && json_array_size(value) && json_array_size(value) == json_array_size(at)
		               ? NULL
		               : "\"at\" and \"value\" are not lists of one length";
	return json_is_number(value) || json_is_boolean(value) ? NULL : "\"value\" is no number";
}

/* Puts one result where it belongs. */
static void result_take(const struct unit_conversion *conversion, const json_t *result)
{
	const char *problem = result_problem(result), *key = text_of(result, "key", "");
	if (problem) {
		report(conversion, SEVERITY_ERROR, arena_printf(conversion->arena, "result \"%s\"", key), problem);
		return;
	}
	const char *dot = strchr(key, '.');
	json_t *group = json_object_get(conversion->root, arena_strndup(conversion->arena, key, (size_t)(dot - key)));
	const json_t *old = json_is_object(group) ? json_object_get(group, dot + 1) : NULL;
	const char *unit = text_of(old, "unit", text_of(result, "unit", ""));
	if (strcmp(unit, text_of(result, "unit", "")) != 0)
		report(conversion, SEVERITY_ERROR,
		       arena_printf(conversion->arena, "%s is in %s", key, text_of(result, "unit", "")),
		       arena_printf(conversion->arena, "machine files have %s", unit));
	else if (old && !json_object_get(result, "axis"))
		json_object_set_new(group, dot + 1, measured_entry(conversion, result));
	else
		json_object_set_new(json_object_get(conversion->root, "evidence"), key,
		                    measured_entry(conversion, result));
}

/* The value that the model takes of a number of a machine file. */
static double effective(const json_t *root, const char *group, const char *key)
{
	const json_t *entry = json_object_get(json_object_get(root, group), key);
	const json_t *value = json_object_get(entry, "value");
	return json_number_value(json_is_null(value) ? json_object_get(json_object_get(entry, "assume"), "value")
	                                             : value);
}

/* dram.latency_added_cycles is by definition a difference; measured where both of its parts are. */
static void derive_added_latency(const struct unit_conversion *conversion)
{
	double added = effective(conversion->root, "dram", "latency_cycles") -
	               effective(conversion->root, "l2", "hit_latency_cycles");
	const json_t *total = json_object_get(json_object_get(conversion->root, "dram"), "latency_cycles");
	const json_t *near = json_object_get(json_object_get(conversion->root, "l2"), "hit_latency_cycles");
	const char *measured = "measured";
	if (strcmp(text_of(total, "kind", ""), measured) != 0 || strcmp(text_of(near, "kind", ""), measured) != 0)
		measured = "assumed";
	json_object_set_new(json_object_get(conversion->root, "dram"), "latency_added_cycles",
	                    json_pack("{s:f, s:s, s:s, s:s}", "value", added, "unit", "cycles", "kind", measured,
	                              "source", "difference of dram.latency_cycles and l2.hit_latency_cycles"));
}

/* "nvidia-h200" for "NVIDIA H200" */
static char *alias_of(struct arena *arena, const char *name)
{
	char *alias = arena_strdup(arena, name);
	for (char *c = alias; *c; c++)
		*c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
	return alias;
}

/* A template of another device: what it published or measured is an assumption here. */
static void assume_from(const struct unit_conversion *conversion, const char *template_name)
{
	const char *group, *key;
	json_t *entries, *entry;
	json_object_del(conversion->root, "notes");
	json_object_set_new(conversion->root, "name", json_string(conversion->device));
	json_object_set_new(conversion->root, "aliases",
	                    json_pack("[s]", alias_of(conversion->arena, conversion->device)));
	json_object_set_new(conversion->root, "compute_capability",
	                    json_string(text_of(conversion->results, "compute_capability", "0.0")));
	json_object_foreach(conversion->root, group, entries) json_object_foreach(entries, key, entry)
	{
		if (!json_is_object(entry) || json_is_null(json_object_get(entry, "value")))
			continue;
		const char *source = arena_printf(conversion->arena, "as %s: %s", template_name,
		                                  text_of(entry, "source", "no source"));
		json_object_set_new(entry, "kind", json_string("assumed"));
		json_object_set_new(entry, "source", json_string(source));
		json_object_del(entry, "low");
		json_object_del(entry, "high");
		json_object_del(entry, "repeats");
		json_object_del(entry, "method");
	}
}

static const json_t *result_find(const json_t *results, const char *key)
{
	size_t index;
	const json_t *result;
	json_array_foreach(json_object_get(results, "results"), index,
	                   result) if (strcmp(text_of(result, "key", ""), key) == 0) return result;
	return NULL;
}

/* How far two runs may lie apart in results of a unit; 0: such results are not compared. */
static double agreement_of_unit(const char *unit)
{
	static const struct {
		const char *unit;
		double share;
	} agreements[] = {{"cycles", LATENCY_AGREEMENT},    {"s", LATENCY_AGREEMENT},
	                  {"bytes/s", RATE_AGREEMENT},      {"bytes/cycle", RATE_AGREEMENT},
	                  {"operations/s", RATE_AGREEMENT}, {"threads/cycle", RATE_AGREEMENT},
	                  {"tags/cycle", RATE_AGREEMENT},   {"Hz", RATE_AGREEMENT}};
	for (size_t i = 0; i < ARRAY_COUNT(agreements); i++)
		if (strcmp(agreements[i].unit, unit) == 0)
			return agreements[i].share;
	return 0;
}

/* A table's value at an index, or a plain number. */
static double value_at(const json_t *result, size_t index)
{
	const json_t *value = json_object_get(result, "value");
	return json_number_value(json_is_array(value) ? json_array_get(value, index) : value);
}

/* Where two results of one key lie further apart than they may: a sentence, or NULL. */
static const char *disagreement(const struct unit_conversion *conversion, const json_t *mine, const json_t *other)
{
	const char *unit = text_of(mine, "unit", "");
	double most = agreement_of_unit(unit);
	size_t count =
		json_is_array(json_object_get(mine, "value")) ? json_array_size(json_object_get(mine, "value")) : 1;
	size_t beyond = 0, worst = 0;
	for (size_t i = 0; i < count; i++) {
		double a = value_at(mine, i), b = value_at(other, i),
		       apart = a > 0 && b > 0 ? fmax(a / b, b / a) - 1 : a != b;
		beyond += apart > agreement_of_unit(unit);
		if (apart > most) {
			most = apart;
			worst = i;
		}
	}
	if (!beyond)
		return NULL;
	const char *place = "";
	if (json_object_get(mine, "axis"))
		place = arena_printf(conversion->arena, ", %zu of %zu places, the most at %g (%s)", beyond, count,
		                     json_number_value(json_array_get(json_object_get(mine, "at"), worst)),
		                     text_of(mine, "axis", ""));
	return arena_printf(conversion->arena, "%s%s: %.6g against %.6g %s", text_of(mine, "key", ""), place,
	                    value_at(mine, worst), value_at(other, worst), unit);
}

/* What a second run says: how many results were compared, and which lie too far apart. A new reference. */
static json_t *comparison_note(const struct unit_conversion *conversion)
{
	size_t index, compared = 0;
	const json_t *mine;
	json_t *beyond = json_array();
	json_array_foreach(json_object_get(conversion->results, "results"), index, mine)
	{
		const json_t *other = result_find(conversion->other, text_of(mine, "key", ""));
		const json_t *at = json_object_get(mine, "at"), *other_at = json_object_get(other, "at");
		bool same_form = other && strcmp(text_of(mine, "unit", ""), text_of(other, "unit", "")) == 0 &&
		                 (json_equal(at, other_at) || (!at && !other_at));
		if (!same_form || agreement_of_unit(text_of(mine, "unit", "")) <= 0)
			continue;
		const char *apart = disagreement(conversion, mine, other);
		compared++;
		if (apart)
			json_array_append_new(beyond, json_string(apart));
	}
	return json_pack("{s:s, s:s, s:s, s:I, s:o}", "date", text_of(conversion->other, "date", "unknown"), "uuid",
	                 text_of(conversion->other, "uuid", "unknown"), "driver",
	                 text_of(conversion->other, "driver", "unknown"), "results", (json_int_t)compared, "beyond",
	                 beyond);
}

static void calibration_note(const struct unit_conversion *conversion)
{
	const json_t *results = conversion->results;
	const char *clock = arena_printf(
		conversion->arena, "%s before, %s after the run (%s)", text_of(results, "clocks_before", "unknown"),
		text_of(results, "clocks_after", "unknown"), text_of(results, "clock_fields", "unknown"));
	json_t *note = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "date", text_of(results, "date", "unknown"),
	                         "device", conversion->device, "uuid", text_of(results, "uuid", "unknown"), "driver",
	                         text_of(results, "driver", "unknown"), "toolkit",
	                         text_of(results, "toolkit", "unknown"), "clock", clock);
	if (conversion->other)
		json_object_set_new(note, "comparison", comparison_note(conversion));
	json_object_set_new(conversion->root, "calibration", note);
}

/* Says where the results are not all that a full run gives. */
static void report_gaps(const struct unit_conversion *conversion)
{
	size_t index;
	const json_t *missing;
	if (!json_is_true(json_object_get(conversion->results, "complete")))
		report(conversion, SEVERITY_WARNING,
		       "the calibration run did not end: what it did not measure stays as in the template", "");
	if (json_is_true(json_object_get(conversion->results, "quick")))
		report(conversion, SEVERITY_WARNING, "results of --quick: too few repeats to rely on", "");
	json_array_foreach(json_object_get(conversion->results, "failures"), index, missing)
		report(conversion, SEVERITY_WARNING,
	               arena_printf(conversion->arena, "section %s failed", text_of(missing, "section", "?")),
	               text_of(missing, "reason", "?"));
}

/* The run to compare with must be of the same device, and should be of another card. */
static void report_other(const struct unit_conversion *conversion)
{
	const char *mine = text_of(conversion->results, "uuid", ""), *other = text_of(conversion->other, "uuid", "");
	if (!conversion->other)
		return;
	if (strcmp(text_of(conversion->other, "device", ""), conversion->device) != 0)
		report(conversion, SEVERITY_ERROR, "the second results are of another device",
		       text_of(conversion->other, "device", "?"));
	else if (!*mine || strcmp(mine, other) == 0)
		report(conversion, SEVERITY_WARNING, "both results are of the same card, or do not say of which", mine);
}

/* ---- the file's text: a line per number --------------------------------------------------------- */

static void dump_value(struct text *out, const json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(7));
	text_puts(out, text ? text : "null");
	free(text);
}

static void dump_group(struct text *out, const json_t *group)
{
	const char *key;
	json_t *entry;
	const char *separator = "{\n";
	json_object_foreach((json_t *)group, key, entry)
	{
		text_printf(out, "%s    \"%s\": ", separator, key);
		dump_value(out, entry);
		separator = ",\n";
	}
	text_puts(out, *separator == '{' ? "{}" : "\n  }");
}

static char *dump_machine(struct arena *arena, const json_t *root)
{
	struct text out = {0};
	const char *key, *separator = "{\n";
	json_t *value;
	json_object_foreach((json_t *)root, key, value)
	{
		text_printf(&out, "%s  \"%s\": ", separator, key);
		if (json_is_object(value))
			dump_group(&out, value);
		else
			dump_value(&out, value);
		separator = ",\n";
	}
	text_puts(&out, "\n}\n");
	char *text = arena_strndup(arena, out.data, out.length);
	text_release(&out);
	return text;
}

/* Whether the file that was made is one: measurements that contradict each other must not become one. */
static bool made_file_check(const struct unit_conversion *conversion, const char *text)
{
	const char *name = arena_printf(conversion->arena, "(machine file of %s)", conversion->place.file);
	struct machine_file file = {.arena = conversion->arena,
	                            .diagnostics = conversion->diagnostics,
	                            .json = {name, text, conversion->root}};
	return machine_check(&file);
}

/* ---- the template ---------------------------------------------------------------------------------- */

/* The machine file of that device, else one of its compute capability, else NULL. */
static const struct machine *template_find(struct arena *arena, const char *device, const char *capability,
                                           struct diagnostics *diagnostics)
{
	struct diagnostics ignored;
	diagnostics_init(&ignored, arena);
	const struct machine *own = machine_load(arena, device, &ignored);
	if (own)
		return own;
	unsigned count, major = 0, minor = 0;
	const struct machine **machines = machine_list(arena, &count, diagnostics), *relative = NULL;
	bool known = sscanf(capability, "%u.%u", &major, &minor) == 2;
	for (unsigned i = 0; i < count; i++) {
		if (known && !relative && machines[i]->capability_major == major &&
		    machines[i]->capability_minor == minor)
			relative = machines[i];
	}
	return relative;
}

static void convert(struct unit_conversion *conversion, const char *template_name)
{
	size_t index;
	const json_t *result;
	bool same = machine_file_names(conversion->root, conversion->device);
	if (!same)
		assume_from(conversion, template_name);
	if (!same || !json_object_get(conversion->root, "evidence"))
		json_object_set_new(conversion->root, "evidence", json_object());
	calibration_note(conversion);
	report_gaps(conversion);
	report_other(conversion);
	json_array_foreach(json_object_get(conversion->results, "results"), index, result)
		result_take(conversion, result);
	derive_added_latency(conversion);
}

char *machine_calibrate(struct arena *arena, const char *results_path, const char *other_path,
                        const char *template_name, struct diagnostics *diagnostics)
{
	struct unit_conversion conversion = {
		.arena = arena, .diagnostics = diagnostics, .place = {arena_strdup(arena, results_path), 0, 0}};
	size_t before = diagnostics->errors;
	char *text = NULL;
	json_t *results = json_file_read(arena, results_path, RESULTS_SCHEMA, diagnostics);
	json_t *other = results && other_path ? json_file_read(arena, other_path, RESULTS_SCHEMA, diagnostics) : NULL;
	if (diagnostics->errors > before) {
		json_decref(results);
		return NULL;
	}
	conversion.results = results;
	conversion.other = other;
	conversion.device = text_of(results, "device", "unknown device");
	conversion.source = arena_printf(arena, "calibration of this part, %s, driver %s",
	                                 text_of(results, "date", "no date"), text_of(results, "driver", "unknown"));
	const struct machine *template =
		template_name ? machine_load(arena, template_name, diagnostics)
			      : template_find(arena, conversion.device, text_of(results, "compute_capability", ""),
	                                      diagnostics);
	if (!template && diagnostics->errors == before)
		report(&conversion, SEVERITY_ERROR,
		       "no machine file to start from for this device; name one with --machine", conversion.device);
	conversion.root = template ? json_file_read(arena, template->path, MACHINE_SCHEMA, diagnostics) : NULL;
	if (conversion.root) {
		convert(&conversion, template->name);
		text = diagnostics->errors == before ? dump_machine(arena, conversion.root) : NULL;
		if (text && !made_file_check(&conversion, text))
			text = NULL;
	}
	json_decref(conversion.root);
	json_decref(results);
	json_decref(other);
	return text;
}

/*
 * coalesce machines: the machine files there are, and how their numbers are known. coalesce machines NAME or FILE.json:
 * a page with each number of one.
 */
#include "cli/cli.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const char *const kind_names[] = {[QUANTITY_MEASURED] = "measured",
                                         [QUANTITY_PUBLISHED] = "published",
                                         [QUANTITY_ASSUMED] = "assumed",
                                         [QUANTITY_SUBSTITUTED] = "unknown"};

/* ---- all of them --------------------------------------------------------------------------------- */

static void machines_table(struct text *out, const struct machine *const *machines, unsigned count)
{
	text_printf(out, "%-10s %-30s %-10s %5s %9s %10s %8s\n", "machine", "name", "capability", "SMs", "measured",
	            "published", "assumed");
	for (unsigned i = 0; i < count; i++) {
		unsigned kinds[4];
		machine_count_kinds(machines[i], kinds);
		text_printf(out, "%-10s %-30s %u.%-8u %5.0f %9u %10u %8u\n", machines[i]->id, machines[i]->name,
		            machines[i]->capability_major, machines[i]->capability_minor, machines[i]->sm_count.value,
		            kinds[QUANTITY_MEASURED], kinds[QUANTITY_PUBLISHED],
		            kinds[QUANTITY_ASSUMED] + kinds[QUANTITY_SUBSTITUTED]);
	}
	text_puts(out, "numbers of each file that the models read, by how they are known; `coalesce machines NAME` "
	               "shows them\n");
}

/* ---- one of them ----------------------------------------------------------------------------------- */

/* Units with the prefixes that people read; base 1024 for sizes. */
static const char *scaled(struct arena *arena, double value, double base, const char *const names[], unsigned count)
{
	unsigned i = 0;
	while (i + 1 < count && fabs(value) >= base) {
		value /= base;
		i++;
	}
	return arena_printf(arena, "%.5g %s", value, names[i]);
}

static const char *value_text(struct arena *arena, const struct quantity *quantity)
{
	static const char *const sizes[] = {"bytes", "KiB", "MiB", "GiB"},
				 *const clocks[] = {"Hz", "kHz", "MHz", "GHz"},
				 *const rates[] = {"bytes/s", "kB/s", "MB/s", "GB/s", "TB/s"},
				 *const times[] = {"ns", "us", "ms", "s"};
	if (strcmp(quantity->unit, "bytes") == 0)
		return scaled(arena, quantity->value, 1024, sizes, ARRAY_COUNT(sizes));
	if (strcmp(quantity->unit, "Hz") == 0)
		return scaled(arena, quantity->value, 1000, clocks, ARRAY_COUNT(clocks));
	if (strcmp(quantity->unit, "bytes/s") == 0)
		return scaled(arena, quantity->value, 1000, rates, ARRAY_COUNT(rates));
	if (strcmp(quantity->unit, "s") == 0)
		return scaled(arena, 1e9 * quantity->value, 1000, times, ARRAY_COUNT(times));
	if (strcmp(quantity->unit, "count") == 0)
		return arena_printf(arena, "%.8g", quantity->value);
	return arena_printf(arena, "%.5g %s", quantity->value, quantity->unit);
}

/* The sources of a page's numbers, each once. */
struct source_list {
	struct arena *arena;
	const char **list;
	unsigned count;
};

/* The number of a source on the page, from 1. */
static unsigned source_position(struct source_list *sources, const char *text)
{
	for (unsigned i = 0; i < sources->count; i++)
		if (strcmp(sources->list[i], text) == 0)
			return i + 1;
	ARENA_PUSH(sources->arena, sources->list, sources->count, text);
	return sources->count;
}

static unsigned source_number(struct source_list *sources, const struct quantity *quantity)
{
	return source_position(sources, quantity->kind == QUANTITY_SUBSTITUTED
	                                        ? arena_printf(sources->arena, "assumed from %s (%s)", quantity->source,
	                                                       quantity->reason)
	                                        : quantity->source);
}

static const char *group_title(const char *group)
{
	static const char *const titles[][2] = {{"sm", "streaming multiprocessors"},
	                                        {"lanes", "lanes of one multiprocessor"},
	                                        {"l1", "L1 cache, with shared memory"},
	                                        {"l2", "L2 cache"},
	                                        {"dram", "DRAM"},
	                                        {"link", "link to the host"},
	                                        {"launch", "launches"}};
	for (size_t i = 0; i < ARRAY_COUNT(titles); i++)
		if (strcmp(titles[i][0], group) == 0)
			return titles[i][1];
	return group;
}

static void numbers_print(struct text *out, struct arena *arena, const struct machine *machine,
                          struct source_list *sources)
{
	unsigned count;
	const struct machine_number *numbers = machine_numbers(arena, machine, &count);
	const char *group = "";
	for (unsigned i = 0; i < count; i++) {
		const struct quantity *quantity = numbers[i].quantity;
		const char *dot = strchr(numbers[i].name, '.');
		const char *own = arena_strndup(arena, numbers[i].name, (size_t)(dot - numbers[i].name));
		if (strcmp(own, group) != 0)
			text_printf(out, "\n%s (%s)\n", group_title(own), own);
		group = own;
		text_printf(out, "  %-40s %18s  %-9s [%u]\n", dot + 1, value_text(arena, quantity),
		            quantity->kind == QUANTITY_SUBSTITUTED ? "assumed" : kind_names[quantity->kind],
		            source_number(sources, quantity));
	}
}

static const char *cycles_text(struct arena *arena, double cycles)
{
	return isfinite(cycles) ? arena_printf(arena, "%.2f", cycles) : "";
}

static void instructions_print(struct text *out, struct arena *arena, const struct machine *machine,
                               struct source_list *sources)
{
	unsigned count;
	const struct machine_instruction *list = machine_instructions(arena, machine, &count);
	text_puts(out, "\ninstructions, in cycles: until a dependent one can issue (latency),\n"
	               "of a multiprocessor for one instruction of a warp (issue)\n");
	text_printf(out, "  %-40s %9s %10s\n", "", "latency", "issue");
	for (unsigned i = 0; i < count; i++)
		text_printf(out, "  %-40s %9s %10s  %-9s [%u]\n", list[i].name,
		            cycles_text(arena, list[i].latency_cycles), cycles_text(arena, list[i].issue_cycles),
		            list[i].kind, source_position(sources, list[i].source));
}

/* The numbers that the relative's file gives; of a table its first value. */
static void relative_print(struct text *out, const struct machine *machine)
{
	bool any = false;
	for (unsigned i = 0; i < machine->table_count; i++) {
		const struct machine_table *table = &machine->tables[i];
		if (!table->scaled)
			continue;
		if (!any)
			text_printf(out, "\nnot measured, taken from the file %s and scaled\n", machine->relative);
		any = true;
		text_printf(out, "  %-40s %12.6g %-12s %s%s x %.4g\n", table->name, table->value[0], table->unit,
		            table->count > 1 ? "..., " : "", table->scaled, table->factor);
	}
}

static void machine_print(struct text *out, struct arena *arena, const struct machine *machine,
                          const struct report_style *style)
{
	struct source_list sources = {.arena = arena};
	text_printf(out, "%s (%s), %s, compute capability %u.%u\ncalibrated: ", machine->name, machine->id,
	            machine->architecture, machine->capability_major, machine->capability_minor);
	text_wrap(out, machine->calibrated ? machine->calibrated : "never", 12, 2, style->width);
	text_puts(out, "\n");
	numbers_print(out, arena, machine, &sources);
	instructions_print(out, arena, machine, &sources);
	relative_print(out, machine);
	text_puts(out, "\nsources\n");
	for (unsigned i = 0; i < sources.count; i++) {
		text_printf(out, "  [%u] ", i + 1);
		text_wrap(out, sources.list[i], i < 9 ? 6 : 7, 6, style->width);
		text_puts(out, "\n");
	}
	text_puts(out, machine->note_count ? "\nnotes\n" : "");
	for (unsigned i = 0; i < machine->note_count; i++) {
		text_puts(out, "  ");
		text_wrap(out, machine->notes[i], 2, 4, style->width);
		text_puts(out, "\n");
	}
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static json_t *number_json(const struct machine_number *number)
{
	const struct quantity *quantity = number->quantity;
	json_t *object = json_pack("{s:s, s:f, s:s, s:s, s:s}", "name", number->name, "value", quantity->value, "unit",
	                           quantity->unit, "kind", kind_names[quantity->kind], "source", quantity->source);
	if (quantity->reason)
		json_object_set_new(object, "reason", json_string(quantity->reason));
	return object;
}

static json_t *cycles_json(double cycles)
{
	return isfinite(cycles) ? json_real(cycles) : json_null();
}

static json_t *instructions_json(struct arena *arena, const struct machine *machine)
{
	unsigned count;
	const struct machine_instruction *list = machine_instructions(arena, machine, &count);
	json_t *array = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(array, json_pack("{s:s, s:o, s:o, s:s, s:s}", "name", list[i].name,
		                                       "latency_cycles", cycles_json(list[i].latency_cycles),
		                                       "issue_cycles", cycles_json(list[i].issue_cycles), "kind",
		                                       list[i].kind, "source", list[i].source));
	return array;
}

static json_t *relative_json(const struct machine *machine)
{
	json_t *array = json_array();
	for (unsigned i = 0; i < machine->table_count; i++)
		if (machine->tables[i].scaled)
			json_array_append_new(array,
			                      json_pack("{s:s, s:f, s:s, s:s, s:f}", "name", machine->tables[i].name,
			                                "value", machine->tables[i].value[0], "unit",
			                                machine->tables[i].unit, "scaled_by", machine->tables[i].scaled,
			                                "factor", machine->tables[i].factor));
	return json_pack("{s:s, s:o}", "machine", machine->relative, "numbers", array);
}

static json_t *machine_json(struct arena *arena, const struct machine *machine, bool with_numbers)
{
	unsigned kinds[4], count;
	machine_count_kinds(machine, kinds);
	const struct machine_number *numbers = machine_numbers(arena, machine, &count);
	json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:i, s:i, s:i}", "id", machine->id, "name", machine->name,
	                           "compute_capability",
	                           arena_printf(arena, "%u.%u", machine->capability_major, machine->capability_minor),
	                           "sms", machine->sm_count.value, "measured", (int)kinds[QUANTITY_MEASURED],
	                           "published", (int)kinds[QUANTITY_PUBLISHED], "assumed",
	                           (int)(kinds[QUANTITY_ASSUMED] + kinds[QUANTITY_SUBSTITUTED]));
	json_t *list = json_array();
	for (unsigned i = 0; i < count && with_numbers; i++)
		json_array_append_new(list, number_json(&numbers[i]));
	if (with_numbers) {
		json_object_set(object, "numbers", list);
		json_object_set_new(object, "instructions", instructions_json(arena, machine));
		json_object_set_new(object, "relative", relative_json(machine));
	}
	json_decref(list);
	return object;
}

static void machines_json(struct text *out, struct arena *arena, const struct machine *const *machines, unsigned count,
                          bool with_numbers)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(list, machine_json(arena, machines[i], with_numbers));
	cli_json(out, json_pack("{s:s, s:o}", "schema", "coalesce/machines/1", "machines", list));
}

/* ---- the command --------------------------------------------------------------------------------------- */

enum exit_code command_machines(struct arena *arena, const struct command_line *line)
{
	struct report_style style;
	struct diagnostics diagnostics;
	struct text out = {0};
	unsigned count = 1;
	if (!cli_style(&line->color, &style))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	const struct machine *one = line->file ? machine_load(arena, line->file, &diagnostics) : NULL;
	const struct machine *const *machines = line->file ? &one : machine_list(arena, &count, &diagnostics);
	enum exit_code code = line->file && !one   ? machine_failure(&diagnostics)
	                      : diagnostics.errors ? EXIT_INPUT
	                                           : EXIT_VERDICT;
	cli_diagnostics(&diagnostics, line, code);
	if (line->file && !one)
		return code;
	if (line->json.count)
		machines_json(&out, arena, machines, count, one != NULL);
	else if (one)
		machine_print(&out, arena, one, &style);
	else
		machines_table(&out, machines, count);
	return cli_print(&out, code);
}

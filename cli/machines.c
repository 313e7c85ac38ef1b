/*
 * coalesce machines: the machine files there are, and how their numbers are known. coalesce machines NAME or FILE.json: each number of one.
 */
#include "cli/cli.h"

#include <jansson.h>

static const char *const kind_names[] = {[QUANTITY_MEASURED] = "measured",
                                         [QUANTITY_PUBLISHED] = "published",
                                         [QUANTITY_ASSUMED] = "assumed",
                                         [QUANTITY_SUBSTITUTED] = "unknown"};

void cli_assumptions_report(struct arena *arena, const struct prediction *prediction, struct diagnostics *diagnostics)
{
	unsigned count;
	const char **sentences = machine_assumptions(arena, prediction->machine, prediction->model->numbers, &count);
	for (unsigned i = 0; i < count; i++)
		diagnostics_report(diagnostics, SEVERITY_NOTE, (struct place){NULL, 0, 0}, "%s", sentences[i]);
}

/* ---- all of them --------------------------------------------------------------------------------- */

static void machines_table(const struct machine *const *machines, unsigned count)
{
	printf("%-10s %-30s %-10s %5s %9s %10s %8s\n", "machine", "name", "capability", "SMs", "measured", "published", "assumed");
	for (unsigned i = 0; i < count; i++) {
		unsigned kinds[4];
		machine_count_kinds(machines[i], kinds);
		printf("%-10s %-30s %u.%-8u %5.0f %9u %10u %8u\n", machines[i]->id, machines[i]->name,
		       machines[i]->capability_major, machines[i]->capability_minor, machines[i]->sm_count.value,
		       kinds[QUANTITY_MEASURED], kinds[QUANTITY_PUBLISHED], kinds[QUANTITY_ASSUMED] + kinds[QUANTITY_SUBSTITUTED]);
	}
	printf("numbers of each file that the model reads, by how they are known; `coalesce machines NAME` lists them with their "
	       "sources\n");
}

/* ---- one of them ----------------------------------------------------------------------------------- */

static void number_print(const struct machine_number *number)
{
	const struct quantity *quantity = number->quantity;
	printf("  %-42s %14.8g %-18s ", number->name, quantity->value, quantity->unit);
	if (quantity->kind == QUANTITY_SUBSTITUTED)
		printf("assumed from %s (%s)\n", quantity->source, quantity->reason);
	else
		printf("%s\n", quantity->source);
}

/* The numbers that are known in one of two ways; how: the heading. */
static void kinds_print(const char *how, const struct machine_number *numbers, unsigned count, enum quantity_kind one,
                        enum quantity_kind other)
{
	unsigned found = 0;
	for (unsigned i = 0; i < count; i++)
		found += numbers[i].quantity->kind == one || numbers[i].quantity->kind == other;
	printf("%s: %u\n", how, found);
	for (unsigned i = 0; i < count; i++)
		if (numbers[i].quantity->kind == one || numbers[i].quantity->kind == other)
			number_print(&numbers[i]);
}

static void machine_print(struct arena *arena, const struct machine *machine)
{
	unsigned count;
	const struct machine_number *numbers = machine_numbers(arena, machine, &count);
	printf("%s (%s), %s, compute capability %u.%u\n", machine->name, machine->id, machine->architecture,
	       machine->capability_major, machine->capability_minor);
	printf("calibrated: %s\n", machine->calibrated ? machine->calibrated : "never");
	kinds_print("measured", numbers, count, QUANTITY_MEASURED, QUANTITY_MEASURED);
	kinds_print("published", numbers, count, QUANTITY_PUBLISHED, QUANTITY_PUBLISHED);
	kinds_print("assumed", numbers, count, QUANTITY_ASSUMED, QUANTITY_SUBSTITUTED);
	for (unsigned i = 0; i < machine->note_count; i++)
		printf("note: %s\n", machine->notes[i]);
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

static json_t *machine_json(struct arena *arena, const struct machine *machine, bool with_numbers)
{
	unsigned kinds[4], count;
	machine_count_kinds(machine, kinds);
	const struct machine_number *numbers = machine_numbers(arena, machine, &count);
	json_t *object =
		json_pack("{s:s, s:s, s:s, s:f, s:i, s:i, s:i}", "id", machine->id, "name", machine->name, "compute_capability",
	                  arena_printf(arena, "%u.%u", machine->capability_major, machine->capability_minor), "sms",
	                  machine->sm_count.value, "measured", (int)kinds[QUANTITY_MEASURED], "published",
	                  (int)kinds[QUANTITY_PUBLISHED], "assumed", (int)(kinds[QUANTITY_ASSUMED] + kinds[QUANTITY_SUBSTITUTED]));
	json_t *list = json_array();
	for (unsigned i = 0; i < count && with_numbers; i++)
		json_array_append_new(list, number_json(&numbers[i]));
	if (with_numbers)
		json_object_set(object, "numbers", list);
	json_decref(list);
	return object;
}

static void machines_json(struct arena *arena, const struct machine *const *machines, unsigned count, bool with_numbers)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(list, machine_json(arena, machines[i], with_numbers));
	json_t *root = json_pack("{s:s, s:o}", "schema", "coalesce/machines/1", "machines", list);
	json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	putchar('\n');
	json_decref(root);
}

/* ---- the command --------------------------------------------------------------------------------------- */

static enum exit_code machines_run(struct arena *arena, const struct command_line *line, struct diagnostics *diagnostics)
{
	unsigned count = 1;
	const struct machine *one = line->file ? machine_load(arena, line->file, diagnostics) : NULL;
	if (line->file && !one)
		return machine_failure(diagnostics);
	const struct machine *const *machines = one ? &one : machine_list(arena, &count, diagnostics);
	if (line->json.count)
		machines_json(arena, machines, count, one != NULL);
	else if (one)
		machine_print(arena, one);
	else
		machines_table(machines, count);
	return diagnostics->errors ? EXIT_INPUT : EXIT_VERDICT;
}

enum exit_code command_machines(struct arena *arena, const struct command_line *line)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	enum exit_code code = machines_run(arena, line, &diagnostics);
	diagnostics_print(&diagnostics, 0, SEVERITY_NOTE, stderr);
	return code;
}

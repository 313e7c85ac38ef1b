/*
 * coalesce machines: the machine files there are, and how their numbers are known.
 */
#include "cli/cli.h"

#include <jansson.h>

static void machines_table(const struct machine *const *machines, unsigned count)
{
	printf("%-10s %-30s %-10s %5s %9s %10s %8s\n", "machine", "name", "capability", "SMs", "measured", "published", "assumed");
	for (unsigned i = 0; i < count; i++) {
		unsigned kinds[4];
		machine_count_kinds(machines[i], kinds);
		printf("%-10s %-30s %u.%-8u %5.0f %9u %10u %8u\n", machines[i]->id, machines[i]->name, machines[i]->capability_major,
		       machines[i]->capability_minor, machines[i]->sm_count.value, kinds[QUANTITY_MEASURED], kinds[QUANTITY_PUBLISHED],
		       kinds[QUANTITY_ASSUMED] + kinds[QUANTITY_SUBSTITUTED]);
	}
	printf("numbers of each file that the model reads, by how they are known; assumed ones name their source in the file\n");
}

static json_t *machine_json(struct arena *arena, const struct machine *machine)
{
	unsigned kinds[4];
	machine_count_kinds(machine, kinds);
	return json_pack("{s:s, s:s, s:s, s:f, s:i, s:i, s:i}", "id", machine->id, "name", machine->name, "compute_capability",
	                 arena_printf(arena, "%u.%u", machine->capability_major, machine->capability_minor), "sms",
	                 machine->sm_count.value, "measured", (int)kinds[QUANTITY_MEASURED], "published", (int)kinds[QUANTITY_PUBLISHED],
	                 "assumed", (int)(kinds[QUANTITY_ASSUMED] + kinds[QUANTITY_SUBSTITUTED]));
}

static void machines_json(struct arena *arena, const struct machine *const *machines, unsigned count)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(list, machine_json(arena, machines[i]));
	json_t *root = json_pack("{s:s, s:o}", "schema", "coalesce/machines/1", "machines", list);
	json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	putchar('\n');
	json_decref(root);
}

enum exit_code command_machines(int count, char **arguments)
{
	struct arena *arena = arena_create();
	struct command_line line = {0};
	struct diagnostics diagnostics;
	enum exit_code code = EXIT_USAGE;
	unsigned machine_count = 0;
	diagnostics_init(&diagnostics, arena);
	if (command_line_parse(arena, 'm', count, arguments, &line)) {
		const struct machine **machines = machine_list(arena, &machine_count, &diagnostics);
		if (line.json.count)
			machines_json(arena, machines, machine_count);
		else
			machines_table(machines, machine_count);
		diagnostics_print(&diagnostics, 0, SEVERITY_NOTE, stderr);
		code = diagnostics.errors ? EXIT_INPUT : EXIT_VERDICT;
	}
	arena_release(arena);
	return code;
}

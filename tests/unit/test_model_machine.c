/* Machine files, places in them, targets. */
#include "base/json/json.h"
#include "model/machine/file.h"
#include "model/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>
#include <string.h>

static const struct machine *load(struct arena *arena, const char *name)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const struct machine *machine = machine_load(arena, name, &diagnostics);
	if (!machine)
		diagnostics_print(&diagnostics, 0, SEVERITY_NOTE, stderr);
	assert_non_null(machine);
	return machine;
}

static void test_thesis_constants(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena, "gtx980");
	(void)state;
	assert_true(machine->l2_hit_latency_cycles.value == 194);
	assert_true(machine->dram_latency_added_cycles.value == 285);
	assert_true(machine->l2_transaction_delay_cycles.value == 8);
	assert_true(machine->dram_transaction_delay_cycles.value == 3);
	assert_int_equal(machine->capability_major, 5);
	arena_release(arena);
}

static void test_alias_and_kinds(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena, "NVIDIA H200");
	unsigned kinds[4], sum = 0, keys;
	(void)state;
	assert_string_equal(machine->id, "h200");
	machine_count_kinds(machine, kinds);
	for (unsigned i = 0; i < 4; i++)
		sum += kinds[i];
	machine_numbers(arena, machine, &keys);
	assert_int_equal(sum, keys);
	assert_true(machine->l1_unified_with_shared_memory.value == 1);
	assert_true(load(arena, "gtx980")->l1_unified_with_shared_memory.value == 0);
	assert_true(machine->l2_hit_latency_cycles.source != NULL);
	arena_release(arena);
}

static void test_every_machine_loads(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	unsigned count;
	(void)state;
	diagnostics_init(&diagnostics, arena);
	const struct machine **machines = machine_list(arena, &count, &diagnostics);
	assert_int_equal(diagnostics.errors, 0);
	assert_true(count >= 2);
	for (unsigned i = 1; i < count; i++)
		assert_true(strcmp(machines[i - 1]->id, machines[i]->id) < 0);
	arena_release(arena);
}

static void test_target(void **state)
{
	struct arena *arena = arena_create();
	bool exact;
	(void)state;
	assert_string_equal(machine_target(arena, load(arena, "h200"), &exact), "sm_90");
	assert_true(exact);
	assert_string_equal(machine_target(arena, load(arena, "gtx980"), &exact), "sm_75");
	assert_false(exact);
	arena_release(arena);
}

static void assert_place(const char *text, const char *const *names, unsigned count, unsigned line, unsigned column)
{
	struct place place = json_place("f", text, names, count);
	assert_int_equal(place.line, line);
	assert_int_equal(place.column, column);
}

/* A member is found by its path, not by its text: values, longer names and names in other objects do not count. */
static void test_places(void **state)
{
	(void)state;
	const char *text =
		"{\n\t\"name\": \"sm\", \"list\": [{\"count\": 1}, \"}\", []],\n  \"text\": \"\\\"}, \\\\\",\n"
		"  \"smx\": {\"count\": {}}, \"empty\": {},\n  \"sm\" : {\"a\":-1.5e3,\"counts\":true,\n    \"count\": "
		"{\"value\": null, \"unit\": \"count\"}}}\n";
	const char *unit[] = {"sm", "count", "unit"}, *none[] = {"sm", "count", "kind"}, *nowhere[] = {"l3", "count"};
	const char *in_text[] = {"name", "sm"}, *empty[] = {"empty", "count"};
	assert_place(text, unit, 1, 5, 3);
	assert_place(text, unit, 2, 6, 5);
	assert_place(text, unit, 3, 6, 30);
	assert_place(text, none, 3, 6, 5);
	assert_place(text, nowhere, 2, 1, 1);
	assert_place(text, in_text, 2, 2, 2);
	assert_place(text, empty, 2, 4, 25);
	assert_place("[]", unit, 1, 1, 1);
	assert_place("{}", unit, 1, 1, 1);
	assert_place("{\"sm\":1}", unit, 3, 1, 2);
}

/* What nobody knows is said with the substitute and its source, for the numbers asked for. */
static void test_assumptions(void **state)
{
	struct arena *arena = arena_create();
	unsigned count;
	(void)state;
	const struct machine *machine = load(arena, "h200");
	const char **sentences = machine_assumptions(arena, machine, "thesis", &count, NULL);
	assert_int_equal(count, 3);
	assert_non_null(strstr(sentences[0], "l2.line_bytes of NVIDIA H200 is not known"));
	assert_non_null(strstr(sentences[1],
	                       "l2.transaction_delay_cycles of NVIDIA H200 is not known (only recovered for the GTX "
	                       "980): 8 cycles, assumed from GTX 980"));
	machine_assumptions(arena, machine, "the", &count, NULL);
	assert_int_equal(count, 0);
	machine_assumptions(arena, machine, NULL, &count, NULL);
	assert_true(count >= 1);
	assert_non_null(machine->calibrated);
	assert_true(machine->note_count > 0);
	assert_null(load(arena, "gtx980")->calibrated);
	arena_release(arena);
}

/* Numbers by name; tables between, at and beyond their places. */
static void test_tables(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena, "h200");
	const double at[] = {1, 2, 4}, value[] = {10, 20, 60};
	struct machine_table table = {.name = "made", .at = at, .value = value, .count = 3};
	(void)state;
	assert_true(machine_table_find(machine, "sm.count")->value[0] == machine->sm_count.value);
	assert_true(machine_table_find(machine, "dram.transaction_delay_cycles")->value[0] ==
	            machine->dram_transaction_delay_cycles.value);
	assert_int_equal(machine_table_find(machine, "stride_cycles.l1_load_4_bytes")->count, 32);
	assert_null(machine_table_find(machine, "sm"));
	assert_null(machine_table_find(load(arena, "gtx980"), "stride_cycles.l1_load_4_bytes"));
	assert_true(machine_table_at(&table, 0) == 10);
	assert_true(machine_table_at(&table, 2) == 20);
	assert_true(machine_table_at(&table, 3) == 40);
	assert_true(machine_table_at(&table, 9) == 60);
	arena_release(arena);
}

/* A name that no file has is wrong usage, a file that is wrong bad input. */
static void test_failures(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics unknown, unreadable;
	(void)state;
	diagnostics_init(&unknown, arena);
	diagnostics_init(&unreadable, arena);
	assert_null(machine_load(arena, "voodoo2", &unknown));
	assert_int_equal(machine_failure(&unknown), EXIT_USAGE);
	assert_null(machine_load(arena, "no/such/file.json", &unreadable));
	assert_int_equal(machine_failure(&unreadable), EXIT_INPUT);
	arena_release(arena);
}

/* ---- what the relative gives ------------------------------------------------------------------------------ */

static double number_of(const struct machine *machine, const char *name)
{
	const struct machine_table *table = machine_table_find(machine, name);
	assert_non_null(table);
	return table->value[0];
}

static void assert_scaled(const char *name, const char *ratio, double factor)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena, "rtx3090"), *relative = load(arena, "h200");
	const struct machine_table *table = machine_table_find(machine, name);
	assert_non_null(table);
	assert_string_equal(table->scaled, ratio);
	assert_string_equal(table->kind, "assumed");
	assert_non_null(strstr(table->source, "NVIDIA H200"));
	assert_float_equal(table->value[0] / number_of(relative, name), factor, 1e-9);
	arena_release(arena);
}

/* Bytes and counts grow with what they are scaled by, seconds shrink, and cycles of a time that is constant grow with
 * the clock. */
static void test_scaled(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena, "rtx3090"), *relative = load(arena, "h200");
	double clock = machine->sm_clock_hz.value / relative->sm_clock_hz.value;
	double l2 = machine->l2_bandwidth_bytes_per_second.value / relative->l2_bandwidth_bytes_per_second.value;
	(void)state;
	assert_scaled("lsu.miss_cycles", "same", 1);
	assert_scaled("l1.shared_unneeded_bytes", "l1_bytes", 0.5);
	assert_scaled("l2.dirty_bytes", "l2_bytes", 0.1);
	assert_scaled("l2.launch_sectors", "sms", 82.0 / 132);
	assert_scaled("store.backlog_cycles", "clock", clock);
	assert_scaled("launch.block_of_256_seconds", "clock", 1 / clock);
	assert_scaled("store.part_line_seconds", "l2_bandwidth", 1 / l2);
	assert_scaled("atomics.red_u32_line_per_lane", "l2_bandwidth", l2);
	arena_release(arena);
}

/* What a file has of its own stays; tables of one architecture are given to it alone, with their places. */
static void test_family(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *relative = load(arena, "h200"), *machine = load(arena, "gh200");
	const char *name = "curve.random_sectors_per_second";
	const struct machine_table *from = machine_table_find(relative, name), *to = machine_table_find(machine, name);
	double ratio = machine->l2_bandwidth_bytes_per_second.value / relative->l2_bandwidth_bytes_per_second.value;
	unsigned count;
	(void)state;
	assert_null(machine_table_find(load(arena, "a100"), name));
	assert_non_null(to);
	assert_int_equal(to->count, from->count);
	assert_float_equal(to->value[1], from->value[1] * ratio, 1);
	assert_true(to->at[1] == from->at[1]);
	for (unsigned i = 0; i < relative->table_count; i++)
		assert_null(relative->tables[i].scaled);
	machine_assumptions(arena, relative, "full", &count, NULL);
	assert_int_equal(count, 0);
	arena_release(arena);
}

/* Each ratio is said once with all its numbers, and only where they are read. */
static void test_scaled_is_said(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena, "rtx3090");
	unsigned count, numbers, said = 0;
	const char **sentences = machine_assumptions(arena, machine, "full", &count, &numbers);
	(void)state;
	assert_true(numbers > count);
	for (unsigned i = 0; i < count; i++)
		said += strstr(sentences[i],
		               "taken from the file h200 scaled by l2_bytes: l2.dirty_bytes, l2.dirty_kept_bytes, "
		               "l2.copied_bytes, l2.incomplete_bytes") != NULL;
	assert_int_equal(said, 1);
	sentences = machine_assumptions(arena, machine, "thesis", &count, &numbers);
	assert_int_equal(numbers, count);
	for (unsigned i = 0; i < count; i++)
		assert_null(strstr(sentences[i], "taken from the file"));
	arena_release(arena);
}

/* ---- evidence ------------------------------------------------------------------------------------------- */

/* What is taken of "evidence" in a text; tables: how many, where it is taken. */
static bool evidence_is_taken(const char *evidence, unsigned *tables)
{
	struct arena *arena = arena_create();
	struct machine_file file = {.arena = arena};
	const struct json_part part = {"evidence", machine_evidence_take, &file};
	const char *text =
		arena_printf(arena, "{\"before\": 1, \"evidence\": %s, \"behind\": {\"evidence\": 2}}", evidence);
	json_t *root = json_text_read(text, strlen(text), &part);
	bool taken = root != NULL;
	if (taken) {
		assert_null(json_object_get(root, "evidence"));
		assert_int_equal(json_object_size(root), 2);
	}
	*tables = file.evidence_count;
	json_decref(root);
	arena_release(arena);
	return taken;
}

/* Each table of the file with all that a machine has of it, as the library reads it. */
static void test_evidence_of_file(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena, "h200");
	json_t *root = json_load_file(machine->path, 0, NULL);
	const char *name;
	json_t *entry;
	unsigned tables = 0;
	(void)state;
	assert_non_null(root);
	json_object_foreach(json_object_get(root, "evidence"), name, entry)
	{
		const struct machine_table *table = machine_table_find(machine, name);
		const json_t *value = json_object_get(entry, "value"), *at = json_object_get(entry, "at");
		if (json_is_boolean(value)) {
			assert_null(table);
			continue;
		}
		assert_non_null(table);
		assert_int_equal(table->count, json_is_array(value) ? json_array_size(value) : 1);
		assert_true(!table->at == !at);
		for (unsigned i = 0; i < table->count; i++) {
			assert_true(table->value[i] ==
			            json_number_value(json_is_array(value) ? json_array_get(value, i) : value));
			assert_true(!at || table->at[i] == json_number_value(json_array_get(at, i)));
		}
		assert_string_equal(table->source, json_string_value(json_object_get(entry, "source")));
		assert_string_equal(table->kind, json_string_value(json_object_get(entry, "kind")));
		tables++;
	}
	assert_true(tables > 500);
	json_decref(root);
	arena_release(arena);
}

#define ENTRY(members)                                                                                                 \
	"{\"a\": {\"unit\": \"cycles\", \"source\": \"s\", \"method\": \"m\", \"repeats\": 3, " members "}}"

static void test_evidence_taken(void **state)
{
	static const char *const good[] = {
		ENTRY("\"value\": 1"),
		ENTRY("\"kind\": \"measured\", \"value\": 1.5, \"low\": 1, \"high\": 2"),
		ENTRY("\"value\": [1, 2], \"axis\": \"x\", \"at\": [0, 4], \"low\": [1, 1.5], \"high\": [1, 2]"),
	};
	unsigned tables;
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(good); i++) {
		assert_true(evidence_is_taken(good[i], &tables));
		assert_int_equal(tables, 1);
	}
	assert_true(evidence_is_taken(ENTRY("\"value\": true"), &tables));
	assert_int_equal(tables, 0);
}

/* What check.c complains of, and what is rare, is left to it. */
static void test_evidence_left(void **state)
{
	static const char *const left[] = {
		"{}",
		"[]",
		"3",
		ENTRY("\"kind\": \"measured\""),
		ENTRY("\"value\": -1"),
		ENTRY("\"value\": \"1\""),
		ENTRY("\"value\": null"),
		ENTRY("\"value\": [1]"),
		ENTRY("\"value\": 1, \"low\": 2"),
		ENTRY("\"value\": 1, \"high\": 0.5"),
		ENTRY("\"value\": 1, \"low\": [1]"),
		ENTRY("\"value\": 1, \"at\": [1]"),
		ENTRY("\"value\": 1, \"axis\": \"x\""),
		ENTRY("\"value\": [1, 2], \"axis\": \"x\", \"at\": [1]"),
		ENTRY("\"value\": [1, -2], \"axis\": \"x\", \"at\": [1, 2]"),
		ENTRY("\"value\": [], \"axis\": \"x\", \"at\": []"),
		ENTRY("\"value\": 1, \"value\": 1"),
		ENTRY("\"value\": 1, \"unit\": \"cycles\""),
		ENTRY("\"value\": 1, \"repeats\": 3"),
		ENTRY("\"value\": 1, \"other\": 3"),
		ENTRY("\"value\": 1, \"kind\": \"\\u0041\""),
		"{\"a\": {\"unit\": \"parsecs\", \"source\": \"s\", \"method\": \"m\", \"repeats\": 3, \"value\": 1}}",
		"{\"a\": {\"unit\": \"cycles\", \"source\": \"\", \"method\": \"m\", \"repeats\": 3, \"value\": 1}}",
		"{\"a\": {\"unit\": \"cycles\", \"source\": \"s\", \"repeats\": 3, \"value\": 1}}",
		"{\"a\": {\"unit\": \"cycles\", \"source\": \"s\", \"method\": \"m\", \"repeats\": 3.0, \"value\": 1}}",
	};
	unsigned tables;
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(left); i++)
		if (evidence_is_taken(left[i], &tables))
			fail_msg("taken: %s", left[i]);
}

/* A name that is there twice is left, that of the whole too. */
static void test_evidence_twice(void **state)
{
	const char *one = "{\"unit\": \"cycles\", \"source\": \"s\", \"method\": \"m\", \"repeats\": 3, \"value\": 1}";
	struct arena *arena = arena_create();
	unsigned tables;
	(void)state;
	assert_true(
		evidence_is_taken(arena_printf(arena, "{\"a\": %s, \"c\": %s, \"b\": %s}", one, one, one), &tables));
	assert_int_equal(tables, 3);
	assert_false(
		evidence_is_taken(arena_printf(arena, "{\"a\": %s, \"b\": %s, \"a\": %s}", one, one, one), &tables));
	assert_false(
		evidence_is_taken(arena_printf(arena, "{\"a\": %s}, \"evidence\": {\"a\": %s}", one, one), &tables));
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thesis_constants),
		cmocka_unit_test(test_alias_and_kinds),
		cmocka_unit_test(test_every_machine_loads),
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_assumptions),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_family),
		cmocka_unit_test(test_scaled_is_said),
		cmocka_unit_test(test_evidence_of_file),
		cmocka_unit_test(test_evidence_taken),
		cmocka_unit_test(test_evidence_left),
		cmocka_unit_test(test_evidence_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Machine files, targets, occupancy. */
#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
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
	unsigned kinds[4], sum = 0, keys = 0;
	(void)state;
	assert_string_equal(machine->id, "h200");
	machine_count_kinds(machine, kinds);
	for (unsigned i = 0; i < 4; i++)
		sum += kinds[i];
#define X(group, key) keys++;
	MACHINE_KEYS(X)
#undef X
	assert_int_equal(sum, keys);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thesis_constants), cmocka_unit_test(test_alias_and_kinds),
		cmocka_unit_test(test_every_machine_loads), cmocka_unit_test(test_target),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

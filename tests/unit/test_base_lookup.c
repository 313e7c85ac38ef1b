/* Lookups: all positions of a hash come out in the order of adding, whatever else shares their slots, while the table
 * grows. */
#include "base/lookup/lookup.h"

#include <setjmp.h>
#include <cmocka.h>

#define MANY 1000u

static void positions_of_a_hash_keep_their_order(void **state)
{
	struct arena *arena = arena_create();
	struct lookup lookup = {0};

	(void)state;
	assert_null(lookup_first(&lookup, 7));
	for (uint32_t i = 0; i < MANY; i++)
		lookup_add(arena, &lookup, (i % 10) << 20, i);
	for (uint32_t h = 0; h < 10; h++) {
		const struct lookup_entry *entry = lookup_first(&lookup, h << 20);

		for (uint32_t i = h; i < MANY; i += 10, entry = lookup_next(&lookup, entry)) {
			assert_non_null(entry);
			assert_int_equal(entry->position, i);
		}
		assert_null(entry);
	}
	assert_null(lookup_first(&lookup, 10 << 20));
	assert_true(lookup.entry_count == MANY && lookup.slot_count > MANY);
	arena_release(arena);
}

static void mixes_depend_on_order(void **state)
{
	(void)state;
	assert_true(lookup_mix(lookup_mix(0, 1), 2) != lookup_mix(lookup_mix(0, 2), 1));
	assert_true(lookup_mix_text(0, "ab") != lookup_mix_text(0, "ba"));
	assert_true(lookup_mix_text(lookup_mix_text(0, "a"), "bc") != lookup_mix_text(lookup_mix_text(0, "ab"), "c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positions_of_a_hash_keep_their_order),
		cmocka_unit_test(mixes_depend_on_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

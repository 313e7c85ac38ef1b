/*
 * Placements against brute force: random groups in all layouts, every scalar in bytes of its own, aligned, inside its
 * buffer, and found again from its bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layouts/layouts.h"

static uint64_t random_state = 88172645463325252ull;

static unsigned random_below(unsigned bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state % bound);
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* A group with random scalar members and member arrays, laid out as C does. */
static struct layout_group *random_group(struct arena *arena)
{
	static const unsigned sizes[] = {1, 2, 4, 8, 16};
	struct layout_group *group = arena_alloc(arena, sizeof(*group));

	group->name = "random";
	group->align_bytes = 1;
	group->field_count = 1 + random_below(9);
	group->fields = arena_array(arena, group->field_count, sizeof(*group->fields));
	for (unsigned f = 0; f < group->field_count; f++) {
		struct layout_field *field = &group->fields[f];

		field->name = arena_printf(arena, "m%u", f);
		field->type = "float";
		field->size_bytes = field->align_bytes = sizes[random_below(5)];
		field->count = random_below(4) == 0 ? 2 + random_below(20) : 1;
		field->inner_bytes = field->count > 1 ? field->size_bytes : 0;
		field->offset_bytes = round_up(group->size_bytes, field->align_bytes);
		group->size_bytes = field->offset_bytes + field->size_bytes * field->count;
		if (field->align_bytes > group->align_bytes)
			group->align_bytes = field->align_bytes;
	}
	group->size_bytes = round_up(group->size_bytes, group->align_bytes);
	return group;
}

/* Which scalar owns each byte of each buffer: index + 1, 0 for padding. */
struct owners {
	unsigned **bytes;
};

static struct owners owners_fill(struct arena *arena, const struct placement *placement, uint64_t elements)
{
	const struct layout_group *group = placement->group;
	struct owners owners = {arena_array(arena, placement->buffer_count, sizeof(unsigned *))};
	unsigned scalar = 0;

	for (unsigned b = 0; b < placement->buffer_count; b++)
		owners.bytes[b] =
			arena_array(arena, placement_buffer_bytes(placement, b, elements), sizeof(**owners.bytes));
	for (unsigned f = 0; f < group->field_count; f++)
		for (uint64_t e = 0; e < elements; e++)
			for (uint64_t k = 0; k < group->fields[f].count; k++) {
				uint64_t offset = placement_offset(placement, f, e, k);
				unsigned buffer =
					placement->fields[f].buffer + (placement->fields[f].is_split ? (unsigned)k : 0);

				scalar++;
				assert_true(buffer < placement->buffer_count);
				assert_int_equal(offset % group->fields[f].align_bytes, 0);
				assert_true(offset + group->fields[f].size_bytes <=
				            placement_buffer_bytes(placement, buffer, elements));
				for (uint64_t i = 0; i < group->fields[f].size_bytes; i++) {
					assert_int_equal(owners.bytes[buffer][offset + i], 0);
					owners.bytes[buffer][offset + i] = scalar;
				}
			}
	return owners;
}

static void inverse_compare(const struct placement *placement, const struct owners *owners, uint64_t elements)
{
	const struct layout_group *group = placement->group;

	for (unsigned b = 0; b < placement->buffer_count; b++)
		for (uint64_t offset = 0; offset < placement_buffer_bytes(placement, b, elements); offset++) {
			unsigned field = 0, scalar = 0;
			uint64_t element = 0, inner = 0;
			bool found = placement_locate(placement, b, offset, &field, &element, &inner);

			if (!found || element >= elements) {
				assert_int_equal(owners->bytes[b][offset], 0);
				continue;
			}
			for (unsigned f = 0; f < field; f++)
				scalar += (unsigned)(elements * group->fields[f].count);
			scalar += (unsigned)(element * group->fields[field].count + inner + 1);
			assert_int_equal(owners->bytes[b][offset], scalar);
		}
}

static void placements_are_bijections(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		struct arena *arena = arena_create();
		struct layout_group *group = random_group(arena);
		unsigned tile = 1u << random_below(7);
		uint64_t elements = 1 + random_below(150);

		for (unsigned l = 0; l < layout_count; l++) {
			struct placement *placement = layout_place(arena, layout_table[l], group, tile);
			struct owners owners = owners_fill(arena, placement, elements);

			assert_int_equal(placement->tile, layout_table[l]->tiled ? tile : 1);
			inverse_compare(placement, &owners, elements);
			placement = placement_unsplit(arena, placement);
			assert_false(placement_splits(placement));
			owners = owners_fill(arena, placement, elements);
			inverse_compare(placement, &owners, elements);
		}
		arena_release(arena);
	}
}

/* A group of float members without gaps. */
static struct layout_group floats(struct layout_field *fields, unsigned count)
{
	for (unsigned f = 0; f < count; f++)
		fields[f] = (struct layout_field){.name = "f",
		                                  .type = "float",
		                                  .size_bytes = 4,
		                                  .align_bytes = 4,
		                                  .count = 1,
		                                  .offset_bytes = 4 * f};
	return (struct layout_group){
		.name = "floats", .fields = fields, .field_count = count, .size_bytes = 4 * count, .align_bytes = 4};
}

static void aligned_sizes(void **state)
{
	static const struct {
		unsigned members, size, align;
	} cases[] = {{1, 4, 4},   {2, 8, 8},   {3, 16, 16}, {4, 16, 16},
	             {5, 32, 16}, {6, 32, 16}, {8, 32, 16}, {9, 48, 16}};
	struct arena *arena = arena_create();

	(void)state;
	for (unsigned c = 0; c < ARRAY_COUNT(cases); c++) {
		struct layout_field fields[16];
		struct layout_group group = floats(fields, cases[c].members);
		struct placement *placement = layout_place(arena, layout_find("aosa"), &group, 32);

		assert_int_equal(placement->bytes_per_tile[0], cases[c].size);
		assert_int_equal(placement->align_bytes, cases[c].align);
	}
	arena_release(arena);
}

static void addresses_are_those_of_the_definition(void **state)
{
	struct arena *arena = arena_create();
	struct layout_field fields[3];
	struct layout_group group = floats(fields, 3);

	(void)state;
	assert_int_equal(placement_offset(layout_place(arena, layout_find("aos"), &group, 32), 1, 10, 0), 10 * 12 + 4);
	assert_int_equal(placement_offset(layout_place(arena, layout_find("aosa"), &group, 32), 2, 10, 0), 10 * 16 + 8);
	assert_int_equal(placement_offset(layout_place(arena, layout_find("soa"), &group, 32), 2, 10, 0), 40);
	assert_int_equal(layout_place(arena, layout_find("soa"), &group, 32)->fields[2].buffer, 2);
	assert_int_equal(placement_offset(layout_place(arena, layout_find("asta"), &group, 32), 1, 33, 0),
	                 384 + 128 + 4);
	assert_int_equal(placement_buffer_bytes(layout_place(arena, layout_find("asta"), &group, 32), 0, 33), 768);
	assert_null(layout_find("aost"));
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(placements_are_bijections),
		cmocka_unit_test(aligned_sizes),
		cmocka_unit_test(addresses_are_those_of_the_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* rewrite --check: how outputs and copies of two programs are compared. */
#include "model/observe/check/check.h"
#include "model/observe/copies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static struct check_text text_of(const char *text)
{
	return (struct check_text){text, strlen(text), NULL};
}

/* The number of the first line that differs, where the original printed `again` when it ran once more. */
static size_t differing(const char *original, const char *again, const char *other)
{
	struct arena *arena = arena_create();
	struct check_text a = text_of(original), b = text_of(again), c = text_of(other);
	a.loose = check_output_loose(arena, &a, &b);
	size_t number = check_output(arena, &a, &c).number;
	arena_release(arena);
	return number;
}

static void test_output(void **state)
{
	(void)state;
	assert_int_equal(differing("", "", ""), 0);
	assert_int_equal(differing("a\nb\n", "a\nb\n", "a\nb\n"), 0);
	assert_int_equal(differing("a\nb\n", "a\nb\n", "a\nc\n"), 2);
	assert_int_equal(differing("a\nb\n", "a\nb\n", "a\n"), 2);
	assert_int_equal(differing("a\n", "a\n", "a\nb\n"), 2);
	assert_int_equal(differing("a\n", "a\n", "a"), 0);
	assert_int_equal(differing("a  b\n", "a  b\n", "a b\n"), 1);
}

/* Words that change from run to run need not be the same, all others must. */
static void test_loose_words(void **state)
{
	(void)state;
	assert_int_equal(differing("t = 1.5 ms\nx 2\n", "t = 4.5 ms\nx 2\n", "t =  9 ms\nx 2\n"), 0);
	assert_int_equal(differing("t = 1.5 ms\nx 2\n", "t = 4.5 ms\nx 2\n", "t = 1.5 s\nx 2\n"), 1);
	assert_int_equal(differing("t = 1.5 ms\nx 2\n", "t = 4.5 ms\nx 2\n", "t = 9 ms\nx 3\n"), 2);
	assert_int_equal(differing("t = 1.5 ms\n", "t = 4.5 ms\n", "t = 9\n"), 1);
}

/* Runs with other numbers of words or lines have no words in common. */
static void test_no_loose(void **state)
{
	struct arena *arena = arena_create();
	struct check_text a = text_of("a b\nc\n"), fewer = text_of("a\nc\n"), longer = text_of("a b\nc\nd\n");
	(void)state;
	assert_null(check_output_loose(arena, &a, &fewer));
	assert_null(check_output_loose(arena, &a, &longer));
	assert_int_equal(check_output_lines(&longer), 3);
	arena_release(arena);
}

/* Lines that are shown hold nothing that a terminal acts upon. */
static void test_shown(void **state)
{
	struct arena *arena = arena_create();
	struct check_text a = text_of("\x1b[2J\xff"), b = text_of("");
	struct check_line line = check_output(arena, &a, &b);
	(void)state;
	assert_string_equal(line.original, "?[2J?");
	assert_null(line.other);
	arena_release(arena);
}

/* Two records of a char and an int. */
static const uint8_t records[] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};
static const bool used[] = {true, false, false, false, true, true, true, true};

static struct check_copies_result compared(const void *other, uint64_t other_width, uint64_t other_record)
{
	struct check_copy a = {0, sizeof records, 1, records}, b = {0, other_width, 1, other};
	const struct check_copies original = {&a, 1, false}, rewritten = {&b, 1, false};
	const struct check_record record = {8, other_record, used};
	return check_copies_compare(&original, &rewritten, &record, 1);
}

static void test_copies(void **state)
{
	uint8_t other[sizeof records];
	(void)state;
	memcpy(other, records, sizeof other);
	assert_int_equal(compared(other, sizeof other, 8).compared, 1);
	other[2] = 9; /* padding */
	assert_false(compared(other, sizeof other, 8).differ);
	other[12] = 9;
	struct check_copies_result result = compared(other, sizeof other, 8);
	assert_true(result.differ);
	assert_int_equal(result.byte, 2);
	assert_int_equal(compared(other, 12, 8).compared, 0);
}

/* Records that have grown on the host are compared member by member. */
static void test_grown_records(void **state)
{
	uint8_t other[32] = {1, 7, 7, 7, 2, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 3, 7, 7, 7, 4};
	(void)state;
	struct check_copies_result result = compared(other, sizeof other, 16);
	assert_int_equal(result.compared, 1);
	assert_false(result.differ);
	other[16] = 5;
	result = compared(other, sizeof other, 16);
	assert_true(result.differ);
	assert_int_equal(result.byte, 8);
	assert_int_equal(result.original, 3);
}

/* A file of copies is not believed: what is cut, or says that it is longer than the file, is no copy. */
static void test_read(void **state)
{
	struct arena *arena = arena_create();
	const char *folder = directory_temporary(arena), *path = arena_printf(arena, "%s/copies", folder);
	const struct copies_head heads[] = {{0, 4, 4, 2}, {0, 8, UINT64_MAX, UINT64_MAX}, {0}};
	struct text text = {0};
	(void)state;
	text_append(&text, (const char *)&heads[0], sizeof heads[0]);
	text_append(&text, "abcdefgh", 8);
	text_append(&text, (const char *)&heads[1], sizeof heads[1]);
	assert_int_equal(file_write(path, text.data, text.length), 0);
	struct check_copies copies = check_copies_read(arena, path);
	assert_int_equal(copies.count, 1);
	assert_memory_equal(copies.list[0].data, "abcdefgh", 8);
	assert_false(copies.cut);
	assert_int_equal(file_write(path, &heads[2], sizeof heads[2]), 0);
	copies = check_copies_read(arena, path);
	assert_int_equal(copies.count, 0);
	assert_true(copies.cut);
	assert_int_equal(check_copies_read(arena, folder).count, 0);
	text_release(&text);
	directory_remove(folder);
	arena_release(arena);
}

/* What a run left in device memory, as the stand-in for the runtime writes it. */
static struct check_memory memory_of(struct arena *arena, const char *text, size_t length)
{
	const char *folder = directory_temporary(arena), *path = arena_printf(arena, "%s/memory", folder);
	assert_int_equal(file_write(path, text, length), 0);
	struct check_memory memory = check_memory_read(arena, path);
	directory_remove(folder);
	return memory;
}

static const char left[] = "1 0 0 0 0 0 0 a1 40\n1 0 1 8 65535 0 0 b1 64\n2 0 0 0 0 0 0 a2 40\n2 0 0 0 0 0 1 a3 40\n"
			   "variable _Z4pool 5 16\n";

/* The first launch whose memory differs, 0 where none does. */
static uint64_t launch_differing(const char *again, const char *other)
{
	struct arena *arena = arena_create();
	struct check_memory original = memory_of(arena, left, strlen(left)),
			    second = memory_of(arena, again, strlen(again)),
			    rewritten = memory_of(arena, other, strlen(other));
	check_memory_loosen(arena, &original, &second);
	const struct check_memory_result result = check_memory_compare(arena, &original, &rewritten);
	const uint64_t launch = result.array      ? result.array->launch + 10 * result.array->is_last
	                        : result.variable ? 100
	                                          : 0;
	arena_release(arena);
	return launch;
}

static void test_memory(void **state)
{
	(void)state;
	assert_int_equal(launch_differing(left, left), 0);
	assert_int_equal(launch_differing(left, "2 0 0 0 0 0 0 a2 64\n1 0 0 0 0 0 0 a1 64\n"), 0);
	assert_int_equal(launch_differing(left, "2 0 0 0 0 0 0 ff 40\n1 0 0 0 0 0 0 a1 40\n"), 2);
	assert_int_equal(launch_differing(left, "2 0 0 0 0 0 1 ff 40\n1 0 0 0 0 0 0 a1 40\n"), 12);
	assert_int_equal(launch_differing(left, "variable _Z4pool 6 16\n"), 100);
	assert_int_equal(launch_differing(left, "variable _Z4pool 6 32\n"), 0);
}

/* What another run of the original has otherwise is compared in no launch. */
static void test_loose_memory(void **state)
{
	const char again[] = "1 0 0 0 0 0 0 99 40\n1 0 1 8 65535 0 0 b1 64\nvariable _Z4pool 7 16\n";
	(void)state;
	assert_int_equal(launch_differing(again, "2 0 0 0 0 0 0 ff 40\nvariable _Z4pool 6 16\n"), 0);
	assert_int_equal(launch_differing(again, "1 0 1 8 65535 0 0 b2 64\n"), 1);
}

/* A file of sums is not believed: spoiled ones are read to their end, and what they name is looked up before it is
 * used. */
static void test_spoiled_memory(void **state)
{
	uint64_t random = 1;
	(void)state;
	for (unsigned turn = 0; turn < 200; turn++) {
		struct arena *arena = arena_create();
		char text[sizeof left];
		memcpy(text, left, sizeof text);
		for (unsigned i = 0; i < 4; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			text[(random >> 33) % (sizeof text - 1)] = (char)(random >> 56);
		}
		struct check_memory original = memory_of(arena, left, strlen(left)),
				    spoiled = memory_of(arena, text, sizeof text - 1);
		const struct analysis analysis = {0};
		const struct check_subject subject = {.analysis = &analysis};
		check_memory_loosen(arena, &spoiled, &original);
		const struct check_memory_result result = check_memory_compare(arena, &spoiled, &original);
		const struct check_text none = {"", 0, NULL};
		if (result.array)
			assert_null(check_memory_place(arena, &subject, result.array, none, none).array);
		arena_release(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output),       cmocka_unit_test(test_loose_words),
		cmocka_unit_test(test_no_loose),     cmocka_unit_test(test_shown),
		cmocka_unit_test(test_copies),       cmocka_unit_test(test_grown_records),
		cmocka_unit_test(test_read),         cmocka_unit_test(test_memory),
		cmocka_unit_test(test_loose_memory), cmocka_unit_test(test_spoiled_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

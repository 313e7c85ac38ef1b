/* Hunks: applied to the old text they give the new one, and lines that both have stay. */
#include "cli/report/report.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The old text with hunks applied; the caller releases it. */
static struct text applied(const char *old, const struct report_hunk *hunks, unsigned count)
{
	struct text result = {0};
	unsigned line = 1, next = 0;
	text_puts(&result, "");
	for (const char *at = old;; line++) {
		size_t length = strcspn(at, "\n");
		unsigned removed = 0;
		if (next < count && hunks[next].first == line) {
			text_puts(&result, hunks[next].added);
			removed = hunks[next++].removed;
		}
		for (; removed > 0 && *at; removed--, line++) {
			at += length + (at[length] == '\n');
			length = strcspn(at, "\n");
		}
		assert_int_equal(removed, 0);
		assert_true(next == count || hunks[next].first > line);
		if (!*at)
			return result;
		text_append(&result, at, length + (at[length] == '\n'));
		at += length + (at[length] == '\n');
	}
}

static unsigned expect_applied(const char *old, const char *new)
{
	struct arena *arena = arena_create();
	unsigned count;
	const struct report_hunk *hunks = report_hunks(arena, old, new, &count);
	struct text result = applied(old, hunks, count);
	assert_string_equal(result.data, new);
	text_release(&result);
	arena_release(arena);
	return count;
}

static void equal_texts(void **state)
{
	(void)state;
	assert_int_equal(expect_applied("", ""), 0);
	assert_int_equal(expect_applied("a\nb\n", "a\nb\n"), 0);
	assert_int_equal(expect_applied("a", "a"), 0);
}

static void single_changes(void **state)
{
	(void)state;
	assert_int_equal(expect_applied("a\nb\nc\n", "a\nx\nc\n"), 1);
	assert_int_equal(expect_applied("a\nc\n", "a\nb\nc\n"), 1);
	assert_int_equal(expect_applied("a\nb\nc\n", "a\nc\n"), 1);
	assert_int_equal(expect_applied("", "a\n"), 1);
	assert_int_equal(expect_applied("a\n", ""), 1);
	assert_int_equal(expect_applied("a\nb", "a\nb\n"), 1);
}

static void lines_between_stay(void **state)
{
	(void)state;
	assert_int_equal(expect_applied("a\nb\nc\nd\ne\n", "x\nb\nc\nd\ny\n"), 2);
	assert_int_equal(expect_applied("a\nb\nc\nd\ne\nf\n", "a\nc\nd\nd\ne\ng\nf\n"), 3);
}

/* Random texts of few different lines, so that many are common. */
static void random_texts(void **state)
{
	unsigned seed = 12345;
	(void)state;
	for (unsigned trial = 0; trial < 2000; trial++) {
		struct text texts[2] = {{0}, {0}};
		for (unsigned t = 0; t < 2; t++) {
			text_puts(&texts[t], "");
			for (unsigned i = 0, lines = trial % 13; i < lines; i++) {
				seed = seed * 1664525u + 1013904223u;
				text_printf(&texts[t], "%c%s", 'a' + (char)(seed >> 28) % 4,
				            i + 1 < lines || seed >> 27 & 1 ? "\n" : "");
			}
		}
		expect_applied(texts[0].data, texts[1].data);
		text_release(&texts[0]);
		text_release(&texts[1]);
	}
}

/* So long that the table would be too large: one hunk between what both begin and end with. */
static void long_texts(void **state)
{
	struct text old = {0}, new = {0};
	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		text_printf(&old, "old %u\n", i);
		text_printf(&new, "new %u\n", i);
	}
	const char *ends[] = {"first\n", "last\n"};
	struct text a = {0}, b = {0};
	text_printf(&a, "%s%s%s", ends[0], old.data, ends[1]);
	text_printf(&b, "%s%s%s", ends[0], new.data, ends[1]);
	assert_int_equal(expect_applied(a.data, b.data), 1);
	struct text *all[] = {&old, &new, &a, &b};
	for (size_t i = 0; i < ARRAY_COUNT(all); i++)
		text_release(all[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts),  cmocka_unit_test(single_changes), cmocka_unit_test(lines_between_stay),
		cmocka_unit_test(random_texts), cmocka_unit_test(long_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

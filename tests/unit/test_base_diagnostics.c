/* Diagnostics: what is kept, and how place, source line and caret are printed. */
#include "base/base.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* A source file in a temporary folder, and diagnostics about it. */
struct fixture {
	struct arena *arena;
	char *directory, *file;
	struct diagnostics diagnostics;
};

static int set_up(void **state)
{
	struct arena *arena = arena_create();
	struct fixture *fixture = arena_alloc(arena, sizeof(*fixture));

	fixture->arena = arena;
	fixture->directory = directory_temporary(arena);
	if (!fixture->directory)
		return -1;
	fixture->file = arena_printf(arena, "%s/a.cu", fixture->directory);
	diagnostics_init(&fixture->diagnostics, arena);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	directory_remove(fixture->directory);
	arena_release(fixture->arena);
	return 0;
}

/* What diagnostics_print() prints, with the path of the file replaced by "a.cu"; the caller frees it. */
static char *printed(struct fixture *fixture, size_t first, enum severity least)
{
	char *text = NULL, *path;
	size_t length = 0, path_length = strlen(fixture->file);
	FILE *stream = open_memstream(&text, &length);

	assert_non_null(stream);
	diagnostics_print(&fixture->diagnostics, first, least, stream);
	fclose(stream);
	while ((path = strstr(text, fixture->file)))
		memmove(path, path + path_length - strlen("a.cu"), strlen(path + path_length) + strlen("a.cu") + 1);
	return text;
}

/* Reports an error at a place of a file that holds the given text, and compares what is printed. */
static void expect_printed(struct fixture *fixture, const char *source, unsigned line, unsigned column,
                           const char *expected)
{
	char *text;

	assert_int_equal(file_write(fixture->file, source, strlen(source)), 0);
	diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, (struct place){fixture->file, line, column}, "bad");
	text = printed(fixture, 0, SEVERITY_NOTE);
	assert_string_equal(text, expected);
	free(text);
}

static void caret_is_under_the_column(void **state)
{
	expect_printed(*state, "one\n\tint x;\np[i].w = 0;\n", 3, 6,
	               "a.cu:3:6: error: bad\n"
	               "    3 | p[i].w = 0;\n"
	               "      |      ^\n");
}

static void tabs_go_to_the_next_eighth_column(void **state)
{
	expect_printed(*state, "\tab\tc = 1;\n", 1, 5,
	               "a.cu:1:5: error: bad\n"
	               "    1 |         ab      c = 1;\n"
	               "      |                 ^\n");
}

/* Columns count bytes; \xC3\xA4 is one character of two, \xE2\x82\xAC one of three, \xF0\x9F\x98\x80 one of four. */
static void utf8_characters_are_one_column(void **state)
{
	expect_printed(*state, "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 x;", 1, 11,
	               "a.cu:1:11: error: bad\n"
	               "    1 | \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 x;\n"
	               "      |     ^\n");
}

/* An escape sequence, an overlong "/", half a character, a C1 control, and the end of a DOS line. */
static void what_is_no_text_is_made_visible(void **state)
{
	expect_printed(*state, "\x1B[2J \xC0\xAF \xE2\x82 \xC2\x9B;\r\n", 1, 6,
	               "a.cu:1:6: error: bad\n"
	               "    1 | \\x1B[2J \\xC0\\xAF \\xE2\\x82 \\xC2\\x9B;\n"
	               "      |         ^\n");
}

/* U+202E would show the rest of the line from right to left. */
static void characters_that_reverse_a_line_are_made_visible(void **state)
{
	expect_printed(*state, "a \xE2\x80\xAE b", 1, 1,
	               "a.cu:1:1: error: bad\n"
	               "    1 | a \\xE2\\x80\\xAE b\n"
	               "      | ^\n");
}

/* Returns a line of that many letters: a, b, ..., z, a, ... */
static void fill_letters(char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		line[i] = (char)('a' + i % 26);
	line[length] = '\0';
}

/* The caret points at the byte of its column, and at most 160 bytes of the line are shown. */
static void check_long_line(struct fixture *fixture, unsigned column, bool cut_before, bool cut_after)
{
	char line[1001], *text, *source, *caret;
	size_t shown;

	fill_letters(line, 1000);
	assert_int_equal(file_write(fixture->file, line, 1000), 0);
	fixture->diagnostics.count = 0;
	diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, (struct place){fixture->file, 1, column}, "bad");
	text = printed(fixture, 0, SEVERITY_NOTE);
	source = strchr(text, '\n') + 1;
	caret = strchr(source, '\n') + 1;
	shown = (size_t)(caret - source) - strlen("    1 | \n");
	assert_int_equal(shown, 160 + (cut_before ? 3 : 0) + (cut_after ? 3 : 0));
	assert_int_equal(strncmp(source + strlen("    1 | "), "...", 3) == 0, cut_before);
	assert_int_equal(strncmp(caret - 4, "...\n", 4) == 0, cut_after);
	assert_int_equal(source[strcspn(caret, "^")], line[column - 1]);
	free(text);
}

static void long_lines_are_cut_around_the_caret(void **state)
{
	check_long_line(*state, 1, false, true);
	check_long_line(*state, 50, false, true);
	check_long_line(*state, 500, true, true);
	check_long_line(*state, 1000, true, false);
}

/* 300 characters of three bytes: wherever the cuts fall, no part of a character is shown. */
static void cuts_keep_characters_whole(void **state)
{
	struct fixture *fixture = *state;
	struct text line = {0};

	for (int i = 0; i < 300; i++)
		text_puts(&line, "\xE2\x82\xAC");
	assert_int_equal(file_write(fixture->file, line.data, line.length), 0);
	for (unsigned column = 1; column <= 900; column += 3) {
		char *text;

		fixture->diagnostics.count = 0;
		diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, (struct place){fixture->file, 1, column},
		                   "bad");
		text = printed(fixture, 0, SEVERITY_NOTE);
		assert_null(strstr(text, "\\x"));
		free(text);
	}
	text_release(&line);
}

static void column_past_the_end_points_at_the_end(void **state)
{
	expect_printed(*state, "abc\n", 1, 90,
	               "a.cu:1:90: error: bad\n"
	               "    1 | abc\n"
	               "      |    ^\n");
}

static void unknown_column_has_no_caret(void **state)
{
	expect_printed(*state, "abc\n", 1, 0,
	               "a.cu:1: error: bad\n"
	               "    1 | abc\n");
}

static void line_past_the_end_is_not_shown(void **state)
{
	expect_printed(*state, "abc\n", 2, 1, "a.cu:2:1: error: bad\n");
}

static void empty_line_is_shown(void **state)
{
	expect_printed(*state, "abc\n\nx", 2, 1,
	               "a.cu:2:1: error: bad\n"
	               "    2 | \n"
	               "      | ^\n");
}

static void places_may_be_unknown(void **state)
{
	struct fixture *fixture = *state;
	char *text;

	diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, (struct place){NULL, 3, 1}, "no file");
	diagnostics_report(&fixture->diagnostics, SEVERITY_NOTE, (struct place){"missing.cu", 0, 0}, "no line");
	diagnostics_report(&fixture->diagnostics, SEVERITY_WARNING, (struct place){"missing.cu", 7, 2}, "x\x1Bx\ny");
	text = printed(fixture, 0, SEVERITY_NOTE);
	assert_string_equal(text, "coalesce: error: no file\n"
	                          "missing.cu: note: no line\n"
	                          "missing.cu:7:2: warning: x\\x1Bx\ny\n");
	free(text);
}

static void equal_diagnostics_are_kept_once(void **state)
{
	struct fixture *fixture = *state;
	struct place place = {"a.cu", 1, 2};

	for (int i = 0; i < 3; i++) {
		diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, place, "message %d", 1);
		diagnostics_report(&fixture->diagnostics, SEVERITY_WARNING, place, "message %d", 1);
		diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, place, "message %d", 2);
		diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, (struct place){"a.cu", 1, 3}, "message %d",
		                   1);
		diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, (struct place){"b.cu", 1, 2}, "message %d",
		                   1);
	}
	assert_int_equal(fixture->diagnostics.count, 5);
	assert_int_equal(fixture->diagnostics.errors, 4);
	assert_string_equal(fixture->diagnostics.list[2].message, "message 2");
	assert_int_equal(fixture->diagnostics.list[1].severity, SEVERITY_WARNING);
}

static void printing_starts_where_told_and_leaves_out_the_lesser(void **state)
{
	struct fixture *fixture = *state;
	struct place nowhere = {NULL, 0, 0};
	char *text;

	diagnostics_report(&fixture->diagnostics, SEVERITY_ERROR, nowhere, "first");
	diagnostics_report(&fixture->diagnostics, SEVERITY_NOTE, nowhere, "second");
	diagnostics_report(&fixture->diagnostics, SEVERITY_WARNING, nowhere, "third");
	text = printed(fixture, 1, SEVERITY_WARNING);
	assert_string_equal(text, "coalesce: warning: third\n");
	free(text);
}

static void severities_have_names(void **state)
{
	(void)state;
	assert_string_equal(severity_name(SEVERITY_NOTE), "note");
	assert_string_equal(severity_name(SEVERITY_WARNING), "warning");
	assert_string_equal(severity_name(SEVERITY_ERROR), "error");
}

/* bug() ends the process, so a child meets it. */
static void bugs_have_their_own_exit_code(void **state)
{
	char text[100] = "";
	int ends[2], status;
	FILE *stream;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		bug("state %d", 5);
	}
	close(ends[1]);
	stream = fdopen(ends[0], "r");
	assert_non_null(stream);
	assert_non_null(fgets(text, sizeof(text), stream));
	fclose(stream);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), EXIT_BUG);
	assert_string_equal(text, "coalesce: internal error: state 5\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(caret_is_under_the_column),
		TEST(tabs_go_to_the_next_eighth_column),
		TEST(utf8_characters_are_one_column),
		TEST(what_is_no_text_is_made_visible),
		TEST(characters_that_reverse_a_line_are_made_visible),
		TEST(long_lines_are_cut_around_the_caret),
		TEST(cuts_keep_characters_whole),
		TEST(column_past_the_end_points_at_the_end),
		TEST(unknown_column_has_no_caret),
		TEST(line_past_the_end_is_not_shown),
		TEST(empty_line_is_shown),
		TEST(places_may_be_unknown),
		TEST(equal_diagnostics_are_kept_once),
		TEST(printing_starts_where_told_and_leaves_out_the_lesser),
		cmocka_unit_test(severities_have_names),
		cmocka_unit_test(bugs_have_their_own_exit_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

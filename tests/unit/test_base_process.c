/* Child processes: output, exit status, time limit. */
#include "base/base.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static int make_arena(void **state)
{
	*state = arena_create();
	return 0;
}

static int release_arena(void **state)
{
	arena_release(*state);
	return 0;
}

/* Runs a shell script. */
static struct process_result run(struct arena *arena, const char *script, double limit_seconds)
{
	const char *const argv[] = {"sh", "-c", script, NULL};

	return process_run(arena, argv, NULL, limit_seconds);
}

static void output_and_status_are_captured(void **state)
{
	struct process_result result = run(*state, "echo out; echo err >&2; exit 7", 10);

	assert_int_equal(result.status, 7);
	assert_int_equal(result.error, 0);
	assert_false(result.timed_out);
	assert_string_equal(result.out, "out\n");
	assert_string_equal(result.err, "err\n");
	assert_int_equal(result.out_length, 4);
	assert_int_equal(result.err_length, 4);
	assert_true(result.seconds > 0 && result.seconds < 10);
}

/* More than a pipe holds, on both, so that reading one after the other would never end. */
static void large_output_on_both_is_captured(void **state)
{
	struct process_result result =
		run(*state, "for i in 1 2 3 4; do head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; done", 20);

	assert_int_equal(result.status, 0);
	assert_int_equal(result.out_length, 1200000);
	assert_int_equal(result.err_length, 1200000);
}

static void output_is_bounded(void **state)
{
	struct process_result result = run(*state, "head -c 70000000 /dev/zero", 60);

	assert_int_equal(result.status, 0);
	assert_int_equal(result.out_length, 64 << 20);
}

static void arguments_arrive_unchanged(void **state)
{
	const char *const argv[] = {"printf", "[%s]", "a b", "$HOME", "'\"", "", NULL};

	assert_string_equal(process_run(*state, argv, NULL, 10).out, "[a b][$HOME]['\"][]");
}

static void missing_program_is_told(void **state)
{
	const char *const argv[] = {"no-such-program-anywhere", NULL};
	struct process_result result = process_run(*state, argv, NULL, 10);

	assert_int_equal(result.status, -1);
	assert_int_equal(result.error, ENOENT);
	assert_string_equal(result.out, "");
	assert_string_equal(result.err, "");
}

static void working_folder_is_entered_or_told_missing(void **state)
{
	const char *const argv[] = {"pwd", NULL};
	struct process_result result = process_run(*state, argv, "/nowhere", 10);

	assert_string_equal(process_run(*state, argv, "/", 10).out, "/\n");
	assert_int_equal(result.status, -1);
	assert_int_equal(result.error, ENOENT);
}

static void stdin_is_empty(void **state)
{
	struct process_result result = run(*state, "cat; echo end", 10);

	assert_string_equal(result.out, "end\n");
}

static void signals_show_in_the_status(void **state)
{
	assert_int_equal(run(*state, "kill -TERM $$", 10).status, 128 + SIGTERM);
}

/* The limit ends the child and what it started: the grandchild, whose id it prints, is gone. */
static void time_limit_ends_the_whole_group(void **state)
{
	struct process_result result = run(*state, "sleep 60 & echo $!; echo before; while :; do :; done", 0.3);
	pid_t grandchild = (pid_t)atoi(result.out);

	assert_true(result.timed_out);
	assert_false(result.hung);
	assert_int_equal(result.status, 128 + SIGKILL);
	assert_true(result.processor_seconds >= 0.3 && result.processor_seconds < 3);
	assert_non_null(strstr(result.out, "before\n"));
	assert_true(grandchild > 1);
	for (int i = 0; i < 200 && kill(grandchild, 0) == 0; i++)
		usleep(10000);
	assert_int_equal(kill(grandchild, 0), -1);
}

/* A child that waits for nothing works no more than the least time that hanging takes. */
static void hanging_is_told(void **state)
{
	struct process_result result = run(*state, "sleep 60", 0.3);

	assert_true(result.timed_out && result.hung);
	assert_true(result.seconds >= 5 && result.seconds < 30);
}

static void memory_is_limited(void **state)
{
	const char *argv[] = {"/bin/sh", "-c", "sleep 0.5; ulimit -d; ulimit -f", NULL};
	const struct process_request request = {.argv = argv, .limits = {.bytes = 64 << 20}};

	assert_string_equal(process_run_limited(*state, &request).out, "65536\n2097152\n");
}

/* A grandchild that keeps the pipes open does not hold us up, and its output so far is there. */
static void background_children_are_not_waited_for(void **state)
{
	struct process_result result = run(*state, "sleep 60 & echo done", 20);

	assert_int_equal(result.status, 0);
	assert_false(result.timed_out);
	assert_true(result.seconds < 5);
	assert_string_equal(result.out, "done\n");
}

static void closing_the_output_is_not_the_end(void **state)
{
	struct process_result result = run(*state, "exec >&- 2>&-; sleep 0.2; exit 3", 10);

	assert_int_equal(result.status, 3);
	assert_true(result.seconds >= 0.2);
}

static void descriptors_are_closed_again(void **state)
{
	int before = dup(0), after;

	close(before);
	for (int i = 0; i < 20; i++)
		run(*state, "echo x", 10);
	after = dup(0);
	close(after);
	assert_int_equal(before, after);
}

static void clock_advances(void **state)
{
	double before = clock_seconds(), after;

	(void)state;
	usleep(20000);
	after = clock_seconds();
	assert_true(after - before >= 0.02 && after - before < 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, release_arena)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(output_and_status_are_captured),
		TEST(large_output_on_both_is_captured),
		TEST(output_is_bounded),
		TEST(arguments_arrive_unchanged),
		TEST(missing_program_is_told),
		TEST(working_folder_is_entered_or_told_missing),
		TEST(stdin_is_empty),
		TEST(signals_show_in_the_status),
		TEST(time_limit_ends_the_whole_group),
		TEST(hanging_is_told),
		TEST(memory_is_limited),
		TEST(background_children_are_not_waited_for),
		TEST(closing_the_output_is_not_the_end),
		TEST(descriptors_are_closed_again),
		cmocka_unit_test(clock_advances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Files: read whole, written whole or not at all; the folders of the program. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* An arena and a temporary folder. */
struct fixture {
	struct arena *arena;
	char *directory;
};

static int set_up(void **state)
{
	struct arena *arena = arena_create();
	struct fixture *fixture = arena_alloc(arena, sizeof(*fixture));

	fixture->arena = arena;
	fixture->directory = directory_temporary(arena);
	*state = fixture;
	return fixture->directory ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	directory_remove(fixture->directory);
	assert_false(file_exists(fixture->directory));
	arena_release(fixture->arena);
	return 0;
}

static char *below(const struct fixture *fixture, const char *name)
{
	return arena_printf(fixture->arena, "%s/%s", fixture->directory, name);
}

/* How many entries the temporary folder has, to see that no half-written file is left. */
static size_t entries(const struct fixture *fixture)
{
	glob_t found;
	size_t count = glob(below(fixture, "*"), 0, NULL, &found) == 0 ? found.gl_pathc : 0;

	globfree(&found);
	return count;
}

static void what_was_written_is_read(void **state)
{
	struct fixture *fixture = *state;
	const char data[] = "one\0two\n";
	size_t length = 0;
	char *text;

	assert_int_equal(file_write(below(fixture, "a"), data, sizeof(data)), 0);
	text = file_read(fixture->arena, below(fixture, "a"), &length);
	assert_non_null(text);
	assert_int_equal(length, sizeof(data));
	assert_memory_equal(text, data, sizeof(data));
	assert_int_equal(text[length], 0);
	assert_int_equal(entries(fixture), 1);
}

static void empty_files_are_files(void **state)
{
	struct fixture *fixture = *state;
	size_t length = 1;

	assert_int_equal(file_write(below(fixture, "a"), "", 0), 0);
	assert_string_equal(file_read(fixture->arena, below(fixture, "a"), &length), "");
	assert_int_equal(length, 0);
	assert_string_equal(file_read(fixture->arena, "/dev/null", NULL), "");
}

static void what_cannot_be_read_has_a_reason(void **state)
{
	struct fixture *fixture = *state;
	char *huge = below(fixture, "huge");
	int descriptor = open(huge, O_CREAT | O_WRONLY, 0600);

	assert_null(file_read(fixture->arena, below(fixture, "missing"), NULL));
	assert_int_equal(errno, ENOENT);
	assert_null(file_read(fixture->arena, fixture->directory, NULL));
	assert_int_equal(errno, EISDIR);
	assert_int_equal(ftruncate(descriptor, ((off_t)1 << 30) + 1), 0);
	close(descriptor);
	assert_null(file_read(fixture->arena, huge, NULL));
	assert_int_equal(errno, EFBIG);
}

static void pipes_are_read_to_their_end(void **state)
{
	struct fixture *fixture = *state;
	char *path = below(fixture, "pipe"), block[1000], *text;
	size_t length;
	pid_t child;
	int status;

	memset(block, 'x', sizeof(block));
	assert_int_equal(mkfifo(path, 0600), 0);
	child = fork();
	if (child == 0) {
		int descriptor = open(path, O_WRONLY);

		for (int i = 0; i < 100; i++)
			if (write(descriptor, block, sizeof(block)) != sizeof(block))
				_exit(1);
		_exit(0);
	}
	text = file_read(fixture->arena, path, &length);
	assert_non_null(text);
	assert_int_equal(length, 100000);
	assert_int_equal(strspn(text, "x"), 100000);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* The old content stays and nothing else is left when the disk (here: the size limit) is full. */
static void failing_write_changes_nothing(void **state)
{
	struct fixture *fixture = *state;
	char *path = below(fixture, "a"), *large = arena_alloc(fixture->arena, 100000);
	struct rlimit limit;
	rlim_t before;
	int result, error;

	assert_int_equal(file_write(path, "old", 3), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	before = limit.rlim_cur;
	limit.rlim_cur = 4096;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	result = file_write(path, large, 100000);
	error = errno;
	limit.rlim_cur = before;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(result, -1);
	assert_int_equal(error, EFBIG);
	assert_string_equal(file_read(fixture->arena, path, NULL), "old");
	assert_int_equal(entries(fixture), 1);
}

/* A reader sees the old or the new text, never a part: the old file is another one, not the same cut short. */
static void writing_replaces_the_file(void **state)
{
	struct fixture *fixture = *state;
	char *path = below(fixture, "a");
	char text[8] = "";
	int descriptor;

	assert_int_equal(file_write(path, "old", 3), 0);
	descriptor = open(path, O_RDONLY);
	assert_int_equal(file_write(path, "newer", 5), 0);
	assert_int_equal(read(descriptor, text, sizeof(text) - 1), 3);
	assert_string_equal(text, "old");
	close(descriptor);
	assert_string_equal(file_read(fixture->arena, path, NULL), "newer");
}

static mode_t mode_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_mode & 07777 : 0;
}

static void permissions_are_the_usual_ones_or_stay(void **state)
{
	struct fixture *fixture = *state;
	mode_t before = umask(027);
	int result = file_write(below(fixture, "new"), "x", 1);

	umask(before);
	assert_int_equal(result, 0);
	assert_int_equal(mode_of(below(fixture, "new")), 0640);
	assert_int_equal(chmod(below(fixture, "new"), 0604), 0);
	assert_int_equal(file_write(below(fixture, "new"), "y", 1), 0);
	assert_int_equal(mode_of(below(fixture, "new")), 0604);
}

static void symbolic_links_stay_links(void **state)
{
	struct fixture *fixture = *state;
	struct stat status;

	assert_int_equal(file_write(below(fixture, "target"), "old", 3), 0);
	assert_int_equal(symlink("target", below(fixture, "link")), 0);
	assert_int_equal(file_write(below(fixture, "link"), "new", 3), 0);
	assert_int_equal(lstat(below(fixture, "link"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_string_equal(file_read(fixture->arena, below(fixture, "target"), NULL), "new");
}

static void what_cannot_be_written_has_a_reason(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(file_write(below(fixture, "missing/a"), "x", 1), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(file_write(fixture->directory, "x", 1), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(file_write("/dev/full", "x", 1), -1);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(file_write("/dev/null", "x", 1), 0);
	assert_int_equal(entries(fixture), 0);
}

/* "-" is stdout: a child writes there into a file. */
static void minus_is_stdout(void **state)
{
	struct fixture *fixture = *state;
	char *path = below(fixture, "out");
	pid_t child = fork();
	int status;

	if (child == 0) {
		int descriptor = open(path, O_CREAT | O_WRONLY, 0600);

		dup2(descriptor, STDOUT_FILENO);
		_exit(file_write("-", "text", 4) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_string_equal(file_read(fixture->arena, path, NULL), "text");
}

static void folders_are_made_with_those_above(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(directory_create(below(fixture, "a/b//c/")), 0);
	assert_true(file_exists(below(fixture, "a/b/c")));
	assert_int_equal(directory_create(below(fixture, "a/b/c")), 0);
	assert_int_equal(file_write(below(fixture, "a/f"), "x", 1), 0);
	assert_int_equal(directory_create(below(fixture, "a/f/g")), -1);
	assert_true(errno == EEXIST || errno == ENOTDIR);
}

static void temporary_folders_are_private_and_apart(void **state)
{
	struct fixture *fixture = *state;
	char *other = directory_temporary(fixture->arena);

	assert_non_null(other);
	assert_string_not_equal(other, fixture->directory);
	assert_int_equal(mode_of(other), 0700);
	directory_remove(other);
	assert_false(file_exists(other));
}

/* Removing a folder does not follow the links in it. */
static void removing_spares_what_links_point_to(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(directory_create(below(fixture, "kept")), 0);
	assert_int_equal(file_write(below(fixture, "kept/f"), "x", 1), 0);
	assert_int_equal(directory_create(below(fixture, "gone/deep")), 0);
	assert_int_equal(symlink("../../kept", below(fixture, "gone/deep/link")), 0);
	directory_remove(below(fixture, "gone"));
	assert_false(file_exists(below(fixture, "gone")));
	assert_true(file_exists(below(fixture, "kept/f")));
}

static void cache_lies_where_the_user_says(void **state)
{
	struct fixture *fixture = *state;
	char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	setenv("XDG_CACHE_HOME", below(fixture, "x/cache"), 1);
	assert_string_equal(directory_cache(fixture->arena), below(fixture, "x/cache/coalesce"));
	assert_true(file_exists(below(fixture, "x/cache/coalesce")));
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", below(fixture, "home"), 1);
	assert_string_equal(directory_cache(fixture->arena), below(fixture, "home/.cache/coalesce"));
	setenv("HOME", "/dev/null", 1);
	assert_null(directory_cache(fixture->arena));
	unsetenv("HOME");
	assert_null(directory_cache(fixture->arena));
	if (cache)
		setenv("XDG_CACHE_HOME", cache, 1);
	if (home)
		setenv("HOME", home, 1);
}

static void programs_are_found_on_path(void **state)
{
	struct fixture *fixture = *state;
	char *path = arena_strdup(fixture->arena, getenv("PATH"));

	assert_int_equal(file_write(below(fixture, "tool"), "#!/bin/sh\n", 10), 0);
	assert_int_equal(file_write(below(fixture, "plain"), "x", 1), 0);
	assert_int_equal(chmod(below(fixture, "tool"), 0755), 0);
	assert_int_equal(directory_create(below(fixture, "folder")), 0);
	setenv("PATH", arena_printf(fixture->arena, "/nowhere:%s", fixture->directory), 1);
	assert_string_equal(program_find(fixture->arena, "tool"), below(fixture, "tool"));
	assert_null(program_find(fixture->arena, "plain"));
	assert_null(program_find(fixture->arena, "folder"));
	assert_null(program_find(fixture->arena, "missing"));
	assert_string_equal(program_find(fixture->arena, below(fixture, "tool")), below(fixture, "tool"));
	unsetenv("PATH");
	assert_null(program_find(fixture->arena, "tool"));
	setenv("PATH", path, 1);
}

static void program_lies_in_its_folder(void **state)
{
	struct fixture *fixture = *state;
	const char *directory = program_directory(fixture->arena);

	assert_non_null(directory);
	assert_true(file_exists(arena_printf(fixture->arena, "%s/test_base_file", directory)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_written_is_read),
		TEST(empty_files_are_files),
		TEST(what_cannot_be_read_has_a_reason),
		TEST(pipes_are_read_to_their_end),
		TEST(failing_write_changes_nothing),
		TEST(writing_replaces_the_file),
		TEST(permissions_are_the_usual_ones_or_stay),
		TEST(symbolic_links_stay_links),
		TEST(what_cannot_be_written_has_a_reason),
		TEST(minus_is_stdout),
		TEST(folders_are_made_with_those_above),
		TEST(temporary_folders_are_private_and_apart),
		TEST(removing_spares_what_links_point_to),
		TEST(cache_lies_where_the_user_says),
		TEST(programs_are_found_on_path),
		TEST(program_lies_in_its_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

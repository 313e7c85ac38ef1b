/* Finding the CUDA toolkit: made-up toolkits in all the shapes that there are, so no real one is needed. */
#include "base/base.h"
#include "base/toolkit/toolkit.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static const char *const variables[] = {"COALESCE_CUDA", "CUDA_HOME", "CUDA_PATH", "PATH"};

/* A temporary folder, and the environment to put back. */
struct fixture {
	struct arena *arena;
	char *directory;
	char *saved[ARRAY_COUNT(variables)];
};

static int set_up(void **state)
{
	struct arena *arena = arena_create();
	struct fixture *fixture = arena_alloc(arena, sizeof(*fixture));

	fixture->arena = arena;
	fixture->directory = directory_temporary(arena);
	for (size_t i = 0; i < ARRAY_COUNT(variables); i++) {
		const char *value = getenv(variables[i]);

		fixture->saved[i] = value ? arena_strdup(arena, value) : NULL;
		unsetenv(variables[i]);
	}
	setenv("PATH", "/usr/bin:/bin", 1);
	*state = fixture;
	return fixture->directory ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_COUNT(variables); i++) {
		unsetenv(variables[i]);
		if (fixture->saved[i])
			setenv(variables[i], fixture->saved[i], 1);
	}
	directory_remove(fixture->directory);
	arena_release(fixture->arena);
	return 0;
}

static char *below(const struct fixture *fixture, const char *name)
{
	return arena_printf(fixture->arena, "%s/%s", fixture->directory, name);
}

/* Writes a file and the folders above it. */
static void put(const struct fixture *fixture, const char *name, const char *text, mode_t mode)
{
	char *path = below(fixture, name), *slash = strrchr(path, '/');

	assert_int_equal(directory_create(arena_strndup(fixture->arena, path, (size_t)(slash - path))), 0);
	assert_int_equal(file_write(path, text, strlen(text)), 0);
	assert_int_equal(chmod(path, mode), 0);
}

/* Makes a toolkit with its headers in the given folder of it. */
static void put_toolkit(const struct fixture *fixture, const char *name, const char *include, const char *version)
{
	struct arena *arena = fixture->arena;

	put(fixture, arena_printf(arena, "%s/bin/nvcc", name), "#!/bin/sh\nexit 1\n", 0755);
	put(fixture, arena_printf(arena, "%s/bin/ptxas", name), "", 0755);
	put(fixture, arena_printf(arena, "%s/%s/cuda_runtime.h", name, include), "", 0644);
	put(fixture, arena_printf(arena, "%s/%s/cuda.h", name, include),
	    arena_printf(arena, "#ifndef x\n#define CUDA_VERSION %s\n#endif\n", version), 0644);
}

static void chosen_toolkit_is_described(void **state)
{
	struct fixture *fixture = *state;
	struct toolkit toolkit;

	put_toolkit(fixture, "cuda", "include", "13000");
	put(fixture, "cuda/include/cccl/cub/cub.cuh", "", 0644);
	setenv("COALESCE_CUDA", below(fixture, "cuda"), 1);
	toolkit = toolkit_find(fixture->arena);
	assert_null(toolkit.reason);
	assert_string_equal(toolkit.root, below(fixture, "cuda"));
	assert_string_equal(toolkit.nvcc, below(fixture, "cuda/bin/nvcc"));
	assert_string_equal(toolkit.ptxas, below(fixture, "cuda/bin/ptxas"));
	assert_string_equal(toolkit.include, below(fixture, "cuda/include"));
	assert_string_equal(toolkit.cccl, below(fixture, "cuda/include/cccl"));
	assert_string_equal(toolkit.version, "13.0");
}

static void toolkit_without_cccl_and_ptxas_is_one(void **state)
{
	struct fixture *fixture = *state;
	struct toolkit toolkit;

	put_toolkit(fixture, "cuda", "include", "11080");
	assert_int_equal(unlink(below(fixture, "cuda/bin/ptxas")), 0);
	setenv("COALESCE_CUDA", below(fixture, "cuda"), 1);
	toolkit = toolkit_find(fixture->arena);
	assert_null(toolkit.reason);
	assert_null(toolkit.cccl);
	assert_null(toolkit.ptxas);
	assert_string_equal(toolkit.version, "11.8");
}

/* A wrong COALESCE_CUDA is told, and no other toolkit is taken in its stead. */
static void wrong_choice_is_told(void **state)
{
	struct fixture *fixture = *state;
	struct toolkit toolkit;

	put_toolkit(fixture, "cuda", "include", "13000");
	setenv("CUDA_HOME", below(fixture, "cuda"), 1);
	setenv("COALESCE_CUDA", below(fixture, "other"), 1);
	toolkit = toolkit_find(fixture->arena);
	assert_non_null(toolkit.reason);
	assert_non_null(strstr(toolkit.reason, below(fixture, "other")));
	assert_null(toolkit.root);
	assert_null(toolkit.nvcc);
}

static void order_is_kept(void **state)
{
	struct fixture *fixture = *state;

	put_toolkit(fixture, "chosen", "include", "12010");
	put_toolkit(fixture, "home", "include", "12020");
	put_toolkit(fixture, "path", "include", "12030");
	put_toolkit(fixture, "nvcc", "include", "12040");
	setenv("PATH", below(fixture, "nvcc/bin"), 1);
	assert_string_equal(toolkit_find(fixture->arena).version, "12.4");
	setenv("CUDA_PATH", below(fixture, "path"), 1);
	assert_string_equal(toolkit_find(fixture->arena).version, "12.3");
	setenv("CUDA_HOME", below(fixture, "home"), 1);
	assert_string_equal(toolkit_find(fixture->arena).version, "12.2");
	setenv("COALESCE_CUDA", below(fixture, "chosen"), 1);
	assert_string_equal(toolkit_find(fixture->arena).version, "12.1");
}

/* What lacks headers, or their version, is passed over. */
static void halves_of_toolkits_are_passed_over(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "bare/bin/nvcc", "#!/bin/sh\nexit 1\n", 0755);
	put_toolkit(fixture, "odd", "include", "none");
	put_toolkit(fixture, "whole", "include", "12040");
	setenv("CUDA_HOME", below(fixture, "bare"), 1);
	setenv("CUDA_PATH", below(fixture, "odd"), 1);
	setenv("PATH", arena_printf(fixture->arena, "%s:/usr/bin:/bin", below(fixture, "whole/bin")), 1);
	assert_string_equal(toolkit_find(fixture->arena).root, below(fixture, "whole"));
}

static void headers_may_lie_under_targets(void **state)
{
	struct fixture *fixture = *state;
#if defined(__aarch64__)
	const char *include = "targets/sbsa-linux/include";
#else
	const char *include = "targets/x86_64-linux/include";
#endif

	put_toolkit(fixture, "conda", include, "12060");
	setenv("CUDA_HOME", below(fixture, "conda"), 1);
	assert_string_equal(toolkit_find(fixture->arena).root, below(fixture, "conda"));
	assert_string_equal(toolkit_find(fixture->arena).include,
	                    arena_printf(fixture->arena, "%s/%s", below(fixture, "conda"), include));
}

static void nvcc_may_be_a_link(void **state)
{
	struct fixture *fixture = *state;

	put_toolkit(fixture, "cuda", "include", "12060");
	assert_int_equal(directory_create(below(fixture, "links")), 0);
	assert_int_equal(symlink("../cuda/bin/nvcc", below(fixture, "links/nvcc")), 0);
	setenv("PATH", below(fixture, "links"), 1);
	assert_string_equal(toolkit_find(fixture->arena).nvcc, below(fixture, "cuda/bin/nvcc"));
}

/* A script that calls another nvcc prints that one's folder in a dry run, as nvcc itself does. */
static void nvcc_may_be_a_script(void **state)
{
	struct fixture *fixture = *state;
	const char *script =
		arena_printf(fixture->arena, "#!/bin/sh\n[ \"$1\" = --dryrun ] && echo '#$ _HERE_=%s' >&2\n",
	                     below(fixture, "cuda/bin"));

	put_toolkit(fixture, "cuda", "include", "12060");
	put(fixture, "scripts/nvcc", script, 0755);
	setenv("PATH", arena_printf(fixture->arena, "%s:/usr/bin:/bin", below(fixture, "scripts")), 1);
	assert_string_equal(toolkit_find(fixture->arena).root, below(fixture, "cuda"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(chosen_toolkit_is_described),
		TEST(toolkit_without_cccl_and_ptxas_is_one),
		TEST(wrong_choice_is_told),
		TEST(order_is_kept),
		TEST(halves_of_toolkits_are_passed_over),
		TEST(headers_may_lie_under_targets),
		TEST(nvcc_may_be_a_link),
		TEST(nvcc_may_be_a_script),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

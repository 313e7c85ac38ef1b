/* What NVRTC gave is found again by the same request alone, also by what another process added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/compile/nvrtc.h"
#include "model/model.h"

static const char *const options[] = {"--std=c++17", "--maxrregcount=32"};
static const char *const instances[] = {"add", "scale<float>"};

static struct nvrtc_request request_of(const char *text, unsigned option_count)
{
	return (struct nvrtc_request){.name = "variants.cu",
	                              .text = text,
	                              .options = options,
	                              .option_count = option_count,
	                              .instances = instances,
	                              .instance_count = 2};
}

static struct nvrtc_result result_of(const char **mangled)
{
	return (struct nvrtc_result){.compiled = true,
	                             .log = "ptxas info",
	                             .ptx = ".version 9.0",
	                             .ptx_length = strlen(".version 9.0"),
	                             .cubin = "a\0b",
	                             .cubin_length = 3,
	                             .mangled = mangled};
}

static void test_found_again(void **state)
{
	struct arena *arena = arena_create();
	struct compile_store *store = compile_store_create(arena);
	const char *mangled[] = {"_Z3addv", "_Z5scaleIfEvv"};
	const struct nvrtc_request request = request_of("text", 2), other_text = request_of("texts", 2),
				   fewer = request_of("text", 1);
	const struct nvrtc_result given = result_of(mangled);
	struct nvrtc_result found;
	(void)state;
	assert_false(compile_store_find(arena, store, &request, &found));
	compile_store_add(store, &request, &given);
	assert_true(compile_store_find(arena, store, &request, &found));
	assert_true(found.compiled);
	assert_string_equal(found.log, given.log);
	assert_string_equal(found.ptx, given.ptx);
	assert_int_equal(found.cubin_length, 3);
	assert_memory_equal(found.cubin, given.cubin, 3);
	assert_string_equal(found.mangled[0], mangled[0]);
	assert_string_equal(found.mangled[1], mangled[1]);
	assert_false(compile_store_find(arena, store, &other_text, &found));
	assert_false(compile_store_find(arena, store, &fewer, &found));
	arena_release(arena);
}

static void test_of_another_process(void **state)
{
	struct arena *arena = arena_create();
	struct compile_store *store = compile_store_create(arena);
	const char *mangled[] = {"_Z3addv", "_Z5scaleIfEvv"};
	const struct nvrtc_request request = request_of("text", 2);
	struct nvrtc_result found;
	int status;
	(void)state;
	pid_t child = fork();
	if (child == 0) {
		const struct nvrtc_result given = result_of(mangled);
		compile_store_add(store, &request, &given);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(compile_store_find(arena, store, &request, &found));
	assert_string_equal(found.mangled[1], mangled[1]);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_found_again),
	                                   cmocka_unit_test(test_of_another_process)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

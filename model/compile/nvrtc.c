/*
 * Loading NVRTC, and one compilation with it. The prototypes are those of nvrtc.h of CUDA 12 and 13, restated because
 * that header need not be installed where this is built.
 */
#include "base/isolation/isolation.h"
#include "base/toolkit/toolkit.h"
#include "model/compile/nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_BYTES ((size_t)1 << 30) /* most that a compilation gives */

struct program;
typedef int nvrtc_status;

/* X(field, name, parameters...). */
#define NVRTC_FUNCTIONS(X)                                                                                             \
	X(version, nvrtcVersion, int *major, int *minor)                                                               \
	X(create, nvrtcCreateProgram, struct program **program, const char *text, const char *name, int header_count,  \
	  const char *const *headers, const char *const *names)                                                        \
	X(destroy, nvrtcDestroyProgram, struct program **program)                                                      \
	X(add_name, nvrtcAddNameExpression, struct program *program, const char *expression)                           \
	X(lowered_name, nvrtcGetLoweredName, struct program *program, const char *expression, const char **name)       \
	X(compile, nvrtcCompileProgram, struct program *program, int option_count, const char *const *options)         \
	X(log_size, nvrtcGetProgramLogSize, struct program *program, size_t *size)                                     \
	X(log, nvrtcGetProgramLog, struct program *program, char *log)                                                 \
	X(ptx_size, nvrtcGetPTXSize, struct program *program, size_t *size)                                            \
	X(ptx, nvrtcGetPTX, struct program *program, char *ptx)                                                        \
	X(cubin_size, nvrtcGetCUBINSize, struct program *program, size_t *size)                                        \
	X(cubin, nvrtcGetCUBIN, struct program *program, char *cubin)

struct nvrtc {
#define X(field, name, ...) nvrtc_status (*(field))(__VA_ARGS__);
	NVRTC_FUNCTIONS(X)
#undef X
};

struct nvrtc_warming {
	pthread_t thread;
	bool started, opened;
	struct arena *arena;
	struct toolkit toolkit;
	const char *target, *reason;
	const struct nvrtc *nvrtc;
	struct tool_time time;
};

/* ---- opening ---------------------------------------------------------------------- */

/* NULL where there is no such file, or no library. */
static void *library_load(const char *path)
{
	if (!file_exists(path))
		return NULL;
	process_locking_begin();
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	process_locking_end();
	return library;
}

/*
 * Opens the library in one of the folders that installers, wheels and conda use. It opens another one beside it when it
 * first compiles, by its name alone, which nobody finds but where a toolkit is installed for the whole system: so that
 * comes first.
 */
static void *library_open(struct arena *arena, const struct toolkit *toolkit)
{
	static const char *const folders[] = {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
	                                      "lib/x86_64-linux-gnu"};
	long major = strtol(toolkit->version, NULL, 10);

	for (unsigned i = 0; i < ARRAY_COUNT(folders); i++) {
		const char *folder = arena_printf(arena, "%s/%s", toolkit->root, folders[i]);
		void *library;

		library_load(arena_printf(arena, "%s/libnvrtc-builtins.so.%s", folder, toolkit->version));
		library = library_load(arena_printf(arena, "%s/libnvrtc.so.%ld", folder, major));
		if (library)
			return library;
	}
	return NULL;
}

/* The address of a function, as dlsym() of POSIX gives it: through memory, since C has no cast between such pointers.
 */
static bool function_find(void *library, const char *name, void *field)
{
	void *address = dlsym(library, name);

	memcpy(field, &address, sizeof address);
	return address != NULL;
}

static bool functions_find(void *library, struct nvrtc *nvrtc)
{
	bool all = true;

	process_locking_begin();
#define X(field, name, ...) all = function_find(library, #name, &nvrtc->field) && all;
	NVRTC_FUNCTIONS(X)
#undef X
	process_locking_end();
	return all;
}

const struct nvrtc *nvrtc_open(struct arena *arena, const struct toolkit *toolkit, const char **reason)
{
	struct nvrtc *nvrtc = arena_alloc(arena, sizeof *nvrtc);
	void *library = toolkit->reason ? NULL : library_open(arena, toolkit);
	int major = 0, minor = 0;

	if (!library)
		*reason = "the toolkit has no NVRTC";
	else if (!functions_find(library, nvrtc) || nvrtc->version(&major, &minor) != 0)
		*reason = "the toolkit's NVRTC lacks functions";
	else if (strcmp(arena_printf(arena, "%d.%d", major, minor), toolkit->version) != 0)
		*reason = arena_printf(arena, "the toolkit is of version %s, its NVRTC of %d.%d", toolkit->version,
		                       major, minor);
	else
		return nvrtc;
	return NULL;
}

/* ---- one compilation ------------------------------------------------------------------ */

typedef nvrtc_status size_function(struct program *program, size_t *size);
typedef nvrtc_status copy_function(struct program *program, char *data);

/* One of the results; NULL where there is none. A zero is added at its end. */
static char *result_copy(struct arena *arena, struct program *program, size_function *size_of, copy_function *copy,
                         size_t *length)
{
	char *data;

	*length = 0;
	if (size_of(program, length) != 0 || *length == 0)
		return NULL;
	data = arena_alloc(arena, *length + 1);
	return copy(program, data) == 0 ? data : NULL;
}

static void results_read(struct arena *arena, const struct nvrtc *nvrtc, struct program *program,
                         const struct nvrtc_request *request, struct nvrtc_result *result)
{
	result->ptx = result_copy(arena, program, nvrtc->ptx_size, nvrtc->ptx, &result->ptx_length);
	result->cubin = result_copy(arena, program, nvrtc->cubin_size, nvrtc->cubin, &result->cubin_length);
	result->ptx_length = result->ptx ? strlen(result->ptx) : 0;
	result->mangled = arena_array(arena, request->instance_count + 1, sizeof *result->mangled);
	result->compiled = result->ptx && result->cubin;
	for (unsigned i = 0; i < request->instance_count; i++) {
		const char *name = NULL;

		if (nvrtc->lowered_name(program, request->instances[i], &name) != 0)
			result->compiled = false;
		else
			result->mangled[i] = arena_strdup(arena, name);
	}
}

static struct program *program_make(struct arena *arena, const struct nvrtc *nvrtc, const struct nvrtc_request *request)
{
	const char **texts = arena_array(arena, request->header_count + 1, sizeof *texts);
	const char **names = arena_array(arena, request->header_count + 1, sizeof *names);
	struct program *program = NULL;

	for (unsigned i = 0; i < request->header_count; i++) {
		texts[i] = request->headers[i].text;
		names[i] = request->headers[i].name;
	}
	if (nvrtc->create(&program, request->text, request->name, (int)request->header_count, texts, names) != 0)
		return NULL;
	for (unsigned i = 0; i < request->instance_count; i++)
		nvrtc->add_name(program, request->instances[i]);
	return program;
}

static struct nvrtc_result compile_here(struct arena *arena, const struct nvrtc *nvrtc,
                                        const struct nvrtc_request *request)
{
	struct nvrtc_result result = {.log = ""};
	struct program *program = program_make(arena, nvrtc, request);
	size_t length;

	if (!program)
		return result;
	process_locking_begin();
	nvrtc_status status = nvrtc->compile(program, (int)request->option_count, request->options);
	process_locking_end();
	if (status == 0)
		results_read(arena, nvrtc, program, request, &result);
	const char *log = result_copy(arena, program, nvrtc->log_size, nvrtc->log, &length);
	result.log = log ? log : "";
	nvrtc->destroy(&program);
	return result;
}

/* ---- in a child process ------------------------------------------------------------------ */

struct nvrtc_work {
	const struct nvrtc *nvrtc;
	const struct nvrtc_request *request;
};

static void work_do(struct arena *shared, void *context, void **result)
{
	const struct nvrtc_work *work = context;
	struct nvrtc_result *compiled = arena_alloc(shared, sizeof *compiled);
	struct duration begin = clock_thread();

	*compiled = compile_here(shared, work->nvrtc, work->request);
	compiled->spent = clock_thread_since(begin);
	*result = compiled;
}

static struct nvrtc_result compile_apart(struct arena *arena, const struct nvrtc *nvrtc,
                                         const struct nvrtc_request *request)
{
	const struct isolation how = {.limits = request->limits, .shared_bytes = SHARED_BYTES};
	struct nvrtc_work work = {nvrtc, request};
	struct duration begin = clock_thread();
	const struct isolated isolated = isolation_run(arena, &how, work_do, &work);
	struct nvrtc_result result = {.log = ""};

	if (isolated.ending == ISOLATION_DONE && isolated.result)
		result = *(const struct nvrtc_result *)isolated.result;
	else
		result.log = arena_printf(arena, "error: NVRTC %s", isolation_reason(arena, &how, &isolated));
	result.exceeded = isolated.ending == ISOLATION_MEMORY || isolated.ending == ISOLATION_TIME ||
	                  isolated.ending == ISOLATION_HUNG;
	result.spent.wall = clock_thread_since(begin).wall;
	return result;
}

struct nvrtc_result nvrtc_compile(struct arena *arena, const struct nvrtc *nvrtc, const struct nvrtc_request *request)
{
	struct nvrtc_result result;

	if (request->store && compile_store_find(arena, request->store, request, &result))
		return result;
	result = compile_apart(arena, nvrtc, request);
	if (request->store && result.compiled && !result.exceeded)
		compile_store_add(request->store, request, &result);
	return result;
}

/* ---- warming up ------------------------------------------------------------------------ */

static void library_take(struct nvrtc_warming *warming)
{
	warming->nvrtc = nvrtc_open(warming->arena, &warming->toolkit, &warming->reason);
	warming->opened = true;
}

static void warm(void *context)
{
	struct nvrtc_warming *warming = context;
	struct duration begin = clock_thread();
	const char *options[] = {"-minimal", arena_printf(warming->arena, "--gpu-architecture=%s", warming->target)};
	const struct nvrtc_request request = {.name = "warm.cu",
	                                      .text = "__global__ void warm(float *a) { *a = 1; }",
	                                      .options = options,
	                                      .option_count = ARRAY_COUNT(options)};

	library_take(warming);
	if (warming->nvrtc)
		compile_here(warming->arena, warming->nvrtc, &request);
	warming->time.spent.processor = clock_thread_since(begin).processor;
	warming->time.elsewhere = warming->time.spent.processor;
}

/* A failure in the thread leaves the work to nvcc. */
static void *warm_caught(void *context)
{
	struct nvrtc_warming *warming = context;
	struct failure failure;

	if (failure_catch(warm, warming, &failure))
		return NULL;
	warming->nvrtc = NULL;
	warming->opened = true;
	warming->reason = "it failed when it was opened";
	return NULL;
}

void nvrtc_warm_wait(struct nvrtc_warming *warming)
{
	if (warming && warming->started)
		pthread_join(warming->thread, NULL);
	if (warming)
		warming->started = false;
}

static void warming_finish(void *context)
{
	struct nvrtc_warming *warming = context;

	nvrtc_warm_wait(warming);
	arena_release(warming->arena);
}

struct nvrtc_warming *nvrtc_warm_begin(struct arena *arena, const struct toolkit *toolkit, const char *target,
                                       bool ahead)
{
	struct nvrtc_warming *warming = arena_alloc(arena, sizeof *warming);

	warming->arena = arena_create();
	arena_at_release(arena, warming_finish, warming);
	warming->toolkit = *toolkit;
	warming->target = target;
	warming->started = ahead && pthread_create(&warming->thread, NULL, warm_caught, warming) == 0;
	return warming;
}

const struct nvrtc *nvrtc_warm_end(struct nvrtc_warming *warming, const char **reason, struct tool_time *time)
{
	struct duration begin = clock_thread();

	nvrtc_warm_wait(warming);
	if (!warming->opened)
		library_take(warming);
	*time = clock_tools_sum(*time, warming->time);
	time->spent = clock_sum(time->spent, clock_thread_since(begin));
	warming->time = (struct tool_time){0};
	*reason = warming->reason;
	return warming->nvrtc;
}

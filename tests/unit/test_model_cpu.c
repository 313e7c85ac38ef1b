/*
 * Kernels translated to C and run on this CPU against the brute-force interpreter of PTX: what they leave in memory
 * must be the same bytes. Random kernels, kernels as nvcc compiled them, and each arithmetic instruction that the
 * interpreter knows, on numbers at the edges of its type.
 */
#include "model/cpu/cpu.h"
#include "model/cpu/support/support.h"
#include "tests/ptx_interpreter/compare.h"

#include <dlfcn.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define RANDOM_KERNELS 16
#define TRIALS_MOST 400
#define BUFFER_BYTES ((size_t)12 << 20)
#define BUFFER_START ((size_t)4 << 20) /* of the address that a kernel gets: indices may be negative */
#define FILLED_BYTES ((size_t)1 << 20)
#define PARAMETER_BYTES 8192
#define NUMBER_BYTES ((size_t)256 * 24)

static struct {
	struct arena *arena;
	struct trial trials[TRIALS_MOST];
	unsigned source_of[TRIALS_MOST];
	struct cpu_source sources[TRIALS_MOST]; /* each text once */
	unsigned count, source_count;
	const uint8_t *numbers; /* that the first buffer begins with, or NULL */
	uint8_t *memory[2];     /* of the interpreter, of the CPU: the interpreter's addresses are the CPU's */
} all;

static const struct ptx_module *parse(const struct trial *trial)
{
	struct diagnostics diagnostics;
	struct ptx_module *module;

	diagnostics_init(&diagnostics, all.arena);
	module = ptx_parse(all.arena, trial->name, trial->text, strlen(trial->text), &diagnostics);
	if (!module)
		fail_msg("%s: not parsed\n%s", trial->name, trial->text);
	for (size_t i = 0; module && i < module->function_count; i++)
		if (module->functions[i].has_body)
			ptx_function_analyse(all.arena, &module->functions[i]);
	return module;
}

static void trial_add(const struct trial *trial)
{
	const char *hash = cpu_hash(all.arena, trial->text, strlen(trial->text));
	unsigned source = 0;

	if (all.count == TRIALS_MOST)
		return;
	while (source < all.source_count && strcmp(all.sources[source].hash, hash) != 0)
		source++;
	if (source == all.source_count)
		all.sources[all.source_count++] = (struct cpu_source){parse(trial), hash};
	all.source_of[all.count] = source;
	all.trials[all.count++] = *trial;
}

/* ---- one launch ------------------------------------------------------------------------------ */

/* Small numbers, and what a buffer is declared to hold. */
static void fill(const struct memory_buffer *buffer, uint8_t *data)
{
	for (size_t i = 0; i < FILLED_BYTES; i++) {
		struct content_place place;
		uint64_t piece;

		data[i] = i % 4 == 3 ? 0x3f : i % 4 == 2 ? (uint8_t)(0x80 + (i / 4 % 7 << 4)) : 0;
		if (buffer->content.kind && content_find(&buffer->content, (int64_t)i, &place) &&
		    content_piece(&place, 1, &piece))
			data[i] = (uint8_t)piece;
	}
}

static uint8_t *buffer_of(unsigned which, unsigned buffer)
{
	return all.memory[which] + buffer * BUFFER_BYTES;
}

static void buffers_reset(const struct trial *trial)
{
	for (unsigned which = 0; which < 2; which++) {
		assert_int_equal(madvise(all.memory[which], TRIAL_ARGUMENTS * BUFFER_BYTES, MADV_DONTNEED), 0);
		for (unsigned i = 0; i < trial->buffer_count; i++)
			fill(&trial->buffers[i], buffer_of(which, i) + BUFFER_START);
		if (all.numbers)
			memcpy(buffer_of(which, 0) + BUFFER_START, all.numbers, NUMBER_BYTES);
	}
}

static void parameters_write(const struct trial *trial, const struct ptx_function *function, uint8_t *bytes)
{
	for (unsigned i = 0; i < trial->argument_count && i < function->parameter_count; i++) {
		const struct argument *argument = &trial->arguments[i];
		uint64_t size =
			ptx_type_bytes((enum ptx_type)function->parameters[i].type) * function->parameters[i].count;
		uint64_t value = (uint64_t)argument->value;

		if (argument->kind == ARGUMENT_POINTER)
			value += (uint64_t)(buffer_of(1, argument->buffer) + BUFFER_START);
		for (uint64_t j = 0; j < size; j++)
			bytes[function->parameters[i].offset + j] = argument->kind == ARGUMENT_BYTES
			                                                    ? argument->bytes[j]
			                                            : j < 8 ? (uint8_t)(value >> (8 * j))
			                                                    : 0;
	}
}

static const char *oracle_run(const struct trial *trial, const struct ptx_module *module,
                              const struct ptx_function *function, const uint8_t *parameters)
{
	struct interpreter_memory memory[TRIAL_ARGUMENTS];
	struct interpreter_launch launch = {.module = module,
	                                    .function = function,
	                                    .dynamic_shared_bytes = trial->dynamic_shared_bytes,
	                                    .parameters = parameters,
	                                    .parameter_bytes = PARAMETER_BYTES,
	                                    .memory = memory,
	                                    .memory_count = trial->buffer_count,
	                                    .step_limit = 400000};

	memcpy(launch.grid, trial->grid, sizeof launch.grid);
	memcpy(launch.block, trial->block, sizeof launch.block);
	for (unsigned i = 0; i < trial->buffer_count; i++)
		memory[i] = (struct interpreter_memory){(uint64_t)buffer_of(1, i), buffer_of(0, i), BUFFER_BYTES};
	return interpret(all.arena, &launch, NULL, NULL)->error;
}

static const struct cpu_kernel *kernel_find(const struct cpu_module *module, const char *name)
{
	for (unsigned k = 0; k < module->kernel_count; k++)
		if (strcmp(module->kernels[k].name, name) == 0)
			return &module->kernels[k];
	return NULL;
}

static bool is_nan(const uint8_t *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof word);
	return (word & 0x7fffffff) > 0x7f800000;
}

/* There are many NaNs, and the interpreter has not that of a GPU. */
static void buffers_compare(const struct trial *trial)
{
	for (unsigned i = 0; i < trial->buffer_count; i++) {
		const uint8_t *truth = buffer_of(0, i), *got = buffer_of(1, i);

		for (size_t at = 0; memcmp(truth, got, BUFFER_BYTES) != 0 && at < BUFFER_BYTES; at += 4)
			if (memcmp(truth + at, got + at, 4) != 0 && !(is_nan(truth + at) && is_nan(got + at)))
				fail_msg("%s: %s: buffer %u, byte %zd: %02x%02x%02x%02x, is %02x%02x%02x%02x\n%s",
				         trial->name, trial->kernel, i, (ssize_t)at - (ssize_t)BUFFER_START,
				         got[at + 3], got[at + 2], got[at + 1], got[at], truth[at + 3], truth[at + 2],
				         truth[at + 1], truth[at], trial->text);
			else if (at % 65536 == 0 && memcmp(truth + at, got + at, BUFFER_BYTES - at) == 0)
				break;
	}
}

/* Returns whether both could run it. */
static bool trial_compare(unsigned number, const struct cpu_module *modules,
                          const char *(*run)(struct cpu_launch *launch))
{
	const struct trial *trial = &all.trials[number];
	const struct ptx_module *module = all.sources[all.source_of[number]].module;
	const struct ptx_function *function = ptx_module_find(module, trial->kernel);
	uint8_t *parameters = arena_alloc(all.arena, PARAMETER_BYTES);
	struct cpu_launch launch = {.kernel = kernel_find(&modules[all.source_of[number]], trial->kernel),
	                            .parameters = parameters,
	                            .dynamic_shared_bytes = (unsigned)trial->dynamic_shared_bytes,
	                            .seconds = 60};

	buffers_reset(trial);
	parameters_write(trial, function, parameters);
	const char *error = oracle_run(trial, module, function, parameters);
	if (error)
		return false;
	memcpy(launch.grid, trial->grid, sizeof launch.grid);
	memcpy(launch.block, trial->block, sizeof launch.block);
	error = run(&launch);
	if (error)
		fail_msg("%s: %s: %s\n%s", trial->name, trial->kernel, error, trial->text);
	buffers_compare(trial);
	return true;
}

/* Builds all trials, and compares them. Returns how many could be compared. */
static unsigned trials_compare(void)
{
	char folder[] = "/tmp/coalesce-test-cpu-XXXXXX";
	struct text text = {0};
	const char *problem, *path;
	unsigned compared = 0;

	assert_non_null(mkdtemp(folder));
	cpu_translate(all.arena, all.sources, all.source_count, &text);
	path = cpu_build(all.arena, folder, &text, 600, &problem);
	if (!path)
		fail_msg("not built in %s: %s", folder, problem);
	text_release(&text);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		fail_msg("%s", dlerror());
	const struct cpu_module *modules = dlsym(library, "cpu_modules");
	const char *(*run)(struct cpu_launch *);
	*(void **)&run = dlsym(library, "cpu_run");
	for (unsigned i = 0; i < all.count; i++)
		compared += trial_compare(i, modules, run);
	dlclose(library);
	const char *const remove[] = {"rm", "-rf", folder, NULL};
	process_run(all.arena, remove, NULL, 60);
	return compared;
}

/* ---- what is compared ----------------------------------------------------------------------- */

static int begin(void **state)
{
	(void)state;
	memset(&all, 0, sizeof all);
	all.arena = arena_create();
	for (unsigned which = 0; which < 2; which++)
		all.memory[which] = mmap(NULL, TRIAL_ARGUMENTS * BUFFER_BYTES, PROT_READ | PROT_WRITE,
		                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return all.memory[0] == MAP_FAILED || all.memory[1] == MAP_FAILED;
}

static int end(void **state)
{
	(void)state;
	for (unsigned which = 0; which < 2; which++)
		munmap(all.memory[which], TRIAL_ARGUMENTS * BUFFER_BYTES);
	arena_release(all.arena);
	return 0;
}

static void test_random_kernels(void **state)
{
	struct trial trial;

	(void)state;
	for (uint64_t seed = 1; seed <= RANDOM_KERNELS; seed++) {
		trial_generate(all.arena, seed, &trial);
		trial_add(&trial);
	}
	assert_true(trials_compare() > RANDOM_KERNELS * 3 / 4);
}

static void test_compiled_kernels(void **state)
{
	glob_t files;
	unsigned count = 0;

	(void)state;
	assert_int_equal(glob("tests/inputs/ptx/*.ptx", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		size_t launches;

		if (strstr(files.gl_pathv[i], "_aos") || strstr(files.gl_pathv[i], "_asta"))
			continue;
		const struct trial *trials = trials_read(all.arena, files.gl_pathv[i], &launches);

		for (size_t j = 0; j < launches; j++)
			trial_add(&trials[j]);
		count += (unsigned)launches;
	}
	globfree(&files);
	assert_true(trials_compare() > count / 2);
}

/* ---- each instruction --------------------------------------------------------------------------- */

/* Instructions of the sources %a, %b, %c (registers of the width) into %d. */
static const char *const of_16[] = {"add.s16", "sub.u16", "mul.lo.s16", "mul.hi.u16", "mul.hi.s16", "mad.lo.u16",
                                    "min.s16", "max.u16", "abs.s16",    "neg.s16",    "and.b16",    "or.b16",
                                    "xor.b16", "not.b16", "div.s16",    "rem.u16",    "cvt.s16.s8"};
static const char *const of_32[] = {
	"add.s32",        "sub.s32",        "mul.lo.u32",      "mul.hi.s32",      "mul.hi.u32",
	"mad.lo.s32",     "mad.hi.u32",     "div.s32",         "div.u32",         "rem.s32",
	"rem.u32",        "min.s32",        "max.u32",         "abs.s32",         "neg.s32",
	"sad.u32",        "sad.s32",        "and.b32",         "or.b32",          "xor.b32",
	"not.b32",        "cnot.b32",       "shl.b32",         "shr.u32",         "shr.s32",
	"shf.l.wrap.b32", "shf.r.wrap.b32", "shf.l.clamp.b32", "shf.r.clamp.b32", "popc.b32",
	"clz.b32",        "brev.b32",       "bfind.u32",       "bfind.s32",       "bfind.shiftamt.u32",
	"bfe.u32",        "bfe.s32",        "prmt.b32",        "dp4a.s32.s32",    "dp4a.u32.u32",
	"add.rn.f32",     "sub.rn.f32",     "mul.rn.f32",      "fma.rn.f32",      "div.rn.f32",
	"sqrt.rn.f32",    "rcp.rn.f32",     "min.f32",         "max.f32",         "abs.f32",
	"neg.f32",        "copysign.f32",   "cvt.rzi.s32.f32", "cvt.rni.u32.f32", "cvt.rmi.s32.f32",
	"cvt.rn.f32.s32", "cvt.rn.f32.u32", "cvt.rpi.f32.f32", "cvt.s32.s16",     "cvt.u32.u8",
	"cvt.s32.s8"};
static const char *const of_64[] = {
	"add.s64",        "sub.u64",     "mul.lo.s64", "mul.hi.s64", "mul.hi.u64", "mad.lo.u64",      "div.s64",
	"div.u64",        "rem.s64",     "rem.u64",    "min.s64",    "max.u64",    "abs.s64",         "and.b64",
	"or.b64",         "xor.b64",     "not.b64",    "brev.b64",   "add.rn.f64", "mul.rn.f64",      "fma.rn.f64",
	"div.rn.f64",     "sqrt.rn.f64", "min.f64",    "max.f64",    "neg.f64",    "cvt.rzi.s64.f64", "cvt.rn.f64.s64",
	"cvt.rn.f64.u64", "cvt.s64.s32", "cvt.u64.u16"};

static unsigned sources_of(const char *spelling)
{
	static const char *const one[] = {"abs", "neg",  "not",   "cnot", "cvt", "popc",
	                                  "clz", "brev", "bfind", "sqrt", "rcp"};
	static const char *const three[] = {"mad", "fma", "sad", "shf", "bfe", "prmt", "dp4a"};

	for (unsigned i = 0; i < ARRAY_COUNT(one); i++)
		if (strncmp(spelling, one[i], strlen(one[i])) == 0)
			return 1;
	for (unsigned i = 0; i < ARRAY_COUNT(three); i++)
		if (strncmp(spelling, three[i], strlen(three[i])) == 0)
			return 3;
	return 2;
}

/* cvt has registers as wide as its types. */
static unsigned source_width(const char *spelling, unsigned width)
{
	const char *last = strrchr(spelling, '.');
	unsigned of = (unsigned)strtoul(last + 2, NULL, 10);

	return strncmp(spelling, "cvt", 3) != 0 ? width : of < 16 ? 16 : of;
}

static void instruction_write(struct text *text, const char *spelling, unsigned width, unsigned number)
{
	static const char *const names[] = {"a", "b", "c"};
	bool amount = width == 64 && (strncmp(spelling, "sh", 2) == 0);

	text_printf(text, "\t%s %%d%u", spelling, width);
	for (unsigned i = 0; i < sources_of(spelling); i++)
		text_printf(text, ", %%%s%u", names[i], amount && i ? 32 : source_width(spelling, width));
	text_printf(text, ";\n\tst.global.b%u [%%at + %u], %%d%u;\n", width, number * 2048, width);
}

static const char *instructions_text(void)
{
	static const char head[] =
		".version 8.0\n.target sm_90\n.address_size 64\n"
		".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
		"\t.reg .b16 %a16, %b16, %c16, %d16;\n\t.reg .b32 %a32, %b32, %c32, %d32, %t;\n"
		"\t.reg .b64 %a64, %b64, %c64, %d64, %at, %in, %i;\n"
		"\tld.param.u64 %in, [in];\n\tld.param.u64 %at, [out];\n\tmov.u32 %t, %tid.x;\n\tmul.wide.u32 %i, %t, "
		"24;\n"
		"\tadd.s64 %in, %in, %i;\n\tmul.wide.u32 %i, %t, 8;\n\tadd.s64 %at, %at, %i;\n"
		"\tld.global.b64 %a64, [%in];\n\tld.global.b64 %b64, [%in + 8];\n\tld.global.b64 %c64, [%in + 16];\n"
		"\tld.global.b32 %a32, [%in];\n\tld.global.b32 %b32, [%in + 8];\n\tld.global.b32 %c32, [%in + 16];\n"
		"\tld.global.b16 %a16, [%in];\n\tld.global.b16 %b16, [%in + 8];\n\tld.global.b16 %c16, [%in + 16];\n";
	struct text text = {0};
	const char *copy;
	unsigned number = 0;

	text_puts(&text, head);
	for (unsigned i = 0; i < ARRAY_COUNT(of_16); i++)
		instruction_write(&text, of_16[i], 16, number++);
	for (unsigned i = 0; i < ARRAY_COUNT(of_32); i++)
		instruction_write(&text, of_32[i], 32, number++);
	for (unsigned i = 0; i < ARRAY_COUNT(of_64); i++)
		instruction_write(&text, of_64[i], 64, number++);
	text_puts(&text, "\tret;\n}\n");
	copy = arena_strdup(all.arena, text.data);
	text_release(&text);
	return copy;
}

/* Numbers at the edges of types, and real ones. */
static const uint8_t *edges(void)
{
	static const uint64_t list[] = {0,
	                                1,
	                                2,
	                                31,
	                                32,
	                                33,
	                                UINT64_MAX,
	                                INT64_MAX,
	                                UINT64_C(1) << 63,
	                                0x7fff,
	                                0x8000,
	                                0xffff,
	                                INT32_MAX,
	                                UINT64_C(0x80000000),
	                                UINT32_MAX,
	                                0x3fc00000,
	                                0xc0400000,
	                                0x4f000001,
	                                0x00800000,
	                                0x3eaaaaab,
	                                UINT64_C(0x3ff8000000000000),
	                                UINT64_C(0xc3e0000000000001),
	                                UINT64_C(0x3fd5555555555555),
	                                UINT64_C(0x123456789abcdef0)};
	uint8_t *bytes = arena_array(all.arena, 256, 24);
	uint64_t state = 88172645463325252u;

	for (unsigned i = 0; i < 256 * 3; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		memcpy(bytes + 8 * i, state % 3 ? &list[state / 3 % ARRAY_COUNT(list)] : &state, 8);
	}
	return bytes;
}

static void test_instructions(void **state)
{
	struct trial trial = {.name = "instructions", .kernel = "k", .grid = {1, 1, 1}, .block = {256, 1, 1}};

	(void)state;
	trial.text = instructions_text();
	trial.argument_count = trial.buffer_count = 2;
	trial.arguments[0] = (struct argument){.kind = ARGUMENT_POINTER, .buffer = 0};
	trial.arguments[1] = (struct argument){.kind = ARGUMENT_POINTER, .buffer = 1};
	all.numbers = edges();
	trial_add(&trial);
	assert_int_equal(trials_compare(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_instructions, begin, end),
		cmocka_unit_test_setup_teardown(test_random_kernels, begin, end),
		cmocka_unit_test_setup_teardown(test_compiled_kernels, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

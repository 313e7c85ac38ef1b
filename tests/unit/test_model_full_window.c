/* Where blocks ask for what: a window shifted by periods of blocks against the addresses themselves. */
#include "model/cost/full/traffic/window.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define GRID_X 24
#define GRID_Y 40
#define TILE 32 /* records */

struct shape {
	unsigned threads, row, tile_bytes; /* row: records from one block to the one below */
	int64_t period[2];
	unsigned column; /* of the window's block */
	bool by_rows;    /* blocks are numbered: x and y are a remainder and a quotient */
};

/* Thread t of block (x, y) loads a word of record y * row + x * threads + t of an array of tiles. */
static struct ptx_module *kernel_make(struct arena *arena, const struct shape *shape, struct diagnostics *diagnostics)
{
	char text[2048], place[200] = "mov.u32 %r1, %ctaid.x;\nmov.u32 %r4, %ctaid.y;\n";
	if (shape->by_rows)
		snprintf(place, sizeof place,
		         "mov.u32 %%r9, %%ctaid.x;\nrem.u32 %%r1, %%r9, %u;\ndiv.u32 %%r4, %%r9, %u;\n", GRID_X,
		         GRID_X);
	int length = snprintf(
		text, sizeof text,
		".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 "
		"%%r<20>;\n"
		".reg .b64 %%rd<20>;\nld.param.u64 %%rd1, [p];\ncvta.to.global.u64 %%rd2, %%rd1;\n"
		"%smov.u32 %%r2, %%tid.x;\nmad.lo.s32 %%r3, %%r1, %u, %%r2;\n"
		"mad.lo.s32 %%r5, %%r4, %u, %%r3;\nshr.u32 %%r6, %%r5, 5;\n"
		"and.b32 %%r7, %%r5, 31;\nmul.wide.u32 %%rd3, %%r6, %u;\nmul.wide.u32 %%rd4, %%r7, 4;\n"
		"add.s64 %%rd5, %%rd2, %%rd3;\nadd.s64 %%rd6, %%rd5, %%rd4;\nld.global.u32 %%r8, [%%rd6];\nret;\n}\n",
		place, shape->threads, shape->row, shape->tile_bytes);
	return ptx_parse(arena, "window", text, (size_t)length, diagnostics);
}

static bool block_touches(const struct shape *shape, uint64_t base, int64_t x, int64_t y, uint64_t granule,
                          uint64_t granule_bytes)
{
	for (unsigned t = 0; t < shape->threads; t++) {
		uint64_t record = (uint64_t)(y * shape->row + x * shape->threads + t);
		if ((base + record / TILE * shape->tile_bytes + record % TILE * 4) / granule_bytes == granule)
			return true;
	}
	return false;
}

/* A window of a block in the grid's middle. */
struct setting {
	struct arena *arena;
	const struct shape *shape;
	struct full_machine machine;
	struct memory_buffer buffer;
	struct argument argument;
	struct evaluate_input input;
	struct full_traffic traffic;
	struct full_work work;
	struct full_window window;
	uint64_t own, base; /* number of its block; where the first record lies */
};

static void setting_make(struct setting *setting, const struct shape *shape)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	memset(setting, 0, sizeof *setting);
	setting->arena = arena;
	setting->shape = shape;
	diagnostics_init(&diagnostics, arena);
	full_machine_read(machine_load(arena, "h200", &diagnostics), &(struct full_streams){2048, 1},
	                  &setting->machine);
	struct ptx_module *module = kernel_make(arena, shape, &diagnostics);
	assert_non_null(module);
	struct ptx_function *function = ptx_module_find(module, "k");
	ptx_function_analyse(arena, function);
	setting->buffer = (struct memory_buffer){.name = "p", .bytes = 1 << 24};
	const uint32_t x = shape->by_rows ? GRID_X * GRID_Y : GRID_X, y = shape->by_rows ? 1 : GRID_Y;
	setting->argument = (struct argument){.kind = ARGUMENT_POINTER};
	setting->input = (struct evaluate_input){.module = module,
	                                         .function = function,
	                                         .grid = {x, y, 1},
	                                         .block = {shape->threads, 1, 1},
	                                         .arguments = &setting->argument,
	                                         .buffers = &setting->buffer,
	                                         .buffer_count = 1};
	setting->work = (struct full_work){.machine = &setting->machine,
	                                   .function = function,
	                                   .traffic = &setting->traffic,
	                                   .input = &setting->input,
	                                   .evaluation = exec_evaluate(arena, &setting->input),
	                                   .buffers = &setting->buffer,
	                                   .buffer_count = 1,
	                                   .tracer = tracer_make(arena, &setting->input),
	                                   .grid = {x, y, 1},
	                                   .warps = 1};
	struct full_window *window = &setting->window;
	window->work = &setting->work;
	setting->own = full_window_make(arena, window, GRID_Y / 2 * GRID_X + shape->column, GRID_X * GRID_Y);
	uint64_t record = (uint64_t)window->at[1] * shape->row + (uint64_t)window->at[0] * shape->threads;
	setting->base = window->requests[0].base - record / TILE * shape->tile_bytes - record % TILE * 4;
}

/* All granules around what the window's block touches, as each block of the grid's middle asks for them. */
static void blocks_compare(const struct setting *setting)
{
	const struct full_window *window = &setting->window;
	uint64_t bytes = (uint64_t)setting->machine.granule, middle = window->requests[0].base / bytes;
	for (int64_t x = 2; x < GRID_X - 2; x++)
		for (int64_t y = window->at[1] - 3; y <= window->at[1] + 3; y++) {
			const int64_t at[3] = {x, y, 0};
			for (uint64_t granule = middle - 40; granule < middle + 40; granule++) {
				bool found = full_window_asks(window, at, granule) != NULL;
				if (found != block_touches(setting->shape, setting->base, x, y, granule, bytes))
					fail_msg("block %d %d, %u threads: %s", (int)x, (int)y, setting->shape->threads,
					         found ? "found" : "not found");
			}
		}
}

static void shape_check(const struct shape *shape)
{
	struct setting setting;
	setting_make(&setting, shape);
	const struct full_window *window = &setting.window;
	const uint64_t own = GRID_Y / 2 * GRID_X + shape->column;
	assert_in_range(setting.own, own, own + 6);
	assert_int_equal(window->count, 1);
	assert_int_equal(window->grid[0], GRID_X);
	assert_int_equal(window->grid[1], GRID_Y);
	if (window->requests[0].irregular)
		fail_msg("%u threads, rows of %u: irregular, period %d %d", shape->threads, shape->row,
		         (int)window->period[0], (int)window->period[1]);
	assert_int_equal(window->period[0], shape->period[0]);
	assert_int_equal(window->period[1], shape->period[1]);
	blocks_compare(&setting);
	arena_release(setting.arena);
}

/* Blocks that take whole tiles follow from their neighbours; those of a half or a quarter, or rows that end within one,
 * every so many. */
static void test_periods(void **state)
{
	static const struct shape shapes[] = {{32, 768, 1280, {1, 1}, 12, false}, {16, 384, 1280, {2, 1}, 12, false},
	                                      {8, 192, 640, {4, 1}, 12, false},   {32, 784, 1280, {1, 2}, 12, false},
	                                      {16, 392, 896, {2, 4}, 12, false},  {16, 384, 128, {1, 1}, 12, false},
	                                      {24, 577, 128, {1, 1}, 12, false}};
	(void)state;
	for (unsigned s = 0; s < ARRAY_COUNT(shapes); s++)
		shape_check(&shapes[s]);
}

/* The same where the code makes rows of a grid of one dimension: the window's grid has them, wherever in a row its
 * block stands. */
static void test_rows(void **state)
{
	static const struct shape shapes[] = {{32, 6144, 128, {1, 1}, 12, true}, {32, 6144, 1280, {1, 1}, 12, true},
	                                      {32, 800, 1280, {1, 1}, 5, true},  {16, 3072, 1280, {2, 1}, 12, true},
	                                      {32, 6144, 128, {1, 1}, 0, true},  {32, 6144, 128, {1, 1}, 23, true}};
	(void)state;
	for (unsigned s = 0; s < ARRAY_COUNT(shapes); s++)
		shape_check(&shapes[s]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_periods), cmocka_unit_test(test_rows)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

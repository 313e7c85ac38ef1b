/*
 * --dump: intermediate results in their stable text form, printed by the stage that owns them.
 */
#include "cli/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What each evaluation says, of each launch and layout. */
static void evaluations_each(struct text *out, const struct prediction *prediction, const char *what,
                             void (*dump)(struct text *out, const struct ptx_module *module,
                                          const struct ptx_function *function, const struct evaluation *evaluation))
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		for (unsigned r = 0; r < result->row_count; r++) {
			const struct launch_view *input = result->rows[r].view;
			if (!input || !input->ptx.evaluation)
				continue;
			text_printf(out, "%s of %s, layout %s\n", what, result->launch->kernel->name,
			            result->rows[r].layout ? result->rows[r].layout->name : "as-written");
			dump(out, input->ptx.module, input->ptx.function, input->ptx.evaluation);
		}
	}
}

static void evaluations_dump(struct text *out, const struct prediction *prediction)
{
	evaluations_each(out, prediction, "requests", exec_dump);
}

static void footprints_dump(struct text *out, const struct prediction *prediction)
{
	evaluations_each(out, prediction, "footprints", exec_dump_footprints);
}

static void count_dump(struct text *out, const char *name, double value)
{
	if (isnan(value))
		text_printf(out, "  %s unknown\n", name);
	else
		text_printf(out, "  %s %.12g\n", name, value);
}

/* Requests, sectors, cache hits and DRAM bytes of each launch in each layout, as the model has them. */
static void traffic_dump(struct text *out, const struct prediction *prediction)
{
	struct arena *arena = arena_create();
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		for (unsigned r = 0; r < result->row_count; r++) {
			const struct counts *counts = &result->rows[r].estimate->counts;
			text_printf(out, "traffic of %s, layout %s\n", result->launch->kernel->name,
			            report_layout_label(arena, result->rows[r].layout, result->rows[r].tile));
#define COUNT(name) count_dump(out, #name, counts->name)
			COUNT(ld_requests);
			COUNT(ld_sectors);
			COUNT(st_requests);
			COUNT(st_sectors);
			COUNT(l1_hit_rate);
			COUNT(l2_read_sectors);
			COUNT(l2_write_sectors);
			COUNT(l2_hit_rate);
			COUNT(dram_read_bytes);
			COUNT(dram_write_bytes);
			COUNT(shared_bank_conflicts);
#undef COUNT
		}
	}
	arena_release(arena);
}

static int compare_accesses(const void *a, const void *b)
{
	const struct access_estimate *left = a, *right = b;
	if (left->place.line != right->place.line)
		return left->place.line < right->place.line ? -1 : 1;
	return left->place.column < right->place.column ? -1 : left->place.column > right->place.column;
}

static void access_print(struct text *out, const struct access_estimate *access)
{
	text_printf(out, "    line %u: %s %s%s%s, %u bytes per lane, %.6g per warp, %.3g sectors per request (%s)",
	            access->place.line, report_access_kind(access->kind), access->array ? access->array : "?",
	            access->member ? "." : "", access->member ? access->member : "", access->width_bytes,
	            access->executions, access->sectors_per_request, cost_coalescing_name(access->class));
	if (!isnan(access->hit_rate))
		text_printf(out, ", L2 hits %.0f %%", 100 * access->hit_rate);
	text_printf(out, ", %.6g cycles\n", access->cycles);
}

static void accesses_dump(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		text_printf(out, "\nkernel %s, per source line\n", result->launch->kernel->name);
		for (unsigned r = 0; r < result->row_count; r++) {
			struct estimate *estimate = result->rows[r].estimate;
			text_printf(out, "  %s\n",
			            report_layout_label(arena, result->rows[r].layout, result->rows[r].tile));
			if (estimate->access_count)
				qsort(estimate->accesses, estimate->access_count, sizeof *estimate->accesses,
				      compare_accesses);
			for (unsigned a = 0; a < estimate->access_count; a++)
				access_print(out, &estimate->accesses[a]);
		}
	}
}

static void estimates_dump(struct text *out, const struct prediction *prediction)
{
	struct arena *arena = arena_create();
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		for (unsigned r = 0; r < result->row_count; r++) {
			const struct estimate *estimate = result->rows[r].estimate;
			text_printf(out, "estimate of %s, layout %s: %.10g cycles per warp, %.10g us, bound %s\n",
			            result->launch->kernel->name,
			            report_layout_label(arena, result->rows[r].layout, result->rows[r].tile),
			            estimate->cycles_per_warp, estimate->time_seconds * 1e6, estimate->bound);
		}
	}
	accesses_dump(out, arena, prediction);
	arena_release(arena);
}

/* ---- the stages ------------------------------------------------------------------------- */

static void kernels_dump(struct text *out, const struct prediction *prediction)
{
	analysis_dump_kernels(out, prediction->analysis);
}

static void affine_dump(struct text *out, const struct prediction *prediction)
{
	analysis_dump_affine(out, prediction->analysis);
}

static void code_dump(struct text *out, const struct prediction *prediction)
{
	for (unsigned i = 0; i < prediction->compilation_count; i++)
		ptx_dump(out, prediction->compilations[i]->module);
}

static void graphs_dump(struct text *out, const struct prediction *prediction)
{
	for (unsigned i = 0; i < prediction->compilation_count; i++)
		ptx_dump_cfg(out, prediction->compilations[i]->module);
}

/* The names of --dump, how far the pipeline has to run for each, and what prints it: add a row to add one. */
static const struct {
	const char *name;
	enum predict_stage stage;
	void (*dump)(struct text *out, const struct prediction *prediction);
} stages[] = {
	{"kernel", STAGE_KERNEL, kernels_dump},
	{"affine", STAGE_KERNEL, affine_dump},
	{"ptx", STAGE_COMPILE, code_dump},
	{"cfg", STAGE_COMPILE, graphs_dump},
	{"requests", STAGE_EVALUATE, evaluations_dump},
	{"footprints", STAGE_EVALUATE, footprints_dump},
	{"traffic", STAGE_ESTIMATE, traffic_dump},
	{"estimate", STAGE_ESTIMATE, estimates_dump},
};

const char **report_stage_names(struct arena *arena, unsigned *count)
{
	const char **names = arena_array(arena, ARRAY_COUNT(stages), sizeof *names);
	for (size_t i = 0; i < ARRAY_COUNT(stages); i++)
		names[i] = stages[i].name;
	*count = ARRAY_COUNT(stages);
	return names;
}

bool report_stage_find(const char *name, enum predict_stage *stage)
{
	for (size_t i = 0; i < ARRAY_COUNT(stages); i++) {
		if (strcmp(stages[i].name, name) == 0) {
			*stage = stages[i].stage;
			return true;
		}
	}
	return false;
}

void report_dump(struct text *out, const struct prediction *prediction, const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(stages); i++)
		if (strcmp(stages[i].name, name) == 0)
			stages[i].dump(out, prediction);
}

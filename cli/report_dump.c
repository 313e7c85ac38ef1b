/*
 * --dump: intermediate results in their stable text form, printed by the stage that owns them.
 */
#include "cli/cli.h"

#include <math.h>
#include <string.h>

static void evaluations_dump(struct text *out, const struct prediction *prediction)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		for (unsigned r = 0; r < result->row_count; r++) {
			const struct estimate_input *input = result->rows[r].input;
			if (!input || !input->evaluation)
				continue;
			text_printf(out, "requests of %s, layout %s\n", result->launch->kernel->name,
			            result->rows[r].layout ? result->rows[r].layout->name : "as-written");
			exec_dump(out, input->module, input->code, input->evaluation);
		}
	}
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
			            layout_label(arena, result->rows[r].layout, result->rows[r].tile));
#define COUNT(name) count_dump(out, #name, counts->name);
			COUNT(ld_requests)
			COUNT(ld_sectors)
			COUNT(st_requests)
			COUNT(st_sectors)
			COUNT(l1_hit_rate) COUNT(l2_read_sectors) COUNT(l2_write_sectors) COUNT(l2_hit_rate) COUNT(dram_read_bytes)
				COUNT(dram_write_bytes) COUNT(shared_bank_conflicts)
#undef COUNT
		}
	}
	arena_release(arena);
}

static void estimates_dump(struct text *out, const struct prediction *prediction)
{
	struct arena *arena = arena_create();
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		for (unsigned r = 0; r < result->row_count; r++) {
			const struct estimate *estimate = result->rows[r].estimate;
			text_printf(out, "estimate of %s, layout %s: %.10g cycles per warp, %.10g us, bound %s\n",
			            result->launch->kernel->name, layout_label(arena, result->rows[r].layout, result->rows[r].tile),
			            estimate->cycles_per_warp, estimate->time_seconds * 1e6, estimate->bound);
		}
	}
	report_explain(out, arena, prediction);
	arena_release(arena);
}

void report_dump(struct text *out, const struct prediction *prediction, const char *stage)
{
	if (strcmp(stage, "kernel") == 0)
		analysis_dump_kernels(out, prediction->analysis);
	else if (strcmp(stage, "affine") == 0)
		analysis_dump_affine(out, prediction->analysis);
	else if (strcmp(stage, "ptx") == 0 && prediction->compilation)
		ptx_dump(out, prediction->compilation->module);
	else if (strcmp(stage, "cfg") == 0 && prediction->compilation)
		ptx_dump_cfg(out, prediction->compilation->module);
	else if (strcmp(stage, "requests") == 0)
		evaluations_dump(out, prediction);
	else if (strcmp(stage, "traffic") == 0)
		traffic_dump(out, prediction);
	else if (strcmp(stage, "estimate") == 0)
		estimates_dump(out, prediction);
}

/*
 * --dump: intermediate results in their stable text form, printed by the stage that owns them.
 */
#include "cli/cli.h"

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
			evaluation_dump(out, input->module, input->code, input->evaluation);
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
			text_printf(out, "estimate of %s, layout %s: %.10g cycles per warp, %.10g us, bound %s\n", result->launch->kernel->name,
			            layout_label(arena, result->rows[r].layout, result->rows[r].tile), estimate->cycles_per_warp,
			            estimate->time_seconds * 1e6, estimate->bound);
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
	else if (strcmp(stage, "estimate") == 0)
		estimates_dump(out, prediction);
}

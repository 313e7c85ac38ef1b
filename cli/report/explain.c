/*
 * --explain: per source line of each kernel, what each layout executes there and what it costs.
 */
#include "cli/report/report.h"

#include <math.h>
#include <stdlib.h>

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
	            access->member ? "." : "", access->member ? access->member : "", access->width_bytes, access->executions,
	            access->sectors_per_request, cost_coalescing_name(access->class));
	if (!isnan(access->hit_rate))
		text_printf(out, ", L2 hits %.0f %%", 100 * access->hit_rate);
	text_printf(out, ", %.6g cycles\n", access->cycles);
}

void report_explain(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		text_printf(out, "\nkernel %s, per source line\n", result->launch->kernel->name);
		for (unsigned r = 0; r < result->row_count; r++) {
			struct estimate *estimate = result->rows[r].estimate;
			text_printf(out, "  %s\n", report_layout_label(arena, result->rows[r].layout, result->rows[r].tile));
			if (estimate->access_count)
				qsort(estimate->accesses, estimate->access_count, sizeof *estimate->accesses, compare_accesses);
			for (unsigned a = 0; a < estimate->access_count; a++)
				access_print(out, &estimate->accesses[a]);
		}
	}
}

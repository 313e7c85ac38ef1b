/*
 * The weighted control-flow graph in Graphviz's language: a cluster for each launch and layout, a box for each basic
 * block with how often a warp executes it, and its source line; darker where more instructions are executed.
 */
#include "cli/report/report.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static void quoted_print(struct text *out, const char *string)
{
	text_puts(out, "\"");
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			text_puts(out, "\\");
		text_append(out, string, 1);
	}
	text_puts(out, "\"");
}

/* Instructions that a block executes, all warps together. */
static double block_weight(const struct code_view *code, uint32_t block)
{
	double executions = report_block_executions(code, block);
	return isfinite(executions) ? executions * report_block_length(code, block) : 0;
}

static double heaviest(const struct code_view *code)
{
	double most = 0;
	for (uint32_t b = 0; b < code->function->cfg->block_count; b++)
		most = block_weight(code, b) > most ? block_weight(code, b) : most;
	return most;
}

static void block_print(struct text *out, struct arena *arena, const struct code_view *code, unsigned cluster,
                        uint32_t block, double most)
{
	const double darkest = 0.55;
	double share = most > 0 ? block_weight(code, block) / most : 0, warps = code->evaluation->warps;
	double executions = report_block_executions(code, block);
	text_printf(out,
	            "    c%ub%u [label=\"B%u: %u instructions\\n%.6g per warp\\n%s\", fillcolor=\"0.08 %.3f 1.0\"];\n",
	            cluster, block, block, report_block_length(code, block), warps > 0 ? executions / warps : 0,
	            report_block_place(arena, code, block, NULL), darkest * share);
}

static void edges_print(struct text *out, const struct code_view *code, unsigned cluster, uint32_t block)
{
	const struct ptx_basic_block *own = &code->function->cfg->blocks[block];
	double warps = code->evaluation->warps;
	for (unsigned s = 0; s < 2; s++) {
		double executions = report_edge_executions(code, block, s);
		if (own->successors[s] == PTX_NO_BASIC_BLOCK)
			continue;
		text_printf(out, "    c%ub%u -> c%ub%u", cluster, block, cluster, own->successors[s]);
		if (isfinite(executions) && warps > 0)
			text_printf(out, " [label=\"%.6g\"]", executions / warps);
		text_puts(out, ";\n");
	}
	for (uint32_t t = 0; t < own->target_count; t++)
		text_printf(out, "    c%ub%u -> c%ub%u;\n", cluster, block, cluster, own->targets[t]);
}

static void row_print(struct text *out, struct arena *arena, const struct launch_case *launch,
                      const struct ranked_layout *row, unsigned cluster)
{
	const struct code_view *code = report_code(row);
	if (!code)
		return;
	text_printf(out, "  subgraph cluster_%u {\n    label=", cluster);
	quoted_print(out, arena_printf(arena, "%s, %s", launch->kernel->name,
	                               report_layout_label(arena, row->layout, row->tile)));
	text_puts(out, ";\n");
	double most = heaviest(code);
	for (uint32_t b = 0; b < code->function->cfg->block_count; b++)
		if (code->function->cfg->blocks[b].reachable)
			block_print(out, arena, code, cluster, b, most);
	for (uint32_t b = 0; b < code->function->cfg->block_count; b++)
		if (code->function->cfg->blocks[b].reachable)
			edges_print(out, code, cluster, b);
	text_puts(out, "  }\n");
}

void report_dot(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	unsigned cluster = 0;
	text_puts(out, "digraph coalesce {\n  node [shape=box, style=filled, fontname=monospace];\n  edge "
	               "[fontname=monospace];\n");
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		for (unsigned r = 0; r < result->row_count && result->verdict_count == 0; r++)
			row_print(out, arena, result->launch, &result->rows[r], cluster++);
		for (unsigned v = 0; v < result->verdict_count; v++) {
			const struct verdict *verdict = &result->verdicts[v];
			row_print(out, arena, result->launch, &result->rows[verdict->recommended], cluster++);
			if (verdict->written != UINT_MAX && verdict->written != verdict->recommended)
				row_print(out, arena, result->launch, &result->rows[verdict->written], cluster++);
		}
	}
	text_puts(out, "}\n");
}

/*
 * The weighted control-flow graph as a picture: a box for each run of basic blocks without a branch between them, with
 * how often a warp executes it. It is on the line below the last box that leads to it. Edges say how often they are
 * taken; those back to a loop's head are at the side.
 */
#include "cli/report/html/html.h"

#include <math.h>
#include <string.h>

#define BOX_WIDTH 176
#define BOX_HEIGHT 46
#define COLUMN 206
#define LEVEL 84
#define SIDE 60
#define BLOCKS_MAX 120

struct flow_drawing {
	const struct code_view *code;
	const struct ptx_cfg *cfg;
	const char *path;         /* of the source file */
	uint32_t *firsts, *lasts; /* by block: the first of its run; by first block: the last of the run */
	uint32_t run_count;
	unsigned *levels, *columns; /* by block */
	unsigned *widths;           /* blocks of each level */
	unsigned level_count, widest;
	double heaviest; /* instructions executed in a block, at most */
};

/* The block that a block follows without a branch; PTX_NO_BASIC_BLOCK: none. */
static uint32_t block_before(const struct ptx_cfg *cfg, uint32_t block)
{
	const struct ptx_basic_block *own = &cfg->blocks[block];
	if (own->predecessor_count != 1)
		return PTX_NO_BASIC_BLOCK;
	const uint32_t *next = cfg->blocks[own->predecessors[0]].successors;
	return (next[0] == PTX_NO_BASIC_BLOCK) != (next[1] == PTX_NO_BASIC_BLOCK) ? own->predecessors[0]
	                                                                          : PTX_NO_BASIC_BLOCK;
}

/* Requires reverse postorder; fills firsts, lasts and run_count. */
static void runs_find(struct arena *arena, struct flow_drawing *graph)
{
	const struct ptx_cfg *cfg = graph->cfg;
	bool *seen = arena_array(arena, cfg->block_count, sizeof *seen);
	graph->firsts = arena_array(arena, cfg->block_count, sizeof *graph->firsts);
	graph->lasts = arena_array(arena, cfg->block_count, sizeof *graph->lasts);
	for (uint32_t i = 0; i < cfg->reachable_count; i++) {
		uint32_t block = cfg->reverse_postorder[i], before = block_before(cfg, block);
		bool goes_on = before != PTX_NO_BASIC_BLOCK && seen[before];
		graph->firsts[block] = goes_on ? graph->firsts[before] : block;
		graph->lasts[graph->firsts[block]] = block;
		graph->run_count += !goes_on;
		seen[block] = true;
	}
}

/* Instructions of a run. */
static unsigned run_length(const struct flow_drawing *graph, uint32_t first)
{
	unsigned length = report_block_length(graph->code, first);
	for (uint32_t block = first; block != graph->lasts[first];) {
		const uint32_t *next = graph->cfg->blocks[block].successors;
		block = next[0] == PTX_NO_BASIC_BLOCK ? next[1] : next[0];
		length += report_block_length(graph->code, block);
	}
	return length;
}

static double weight(const struct flow_drawing *graph, uint32_t first)
{
	double executions = report_block_executions(graph->code, first);
	return isfinite(executions) ? executions * run_length(graph, first) : 0;
}

/* Puts each run below those that come before it, in the order of the graph. */
static struct flow_drawing graph_place(struct arena *arena, const struct code_view *code, const char *path)
{
	struct flow_drawing graph = {.code = code, .cfg = code->function->cfg, .path = path};
	const struct ptx_cfg *cfg = graph.cfg;
	bool *placed = arena_array(arena, cfg->block_count, sizeof *placed);
	runs_find(arena, &graph);
	graph.levels = arena_array(arena, cfg->block_count, sizeof *graph.levels);
	graph.columns = arena_array(arena, cfg->block_count, sizeof *graph.columns);
	graph.widths = arena_array(arena, cfg->block_count + 1, sizeof *graph.widths);
	for (uint32_t i = 0; i < cfg->reachable_count; i++) {
		uint32_t block = cfg->reverse_postorder[i];
		const struct ptx_basic_block *own = &cfg->blocks[block];
		if (graph.firsts[block] != block)
			continue;
		for (uint32_t p = 0; p < own->predecessor_count; p++) {
			uint32_t above = graph.firsts[own->predecessors[p]];
			if (placed[above] && graph.levels[above] + 1 > graph.levels[block])
				graph.levels[block] = graph.levels[above] + 1;
		}
		placed[block] = true;
		graph.columns[block] = graph.widths[graph.levels[block]]++;
		graph.level_count =
			graph.levels[block] + 1 > graph.level_count ? graph.levels[block] + 1 : graph.level_count;
		graph.widest = graph.widths[graph.levels[block]] > graph.widest ? graph.widths[graph.levels[block]]
		                                                                : graph.widest;
		graph.heaviest = fmax(graph.heaviest, weight(&graph, block));
	}
	return graph;
}

/* The middle of a run's box, and its upper edge. */
static double box_x(const struct flow_drawing *graph, uint32_t block)
{
	double spare = (graph->widest - graph->widths[graph->levels[block]]) / 2.0;
	return SIDE + (spare + graph->columns[block]) * COLUMN + COLUMN / 2.0;
}

static double box_y(const struct flow_drawing *graph, uint32_t block)
{
	return graph->levels[block] * (double)LEVEL + 6;
}

/* Where an edge is drawn: its path, and the place of its label. */
struct route {
	char path[128];
	double label_x, label_y;
};

/* Back to a loop's head, at the right side of the boxes. */
static struct route route_back(double x, double y, double u, double v)
{
	struct route route = {.label_x = x + BOX_WIDTH / 2.0 + SIDE * 0.8,
	                      .label_y = (y + v) / 2 + BOX_HEIGHT / 2.0 + 4};
	double side = x + BOX_WIDTH / 2.0, out = side + SIDE;
	snprintf(route.path, sizeof route.path, "M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f", side, y + BOX_HEIGHT - 15.0,
	         out, y + BOX_HEIGHT + 10.0, out, v - 10, u + BOX_WIDTH / 2.0, v + 15);
	return route;
}

/* Past blocks that lie between, at the left side. */
static struct route route_past(double x, double y, double u, double v)
{
	double from = x - BOX_WIDTH / 2.0, to = u - BOX_WIDTH / 2.0, out = (from < to ? from : to) - SIDE * 0.6;
	struct route route = {.label_x = out + 4, .label_y = (y + v) / 2 + BOX_HEIGHT / 2.0};
	snprintf(route.path, sizeof route.path, "M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f", from, y + BOX_HEIGHT - 12.0,
	         out, y + BOX_HEIGHT + 10.0, out, v - 10, to, v + 12);
	return route;
}

static struct route route_down(double x, double y, double u, double v)
{
	struct route route = {.label_x = (x + u) / 2 + 4, .label_y = (y + BOX_HEIGHT + v) / 2 + 4};
	snprintf(route.path, sizeof route.path, "M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f", x, y + BOX_HEIGHT, x,
	         y + BOX_HEIGHT + 24.0, u, v - 24, u, v - 2);
	return route;
}

static void edge_print(struct text *out, const struct flow_drawing *graph, uint32_t from, unsigned successor)
{
	uint32_t last = graph->lasts[from], to = graph->cfg->blocks[last].successors[successor];
	if (to == PTX_NO_BASIC_BLOCK)
		return;
	double x = box_x(graph, from), y = box_y(graph, from), u = box_x(graph, to), v = box_y(graph, to);
	double executions = report_edge_executions(graph->code, last, successor) / graph->code->evaluation->warps;
	bool back = graph->levels[to] <= graph->levels[from], past = graph->levels[to] > graph->levels[from] + 1;
	struct route route = back ? route_back(x, y, u, v) : past ? route_past(x, y, u, v) : route_down(x, y, u, v);
	text_printf(out, "<path%s marker-end=\"url(#arrow)\" d=\"%s\"/>", back ? " class=\"back\"" : "", route.path);
	if (isfinite(executions))
		text_printf(out, "<text class=\"faint\" x=\"%.0f\" y=\"%.0f\">%.4g</text>", route.label_x,
		            route.label_y, executions);
}

/* Of a place that is too long for a box the end, where its line stands. */
static const char *place_label(struct arena *arena, const char *place)
{
	const size_t most = 14;
	size_t length = strlen(place);
	return length <= most ? place : arena_printf(arena, "…%s", place + length - most + 1);
}

/* block: the first of a run. */
static void box_print(struct text *out, struct arena *arena, const struct flow_drawing *graph, uint32_t block)
{
	const double darkest = 0.6;
	double x = box_x(graph, block), y = box_y(graph, block);
	double executions = report_block_executions(graph->code, block) / graph->code->evaluation->warps;
	text_printf(out, "<rect class=\"box\" x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"4\"/>",
	            x - BOX_WIDTH / 2.0, y, BOX_WIDTH, BOX_HEIGHT);
	text_printf(
		out,
		"<rect class=\"hot\" fill-opacity=\"%.3f\" x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"4\"/>",
		graph->heaviest > 0 ? darkest * weight(graph, block) / graph->heaviest : 0, x - BOX_WIDTH / 2.0, y,
		BOX_WIDTH, BOX_HEIGHT);
	text_printf(out, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">B%u &#183; %.5g per warp</text>", x,
	            y + 18, block, isfinite(executions) ? executions : 0);
	text_printf(out, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">%u instr. ", x, y + 36,
	            run_length(graph, block));
	html_text(out, place_label(arena, report_block_place(arena, graph->code, block, graph->path)));
	text_puts(out, "</text>\n");
}

static void picture_print(struct text *out, struct arena *arena, const struct code_view *code, const char *path)
{
	const struct flow_drawing graph = graph_place(arena, code, path);
	unsigned width = graph.widest * COLUMN + 2 * SIDE + 40, height = graph.level_count * LEVEL;
	text_printf(out,
	            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"control-flow graph\"><svg "
	            "viewBox=\"0 0 %u "
	            "%u\" width=\"%u\" role=\"img\" aria-label=\"control-flow graph of %u "
	            "blocks\"><defs><marker id=\"arrow\" markerWidth=\"8\" markerHeight=\"8\" refX=\"6\" refY=\"3\" "
	            "orient=\"auto\"><path d=\"M0 0L6 3L0 6\"/></marker></defs>\n",
	            width, height, width, graph.run_count);
	for (uint32_t i = 0; i < graph.cfg->reachable_count; i++) {
		uint32_t block = graph.cfg->reverse_postorder[i];
		for (unsigned s = 0; s < 2 && graph.firsts[block] == block; s++)
			edge_print(out, &graph, block, s);
	}
	for (uint32_t i = 0; i < graph.cfg->reachable_count; i++)
		if (graph.firsts[graph.cfg->reverse_postorder[i]] == graph.cfg->reverse_postorder[i])
			box_print(out, arena, &graph, graph.cfg->reverse_postorder[i]);
	text_puts(out, "</svg></div>\n");
}

static void row_print(struct text *out, struct arena *arena, const struct ranked_layout *row, const char *path)
{
	const struct code_view *code = report_code(row);
	if (!code)
		return;
	text_puts(out, "<details><summary>Control-flow graph, ");
	html_text(out, report_layout_label(arena, row->layout, row->tile));
	text_puts(out, "</summary>\n");
	if (code->function->cfg->reachable_count > BLOCKS_MAX)
		text_printf(out, "<p>%u blocks, too many for a picture: see --dot.</p>\n",
		            code->function->cfg->reachable_count);
	else
		picture_print(out, arena, code, path);
	text_puts(out, "</details>\n");
}

void html_graph(struct text *out, struct arena *arena, const struct prediction *prediction,
                const struct case_result *result)
{
	if (result->row_count == 0)
		return;
	const struct verdict *verdict = result->verdict_count ? &result->verdicts[0] : NULL;
	const struct ranked_layout *written = verdict ? report_written_row(result, verdict) : NULL;
	const char *path = prediction->analysis->path;
	row_print(out, arena, verdict ? &result->rows[verdict->recommended] : result->rows, path);
	if (written && written != &result->rows[verdict->recommended])
		row_print(out, arena, written, path);
}

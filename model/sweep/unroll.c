/*
 * What unrolling would be worth: the file is predicted once more with a pragma before each innermost loop that has
 * none, compiled and all, so that registers and what the compiler makes of it count. The pragma stands on the loop's
 * own line: places stay what they are.
 */
#include "model/sweep/sweep.h"
#include "model/trust/trust.h"

#include <string.h>

#define LEAST_GAIN 1.03 /* times as fast */

static const unsigned factors[] = {1, 8};

/* A place of the file where a pragma goes. */
struct spot {
	unsigned line, column;
};

static bool is_innermost(const struct kernel *kernel, const struct loop *loop)
{
	for (unsigned l = 0; l < kernel->loop_count; l++)
		if (kernel->loops[l]->parent == loop)
			return false;
	return true;
}

static bool is_of_file(const struct analysis *analysis, const struct place *place)
{
	return place->line && (!place->file || strcmp(place->file, analysis->path) == 0);
}

static const char *line_begin(const char *text, unsigned line)
{
	for (unsigned at = 1; text && at < line; at++) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text;
}

/* Whether a loop's keyword stands there: not one that a macro spells. */
static bool keyword_stands(const char *text, const struct place *place)
{
	static const char *const keywords[] = {"for", "while", "do"};
	const char *line = line_begin(text, place->line);
	if (!line || place->column == 0 || strcspn(line, "\n") < place->column)
		return false;
	for (size_t i = 0; i < ARRAY_COUNT(keywords); i++)
		if (strncmp(line + place->column - 1, keywords[i], strlen(keywords[i])) == 0)
			return true;
	return false;
}

static bool may_unroll(const struct analysis *analysis, const struct kernel *kernel, const struct loop *loop)
{
	return loop->unroll == 0 && is_innermost(kernel, loop) && is_of_file(analysis, &loop->place) &&
	       keyword_stands(analysis->source->main_text, &loop->place);
}

static bool spot_before(const struct spot *a, const struct place *b)
{
	return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* All loops to unroll, in the file's order, each once: of a kernel, or of all. */
static struct spot *spots_find(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel,
                               unsigned *count)
{
	struct spot *spots = NULL;
	*count = 0;
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned l = 0;
		     l < analysis->kernels[k]->loop_count && (!kernel || kernel == analysis->kernels[k]); l++) {
			const struct loop *loop = analysis->kernels[k]->loops[l];
			unsigned at = 0;
			if (!may_unroll(analysis, analysis->kernels[k], loop))
				continue;
			while (at < *count && spot_before(&spots[at], &loop->place))
				at++;
			if (at < *count && spots[at].line == loop->place.line && spots[at].column == loop->place.column)
				continue;
			ARENA_PUSH(arena, spots, *count, (struct spot){0});
			memmove(&spots[at + 1], &spots[at], (*count - 1 - at) * sizeof *spots);
			spots[at] = (struct spot){loop->place.line, loop->place.column};
		}
	return spots;
}

struct sweep_edit *sweep_unroll_edits(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel,
                                      unsigned factor, unsigned *count)
{
	const char *text = analysis->source->main_text,
		   *pragma = arena_printf(arena, "_Pragma(\"unroll %u\") ", factor);
	const struct spot *spots = spots_find(arena, analysis, kernel, count);
	struct sweep_edit *edits = arena_array(arena, *count + 1, sizeof *edits);
	for (unsigned s = 0; s < *count; s++)
		edits[s].at = (size_t)(line_begin(text, spots[s].line) - text) + spots[s].column - 1;
	for (unsigned s = 0; s < *count; s++)
		edits[s].text = pragma;
	return edits;
}

/* "line 12", "lines 12, 20": the loops of a kernel that got a pragma; NULL where there is none. */
static const char *lines_text(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel)
{
	const char *text = "";
	unsigned count = 0, last = 0;
	for (unsigned l = 0; l < kernel->loop_count; l++) {
		if (!may_unroll(analysis, kernel, kernel->loops[l]) || kernel->loops[l]->place.line == last)
			continue;
		last = kernel->loops[l]->place.line;
		text = arena_printf(arena, "%s%s %u", text, count++ ? "," : "", last);
	}
	return count ? arena_printf(arena, "line%s%s", count > 1 ? "s" : "", text) : NULL;
}

/* The layouts that are recommended for some launch: the others are not compiled again. */
static void layouts_limit(struct arena *arena, const struct prediction *prediction, struct predict_options *options)
{
	const struct layout **rank = NULL;
	unsigned count = 0;
	for (unsigned c = 0; c < prediction->case_count; c++)
		for (unsigned v = 0; v < prediction->cases[c].verdict_count; v++) {
			const struct case_result *result = &prediction->cases[c];
			const struct layout *layout = result->rows[result->verdicts[v].recommended].layout;
			unsigned at = 0;
			while (at < count && rank[at] != layout)
				at++;
			if (at == count)
				ARENA_PUSH(arena, rank, count, layout);
		}
	if (count == 0)
		return;
	options->rank = rank;
	options->rank_count = count;
}

static bool rows_alike(const struct ranked_layout *a, const struct ranked_layout *b)
{
	return a->layout == b->layout && a->tile == b->tile && !a->group == !b->group &&
	       (!a->group || strcmp(a->group->name, b->group->name) == 0);
}

/* Takes over what a row of a launch gains. */
static void row_take(struct ranked_layout *row, double now, unsigned factor, const char *lines)
{
	const struct unrolling *own = &row->unrolling;
	if (now < (own->factor ? own->time_seconds : row->estimate->time_seconds / LEAST_GAIN))
		row->unrolling = (struct unrolling){factor, now, lines};
}

static void case_take(struct arena *arena, const struct analysis *analysis, struct case_result *result,
                      const struct case_result *other, unsigned factor)
{
	const char *lines = lines_text(arena, analysis, result->launch->kernel);
	if (!lines || strcmp(result->launch->kernel->name, other->launch->kernel->name) != 0)
		return;
	for (unsigned r = 0; r < result->row_count; r++)
		for (unsigned o = 0; o < other->row_count; o++)
			if (rows_alike(&result->rows[r], &other->rows[o]))
				row_take(&result->rows[r], other->rows[o].estimate->time_seconds, factor, lines);
}

static void factor_try(struct arena *arena, struct prediction *prediction, const struct predict_options *options,
                       const struct sweep_edit *edits, unsigned count, unsigned factor)
{
	struct arena *scratch = arena_create();
	struct diagnostics diagnostics;
	struct predict_options edited = *options;
	enum exit_code code;
	diagnostics_init(&diagnostics, scratch);
	edited.advise = false;
	layouts_limit(scratch, prediction, &edited);
	edited.analyzer.text = sweep_text_edit(scratch, prediction->analysis->source->main_text, edits, count);
	const struct prediction *other = predict(scratch, &edited, STAGE_ESTIMATE, &diagnostics, &code);
	for (unsigned c = 0; other && other->case_count == prediction->case_count && c < other->case_count; c++)
		case_take(arena, prediction->analysis, &prediction->cases[c], &other->cases[c], factor);
	arena_release(scratch);
}

void sweep_unrolling(struct arena *arena, const struct predict_options *options, struct prediction *prediction)
{
	if (!trust_known(prediction) || options->no_machine_code || options->ptx_file_count ||
	    !prediction->analysis->source->main_text)
		return;
	for (size_t f = 0; f < ARRAY_COUNT(factors); f++) {
		unsigned count;
		const struct sweep_edit *edits =
			sweep_unroll_edits(arena, prediction->analysis, NULL, factors[f], &count);
		if (count)
			factor_try(arena, prediction, options, edits, count, factors[f]);
	}
}

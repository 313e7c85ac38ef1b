/*
 * The search. The file is predicted as written; then configurations are predicted, batch by batch, each a point of a
 * sweep. Where the budget holds all of them all are; else first those that differ from the one as written in one value,
 * and then those that are guessed to be fastest from what is known so far. Batches do not depend on how many are
 * predicted at a time.
 */
#include "model/tune/tune.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BASES 8 /* configurations of which one has to be predictable, where the file needs values */
#define BATCH 16
#define BATCH_CODES 8 /* that a batch has, unless no more are left: all processes have something to compile */
#define ROUNDS 6      /* of guesses, that the budget is divided by */

struct tuning {
	struct arena *arena;
	const struct tune_request *request;
	struct tune_result *result;
	struct predict_options options; /* with what the first configuration needs */
	struct compile_store *store;    /* rounds of the search ask for the same code with other blocks */
	struct tune_axes axes;
	struct tune_points points;
	uint16_t base[MOST_SWEEP_AXES]; /* indices; UINT16_MAX: the axis has no such value */
	double *times;                  /* per point, in its fastest layout; NAN: none yet, or none */
	bool *tried;
	struct sweep *sweep;
	struct sweep_request sweep_request;
	unsigned said_block, said_grid; /* axes behind the others; 0: none */
	unsigned said_stored[2];
	double best_seconds;
};

static const uint16_t *point_at(const struct tuning *search, unsigned point)
{
	return search->points.at + (size_t)point * search->axes.count;
}

/* ---- the first configuration ------------------------------------------------------------- */

static bool says_dimensions(const struct tune_expression *const dimensions[3])
{
	return dimensions[0] || dimensions[1] || dimensions[2];
}

/* Sets the flags, the block and the grid of a configuration that the file needs. */
static const char *base_set(struct tuning *search, const uint16_t *at)
{
	const struct tune_space *space = search->request->space;
	struct analyzer_options *analyzer = &search->options.analyzer;
	struct dimensions *block = &search->options.cases.block, *grid = &search->options.cases.grid;
	const char **flags = NULL, *problem = NULL;
	unsigned count = 0;
	search->options = *search->request->options;
	search->options.store = search->store;
	for (unsigned i = 0; i < analyzer->flag_count; i++)
		ARENA_PUSH(search->arena, flags, count, analyzer->flags[i]);
	for (unsigned a = 0; a < search->axes.named; a++)
		if (!search->axes.list[a].has_own)
			ARENA_PUSH(search->arena, flags, count,
			           arena_printf(search->arena, "-D%s=%s", search->axes.list[a].name,
			                        tune_value_text(search->arena, &space->parameters[a].values[at[a]])));
	analyzer->flags = flags;
	analyzer->flag_count = count;
	if (says_dimensions(space->block)) {
		block->given = true;
		problem = tune_dimensions_value(search->arena, space, &search->axes, at, space->block, true,
		                                block->value);
	}
	if (says_dimensions(space->grid) && !problem) {
		grid->given = true;
		problem =
			tune_dimensions_value(search->arena, space, &search->axes, at, space->grid, true, grid->value);
		for (unsigned axis = 0; axis < 3 && space->grid_of_threads && !problem; axis++)
			grid->value[axis] =
				(grid->value[axis] + block->value[axis] - 1) / (block->given ? block->value[axis] : 1);
	}
	return problem;
}

/* How many values of the file a configuration does not have. */
static unsigned others_than_own(const struct tuning *search, const uint16_t *at)
{
	unsigned count = 0;
	for (unsigned a = 0; a < search->axes.named; a++)
		count += search->axes.list[a].has_own && search->axes.list[a].values[at[a]] != search->axes.list[a].own;
	return count;
}

/* The configuration to begin with: of those nearest to the file's own values the first, and then some from all over the
 * space. */
static const uint16_t *base_candidate(const struct tuning *search, const struct tune_points *points, unsigned attempt)
{
	unsigned found = 0;
	for (unsigned p = 1; p < points->count && attempt == 0; p++)
		if (others_than_own(search, points->at + (size_t)p * search->axes.count) <
		    others_than_own(search, points->at + (size_t)found * search->axes.count))
			found = p;
	if (attempt > 0)
		found = (unsigned)((uint64_t)points->count * attempt / MOST_BASES);
	return points->at + (size_t)found * search->axes.count;
}

static void own_take(struct tuning *search, const uint16_t *at)
{
	for (unsigned a = 0; a < search->axes.named; a++)
		if (!search->axes.list[a].has_own) {
			search->axes.list[a].has_own = true;
			search->axes.list[a].own = search->axes.list[a].values[at[a]];
		}
}

static bool usage(struct diagnostics *diagnostics, enum exit_code *code, const char *problem)
{
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "%s", problem);
	*code = EXIT_USAGE;
	return false;
}

/* Predicts the first configuration. */
static bool base_predict(struct tuning *search, bool lacking, struct diagnostics *diagnostics, enum exit_code *code)
{
	struct tune_points points;
	const char *problem = tune_points_find(search->arena, search->request->space, &search->axes, &points);
	bool several = lacking || says_dimensions(search->request->space->block);
	if (problem)
		return usage(diagnostics, code, problem);
	for (unsigned attempt = 0; attempt < (several ? MOST_BASES : 1); attempt++) {
		struct diagnostics *own = arena_alloc(search->arena, sizeof *own);
		const uint16_t *at = base_candidate(search, &points, attempt);
		diagnostics_init(own, search->arena);
		problem = base_set(search, at);
		if (problem)
			return usage(diagnostics, code, problem);
		search->result->first = predict(search->arena, &search->options, STAGE_ESTIMATE, own, code);
		if (search->result->first || attempt + 1 == (several ? MOST_BASES : 1) || *code == EXIT_TOOL_MISSING ||
		    *code == EXIT_USAGE) {
			diagnostics_append(diagnostics, own);
			if (search->result->first)
				own_take(search, at);
			return search->result->first != NULL;
		}
	}
	return false;
}

/* ---- points --------------------------------------------------------------------------------- */

static void base_find(struct tuning *search)
{
	for (unsigned a = 0; a < search->axes.count; a++) {
		search->base[a] = UINT16_MAX;
		for (unsigned v = 0; v < search->axes.list[a].count; v++)
			if (search->axes.list[a].has_own && search->axes.list[a].values[v] == search->axes.list[a].own)
				search->base[a] = (uint16_t)v;
	}
}

static unsigned said_axis_add(struct tuning *search, enum sweep_kind kind, const char *name)
{
	struct sweep *sweep = search->sweep;
	sweep->axes[sweep->axis_count] = (struct sweep_axis){.kind = kind, .name = name};
	return sweep->axis_count++;
}

/* Sets the value of an axis of dimensions, which is added where it is new. */
static void said_set(struct tuning *search, unsigned axis, const uint32_t value[3], struct sweep_point *point)
{
	struct sweep_axis *said = &search->sweep->axes[axis];
	unsigned *stored = &search->said_stored[axis == search->said_grid];
	for (unsigned i = 0; i < *stored; i++)
		if (memcmp(said->dimensions[i], value, sizeof said->dimensions[i]) == 0) {
			point->at[axis] = i;
			return;
		}
	point->at[axis] = *stored;
	said->dimensions = arena_grow(search->arena, said->dimensions, *stored, sizeof *said->dimensions);
	memcpy(said->dimensions[(*stored)++], value, sizeof *said->dimensions);
}

static const char *dimensions_set(struct tuning *search, const uint16_t *at, struct sweep_point *point)
{
	const struct tune_space *space = search->request->space;
	uint32_t block[3] = {1, 1, 1}, grid[3] = {1, 1, 1};
	const char *problem = NULL;
	if (search->said_block)
		problem = tune_dimensions_value(search->arena, space, &search->axes, at, space->block, false, block);
	if (problem)
		return arena_printf(search->arena, "the block is not a block: %s", problem);
	if (search->said_block)
		said_set(search, search->said_block, block, point);
	if (!search->said_grid)
		return NULL;
	problem = tune_dimensions_value(search->arena, space, &search->axes, at, space->grid, false, grid);
	if (problem)
		return arena_printf(search->arena, "the grid is not a grid: %s", problem);
	for (unsigned axis = 0; axis < 3 && space->grid_of_threads; axis++)
		grid[axis] = (grid[axis] + block[axis] - 1) / block[axis];
	said_set(search, search->said_grid, grid, point);
	return NULL;
}

static struct sweep_point point_make(struct tuning *search, unsigned index)
{
	struct sweep_point point = {0};
	for (unsigned a = 0; a < search->axes.count; a++)
		point.at[a] = search->axes.list[a].values[point_at(search, index)[a]];
	point.problem = dimensions_set(search, point_at(search, index), &point);
	return point;
}

/* The point of the first prediction. */
static void first_point_make(struct tuning *search)
{
	struct sweep *sweep = search->sweep;
	struct sweep_point point = {0};
	for (unsigned a = 0; a < search->axes.count; a++)
		point.at[a] = search->axes.list[a].own;
	if (search->said_block)
		said_set(search, search->said_block, search->options.cases.block.value, &point);
	if (search->said_grid)
		said_set(search, search->said_grid, search->options.cases.grid.value, &point);
	point.cells = arena_array(search->arena, sweep->series_count + 1, sizeof *point.cells);
	for (unsigned s = 0; s < sweep->series_count; s++)
		point.cells[s] = (struct sweep_cell){.time_seconds = NAN, .occupancy = NAN};
	sweep_cells_fill(sweep, search->result->first, &point);
	sweep_whys_fill(search->arena, sweep, search->result->first, search->result->first, &point);
	ARENA_PUSH(search->arena, sweep->points, sweep->point_count, point);
}

static void sweep_begin(struct tuning *search)
{
	struct sweep *sweep = arena_alloc(search->arena, sizeof *sweep);
	search->sweep = sweep;
	search->result->sweep = sweep;
	memcpy(sweep->axes, search->axes.list, search->axes.count * sizeof *sweep->axes);
	sweep->axis_count = search->axes.count;
	if (says_dimensions(search->request->space->block))
		search->said_block = said_axis_add(search, SWEEP_SAID_BLOCK, "block");
	if (says_dimensions(search->request->space->grid))
		search->said_grid = said_axis_add(search, SWEEP_SAID_GRID, "grid");
	sweep_series_find(search->arena, search->result->first, sweep);
	tune_options_find(search->arena, search->result);
	first_point_make(search);
	search->sweep_request = (struct sweep_request){.first = search->result->first,
	                                               .options = &search->options,
	                                               .jobs = search->request->jobs,
	                                               .explains = true};
	if (search->request->seconds > 0)
		search->sweep_request.until = clock_seconds() + search->request->seconds;
}

/* ---- predicting -------------------------------------------------------------------------------- */

static double fastest_time(const struct tuning *search, unsigned point)
{
	double best = NAN;
	for (unsigned o = 0; o < search->result->option_count; o++) {
		struct tune_candidate candidate;
		double time = tune_candidate_fill(search->result, point, o, &candidate);
		if (isfinite(time) && !(best <= time))
			best = time;
	}
	return best;
}

static unsigned budget_left(const struct tuning *search)
{
	unsigned used = search->sweep->point_count - 1;
	return used < search->request->budget ? search->request->budget - used : 0;
}

/* Predicts configurations that were not tried yet, as far as the budget goes. Those whose block or grid is none are
 * refused before the others are begun. */
static void batch_predict(struct tuning *search, const unsigned *indices, unsigned count)
{
	struct sweep *sweep = search->sweep;
	unsigned *taken = arena_array(search->arena, count + 1, sizeof *taken), taken_count = 0;
	for (unsigned i = 0; i < count && budget_left(search) > 0; i++) {
		struct sweep_point point = point_make(search, indices[i]);
		if (search->tried[indices[i]])
			continue;
		search->tried[indices[i]] = true;
		if (point.problem)
			ARENA_PUSH(search->arena, sweep->points, sweep->point_count, point);
		else if (taken_count < budget_left(search))
			taken[taken_count++] = indices[i];
	}
	unsigned begin = sweep->point_count;
	for (unsigned i = 0; i < taken_count && budget_left(search) > 0; i++) {
		struct sweep_point point = point_make(search, taken[i]);
		ARENA_PUSH(search->arena, sweep->points, sweep->point_count, point);
	}
	sweep_points_run(search->arena, &search->sweep_request, sweep, begin);
	for (unsigned i = 0; i < taken_count && begin + i < sweep->point_count; i++) {
		double time = sweep->points[begin + i].problem ? NAN : fastest_time(search, begin + i);
		search->times[taken[i]] = time;
		search->best_seconds = time < search->best_seconds ? time : search->best_seconds;
	}
	if (search->request->progress)
		search->request->progress(sweep->point_count, search->request->budget, search->best_seconds);
}

static bool same_code(const struct tuning *search, unsigned a, unsigned b)
{
	for (unsigned axis = 0; axis < search->axes.count; axis++)
		if (sweep_kind_anew(search->axes.list[axis].kind) &&
		    point_at(search, a)[axis] != point_at(search, b)[axis])
			return false;
	return true;
}

/* The end of the batch that begins at `from`: where the code becomes another. */
static unsigned batch_end(const struct tuning *search, const unsigned *list, unsigned count, unsigned from)
{
	unsigned codes = 1, to = from + 1;
	for (; to < count; to++) {
		bool other = !same_code(search, list[to - 1], list[to]);
		if (other && to - from >= BATCH && codes >= BATCH_CODES)
			break;
		codes += other;
	}
	return to;
}

static void list_predict(struct tuning *search, const unsigned *list, unsigned count)
{
	for (unsigned from = 0, to; from < count && budget_left(search) > 0; from = to) {
		to = batch_end(search, list, count, from);
		batch_predict(search, list + from, to - from);
	}
}

static bool time_is_over(const struct tuning *search)
{
	return search->sweep_request.until > 0 && clock_seconds() > search->sweep_request.until;
}

/* ---- which ---------------------------------------------------------------------------------------- */

/* Those that differ from the first configuration least with that value; UINT_MAX: none has it. */
static unsigned nearest_with(const struct tuning *search, unsigned axis, uint16_t value)
{
	unsigned found = UINT_MAX, least = UINT_MAX;
	for (unsigned p = 0; p < search->points.count; p++) {
		unsigned distance = point_at(search, p)[axis] == value
		                            ? tune_points_distance(&search->axes, point_at(search, p), search->base)
		                            : UINT_MAX;
		if (distance < least) {
			least = distance;
			found = p;
		}
	}
	return found;
}

static void neighbours_predict(struct tuning *search)
{
	unsigned *list = NULL, count = 0;
	for (unsigned a = 0; a < search->axes.count; a++)
		for (unsigned v = 0; v < search->axes.list[a].count; v++) {
			unsigned point = nearest_with(search, a, (uint16_t)v);
			if (point != UINT_MAX)
				ARENA_PUSH(search->arena, list, count, point);
		}
	/* Where there are too many, every second one, and so on: of each axis some. */
	unsigned most = search->request->budget / 2, step = most ? (count + most - 1) / most : 1;
	unsigned *chosen = arena_array(search->arena, count + 1, sizeof *chosen), chosen_count = 0;
	for (unsigned i = 0; i < count; i += step ? step : 1)
		chosen[chosen_count++] = list[i];
	list_predict(search, chosen, chosen_count);
}

struct guessed {
	double time;
	unsigned point;
};

static int guessed_compare(const void *left, const void *right)
{
	const struct guessed *a = left, *b = right;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->point < b->point ? -1 : a->point > b->point;
}

static int points_compare(const void *left, const void *right)
{
	const unsigned *a = left, *b = right;
	return *a < *b ? -1 : *a > *b;
}

/* Predicts the configurations that are guessed to be fastest. Returns whether there were any. */
static bool guesses_predict(struct tuning *search, unsigned most)
{
	struct arena *scratch = arena_create();
	double *guesses = arena_array(scratch, search->points.count, sizeof *guesses);
	struct guessed *left = arena_array(scratch, search->points.count, sizeof *left);
	unsigned *list = arena_array(search->arena, most + 1, sizeof *list), count = 0;
	tune_times_guess(scratch, &search->axes, &search->points, search->times, guesses);
	for (unsigned p = 0; p < search->points.count; p++)
		if (!search->tried[p])
			left[count++] = (struct guessed){guesses[p], p};
	qsort(left, count, sizeof *left, guessed_compare);
	count = count < most ? count : most;
	for (unsigned i = 0; i < count; i++)
		list[i] = left[i].point;
	arena_release(scratch);
	qsort(list, count, sizeof *list, points_compare);
	list_predict(search, list, count);
	return count > 0;
}

static bool first_is_point(const struct tuning *search)
{
	for (unsigned p = 0; p < search->points.count; p++)
		if (tune_points_distance(&search->axes, point_at(search, p), search->base) == 0)
			return true;
	return false;
}

/* Marks the first configuration as tried, where it is one of the space. */
static void first_mark(struct tuning *search)
{
	for (unsigned p = 0; p < search->points.count; p++)
		if (tune_points_distance(&search->axes, point_at(search, p), search->base) == 0) {
			search->tried[p] = true;
			search->times[p] = fastest_time(search, 0);
		}
}

static void points_predict(struct tuning *search)
{
	unsigned count = search->points.count, *all = arena_array(search->arena, count, sizeof *all);
	unsigned round = search->request->budget / ROUNDS > 0 ? search->request->budget / ROUNDS : 1;
	first_mark(search);
	for (unsigned p = 0; p < count; p++)
		all[p] = p;
	if (count <= search->request->budget) {
		list_predict(search, all, count);
		return;
	}
	neighbours_predict(search);
	while (budget_left(search) > 0 && !time_is_over(search))
		if (!guesses_predict(search, round < budget_left(search) ? round : budget_left(search)))
			break;
	search->result->time_was_over = time_is_over(search);
}

/* ---- all -------------------------------------------------------------------------------------------- */

static bool space_make(struct tuning *search, struct diagnostics *diagnostics, enum exit_code *code)
{
	const struct tune_request *request = search->request;
	const char *text = request->options->analyzer.text
	                           ? request->options->analyzer.text
	                           : file_read(search->arena, request->options->analyzer.path, NULL);
	bool lacking = false;
	const char *problem = tune_space_check(search->arena, request->space);
	if (!problem)
		problem = tune_axes_named(search->arena, request->space, request->options, text ? text : "",
		                          &search->axes, &lacking);
	if (problem && text)
		return usage(diagnostics, code, problem);
	if (!base_predict(search, lacking, diagnostics, code))
		return false;
	search->result->is_written = !lacking;
	problem = tune_axes_add(search->arena, request->space, search->result->first, &search->options, &search->axes);
	if (!problem)
		problem = tune_points_find(search->arena, request->space, &search->axes, &search->points);
	return problem ? usage(diagnostics, code, problem) : true;
}

struct tune_result *tune_search(struct arena *arena, const struct tune_request *request,
                                struct diagnostics *diagnostics, enum exit_code *code)
{
	struct tuning *search = arena_alloc(arena, sizeof *search);
	*search = (struct tuning){.arena = arena, .request = request, .best_seconds = INFINITY};
	search->store = request->options->store ? request->options->store : compile_store_create(arena);
	search->result = arena_alloc(arena, sizeof *search->result);
	if (!space_make(search, diagnostics, code))
		return NULL;
	search->times = arena_array(arena, search->points.count, sizeof *search->times);
	search->tried = arena_array(arena, search->points.count, sizeof *search->tried);
	for (unsigned p = 0; p < search->points.count; p++)
		search->times[p] = NAN;
	base_find(search);
	sweep_begin(search);
	points_predict(search);
	search->result->space_size = search->points.count + !first_is_point(search);
	search->result->notes = search->axes.notes;
	search->result->note_count = search->axes.note_count;
	tune_rank(arena, search->result);
	if (search->result->candidate_count == 0) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "no configuration could be predicted");
		*code = EXIT_INPUT;
		return NULL;
	}
	*code = EXIT_VERDICT;
	return search->result;
}

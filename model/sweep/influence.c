/*
 * What was assumed of a program, once for all launches that assume the same, with the option that says it; that on
 * which the prediction depends most comes first.
 *
 * How much depends on an assumption is found by predicting the same code for something else: half and twice of a number
 * (1 instead of 0, 0 instead of 1), a sixteenth of a grid and sixteen times as many blocks (numbers that follow from it
 * with it), an index array in order, half and twice the trips, other shares of branches. Where that cannot be said by
 * an option of all kernels that assume it, or too much is assumed, it is the share of the program's time in the
 * launches concerned, which twice of it at most adds.
 */
#include "model/sweep/sweep.h"
#include "model/trust/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many are predicted otherwise, those of the largest share; of a program with no more rows than these. */
#define TRIED_MOST 4
#define TRIED_ROWS 64
#define TRIPS_DEFAULT 8
/* No further assumption is tried once the tries took so many times the work of the first prediction, and LEAST_FURTHER.
 */
#define MOST_FURTHER 4
#define LEAST_FURTHER 1000000 /* warp instructions: about a second */
/* Trips that data decide and nothing bounds may be so many times more, or fewer. Chosen, with docs/accuracy.md's
 * programs of others in sight. */
#define TRIPS_WITHIN 8.0

/* ---- what was assumed ------------------------------------------------------------------------- */

static const char *option_of(struct arena *arena, const struct case_assumption *assumed)
{
	switch (assumed->kind) {
	case ASSUMED_GRID:
		return "--grid";
	case ASSUMED_BLOCK:
		return "--block";
	case ASSUMED_SCALAR:
		return arena_printf(arena, "--arg %s=", assumed->name);
	case ASSUMED_TRIPS:
		return "--trips";
	case ASSUMED_BRANCH:
		return "--branch-probability";
	default:
		return arena_printf(arena, "--index %s=", assumed->name);
	}
}

static const char *what_of(struct arena *arena, const struct case_assumption *assumed)
{
	switch (assumed->kind) {
	case ASSUMED_GRID:
		return arena_printf(arena, "grid = %s", assumed->value);
	case ASSUMED_BLOCK:
		return arena_printf(arena, "block = %s", assumed->value);
	case ASSUMED_SCALAR:
		return arena_printf(arena, "%s = %s", assumed->name, assumed->value);
	case ASSUMED_TRIPS:
		return arena_printf(arena, "trips of loops that depend on data = %s", assumed->value);
	case ASSUMED_BRANCH:
		return arena_printf(arena, "branches that depend on data: taken by %s", assumed->value);
	default:
		return arena_printf(arena, "content of %s: %s", assumed->name, assumed->value);
	}
}

struct collection {
	struct arena *arena;
	unsigned case_count;
	struct program_assumption *list;
	unsigned count;
};

static bool text_among(const char *const *list, unsigned count, const char *text)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(list[i], text) == 0)
			return true;
	return false;
}

static bool is_same(const struct program_assumption *entry, const struct case_assumption *assumed, const char *what)
{
	if (entry->assumed->kind != assumed->kind)
		return false;
	if (assumed->kind == ASSUMED_TRIPS)
		return true;
	return assumed->kind == ASSUMED_SCALAR ? entry->assumed->number == assumed->number
	                                       : strcmp(entry->what, what) == 0;
}

/* The entry of what was assumed, which is new where nothing like it is there. All trips are one, since one option says
 * them. */
static struct program_assumption *entry_of(struct collection *collection, const struct case_assumption *assumed)
{
	const char *what = what_of(collection->arena, assumed), *option = option_of(collection->arena, assumed);
	for (unsigned i = 0; i < collection->count; i++) {
		struct program_assumption *entry = &collection->list[i];
		if (!is_same(entry, assumed, what) || strcmp(entry->option, option) != 0)
			continue;
		if (assumed->kind == ASSUMED_TRIPS && !strstr(entry->what, assumed->value))
			entry->what = arena_printf(collection->arena, "%s, %s", entry->what, assumed->value);
		return entry;
	}
	struct program_assumption entry = {.assumed = assumed, .what = what, .option = option, .low = 1, .high = 1};
	entry.cases = arena_array(collection->arena, collection->case_count, sizeof *entry.cases);
	ARENA_PUSH(collection->arena, collection->list, collection->count, entry);
	return &collection->list[collection->count - 1];
}

/* A launch of the prediction, as a place in it. */
struct concerned {
	const struct case_result *result;
	unsigned index;
	double share; /* of the program's time */
};

static struct program_assumption *assumed_add(struct collection *collection, const struct case_assumption *assumed,
                                              const struct concerned *launch)
{
	struct program_assumption *entry = entry_of(collection, assumed);
	const char *kernel = launch->result->launch->kernel->name;
	entry->cases[launch->index].concerned = true;
	if (!text_among(entry->kernels, entry->kernel_count, kernel))
		ARENA_PUSH(collection->arena, entry->kernels, entry->kernel_count, kernel);
	if (assumed->note && !text_among(entry->notes, entry->note_count, assumed->note))
		ARENA_PUSH(collection->arena, entry->notes, entry->note_count, assumed->note);
	entry->share += launch->share;
	return entry;
}

/* ---- of what is executed ------------------------------------------------------------------------- */

static bool code_guesses(const struct code_view *code, enum guess guess)
{
	for (unsigned i = 0; code->evaluation && i < code->evaluation->assumption_count; i++)
		if (code->evaluation->assumptions[i].guess == guess)
			return true;
	return false;
}

/* The first evaluation of the launch that makes such a guess, or NULL. */
static const struct evaluation *case_guesses(const struct case_result *result, enum guess guess)
{
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct launch_view *view = result->rows[r].view;
		const struct code_view *code = !view                           ? NULL
		                               : view->machine_code.evaluation ? &view->machine_code
		                                                               : &view->ptx;
		if (code && code_guesses(code, guess))
			return code->evaluation;
	}
	return NULL;
}

/* Between which the trips of a loop are. */
static double trips_least(const struct assumption *guess)
{
	return guess->most > 0 ? fmin(1, guess->trips) : fmax(1, guess->trips / TRIPS_WITHIN);
}

static double trips_most(const struct assumption *guess)
{
	return guess->most > 0 ? guess->most : guess->trips * TRIPS_WITHIN;
}

/* Trips that are assumed of a launch's loops, each number once. */
static const char *trips_text(struct arena *arena, const struct evaluation *evaluation)
{
	const char *text = NULL;
	for (unsigned i = 0; i < evaluation->assumption_count; i++) {
		const struct assumption *guess = &evaluation->assumptions[i];
		if (guess->guess != GUESS_TRIPS)
			continue;
		const char *one = arena_printf(arena, "%.10g (%.10g to %.10g)", guess->trips, trips_least(guess),
		                               trips_most(guess));
		if (!text || !strstr(text, one))
			text = text ? arena_printf(arena, "%s, %s", text, one) : one;
	}
	return text;
}

/* What other trips change at most. */
static void trips_within(struct assumed_case *changed, const struct evaluation *evaluation)
{
	for (unsigned i = 0; i < evaluation->assumption_count; i++) {
		const struct assumption *guess = &evaluation->assumptions[i];
		if (guess->guess != GUESS_TRIPS)
			continue;
		double least = trips_least(guess) / guess->trips, most = trips_most(guess) / guess->trips;
		changed->least = changed->least > 0 ? fmin(changed->least, least) : least;
		changed->most = fmax(changed->most, most);
	}
}

static void guess_add(struct collection *collection, const struct predict_options *options, enum guess guess,
                      const struct concerned *launch)
{
	const struct evaluation *evaluation = case_guesses(launch->result, guess);
	struct case_assumption *assumed;
	if (!evaluation)
		return;
	assumed = arena_alloc(collection->arena, sizeof *assumed);
	*assumed = (struct case_assumption){.kind = guess == GUESS_TRIPS ? ASSUMED_TRIPS : ASSUMED_BRANCH};
	assumed->value = guess == GUESS_TRIPS
	                         ? trips_text(collection->arena, evaluation)
	                         : arena_printf(collection->arena, "%g %%", 100 * options->branches.probability);
	struct assumed_case *changed = &assumed_add(collection, assumed, launch)->cases[launch->index];
	if (guess == GUESS_TRIPS)
		trips_within(changed, evaluation);
}

/* ---- times ------------------------------------------------------------------------------------------ */

static const struct ranked_layout *written_row(const struct case_result *result)
{
	const struct verdict *verdict = result->verdict_count ? &result->verdicts[0] : NULL;
	if (!verdict)
		return &result->rows[0];
	return &result->rows[verdict->written < result->row_count ? verdict->written : verdict->recommended];
}

static double case_seconds(const struct case_result *result)
{
	return result->row_count ? predict_launches_seconds(result, written_row(result)) : 0;
}

static double program_seconds(const struct prediction *prediction)
{
	double sum = 0;
	for (unsigned c = 0; c < prediction->case_count; c++)
		sum += case_seconds(&prediction->cases[c]);
	return sum;
}

static unsigned rows_of(const struct prediction *prediction)
{
	unsigned rows = 0;
	for (unsigned c = 0; c < prediction->case_count; c++)
		rows += prediction->cases[c].row_count;
	return rows;
}

/* Warp instructions that a prediction executed and simulated. Unlike time, it is the same on every run. */
static double work_of(const struct prediction *prediction)
{
	double work = 0;
	for (unsigned c = 0; c < prediction->case_count; c++)
		for (unsigned r = 0; r < prediction->cases[c].row_count; r++) {
			const struct ranked_layout *row = &prediction->cases[c].rows[r];
			const struct evaluation *evaluation = row->view ? row->view->machine_code.evaluation : NULL;
			work += row->estimate->work + (evaluation ? (double)evaluation->steps : 0);
		}
	return work;
}

/* Whether predicting otherwise is worth the time: where sizes or trips are assumed, which all else is small beside. */
static bool is_worth_trying(const struct collection *collection, const struct prediction *prediction)
{
	for (unsigned i = 0; i < collection->count; i++)
		if (collection->list[i].assumed->kind <= ASSUMED_SCALAR ||
		    collection->list[i].assumed->kind == ASSUMED_TRIPS)
			return rows_of(prediction) <= TRIED_ROWS;
	return false;
}

/* Whether the program's recommendations differ, where both have them. */
static bool recommends_otherwise(const struct prediction *a, const struct prediction *b)
{
	for (unsigned v = 0; v < a->program_verdict_count && v < b->program_verdict_count; v++) {
		const struct program_row *one = &a->program[a->program_verdicts[v].recommended],
					 *other = &b->program[b->program_verdicts[v].recommended];
		double kept = INFINITY;
		for (unsigned r = 0; r < b->program_count; r++)
			if (b->program[r].group == one->group && b->program[r].layout == one->layout &&
			    b->program[r].tile == one->tile)
				kept = b->program[r].time_seconds;
		if ((one->layout != other->layout || one->tile != other->tile) &&
		    kept > other->time_seconds * (1 + TIE_SHARE))
			return true;
	}
	return false;
}

/* ---- what else it could be ---------------------------------------------------------------------------- */

#define WAYS 2
/* What half of something or twice changes at most, where it was not tried. */
#define UNTRIED 2.0

/* Adds a value for all kernels that assume it. */
static void value_push(struct arena *arena, const struct program_assumption *entry, const char *value,
                       struct named_value **list, unsigned *count)
{
	struct named_value *values = NULL;
	unsigned made = 0;
	for (unsigned i = 0; i < *count; i++)
		ARENA_PUSH(arena, values, made, (*list)[i]);
	for (unsigned k = 0; k < entry->kernel_count; k++) {
		const struct named_value one = {arena_printf(arena, "%s:%s", entry->kernels[k], entry->assumed->name),
		                                value};
		ARENA_PUSH(arena, values, made, one);
	}
	*list = values;
	*count = made;
}

/* By what factor a scalar may be otherwise: like trips that depend on data where it counts some and nothing is known of
 * it. */
static double scalar_within(const struct case_assumption *assumed)
{
	return assumed->counts_trips ? TRIPS_WITHIN : 2;
}

/* Sets the options of a way to say something else; false where there is none. */
static bool options_otherwise(struct arena *arena, const struct program_assumption *entry, unsigned way,
                              struct predict_options *options)
{
	const struct case_assumption *assumed = entry->assumed;
	struct case_change *change;
	bool is_flag = assumed->number == 0 || assumed->number == 1;
	int64_t within = (int64_t)scalar_within(assumed), less = assumed->number / within;
	int64_t number = is_flag ? 1 - assumed->number : way ? assumed->number * within : less > 0 ? less : 1;
	double trips;
	switch (assumed->kind) {
	case ASSUMED_GRID:
		change = arena_alloc(arena, sizeof *change);
		*change = (struct case_change){.assumed_size = way ? 1 : -1};
		options->cases.changes = change;
		options->cases.change_count = 1;
		return true;
	case ASSUMED_SCALAR:
		value_push(arena, entry, arena_printf(arena, "%lld", (long long)number), &options->cases.arguments,
		           &options->cases.argument_count);
		return is_flag ? way == 0 : assumed->number > 1 && assumed->number < INT32_MAX / within;
	case ASSUMED_CONTENT:
		value_push(arena, entry, "seq", &options->cases.indexes, &options->cases.index_count);
		return way == 0;
	case ASSUMED_TRIPS:
		trips = options->unknown_trips > 0 ? options->unknown_trips : TRIPS_DEFAULT;
		options->unknown_trips = options->cases.trips =
			fmax(1, way ? trips * TRIPS_WITHIN : trips / TRIPS_WITHIN);
		options->trips_side = way ? TRIPS_MOST : TRIPS_LEAST;
		return true;
	case ASSUMED_BRANCH:
		options->branches.probability =
			way ? (1 + options->branches.probability) / 2 : options->branches.probability / 2;
		return true;
	default:
		return false;
	}
}

static const char *tried_of(const struct case_assumption *assumed)
{
	if (assumed->kind == ASSUMED_SCALAR && (assumed->number == 0 || assumed->number == 1))
		return assumed->number ? "0 instead" : "1 instead";
	switch (assumed->kind) {
	case ASSUMED_GRID:
		return "a sixteenth of it and sixteen times as much";
	case ASSUMED_CONTENT:
		return "0, 1, 2 ... instead";
	case ASSUMED_TRIPS:
		return "the fewest and the most";
	case ASSUMED_SCALAR:
		return assumed->counts_trips ? "an eighth of it and eight times" : "half of it and twice";
	case ASSUMED_BRANCH:
		return "half as often and half as often not";
	default:
		return "half of it and twice";
	}
}

/* The factors on the times of launches that the other prediction has, too. */
static void cases_compare(const struct prediction *prediction, const struct prediction *other,
                          struct program_assumption *entry)
{
	for (unsigned c = 0; c < prediction->case_count && other->case_count == prediction->case_count; c++) {
		const struct case_result *own = &prediction->cases[c], *tried = &other->cases[c];
		struct assumed_case *changed = &entry->cases[c];
		if (own->launch->kernel != tried->launch->kernel || own->launch->found != tried->launch->found)
			continue;
		double factor = written_row(tried)->estimate->time_seconds / written_row(own)->estimate->time_seconds;
		changed->low = changed->low > 0 ? fmin(changed->low, factor) : fmin(1, factor);
		changed->high = fmax(fmax(1, changed->high), factor);
	}
}

/* Predicts the program with something else in the place of what was assumed. Returns the work of that. */
static double entry_try(const struct sweep_request *request, const struct prediction *prediction,
                        struct program_assumption *entry)
{
	double work = 0;
	for (unsigned way = 0; way < WAYS; way++) {
		struct arena *arena = arena_create();
		struct predict_options options = *request->options;
		struct diagnostics ignored;
		enum exit_code code;
		diagnostics_init(&ignored, arena);
		options.advise = false;
		const struct prediction *other = options_otherwise(arena, entry, way, &options)
		                                         ? predict_again(arena, prediction, &options, &ignored, &code)
		                                         : NULL;
		work += other ? work_of(other) : 0;
		double factor = other ? program_seconds(other) / program_seconds(prediction) : NAN;
		if (factor > 0 && isfinite(factor)) {
			entry->tried = tried_of(entry->assumed);
			entry->low = fmin(entry->low, factor);
			entry->high = fmax(entry->high, factor);
			entry->decides = entry->decides || recommends_otherwise(prediction, other);
			cases_compare(prediction, other, entry);
		}
		arena_release(arena);
	}
	return work;
}

/* ---- in order -------------------------------------------------------------------------------------------- */

/* The logarithm of what twice of it, or half, changes; of what was not tried, at most. */
static double influence(const struct program_assumption *entry)
{
	const double grid_steps = 4, trips_steps = log2(TRIPS_WITHIN);
	double change = fmax(-log2(entry->low), log2(entry->high));
	if (!entry->tried)
		return log2(1 + entry->share);
	switch (entry->assumed->kind) {
	case ASSUMED_GRID:
		return change / grid_steps;
	case ASSUMED_TRIPS:
		return change / trips_steps;
	case ASSUMED_SCALAR:
		return change / log2(scalar_within(entry->assumed));
	default:
		return change;
	}
}

static int by_influence(const void *left, const void *right)
{
	const struct program_assumption *a = left, *b = right;
	double first = influence(a), second = influence(b);
	if (a->decides != b->decides)
		return a->decides ? -1 : 1;
	if (first < second || first > second)
		return first > second ? -1 : 1;
	return strcmp(a->what, b->what);
}

static int by_share(const void *left, const void *right)
{
	const struct program_assumption *a = left, *b = right;
	if (a->share < b->share || a->share > b->share)
		return a->share > b->share ? -1 : 1;
	return strcmp(a->what, b->what);
}

/* ---- intervals ------------------------------------------------------------------------------------------ */

/* Widens the intervals of a launch's times by what each of its assumptions changes; independent ones add up as squares
 * of logarithms. */
static void case_widen(struct prediction *prediction, unsigned index)
{
	double low = 0, high = 0;
	for (unsigned i = 0; i < prediction->assumption_count; i++) {
		const struct assumed_case *changed = &prediction->assumptions[i].cases[index];
		double most = changed->high > 0   ? changed->high
		              : changed->most > 0 ? changed->most
		                                  : UNTRIED,
		       least = changed->low > 0     ? changed->low
		               : changed->least > 0 ? changed->least
		                                    : 1 / UNTRIED;
		if (!changed->concerned)
			continue;
		low = hypot(low, log(least));
		high = hypot(high, log(most));
	}
	trust_times_widen(prediction, &prediction->cases[index], low, high);
}

void sweep_influences(struct arena *arena, const struct sweep_request *request, struct prediction *prediction)
{
	struct collection collection = {.arena = arena, .case_count = prediction->case_count};
	double whole = program_seconds(prediction);
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		const struct concerned launch = {result, c, whole > 0 ? case_seconds(result) / whole : 0};
		for (unsigned i = 0; i < result->launch->assumption_count; i++)
			assumed_add(&collection, &result->launch->assumptions[i], &launch);
		guess_add(&collection, request->options, GUESS_TRIPS, &launch);
		guess_add(&collection, request->options, GUESS_BRANCH, &launch);
	}
	if (collection.count == 0)
		return;
	bool is_tried = is_worth_trying(&collection, prediction);
	qsort(collection.list, collection.count, sizeof *collection.list, by_share);
	double left = fmax(LEAST_FURTHER, MOST_FURTHER * work_of(prediction));
	for (unsigned i = 0; i < collection.count && i < TRIED_MOST && is_tried && left > 0; i++)
		left -= entry_try(request, prediction, &collection.list[i]);
	qsort(collection.list, collection.count, sizeof *collection.list, by_influence);
	prediction->assumptions = collection.list;
	prediction->assumption_count = collection.count;
	for (unsigned c = 0; c < prediction->case_count; c++)
		case_widen(prediction, c);
}

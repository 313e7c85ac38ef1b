/*
 * Integers that nobody says are assumed to be what makes the launch do what such launches do. By what the kernel makes
 * of a number: a bool                                   true compared with positions (`i < n`,        the least with
 * which the last thread passes; where several unknown numbers stand in one `x < w && y < h`, `i < nx * ny`) comparison,
 * they are equal the end of a loop over all threads       the least with which every thread goes through it once the
 * end of a loop inside a thread        the least with which it runs as often as --trips says a factor of a position (`y
 * * pitch`)     the number of threads along x, or along y where another factor stands beside it a divisor of a position
 * the square root of the number of threads along x a summand                                0 anything else 1 None is
 * larger than an index into a member array allows. A member of a record that no position depends on stays unknown: the
 * kernel may still reach it through a pointer, and the evaluator says so where it decides.
 */
#include "model/cases/cases.h"

#include <math.h>
#include <string.h>

#define LARGEST ((int64_t)1 << 30)

struct assumer {
	struct arena *arena;
	struct launch_case *launch;
	const struct launch *found;
	int64_t trips;
	int64_t *maxima; /* per symbol */
	bool *open;      /* per symbol: not known, nothing assumed so far */
	bool *counts;    /* per symbol: it bounds a loop inside a thread */
	const char **why;
};

/* ---- largest values ------------------------------------------------------------------ */

int64_t *case_symbol_maxima(struct arena *arena, const struct launch_case *launch)
{
	const struct kernel *kernel = launch->kernel;
	int64_t *maxima = arena_array(arena, kernel->symbol_count + 1, sizeof *maxima);
	memcpy(maxima, launch->symbols, kernel->symbol_count * sizeof *maxima);
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		const struct symbol *symbol = kernel->symbols[i];
		int64_t trips = 0;
		if (symbol->kind == SYMBOL_THREAD)
			maxima[i] = (int64_t)launch->block[symbol->axis] - 1;
		else if (symbol->kind == SYMBOL_BLOCK)
			maxima[i] = (int64_t)launch->grid[symbol->axis] - 1;
		else if (symbol->kind == SYMBOL_ITERATOR && symbol->loop->trips &&
		         expr_evaluate(symbol->loop->trips, maxima, NULL, NULL, &trips) && trips > 0)
			maxima[i] = trips - 1;
	}
	return maxima;
}

static bool mentions_kind(const struct kernel *kernel, const struct expr *expr, enum symbol_kind kind)
{
	for (unsigned i = 0; expr && i < kernel->symbol_count; i++)
		if (kernel->symbols[i]->kind == kind && expr_mentions(expr, kernel->symbols[i]))
			return true;
	return false;
}

static bool mentions_position(const struct kernel *kernel, const struct expr *expr)
{
	return mentions_kind(kernel, expr, SYMBOL_THREAD) || mentions_kind(kernel, expr, SYMBOL_BLOCK);
}

static int64_t threads_along(const struct launch_case *launch, unsigned axis)
{
	return (int64_t)launch->grid[axis] * launch->block[axis];
}

/* ---- settling -------------------------------------------------------------------------- */

static void settle(struct assumer *assumer, const struct symbol *symbol, int64_t value, const char *why)
{
	assumer->open[symbol->index] = false;
	assumer->why[symbol->index] = why;
	assumer->launch->symbols[symbol->index] = assumer->maxima[symbol->index] = value;
}

/* Whether every index into a member array stays inside of it when the symbol has that value. */
static bool inner_indices_fit(struct assumer *assumer, const struct symbol *symbol, int64_t value)
{
	struct launch_case *launch = assumer->launch;
	int64_t kept = launch->symbols[symbol->index];
	bool fit = true;
	launch->symbols[symbol->index] = value;
	const int64_t *maxima = case_symbol_maxima(assumer->arena, launch);
	for (unsigned i = 0; i < launch->kernel->access_count && fit; i++) {
		const struct access *access = launch->kernel->accesses[i];
		int64_t index = 0;
		if (access->inner && access->leaf && expr_evaluate(access->inner, maxima, NULL, NULL, &index))
			fit = index < (int64_t)access->leaf->count;
	}
	launch->symbols[symbol->index] = kept;
	return fit;
}

/* The largest value up to the one given that keeps the indices into member arrays inside of them; that one where none
 * does. */
static int64_t value_that_fits(struct assumer *assumer, const struct symbol *symbol, int64_t value)
{
	int64_t fits = 0, beyond = value;
	if (inner_indices_fit(assumer, symbol, value) || !inner_indices_fit(assumer, symbol, 0))
		return value;
	while (beyond - fits > 1) {
		int64_t middle = fits + (beyond - fits) / 2;
		if (inner_indices_fit(assumer, symbol, middle))
			fits = middle;
		else
			beyond = middle;
	}
	return fits;
}

/* ---- the least value that does it ----------------------------------------------------------- */

/* What a value must bring about: that a condition holds, or that a loop runs often enough. */
struct wish {
	const struct expr *condition; /* or NULL */
	bool negated;
	const struct expr *trips;
	int64_t least_trips;
};

static bool fulfilled(const struct assumer *assumer, const struct wish *wish)
{
	int64_t value = 0;
	if (wish->condition)
		return expr_evaluate(wish->condition, assumer->maxima, NULL, NULL, &value) &&
		       (value != 0) == !wish->negated;
	return expr_evaluate(wish->trips, assumer->maxima, NULL, NULL, &value) && value >= wish->least_trips;
}

static bool fulfilled_with(const struct assumer *assumer, const struct wish *wish, const bool *chosen, int64_t value)
{
	for (unsigned i = 0; i < assumer->launch->kernel->symbol_count; i++)
		if (chosen[i])
			assumer->maxima[i] = value;
	return fulfilled(assumer, wish);
}

/* Finds the least value of the chosen symbols, all equal, that fulfils the wish. Returns false where none up to LARGEST
 * does. */
static bool least_value(const struct assumer *assumer, const struct wish *wish, const bool *chosen, int64_t *value)
{
	int64_t above = 1, below = 0;
	while (above < LARGEST && !fulfilled_with(assumer, wish, chosen, above)) {
		below = above;
		above *= 2;
	}
	bool found = fulfilled_with(assumer, wish, chosen, above);
	while (found && above - below > 1) {
		int64_t middle = below + (above - below) / 2;
		if (fulfilled_with(assumer, wish, chosen, middle))
			above = middle;
		else
			below = middle;
	}
	fulfilled_with(assumer, wish, chosen, 0);
	*value = above;
	return found;
}

/* What stands beside the number that threads are held against moves them. */
static void offsets_settle(struct assumer *assumer, const bool *chosen)
{
	for (unsigned i = 0; i < assumer->launch->kernel->symbol_count; i++)
		if (chosen[i] && assumer->open[i])
			settle(assumer, assumer->launch->kernel->symbols[i], 0, "a summand of a position");
}

/* A loop over a member array goes through all of it. Returns false where the symbol bounds none. */
static bool member_array_settle(struct assumer *assumer, const struct symbol *symbol)
{
	int64_t threads = threads_along(assumer->launch, 0), most = value_that_fits(assumer, symbol, threads);
	if (most < threads)
		settle(assumer, symbol, most, "the most that a member array indexed with it allows");
	return most < threads;
}

/* Settles the open symbols of an expression so that the wish comes true: together, or the first one that can do it
 * alone. */
static void wish_grant(struct assumer *assumer, const struct wish *wish, const char *why)
{
	const struct kernel *kernel = assumer->launch->kernel;
	const struct expr *expr = wish->condition ? wish->condition : wish->trips;
	bool *chosen = arena_array(assumer->arena, kernel->symbol_count + 1, sizeof *chosen);
	unsigned count = 0;
	int64_t value;
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		chosen[i] = assumer->open[i] && expr_mentions(expr, kernel->symbols[i]);
		count += chosen[i];
	}
	if (count == 0 || fulfilled_with(assumer, wish, chosen, 0))
		return;
	if (least_value(assumer, wish, chosen, &value)) {
		for (unsigned i = 0; i < kernel->symbol_count; i++)
			if (chosen[i] && (wish->condition || !member_array_settle(assumer, kernel->symbols[i]))) {
				assumer->counts[i] = wish->least_trips > 1;
				settle(assumer, kernel->symbols[i], value, why);
			}
		return;
	}
	for (unsigned i = 0; count > 1 && i < kernel->symbol_count; i++) {
		bool *alone = arena_array(assumer->arena, kernel->symbol_count + 1, sizeof *alone);
		alone[i] = chosen[i];
		if (chosen[i] && least_value(assumer, wish, alone, &value)) {
			settle(assumer, kernel->symbols[i], value, why);
			offsets_settle(assumer, chosen);
			return;
		}
	}
}

/* ---- guards and loops ------------------------------------------------------------------------- */

static void comparison_grant(struct assumer *assumer, const struct expr *expr, bool negated, unsigned line)
{
	struct wish wish = {.condition = expr, .negated = negated};
	bool compares = expr->op == EXPR_LT || expr->op == EXPR_LE || expr->op == EXPR_GT || expr->op == EXPR_GE;
	if (expr->op == EXPR_LOGICAL_AND || expr->op == EXPR_LOGICAL_OR) {
		comparison_grant(assumer, expr->operands[0], negated, line);
		comparison_grant(assumer, expr->operands[1], negated, line);
	} else if (expr->op == EXPR_LOGICAL_NOT) {
		comparison_grant(assumer, expr->operands[0], !negated, line);
	} else if (compares && mentions_position(assumer->launch->kernel, expr)) {
		wish_grant(assumer, &wish, arena_printf(assumer->arena, "so that all threads pass line %u", line));
	}
}

static void guards_grant(struct assumer *assumer, const struct guard *guard)
{
	if (!guard)
		return;
	guards_grant(assumer, guard->parent);
	comparison_grant(assumer, guard->condition, guard->negated, guard->place.line);
}

/* Loops that all threads share, or those inside of a thread. */
static void loops_grant(struct assumer *assumer, bool shared)
{
	const struct kernel *kernel = assumer->launch->kernel;
	for (unsigned i = 0; i < kernel->loop_count; i++) {
		const struct loop *loop = kernel->loops[i];
		struct wish wish = {.trips = loop->trips, .least_trips = shared ? 1 : assumer->trips};
		bool over_blocks = loop->start && mentions_kind(kernel, loop->start, SYMBOL_BLOCK);
		if (!loop->trips || over_blocks != shared)
			continue;
		wish_grant(assumer, &wish,
		           shared ? arena_printf(assumer->arena, "so that all threads enter the loop in line %u",
		                                 loop->first_line)
		                  : arena_printf(assumer->arena,
		                                 "so that the loop in line %u runs %lld times (--trips)",
		                                 loop->first_line, (long long)assumer->trips));
	}
}

/* ---- indices ------------------------------------------------------------------------------------- */

static bool is_open(const struct assumer *assumer, const struct symbol *symbol)
{
	return symbol->kind == SYMBOL_PARAMETER && assumer->open[symbol->index];
}

/* A term of an index: its one open number is a factor of a position, or stands alone. */
static void term_grant(struct assumer *assumer, const struct affine_term *term)
{
	const struct symbol *open = NULL;
	unsigned factors = 0, open_count = 0;
	for (unsigned i = 0; i < term->symbol_count; i++) {
		factors += term->symbols[i]->kind == SYMBOL_PARAMETER;
		if (is_open(assumer, term->symbols[i])) {
			open = term->symbols[i];
			open_count++;
		}
	}
	if (open_count != 1)
		return;
	unsigned axis = factors > 1 && threads_along(assumer->launch, 1) > 1;
	if (factors == term->symbol_count)
		settle(assumer, open, 0, "a summand of an index");
	else
		settle(assumer, open, threads_along(assumer->launch, axis),
		       axis ? "the number of threads along y" : "the number of threads along x");
}

static void divisors_grant(struct assumer *assumer, const struct expr *expr)
{
	if (!expr)
		return;
	const struct expr *divisor = expr->op == EXPR_DIV || expr->op == EXPR_MOD ? expr->operands[1] : NULL;
	while (divisor && divisor->op == EXPR_CAST)
		divisor = divisor->operands[0];
	if (divisor && divisor->op == EXPR_SYMBOL && is_open(assumer, divisor->symbol) &&
	    mentions_position(assumer->launch->kernel, expr->operands[0]))
		settle(assumer, divisor->symbol, (int64_t)ceil(sqrt((double)threads_along(assumer->launch, 0))),
		       "the square root of the number of threads along x");
	for (unsigned i = 0; i < ARRAY_COUNT(expr->operands); i++)
		divisors_grant(assumer, expr->operands[i]);
}

static void indices_grant(struct assumer *assumer)
{
	const struct kernel *kernel = assumer->launch->kernel;
	for (unsigned i = 0; i < kernel->access_count; i++)
		divisors_grant(assumer, kernel->accesses[i]->element);
	for (unsigned symbols = 2; symbols <= 3; symbols++)
		for (unsigned i = 0; i < kernel->access_count; i++) {
			const struct affine *affine = &kernel->accesses[i]->affine;
			for (unsigned t = 0; t < affine->term_count; t++)
				if (affine->terms[t].symbol_count == symbols)
					term_grant(assumer, &affine->terms[t]);
		}
	for (unsigned i = 0; i < kernel->access_count; i++) {
		const struct affine *affine = &kernel->accesses[i]->affine;
		for (unsigned t = 0; t < affine->term_count; t++)
			term_grant(assumer, &affine->terms[t]);
	}
}

/* ---- all of a launch --------------------------------------------------------------------------------- */

static const struct type *symbol_type(const struct symbol *symbol)
{
	const struct leaf *leaf = case_symbol_leaf(symbol);
	return leaf ? &leaf->type : &symbol->parameter->type;
}

/* Whether the analyzer has a number for the symbol that can be set. */
static bool settable(const struct symbol *symbol)
{
	return symbol->kind == SYMBOL_PARAMETER && (!symbol->parameter->type.record || case_symbol_leaf(symbol));
}

static void assumption_keep(struct assumer *assumer, const struct symbol *symbol)
{
	struct launch_case *launch = assumer->launch;
	const bool constant = symbol->parameter->is_constant;
	const struct host_value *host =
		assumer->found && !constant ? &assumer->found->arguments[symbol->parameter->index] : NULL;
	const char *reason = host && !symbol->parameter->type.record ? host->reason : NULL,
		   *why = assumer->why[symbol->index];
	const struct leaf *leaf = case_symbol_leaf(symbol);
	int64_t wanted = launch->symbols[symbol->index], value = value_that_fits(assumer, symbol, wanted);
	bool is_mentioned = why || case_kernel_mentions(launch->kernel, symbol);
	launch->symbols[symbol->index] = value;
	launch->symbol_known[symbol->index] = true;
	if (is_mentioned || !leaf)
		case_scalar_set(launch, symbol->parameter, leaf, value);
	if (!is_mentioned)
		return;
	const char *because = !why ? "" : value == wanted ? why : "the most that a member array indexed with it allows";
	const char *number = arena_printf(assumer->arena, "%lld%s%s", (long long)value, why ? ", " : "", because);
	const char *note =
		arena_printf(assumer->arena, "value of %s %s of %s is not known%s%s; assumed %s: give --arg %s=",
	                     constant ? "constant" : "parameter", symbol->name, launch->kernel->name,
	                     reason ? ": " : "", reason ? reason : "", number, symbol->name);
	case_assume(assumer->arena, launch,
	            (struct case_assumption){.kind = ASSUMED_SCALAR,
	                                     .name = symbol->name,
	                                     .value = number,
	                                     .number = value,
	                                     .counts_trips = assumer->counts[symbol->index],
	                                     .reason = reason,
	                                     .note = note});
}

void case_scalars_assume(struct arena *arena, struct launch_case *launch, const struct launch *found, double trips)
{
	const struct kernel *kernel = launch->kernel;
	struct assumer assumer = {.arena = arena, .launch = launch, .found = found, .trips = (int64_t)trips};
	bool *assumed = arena_array(arena, kernel->symbol_count + 1, sizeof *assumed);
	assumer.maxima = case_symbol_maxima(arena, launch);
	assumer.open = arena_array(arena, kernel->symbol_count + 1, sizeof *assumer.open);
	assumer.counts = arena_array(arena, kernel->symbol_count + 1, sizeof *assumer.counts);
	assumer.why = arena_array(arena, kernel->symbol_count + 1, sizeof *assumer.why);
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		assumed[i] = assumer.open[i] = settable(kernel->symbols[i]) && !launch->symbol_known[i];
		if (assumed[i] && strcmp(symbol_type(kernel->symbols[i])->spelling, "bool") == 0)
			settle(&assumer, kernel->symbols[i], true, "true");
	}
	for (unsigned i = 0; i < kernel->access_count; i++)
		guards_grant(&assumer, kernel->accesses[i]->guard);
	loops_grant(&assumer, true);
	loops_grant(&assumer, false);
	indices_grant(&assumer);
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		if (assumer.open[i])
			settle(&assumer, kernel->symbols[i], 1, NULL);
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		if (assumed[i])
			assumption_keep(&assumer, kernel->symbols[i]);
}

/*
 * Accesses behind the end of an array whose size is known: by --extent, by what the host allocates, or by its
 * declaration.
 *
 * The thread that reaches furthest is looked at: an index grows with the symbols that its affine form adds, and shrinks
 * with those that it subtracts. It counts only where all is known, that thread passes every guard, and every loop
 * around runs: so nothing is said that need not be.
 */
#include "model/cases/cases.h"

#include <string.h>

static bool is_position(const struct symbol *symbol)
{
	return symbol->kind == SYMBOL_THREAD || symbol->kind == SYMBOL_BLOCK || symbol->kind == SYMBOL_ITERATOR;
}

static bool is_subtracted(const struct affine *affine, const struct symbol *symbol)
{
	for (unsigned t = 0; t < affine->term_count; t++)
		for (unsigned s = 0; s < affine->terms[t].symbol_count; s++)
			if (affine->terms[t].symbols[s] == symbol && affine->terms[t].coefficient < 0)
				return true;
	return false;
}

/* The values of all symbols where the index is largest. Iterators follow the symbols before them. */
static int64_t *furthest(struct arena *arena, const struct launch_case *launch, const struct affine *affine)
{
	const struct kernel *kernel = launch->kernel;
	int64_t *values = case_symbol_maxima(arena, launch), trips;
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		const struct symbol *symbol = kernel->symbols[i];
		if (!is_position(symbol))
			continue;
		if (is_subtracted(affine, symbol))
			values[i] = 0;
		else if (symbol->kind == SYMBOL_ITERATOR)
			values[i] = expr_evaluate(symbol->loop->trips, values, NULL, NULL, &trips) && trips > 0
			                    ? trips - 1
			                    : 0;
	}
	return values;
}

static bool symbols_are_known(const struct launch_case *launch, const struct expr *expr)
{
	const struct kernel *kernel = launch->kernel;
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		if (!is_position(kernel->symbols[i]) && expr_mentions(expr, kernel->symbols[i]) &&
		    !launch->symbol_known[i])
			return false;
	return true;
}

static bool holds(const struct launch_case *launch, const struct expr *condition, bool negated, const int64_t *values)
{
	int64_t value;
	return condition && symbols_are_known(launch, condition) &&
	       expr_evaluate(condition, values, NULL, NULL, &value) && (value != 0) == !negated;
}

/* Whether the thread comes to the access: every guard holds, every loop around it runs. */
static bool is_reached(const struct launch_case *launch, const struct access *access, const int64_t *values)
{
	bool reached = true;
	for (const struct guard *guard = access->guard; guard && reached; guard = guard->parent)
		reached = holds(launch, guard->condition, guard->negated, values);
	for (const struct loop *loop = access->loop; loop && reached; loop = loop->parent) {
		int64_t trips;
		reached = !loop->may_leave_early && symbols_are_known(launch, loop->trips) &&
		          expr_evaluate(loop->trips, values, NULL, NULL, &trips) && trips > 0;
	}
	return reached;
}

static bool is_assumed(const struct launch_case *launch)
{
	for (unsigned i = 0; i < launch->assumption_count; i++)
		if (launch->assumptions[i].kind <= ASSUMED_SCALAR)
			return true;
	return launch->assumed;
}

static bool is_said(const struct diagnostics *diagnostics, const struct place *place, const char *text)
{
	for (size_t i = 0; i < diagnostics->count; i++)
		if (diagnostics->list[i].place.line == place->line &&
		    diagnostics->list[i].place.column == place->column &&
		    strcmp(diagnostics->list[i].message, text) == 0)
			return true;
	return false;
}

static void beyond_note(struct arena *arena, const struct access *access, int64_t index, uint64_t size,
                        struct diagnostics *diagnostics)
{
	const char *text = arena_printf(
		arena,
		"the index of %s reaches %lld, behind its end: it has %llu elements; --extent %s= gives another size",
		access->array->name, (long long)index, (unsigned long long)size, access->array->name);
	if (!is_said(diagnostics, &access->place, text))
		diagnostics_report(diagnostics, SEVERITY_NOTE, access->place, "%s", text);
}

void case_beyond_note(struct arena *arena, const struct launch_case *launch, struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < launch->kernel->access_count && !is_assumed(launch); i++) {
		const struct access *access = launch->kernel->accesses[i];
		uint64_t size = case_elements_said(launch, access->array);
		int64_t index;
		if (size == 0 || access->affine.reason || access->in_condition ||
		    !symbols_are_known(launch, access->element))
			continue;
		const int64_t *values = furthest(arena, launch, &access->affine);
		if (expr_evaluate(access->element, values, NULL, NULL, &index) && index >= 0 &&
		    (uint64_t)index >= size && is_reached(launch, access, values))
			beyond_note(arena, access, index, size, diagnostics);
	}
}

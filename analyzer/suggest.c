/*
 * Suggestions: separate arrays of a kernel that are indexed by the same expressions could be the members of one record
 * (--group).
 */
#include "analyzer/analyzer.h"

#include <stdlib.h>

/* What is known about one pointer parameter's indices. */
struct index_set {
	const struct parameter *parameter;
	const struct access **accesses; /* one for each index, in the order of index_compare */
	unsigned count;
	bool is_known; /* all of them; and one at least differs between threads or iterations */
	bool is_taken; /* part of a suggestion */
};

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int term_compare(const struct affine_term *a, const struct affine_term *b)
{
	int order = COMPARE(a->coefficient, b->coefficient);

	order = order ? order : COMPARE(a->symbol_count, b->symbol_count);
	for (unsigned i = 0; !order && i < a->symbol_count; i++)
		order = COMPARE(a->symbols[i]->index, b->symbols[i]->index);
	return order;
}

static int affine_compare(const struct affine *a, const struct affine *b)
{
	int order = COMPARE(a->constant, b->constant);

	order = order ? order : COMPARE(a->term_count, b->term_count);
	for (unsigned i = 0; !order && i < a->term_count; i++)
		order = term_compare(&a->terms[i], &b->terms[i]);
	return order;
}

/*
 * 0: the same index. Normal forms where there are any; else expressions, of which equal ones are one object within a kernel. No order that
 * depends on addresses is ever shown.
 */
static int index_compare(const void *left, const void *right)
{
	const struct access *a = *(const struct access *const *)left, *b = *(const struct access *const *)right;
	int order = COMPARE(!a->affine.reason, !b->affine.reason);

	if (order || a->element == b->element)
		return order;
	return a->affine.reason ? COMPARE((uintptr_t)a->element, (uintptr_t)b->element) : affine_compare(&a->affine, &b->affine);
}

static bool same_set(const struct index_set *a, const struct index_set *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (index_compare(&a->accesses[i], &b->accesses[i]) != 0)
			return false;
	return true;
}

static void index_set_sort(struct index_set *set)
{
	unsigned distinct = 0;

	if (!set->count)
		return;
	qsort(set->accesses, set->count, sizeof(*set->accesses), index_compare);
	for (unsigned i = 1; i < set->count; i++)
		if (index_compare(&set->accesses[distinct], &set->accesses[i]) != 0)
			set->accesses[++distinct] = set->accesses[i];
	set->count = distinct + 1;
}

/* The distinct indices of a parameter's array. */
static struct index_set index_set_of(struct arena *arena, const struct kernel *kernel, const struct parameter *parameter)
{
	struct index_set set = {.parameter = parameter};
	bool known = true, varies = false;

	for (unsigned i = 0; i < kernel->access_count; i++) {
		const struct access *access = kernel->accesses[i];
		int64_t value;

		if (access->array != parameter->array)
			continue;
		known = known && !expr_find_unknown(access->element);
		varies = varies || !expr_is_constant(access->element, &value);
		ARENA_PUSH(arena, set.accesses, set.count, access);
	}
	index_set_sort(&set);
	set.is_known = known && varies;
	return set;
}

/* Adds the group that begins with the set at a position, where another set equals it. */
static void suggest_from(struct arena *arena, const struct kernel *kernel, struct index_set *sets, unsigned first, unsigned count,
                         struct group_suggestions *suggestions)
{
	struct group_suggestion suggestion = {.kernel = kernel};

	for (unsigned i = first; i < count; i++)
		if (sets[i].is_known && !sets[i].is_taken && same_set(&sets[first], &sets[i]))
			ARENA_PUSH(arena, suggestion.members, suggestion.member_count, sets[i].parameter);
	if (suggestion.member_count < 2)
		return;
	for (unsigned i = first; i < count; i++)
		sets[i].is_taken = sets[i].is_taken || same_set(&sets[first], &sets[i]);
	ARENA_PUSH(arena, suggestions->list, suggestions->count, suggestion);
}

static void suggest_in(struct arena *arena, const struct kernel *kernel, struct group_suggestions *suggestions)
{
	struct index_set *sets = arena_array(arena, kernel->parameter_count + 1, sizeof(*sets));
	unsigned count = 0;

	for (unsigned i = 0; i < kernel->parameter_count; i++) {
		const struct parameter *parameter = &kernel->parameters[i];

		if (parameter->array && !parameter->type.record && parameter->type.scalar != SCALAR_POINTER)
			sets[count++] = index_set_of(arena, kernel, parameter);
	}
	for (unsigned i = 0; i < count; i++)
		if (sets[i].is_known && !sets[i].is_taken)
			suggest_from(arena, kernel, sets, i, count, suggestions);
}

struct group_suggestions analysis_suggest_groups(struct arena *arena, const struct analysis *analysis)
{
	struct group_suggestions suggestions = {NULL, 0};

	for (unsigned i = 0; i < analysis->kernel_count; i++)
		suggest_in(arena, analysis->kernels[i], &suggestions);
	return suggestions;
}

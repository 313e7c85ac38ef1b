/*
 * Suggestions: separate arrays of a kernel that are indexed by the same expressions could be the members of one record
 * (--group).
 */
#include "analyzer/internal.h"

/* What is known about one pointer parameter's indices. */
struct index_set {
	const struct parameter *parameter;
	const struct access **accesses;
	unsigned count;
	bool is_known; /* all of them; and one at least differs between threads or iterations */
	bool is_taken; /* part of a suggestion */
};

static bool same_affine(const struct affine *a, const struct affine *b)
{
	if (a->reason || b->reason || a->constant != b->constant || a->term_count != b->term_count)
		return false;
	for (unsigned i = 0; i < a->term_count; i++) {
		if (a->terms[i].coefficient != b->terms[i].coefficient ||
		    a->terms[i].symbol_count != b->terms[i].symbol_count)
			return false;
		for (unsigned j = 0; j < a->terms[i].symbol_count; j++)
			if (a->terms[i].symbols[j] != b->terms[i].symbols[j])
				return false;
	}
	return true;
}

/* Equal expressions are one object within a kernel. */
static bool same_index(const struct access *a, const struct access *b)
{
	return a->element == b->element || same_affine(&a->affine, &b->affine);
}

static bool holds_index(const struct index_set *set, const struct access *access)
{
	for (unsigned i = 0; i < set->count; i++)
		if (same_index(set->accesses[i], access))
			return true;
	return false;
}

static bool contains(const struct index_set *outer, const struct index_set *inner)
{
	for (unsigned i = 0; i < inner->count; i++)
		if (!holds_index(outer, inner->accesses[i]))
			return false;
	return true;
}

static bool same_set(const struct index_set *a, const struct index_set *b)
{
	return contains(a, b) && contains(b, a);
}

/* The distinct indices of a parameter's array. */
static struct index_set index_set_of(struct arena *arena, const struct kernel *kernel,
                                     const struct parameter *parameter)
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
		if (!holds_index(&set, access))
			ARENA_PUSH(arena, set.accesses, set.count, access);
	}
	set.is_known = known && varies;
	return set;
}

/* Adds the group that begins with the set at a position, where another set equals it. */
static void suggest_from(struct arena *arena, const struct kernel *kernel, struct index_set *sets, unsigned first,
                         unsigned count, struct group_suggestions *suggestions)
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

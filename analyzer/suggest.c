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
	uint64_t elements; /* of the array, as the host allocates it; 0: not known */
	bool is_read, is_written;
	bool is_known; /* all of them; and one at least differs between threads or iterations */
	bool is_taken; /* part of a suggestion */
};

#define SUGGESTIONS_MOST 3 /* of a kernel */
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
	if (a->count != b->count || a->elements != b->elements)
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

/* The elements of what the first launch passes for a parameter; 0: not known. */
static uint64_t elements_passed(const struct kernel *kernel, const struct parameter *parameter)
{
	const struct host_value *value = kernel->launch_count ? &kernel->launches[0]->arguments[parameter->index] : NULL;
	uint64_t size = parameter->type.size_bytes;

	if (!value || size == 0)
		return 0;
	if (value->bytes == 0 && value->array && value->array->bytes.known && value->array->bytes.value > 0)
		return (uint64_t)value->array->bytes.value / size;
	return value->bytes / size;
}

/* The distinct indices of a parameter's array. */
static struct index_set index_set_of(struct arena *arena, const struct kernel *kernel, const struct parameter *parameter)
{
	struct index_set set = {.parameter = parameter, .elements = elements_passed(kernel, parameter)};
	bool known = true, varies = false;

	for (unsigned i = 0; i < kernel->access_count; i++) {
		const struct access *access = kernel->accesses[i];
		int64_t value;

		if (access->array != parameter->array)
			continue;
		known = known && !expr_find_unknown(access->element);
		varies = varies || !expr_is_constant(access->element, &value);
		set.is_read = set.is_read || access->kind != ACCESS_STORE;
		set.is_written = set.is_written || access->kind != ACCESS_LOAD;
		ARENA_PUSH(arena, set.accesses, set.count, access);
	}
	index_set_sort(&set);
	set.is_known = known && varies;
	return set;
}

/* ---- which of them belong together ---------------------------------------------------- */

enum role { ROLE_READ, ROLE_WRITTEN, ROLE_BOTH };

static enum role role_of(const struct index_set *set)
{
	return !set->is_written ? ROLE_READ : set->is_read ? ROLE_BOTH : ROLE_WRITTEN;
}

static void member_add(struct arena *arena, struct group_suggestion *suggestion, const struct index_set *set)
{
	struct group_member member = {set->parameter, set->is_read, set->is_written};

	ARENA_PUSH(arena, suggestion->members, suggestion->member_count, member);
}

/* Keeps what is a record: two arrays or more. */
static const char *role(const struct group_member *member)
{
	return !member->is_written ? "read" : member->is_read ? "read and written" : "written";
}

static void suggestion_add(struct arena *arena, struct group_suggestion *suggestion, struct group_suggestions *suggestions)
{
	suggestion->names = suggestion->roles = "";
	for (unsigned m = 0; m < suggestion->member_count; m++) {
		const char *name = suggestion->members[m].parameter->name, *comma = m ? "," : "";
		suggestion->names = arena_printf(arena, "%s%s%s", suggestion->names, comma, name);
		suggestion->roles = arena_printf(arena, "%s%s%s%s %s", suggestion->roles, comma, m ? " " : "", name,
		                                 role(&suggestion->members[m]));
	}
	if (suggestion->member_count >= 2)
		ARENA_PUSH(arena, suggestions->list, suggestions->count, *suggestion);
}

/*
 * As many arrays that are only read as arrays that are only written, of one type each: what a step goes from and to. They are no members of one record, which
 * would have to be swapped in itself.
 */
static bool goes_from_to(const struct index_set *sets, const unsigned *chosen, unsigned count)
{
	unsigned roles[3] = {0};
	bool one_type = true;

	for (unsigned i = 0; i < count; i++) {
		roles[role_of(&sets[chosen[i]])]++;
		one_type = one_type && sets[chosen[i]].parameter->type.spelling == sets[chosen[0]].parameter->type.spelling;
	}
	return one_type && roles[ROLE_BOTH] == 0 && roles[ROLE_READ] == roles[ROLE_WRITTEN];
}

/* Adds the group that begins with the set at a position, where another set equals it: as one record, or as one of what is read and one of what is written. */
static void suggest_from(struct arena *arena, const struct kernel *kernel, struct index_set *sets, unsigned first, unsigned count,
                         struct group_suggestions *suggestions)
{
	struct group_suggestion all = {.kernel = kernel}, parts[2] = {{.kernel = kernel}, {.kernel = kernel}};
	unsigned *chosen = NULL, chosen_count = 0;

	for (unsigned i = first; i < count; i++)
		if (sets[i].is_known && !sets[i].is_taken && same_set(&sets[first], &sets[i]))
			ARENA_PUSH(arena, chosen, chosen_count, i);
	for (unsigned i = 0; i < chosen_count; i++) {
		sets[chosen[i]].is_taken = true;
		member_add(arena, &all, &sets[chosen[i]]);
		member_add(arena, &parts[sets[chosen[i]].is_written], &sets[chosen[i]]);
	}
	if (!goes_from_to(sets, chosen, chosen_count)) {
		suggestion_add(arena, &all, suggestions);
		return;
	}
	for (unsigned p = 0; p < ARRAY_COUNT(parts); p++)
		suggestion_add(arena, &parts[p], suggestions);
}

/* Keeps the largest of those from a position on, in their order. */
static void suggestions_keep(struct group_suggestions *suggestions, unsigned from, unsigned most)
{
	while (suggestions->count - from > most) {
		unsigned least = from;

		for (unsigned i = from; i < suggestions->count; i++)
			if (suggestions->list[i].member_count <= suggestions->list[least].member_count)
				least = i;
		for (unsigned i = least; i + 1 < suggestions->count; i++)
			suggestions->list[i] = suggestions->list[i + 1];
		suggestions->count--;
	}
}

static void suggest_in(struct arena *arena, const struct kernel *kernel, struct group_suggestions *suggestions)
{
	struct index_set *sets = arena_array(arena, kernel->parameter_count + 1, sizeof(*sets));
	unsigned count = 0, before = suggestions->count;

	for (unsigned i = 0; i < kernel->parameter_count; i++) {
		const struct parameter *parameter = &kernel->parameters[i];

		if (parameter->array && !parameter->type.record && parameter->type.scalar != SCALAR_POINTER)
			sets[count++] = index_set_of(arena, kernel, parameter);
	}
	for (unsigned i = 0; i < count; i++)
		if (sets[i].is_known && !sets[i].is_taken)
			suggest_from(arena, kernel, sets, i, count, suggestions);
	suggestions_keep(suggestions, before, SUGGESTIONS_MOST);
}

struct group_suggestions analysis_suggest_groups(struct arena *arena, const struct analysis *analysis)
{
	struct group_suggestions suggestions = {NULL, 0};

	for (unsigned i = 0; i < analysis->kernel_count; i++)
		suggest_in(arena, analysis->kernels[i], &suggestions);
	return suggestions;
}

/*
 * Suggestions: separate arrays of a kernel that are indexed by the same expressions could be the members of one record
 * (--group).
 */
#include "analyzer/analyzer.h"

#include <limits.h>
#include <stdlib.h>

/* What is known about one pointer parameter's indices. */
struct index_set {
	const struct parameter *parameter;
	const struct access **accesses; /* one for each index, in the order of index_compare */
	unsigned count;
	uint64_t elements;                        /* of the array, as the host allocates it; 0: not known */
	const struct host_allocation *allocation; /* that the first launch passes; NULL: not known */
	unsigned partner; /* the set whose array takes its place in other launches, or lies in the same memory */
	bool is_read, is_written;
	bool is_known; /* all of them; and one at least differs between threads or iterations */
	bool is_taken; /* part of a suggestion */
};

#define NO_PARTNER UINT_MAX
#define MANY_PARTNERS (UINT_MAX - 1)
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
 * 0: the same index. Normal forms where there are any; else expressions, of which equal ones are one object within a
 * kernel. No order that depends on addresses is ever shown.
 */
static int index_compare(const void *left, const void *right)
{
	const struct access *a = *(const struct access *const *)left, *b = *(const struct access *const *)right;
	int order = COMPARE(!a->affine.reason, !b->affine.reason);

	if (order || a->element == b->element)
		return order;
	return a->affine.reason ? COMPARE((uintptr_t)a->element, (uintptr_t)b->element)
	                        : affine_compare(&a->affine, &b->affine);
}

/* Whether two arrays are there for the same launches: one that is made for each step is no member of a record that
 * stays. */
static bool same_life(const struct index_set *a, const struct index_set *b)
{
	if (!a->allocation || !b->allocation)
		return true;
	return a->allocation->times == b->allocation->times && a->allocation->released == b->allocation->released &&
	       (a->parameter->passed_count == 1) == (b->parameter->passed_count == 1);
}

static bool same_set(const struct index_set *a, const struct index_set *b)
{
	if (a->count != b->count || a->elements != b->elements || !same_life(a, b))
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
	const struct host_value *value =
		kernel->launch_count ? &kernel->launches[0]->arguments[parameter->index] : NULL;
	uint64_t size = parameter->type.size_bytes;

	if (!value || size == 0)
		return 0;
	if (value->bytes == 0 && value->array && value->array->bytes.known && value->array->bytes.value > 0)
		return (uint64_t)value->array->bytes.value / size;
	return value->bytes / size;
}

/* The distinct indices of a parameter's array. */
static struct index_set index_set_of(struct arena *arena, const struct kernel *kernel,
                                     const struct parameter *parameter)
{
	struct index_set set = {
		.parameter = parameter, .elements = elements_passed(kernel, parameter), .partner = NO_PARTNER};
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
	set.allocation = kernel->launch_count ? kernel->launches[0]->arguments[parameter->index].allocation : NULL;
	set.is_known = known && varies;
	return set;
}

/* ---- arrays that take each other's place ------------------------------------------------ */

static bool share_memory(const struct parameter *a, const struct parameter *b)
{
	for (unsigned i = 0; i < a->passed_count; i++)
		for (unsigned j = 0; j < b->passed_count; j++)
			if (a->passed[i] == b->passed[j])
				return true;
	return false;
}

/*
 * Buffers that are swapped between launches, or one array that is passed twice: what is known of the launches says so.
 * Neither is a member of a record with the other. Two that are swapped with each other alone are partners; any other
 * pointer of the kernel counts too.
 */
static void partners_find(const struct kernel *kernel, struct index_set *sets, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		for (unsigned p = 0; p < kernel->parameter_count; p++) {
			unsigned other = MANY_PARTNERS;

			if (&kernel->parameters[p] == sets[i].parameter ||
			    !share_memory(&kernel->parameters[p], sets[i].parameter))
				continue;
			for (unsigned j = 0; j < count; j++)
				if (sets[j].parameter == &kernel->parameters[p])
					other = j;
			sets[i].partner = sets[i].partner == NO_PARTNER ? other : MANY_PARTNERS;
		}
	}
}

/* Whether memory passed for a parameter is passed for either of two others that share some: by another kernel it is
 * swapped, or taken twice. */
static bool is_swapped_in(const struct kernel *kernel, const struct parameter *parameter)
{
	for (unsigned p = 0; p < kernel->parameter_count; p++)
		for (unsigned q = 0; q < kernel->parameter_count && share_memory(parameter, &kernel->parameters[p]);
		     q++)
			if (q != p && share_memory(&kernel->parameters[p], &kernel->parameters[q]))
				return true;
	return false;
}

/* What other kernels swap while this one does not is no member of a record here: the buffers that it is swapped with
 * would have to be records, too. */
static void swapped_elsewhere_find(const struct analysis *analysis, const struct kernel *kernel, struct index_set *sets,
                                   unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < analysis->kernel_count && sets[i].partner == NO_PARTNER; k++)
			if (analysis->kernels[k] != kernel && is_swapped_in(analysis->kernels[k], sets[i].parameter))
				sets[i].partner = MANY_PARTNERS;
}

/* Whether an array is swapped with one other, which is another one in the same launch. */
static bool has_partner(const struct index_set *sets, unsigned set)
{
	unsigned partner = sets[set].partner;

	return partner < MANY_PARTNERS && sets[partner].partner == set &&
	       sets[set].allocation != sets[partner].allocation && !sets[partner].is_taken;
}

/* Whether two sets may be members of one record as far as what they are swapped with goes: nothing, or the members of
 * one record that are alike themselves. */
static bool partners_agree(const struct index_set *sets, unsigned a, unsigned b)
{
	if (sets[a].partner == NO_PARTNER || sets[b].partner == NO_PARTNER)
		return sets[a].partner == sets[b].partner;
	return a != b && has_partner(sets, a) && has_partner(sets, b) && sets[a].partner != b &&
	       same_set(&sets[sets[a].partner], &sets[sets[b].partner]);
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

static const char *member_names(struct arena *arena, const struct group_member *members, unsigned count)
{
	const char *names = "";

	for (unsigned m = 0; m < count; m++)
		names = arena_printf(arena, "%s%s%s", names, m ? "," : "", members[m].parameter->name);
	return names;
}

static const char *member_roles(struct arena *arena, const struct group_member *members, unsigned count)
{
	const char *roles = "";

	for (unsigned m = 0; m < count; m++)
		roles = arena_printf(arena, "%s%s%s %s", roles, m ? ", " : "", members[m].parameter->name,
		                     role(&members[m]));
	return roles;
}

static void suggestion_add(struct arena *arena, struct group_suggestion *suggestion,
                           struct group_suggestions *suggestions)
{
	suggestion->groups[0] = member_names(arena, suggestion->members, suggestion->member_count);
	suggestion->option = arena_printf(arena, "--group %s", suggestion->groups[0]);
	suggestion->roles = member_roles(arena, suggestion->members, suggestion->member_count);
	if (suggestion->member_count >= 2)
		ARENA_PUSH(arena, suggestions->list, suggestions->count, *suggestion);
}

/* Adds a record and the one that it is swapped with. */
static void suggestion_add_pair(struct arena *arena, const struct index_set *sets, const unsigned *chosen,
                                unsigned count, const struct kernel *kernel, struct group_suggestions *suggestions)
{
	struct group_suggestion pair = {.kernel = kernel}, other = {.kernel = kernel}, *added;

	for (unsigned i = 0; i < count; i++) {
		member_add(arena, &pair, &sets[chosen[i]]);
		member_add(arena, &other, &sets[sets[chosen[i]].partner]);
	}
	suggestion_add(arena, &pair, suggestions);
	added = &suggestions->list[suggestions->count - 1];
	added->groups[1] = member_names(arena, other.members, other.member_count);
	added->option = arena_printf(arena, "%s --group %s", added->option, added->groups[1]);
	added->roles = arena_printf(arena, "%s; swapped with %s", added->roles,
	                            member_roles(arena, other.members, other.member_count));
}

/*
 * As many arrays that are only read as arrays that are only written, of one type each: what a step goes from and to.
 * They are no members of one record, which would have to be swapped in itself.
 */
static bool goes_from_to(const struct index_set *sets, const unsigned *chosen, unsigned count)
{
	unsigned roles[3] = {0};
	bool one_type = true;

	for (unsigned i = 0; i < count; i++) {
		roles[role_of(&sets[chosen[i]])]++;
		one_type = one_type &&
		           sets[chosen[i]].parameter->type.spelling == sets[chosen[0]].parameter->type.spelling;
	}
	return one_type && roles[ROLE_BOTH] == 0 && roles[ROLE_READ] == roles[ROLE_WRITTEN];
}

static bool is_among(const unsigned *list, unsigned count, unsigned number)
{
	for (unsigned i = 0; i < count; i++)
		if (list[i] == number)
			return true;
	return false;
}

/* The sets that could be one record with that at a position, which comes first, and are taken by it. */
static unsigned sets_choose(struct index_set *sets, unsigned first, unsigned count, unsigned *chosen)
{
	unsigned chosen_count = 0;

	chosen[chosen_count++] = first;
	for (unsigned i = first + 1; i < count; i++)
		if (sets[i].is_known && !sets[i].is_taken && same_set(&sets[first], &sets[i]) &&
		    partners_agree(sets, first, i) && !is_among(chosen, chosen_count, sets[i].partner))
			chosen[chosen_count++] = i;
	for (unsigned i = 0; i < chosen_count; i++)
		sets[chosen[i]].is_taken = true;
	return chosen_count;
}

/* Adds the group that begins with the set at a position, where another set equals it: as one record, or as one of what
 * is read and one of what is written. */
static void suggest_from(struct arena *arena, const struct kernel *kernel, struct index_set *sets, unsigned first,
                         unsigned count, struct group_suggestions *suggestions)
{
	struct group_suggestion all = {.kernel = kernel}, parts[2] = {{.kernel = kernel}, {.kernel = kernel}};
	unsigned *chosen = arena_array(arena, count, sizeof(*chosen)),
		 chosen_count = sets_choose(sets, first, count, chosen);

	if (sets[first].partner != NO_PARTNER) {
		for (unsigned i = 0; i < chosen_count && chosen_count >= 2; i++)
			sets[sets[chosen[i]].partner].is_taken = true;
		if (chosen_count >= 2)
			suggestion_add_pair(arena, sets, chosen, chosen_count, kernel, suggestions);
		return;
	}
	for (unsigned i = 0; i < chosen_count; i++) {
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

static void suggest_in(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel, unsigned most,
                       struct group_suggestions *suggestions)
{
	struct index_set *sets = arena_array(arena, kernel->parameter_count + 1, sizeof(*sets));
	unsigned count = 0, before = suggestions->count;

	for (unsigned i = 0; i < kernel->parameter_count; i++) {
		const struct parameter *parameter = &kernel->parameters[i];

		if (parameter->array && !parameter->type.record && parameter->type.scalar != SCALAR_POINTER)
			sets[count++] = index_set_of(arena, kernel, parameter);
	}
	partners_find(kernel, sets, count);
	swapped_elsewhere_find(analysis, kernel, sets, count);
	for (unsigned i = 0; i < count; i++)
		if (sets[i].is_known && !sets[i].is_taken && (sets[i].partner == NO_PARTNER || has_partner(sets, i)))
			suggest_from(arena, kernel, sets, i, count, suggestions);
	suggestions_keep(suggestions, before, most);
}

struct group_suggestions analysis_suggest_groups(struct arena *arena, const struct analysis *analysis, unsigned most)
{
	struct group_suggestions suggestions = {NULL, 0};

	for (unsigned i = 0; i < analysis->kernel_count; i++)
		suggest_in(arena, analysis, analysis->kernels[i], most, &suggestions);
	return suggestions;
}

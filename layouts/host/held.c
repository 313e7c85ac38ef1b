/*
 * Pointers that the host copies: into members of records that kernels take by value, and from one variable to another.
 * Where one pointer takes the place of one, or one struct of pointers, what copies it stays as it is written.
 */
#include "layouts/device/device.h"
#include "layouts/host/internal.h"

/* ---- which pointers are members -------------------------------------------------------------- */

static bool is_declared_in(const struct host_array *array, struct range range)
{
	for (unsigned r = 0; r < array->reference_count; r++)
		if (array->references[r].use == HOST_DECLARE && range_contains(range, array->references[r].name))
			return true;
	return false;
}

bool rehost_is_held(const struct rewriter *rewriter, const struct host_array *array)
{
	for (unsigned r = 0; r < array->reference_count; r++)
		if (array->references[r].use == HOST_DECLARE &&
		    device_held_is_declared(rewriter, array->references[r].name))
			return true;
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];
		const struct record *holder;
		const struct member *member;

		if (!binding->leaf || binding->group->form != FORM_STRUCT)
			continue;
		member = device_held_member(binding, &holder);
		if (member && is_declared_in(array, member->range))
			return true;
	}
	return false;
}

/* ---- copies -------------------------------------------------------------------------------------- */

static bool is_object_part(const struct edit_source *source, unsigned i)
{
	return edit_is(source, i, ".") || edit_is(source, i, "->");
}

/* The tokens of a mention with its object: "a.p". */
static void mention_tokens(const struct edit_source *source, struct range name, unsigned *first, unsigned *last)
{
	*last = edit_token_at(source, name.begin);
	for (*first = *last; *first > 1 && is_object_part(source, *first - 1); *first -= 2)
		;
}

static bool ends_value(const struct edit_source *source, unsigned i)
{
	return edit_is(source, i, ";") || edit_is(source, i, ",") || edit_is(source, i, ")") || edit_is(source, i, "}");
}

const struct host_array *rehost_copied(const struct rewriter *rewriter, const struct host_reference *reference)
{
	const struct edit_source *source = rewriter->source;
	unsigned first, last, other;

	if (range_is_empty(reference->name))
		return NULL;
	mention_tokens(source, reference->name, &first, &last);
	if (edit_is(source, last + 1, "=") || edit_is(source, last + 1, "(") || edit_is(source, last + 1, "{")) {
		for (other = last + 2; is_object_part(source, other + 1);)
			other += 2;
		if (!ends_value(source, other + 1))
			return NULL;
	} else if (first > 2 && ends_value(source, last + 1) &&
	           (edit_is(source, first - 1, "=") || edit_is(source, first - 1, "(") ||
	            edit_is(source, first - 1, "{"))) {
		other = first - 2;
	} else {
		return NULL;
	}
	return source->tokens[other].kind == TOKEN_IDENTIFIER ? rehost_array_at(rewriter, source->tokens[other].begin)
	                                                      : NULL;
}

static bool is_member(const struct rehost_plan *host, const struct host_array *array)
{
	for (unsigned m = 0; m < host->member_count; m++)
		if (host->members[m].array == array)
			return true;
	return false;
}

/* Whether a token names a record that holds pointers of the group. */
static bool names_holder(const struct rewriter *rewriter, const struct layout_group *group, unsigned i)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];
		const struct record *holder;

		if (!binding->leaf || binding->group != group || !device_held_member(binding, &holder))
			continue;
		if (edit_is(rewriter->source, i, holder->name))
			return true;
	}
	return false;
}

/* Whether a mention is one of the values that a record is made of which holds pointers of the group: `args a = {p,
 * n};`, `args(p, n)`. */
static bool is_listed(const struct rewriter *rewriter, const struct rehost_plan *host,
                      const struct host_reference *reference)
{
	const struct edit_source *source = rewriter->source;
	unsigned first, last, open;

	mention_tokens(source, reference->name, &first, &last);
	open = source->tokens[first].open;
	if (open == EDIT_NO_TOKEN || open < 2 || (!edit_is(source, first - 1, ",") && first - 1 != open) ||
	    (!edit_is(source, last + 1, ",") && last + 1 != source->tokens[open].match))
		return false;
	if (edit_is(source, open, "{") && (edit_is(source, open - 1, "return") || edit_is(source, open - 1, "(") ||
	                                   edit_is(source, open - 1, ",") || edit_is(source, open - 1, "{")))
		return true;
	open -= edit_is(source, open - 1, "=");
	return names_holder(rewriter, host->plan->group, open - 1) ||
	       names_holder(rewriter, host->plan->group, open - 2);
}

/* Whether a mention is one of two pointers of the group that are exchanged by `std::swap(a.from, a.to)`. */
static bool is_swapped(const struct rewriter *rewriter, const struct rehost_plan *host,
                       const struct host_reference *reference)
{
	const struct edit_source *source = rewriter->source;
	struct edit_call call;
	bool members = edit_call_around(source, reference->name, &call) && edit_range_is(source, call.name, "swap") &&
	               call.argument_count == 2;

	for (unsigned a = 0; members && a < 2; a++) {
		unsigned first, last = edit_token_at(source, call.arguments[a].end) - 1;
		struct range name = {source->tokens[last].begin, source->tokens[last].end};
		const struct host_array *array = rehost_array_at(rewriter, name.begin);

		mention_tokens(source, name, &first, &last);
		members = array && source->tokens[first].begin == call.arguments[a].begin && is_member(host, array);
	}
	return members;
}

/* Whether a mention without text is part of a record that is copied as a whole: it stands where the record is declared.
 */
static bool is_copied_whole(const struct rewriter *rewriter, const struct host_reference *reference)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];
		const struct record *holder;

		if (binding->leaf && device_held_member(binding, &holder) &&
		    holder->place.line == reference->place.line && holder->place.column == reference->place.column)
			return true;
	}
	return false;
}

bool rehost_stays(const struct rewriter *rewriter, const struct rehost_plan *host,
                  const struct host_reference *reference)
{
	const struct host_array *other;

	if (host->plan->group->form != FORM_STRUCT ||
	    (!rewriter_joins_pointers(host->plan) && host->plan->placement->buffer_count > 1))
		return false;
	if (range_is_empty(reference->name))
		return is_copied_whole(rewriter, reference);
	if (host->plan->is_held && is_swapped(rewriter, host, reference))
		return true;
	other = rehost_copied(rewriter, reference);
	return (other && is_member(host, other)) || is_listed(rewriter, host, reference);
}

/* ---- the pointers of a group ------------------------------------------------------------------ */

/* Adds a pointer of which such a record is made. */
static void listed_add(const struct rewriter *rewriter, struct rehost_plan *host, const struct host_array *array)
{
	for (unsigned r = 0; r < array->reference_count; r++)
		if (!range_is_empty(array->references[r].name) && is_listed(rewriter, host, &array->references[r])) {
			rehost_member_add(rewriter, host, array, 0, array->references[r].place);
			return;
		}
}

/* Adds the pointers that a kernel's launches have in the member. */
static void launches_add(const struct rewriter *rewriter, struct rehost_plan *host,
                         const struct layout_binding *binding)
{
	for (unsigned l = 0; l < binding->kernel->launch_count; l++) {
		const struct launch *launch = binding->kernel->launches[l];
		const struct host_value *leaves = launch->arguments[binding->parameter->index].leaves;
		const struct host_array *array =
			leaves ? leaves[binding->leaf - binding->parameter->type.record->leaves].array : NULL;

		if (array)
			rehost_member_add(rewriter, host, array, 0, launch->place);
	}
}

void rehost_held_collect(const struct rewriter *rewriter, struct rehost_plan *host)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];
		const struct record *holder;
		const struct member *member;

		if (!binding->leaf || binding->group != host->plan->group || host->plan->group->form != FORM_STRUCT)
			continue;
		member = device_held_member(binding, &holder);
		for (unsigned h = 0; member && h < rewriter->analysis->host_array_count; h++)
			if (is_declared_in(rewriter->analysis->host_arrays[h], member->range))
				rehost_member_add(rewriter, host, rewriter->analysis->host_arrays[h], 0, member->place);
		launches_add(rewriter, host, binding);
	}
	for (unsigned h = 0; host->plan->is_held && h < rewriter->analysis->host_array_count; h++)
		if (rewriter->analysis->host_arrays[h]->element.record == host->plan->group->record)
			listed_add(rewriter, host, rewriter->analysis->host_arrays[h]);
}

/*
 * Functions of the file that take device pointers, kernels and host functions. Of these a parameter belongs to a group
 * when a pointer of the group is passed for it, and all that is passed for it does too. Their parameters and arguments
 * change like those of kernels (edits.c).
 */
#include "layouts/host/internal.h"

#define LIST_LENGTH 64

bool rehost_refuse(const struct rewriter *rewriter, struct rehost_plan *host, struct place place, const char *name,
                   const char *reason)
{
	diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, place, "host side left as it is: %s: %s", name,
	                   reason);
	host->good = false;
	return false;
}

bool rehost_is_launch_argument(const struct rewriter *rewriter, const struct layout_group *group, struct range range)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned l = 0; plan->changed && l < plan->kernel->launch_count; l++)
			for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
				struct range argument = plan->kernel->launches[l]->arguments[p].range;

				if (plan->bindings[p] && plan->bindings[p]->group == group &&
				    argument.begin <= range.begin && range.end <= argument.end)
					return true;
			}
	}
	return false;
}

/* The only host function of that name with a body, or NULL. */
static const struct function *host_function(const struct rewriter *rewriter, struct range name)
{
	const struct function *found = NULL;

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];

		if (!edit_range_is(rewriter->source, name, function->name))
			continue;
		if (found || !function->is_host || function->is_member || function->is_kernel)
			return NULL;
		found = function;
	}
	return found;
}

bool rehost_is_mentioned_at(const struct host_array *array, unsigned offset)
{
	for (unsigned r = 0; r < array->reference_count; r++)
		if (array->references[r].name.begin == offset)
			return true;
	return false;
}

const struct host_array *rehost_array_at(const struct rewriter *rewriter, unsigned offset)
{
	for (unsigned h = 0; h < rewriter->analysis->host_array_count; h++)
		if (rehost_is_mentioned_at(rewriter->analysis->host_arrays[h], offset))
			return rewriter->analysis->host_arrays[h];
	return NULL;
}

bool rehost_parameter_of(const struct rewriter *rewriter, const struct host_array *array,
                         struct rehost_parameter *parameter)
{
	struct range ranges[LIST_LENGTH];

	for (unsigned r = 0; r < array->reference_count; r++)
		for (unsigned f = 0; array->references[r].use == HOST_DECLARE && f < rewriter->analysis->function_count;
		     f++) {
			struct edit_function tokens;
			unsigned count;

			if (!edit_function_read(rewriter->source, &rewriter->analysis->functions[f], &tokens))
				continue;
			count = edit_list_split(rewriter->source, tokens.open, ranges, LIST_LENGTH);
			for (unsigned k = 0; k < count; k++)
				if (ranges[k].begin <= array->references[r].name.begin &&
				    array->references[r].name.end <= ranges[k].end) {
					*parameter = (struct rehost_parameter){&rewriter->analysis->functions[f], k};
					return host_function(
						       rewriter,
						       (struct range){rewriter->source->tokens[tokens.name].begin,
					                              rewriter->source->tokens[tokens.name].end}) !=
					       NULL;
				}
		}
	return false;
}

/* The host array that is the function's parameter of that position, or NULL. */
static const struct host_array *parameter_array(const struct rewriter *rewriter, const struct rehost_parameter *wanted)
{
	for (unsigned h = 0; h < rewriter->analysis->host_array_count; h++) {
		struct rehost_parameter parameter;

		if (rehost_parameter_of(rewriter, rewriter->analysis->host_arrays[h], &parameter) &&
		    parameter.function == wanted->function && parameter.index == wanted->index)
			return rewriter->analysis->host_arrays[h];
	}
	return NULL;
}

const struct host_array *rehost_argument_target(const struct rewriter *rewriter, const struct host_array *array,
                                                const struct host_reference *reference)
{
	struct range ranges[LIST_LENGTH];
	struct rehost_parameter parameter;
	struct edit_call call;
	unsigned open, count;

	if (range_is_empty(reference->name) || !edit_call_around(rewriter->source, reference->name, &call))
		return NULL;
	parameter.function = host_function(rewriter, call.name);
	open = edit_token_at(rewriter->source, call.name.end);
	if (!parameter.function || !edit_is(rewriter->source, open, "("))
		return NULL;
	count = edit_list_split(rewriter->source, open, ranges, LIST_LENGTH);
	for (parameter.index = 0; parameter.index < count; parameter.index++)
		if (ranges[parameter.index].begin <= reference->name.begin &&
		    reference->name.end <= ranges[parameter.index].end)
			return edit_is_variable(rewriter->source, ranges[parameter.index], array->name, false)
			               ? parameter_array(rewriter, &parameter)
			               : NULL;
	return NULL;
}

bool rehost_is_call_of(const struct rewriter *rewriter, const struct function *function, unsigned i)
{
	struct edit_function tokens;

	return edit_is(rewriter->source, i, function->name) && edit_is(rewriter->source, i + 1, "(") &&
	       !edit_function_is_prototype(rewriter->source, rewriter->analysis, function, i) &&
	       edit_function_read(rewriter->source, function, &tokens) && i != tokens.name;
}

bool rehost_parameter_visit(const struct rewriter *rewriter, const struct rehost_parameter *parameter,
                            bool (*visit)(void *context, const struct host_array *array, struct range argument),
                            void *context)
{
	struct range ranges[LIST_LENGTH];
	bool good = true;

	for (unsigned i = 0; i + 1 < rewriter->source->token_count; i++) {
		const struct host_array *array = NULL;
		unsigned count;

		if (!rehost_is_call_of(rewriter, parameter->function, i))
			continue;
		count = edit_list_split(rewriter->source, i + 1, ranges, LIST_LENGTH);
		if (parameter->index < count) {
			unsigned last = edit_token_at(rewriter->source, ranges[parameter->index].end) - 1;

			array = rehost_array_at(rewriter, rewriter->source->tokens[last].begin);
		}
		if (array && !edit_is_variable(rewriter->source, ranges[parameter->index], array->name, false))
			array = NULL;
		good &= visit(context, array,
		              (struct range){rewriter->source->tokens[i].begin, rewriter->source->tokens[i].end});
	}
	return good;
}

/* ---- members of objects ------------------------------------------------------------------ */

/* Whether kernels and device code do not name the class, and all that has the member's name behind an object is the
 * member. */
static bool member_is_followed(const struct rewriter *rewriter, const struct host_array *array, unsigned first,
                               unsigned last)
{
	const struct edit_source *source = rewriter->source;

	for (unsigned i = 1; i < source->token_count; i++) {
		bool inside = i > first && i < last, behind = edit_is(source, i - 1, ".") ||
		                                              edit_is(source, i - 1, "->") ||
		                                              edit_is(source, i - 1, "::");

		if (source->tokens[i].kind == TOKEN_DIRECTIVE && edit_is_directive(source, i, "define") &&
		    edit_text_has_word(source->text + source->tokens[i].begin,
		                       source->tokens[i].end - source->tokens[i].begin, array->name))
			return false;
		if (edit_is(source, i, array->name) && (inside || behind) &&
		    !rehost_is_mentioned_at(array, source->tokens[i].begin))
			return false;
	}
	return true;
}

bool rehost_objects_check(const struct rewriter *rewriter, struct rehost_plan *host, const struct rehost_member *member)
{
	const struct host_reference *declared = NULL;
	unsigned first, last;
	bool has_objects = false;

	for (unsigned r = 0; r < member->array->reference_count; r++) {
		const struct host_reference *reference = &member->array->references[r];

		if (reference->use == HOST_DECLARE)
			declared = reference;
		else
			has_objects |= !range_is_empty(reference->name) &&
			               !range_is_empty(edit_object_before(rewriter->source, reference->name));
	}
	if (!has_objects || member->is_held)
		return true;
	if (host->plan->group->form == FORM_STRUCT && !host->plan->group->family && declared &&
	    edit_class_may_grow(rewriter->source, declared->name, &first, &last) &&
	    member_is_followed(rewriter, member->array, first, last))
		return true;
	return rehost_refuse(
		rewriter, host, member->array->place, member->array->name,
		"a member of objects that are given all their members at once, or used in ways that are not followed");
}

const struct rehost_member *rehost_member_mentioned(const struct rewriter *rewriter, const struct rehost_member *member,
                                                    struct range mention)
{
	struct range object = edit_object_before(rewriter->source, mention);
	unsigned count = member->plan->placement->buffer_count;
	const char **names = arena_array(rewriter->arena, count + 1, sizeof(*names));
	struct rehost_member *named = arena_alloc(rewriter->arena, sizeof(*named));

	if (range_is_empty(object))
		return member;
	*named = *member;
	for (unsigned b = 0; b < count; b++)
		names[b] = arena_printf(rewriter->arena, "%s%s", edit_copy(rewriter->arena, rewriter->source, object),
		                        member->names[b]);
	named->names = names;
	return named;
}

const struct host_array *rehost_argument_array(const struct rewriter *rewriter, const struct host_value *argument)
{
	unsigned last = edit_token_at(rewriter->source, argument->range.end);
	const struct host_array *array;

	if (argument->array || range_is_empty(argument->range) || last == 0)
		return argument->array;
	array = rehost_array_at(rewriter, rewriter->source->tokens[last - 1].begin);
	return array && last > 2 &&
	                       (edit_is(rewriter->source, last - 2, ".") ||
	                        edit_is(rewriter->source, last - 2, "->")) &&
	                       edit_is_variable(rewriter->source, argument->range, array->name, false)
	               ? array
	               : NULL;
}

const char *rehost_new_pointers(const struct rewriter *rewriter, const struct rehost_plan *host,
                                const struct host_array *array, struct range range)
{
	unsigned last = edit_token_at(rewriter->source, range.end);
	struct range name = {rewriter->source->tokens[last - 1].begin, rewriter->source->tokens[last - 1].end};
	struct range object = edit_object_before(rewriter->source, name);
	const char *text = NULL, *before = edit_copy(rewriter->arena, rewriter->source, object);

	if (rewriter_joins_pointers(host->plan))
		return arena_printf(rewriter->arena, "%s%s", before, array->name);
	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned b = 0; host->members[m].array == array && b < host->plan->placement->buffer_count; b++)
			text = arena_printf(rewriter->arena, "%s%s%s%s", text ? text : "", text ? ", " : "", before,
			                    host->members[m].names[b]);
	return text;
}

/* ---- instances of one function ------------------------------------------------------- */

/* Whether one text declares both arrays, in two instances of its function. */
static bool have_one_declaration(const struct host_array *a, const struct host_array *b)
{
	return strcmp(a->name, b->name) == 0 && a->place.line == b->place.line && a->place.column == b->place.column &&
	       a->place.file && b->place.file && strcmp(a->place.file, b->place.file) == 0;
}

bool rehost_is_declared_with_others(const struct rewriter *rewriter, const struct host_array *array)
{
	for (unsigned h = 0; h < rewriter->analysis->host_array_count; h++) {
		const struct host_array *other = rewriter->analysis->host_arrays[h];

		if (other->element.record != array->element.record && have_one_declaration(other, array))
			return true;
	}
	return false;
}

const struct host_array *rehost_instance_of(const struct rewriter *rewriter, const struct rehost_plan *host,
                                            const struct host_array *array)
{
	if (!host->plan->group->family || array->element.record == host->plan->group->record)
		return array;
	for (unsigned h = 0; h < rewriter->analysis->host_array_count; h++) {
		const struct host_array *other = rewriter->analysis->host_arrays[h];

		if (other->element.record == host->plan->group->record && have_one_declaration(other, array))
			return other;
	}
	return array;
}

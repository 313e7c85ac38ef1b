/*
 * Host functions of the file that take device pointers: a parameter belongs to a group when a pointer of the group is
 * passed for it, and all that is passed for it does too. Parameters and arguments change like those of kernels.
 */
#include "layouts/internal.h"

#define LIST_LENGTH 64

/* ---- which functions ---------------------------------------------------------------------- */

/* The only host function of that name with a body, or NULL. */
static const struct function *host_function(const struct rewriter *rewriter, struct range name)
{
	const struct function *found = NULL;

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];

		if (!source_range_is(rewriter->source, name, function->name))
			continue;
		if (found || !function->is_host || function->is_member || function->is_kernel)
			return NULL;
		found = function;
	}
	return found;
}

const struct host_array *host_array_at(const struct rewriter *rewriter, unsigned offset)
{
	for (unsigned h = 0; h < rewriter->analysis->host_array_count; h++) {
		const struct host_array *array = rewriter->analysis->host_arrays[h];

		for (unsigned r = 0; r < array->reference_count; r++)
			if (array->references[r].name.begin == offset)
				return array;
	}
	return NULL;
}

bool host_parameter_of(const struct rewriter *rewriter, const struct host_array *array, struct host_parameter *parameter)
{
	struct range ranges[LIST_LENGTH];

	for (unsigned r = 0; r < array->reference_count; r++)
		for (unsigned f = 0; array->references[r].use == HOST_DECLARE && f < rewriter->analysis->function_count; f++) {
			struct function_tokens tokens;
			unsigned count;

			if (!function_read(rewriter->source, &rewriter->analysis->functions[f], &tokens))
				continue;
			count = list_split(rewriter->source, tokens.open, ranges, LIST_LENGTH);
			for (unsigned k = 0; k < count; k++)
				if (ranges[k].begin <= array->references[r].name.begin &&
				    array->references[r].name.end <= ranges[k].end) {
					*parameter = (struct host_parameter){&rewriter->analysis->functions[f], k};
					return host_function(rewriter, (struct range){rewriter->source->tokens[tokens.name].begin,
					                                              rewriter->source->tokens[tokens.name].end}) !=
					       NULL;
				}
		}
	return false;
}

/* The host array that is the function's parameter of that position, or NULL. */
static const struct host_array *parameter_array(const struct rewriter *rewriter, const struct host_parameter *wanted)
{
	for (unsigned h = 0; h < rewriter->analysis->host_array_count; h++) {
		struct host_parameter parameter;

		if (host_parameter_of(rewriter, rewriter->analysis->host_arrays[h], &parameter) &&
		    parameter.function == wanted->function && parameter.index == wanted->index)
			return rewriter->analysis->host_arrays[h];
	}
	return NULL;
}

const struct host_array *host_argument_target(const struct rewriter *rewriter, const struct host_array *array,
                                              const struct host_reference *reference)
{
	struct range ranges[LIST_LENGTH];
	struct host_parameter parameter;
	struct host_call call;
	unsigned open, count;

	if (range_is_empty(reference->name) || !call_around(rewriter->source, reference->name, &call))
		return NULL;
	parameter.function = host_function(rewriter, call.name);
	open = source_token_at(rewriter->source, call.name.end);
	if (!parameter.function || !source_is(rewriter->source, open, "("))
		return NULL;
	count = list_split(rewriter->source, open, ranges, LIST_LENGTH);
	for (parameter.index = 0; parameter.index < count; parameter.index++)
		if (ranges[parameter.index].begin <= reference->name.begin && reference->name.end <= ranges[parameter.index].end)
			return expression_is_variable(rewriter->source, ranges[parameter.index], array->name, false)
			               ? parameter_array(rewriter, &parameter)
			               : NULL;
	return NULL;
}

/* Whether token i names the function in a call. */
static bool is_call_of(const struct rewriter *rewriter, const struct function *function, unsigned i)
{
	struct function_tokens tokens;

	return source_is(rewriter->source, i, function->name) && source_is(rewriter->source, i + 1, "(") &&
	       !function_is_prototype(rewriter, function, i) && function_read(rewriter->source, function, &tokens) &&
	       i != tokens.name;
}

bool host_parameter_visit(const struct rewriter *rewriter, const struct host_parameter *parameter,
                          bool (*visit)(void *context, const struct host_array *array, struct range argument), void *context)
{
	struct range ranges[LIST_LENGTH];
	bool good = true;

	for (unsigned i = 0; i + 1 < rewriter->source->token_count; i++) {
		const struct host_array *array = NULL;
		unsigned count;

		if (!is_call_of(rewriter, parameter->function, i))
			continue;
		count = list_split(rewriter->source, i + 1, ranges, LIST_LENGTH);
		if (parameter->index < count) {
			unsigned last = source_token_at(rewriter->source, ranges[parameter->index].end) - 1;

			array = host_array_at(rewriter, rewriter->source->tokens[last].begin);
		}
		if (array && !expression_is_variable(rewriter->source, ranges[parameter->index], array->name, false))
			array = NULL;
		good &= visit(context, array, (struct range){rewriter->source->tokens[i].begin, rewriter->source->tokens[i].end});
	}
	return good;
}

/* ---- their edits ----------------------------------------------------------------------------- */

static const struct host_member *parameter_member(const struct host_plan *host, const struct function *function, unsigned index)
{
	for (unsigned m = 0; m < host->member_count; m++)
		if (host->members[m].parameter.function == function && host->members[m].parameter.index == index)
			return &host->members[m];
	return NULL;
}

/* Whether the pointee is const in a parameter's text. */
static bool is_const(const struct source *source, struct range range)
{
	for (unsigned i = source_token_at(source, range.begin); i < source->token_count && source->tokens[i].begin < range.end;
	     i++) {
		if (source_is(source, i, "const"))
			return true;
		if (source_is(source, i, "*"))
			return false;
	}
	return false;
}

/* Writes the parameters that take the place of one. */
static const char *parameter_text(const struct rewriter *rewriter, const struct host_plan *host, const struct host_member *member,
                                  bool constant)
{
	const struct placement *placement = host->plan->placement;
	struct text out = {0};
	const char *copy;

	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct pointer_spelling spelling = {constant ? "const " : "", "", member->names[b]};

		text_puts(&out, b > 0 ? ", " : "");
		placement->layout->pointer(&out, placement, b, host->plan->type_name, &spelling);
	}
	copy = arena_strdup(rewriter->arena, out.data);
	text_release(&out);
	return copy;
}

/* Replaces the list that opens at a token: parameters by their declarations, arguments by the new pointers. */
static void list_edit(struct rewriter *rewriter, const struct host_plan *host, const struct function *function, unsigned open,
                      bool declares)
{
	struct range ranges[LIST_LENGTH];
	unsigned count = list_split(rewriter->source, open, ranges, LIST_LENGTH);
	bool merged = host->plan->group->form == FORM_ARRAYS, first = true, constant = true;

	for (unsigned k = 0; k < count; k++)
		if (parameter_member(host, function, k))
			constant &= is_const(rewriter->source, ranges[k]);
	for (unsigned k = 0; k < count; k++) {
		const struct host_member *member = parameter_member(host, function, k);
		const char *text;

		if (!member)
			continue;
		if (merged && !first) {
			edits_add(&rewriter->edits, (struct range){ranges[k - 1].end, ranges[k].end}, "");
			continue;
		}
		first = false;
		if (declares)
			text = parameter_text(rewriter, host, member, merged ? constant : is_const(rewriter->source, ranges[k]));
		else
			text = new_pointers(
				rewriter, host,
				host_array_at(
					rewriter,
					rewriter->source->tokens[source_token_at(rewriter->source, ranges[k].end) - 1].begin));
		edits_add(&rewriter->edits, ranges[k], text);
	}
}

void host_functions_edit(struct rewriter *rewriter, const struct host_plan *host)
{
	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];
		struct function_tokens tokens;
		bool has_members = false;

		for (unsigned m = 0; m < host->member_count; m++)
			has_members |= host->members[m].parameter.function == function;
		if (!has_members || !function_read(rewriter->source, function, &tokens))
			continue;
		for (unsigned i = 0; i + 1 < rewriter->source->token_count; i++)
			if (i == tokens.name || function_is_prototype(rewriter, function, i))
				list_edit(rewriter, host, function, i + 1, true);
			else if (is_call_of(rewriter, function, i))
				list_edit(rewriter, host, function, i + 1, false);
	}
}

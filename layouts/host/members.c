/*
 * Whose pointers are they: the device pointers of the host that belong to a group.
 */
#include "layouts/host/internal.h"

static const struct rehost_member *member_of(const struct rehost_plan *host, const struct host_array *array)
{
	for (unsigned m = 0; m < host->member_count; m++)
		if (host->members[m].array == array)
			return &host->members[m];
	return NULL;
}

const struct rehost_member *rehost_expression_member(const struct rewriter *rewriter, const struct rehost_plan *host,
                                                     struct range expression)
{
	unsigned last = edit_token_at(rewriter->source, expression.end);

	for (unsigned m = 0; last > 0 && m < host->member_count; m++) {
		const struct host_array *array = host->members[m].array;

		if (rehost_is_mentioned_at(array, rewriter->source->tokens[last - 1].begin) &&
		    edit_is_variable(rewriter->source, expression, array->name, false))
			return &host->members[m];
	}
	return NULL;
}

/* A name that neither the file nor a pointer of a member of another name has. */
static const char *member_name(const struct rewriter *rewriter, const struct rehost_plan *host,
                               const struct host_array *array, const char *base)
{
	const char *name = rewriter_name(rewriter, base);

	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned b = 0; b < host->plan->placement->buffer_count; b++)
			if (strcmp(host->members[m].array->name, array->name) != 0 &&
			    strcmp(host->members[m].names[b], name) == 0)
				return member_name(rewriter, host, array, arena_printf(rewriter->arena, "%s_", name));
	return name;
}

/*
 * Names of the pointers that take the place of a host array's: its own where there is one buffer, else with the
 * fields' names after it.
 */
static const char *const *member_names(const struct rewriter *rewriter, const struct rehost_plan *host,
                                       const struct host_array *array)
{
	unsigned count = host->plan->placement->buffer_count;
	const char **names = arena_array(rewriter->arena, count, sizeof(*names));

	names[0] = host->plan->group->form == FORM_ARRAYS ? host->plan->merged_name : array->name;
	for (unsigned b = 0; rewriter_joins_pointers(host->plan) && b < count; b++)
		names[b] = arena_printf(rewriter->arena, "%s.%s", array->name,
		                        rewriter_buffer_member(rewriter->arena, host->plan->placement, b));
	for (unsigned b = 0; !rewriter_joins_pointers(host->plan) && count > 1 && b < count; b++)
		names[b] = member_name(
			rewriter, host, array,
			arena_printf(rewriter->arena, "%s_%s", array->name, host->plan->placement->buffers[b].name));
	return names;
}

/* The specifiers of the variable or parameter that an array is. */
static struct range specifiers_of(const struct rewriter *rewriter, const struct rehost_member *member)
{
	const struct edit_source *source = rewriter->source;
	struct range specifiers = {0, 0};

	for (unsigned r = 0; r < member->array->reference_count; r++) {
		struct range name = member->array->references[r].name;
		struct edit_declaration declaration;
		unsigned i = edit_token_at(source, name.begin);

		if (member->array->references[r].use != HOST_DECLARE)
			continue;
		if (!member->parameter.function && edit_declaration_read(source, name, &declaration))
			return declaration.specifiers;
		for (unsigned depth = 0; member->parameter.function && i > 0 &&
		                         (depth > 0 || !edit_is(source, i - 1, ",")) && !edit_is(source, i - 1, "(");) {
			i--;
			depth += edit_is(source, i, ">");
			depth -= edit_is(source, i, "<");
			if (edit_is(source, i, "*"))
				specifiers.end = source->tokens[i - 1].end;
			specifiers.begin = source->tokens[i].begin;
		}
	}
	return specifiers;
}

/* The element's type as the array's declaration spells it, without static and const; notes whether it is const. */
static const char *spelled_type(const struct rewriter *rewriter, struct rehost_member *member)
{
	struct range specifiers = specifiers_of(rewriter, member);
	unsigned first = edit_token_at(rewriter->source, specifiers.begin);

	if (range_is_empty(specifiers))
		return member->array->element.spelling ? member->array->element.spelling : "void";
	for (; edit_is(rewriter->source, first, "static") || edit_is(rewriter->source, first, "const"); first++)
		member->is_const |= edit_is(rewriter->source, first, "const");
	specifiers.begin = rewriter->source->tokens[first].begin;
	return edit_single_line(rewriter->arena, edit_copy(rewriter->arena, rewriter->source, specifiers));
}

/* Whether an array belongs to another group of the family, and to none of this group's. */
static bool is_of_other_instance(const struct rewriter *rewriter, const struct rehost_plan *host,
                                 const struct host_array *array)
{
	const struct record *record = rehost_instance_of(rewriter, host, array)->element.record;

	for (unsigned g = 0;
	     host->plan->group->family && record != host->plan->group->record && g < rewriter->groups->count; g++)
		if (rewriter->groups->list[g]->family == host->plan->group->family &&
		    rewriter->groups->list[g]->record == record)
			return true;
	return false;
}

/* Whether the group is of a family, and another one of it comes before it. */
static bool is_later_of_family(const struct rewriter *rewriter, const struct group_plan *plan)
{
	for (const struct group_plan *other = rewriter->group_plans; other < plan; other++)
		if (other->group->family == plan->group->family && other->used && other->change == CHANGE_BUFFERS)
			return true;
	return false;
}

/* Gives the types of a member the spelling of its declaration; false where that tells nothing of them. */
static bool member_spell(const struct rewriter *rewriter, const struct rehost_plan *host, struct rehost_member *member)
{
	struct group_plan *spelled = arena_alloc(rewriter->arena, sizeof(*spelled));

	if (!host->plan->group->family)
		return false;
	*spelled = *host->plan;
	spelled->placement = group_family_placement(rewriter->arena, host->plan->placement, member->spelled);
	if (!spelled->placement)
		return false;
	spelled->group = spelled->placement->group;
	if (spelled->type_name)
		spelled->type_name = group_family_type(rewriter->arena, spelled->type_name, member->spelled);
	if (spelled->const_type_name)
		spelled->const_type_name =
			group_family_type(rewriter->arena, spelled->const_type_name, member->spelled);
	member->plan = spelled;
	member->type = member->written = member->spelled;
	member->is_repeated = is_later_of_family(rewriter, host->plan);
	return true;
}

void rehost_member_add(const struct rewriter *rewriter, struct rehost_plan *host, const struct host_array *named,
                       unsigned field, struct place place)
{
	const struct host_array *array = rehost_instance_of(rewriter, host, named);
	const struct rehost_member *member = member_of(host, array);
	struct rehost_member added = {.array = array, .field = field};

	if (member && member->field != field)
		rehost_refuse(rewriter, host, place, array->name, "passed as two members of one record");
	if (member)
		return;
	if (!rehost_parameter_of(rewriter, array, &added.parameter))
		added.parameter.function = NULL;
	for (unsigned m = 0; m < host->member_count && !added.parameter.function; m++)
		if (host->plan->group->form == FORM_ARRAYS && host->members[m].field == field &&
		    !host->members[m].parameter.function)
			rehost_refuse(rewriter, host, place, array->name,
			              "a second array is passed for one member of the records");
	added.names = member_names(rewriter, host, array);
	added.type = host->plan->group->record
	                     ? edit_spelling(rewriter->arena, host->plan->group->record->type.spelling)
	                     : host->plan->group->fields[field].type;
	added.written =
		host->plan->group->record ? rewriter_record_name(rewriter, host->plan->group->record) : added.type;
	added.spelled = spelled_type(rewriter, &added);
	added.plan = host->plan;
	added.is_held = rehost_is_held(rewriter, array);
	host->has_const |= added.is_const && host->plan->is_held;
	if (rehost_is_declared_with_others(rewriter, array) && !member_spell(rewriter, host, &added))
		rehost_refuse(rewriter, host, array->place, array->name,
		              "its function has instances for records of several types");
	ARENA_PUSH(rewriter->arena, host->members, host->member_count, added);
}

/* Adds the pointers of which a value is one. */
static void selected_add(const struct rewriter *rewriter, struct rehost_plan *host,
                         const struct rehost_selection *selection, unsigned field, struct place place)
{
	for (unsigned o = 0; o < selection->count; o++)
		rehost_member_add(rewriter, host, selection->arrays[o], field, place);
}

/* Adds the pointer that a launch passes for a parameter of the group. */
static void launch_argument_add(const struct rewriter *rewriter, struct rehost_plan *host, const struct launch *launch,
                                const struct layout_binding *binding)
{
	const struct host_value *argument = &launch->arguments[binding->parameter->index];
	const struct host_array *array = rehost_argument_array(rewriter, argument);
	struct rehost_selection selection;

	if (!array && rehost_selection_read(rewriter, host, argument->range, &selection)) {
		selected_add(rewriter, host, &selection, binding->field, launch->place);
		return;
	}
	if (!array && rehost_holder_add(rewriter, host, argument->range))
		return;
	if (!array || argument->range.end == 0 ||
	    !edit_is_variable(rewriter->source, argument->range, array->name, false))
		rehost_refuse(rewriter, host, launch->place, binding->parameter->name,
		              "it is given something else than a device pointer variable");
	else
		rehost_member_add(rewriter, host, array, binding->field, launch->place);
}

/* The search for all that is passed for one parameter. */
struct parameter_visit {
	const struct rewriter *rewriter;
	struct rehost_plan *host;
	unsigned member;
};

static bool parameter_argument_add(void *context, const struct host_array *array, struct range argument)
{
	struct parameter_visit *visit = context;
	const struct rehost_member *member = &visit->host->members[visit->member];
	struct place place = analysis_place(visit->rewriter->analysis, argument.begin);

	if (array && is_of_other_instance(visit->rewriter, visit->host, array))
		return true;
	if (!array)
		return rehost_refuse(visit->rewriter, visit->host, place, member->array->name,
		                     "it is given something else than a device pointer variable");
	rehost_member_add(visit->rewriter, visit->host, array, member->field, place);
	return true;
}

/*
 * Adds the parameters of host functions for which pointers of the group are passed, what else is passed for them, and
 * what members are declared with.
 */
static void functions_collect(const struct rewriter *rewriter, struct rehost_plan *host)
{
	for (unsigned m = 0; m < host->member_count; m++) {
		const struct host_array *array = host->members[m].array;
		struct parameter_visit visit = {rewriter, host, m};
		struct rehost_parameter parameter = host->members[m].parameter;
		struct rehost_selection selection;

		if (!parameter.function && rehost_selection_declared(rewriter, host, array, &selection))
			selected_add(rewriter, host, &selection, host->members[m].field, array->place);
		for (unsigned r = 0; r < array->reference_count; r++) {
			const struct host_array *target =
				array->references[r].use == HOST_OTHER
					? rehost_argument_target(rewriter, array, &array->references[r])
					: NULL;

			if (!target && array->references[r].use == HOST_OTHER &&
			    host->plan->group->form == FORM_STRUCT && !host->plan->group->family)
				target = rehost_assigned(rewriter, &array->references[r]);
			if (!target && array->references[r].use == HOST_OTHER && host->plan->is_held)
				target = rehost_copied(rewriter, &array->references[r]);
			if (target)
				rehost_member_add(rewriter, host, target, host->members[m].field,
				                  array->references[r].place);
		}
		if (parameter.function)
			rehost_parameter_visit(rewriter, &parameter, parameter_argument_add, &visit);
	}
}

/* Whether token i, a kernel's name, is launched, declared, or only asked about: `cudaFuncSetAttribute(k, ...)`. */
static bool kernel_mention_is_followed(const struct edit_source *source, const struct kernel_plan *plan, unsigned i)
{
	static const char *const questions[] = {"cudaFunc", "cudaOccupancy", "sizeof", "printf", "fprintf"};
	struct range name = {source->tokens[i].begin, source->tokens[i].end};
	struct edit_call call;

	if (range_contains(plan->kernel->definition, name) || edit_is(source, i + 1, "(") ||
	    edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->"))
		return true;
	for (unsigned l = 0; l < plan->kernel->launch_count; l++)
		if (range_contains(plan->kernel->launches[l]->range, name))
			return true;
	for (unsigned q = 0; edit_call_around(source, name, &call) && q < ARRAY_COUNT(questions); q++)
		if (strncmp(source->text + call.name.begin, questions[q], strlen(questions[q])) == 0)
			return true;
	return edit_is(source, i + 1, "<") || edit_is(source, i + 1, "<<");
}

/* Whether a variable in a function has the name too: its mentions are not the kernel's. */
static bool is_variable_too(const struct edit_source *source, const char *name)
{
	for (unsigned i = 1; i < source->token_count; i++)
		if (edit_is(source, i, name) && !edit_is(source, i + 1, "(") && !edit_is(source, i - 1, "return") &&
		    !edit_is(source, i + 1, "<") &&
		    (source->tokens[i - 1].kind == TOKEN_IDENTIFIER || edit_is(source, i - 1, "*")))
			return true;
	return false;
}

/* Refuses kernels whose name is a value: what holds it has the type of their old parameters. */
static void kernel_mentions_check(const struct rewriter *rewriter, struct rehost_plan *host,
                                  const struct kernel_plan *plan)
{
	const char *name = layout_kernel_name(rewriter->arena, plan->kernel);

	if (is_variable_too(rewriter->source, name))
		return;
	for (unsigned i = 1; i < rewriter->source->token_count; i++)
		if (edit_is(rewriter->source, i, name) && rewriter->source->tokens[i].brace != EDIT_NO_TOKEN &&
		    !kernel_mention_is_followed(rewriter->source, plan, i))
			rehost_refuse(rewriter, host,
			              analysis_place(rewriter->analysis, rewriter->source->tokens[i].begin),
			              plan->kernel->name, "the kernel is more than launched here");
}

/* Whether a parameter of a changed kernel belongs to the group. */
static bool kernel_has_group(const struct kernel_plan *plan, const struct layout_group *group)
{
	for (unsigned p = 0; plan->changed && p < plan->kernel->parameter_count; p++)
		if (plan->bindings[p] && plan->bindings[p]->group == group)
			return true;
	return false;
}

void rehost_members_collect(const struct rewriter *rewriter, struct rehost_plan *host)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];

		if (kernel_has_group(plan, host->plan->group))
			kernel_mentions_check(rewriter, host, plan);
		for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
			if (!plan->bindings[p] || plan->bindings[p]->group != host->plan->group)
				continue;
			if (!plan->changed)
				rehost_refuse(rewriter, host, plan->kernel->place, plan->kernel->parameters[p].name,
				              "it belongs to a kernel that keeps its layout");
			if (plan->kernel->launch_count == 0)
				diagnostics_report(
					rewriter->diagnostics, SEVERITY_NOTE, plan->kernel->place,
					"kernel %s is not launched in this file: change its callers, which have to "
					"pass what it takes",
					plan->kernel->name);
			for (unsigned l = 0; l < plan->kernel->launch_count; l++)
				launch_argument_add(rewriter, host, plan->kernel->launches[l], plan->bindings[p]);
		}
	}
	rehost_held_collect(rewriter, host);
	functions_collect(rewriter, host);
}

struct rehost_element rehost_member_element(const struct rehost_member *member)
{
	return (struct rehost_element){member->type, member->spelled, member->array->name, member->written};
}

/* ---- elements ------------------------------------------------------------------------------------- */

/* Whether the index may stand twice, or before what it stood behind. */
static bool index_is_plain(const struct edit_source *source, struct range index)
{
	static const char *const effects[] = {"++", "--", "=", "+=", "-=", "("};

	for (unsigned i = edit_token_at(source, index.begin);
	     i < source->token_count && source->tokens[i].begin < index.end; i++)
		for (unsigned e = 0; e < ARRAY_COUNT(effects); e++)
			if (edit_is(source, i, effects[e]))
				return false;
	return true;
}

/* The field whose path the tokens from i on spell, ALL_FIELDS where they spell none; end: behind it. */
static unsigned field_at(const struct rewriter *rewriter, const struct layout_group *group, unsigned i, unsigned *end)
{
	for (unsigned f = 0; f < group->field_count; f++) {
		struct edit_match match;

		if (!edit_match_at(rewriter->source, i, group->fields[f].path, &match) || group->fields[f].count > 1)
			continue;
		*end = match.end;
		return f;
	}
	return ALL_FIELDS;
}

/* Reads `= value;` behind a whole element that a statement begins with. */
static bool element_is_set(const struct edit_source *source, unsigned begin, unsigned next,
                           struct rehost_element_use *use)
{
	unsigned end = next + 1;

	if (!edit_is(source, next, "=") || (!edit_is(source, begin - 1, ";") && !edit_is(source, begin - 1, "{") &&
	                                    !edit_is(source, begin - 1, "}") && !edit_is(source, begin - 1, ")")))
		return false;
	for (; end < source->token_count && !edit_is(source, end, ";"); end++)
		if (source->tokens[end].match > end)
			end = source->tokens[end].match;
	if (end >= source->token_count || end == next + 1)
		return false;
	use->value = (struct range){source->tokens[next + 1].begin, source->tokens[end - 1].end};
	use->whole = (struct range){source->tokens[begin].begin, source->tokens[end].end};
	return true;
}

/* Whether the address of what begins at token i is taken: what lies behind it may be meant. */
static bool address_is_taken(const struct edit_source *source, unsigned i)
{
	while (i > 1 && edit_is(source, i - 1, "("))
		i--;
	return edit_is(source, i - 1, "&");
}

bool rehost_element_read(const struct rewriter *rewriter, const struct rehost_plan *host,
                         const struct rehost_member *member, const struct host_reference *reference,
                         struct rehost_element_use *use)
{
	const struct edit_source *source = rewriter->source;
	const struct layout_group *group = host->plan->group;
	unsigned begin = edit_token_at(source, reference->name.begin), next = begin + 1, end;

	*use = (struct rehost_element_use){.field = member->field};
	if (range_is_empty(reference->name) || group->written_tile > 0 || begin == 0 || address_is_taken(source, begin))
		return false;
	if (edit_is(source, next, "[")) {
		next = source->tokens[next].match;
		use->index = (struct range){source->tokens[begin + 2].begin, source->tokens[next - 1].end};
		next++;
	} else if (!edit_is(source, next, "->")) {
		return false;
	}
	if (!index_is_plain(source, use->index))
		return false;
	use->whole = (struct range){source->tokens[begin].begin, source->tokens[next - 1].end};
	if (group->form == FORM_ARRAYS)
		return !range_is_empty(use->index);
	if (edit_is(source, next, "[") || (!edit_is(source, next, ".") && !edit_is(source, next, "->")))
		return group->record && element_is_set(source, begin, next, use);
	use->field = field_at(rewriter, group, next + 1, &end);
	if (use->field == ALL_FIELDS || edit_is(source, end, "("))
		return false;
	use->whole.end = source->tokens[end - 1].end;
	return true;
}

/* An element of the host's that is written in the new layout. */
struct element_edit {
	const struct rewriter *rewriter;
	const struct rehost_plan *host;
	const struct rehost_member *member;
	struct rehost_element_use use;
};

static void field_write(struct text *out, const struct element_edit *element, unsigned field, const char *index)
{
	struct row_site site = {element->member->names, field, index, edit_single_line(element->rewriter->arena, index),
	                        ""};

	element->host->plan->placement->layout->access(out, element->host->plan->placement, &site);
}

/* One step of indentation where a statement begins its line, else NULL. */
static const char *element_step(const struct element_edit *element, unsigned begin)
{
	const char *text = element->rewriter->source->text;

	while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
		begin--;
	return begin > 0 && text[begin - 1] == '\n' ? element->rewriter->indentation : NULL;
}

/* Begins the next statement of a block: on a line of its own where there is a step. */
static void element_separate(struct text *out, const struct element_edit *element, const struct edit *edit,
                             const char *step)
{
	if (!step || element->rewriter->purpose == REWRITE_COMPILE) {
		text_puts(out, " ");
		return;
	}
	edit_separator(out, element->rewriter->source, edit->range.begin);
	text_puts(out, step);
}

static void element_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct element_edit *element = edit->context;
	const struct layout_group *group = element->host->plan->group;
	const char *index =
		range_is_empty(element->use.index) ? "0" : edit_render_copy(edits, element->use.index, edit);
	const char *name = rewriter_name(element->rewriter, "element"),
		   *step = element_step(element, edit->range.begin);

	if (range_is_empty(element->use.value)) {
		field_write(out, element, element->use.field, index);
		return;
	}
	text_puts(out, "{");
	element_separate(out, element, edit, step);
	text_printf(out, "const %s %s = ", element->member->written, name);
	edit_render(out, edits, element->use.value, edit);
	for (unsigned f = 0; f < group->field_count; f++) {
		text_puts(out, ";");
		element_separate(out, element, edit, step);
		field_write(out, element, f, index);
		text_printf(out, " = %s.%s", name, group->fields[f].path);
	}
	text_puts(out, ";");
	element_separate(out, element, edit, step ? "" : NULL);
	text_puts(out, "}");
}

void rehost_element_edit(struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                         const struct rehost_element_use *use)
{
	struct element_edit *element = arena_alloc(rewriter->arena, sizeof(*element));

	*element = (struct element_edit){rewriter, host, member, *use};
	edit_add_writer(&rewriter->edits, use->whole, element_write, element);
}

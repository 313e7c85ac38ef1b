/*
 * The edits of a host side that can be rewritten: mentions of the device pointers, launches, declarations. Requires
 * the checks of plan.c.
 */
#include "layouts/host/internal.h"

#define LIST_LENGTH 64

static bool is_merged(const struct rehost_plan *host)
{
	return host->plan->group->form == FORM_ARRAYS;
}

/* ---- host functions ------------------------------------------------------------------------- */

/* Whether a host array's edits are made for an instance before this one. */
static bool is_repeated(const struct rehost_plan *host, const struct host_array *array)
{
	for (unsigned m = 0; m < host->member_count; m++)
		if (host->members[m].array == array)
			return host->members[m].is_repeated;
	return false;
}

static const struct rehost_member *parameter_member(const struct rehost_plan *host, const struct function *function,
                                                    unsigned index)
{
	for (unsigned m = 0; m < host->member_count; m++)
		if (host->members[m].parameter.function == function && host->members[m].parameter.index == index)
			return &host->members[m];
	return NULL;
}

/* Whether the pointee is const in a parameter's text. */
static bool is_const(const struct edit_source *source, struct range range)
{
	for (unsigned i = edit_token_at(source, range.begin);
	     i < source->token_count && source->tokens[i].begin < range.end; i++) {
		if (edit_is(source, i, "const"))
			return true;
		if (edit_is(source, i, "*"))
			return false;
	}
	return false;
}

/* Writes the parameters that take the place of one. */
static const char *parameter_text(const struct rewriter *rewriter, const struct rehost_plan *host,
                                  const struct rehost_member *member, bool constant)
{
	const struct placement *placement = member->plan->placement;
	struct text out = {0};
	const char *copy;

	if (rewriter_joins_pointers(host->plan))
		return arena_printf(rewriter->arena, "%s %s",
		                    constant ? member->plan->const_type_name : member->plan->type_name,
		                    member->array->name);
	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct row_pointer spelling = {constant ? "const " : "", "", member->names[b]};

		text_puts(&out, b > 0 ? ", " : "");
		placement->layout->pointer(&out, placement, b, member->plan->type_name, &spelling);
	}
	copy = arena_strdup(rewriter->arena, out.data);
	text_release(&out);
	return copy;
}

/* The pointers that a call of a host function passes for the one that it passed; NULL where that belongs to another
 * instance of the records. */
static const char *passed_text(const struct rewriter *rewriter, const struct rehost_plan *host, struct range argument)
{
	unsigned last = edit_token_at(rewriter->source, argument.end) - 1;
	const struct host_array *array =
		rehost_instance_of(rewriter, host, rehost_array_at(rewriter, rewriter->source->tokens[last].begin));

	return is_repeated(host, array) ? NULL : rehost_new_pointers(rewriter, host, array, argument);
}

/* Replaces the list that opens at a token: parameters by their declarations, arguments by the new pointers. */
static void list_edit(struct rewriter *rewriter, const struct rehost_plan *host, const struct function *function,
                      unsigned open, bool declares)
{
	struct range ranges[LIST_LENGTH];
	unsigned count = edit_list_split(rewriter->source, open, ranges, LIST_LENGTH);
	bool merged = host->plan->group->form == FORM_ARRAYS, first = true, constant = true;

	for (unsigned k = 0; k < count; k++)
		if (parameter_member(host, function, k))
			constant &= is_const(rewriter->source, ranges[k]);
	for (unsigned k = 0; k < count; k++) {
		const struct rehost_member *member = parameter_member(host, function, k);
		const char *text;

		if (!member || (declares && member->is_repeated))
			continue;
		if (merged && !first) {
			edit_add(&rewriter->edits, (struct range){ranges[k - 1].end, ranges[k].end}, "");
			continue;
		}
		first = false;
		text = declares ? parameter_text(rewriter, host, member,
		                                 merged ? constant : is_const(rewriter->source, ranges[k]))
		                : passed_text(rewriter, host, ranges[k]);
		if (text)
			edit_add(&rewriter->edits, ranges[k], text);
	}
}

static void functions_edit(struct rewriter *rewriter, const struct rehost_plan *host)
{
	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];
		struct edit_function tokens;
		bool has_members = false;

		for (unsigned m = 0; m < host->member_count; m++)
			has_members |= host->members[m].parameter.function == function;
		if (!has_members || !edit_function_read(rewriter->source, function, &tokens))
			continue;
		for (unsigned i = 0; i + 1 < rewriter->source->token_count; i++)
			if (i == tokens.name ||
			    edit_function_is_prototype(rewriter->source, rewriter->analysis, function, i))
				list_edit(rewriter, host, function, i + 1, true);
			else if (rehost_is_call_of(rewriter, function, i))
				list_edit(rewriter, host, function, i + 1, false);
	}
}

/* ---- calls and launches ------------------------------------------------------------------------ */

/* All new pointers that take the place of one, as values. */
static const char *freed_text(const struct rewriter *rewriter, const struct rehost_plan *host,
                              const struct rehost_member *member, struct range mention)
{
	const struct placement *placement = host->plan->placement;
	const char *text = NULL;

	if (!rewriter_joins_pointers(host->plan))
		return rehost_new_pointers(rewriter, host, member->array, mention);
	for (unsigned b = 0; b < placement->buffer_count; b++)
		text = arena_printf(rewriter->arena, "%s%s%s.%s", text ? text : "", text ? ", " : "",
		                    member->array->name, rewriter_buffer_member(rewriter->arena, placement, b));
	return text;
}

static void use_edit(struct rewriter *rewriter, struct rehost_plan *host, const struct rehost_member *member,
                     const struct host_reference *reference, struct rehost_helpers *helpers)
{
	struct rehost_operation operation;
	struct rehost_element_use element;

	if (reference->use == HOST_DECLARE || reference->use == HOST_ARGUMENT ||
	    rehost_stays(rewriter, host, reference))
		return;
	if (reference->use == HOST_SIZEOF)
		edit_add(&rewriter->edits, reference->statement,
		         arena_printf(rewriter->arena, "sizeof(%s)", member->written));
	else if (rehost_operation_read(rewriter, host, member, reference, &operation))
		rehost_operation_edit(rewriter, host,
		                      operation.action == REHOST_ALLOCATE
		                              ? member
		                              : rehost_member_mentioned(rewriter, member, reference->name),
		                      &operation, helpers);
	else if (rehost_is_in_freed_list(rewriter, reference->name))
		edit_add(&rewriter->edits, reference->name, freed_text(rewriter, host, member, reference->name));
	else if (rehost_element_read(rewriter, host, member, reference, &element))
		rehost_element_edit(rewriter, host, member, &element);
}

/* The arguments that stand for one. */
static const char *argument_text(const struct rewriter *rewriter, const struct rehost_plan *host,
                                 const struct host_value *argument)
{
	const struct host_array *array = rehost_argument_array(rewriter, argument);
	const struct rehost_holder *holder = array ? NULL : rehost_holder_of(rewriter, host, argument->range);
	struct rehost_selection selection;
	const char *text = NULL;

	if (!array && rehost_selection_read(rewriter, host, argument->range, &selection)) {
		for (unsigned b = 0;
		     b < (rewriter_joins_pointers(host->plan) ? 1 : host->plan->placement->buffer_count); b++)
			text = arena_printf(rewriter->arena, "%s%s%s", text ? text : "", text ? ", " : "",
			                    rehost_selection_text(rewriter, host, &selection, b));
		return text;
	}
	if (holder)
		return rehost_holder_pointers(rewriter, host, holder, argument->range);
	return rehost_new_pointers(rewriter, host, array, argument->range);
}

static void launch_edit(struct rewriter *rewriter, const struct rehost_plan *host, const struct kernel_plan *plan,
                        const struct launch *launch)
{
	bool merged = false;

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		struct range argument = launch->arguments[p].range;

		if (!plan->bindings[p] || plan->bindings[p]->group != host->plan->group ||
		    is_repeated(host, rehost_argument_array(rewriter, &launch->arguments[p])))
			continue;
		if (merged)
			edit_add(&rewriter->edits, (struct range){launch->arguments[p - 1].range.end, argument.end},
			         "");
		else
			edit_add(&rewriter->edits, argument, argument_text(rewriter, host, &launch->arguments[p]));
		merged = is_merged(host);
	}
}

/* Whether the same text launches another instance of the kernel: in another instance of its function. The parameters
 * then mention the template's own. */
static bool is_launch_of_several(const struct rewriter *rewriter, const struct kernel *kernel,
                                 const struct launch *launch)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel *other = rewriter->analysis->kernels[k];

		for (unsigned l = 0;
		     other != kernel && layout_kernels_share_text(other, kernel) && l < other->launch_count; l++)
			if (other->launches[l]->range.begin == launch->range.begin)
				return true;
	}
	return false;
}

/*
 * Writes out the template arguments of a launch that left them to be deduced: the new parameters may not mention
 * them. Once for each launch, however many groups it passes.
 */
static void template_arguments_edit(struct rewriter *rewriter, const struct kernel *kernel, const struct launch *launch)
{
	unsigned token = edit_token_at(rewriter->source, launch->range.begin);
	const char *arguments = strchr(kernel->name, '<');
	struct range behind;

	while (edit_is(rewriter->source, token + 1, "::"))
		token += 2;
	if (is_launch_of_several(rewriter, kernel, launch))
		return;
	if (!arguments || token >= rewriter->source->token_count || edit_is(rewriter->source, token + 1, "<"))
		return;
	behind = (struct range){rewriter->source->tokens[token].end, rewriter->source->tokens[token].end};
	for (unsigned e = 0; e < rewriter->edits.count; e++)
		if (rewriter->edits.list[e].range.begin == behind.begin &&
		    rewriter->edits.list[e].range.end == behind.end)
			return;
	edit_add(&rewriter->edits, behind, edit_spelling(rewriter->arena, arguments));
}

/* Whether a parameter of a kernel changes. */
static bool has_parameters(const struct kernel_plan *plan)
{
	for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
		if (plan->bindings[p])
			return true;
	return false;
}

void rehost_calls_edit(struct rewriter *rewriter, struct rehost_plan *host, struct rehost_helpers *helpers)
{
	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; !host->members[m].is_repeated && r < host->members[m].array->reference_count; r++)
			use_edit(rewriter, host, &host->members[m], &host->members[m].array->references[r], helpers);
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned l = 0; plan->changed && l < plan->kernel->launch_count; l++) {
			launch_edit(rewriter, host, plan, plan->kernel->launches[l]);
			if (has_parameters(plan))
				template_arguments_edit(rewriter, plan->kernel, plan->kernel->launches[l]);
		}
	}
	functions_edit(rewriter, host);
	host->helpers = helpers;
	rehost_holders_edit(rewriter, host);
}

/* ---- declarations ------------------------------------------------------------------------------------------ */

/* The host array that a declarator declares, and its group. */
static const struct rehost_member *declared_member(struct rehost_plan *hosts, unsigned count, struct range declarator,
                                                   struct rehost_plan **host)
{
	for (unsigned h = 0; h < count; h++)
		for (unsigned m = 0; hosts[h].plan->host_changed && m < hosts[h].member_count; m++)
			for (unsigned r = 0;
			     !hosts[h].members[m].parameter.function && r < hosts[h].members[m].array->reference_count;
			     r++) {
				const struct host_reference *reference = &hosts[h].members[m].array->references[r];

				*host = &hosts[h];
				if (reference->use == HOST_DECLARE && reference->name.end == declarator.end &&
				    !hosts[h].members[m].is_held)
					return &hosts[h].members[m];
			}
	return NULL;
}

/* Whether the declarator is the first of those that are joined into one pointer. */
static bool declares_first(const struct rehost_plan *host, struct range declarator)
{
	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0;
		     !host->members[m].parameter.function && r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];

			if (reference->use == HOST_DECLARE && reference->name.end < declarator.end)
				return false;
		}
	return true;
}

/* A declaration being written: its last specifiers, so that neighbours of one type share them. */
struct declaration_writer {
	struct text text;
	const struct edit_source *source;
	unsigned begin;         /* of the declaration */
	const char *prefix;     /* "static " or "" */
	const char *specifiers; /* of the open declaration, or NULL */
};

/*
 * Appends one declarator: after a comma where the open declaration has the same specifiers, else in a new
 * declaration.
 */
static void declarator_write(struct declaration_writer *writer, const char *specifiers, const char *declarator,
                             const char *initialiser)
{
	if (writer->specifiers && strcmp(writer->specifiers, specifiers) == 0)
		text_puts(&writer->text, ", ");
	else if (writer->specifiers) {
		text_puts(&writer->text, ";");
		edit_separator(&writer->text, writer->source, writer->begin);
	}
	if (!writer->specifiers || strcmp(writer->specifiers, specifiers) != 0)
		text_printf(&writer->text, "%s%s ", writer->prefix, specifiers);
	writer->specifiers = specifiers;
	text_puts(&writer->text, declarator);
	if (initialiser)
		text_printf(&writer->text, " = %s", initialiser);
}

/* What a new pointer is initialised with: as the old one, or by the same maker; NULL where that has no initialiser. */
static const char *initialiser_text(const struct rewriter *rewriter, struct rehost_plan *host, struct range initialiser,
                                    unsigned buffer)
{
	struct rehost_selection selection;
	struct rehost_maker maker;
	struct text out = {0};
	const char *copy;

	if (initialiser.end == 0)
		return NULL;
	if (rehost_selection_read(rewriter, host, initialiser, &selection))
		return rehost_selection_text(rewriter, host, &selection, buffer);
	if (!rehost_maker_read(rewriter, host, initialiser, &maker))
		return edit_copy(rewriter->arena, rewriter->source, initialiser);
	rehost_maker_write(&out, rewriter, host, &maker, buffer);
	copy = arena_strdup(rewriter->arena, out.data);
	text_release(&out);
	return copy;
}

/* Appends the struct of pointers that takes the place of one. */
static void joined_write(struct declaration_writer *writer, const struct rewriter *rewriter, struct rehost_plan *host,
                         const struct rehost_member *member, struct range initialiser)
{
	struct rehost_selection selection;
	const char *list = NULL;
	struct rehost_maker maker;

	if (rehost_selection_read(rewriter, host, initialiser, &selection)) {
		declarator_write(writer, member->plan->type_name, member->array->name,
		                 rehost_selection_text(rewriter, host, &selection, 0));
		return;
	}
	for (unsigned b = 0;
	     rehost_maker_read(rewriter, host, initialiser, &maker) && b < host->plan->placement->buffer_count; b++)
		list = arena_printf(rewriter->arena, "%s%s%s", list ? list : "", list ? ", " : "",
		                    initialiser_text(rewriter, host, initialiser, b));
	if (!list && !rehost_is_null(rewriter->source, initialiser))
		list = edit_copy(rewriter->arena, rewriter->source, initialiser);
	else if (initialiser.end > 0)
		list = arena_printf(rewriter->arena, "{%s}", list ? list : "");
	declarator_write(writer,
	                 member->is_const && host->plan->is_held ? member->plan->const_type_name
	                                                         : member->plan->type_name,
	                 member->array->name, list);
}

/* Appends the pointers that take the place of one. */
static void pointers_write(struct declaration_writer *writer, const struct rewriter *rewriter, struct rehost_plan *host,
                           const struct rehost_member *member, struct range initialiser)
{
	const struct placement *placement = member->plan->placement;

	if (rewriter_joins_pointers(host->plan)) {
		joined_write(writer, rewriter, host, member, initialiser);
		return;
	}
	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct row_pointer spelling = {"", "", member->names[b]};
		struct text out = {0};
		size_t type;

		placement->layout->pointer(&out, placement, b, member->plan->type_name, &spelling);
		type = strcspn(out.data, "*(");
		while (type > 0 && out.data[type - 1] == ' ')
			type--;
		declarator_write(writer, arena_strndup(rewriter->arena, out.data, type),
		                 arena_strdup(rewriter->arena, out.data + type + 1),
		                 initialiser_text(rewriter, host, initialiser, b));
		text_release(&out);
	}
}

/* Splits one declaration into the declarators that stay and the new pointers. */
static void declaration_edit(struct rewriter *rewriter, struct rehost_plan *hosts, unsigned count,
                             const struct edit_declaration *declaration)
{
	struct declaration_writer writer = {
		.source = rewriter->source, .begin = declaration->whole.begin, .prefix = ""};
	const char *specifiers = edit_copy(rewriter->arena, rewriter->source, declaration->specifiers);

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned d = 0; d < declaration->declarator_count; d++) {
			struct range declarator = declaration->declarators[d],
				     initialiser = declaration->initialisers[d];
			const char *value =
				initialiser.end ? edit_copy(rewriter->arena, rewriter->source, initialiser) : NULL;
			struct rehost_plan *host;
			const struct rehost_member *member = declared_member(hosts, count, declarator, &host);

			if (pass == 0 && !member)
				declarator_write(&writer, specifiers,
				                 edit_copy(rewriter->arena, rewriter->source, declarator), value);
			if (pass == 1 && member && (!is_merged(host) || declares_first(host, declarator)))
				pointers_write(&writer, rewriter, host, member, initialiser);
			if (pass == 0 && d + 1 == declaration->declarator_count &&
			    strncmp(specifiers, "static ", 7) == 0)
				writer.prefix = "static ";
		}
	text_puts(&writer.text, writer.specifiers ? ";" : "");
	if (writer.specifiers)
		edit_add(&rewriter->edits, declaration->whole, arena_strdup(rewriter->arena, writer.text.data));
	else
		edit_add(&rewriter->edits, edit_whole_lines(rewriter->source, declaration->whole), "");
	text_release(&writer.text);
}

void rehost_declarations_edit(struct rewriter *rewriter, struct rehost_plan *hosts, unsigned count)
{
	unsigned done = 0;

	for (unsigned i = 0; i < rewriter->source->token_count; i++) {
		struct range name = {rewriter->source->tokens[i].begin, rewriter->source->tokens[i].end};
		struct edit_declaration declaration;
		struct rehost_plan *host;

		if (name.begin < done || rewriter->source->tokens[i].kind != TOKEN_IDENTIFIER ||
		    !declared_member(hosts, count, name, &host) ||
		    !edit_declaration_read(rewriter->source, name, &declaration))
			continue;
		declaration_edit(rewriter, hosts, count, &declaration);
		done = declaration.whole.end;
	}
}

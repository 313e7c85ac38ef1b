/*
 * The edits of a host side that can be rewritten: calls, launches, declarations. Requires the checks of host.c.
 */
#include "layouts/internal.h"

static bool is_merged(const struct host_plan *host)
{
	return host->plan->group->form == FORM_ARRAYS;
}

/* "&record::A", the pointer to member that stands for an array of the host. */
static const char *member_pointer(const struct rewriter *rewriter, const struct host_plan *host, unsigned field)
{
	return arena_printf(rewriter->arena, "&%s::%s", host->plan->type_name, host->plan->group->fields[field].name);
}

/* "records, &record::A" */
static const char *member_argument(const struct rewriter *rewriter, const struct host_plan *host, unsigned field)
{
	return arena_printf(rewriter->arena, "%s, %s", host->plan->merged_name, member_pointer(rewriter, host, field));
}

/* ---- allocation -------------------------------------------------------------------------------- */

/* One size of those of which the largest counts. */
struct size_part {
	struct range range;
	const char *type;
};
struct size_edit {
	const struct host_plan *host;
	struct size_part *parts;
	unsigned part_count;
};

/* Writes "larger(bytes_a / sizeof(float), bytes_b / sizeof(float))", or without larger() where there is one size. */
static void size_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct size_edit *size = edit->context;

	for (unsigned p = 0; p < size->part_count; p++) {
		const char *bytes = edits_render_copy(edits, size->parts[p].range, edit);

		if (p + 1 < size->part_count)
			text_printf(out, "%s(", size->host->helpers.larger);
		text_printf(out, text_is_primary(bytes) ? "%s / sizeof(%s)" : "(%s) / sizeof(%s)", bytes, size->parts[p].type);
		if (p + 1 < size->part_count)
			text_puts(out, ", ");
	}
	for (unsigned p = 1; p < size->part_count; p++)
		text_puts(out, ")");
}

/* Collects the different sizes of the joined arrays. */
static struct size_edit *sizes_collect(const struct rewriter *rewriter, struct host_plan *host)
{
	struct size_edit *size = arena_alloc(rewriter->arena, sizeof(*size));

	size->host = host;
	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];
			struct size_part part = {reference->size, host->plan->group->fields[host->members[m].field].type};
			const char *text = source_copy(rewriter->arena, rewriter->source, reference->size);
			bool known = reference->use != HOST_ALLOCATE;

			for (unsigned p = 0; p < size->part_count; p++)
				known |= strcmp(size->parts[p].type, part.type) == 0 &&
				         source_range_is(rewriter->source, size->parts[p].range, text);
			if (!known)
				ARENA_PUSH(rewriter->arena, size->parts, size->part_count, part);
		}
	if (size->part_count > 1)
		host->helpers.larger = rewriter_name(rewriter, "larger");
	return size;
}

/* Takes a call away: its whole statement, or, inside another expression, all but its result. */
static void call_remove(struct rewriter *rewriter, const struct host_call *call)
{
	struct range statement = call_statement(rewriter->source, call);

	if (statement.end > 0)
		edits_add(&rewriter->edits, statement, "");
	else
		edits_add(&rewriter->edits, call->whole, "cudaSuccess");
}

/* Whether a call is that of the first (or last) use of its kind. */
static bool is_extreme(const struct host_plan *host, const struct host_reference *reference, bool last)
{
	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++) {
			const struct host_reference *other = &host->members[m].array->references[r];

			if (other->use == reference->use && other->name.begin != reference->name.begin &&
			    (other->name.begin > reference->name.begin) == last)
				return false;
		}
	return true;
}

static void allocate_edit(struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                          const struct host_reference *reference, const struct host_call *call)
{
	if (is_merged(host) && !is_extreme(host, reference, false)) {
		call_remove(rewriter, call);
		return;
	}
	edits_add(&rewriter->edits, call->name, helper_use(&host->helpers, HELPER_ALLOCATE));
	edits_add(&rewriter->edits, call->arguments[0],
	          arena_printf(rewriter->arena, "&%s", is_merged(host) ? host->plan->merged_name : member->array->name));
	if (is_merged(host))
		edits_add_function(&rewriter->edits, call->arguments[1], size_write, sizes_collect(rewriter, host));
}

/* ---- copies, values, release ------------------------------------------------------------------------ */

/* Replaces the function's name, and removes the kind of copy with the comma before it. */
static void copy_edit(struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                      enum helper helper, const struct host_call *call, unsigned device_argument)
{
	edits_add(&rewriter->edits, call->name, helper_use(&host->helpers, helper));
	edits_add(&rewriter->edits, call->arguments[device_argument],
	          is_merged(host) ? member_argument(rewriter, host, member->field) : member->array->name);
	edits_add(&rewriter->edits, (struct range){call->arguments[2].end, call->arguments[3].end}, "");
}

/* A copy between two pointers of the group; both mention it, the destination's mention edits it. */
static void device_copy_edit(struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                             const struct host_call *call)
{
	if (!expression_is_variable(rewriter->source, call->arguments[0], member->array->name, false))
		return;
	copy_edit(rewriter, host, member, HELPER_COPY, call, 0);
	for (unsigned m = 0; is_merged(host) && m < host->member_count; m++)
		if (expression_is_variable(rewriter->source, call->arguments[1], host->members[m].array->name, false))
			edits_add(&rewriter->edits, call->arguments[1], member_pointer(rewriter, host, host->members[m].field));
}

static void set_edit(struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                     const struct host_call *call)
{
	edits_add(&rewriter->edits, call->name, helper_use(&host->helpers, HELPER_SET));
	edits_add(&rewriter->edits, call->arguments[0],
	          is_merged(host) ? member_argument(rewriter, host, member->field) : member->array->name);
}

static void free_edit(struct rewriter *rewriter, struct host_plan *host, const struct host_reference *reference,
                      const struct host_call *call)
{
	if (is_merged(host) && is_extreme(host, reference, true))
		edits_add(&rewriter->edits, call->arguments[0], host->plan->merged_name);
	else if (is_merged(host))
		call_remove(rewriter, call);
	else if (!host->helpers.handle_is_pointer)
		edits_add(&rewriter->edits, call->name, helper_use(&host->helpers, HELPER_FREE));
}

static void use_edit(struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                     const struct host_reference *reference)
{
	struct host_call call;
	const char *type = host->plan->group->record ? host->plan->group->record->type.spelling
	                                             : host->plan->group->fields[member->field].type;

	call_read(rewriter->source, reference->statement, &call);
	switch (reference->use) {
	case HOST_ALLOCATE:
		allocate_edit(rewriter, host, member, reference, &call);
		break;
	case HOST_COPY_IN:
		copy_edit(rewriter, host, member, HELPER_TO_DEVICE, &call, 0);
		break;
	case HOST_COPY_OUT:
		copy_edit(rewriter, host, member, HELPER_TO_HOST, &call, 1);
		break;
	case HOST_COPY_DEVICE:
		device_copy_edit(rewriter, host, member, &call);
		break;
	case HOST_SET:
		set_edit(rewriter, host, member, &call);
		break;
	case HOST_FREE:
		free_edit(rewriter, host, reference, &call);
		break;
	case HOST_SIZEOF:
		edits_add(&rewriter->edits, reference->statement, arena_printf(rewriter->arena, "sizeof(%s)", type));
		break;
	case HOST_DECLARE:
	case HOST_ARGUMENT:
	case HOST_OTHER:
		break;
	}
}

/* ---- launches ------------------------------------------------------------------------------------------ */

/* The arguments that stand for one pointer of the host: "p", or "p.x, p.y, p.z". */
static const char *launch_argument(const struct rewriter *rewriter, const struct host_plan *host, const char *name)
{
	const struct layout_group *group = host->plan->group;
	const char *text = NULL;

	if (host->helpers.handle_is_pointer)
		return name;
	for (unsigned b = 0; b < host->plan->placement->buffer_count; b++)
		text = text ? arena_printf(rewriter->arena, "%s, %s.%s", text, name, group->fields[b].name)
		            : arena_printf(rewriter->arena, "%s.%s", name, group->fields[b].name);
	return text;
}

static void launch_edit(struct rewriter *rewriter, const struct host_plan *host, const struct kernel_plan *plan,
                        const struct launch *launch)
{
	bool merged = false;

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		struct range argument = launch->arguments[p].range;

		if (!plan->bindings[p] || plan->bindings[p]->group != host->plan->group)
			continue;
		if (merged)
			edits_add(&rewriter->edits, (struct range){launch->arguments[p - 1].range.end, argument.end}, "");
		else
			edits_add(&rewriter->edits, argument,
			          launch_argument(rewriter, host,
			                          is_merged(host) ? host->plan->merged_name : launch->arguments[p].array->name));
		merged = is_merged(host);
	}
}

/*
 * Writes out the template arguments of a launch that left them to be deduced: the new parameters may not mention them. Once for each launch, however
 * many groups it passes.
 */
static void template_arguments_edit(struct rewriter *rewriter, const struct kernel *kernel, const struct launch *launch)
{
	unsigned token = source_token_at(rewriter->source, launch->range.begin);
	const char *arguments = strchr(kernel->name, '<');
	struct range behind;

	while (source_is(rewriter->source, token + 1, "::"))
		token += 2;
	if (!arguments || token >= rewriter->source->token_count || source_is(rewriter->source, token + 1, "<"))
		return;
	behind = (struct range){rewriter->source->tokens[token].end, rewriter->source->tokens[token].end};
	for (unsigned e = 0; e < rewriter->edits.count; e++)
		if (rewriter->edits.list[e].range.begin == behind.begin && rewriter->edits.list[e].range.end == behind.end)
			return;
	edits_add(&rewriter->edits, behind, arguments);
}

void host_calls_edit(struct rewriter *rewriter, struct host_plan *host)
{
	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++)
			use_edit(rewriter, host, &host->members[m], &host->members[m].array->references[r]);
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned l = 0; plan->changed && l < plan->kernel->launch_count; l++) {
			launch_edit(rewriter, host, plan, plan->kernel->launches[l]);
			template_arguments_edit(rewriter, plan->kernel, plan->kernel->launches[l]);
		}
	}
}

/* ---- declarations ------------------------------------------------------------------------------------------ */

/* The host array that a declarator declares, and its group. */
static const struct host_member *declared_member(struct host_plan *hosts, unsigned count, struct range declarator,
                                                 struct host_plan **host)
{
	for (unsigned h = 0; h < count; h++)
		for (unsigned m = 0; hosts[h].plan->host_changed && m < hosts[h].member_count; m++)
			for (unsigned r = 0; r < hosts[h].members[m].array->reference_count; r++) {
				const struct host_reference *reference = &hosts[h].members[m].array->references[r];

				*host = &hosts[h];
				if (reference->use == HOST_DECLARE && reference->name.end == declarator.end)
					return &hosts[h].members[m];
			}
	return NULL;
}

/* Whether the declarator is the first of those that are joined into one pointer. */
static bool declares_first(const struct host_plan *host, struct range declarator)
{
	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];

			if (reference->use == HOST_DECLARE && reference->name.end < declarator.end)
				return false;
		}
	return true;
}

/* Appends the new declaration of a pointer: "static point_tile *p = NULL;" */
static void pointer_declare(struct text *out, const struct rewriter *rewriter, const struct host_plan *host, const char *name,
                            const struct declaration *declaration, unsigned d)
{
	bool is_static = source_is(rewriter->source, source_token_at(rewriter->source, declaration->whole.begin), "static");
	bool initialised = declaration->initialisers[d].end > 0;

	text_printf(out, "%s%s%s %s%s", out->length > 0 ? " " : "", is_static ? "static " : "", host->helpers.handle,
	            host->helpers.handle_is_pointer ? "*" : "", name);
	if (initialised && host->helpers.handle_is_pointer)
		text_printf(out, " = %s", source_copy(rewriter->arena, rewriter->source, declaration->initialisers[d]));
	else if (initialised)
		text_puts(out, " = {}");
	text_puts(out, ";");
}

/* Appends the declarators that stay: "float *a, *b". */
static void declarator_keep(struct text *out, const struct rewriter *rewriter, const struct declaration *declaration,
                            unsigned d)
{
	struct range range = declaration->declarators[d];

	if (declaration->initialisers[d].end > 0)
		range.end = declaration->initialisers[d].end;
	text_puts(out, out->length > 0 ? ", " : source_copy(rewriter->arena, rewriter->source, declaration->specifiers));
	text_printf(out, "%s%s", out->data && out->data[out->length - 1] == ' ' ? "" : " ",
	            source_copy(rewriter->arena, rewriter->source, range));
}

/* Splits one declaration into the declarators that stay and the new pointers. */
static void declaration_edit(struct rewriter *rewriter, struct host_plan *hosts, unsigned count,
                             const struct declaration *declaration)
{
	struct text kept = {0}, added = {0};

	for (unsigned d = 0; d < declaration->declarator_count; d++) {
		struct host_plan *host;
		const struct host_member *member =
			declared_member(hosts, count, declaration->declarators[d], &host);

		if (!member)
			declarator_keep(&kept, rewriter, declaration, d);
		else if (!is_merged(host))
			pointer_declare(&added, rewriter, host, member->array->name, declaration, d);
		else if (declares_first(host, declaration->declarators[d]))
			pointer_declare(&added, rewriter, host, host->plan->merged_name, declaration, d);
	}
	if (kept.length > 0)
		text_printf(&kept, ";%s", added.length > 0 ? " " : "");
	text_append(&kept, added.data, added.length);
	if (kept.length > 0)
		edits_add(&rewriter->edits, declaration->whole, arena_strdup(rewriter->arena, kept.data));
	else
		edits_add(&rewriter->edits, range_lines(rewriter->source, declaration->whole), "");
	text_release(&kept);
	text_release(&added);
}

void host_declarations_edit(struct rewriter *rewriter, struct host_plan *hosts, unsigned count)
{
	unsigned done = 0;

	for (unsigned i = 0; i < rewriter->source->token_count; i++) {
		struct range name = {rewriter->source->tokens[i].begin, rewriter->source->tokens[i].end};
		struct declaration declaration;
		struct host_plan *host;

		if (name.begin < done || rewriter->source->tokens[i].kind != TOKEN_IDENTIFIER ||
		    !declared_member(hosts, count, name, &host) ||
		    !declaration_read(rewriter->source, name, &declaration))
			continue;
		declaration_edit(rewriter, hosts, count, &declaration);
		done = declaration.whole.end;
	}
}

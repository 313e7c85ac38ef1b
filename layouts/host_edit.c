/*
 * The edits of a host side that can be rewritten: mentions of the device pointers, launches, declarations. Requires
 * the checks of host.c.
 */
#include "layouts/internal.h"

static bool is_merged(const struct host_plan *host)
{
	return host->plan->group->form == FORM_ARRAYS;
}

/* ---- calls and launches ------------------------------------------------------------------------ */

static void use_edit(struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                     const struct host_reference *reference, struct helpers *helpers)
{
	struct host_operation operation;

	if (reference->use == HOST_DECLARE || reference->use == HOST_ARGUMENT)
		return;
	if (reference->use == HOST_SIZEOF)
		edits_add(&rewriter->edits, reference->statement,
		          arena_printf(rewriter->arena, "sizeof(%s)", member_element(host, member).type));
	else if (host_operation_read(rewriter, host, member, reference, &operation))
		host_operation_edit(rewriter, host, member, &operation, helpers);
}

const char *new_pointers(const struct rewriter *rewriter, const struct host_plan *host, const struct host_array *array)
{
	const char *text = NULL;

	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned b = 0; host->members[m].array == array && b < host->plan->placement->buffer_count; b++)
			text = text ? arena_printf(rewriter->arena, "%s, %s", text, host->members[m].names[b])
			            : host->members[m].names[b];
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
			edits_add(&rewriter->edits, argument, new_pointers(rewriter, host, launch->arguments[p].array));
		merged = is_merged(host);
	}
}

/*
 * Writes out the template arguments of a launch that left them to be deduced: the new parameters may not mention
 * them. Once for each launch, however many groups it passes.
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

void host_calls_edit(struct rewriter *rewriter, struct host_plan *host, struct helpers *helpers)
{
	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++)
			use_edit(rewriter, host, &host->members[m], &host->members[m].array->references[r], helpers);
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned l = 0; plan->changed && l < plan->kernel->launch_count; l++) {
			launch_edit(rewriter, host, plan, plan->kernel->launches[l]);
			template_arguments_edit(rewriter, plan->kernel, plan->kernel->launches[l]);
		}
	}
	host_functions_edit(rewriter, host);
}

/* ---- declarations ------------------------------------------------------------------------------------------ */

/* The host array that a declarator declares, and its group. */
static const struct host_member *declared_member(struct host_plan *hosts, unsigned count, struct range declarator,
                                                 struct host_plan **host)
{
	for (unsigned h = 0; h < count; h++)
		for (unsigned m = 0; hosts[h].plan->host_changed && m < hosts[h].member_count; m++)
			for (unsigned r = 0;
			     !hosts[h].members[m].parameter.function && r < hosts[h].members[m].array->reference_count; r++) {
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
		for (unsigned r = 0; !host->members[m].parameter.function && r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];

			if (reference->use == HOST_DECLARE && reference->name.end < declarator.end)
				return false;
		}
	return true;
}

/* A declaration being written: its last specifiers, so that neighbours of one type share them. */
struct declaration_writer {
	struct text text;
	const struct source *source;
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
		statement_separator(&writer->text, writer->source, writer->begin);
	}
	if (!writer->specifiers || strcmp(writer->specifiers, specifiers) != 0)
		text_printf(&writer->text, "%s%s ", writer->prefix, specifiers);
	writer->specifiers = specifiers;
	text_puts(&writer->text, declarator);
	if (initialiser)
		text_printf(&writer->text, " = %s", initialiser);
}

/* Appends the pointers that take the place of one. */
static void pointers_write(struct declaration_writer *writer, const struct rewriter *rewriter, const struct host_plan *host,
                           const struct host_member *member, const char *initialiser)
{
	const struct placement *placement = host->plan->placement;

	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct pointer_spelling spelling = {"", "", member->names[b]};
		struct text out = {0};
		size_t type;

		placement->layout->pointer(&out, placement, b, host->plan->type_name, &spelling);
		type = strcspn(out.data, "*(");
		while (type > 0 && out.data[type - 1] == ' ')
			type--;
		declarator_write(writer, arena_strndup(rewriter->arena, out.data, type),
		                 arena_strdup(rewriter->arena, out.data + type + 1), initialiser);
		text_release(&out);
	}
}

/* Splits one declaration into the declarators that stay and the new pointers. */
static void declaration_edit(struct rewriter *rewriter, struct host_plan *hosts, unsigned count,
                             const struct declaration *declaration)
{
	struct declaration_writer writer = {.source = rewriter->source, .begin = declaration->whole.begin, .prefix = ""};
	const char *specifiers = source_copy(rewriter->arena, rewriter->source, declaration->specifiers);

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned d = 0; d < declaration->declarator_count; d++) {
			struct range declarator = declaration->declarators[d], initialiser = declaration->initialisers[d];
			const char *value = initialiser.end ? source_copy(rewriter->arena, rewriter->source, initialiser) : NULL;
			struct host_plan *host;
			const struct host_member *member = declared_member(hosts, count, declarator, &host);

			if (pass == 0 && !member)
				declarator_write(&writer, specifiers, source_copy(rewriter->arena, rewriter->source, declarator),
				                 value);
			if (pass == 1 && member && (!is_merged(host) || declares_first(host, declarator)))
				pointers_write(&writer, rewriter, host, member, value);
			if (pass == 0 && d + 1 == declaration->declarator_count && strncmp(specifiers, "static ", 7) == 0)
				writer.prefix = "static ";
		}
	text_puts(&writer.text, writer.specifiers ? ";" : "");
	if (writer.specifiers)
		edits_add(&rewriter->edits, declaration->whole, arena_strdup(rewriter->arena, writer.text.data));
	else
		edits_add(&rewriter->edits, range_lines(rewriter->source, declaration->whole), "");
	text_release(&writer.text);
}

void host_declarations_edit(struct rewriter *rewriter, struct host_plan *hosts, unsigned count)
{
	unsigned done = 0;

	for (unsigned i = 0; i < rewriter->source->token_count; i++) {
		struct range name = {rewriter->source->tokens[i].begin, rewriter->source->tokens[i].end};
		struct declaration declaration;
		struct host_plan *host;

		if (name.begin < done || rewriter->source->tokens[i].kind != TOKEN_IDENTIFIER ||
		    !declared_member(hosts, count, name, &host) || !declaration_read(rewriter->source, name, &declaration))
			continue;
		declaration_edit(rewriter, hosts, count, &declaration);
		done = declaration.whole.end;
	}
}

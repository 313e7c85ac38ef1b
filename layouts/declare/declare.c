/*
 * The types that groups become: records, tiles, structs of pointers; of a family, one template. Each stands before the
 * first kernel or host code that needs it.
 */
#include "layouts/declare/declare.h"
#include "layouts/groups/groups.h"

/* Offset of the first changed kernel, or prototype of one, that the group's declarations have to stand before. */
static unsigned first_use(const struct rewriter *rewriter, const struct layout_group *group)
{
	unsigned first = rewriter->source->length;

	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];
		const char *name = layout_kernel_name(rewriter->arena, plan->kernel);
		bool uses = false;

		for (unsigned p = 0; plan->changed && p < plan->kernel->parameter_count; p++)
			uses |= plan->bindings[p] && plan->bindings[p]->group == group;
		for (unsigned i = 0; uses && i < rewriter->source->token_count; i++)
			if (edit_is(rewriter->source, i, name) && rewriter->source->tokens[i].begin < first) {
				while (i > 0 && !edit_is(rewriter->source, i - 1, ";") &&
				       !edit_is(rewriter->source, i - 1, "}") &&
				       !edit_is(rewriter->source, i - 1, "{") &&
				       rewriter->source->tokens[i - 1].kind != TOKEN_DIRECTIVE)
					i--;
				first = rewriter->source->tokens[i].begin;
				break;
			}
	}
	return first;
}

/* Says what a new record is. */
static void comment_write(struct text *out, const struct group_plan *plan)
{
	const struct layout_group *group = plan->group;

	if (group->form == FORM_STRUCT && plan->placement->tile == 1 && group->written_tile == 0) {
		if (group->family)
			text_printf(out, "/* The members of %s, aligned. */\n", group->name);
		else
			text_printf(out, "/* The members of %s, aligned to %llu bytes. */\n", group->name,
			            (unsigned long long)plan->placement->align_bytes);
		return;
	}
	text_puts(out, "/* ");
	if (plan->placement->tile > 1)
		text_printf(out, "%u elements of ", plan->placement->tile);
	else
		text_puts(out, "One element of ");
	for (unsigned f = 0; group->form == FORM_ARRAYS && f < group->field_count; f++)
		text_printf(out, "%s%s",
		            f == 0                       ? ""
		            : f + 1 < group->field_count ? ", "
		                                         : " and ",
		            group->fields[f].name);
	if (group->form == FORM_STRUCT)
		text_puts(out, group->name);
	text_puts(out, plan->placement->tile > 1 ? ", each member's values side by side. */\n" : ". */\n");
}

/* Writes a member of a struct of pointers: behind a comma where the one before it, whose type is *open, has the same
 * type. */
static void pointer_member_write(struct text *out, struct arena *arena, const char *pointer, const char **open)
{
	size_t type = strcspn(pointer, "*(");
	const char *specifiers = arena_strndup(arena, pointer, type);

	if (*open && strcmp(*open, specifiers) == 0)
		text_printf(out, ", %s", pointer + type);
	else
		text_printf(out, "%s\t%s", *open ? ";\n" : "", pointer);
	*open = specifiers;
}

/* Declares the members of a struct of pointers: an array of them for a member array that is split. */
static void pointer_members_write(struct text *out, struct arena *arena, const struct group_plan *plan,
                                  const char *before)
{
	const struct placement *placement = plan->placement;
	const char *open = NULL;

	for (unsigned b = 0; b < placement->buffer_count; b++) {
		const struct layout_field *field = &plan->group->fields[placement->buffers[b].field];
		bool is_split = placement->fields[placement->buffers[b].field].is_split;
		struct row_pointer spelling = {before, "", is_split ? field->name : placement->buffers[b].name};
		struct text pointer = {0};

		if (is_split && placement->buffers[b].inner > 0)
			continue;
		placement->layout->pointer(&pointer, placement, b, plan->type_name, &spelling);
		for (unsigned d = 0; is_split && d < field->dimension_count; d++)
			text_printf(&pointer, "[%u]", field->dimensions[d]);
		pointer_member_write(out, arena, pointer.data, &open);
		text_release(&pointer);
	}
	text_puts(out, ";\n");
}

/* Whether a parameter of a changed kernel points to const records of the group. */
static bool has_const_parameter(const struct rewriter *rewriter, const struct layout_group *group)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++)
		for (unsigned p = 0; p < rewriter->kernel_plans[k].kernel->parameter_count; p++) {
			const struct layout_binding *binding = rewriter->kernel_plans[k].bindings[p];

			if (rewriter->kernel_plans[k].changed && binding && binding->group == group &&
			    binding->parameter->is_const)
				return true;
		}
	return false;
}

/* Whether a held pointer that changes points to const records of the group. */
static bool has_const_held(const struct rewriter *rewriter, const struct layout_group *group)
{
	for (unsigned h = 0; rewriter->held_plans && h < rewriter->analysis->held_function_count; h++) {
		const struct kernel_plan *plan = &rewriter->held_plans[h];

		for (unsigned p = 0; plan->changed && p < plan->kernel->parameter_count; p++)
			if (plan->bindings[p] && plan->bindings[p]->group == group &&
			    plan->kernel->parameters[p].is_const)
				return true;
	}
	return false;
}

/* Declares the struct of pointers to a group's buffers, and that of pointers to const that it converts to where one is
 * needed. */
static void pointers_declare(const struct rewriter *rewriter, struct text *out, const struct group_plan *plan,
                             bool constant)
{
	const struct layout_family *family = plan->group->family;
	const char *header = family ? arena_printf(rewriter->arena, "%s\n", family->header) : "";

	if (constant) {
		text_printf(out, "/* The members of %s, one array each, to be read. */\n%sstruct %s {\n",
		            plan->group->name, header, plan->const_type_name);
		pointer_members_write(out, rewriter->arena, plan, "const ");
		text_puts(out, "};\n\n");
	}
	text_printf(out, "/* The members of %s, one array each. */\n%sstruct %s {\n", plan->group->name, header,
	            plan->type_name);
	pointer_members_write(out, rewriter->arena, plan, "");
	if (constant) {
		text_printf(out, "\n\toperator %s%s() const { return {", plan->const_type_name,
		            family ? family->parameters : "");
		for (unsigned b = 0; b < plan->placement->buffer_count; b++)
			text_printf(out, "%s%s", b > 0 ? ", " : "",
			            rewriter_buffer_member(rewriter->arena, plan->placement, b));
		text_puts(out, "}; }\n");
	}
	text_puts(out, "};\n");
}

/* What the types of a family's groups are instances of: the plan with the template's own parameters; the plan itself
 * where it has no family. */
static struct group_plan pattern_of(const struct rewriter *rewriter, const struct group_plan *plan)
{
	const struct layout_family *family = plan->group->family;
	struct group_plan pattern = *plan;

	if (!family)
		return pattern;
	pattern.placement =
		group_family_placement(rewriter->arena, plan->placement,
	                               arena_printf(rewriter->arena, "%.*s%s", (int)strcspn(plan->group->name, "<"),
	                                            plan->group->name, family->parameters));
	pattern.group = pattern.placement->group;
	pattern.type_name = arena_strndup(rewriter->arena, plan->type_name, strcspn(plan->type_name, "<"));
	if (plan->const_type_name)
		pattern.const_type_name = arena_printf(rewriter->arena, "const_%s", pattern.type_name);
	return pattern;
}

/* Declares what the records of a group become; of a family, the template. */
static void record_declare(struct text *out, const struct group_plan *pattern)
{
	comment_write(out, pattern);
	if (pattern->group->family)
		text_printf(out, "%s\n", pattern->group->family->header);
	pattern->placement->layout->declare(out, pattern->placement, pattern->type_name);
}

bool declare_is_shared(const struct group_plan *a, const struct group_plan *b)
{
	return a == b ||
	       (a->group->family && a->group->family == b->group->family && b->used && b->change == CHANGE_BUFFERS &&
	        b->placement->layout == a->placement->layout && b->placement->tile == a->placement->tile);
}

/* ---- where it stands ------------------------------------------------------------------ */

/* Whether the file defines the type, without namespaces and stars, from that offset on only. */
static bool is_defined_behind(const struct edit_source *source, const char *type, unsigned place)
{
	const size_t keyword = strncmp(type, "enum ", 5) == 0 ? 5 : 0;
	const char *end = type + keyword + strcspn(type + keyword, " *<"), *name = end;

	while (name > type + keyword && name[-1] != ':')
		name--;
	for (unsigned i = 1; i < source->token_count; i++)
		if (source->tokens[i].end - source->tokens[i].begin == end - name &&
		    memcmp(source->text + source->tokens[i].begin, name, (size_t)(end - name)) == 0 &&
		    (edit_is(source, i - 1, "enum") || edit_is(source, i - 1, "struct") ||
		     edit_is(source, i - 1, "class")))
			return source->tokens[i].begin >= place;
	return false;
}

/* Whether members of the group have types that the place is too early for. */
static bool needs_later_types(const struct rewriter *rewriter, const struct layout_group *group, unsigned place)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (is_defined_behind(rewriter->source, group->fields[f].type, place))
			return true;
	return false;
}

/*
 * What opens the namespaces around an offset again once they are closed: "namespace a {\n"; closing: how many. NULL
 * where it lies in anything else, or in none.
 */
static const char *namespaces_around(const struct rewriter *rewriter, unsigned offset, unsigned *closing)
{
	const struct edit_source *source = rewriter->source;
	unsigned brace = source->tokens[edit_token_at(source, offset)].brace;
	const char *opening = NULL;

	for (*closing = 0; brace != EDIT_NO_TOKEN; brace = source->tokens[brace].brace, ++*closing) {
		unsigned first = edit_declaration_first(source, brace);
		struct range head = {source->tokens[first].begin, source->tokens[brace].end};

		if (!edit_is(source, first, "namespace") && !edit_is(source, first + 1, "namespace"))
			return NULL;
		opening = arena_printf(rewriter->arena, "%s\n%s", edit_copy(rewriter->arena, source, head),
		                       opening ? opening : "");
	}
	return opening;
}

/* Puts the declaration of a group that is used from an offset on behind the types that it needs, outside of the
 * namespaces there; returns where. */
static unsigned declaration_split(const struct rewriter *rewriter, const struct layout_group *group, unsigned place,
                                  unsigned use, struct text *out)
{
	unsigned closing;
	const char *opening =
		needs_later_types(rewriter, group, place) ? namespaces_around(rewriter, use, &closing) : NULL;
	struct text split = {0};

	if (!opening)
		return place;
	while (closing-- > 0)
		text_puts(&split, "}\n");
	text_printf(&split, "\n%s%s\n", out->data, opening);
	text_release(out);
	*out = split;
	return edit_before_declaration(rewriter->source, use);
}

/* Inserts a type's declaration: at its place, and in each other source file that has the type's name. */
static void declaration_write(struct rewriter *rewriter, struct text *out, unsigned place, const char *type_name)
{
	struct rewriter_sites sites = {NULL, 0};

	if (rewriter->purpose != REWRITE_COMPILE)
		sites = rewriter_sites_find(rewriter, &type_name, 1, place);
	for (unsigned s = 0; s < sites.count; s++) {
		unsigned position = sites.list[s].position;
		struct text copy = {0};

		if (position == place)
			continue;
		text_append(&copy, out->data, out->length);
		edit_add(&rewriter->edits, (struct range){position, position},
		         rewriter_block(rewriter, &copy, position));
	}
	edit_add(&rewriter->edits, (struct range){place, place}, rewriter_block(rewriter, out, place));
}

void declare_edit(struct rewriter *rewriter, const struct rehost_plan *hosts, unsigned g)
{
	const struct group_plan *plan = hosts[g].plan;
	struct group_plan pattern = pattern_of(rewriter, plan);
	unsigned place = rewriter->source->length, first = place;
	bool constant = false;
	struct text out = {0};

	for (unsigned i = 0; i < rewriter->groups->count; i++) {
		unsigned use = first_use(rewriter, hosts[i].plan->group);

		if (!declare_is_shared(plan, hosts[i].plan))
			continue;
		if (i < g)
			return;
		if (hosts[i].plan->is_held)
			use = hosts[i].plan->held_position < use ? hosts[i].plan->held_position : use;
		first = use < first ? use : first;
		use = edit_before_declaration(rewriter->source, edit_outermost(rewriter->source, use));
		place = use < place ? use : place;
		place = hosts[i].position < place ? hosts[i].position : place;
		constant |= hosts[i].has_parameters || hosts[i].has_const ||
		            has_const_parameter(rewriter, hosts[i].plan->group) ||
		            has_const_held(rewriter, hosts[i].plan->group);
	}
	if (rewriter_joins_pointers(plan))
		pointers_declare(rewriter, &out, &pattern, constant);
	else
		record_declare(&out, &pattern);
	text_puts(&out, rewriter->purpose != REWRITE_COMPILE ? "\n" : "");
	place = declaration_split(rewriter, plan->group, place, first, &out);
	declaration_write(rewriter, &out, place, pattern.type_name);
}

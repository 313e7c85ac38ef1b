/*
 * The edits of a holder's declaration, before which the record that its pointer points to is declared, and of elements,
 * wherever they stand.
 */
#include "layouts/groups/groups.h"
#include "layouts/pointers/internal.h"

/* ---- the holder's declaration ------------------------------------------------------------- */

/* Token of a field's name where the holder declares it; EDIT_NO_TOKEN where it is not found. */
static unsigned declared_at(const struct rewriter *rewriter, const struct record *holder, const char *name)
{
	const struct edit_source *source = rewriter->source;
	unsigned open = edit_token_at(source, holder->range.begin);

	while (open < source->token_count && !edit_is(source, open, "{"))
		open++;
	for (unsigned i = open + 1; i < source->token_count && source->tokens[i].begin < holder->range.end; i++)
		if (edit_is(source, i, name) && source->tokens[i].brace == open &&
		    source->tokens[i - 1].match == i - 1 && !edit_is(source, i + 1, "(") &&
		    !edit_is(source, i - 1, ".") && !edit_is(source, i - 1, "->") && !edit_is(source, i - 1, ":"))
			return i;
	return EDIT_NO_TOKEN;
}

static bool is_field_name(const struct layout_group *group, const struct edit_source *source, unsigned i)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (edit_is(source, i, group->fields[f].name))
			return true;
	return false;
}

/* Whether a declaration declares nothing but plain pointers that are fields of the group, and gives them no values but
 * null. */
static bool declares_fields(const struct edit_source *source, const struct layout_group *group,
                            const struct edit_declaration *declaration)
{
	for (unsigned d = 0; d < declaration->declarator_count; d++) {
		unsigned first = edit_token_at(source, declaration->declarators[d].begin),
			 last = edit_token_at(source, declaration->declarators[d].end) - 1;
		struct range value = declaration->initialisers[d];

		if (!edit_is(source, first, "*") || edit_is(source, first + 1, "*") ||
		    !is_field_name(group, source, last))
			return false;
		if (!range_is_empty(value) && !edit_range_is(source, value, "NULL") &&
		    !edit_range_is(source, value, "nullptr") && !edit_range_is(source, value, "0"))
			return false;
	}
	return true;
}

bool pointers_declarations_read(const struct rewriter *rewriter, const struct layout_group *group,
                                struct edit_declaration **list, unsigned *count, const char **reason)
{
	*list = NULL;
	*count = 0;
	*reason = "it is not declared as a plain pointer, alone or with others of the record";
	for (unsigned f = 0; f < group->field_count; f++) {
		unsigned token = declared_at(rewriter, group->holder, group->fields[f].name);
		struct edit_declaration declaration;
		bool known = false;

		if (token == EDIT_NO_TOKEN ||
		    !edit_declaration_read(
			    rewriter->source,
			    (struct range){rewriter->source->tokens[token].begin, rewriter->source->tokens[token].end},
			    &declaration) ||
		    !declares_fields(rewriter->source, group, &declaration))
			return false;
		for (unsigned d = 0; d < *count; d++)
			known |= (*list)[d].whole.begin == declaration.whole.begin;
		if (!known)
			ARENA_PUSH(rewriter->arena, *list, *count, declaration);
	}
	return true;
}

/* The range with the comment behind it on its line: it speaks of what goes. */
static struct range with_comment(const struct edit_source *source, struct range range)
{
	unsigned end = range.end;

	while (source->text[end] == ' ' || source->text[end] == '\t')
		end++;
	if (strncmp(source->text + end, "//", 2) == 0)
		range.end = end + (unsigned)strcspn(source->text + end, "\r\n");
	return range;
}

/* Whether all declarations have a word in their specifiers or declarators. */
static bool all_have(const struct rewriter *rewriter, const struct edit_declaration *list, unsigned count,
                     const char *word)
{
	for (unsigned d = 0; d < count; d++) {
		const char *text = edit_copy(rewriter->arena, rewriter->source, list[d].whole);

		if (!edit_text_has_word(text, strlen(text), word))
			return false;
	}
	return true;
}

/* " = nullptr" where all members begin as null. */
static const char *beginning(const struct rewriter *rewriter, const struct edit_declaration *list, unsigned count)
{
	for (unsigned d = 0; d < count; d++)
		for (unsigned n = 0; n < list[d].declarator_count; n++)
			if (range_is_empty(list[d].initialisers[n]))
				return "";
	return arena_printf(rewriter->arena, " = %s",
	                    edit_copy(rewriter->arena, rewriter->source, list[0].initialisers[0]));
}

/* Says what the new record is, and declares it. */
static void record_declare(struct rewriter *rewriter, const struct group_plan *plan)
{
	unsigned place = edit_before_declaration(rewriter->source, plan->group->holder->range.begin);
	struct text out = {0};

	text_puts(&out, "/* ");
	if (plan->placement->tile > 1)
		text_printf(&out, "%u elements of %s", plan->placement->tile, plan->group->name);
	else
		text_printf(&out, "One element of %s", plan->group->name);
	text_puts(&out, plan->placement->tile > 1 ? ", each member's values side by side. */\n" : ". */\n");
	plan->placement->layout->declare(&out, plan->placement, plan->type_name);
	text_puts(&out, rewriter->purpose != REWRITE_COMPILE ? "\n" : "");
	edit_add(&rewriter->edits, (struct range){place, place}, rewriter_block(rewriter, &out, place));
}

void pointers_holder_edit(struct rewriter *rewriter, const struct group_plan *plan)
{
	struct edit_declaration *list;
	unsigned count, first = 0;
	const char *reason, *restricted = "";

	if (!pointers_declarations_read(rewriter, plan->group, &list, &count, &reason))
		bug("a holder that was read cannot be read again");
	record_declare(rewriter, plan);
	for (unsigned d = 1; d < count; d++)
		first = list[d].whole.begin < list[first].whole.begin ? d : first;
	for (unsigned w = 0; w < 2; w++)
		if (all_have(rewriter, list, count, w ? "__restrict" : "__restrict__"))
			restricted = "__restrict__ ";
	for (unsigned d = 0; d < count; d++)
		if (d == first)
			edit_add(&rewriter->edits, with_comment(rewriter->source, list[d].whole),
			         arena_printf(rewriter->arena, "%s%s *%s%s%s;",
			                      all_have(rewriter, list, count, "const") ? "const " : "", plan->type_name,
			                      restricted, plan->merged_name, beginning(rewriter, list, count)));
		else
			edit_add(&rewriter->edits,
			         edit_with_space(rewriter->source, with_comment(rewriter->source, list[d].whole)), "");
}

/* ---- elements ------------------------------------------------------------------------------- */

struct held_element {
	const struct group_plan *plan;
	const struct member_mention *mention;
};

static void element_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct held_element *site = edit->context;
	const char *index = edit_render_copy(edits, site->mention->index, edit);
	struct row_site texts = {.pointers = &site->plan->merged_name,
	                         .field = pointers_field(site->plan->group, site->mention),
	                         .index = index,
	                         .index_again = edit_single_line(edits->arena, index),
	                         .inner = ""};

	site->plan->placement->layout->access(out, site->plan->placement, &texts);
}

void pointers_element_edit(struct rewriter *rewriter, const struct group_plan *plan,
                           const struct member_mention *mention)
{
	struct held_element *site = arena_alloc(rewriter->arena, sizeof(*site));

	*site = (struct held_element){plan, mention};
	edit_add_writer(&rewriter->edits, mention->element, element_write, site);
}

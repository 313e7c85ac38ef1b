/*
 * Records read and written as a whole. Where one is read, its members are listed in braces: `point{p_x[i], p_y[i]}`.
 * Where a statement writes one, it becomes a block that computes the value first: `{ const point value = q; p_x[i] =
 * value.x; p_y[i] = value.y; }`.
 *
 * Only for records without member arrays; braces need an aggregate. All others go through proxies (proxies.c).
 */
#include "layouts/internal.h"

/* ---- what is named ------------------------------------------------------------------------ */

/* The path of the record in the element: "" for all of it, "position" for p[i].position. */
static const char *record_path(struct arena *arena, const struct source *source, const struct reference *reference)
{
	unsigned tail = reference_tail(source, reference);

	if (tail >= source->token_count || source->tokens[tail].begin >= reference->whole.end)
		return "";
	return text_single_line(
		arena, source_copy(arena, source, (struct range){source->tokens[tail].end, reference->whole.end}));
}

/* Whether a field belongs to the record of that path; then rest is its path in it. */
static bool field_belongs(const struct layout_field *field, const char *path, const char **rest)
{
	size_t length = strlen(path);

	*rest = field->path;
	if (length == 0)
		return true;
	if (strncmp(field->path, path, length) != 0 || field->path[length] != '.')
		return false;
	*rest = field->path + length + 1;
	return true;
}

/* Whether a record can be made by listing its members: no constructors, nothing private, as far as its text says. */
static bool is_aggregate(const struct source *source, const struct record *record)
{
	static const char *const words[] = {"class", "private", "protected", "virtual", "explicit"};

	for (unsigned m = 0; m < record->member_count; m++)
		if (record->members[m].type.record && !is_aggregate(source, record->members[m].type.record))
			return false;
	if (record->is_vector_type)
		return true;
	if (range_is_empty(record->range) || strchr(record->name, '<'))
		return false;
	for (unsigned i = source_token_at(source, record->range.begin);
	     i < source->token_count && source->tokens[i].begin < record->range.end; i++) {
		for (unsigned w = 0; w < ARRAY_COUNT(words); w++)
			if (source_is(source, i, words[w]))
				return false;
		if (source_is(source, i, record->name) && source_is(source, i + 1, "("))
			return false;
	}
	return true;
}

/*
 * Index of the semicolon that ends the assignment whose statement begins with the reference; NO_TOKEN where there is
 * none.
 */
static unsigned assignment_end(const struct source *source, const struct reference *reference)
{
	unsigned first = source_token_at(source, reference->whole.begin),
		 i = source_token_at(source, reference->whole.end);
	bool begins = first > 0 && (source_is(source, first - 1, ";") || source_is(source, first - 1, "{") ||
	                            source_is(source, first - 1, "}") || source_is(source, first - 1, ")") ||
	                            source_is(source, first - 1, "else"));

	if (!begins || !source_is(source, i, "="))
		return NO_TOKEN;
	while (i < source->token_count && !source_is(source, i, ";") && !source_is(source, i, ")") &&
	       !source_is(source, i, "}") && !source_is(source, i, ","))
		i = source->tokens[i].match > i ? source->tokens[i].match + 1 : i + 1;
	return source_is(source, i, ";") ? i : NO_TOKEN;
}

bool whole_record_can_be_listed(const struct source *source, const struct group_plan *plan,
                                const struct reference *reference)
{
	const struct record *record = reference_record(source, reference, plan->group->record);
	unsigned behind = source_token_at(source, reference->whole.end);

	for (unsigned f = 0; f < plan->group->field_count; f++)
		if (plan->group->fields[f].dimension_count > 0)
			return false;
	if (reference->index_has_side_effects || source_is(source, behind, ".") || source_is(source, behind, "->"))
		return false;
	if (source_is(source, behind, "="))
		return assignment_end(source, reference) != NO_TOKEN;
	return reference->is_read && !reference->is_written && !reference->address_taken &&
	       is_aggregate(source, record);
}

/* ---- how it is written ---------------------------------------------------------------------- */

struct whole_edit {
	const struct group_plan *plan;
	const struct reference *reference;
	const char *const *pointers;
	const char *path, *type;
	struct range value; /* what is assigned; empty: the record is read */
	const char *name;   /* of the value that is assigned */
};

/* Writes one field of the element. */
static void whole_field_write(struct text *out, struct arena *arena, const struct whole_edit *whole, unsigned field,
                              const char *index)
{
	struct rewrite_site site = {whole->pointers, field, index, text_single_line(arena, index), ""};

	whole->plan->placement->layout->access(out, whole->plan->placement, &site);
}

static void whole_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct whole_edit *whole = edit->context;
	const char *index = "0", *rest, *separator = "";
	bool assigns = !range_is_empty(whole->value);

	if (!range_is_empty(whole->reference->index))
		index = edits_render_copy(edits, whole->reference->index, edit);
	if (assigns)
		text_printf(out, "{ const %s %s = %s; ", whole->type, whole->name,
		            edits_render_copy(edits, whole->value, edit));
	else
		text_printf(out, "%s{", whole->type);
	for (unsigned f = 0; f < whole->plan->group->field_count; f++) {
		if (!field_belongs(&whole->plan->group->fields[f], whole->path, &rest))
			continue;
		text_puts(out, separator);
		whole_field_write(out, edits->arena, whole, f, index);
		if (assigns)
			text_printf(out, " = %s.%s;", whole->name, rest);
		separator = assigns ? " " : ", ";
		index = text_single_line(edits->arena, index);
	}
	text_puts(out, assigns ? " }" : "}");
}

void whole_record_edit(struct rewriter *rewriter, const struct group_plan *plan, const struct reference *reference,
                       const char *const *pointers)
{
	const struct source *source = rewriter->source;
	struct whole_edit *whole = arena_alloc(rewriter->arena, sizeof(*whole));
	unsigned equals = source_token_at(source, reference->whole.end), end = assignment_end(source, reference);
	struct range range = reference->whole;

	*whole = (struct whole_edit){.plan = plan, .reference = reference, .pointers = pointers};
	whole->path = record_path(rewriter->arena, source, reference);
	whole->type = reference_record(source, reference, plan->group->record)->type.spelling;
	if (end != NO_TOKEN) {
		whole->name = rewriter_name(rewriter, "value");
		whole->value = (struct range){source->tokens[equals + 1].begin, source->tokens[end - 1].end};
		range.end = source->tokens[end].end;
	}
	edits_add_function(&rewriter->edits, range, whole_write, whole);
}

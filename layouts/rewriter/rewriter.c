/*
 * What the device side and the host side of a rewriting share: names that are free, blocks of declarations, plans by
 * group.
 */
#include "layouts/rewriter/rewriter.h"

struct group_plan *rewriter_group(const struct rewriter *rewriter, const struct layout_group *group)
{
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (rewriter->groups->list[g] == group)
			return &rewriter->group_plans[g];
	bug("a binding of an unknown group");
}

const char *rewriter_name(const struct rewriter *rewriter, const char *base)
{
	while (edit_has_identifier(rewriter->source, base))
		base = arena_printf(rewriter->arena, "%s_", base);
	return base;
}

/* The keyword of a record that has its name as its tag; NULL where the name is that of a typedef. */
static const char *tag_keyword(const struct edit_source *source, const struct record *record, const char *name)
{
	unsigned i;

	if (range_is_empty(record->range))
		return "struct";
	i = edit_record_keyword(source, record->range.begin);
	for (unsigned t = i; t < source->token_count && !edit_is(source, t, "{"); t++)
		if (edit_is(source, t, name))
			return edit_is(source, i, "class") ? "class" : "struct";
	return NULL;
}

const char *rewriter_record_name(const struct rewriter *rewriter, const struct record *record)
{
	const char *spelling = edit_spelling(rewriter->arena, record->type.spelling), *keyword;
	const char *name = arena_strndup(rewriter->arena, spelling, strcspn(spelling, "<"));

	if (strchr(name, ':') || !edit_name_may_be_hidden(rewriter->source, name))
		return spelling;
	keyword = tag_keyword(rewriter->source, record, name);
	if (keyword)
		return arena_printf(rewriter->arena, "%s %s", keyword, spelling);
	return rewriter->purpose == REWRITE_COMPILE ? spelling : arena_printf(rewriter->arena, "::%s", spelling);
}

const char *rewriter_type_name(const char *record_name)
{
	const char *space = strchr(record_name, ' '), *angle = strchr(record_name, '<');

	return space && (!angle || space < angle) ? space + 1 : record_name;
}

char *rewriter_line_marker(struct arena *arena, const struct analysis *analysis, unsigned offset)
{
	struct place place = analysis_place(analysis, offset);
	struct text out = {0};
	char *copy;

	text_printf(&out, "#line %u \"", place.line);
	for (const char *path = place.file; *path; path++)
		text_printf(&out, "%c", *path == '"' || *path == '\\' ? '_' : *path);
	text_puts(&out, "\"\n");
	copy = arena_strdup(arena, out.data);
	text_release(&out);
	return copy;
}

char *rewriter_block(const struct rewriter *rewriter, struct text *block, unsigned place)
{
	struct text out = {0};
	char *copy;

	if (place > 0 && rewriter->source->text[place - 1] != '\n')
		text_puts(&out, "\n");
	if (rewriter->purpose == REWRITE_COMPILE)
		text_puts(&out, "#line 1 \"" GENERATED_FILE "\"\n");
	for (const char *p = block->data; *p; p++)
		if (*p == '\t')
			text_puts(&out, rewriter->indentation);
		else
			text_append(&out, p, 1);
	if (rewriter->purpose == REWRITE_COMPILE)
		text_puts(&out, rewriter_line_marker(rewriter->arena, rewriter->analysis, place));
	copy = arena_strdup(rewriter->arena, out.data);
	text_release(&out);
	text_release(block);
	return copy;
}

const struct group_plan *rewriter_binding_change(const struct rewriter *rewriter, const struct layout_binding *binding)
{
	const struct group_plan *plan = binding ? rewriter_group(rewriter, binding->group) : NULL;

	return plan && plan->change == CHANGE_BUFFERS ? plan : NULL;
}

const char *rewriter_buffer_member(struct arena *arena, const struct placement *placement, unsigned buffer)
{
	const struct placement_buffer *part = &placement->buffers[buffer];
	const struct layout_field *field = &placement->group->fields[part->field];
	const char *name = field->name;
	uint64_t below = field->count, inner = part->inner;

	for (unsigned d = 0; placement->fields[part->field].is_split && d < field->dimension_count; d++) {
		below /= field->dimensions[d];
		name = arena_printf(arena, "%s[%u]", name, (unsigned)(inner / below));
		inner %= below;
	}
	return name;
}

bool rewriter_joins_pointers(const struct group_plan *plan)
{
	return plan->placement->joins_pointers && plan->placement->buffer_count > 1;
}

/* Whether the file declares the name at a token as a pointer to the record, perhaps behind another one. */
static bool is_pointer(const struct rewriter *rewriter, const char *record, unsigned name)
{
	const struct edit_source *source = rewriter->source;
	const char *text = edit_copy(rewriter->arena, source,
	                             (struct range){source->tokens[name].begin, source->tokens[name].end});

	for (unsigned d = 2; source->tokens[name].kind == TOKEN_IDENTIFIER && d < source->token_count; d++)
		if (edit_is(source, d, text) && edit_is(source, d - 1, "*") &&
		    (edit_is(source, d - 2, record) || edit_is(source, d - 2, ",")))
			return true;
	return false;
}

bool rewriter_compares(const struct rewriter *rewriter, const char *record, const char *operator)
{
	for (unsigned i = 1; i + 1 < rewriter->source->token_count; i++)
		if (edit_is(rewriter->source, i, operator) && is_pointer(rewriter, record, i - 1) &&
		    is_pointer(rewriter, record, i + 1))
			return true;
	return false;
}

/*
 * One mention of a pointer in a kernel: what it names.
 */
#include "layouts/device/internal.h"

unsigned device_field_of_leaf(const struct layout_group *group, const struct leaf *leaf)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (row_field_holds(&group->fields[f], leaf))
			return f;
	bug("a leaf that is no field: %s", leaf->path);
}

void device_references_index(struct arena *arena, struct kernel_plan *plan)
{
	for (unsigned r = 0; r < plan->kernel->reference_count; r++)
		lookup_add(arena, &plan->references, lookup_mix(0, plan->kernel->references[r].whole.begin), r);
}

bool device_reference_is_part(const struct kernel_plan *plan, const struct reference *reference)
{
	const struct lookup_entry *entry = lookup_first(&plan->references, lookup_mix(0, reference->whole.begin));

	for (; entry; entry = lookup_next(&plan->references, entry)) {
		struct range whole = plan->kernel->references[entry->position].whole;

		if (whole.begin == reference->whole.begin && whole.end > reference->whole.end)
			return true;
	}
	return false;
}

const struct member *device_member(const struct record *record, const char *name, size_t length)
{
	for (unsigned m = 0; m < record->member_count; m++)
		if (strlen(record->members[m].name) == length && memcmp(record->members[m].name, name, length) == 0)
			return &record->members[m];
	return NULL;
}

struct device_part device_reference_part(struct arena *arena, const struct edit_source *source,
                                         const struct reference *reference, const struct record *record)
{
	struct device_part part = {.record = record, .path = ""};
	unsigned i = edit_reference_tail(source, reference) + 1;

	while (part.record && i < source->token_count && source->tokens[i].begin < reference->whole.end) {
		struct range name = {source->tokens[i].begin, source->tokens[i].end};
		const struct member *member =
			device_member(part.record, source->text + name.begin, name.end - name.begin);
		unsigned dimensions = 0;

		part.path =
			arena_printf(arena, "%s%s%s", part.path, *part.path ? "." : "", edit_copy(arena, source, name));
		for (i++; edit_is(source, i, "["); i = source->tokens[i].match + 1)
			dimensions++;
		part.inner_count += dimensions;
		part.record = member && member->dimension_count == dimensions ? record_inside(member) : NULL;
		i++;
	}
	return part;
}

bool device_reference_is_whole(const struct rewriter *rewriter, const struct layout_group *group,
                               const struct reference *reference, unsigned *field)
{
	struct device_part part;

	if (reference->leaf || !group->record)
		return false;
	part = device_reference_part(rewriter->arena, rewriter->source, reference, group->record);
	for (*field = 0; *field < group->field_count; ++*field)
		if (group->fields[*field].whole && strcmp(group->fields[*field].path, part.path) == 0 &&
		    group->fields[*field].dimension_count == part.inner_count)
			return true;
	return false;
}

bool device_field_belongs(const struct layout_field *field, const char *path, const char **rest)
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

const char *device_record_spelling(const struct rewriter *rewriter, const struct parameter *parameter,
                                   const struct layout_group *group)
{
	const struct edit_source *source = rewriter->source;
	unsigned i = edit_token_at(source, parameter->range.begin), first, depth = 0;

	while (group->family && i < source->token_count && source->tokens[i].begin < parameter->name_range.begin &&
	       !(edit_is(source, i, group->family->name) && edit_is(source, i + 1, "<")))
		i++;
	if (!group->family || i >= source->token_count || source->tokens[i].begin >= parameter->name_range.begin)
		return NULL;
	for (first = i; first > 1 && edit_is(source, first - 1, "::"); first--)
		first -= source->tokens[first - 2].kind == TOKEN_IDENTIFIER ? 1 : 0;
	for (i++; i < source->token_count; i++) {
		depth += edit_is(source, i, "<");
		depth -= edit_is(source, i, ">") ? 1 : edit_is(source, i, ">>") ? 2 : 0;
		if (depth == 0)
			break;
	}
	return edit_single_line(
		rewriter->arena,
		edit_copy(rewriter->arena, source, (struct range){source->tokens[first].begin, source->tokens[i].end}));
}

char *device_reference_inner(const struct edits *edits, const struct edit *edit, const struct reference *reference,
                             unsigned end)
{
	const struct edit_source *source = edits->source;
	struct text out = {0};
	char *copy;

	for (unsigned i = edit_reference_tail(source, reference); i < end; i++)
		if (edit_is(source, i, "[")) {
			unsigned close = source->tokens[i].match;

			edit_render(&out, edits, (struct range){source->tokens[i].begin, source->tokens[close].end},
			            edit);
			i = close;
		}
	copy = arena_strdup(edits->arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

/* ---- copies of members --------------------------------------------------------------- */

/* The member that token i names in a record or the records in it, or NULL. */
static const struct member *member_named(const struct edit_source *source, const struct record *record, unsigned i)
{
	const struct member *found = NULL;

	for (unsigned m = 0; !found && m < record->member_count; m++) {
		if (edit_is(source, i, record->members[m].name))
			return &record->members[m];
		if (record_inside(&record->members[m]))
			found = member_named(source, record_inside(&record->members[m]), i);
	}
	return found;
}

/* The record that the member of that name is, the same in all records that are laid out; NULL where it is none. */
static const struct record *member_record(const struct rewriter *rewriter, unsigned i)
{
	const struct member *found = NULL;

	for (unsigned g = 0; g < rewriter->groups->count; g++) {
		const struct record *record = rewriter->groups->list[g]->record;
		const struct member *member = record ? member_named(rewriter->source, record, i) : NULL;

		if (found && member && strcmp(found->type.spelling, member->type.spelling) != 0)
			return NULL;
		found = member ? member : found;
	}
	return found && found->dimension_count == 0 ? record_inside(found) : NULL;
}

/* Whether the text at that range is replaced already. */
static bool is_edited(const struct edits *edits, struct range range)
{
	for (unsigned e = 0; e < edits->count; e++)
		if (edits->list[e].range.begin == range.begin && edits->list[e].range.end == range.end)
			return true;
	return false;
}

void device_members_edit(struct rewriter *rewriter, struct range body)
{
	const struct edit_source *source = rewriter->source;
	unsigned begin = edit_token_at(source, body.begin), end = edit_token_at(source, body.end);

	for (unsigned i = begin; i + 4 < end; i++) {
		const struct record *record = NULL;
		unsigned last = i + 3;

		if (!edit_is(source, i, "auto") || !edit_is(source, i + 2, "="))
			continue;
		last = edit_is(source, last, "(") ? source->tokens[last].match : last;
		for (; last + 1 < end; last++)
			if (edit_is(source, last + 1, "["))
				last = source->tokens[last + 1].match - 1;
			else if (source->tokens[last + 1].kind != TOKEN_IDENTIFIER && !edit_is(source, last + 1, ".") &&
			         !edit_is(source, last + 1, "->") && !edit_is(source, last + 1, "]"))
				break;
		if (edit_is(source, last + 1, ";") &&
		    (edit_is(source, last - 1, ".") || edit_is(source, last - 1, "->")))
			record = member_record(rewriter, last);
		if (record &&
		    !is_edited(&rewriter->edits, (struct range){source->tokens[i].begin, source->tokens[i].end}))
			edit_add(&rewriter->edits, (struct range){source->tokens[i].begin, source->tokens[i].end},
			         rewriter_record_name(rewriter, record));
	}
}

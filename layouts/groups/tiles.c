/*
 * Records that are tiles already: `struct { float x[32], y[32]; }`, indexed as p[e >> 5].x[e & 31] everywhere. So
 * that a file in that layout can be rewritten into the others.
 */
#include <stdlib.h>

#include "layouts/groups/groups.h"

/* Reads "@operand OPERATOR #number" with one of two operators, each with its number. */
static bool operand_read(const struct edit_source *source, struct range range, const char *pattern, unsigned number,
                         struct range *operand)
{
	struct edit_match match;

	if (!edit_match_range(source, range, pattern, &match) ||
	    strtoul(source->text + edit_hole(&match, "number").begin, NULL, 0) != number)
		return false;
	*operand = edit_hole(&match, "operand");
	return true;
}

/* Whether two ranges are the same tokens. */
static bool ranges_equal(const struct edit_source *source, struct range a, struct range b)
{
	unsigned i = edit_token_at(source, a.begin), k = edit_token_at(source, b.begin);
	unsigned a_end = edit_token_at(source, a.end), b_end = edit_token_at(source, b.end);

	if (a_end - i != b_end - k)
		return false;
	for (; i < a_end; i++, k++) {
		const struct edit_token *left = &source->tokens[i], *right = &source->tokens[k];

		if (left->end - left->begin != right->end - right->begin ||
		    memcmp(source->text + left->begin, source->text + right->begin, left->end - left->begin) != 0)
			return false;
	}
	return true;
}

/* Index of the last `[` of a reference, its lane's; EDIT_NO_TOKEN where it has none. */
static unsigned lane_bracket(const struct edit_source *source, const struct reference *reference)
{
	unsigned found = EDIT_NO_TOKEN;

	for (unsigned i = edit_reference_tail(source, reference);
	     i < source->token_count && source->tokens[i].begin < reference->whole.end; i++)
		if (edit_is(source, i, "[")) {
			found = i;
			i = source->tokens[i].match;
		}
	return found;
}

bool group_tile_reference_read(const struct edit_source *source, const struct reference *reference, unsigned tile,
                               struct group_tile_reference *parts)
{
	unsigned lane = lane_bracket(source, reference), shift = 0;
	struct range index, element, lane_element;
	struct edit_match match;

	while (1u << shift < tile)
		shift++;
	if (reference->kind != REFERENCE_ELEMENT || range_is_empty(reference->index) || lane == EDIT_NO_TOKEN)
		return false;
	index = (struct range){source->tokens[lane].end, source->tokens[source->tokens[lane].match].begin};
	if (!operand_read(source, reference->index, "@operand >> #number", shift, &element) &&
	    !operand_read(source, reference->index, "@operand / #number", tile, &element))
		return false;
	if (!operand_read(source, index, "@operand & #number", tile - 1, &lane_element) &&
	    !operand_read(source, index, "@operand % #number", tile, &lane_element))
		return false;
	if (!ranges_equal(source, element, lane_element))
		return false;
	parts->element = edit_match_range(source, element, "(@inner)", &match) ? edit_hole(&match, "inner") : element;
	parts->lane = lane;
	return true;
}

/* The lanes that all members of a record have as their last dimension, a power of two; 0 where they do not. */
static unsigned record_lanes(const struct record *record)
{
	unsigned lanes = 0;

	for (unsigned m = 0; m < record->member_count; m++) {
		const struct member *member = &record->members[m];
		unsigned last = member->dimension_count > 0 ? member->dimensions[member->dimension_count - 1] : 0;

		if (last < 2 || (last & (last - 1)) != 0 || member->type.record || (lanes > 0 && last != lanes))
			return 0;
		lanes = last;
	}
	return lanes;
}

unsigned group_tiles_recognise(const struct analysis *analysis, const struct edit_source *source,
                               const struct record *record)
{
	unsigned lanes = record_lanes(record), found = 0;
	struct group_tile_reference parts;

	for (unsigned k = 0; lanes > 0 && k < analysis->kernel_count; k++)
		for (unsigned r = 0; r < analysis->kernels[k]->reference_count; r++) {
			const struct reference *reference = &analysis->kernels[k]->references[r];

			if (reference->parameter->type.record != record)
				continue;
			if (!reference->leaf || !group_tile_reference_read(source, reference, lanes, &parts))
				return 0;
			found++;
		}
	return found > 0 ? lanes : 0;
}

bool group_field_is_scattered(const struct layout_group *group, unsigned field)
{
	const struct record *record = group->record;

	for (const char *path = group->fields[field].path; record && *path;) {
		size_t length = strcspn(path, ".");
		const struct member *found = NULL;

		for (unsigned m = 0; m < record->member_count; m++)
			if (strlen(record->members[m].name) == length &&
			    memcmp(record->members[m].name, path, length) == 0)
				found = &record->members[m];
		if (!found || path[length] == '\0')
			return false;
		if (found->dimension_count > 0)
			return true;
		record = record_inside(found);
		path += length + 1;
	}
	return false;
}

/*
 * Records that are tiles already: `struct { float x[32], y[32]; }`, indexed as p[e >> 5].x[e & 31] everywhere. So
 * that a file in that layout can be rewritten into the others.
 */
#include <stdlib.h>

#include "layouts/groups/groups.h"

/* The number that a token is, 0 where it is none. */
static unsigned token_number(const struct edit_source *source, unsigned i)
{
	if (i >= source->token_count || source->tokens[i].kind != TOKEN_NUMBER)
		return 0;
	return (unsigned)strtoul(source->text + source->tokens[i].begin, NULL, 0);
}

/* Whether tokens [begin, end) are an operand followed by an operator and a number. */
static bool ends_with(const struct edit_source *source, unsigned begin, unsigned end, const char *operator, unsigned number)
{
	return end > begin + 2 && edit_is(source, end - 2, operator) && token_number(source, end - 1) == number;
}

static bool tokens_equal(const struct edit_source *source, unsigned a, unsigned b, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct edit_token *left = &source->tokens[a + i], *right = &source->tokens[b + i];

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
	unsigned begin = edit_token_at(source, reference->index.begin), end = edit_token_at(source, reference->index.end);
	unsigned lane = lane_bracket(source, reference), close, shift = 0;

	while (1u << shift < tile)
		shift++;
	if (reference->kind != REFERENCE_ELEMENT || range_is_empty(reference->index) || lane == EDIT_NO_TOKEN)
		return false;
	close = source->tokens[lane].match;
	if (!ends_with(source, begin, end, ">>", shift) && !ends_with(source, begin, end, "/", tile))
		return false;
	if (!ends_with(source, lane + 1, close, "&", tile - 1) && !ends_with(source, lane + 1, close, "%", tile))
		return false;
	if (end - begin != close - lane - 1 || !tokens_equal(source, begin, lane + 1, end - begin - 2))
		return false;
	if (edit_is(source, begin, "(") && source->tokens[begin].match == end - 3) {
		begin++;
		end--;
	}
	parts->element = (struct range){source->tokens[begin].begin, source->tokens[end - 3].end};
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

unsigned group_tiles_recognise(const struct analysis *analysis, const struct edit_source *source, const struct record *record)
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
			if (strlen(record->members[m].name) == length && memcmp(record->members[m].name, path, length) == 0)
				found = &record->members[m];
		if (!found || path[length] == '\0')
			return false;
		if (found->dimension_count > 0)
			return true;
		record = found->type.record;
		path += length + 1;
	}
	return false;
}

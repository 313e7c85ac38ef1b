/*
 * The leaves of a record: which one lies where. Several lie at one place where the record has a union or bit-fields;
 * names tell these apart.
 */
#include "analyzer/types/types.h"

#include <string.h>

const struct record *record_inside(const struct member *member)
{
	return member->is_whole ? NULL : member->type.record;
}

bool record_moves_whole(const struct record *record, bool in_array)
{
	for (unsigned l = 0; in_array && !record->opaque_reason && l < record->leaf_count; l++)
		if (record->leaves[l].count > 1)
			return true;
	return record->opaque_reason ? record->moves_whole : record->has_private;
}

const char *leaf_name(const struct leaf *leaf)
{
	const char *dot = strrchr(leaf->path, '.');

	return dot ? dot + 1 : leaf->path;
}

/* The first leaf, in the order of offsets, that does not lie before an offset. */
static unsigned leaf_search(const struct record *record, uint64_t offset)
{
	unsigned low = 0, high = record->leaf_count;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (record->leaves[middle].offset_bytes < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct leaf *leaf_at(const struct record *record, uint64_t offset, uint64_t size, const char *name)
{
	const struct leaf *found = NULL;

	for (unsigned i = record ? leaf_search(record, offset) : 0;
	     record && i < record->leaf_count && record->leaves[i].offset_bytes == offset; i++) {
		if (record->leaves[i].type.size_bytes != size)
			continue;
		if (name && strcmp(leaf_name(&record->leaves[i]), name) == 0)
			return &record->leaves[i];
		found = found ? found : &record->leaves[i];
	}
	return found;
}

const struct leaf *leaf_holding(const struct record *record, uint64_t offset, uint64_t size, const char *name,
                                uint64_t *position)
{
	const struct leaf *found = NULL;

	for (unsigned i = 0; record && i < record->leaf_count; i++) {
		const struct leaf *leaf = &record->leaves[i];
		uint64_t behind = offset - leaf->offset_bytes;
		bool is_named = name && strcmp(leaf_name(leaf), name) == 0;

		if (offset < leaf->offset_bytes || leaf->type.size_bytes != size || leaf->stride_bytes == 0 ||
		    behind % leaf->stride_bytes != 0 || behind / leaf->stride_bytes >= leaf->count ||
		    (found && !is_named))
			continue;
		*position = behind / leaf->stride_bytes;
		found = leaf;
		if (is_named)
			break;
	}
	return found;
}

bool leaf_overlaps(const struct record *record, unsigned leaf)
{
	const struct leaf *before = leaf > 0 ? &record->leaves[leaf - 1] : NULL;

	return before && record->leaves[leaf].offset_bytes < before->offset_bytes + before->type.size_bytes;
}

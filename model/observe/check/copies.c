/* What programs copy to the host. Copies are paired in their order, as rewriting leaves the host's own memory as it is.
 */
#include "model/observe/check/check.h"
#include "model/observe/copies.h"

#include <string.h>
#include <sys/stat.h>

/* The next copy of a file, whose bytes lie there. Returns its length in the file; 0: there is none. */
static size_t copy_read(const uint8_t *at, size_t left, struct check_copy *copy, bool *cut)
{
	struct copies_head head;
	if (left < sizeof head)
		return 0;
	memcpy(&head, at, sizeof head);
	*cut = head.height == 0;
	if (*cut || head.width == 0 || head.height > (left - sizeof head) / head.width)
		return 0;
	*copy = (struct check_copy){head.pitch, head.width, head.height, at + sizeof head};
	return sizeof head + head.width * head.height;
}

struct check_copies check_copies_read(struct arena *arena, const char *path)
{
	struct check_copies copies = {0};
	struct check_copy copy;
	size_t length = 0, size;
	struct stat status;
	const bool is_file = lstat(path, &status) == 0 && S_ISREG(status.st_mode);
	const uint8_t *data = is_file ? (const uint8_t *)file_read(arena, path, &length) : NULL;
	for (size_t at = 0; data && (size = copy_read(data + at, length - at, &copy, &copies.cut)); at += size)
		ARENA_PUSH(arena, copies.list, copies.count, copy);
	return copies;
}

/* Whether elements of that record fill the rows of both, as many in either. */
static bool is_of(const struct check_record *record, const struct check_copy *original, const struct check_copy *other)
{
	return original->width % record->original_bytes == 0 && other->width % record->other_bytes == 0 &&
	       original->width / record->original_bytes == other->width / record->other_bytes &&
	       original->height == other->height;
}

/* Whether copies of records differ in a member; *byte is where, in the original. */
static bool members_differ(const struct check_record *record, const struct check_copy *original,
                           const struct check_copy *other, uint64_t *byte)
{
	const uint64_t common =
		record->original_bytes < record->other_bytes ? record->original_bytes : record->other_bytes;
	const uint64_t elements = original->width * original->height / record->original_bytes;
	for (uint64_t e = 0; e < elements; e++)
		for (uint64_t b = 0; b < common; b++)
			if (record->is_used[b] && original->data[e * record->original_bytes + b] !=
			                                  other->data[e * record->other_bytes + b]) {
				*byte = e * record->original_bytes + b;
				return true;
			}
	return false;
}

static bool same_shape(const struct check_copy *a, const struct check_copy *b)
{
	return a->width == b->width && a->height == b->height && (a->height == 1 || a->pitch == b->pitch);
}

/* Compares one pair. False where the shapes differ. */
static bool pair_compare(const struct check_copy *original, const struct check_copy *other,
                         const struct check_record *records, unsigned record_count, struct check_copies_result *result)
{
	const bool same = same_shape(original, other);
	const uint64_t bytes = original->width * original->height;
	uint64_t byte = 0;
	bool comparable = same;
	if (same && memcmp(original->data, other->data, bytes) == 0)
		return true;
	for (unsigned r = 0; r < record_count; r++) {
		bool fits = is_of(&records[r], original, other);
		if (fits && !members_differ(&records[r], original, other, &byte))
			return true;
		comparable |= fits;
	}
	if (!comparable)
		return false;
	for (byte = same ? 0 : byte; same && original->data[byte] == other->data[byte];)
		byte++;
	*result = (struct check_copies_result){result->compared, true, byte, original->data[byte], other->data[byte]};
	return true;
}

struct check_copies_result check_copies_compare(const struct check_copies *original, const struct check_copies *other,
                                                const struct check_record *records, unsigned record_count)
{
	struct check_copies_result result = {0};
	while (!result.differ && result.compared < original->count && result.compared < other->count &&
	       pair_compare(&original->list[result.compared], &other->list[result.compared], records, record_count,
	                    &result))
		result.compared++;
	return result;
}

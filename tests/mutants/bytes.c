/*
 * Changes of binary files: single bits and bytes, whole numbers at even places (sizes, offsets and counts of ELF),
 * ranges that are copied or zeroed, and a cut.
 */
#include "mutants.h"

#include <string.h>

#define HEADER_BYTES 64

static void number_put(struct blob *data)
{
	static const uint64_t numbers[] = {
		0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff, UINT64_C(0x7fffffffffffffff), UINT64_MAX};
	size_t width = (size_t)2 << chance_below(3);
	uint64_t number = numbers[chance_below(ARRAY_COUNT(numbers))];
	if (data->length < width)
		return;
	size_t at = chance_below((chance_below(4)               ? data->length
	                          : HEADER_BYTES < data->length ? HEADER_BYTES
	                                                        : data->length) -
	                         width + 1);
	memcpy(data->data + at / 2 * 2, &number, width < data->length - at / 2 * 2 ? width : data->length - at / 2 * 2);
}

static void range_copy(struct blob *data)
{
	size_t from = chance_below(data->length), to = chance_below(data->length), count = 1 + chance_below(256);
	size_t left = data->length - (from > to ? from : to);
	memmove(data->data + to, data->data + from, count < left ? count : left);
}

static void range_zero(struct blob *data)
{
	size_t at = chance_below(data->length), count = 1 + chance_below(64);
	memset(data->data + at, 0, count < data->length - at ? count : data->length - at);
}

static void bytes_change(struct blob *data)
{
	size_t at = chance_below(data->length);
	switch (chance_below(7)) {
	case 0:
	case 1:
		data->data[at] = (char)chance_below(256);
		break;
	case 2:
		data->data[at] = (char)(data->data[at] ^ (1 << chance_below(8)));
		break;
	case 3:
	case 4:
		number_put(data);
		break;
	case 5:
		(chance_below(2) ? range_copy : range_zero)(data);
		break;
	default:
		data->length = chance_below(8) ? data->length : at;
		break;
	}
}

struct blob bytes_mutate(struct arena *arena, struct blob data)
{
	struct blob changed = {arena_strndup(arena, "", 0), data.length};
	changed.data = arena_alloc(arena, data.length + 1);
	memcpy(changed.data, data.data, data.length);
	for (unsigned i = chance_changes(); i > 0 && changed.length; i--)
		bytes_change(&changed);
	return changed;
}

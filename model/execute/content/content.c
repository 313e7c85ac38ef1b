/* Declared content, element by element. */
#include "model/execute/content/content.h"

#include <string.h>

#define BUFFER_SHIFT 40

uint64_t content_address(unsigned buffer)
{
	return (uint64_t)(buffer + 1) << BUFFER_SHIFT;
}

bool content_locate(uint64_t address, unsigned buffer_count, unsigned *buffer, int64_t *offset)
{
	uint64_t nearest = (address + (UINT64_C(1) << (BUFFER_SHIFT - 1))) >> BUFFER_SHIFT;

	if (nearest == 0 || nearest > buffer_count)
		return false;
	*buffer = (unsigned)(nearest - 1);
	*offset = (int64_t)(address - content_address(*buffer));
	return true;
}

/* A number that looks random and is a function of its argument alone (splitmix64 by S. Vigna, public domain). */
uint64_t content_scramble(uint64_t number)
{
	number += UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

double content_fraction(uint64_t number)
{
	return (double)(content_scramble(number) >> 11) * 0x1p-53;
}

/* The random number of an element. */
static uint64_t element_hash(const struct content *content, int64_t index)
{
	return content_scramble((uint64_t)index ^ content_scramble(content->seed));
}

static bool is_power(uint64_t number)
{
	return number && !(number & (number - 1));
}

/* number % divisor: most are powers of two, and a division takes as long as all else here. */
static uint64_t remainder_of(uint64_t number, uint64_t divisor)
{
	return is_power(divisor) ? number & (divisor - 1) : number % divisor;
}

/* A float or double in [0.5, 1.5), with 24 random bits. */
static int64_t real_bits(unsigned bytes, uint64_t hash)
{
	double number = 0.5 + (double)(hash >> 40) * 0x1p-24;
	float narrow = (float)number;
	uint32_t low;
	int64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	memcpy(&low, &narrow, sizeof(low));
	return bytes == sizeof(double) ? bits : (int64_t)low;
}

bool content_value(const struct content *content, int64_t index, int64_t *value)
{
	uint64_t span = (uint64_t)content->high - (uint64_t)content->low;

	switch (content->kind) {
	case CONTENT_SEQUENCE:
		*value = (int64_t)((uint64_t)content->low + (uint64_t)index * (uint64_t)content_step(content));
		return true;
	case CONTENT_UNIFORM:
		*value = content->low;
		if (span)
			*value = (int64_t)((uint64_t)content->low + remainder_of(element_hash(content, index), span));
		return true;
	case CONTENT_REAL:
		*value = real_bits(content->element_bytes, element_hash(content, index));
		return content->element_bytes == sizeof(float) || content->element_bytes == sizeof(double);
	case CONTENT_VALUES:
		if (index < 0 || (uint64_t)index >= content->count)
			return false;
		*value = content->values[index];
		return true;
	default:
		return false;
	}
}

/* floor(number / divisor) of a positive divisor, which is most often a power of two. */
static int64_t quotient_of(int64_t number, int64_t divisor)
{
	if (is_power((uint64_t)divisor))
		return number >> __builtin_ctzll((uint64_t)divisor);
	return number / divisor - (number % divisor < 0);
}

/* Whether the byte at an offset lies in an element of the content. */
static bool is_in(const struct content *content, int64_t offset, struct content_place *place)
{
	int64_t size = content->element_bytes, tile = content->tile ? content->tile : 1, period, inner;

	period = content->tile           ? (int64_t)content->tile_bytes
	         : content->stride_bytes ? (int64_t)content->stride_bytes
	                                 : size;
	offset -= content->offset_bytes;
	if (content->kind == CONTENT_UNKNOWN || size == 0 || period == 0 || offset < 0)
		return false;
	place->content = content;
	place->index = quotient_of(offset, period) * tile;
	inner = offset - place->index / tile * period;
	if (inner >= size * tile)
		return false;
	place->index += inner / size;
	place->byte = (unsigned)(inner % size);
	return true;
}

bool content_find(const struct content *list, int64_t offset, struct content_place *place)
{
	while (list && !is_in(list, offset, place))
		list = list->next;
	return list != NULL;
}

unsigned content_piece(const struct content_place *place, unsigned most, uint64_t *piece)
{
	unsigned left = place->content->element_bytes - place->byte, bytes = left < most ? left : most;
	int64_t value;

	if (place->byte + bytes > sizeof(value) || !content_value(place->content, place->index, &value))
		return 0;
	*piece = (uint64_t)value >> 8 * place->byte;
	if (bytes < sizeof(*piece))
		*piece &= (UINT64_C(1) << 8 * bytes) - 1;
	return bytes;
}

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

/* Where an element of random content lies: members of records that share a buffer are independent of each other. */
static uint64_t element_place(const struct content *content, unsigned buffer, int64_t index)
{
	uint64_t member = content->offset_bytes ? content_scramble(content->offset_bytes) : 0;

	return (uint64_t)index ^ (uint64_t)buffer << 48 ^ member;
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

bool content_value(const struct content *content, unsigned buffer, int64_t index, int64_t *value)
{
	uint64_t span = (uint64_t)content->high - (uint64_t)content->low;

	switch (content->kind) {
	case CONTENT_SEQUENCE:
		*value = (int64_t)((uint64_t)index * (uint64_t)content_step(content));
		return true;
	case CONTENT_UNIFORM:
		*value = content->low;
		if (span)
			*value = (int64_t)((uint64_t)content->low +
			                   remainder_of(content_scramble(element_place(content, buffer, index)), span));
		return true;
	case CONTENT_REAL:
		*value = real_bits(content->element_bytes, content_scramble(element_place(content, buffer, index)));
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

/* Whether an element of the content begins at the offset, and which. */
static bool element_at(const struct content *content, int64_t offset, int64_t *index)
{
	int64_t size = content->element_bytes, stride = content->stride_bytes ? (int64_t)content->stride_bytes : size, rest;

	offset -= content->offset_bytes;
	if (content->kind == CONTENT_UNKNOWN || size == 0 || offset < 0)
		return false;
	if (!content->tile) {
		*index = is_power((uint64_t)stride) ? offset >> __builtin_ctzll((uint64_t)stride) : offset / stride;
		return offset == *index * stride;
	}
	rest = content->tile_bytes ? offset % content->tile_bytes : -1;
	if (rest < 0 || rest % size || rest / size >= content->tile)
		return false;
	*index = offset / content->tile_bytes * content->tile + rest / size;
	return true;
}

const struct content *content_at(const struct content *content, int64_t offset, int64_t *index)
{
	while (content && !element_at(content, offset, index))
		content = content->next;
	return content;
}

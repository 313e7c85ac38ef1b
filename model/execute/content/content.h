/*
 * content: what memory holds, as far as that is declared, and where it lies.
 *
 * Pointers are plain numbers: buffer b begins at content_address(b), far from the others, so that arithmetic on them is
 * arithmetic and an address that leaves its buffer by a little is still known to be that buffer's. Spaces with
 * addresses of their own (shared, local) begin at 0. Prefix: content_.
 */
#ifndef COALESCE_MODEL_EXECUTE_CONTENT_H
#define COALESCE_MODEL_EXECUTE_CONTENT_H

#include "base/base.h"

/* Declared content of memory that addresses or branches depend on (--index), or what is supposed where nothing is
 * declared. */
enum content_kind { CONTENT_UNKNOWN, CONTENT_SEQUENCE, CONTENT_UNIFORM, CONTENT_VALUES, CONTENT_REAL };
struct content {
	enum content_kind kind;
	bool supposed; /* nobody says so: what measuring programs hold, followed where evaluate_input.supposes alone */
	int64_t step;  /* SEQUENCE: element i is low + i * step; 0 stands for 1 */
	int64_t low, high; /* UNIFORM: each element independently uniform in [low, high), drawn by seed and index */
	const int64_t
		*values; /* VALUES; REAL: float or double by element_bytes, each independently uniform in [0.5, 1.5) */
	uint64_t count;
	uint64_t seed; /* UNIFORM, REAL: of the array and member, so that an element has one value in all layouts */
	unsigned element_bytes; /* of the index type */
	/* Where element i lies: stride_bytes * i + offset_bytes (stride 0: element_bytes), as a member of records does;
	 * with tile elements side by side in tiles of tile_bytes: tile_bytes * (i / tile) + offset_bytes +
	 * element_bytes * (i % tile). */
	unsigned stride_bytes, offset_bytes, tile, tile_bytes;
	const struct content *next; /* further members of the same buffer, or NULL */
};

/* Bytes of a record, or of a tile of records, that belong to one member. */
struct buffer_part {
	uint64_t first, bytes;
};
/* One allocation in global memory. Pointers to it evaluate to content_address(index) + offset. */
struct memory_buffer {
	const char *name;
	uint64_t bytes; /* 0: unknown */
	struct content content;
	/* Of several members: where they lie in each `period` bytes; part_count 0 and period 0: of one, or not known.
	 */
	struct buffer_part *parts;
	unsigned part_count;
	uint64_t period;
};

uint64_t content_address(unsigned buffer);
/* By how much one element of a sequence is above the one before. */
static inline int64_t content_step(const struct content *content)
{
	return content->step ? content->step : 1;
}
/* The element of that index, of a real number its bits; false where it is not declared. */
bool content_value(const struct content *content, int64_t index, int64_t *value);
/* A byte of a buffer: in which element of which content of a list it lies, and how many bytes of the element come
 * before. */
struct content_place {
	const struct content *content;
	int64_t index;
	unsigned byte;
};
/* Finds the byte at an offset in the buffer, by the first content of the list that has it. */
bool content_find(const struct content *list, int64_t offset, struct content_place *place);
/* The bytes from a place to the end of its element, at most `most` (8 or fewer), as a number. Returns how many; 0: not
 * declared. */
unsigned content_piece(const struct content_place *place, unsigned most, uint64_t *piece);
/* The buffer and offset of an address; false when it lies in none (offset may be past the end or negative: still that
 * buffer). */
bool content_locate(uint64_t address, unsigned buffer_count, unsigned *buffer, int64_t *offset);

/* A number that looks random and is a function of its argument alone. */
uint64_t content_scramble(uint64_t number);
/* The same in [0, 1). */
double content_fraction(uint64_t number);

#endif

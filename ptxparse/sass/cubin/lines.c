/*
 * The line table: .debug_line, DWARF 2 with one operation of NVIDIA's. A unit has a list of files and a program; the
 * program makes rows: from this address on, this line. Addresses are those of functions, which relocations name. After
 * the operation "inlined call" rows are of a function inlined at the line of an earlier row of the same sequence (a
 * kernel's); its name stands in .debug_str.
 */
#include "ptxparse/sass/cubin/cubin.h"

#include <string.h>

enum {
	LINE_COPY = 1,
	LINE_ADVANCE_PC,
	LINE_ADVANCE_LINE,
	LINE_SET_FILE,
	LINE_SET_COLUMN,
	LINE_NEGATE,
	LINE_BASIC_BLOCK,
	LINE_CONST_ADD_PC,
	LINE_FIXED_ADVANCE_PC
};
enum { EXTENDED_END = 1, EXTENDED_ADDRESS = 2, EXTENDED_INLINED = 0x90 };

#define HEADER_BYTES 15 /* up to the lengths of operations */

struct unit {
	const uint8_t *at, *end;
	uint8_t minimum, range, base;
	int8_t first;
	const uint8_t *lengths;
	const char **directories, **files;
	size_t directory_count, file_count;
	bool failed;
};

struct lines_reader {
	struct arena *arena;
	const struct cubin *cubin;
	const uint8_t *start;
	struct cubin_relocation *relocations;
	size_t relocation_count;
	struct cubin_line *rows;
	size_t row_count, first_row; /* first_row: of the sequence */
	struct cubin_line now;
	uint64_t file;
	uint32_t open; /* the row that lasts until the next one; CUBIN_NO_LINE */
};

/* ---- numbers and texts ---- */

static uint8_t byte_read(struct unit *unit)
{
	if (unit->at < unit->end)
		return *unit->at++;
	unit->failed = true;
	return 0;
}

static uint64_t leb_read(struct unit *unit, bool is_signed)
{
	uint64_t number = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = byte_read(unit);
		if (shift < 64)
			number |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !unit->failed);
	if (is_signed && shift < 64 && byte & 0x40)
		number |= ~UINT64_C(0) << shift;
	return number;
}

/* A text with its zero; "" where there is none left. */
static const char *text_read(struct unit *unit)
{
	const uint8_t *at = unit->at, *zero = memchr(at, 0, (size_t)(unit->end - at));

	if (!zero) {
		unit->failed = true;
		return "";
	}
	unit->at = zero + 1;
	return (const char *)at;
}

/* ---- the head of a unit ---- */

static const char *path_join(struct arena *arena, const struct unit *unit, const char *name, uint64_t directory)
{
	if (*name == '/' || directory == 0 || directory > unit->directory_count)
		return arena_strdup(arena, name);
	return arena_printf(arena, "%s/%s", unit->directories[directory - 1], name);
}

static void files_read(struct arena *arena, struct unit *unit)
{
	for (const char *name = text_read(unit); *name; name = text_read(unit))
		ARENA_PUSH(arena, unit->directories, unit->directory_count, name);
	for (const char *name = text_read(unit); *name; name = text_read(unit)) {
		uint64_t directory = leb_read(unit, false);

		ARENA_PUSH(arena, unit->files, unit->file_count, path_join(arena, unit, name, directory));
		leb_read(unit, false);
		leb_read(unit, false);
	}
}

/* Returns false where it is of another form. */
static bool unit_open(struct arena *arena, const uint8_t *start, uint64_t length, struct unit *unit)
{
	uint64_t header = cubin_bytes(start + 6, 4);

	if (length < HEADER_BYTES || cubin_bytes(start + 4, 2) != 2 || !cubin_lies_within(10, header, length))
		return false;
	unit->minimum = start[10];
	unit->first = (int8_t)start[12];
	unit->range = start[13];
	unit->base = start[14];
	unit->lengths = start + HEADER_BYTES;
	if (unit->range == 0 || unit->base == 0 || HEADER_BYTES - 1u + unit->base > length)
		return false;
	unit->at = start + HEADER_BYTES + unit->base - 1;
	unit->end = start + length;
	files_read(arena, unit);
	unit->at = start + 10 + header;
	return !unit->failed;
}

/* ---- the program ---- */

static void row_close(struct lines_reader *reader)
{
	if (reader->open != CUBIN_NO_LINE)
		reader->rows[reader->open].end = reader->now.address;
	reader->open = CUBIN_NO_LINE;
}

static void row_add(struct lines_reader *reader, const struct unit *unit)
{
	row_close(reader);
	reader->now.file = reader->file && reader->file <= unit->file_count ? unit->files[reader->file - 1] : NULL;
	reader->now.end = reader->now.address;
	ARENA_PUSH(reader->arena, reader->rows, reader->row_count, reader->now);
	reader->open = (uint32_t)reader->row_count - 1;
}

static void sequence_begin(struct lines_reader *reader)
{
	reader->now = (struct cubin_line){.section = UINT32_MAX, .line = 1, .caller = CUBIN_NO_LINE};
	reader->file = 1;
	reader->open = CUBIN_NO_LINE;
	reader->first_row = reader->row_count;
}

/* The address stands in the relocation of these bytes. */
static void address_set(struct lines_reader *reader, const uint8_t *at)
{
	uint64_t offset = (uint64_t)(at - reader->start);

	row_close(reader);
	for (size_t i = 0; i < reader->relocation_count; i++) {
		const struct cubin_relocation *relocation = &reader->relocations[i];

		if (relocation->offset == offset && relocation->symbol) {
			reader->now.section = relocation->symbol->section;
			reader->now.address = (uint32_t)(relocation->symbol->value + (uint64_t)relocation->addend);
			return;
		}
	}
}

static void inlined_set(struct lines_reader *reader, struct unit *unit)
{
	uint64_t context = leb_read(unit, false), name = leb_read(unit, false);
	bool known = context && context <= reader->row_count - reader->first_row;

	reader->now.caller = known ? (uint32_t)(reader->first_row + context - 1) : CUBIN_NO_LINE;
	reader->now.function = known ? cubin_name_at(cubin_section_find(reader->cubin, ".debug_str", ""), name) : NULL;
}

static void extended_run(struct lines_reader *reader, struct unit *unit)
{
	uint64_t length = leb_read(unit, false);
	const uint8_t *next;
	uint8_t operation;

	if (length == 0 || length > (uint64_t)(unit->end - unit->at)) {
		unit->failed = true;
		return;
	}
	next = unit->at + length;
	operation = byte_read(unit);
	if (operation == EXTENDED_END) {
		row_close(reader);
		sequence_begin(reader);
	} else if (operation == EXTENDED_ADDRESS && length >= 9) {
		address_set(reader, unit->at);
	} else if (operation == EXTENDED_INLINED) {
		inlined_set(reader, unit);
	}
	unit->at = next;
}

static void standard_run(struct lines_reader *reader, struct unit *unit, uint8_t operation)
{
	struct cubin_line *now = &reader->now;

	switch (operation) {
	case LINE_COPY:
		row_add(reader, unit);
		break;
	case LINE_ADVANCE_PC:
		now->address += (uint32_t)(leb_read(unit, false) * unit->minimum);
		break;
	case LINE_ADVANCE_LINE:
		now->line += (uint32_t)leb_read(unit, true);
		break;
	case LINE_SET_FILE:
		reader->file = leb_read(unit, false);
		break;
	case LINE_SET_COLUMN:
		now->column = (uint32_t)leb_read(unit, false);
		break;
	case LINE_CONST_ADD_PC:
		now->address += (uint32_t)((255 - unit->base) / unit->range * unit->minimum);
		break;
	case LINE_FIXED_ADVANCE_PC:
		now->address += byte_read(unit);
		now->address += (uint32_t)byte_read(unit) << 8;
		break;
	default:
		for (unsigned i = 0; i < unit->lengths[operation - 1]; i++)
			leb_read(unit, false);
		break;
	}
}

static void unit_run(struct lines_reader *reader, struct unit *unit)
{
	sequence_begin(reader);
	while (unit->at < unit->end && !unit->failed) {
		uint8_t operation = byte_read(unit);

		if (operation >= unit->base) {
			unsigned step = operation - unit->base;

			reader->now.address += step / unit->range * unit->minimum;
			reader->now.line += (uint32_t)(unit->first + (int)(step % unit->range));
			row_add(reader, unit);
		} else if (operation == 0) {
			extended_run(reader, unit);
		} else {
			standard_run(reader, unit, operation);
		}
	}
	row_close(reader);
}

struct cubin_line *cubin_lines_read(struct arena *arena, const struct cubin *cubin, size_t *count)
{
	const struct cubin_section *section = cubin_section_find(cubin, ".debug_line", "");
	struct lines_reader reader = {.arena = arena, .cubin = cubin};
	uint64_t at = 0;

	reader.relocations = cubin_relocations_read(arena, cubin, ".debug_line", &reader.relocation_count);
	while (section && section->data && cubin_lies_within(at, HEADER_BYTES, section->size)) {
		uint64_t length = 4 + cubin_bytes(section->data + at, 4);
		struct unit unit = {0};

		reader.start = section->data;
		if (length > section->size - at || !unit_open(arena, section->data + at, length, &unit))
			break;
		unit_run(&reader, &unit);
		at += length;
	}
	*count = reader.row_count;
	return reader.rows;
}

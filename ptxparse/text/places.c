/*
 * Where instructions come from: .file, .loc with inlining, and the names of inlined functions in .debug_str.
 *
 * nvcc writes .file and .debug_str after all code, so locations are kept by number and label until the module ends.
 * Equal ones are kept once. "inlined_at F L C" means the latest location F L C before it: the compiler writes the
 * places of a chain of calls from the outside in.
 */
#include <stdlib.h>
#include <string.h>

#include "ptxparse/text/builders.h"

/* Indices of locations by hash of all fields, or of file, line and column; 0, the unknown location, is an empty slot.
 */
enum { TABLE_EXACT, TABLE_LATEST };

struct file_name {
	uint32_t number, order;
	const char *path;
};

static struct ptx_loc *location_at(const struct ptx_parser *parser, uint32_t index)
{
	return (struct ptx_loc *)parser->locations.data + index;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t location_hash(const struct ptx_loc *location, int table)
{
	uint64_t hash = mix(mix(mix(0, location->file), location->line), location->column);
	if (table == TABLE_LATEST)
		return hash;
	return mix(mix(mix(hash, location->inlined_at), (uintptr_t)location->function), location->function_offset);
}

static bool location_equal(const struct ptx_loc *a, const struct ptx_loc *b, int table)
{
	bool same_point = a->file == b->file && a->line == b->line && a->column == b->column;
	if (table == TABLE_LATEST || !same_point)
		return same_point;
	return a->inlined_at == b->inlined_at && a->function == b->function && a->function_offset == b->function_offset;
}

static uint32_t *location_slot(struct ptx_parser *parser, const struct ptx_loc *key, int table)
{
	const struct ptx_pool *slots = &parser->location_slots[table];
	uint32_t *data = slots->data;
	size_t mask = slots->capacity - 1, at = location_hash(key, table) & mask;
	while (data[at] && !location_equal(location_at(parser, data[at]), key, table))
		at = (at + 1) & mask;
	return &data[at];
}

static void slots_allocate(struct ptx_pool *slots, size_t capacity)
{
	slots->capacity = capacity;
	slots->count = 0;
	slots->data = calloc(capacity, sizeof(uint32_t));
	if (!slots->data)
		bug("out of memory");
}

static void slots_grow(struct ptx_parser *parser, int table)
{
	struct ptx_pool old = parser->location_slots[table], *slots = &parser->location_slots[table];
	const uint32_t *data = old.data;
	slots_allocate(slots, old.capacity * 2);
	for (size_t i = 0; i < old.capacity; i++)
		if (data[i])
			*location_slot(parser, location_at(parser, data[i]), table) = data[i];
	slots->count = old.count;
	free(old.data);
}

static void slot_set(struct ptx_parser *parser, int table, uint32_t *slot, uint32_t index)
{
	struct ptx_pool *slots = &parser->location_slots[table];
	bool is_new = *slot == 0;
	*slot = index;
	slots->count += is_new;
	if (slots->count * 2 > slots->capacity)
		slots_grow(parser, table);
}

/* The index of the location, which from now on is the latest of its file, line and column. */
static uint32_t location_intern(struct ptx_parser *parser, const struct ptx_loc *location)
{
	uint32_t *slot = location_slot(parser, location, TABLE_EXACT), index = *slot;
	if (index == 0) {
		index = (uint32_t)parser->locations.count;
		*(struct ptx_loc *)ptx_pool_push(&parser->locations) = *location;
		slot_set(parser, TABLE_EXACT, slot, index);
	}
	slot_set(parser, TABLE_LATEST, location_slot(parser, location, TABLE_LATEST), index);
	return index;
}

void ptx_places_init(struct ptx_parser *parser)
{
	parser->locations.size = sizeof(struct ptx_loc);
	parser->files.size = sizeof(struct file_name);
	ptx_pool_push(&parser->locations);
	slots_allocate(&parser->location_slots[TABLE_EXACT], 256);
	slots_allocate(&parser->location_slots[TABLE_LATEST], 256);
}

void ptx_places_release(struct ptx_parser *parser)
{
	free(parser->location_slots[TABLE_EXACT].data);
	free(parser->location_slots[TABLE_LATEST].data);
}

/* ---- .file and .loc ----------------------------------------------------------------- */

static uint32_t small(struct ptx_constant value)
{
	return value.bits < UINT32_MAX ? (uint32_t)value.bits : UINT32_MAX;
}

void ptx_file_add(struct ptx_parser *parser, struct ptx_constant number, const struct ptx_token *path)
{
	struct file_name *file = ptx_pool_push(&parser->files);
	file->number = small(number);
	file->order = (uint32_t)parser->files.count;
	file->path = arena_strndup(parser->arena, path->text, path->length);
}

void ptx_loc_begin(struct ptx_parser *parser, struct ptx_constant file, struct ptx_constant line,
                   struct ptx_constant column)
{
	parser->read = (struct ptx_loc){.file = small(file), .line = small(line), .column = small(column)};
}

void ptx_loc_end(struct ptx_parser *parser)
{
	parser->location = location_intern(parser, &parser->read);
}

void ptx_loc_inlined(struct ptx_parser *parser, const struct ptx_token *keyword, const struct ptx_token *label,
                     struct ptx_constant offset)
{
	if (strcmp(keyword->name->text, "function_name") != 0)
		ptx_error(parser, keyword->line, keyword->text, "expecting function_name");
	parser->read.function = label->name;
	parser->read.function_offset = small(offset);
}

void ptx_loc_inlined_at(struct ptx_parser *parser, const struct ptx_token *keyword, struct ptx_constant file,
                        struct ptx_constant line, struct ptx_constant column)
{
	struct ptx_loc call = {.file = small(file), .line = small(line), .column = small(column)};
	uint32_t *latest = location_slot(parser, &call, TABLE_LATEST);
	if (strcmp(keyword->name->text, "inlined_at") != 0)
		ptx_error(parser, keyword->line, keyword->text, "expecting inlined_at");
	parser->read.inlined_at = *latest ? *latest : location_intern(parser, &call);
	ptx_loc_end(parser);
}

/* ---- sections ------------------------------------------------------------------------- */

void ptx_section_begin(struct ptx_parser *parser, const struct ptx_token *name)
{
	parser->section_strings = strcmp(name->name->text, ".debug_str") == 0;
}

void ptx_section_label(struct ptx_parser *parser, const struct ptx_token *label)
{
	if (parser->section_strings)
		label->name->debug_string = (uint32_t)parser->strings.count + 1;
}

void ptx_section_byte(struct ptx_parser *parser, struct ptx_constant value)
{
	if (parser->section_strings)
		*(char *)ptx_pool_push(&parser->strings) = (char)value.bits;
}

/* ---- the module's places ----------------------------------------------------------------- */

static int compare_files(const void *left, const void *right)
{
	const struct file_name *a = left, *b = right;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int compare_number(const void *key, const void *element)
{
	uint32_t number = *(const uint32_t *)key, other = ((const struct file_name *)element)->number;
	return number < other ? -1 : number > other;
}

static const char *file_path(const struct ptx_parser *parser, uint32_t number)
{
	const struct file_name *file = NULL;
	if (parser->files.count)
		file = bsearch(&number, parser->files.data, parser->files.count, sizeof *file, compare_number);
	return file ? file->path : NULL;
}

/* strings: the bytes of .debug_str with a zero after them. */
static const char *function_of(const struct ptx_parser *parser, const struct ptx_loc *location, const char *strings)
{
	uint64_t position;
	if (!location->function || location->function->debug_string == 0)
		return NULL;
	position = location->function->debug_string - 1 + (uint64_t)location->function_offset;
	return position < parser->strings.count ? strings + position : NULL;
}

void ptx_places_finish(struct ptx_parser *parser)
{
	struct ptx_module *module = parser->module;
	const char *strings;
	ptx_pool_push(&parser->strings);
	strings = ptx_pool_copy(&parser->strings, parser->arena);
	if (parser->files.count)
		qsort(parser->files.data, parser->files.count, sizeof(struct file_name), compare_files);
	module->place_count = parser->locations.count;
	module->places = arena_array(parser->arena, module->place_count, sizeof *module->places);
	for (uint32_t i = 1; i < module->place_count; i++) {
		const struct ptx_loc *location = location_at(parser, i);
		module->places[i].place =
			(struct place){file_path(parser, location->file), location->line, location->column};
		module->places[i].function = function_of(parser, location, strings);
		module->places[i].inlined_at = location->inlined_at;
	}
}

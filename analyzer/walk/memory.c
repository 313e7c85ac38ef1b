/*
 * Memory during a walk: arrays, where pointers point to, and the accesses that reading and writing record.
 */
#include "analyzer/walk/walk.h"

#include <string.h>

/* ---- arrays --------------------------------------------------------------------------- */

static const struct source_type *innermost_element(const struct source_type *type, uint64_t *count)
{
	*count = 1;
	while (type->shape == SHAPE_ARRAY) {
		*count *= type->count;
		type = type->target;
	}
	return type;
}

static enum array_space space_of(const struct source_declaration *variable)
{
	switch (variable->storage) {
	case STORAGE_SHARED:
		return ARRAY_SHARED;
	case STORAGE_CONSTANT:
		return ARRAY_CONSTANT;
	case STORAGE_DEVICE:
		return ARRAY_GLOBAL;
	default:
		return variable->is_global ? ARRAY_GLOBAL : ARRAY_LOCAL;
	}
}

/* A record without a value in the text is made by a constructor that is given nothing. */
static bool has_value(const struct node *initializer)
{
	return initializer && !(initializer->kind == NODE_CONSTRUCT && initializer->child_count == 0);
}

struct array *walk_array(struct walk_state *walk, struct source_declaration *variable)
{
	struct kernel *kernel = walk->kernel;
	struct array *array;
	uint64_t count;

	if (variable->array_owner == kernel)
		return variable->array;
	array = arena_alloc(walk->arena, sizeof(*array));
	array->name = variable->name;
	array->space = space_of(variable);
	array->element = innermost_element(type_strip_reference(variable->type), &count)->type;
	array->count = count;
	array->place = variable->place;
	array->is_initialised = has_value(variable->initializer);
	variable->array = array;
	variable->array_owner = kernel;
	ARENA_PUSH(walk->arena, kernel->arrays, kernel->array_count, array);
	if (array->space == ARRAY_SHARED)
		kernel->shared_bytes += count * array->element.size_bytes;
	return array;
}

/* The array that stands for memory reached through unknown pointers to that type. */
static struct array *unknown_array(struct walk_state *walk, const struct type *element)
{
	struct kernel *kernel = walk->kernel;
	struct array *array;

	for (unsigned i = 0; i < kernel->array_count; i++)
		if (kernel->arrays[i]->space == ARRAY_UNKNOWN &&
		    strcmp(kernel->arrays[i]->element.spelling, element->spelling) == 0)
			return kernel->arrays[i];
	array = arena_alloc(walk->arena, sizeof(*array));
	array->name = arena_printf(walk->arena, "?%s", element->spelling);
	array->space = ARRAY_UNKNOWN;
	array->element = *element;
	ARENA_PUSH(walk->arena, kernel->arrays, kernel->array_count, array);
	return array;
}

/* ---- locations --------------------------------------------------------------------------- */

struct walk_location walk_retype(struct walk_location at, const struct source_type *type)
{
	at.type = type;
	return at;
}

struct walk_location walk_part(struct walk_location at, uint64_t offset_bytes, const struct source_type *type)
{
	at.offset_bytes += offset_bytes;
	return walk_retype(at, type);
}

static const struct expr *scaled(struct walk_state *walk, const struct expr *count, uint64_t factor)
{
	return expr_binary(&walk->pool, EXPR_MUL, count,
	                   expr_constant(&walk->pool, (int64_t)factor, count->bits, count->is_signed), count->bits,
	                   count->is_signed);
}

/* Whether an unsigned value would have to take a signed one that may be negative. */
static bool signs_differ(const struct expr *a, const struct expr *b)
{
	int64_t value;

	if (a->is_signed == b->is_signed)
		return false;
	return !expr_is_constant(a->is_signed ? a : b, &value) || value < 0;
}

/* a + b in the wider type of the two; where their signs differ in 64 bits, as the addresses of pointers are computed.
 */
static const struct expr *sum(struct walk_state *walk, const struct expr *a, const struct expr *b)
{
	const struct expr *wide = a->bits >= b->bits ? a : b;
	bool differ = signs_differ(a, b),
	     is_signed = differ || (a->is_signed == b->is_signed ? wide->is_signed : false);
	unsigned bits = differ ? 64 : wide->bits;

	return expr_binary(&walk->pool, EXPR_ADD, expr_cast(&walk->pool, a, bits, is_signed),
	                   expr_cast(&walk->pool, b, bits, is_signed), bits, is_signed);
}

static struct walk_location advance_in_element(struct walk_state *walk, struct walk_location at,
                                               const struct expr *count, uint64_t size)
{
	if (!at.inner) {
		at.inner = count;
		at.inner_stride_bytes = size;
	} else if (at.inner_stride_bytes % size == 0) {
		at.inner = sum(walk, scaled(walk, at.inner, at.inner_stride_bytes / size), count);
		at.inner_stride_bytes = size;
	} else {
		return walk_nowhere(at.type, "a pointer moved by two different sizes");
	}
	return at;
}

/* Whether a step of that size, inside an element, walks along a member array. */
static bool is_member_step(const struct walk_location *at, uint64_t size)
{
	const struct record *record = at->array->element.record;

	for (unsigned i = 0; record && i < record->leaf_count; i++) {
		const struct leaf *leaf = &record->leaves[i];

		if (leaf->count > 1 && at->offset_bytes >= leaf->offset_bytes &&
		    at->offset_bytes < leaf->offset_bytes + leaf->count * leaf->stride_bytes &&
		    size % leaf->stride_bytes == 0)
			return true;
	}
	return false;
}

/* The sum of an array's element index and a count, in elements; kept free of `0 +`. */
static const struct expr *element_sum(struct walk_state *walk, const struct expr *element, const struct expr *count)
{
	int64_t value;

	return expr_is_constant(element, &value) && value == 0 ? count : sum(walk, element, count);
}

struct walk_location walk_advance(struct walk_state *walk, struct walk_location at, const struct expr *count)
{
	uint64_t size = at.type ? at.type->type.size_bytes : 0, element_size;
	int64_t value;

	if (expr_is_constant(count, &value) && value == 0 &&
	    !(at.kind == LOCATION_MEMORY && !at.inner && is_member_step(&at, size ? size : 1)))
		return at;
	if (at.kind != LOCATION_MEMORY || size == 0)
		return walk_nowhere(at.type,
		                    at.kind == LOCATION_UNKNOWN ? at.reason : "a pointer moved beyond a variable");
	element_size = at.array->element.size_bytes;
	if (at.array->element.record && is_member_step(&at, size) && size < element_size)
		return advance_in_element(walk, at, count, size);
	if (at.array->space == ARRAY_UNKNOWN)
		return at;
	if (element_size == 0 || size % element_size != 0) {
		at.element = expr_unknown(&walk->pool,
		                          arena_printf(walk->arena, "an array of %s read as %s",
		                                       at.array->element.spelling, at.type->type.spelling),
		                          (struct place){0});
		at.is_foreign = true;
		return at;
	}
	at.element =
		element_sum(walk, at.element, size == element_size ? count : scaled(walk, count, size / element_size));
	return at;
}

struct walk_location walk_target(struct walk_state *walk, const struct walk_value *pointer,
                                 const struct source_type *type)
{
	struct walk_location at;

	if (pointer->kind != VALUE_POINTER)
		at = walk_nowhere(type, "an address that is computed as a number");
	else
		at = pointer->at;
	if (at.kind != LOCATION_UNKNOWN)
		return at;
	if (!type)
		type = at.type;
	if (!type)
		return at;
	at.kind = LOCATION_MEMORY;
	at.type = type;
	at.array = unknown_array(walk, &type->type);
	at.element = expr_unknown(&walk->pool, at.reason ? at.reason : "an unknown pointer", (struct place){0});
	return at;
}

/* ---- accesses --------------------------------------------------------------------------------- */

/* inner * from + offset in units of the leaf's stride; NULL where it does not come out even. */
static const struct expr *inner_of(struct walk_state *walk, const struct walk_location *at, const struct leaf *leaf,
                                   uint64_t position)
{
	const struct expr *inner = at->inner;

	if (leaf->count == 1)
		return NULL;
	if (!inner)
		return expr_constant(&walk->pool, (int64_t)position, 32, true);
	if (at->inner_stride_bytes % leaf->stride_bytes != 0)
		return expr_unknown(&walk->pool, "an index into a part of a member", (struct place){0});
	inner = scaled(walk, inner, at->inner_stride_bytes / leaf->stride_bytes);
	return position ? sum(walk, inner, expr_constant(&walk->pool, (int64_t)position, inner->bits, inner->is_signed))
	                : inner;
}

/* Fills leaf and inner; an access that is no leaf and not the whole element has no known index. */
static void access_fill_leaf(struct walk_state *walk, struct access *access, const struct walk_location *at)
{
	const struct record *record = access->array->element.record;
	uint64_t size = at->type->type.size_bytes, position = 0;

	if (!record || at->array->space == ARRAY_UNKNOWN || at->is_foreign ||
	    (at->type->shape == SHAPE_RECORD && at->offset_bytes == 0 && !at->inner))
		return;
	access->leaf = leaf_at(record, at->offset_bytes, size, at->member);
	if (!access->leaf)
		access->leaf = leaf_holding(record, at->offset_bytes, size, at->member, &position);
	if (access->leaf)
		access->inner = inner_of(walk, at, access->leaf, position);
	else if (size != access->array->element.size_bytes || at->offset_bytes != 0)
		access->element = expr_unknown(
			&walk->pool,
			arena_printf(walk->arena, "a part of %s read as %s", record->name, at->type->type.spelling),
			access->place);
}

static struct access *access_push(struct walk_state *walk, enum access_kind kind, const struct walk_location *at,
                                  struct place place)
{
	struct kernel *kernel = walk->kernel;
	struct access *access = arena_alloc(walk->arena, sizeof(*access));

	access->index = kernel->access_count;
	access->kind = kind;
	access->array = at->array;
	access->element = at->element;
	access->width_bytes = (unsigned)at->type->type.size_bytes;
	access->loop = walk->loop;
	access->guard = walk->guard;
	access->place = place;
	access->inlined = walk->inlined;
	access_fill_leaf(walk, access, at);
	access->affine = affine_from_expr(walk->arena, access->element);
	ARENA_PUSH(walk->arena, kernel->accesses, kernel->access_count, access);
	return access;
}

/* ---- records as a whole --------------------------------------------------------------------------- */

/*
 * Elements of a member array that a copy of the whole record accesses one by one; the rest of a longer one is left out.
 */
#define COPIED_ELEMENTS_MAX 64

static uint64_t copied_elements(struct walk_state *walk, const struct leaf *leaf, struct place place)
{
	if (leaf->count > COPIED_ELEMENTS_MAX)
		walk_note(walk, place, "of the copy of '%s' only the first %d elements are taken", leaf->path,
		          COPIED_ELEMENTS_MAX);
	return leaf->count < COPIED_ELEMENTS_MAX ? leaf->count : COPIED_ELEMENTS_MAX;
}

/* Where an element of a leaf of the record that lies at a location lies itself. */
static struct walk_location location_leaf(struct walk_state *walk, struct walk_location at, const struct leaf *leaf,
                                          uint64_t element)
{
	struct source_type *type = arena_alloc(walk->arena, sizeof(*type));

	type->type = leaf->type;
	type->bits = (uint8_t)(leaf->type.size_bytes <= 8 ? 8 * leaf->type.size_bytes : 0);
	type->is_signed = leaf->type.scalar == SCALAR_SIGNED;
	type->shape = leaf->type.scalar == SCALAR_SIGNED || leaf->type.scalar == SCALAR_UNSIGNED ? SHAPE_INTEGER
	              : leaf->type.scalar == SCALAR_FLOAT                                        ? SHAPE_FLOAT
	              : leaf->type.scalar == SCALAR_POINTER                                      ? SHAPE_POINTER
	                                                                                         : SHAPE_OTHER;
	at.offset_bytes += leaf->offset_bytes + element * leaf->stride_bytes;
	at.member = leaf_name(leaf);
	return walk_retype(at, type);
}

/* Whether a copy is one access: vector types, and records that are no more than one scalar. */
static bool is_copied_whole(const struct record *record)
{
	return record->is_vector_type || record->leaf_count == 0;
}

static const struct walk_value *leaf_of_whole(struct walk_state *walk, const struct access *access,
                                              const struct leaf *leaf, struct place place)
{
	bool is_integer = leaf->type.scalar == SCALAR_SIGNED || leaf->type.scalar == SCALAR_UNSIGNED;

	if (!is_integer || leaf->count > 1)
		return walk_scalar(walk, expr_unknown(&walk->pool, "data that is no integer", place));
	return walk_scalar(walk, expr_load(&walk->pool, access, (int64_t)leaf->offset_bytes,
	                                   (unsigned)(8 * leaf->type.size_bytes), leaf->type.scalar == SCALAR_SIGNED));
}

/* The value of a leaf that is copied with its record; arrays are read, but their values are not kept. */
static const struct walk_value *load_leaf(struct walk_state *walk, struct walk_location at, const struct leaf *leaf,
                                          struct place place)
{
	uint64_t count = copied_elements(walk, leaf, place);

	if (leaf->count == 1)
		return walk_load(walk, location_leaf(walk, at, leaf, 0), place);
	for (uint64_t i = 0; i < count; i++)
		walk_load(walk, location_leaf(walk, at, leaf, i), place);
	return walk_unknown(walk, NULL, "an array in a local record", place);
}

/* Bytes that several leaves share are moved once. */
static const struct walk_value *load_record(struct walk_state *walk, struct walk_location at, struct place place)
{
	const struct record *record = at.type->type.record;
	struct walk_value *value = walk_record(walk, record);
	const struct access *whole = is_copied_whole(record) ? access_push(walk, ACCESS_LOAD, &at, place) : NULL;

	for (unsigned i = 0; i < record->leaf_count; i++)
		value->leaves[i] = whole                      ? leaf_of_whole(walk, whole, &record->leaves[i], place)
		                   : leaf_overlaps(record, i) ? walk_unknown(walk, NULL, "a member of a union", place)
		                                              : load_leaf(walk, at, &record->leaves[i], place);
	return value;
}

static void store_record(struct walk_state *walk, struct walk_location at, struct place place)
{
	const struct record *record = at.type->type.record;

	if (is_copied_whole(record)) {
		access_push(walk, ACCESS_STORE, &at, place);
		return;
	}
	for (unsigned i = 0; i < record->leaf_count; i++) {
		uint64_t count = leaf_overlaps(record, i) ? 0 : copied_elements(walk, &record->leaves[i], place);

		for (uint64_t j = 0; j < count; j++) {
			struct walk_location leaf = location_leaf(walk, at, &record->leaves[i], j);

			access_push(walk, ACCESS_STORE, &leaf, place);
		}
	}
}

/* ---- variables -------------------------------------------------------------------------------------- */

/* The part of a record's value at an offset. */
static const struct walk_value *record_part(struct walk_state *walk, const struct walk_value *whole,
                                            const struct walk_location *at, struct place place)
{
	const struct record *record = whole->record, *part = at->type->type.record;
	struct walk_value *value;
	unsigned first = 0;

	while (first < record->leaf_count && record->leaves[first].offset_bytes < at->offset_bytes)
		first++;
	if (at->inner || first == record->leaf_count || record->leaves[first].offset_bytes != at->offset_bytes)
		return walk_unknown(walk, at->type, "a part of a local record", place);
	if (!part)
		return record->leaves[first].count == 1 &&
		                       record->leaves[first].type.size_bytes == at->type->type.size_bytes
		               ? whole->leaves[first]
		               : walk_unknown(walk, at->type, "an array in a local record", place);
	if (part == record)
		return whole;
	value = walk_record(walk, part);
	for (unsigned i = 0; i < part->leaf_count; i++)
		value->leaves[i] = first + i < record->leaf_count
		                           ? whole->leaves[first + i]
		                           : walk_unknown(walk, NULL, "a part of a local record", place);
	return value;
}

static const struct walk_value *variable_load(struct walk_state *walk, const struct walk_location *at,
                                              struct place place)
{
	const struct walk_value *value = walk_get(walk, at->variable);

	if (value->kind == VALUE_RECORD)
		return record_part(walk, value, at, place);
	if (at->offset_bytes == 0 && !at->inner)
		return value;
	if (value->kind == VALUE_SCALAR && value->scalar->op == EXPR_UNKNOWN)
		return walk_unknown(walk, at->type, value->scalar->reason, place);
	return walk_unknown(walk, at->type, "a part of a local variable", place);
}

/* A record's value with the leaves of a part replaced. */
static const struct walk_value *record_with_part(struct walk_state *walk, const struct walk_value *whole,
                                                 const struct record *record, const struct walk_location *at,
                                                 const struct walk_value *part, struct place place)
{
	struct walk_value *value = walk_record(walk, record);
	uint64_t end = at->offset_bytes + at->type->type.size_bytes;
	unsigned taken = 0;

	for (unsigned i = 0; i < record->leaf_count; i++) {
		bool inside =
			record->leaves[i].offset_bytes >= at->offset_bytes && record->leaves[i].offset_bytes < end;

		if (at->inner && record->leaves[i].count > 1)
			inside = true;
		if (!inside)
			value->leaves[i] = whole->kind == VALUE_RECORD
			                           ? whole->leaves[i]
			                           : walk_unknown(walk, NULL, "a member that is not set", place);
		else if (at->inner || (part->kind == VALUE_RECORD && taken >= part->record->leaf_count))
			value->leaves[i] = walk_unknown(walk, NULL, "an array in a local record", place);
		else
			value->leaves[i] = part->kind == VALUE_RECORD ? part->leaves[taken++] : part;
	}
	return value;
}

static void variable_store(struct walk_state *walk, const struct walk_location *at, const struct walk_value *value,
                           struct place place)
{
	const struct record *record = type_strip_reference(at->variable->type)->type.record;

	if (!record || (value->kind == VALUE_RECORD && value->record == record && at->offset_bytes == 0))
		walk_set(walk, at->variable,
		         at->offset_bytes == 0 && !at->inner
		                 ? value
		                 : walk_unknown(walk, at->variable->type, "a part of it is changed", place));
	else
		walk_set(walk, at->variable,
		         record_with_part(walk, walk_get(walk, at->variable), record, at, value, place));
}

/* ---- load, store, atomic ------------------------------------------------------------------------------ */

static const struct walk_value *memory_load(struct walk_state *walk, struct walk_location at, struct place place)
{
	const struct access *access;
	const struct symbol *constant;

	if (walk->silent)
		return walk_unknown(walk, at.type, "a value loaded from memory", place);
	if (at.type->type.record)
		return load_record(walk, at, place);
	access = access_push(walk, ACCESS_LOAD, &at, place);
	constant = type_is_integral(at.type) ? walk_constant(walk, access) : NULL;
	if (constant)
		return walk_scalar(walk, expr_symbol(&walk->pool, constant, at.type->bits, at.type->is_signed));
	if (type_is_integral(at.type))
		return walk_scalar(walk, expr_load(&walk->pool, access, 0, at.type->bits, at.type->is_signed));
	if (at.type->shape == SHAPE_POINTER)
		return walk_unknown(walk, at.type, "a pointer loaded from memory", place);
	return walk_unknown(walk, at.type, "data that is no integer", place);
}

const struct walk_value *walk_load(struct walk_state *walk, struct walk_location at, struct place place)
{
	switch (at.kind) {
	case LOCATION_VARIABLE:
		return variable_load(walk, &at, place);
	case LOCATION_MEMORY:
		return memory_load(walk, at, place);
	default:
		return walk_unknown(walk, at.type, at.reason ? at.reason : "an unknown place", place);
	}
}

void walk_store(struct walk_state *walk, struct walk_location at, const struct walk_value *value, struct place place)
{
	if (at.kind == LOCATION_VARIABLE) {
		variable_store(walk, &at, value, place);
	} else if (at.kind == LOCATION_MEMORY && !walk->silent) {
		if (at.type->type.record)
			store_record(walk, at, place);
		else
			access_push(walk, ACCESS_STORE, &at, place);
	}
}

const struct walk_value *walk_atomic(struct walk_state *walk, struct walk_location at, struct place place)
{
	if (at.kind == LOCATION_MEMORY && !walk->silent)
		access_push(walk, ACCESS_ATOMIC, &at, place);
	else if (at.kind == LOCATION_VARIABLE)
		variable_store(walk, &at, walk_unknown(walk, at.type, "the result of an atomic operation", place),
		               place);
	return walk_unknown(walk, at.type, "the result of an atomic operation", place);
}

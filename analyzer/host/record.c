/*
 * Records of the host: what is known about their members, by offset.
 */
#include "analyzer/host/host.h"

#include <string.h>

#define AXIS_BYTES ((uint64_t)4)
/* Of an object with more scalars than this nothing is known before they are set. */
#define ZEROS_MAX 256
/* Records of which more was set differ. */
#define MEMBERS_COMPARED 64

bool host_is_dim3(const struct source_type *type)
{
	return type && type->type.record && strcmp(type->type.spelling, "dim3") == 0;
}

static bool has_members(const struct host_constant *record)
{
	return record->kind == CONSTANT_RECORD || record->kind == CONSTANT_CONTAINER;
}

const struct host_constant *host_member(const struct host_constant *record, uint64_t offset)
{
	const struct host_known_part *member = record && has_members(record) ? record->members : NULL;

	while (member && member->offset != offset)
		member = member->next;
	return member ? member->value : NULL;
}

const struct host_constant *host_record_triple(struct host *host, const struct host_constant *record, uint64_t offset)
{
	const struct host_constant *parts[3];
	bool any = false;

	for (unsigned axis = 0; axis < ARRAY_COUNT(parts); axis++) {
		parts[axis] = host_member(record, offset + AXIS_BYTES * axis);
		any = any || parts[axis];
		parts[axis] = parts[axis] ? parts[axis] : host_integer(host, 1);
	}
	return any ? host_triple(host, parts) : NULL;
}

const struct host_constant *host_member_set(struct host *host, const struct host_constant *record, uint64_t offset,
                                            const struct host_constant *value)
{
	struct host_known_part *member = arena_alloc(host->arena, sizeof(*member));
	struct host_constant *changed = arena_alloc(host->arena, sizeof(*changed));
	bool has_known = record && has_members(record);

	*member = (struct host_known_part){has_known ? record->members : NULL, offset, value};
	*changed = has_known ? *record : (struct host_constant){.kind = CONSTANT_RECORD};
	changed->members = member;
	return changed;
}

/* The members that lie inside a part, as a record of their own. */
static const struct host_constant *inner_record(struct host *host, const struct host_constant *record, uint64_t offset,
                                                uint64_t size)
{
	const struct host_constant *inner = host_unknown(host, "an object");

	if (record->kind != CONSTANT_RECORD)
		return inner;
	for (const struct host_known_part *member = record->members; member; member = member->next)
		if (member->offset >= offset && member->offset < offset + size &&
		    member->value == host_member(record, member->offset))
			inner = host_member_set(host, inner, member->offset - offset, member->value);
	return inner;
}

const struct host_constant *host_record_part(struct host *host, const struct host_constant *record, uint64_t offset,
                                             const struct source_type *type)
{
	if (host_is_dim3(type))
		return host_record_triple(host, record, offset);
	if (type->shape == SHAPE_RECORD && !type->type.record)
		return host_member(record, offset);
	return type->shape == SHAPE_RECORD || type->shape == SHAPE_ARRAY
	               ? inner_record(host, record, offset, type->type.size_bytes)
	               : host_member(record, offset);
}

/* What lay between two offsets is not known any more. */
static const struct host_constant *members_forget(struct host *host, const struct host_constant *record, uint64_t from,
                                                  uint64_t end, const struct host_constant *unknown)
{
	const struct host_known_part *member = record && record->kind == CONSTANT_RECORD ? record->members : NULL;

	for (; member; member = member->next)
		if (member->offset >= from && member->offset < end &&
		    member->value == host_member(record, member->offset) && member->value->kind != CONSTANT_UNKNOWN)
			record = host_member_set(host, record, member->offset, unknown);
	return record;
}

const struct host_constant *host_record_set(struct host *host, const struct host_constant *record, uint64_t offset,
                                            const struct source_type *type, const struct host_constant *value)
{
	bool is_composed = (type->shape == SHAPE_RECORD && type->type.record) || type->shape == SHAPE_ARRAY;

	if (value->kind == CONSTANT_TRIPLE) {
		for (unsigned axis = 0; axis < ARRAY_COUNT(value->parts); axis++)
			record = host_member_set(host, record, offset + AXIS_BYTES * axis, value->parts[axis]);
		return record;
	}
	if (is_composed && type->type.size_bytes)
		record = members_forget(host, record, offset, offset + type->type.size_bytes,
		                        host_unknown(host, "the object that it lies in is set"));
	if (value->kind != CONSTANT_RECORD)
		return is_composed && value->kind == CONSTANT_UNKNOWN ? record
		                                                      : host_member_set(host, record, offset, value);
	for (const struct host_known_part *member = value->members; member; member = member->next)
		if (member->value == host_member(value, member->offset))
			record = host_member_set(host, record, offset + member->offset, member->value);
	return record;
}

/* ---- zeros -------------------------------------------------------------------------------- */

static const struct host_constant *zero_scalar(struct host *host, bool is_real)
{
	return is_real ? host_real(host, 0) : host_integer(host, 0);
}

static const struct host_constant *zero_record(struct host *host, const struct record *type)
{
	const struct host_constant *made = host_unknown(host, "an object");
	uint64_t count = 0;

	for (unsigned l = 0; l < type->leaf_count; l++)
		count += type->leaves[l].count;
	for (unsigned l = 0; l < type->leaf_count && count <= ZEROS_MAX; l++) {
		const struct leaf *leaf = &type->leaves[l];

		for (uint64_t i = 0; leaf->type.scalar != SCALAR_OTHER && i < leaf->count; i++)
			made = host_member_set(host, made, leaf->offset_bytes + i * leaf->stride_bytes,
			                       zero_scalar(host, leaf->type.scalar == SCALAR_FLOAT));
	}
	return made;
}

const struct host_constant *host_zero(struct host *host, const struct source_type *type)
{
	const struct host_constant *made = host_unknown(host, "an object");
	const struct source_type *element = type->shape == SHAPE_ARRAY ? type->target : NULL;

	if (type->shape == SHAPE_FLOAT || type_is_integral(type))
		return zero_scalar(host, type->shape == SHAPE_FLOAT);
	if (type->shape == SHAPE_RECORD && type->type.record)
		return zero_record(host, type->type.record);
	if (element && (element->shape == SHAPE_FLOAT || type_is_integral(element)) && type->count <= ZEROS_MAX)
		for (uint64_t i = 0; i < type->count; i++)
			made = host_member_set(host, made, i * element->type.size_bytes,
			                       zero_scalar(host, element->shape == SHAPE_FLOAT));
	return made;
}

/* ---- joining ------------------------------------------------------------------------------ */

static bool constant_equal(const struct host_constant *a, const struct host_constant *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind || a->kind == CONSTANT_UNKNOWN)
		return false;
	switch (a->kind) {
	case CONSTANT_INTEGER:
		return a->value == b->value;
	case CONSTANT_REAL:
		return !(a->real < b->real) && !(a->real > b->real);
	case CONSTANT_TRIPLE:
		return constant_equal(a->parts[0], b->parts[0]) && constant_equal(a->parts[1], b->parts[1]) &&
		       constant_equal(a->parts[2], b->parts[2]);
	case CONSTANT_RECORD:
		return a->members == b->members;
	case CONSTANT_CONTAINER:
		return a->members == b->members && constant_equal(a->parts[0], b->parts[0]);
	case CONSTANT_STRING:
		return strcmp(a->text, b->text) == 0;
	case CONSTANT_STEPPED:
	case CONSTANT_GROWN:
		return a->stretch == b->stretch && a->parts[0] == b->parts[0] && a->value == b->value;
	default:
		return a->function == b->function && a->variable == b->variable && a->value == b->value;
	}
}

/* Whether each member that one record has is what it is in the other; not asked of long ones. */
static bool members_same(const struct host_constant *a, const struct host_constant *b)
{
	unsigned compared = 0;
	bool same = true;

	for (const struct host_known_part *member = a->members; member && same && member != b->members;
	     member = member->next)
		same = compared++ < MEMBERS_COMPARED &&
		       host_same(host_member(a, member->offset), host_member(b, member->offset));
	return same;
}

bool host_same(const struct host_constant *a, const struct host_constant *b)
{
	bool is_unknown_a = !a || a->kind == CONSTANT_UNKNOWN, is_unknown_b = !b || b->kind == CONSTANT_UNKNOWN;

	if (is_unknown_a || is_unknown_b)
		return is_unknown_a && is_unknown_b && !a == !b;
	if (a->kind == CONSTANT_RECORD && b->kind == CONSTANT_RECORD)
		return members_same(a, b) && members_same(b, a);
	return a->assumed == b->assumed && a->allocation == b->allocation && constant_equal(a, b);
}

static const struct host_constant *record_join(struct host *host, const struct host_constant *a,
                                               const struct host_constant *b)
{
	const struct host_constant *sides[2] = {a, b}, *joined = host_unknown(host, "an object");

	for (unsigned side = 0; side < ARRAY_COUNT(sides); side++)
		for (const struct host_known_part *member = sides[side]->members; member; member = member->next) {
			const struct host_constant *other = host_member(sides[1 - side], member->offset);

			if (member->value != host_member(sides[side], member->offset) ||
			    host_member(joined, member->offset))
				continue;
			joined = host_member_set(host, joined, member->offset,
			                         other ? host_join(host, member->value, other)
			                               : host_unknown(host, "it is set on one branch only"));
		}
	return joined;
}

const struct host_constant *host_assume(struct host *host, const struct host_constant *constant, const char *reason)
{
	struct host_constant *copy = arena_alloc(host->arena, sizeof(*copy));

	*copy = *constant;
	copy->assumed = true;
	copy->reason = reason;
	return copy;
}

/* Numbers that a stretch of a loop's iterations steps are what they are there, and not assumed. */
static bool is_of_loop(const struct host_constant *a)
{
	return a->kind == CONSTANT_STEPPED || a->kind == CONSTANT_GROWN;
}

/* Numbers of elements: that none is there is not assumed where something unknown may have put some there. */
static const struct host_constant *count_join(struct host *host, const struct host_constant *a,
                                              const struct host_constant *b)
{
	const struct host_constant *known = a->kind == CONSTANT_UNKNOWN ? b : a, *unknown = known == a ? b : a;

	return unknown->kind == CONSTANT_UNKNOWN && known->kind == CONSTANT_INTEGER && known->value == 0
	               ? unknown
	               : host_join(host, a, b);
}

const struct host_constant *host_join(struct host *host, const struct host_constant *a, const struct host_constant *b)
{
	static const char assumed[] = "it is this unless a branch sets it to something unknown";
	const struct host_constant *parts[3];
	if (constant_equal(a, b))
		return a->assumed ? a : b;
	if (a->kind == CONSTANT_TRIPLE && b->kind == CONSTANT_TRIPLE) {
		for (unsigned i = 0; i < ARRAY_COUNT(parts); i++)
			parts[i] = host_join(host, a->parts[i], b->parts[i]);
		return host_triple(host, parts);
	}
	if (a->kind == CONSTANT_CONTAINER && b->kind == CONSTANT_CONTAINER)
		return host_container(host, count_join(host, a->parts[0], b->parts[0]));
	if (a->kind == CONSTANT_RECORD && b->kind == CONSTANT_RECORD)
		return record_join(host, a, b);
	if (is_of_loop(a) || is_of_loop(b))
		return host_unknown(host, "it depends on a branch");
	if (a->kind != CONSTANT_UNKNOWN && b->kind != CONSTANT_UNKNOWN && a->assumed != b->assumed)
		return host_assume(host, a->assumed ? b : a, assumed);
	if (a->kind != CONSTANT_UNKNOWN && b->kind != CONSTANT_UNKNOWN)
		return host_unknown(host, "it depends on a branch");
	if (a->kind == CONSTANT_UNKNOWN && (b->kind == CONSTANT_UNKNOWN || b->kind == CONSTANT_CONTAINER))
		return a;
	if (a->kind == CONSTANT_CONTAINER)
		return b;
	return host_assume(host, a->kind == CONSTANT_UNKNOWN ? b : a, assumed);
}

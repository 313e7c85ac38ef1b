/*
 * Values that a launch passes: those of expressions, of a record one for each of its scalars, of a member array one for
 * each element.
 */
#include "analyzer/host/host.h"

/* ---- what a launch passes ------------------------------------------------------------------ */

/* The elements of a member array. The newest of the known parts come first in their list. */
static struct host_value *element_values(struct host *host, const struct host_constant *constant,
                                         const struct leaf *leaf)
{
	struct host_value *values = arena_array(host->arena, leaf->count, sizeof(*values));
	bool *is_found = arena_array(host->arena, leaf->count, sizeof(*is_found));

	for (uint64_t i = 0; i < leaf->count; i++)
		values[i].reason = "it is not known";
	for (const struct host_known_part *part = constant->members; part; part = part->next) {
		uint64_t behind = part->offset - leaf->offset_bytes, position = behind / leaf->stride_bytes;

		if (part->offset < leaf->offset_bytes || behind % leaf->stride_bytes != 0 || position >= leaf->count ||
		    is_found[position])
			continue;
		is_found[position] = true;
		values[position] = host_value_of(host, part->value, NULL);
	}
	return values;
}

/* What is known of the scalars of a record. */
static struct host_value *leaf_values(struct host *host, const struct host_constant *constant,
                                      const struct record *record)
{
	struct host_value *values = arena_array(host->arena, record->leaf_count + 1, sizeof(*values));

	for (unsigned i = 0; i < record->leaf_count; i++) {
		const struct leaf *leaf = &record->leaves[i];
		const struct host_constant *part = host_member(constant, leaf->offset_bytes);

		values[i] = host_value_of(host, part ? part : host_unknown(host, "it is not known"), NULL);
		values[i].leaf_count = leaf->count > 1 && leaf->stride_bytes ? leaf->count : 0;
		values[i].leaves = values[i].leaf_count ? element_values(host, constant, leaf) : NULL;
	}
	return values;
}

struct host_value host_value_of(struct host *host, const struct host_constant *constant, const struct node *node)
{
	struct host_value value = {.range = node ? node->range : (struct range){0, 0}};
	struct source_declaration *variable = node ? host_pointer_declaration(node) : NULL;

	value.known =
		constant->kind == CONSTANT_INTEGER && (!node || !node->type || node->type->shape != SHAPE_POINTER);
	value.value = value.known ? constant->value : 0;
	value.has_real = constant->kind == CONSTANT_REAL;
	value.real = value.has_real ? constant->real : 0;
	value.assumed = (value.known || value.has_real) && constant->assumed;
	if (variable && variable->type->shape == SHAPE_POINTER)
		value.array = host->arrays[variable->slot];
	if (constant->kind == CONSTANT_MEMORY && constant->value > 0)
		value.bytes = (uint64_t)constant->value;
	if (constant->kind == CONSTANT_MEMORY)
		value.allocation = constant->allocation;
	if (node && node->type && node->type->type.record && constant->kind == CONSTANT_RECORD) {
		value.leaf_count = node->type->type.record->leaf_count;
		value.leaves = leaf_values(host, constant, node->type->type.record);
	}
	if (node && node->type && node->type->shape == SHAPE_POINTER && !value.array)
		value.reason = "a pointer that is no variable with device memory";
	else if (!value.known || value.assumed)
		value.reason = constant->reason                  ? constant->reason
		               : constant->kind == CONSTANT_REAL ? "a real number"
		                                                 : "an expression that is no number";
	return value;
}

/* Whether a pointer is 0; not where its variable points to device memory elsewhere. */
static bool is_null(const struct host_constant *pointer, const struct host_array *array)
{
	bool is_used = array && array->bytes.known;

	return pointer->kind == CONSTANT_INTEGER && pointer->value == 0 && !pointer->assumed && !is_used;
}

struct host_value host_argument_value(struct host *host, const struct parameter *parameter, const struct node *node)
{
	struct host_value value = host_value_of(host, host_evaluate(host, node), node);

	if (parameter->is_pointer)
		value.is_null = is_null(host_evaluate(host, node), value.array);
	if (parameter->is_pointer || !node->type || parameter->type.record != node->type->type.record) {
		value.leaves = NULL;
		value.leaf_count = 0;
	}
	return value;
}

/* ---- comparing ---------------------------------------------------------------------------------- */

bool host_value_differs(const struct host_value *a, const struct host_value *b)
{
	bool differs = a->known != b->known || a->value != b->value || a->leaf_count != b->leaf_count ||
	               a->is_null != b->is_null;

	for (uint64_t i = 0; !differs && i < a->leaf_count; i++)
		differs = host_value_differs(&a->leaves[i], &b->leaves[i]);
	return differs;
}

bool host_values_equal(const struct host_value *a, const struct host_value *b)
{
	bool equal = !host_value_differs(a, b) && a->array == b->array;

	for (uint64_t i = 0; equal && i < a->leaf_count; i++)
		equal = host_values_equal(&a->leaves[i], &b->leaves[i]);
	return equal;
}

void host_value_join_reals(struct host_value *value, const struct host_value *other)
{
	if (value->real < other->real || value->real > other->real)
		value->has_real = false;
	for (uint64_t i = 0; i < value->leaf_count; i++)
		host_value_join_reals(&value->leaves[i], &other->leaves[i]);
}

/*
 * Copies between host and device: of which records, how many bytes, how often. Requires that calls are walked as often as they run, as launches do.
 */
#include "analyzer/host/host.h"

/* The record that an expression of a pointer's type points to, its casts ignored. */
static const struct record *record_behind(const struct node *node)
{
	const struct node *inside = node_strip_casts(node);
	const struct source_type *type = inside && inside->type ? type_strip_reference(inside->type) : NULL;

	if (!type || (type->shape != SHAPE_POINTER && type->shape != SHAPE_ARRAY) || !type->target)
		return NULL;
	return type->target->type.record;
}

static bool is_device_pointer(const struct host *host, const struct node *node)
{
	const struct source_declaration *variable = host_pointer_declaration(node_strip_casts(node));

	return variable && host->arrays[variable->slot];
}

/* Returns false for a copy that stays on its side of the link. */
static bool direction_of(const struct host *host, const struct node *call, bool *to_device)
{
	enum host_copy_kind kind = host_copy_kind(call);
	bool is_into = is_device_pointer(host, node_argument(call, 0)), is_from = is_device_pointer(host, node_argument(call, 1));

	*to_device = kind == COPY_DEFAULT ? is_into : kind == COPY_TO_DEVICE;
	return kind == COPY_DEFAULT ? is_into != is_from : kind == COPY_TO_DEVICE || kind == COPY_TO_HOST;
}

void host_copy(struct host *host, const struct node *call, const struct host_constant *const *arguments)
{
	struct host_copy copy = {.place = call->place, .times = host->count, .is_known = host->count_known};

	if (!host_is_copy(call) || host->is_passing || !direction_of(host, call, &copy.to_device))
		return;
	copy.record = record_behind(node_argument(call, copy.to_device ? 0 : 1));
	if (!copy.record)
		copy.record = record_behind(node_argument(call, copy.to_device ? 1 : 0));
	if (!copy.record)
		return;
	if (arguments[2]->kind == CONSTANT_INTEGER && arguments[2]->value > 0)
		copy.bytes = (uint64_t)arguments[2]->value;
	ARENA_PUSH(host->arena, host->copies, host->copy_count, copy);
}

/*
 * Copies between host and device: of which records, how many bytes, how often; and what a single record holds that the host fills and copies. Requires that
 * calls are walked as often as they run, as launches do.
 */
#include "analyzer/host/host.h"

#include <string.h>

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

/* ---- single records ---------------------------------------------------------------------- */

/* A record type of which the device gets single ones: the host's first, and whether another one may differ. */
struct host_single {
	const struct record *record;
	const struct host_constant **values;
	unsigned value_count;
	bool is_spoiled; /* something else is copied there, or what is not known */
	struct place place;
};

static struct host_single *single_of(struct host *host, const struct record *record)
{
	for (unsigned i = 0; i < host->single_count; i++)
		if (host->singles[i].record == record)
			return &host->singles[i];
	ARENA_PUSH(host->arena, host->singles, host->single_count, (struct host_single){.record = record});
	return &host->singles[host->single_count - 1];
}

/* The record at an address; NULL where it is not known, or lies in something else. */
static const struct host_constant *record_at(const struct host *host, const struct host_constant *address)
{
	const struct host_constant *value;

	if (address->kind != CONSTANT_ADDRESS || address->value || address->assumed)
		return NULL;
	value = host->environment[address->variable->slot];
	return value && value->kind == CONSTANT_RECORD ? value : NULL;
}

static void single_add(struct host *host, const struct host_copy *copy, const struct host_constant *source)
{
	struct host_single *single = single_of(host, copy->record);
	const struct host_constant *value = record_at(host, source);

	single->place = copy->place;
	if (!value || copy->bytes != copy->record->type.size_bytes)
		single->is_spoiled = true;
	else
		ARENA_PUSH(host->arena, single->values, single->value_count, value);
}

/* Whether some kernel writes such records. */
static bool is_written(const struct analysis *analysis, const struct record *record)
{
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned i = 0; i < analysis->kernels[k]->access_count; i++) {
			const struct access *access = analysis->kernels[k]->accesses[i];

			if (access->kind != ACCESS_LOAD && access->array && access->array->element.record == record)
				return true;
		}
	return false;
}

/* The integer that a member has in all copies; false where it is not known, or differs. */
static bool single_member(const struct host_single *single, const struct leaf *leaf, int64_t *number)
{
	for (unsigned i = 0; i < single->value_count; i++) {
		const struct host_constant *part = host_member(single->values[i], leaf->offset_bytes);

		if (!part || part->kind != CONSTANT_INTEGER || part->assumed || (i && part->value != *number))
			return false;
		*number = part->value;
	}
	return single->value_count > 0;
}

static bool is_stated(const struct analysis *analysis, const struct record *record, const struct leaf *leaf)
{
	for (unsigned i = 0; i < analysis->host_content_count; i++)
		if (analysis->host_contents[i].record == record && analysis->host_contents[i].leaf == leaf)
			return true;
	return false;
}

void host_copies_end(struct host *host)
{
	struct analysis *analysis = host->analysis;

	analysis->host_copies = host->copies;
	analysis->host_copy_count = host->copy_count;
	for (unsigned i = 0; i < host->single_count; i++) {
		const struct host_single *single = &host->singles[i];

		if (single->is_spoiled || is_written(analysis, single->record))
			continue;
		for (unsigned l = 0; l < single->record->leaf_count; l++) {
			const struct leaf *leaf = &single->record->leaves[l];
			struct host_content content = {.record = single->record, .leaf = leaf, .is_copied = true, .elements = 1};

			if (leaf->count != 1 || strpbrk(leaf->path, ".[") || is_stated(analysis, single->record, leaf) ||
			    (leaf->type.scalar != SCALAR_SIGNED && leaf->type.scalar != SCALAR_UNSIGNED) ||
			    !single_member(single, leaf, &content.low))
				continue;
			content.high = content.low + 1;
			content.place = single->place;
			ARENA_PUSH(host->arena, analysis->host_contents, analysis->host_content_count, content);
		}
	}
}

/* ---- the entry ---------------------------------------------------------------------------- */

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
	if (copy.to_device)
		single_add(host, &copy, arguments[1]);
	ARENA_PUSH(host->arena, host->copies, host->copy_count, copy);
}

/*
 * Copies between host and device: how many bytes, how often, and of which records; and what a single record holds that
 * the host fills and copies. Requires that calls are walked as often as they run, as launches do.
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

/* Arguments of the calls that copy: where to, where from, which are multiplied to the bytes (-1: none), the kind, and
 * what it is when it is left out. */
static const struct copy_call {
	const char *name;
	int to, from, bytes[2], kind;
	enum host_copy_kind standard;
} copy_calls[] = {
	{"cudaMemcpy", 0, 1, {2, -1}, 3, COPY_DEFAULT},
	{"cudaMemcpyAsync", 0, 1, {2, -1}, 3, COPY_DEFAULT},
	{"cudaMemcpy2D", 0, 2, {4, 5}, 6, COPY_DEFAULT},
	{"cudaMemcpy2DAsync", 0, 2, {4, 5}, 6, COPY_DEFAULT},
	{"cudaMemcpyToSymbol", 0, 1, {2, -1}, 4, COPY_TO_DEVICE},
	{"cudaMemcpyToSymbolAsync", 0, 1, {2, -1}, 4, COPY_TO_DEVICE},
	{"cudaMemcpyFromSymbol", 0, 1, {2, -1}, 4, COPY_TO_HOST},
	{"cudaMemcpyFromSymbolAsync", 0, 1, {2, -1}, 4, COPY_TO_HOST},
};

static const struct copy_call *copy_call_of(const struct node *call)
{
	for (unsigned i = 0; call->declaration && i < ARRAY_COUNT(copy_calls); i++)
		if (strcmp(call->declaration->name, copy_calls[i].name) == 0 && call->child_count > 3)
			return &copy_calls[i];
	return NULL;
}

static bool is_device_pointer(const struct host *host, const struct node *node)
{
	const struct source_declaration *variable = host_pointer_declaration(node_strip_casts(node));

	return variable && host->arrays[variable->slot];
}

/* Returns false for a copy that stays on its side of the link. */
static bool direction_of(const struct host *host, const struct node *call, const struct copy_call *form,
                         bool *to_device)
{
	const struct node *said = node_strip_casts(node_argument(call, (unsigned)form->kind));
	bool is_said = said && said->kind == NODE_INTEGER && said->value >= 0 && said->value <= COPY_DEFAULT;
	enum host_copy_kind kind = is_said ? (enum host_copy_kind)said->value : form->standard;
	bool is_into = is_device_pointer(host, node_argument(call, (unsigned)form->to));
	bool is_from = is_device_pointer(host, node_argument(call, (unsigned)form->from));

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
			struct host_content content = {
				.record = single->record, .leaf = leaf, .is_copied = true, .elements = 1};

			if (leaf->count != 1 || strpbrk(leaf->path, ".[") ||
			    is_stated(analysis, single->record, leaf) ||
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

/* The product of the arguments that say how much is copied; 0 where one is not known. */
static uint64_t bytes_of(const struct copy_call *form, const struct host_constant *const *arguments)
{
	uint64_t bytes = 1;

	for (unsigned i = 0; i < ARRAY_COUNT(form->bytes) && form->bytes[i] >= 0; i++) {
		const struct host_constant *part = arguments[form->bytes[i]];

		if (part->kind != CONSTANT_INTEGER || part->value <= 0 ||
		    __builtin_mul_overflow(bytes, (uint64_t)part->value, &bytes))
			return 0;
	}
	return bytes;
}

static enum memory_kind kind_of(const struct host_constant *pointer)
{
	return pointer->allocation ? pointer->allocation->kind : MEMORY_PAGEABLE;
}

static bool fills(const struct node *call)
{
	return call->declaration && call->child_count > 3 &&
	       (strcmp(call->declaration->name, "cudaMemset") == 0 ||
	        strcmp(call->declaration->name, "cudaMemsetAsync") == 0);
}

/* Takes down that an array is filled, once for each loop that the call is in. */
static void fill_add(struct host *host, const struct node *call, const struct host_constant *bytes)
{
	struct analysis *analysis = host->analysis;
	const struct source_declaration *variable = host_pointer_declaration(node_strip_casts(node_argument(call, 0)));
	struct host_fill fill = {.loop = host->loop, .launches_before = host->launches_made, .call = call};

	fill.array = variable ? host->arrays[variable->slot] : NULL;
	fill.bytes = bytes->kind == CONSTANT_INTEGER && bytes->value > 0 ? (uint64_t)bytes->value : 0;
	for (unsigned i = 0; i < analysis->host_fill_count; i++)
		if (analysis->host_fills[i].call == call && analysis->host_fills[i].loop == host->loop)
			return;
	if (fill.array)
		ARENA_PUSH(host->arena, analysis->host_fills, analysis->host_fill_count, fill);
}

void host_copy(struct host *host, const struct node *call, const struct host_constant *const *arguments)
{
	struct host_copy copy = {.place = call->place, .times = host->count, .is_known = host->count_known};
	const struct copy_call *form = copy_call_of(call);
	int device, other;

	if (fills(call) && !host->is_passing)
		fill_add(host, call, arguments[2]);
	if (!form || host->is_passing || !direction_of(host, call, form, &copy.to_device))
		return;
	device = copy.to_device ? form->to : form->from;
	other = copy.to_device ? form->from : form->to;
	copy.record = record_behind(node_argument(call, (unsigned)device));
	if (!copy.record)
		copy.record = record_behind(node_argument(call, (unsigned)other));
	copy.bytes = bytes_of(form, arguments);
	copy.kind = kind_of(arguments[other]);
	copy.is_async = strstr(form->name, "Async") != NULL;
	if (copy.record && copy.to_device && form->standard == COPY_DEFAULT)
		single_add(host, &copy, arguments[form->from]);
	ARENA_PUSH(host->arena, host->copies, host->copy_count, copy);
}

void host_copy_managed(struct host *host, const struct node *call, const struct node *pointer,
                       const struct host_constant *bytes)
{
	struct host_copy copy = {
		.kind = MEMORY_MANAGED, .place = call->place, .times = host->count, .is_known = host->count_known};

	copy.record = pointer ? record_behind(pointer) : NULL;
	if (host->is_passing)
		return;
	copy.bytes = bytes->kind == CONSTANT_INTEGER && bytes->value > 0 ? (uint64_t)bytes->value : 0;
	for (unsigned to_device = 0; to_device < 2; to_device++) {
		copy.to_device = to_device;
		ARENA_PUSH(host->arena, host->copies, host->copy_count, copy);
	}
}

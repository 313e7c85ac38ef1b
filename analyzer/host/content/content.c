/*
 * The members that are followed, and what comes out.
 */
#include "analyzer/host/content/content.h"

#include <string.h>

/* ---- members ---------------------------------------------------------------------------- */

static void members_add(struct host *host, const struct record *record)
{
	struct host_contents *contents = host->contents;

	if (!record || record->opaque_reason || record->base_count > 0 || record->is_vector_type)
		return;
	for (unsigned i = 0; i < contents->count; i++)
		if (contents->members[i].record == record)
			return;
	for (unsigned l = 0; l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		struct content_member member = {.record = record, .leaf = leaf};

		if (leaf->count == 1 && !strpbrk(leaf->path, ".[") && !leaf_overlaps(record, l) &&
		    (leaf->type.scalar == SCALAR_SIGNED || leaf->type.scalar == SCALAR_UNSIGNED))
			ARENA_PUSH(host->arena, contents->members, contents->count, member);
	}
}

/* The record that a member is one of: that of its object, or behind its pointer. */
static const struct record *record_around(const struct node *member)
{
	const struct source_type *type = member->children[0] ? member->children[0]->type : NULL;

	type = type ? type_strip_reference(type) : NULL;
	if (type && (type->shape == SHAPE_POINTER || type->shape == SHAPE_ARRAY))
		type = type->target;
	return type ? type->type.record : NULL;
}

struct content_member *host_content_member(const struct host_contents *contents, const struct node *node)
{
	const struct record *record;

	node = node_strip_casts(node);
	if (!node || node->kind != NODE_MEMBER || !node->declaration)
		return NULL;
	record = record_around(node);
	for (unsigned i = 0; i < contents->count; i++) {
		struct content_member *member = &contents->members[i];
		bool may_inherit = !record || record->opaque_reason || record->base_count > 0;

		if (record == member->record ? (uint64_t)node->value == member->leaf->offset_bytes
		                             : may_inherit && strcmp(node->declaration->name, member->leaf->path) == 0)
			return member;
	}
	return NULL;
}

void host_content_spoil(struct host_contents *contents, const struct record *record)
{
	for (unsigned i = 0; record && i < record->member_count; i++)
		host_content_spoil(contents, record->members[i].type.record);
	for (unsigned i = 0; i < contents->count; i++)
		if (contents->members[i].record == record)
			contents->members[i].is_spoiled = true;
}

/* Members that begin with a value, in objects that the text makes. */
static void defaults_spoil(struct content_member *member)
{
	for (unsigned i = 0; i < member->record->member_count; i++)
		if (member->record->members[i].offset_bytes == member->leaf->offset_bytes &&
		    member->record->members[i].initializer)
			member->is_spoiled = true;
}

void host_contents_find(struct host *host)
{
	const struct source_unit *unit = host->unit;

	host->contents = arena_alloc(host->arena, sizeof(*host->contents));
	for (unsigned k = 0; k < host->analysis->kernel_count; k++)
		for (unsigned p = 0; p < host->analysis->kernels[k]->parameter_count; p++)
			if (host->analysis->kernels[k]->parameters[p].is_pointer)
				members_add(host, host->analysis->kernels[k]->parameters[p].type.record);
	for (unsigned i = 0; i < unit->function_count && host->contents->count; i++)
		if (unit->functions[i]->body && !unit->functions[i]->is_pattern &&
		    !unit->functions[i]->in_system_header)
			host_content_scan(host, host->contents, unit->functions[i]);
	for (unsigned i = 0; i < host->contents->count; i++)
		defaults_spoil(&host->contents->members[i]);
}

/* ---- while the host is walked ------------------------------------------------------------ */

/* Which elements the place sets. */
static void span_add(struct host *host, struct content_setting *setting)
{
	const struct host_constant *index = setting->index ? host->environment[setting->index->slot] : NULL;
	bool is_known =
		index && (index->kind == CONSTANT_INTEGER || index->kind == CONSTANT_STEPPED) && !index->assumed;
	int64_t first, last;

	if (!is_known || (setting->is_walked && !setting->has_span)) {
		setting->has_span = false;
		return;
	}
	first = index->kind == CONSTANT_INTEGER ? index->value : index->stretch->start + index->value;
	if (index->kind == CONSTANT_STEPPED)
		first += index->stretch->step * (int64_t)index->stretch->first;
	last = index->kind == CONSTANT_INTEGER ? first : host_stepped_last(index);
	setting->first = setting->has_span && setting->first < first ? setting->first : first;
	setting->last = setting->has_span && setting->last > last ? setting->last : last;
	setting->has_span = true;
}

static void setting_walk(struct host *host, struct content_setting *setting)
{
	struct content_form form = host_content_form(host, setting, setting->node->children[1]);

	span_add(host, setting);
	if (!setting->is_walked)
		setting->form = form;
	else if (!host_content_same(&setting->form, &form))
		setting->form.kind = FORM_UNKNOWN;
	setting->is_walked = true;
}

void host_content_set(struct host *host, const struct node *assignment)
{
	struct content_member *member;

	if (node_strip_casts(assignment->children[0])->kind != NODE_MEMBER || !host->contents->count)
		return;
	member = host_content_member(host->contents, assignment->children[0]);
	for (unsigned i = 0; member && !member->is_spoiled && i < member->setting_count; i++)
		if (member->settings[i].node == assignment)
			setting_walk(host, &member->settings[i]);
}

/* ---- behind it ----------------------------------------------------------------------------- */

/* Whether the member's type holds what is put there. */
static bool fits(const struct content_form *form, const struct leaf *leaf)
{
	unsigned bits = (unsigned)leaf->type.size_bytes * 8;
	bool is_signed = leaf->type.scalar == SCALAR_SIGNED;

	if (form->kind == FORM_STEPPED)
		return bits >= 32;
	return form->kind == FORM_UNIFORM && expr_normalise(form->low, bits, is_signed) == form->low &&
	       expr_normalise(form->high - 1, bits, is_signed) == form->high - 1;
}

static void member_end(struct host *host, const struct content_member *member)
{
	struct analysis *analysis = host->analysis;
	const struct content_setting *first = member->settings, *covering = NULL;
	struct host_content content = {.record = member->record, .leaf = member->leaf};

	for (unsigned i = 0; i < member->setting_count; i++) {
		const struct content_setting *setting = &member->settings[i];

		if (!setting->is_walked || !host_content_same(&first->form, &setting->form) ||
		    !fits(&setting->form, member->leaf))
			return;
		if (setting->form.kind == FORM_STEPPED &&
		    (!setting->covers || !setting->index || host->contents->is_permuted))
			return;
		if (setting->covers && !covering)
			covering = setting;
	}
	if (!covering || (member->is_zeroed && !covering->has_span))
		return;
	content.is_stepped = first->form.kind == FORM_STEPPED;
	content.is_sum = first->form.is_sum;
	content.low = first->form.low;
	content.high = first->form.high;
	content.step = first->form.step;
	content.elements = covering->has_span ? (uint64_t)(covering->last - covering->first + 1) : 0;
	content.place = covering->node->place;
	ARENA_PUSH(host->arena, analysis->host_contents, analysis->host_content_count, content);
}

void host_contents_end(struct host *host)
{
	for (unsigned i = 0; i < host->contents->count; i++)
		if (!host->contents->members[i].is_spoiled)
			member_end(host, &host->contents->members[i]);
}

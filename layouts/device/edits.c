/*
 * The edits of the device side: parameters, prototypes and references of the kernels that the plan changes.
 */
#include "layouts/device/internal.h"

#include <string.h>

/* ---- parameters ------------------------------------------------------------------------ */

/* What stands between the star and the name of a pointer's declaration, with a space after it: "__restrict__ ". */
static const char *parameter_qualifiers(const struct rewriter *rewriter, const struct parameter *parameter)
{
	const struct edit_source *source = rewriter->source;
	unsigned begin = 0;

	for (unsigned i = edit_token_at(source, parameter->range.begin);
	     i < source->token_count && source->tokens[i].begin < parameter->name_range.begin; i++)
		begin = edit_is(source, i, "*") ? source->tokens[i].end : begin;
	if (begin == 0 || begin >= parameter->name_range.begin)
		return "";
	char *text = edit_single_line(rewriter->arena, edit_copy(rewriter->arena, source,
	                                                         (struct range){begin, parameter->name_range.begin}));
	while (*text == ' ')
		text++;
	return *text ? arena_printf(rewriter->arena, "%s ", text) : "";
}

/*
 * Qualifiers of the new pointers: those of the parameter; for a merged one, const and __restrict__ only where all its
 * members have them.
 */
static struct row_pointer parameter_spelling(const struct rewriter *rewriter, const struct kernel_plan *plan,
                                             unsigned p)
{
	const struct parameter *parameter = &plan->kernel->parameters[p];
	bool is_const = parameter->is_const, is_restrict = parameter->is_restrict;

	for (unsigned q = 0; plan->bindings[p]->group->form == FORM_ARRAYS && q < plan->kernel->parameter_count; q++)
		if (plan->bindings[q] && plan->bindings[q]->group == plan->bindings[p]->group) {
			is_const &= plan->kernel->parameters[q].is_const;
			is_restrict &= plan->kernel->parameters[q].is_restrict;
		}
	const char *after = is_restrict == parameter->is_restrict ? parameter_qualifiers(rewriter, parameter) : "";
	return (struct row_pointer){is_const ? "const " : "", after, NULL};
}

/* The declarations that replace parameter p. */
static const char *parameter_text(const struct rewriter *rewriter, const struct kernel_plan *plan, unsigned p)
{
	const struct group_plan *group = rewriter_binding_change(rewriter, plan->bindings[p]);
	struct row_pointer spelling = parameter_spelling(rewriter, plan, p);
	const char *record = device_record_spelling(rewriter, &plan->kernel->parameters[p], plan->bindings[p]->group);
	const struct placement *placement =
		record ? group_family_placement(rewriter->arena, group->placement, record) : NULL;
	bool joins = rewriter_joins_pointers(group);
	const char *type = joins && *spelling.before ? group->const_type_name : group->type_name, *copy;
	struct text out = {0};

	if (placement && type)
		type = group_family_type(rewriter->arena, type, record);
	if (joins)
		return arena_printf(rewriter->arena, "%s %.*s", type, (int)strcspn(plan->pointers[p][0], "."),
		                    plan->pointers[p][0]);
	placement = placement ? placement : group->placement;
	for (unsigned b = 0; b < placement->buffer_count; b++) {
		spelling.name = plan->pointers[p][b];
		text_puts(&out, b > 0 ? ", " : "");
		placement->layout->pointer(&out, placement, b, type, &spelling);
	}
	copy = arena_strdup(rewriter->arena, out.data);
	text_release(&out);
	return copy;
}

/*
 * Replaces the changed parameters of a list, given the ranges of all of them; those merged into an earlier one go
 * with the comma before them.
 */
static void parameters_edit(struct rewriter *rewriter, const struct kernel_plan *plan, const struct range *ranges)
{
	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		if (!rewriter_binding_change(rewriter, plan->bindings[p]))
			continue;
		if (device_parameter_is_merged(plan, p))
			edit_add(&rewriter->edits, (struct range){ranges[p - 1].end, ranges[p].end}, "");
		else
			edit_add(&rewriter->edits, ranges[p], parameter_text(rewriter, plan, p));
	}
}

/*
 * Whether token i, a kernel's name, stands in a declaration without a body; then open is the index of its parameter
 * list's parenthesis.
 */
static bool is_prototype(const struct edit_source *source, unsigned i, unsigned *open)
{
	unsigned start = i;
	bool global = false;

	for (*open = i + 1; *open < source->token_count && !edit_is(source, *open, "("); ++*open)
		if (edit_is(source, *open, ";") || edit_is(source, *open, "{"))
			return false;
	if (*open >= source->token_count || !edit_is(source, source->tokens[*open].match + 1, ";"))
		return false;
	while (start > 0 && !edit_is(source, start - 1, ";") && !edit_is(source, start - 1, "}") &&
	       !edit_is(source, start - 1, "{"))
		global |= edit_is(source, --start, "__global__");
	return global;
}

/* Gives the kernel's declarations without a body the parameters of its definition. */
static void prototypes_edit(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	const struct edit_source *source = rewriter->source;
	const char *name = layout_kernel_name(rewriter->arena, plan->kernel);
	unsigned count = plan->kernel->parameter_count, open;
	struct range *ranges = arena_array(rewriter->arena, count + 2, sizeof(*ranges));

	for (unsigned i = edit_word_next(source, name, 0); i < source->token_count;
	     i = edit_word_next(source, name, i + 1))
		if (edit_is(source, i, name) && is_prototype(source, i, &open) &&
		    edit_list_split(source, open, ranges, count + 1) == count)
			parameters_edit(rewriter, plan, ranges);
}

/* ---- references ------------------------------------------------------------------------ */

struct reference_edit {
	const struct rewriter *rewriter;
	const struct group_plan *plan;
	const struct reference *reference;
	const char *const *pointers;
	unsigned field;
	bool keep_tail; /* what follows the element is taken from the field itself */
};

/* Writes the members taken from a field that is a record itself: ".x", also where the source has "->x". */
static void reference_write_tail(struct text *out, const struct edits *edits, const struct edit *edit,
                                 const struct reference *reference)
{
	unsigned tail = edit_reference_tail(edits->source, reference);

	if (tail >= edits->source->token_count || edits->source->tokens[tail].begin >= reference->whole.end)
		return;
	text_puts(out, ".");
	edit_render(out, edits, (struct range){edits->source->tokens[tail].end, reference->whole.end}, edit);
}

/* Writes a reference in its group's layout. */
static void reference_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct reference_edit *site = edit->context;
	const struct reference *reference = site->reference;
	struct row_site texts = {.pointers = site->pointers, .field = site->field, .index = "0", .inner = ""};
	struct group_tile_reference tile = {reference->index, edit_token_at(edits->source, reference->whole.end)};

	if (site->plan->group->written_tile > 0)
		group_tile_reference_read(edits->source, reference, site->plan->group->written_tile, &tile);
	if (!range_is_empty(tile.element))
		texts.index = edit_render_copy(edits, tile.element, edit);
	texts.index_again = edit_single_line(edits->arena, texts.index);
	if (!site->keep_tail)
		texts.inner = device_reference_inner(edits, edit, reference, tile.lane);
	site->plan->placement->layout->access(out, site->plan->placement, &texts);
	if (site->keep_tail)
		reference_write_tail(out, edits, edit, site->reference);
}

static void reference_edit_add(struct rewriter *rewriter, const struct kernel_plan *plan,
                               const struct reference *reference)
{
	unsigned p = reference->parameter->index;
	const struct group_plan *group = rewriter_binding_change(rewriter, plan->bindings[p]);
	struct reference_edit *site;
	unsigned field = 0;
	bool is_whole;

	if (group && group->group->form == FORM_STRUCT && reference->kind == REFERENCE_ELEMENT &&
	    device_is_unevaluated(rewriter->source, reference->whole.begin)) {
		device_unevaluated_edit(rewriter, group, reference);
		return;
	}
	if (!group || plan->is_indirect[p])
		return;
	if (!device_reference_is_direct(rewriter, group, plan->kernel, reference)) {
		if ((plan->lends || !plan->proxies[p]) &&
		    device_whole_can_be_lent(rewriter, group, plan->kernel, reference))
			device_whole_lend(rewriter, group, plan->kernel, reference, plan->pointers[p]);
		return;
	}
	is_whole = group->group->form == FORM_STRUCT &&
	           device_reference_is_whole(rewriter, group->group, reference, &field);
	if (group->group->form == FORM_STRUCT && !reference->leaf && !is_whole) {
		device_whole_edit(rewriter, group, plan->kernel, reference, plan->pointers[p]);
		return;
	}
	site = arena_alloc(rewriter->arena, sizeof(*site));
	*site = (struct reference_edit){rewriter, group, reference, plan->pointers[p], plan->bindings[p]->field, true};
	if (group->group->form == FORM_STRUCT) {
		site->field = is_whole ? field : device_field_of_leaf(group->group, reference->leaf);
		site->keep_tail = false;
	}
	edit_add_writer(&rewriter->edits, reference->whole, reference_write, site);
}

/* Places of references in the text, each with the kernel's whose text it is. */
struct place_set {
	struct place_of_reference {
		const struct kernel *kernel;
		struct range whole;
	} * list;
	unsigned count;
	struct lookup index;
};

/* Adds a reference's place. Returns false where it is there, of this kernel or of another instance of its template. */
static bool place_add(struct arena *arena, struct place_set *places, const struct kernel *kernel, struct range whole)
{
	uint64_t hash = lookup_mix(lookup_mix(kernel->definition.begin, whole.begin), whole.end);

	for (const struct lookup_entry *at = lookup_first(&places->index, hash); at;
	     at = lookup_next(&places->index, at)) {
		const struct place_of_reference *old = &places->list[at->position];

		if (old->whole.begin == whole.begin && old->whole.end == whole.end &&
		    layout_kernels_share_text(old->kernel, kernel))
			return false;
	}
	lookup_add(arena, &places->index, hash, places->count);
	ARENA_PUSH(arena, places->list, places->count, ((struct place_of_reference){kernel, whole}));
	return true;
}

/* Edits the references of a kernel, but those at places that have been edited. */
static void references_edit(struct rewriter *rewriter, const struct kernel_plan *plan, struct place_set *places)
{
	for (unsigned r = 0; r < plan->kernel->reference_count; r++) {
		const struct reference *reference = &plan->kernel->references[r];

		if (place_add(rewriter->arena, places, plan->kernel, reference->whole) &&
		    !device_reference_is_part(plan, reference))
			reference_edit_add(rewriter, plan, reference);
	}
}

void device_references_edit(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	struct place_set places = {0};

	references_edit(rewriter, plan, &places);
}

/* Whether kernel k is the first of its text. */
static bool is_first_of_text(const struct rewriter *rewriter, unsigned k)
{
	for (unsigned i = 0; i < k; i++)
		if (layout_kernels_share_text(rewriter->analysis->kernels[i], rewriter->analysis->kernels[k]) &&
		    rewriter->kernel_plans[i].changed)
			return false;
	return true;
}

/* Begins a declaration at the beginning of a body. */
static void declaration_begin(const struct rewriter *rewriter, struct text *out)
{
	text_puts(out, rewriter->purpose != REWRITE_COMPILE
	                       ? arena_printf(rewriter->arena, "\n%s", rewriter->indentation)
	                       : " ");
}

/* Declares the array of pointers to the parts of a member array: "float *const p_f[9] = {p_f0, ...};" */
static void table_declare(struct text *out, const struct rewriter *rewriter, const struct kernel_plan *plan, unsigned p,
                          unsigned f)
{
	const struct placement *placement = rewriter_binding_change(rewriter, plan->bindings[p])->placement;
	const struct layout_field *field = &placement->group->fields[f];

	text_printf(out, "%s%s *const %s", parameter_spelling(rewriter, plan, p).before, field->type,
	            plan->pointers[p][placement->buffer_count + f]);
	for (unsigned d = 0; d < field->dimension_count; d++)
		text_printf(out, "[%u]", field->dimensions[d]);
	text_puts(out, " = {");
	for (unsigned k = 0; k < field->count; k++)
		text_printf(out, "%s%s", k ? ", " : "", plan->pointers[p][placement->fields[f].buffer + k]);
	text_puts(out, "};");
}

/* Whether a member array is indexed by more than numbers where token i names it. */
static bool is_indexed_by_value(const struct edit_source *source, unsigned i)
{
	bool by_value = false;

	for (i++; edit_is(source, i, "["); i = source->tokens[i].match + 1)
		by_value |= source->tokens[i].match != i + 2 || source->tokens[i + 1].kind == TOKEN_IDENTIFIER;
	return by_value;
}

/* Whether token i is one of the names of a path. */
static bool names_part(const struct edit_source *source, unsigned i, const char *path)
{
	unsigned length = source->tokens[i].end - source->tokens[i].begin;

	for (; *path; path += strcspn(path, "."), path += *path == '.')
		if (strcspn(path, ".") == length && memcmp(path, source->text + source->tokens[i].begin, length) == 0)
			return true;
	return false;
}

/* Whether a kernel reads or writes a field through a parameter. */
static bool field_is_accessed(const struct kernel_plan *plan, unsigned p, const struct layout_field *field)
{
	for (unsigned a = 0; a < plan->kernel->access_count; a++) {
		const struct access *access = plan->kernel->accesses[a];

		if (access->array->parameter == &plan->kernel->parameters[p] && access->leaf &&
		    row_field_holds(field, access->leaf))
			return true;
	}
	return false;
}

/* Whether a record that has the field is named as a whole in an array of records. */
static bool record_is_indexed(const struct rewriter *rewriter, const struct kernel_plan *plan, unsigned p,
                              const struct layout_field *field)
{
	for (unsigned r = 0; r < plan->kernel->reference_count; r++) {
		const struct reference *reference = &plan->kernel->references[r];
		struct device_part part;
		const char *rest;

		if (reference->parameter->index != p || reference->leaf || reference->kind != REFERENCE_ELEMENT)
			continue;
		part = device_reference_part(rewriter->arena, rewriter->source, reference,
		                             plan->bindings[p]->group->record);
		if (part.record && part.inner_count > 0 && device_field_belongs(field, part.path, &rest))
			return true;
	}
	return false;
}

/* Whether a kernel needs the array of pointers to the parts of a member array. */
static bool needs_table(const struct rewriter *rewriter, const struct kernel_plan *plan, unsigned p, unsigned f)
{
	const struct group_plan *group = rewriter_binding_change(rewriter, plan->bindings[p]);
	const struct edit_source *source = rewriter->source;
	const char *path;

	if (!group || rewriter_joins_pointers(group) || !group->placement->fields[f].is_split)
		return false;
	if (record_is_indexed(rewriter, plan, p, &group->group->fields[f]))
		return true;
	if (!field_is_accessed(plan, p, &group->group->fields[f]))
		return false;
	path = group->group->fields[f].path;
	for (unsigned i = edit_token_at(source, plan->kernel->body.begin);
	     i + 1 < source->token_count && source->tokens[i].begin < plan->kernel->body.end; i++)
		if (i > 0 && (edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->")) &&
		    names_part(source, i, path) && is_indexed_by_value(source, i))
			return true;
	return false;
}

/* Declares what stands for parameters at the beginning of the kernel's body: proxies, and arrays of pointers. */
static void proxies_declare(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	struct range place = {plan->kernel->body.begin + 1, plan->kernel->body.begin + 1};
	struct text out = {0};

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		if (plan->proxies[p]) {
			declaration_begin(rewriter, &out);
			device_proxy_declare(&out, plan->proxies[p], plan->kernel->parameters[p].name,
			                     plan->pointers[p]);
		}
		for (unsigned f = 0; plan->bindings[p] && f < plan->bindings[p]->group->field_count; f++)
			if (needs_table(rewriter, plan, p, f)) {
				declaration_begin(rewriter, &out);
				table_declare(&out, rewriter, plan, p, f);
			}
	}
	if (out.length > 0)
		edit_add(&rewriter->edits, place, arena_strdup(rewriter->arena, out.data));
	text_release(&out);
}

void device_kernels_edit(struct rewriter *rewriter)
{
	struct place_set places = {0};

	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];
		struct range *ranges = arena_array(rewriter->arena, plan->kernel->parameter_count + 1, sizeof(*ranges));

		if (!plan->changed)
			continue;
		for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
			ranges[p] = plan->kernel->parameters[p].range;
		if (is_first_of_text(rewriter, k)) {
			parameters_edit(rewriter, plan, ranges);
			prototypes_edit(rewriter, plan);
			proxies_declare(rewriter, plan);
			device_names_edit(rewriter, plan);
			for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
				device_types_edit(rewriter, plan, p);
		}
		references_edit(rewriter, plan, &places);
	}
}

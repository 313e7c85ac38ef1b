/*
 * The device side of a rewriting: parameters, prototypes and references of kernels.
 *
 * A kernel is changed as a whole or not at all. Instantiations of a template share their text: they are changed together, and only when all of
 * them bind the same parameters to the same members.
 */
#include <ctype.h>

#include "layouts/internal.h"

static bool range_is_empty(struct range range)
{
	return range.end <= range.begin;
}

static bool range_contains(struct range outer, struct range inner)
{
	return !range_is_empty(inner) && outer.begin <= inner.begin && inner.end <= outer.end;
}

bool kernels_share_text(const struct kernel *a, const struct kernel *b)
{
	return a->definition.begin == b->definition.begin && a->definition.end == b->definition.end;
}

const char *kernel_source_name(struct arena *arena, const struct kernel *kernel)
{
	return arena_strndup(arena, kernel->name, strcspn(kernel->name, "<"));
}

/* The group of a binding when its buffers change, else NULL. */
static const struct group_plan *binding_change(const struct rewriter *rewriter, const struct layout_binding *binding)
{
	const struct group_plan *plan = binding ? rewriter_group(rewriter, binding->group) : NULL;

	return plan && plan->change == CHANGE_BUFFERS ? plan : NULL;
}

/* ---- may it be rewritten? --------------------------------------------------------- */

static bool kernel_refuse(const struct rewriter *rewriter, const struct kernel *kernel, struct place place,
                          const char *name, const char *reason)
{
	diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, place, "kernel %s keeps its layout: '%s' %s", kernel->name,
	                   name, reason);
	return false;
}

/* Index of the token after the element itself, `.` or `->` of what is taken from it; the token behind the reference where there is none. */
static unsigned reference_tail(const struct source *source, const struct reference *reference)
{
	unsigned from = range_is_empty(reference->index) ? reference->whole.begin : reference->index.end;
	unsigned i = source_token_at(source, from);

	while (i < source->token_count && source->tokens[i].begin < reference->whole.end && !source_is(source, i, ".") &&
	       !source_is(source, i, "->"))
		i++;
	return i;
}

/* How many indices stand in the reference after the element: 2 for p[e].pos[j].v[k]. */
static unsigned reference_inner_count(const struct source *source, const struct reference *reference)
{
	unsigned count = 0;

	for (unsigned i = reference_tail(source, reference);
	     i < source->token_count && source->tokens[i].begin < reference->whole.end; i++)
		if (source_is(source, i, "[")) {
			count++;
			i = source->tokens[i].match;
		}
	return count;
}

static unsigned field_of_leaf(const struct layout_group *group, const struct leaf *leaf)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (strcmp(group->fields[f].path, leaf->path) == 0)
			return f;
	bug("a leaf that is no field: %s", leaf->path);
}

/* Why a reference cannot be rewritten into the group's new layout, or NULL. */
static const char *reference_refusal(const struct rewriter *rewriter, const struct group_plan *plan,
                                     const struct kernel *kernel, const struct reference *reference)
{
	if (reference->reason)
		return reference->reason;
	if (reference->kind != REFERENCE_ELEMENT)
		return "is used other than by indexing";
	if (!range_contains(kernel->definition, reference->whole))
		return "is named inside a macro";
	if (plan->placement->layout->repeats_index && reference->index_has_side_effects)
		return "has an index with side effects, which this layout would repeat";
	if (plan->group->form == FORM_ARRAYS)
		return NULL;
	if (!reference->leaf)
		return "is copied as a whole record";
	if (reference_inner_count(rewriter->source, reference) !=
	    plan->group->fields[field_of_leaf(plan->group, reference->leaf)].dimension_count)
		return "has a member array that is used as a pointer";
	return NULL;
}

/* Whether a parameter's declaration can be replaced. */
static bool parameter_check(const struct rewriter *rewriter, const struct kernel *kernel,
                            const struct parameter *parameter)
{
	const struct source *source = rewriter->source;

	if (!range_contains(kernel->definition, parameter->range))
		return kernel_refuse(rewriter, kernel, parameter->place, parameter->name, "is declared by a macro");
	for (unsigned i = source_token_at(source, parameter->range.begin);
	     i < source->token_count && source->tokens[i].begin < parameter->range.end; i++)
		if (source_is(source, i, "volatile") || source_is(source, i, "="))
			return kernel_refuse(rewriter, kernel, parameter->place, parameter->name,
			                     "is volatile or has a default argument");
	return true;
}

/* Whether all references of a kernel to its bound parameters can be rewritten; each that cannot is reported. */
static bool references_check(const struct rewriter *rewriter, const struct kernel_plan *kernel)
{
	bool good = true;

	for (unsigned r = 0; r < kernel->kernel->reference_count; r++) {
		const struct reference *reference = &kernel->kernel->references[r];
		const struct group_plan *plan = binding_change(rewriter, kernel->bindings[reference->parameter->index]);
		const char *reason = plan ? reference_refusal(rewriter, plan, kernel->kernel, reference) : NULL;

		if (reason)
			good = kernel_refuse(rewriter, kernel->kernel, reference->place, reference->parameter->name, reason);
	}
	return good;
}

static bool kernel_check(const struct rewriter *rewriter, const struct kernel_plan *plan)
{
	bool good = true;

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
		if (binding_change(rewriter, plan->bindings[p]))
			good &= parameter_check(rewriter, plan->kernel, &plan->kernel->parameters[p]);
	return references_check(rewriter, plan) && good;
}

/* Whether two instantiations bind their parameters alike. */
static bool bindings_agree(const struct kernel_plan *a, const struct kernel_plan *b)
{
	if (a->kernel->parameter_count != b->kernel->parameter_count)
		return false;
	for (unsigned p = 0; p < a->kernel->parameter_count; p++) {
		const struct layout_binding *left = a->bindings[p], *right = b->bindings[p];

		if (!left != !right || (left && (left->group != right->group || left->field != right->field)))
			return false;
	}
	return true;
}

/* Gives all instantiations of one text the same answer: changed only when each of them can be, and in the same way. */
static void instantiations_agree(struct rewriter *rewriter, struct kernel_plan *plan)
{
	bool changed = plan->changed;

	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		struct kernel_plan *other = &rewriter->kernel_plans[k];

		if (other == plan || !kernels_share_text(other->kernel, plan->kernel) || other->kernel->is_template_pattern)
			continue;
		if (changed && !bindings_agree(plan, other)) {
			diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, plan->kernel->place,
			                   "kernel %s keeps its layout: %s uses other types in the same text", plan->kernel->name,
			                   other->kernel->name);
			changed = false;
		}
		changed &= other->changed;
	}
	plan->changed = changed;
}

/* ---- the plan ------------------------------------------------------------------------ */

/* A name for a pointer that neither the file nor another pointer of the kernel has. */
static const char *pointer_name(const struct rewriter *rewriter, const struct kernel_plan *plan, const char *base)
{
	const char *name = rewriter_name(rewriter, base);

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
		for (unsigned b = 0; plan->pointers[p] && plan->pointers[p][b]; b++)
			if (strcmp(plan->pointers[p][b], name) == 0)
				return pointer_name(rewriter, plan, arena_printf(rewriter->arena, "%s_", name));
	return name;
}

/* Names the new pointers of parameter p: its own name where there is one, else with the fields' names after it. */
static const char *const *parameter_pointers(const struct rewriter *rewriter, const struct kernel_plan *plan,
                                             const struct group_plan *group, unsigned p)
{
	unsigned count = group->placement->buffer_count;
	const char **names = arena_array(rewriter->arena, count + 1, sizeof(*names));
	const char *base = group->group->form == FORM_ARRAYS ? group->merged_name : plan->kernel->parameters[p].name;

	names[0] = base;
	for (unsigned b = 0; count > 1 && b < count; b++)
		names[b] = pointer_name(rewriter, plan,
		                        arena_printf(rewriter->arena, "%s_%s", base, group->group->fields[b].name));
	return names;
}

static void kernel_bind(struct rewriter *rewriter, struct kernel_plan *plan)
{
	unsigned count = plan->kernel->parameter_count;

	plan->bindings = arena_array(rewriter->arena, count + 1, sizeof(struct layout_binding *));
	plan->pointers = arena_array(rewriter->arena, count + 1, sizeof(char **));
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];

		if (binding->kernel == plan->kernel) {
			plan->bindings[binding->parameter->index] = binding;
			plan->bound = true;
		}
	}
}

void kernels_plan(struct rewriter *rewriter)
{
	unsigned count = rewriter->analysis->kernel_count;

	rewriter->kernel_plans = arena_array(rewriter->arena, count + 1, sizeof(*rewriter->kernel_plans));
	for (unsigned k = 0; k < count; k++) {
		struct kernel_plan *plan = &rewriter->kernel_plans[k];

		plan->kernel = rewriter->analysis->kernels[k];
		kernel_bind(rewriter, plan);
		plan->changed = plan->bound && kernel_check(rewriter, plan);
	}
	for (unsigned k = 0; k < count; k++)
		instantiations_agree(rewriter, &rewriter->kernel_plans[k]);
	for (unsigned k = 0; k < count; k++) {
		struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned p = 0; plan->changed && p < plan->kernel->parameter_count; p++) {
			const struct group_plan *group = binding_change(rewriter, plan->bindings[p]);

			if (plan->bindings[p])
				rewriter_group(rewriter, plan->bindings[p]->group)->used = true;
			if (group)
				plan->pointers[p] = parameter_pointers(rewriter, plan, group, p);
		}
	}
}

/* ---- parameters ------------------------------------------------------------------------ */

/* Whether an earlier parameter of the kernel already stands for the group's merged pointer. */
static bool parameter_is_merged(const struct kernel_plan *plan, unsigned p)
{
	if (plan->bindings[p]->group->form != FORM_ARRAYS)
		return false;
	for (unsigned q = 0; q < p; q++)
		if (plan->bindings[q] && plan->bindings[q]->group == plan->bindings[p]->group)
			return true;
	return false;
}

/* What stands between the star and the name of a pointer's declaration, with a space after it: "__restrict__ ". */
static const char *parameter_qualifiers(const struct rewriter *rewriter, const struct parameter *parameter)
{
	const struct source *source = rewriter->source;
	unsigned begin = 0;

	for (unsigned i = source_token_at(source, parameter->range.begin);
	     i < source->token_count && source->tokens[i].begin < parameter->name_range.begin; i++)
		begin = source_is(source, i, "*") ? source->tokens[i].end : begin;
	if (begin == 0 || begin >= parameter->name_range.begin)
		return "";
	char *text = text_single_line(rewriter->arena,
	                              source_copy(rewriter->arena, source, (struct range){begin, parameter->name_range.begin}));
	while (*text == ' ')
		text++;
	return *text ? arena_printf(rewriter->arena, "%s ", text) : "";
}

/*
 * Qualifiers of the new pointers: those of the parameter; for a merged one, const and __restrict__ only where all its members have them.
 */
static struct pointer_spelling parameter_spelling(const struct rewriter *rewriter, const struct kernel_plan *plan,
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
	return (struct pointer_spelling){is_const ? "const " : "", after, NULL};
}

/* The declarations that replace parameter p. */
static const char *parameter_text(const struct rewriter *rewriter, const struct kernel_plan *plan, unsigned p)
{
	const struct group_plan *group = binding_change(rewriter, plan->bindings[p]);
	struct pointer_spelling spelling = parameter_spelling(rewriter, plan, p);
	struct text out = {0};
	const char *copy;

	for (unsigned b = 0; b < group->placement->buffer_count; b++) {
		spelling.name = plan->pointers[p][b];
		text_puts(&out, b > 0 ? ", " : "");
		group->placement->layout->pointer(&out, group->placement, b, group->type_name, &spelling);
	}
	copy = arena_strdup(rewriter->arena, out.data);
	text_release(&out);
	return copy;
}

/* Replaces the changed parameters of a list, given the ranges of all of them; those merged into an earlier one go with the comma before them. */
static void parameters_edit(struct rewriter *rewriter, const struct kernel_plan *plan, const struct range *ranges)
{
	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		if (!binding_change(rewriter, plan->bindings[p]))
			continue;
		if (parameter_is_merged(plan, p))
			edits_add(&rewriter->edits, (struct range){ranges[p - 1].end, ranges[p].end}, "");
		else
			edits_add(&rewriter->edits, ranges[p], parameter_text(rewriter, plan, p));
	}
}

/* Whether token i, a kernel's name, stands in a declaration without a body; then open is the index of its parameter list's parenthesis. */
static bool is_prototype(const struct source *source, unsigned i, unsigned *open)
{
	unsigned start = i;
	bool global = false;

	for (*open = i + 1; *open < source->token_count && !source_is(source, *open, "("); ++*open)
		if (source_is(source, *open, ";") || source_is(source, *open, "{"))
			return false;
	if (*open >= source->token_count || !source_is(source, source->tokens[*open].match + 1, ";"))
		return false;
	while (start > 0 && !source_is(source, start - 1, ";") && !source_is(source, start - 1, "}") &&
	       !source_is(source, start - 1, "{"))
		global |= source_is(source, --start, "__global__");
	return global;
}

/* Splits the parameter list that opens at token `open`; false where it has not as many as the kernel. */
static bool prototype_ranges(const struct rewriter *rewriter, const struct kernel_plan *plan, unsigned open,
                             struct range *ranges)
{
	const struct source *source = rewriter->source;
	unsigned close = source->tokens[open].match, count = 0, begin = open + 1;

	for (unsigned i = open + 1; i <= close; i++) {
		if (i < close && source->tokens[i].match > i) {
			i = source->tokens[i].match;
		} else if (i == close || source_is(source, i, ",")) {
			if (begin == i || count == plan->kernel->parameter_count)
				return false;
			ranges[count++] = (struct range){source->tokens[begin].begin, source->tokens[i - 1].end};
			begin = i + 1;
		}
	}
	return count == plan->kernel->parameter_count;
}

/* Gives the kernel's declarations without a body the parameters of its definition. */
static void prototypes_edit(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	const struct source *source = rewriter->source;
	const char *name = kernel_source_name(rewriter->arena, plan->kernel);
	struct range *ranges = arena_array(rewriter->arena, plan->kernel->parameter_count + 1, sizeof(*ranges));
	unsigned open;

	for (unsigned i = 0; i < source->token_count; i++)
		if (source_is(source, i, name) && is_prototype(source, i, &open) &&
		    prototype_ranges(rewriter, plan, open, ranges))
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

/* Copies the indices that follow the element, with their own edits done: "[j][k]". */
static char *reference_inner(const struct edits *edits, const struct edit *edit, const struct reference *reference)
{
	const struct source *source = edits->source;
	struct text out = {0};
	char *copy;

	for (unsigned i = reference_tail(source, reference);
	     i < source->token_count && source->tokens[i].begin < reference->whole.end; i++)
		if (source_is(source, i, "[")) {
			unsigned close = source->tokens[i].match;

			edits_render(&out, edits, (struct range){source->tokens[i].begin, source->tokens[close].end}, edit);
			i = close;
		}
	copy = arena_strdup(edits->arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

/* Writes the members taken from a field that is a record itself: ".x", also where the source has "->x". */
static void reference_write_tail(struct text *out, const struct edits *edits, const struct edit *edit,
                                 const struct reference *reference)
{
	unsigned tail = reference_tail(edits->source, reference);

	if (tail >= edits->source->token_count || edits->source->tokens[tail].begin >= reference->whole.end)
		return;
	text_puts(out, ".");
	edits_render(out, edits, (struct range){edits->source->tokens[tail].end, reference->whole.end}, edit);
}

/* Writes a reference in its group's layout. */
static void reference_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct reference_edit *site = edit->context;
	struct arena *arena = edits->arena;
	char *index = range_is_empty(site->reference->index)
	                      ? arena_strdup(arena, "0")
	                      : edits_render_copy(edits, site->reference->index, edit);
	struct rewrite_site texts = {
		.pointers = site->pointers,
		.field = site->field,
		.index = index,
		.index_again = text_single_line(arena, index),
		.inner = site->keep_tail ? "" : reference_inner(edits, edit, site->reference),
	};

	site->plan->placement->layout->access(out, site->plan->placement, &texts);
	if (site->keep_tail)
		reference_write_tail(out, edits, edit, site->reference);
}

static void reference_edit_add(struct rewriter *rewriter, const struct kernel_plan *plan,
                               const struct reference *reference)
{
	unsigned p = reference->parameter->index;
	const struct group_plan *group = binding_change(rewriter, plan->bindings[p]);
	struct reference_edit *site;

	if (!group)
		return;
	site = arena_alloc(rewriter->arena, sizeof(*site));
	*site = (struct reference_edit){rewriter, group, reference, plan->pointers[p], plan->bindings[p]->field, true};
	if (group->group->form == FORM_STRUCT) {
		site->field = field_of_leaf(group->group, reference->leaf);
		site->keep_tail = false;
	}
	edits_add_function(&rewriter->edits, reference->whole, reference_write, site);
}

/* Whether a reference of the same place in the text was already seen, in this kernel or an instantiation before it. */
static bool reference_was_seen(const struct rewriter *rewriter, unsigned k, unsigned r)
{
	const struct kernel *kernel = rewriter->analysis->kernels[k];
	unsigned begin = kernel->references[r].whole.begin;

	for (unsigned i = 0; i <= k; i++) {
		const struct kernel *other = rewriter->analysis->kernels[i];
		unsigned count = i == k ? r : other->reference_count;

		for (unsigned o = 0; kernels_share_text(kernel, other) && o < count; o++)
			if (other->references[o].whole.begin == begin)
				return true;
	}
	return false;
}

/* Whether kernel k is the first of its text. */
static bool is_first_of_text(const struct rewriter *rewriter, unsigned k)
{
	for (unsigned i = 0; i < k; i++)
		if (kernels_share_text(rewriter->analysis->kernels[i], rewriter->analysis->kernels[k]) &&
		    rewriter->kernel_plans[i].changed)
			return false;
	return true;
}

void kernels_edit(struct rewriter *rewriter)
{
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
		}
		for (unsigned r = 0; r < plan->kernel->reference_count; r++)
			if (!reference_was_seen(rewriter, k, r))
				reference_edit_add(rewriter, plan, &plan->kernel->references[r]);
	}
}

/* ---- what became of the parameters ---------------------------------------------------- */

struct variant_kernel kernel_variant(const struct rewriter *rewriter, const struct kernel_plan *plan)
{
	struct variant_kernel variant = {.kernel = plan->kernel, .changed = plan->changed};

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		const struct layout_binding *binding = plan->changed ? plan->bindings[p] : NULL;
		const struct group_plan *group = binding_change(rewriter, binding);
		struct variant_parameter parameter = {.original = &plan->kernel->parameters[p]};

		if (binding) {
			parameter.group = binding->group;
			parameter.array = binding->array;
			parameter.buffer = binding->group->form == FORM_ARRAYS ? binding->field : 0;
		}
		if (group && parameter_is_merged(plan, p))
			continue;
		for (unsigned b = 0; group && b < group->placement->buffer_count; b++) {
			parameter.buffer = b;
			ARENA_PUSH(rewriter->arena, variant.parameters, variant.parameter_count, parameter);
		}
		if (!group)
			ARENA_PUSH(rewriter->arena, variant.parameters, variant.parameter_count, parameter);
	}
	return variant;
}

/*
 * The plan of the device side: which kernels can be rewritten, and what their parameters become.
 *
 * A kernel is changed as a whole or not at all. Instantiations of a template share their text: they are changed
 * together, and only when all of them bind the same parameters to the same members.
 */
#include "layouts/internal.h"

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

const struct group_plan *binding_change(const struct rewriter *rewriter, const struct layout_binding *binding)
{
	const struct group_plan *plan = binding ? rewriter_group(rewriter, binding->group) : NULL;

	return plan && plan->change == CHANGE_BUFFERS ? plan : NULL;
}

/* ---- may it be rewritten? --------------------------------------------------------- */

static bool kernel_refuse(const struct rewriter *rewriter, const struct kernel *kernel, struct place place, const char *name,
                          const char *reason)
{
	diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, place, "kernel %s keeps its layout: %s: %s", kernel->name, name,
	                   reason);
	return false;
}

unsigned reference_tail(const struct source *source, const struct reference *reference)
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

unsigned field_of_leaf(const struct layout_group *group, const struct leaf *leaf)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (strcmp(group->fields[f].path, leaf->path) == 0)
			return f;
	bug("a leaf that is no field: %s", leaf->path);
}

/*
 * Whether the address of the reference is taken by `&` for more than an atomic operation, and might be stepped to a
 * neighbour that lies elsewhere in the new layout: the next element of a separate array, the next scalar of a member
 * array in tiles.
 */
static bool address_is_stored(const struct source *source, const struct group_plan *plan, const struct reference *reference)
{
	unsigned token = source_token_at(source, reference->whole.begin);
	struct host_call call;

	if (!reference->address_taken || token == 0 || !source_is(source, token - 1, "&"))
		return false;
	if (plan->group->form == FORM_STRUCT && (!reference->leaf || reference->leaf->count == 1 || plan->placement->tile == 1))
		return false;
	return !call_around(source, reference->whole, &call) || strncmp(source->text + call.name.begin, "atomic", 6) != 0;
}

/* Why a reference cannot be rewritten into the group's new layout, or NULL. */
static const char *reference_refusal(const struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                                     const struct reference *reference)
{
	if (reference->reason)
		return reference->reason;
	if (reference->kind != REFERENCE_ELEMENT)
		return "used other than by indexing";
	if (!range_contains(kernel->definition, reference->whole))
		return "named inside a macro";
	if (plan->placement->layout->repeats_index && reference->index_has_side_effects)
		return "its index has side effects, which this layout would repeat";
	if (address_is_stored(rewriter->source, plan, reference))
		return "its address is stored or passed on";
	if (plan->group->form == FORM_ARRAYS)
		return NULL;
	if (!reference->leaf)
		return whole_record_can_be_listed(rewriter, plan, reference) ? NULL : "copied as a whole record";
	if (reference_inner_count(rewriter->source, reference) !=
	    plan->group->fields[field_of_leaf(plan->group, reference->leaf)].dimension_count + (plan->group->written_tile > 0))
		return "a member array is used as a pointer";
	return NULL;
}

bool reference_is_direct(const struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                         const struct reference *reference)
{
	return !reference_refusal(rewriter, plan, kernel, reference);
}

/* Whether a parameter's declaration can be replaced. */
static bool parameter_check(const struct rewriter *rewriter, const struct kernel *kernel, const struct parameter *parameter)
{
	const struct source *source = rewriter->source;

	if (!range_contains(kernel->definition, parameter->range))
		return kernel_refuse(rewriter, kernel, parameter->place, parameter->name, "declared by a macro");
	for (unsigned i = source_token_at(source, parameter->range.begin);
	     i < source->token_count && source->tokens[i].begin < parameter->range.end; i++)
		if (source_is(source, i, "volatile") || source_is(source, i, "="))
			return kernel_refuse(rewriter, kernel, parameter->place, parameter->name,
			                     "volatile, or with a default argument");
	return true;
}

/* Whether the local pointers and references in a kernel with proxies can take them. */
static bool locals_check(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	const struct source *source = rewriter->source;
	unsigned begin = source_token_at(source, plan->kernel->body.begin), end = source_token_at(source, plan->kernel->body.end);
	bool good = true;

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		struct alias_types types;
		const char *reason;

		if (!plan->proxies[p])
			continue;
		types = alias_types_of(rewriter, plan->proxies[p]->plan);
		if (!locals_can_be_auto(source, begin, end, &types, &reason))
			good = kernel_refuse(rewriter, plan->kernel, plan->kernel->place, plan->kernel->parameters[p].name, reason);
		if (!local_aliases_mark(rewriter, plan, p))
			good = kernel_refuse(rewriter, plan->kernel, plan->kernel->place, plan->kernel->parameters[p].name,
			                     "a local pointer is passed to a function that only takes records");
	}
	return good;
}

bool reference_is_part(const struct kernel *kernel, const struct reference *reference)
{
	for (unsigned r = 0; r < kernel->reference_count; r++)
		if (kernel->references[r].whole.begin == reference->whole.begin &&
		    kernel->references[r].whole.end > reference->whole.end)
			return true;
	return false;
}

/* Whether all references of a kernel to its bound parameters can be rewritten; each that cannot is reported. */
static bool references_check(struct rewriter *rewriter, struct kernel_plan *kernel)
{
	bool good = true;

	for (unsigned r = 0; r < kernel->kernel->reference_count; r++) {
		const struct reference *reference = &kernel->kernel->references[r];
		unsigned p = reference->parameter->index;
		const struct group_plan *plan = binding_change(rewriter, kernel->bindings[p]);
		const char *reason = plan ? reference_refusal(rewriter, plan, kernel->kernel, reference) : NULL;

		if (!reason || reference_is_part(kernel->kernel, reference))
			continue;
		if (mention_can_stay(rewriter, kernel, reference, &kernel->is_indirect[p]))
			kernel->proxies[p] = proxy_find(rewriter, plan, kernel->bindings[p]);
		else
			good = kernel_refuse(rewriter, kernel->kernel, reference->place, reference->parameter->name, reason);
	}
	return good && locals_check(rewriter, kernel);
}

static bool kernel_check(struct rewriter *rewriter, struct kernel_plan *plan)
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
	if (plan->proxies[p] && group->group->form == FORM_STRUCT && count == 1)
		names[0] = pointer_name(rewriter, plan, arena_printf(rewriter->arena, "%s_records", base));
	for (unsigned b = 0; count > 1 && b < count; b++)
		names[b] = pointer_name(rewriter, plan, arena_printf(rewriter->arena, "%s_%s", base, group->group->fields[b].name));
	return names;
}

static void kernel_bind(struct rewriter *rewriter, struct kernel_plan *plan)
{
	unsigned count = plan->kernel->parameter_count;

	plan->bindings = arena_array(rewriter->arena, count + 1, sizeof(struct layout_binding *));
	plan->pointers = arena_array(rewriter->arena, count + 1, sizeof(char **));
	plan->proxies = arena_array(rewriter->arena, count + 1, sizeof(struct proxy *));
	plan->is_indirect = arena_array(rewriter->arena, count + 1, sizeof(bool));
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
	rewriter->generic = arena_array(rewriter->arena, rewriter->groups->count + 1, sizeof(*rewriter->generic));
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		rewriter->generic[g] = arena_array(rewriter->arena, rewriter->analysis->function_count + 1, sizeof(bool));
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

bool parameter_is_merged(const struct kernel_plan *plan, unsigned p)
{
	if (plan->bindings[p]->group->form != FORM_ARRAYS)
		return false;
	for (unsigned q = 0; q < p; q++)
		if (plan->bindings[q] && plan->bindings[q]->group == plan->bindings[p]->group)
			return true;
	return false;
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

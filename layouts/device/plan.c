/*
 * The plan of the device side: which kernels can be rewritten, and what their parameters become.
 *
 * A kernel is changed as a whole or not at all. Instantiations of a template share their text: they are changed
 * together, and only when all of them bind the same parameters to the same members.
 */
#include "layouts/device/internal.h"

/* ---- may it be rewritten? --------------------------------------------------------- */

static bool kernel_refuse(const struct rewriter *rewriter, const struct kernel *kernel, struct place place,
                          const char *name, const char *reason)
{
	diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, place,
	                   "kernel %s keeps its layout: %s: %s; change that to have it rewritten", kernel->name, name,
	                   reason);
	return false;
}

/* Whether a parameter's declaration can be replaced. */
static bool parameter_check(const struct rewriter *rewriter, const struct kernel *kernel,
                            const struct parameter *parameter)
{
	const struct edit_source *source = rewriter->source;

	if (!range_contains(kernel->definition, parameter->range) ||
	    !edit_range_is(source, parameter->name_range, parameter->name))
		return kernel_refuse(rewriter, kernel, parameter->place, parameter->name, "declared by a macro");
	for (unsigned i = edit_token_at(source, parameter->range.begin);
	     i < source->token_count && source->tokens[i].begin < parameter->range.end; i++)
		if (edit_is(source, i, "volatile") || edit_is(source, i, "="))
			return kernel_refuse(rewriter, kernel, parameter->place, parameter->name,
			                     "volatile, or with a default argument");
	return true;
}

/* Whether the local pointers and references in a kernel with proxies can take them. */
static bool locals_check(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	const struct edit_source *source = rewriter->source;
	unsigned begin = edit_token_at(source, plan->kernel->body.begin),
		 end = edit_token_at(source, plan->kernel->body.end);
	bool good = true;

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		struct device_alias_types types;
		const char *reason;

		if (!plan->proxies[p])
			continue;
		types = device_alias_types_of(rewriter, plan->proxies[p]->plan);
		if (!device_locals_can_be_auto(source, begin, end, &types, &reason))
			good = kernel_refuse(rewriter, plan->kernel, plan->kernel->place,
			                     plan->kernel->parameters[p].name, reason);
		if (!device_locals_mark(rewriter, plan, p))
			good = kernel_refuse(rewriter, plan->kernel, plan->kernel->place,
			                     plan->kernel->parameters[p].name,
			                     "a local pointer is passed to a function that only takes records");
	}
	return good;
}

/* Adds the name that the reference is the value of, if it can go. */
static bool name_add(struct rewriter *rewriter, struct kernel_plan *kernel, const struct group_plan *plan,
                     const struct reference *reference)
{
	struct device_name name, *added;

	if (!device_name_read(rewriter, plan, reference, &name))
		return false;
	added = arena_alloc(rewriter->arena, sizeof(*added));
	*added = name;
	ARENA_PUSH(rewriter->arena, kernel->names, kernel->name_count, added);
	return true;
}

/* Whether a reference is lent without a proxy, since it is known what has to be written back; notes that in the
 * kernel's plan. */
static bool lend_plan(const struct rewriter *rewriter, struct kernel_plan *kernel, const struct group_plan *plan,
                      const struct reference *reference)
{
	bool lent = device_lending_is_plain(rewriter, plan->group, reference->whole) &&
	            device_whole_can_be_lent(rewriter, plan, kernel->kernel, reference);

	kernel->lends |= lent;
	return lent;
}

bool device_element_is_plain(struct rewriter *rewriter, struct kernel_plan *kernel, const struct group_plan *plan,
                             const struct reference *reference)
{
	return name_add(rewriter, kernel, plan, reference) || lend_plan(rewriter, kernel, plan, reference);
}

/*
 * Whether all references of a kernel to its bound parameters can be rewritten; each that cannot is reported. plainly:
 * local names of elements may go, and elements be lent.
 */
static bool references_plan(struct rewriter *rewriter, struct kernel_plan *kernel, bool plainly)
{
	bool good = true;

	for (unsigned r = 0; r < kernel->kernel->reference_count; r++) {
		const struct reference *reference = &kernel->kernel->references[r];
		unsigned p = reference->parameter->index;
		const struct group_plan *plan = rewriter_binding_change(rewriter, kernel->bindings[p]);
		const char *reason = plan ? device_reference_refusal(rewriter, plan, kernel->kernel, reference) : NULL;

		if (!reason || device_reference_is_part(kernel, reference) ||
		    (plainly && device_element_is_plain(rewriter, kernel, plan, reference)) ||
		    device_held_is_passed(rewriter, reference, plan->group))
			continue;
		if (device_mention_can_stay(rewriter, kernel, reference, &kernel->is_indirect[p]))
			kernel->proxies[p] = device_proxy_find(rewriter, plan, kernel->bindings[p]);
		else if (!device_whole_can_be_lent(rewriter, plan, kernel->kernel, reference))
			good = kernel_refuse(rewriter, kernel->kernel, reference->place, reference->parameter->name,
			                     reason);
	}
	return good;
}

/* Whether a kernel has a proxy for the group of one of its names, or any beside elements that are lent. */
static bool names_meet_proxies(const struct kernel_plan *kernel)
{
	for (unsigned p = 0; kernel->lends && p < kernel->kernel->parameter_count; p++)
		if (kernel->proxies[p])
			return true;
	for (unsigned n = 0; n < kernel->name_count; n++)
		for (unsigned p = 0; p < kernel->kernel->parameter_count; p++)
			if (kernel->proxies[p] && kernel->proxies[p]->plan == kernel->names[n]->plan)
				return true;
	return false;
}

/* The same for all of them. What needs a proxy anyhow keeps its local names, which then stand for proxies too. */
static bool references_check(struct rewriter *rewriter, struct kernel_plan *kernel)
{
	bool good = references_plan(rewriter, kernel, true);

	if (good && names_meet_proxies(kernel)) {
		kernel->name_count = 0;
		kernel->lends = false;
		good = references_plan(rewriter, kernel, false);
	}
	return good && locals_check(rewriter, kernel);
}

/* A member that points to records of the same kind: addresses of elements are data, and would have to change with the
 * layout. */
static const struct leaf *link_member(const struct record *record)
{
	size_t length = strlen(record->name);

	for (unsigned l = 0; l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];

		if (strncmp(leaf->type.spelling, record->name, length) == 0 &&
		    strncmp(leaf->type.spelling + length, " *", 2) == 0)
			return leaf;
	}
	return NULL;
}

/* Whether elements of a parameter's record are known by their addresses; reports it. */
static bool links_check(const struct rewriter *rewriter, const struct kernel *kernel, const struct parameter *parameter)
{
	const struct leaf *link = parameter->type.record ? link_member(parameter->type.record) : NULL;

	return !link || kernel_refuse(rewriter, kernel, parameter->place, parameter->name,
	                              arena_printf(rewriter->arena,
	                                           "member %s holds addresses of records of its own kind", link->path));
}

/* Whether addresses of a parameter's members are taken: in the kernel, or through a proxy. */
static bool members_have_addresses(const struct kernel_plan *plan, unsigned p)
{
	bool taken = plan->proxies[p] != NULL;

	for (unsigned r = 0; r < plan->kernel->reference_count; r++) {
		const struct reference *reference = &plan->kernel->references[r];

		taken |= reference->parameter->index == p && reference->leaf && reference->address_taken;
	}
	return taken;
}

/*
 * Whether a kernel reaches members of a parameter's records from the address of another one, or as another type;
 * reports where. Layouts that keep the record keep that, too, and so do copies of it.
 */
static bool accesses_check(const struct rewriter *rewriter, const struct kernel_plan *kernel_plan,
                           const struct group_plan *plan, unsigned p)
{
	const struct kernel *kernel = kernel_plan->kernel;

	if (!members_have_addresses(kernel_plan, p))
		return true;
	for (unsigned a = 0;
	     plan->group->form == FORM_STRUCT && !plan->placement->layout->keeps_record && a < kernel->access_count;
	     a++) {
		const struct access *access = kernel->accesses[a];

		if (access->array->parameter == &kernel->parameters[p] && !access->leaf && access->affine.reason &&
		    strncmp(access->affine.reason, "an array of ", strlen("an array of ")) == 0)
			return kernel_refuse(
				rewriter, kernel, access->place, kernel->parameters[p].name,
				"members are reached here from the address of another one, or as another type");
	}
	return true;
}

static bool kernel_check(struct rewriter *rewriter, struct kernel_plan *plan)
{
	bool good = true;

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		const struct group_plan *change = rewriter_binding_change(rewriter, plan->bindings[p]);

		if (change)
			good &= parameter_check(rewriter, plan->kernel, &plan->kernel->parameters[p]) &&
			        links_check(rewriter, plan->kernel, &plan->kernel->parameters[p]);
	}
	good &= references_check(rewriter, plan);
	for (unsigned p = 0; good && p < plan->kernel->parameter_count; p++)
		if (rewriter_binding_change(rewriter, plan->bindings[p]))
			good = accesses_check(rewriter, plan, rewriter_binding_change(rewriter, plan->bindings[p]), p);
	return good;
}

/* Whether whole records are read and written by listing their members, whatever instance of the family they are. */
static bool wholes_are_listed(const struct rewriter *rewriter, const struct kernel_plan *plan, unsigned p)
{
	for (unsigned r = 0; r < plan->kernel->reference_count; r++) {
		const struct reference *reference = &plan->kernel->references[r];

		if (reference->parameter->index == p && !reference->leaf &&
		    !device_reference_is_part(plan, reference) &&
		    device_record_kind(rewriter, plan->bindings[p]->group->record) != DEVICE_RECORD_LISTED)
			return false;
	}
	return true;
}

/* Whether one text does for a parameter of two instantiations: of the same group, or of instances of a template that
 * are given one layout. */
static bool groups_agree(const struct rewriter *rewriter, const struct kernel_plan *a, const struct kernel_plan *b,
                         unsigned p)
{
	const struct group_plan *left = rewriter_group(rewriter, a->bindings[p]->group),
				*right = rewriter_group(rewriter, b->bindings[p]->group);

	if (left == right)
		return true;
	return left->group->family && left->group->family == right->group->family && left->change == right->change &&
	       left->placement->layout == right->placement->layout && left->placement->tile == right->placement->tile &&
	       left->placement->buffer_count == right->placement->buffer_count && !a->proxies[p] && !b->proxies[p] &&
	       device_record_spelling(rewriter, &a->kernel->parameters[p], left->group) &&
	       wholes_are_listed(rewriter, a, p);
}

/* Whether two instantiations bind their parameters alike. */
static bool bindings_agree(const struct rewriter *rewriter, const struct kernel_plan *a, const struct kernel_plan *b)
{
	if (a->kernel->parameter_count != b->kernel->parameter_count)
		return false;
	for (unsigned p = 0; p < a->kernel->parameter_count; p++) {
		const struct layout_binding *left = a->bindings[p], *right = b->bindings[p];

		if (!left != !right || (left && (!groups_agree(rewriter, a, b, p) || left->field != right->field)))
			return false;
	}
	return true;
}

/* Whether a parameter of the kernel points to records that move. */
static bool kernel_moves(const struct rewriter *rewriter, const struct kernel_plan *plan)
{
	for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
		if (rewriter_binding_change(rewriter, plan->bindings[p]))
			return true;
	return false;
}

/*
 * Whether another instantiation goes its own way: code is compiled of each alone, so that the text has to fit those
 * alone whose records move, and where two disagree, the first of them.
 */
static bool stands_apart(const struct rewriter *rewriter, const struct kernel_plan *plan, struct kernel_plan *other)
{
	bool moves = kernel_moves(rewriter, plan), other_moves = kernel_moves(rewriter, other);

	if (rewriter->purpose == REWRITE_COMPILE && !moves && !other_moves && !other->bound)
		return true;
	if (rewriter->purpose != REWRITE_COMPILE || bindings_agree(rewriter, plan, other) ||
	    (moves && other_moves && other < plan))
		return false;
	other->is_apart |= moves;
	return true;
}

/* Gives all instantiations of one text the same answer: changed only when each of them can be, and in the same way. */
static void instantiations_agree(struct rewriter *rewriter, struct kernel_plan *plan)
{
	bool changed = plan->changed;

	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		struct kernel_plan *other = &rewriter->kernel_plans[k];

		if (other == plan || !layout_kernels_share_text(other->kernel, plan->kernel) ||
		    other->kernel->is_template_pattern || stands_apart(rewriter, plan, other))
			continue;
		if (changed && !bindings_agree(rewriter, plan, other)) {
			diagnostics_report(
				rewriter->diagnostics, SEVERITY_NOTE, plan->kernel->place,
				"kernel %s keeps its layout: %s uses other types in the same text; give them the same",
				plan->kernel->name, other->kernel->name);
			changed = false;
		}
		changed &= other->changed;
	}
	plan->changed = changed;
}

/* What stands apart from another instantiation has no code in its text. */
static void apart_leave(struct rewriter *rewriter)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++)
		rewriter->kernel_plans[k].changed &= !rewriter->kernel_plans[k].is_apart;
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

/* Names what stands for a member array that is split: an array of the pointers to its parts. */
static void tables_name(const struct rewriter *rewriter, const struct kernel_plan *plan, const struct group_plan *group,
                        const char *base, const char **names)
{
	const struct placement *placement = group->placement;

	for (unsigned f = 0; f < group->group->field_count; f++) {
		const char *name = arena_printf(rewriter->arena, rewriter_joins_pointers(group) ? "%s.%s" : "%s_%s",
		                                base, group->group->fields[f].name);

		names[placement->buffer_count + f] = !placement->fields[f].is_split ? ""
		                                     : rewriter_joins_pointers(group)
		                                             ? name
		                                             : pointer_name(rewriter, plan, name);
	}
}

/* Names the new pointers of parameter p: its own name where there is one, else with the fields' names after it. */
static const char *const *parameter_pointers(const struct rewriter *rewriter, const struct kernel_plan *plan,
                                             const struct group_plan *group, unsigned p)
{
	unsigned count = group->placement->buffer_count;
	const char **names = arena_array(rewriter->arena, count + group->group->field_count + 1, sizeof(*names));
	const char *base = group->group->form == FORM_ARRAYS ? group->merged_name : plan->kernel->parameters[p].name;

	names[0] = base;
	if (rewriter_joins_pointers(group)) {
		base = plan->proxies[p] ? pointer_name(rewriter, plan, arena_printf(rewriter->arena, "%s_arrays", base))
		                        : base;
		for (unsigned b = 0; b < count; b++)
			names[b] = arena_printf(rewriter->arena, "%s.%s", base,
			                        rewriter_buffer_member(rewriter->arena, group->placement, b));
		tables_name(rewriter, plan, group, base, names);
		return names;
	}
	if (plan->proxies[p] && group->group->form == FORM_STRUCT && count == 1)
		names[0] = pointer_name(rewriter, plan, arena_printf(rewriter->arena, "%s_records", base));
	for (unsigned b = 0; count > 1 && b < count; b++)
		names[b] =
			pointer_name(rewriter, plan,
		                     arena_printf(rewriter->arena, "%s_%s", base, group->placement->buffers[b].name));
	tables_name(rewriter, plan, group, base, names);
	return names;
}

void device_kernel_plan(struct rewriter *rewriter, struct kernel_plan *plan, const struct kernel *kernel)
{
	unsigned count = kernel->parameter_count;

	plan->kernel = kernel;
	device_references_index(rewriter->arena, plan);
	plan->bindings = arena_array(rewriter->arena, count + 1, sizeof(struct layout_binding *));
	plan->pointers = arena_array(rewriter->arena, count + 1, sizeof(char **));
	plan->proxies = arena_array(rewriter->arena, count + 1, sizeof(struct device_proxy *));
	plan->is_indirect = arena_array(rewriter->arena, count + 1, sizeof(bool));
}

static void kernel_bind(struct rewriter *rewriter, struct kernel_plan *plan)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];

		if (binding->kernel == plan->kernel && binding->leaf) {
			plan->bound = true;
			plan->refused |= rewriter_group(rewriter, binding->group)->refused;
		} else if (binding->kernel == plan->kernel) {
			plan->bindings[binding->parameter->index] = binding;
			plan->bound = true;
			plan->refused |= rewriter->purpose != REWRITE_COMPILE &&
			                 rewriter_group(rewriter, binding->group)->refused;
		}
	}
}

void device_kernel_name_pointers(const struct rewriter *rewriter, struct kernel_plan *plan)
{
	for (unsigned p = 0; plan->changed && p < plan->kernel->parameter_count; p++) {
		const struct group_plan *group = rewriter_binding_change(rewriter, plan->bindings[p]);

		if (group)
			plan->pointers[p] = parameter_pointers(rewriter, plan, group, p);
	}
}

/* Groups with a holder are used where a kernel that takes it is changed. */
static void holders_use(struct rewriter *rewriter)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++)
		for (unsigned k = 0; rewriter->groups->bindings[b].leaf && k < rewriter->analysis->kernel_count; k++)
			if (rewriter->kernel_plans[k].kernel == rewriter->groups->bindings[b].kernel &&
			    rewriter->kernel_plans[k].changed)
				rewriter_group(rewriter, rewriter->groups->bindings[b].group)->used = true;
}

/* The group whose holder a parameter is, with its number among such parameters; NULL: none. */
static const struct layout_binding *holder_binding(const struct rewriter *rewriter, const struct parameter *parameter)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++)
		if (rewriter->groups->bindings[b].parameter == parameter && rewriter->groups->bindings[b].leaf)
			return &rewriter->groups->bindings[b];
	return NULL;
}

void device_plan(struct rewriter *rewriter)
{
	unsigned count = rewriter->analysis->kernel_count;

	device_held_plan(rewriter);
	rewriter->kernel_plans = arena_array(rewriter->arena, count + 1, sizeof(*rewriter->kernel_plans));
	rewriter->generic = arena_array(rewriter->arena, rewriter->groups->count + 1, sizeof(*rewriter->generic));
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		rewriter->generic[g] =
			arena_array(rewriter->arena, rewriter->analysis->function_count + 1, sizeof(bool));
	for (unsigned k = 0; k < count; k++) {
		struct kernel_plan *plan = &rewriter->kernel_plans[k];

		device_kernel_plan(rewriter, plan, rewriter->analysis->kernels[k]);
		kernel_bind(rewriter, plan);
		plan->changed = plan->bound && !plan->refused && kernel_check(rewriter, plan);
	}
	for (unsigned k = 0; k < count; k++)
		instantiations_agree(rewriter, &rewriter->kernel_plans[k]);
	apart_leave(rewriter);
	holders_use(rewriter);
	for (unsigned k = 0; k < count; k++) {
		struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned p = 0; plan->changed && p < plan->kernel->parameter_count; p++)
			if (plan->bindings[p])
				rewriter_group(rewriter, plan->bindings[p]->group)->used = true;
		device_kernel_name_pointers(rewriter, plan);
	}
}

bool device_parameter_is_merged(const struct kernel_plan *plan, unsigned p)
{
	if (!plan->bindings[p] || plan->bindings[p]->group->form != FORM_ARRAYS)
		return false;
	for (unsigned q = 0; q < p; q++)
		if (plan->bindings[q] && plan->bindings[q]->group == plan->bindings[p]->group)
			return true;
	return false;
}

/* ---- what became of the parameters ---------------------------------------------------- */

struct variant_kernel device_variant(const struct rewriter *rewriter, const struct kernel_plan *plan)
{
	struct variant_kernel variant = {.kernel = plan->kernel, .changed = plan->changed};

	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		const struct layout_binding *binding = plan->changed ? plan->bindings[p] : NULL,
					    *holder = plan->changed
		                                              ? holder_binding(rewriter, &plan->kernel->parameters[p])
		                                              : NULL;
		const struct group_plan *group = rewriter_binding_change(rewriter, binding);
		struct variant_parameter parameter = {.original = &plan->kernel->parameters[p]};

		if (binding) {
			parameter.group = binding->group;
			parameter.array = binding->array;
			parameter.buffer = binding->group->form == FORM_ARRAYS ? binding->field : 0;
		}
		if (holder) {
			parameter.group = holder->group;
			parameter.array = holder->array;
		}
		if (group && device_parameter_is_merged(plan, p))
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

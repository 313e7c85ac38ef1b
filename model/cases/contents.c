/*
 * What index arrays hold: declared by --index ARRAY=WHAT (by its name in the kernel, or that of the array which the
 * host passes), or --index ARRAY.MEMBER=WHAT for an integer member of the array's records; else assumed. Arrays that
 * bound rows go up evenly (rows.c); all others, and members of records that arrays are indexed by, are uniform over the
 * elements of the array that is indexed.
 */
#include "model/cases/cases.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Reads a text file of integers. Returns false and reports where it is none. */
static bool index_file_read(struct arena *arena, const char *path, struct content *content,
                            struct diagnostics *diagnostics)
{
	char *text = file_read(arena, path, NULL);
	int64_t *values = NULL;
	size_t count = 0;
	if (!text) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "cannot read the index file: %s", strerror(errno));
		return false;
	}
	for (char *next = text + strspn(text, " \t\r\n,"), *end; *next; next = end + strspn(end, " \t\r\n,")) {
		errno = 0;
		long long value = strtoll(next, &end, 0);
		if (end == next || errno) {
			unsigned line = 1;
			for (char *p = text; p < next; p++)
				line += *p == '\n';
			diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, line, 0},
			                   "not an integer");
			return false;
		}
		ARENA_PUSH(arena, values, count, (int64_t)value);
	}
	content->kind = CONTENT_VALUES;
	content->values = values;
	content->count = count;
	return count > 0;
}

static bool content_parse(struct arena *arena, const struct named_value *option, struct content *content,
                          struct diagnostics *diagnostics)
{
	long long low, high;
	char rest;
	if (strcmp(option->value, "seq") == 0) {
		content->kind = CONTENT_SEQUENCE;
		return true;
	}
	if (sscanf(option->value, "seq:%lld:%lld%c", &low, &high, &rest) == 2 && low) {
		*content = (struct content){.kind = CONTENT_SEQUENCE, .step = low, .low = high};
		return true;
	}
	if (sscanf(option->value, "seq:%lld%c", &low, &rest) == 1) {
		*content = low ? (struct content){.kind = CONTENT_SEQUENCE, .step = low}
		               : (struct content){.kind = CONTENT_UNIFORM, .high = 1};
		return true;
	}
	if (sscanf(option->value, "uniform:%lld:%lld%c", &low, &high, &rest) == 2 && low <= high && low < LLONG_MAX) {
		*content = (struct content){.kind = CONTENT_UNIFORM, .low = low, .high = low < high ? high : low + 1};
		return true;
	}
	if (strncmp(option->value, "uniform:", 8) == 0) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "--index %s=%s: expected uniform:LOW:HIGH with LOW <= HIGH", option->name,
		                   option->value);
		return false;
	}
	return index_file_read(arena, option->value, content, diagnostics);
}

/* The load from a passed array, or of a member of its records, whose values an index is made of, or NULL. */
static const struct access *index_load(const struct expr *expr)
{
	if (!expr)
		return NULL;
	if (expr->op == EXPR_LOAD && expr->load->array)
		return expr->load->array->parameter ? expr->load : NULL;
	for (unsigned i = 0; i < 3; i++) {
		const struct access *found = index_load(expr->operands[i]);
		if (found)
			return found;
	}
	return NULL;
}

/* ---- index arrays -------------------------------------------------------------------- */

/* Elements of the array that is indexed: where nobody says, as many as the index array has. 0: not known. */
static uint64_t target_extent(struct launch_case *launch, const struct array *source, const struct array *target)
{
	uint64_t *extent = case_extent(launch, target);
	if (!extent)
		return target->space == ARRAY_GLOBAL || target->space == ARRAY_CONSTANT ? target->count : 0;
	if (*extent == 0)
		*extent = *case_extent(launch, source);
	return *extent;
}

static void content_note(struct arena *arena, struct launch_case *launch, const char *what, const char *name,
                         uint64_t extent)
{
	const char *note =
		arena_printf(arena, "content of %s %s is not known; assumed uniform in 0..%llu: give --index %s=", what,
	                     name, (unsigned long long)(extent - 1), name);
	const char *value = arena_printf(arena, "anything in 0..%llu", (unsigned long long)(extent - 1));
	case_assume(arena, launch,
	            (struct case_assumption){.kind = ASSUMED_CONTENT, .name = name, .value = value, .note = note});
}

/* The numbers that members of records hold, which other arrays are indexed by. */
static void member_assume(struct arena *arena, struct launch_case *launch, const struct access *load,
                          const struct leaf *leaf, const struct array *target)
{
	const struct parameter *parameter = load->array->parameter;
	uint64_t extent = parameter->is_pointer ? target_extent(launch, load->array, target) : 0;
	if (extent == 0 || leaf->count > 1 || leaf->type.scalar == SCALAR_FLOAT ||
	    case_member_content(launch, parameter, leaf))
		return;
	struct member_content member = {.parameter = parameter,
	                                .leaf = leaf,
	                                .content = {.kind = CONTENT_UNIFORM,
	                                            .high = (int64_t)extent,
	                                            .element_bytes = (unsigned)leaf->type.size_bytes}};
	ARENA_PUSH(arena, launch->members, launch->member_count, member);
	content_note(arena, launch, "member", arena_printf(arena, "%s.%s", parameter->name, leaf->path), extent);
}

static void array_assume(struct arena *arena, struct launch_case *launch, const struct array *source,
                         const struct array *target)
{
	struct content *content = case_content(launch, source);
	uint64_t extent = content ? target_extent(launch, source, target) : 0;
	if (extent == 0 || content->kind != CONTENT_UNKNOWN)
		return;
	*content = (struct content){.kind = CONTENT_UNIFORM, .high = (int64_t)extent};
	content_note(arena, launch, "index array", source->name, extent);
}

/* Of a record that is loaded as a whole any member may be the index. */
static void record_assume(struct arena *arena, struct launch_case *launch, const struct access *load,
                          const struct array *target)
{
	const struct record *record = load->array->element.record;
	for (unsigned l = 0; l < record->leaf_count; l++)
		member_assume(arena, launch, load, &record->leaves[l], target);
}

static void contents_assume(struct arena *arena, struct launch_case *launch)
{
	for (unsigned i = 0; i < launch->kernel->access_count; i++) {
		const struct access *access = launch->kernel->accesses[i], *load = index_load(access->element);
		if (load && load->leaf)
			member_assume(arena, launch, load, load->leaf, access->array);
		else if (load && load->array->element.record)
			record_assume(arena, launch, load, access->array);
		else if (load)
			array_assume(arena, launch, load->array, access->array);
	}
}

/* The member that an option names, by the parameter's name or by that of the host's array. */
static const struct leaf *member_meant(const struct launch_case *launch, const struct parameter *parameter,
                                       const char *name)
{
	const struct leaf *leaf = case_member_named(parameter, parameter->name, name);
	const char *called = leaf ? NULL : case_host_name(launch->kernel, launch->found, parameter);
	return called ? case_member_named(parameter, called, name) : leaf;
}

/* What the user says of members of records. Options later on the command line win. */
static void member_contents_fill(struct arena *arena, struct launch_case *launch, const struct case_options *options,
                                 struct diagnostics *diagnostics)
{
	for (unsigned o = options->index_count; o-- > 0;)
		for (unsigned p = 0; p < launch->kernel->parameter_count; p++) {
			const struct parameter *parameter = &launch->kernel->parameters[p];
			const char *name, *own = case_option_kernel(arena, options->indexes[o].name, &name);
			const struct leaf *leaf = member_meant(launch, parameter, name);
			struct member_content member = {.parameter = parameter, .leaf = leaf};
			if (!leaf || leaf->type.scalar == SCALAR_FLOAT || !parameter->is_pointer ||
			    (own && !case_kernel_named(launch->kernel, own)) ||
			    case_member_content(launch, parameter, leaf) ||
			    !content_parse(arena, &options->indexes[o], &member.content, diagnostics))
				continue;
			member.content.element_bytes = (unsigned)leaf->type.size_bytes;
			ARENA_PUSH(arena, launch->members, launch->member_count, member);
			if (leaf->count > 1)
				case_note(arena, launch,
				          arena_printf(arena,
				                       "--index %s: %s is a member array: measuring programs hold it, "
				                       "predictions "
				                       "do not follow it: use an array of its own",
				                       options->indexes[o].name, leaf->path));
		}
}

/* ---- what nobody says ------------------------------------------------------------------------ */

/* Of a scalar that nothing is known of, what a measuring program puts there: real numbers in [0.5, 1.5), integers below
 * CASE_SMALL_INTEGERS. */
static void content_suppose(const struct type *type, struct content *content)
{
	bool real = type->scalar == SCALAR_FLOAT;
	if (content->kind != CONTENT_UNKNOWN || type->record || (type->size_bytes != 4 && type->size_bytes != 8) ||
	    (!real && type->scalar != SCALAR_SIGNED && type->scalar != SCALAR_UNSIGNED))
		return;
	*content = (struct content){.kind = real ? CONTENT_REAL : CONTENT_UNIFORM,
	                            .high = real ? 0 : CASE_SMALL_INTEGERS,
	                            .supposed = true,
	                            .element_bytes = (unsigned)type->size_bytes};
}

static void members_suppose(struct arena *arena, struct launch_case *launch, const struct parameter *parameter)
{
	const struct record *record = parameter->type.record;
	for (unsigned l = 0; l < record->leaf_count; l++) {
		struct member_content member = {.parameter = parameter, .leaf = &record->leaves[l]};
		content_suppose(&member.leaf->type, &member.content);
		if (member.content.kind != CONTENT_UNKNOWN && member.leaf->count == 1 &&
		    !case_member_content(launch, parameter, member.leaf))
			ARENA_PUSH(arena, launch->members, launch->member_count, member);
	}
}

static void contents_suppose(struct arena *arena, struct launch_case *launch)
{
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++) {
		const struct parameter *parameter = &launch->kernel->parameters[i];
		if (parameter->is_pointer && parameter->type.record)
			members_suppose(arena, launch, parameter);
		else if (parameter->is_pointer)
			content_suppose(&parameter->type, &launch->contents[i]);
	}
	for (unsigned i = 0; i < launch->pointee_count; i++)
		content_suppose(&launch->pointees[i].array->element, &launch->pointees[i].content);
}

/* What the user says of an array, by its name in the kernel or, of a parameter, in the host's code; or NULL. */
static const struct named_value *array_option(struct arena *arena, const struct launch_case *launch,
                                              const struct case_options *options, const struct array *array)
{
	const struct named_value *option =
		case_option(arena, options->indexes, options->index_count, launch->kernel, array->name);
	const char *called = NULL;
	if (!option && array->parameter && !array->leaf)
		called = case_host_name(launch->kernel, launch->found, array->parameter);
	return called ? case_option(arena, options->indexes, options->index_count, launch->kernel, called) : option;
}

/* What random elements are drawn by: the array, and the member of its records. */
static uint64_t seed_of(const struct parameter *parameter, const struct leaf *leaf, bool pointed)
{
	return (uint64_t)parameter->index << 40 | (uint64_t)pointed << 39 | (leaf ? 1 + leaf->offset_bytes : 0);
}

static void seeds_fill(struct launch_case *launch)
{
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++)
		launch->contents[i].seed = seed_of(&launch->kernel->parameters[i], NULL, false);
	for (unsigned i = 0; i < launch->pointee_count; i++)
		launch->pointees[i].content.seed =
			seed_of(launch->pointees[i].array->parameter, launch->pointees[i].array->leaf, true);
	for (unsigned i = 0; i < launch->member_count; i++)
		launch->members[i].content.seed = seed_of(launch->members[i].parameter, launch->members[i].leaf, false);
}

void case_contents_fill(struct arena *arena, struct launch_case *launch, const struct case_options *options,
                        double trips, struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < launch->kernel->array_count; i++) {
		const struct array *array = launch->kernel->arrays[i];
		const struct named_value *option = array_option(arena, launch, options, array);
		struct content *content = case_content(launch, array);
		if (option && content)
			content_parse(arena, option, content, diagnostics);
	}
	member_contents_fill(arena, launch, options, diagnostics);
	case_contents_take(arena, launch);
	case_contents_state(arena, launch);
	case_rows_assume(arena, launch, trips);
	contents_assume(arena, launch);
	contents_suppose(arena, launch);
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++)
		launch->contents[i].element_bytes = (unsigned)launch->kernel->parameters[i].type.size_bytes;
	for (unsigned i = 0; i < launch->pointee_count; i++)
		launch->pointees[i].content.element_bytes = (unsigned)launch->pointees[i].array->element.size_bytes;
	seeds_fill(launch);
}

/*
 * How many elements arrays have: as the user says, as the host allocates, or as many as the kernel's indices need.
 * Arrays are those that pointer parameters point to, and members of records passed by value.
 */
#include "model/cases/cases.h"

static struct pointee *pointee_of(struct launch_case *launch, const struct array *array)
{
	for (unsigned i = 0; i < launch->pointee_count; i++)
		if (launch->pointees[i].array == array)
			return &launch->pointees[i];
	return NULL;
}

uint64_t *case_extent(struct launch_case *launch, const struct array *array)
{
	struct pointee *pointee = pointee_of(launch, array);
	if (pointee)
		return &pointee->extent;
	return array->parameter && array->parameter->is_pointer ? &launch->extents[array->parameter->index] : NULL;
}

struct content *case_content(struct launch_case *launch, const struct array *array)
{
	struct pointee *pointee = pointee_of(launch, array);
	if (pointee)
		return &pointee->content;
	return array->parameter && array->parameter->is_pointer ? &launch->contents[array->parameter->index] : NULL;
}

/* The largest index of an affine access: symbols with negative coefficients count as 0. -1 where it is none that an
 * array can have. */
static int64_t largest_index(const struct affine *affine, const int64_t *maxima)
{
	int64_t sum = affine->constant;
	for (unsigned t = 0; t < affine->term_count; t++) {
		int64_t product = affine->terms[t].coefficient;
		for (unsigned s = 0; s < affine->terms[t].symbol_count; s++)
			if (__builtin_mul_overflow(product, maxima[affine->terms[t].symbols[s]->index], &product))
				return -1;
		if (affine->terms[t].coefficient > 0 && __builtin_add_overflow(sum, product, &sum))
			return -1;
	}
	return sum < INT64_MAX ? sum : -1;
}

static uint64_t extent_from_accesses(const struct launch_case *launch, const struct array *array, const int64_t *maxima)
{
	int64_t largest = -1;
	for (unsigned i = 0; i < launch->kernel->access_count; i++) {
		const struct access *access = launch->kernel->accesses[i];
		if (access->array == array && !access->affine.reason) {
			int64_t index = largest_index(&access->affine, maxima);
			largest = index > largest ? index : largest;
		}
	}
	return (uint64_t)(largest + 1);
}

static uint64_t extent_from_host(const struct host_value *value, uint64_t element_bytes)
{
	if (!value || element_bytes == 0)
		return 0;
	if (value->bytes == 0 && value->array && value->array->bytes.known && value->array->bytes.value > 0)
		return (uint64_t)value->array->bytes.value / element_bytes;
	return value->bytes / element_bytes;
}

const struct host_value *case_value_passed(const struct launch *found, const struct array *array)
{
	const struct host_value *value = found ? &found->arguments[array->parameter->index] : NULL;
	if (!array->leaf || !value)
		return value;
	return value->leaves ? &value->leaves[array->leaf - array->parameter->type.record->leaves] : NULL;
}

/* The extent that the host gives, or where a number is changed one that is larger or smaller with it. */
static uint64_t extent_changed(struct arena *arena, const struct launch_case *launch, struct launch_case *before,
                               const struct array *array, const struct case_options *options)
{
	uint64_t extent = *case_extent(before, array);
	if (extent == extent_from_accesses(before, array, case_symbol_maxima(arena, before)))
		return extent_from_accesses(launch, array, case_symbol_maxima(arena, launch));
	for (unsigned c = 0; c < options->change_count; c++)
		extent = case_extent_follow(before, &options->changes[c], extent);
	return extent;
}

/* The elements that the user or the host says; 0: nobody does. */
static uint64_t extent_said(struct arena *arena, const struct launch_case *launch, struct launch_case *before,
                            const struct array *array, const struct case_options *options,
                            struct diagnostics *diagnostics)
{
	const struct named_value *option =
		case_option(arena, options->extents, options->extent_count, launch->kernel, array->name);
	int64_t value = 0;
	if (option && (!case_integer_parse(option->value, &value) || value < 1))
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "--extent %s=%s: not a positive integer", option->name, option->value);
	uint64_t extent = option ? (uint64_t)value
	                         : extent_from_host(case_value_passed(launch->found, array), array->element.size_bytes);
	return before && !option && extent ? extent_changed(arena, launch, before, array, options) : extent;
}

void case_extents_fill(struct arena *arena, struct launch_case *launch, struct launch_case *before,
                       const struct case_options *options, struct diagnostics *diagnostics)
{
	bool *said = arena_array(arena, launch->kernel->parameter_count + 1, sizeof *said);
	const int64_t *maxima = case_symbol_maxima(arena, launch);
	for (unsigned i = 0; i < launch->kernel->array_count; i++) {
		const struct array *array = launch->kernel->arrays[i];
		uint64_t *extent;
		if (array->leaf) {
			struct pointee pointee = {.array = array};
			ARENA_PUSH(arena, launch->pointees, launch->pointee_count, pointee);
		}
		extent = case_extent(launch, array);
		if (!extent)
			continue;
		*extent = extent_said(arena, launch, before, array, options, diagnostics);
		if (*extent && array->parameter && !array->leaf)
			said[array->parameter->index] = true;
		if (*extent == 0)
			*extent = extent_from_accesses(launch, array, maxima);
	}
	launch->extents_said = said;
}

uint64_t case_elements_said(const struct launch_case *launch, const struct array *array)
{
	if (!array->parameter)
		return array->count;
	if (array->leaf || !array->parameter->is_pointer || !launch->extents_said[array->parameter->index])
		return 0;
	return launch->extents[array->parameter->index];
}

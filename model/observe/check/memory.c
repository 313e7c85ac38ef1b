/* What launches leave in device memory. Arrays of both programs have the same keys; the sums of equal ones are equal in
 * any layout. */
#include "model/observe/shapes.h"
#include "model/observe/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ARRAYS_MOST ((size_t)4 << 20)

struct check_variable {
	const char *name;
	uint64_t bytes, sum;
};

/* ---- reading ------------------------------------------------------------------------------------ */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By the array alone. */
static int compare_keys(const struct check_array *a, const struct check_array *b)
{
	const unsigned left[] = {a->kernel, a->parameter, a->at, a->field, a->inner},
		       right[] = {b->kernel, b->parameter, b->at, b->field, b->inner};
	for (unsigned i = 0; i < ARRAY_COUNT(left); i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* By launch, the last states behind all others. */
static int compare_arrays(const void *a, const void *b)
{
	const struct check_array *left = a, *right = b;
	int order = compare_numbers(left->is_last, right->is_last);
	order = order ? order : compare_numbers(left->launch, right->launch);
	return order ? order : compare_keys(left, right);
}

static void line_read(struct arena *arena, const char *line, struct check_memory *memory)
{
	struct check_array array;
	struct check_variable variable;
	char name[SHAPES_NAME_MOST + 1];
	if (sscanf(line, SHAPES_KEY " %" SCNx64, &array.launch, &array.kernel, &array.parameter, &array.at,
	           &array.field, &array.inner, &array.is_last, &array.sum) == 8 &&
	    memory->array_count < ARRAYS_MOST) {
		ARENA_PUSH(arena, memory->arrays, memory->array_count, array);
	} else if (sscanf(line, "variable %4000s %" SCNx64 " %" SCNu64, name, &variable.sum, &variable.bytes) == 3) {
		variable.name = arena_strdup(arena, name);
		ARENA_PUSH(arena, memory->variables, memory->variable_count, variable);
	}
}

struct check_memory check_memory_read(struct arena *arena, const char *path)
{
	struct check_memory memory = {0};
	struct stat status;
	const bool is_file = lstat(path, &status) == 0 && S_ISREG(status.st_mode);
	char line[2 * SHAPES_NAME_MOST];
	FILE *in = is_file ? fopen(path, "re") : NULL;
	while (in && fgets(line, sizeof line, in))
		line_read(arena, line, &memory);
	if (in)
		fclose(in);
	if (memory.array_count)
		qsort(memory.arrays, memory.array_count, sizeof *memory.arrays, compare_arrays);
	return memory;
}

/* ---- comparing ---------------------------------------------------------------------------------- */

static bool is_loose(const struct check_memory *original, const struct check_array *array)
{
	for (size_t i = 0; i < original->loose_count; i++)
		if (compare_keys(&original->loose[i], array) == 0)
			return true;
	return false;
}

/* The next pair of arrays with the same key, from *i and *j on; false: there is none. */
static bool pair_find(const struct check_memory *a, const struct check_memory *b, size_t *i, size_t *j)
{
	while (*i < a->array_count && *j < b->array_count) {
		const int order = compare_arrays(&a->arrays[*i], &b->arrays[*j]);
		if (order == 0)
			return true;
		*(order < 0 ? i : j) += 1;
	}
	return false;
}

void check_memory_loosen(struct arena *arena, struct check_memory *original, const struct check_memory *again)
{
	for (size_t i = 0, j = 0; pair_find(original, again, &i, &j); i++, j++)
		if (original->arrays[i].sum != again->arrays[j].sum && !is_loose(original, &original->arrays[i]))
			ARENA_PUSH(arena, original->loose, original->loose_count, original->arrays[i]);
	for (size_t v = 0; v < original->variable_count; v++)
		if (v >= again->variable_count || original->variables[v].sum != again->variables[v].sum)
			original->variables[v].bytes = 0;
}

/* The first variable that both programs have and that differs, or NULL. */
static const char *variable_differing(const struct check_memory *original, const struct check_memory *other)
{
	for (size_t v = 0; v < original->variable_count; v++)
		for (size_t w = 0; w < other->variable_count; w++) {
			const struct check_variable *a = &original->variables[v], *b = &other->variables[w];
			if (a->bytes && a->bytes == b->bytes && a->sum != b->sum &&
			    observe_names_equal(a->name, b->name))
				return a->name;
		}
	return NULL;
}

struct check_memory_result check_memory_compare(struct arena *arena, const struct check_memory *original,
                                                const struct check_memory *other)
{
	struct check_memory_result result = {0};
	struct check_memory seen = {0};
	for (size_t i = 0, j = 0; pair_find(original, other, &i, &j); i++, j++) {
		const struct check_array *array = &original->arrays[i];
		if (is_loose(original, array))
			continue;
		if (array->sum != other->arrays[j].sum && !result.array)
			result.array = array;
		result.launches = array->launch > result.launches ? array->launch : result.launches;
		if (!is_loose(&seen, array))
			ARENA_PUSH(arena, seen.loose, seen.loose_count, *array);
	}
	result.arrays = seen.loose_count;
	result.variable = variable_differing(original, other);
	return result;
}

const char *check_memory_key(struct arena *arena, const struct check_array *array)
{
	return arena_printf(arena, SHAPES_KEY, array->launch, array->kernel, array->parameter, array->at, array->field,
	                    array->inner, array->is_last);
}

/* ---- what differs -------------------------------------------------------------------------------- */

static const char *integer_text(struct arena *arena, const char *bytes, uint64_t size, bool is_unsigned)
{
	const unsigned unused = 8 * (unsigned)(sizeof(uint64_t) - size);
	uint64_t value = 0;
	memcpy(&value, bytes, size);
	if (is_unsigned)
		return arena_printf(arena, "%" PRIu64, value);
	return arena_printf(arena, "%" PRId64, (int64_t)(value << unused) >> unused);
}

/* A scalar in words; its type decides how. */
static const char *scalar_text(struct arena *arena, const char *bytes, uint64_t size, const char *type)
{
	const char *text = "0x";
	float single;
	double real;
	if (strcmp(type, "float") == 0 && size == sizeof single) {
		memcpy(&single, bytes, sizeof single);
		return arena_printf(arena, "%.9g", (double)single);
	}
	if (strcmp(type, "double") == 0 && size == sizeof real) {
		memcpy(&real, bytes, sizeof real);
		return arena_printf(arena, "%.17g", real);
	}
	if (size <= sizeof(uint64_t) && !strchr(type, '*') &&
	    (strstr(type, "int") || strstr(type, "long") || strstr(type, "short") || strstr(type, "char")))
		return integer_text(arena, bytes, size, strncmp(type, "unsigned", strlen("unsigned")) == 0);
	for (uint64_t b = size; b-- > 0;)
		text = arena_printf(arena, "%s%02x", text, (unsigned)(unsigned char)bytes[b]);
	return text;
}

/* What is known of a scalar of an array. */
struct scalar_kind {
	const char *member, *type;
	uint64_t size;
};

static const char *member_name(struct arena *arena, const char *path, uint64_t count, unsigned inner)
{
	return count > 1 ? arena_printf(arena, "%s[%u]", path, inner) : path;
}

static struct scalar_kind kind_of(struct arena *arena, const struct check_subject *subject,
                                  const struct check_array *array)
{
	const struct kernel *kernel = subject->analysis->kernels[array->kernel];
	const struct parameter *parameter = &kernel->parameters[array->parameter];
	const bool is_scalar =
		parameter->is_pointer && !parameter->type.record && parameter->type.size_bytes > 0 && array->at == 0;
	for (unsigned b = 0; array->field != SHAPES_NO_FIELD && b < subject->groups->binding_count; b++) {
		const struct layout_binding *binding = &subject->groups->bindings[b];
		if (binding->kernel != kernel || binding->parameter != parameter ||
		    array->field >= binding->group->field_count)
			continue;
		const struct layout_field *field = &binding->group->fields[array->field];
		return (struct scalar_kind){binding->group->form == FORM_ARRAYS
		                                    ? NULL
		                                    : member_name(arena, field->path, field->count, array->inner),
		                            field->type, field->size_bytes};
	}
	if (array->field != SHAPES_NO_FIELD && parameter->type.record &&
	    array->field < parameter->type.record->leaf_count) {
		const struct leaf *leaf = &parameter->type.record->leaves[array->field];
		return (struct scalar_kind){member_name(arena, leaf->path, leaf->count, array->inner),
		                            leaf->type.spelling, leaf->type.size_bytes};
	}
	return (struct scalar_kind){NULL, is_scalar ? parameter->type.spelling : "",
	                            is_scalar ? parameter->type.size_bytes : 1};
}

/* The first scalar that is not the same in both. */
static uint64_t element_differing(struct check_text a, struct check_text b, uint64_t size)
{
	uint64_t element = 0;
	while (size && (element + 1) * size <= a.length && (element + 1) * size <= b.length &&
	       memcmp(a.data + element * size, b.data + element * size, size) == 0)
		element++;
	return element;
}

struct check_place check_memory_place(struct arena *arena, const struct check_subject *subject,
                                      const struct check_array *array, struct check_text original,
                                      struct check_text other)
{
	const struct kernel *kernel =
		array->kernel < subject->analysis->kernel_count ? subject->analysis->kernels[array->kernel] : NULL;
	if (!kernel || array->parameter >= kernel->parameter_count)
		return (struct check_place){.array = NULL};
	const struct scalar_kind kind = kind_of(arena, subject, array);
	struct check_place place = {.kernel = kernel->name,
	                            .array = kernel->parameters[array->parameter].name,
	                            .member = kind.member,
	                            .launch = array->launch,
	                            .is_last = array->is_last != 0,
	                            .element = element_differing(original, other, kind.size)};
	const uint64_t end = (place.element + 1) * kind.size, at = place.element * kind.size;
	if (end <= original.length)
		place.original = scalar_text(arena, original.data + at, kind.size, kind.type);
	if (end <= other.length)
		place.other = scalar_text(arena, other.data + at, kind.size, kind.type);
	return place;
}

const char *check_place_text(struct arena *arena, const struct check_place *place)
{
	const char *when = place->is_last ? "at the end, after" : "after";
	const char *member = place->member ? arena_printf(arena, "member %s of ", place->member) : "";
	return arena_printf(
		arena, "%s launch %llu (kernel %s), %selement %llu of array '%s' in device memory is %s, not %s", when,
		(unsigned long long)place->launch, place->kernel, member, (unsigned long long)place->element,
		place->array, place->other ? place->other : "missing", place->original ? place->original : "missing");
}

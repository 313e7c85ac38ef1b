/*
 * Recorded bytes of arguments as the host analysis would give them, had it followed the program. What the host put into
 * memory is known while no kernel of the source can have written it.
 */
#include "model/observe/internal.h"

#include <string.h>

/* ---- names ------------------------------------------------------------------------------ */

#define UNNAMED "_GLOBAL__N_"

/* Skips one part of a mangled name; of a namespace without a name that is all of it. Returns what counts of it. */
static size_t name_step(const char **name)
{
	const char *digits = *name;
	size_t length = 0;
	while (*digits >= '0' && *digits <= '9' && length < 4096)
		length = 10 * length + (size_t)(*digits++ - '0');
	if (digits > *name && strncmp(digits, UNNAMED, strlen(UNNAMED)) == 0 && strlen(digits) >= length) {
		*name = digits + length;
		return 0;
	}
	(*name)++;
	return 1;
}

/* The name with "12_GLOBAL__N_1" and its like as nothing, and without the L of a function that other files do not see.
 */
static const char *name_plain(const char *name, char plain[], size_t size)
{
	size_t length = 0;
	while (*name && length + 1 < size) {
		char first = *name;
		bool local = first == 'L' && length > 0 && name[1] >= '0' && name[1] <= '9' && length <= 3;
		if (name_step(&name) && !local)
			plain[length++] = first;
	}
	plain[length] = '\0';
	return plain;
}

bool observe_names_equal(const char *a, const char *b)
{
	char plain_a[4096], plain_b[4096];
	return strcmp(a, b) == 0 ||
	       (strlen(a) < sizeof plain_a && strlen(b) < sizeof plain_b &&
	        strcmp(name_plain(a, plain_a, sizeof plain_a), name_plain(b, plain_b, sizeof plain_b)) == 0);
}

/* ---- contents --------------------------------------------------------------------------- */

/* Whether the kernel may write what it gets by a parameter. */
static bool may_write(const struct kernel *kernel, unsigned parameter)
{
	for (unsigned i = 0; i < kernel->access_count; i++) {
		const struct array *array = kernel->accesses[i]->array;
		if (kernel->accesses[i]->kind != ACCESS_LOAD &&
		    (!array || array->space == ARRAY_UNKNOWN ||
		     (array->parameter && array->parameter->index == parameter)))
			return true;
	}
	return false;
}

static bool was_written(const struct analysis *analysis, const struct observed_passed *passed)
{
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		if (observe_names_equal(analysis->kernels[k]->mangled, passed->kernel->name))
			return may_write(analysis->kernels[k], passed->argument);
	return true;
}

static const struct host_bytes *content_of(struct arena *arena, const struct analysis *analysis,
                                           const struct observed_pointer *pointer)
{
	const struct observed_content *content = pointer->content;
	if (!content || pointer->more || pointer->writer == OBSERVED_NOBODY)
		return NULL;
	for (unsigned i = 0; i < pointer->passed_count; i++)
		if (was_written(analysis, &pointer->passed[i]))
			return NULL;
	struct host_bytes *bytes = arena_alloc(arena, sizeof *bytes);
	*bytes = (struct host_bytes){.data = content->data ? content->data + pointer->offset : NULL,
	                             .bytes = content->bytes - pointer->offset,
	                             .fill = content->fill};
	return bytes;
}

/* ---- values ------------------------------------------------------------------------------ */

static const struct observed_pointer *pointer_at(const struct observed_launch *launch, unsigned argument, uint64_t at)
{
	for (unsigned i = 0; i < launch->pointer_count; i++)
		if (launch->pointers[i].argument == argument && launch->pointers[i].at == at)
			return &launch->pointers[i];
	return NULL;
}

static void pointer_fill(struct arena *arena, const struct analysis *analysis, const struct observed_pointer *pointer,
                         struct host_value *value)
{
	value->bytes = pointer ? pointer->bytes - pointer->offset : 0;
	value->content = pointer ? content_of(arena, analysis, pointer) : NULL;
}

static double real_of(uint64_t bits, uint64_t size)
{
	float single;
	double real;
	memcpy(&single, &bits, sizeof single);
	memcpy(&real, &bits, sizeof real);
	return size == sizeof single ? (double)single : real;
}

static void scalar_fill(const struct type *type, const uint8_t *bytes, struct host_value *value)
{
	uint64_t bits = 0;
	unsigned unused = 64 - 8 * (unsigned)type->size_bytes;
	if (type->size_bytes == 0 || type->size_bytes > sizeof bits)
		return;
	memcpy(&bits, bytes, type->size_bytes);
	value->has_real = type->scalar == SCALAR_FLOAT && type->size_bytes >= sizeof(float);
	value->known = type->scalar != SCALAR_FLOAT && type->scalar != SCALAR_OTHER && type->scalar != SCALAR_POINTER;
	if (value->has_real)
		value->real = real_of(bits, type->size_bytes);
	value->value = type->scalar == SCALAR_SIGNED ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

static bool leaf_fits(const struct leaf *leaf, const struct observed_argument *argument, uint64_t offset)
{
	return offset <= argument->size && leaf->type.size_bytes <= argument->size - offset;
}

static void elements_fill(struct arena *arena, const struct leaf *leaf, const struct observed_argument *argument,
                          struct host_value *value)
{
	value->leaves = arena_array(arena, leaf->count, sizeof *value->leaves);
	value->leaf_count = leaf->count;
	for (uint64_t i = 0; i < leaf->count; i++)
		if (leaf_fits(leaf, argument, leaf->offset_bytes + i * leaf->stride_bytes))
			scalar_fill(&leaf->type, argument->bytes + leaf->offset_bytes + i * leaf->stride_bytes,
			            &value->leaves[i]);
}

static void record_fill(struct arena *arena, const struct analysis *analysis, const struct parameter *parameter,
                        const struct observed_launch *launch, struct host_value *value)
{
	const struct record *record = parameter->type.record;
	const struct observed_argument *argument = &launch->arguments[parameter->index];
	const struct host_value *before = value->leaves;
	value->leaves = arena_array(arena, record->leaf_count + 1, sizeof *value->leaves);
	value->leaf_count = record->leaf_count;
	for (unsigned l = 0; l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		struct host_value *of = &value->leaves[l];
		if (before)
			*of = (struct host_value){
				.range = before[l].range, .array = before[l].array, .allocation = before[l].allocation};
		if (!leaf_fits(leaf, argument, leaf->offset_bytes))
			continue;
		if (leaf->count > 1)
			elements_fill(arena, leaf, argument, of);
		else if (leaf->type.scalar == SCALAR_POINTER)
			pointer_fill(arena, analysis, pointer_at(launch, parameter->index, leaf->offset_bytes), of);
		else
			scalar_fill(&leaf->type, argument->bytes + leaf->offset_bytes, of);
	}
}

void observe_value_fill(struct arena *arena, const struct analysis *analysis, const struct parameter *parameter,
                        const struct observed_launch *launch, struct host_value *value)
{
	const struct observed_argument *argument = &launch->arguments[parameter->index];
	struct host_value of = {
		.array = value->array, .allocation = value->allocation, .range = value->range, .leaves = value->leaves};
	if (parameter->is_pointer)
		pointer_fill(arena, analysis, pointer_at(launch, parameter->index, 0), &of);
	else if (parameter->type.record)
		record_fill(arena, analysis, parameter, launch, &of);
	else if (argument->size >= parameter->type.size_bytes)
		scalar_fill(&parameter->type, argument->bytes, &of);
	*value = of;
}

/*
 * The tables of one launch in the measuring program: arrays, how they lie in each variant, arguments, rows.
 * bundle_kernels.cu says what each member means.
 *
 * Names end in the launch's number. What a variant's namespace holds is reached by short definitions inside of it, in
 * the namespace of the kernel itself, so that the kernel's template arguments and variables mean there what they mean
 * to the kernel.
 */
#include "model/measure/bundle_plan.h"

#include <inttypes.h>
#include <string.h>

/* What an unknown floating-point argument is. */
#define REAL_ARGUMENT 0.5

void bundle_literal_write(struct text *out, const char *string)
{
	text_puts(out, "\"");
	for (; *string; string++) {
		if (*string == '\n')
			text_puts(out, "\\n");
		else
			text_printf(out, *string == '"' || *string == '\\' ? "\\%c" : "%c", *string);
	}
	text_puts(out, "\"");
}

/* ---- into the namespaces ---------------------------------------------------------------- */

/* Length of the namespaces before a function's name: 7 for "inner::scale<a::b>". */
static size_t scope_length(const char *function)
{
	size_t length = 0, end = strcspn(function, "<");
	for (size_t i = 0; i + 1 < end; i++)
		if (function[i] == ':' && function[i + 1] == ':')
			length = i + 2;
	return length;
}

static void scope_open(struct text *out, const char *function, unsigned unit)
{
	text_printf(out, "namespace coalesce_%u {", unit);
	for (const char *p = function, *end = function + scope_length(function); p < end; p = strstr(p, "::") + 2)
		text_printf(out, " namespace %.*s {", (int)(strstr(p, "::") - p), p);
	text_puts(out, "\n");
}

static void scope_close(struct text *out, const char *function)
{
	for (const char *p = function, *end = function + scope_length(function); p < end; p = strstr(p, "::") + 2)
		text_puts(out, "}");
	text_puts(out, "}\n");
}

/* "coalesce_1::inner::" */
static void scope_name(struct text *out, const struct bundle_launch *plan, unsigned unit)
{
	text_printf(out, "coalesce_%u::%.*s", unit, (int)scope_length(plan->function), plan->function);
}

static void accessors_write(struct text *out, const struct bundle_launch *plan, unsigned number)
{
	const char *name = plan->function + scope_length(plan->function);
	for (unsigned v = 0; v < plan->variant_count; v++) {
		scope_open(out, plan->function, plan->variants[v].unit);
		text_printf(out,
		            "static coalesce_measure::launch_function *const coalesce_launch_%u = "
		            "coalesce_measure::launch<decltype(%s), %s>;\n",
		            number, name, name);
		text_printf(out, "static const void *const coalesce_function_%u = (const void *)%s;\n", number, name);
		for (unsigned a = 0; a < plan->array_count; a++)
			if (plan->arrays[a].variable)
				text_printf(out,
				            "static cudaError_t coalesce_variable_%u_%u(void **address)\n{\n\treturn "
				            "cudaGetSymbolAddress(address, %s);\n}\n",
				            number, a, plan->arrays[a].name);
		scope_close(out, plan->function);
	}
}

/* ---- arrays --------------------------------------------------------------------------------- */

/* The step of an arithmetic progression, or false. */
static bool progression(const struct content *content, int64_t *step)
{
	*step = content->count > 1 ? content->values[1] - content->values[0] : 0;
	for (uint64_t i = 1; i < content->count; i++)
		if (content->values[i] - content->values[i - 1] != *step)
			return false;
	return content->count > 1;
}

static void list_write(struct text *out, const struct content *content, const char *name)
{
	text_printf(out, "static const long long %s[] = {", name);
	for (uint64_t i = 0; i < content->count; i++)
		text_printf(out, "%s%" PRId64 ",", i % 16 ? " " : "\n\t", content->values[i]);
	text_puts(out, "\n};\n");
}

static void content_write(struct text *out, const struct content *content, const char *list)
{
	int64_t step;
	if (content->kind == CONTENT_UNKNOWN)
		text_puts(out, "content_real, 0, 0, nullptr, 0");
	else if (content->kind == CONTENT_SEQUENCE)
		text_printf(out, "content_linear, %" PRId64 "LL, %" PRId64 "LL, nullptr, 0", content->low,
		            content_step(content));
	else if (content->kind == CONTENT_UNIFORM)
		text_printf(out, "content_uniform, %" PRId64 "LL, %" PRId64 "LL, nullptr, 0", content->low,
		            content->high);
	else if (progression(content, &step))
		text_printf(out, "content_linear, %" PRId64 "LL, %" PRId64 "LL, nullptr, 0", content->values[0], step);
	else
		text_printf(out, "content_listed, 0, 0, %s, %" PRIu64, list, content->count);
}

static void array_scalars_write(struct text *out, struct arena *arena, const struct bundle_array *array,
                                const char *suffix)
{
	for (unsigned s = 0; s < array->scalar_count; s++) {
		const struct content *content = &array->scalars[s].content;
		int64_t step;
		if (content->kind == CONTENT_VALUES && !progression(content, &step))
			list_write(out, content, arena_printf(arena, "list_%s_%u", suffix, s));
	}
	text_printf(out, "static const scalar scalars_%s[] = {\n", suffix);
	for (unsigned s = 0; s < array->scalar_count; s++) {
		const struct bundle_scalar *scalar = &array->scalars[s];
		text_puts(out, "\t{");
		bundle_literal_write(out, scalar->name);
		text_printf(out, ", '%c', %u, %" PRIu64 ", ", scalar->kind, scalar->size_bytes, scalar->count);
		content_write(out, &scalar->content, arena_printf(arena, "list_%s_%u", suffix, s));
		text_puts(out, "},\n");
	}
	text_puts(out, array->scalar_count ? "};\n" : "\t{\"\", 'u', 1, 0, content_real, 0, 0, nullptr, 0}\n};\n");
}

static void arrays_write(struct text *out, struct arena *arena, const struct bundle_launch *plan, unsigned number)
{
	for (unsigned a = 0; a < plan->array_count; a++)
		array_scalars_write(out, arena, &plan->arrays[a], arena_printf(arena, "%u_%u", number, a));
	text_printf(out, "static const array arrays_%u[] = {\n", number);
	for (unsigned a = 0; a < plan->array_count; a++) {
		const struct bundle_array *array = &plan->arrays[a];
		text_puts(out, "\t{");
		bundle_literal_write(out, array->name);
		text_printf(out, ", %" PRIu64 ", scalars_%u_%u, %u, %s},\n", array->elements, number, a,
		            array->scalar_count, array->output ? "true" : "false");
	}
	text_puts(out, plan->array_count ? "};\n" : "\t{\"\", 0, nullptr, 0, false}\n};\n");
}

/* ---- how arrays lie in a variant --------------------------------------------------------------- */

static void places_write(struct text *out, const struct bundle_array *array, const struct placement *placement,
                         const char *suffix)
{
	text_printf(out, "static const place places_%s[] = {\n", suffix);
	for (unsigned s = 0; s < array->scalar_count; s++) {
		const struct field_place *place = placement ? &placement->fields[s] : &array->scalars[s].place;
		text_printf(out, "\t{%u, %s, %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "},\n",
		            place->buffer, place->is_split ? "true" : "false", place->tile, place->tile_bytes,
		            place->offset_bytes, place->inner_bytes, place->stride_bytes);
	}
	text_puts(out, array->scalar_count ? "};\n" : "\t{0, false, 1, 1, 0, 0, 0}\n};\n");
	text_printf(out, "static const uint64_t bytes_%s[] = {", suffix);
	for (unsigned b = 0; placement && b < placement->buffer_count; b++)
		text_printf(out, "%s%" PRIu64, b ? ", " : "", placement_buffer_bytes(placement, b, array->elements));
	if (!placement)
		text_printf(out, "%" PRIu64, array->elements * array->element_bytes);
	text_puts(out, "};\n");
}

static const struct placement *array_placement(const struct bundle_request *request, const struct bundle_array *array,
                                               const struct bundle_variant *variant)
{
	if (!array->group)
		return NULL;
	return code_placement_of(&request->prediction->groups, variant->rewritten->placements, array->group);
}

static void storages_write(struct text *out, const struct bundle_request *request, const struct bundle_launch *plan,
                           unsigned number, unsigned v)
{
	const struct bundle_variant *variant = &plan->variants[v];
	for (unsigned a = 0; a < plan->array_count; a++)
		places_write(out, &plan->arrays[a], array_placement(request, &plan->arrays[a], variant),
		             arena_printf(request->arena, "%u_%u_%u", number, v, a));
	text_printf(out, "static const storage storages_%u_%u[] = {\n", number, v);
	for (unsigned a = 0; a < plan->array_count; a++) {
		const struct bundle_array *array = &plan->arrays[a];
		const struct placement *placement = array_placement(request, array, variant);
		text_printf(out, "\t{places_%u_%u_%u, bytes_%u_%u_%u, %u, ", number, v, a, number, v, a,
		            placement ? placement->buffer_count : 1);
		if (array->variable) {
			scope_name(out, plan, variant->unit);
			text_printf(out, "coalesce_variable_%u_%u, %s},\n", number, a,
			            array->variable->space == ARRAY_GLOBAL ? "true" : "false");
		} else {
			text_puts(out, "nullptr, false},\n");
		}
	}
	text_puts(out, plan->array_count ? "};\n" : "\t{nullptr, nullptr, 0, nullptr, false}\n};\n");
}

/* ---- arguments ------------------------------------------------------------------------------------ */

static void number_store(uint8_t *bytes, const struct type *type, bool known, int64_t integer)
{
	double wide = REAL_ARGUMENT;
	float narrow = (float)wide;
	if (known)
		memcpy(bytes, &integer, type->size_bytes < sizeof integer ? type->size_bytes : sizeof integer);
	else if (type->scalar == SCALAR_FLOAT && type->size_bytes == sizeof wide)
		memcpy(bytes, &wide, sizeof wide);
	else if (type->scalar == SCALAR_FLOAT && type->size_bytes == sizeof narrow)
		memcpy(bytes, &narrow, sizeof narrow);
	else
		memcpy(bytes, &integer, type->size_bytes < sizeof integer ? type->size_bytes : sizeof integer);
}

/* A scalar's bytes. Members of a record passed by value that are not known: integers are the number of threads along x.
 */
static uint8_t *value_bytes(struct arena *arena, const struct launch_case *launch, const struct parameter *parameter)
{
	uint8_t *bytes = arena_array(arena, parameter->type.size_bytes + sizeof(int64_t), 1);
	const struct record *record = parameter->type.record;
	for (unsigned l = 0; record && l < record->leaf_count; l++)
		for (uint64_t k = 0; k < record->leaves[l].count; k++)
			number_store(bytes + record->leaves[l].offset_bytes + k * record->leaves[l].stride_bytes,
			             &record->leaves[l].type, false, (int64_t)launch->grid[0] * launch->block[0]);
	for (uint64_t i = 0; launch->bytes[parameter->index] && i < parameter->type.size_bytes; i++)
		if (launch->bytes_known[parameter->index][i])
			bytes[i] = launch->bytes[parameter->index][i];
	if (!record)
		number_store(bytes, &parameter->type, launch->known[parameter->index],
		             launch->values[parameter->index]);
	return bytes;
}

static void values_write(struct text *out, struct arena *arena, const struct bundle_launch *plan, unsigned number)
{
	const struct kernel *kernel = plan->launch->kernel;
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		const struct parameter *parameter = &kernel->parameters[p];
		if (parameter->is_pointer)
			continue;
		const uint8_t *bytes = value_bytes(arena, plan->launch, parameter);
		text_printf(out, "alignas(16) static const unsigned char value_%u_%u[] = {", number, p);
		for (uint64_t i = 0; i < parameter->type.size_bytes; i++)
			text_printf(out, "%s%u", i ? ", " : "", bytes[i]);
		text_printf(out, "%s}; /* %s */\n", parameter->type.size_bytes ? "" : "0", parameter->name);
	}
}

static void parameters_write(struct text *out, const struct bundle_launch *plan, unsigned number, unsigned v)
{
	const struct variant_kernel *kernel = code_kernel_in(plan->variants[v].rewritten, plan->launch->kernel);
	text_printf(out, "static const parameter parameters_%u_%u[] = {", number, v);
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		const struct variant_parameter *parameter = &kernel->parameters[p];
		unsigned buffer = 0;
		if (parameter->original->is_pointer) {
			unsigned array = bundle_parameter_array(plan, parameter, &buffer);
			text_printf(out, "%s{%u, %u, nullptr}", p ? ", " : "", array, buffer);
		} else {
			text_printf(out, "%s{-1, 0, value_%u_%u}", p ? ", " : "", number, parameter->original->index);
		}
	}
	text_puts(out, kernel->parameter_count ? "};\n" : "{-1, 0, nullptr}};\n");
}

/* ---- the launch -------------------------------------------------------------------------------------- */

static void variants_write(struct text *out, const struct bundle_launch *plan, unsigned number)
{
	text_printf(out, "static const variant variants_%u[] = {\n", number);
	for (unsigned v = 0; v < plan->variant_count; v++) {
		const struct bundle_variant *variant = &plan->variants[v];
		text_puts(out, "\t{");
		bundle_literal_write(out, variant->name);
		text_puts(out, ", ");
		scope_name(out, plan, variant->unit);
		text_printf(out, "coalesce_launch_%u, ", number);
		scope_name(out, plan, variant->unit);
		text_printf(out, "coalesce_function_%u, storages_%u_%u, parameters_%u_%u, %u, %s},\n", number, number,
		            v, number, v, code_kernel_in(variant->rewritten, plan->launch->kernel)->parameter_count,
		            variant->timed ? "true" : "false");
	}
	text_puts(out, "};\n");
}

static void rows_write(struct text *out, const struct bundle_launch *plan, unsigned number)
{
	text_printf(out, "static const row rows_%u[] = {\n", number);
	for (unsigned r = 0; r < plan->row_count; r++) {
		const struct bundle_row *row = &plan->rows[r];
		text_puts(out, "\t{");
		if (row->group)
			bundle_literal_write(out, row->group->name);
		else
			text_puts(out, "nullptr");
		text_printf(out, ", \"%s\", %u, %u},\n", row->group ? row->layout->name : "as-written", row->tile,
		            row->variant);
	}
	text_puts(out, "};\n");
}

void bundle_tables_write(struct text *out, const struct bundle_request *request, const struct bundle_launch *plan,
                         unsigned number)
{
	text_puts(out, "\n");
	accessors_write(out, plan, number);
	text_puts(out, "namespace coalesce_measure {\n");
	arrays_write(out, request->arena, plan, number);
	values_write(out, request->arena, plan, number);
	for (unsigned v = 0; v < plan->variant_count; v++) {
		storages_write(out, request, plan, number, v);
		parameters_write(out, plan, number, v);
	}
	variants_write(out, plan, number);
	rows_write(out, plan, number);
	text_puts(out, "}\n");
}

/*
 * The texts of the functions that move whole records, and of their kernels.
 *
 * Where the record's name means nothing yet at the place where they stand, or means it only inside a namespace, they
 * are templates over it.
 */
#include <string.h>

#include "layouts/groups/groups.h"
#include "layouts/packing/packing.h"

/* Scalars of a member array that are listed rather than counted through. */
#define LISTED_MOST 4
#define BLOCK_THREADS 256

struct packing {
	const struct rewriter *rewriter;
	const struct group_plan *plan;
	const struct placement *placement; /* the plan's, or as a template of the family spells it */
	const char *type_name;
	unsigned position;
	const char *record, *prefix;           /* prefix: "template <typename Record>\n" or "" */
	const char *kernels[2], *copies[2][2]; /* names, by direction, and whether they wait */
	const char *room; /* name of the function that gives copies their room; NULL: each allocates its own */
	bool used[2][2];
	const char *records, *count, *index, *staged, *error,
		*stream;            /* names of parameters and variables that no member has */
	const char *const *buffers; /* names of the parameters that point to the buffers */
};

/* ---- names ------------------------------------------------------------------------- */

/* Whether a buffer's parameter has that name. */
static bool is_buffer(const struct packing *packing, const char *name)
{
	for (unsigned b = 0; b < packing->plan->placement->buffer_count; b++)
		if (strcmp(packing->buffers[b], name) == 0)
			return true;
	return false;
}

static const char *name_free(const struct packing *packing, const char *name)
{
	while (is_buffer(packing, name))
		name = arena_printf(packing->rewriter->arena, "%s_", name);
	return name;
}

static const char *const *buffers_name(const struct rewriter *rewriter, const struct placement *placement)
{
	const char **names = arena_array(rewriter->arena, placement->buffer_count + placement->group->field_count + 1,
	                                 sizeof(*names));

	for (unsigned b = 0; b < placement->buffer_count; b++)
		names[b] = placement->buffer_count > 1 ? placement->buffers[b].name : "device";
	return names;
}

/* Whether the record's own name means it before that offset. */
static bool is_named_before(const struct rewriter *rewriter, const struct record *record, unsigned position)
{
	unsigned token = edit_token_at(rewriter->source, record->range.begin);

	if (strpbrk(record->name, ":<("))
		return false;
	if (range_is_empty(record->range))
		return record->is_vector_type;
	return record->range.end <= position && rewriter->source->tokens[token].brace == EDIT_NO_TOKEN;
}

/* The name of a group's records, with a number where an earlier group has the same. */
static const char *base_numbered(const struct rewriter *rewriter, const struct group_plan *plan)
{
	unsigned number = 1;

	for (const struct group_plan *other = rewriter->group_plans; other < plan; other++)
		number += strcmp(other->base, plan->base) == 0;
	return number > 1 ? arena_printf(rewriter->arena, "%s%u", plan->base, number) : plan->base;
}

/* Whether a token ends what is done with the device: behind it the function, or the program, ends. */
static bool ends_function(const struct edit_source *source, unsigned t)
{
	while (t < source->token_count &&
	       (edit_is(source, t, ")") || edit_is(source, t, "(") || edit_is(source, t, ";")))
		t++;
	return t == source->token_count || edit_is(source, t, "}") || edit_is(source, t, "return") ||
	       edit_is(source, t, "exit");
}

/* Whether copies of a record come again and again, and device memory that a function keeps stays valid until the
 * program ends. */
static bool needs_room(const struct rewriter *rewriter, const struct record *record)
{
	const struct edit_source *source = rewriter->source;
	bool again = false;

	for (unsigned c = 0; c < rewriter->analysis->host_copy_count; c++) {
		const struct host_copy *copy = &rewriter->analysis->host_copies[c];
		again |= copy->record == record && (copy->times > 1 || !copy->is_known);
	}
	for (unsigned t = 0; again && t < source->token_count; t++)
		again = !edit_is(source, t, "cudaDeviceReset") || ends_function(source, t + 1);
	return again;
}

static void functions_name(struct packing *packing)
{
	const struct rewriter *rewriter = packing->rewriter;
	bool for_family = packing->placement != packing->plan->placement;
	const char *base = for_family ? packing->plan->group->family->name : base_numbered(rewriter, packing->plan);

	packing->kernels[0] = rewriter_name(rewriter, arena_printf(rewriter->arena, "unpack_%s", base));
	packing->kernels[1] = rewriter_name(rewriter, arena_printf(rewriter->arena, "pack_%s", base));
	if (needs_room(rewriter, packing->plan->group->record))
		packing->room = rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_room", base));
	packing->copies[0][0] = rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_to_device", base));
	packing->copies[1][0] = rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_to_host", base));
	packing->copies[0][1] = rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_to_device_async", base));
	packing->copies[1][1] = rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_to_host_async", base));
}

/* Makes the functions templates over all records of the family. */
static void family_spell(struct packing *packing)
{
	const struct layout_group *group = packing->plan->group;
	struct arena *arena = packing->rewriter->arena;

	packing->record =
		arena_printf(arena, "%.*s%s", (int)strcspn(group->name, "<"), group->name, group->family->parameters);
	packing->prefix = arena_printf(arena, "%s\n", group->family->header);
	packing->placement = group_family_placement(arena, packing->placement, packing->record);
	if (packing->type_name)
		packing->type_name = group_family_type(arena, packing->type_name, packing->record);
}

struct packing *packing_create(const struct rewriter *rewriter, const struct group_plan *plan, unsigned position)
{
	struct packing *packing = arena_alloc(rewriter->arena, sizeof(*packing));
	const struct record *record = plan->group->record;

	if (plan->group->form != FORM_STRUCT || plan->group->written_tile > 0)
		return NULL;
	*packing = (struct packing){.rewriter = rewriter,
	                            .plan = plan,
	                            .position = position,
	                            .record = "Record",
	                            .prefix = "template <typename Record>\n"};
	if (is_named_before(rewriter, record, position)) {
		packing->record = rewriter_record_name(rewriter, record);
		packing->prefix = "static ";
	}
	packing->placement = plan->placement;
	packing->type_name = rewriter_joins_pointers(plan) ? NULL : plan->type_name;
	if (plan->group->family && record->range.end <= position)
		family_spell(packing);
	packing->buffers = buffers_name(rewriter, plan->placement);
	packing->records = name_free(packing, "records");
	packing->count = name_free(packing, "count");
	packing->index = name_free(packing, "i");
	packing->staged = name_free(packing, "staged");
	packing->error = name_free(packing, "error");
	packing->stream = name_free(packing, "stream");
	functions_name(packing);
	return packing;
}

const char *packing_use(struct packing *packing, bool to_host, bool is_async)
{
	packing->used[to_host][is_async] = true;
	return packing->copies[to_host][is_async];
}

/* ---- the kernels --------------------------------------------------------------------- */

/* One side of an assignment: the field in the buffers, or in the records. */
static void side_write(struct text *out, const struct packing *packing, unsigned field, const char *inner,
                       bool in_records)
{
	const struct placement *placement = packing->plan->placement;
	struct row_site site = {packing->buffers, field, packing->index, packing->index, inner};

	if (in_records)
		text_printf(out, "%s[%s].%s%s", packing->records, packing->index, placement->group->fields[field].path,
		            inner);
	else
		placement->layout->access(out, placement, &site);
}

static void assignment_write(struct text *out, const struct packing *packing, unsigned field, const char *inner,
                             bool to_host)
{
	side_write(out, packing, field, inner, to_host);
	text_puts(out, " = ");
	side_write(out, packing, field, inner, !to_host);
	text_puts(out, ";\n");
}

/* "[1][2]" of the scalar with that number. */
static const char *scalar_inner(struct arena *arena, const struct layout_field *field, uint64_t number)
{
	const char *inner = "";
	uint64_t below = field->count;

	for (unsigned d = 0; d < field->dimension_count; d++) {
		below /= field->dimensions[d];
		inner = arena_printf(arena, "%s[%llu]", inner, (unsigned long long)(number / below));
		number %= below;
	}
	return inner;
}

static void field_write(struct text *out, const struct packing *packing, unsigned f, bool to_host)
{
	const struct layout_field *field = &packing->plan->group->fields[f];
	struct arena *arena = packing->rewriter->arena;
	const char *inner = "";

	if (packing->plan->placement->fields[f].is_split || field->count <= LISTED_MOST) {
		for (uint64_t k = 0; k < field->count; k++) {
			text_puts(out, "\t");
			assignment_write(out, packing, f, scalar_inner(arena, field, k), to_host);
		}
		return;
	}
	for (unsigned d = 0; d < field->dimension_count; d++) {
		const char *name = name_free(packing, arena_printf(arena, "k%u", d));

		for (unsigned t = 0; t <= d; t++)
			text_puts(out, "\t");
		text_printf(out, "for (unsigned %s = 0; %s < %u; %s++)\n", name, name, field->dimensions[d], name);
		inner = arena_printf(arena, "%s[%s]", inner, name);
	}
	for (unsigned t = 0; t <= field->dimension_count; t++)
		text_puts(out, "\t");
	assignment_write(out, packing, f, inner, to_host);
}

/* The parameters that point to the buffers, each with a comma behind it. */
static void buffers_declare(struct text *out, const struct packing *packing, bool to_host)
{
	const struct placement *placement = packing->placement;

	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct row_pointer spelling = {to_host ? "const " : "", "", packing->buffers[b]};

		placement->layout->pointer(out, placement, b, packing->type_name, &spelling);
		text_puts(out, ", ");
	}
}

static void records_declare(struct text *out, const struct packing *packing, bool to_host)
{
	text_printf(out, "%s%s *%s, ", to_host ? "" : "const ", packing->record, packing->records);
}

/* Where to, where from. */
static void parameters_declare(struct text *out, const struct packing *packing, bool to_host)
{
	if (to_host)
		records_declare(out, packing, to_host);
	buffers_declare(out, packing, to_host);
	if (!to_host)
		records_declare(out, packing, to_host);
}

static void kernel_write(struct text *out, const struct packing *packing, bool to_host)
{
	text_printf(out, "/* %s. */\n%s__global__ void %s(",
	            to_host ? "Puts records together from their members" : "Takes records apart into their members",
	            packing->prefix, packing->kernels[to_host]);
	parameters_declare(out, packing, to_host);
	text_printf(out, "size_t %s)\n{\n\tsize_t %s = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n\n",
	            packing->count, packing->index);
	text_printf(out, "\tif (%s >= %s)\n\t\treturn;\n", packing->index, packing->count);
	for (unsigned f = 0; f < packing->plan->group->field_count; f++)
		field_write(out, packing, f, to_host);
	text_puts(out, "}\n\n");
}

/* ---- the copies ------------------------------------------------------------------------ */

/* Whether records have bytes that no member has. */
static bool has_padding(const struct layout_group *group)
{
	uint64_t bytes = 0;

	for (unsigned f = 0; f < group->field_count; f++)
		bytes += group->fields[f].size_bytes * group->fields[f].count;
	return bytes != group->record->type.size_bytes;
}

/* Whether records that the functions move have such bytes. */
static bool moves_padding(const struct packing *packing)
{
	const struct layout_groups *groups = packing->rewriter->groups;
	bool padding = has_padding(packing->plan->group);

	for (unsigned g = 0; packing->placement != packing->plan->placement && g < groups->count; g++)
		padding |= groups->list[g]->family == packing->plan->group->family && has_padding(groups->list[g]);
	return padding;
}

/* A step that is done where those before it succeeded: "if (error == cudaSuccess)". */
static void step_begin(struct text *out, const struct packing *packing, const char *braces)
{
	text_printf(out, "\tif (%s == cudaSuccess)%s\n\t\t", packing->error, braces);
}

static void transfer_write(struct text *out, const struct packing *packing, bool to_host, bool is_async)
{
	step_begin(out, packing, "");
	text_printf(out, "%s = cudaMemcpy%s(%s, %s, %s * sizeof(*%s), %s%s%s);\n", packing->error,
	            is_async ? "Async" : "", to_host ? packing->records : packing->staged,
	            to_host ? packing->staged : packing->records, packing->count, packing->staged,
	            to_host ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToDevice", is_async ? ", " : "",
	            is_async ? packing->stream : "");
}

static void launch_write(struct text *out, const struct packing *packing, bool to_host, bool is_async)
{
	const char *stream = is_async ? arena_printf(packing->rewriter->arena, ", 0, %s", packing->stream) : "";

	if (to_host && moves_padding(packing)) {
		step_begin(out, packing, "");
		text_printf(out, "%s = cudaMemset%s(%s, 0, %s * sizeof(*%s)%s%s);\n", packing->error,
		            is_async ? "Async" : "", packing->staged, packing->count, packing->staged,
		            is_async ? ", " : "", is_async ? packing->stream : "");
	}
	step_begin(out, packing, " {");
	text_printf(out, "%s<<<(unsigned)((%s + %u) / %u), %u%s>>>(", packing->kernels[to_host], packing->count,
	            BLOCK_THREADS - 1, BLOCK_THREADS, BLOCK_THREADS, stream);
	text_printf(out, "%s%s", to_host ? packing->staged : "", to_host ? ", " : "");
	for (unsigned b = 0; b < packing->plan->placement->buffer_count; b++)
		text_printf(out, "%s, ", packing->buffers[b]);
	text_printf(out, "%s%s%s);\n\t\t%s = cudaGetLastError();\n\t}\n", to_host ? "" : packing->staged,
	            to_host ? "" : ", ", packing->count, packing->error);
}

static void copy_write(struct text *out, const struct packing *packing, bool to_host, bool is_async)
{
	const char *suffix = is_async ? "Async" : "";
	const bool has_room = packing->room && !is_async;

	text_printf(out, "/* Copies count records %s. */\n%s%scudaError_t %s(",
	            to_host ? "to the host, put together from their members"
	                    : "of the host to the device, taken apart into their members",
	            packing->prefix, *packing->prefix == 't' ? "static " : "", packing->copies[to_host][is_async]);
	parameters_declare(out, packing, to_host);
	text_printf(out, "size_t %s%s%s)\n{\n", packing->count, is_async ? ", cudaStream_t " : "",
	            is_async ? packing->stream : "");
	text_printf(out, "\t%s *%s = NULL;\n\tcudaError_t %s;\n\n", packing->record, packing->staged, packing->error);
	text_printf(out, "\tif (%s == 0)\n\t\treturn cudaSuccess;\n", packing->count);
	if (has_room)
		text_printf(out, "\t%s = %s(&%s, %s);\n", packing->error, packing->room, packing->staged,
		            packing->count);
	else
		text_printf(out, "\t%s = cudaMalloc%s(&%s, %s * sizeof(*%s)%s%s);\n", packing->error, suffix,
		            packing->staged, packing->count, packing->staged, is_async ? ", " : "",
		            is_async ? packing->stream : "");
	if (to_host)
		launch_write(out, packing, to_host, is_async);
	transfer_write(out, packing, to_host, is_async);
	if (!to_host)
		launch_write(out, packing, to_host, is_async);
	if (!has_room)
		text_printf(out, "\tcudaFree%s(%s%s%s);\n", suffix, packing->staged, is_async ? ", " : "",
		            is_async ? packing->stream : "");
	else if (!to_host) {
		step_begin(out, packing, "");
		text_printf(out, "%s = cudaStreamSynchronize(0);\n", packing->error);
	}
	text_printf(out, "\treturn %s;\n}\n\n", packing->error);
}

/* The function that gives the copies that wait their room on the device. */
static void room_write(struct text *out, const struct packing *packing)
{
	text_printf(out,
	            "/* Room for count records on the device. It is kept, and grows where a copy needs more. */\n"
	            "%s%scudaError_t %s(%s **room, size_t count)\n{\n"
	            "\tstatic thread_local %s *kept = NULL;\n"
	            "\tstatic thread_local size_t kept_count = 0;\n"
	            "\tstatic thread_local int kept_device = -1;\n"
	            "\tint device = -1;\n"
	            "\tcudaError_t error = cudaGetDevice(&device);\n\n",
	            packing->prefix, *packing->prefix == 't' ? "static " : "", packing->room, packing->record,
	            packing->record);
	text_puts(out, "\tif (error == cudaSuccess && (count > kept_count || device != kept_device)) {\n"
	               "\t\tcudaFree(kept);\n"
	               "\t\tkept = NULL;\n"
	               "\t\terror = cudaMalloc(&kept, count * sizeof(*kept));\n"
	               "\t\tkept_count = error == cudaSuccess ? count : 0;\n"
	               "\t\tkept_device = device;\n"
	               "\t}\n"
	               "\t*room = kept;\n"
	               "\treturn error;\n}\n\n");
}

/* Writes the functions that a file calls, with their kernels. */
static void functions_write(struct text *out, const struct packing *packing, const struct rewriter_site *site)
{
	if (packing->room && ((packing->used[0][0] && site->calls[0]) || (packing->used[1][0] && site->calls[2])))
		room_write(out, packing);
	for (unsigned to_host = 0; to_host < 2; to_host++) {
		const bool *calls = &site->calls[2 * to_host];

		if ((packing->used[to_host][0] && calls[0]) || (packing->used[to_host][1] && calls[1]))
			kernel_write(out, packing, to_host);
		for (unsigned is_async = 0; is_async < 2; is_async++)
			if (packing->used[to_host][is_async] && calls[is_async])
				copy_write(out, packing, to_host, is_async);
	}
}

void packing_edit(struct rewriter *rewriter, const struct packing *packing)
{
	const char *const names[] = {packing->copies[0][0], packing->copies[0][1], packing->copies[1][0],
	                             packing->copies[1][1]};
	struct rewriter_sites sites = rewriter_sites_find(rewriter, names, ARRAY_COUNT(names), packing->position);

	for (unsigned s = 0; s < sites.count; s++) {
		unsigned position = sites.list[s].position;
		struct text out = {0};

		functions_write(&out, packing, &sites.list[s]);
		if (out.length > 0)
			edit_add(&rewriter->edits, (struct range){position, position},
			         rewriter_block(rewriter, &out, position));
	}
}

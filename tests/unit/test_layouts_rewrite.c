/*
 * Rewriting with an analysis made by hand, so that it is tested without a front end: records and separate arrays into
 * each layout, host side included, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layouts/layouts.h"

/* ---- an analysis by hand ----------------------------------------------------------- */

struct builder {
	struct arena *arena;
	struct analysis analysis;
	struct diagnostics diagnostics;
};

static struct builder *builder_create(const char *text)
{
	struct arena *arena = arena_create();
	struct builder *builder = arena_alloc(arena, sizeof(*builder));

	builder->arena = arena;
	builder->analysis.arena = arena;
	builder->analysis.path = "k.cu";
	builder->analysis.text = text;
	builder->analysis.text_length = strlen(text);
	diagnostics_init(&builder->diagnostics, arena);
	return builder;
}

/* Range of the n-th occurrence (from 0) of a text. */
static struct range find(const struct builder *builder, const char *what, unsigned n)
{
	const char *at = strstr(builder->analysis.text, what);

	while (at && n-- > 0)
		at = strstr(at + 1, what);
	if (!at)
		fail_msg("no '%s' in the text", what);
	return (struct range){(unsigned)(at - builder->analysis.text),
	                      (unsigned)(at - builder->analysis.text + (long)strlen(what))};
}

/* Range of a part inside the range. */
static struct range within(const struct builder *builder, struct range range, const char *part)
{
	const char *at = strstr(builder->analysis.text + range.begin, part);
	unsigned begin = (unsigned)(at - builder->analysis.text);

	assert_non_null(at);
	assert_true(begin + strlen(part) <= range.end);
	return (struct range){begin, begin + (unsigned)strlen(part)};
}

static struct type float_type(void)
{
	return (struct type){.spelling = "float", .size_bytes = 4, .align_bytes = 4, .scalar = SCALAR_FLOAT};
}

/* A record of float members, declared by the given text. */
static struct record *add_record(struct builder *builder, const char *name, const char *declaration,
                                 const char *const *members, unsigned count)
{
	struct record *record = arena_alloc(builder->arena, sizeof(*record));

	record->name = name;
	record->type = (struct type){.spelling = name, .size_bytes = 4 * count, .align_bytes = 4, .record = record};
	record->members = arena_array(builder->arena, count, sizeof(*record->members));
	record->leaves = arena_array(builder->arena, count, sizeof(*record->leaves));
	record->member_count = record->leaf_count = count;
	for (unsigned m = 0; m < count; m++) {
		record->members[m] =
			(struct member){.name = members[m], .type = float_type(), .offset_bytes = 4 * m, .count = 1};
		record->leaves[m] = (struct leaf){.path = members[m],
		                                  .identifier = members[m],
		                                  .type = float_type(),
		                                  .offset_bytes = 4 * m,
		                                  .count = 1,
		                                  .stride_bytes = 4};
	}
	record->range = find(builder, declaration, 0);
	ARENA_PUSH(builder->arena, builder->analysis.records, builder->analysis.record_count, record);
	return record;
}

static struct kernel *add_kernel(struct builder *builder, const char *name, const char *definition)
{
	struct kernel *kernel = arena_alloc(builder->arena, sizeof(*kernel));

	kernel->name = name;
	kernel->mangled = arena_printf(builder->arena, "_Z%zu%s", strlen(name), name);
	kernel->definition = find(builder, definition, 0);
	kernel->definition.end =
		(unsigned)(strstr(builder->analysis.text + kernel->definition.begin, "\n}") - builder->analysis.text) +
		2;
	kernel->body.begin =
		(unsigned)(strstr(builder->analysis.text + kernel->definition.begin, "\n{") - builder->analysis.text) +
		1;
	kernel->body.end = kernel->definition.end;
	kernel->place = (struct place){"k.cu", 1, 1};
	kernel->parameters = arena_array(builder->arena, 8, sizeof(*kernel->parameters));
	ARENA_PUSH(builder->arena, builder->analysis.kernels, builder->analysis.kernel_count, kernel);
	return kernel;
}

static struct parameter *add_parameter(struct builder *builder, struct kernel *kernel, const char *declaration,
                                       const char *name, struct type type)
{
	struct parameter *parameter = &kernel->parameters[kernel->parameter_count];

	parameter->name = name;
	parameter->index = kernel->parameter_count++;
	parameter->is_pointer = strchr(declaration, '*') != NULL;
	parameter->is_const = strncmp(declaration, "const", 5) == 0;
	parameter->is_restrict = strstr(declaration, "__restrict__") != NULL;
	parameter->type = type;
	parameter->range = within(builder, kernel->definition, declaration);
	parameter->name_range = (struct range){parameter->range.end - (unsigned)strlen(name), parameter->range.end};
	return parameter;
}

/* A reference: its text (the n-th of that spelling in the kernel), its index, its leaf's index or -1. */
static struct reference *add_reference(struct builder *builder, struct kernel *kernel, unsigned parameter,
                                       const char *whole, unsigned n, const char *index, int leaf)
{
	struct range range = kernel->definition;
	struct reference reference = {.kind = REFERENCE_ELEMENT, .parameter = &kernel->parameters[parameter]};

	for (unsigned i = 0; i <= n; i++) {
		reference.whole = within(builder, range, whole);
		range.begin = reference.whole.begin + 1;
	}
	if (index)
		reference.index = within(builder, reference.whole, index);
	if (leaf >= 0)
		reference.leaf = &kernel->parameters[parameter].type.record->leaves[leaf];
	ARENA_PUSH(builder->arena, kernel->references, kernel->reference_count, reference);
	return &kernel->references[kernel->reference_count - 1];
}

static struct host_array *add_host_array(struct builder *builder, const char *name, struct type element)
{
	struct host_array *array = arena_alloc(builder->arena, sizeof(*array));

	array->name = name;
	array->element = element;
	ARENA_PUSH(builder->arena, builder->analysis.host_arrays, builder->analysis.host_array_count, array);
	return array;
}

static void add_use(struct builder *builder, struct host_array *array, enum host_use use, const char *statement,
                    const char *name, const char *size)
{
	struct host_reference reference = {.use = use, .statement = find(builder, statement, 0)};

	reference.name = within(builder, reference.statement, name);
	if (size)
		reference.size = within(builder, reference.statement, size);
	ARENA_PUSH(builder->arena, array->references, array->reference_count, reference);
}

static struct launch *add_launch(struct builder *builder, struct kernel *kernel, const char *call)
{
	struct launch *launch = arena_alloc(builder->arena, sizeof(*launch));

	launch->kernel = kernel;
	launch->range = find(builder, call, 0);
	launch->arguments = arena_array(builder->arena, 8, sizeof(*launch->arguments));
	ARENA_PUSH(builder->arena, kernel->launches, kernel->launch_count, launch);
	return launch;
}

static void add_argument(struct builder *builder, struct launch *launch, unsigned index, const char *text,
                         struct host_array *array)
{
	struct range arguments = {find(builder, ">>>(", 0).begin, launch->range.end};

	arguments.begin = within(builder, launch->range, ">>>(").end;
	launch->arguments[index].range = within(builder, arguments, text);
	launch->arguments[index].array = array;
	if (array)
		ARENA_PUSH(builder->arena, array->references, array->reference_count,
		           (struct host_reference){.use = HOST_ARGUMENT, .name = launch->arguments[index].range});
}

static void add_function(struct builder *builder, const char *definition, bool host)
{
	struct function function = {.name = definition, .is_host = host, .is_device = !host};

	function.definition = find(builder, definition, 0);
	function.body.begin = find(builder, "{", 0).begin;
	function.body.begin =
		(unsigned)(strstr(builder->analysis.text + function.definition.begin, "\n{") - builder->analysis.text) +
		1;
	function.body.end =
		(unsigned)(strstr(builder->analysis.text + function.definition.begin, "\n}") - builder->analysis.text) +
		2;
	ARENA_PUSH(builder->arena, builder->analysis.functions, builder->analysis.function_count, function);
}

/* Rewrites with every group in the layout of that name. */
static struct rewritten *rewrite_joined(struct builder *builder, const char *group, const char *layout,
                                        enum rewrite_purpose purpose, bool joins_pointers)
{
	struct layout_options options = {.groups = &group, .group_count = group ? 1 : 0};
	struct layout_groups *groups = arena_alloc(builder->arena, sizeof(*groups));
	struct placement *placements[4];

	assert_true(layout_groups_find(builder->arena, &builder->analysis, &options, groups, &builder->diagnostics));
	for (unsigned g = 0; g < groups->count; g++)
		placements[g] = layout_place(builder->arena, layout ? layout_find(layout) : groups->list[g]->written,
		                             groups->list[g], LAYOUT_TILE_DEFAULT);
	for (unsigned g = 0; g < groups->count; g++)
		placements[g]->joins_pointers = joins_pointers;
	return layout_rewrite(builder->arena, &builder->analysis, groups, placements, purpose, &builder->diagnostics);
}

static struct rewritten *rewrite(struct builder *builder, const char *group, const char *layout,
                                 enum rewrite_purpose purpose)
{
	return rewrite_joined(builder, group, layout, purpose, false);
}

/* A text without the breaks behind commas, by which lines are kept from growing wide. */
static char *without_breaks(const char *text)
{
	char *joined = strdup(text), *to = joined;

	for (const char *from = text; *from; from++) {
		*to++ = *from;
		if (!*from || !strchr(",*+-=", *from) || from[1] != '\n')
			continue;
		from += 1 + strspn(from + 2, " \t");
		*to++ = ' ';
	}
	*to = 0;
	return joined;
}

static void assert_contains(const char *text, const char *part)
{
	char *joined = without_breaks(text);

	if (!strstr(text, part) && !strstr(joined, part))
		fail_msg("missing: %s\nin:\n%s", part, text);
	free(joined);
}

/* ---- records --------------------------------------------------------------------------- */

static const char points_text[] =
	"#include <stdio.h>\n"
	"#define CHECK(call) if (call) return 1\n"
	"\n"
	"struct point {\n"
	"	float x, y;\n"
	"};\n"
	"\n"
	"/* Moves points. */\n"
	"__global__ void move(struct point *p, const int *next, const struct point *__restrict__ q, int n)\n"
	"{\n"
	"	int i = threadIdx.x; // p[i].x stays\n"
	"	p[i].x = q[next[i] + 1].y;\n"
	"	p[i].y += p[i].x;\n"
	"}\n"
	"\n"
	"int main(void)\n"
	"{\n"
	"	struct point *p = NULL, *host = 0, *q;\n"
	"	CHECK(cudaMalloc((void **)&p, 100 * sizeof(struct point)));\n"
	"	CHECK(cudaMalloc(&q, 100 * sizeof(*q)));\n"
	"	CHECK(cudaMemcpy(q, host, 100 * sizeof(*q), cudaMemcpyHostToDevice));\n"
	"	move<<<1, 100>>>(p, next, q, 100);\n"
	"	CHECK(cudaMemcpy(host, p, 100 * sizeof(struct point), cudaMemcpyDeviceToHost));\n"
	"	cudaFree(p);\n"
	"	cudaFree(q);\n"
	"}\n";

static struct builder *points(void)
{
	static const char *const members[] = {"x", "y"};
	struct builder *builder = builder_create(points_text);
	struct record *record = add_record(builder, "point", "struct point {\n	float x, y;\n};", members, 2);
	struct kernel *kernel = add_kernel(builder, "move", "__global__ void move(");
	struct host_array *p, *q;
	struct launch *launch;

	add_parameter(builder, kernel, "struct point *p", "p", record->type);
	add_parameter(builder, kernel, "const int *next", "next", float_type());
	add_parameter(builder, kernel, "const struct point *__restrict__ q", "q", record->type);
	add_parameter(builder, kernel, "int n", "n", float_type());
	add_reference(builder, kernel, 0, "p[i].x", 1, "i", 0);
	add_reference(builder, kernel, 1, "next[i]", 0, "i", -1);
	add_reference(builder, kernel, 2, "q[next[i] + 1].y", 0, "next[i] + 1", 1);
	add_reference(builder, kernel, 0, "p[i].y", 0, "i", 1);
	add_reference(builder, kernel, 0, "p[i].x", 2, "i", 0);
	p = add_host_array(builder, "p", record->type);
	q = add_host_array(builder, "q", record->type);
	add_use(builder, p, HOST_DECLARE, "*p = NULL", "p", NULL);
	add_use(builder, q, HOST_DECLARE, "*q;", "q", NULL);
	add_use(builder, p, HOST_ALLOCATE, "cudaMalloc((void **)&p, 100 * sizeof(struct point))", "p,",
	        "100 * sizeof(struct point)");
	p->references[1].name.end--;
	add_use(builder, q, HOST_ALLOCATE, "cudaMalloc(&q, 100 * sizeof(*q))", "q", "100 * sizeof(*q)");
	add_use(builder, q, HOST_SIZEOF, "sizeof(*q)", "q", NULL);
	add_use(builder, q, HOST_SIZEOF, "sizeof(*q), cudaMemcpyHostToDevice", "q", NULL);
	q->references[q->reference_count - 1].statement.end -= (unsigned)strlen(", cudaMemcpyHostToDevice");
	add_use(builder, q, HOST_COPY_IN, "cudaMemcpy(q, host, 100 * sizeof(*q), cudaMemcpyHostToDevice)", "q",
	        "100 * sizeof(*q)");
	add_use(builder, p, HOST_COPY_OUT, "cudaMemcpy(host, p, 100 * sizeof(struct point), cudaMemcpyDeviceToHost)",
	        "p, ", "100 * sizeof(struct point)");
	p->references[2].name.end -= 2;
	add_use(builder, p, HOST_FREE, "cudaFree(p)", "p", NULL);
	add_use(builder, q, HOST_FREE, "cudaFree(q)", "q", NULL);
	launch = add_launch(builder, kernel, "move<<<1, 100>>>(p, next, q, 100)");
	add_argument(builder, launch, 0, "p", p);
	add_argument(builder, launch, 1, "next", NULL);
	add_argument(builder, launch, 2, "q", q);
	add_argument(builder, launch, 3, "100", NULL);
	add_function(builder, "__global__ void move", false);
	add_function(builder, "int main(void)", true);
	return builder;
}

static void records_into_soa(void **state)
{
	struct builder *builder = points();
	struct rewritten *rewritten = rewrite(builder, NULL, "soa", REWRITE_PROGRAM);
	const struct variant_kernel *kernel = &rewritten->kernels[0];

	(void)state;
	assert_true(rewritten->host_complete);
	assert_contains(rewritten->text, "__global__ void move(float *p_x, float *p_y, const int *next, "
	                                 "const float *__restrict__ q_x, const float *__restrict__ q_y, int n)");
	assert_contains(rewritten->text, "	int i = threadIdx.x; // p[i].x stays\n	p_x[i] = q_y[next[i] + 1];\n"
	                                 "	p_y[i] += p_x[i];\n");
	assert_contains(rewritten->text,
	                "	struct point *host = 0;\n	float *p_x = NULL, *p_y = NULL, *q_x, *q_y;\n");
	assert_contains(rewritten->text, "	CHECK(cudaMalloc((void **)&p_x, 100 * sizeof(float)));\n"
	                                 "	CHECK(cudaMalloc((void **)&p_y, 100 * sizeof(float)));\n"
	                                 "	CHECK(cudaMalloc(&q_x, 100 * sizeof(float)));\n"
	                                 "	CHECK(cudaMalloc(&q_y, 100 * sizeof(float)));\n");
	assert_contains(rewritten->text, "	CHECK(point_to_device(q_x, q_y, host, 100));\n");
	assert_contains(rewritten->text, "	x[i] = records[i].x;\n	y[i] = records[i].y;\n}\n");
	assert_contains(rewritten->text, "move<<<1, 100>>>(p_x, p_y, next, q_x, q_y, 100);\n");
	assert_contains(rewritten->text, "	cudaFree(p_x);\n	cudaFree(p_y);\n");
	assert_true(kernel->changed);
	assert_int_equal(kernel->parameter_count, 6);
	assert_int_equal(kernel->parameters[1].buffer, 1);
	assert_null(kernel->parameters[2].group);
	assert_int_equal(kernel->parameters[4].array, 1);
	arena_release(builder->arena);
}

static void records_into_tiles(void **state)
{
	struct builder *builder = points();
	struct rewritten *rewritten = rewrite(builder, NULL, "asta", REWRITE_PROGRAM);

	(void)state;
	assert_contains(rewritten->text, "struct point_tile {\n	float x[32], y[32];\n};\n\n/* Moves points. */\n");
	assert_contains(rewritten->text, "	p[i >> 5].x[i & 31] = q[(next[i] + 1) >> 5].y[(next[i] + 1) & 31];\n");
	assert_contains(rewritten->text, "const point_tile *__restrict__ q, int n)");
	assert_contains(rewritten->text, "	struct point *host = 0;\n	point_tile *p = NULL, *q;\n");
	assert_contains(rewritten->text, "	CHECK(cudaMalloc(&q, (100 + 31) / 32 * sizeof(point_tile)));\n"
	                                 "	CHECK(point_to_device(q, host, 100));\n");
	assert_contains(rewritten->text, "	device[i >> 5].x[i & 31] = records[i].x;\n");
	assert_contains(rewritten->text, "move<<<1, 100>>>(p, next, q, 100);\n");
	assert_contains(rewritten->text, "	cudaFree(p);\n");
	arena_release(builder->arena);
}

static void records_aligned_in_place(void **state)
{
	struct builder *builder = points();
	struct rewritten *rewritten = rewrite(builder, NULL, "aosa", REWRITE_PROGRAM);
	size_t inserted = strlen(" __align__(8)"), at = find(builder, " point {", 0).begin;

	(void)state;
	assert_memory_equal(rewritten->text, points_text, at);
	assert_memory_equal(rewritten->text + at, " __align__(8)", inserted);
	assert_string_equal(rewritten->text + at + inserted, points_text + at);
	assert_true(rewritten->host_complete);
	arena_release(builder->arena);
}

static void written_layout_is_the_file(void **state)
{
	struct builder *builder = points();
	struct rewritten *rewritten = rewrite(builder, NULL, "aos", REWRITE_PROGRAM);

	(void)state;
	assert_string_equal(rewritten->text, points_text);
	assert_true(rewritten->kernels[0].changed);
	assert_int_equal(rewritten->kernels[0].parameters[2].array, 1);
	arena_release(builder->arena);
}

/*
 * In a size that is not written with sizeof, an aligned record of its own takes the place of the changed declaration.
 */
static void odd_sizes_get_a_type_of_their_own(void **state)
{
	struct builder *builder = points();
	struct rewritten *rewritten;

	(void)state;
	for (unsigned h = 0; h < 2; h++)
		for (unsigned r = 0; r < builder->analysis.host_arrays[h]->reference_count; r++)
			if (builder->analysis.host_arrays[h]->references[r].size.end > 0)
				builder->analysis.host_arrays[h]->references[r].size = (struct range){1, 4};
	rewritten = rewrite(builder, NULL, "aosa", REWRITE_PROGRAM);
	assert_contains(rewritten->text, "struct __align__(8) point_aligned {\n	float x, y;\n};\n");
	assert_contains(rewritten->text, "	p[i].x = q[next[i] + 1].y;\n");
	arena_release(builder->arena);
}

static unsigned lines_before(const char *text, const char *part)
{
	const char *at = strstr(text, part);
	unsigned lines = 0;

	assert_non_null(at);
	while (at > text)
		lines += *--at == '\n';
	return lines;
}

static void pointers_in_a_struct(void **state)
{
	struct builder *builder = points();
	const char *text = rewrite_joined(builder, NULL, "soa", REWRITE_PROGRAM, true)->text;

	(void)state;
	assert_contains(text, "struct const_point_arrays {\n\tconst float *x, *y;\n};\n");
	assert_contains(text, "struct point_arrays {\n\tfloat *x, *y;\n\n"
	                      "\toperator const_point_arrays() const { return {x, y}; }\n};\n");
	assert_contains(text, "void move(point_arrays p, const int *next, const_point_arrays q, int n)\n");
	assert_contains(text, "	p.x[i] = q.y[next[i] + 1];\n	p.y[i] += p.x[i];\n");
	assert_contains(text, "	point_arrays p = {}, q;\n");
	assert_contains(text, "	CHECK(cudaMalloc((void **)&p.x, 100 * sizeof(float)));\n");
	assert_contains(text, "(p, next, q, 100);\n");
	assert_contains(text, "	cudaFree(q.x);\n	cudaFree(q.y);\n");
	text = rewrite_joined(builder, NULL, "asta", REWRITE_PROGRAM, true)->text;
	assert_contains(text, "void move(point_tile *p,");
	arena_release(builder->arena);
}

static void compiling_keeps_lines_and_drops_host_code(void **state)
{
	struct builder *builder = points();
	struct rewritten *rewritten = rewrite(builder, NULL, "asta", REWRITE_COMPILE);
	const char *marker = strstr(rewritten->text, "#line 9 \"k.cu\"\n__global__ void move(");

	(void)state;
	assert_contains(rewritten->text, "#line 8 \"k.cu\"\n/* Moves points. */");
	assert_non_null(marker);
	assert_int_equal(lines_before(points_text, "	p[i].y +="), 8 + lines_before(marker, "	p[i >> 5].y") - 1);
	assert_contains(rewritten->text, "#include <stdio.h>\n");
	assert_null(strstr(rewritten->text, "main"));
	assert_null(strstr(rewritten->text, "cudaMalloc"));
	assert_contains(rewritten->text, "\n#ifndef coalesce_without_0\n#line 9 \"k.cu\"\n__global__ void move(");
	assert_contains(rewritten->text,
	                "coalesce_kernels[] = {(void *)0\n#ifndef coalesce_without_0\n, (void *)move\n#endif\n};\n");
	arena_release(builder->arena);
}

static void variants_in_one_unit(void **state)
{
	struct builder *builder = points();
	struct rewritten *variants[] = {rewrite(builder, NULL, "aos", REWRITE_COMPILE),
	                                rewrite(builder, NULL, "soa", REWRITE_COMPILE)};
	char *unit = layout_variants(builder->arena, &builder->analysis, variants, 2);

	(void)state;
	assert_int_equal(strncmp(unit, "#include <stdio.h>\n#define CHECK", 32), 0);
	assert_contains(unit, "namespace coalesce_0 {\n#line 1 \"k.cu\"\n");
	assert_contains(unit, "namespace coalesce_1 {\n#line 1 \"k.cu\"\n");
	assert_contains(unit, "#pragma push_macro(\"CHECK\")\n");
	assert_contains(unit, "#undef CHECK\n");
	assert_null(strstr(strstr(unit, "coalesce_0"), "#include"));
	for (unsigned v = 0; v < 2; v++)
		assert_string_equal(layout_variant_unit(builder->arena, &builder->analysis, variants[v]),
		                    arena_printf(builder->arena, "#line 1 \"k.cu\"\n%s",
		                                 v == 0 ? builder->analysis.text : variants[v]->text));
	arena_release(builder->arena);
}

static void escaping_pointers_are_left(void **state)
{
	struct builder *builder = points();

	(void)state;
	builder->analysis.kernels[0]->references[2].kind = REFERENCE_OTHER;
	builder->analysis.kernels[0]->references[2].reason = "passed to a function";
	assert_null(rewrite(builder, NULL, "soa", REWRITE_PROGRAM));
	assert_string_equal(builder->diagnostics.list[0].message,
	                    "kernel move keeps its layout: q: passed to a function; change that to have it rewritten");
	assert_non_null(rewrite(builder, NULL, "aosa", REWRITE_PROGRAM));
	arena_release(builder->arena);
}

static void side_effects_are_not_repeated(void **state)
{
	struct builder *builder = points();
	struct rewritten *rewritten;

	(void)state;
	builder->analysis.kernels[0]->references[0].index_has_side_effects = true;
	rewritten = rewrite(builder, NULL, "asta", REWRITE_PROGRAM);
	assert_contains(rewritten->text, "__global__ void move(point_tile *p_records, const int *next,");
	assert_contains(rewritten->text, "{\n	point_pointer p = {p_records, 0};\n	int i = threadIdx.x;");
	assert_contains(rewritten->text, "	p[i].x = q[(next[i] + 1) >> 5].y[(next[i] + 1) & 31];\n");
	assert_contains(rewritten->text, "	p_records[i >> 5].y[i & 31] += p_records[i >> 5].x[i & 31];\n");
	rewritten = rewrite(builder, NULL, "soa", REWRITE_PROGRAM);
	assert_contains(rewritten->text, "	p_x[i] = q_y[next[i] + 1];\n");
	arena_release(builder->arena);
}

static void host_uses_that_cannot_be_followed(void **state)
{
	struct builder *builder = points();
	struct rewritten *rewritten;

	(void)state;
	builder->analysis.host_arrays[1]->references[1].use = HOST_OTHER;
	builder->analysis.host_arrays[1]->references[1].name = find(builder, "*host = 0", 0);
	rewritten = rewrite(builder, NULL, "soa", REWRITE_PROGRAM);
	assert_false(rewritten->host_complete);
	assert_true(rewritten->kernels[0].changed);
	assert_contains(rewritten->text, "move<<<1, 100>>>(p, next, q, 100);\n");
	assert_int_equal(builder->diagnostics.count, 1);
	arena_release(builder->arena);
}

/* ---- separate arrays -------------------------------------------------------------------- */

static const char product_text[] = "__global__ void first(const float *A, const float *B, float *C)\n"
				   "{\n"
				   "	C[i] += A[i * N + k] *\n"
				   "	        B[k];\n"
				   "}\n"
				   "__global__ void second(const float *__restrict__ c,\n"
				   "                       const float *__restrict__ d)\n"
				   "{\n"
				   "	c[d[0]];\n"
				   "}\n"
				   "int main(void)\n"
				   "{\n"
				   "	static float *A_gpu, *B_gpu;\n"
				   "	static float *C_gpu;\n"
				   "	if (cudaMalloc(&A_gpu, bytes))\n"
				   "		return 1;\n"
				   "	cudaMalloc(&B_gpu, bytes);\n"
				   "	CHECK(cudaMalloc(&C_gpu, 2 * n));\n"
				   "	cudaMemcpy(A_gpu, a, bytes, cudaMemcpyHostToDevice);\n"
				   "	cudaMemset(C_gpu, 0, bytes);\n"
				   "	first<<<1, 1>>>(A_gpu, B_gpu, C_gpu);\n"
				   "	second<<<1, 1>>>(C_gpu, A_gpu);\n"
				   "	cudaMemcpy(c, C_gpu, bytes, cudaMemcpyDeviceToHost);\n"
				   "	cudaFree(A_gpu);\n"
				   "	cudaFree(B_gpu);\n"
				   "	cudaFree(C_gpu);\n"
				   "}\n";

static struct builder *product(void)
{
	struct builder *builder = builder_create(product_text);
	struct kernel *first = add_kernel(builder, "first", "__global__ void first(");
	struct kernel *second = add_kernel(builder, "second", "__global__ void second(");
	struct host_array *a = add_host_array(builder, "A_gpu", float_type());
	struct host_array *b = add_host_array(builder, "B_gpu", float_type());
	struct host_array *c = add_host_array(builder, "C_gpu", float_type());
	struct launch *launch;

	add_parameter(builder, first, "const float *A", "A", float_type());
	add_parameter(builder, first, "const float *B", "B", float_type());
	add_parameter(builder, first, "float *C", "C", float_type());
	add_parameter(builder, second, "const float *__restrict__ c", "c", float_type());
	add_parameter(builder, second, "const float *__restrict__ d", "d", float_type());
	add_reference(builder, first, 2, "C[i]", 0, "i", -1);
	add_reference(builder, first, 0, "A[i * N + k]", 0, "i * N + k", -1);
	add_reference(builder, first, 1, "B[k]", 0, "k", -1);
	add_reference(builder, second, 0, "c[d[0]]", 0, "d[0]", -1);
	add_reference(builder, second, 1, "d[0]", 0, "0", -1);
	add_use(builder, a, HOST_DECLARE, "*A_gpu", "A_gpu", NULL);
	add_use(builder, b, HOST_DECLARE, "*B_gpu", "B_gpu", NULL);
	add_use(builder, c, HOST_DECLARE, "*C_gpu", "C_gpu", NULL);
	add_use(builder, a, HOST_ALLOCATE, "cudaMalloc(&A_gpu, bytes)", "A_gpu", "bytes");
	add_use(builder, b, HOST_ALLOCATE, "cudaMalloc(&B_gpu, bytes)", "B_gpu", "bytes");
	add_use(builder, c, HOST_ALLOCATE, "cudaMalloc(&C_gpu, 2 * n)", "C_gpu", "2 * n");
	add_use(builder, a, HOST_COPY_IN, "cudaMemcpy(A_gpu, a, bytes, cudaMemcpyHostToDevice)", "A_gpu", "bytes");
	add_use(builder, c, HOST_SET, "cudaMemset(C_gpu, 0, bytes)", "C_gpu", "bytes");
	add_use(builder, c, HOST_COPY_OUT, "cudaMemcpy(c, C_gpu, bytes, cudaMemcpyDeviceToHost)", "C_gpu", "bytes");
	add_use(builder, a, HOST_FREE, "cudaFree(A_gpu)", "A_gpu", NULL);
	add_use(builder, b, HOST_FREE, "cudaFree(B_gpu)", "B_gpu", NULL);
	add_use(builder, c, HOST_FREE, "cudaFree(C_gpu)", "C_gpu", NULL);
	launch = add_launch(builder, first, "first<<<1, 1>>>(A_gpu, B_gpu, C_gpu)");
	add_argument(builder, launch, 0, "A_gpu", a);
	add_argument(builder, launch, 1, "B_gpu", b);
	add_argument(builder, launch, 2, "C_gpu", c);
	launch = add_launch(builder, second, "second<<<1, 1>>>(C_gpu, A_gpu)");
	add_argument(builder, launch, 0, "C_gpu", c);
	add_argument(builder, launch, 1, "A_gpu", a);
	return builder;
}

static void arrays_into_records(void **state)
{
	struct builder *builder = product();
	struct rewritten *rewritten = rewrite(builder, "A,B,C", "aosa", REWRITE_PROGRAM);

	(void)state;
	assert_true(rewritten->host_complete);
	assert_ptr_equal(strstr(rewritten->text, "/* One element of A, B and C. */\n"
	                                         "struct __align__(16) record {\n	float A, B, C;\n};\n\n"
	                                         "__global__ void first(record *records)\n"),
	                 rewritten->text);
	assert_contains(rewritten->text,
	                "	records[i].C += records[i * N + k].A *\n	        records[k].B;\n");
	assert_contains(rewritten->text,
	                "second(const record *__restrict__ records)\n{\n	records[records[0].A].C;\n");
	assert_contains(rewritten->text,
	                "	static record *records;\n	if (cudaMalloc(&records, larger(bytes / sizeof(float), "
	                "(2 * n) / sizeof(float)) * sizeof(record)))\n		return 1;\n"
	                "	copy_to_records(&records->A, sizeof(record), a, bytes / sizeof(float));\n"
	                "	cudaMemset2D(&records->C, sizeof(record), 0, sizeof(float), bytes / sizeof(float));\n"
	                "	first<<<1, 1>>>(records);\n	second<<<1, 1>>>(records);\n"
	                "	copy_from_records(c, &records->C, sizeof(record), bytes / sizeof(float));\n"
	                "	cudaFree(records);\n}\n");
	assert_int_equal(rewritten->kernels[0].parameter_count, 1);
	arena_release(builder->arena);
}

static void names_of_host_arrays_make_a_group(void **state)
{
	struct builder *builder = product();
	struct rewritten *rewritten = rewrite(builder, "C_gpu,A_gpu", "asta", REWRITE_PROGRAM);

	(void)state;
	assert_contains(rewritten->text, "__global__ void first(record_tile *records, const float *B)\n");
	assert_contains(rewritten->text,
	                "records[i >> 5].C_gpu[i & 31] += records[(i * N + k) >> 5].A_gpu[(i * N + k) & 31] *");
	assert_contains(rewritten->text, "	static float *B_gpu;\n	static record_tile *records;\n");
	assert_contains(rewritten->text, "first<<<1, 1>>>(records, B_gpu);");
	arena_release(builder->arena);
}

static void merged_parameters_keep_lines(void **state)
{
	struct builder *builder = product();
	struct rewritten *rewritten = rewrite(builder, "A,B,C", "aos", REWRITE_COMPILE);

	(void)state;
	assert_contains(rewritten->text, "second(const record *__restrict__ records\n)\n{\n");
	arena_release(builder->arena);
}

static void unknown_members_are_errors(void **state)
{
	static const char *const groups[] = {"A,B,Z", "A", "A,,B", "A,A"};

	(void)state;
	for (unsigned g = 0; g < ARRAY_COUNT(groups); g++) {
		struct builder *builder = product();
		struct layout_options options = {.groups = &groups[g], .group_count = 1};
		struct layout_groups found;

		assert_false(layout_groups_find(builder->arena, &builder->analysis, &options, &found,
		                                &builder->diagnostics));
		assert_int_equal(builder->diagnostics.errors, 1);
		arena_release(builder->arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_into_soa),
		cmocka_unit_test(records_into_tiles),
		cmocka_unit_test(records_aligned_in_place),
		cmocka_unit_test(written_layout_is_the_file),
		cmocka_unit_test(odd_sizes_get_a_type_of_their_own),
		cmocka_unit_test(pointers_in_a_struct),
		cmocka_unit_test(compiling_keeps_lines_and_drops_host_code),
		cmocka_unit_test(variants_in_one_unit),
		cmocka_unit_test(escaping_pointers_are_left),
		cmocka_unit_test(side_effects_are_not_repeated),
		cmocka_unit_test(host_uses_that_cannot_be_followed),
		cmocka_unit_test(arrays_into_records),
		cmocka_unit_test(names_of_host_arrays_make_a_group),
		cmocka_unit_test(merged_parameters_keep_lines),
		cmocka_unit_test(unknown_members_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

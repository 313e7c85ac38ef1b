/*
 * The kernel that a call of thrust stands for, and its launch. The kernel is a template, so that the compiler finds the
 * types; the body of a lambda stays the file's own text, with its places:
 *
 *   template <typename T0, typename T1> __global__ void thrust_for_each_line12(T0 *p, T1 dt, size_t thrust_count)
 *   { const size_t thrust_index = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (thrust_index >= thrust_count)
 * return; P &q = p[thrust_index]; BODY }
 */
#include "analyzer/source/ranges.h"

#include <string.h>

#define THREADS_PER_BLOCK 256

/* A kernel being written. */
struct range_kernel {
	struct arena *arena;
	const struct line_reader *file;
	const struct source_call *call;
	const char *name;
	struct text types, parameters, arguments;
	unsigned type_count;
	struct source_segment *segments;
	unsigned segment_count;
};

static bool is_transform(const struct source_call *call)
{
	return strcmp(call->algorithm, "transform") == 0;
}

/* Adds a parameter of a type of its own: "const" and "*" around it. */
static void parameter_add(struct range_kernel *kernel, const char *before, const char *after, const char *name,
                          const char *argument)
{
	text_printf(&kernel->types, "%stypename T%u", kernel->type_count ? ", " : "", kernel->type_count);
	text_printf(&kernel->parameters, "%sT%u %s%s, ", before, kernel->type_count, after, name);
	text_printf(&kernel->arguments, "%s, ", argument);
	kernel->type_count++;
}

static void ranges_add(struct range_kernel *kernel)
{
	for (unsigned r = 0; r < kernel->call->range_count; r++) {
		const struct source_range *range = &kernel->call->ranges[r];
		bool is_read_only = is_transform(kernel->call) && r + 1 < kernel->call->range_count;

		if (range->pointer)
			parameter_add(kernel, is_read_only ? "const " : "", "*", range->name, range->pointer);
		else
			parameter_add(kernel, "", "", range->name, range->first);
	}
}

/* The element of a range that a thread does. */
static const char *element(struct arena *arena, const struct source_range *range, unsigned type)
{
	if (range->pointer)
		return arena_printf(arena, "%s[thrust_index]", range->name);
	return arena_printf(arena, "T%u(%s + T%u(thrust_index))", type, range->name, type);
}

static void segment_add(struct range_kernel *kernel, const char *text, size_t begin, size_t end)
{
	struct source_segment segment = {
		.text = text, .begin = begin, .end = end, .line = kernel->call->line, .column = 1};

	if (!text) {
		segment.line = source_line_of(kernel->file, begin);
		segment.column = source_column_of(kernel->file, begin);
	}
	ARENA_PUSH(kernel->arena, kernel->segments, kernel->segment_count, segment);
}

/* ---- the kernel's body ----------------------------------------------------------------------- */

/* Adds a lambda's body, in which `return x;` becomes an assignment to the element that is written. */
static void body_add(struct range_kernel *kernel, struct passage body)
{
	const struct line_reader *file = kernel->file;
	const struct source_call *call = kernel->call;
	const char *result = element(kernel->arena, &call->ranges[call->range_count - 1], 0);
	size_t done = body.begin, next;

	for (size_t at = body.begin; is_transform(call) && at < body.end; at = next) {
		size_t length = source_word_next(file, &at), end = at + strcspn(file->text + at, ";");

		next = at + (length ? length : 1);
		if (at >= body.end || length != strlen("return") || strncmp(file->text + at, "return", length) != 0)
			continue;
		segment_add(kernel, NULL, done, at);
		segment_add(kernel, arena_printf(kernel->arena, "{ %s = ", result), 0, 0);
		segment_add(kernel, NULL, at + length, end);
		segment_add(kernel, "; return; }", 0, 0);
		done = next = end + 1;
	}
	segment_add(kernel, NULL, done, body.end);
}

/* The declarations of a lambda's parameters, each with the element that it stands for; NULL where they cannot be made.
 */
static const char *declarations(struct range_kernel *kernel, const struct source_lambda *lambda)
{
	struct passages list = source_list_split(kernel->file, lambda->parameters);
	const unsigned inputs = kernel->call->range_count - is_transform(kernel->call);
	const char *all = "";

	if (list.count != inputs)
		return NULL;
	for (unsigned p = 0; p < list.count; p++) {
		const char *declarator = source_passage_text(kernel->arena, kernel->file, list.list[p]);
		const bool changes_number =
			!kernel->call->ranges[p].pointer && strchr(declarator, '&') && !strstr(declarator, "const");

		if (!strpbrk(declarator, " *&") || changes_number)
			return NULL;
		all = arena_printf(kernel->arena, "%s%s = %s; ", all, declarator,
		                   element(kernel->arena, &kernel->call->ranges[p], p));
	}
	return all;
}

/* What the kernel does where the functor is an object. */
static const char *application(struct range_kernel *kernel)
{
	const struct source_call *call = kernel->call;
	const unsigned inputs = call->range_count - is_transform(call);
	const char *applied = "";

	for (unsigned r = 0; r < inputs; r++)
		applied = arena_printf(kernel->arena, "%s%s%s", applied, r ? ", " : "",
		                       element(kernel->arena, &call->ranges[r], r));
	applied = arena_printf(kernel->arena, "functor(%s); }", applied);
	if (!is_transform(call))
		return applied;
	return arena_printf(kernel->arena, "%s = %s", element(kernel->arena, &call->ranges[inputs], inputs), applied);
}

/* ---- the whole --------------------------------------------------------------------------------- */

static const char *head(const struct range_kernel *kernel, const char *declared)
{
	return arena_printf(
		kernel->arena,
		"template <%s> __global__ void %s(%ssize_t thrust_count) { const size_t thrust_index = blockIdx.x * "
		"(size_t)blockDim.x + threadIdx.x; if (thrust_index >= thrust_count) return; %s",
		kernel->types.data, kernel->name, kernel->parameters.data, declared);
}

static void changes_push(struct range_kernel *kernel, struct source_changes *changes)
{
	const struct source_call *call = kernel->call;
	size_t place = source_outermost(kernel->file, call->begin);
	struct source_change definition = {.begin = place,
	                                   .end = place,
	                                   .line = call->line,
	                                   .segments = kernel->segments,
	                                   .segment_count = kernel->segment_count};
	struct source_change launch = {
		.begin = call->begin, .end = call->end, .line = call->line, .is_inline = true, .segment_count = 1};

	launch.segments = arena_alloc(kernel->arena, sizeof(*launch.segments));
	launch.segments->text =
		arena_printf(kernel->arena, "%s<<<(unsigned)(((size_t)(%s) + %d) / %d), %d>>>(%s(size_t)(%s))",
	                     kernel->name, call->count, THREADS_PER_BLOCK - 1, THREADS_PER_BLOCK, THREADS_PER_BLOCK,
	                     kernel->arguments.data, call->count);
	ARENA_PUSH(kernel->arena, changes->list, changes->count, definition);
	ARENA_PUSH(kernel->arena, changes->list, changes->count, launch);
}

/* Writes a kernel with a lambda's body; returns why it cannot be, or NULL. */
static const char *lambda_write(struct range_kernel *kernel, const struct source_lambda *lambda,
                                struct source_captures captures)
{
	const char *declared = declarations(kernel, lambda);

	if (!lambda->is_device)
		return "its lambda is not __device__";
	if (captures.problem || !declared)
		return captures.problem ? captures.problem : "the parameters of its lambda are not those of its ranges";
	for (unsigned c = 0; c < captures.count; c++)
		parameter_add(kernel, "", captures.list[c].is_pointer ? "*" : "", captures.list[c].name,
		              captures.list[c].value);
	segment_add(kernel, head(kernel, declared), 0, 0);
	body_add(kernel, lambda->body);
	segment_add(kernel, "}", 0, 0);
	return NULL;
}

const char *source_call_write(struct arena *arena, const struct line_reader *file, const struct source_call *call,
                              const char *suffix, struct source_changes *changes)
{
	struct range_kernel kernel = {.arena = arena, .file = file, .call = call};
	struct source_lambda lambda;
	struct source_captures captures;
	const char *problem = NULL;

	kernel.name = arena_printf(arena, "thrust_%s_line%u%s", call->algorithm, call->line, suffix);
	ranges_add(&kernel);
	if (source_lambda_read(file, call->functor, &lambda)) {
		problem = lambda_write(&kernel, &lambda, source_lambda_captures(arena, file, &lambda));
	} else if (source_functor_read(arena, file, call->functor, &lambda, &captures)) {
		problem = lambda_write(&kernel, &lambda, captures);
	} else {
		parameter_add(&kernel, "", "", "functor", source_passage_text(arena, file, call->functor));
		segment_add(&kernel, arena_printf(arena, "%s%s", head(&kernel, ""), application(&kernel)), 0, 0);
	}
	if (!problem)
		changes_push(&kernel, changes);
	text_release(&kernel.types);
	text_release(&kernel.parameters);
	text_release(&kernel.arguments);
	return problem;
}

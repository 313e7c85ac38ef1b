/*
 * Dumps: what the analyzer found, as stable text, one thing per line. The text is the format of the golden tests.
 */
#include "analyzer/analyzer.h"

#include <limits.h>

/* ---- pieces ------------------------------------------------------------------------ */

static void dump_place(struct text *out, struct place place)
{
	text_printf(out, "%u:%u", place.line, place.column);
}

static void dump_guards(struct text *out, const struct guard *guard)
{
	if (!guard)
		return;
	dump_guards(out, guard->parent);
	text_puts(out, guard->negated ? " if not " : " if ");
	expr_print(out, guard->condition);
}

static void dump_inlined(struct text *out, const struct inlined_call *call)
{
	for (; call; call = call->outer)
		text_printf(out, " in %s called at %u:%u", call->function, call->place.line, call->place.column);
}

static const char *access_kind_name(enum access_kind kind)
{
	static const char *const names[] = {"load", "store", "atomic"};

	return names[kind];
}

static const char *space_name(enum array_space space)
{
	static const char *const names[] = {"global", "shared", "constant", "local", "unknown"};

	return names[space];
}

static void dump_range(struct text *out, const struct analysis *analysis, struct range range)
{
	text_puts(out, "`");
	for (unsigned i = range.begin; i < range.end; i++) {
		char c = analysis->text[i];

		text_append(out, c == '\n' || c == '\t' ? " " : &c, 1);
	}
	text_puts(out, "`");
}

/* ---- records ---------------------------------------------------------------------------- */

static void dump_record(struct text *out, const struct record *record)
{
	text_printf(out, "record %s: %llu bytes, aligned to %u%s", record->name,
	            (unsigned long long)record->type.size_bytes, record->type.align_bytes,
	            record->is_vector_type ? ", vector type" : "");
	if (record->opaque_reason)
		text_printf(out, ", fixed: %s", record->opaque_reason);
	text_puts(out, "\n");
	for (unsigned i = 0; i < record->leaf_count; i++) {
		const struct leaf *leaf = &record->leaves[i];

		text_printf(out, "  %llu %s %s", (unsigned long long)leaf->offset_bytes, leaf->type.spelling,
		            leaf->path);
		if (leaf->count > 1)
			text_printf(out, "[%llu] every %llu bytes", (unsigned long long)leaf->count,
			            (unsigned long long)leaf->stride_bytes);
		text_puts(out, "\n");
	}
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void dump_parameter(struct text *out, const struct parameter *parameter)
{
	text_printf(out, "  parameter %s: %s%s%s%s\n", parameter->name, parameter->is_const ? "const " : "",
	            parameter->type.spelling, parameter->is_pointer ? " *" : "",
	            parameter->is_restrict ? " restrict" : "");
}

static void dump_array(struct text *out, const struct array *array)
{
	text_printf(out, "  array %s: %s %s", array->name, space_name(array->space), array->element.spelling);
	if (array->count)
		text_printf(out, "[%llu]", (unsigned long long)array->count);
	text_puts(out, "\n");
}

static void dump_loop(struct text *out, const struct loop *loop)
{
	static const char *const kinds[] = {"for", "while", "do"};

	text_printf(out, "  loop %u: %s at ", loop->index, kinds[loop->kind]);
	dump_place(out, loop->place);
	if (loop->parent)
		text_printf(out, " in loop %u", loop->parent->index);
	text_printf(out, ", iterator %s from ", loop->iterator->name);
	expr_print(out, loop->start);
	if (loop->step)
		text_printf(out, " step %lld", (long long)loop->step);
	text_puts(out, ", trips ");
	expr_print(out, loop->trips);
	if (loop->condition) {
		text_puts(out, ", while ");
		expr_print(out, loop->condition);
	}
	if (loop->may_leave_early)
		text_puts(out, ", may leave early");
	if (loop->unroll == UINT_MAX)
		text_puts(out, ", unroll");
	else if (loop->unroll)
		text_printf(out, ", unroll %u", loop->unroll);
	dump_guards(out, loop->guard);
	dump_inlined(out, loop->inlined);
	text_puts(out, "\n");
}

static void dump_access_name(struct text *out, const struct access *access)
{
	if (access->leaf)
		text_printf(out, ".%s", access->leaf->path);
	if (access->inner) {
		text_puts(out, "[");
		expr_print(out, access->inner);
		text_puts(out, "]");
	}
}

static void dump_access(struct text *out, const struct access *access)
{
	text_printf(out, "  access %u: %s %s[", access->index, access_kind_name(access->kind), access->array->name);
	expr_print(out, access->element);
	text_puts(out, "]");
	dump_access_name(out, access);
	text_printf(out, ", %u bytes at ", access->width_bytes);
	dump_place(out, access->place);
	if (access->loop)
		text_printf(out, " in %sloop %u", access->in_condition ? "the condition of " : "", access->loop->index);
	dump_guards(out, access->guard);
	dump_inlined(out, access->inlined);
	text_puts(out, "\n");
}

static void dump_reference(struct text *out, const struct analysis *analysis, const struct reference *reference)
{
	text_printf(out, "  reference %s at ", reference->parameter->name);
	dump_place(out, reference->place);
	text_puts(out, ": ");
	dump_range(out, analysis, reference->whole);
	if (reference->kind == REFERENCE_ELEMENT) {
		text_puts(out, " index ");
		dump_range(out, analysis, reference->index);
	}
	if (reference->leaf)
		text_printf(out, " leaf %s", reference->leaf->path);
	if (reference->inner.end) {
		text_puts(out, " inner ");
		dump_range(out, analysis, reference->inner);
	}
	text_printf(out, "%s%s%s%s", reference->is_read ? " read" : "", reference->is_written ? " written" : "",
	            reference->address_taken ? " address" : "",
	            reference->index_has_side_effects ? " side effects" : "");
	if (reference->reason)
		text_printf(out, "; %s", reference->reason);
	text_puts(out, "\n");
}

static void dump_kernel_head(struct text *out, const struct kernel *kernel)
{
	text_printf(out, "kernel %s at ", kernel->name);
	dump_place(out, kernel->place);
	text_puts(out, kernel->is_template_pattern ? ": a template without instances\n" : "\n");
}

static void dump_kernel(struct text *out, const struct analysis *analysis, const struct kernel *kernel)
{
	dump_kernel_head(out, kernel);
	for (unsigned i = 0; i < kernel->parameter_count; i++)
		dump_parameter(out, &kernel->parameters[i]);
	for (unsigned i = 0; i < kernel->array_count; i++)
		if (!kernel->arrays[i]->parameter || kernel->arrays[i]->parameter->array != kernel->arrays[i])
			dump_array(out, kernel->arrays[i]);
	if (kernel->shared_bytes)
		text_printf(out, "  shared: %llu bytes\n", (unsigned long long)kernel->shared_bytes);
	for (unsigned i = 0; i < kernel->loop_count; i++)
		dump_loop(out, kernel->loops[i]);
	for (unsigned i = 0; i < kernel->access_count; i++)
		dump_access(out, kernel->accesses[i]);
	for (unsigned i = 0; i < kernel->reference_count; i++)
		dump_reference(out, analysis, &kernel->references[i]);
}

/* ---- the host ------------------------------------------------------------------------------------ */

static void dump_host_value(struct text *out, const struct host_value *value)
{
	if (value->array)
		text_puts(out, value->array->name);
	else if (value->known)
		text_printf(out, "%lld%s", (long long)value->value, value->assumed ? " (assumed)" : "");
	else if (value->bytes)
		text_printf(out, "memory of %llu bytes", (unsigned long long)value->bytes);
	else
		text_printf(out, "unknown(%s)", value->reason ? value->reason : "?");
}

/* A scalar, or the elements of a member array. */
static void dump_host_leaf(struct text *out, const struct host_value *leaf)
{
	if (!leaf->leaves) {
		dump_host_value(out, leaf);
		return;
	}
	text_puts(out, "{");
	for (uint64_t i = 0; i < leaf->leaf_count; i++) {
		text_puts(out, i ? ", " : "");
		dump_host_value(out, &leaf->leaves[i]);
	}
	text_puts(out, "}");
}

/* A record: what is known of its scalars. */
static void dump_host_leaves(struct text *out, const struct host_value *value, const struct record *record)
{
	text_puts(out, "{");
	for (unsigned i = 0; i < record->leaf_count; i++) {
		text_printf(out, "%s%s = ", i ? ", " : "", record->leaves[i].path);
		dump_host_leaf(out, &value->leaves[i]);
	}
	text_puts(out, "}");
}

static void dump_host_triple(struct text *out, const struct host_value values[3])
{
	text_puts(out, "(");
	for (unsigned axis = 0; axis < 3; axis++) {
		text_puts(out, axis ? ", " : "");
		dump_host_value(out, &values[axis]);
	}
	text_puts(out, ")");
}

static void dump_launch(struct text *out, const struct launch *launch)
{
	text_printf(out, "launch %s at ", launch->kernel->name);
	dump_place(out, launch->place);
	text_puts(out, ": grid ");
	dump_host_triple(out, launch->grid);
	text_puts(out, " block ");
	dump_host_triple(out, launch->block);
	text_puts(out, " shared ");
	dump_host_value(out, &launch->shared_bytes);
	text_puts(out, " arguments (");
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++) {
		text_puts(out, i ? ", " : "");
		if (launch->arguments[i].leaves)
			dump_host_leaves(out, &launch->arguments[i], launch->kernel->parameters[i].type.record);
		else
			dump_host_value(out, &launch->arguments[i]);
	}
	text_printf(out, "), %llu times%s%s%s\n", (unsigned long long)launch->count,
	            launch->count_known ? "" : " (assumed)", launch->stands_for ? ": " : "",
	            launch->stands_for ? launch->stands_for : "");
}

static const char *host_use_name(enum host_use use)
{
	static const char *const names[] = {"declare", "allocate", "copy in",  "copy out", "copy on device",
	                                    "set",     "free",     "argument", "sizeof",   "other"};

	return names[use];
}

static void dump_host_array(struct text *out, const struct analysis *analysis, const struct host_array *array)
{
	text_printf(out, "host array %s at ", array->name);
	dump_place(out, array->place);
	text_printf(out, ": %s, bytes ", array->element.spelling);
	dump_host_value(out, &array->bytes);
	text_puts(out, "\n");
	for (unsigned i = 0; i < array->reference_count; i++) {
		const struct host_reference *reference = &array->references[i];

		text_printf(out, "  %s at ", host_use_name(reference->use));
		dump_place(out, reference->place);
		text_puts(out, ": ");
		dump_range(out, analysis, reference->statement);
		if (reference->size.end) {
			text_puts(out, " size ");
			dump_range(out, analysis, reference->size);
		}
		if (reference->other.end) {
			text_puts(out, " other ");
			dump_range(out, analysis, reference->other);
		}
		text_puts(out, "\n");
	}
}

static void dump_host_content(struct text *out, const struct host_content *content)
{
	text_printf(out, "content of %s.%s, set at ", content->record->name, content->leaf->path);
	dump_place(out, content->place);
	if (content->is_stepped)
		text_printf(out, ": %lld * i%s", (long long)content->step, content->is_sum ? " on average" : "");
	else
		text_printf(out, ": %lld..%lld", (long long)content->low, (long long)content->high - 1);
	if (content->elements)
		text_printf(out, " in %llu", (unsigned long long)content->elements);
	text_puts(out, "\n");
}

/* ---- the entries ------------------------------------------------------------------------------------ */

static void dump_suggestions(struct text *out, const struct analysis *analysis)
{
	struct group_suggestions suggestions = analysis_suggest_groups(analysis->arena, analysis, SUGGESTIONS_MOST);

	for (unsigned i = 0; i < suggestions.count; i++) {
		const struct group_suggestion *suggestion = &suggestions.list[i];

		text_printf(out, "equal indices in %s:", suggestion->kernel->name);
		for (unsigned j = 0; j < suggestion->member_count; j++)
			text_printf(out, "%s %s", j ? "," : "", suggestion->members[j].parameter->name);
		text_puts(out, "\n");
	}
}

void analysis_dump_kernels(struct text *out, const struct analysis *analysis)
{
	for (unsigned i = 0; i < analysis->record_count; i++)
		dump_record(out, analysis->records[i]);
	for (unsigned i = 0; i < analysis->kernel_count; i++)
		dump_kernel(out, analysis, analysis->kernels[i]);
	for (unsigned i = 0; i < analysis->launch_count; i++)
		dump_launch(out, analysis->launches[i]);
	for (unsigned i = 0; i < analysis->host_array_count; i++)
		dump_host_array(out, analysis, analysis->host_arrays[i]);
	for (unsigned i = 0; i < analysis->host_content_count; i++)
		dump_host_content(out, &analysis->host_contents[i]);
	dump_suggestions(out, analysis);
}

static void dump_normal_form(struct text *out, const struct access *access)
{
	text_printf(out, "  %s %s", access_kind_name(access->kind), access->array->name);
	dump_access_name(out, access);
	text_puts(out, " at ");
	dump_place(out, access->place);
	text_puts(out, ": ");
	affine_print(out, &access->affine);
	text_puts(out, "\n");
}

void analysis_dump_affine(struct text *out, const struct analysis *analysis)
{
	for (unsigned i = 0; i < analysis->kernel_count; i++) {
		const struct kernel *kernel = analysis->kernels[i];

		dump_kernel_head(out, kernel);
		for (unsigned j = 0; j < kernel->access_count; j++)
			dump_normal_form(out, kernel->accesses[j]);
	}
}

/*
 * The verifier behind the analyzer: what analyzer.h promises holds, or it is a bug of ours.
 */
#include "analyzer/analyzer.h"

#include <stdlib.h>

static void require(bool holds, const char *what, const char *where)
{
	if (!holds)
		bug("analysis_check: %s in '%s'", what, where ? where : "?");
}

static unsigned operand_count(enum expr_op op)
{
	switch (op) {
#define X(name, spelling, operands)                                                                                    \
	case EXPR_##name:                                                                                              \
		return operands;
		EXPR_OPERATORS(X)
#undef X
	default:
		return 0;
	}
}

static void check_expr(const struct kernel *kernel, const struct expr *expr)
{
	if (!expr)
		bug("analysis_check: an expression is missing in '%s'", kernel->name);
	require(expr->tree_size > 0 && expr->tree_size <= EXPR_TREE_SIZE_MAX, "an expression is too large",
	        kernel->name);
	if (expr->op == EXPR_SYMBOL)
		require(expr->symbol->index < kernel->symbol_count &&
		                kernel->symbols[expr->symbol->index] == expr->symbol,
		        "a foreign symbol", kernel->name);
	if (expr->op == EXPR_LOAD)
		require(expr->load->index < kernel->access_count && kernel->accesses[expr->load->index] == expr->load,
		        "a foreign access", kernel->name);
	if (expr->op == EXPR_UNKNOWN)
		require(expr->reason != NULL, "something unknown without a reason", kernel->name);
	for (unsigned i = 0; i < operand_count(expr->op); i++)
		check_expr(kernel, expr->operands[i]);
}

static int compare_terms(const struct affine_term *a, const struct affine_term *b)
{
	for (unsigned i = 0; i < a->symbol_count && i < b->symbol_count; i++)
		if (a->symbols[i] != b->symbols[i])
			return a->symbols[i]->index < b->symbols[i]->index ? -1 : 1;
	return a->symbol_count < b->symbol_count ? -1 : a->symbol_count > b->symbol_count;
}

static void check_affine(const struct kernel *kernel, const struct affine *affine)
{
	if (affine->reason)
		require(affine->term_count == 0, "terms of what is not affine", kernel->name);
	for (unsigned i = 0; i < affine->term_count; i++) {
		const struct affine_term *term = &affine->terms[i];

		require(term->coefficient != 0 && term->symbol_count > 0, "an empty term", kernel->name);
		require(i == 0 || compare_terms(&affine->terms[i - 1], term) < 0, "terms out of order", kernel->name);
		for (unsigned j = 1; j < term->symbol_count; j++)
			require(term->symbols[j - 1]->index <= term->symbols[j]->index, "symbols out of order",
			        kernel->name);
	}
}

/* The innermost guard; the others are those of other code, or were checked with it. */
static void check_guards(const struct kernel *kernel, const struct guard *guard)
{
	if (guard)
		check_expr(kernel, guard->condition);
}

static void check_access(const struct kernel *kernel, const struct access *access, unsigned index)
{
	require(access->index == index, "an access out of place", kernel->name);
	require(access->array != NULL, "an access without an array", kernel->name);
	check_expr(kernel, access->element);
	check_affine(kernel, &access->affine);
	check_guards(kernel, access->guard);
	require(!access->inner || access->leaf, "an inner index without a leaf", kernel->name);
	if (access->inner)
		check_expr(kernel, access->inner);
	require(!access->loop || kernel->loops[access->loop->index] == access->loop, "a foreign loop", kernel->name);
	if (access->leaf)
		require(access->array->element.record != NULL, "a leaf of no record", kernel->name);
}

static void check_loop(const struct kernel *kernel, const struct loop *loop, unsigned index)
{
	require(loop->index == index, "a loop out of place", kernel->name);
	require(!loop->parent || (loop->parent->index < index && loop->depth == loop->parent->depth + 1),
	        "a loop before its parent", kernel->name);
	require(loop->iterator->kind == SYMBOL_ITERATOR && loop->iterator->loop == loop, "a loop without its iterator",
	        kernel->name);
	check_expr(kernel, loop->start);
	check_expr(kernel, loop->trips);
	if (loop->condition)
		check_expr(kernel, loop->condition);
	check_guards(kernel, loop->guard);
}

static void check_range(const struct analysis *analysis, struct range range, const char *where)
{
	require(range.begin <= range.end && range.end <= analysis->text_length, "a range beyond the text", where);
}

static bool inside(struct range inner, struct range outer)
{
	return inner.end == 0 || (outer.begin <= inner.begin && inner.end <= outer.end);
}

static void check_reference(const struct analysis *analysis, const struct kernel *kernel,
                            const struct reference *reference)
{
	check_range(analysis, reference->whole, kernel->name);
	require(inside(reference->index, reference->whole) && inside(reference->inner, reference->whole),
	        "a reference's part outside it", kernel->name);
	require(reference->kind == REFERENCE_ELEMENT || reference->reason, "a reference without a reason",
	        kernel->name);
	require(reference->parameter >= kernel->parameters &&
	                reference->parameter < kernel->parameters + kernel->parameter_count,
	        "a foreign parameter", kernel->name);
}

static void check_kernel(const struct analysis *analysis, const struct kernel *kernel)
{
	check_range(analysis, kernel->definition, kernel->name);
	require(inside(kernel->body, kernel->definition), "a body outside the definition", kernel->name);
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		require(kernel->symbols[i]->index == i, "a symbol out of place", kernel->name);
	for (unsigned i = 0; i < kernel->loop_count; i++)
		check_loop(kernel, kernel->loops[i], i);
	for (unsigned i = 0; i < kernel->access_count; i++)
		check_access(kernel, kernel->accesses[i], i);
	for (unsigned i = 0; i < kernel->reference_count; i++)
		check_reference(analysis, kernel, &kernel->references[i]);
}

static void check_record(const struct analysis *analysis, const struct record *record)
{
	uint64_t behind = 0;

	check_range(analysis, record->range, record->name);
	for (unsigned i = 0; i < record->leaf_count; i++) {
		const struct leaf *leaf = &record->leaves[i];
		uint64_t end = leaf->offset_bytes + (leaf->count - 1) * leaf->stride_bytes + leaf->type.size_bytes;

		require(i == 0 || record->leaves[i - 1].offset_bytes <= leaf->offset_bytes, "leaves out of order",
		        record->name);
		require(record->opaque_reason || leaf->whole || leaf->stride_bytes != leaf->type.size_bytes ||
		                leaf->offset_bytes >= behind,
		        "leaves that overlap", record->name);
		require(record->opaque_reason || end <= record->type.size_bytes, "a leaf beyond the record",
		        record->name);
		behind = leaf->stride_bytes == leaf->type.size_bytes ? end : behind;
	}
}

static void check_launch(const struct analysis *analysis, const struct launch *launch)
{
	require(launch->kernel != NULL, "a launch of no kernel", analysis->path);
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++)
		require(!launch->arguments[i].leaves || (launch->kernel->parameters[i].type.record &&
		                                         !launch->kernel->parameters[i].is_pointer),
		        "the parts of an argument that is no record", analysis->path);
}

void analysis_check(const struct analysis *analysis)
{
	for (unsigned i = 0; i < analysis->record_count; i++)
		check_record(analysis, analysis->records[i]);
	for (unsigned i = 0; i < analysis->kernel_count; i++)
		check_kernel(analysis, analysis->kernels[i]);
	for (unsigned i = 0; i < analysis->launch_count; i++)
		check_launch(analysis, analysis->launches[i]);
}

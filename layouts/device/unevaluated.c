/*
 * Mentions of elements that are not read: operands of sizeof, alignof and decltype. Their types are those of the
 * record, whatever stands for the pointer.
 */
#include "layouts/device/internal.h"

/* Whether token i takes a size or a type. */
static bool is_question(const struct edit_source *source, unsigned i)
{
	static const char *const words[] = {"sizeof",    "alignof",  "_Alignof", "__alignof__",
	                                    "__alignof", "decltype", "noexcept"};

	for (unsigned w = 0; w < ARRAY_COUNT(words); w++)
		if (edit_is(source, i, words[w]))
			return true;
	return false;
}

bool device_is_unevaluated(const struct edit_source *source, unsigned offset)
{
	unsigned i = edit_token_at(source, offset);

	if (i > 0 && edit_is(source, i - 1, "sizeof"))
		return true;
	if (i >= source->token_count)
		return false;
	for (i = source->tokens[i].open; i != EDIT_NO_TOKEN && !edit_is(source, i, "{"); i = source->tokens[i].open)
		if (i > 0 && edit_is(source, i, "(") && is_question(source, i - 1))
			return true;
	return false;
}

bool device_alias_is_unevaluated(const struct edit_source *source, const struct device_alias *alias, unsigned begin,
                                 unsigned end)
{
	struct range name = {source->tokens[alias->name].begin, source->tokens[alias->name].end};

	for (unsigned i = begin; alias->is_named && i < end; i++)
		if (source->tokens[i].end - source->tokens[i].begin == name.end - name.begin &&
		    memcmp(source->text + source->tokens[i].begin, source->text + name.begin, name.end - name.begin) ==
		            0 &&
		    device_is_unevaluated(source, source->tokens[i].begin))
			return true;
	return false;
}

/* Whether the reference is all of the operand of sizeof: `sizeof(p[i])`. */
static bool is_operand(const struct edit_source *source, const struct reference *reference)
{
	unsigned begin = edit_token_at(source, reference->whole.begin),
		 end = edit_token_at(source, reference->whole.end);

	return begin > 1 && edit_is(source, begin - 1, "(") && edit_is(source, begin - 2, "sizeof") &&
	       edit_is(source, end, ")");
}

/* A pointer to the records that stands for one where nothing is read. */
static const char *null_pointer(const struct rewriter *rewriter, const struct group_plan *plan,
                                const struct parameter *parameter)
{
	return arena_printf(rewriter->arena, "((%s%s *)0)", parameter->is_const ? "const " : "",
	                    rewriter_record_name(rewriter, plan->group->record));
}

void device_unevaluated_edit(struct rewriter *rewriter, const struct group_plan *plan,
                             const struct reference *reference)
{
	const struct edit_source *source = rewriter->source;
	struct device_part part = {NULL, "", 0};

	if (!reference->leaf)
		part = device_reference_part(rewriter->arena, source, reference, plan->group->record);
	if (part.record == plan->group->record && is_operand(source, reference)) {
		edit_add(&rewriter->edits, reference->whole, rewriter_record_name(rewriter, plan->group->record));
		return;
	}
	for (unsigned i = edit_token_at(source, reference->whole.begin);
	     i < source->token_count && source->tokens[i].begin < reference->whole.end; i++)
		if (edit_is(source, i, reference->parameter->name)) {
			edit_add(&rewriter->edits, (struct range){source->tokens[i].begin, source->tokens[i].end},
			         null_pointer(rewriter, plan, reference->parameter));
			return;
		}
}

static bool is_in_reference(const struct kernel *kernel, unsigned offset)
{
	for (unsigned r = 0; r < kernel->reference_count; r++)
		if (kernel->references[r].whole.begin <= offset && offset < kernel->references[r].whole.end)
			return true;
	return false;
}

void device_types_edit(struct rewriter *rewriter, const struct kernel_plan *plan, unsigned p)
{
	const struct group_plan *group = rewriter_binding_change(rewriter, plan->bindings[p]);
	const struct edit_source *source = rewriter->source;
	const struct parameter *parameter = &plan->kernel->parameters[p];

	if (!group || group->group->form != FORM_STRUCT)
		return;
	for (unsigned i = edit_token_at(source, plan->kernel->body.begin);
	     i < source->token_count && source->tokens[i].begin < plan->kernel->body.end; i++)
		if (edit_is(source, i, parameter->name) && !edit_is(source, i - 1, ".") &&
		    !edit_is(source, i - 1, "->") && device_is_unevaluated(source, source->tokens[i].begin) &&
		    !is_in_reference(plan->kernel, source->tokens[i].begin))
			edit_add(&rewriter->edits, (struct range){source->tokens[i].begin, source->tokens[i].end},
			         null_pointer(rewriter, group, parameter));
}

/*
 * Which places name the members, and whether device code only takes elements from them.
 */
#include "layouts/pointers/internal.h"

#include <ctype.h>

/* ---- places that the analysis did not read --------------------------------------------------- */

static bool is_mentioned(const struct rewriter *rewriter, unsigned offset)
{
	for (unsigned m = 0; m < rewriter->analysis->mention_count; m++)
		if (rewriter->analysis->mentions[m].name.begin == offset &&
		    rewriter->analysis->mentions[m].name.end > offset)
			return true;
	return false;
}

/* Whether token i is taken from one of the language's own variables: threadIdx.x. */
static bool is_built_in(const struct edit_source *source, unsigned i)
{
	static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

	for (unsigned n = 0; n < ARRAY_COUNT(names); n++)
		if (i >= 2 && edit_is(source, i - 2, names[n]))
			return true;
	return false;
}

/* Whether a preprocessor line takes a member of that name from something. */
static bool directive_names(const struct edit_source *source, unsigned i, const char *name)
{
	size_t length = strlen(name);

	for (unsigned at = source->tokens[i].begin + 1; at + length <= source->tokens[i].end; at++) {
		char before = source->text[at - 1], after = source->text[at + length];

		if ((before == '.' || before == '>') && strncmp(source->text + at, name, length) == 0 &&
		    !isalnum((unsigned char)after) && after != '_')
			return true;
	}
	return false;
}

/* Whether token i may name a field of the group, where the analysis read nothing: behind a point or arrow, or in the
 * holder itself. */
static bool is_unread(const struct rewriter *rewriter, const struct layout_group *group, unsigned i, const char *name,
                      const struct edit_declaration *declared, unsigned declared_count)
{
	const struct edit_source *source = rewriter->source;
	struct range token = {source->tokens[i].begin, source->tokens[i].end};

	if (source->tokens[i].kind == TOKEN_DIRECTIVE)
		return directive_names(source, i, name);
	if (!edit_is(source, i, name) || is_mentioned(rewriter, token.begin))
		return false;
	if (i > 0 && (edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->")))
		return !is_built_in(source, i);
	for (unsigned d = 0; d < declared_count; d++)
		if (range_contains(declared[d].whole, token))
			return false;
	return range_contains(group->holder->range, token);
}

void pointers_unread_visit(struct rewriter *rewriter, const struct layout_group *group,
                           void (*visit)(void *context, unsigned offset, const char *name), void *context)
{
	struct edit_declaration *declared;
	unsigned declared_count;
	const char *reason;

	pointers_declarations_read(rewriter, group, &declared, &declared_count, &reason);
	for (unsigned i = 0; i < rewriter->source->token_count; i++)
		for (unsigned f = 0; f < group->field_count; f++)
			if (is_unread(rewriter, group, i, group->fields[f].name, declared, declared_count))
				visit(context, rewriter->source->tokens[i].begin, group->fields[f].name);
}

/* ---- the plan ----------------------------------------------------------------------------------- */

static void refuse(struct rewriter *rewriter, struct group_plan *plan, struct place place, const char *name,
                   const char *reason)
{
	diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, place,
	                   "struct %s keeps its layout: %s: %s; change that to have its layouts ranked",
	                   plan->group->name, name, reason);
	plan->refused = true;
}

/* Why a mention cannot be rewritten whatever host code does; NULL where it can. */
static const char *mention_refusal(const struct rewriter *rewriter, const struct group_plan *plan,
                                   const struct member_mention *mention)
{
	unsigned behind = edit_token_at(rewriter->source, mention->name.end);

	if (range_is_empty(mention->name))
		return "it is spelled by a macro";
	if (edit_is(rewriter->source, behind, "(") || edit_is(rewriter->source, behind, "{"))
		return "a constructor initialises it";
	if (!pointers_is_device(rewriter, mention->name.begin))
		return NULL;
	if (range_is_empty(mention->element))
		return "device code does more with the pointer than to index it";
	if (mention->index_has_side_effects && plan->placement->layout->repeats_index)
		return "its index has side effects";
	return NULL;
}

static void mentions_check(struct rewriter *rewriter, struct group_plan *plan)
{
	for (unsigned m = 0; m < rewriter->analysis->mention_count; m++) {
		const struct member_mention *mention = &rewriter->analysis->mentions[m];
		const char *reason;

		if (pointers_field(plan->group, mention) == plan->group->field_count)
			continue;
		reason = mention_refusal(rewriter, plan, mention);
		if (reason)
			refuse(rewriter, plan, mention->place, mention->member, reason);
	}
}

struct unread_check {
	struct rewriter *rewriter;
	struct group_plan *plan;
};

static void unread_refuse(void *context, unsigned offset, const char *name)
{
	struct unread_check *check = context;
	const struct function *function = pointers_function_at(check->rewriter, offset);

	if (!function || function->is_device)
		refuse(check->rewriter, check->plan, analysis_place(check->rewriter->analysis, offset), name,
		       "whose member this is was not read");
}

/* Whether the members lie where C puts them, so that they do so again when some of them have gone. */
static bool lies_as_declared(const struct record *holder)
{
	uint64_t offset = 0, align = 1;

	for (unsigned m = 0; m < holder->member_count; m++) {
		const struct member *member = &holder->members[m];

		align = member->type.align_bytes > align ? member->type.align_bytes : align;
		offset = row_round_up(offset, member->type.align_bytes ? member->type.align_bytes : 1);
		if (member->offset_bytes != offset || member->is_bitfield)
			return false;
		offset += member->type.size_bytes * (member->count ? member->count : 1);
	}
	return holder->type.size_bytes == row_round_up(offset, align);
}

static void group_check(struct rewriter *rewriter, struct group_plan *plan)
{
	struct unread_check check = {rewriter, plan};
	const struct record *holder = plan->group->holder;
	struct edit_declaration *declared;
	unsigned declared_count;
	const char *reason = "its definition is not part of the text";

	if (range_is_empty(holder->range) ||
	    !pointers_declarations_read(rewriter, plan->group, &declared, &declared_count, &reason)) {
		refuse(rewriter, plan, holder->place, plan->group->fields[0].name, reason);
		return;
	}
	if (!lies_as_declared(holder))
		refuse(rewriter, plan, holder->place, plan->group->fields[0].name,
		       "the struct has an alignment of its own");
	mentions_check(rewriter, plan);
	pointers_unread_visit(rewriter, plan->group, unread_refuse, &check);
}

void pointers_plan(struct rewriter *rewriter)
{
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (rewriter->group_plans[g].group->holder && rewriter->group_plans[g].change == CHANGE_BUFFERS)
			group_check(rewriter, &rewriter->group_plans[g]);
}

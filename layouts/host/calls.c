/*
 * The calls of the CUDA runtime that do in the new layout what one call did in the old.
 *
 * One call may become several, one for each buffer or member: its statement is repeated, or, where the call is part of
 * an expression, first_error() joins them. parts.c writes each.
 */
#include "layouts/host/internal.h"

/* ---- the parts that it becomes ------------------------------------------------------------------ */

static void parts_collect(struct rehost_call_edit *call)
{
	struct arena *arena = call->rewriter->arena;
	const struct rehost_operation *operation = &call->operation;
	bool buffers = operation->action == REHOST_ALLOCATE || operation->action == REHOST_FREE ||
	               operation->action == REHOST_SWAP || operation->action == REHOST_CLEAR ||
	               operation->action >= REHOST_EXCHANGE;

	for (unsigned b = 0; buffers && b < placement_of(call)->buffer_count; b++)
		ARENA_PUSH(arena, call->parts, call->part_count,
		           (struct rehost_part){b, placement_of(call)->buffers[b].field,
		                                placement_of(call)->buffers[b].inner});
	for (unsigned f = 0; !buffers && f < call->host->plan->group->field_count; f++) {
		const struct field_place *place = &placement_of(call)->fields[f];
		unsigned count = is_tiled(call) || place->is_split ? (unsigned)field_of(call, f)->count : 1;

		if (operation->field != ALL_FIELDS && operation->field != f)
			continue;
		for (unsigned k = 0; k < count; k++)
			ARENA_PUSH(arena, call->parts, call->part_count,
			           (struct rehost_part){place->buffer + (place->is_split ? k : 0), f, k});
	}
}

/* ---- one call becomes several ------------------------------------------------------------------------- */

/* Writes the statement once for each part. */
static void statements_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct rehost_call_edit *call = edit->context;

	for (unsigned p = 0; p < call->part_count; p++) {
		if (p > 0)
			edit_separator(out, edits->source, call->statement.begin);
		edit_render(out, edits, (struct range){call->statement.begin, call->operation.call.whole.begin}, edit);
		rehost_part_write(out, edits, edit, call, &call->parts[p]);
		edit_render(out, edits, (struct range){call->operation.call.whole.end, call->statement.end}, edit);
	}
}

/* Writes the calls as one expression, whose value is the first error. */
static void expression_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct rehost_call_edit *call = edit->context;

	for (unsigned p = 0; p < call->part_count; p++) {
		if (p + 1 < call->part_count)
			text_printf(out, "%s(", call->helpers->names[HELPER_FIRST_ERROR]);
		rehost_part_write(out, edits, edit, call, &call->parts[p]);
		text_puts(out, p + 1 < call->part_count ? ", " : "");
	}
	for (unsigned p = 1; p < call->part_count; p++)
		text_puts(out, ")");
}

/* Takes a call away: its whole statement, or, inside another expression, all but its result. */
static void call_remove(struct rewriter *rewriter, const struct edit_call *call)
{
	struct range statement = edit_call_statement(rewriter->source, call);

	if (statement.end > 0)
		edit_add(&rewriter->edits, edit_with_space(rewriter->source, statement), "");
	else
		edit_add(&rewriter->edits, call->whole, "cudaSuccess");
}

/* Whether another member's call of that kind stands before (or after) this one in the text. */
static bool is_followed(const struct rewriter *rewriter, const struct rehost_call_edit *call, bool before)
{
	for (unsigned m = 0; m < call->host->member_count; m++)
		for (unsigned r = 0; r < call->host->members[m].array->reference_count; r++) {
			const struct rehost_member *member = &call->host->members[m];
			const struct host_reference *reference = &member->array->references[r];
			struct rehost_operation other;

			if (reference->use == HOST_DECLARE || reference->use == HOST_ARGUMENT ||
			    !rehost_operation_read(rewriter, call->host, member, reference, &other) ||
			    other.action != call->operation.action)
				continue;
			if (before ? other.call.whole.begin < call->operation.call.whole.begin
			           : other.call.whole.begin > call->operation.call.whole.begin)
				return true;
		}
	return false;
}

/* The number of elements as the source spells it, before any edit: to compare. */
static const char *count_text(const struct rehost_call_edit *call, struct range bytes,
                              const struct rehost_member *member)
{
	struct edits none = {.arena = call->rewriter->arena, .source = call->rewriter->source};
	struct rehost_element element = rehost_member_element(member);
	struct text out = {0};
	const char *copy;

	rehost_count_write(&out, &none, NULL, bytes, &element);
	copy = arena_strdup(none.arena, out.data);
	text_release(&out);
	return copy;
}

/* Collects the different sizes of the joined arrays. */
static void sizes_collect(struct rehost_call_edit *call)
{
	const struct rewriter *rewriter = call->rewriter;
	unsigned member_count = 0, count_count = 0;

	for (unsigned m = 0; m < call->host->member_count; m++)
		for (unsigned r = 0; r < call->host->members[m].array->reference_count; r++) {
			const struct rehost_member *member = &call->host->members[m];
			const char *text;
			struct rehost_operation other;
			bool known = false;

			if (member->array->references[r].use == HOST_DECLARE ||
			    member->array->references[r].use == HOST_ARGUMENT ||
			    !rehost_operation_read(rewriter, call->host, member, &member->array->references[r],
			                           &other) ||
			    other.action != REHOST_ALLOCATE)
				continue;
			text = count_text(call, other.bytes, member);
			for (unsigned s = 0; s < call->size_count; s++)
				known |= strcmp(call->counts[s], text) == 0;
			if (known)
				continue;
			ARENA_PUSH(rewriter->arena, call->sizes, call->size_count, other.bytes);
			ARENA_PUSH(rewriter->arena, call->size_members, member_count, member);
			ARENA_PUSH(rewriter->arena, call->counts, count_count, text);
		}
}

/* Marks the helpers that the call's texts name. */
static void helpers_mark(struct rehost_call_edit *call)
{
	enum rehost_action action = call->operation.action;

	if ((is_tiled(call) || (is_dense(call) && !is_separate(call))) &&
	    (action == REHOST_TO_DEVICE || action == REHOST_TO_HOST))
		rehost_copy_helper(call->helpers, is_tiled(call), action == REHOST_TO_DEVICE, call->operation.is_async);
	if (is_tiled(call) && action == REHOST_BETWEEN)
		rehost_helper_use(call->helpers,
		                  call->operation.is_async ? HELPER_BETWEEN_TILES_ASYNC : HELPER_BETWEEN_TILES);
	if (is_tiled(call) && action == REHOST_SET)
		rehost_helper_use(call->helpers, call->operation.is_async ? HELPER_SET_TILES_ASYNC : HELPER_SET_TILES);
	if (call->size_count > 1)
		rehost_helper_use(call->helpers, HELPER_LARGER);
	if (call->part_count > 1 && call->statement.end == 0)
		rehost_helper_use(call->helpers, HELPER_FIRST_ERROR);
}

/* Whether it copies whole records between host and device. */
static bool moves_records(const struct rehost_operation *operation)
{
	return operation->field == ALL_FIELDS &&
	       (operation->action == REHOST_TO_DEVICE || operation->action == REHOST_TO_HOST);
}

void rehost_operation_edit(struct rewriter *rewriter, const struct rehost_plan *host,
                           const struct rehost_member *member, const struct rehost_operation *operation,
                           struct rehost_helpers *helpers)
{
	struct rehost_call_edit *call = arena_alloc(rewriter->arena, sizeof(*call));
	bool merged = host->plan->group->form == FORM_ARRAYS;

	*call = (struct rehost_call_edit){
		.rewriter = rewriter, .host = host, .member = member, .operation = *operation, .helpers = helpers};
	if (operation->action == REHOST_NONE)
		return;
	if (merged && ((operation->action == REHOST_ALLOCATE && is_followed(rewriter, call, true)) ||
	               (operation->action == REHOST_FREE && is_followed(rewriter, call, false)) ||
	               operation->action == REHOST_CLEAR)) {
		call_remove(rewriter, &operation->call);
		return;
	}
	if (host->packing && moves_records(operation)) {
		packing_use(host->packing, operation->action == REHOST_TO_HOST, operation->is_async);
		edit_add_writer(&rewriter->edits, operation->call.whole, rehost_packed_write, call);
		return;
	}
	if (merged && operation->action == REHOST_ALLOCATE)
		sizes_collect(call);
	parts_collect(call);
	if (operation->action == REHOST_EXCHANGE)
		call->statement = operation->call.whole;
	else if (call->part_count > 1)
		call->statement = edit_call_statement(rewriter->source, &operation->call);
	helpers_mark(call);
	if (call->statement.end > 0)
		edit_add_writer(&rewriter->edits, call->statement, statements_write, call);
	else
		edit_add_writer(&rewriter->edits, operation->call.whole, expression_write, call);
}

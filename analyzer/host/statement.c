/*
 * Statements of the host: branches, whose ways are joined, and the order in which code is walked.
 */
#include "analyzer/host/host.h"

#include <string.h>

/* ---- branches -------------------------------------------------------------------------------- */

struct host_changes host_undo(struct host *host, size_t mark)
{
	struct host_changes changes = {NULL, 0};

	for (size_t i = mark; i < host->trail_count; i++) {
		struct source_declaration *variable = host->trail[i].variable;

		if (!host->environment[variable->slot])
			continue;
		ARENA_PUSH(host->arena, changes.list, changes.count,
		           (struct host_change){variable, host->environment[variable->slot]});
		host->environment[variable->slot] = NULL;
	}
	while (host->trail_count > mark) {
		host->trail_count--;
		host->environment[host->trail[host->trail_count].variable->slot] =
			host->trail[host->trail_count].before;
	}
	return changes;
}

void host_redo(struct host *host, const struct host_changes *changes)
{
	for (unsigned i = 0; i < changes->count; i++)
		host_set(host, changes->list[i].variable, changes->list[i].before);
}

static const struct host_constant *changes_find(const struct host_changes *changes,
                                                const struct source_declaration *variable)
{
	for (unsigned i = 0; i < changes->count; i++)
		if (changes->list[i].variable == variable)
			return changes->list[i].before;
	return NULL;
}

static void join_one(struct host *host, struct source_declaration *variable, const struct host_constant *a,
                     const struct host_constant *b)
{
	const struct host_constant *before = host->environment[variable->slot];
	const struct host_constant *unset = host_unknown_name(host, "'", variable->name, "' is not known");

	before = before ? before : unset;
	host_set(host, variable, host_join(host, a ? a : before, b ? b : before));
}

void host_join_changes(struct host *host, const struct host_changes *a, const struct host_changes *b)
{
	for (unsigned i = 0; i < a->count; i++)
		join_one(host, a->list[i].variable, a->list[i].before, changes_find(b, a->list[i].variable));
	for (unsigned i = 0; i < b->count; i++)
		if (!changes_find(a, b->list[i].variable))
			join_one(host, b->list[i].variable, NULL, b->list[i].before);
}

bool host_optional(struct host *host, const struct node *node)
{
	return node ? host_statement(host, node) : true;
}

/* A way whose condition is not known; a jump to the end of a loop there leaves open how often the loop runs. */
static bool host_way(struct host *host, const struct node *node)
{
	bool count_known = host->count_known, goes_on;

	host->count_known = false;
	goes_on = host_optional(host, node);
	host->count_known = count_known;
	host->returns += !goes_on && host->jump == JUMP_RETURN && !host->has_ended;
	host->has_ended = false;
	if (!goes_on && host->jump == JUMP_BREAK)
		host->uncertain |= UNCERTAIN_BREAK;
	if (!goes_on && host->jump == JUMP_CONTINUE)
		host->uncertain |= UNCERTAIN_CONTINUE;
	return goes_on;
}

static bool host_if(struct host *host, const struct node *node)
{
	struct host_changes changes[2];
	bool goes_on[2], truth;

	host_optional(host, node->children[0]);
	if (!node->children[1])
		return true;
	if (host_truth(host_evaluate(host, node->children[1]), &truth))
		return host_optional(host, node->children[truth ? 2 : 3]);
	for (unsigned i = 0; i < 2; i++) {
		size_t mark = host->trail_count;

		goes_on[i] = host_way(host, node->children[2 + i]);
		changes[i] = host_undo(host, mark);
	}
	if (goes_on[0] && goes_on[1])
		host_join_changes(host, &changes[0], &changes[1]);
	else
		host_redo(host, &changes[goes_on[0] ? 0 : 1]);
	return goes_on[0] || goes_on[1];
}

/* ---- switch ------------------------------------------------------------------------------------ */

/* Whether one of the labels in front of a statement has that value; `fallback` asks for `default`. */
static bool label_matches(struct host *host, const struct node *label, const struct host_constant *value, bool fallback)
{
	for (; label && label->kind == NODE_CASE; label = label->children[1]) {
		const struct host_constant *low = label->children[0] ? host_evaluate(host, label->children[0]) : NULL;
		const struct host_constant *high = node_child(label, 2) ? host_evaluate(host, label->children[2]) : low;

		if (fallback ? !low
		             : low && low->kind == CONSTANT_INTEGER && high->kind == CONSTANT_INTEGER &&
		                       value->value >= low->value && value->value <= high->value)
			return true;
	}
	return false;
}

/* The position of the label that a known value jumps to; child_count where there is none. */
static unsigned label_find(struct host *host, const struct node *body, const struct host_constant *value)
{
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < body->child_count; i++)
			if (label_matches(host, body->children[i], value, pass == 1))
				return i;
	return body->child_count;
}

static bool switch_known(struct host *host, const struct node *body, const struct host_constant *value)
{
	for (unsigned i = label_find(host, body, value); i < body->child_count; i++)
		if (!host_optional(host, body->children[i]))
			return host->jump == JUMP_BREAK;
	return true;
}

/* Adds the current state, which is taken back, to those that reach one place. */
static void reach(struct host *host, struct host_changes *place, bool *is_reached, size_t mark)
{
	struct host_changes now = host_undo(host, mark);

	if (*is_reached) {
		host_join_changes(host, place, &now);
		now = host_undo(host, mark);
	}
	*place = now;
	*is_reached = true;
}

/* Each case may run: what reaches the end is joined; a fall through with what was before. */
static bool switch_unknown(struct host *host, const struct node *body)
{
	struct host_changes end = {NULL, 0}, now, none = {NULL, 0};
	bool is_reached = false, flows = false, has_default = false, count_known = host->count_known;
	size_t mark = host->trail_count;

	host->count_known = false;
	for (unsigned i = 0; i < body->child_count; i++) {
		const struct node *statement = body->children[i];

		if (!statement)
			continue;
		if (statement->kind == NODE_CASE && flows) {
			now = host_undo(host, mark);
			host_join_changes(host, &now, &none);
		}
		has_default = has_default || label_matches(host, statement, NULL, true);
		flows = flows || statement->kind == NODE_CASE;
		if (flows && !host_statement(host, statement)) {
			if (host->jump == JUMP_BREAK)
				reach(host, &end, &is_reached, mark);
			if (host->jump == JUMP_CONTINUE)
				host->uncertain |= UNCERTAIN_CONTINUE;
			host->returns += host->jump == JUMP_RETURN;
			host_undo(host, mark);
			host->has_ended = false;
			flows = false;
		}
	}
	if (flows)
		reach(host, &end, &is_reached, mark);
	if (!has_default)
		reach(host, &end, &is_reached, mark);
	host_redo(host, &end);
	host->count_known = count_known;
	return is_reached;
}

static bool host_switch(struct host *host, const struct node *node)
{
	const struct host_constant *value;
	unsigned uncertain = host->uncertain;
	bool goes_on;

	host_optional(host, node->children[0]);
	value = node->children[1] ? host_evaluate(host, node->children[1]) : NULL;
	if (!value || !node->children[2])
		return true;
	host->uncertain = 0;
	goes_on = value->kind == CONSTANT_INTEGER && !value->assumed ? switch_known(host, node->children[2], value)
	                                                             : switch_unknown(host, node->children[2]);
	if (host->uncertain & UNCERTAIN_BREAK)
		host_forget_changed(host, node->children[2], "it depends on a branch");
	host->uncertain = uncertain | (host->uncertain & UNCERTAIN_CONTINUE);
	return goes_on;
}

/* ---- statements ---------------------------------------------------------------------------------------- */

static bool host_return(struct host *host, const struct node *node)
{
	const struct host_constant *value = node->child_count ? host_evaluate(host, node->children[0]) : NULL;

	if (value)
		host->result = host->result ? host_join(host, host->result, value) : value;
	host->jump = JUMP_RETURN;
	return false;
}

/* Variables that outlive the call are set by the first one alone. */
static void host_declare(struct host *host, const struct node *node)
{
	const struct node *initializer = node_child(node, 0);
	const struct host_constant *value;

	if (node->declaration->is_global && host->environment[node->declaration->slot])
		return;
	value = initializer ? host_evaluate(host, initializer)
	                    : host_unknown_name(host, "'", node->declaration->name, "' is not set");
	if (node->declaration->type->shape == SHAPE_POINTER)
		value = host_decay(host, initializer, value);
	if (node->declaration->type->shape == SHAPE_REFERENCE)
		host_bind(host, node->declaration, initializer, value);
	else
		host_set(host, node->declaration, host_convert(host, value, node->declaration->type));
}

static bool host_block(struct host *host, const struct node *node)
{
	for (unsigned i = 0; i < node->child_count; i++)
		if (node->children[i] && !host_statement(host, node->children[i]))
			return false;
	return true;
}

/* What a handler sets counts where the block left it unknown: nothing is thrown elsewhere. */
static void host_handler(struct host *host, const struct node *handler)
{
	size_t mark = host->trail_count;
	struct host_changes changes;
	const struct host_constant *now;

	host_way(host, handler);
	changes = host_undo(host, mark);
	for (unsigned i = 0; i < changes.count; i++) {
		now = host->environment[changes.list[i].variable->slot];
		if (!now || now->kind == CONSTANT_UNKNOWN)
			join_one(host, changes.list[i].variable, now, changes.list[i].before);
	}
}

static bool host_try(struct host *host, const struct node *node)
{
	bool goes_on = host_optional(host, node_child(node, 0));

	for (unsigned i = 1; goes_on && i < node->child_count; i++)
		if (node->children[i])
			host_handler(host, node->children[i]);
	return goes_on;
}

static bool statement_of_kind(struct host *host, const struct node *node)
{
	switch (node->kind) {
	case NODE_BLOCK:
	case NODE_LABEL:
		return host_block(host, node);
	case NODE_TRY:
		return host_try(host, node);
	case NODE_DECLARE:
		host_declare(host, node);
		return true;
	case NODE_IF:
		return host_if(host, node);
	case NODE_FOR:
	case NODE_WHILE:
	case NODE_DO:
		return host_loop(host, node);
	case NODE_SWITCH:
		return host_switch(host, node);
	case NODE_CASE:
		return host_optional(host, node->children[1]);
	case NODE_RETURN:
		return host_return(host, node);
	case NODE_BREAK:
		host->jump = JUMP_BREAK;
		return false;
	case NODE_CONTINUE:
		host->jump = JUMP_CONTINUE;
		return false;
	case NODE_GOTO:
	case NODE_NOTHING:
		return true;
	default:
		host_evaluate(host, node);
		return true;
	}
}

/* Says once for each function that is walked from outside that some of it, or of what it calls, is not. */
static void host_leave_out(struct host *host, const struct node *node)
{
	if (host->is_cut || host->run)
		return;
	diagnostics_report(
		host->unit->diagnostics, SEVERITY_NOTE, node->place,
		"launches from here on are left out: '%s' is too long, or nested too deeply; --observe sees them",
		host->stack[0]->name);
	host->is_cut = true;
}

bool host_statement(struct host *host, const struct node *node)
{
	bool goes_on;

	if (host->budget == 0 || host->depth > HOST_DEPTH_MAX) {
		host_leave_out(host, node);
		return true;
	}
	host->budget--;
	host->depth++;
	goes_on = statement_of_kind(host, node);
	host->depth--;
	if (host->has_ended)
		host->jump = JUMP_RETURN;
	return goes_on && !host->has_ended;
}

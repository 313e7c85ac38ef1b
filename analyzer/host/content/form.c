/*
 * What an expression is in every element that a place sets: asked when the walk over the host comes by, for numbers
 * that are known there.
 */
#include "analyzer/host/content/content.h"

#include <string.h>

/* Larger numbers are not reckoned with. */
#define NUMBER_MOST (INT64_C(1) << 40)
#define DEPTH_MOST 16

static const struct content_form unknown = {.kind = FORM_UNKNOWN};

struct forming {
	struct host *host;
	const struct content_setting *setting;
	unsigned depth;
};

static struct content_form form_of(struct forming *forming, const struct node *node);

bool host_content_same(const struct content_form *a, const struct content_form *b)
{
	return a->kind == b->kind && a->kind != FORM_UNKNOWN && a->low == b->low && a->high == b->high &&
	       a->step == b->step && a->is_sum == b->is_sum;
}

static bool is_small(int64_t number)
{
	return number < NUMBER_MOST && number > -NUMBER_MOST;
}

static bool is_constant(const struct content_form *form)
{
	return form->kind == FORM_UNIFORM && form->high == form->low + 1;
}

/* ---- variables -------------------------------------------------------------------------- */

/* What a loop assigns to a variable, or adds to it, in every iteration: the last one found. */
struct loop_change {
	const struct source_declaration *variable;
	const struct node *loop, *assigned, *added;
};

static bool change_visit(void *context, const struct node *node)
{
	struct loop_change *search = context;

	if (node->kind == NODE_ASSIGN && node->op == OPERATOR_ADD &&
	    node_variable(node->children[0]) == search->variable)
		search->added = node->children[1];
	if (node->kind == NODE_ASSIGN && node->op == OPERATOR_NONE &&
	    node_variable(node->children[0]) == search->variable)
		search->assigned = node->children[1];
	return node->kind != NODE_IF && node->kind != NODE_SWITCH && node->kind != NODE_CONDITIONAL &&
	       (node == search->loop || !node_is_loop(node));
}

/* A running sum: `int at = 0; for (...) { h[i].start = at; at += 2 + rand() % 9; }`. */
static struct content_form sum_form(struct forming *forming, const struct source_declaration *variable,
                                    const struct node *by)
{
	const struct node *begins = node_strip_casts(variable->initializer);
	struct content_form added;

	if (!begins || begins->kind != NODE_INTEGER || begins->value || !forming->setting->index)
		return unknown;
	added = form_of(forming, by);
	if (added.kind != FORM_UNIFORM || added.low < 0 || added.low + added.high < 2)
		return unknown;
	return (struct content_form){
		.kind = FORM_STEPPED, .step = (added.low + added.high) / 2, .is_sum = !is_constant(&added)};
}

/* A variable that nothing changes but one place in the loop. */
static struct content_form changed_form(struct forming *forming, const struct source_declaration *variable)
{
	const struct content_setting *setting = forming->setting;
	struct loop_change search = {.variable = variable, .loop = setting->loop};
	unsigned steps = 0, others = 0;

	host_content_changes(setting->function->body, variable, &steps, &others);
	node_visit(setting->loop, change_visit, &search);
	if (steps + others != 1 || variable->is_global)
		return unknown;
	if (search.assigned)
		return form_of(forming, search.assigned);
	return search.added ? sum_form(forming, variable, search.added) : unknown;
}

static bool declares(const struct node *node, const struct source_declaration *variable)
{
	if (!node)
		return false;
	if (node->kind == NODE_DECLARE && node->declaration == variable)
		return true;
	for (unsigned i = 0; i < node->child_count; i++)
		if (declares(node->children[i], variable))
			return true;
	return false;
}

static struct content_form variable_form(struct forming *forming, const struct node *node,
                                         const struct source_declaration *variable)
{
	const struct content_setting *setting = forming->setting;
	const struct host_constant *value;
	unsigned steps = 0, others = 0;

	if (variable == setting->index)
		return (struct content_form){.kind = FORM_STEPPED, .step = 1};
	if (setting->loop)
		host_content_changes(setting->loop, variable, &steps, &others);
	if (declares(setting->loop, variable))
		return variable->initializer && steps + others == 0 ? form_of(forming, variable->initializer) : unknown;
	if (steps + others)
		return changed_form(forming, variable);
	value = host_evaluate(forming->host, node);
	return value->kind == CONSTANT_INTEGER && !value->assumed && is_small(value->value)
	               ? (struct content_form){.kind = FORM_UNIFORM, .low = value->value, .high = value->value + 1}
	               : unknown;
}

/* A member of the same element, that the same loop sets: what is put there. */
static struct content_form member_form(struct forming *forming, const struct node *node)
{
	const struct content_member *member = host_content_member(forming->host->contents, node);
	const struct node *object = node_strip_casts(node->children[0]);
	const struct content_setting *setting = member && member->setting_count == 1 ? member->settings : NULL;

	if (!setting || member->is_spoiled || !setting->covers || !setting->index ||
	    setting->loop != forming->setting->loop || setting->index != forming->setting->index ||
	    object->kind != NODE_SUBSCRIPT || node_variable(object->children[1]) != setting->index)
		return unknown;
	return form_of(forming, setting->node->children[1]);
}

/* ---- operators ----------------------------------------------------------------------------- */

static bool is_random(const struct node *node)
{
	static const char *const names[] = {"rand", "random", "lrand48"};

	node = node_strip_casts(node);
	for (unsigned i = 0; node && node->kind == NODE_CALL && node->declaration && i < ARRAY_COUNT(names); i++)
		if (strcmp(node->declaration->name, names[i]) == 0 && node->declaration->in_system_header)
			return true;
	return false;
}

/* rand() % 10, rand() & 7. */
static struct content_form random_form(enum node_operator op, const struct content_form *right)
{
	int64_t most = op == OPERATOR_AND ? right->low + 1 : right->low;

	if (!is_constant(right) || most <= 0 || (op == OPERATOR_AND && (most & (most - 1))))
		return unknown;
	return (struct content_form){.kind = FORM_UNIFORM, .high = most};
}

/* A constant and something else; `op` takes them in either order. */
static struct content_form with_constant(enum node_operator op, const struct content_form *other, int64_t number)
{
	struct content_form form = *other;

	if (op == OPERATOR_ADD && form.kind == FORM_UNIFORM) {
		form.low += number;
		form.high += number;
	} else if (op == OPERATOR_MUL && form.kind == FORM_STEPPED && number) {
		form.step *= number;
	} else if (op == OPERATOR_MUL && is_constant(&form)) {
		form.low *= number;
		form.high = form.low + 1;
	} else if (op != OPERATOR_ADD || number) {
		return unknown;
	}
	return is_small(form.low) && is_small(form.high) && is_small(form.step) ? form : unknown;
}

static struct content_form binary_form(struct forming *forming, const struct node *node)
{
	struct content_form right = form_of(forming, node->children[1]), left;

	if ((node->op == OPERATOR_MOD || node->op == OPERATOR_AND) && is_random(node->children[0]))
		return random_form(node->op, &right);
	left = form_of(forming, node->children[0]);
	if (node->op == OPERATOR_SUB && is_constant(&right))
		return with_constant(OPERATOR_ADD, &left, -right.low);
	if (node->op != OPERATOR_ADD && node->op != OPERATOR_MUL)
		return unknown;
	if (is_constant(&right))
		return with_constant(node->op, &left, right.low);
	return is_constant(&left) ? with_constant(node->op, &right, left.low) : unknown;
}

/* Whether a conversion to the type keeps what the form says. */
static bool is_kept(const struct content_form *form, const struct source_type *type)
{
	if (!type_is_integral(type) || type->shape == SHAPE_BOOL)
		return is_constant(form) && type && type->shape == SHAPE_BOOL && (form->low == 0 || form->low == 1);
	return form->kind == FORM_STEPPED
	               ? type->bits >= 32
	               : expr_normalise(form->low, type->bits, type->is_signed) == form->low &&
	                         expr_normalise(form->high - 1, type->bits, type->is_signed) == form->high - 1;
}

static struct content_form form_of_kind(struct forming *forming, const struct node *node)
{
	struct content_form form;

	switch (node->kind) {
	case NODE_INTEGER:
		return is_small(node->value) ? (struct content_form){.kind = FORM_UNIFORM,
		                                                     .low = node->value,
		                                                     .high = node->value + 1}
		                             : unknown;
	case NODE_REFERENCE:
		return node_variable(node) ? variable_form(forming, node, node->declaration) : unknown;
	case NODE_MEMBER:
		return member_form(forming, node);
	case NODE_ASSIGN:
		return node->op == OPERATOR_NONE ? form_of(forming, node->children[1]) : unknown;
	case NODE_CAST:
		form = form_of(forming, node->children[0]);
		return form.kind != FORM_UNKNOWN && is_kept(&form, node->type) ? form : unknown;
	case NODE_UNARY:
		form = form_of(forming, node->children[0]);
		return node->op == OPERATOR_NEG && is_constant(&form) ? with_constant(OPERATOR_MUL, &form, -1)
		                                                      : unknown;
	case NODE_BINARY:
		return binary_form(forming, node);
	default:
		return unknown;
	}
}

static struct content_form form_of(struct forming *forming, const struct node *node)
{
	struct content_form form;

	if (!node || forming->depth == DEPTH_MOST)
		return unknown;
	forming->depth++;
	form = form_of_kind(forming, node);
	forming->depth--;
	return form;
}

struct content_form host_content_form(struct host *host, const struct content_setting *setting, const struct node *node)
{
	struct forming forming = {.host = host, .setting = setting};

	return form_of(&forming, node);
}

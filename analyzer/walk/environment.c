/*
 * Values and variables during a walk. Changes are put on a trail, so that the two ways of a branch can be walked one
 * after the other and joined.
 */
#include "analyzer/walk/walk.h"

/* ---- values ----------------------------------------------------------------------------- */

/* Most values are scalars, much smaller than the others. */
static struct walk_value *value_make(struct walk_state *walk, enum walk_value_kind kind)
{
	static const size_t sizes[] = {offsetof(struct walk_value, scalar) + sizeof(struct expr *),
	                               sizeof(struct walk_value),
	                               offsetof(struct walk_value, leaves) + sizeof(struct walk_value **)};
	struct walk_value *value = arena_alloc(walk->arena, sizes[kind]);

	value->kind = kind;
	return value;
}

struct walk_value *walk_record(struct walk_state *walk, const struct record *record)
{
	struct walk_value *value = value_make(walk, VALUE_RECORD);

	value->record = record;
	value->leaves = arena_array(walk->arena, record->leaf_count, sizeof(*value->leaves));
	return value;
}

const struct walk_value *walk_scalar(struct walk_state *walk, const struct expr *scalar)
{
	struct walk_value *value = value_make(walk, VALUE_SCALAR);

	value->scalar = scalar;
	return value;
}

const struct walk_value *walk_pointer(struct walk_state *walk, struct walk_location at)
{
	struct walk_value *value = value_make(walk, VALUE_POINTER);

	value->at = at;
	return value;
}

struct walk_location walk_nowhere(const struct source_type *type, const char *reason)
{
	return (struct walk_location){.kind = LOCATION_UNKNOWN, .type = type, .reason = reason};
}

const struct walk_value *walk_unknown(struct walk_state *walk, const struct source_type *type, const char *reason,
                                      struct place place)
{
	struct walk_value *value;

	if (type && (type->shape == SHAPE_POINTER || type->shape == SHAPE_REFERENCE))
		return walk_pointer(walk, walk_nowhere(type->target, reason));
	value = value_make(walk, VALUE_SCALAR);
	value->scalar = expr_unknown(&walk->pool, reason, place);
	return value;
}

const struct expr *walk_number(struct walk_state *walk, const struct walk_value *value)
{
	static const struct place nowhere = {0};

	if (value->kind == VALUE_SCALAR)
		return value->scalar;
	return expr_unknown(&walk->pool,
	                    value->kind == VALUE_POINTER ? "a pointer used as a number" : "a record used as a number",
	                    nowhere);
}

static bool location_equal(const struct walk_location *a, const struct walk_location *b)
{
	return a->kind == b->kind && a->kind != LOCATION_UNKNOWN && a->type == b->type && a->variable == b->variable &&
	       a->array == b->array && a->element == b->element && a->offset_bytes == b->offset_bytes &&
	       a->inner == b->inner && a->inner_stride_bytes == b->inner_stride_bytes;
}

static bool value_equal(const struct walk_value *a, const struct walk_value *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind)
		return false;
	if (a->kind == VALUE_SCALAR)
		return a->scalar == b->scalar;
	if (a->kind == VALUE_POINTER)
		return location_equal(&a->at, &b->at);
	if (a->record != b->record)
		return false;
	for (unsigned i = 0; i < a->record->leaf_count; i++)
		if (!value_equal(a->leaves[i], b->leaves[i]))
			return false;
	return true;
}

/* ---- variables --------------------------------------------------------------------------- */

const struct walk_value *walk_get(struct walk_state *walk, struct source_declaration *variable)
{
	const struct walk_value *value = walk->environment[variable->slot];
	const char *where = walk->frame && walk->frame->function->is_lambda ? "is captured by a lambda"
	                                                                    : "is a variable of another function";

	return value ? value
	             : walk_unknown(walk, variable->type, arena_printf(walk->arena, "'%s' %s", variable->name, where),
	                            variable->place);
}

void walk_set(struct walk_state *walk, struct source_declaration *variable, const struct walk_value *value)
{
	ARENA_PUSH(walk->arena, walk->trail, walk->trail_count,
	           (struct walk_change){variable, walk->environment[variable->slot]});
	walk->environment[variable->slot] = value;
}

struct walk_changes walk_undo(struct walk_state *walk, size_t mark)
{
	struct walk_changes changes = {NULL, 0};

	for (size_t i = mark; i < walk->trail_count; i++) {
		struct source_declaration *variable = walk->trail[i].variable;

		if (walk->environment[variable->slot] == NULL)
			continue;
		ARENA_PUSH(walk->arena, changes.list, changes.count,
		           (struct walk_change){variable, walk->environment[variable->slot]});
		walk->environment[variable->slot] = NULL;
	}
	while (walk->trail_count > mark) {
		walk->trail_count--;
		walk->environment[walk->trail[walk->trail_count].variable->slot] =
			walk->trail[walk->trail_count].before;
	}
	return changes;
}

void walk_redo(struct walk_state *walk, const struct walk_changes *changes)
{
	for (unsigned i = 0; i < changes->count; i++)
		walk_set(walk, changes->list[i].variable, changes->list[i].before);
}

/* ---- joining ------------------------------------------------------------------------------- */

/* Pointers into the same array at different elements. */
static const struct walk_value *pointer_select(struct walk_state *walk, const struct expr *condition,
                                               const struct walk_value *yes, const struct walk_value *no,
                                               struct place place)
{
	struct walk_location at = yes->at;

	if (at.kind != LOCATION_MEMORY || no->at.kind != LOCATION_MEMORY || at.array != no->at.array ||
	    at.offset_bytes != no->at.offset_bytes || at.inner != no->at.inner || at.type != no->at.type)
		return walk_pointer(walk, walk_nowhere(at.type, "a pointer that depends on a condition"));
	at.element = expr_select(&walk->pool, condition, at.element, no->at.element);
	(void)place;
	return walk_pointer(walk, at);
}

static const struct walk_value *record_select(struct walk_state *walk, const struct expr *condition,
                                              const struct walk_value *yes, const struct walk_value *no,
                                              struct place place)
{
	struct walk_value *joined = walk_record(walk, yes->record);

	for (unsigned i = 0; i < yes->record->leaf_count; i++)
		joined->leaves[i] = walk_join(walk, condition, yes->leaves[i], no->leaves[i], NULL, place);
	return joined;
}

const struct walk_value *walk_join(struct walk_state *walk, const struct expr *condition, const struct walk_value *yes,
                                   const struct walk_value *no, const struct source_type *type, struct place place)
{
	if (value_equal(yes, no))
		return yes;
	if (yes->kind != no->kind || (yes->kind == VALUE_RECORD && yes->record != no->record))
		return walk_unknown(walk, type, "a value that depends on a condition", place);
	if (yes->kind == VALUE_POINTER)
		return pointer_select(walk, condition, yes, no, place);
	if (yes->kind == VALUE_RECORD)
		return record_select(walk, condition, yes, no, place);
	return walk_scalar(walk, expr_select(&walk->pool, condition, yes->scalar, no->scalar));
}

/* Joins one variable; the environment holds what it was before the branch. */
static void join_variable(struct walk_state *walk, const struct expr *condition, struct source_declaration *variable,
                          const struct walk_value *yes, const struct walk_value *no, struct place place)
{
	const struct walk_value *before = walk->environment[variable->slot];

	yes = yes ? yes : before;
	no = no ? no : before;
	if (!yes || !no)
		walk_set(walk, variable, yes ? yes : no);
	else
		walk_set(walk, variable, walk_join(walk, condition, yes, no, variable->type, place));
}

void walk_join_changes(struct walk_state *walk, const struct expr *condition, const struct walk_changes *yes,
                       const struct walk_changes *no, struct place place)
{
	for (unsigned i = 0; i < no->count; i++)
		walk->scratch[no->list[i].variable->slot] = no->list[i].before;
	for (unsigned i = 0; i < yes->count; i++) {
		struct source_declaration *variable = yes->list[i].variable;

		join_variable(walk, condition, variable, yes->list[i].before, walk->scratch[variable->slot], place);
		walk->scratch[variable->slot] = NULL;
	}
	for (unsigned i = 0; i < no->count; i++) {
		struct source_declaration *variable = no->list[i].variable;

		if (walk->scratch[variable->slot])
			join_variable(walk, condition, variable, NULL, no->list[i].before, place);
		walk->scratch[variable->slot] = NULL;
	}
}

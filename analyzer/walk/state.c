/*
 * What every part of a walk needs: symbols, notes, and the budget that ends it.
 */
#include "analyzer/walk/walk.h"

#include <stdarg.h>

/* Deeper trees are not walked. */
#define NODE_DEPTH_MAX 4000

void walk_note(struct walk_state *walk, struct place place, const char *format, ...)
{
	struct text text = {0};
	va_list arguments;

	if (walk->silent)
		return;
	va_start(arguments, format);
	text_vprintf(&text, format, arguments);
	va_end(arguments);
	diagnostics_report(walk->diagnostics, SEVERITY_REMARK, place, "%s", text.data);
	text_release(&text);
}

bool walk_may_go_on(struct walk_state *walk)
{
	if (walk->budget == 0)
		return false;
	if (--walk->budget == 0)
		walk_note(walk, walk->kernel->place,
		          "kernel '%s' has too much code to follow; the rest of it is left out", walk->kernel->name);
	return walk->depth < NODE_DEPTH_MAX;
}

/* ---- symbols ------------------------------------------------------------------------- */

const struct symbol *walk_symbol(struct walk_state *walk, struct symbol symbol)
{
	struct symbol *copy = arena_alloc(walk->arena, sizeof(*copy));

	*copy = symbol;
	copy->index = walk->kernel->symbol_count;
	ARENA_PUSH(walk->arena, walk->kernel->symbols, walk->kernel->symbol_count, copy);
	return copy;
}

/* The built-in variables, in the order of their symbols. */
static const struct {
	enum builtin builtin;
	enum symbol_kind kind;
	const char *names[3];
} builtins[] = {
	{BUILTIN_BLOCK_SIZE, SYMBOL_BLOCK_SIZE, {"blockDim.x", "blockDim.y", "blockDim.z"}},
	{BUILTIN_GRID_SIZE, SYMBOL_GRID_SIZE, {"gridDim.x", "gridDim.y", "gridDim.z"}},
	{BUILTIN_BLOCK, SYMBOL_BLOCK, {"blockIdx.x", "blockIdx.y", "blockIdx.z"}},
	{BUILTIN_THREAD, SYMBOL_THREAD, {"threadIdx.x", "threadIdx.y", "threadIdx.z"}},
};

void walk_create_builtins(struct walk_state *walk)
{
	for (unsigned i = 0; i < ARRAY_COUNT(builtins); i++)
		for (unsigned axis = 0; axis < 3; axis++)
			walk_symbol(walk, (struct symbol){.kind = builtins[i].kind,
			                                  .axis = axis,
			                                  .name = builtins[i].names[axis]});
}

const struct symbol *walk_builtin_symbol(struct walk_state *walk, enum builtin builtin, unsigned axis)
{
	unsigned row = 0;

	while (builtins[row].builtin != builtin)
		row++;
	return walk->kernel->symbols[3 * row + (axis < 3 ? axis : 0)];
}

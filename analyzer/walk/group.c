/*
 * Cooperative groups: ranks and sizes of blocks, grids and tiles of blocks, as the programming guide defines them.
 *
 * The rank of a thread in its block is x + blockDim.x * (y + blockDim.y * z); a tile holds consecutive ranks. Other
 * groups (coalesced threads, clusters) stay unknown.
 */
#include "analyzer/walk/walk.h"

#include <stdlib.h>
#include <string.h>

static const struct expr *builtin(struct walk_state *walk, enum builtin which, unsigned axis)
{
	return expr_symbol(&walk->pool, walk_builtin_symbol(walk, which, axis), 32, false);
}

static const struct expr *arithmetic(struct walk_state *walk, enum expr_op op, const struct expr *a,
                                     const struct expr *b)
{
	return expr_binary(&walk->pool, op, a, b, 32, false);
}

/* x + size.x * (y + size.y * z) */
static const struct expr *rank(struct walk_state *walk, enum builtin which, enum builtin size)
{
	const struct expr *rank = builtin(walk, which, 2);

	for (unsigned axis = 2; axis-- > 0;)
		rank = arithmetic(walk, EXPR_ADD, arithmetic(walk, EXPR_MUL, rank, builtin(walk, size, axis)),
		                  builtin(walk, which, axis));
	return rank;
}

static const struct expr *size_of(struct walk_state *walk, enum builtin which)
{
	const struct expr *product = builtin(walk, which, 0);

	for (unsigned axis = 1; axis < 3; axis++)
		product = arithmetic(walk, EXPR_MUL, product, builtin(walk, which, axis));
	return product;
}

enum group { GROUP_OTHER, GROUP_BLOCK, GROUP_GRID, GROUP_TILE };

/* What a type of the toolkit's cooperative groups is; *size is that of a tile. */
static enum group group_of(const char *type, unsigned *size)
{
	static const char space[] = "cooperative_groups::", tile[] = "thread_block_tile<";
	const char *name = type;

	if (strncmp(type, space, strlen(space)) != 0)
		return GROUP_OTHER;
	for (const char *next = strstr(type, "::"); next && next < type + strcspn(type, "<");
	     next = strstr(next + 2, "::"))
		name = next + 2;
	if (strcmp(name, "thread_block") == 0)
		return GROUP_BLOCK;
	if (strcmp(name, "grid_group") == 0)
		return GROUP_GRID;
	if (strncmp(name, tile, strlen(tile)) != 0)
		return GROUP_OTHER;
	*size = (unsigned)strtoul(name + strlen(tile), NULL, 10);
	return *size ? GROUP_TILE : GROUP_OTHER;
}

/* Methods that mean the same for a kind of group. */
enum question { QUESTION_OTHER, QUESTION_RANK, QUESTION_SIZE, QUESTION_OUTER_RANK, QUESTION_OUTER_SIZE };

static enum question question_of(const char *method)
{
	static const struct {
		const char *method;
		enum question question;
	} table[] = {{"thread_rank", QUESTION_RANK},           {"size", QUESTION_SIZE},
	             {"num_threads", QUESTION_SIZE},           {"block_rank", QUESTION_OUTER_RANK},
	             {"meta_group_rank", QUESTION_OUTER_RANK}, {"num_blocks", QUESTION_OUTER_SIZE}};

	for (unsigned i = 0; i < ARRAY_COUNT(table); i++)
		if (strcmp(method, table[i].method) == 0)
			return table[i].question;
	return QUESTION_OTHER;
}

static const struct expr *ask_grid(struct walk_state *walk, enum question question)
{
	const struct expr *block = rank(walk, BUILTIN_BLOCK, BUILTIN_GRID_SIZE),
			  *threads = size_of(walk, BUILTIN_BLOCK_SIZE);

	switch (question) {
	case QUESTION_RANK:
		return arithmetic(walk, EXPR_ADD, arithmetic(walk, EXPR_MUL, block, threads),
		                  rank(walk, BUILTIN_THREAD, BUILTIN_BLOCK_SIZE));
	case QUESTION_SIZE:
		return arithmetic(walk, EXPR_MUL, size_of(walk, BUILTIN_GRID_SIZE), threads);
	case QUESTION_OUTER_RANK:
		return block;
	case QUESTION_OUTER_SIZE:
		return size_of(walk, BUILTIN_GRID_SIZE);
	default:
		return NULL;
	}
}

static const struct expr *ask(struct walk_state *walk, enum group group, enum question question, unsigned tile)
{
	const struct expr *thread = rank(walk, BUILTIN_THREAD, BUILTIN_BLOCK_SIZE);
	const struct expr *size = expr_constant(&walk->pool, tile, 32, false);

	if (group == GROUP_GRID)
		return ask_grid(walk, question);
	if (question == QUESTION_RANK)
		return group == GROUP_BLOCK ? thread : arithmetic(walk, EXPR_MOD, thread, size);
	if (question == QUESTION_SIZE)
		return group == GROUP_BLOCK ? size_of(walk, BUILTIN_BLOCK_SIZE) : size;
	if (question == QUESTION_OUTER_RANK && group == GROUP_TILE)
		return arithmetic(walk, EXPR_DIV, thread, size);
	return NULL;
}

/* thread_index() and its like: a vector of three. */
static const struct walk_value *ask_vector(struct walk_state *walk, const struct node *node, const char *method)
{
	static const struct {
		const char *method;
		enum builtin builtin;
	} table[] = {{"thread_index", BUILTIN_THREAD},    {"group_index", BUILTIN_BLOCK},
	             {"block_index", BUILTIN_BLOCK},      {"group_dim", BUILTIN_BLOCK_SIZE},
	             {"dim_threads", BUILTIN_BLOCK_SIZE}, {"dim_blocks", BUILTIN_GRID_SIZE}};
	const struct record *record = node->type->type.record;
	struct walk_value *value;

	for (unsigned i = 0; i < ARRAY_COUNT(table); i++) {
		if (strcmp(method, table[i].method) != 0 || !record || record->leaf_count != 3)
			continue;
		value = walk_record(walk, record);
		for (unsigned axis = 0; axis < 3; axis++)
			value->leaves[axis] = walk_scalar(walk, builtin(walk, table[i].builtin, axis));
		return value;
	}
	return NULL;
}

const struct walk_value *walk_group_call(struct walk_state *walk, const struct node *node)
{
	const struct node *object = node_strip_casts(node_child(node, 0));
	const struct source_type *type = object && object->type ? type_strip_reference(object->type) : NULL;
	const char *method = node->declaration->name;
	unsigned tile = 1;
	enum group group = type ? group_of(type->type.spelling, &tile) : GROUP_OTHER;
	const struct expr *answer;

	if (group == GROUP_OTHER)
		return NULL;
	if (node->type->type.record)
		return ask_vector(walk, node, method);
	answer = ask(walk, group, question_of(method), tile);
	if (!answer || !type_is_integral(node->type))
		return NULL;
	return walk_scalar(walk, expr_cast(&walk->pool, answer, node->type->bits, node->type->is_signed));
}

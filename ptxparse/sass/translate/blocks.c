/*
 * All blocks of a kernel: which values they hand to each other, and in which IR registers.
 *
 * A block wants at its start what its instructions and the blocks after it need; that follows from translating it,
 * backwards until nothing changes (liveness). Besides registers, blocks hand on 64-bit pairs as one value, and the
 * divisor that an inverse belongs to; a divisor that some block before cannot give is not to be had. At last, what
 * flows from one block's end to another's start is one web, and each web gets a register; and the blocks are
 * translated for good.
 */
#include "ptxparse/sass/translate/block.h"

#include <string.h>

#define MOST_PASSES 60

struct fixpoint {
	struct sass_translation *t;
	struct sass_flow *flow;
	bool *dirty;
};

/* ---- what blocks want of each other --------------------------------------------------------- */

static void wanted_add(uint64_t *wanted, const struct sass_flow *flow, uint32_t block)
{
	for (unsigned word = 0; block != SASS_NO_BLOCK && word < KEY_WORDS; word++)
		wanted[word] |= flow->blocks[block].wanted_in[word];
}

static void wanted_collect(const struct sass_flow *flow, struct sass_basic_block *block)
{
	memset(block->wanted_out, 0, KEY_WORDS * sizeof(uint64_t));
	wanted_add(block->wanted_out, flow, block->fall);
	wanted_add(block->wanted_out, flow, block->target);
	for (uint32_t i = 0; i < block->target_count; i++)
		wanted_add(block->wanted_out, flow, block->targets[i]);
}

/* Divisors that the block cannot give are marked where control goes from it. */
static void refusals_pass(struct fixpoint *fixpoint, const struct sass_basic_block *from, uint32_t to)
{
	struct sass_basic_block *block;

	if (to == SASS_NO_BLOCK)
		return;
	block = &fixpoint->flow->blocks[to];
	for (unsigned word = 0; word < KEY_WORDS; word++) {
		uint64_t fresh = from->refused[word] & block->wanted_in[word] & ~block->bad_in[word];

		block->bad_in[word] |= fresh;
		fixpoint->dirty[to] |= fresh != 0;
	}
}

static void refusals_spread(struct fixpoint *fixpoint, const struct sass_basic_block *block)
{
	refusals_pass(fixpoint, block, block->fall);
	refusals_pass(fixpoint, block, block->target);
	for (uint32_t i = 0; i < block->target_count; i++)
		refusals_pass(fixpoint, block, block->targets[i]);
}

/* Nothing comes before a kernel's first block: it gets no divisor. */
static void entry_refuse(struct fixpoint *fixpoint)
{
	struct sass_basic_block *first = &fixpoint->flow->blocks[0];

	for (unsigned i = 0; i < fixpoint->t->derived_count; i++) {
		unsigned key = KEY_FIXED + i;

		if (fixpoint->t->derived[i].high != KEY_NONE || !sass_set_holds(first->wanted_in, key) ||
		    sass_set_holds(first->bad_in, key))
			continue;
		sass_set_put(first->bad_in, key);
		fixpoint->dirty[0] = true;
	}
}

/* A divisor handed through that is not to be had here is not to be had behind either. */
static void refuse_passed(const struct fixpoint *fixpoint, struct sass_basic_block *block)
{
	for (unsigned i = 0; i < fixpoint->t->derived_count; i++)
		if (fixpoint->t->derived[i].high == KEY_NONE && sass_set_holds(block->passed, KEY_FIXED + i) &&
		    sass_set_holds(block->bad_in, KEY_FIXED + i))
			sass_set_put(block->refused, KEY_FIXED + i);
}

static void block_update(struct fixpoint *fixpoint, uint32_t index)
{
	struct sass_translation *t = fixpoint->t;
	struct sass_basic_block *block = &fixpoint->flow->blocks[index];
	struct arena *outer = t->scratch;

	wanted_collect(fixpoint->flow, block);
	t->insn_count = t->control_count = 0;
	t->scratch = arena_create();
	sass_block_translate(t, block);
	arena_release(t->scratch);
	t->scratch = outer;
	refuse_passed(fixpoint, block);
	fixpoint->dirty[index] = false;
	if (memcmp(block->wanted_in, t->used, sizeof(t->used)) != 0) {
		memcpy(block->wanted_in, t->used, sizeof(t->used));
		for (uint32_t i = 0; i < block->predecessor_count; i++)
			fixpoint->dirty[block->predecessors[i]] = true;
	}
	refusals_spread(fixpoint, block);
	if (index == 0)
		entry_refuse(fixpoint);
}

/* Returns false where it did not come to an end. */
static bool wanted_find(struct fixpoint *fixpoint)
{
	bool any = true;

	for (size_t i = 0; i < fixpoint->flow->block_count; i++)
		fixpoint->dirty[i] = true;
	for (unsigned pass = 0; any; pass++) {
		if (pass == MOST_PASSES && !fixpoint->t->simple)
			return false;
		any = false;
		for (uint32_t i = (uint32_t)fixpoint->flow->block_count; i-- > 0;) {
			if (!fixpoint->dirty[i])
				continue;
			any = true;
			block_update(fixpoint, i);
		}
	}
	return true;
}

static void sets_clear(struct sass_translation *t, struct sass_flow *flow)
{
	for (size_t i = 0; i < flow->block_count; i++) {
		struct sass_basic_block *block = &flow->blocks[i];
		uint64_t *sets = arena_array(t->scratch, (size_t)5 * KEY_WORDS, sizeof(*sets));

		block->wanted_in = sets;
		block->wanted_out = sets + KEY_WORDS;
		block->bad_in = sets + (size_t)2 * KEY_WORDS;
		block->passed = sets + (size_t)3 * KEY_WORDS;
		block->refused = sets + (size_t)4 * KEY_WORDS;
	}
}

/* ---- webs ---------------------------------------------------------------------------------------- */

static uint32_t web_find(uint32_t *webs, uint32_t node)
{
	while (webs[node] != node) {
		webs[node] = webs[webs[node]];
		node = webs[node];
	}
	return node;
}

static void edge_join(uint32_t *webs, const struct sass_flow *flow, const struct sass_basic_block *from, uint32_t to)
{
	const struct sass_basic_block *block;

	if (to == SASS_NO_BLOCK)
		return;
	block = &flow->blocks[to];
	for (unsigned key = 0; key < KEY_LIMIT; key++) {
		if (!block->wanted_in[key / 64]) {
			key |= 63;
			continue;
		}
		if (sass_set_holds(block->wanted_in, key))
			webs[web_find(webs, from->first_web_out + sass_set_rank(from->wanted_out, key))] =
				web_find(webs, block->first_web_in + sass_set_rank(block->wanted_in, key));
	}
}

static void block_join(uint32_t *webs, const struct sass_flow *flow, const struct sass_basic_block *block)
{
	for (unsigned key = 0; key < KEY_LIMIT; key++)
		if (sass_set_holds(block->passed, key))
			webs[web_find(webs, block->first_web_in + sass_set_rank(block->wanted_in, key))] =
				web_find(webs, block->first_web_out + sass_set_rank(block->wanted_out, key));
	edge_join(webs, flow, block, block->fall);
	edge_join(webs, flow, block, block->target);
	for (uint32_t i = 0; i < block->target_count; i++)
		edge_join(webs, flow, block, block->targets[i]);
}

static const char *key_text(struct sass_translation *t, unsigned key)
{
	struct sass_derived derived;

	if (key >= KEY_FIXED) {
		derived = t->derived[key - KEY_FIXED];
		return arena_printf(t->arena, derived.high == KEY_NONE ? "of_%s" : "%s_64", key_text(t, derived.low));
	}
	if (key >= KEY_UNIFORM_PREDICATES)
		return arena_printf(t->arena, "UP%u", key - KEY_UNIFORM_PREDICATES);
	if (key >= KEY_PREDICATES)
		return arena_printf(t->arena, "P%u", key - KEY_PREDICATES);
	return key >= KEY_UNIFORMS ? arena_printf(t->arena, "UR%u", key - KEY_UNIFORMS)
	                           : arena_printf(t->arena, "R%u", key);
}

static enum ptx_type key_type(const struct sass_translation *t, unsigned key)
{
	if (key >= KEY_FIXED)
		return t->derived[key - KEY_FIXED].high == KEY_NONE ? PTX_b32 : PTX_b64;
	return key >= KEY_PREDICATES ? PTX_pred : PTX_b32;
}

/* Gives the webs of the keys in the set their registers. */
static void registers_give(struct sass_translation *t, uint32_t *webs, uint32_t first, const uint64_t *set)
{
	uint32_t node = first;

	for (unsigned key = 0; key < KEY_LIMIT; key++) {
		uint32_t root;

		if (!sass_set_holds(set, key))
			continue;
		root = web_find(webs, node);
		if (t->web_register[root] == PTX_NO_REGISTER) {
			const char *name =
				arena_printf(t->arena, "%%%s_%u", key_text(t, key), (unsigned)t->register_count);

			t->web_register[root] = sass_register_new(t, key_type(t, key), name);
		}
		t->web_register[node++] = t->web_register[root];
	}
}

static void webs_make(struct sass_translation *t, struct sass_flow *flow)
{
	uint32_t count = 0, *webs;

	for (size_t i = 0; i < flow->block_count; i++) {
		flow->blocks[i].first_web_in = count;
		count += sass_set_size(flow->blocks[i].wanted_in);
		flow->blocks[i].first_web_out = count;
		count += sass_set_size(flow->blocks[i].wanted_out);
	}
	webs = arena_array(t->scratch, count + 1u, sizeof(*webs));
	t->web_register = arena_array(t->scratch, count + 1u, sizeof(*t->web_register));
	for (uint32_t i = 0; i < count; i++) {
		webs[i] = i;
		t->web_register[i] = PTX_NO_REGISTER;
	}
	for (size_t i = 0; i < flow->block_count; i++)
		block_join(webs, flow, &flow->blocks[i]);
	for (size_t i = 0; i < flow->block_count; i++) {
		registers_give(t, webs, flow->blocks[i].first_web_in, flow->blocks[i].wanted_in);
		registers_give(t, webs, flow->blocks[i].first_web_out, flow->blocks[i].wanted_out);
	}
}

/* ---- the translation for good ------------------------------------------------------------------------ */

/* Labels name blocks so far. */
static void label_resolve(const struct sass_flow *flow, struct ptx_operand *operand)
{
	if (operand->kind == OPERAND_LABEL)
		operand->value = flow->blocks[operand->value].emitted;
	for (unsigned i = 0; operand->kind == OPERAND_VECTOR && i < operand->count; i++)
		label_resolve(flow, &operand->elements[i]);
}

void sass_blocks_translate(struct sass_translation *t, struct sass_flow *flow)
{
	struct fixpoint fixpoint = {t, flow, arena_array(t->scratch, flow->block_count + 1, sizeof(bool))};

	t->dry = true;
	sets_clear(t, flow);
	if (!wanted_find(&fixpoint)) {
		t->simple = true;
		t->derived_count = 0;
		sets_clear(t, flow);
		wanted_find(&fixpoint);
	}
	t->dry = false;
	t->insn_count = t->control_count = 0;
	webs_make(t, flow);
	for (size_t i = 0; i < flow->block_count; i++)
		sass_block_translate(t, &flow->blocks[i]);
	for (size_t i = 0; i < t->insn_count; i++) {
		for (unsigned k = 0; k < t->insns[i].operand_count; k++)
			label_resolve(flow, &t->insns[i].operands[k]);
		if (!t->insns[i].spelling)
			t->insns[i].spelling = sass_spell(t, &t->insns[i]);
	}
}

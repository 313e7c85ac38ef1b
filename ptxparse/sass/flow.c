/*
 * Blocks of machine code, as control reaches them from a kernel's entry.
 *
 * Called functions are copied to each place of call, so that registers pass through and returns go where they belong. A
 * function that calls itself is copied as deep as MOST_RECURSION and MOST_COPIED allow, equally deep at every call;
 * calls beyond that, and deeper than MOST_DEPTH, are not followed. BSSY names a barrier register and the place where
 * lanes go on together once all have reached BSYNC (or left): that is where the lanes of a branch in between meet,
 * which is innermost first.
 */
#include "ptxparse/sass/flow.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 32     /* calls within each other */
#define MOST_RECURSION 16 /* of them of one function; each level down halves it where the code grows too long */
#define MOST_COPIED 8192  /* blocks of code with recursion */
#define SLOTS_FIRST 256   /* a power of two */
#define MOST_BLOCKS 100000
#define MOST_BARRIERS 16
#define MOST_TABLE 1024

/* One step of control: where it is and which barriers are open. */
struct barrier {
	uint8_t number;
	uint32_t context; /* called functions save the barrier registers that they use */
	uint32_t block;
};
struct barrier_state {
	struct barrier open[MOST_BARRIERS];
	unsigned count;
};

struct explorer {
	struct sass_flow *flow;
	struct arena *scratch;
	struct sass_survey *surveys;  /* by listing */
	struct barrier_state *states; /* by block */
	size_t state_count;
	uint64_t *slots; /* hash of (context, leader): 1 + block in the low half; at most half of them are taken */
	size_t slot_count;
	uint32_t *work;
	size_t work_count;
	unsigned deepest; /* copies of a function within each other */
	bool recurses;
};

/* The function that a call names; NULL where it is not known. */
static const struct sass_listing *callee_find(const struct explorer *explorer, const struct sass_insn *call,
                                              uint32_t *entry)
{
	const struct cubin *cubin = explorer->flow->cubin;

	for (unsigned i = 0; !sass_call_is_indirect(call) && i < call->operand_count; i++) {
		const char *name = call->operands[i].text;
		const struct cubin_symbol *symbol = name ? cubin_symbol_find(cubin, name) : NULL;

		for (size_t k = 0; symbol && k < explorer->flow->listings->count; k++) {
			const struct sass_listing *listing = &explorer->flow->listings->list[k];

			if (listing->section != symbol->section || symbol->value % SASS_INSN_BYTES != 0 ||
			    symbol->value / SASS_INSN_BYTES >= listing->insn_count)
				continue;
			*entry = (uint32_t)(symbol->value / SASS_INSN_BYTES);
			return listing;
		}
	}
	return NULL;
}

static struct sass_survey *survey_of(const struct explorer *explorer, const struct sass_listing *listing)
{
	return &explorer->surveys[listing - explorer->flow->listings->list];
}

static void survey_need(struct explorer *explorer, const struct sass_listing *listing)
{
	struct sass_survey *survey = survey_of(explorer, listing);

	if (!survey->listing)
		explorer->flow->cold_calls +=
			sass_survey_make(explorer->scratch, explorer->flow->cubin, listing, survey);
}

/* ---- blocks, by context and leader ---------------------------------------------------------- */

static uint64_t *slot_find(const struct explorer *explorer, uint32_t context, uint32_t leader)
{
	uint64_t hash = ((uint64_t)context << 32 | leader) * UINT64_C(0x9e3779b97f4a7c15);
	size_t slot = (size_t)(hash >> 32) & (explorer->slot_count - 1);

	while (explorer->slots[slot]) {
		const struct sass_basic_block *block = &explorer->flow->blocks[explorer->slots[slot] - 1];

		if (block->context == context && block->first == leader)
			break;
		slot = (slot + 1) & (explorer->slot_count - 1);
	}
	return &explorer->slots[slot];
}

/* Room for one block more. */
static void slots_grow(struct explorer *explorer)
{
	const struct sass_flow *flow = explorer->flow;

	if (explorer->slots && 2 * ((size_t)flow->block_count + 1) <= explorer->slot_count)
		return;
	explorer->slot_count = explorer->slot_count ? 2 * explorer->slot_count : SLOTS_FIRST;
	explorer->slots = arena_array(explorer->scratch, explorer->slot_count, sizeof(*explorer->slots));
	for (uint32_t i = 0; i < flow->block_count; i++)
		*slot_find(explorer, flow->blocks[i].context, flow->blocks[i].first) = i + 1;
}

/* The block that begins there, met with these barriers open; its first visit decides which they are. */
static uint32_t block_at(struct explorer *explorer, uint32_t context, uint32_t leader,
                         const struct barrier_state *state)
{
	struct sass_flow *flow = explorer->flow;
	const struct sass_survey *survey = survey_of(explorer, flow->contexts[context].listing);
	struct sass_basic_block block = {.context = context,
	                                 .first = leader,
	                                 .fall = SASS_NO_BLOCK,
	                                 .target = SASS_NO_BLOCK,
	                                 .meet = SASS_NO_BLOCK};
	uint64_t *slot;

	slots_grow(explorer);
	slot = slot_find(explorer, context, leader);
	if (*slot)
		return (uint32_t)(*slot - 1);
	if (leader >= survey->listing->insn_count)
		return SASS_NO_BLOCK;
	if (flow->block_count >= (explorer->recurses && explorer->deepest > 1 ? MOST_COPIED : MOST_BLOCKS)) {
		flow->too_large = true;
		return SASS_NO_BLOCK;
	}
	survey->leader[leader] = true;
	ARENA_PUSH(flow->arena, flow->blocks, flow->block_count, block);
	ARENA_PUSH(explorer->scratch, explorer->states, explorer->state_count, *state);
	*slot = flow->block_count;
	ARENA_PUSH(explorer->scratch, explorer->work, explorer->work_count, (uint32_t)flow->block_count - 1);
	return (uint32_t)flow->block_count - 1;
}

/* ---- barriers ---------------------------------------------------------------------------------- */

static bool barrier_number(const struct sass_insn *insn, uint8_t *number)
{
	for (unsigned i = 0; i < insn->operand_count; i++) {
		const char *text = insn->operands[i].text;

		if (text[0] != 'B' || text[1] < '0' || text[1] > '9')
			continue;
		*number = (uint8_t)strtoul(text + 1, NULL, 10);
		return true;
	}
	return false;
}

static void barrier_open(struct explorer *explorer, uint32_t context, const struct sass_insn *insn,
                         struct barrier_state *state)
{
	uint32_t target = sass_named_insn(explorer->flow->contexts[context].listing, insn);
	struct barrier_state outer;
	uint8_t number;
	unsigned kept = 0;

	if (target == SASS_NO_BLOCK || !barrier_number(insn, &number))
		return;
	for (unsigned i = 0; i < state->count; i++)
		if (state->open[i].number != number || state->open[i].context != context)
			state->open[kept++] = state->open[i];
	state->count = kept;
	outer = *state;
	if (state->count < MOST_BARRIERS)
		state->open[state->count++] =
			(struct barrier){number, context, block_at(explorer, context, target, &outer)};
}

/* Where BSYNC leads; the barrier and those inside it are closed. */
static uint32_t barrier_close(uint32_t context, const struct sass_insn *insn, struct barrier_state *state)
{
	uint8_t number;

	if (!barrier_number(insn, &number))
		return SASS_NO_BLOCK;
	for (unsigned i = state->count; i-- > 0;)
		if (state->open[i].number == number && state->open[i].context == context) {
			state->count = i;
			return state->open[i].block;
		}
	return SASS_NO_BLOCK;
}

/* ---- ends of blocks ------------------------------------------------------------------------------ */

/* How many copies of a function are around a place in one of them. */
static unsigned copies_around(const struct sass_flow *flow, uint32_t context, const struct sass_context *callee)
{
	unsigned count = 0;

	for (; context != SASS_NO_BLOCK; context = flow->contexts[context].parent)
		count += flow->contexts[context].listing == callee->listing &&
		         flow->contexts[context].entry == callee->entry;
	return count;
}

/* The first block of a copy of the called function, or SASS_NO_BLOCK where the call is not followed. */
static uint32_t call_follow(struct explorer *explorer, uint32_t context, uint32_t index,
                            const struct barrier_state *state)
{
	struct sass_flow *flow = explorer->flow;
	struct sass_context made = {.parent = context, .caller = index + 1, .depth = flow->contexts[context].depth + 1};
	const struct sass_listing *listing = flow->contexts[context].listing;

	unsigned copies;

	made.listing = callee_find(explorer, &listing->insns[index], &made.entry);
	copies = made.listing ? copies_around(flow, context, &made) : 0;
	explorer->recurses = explorer->recurses || copies > 0;
	if (!made.listing || made.depth > MOST_DEPTH || copies >= explorer->deepest)
		return SASS_NO_BLOCK;
	survey_need(explorer, made.listing);
	survey_of(explorer, made.listing)->leader[made.entry] = true;
	ARENA_PUSH(flow->arena, flow->contexts, flow->context_count, made);
	return block_at(explorer, (uint32_t)flow->context_count - 1, made.entry, state);
}

static uint32_t return_follow(struct explorer *explorer, uint32_t context, const struct barrier_state *state)
{
	const struct sass_context *callee = &explorer->flow->contexts[context];

	return callee->parent == SASS_NO_BLOCK ? SASS_NO_BLOCK
	                                       : block_at(explorer, callee->parent, callee->caller, state);
}

/* Offset in constant bank 2 of the table that an indexed branch's register was loaded from; -1 where it is not seen. */
static int64_t table_offset(const struct sass_listing *listing, uint32_t index)
{
	uint16_t key = listing->insns[index].operand_count ? listing->insns[index].operands[0].key : (uint16_t)KEY_NONE;

	for (uint32_t i = index; i-- > 0 && index - i < 16;) {
		const struct sass_insn *insn = &listing->insns[i];

		if (insn->operand_count >= 2 && sass_opcode_is(insn, "LDC") && insn->operands[0].key == key &&
		    insn->operands[1].kind == SASS_BANK && insn->operands[1].bank == 2)
			return insn->operands[1].value;
	}
	return -1;
}

static bool is_listed(const uint32_t *list, uint32_t count, uint32_t address)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] == address)
			return true;
	return false;
}

/* A target outside the listing is none. */
static void target_add(uint32_t *targets, uint32_t *count, uint32_t target)
{
	if (target != SASS_NO_BLOCK)
		targets[(*count)++] = target;
}

/* Targets in the order of the table they are looked up in, else each once. */
static void targets_follow(struct explorer *explorer, uint32_t self, uint32_t index, const struct barrier_state *state)
{
	struct sass_flow *flow = explorer->flow;
	uint32_t context = flow->blocks[self].context, count, word, *list, *targets;
	const struct sass_listing *listing = flow->contexts[context].listing;
	const struct sass_insn *insn = &listing->insns[index];
	int64_t table = table_offset(listing, index), add = insn->operand_count > 1 ? insn->operands[1].value : 0;
	uint32_t found = 0, kept = 0;

	list = cubin_branch_targets(explorer->scratch, flow->cubin, listing->name, index * SASS_INSN_BYTES, &count);
	targets = arena_array(flow->arena, MOST_TABLE + 1, sizeof(*targets));
	while (table >= 0 && found < MOST_TABLE &&
	       cubin_bank_word(flow->cubin, listing->name, 2, (uint64_t)table + (uint64_t)4 * found, &word)) {
		uint32_t address = (uint32_t)((index + 1) * SASS_INSN_BYTES + word + (uint64_t)add);

		if (!is_listed(list, count, address))
			break;
		found++;
		target_add(targets, &kept, block_at(explorer, context, address / SASS_INSN_BYTES, state));
	}
	for (uint32_t i = 0; found == 0 && i < count && i < MOST_TABLE; i++)
		target_add(targets, &kept, block_at(explorer, context, list[i] / SASS_INSN_BYTES, state));
	flow->blocks[self].targets = targets;
	flow->blocks[self].target_count = kept;
}

/* Control goes on with the next instruction. */
static void fall_follow(struct explorer *explorer, uint32_t self, uint32_t index, const struct barrier_state *state)
{
	uint32_t fall = block_at(explorer, explorer->flow->blocks[self].context, index + 1, state);

	explorer->flow->blocks[self].fall = fall;
}

/* Where control goes after the block's last instruction. */
static void end_follow(struct explorer *explorer, uint32_t self, uint32_t index, struct barrier_state *state)
{
	struct sass_flow *flow = explorer->flow;
	uint32_t context = flow->blocks[self].context, target = SASS_NO_BLOCK;
	const struct sass_listing *listing = flow->contexts[context].listing;
	const struct sass_insn *insn = &listing->insns[index];
	bool conditional = insn->guarded;
	enum sass_kind kind = sass_kind_of(insn);

	flow->blocks[self].meet = state->count ? state->open[state->count - 1].block : SASS_NO_BLOCK;
	switch (kind) {
	case KIND_BRANCH:
		target = sass_named_insn(listing, insn);
		conditional = survey_of(explorer, listing)->choice[index] == CHOICE_CONDITION;
		target = target == SASS_NO_BLOCK ? SASS_NO_BLOCK : block_at(explorer, context, target, state);
		break;
	case KIND_CALL:
		target = call_follow(explorer, context, index, state);
		break;
	case KIND_RETURN:
		target = return_follow(explorer, context, state);
		break;
	case KIND_SYNC:
		target = barrier_close(context, insn, state);
		break;
	default:
		break;
	}
	if (kind == KIND_INDEXED)
		targets_follow(explorer, self, index, state);
	flow->blocks[self].target = target;
	if (kind == KIND_INDEXED)
		flow->blocks[self].end = END_INDEXED;
	else if (kind == KIND_EXIT || (kind == KIND_RETURN && target == SASS_NO_BLOCK && !conditional))
		flow->blocks[self].end = END_EXIT;
	else if (target != SASS_NO_BLOCK)
		flow->blocks[self].end = conditional ? END_BRANCH : END_JUMP;
	if (flow->blocks[self].end == END_FALL || flow->blocks[self].end == END_BRANCH)
		fall_follow(explorer, self, index, state);
}

static void block_follow(struct explorer *explorer, uint32_t self)
{
	struct sass_flow *flow = explorer->flow;
	uint32_t context = flow->blocks[self].context, index = flow->blocks[self].first;
	const struct sass_listing *listing = flow->contexts[context].listing;
	const struct sass_survey *survey = survey_of(explorer, listing);
	struct barrier_state state = explorer->states[self];

	for (;; index++) {
		if (sass_opcode_is(&listing->insns[index], "BSSY"))
			barrier_open(explorer, context, &listing->insns[index], &state);
		flow->blocks[self].count = index + 1 - flow->blocks[self].first;
		if (sass_survey_ends_block(survey, index)) {
			end_follow(explorer, self, index, &state);
			return;
		}
		if (index + 1 >= listing->insn_count || survey->leader[index + 1]) {
			fall_follow(explorer, self, index, &state);
			return;
		}
	}
}

/* ---- order ------------------------------------------------------------------------------------------ */

struct position {
	uint32_t context, first, block;
};

static int position_compare(const void *left, const void *right)
{
	const struct position *a = left, *b = right;

	if (a->context != b->context)
		return a->context < b->context ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static uint32_t renumber(const uint32_t *number, uint32_t block)
{
	return block == SASS_NO_BLOCK ? SASS_NO_BLOCK : number[block];
}

/* A block that was found first may reach into one whose leader was found later: it ends there. */
static void block_trim(struct sass_basic_block *block, const struct sass_basic_block *next, uint32_t index)
{
	if (!next || next->context != block->context || block->first + block->count <= next->first)
		return;
	block->count = next->first - block->first;
	block->end = END_FALL;
	block->target = SASS_NO_BLOCK;
	block->target_count = 0;
	block->fall = index + 1;
}

/* Blocks of a context stand together in the order of the code. */
static void blocks_order(struct explorer *explorer)
{
	struct sass_flow *flow = explorer->flow;
	size_t count = flow->block_count;
	struct position *order = arena_array(explorer->scratch, count + 1, sizeof(*order));
	uint32_t *number = arena_array(explorer->scratch, count + 1, sizeof(*number));
	struct sass_basic_block *blocks = arena_array(flow->arena, count + 1, sizeof(*blocks));

	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct position){flow->blocks[i].context, flow->blocks[i].first, i};
	qsort(order, count, sizeof(*order), position_compare);
	for (uint32_t i = 0; i < count; i++)
		number[order[i].block] = i;
	for (uint32_t i = 0; i < count; i++) {
		struct sass_basic_block *block = &blocks[i];

		*block = flow->blocks[order[i].block];
		block->fall = renumber(number, block->fall);
		block->target = renumber(number, block->target);
		block->meet = renumber(number, block->meet);
		for (uint32_t k = 0; k < block->target_count; k++)
			block->targets[k] = renumber(number, block->targets[k]);
	}
	for (uint32_t i = 0; i < count; i++)
		block_trim(&blocks[i], i + 1 < count ? &blocks[i + 1] : NULL, i);
	flow->blocks = blocks;
}

static void predecessor_add(struct sass_flow *flow, uint32_t from, uint32_t to)
{
	struct sass_basic_block *block;

	if (to == SASS_NO_BLOCK)
		return;
	block = &flow->blocks[to];
	if (block->predecessor_count && block->predecessors[block->predecessor_count - 1] == from)
		return;
	ARENA_PUSH(flow->arena, block->predecessors, block->predecessor_count, from);
}

static void predecessors_find(struct sass_flow *flow)
{
	for (uint32_t i = 0; i < flow->block_count; i++) {
		predecessor_add(flow, i, flow->blocks[i].fall);
		predecessor_add(flow, i, flow->blocks[i].target);
		for (uint32_t k = 0; k < flow->blocks[i].target_count; k++)
			predecessor_add(flow, i, flow->blocks[i].targets[k]);
	}
}

/* Returns whether less recursion is to be copied. */
static bool flow_explore(struct sass_flow *flow, unsigned deepest)
{
	struct explorer explorer = {.flow = flow, .scratch = arena_create(), .deepest = deepest};
	struct sass_context kernel = {.listing = flow->kernel, .parent = SASS_NO_BLOCK};
	struct barrier_state none = {0};

	explorer.surveys = arena_array(explorer.scratch, flow->listings->count + 1, sizeof(*explorer.surveys));
	ARENA_PUSH(flow->arena, flow->contexts, flow->context_count, kernel);
	survey_need(&explorer, flow->kernel);
	flow->cold_first = survey_of(&explorer, flow->kernel)->cold;
	block_at(&explorer, 0, 0, &none);
	while (explorer.work_count && !flow->too_large)
		block_follow(&explorer, explorer.work[--explorer.work_count]);
	if (!flow->too_large) {
		blocks_order(&explorer);
		predecessors_find(flow);
	}
	arena_release(explorer.scratch);
	return flow->too_large && explorer.recurses && deepest > 1;
}

void sass_flow_build(struct sass_flow *flow)
{
	const struct sass_flow empty = *flow;

	for (unsigned deepest = MOST_RECURSION; flow_explore(flow, deepest); deepest /= 2)
		*flow = empty;
}

/*
 * Loop counters: the method of the thesis, section 3.3, and what today's compilers make necessary beyond it.
 *
 * The setp that decides the branch back compares a register: the counter; the constant that the body adds to it is the
 * step, which divided by the step in the source is the unroll factor. Beyond that: the predicate may be copied or
 * negated on its way to the branch; the sum may run through copies (mov) from register to register; and where the
 * branch back is unconditional, a branch out of the loop decides, the header's first. Only what happens exactly once in
 * a trip counts: the additions must be unguarded, unique in the loop, outside inner loops, and in blocks that dominate
 * all latches.
 *
 * A counter's step alone is no unroll factor where the source's step is not known. Where the compiler left a remainder
 * loop, what both do in a trip tells it; their counters need not, for the two may count in different units.
 */
#include "ptxparse/graph/passes.h"

/* A register written at more places than this in one function is taken for no counter. */
#define MAXIMUM_WRITES 256
/* So is one whose update runs through more instructions. */
#define MAXIMUM_CHAIN 16

/* Where registers are written: instructions of register r are at[first[r]] .. at[first[r + 1] - 1]. */
struct writes {
	uint32_t *first, *at, *block_of;
};

struct search {
	const struct ptx_function *function;
	const struct ptx_cfg *cfg;
	const struct graph_intervals *dominance;
	struct writes writes;
	uint32_t loop;
};

/* ---- where registers are written ------------------------------------------------------ */

/* Calls visit for each register that the instruction writes. */
static void written_each(const struct ptx_insn *insn, uint32_t index, void (*visit)(void *, uint32_t, uint32_t),
                         void *data)
{
	for (unsigned i = 0; i < insn->destinations; i++) {
		const struct ptx_operand *operand = &insn->operands[i];
		if (operand->kind == OPERAND_REGISTER)
			visit(data, operand->reg, index);
		for (unsigned k = 0; operand->kind == OPERAND_VECTOR && k < operand->count; k++)
			if (operand->elements[k].kind == OPERAND_REGISTER)
				visit(data, operand->elements[k].reg, index);
	}
}

static void write_count(void *data, uint32_t reg, uint32_t insn)
{
	struct writes *writes = data;
	(void)insn;
	writes->first[reg + 2]++;
}

static void write_put(void *data, uint32_t reg, uint32_t insn)
{
	struct writes *writes = data;
	writes->at[writes->first[reg + 1]++] = insn;
}

static struct writes writes_create(struct arena *scratch, const struct ptx_function *function)
{
	size_t registers = function->register_count;
	struct writes writes = {.first = arena_array(scratch, registers + 3, sizeof(uint32_t))};
	for (uint32_t i = 0; i < function->insn_count; i++)
		written_each(&function->insns[i], i, write_count, &writes);
	for (size_t r = 0; r <= registers; r++)
		writes.first[r + 1] += writes.first[r];
	writes.at = arena_array(scratch, writes.first[registers + 1] + 1u, sizeof(uint32_t));
	for (uint32_t i = 0; i < function->insn_count; i++)
		written_each(&function->insns[i], i, write_put, &writes);
	writes.block_of = arena_array(scratch, function->insn_count, sizeof(uint32_t));
	for (uint32_t b = 0; b < function->cfg->block_count; b++)
		for (uint32_t i = 0; i < function->cfg->blocks[b].count; i++)
			writes.block_of[function->cfg->blocks[b].first + i] = b;
	return writes;
}

/* The one instruction in the loop that writes the register, or NULL; *count says how many there are, up to 2. */
static const struct ptx_insn *write_in_loop(const struct search *search, uint32_t reg, unsigned *count)
{
	const struct writes *writes = &search->writes;
	const struct ptx_insn *found = NULL;
	*count = 0;
	if (writes->first[reg + 1] - writes->first[reg] > MAXIMUM_WRITES)
		*count = 2;
	for (uint32_t i = writes->first[reg]; i < writes->first[reg + 1] && *count < 2; i++)
		if (search->cfg->blocks[writes->block_of[writes->at[i]]].reachable &&
		    graph_loop_holds(search->cfg, search->loop, writes->block_of[writes->at[i]])) {
			found = &search->function->insns[writes->at[i]];
			++*count;
		}
	return *count == 1 ? found : NULL;
}

static uint32_t block_of(const struct search *search, const struct ptx_insn *insn)
{
	return search->writes.block_of[insn - search->function->insns];
}

/* Executed exactly once in every trip that comes back. */
static bool once_a_trip(const struct search *search, const struct ptx_insn *insn)
{
	const struct ptx_loop *loop = &search->cfg->loops[search->loop];
	uint32_t block = block_of(search, insn);
	if (insn->guarded || search->cfg->blocks[block].loop != search->loop)
		return false;
	for (uint32_t k = 0; k < loop->latch_count; k++)
		if (!graph_dominates(search->dominance, block, loop->latches[k]))
			return false;
	return true;
}

/* ---- the update of a counter -------------------------------------------------------------- */

/* What one instruction of the update does: value of its destination = value of `from` + add. */
struct definition_link {
	uint32_t from;
	int64_t add;
	bool constant; /* add is known */
};

static bool link_sum(const struct ptx_insn *insn, struct definition_link *link)
{
	const struct ptx_operand *a = &insn->operands[1], *b = &insn->operands[2];
	if (insn->operation == OP_add && a->kind == OPERAND_IMMEDIATE) {
		const struct ptx_operand *swapped = a;
		a = b;
		b = swapped;
	}
	if (insn->operand_count != 3 || a->kind != OPERAND_REGISTER || ptx_type_is_float(insn->type))
		return false;
	link->from = a->reg;
	link->constant = b->kind == OPERAND_IMMEDIATE;
	link->add = b->kind == OPERAND_IMMEDIATE ? (insn->operation == OP_sub ? -b->value : b->value) : 0;
	return b->kind == OPERAND_IMMEDIATE || b->kind == OPERAND_REGISTER;
}

static bool link_read(const struct ptx_insn *insn, struct definition_link *link)
{
	if (insn->operand_count < 2 || insn->operands[0].kind != OPERAND_REGISTER)
		return false;
	if (insn->operation == OP_mov && insn->operands[1].kind == OPERAND_REGISTER) {
		*link = (struct definition_link){insn->operands[1].reg, 0, true};
		return true;
	}
	return insn->operand_count == 3 && (insn->operation == OP_add || insn->operation == OP_sub) &&
	       link_sum(insn, link);
}

/*
 * Whether the register's value goes up by the same amount in every trip, and by which: follows its one writer in the
 * loop, and that one's source's, until a register comes again. *step is 0 where the amount is no constant.
 */
static bool counter_step(const struct search *search, uint32_t reg, int64_t *step)
{
	uint32_t seen[MAXIMUM_CHAIN] = {0};
	uint64_t sums[MAXIMUM_CHAIN] = {0}, sum = 0;
	bool constant = true;
	for (unsigned length = 0; length < MAXIMUM_CHAIN; length++) {
		struct definition_link link;
		unsigned count;
		const struct ptx_insn *insn;
		for (unsigned k = 0; k < length; k++)
			if (seen[k] == reg) {
				*step = constant ? (int64_t)(sum - sums[k]) : 0;
				return !constant || sum != sums[k];
			}
		insn = write_in_loop(search, reg, &count);
		if (!insn || !once_a_trip(search, insn) || !link_read(insn, &link))
			return false;
		seen[length] = reg;
		sums[length] = sum;
		sum += (uint64_t)link.add;
		constant &= link.constant;
		reg = link.from;
	}
	return false;
}

/* ---- the comparison that decides -------------------------------------------------------------- */

/* The setp in the loop that gives the predicate its value, through copies and negations, or NULL. */
static const struct ptx_insn *compare_find(const struct search *search, uint32_t predicate)
{
	for (unsigned length = 0; length < MAXIMUM_CHAIN; length++) {
		unsigned count;
		const struct ptx_insn *insn = write_in_loop(search, predicate, &count);
		if (!insn || insn->operation == OP_setp)
			return insn;
		if ((insn->operation != OP_not && insn->operation != OP_mov) || insn->operand_count != 2 ||
		    insn->operands[1].kind != OPERAND_REGISTER)
			return NULL;
		predicate = insn->operands[1].reg;
	}
	return NULL;
}

/* The guarded branch that ends the block, or NULL. */
static const struct ptx_insn *deciding_branch(const struct search *search, uint32_t block)
{
	const struct ptx_basic_block *b = &search->cfg->blocks[block];
	const struct ptx_insn *last = &search->function->insns[b->first + b->count - 1];
	return last->guarded && (ptx_insn_flags(last) & (FLAG_BRANCH | FLAG_EXIT)) ? last : NULL;
}

/* Fills the loop's counter from a setp whose register operand is one; a constant step is better than any. */
static bool counter_take(struct search *search, struct ptx_loop *loop, const struct ptx_insn *compare)
{
	unsigned first = compare->destinations;
	for (unsigned side = 0; side < 2 && first + 1 < compare->operand_count; side++) {
		const struct ptx_operand *counter = &compare->operands[first + side];
		int64_t step;
		if (counter->kind != OPERAND_REGISTER || ptx_type_is_float(compare->type) ||
		    !counter_step(search, counter->reg, &step) || (step == 0 && loop->counter != PTX_NO_REGISTER))
			continue;
		loop->counter = counter->reg;
		loop->step = step;
		loop->compare_insn = (uint32_t)(compare - search->function->insns);
		loop->bound = compare->operands[first + 1 - side];
		if (step != 0)
			return true;
	}
	return false;
}

/* Whether the branch at the block's end gives a counter with a constant step. */
static bool counter_from_block(struct search *search, struct ptx_loop *loop, uint32_t block)
{
	const struct ptx_insn *branch = deciding_branch(search, block);
	const struct ptx_insn *compare = branch ? compare_find(search, branch->guard) : NULL;
	return compare && counter_take(search, loop, compare);
}

static bool leaves_loop(const struct search *search, uint32_t block)
{
	const struct ptx_basic_block *b = &search->cfg->blocks[block];
	const struct ptx_insn *last = &search->function->insns[b->first + b->count - 1];
	if (ptx_insn_flags(last) & FLAG_EXIT)
		return true;
	for (int k = 0; k < 2; k++)
		if (b->successors[k] != PTX_NO_BASIC_BLOCK &&
		    !graph_loop_holds(search->cfg, search->loop, b->successors[k]))
			return true;
	return false;
}

static void counter_find(struct search *search, struct ptx_loop *loop)
{
	for (uint32_t k = loop->latch_count; k-- > 0;)
		if (counter_from_block(search, loop, loop->latches[k]))
			return;
	if (leaves_loop(search, loop->header) && counter_from_block(search, loop, loop->header))
		return;
	for (uint32_t k = 0; k < loop->block_count; k++)
		if (search->cfg->blocks[loop->blocks[k]].loop == search->loop && leaves_loop(search, loop->blocks[k]) &&
		    counter_from_block(search, loop, loop->blocks[k]))
			return;
}

static void place_set(const struct search *search, struct ptx_loop *loop)
{
	const struct ptx_basic_block *latch = &search->cfg->blocks[loop->latches[loop->latch_count - 1]];
	loop->place = search->function->insns[latch->first + latch->count - 1].place;
}

/* ---- remainder loops ---------------------------------------------------------------------------- */

/* What one trip through a loop's own blocks does, if it goes through all of them. */
struct work {
	uint64_t load_bytes, store_bytes, arithmetic;
};

static bool is_arithmetic(const struct ptx_insn *insn)
{
	return ptx_type_is_float(insn->type) && insn->operation != OP_mov && !(ptx_insn_flags(insn) & FLAG_LOAD) &&
	       !(ptx_insn_flags(insn) & FLAG_STORE);
}

static struct work work_of(const struct ptx_function *function, const struct ptx_loop *loop)
{
	struct work work = {0, 0, 0};
	for (uint32_t k = 0; k < loop->block_count; k++) {
		const struct ptx_basic_block *block = &function->cfg->blocks[loop->blocks[k]];
		for (uint32_t i = block->first; i < block->first + block->count; i++) {
			unsigned flags = ptx_insn_flags(&function->insns[i]),
				 bytes = ptx_insn_access_bytes(&function->insns[i]);
			work.load_bytes += flags & FLAG_LOAD ? bytes : 0;
			work.store_bytes += flags & FLAG_STORE ? bytes : 0;
			work.arithmetic += is_arithmetic(&function->insns[i]);
		}
	}
	return work;
}

/* How many times b goes into a, or 0 where that is no whole number. */
static uint64_t times(uint64_t a, uint64_t b)
{
	return b > 0 && a % b == 0 ? a / b : 0;
}

/* The number of trips of b whose loads and stores are those of one trip of a; without either, whose arithmetic. */
static uint64_t work_ratio(const struct work *a, const struct work *b)
{
	uint64_t loads = times(a->load_bytes, b->load_bytes), stores = times(a->store_bytes, b->store_bytes);
	if ((a->load_bytes || b->load_bytes) && (a->store_bytes || b->store_bytes))
		return loads == stores ? loads : 0;
	if (a->load_bytes || b->load_bytes)
		return loads;
	return a->store_bytes || b->store_bytes ? stores : times(a->arithmetic, b->arithmetic);
}

/* How many trips of b one trip of a does, or 0 where b is no remainder loop of a. */
static uint64_t unrolled_by(const struct ptx_function *function, const struct ptx_loop *a, const struct ptx_loop *b)
{
	struct work work_a, work_b;
	uint64_t ratio;
	if (a->parent != b->parent || a->place != b->place || a->place == 0 || !a->innermost || !b->innermost)
		return 0;
	if (a->step == 0 || b->step == 0)
		return 0;
	work_a = work_of(function, a);
	work_b = work_of(function, b);
	ratio = work_ratio(&work_a, &work_b);
	return ratio > 1 && ratio <= INT32_MAX && a->step % (int64_t)ratio == 0 ? ratio : 0;
}

/* A loop and its remainder stand one after the other, in either order. */
static void remainder_set(const struct ptx_function *function, uint32_t unrolled, uint32_t remainder)
{
	struct ptx_cfg *cfg = function->cfg;
	uint64_t factor = unrolled_by(function, &cfg->loops[unrolled], &cfg->loops[remainder]);
	if (factor == 0 || cfg->loops[remainder].remainder_of != PTX_NO_LOOP || cfg->loops[unrolled].unroll_factor > 1)
		return;
	cfg->loops[remainder].remainder_of = unrolled;
	cfg->loops[unrolled].unroll_factor = (uint32_t)factor;
}

static void remainders_find(const struct ptx_function *function)
{
	for (uint32_t l = 0; l + 1 < function->cfg->loop_count; l++) {
		remainder_set(function, l, l + 1);
		remainder_set(function, l + 1, l);
	}
}

void graph_counters_find(struct arena *scratch, struct ptx_function *function, const struct graph_intervals *dominance)
{
	struct search search = {.function = function, .cfg = function->cfg, .dominance = dominance};
	if (function->cfg->loop_count == 0)
		return;
	search.writes = writes_create(scratch, function);
	for (search.loop = 0; search.loop < function->cfg->loop_count; search.loop++) {
		struct ptx_loop *loop = &function->cfg->loops[search.loop];
		place_set(&search, loop);
		if (!loop->irreducible)
			counter_find(&search, loop);
	}
	remainders_find(function);
}

/*
 * Machine code as the SM's schedulers see it.
 *
 * Stall counts, scoreboards and wait masks are those that ptxas wrote. An instruction keeps its
 * pipe
 *
 *   busy = 32 lanes / lanes of a scheduler's pipe            issue_cycles.*
 *   reads(bank) = different registers of that parity         register.*, issue.wide_cycles
 *
 * less those that .reuse kept from the instruction before, while no other warp issues in between.
 * Loads, shuffles, special functions and doubles take two turns on the way to the pipes. A result
 * that a scoreboard guards is there after latency.*. A taken branch loses turns of instruction
 * fetch, more in long loops: issue.taken_branch_fetch_cycles, issue.taken_branch_far_cycles.
 * Assumed: the shortest loop around a branch decides; IMAD.HI behaves as IMAD.WIDE.
 */
#include "model/cost/full/full.h"

#include <math.h>
#include <string.h>

/* Where units alone do not say it. X(opcode, pipe, busy, latency) */
#define OPCODES(X)                                                                                                     \
	X("I2FP", FULL_ALU, pipe[FULL_ALU], convert_latency)                                                           \
	X("F2FP", FULL_ALU, pipe[FULL_ALU], convert_latency)                                                           \
	X("FCHK", FULL_XU, pipe[FULL_XU], special_latency)                                                             \
	X("VIADD", FULL_FMA_HEAVY, pipe[FULL_FMA_HEAVY], special_latency)                                              \
	X("IMAD.WIDE", FULL_FMA_HEAVY, wide_multiply, special_latency)                                                 \
	X("IMAD.HI", FULL_FMA_HEAVY, wide_multiply, special_latency)                                                   \
	X("HFMA2", FULL_FMA_HEAVY, pipe[FULL_FMA_HEAVY], special_latency)                                              \
	X("F2F.F32.F64", FULL_XU, slow_convert, double_convert_latency)                                                \
	X("F2I.F64", FULL_XU, slow_convert, double_convert_latency)                                                    \
	X("S2R", FULL_CONTROL, pipe[FULL_CONTROL], register_latency)                                                   \
	X("S2UR", FULL_CONTROL, pipe[FULL_CONTROL], register_latency)                                                  \
	X("CS2R", FULL_CONTROL, pipe[FULL_CONTROL], register_latency)                                                  \
	X("LDC", FULL_CONTROL, pipe[FULL_CONTROL], constant_latency)                                                   \
	X("ULDC", FULL_UNIFORM, pipe[FULL_UNIFORM], uniform_latency)                                                   \
	X("R2UR", FULL_ALU, pipe[FULL_ALU], uniform_latency)                                                           \
	X("SHFL", FULL_LSU, pipe[FULL_LSU], shuffle_latency)                                                           \
	X("VOTE", FULL_ALU, pipe[FULL_ALU], special_latency)

static bool opcode_is(const char *spelling, const char *opcode)
{
	size_t length = strlen(opcode);
	return strncmp(spelling, opcode, length) == 0 && (spelling[length] == 0 || spelling[length] == '.');
}

static enum full_pipe pipe_of(const struct sass_control *control)
{
	if (control->uniform)
		return FULL_UNIFORM;
	switch ((enum ptx_unit)control->unit) {
	case UNIT_FP32:
		return FULL_FMA;
	case UNIT_FP16:
	case UNIT_INT_MULTIPLY:
		return FULL_FMA_HEAVY;
	case UNIT_INT:
	case UNIT_SHIFT_COMPARE:
	case UNIT_MOVE:
		return FULL_ALU;
	case UNIT_FP64:
		return FULL_FP64;
	case UNIT_SFU:
	case UNIT_CONVERT:
		return FULL_XU;
	case UNIT_LOAD_STORE:
	case UNIT_TEXTURE:
	case UNIT_SHUFFLE:
		return FULL_LSU;
	case UNIT_TENSOR:
		return FULL_TENSOR;
	default:
		return FULL_CONTROL;
	}
}

static enum full_memory memory_of(const struct ptx_insn *insn)
{
	unsigned flags = ptx_insn_flags(insn);
	if (insn->space == SPACE_PARAM || insn->space == SPACE_CONST)
		return FULL_NO_MEMORY;
	if (flags & FLAG_ATOMIC && insn->space == SPACE_SHARED && strstr(insn->spelling, ".POPC"))
		return FULL_COUNTING;
	if (flags & FLAG_ATOMIC && insn->space == SPACE_SHARED && strstr(insn->spelling, ".CAST"))
		return FULL_EXCHANGING;
	if (flags & FLAG_ATOMIC)
		return insn->operation == OP_red ? FULL_REDUCTION : FULL_ATOMIC;
	return flags & FLAG_LOAD ? FULL_LOAD : flags & FLAG_STORE ? FULL_STORE : FULL_NO_MEMORY;
}

/* Whether the instruction before kept the register at that operand for this one. */
static bool is_kept(const struct sass_control *before, const struct sass_control *control, unsigned slot)
{
	return before && !before->yield && before->reuse >> slot & 1 && before->source[slot] == control->source[slot];
}

/* Whether an operand before this one is the same register, which is then read once. */
static bool is_repeated(const struct sass_control *control, unsigned slot)
{
	for (unsigned i = 0; i < slot; i++)
		if (control->source[i] == control->source[slot])
			return true;
	return false;
}

/* Registers that the instruction reads from each bank, and those that it reads only where they are kept no more. */
static void reads_count(const struct full_machine *machine, const struct sass_control *before,
                        const struct sass_control *control, struct full_insn *out)
{
	unsigned banks = machine->register_banks < FULL_BANKS ? 1 : FULL_BANKS;
	for (unsigned slot = 0; slot < ARRAY_COUNT(control->source); slot++) {
		uint8_t *reads = is_kept(before, control, slot) ? out->again : out->reads;
		if (control->source[slot] == SASS_NO_REGISTER || is_repeated(control, slot))
			continue;
		reads[control->source[slot] % banks]++;
		if (control->source_pairs >> slot & 1)
			reads[(control->source[slot] + 1u) % banks]++;
	}
}

/* How many instructions before in its basic block what it reads was computed, by bank. */
static void fresh_find(const struct ptx_function *function, const struct full_insn *first, struct full_insn *out)
{
	const struct sass_control *control = &function->sass->control[out->index];
	for (unsigned slot = 0; slot < ARRAY_COUNT(control->source); slot++)
		for (int ago = 1; ago <= FULL_FRESH && control->source[slot] != SASS_NO_REGISTER && out - ago >= first;
		     ago++) {
			uint8_t *fresh = &out->fresh[control->source[slot] % FULL_BANKS];
			if (function->sass->control[out[-ago].index].target != control->source[slot])
				continue;
			*fresh = (uint8_t)(*fresh && *fresh < ago ? *fresh : ago);
			break;
		}
}

/* Which banks an access to shared memory reads its address from, and what it stores. */
static void near_reads_find(const struct ptx_insn *insn, const struct sass_control *control, struct full_insn *out)
{
	for (unsigned slot = 0; slot < FULL_NEAR_READS && insn->space == SPACE_SHARED && out->memory; slot++)
		if (control->source[slot] != SASS_NO_REGISTER)
			out->near_reads[slot] = (uint8_t)(control->source[slot] % FULL_BANKS + 1);
}

static void pipe_fill(const struct full_machine *machine, const struct ptx_insn *insn,
                      const struct sass_control *control, struct full_insn *out)
{
	out->pipe = (uint8_t)pipe_of(control);
	out->busy = (float)machine->pipe[out->pipe];
	out->latency = (float)machine->special_latency;
	if (control->unit == UNIT_CONVERT)
		out->latency = (float)machine->convert_latency;
#define X(opcode, where, cycles, until)                                                                                \
	if (opcode_is(insn->spelling, opcode)) {                                                                       \
		out->pipe = where;                                                                                     \
		out->busy = (float)machine->cycles;                                                                    \
		out->latency = (float)machine->until;                                                                  \
	}
	OPCODES(X)
#undef X
}

static bool is_near(enum ptx_space space)
{
	return space != SPACE_GLOBAL && space != SPACE_LOCAL && space != SPACE_GENERIC;
}

/* Accesses to memory whose addresses have 64 bits. */
static bool is_far(const struct ptx_insn *insn, const struct full_insn *out)
{
	return out->memory != FULL_NO_MEMORY && (insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC);
}

/* Multiplications to 64 bits, or of which the upper half is asked for. */
static bool is_wide(const struct ptx_insn *insn)
{
	return opcode_is(insn->spelling, "IMAD.WIDE") || opcode_is(insn->spelling, "IMAD.HI");
}

/* Turns that it takes on the way from the banks of registers to the pipes. */
static double turns_of(const struct full_machine *machine, const struct ptx_insn *insn, const struct full_insn *out)
{
	if (out->pipe == FULL_UNIFORM || out->pipe == FULL_CONTROL)
		return 0;
	if (is_far(insn, out))
		return machine->global_issue;
	if (is_wide(insn))
		return machine->wide_issue;
	return out->pipe == FULL_XU || out->pipe == FULL_FP64 || opcode_is(insn->spelling, "SHFL")
	               ? machine->special_issue
	               : 1;
}

static void insn_fill(const struct full_machine *machine, const struct ptx_function *function, uint32_t index,
                      const struct sass_control *before, struct full_insn *out)
{
	const struct ptx_insn *insn = &function->insns[index];
	const struct sass_control *control = &function->sass->control[index];
	unsigned flags = ptx_insn_flags(insn);
	*out = (struct full_insn){.index = index,
	                          .stall = control->stall,
	                          .write_barrier = control->write_barrier,
	                          .read_barrier = control->read_barrier,
	                          .wait_mask = control->wait_mask,
	                          .memory = (uint8_t)memory_of(insn),
	                          .block_barrier = (flags & FLAG_BARRIER) != 0 && control->unit == UNIT_BARRIER,
	                          .exits = (flags & FLAG_EXIT) != 0,
	                          .yields = control->yield,
	                          .numbers_constant = control->numbered,
	                          .copies = insn->operation == OP_cp_async,
	                          .groups = opcode_is(insn->spelling, "LDGDEPBAR"),
	                          .depth = control->depth,
	                          .past_l1 = insn->volatile_access || insn->cache == CACHE_GLOBAL};
	pipe_fill(machine, insn, control, out);
	out->deferred = strstr(insn->spelling, "DEFER_BLOCKING") != NULL;
	out->goes_past = !out->memory && (out->pipe == FULL_FMA || out->pipe == FULL_FMA_HEAVY ||
	                                  out->pipe == FULL_ALU || out->pipe == FULL_UNIFORM);
	if (is_far(insn, out))
		out->pipe = FULL_GLOBAL;
	if (out->memory)
		out->latency =
			(float)(is_near((enum ptx_space)insn->space) ? machine->shared_latency : machine->l1_latency);
	reads_count(machine, before, control, out);
	near_reads_find(insn, control, out);
	for (unsigned b = 0; b < FULL_BANKS && is_wide(insn); b++) {
		out->reads[b] *= 2;
		out->again[b] *= 2;
	}
	out->reads[FULL_WAY] = (uint8_t)lround(turns_of(machine, insn, out));
	out->reads[FULL_FETCH] = 1;
	out->issue = is_wide(insn) ? (float)machine->wide_issue : 1;
	if (opcode_is(insn->spelling, "BSYNC"))
		out->stall = (uint8_t)full_later(out->stall, machine->reconvergence);
}

/* Bytes of code that are gone round where each block is run: of the shortest loop, by addresses, that it lies in; of
 * all the function where it lies in none. */
static void around_find(const struct ptx_cfg *cfg, struct full_code *code)
{
	uint32_t whole = 0;
	for (uint32_t b = 0; b < cfg->block_count; b++)
		whole = code->blocks[b].past > whole ? code->blocks[b].past : whole;
	for (uint32_t b = 0; b < cfg->block_count; b++)
		code->blocks[b].around = whole;
	for (uint32_t b = 0; b < cfg->block_count; b++)
		for (unsigned s = 0; s < ARRAY_COUNT(cfg->blocks[b].successors) && code->blocks[b].count; s++) {
			uint32_t to = cfg->blocks[b].successors[s];
			if (to == PTX_NO_BASIC_BLOCK || !code->blocks[to].count ||
			    code->blocks[to].address > code->blocks[b].address)
				continue;
			uint32_t first = code->blocks[to].address, past = code->blocks[b].past;
			for (uint32_t i = 0; i < cfg->block_count; i++)
				if (code->blocks[i].address >= first && code->blocks[i].past <= past &&
				    past - first < code->blocks[i].around)
					code->blocks[i].around = past - first;
		}
}

/* What the last instruction of each block loses where it is a branch that is taken. */
static void fetch_fill(const struct full_machine *machine, const struct ptx_cfg *cfg, const struct full_code *code)
{
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		const struct full_block *block = &code->blocks[b];
		double far = machine->branch_far ? machine_table_at(machine->branch_far, block->around) : 0;
		if (block->count)
			code->insns[block->first + block->count - 1].fetch = (float)(machine->branch_fetch - 1 + far);
	}
}

struct full_code *full_code_make(struct arena *arena, const struct full_machine *machine,
                                 const struct ptx_function *function)
{
	struct full_code *code = arena_alloc(arena, sizeof *code);
	code->insns = arena_array(arena, function->insn_count + 1, sizeof *code->insns);
	code->blocks = arena_array(arena, function->cfg->block_count + 1, sizeof *code->blocks);
	code->near = arena_array(arena, function->insn_count + 1, sizeof *code->near);
	for (uint32_t i = 0; i < function->insn_count; i++)
		code->near[i] = is_near((enum ptx_space)function->insns[i].space);
	for (uint32_t b = 0; b < function->cfg->block_count; b++) {
		const struct ptx_basic_block *block = &function->cfg->blocks[b];
		const struct sass_control *before = NULL;
		code->blocks[b].first = code->insn_count;
		for (uint32_t i = block->first; i < block->first + block->count; i++) {
			if (function->insns[i].synthetic)
				continue;
			insn_fill(machine, function, i, before, &code->insns[code->insn_count]);
			fresh_find(function, &code->insns[code->blocks[b].first], &code->insns[code->insn_count++]);
			before = &function->sass->control[i];
		}
		code->blocks[b].count = code->insn_count - code->blocks[b].first;
		if (code->blocks[b].count) {
			code->blocks[b].address =
				function->sass->control[code->insns[code->blocks[b].first].index].address;
			code->blocks[b].past = before->address + SASS_INSN_BYTES;
		}
	}
	around_find(function->cfg, code);
	fetch_fill(machine, function->cfg, code);
	return code;
}

/*
 * Machine code as the SM's schedulers see it.
 *
 * Stall counts, scoreboards and wait masks are those that ptxas wrote into each instruction. An instruction keeps its pipe for
 *
 *   busy = 32 lanes / lanes of a scheduler's pipe, as measured (issue_cycles.*)
 *
 * and a result of variable latency that is no memory's is there after the latency of its unit (latency.*). Instructions of fixed latency need none: the
 * stall counts hold it. Assumed: an FFMA of three different registers without reuse pays what the average one of the microbenchmark does.
 */
#include "model/cost/full/full.h"

#include <string.h>

/* Where units alone do not say it. X(opcode, pipe, busy, latency) */
#define OPCODES(X)                                                                                                                 \
	X("I2FP", FULL_ALU, pipe[FULL_ALU], convert_latency)                                                                       \
	X("F2FP", FULL_ALU, pipe[FULL_ALU], convert_latency)                                                                       \
	X("IMAD.WIDE", FULL_FMA_HEAVY, wide_multiply, special_latency)                                                             \
	X("IMAD.HI", FULL_FMA_HEAVY, wide_multiply, special_latency)                                                               \
	X("HFMA2", FULL_FMA_HEAVY, pipe[FULL_FMA_HEAVY], special_latency)                                                          \
	X("F2F.F32.F64", FULL_XU, slow_convert, double_convert_latency)                                                            \
	X("F2I.F64", FULL_XU, slow_convert, double_convert_latency)                                                                \
	X("S2R", FULL_CONTROL, pipe[FULL_CONTROL], register_latency)                                                               \
	X("S2UR", FULL_CONTROL, pipe[FULL_CONTROL], register_latency)                                                              \
	X("CS2R", FULL_CONTROL, pipe[FULL_CONTROL], register_latency)                                                              \
	X("LDC", FULL_CONTROL, pipe[FULL_CONTROL], constant_latency)                                                               \
	X("ULDC", FULL_UNIFORM, pipe[FULL_UNIFORM], uniform_latency)                                                               \
	X("R2UR", FULL_ALU, pipe[FULL_ALU], uniform_latency)                                                                       \
	X("SHFL", FULL_LSU, pipe[FULL_LSU], shuffle_latency)                                                                       \
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
	if (flags & FLAG_ATOMIC)
		return insn->operation == OP_red ? FULL_REDUCTION : FULL_ATOMIC;
	return flags & FLAG_LOAD ? FULL_LOAD : flags & FLAG_STORE ? FULL_STORE : FULL_NO_MEMORY;
}

/* Whether a fused multiply-add reads three different registers, none of them from the operand cache. */
static bool three_registers(const struct ptx_insn *insn, const struct sass_control *control)
{
	unsigned count = 0;
	for (unsigned i = insn->destinations; i < insn->operand_count; i++) {
		bool fresh = insn->operands[i].kind == OPERAND_REGISTER;
		for (unsigned k = insn->destinations; k < i; k++)
			fresh = fresh &&
			        !(insn->operands[k].kind == OPERAND_REGISTER && insn->operands[k].reg == insn->operands[i].reg);
		count += fresh;
	}
	return count >= 3 && !control->reuse;
}

static void pipe_fill(const struct full_machine *machine, const struct ptx_insn *insn, const struct sass_control *control,
                      struct full_insn *out)
{
	out->pipe = (uint8_t)pipe_of(control);
	out->busy = (float)machine->pipe[out->pipe];
	out->latency = (float)machine->special_latency;
	if (control->unit == UNIT_CONVERT)
		out->latency = (float)machine->convert_latency;
	if (insn->operation == OP_fma && out->pipe == FULL_FMA && three_registers(insn, control))
		out->busy = (float)machine->fma_three_registers;
#define X(opcode, where, cycles, until)                                                                                            \
	if (opcode_is(insn->spelling, opcode)) {                                                                                   \
		out->pipe = where;                                                                                                 \
		out->busy = (float)machine->cycles;                                                                                \
		out->latency = (float)machine->until;                                                                              \
	}
	OPCODES(X)
#undef X
}

static void insn_fill(const struct full_machine *machine, const struct ptx_function *function, uint32_t index,
                      struct full_insn *out)
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
	                          .exits = (flags & FLAG_EXIT) != 0};
	pipe_fill(machine, insn, control, out);
}

struct full_code *full_code_make(struct arena *arena, const struct full_machine *machine, const struct ptx_function *function)
{
	struct full_code *code = arena_alloc(arena, sizeof *code);
	code->insns = arena_array(arena, function->insn_count + 1, sizeof *code->insns);
	code->blocks = arena_array(arena, function->cfg->block_count + 1, sizeof *code->blocks);
	for (uint32_t b = 0; b < function->cfg->block_count; b++) {
		const struct ptx_basic_block *block = &function->cfg->blocks[b];
		code->blocks[b].first = code->insn_count;
		for (uint32_t i = block->first; i < block->first + block->count; i++)
			if (!function->insns[i].synthetic)
				insn_fill(machine, function, i, &code->insns[code->insn_count++]);
		code->blocks[b].count = code->insn_count - code->blocks[b].first;
	}
	return code;
}

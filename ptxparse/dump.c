/*
 * The stable text of every stage: what golden tests compare and `coalesce ptx` prints. Deterministic, one fact a line.
 */
#include <inttypes.h>

#include "ptxparse/ptxparse.h"

/* ---- operands ------------------------------------------------------------------------ */

static void offset_dump(struct text *out, int64_t offset)
{
	if (offset)
		text_printf(out, "%+" PRId64, offset);
}

static const char *register_name(const struct ptx_function *function, uint32_t reg)
{
	return reg < function->register_count ? function->registers[reg].name : "?";
}

static void scalar_dump(struct text *out, const struct ptx_function *function, const struct ptx_operand *operand)
{
	if (operand->negated)
		text_puts(out, "!");
	switch ((enum ptx_operand_kind)operand->kind) {
	case OPERAND_REGISTER:
		text_puts(out, register_name(function, operand->reg));
		break;
	case OPERAND_IMMEDIATE:
		text_printf(out, "%" PRId64, operand->value);
		break;
	case OPERAND_SPECIAL:
		text_puts(out, ptx_special_name((enum ptx_special)operand->value));
		break;
	case OPERAND_SYMBOL:
		text_puts(out, operand->symbol);
		offset_dump(out, operand->value);
		break;
	case OPERAND_LABEL:
		text_printf(out, "->%" PRId64, operand->value);
		break;
	default:
		text_puts(out, "_");
		break;
	}
}

static void address_dump(struct text *out, const struct ptx_function *function, const struct ptx_operand *operand)
{
	text_puts(out, "[");
	if (operand->symbol)
		text_puts(out, operand->symbol);
	else if (operand->reg != PTX_NO_REGISTER)
		text_puts(out, register_name(function, operand->reg));
	else
		text_printf(out, "%" PRId64, operand->value);
	if (operand->symbol || operand->reg != PTX_NO_REGISTER)
		offset_dump(out, operand->value);
	text_puts(out, "]");
}

static void operand_dump(struct text *out, const struct ptx_function *function, const struct ptx_operand *operand)
{
	if (operand->kind == OPERAND_ADDRESS) {
		address_dump(out, function, operand);
		return;
	}
	if (operand->kind != OPERAND_VECTOR) {
		scalar_dump(out, function, operand);
		return;
	}
	text_puts(out, "{");
	for (unsigned i = 0; i < operand->count; i++) {
		text_puts(out, i ? ", " : "");
		scalar_dump(out, function, &operand->elements[i]);
	}
	text_puts(out, "}");
}

/* ---- places ------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *last = path;
	for (const char *c = path; c && *c; c++)
		if (*c == '/')
			last = c + 1;
	return last ? last : "?";
}

/* "x.cu:12:3", and for inlined code " in f < x.cu:20:1" with the place of the call. */
static void place_dump(struct text *out, const struct ptx_module *module, uint32_t index)
{
	for (unsigned depth = 0; index && depth < 100; depth++) {
		const struct ptx_place *place = &module->places[index];
		text_printf(out, "%s%s:%u:%u", depth ? " < " : "", base_name(place->place.file), place->place.line,
		            place->place.column);
		if (place->function)
			text_printf(out, " in %.200s", place->function);
		index = place->inlined_at;
	}
}

/* ---- modules, variables, functions ----------------------------------------------------------- */

static void variable_dump(struct text *out, const char *what, const struct ptx_variable *variable)
{
	text_printf(out, "%s %s: .%s %s x %" PRIu64 ", align %u, offset %" PRIu64, what, variable->name,
	            ptx_space_name(variable->space), ptx_type_name(variable->type), variable->count,
	            variable->align_bytes, variable->offset);
	text_puts(out, variable->is_extern ? ", extern" : "");
	for (uint64_t i = 0; i < variable->initial_bytes && i < 32; i++)
		text_printf(out, "%s%02x", i ? " " : " = ", variable->initial[i]);
	text_puts(out, variable->initial_bytes > 32 ? " ...\n" : "\n");
}

static void insn_dump(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
                      uint32_t index)
{
	const struct ptx_insn *insn = &function->insns[index];
	text_printf(out, "    %u: ", index);
	if (insn->guarded)
		text_printf(out, "@%s%s ", insn->guard_negated ? "!" : "", register_name(function, insn->guard));
	text_puts(out, insn->spelling);
	for (unsigned i = 0; i < insn->operand_count; i++) {
		text_puts(out, i == 0 ? " " : i == insn->destinations ? " <- " : ", ");
		operand_dump(out, function, &insn->operands[i]);
	}
	if (insn->operation == OP_OPAQUE)
		text_puts(out, " (opaque)");
	if (insn->place) {
		text_puts(out, "  ; ");
		place_dump(out, module, insn->place);
	}
	text_puts(out, "\n");
}

/* "  registers: b32 7, pred 1" by type, in the table's order. */
static void registers_dump(struct text *out, const struct ptx_function *function)
{
	size_t counts[PTX_TYPE_COUNT] = {0};
	const char *separator = "  registers: ";
	for (size_t i = 0; i < function->register_count; i++)
		counts[function->registers[i].type]++;
	for (unsigned type = 0; type < PTX_TYPE_COUNT; type++)
		if (counts[type]) {
			text_printf(out, "%s%s %zu", separator, ptx_type_name(type), counts[type]);
			separator = ", ";
		}
	text_puts(out, function->register_count ? "\n" : "");
}

static void threads_dump(struct text *out, const char *what, const uint32_t threads[static 3])
{
	if (threads[0])
		text_printf(out, ", %s %ux%ux%u", what, threads[0], threads[1], threads[2]);
}

static void function_head_dump(struct text *out, const struct ptx_function *function)
{
	text_printf(out, "%s %s%s%s", function->is_kernel ? "kernel" : "function", function->name,
	            function->has_body ? "" : ", declared", function->no_return ? ", noreturn" : "");
	threads_dump(out, "required", function->required_threads);
	threads_dump(out, "maximum", function->maximum_threads);
	if (function->minimum_blocks)
		text_printf(out, ", blocks %u", function->minimum_blocks);
	if (function->maximum_registers)
		text_printf(out, ", maxnreg %u", function->maximum_registers);
	text_puts(out, "\n");
}

static void function_dump(struct text *out, const struct ptx_module *module, const struct ptx_function *function)
{
	const struct ptx_cfg *cfg = function->cfg;
	function_head_dump(out, function);
	for (size_t i = 0; i < function->result_count; i++)
		variable_dump(out, "  result", &function->results[i]);
	for (size_t i = 0; i < function->parameter_count; i++)
		variable_dump(out, "  parameter", &function->parameters[i]);
	for (size_t i = 0; i < function->local_count; i++)
		variable_dump(out, "  variable", &function->locals[i]);
	registers_dump(out, function);
	if (!cfg)
		for (uint32_t i = 0; i < function->insn_count; i++)
			insn_dump(out, module, function, i);
	for (uint32_t b = 0; cfg && b < cfg->block_count; b++) {
		text_printf(out, "  block %u%s\n", b, cfg->blocks[b].reachable ? "" : " (dead)");
		for (uint32_t i = 0; i < cfg->blocks[b].count; i++)
			insn_dump(out, module, function, cfg->blocks[b].first + i);
	}
}

void ptx_dump(struct text *out, const struct ptx_module *module)
{
	text_printf(out, "ptx %u.%u, target %s, %u bits\n", module->version_major, module->version_minor,
	            module->target, module->address_bits);
	for (size_t i = 0; i < module->variable_count; i++)
		variable_dump(out, "variable", &module->variables[i]);
	for (size_t i = 0; i < module->function_count; i++)
		function_dump(out, module, &module->functions[i]);
}

/* ---- control flow ------------------------------------------------------------------------------ */

static void list_dump(struct text *out, const char *what, const uint32_t *list, uint32_t count)
{
	text_printf(out, "%s", what);
	for (uint32_t i = 0; i < count; i++)
		text_printf(out, "%s%u", i ? "," : " ", list[i]);
}

static void number_dump(struct text *out, const char *what, uint32_t number)
{
	if (number != UINT32_MAX)
		text_printf(out, "%s %u", what, number);
}

static void block_dump(struct text *out, const struct ptx_cfg *cfg, uint32_t index)
{
	const struct ptx_basic_block *block = &cfg->blocks[index];
	text_printf(out, "  block %u: %u+%u", index, block->first, block->count);
	if (!block->reachable)
		text_puts(out, ", dead");
	number_dump(out, ", next", block->successors[0]);
	number_dump(out, ", branch", block->successors[1]);
	if (block->target_count)
		list_dump(out, ", targets", block->targets, block->target_count);
	number_dump(out, ", dominator", block->dominator);
	number_dump(out, ", meets at", block->post_dominator);
	number_dump(out, ", loop", block->loop);
	text_puts(out, "\n");
}

static void loop_dump(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
                      uint32_t index)
{
	const struct ptx_loop *loop = &function->cfg->loops[index];
	text_printf(out, "  loop %u: header %u, depth %u%s%s", index, loop->header, loop->depth,
	            loop->innermost ? ", innermost" : "", loop->irreducible ? ", irreducible" : "");
	number_dump(out, ", in", loop->parent);
	list_dump(out, ", blocks", loop->blocks, loop->block_count);
	list_dump(out, ", latches", loop->latches, loop->latch_count);
	if (loop->place) {
		text_puts(out, "  ; ");
		place_dump(out, module, loop->place);
	}
	text_puts(out, "\n");
	if (loop->unroll_factor > 1)
		text_printf(out, "    unrolled by %u\n", loop->unroll_factor);
	number_dump(out, "    remainder of", loop->remainder_of);
	text_puts(out, loop->remainder_of != PTX_NO_LOOP ? "\n" : "");
	if (loop->counter == PTX_NO_REGISTER)
		return;
	text_printf(out, "    counter %s, step ", register_name(function, loop->counter));
	if (loop->step)
		text_printf(out, "%" PRId64, loop->step);
	else
		text_puts(out, "unknown");
	text_puts(out, ", bound ");
	operand_dump(out, function, &loop->bound);
	text_printf(out, ", by %u: %s\n", loop->compare_insn, function->insns[loop->compare_insn].spelling);
}

void ptx_dump_cfg(struct text *out, const struct ptx_module *module)
{
	for (size_t i = 0; i < module->function_count; i++) {
		const struct ptx_function *function = &module->functions[i];
		if (!function->cfg)
			continue;
		text_printf(out, "cfg %s\n", function->name);
		for (uint32_t b = 0; b < function->cfg->block_count; b++)
			block_dump(out, function->cfg, b);
		for (uint32_t l = 0; l < function->cfg->loop_count; l++)
			loop_dump(out, module, function, l);
	}
}

/* ---- memory instructions ---------------------------------------------------------------------------- */

static const char *access_kind(const struct ptx_insn *insn)
{
	unsigned flags = ptx_insn_flags(insn);
	if (flags & FLAG_ATOMIC)
		return flags & FLAG_LOAD ? "atomic" : "reduction";
	if (insn->operation == OP_cp_async || insn->operation == OP_cp_async_bulk)
		return "copy";
	return flags & FLAG_LOAD ? "load" : "store";
}

static void memory_dump(struct text *out, const struct ptx_module *module, const struct ptx_insn *insn, size_t index)
{
	unsigned flags = ptx_insn_flags(insn);
	if (!(flags & (FLAG_LOAD | FLAG_STORE)))
		return;
	text_printf(out, "  %zu: %s %s %u bytes", index, ptx_space_name(insn->space), access_kind(insn),
	            ptx_insn_access_bytes(insn));
	if (insn->vector > 1)
		text_printf(out, ", vector %u", insn->vector);
	if (insn->place) {
		text_puts(out, "  ; ");
		place_dump(out, module, insn->place);
	}
	text_puts(out, "\n");
}

void ptx_dump_memory(struct text *out, const struct ptx_module *module)
{
	for (size_t i = 0; i < module->function_count; i++) {
		const struct ptx_function *function = &module->functions[i];
		if (!function->has_body)
			continue;
		text_printf(out, "memory %s\n", function->name);
		for (size_t k = 0; k < function->insn_count; k++)
			memory_dump(out, module, &function->insns[k], k);
	}
}

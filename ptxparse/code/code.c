/*
 * What instructions do by their operation's row, and what names a module knows.
 */
#include "ptxparse/code/code.h"

#include <string.h>

#define SYMBOL_MOST 100000 /* characters of a name */

static const struct operation_row {
	const char *name;
	uint8_t unit, latency, flags;
} operations[OP_COUNT] = {
	[OP_OPAQUE] = {"opaque", UNIT_NONE, LATENCY_SHORT, 0},
#define X(operation, unit, latency, flags) [OP_##operation] = {#operation, UNIT_##unit, LATENCY_##latency, flags},
#include "ptxparse/code/operations.def"
#undef X
};

const char *ptx_operation_name(enum ptx_operation operation)
{
	return operations[operation].name;
}

unsigned ptx_insn_flags(const struct ptx_insn *insn)
{
	unsigned flags = operations[insn->operation].flags;
	return insn->no_return ? flags | FLAG_EXIT : flags;
}

enum ptx_latency ptx_insn_latency(const struct ptx_insn *insn)
{
	return operations[insn->operation].latency;
}

/* The unit for floating-point arithmetic of a type. */
static enum ptx_unit float_unit(enum ptx_type type)
{
	switch (type) {
	case PTX_f64:
		return UNIT_FP64;
	case PTX_f16:
	case PTX_f16x2:
	case PTX_bf16:
	case PTX_bf16x2:
		return UNIT_FP16;
	default:
		return UNIT_FP32;
	}
}

static enum ptx_unit convert_unit(const struct ptx_insn *insn)
{
	bool floating = ptx_type_is_float(insn->type) || ptx_type_is_float(insn->source_type);
	return floating ? UNIT_CONVERT : UNIT_INT;
}

/* Operations that choose or copy bits, whatever these stand for. */
static bool moves_bits(enum ptx_operation operation)
{
	return operation == OP_selp || operation == OP_slct || operation == OP_copysign;
}

enum ptx_unit ptx_insn_unit(const struct ptx_insn *insn)
{
	enum ptx_unit unit = operations[insn->operation].unit;
	enum ptx_type type = insn->operation == OP_set ? insn->source_type : insn->type;
	if (moves_bits((enum ptx_operation)insn->operation))
		return unit;
	switch (unit) {
	case UNIT_INT:
	case UNIT_INT_MULTIPLY:
	case UNIT_FP32:
		return ptx_type_is_float(type) ? float_unit(type) : unit;
	case UNIT_SHIFT_COMPARE:
		return ptx_type_is_float(type) && float_unit(type) != UNIT_FP32 ? float_unit(type) : unit;
	case UNIT_CONVERT:
		return convert_unit(insn);
	default:
		return unit;
	}
}

static unsigned operand_bytes(const struct ptx_insn *insn, unsigned operand)
{
	bool known = operand < insn->operand_count && insn->operands[operand].kind == OPERAND_IMMEDIATE;
	return known ? (unsigned)insn->operands[operand].value : 0;
}

unsigned ptx_insn_access_bytes(const struct ptx_insn *insn)
{
	if (!(operations[insn->operation].flags & (FLAG_LOAD | FLAG_STORE)))
		return 0;
	if (insn->operation == OP_cp_async || insn->operation == OP_cp_async_bulk)
		return operand_bytes(insn, 2);
	return ptx_type_bytes(insn->type) * insn->vector;
}

/* ---- names in a module ---- */

struct ptx_function *ptx_module_find(const struct ptx_module *module, const char *name)
{
	for (size_t i = 0; i < module->function_count; i++)
		if (strcmp(module->functions[i].name, name) == 0)
			return &module->functions[i];
	return NULL;
}

static const struct ptx_variable *find_in(const struct ptx_variable *list, size_t count, const char *symbol)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].name == symbol || strcmp(list[i].name, symbol) == 0)
			return &list[i];
	return NULL;
}

const struct ptx_variable *ptx_variable_find(const struct ptx_module *module, const struct ptx_function *function,
                                             const char *symbol)
{
	const struct ptx_variable *found = NULL;
	if (function)
		found = find_in(function->locals, function->local_count, symbol);
	if (function && !found)
		found = find_in(function->parameters, function->parameter_count, symbol);
	if (function && !found)
		found = find_in(function->results, function->result_count, symbol);
	return found ? found : find_in(module->variables, module->variable_count, symbol);
}

/* ---- contents of constant memory --------------------------------------------------------------- */

/* The next name of a mangled one: its begin, and where it ends; NULL where there is none. */
static const char *name_next(const char *at, const char **end)
{
	size_t length = 0;

	while (*at == 'N' || *at == 'L')
		at++;
	for (; *at >= '0' && *at <= '9' && length < SYMBOL_MOST; at++)
		length = 10 * length + (size_t)(*at - '0');
	if (length == 0 || strnlen(at, length) < length)
		return NULL;
	*end = at + length;
	return at;
}

bool ptx_symbol_names(const char *symbol, const char *name)
{
	const char *last = NULL, *end = NULL, *next = strncmp(symbol, "_Z", 2) == 0 ? symbol + 2 : NULL;

	while (next && (next = name_next(next, &end))) {
		last = next;
		next = end;
	}
	return last ? (size_t)(end - last) == strlen(name) && strncmp(last, name, strlen(name)) == 0
	            : strcmp(symbol, name) == 0;
}

void ptx_fill(struct ptx_module *module, const struct ptx_content *contents, size_t count)
{
	for (size_t v = 0; v < module->variable_count; v++) {
		struct ptx_variable *variable = &module->variables[v];

		for (size_t c = 0; c < count; c++)
			if (variable->space == SPACE_CONST && ptx_symbol_names(variable->name, contents[c].name)) {
				variable->initial = contents[c].bytes;
				variable->initial_known = contents[c].known;
				variable->initial_bytes = contents[c].size;
			}
	}
}

bool ptx_insn_counts(const struct ptx_insn *insn)
{
	return insn->operation == OP_atom && (insn->atomic == ATOMIC_ADD || insn->atomic == ATOMIC_INC) &&
	       !ptx_type_is_float((enum ptx_type)insn->type);
}

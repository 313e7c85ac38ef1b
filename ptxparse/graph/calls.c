/*
 * Calls of device functions in PTX text, each replaced by a copy of the function's body.
 *
 * The call becomes a branch to the copy and `ret` a branch behind it; both stay instructions that are executed. A copy
 * has registers and .param variables of its own. Formal parameters bear the names of the actual ones, which the
 * evaluator holds in registers. A function that calls itself is copied as deep as MOST_DEPTH and MOST_COPIED allow,
 * equally deep at every call. Calls beyond that, of functions without a body, through registers, or with other operands
 * than .param variables stay calls.
 */
#include "ptxparse/graph/graph.h"

#include <string.h>

/* copies of a function within each other: recursion; each level down halves it where the code grows too long */
#define MOST_DEPTH 16
#define MOST_NESTED 32     /* copies within each other in all */
#define MOST_COPIED 100000 /* instructions */

struct copier {
	struct arena *arena;
	const struct ptx_module *module;
	struct ptx_function *out;
	unsigned deepest; /* copies of a function within each other that are made */
	uint32_t copies;
};

/* A function being copied. */
struct copy {
	const struct ptx_function *function;
	const struct copy *caller;   /* NULL: the kernel itself */
	const struct ptx_insn *call; /* as it stands in the caller's copy */
	uint32_t number, first_register, depth;
	uint64_t local_offset;
};

/* ---- which calls are followed ---------------------------------------------------------------- */

/* The function that a call names, where its body can stand for the call; or NULL. */
static const struct ptx_function *callee_of(const struct ptx_module *module, const struct ptx_insn *insn)
{
	const struct ptx_function *callee;
	unsigned first = insn->destinations + 1u;
	if (insn->operation != OP_call || insn->no_return || insn->operand_count < first ||
	    insn->operands[insn->destinations].kind != OPERAND_SYMBOL)
		return NULL;
	callee = ptx_module_find(module, insn->operands[insn->destinations].symbol);
	if (!callee || !callee->has_body || callee->is_kernel || callee->result_count != insn->destinations ||
	    callee->parameter_count != insn->operand_count - first)
		return NULL;
	for (unsigned i = 0; i < insn->operand_count; i++)
		if (insn->operands[i].kind != OPERAND_SYMBOL)
			return NULL;
	return callee;
}

/* How many copies of a function are around this one, itself included. */
static unsigned copies_around(const struct copy *copy, const struct ptx_function *function)
{
	unsigned count = 0;
	for (; copy; copy = copy->caller)
		count += copy->function == function;
	return count;
}

static const struct ptx_function *followed(const struct copier *copier, const struct copy *copy,
                                           const struct ptx_insn *insn)
{
	const struct ptx_function *callee = callee_of(copier->module, insn);
	bool follow = callee && copy->depth < MOST_NESTED && copies_around(copy, callee) < copier->deepest;
	return follow ? callee : NULL;
}

/* Adds the instructions of a copy and of those within it, until there are too many. */
static void size_add(const struct copier *copier, const struct copy *copy, size_t *size)
{
	*size += copy->function->insn_count;
	for (size_t i = 0; i < copy->function->insn_count && *size <= MOST_COPIED; i++) {
		const struct ptx_function *callee = followed(copier, copy, &copy->function->insns[i]);
		struct copy inner = {.function = callee, .caller = copy, .depth = copy->depth + 1};
		if (callee)
			size_add(copier, &inner, size);
	}
}

/* ---- names --------------------------------------------------------------------------------------- */

static size_t variable_index(const struct ptx_variable *list, size_t count, const char *name)
{
	size_t i = 0;
	while (i < count && strcmp(list[i].name, name) != 0)
		i++;
	return i;
}

/* What a name of the function is called in its copy. */
static const char *name_in(const struct copier *copier, const struct copy *copy, const char *name)
{
	const struct ptx_function *function = copy->function;
	size_t parameter, result;
	if (!copy->caller)
		return name;
	parameter = variable_index(function->parameters, function->parameter_count, name);
	if (parameter < function->parameter_count)
		return copy->call->operands[copy->call->destinations + 1 + parameter].symbol;
	result = variable_index(function->results, function->result_count, name);
	if (result < function->result_count)
		return copy->call->operands[result].symbol;
	if (variable_index(function->locals, function->local_count, name) == function->local_count &&
	    (ptx_variable_find(copier->module, NULL, name) || ptx_module_find(copier->module, name)))
		return name;
	return arena_printf(copier->arena, "%s:%u", name, copy->number);
}

/* Variables that the function declares become the caller's, in local memory behind those that are there. */
static void locals_copy(struct copier *copier, const struct copy *copy)
{
	for (size_t i = 0; i < copy->function->local_count; i++) {
		struct ptx_variable variable = copy->function->locals[i];
		variable.name = name_in(copier, copy, variable.name);
		variable.offset += variable.space == SPACE_LOCAL ? copy->local_offset : 0;
		ARENA_PUSH(copier->arena, copier->out->locals, copier->out->local_count, variable);
	}
}

/* ---- instructions -------------------------------------------------------------------------------- */

static void operands_copy(const struct copier *copier, const struct copy *copy, struct ptx_operand **list, size_t count)
{
	struct ptx_operand *own = arena_array(copier->arena, count + 1, sizeof *own);
	for (size_t i = 0; i < count; i++) {
		own[i] = (*list)[i];
		if ((own[i].kind == OPERAND_REGISTER || own[i].kind == OPERAND_ADDRESS) &&
		    own[i].reg != PTX_NO_REGISTER)
			own[i].reg += copy->first_register;
		if (own[i].kind == OPERAND_VECTOR)
			operands_copy(copier, copy, &own[i].elements, own[i].count);
		else if (own[i].symbol)
			own[i].symbol = name_in(copier, copy, own[i].symbol);
	}
	*list = own;
}

static struct ptx_insn insn_copy(const struct copier *copier, const struct copy *copy, const struct ptx_insn *insn)
{
	struct ptx_insn own = *insn;
	operands_copy(copier, copy, &own.operands, own.operand_count);
	own.guard += own.guarded ? copy->first_register : 0;
	return own;
}

/* Makes a branch of a call or return; its label is set with those of the copy. */
static void branch_make(const struct copier *copier, struct ptx_insn *insn)
{
	insn->operation = OP_bra;
	insn->destinations = 0;
	insn->operand_count = 1;
	insn->operands = arena_array(copier->arena, 1, sizeof *insn->operands);
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_LABEL, .reg = PTX_NO_REGISTER};
}

static void labels_set(const struct ptx_insn *insn, const uint32_t *places)
{
	for (unsigned i = 0; i < insn->operand_count; i++) {
		struct ptx_operand *operand = &insn->operands[i];
		if (operand->kind == OPERAND_LABEL)
			operand->value = places[operand->value];
		for (unsigned j = 0; operand->kind == OPERAND_VECTOR && j < operand->count; j++)
			if (operand->elements[j].kind == OPERAND_LABEL)
				operand->elements[j].value = places[operand->elements[j].value];
	}
}

static void function_copy(struct copier *copier, const struct copy *copy);

/* Adds a call as a branch, and behind it the function. Under a guard the branch goes around it. */
static void call_copy(struct copier *copier, const struct copy *copy, const struct ptx_function *callee,
                      struct ptx_insn *call, uint32_t next)
{
	struct ptx_insn *actual = arena_alloc(copier->arena, sizeof *actual);
	struct copy inner = {.function = callee,
	                     .caller = copy,
	                     .call = actual,
	                     .number = ++copier->copies,
	                     .first_register = (uint32_t)copier->out->register_count,
	                     .depth = copy->depth + 1,
	                     .local_offset = (copier->out->local_bytes + 15) / 16 * 16};
	*actual = *call;
	branch_make(copier, call);
	call->guard_negated = !call->guard_negated;
	call->operands[0].value = next;
	ARENA_PUSH(copier->arena, copier->out->insns, copier->out->insn_count, *call);
	function_copy(copier, &inner);
}

/* Labels stand for places of the function; afterwards for those of its copy. */
static void function_copy(struct copier *copier, const struct copy *copy)
{
	const struct ptx_function *function = copy->function;
	struct ptx_function *out = copier->out;
	uint32_t *places = arena_array(copier->arena, function->insn_count + 1, sizeof *places);
	for (size_t i = 0; i < function->register_count; i++)
		ARENA_PUSH(copier->arena, out->registers, out->register_count, function->registers[i]);
	out->local_bytes = copy->local_offset + function->local_bytes;
	locals_copy(copier, copy);
	for (uint32_t i = 0; i < function->insn_count; i++) {
		const struct ptx_function *callee = followed(copier, copy, &function->insns[i]);
		struct ptx_insn insn = insn_copy(copier, copy, &function->insns[i]);
		places[i] = (uint32_t)out->insn_count;
		if (callee) {
			call_copy(copier, copy, callee, &insn, i + 1);
			continue;
		}
		if (copy->caller && insn.operation == OP_ret) {
			branch_make(copier, &insn);
			insn.operands[0].value = (int64_t)function->insn_count;
		}
		ARENA_PUSH(copier->arena, out->insns, out->insn_count, insn);
	}
	places[function->insn_count] = (uint32_t)out->insn_count;
	for (uint32_t i = 0; i < function->insn_count; i++) {
		struct ptx_insn *insn = &out->insns[places[i]];
		labels_set(insn, places);
		if (followed(copier, copy, &function->insns[i]) && !insn->guarded)
			insn->operands[0].value = places[i] + 1;
	}
}

void ptx_calls_copy(struct arena *arena, const struct ptx_module *module, struct ptx_function *kernel)
{
	struct ptx_function out = *kernel, whole = *kernel;
	struct copier copier = {.arena = arena, .module = module, .out = &out, .deepest = MOST_DEPTH};
	struct copy copy = {.function = &whole};
	size_t size = 0;
	size_add(&copier, &copy, &size);
	if (size == kernel->insn_count)
		return;
	while (size > MOST_COPIED && copier.deepest > 0) {
		copier.deepest /= 2;
		size = 0;
		size_add(&copier, &copy, &size);
	}
	out.insns = NULL;
	out.registers = NULL;
	out.locals = NULL;
	out.insn_count = out.register_count = out.local_count = 0;
	out.local_bytes = 0;
	function_copy(&copier, &copy);
	*kernel = out;
}

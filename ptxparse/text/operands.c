/*
 * Operands and instructions. Operands gather on a stack (parser->operands); an instruction that ends takes them all and
 * puts them, and what its spelling says, into the function.
 */
#include <string.h>

#include "ptxparse/text/builders.h"

/* While an instruction is read, an IMMEDIATE's count says what the constant was; its bits are fitted to the type last.
 */
#define COUNT_OF(kind) ((uint16_t)(1 + (kind)))

static struct ptx_operand *operand_push(struct ptx_parser *parser, enum ptx_operand_kind kind)
{
	struct ptx_operand *operand = ptx_pool_push(&parser->operands);
	operand->kind = (uint8_t)kind;
	operand->reg = PTX_NO_REGISTER;
	return operand;
}

static struct ptx_operand *operand_at(struct ptx_parser *parser, size_t index)
{
	return (struct ptx_operand *)parser->operands.data + index;
}

/* ---- words ------------------------------------------------------------------------ */

/* A %name that nobody declared: a register of unknown type from here on. */
static struct ptx_binding *register_invent(struct ptx_parser *parser, const struct ptx_token *word)
{
	if (!parser->function)
		return NULL;
	ptx_warn(parser, word->line, word->text, "the register '%.80s' is not declared", word->name->text);
	return ptx_name_bind(parser, word->name, BIND_REGISTER, 1);
}

static struct ptx_binding *register_of(struct ptx_parser *parser, const struct ptx_token *word)
{
	struct ptx_binding *binding = ptx_name_resolve(parser, word->name);
	if (!binding && word->name->text[0] == '%' && !word->name->special && !parser->in_branch)
		binding = register_invent(parser, word);
	return binding && binding->kind == BIND_REGISTER ? binding : NULL;
}

/* A vector register stands for the vector of its elements. */
static void vector_register_push(struct ptx_parser *parser, const struct ptx_binding *binding, bool negated)
{
	struct ptx_operand *operand = operand_push(parser, OPERAND_VECTOR), *elements;
	char text[256];
	operand->count = binding->vector;
	operand->negated = negated;
	operand->elements = elements = arena_array(parser->arena, binding->vector, sizeof *elements);
	for (unsigned i = 0; i < binding->vector; i++) {
		int length = snprintf(text, sizeof text, "%.200s.%c", binding->name->text, "xyzw"[i & 3]);
		struct ptx_binding *part = ptx_name_resolve(parser, ptx_name_get(parser, text, (size_t)length));
		elements[i].kind = part ? OPERAND_REGISTER : OPERAND_SINK;
		elements[i].reg = part ? ptx_register_number(parser, part) : PTX_NO_REGISTER;
	}
}

void ptx_operand_word(struct ptx_parser *parser, const struct ptx_token *word, bool negated)
{
	struct ptx_binding *binding = register_of(parser, word);
	struct ptx_operand *operand;
	if (binding && binding->vector > 1) {
		vector_register_push(parser, binding, negated);
		return;
	}
	operand = operand_push(parser, binding ? OPERAND_REGISTER : OPERAND_SYMBOL);
	operand->negated = negated;
	if (binding) {
		operand->reg = ptx_register_number(parser, binding);
	} else if (word->name->special && !word->name->binding) {
		operand->kind = OPERAND_SPECIAL;
		operand->value = word->name->special - 1;
		operand->symbol = word->name->text;
	} else if (word->length == 1 && word->name->text[0] == '_') {
		operand->kind = OPERAND_SINK;
	} else {
		operand->symbol = word->name->text;
	}
}

void ptx_operand_pair(struct ptx_parser *parser, const struct ptx_token *word)
{
	parser->pair_first |= parser->operands.count == 1;
	ptx_operand_word(parser, word, false);
}

/* ---- constants, sums, addresses ----------------------------------------------------- */

void ptx_operand_constant(struct ptx_parser *parser, struct ptx_constant constant)
{
	struct ptx_operand *operand = operand_push(parser, OPERAND_IMMEDIATE);
	operand->value = (int64_t)constant.bits;
	operand->count = COUNT_OF(constant.kind);
}

void ptx_operand_sum(struct ptx_parser *parser, const struct ptx_token *word, struct ptx_constant offset)
{
	struct ptx_operand *operand;
	ptx_operand_word(parser, word, false);
	operand = operand_at(parser, parser->operands.count - 1);
	if (operand->kind == OPERAND_REGISTER)
		operand->kind = OPERAND_ADDRESS;
	if (operand->kind == OPERAND_ADDRESS || operand->kind == OPERAND_SYMBOL)
		operand->value = (int64_t)offset.bits;
	else
		ptx_error(parser, word->line, word->text, "nothing can be added to '%.80s'", word->name->text);
}

void ptx_operand_subscript(struct ptx_parser *parser, const struct ptx_token *array, struct ptx_constant index)
{
	const struct ptx_binding *binding = ptx_name_resolve(parser, array->name);
	struct ptx_operand *operand;
	ptx_operand_word(parser, array, false);
	operand = operand_at(parser, parser->operands.count - 1);
	if (operand->kind != OPERAND_SYMBOL || !binding || binding->kind != BIND_VARIABLE) {
		ptx_error(parser, array->line, array->text, "'%.80s' is no array", array->name->text);
		return;
	}
	operand->kind = OPERAND_ADDRESS;
	operand->value = (int64_t)(index.bits * ptx_type_bytes(binding->type) * binding->vector);
}

void ptx_operand_subscript_unknown(struct ptx_parser *parser, const struct ptx_token *array)
{
	struct ptx_operand *operand = operand_push(parser, OPERAND_ADDRESS);
	struct ptx_binding binding = {.name = ptx_name_get(parser, "array[register]", 15), .index = PTX_NO_REGISTER};
	ptx_warn(parser, array->line, array->text,
	         "the address of an element whose index is a register is not followed");
	operand->reg = ptx_register_number(parser, &binding);
}

void ptx_operand_address(struct ptx_parser *parser)
{
	struct ptx_operand *operand = operand_at(parser, parser->operands.count - 1);
	if (operand->kind == OPERAND_SPECIAL || operand->kind == OPERAND_VECTOR || operand->kind == OPERAND_SINK)
		ptx_error_here(parser, "this is no address");
	operand->kind = OPERAND_ADDRESS;
	operand->count = 0;
}

/* ---- vectors -------------------------------------------------------------------------- */

static void immediates_fit(struct ptx_operand *operands, size_t count, enum ptx_type type)
{
	for (size_t i = 0; i < count; i++)
		if (operands[i].kind == OPERAND_IMMEDIATE && operands[i].count) {
			struct ptx_constant constant = {operands[i].count - 1, (uint64_t)operands[i].value};
			operands[i].value = (int64_t)ptx_constant_as(constant, type);
			operands[i].count = 0;
		} else if (operands[i].kind == OPERAND_VECTOR) {
			immediates_fit(operands[i].elements, operands[i].count, type);
		}
}

void ptx_vector_begin(struct ptx_parser *parser)
{
	parser->vector_start = parser->operands.count;
}

void ptx_vector_end(struct ptx_parser *parser)
{
	size_t count = parser->operands.count - parser->vector_start;
	struct ptx_operand *elements, *operand;
	for (size_t i = 0; i < count; i++)
		if (operand_at(parser, parser->vector_start + i)->kind == OPERAND_VECTOR)
			ptx_error_here(parser, "a vector inside a vector");
	if (count > UINT16_MAX) {
		ptx_error_here(parser, "a vector of more than %d elements", UINT16_MAX);
		count = 0;
	}
	elements = arena_array(parser->arena, count ? count : 1, sizeof *elements);
	memcpy(elements, operand_at(parser, parser->vector_start), count * sizeof *elements);
	parser->operands.count = parser->vector_start;
	operand = operand_push(parser, OPERAND_VECTOR);
	operand->count = (uint16_t)count;
	operand->elements = elements;
}

/* ---- instructions ----------------------------------------------------------------------- */

void ptx_instruction_guard(struct ptx_parser *parser, const struct ptx_token *predicate, bool negated)
{
	parser->guard = *predicate;
	parser->guard_negated = negated;
}

static void guard_apply(struct ptx_parser *parser, struct ptx_insn *insn)
{
	const struct ptx_token *guard = &parser->guard;
	struct ptx_binding *binding;
	insn->guard = PTX_NO_REGISTER;
	if (!guard->name)
		return;
	binding = register_of(parser, guard);
	if (!binding) {
		ptx_error(parser, guard->line, guard->text, "the guard '%.80s' is no register", guard->name->text);
		return;
	}
	insn->guarded = true;
	insn->guard_negated = parser->guard_negated;
	insn->guard = ptx_register_number(parser, binding);
	parser->guard.name = NULL;
}

void ptx_opcode_begin(struct ptx_parser *parser, const struct ptx_token *opcode)
{
	parser->in_branch = strncmp(opcode->name->text, "bra", 3) == 0;
}

struct ptx_token ptx_opcode_append(struct ptx_parser *parser, const struct ptx_token *opcode, const char *modifier)
{
	struct ptx_token whole = *opcode;
	char *text = arena_printf(parser->scratch, "%.200s%.200s", opcode->name->text, modifier);
	whole.name = ptx_name_get(parser, text, strlen(text));
	return whole;
}

struct ptx_token ptx_opcode_append_space(struct ptx_parser *parser, const struct ptx_token *opcode, int space)
{
	char text[16];
	snprintf(text, sizeof text, ".%.10s", space == SPACE_TEXTURE ? "tex" : ptx_space_name(space));
	return ptx_opcode_append(parser, opcode, text);
}

/* p|q in front are two destinations; an address in front is none. */
static unsigned destinations_of(const struct ptx_parser *parser, const struct ptx_insn *insn)
{
	const struct ptx_operand *first = parser->operands.data;
	unsigned destinations = insn->destinations;
	if (insn->operand_count == 0 || (destinations && first->kind == OPERAND_ADDRESS))
		return 0;
	return destinations && parser->pair_first ? destinations + 1 : destinations;
}

/* The operand that says how a literal's bits are to be read: a source's type where there is one. */
static enum ptx_type literal_type(const struct ptx_insn *insn)
{
	return insn->source_type != PTX_TYPE_NONE ? insn->source_type : insn->type;
}

/* Appends the instruction with the operands on the stack, which it empties. */
static struct ptx_insn *instruction_push(struct ptx_parser *parser, const struct ptx_token *opcode)
{
	struct ptx_insn *insn = ptx_pool_push(&parser->insns);
	size_t count = parser->operands.count;
	*insn = *ptx_spelling_decode(parser, opcode->name);
	insn->line = opcode->line;
	insn->place = parser->location;
	guard_apply(parser, insn);
	if (count > UINT8_MAX) {
		ptx_error(parser, opcode->line, opcode->text, "more than %d operands", UINT8_MAX);
		count = parser->operands.count = 0;
	}
	insn->operand_count = (uint8_t)count;
	insn->destinations = (uint8_t)destinations_of(parser, insn);
	immediates_fit(parser->operands.data, count, literal_type(insn));
	insn->operands = ptx_pool_copy(&parser->operands, parser->arena);
	parser->operands.count = 0;
	parser->pair_first = false;
	parser->in_branch = false;
	return insn;
}

static void branch_end(struct ptx_parser *parser, const struct ptx_token *opcode, struct ptx_insn *insn)
{
	if (insn->operand_count != 1 || insn->operands[0].kind != OPERAND_SYMBOL) {
		ptx_error(parser, opcode->line, opcode->text, "a branch needs one label");
		return;
	}
	ptx_label_refer(parser, opcode, &insn->operands[0]);
}

/* brx.idx register, list: the list's name gives way to its labels. */
static void branch_indexed_end(struct ptx_parser *parser, const struct ptx_token *opcode, struct ptx_insn *insn)
{
	struct ptx_operand *list = insn->operand_count == 2 ? &insn->operands[1] : NULL;
	const struct ptx_binding *targets = NULL;
	if (list && list->kind == OPERAND_SYMBOL)
		targets = ptx_name_get(parser, list->symbol, strlen(list->symbol))->binding;
	if (!targets || targets->kind != BIND_TARGETS) {
		ptx_error(parser, opcode->line, opcode->text,
		          "an indexed branch needs a .branchtargets list before it");
		return;
	}
	*list = (struct ptx_operand){.kind = OPERAND_VECTOR,
	                             .count = (uint16_t)targets->count,
	                             .reg = PTX_NO_REGISTER,
	                             .elements = targets->targets};
}

void ptx_instruction_end(struct ptx_parser *parser, const struct ptx_token *opcode)
{
	struct ptx_insn *insn = instruction_push(parser, opcode);
	if (insn->operation == OP_bra)
		branch_end(parser, opcode, insn);
	else if (insn->operation == OP_brx_idx)
		branch_indexed_end(parser, opcode, insn);
	else if (insn->operation == OP_OPAQUE)
		ptx_warn(parser, opcode->line, opcode->text, "unknown instruction '%.80s'", opcode->name->text);
}

/* ---- calls ------------------------------------------------------------------------------- */

enum { CALL_NOTHING, CALL_CALLEE, CALL_ARGUMENTS };

void ptx_call_begin(struct ptx_parser *parser)
{
	parser->call_state = CALL_NOTHING;
	parser->call_results = 0;
}

void ptx_call_group_begin(struct ptx_parser *parser)
{
	parser->call_group = parser->operands.count;
}

void ptx_call_group_end(struct ptx_parser *parser)
{
	size_t count = parser->operands.count - parser->call_group;
	if (parser->call_state == CALL_NOTHING && parser->call_group == 0)
		parser->call_results = (uint32_t)count;
	else if (parser->call_state == CALL_CALLEE)
		parser->call_state = CALL_ARGUMENTS;
	else
		ptx_error_here(parser, "a call has one list of results and one of arguments");
}

/* The first word outside parentheses is the callee; a further one names a prototype or a list of targets. */
void ptx_call_word(struct ptx_parser *parser, const struct ptx_token *word)
{
	if (parser->call_state != CALL_NOTHING)
		return;
	parser->call_state = CALL_CALLEE;
	ptx_operand_word(parser, word, false);
}

void ptx_call_end(struct ptx_parser *parser, const struct ptx_token *opcode)
{
	struct ptx_insn *insn;
	const struct ptx_operand *callee;
	const struct ptx_binding *binding = NULL;
	if (parser->call_state == CALL_NOTHING)
		ptx_error(parser, opcode->line, opcode->text, "a call of nothing");
	parser->pair_first = false;
	insn = instruction_push(parser, opcode);
	if (parser->failed)
		return;
	insn->destinations = (uint8_t)parser->call_results;
	callee = &insn->operands[insn->destinations];
	if (callee->kind == OPERAND_SYMBOL)
		binding = ptx_name_get(parser, callee->symbol, strlen(callee->symbol))->binding;
	if (binding && binding->kind == BIND_FUNCTION && binding->index != PTX_NO_REGISTER)
		insn->no_return = ((struct ptx_function *)parser->functions.data)[binding->index].no_return;
}

/* ---- lists of branch targets, unknown directives ------------------------------------------- */

void ptx_branch_targets_begin(struct ptx_parser *parser)
{
	parser->operands.count = 0;
}

void ptx_branch_target(struct ptx_parser *parser, const struct ptx_token *label)
{
	struct ptx_operand *operand = operand_push(parser, OPERAND_SYMBOL);
	operand->symbol = label->name->text;
}

void ptx_branch_targets_end(struct ptx_parser *parser)
{
	const struct ptx_token *list = &parser->last_label;
	struct ptx_binding *binding = list->name ? list->name->binding : NULL;
	size_t count = parser->operands.count;
	if (!binding || binding->kind != BIND_LABEL || binding->depth != parser->depth || count > UINT16_MAX) {
		ptx_error_here(parser,
		               count > UINT16_MAX ? "too many branch targets" : "the list of targets has no name");
		return;
	}
	binding->kind = BIND_TARGETS;
	binding->count = count;
	binding->targets = ptx_pool_copy(&parser->operands, parser->arena);
	for (size_t i = 0; i < count; i++)
		ptx_label_refer(parser, list, &binding->targets[i]);
	parser->operands.count = 0;
}

void ptx_directive_unknown(struct ptx_parser *parser, const struct ptx_token *directive)
{
	ptx_warn(parser, directive->line, directive->text, "unknown directive '%.80s'", directive->name->text);
	parser->operands.count = 0;
	parser->pair_first = false;
}

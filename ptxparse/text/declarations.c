/*
 * Functions, variables, registers and the directives of a module. Register ranges are kept as ranges; variables are
 * laid out in their spaces when the module ends.
 */
#include <string.h>

#include "ptxparse/text/builders.h"

#define MAXIMUM_DIMENSIONS 16

/* ---- the module -------------------------------------------------------------------- */

void ptx_module_version(struct ptx_parser *parser, struct ptx_constant version)
{
	double value;
	memcpy(&value, &version.bits, sizeof value);
	if (version.kind != CONSTANT_DOUBLE || !(value >= 1 && value < 1000)) {
		ptx_error_here(parser, "this is no version of PTX");
		return;
	}
	parser->module->version_major = (unsigned)value;
	parser->module->version_minor = (unsigned)((value - (unsigned)value) * 10 + 0.5);
}

void ptx_module_target(struct ptx_parser *parser, const struct ptx_token *target)
{
	parser->module->target = target->name->text;
}

void ptx_module_address_size(struct ptx_parser *parser, struct ptx_constant bits)
{
	if (bits.bits != 32 && bits.bits != 64)
		ptx_error_here(parser, "the address size must be 32 or 64");
	parser->module->address_bits = (unsigned)bits.bits;
}

/* ---- variables in their spaces --------------------------------------------------------- */

static uint64_t variable_bytes(const struct ptx_variable *variable)
{
	return variable->count * ptx_type_bytes(variable->type);
}

/* The first multiple of align at or after offset; align is any positive number. */
static uint64_t aligned(uint64_t offset, uint64_t align)
{
	uint64_t rest = align ? offset % align : 0;
	return rest && offset <= UINT64_MAX - align ? offset + align - rest : offset;
}

/* Puts the variables of one space one after the other from offset on; returns the end. */
static uint64_t variables_place(struct ptx_variable *variables, size_t count, enum ptx_space space, uint64_t offset)
{
	for (size_t i = 0; i < count; i++) {
		struct ptx_variable *v = &variables[i];
		uint64_t bytes = variable_bytes(v);
		if (v->space != space || v->count == 0)
			continue;
		v->offset = aligned(offset, v->align_bytes);
		offset = bytes < UINT64_MAX - v->offset ? v->offset + bytes : UINT64_MAX;
	}
	return offset;
}

static void variables_finish(struct ptx_module *module)
{
	uint64_t shared = variables_place(module->variables, module->variable_count, SPACE_SHARED, 0);
	for (size_t i = 0; i < module->function_count; i++) {
		struct ptx_function *f = &module->functions[i];
		f->shared_bytes = variables_place(f->locals, f->local_count, SPACE_SHARED, shared);
		f->local_bytes = variables_place(f->locals, f->local_count, SPACE_LOCAL, 0);
	}
}

void ptx_module_finish(struct ptx_parser *parser)
{
	struct ptx_module *module = parser->module;
	if (module->version_major == 0) {
		ptx_error(parser, 1, parser->text, "there is no .version directive: this is not PTX");
		return;
	}
	if (!module->target)
		module->target = "";
	if (module->address_bits == 0)
		module->address_bits = 32;
	module->functions = ptx_pool_copy(&parser->functions, parser->arena);
	module->function_count = parser->functions.count;
	module->variables = ptx_pool_copy(&parser->variables, parser->arena);
	module->variable_count = parser->variables.count;
	variables_finish(module);
	ptx_places_finish(parser);
}

/* ---- what all declarations share --------------------------------------------------------- */

void ptx_declaration_begin(struct ptx_parser *parser, int space, bool is_extern)
{
	parser->declaration = (struct ptx_declaration){.space = (uint8_t)space, .vector = 1, .is_extern = is_extern};
	parser->dimensions.count = 0;
}

void ptx_declaration_register(struct ptx_parser *parser)
{
	ptx_declaration_begin(parser, SPACE_NONE, false);
	parser->declaration.is_register = true;
}

void ptx_declaration_qualifier(struct ptx_parser *parser, const struct ptx_token *qualifier)
{
	struct ptx_declaration *declaration = &parser->declaration;
	const char *text = qualifier->name->text;
	if (declaration->pointer)
		return;
	if (qualifier->name->type != PTX_TYPE_NONE)
		declaration->type = qualifier->name->type;
	else if (strcmp(text, ".v2") == 0 || strcmp(text, ".v4") == 0 || strcmp(text, ".v8") == 0)
		declaration->vector = (uint8_t)(text[2] - '0');
	else if (strcmp(text, ".ptr") == 0)
		declaration->pointer = true;
	else
		ptx_warn(parser, qualifier->line, qualifier->text, "unknown qualifier '%.80s'", text);
}

void ptx_declaration_align(struct ptx_parser *parser, struct ptx_constant bytes)
{
	if (bytes.bits == 0 || bytes.bits > 1u << 30 || (bytes.bits & (bytes.bits - 1)))
		ptx_error_here(parser, "an alignment must be a power of two");
	else if (!parser->declaration.pointer)
		parser->declaration.align_bytes = (uint32_t)bytes.bits;
}

void ptx_dimension_add(struct ptx_parser *parser, const struct ptx_constant *count)
{
	if (parser->dimensions.count == MAXIMUM_DIMENSIONS)
		ptx_error_here(parser, "an array of more than %d dimensions", MAXIMUM_DIMENSIONS);
	else
		*(uint64_t *)ptx_pool_push(&parser->dimensions) = count ? count->bits : 0;
}

/* The elements of all dimensions from `from` on and of the vector type. */
static uint64_t elements_from(struct ptx_parser *parser, size_t from)
{
	const uint64_t *counts = parser->dimensions.data;
	uint64_t product = parser->declaration.vector;
	for (size_t i = from; i < parser->dimensions.count; i++) {
		if (counts[i] && product > (UINT64_MAX >> 8) / counts[i]) {
			ptx_error_here(parser, "the array is too large");
			return 0;
		}
		product *= counts[i];
	}
	return product;
}

static struct ptx_variable declared_variable(struct ptx_parser *parser, const struct ptx_token *word)
{
	const struct ptx_declaration *declaration = &parser->declaration;
	unsigned natural = ptx_type_bytes(declaration->type) * declaration->vector;
	return (struct ptx_variable){.name = word->name->text,
	                             .type = declaration->type,
	                             .space = declaration->space,
	                             .align_bytes = declaration->align_bytes ? declaration->align_bytes
	                                            : natural                ? natural
	                                                                     : 1,
	                             .count = elements_from(parser, 0),
	                             .is_extern = declaration->is_extern,
	                             .line = word->line};
}

static void variable_bind(struct ptx_parser *parser, const struct ptx_token *word)
{
	struct ptx_binding *binding = ptx_name_bind(parser, word->name, BIND_VARIABLE, parser->depth);
	binding->type = parser->declaration.type;
	binding->vector = parser->declaration.vector;
}

/* ---- registers --------------------------------------------------------------------------- */

/* The register, declared again in one scope, stays the one it was. */
void ptx_register_declare(struct ptx_parser *parser, const struct ptx_token *word)
{
	struct ptx_binding *binding = ptx_name_bind(parser, word->name, BIND_REGISTER, parser->depth);
	binding->type = parser->declaration.type;
	binding->vector = parser->declaration.vector;
}

void ptx_register_declare_range(struct ptx_parser *parser, const struct ptx_token *word, struct ptx_constant count)
{
	struct ptx_binding *binding = ptx_name_bind(parser, word->name, BIND_RANGE, parser->depth);
	binding->type = parser->declaration.type;
	binding->vector = parser->declaration.vector;
	binding->count = count.bits;
}

/* ---- variables and their initial values ------------------------------------------------------ */

void ptx_variable_begin(struct ptx_parser *parser)
{
	parser->dimensions.count = 0;
	parser->initial.count = 0;
	parser->initial_plain = parser->initial_given = false;
}

void ptx_initial_begin(struct ptx_parser *parser)
{
	uint64_t elements = elements_from(parser, 0);
	parser->initial_plain = parser->initial_given = true;
	parser->initial_position = 0;
	parser->initial_depth = 0;
	parser->initial_limit = elements ? elements * ptx_type_bytes(parser->declaration.type) : UINT64_MAX;
}

void ptx_initial_open(struct ptx_parser *parser)
{
	parser->initial_depth++;
}

/* An inner list fills its row; what it leaves out is zero. */
void ptx_initial_close(struct ptx_parser *parser)
{
	uint64_t row = elements_from(parser, --parser->initial_depth) * ptx_type_bytes(parser->declaration.type);
	if (parser->initial_depth > 0)
		parser->initial_position = aligned(parser->initial_position, row);
}

static void initial_advance(struct ptx_parser *parser)
{
	unsigned bytes = ptx_type_bytes(parser->declaration.type);
	if (parser->initial_position > parser->initial_limit - bytes || bytes > parser->initial_limit)
		ptx_error_here(parser, "more initial values than the variable has room for");
	parser->initial_position += bytes;
}

/* Rows skipped by nested lists may lie far apart; such a value is not kept. */
static bool initial_reserve(struct ptx_parser *parser, uint64_t bytes)
{
	if (bytes == 0 || bytes > 16 * (uint64_t)parser->length)
		return false;
	while (parser->initial.count < bytes)
		ptx_pool_push(&parser->initial);
	return true;
}

void ptx_initial_constant(struct ptx_parser *parser, struct ptx_constant value)
{
	uint64_t bits = ptx_constant_as(value, parser->declaration.type), position = parser->initial_position;
	unsigned bytes = ptx_type_bytes(parser->declaration.type);
	initial_advance(parser);
	if (!parser->failed && parser->initial_plain)
		parser->initial_plain = initial_reserve(parser, position + bytes);
	if (parser->failed || !parser->initial_plain)
		return;
	memcpy((char *)parser->initial.data + position, &bits, bytes < 8 ? bytes : 8);
}

void ptx_initial_symbol(struct ptx_parser *parser)
{
	parser->initial_plain = false;
	initial_advance(parser);
}

void ptx_initial_opaque(struct ptx_parser *parser)
{
	parser->initial_plain = false;
}

static void variable_keep(struct ptx_parser *parser, const struct ptx_variable *variable)
{
	struct ptx_function *function = parser->function;
	if (!function)
		*(struct ptx_variable *)ptx_pool_push(&parser->variables) = *variable;
	else if (variable->space != SPACE_PARAM)
		ARENA_PUSH(parser->arena, function->locals, function->local_count, *variable);
}

void ptx_variable_end(struct ptx_parser *parser, const struct ptx_token *word)
{
	struct ptx_variable variable = declared_variable(parser, word);
	unsigned bytes = ptx_type_bytes(variable.type);
	variable.initial_symbols = parser->initial_given && !parser->initial_plain;
	if (parser->initial_plain) {
		variable.initial = ptx_pool_copy(&parser->initial, parser->arena);
		variable.initial_bytes = parser->initial.count;
		if (variable.count == 0 && bytes)
			variable.count = parser->initial.count / bytes;
	}
	variable_bind(parser, word);
	variable_keep(parser, &variable);
}

/* ---- functions -------------------------------------------------------------------------------- */

/* Parameters lie one after the other in the order of the text. */
void ptx_parameter_end(struct ptx_parser *parser, const struct ptx_token *word)
{
	struct ptx_function *function = &parser->current;
	struct ptx_variable variable = declared_variable(parser, word);
	const struct ptx_variable *last;
	if (parser->in_prototype)
		return;
	if (parser->declaration.is_register)
		ptx_register_declare(parser, word);
	else
		variable_bind(parser, word);
	if (parser->in_results) {
		ARENA_PUSH(parser->arena, function->results, function->result_count, variable);
		return;
	}
	last = function->parameter_count ? &function->parameters[function->parameter_count - 1] : NULL;
	variable.offset = aligned(last ? last->offset + variable_bytes(last) : 0, variable.align_bytes);
	ARENA_PUSH(parser->arena, function->parameters, function->parameter_count, variable);
}

void ptx_function_begin(struct ptx_parser *parser, bool is_kernel)
{
	parser->function = &parser->current;
	parser->current = (struct ptx_function){.is_kernel = is_kernel};
	parser->in_results = true;
	parser->registers.count = 0;
	parser->insns.count = 0;
	parser->operands.count = 0;
	parser->location = 0;
	ptx_scope_open(parser);
}

void ptx_function_name(struct ptx_parser *parser, const struct ptx_token *word)
{
	parser->current.name = word->name->text;
	parser->current.line = word->line;
	parser->last_function = *word;
	parser->in_results = false;
	ptx_name_bind(parser, word->name, BIND_FUNCTION, 0);
}

void ptx_numbers_clear(struct ptx_parser *parser)
{
	memset(parser->numbers, 0, sizeof parser->numbers);
	parser->number_count = 0;
}

void ptx_numbers_add(struct ptx_parser *parser, struct ptx_constant value)
{
	if (parser->number_count < ARRAY_COUNT(parser->numbers))
		parser->numbers[parser->number_count++] = value.bits < UINT32_MAX ? (uint32_t)value.bits : UINT32_MAX;
}

/* Dimensions left out are 1. */
static void threads_set(const struct ptx_parser *parser, uint32_t threads[static 3])
{
	for (uint32_t i = 0; i < 3; i++)
		threads[i] = i < parser->number_count ? parser->numbers[i] : 1;
}

void ptx_function_tuning(struct ptx_parser *parser, const struct ptx_token *directive)
{
	static const char *const ignored[] = {".maxnctapersm",      ".explicitcluster", ".maxclusterrank",
	                                      ".blocksareclusters", ".abi_preserve",    ".abi_preserve_control"};
	struct ptx_function *function = &parser->current;
	const char *text = directive->name->text;
	if (parser->in_prototype)
		return;
	if (strcmp(text, ".maxntid") == 0)
		threads_set(parser, function->maximum_threads);
	else if (strcmp(text, ".reqntid") == 0)
		threads_set(parser, function->required_threads);
	else if (strcmp(text, ".reqnctapercluster") == 0)
		threads_set(parser, function->cluster_blocks);
	else if (strcmp(text, ".minnctapersm") == 0)
		function->minimum_blocks = parser->numbers[0];
	else if (strcmp(text, ".maxnreg") == 0)
		function->maximum_registers = parser->numbers[0];
	else if (strcmp(text, ".noreturn") == 0)
		function->no_return = true;
	else {
		for (size_t i = 0; i < ARRAY_COUNT(ignored); i++)
			if (strcmp(text, ignored[i]) == 0)
				return;
		ptx_warn(parser, directive->line, directive->text, "unknown directive '%.80s'", text);
	}
}

void ptx_function_body(struct ptx_parser *parser)
{
	struct ptx_binding *binding = ptx_name_get(parser, parser->current.name, strlen(parser->current.name))->binding;
	while (binding && binding->kind != BIND_FUNCTION)
		binding = binding->shadowed;
	parser->current.has_body = true;
	if (binding && binding->index == PTX_NO_REGISTER)
		return;
	if (binding && ((struct ptx_function *)parser->functions.data)[binding->index].has_body)
		ptx_error(parser, parser->last_function.line, parser->last_function.text,
		          "the function '%.80s' is defined twice", parser->current.name);
}

/* A definition takes the place of the declaration before it; a declaration after either changes nothing. */
static void function_keep(struct ptx_parser *parser)
{
	struct ptx_function *function = &parser->current, *known;
	struct ptx_binding *binding = ptx_name_get(parser, function->name, strlen(function->name))->binding;
	if (!binding || binding->kind != BIND_FUNCTION)
		return;
	if (binding->index == PTX_NO_REGISTER) {
		binding->index = (uint32_t)parser->functions.count;
		ptx_pool_push(&parser->functions);
	} else if (!function->has_body) {
		return;
	}
	known = (struct ptx_function *)parser->functions.data + binding->index;
	function->no_return |= known->no_return;
	*known = *function;
}

void ptx_function_end(struct ptx_parser *parser)
{
	struct ptx_function *function = &parser->current;
	ptx_scope_close(parser);
	ptx_labels_finish(parser);
	if (parser->failed)
		return;
	function->registers = ptx_pool_copy(&parser->registers, parser->arena);
	function->register_count = parser->registers.count;
	function->insns = ptx_pool_copy(&parser->insns, parser->arena);
	function->insn_count = parser->insns.count;
	parser->function = NULL;
	function_keep(parser);
}

void ptx_prototype_begin(struct ptx_parser *parser)
{
	parser->in_prototype = true;
}

void ptx_prototype_end(struct ptx_parser *parser)
{
	parser->in_prototype = false;
}

/*
 * Functions, variables, registers and the directives of a module. Register ranges are kept as ranges; variables are
 * laid out in their spaces when the module ends.
 */
#include <string.h>

#include "ptxparse/internal.h"

#define MAXIMUM_DIMENSIONS 16

/* ---- the module -------------------------------------------------------------------- */

void module_version(struct parser *parser, struct constant version)
{
	double value;
	memcpy(&value, &version.bits, sizeof value);
	if (version.kind != CONSTANT_DOUBLE || !(value >= 1 && value < 1000)) {
		parser_error_here(parser, "this is no version of PTX");
		return;
	}
	parser->module->version_major = (unsigned)value;
	parser->module->version_minor = (unsigned)((value - (unsigned)value) * 10 + 0.5);
}

void module_target(struct parser *parser, const struct token *target)
{
	parser->module->target = target->name->text;
}

void module_address_size(struct parser *parser, struct constant bits)
{
	if (bits.bits != 32 && bits.bits != 64)
		parser_error_here(parser, "the address size must be 32 or 64");
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

void module_finish(struct parser *parser)
{
	struct ptx_module *module = parser->module;
	if (module->version_major == 0) {
		parser_error(parser, 1, parser->text, "there is no .version directive: this is not PTX");
		return;
	}
	if (!module->target)
		module->target = "";
	if (module->address_bits == 0)
		module->address_bits = 32;
	module->functions = pool_copy(&parser->functions, parser->arena);
	module->function_count = parser->functions.count;
	module->variables = pool_copy(&parser->variables, parser->arena);
	module->variable_count = parser->variables.count;
	variables_finish(module);
	places_finish(parser);
}

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

/* ---- what all declarations share --------------------------------------------------------- */

void declaration_begin(struct parser *parser, int space, bool is_extern)
{
	parser->declaration = (struct declaration){.space = (uint8_t)space, .vector = 1, .is_extern = is_extern};
	parser->dimensions.count = 0;
}

void declaration_register(struct parser *parser)
{
	declaration_begin(parser, SPACE_NONE, false);
	parser->declaration.is_register = true;
}

void declaration_qualifier(struct parser *parser, const struct token *qualifier)
{
	struct declaration *declaration = &parser->declaration;
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
		parser_warn(parser, qualifier->line, qualifier->text, "unknown qualifier '%.80s'", text);
}

void declaration_align(struct parser *parser, struct constant bytes)
{
	if (bytes.bits == 0 || bytes.bits > 1u << 30 || (bytes.bits & (bytes.bits - 1)))
		parser_error_here(parser, "an alignment must be a power of two");
	else if (!parser->declaration.pointer)
		parser->declaration.align_bytes = (uint32_t)bytes.bits;
}

void dimension_add(struct parser *parser, const struct constant *count)
{
	if (parser->dimensions.count == MAXIMUM_DIMENSIONS)
		parser_error_here(parser, "an array of more than %d dimensions", MAXIMUM_DIMENSIONS);
	else
		*(uint64_t *)pool_push(&parser->dimensions) = count ? count->bits : 0;
}

/* The elements of all dimensions from `from` on and of the vector type. */
static uint64_t elements_from(struct parser *parser, size_t from)
{
	const uint64_t *counts = parser->dimensions.data;
	uint64_t product = parser->declaration.vector;
	for (size_t i = from; i < parser->dimensions.count; i++) {
		if (counts[i] && product > (UINT64_MAX >> 8) / counts[i]) {
			parser_error_here(parser, "the array is too large");
			return 0;
		}
		product *= counts[i];
	}
	return product;
}

static struct ptx_variable declared_variable(struct parser *parser, const struct token *word)
{
	const struct declaration *declaration = &parser->declaration;
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

static void variable_bind(struct parser *parser, const struct token *word)
{
	struct binding *binding = name_bind(parser, word->name, BIND_VARIABLE, parser->depth);
	binding->type = parser->declaration.type;
	binding->vector = parser->declaration.vector;
}

/* ---- registers --------------------------------------------------------------------------- */

/* The register, declared again in one scope, stays the one it was. */
void register_declare(struct parser *parser, const struct token *word)
{
	struct binding *binding = name_bind(parser, word->name, BIND_REGISTER, parser->depth);
	binding->type = parser->declaration.type;
	binding->vector = parser->declaration.vector;
}

void register_declare_range(struct parser *parser, const struct token *word, struct constant count)
{
	struct binding *binding = name_bind(parser, word->name, BIND_RANGE, parser->depth);
	binding->type = parser->declaration.type;
	binding->vector = parser->declaration.vector;
	binding->count = count.bits;
}

/* ---- variables and their initial values ------------------------------------------------------ */

void variable_begin(struct parser *parser)
{
	parser->dimensions.count = 0;
	parser->initial.count = 0;
	parser->initial_plain = false;
}

void initial_begin(struct parser *parser)
{
	uint64_t elements = elements_from(parser, 0);
	parser->initial_plain = true;
	parser->initial_position = 0;
	parser->initial_depth = 0;
	parser->initial_limit = elements ? elements * ptx_type_bytes(parser->declaration.type) : UINT64_MAX;
}

void initial_open(struct parser *parser)
{
	parser->initial_depth++;
}

/* An inner list fills its row; what it leaves out is zero. */
void initial_close(struct parser *parser)
{
	uint64_t row = elements_from(parser, --parser->initial_depth) * ptx_type_bytes(parser->declaration.type);
	if (parser->initial_depth > 0)
		parser->initial_position = aligned(parser->initial_position, row);
}

static void initial_advance(struct parser *parser)
{
	unsigned bytes = ptx_type_bytes(parser->declaration.type);
	if (parser->initial_position > parser->initial_limit - bytes || bytes > parser->initial_limit)
		parser_error_here(parser, "more initial values than the variable has room for");
	parser->initial_position += bytes;
}

/* Rows skipped by nested lists may lie far apart; such a value is not kept. */
static bool initial_reserve(struct parser *parser, uint64_t bytes)
{
	if (bytes == 0 || bytes > 16 * (uint64_t)parser->length)
		return false;
	while (parser->initial.count < bytes)
		pool_push(&parser->initial);
	return true;
}

void initial_constant(struct parser *parser, struct constant value)
{
	uint64_t bits = constant_as(value, parser->declaration.type), position = parser->initial_position;
	unsigned bytes = ptx_type_bytes(parser->declaration.type);
	initial_advance(parser);
	if (!parser->failed && parser->initial_plain)
		parser->initial_plain = initial_reserve(parser, position + bytes);
	if (parser->failed || !parser->initial_plain)
		return;
	memcpy((char *)parser->initial.data + position, &bits, bytes < 8 ? bytes : 8);
}

void initial_symbol(struct parser *parser)
{
	parser->initial_plain = false;
	initial_advance(parser);
}

void initial_opaque(struct parser *parser)
{
	parser->initial_plain = false;
}

static void variable_keep(struct parser *parser, const struct ptx_variable *variable)
{
	struct ptx_function *function = parser->function;
	if (!function)
		*(struct ptx_variable *)pool_push(&parser->variables) = *variable;
	else if (variable->space != SPACE_PARAM)
		ARENA_PUSH(parser->arena, function->locals, function->local_count, *variable);
}

void variable_end(struct parser *parser, const struct token *word)
{
	struct ptx_variable variable = declared_variable(parser, word);
	unsigned bytes = ptx_type_bytes(variable.type);
	if (parser->initial_plain) {
		variable.initial = pool_copy(&parser->initial, parser->arena);
		variable.initial_bytes = parser->initial.count;
		if (variable.count == 0 && bytes)
			variable.count = parser->initial.count / bytes;
	}
	variable_bind(parser, word);
	variable_keep(parser, &variable);
}

/* ---- functions -------------------------------------------------------------------------------- */

/* Parameters lie one after the other in the order of the text. */
void parameter_end(struct parser *parser, const struct token *word)
{
	struct ptx_function *function = &parser->current;
	struct ptx_variable variable = declared_variable(parser, word);
	const struct ptx_variable *last;
	if (parser->in_prototype)
		return;
	if (parser->declaration.is_register)
		register_declare(parser, word);
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

void function_begin(struct parser *parser, bool is_kernel)
{
	parser->function = &parser->current;
	parser->current = (struct ptx_function){.is_kernel = is_kernel};
	parser->in_results = true;
	parser->registers.count = 0;
	parser->insns.count = 0;
	parser->operands.count = 0;
	parser->location = 0;
	scope_open(parser);
}

void function_name(struct parser *parser, const struct token *word)
{
	parser->current.name = word->name->text;
	parser->current.line = word->line;
	parser->last_function = *word;
	parser->in_results = false;
	name_bind(parser, word->name, BIND_FUNCTION, 0);
}

void numbers_clear(struct parser *parser)
{
	memset(parser->numbers, 0, sizeof parser->numbers);
	parser->number_count = 0;
}

void numbers_add(struct parser *parser, struct constant value)
{
	if (parser->number_count < ARRAY_COUNT(parser->numbers))
		parser->numbers[parser->number_count++] = value.bits < UINT32_MAX ? (uint32_t)value.bits : UINT32_MAX;
}

/* Dimensions left out are 1. */
static void threads_set(const struct parser *parser, uint32_t threads[static 3])
{
	for (uint32_t i = 0; i < 3; i++)
		threads[i] = i < parser->number_count ? parser->numbers[i] : 1;
}

void function_tuning(struct parser *parser, const struct token *directive)
{
	static const char *const ignored[] = {".maxnctapersm",      ".explicitcluster", ".reqnctapercluster",   ".maxclusterrank",
	                                      ".blocksareclusters", ".abi_preserve",    ".abi_preserve_control"};
	struct ptx_function *function = &parser->current;
	const char *text = directive->name->text;
	if (parser->in_prototype)
		return;
	if (strcmp(text, ".maxntid") == 0)
		threads_set(parser, function->maximum_threads);
	else if (strcmp(text, ".reqntid") == 0)
		threads_set(parser, function->required_threads);
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
		parser_warn(parser, directive->line, directive->text, "unknown directive '%.80s'", text);
	}
}

void function_body(struct parser *parser)
{
	struct binding *binding = name_get(parser, parser->current.name, strlen(parser->current.name))->binding;
	while (binding && binding->kind != BIND_FUNCTION)
		binding = binding->shadowed;
	parser->current.has_body = true;
	if (binding && binding->index == PTX_NO_REGISTER)
		return;
	if (binding && ((struct ptx_function *)parser->functions.data)[binding->index].has_body)
		parser_error(parser, parser->last_function.line, parser->last_function.text,
		             "the function '%.80s' is defined twice", parser->current.name);
}

/* A definition takes the place of the declaration before it; a declaration after either changes nothing. */
static void function_keep(struct parser *parser)
{
	struct ptx_function *function = &parser->current, *known;
	struct binding *binding = name_get(parser, function->name, strlen(function->name))->binding;
	if (!binding || binding->kind != BIND_FUNCTION)
		return;
	if (binding->index == PTX_NO_REGISTER) {
		binding->index = (uint32_t)parser->functions.count;
		pool_push(&parser->functions);
	} else if (!function->has_body) {
		return;
	}
	known = (struct ptx_function *)parser->functions.data + binding->index;
	function->no_return |= known->no_return;
	*known = *function;
}

void function_end(struct parser *parser)
{
	struct ptx_function *function = &parser->current;
	scope_close(parser);
	labels_finish(parser);
	if (parser->failed)
		return;
	function->registers = pool_copy(&parser->registers, parser->arena);
	function->register_count = parser->registers.count;
	function->insns = pool_copy(&parser->insns, parser->arena);
	function->insn_count = parser->insns.count;
	parser->function = NULL;
	function_keep(parser);
}

void prototype_begin(struct parser *parser)
{
	parser->in_prototype = true;
}

void prototype_end(struct parser *parser)
{
	parser->in_prototype = false;
}

/*
 * cudaMemcpyToSymbol(): what the host copies to variables in constant memory, as far as its own variables are known.
 * What is copied in one place and differs between calls, or is only assumed, is not known.
 */
#include "analyzer/host/library/library.h"

#include <string.h>

/* Larger variables are left alone. */
#define SYMBOL_BYTES_MOST (UINT64_C(1) << 16)

static const struct source_declaration *symbol_variable(const struct node *node)
{
	node = node_strip_casts(node);
	if (node && node->kind == NODE_UNARY && node->op == OPERATOR_ADDRESS)
		node = node_strip_casts(node->children[0]);
	return node ? node_variable(node) : NULL;
}

/* Whether another variable in constant memory bears the name: which of them code means is not seen then. */
static bool is_ambiguous(const struct host *host, const struct source_declaration *variable)
{
	for (unsigned i = 0; i < host->unit->constant_count; i++)
		if (host->unit->constants[i] != variable && strcmp(host->unit->constants[i]->name, variable->name) == 0)
			return true;
	return false;
}

/* NULL for variables that are left alone. */
static struct host_symbol *symbol_of(struct host *host, const struct source_declaration *variable)
{
	struct analysis *analysis = host->analysis;
	struct host_symbol symbol = {.name = variable->name, .variable = variable};

	for (unsigned i = 0; i < analysis->host_symbol_count; i++)
		if (analysis->host_symbols[i].variable == variable)
			return &analysis->host_symbols[i];
	symbol.size = variable->type->type.size_bytes;
	if (variable->storage != STORAGE_CONSTANT || symbol.size == 0 || symbol.size > SYMBOL_BYTES_MOST ||
	    is_ambiguous(host, variable))
		return NULL;
	symbol.bytes = arena_array(host->arena, symbol.size, 1);
	symbol.known = arena_array(host->arena, symbol.size, sizeof(bool));
	symbol.is_set = arena_array(host->arena, symbol.size, sizeof(bool));
	ARENA_PUSH(host->arena, analysis->host_symbols, analysis->host_symbol_count, symbol);
	return &analysis->host_symbols[analysis->host_symbol_count - 1];
}

/* ---- what is copied ------------------------------------------------------------------------- */

/* Bytes of a symbol, from which place of which of the host's variables. */
struct symbol_copy {
	struct host_symbol *symbol;
	uint64_t begin, end;
	const struct host_constant *from; /* what the host's variable holds; NULL: not known */
	int64_t from_offset;              /* of what becomes the symbol's byte `begin` */
	bool is_scalar;                   /* `from` is all of its variable */
};

static void bytes_put(const struct symbol_copy *copy, uint64_t offset, uint64_t size, const uint8_t *bytes)
{
	struct host_symbol *symbol = copy->symbol;

	for (uint64_t i = offset; i < offset + size && i < symbol->size; i++) {
		uint8_t byte = bytes ? bytes[i - offset] : 0;

		if (i < copy->begin || i >= copy->end)
			continue;
		symbol->known[i] = bytes && (!symbol->is_set[i] || (symbol->known[i] && symbol->bytes[i] == byte));
		symbol->is_set[i] = true;
		symbol->bytes[i] = byte;
	}
}

/* The constant that becomes the symbol's scalar at an offset; NULL where it is not known. */
static const struct host_constant *constant_at(const struct symbol_copy *copy, uint64_t offset)
{
	int64_t at = copy->from_offset + (int64_t)(offset - copy->begin);

	if (!copy->from || offset < copy->begin || at < 0)
		return NULL;
	return copy->is_scalar ? at == 0 ? copy->from : NULL : host_member(copy->from, (uint64_t)at);
}

static void scalar_put(const struct symbol_copy *copy, uint64_t offset, const struct type *type)
{
	const struct host_constant *value = constant_at(copy, offset);
	double real = value && value->kind == CONSTANT_REAL ? value->real : value ? (double)value->value : 0;
	float single = (float)real;
	uint8_t bytes[sizeof(int64_t)];
	bool is_real = type->scalar == SCALAR_FLOAT, is_half = is_real && type->size_bytes < sizeof(single);
	bool known = value && !value->assumed && type->size_bytes <= sizeof(bytes) && !is_half &&
	             (value->kind == CONSTANT_INTEGER || (value->kind == CONSTANT_REAL && is_real));

	if (known && is_real && type->size_bytes == sizeof(double))
		memcpy(bytes, &real, sizeof(real));
	else if (known && is_real)
		memcpy(bytes, &single, sizeof(single));
	else if (known)
		memcpy(bytes, &value->value, sizeof(value->value));
	bytes_put(copy, offset, type->size_bytes, known ? bytes : NULL);
}

static void record_put(const struct symbol_copy *copy, uint64_t offset, const struct record *record)
{
	for (unsigned l = 0; l < record->leaf_count; l++)
		for (uint64_t i = 0; i < record->leaves[l].count; i++)
			scalar_put(copy, offset + record->leaves[l].offset_bytes + i * record->leaves[l].stride_bytes,
			           &record->leaves[l].type);
}

static void type_put(const struct symbol_copy *copy, uint64_t offset, const struct source_type *type)
{
	bool is_number = type->shape == SHAPE_INTEGER || type->shape == SHAPE_BOOL || type->shape == SHAPE_FLOAT;

	if (type->shape == SHAPE_ARRAY)
		for (uint64_t i = 0; i < type->count; i++)
			type_put(copy, offset + i * type->target->type.size_bytes, type->target);
	else if (type->shape == SHAPE_RECORD && type->type.record)
		record_put(copy, offset, type->type.record);
	else if (is_number)
		scalar_put(copy, offset, &type->type);
	else
		bytes_put(copy, offset, type->type.size_bytes, NULL);
}

/* Whether an argument stands in the text: those that a function has by default are opaque. */
static bool is_given(const struct node *node)
{
	node = node ? node_strip_casts(node) : NULL;
	return node && (node->kind != NODE_OPAQUE || node->child_count > 0);
}

const struct host_constant *host_symbol_copy(struct host *host, const struct node *node,
                                             const struct host_constant *const *arguments)
{
	const struct source_declaration *variable = node->child_count > 3 ? symbol_variable(node->children[1]) : NULL;
	struct host_symbol *symbol = variable ? symbol_of(host, variable) : NULL;
	struct symbol_copy copy = {.symbol = symbol};
	const struct host_constant *offset = is_given(node_child(node, 4)) ? arguments[3] : NULL;
	bool is_known;

	if (strncmp(node->declaration->name, "cudaMemcpyToSymbol", strlen("cudaMemcpyToSymbol")) != 0)
		return NULL;
	if (!symbol)
		return host_integer(host, 0);
	is_known = arguments[2]->kind == CONSTANT_INTEGER && (!offset || offset->kind == CONSTANT_INTEGER);
	copy.begin = is_known && offset ? (uint64_t)offset->value : 0;
	copy.end = is_known ? copy.begin + (uint64_t)arguments[2]->value : symbol->size;
	if (is_known && arguments[1]->kind == CONSTANT_ADDRESS) {
		copy.from = host_variable(host, arguments[1]->variable);
		copy.from_offset = arguments[1]->value;
		copy.is_scalar = copy.from && copy.from->kind != CONSTANT_RECORD;
	} else if (is_known && arguments[1]->kind == CONSTANT_RECORD) {
		copy.from = arguments[1];
	}
	type_put(&copy, 0, variable->type);
	return host_integer(host, 0);
}

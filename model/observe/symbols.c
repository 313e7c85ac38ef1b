/*
 * What the program wrote to variables in constant memory. Bytes that it wrote twice, and differently, are not known: a
 * launch finds the ones or the others.
 */
#include "model/observe/internal.h"

#include <string.h>

#define CONSTANT_BYTES_MOST 65536

/* The variable's own name: "width" of _ZN3foo5widthE, and of _ZL5width. */
static const char *own_name(struct arena *arena, const char *mangled)
{
	const char *name = mangled;
	if (strncmp(mangled, "_Z", 2) != 0)
		return mangled;
	for (const char *next = mangled + 2; *next && *next != 'E';) {
		size_t size = 0;
		while (*next >= '0' && *next <= '9' && size < strlen(mangled))
			size = 10 * size + (size_t)(*next++ - '0');
		if (size > strlen(next))
			return mangled;
		if (size)
			name = arena_strndup(arena, next, size);
		next += size ? size : 1;
	}
	return name;
}

static struct host_symbol *symbol_of(struct arena *arena, struct host_symbol **symbols, unsigned *count,
                                     const char *name, uint64_t size)
{
	for (unsigned i = 0; i < *count; i++)
		if (strcmp((*symbols)[i].name, name) == 0 && (*symbols)[i].size == size)
			return &(*symbols)[i];
	struct host_symbol symbol = {.name = name,
	                             .size = size,
	                             .bytes = arena_array(arena, size + 1, 1),
	                             .known = arena_array(arena, size + 1, sizeof(bool)),
	                             .is_set = arena_array(arena, size + 1, sizeof(bool))};
	ARENA_PUSH(arena, *symbols, *count, symbol);
	return &(*symbols)[*count - 1];
}

static void write_take(struct host_symbol *symbol, const struct observed_write *write)
{
	for (uint64_t i = 0; i < write->size; i++) {
		uint64_t at = write->offset + i;
		symbol->known[at] = !symbol->is_set[at] || (symbol->known[at] && symbol->bytes[at] == write->data[i]);
		symbol->bytes[at] = write->data[i];
		symbol->is_set[at] = true;
	}
}

/* The variable that the source says the same name and size of. */
static const struct source_declaration *declared(const struct analysis *analysis, const struct host_symbol *symbol)
{
	for (unsigned i = 0; i < analysis->host_symbol_count; i++)
		if (strcmp(analysis->host_symbols[i].name, symbol->name) == 0)
			return analysis->host_symbols[i].variable;
	return NULL;
}

void observe_symbols(struct arena *arena, struct analysis *analysis, const struct observation *observation)
{
	struct host_symbol *symbols = NULL;
	unsigned count = 0;
	for (unsigned i = 0; i < observation->write_count; i++) {
		const struct observed_write *write = &observation->writes[i];
		if (write->bytes && write->bytes <= CONSTANT_BYTES_MOST)
			write_take(symbol_of(arena, &symbols, &count, own_name(arena, write->name), write->bytes),
			           write);
	}
	for (unsigned i = 0; i < count; i++)
		symbols[i].variable = declared(analysis, &symbols[i]);
	analysis->host_symbols = symbols;
	analysis->host_symbol_count = count;
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned c = 0; c < analysis->kernels[k]->constant_count; c++) {
			struct parameter *constant = analysis->kernels[k]->constants[c];
			constant->copied = NULL;
			for (unsigned s = 0; s < count; s++)
				if (strcmp(symbols[s].name, constant->name) == 0)
					constant->copied = &symbols[s];
		}
}

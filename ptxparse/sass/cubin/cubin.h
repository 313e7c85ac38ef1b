/*
 * Cubins: the ELF file that ptxas writes, its sections, symbols, and what its attributes say about kernels. The bytes come from a
 * file: every offset is checked. Names begin with cubin_.
 */
#ifndef COALESCE_PTXPARSE_SASS_CUBIN_CUBIN_H
#define COALESCE_PTXPARSE_SASS_CUBIN_CUBIN_H

#include "ptxparse/code.h"

struct cubin_section {
	const char *name;
	const uint8_t *data; /* NULL where the file has none (NOBITS) */
	uint64_t size;
	uint32_t type, info, flags;
};

struct cubin_symbol {
	const char *name;
	uint64_t value, size;
	uint32_t section;
	uint8_t type;
	bool is_entry;
};

struct cubin {
	const char *path;
	struct cubin_section *sections;
	size_t section_count;
	struct cubin_symbol *symbols;
	size_t symbol_count;
};

/* Reads sections and symbols. Returns NULL, or why the bytes are no cubin. */
const char *cubin_open(struct arena *arena, const void *data, size_t length, struct cubin *cubin);
/* The section of that name (prefix and suffix joined), or NULL. */
const struct cubin_section *cubin_section_find(const struct cubin *cubin, const char *prefix, const char *suffix);
const struct cubin_symbol *cubin_symbol_find(const struct cubin *cubin, const char *name);
/* The name of the variable whose address stands at the offset in constant bank 4, or NULL. */
const char *cubin_address_at(const struct cubin *cubin, uint64_t offset);
/* Addresses that the indirect branch at `address` may go to, each once. */
uint32_t *cubin_branch_targets(struct arena *arena, const struct cubin *cubin, const char *function, uint32_t address,
                               uint32_t *count);
/* Four bytes of a function's constant bank; false where the cubin does not have them. */
bool cubin_bank_word(const struct cubin *cubin, const char *function, unsigned bank, uint64_t offset, uint32_t *word);

/* What .nv.info says about a kernel. */
struct cubin_kernel {
	struct ptx_variable *parameters;
	size_t parameter_count;
	uint32_t parameter_base; /* offset in constant bank 0 */
	uint32_t register_count, stack_bytes;
	uint64_t shared_bytes;
	uint32_t required_threads[3], maximum_threads[3];
};
void cubin_kernel_read(struct arena *arena, const struct cubin *cubin, const char *kernel, unsigned architecture,
                       struct cubin_kernel *info);

#endif

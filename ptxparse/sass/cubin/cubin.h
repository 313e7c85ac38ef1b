/*
 * Cubins: the ELF file that ptxas writes, its sections, symbols, and what its attributes say about kernels. The bytes
 * come from a file: every offset is checked. Names begin with cubin_.
 */
#ifndef COALESCE_PTXPARSE_SASS_CUBIN_CUBIN_H
#define COALESCE_PTXPARSE_SASS_CUBIN_CUBIN_H

#include "ptxparse/code/code.h"

/* ---- bytes ---- */

/* A number of `count` bytes, least significant first. */
static inline uint64_t cubin_bytes(const uint8_t *at, unsigned count)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < count; i++)
		number |= (uint64_t)at[i] << (8 * i);
	return number;
}

static inline bool cubin_lies_within(uint64_t offset, uint64_t count, uint64_t length)
{
	return offset <= length && count <= length - offset;
}

/* The text that begins at the offset of a section of names; "" where it does not end in it. */
struct cubin_section;
const char *cubin_name_at(const struct cubin_section *names, uint64_t offset);

/* ---- sections and symbols ---- */

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
	bool is_entry, is_local;
};

struct cubin {
	unsigned architecture; /* 90 */
	struct cubin_section *sections;
	size_t section_count;
	struct cubin_symbol *symbols;
	size_t symbol_count;
	const struct ptx_content *contents; /* of variables in constant memory, from elsewhere */
	size_t content_count;
};

/* ---- elf.c ---- */

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
/* Four bytes of the program's own variables in constant memory, where the file initialises them with more than zeros
 * and the host copies nothing there; else false: launches may differ. */
bool cubin_variable_word(const struct cubin *cubin, uint64_t offset, uint32_t *word);
/* What is known of the bytes of a variable of constant memory, in the same way: its initial_known, initial and
 * initial_bytes, in the arena or the contents'. */
void cubin_variable_fill(struct arena *arena, const struct cubin *cubin, const struct cubin_symbol *symbol,
                         struct ptx_variable *variable);
/* The function that begins at the offset of the section, or NULL. */
const struct cubin_symbol *cubin_function_at(const struct cubin *cubin, uint32_t section, uint64_t offset);

/* ---- relocations.c ---- */

/* A place of a section that the loader is to fill in. */
struct cubin_relocation {
	uint64_t offset;
	int64_t addend;
	uint32_t type;
	const struct cubin_symbol *symbol;
};
/* Those of a section, in the order of their offsets. */
struct cubin_relocation *cubin_relocations_read(struct arena *arena, const struct cubin *cubin, const char *section,
                                                size_t *count);

/* ---- lines.c ---- */

#define CUBIN_NO_LINE UINT32_MAX

/* Code from `address` to `end` of the section comes from this line. */
struct cubin_line {
	uint32_t section, address, end;
	const char *file;
	uint32_t line, column; /* 0 where it is not told */
	const char *function;  /* inlined, mangled; NULL where it was not */
	uint32_t caller;       /* of an inlined function: index of the line of the call; CUBIN_NO_LINE */
};
/* The rows of .debug_line, in their order there; those that no address comes before the next of are kept, for callers.
 */
struct cubin_line *cubin_lines_read(struct arena *arena, const struct cubin *cubin, size_t *count);

/* ---- kernel.c ---- */

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

/*
 * Cubins: 64-bit ELF files of NVIDIA's machine 190. Sections hold each kernel's code (.text.NAME), its constant banks
 * (.nv.constant<bank>.NAME) and a list of attributes (.nv.info.NAME, see kernel.c).
 */
#include "ptxparse/sass/cubin/cubin.h"

#include <string.h>

#define ELF_HEADER_BYTES 64
#define SECTION_HEADER_BYTES 64
#define SYMBOL_BYTES 24
#define MACHINE_CUDA 190
#define SECTION_SYMBOLS 2
#define SECTION_NOBITS 8
#define STO_CUDA_ENTRY 0x10
#define SYMBOL_FUNCTION 2
#define OSABI_NEW 65

/* ---- bytes --------------------------------------------------------------------------- */

static uint32_t read_u16(const uint8_t *at)
{
	return (uint32_t)cubin_bytes(at, 2);
}

static uint32_t read_u32(const uint8_t *at)
{
	return (uint32_t)cubin_bytes(at, 4);
}

const char *cubin_name_at(const struct cubin_section *names, uint64_t offset)
{
	if (!names || !names->data || offset >= names->size || !memchr(names->data + offset, 0, names->size - offset))
		return "";
	return (const char *)names->data + offset;
}

/* ---- sections and symbols --------------------------------------------------------------- */

static const char *sections_read(struct arena *arena, const uint8_t *data, size_t length, struct cubin *cubin)
{
	uint64_t table = cubin_bytes(data + 0x28, 8);
	uint32_t count = read_u16(data + 0x3c), names = read_u16(data + 0x3e);

	if (!cubin_lies_within(table, (uint64_t)count * SECTION_HEADER_BYTES, length) || names >= count)
		return "its table of sections is cut off";
	cubin->section_count = count;
	cubin->sections = arena_array(arena, count, sizeof(*cubin->sections));
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *header = data + table + (uint64_t)i * SECTION_HEADER_BYTES;
		struct cubin_section *section = &cubin->sections[i];
		uint64_t offset = cubin_bytes(header + 0x18, 8);

		section->type = read_u32(header + 4);
		section->flags = read_u32(header + 8);
		section->size = cubin_bytes(header + 0x20, 8);
		section->info = read_u32(header + 0x2c);
		if (section->type == SECTION_NOBITS)
			continue;
		if (!cubin_lies_within(offset, section->size, length))
			return "a section is cut off";
		section->data = data + offset;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *header = data + table + (uint64_t)i * SECTION_HEADER_BYTES;

		cubin->sections[i].name = arena_strdup(arena, cubin_name_at(&cubin->sections[names], read_u32(header)));
	}
	return NULL;
}

static void symbols_read(struct arena *arena, struct cubin *cubin)
{
	const struct cubin_section *table = NULL;
	const struct cubin_section *names = cubin_section_find(cubin, ".strtab", "");

	for (size_t i = 0; i < cubin->section_count; i++)
		if (cubin->sections[i].type == SECTION_SYMBOLS && cubin->sections[i].data)
			table = &cubin->sections[i];
	if (!table)
		return;
	cubin->symbol_count = (size_t)(table->size / SYMBOL_BYTES);
	cubin->symbols = arena_array(arena, cubin->symbol_count + 1, sizeof(*cubin->symbols));
	for (size_t i = 0; i < cubin->symbol_count; i++) {
		const uint8_t *entry = table->data + i * SYMBOL_BYTES;
		struct cubin_symbol *symbol = &cubin->symbols[i];

		symbol->name = arena_strdup(arena, cubin_name_at(names, read_u32(entry)));
		symbol->type = entry[4] & 0xf;
		symbol->is_local = entry[4] >> 4 == 0;
		symbol->is_entry = entry[5] & STO_CUDA_ENTRY;
		symbol->section = read_u16(entry + 6);
		symbol->value = cubin_bytes(entry + 8, 8);
		symbol->size = cubin_bytes(entry + 16, 8);
	}
}

/* The number of the SM stands in the second byte of the flags; of cubins before CUDA 13 in the first. */
static unsigned architecture_of(const uint8_t *header)
{
	return header[0x30 + (header[7] == OSABI_NEW)];
}

const char *cubin_open(struct arena *arena, const void *data, size_t length, struct cubin *cubin)
{
	static const uint8_t magic[6] = {0x7f, 'E', 'L', 'F', 2, 1};
	const uint8_t *bytes = data;
	const char *reason;

	if (length < ELF_HEADER_BYTES || memcmp(bytes, magic, sizeof(magic)) != 0)
		return "it is no 64-bit ELF file";
	if (read_u16(bytes + 18) != MACHINE_CUDA || read_u16(bytes + 0x3a) != SECTION_HEADER_BYTES)
		return "it is not for a CUDA machine";
	cubin->architecture = architecture_of(bytes);
	reason = sections_read(arena, bytes, length, cubin);
	if (!reason)
		symbols_read(arena, cubin);
	return reason;
}

const struct cubin_section *cubin_section_find(const struct cubin *cubin, const char *prefix, const char *suffix)
{
	size_t length = strlen(prefix);

	for (size_t i = 0; i < cubin->section_count; i++)
		if (strncmp(cubin->sections[i].name, prefix, length) == 0 &&
		    strcmp(cubin->sections[i].name + length, suffix) == 0)
			return &cubin->sections[i];
	return NULL;
}

const struct cubin_symbol *cubin_symbol_find(const struct cubin *cubin, const char *name)
{
	for (size_t i = 0; i < cubin->symbol_count; i++)
		if (*name && strcmp(cubin->symbols[i].name, name) == 0)
			return &cubin->symbols[i];
	return NULL;
}

const struct cubin_symbol *cubin_function_at(const struct cubin *cubin, uint32_t section, uint64_t offset)
{
	for (size_t i = 0; i < cubin->symbol_count; i++) {
		const struct cubin_symbol *symbol = &cubin->symbols[i];

		if (symbol->type == SYMBOL_FUNCTION && symbol->section == section && symbol->value == offset)
			return symbol;
	}
	return NULL;
}

bool cubin_bank_word(const struct cubin *cubin, const char *function, unsigned bank, uint64_t offset, uint32_t *word)
{
	char prefix[32];
	const struct cubin_section *section;

	snprintf(prefix, sizeof(prefix), ".nv.constant%u.", bank);
	section = cubin_section_find(cubin, prefix, function);
	if (!section || !section->data || !cubin_lies_within(offset, 4, section->size))
		return false;
	*word = read_u32(section->data + offset);
	return true;
}

/* Whether a variable of constant memory is initialised by the file: one that holds nothing but zeros is to be filled by
 * the host. */
static bool is_initialised(const struct cubin_section *section, const struct cubin_symbol *variable)
{
	for (uint64_t i = 0; i < variable->size; i++)
		if (section->data[variable->value + i])
			return true;
	return false;
}

/* What the host is known to put in a variable of constant memory; NULL where nothing is. */
static const struct ptx_content *content_of(const struct cubin *cubin, const struct cubin_symbol *variable)
{
	for (size_t c = 0; c < cubin->content_count; c++)
		if (ptx_symbol_names(variable->name, cubin->contents[c].name))
			return &cubin->contents[c];
	return NULL;
}

void cubin_variable_fill(struct arena *arena, const struct cubin *cubin, const struct cubin_symbol *symbol,
                         struct ptx_variable *variable)
{
	const struct cubin_section *section = &cubin->sections[symbol->section];
	const struct ptx_content *content = content_of(cubin, symbol);
	bool *known;

	if (content) {
		variable->initial = content->bytes;
		variable->initial_known = content->known;
		variable->initial_bytes = content->size;
	} else if (section->data && cubin_lies_within(symbol->value, symbol->size, section->size) &&
	           is_initialised(section, symbol)) {
		uint8_t *bytes = arena_array(arena, symbol->size + 1, 1);

		known = arena_array(arena, symbol->size + 1, sizeof(*known));
		memset(known, true, symbol->size);
		memcpy(bytes, section->data + symbol->value, symbol->size);
		variable->initial = bytes;
		variable->initial_known = known;
		variable->initial_bytes = symbol->size;
	}
}

bool cubin_variable_word(const struct cubin *cubin, uint64_t offset, uint32_t *word)
{
	const struct cubin_section *section = cubin_section_find(cubin, ".nv.constant3", "");

	if (!section || !section->data || !cubin_lies_within(offset, 4, section->size))
		return false;
	for (size_t i = 0; i < cubin->symbol_count; i++) {
		const struct cubin_symbol *variable = &cubin->symbols[i];

		if (variable->section != section - cubin->sections || offset < variable->value ||
		    offset - variable->value >= variable->size ||
		    !cubin_lies_within(variable->value, variable->size, section->size))
			continue;
		if (content_of(cubin, variable) || !is_initialised(section, variable))
			continue;
		*word = read_u32(section->data + offset);
		return true;
	}
	return false;
}

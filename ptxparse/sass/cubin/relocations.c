/*
 * Places that the loader is to fill in.
 */
#include "ptxparse/sass/cubin/cubin.h"

#include <string.h>

#define RELOCATION_BYTES 24
#define SHORT_RELOCATION_BYTES 16 /* without an addend */

struct cubin_relocation *cubin_relocations_read(struct arena *arena, const struct cubin *cubin, const char *section,
                                                size_t *count)
{
	const struct cubin_section *table = cubin_section_find(cubin, ".rela", section);
	bool has_addend = table != NULL;
	size_t size = has_addend ? RELOCATION_BYTES : SHORT_RELOCATION_BYTES;
	struct cubin_relocation *list;

	if (!table)
		table = cubin_section_find(cubin, ".rel", section);
	*count = table && table->data ? (size_t)(table->size / size) : 0;
	list = arena_array(arena, *count + 1, sizeof(*list));
	for (size_t i = 0; i < *count; i++) {
		const uint8_t *entry = table->data + i * size;
		uint64_t symbol = cubin_bytes(entry + 12, 4);

		list[i].offset = cubin_bytes(entry, 8);
		list[i].type = (uint32_t)cubin_bytes(entry + 8, 4);
		list[i].addend = has_addend ? (int64_t)cubin_bytes(entry + 16, 8) : 0;
		list[i].symbol = symbol < cubin->symbol_count ? &cubin->symbols[symbol] : NULL;
	}
	return list;
}

const char *cubin_address_at(const struct cubin *cubin, uint64_t offset)
{
	const struct cubin_section *section = cubin_section_find(cubin, ".rela.nv.constant4", "");

	for (uint64_t i = 0; section && section->data && i + RELOCATION_BYTES <= section->size; i += RELOCATION_BYTES) {
		uint64_t symbol = cubin_bytes(section->data + i + 12, 4);

		if (cubin_bytes(section->data + i, 8) == offset && symbol < cubin->symbol_count)
			return cubin->symbols[symbol].name;
	}
	return NULL;
}

/*
 * Cubins: 64-bit ELF files of NVIDIA's machine 190. Sections hold each kernel's code (.text.NAME), its constant banks
 * (.nv.constant<bank>.NAME) and a list of attributes (.nv.info.NAME): bytes format, attribute, then a 16-bit value or
 * the length of what follows. The names of attributes are those that nvdisasm prints (EIATTR_...).
 *
 * The bytes come from a file: every offset is checked.
 */
#include "ptxparse/sass/cubin/cubin.h"

#include <string.h>

#define ELF_HEADER_BYTES 64
#define SECTION_HEADER_BYTES 64
#define SYMBOL_BYTES 24
#define RELOCATION_BYTES 24
#define MACHINE_CUDA 190
#define SECTION_SYMBOLS 2
#define SECTION_NOBITS 8
#define STO_CUDA_ENTRY 0x10
#define MOST_PARAMETERS 4096

enum attribute {
	ATTRIBUTE_MAX_THREADS = 0x05,
	ATTRIBUTE_PARAM_CBANK = 0x0a,
	ATTRIBUTE_REQNTID = 0x10,
	ATTRIBUTE_MIN_STACK_SIZE = 0x12,
	ATTRIBUTE_KPARAM_INFO = 0x17,
	ATTRIBUTE_REGCOUNT = 0x2f,
	ATTRIBUTE_INDIRECT_BRANCH_TARGETS = 0x34
};
#define FORMAT_LENGTH 4

/* ---- bytes --------------------------------------------------------------------------- */

static uint64_t read_bytes(const uint8_t *at, unsigned count)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < count; i++)
		number |= (uint64_t)at[i] << (8 * i);
	return number;
}

static uint32_t read_u16(const uint8_t *at)
{
	return (uint32_t)read_bytes(at, 2);
}

static uint32_t read_u32(const uint8_t *at)
{
	return (uint32_t)read_bytes(at, 4);
}

static bool lies_within(uint64_t offset, uint64_t count, uint64_t length)
{
	return offset <= length && count <= length - offset;
}

/* The text that begins at the offset of a section of names; "" where it does not end in it. */
static const char *name_at(const struct cubin_section *names, uint64_t offset)
{
	if (!names || !names->data || offset >= names->size || !memchr(names->data + offset, 0, names->size - offset))
		return "";
	return (const char *)names->data + offset;
}

/* ---- sections and symbols --------------------------------------------------------------- */

static const char *sections_read(struct arena *arena, const uint8_t *data, size_t length, struct cubin *cubin)
{
	uint64_t table = read_bytes(data + 0x28, 8);
	uint32_t count = read_u16(data + 0x3c), names = read_u16(data + 0x3e);

	if (!lies_within(table, (uint64_t)count * SECTION_HEADER_BYTES, length) || names >= count)
		return "its table of sections is cut off";
	cubin->section_count = count;
	cubin->sections = arena_array(arena, count, sizeof(*cubin->sections));
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *header = data + table + (uint64_t)i * SECTION_HEADER_BYTES;
		struct cubin_section *section = &cubin->sections[i];
		uint64_t offset = read_bytes(header + 0x18, 8);

		section->type = read_u32(header + 4);
		section->flags = read_u32(header + 8);
		section->size = read_bytes(header + 0x20, 8);
		section->info = read_u32(header + 0x2c);
		if (section->type == SECTION_NOBITS)
			continue;
		if (!lies_within(offset, section->size, length))
			return "a section is cut off";
		section->data = data + offset;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *header = data + table + (uint64_t)i * SECTION_HEADER_BYTES;

		cubin->sections[i].name = arena_strdup(arena, name_at(&cubin->sections[names], read_u32(header)));
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

		symbol->name = arena_strdup(arena, name_at(names, read_u32(entry)));
		symbol->type = entry[4] & 0xf;
		symbol->is_entry = entry[5] & STO_CUDA_ENTRY;
		symbol->section = read_u16(entry + 6);
		symbol->value = read_bytes(entry + 8, 8);
		symbol->size = read_bytes(entry + 16, 8);
	}
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
	reason = sections_read(arena, bytes, length, cubin);
	if (!reason)
		symbols_read(arena, cubin);
	return reason;
}

const struct cubin_section *cubin_section_find(const struct cubin *cubin, const char *prefix, const char *suffix)
{
	size_t length = strlen(prefix);

	for (size_t i = 0; i < cubin->section_count; i++)
		if (strncmp(cubin->sections[i].name, prefix, length) == 0 && strcmp(cubin->sections[i].name + length, suffix) == 0)
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

const char *cubin_address_at(const struct cubin *cubin, uint64_t offset)
{
	const struct cubin_section *section = cubin_section_find(cubin, ".rela.nv.constant4", "");

	for (uint64_t i = 0; section && section->data && i + RELOCATION_BYTES <= section->size; i += RELOCATION_BYTES) {
		uint64_t symbol = read_bytes(section->data + i + 12, 4);

		if (read_bytes(section->data + i, 8) == offset && symbol < cubin->symbol_count)
			return cubin->symbols[symbol].name;
	}
	return NULL;
}

/* ---- attributes of a kernel ---------------------------------------------------------------- */

static enum ptx_type parameter_type(uint64_t size)
{
	switch (size) {
	case 1:
		return PTX_u8;
	case 2:
		return PTX_u16;
	case 4:
		return PTX_u32;
	case 8:
		return PTX_u64;
	default:
		return PTX_b8;
	}
}

/* KPARAM_INFO: index, ordinal, offset, then flags with the size from bit 18 on. */
static void parameter_read(struct arena *arena, const char *kernel, const uint8_t *at, struct cubin_kernel *info)
{
	uint32_t ordinal = read_u16(at + 4), size = read_u32(at + 8) >> 18;
	struct ptx_variable *parameter;

	if (ordinal >= MOST_PARAMETERS)
		return;
	while (info->parameter_count <= ordinal)
		ARENA_PUSH(arena, info->parameters, info->parameter_count, (struct ptx_variable){.space = SPACE_PARAM});
	parameter = &info->parameters[ordinal];
	parameter->name = arena_printf(arena, "%s_param_%u", kernel, ordinal);
	parameter->offset = read_u16(at + 6);
	parameter->type = (uint8_t)parameter_type(size);
	parameter->count = parameter->type == PTX_b8 ? size : 1;
	parameter->align_bytes = size && size <= 8 && (size & (size - 1)) == 0 ? size : 1;
}

static void threads_read(const uint8_t *at, uint64_t length, uint32_t threads[static 3])
{
	for (unsigned i = 0; i < 3 && 4 * i + 4 <= length; i++)
		threads[i] = read_u32(at + (uint64_t)4 * i);
}

struct attribute_reader {
	struct arena *arena;
	const struct cubin *cubin;
	const char *kernel;
	struct cubin_kernel *info;
};

static bool is_about(const struct attribute_reader *reader, const uint8_t *at)
{
	uint32_t symbol = read_u32(at);

	return symbol < reader->cubin->symbol_count && strcmp(reader->cubin->symbols[symbol].name, reader->kernel) == 0;
}

static void attribute_read(const struct attribute_reader *reader, unsigned attribute, const uint8_t *at, uint64_t length)
{
	struct cubin_kernel *info = reader->info;

	switch (attribute) {
	case ATTRIBUTE_KPARAM_INFO:
		if (length >= 12)
			parameter_read(reader->arena, reader->kernel, at, info);
		break;
	case ATTRIBUTE_PARAM_CBANK:
		if (length >= 8)
			info->parameter_base = read_u16(at + 4);
		break;
	case ATTRIBUTE_REQNTID:
		threads_read(at, length, info->required_threads);
		break;
	case ATTRIBUTE_MAX_THREADS:
		threads_read(at, length, info->maximum_threads);
		break;
	case ATTRIBUTE_REGCOUNT:
		if (length >= 8 && is_about(reader, at))
			info->register_count = read_u32(at + 4);
		break;
	case ATTRIBUTE_MIN_STACK_SIZE:
		if (length >= 8 && is_about(reader, at))
			info->stack_bytes = read_u32(at + 4);
		break;
	default:
		break;
	}
}

static void attributes_read(const struct attribute_reader *reader, const struct cubin_section *section)
{
	uint64_t at = 0;

	while (section && section->data && at + 4 <= section->size) {
		unsigned format = section->data[at], attribute = section->data[at + 1];
		uint64_t length = format == FORMAT_LENGTH ? read_u16(section->data + at + 2) : 0;

		if (length > section->size - at - 4)
			return;
		if (format == FORMAT_LENGTH)
			attribute_read(reader, attribute, section->data + at + 4, length);
		at += 4 + length;
	}
}

/* Where kernel parameters begin in constant bank 0. */
static uint32_t default_base(unsigned architecture)
{
	return architecture >= 100 ? 0x380 : architecture >= 90 ? 0x210 : 0x160;
}

/* Shared memory that the system keeps at the start of a block's, from sm_90 on. */
static uint64_t reserved_shared(unsigned architecture)
{
	return architecture >= 90 ? 1024 : 0;
}

void cubin_kernel_read(struct arena *arena, const struct cubin *cubin, const char *kernel, unsigned architecture,
                       struct cubin_kernel *info)
{
	struct attribute_reader reader = {arena, cubin, kernel, info};
	const struct cubin_section *shared = cubin_section_find(cubin, ".nv.shared.", kernel);
	uint64_t reserved = reserved_shared(architecture);

	*info = (struct cubin_kernel){.parameter_base = default_base(architecture)};
	attributes_read(&reader, cubin_section_find(cubin, ".nv.info", ""));
	attributes_read(&reader, cubin_section_find(cubin, ".nv.info.", kernel));
	for (size_t i = 0; i < info->parameter_count; i++)
		if (!info->parameters[i].name)
			info->parameters[i].name = arena_printf(arena, "%s_param_%zu", kernel, i);
	if (shared)
		info->shared_bytes = shared->size > reserved ? shared->size - reserved : 0;
}

/* ---- targets of indirect branches -------------------------------------------------------------- */

/* The entry of the branch at address: its address, 4 bytes, a count, and so many targets. */
static const uint8_t *branch_entry_find(const uint8_t *list, uint64_t length, uint32_t address, uint32_t *count)
{
	uint64_t at = 0;

	while (at + 12 <= length) {
		uint32_t targets = read_u32(list + at + 8);

		if (targets > (length - at - 12) / 4)
			return NULL;
		if (read_u32(list + at) == address) {
			*count = targets;
			return list + at + 12;
		}
		at += 12 + (uint64_t)4 * targets;
	}
	return NULL;
}

uint32_t *cubin_branch_targets(struct arena *arena, const struct cubin *cubin, const char *function, uint32_t address,
                               uint32_t *count)
{
	const struct cubin_section *section = cubin_section_find(cubin, ".nv.info.", function);
	const uint8_t *found = NULL;
	uint32_t *targets;
	uint64_t at = 0;

	*count = 0;
	while (section && section->data && at + 4 <= section->size && !found) {
		bool has_length = section->data[at] == FORMAT_LENGTH;
		uint64_t length = has_length ? read_u16(section->data + at + 2) : 0;

		if (length > section->size - at - 4)
			break;
		if (has_length && section->data[at + 1] == ATTRIBUTE_INDIRECT_BRANCH_TARGETS)
			found = branch_entry_find(section->data + at + 4, length, address, count);
		at += 4 + length;
	}
	targets = arena_array(arena, *count + 1, sizeof(*targets));
	for (uint32_t i = 0; i < *count; i++)
		targets[i] = read_u32(found + (size_t)4 * i);
	return targets;
}

bool cubin_bank_word(const struct cubin *cubin, const char *function, unsigned bank, uint64_t offset, uint32_t *word)
{
	char prefix[32];
	const struct cubin_section *section;

	snprintf(prefix, sizeof(prefix), ".nv.constant%u.", bank);
	section = cubin_section_find(cubin, prefix, function);
	if (!section || !section->data || !lies_within(offset, 4, section->size))
		return false;
	*word = read_u32(section->data + offset);
	return true;
}

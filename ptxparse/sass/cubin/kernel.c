/*
 * What a cubin says about its kernels: .nv.info.NAME is a list of attributes: bytes format, attribute, then a 16-bit
 * value or the length of what follows. The names of attributes are those that nvdisasm prints (EIATTR_...).
 */
#include "ptxparse/sass/cubin/cubin.h"

#include <string.h>

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

static uint32_t read_u16(const uint8_t *at)
{
	return (uint32_t)cubin_bytes(at, 2);
}

static uint32_t read_u32(const uint8_t *at)
{
	return (uint32_t)cubin_bytes(at, 4);
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

static void attribute_read(const struct attribute_reader *reader, unsigned attribute, const uint8_t *at,
                           uint64_t length)
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

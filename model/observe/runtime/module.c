/*
 * Fat binaries, as nvcc puts them uncompressed into the program. Of the code for the machine: per kernel the places of
 * its parameters, registers and memory, from the sections .nv.info; per variable its initial bytes.
 */
#include "model/cpu/support/support.h"
#include "model/observe/fatbin.h"
#include "model/observe/runtime/device.h"
#include "model/observe/runtime/runtime.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INFO_SIZED 4
#define INFO_PARAMETER 0x17
#define INFO_REGISTERS 0x2f
#define INFO_FRAME 0x11
#define INFO_THREADS_MOST 0x05
#define CONTENT_BYTES_MOST ((size_t)64 << 20)
#define CONTENT_BYTES_UNTYPED ((size_t)4 << 20)

extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status) __attribute__((weak));

struct fatbin_wrapper {
	int magic, version;
	const char *data;
	void *unused;
};
/* An ELF image that lies in the program. */
struct image {
	const char *begin;
	size_t bytes;
	const Elf64_Shdr *sections;
	unsigned section_count;
	const char *section_names;
	const Elf64_Sym *symbols;
	size_t symbol_count;
	const char *symbol_names;
};
struct module {
	struct image *images;
	unsigned image_count;
	char text[17]; /* the hash of its PTX, or empty */
};
static struct runtime_kernel **kernels;
static unsigned kernel_count;

/* ---- images ------------------------------------------------------------------------------- */

static bool image_read(const char *begin, size_t bytes, struct image *image)
{
	const Elf64_Ehdr *header = (const void *)begin;
	if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shoff >= bytes)
		return false;
	*image = (struct image){.begin = begin, .bytes = bytes, .section_count = header->e_shnum};
	image->sections = (const void *)(begin + header->e_shoff);
	image->section_names = begin + image->sections[header->e_shstrndx].sh_offset;
	for (unsigned s = 0; s < image->section_count; s++) {
		const Elf64_Shdr *section = &image->sections[s];
		if (section->sh_type != SHT_SYMTAB)
			continue;
		image->symbols = (const void *)(begin + section->sh_offset);
		image->symbol_count = section->sh_size / sizeof(Elf64_Sym);
		image->symbol_names = begin + image->sections[section->sh_link].sh_offset;
	}
	return image->symbols != NULL;
}

static const Elf64_Shdr *section_find(const struct image *image, const char *prefix, const char *name)
{
	for (unsigned s = 0; s < image->section_count; s++) {
		const char *candidate = image->section_names + image->sections[s].sh_name;
		if (strncmp(candidate, prefix, strlen(prefix)) == 0 && strcmp(candidate + strlen(prefix), name) == 0)
			return &image->sections[s];
	}
	return NULL;
}

static const Elf64_Sym *symbol_find(const struct image *image, const char *name)
{
	for (size_t s = 0; s < image->symbol_count; s++)
		if (strcmp(image->symbol_names + image->symbols[s].st_name, name) == 0)
			return &image->symbols[s];
	return NULL;
}

/* ---- .nv.info ------------------------------------------------------------------------------ */

typedef void attribute_reader(const struct image *image, struct runtime_kernel *kernel, unsigned attribute,
                              const uint32_t *words, unsigned word_count);

/* Reads entries of 4 bytes (format, attribute, value), those of the format INFO_SIZED with so many bytes behind them.
 */
static void info_read(const struct image *image, const Elf64_Shdr *section, struct runtime_kernel *kernel,
                      attribute_reader *read)
{
	const unsigned char *next = (const unsigned char *)image->begin + section->sh_offset,
			    *end = next + section->sh_size;
	while (end - next >= 4) {
		unsigned size = next[0] == INFO_SIZED ? (unsigned)next[2] | (unsigned)next[3] << 8 : 0;
		uint32_t words[4] = {0};
		if (size > (size_t)(end - next) - 4)
			return;
		memcpy(words, next + 4, size < sizeof words ? size : sizeof words);
		read(image, kernel, next[1], words, size / 4);
		next += 4 + size;
	}
}

static void parameter_read(struct runtime_kernel *kernel, const uint32_t words[4])
{
	unsigned ordinal = words[1] & 0xffff;
	if (ordinal >= RUNTIME_PARAMETERS_MOST)
		return;
	if (!kernel->parameters)
		kernel->parameters = calloc(RUNTIME_PARAMETERS_MOST, sizeof *kernel->parameters);
	if (!kernel->parameters)
		return;
	kernel->parameters[ordinal].offset = words[1] >> 16;
	kernel->parameters[ordinal].size = words[2] >> 18;
	kernel->parameter_count = ordinal + 1 > kernel->parameter_count ? ordinal + 1 : kernel->parameter_count;
}

static void own_attribute_read(const struct image *image, struct runtime_kernel *kernel, unsigned attribute,
                               const uint32_t *words, unsigned word_count)
{
	(void)image;
	if (attribute == INFO_PARAMETER && word_count >= 3)
		parameter_read(kernel, words);
	if (attribute == INFO_THREADS_MOST && word_count >= 3)
		kernel->threads_most = words[0] * words[1] * words[2];
}

static void common_attribute_read(const struct image *image, struct runtime_kernel *kernel, unsigned attribute,
                                  const uint32_t *words, unsigned word_count)
{
	if (word_count < 2 || words[0] >= image->symbol_count ||
	    strcmp(image->symbol_names + image->symbols[words[0]].st_name, kernel->name) != 0)
		return;
	if (attribute == INFO_REGISTERS)
		kernel->registers = words[1];
	if (attribute == INFO_FRAME)
		kernel->local_bytes = words[1];
}

/* ---- types of parameters, by the mangled name ----------------------------------------------- */

/* Whether the pointee's name is one of numbers that no address is made of. */
static bool is_real(const char *type, size_t length)
{
	static const char *const names[] = {"float", "double", "__half", "__nv_bfloat16"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t own = strlen(names[i]);
		if (length >= own && strncmp(type, names[i], own) == 0 &&
		    (length == own || type[own] == ' ' || type[own] == '*' || (type[own] >= '1' && type[own] <= '4')))
			return true;
	}
	return false;
}

static bool is_integer(const char *type)
{
	static const char *const names[] = {"int",  "unsigned", "char", "signed", "short",
	                                    "long", "bool",     "uint", "uchar",  "ushort"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(type, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void parameter_type(struct runtime_parameter *parameter, const char *type, size_t length)
{
	const char *star = memchr(type, '*', length), *constant = strstr(type, " const*");
	parameter->is_const = star && constant && constant < star;
	parameter->content_most = star && is_real(type, length) ? 0
	                          : star && is_integer(type)    ? CONTENT_BYTES_MOST
	                                                        : CONTENT_BYTES_UNTYPED;
}

/* The list of parameters in "void f<int>(int const*, S)": behind the parenthesis that its last one closes. */
static const char *parameters_begin(const char *text)
{
	const char *open = NULL;
	int depth = 0;
	for (const char *next = text; *next; next++) {
		if (*next == '(' && depth == 0 && strncmp(next, "(anonymous", 10) != 0)
			open = next + 1;
		depth += (*next == '(' || *next == '<') - (*next == ')' || *next == '>');
	}
	return open;
}

static void types_read(struct runtime_kernel *kernel)
{
	char *text = __cxa_demangle ? __cxa_demangle(kernel->name, NULL, NULL, NULL) : NULL;
	const char *next = text ? parameters_begin(text) : NULL;
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		kernel->parameters[p].content_most = CONTENT_BYTES_UNTYPED;
		if (!next)
			continue;
		int depth = 0;
		size_t length = 0;
		for (; next[length] && (depth > 0 || (next[length] != ',' && next[length] != ')')); length++)
			depth += (next[length] == '(' || next[length] == '<') -
			         (next[length] == ')' || next[length] == '>');
		parameter_type(&kernel->parameters[p], next, length);
		next = next[length] == ',' ? next + length + 1 + (next[length + 1] == ' ') : NULL;
	}
	free(text);
}

/* ---- registration ---------------------------------------------------------------------------- */

static void kernel_fill(const struct module *module, struct runtime_kernel *kernel)
{
	for (unsigned i = 0; i < module->image_count; i++) {
		const struct image *image = &module->images[i];
		const Elf64_Shdr *own = section_find(image, ".nv.info.", kernel->name),
				 *common = section_find(image, ".nv.info", "");
		const Elf64_Shdr *shared = section_find(image, ".nv.shared.", kernel->name);
		if (!own)
			continue;
		info_read(image, own, kernel, own_attribute_read);
		if (common)
			info_read(image, common, kernel, common_attribute_read);
		kernel->shared_bytes =
			shared && shared->sh_size >= DEVICE_SHARED_RESERVED && runtime_device()->major >= 9
				? (unsigned)shared->sh_size - DEVICE_SHARED_RESERVED
			: shared ? (unsigned)shared->sh_size
				 : 0;
		break;
	}
	types_read(kernel);
}

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                            void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t size,
                              int constant, int global);

const char *runtime_module_text(const void *module)
{
	const struct module *of = module;
	return of && of->text[0] ? of->text : NULL;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
	const struct fatbin_wrapper *outer = wrapper;
	struct module *module = calloc(1, sizeof *module);
	const struct fatbin_header *header = (const void *)outer->data;
	if (!module || header->magic != FATBIN_MAGIC)
		return (void **)module;
	const char *next = outer->data + header->header_bytes, *end = next + header->bytes;
	while ((size_t)(end - next) > sizeof(struct fatbin_entry)) {
		const struct fatbin_entry *entry = (const void *)next;
		struct image image, *images;
		if (entry->kind == FATBIN_ELF && image_read(next + entry->header_bytes, entry->bytes, &image) &&
		    (images = realloc(module->images, (module->image_count + 1) * sizeof *images))) {
			module->images = images;
			module->images[module->image_count++] = image;
		}
		if (entry->kind == FATBIN_PTX)
			snprintf(module->text, sizeof module->text, "%016llx",
			         (unsigned long long)cpu_text_hash(next + entry->header_bytes,
			                                           strnlen(next + entry->header_bytes, entry->bytes)));
		next += entry->header_bytes + entry->bytes;
	}
	return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
	(void)handle;
}

char __cudaInitModule(void **handle)
{
	(void)handle;
	return 1;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                            void *bid, void *block, void *grid, int *warp)
{
	(void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	runtime_enter();
	struct runtime_kernel **list = realloc(kernels, (kernel_count + 1) * sizeof *kernels);
	struct runtime_kernel *kernel = calloc(1, sizeof *kernel);
	if (list && kernel) {
		*kernel = (struct runtime_kernel){.host = host, .module = handle, .name = name, .carveout = -1};
		kernel_fill((const struct module *)handle, kernel);
		kernels = list;
		kernels[kernel_count++] = kernel;
	}
	runtime_end(cudaSuccess);
}

/* The bytes that a variable has in the program; NULL: none, they are zero. */
static const void *initial_bytes(const struct module *module, const char *name, size_t size)
{
	for (unsigned i = 0; i < module->image_count; i++) {
		const struct image *image = &module->images[i];
		const Elf64_Sym *symbol = symbol_find(image, name);
		if (!symbol || symbol->st_shndx >= image->section_count)
			continue;
		const Elf64_Shdr *section = &image->sections[symbol->st_shndx];
		if (section->sh_type == SHT_NOBITS || symbol->st_value + size > section->sh_size)
			return NULL;
		return image->begin + section->sh_offset + symbol->st_value;
	}
	return NULL;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size,
                       int constant, int global)
{
	(void)device, (void)external, (void)global;
	runtime_enter();
	runtime_variable_add(
		(struct runtime_variable){.module = handle, .host = host, .name = name, .constant = constant != 0},
		size, initial_bytes((const struct module *)handle, name, size), NULL);
	runtime_end(cudaSuccess);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t size,
                              int constant, int global)
{
	(void)device, (void)external, (void)constant, (void)global;
	runtime_enter();
	runtime_variable_add((struct runtime_variable){.module = handle, .host = (const char *)host, .name = name},
	                     size, initial_bytes((const struct module *)handle, name, size), host);
	runtime_end(cudaSuccess);
}

struct runtime_kernel *runtime_kernel_find(const void *function)
{
	for (unsigned k = 0; k < kernel_count; k++)
		if (kernels[k]->host == function || kernels[k] == function)
			return kernels[k];
	return NULL;
}

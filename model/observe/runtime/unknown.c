/*
 * Names of the runtime that need no state, and those that are not known: a call of one returns an error that the
 * program sees, and is logged. No header of the toolkit is read here, so that no prototype stands in the way.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOT_SUPPORTED 801
#define NAMES_MOST 256

void runtime_enter(void);
int runtime_end(int error);
void runtime_log(const char *format, ...);
int runtime_unknown(const char *name);

int runtime_unknown(const char *name)
{
	static const char *seen[NAMES_MOST];
	static unsigned count;
	unsigned i = 0;
	runtime_enter();
	while (i < count && strcmp(seen[i], name) != 0)
		i++;
	if (i == count && count < NAMES_MOST) {
		seen[count++] = name;
		runtime_log("{\"unknown\":\"%s\"}", name);
	}
	return runtime_end(NOT_SUPPORTED);
}

static int handle_give(uint64_t *handle)
{
	static uint64_t last;
	*handle = ++last;
	return 0;
}

/* What the runtime calls a channel's format: bits of x, y, z, w, and a kind. */
struct channels {
	int x, y, z, w, kind;
};
struct channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
struct channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
	return (struct channels){x, y, z, w, kind};
}

#define ACCEPT(name)                                                                                                   \
	int name(void);                                                                                                \
	int name(void)                                                                                                 \
	{                                                                                                              \
		return 0;                                                                                              \
	}
#define HANDLE(name)                                                                                                   \
	int name(uint64_t *handle);                                                                                    \
	int name(uint64_t *handle)                                                                                     \
	{                                                                                                              \
		return handle_give(handle);                                                                            \
	}
/* Both have their arguments in the same places: a jump hands them on. */
#define SAME(name, other)                                                                                              \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n\tjmp " #other "@PLT\n");
#define UNKNOWN(name)                                                                                                  \
	__attribute__((weak)) int name(void);                                                                          \
	__attribute__((weak)) int name(void)                                                                           \
	{                                                                                                              \
		return runtime_unknown(#name);                                                                         \
	}
#include "model/observe/runtime/names.def"

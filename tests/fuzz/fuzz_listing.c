/*
 * Any bytes as a cubin and nvdisasm's listing of it: four bytes say how long the cubin is, least significant first; the
 * listing follows it. sass_parse_listing() gives a module, which the verifier of control flow has seen, or an error.
 */
#include <stdlib.h>

#include "ptxparse/ptxparse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena;
	struct diagnostics diagnostics;
	struct ptx_module *module;
	struct text out = {0};
	size_t length;

	if (size < 4)
		return 0;
	length = ((size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % (size - 3);
	arena = arena_create();
	diagnostics_init(&diagnostics, arena);
	module = sass_parse_listing(arena, "fuzz.cubin", data + 4, length, (const char *)data + 4 + length,
	                            size - 4 - length, &diagnostics);
	if ((module != NULL) != (diagnostics.errors == 0))
		abort();
	if (module)
		ptx_dump_sass(&out, module);
	text_release(&out);
	arena_release(arena);
	return 0;
}

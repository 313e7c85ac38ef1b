/*
 * Any bytes as a cubin: its sections, attributes, line table, relocations and code. sass_parse() gives a module, which
 * the verifier of control flow has seen, or an error; sass_list() a listing where there is a module.
 */
#include <stdlib.h>

#include "ptxparse/ptxparse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics, again;
	struct ptx_module *module;
	struct text out = {0};

	diagnostics_init(&diagnostics, arena);
	diagnostics_init(&again, arena);
	module = sass_parse(arena, "fuzz.cubin", data, size, &diagnostics);
	if ((module != NULL) != (diagnostics.errors == 0))
		abort();
	if (module)
		ptx_dump_sass(&out, module);
	if (sass_list(&out, arena, "fuzz.cubin", data, size, &again) != (again.errors == 0) || (module && again.errors))
		abort();
	text_release(&out);
	arena_release(arena);
	return 0;
}

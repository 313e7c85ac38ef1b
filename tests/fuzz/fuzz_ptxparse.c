/*
 * Any bytes: ptx_parse() gives a module or an error, never both and never neither; a module is analysed, checked by the
 * verifier and dumped in every form.
 */
#include <stdlib.h>

#include "ptxparse/ptxparse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void module_use(struct arena *arena, struct ptx_module *module)
{
	struct text out = {0};
	ptx_dump(&out, module);
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].has_body)
			ptx_function_analyse(arena, &module->functions[i]);
	ptx_dump(&out, module);
	ptx_dump_cfg(&out, module);
	ptx_dump_memory(&out, module);
	text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct ptx_module *module;
	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, "fuzz.ptx", (const char *)data, size, &diagnostics);
	if ((module != NULL) != (diagnostics.errors == 0))
		abort();
	if (module)
		module_use(arena, module);
	arena_release(arena);
	return 0;
}

/*
 * The table of opcodes: rows of sass.def.
 */
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

static const struct sass_opcode opcodes[] = {
#define X(opcode, handler, operation, type, unit)                                                                      \
	{#opcode, sass_handle_##handler, OP_##operation, UNIT_##unit, PTX_##type},
#include "ptxparse/sass/handlers/sass.def"
#undef X
};

const struct sass_opcode *sass_opcode_find(const char *opcode)
{
	size_t length = strcspn(opcode, ".");

	for (size_t i = 0; i < ARRAY_COUNT(opcodes); i++)
		if (strncmp(opcodes[i].name, opcode, length) == 0 && opcodes[i].name[length] == 0)
			return &opcodes[i];
	return NULL;
}

bool sass_opcode_describes(const struct sass_insn *insn)
{
	static sass_handler *const narrow[] = {sass_handle_product, sass_handle_scaled, sass_handle_logic,
	                                       sass_handle_permute, sass_handle_abs,    sass_handle_mask};

	for (size_t i = 0; insn->entry && sass_has(insn, "64") && i < ARRAY_COUNT(narrow); i++)
		if (insn->entry->handler == narrow[i])
			return false;
	return insn->entry != NULL;
}

/*
 * What an instruction's opcode says.
 */
#include "ptxparse/sass/insn.h"

#include <string.h>

bool sass_opcode_is(const struct sass_insn *insn, const char *name)
{
	size_t length = strlen(name);

	return strncmp(insn->opcode, name, length) == 0 && (insn->opcode[length] == 0 || insn->opcode[length] == '.');
}

bool sass_has(const struct sass_insn *insn, const char *modifier)
{
	size_t length = strlen(modifier);

	for (const char *at = strchr(insn->opcode, '.'); at; at = strchr(at + 1, '.'))
		if (strncmp(at + 1, modifier, length) == 0 && (at[1 + length] == 0 || at[1 + length] == '.'))
			return true;
	return false;
}

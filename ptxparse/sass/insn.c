/*
 * What an instruction's opcode says.
 */
#include "ptxparse/sass/insn.h"

/* What follows a word that a text begins with and that ends at a dot or with the text; NULL: it begins with another one. */
static const char *behind_word(const char *text, const char *word)
{
	while (*word && *text == *word) {
		text++;
		word++;
	}
	return *word || (*text && *text != '.') ? NULL : text;
}

bool sass_opcode_is(const struct sass_insn *insn, const char *name)
{
	return behind_word(insn->opcode, name) != NULL;
}

bool sass_has(const struct sass_insn *insn, const char *modifier)
{
	for (const char *at = insn->opcode; *at; at++)
		if (*at == '.' && behind_word(at + 1, modifier))
			return true;
	return false;
}

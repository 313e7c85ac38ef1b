/*
 * What an instruction's opcode says.
 */
#include "ptxparse/sass/insn.h"

#include <string.h>

/* What follows a word that a text begins with and that ends at a dot or with the text; NULL: it begins with another
 * one. */
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

static const struct {
	const char *opcode;
	enum sass_kind kind;
} kinds[] = {
	{"BRA", KIND_BRANCH},  {"JMP", KIND_BRANCH},   {"BRX", KIND_INDEXED}, {"BRXU", KIND_INDEXED},
	{"JMX", KIND_INDEXED}, {"JMXU", KIND_INDEXED}, {"EXIT", KIND_EXIT},   {"KILL", KIND_EXIT},
	{"RET", KIND_RETURN},  {"CALL", KIND_CALL},    {"BSYNC", KIND_SYNC},
};

/* CALL to an address, not a function, is a jump: ptxas writes so where lanes may have parted. */
static bool calls_address(const struct sass_insn *insn)
{
	return sass_opcode_is(insn, "CALL") && insn->operand_count &&
	       insn->operands[insn->operand_count - 1].kind == SASS_INTEGER;
}

enum sass_kind sass_kind_of(const struct sass_insn *insn)
{
	if (!strchr("BCEJKR", insn->opcode[0]))
		return KIND_PLAIN;
	if (calls_address(insn))
		return KIND_BRANCH;
	for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
		if (sass_opcode_is(insn, kinds[i].opcode))
			return kinds[i].kind;
	return KIND_PLAIN;
}

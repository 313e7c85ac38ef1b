/*
 * The code of a cubin: every section of code becomes a listing, each instruction with its place in the source.
 * Addresses of called functions are shown by the functions' names, and numbers that the loader is to fill in by what
 * they stand for.
 */
#include "ptxparse/sass/decode/decode.h"
#include "ptxparse/sass/cubin/cubin.h"

#include <string.h>

#define SECTION_CODE 1
#define SYMBOL_FUNCTION 2
#define RELOCATION_LOW 56
#define RELOCATION_HIGH 57

static bool is_code(const struct cubin_section *section)
{
	return section->type == SECTION_CODE && strncmp(section->name, ".text.", 6) == 0 && section->data;
}

/* ---- places ---- */

/* The place of a row, and before it those of the calls around it. */
static uint32_t place_of(struct ptx_module *module, const struct cubin_line *rows, uint32_t row, uint32_t *places)
{
	struct ptx_place place = {.place = {rows[row].file, rows[row].line, rows[row].column},
	                          .function = rows[row].function};

	if (places[row])
		return places[row];
	if (rows[row].caller != CUBIN_NO_LINE && rows[row].caller < row)
		place.inlined_at = place_of(module, rows, rows[row].caller, places);
	ARENA_PUSH(module->arena, module->places, module->place_count, place);
	return places[row] = (uint32_t)module->place_count - 1;
}

static void places_set(struct ptx_module *module, const struct cubin *cubin, struct sass_listing *const *by_section)
{
	size_t count;
	struct cubin_line *rows = cubin_lines_read(module->arena, cubin, &count);
	uint32_t *places = arena_array(module->arena, count + 1, sizeof(*places));

	for (uint32_t row = 0; row < count; row++) {
		struct sass_listing *listing =
			rows[row].section < cubin->section_count ? by_section[rows[row].section] : NULL;

		for (uint32_t at = rows[row].address / SASS_INSN_BYTES;
		     listing && at < rows[row].end / SASS_INSN_BYTES && at < listing->insn_count; at++)
			listing->insns[at].place = place_of(module, rows, row, places);
	}
}

/* ---- names for numbers ---- */

static struct sass_operand *number_of(struct sass_insn *insn)
{
	for (unsigned i = insn->operand_count; i-- > 0;)
		if (insn->operands[i].kind == SASS_INTEGER)
			return &insn->operands[i];
	return NULL;
}

static void name_set(struct sass_operand *operand, const char *name)
{
	operand->kind = SASS_OTHER;
	operand->text = name;
}

/* Calls, and returns to a place of the same function, name it. */
static void target_name(const struct cubin *cubin, uint32_t section, struct sass_insn *insn)
{
	struct sass_operand *operand = number_of(insn);
	const struct cubin_symbol *symbol =
		operand && operand->value >= 0 ? cubin_function_at(cubin, section, (uint64_t)operand->value) : NULL;

	if (symbol)
		name_set(operand, symbol->name);
}

/* Of data that no other file sees the place alone is told. */
static const char *relocated_text(struct arena *arena, const struct cubin_relocation *relocation)
{
	const struct cubin_symbol *symbol = relocation->symbol;
	const char *name = symbol->name, *sum = name;

	if (!*name || (symbol->is_local && symbol->type != SYMBOL_FUNCTION))
		sum = arena_printf(arena, "0x%llx",
		                   (unsigned long long)symbol->value + (unsigned long long)relocation->addend);
	else if (relocation->addend)
		sum = arena_printf(arena, "(%s + 0x%llx)", name, (unsigned long long)relocation->addend);
	if (relocation->type == RELOCATION_LOW || relocation->type == RELOCATION_HIGH)
		return arena_printf(arena, "32@%s(%s)", relocation->type == RELOCATION_LOW ? "lo" : "hi", sum);
	return sum;
}

static void relocations_apply(struct arena *arena, const struct cubin *cubin, const char *section,
                              struct sass_listing *listing)
{
	size_t count;
	struct cubin_relocation *list = cubin_relocations_read(arena, cubin, section, &count);

	for (size_t i = 0; i < count; i++) {
		uint64_t index = list[i].offset / SASS_INSN_BYTES;
		struct sass_operand *operand = index < listing->insn_count ? number_of(&listing->insns[index]) : NULL;

		if (operand && list[i].symbol)
			name_set(operand, relocated_text(arena, &list[i]));
	}
}

/* ---- listings ---- */

static void listing_fill(struct arena *arena, struct decode *decode, const struct cubin *cubin, uint32_t section,
                         struct sass_listing *listing)
{
	const struct cubin_section *code = &cubin->sections[section];

	listing->name = code->name + 6;
	listing->section = section;
	listing->code = code->data;
	listing->insn_count = (uint32_t)(code->size / SASS_INSN_BYTES);
	listing->insns = arena_array(arena, listing->insn_count + 1u, sizeof(*listing->insns));
	for (uint32_t i = 0; i < listing->insn_count; i++) {
		struct sass_insn *insn = &listing->insns[i];

		decode_insn(decode, code->data + (size_t)i * SASS_INSN_BYTES, i * SASS_INSN_BYTES, insn);
		if ((sass_opcode_is(insn, "CALL") || sass_opcode_is(insn, "RET")) && sass_has(insn, "REL"))
			target_name(cubin, section, insn);
	}
	relocations_apply(arena, cubin, code->name, listing);
	for (size_t i = 0; i < cubin->symbol_count; i++)
		if (cubin->symbols[i].is_entry && cubin->symbols[i].section == section)
			listing->symbol = &cubin->symbols[i];
}

const char *decode_cubin(struct ptx_module *module, const struct cubin *cubin, struct sass_listings *listings)
{
	struct decode *decode = decode_open(module->arena, cubin->architecture);
	struct sass_listing **by_section =
		arena_array(module->arena, cubin->section_count + 1, sizeof(struct sass_listing *));

	if (cubin->architecture < 75)
		return "machine code before sm_75 has another form";
	listings->architecture = cubin->architecture;
	listings->list = arena_array(module->arena, cubin->section_count + 1, sizeof(*listings->list));
	ARENA_PUSH(module->arena, module->places, module->place_count, (struct ptx_place){0});
	for (uint32_t i = 0; i < cubin->section_count; i++)
		if (is_code(&cubin->sections[i])) {
			by_section[i] = &listings->list[listings->count++];
			listing_fill(module->arena, decode, cubin, i, by_section[i]);
		}
	places_set(module, cubin, by_section);
	return NULL;
}

/*
 * The decoder of machine instructions against nvdisasm.
 *
 *   sass_compare [-q] CUBIN JSON [CUBIN JSON]...
 *
 * JSON is what `nvdisasm -json -g CUBIN` prints. Compares for each instruction guard, opcode with modifiers, operands,
 * file and line. Prints a line for each difference (not with -q, and 20 at most), for each form of which the decoder
 * knows nothing, and the counts: `N cubins, N instructions, N forms, N different, N unknown`. Exit status 1 when
 * anything differs.
 */
#include "ptxparse/ptxparse.h"
#include "ptxparse/sass/decode/decode.h"
#include "ptxparse/sass/listing/listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SHOWN 20

struct totals {
	unsigned long cubins, insns, different, unknown, lines;
	bool quiet, forms[4096];
	unsigned shown;
};

static size_t trimmed_length(const char *text)
{
	size_t length = strlen(text);

	while (length && text[length - 1] == ' ')
		length--;
	return length;
}

static bool reals_equal(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-15 * fabs(a);
}

/* What the translation reads, and the text. "2D" is a number to the reader of listings. */
static bool operands_equal(const struct sass_operand *ours, const struct sass_operand *theirs)
{
	struct text text = {0};
	bool equal = ours->kind == theirs->kind && ours->negated == theirs->negated &&
	             ours->inverted == theirs->inverted && ours->absolute == theirs->absolute &&
	             ours->part == theirs->part && ours->term_count == theirs->term_count;

	if (ours->kind == SASS_OTHER && theirs->kind == SASS_REAL)
		return strcmp(ours->text, theirs->text) == 0;
	if (ours->kind == SASS_REAL || theirs->kind == SASS_REAL)
		return ours->kind == theirs->kind && reals_equal(ours->real, theirs->real);
	decode_operand_print(&text, ours);
	equal = equal && trimmed_length(theirs->text) == text.length &&
	        (text.length == 0 || memcmp(text.data, theirs->text, text.length) == 0);
	if (ours->kind == SASS_REGISTER || ours->kind == SASS_BANK)
		equal = equal && (ours->key == theirs->key || (ours->kind == SASS_BANK && ours->key == KEY_ZERO));
	if (ours->kind == SASS_INTEGER || ours->kind == SASS_BANK || ours->kind == SASS_ADDRESS)
		equal = equal && ours->value == theirs->value && ours->bank == theirs->bank;
	for (unsigned i = 0; equal && i < ours->term_count; i++)
		equal = ours->terms[i].key == theirs->terms[i].key && ours->terms[i].shift == theirs->terms[i].shift &&
		        ours->terms[i].wide == theirs->terms[i].wide &&
		        ours->terms[i].narrow == theirs->terms[i].narrow;
	text_release(&text);
	return equal;
}

/* nvdisasm's JSON has the first operand of P2R where the guard should stand. */
static bool guards_equal(const struct sass_insn *ours, const struct sass_insn *theirs)
{
	if (!ours->guarded && !theirs->guarded)
		return true;
	return (ours->guarded == theirs->guarded && ours->guard == theirs->guard &&
	        ours->guard_negated == theirs->guard_negated) ||
	       sass_opcode_is(ours, "P2R");
}

static bool insns_equal(const struct sass_insn *ours, const struct sass_insn *theirs)
{
	bool equal = strcmp(ours->opcode, theirs->opcode) == 0 && ours->operand_count == theirs->operand_count &&
	             guards_equal(ours, theirs);

	for (unsigned i = 0; equal && i < ours->operand_count; i++)
		equal = operands_equal(&ours->operands[i], &theirs->operands[i]);
	return equal;
}

static bool places_equal(const struct ptx_module *ours, uint32_t our_place, const struct ptx_module *theirs,
                         uint32_t their_place)
{
	const struct place *a = &ours->places[our_place].place, *b = &theirs->places[their_place].place;

	if (a->line != b->line)
		return false;
	return (!a->file && !b->file) || (a->file && b->file && strcmp(a->file, b->file) == 0);
}

static void difference_show(struct totals *totals, const char *path, uint32_t address, const struct sass_insn *ours,
                            const struct sass_insn *theirs, const struct place *our_place,
                            const struct place *their_place)
{
	struct text text = {0};

	if (totals->quiet || totals->shown++ >= MOST_SHOWN)
		return;
	decode_print(&text, ours, true);
	printf("%s 0x%04x: %s <> %s", path, address, text.data, theirs->opcode);
	for (unsigned i = 0; i < theirs->operand_count; i++)
		printf("%c%s", i ? ',' : ' ', theirs->operands[i].text);
	printf(" at %s:%u <> %s:%u\n", our_place->file ? our_place->file : "?", our_place->line,
	       their_place->file ? their_place->file : "?", their_place->line);
	text_release(&text);
}

struct reading {
	struct ptx_module module;
	struct sass_listings listings;
};

static void listings_compare(struct totals *totals, const char *path, const struct reading *ours,
                             const struct reading *theirs, const struct sass_listing *a, const struct sass_listing *b)
{
	for (uint32_t i = 0; i < a->insn_count && i < b->insn_count; i++) {
		unsigned form = (unsigned)(a->code[16 * (size_t)i] | a->code[16 * (size_t)i + 1] << 8) & 0xfff;
		bool equal = insns_equal(&a->insns[i], &b->insns[i]);
		bool placed = places_equal(&ours->module, a->insns[i].place, &theirs->module, b->insns[i].place);

		totals->insns++;
		totals->forms[form] = true;
		totals->unknown += strchr(a->insns[i].opcode, '?') != NULL;
		totals->lines += b->insns[i].place != 0;
		totals->different += !equal || !placed;
		if (!equal || !placed)
			difference_show(totals, path, 16 * i, &a->insns[i], &b->insns[i],
			                &ours->module.places[a->insns[i].place].place,
			                &theirs->module.places[b->insns[i].place].place);
	}
}

static void cubin_compare(struct totals *totals, const char *cubin_path, const char *json_path)
{
	struct arena *arena = arena_create();
	size_t cubin_length = 0, json_length = 0;
	const char *bytes = file_read(arena, cubin_path, &cubin_length),
		   *json = file_read(arena, json_path, &json_length);
	struct reading ours = {.module = {.arena = arena}}, theirs = {.module = {.arena = arena}};
	struct cubin cubin = {0};
	const char *reason = bytes && json ? cubin_open(arena, bytes, cubin_length, &cubin) : "it cannot be read";

	if (!reason)
		reason = decode_cubin(&ours.module, &cubin, &ours.listings);
	if (!reason)
		reason = listing_read_all(&theirs.module, &cubin, json, json_length, &theirs.listings);
	totals->cubins++;
	if (reason || ours.listings.architecture != theirs.listings.architecture) {
		printf("%s: %s\n", cubin_path, reason ? reason : "another architecture");
		totals->different++;
	}
	for (size_t i = 0; !reason && i < theirs.listings.count; i++) {
		const struct sass_listing *b = &theirs.listings.list[i], *a = NULL;

		for (size_t k = 0; k < ours.listings.count; k++)
			if (ours.listings.list[k].section == b->section)
				a = &ours.listings.list[k];
		if (a && a->insn_count == b->insn_count && a->symbol == b->symbol)
			listings_compare(totals, cubin_path, &ours, &theirs, a, b);
		else
			totals->different++;
	}
	arena_release(arena);
}

int main(int argc, char **argv)
{
	static struct totals totals;
	unsigned forms = 0;
	int first = 1;

	if (argc > 1 && strcmp(argv[1], "-q") == 0) {
		totals.quiet = true;
		first = 2;
	}
	for (int i = first; i + 1 < argc; i += 2)
		cubin_compare(&totals, argv[i], argv[i + 1]);
	for (unsigned i = 0; i < ARRAY_COUNT(totals.forms); i++)
		forms += totals.forms[i];
	printf("%lu cubins, %lu instructions (%lu with a line), %u forms, %lu different, %lu unknown\n", totals.cubins,
	       totals.insns, totals.lines, forms, totals.different, totals.unknown);
	return totals.different != 0;
}

/*
 * The worst access of each layout, drawn as the 32 lanes of a warp onto the 32-byte sectors that they touch. The worst is the memory instruction that moves most
 * sectors beyond those that its bytes would fill; where none does, the one that moves most.
 */
#include "cli/report/html/html.h"

#include <stdlib.h>

#define LANE_WIDTH 20
#define PICTURE_WIDTH (WARP_LANES * LANE_WIDTH)
#define LINE_SECTORS (LINE_BYTES / SECTOR_BYTES)

static int compare_sectors(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* The distinct sectors of a request, sorted. */
static unsigned sectors_of(const struct insn_totals *totals, unsigned bytes, uint64_t sectors[WARP_LANES * 2])
{
	unsigned count = 0, distinct = 0;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (!(totals->sample_mask >> lane & 1))
			continue;
		sectors[count++] = totals->sample_address[lane] / SECTOR_BYTES;
		sectors[count++] = (totals->sample_address[lane] + bytes - 1) / SECTOR_BYTES;
	}
	qsort(sectors, count, sizeof *sectors, compare_sectors);
	for (unsigned i = 0; i < count; i++)
		if (i == 0 || sectors[i] != sectors[i - 1])
			sectors[distinct++] = sectors[i];
	return distinct;
}

/* Sectors that an instruction moves in vain over the launch, with all that it moves as a small addend, so that ties are told. */
static double badness(const struct ptx_insn *insn, const struct insn_totals *totals)
{
	double wanted = totals->lanes * ptx_insn_access_bytes(insn) / SECTOR_BYTES;
	return (totals->sectors > wanted ? totals->sectors - wanted : 0) + 1e-6 * totals->sectors;
}

/* Index of the worst instruction, or UINT32_MAX. */
static uint32_t worst_access(const struct code_view *code)
{
	uint32_t worst = UINT32_MAX;
	double most = 0;
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		const struct insn_totals *totals = &code->evaluation->insns[i];
		double own = badness(&code->function->insns[i], totals);
		bool global = code->function->insns[i].space == SPACE_GLOBAL || totals->buffer != UINT32_MAX;
		if (!global || totals->sample_mask == 0 || own <= most)
			continue;
		most = own;
		worst = i;
	}
	return worst;
}

/* Where each sector is drawn: neighbours side by side, with a gap where memory between is not touched. Returns the width of a sector. */
static double sectors_place(const uint64_t *sectors, unsigned count, double *places)
{
	double slots = count;
	for (unsigned i = 1; i < count; i++)
		slots += sectors[i] != sectors[i - 1] + 1 ? 0.5 : 0;
	double width = PICTURE_WIDTH / slots > LANE_WIDTH ? LANE_WIDTH : PICTURE_WIDTH / slots,
	       at = (PICTURE_WIDTH - width * slots) / 2;
	for (unsigned i = 0; i < count; i++) {
		at += i > 0 && sectors[i] != sectors[i - 1] + 1 ? width / 2 : 0;
		places[i] = at;
		at += width;
	}
	return width;
}

static void lines_print(struct text *out, const struct insn_totals *totals, const uint64_t *sectors, const double *places,
                        unsigned count, double width)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t wanted = totals->sample_address[lane] / SECTOR_BYTES;
		if (!(totals->sample_mask >> lane & 1))
			continue;
		for (unsigned s = 0; s < count; s++)
			if (sectors[s] == wanted)
				text_printf(out, "<line class=\"use\" x1=\"%u\" y1=\"24\" x2=\"%.1f\" y2=\"70\"/>",
				            lane * LANE_WIDTH + LANE_WIDTH / 2, places[s] + width / 2);
	}
}

static void picture_print(struct text *out, const struct insn_totals *totals, unsigned bytes)
{
	uint64_t sectors[WARP_LANES * 2];
	double places[WARP_LANES * 2];
	unsigned count = sectors_of(totals, bytes, sectors);
	double width = sectors_place(sectors, count, places);
	text_printf(out, "<svg viewBox=\"0 0 %u 92\" width=\"%u\" role=\"img\" aria-label=\"%u lanes touch %u sectors\">",
	            PICTURE_WIDTH, PICTURE_WIDTH, (unsigned)__builtin_popcount(totals->sample_mask), count);
	lines_print(out, totals, sectors, places, count, width);
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		text_printf(out,
		            "<rect class=\"lane\" x=\"%u\" y=\"4\" width=\"%u\" height=\"20\"/><text x=\"%u\" y=\"18\" "
		            "text-anchor=\"middle\"%s>%u</text>",
		            lane * LANE_WIDTH, LANE_WIDTH, lane * LANE_WIDTH + LANE_WIDTH / 2,
		            totals->sample_mask >> lane & 1 ? "" : " class=\"faint\"", lane);
	for (unsigned s = 0; s < count; s++)
		text_printf(out,
		            "<rect class=\"sector\" x=\"%.1f\" y=\"70\" width=\"%.1f\" height=\"18\"><title>sector %llu of its "
		            "line</title></rect>",
		            places[s], width, (unsigned long long)(sectors[s] % LINE_SECTORS));
	text_puts(out, "</svg>\n");
}

static void row_print(struct text *out, struct arena *arena, const struct ranked_layout *row)
{
	const struct code_view *code = report_code(row);
	uint32_t worst = code ? worst_access(code) : UINT32_MAX;
	if (worst == UINT32_MAX)
		return;
	const struct ptx_insn *insn = &code->function->insns[worst];
	const struct insn_totals *totals = &code->evaluation->insns[worst];
	uint64_t sectors[WARP_LANES * 2];
	unsigned bytes = ptx_insn_access_bytes(insn), lanes = (unsigned)__builtin_popcount(totals->sample_mask);
	unsigned count = sectors_of(totals, bytes, sectors), filled = (lanes * bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
	text_puts(out, "<p class=\"faint\"><b>");
	html_text(out, report_layout_label(arena, row->layout, row->tile));
	text_puts(out, "</b>: ");
	html_printf(out, "%s, line %u: %u lanes of %u bytes touch %u sector%s%s.", insn->spelling,
	            code_place(row->view, code, worst).line, lanes, bytes, count, count == 1 ? "" : "s",
	            count > filled   ? arena_printf(arena, "; their bytes would fill %u", filled)
	            : count < filled ? ", as lanes share bytes"
	                             : "");
	text_puts(out, "</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"lanes and sectors\">");
	picture_print(out, totals, bytes);
	text_puts(out, "</div>\n");
}

void html_lanes(struct text *out, struct arena *arena, const struct prediction *prediction, const struct case_result *result)
{
	(void)prediction;
	text_puts(out, "<h3>The worst access of each layout: lanes onto sectors</h3>\n");
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->verdict_count == 0 || result->rows[r].group == result->verdicts[0].group)
			row_print(out, arena, &result->rows[r]);
}

/*
 * The worst access of each layout, drawn as the 32 lanes of a warp onto the 32-byte sectors that they touch. The worst
 * is the memory instruction that moves most sectors beyond those that its bytes would fill; where none does, the one
 * that moves most.
 */
#include "cli/report/html/html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* Sectors that an instruction moves in vain over the launch, with all that it moves as a small addend, so that ties are
 * told. */
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

/* Where each sector is drawn: neighbours side by side, with a gap where memory between is not touched. Returns the
 * width of a sector. */
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

static void lines_print(struct text *out, const struct insn_totals *totals, const uint64_t *sectors,
                        const double *places, unsigned count, double width)
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
	text_printf(out,
	            "<svg viewBox=\"0 0 %u 92\" width=\"%u\" role=\"img\" aria-label=\"%u lanes touch %u sectors\">",
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
		            "<rect class=\"sector\" x=\"%.1f\" y=\"70\" width=\"%.1f\" height=\"18\"><title>sector "
		            "%llu of its "
		            "line</title></rect>",
		            places[s], width, (unsigned long long)(sectors[s] % LINE_SECTORS));
	text_puts(out, "</svg>\n");
}

/* ---- what the picture is of ------------------------------------------------------------------------- */

/* An access of a layout: how its lanes touch sectors. */
struct lanes_touch {
	const struct ranked_layout *row;
	const struct ptx_insn *insn;
	const struct insn_totals *totals;
	struct place place;
	unsigned bytes, lanes, sectors;
};

/* The length of an expression as p[i].x, a->b[k] or *p at the beginning of a text; 0: there is none. */
static size_t expression_length(const char *text)
{
	size_t at = strspn(text, "*&");
	if (!isalpha((unsigned char)text[at]) && text[at] != '_')
		return 0;
	for (;;) {
		if (isalnum((unsigned char)text[at]) || text[at] == '_' || text[at] == '.') {
			at++;
		} else if (text[at] == '-' && text[at + 1] == '>') {
			at += 2;
		} else if (text[at] == '[') {
			int depth = 0;
			size_t end = at;
			do {
				depth += (text[end] == '[') - (text[end] == ']');
			} while (depth > 0 && text[++end] && text[end] != '\n');
			if (depth > 0)
				return at;
			at = end + 1;
		} else {
			return at;
		}
	}
}

/* The text of a source line from a column on; NULL where there is none. */
static const char *source_from(struct arena *arena, const char *path, struct place place)
{
	const char *text = file_read(arena, place.file ? place.file : path, NULL);
	for (unsigned line = 1; text && line < place.line; line++) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	if (!text || place.column == 0 || strcspn(text, "\n") < place.column)
		return NULL;
	return text + place.column - 1;
}

/* What the source calls an access, "p[i].x"; the name of the instruction where that cannot be told. */
static const char *expression_text(struct arena *arena, const struct prediction *prediction,
                                   const struct lanes_touch *touched)
{
	const struct estimate *estimate = touched->row->estimate;
	for (unsigned a = 0; a < estimate->access_count; a++) {
		const struct access_estimate *access = &estimate->accesses[a];
		bool is_load = ptx_insn_flags(touched->insn) & FLAG_LOAD && access->kind == ACCESS_LOAD;
		bool is_store = ptx_insn_flags(touched->insn) & FLAG_STORE && access->kind == ACCESS_STORE;
		if (access->place.line != touched->place.line || (!is_load && !is_store) ||
		    access->width_bytes != touched->bytes)
			continue;
		const char *text = source_from(arena, prediction->analysis->path, access->place);
		size_t length = text ? expression_length(text) : 0;
		if (length)
			return arena_strndup(arena, text, length);
	}
	return touched->insn->spelling;
}

static bool touched_find(const struct ranked_layout *row, struct lanes_touch *touched)
{
	const struct code_view *code = report_code(row);
	uint32_t worst = code ? worst_access(code) : UINT32_MAX;
	uint64_t sectors[WARP_LANES * 2];
	if (worst == UINT32_MAX)
		return false;
	*touched = (struct lanes_touch){row,
	                                &code->function->insns[worst],
	                                &code->evaluation->insns[worst],
	                                code_place(row->view, code, worst),
	                                0,
	                                0,
	                                0};
	touched->bytes = ptx_insn_access_bytes(touched->insn);
	touched->lanes = (unsigned)__builtin_popcount(touched->totals->sample_mask);
	touched->sectors = sectors_of(touched->totals, touched->bytes, sectors);
	return true;
}

/* ---- the part of the page ---------------------------------------------------------------------------- */

static bool is_alike(const struct lanes_touch *a, const struct lanes_touch *b)
{
	return a->place.line == b->place.line && a->bytes == b->bytes && a->lanes == b->lanes &&
	       a->sectors == b->sectors;
}

/* "aos, aosa": the layouts that touch as the one does. */
static const char *labels_text(struct arena *arena, const struct lanes_touch *list, unsigned count,
                               const struct lanes_touch *one)
{
	const char *text = "";
	for (unsigned i = 0; i < count; i++)
		if (is_alike(&list[i], one))
			text = arena_printf(arena, "%s%s%s", text, *text ? ", " : "",
			                    report_layout_label(arena, list[i].row->layout, list[i].row->tile));
	return text;
}

static void sentence_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                           const struct lanes_touch *touched, const char *labels)
{
	unsigned filled = (touched->lanes * touched->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES, count = touched->sectors;
	text_puts(out, "<p class=\"faint\"><b>");
	html_text(out, labels);
	text_puts(out, "</b>: <code>");
	html_text(out, expression_text(arena, prediction, touched));
	text_puts(out, "</code>");
	html_printf(out, " in line %u: %u lanes of %u bytes touch %u sector%s%s.", touched->place.line, touched->lanes,
	            touched->bytes, count, count == 1 ? "" : "s",
	            count > filled   ? arena_printf(arena, "; their bytes would fill %u", filled)
	            : count < filled ? ", as lanes share bytes"
	                             : "");
	text_puts(out, "</p>\n");
}

void html_lanes(struct text *out, struct arena *arena, const struct prediction *prediction,
                const struct case_result *result)
{
	struct lanes_touch *list = arena_array(arena, result->row_count + 1, sizeof *list);
	unsigned count = 0, different = 0;
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->verdict_count == 0 || result->rows[r].group == result->verdicts[0].group)
			count += touched_find(&result->rows[r], &list[count]);
	for (unsigned i = 1; i < count; i++)
		different += !is_alike(&list[i], &list[0]);
	if (count)
		text_puts(out, "<h3>The worst access of each layout: lanes onto sectors</h3>\n");
	for (unsigned i = 0; i < count; i++) {
		unsigned before = 0;
		while (!is_alike(&list[before], &list[i]))
			before++;
		if (before < i)
			continue;
		sentence_print(out, arena, prediction, &list[i], labels_text(arena, list, count, &list[i]));
		if (!different && count > 1)
			continue;
		text_puts(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"lanes and sectors\">");
		picture_print(out, list[i].totals, list[i].bytes);
		text_puts(out, "</div>\n");
	}
}

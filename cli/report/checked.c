/*
 * What a check says of a layout: the program as rewritten, run on this CPU beside the original.
 */
#include "cli/report/report.h"
#include "model/observe/check/check.h"

#include <jansson.h>

const struct check_result *report_check(const struct prediction *prediction, const struct layout_group *group,
                                        const struct layout *layout, unsigned tile)
{
	for (unsigned r = 0; r < prediction->program_count; r++) {
		const struct program_row *row = &prediction->program[r];
		if (row->group == group && row->layout == layout && row->tile == tile)
			return row->check;
	}
	return NULL;
}

const char *report_check_mark(const struct check_result *check)
{
	static const char *const marks[] = {[CHECK_SAME] = "  checked",
	                                    [CHECK_DIFFERENT] = "  differs",
	                                    [CHECK_NOT_COMPARABLE] = "",
	                                    [CHECK_NOT_RUN] = ""};
	return check ? marks[check->word] : "";
}

void report_checks(struct text *out, struct arena *arena, const struct prediction *prediction,
                   const struct report_style *style)
{
	bool any = false;
	for (unsigned r = 0; r < prediction->program_count; r++) {
		const struct program_row *row = &prediction->program[r];
		if (row->check && !any)
			text_printf(out, "\n%srun on this CPU, beside the program as written%s\n", report_bold(style),
			            report_plain(style));
		any |= row->check != NULL;
		if (row->check)
			report_paragraph(out, style,
			                 arena_printf(arena, "record %s as %s: %s. ", row->group->name,
			                              report_layout_label(arena, row->layout, row->tile),
			                              check_words[row->check->word]),
			                 row->check->text);
	}
}

static json_t *place_json(const struct check_place *place)
{
	if (!place->array)
		return json_null();
	return json_pack("{s:s, s:I, s:b, s:s, s:s?, s:I, s:s?, s:s?}", "kernel", place->kernel, "launch",
	                 (json_int_t)place->launch, "at_end", place->is_last, "array", place->array, "member",
	                 place->member, "element", (json_int_t)place->element, "original", place->original, "rewritten",
	                 place->other);
}

json_t *report_check_json(const struct check_result *check)
{
	return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "result", check_words[check->word], "text",
	                 check->text, "lines", (json_int_t)check->lines, "copies", (json_int_t)check->copies,
	                 "copies_compared", (json_int_t)check->copies_compared, "arrays", (json_int_t)check->arrays,
	                 "arrays_left_out", (json_int_t)check->arrays_left_out, "launches", (json_int_t)check->launches,
	                 "place", place_json(&check->place));
}

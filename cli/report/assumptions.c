/*
 * What was assumed of a program, once, with the option that says it.
 */
#include "cli/report/report.h"
#include "model/sweep/sweep.h"

#include <jansson.h>
#include <string.h>

static const char *kernels_text(struct arena *arena, const struct program_assumption *entry)
{
	const char *list = "";
	for (unsigned k = 0; k < entry->kernel_count; k++)
		list = arena_printf(arena, "%s%s%s", list, k ? ", " : "", entry->kernels[k]);
	return list;
}

static const char *factor_text(struct arena *arena, double factor)
{
	return arena_printf(arena, factor < 10 ? "%.2f" : "%.0f", factor);
}

static const char *influence_text(struct arena *arena, const struct program_assumption *entry)
{
	const double percent = 100;
	if (!entry->tried)
		return arena_printf(arena, "%.0f %% of the program's time", percent * entry->share);
	const char *layout = entry->decides ? ", and another layout" : "";
	if (entry->high < 1.005 && entry->low > 0.995)
		return arena_printf(arena, "%s: the same time%s", entry->tried, layout);
	return arena_printf(arena, "%s: %s to %s times the time%s", entry->tried, factor_text(arena, entry->low),
	                    factor_text(arena, entry->high), layout);
}

const char *report_assumption_at(struct arena *arena, const struct prediction *prediction, unsigned index)
{
	const struct program_assumption *entry = &prediction->assumptions[index];
	const char *reason = entry->assumed->reason ? arena_printf(arena, ": %s", entry->assumed->reason) : "";
	return arena_printf(arena, "%s (%s%s): %s; %s", entry->what, kernels_text(arena, entry), reason, entry->option,
	                    influence_text(arena, entry));
}

bool report_note_is_listed(const struct prediction *prediction, const char *note)
{
	for (unsigned i = 0; i < prediction->assumption_count; i++)
		for (unsigned n = 0; n < prediction->assumptions[i].note_count; n++)
			if (strcmp(prediction->assumptions[i].notes[n], note) == 0)
				return true;
	return false;
}

void report_assumptions(struct text *out, struct arena *arena, const struct prediction *prediction,
                        const struct report_style *style)
{
	if (prediction->assumption_count == 0)
		return;
	text_puts(out, "\n");
	text_wrap(out, "assumed, what matters most first, and the option that says it:", 0, 2, style->width);
	text_puts(out, "\n");
	for (unsigned i = 0; i < prediction->assumption_count; i++) {
		text_puts(out, "  ");
		text_wrap(out, report_assumption_at(arena, prediction, i), 2, 4, style->width);
		text_puts(out, "\n");
	}
}

/* ---- notes, each once ----------------------------------------------------------------------- */

/* A note, and the kernels that it is said of. */
struct noted {
	const char *text, **kernels;
	unsigned kernel_count;
};

/* Whether a reader can neither change nor check what a note says: shown by -v alone. */
static bool note_is_minor(const char *note)
{
	return strstr(note, EXEC_USUAL) || strstr(note, "standard error below");
}

static void noted_add(struct arena *arena, struct noted **list, unsigned *count, const char *text, const char *kernel)
{
	unsigned n = 0;
	while (n < *count && strcmp((*list)[n].text, text) != 0)
		n++;
	if (n == *count)
		ARENA_PUSH(arena, *list, *count, (struct noted){.text = text});
	struct noted *noted = &(*list)[n];
	for (unsigned k = 0; k < noted->kernel_count; k++)
		if (strcmp(noted->kernels[k], kernel) == 0)
			return;
	ARENA_PUSH(arena, noted->kernels, noted->kernel_count, kernel);
}

/* Whether the launches are of more than one kernel, so that a note has to name its own. */
static bool has_several_kernels(const struct prediction *prediction)
{
	for (unsigned c = 1; c < prediction->case_count; c++)
		if (prediction->cases[c].launch->kernel != prediction->cases[0].launch->kernel)
			return true;
	return false;
}

static const char *noted_kernels(struct arena *arena, const struct noted *noted)
{
	const char *list = noted->kernels[0];
	for (unsigned k = 1; k < noted->kernel_count; k++)
		list = arena_printf(arena, "%s, %s", list, noted->kernels[k]);
	return list;
}

/* What a note says behind the lines that it names: "address depends ..." of "lines 4, 5: address depends ..."; else all
 * of it. */
static const char *noted_cause(const char *note)
{
	const char *colon = strchr(note, ':');
	return strncmp(note, "line", strlen("line")) == 0 && colon && colon[1] ? colon + 2 : note;
}

/* "lines 4, 5 (push, pull), line 9 (pull): " of all notes with the same cause, which are taken. */
static const char *noted_places(struct arena *arena, struct noted *list, unsigned count, const char *cause,
                                bool several)
{
	const char *text = "";
	for (unsigned n = 0; n < count; n++) {
		const char *note = list[n].text;
		if (!note || strcmp(noted_cause(note), cause) != 0)
			continue;
		list[n].text = NULL;
		if (noted_cause(note) == note)
			return several ? arena_printf(arena, "%s: ", noted_kernels(arena, &list[n])) : "";
		text = arena_printf(arena, "%s%s%.*s", text, *text ? ", " : "", (int)strcspn(note, ":"), note);
		if (several)
			text = arena_printf(arena, "%s (%s)", text, noted_kernels(arena, &list[n]));
	}
	return arena_printf(arena, "%s: ", text);
}

void report_notes(struct text *out, struct arena *arena, const struct prediction *prediction,
                  const struct report_style *style)
{
	const unsigned *order = report_case_order(arena, prediction);
	const bool several = has_several_kernels(prediction);
	struct noted *list = NULL;
	unsigned count = 0;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[order[c]];
		for (unsigned n = 0; n < result->note_count; n++)
			if (!report_note_is_listed(prediction, result->notes[n]) &&
			    (style->verbose || !note_is_minor(result->notes[n])))
				noted_add(arena, &list, &count, result->notes[n], result->launch->kernel->name);
	}
	if (count)
		text_puts(out, "\n");
	for (unsigned n = 0; n < count; n++) {
		if (!list[n].text)
			continue;
		const char *cause = noted_cause(list[n].text);
		const char *places = noted_places(arena, list, count, cause, several);
		report_paragraph(out, style, note_is_minor(cause) ? "remark: " : "note: ",
		                 arena_printf(arena, "%s%s", places, cause));
	}
}

static json_t *entry_json(const struct program_assumption *entry)
{
	json_t *kernels = json_array(), *object;
	for (unsigned k = 0; k < entry->kernel_count; k++)
		json_array_append_new(kernels, json_string(entry->kernels[k]));
	object = json_pack("{s:s, s:s, s:o, s:f, s:b}", "what", entry->what, "option", entry->option, "kernels",
	                   kernels, "share", entry->share, "decides", entry->decides);
	json_object_set_new(object, "tried", entry->tried ? json_string(entry->tried) : json_null());
	json_object_set_new(object, "time_low", entry->tried ? json_real(entry->low) : json_null());
	json_object_set_new(object, "time_high", entry->tried ? json_real(entry->high) : json_null());
	return object;
}

json_t *report_assumptions_json(const struct prediction *prediction)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < prediction->assumption_count; i++)
		json_array_append_new(list, entry_json(&prediction->assumptions[i]));
	return list;
}

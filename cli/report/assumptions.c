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

static json_t *entry_json(const struct program_assumption *entry)
{
	json_t *kernels = json_array(), *object;
	for (unsigned k = 0; k < entry->kernel_count; k++)
		json_array_append_new(kernels, json_string(entry->kernels[k]));
	object = json_pack("{s:s, s:s, s:o, s:f, s:b}", "what", entry->what, "option", entry->option, "kernels", kernels, "share",
	                   entry->share, "decides", entry->decides);
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

/*
 * The page: head, verdicts, the parts in order, what was assumed, and the JSON with all numbers.
 */
#include "cli/report/html/html.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const style[] = {
#include "cli/report/html/style.inc"
};

void html_begin(struct text *out, const char *title)
{
	text_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	               "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
	html_text(out, title);
	text_puts(out, "</title>\n<style>\n");
	for (size_t i = 0; i < ARRAY_COUNT(style); i++)
		text_puts(out, style[i]);
	text_puts(out, "</style>\n</head>\n<body>\n");
}

void html_end(struct text *out)
{
	text_puts(out, "</body>\n</html>\n");
}

static void head_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                       const struct report_context *context)
{
	html_begin(out, arena_printf(arena, "%s on %s", report_file_name(prediction->analysis->path), prediction->machine->name));
	text_puts(out, "<header>\n<h1>");
	html_text(out, report_program_name(arena, prediction));
	text_puts(out, "</h1>\n<p class=\"faint\">");
	html_printf(out, "predicted for %s by the model %s%s%s; coalesce %s, CUDA %s", prediction->machine->name,
	            prediction->model->name, prediction->model->stands_for ? ", computed as " : "",
	            prediction->model->stands_for ? prediction->model->stands_for : "", context->version,
	            context->compiler ? context->compiler : "not used");
	if (context->measured)
		html_printf(out, "; measured as %s on %s, driver %s, %s, %s", context->measured->id, context->measured->gpu,
		            context->measured->driver, context->measured->compiler, context->measured->date);
	text_puts(out, "</p>\n</header>\n");
}

static void contents_print(struct text *out, const struct prediction *prediction)
{
	text_puts(out, "<nav aria-label=\"contents\"><p>");
	for (unsigned c = 0; c < prediction->case_count; c++) {
		text_printf(out, "<a href=\"#kernel-%u\">", c);
		html_text(out, prediction->cases[c].launch->kernel->name);
		text_puts(out, "</a> &#183; ");
	}
	if (prediction->sweep)
		text_puts(out, "<a href=\"#sweep\">sweep</a> &#183; ");
	text_puts(out, "<a href=\"#source\">source</a> &#183; <a href=\"#assumptions\">assumptions</a></p></nav>\n<main>\n");
}

/* ---- verdicts ----------------------------------------------------------------------------- */

static void program_print(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		const struct verdict *verdict = &prediction->program_verdicts[v];
		const struct program_row *chosen = &prediction->program[verdict->recommended];
		bool keep = verdict->recommended == verdict->written;
		text_printf(out, "<p class=\"verdict%s\">record <b>", keep ? "" : " change");
		html_text(out, verdict->group->name);
		text_puts(out, "</b>: <b>");
		html_text(out, report_layout_label(arena, chosen->layout, chosen->tile));
		text_puts(out, keep ? "</b>, as written" : "</b>");
		if (!keep && verdict->written != UINT_MAX)
			html_printf(out, ", %.2f times as fast as written (%s)",
			            prediction->program[verdict->written].time_seconds / chosen->time_seconds,
			            verdict->group->written->name);
		html_printf(out, "; confidence %s", report_confidence(verdict->confidence));
		text_puts(out, "</p>\n");
	}
}

static void verdict_print(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                          const struct verdict *verdict, const struct report_context *context)
{
	const struct case_result *result = &prediction->cases[index];
	const struct ranked_layout *chosen = &result->rows[verdict->recommended];
	text_puts(out, "<h3>Record ");
	html_printf(out, "%s {", verdict->group->name);
	for (unsigned f = 0; f < verdict->group->field_count; f++)
		html_printf(out, "%s%s", f ? ", " : "", verdict->group->fields[f].path);
	html_printf(out, "}, written as %s", verdict->group->written->name);
	text_printf(out, "</h3>\n<p class=\"verdict%s\"><b>", verdict->recommended == verdict->written ? "" : " change");
	html_text(out, report_layout_label(arena, chosen->layout, chosen->tile));
	html_printf(out, "%s.", verdict->recommended == verdict->written ? " (as written)" : "");
	text_puts(out, "</b> ");
	html_printf(out, "%s.", verdict->why);
	text_puts(out, "<br><span class=\"faint\">");
	html_printf(out, "Confidence %s%s.", report_confidence(verdict->confidence),
	            report_doubts(arena, prediction, result, verdict));
	text_puts(out, "</span></p>\n");
	html_layouts(out, arena, prediction, index, verdict, context);
}

static void kernel_print(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                         const struct report_context *context)
{
	const struct case_result *result = &prediction->cases[index];
	const struct launch_case *launch = result->launch;
	text_printf(out, "<h2 id=\"kernel-%u\">", index);
	html_printf(out, "Kernel %s", launch->kernel->name);
	text_printf(out,
	            "</h2>\n<p class=\"faint\"><a href=\"#L%u\">line %u</a>, grid %s, block %s, launched %llu time%s; confidence "
	            "%s</p>\n",
	            launch->kernel->place.line, launch->kernel->place.line, report_dimensions(arena, launch->grid),
	            report_dimensions(arena, launch->block), (unsigned long long)launch->launches, launch->launches == 1 ? "" : "s",
	            report_confidence(result->confidence));
	if (result->verdict_count == 0)
		html_layouts(out, arena, prediction, index, NULL, context);
	for (unsigned v = 0; v < result->verdict_count; v++)
		verdict_print(out, arena, prediction, index, &result->verdicts[v], context);
	html_changes(out, arena, prediction, index);
	html_counters(out, arena, prediction, index);
	html_lanes(out, arena, prediction, result);
	html_graph(out, arena, prediction, result);
}

/* ---- the end ------------------------------------------------------------------------------- */

static void item_print(struct text *out, const char *string)
{
	text_puts(out, "<li>");
	html_text(out, string);
	text_puts(out, "</li>\n");
}

static void assumptions_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                              const struct report_context *context)
{
	unsigned count;
	const char **sentences = machine_assumptions(arena, prediction->machine, prediction->model->numbers, &count, NULL);
	text_puts(out, "<h2 id=\"assumptions\">Assumptions</h2>\n<ul>\n");
	for (unsigned i = 0; i < prediction->assumption_count; i++)
		item_print(out, report_assumption_at(arena, prediction, i));
	for (unsigned i = 0; i < count; i++)
		item_print(out, sentences[i]);
	for (unsigned c = 0; c < prediction->case_count; c++)
		for (unsigned n = 0; n < prediction->cases[c].note_count; n++)
			item_print(out, arena_printf(arena, "kernel %s: %s", prediction->cases[c].launch->kernel->name,
			                             prediction->cases[c].notes[n]));
	for (size_t i = 0; i < context->messages->count; i++)
		item_print(out, arena_printf(arena, "line %u: %s", context->messages->list[i].place.line,
		                             context->messages->list[i].message));
	text_puts(out, "</ul>\n");
}

void html_json(struct text *out, struct json_t *root)
{
	const size_t digits = 10;
	char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(digits));
	text_puts(out, "<script type=\"application/json\" id=\"prediction\">");
	for (const char *c = text ? text : "null"; *c; c++) {
		if (*c == '<')
			text_puts(out, "\\u003c");
		else
			text_append(out, c, 1);
	}
	text_puts(out, "</script>\n");
	free(text);
	json_decref(root);
}

void html_report(struct text *out, struct arena *arena, const struct prediction *prediction, const struct report_context *context)
{
	head_print(out, arena, prediction, context);
	contents_print(out, prediction);
	program_print(out, arena, prediction);
	for (unsigned c = 0; c < prediction->case_count; c++)
		kernel_print(out, arena, prediction, c, context);
	html_curves(out, arena, prediction);
	html_roofline(out, arena, prediction);
	html_source(out, arena, prediction);
	assumptions_print(out, arena, prediction, context);
	text_puts(out, "</main>\n");
	html_json(out, report_json(arena, prediction, context));
	html_end(out);
}

/*
 * The page: head, verdicts, the parts in order, what was assumed, and the JSON with all numbers.
 */
#include "cli/report/html/html.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const style[] = {
#include "cli/report/html/style.inc"
};

void html_begin(struct text *out, const char *title)
{
	text_puts(out,
	          "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
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
	html_begin(out, arena_printf(arena, "%s on %s", report_file_name(prediction->analysis->path),
	                             prediction->machine->name));
	text_puts(out, "<header>\n<h1>");
	html_text(out, report_program_name(arena, prediction));
	text_puts(out, "</h1>\n<p class=\"faint\">");
	html_printf(out, "predicted for %s by the model %s%s%s; coalesce %s, CUDA %s", prediction->machine->name,
	            prediction->model->name, prediction->model->stands_for ? ", computed as " : "",
	            prediction->model->stands_for ? prediction->model->stands_for : "", context->version,
	            context->compiler ? context->compiler : "not used");
	if (context->measured)
		html_printf(out, "; measured as %s on %s, driver %s, %s, %s", context->measured->id,
		            context->measured->gpu, context->measured->driver, context->measured->compiler,
		            context->measured->date);
	text_puts(out, "</p>\n</header>\n");
}

static void contents_print(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	text_puts(out, "<nav aria-label=\"contents\"><p>");
	const unsigned *order = report_case_order(arena, prediction);
	for (unsigned c = 0; c < prediction->case_count; c++) {
		text_printf(out, "<a href=\"#kernel-%u\">", order[c]);
		html_text(out, prediction->cases[order[c]].launch->kernel->name);
		text_puts(out, "</a> &#183; ");
	}
	if (prediction->sweep)
		text_puts(out, "<a href=\"#sweep\">sweep</a> &#183; ");
	text_puts(out,
	          "<a href=\"#source\">source</a> &#183; <a href=\"#assumptions\">assumptions</a></p></nav>\n<main>\n");
}

/* ---- verdicts ----------------------------------------------------------------------------- */

static void command_print(struct text *out, const char *what, const char *command)
{
	if (command)
		html_printf(out, "%s", what);
	if (!command)
		return;
	text_puts(out, "<br><code>");
	html_text(out, command);
	text_puts(out, "</code>");
}

static void paragraph_print(struct text *out, const char *string)
{
	text_puts(out, "<p>");
	html_text(out, string);
	text_puts(out, "</p>\n");
}

/* What to do about each record, what gains most first: the list that the first screen begins with. */
static void actions_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                          const struct report_context *context)
{
	unsigned count;
	const struct report_action *actions = report_actions(arena, prediction, context->commands, &count);
	text_puts(out, "<h2 id=\"actions\">What to do</h2>\n<ol class=\"actions\">\n");
	for (unsigned i = 0; i < count; i++) {
		const struct report_action *action = &actions[i];
		text_printf(out, "<li class=\"verdict%s\">record <b>", action->change ? " change" : "");
		html_text(out, action->verdict->group->name);
		html_printf(out, ": ");
		html_printf(out, "%s", action->answer);
		text_puts(out, "</b>. ");
		html_printf(out, "%s. Confidence: %s.", action->reason, report_confidence(action->verdict->confidence));
		if (prediction->case_count > 1)
			html_printf(out, " Its kernels take %.0f %% of the time.", 100 * action->share);
		if (action->refusal)
			html_printf(out, " Change it by hand; coalesce rewrite does not write it. %s", action->refusal);
		command_print(out, action->rewrite ? " First measure:" : " To be sure:", action->measure);
		command_print(out, "", action->rewrite);
		text_puts(out, "</li>\n");
	}
	text_puts(out, "</ol>\n");
	const char *together = report_together(arena, prediction);
	if (together)
		paragraph_print(out, together);
	if (count == 0)
		text_puts(out, "<p>No kernel here indexes an array of records that can be laid out otherwise.</p>\n");
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
	text_printf(out, "</h3>\n<p class=\"verdict%s\"><b>",
	            verdict->recommended == verdict->written ? "" : " change");
	html_text(out, report_layout_label(arena, chosen->layout, chosen->tile));
	html_printf(out, "%s.", verdict->recommended == verdict->written ? " (as written)" : "");
	text_puts(out, "</b> ");
	html_printf(out, "%s.", verdict->why);
	text_puts(out, "<br><span class=\"faint\">");
	const char *rivals = report_rivals(arena, result, verdict),
		   *doubts = report_doubts(arena, prediction, result, verdict);
	html_printf(out, "Confidence %s%s%s. %s", report_confidence(verdict->confidence), rivals ? "; " : "",
	            rivals ? rivals : "", doubts ? doubts : "");
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
	            "</h2>\n<p class=\"faint\"><a href=\"#L%u\">line %u</a>, grid %s, block %s, launched %llu time%s; "
	            "confidence "
	            "%s</p>\n",
	            launch->kernel->place.line, launch->kernel->place.line, report_dimensions(arena, launch->grid),
	            report_dimensions(arena, launch->block), (unsigned long long)launch->launches,
	            launch->launches == 1 ? "" : "s", report_confidence(result->confidence));
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
	const char **sentences =
		machine_assumptions(arena, prediction->machine, prediction->model->numbers, &count, NULL);
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

void html_report(struct text *out, struct arena *arena, const struct prediction *prediction,
                 const struct report_context *context)
{
	head_print(out, arena, prediction, context);
	contents_print(out, arena, prediction);
	actions_print(out, arena, prediction, context);
	const unsigned *order = report_case_order(arena, prediction);
	for (unsigned c = 0; c < prediction->case_count; c++)
		kernel_print(out, arena, prediction, order[c], context);
	html_curves(out, arena, prediction);
	html_roofline(out, arena, prediction);
	html_source(out, arena, prediction);
	assumptions_print(out, arena, prediction, context);
	html_glossary(out, arena);
	text_puts(out, "</main>\n");
	html_json(out, report_json(arena, prediction, context));
	html_end(out);
}

/*
 * Views of a prediction, each made when it is asked for first.
 */
#include "base/toolkit/toolkit.h"
#include "cli/report/html/html.h"
#include "library/library.h"

#include <string.h>

static struct report_context context_of(struct coalesce_prediction *prediction)
{
	struct report_context context = {.version = COALESCE_VERSION, .messages = &prediction->diagnostics};
	context.commands = cli_commands(prediction->arena, &prediction->line);
	context.compiler = toolkit_find(prediction->arena).version;
	context.options = command_line_words(prediction->arena, &prediction->line, &context.option_count);
	return context;
}

static void view_json(struct text *out, struct coalesce_prediction *prediction)
{
	const struct report_context context = context_of(prediction);
	cli_json(out, report_json(prediction->arena, prediction->result, &context));
}

static void view_sarif(struct text *out, struct coalesce_prediction *prediction)
{
	const struct report_context context = context_of(prediction);
	cli_json(out, report_sarif(prediction->arena, prediction->result, &context));
}

static void view_html(struct text *out, struct coalesce_prediction *prediction)
{
	const struct report_context context = context_of(prediction);
	html_report(out, prediction->arena, prediction->result, &context);
}

static void view_table(struct text *out, struct coalesce_prediction *prediction)
{
	const struct report_style style = {
		.colour = false, .width = 100, .commands = cli_commands(prediction->arena, &prediction->line)};
	report_table(out, prediction->arena, prediction->result, &style);
}

static void view_explain(struct text *out, struct coalesce_prediction *prediction)
{
	const struct report_style style = {.colour = false, .width = 100};
	report_explain(out, prediction->arena, prediction->result, &style);
}

static void view_ncu(struct text *out, struct coalesce_prediction *prediction)
{
	report_ncu(out, prediction->arena, prediction->result);
}

static void view_dot(struct text *out, struct coalesce_prediction *prediction)
{
	report_dot(out, prediction->arena, prediction->result);
}

/* The views: add a row to add one. */
static const struct view {
	const char *name;
	void (*make)(struct text *out, struct coalesce_prediction *prediction);
} views[] = {{"json", view_json},   {"table", view_table}, {"explain", view_explain}, {"ncu", view_ncu},
             {"sarif", view_sarif}, {"dot", view_dot},     {"html", view_html}};

struct viewing {
	struct coalesce_prediction *prediction;
	const struct view *view;
};

static void view_make(void *context)
{
	const struct viewing *viewing = context;
	struct coalesce_prediction *own = viewing->prediction;
	struct text out = {0};
	viewing->view->make(&out, own);
	struct library_view made = {viewing->view->name,
	                            arena_strndup(own->arena, out.data ? out.data : "", out.length), out.length};
	text_release(&out);
	ARENA_PUSH(own->arena, own->views, own->view_count, made);
}

static const struct library_view *view_made(const struct coalesce_prediction *prediction, const char *name)
{
	for (unsigned i = 0; i < prediction->view_count; i++)
		if (strcmp(prediction->views[i].name, name) == 0)
			return &prediction->views[i];
	return NULL;
}

const char *coalesce_view(struct coalesce_prediction *prediction, const char *name, size_t *length)
{
	struct viewing viewing = {.prediction = prediction};
	struct failure failure = {0};
	if (!prediction || !prediction->result || !name)
		return NULL;
	for (size_t i = 0; i < ARRAY_COUNT(views); i++)
		if (strcmp(views[i].name, name) == 0)
			viewing.view = &views[i];
	if (!viewing.view)
		return NULL;
	if (!view_made(prediction, name) && library_run(view_make, &viewing, &failure) != COALESCE_OK)
		return NULL;
	const struct library_view *made = view_made(prediction, name);
	if (length)
		*length = made->length;
	return made->text;
}

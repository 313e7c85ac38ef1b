/*
 * cli/report/html: a prediction as one page: no other file, no network, no script. Each part is a file; all text that
 * comes from outside goes through html_text(). Numbers that are also in the JSON say where, in data-json: a JSON
 * pointer into the object that the page carries along. Prefix: html_.
 *
 *   page.c      the page: head, verdicts, the parts in order, what was assumed, the JSON
 *   layouts.c   the table of layouts of one launch, a bar each
 *   lanes.c     the worst access of each layout: 32 lanes onto sectors
 *   graph.c     the weighted control-flow graph
 *   curves.c    sweeps
 *   roofline.c  all launches under the roofs of the machine
 *   source.c    the file, with what each line costs
 *   changes.c   what a change would be worth; counters
 */
#ifndef COALESCE_CLI_REPORT_HTML_HTML_H
#define COALESCE_CLI_REPORT_HTML_HTML_H

#include "cli/report/report.h"

/* ---- page.c ------------------------------------------------------------------------------ */

/* A page up to its body, and its end. */
void html_begin(struct text *out, const char *title);
void html_end(struct text *out);
/* JSON that a page carries along, with what would end its element escaped. Releases it. */
struct json_t;
void html_json(struct text *out, struct json_t *root);

void html_report(struct text *out, struct arena *arena, const struct prediction *prediction,
                 const struct report_context *context);

/* ---- text.c ------------------------------------------------------------------------------ */

/* Text with what HTML would take for its own escaped; safe between tags and in quoted attributes. */
void html_text(struct text *out, const char *string);
/* The same with a format. */
void html_printf(struct text *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* A heading of a column, with what the glossary says of it; the glossary must have it. */
void html_heading(struct text *out, struct arena *arena, const char *word);
/* All of the glossary, closed. */
void html_glossary(struct text *out, struct arena *arena);

/* ---- parts --------------------------------------------------------------------------------- */

/* The layouts of one record in a launch; verdict NULL: a launch without records. index: of the launch in the
 * prediction. */
void html_layouts(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                  const struct verdict *verdict, const struct report_context *context);
void html_changes(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index);
void html_counters(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index);
void html_lanes(struct text *out, struct arena *arena, const struct prediction *prediction,
                const struct case_result *result);
void html_graph(struct text *out, struct arena *arena, const struct prediction *prediction,
                const struct case_result *result);
void html_curves(struct text *out, struct arena *arena, const struct prediction *prediction);
void html_roofline(struct text *out, struct arena *arena, const struct prediction *prediction);
void html_source(struct text *out, struct arena *arena, const struct prediction *prediction);

#endif

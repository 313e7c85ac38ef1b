/*
 * cli/report: views of a finished prediction. A view computes nothing: what it shows stands in struct prediction. Each appends to a struct
 * text, so that all of it is written at once or not at all. Prefix: report_.
 */
#ifndef COALESCE_CLI_REPORT_REPORT_H
#define COALESCE_CLI_REPORT_REPORT_H

#include "base/base.h"
#include "model/model.h"

/* The text table: per kernel a row per layout, the recommendation and why; then the program. */
void report_table(struct text *out, struct arena *arena, const struct prediction *prediction);
/* Per source line of each kernel: what each layout executes there and costs. */
void report_explain(struct text *out, struct arena *arena, const struct prediction *prediction);
/* The object of schema coalesce/predict/1. */
void report_json(struct text *out, struct arena *arena, const struct prediction *prediction);
/* A stage in its stable text form; stage is one of the names of --dump. */
void report_dump(struct text *out, const struct prediction *prediction, const char *stage);
/* A layout with its tile: "asta", "asta/64" where the tile is not the default. */
const char *report_layout_label(struct arena *arena, const struct layout *layout, unsigned tile);

#endif

/*
 * Published predictions of a suite's cases beside ours: cycles per warp by model, the ratio of two layouts, whether it
 * orders them as published, and as measured then.
 *
 * In the suite, a case's "published" object:
 *   {"of": "where it is printed", "layouts": [a, b], "models": {"thesis": [cycles of a, cycles of b], ...},
 *    "measured_seconds": [of a, of b], "open": true}
 * "measured_seconds" may be missing; "open" says that how the figures came about is not known. A ratio is b over a:
 * above 1, a is faster.
 */
#include "cli/batch/batch.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------ */

static bool pair_read(const json_t *array, double pair[2])
{
	for (size_t i = 0; i < 2; i++) {
		const json_t *value = json_array_get(array, i);
		pair[i] = json_is_number(value) ? json_number_value(value) : 0;
	}
	return json_array_size(array) == 2 && pair[0] > 0 && pair[1] > 0;
}

static const char *models_read(struct arena *arena, json_t *models, struct published *published)
{
	const char *name;
	json_t *value;
	json_object_foreach(models, name, value)
	{
		struct published_model model = {.name = arena_strdup(arena, name)};
		if (!cost_model_find(name))
			return arena_printf(arena, "\"published\": unknown model '%s'", name);
		if (!pair_read(value, model.cycles))
			return arena_printf(arena, "\"published\": %s: not two positive numbers", name);
		ARENA_PUSH(arena, published->models, published->model_count, model);
	}
	return published->model_count ? NULL : "\"published\": no models";
}

const char *batch_published_read(struct arena *arena, struct json_t *json, const struct published **result)
{
	struct published *published = arena_alloc(arena, sizeof *published);
	json_t *models, *measured = NULL;
	json_error_t error;
	int open = 0;
	if (json_unpack_ex(json, &error, JSON_STRICT, "{s:s, s:[ss], s:o, s?o, s?b}", "of", &published->of, "layouts",
	                   &published->layouts[0], &published->layouts[1], "models", &models, "measured_seconds",
	                   &measured, "open", &open) != 0)
		return arena_printf(arena, "\"published\": %s", error.text);
	published->of = arena_strdup(arena, published->of);
	for (unsigned i = 0; i < 2; i++)
		published->layouts[i] = arena_strdup(arena, published->layouts[i]);
	published->open = open != 0;
	if (measured && !pair_read(measured, published->measured))
		return "\"published\": \"measured_seconds\": not two positive numbers";
	*result = published;
	return models_read(arena, models, published);
}

bool batch_is_published(const struct suite *suite)
{
	for (unsigned i = 0; i < suite->case_count; i++)
		if (suite->cases[i].published)
			return true;
	return false;
}

/* ---- ours ------------------------------------------------------------------------------ */

static double layout_cycles(const struct comparison *comparison, unsigned model, const char *layout)
{
	for (unsigned l = 0; l < comparison->layout_count && comparison->cycles; l++)
		if (!comparison->record || strcmp(comparison->layouts[l], layout) == 0)
			return comparison->cycles[model][l];
	return NAN;
}

/* Cycles per warp of a case in a layout, all its launches together; NAN where the case was not predicted so. */
static double case_cycles(const struct comparisons *comparisons, const char *id, unsigned model, const char *layout)
{
	double sum = 0;
	for (unsigned c = 0; c < comparisons->count; c++)
		if (strcmp(comparisons->list[c].id, id) == 0)
			sum += layout_cycles(&comparisons->list[c], model, layout);
	return sum > 0 ? sum : NAN;
}

static unsigned model_index(const struct comparisons *comparisons, const char *name)
{
	unsigned m = 0;
	while (m < comparisons->model_count && strcmp(comparisons->models[m], name) != 0)
		m++;
	return m;
}

/* One line of the table. */
struct row {
	const struct suite_case *entry;
	const struct published *published;
	const struct published_model *model;
	double cycles[2];                              /* ours */
	double ratio, published_ratio, measured_ratio; /* the last NAN where nothing was measured */
};

static struct row *rows_make(struct arena *arena, const struct suite *suite, const struct comparisons *comparisons,
                             unsigned *count)
{
	struct row *rows = NULL;
	*count = 0;
	for (unsigned i = 0; i < suite->case_count; i++) {
		const struct published *published = suite->cases[i].published;
		for (unsigned k = 0; published && k < published->model_count; k++) {
			struct row row = {
				.entry = &suite->cases[i], .published = published, .model = &published->models[k]};
			unsigned m = model_index(comparisons, row.model->name);
			if (m == comparisons->model_count)
				continue;
			for (unsigned l = 0; l < 2; l++)
				row.cycles[l] = case_cycles(comparisons, row.entry->id, m, published->layouts[l]);
			row.ratio = row.cycles[1] / row.cycles[0];
			row.published_ratio = row.model->cycles[1] / row.model->cycles[0];
			row.measured_ratio =
				published->measured[0] > 0 ? published->measured[1] / published->measured[0] : NAN;
			if (isfinite(row.ratio))
				ARENA_PUSH(arena, rows, *count, row);
		}
	}
	return rows;
}

static bool same_order(double a, double b)
{
	return (a > 1) == (b > 1);
}

/* ---- the table ---------------------------------------------------------------------------- */

static void row_print(struct text *out, const struct row *row)
{
	const struct published *published = row->published;
	text_printf(out, "%-10s %-10s", row->entry->id, row->model->name);
	for (unsigned l = 0; l < 2; l++)
		text_printf(out, " %13.0f %13.0f %+7.2f%%", row->model->cycles[l], row->cycles[l],
		            100 * (row->cycles[l] / row->model->cycles[l] - 1));
	text_printf(out, " %7.3f %7.3f %+7.2f%% %-6s", row->published_ratio, row->ratio,
	            100 * (row->ratio / row->published_ratio - 1),
	            same_order(row->ratio, row->published_ratio) ? "right" : "wrong");
	if (isfinite(row->measured_ratio))
		text_printf(out, " %9.3f %9.3f %7.3f %s", published->measured[0], published->measured[1],
		            row->measured_ratio, same_order(row->ratio, row->measured_ratio) ? "right" : "wrong");
	text_printf(out, "%s\n", published->open ? " (open)" : "");
}

/* Root mean square of the ratios' errors; open cases only where wanted. */
static double ratios_error(struct arena *arena, const struct row *rows, unsigned count, bool with_open, unsigned *used)
{
	double *ours = arena_array(arena, count + 1, sizeof *ours),
	       *published = arena_array(arena, count + 1, sizeof *published);
	*used = 0;
	for (unsigned i = 0; i < count; i++) {
		if (rows[i].published->open && !with_open)
			continue;
		ours[*used] = rows[i].ratio;
		published[(*used)++] = rows[i].published_ratio;
	}
	return measure_rms_error(ours, published, *used);
}

static void summary_print(struct text *out, struct arena *arena, const struct row *rows, unsigned count)
{
	unsigned right = 0, closed;
	for (unsigned i = 0; i < count; i++)
		right += same_order(rows[i].ratio, rows[i].published_ratio);
	text_printf(out, "\norders as published: %u of %u; rms error of the ratios: %.2f %%", right, count,
	            100 * ratios_error(arena, rows, count, true, &closed));
	double error = ratios_error(arena, rows, count, false, &closed);
	if (closed < count && closed > 0)
		text_printf(out, "; of the %u not marked open: %.2f %%", closed, 100 * error);
	text_printf(out, "\n");
}

static void head_print(struct text *out, const struct published *published)
{
	const char *a = published->layouts[0], *b = published->layouts[1];
	text_printf(out,
	            "\n%s: published and our cycles per warp of %s and %s; ratio %s / %s; seconds measured then\n\n",
	            published->of, a, b, b, a);
	text_printf(out, "%-10s %-10s %13s %13s %8s %13s %13s %8s %7s %7s %8s %-6s %9s %9s %7s pick\n", "case", "model",
	            a, "ours", "", b, "ours", "", "ratio", "ours", "", "order", a, b, "ratio");
}

void batch_published_report(struct text *out, struct arena *arena, const struct suite *suite,
                            const struct comparisons *comparisons)
{
	unsigned count;
	const struct row *rows = rows_make(arena, suite, comparisons, &count);
	for (unsigned i = 0; i < count; i++) {
		if (i == 0 || strcmp(rows[i].published->of, rows[i - 1].published->of) != 0)
			head_print(out, rows[i].published);
		row_print(out, &rows[i]);
	}
	if (count > 0)
		summary_print(out, arena, rows, count);
}

struct json_t *batch_published_json(struct arena *arena, const struct suite *suite,
                                    const struct comparisons *comparisons)
{
	unsigned count;
	const struct row *rows = rows_make(arena, suite, comparisons, &count);
	json_t *list = json_array();
	for (unsigned i = 0; i < count; i++) {
		const struct row *row = &rows[i];
		json_t *object = json_pack("{s:s, s:s, s:s, s:[s,s], s:[f,f], s:[f,f], s:f, s:f, s:b}", "id",
		                           row->entry->id, "model", row->model->name, "of", row->published->of,
		                           "layouts", row->published->layouts[0], row->published->layouts[1],
		                           "published_cycles", row->model->cycles[0], row->model->cycles[1], "cycles",
		                           row->cycles[0], row->cycles[1], "published_ratio", row->published_ratio,
		                           "ratio", row->ratio, "open", row->published->open);
		json_object_set_new(object, "measured_ratio",
		                    isfinite(row->measured_ratio) ? json_real(row->measured_ratio) : json_null());
		json_array_append_new(list, object);
	}
	return list;
}

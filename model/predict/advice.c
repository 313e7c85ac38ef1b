/*
 * Which rows are advised about: those that verdicts recommend, and the first of launches without a verdict, each once.
 */
#include "model/predict/predict.h"

struct advised_rows {
	struct ranked_layout **rows;
	unsigned count;
};

static void row_add(struct arena *arena, struct advised_rows *advised, struct ranked_layout *row)
{
	for (unsigned r = 0; r < advised->count; r++)
		if (advised->rows[r] == row)
			return;
	ARENA_PUSH(arena, advised->rows, advised->count, row);
}

static struct advised_rows rows_find(struct arena *arena, struct prediction *prediction)
{
	struct advised_rows advised = {0};
	for (unsigned c = 0; c < prediction->case_count; c++) {
		struct case_result *result = &prediction->cases[c];
		for (unsigned v = 0; v < result->verdict_count; v++)
			row_add(arena, &advised, &result->rows[result->verdicts[v].recommended]);
		if (result->verdict_count == 0 && result->row_count)
			row_add(arena, &advised, &result->rows[0]);
	}
	return advised;
}

void predict_advise(struct arena *arena, struct prediction *prediction, unsigned threads)
{
	struct advised_rows advised = rows_find(arena, prediction);
	struct advised *launches = arena_array(arena, advised.count + 1, sizeof *launches);
	for (unsigned r = 0; r < advised.count; r++)
		launches[r] = (struct advised){.view = advised.rows[r]->view, .estimate = advised.rows[r]->estimate};
	explain_advise(arena, prediction->model, launches, advised.count, threads,
	               &prediction->time.own[STAGE_ESTIMATE].processor);
	for (unsigned r = 0; r < advised.count; r++) {
		advised.rows[r]->advice = launches[r].advice;
		advised.rows[r]->advice_count = launches[r].count;
	}
}

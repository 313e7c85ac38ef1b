/*
 * Notes of a launch, each said once for all its layouts.
 */
#include "model/predict/predict.h"

#include "model/trust/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How long the part of a note is that says where and why some warps stand for all, the numbers after it apart; 0 for
 * other notes. */
static size_t sample_head(const char *note)
{
	const char *at = strstr(note, " warps stand for all");
	while (at && at > note && strncmp(at, ": ", 2) != 0)
		at--;
	return at ? (size_t)(at - note) : 0;
}

/* The standard error that such a note says, in per cent. */
static double sample_error(const char *note)
{
	const char *below = strstr(note, "below ");
	return below ? strtod(below + strlen("below "), NULL) : INFINITY;
}

void predict_note_once(struct arena *arena, struct case_result *result, const char *note)
{
	size_t head = sample_head(note);
	for (unsigned i = 0; i < result->note_count; i++) {
		if (strcmp(result->notes[i], note) == 0)
			return;
		if (head && sample_head(result->notes[i]) == head && strncmp(result->notes[i], note, head) == 0) {
			if (sample_error(note) > sample_error(result->notes[i]))
				result->notes[i] = note;
			return;
		}
	}
	ARENA_PUSH(arena, result->notes, result->note_count, note);
}

void predict_case_conclude(struct arena *arena, const struct prediction *prediction, struct case_result *result)
{
	for (unsigned r = 0; r < result->row_count; r++)
		for (unsigned i = 0; i < result->rows[r].estimate->note_count; i++)
			predict_note_once(arena, result, result->rows[r].estimate->notes[i]);
	result->confidence = result->launch->assumed || !trust_known(prediction) || trust_is_bound(result, NULL)
	                             ? CONFIDENCE_LOW
	                             : CONFIDENCE_HIGH;
}

/*
 * What was assumed, for people.
 */
#include "model/cases/cases.h"

void case_note(struct arena *arena, struct launch_case *launch, const char *text)
{
	ARENA_PUSH(arena, launch->notes, launch->note_count, text);
}

/*
 * What was assumed, for people.
 */
#include "model/cases/cases.h"

void case_note(struct arena *arena, struct launch_case *launch, const char *text)
{
	ARENA_PUSH(arena, launch->notes, launch->note_count, text);
}

void case_assume(struct arena *arena, struct launch_case *launch, struct case_assumption assumption)
{
	case_note(arena, launch, assumption.note);
	ARENA_PUSH(arena, launch->assumptions, launch->assumption_count, assumption);
}

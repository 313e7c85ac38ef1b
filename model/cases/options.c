/*
 * What the user says of launches by name, and the notes on what nobody says.
 */
#include "model/cases/cases.h"

#include <string.h>

void case_note(struct arena *arena, struct launch_case *launch, const char *text)
{
	ARENA_PUSH(arena, launch->notes, launch->note_count, text);
}

const struct named_value *case_option(const struct named_value *list, unsigned count, const char *name)
{
	for (unsigned i = count; i-- > 0;)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	return NULL;
}

/*
 * What an option's argument may be: the words that begin with @ in options.def are the names of a table.
 */
#include "cli/help/help.h"
#include "cli/report/report.h"

#include <string.h>

static const char **machine_names(struct arena *arena, unsigned *count)
{
	struct diagnostics ignored;
	diagnostics_init(&ignored, arena);
	const struct machine **machines = machine_list(arena, count, &ignored);
	const char **names = arena_array(arena, *count + 1, sizeof *names);
	for (unsigned i = 0; i < *count; i++)
		names[i] = machines[i]->id;
	return names;
}

static const char **layout_names(struct arena *arena, unsigned *count)
{
	const char **names = arena_array(arena, layout_count, sizeof *names);
	for (unsigned i = 0; i < layout_count; i++)
		names[i] = layout_table[i]->name;
	*count = layout_count;
	return names;
}

static const char **model_names(struct arena *arena, unsigned *count)
{
	const char **names = arena_array(arena, cost_model_count, sizeof *names);
	for (unsigned i = 0; i < cost_model_count; i++)
		names[i] = cost_models[i].name;
	*count = cost_model_count;
	return names;
}

static const char **reading_names(struct arena *arena, unsigned *count)
{
	static const char *const readings[] = {
#define X(name, usual, other, what) #name "=" usual, #name "=" other,
		THESIS_READINGS(X)
#undef X
	};
	const char **names = arena_array(arena, ARRAY_COUNT(readings), sizeof *names);
	memcpy(names, readings, sizeof readings);
	*count = ARRAY_COUNT(readings);
	return names;
}

const char **help_names(struct arena *arena, const char *word, unsigned *count)
{
	static const struct {
		const char *word;
		const char **(*names)(struct arena *arena, unsigned *count);
	} tables[] = {{"@layouts", layout_names},
	              {"@models", model_names},
	              {"@machines", machine_names},
	              {"@readings", reading_names},
	              {"@stages", report_stage_names}};
	for (size_t t = 0; t < ARRAY_COUNT(tables); t++)
		if (strcmp(tables[t].word, word) == 0)
			return tables[t].names(arena, count);
	*count = 0;
	return NULL;
}

const char *help_values(struct arena *arena, const struct option_row *row, bool here)
{
	const char *at = row->values ? strchr(row->values, '@') : NULL;
	unsigned count;
	if (!at)
		return row->values;
	size_t length = 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
	bool asked = !here && strncmp(at, "@machines", length) == 0;
	const char **names = help_names(arena, arena_strndup(arena, at, length), &count);
	const char *list = asked ? "a name that `coalesce machines` lists" : "";
	for (unsigned i = 0; i < count && !asked; i++)
		list = arena_printf(arena, "%s%s%s", list, i ? ", " : "", names[i]);
	return arena_printf(arena, "%.*s%s%s", (int)(at - row->values), row->values, list, at + length);
}

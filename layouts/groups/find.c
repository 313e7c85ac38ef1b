/*
 * What is to be laid out in a file: the records first, then the groups that the user names; no parameter belongs to two.
 */
#include "layouts/groups/groups.h"

/* Verifies that no parameter belongs to two groups. */
static bool bindings_check(struct group_finder *finder)
{
	const struct layout_groups *groups = finder->groups;

	for (unsigned a = 0; a < groups->binding_count; a++)
		for (unsigned b = a + 1; b < groups->binding_count; b++)
			if (groups->bindings[a].parameter == groups->bindings[b].parameter && !groups->bindings[a].leaf) {
				diagnostics_report(finder->diagnostics, SEVERITY_ERROR, groups->bindings[a].parameter->place,
				                   "'%s' is in two groups, %s and %s", groups->bindings[a].parameter->name,
				                   groups->bindings[a].group->name, groups->bindings[b].group->name);
				return false;
			}
	return true;
}

bool layout_groups_find(struct arena *arena, const struct analysis *analysis, const struct layout_options *options,
                        struct layout_groups *groups, struct diagnostics *diagnostics)
{
	struct group_finder finder = {arena, analysis, groups, diagnostics, NULL};
	bool good;

	*groups = (struct layout_groups){.source = edit_source_read(arena, analysis->text, analysis->text_length)};
	finder.source = options->recognise_tiles ? groups->source : NULL;
	good = group_records_find(&finder, options);
	group_families_find(&finder);
	for (unsigned g = 0; g < options->group_count; g++)
		good &= group_arrays_find(&finder, options->groups[g]);
	if (good)
		group_holders_find(&finder, options);
	return good && bindings_check(&finder);
}

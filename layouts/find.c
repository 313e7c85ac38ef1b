/*
 * What is to be laid out in a file: the records first, then the groups that the user names; no parameter belongs to
 * two.
 */
#include "layouts/groups/groups.h"
#include "layouts/layouts.h"

/* Verifies that no parameter belongs to two groups. */
static bool bindings_check(struct group_finder *finder)
{
	const struct layout_groups *groups = finder->groups;

	for (unsigned a = 0; a < groups->binding_count; a++)
		for (unsigned b = a + 1; b < groups->binding_count; b++)
			if (groups->bindings[a].parameter == groups->bindings[b].parameter &&
			    !groups->bindings[a].leaf) {
				diagnostics_report(
					finder->diagnostics, SEVERITY_ERROR, groups->bindings[a].parameter->place,
					"'%s' is in two groups, %s and %s", groups->bindings[a].parameter->name,
					groups->bindings[a].group->name, groups->bindings[b].group->name);
				return false;
			}
	return true;
}

/* Whether a kernel reaches an array of records otherwise than through a pointer parameter: a member of what it takes by
 * value, or a variable of the device. */
static bool is_held(const struct array *array)
{
	const struct record *record = array->element.record;

	return record && (array->leaf || (!array->parameter && array->space == ARRAY_GLOBAL && array->count > 1 &&
	                                  !record->is_vector_type));
}

/* Whether a record is laid out, or was said of before kernel k's access a. */
static bool is_told(const struct group_finder *finder, const struct record *record, unsigned k, unsigned a)
{
	for (unsigned g = 0; g < finder->groups->count; g++)
		for (unsigned b = 0; finder->groups->list[g]->record == record && b < finder->groups->binding_count;
		     b++)
			if (finder->groups->bindings[b].group == finder->groups->list[g])
				return true;
	for (unsigned i = 0; i <= k; i++)
		for (unsigned j = 0; j < (i == k ? a : finder->analysis->kernels[i]->access_count); j++)
			if (is_held(finder->analysis->kernels[i]->accesses[j]->array) &&
			    finder->analysis->kernels[i]->accesses[j]->array->element.record == record)
				return true;
	return false;
}

/* What a kernel reaches such an array through. */
static const char *holder_text(const struct group_finder *finder, const struct array *array)
{
	return array->leaf ? arena_printf(finder->arena, "the member %s of its parameter %s", array->leaf->path,
	                                  array->parameter->name)
	                   : arena_printf(finder->arena, "the variable %s", array->name);
}

/* Notes the records that kernels reach only through members of what they take by value, or through variables. */
static void held_records_note(const struct group_finder *finder)
{
	for (unsigned k = 0; k < finder->analysis->kernel_count; k++) {
		const struct kernel *kernel = finder->analysis->kernels[k];

		for (unsigned a = 0; a < kernel->access_count; a++) {
			const struct array *array = kernel->accesses[a]->array;

			if (is_held(array) && !is_told(finder, array->element.record, k, a))
				diagnostics_report(finder->diagnostics, SEVERITY_NOTE, kernel->accesses[a]->place,
				                   "struct %s keeps its layout: kernel %s reaches it through %s: pass "
				                   "a pointer to it "
				                   "as a parameter",
				                   array->element.record->name, kernel->name,
				                   holder_text(finder, array));
		}
	}
}

bool layout_groups_find(struct arena *arena, const struct analysis *analysis, const struct layout_options *options,
                        struct layout_groups *groups, struct diagnostics *diagnostics)
{
	struct group_finder finder = {arena, analysis, groups, diagnostics, NULL};
	struct edit_source *source = edit_source_read(arena, analysis->text, analysis->text_length);
	bool good;

	edit_words_index(arena, source);
	*groups = (struct layout_groups){.source = source};
	finder.source = options->recognise_tiles ? groups->source : NULL;
	good = group_records_find(&finder, options);
	group_families_find(&finder);
	for (unsigned g = 0; g < options->group_count; g++)
		good &= group_arrays_find(&finder, options->groups[g]);
	if (good)
		group_holders_find(&finder, options);
	if (good)
		held_records_note(&finder);
	return good && bindings_check(&finder);
}

/*
 * What a mention names, and where it stands.
 */
#include "layouts/pointers/internal.h"

unsigned pointers_field(const struct layout_group *group, const struct member_mention *mention)
{
	unsigned f = 0;

	if (mention->record != group->holder || !mention->member)
		return group->field_count;
	while (f < group->field_count && strcmp(group->fields[f].name, mention->member) != 0)
		f++;
	return f;
}

const struct function *pointers_function_at(const struct rewriter *rewriter, unsigned offset)
{
	const struct function *found = NULL;

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];

		if (function->definition.begin <= offset && offset < function->definition.end &&
		    (!found || function->definition.begin >= found->definition.begin))
			found = function;
	}
	return found;
}

bool pointers_is_device(const struct rewriter *rewriter, unsigned offset)
{
	const struct function *function = pointers_function_at(rewriter, offset);

	return function && function->is_device;
}

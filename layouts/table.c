/*
 * The table of layouts. A new layout is a file with its row, and a line here.
 */
#include "layouts/internal.h"

const struct layout *const layout_table[] = {&layout_aos, &layout_soa, &layout_aosa, &layout_asta};
const unsigned layout_count = ARRAY_COUNT(layout_table);

const struct layout *layout_find(const char *name)
{
	for (unsigned i = 0; i < layout_count; i++)
		if (strcmp(layout_table[i]->name, name) == 0)
			return layout_table[i];
	return NULL;
}

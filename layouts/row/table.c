/*
 * The table of layouts, in the order in which they are shown. A new layout is a file with its row, layout_NAME, and
 * X(NAME) here.
 */
#include <string.h>

#include "layouts/row/row.h"

#define LAYOUTS(X) X(aos) X(soa) X(aosa) X(asta)

#define X(name) extern const struct layout layout_##name;
LAYOUTS(X)
#undef X

const struct layout *const layout_table[] = {
#define X(name) &layout_##name,
	LAYOUTS(X)
#undef X
};
const unsigned layout_count = ARRAY_COUNT(layout_table);

const struct layout *layout_find(const char *name)
{
	for (unsigned i = 0; i < layout_count; i++)
		if (strcmp(layout_table[i]->name, name) == 0)
			return layout_table[i];
	return NULL;
}

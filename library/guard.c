/*
 * Between the caller and code that was written for a program of its own.
 */
#include "library/library.h"

#include <locale.h>
#include <string.h>

enum coalesce_status library_run(void (*run)(void *context), void *context, struct failure *failure)
{
	locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!own)
		return COALESCE_MEMORY;
	locale_t callers = uselocale(own);
	bool good = failure_catch(run, context, failure);
	cli_messages_keep(NULL);
	uselocale(callers);
	freelocale(own);
	if (good)
		return COALESCE_OK;
	return failure->code == EXIT_BUG ? COALESCE_BUG : COALESCE_MEMORY;
}

void library_copy(void *to, size_t to_size, const void *from, size_t from_size)
{
	memset(to, 0, to_size);
	memcpy(to, from, to_size < from_size ? to_size : from_size);
}

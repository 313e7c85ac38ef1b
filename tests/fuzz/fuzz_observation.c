/*
 * Recordings of --observe: whatever the text, reading it ends in a recording whose references lead somewhere, or in
 * words.
 */
#include "model/observe/observe.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touches all that a pointer leads to. */
static uint64_t pointer_sum(const struct observed_pointer *pointer)
{
	uint64_t sum = pointer->offset;
	for (unsigned i = 0; i < pointer->passed_count; i++)
		sum += (uint64_t)pointer->passed[i].kernel->name[0];
	if (pointer->content && pointer->content->data)
		sum += pointer->content->data[pointer->content->bytes - 1];
	return sum;
}

static uint64_t launch_sum(const struct observed_launch *launch)
{
	uint64_t sum = launch->times + (uint64_t)launch->kernel->name[0];
	for (unsigned i = 0; i < launch->argument_count; i++)
		for (unsigned k = 0; k < launch->arguments[i].size; k++)
			sum += launch->arguments[i].bytes[k];
	for (unsigned i = 0; i < launch->pointer_count; i++) {
		if (launch->pointers[i].argument >= launch->argument_count ||
		    launch->pointers[i].offset >= launch->pointers[i].bytes)
			abort();
		sum += pointer_sum(&launch->pointers[i]);
	}
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_create();
	const char *problem;
	const struct observation *observation = observe_parse(arena, (const char *)data, size, &problem);
	volatile uint64_t sum = 0;
	if (!observation == !problem)
		abort();
	for (unsigned i = 0; observation && i < observation->launch_count; i++)
		sum += launch_sum(&observation->launches[i]);
	for (unsigned i = 0; observation && i < observation->write_count; i++)
		for (uint64_t k = 0; k < observation->writes[i].size; k++)
			sum += observation->writes[i].data[k];
	arena_release(arena);
	return 0;
}

/*
 * Instances of a template that the file does not launch itself, as --kernel and --compare-kernels may name them: they
 * are launched as another instance of the template is. Where one of that one's template arguments is the block it is
 * launched with, the own argument there is the block, and the grid holds as many threads as before, unless the kernel
 * looks at the grid's size. Where nobody says the block, the one template argument that can be one is it.
 */
#include "model/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#define THREADS_MOST 1024

/* The template argument of that position as an integer; 0 where there is none, or it is no positive one. */
static uint64_t template_argument(const char *name, unsigned position)
{
	const char *next = strchr(name, '<');
	int depth = 0;
	for (; next && *next && position > 0; next++) {
		depth += (*next == '<') - (*next == '>');
		position -= *next == ',' && depth == 1;
	}
	if (!next || !*next || position > 0)
		return 0;
	return strtoull(next + (*next == '<' || *next == ','), NULL, 0);
}

static unsigned template_arguments(const char *name)
{
	unsigned count = strchr(name, '<') ? 1 : 0;
	int depth = 0;
	for (const char *next = name; *next; next++) {
		depth += (*next == '<') - (*next == '>');
		count += *next == ',' && depth == 1;
	}
	return count;
}

const struct kernel *case_sibling(const struct analysis *analysis, const struct kernel *kernel)
{
	for (unsigned k = 0; k < analysis->kernel_count && strchr(kernel->name, '<'); k++) {
		const struct kernel *other = analysis->kernels[k];
		if (other != kernel && other->launch_count && other->definition.begin == kernel->definition.begin &&
		    strchr(other->name, '<'))
			return other;
	}
	return NULL;
}

void case_instance_fit(struct arena *arena, struct launch_case *launch)
{
	const char *own = launch->kernel->name, *sibling = launch->found->kernel->name;
	uint64_t old = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
	for (unsigned position = 0; position < template_arguments(own); position++) {
		uint64_t threads = template_argument(own, position);
		if (template_argument(sibling, position) != old || threads == 0 || threads == old)
			continue;
		if (!case_block_set(launch, threads))
			return;
		case_note(arena, launch,
		          arena_printf(arena,
		                       "%s is taken to be launched as line %u launches %s, with blocks of %llu as its "
		                       "template "
		                       "argument says; --grid and --block say otherwise",
		                       own, launch->found->place.line, sibling, (unsigned long long)threads));
		return;
	}
	case_note(arena, launch,
	          arena_printf(arena,
	                       "%s is taken to be launched as line %u launches %s; --grid and --block say otherwise",
	                       own, launch->found->place.line, sibling));
}

uint64_t case_instance_block(const struct kernel *kernel)
{
	uint64_t found = 0;
	for (unsigned position = 0; position < template_arguments(kernel->name); position++) {
		uint64_t value = template_argument(kernel->name, position);
		if (value < WARP_LANES || value > THREADS_MOST || value % WARP_LANES != 0)
			continue;
		if (found)
			return 0;
		found = value;
	}
	return found;
}

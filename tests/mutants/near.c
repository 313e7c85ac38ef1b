/*
 * What the process of the cases does itself, or once for all of them, where the program has a child for it or does it
 * anew. libclang reads programs in this process, as analyzer.h offers it to sanitizers. The numbers of a GPU that is
 * asked for by its name are read once. Both are as the program has them in one case of APART_EVERY, and in a case that
 * ended its process. The linker lets every call of the wrapped functions come here (--wrap).
 */
#include "mutants.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "model/machine/machine.h"

#define MACHINES_MOST 16

static bool is_near;
static struct arena *kept; /* of the machines */
static struct {
	const char *name;
	const struct machine *machine;
} machines[MACHINES_MOST];
static unsigned machine_count;

struct analysis *__real_analyze_file(struct arena *arena, const struct analyzer_options *options,
                                     struct diagnostics *diagnostics);
struct analysis *__wrap_analyze_file(struct arena *arena, const struct analyzer_options *options,
                                     struct diagnostics *diagnostics);
const struct machine *__real_machine_load(struct arena *arena, const char *name, struct diagnostics *diagnostics);
const struct machine *__wrap_machine_load(struct arena *arena, const char *name, struct diagnostics *diagnostics);

struct analysis *__wrap_analyze_file(struct arena *arena, const struct analyzer_options *options,
                                     struct diagnostics *diagnostics)
{
	struct analyzer_options here = *options;
	here.in_process = options->in_process || is_near;
	return __real_analyze_file(arena, &here, diagnostics);
}

/* Keeps the machine of that name, where there is one. */
static const struct machine *machine_keep(const char *name)
{
	struct diagnostics ignored;
	diagnostics_init(&ignored, kept);
	const struct machine *machine = __real_machine_load(kept, name, &ignored);
	if (machine && !ignored.count) {
		machines[machine_count].name = arena_strdup(kept, name);
		machines[machine_count++].machine = machine;
		return machine;
	}
	return NULL;
}

static const struct machine *machine_kept(const char *name)
{
	for (unsigned i = 0; i < machine_count; i++)
		if (strcmp(machines[i].name, name) == 0)
			return machines[i].machine;
	return machine_count < MACHINES_MOST ? machine_keep(name) : NULL;
}

const struct machine *__wrap_machine_load(struct arena *arena, const char *name, struct diagnostics *diagnostics)
{
	const struct machine *machine = is_near && kept && !strchr(name, '.') ? machine_kept(name) : NULL;
	return machine ? machine : __real_machine_load(arena, name, diagnostics);
}

void near_begin(void)
{
	setenv("LIBCLANG_NOTHREADS", "1", 1);
	kept = arena_create();
	machine_keep("h200");
}

void near_set(bool near)
{
	is_near = near;
}

/*
 * Isolation: the analysis runs in a child process (base/isolation), so that libclang's troubles end in a diagnostic.
 * Nothing of libclang's is referred to by what the child leaves. When it crashes after it took a precompiled header,
 * that is deleted and the analysis repeated without one.
 */
#include "analyzer/passes.h"
#include "base/isolation/isolation.h"

#include <stdlib.h>
#include <unistd.h>

#define SHARED_BYTES ((size_t)4 << 30)

/* What the child leaves. */
struct handoff {
	struct analysis *analysis;
	struct diagnostics diagnostics;
	const char *cache; /* the precompiled header that was about to be used */
};

static void work_do(struct arena *shared, void *context, void **result)
{
	struct handoff *handoff = arena_alloc(shared, sizeof *handoff);

	*result = handoff;
	setenv("LIBCLANG_NOTHREADS", "1", 1);
	diagnostics_init(&handoff->diagnostics, shared);
	handoff->analysis = analyze_here(shared, context, &handoff->diagnostics, &handoff->cache);
	if (handoff->analysis)
		handoff->analysis->elsewhere.processor = clock_thread().processor;
}

static struct analysis *take_over(struct handoff *handoff, struct arena *arena, struct diagnostics *diagnostics)
{
	for (size_t i = 0; i < handoff->diagnostics.count; i++) {
		const struct diagnostic *diagnostic = &handoff->diagnostics.list[i];

		diagnostics_report(diagnostics, diagnostic->severity, diagnostic->place, "%s", diagnostic->message);
	}
	if (handoff->analysis)
		handoff->analysis->arena = arena;
	return handoff->analysis;
}

/* Whether the child ended over a precompiled header, which is deleted. */
static bool failed_by_cache(const struct isolated *isolated)
{
	const struct handoff *handoff = isolated->result;
	bool crashed = isolated->ending == ISOLATION_CRASHED || isolated->ending == ISOLATION_MEMORY;

	return crashed && handoff && handoff->cache && unlink(handoff->cache) == 0;
}

struct analysis *analyze_file(struct arena *arena, const struct analyzer_options *options,
                              struct diagnostics *diagnostics)
{
	const struct isolation how = {options->limits, SHARED_BYTES, options->accompany, options->accompany_context};
	struct analyzer_options once = *options;
	struct isolated isolated = {.ending = ISOLATION_IMPOSSIBLE};
	const char *cache = NULL;

	for (unsigned attempt = 0; attempt < 2 && !options->in_process; attempt++) {
		isolated = isolation_run(arena, &how, work_do, &once);
		if (!once.use_cache || !failed_by_cache(&isolated))
			break;
		once.use_cache = false;
	}
	if (isolated.ending == ISOLATION_DONE)
		return take_over(isolated.result, arena, diagnostics);
	if (isolated.ending == ISOLATION_BUG)
		bug("%s", isolated.failure.text);
	once.in_process = true;
	if (isolated.ending == ISOLATION_IMPOSSIBLE)
		return analyze_here(arena, &once, diagnostics, &cache);
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){options->path, 0, 0}, "libclang %s",
	                   isolation_reason(arena, &how, &isolated));
	return NULL;
}

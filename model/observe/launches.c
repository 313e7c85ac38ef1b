/*
 * Recorded launches as those of the source's kernels. A program may launch one kernel with ten thousand arguments; each
 * distinct grid and block is kept where there are few, and of more launches some stand for all, evenly spread over the
 * run.
 */
#include "model/observe/internal.h"

#include <string.h>

#define SHAPE_CASES_MOST 4 /* of a kernel with one grid and block */
#define CASES_MOST 12      /* of a kernel */
#define COMPARED_MOST 64   /* of the latest different ones */
#define NAMES_SHOWN 4
#define REASONS_SHOWN 3

/* The recorded launches of one kernel. */
struct kernel_launches {
	struct observed_launch *list;
	unsigned count;
};

static bool shape_equal(const struct observed_launch *a, const struct observed_launch *b)
{
	return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0 &&
	       a->shared == b->shared;
}

static uint64_t times_of(const struct kernel_launches *launches)
{
	uint64_t times = 0;
	for (unsigned i = 0; i < launches->count; i++)
		times += launches->list[i].times;
	return times;
}

/* ---- launches that a prediction cannot tell apart ------------------------------------------------ */

static bool bytes_equal(const struct observed_argument *a, const struct observed_argument *b, uint64_t offset,
                        uint64_t size)
{
	return offset <= a->size && size <= a->size - offset && memcmp(a->bytes + offset, b->bytes + offset, size) == 0;
}

/* Whether a parameter's values mean the same to addresses, branches and loops: real numbers, and integers that none of
 * them names, always do. */
static bool argument_equal(const struct kernel *kernel, unsigned p, const struct observed_argument *a,
                           const struct observed_argument *b)
{
	const struct parameter *parameter = &kernel->parameters[p];
	const struct record *record = parameter->type.record;
	if (parameter->is_pointer || (!record && parameter->type.scalar == SCALAR_FLOAT) ||
	    (parameter->symbol && !case_kernel_mentions(kernel, parameter->symbol)))
		return true;
	for (unsigned l = 0; record && l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		uint64_t size = leaf->count > 1 ? (leaf->count - 1) * leaf->stride_bytes + leaf->type.size_bytes
		                                : leaf->type.size_bytes;
		if (leaf->type.scalar != SCALAR_FLOAT && !bytes_equal(a, b, leaf->offset_bytes, size))
			return false;
	}
	return record || bytes_equal(a, b, 0, a->size);
}

static bool launch_equal(const struct kernel *kernel, const struct observed_launch *a, const struct observed_launch *b)
{
	if (!shape_equal(a, b) || a->pointer_count != b->pointer_count)
		return false;
	for (unsigned i = 0; i < a->pointer_count; i++)
		if (a->pointers[i].argument != b->pointers[i].argument || a->pointers[i].at != b->pointers[i].at ||
		    a->pointers[i].bytes - a->pointers[i].offset != b->pointers[i].bytes - b->pointers[i].offset)
			return false;
	for (unsigned p = 0; p < kernel->parameter_count; p++)
		if (!argument_equal(kernel, p, &a->arguments[p], &b->arguments[p]))
			return false;
	return true;
}

/* Adds a launch to those before it; an equal one counts for it, too. */
static void launch_collect(struct arena *arena, const struct kernel *kernel, const struct observed_launch *launch,
                           struct kernel_launches *launches)
{
	for (unsigned i = launches->count; i-- > 0 && launches->count - i <= COMPARED_MOST;)
		if (launch_equal(kernel, &launches->list[i], launch)) {
			launches->list[i].times += launch->times;
			return;
		}
	ARENA_PUSH(arena, launches->list, launches->count, *launch);
}

/* ---- a launch of the source ------------------------------------------------------------------ */

/* How many extents of a launch that the source says agree with a recorded one; less for each that does not. */
static int agreement(const struct launch *said, const struct observed_launch *seen)
{
	int points = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		if (said->grid[axis].known)
			points += said->grid[axis].value == (int64_t)seen->grid[axis] ? 1 : -1;
		if (said->block[axis].known)
			points += said->block[axis].value == (int64_t)seen->block[axis] ? 1 : -1;
	}
	return points;
}

/* The launch in the source that a recorded one comes from, as far as that shows; NULL: the source has none of the
 * kernel. */
static const struct launch *launch_said(const struct kernel *kernel, const struct observed_launch *seen)
{
	const struct launch *best = NULL;
	for (unsigned l = 0; l < kernel->launch_count; l++)
		if (!best || agreement(kernel->launches[l], seen) > agreement(best, seen))
			best = kernel->launches[l];
	return best;
}

static struct host_value value_known(uint64_t value)
{
	return (struct host_value){.known = true, .value = (int64_t)value};
}

static struct launch *launch_make(struct arena *arena, const struct analysis *analysis, struct kernel *kernel,
                                  const struct observed_launch *seen, uint64_t times)
{
	const struct launch *said = launch_said(kernel, seen);
	struct launch *launch = arena_alloc(arena, sizeof *launch);
	*launch = said ? *said : (struct launch){.place = kernel->place};
	launch->kernel = kernel;
	for (unsigned axis = 0; axis < 3; axis++) {
		launch->grid[axis] = value_known(seen->grid[axis]);
		launch->block[axis] = value_known(seen->block[axis]);
	}
	launch->shared_bytes = value_known(seen->shared);
	launch->count = times;
	launch->count_known = true;
	launch->stands_for = NULL;
	launch->arguments = arena_array(arena, kernel->parameter_count + 1, sizeof *launch->arguments);
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		if (said)
			launch->arguments[p] = said->arguments[p];
		observe_value_fill(arena, analysis, &kernel->parameters[p], seen, &launch->arguments[p]);
	}
	return launch;
}

/* ---- few that stand for many ------------------------------------------------------------------ */

static void launch_add(struct arena *arena, const struct analysis *analysis, struct kernel *kernel,
                       const struct observed_launch *seen, uint64_t times, uint64_t all, struct case_observed *observed)
{
	struct launch *launch = launch_make(arena, analysis, kernel, seen, times);
	if (times > seen->times)
		launch->stands_for = arena_printf(
			arena,
			"stands for %llu of the program's %llu launches of %s, which have other grids or arguments",
			(unsigned long long)times, (unsigned long long)all, kernel->name);
	ARENA_PUSH(arena, observed->list, observed->count, launch);
}

/* Adds `most` launches, each from the middle of an equal share of all. */
static void launches_spread(struct arena *arena, const struct analysis *analysis, struct kernel *kernel,
                            const struct kernel_launches *launches, unsigned most, uint64_t all,
                            struct case_observed *observed)
{
	uint64_t times = times_of(launches), before = 0;
	unsigned at = 0;
	for (unsigned share = 0; share < most; share++) {
		uint64_t begin = times * share / most, end = times * (share + 1) / most,
			 middle = begin + (end - begin) / 2;
		while (at + 1 < launches->count && before + launches->list[at].times <= middle)
			before += launches->list[at++].times;
		if (end > begin)
			launch_add(arena, analysis, kernel, &launches->list[at], end - begin, all, observed);
	}
}

/* Parts launches by grid, block and shared memory, in the order of the run. */
static struct kernel_launches *shapes_part(struct arena *arena, const struct kernel_launches *launches, unsigned *count)
{
	struct kernel_launches *shapes = NULL;
	*count = 0;
	for (unsigned i = 0; i < launches->count && *count <= CASES_MOST; i++) {
		unsigned s = 0;
		while (s < *count && !shape_equal(&shapes[s].list[0], &launches->list[i]))
			s++;
		if (s == *count)
			ARENA_PUSH(arena, shapes, *count, (struct kernel_launches){0});
		ARENA_PUSH(arena, shapes[s].list, shapes[s].count, launches->list[i]);
	}
	return shapes;
}

static void kernel_add(struct arena *arena, const struct analysis *analysis, struct kernel *kernel,
                       const struct kernel_launches *launches, struct case_observed *observed)
{
	unsigned shape_count;
	const uint64_t all = times_of(launches);
	const struct kernel_launches *shapes = shapes_part(arena, launches, &shape_count);

	if (shape_count > CASES_MOST) {
		launches_spread(arena, analysis, kernel, launches, CASES_MOST, all, observed);
	} else {
		for (unsigned s = 0; s < shape_count; s++) {
			unsigned most = CASES_MOST / shape_count < SHAPE_CASES_MOST ? CASES_MOST / shape_count
			                                                            : SHAPE_CASES_MOST;
			launches_spread(arena, analysis, kernel, &shapes[s],
			                most < shapes[s].count ? most : shapes[s].count, all, observed);
		}
	}
}

/* ---- all kernels -------------------------------------------------------------------------------- */

/* Whether the recorded arguments are as many as the kernel's parameters, and as large. */
static bool arguments_fit(const struct kernel *kernel, const struct observed_launch *launch)
{
	if (launch->argument_count != kernel->parameter_count)
		return false;
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		uint64_t size =
			kernel->parameters[p].is_pointer ? sizeof(void *) : kernel->parameters[p].type.size_bytes;
		if (launch->arguments[p].size != size)
			return false;
	}
	return true;
}

static struct kernel *kernel_of(const struct analysis *analysis, const struct observed_launch *launch)
{
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		if (!analysis->kernels[k]->is_template_pattern &&
		    observe_names_equal(analysis->kernels[k]->mangled, launch->kernel->name))
			return analysis->kernels[k];
	return NULL;
}

const char *observe_name(struct arena *arena, const char *mangled)
{
	const char *shown = mangled;
	size_t length = strlen(mangled);
	bool is_nested = false;
	if (strncmp(mangled, "_Z", 2) != 0)
		return mangled;
	for (const char *next = mangled + 2; *next == 'N' || *next == 'L' || (*next >= '0' && *next <= '9');) {
		size_t size = 0;
		for (; *next == 'N' || *next == 'L'; next++)
			is_nested |= *next == 'N';
		while (*next >= '0' && *next <= '9' && size < length)
			size = 10 * size + (size_t)(*next++ - '0');
		if (size == 0 || size > strlen(next))
			break;
		shown = arena_strndup(arena, next, size);
		next += size;
		if (!is_nested)
			break;
	}
	return shown;
}

/* Names, each once, as "a, b and 3 more". */
struct name_list {
	const char **list;
	unsigned count;
};

static void name_add(struct arena *arena, struct name_list *names, const char *name)
{
	for (unsigned i = 0; i < names->count; i++)
		if (strcmp(names->list[i], name) == 0)
			return;
	ARENA_PUSH(arena, names->list, names->count, name);
}

static const char *names_text(struct arena *arena, const struct name_list *names)
{
	const char *text = "";
	for (unsigned i = 0; i < names->count && i < NAMES_SHOWN; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", names->list[i]);
	return names->count > NAMES_SHOWN ? arena_printf(arena, "%s and %u more", text, names->count - NAMES_SHOWN)
	                                  : text;
}

static void say(struct diagnostics *diagnostics, const char *text)
{
	diagnostics_report(diagnostics, SEVERITY_NOTE, (struct place){NULL, 0, 0}, "%s", text);
}

static void strangers_note(struct arena *arena, const struct name_list *strangers, const struct name_list *others,
                           struct diagnostics *diagnostics)
{
	if (strangers->count)
		say(diagnostics,
		    arena_printf(
			    arena,
			    "give the files of these kernels too, which the program launches and nobody predicts: %s",
			    names_text(arena, strangers)));
	if (others->count)
		say(diagnostics,
		    arena_printf(
			    arena,
			    "the recording has other parameters than the source for %s: record it anew with --observe",
			    names_text(arena, others)));
}

/* Which kernels did not run, by the reason. */
static void skipped_note(struct arena *arena, const struct observation *observation, struct diagnostics *diagnostics)
{
	struct name_list reasons = {0};
	for (unsigned i = 0; i < observation->launch_count; i++)
		if (observation->launches[i].skipped)
			name_add(arena, &reasons, observation->launches[i].skipped);
	for (unsigned r = 0; r < reasons.count && r < REASONS_SHOWN; r++) {
		struct name_list names = {0};
		for (unsigned i = 0; i < observation->launch_count; i++)
			if (observation->launches[i].skipped &&
			    strcmp(observation->launches[i].skipped, reasons.list[r]) == 0)
				name_add(arena, &names, observe_name(arena, observation->launches[i].kernel->name));
		say(diagnostics,
		    arena_printf(
			    arena,
			    "these kernels did not run on the CPU (%s), so that --index has to say what they write: %s",
			    reasons.list[r], names_text(arena, &names)));
	}
}

/* What keeps a recording from being all that the program would do on a GPU. */
static void gaps_note(struct arena *arena, const struct observation *observation, struct diagnostics *diagnostics)
{
	struct name_list unknown = {observation->unknown, observation->unknown_count}, refused = {0}, follows = {0};
	skipped_note(arena, observation, diagnostics);
	for (unsigned i = 0; i < observation->refused_count; i++)
		name_add(arena, &refused, observe_name(arena, observation->refused[i]));
	for (unsigned i = 0; i < observation->launch_count; i++)
		if (observation->launches[i].follows)
			name_add(arena, &follows, observe_name(arena, observation->launches[i].kernel->name));
	if (unknown.count)
		say(diagnostics,
		    arena_printf(arena,
		                 "the program calls functions that --observe does not know, and sees an error; give "
		                 "--grid and --block where launches are "
		                 "missing: %s",
		                 names_text(arena, &unknown)));
	if (refused.count)
		say(diagnostics,
		    arena_printf(arena,
		                 "correct the words behind --: no GPU takes the grid or block of these launches: %s",
		                 names_text(arena, &refused)));
	if (observation->stopped)
		say(diagnostics,
		    "the program waits for results of kernels that did not run: it was ended, and launches are "
		    "missing; give it more "
		    "--kernel-seconds");
	else if (follows.count)
		say(diagnostics, arena_printf(arena,
		                              "the program reads results of kernels that did not run before it "
		                              "launches %s: on a GPU there "
		                              "may be more or fewer of these launches: give it more --kernel-seconds",
		                              names_text(arena, &follows)));
	if (observation->cut)
		say(diagnostics,
		    "the program makes too many different launches to record: give it a smaller problem behind --");
	if (strcmp(observation->ended, "status 0") != 0)
		say(diagnostics,
		    arena_printf(
			    arena,
			    "the program ended with %s: later launches may be missing; correct the words behind --",
			    observation->ended));
}

const struct case_observed *observe_take(struct arena *arena, struct analysis *analysis,
                                         const struct observation *observation, struct diagnostics *diagnostics)
{
	struct case_observed *observed = arena_alloc(arena, sizeof *observed);
	struct name_list strangers = {0}, others = {0};
	struct kernel_launches *launches = arena_array(arena, analysis->kernel_count + 1, sizeof *launches);
	observe_symbols(arena, analysis, observation);
	for (unsigned i = 0; i < observation->launch_count; i++) {
		const struct observed_launch *launch = &observation->launches[i];
		const struct kernel *kernel = kernel_of(analysis, launch);
		unsigned k = 0;
		while (kernel && analysis->kernels[k] != kernel)
			k++;
		if (!kernel)
			name_add(arena, &strangers, observe_name(arena, launch->kernel->name));
		else if (!arguments_fit(kernel, launch))
			name_add(arena, &others, kernel->name);
		else
			launch_collect(arena, kernel, launch, &launches[k]);
	}
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		if (launches[k].count)
			kernel_add(arena, analysis, analysis->kernels[k], &launches[k], observed);
	strangers_note(arena, &strangers, &others, diagnostics);
	gaps_note(arena, observation, diagnostics);
	return observed;
}

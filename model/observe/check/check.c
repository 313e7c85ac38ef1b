/* Runs the original and the rewritten program, and says how they compare. */
#include "model/observe/check/check.h"

#include <string.h>

#define FASTER 3.0

const char *const check_words[] = {"same", "different", "not comparable", "not checked"};

/* What one run came to. */
struct run_result {
	struct observed_end end;
	struct check_text output;
	struct check_copies copies;
};
struct checking {
	struct arena *arena;
	const struct check_request *request;
	struct check_result *result;
	struct run_result original;
};

/* Ends the check with a word; false. */
static bool conclude(struct checking *checking, enum check_word word, const char *text)
{
	checking->result->word = word;
	checking->result->text = text;
	return false;
}

/* ---- running ---------------------------------------------------------------------------------- */

/* The text with a path left out wherever it stands: no two runs have the same temporary folders. */
static struct check_text path_drop(struct arena *arena, struct check_text text, const char *path)
{
	size_t length = strlen(path), kept = 0;
	char *out = arena_alloc(arena, text.length + 1);
	for (size_t i = 0; i < text.length;) {
		if (text.length - i >= length && memcmp(text.data + i, path, length) == 0)
			i += length;
		else
			out[kept++] = text.data[i++];
	}
	return (struct check_text){out, kept, NULL};
}

static bool program_run(struct checking *checking, struct observed_program *program, const struct observe_how *how,
                        struct run_result *run)
{
	if (!observe_run(program, how, &run->end))
		return conclude(checking, CHECK_NOT_RUN, observe_failure(program));
	const struct check_text whole = {run->end.out, run->end.out_length, NULL};
	run->output = path_drop(checking->arena, path_drop(checking->arena, whole, run->end.box), run->end.directory);
	run->copies = check_copies_read(checking->arena, run->end.copies);
	return true;
}

/* The first launch that did not run, or NULL. */
static const struct observed_launch *skipped_launch(const struct observation *observation)
{
	for (unsigned i = 0; i < observation->launch_count; i++)
		if (observation->launches[i].skipped)
			return &observation->launches[i];
	return NULL;
}

/* Whether all that a run would do on a GPU was done here. other: of the rewritten program, whose faults are differences. */
static bool run_is_whole(struct checking *checking, struct observed_program *program, const struct run_result *run, bool other)
{
	struct arena *arena = checking->arena;
	const char *whose = other ? "the rewritten program" : "the program";
	struct text recording = {0};
	const struct observation *observation = observe_recording(program, &run->end, &recording);
	const struct observed_launch *skipped = observation ? skipped_launch(observation) : NULL;
	text_release(&recording);
	if (run->end.limited)
		return conclude(checking, other && run->end.status > 128 ? CHECK_DIFFERENT : CHECK_NOT_RUN,
		                arena_printf(arena, "%s ended with %s", whose, run->end.ended));
	if (!observation)
		return conclude(checking, CHECK_NOT_RUN, observe_failure(program));
	if (observation->unknown_count)
		return conclude(
			checking, CHECK_NOT_RUN,
			arena_printf(arena, "%s calls %s, which does not exist without a GPU", whose, observation->unknown[0]));
	if (observation->stopped || observe_kernels_missing(program))
		return conclude(
			checking, CHECK_NOT_RUN,
			arena_printf(arena, "kernels of %s do not run on this CPU: %s", whose,
		                     observation->stopped ? "it waits for their results" : observe_kernels_missing(program)));
	if (skipped)
		return conclude(checking, other && skipped->fault ? CHECK_DIFFERENT : CHECK_NOT_RUN,
		                arena_printf(arena, "kernel %s of %s did not run to its end on this CPU: %s",
		                             observe_name(arena, skipped->kernel->name), whose, skipped->skipped));
	return true;
}

/* ---- comparing ---------------------------------------------------------------------------------- */

static const char *line_quoted(struct arena *arena, const char *line)
{
	return line ? arena_printf(arena, "'%s'", line) : "missing";
}

static struct check_copies_result compare_copies(const struct checking *checking, const struct run_result *run)
{
	return check_copies_compare(&checking->original.copies, &run->copies, checking->request->records,
	                            checking->request->record_count);
}

/* What a run has otherwise than the first one of the original, or NULL. */
static const char *difference(const struct checking *checking, const struct run_result *run)
{
	struct arena *arena = checking->arena;
	const struct run_result *original = &checking->original;
	const struct check_line line = check_output(arena, &original->output, &run->output);
	const struct check_copies_result copies = compare_copies(checking, run);
	if (line.number)
		return arena_printf(arena, "line %zu of its output is %s, not %s", line.number, line_quoted(arena, line.other),
		                    line_quoted(arena, line.original));
	if (original->end.status != run->end.status)
		return arena_printf(arena, "it ends with %s, not %s", run->end.ended, original->end.ended);
	if (copies.differ)
		return arena_printf(arena, "copy %zu to the host, of %llu bytes, has %02x at byte %llu, not %02x", copies.compared,
		                    (unsigned long long)(original->copies.list[copies.compared - 1].width *
		                                         original->copies.list[copies.compared - 1].height),
		                    copies.other, (unsigned long long)copies.byte, copies.original);
	return NULL;
}

/* Runs the original as often as it takes to know what of it can be compared. */
static bool original_run(struct checking *checking, struct observed_program *program)
{
	struct arena *arena = checking->arena;
	struct run_result *original = &checking->original, faster, reversed;
	if (observe_failure(program))
		return conclude(checking, CHECK_NOT_RUN, arena_printf(arena, "the program: %s", observe_failure(program)));
	if (!program_run(checking, program, &(struct observe_how){.clock_speed = 1}, original) ||
	    !run_is_whole(checking, program, original, false) ||
	    !program_run(checking, program, &(struct observe_how){.clock_speed = FASTER}, &faster))
		return false;
	original->output.loose = check_output_loose(arena, &original->output, &faster.output);
	const char *changed = difference(checking, &faster);
	if (changed)
		return conclude(checking, CHECK_NOT_COMPARABLE,
		                arena_printf(arena, "the original, run again at another time, does something else: %s", changed));
	if (!program_run(checking, program, &(struct observe_how){.clock_speed = 1, .reversed = true}, &reversed))
		return false;
	changed = difference(checking, &reversed);
	if (changed)
		return conclude(
			checking, CHECK_NOT_COMPARABLE,
			arena_printf(arena, "what the original computes depends on the order in which its blocks and warps run: %s",
		                     changed));
	checking->result->lines = check_output_lines(&original->output);
	checking->result->copies = original->copies.count;
	if (!checking->result->lines && !checking->result->copies)
		return conclude(checking, CHECK_NOT_COMPARABLE, "the program prints nothing and copies nothing to the host");
	return true;
}

/* "1 copy", "2 copies" */
static const char *counted(struct arena *arena, size_t count, const char *one, const char *many)
{
	return arena_printf(arena, "%zu %s", count, count == 1 ? one : many);
}

static const char *agreement(struct arena *arena, const struct check_result *result, const char *ended)
{
	const char *lines = counted(arena, result->lines, "line", "lines"),
		   *copies = counted(arena, result->copies, "copy to the host", "copies to the host");
	if (result->copies_compared < result->copies)
		copies = arena_printf(arena, "the first %zu of %s, as the others have another shape", result->copies_compared,
		                      copies);
	return arena_printf(arena, "%s, %s of output, and %s", ended, lines, copies);
}

static bool other_run(struct checking *checking, struct observed_program *program)
{
	struct run_result other;
	if (observe_failure(program))
		return conclude(checking, CHECK_NOT_RUN,
		                arena_printf(checking->arena, "the rewritten program: %s", observe_failure(program)));
	if (!program_run(checking, program, &(struct observe_how){.clock_speed = 1}, &other) ||
	    !run_is_whole(checking, program, &other, true))
		return false;
	const char *differs = difference(checking, &other);
	if (differs)
		return conclude(checking, CHECK_DIFFERENT, differs);
	checking->result->copies_compared = compare_copies(checking, &other).compared;
	conclude(checking, CHECK_SAME, agreement(checking->arena, checking->result, other.end.ended));
	return true;
}

struct check_result check_programs(struct arena *arena, const struct check_request *request)
{
	struct check_result result = {.word = CHECK_NOT_RUN};
	struct checking checking = {.arena = arena, .request = request, .result = &result};
	struct observed_program *original = observe_build(arena, request->original);
	if (original_run(&checking, original)) {
		struct observed_program *other = observe_build(arena, request->other);
		other_run(&checking, other);
		observe_release(other);
	}
	observe_release(original);
	return result;
}

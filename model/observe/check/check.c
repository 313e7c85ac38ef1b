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
	struct check_memory memory;
};
struct checking {
	struct arena *arena;
	const struct check_subject *subject;
	struct observed_program *program; /* the original */
	struct run_result original;
	const char *shapes;                  /* of the arrays of the original, of the program that runs now */
	const struct check_request *request; /* what it is compared with; NULL: itself */
	struct check_result *result;
	struct check_result failure; /* why nothing can be compared; text NULL: it can */
};

/* Ends the check with a word; false. */
static bool conclude(struct checking *checking, enum check_word word, const char *text)
{
	checking->result->word = word;
	checking->result->text = text;
	return false;
}

/* Where the arrays of a program's kernels lie. rewritten: of that program; NULL: of the original. */
static const char *shapes_of(const struct checking *checking, const struct observed_program *program,
                             const struct rewritten *rewritten)
{
	unsigned count;
	const char *const *names = observe_kernel_names(program, &count);
	struct text text = {0};
	check_shapes(checking->arena, checking->subject, rewritten, names, count, &text);
	const char *shapes = arena_strndup(checking->arena, text.data ? text.data : "", text.length);
	text_release(&text);
	return shapes;
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
	run->memory = check_memory_read(checking->arena, run->end.memory);
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

/* Whether all that a run would do on a GPU was done here. other: of the rewritten program, whose faults are
 * differences. */
static bool run_is_whole(struct checking *checking, struct observed_program *program, const struct run_result *run,
                         bool other)
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
		return conclude(checking, CHECK_NOT_RUN,
		                arena_printf(arena, "%s calls %s, which does not exist without a GPU", whose,
		                             observation->unknown[0]));
	if (observation->stopped || observe_kernels_missing(program))
		return conclude(checking, CHECK_NOT_RUN,
		                arena_printf(arena, "kernels of %s do not run on this CPU: %s", whose,
		                             observation->stopped ? "it waits for their results"
		                                                  : observe_kernels_missing(program)));
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
	const struct check_records *records =
		checking->request ? &checking->request->records : &checking->subject->records;
	return check_copies_compare(&checking->original.copies, &run->copies, records->list, records->count);
}

/* What a run has otherwise than the first one of the original, or NULL. */
static const char *difference(const struct checking *checking, const struct run_result *run)
{
	struct arena *arena = checking->arena;
	const struct run_result *original = &checking->original;
	const struct check_line line = check_output(arena, &original->output, &run->output);
	const struct check_copies_result copies = compare_copies(checking, run);
	if (line.number)
		return arena_printf(arena, "line %zu of its output is %s, not %s", line.number,
		                    line_quoted(arena, line.other), line_quoted(arena, line.original));
	if (original->end.status != run->end.status)
		return arena_printf(arena, "it ends with %s, not %s", run->end.ended, original->end.ended);
	if (copies.differ)
		return arena_printf(arena, "copy %zu to the host, of %llu bytes, has %02x at byte %llu, not %02x",
		                    copies.compared,
		                    (unsigned long long)(original->copies.list[copies.compared - 1].width *
		                                         original->copies.list[copies.compared - 1].height),
		                    copies.other, (unsigned long long)copies.byte, copies.original);
	return NULL;
}

/* Runs the original once more. False where it does something else. */
static bool original_again(struct checking *checking, const struct observe_how *how, const char *reason)
{
	struct run_result *original = &checking->original, again;
	if (!program_run(checking, checking->program, how, &again))
		return false;
	if (!original->output.loose)
		original->output.loose = check_output_loose(checking->arena, &original->output, &again.output);
	const char *changed = difference(checking, &again);
	check_memory_loosen(checking->arena, &original->memory, &again.memory);
	return !changed ||
	       conclude(checking, CHECK_NOT_COMPARABLE, arena_printf(checking->arena, "%s: %s", reason, changed));
}

/* Runs the original as often as it takes to know what of it can be compared. */
static bool original_run(struct checking *checking)
{
	struct run_result *original = &checking->original;
	struct observe_how how = {.clock_speed = 1};
	if (observe_failure(checking->program))
		return conclude(checking, CHECK_NOT_RUN,
		                arena_printf(checking->arena, "the program: %s", observe_failure(checking->program)));
	checking->shapes = how.shapes = shapes_of(checking, checking->program, NULL);
	if (!program_run(checking, checking->program, &how, original) ||
	    !run_is_whole(checking, checking->program, original, false))
		return false;
	how.clock_speed = FASTER;
	if (!original_again(checking, &how, "the original, run again at another time, does something else"))
		return false;
	how.clock_speed = 1;
	how.reversed = true;
	if (!original_again(checking, &how,
	                    "what the original computes depends on the order in which its blocks and warps run"))
		return false;
	checking->result->lines = check_output_lines(&original->output);
	checking->result->copies = original->copies.count;
	if (!checking->result->lines && !checking->result->copies && !original->memory.array_count)
		return conclude(checking, CHECK_NOT_COMPARABLE,
		                "the program prints nothing, and nothing is known of what it does to memory");
	return true;
}

/* "1 copy", "2 copies" */
static const char *counted(struct arena *arena, size_t count, const char *one, const char *many)
{
	return arena_printf(arena, "%zu %s", count, count == 1 ? one : many);
}

static const char *agreement(struct arena *arena, const struct check_result *result, const char *ended)
{
	const char *lines = counted(arena, result->lines, "line", "lines"), *memory = "",
		   *copies = counted(arena, result->copies, "copy to the host", "copies to the host");
	if (result->copies_compared < result->copies)
		copies = arena_printf(arena, "the first %zu of %s, as the others have another shape",
		                      result->copies_compared, copies);
	if (result->arrays)
		memory = arena_printf(arena, "; in device memory %s after %s",
		                      counted(arena, result->arrays, "array or member", "arrays and members"),
		                      counted(arena, result->launches, "launch", "launches"));
	if (result->arrays_left_out)
		memory = arena_printf(arena, "%s; %zu left out, which depend on time or on the order of blocks", memory,
		                      result->arrays_left_out);
	return arena_printf(arena, "%s, %s of output, and %s%s", ended, lines, copies, memory);
}

/* ---- the rewritten program -------------------------------------------------------------------------- */

/* The scalars of an array as a program leaves them. */
static struct check_text scalars_of(struct checking *checking, struct observed_program *program, const char *shapes,
                                    const struct check_array *array)
{
	const struct observe_how how = {
		.clock_speed = 1, .shapes = shapes, .shown = check_memory_key(checking->arena, array)};
	struct check_text text = {"", 0, NULL};
	struct observed_end end;
	size_t length = 0;
	const char *data = observe_run(program, &how, &end) ? file_read(checking->arena, end.memory, &length) : NULL;
	if (data)
		text = (struct check_text){data, length, NULL};
	return text;
}

/* What device memory has otherwise, or NULL. */
static const char *memory_difference(struct checking *checking, struct observed_program *program, const char *shapes,
                                     const struct run_result *run)
{
	struct check_result *result = checking->result;
	const struct check_memory_result memory =
		check_memory_compare(checking->arena, &checking->original.memory, &run->memory);
	result->arrays = memory.arrays;
	result->launches = memory.launches;
	result->arrays_left_out = checking->original.memory.loose_count;
	if (memory.array) {
		result->place =
			check_memory_place(checking->arena, checking->subject, memory.array,
		                           scalars_of(checking, checking->program, checking->shapes, memory.array),
		                           scalars_of(checking, program, shapes, memory.array));
		return result->place.array ? check_place_text(checking->arena, &result->place)
		                           : "arrays in device memory are not the same";
	}
	return memory.variable
	               ? arena_printf(checking->arena, "at the end, variable '%s' in device memory is not the same",
	                              observe_name(checking->arena, memory.variable))
	               : NULL;
}

static bool other_run(struct checking *checking, struct observed_program *program)
{
	struct arena *arena = checking->arena;
	struct run_result other;
	if (observe_failure(program))
		return conclude(checking, CHECK_NOT_RUN,
		                arena_printf(arena, "the rewritten program: %s", observe_failure(program)));
	const char *shapes = shapes_of(checking, program, checking->request->rewritten);
	if (!program_run(checking, program, &(struct observe_how){.clock_speed = 1, .shapes = shapes}, &other) ||
	    !run_is_whole(checking, program, &other, true))
		return false;
	const char *differs = difference(checking, &other),
		   *memory = memory_difference(checking, program, shapes, &other);
	checking->result->copies_compared = compare_copies(checking, &other).compared;
	if (differs || memory)
		return conclude(checking, CHECK_DIFFERENT,
		                differs && memory ? arena_printf(arena, "%s; %s", differs, memory)
		                : differs         ? differs
		                                  : memory);
	conclude(checking, CHECK_SAME, agreement(arena, checking->result, other.end.ended));
	return true;
}

struct checking *check_begin(struct arena *arena, const struct check_subject *subject)
{
	struct checking *checking = arena_alloc(arena, sizeof *checking);
	*checking = (struct checking){.arena = arena, .subject = subject};
	checking->result = &checking->failure;
	checking->program = observe_build(arena, subject->program);
	if (original_run(checking))
		checking->failure.text = NULL;
	return checking;
}

struct check_result check_rewritten(struct checking *checking, const struct check_request *request)
{
	struct check_result result = checking->failure;
	if (result.text)
		return result;
	checking->request = request;
	checking->result = &result;
	struct observed_program *other = observe_build(checking->arena, request->program);
	other_run(checking, other);
	observe_release(other);
	return result;
}

void check_end(struct checking *checking)
{
	observe_release(checking->program);
}

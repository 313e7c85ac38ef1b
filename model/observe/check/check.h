/*
 * check: whether a rewritten program does what the original does. Both are built against the stand-in for the CUDA
 * runtime (model/observe) and run on this CPU, with the same words. What they print, how they end, and what they copy
 * from the device to the host is compared.
 *
 *   check.c    runs the programs
 *   output.c   what they print, but for what is not the same in two runs of the original
 *   copies.c   what they copy to the host
 *   shapes.c   where arrays lie in device memory, in both programs
 *   memory.c   what launches leave there
 *
 * The original runs three times: as it is; with clocks that go faster; and with blocks in reverse order. What differs
 * in the second depends on time. What differs in the third depends on the order of blocks: such a program is not
 * comparable.
 *
 * Prefix: check_.
 */
#ifndef COALESCE_MODEL_OBSERVE_CHECK_CHECK_H
#define COALESCE_MODEL_OBSERVE_CHECK_CHECK_H

#include "layouts/layouts.h"
#include "model/observe/observe.h"

/* ---- output.c ---------------------------------------------------------------------------- */

/* Text that is compared word by word. */
struct check_text {
	const char *data;
	size_t length;
	const bool *loose; /* for each word, in order: it need not be the same; NULL: all must */
};
/* A line that differs: its number, from 1, and both texts; number 0: none does. */
struct check_line {
	size_t number;
	const char *original, *other;
};
/* The first line that differs. */
struct check_line check_output(struct arena *arena, const struct check_text *original, const struct check_text *other);
/* Marks the words of the original that another run of it has otherwise. NULL where the lines have not the same words.
 */
const bool *check_output_loose(struct arena *arena, const struct check_text *original, const struct check_text *again);
size_t check_output_lines(const struct check_text *text);

/* ---- copies.c ---------------------------------------------------------------------------- */

/* A record that is laid out. */
struct check_record {
	uint64_t original_bytes, other_bytes; /* its size on the host in either program */
	const bool *is_used;                  /* for each byte of the smaller size: it belongs to a member */
};
/* What a program copied to the host, in order. */
struct check_copy {
	uint64_t pitch, width, height;
	const uint8_t *data; /* width * height bytes */
};
struct check_copies {
	struct check_copy *list;
	size_t count;
	bool cut; /* there are more, which were not kept */
};
/* Reads the file that a run left. */
struct check_copies check_copies_read(struct arena *arena, const char *path);
/* How far copies agree. */
struct check_copies_result {
	size_t compared; /* so many have the same shape, from the first on, and were compared */
	bool differ;     /* the last of them does, here: */
	uint64_t byte;
	uint8_t original, other;
};
/* Compares copies pair by pair, up to one that differs or has another shape. Padding of records is left out. */
struct check_copies_result check_copies_compare(const struct check_copies *original, const struct check_copies *other,
                                                const struct check_record *records, unsigned record_count);

/* ---- shapes.c ---------------------------------------------------------------------------- */

struct check_subject;
/*
 * Appends the shapes of the arrays that those kernels of a program get (model/observe/shapes.h). rewritten: what it was
 * rewritten to; NULL: the original.
 */
void check_shapes(struct arena *arena, const struct check_subject *subject, const struct rewritten *rewritten,
                  const char *const *names, unsigned name_count, struct text *out);

/* ---- memory.c ---------------------------------------------------------------------------- */

/* An array, or a member of its records, as a launch left it. */
struct check_array {
	uint64_t launch; /* from 1 on, of the kernels of the source */
	unsigned is_last, kernel, parameter, at, field, inner;
	uint64_t sum;
};
/* What the launches of a program left, by launch. */
struct check_memory {
	struct check_array *arrays;
	size_t array_count;
	struct check_variable *variables;
	size_t variable_count;
	struct check_array *loose; /* of the original: they need not be the same, in any launch */
	size_t loose_count;
};
/* Reads the file that a run left. */
struct check_memory check_memory_read(struct arena *arena, const char *path);
/* Leaves out what another run of the original has otherwise. */
void check_memory_loosen(struct arena *arena, struct check_memory *original, const struct check_memory *again);
struct check_memory_result {
	size_t arrays, launches;         /* so many were compared: arrays and members, of so many launches */
	const struct check_array *array; /* the first that differs, or NULL */
	const char *variable;            /* or that, mangled */
};
struct check_memory_result check_memory_compare(struct arena *arena, const struct check_memory *original,
                                                const struct check_memory *other);
/* The key by which the stand-in shows it. */
const char *check_memory_key(struct arena *arena, const struct check_array *array);
/* A place in device memory. array NULL: none. */
struct check_place {
	const char *kernel, *array, *member; /* member NULL: it has none */
	uint64_t launch, element;
	bool is_last;                 /* at the end: when it is freed, or the program ends */
	const char *original, *other; /* the values there, NULL: not known */
};
/* Where an array differs. Both texts: the scalars that the stand-in showed in either program. */
struct check_place check_memory_place(struct arena *arena, const struct check_subject *subject,
                                      const struct check_array *array, struct check_text original,
                                      struct check_text other);
const char *check_place_text(struct arena *arena, const struct check_place *place);

/* ---- check.c ------------------------------------------------------------------------------ */

enum check_word { CHECK_SAME, CHECK_DIFFERENT, CHECK_NOT_COMPARABLE, CHECK_NOT_RUN };
/* "same", "different", "not comparable", "not checked" */
extern const char *const check_words[];
struct check_result {
	enum check_word word;
	const char *text; /* what is the same, what differs first, or the reason */
	size_t lines, copies, copies_compared;
	size_t arrays, arrays_left_out, launches; /* in device memory: arrays and members compared, after so many
	                                             launches; those that depend on order or time */
	struct check_place place;                 /* where memory differs first */
};
struct check_records {
	struct check_record *list;
	unsigned count;
};
/* The original. */
struct check_subject {
	const struct observe_request *program;
	struct check_records records; /* with their sizes in it alone */
	const struct analysis *analysis;
	const struct layout_groups *groups;
};
/* What was rewritten of it. */
struct check_request {
	const struct observe_request *program;
	struct check_records records;
	const struct rewritten *rewritten;
};
/* Builds and runs the original, which lives as long as the check. It needs check_end(). */
struct checking *check_begin(struct arena *arena, const struct check_subject *subject);
/* Builds and runs a rewritten program, and compares it. */
struct check_result check_rewritten(struct checking *checking, const struct check_request *request);
void check_end(struct checking *checking);

#endif

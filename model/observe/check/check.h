/*
 * check: whether a rewritten program does what the original does. Both are built against the stand-in for the CUDA runtime (model/observe) and run on this CPU,
 * with the same words. What they print, how they end, and what they copy from the device to the host is compared.
 *
 *   check.c    runs the programs
 *   output.c   what they print, but for what is not the same in two runs of the original
 *   copies.c   what they copy to the host
 *
 * The original runs three times: as it is; with clocks that go faster; and with blocks in reverse order. What differs in the second depends on time. What
 * differs in the third depends on the order of blocks: such a program is not comparable.
 *
 * Prefix: check_.
 */
#ifndef COALESCE_MODEL_OBSERVE_CHECK_CHECK_H
#define COALESCE_MODEL_OBSERVE_CHECK_CHECK_H

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
/* Marks the words of the original that another run of it has otherwise. NULL where the lines have not the same words. */
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

/* ---- check.c ------------------------------------------------------------------------------ */

enum check_word { CHECK_SAME, CHECK_DIFFERENT, CHECK_NOT_COMPARABLE, CHECK_NOT_RUN };
/* "same", "different", "not comparable", "not checked" */
extern const char *const check_words[];
struct check_result {
	enum check_word word;
	const char *text; /* what is the same, what differs first, or the reason */
	size_t lines, copies, copies_compared;
};
struct check_request {
	const struct observe_request *original, *other;
	const struct check_record *records;
	unsigned record_count;
};
struct check_result check_programs(struct arena *arena, const struct check_request *request);

#endif

/*
 * library: libcoalesce, what predict() and its views give to other programs. coalesce.h is what those see, coalesce.map
 * the symbols they can link with; this is what stands behind the handles. Prefixes: coalesce_ for what is exported,
 * library_ for what is not.
 *
 *   guard.c    between the caller and code that was written for a program of its own
 *   request.c  what is asked, as words of a command line
 *   answer.c   the prediction, and its messages
 *   facts.c    its kernels, layouts and verdicts, as the caller sees them
 *   views.c    its views
 */
#ifndef COALESCE_LIBRARY_LIBRARY_H
#define COALESCE_LIBRARY_LIBRARY_H

#include "base/base.h"
#include "cli/cli.h"
#include "library/coalesce.h"

struct coalesce_request {
	struct arena *arena;
	const char *path, *text; /* text: NULL: the file's */
	const char **words;      /* options and flags */
	unsigned word_count;
	const char **arguments; /* of the program that is read */
	unsigned argument_count;
	const char *error;
};

/* A kernel, or the program, with what belongs to it. */
struct library_kernel {
	struct coalesce_kernel face;
	struct coalesce_layout *layouts;
	struct coalesce_verdict *verdicts;
};

struct coalesce_prediction {
	struct arena *arena;
	enum coalesce_status status;
	struct failure failure; /* text "": none */
	struct diagnostics diagnostics;
	struct command_line line;
	const struct prediction *result;
	struct library_kernel *kernels; /* the program is the one after the last */
	size_t kernel_count;
	struct library_view {
		const char *name, *text;
		size_t length;
	} * views; /* those that were asked for */
	unsigned view_count;
};

/*
 * Runs run(context) as code of ours wants it: in the C locale, messages kept and not printed, failures caught. Returns
 * COALESCE_OK, or what failed, told in *failure.
 */
enum coalesce_status library_run(void (*run)(void *context), void *context, struct failure *failure);
/* The request as a command line and as what predict() takes, all in arena. Returns false on wrong usage (reported as a
 * message). */
bool library_request_read(struct arena *arena, const struct coalesce_request *request, struct command_line *line,
                          struct predict_options *options);
/* Fills in the kernels. */
void library_facts(struct coalesce_prediction *prediction);
/* Copies a structure of ours to the caller's, of whatever version. */
void library_copy(void *to, size_t to_size, const void *from, size_t from_size);

#endif

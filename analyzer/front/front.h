/*
 * analyzer/front: what libclang says, as our tree. The only room that sees libclang, through front/clang.h, which is its own.
 *
 * parse.c runs libclang over a file and fills a unit; errors.c decides which of its errors forbid the analysis. declarations.c finds the functions that
 * matter and reads their bodies through statement.c, loop.c, expression.c and call.c,
 * Link circle: call.c declarations.c expression.c loop.c statement.c (the language nests)
 * types.c and place.c turn types and locations into ours. build.c and arguments.c know how a build compiles a file. Names begin with front_.
 */
#ifndef COALESCE_ANALYZER_FRONT_FRONT_H
#define COALESCE_ANALYZER_FRONT_FRONT_H

#include "analyzer/analyzer.h"
#include "analyzer/tree.h"

/* Parses a file and fills unit. Returns false after reporting why not. */
bool front_read(struct source_unit *unit, const struct analyzer_options *options);
/* The same of the unit's text as it stands, whatever errors it has. */
bool front_read_as_it_stands(struct source_unit *unit, const struct analyzer_options *options);

/* ---- arguments.c: how a compiler is called --------------------------------------- */

struct front_words {
	const char **list;
	unsigned count;
};
/* The words of a text, with quotes and backslashes as shells have them. */
struct front_words front_split(struct arena *arena, const char *text);
/*
 * The flags of front_build_flags() among a compiler's arguments. folder: where it is started; file: where the arguments
 * stand. NULL with errors reported where a flag's value contains what such a flag may not.
 */
const char *const *front_flags(struct arena *arena, const char *folder, const char *file, const struct front_words *arguments,
                               unsigned *count, struct diagnostics *diagnostics);

/* ---- quiet.c ------------------------------------------------------------------------ */

/* Turns stderr off, on which libclang writes about its own troubles, and on again. */
int front_silence(void);
void front_unsilence(int saved);

#endif

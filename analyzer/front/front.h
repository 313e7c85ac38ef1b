/*
 * analyzer/front: what libclang says, as our tree. The only room that sees libclang, through front/clang.h, which is
 * its own.
 *
 * parse.c runs libclang over a file and fills a unit; errors.c decides which of its errors forbid the analysis.
 * declarations.c finds the functions that matter and reads their bodies through statement.c, loop.c, expression.c and
 * call.c, Link circle: call.c declarations.c expression.c loop.c statement.c (the language nests) types.c and place.c
 * turn types and locations into ours. build.c asks how a build compiles a file. Names begin with front_.
 */
#ifndef COALESCE_ANALYZER_FRONT_FRONT_H
#define COALESCE_ANALYZER_FRONT_FRONT_H

#include "analyzer/flags/flags.h"
#include "analyzer/tree/tree.h"

/* Parses a file and fills unit. Returns false after reporting why not. */
bool front_read(struct source_unit *unit, const struct analyzer_options *options);
/* The same of the unit's text as it stands, whatever errors it has. */
bool front_read_as_it_stands(struct source_unit *unit, const struct analyzer_options *options);

/* ---- quiet.c ------------------------------------------------------------------------ */

/* Turns stderr off, on which libclang writes about its own troubles, and on again. */
int front_silence(void);
void front_unsilence(int saved);

/* ---- place.c, build.c: the face of analyzer has them under names of its own ------------------- */

const char *front_version(struct arena *arena);
const char *const *front_build_flags(struct arena *arena, const char *build, const char *path, unsigned *count,
                                     struct diagnostics *diagnostics);

#endif

/*
 * Mentions: every place in the text where a pointer is named that is a member of a record which kernels take by value,
 * for rewriting.
 */
#ifndef COALESCE_ANALYZER_MENTION_H
#define COALESCE_ANALYZER_MENTION_H

#include "analyzer/tree/tree.h"

/* Fills analysis->mentions. Requires the kernels. */
void mention_find_all(struct analysis *analysis, const struct source_unit *unit);

#endif

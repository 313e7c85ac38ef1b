/*
 * analyzer/rows: pointers to rows of records, `rec (*p)[512]`, as pointers to the records.
 *
 * A kernel that takes one is read a second time, from a text that says the same with one index: `p[y * 512 + x]` for
 * `p[y][x]`. All that follows, counts and rewriting alike, then knows one array of records. The files keep what they
 * have where a layout keeps the records where they are: see struct source_piece.
 */
#ifndef COALESCE_ANALYZER_ROWS_ROWS_H
#define COALESCE_ANALYZER_ROWS_ROWS_H

#include "analyzer/tree/tree.h"

/*
 * The unit's text with such pointers, and what is made of them, flattened. NULL where no kernel takes one, or where
 * one is used in a way that cannot be written with one index: then a note says where and why.
 */
const struct source_text *rows_flatten(const struct source_unit *unit);
/*
 * The unit's text with pointers to records in the stead of pointers to other types that host code casts to them. NULL
 * where there are none, or where such a pointer is used in another way too.
 */
const struct source_text *rows_recast(const struct source_unit *unit);

#endif

/*
 * What the files of this room share: rows.c finds the pointers, questions.c knows them, declare.c writes their
 * declarations, expression.c what is done with them, steps.c indices and steps, recast.c pointers that are cast to
 * records, edits.c the text.
 *
 * Link circle: expression.c steps.c (expressions nest)
 */
#ifndef COALESCE_ANALYZER_ROWS_INTERNAL_H
#define COALESCE_ANALYZER_ROWS_INTERNAL_H

#include "analyzer/rows/rows.h"

/* A range of the text and what takes its place. */
struct row_edit {
	struct range range;
	const char *text;
	unsigned order; /* of those at one place: as they were added */
};

/* The pointers and references to rows that become pointers to records, and what has to be edited for it. */
struct rows {
	struct arena *arena;
	const struct source_unit *unit;
	const struct source_declaration **flat;
	unsigned flat_count;
	const char **types; /* what rows are called in the declarations that change */
	unsigned type_count;
	struct row_edit *edits;
	unsigned edit_count;
	bool measures;                /* a size in bytes that is met belongs to rows */
	const struct node *discarded; /* a step whose value nothing uses */
	const char *problem;          /* the first reason why a use cannot be written, or NULL */
	struct place place;
};

/* ---- questions.c -------------------------------------------------------------------------------- */

/* The row that a pointer or reference to rows of records points to; NULL for other types. */
const struct source_type *rows_pointee(const struct source_type *type);
/* Records in an object of the type: 1 for the record itself. */
uint64_t rows_count(const struct source_type *type);
/* The record in a row, or the type itself. */
const struct source_type *rows_record(const struct source_type *type);
bool rows_is_flat(const struct rows *rows, const struct source_declaration *declaration);
/* Whether an expression names one that is flat. */
bool rows_mentions(const struct rows *rows, const struct node *node);
/* The expression below the casts that nobody wrote. */
const struct node *rows_written(const struct node *node);
/* Whether a value of the type is a row or a pointer to rows. */
bool rows_are(const struct source_type *type);
/* The row that a computed pointer points to; NULL: none. */
const struct source_type *rows_stepped(const struct node *node);
/* Whether an expression's value becomes a pointer to records. */
bool rows_becomes_flat(const struct rows *rows, const struct node *node);
/* Notes why a use cannot be written; the first reason counts. Returns false. */
bool rows_refuse(struct rows *rows, struct place place, const char *reason);

/* ---- edits.c ------------------------------------------------------------------------------------ */

void rows_edit(struct rows *rows, struct range range, const char *text);
void rows_insert(struct rows *rows, unsigned offset, const char *text);
/* The offset behind blanks, newlines and comments. */
unsigned rows_skip(const struct rows *rows, unsigned offset);
/* The length of the identifier at an offset, 0 where there is none. */
unsigned rows_word(const struct rows *rows, unsigned offset);
bool rows_text_is(const struct rows *rows, struct range range, const char *text);
const char *rows_copy(const struct rows *rows, struct range range);
/* The offset of the bracket that closes the one at an offset. */
unsigned rows_closing(const struct rows *rows, unsigned open);
/* The text with its edits done; NULL where two of them contradict, or one lies outside of what a file has (a problem
 * then). */
struct source_text *rows_text(struct rows *rows);

/* ---- declare.c ---------------------------------------------------------------------------------- */

/* Adds the edits that declare a pointer or reference to rows as a pointer to records. */
void rows_declare(struct rows *rows, const struct source_declaration *declaration);
/* The same in declarations without a body of a function. */
void rows_prototypes(struct rows *rows, const struct source_function *function);

/* ---- steps.c ------------------------------------------------------------------------------------ */

#define ROWS_MACRO_REASON "a macro spells how they are used"
/* Takes a passage away. */
void rows_cut(struct rows *rows, unsigned begin, unsigned end);
/* What the indices are taken of: p of p[z][y][x]. */
const struct node *rows_subscript_base(const struct node *node);
/* These add the edits of expressions that become flat, or whose operands do. */
void rows_flatten_subscript(struct rows *rows, const struct node *node);
void rows_flatten_unary(struct rows *rows, const struct node *node);
void rows_flatten_sum(struct rows *rows, const struct node *node);
void rows_flatten_difference(struct rows *rows, const struct node *node);

/* ---- expression.c ------------------------------------------------------------------------------- */

/* Adds the edits of an expression or statement, and of all below one. */
void rows_flatten_node(struct rows *rows, const struct node *node);
void rows_flatten_children(struct rows *rows, const struct node *node);
/* The bodies that were edited: where each begins in the text, and its edits. */
struct row_body {
	unsigned begin, first, end;
};
struct row_bodies {
	struct row_body *list;
	unsigned count;
};
/* Adds the edits of all that a body does with them; those of a template's once. */
void rows_flatten_body(struct rows *rows, const struct source_function *function, struct row_bodies *bodies);

#endif

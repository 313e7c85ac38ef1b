/*
 * Values of the host: what is known of a variable or an expression, and of the parts of an object. value.c, stepped.c
 * and record.c.
 *
 * Link circle: stepped.c value.c (numbers that a loop steps are compared and moved by those that are known)
 */
#ifndef COALESCE_ANALYZER_HOST_VALUE_H
#define COALESCE_ANALYZER_HOST_VALUE_H

#include "analyzer/types/types.h"
#include "analyzer/tree/tree.h"

struct host;
struct host_run;

enum host_constant_kind {
	CONSTANT_UNKNOWN,
	CONSTANT_INTEGER,
	CONSTANT_REAL,
	CONSTANT_TRIPLE,
	CONSTANT_RECORD,
	CONSTANT_FUNCTION,
	CONSTANT_STRING,
	CONSTANT_ADDRESS,
	CONSTANT_BINDING, /* the place that a reference stands for */
	CONSTANT_MEMORY,  /* a pointer to memory that a function gave */
	CONSTANT_CONTAINER,
	CONSTANT_GRAPH,   /* the launches that a stream captured */
	CONSTANT_STEPPED, /* what the variable of a loop is in a stretch of its iterations */
	CONSTANT_GROWN /* what the same iterations add to: a number that is not known, and by how much it has grown in
	                  this one */
};

/* What is known about a value of the host. Never changed once made. */
struct host_constant {
	enum host_constant_kind kind;
	/*
	 * INTEGER; ADDRESS, BINDING: offset in the variable; MEMORY: bytes from there on, -1 where they are not known;
	 * CONTAINER: whether something points into it, so that its elements are not followed; STEPPED: how much more it
	 * is than the variable; GROWN: by how much
	 */
	int64_t value;
	double real;
	/* TRIPLE: dim3; CONTAINER: the first is the number of its elements; GROWN: what it was before the loop, an
	 * object of its own */
	const struct host_constant *parts[3];
	const struct host_known_part *members; /* RECORD: by offset, what was set last comes first; a dim3 is three
	                                          integers. CONTAINER: by number */
	struct source_function *function;
	const char *text;                    /* STRING */
	struct source_declaration *variable; /* ADDRESS, BINDING */
	const struct host_run *graph;        /* GRAPH */
	struct host_allocation *allocation;  /* MEMORY; CONTAINER: that its elements lie in */
	struct host_stretch *stretch;        /* STEPPED, GROWN */
	bool assumed;
	const char *reason; /* UNKNOWN, or assumed */
};

/* Iterations of a loop that follow each other: in iteration i its variable is start + i * step. */
struct host_stretch {
	int64_t start, step;
	uint64_t first, last;
	uint64_t split; /* the first iteration at which a condition that was asked for is not what it is in the first;
	                   UINT64_MAX */
};

/* A scalar that lies at an offset of a record. */
struct host_known_part {
	const struct host_known_part *next;
	uint64_t offset;
	const struct host_constant *value;
};

/* A variable, or the part of one that lies so many bytes behind its beginning. */
struct host_place {
	struct source_declaration *variable; /* NULL: nowhere that is known */
	uint64_t offset;
	bool is_exact; /* else it is some element of the variable */
};

/* ---- value.c: constants ------------------------------------------------------------ */

const struct host_constant *host_integer(struct host *host, int64_t value);
const struct host_constant *host_unknown(struct host *host, const char *reason);
/* The same, with a reason that names something between two texts: "'", "n", "' is not known". Most of them nobody
 * reads, so they are put together, not printed. */
const struct host_constant *host_unknown_name(struct host *host, const char *before, const char *name,
                                              const char *after);
const struct host_constant *host_triple(struct host *host, const struct host_constant *const parts[3]);
const struct host_constant *host_real(struct host *host, double real);
const struct host_constant *host_string(struct host *host, const char *text);
/* ADDRESS or BINDING of a place that has a variable. */
const struct host_constant *host_address(struct host *host, enum host_constant_kind kind, struct host_place place);
/* Memory that was not there before; -1 bytes: not known. */
const struct host_constant *host_memory(struct host *host, int64_t bytes);
/* A new container of so many elements, of which nothing is known. */
const struct host_constant *host_container(struct host *host, const struct host_constant *count);
/* The container in other memory; and in its own, with nothing known of its elements any more. */
const struct host_constant *host_container_copy(struct host *host, const struct host_constant *container);
const struct host_constant *host_container_exposed(struct host *host, const struct host_constant *container);
bool host_is_pointer(const struct host_constant *constant);
/* A pointer moved by so many bytes; UNKNOWN for what is no pointer. */
const struct host_constant *host_move(struct host *host, const struct host_constant *pointer, int64_t bytes);
/* Arithmetic in C's type of the result. */
const struct host_constant *host_binary(struct host *host, enum node_operator op, const struct host_constant *a,
                                        const struct host_constant *b, const struct source_type *operand_type,
                                        const struct source_type *type);
/* The comparison with its sides exchanged: < of >. */
enum node_operator host_mirrored(enum node_operator op);
const struct host_constant *host_unary(struct host *host, enum node_operator op, const struct host_constant *a,
                                       const struct source_type *type);
const struct host_constant *host_convert(struct host *host, const struct host_constant *a,
                                         const struct source_type *type);
/* ceil, floor, min and their like by name; NULL for others. */
const struct host_constant *host_mathematics(struct host *host, const char *name,
                                             const struct host_constant *const *arguments, unsigned count,
                                             const struct source_type *type);
bool host_truth(const struct host_constant *constant, bool *truth);

/* ---- stepped.c: STEPPED and GROWN ---------------------------------------------------- */

const struct host_constant *host_stepped(struct host *host, struct host_stretch *stretch);
/* The value that was known before the stretch, and grows by nothing as yet. */
const struct host_constant *host_grown(struct host *host, struct host_stretch *stretch,
                                       const struct host_constant *before);
/* What a STEPPED is in the last iteration of its stretch. */
int64_t host_stepped_last(const struct host_constant *constant);
/* NULL where neither is one of these. */
const struct host_constant *host_stepped_binary(struct host *host, enum node_operator op, const struct host_constant *a,
                                                const struct host_constant *b, const struct source_type *type);
const struct host_constant *host_stepped_convert(struct host *host, const struct host_constant *a,
                                                 const struct source_type *type);

/* ---- record.c --------------------------------------------------------------------------- */

/* The value, as one that is only assumed. */
const struct host_constant *host_assume(struct host *host, const struct host_constant *constant, const char *reason);
/* Whether code that finds one of two values does the same with the other; NULL: never set. */
bool host_same(const struct host_constant *a, const struct host_constant *b);
/* The value where either of two ways was taken. */
const struct host_constant *host_join(struct host *host, const struct host_constant *a, const struct host_constant *b);
/* A record's part of that type; NULL where nothing is known about it. */
const struct host_constant *host_record_part(struct host *host, const struct host_constant *record, uint64_t offset,
                                             const struct source_type *type);
/* The dim3 at an offset: what was not set is 1, as its constructor has it; NULL where nothing was. */
const struct host_constant *host_record_triple(struct host *host, const struct host_constant *record, uint64_t offset);
/* The record with a part set; anything but a record as `record` counts as one of which nothing is known. */
const struct host_constant *host_record_set(struct host *host, const struct host_constant *record, uint64_t offset,
                                            const struct source_type *type, const struct host_constant *value);
/* An object of which every scalar is 0; of what has very many scalars nothing is known. */
const struct host_constant *host_zero(struct host *host, const struct source_type *type);
bool host_is_dim3(const struct source_type *type);
/* The member at an offset, or the element of that number; NULL where nothing is known about it. */
const struct host_constant *host_member(const struct host_constant *record, uint64_t offset);
/* The same with a member or element set. */
const struct host_constant *host_member_set(struct host *host, const struct host_constant *record, uint64_t offset,
                                            const struct host_constant *value);

#endif

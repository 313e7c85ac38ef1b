/*
 * The host side of a file: the launches that its functions make, with what is known of their grids and arguments, and
 * the variables of the host that hold device pointers, with every place in the text that names one.
 */
#ifndef COALESCE_ANALYZER_TYPES_LAUNCH_H
#define COALESCE_ANALYZER_TYPES_LAUNCH_H

#include "analyzer/types/kernel.h"

/* Which memory it is: the host's, as malloc() gives it, or such that does not move, by cudaMallocHost(); both sides',
 * by cudaMallocManaged(). */
enum memory_kind { MEMORY_PAGEABLE, MEMORY_PINNED, MEMORY_MANAGED };
/* Memory that the runtime or a library gave the host. */
struct host_allocation {
	enum memory_kind kind;
	uint64_t times;    /* that the code which asks for it runs, as far as that is known */
	uint64_t released; /* launches made before it was given back; UINT64_MAX: it never is */
};
/* What memory holds, as the program was seen to fill it; data NULL: all bytes are `fill`. */
struct host_bytes {
	const uint8_t *data;
	uint64_t bytes;
	uint8_t fill;
};
/* An argument or launch dimension: constant where constant propagation says so. Pointers are never known, but have
 * their array. */
struct host_value {
	bool known;
	int64_t value;
	bool is_null;  /* a pointer that is 0, and that no device memory is known for */
	bool has_real; /* it is a number that is no integer, `real`; known is false */
	double real;
	struct range range;       /* its text */
	bool assumed;             /* known only if a branch is not taken: the default in `n = 1 << 20; if (argc > 1) n =
	                             atoi(argv[1]);`; or in a middle iteration */
	struct host_array *array; /* a pointer variable of the host, or NULL */
	const struct host_allocation *allocation; /* that a pointer points into; NULL: not known */
	uint64_t bytes;                           /* of the memory from where a pointer points to on; 0: not known */
	const struct host_bytes *content;         /* of that memory, or NULL: not known */
	struct host_value *leaves; /* of a record passed by value: one for each of its leaves; of such a leaf: one for
	                              each element; else NULL */
	uint64_t leaf_count;
	const char *reason; /* why it is not known, or only assumed */
};
/* A loop of the host, on one chain of calls: launches in it follow each other by turns. */
struct launch_loop {
	const struct launch_loop *around; /* NULL: none */
	const void *statement;            /* tells loops apart */
};
/*
 * A launch with these values. Functions of the file are followed where they are called: a launch inside one appears
 * once for each set of different values that it is made with. A launch inside a loop appears once where all do the
 * same; else a few stand for all, each with the values that it has. Where a loop cannot be run, values that change in
 * it are assumed, those of its middle iteration.
 */
struct launch {
	struct kernel *kernel;
	struct place place;
	struct host_value grid[3], block[3], shared_bytes;
	struct host_value *arguments; /* as many as the kernel has parameters */
	uint64_t count;   /* times it runs per call of the outermost function: enclosing constant loops multiplied */
	bool count_known; /* false: a loop of unknown length, which counts once, a branch or an assumed length is around
	                     it */
	struct range range;             /* the call with <<<>>> and its closing parenthesis */
	const char *stands_for;         /* which others of its loop, in words; or NULL */
	const struct launch_loop *loop; /* the innermost one around it; NULL: none */
	uint64_t launches_before;       /* of any kernel, when it was made first */
};

/* What the host copies to a variable in constant memory, as far as it is known: each time the same. */
struct host_symbol {
	const char *name; /* without the namespaces that it lies in */
	uint8_t *bytes;
	bool *known;  /* per byte */
	bool *is_set; /* per byte: something was copied there */
	uint64_t size;
	const struct source_declaration *variable;
};

/*
 * What host code puts into a member of records, where its text says so plainly and nothing else sets it: in element i i
 * * step, on average where it is a running sum; or anything in [low, high).
 */
struct host_content {
	const struct record *record;
	const struct leaf *leaf;
	bool is_stepped, is_sum;
	bool is_copied; /* the device's one record is a copy of the host's, which is known */
	int64_t low, high, step;
	uint64_t elements; /* so many are set, 0: as many as there are, as far as that is known */
	struct place place;
};

/* A copy between host and device: cudaMemcpy() and its like, or pages of managed memory that move to the side that
 * reads them. */
struct host_copy {
	const struct record *record; /* NULL: of other memory */
	enum memory_kind kind;       /* of the host's side */
	bool is_async;
	bool to_device, is_known; /* is_known: how often it is made */
	uint64_t bytes;           /* 0: not known */
	uint64_t times;           /* per call of the outermost function */
	struct place place;
};

enum host_use {
	HOST_DECLARE,
	HOST_ALLOCATE,
	HOST_COPY_IN,
	HOST_COPY_OUT,
	HOST_COPY_DEVICE,
	HOST_SET,
	HOST_FREE,
	HOST_ARGUMENT,
	HOST_SIZEOF,
	HOST_OTHER
};
/* One appearance of a host variable that holds a device pointer. */
struct host_reference {
	enum host_use use;
	struct range statement; /* the call: "cudaMalloc(&p, n * sizeof *p)"; the declarator for DECLARE; "sizeof(*p)"
	                           for SIZEOF */
	struct range name;      /* the variable's token */
	struct range size;      /* the size argument in bytes, where the call has one */
	struct range other;     /* COPY_*: the other pointer argument */
	struct place place;
};
struct host_array {
	const char *name; /* unique within its function */
	struct type element;
	struct host_value bytes; /* cudaMalloc size where constant; of a function's parameter: that of the pointers it
	                            is called with */
	bool is_bound;           /* a function's parameter that a call was seen to pass device memory for */
	struct host_reference *references;
	unsigned reference_count;
	struct place place;
};

/* A call that fills an array of the device: cudaMemset() and its like. */
struct host_fill {
	const struct host_array *array;
	uint64_t bytes;                 /* 0: not known */
	const struct launch_loop *loop; /* the innermost one around it; NULL: none */
	uint64_t launches_before;       /* when it was made first */
	const void *call;               /* tells calls apart */
};

#endif

/*
 * analyzer/host: what main does before a launch. The host's functions are run with constants for numbers, as far as these are known: that gives the grids
 * and arguments of launches, how often each is made, and the sizes of device arrays.
 *
 * roots.c starts with the functions that no other calls (main among them); statement.c, loop.c, expression.c, place.c, call.c and launch.c follow them
 * and call each other as the language nests: these six are a circle. value.c has the arithmetic, record.c what is known of an object's members, array.c
 * the variables that hold device pointers. Where two ways are possible both are walked and what they leave is joined. Names begin with host_.
 */
#ifndef COALESCE_ANALYZER_HOST_H
#define COALESCE_ANALYZER_HOST_H

#include "analyzer/analyzer.h"
#include "analyzer/tree.h"

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
	CONSTANT_MEMORY   /* a pointer to memory that a function gave */
};
/* What is known about a value of the host. Never changed once made. */
struct host_constant {
	enum host_constant_kind kind;
	int64_t value; /* INTEGER; ADDRESS, BINDING: offset in the variable; MEMORY: bytes from there on, -1 where they are not known */
	double real;
	const struct host_constant *parts[3]; /* TRIPLE: dim3 */
	const struct host_member *members;    /* RECORD: what was set last comes first; a dim3 is three integers */
	struct source_function *function;
	const char *text;                    /* STRING */
	struct source_declaration *variable; /* ADDRESS, BINDING */
	bool assumed;
	const char *reason; /* UNKNOWN, or assumed */
};

/* A scalar that lies at an offset of a record. */
struct host_member {
	const struct host_member *next;
	uint64_t offset;
	const struct host_constant *value;
};

/* A variable, or the part of one that lies so many bytes behind its beginning. */
struct host_place {
	struct source_declaration *variable; /* NULL: nowhere that is known */
	uint64_t offset;
	bool is_exact; /* else it is some element of the variable */
};

struct host_change {
	struct source_declaration *variable;
	const struct host_constant *before;
};

struct host_changes {
	struct host_change *list; /* `before` holds the new value */
	unsigned count;
};

/* How control left the last statement that did not go on. */
enum host_jump { JUMP_BREAK, JUMP_CONTINUE, JUMP_RETURN };
/* Jumps that were met on a way whose condition is not known. */
enum { UNCERTAIN_BREAK = 1, UNCERTAIN_CONTINUE = 2 };

/* The launches made by a loop that is run iteration by iteration, in the order in which it makes them. */
struct host_run {
	struct host_run_launch {
		struct launch *launch;
		uint64_t path; /* tells chains of calls apart */
	} * list;
	unsigned count;
};

/* The launches of places that share a hash. */
struct host_chain {
	struct host_chain *next;
	struct launch *launch;
};
#define HOST_CHAINS 4096

/* Variables of the walk's own: main's argv, the state of getopt. */
#define HOST_OWN_SLOTS 4

/* Deeper trees than this are left out. */
#define HOST_DEPTH_MAX 3000

/* The walk over host functions. */
struct host {
	struct arena *arena;
	const struct source_unit *unit;
	const struct analyzer_options *options;
	struct analysis *analysis;
	struct expr_pool pool;                    /* integer arithmetic is that of kernels */
	const struct host_constant **environment; /* by slot; NULL: nothing is known */
	struct host_array **arrays;               /* by slot; NULL: no device pointer */
	struct host_change *trail;
	size_t trail_count;
	const struct source_function *stack[16];
	unsigned stack_depth, depth;
	uint64_t count; /* how often the current code runs per call of the outermost function */
	bool count_known;
	struct host_place object; /* what `this` points to */
	const struct host_constant *result; /* of the function that was just left */
	enum host_jump jump;                /* of the last statement that did not go on */
	unsigned uncertain;                 /* UNCERTAIN_* */
	struct host_run *run;               /* takes launches while a loop is run; else NULL */
	uint64_t path;                      /* of the calls that lead here */
	struct host_chain **chains;         /* HOST_CHAINS of them: all launches so far */
	struct source_declaration *own[HOST_OWN_SLOTS]; /* as they are needed */
	unsigned long budget, run_budget;   /* nodes still to be evaluated; of them by loops that are run */
	bool is_cut;                        /* it was used up, which was reported */
};

/* ---- value.c: constants ------------------------------------------------------------ */

const struct host_constant *host_integer(struct host *host, int64_t value);
const struct host_constant *host_unknown(struct host *host, const char *reason);
const struct host_constant *host_triple(struct host *host, const struct host_constant *const parts[3]);
const struct host_constant *host_real(struct host *host, double real);
const struct host_constant *host_string(struct host *host, const char *text);
/* ADDRESS or BINDING of a place that has a variable. */
const struct host_constant *host_address(struct host *host, enum host_constant_kind kind, struct host_place place);
/* -1 bytes: not known. */
const struct host_constant *host_memory(struct host *host, int64_t bytes);
bool host_is_pointer(const struct host_constant *constant);
/* A pointer moved by so many bytes; UNKNOWN for what is no pointer. */
const struct host_constant *host_move(struct host *host, const struct host_constant *pointer, int64_t bytes);
/* Arithmetic in C's type of the result. */
const struct host_constant *host_binary(struct host *host, enum node_operator op, const struct host_constant *a,
                                        const struct host_constant *b, const struct source_type *operand_type,
                                        const struct source_type *type);
const struct host_constant *host_unary(struct host *host, enum node_operator op, const struct host_constant *a,
                                       const struct source_type *type);
const struct host_constant *host_convert(struct host *host, const struct host_constant *a, const struct source_type *type);
/* ceil, floor, min and their like by name; NULL for others. */
const struct host_constant *host_mathematics(struct host *host, const char *name, const struct host_constant *const *arguments,
                                             unsigned count, const struct source_type *type);
bool host_truth(const struct host_constant *constant, bool *truth);
struct host_value host_value_of(struct host *host, const struct host_constant *constant, const struct node *node);

/* ---- record.c --------------------------------------------------------------------------- */

/* The value, as one that is only assumed. */
const struct host_constant *host_assume(struct host *host, const struct host_constant *constant, const char *reason);
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
bool host_is_dim3(const struct source_type *type);

/* ---- place.c ----------------------------------------------------------------------------- */

/* What an expression names: a variable, a member or an element of one; pointers and references are followed where they are known. */
struct host_place host_place_of(struct host *host, const struct node *node);
/* What lies at a place that has a variable. */
const struct host_constant *host_read(struct host *host, struct host_place place, const struct source_type *type);
const struct host_constant *host_variable(struct host *host, struct source_declaration *variable);
/* block.x of a dim3, or a member of a record. */
const struct host_constant *host_part(struct host *host, const struct node *node);
void host_set(struct host *host, struct source_declaration *variable, const struct host_constant *value);
/* Puts a value at a place; nothing happens where that is nowhere. */
void host_write(struct host *host, struct host_place place, const struct source_type *type, const struct host_constant *value);
void host_store(struct host *host, const struct node *node, const struct host_constant *value);
/* Makes a reference stand for what a node names, or have the value of a temporary. */
void host_bind(struct host *host, struct source_declaration *reference, const struct node *node, const struct host_constant *value);

/* ---- expression.c, call.c ------------------------------------------------------------------ */

const struct host_constant *host_evaluate(struct host *host, const struct node *node);
/* object = value, where that is a call of an operator that copies. */
const struct host_constant *host_assign_copy(struct host *host, const struct node *node);
const struct host_constant *host_call(struct host *host, const struct node *node);
/* The object that a method is called on, or that a constructor makes. */
struct host_place host_object(struct host *host, const struct node *node);
/* The record that a constructor of the file makes; NULL where it is none that can be walked. */
const struct host_constant *host_construct(struct host *host, const struct node *node);
/* An object whose members are what they begin with. */
const struct host_constant *host_defaults(struct host *host, const struct record *record);

/* ---- library.c ------------------------------------------------------------------------------- */

/* What a call of a function or method of the system's headers gives; NULL where it is none that is known. */
const struct host_constant *host_library(struct host *host, const struct node *node, const struct host_constant *const *arguments);
/* The object that a constructor of the system's headers makes: a string, a container; NULL for others. */
const struct host_constant *host_library_object(struct host *host, const struct node *node);
/* The pointer that a node names, or whose address it is, points to that many bytes from now on. */
void host_allocate(struct host *host, const struct node *pointer, const struct host_constant *bytes);

/* ---- device.c -------------------------------------------------------------------------------- */

/* prop.multiProcessorCount and its like; NULL for other members. */
const struct host_constant *host_device_property(struct host *host, const struct node *member);
/* Calls of the runtime that ask for the device or for occupancy; NULL for others. */
const struct host_constant *host_device_call(struct host *host, const struct node *node, const struct host_constant *const *arguments);

/* ---- arguments.c ----------------------------------------------------------------------------- */

/* Gives main its argc and argv, where the program's command line is known. */
void host_bind_arguments(struct host *host, const struct source_function *function);
/* Functions that read strings: atoi, strtol, std::stoi, strcmp, getopt, sscanf; NULL for others. */
const struct host_constant *host_parse(struct host *host, const struct node *node, const struct host_constant *const *arguments);

/* ---- statement.c, loop.c ------------------------------------------------------------------- */

/* Returns whether control can reach what follows; host->jump says where it goes else. */
bool host_statement(struct host *host, const struct node *node);
/* The same where the statement may be missing. */
bool host_optional(struct host *host, const struct node *node);
/* Takes back what was changed since a mark (host->trail_count then), and returns it, the last value of each variable. */
struct host_changes host_undo(struct host *host, size_t mark);
bool host_loop(struct host *host, const struct node *node);
/* Forgets the variables that a node changes. */
void host_forget_changed(struct host *host, const struct node *node, const char *reason);
/* Whether something is launched below a node, also by the file's functions that it calls (as far as these are marked). */
bool host_holds_launch(const struct node *node);
/* Whether a function of the runtime launches a kernel. */
bool host_is_launch_call(const char *name);

/* ---- launch.c ------------------------------------------------------------------------------- */

void host_launch(struct host *host, const struct node *node);
void host_launch_by_call(struct host *host, const struct node *node);
/* Adds the launches of a loop that was run, those of one place as one: with the values of the middle one where they differ. */
void host_launches_merge(struct host *host, const struct host_run *run);

/* ---- array.c: the first pass ------------------------------------------------------------------ */

/* Fills analysis->host_arrays with their references, and host->arrays. */
void host_find_arrays(struct host *host);
/* Which argument of a runtime call allocates: cudaMalloc and its like. */
bool host_is_allocation(const struct node *call, const struct node **pointer, const struct node **size);

/* ---- roots.c: the second pass ------------------------------------------------------------------ */

/* Requires host_find_arrays. Fills analysis->launches and the launches of its kernels. */
void host_find_launches(struct host *host);

#endif

/*
 * analyzer/host: what main does before a launch. The host's functions are run with constants for numbers, as far as
 * these are known: that gives the grids and arguments of launches, how often each is made, and the sizes of device
 * arrays.
 *
 * roots.c starts with the functions that no other calls, main among them. statement.c, loop/, expression.c, place.c,
 * call.c, launch.c and library/ follow them and call each other as the language nests: these are a circle. value.c has
 * the arithmetic, record.c what is known of an object's members (value.h), library/ what the system's headers offer,
 * content/ what is put into members of records, array.c the variables that hold device pointers, argument.c the values
 * that launches pass.
 *
 * A value is known, assumed (known unless a branch is taken that cannot be decided; with the reason), or unknown with a
 * reason. Where two ways are possible both are walked and what they leave is joined. Names begin with host_.
 *
 * Link circle: argument.c call.c change.c content/content.c content/form.c content/scan.c expression.c graph.c launch.c
 * library/arguments.c library/bytes.c library/device.c library/element.c library/library.c library/object.c
 * library/stream.c library/symbol.c loop/count.c loop/counted.c loop/forget.c loop/loop.c loop/run.c loop/stretch.c
 * place.c statement.c (the
 * language nests)
 */
#ifndef COALESCE_ANALYZER_HOST_HOST_H
#define COALESCE_ANALYZER_HOST_HOST_H

#include "analyzer/expr/expr.h"
#include "analyzer/host/value.h"

/* ---- the state ------------------------------------------------------------------------------ */

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

/* The launches made by a loop that is run iteration by iteration, or while a stream captures, in the order in which
 * they are made. */
struct host_run {
	struct host_run_launch {
		struct launch *launch;
		uint64_t path; /* tells chains of calls apart */
	} * list;
	unsigned count;
	/* Of a graph: whether it is launched somewhere, and how often the code around its capture runs. */
	bool is_replayed, outer_count_known;
	uint64_t outer_count;
};

/* The launches of places that share a hash. */
struct host_chain {
	struct host_chain *next;
	struct launch *launch;
};
#define HOST_CHAINS 4096

/* Variables of the walk's own: main's argv, the state of getopt, objects on the heap. */
#define HOST_OWN_SLOTS 512

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
	const struct launch_loop *loop;   /* that is under way; NULL: none */
	const struct launch_loop **loops; /* all so far */
	unsigned loop_count;
	uint64_t launches_made;             /* so far, on all ways */
	struct host_place object;           /* what `this` points to */
	const struct host_constant *result; /* of the function that was just left */
	bool has_ended;                     /* the program, on the way that is walked: by exit() and its like */
	enum host_jump jump;                /* of the last statement that did not go on */
	unsigned uncertain;                 /* UNCERTAIN_* */
	struct host_run *run;               /* takes launches while a loop is run; else NULL */
	struct host_run *capture;           /* takes launches while a stream captures them; else NULL */
	struct host_run **graphs;           /* all that were captured */
	unsigned graph_count;
	struct host_copy *copies;
	unsigned copy_count;
	struct host_single *singles; /* copies.c */
	unsigned single_count;
	uint64_t path;                               /* of the calls that lead here */
	struct host_chain **chains;                  /* HOST_CHAINS of them: all launches so far */
	struct host_contents *contents;              /* what is put into members of records; NULL: not asked for */
	struct source_declaration *words, *position; /* argv; where getopt stands */
	unsigned own_count;                          /* of HOST_OWN_SLOTS */
	unsigned long budget, run_budget;            /* nodes still to be evaluated; of them by loops that are run */
	unsigned stretches;                          /* of loops that are being walked */
	unsigned silent_loops;                       /* nested ones around this place that launch nothing */
	unsigned returns;  /* met on a way whose condition is not known, by the function that is walked */
	bool is_passing;   /* an iteration is walked again for what it passes alone */
	bool misses_calls; /* a call was met of which is not known what it calls */
	bool is_cut;       /* it was used up, which was reported */
};

/* ---- place.c ----------------------------------------------------------------------------- */

/* What an expression names: a variable, a member or an element of one; pointers and references are followed where they
 * are known. */
struct host_place host_place_of(struct host *host, const struct node *node);
/* What lies at a place that has a variable. */
const struct host_constant *host_read(struct host *host, struct host_place place, const struct source_type *type);
const struct host_constant *host_variable(struct host *host, struct source_declaration *variable);
/* block.x of a dim3, or a member of a record. */
const struct host_constant *host_part(struct host *host, const struct node *node);
void host_set(struct host *host, struct source_declaration *variable, const struct host_constant *value);
/* Puts a value at a place; nothing happens where that is nowhere. */
void host_write(struct host *host, struct host_place place, const struct source_type *type,
                const struct host_constant *value);
void host_store(struct host *host, const struct node *node, const struct host_constant *value);
/* The value of a node where a pointer is wanted: an array is the address of its first element. */
const struct host_constant *host_decay(struct host *host, const struct node *node, const struct host_constant *value);
/* Makes a reference stand for what a node names, or have the value of a temporary. */
void host_bind(struct host *host, struct source_declaration *reference, const struct node *node,
               const struct host_constant *value);

/* ---- expression.c, call.c ------------------------------------------------------------------ */

const struct host_constant *host_evaluate(struct host *host, const struct node *node);
/* object = value, where that is a call of an operator that copies. */
const struct host_constant *host_assign_copy(struct host *host, const struct node *node);
const struct host_constant *host_call(struct host *host, const struct node *node);
/* A variable that the text does not name; NULL where there are too many. */
struct source_declaration *host_own_variable(struct host *host, const char *name, const struct source_type *type);
/* The object that a method is called on, or that a constructor makes. */
struct host_place host_object(struct host *host, const struct node *node);
/* The record that a constructor of the file makes; NULL where it is none that can be walked. */
const struct host_constant *host_construct(struct host *host, const struct node *node);
/* An object whose members are what they begin with. */
const struct host_constant *host_defaults(struct host *host, const struct record *record);

/* ---- change.c --------------------------------------------------------------------------------- */

/* What a call may change through its arguments is not known any more. */
void host_forget_arguments(struct host *host, const struct node *node);

/* ---- statement.c, loop/loop.c ------------------------------------------------------------------- */

/* Returns whether control can reach what follows; host->jump says where it goes else. */
bool host_statement(struct host *host, const struct node *node);
/* The same where the statement may be missing. */
bool host_optional(struct host *host, const struct node *node);
/* Takes back what was changed since a mark (host->trail_count then), and returns it, the last value of each variable.
 */
struct host_changes host_undo(struct host *host, size_t mark);
/* Sets what was taken back. */
void host_redo(struct host *host, const struct host_changes *changes);
/* Sets what either of two ways changed. */
void host_join_changes(struct host *host, const struct host_changes *a, const struct host_changes *b);
bool host_loop(struct host *host, const struct node *node);
/* Whether something is launched below a node, also by the file's functions that it calls (as far as these are marked).
 */
bool host_holds_launch(const struct node *node);
/* Whether a function of the runtime launches a kernel. */
bool host_is_launch_call(const char *name);

/* ---- loop/forget.c ------------------------------------------------------------------------------- */

/* Forgets the variables that a node changes. */
void host_forget_changed(struct host *host, const struct node *node, const char *reason);
/* Whether a node is an assignment, or steps a variable. */
bool host_is_change(const struct node *node);
/* Whether a node changes a part of an object by a pointer: that a method is called on, or one behind an arrow. */
bool host_changes_pointee(const struct node *node);
/* The variable that a node changes by itself, or whose address it takes; NULL where it does neither. */
struct source_declaration *host_changed_variable(const struct node *node);

/* ---- argument.c ----------------------------------------------------------------------------- */

/* A value as launches have it; node: the expression that has it, or NULL. */
struct host_value host_value_of(struct host *host, const struct host_constant *constant, const struct node *node);
/* The value of an argument; the scalars of a record are those of the parameter's. */
struct host_value host_argument_value(struct host *host, const struct parameter *parameter, const struct node *node);
/* Whether two values differ in integers, and whether they are the same but for reals. */
bool host_value_differs(const struct host_value *a, const struct host_value *b);
bool host_values_equal(const struct host_value *a, const struct host_value *b);
/* Forgets the reals that another value has not. Both have the same scalars. */
void host_value_join_reals(struct host_value *value, const struct host_value *other);

/* ---- launch.c ------------------------------------------------------------------------------- */

void host_launch(struct host *host, const struct node *node);
void host_launch_by_call(struct host *host, const struct node *node);
/* Whether two launches stand at one place of the text, and were reached by the same calls. */
bool host_same_site(const struct host_run_launch *a, const struct host_run_launch *b);
/* Adds the launches of a loop that was run, those of one place as one, or as a few where they differ. */
void host_launches_merge(struct host *host, const struct host_run *run);

/* ---- copies.c ------------------------------------------------------------------------------- */

/* Takes down a call of the runtime that copies records. */
void host_copy(struct host *host, const struct node *call, const struct host_constant *const *arguments);
/* Takes down that the pages of managed memory move to the GPU and back; pointer: the variable that gets the memory. */
void host_copy_managed(struct host *host, const struct node *call, const struct node *pointer,
                       const struct host_constant *bytes);
/* Fills analysis->host_copies, and adds to analysis->host_contents. Behind the walk. */
void host_copies_end(struct host *host);

/* ---- graph.c: launches that a stream captures -------------------------------------------------- */

/* Calls that capture, instantiate and launch graphs; false for others. */
bool host_graph_call(struct host *host, const struct node *node, const struct host_constant *const *arguments);
/* Makes the launches of graphs that nobody launched; of these begins with none. */
void host_graphs_end(struct host *host);

/* ---- array.c: the first pass ------------------------------------------------------------------ */

/* Fills analysis->host_arrays with their references, and host->arrays. */
void host_find_arrays(struct host *host);
/* The variable that an expression names, or the member of the object whose method it stands in; NULL where it is
 * neither. */
struct source_declaration *host_pointer_declaration(const struct node *node);
/* Whether a call is cudaMemcpy() or its like, and in which direction; DEFAULT: what the pointers say. */
enum host_copy_kind { COPY_HOST_TO_HOST, COPY_TO_DEVICE, COPY_TO_HOST, COPY_ON_DEVICE, COPY_DEFAULT };
bool host_is_copy(const struct node *call);
enum host_copy_kind host_copy_kind(const struct node *call);
/* Which argument of a runtime call allocates: cudaMalloc and its like. */
bool host_is_allocation(const struct node *call, const struct node **pointer, const struct node **size);

/* ---- roots.c: the second pass ------------------------------------------------------------------ */

/* Requires host_find_arrays. Fills analysis->launches and the launches of its kernels. */
void host_find_launches(struct host *host);

#endif

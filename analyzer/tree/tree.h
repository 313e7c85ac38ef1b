/*
 * The syntax tree that analyzer/front hands over, for everything else in analyzer.
 *
 * It is C++ as far as kernels need it: implicit casts are CAST nodes, parentheses and templates are gone
 * (instantiations come with their arguments in place), constants are INTEGER nodes. Everything lives in the arena of
 * the analysis.
 */
#ifndef COALESCE_ANALYZER_TREE_TREE_H
#define COALESCE_ANALYZER_TREE_TREE_H

#include "analyzer/types/types.h"

/* ---- types, variables, functions, nodes ------------------------------------------ */

enum shape {
	SHAPE_VOID,
	SHAPE_BOOL,
	SHAPE_INTEGER,
	SHAPE_FLOAT,
	SHAPE_POINTER,
	SHAPE_REFERENCE,
	SHAPE_ARRAY,
	SHAPE_RECORD,
	SHAPE_FUNCTION,
	SHAPE_OTHER
};

/* A type of the source, one object for each canonical type. */
struct source_type {
	struct type type;
	enum shape shape;
	uint8_t bits; /* BOOL, INTEGER (enums too), FLOAT */
	bool is_signed, is_const, is_volatile, is_restrict;
	const struct source_type *target; /* pointee, referred type, element */
	uint64_t count;                   /* ARRAY: elements; 0 unknown */
	struct source_field *fields;      /* of a record of the system's that braces were seen to make */
	unsigned field_count;
};

struct source_field {
	const struct source_type *type;
	uint64_t offset_bytes;
};

enum declaration_kind {
	DECLARATION_VARIABLE,
	DECLARATION_PARAMETER,
	DECLARATION_FIELD,
	DECLARATION_FUNCTION,
	DECLARATION_OTHER
};
enum storage { STORAGE_PLAIN, STORAGE_SHARED, STORAGE_CONSTANT, STORAGE_DEVICE };
enum builtin { BUILTIN_NONE, BUILTIN_THREAD, BUILTIN_BLOCK, BUILTIN_BLOCK_SIZE, BUILTIN_GRID_SIZE };

struct source_declaration {
	enum declaration_kind kind;
	const char *name;
	const struct source_type *type;
	enum storage storage;
	enum builtin builtin; /* threadIdx and its like */
	bool is_global, is_extern;
	unsigned slot; /* position among the variables of the analysis: index into an environment; pointer fields have
	                  one too */
	uint64_t offset_bytes; /* FIELD: in its record */
	bool is_bitfield;
	bool is_instance; /* FIELD: of an instance of a class template */
	bool in_system_header;
	struct node *initializer;         /* VARIABLE, or NULL */
	struct source_function *function; /* FUNCTION */
	struct array *array; /* variables that kernels index, once seen by the current kernel; see walk_array() */
	const void *array_owner;
	struct place place; /* of the name */
	struct range range, name_range;
};

/* A function with a body where one is needed: kernels, host functions of the file, and device functions that these
 * reach. */
struct source_function {
	struct source_declaration *self;
	const char *name;       /* "scale<float>" */
	const char *short_name; /* "scale" */
	const char *mangled;
	bool is_kernel, is_device, is_host, is_pattern, is_method, is_static_method, in_system_header, is_constructor,
		is_conversion, is_lambda;
	bool is_const_method, is_virtual;
	uint32_t kept_parameters;    /* of a function of the system's: bit i where the i-th is a pointer to what is
	                                constant */
	uint32_t changed_parameters; /* of a function of the system's: bit i where the i-th is a reference that it may
	                                change */
	bool is_copy;                /* copy or move constructor or assignment that copies member by member */
	bool in_main_file;
	bool is_called, is_passed; /* by a host function of the file; named there without a call */
	bool is_walked;            /* by the walk over the host */
	enum { PURITY_UNKNOWN, PURITY_ASKED, PURITY_PURE, PURITY_IMPURE } purity; /* see node.c */
	bool launches; /* a kernel, itself or through what it calls */
	struct source_declaration **parameters;
	unsigned parameter_count;
	const struct source_type *result, *object; /* object: the class of a method */
	struct node *body; /* NULL: none, or not needed; of a constructor: its initialisers, then its body */
	struct source_declaration *constructed; /* the object that a constructor makes */
	struct place place;
	struct range definition, name_range, body_range;
	unsigned order; /* of first appearance */
};

/* X(name): kinds of nodes. Children in brackets; a missing one is NULL. */
#define NODE_KINDS(X)                                                                                                  \
	X(INTEGER)   /* value; [operand] for sizeof */                                                                 \
	X(FLOATING)  /* real */                                                                                        \
	X(REFERENCE) /* declaration */                                                                                 \
	X(MEMBER) /* declaration is the field, value its offset in the object; [object or pointer to it]; is_arrow */  \
	X(THIS)                                                                                                        \
	X(SUBSCRIPT)   /* [pointer or array, index] */                                                                 \
	X(UNARY)       /* op, [operand] */                                                                             \
	X(BINARY)      /* op, [left, right] */                                                                         \
	X(ASSIGN)      /* op: OPERATOR_NONE for `=`, else that of `+=`; [left, right] */                               \
	X(CONDITIONAL) /* [condition, then, else] */                                                                   \
	X(CAST)        /* to type; [operand]; is_explicit; value: offset of a base class */                            \
	X(CALL)        /* declaration is the function or NULL; [object or NULL, arguments...] */                       \
	X(CONSTRUCT)   /* of type; declaration is the constructor; [arguments...] */                                   \
	X(LAUNCH)      /* declaration as CALL; [configuration, arguments...]; configuration is a CALL, its object the  \
	                  kernel where that is no name of one */                                                       \
	X(LIST)        /* braces; [elements...] */                                                                     \
	X(LAMBDA)      /* declaration is its operator(), where it launches */                                          \
	X(OPAQUE)  /* anything else: its operands run, its value is unknown; reason; text of a string; declaration of  \
	              the object that a `new` makes */                                                                 \
	X(BLOCK)   /* [statements...] */                                                                               \
	X(DECLARE) /* declaration; [initializer] */                                                                    \
	X(IF)      /* [init, condition, then, else] */                                                                 \
	X(FOR) /* [init, condition, increment, body]; over a range also [range], and the body begins with the variable \
	        */                                                                                                     \
	X(WHILE)  /* [condition declaration, condition, body] */                                                       \
	X(DO)     /* [body, condition] */                                                                              \
	X(SWITCH) /* [init, condition, body] */                                                                        \
	X(CASE)   /* [value or NULL for default, statement]; `case 1 ... 3` has its last value behind these */         \
	X(RETURN) /* [value] */                                                                                        \
	X(TRY)    /* [block, handlers...] */                                                                           \
	X(BREAK) X(CONTINUE) X(GOTO) X(LABEL) X(NOTHING)
enum node_kind {
#define X(name) NODE_##name,
	NODE_KINDS(X)
#undef X
};

enum node_operator {
	OPERATOR_NONE,
#define X(name, spelling, operands) OPERATOR_##name,
	EXPR_OPERATORS(X)
#undef X
		OPERATOR_COMMA,
	OPERATOR_ADDRESS,
	OPERATOR_DEREFERENCE,
	OPERATOR_INCREMENT_BEFORE,
	OPERATOR_INCREMENT_AFTER,
	OPERATOR_DECREMENT_BEFORE,
	OPERATOR_DECREMENT_AFTER,
	OPERATOR_OTHER
};

struct node {
	enum node_kind kind;
	enum node_operator op;
	bool is_arrow, is_explicit;
	bool escapes; /* OPAQUE: may change what its operands name */
	unsigned child_count;
	struct node **children;
	const struct source_type *type;
	struct source_declaration *declaration;
	const char *text; /* OPAQUE: a string's, or NULL */
	union {
		int64_t value;
		double real;
		const char *reason;
		struct {
			unsigned unroll; /* see struct loop */
			unsigned last_line;
		} loop; /* FOR, WHILE, DO */
	};
	struct range range; /* text in the main file; may be a whole macro call */
	struct place place; /* of its first character */
};

/* Everything that is read from a translation unit. */
struct source_unit {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path, *text;
	size_t text_length;
	const struct source_text *source;
	struct source_function **functions; /* kernels, host functions, and the device functions these reach */
	unsigned function_count;
	unsigned slot_count;                   /* variables and parameters */
	struct source_declaration **constants; /* variables in constant memory */
	unsigned constant_count;
	struct source_declaration *
		*held; /* members of records passed by value that point to records, as device code names them */
	unsigned held_count;
	struct record **records;
	unsigned record_count;
	const struct source_type **pointers; /* all pointer types */
	unsigned pointer_count;
	const char **cache;                               /* see analyze_here() */
	const struct walk_value **environment, **scratch; /* of walks, by slot; all NULL between kernels */
	struct duration clang;                            /* spent inside libclang's parse */
};

/* ---- node.c: small questions ---------------------------------------- */

/* The child at a position, or NULL where there is none. */
struct node *node_child(const struct node *node, unsigned position);
/* Calls visit on node and all below it, parents first; stops below a node where visit returns false. */
void node_visit(const struct node *node, bool (*visit)(void *context, const struct node *node), void *context);
/* The variable that an expression names, casts ignored; NULL where it is none. */
struct source_declaration *node_variable(const struct node *node);
/* The operand below implicit and explicit casts. */
const struct node *node_strip_casts(const struct node *node);
/* The record whose member a node names; object: what `this` is around it, or NULL. NULL: it is not known. */
const struct record *node_member_record(const struct node *member, const struct source_type *object);
/* What a member is taken from, or an element of a member array, casts to base classes ignored; NULL where a node is
 * neither, or that is no member or element. */
const struct node *node_object(const struct node *node);
/* The arguments of a call, launch or construction, without the object in front of them; NULL where there is none. */
struct node *node_argument(const struct node *node, unsigned position);
unsigned node_argument_count(const struct node *node);
bool node_is_loop(const struct node *node);
/* The type below a reference. */
const struct source_type *type_strip_reference(const struct source_type *type);
bool type_is_integral(const struct source_type *type);
/* Whether evaluating an expression changes something. */
bool node_has_effects(const struct node *node);

#endif

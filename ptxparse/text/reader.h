/*
 * What the files of the parser share: the state of one parse, the tokens, names, and constants. What the grammar calls
 * stands in builders.h.
 *
 * The grammar keeps no tree. Its actions call builders in the order of the text; operands gather on a stack until the
 * instruction that owns them ends. Memory of the result comes from the module's arena, everything else from scratch,
 * which is released with the parse.
 */
#ifndef COALESCE_PTXPARSE_TEXT_READER_H
#define COALESCE_PTXPARSE_TEXT_READER_H

#include "ptxparse/text/text.h"

/* Scopes may nest this deep; more is an error. */
#define MAXIMUM_SCOPES 100
/* Warnings of one parse; one more says how many were left out. */
#define MAXIMUM_WARNINGS 200

/* An array that keeps its storage when it is emptied. */
struct ptx_pool {
	void *data;
	size_t count, capacity, size; /* elements, elements, bytes of one */
};

/* What a name stands for in the current scope. A name has a chain of them, the innermost scope's first. */
struct ptx_binding {
	struct ptx_binding *shadowed; /* meaning in the enclosing scopes */
	struct ptx_binding *next;     /* declared before it in the same scope */
	struct ptx_name *name;
	enum { BIND_REGISTER, BIND_RANGE, BIND_VARIABLE, BIND_FUNCTION, BIND_LABEL, BIND_TARGETS } kind;
	uint8_t type, vector; /* registers and variables */
	uint32_t depth;
	uint32_t index; /* register (PTX_NO_REGISTER until used), function, or instruction a label stands before */
	uint64_t count; /* RANGE: registers name0 .. name<count - 1>; TARGETS: labels */
	struct ptx_operand *targets;
};

/* A use of a label, open until the scope ends that defines it. */
struct ptx_reference {
	struct ptx_reference *older; /* open reference to the same name before it */
	struct ptx_reference *next;  /* all of the function */
	struct ptx_name *name;
	struct ptx_operand *operand;
	const char *at;
	uint32_t line, position;
	bool resolved;
};

/* A distinct spelling that occurs in the text: a register, a symbol, an instruction with its modifiers, a directive. */
struct ptx_name {
	const char *text; /* in the module's arena, terminated by a zero */
	uint32_t length;
	uint8_t special;       /* 1 + enum ptx_special, 0 for none */
	uint8_t type;          /* enum ptx_type of ".u32" */
	uint32_t debug_string; /* 1 + position in .debug_str of the label of that name, 0 for none */
	struct ptx_insn
		*decoded; /* as an instruction's spelling: what it does; operands not set. NULL until asked for */
	struct ptx_binding *binding, *ranges; /* the innermost meaning; the innermost `name<count>` */
	struct ptx_reference *references;     /* open ones, the latest first */
};

/* An element of the hash table of names; empty where name is NULL. */
struct ptx_name_slot {
	struct ptx_name *name;
	uint32_t hash;
};

struct ptx_token {
	struct ptx_name *name; /* words and directives */
	const char *text;
	uint32_t length, line;
};

struct ptx_constant {
	enum { CONSTANT_SIGNED, CONSTANT_UNSIGNED, CONSTANT_SINGLE, CONSTANT_DOUBLE } kind;
	uint64_t bits;
};

/* One .loc, before files and function names are known. */
struct ptx_loc {
	uint32_t file, line, column, inlined_at;
	struct ptx_name *function; /* label in .debug_str, or NULL */
	uint32_t function_offset;
};

struct ptx_scope {
	struct ptx_binding *bindings;
	uint32_t first_reference;
};

/* A declaration being read: .shared .align 4 .b8 x[8] */
struct ptx_declaration {
	uint8_t space, type, vector;
	bool is_register, is_extern, pointer; /* pointer: .ptr was seen; what follows describes what it points to */
	uint32_t align_bytes;
};

struct ptx_parser {
	struct arena *arena, *scratch;
	struct diagnostics *diagnostics;
	struct ptx_module *module;
	char *text; /* the scanner's copy of the text */
	size_t length;

	/* lexer */
	const char *token_at;     /* the last token read */
	struct ptx_token comment; /* where the last comment began */
	uint32_t line;
	uint32_t warnings, warned_line; /* all that there were; the last line that got one */

	/* names.c */
	uint32_t depth; /* of the innermost scope: 0 module, 1 function */
	struct ptx_name_slot *names;
	size_t name_count, name_capacity;
	struct ptx_binding *free_bindings;
	struct ptx_reference *free_references, *all_references;
	struct ptx_scope scopes[MAXIMUM_SCOPES + 1];
	uint32_t nested_ranges; /* register ranges declared in scopes deeper than 1 */
	uint32_t reference_count;

	/* declarations and functions */
	struct ptx_pool functions, variables, registers, insns, operands, locations, files;
	struct ptx_pool location_slots[2];
	struct ptx_function *function; /* the one being read, NULL at module scope */
	struct ptx_function current;
	struct ptx_declaration declaration;
	uint32_t initial_depth;
	struct ptx_pool dimensions; /* of uint64_t */
	struct ptx_pool initial;    /* bytes */
	uint64_t initial_position, initial_limit;
	uint32_t numbers[3], number_count;

	/* instructions */
	struct ptx_token guard, last_label, last_function;
	size_t vector_start, call_group;
	uint32_t call_results, call_state;
	struct ptx_loc read;     /* the .loc being read */
	struct ptx_pool strings; /* bytes of .debug_str */
	uint32_t location;       /* of the next instruction */

	bool failed;
	bool in_prototype, in_results, initial_plain, initial_given, guard_negated, pair_first;
	bool in_branch;       /* the operands being read are labels */
	bool section_strings; /* in .debug_str */
};

/* ---- report.c: diagnostics; pool.c ---- */

/* Reports at a place of the text; an error makes the parse fail. at is NULL where only the line is known. */
void ptx_error(struct ptx_parser *parser, uint32_t line, const char *at, const char *format, ...) PRINTF_LIKE(4, 5);
/* At most one warning for each line, at most MAXIMUM_WARNINGS in all. */
void ptx_warn(struct ptx_parser *parser, uint32_t line, const char *at, const char *format, ...) PRINTF_LIKE(4, 5);
/* At the last token read. */
void ptx_error_here(struct ptx_parser *parser, const char *format, ...) PRINTF_LIKE(2, 3);
/* Room for one more element, zeroed. */
void *ptx_pool_push(struct ptx_pool *pool);
/* A copy of all elements in the arena; NULL where there are none. */
void *ptx_pool_copy(const struct ptx_pool *pool, struct arena *arena);

/* ---- names.c: names, scopes, labels ---------------------------------------- */

void ptx_names_init(struct ptx_parser *parser);
void ptx_names_release(struct ptx_parser *parser);
/* The one record of that spelling, made when it is new. */
struct ptx_name *ptx_name_get(struct ptx_parser *parser, const char *text, size_t length);
/* The same, or NULL when it is new. */
struct ptx_name *ptx_name_find(const struct ptx_parser *parser, const char *text, size_t length);
void ptx_scope_open(struct ptx_parser *parser);
void ptx_scope_close(struct ptx_parser *parser);
/* Gives the name a meaning in the scope of the given depth, or returns the one of that kind which it has there. */
struct ptx_binding *ptx_name_bind(struct ptx_parser *parser, struct ptx_name *name, int kind, uint32_t depth);
/* What the name means as a register (BIND_REGISTER), or its other meaning, or NULL. */
struct ptx_binding *ptx_name_resolve(struct ptx_parser *parser, struct ptx_name *name);
/* The number of a register, given to it on its first use. */
uint32_t ptx_register_number(struct ptx_parser *parser, struct ptx_binding *binding);
void ptx_label_define(struct ptx_parser *parser, const struct ptx_token *label);
/* The operand, a SYMBOL in the arena, becomes a LABEL when the scope that defines it ends. at: for an error message. */
void ptx_label_refer(struct ptx_parser *parser, const struct ptx_token *at, struct ptx_operand *operand);
/* Ends a function: every label referred to must have been defined. */
void ptx_labels_finish(struct ptx_parser *parser);

/* ---- spelling.c: what an instruction's spelling says ------------------------- */

/* Operation, type, space, ... of a spelling; made once for each name. */
const struct ptx_insn *ptx_spelling_decode(struct ptx_parser *parser, struct ptx_name *name);

#endif

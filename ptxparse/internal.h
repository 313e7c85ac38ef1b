/*
 * What the files of the parser share: the state of one parse, the tokens, and the builders that the grammar calls.
 *
 * The grammar keeps no tree. Its actions call builders in the order of the text; operands gather on a stack until the
 * instruction that owns them ends. Memory of the result comes from the module's arena, everything else from scratch,
 * which is released with the parse.
 */
#ifndef COALESCE_PTXPARSE_INTERNAL_H
#define COALESCE_PTXPARSE_INTERNAL_H

#include "ptxparse/ptxparse.h"

/* Scopes may nest this deep; more is an error. */
#define MAXIMUM_SCOPES 100
/* Warnings of one parse; one more says how many were left out. */
#define MAXIMUM_WARNINGS 200

/* An array that keeps its storage when it is emptied. */
struct pool {
	void *data;
	size_t count, capacity, size; /* elements, elements, bytes of one */
};

/* What a name stands for in the current scope. A name has a chain of them, the innermost scope's first. */
struct binding {
	struct binding *shadowed; /* meaning in the enclosing scopes */
	struct binding *next;     /* declared before it in the same scope */
	struct name *name;
	enum { BIND_REGISTER, BIND_RANGE, BIND_VARIABLE, BIND_FUNCTION, BIND_LABEL, BIND_TARGETS } kind;
	uint8_t type, vector; /* registers and variables */
	uint32_t depth;
	uint32_t index; /* register (PTX_NO_REGISTER until used), function, or instruction a label stands before */
	uint64_t count; /* RANGE: registers name0 .. name<count - 1>; TARGETS: labels */
	struct ptx_operand *targets;
};

/* A use of a label, open until the scope ends that defines it. */
struct reference {
	struct reference *older; /* open reference to the same name before it */
	struct reference *next;  /* all of the function */
	struct name *name;
	struct ptx_operand *operand;
	const char *at;
	uint32_t line, position;
	bool resolved;
};

/* A distinct spelling that occurs in the text: a register, a symbol, an instruction with its modifiers, a directive. */
struct name {
	const char *text; /* in the module's arena, terminated by a zero */
	uint32_t length;
	uint8_t special;                  /* 1 + enum ptx_special, 0 for none */
	uint8_t type;                     /* enum ptx_type of ".u32" */
	uint32_t debug_string;            /* 1 + position in .debug_str of the label of that name, 0 for none */
	struct ptx_insn *decoded;         /* as an instruction's spelling: what it does; operands not set. NULL until asked for */
	struct binding *binding, *ranges; /* the innermost meaning; the innermost `name<count>` */
	struct reference *references;     /* open ones, the latest first */
};

/* An element of the hash table of names; empty where name is NULL. */
struct name_slot {
	struct name *name;
	uint32_t hash;
};

struct token {
	struct name *name; /* words and directives */
	const char *text;
	uint32_t length, line;
};

struct constant {
	enum { CONSTANT_SIGNED, CONSTANT_UNSIGNED, CONSTANT_SINGLE, CONSTANT_DOUBLE } kind;
	uint64_t bits;
};

/* One .loc, before files and function names are known. */
struct location {
	uint32_t file, line, column, inlined_at;
	struct name *function; /* label in .debug_str, or NULL */
	uint32_t function_offset;
};

struct scope {
	struct binding *bindings;
	uint32_t first_reference;
};

/* A declaration being read: .shared .align 4 .b8 x[8] */
struct declaration {
	uint8_t space, type, vector;
	bool is_register, is_extern, pointer; /* pointer: .ptr was seen; what follows describes what it points to */
	uint32_t align_bytes;
};

struct parser {
	struct arena *arena, *scratch;
	struct diagnostics *diagnostics;
	struct ptx_module *module;
	char *text; /* the scanner's copy of the text */
	size_t length;

	/* lexer */
	const char *token_at; /* the last token read */
	struct token comment; /* where the last comment began */
	uint32_t line;
	uint32_t warnings, warned_line; /* all that there were; the last line that got one */

	/* names.c */
	uint32_t depth; /* of the innermost scope: 0 module, 1 function */
	struct name_slot *names;
	size_t name_count, name_capacity;
	struct binding *free_bindings;
	struct reference *free_references, *all_references;
	struct scope scopes[MAXIMUM_SCOPES + 1];
	uint32_t nested_ranges; /* register ranges declared in scopes deeper than 1 */
	uint32_t reference_count;

	/* declarations and functions */
	struct pool functions, variables, registers, insns, operands, locations, files;
	struct pool location_slots[2];
	struct ptx_function *function; /* the one being read, NULL at module scope */
	struct ptx_function current;
	struct declaration declaration;
	uint32_t initial_depth;
	struct pool dimensions; /* of uint64_t */
	struct pool initial;    /* bytes */
	uint64_t initial_position, initial_limit;
	uint32_t numbers[3], number_count;

	/* instructions */
	struct token guard, last_label, last_function;
	size_t vector_start, call_group;
	uint32_t call_results, call_state;
	struct location read; /* the .loc being read */
	struct pool strings;  /* bytes of .debug_str */
	uint32_t location;    /* of the next instruction */

	bool failed;
	bool in_prototype, in_results, initial_plain, guard_negated, pair_first;
	bool in_branch;       /* the operands being read are labels */
	bool section_strings; /* in .debug_str */
};

/* ---- parse.c: the parse as a whole, diagnostics ---------------------------- */

/* Reports at a place of the text; an error makes the parse fail. at is NULL where only the line is known. */
void parser_error(struct parser *parser, uint32_t line, const char *at, const char *format, ...) PRINTF_LIKE(4, 5);
/* At most one warning for each line, at most MAXIMUM_WARNINGS in all. */
void parser_warn(struct parser *parser, uint32_t line, const char *at, const char *format, ...) PRINTF_LIKE(4, 5);
/* At the last token read. */
void parser_error_here(struct parser *parser, const char *format, ...) PRINTF_LIKE(2, 3);
/* Room for one more element, zeroed. */
void *pool_push(struct pool *pool);
/* A copy of all elements in the arena; NULL where there are none. */
void *pool_copy(const struct pool *pool, struct arena *arena);

/* ---- names.c: names, scopes, labels ---------------------------------------- */

void names_init(struct parser *parser);
void names_release(struct parser *parser);
/* The one record of that spelling, made when it is new. */
struct name *name_get(struct parser *parser, const char *text, size_t length);
/* The same, or NULL when it is new. */
struct name *name_find(const struct parser *parser, const char *text, size_t length);
void scope_open(struct parser *parser);
void scope_close(struct parser *parser);
/* Gives the name a meaning in the scope of the given depth, or returns the one of that kind which it has there. */
struct binding *name_bind(struct parser *parser, struct name *name, int kind, uint32_t depth);
/* What the name means as a register (BIND_REGISTER), or its other meaning, or NULL. */
struct binding *name_resolve(struct parser *parser, struct name *name);
/* The number of a register, given to it on its first use. */
uint32_t register_number(struct parser *parser, struct binding *binding);
void label_define(struct parser *parser, const struct token *label);
/* The operand, a SYMBOL in the arena, becomes a LABEL when the scope that defines it ends. at: for an error message. */
void label_refer(struct parser *parser, const struct token *at, struct ptx_operand *operand);
/* Ends a function: every label referred to must have been defined. */
void labels_finish(struct parser *parser);

/* ---- spelling.c: what an instruction's spelling says ------------------------- */

/* Operation, type, space, ... of a spelling; made once for each name. */
const struct ptx_insn *spelling_decode(struct parser *parser, struct name *name);

/* ---- constants.c: numbers and constant expressions ---------------------------- */

bool constant_read_integer(struct constant *constant, const char *text, size_t length);
bool constant_read_real(struct constant *constant, const char *text, size_t length);
/* operator: the grammar's token. */
struct constant constant_binary(struct parser *parser, int operator, struct constant left, struct constant right);
struct constant constant_unary(struct parser *parser, int operator, struct constant value);
struct constant constant_choose(struct constant condition, struct constant yes, struct constant no);
/* (.s64) or (.u64) before an expression. */
struct constant constant_cast(const struct token *type, struct constant value);
/* The bits as they stand in an object of that type. */
uint64_t constant_as(struct constant constant, enum ptx_type type);

/* ---- operands.c: operands and instructions ------------------------------------- */

void operand_word(struct parser *parser, const struct token *word, bool negated);
/* The second of p|q. */
void operand_pair(struct parser *parser, const struct token *word);
void operand_constant(struct parser *parser, struct constant constant);
/* A word plus bytes: what stands between [ ] or for a symbol's address. */
void operand_sum(struct parser *parser, const struct token *word, struct constant offset);
void operand_subscript(struct parser *parser, const struct token *array, struct constant index);
/* array[register]: an address that nobody knows. */
void operand_subscript_unknown(struct parser *parser, const struct token *array);
void operand_address(struct parser *parser); /* the operand just pushed is an address */
void vector_begin(struct parser *parser);
void vector_end(struct parser *parser);
void instruction_guard(struct parser *parser, const struct token *predicate, bool negated);
void opcode_begin(struct parser *parser, const struct token *opcode);
/* A modifier that stands apart from its opcode: `ld .global`. */
struct token opcode_append(struct parser *parser, const struct token *opcode, const char *modifier);
struct token opcode_append_space(struct parser *parser, const struct token *opcode, int space);
void instruction_end(struct parser *parser, const struct token *opcode);
void call_begin(struct parser *parser);
void call_word(struct parser *parser, const struct token *word);
void call_group_begin(struct parser *parser);
void call_group_end(struct parser *parser);
void call_end(struct parser *parser, const struct token *opcode);
void branch_targets_begin(struct parser *parser);
void branch_target(struct parser *parser, const struct token *label);
void branch_targets_end(struct parser *parser);
void directive_unknown(struct parser *parser, const struct token *directive);

/* ---- declarations.c: functions, variables, registers, module directives ---------- */

void module_version(struct parser *parser, struct constant version);
void module_target(struct parser *parser, const struct token *target);
void module_address_size(struct parser *parser, struct constant bits);
void module_finish(struct parser *parser);
void declaration_begin(struct parser *parser, int space, bool is_extern);
void declaration_register(struct parser *parser);
void declaration_qualifier(struct parser *parser, const struct token *qualifier);
void declaration_align(struct parser *parser, struct constant bytes);
void dimension_add(struct parser *parser, const struct constant *count);
void register_declare(struct parser *parser, const struct token *word);
void register_declare_range(struct parser *parser, const struct token *word, struct constant count);
void variable_begin(struct parser *parser);
void variable_end(struct parser *parser, const struct token *word);
void initial_begin(struct parser *parser);
void initial_open(struct parser *parser);
void initial_close(struct parser *parser);
void initial_constant(struct parser *parser, struct constant value);
void initial_symbol(struct parser *parser);
void initial_opaque(struct parser *parser);
void parameter_end(struct parser *parser, const struct token *word);
void function_begin(struct parser *parser, bool is_kernel);
void function_name(struct parser *parser, const struct token *word);
void function_tuning(struct parser *parser, const struct token *directive);
void function_body(struct parser *parser);
void function_end(struct parser *parser);
void prototype_begin(struct parser *parser);
void prototype_end(struct parser *parser);
void numbers_clear(struct parser *parser);
void numbers_add(struct parser *parser, struct constant value);

/* ---- places.c: .file, .loc, .debug_str --------------------------------------------- */

void places_init(struct parser *parser);
void file_add(struct parser *parser, struct constant number, const struct token *path);
void location_begin(struct parser *parser, struct constant file, struct constant line, struct constant column);
void location_end(struct parser *parser);
/* Instead of location_end(): function_name LABEL + offset, inlined_at FILE LINE COLUMN. */
void location_inlined(struct parser *parser, const struct token *keyword, const struct token *label, struct constant offset);
void location_inlined_at(struct parser *parser, const struct token *keyword, struct constant file, struct constant line,
                         struct constant column);
void section_begin(struct parser *parser, const struct token *name);
void section_label(struct parser *parser, const struct token *label);
void section_byte(struct parser *parser, struct constant value);
/* Fills module->places. */
void places_finish(struct parser *parser);
void places_release(struct parser *parser);

#endif

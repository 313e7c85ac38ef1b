/*
 * What the files of layouts/ share and nobody else sees: the rows of the table, the tokens of the source file, edits
 * over its byte ranges, and the plan by which a file is rewritten.
 */
#ifndef COALESCE_LAYOUTS_INTERNAL_H
#define COALESCE_LAYOUTS_INTERNAL_H

#include <string.h>

#include "layouts/layouts.h"

extern const struct layout layout_aos, layout_soa, layout_aosa, layout_asta;

/* Rounds up to a multiple of alignment (not 0). */
uint64_t bytes_round_up(uint64_t bytes, uint64_t alignment);

/* ---- tokens.c: the source file as C++ tokens -------------------------------------- */

/* DIRECTIVE: a preprocessor line with its continuations, without the newline. Comments are no tokens. */
enum token_kind { TOKEN_IDENTIFIER, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCTUATION, TOKEN_DIRECTIVE };
struct token {
	enum token_kind kind;
	unsigned begin, end;
	unsigned match; /* of ( [ { and ) ] }: the index of its partner; itself where there is none */
	unsigned brace; /* index of the innermost `{` around it; NO_TOKEN at file scope */
};
#define NO_TOKEN ((unsigned)-1)

/* A file's text and its tokens, in order. */
struct source {
	const char *text;
	unsigned length;
	struct token *tokens;
	unsigned token_count;
};
/* Splits a text; never fails: what is no token is punctuation. */
struct source *source_read(struct arena *arena, const char *text, size_t length);
/* Index of the first token that begins at offset or after it; token_count where there is none. */
unsigned source_token_at(const struct source *source, unsigned offset);
/* Whether token i exists and is spelled so. */
bool source_is(const struct source *source, unsigned i, const char *spelling);
/* Whether the range is spelled so. */
bool source_range_is(const struct source *source, struct range range, const char *spelling);
char *source_copy(struct arena *arena, const struct source *source, struct range range);
/* Whether the file has an identifier of that name anywhere, preprocessor lines included. */
bool source_has_identifier(const struct source *source, const char *name);
/* Line of an offset, from 1. */
unsigned source_line(const struct source *source, unsigned offset);
/*
 * Where something may be inserted before the declaration at offset: the start of the line where it, or the comment
 * right above it, begins.
 */
unsigned source_before_declaration(const struct source *source, unsigned offset);
/*
 * Start of the outermost declaration (namespace, extern "C", class, function) around offset; offset itself at file
 * scope.
 */
unsigned source_outermost(const struct source *source, unsigned offset);

/*
 * The text on one line: comments and newlines become single spaces. For copies of an expression that must not move
 * lines.
 */
char *text_single_line(struct arena *arena, const char *text);
/* Whether an expression is one identifier, number, or call or index of one: needs no parentheses as an operand. */
bool text_is_primary(const char *text);

/* Whether a range is empty, as those are that lie in macros or other files. */
static inline bool range_is_empty(struct range range)
{
	return range.end <= range.begin;
}

/* ---- edits.c: replacing byte ranges ------------------------------------------------ */

struct edit;
struct edits;
/* Writes the replacement of an edit; edits_render() gives the text of ranges inside it with their own edits done. */
typedef void edit_function(struct text *out, const struct edits *edits, const struct edit *edit);

/* A range replaced by fixed text or by what a function writes; an empty range is an insertion. */
struct edit {
	struct range range;
	const char *text;        /* fixed text, or NULL */
	edit_function *function; /* when text is NULL */
	const void *context;     /* for function */
	unsigned order;          /* of edits at one place: as they were added */
};
struct edits {
	struct arena *arena;
	const struct source *source;
	struct edit *list; /* sorted by edits_sort(): by begin, the outer before the inner */
	unsigned count;
	bool keep_lines; /* replaced text leaves its newlines behind */
};
void edits_add(struct edits *edits, struct range range, const char *text);
void edits_add_function(struct edits *edits, struct range range, edit_function *function, const void *context);
void edits_sort(struct edits *edits);
/*
 * Writes a range of the source with its edits done. Edits inside a replaced range are done only where its function
 * renders them. skip: an edit not to be done (the one that is being written), or NULL.
 */
void edits_render(struct text *out, const struct edits *edits, struct range range, const struct edit *skip);
/* The same into the arena. */
char *edits_render_copy(const struct edits *edits, struct range range, const struct edit *skip);

/* ---- the rows' hooks ---------------------------------------------------------------- */

/* One place in the text that names a field of an element, as the texts it is made of. */
struct rewrite_site {
	const char *const *pointers; /* for each buffer, the expression that points to it */
	unsigned field;
	const char *index;       /* e */
	const char *index_again; /* e on one line, for layouts that need it twice */
	const char *inner;       /* "[k]", "[j][k]" of member arrays, else "" */
};
/* The parts of a pointer's declaration. */
struct pointer_spelling {
	const char *before; /* "const " or "" */
	const char *after;  /* after the star: "__restrict__ " or "" */
	const char *name;
};
/*
 * A field's name and array bounds as a member or variable: "x", "w[4]". lanes: of the innermost dimension, 0 for
 * none.
 */
void field_declare(struct text *out, const struct layout_field *field, unsigned lanes);
/*
 * Declares `struct NAME { ... };` with the fields in order. alignment: for __align__, 0 for none. lanes: see
 * field_declare().
 */
void record_declare(struct text *out, const struct placement *placement, const char *type_name, uint64_t alignment, unsigned lanes);
/* For layouts of one buffer: "const TYPE *__restrict__ NAME". */
void pointer_declare_record(struct text *out, const struct placement *placement, unsigned buffer, const char *type_name,
                            const struct pointer_spelling *spelling);

/* ---- the plan of one rewriting ------------------------------------------------------ */

enum group_change {
	CHANGE_NONE,      /* the file has this layout */
	CHANGE_ALIGNMENT, /* the record's own declaration gets another alignment; nothing else changes */
	CHANGE_BUFFERS    /* pointers to other types, references rewritten */
};
struct group_plan {
	const struct layout_group *group;
	const struct placement *placement;
	enum group_change change;
	const char *base; /* for names: "point", "record" */
	/* CHANGE_BUFFERS: of the record in device memory; NULL where buffers have no type of their own */
	const char *type_name;
	const char *merged_name; /* FORM_ARRAYS: of the pointer to the records */
	bool used;               /* a kernel was changed */
	bool host_changed;       /* the host side was rewritten */
};
/*
 * Types that stand for `point *` and `point &` (or for `float *`, a member of joined arrays) in device code that does
 * more than index: see proxies.c.
 */
struct proxy {
	const struct group_plan *plan;
	unsigned field; /* FORM_ARRAYS: the member it points to */
	bool is_const;
	const char *pointer_name, *reference_name;
	unsigned position; /* offset before which it has to be declared */
};
struct kernel_plan {
	const struct kernel *kernel;
	const struct layout_binding **bindings; /* for each parameter, NULL where it has none */
	/* for each parameter whose buffers change, the new names, one for each buffer */
	const char *const **pointers;
	const struct proxy **proxies; /* for each parameter, what stands for it in the body, or NULL */
	bool *is_indirect;            /* for each parameter: all its mentions go through the proxy */
	bool bound, changed;
};
struct rewriter {
	struct arena *arena;
	const struct analysis *analysis;
	const struct layout_groups *groups;
	enum rewrite_purpose purpose;
	struct diagnostics *diagnostics;
	const struct source *source;
	struct edits edits;
	struct group_plan *group_plans;   /* one for each group */
	struct kernel_plan *kernel_plans; /* one for each kernel of the analysis */
	struct proxy **proxies;
	unsigned proxy_count;
	/* for each group, which of the analysis's functions become templates over its pointers */
	bool **generic;
};
/*
 * A block of declarations as it is inserted at a place: on lines of its own, with the line's number after it where
 * lines count. Releases the block.
 */
char *block_text(const struct rewriter *rewriter, struct text *block, unsigned place);
/* The plan of a binding's group. */
struct group_plan *rewriter_group(const struct rewriter *rewriter, const struct layout_group *group);
/* A name that no identifier of the file has: base, or base with underscores after it. */
const char *rewriter_name(const struct rewriter *rewriter, const char *base);
/* Name without template arguments. */
const char *kernel_source_name(struct arena *arena, const struct kernel *kernel);
/* `#line N "PATH"` with a newline, for the line that holds offset. */
char *line_marker(struct arena *arena, const struct source *source, const char *path, unsigned offset);
bool kernels_share_text(const struct kernel *a, const struct kernel *b);

/* ---- tiles.c: records that are tiles already ---------------------------------------- */

/* The parts of p[e >> 5].x[e & 31]. */
struct tile_reference {
	struct range element; /* e */
	unsigned lane;        /* token of the last bracket */
};
/* Reads a reference into tiles of that many elements; false where it has another form. */
bool tile_reference_read(const struct source *source, const struct reference *reference, unsigned tile,
                         struct tile_reference *parts);
/* The elements of a tile if the record is one and all references are of that form, else 0. */
unsigned tiles_recognise(const struct analysis *analysis, const struct source *source, const struct record *record);

/* ---- record.c: a record's own declaration ------------------------------------------- */

/* Whether the record's alignment can be changed where it is declared. */
bool record_can_align(const struct source *source, const struct layout_group *group);
/* Adds the edits that do it. */
void record_align(struct edits *edits, const struct placement *placement);
/*
 * Whether a size in bytes (a range of the source) is written with sizeof of the record, directly or through the
 * variables and macros in it.
 */
bool size_follows_record(const struct source *source, struct range size, const struct record *record);

/* ---- kernels.c, kernel_edits.c: the device side ---------------------------------------- */

/* The group of a binding (or NULL) when its buffers change, else NULL. */
const struct group_plan *binding_change(const struct rewriter *rewriter, const struct layout_binding *binding);
/* Whether an earlier parameter of the kernel already stands for the merged pointer of the group that p is bound to. */
bool parameter_is_merged(const struct kernel_plan *plan, unsigned p);
/*
 * Index of the token after the element itself, `.` or `->` of what is taken from it; the token behind the reference
 * where there is none.
 */
unsigned reference_tail(const struct source *source, const struct reference *reference);
/* Whether a larger reference begins at the same place: `p[i]` of `p[i].pos`. */
bool reference_is_part(const struct kernel *kernel, const struct reference *reference);
/* Whether a reference can be rewritten by itself, without a proxy. */
bool reference_is_direct(const struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                         const struct reference *reference);
/* ---- whole.c: records read and written as a whole, member by member ---- */

/*
 * Whether a whole record is read as a value, or written or changed by a statement of its own, and its members can be
 * listed in place.
 */
bool whole_record_can_be_listed(const struct rewriter *rewriter, const struct group_plan *plan, const struct reference *reference);
/* Whether a record can be made by listing its members: no constructors, nothing private, as far as its text says. */
bool record_is_aggregate(const struct source *source, const struct record *record);
/* Adds the edit. */
void whole_record_edit(struct rewriter *rewriter, const struct group_plan *plan, const struct reference *reference,
                       const char *const *pointers);
/* The field of that leaf's path. */
unsigned field_of_leaf(const struct layout_group *group, const struct leaf *leaf);

/* Decides which kernels can be rewritten (plan->changed) and reports why others cannot. Requires the group plans. */
void kernels_plan(struct rewriter *rewriter);
/* Adds the edits of parameters, prototypes and references. Requires kernels_plan(). */
void kernels_edit(struct rewriter *rewriter);
/* The new parameters of a kernel, in order. */
struct variant_kernel kernel_variant(const struct rewriter *rewriter, const struct kernel_plan *plan);

/* ---- indirect.c: mentions of a pointer that are more than an index ------------------------- */

/* The record that a reference without a leaf names: that of the elements, or a record in them. */
const struct record *reference_record(const struct source *source, const struct reference *reference, const struct record *record);
/*
 * Whether a mention that cannot be rewritten by itself can stay as it is when a proxy stands for the pointer; marks
 * the functions that become templates for it. stepped: the pointer itself changes, so that every mention has to go
 * through the proxy.
 */
bool mention_can_stay(struct rewriter *rewriter, const struct kernel_plan *plan, const struct reference *reference, bool *stepped);
/*
 * Marks the functions that local pointers and references made of a parameter are passed to, to become templates; false
 * where one cannot. The parameter has a proxy.
 */
bool local_aliases_mark(struct rewriter *rewriter, const struct kernel_plan *kernel, unsigned parameter);
/* Adds the edits of generic functions, and of local pointers and references in them and in kernels with proxies. */
void indirect_edit(struct rewriter *rewriter);

/* ---- generic.c: pointers and references to records in device code, by their tokens ----------- */

/* The names of the types that a group's pointers point to, as declarations spell them. */
struct alias_types {
	const char *names[16];
	unsigned count;
	bool references; /* references to them count too */
};
struct alias_types alias_types_of(const struct rewriter *rewriter, const struct group_plan *plan);
/* `const struct point *__restrict__ q`: a pointer or reference to one of the types being declared. */
struct alias {
	unsigned first, name; /* tokens; name may be that behind the declarator where it has no name */
	bool is_reference, is_const, is_named;
};
/* Whether such a declaration begins at token i. */
bool alias_read(const struct source *source, unsigned i, const struct alias_types *types, struct alias *alias);
/* Where the parts of a function's definition are. */
struct function_tokens {
	/* tokens: first of the definition, the name, the parentheses of its parameters */
	unsigned first, name, open, close;
};
/* The braces of a function's body, found by its definition where the analysis has none (template patterns). */
struct range function_braces(const struct source *source, const struct function *function);
bool function_read(const struct source *source, const struct function *function, struct function_tokens *tokens);
/* Whether token i is the function's name in a declaration without a body. */
bool function_is_prototype(const struct rewriter *rewriter, const struct function *function, unsigned i);
/* Whether the function can become a template over the types' pointers; why not. */
bool function_can_be_generic(const struct rewriter *rewriter, const struct function *function, const struct alias_types *types,
                             const char **reason);
/* Whether the local pointers and references among tokens [begin, end) can become `auto`; why not. */
bool locals_can_be_auto(const struct source *source, unsigned begin, unsigned end, const struct alias_types *types,
                        const char **reason);
void locals_edit(struct edits *edits, unsigned begin, unsigned end, const struct alias_types *types);
/* Makes a function, and its declarations without a body, a template. */
void function_edit(struct rewriter *rewriter, const struct function *function, const struct alias_types *types);

/* ---- proxies.c --------------------------------------------------------------------------------- */

/* Whether there can be proxies for a group in its new layout; else the reason. */
const char *proxy_refusal(const struct source *source, const struct group_plan *plan);
/* The proxy for a parameter; makes it when it is the first of its kind. */
const struct proxy *proxy_find(struct rewriter *rewriter, const struct group_plan *plan, const struct layout_binding *binding);
/* "point_pointer p = {p_x, p_y, 0};" */
void proxy_declare(struct text *out, const struct proxy *proxy, const char *name, const char *const *pointers);
/* Inserts the definitions of all proxies. */
void proxies_edit(struct rewriter *rewriter);

/* ---- variants.c ------------------------------------------------------------------------- */

/* Adds the edits by which a rewritten file can be compiled inside a namespace. */
void compile_edit(struct rewriter *rewriter);

/* ---- helpers.c: functions that a rewritten host side may call -------------------------------- */

/* X(name, the function's name). Those of tiles copy one member, lane by lane; see their texts. */
#define HELPERS(X)                                                                                                                 \
	X(LARGER, "larger")                                                                                                        \
	X(FIRST_ERROR, "first_error")                                                                                              \
	X(TO_TILES, "copy_to_tiles")                                                                                               \
	X(FROM_TILES, "copy_from_tiles")                                                                                           \
	X(BETWEEN_TILES, "copy_between_tiles")                                                                                     \
	X(SET_TILES, "set_tiles") X(TO_TILES_ASYNC, "copy_to_tiles_async") X(FROM_TILES_ASYNC, "copy_from_tiles_async")
enum helper {
#define X(name, function) HELPER_##name,
	HELPERS(X)
#undef X
		HELPER_COUNT
};
struct helpers {
	const char *names[HELPER_COUNT];
	bool used[HELPER_COUNT];
};
/* Chooses names that the file does not have; nothing is used yet. */
struct helpers *helpers_create(const struct rewriter *rewriter);
/* Marks a helper as used; returns its name. */
const char *helper_use(struct helpers *helpers, enum helper helper);
/* Writes the definitions of those used. */
void helpers_write(struct text *out, const struct helpers *helpers);

/* ---- calls.c: statements of host code ------------------------------------------------------ */

#define CALL_ARGUMENTS 8
/* A call by name: `cudaMemcpy(a, b, bytes, kind)`; at most CALL_ARGUMENTS are counted. */
struct host_call {
	struct range name, whole;
	struct range arguments[CALL_ARGUMENTS];
	unsigned argument_count;
};
/* Whether a call is of that function with that many arguments. */
bool call_is(const struct source *source, const struct host_call *call, const char *name, unsigned argument_count);
/* Whether an expression is the variable itself, `p` or `(void *)p`; with address: `&p` or `(void **)&p`. */
bool expression_is_variable(const struct source *source, struct range expression, const char *name, bool address);
/* Widens a range to whole lines, newline included, where nothing else stands on them. */
struct range range_lines(const struct source *source, struct range range);
/*
 * Splits what stands between the parenthesis at token `open` and its partner at the commas; returns how many parts
 * there are, at most max.
 */
unsigned list_split(const struct source *source, unsigned open, struct range *ranges, unsigned max);
/* Reads the innermost call that has the range inside its arguments. */
bool call_around(const struct source *source, struct range inside, struct host_call *call);
/*
 * The statement that consists of nothing but the call, `call;` or `CHECK(call);`; an empty range where the call is
 * part of something else.
 */
struct range call_statement(const struct source *source, const struct host_call *call);

/*
 * Writes a newline and the white space before the statement on its line, or just a space where other text stands
 * before it.
 */
void statement_separator(struct text *out, const struct source *source, unsigned begin);

#define DECLARATORS 32
/* A declaration of pointers: `static float *a, *b = NULL;`. */
struct declaration {
	struct range whole, specifiers;                                   /* whole: with its semicolon */
	struct range declarators[DECLARATORS], initialisers[DECLARATORS]; /* "*a", "NULL" (or empty) */
	unsigned declarator_count;
};
/*
 * Reads the declaration in which the variable's name stands at that range; false where it is no plain declaration of
 * pointers.
 */
bool declaration_read(const struct source *source, struct range name, struct declaration *declaration);

/* ---- sizes.c: numbers of elements in host code ------------------------------------------------- */

/* What an array's elements are, as sizes spell it. */
struct element_spelling {
	const char *type;     /* "point", "float" */
	const char *spelled;  /* as the array's declaration has it: "struct point", "real" */
	const char *variable; /* sizeof(*variable) is the element's size too */
};
/*
 * Writes how many elements a size in bytes is: "n" for "n * sizeof(float)", else "bytes / sizeof(float)". Never needs
 * parentheses as the operand of +.
 */
void count_write(struct text *out, const struct edits *edits, const struct edit *edit, struct range bytes,
                 const struct element_spelling *element);

/* The same where the element is a tile: the number of elements in it, "n" for "(n + 31) / 32 * sizeof(point_tile)". */
void tiled_count_write(struct text *out, const struct edits *edits, const struct edit *edit, struct range bytes,
                       const struct element_spelling *element, unsigned tile);

/* ---- host.c: the host side of one group ------------------------------------------------------ */

/* A parameter of a host function; function NULL: none. */
struct host_parameter {
	const struct function *function;
	unsigned index;
};
/* A device pointer of the host that belongs to a group. */
struct host_member {
	struct host_parameter parameter; /* that it is, where it is no variable */
	const struct host_array *array;
	unsigned field;           /* FORM_ARRAYS */
	const char *const *names; /* of the new pointers, one for each buffer */
	const char *spelled;      /* the element's type in the declaration */
};
struct host_plan {
	struct group_plan *plan;
	struct host_member *members;
	unsigned member_count;
	/* offset before which the group's types have to be declared; the file's length where nowhere */
	unsigned position;
	bool good; /* the host side can be rewritten */
};
/* ---- host_operations.c: what calls do ---- */

/* What one mention of a device pointer does, whatever call it stands in. */
enum host_action {
	ACTION_NONE,
	ACTION_ALLOCATE,
	ACTION_TO_DEVICE,
	ACTION_TO_HOST,
	ACTION_BETWEEN,
	ACTION_SET,
	ACTION_FREE,
	ACTION_SWAP,
	ACTION_CLEAR,
	ACTION_EXCHANGE /* `T *t = a; a = b; b = t;`, at its first mention */
};
struct host_operation {
	enum host_action action;
	struct host_call call;
	unsigned field; /* of the group; ALL_FIELDS for whole records */
	/* size in bytes of what is allocated, copied or set; empty where count and width say it */
	struct range bytes;
	struct range count; /* number of elements */
	/* of copies: the host's pointer, and the bytes between its elements; pitch empty: they lie together */
	struct range host, pitch;
	struct range value;               /* of ACTION_SET; the null pointer of ACTION_CLEAR */
	const struct host_member *source; /* of ACTION_BETWEEN, ACTION_SWAP and ACTION_EXCHANGE */
	unsigned source_field;
	bool is_async;          /* of copies and ACTION_SET */
	struct range stream;    /* empty: the default one */
	struct range temporary; /* of ACTION_EXCHANGE: the name of t */
};
#define ALL_FIELDS ((unsigned)-1)
/* Reads what is done at a mention of a device pointer; false where it is nothing that can be rewritten. */
bool host_operation_read(const struct rewriter *rewriter, const struct host_plan *host, const struct host_member *member,
                         const struct host_reference *reference, struct host_operation *operation);
/*
 * Whether a field's scalars are members of an array of records inside the record: no one pitch leads from each to the
 * next.
 */
bool field_is_scattered(const struct layout_group *group, unsigned field);
/* How sizes of a member's array spell its elements. */
struct element_spelling member_element(const struct host_plan *host, const struct host_member *member);
/* Decides whether the host side of a group can be rewritten; reports why not. Requires kernels_plan(). */
struct host_plan host_plan_create(struct rewriter *rewriter, struct group_plan *plan);

/* ---- host_functions.c: host functions that take device pointers ------------------------------ */

/* The host array of which a mention stands at that offset, or NULL. */
const struct host_array *host_array_at(const struct rewriter *rewriter, unsigned offset);
/* Whether a host array is the parameter of a host function of the file; then which. */
bool host_parameter_of(const struct rewriter *rewriter, const struct host_array *array, struct host_parameter *parameter);
/* The parameter for which a mention is passed, as it is, to a host function of the file; NULL where it is not. */
const struct host_array *host_argument_target(const struct rewriter *rewriter, const struct host_array *array,
                                              const struct host_reference *reference);
/*
 * Calls visit with what each call passes for the parameter: a host array, or NULL; and the call's name. Returns
 * whether all visits did.
 */
bool host_parameter_visit(const struct rewriter *rewriter, const struct host_parameter *parameter,
                          bool (*visit)(void *context, const struct host_array *array, struct range argument), void *context);
/* Adds the edits of the functions' parameters, prototypes and calls. */
void host_functions_edit(struct rewriter *rewriter, const struct host_plan *host);

/* ---- host_calls.c, host_edit.c: its edits ----------------------------------------------------- */

/* Adds the edits of one call; marks the helpers that it uses. */
void host_operation_edit(struct rewriter *rewriter, const struct host_plan *host, const struct host_member *member,
                         const struct host_operation *operation, struct helpers *helpers);
/* The arguments that stand for one pointer of the host: "p", or "p_x, p_y, p_z". */
const char *new_pointers(const struct rewriter *rewriter, const struct host_plan *host, const struct host_array *array);
/* Adds the edits of the calls and launches of a group whose plan is good. */
void host_calls_edit(struct rewriter *rewriter, struct host_plan *host, struct helpers *helpers);
/* Adds the edits of the declarations of all groups' device pointers. */
void host_declarations_edit(struct rewriter *rewriter, struct host_plan *hosts, unsigned count);

#endif

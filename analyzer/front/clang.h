/*
 * What the files of this room share which see libclang. Nothing outside analyzer/front includes this.
 */
#ifndef COALESCE_ANALYZER_CLANG_INTERNAL_H
#define COALESCE_ANALYZER_CLANG_INTERNAL_H

#include <clang-c/Index.h>

#include "analyzer/front/front.h"
#include "analyzer/source/source.h"

/* Open-addressed: type by libclang's pointer, declaration by cursor. */
struct front_type_slot {
	const void *key;
	struct source_type *type;
};
struct front_declaration_slot {
	CXCursor cursor;
	struct source_declaration *declaration;
};

/* Reading one translation unit. */
struct front {
	struct arena *arena;
	struct source_unit *unit;
	struct intern *names;
	CXTranslationUnit translation_unit;
	CXFile main_file;
	CXFile other_file; /* the last other file asked for, and its name */
	const char *other_name;
	struct front_type_slot *types;
	size_t type_capacity, type_count;
	struct front_declaration_slot *declarations;
	size_t declaration_capacity, declaration_count;
	struct source_function **pending; /* functions whose body is to be read, from position pending_next on */
	CXCursor *pending_cursors;
	unsigned pending_count, pending_cursor_count, pending_next;
	struct source_clashes clashes; /* of the program's files */
	struct CXUnsavedFile *changed; /* headers that are read with other text; see redeclare.c */
	unsigned changed_count;
	unsigned depth; /* of the expression or statement being read */
};

/* ---- place.c -------------------------------------------------------------- */

/* An interned copy; disposes of the string. */
const char *front_text(struct front *front, CXString string);
struct place front_place(struct front *front, CXSourceLocation location);
/* The range in the main file, and the place of its first character; place may be NULL. */
struct range front_range(struct front *front, CXSourceRange extent, struct place *place);

/* ---- redeclare.c ---------------------------------------------------------------- */

/* Fills front->changed; returns whether the file has to be parsed again because of it. */
bool front_find_redeclared(struct front *front);

/* ---- clashes.c ---------------------------------------------------------------- */

/* Adds to front->clashes what two of a program's files define, each for itself, by one name; returns whether there is
 * more. */
bool front_find_clashes(struct front *front);

/* ---- errors.c ------------------------------------------------------------- */

/* Whether the file has an error; says then that it is why calls of thrust are not followed. */
bool front_report_calls(struct front *front);
/* Whether there is a kernel to analyse; reports where there is none. */
bool front_require_kernel(struct front *front);
/* Reports clang's errors that matter; returns whether one of them forbids the analysis. The functions must have been
 * read. */
bool front_report_errors(struct front *front);
bool front_has_kernel(const struct source_unit *unit);

/* ---- types.c ---------------------------------------------------------------- */

const struct source_type *front_type(struct front *front, CXType type);
/* records.c: fills a record whose name and type are set, and adds it to the unit's. */
void front_record_read(struct front *front, struct record *record, CXType type);
/* The type, where it is a record of the system's whose fields have not been read; else NULL. */
struct source_type *front_type_without_fields(struct front *front, CXType type);

/* ---- declarations.c ----------------------------------------------------------- */

/* The declaration of a variable, parameter, field or function; NULL for other cursors. */
struct source_declaration *front_declaration(struct front *front, CXCursor cursor);
/* A variable that the text does not name. */
struct source_declaration *front_unnamed_variable(struct front *front, const char *name, const struct source_type *type,
                                                  struct place place);
/* Fills unit->functions from the file's own declarations and what they call. */
void front_read_functions(struct front *front);

/* ---- expression.c, call.c, statement.c --------------------------------------------- */

/* Deeper trees than this are cut: OPAQUE. */
#define FRONT_DEPTH_MAX 4000

struct node *front_expression(struct front *front, CXCursor cursor);
struct node *front_statement(struct front *front, CXCursor cursor);
/* A node with its range and place taken from the cursor. */
struct node *front_node(struct front *front, enum node_kind kind, CXCursor cursor);
/* The same, with the expression's type. */
struct node *front_expression_node(struct front *front, enum node_kind kind, CXCursor cursor);
/* Reads all children that are expressions into the node, and returns it. */
struct node *front_push_children(struct front *front, struct node *node, CXCursor cursor);
/*
 * Lets clang evaluate the expression; returns false where it is no integer or real constant. Only expressions of
 * arithmetic type are tried: others, and above all those that clang could not give a type, can make libclang crash.
 */
bool front_evaluate(struct node *node, CXCursor cursor);

#define HEAD_MAX 5

/* The children of a statement with a head, and where the head's text lies. */
struct front_head {
	CXCursor children[HEAD_MAX];
	unsigned count;
	bool has_text;        /* the rest is known */
	unsigned open, close; /* offsets of its parentheses */
	unsigned semicolons[2], semicolon_count;
};

/* loop.c: the head of the statement that begins with that keyword; range is the statement's text. */
struct front_head front_head_read(struct front *front, CXCursor cursor, struct range range, const char *keyword);
unsigned front_cursor_begin(struct front *front, CXCursor cursor);
/* Loops. for (x : range) is a loop of unknown length over an unknown variable. */
struct node *front_read_for(struct front *front, CXCursor cursor);
struct node *front_read_range_for(struct front *front, CXCursor cursor);
struct node *front_read_do(struct front *front, CXCursor cursor);
/* A statement with an attribute in front of it; a pragma is one. */
struct node *front_read_attributed(struct front *front, CXCursor cursor);
/* The kinds of expressions that call.c reads. */
struct node *front_read_unexposed(struct front *front, CXCursor cursor);
struct node *front_read_cast(struct front *front, CXCursor cursor);
struct node *front_read_call(struct front *front, CXCursor cursor);
/* The part of `*this` of that type, which the constructor of a base makes where `made` stands; NULL where it is no
 * base. */
struct node *front_read_base(struct front *front, CXCursor constructor, CXCursor made, CXType type);
/* Constructors that a class has from its base, their parameters, and a body that makes the base. */
bool front_is_inherited(CXCursor constructor);
void front_inherited_parameters(struct front *front, struct source_function *function, CXCursor constructor);
struct node *front_read_inherited(struct front *front, CXCursor constructor);
/* `new T(...)`, whose object is a variable of its own. */
struct node *front_read_new(struct front *front, CXCursor cursor);
/* A lambda. One that launches is a function of its own, which is walked also where nothing of the file calls it. */
struct node *front_read_lambda(struct front *front, CXCursor cursor);
/* Braces. */
struct node *front_read_list(struct front *front, CXCursor cursor);
/* Reads the values that the members of a record of the file begin with. */
void front_read_defaults(struct front *front, CXType type);
/* The member of `this` that an initialiser of a constructor names. */
struct node *front_read_initialized(struct front *front, CXCursor cursor);
struct node *front_opaque(struct front *front, CXCursor cursor, const char *reason);
void front_push(struct front *front, struct node *node, struct node *child);
/* The cursor's children, at most `capacity` of them, those that are expressions or statements or declarations; returns
 * how many there are. */
unsigned front_children(CXCursor cursor, CXCursor *children, unsigned capacity);

#endif

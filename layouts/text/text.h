/*
 * The text of a source file: its tokens, what they spell (calls, declarations, functions), and edits over its byte
 * ranges.
 *
 * Nothing here knows of layouts. A file is read once into a struct edit_source; places in it are token indices, which
 * every function takes past either end, or byte ranges. Edits are collected in any order and done in one pass by
 * edit_render().
 */
#ifndef COALESCE_LAYOUTS_TEXT_TEXT_H
#define COALESCE_LAYOUTS_TEXT_TEXT_H

#include <string.h>

#include "analyzer/analyzer.h"
#include "base/base.h"
#include "base/lookup/lookup.h"

/* Whether a range is empty, as those are that lie in macros or other files. */
static inline bool range_is_empty(struct range range)
{
	return range.end <= range.begin;
}
/* Whether a range that is not empty lies in another. */
static inline bool range_contains(struct range outer, struct range inner)
{
	return !range_is_empty(inner) && outer.begin <= inner.begin && inner.end <= outer.end;
}

/* ---- tokens.c: the source file as C++ tokens -------------------------------------- */

/* DIRECTIVE: a preprocessor line with its continuations, without the newline. Comments are no tokens. */
enum edit_token_kind { TOKEN_IDENTIFIER, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCTUATION, TOKEN_DIRECTIVE };
struct edit_token {
	enum edit_token_kind kind;
	unsigned begin, end;
	unsigned match; /* of ( [ { and ) ] }: the index of its partner; itself where there is none */
	unsigned brace; /* index of the innermost `{` around it; EDIT_NO_TOKEN at file scope */
	unsigned open;  /* index of the innermost ( [ or { around it; EDIT_NO_TOKEN at file scope */
};
#define EDIT_NO_TOKEN ((unsigned)-1)

/* A file's text and its tokens, in order. */
struct edit_source {
	const char *text;
	unsigned length;
	struct edit_token *tokens;
	unsigned token_count;
	struct lookup
		words; /* tokens by the words in them: identifiers, and directives; empty without edit_words_index() */
};
/* Splits a text; never fails: what is no token is punctuation. */
struct edit_source *edit_source_read(struct arena *arena, const char *text, size_t length);
/* Bytes of the byte order mark that a text begins with: 3 or 0. It belongs to no token. */
unsigned edit_mark_length(const char *text, size_t length);
/* Index of the first token that begins at offset or after it; token_count where there is none. */
unsigned edit_token_at(const struct edit_source *source, unsigned offset);
/* Whether token i exists and is spelled so. */
bool edit_is(const struct edit_source *source, unsigned i, const char *spelling);
/* Whether the range is spelled so. */
bool edit_range_is(const struct edit_source *source, struct range range, const char *spelling);
char *edit_copy(struct arena *arena, const struct edit_source *source, struct range range);
/* Whether a name stands as a whole word in a piece of text. */
bool edit_text_has_word(const char *text, size_t text_length, const char *name);
/* Fills source->words, for a source that is asked for many names. */
void edit_words_index(struct arena *arena, struct edit_source *source);
/* The first token from token i on that has the name as a word, preprocessor lines included; token_count where none has.
 */
unsigned edit_word_next(const struct edit_source *source, const char *name, unsigned i);
/* Whether the file has an identifier of that name anywhere, preprocessor lines included. */
bool edit_has_identifier(const struct edit_source *source, const char *name);
/* What the file indents by: a tab, or as many spaces as its blocks mostly stand deeper than what opens them. */
const char *edit_indentation(struct arena *arena, const struct edit_source *source);
/* Where something may be inserted before the declaration at offset: the start of the line where it, or the comment
 * right above it, begins. */
unsigned edit_before_declaration(const struct edit_source *source, unsigned offset);
/* Start of the outermost declaration (namespace, extern "C", class, function) around offset; offset itself at file
 * scope. */
unsigned edit_outermost(const struct edit_source *source, unsigned offset);
/* Start of what holds the offset at file scope, with the comment above it: a function, or a declaration. */
unsigned edit_file_scope(const struct edit_source *source, unsigned offset);

/* The text on one line: comments and newlines become single spaces. For copies of an expression that must not move
 * lines. */
char *edit_single_line(struct arena *arena, const char *text);
/*
 * The text with lines broken that are wider than all of the text before: than 80 columns where that keeps to them, than
 * 100 where it is narrow. indentation: one step.
 */
char *edit_fit_lines(struct arena *arena, const char *before, const char *text, const char *indentation);
/* Whether an expression is one identifier, number, or call or index of one: needs no parentheses as an operand. */
bool edit_is_primary(const char *text);

/* ---- edits.c: replacing byte ranges ------------------------------------------------ */

struct edit;
struct edits;
/* Writes the replacement of an edit; edit_render() gives the text of ranges inside it with their own edits done. */
typedef void edit_writer(struct text *out, const struct edits *edits, const struct edit *edit);

/* A range replaced by fixed text or by what a function writes; an empty range is an insertion. */
struct edit {
	struct range range;
	const char *text;      /* fixed text, or NULL */
	edit_writer *function; /* when text is NULL */
	const void *context;   /* for function */
	unsigned order;        /* of edits at one place: as they were added */
};
struct edits {
	struct arena *arena;
	const struct edit_source *source;
	struct edit *list; /* sorted by edit_sort(): by begin, the outer before the inner */
	unsigned count;
	bool keep_lines; /* replaced text leaves its newlines behind */
};
void edit_add(struct edits *edits, struct range range, const char *text);
void edit_add_writer(struct edits *edits, struct range range, edit_writer *function, const void *context);
void edit_sort(struct edits *edits);
/*
 * Writes a range of the source with its edits done. Edits inside a replaced range are done only where its function
 * renders them. skip: an edit not to be done (the one that is being written), or NULL.
 */
void edit_render(struct text *out, const struct edits *edits, struct range range, const struct edit *skip);
/* The same into the arena. */
char *edit_render_copy(const struct edits *edits, struct range range, const struct edit *skip);

/* ---- pattern.c: code with named holes -------------------------------------------------- */

struct edit_hole {
	char name[16];
	struct range range;
};
struct edit_match {
	unsigned begin, end; /* tokens */
	bool whole;          /* all tokens of a range have to match */
	struct edit_hole holes[12];
	unsigned count;
};
/* Whether the tokens from i on begin like the pattern; pattern.c says what one is. */
bool edit_match_at(const struct edit_source *source, unsigned i, const char *pattern, struct edit_match *match);
/* Whether the whole range is like the pattern. */
bool edit_match_range(const struct edit_source *source, struct range range, const char *pattern,
                      struct edit_match *match);
/* What fills a hole; an empty range where the pattern does not have it. */
struct range edit_hole(const struct edit_match *match, const char *name);

/* ---- calls.c: calls and declarations ------------------------------------------------------ */

#define EDIT_CALL_ARGUMENTS 8
/* A call by name: `cudaMemcpy(a, b, bytes, kind)`; at most EDIT_CALL_ARGUMENTS are counted. */
struct edit_call {
	struct range name, whole;
	struct range arguments[EDIT_CALL_ARGUMENTS];
	unsigned argument_count;
};
/* Whether a call is of that function with that many arguments. */
bool edit_call_is(const struct edit_source *source, const struct edit_call *call, const char *name,
                  unsigned argument_count);
/* Whether an expression is the variable or member itself, `p`, `this->p` or `(void *)p`; with address: `&p` or `(void
 * **)&p`. */
bool edit_is_variable(const struct edit_source *source, struct range expression, const char *name, bool address);
/* Widens a range to whole lines, newline included, where nothing else stands on them. */
struct range edit_whole_lines(const struct edit_source *source, struct range range);
/* Widens a range that goes to whole lines, or by the space between it and what stands before it on its line. */
struct range edit_with_space(const struct edit_source *source, struct range range);
/* Splits what stands between the parenthesis at a token and its partner at the commas that are not in `<>`; returns how
 * many parts, at most max. */
unsigned edit_list_split(const struct edit_source *source, unsigned open, struct range *ranges, unsigned max);
/* Reads the innermost call that has the range inside its arguments. */
bool edit_call_around(const struct edit_source *source, struct range inside, struct edit_call *call);
/* The statement that consists of nothing but the call, `call;` or `CHECK(call);`; an empty range where it is part of
 * something else. */
struct range edit_call_statement(const struct edit_source *source, const struct edit_call *call);

/* Whether it is of a macro of the file's that exchanges two arguments in a block of its own: `SWAP(a, b)`, or `SWAP(a,
 * b, T)` with their type. */
bool edit_macro_exchanges(struct arena *arena, const struct edit_source *source, const struct edit_call *call);

/* Writes a newline and the white space before the statement on its line, or just a space where other text stands before
 * it. */
void edit_separator(struct text *out, const struct edit_source *source, unsigned begin);

#define EDIT_DECLARATORS 32
/* A declaration of pointers: `static float *a, *b = NULL;`. */
struct edit_declaration {
	struct range whole, specifiers;                                             /* whole: with its semicolon */
	struct range declarators[EDIT_DECLARATORS], initialisers[EDIT_DECLARATORS]; /* "*a", "NULL" (or empty) */
	unsigned declarator_count;
};
/* Reads the declaration in which the variable's name stands at that range; false where it is no plain declaration of
 * pointers. */
bool edit_declaration_read(const struct edit_source *source, struct range name, struct edit_declaration *declaration);

/* ---- functions.c: functions and references that the analysis found --------------------- */

/* Where the parts of a function's definition are. */
struct edit_function {
	/* tokens: first of the definition, the name, the parentheses of its parameters */
	unsigned first, name, open, close;
};
/* The braces of a function's body, found by its definition where the analysis has none (template patterns). */
struct range edit_function_braces(const struct edit_source *source, const struct function *function);
/* Finds those parts; false where the text is no plain definition. */
bool edit_function_read(const struct edit_source *source, const struct function *function,
                        struct edit_function *tokens);
/* Whether token i is the function's name in a declaration without a body. */
bool edit_function_is_prototype(const struct edit_source *source, const struct analysis *analysis,
                                const struct function *function, unsigned i);
/* Index of the `struct` or `class` of a record whose definition, with `template <...>` before it, begins at offset. */
unsigned edit_record_keyword(const struct edit_source *source, unsigned offset);
/* A type's or kernel's name as the file itself spells it: without the marks of unnamed namespaces. */
char *edit_spelling(struct arena *arena, const char *name);
/* Whether the name at a token is changed or declared by the tokens [from, to): then its value may not be the same
 * before and after. */
bool edit_name_changes(const struct edit_source *source, unsigned name, unsigned from, unsigned to);
/* First token of the declaration that token i belongs to. */
unsigned edit_declaration_first(const struct edit_source *source, unsigned i);
/* Index of the token after the element itself, `.` or `->` of what is taken from it; the token behind the reference
 * where there is none. */
unsigned edit_reference_tail(const struct edit_source *source, const struct reference *reference);
/* Whether something that is no type has a type's name, too: a variable, member, enumerator or function, which may hide
 * it. */
bool edit_name_may_be_hidden(const struct edit_source *source, const char *name);

/* ---- objects.c -------------------------------------------------------------------------- */

/* The object of which a name is a member, as names: "s->", "all.ions."; empty where none, something else, or `this->`
 * stands before it. */
struct range edit_object_before(const struct edit_source *source, struct range name);
/* Whether other members may stand in the stead of one (the name in its declaration): no text depends on the class's
 * members as a whole. Tokens of its braces. */
bool edit_class_may_grow(const struct edit_source *source, struct range member, unsigned *first, unsigned *last);

/* Whether token i is a preprocessor line of that kind: `# include` with any space. */
bool edit_is_directive(const struct edit_source *source, unsigned i, const char *kind);
/* Whether it is an #include at file scope, or only inside extern "C" blocks. */
bool edit_is_outer_include(const struct edit_source *source, unsigned i);
/* The name of the namespace whose braces open at a token, "a" or "a::b"; NULL where they are no namespace's or it has
 * no name. */
const char *edit_namespace_name(struct arena *arena, const struct edit_source *source, unsigned brace);
/* The namespaces around token i: "a::b::", without unnamed ones. */
const char *edit_namespaces(struct arena *arena, const struct edit_source *source, unsigned i);

#endif

/*
 * Declarations of pointers and references to rows, as pointers to records: `row *p`, `rec (*p)[512]`, `rec p[][512]`,
 * `rec (&r)[512]` become `rec *p`, `rec *r`.
 */
#include "analyzer/rows/internal.h"

#include <string.h>

/* Where the parts of a declaration lie: `const row` and `*__restrict__ p` of `const row *__restrict__ p`. */
struct declarator {
	struct range specifiers, type;         /* type: the words of the specifiers that name it */
	struct range whole;                    /* with parentheses and bounds */
	const char *qualifiers;                /* of the pointer itself: "__restrict__ " or "" */
	bool is_plain;                         /* it has neither parentheses nor bounds */
	bool has_const, has_star, is_followed; /* is_followed: by another declarator */
};

static bool word_is(const struct rows *rows, unsigned at, unsigned length, const char *const *words, unsigned count)
{
	for (unsigned w = 0; w < count; w++)
		if (rows_text_is(rows, (struct range){at, at + length}, words[w]))
			return true;
	return false;
}

static bool is_qualifier(const struct rows *rows, unsigned at, unsigned length)
{
	static const char *const words[] = {"const", "volatile", "__restrict__", "__restrict", "restrict"};

	return word_is(rows, at, length, words, ARRAY_COUNT(words));
}

/* A word of a declaration that does not name its type. */
static bool is_specifier(const struct rows *rows, unsigned at, unsigned length)
{
	static const char *const words[] = {"static", "extern",   "register", "constexpr",    "inline",    "struct",
	                                    "class",  "typename", "mutable",  "__constant__", "__device__"};

	return is_qualifier(rows, at, length) || word_is(rows, at, length, words, ARRAY_COUNT(words));
}

/* Reads the specifiers from an offset on, up to what is no word, `::` or template arguments. */
static void specifiers_read(const struct rows *rows, unsigned at, unsigned end, struct declarator *declarator)
{
	const char *text = rows->unit->text;

	declarator->specifiers = (struct range){at, at};
	for (at = rows_skip(rows, at); at < end; at = rows_skip(rows, at)) {
		unsigned length = rows_word(rows, at);
		bool names = length > 0 ? !is_specifier(rows, at, length) : strchr(":<>,", text[at]) != NULL;

		if (length == 0 && !names)
			break;
		declarator->has_const |= rows_text_is(rows, (struct range){at, at + length}, "const");
		if (names && declarator->type.end == 0)
			declarator->type.begin = at;
		at += length ? length : 1;
		if (names)
			declarator->type.end = at;
		declarator->specifiers.end = at;
	}
}

/* The offset at which the declarator of a name begins: its stars, parentheses and their qualifiers. */
static unsigned declarator_begin(const struct rows *rows, unsigned from, unsigned name)
{
	const char *text = rows->unit->text;
	unsigned begin = name;

	for (unsigned at = name; at > from;) {
		unsigned word = at;

		while (word > from && rows_word(rows, word - 1) > 0)
			word--;
		if (word < at ? !is_qualifier(rows, word, at - word) : !strchr("*&( \t\r\n", text[at - 1]))
			break;
		at = word < at ? word : at - 1;
		begin = strchr("*&(", text[at]) ? at : begin;
	}
	return begin;
}

/* The offset behind the parentheses, so many, and bounds that follow a name. */
static unsigned declarator_end(const struct rows *rows, unsigned at, unsigned parentheses)
{
	const char *text = rows->unit->text;
	unsigned end = at;

	for (at = rows_skip(rows, at); (text[at] == ')' && parentheses > 0) || text[at] == '[';
	     at = rows_skip(rows, end)) {
		end = text[at] == '[' ? rows_closing(rows, at) + 1 : at + 1;
		parentheses -= text[at] == ')';
	}
	return end;
}

static unsigned count_of(const struct rows *rows, struct range range, char wanted)
{
	unsigned count = 0;

	for (unsigned at = range.begin; at < range.end; at++)
		count += rows->unit->text[at] == wanted;
	return count;
}

/* The qualifiers between the star and the name. */
static const char *qualifiers_of(const struct rows *rows, unsigned at, unsigned name)
{
	const char *found = "";

	for (at = rows_skip(rows, at); at < name; at = rows_skip(rows, at)) {
		unsigned length = rows_word(rows, at);

		if (length > 0)
			found = arena_printf(rows->arena, "%s%s ", found,
			                     rows_copy(rows, (struct range){at, at + length}));
		at += length ? length : 1;
	}
	return found;
}

/* Whether a declaration ends between two offsets. */
static bool ends_between(const struct rows *rows, unsigned from, unsigned to)
{
	for (unsigned at = from; at < to; at++)
		if (strchr(";{}", rows->unit->text[at]))
			return true;
	return false;
}

/* Where the text begins that declares it: libclang says of each but the first of several where its own part does. */
static unsigned declaration_begin(const struct rows *rows, const struct source_declaration *declaration)
{
	unsigned begin = declaration->range.begin;

	for (unsigned i = 0; i < rows->flat_count && declaration->kind != DECLARATION_PARAMETER; i++) {
		const struct source_declaration *other = rows->flat[i];

		if (other->kind == declaration->kind && other->range.begin < begin &&
		    !ends_between(rows, other->range.begin, declaration->range.begin))
			begin = other->range.begin;
	}
	return begin;
}

static struct declarator declarator_read(const struct rows *rows, const struct source_declaration *declaration)
{
	unsigned begin = declaration_begin(rows, declaration);
	const char *text = rows->unit->text;
	struct range name = declaration->name_range;
	struct declarator declarator = {.whole = {declarator_begin(rows, begin, name.begin), name.end}};

	declarator.has_star = count_of(rows, (struct range){declarator.whole.begin, name.begin}, '*') > 0;
	declarator.whole.end =
		declarator_end(rows, name.end, count_of(rows, (struct range){declarator.whole.begin, name.begin}, '('));
	declarator.is_plain = declarator.whole.end == name.end;
	specifiers_read(rows, begin, declarator.whole.begin, &declarator);
	declarator.qualifiers = qualifiers_of(rows, declarator.whole.begin, name.begin);
	declarator.is_followed = declaration->kind != DECLARATION_PARAMETER &&
	                         (text[rows_skip(rows, declarator.whole.end)] == ',' ||
	                          rows_skip(rows, declarator.specifiers.end) < declarator.whole.begin);
	return declarator;
}

/* How the record is written where the declaration has the row's type. */
static const char *record_text(const struct rows *rows, const struct source_declaration *declaration,
                               const struct declarator *declarator)
{
	const struct source_type *row = rows_pointee(declaration->type), *record = rows_record(row);

	return arena_printf(rows->arena, "%s%s", row->is_const && !declarator->has_const ? "const " : "",
	                    record->type.spelling);
}

static void type_edit(struct rows *rows, const struct source_declaration *declaration,
                      const struct declarator *declarator)
{
	const char *record = record_text(rows, declaration, declarator);

	if (rows_text_is(rows, declarator->type, "auto") || rows_text_is(rows, declarator->type, record))
		return;
	ARENA_PUSH(rows->arena, rows->types, rows->type_count, rows_copy(rows, declarator->type));
	rows_edit(rows, declarator->type, record);
}

/* Whether all that one text declares are such pointers: they change together. */
static bool all_are_flat(const struct rows *rows, const struct source_declaration *declaration,
                         const struct declarator *declarator)
{
	const char *text = rows->unit->text;
	unsigned declared = 1, flat = 0;

	for (unsigned at = declarator->specifiers.end; at < rows->unit->text_length && text[at] != ';'; at++) {
		if (strchr("([{", text[at]))
			at = rows_closing(rows, at);
		declared += text[at] == ',';
	}
	for (unsigned i = 0; i < rows->flat_count; i++)
		flat += declaration_begin(rows, rows->flat[i]) == declaration_begin(rows, declaration);
	return declared == flat;
}

void rows_declare(struct rows *rows, const struct source_declaration *declaration)
{
	bool is_reference = declaration->type->shape == SHAPE_REFERENCE;
	struct declarator declarator;

	if (!rows_text_is(rows, declaration->name_range, declaration->name)) {
		rows_refuse(rows, declaration->place,
		            "a macro, or no name, stands where one of its pointers is declared");
		return;
	}
	declarator = declarator_read(rows, declaration);
	if (declarator.is_followed && !rows_text_is(rows, declarator.type, "auto") &&
	    !all_are_flat(rows, declaration, &declarator)) {
		rows_refuse(rows, declaration->place, "one of its pointers is declared together with something else");
		return;
	}
	type_edit(rows, declaration, &declarator);
	if (declarator.is_plain && !is_reference &&
	    (declarator.has_star || rows_text_is(rows, declarator.type, "auto")))
		return;
	rows_edit(rows, declarator.whole,
	          arena_printf(rows->arena, "%s*%s%s", declarator.specifiers.end == declarator.whole.begin ? " " : "",
	                       declarator.qualifiers, declaration->name));
}

/* ---- declarations without a body ---------------------------------------------------------------- */

/* The end of a parameter that begins at an offset. */
static unsigned parameter_end(const struct rows *rows, unsigned at, unsigned close)
{
	for (unsigned depth = 0; at < close; at++) {
		char c = rows->unit->text[at];

		if (c == ',' && depth == 0)
			break;
		if (strchr("([{", c))
			at = rows_closing(rows, at);
		depth += c == '<';
		depth -= c == '>' && depth > 0;
	}
	return at;
}

/* Writes the parameters of a list between two offsets as the definition has them. */
static void list_edit(struct rows *rows, const struct source_function *function, unsigned open, unsigned close)
{
	unsigned at = open + 1;

	for (unsigned p = 0; p < function->parameter_count && at < close; p++) {
		const struct source_declaration *parameter = function->parameters[p];
		unsigned begin = rows_skip(rows, at), end = parameter_end(rows, at, close);
		const struct source_type *row = rows_pointee(parameter->type);

		if (rows_is_flat(rows, parameter))
			rows_edit(rows, (struct range){begin, end},
			          arena_printf(rows->arena, "%s%s *%s%s", row->is_const ? "const " : "",
			                       rows_record(row)->type.spelling,
			                       parameter->type->is_restrict ? "__restrict__ " : "", parameter->name));
		at = end + 1;
	}
}

/* Whether a type stands before a name: a word that is no statement's, a star, a reference. */
static bool follows_type(const struct rows *rows, unsigned at)
{
	static const char *const words[] = {"return", "else", "do", "throw", "case", "goto"};
	const char *text = rows->unit->text;
	unsigned begin;

	while (at > 0 && strchr(" \t\r\n", text[at - 1]))
		at--;
	for (begin = at; begin > 0 && rows_word(rows, begin - 1) > 0;)
		begin--;
	return begin < at ? !word_is(rows, begin, at - begin, words, ARRAY_COUNT(words))
	                  : at > 0 && strchr("*&>", text[at - 1]);
}

void rows_prototypes(struct rows *rows, const struct source_function *function)
{
	const char *text = rows->unit->text;
	bool has_flat = false;

	for (unsigned p = 0; p < function->parameter_count; p++)
		has_flat |= rows_is_flat(rows, function->parameters[p]);
	for (unsigned at = 0, length; has_flat && at < rows->unit->text_length; at += length ? length : 1) {
		unsigned open, close;

		at = rows_skip(rows, at);
		length = rows_word(rows, at);
		open = rows_skip(rows, at + length);
		if (!rows_text_is(rows, (struct range){at, at + length}, function->short_name) || text[open] != '(')
			continue;
		close = rows_closing(rows, open);
		if (text[rows_skip(rows, close + 1)] == ';' && follows_type(rows, at))
			list_edit(rows, function, open, close);
	}
}

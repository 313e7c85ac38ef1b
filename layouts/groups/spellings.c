/*
 * How a record's text spells its members' types: the rewritten text keeps a macro or typedef, whose meaning may be
 * another under other flags.
 */
#include <ctype.h>

#include "layouts/groups/groups.h"

/* Whether token i is a member's name where it is declared, right in the braces at token `open`. */
static bool declares_member(const struct edit_source *source, unsigned open, unsigned i, const char *name)
{
	static const char *const behind[] = {";", ",", "[", "=", "{"};
	bool declares = false;

	for (unsigned b = 0; b < ARRAY_COUNT(behind); b++)
		declares |= edit_is(source, i + 1, behind[b]);
	return declares && source->tokens[i].brace == open && edit_is(source, i, name);
}

/* The one token where a member is declared; EDIT_NO_TOKEN where there are several, or none. */
static unsigned member_token(const struct edit_source *source, unsigned open, const char *name)
{
	unsigned found = EDIT_NO_TOKEN;

	for (unsigned i = open + 1; i < source->tokens[open].match; i++) {
		if (!declares_member(source, open, i, name))
			continue;
		if (found != EDIT_NO_TOKEN)
			return EDIT_NO_TOKEN;
		found = i;
	}
	return found;
}

/* First token of the declaration that token i stands in. */
static unsigned declaration_begin(const struct edit_source *source, unsigned i)
{
	static const char *const before[] = {";", "}", "{", ":"};

	for (; i > 0; i--) {
		if (source->tokens[i - 1].kind == TOKEN_DIRECTIVE)
			break;
		for (unsigned b = 0; b < ARRAY_COUNT(before); b++)
			if (edit_is(source, i - 1, before[b]))
				return i;
	}
	return i;
}

/* Whether the declarator of the name at a token has as many bounds as the field, and nothing else. */
static bool is_plain_declarator(const struct edit_source *source, unsigned name, unsigned type,
                                const struct layout_field *field)
{
	unsigned i = name + 1, bounds = 0;

	if (name != type + 1 && !edit_is(source, name - 1, ","))
		return false;
	for (; edit_is(source, i, "["); i = source->tokens[i].match + 1)
		bounds++;
	return bounds == field->dimension_count;
}

/* Whether a directive gives or takes away a macro's meaning where the record was declared already, or takes it away at
 * all. */
static bool directive_changes(const struct edit_source *source, unsigned i, const char *name, unsigned record)
{
	const char *text = source->text + source->tokens[i].begin;
	size_t length = source->tokens[i].end - source->tokens[i].begin;

	if (!edit_is_directive(source, i, "undef") &&
	    (!edit_is_directive(source, i, "define") || source->tokens[i].begin < record))
		return false;
	return edit_text_has_word(text, length, name);
}

/* Whether token i, the name, declares another type, or the same from a later place on or in a smaller scope. */
static bool declares_type(const struct edit_source *source, unsigned i, unsigned record)
{
	static const char *const keywords[] = {"typename", "class", "struct", "union", "enum", "namespace"};
	bool alias = edit_is(source, i - 1, "using") || edit_is(source, declaration_begin(source, i), "typedef");

	for (unsigned k = 0; k < ARRAY_COUNT(keywords); k++)
		if (edit_is(source, i - 1, keywords[k]))
			return true;
	return alias && (source->tokens[i].brace != EDIT_NO_TOKEN || source->tokens[i].begin > record);
}

/* Whether a name means the same from a record's declaration to the end of the file, at whatever place. */
static bool means_one_type(const struct edit_source *source, const char *name, unsigned record)
{
	if (edit_name_may_be_hidden(source, name))
		return false;
	for (unsigned i = 1; i < source->token_count; i++)
		if (source->tokens[i].kind == TOKEN_DIRECTIVE
		            ? directive_changes(source, i, name, record)
		            : edit_is(source, i, name) && declares_type(source, i, record))
			return false;
	return true;
}

/* Whether it is a word of the language. */
static bool is_builtin(const char *name)
{
	static const char *const words[] = {"void",   "bool",     "char",    "short",  "int",      "long",   "unsigned",
	                                    "signed", "float",    "double",  "auto",   "wchar_t",  "const",  "volatile",
	                                    "static", "char16_t", "char8_t", "struct", "char32_t", "mutable"};

	for (unsigned w = 0; w < ARRAY_COUNT(words); w++)
		if (strcmp(name, words[w]) == 0)
			return true;
	return false;
}

/* Whether the record is named before its declaration, where its members' types may not be known. */
static bool is_named_before(const struct edit_source *source, const struct record *record)
{
	for (unsigned i = 0; i < source->token_count && source->tokens[i].begin < record->range.begin; i++)
		if (edit_is(source, i, record->name))
			return true;
	return false;
}

/* "enum kind" for the name of an enumeration of the file's that something else has, too; NULL for other types. */
static const char *enumeration_spelling(struct arena *arena, const struct edit_source *source, const char *type)
{
	if (!edit_name_may_be_hidden(source, type))
		return NULL;
	for (unsigned i = 1; i < source->token_count; i++)
		if (edit_is(source, i, type) && edit_is(source, i - 1, "enum"))
			return arena_printf(arena, "enum %s", type);
	return NULL;
}

/* A field's type as the member is declared with it. */
static const char *declared_spelling(struct arena *arena, const struct edit_source *source, const struct record *record,
                                     const struct layout_field *field)
{
	unsigned open, name, begin;
	const char *type;

	if (range_is_empty(record->range) || strpbrk(record->name, "<(:") || strchr(field->path, '.') ||
	    field->leaf->type.scalar == SCALAR_POINTER || is_named_before(source, record))
		return NULL;
	for (open = edit_record_keyword(source, record->range.begin);
	     open < source->token_count && !edit_is(source, open, "{");)
		open++;
	if (open >= source->token_count || source->tokens[open].brace != EDIT_NO_TOKEN)
		return NULL;
	name = member_token(source, open, field->path);
	if (name == EDIT_NO_TOKEN)
		return NULL;
	begin = declaration_begin(source, name);
	if (source->tokens[begin].kind != TOKEN_IDENTIFIER || source->tokens[begin + 1].kind != TOKEN_IDENTIFIER ||
	    !is_plain_declarator(source, name, begin, field))
		return NULL;
	type = edit_copy(arena, source, (struct range){source->tokens[begin].begin, source->tokens[begin].end});
	return !is_builtin(type) && means_one_type(source, type, record->range.begin) ? type : NULL;
}

const char *group_field_spelling(struct arena *arena, const struct edit_source *source, const struct record *record,
                                 const struct layout_field *field)
{
	const char *type = declared_spelling(arena, source, record, field);

	return type ? type : enumeration_spelling(arena, source, field->type);
}

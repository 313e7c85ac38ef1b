/*
 * Numbers of elements in host code: a size in bytes as the source spells it, taken apart into a count and the element's sizeof.
 */
#include "layouts/internal.h"

/* Whether the sizeof at token i, which ends before token end, is that of the element. */
static bool is_element_size(const struct edits *edits, unsigned i, unsigned end, const struct element_spelling *element)
{
	const struct source *source = edits->source;
	struct range operand = {source->tokens[i + 1].begin, source->tokens[end - 1].end};
	const char *text = text_single_line(edits->arena, source_copy(edits->arena, source, operand));
	const char *spellings[] = {arena_printf(edits->arena, "(%s)", element->type),
	                           arena_printf(edits->arena, "(struct %s)", element->type),
	                           arena_printf(edits->arena, "(*%s)", element->variable),
	                           arena_printf(edits->arena, "*%s", element->variable),
	                           arena_printf(edits->arena, "(%s[0])", element->variable),
	                           arena_printf(edits->arena, "%s[0]", element->variable)};

	for (unsigned s = 0; s < ARRAY_COUNT(spellings); s++)
		if (strcmp(text, spellings[s]) == 0)
			return true;
	return false;
}

/* Whether the tokens [begin, end) are a product: between its factors nothing but `*` at depth 0. */
static bool is_product(const struct source *source, unsigned begin, unsigned end)
{
	static const char *const others[] = {"+", "-", "/", "%", "<<", ">>", "?", ":", "<", ">", "<=", ">=", "==",
	                                     "!=", "&", "|", "^", "&&", "||", "=", ","};

	for (unsigned i = begin; i < end; i++) {
		for (unsigned o = 0; o < ARRAY_COUNT(others); o++)
			if (source_is(source, i, others[o]))
				return false;
		if (source->tokens[i].match > i)
			i = source->tokens[i].match;
	}
	return end > begin;
}

/* Index of the `*` before a product's last factor when that factor is the element's size; NO_TOKEN where it is not so. */
static unsigned last_factor(const struct edits *edits, unsigned begin, unsigned end, const struct element_spelling *element)
{
	const struct source *source = edits->source;

	if (!is_product(source, begin, end))
		return NO_TOKEN;
	for (unsigned i = end; i-- > begin;)
		if (source_is(source, i, "sizeof"))
			return i > begin + 1 && i + 1 < end && source_is(source, i - 1, "*") &&
					       is_element_size(edits, i, end, element)
				       ? i - 1
				       : NO_TOKEN;
	return NO_TOKEN;
}

void count_write(struct text *out, const struct edits *edits, const struct edit *edit, struct range bytes,
                 const struct element_spelling *element)
{
	const struct source *source = edits->source;
	unsigned begin = source_token_at(source, bytes.begin), end = source_token_at(source, bytes.end);
	unsigned star = last_factor(edits, begin, end, element);
	const char *text;

	if (star != NO_TOKEN) {
		edits_render(out, edits, (struct range){bytes.begin, source->tokens[star - 1].end}, edit);
		return;
	}
	text = edits_render_copy(edits, bytes, edit);
	text_printf(out, text_is_primary(text) ? "%s / sizeof(%s)" : "(%s) / sizeof(%s)", text, element->type);
}

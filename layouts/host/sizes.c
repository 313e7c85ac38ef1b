/*
 * Numbers of elements in host code: a size in bytes as the source spells it, taken apart into a count and the
 * element's sizeof.
 */
#include "layouts/host/internal.h"

/* Whether the sizeof at token i, which ends before token end, is that of the element. */
static bool is_element_size(const struct edits *edits, unsigned i, unsigned end, const struct rehost_element *element)
{
	const struct edit_source *source = edits->source;
	struct range operand = {source->tokens[i + 1].begin, source->tokens[end - 1].end};
	const char *text = edit_single_line(edits->arena, edit_copy(edits->arena, source, operand));
	const char *spellings[] = {arena_printf(edits->arena, "(%s)", element->type),
	                           arena_printf(edits->arena, "(struct %s)", element->type),
	                           arena_printf(edits->arena, "(%s)", element->spelled),
	                           arena_printf(edits->arena, "(*%s)", element->variable),
	                           arena_printf(edits->arena, "*%s", element->variable),
	                           arena_printf(edits->arena, "(%s[0])", element->variable),
	                           arena_printf(edits->arena, "%s[0]", element->variable)};

	for (unsigned s = 0; s < ARRAY_COUNT(spellings); s++)
		if (strcmp(text, spellings[s]) == 0)
			return true;
	return false;
}

/*
 * Whether the tokens [begin, end) are a product: between its factors nothing but `*`, or with quotients also `/` and
 * `%`, at depth 0.
 */
static bool is_product(const struct edit_source *source, unsigned begin, unsigned end, bool quotients)
{
	static const char *const others[] = {"/",  "%",  "+",  "-", "<<", ">>", "?",  ":",  "<", ">", "<=",
	                                     ">=", "==", "!=", "&", "|",  "^",  "&&", "||", "=", ","};

	for (unsigned i = begin; i < end; i++) {
		for (unsigned o = quotients ? 2 : 0; o < ARRAY_COUNT(others); o++)
			if (edit_is(source, i, others[o]))
				return false;
		if (source->tokens[i].match > i)
			i = source->tokens[i].match;
	}
	return end > begin;
}

/* Whether tokens [begin, end) have a `*` at depth 0. */
static bool has_factors(const struct edit_source *source, unsigned begin, unsigned end)
{
	for (unsigned i = begin; i < end; i++) {
		if (edit_is(source, i, "*"))
			return true;
		if (source->tokens[i].match > i)
			i = source->tokens[i].match;
	}
	return false;
}

/*
 * Writes a product of which the last or the first factor is the element's size without that factor; false where it is
 * not so. What stood behind a first factor was computed as size_t, and still is.
 */
static bool factors_write(struct text *out, const struct edits *edits, const struct edit *edit, struct range bytes,
                          const struct rehost_element *element)
{
	const struct edit_source *source = edits->source;
	unsigned begin = edit_token_at(source, bytes.begin), end = edit_token_at(source, bytes.end), size = end;

	if (!is_product(source, begin, end, true))
		return false;
	while (size > begin && !edit_is(source, size, "sizeof"))
		size--;
	if (size > begin + 1 && size + 1 < end && edit_is(source, size - 1, "*") &&
	    is_element_size(edits, size, end, element)) {
		edit_render(out, edits, (struct range){bytes.begin, source->tokens[size - 2].end}, edit);
		return true;
	}
	if (!is_product(source, begin, end, false) || !edit_is(source, begin, "sizeof") ||
	    !edit_is(source, begin + 1, "("))
		return false;
	size = source->tokens[begin + 1].match + 1;
	if (size + 1 >= end || !edit_is(source, size, "*") || !is_element_size(edits, begin, size, element))
		return false;
	text_puts(out, has_factors(source, size + 1, end) ? "(size_t)" : "");
	edit_render(out, edits, (struct range){source->tokens[size + 1].begin, bytes.end}, edit);
	return true;
}

void rehost_count_write(struct text *out, const struct edits *edits, const struct edit *edit, struct range bytes,
                        const struct rehost_element *element)
{
	const char *text;

	if (factors_write(out, edits, edit, bytes, element))
		return;
	text = edit_render_copy(edits, bytes, edit);
	text_printf(out, edit_is_primary(text) ? "%s / sizeof(%s)" : "(%s) / sizeof(%s)", text, element->written);
}

void rehost_tiled_count_write(struct text *out, const struct edits *edits, const struct edit *edit, struct range bytes,
                              const struct rehost_element *element, unsigned tile)
{
	struct text tiles = {0};
	char *tail = arena_printf(edits->arena, " + %u) / %u", tile - 1, tile);
	size_t length = strlen(tail);

	rehost_count_write(&tiles, edits, edit, bytes, element);
	if (tiles.data[0] == '(' && tiles.length > length && strcmp(tiles.data + tiles.length - length, tail) == 0)
		text_append(out, tiles.data + 1, tiles.length - length - 1);
	else
		text_printf(out, edit_is_primary(tiles.data) ? "%s * %u" : "(%s) * %u", tiles.data, tile);
	text_release(&tiles);
}

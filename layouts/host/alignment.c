/*
 * A record's own declaration: giving it another alignment in place, and telling whether the sizes that host code
 * computes would follow.
 */
#include <stdlib.h>

#include "layouts/host/internal.h"

static const char *const alignment_patterns[] = {"__align__(@bytes)", "alignas(@bytes)", "_Alignas(@bytes)",
                                                 "__builtin_align__(@bytes)", "__attribute__((aligned(@bytes)))"};

/*
 * Index of the record's `struct` or `class` and of its opening brace; false where the text is not a plain definition.
 */
static bool record_tokens(const struct edit_source *source, const struct record *record, unsigned *keyword,
                          unsigned *brace)
{
	unsigned i = edit_record_keyword(source, record->range.begin);

	*keyword = i;
	while (i < source->token_count && !edit_is(source, i, "{") && !edit_is(source, i, ";"))
		i++;
	*brace = i;
	return edit_is(source, i, "{") && source->tokens[i].end <= record->range.end;
}

/* Whether token i begins an alignment; then end is the index after it. */
static bool is_alignment(const struct edit_source *source, unsigned i, unsigned *end)
{
	struct edit_match match;

	for (unsigned p = 0; p < ARRAY_COUNT(alignment_patterns); p++)
		if (edit_match_at(source, i, alignment_patterns[p], &match)) {
			*end = match.end;
			return true;
		}
	return false;
}

/* Counts the alignments among tokens [from, to), and removes them when edits is given. */
static unsigned alignments_remove(const struct edit_source *source, struct edits *edits, unsigned from, unsigned to)
{
	unsigned count = 0, end;

	for (unsigned i = from; i < to; i++)
		if (is_alignment(source, i, &end)) {
			unsigned next =
				end < source->token_count ? source->tokens[end].begin : source->tokens[end - 1].end;
			bool same_line = !memchr(source->text + source->tokens[end - 1].end, '\n',
			                         next - source->tokens[end - 1].end);

			if (edits)
				edit_add(edits,
				         (struct range){source->tokens[i].begin,
				                        same_line ? next : source->tokens[end - 1].end},
				         "");
			count++;
			i = end - 1;
		}
	return count;
}

/* Index of the semicolon that ends the declaration whose body opens at brace, or of the last token. */
static unsigned record_end(const struct edit_source *source, unsigned brace)
{
	unsigned i = source->tokens[brace].match;

	while (i + 1 < source->token_count && !edit_is(source, i, ";"))
		i++;
	return i;
}

bool rehost_can_align(const struct edit_source *source, const struct layout_group *group)
{
	const struct record *record = group->record;
	unsigned keyword, brace, found;

	if (!record || record->range.end == 0 || strchr(record->name, '<') || !group->written->keeps_record ||
	    !record_tokens(source, record, &keyword, &brace))
		return false;
	found = alignments_remove(source, NULL, keyword + 1, brace) +
	        alignments_remove(source, NULL, source->tokens[brace].match, record_end(source, brace));
	return found > 0 || record->type.align_bytes == group->align_bytes;
}

void rehost_align(struct edits *edits, const struct placement *placement)
{
	const struct edit_source *source = edits->source;
	unsigned keyword, brace;

	if (!record_tokens(source, placement->group->record, &keyword, &brace))
		bug("a record without a definition");
	if (placement->align_bytes == placement->group->record->type.align_bytes)
		return;
	alignments_remove(source, edits, keyword + 1, brace);
	alignments_remove(source, edits, source->tokens[brace].match, record_end(source, brace));
	if (placement->align_bytes != placement->group->align_bytes)
		edit_add(edits, (struct range){source->tokens[keyword].end, source->tokens[keyword].end},
		         arena_printf(edits->arena, " __align__(%llu)", (unsigned long long)placement->align_bytes));
}

/* ---- sizes ---------------------------------------------------------------------------- */

/* Whether a variable of the name at token i is declared somewhere with the record's name: `struct point a, h[9];`. */
static bool is_declared_as(const struct edit_source *source, unsigned i, const char *record)
{
	char *name = strndup(source->text + source->tokens[i].begin, source->tokens[i].end - source->tokens[i].begin);
	bool found = false;

	for (unsigned t = 0; t + 1 < source->token_count && !found; t++) {
		if (!edit_is(source, t, record) || edit_is(source, t + 1, ")"))
			continue;
		for (unsigned d = t + 1;
		     d < source->token_count && !found && !edit_is(source, d, ";") && !edit_is(source, d, ")"); d++)
			found = edit_is(source, d, name);
	}
	free(name);
	return found;
}

/* Whether the sizeof at token i is of the record: it names the record, or a variable or element of that type. */
static bool sizeof_is_of_record(const struct edit_source *source, unsigned i, const struct record *record)
{
	const char *name = strrchr(record->name, ':') ? strrchr(record->name, ':') + 1 : record->name;

	for (i++; edit_is(source, i, "(") || edit_is(source, i, "*") || edit_is(source, i, "struct") ||
	          edit_is(source, i, "const");)
		i++;
	if (i >= source->token_count || source->tokens[i].kind != TOKEN_IDENTIFIER)
		return false;
	return edit_is(source, i, name) || is_declared_as(source, i, name);
}

/* Whether the sizeof at token i is of a template's type: what is written so follows every type. */
static bool sizeof_is_of_template_type(const struct edit_source *source, unsigned i)
{
	struct edit_match match;
	struct range type;

	if (!edit_match_at(source, i, "sizeof($type)", &match))
		return false;
	type = edit_hole(&match, "type");
	for (unsigned k = 1; k + 1 < source->token_count; k++)
		if ((edit_is(source, k, "typename") || edit_is(source, k, "class")) &&
		    (edit_is(source, k - 1, "<") || edit_is(source, k - 1, ",")) &&
		    source->tokens[k + 1].end - source->tokens[k + 1].begin == type.end - type.begin &&
		    memcmp(source->text + source->tokens[k + 1].begin, source->text + type.begin,
		           type.end - type.begin) == 0)
			return true;
	return false;
}

/* Whether the tokens [from, to) contain a sizeof of the record. */
static bool tokens_follow_record(const struct edit_source *source, unsigned from, unsigned to,
                                 const struct record *record)
{
	for (unsigned i = from; i < to; i++)
		if (edit_is(source, i, "sizeof") &&
		    (sizeof_is_of_record(source, i, record) || sizeof_is_of_template_type(source, i)))
			return true;
	return false;
}

/* Whether a #define of that name contains a sizeof of the record's name. */
static bool macro_follows_record(const struct edit_source *source, const char *name, const struct record *record)
{
	for (unsigned i = 0; i < source->token_count; i++) {
		const char *line = source->text + source->tokens[i].begin;
		size_t length = source->tokens[i].end - source->tokens[i].begin;
		struct arena *arena;
		const struct edit_source *words;
		bool follows;

		if (source->tokens[i].kind != TOKEN_DIRECTIVE || !memmem(line, length, "sizeof", 6))
			continue;
		arena = arena_create();
		words = edit_source_read(arena, line + 1, length - 1);
		follows = edit_is(words, 0, "define") && edit_is(words, 1, name) &&
		          tokens_follow_record(words, 2, words->token_count, record);
		arena_release(arena);
		if (follows)
			return true;
	}
	return false;
}

/* Whether a variable of that name is given a size of the record somewhere: `name = ... sizeof(struct point) ...;`. */
static bool variable_follows_record(const struct edit_source *source, const char *name, const struct record *record)
{
	for (unsigned i = 0; i + 1 < source->token_count; i++) {
		unsigned end = i + 2;

		if (!edit_is(source, i, name) ||
		    !(edit_is(source, i + 1, "=") || edit_is(source, i + 1, "(") || edit_is(source, i + 1, "{")))
			continue;
		while (end < source->token_count && !edit_is(source, end, ";") && !edit_is(source, end, ","))
			end++;
		if (tokens_follow_record(source, i + 2, end, record))
			return true;
	}
	return false;
}

bool rehost_size_follows(const struct edit_source *source, struct range size, const struct record *record)
{
	unsigned from = edit_token_at(source, size.begin), to = edit_token_at(source, size.end);

	if (size.end <= size.begin)
		return false;
	if (tokens_follow_record(source, from, to, record))
		return true;
	for (unsigned i = from; i < to; i++) {
		char name[128];
		unsigned length = source->tokens[i].end - source->tokens[i].begin;

		if (source->tokens[i].kind != TOKEN_IDENTIFIER || length >= sizeof(name))
			continue;
		memcpy(name, source->text + source->tokens[i].begin, length);
		name[length] = '\0';
		if (variable_follows_record(source, name, record) || macro_follows_record(source, name, record))
			return true;
	}
	return false;
}

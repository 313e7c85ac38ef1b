/*
 * The source file as C++ tokens: enough to find statements, arguments and declarations around the byte ranges that
 * the analyzer gives. No preprocessing: directives are tokens of their own, branches of #if that the compiler skips
 * are tokens like others.
 */
#include <ctype.h>

#include "layouts/text/text.h"

/* ---- where a token ends --------------------------------------------------------- */

static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_name_part(char c)
{
	return is_name_start(c) || isdigit((unsigned char)c);
}

/* Bytes of the backslash and line end at i that join two lines; 0 where there are none. */
static unsigned continuation_length(const char *text, unsigned length, unsigned i)
{
	if (text[i] != '\\' || i + 1 >= length)
		return 0;
	if (text[i + 1] == '\n')
		return 2;
	return i + 2 < length && text[i + 1] == '\r' && text[i + 2] == '\n' ? 3 : 0;
}

/* Returns where the line that holds i ends, its continuations included: at a newline or the end of the text. */
static unsigned joined_line_end(const char *text, unsigned length, unsigned i)
{
	while (i < length && text[i] != '\n') {
		unsigned continued = continuation_length(text, length, i);

		i += continued > 0 ? continued : 1;
	}
	return i;
}

/* Returns the end of the comment that begins at i, or i where none does. A line comment ends before its newline. */
static unsigned comment_end(const char *text, unsigned length, unsigned i)
{
	if (i + 1 >= length || text[i] != '/' || (text[i + 1] != '/' && text[i + 1] != '*'))
		return i;
	if (text[i + 1] == '/')
		return joined_line_end(text, length, i);
	for (i += 2; i < length; i++)
		if (text[i] == '*' && i + 1 < length && text[i + 1] == '/')
			return i + 2;
	return length;
}

/* Returns the end of a string or character literal whose quote is at i; an unfinished one ends at the line's end. */
static unsigned quoted_end(const char *text, unsigned length, unsigned i)
{
	char quote = text[i++];

	while (i < length && text[i] != quote && text[i] != '\n')
		i += text[i] == '\\' && i + 1 < length ? 2 : 1;
	return i < length && text[i] == quote ? i + 1 : i;
}

/* Returns the end of R"delimiter( ... )delimiter" whose quote is at i. */
static unsigned raw_string_end(const char *text, unsigned length, unsigned i)
{
	unsigned start = i + 1, open = start;

	while (open < length && open - start <= 16 && text[open] != '(')
		open++;
	for (unsigned k = open; k < length; k++) {
		unsigned after = k + 1 + (open - start);

		if (text[k] == ')' && after < length && memcmp(text + k + 1, text + start, open - start) == 0 &&
		    text[after] == '"')
			return after + 1;
	}
	return length;
}

/*
 * Returns the end of the preprocessor line that begins at i: continuations and comments belong to it, its newline
 * does not.
 */
static unsigned directive_end(const char *text, unsigned length, unsigned i)
{
	while (i < length && text[i] != '\n') {
		unsigned comment = comment_end(text, length, i);

		if (comment > i)
			i = comment;
		else if (text[i] == '"' || text[i] == '\'')
			i = quoted_end(text, length, i);
		else
			i += continuation_length(text, length, i) > 0 ? continuation_length(text, length, i) : 1;
	}
	return i;
}

/* Returns the end of a preprocessing number: digits, names, quotes between digits, signs after an exponent. */
static unsigned number_end(const char *text, unsigned length, unsigned i)
{
	while (i < length) {
		bool sign = (text[i] == '+' || text[i] == '-') && strchr("eEpP", text[i - 1]);
		bool separator = text[i] == '\'' && i + 1 < length && is_name_part(text[i + 1]);

		if (!is_name_part(text[i]) && text[i] != '.' && !sign && !separator)
			return i;
		i++;
	}
	return i;
}

static unsigned name_end(const char *text, unsigned length, unsigned i)
{
	while (i < length && is_name_part(text[i]))
		i++;
	return i;
}

static unsigned punctuation_end(const char *text, unsigned length, unsigned i)
{
	static const char *const pairs[] = {"->", "::", "++", "--", "==", "!=", "<=", ">=", "&&", "||",
	                                    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>"};

	if (i + 1 >= length || !text[i + 1] || !strchr(">:+-=&|<", text[i + 1]))
		return i + 1;
	for (unsigned k = 0; k < ARRAY_COUNT(pairs); k++)
		if (text[i] == pairs[k][0] && text[i + 1] == pairs[k][1])
			return i + 2;
	return i + 1;
}

/* Reads the token at i; at_line_start: nothing but space stands before it on its line. */
static struct edit_token token_read(const char *text, unsigned length, unsigned i, bool at_line_start)
{
	struct edit_token token = {TOKEN_PUNCTUATION, i, i, 0, EDIT_NO_TOKEN, EDIT_NO_TOKEN};

	if (text[i] == '#' && at_line_start) {
		token.kind = TOKEN_DIRECTIVE;
		token.end = directive_end(text, length, i);
	} else if (is_name_start(text[i])) {
		token.kind = TOKEN_IDENTIFIER;
		token.end = name_end(text, length, i);
		if (token.end < length && text[token.end] == '"' && text[token.end - 1] == 'R') {
			token.kind = TOKEN_STRING;
			token.end = raw_string_end(text, length, token.end);
		}
	} else if (isdigit((unsigned char)text[i]) ||
	           (text[i] == '.' && i + 1 < length && isdigit((unsigned char)text[i + 1]))) {
		token.kind = TOKEN_NUMBER;
		token.end = number_end(text, length, i + 1);
	} else if (text[i] == '"' || text[i] == '\'') {
		token.kind = TOKEN_STRING;
		token.end = quoted_end(text, length, i);
	} else {
		token.end = punctuation_end(text, length, i);
	}
	return token;
}

/* ---- the file ---------------------------------------------------------------------- */

/* Fills every token's partner, innermost brace and innermost bracket; brackets that do not pair up stay alone. */
static void tokens_match(struct arena *arena, struct edit_source *source)
{
	unsigned *open = arena_array(arena, source->token_count + 1, sizeof(*open)), depth = 0, brace = EDIT_NO_TOKEN;

	for (unsigned i = 0; i < source->token_count; i++) {
		struct edit_token *token = &source->tokens[i];
		char c = token->kind == TOKEN_PUNCTUATION && token->end == token->begin + 1 ? source->text[token->begin]
		                                                                            : ' ';
		static const char opening[] = "([{", closing[] = ")]}";
		const char *closes = strchr(closing, c);

		token->match = i;
		if (closes && depth > 0 &&
		    source->text[source->tokens[open[depth - 1]].begin] == opening[closes - closing]) {
			token->match = open[--depth];
			source->tokens[token->match].match = i;
			if (c == '}')
				brace = source->tokens[token->match].brace;
		}
		token->brace = brace;
		token->open = depth > 0 ? open[depth - 1] : EDIT_NO_TOKEN;
		if (strchr(opening, c)) {
			open[depth++] = i;
			if (c == '{')
				brace = i;
		}
	}
}

unsigned edit_mark_length(const char *text, size_t length)
{
	return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

struct edit_source *edit_source_read(struct arena *arena, const char *text, size_t length)
{
	struct edit_source *source = arena_alloc(arena, sizeof(*source));
	bool at_line_start = true;

	source->text = text;
	source->length = (unsigned)length;
	for (unsigned i = edit_mark_length(text, source->length); i < source->length;) {
		unsigned comment = comment_end(text, source->length, i);

		if (comment > i) {
			i = comment;
		} else if (isspace((unsigned char)text[i]) || text[i] == '\\' || text[i] == '\0') {
			at_line_start |= text[i++] == '\n';
		} else {
			struct edit_token token = token_read(text, source->length, i, at_line_start);

			ARENA_PUSH(arena, source->tokens, source->token_count, token);
			at_line_start = false;
			i = token.end;
		}
	}
	tokens_match(arena, source);
	return source;
}

unsigned edit_token_at(const struct edit_source *source, unsigned offset)
{
	unsigned low = 0, high = source->token_count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (source->tokens[middle].begin < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool edit_range_is(const struct edit_source *source, struct range range, const char *spelling)
{
	size_t length = strlen(spelling);

	return range.end - range.begin == length && memcmp(source->text + range.begin, spelling, length) == 0;
}

bool edit_is(const struct edit_source *source, unsigned i, const char *spelling)
{
	if (i >= source->token_count)
		return false;
	return edit_range_is(source, (struct range){source->tokens[i].begin, source->tokens[i].end}, spelling);
}

char *edit_copy(struct arena *arena, const struct edit_source *source, struct range range)
{
	return arena_strndup(arena, source->text + range.begin, range.end - range.begin);
}

bool edit_text_has_word(const char *text, size_t text_length, const char *name)
{
	size_t length = strlen(name);
	const char *end = text + text_length;

	for (const char *p = text; p < end && (p = memmem(p, (size_t)(end - p), name, length)) != NULL; p++)
		if ((p == text || !is_name_part(p[-1])) && (p + length == end || !is_name_part(p[length])))
			return true;
	return false;
}

static uint64_t word_hash(const char *text, size_t length)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < length; i++)
		hash = lookup_mix(hash, (unsigned char)text[i]);
	return hash;
}

static bool has_words(const struct edit_token *token)
{
	return token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_DIRECTIVE;
}

static bool token_has_word(const struct edit_source *source, unsigned i, const char *name)
{
	const struct edit_token *token = &source->tokens[i];

	return has_words(token) && edit_text_has_word(source->text + token->begin, token->end - token->begin, name);
}

void edit_words_index(struct arena *arena, struct edit_source *source)
{
	for (unsigned t = 0; t < source->token_count; t++) {
		const struct edit_token *token = &source->tokens[t];

		for (unsigned i = token->begin, end; has_words(token) && i < token->end; i = end) {
			end = is_name_part(source->text[i]) ? name_end(source->text, token->end, i) : i + 1;
			if (is_name_part(source->text[i]))
				lookup_add(arena, &source->words, word_hash(source->text + i, end - i), t);
		}
	}
}

/* The first entry of the words' index at token i or behind it that has the name. */
static unsigned word_find(const struct edit_source *source, const char *name, unsigned i)
{
	const struct lookup_entry *entry = lookup_first(&source->words, word_hash(name, strlen(name)));

	while (entry && (entry->position < i || !token_has_word(source, entry->position, name)))
		entry = lookup_next(&source->words, entry);
	return entry ? entry->position : source->token_count;
}

unsigned edit_word_next(const struct edit_source *source, const char *name, unsigned i)
{
	if (source->words.entry_count)
		return word_find(source, name, i);
	while (i < source->token_count && !token_has_word(source, i, name))
		i++;
	return i;
}

bool edit_has_identifier(const struct edit_source *source, const char *name)
{
	return edit_word_next(source, name, 0) < source->token_count;
}

#define DEEPEST_STEP 8

const char *edit_indentation(struct arena *arena, const struct edit_source *source)
{
	unsigned steps[DEEPEST_STEP + 1] = {0}, tabs = 0, best = 0, before = 0;

	for (unsigned i = 0; i < source->token_count; i++) {
		unsigned begin = source->tokens[i].begin, spaces = 0;

		while (spaces < begin && source->text[begin - spaces - 1] == ' ')
			spaces++;
		if (spaces < begin && source->text[begin - spaces - 1] == '\t')
			tabs++;
		if (spaces < begin && source->text[begin - spaces - 1] != '\n')
			continue;
		if (i > 0 && edit_is(source, i - 1, "{") && spaces > before && spaces - before <= DEEPEST_STEP)
			steps[spaces - before]++;
		before = spaces;
	}
	for (unsigned s = 1; s <= DEEPEST_STEP; s++)
		best = steps[s] > steps[best] ? s : best;
	return best > 0 && steps[best] > tabs ? arena_printf(arena, "%*s", (int)best, "") : "\t";
}

/* Start of the line that holds offset; not before a byte order mark. */
static unsigned line_start(const struct edit_source *source, unsigned offset)
{
	while (offset > edit_mark_length(source->text, source->length) && source->text[offset - 1] != '\n')
		offset--;
	return offset;
}

static bool line_is_blank(const struct edit_source *source, unsigned start)
{
	while (start < source->length && source->text[start] != '\n' && isspace((unsigned char)source->text[start]))
		start++;
	return start >= source->length || source->text[start] == '\n';
}

unsigned edit_before_declaration(const struct edit_source *source, unsigned offset)
{
	unsigned token = edit_token_at(source, offset);
	unsigned previous_end = token > 0 ? source->tokens[token - 1].end : 0;
	unsigned start = line_start(source, offset);

	if (start < previous_end)
		return offset;
	while (start > previous_end) {
		unsigned above = line_start(source, start - 1);

		if (above < previous_end || line_is_blank(source, above))
			break;
		start = above;
	}
	return start;
}

/*
 * Whether the declaration that token i belongs to begins there: nothing, `;`, a brace, a label or a directive stands
 * before it.
 */
static bool declaration_begins(const struct edit_source *source, unsigned i)
{
	return i == 0 || source->tokens[i - 1].kind == TOKEN_DIRECTIVE || edit_is(source, i - 1, ";") ||
	       edit_is(source, i - 1, "}") || edit_is(source, i - 1, "{");
}

unsigned edit_outermost(const struct edit_source *source, unsigned offset)
{
	unsigned i = edit_token_at(source, offset), brace = EDIT_NO_TOKEN;

	if (i >= source->token_count)
		return offset;
	for (unsigned outer = source->tokens[i].brace; outer != EDIT_NO_TOKEN; outer = source->tokens[outer].brace)
		brace = outer;
	if (brace == EDIT_NO_TOKEN)
		return offset;
	while (!declaration_begins(source, brace))
		brace--;
	return source->tokens[brace].begin;
}

/* ---- texts made of tokens ------------------------------------------------------------ */

char *edit_single_line(struct arena *arena, const char *text)
{
	unsigned length = (unsigned)strlen(text), out = 0;
	char *copy = arena_alloc(arena, length + 1);

	for (unsigned i = 0; i < length;) {
		unsigned comment = comment_end(text, length, i);
		bool gap = comment > i || isspace((unsigned char)text[i]);

		if (!gap)
			copy[out++] = text[i++];
		else if (out > 0 && copy[out - 1] != ' ')
			copy[out++] = ' ';
		if (gap)
			i = comment > i ? comment : i + 1;
	}
	while (out > 0 && copy[out - 1] == ' ')
		out--;
	copy[out] = '\0';
	return copy;
}

bool edit_is_primary(const char *text)
{
	unsigned length = (unsigned)strlen(text), depth = 0;

	for (unsigned i = 0; i < length; i++) {
		bool inside = depth > 0;

		depth += text[i] == '(' || text[i] == '[';
		depth -= depth > 0 && (text[i] == ')' || text[i] == ']');
		if (!inside && depth == 0 && !is_name_part(text[i]) && text[i] != '.')
			return false;
	}
	return length > 0 && depth == 0;
}

unsigned edit_file_scope(const struct edit_source *source, unsigned offset)
{
	unsigned i = edit_token_at(source, edit_outermost(source, offset));

	while (i > 0 && !edit_is(source, i - 1, ";") && !edit_is(source, i - 1, "}") &&
	       source->tokens[i - 1].kind != TOKEN_DIRECTIVE)
		i--;
	return edit_before_declaration(source, source->tokens[i].begin);
}

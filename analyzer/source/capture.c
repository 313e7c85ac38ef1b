/*
 * Lambdas: their parts, and the variables that they capture. With [=] these are the names in the body which the
 * function around it declares before. An object whose class the file defines is read as a lambda that captures its
 * members.
 */
#include "analyzer/source/ranges.h"

#include <string.h>

static const char *const not_types[] = {"return", "case",  "new",    "delete",   "else",
                                        "goto",   "throw", "sizeof", "typename", "operator"};

bool source_lambda_read(const struct line_reader *file, struct passage passage, struct source_lambda *lambda)
{
	size_t close, open;

	passage = source_passage_trim(file, passage);
	if (passage.begin >= passage.end || file->text[passage.begin] != '[')
		return false;
	close = source_bracket_end(file, passage.begin);
	lambda->captures = (struct passage){passage.begin + 1, close - 1};
	open = close + strcspn(file->text + close, "({");
	lambda->is_device = source_passage_has_word(file, (struct passage){close, open}, "__device__");
	if (open >= passage.end || file->text[open] != '(')
		return false;
	close = source_bracket_end(file, open);
	lambda->parameters = (struct passage){open + 1, close - 1};
	open = close + strcspn(file->text + close, "{");
	if (open >= passage.end)
		return false;
	lambda->is_device |= source_passage_has_word(file, (struct passage){close, open}, "__device__");
	lambda->body = (struct passage){open, source_bracket_end(file, open)};
	return lambda->body.end <= passage.end;
}

/* ---- captures -------------------------------------------------------------------------------- */

static bool word_is(const char *word, size_t length, const char *text)
{
	return strlen(text) == length && strncmp(word, text, length) == 0;
}

/* The word that ends before an offset, blanks and `*`, `&` between them passed over; its length, 0 where there is none.
 */
static size_t word_before(const struct line_reader *file, size_t offset, size_t *begin)
{
	size_t end = offset;

	while (end > 0 && strchr(" \t\r\n*&", file->text[end - 1]))
		end--;
	for (*begin = end; *begin > 0 && strchr(SOURCE_WORD_CHARACTERS, file->text[*begin - 1]);)
		--*begin;
	return end - *begin;
}

/* Whether a name at an offset is declared there: behind a type or a comma, before what may follow a declarator. */
static bool is_declared_at(const struct line_reader *file, size_t offset, size_t length)
{
	size_t behind = offset + length + strspn(file->text + offset + length, " \t\r\n"), begin;
	size_t before = word_before(file, offset, &begin);

	if (!file->text[behind] || !strchr("=;,)[{(:", file->text[behind]))
		return false;
	for (size_t i = 0; i < ARRAY_COUNT(not_types); i++)
		if (word_is(file->text + begin, before, not_types[i]))
			return false;
	if (before > 0)
		return begin + before < offset && !strchr("0123456789", file->text[begin]);
	return begin > 0 && (file->text[begin - 1] == '>' || file->text[begin - 1] == ',') && file->text[behind] != '(';
}

/* Whether a name is declared between two offsets. */
static bool is_declared_in(const struct line_reader *file, struct passage passage, const char *name, size_t length)
{
	size_t next;

	for (size_t at = passage.begin; at < passage.end; at = next) {
		size_t word = source_word_next(file, &at);

		next = at + (word ? word : 1);
		if (at < passage.end && word == length && strncmp(file->text + at, name, length) == 0 &&
		    is_declared_at(file, at, length))
			return true;
	}
	return false;
}

/* Whether a name stands for itself at an offset, and is no member of something and no macro's or function's. */
static bool stands_alone(const struct line_reader *file, size_t offset, size_t length)
{
	const char *text = file->text;
	size_t behind = offset + length + strspn(text + offset + length, " \t");

	if (offset > 0 && (text[offset - 1] == '.' || text[offset - 1] == ':'))
		return false;
	if (offset > 1 && text[offset - 2] == '-' && text[offset - 1] == '>')
		return false;
	return text[behind] != '(' && strncmp(text + behind, "::", 2) != 0 && !strchr("0123456789", text[offset]);
}

static bool is_used_as_pointer(const struct line_reader *file, struct passage body, const char *name)
{
	size_t length = strlen(name), next;

	for (size_t at = body.begin; at < body.end; at = next) {
		size_t word = source_word_next(file, &at);

		next = at + (word ? word : 1);
		if (at < body.end && word == length && strncmp(file->text + at, name, length) == 0 &&
		    stands_alone(file, at, length) &&
		    (file->text[at + length] == '[' || strncmp(file->text + at + length, "->", 2) == 0))
			return true;
	}
	return false;
}

static void capture_add(struct arena *arena, const struct line_reader *file, const struct source_lambda *lambda,
                        const char *name, const char *value, struct source_captures *captures)
{
	struct source_capture capture = {name, value, is_used_as_pointer(file, lambda->body, name)};

	for (unsigned c = 0; c < captures->count; c++)
		if (strcmp(captures->list[c].name, name) == 0)
			return;
	ARENA_PUSH(arena, captures->list, captures->count, capture);
}

/* Adds what the body names of what a passage declares; object: what it is a member of, or NULL. */
static void all_capture(struct arena *arena, const struct line_reader *file, const struct source_lambda *lambda,
                        struct passage declared, const char *object, struct source_captures *captures)
{
	size_t next;

	for (size_t at = lambda->body.begin; at < lambda->body.end; at = next) {
		size_t length = source_word_next(file, &at);
		const char *name = arena_strndup(arena, file->text + at, length);

		next = at + (length ? length : 1);
		if (length > 0 && at < lambda->body.end && stands_alone(file, at, length) &&
		    !source_passage_has_word(file, lambda->parameters, name) &&
		    is_declared_in(file, declared, name, length))
			capture_add(arena, file, lambda, name,
			            object ? arena_printf(arena, "%s.%s", object, name) : name, captures);
	}
}

struct source_captures source_lambda_captures(struct arena *arena, const struct line_reader *file,
                                              const struct source_lambda *lambda)
{
	struct passages list = source_list_split(file, lambda->captures);
	struct source_captures captures = {NULL, 0, NULL};

	for (unsigned i = 0; i < list.count; i++) {
		const char *text = source_passage_text(arena, file, list.list[i]);
		size_t length = strspn(text, SOURCE_WORD_CHARACTERS), equals = length + strspn(text + length, " \t");

		if (strcmp(text, "=") == 0)
			all_capture(arena, file, lambda,
			            (struct passage){source_outermost(file, lambda->captures.begin),
			                             lambda->captures.begin},
			            NULL, &captures);
		else if (length > 0 && text[length] == '\0' && strcmp(text, "this") != 0)
			capture_add(arena, file, lambda, text, text, &captures);
		else if (length > 0 && text[equals] == '=')
			capture_add(arena, file, lambda, arena_strndup(arena, text, length), text + equals + 1,
			            &captures);
		else
			captures.problem = arena_printf(arena, "its lambda captures '%s'", text);
	}
	return captures;
}

/* ---- objects --------------------------------------------------------------------------------- */

/* The class of `Class{...}`, `Class(...)`, or of a variable that is declared by it; its length, 0 where it is not seen.
 */
static size_t class_of(const struct line_reader *file, struct passage functor, size_t *begin)
{
	size_t length = strspn(file->text + functor.begin, SOURCE_WORD_CHARACTERS), next;

	*begin = functor.begin;
	if (functor.begin + length < functor.end)
		return strchr("({", file->text[functor.begin + length]) ? length : 0;
	for (size_t at = source_outermost(file, functor.begin); at < functor.begin; at = next) {
		size_t word = source_word_next(file, &at);

		next = at + (word ? word : 1);
		if (at < functor.begin && word == length &&
		    strncmp(file->text + at, file->text + functor.begin, length) == 0 &&
		    is_declared_at(file, at, length))
			return word_before(file, at, begin);
	}
	return 0;
}

/* What stands in the braces of a class that the file defines before an offset; empty where it does not. */
static struct passage class_body(const struct line_reader *file, const char *name, size_t length, size_t before)
{
	size_t next, begin;

	for (size_t at = 0; at < before; at = next) {
		size_t word = source_word_next(file, &at), open = at + word, keyword;

		next = at + (word ? word : 1);
		if (at >= before || word != length || strncmp(file->text + at, name, length) != 0)
			continue;
		open += strspn(file->text + open, " \t\r\n");
		keyword = word_before(file, at, &begin);
		if (file->text[open] == '{' &&
		    (word_is(file->text + begin, keyword, "struct") || word_is(file->text + begin, keyword, "class")))
			return (struct passage){open + 1, source_bracket_end(file, open) - 1};
	}
	return (struct passage){0, 0};
}

/* Reads the only operator() of a class as a lambda's parts; false where there is none, or more. */
static bool call_operator_read(const struct line_reader *file, struct passage body, struct source_lambda *lambda)
{
	unsigned count = 0;
	size_t next;

	for (size_t at = body.begin; at < body.end; at = next) {
		size_t length = source_word_next(file, &at), open = at + length, close, line = at;

		next = at + (length ? length : 1);
		if (at >= body.end || !word_is(file->text + at, length, "operator") ||
		    strncmp(file->text + open, "()", 2) != 0)
			continue;
		open += 2 + strspn(file->text + open + 2, " \t\r\n");
		close = file->text[open] == '(' ? source_bracket_end(file, open) : open;
		while (line > body.begin && !strchr(";{}", file->text[line - 1]))
			line--;
		lambda->is_device = source_passage_has_word(file, (struct passage){line, at}, "__device__");
		lambda->parameters = (struct passage){open + 1, close - 1};
		open = close + strcspn(file->text + close, "{;");
		lambda->body = (struct passage){open, source_bracket_end(file, open)};
		next = lambda->body.end;
		count += close > lambda->parameters.begin && file->text[open] == '{' && lambda->body.end <= body.end;
	}
	return count == 1;
}

/* Whether a passage calls a function that another one has: a class's other methods. */
static bool calls_other(const struct line_reader *file, struct passage body, struct passage members)
{
	size_t next;

	for (size_t at = body.begin; at < body.end; at = next) {
		size_t length = source_word_next(file, &at);

		next = at + (length ? length : 1);
		if (at < body.end && length > 0 && file->text[at + length] == '(' &&
		    is_declared_in(file, members, file->text + at, length))
			return true;
	}
	return source_passage_has_word(file, body, "this");
}

bool source_functor_read(struct arena *arena, const struct line_reader *file, struct passage functor,
                         struct source_lambda *lambda, struct source_captures *captures)
{
	const char *object = source_passage_text(arena, file, functor);
	size_t begin, length = class_of(file, functor, &begin);
	struct passage members =
		length ? class_body(file, file->text + begin, length, functor.begin) : (struct passage){0, 0};

	*captures = (struct source_captures){NULL, 0, NULL};
	*lambda = (struct source_lambda){.is_device = false};
	if (members.end == 0 || !call_operator_read(file, members, lambda) || !lambda->is_device)
		return false;
	if (calls_other(file, lambda->body, (struct passage){members.begin, lambda->parameters.begin}) ||
	    calls_other(file, lambda->body, (struct passage){lambda->body.end, members.end}))
		return false;
	all_capture(arena, file, lambda, (struct passage){members.begin, lambda->parameters.begin}, object, captures);
	all_capture(arena, file, lambda, (struct passage){lambda->body.end, members.end}, object, captures);
	return true;
}

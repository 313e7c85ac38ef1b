/*
 * Changes of JSON by its tokens. A value becomes another, of the file or from a list; a number gets an end; a member
 * goes, comes twice or gets another's key; a text is changed by words. Most mutants are still JSON.
 */
#include "mutants.h"

#include <string.h>

#define LONG_TEXT 70000
#define DEEP 100000

/* A value, or a member with its key. */
struct span {
	size_t begin, end;
};
/* Where these begin. */
struct places {
	size_t *list;
	size_t count;
};

static size_t string_end(struct blob text, size_t at)
{
	for (at++; at < text.length && text.data[at] != '"'; at++)
		at += text.data[at] == '\\';
	return at < text.length ? at + 1 : text.length;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static size_t blanks_skip(struct blob text, size_t at)
{
	while (at < text.length && is_blank(text.data[at]))
		at++;
	return at;
}

/* Where the object or array that begins here ends. */
static size_t nest_end(struct blob text, size_t at)
{
	unsigned depth = 0;
	for (; at < text.length; at++) {
		char c = text.data[at];
		if (c == '"') {
			at = string_end(text, at) - 1;
			continue;
		}
		depth += c == '{' || c == '[';
		if ((c == '}' || c == ']') && --depth == 0)
			return at + 1;
	}
	return text.length;
}

static size_t value_end(struct blob text, size_t at)
{
	if (text.data[at] == '"')
		return string_end(text, at);
	if (text.data[at] == '{' || text.data[at] == '[')
		return nest_end(text, at);
	while (at < text.length && !strchr(",]} \n\t\r", text.data[at]))
		at++;
	return at;
}

/* Where the value of the member that begins here does. */
static size_t member_value(struct blob text, size_t at)
{
	size_t colon = blanks_skip(text, string_end(text, at));
	return colon < text.length && text.data[colon] == ':' ? blanks_skip(text, colon + 1) : text.length;
}

/* Finds every value, and every member. */
static void places_find(struct arena *arena, struct blob text, struct places *values, struct places *members)
{
	for (size_t at = blanks_skip(text, 0); at < text.length; at = blanks_skip(text, at)) {
		char c = text.data[at];
		bool opens = c == '{' || c == '[';
		size_t end = opens || strchr(",:]}", c) ? at + 1 : value_end(text, at);
		if (c == '"' && member_value(text, at) < text.length)
			ARENA_PUSH(arena, members->list, members->count, at);
		else if (opens || end > at + 1 || !strchr(",:]}", c))
			ARENA_PUSH(arena, values->list, values->count, at);
		at = end > at ? end : at + 1;
	}
}

static struct span value_choose(struct blob text, const struct places *values)
{
	size_t at = values->list[chance_below(values->count)];
	return (struct span){at, value_end(text, at)};
}

/* What a value begins with; all numbers are one kind. */
static char value_kind(struct blob text, size_t at)
{
	return strchr("-0123456789", text.data[at]) ? '0' : text.data[at];
}

/* A value of a kind, if chance finds one soon. */
static struct span value_of_kind(struct blob text, const struct places *values, char kind)
{
	const unsigned tries = 30;
	size_t at = values->list[chance_below(values->count)];
	for (unsigned i = 0; i < tries && value_kind(text, at) != kind; i++)
		at = values->list[chance_below(values->count)];
	return (struct span){at, value_end(text, at)};
}

static struct span member_choose(struct blob text, const struct places *members)
{
	size_t at = members->list[chance_below(members->count)];
	return (struct span){at, value_end(text, member_value(text, at))};
}

static struct blob replaced(struct arena *arena, struct blob text, struct span span, const char *by, size_t length)
{
	struct blob made = {.length = text.length - (span.end - span.begin) + length};
	made.data = arena_alloc(arena, made.length + 1);
	memcpy(made.data, text.data, span.begin);
	memcpy(made.data + span.begin, by, length);
	memcpy(made.data + span.begin + length, text.data + span.end, text.length - span.end);
	return made;
}

static const char *repeated(struct arena *arena, const char *before, char c, size_t count, const char *after)
{
	char *middle = arena_alloc(arena, count + 1);
	memset(middle, c, count);
	return arena_printf(arena, "%s%s%s", before, middle, after);
}

static const char *value_new(struct arena *arena)
{
	static const char *const values[] = {"null",        "true",        "false",  "[]",         "{}",
	                                     "\"\"",        "\"nan\"",     "NaN",    "Infinity",   "-Infinity",
	                                     "\"\\u0000\"", "\"\\ud800\"", "[null]", "{\"a\":{}}", "\"%s%n\"",
	                                     "\"../../x\"", "\"aos\"",     "\"soa\""};
	unsigned kind = chance_below(8);
	if (kind < 4)
		return chance_number();
	if (kind < 7)
		return values[chance_below(ARRAY_COUNT(values))];
	if (chance_below(8))
		return repeated(arena, "\"", 'x', 1 + chance_below(300), "\"");
	return chance_below(2) ? repeated(arena, "\"", 'x', LONG_TEXT, "\"")
	                       : repeated(arena, repeated(arena, "", '[', DEEP, ""), ']', DEEP, "");
}

static struct blob string_change(struct arena *arena, struct blob text, const struct places *values)
{
	struct span span = value_of_kind(text, values, '"');
	if (text.data[span.begin] != '"' || span.end - span.begin < 3)
		return text;
	struct span inner = {span.begin + 1, span.end - 1};
	struct blob words = {arena_strndup(arena, text.data + inner.begin, inner.end - inner.begin),
	                     inner.end - inner.begin};
	words = words_mutate(arena, words, words);
	return replaced(arena, text, inner, words.data, words.length);
}

static struct blob member_change(struct arena *arena, struct blob text, const struct places *members)
{
	struct span one = member_choose(text, members), two = member_choose(text, members);
	const char *from = arena_strndup(arena, text.data + two.begin, two.end - two.begin);
	struct span removed = {one.begin, blanks_skip(text, one.end)};
	removed.end += removed.end < text.length && text.data[removed.end] == ',';
	switch (chance_below(4)) {
	case 0:
		return replaced(arena, text, removed, "", 0);
	case 1:
		return replaced(arena, text, one, from, strlen(from));
	case 2:
		from = arena_printf(arena, "%s, ", from);
		return replaced(arena, text, (struct span){one.begin, one.begin}, from, strlen(from));
	default:
		one.end = string_end(text, one.begin);
		return replaced(arena, text, one, text.data + two.begin, string_end(text, two.begin) - two.begin);
	}
}

static struct blob value_change(struct arena *arena, struct blob text, const struct places *values)
{
	struct span one = value_choose(text, values);
	const char *by = value_new(arena);
	if (chance_below(2)) {
		struct span two = chance_below(4) ? value_of_kind(text, values, value_kind(text, one.begin))
		                                  : value_choose(text, values);
		by = arena_strndup(arena, text.data + two.begin, two.end - two.begin);
	}
	return replaced(arena, text, one, by, strlen(by));
}

/* A number gets digits, or an exponent. */
static struct blob number_scale(struct arena *arena, struct blob text, const struct places *values)
{
	static const char *const ends[] = {"0", "000000000", "e300", "e-300", ".5", "e400"};
	struct span one = value_of_kind(text, values, '0');
	const char *end = ends[chance_below(ARRAY_COUNT(ends))];
	return value_kind(text, one.begin) == '0'
	               ? replaced(arena, text, (struct span){one.end, one.end}, end, strlen(end))
	               : text;
}

static struct blob json_change(struct arena *arena, struct blob text)
{
	struct places values = {0}, members = {0};
	places_find(arena, text, &values, &members);
	if (!values.count || !members.count)
		return words_mutate(arena, text, text);
	switch (chance_below(10)) {
	case 0:
	case 1:
	case 2:
	case 3:
		return value_change(arena, text, &values);
	case 4:
	case 5:
	case 6:
		return member_change(arena, text, &members);
	case 7:
		return number_scale(arena, text, &values);
	case 8:
		return string_change(arena, text, &values);
	default:
		return chance_below(4) ? string_change(arena, text, &values) : words_mutate(arena, text, text);
	}
}

struct blob json_mutate(struct arena *arena, struct blob text)
{
	const size_t most = text.length + LONG_TEXT / 2; /* what nests deep takes long to change again */
	for (unsigned i = chance_changes(); i > 0 && text.length && text.length < most; i--)
		text = json_change(arena, text);
	return text;
}

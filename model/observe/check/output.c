/* What programs print, line by line and word by word. Words are what stands between blanks. */
#include "model/observe/check/check.h"

#include <string.h>

#define SHOWN_BYTES 100

/* A place in a text: the line that begins there, and the number of its first word. */
struct place_in {
	const struct check_text *text;
	size_t at, line_length, word;
};

static bool at_end(const struct place_in *place)
{
	return place->at >= place->text->length;
}

static void line_find(struct place_in *place)
{
	const char *begin = place->text->data + place->at;
	const char *end = at_end(place) ? NULL : memchr(begin, '\n', place->text->length - place->at);
	place->line_length = end ? (size_t)(end - begin) : place->text->length - place->at;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next word of a line from *at on; its length, 0 at the line's end. */
static size_t word_take(const char *line, size_t length, size_t *at)
{
	size_t size = 0;
	while (*at < length && is_blank(line[*at]))
		++*at;
	while (*at + size < length && !is_blank(line[*at + size]))
		size++;
	return size;
}

static void line_pass(struct place_in *place)
{
	size_t size;
	for (size_t at = 0; (size = word_take(place->text->data + place->at, place->line_length, &at)); at += size)
		place->word++;
	place->at += place->line_length + 1;
	line_find(place);
}

static struct place_in place_begin(const struct check_text *text)
{
	struct place_in place = {.text = text};
	line_find(&place);
	return place;
}

/* Whether lines have the same words but for loose ones. different: where to mark words that differ, then all are
 * passed; or NULL. */
static bool words_equal(const struct place_in *a, const struct place_in *b, bool *different)
{
	const char *line = a->text->data + a->at, *other = b->text->data + b->at;
	size_t i = 0, j = 0, word = a->word;
	for (;; word++) {
		size_t size = word_take(line, a->line_length, &i), size_other = word_take(other, b->line_length, &j);
		if (size == 0 || size_other == 0)
			return size == size_other;
		bool equal = size == size_other && memcmp(line + i, other + j, size) == 0;
		if (different)
			different[word] = !equal;
		else if (!equal && !(a->text->loose && a->text->loose[word]))
			return false;
		i += size;
		j += size_other;
	}
}

/* Whether a line has a word that need not be the same: then blanks need not be, either. */
static bool has_loose(const struct place_in *place)
{
	struct place_in next = *place;
	line_pass(&next);
	for (size_t word = place->word; place->text->loose && word < next.word; word++)
		if (place->text->loose[word])
			return true;
	return false;
}

static bool lines_equal(const struct place_in *a, const struct place_in *b)
{
	const char *line = a->text->data + a->at, *other = b->text->data + b->at;
	if (a->line_length == b->line_length && memcmp(line, other, a->line_length) == 0)
		return true;
	return has_loose(a) && words_equal(a, b, NULL);
}

/* A line to be shown: what is no printable ASCII is a question mark. */
static const char *line_shown(struct arena *arena, const struct place_in *place)
{
	size_t length = place->line_length < SHOWN_BYTES ? place->line_length : SHOWN_BYTES;
	if (at_end(place))
		return NULL;
	char *shown = arena_strndup(arena, place->text->data + place->at, length);
	for (char *next = shown; *next; next++)
		if ((unsigned char)*next < 0x20 || (unsigned char)*next >= 0x7f)
			*next = '?';
	return shown;
}

struct check_line check_output(struct arena *arena, const struct check_text *original, const struct check_text *other)
{
	struct place_in a = place_begin(original), b = place_begin(other);
	for (size_t number = 1; !at_end(&a) || !at_end(&b); number++) {
		if (at_end(&a) || at_end(&b) || !lines_equal(&a, &b))
			return (struct check_line){number, line_shown(arena, &a), line_shown(arena, &b)};
		line_pass(&a);
		line_pass(&b);
	}
	return (struct check_line){0, NULL, NULL};
}

static size_t word_count(const struct check_text *text)
{
	struct place_in place = place_begin(text);
	while (!at_end(&place))
		line_pass(&place);
	return place.word;
}

const bool *check_output_loose(struct arena *arena, const struct check_text *original, const struct check_text *again)
{
	struct place_in a = place_begin(original), b = place_begin(again);
	bool *loose = arena_array(arena, word_count(original) + 1, sizeof *loose);
	while (!at_end(&a) && !at_end(&b)) {
		if (!words_equal(&a, &b, loose))
			return NULL;
		line_pass(&a);
		line_pass(&b);
	}
	return at_end(&a) && at_end(&b) ? loose : NULL;
}

size_t check_output_lines(const struct check_text *text)
{
	struct place_in place = place_begin(text);
	size_t count = 0;
	for (; !at_end(&place); count++)
		line_pass(&place);
	return count;
}

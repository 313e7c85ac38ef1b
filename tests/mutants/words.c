/*
 * Changes of text by words: taken out, doubled, exchanged, put in the place of others, numbers changed, pieces of
 * another text put in, the end cut off. Most changes put a word where one of the same kind stood, so that many mutants
 * are still programs.
 */
#include "mutants.h"

#include <string.h>

#define PIECE_MOST 30

struct word {
	const char *text;
	size_t length;
};
struct words {
	struct word *list;
	size_t count;
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t blanks_length(const char *text, size_t left)
{
	size_t length = 0;
	while (length < left && strchr(" \t\r\n", text[length]) && text[length])
		length++;
	return length;
}

static size_t word_length(const char *text, size_t left)
{
	static const char *const signs[] = {"<<<", ">>>", "->", "::", "<<", ">>", "&&", "||", "+=", "++"};
	size_t length = 0;
	while (length < left && (is_letter(text[length]) || is_digit(text[length])))
		length++;
	length = length ? length : blanks_length(text, left);
	for (size_t i = 0; i < ARRAY_COUNT(signs) && length == 0; i++)
		if (strlen(signs[i]) <= left && memcmp(text, signs[i], strlen(signs[i])) == 0)
			length = strlen(signs[i]);
	return length ? length : 1;
}

static struct words words_split(struct arena *arena, struct blob text)
{
	struct words words = {arena_array(arena, text.length + 1, sizeof *words.list), 0};
	for (size_t at = 0; at < text.length;) {
		struct word word = {text.data + at, word_length(text.data + at, text.length - at)};
		words.list[words.count++] = word;
		at += word.length;
	}
	return words;
}

static struct blob words_join(struct arena *arena, const struct words *words)
{
	struct blob text = {0};
	for (size_t i = 0; i < words->count; i++)
		text.length += words->list[i].length;
	text.data = arena_alloc(arena, text.length + 1);
	size_t at = 0;
	for (size_t i = 0; i < words->count; at += words->list[i++].length)
		memcpy(text.data + at, words->list[i].text, words->list[i].length);
	return text;
}

/* 0 a name, 1 a number, 2 blanks, 3 a sign */
static int word_kind(const struct word *word)
{
	char c = word->text[0];
	return is_letter(c) ? 0 : is_digit(c) ? 1 : blanks_length(word->text, word->length) ? 2 : 3;
}

static void words_remove(struct words *words, size_t at, size_t count)
{
	count = count < words->count - at ? count : words->count - at;
	memmove(words->list + at, words->list + at + count, (words->count - at - count) * sizeof *words->list);
	words->count -= count;
}

/* Puts a piece of at most `most` words of a text that begins at `begin` before the word at a place. */
static void piece_insert(struct arena *arena, struct words *words, size_t at, const struct words *from, size_t begin,
                         size_t most)
{
	struct word piece[PIECE_MOST];
	size_t count = 1 + chance_below(most);
	count = count < from->count - begin ? count : from->count - begin;
	memcpy(piece, from->list + begin, count * sizeof *piece);
	struct word *list = arena_array(arena, words->count + count + 1, sizeof *list);
	memcpy(list, words->list, at * sizeof *list);
	memcpy(list + at, piece, count * sizeof *list);
	memcpy(list + at + count, words->list + at, (words->count - at) * sizeof *list);
	*words = (struct words){list, words->count + count};
}

static void number_change(struct words *words)
{
	const char *number = chance_number();
	size_t at = chance_below(words->count);
	for (size_t i = 0; i < words->count && word_kind(&words->list[at]) != 1; i++)
		at = (at + 1) % words->count;
	words->list[at] = (struct word){number, strlen(number)};
}

/* The place of another word, mostly of the same kind. */
static size_t word_alike(const struct words *words, size_t at)
{
	const unsigned tries = 50, any = 5;
	size_t found = chance_below(words->count);
	bool alike = chance_below(any) > 0;
	for (unsigned i = 0; i < tries && alike && word_kind(&words->list[found]) != word_kind(&words->list[at]); i++)
		found = chance_below(words->count);
	return found;
}

static void words_exchange(struct words *words, size_t at)
{
	size_t with = word_alike(words, at);
	struct word kept = words->list[at];
	words->list[at] = words->list[with];
	words->list[with] = kept;
}

static size_t word_choose(const struct words *words)
{
	size_t at = chance_below(words->count);
	for (unsigned i = 0; i < 8 && word_kind(&words->list[at]) == 2; i++)
		at = chance_below(words->count);
	return at;
}

static void words_change(struct arena *arena, struct words *words, const struct words *other)
{
	size_t at = word_choose(words);
	switch (chance_below(9)) {
	case 0:
		words_remove(words, at, 1 + chance_below(4));
		break;
	case 1:
		piece_insert(arena, words, at, words, at, 12);
		break;
	case 2:
		words_exchange(words, at);
		break;
	case 3:
	case 4:
		words->list[at] = words->list[word_alike(words, at)];
		break;
	case 5:
	case 6:
		number_change(words);
		break;
	case 7:
		if (other->count)
			piece_insert(arena, words, at, other, chance_below(other->count), PIECE_MOST);
		break;
	default:
		words->count = chance_below(8) ? words->count : at;
		break;
	}
}

struct blob words_mutate(struct arena *arena, struct blob text, struct blob other)
{
	struct words words = words_split(arena, text), others = words_split(arena, other);
	for (unsigned i = chance_changes(); i > 0 && words.count; i--)
		words_change(arena, &words, &others);
	return words_join(arena, &words);
}

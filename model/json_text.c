/*
 * JSON that is plain, quickly. The library reads a text character by character, through three functions each; a machine file with the tables of a calibration has 370,000
 * of them, and took longer than all else that we do ourselves in predicting a small kernel. This reader makes the same values of them in a tenth of the time. It takes
 * what is plain alone: whatever is wrong with a text, and what is rare (\u escapes, numbers of more than 18 digits that are no reals, deep nesting), is the library's.
 *
 * The text ends with a zero byte, which is part of no value: so nobody has to ask for the end before each character.
 */
#include "model/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 100 /* of arrays and objects within each other */
#define DIGITS_MOST 18 /* that any 64-bit integer has room for */
#define POWER_DIGITS 4 /* of an exponent: no double has more */
#define EXACT_POWER 22 /* of ten: the last one that is a double exactly, */
#define EXACT_BITS 53  /* as are whole numbers of so many bits: one division or multiplication then rounds once, as it should */

struct reader {
	const char *at;
	char *scratch; /* as long as the text: a name, or a string without its escapes */
	bool ascii;    /* what was put there last; the library finds what is no UTF-8 in others */
	unsigned depth;
};

static json_t *value_read(struct reader *reader);

static char next(struct reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t' || *reader->at == '\r')
		reader->at++;
	return *reader->at;
}

/* Goes over the next character, if it is that one. */
static bool take(struct reader *reader, char wanted)
{
	if (next(reader) != wanted)
		return false;
	reader->at++;
	return true;
}

/* ---- strings ----------------------------------------------------------------------------------------- */

/* What stands for one of the short escapes, by the letter behind the backslash; 0: it is none. */
static char escaped(char letter)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *found = letter ? strchr(letters, letter) : NULL;
	return found ? meant[found - letters] : 0;
}

/* Reads the string at the quote into scratch. Returns false where it is not plain. */
static bool string_take(struct reader *reader, size_t *length)
{
	const char *from = reader->at + 1;
	char *to = reader->scratch;
	unsigned char all = 0;
	for (; *from != '"'; from++) {
		if ((unsigned char)*from < ' ')
			return false;
		all |= (unsigned char)*from;
		*to = *from;
		if (*from == '\\' && !(*to = escaped(*++from)))
			return false;
		to++;
	}
	*to = '\0';
	*length = (size_t)(to - reader->scratch);
	reader->ascii = all < 0x80;
	reader->at = from + 1;
	return true;
}

static json_t *string_read(struct reader *reader)
{
	size_t length;
	if (!string_take(reader, &length))
		return NULL;
	return reader->ascii ? json_stringn_nocheck(reader->scratch, length) : json_stringn(reader->scratch, length);
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

struct number {
	bool negative, real;
	uint64_t digits; /* all of them, those behind the point too */
	unsigned count;
	int exponent;
};

/* Returns how many there are. */
static unsigned digits_read(struct reader *reader, struct number *number)
{
	const char *begin = reader->at;
	for (; *reader->at >= '0' && *reader->at <= '9'; reader->at++)
		number->digits = number->digits * 10 + (unsigned)(*reader->at - '0');
	return (unsigned)(reader->at - begin);
}

static bool exponent_read(struct reader *reader, struct number *number)
{
	struct number power = {0};
	reader->at++;
	bool negative = *reader->at == '-';
	reader->at += negative || *reader->at == '+';
	unsigned count = digits_read(reader, &power);
	if (count == 0 || count > POWER_DIGITS)
		return false;
	number->real = true;
	number->exponent += negative ? -(int)power.digits : (int)power.digits;
	return true;
}

/* Returns false where it is none, or not plain. */
static bool number_take(struct reader *reader, struct number *number)
{
	number->negative = *reader->at == '-';
	reader->at += number->negative;
	bool zero = *reader->at == '0';
	number->count = digits_read(reader, number);
	if (number->count == 0 || (zero && number->count > 1))
		return false;
	if (*reader->at == '.') {
		reader->at++;
		unsigned behind = digits_read(reader, number);
		number->real = true;
		number->count += behind;
		number->exponent = -(int)behind;
		if (behind == 0)
			return false;
	}
	return (*reader->at != 'e' && *reader->at != 'E') || exponent_read(reader, number);
}

/* The double nearest to a number that stands at text. */
static double nearest(const struct number *number, const char *text)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	if (number->count > DIGITS_MOST || number->digits >> EXACT_BITS || abs(number->exponent) > EXACT_POWER)
		return strtod(text, NULL);
	double digits = (double)number->digits;
	double value = number->exponent < 0 ? digits / powers[-number->exponent] : digits * powers[number->exponent];
	return number->negative ? -value : value;
}

static json_t *number_read(struct reader *reader)
{
	struct number number = {0};
	const char *begin = reader->at;
	if (!number_take(reader, &number))
		return NULL;
	if (number.real)
		return json_real(nearest(&number, begin));
	if (number.count > DIGITS_MOST)
		return NULL;
	return json_integer(number.negative ? -(json_int_t)number.digits : (json_int_t)number.digits);
}

/* ---- the rest ---------------------------------------------------------------------------------------- */

/* Reads a member and puts it in the object. Returns false where something is not plain; a name that is there already is not. */
static bool member_read(struct reader *reader, json_t *object)
{
	size_t length, before = json_object_size(object);
	if (next(reader) != '"' || !string_take(reader, &length))
		return false;
	char *name = reader->scratch;
	bool ascii = reader->ascii;
	reader->scratch += length + 1;
	json_t *value = take(reader, ':') ? value_read(reader) : NULL;
	reader->scratch = name;
	int failed = ascii ? json_object_set_new_nocheck(object, name, value) : json_object_set_new(object, name, value);
	return failed == 0 && json_object_size(object) > before;
}

static bool element_read(struct reader *reader, json_t *array)
{
	json_t *value = value_read(reader);
	return value && json_array_append_new(array, value) == 0;
}

/* Reads what stands between brackets into a collection that is empty, and gives it back; NULL, and it is released, where something is not plain. */
static json_t *collection_read(struct reader *reader, json_t *collection, char end,
                               bool (*part_read)(struct reader *reader, json_t *collection))
{
	reader->at++;
	bool plain = collection && ++reader->depth <= DEPTH_MOST, done = plain && take(reader, end);
	while (plain && !done) {
		plain = part_read(reader, collection);
		done = plain && !take(reader, ',');
		plain = plain && (!done || take(reader, end));
	}
	reader->depth--;
	if (plain)
		return collection;
	json_decref(collection);
	return NULL;
}

static json_t *word_read(struct reader *reader, const char *word, json_t *meant)
{
	size_t length = strlen(word);
	if (strncmp(reader->at, word, length) != 0)
		return NULL;
	reader->at += length;
	return meant;
}

static json_t *value_read(struct reader *reader)
{
	switch (next(reader)) {
	case '{':
		return collection_read(reader, json_object(), '}', member_read);
	case '[':
		return collection_read(reader, json_array(), ']', element_read);
	case '"':
		return string_read(reader);
	case 't':
		return word_read(reader, "true", json_true());
	case 'f':
		return word_read(reader, "false", json_false());
	case 'n':
		return word_read(reader, "null", json_null());
	default:
		return number_read(reader);
	}
}

struct json_t *json_text_read(const char *text, size_t length)
{
	char *scratch = malloc(length + 1);
	struct reader reader = {.at = text, .scratch = scratch};
	json_t *root = NULL;
	if (scratch && (next(&reader) == '{' || *reader.at == '['))
		root = value_read(&reader);
	if (root && (next(&reader) != '\0' || reader.at != text + length)) {
		json_decref(root);
		root = NULL;
	}
	free(scratch);
	return root;
}

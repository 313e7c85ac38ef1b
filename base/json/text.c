/*
 * JSON that is plain, quickly. The library reads a text character by character, through three functions each; a machine
 * file with the tables of a calibration has 370,000 of them, and took longer than all else that we do ourselves in
 * predicting a small kernel. This reader makes the same values of them in a tenth of the time. It takes what is plain
 * alone: whatever is wrong with a text, and what is rare (\u escapes, numbers of more than 18 digits that are no reals,
 * deep nesting), is the library's.
 *
 * The text ends with a zero byte, which is part of no value: so nobody has to ask for the end before each character.
 */
#include "base/json/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 100 /* of arrays and objects within each other */
#define DIGITS_MOST 18 /* that any 64-bit integer has room for */
#define POWER_DIGITS 4 /* of an exponent: no double has more */
#define EXACT_POWER 22 /* of ten: the last one that is a double exactly, */
/* as are whole numbers of so many bits: one division or multiplication then rounds once, as it should */
#define EXACT_BITS 53

struct json_reader {
	const char *at;
	char *scratch; /* as long as the text: a name, or a string without its escapes */
	bool ascii;    /* what was put there last; the library finds what is no UTF-8 in others */
	unsigned depth;
	const struct json_part *part; /* or NULL */
	bool parted;                  /* it was taken */
};

static json_t *value_read(struct json_reader *reader);

static char next(struct json_reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t' || *reader->at == '\r')
		reader->at++;
	return *reader->at;
}

bool json_take(struct json_reader *reader, char wanted)
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
static bool string_take(struct json_reader *reader, size_t *length)
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

static json_t *string_read(struct json_reader *reader)
{
	size_t length;
	if (!string_take(reader, &length))
		return NULL;
	return reader->ascii ? json_stringn_nocheck(reader->scratch, length) : json_stringn(reader->scratch, length);
}

bool json_take_text(struct json_reader *reader, const char **text)
{
	size_t length;
	*text = reader->scratch;
	if (next(reader) != '"' || !string_take(reader, &length))
		return false;
	json_t *checked = reader->ascii ? NULL : json_stringn(reader->scratch, length);
	json_decref(checked);
	return reader->ascii || checked;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

struct number {
	bool negative, real;
	uint64_t digits; /* all of them, those behind the point too */
	unsigned count;
	int exponent;
};

/* Returns how many there are. */
static unsigned digits_read(struct json_reader *reader, struct number *number)
{
	const char *begin = reader->at;
	for (; *reader->at >= '0' && *reader->at <= '9'; reader->at++)
		number->digits = number->digits * 10 + (unsigned)(*reader->at - '0');
	return (unsigned)(reader->at - begin);
}

static bool exponent_read(struct json_reader *reader, struct number *number)
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
static bool number_take(struct json_reader *reader, struct number *number)
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

/* Reads a number that is plain. Returns false for others. */
static bool plain_number_take(struct json_reader *reader, struct number *number, double *real)
{
	const char *begin = reader->at;
	*number = (struct number){0};
	if (!number_take(reader, number))
		return false;
	if (number->real)
		*real = nearest(number, begin);
	return number->real || number->count <= DIGITS_MOST;
}

static json_int_t integer_of(const struct number *number)
{
	return number->negative ? -(json_int_t)number->digits : (json_int_t)number->digits;
}

static json_t *number_read(struct json_reader *reader)
{
	struct number number;
	double real;
	if (!plain_number_take(reader, &number, &real))
		return NULL;
	return number.real ? json_real(real) : json_integer(integer_of(&number));
}

bool json_take_number(struct json_reader *reader, double *value, bool *whole)
{
	struct number number;
	next(reader);
	if (!plain_number_take(reader, &number, value))
		return false;
	*whole = !number.real;
	if (*whole)
		*value = (double)integer_of(&number);
	return true;
}

/* ---- the rest ---------------------------------------------------------------------------------------- */

/* A name that is there already is not plain, this one neither. */
static bool part_take(struct json_reader *reader)
{
	bool again = reader->parted;
	reader->parted = true;
	return !again && json_take(reader, ':') && reader->part->take(reader->part->context, reader);
}

/* Reads a member and puts it in the object. Returns false where something is not plain; a name that is there already is
 * not. */
static bool member_read(struct json_reader *reader, json_t *object)
{
	size_t length, before = json_object_size(object);
	if (next(reader) != '"' || !string_take(reader, &length))
		return false;
	char *name = reader->scratch;
	bool ascii = reader->ascii;
	if (reader->part && reader->depth == 1 && strcmp(name, reader->part->name) == 0)
		return part_take(reader);
	reader->scratch += length + 1;
	json_t *value = json_take(reader, ':') ? value_read(reader) : NULL;
	reader->scratch = name;
	int failed =
		ascii ? json_object_set_new_nocheck(object, name, value) : json_object_set_new(object, name, value);
	return failed == 0 && json_object_size(object) > before;
}

static bool element_read(struct json_reader *reader, json_t *array)
{
	json_t *value = value_read(reader);
	return value && json_array_append_new(array, value) == 0;
}

/* Reads what stands between brackets into a collection that is empty, and gives it back; NULL, and it is released,
 * where something is not plain. */
static json_t *collection_read(struct json_reader *reader, json_t *collection, char end,
                               bool (*part_read)(struct json_reader *reader, json_t *collection))
{
	reader->at++;
	bool plain = collection && ++reader->depth <= DEPTH_MOST, done = plain && json_take(reader, end);
	while (plain && !done) {
		plain = part_read(reader, collection);
		done = plain && !json_take(reader, ',');
		plain = plain && (!done || json_take(reader, end));
	}
	reader->depth--;
	if (plain)
		return collection;
	json_decref(collection);
	return NULL;
}

static json_t *word_read(struct json_reader *reader, const char *word, json_t *meant)
{
	size_t length = strlen(word);
	if (strncmp(reader->at, word, length) != 0)
		return NULL;
	reader->at += length;
	return meant;
}

static json_t *value_read(struct json_reader *reader)
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

bool json_take_boolean(struct json_reader *reader)
{
	const char *word = next(reader) == 't' ? "true" : "false";
	size_t length = strlen(word);
	bool found = strncmp(reader->at, word, length) == 0;
	reader->at += found ? length : 0;
	return found;
}

struct json_t *json_text_read(const char *text, size_t length, const struct json_part *part)
{
	char *scratch = malloc(length + 1);
	struct json_reader reader = {.at = text, .scratch = scratch, .part = part};
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

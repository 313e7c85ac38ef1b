/*
 * A growing text buffer, always terminated by a zero once something was
 * appended. Capacity doubles, so appending n bytes costs O(n) in all.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for length more bytes and the terminating zero; ends the program when memory runs out. */
static void text_reserve(struct text *text, size_t length)
{
	size_t capacity = text->capacity ? text->capacity : 64;
	char *data = NULL;

	if (text->data && length < text->capacity - text->length)
		return;
	while (capacity - text->length <= length && capacity <= SIZE_MAX / 2)
		capacity *= 2;
	if (capacity - text->length > length)
		data = realloc(text->data, capacity);
	if (!data)
		out_of_memory();
	text->data = data;
	text->capacity = capacity;
}

void text_append(struct text *text, const char *data, size_t length)
{
	text_reserve(text, length);
	if (length)
		memcpy(text->data + text->length, data, length);
	text->length += length;
	text->data[text->length] = '\0';
}

void text_puts(struct text *text, const char *string)
{
	text_append(text, string, strlen(string));
}

void text_vprintf(struct text *text, const char *format, va_list arguments)
{
	va_list again;
	int length;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	if (length < 0)
		bug("text_vprintf: bad format '%s'", format);
	text_reserve(text, (size_t)length);
	vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
	va_end(again);
	text->length += (size_t)length;
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text_vprintf(text, format, arguments);
	va_end(arguments);
}

size_t text_columns(const char *string)
{
	size_t columns = 0;

	for (; *string; string++)
		columns += ((unsigned char)*string & 0xC0) != 0x80;
	return columns;
}

size_t text_wrap(struct text *text, const char *paragraph, size_t column, size_t indent, size_t width)
{
	bool first = true;

	for (const char *word = paragraph; *word;) {
		size_t length = strcspn(word, " "), from = text->length;

		text_append(text, word, length);
		size_t columns = text_columns(text->data + from);
		text->length = from;
		if (!first && column + 1 + columns > width) {
			text_printf(text, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			text_puts(text, " ");
			column++;
		}
		text_append(text, word, length);
		column += columns;
		first = false;
		word += length;
		word += strspn(word, " ");
	}
	return column;
}

void text_release(struct text *text)
{
	free(text->data);
	*text = (struct text){0};
}

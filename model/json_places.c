/*
 * Where a member of a JSON object stands in the file's text. The JSON library keeps no positions, so the text, which it has already found to be well
 * formed, is read again as far as the member; only for a message.
 */
#include "model/json.h"

#include <string.h>

static const char *space_skip(const char *text)
{
	return text + strspn(text, " \t\r\n");
}

/* text is at the opening quote. Returns the place after the closing one. */
static const char *string_skip(const char *text)
{
	for (text++; *text && *text != '"'; text++)
		if (*text == '\\' && text[1])
			text++;
	return *text ? text + 1 : text;
}

static const char *value_skip(const char *text)
{
	unsigned depth = 0;
	do {
		text = space_skip(text);
		if (*text == '"') {
			text = string_skip(text);
			continue;
		}
		if (*text == '{' || *text == '[')
			depth++;
		else if (*text == '}' || *text == ']')
			depth--;
		else if (*text != ',' && *text != ':')
			text += strcspn(text, ",:]} \t\r\n") - 1;
		text += *text != '\0';
	} while (depth > 0 && *text);
	return text;
}

/* The quote before a member's name in the object at text, and its value; NULL where the object has none of that name, or is none. */
static const char *member_find(const char *text, const char *name, const char **value)
{
	size_t length = strlen(name);
	text = space_skip(text);
	if (*text != '{')
		return NULL;
	text = space_skip(text + 1);
	while (*text == '"') {
		const char *quote = text, *end = string_skip(text);
		*value = space_skip(end);
		*value = space_skip(*value + (**value == ':'));
		if ((size_t)(end - quote) == length + 2 && strncmp(quote + 1, name, length) == 0)
			return quote;
		text = space_skip(value_skip(*value));
		text = space_skip(text + (*text == ','));
	}
	return NULL;
}

struct place json_place(const char *path, const char *text, const char *const *names, unsigned count)
{
	struct place place = {path, 1, 1};
	const char *found = text, *value = text;
	for (unsigned i = 0; i < count; i++) {
		const char *quote = member_find(value, names[i], &value);
		if (!quote)
			break;
		found = quote;
	}
	for (const char *c = text; c < found; c++) {
		place.column = *c == '\n' ? 1 : place.column + 1;
		place.line += *c == '\n';
	}
	return place;
}

/*
 * JSON files: read whole, with the place of a syntax error, and checked for their schema. What is plain text.c reads;
 * the rest, and what is wrong, the library. The JSON library keeps no positions: for the place of a member the text,
 * which it has already found to be well formed, is read again as far as that; only for a message.
 */
#include "base/json/json.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

bool json_file_open(struct arena *arena, const char *path, const char *what, struct json_file *file,
                    struct diagnostics *diagnostics)
{
	return json_file_open_without(arena, path, what, NULL, file, diagnostics);
}

bool json_file_open_without(struct arena *arena, const char *path, const char *what, const struct json_part *part,
                            struct json_file *file, struct diagnostics *diagnostics)
{
	struct place place = {arena_strdup(arena, path), 0, 0};
	json_error_t error;
	size_t length = 0;
	*file = (struct json_file){.path = place.file, .text = file_read(arena, path, &length)};
	if (!file->text) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, place, "cannot read%s: %s", what, strerror(errno));
		return false;
	}
	file->root = part ? json_text_read(file->text, length, part) : NULL;
	if (!file->root)
		file->root = json_text_read(file->text, length, NULL);
	if (!file->root)
		file->root = json_loadb(file->text, length, JSON_REJECT_DUPLICATES, &error);
	if (file->root)
		return true;
	place.line = error.line > 0 ? (unsigned)error.line : 0;
	place.column = error.column > 0 ? (unsigned)error.column : 0;
	diagnostics_report(diagnostics, SEVERITY_ERROR, place, "%s", error.text);
	return false;
}

struct json_t *json_file_read(struct arena *arena, const char *path, const char *schema,
                              struct diagnostics *diagnostics)
{
	struct json_file file;
	if (!json_file_open(arena, path, "", &file, diagnostics))
		return NULL;
	const char *found = json_string_value(json_object_get(file.root, "schema"));
	if (found && strcmp(found, schema) == 0)
		return file.root;
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){file.path, 0, 0},
	                   "\"schema\" is %s%s%s, not \"%s\"", found ? "\"" : "", found ? found : "missing",
	                   found ? "\"" : "", schema);
	json_decref(file.root);
	return NULL;
}

/* ---- places ---------------------------------------------------------------------------- */

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

/* The quote before a member's name in the object at text, and its value; NULL where the object has none of that name,
 * or is none. */
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

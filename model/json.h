/*
 * json: files in JSON, read whole, and the place in the text where a member stands. What is in them is jansson's business: a user includes <jansson.h> too.
 */
#ifndef COALESCE_MODEL_JSON_H
#define COALESCE_MODEL_JSON_H

#include "base/base.h"

struct json_t;

/* A file that was read. root is a reference that its owner releases; the rest lives in the arena. */
struct json_file {
	const char *path, *text;
	struct json_t *root;
};
/* Reads a JSON file. what: " the machine file" or "", for messages. Returns false where it cannot be read or is no JSON: reported, with file:line:col of a syntax error. */
bool json_file_open(struct arena *arena, const char *path, const char *what, struct json_file *file,
                    struct diagnostics *diagnostics);
/*
 * The value of a text that is plain JSON, an object or an array, and ends with a zero byte: a new reference. NULL where it is not plain, or wrong: the library knows which, and how it is
 * called. A name that an object has twice is wrong.
 */
struct json_t *json_text_read(const char *text, size_t length);
/*
 * Reads a JSON file whose member "schema" has that value. Returns a new reference, or NULL: file:line:col of a syntax error, or what is wrong, is reported.
 */
struct json_t *json_file_read(struct arena *arena, const char *path, const char *schema, struct diagnostics *diagnostics);
/*
 * The place of a member of the JSON object in text, reached through objects by its names, as in {"sm", "count", "unit"}: of the last of the names that is there;
 * line 1 where not even the first is. text is well-formed JSON that ends with a zero byte.
 */
struct place json_place(const char *path, const char *text, const char *const *names, unsigned count);

#endif

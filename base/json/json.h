/*
 * json: files in JSON, read whole, and the place in the text where a member stands. What is in them is jansson's
 * business: a user includes <jansson.h> too.
 */
#ifndef COALESCE_BASE_JSON_JSON_H
#define COALESCE_BASE_JSON_JSON_H

#include "base/base.h"

struct json_t;

/* A file that was read. root is a reference that its owner releases; the rest lives in the arena. */
struct json_file {
	const char *path, *text;
	struct json_t *root;
};
/* Reads a JSON file. what: " the machine file" or "", for messages. Returns false where it cannot be read or is no
 * JSON: reported, with file:line:col of a syntax error. */
bool json_file_open(struct arena *arena, const char *path, const char *what, struct json_file *file,
                    struct diagnostics *diagnostics);
/*
 * A member of the outermost object that is too large to be made values of: take() reads its value piece by piece, by
 * the functions below. It returns false where something is not plain, or not as it should be; nothing is read then.
 */
struct json_reader;
struct json_part {
	const char *name;
	bool (*take)(void *context, struct json_reader *reader);
	void *context;
};
/* Goes over the next character, if it is that one. */
bool json_take(struct json_reader *reader, char wanted);
/* The next text, until another one is taken. */
bool json_take_text(struct json_reader *reader, const char **text);
/* The next number; whole: it is no real. */
bool json_take_number(struct json_reader *reader, double *value, bool *whole);
/* "true" or "false". */
bool json_take_boolean(struct json_reader *reader);
/*
 * The value of a text that is plain JSON, an object or an array, and ends with a zero byte, without its part, if one is
 * given: a new reference. NULL where it is not plain, or wrong: the library knows which, and how it is called. A name
 * that an object has twice is wrong.
 */
struct json_t *json_text_read(const char *text, size_t length, const struct json_part *part);
/* As json_file_open(), but that root is without the part where that could be taken. */
bool json_file_open_without(struct arena *arena, const char *path, const char *what, const struct json_part *part,
                            struct json_file *file, struct diagnostics *diagnostics);
/*
 * Reads a JSON file whose member "schema" has that value. Returns a new reference, or NULL: file:line:col of a syntax
 * error, or what is wrong, is reported.
 */
struct json_t *json_file_read(struct arena *arena, const char *path, const char *schema,
                              struct diagnostics *diagnostics);
/*
 * The place of a member of the JSON object in text, reached through objects by its names, as in {"sm", "count",
 * "unit"}: of the last of the names that is there; line 1 where not even the first is. text is well-formed JSON that
 * ends with a zero byte.
 */
struct place json_place(const char *path, const char *text, const char *const *names, unsigned count);

#endif

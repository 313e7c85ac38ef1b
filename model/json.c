/*
 * JSON files that are not machine files: read whole, with the place of a syntax error, and checked for their schema.
 */
#include "model/json.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

static json_t *text_parse(const char *text, size_t length, struct place place, struct diagnostics *diagnostics)
{
	json_error_t error;
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (root)
		return root;
	place.line = error.line > 0 ? (unsigned)error.line : 0;
	place.column = error.column > 0 ? (unsigned)error.column : 0;
	diagnostics_report(diagnostics, SEVERITY_ERROR, place, "%s", error.text);
	return NULL;
}

struct json_t *json_file_read(struct arena *arena, const char *path, const char *schema, struct diagnostics *diagnostics)
{
	struct place place = {arena_strdup(arena, path), 0, 0};
	size_t length = 0;
	const char *text = file_read(arena, path, &length);
	if (!text) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, place, "cannot read: %s", strerror(errno));
		return NULL;
	}
	json_t *root = text_parse(text, length, place, diagnostics);
	const char *found = json_string_value(json_object_get(root, "schema"));
	if (root && (!found || strcmp(found, schema) != 0)) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, place, "\"schema\" is %s%s%s, not \"%s\"", found ? "\"" : "",
		                   found ? found : "missing", found ? "\"" : "", schema);
		json_decref(root);
		return NULL;
	}
	return root;
}

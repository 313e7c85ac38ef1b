/*
 * What machine.c, machine_check.c and json_places.c share: a machine file as it is read.
 */
#ifndef COALESCE_MODEL_MACHINE_CHECK_H
#define COALESCE_MODEL_MACHINE_CHECK_H

#include "base/base.h"

struct json_t;

struct machine_file {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path, *text;
	const struct json_t *root;
};

/*
 * Whether a machine file has the form of machines/README.md, with no key that is unknown or missing, no unit but the key's own, and no value that cannot be.
 * What is wrong is reported at the line and column of the key that it concerns.
 */
bool machine_file_check(const struct machine_file *file);

/*
 * The place of a member of the JSON object in text, reached through objects by its names, as in {"sm", "count", "unit"}: of the last of the names that is there;
 * line 1 where not even the first is. text is well-formed JSON that ends with a zero byte.
 */
struct place json_place(const char *path, const char *text, const char *const *names, unsigned count);

#endif

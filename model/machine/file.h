/*
 * What machine.c, check.c and calibration.c share: a machine file as it is read.
 */
#ifndef COALESCE_MODEL_MACHINE_FILE_H
#define COALESCE_MODEL_MACHINE_FILE_H

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

#endif

/*
 * What machine.c, evidence.c, tables.c, check.c and calibration.c share: a machine file as it is read, and the form of
 * its numbers.
 */
#ifndef COALESCE_MODEL_MACHINE_FILE_H
#define COALESCE_MODEL_MACHINE_FILE_H

#include "base/json/json.h"

#include <jansson.h>

/* What a value must be; machine.def says what each means. */
enum machine_rule { EITHER, WHOLE, POSITIVE, LEAST_0, LANES, SECTOR, LINE, GRANULE };
/* A row of machine.def. */
struct machine_form {
	const char *group, *key;
	const char *name; /* "sm.count" */
	const char *unit, *readers;
	enum machine_rule rule;
	size_t offset; /* of the quantity in struct machine */
};
extern const struct machine_form machine_forms[];
extern const size_t machine_form_count;

struct machine_table;
struct machine_file {
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct json_file json;          /* without evidence where that was taken */
	struct machine_table *evidence; /* taken: as tables, in its order */
	unsigned evidence_count;
};

/* Whether numbers of a machine file can be in that unit; NULL is none. */
bool machine_unit_is_known(const char *unit);
/* Takes the value of "evidence" into the machine_file that is the context, where all of it is as it should be. */
bool machine_evidence_take(void *context, struct json_reader *reader);
struct machine;
/* Fills machine->tables. Requires a file that machine_check() found to be good. */
void machine_tables_read(const struct machine_file *file, struct machine *machine);
/* The file that gives what evidence a file lacks, where it names no other. */
#define MACHINE_RELATIVE "h200"
/*
 * Gives a machine, whose own tables are read, each number of EVIDENCE that it lacks and its relative's file has.
 * Reports a number that every GPU needs and neither has, and returns false. relative: NULL where there is none.
 */
bool machine_inherit(struct arena *arena, struct machine *machine, const struct machine *relative,
                     struct diagnostics *diagnostics);
/* A sentence for each ratio by which numbers of the relative were scaled, and for those that were not; adds how many
 * numbers they name. */
const char **machine_inherited(struct arena *arena, const struct machine *machine, unsigned *count, unsigned *numbers);
/* Adds a table to a machine whose tables can already be found by name. */
void machine_table_add(struct arena *arena, struct machine *machine, const struct machine_table *table);
/*
 * Whether a machine file has the form of machines/README.md, with no key that is unknown or missing, no unit but the
 * key's own, and no value that cannot be. What is wrong is reported at the line and column of the key that it concerns.
 */
bool machine_check(const struct machine_file *file);
/* Whether a machine file is of the device of that name, in capitals or not: its own name, or one of its aliases, as a
 * driver may say more of a part than its data sheet does. */
bool machine_file_names(const json_t *root, const char *name);

#endif

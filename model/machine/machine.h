/*
 * machine: what is known about a GPU. machines/NAME.json -> struct machine; every number keeps unit, source and whether
 * it is assumed.
 *
 *   machine.def    every number of a machine file: one row is all that a new one needs
 *   machine.c      finds and reads machine files
 *   evidence.c     a calibration's tables, read quickly
 *   relative.c     what the file of a relative gives, scaled
 *   tables.c       its numbers by name, and a calibration's tables
 *   check.c        whether a file is one
 *   limits.c       what a launch may ask for at most
 *   calibration.c  makes one from measurements
 *
 * Prefix: machine_.
 */
#ifndef COALESCE_MODEL_MACHINE_MACHINE_H
#define COALESCE_MODEL_MACHINE_MACHINE_H

#include "base/base.h"

/* How a number of a machine file is known. ASSUMED also covers the substitute of an unknown number. */
enum quantity_kind { QUANTITY_MEASURED, QUANTITY_PUBLISHED, QUANTITY_ASSUMED, QUANTITY_SUBSTITUTED };
struct quantity {
	double value;
	enum quantity_kind kind;
	const char *unit, *source; /* source of the value used; for SUBSTITUTED: of the substitute */
	const char *reason;        /* SUBSTITUTED: why the number is not known, else NULL */
};

/* A number of a machine file (count 1, at NULL), or one for each place on an axis, rising. */
struct machine_table {
	const char *name; /* "stride_cycles.l2_load_4_bytes" */
	const double *at, *value;
	unsigned count;
	const char *kind, *source; /* of the value used: "measured", "published", "assumed" */
	const char *unit;
	const char *scaled; /* the relative's number: the ratio's name in machine.def; NULL: the file's own */
	double factor;      /* by which it was scaled */
};

struct machine {
	const char *name; /* "NVIDIA H200" */
	const char *id;   /* file name without ".json": "h200" */
	const char *path;
	const char *architecture; /* "Hopper" */
	const char *relative;     /* id of the file that gives the evidence this one lacks: "h200" */
	unsigned capability_major, capability_minor;
	const char *calibrated; /* date, driver and clocks of the run that measured it, or NULL */
	const char **notes;     /* what the file says about its numbers */
	unsigned note_count;
	struct machine_table
		*tables; /* all numbers of the file by name, those of its evidence and of its relative too */
	unsigned table_count;
	uint32_t *table_places;     /* by a hash of the name: 1 + which table, or 0 */
	unsigned table_place_count; /* a power of two */
/* One for each row of machine.def, named group_key. */
#define NUMBER(group, key, unit, rule, readers) struct quantity group##_##key;
#include "model/machine/machine.def"
#undef NUMBER
};

/*
 * Loads a machine by file name (a path ending in .json), by id or by alias ("sm_90") from the machine folders:
 * machines/ beside the program's folder, then the installed data folder. Returns NULL for an unknown machine or a bad
 * file (reported with the names there are, or with file:line:col).
 */
const struct machine *machine_load(struct arena *arena, const char *name, struct diagnostics *diagnostics);
/* Loads all machine files, sorted by id. Bad files are reported and left out. */
const struct machine **machine_list(struct arena *arena, unsigned *count, struct diagnostics *diagnostics);
/* The number or table of that name, "sm.count" or a key of the evidence; NULL where the file has none. */
const struct machine_table *machine_table_find(const struct machine *machine, const char *name);
/* A table's value at a place, linear between its places, that of the nearest one outside them. */
double machine_table_at(const struct machine_table *table, double at);
/* How the program ends after machine_load() returned NULL: EXIT_USAGE for a name that no file has, EXIT_INPUT for a
 * file that is wrong. */
enum exit_code machine_failure(const struct diagnostics *diagnostics);
/* The numbers that have readers, in the order of machine.def. */
struct machine_number {
	const char *name;    /* as in the file: "sm.count" */
	const char *readers; /* who computes with it: machine.def */
	const struct quantity *quantity;
};
const struct machine_number *machine_numbers(struct arena *arena, const struct machine *machine, unsigned *count);
/* What an instruction costs, as far as the file says: NAN where it does not. */
struct machine_instruction {
	const char *name;          /* "float_fma" */
	double latency_cycles;     /* from issue to a dependent instruction */
	double issue_cycles;       /* of a multiprocessor, for one instruction of a warp */
	const char *kind, *source; /* of the latency, or of what there is */
};
/* All instructions that the file has a latency or an issue cost of, in the file's order. */
const struct machine_instruction *machine_instructions(struct arena *arena, const struct machine *machine,
                                                       unsigned *count);
/*
 * A sentence for each number that is not known and what is assumed in its place, of those that a reader computes with
 * ("thesis"), or of all that have readers for NULL; for "full" and NULL also one for each ratio by which numbers of the
 * relative were scaled. *numbers: how many numbers they name; may be NULL.
 */
const char **machine_assumptions(struct arena *arena, const struct machine *machine, const char *reader,
                                 unsigned *count, unsigned *numbers);
/* Numbers of a machine by how they are known, for `coalesce machines`: counts[enum quantity_kind]. */
void machine_count_kinds(const struct machine *machine, unsigned counts[4]);
/*
 * The architecture to compile for: "sm_90". Older parts than the toolkit can compile for give the oldest it can (*exact
 * = false).
 */
const char *machine_target(struct arena *arena, const struct machine *machine, bool *exact);

/* ---- limits.c ------------------------------------------------------------------------ */

/* What a launch may ask for at most. */
struct machine_limits {
	uint32_t grid[3], block[3], threads_per_block;
	uint64_t shared_bytes;        /* static and dynamic, of a block: what every launch may have */
	uint64_t shared_opt_in_bytes; /* after cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize) */
	unsigned cluster_blocks; /* of a cluster, after cudaFuncAttributeNonPortableClusterSizeAllowed; 0: there are
	                            none */
	unsigned portable_cluster_blocks;
};
struct machine_limits machine_limits(const struct machine *machine);

/* ---- calibration.c ------------------------------------------------------------------- */

/*
 * The text of the machine file that results of benchmarks/calibrate make of a template: a machine's name or file, or
 * NULL for the file of the same device, else of the same compute capability. What was measured takes the place of the
 * template's numbers, and what machine files have no key for goes into "evidence". other_path: the results of another
 * card, with which they are compared (calibration.comparison of the file), or NULL. Returns NULL where something is
 * wrong with any (reported).
 */
char *machine_calibrate(struct arena *arena, const char *results_path, const char *other_path,
                        const char *template_name, struct diagnostics *diagnostics);

#endif

/*
 * What the file of a relative gives to a GPU that lacks it: numbers of the evidence, scaled by a ratio of the two GPUs.
 * The rows of EVIDENCE in machine.def say which and by what.
 *
 *   amount, rate     value * ratio                     bytes, counts, per second
 *   seconds          value / ratio
 *   cycles           value * clock ratio               rule `clock`: constant in seconds
 *                    value * clock ratio / ratio       other ratios: seconds that shrink as a rate grows
 */
#include "model/machine/file.h"
#include "model/machine/machine.h"

#include <string.h>

/* The quantities of which a ratio is one: X(name, quantity). */
#define RATIOS(X)                                                                                                      \
	X(l1_bytes, l1_size_bytes)                                                                                     \
	X(l2_bytes, l2_size_bytes)                                                                                     \
	X(sms, sm_count)                                                                                               \
	X(clock, sm_clock_hz)                                                                                          \
	X(bandwidth, dram_bandwidth_bytes_per_second)                                                                  \
	X(l2_bandwidth, l2_bandwidth_bytes_per_second)

enum ratio {
	RATIO_same,
#define X(name, quantity) RATIO_##name,
	RATIOS(X)
#undef X
		RATIO_COUNT
};
static const char *const ratio_names[] = {"same",
#define X(name, quantity) #name,
                                          RATIOS(X)
#undef X
};
enum whose { ANY, FAMILY };
struct evidence_row {
	const char *name; /* with a * at its end: of all that begin so */
	enum ratio value, places;
	enum whose whose;
};
static const struct evidence_row rows[] = {
#define NUMBER(group, key, unit, rule, readers)
#define EVIDENCE(name, value, places, whose) {name, RATIO_##value, RATIO_##places, whose},
#include "model/machine/machine.def"
#undef NUMBER
};

static double ratio_of(enum ratio ratio, const struct machine *machine, const struct machine *relative)
{
	switch (ratio) {
#define X(name, quantity)                                                                                              \
	case RATIO_##name:                                                                                             \
		return machine->quantity.value / relative->quantity.value;
		RATIOS(X)
#undef X
	default:
		return 1;
	}
}

static double factor_of(enum ratio ratio, const char *unit, const struct machine *machine,
                        const struct machine *relative)
{
	double own = ratio_of(ratio, machine, relative), clock = ratio_of(RATIO_clock, machine, relative);
	if (strcmp(unit, "s") == 0)
		return 1 / own;
	if (strcmp(unit, "cycles") == 0 && ratio != RATIO_same)
		return ratio == RATIO_clock ? clock : clock / own;
	return own;
}

static bool name_fits(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);
	return pattern[length - 1] == '*' ? strncmp(pattern, name, length - 1) == 0 : strcmp(pattern, name) == 0;
}

/* The first row that a number's name fits, or NULL. */
static const struct evidence_row *row_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (name_fits(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static bool is_family(const struct machine *machine, const struct machine *relative)
{
	return machine->capability_major == relative->capability_major &&
	       machine->capability_minor == relative->capability_minor;
}

static const double *scaled(struct arena *arena, const double *values, unsigned count, double factor)
{
	double *list = arena_array(arena, count, sizeof *list);
	for (unsigned i = 0; i < count; i++)
		list[i] = values[i] * factor;
	return list;
}

static void number_inherit(struct arena *arena, struct machine *machine, const struct machine *relative,
                           const struct machine_table *from, const struct evidence_row *row)
{
	struct machine_table table = *from;
	table.factor = factor_of(row->value, from->unit, machine, relative);
	table.value = scaled(arena, from->value, from->count, table.factor);
	if (from->at)
		table.at = scaled(arena, from->at, from->count, ratio_of(row->places, machine, relative));
	table.scaled = ratio_names[row->value];
	table.kind = "assumed";
	table.source = row->value == RATIO_same ? arena_printf(arena, "as %s", relative->name)
	                                        : arena_printf(arena, "%s, scaled by %s (x %.3g)", relative->name,
	                                                       table.scaled, table.factor);
	machine_table_add(arena, machine, &table);
}

/* Whether all is there that every GPU needs. */
static bool needs_check(const struct machine *machine, struct diagnostics *diagnostics)
{
	size_t before = diagnostics->errors;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (rows[i].whose == ANY && !machine_table_find(machine, rows[i].name))
			diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){machine->path, 0, 0},
			                   "evidence: %s is missing here and in the file of the relative, %s",
			                   rows[i].name, machine->relative);
	return diagnostics->errors == before;
}

bool machine_inherit(struct arena *arena, struct machine *machine, const struct machine *relative,
                     struct diagnostics *diagnostics)
{
	for (unsigned i = 0; relative && i < relative->table_count; i++) {
		const struct machine_table *from = &relative->tables[i];
		const struct evidence_row *row = machine_table_find(machine, from->name) ? NULL : row_find(from->name);
		if (row && (row->whose == ANY || is_family(machine, relative)))
			number_inherit(arena, machine, relative, from, row);
	}
	return needs_check(machine, diagnostics);
}

/* The names of the numbers that were scaled by a ratio, and how many. */
static const char *names_of(struct arena *arena, const struct machine *machine, const char *ratio, unsigned *count)
{
	const char *names = NULL;
	*count = 0;
	for (unsigned i = 0; i < machine->table_count; i++) {
		const struct machine_table *table = &machine->tables[i];
		if (!table->scaled || strcmp(table->scaled, ratio) != 0)
			continue;
		names = names ? arena_printf(arena, "%s, %s", names, table->name) : table->name;
		++*count;
	}
	return names;
}

const char **machine_inherited(struct arena *arena, const struct machine *machine, unsigned *count, unsigned *numbers)
{
	const char **sentences = NULL;
	*count = 0;
	for (unsigned r = 0; r < RATIO_COUNT; r++) {
		unsigned named;
		const char *names = names_of(arena, machine, ratio_names[r], &named);
		const char *how = r == RATIO_same ? "as they are" : arena_printf(arena, "scaled by %s", ratio_names[r]);
		if (named)
			ARENA_PUSH(arena, sentences, *count,
			           arena_printf(arena, "not measured on %s, taken from the file %s %s: %s",
			                        machine->name, machine->relative, how, names));
		*numbers += named;
	}
	return sentences;
}

/*
 * The CSV of Nsight Compute. The details page has a row for each metric, with its name, unit and value in columns of
 * their own. The raw page has a column for each metric, and their units in its first row. Lines before the head
 * ("==PROF== ...") are passed over. Units are scaled to those of report_metrics: 1.2 Mbyte is 1200000 byte.
 */
#include "cli/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct csv_row {
	const char **fields;
	unsigned count;
};
struct csv_reading {
	struct arena *arena;
	struct csv_row head;
	struct profile *profile;
};

/* What the details page calls a metric. */
static const char *const labels[][2] = {{"Duration", "gpu__time_duration.sum"},
                                        {"Executed Instructions", "smsp__inst_executed.sum"},
                                        {"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
                                        {"L2 Hit Rate", "lts__t_sector_hit_rate.pct"},
                                        {"DRAM Throughput", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
                                        {"Registers Per Thread", "launch__registers_per_thread"},
                                        {"Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct"}};

/* ---- CSV ---------------------------------------------------------------------------------- */

/* Reads a field at *next, which is left at what follows its comma or at its line's end. */
static const char *field_read(struct arena *arena, const char **next)
{
	struct text field = {0};
	const char *at = *next;
	bool quoted = *at == '"';
	for (at += quoted; *at; at++) {
		if (quoted && at[0] == '"' && at[1] == '"')
			at++;
		else if (quoted ? *at == '"' : *at == ',' || *at == '\n' || *at == '\r')
			break;
		text_append(&field, at, 1);
	}
	at += quoted && *at;
	*next = at;
	const char *result = arena_strndup(arena, field.data ? field.data : "", field.length);
	text_release(&field);
	return result;
}

/* Reads a line of fields at *next, which is left behind its end; false at the text's end. */
static bool row_read(struct arena *arena, const char **next, struct csv_row *row)
{
	*row = (struct csv_row){0};
	if (!**next)
		return false;
	for (;;) {
		const char *field = field_read(arena, next);
		ARENA_PUSH(arena, row->fields, row->count, field);
		if (**next != ',')
			break;
		++*next;
	}
	*next += strcspn(*next, "\n");
	*next += **next == '\n';
	return true;
}

static const char *column(const struct csv_reading *reading, const struct csv_row *row, const char *name)
{
	for (unsigned i = 0; i < reading->head.count && i < row->count; i++)
		if (strcmp(reading->head.fields[i], name) == 0)
			return row->fields[i];
	return NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

/* The number of a field, "1,234.5" as "1234.5"; NAN for none. */
static double number(struct arena *arena, const char *field)
{
	char *plain = arena_strdup(arena, field), *to = plain, *end;
	for (const char *from = field; *from; from++)
		if (*from != ',')
			*to++ = *from;
	*to = '\0';
	double value = strtod(plain, &end);
	return end != plain && *end == '\0' ? value : NAN;
}

/* What a value in `unit` is multiplied with to be in `wanted`; NAN where it is another kind of unit. */
static double unit_factor(const char *unit, const char *wanted)
{
	static const struct {
		const char *unit;
		double factor;
	} times[] = {{"nsecond", 1},   {"ns", 1},   {"usecond", 1e3}, {"us", 1e3},
	             {"msecond", 1e6}, {"ms", 1e6}, {"second", 1e9},  {"s", 1e9}};
	const char *prefixes = "KMGT", *prefix = *unit ? strchr(prefixes, *unit) : NULL;
	for (size_t i = 0; strcmp(wanted, "ns") == 0 && i < ARRAY_COUNT(times); i++)
		if (strcmp(unit, times[i].unit) == 0)
			return times[i].factor;
	if (prefix && strcmp(unit + 1, wanted) == 0)
		return pow(1e3, (double)(prefix - prefixes) + 1);
	return strcmp(wanted, "ns") == 0 || (strcmp(wanted, "%") == 0) != (strcmp(unit, "%") == 0) || strchr(unit, '/')
	               ? NAN
	               : 1;
}

/* The place of a metric in report_metrics, by its name or the details page's; UINT_MAX for one that is not predicted.
 */
static unsigned metric_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(labels); i++)
		if (strcmp(labels[i][0], name) == 0)
			name = labels[i][1];
	for (unsigned m = 0; m < report_metric_count; m++)
		if (strcmp(report_metrics[m].name, name) == 0)
			return m;
	return UINT32_MAX;
}

static void value_set(const struct csv_reading *reading, struct profile_launch *launch, const char *name,
                      const char *unit, const char *field)
{
	unsigned metric = metric_find(name);
	if (metric == UINT32_MAX)
		return;
	bool is_ratio = strchr(report_metrics[metric].unit, '/') || strstr(report_metrics[metric].name, ".ratio");
	double value = number(reading->arena, field) * (is_ratio ? 1 : unit_factor(unit, report_metrics[metric].unit));
	if (isfinite(value))
		launch->values[metric] = value;
}

/* ---- launches ------------------------------------------------------------------------------- */

/* "(4096, 1, 1)", or "4096, 1, 1". */
static void dimensions_read(const char *text, uint32_t value[3])
{
	for (unsigned d = 0; d < 3; d++) {
		value[d] = 1;
		text += text ? strcspn(text, "0123456789") : 0;
		if (text && *text)
			value[d] = (uint32_t)strtoul(text, (char **)&text, 10);
	}
}

/* Whether the parameters or template arguments that the text ends with begin here: outside of all brackets. */
static size_t name_length(const char *name)
{
	int depth = 0;
	for (size_t i = 0; name[i]; i++) {
		if ((name[i] == '(' || name[i] == '<') && depth == 0 && i > 0)
			return i;
		depth += name[i] == '(' || name[i] == '<' ? 1 : name[i] == ')' || name[i] == '>' ? -1 : 0;
	}
	return strlen(name);
}

const char *profile_kernel_name(struct arena *arena, const char *name)
{
	const char *plain = arena_strndup(arena, name, name_length(name)), *last = plain;
	for (const char *at = plain; *at; at++)
		if (*at == ' ' || *at == ':')
			last = at + 1;
	return last;
}

/* Goes over "(unsigned int)" before a number, as template arguments are printed. Returns the place behind it, or the
 * same one. */
static const char *cast_skip(const char *at)
{
	const char *end = *at == '(' ? strchr(at, ')') : NULL;
	return end && strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_ ") == (size_t)(end - at - 1) &&
	                       strchr("-0123456789", end[1]) && end[1]
	               ? end + 1
	               : at;
}

/* Whether a digit's suffix is at the place: the u of 256u, the ul of 1ul. */
static bool is_suffix(const char *begin, const char *at)
{
	return at > begin && at[-1] >= '0' && at[-1] <= '9' && strchr("uUlL", *at) && !strchr("uUlL", at[-1]);
}

const char *profile_kernel_instance(struct arena *arena, const char *name)
{
	const char *plain = profile_kernel_name(arena, name), *begin = name + name_length(name);
	struct text text = {0};
	text_puts(&text, plain);
	if (*begin == '<') {
		int depth = 0;
		for (const char *at = begin; *at; at++) {
			at = cast_skip(at);
			if (is_suffix(begin, at))
				at += strspn(at, "uUlL");
			depth += (*at == '<') - (*at == '>');
			if (*at != ' ')
				text_append(&text, at, 1);
			if (depth == 0)
				break;
		}
	}
	const char *result = arena_strndup(arena, text.data, text.length);
	text_release(&text);
	return result;
}

bool profile_may_be_same(const char *a, const char *b)
{
	size_t plain_a = strcspn(a, "<"), plain_b = strcspn(b, "<");
	return plain_a == plain_b && strncmp(a, b, plain_a) == 0 && (!a[plain_a] || !b[plain_b] || strcmp(a, b) == 0);
}

/* The launch of a row; a new one where its ID is another than the last one's. */
static struct profile_launch *launch_of(struct csv_reading *reading, const struct csv_row *row)
{
	struct profile *profile = reading->profile;
	const char *id = column(reading, row, "ID"), *kernel = column(reading, row, "Kernel Name");
	if (!id || !*id || !kernel)
		return NULL;
	if (profile->count && strcmp(profile->launches[profile->count - 1].id, id) == 0)
		return &profile->launches[profile->count - 1];
	struct profile_launch launch = {.kernel = profile_kernel_name(reading->arena, kernel),
	                                .name = profile_kernel_instance(reading->arena, kernel),
	                                .id = id};
	dimensions_read(column(reading, row, "Grid Size"), launch.grid);
	dimensions_read(column(reading, row, "Block Size"), launch.block);
	launch.values = arena_array(reading->arena, report_metric_count, sizeof *launch.values);
	for (unsigned m = 0; m < report_metric_count; m++)
		launch.values[m] = NAN;
	ARENA_PUSH(reading->arena, profile->launches, profile->count, launch);
	return &profile->launches[profile->count - 1];
}

static void details_row(struct csv_reading *reading, const struct csv_row *row)
{
	const char *name = column(reading, row, "Metric Name"), *value = column(reading, row, "Metric Value"),
		   *unit = column(reading, row, "Metric Unit");
	struct profile_launch *launch = launch_of(reading, row);
	if (launch && name && value)
		value_set(reading, launch, name, unit ? unit : "", value);
}

static void raw_row(struct csv_reading *reading, const struct csv_row *row, const struct csv_row *units)
{
	struct profile_launch *launch = launch_of(reading, row);
	for (unsigned i = 0; launch && i < row->count && i < reading->head.count; i++)
		value_set(reading, launch, reading->head.fields[i], i < units->count ? units->fields[i] : "",
		          row->fields[i]);
}

static bool has_column(const struct csv_row *head, const char *name)
{
	for (unsigned i = 0; i < head->count; i++)
		if (strcmp(head->fields[i], name) == 0)
			return true;
	return false;
}

const struct profile *profile_read(struct arena *arena, const char *path, struct diagnostics *diagnostics)
{
	const char *next = file_read(arena, path, NULL);
	struct profile *profile = arena_alloc(arena, sizeof *profile);
	struct csv_reading reading = {arena, {0}, profile};
	struct csv_row row, units = {0};
	*profile = (struct profile){.path = path};
	while (next && row_read(arena, &next, &row)) {
		if (!reading.head.count && has_column(&row, "Kernel Name"))
			reading.head = row;
		else if (!reading.head.count)
			continue;
		else if (has_column(&reading.head, "Metric Name"))
			details_row(&reading, &row);
		else if (!units.count)
			units = row;
		else
			raw_row(&reading, &row, &units);
	}
	if (profile->count)
		return profile;
	diagnostics_report(
		diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "%s",
		next ? "no launch in it: make it by `ncu --csv --page raw PROGRAM >FILE.csv`, or --page details"
		     : "cannot be read");
	return NULL;
}

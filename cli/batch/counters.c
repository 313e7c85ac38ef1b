/*
 * Nsight Compute's counters of launches, beside the comparisons that they belong to.
 *
 * A file of schema coalesce/counters/1 (benchmarks/measured/counters.py writes it) holds programs: FILE.cu, or
 * FILE_LAYOUT.cu where `coalesce rewrite` wrote it, the flags that it was compiled with, and its launches. A launch
 * belongs to the suite's case of that file and those -D flags, to the kernel of that name, grid and block, the n-th of
 * those that are alike, and to that layout; one of a kernel without records has no layout.
 */
#include "cli/batch/batch.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "coalesce/counters/1"

const struct batch_rung batch_rungs[] = {
	{"instructions", "smsp__inst_executed.sum", offsetof(struct batch_counts, counts.warp_instructions), false},
	{"load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
         offsetof(struct batch_counts, counts.ld_requests), false},
	{"load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
         offsetof(struct batch_counts, counts.ld_sectors), false},
	{"store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
         offsetof(struct batch_counts, counts.st_requests), false},
	{"store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
         offsetof(struct batch_counts, counts.st_sectors), false},
	{"L1 hit rate", "l1tex__t_sector_hit_rate.pct", offsetof(struct batch_counts, counts.l1_hit_rate), true},
	{"L2 sectors read", "lts__t_sectors_op_read.sum", offsetof(struct batch_counts, counts.l2_read_sectors), false},
	{"L2 sectors written", "lts__t_sectors_op_write.sum", offsetof(struct batch_counts, counts.l2_write_sectors),
         false},
	{"L2 hit rate", "lts__t_sector_hit_rate.pct", offsetof(struct batch_counts, counts.l2_hit_rate), true},
	{"DRAM bytes read", "dram__bytes_read.sum", offsetof(struct batch_counts, counts.dram_read_bytes), false},
	{"DRAM bytes written", "dram__bytes_write.sum", offsetof(struct batch_counts, counts.dram_write_bytes), false},
	{"wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", offsetof(struct batch_counts, wavefronts), false},
	{"bank conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
         offsetof(struct batch_counts, counts.shared_bank_conflicts), false},
};
const unsigned batch_rung_count = ARRAY_COUNT(batch_rungs);

/* ---- counts of a comparison as JSON ------------------------------------------------------ */

#define COUNT_FIELDS(X)                                                                                                \
	X(warp_instructions)                                                                                           \
	X(ld_requests)                                                                                                 \
	X(ld_sectors)                                                                                                  \
	X(st_requests)                                                                                                 \
	X(st_sectors)                                                                                                  \
	X(l1_hit_rate)                                                                                                 \
	X(l2_read_sectors)                                                                                             \
	X(l2_write_sectors)                                                                                            \
	X(l2_hit_rate)                                                                                                 \
	X(dram_read_bytes)                                                                                             \
	X(dram_write_bytes)                                                                                            \
	X(shared_bank_conflicts)

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static double number_read(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

struct json_t *batch_counts_json(const struct batch_counts *counts)
{
	json_t *object = json_object();
#define X(name) json_object_set_new(object, #name, number(counts->counts.name));
	COUNT_FIELDS(X)
#undef X
	json_object_set_new(object, "lsu_wavefronts", number(counts->wavefronts));
	return object;
}

void batch_counts_read(const struct json_t *object, struct batch_counts *counts)
{
#define X(name) counts->counts.name = number_read(object, #name);
	COUNT_FIELDS(X)
#undef X
	counts->wavefronts = number_read(object, "lsu_wavefronts");
}

/* ---- a program of the file, and the case that it is ----------------------------------------- */

/* The stem of a path, without folders and what follows the last dot. */
static const char *stem_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	return arena_strndup(arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

struct program {
	struct arena *arena;
	const char *stem, *layout; /* layout NULL: as written */
	json_t *flags, *launches;
};

static struct program program_of(struct arena *arena, json_t *value)
{
	struct program program = {.arena = arena,
	                          .flags = json_object_get(value, "flags"),
	                          .launches = json_object_get(value, "launches")};
	const char *stem = stem_of(arena, json_string_value(json_object_get(value, "file")));
	program.stem = stem;
	for (unsigned l = 0; l < layout_count; l++) {
		size_t length = strlen(stem), suffix = strlen(layout_table[l]->name);
		if (length <= suffix + 1 || stem[length - suffix - 1] != '_' ||
		    strcmp(stem + length - suffix, layout_table[l]->name) != 0)
			continue;
		program.stem = arena_strndup(arena, stem, length - suffix - 1);
		program.layout = layout_table[l]->name;
	}
	return program;
}

/* Whether a value is a list of texts, or is not there. */
static bool is_texts(const json_t *list)
{
	const json_t *text;
	size_t i;
	json_array_foreach(list, i, text) if (!json_is_string(text)) return false;
	return !list || json_is_array(list);
}

static bool has_flag(const json_t *flags, const char *word)
{
	const json_t *flag;
	size_t i;
	json_array_foreach(flags, i,
	                   flag) if (json_is_string(flag) && strcmp(json_string_value(flag), word) == 0) return true;
	return false;
}

/* Whether the case is compiled with the program's definitions and no others. */
static bool same_definitions(const struct program *program, const struct suite_case *entry)
{
	const json_t *flag;
	size_t index;
	for (unsigned w = 0; w < entry->word_count; w++)
		if (strncmp(entry->words[w], "-D", 2) == 0 && !has_flag(program->flags, entry->words[w]))
			return false;
	json_array_foreach(program->flags, index, flag)
	{
		bool known = strncmp(json_string_value(flag), "-D", 2) != 0;
		for (unsigned w = 0; w < entry->word_count && !known; w++)
			known = strcmp(entry->words[w], json_string_value(flag)) == 0;
		if (!known)
			return false;
	}
	return true;
}

static bool is_program(const struct program *program, const struct suite_case *entry)
{
	return strcmp(stem_of(program->arena, entry->file), program->stem) == 0 && same_definitions(program, entry);
}

/* ---- a launch, and the comparison that it is --------------------------------------------------- */

struct counted {
	const char *kernel; /* without return type, template arguments and parameters */
	uint32_t grid[3], block[3];
	json_t *counts;
};

static bool same_launch(const struct counted *a, const struct counted *b)
{
	return strcmp(a->kernel, b->kernel) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
	       memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* "(16, 64, 1)" */
static bool dimensions_read(const json_t *value, uint32_t numbers[3])
{
	const char *text = json_string_value(value);
	if (!text || *text != '(')
		return false;
	for (unsigned i = 0; i < 3; i++) {
		char *end;
		unsigned long number = strtoul(text + 1, &end, 10);
		if (end == text + 1 || number == 0 || number > UINT32_MAX || *end != (i < 2 ? ',' : ')'))
			return false;
		numbers[i] = (uint32_t)number;
		text = end;
	}
	return true;
}

static bool launch_read(struct arena *arena, const json_t *value, struct counted *launch)
{
	const char *name = json_string_value(json_object_get(value, "kernel"));
	launch->counts = json_object_get(value, "counts");
	if (!name || !json_is_object(launch->counts))
		return false;
	if (strncmp(name, "void ", 5) == 0)
		name += 5;
	launch->kernel = arena_strndup(arena, name, strcspn(name, "<("));
	return dimensions_read(json_object_get(value, "grid"), launch->grid) &&
	       dimensions_read(json_object_get(value, "block"), launch->block);
}

static bool is_launch(const struct counted *launch, const struct comparison *comparison)
{
	size_t length = strcspn(comparison->kernel, "<");
	return strlen(launch->kernel) == length && strncmp(launch->kernel, comparison->kernel, length) == 0 &&
	       memcmp(launch->grid, comparison->grid, sizeof launch->grid) == 0 &&
	       memcmp(launch->block, comparison->block, sizeof launch->block) == 0;
}

/* The row that a program's layout is of a comparison; UINT_MAX where it is none. */
static unsigned row_of(const struct program *program, const struct comparison *comparison)
{
	for (unsigned l = 0; l < comparison->layout_count; l++)
		if (!comparison->record || (program->layout && strcmp(comparison->layouts[l], program->layout) == 0))
			return l;
	return UINT_MAX;
}

/* ---- rows ------------------------------------------------------------------------------------- */

/* ncu's passes over a launch do not see quite the same: a hit rate above 1 is 1. */
static struct batch_counts measured_read(const json_t *counters)
{
	struct batch_counts measured;
	for (unsigned r = 0; r < batch_rung_count; r++) {
		double value = number_read(counters, batch_rungs[r].metric);
		if (batch_rungs[r].share)
			value = value > 100 ? 1 : value / 100;
		memcpy((char *)&measured + batch_rungs[r].offset, &value, sizeof value);
	}
	return measured;
}

/* The comparison of the n-th launch of its kind; a comparison stands for equal launches that follow each other. */
static void launch_add(struct arena *arena, const struct comparisons *comparisons, const struct suite *suite,
                       const struct program *program, const struct counted *launch, uint64_t n,
                       struct batch_ladder *ladder)
{
	for (unsigned c = 0; c < comparisons->count; c++) {
		const struct comparison *comparison = &comparisons->list[c];
		struct batch_ladder_row row = {.comparison = comparison, .layout = row_of(program, comparison)};
		if (!comparison->counts || row.layout == UINT_MAX || !is_launch(launch, comparison) ||
		    !is_program(program, &suite->cases[comparison->position]))
			continue;
		if (n < comparison->launches) {
			row.measured = measured_read(launch->counts);
			ARENA_PUSH(arena, ladder->rows, ladder->count, row);
			return;
		}
		n -= comparison->launches;
	}
}

static const char *program_add(struct arena *arena, const struct comparisons *comparisons, const struct suite *suite,
                               json_t *value, struct batch_ladder *ladder)
{
	struct counted *launches;
	struct program program;
	size_t count;
	if (!json_is_string(json_object_get(value, "file")) || !json_is_array(json_object_get(value, "launches")))
		return "a program without \"file\" or \"launches\"";
	program = program_of(arena, value);
	if (!is_texts(program.flags))
		return "\"flags\" is no array of texts";
	count = json_array_size(program.launches);
	launches = arena_array(arena, count + 1, sizeof *launches);
	for (size_t i = 0; i < count; i++) {
		uint64_t n = 0;
		if (!launch_read(arena, json_array_get(program.launches, i), &launches[i]))
			return "a launch without \"kernel\", \"grid\", \"block\" or \"counts\"";
		for (size_t j = 0; j < i; j++)
			n += same_launch(&launches[i], &launches[j]);
		launch_add(arena, comparisons, suite, &program, &launches[i], n, ladder);
		ladder->launches++;
	}
	return NULL;
}

bool batch_counters_load(struct arena *arena, const struct comparisons *comparisons, const struct suite *suite,
                         const char *path, struct batch_ladder *ladder, struct diagnostics *diagnostics)
{
	json_t *root = json_file_read(arena, path, SCHEMA, diagnostics), *programs = json_object_get(root, "programs"),
	       *program;
	const char *wrong = root && !json_is_array(programs) ? "\"programs\" is no array" : NULL;
	size_t index;
	json_array_foreach(programs, index, program)
	{
		if (!wrong)
			wrong = program_add(arena, comparisons, suite, program, ladder);
	}
	if (wrong)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "%s", wrong);
	json_decref(root);
	return root && !wrong;
}

/*
 * model: from the analysed source, the compiled variants and a machine file to a time per layout, and a verdict.
 *
 *   machine.c   machines/NAME.json -> struct machine; every number keeps unit, source and whether it is assumed
 *   compile.c   one nvcc run over all layout variants -> PTX module and registers
 *   cases.c     launches -> struct launch_case: grid, block, arguments, as far as constants go
 *   evaluate*.c what a launch executes (evaluate.h)
 *   matching.c  PTX memory instructions and loops <-> source accesses and loops
 *   thesis.c    the thesis's proposed method; source.c: its conventional method (CUDA source alone)
 *   verdict.c   ranking, ties, recommendation, the sentence that says why
 *   predict.c   all of it in order
 *
 * No file here names a layout or holds a hardware number: rows come from layouts/, numbers from machines/.
 */
#ifndef COALESCE_MODEL_MODEL_H
#define COALESCE_MODEL_MODEL_H

#include "analyzer/analyzer.h"
#include "base/base.h"
#include "layouts/layouts.h"
#include "model/execute/execute.h"
#include "ptxparse/ptxparse.h"

/* ---- machine.c ------------------------------------------------------------------ */

/* How a number of a machine file is known. ASSUMED also covers the substitute of an unknown number. */
enum quantity_kind { QUANTITY_MEASURED, QUANTITY_PUBLISHED, QUANTITY_ASSUMED, QUANTITY_SUBSTITUTED };
struct quantity {
	double value;
	enum quantity_kind kind;
	const char *unit, *source; /* source of the value used; for SUBSTITUTED: of the substitute */
	const char *reason;        /* SUBSTITUTED: why the number is not known, else NULL */
};

/* The keys the model reads: X(group, key). machines/README.md says what each means. machines/schema.json has some more. */
#define MACHINE_KEYS(X)                                                                                                            \
	X(sm, warp_lanes)                                                                                                          \
	X(sm, max_threads_per_block)                                                                                               \
	X(sm, count)                                                                                                               \
	X(sm, clock_hz)                                                                                                            \
	X(sm, schedulers)                                                                                                          \
	X(sm, issue_per_scheduler)                                                                                                 \
	X(sm, max_warps)                                                                                                           \
	X(sm, max_blocks)                                                                                                          \
	X(sm, registers) X(sm, register_granularity_per_warp) X(sm, max_registers_per_thread) X(sm, shared_memory_bytes) X(        \
		sm, shared_memory_granularity_bytes) X(sm, shared_memory_reserved_per_block_bytes) X(sm, shared_banks)             \
		X(lanes, fp32) X(lanes, fp64) X(lanes, int_add) X(lanes, int_multiply) X(lanes, int_shift_compare) X(lanes, sfu)   \
			X(lanes, load_store) X(lanes, conversion) X(lanes, shuffle) X(l1, size_bytes) X(l1, line_bytes) X(         \
				l1, sector_bytes) X(l1, hit_latency_cycles) X(l1, bandwidth_bytes_per_cycle_per_sm)                \
				X(l1, tags_per_cycle) X(l2, size_bytes) X(l2, partitions) X(l2, line_bytes) X(l2, sector_bytes) X( \
					l2, hit_latency_cycles) X(l2, far_hit_latency_cycles) X(l2, bandwidth_bytes_per_second)    \
					X(l2, transaction_delay_cycles) X(dram, size_bytes) X(dram, bandwidth_bytes_per_second)    \
						X(dram, read_bandwidth_bytes_per_second) X(dram, write_bandwidth_bytes_per_second) \
							X(dram, latency_cycles) X(dram, latency_added_cycles)                      \
								X(dram, access_granularity_bytes)                                  \
									X(dram, transaction_delay_cycles)                          \
										X(launch, overhead_seconds)                        \
											X(launch, event_overhead_seconds)

struct machine {
	const char *name; /* "NVIDIA H200" */
	const char *id;   /* file name without ".json": "h200" */
	const char *path;
	const char *architecture; /* "Hopper" */
	unsigned capability_major, capability_minor;
	const char *calibrated; /* date, driver and clocks of the run that measured it, or NULL */
	const char **notes;     /* what the file says about its numbers */
	unsigned note_count;
#define X(group, key) struct quantity group##_##key;
	MACHINE_KEYS(X)
#undef X
};

/*
 * Loads a machine by file name (a path ending in .json), by id or by alias from the machine folders: machines/ beside the program's folder, then the installed
 * data folder. Returns NULL for an unknown machine or a bad file (reported with the names there are, or with file:line:col).
 */
const struct machine *machine_load(struct arena *arena, const char *name, struct diagnostics *diagnostics);
/* Loads all machine files, sorted by id. Bad files are reported and left out. */
const struct machine **machine_list(struct arena *arena, unsigned *count, struct diagnostics *diagnostics);
/* How the program ends after machine_load() returned NULL: EXIT_USAGE for a name that no file has, EXIT_INPUT for a file that is wrong. */
enum exit_code machine_failure(const struct diagnostics *diagnostics);
/* The numbers that the model reads, named as in the file ("sm.count"). */
struct machine_number {
	const char *name;
	const struct quantity *quantity;
};
const struct machine_number *machine_numbers(struct arena *arena, const struct machine *machine, unsigned *count);
/*
 * A sentence for each number that is not known and what is assumed in its place, of the numbers named in a text ("sm.count l2.size_bytes"), or of all for NULL.
 */
const char **machine_assumptions(struct arena *arena, const struct machine *machine, const char *names, unsigned *count);
/* Numbers of a machine by how they are known, for `coalesce machines`: counts[enum quantity_kind]. */
void machine_count_kinds(const struct machine *machine, unsigned counts[4]);
/*
 * The architecture to compile for: "sm_90". Older parts than the toolkit can compile for give the oldest it can (*exact = false).
 */
const char *machine_target(struct arena *arena, const struct machine *machine, bool *exact);

/* ---- occupancy.c ------------------------------------------------------------------- */

/*
 * Blocks of a kernel that are resident on one SM at a time: the least that block slots, warp slots, registers and shared memory allow. 0
 * where the kernel cannot be launched (too many threads, registers or shared memory).
 */
unsigned occupancy_blocks_per_sm(const struct machine *machine, unsigned threads_per_block, unsigned registers_per_thread,
                                 uint64_t shared_bytes_per_block);

/* ---- compile.c ------------------------------------------------------------------------ */

/* What ptxas says of one kernel. */
struct kernel_resources {
	const char *mangled;
	unsigned registers, barriers;
	uint64_t stack_bytes, spill_store_bytes, spill_load_bytes, shared_bytes;
};
struct compilation {
	const struct ptx_module *module; /* analysed */
	struct kernel_resources *resources;
	unsigned resource_count;
	const struct ptx_module *machine_code; /* what ptxas made of it, or NULL */
	double nvcc_seconds;
};
/*
 * Compiles a CUDA translation unit to PTX and a cubin in one nvcc run and parses the PTX. flags: -D, -I, -std= of the user, and the folder of source_path for quoted
 * includes. machine_code: also read the cubin through nvdisasm. Returns NULL when nvcc fails (its messages are reported, with the source's lines where #line gives them) or is missing.
 */
struct compilation *compile_variants(struct arena *arena, const struct toolkit *toolkit, const char *target,
                                     const char *source_path, const char *text, const char *const *flags, unsigned flag_count,
                                     bool machine_code, struct diagnostics *diagnostics);
/* Reads and analyses a PTX file of the user's. NULL when it cannot be read or parsed (reported). */
const struct ptx_module *ptx_file_read(struct arena *arena, const char *path, struct diagnostics *diagnostics);
const struct kernel_resources *compilation_resources(const struct compilation *compilation, const char *mangled);

/* ---- cases.c: what is launched ------------------------------------------------------------- */

struct dimensions {
	bool given;
	uint32_t value[3];
};
struct named_value {
	const char *name, *value;
};
/* What the user says about launches; NULL or 0 where nothing. */
struct case_options {
	const char *kernel;
	struct dimensions grid, block;
	struct named_value *arguments, *extents, *indexes;
	unsigned argument_count, extent_count, index_count;
};
/* What an integer member of an array's records holds, as the user says: element i of all its scalars in order. */
struct member_content {
	const struct parameter *parameter;
	const struct leaf *leaf;
	struct content content;
};
/* One kernel with one launch configuration; equal launches are one case with a count. */
struct launch_case {
	const struct kernel *kernel;
	uint32_t grid[3], block[3];
	uint64_t dynamic_shared_bytes;
	bool *known;                    /* per kernel parameter: scalar value known */
	int64_t *values;                /* per kernel parameter */
	uint64_t *extents;              /* per kernel parameter: elements of its array, 0 unknown */
	struct content *contents;       /* per kernel parameter: of index arrays */
	struct member_content *members; /* of records' members, as declared */
	unsigned member_count;
	uint64_t launches;
	bool assumed; /* grid or block had to be assumed */
	const char **notes;
	unsigned note_count;
	int64_t *symbols; /* per kernel symbol: value of parameters, block and grid sizes; threads, blocks, iterators 0 */
	bool *symbol_known;
};
/*
 * The cases of an analysis: its launches, or the configuration given in options. Unknown kernel names, argument names or index files are
 * errors (reported; returns false).
 */
bool cases_find(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                struct launch_case **cases, unsigned *count, struct diagnostics *diagnostics);

/* ---- estimates --------------------------------------------------------------------------------- */

/* Totals over one launch, with the meaning of Nsight Compute's counters; NAN where the model does not say. */
struct counts {
	double warp_instructions, ld_requests, ld_sectors, st_requests, st_sectors, l1_hit_rate, l2_read_sectors, l2_write_sectors,
		l2_hit_rate, dram_read_bytes, dram_write_bytes, shared_bank_conflicts;
};

enum coalescing { COALESCED, PARTIAL, UNCOALESCED, BROADCAST };
const char *coalescing_name(enum coalescing class);

/* A source access as a layout's code executes it. */
struct access_estimate {
	const char *array, *member; /* member: "x", or "x,y,z" for one wide access; NULL for plain arrays */
	enum access_kind kind;
	struct place place;
	unsigned width_bytes; /* per lane */
	double executions;    /* per warp, averaged over the launch */
	double sectors_per_request;
	double hit_rate; /* of the cache the model has; NAN where it does not say */
	double cycles;   /* per warp, all executions */
	enum coalescing class;
};

struct estimate {
	double cycles_per_warp, time_seconds;
	const char *bound;  /* what limits it: "latency", "dram", ... */
	unsigned registers; /* 0 unknown */
	double occupancy;   /* resident warps over the SM's maximum */
	struct counts counts;
	struct access_estimate *accesses;
	unsigned access_count;
	const char **notes; /* what was assumed, each once */
	unsigned note_count;
};

struct predict_options;
/*
 * Where the thesis's text leaves its formulas open, and Table 4.2 does not decide between two readings by itself, an option names the one that is not usual:
 * X(name, usual, other, what). docs/thesis.md holds the evidence.
 */
#define THESIS_READINGS(X)                                                                                                         \
	X(element, "packed", "padded", "element_size of eq. 3: the record's members, or with the padding of the layout")           \
	X(invariant, "one", "lines", "transactions of accesses that no loop moves: one, or the lines their lanes touch")           \
	X(record, "hit", "apart", "an access of a record that the trip has just touched: a hit of L2, or eqs. 2 and 3")
/* true: the reading that is not usual. */
struct thesis_readings {
#define X(name, usual, other, what) bool name;
	THESIS_READINGS(X)
#undef X
};
/* Everything an estimate may use. code and evaluation are NULL for models that read the source alone. */
struct estimate_input {
	const struct machine *machine;
	const struct analysis *analysis;
	const struct predict_options *options;
	const struct launch_case *launch;
	const struct layout_groups *groups;
	struct placement *const *placements;  /* one per group */
	const struct variant_kernel *variant; /* the kernel's parameters in this layout */
	const struct ptx_module *module;
	const struct ptx_function *code;
	const struct kernel_resources *resources;
	const struct evaluation *evaluation;
	const struct evaluation *machine_evaluation; /* of the machine code of the same kernel, or NULL */
	const struct memory_buffer *buffers;         /* those of the evaluation */
	const struct buffer_owner *owners;           /* what each buffer is */
	unsigned buffer_count;
};
/* What a buffer of the evaluation holds: a group's buffer, or an unchanged array parameter. */
struct buffer_owner {
	const struct parameter *parameter; /* of the kernel as written; the first of a merged one */
	const struct placement *placement; /* NULL for unchanged parameters */
	const struct layout_group *group;
	unsigned array, buffer;
};

/* A cost model is a row: add one here to add a model. */
struct cost_model {
	const char *name, *summary;
	bool reads_ptx;
	struct estimate *(*estimate)(struct arena *arena, const struct estimate_input *input);
	const char *stands_for; /* name of the model that really computes it, or NULL */
	const char *numbers;    /* of the machine that it takes, for machine_assumptions(); NULL: all */
};
extern const struct cost_model cost_models[];
extern const unsigned cost_model_count;
const struct cost_model *cost_model_find(const char *name);

struct estimate *estimate_thesis(struct arena *arena, const struct estimate_input *input);
struct estimate *estimate_source(struct arena *arena, const struct estimate_input *input);

/* ---- predict.c, verdict.c -------------------------------------------------------------------------- */

struct predict_options {
	struct analyzer_options analyzer;
	struct layout_options layouts;
	struct case_options cases;
	double branch_probability; /* of a branch on unknown data being taken, 0 to 1 */
	double unknown_trips;      /* of a loop whose count depends on data; 0: evaluate.h's default */
	struct thesis_readings readings;
	bool machine_code;           /* count executed instructions in the machine code */
	const char *build_directory; /* of compile_commands.json, or NULL */
	const char *machine, *model;
	const struct layout *const *rank; /* which layouts, table rows */
	unsigned rank_count;
	const unsigned *tiles; /* for tiled layouts; at least one */
	unsigned tile_count;
	struct named_value *ptx_files; /* --ptx L=FILE */
	unsigned ptx_file_count;
};

/* A layout's row in the result of one launch case. */
struct ranked_layout {
	const struct layout_group *group; /* NULL: as written, no record */
	const struct layout *layout;
	unsigned tile; /* 0 for layouts without tiles */
	struct estimate *estimate;
	const struct estimate_input *input;
};
enum confidence { CONFIDENCE_HIGH, CONFIDENCE_MEDIUM, CONFIDENCE_LOW };
/* Which row is best for one group. Indices into rows. */
struct verdict {
	const struct layout_group *group;
	unsigned written, best, recommended; /* written: UINT_MAX when the written layout is not ranked */
	unsigned *ties;
	unsigned tie_count;
	const char *why; /* one sentence */
};
struct case_result {
	const struct launch_case *launch;
	struct ranked_layout *rows;
	unsigned row_count;
	struct verdict *verdicts; /* one per group that the kernel uses */
	unsigned verdict_count;
	enum confidence confidence;
	const char **notes;
	unsigned note_count;
};
struct program_row {
	const struct layout_group *group;
	const struct layout *layout;
	unsigned tile;
	double time_seconds; /* over all launches, other groups as written */
};
struct prediction {
	const struct analysis *analysis;
	const struct machine *machine;
	const struct cost_model *model;
	struct layout_groups groups;
	struct case_result *cases;
	unsigned case_count;
	struct program_row *program;
	unsigned program_count;
	struct verdict *program_verdicts; /* one per group, indices into program */
	unsigned program_verdict_count;
	const struct compilation *compilation; /* NULL when nothing was compiled */
	double clang_seconds, nvcc_seconds, own_seconds;
};

/* How far predict() goes: the last stage wanted, so that a dump of an early stage needs no compiler. */
enum predict_stage { STAGE_KERNEL, STAGE_GROUPS, STAGE_COMPILE, STAGE_EVALUATE, STAGE_ESTIMATE };

/*
 * Analyses, rewrites, compiles, evaluates and ranks. Returns NULL when the input cannot be analysed (reported); *exit_code then says how the program should end
 * (EXIT_INPUT, EXIT_USAGE or EXIT_TOOL_MISSING).
 */
struct prediction *predict(struct arena *arena, const struct predict_options *options, enum predict_stage last,
                           struct diagnostics *diagnostics, enum exit_code *exit_code);
/* Layouts predicted within this of the best are ties. */
#define TIE_SHARE 0.02
/* Ranks rows (times given) for one group: best, ties, recommendation. */
void verdict_rank(struct arena *arena, const double *times, const unsigned *rows, unsigned count, unsigned written,
                  struct verdict *verdict);

/* ---- accuracy.c: the figures that decide ------------------------------------------------------------- */

/* Times that close to each other are ties in rank; picks that close to the fastest are right. */
#define RANK_TIE_SHARE 0.03
#define PICK_SHARE 0.03
/* The same for launches below SHORT_LAUNCH_SECONDS, which carry the overhead of events and eviction. */
#define PICK_SHARE_SHORT 0.08
#define SHORT_LAUNCH_SECONDS 20e-6

/* The layouts of one record in one launch: seconds predicted and measured, all positive, and which one the model recommends. At least two. */
struct judged_case {
	const double *predicted, *measured;
	unsigned count, recommended;
};
/* Measured time of the recommended layout over the fastest one's, less 1. */
double case_regret(const struct judged_case *judged);
/* Whether the recommended layout is as fast as the fastest one, within PICK_SHARE. */
bool case_pick_is_right(const struct judged_case *judged);
/*
 * Kendall's tau-b between predicted and measured order. Two layouts within RANK_TIE_SHARE of each other are tied in that order; where one order
 * ties all layouts the coefficient is not defined: 1 when both do, else 0.
 */
double case_rank(const struct judged_case *judged);

/* Over a set of cases; NAN where there are none. */
struct accuracy {
	unsigned cases;
	double pick;                 /* share of right picks */
	double regret, worst_regret; /* mean and largest */
	double rank;                 /* mean */
	double ratio_error;          /* median over all pairs of layouts of |ln((predicted a/b) / (measured a/b))| */
	double time_error;           /* median over all layouts of |predicted / measured - 1| */
};
/* Root mean square of predicted[i] / published[i] - 1; NAN for none. */
double ratio_rms_error(const double *predicted, const double *published, unsigned count);
struct accuracy accuracy_of(struct arena *arena, const struct judged_case *cases, unsigned count);

/* ---- json.c --------------------------------------------------------------------------------------------- */

struct json_t;
/*
 * Reads a JSON file whose member "schema" has that value. Returns a new reference, or NULL: file:line:col of a syntax error, or what is wrong, is reported.
 */
struct json_t *json_file_read(struct arena *arena, const char *path, const char *schema, struct diagnostics *diagnostics);

/* ---- measurement.c: what was measured on a GPU (schema coalesce/measure/1) --------------------------------- */

#define MEASURE_SCHEMA "coalesce/measure/1"

struct measured_layout {
	const char *record;              /* NULL: a kernel without records */
	const char *layout;              /* "aos"; "as-written" for a kernel without records */
	unsigned tile;                   /* 0 for layouts without tiles */
	double median, minimum, maximum; /* seconds */
	unsigned repeats, registers;     /* registers per thread */
};
struct measured_argument {
	const char *name;
	int64_t value;
};
struct measured_kernel {
	const char *name;
	uint32_t grid[3], block[3];
	struct measured_argument *arguments; /* scalars that were known */
	unsigned argument_count;
	struct measured_layout *layouts;
	unsigned layout_count;
};
/* One program with one set of sizes on one GPU. */
struct measured_case {
	const char *id, *file;
	const char **options; /* the words given to bundle or measure */
	unsigned option_count;
	const char *gpu, *driver, *compiler, *date;
	bool quick; /* measured with fewer repeats than the protocol asks for */
	struct measured_kernel *kernels;
	unsigned kernel_count;
};
struct measurement {
	const char *path;
	struct measured_case *cases;
	unsigned case_count;
};
/* Reads a measurement file. Returns NULL when it cannot be read or something in it is missing or impossible (reported). */
const struct measurement *measurement_load(struct arena *arena, const char *path, struct diagnostics *diagnostics);
/* The case of that id, or NULL. */
const struct measured_case *measured_case_find(const struct measurement *measurement, const char *id);
/* Whether a case was measured with these options, in this order. */
bool measured_with(const struct measured_case *measured, const char *const *words, unsigned word_count);
/*
 * The kernel measured for the case_index-th launch case: that name, grid, block and arguments, counting equal ones before it. NULL where it was not measured.
 */
const struct measured_kernel *measured_kernel_find(const struct measured_case *measured, const struct case_result *results,
                                                   unsigned case_index);
/* Median of a layout in seconds, or NAN. row is one of a prediction. */
double measured_time(const struct measured_kernel *kernel, const struct ranked_layout *row);

/* ---- bundle*.c: a measuring program --------------------------------------------------------------------------- */

struct bundle_file {
	const char *path; /* relative to the bundle's folder */
	const char *text;
};
struct bundle {
	struct bundle_file *files; /* measure.cu, Makefile, and the user's own headers */
	unsigned file_count;
	const char *target;       /* "sm_90" */
	const char *const *flags; /* for nvcc, to be used in the bundle's folder */
	unsigned flag_count;
	unsigned kernel_count; /* launches that are measured */
};
/*
 * Makes the program that measures every launch case of a file in every layout ranked. id names the case in its results; words are the options as given, kept there.
 * Returns NULL when the input cannot be analysed or nothing in it can be measured (reported); *exit_code then says how the program should end.
 */
struct bundle *bundle_make(struct arena *arena, const struct predict_options *options, const char *id, const char *const *words,
                           unsigned word_count, struct diagnostics *diagnostics, enum exit_code *exit_code);

/* ---- calibration.c: a machine file from measurements ------------------------------------------------------------- */

/*
 * The text of the machine file that results of benchmarks/calibrate make of a template: a machine's name or file, or NULL for the file of the same device, else of the
 * same compute capability. What was measured takes the place of the template's numbers, and what machine files have no key for goes into "evidence". other_path: the
 * results of another card, with which they are compared (calibration.comparison of the file), or NULL. Returns NULL where something is wrong with any (reported).
 */
char *calibration_machine_file(struct arena *arena, const char *results_path, const char *other_path, const char *template_name,
                               struct diagnostics *diagnostics);

#endif

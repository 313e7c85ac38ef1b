/*
 * predict: the method. Analyses the source, writes all layouts, compiles them, evaluates what each launch executes, estimates its time, ranks.
 *
 *   predict.c  the stages in order
 *   device.c   the GPU as host code may ask for it
 *   program.c  the program, where it is observed
 *   refuse.c   launches that cannot run, do nothing, or were followed unequally far
 *   views.c    one launch in one variant, evaluated
 *   start.c    what launches find in the L2
 *   estimates.c  the launches' times, in threads
 *   ranking.c  the rows of a launch and of the program
 *   verdict.c  best, ties, recommendation
 *   switching.c  what a program pays for another layout beside its kernels
 *   why.c      the sentence that says why
 *   notes.c    what is said of a launch, once for all layouts
 *   trust/     intervals of times and of verdicts, and how far a verdict is to be trusted
 */
#ifndef COALESCE_MODEL_PREDICT_H
#define COALESCE_MODEL_PREDICT_H

#include "analyzer/analyzer.h"
#include "model/explain/explain.h"

/* What a launch finds in the L2. */
enum launch_state {
	START_COLD, /* the dirty lines of a flush: the measuring protocol, whose times are between two events */
	START_PROGRAM, /* what the copies and launches before it left; times are those of the kernel alone, in this and the next state */
	START_WARM /* what the launch itself left when it ran before */
};
/* As options, reports and documents say them. */
extern const char *const predict_start_names[START_WARM + 1];
struct predict_options {
	enum launch_state start;
	struct analyzer_options analyzer;
	struct layout_options layouts;
	struct case_options cases;
	struct branch_options branches; /* how often conditions on unknown data hold */
	double unknown_trips;           /* of a loop whose count depends on data; 0: execute.h's default */
	bool trips_told;                /* the user says unknown_trips: of loops that the source bounds, too */
	enum trips_side trips_side;
	struct thesis_readings readings;
	unsigned registers;    /* of each thread, as somebody measured; 0: what the compiler gives */
	bool no_machine_code;  /* instructions and time from the PTX alone */
	bool suggests_nothing; /* of separate arrays that could be records: who asks says it */
	bool combines;         /* predict what changes of several records gain together */
	bool advise;           /* estimate anew what changes at lines would be worth */
	enum compile_road compiler;
	bool one_program;                              /* all code in one unit, also where cores are idle: for who prints it */
	const char *build_directory, *machine, *model; /* build_directory: of compile_commands.json, or NULL */
	bool observe;                                  /* build and run the program to see what it launches */
	double kernel_seconds;                         /* of processor time for its kernels on this CPU */
	const char *observation;        /* a recording: to be written where observe is set, else to be read; or NULL */
	const char *const *build_flags; /* of nvcc's, that only the build of a whole program takes */
	unsigned build_flag_count;
	const char *const *targets; /* architectures that the user's build compiles for: "sm_80"; the machine decides */
	unsigned target_count;
	const struct layout *const *rank; /* which layouts, table rows */
	unsigned rank_count;
	const unsigned *tiles; /* for tiled layouts; at least one */
	unsigned tile_count;
	struct named_value *ptx_files; /* --ptx L=FILE */
	unsigned ptx_file_count;
	const char *const *compared; /* kernels that do the same job, in order; NULL: those that sweep/kernels.c finds */
	unsigned compared_count;
};

/* A layout's row in the result of one launch case. */
struct ranked_layout {
	const struct layout_group *group; /* NULL: as written, no record */
	const struct layout *layout;
	unsigned tile; /* 0 for layouts without tiles */
	struct estimate *estimate;
	struct launch_view *view;
	const struct launch_start
		*first_start;  /* of the first of several launches, where the further ones find something else; else NULL */
	double first_seconds;  /* that it takes then; else 0 */
	struct advice *advice; /* of recommended rows and rows without a verdict, where asked for */
	unsigned advice_count;
	struct unrolling unrolling; /* that makes the launch faster; all 0: none does, or it was not asked for */
};
/* How often verdicts like this one are to be right: at least 97 of 100, at least 90, fewer. docs/accuracy.md has how it is derived and how it holds. */
enum confidence { CONFIDENCE_HIGH, CONFIDENCE_MEDIUM, CONFIDENCE_LOW };
/* From the layout as written to the recommended one, once. All 0 where there is nothing to convert, or the model does not say. */
struct conversion {
	double bytes;                        /* read and written */
	double pack_seconds, back_seconds;   /* by a kernel, there; and by one that puts the records together again */
	double host_seconds;                 /* over the link to the host and back, which no host can do faster */
	double pack_launches, host_launches; /* after which it has paid; the way back not counted */
};
/* What speaks against a verdict whatever the model's errors are: docs/accuracy.md. Each name once. */
struct objections {
	const char **models; /* simpler ones that have another layout faster */
	unsigned model_count;
	const char **parts; /* of the machine, by the names of limits: the recommended layout takes more of them than another one */
	unsigned part_count;
	bool heard; /* the simpler models could be asked */
};
/* Which row is best for one group. Indices into rows. */
struct verdict {
	const struct layout_group *group;
	unsigned written, best, recommended; /* written: UINT_MAX when the written layout is not ranked */
	bool unranked;                       /* times are lower bounds: the layout as written is kept */
	unsigned contrast; /* what the recommended row is compared with: the written one, or where that is it the slowest */
	unsigned *ties;
	unsigned tie_count;
	double ratio_low,
		ratio_high; /* where the time of contrast over that of recommended is expected; 0: the model does not say */
	unsigned *rivals, rival_count; /* rows that may be as fast, by the errors of like pairs; none where confidence is high */
	struct objections objections;
	unsigned
		may_gain; /* of a program's verdict: a row that may be faster than the written one, which is kept; UINT_MAX: none */
	enum confidence confidence;
	bool misses_layout;           /* one that was asked for could not be ranked */
	const char *why;              /* one sentence */
	struct conversion conversion; /* of a launch's verdict */
	const char *holds; /* of a launch's verdict where sizes were assumed: for which others it was predicted too; or NULL */
};
struct case_result {
	const struct launch_case *launch;
	struct ranked_layout *rows;
	unsigned row_count;
	struct verdict *verdicts; /* one per group that the kernel uses */
	unsigned verdict_count;
	enum confidence confidence; /* the lowest of its verdicts' */
	const char **notes;
	unsigned note_count;
};
/* A launch of which nothing true could be said. */
struct refused_launch {
	const struct launch_case *launch;
	const char *reason; /* a phrase */
};
/* A kernel among others that do the same job. NAN: the model does not say, or there is nothing to divide by. */
struct kernel_variant {
	const struct case_result *result;
	const struct ranked_layout *row; /* as written, or where that is not ranked the recommended one */
	double bytes; /* that it has to move at least: what its lanes ask for, of each array at most its size read and written */
	double bytes_per_second, peak_share;
	double step, total;  /* how many times as fast as the variant before, and as the first one; the first itself: NAN */
	double active_lanes; /* of the 32, of an executed instruction */
	double divergent_branches;
	double sectors_per_request; /* of global loads and stores */
};
/* Launches of kernels that do the same job, in the order of their first launches, or of --compare-kernels. At least two. */
struct kernel_comparison {
	struct kernel_variant *variants;
	unsigned count;
	const char *word;   /* that their names begin with; NULL: --compare-kernels names them */
	double bytes_ratio; /* most bytes of a variant over the fewest */
};
struct program_row {
	const struct layout_group *group;
	const struct layout *layout;
	unsigned tile;
	double time_seconds;   /* over all launches, other groups as written */
	double switch_seconds; /* at copies between host and device, more than as written */
};
/* The records that verdicts change, or may change, all together. */
struct program_combination {
	const struct program_row **rows; /* what each changes to */
	unsigned row_count;              /* at least 2 */
	double seconds;        /* all launches */
	double switch_seconds; /* as of program_row, of all of them */
};
/* How far predict() goes: the last stage wanted, so that a dump of an early stage needs no compiler. */
enum predict_stage { STAGE_KERNEL, STAGE_GROUPS, STAGE_COMPILE, STAGE_EVALUATE, STAGE_ESTIMATE, STAGE_COUNT };
/* What a prediction took: libclang, the compilers, our own part of each stage, and predictions of variations that the caller makes beside it. Tools that run beside us make the wall time of ours small, or negative. */
struct prediction_time {
	struct duration clang, compiler, own[STAGE_COUNT], further;
};
struct pipeline;
struct sweep;
struct program_assumption;
struct prediction {
	enum launch_state start;         /* what launches find in the L2 */
	const struct pipeline *pipeline; /* what predict_again() goes on from */
	const struct analysis *analysis;
	const struct machine *machine;
	const struct cost_model *model;
	struct layout_groups groups;
	unsigned layouts_asked; /* to be ranked, of each record */
	struct case_result *cases;
	unsigned case_count;
	struct refused_launch *refused; /* no case among them */
	unsigned refused_count;
	struct program_row *program;
	unsigned program_count;
	struct verdict *program_verdicts; /* one per group, indices into program */
	unsigned program_verdict_count;
	const struct program_combination *combination; /* NULL: of fewer than two records, or it cannot be predicted */
	struct kernel_comparison *comparisons;
	unsigned comparison_count;
	const struct program_assumption *assumptions; /* model/sweep/sweep.h; the most influential first */
	unsigned assumption_count;
	const struct sweep *sweep;               /* model/sweep/sweep.h; NULL: none was asked for */
	struct compilation *const *compilations; /* each in the arena; none when nothing was compiled */
	unsigned compilation_count;
	struct prediction_time time;
};

/*
 * Analyses, rewrites, compiles, evaluates and ranks. Returns NULL when the input cannot be analysed (reported); *exit_code then says how the program should end
 * (EXIT_INPUT, EXIT_USAGE or EXIT_TOOL_MISSING).
 */
struct prediction *predict(struct arena *arena, const struct predict_options *options, enum predict_stage last,
                           struct diagnostics *diagnostics, enum exit_code *exit_code);
/*
 * Runs the program, or reads what was recorded of it, where that is asked for; else *observation stays NULL. The request has the machine, the toolkit and
 * the flags; the rest is taken from the options.
 */
struct observation;
struct observe_request;
enum exit_code predict_program_observe(struct arena *arena, const struct predict_options *options, struct observe_request *request,
                                       const struct observation **observation, struct diagnostics *diagnostics);
/* The machine as the runtime describes it to host code. */
struct analyzer_device predict_device(const struct machine *machine);
/* Notes where the build compiles for other architectures than the machine's alone. */
void predict_targets_check(const struct machine *machine, const struct predict_options *options, struct diagnostics *diagnostics);
/* Where a launch was followed to its end in some layouts alone, follows it a hundred times as far in the others, whose addresses may be no linear functions. */
void predict_follow_further(struct arena *arena, struct prediction *prediction);
/*
 * Predicts the file of a prediction once more, for other launches (options->cases) or on another machine that runs the same code. Nothing is analysed or compiled; the
 * source, the layouts and the code are those of `first`, which outlives the result. Returns NULL as predict() does.
 */
struct prediction *predict_again(struct arena *arena, const struct prediction *first, const struct predict_options *options,
                                 struct diagnostics *diagnostics, enum exit_code *exit_code);
/*
 * Each takes launches out of the cases into those refused, and reports them: what no GPU can run in some layout; what does nothing (a kernel without a body is
 * left out where there are others); what was followed to its end in one layout alone (layouts unlike the file as written are left out); what takes no time.
 * EXIT_INPUT: no case is left.
 */
enum exit_code predict_refuse_unable(struct arena *arena, struct prediction *prediction, struct diagnostics *diagnostics);
enum exit_code predict_refuse_idle(struct prediction *prediction, struct diagnostics *diagnostics);
enum exit_code predict_refuse_unlike(struct prediction *prediction, struct diagnostics *diagnostics);
/* Estimates all rows, by so many threads. Returns what others than the caller's worked, in seconds. */
double predict_estimate_rows(struct arena *arena, struct prediction *prediction, unsigned threads);
enum exit_code predict_refuse_timeless(struct prediction *prediction, struct diagnostics *diagnostics);
/* Adds a note to those of a launch unless it stands there. Of those that say how many warps stand for all at one place, that with the largest error stays. */
void predict_note_once(struct arena *arena, struct case_result *result, const char *note);
/* Takes the notes of all rows into those of the launch, and sets how sure its times are. Requires the estimates. */
void predict_case_conclude(struct arena *arena, const struct prediction *prediction, struct case_result *result);
/* A launch in a variant, not yet evaluated; NULL where the kernel has no code there (reported). */
struct launch_view *predict_view(struct arena *arena, const struct prediction *result, const struct predict_options *options,
                                 const struct launch_case *launch, const struct variant *variant, struct diagnostics *diagnostics);
/* Places the arguments of all rows' views and evaluates their code, by so many threads, each form once for all rows that execute the same. Returns what others than the caller's worked, in seconds. */
double predict_evaluate_rows(struct arena *arena, const struct prediction *result, const struct predict_options *options,
                             unsigned threads);
/*
 * Sets the combination. Requires the program's verdicts. written: the file as written, among the variants; build: how variants
 * get their code, which this sets variants and diagnostics of.
 */
void predict_combination(struct arena *arena, struct prediction *prediction, const struct predict_options *options,
                         const struct variant *written, struct code_build *build);
/* What all launches of a row's case take. */
double predict_launches_seconds(const struct case_result *result, const struct ranked_layout *row);
/* Sets what each row's launch finds in the L2: view->start, and first_start. Requires the rows' evaluations. */
void predict_starts_find(struct arena *arena, struct prediction *prediction, enum launch_state state);
/* Evaluates with so many steps those forms that were cut short. */
void predict_view_follow(struct arena *arena, struct launch_view *view, uint64_t steps);
/* Layouts predicted within this of the best are ties. */
#define TIE_SHARE 0.02
/* Ranks rows (times given) for one group: best, ties, recommendation. */
void verdict_rank(struct arena *arena, const double *times, const unsigned *rows, unsigned count, unsigned written,
                  struct verdict *verdict);
/* Recommends a row that is not the best one, and compares it with the layout as written, or where it is that with the slowest. */
void verdict_recommend(const double *times, const unsigned *rows, unsigned count, unsigned recommended, struct verdict *verdict);
/* Bytes that an element takes in all buffers, padding included. */
double verdict_element_bytes(const struct placement *placement);
/* What a kernel takes beside its start that copies so many elements from one layout to another. */
double verdict_conversion_seconds(const struct machine *machine, const struct placement *from, const struct placement *to, double elements);
/* What a row of the program pays where its records move between host and device, more than the layout as written. */
double verdict_switch_seconds(struct arena *arena, const struct prediction *prediction, const struct program_row *row);
/* Verdicts of one launch, one for each group that it uses. Requires the rows' estimates. */
void verdict_case(struct arena *arena, const struct prediction *prediction, struct case_result *result);
/* The program's rows, and one verdict for each group. Requires the estimates of all cases. */
void verdict_program(struct arena *arena, struct prediction *result, const struct variants *variants);
/* Sets the comparisons: of the kernels of options->compared, else of those that sweep/kernels.c finds. Requires the estimates of all cases. */
void verdict_kernels(struct arena *arena, const struct predict_options *options, struct prediction *prediction);
/* Sets the cost of conversion. Requires the rows' views and estimates. */
void verdict_convert(const struct prediction *prediction, const struct case_result *result, struct verdict *verdict);
/* One sentence: how the recommended row differs from the contrast, in which number and on which line. Requires the verdict's interval. */
const char *verdict_why(struct arena *arena, const struct case_result *result, const struct verdict *verdict);
/* What makes a row faster than another one of a like launch: which part of the machine, in which number, and where. */
const char *verdict_difference(struct arena *arena, const struct ranked_layout *fast, const struct ranked_layout *slow,
                               const char *slow_name);

#endif

/*
 * model/prediction: what is asked of a prediction, and what it says, as types. predict/ makes it, trust/ says how sure
 * it is, sweep/ and tune/ make many.
 */
#ifndef COALESCE_MODEL_PREDICTION_PREDICTION_H
#define COALESCE_MODEL_PREDICTION_PREDICTION_H

#include "analyzer/analyzer.h"
#include "model/explain/explain.h"

/* What a launch finds in the L2. */
enum launch_state {
	START_COLD,    /* the dirty lines of a flush: the measuring protocol, whose times are between two events */
	START_PROGRAM, /* what the copies and launches before it left; times are those of the kernel alone, in this and
	                  the next state */
	START_WARM     /* what the launch itself left when it ran before */
};
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
	struct compile_store *store; /* of code that other predictions may ask for again, or NULL */
	bool one_program;            /* all code in one unit, also where cores are idle: for who prints it */
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
	const char *const
		*compared; /* kernels that do the same job, in order; NULL: those that sweep/kernels.c finds */
	unsigned compared_count;
};

/* A layout's row in the result of one launch case. */
struct ranked_layout {
	const struct layout_group *group; /* NULL: as written, no record */
	const struct layout *layout;
	unsigned tile; /* 0 for layouts without tiles */
	struct estimate *estimate;
	struct launch_view *view;
	const struct launch_start *first_start; /* of the first of several launches, where the further ones find
	                                           something else; else NULL */
	double first_seconds;                   /* that it takes then; else 0 */
	struct advice *advice;                  /* of recommended rows and rows without a verdict, where asked for */
	unsigned advice_count;
	struct unrolling unrolling; /* that makes the launch faster; all 0: none does, or it was not asked for */
};
/* How often verdicts like this one are to be right: at least 97 of 100, at least 90, fewer. docs/accuracy.md has how it
 * is derived and how it holds. */
enum confidence { CONFIDENCE_HIGH, CONFIDENCE_MEDIUM, CONFIDENCE_LOW };
/* From the layout as written to the recommended one, once. All 0 where there is nothing to convert, or the model does
 * not say. */
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
	const char **parts; /* of the machine, by the names of limits: the recommended layout takes more of them than
	                       another one */
	unsigned part_count;
	bool heard; /* the simpler models could be asked */
};
/* Which row is best for one group. Indices into rows. */
struct verdict {
	const struct layout_group *group;
	unsigned written, best, recommended; /* written: UINT_MAX when the written layout is not ranked */
	bool unranked;                       /* times are lower bounds: the layout as written is kept */
	unsigned contrast; /* what the recommended row is compared with: the written one, or where that is it the
	                      slowest */
	unsigned *ties;
	unsigned tie_count;
	double ratio_low, ratio_high; /* where the time of contrast over that of recommended is expected; 0: the model
	                                 does not say */
	unsigned *rivals,
		rival_count; /* rows that may be as fast, by the errors of like pairs; none where confidence is high */
	struct objections objections;
	unsigned may_gain; /* of a program's verdict: a row that may be faster than the written one, which is kept;
	                      UINT_MAX: none */
	enum confidence confidence;
	bool misses_layout;           /* one that was asked for could not be ranked */
	const char *why;              /* one sentence */
	struct conversion conversion; /* of a launch's verdict */
	const char *holds; /* of a launch's verdict where sizes were assumed: for which others it was predicted too; or
	                      NULL */
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
	double bytes; /* that it has to move at least: what its lanes ask for, of each array at most its size read and
	                 written */
	double bytes_per_second, peak_share;
	double step,
		total; /* how many times as fast as the variant before, and as the first one; the first itself: NAN */
	double active_lanes; /* of the 32, of an executed instruction */
	double divergent_branches;
	double sectors_per_request; /* of global loads and stores */
};
/* Launches of kernels that do the same job, in the order of their first launches, or of --compare-kernels. At least
 * two. */
struct kernel_comparison {
	struct kernel_variant *variants;
	unsigned count;
	const char *word;   /* that their names begin with; NULL: --compare-kernels names them */
	double bytes_ratio; /* most bytes of a variant over the fewest */
};
struct check_result;
struct program_row {
	const struct layout_group *group;
	const struct layout *layout;
	unsigned tile;
	double time_seconds;   /* over all launches, other groups as written */
	double switch_seconds; /* at copies between host and device, more than as written */
	/* what the program does in that layout (model/observe/check/check.h); NULL: nobody asked, or rewriting does not
	 * write it */
	const struct check_result *check;
};
/* Copies and memsets of one kind, beside the kernels. */
enum transfer_direction {
	TRANSFER_TO_DEVICE,
	TRANSFER_TO_HOST,
	TRANSFER_ON_DEVICE,
	TRANSFER_FILL,
	TRANSFER_DIRECTIONS
};
struct program_transfer {
	enum transfer_direction direction;
	enum memory_kind memory; /* of the host's side; PAGEABLE where it has none */
	uint64_t times;
	double bytes, seconds; /* of all of them whose size is known */
	bool is_partial;       /* how many there are, or how large they are, is not known of some */
};
/* The records that verdicts change, or may change, all together. */
struct program_combination {
	const struct program_row **rows; /* what each changes to */
	unsigned row_count;              /* at least 2 */
	double seconds;                  /* all launches */
	double switch_seconds;           /* as of program_row, of all of them */
};
/* How far predict() goes: the last stage wanted, so that a dump of an early stage needs no compiler. */
enum predict_stage { STAGE_KERNEL, STAGE_GROUPS, STAGE_COMPILE, STAGE_EVALUATE, STAGE_ESTIMATE, STAGE_COUNT };
/* What a prediction took: libclang, the compilers, our own part of each stage, and predictions of variations that the
 * caller makes beside it. Tools that run beside us make the wall time of ours small, or negative. */
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
	struct program_transfer *transfers;
	unsigned transfer_count;
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

#endif

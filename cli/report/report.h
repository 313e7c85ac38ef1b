/*
 * cli/report: views of a finished prediction. What a view shows stands in struct prediction; it computes shares and
 * ratios of that, no more. Each appends to a struct text, so that all of it is written at once or not at all. Prefix:
 * report_.
 *
 *   table.c      the first screen; style.c: its colours and paragraphs
 *   actions.c    what to do about each record, with the command; which launches take the time
 *   program.c    the head of the first screen: what to do, the program's times
 *   checked.c    layouts whose programs were run, beside the original
 *   cost.c       what the program costs, all in all
 *   explain.c    per source line
 *   gcc.c        what to do, as a compiler's diagnostics
 *   ncu.c        counters under Nsight Compute's names
 *   json.c       schemas/predict.schema.json
 *   sarif.c      what code scanners show; hunks.c: its fixes
 *   dot.c        the weighted control-flow graph; flow.c: its weights
 *   dump.c       --dump
 *   assumptions.c  what was assumed of the program, once
 *   gate.c       whether the layouts as written are good enough
 *   figures.c    names and numbers that several views show
 */
#ifndef COALESCE_CLI_REPORT_REPORT_H
#define COALESCE_CLI_REPORT_REPORT_H

#include "base/base.h"
#include "model/model.h"

/* How tables look: with colours, how many columns they may take, and whether they say more. */
struct report_style {
	bool colour;
	unsigned width;
	bool verbose;                           /* how sure times are, and notes that nobody can act on */
	const struct report_commands *commands; /* or NULL */
};
const char *report_bold(const struct report_style *style);
const char *report_green(const struct report_style *style);
const char *report_faint(const struct report_style *style);
const char *report_plain(const struct report_style *style);
/* A paragraph, unless NULL, after a head, both indented, broken at the style's width. */
void report_paragraph(struct text *out, const struct report_style *style, const char *head, const char *paragraph);

/* ---- actions.c: what to do ----------------------------------------------------------------- */

/* Words of the command line that other commands about the same program need: files and options, quoted for a shell. */
struct report_commands {
	const char *rewrite, *bundle;
	const char *program; /* " -- ARG...", or "" */
};
/* What to do about one record of the program. */
struct report_action {
	const struct verdict *verdict; /* of the program */
	bool change;                   /* else the record stays as it is written */
	double share;                  /* of the program's time, of launches that use the record */
	double saved_seconds;          /* of all kernels, conversion paid; 0 where nothing changes */
	const char *answer, *reason;   /* "change aos to soa"; one sentence without its stop */
	const char *rewrite, *measure; /* commands; NULL: there is nothing to rewrite, or no reason to measure */
	const char *refusal;           /* of a change that `coalesce rewrite` does not write: why not, without a stop */
};
/* One for each record, what gains most first. commands: or NULL. */
struct report_action *report_actions(struct arena *arena, const struct prediction *prediction,
                                     const struct report_commands *commands, unsigned *count);
/* Them as JSON; a new reference. */
struct json_t;
struct json_t *report_actions_json(struct arena *arena, const struct prediction *prediction,
                                   const struct report_commands *commands);
/* What all changes gain together, those that may gain something among them; NULL where there is no such prediction. */
const char *report_together(struct arena *arena, const struct prediction *prediction);
/* The same as JSON; a new reference. */
struct json_t *report_together_json(const struct program_combination *combination);
/* The row of a case with all records as written; where that is not ranked its first one, NULL where it has none. */
const struct ranked_layout *report_case_row(const struct case_result *result);
/* Time of all launches of a case, and of the program, records as written. */
double report_case_seconds(const struct case_result *result);
double report_program_seconds(const struct prediction *prediction);
/* Positions of the cases, those that take most time first. */
unsigned *report_case_order(struct arena *arena, const struct prediction *prediction);
/* The program with a row's record in its layout, all others as written; NULL, with the reason, where `coalesce rewrite`
 * does not write that. */
const struct rewritten *report_rewritten(struct arena *arena, const struct prediction *prediction,
                                         const struct program_row *row, const char **refusal);
/* A word as a shell reads it. */
const char *report_shell_word(struct arena *arena, const char *word);

/* ---- checked.c: layouts whose programs were run ------------------------------------------------- */

struct check_result;
/* What is known of a record's layout; NULL: nobody asked, or rewriting does not write it. */
const struct check_result *report_check(const struct prediction *prediction, const struct layout_group *group,
                                        const struct layout *layout, unsigned tile);
/* "  checked", "  differs"; "" where that is not known. The check may be NULL. */
const char *report_check_mark(const struct check_result *check);
/* A line for each layout that was checked: what was the same, or what differs. */
void report_checks(struct text *out, struct arena *arena, const struct prediction *prediction,
                   const struct report_style *style);
/* It as JSON; a new reference. */
struct json_t *report_check_json(const struct check_result *check);

/* ---- program.c ----------------------------------------------------------------------------- */

/* What to do about each record, then what the program takes in each layout, then its kernels by time. */
void report_verdicts(struct text *out, struct arena *arena, const struct prediction *prediction,
                     const struct report_style *style);

/* ---- cost.c: what the program costs, all in all ------------------------------------------------ */

/* Its copies beside its kernels, and a line with the sum of both; nothing where it copies nothing. */
void report_cost(struct text *out, struct arena *arena, const struct prediction *prediction,
                 const struct report_style *style);
/* Kernels by time, copies and the sum; a new reference. */
struct json_t *report_cost_json(struct arena *arena, const struct prediction *prediction);

/* ---- glossary.c -------------------------------------------------------------------------- */

/* An entry of docs/glossary.md. */
struct report_term {
	const char *names; /* "best", or several: "kernel, launch" */
	const char *text;
};
/* All of them, in the page's order. */
const struct report_term *report_terms(struct arena *arena, unsigned *count);
/* The one with that name, or NULL. */
const struct report_term *report_term(struct arena *arena, const char *word);

/* ---- keep.c ------------------------------------------------------------------------------ */

/* Whether a comment at the record says `coalesce: keep`: no change is proposed, and no gate fails for it. */
bool report_is_kept(const struct prediction *prediction, const struct layout_group *group);

/* ---- gate.c ------------------------------------------------------------------------------ */

/* Whether the program's records as written are at most `percent` slower than in their best layouts, by the record that
 * loses most. */
struct report_gate {
	double percent; /* allowed */
	bool failed;
	const struct verdict *verdict;   /* of the program, of that record; NULL where no layout as written is ranked */
	double slower_percent;           /* by how much its layout as written is slower than its best */
	const struct case_result *worst; /* the launch that loses most time of all its launches */
	double worst_percent;
};
struct report_baseline;
/* Records that the source keeps, or the baseline (or NULL) accepts, are passed over. */
struct report_gate report_gate(struct arena *arena, const struct prediction *prediction, double percent,
                               const struct report_baseline *baseline);
/* Whether a gate without a baseline fails for a record of the program. */
bool report_gate_exceeds(const struct prediction *prediction, const struct verdict *verdict, double percent);
/* How to accept what a gate that failed found. baseline: the file to name, or NULL. */
const char *report_gate_hint(struct arena *arena, const struct report_gate *gate, const char *baseline);
/* "kernel k, record p: ... slower ..." of a gate whose verdict is not NULL. */
const char *report_gate_text(struct arena *arena, const struct prediction *prediction, const struct report_gate *gate);

/* ---- baseline.c -------------------------------------------------------------------------- */

struct json_t;
/* Reads a file of accepted findings; NULL where it cannot be read, or is none (reported). Released by
 * report_baseline_release(). */
struct report_baseline *report_baseline_open(struct arena *arena, const char *path, bool may_be_missing,
                                             struct diagnostics *diagnostics);
void report_baseline_release(struct report_baseline *baseline);
/* Whether the baseline, which may be NULL, has the record in its layout as written. */
bool report_is_accepted(struct arena *arena, const struct report_baseline *baseline,
                        const struct prediction *prediction, const struct verdict *verdict);
/* Its text with what a gate finds in the program, in the place of what it had of the same records; a new reference. */
struct json_t *report_baseline_with(struct arena *arena, const struct report_baseline *baseline,
                                    const struct prediction *prediction, double percent);

/* ---- assumptions.c ----------------------------------------------------------------------- */

struct json_t;
/* What was assumed of the program, what matters most first, each with the option that says it; nothing where nothing
 * was. */
void report_assumptions(struct text *out, struct arena *arena, const struct prediction *prediction,
                        const struct report_style *style);
/* The notes of all launches, each once, with its kernels where there are several. */
void report_notes(struct text *out, struct arena *arena, const struct prediction *prediction,
                  const struct report_style *style);
/* One of them in words: "n = 4096 (k): --arg n=; half of it and twice: 0.51 to 1.97 times the time". */
const char *report_assumption_at(struct arena *arena, const struct prediction *prediction, unsigned index);
/* Whether a launch's note is among what they say. */
bool report_note_is_listed(const struct prediction *prediction, const char *note);
/* Them as JSON; a new reference. */
struct json_t *report_assumptions_json(const struct prediction *prediction);

/* ---- views ------------------------------------------------------------------------------- */

/* What a prediction was made with, beside what stands in it. */
struct report_context {
	const char *version, *compiler; /* ours, and of the toolkit ("13.0"), or NULL */
	const char *const *options;     /* words of the command line */
	unsigned option_count;
	bool lines;                             /* JSON says what each source line costs */
	const struct measured_case *measured;   /* to lay beside it, or NULL */
	const struct report_gate *gate;         /* or NULL */
	const struct report_baseline *baseline; /* findings that are accepted; or NULL */
	const struct diagnostics *messages;     /* what was reported about the file */
	const struct report_commands *commands; /* or NULL */
};
/* The first screen: what to do; per kernel a row and a bar per layout, the recommendation and why; then what was
 * assumed. */
void report_table(struct text *out, struct arena *arena, const struct prediction *prediction,
                  const struct report_style *style);
/* Per source line of each kernel, the recommended layout beside the one that it is compared with; what a change would
 * be worth; all counts. */
void report_explain(struct text *out, struct arena *arena, const struct prediction *prediction,
                    const struct report_style *style);
/* What to do about each record: a line each, as a compiler's warnings and notes. */
void report_gcc(struct text *out, struct arena *arena, const struct prediction *prediction,
                const struct report_context *context);
/* Where a record is declared, or for arrays where a kernel that uses them is. */
struct place report_group_place(const struct prediction *prediction, const struct layout_group *group);
/* The counters of all launches in all layouts, as ncu --csv prints them. */
void report_ncu(struct text *out, struct arena *arena, const struct prediction *prediction);
/* The object of schema coalesce/predict/1; a new reference. */
struct json_t;
struct json_t *report_json(struct arena *arena, const struct prediction *prediction,
                           const struct report_context *context);
/* SARIF 2.1.0: records that would be faster in another layout, with the rewriting as a fix; accesses that do not
 * coalesce; what was assumed. A new reference. */
struct json_t *report_sarif(struct arena *arena, const struct prediction *prediction,
                            const struct report_context *context);
/* The control-flow graph of each launch in its layout as written and in the recommended one, in Graphviz's language. */
void report_dot(struct text *out, struct arena *arena, const struct prediction *prediction);
/* A stage in its stable text form; name is one of the names of --dump. */
void report_dump(struct text *out, const struct prediction *prediction, const char *name);
/* The names of --dump, and how far the pipeline has to run for one; false for another name. */
const char **report_stage_names(struct arena *arena, unsigned *count);
bool report_stage_find(const char *name, enum predict_stage *stage);

/* ---- hunks.c: what differs between two texts ------------------------------------------------ */

/* Lines first .. first + removed - 1 of the old text, from 1, give way to `added`, whole lines of the new one. */
struct report_hunk {
	unsigned first, removed;
	const char *added;
};
/* The hunks that make the new text of the old one, in order; a longest common subsequence of lines stays, or, in long
 * texts, what both begin and end with. */
struct report_hunk *report_hunks(struct arena *arena, const char *old, const char *new, unsigned *count);

/* ---- flow.c: how often code is executed -------------------------------------------------------- */

/* The code that a row's graph is of: what really runs, else the PTX; NULL where there is none. */
const struct code_view *report_code(const struct ranked_layout *row);
/* Instructions of a block, without those that only say what another does. */
unsigned report_block_length(const struct code_view *code, uint32_t block);
/* Executions by warps of a launch; NAN where the evaluation does not say. */
double report_block_executions(const struct code_view *code, uint32_t block);
/* Of the edge to the successor of that position in ptx_block.successors. */
double report_edge_executions(const struct code_view *code, uint32_t block, unsigned successor);

/* ---- ncu.c: counters by Nsight Compute's names -------------------------------------------------- */

struct report_metric {
	const char *name, *unit, *what; /* what: in words */
};
extern const struct report_metric report_metrics[];
extern const unsigned report_metric_count;
/* The metric at that place of report_metrics; NAN where the model does not say. */
double report_metric(const struct launch_view *view, const struct estimate *estimate, unsigned which);

/* ---- figures.c ---------------------------------------------------------------------------- */

/* "aos 13.0, soa 6.4 us": what the first of several launches takes, where it finds something else in the L2 than the
 * others and takes 2 % more or less in some layout; or NULL. */
const char *report_first_launch(struct arena *arena, const struct ranked_layout *const *rows, unsigned count);
/* "full, flushed L2": the model, and what launches find in the L2 where that is not what the program left. */
const char *report_model(struct arena *arena, const struct prediction *prediction);

/* A layout with its tile: "asta", "asta/64" where the tile is not the default. */
const char *report_layout_label(struct arena *arena, const struct layout *layout, unsigned tile);
/* A path without its folders; "?" for NULL. */
const char *report_file_name(const char *path);
/* Whether a file as compilers name it is the one of this path: they may have seen it in another folder. */
bool report_is_file(const char *seen, const char *path);
/* The source files of a prediction as a title has them: "main.cu and kernels.cu", "main.cu and 2 more files". */
const char *report_program_name(struct arena *arena, const struct prediction *prediction);
/* "64 x 2" for a grid or block. */
const char *report_dimensions(struct arena *arena, const uint32_t value[3]);
const char *report_confidence(enum confidence confidence);
/* "too close to call: asta (0.4 % slower)": rows that may be as fast; else "next: ..."; NULL where the verdict is sure.
 */
const char *report_rivals(struct arena *arena, const struct case_result *result, const struct verdict *verdict);
/* Sentences that speak against a verdict: "Sizes are assumed. 2 simpler models rank another layout first."; NULL where
 * none does. */
const char *report_doubts(struct arena *arena, const struct prediction *prediction, const struct case_result *result,
                          const struct verdict *verdict);
/* "line 12", or "kernels.cuh line 12" where it stands in a header. */
const char *report_kernel_place(struct arena *arena, const struct prediction *prediction, const struct kernel *kernel);
const char *report_access_kind(enum access_kind kind);
/* The rows of a group in a result, by time; for NULL those of a kernel without records. */
const struct ranked_layout **report_rows(struct arena *arena, const struct case_result *result,
                                         const struct layout_group *group, unsigned *count);
/* A number in three digits, without an exponent where it is large. */
const char *report_figure(struct arena *arena, double value);
/* A time in three digits with its unit: "2.10 ms". */
const char *report_duration(struct arena *arena, double seconds);
/* A time for a column of microseconds, with its unit where it is too long for them; and "12 of 35 us". */
const char *report_time(struct arena *arena, double seconds);
const char *report_part_of(struct arena *arena, double seconds, double whole);
/* DRAM bytes of a launch over its time, and that as a share of the bandwidth; NAN where the model does not say, or says
 * more than there is. */
double report_dram_rate(const struct machine *machine, const struct estimate *estimate);
double report_dram_share(const struct machine *machine, const struct estimate *estimate);
/* The limit that takes longest by itself, of those that are a part of the machine; NULL where the model has none. */
const struct limit *report_busiest(const struct estimate *estimate);
/* The limits in the order of bars: parts of the machine, then waiting, then the launch's own. NULL beyond the last. */
const struct limit *report_limit_at(const struct estimate *estimate, unsigned place);
/*
 * The share of a launch's time that a bar gives a limit: as much as the busiest part takes is shared out among the
 * parts by how busy they are; what is left is waiting (latency), and what passes before and after all work the launch's
 * own (launch). They add up to 1; 0 where the model has no limits.
 */
double report_share(const struct estimate *estimate, const char *limit);
/* The share of its time that a launch would take were nothing waited for; NAN where the model has no limits. */
double report_floor_share(const struct estimate *estimate);
/* "the L2" for "l2". */
const char *report_part_name(const char *limit);
/* The row of a verdict's layout as written; NULL where that is not ranked. */
const struct ranked_layout *report_written_row(const struct case_result *result, const struct verdict *verdict);
/* Lines of source that the first instruction of a basic block stems from: "idw.cu:42", or "line 42" where the file is
 * the one of this path; "" where the compiler gives none. */
const char *report_block_place(struct arena *arena, const struct code_view *code, uint32_t block, const char *path);
/* "3 numbers of the machine are assumed: coalesce machines h200"; NULL for none. */
const char *report_assumed(struct arena *arena, const struct machine *machine, const struct cost_model *model);

#endif

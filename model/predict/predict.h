/*
 * model/predict: the method. Analyses the source, writes all layouts, compiles them, evaluates what each launch
 * executes, estimates its time, ranks.
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
 *   advice.c   which rows are advised about
 */
#ifndef COALESCE_MODEL_PREDICT_PREDICT_H
#define COALESCE_MODEL_PREDICT_PREDICT_H

#include "model/prediction/prediction.h"

/* As options, reports and documents say them. */
extern const char *const predict_start_names[START_WARM + 1];
/*
 * Analyses, rewrites, compiles, evaluates and ranks. Returns NULL when the input cannot be analysed (reported);
 * *exit_code then says how the program should end (EXIT_INPUT, EXIT_USAGE or EXIT_TOOL_MISSING).
 */
struct prediction *predict(struct arena *arena, const struct predict_options *options, enum predict_stage last,
                           struct diagnostics *diagnostics, enum exit_code *exit_code);
/*
 * Runs the program, or reads what was recorded of it, where that is asked for; else *observation stays NULL. The
 * request has the machine, the toolkit and the flags; the rest is taken from the options.
 */
struct observation;
struct observe_request;
enum exit_code predict_program_observe(struct arena *arena, const struct predict_options *options,
                                       struct observe_request *request, const struct observation **observation,
                                       struct diagnostics *diagnostics);
/* The machine as the runtime describes it to host code. */
struct analyzer_device predict_device(const struct machine *machine);
/* Notes where the build compiles for other architectures than the machine's alone. */
void predict_targets_check(const struct machine *machine, const struct predict_options *options,
                           struct diagnostics *diagnostics);
/* Where a launch was followed to its end in some layouts alone, follows it a hundred times as far in the others, whose
 * addresses may be no linear functions. */
void predict_follow_further(struct arena *arena, struct prediction *prediction);
/*
 * Predicts the file of a prediction once more, for other launches (options->cases) or on another machine that runs the
 * same code. Nothing is analysed or compiled; the source, the layouts and the code are those of `first`, which outlives
 * the result. Returns NULL as predict() does.
 */
struct prediction *predict_again(struct arena *arena, const struct prediction *first,
                                 const struct predict_options *options, struct diagnostics *diagnostics,
                                 enum exit_code *exit_code);
/*
 * The same for other code of the same source: the options differ in flags alone that do not matter to the source. The
 * file is not read again, but compiled.
 */
struct prediction *predict_recompiled(struct arena *arena, const struct prediction *first,
                                      const struct predict_options *options, struct diagnostics *diagnostics,
                                      enum exit_code *exit_code);
/*
 * Each takes launches out of the cases into those refused, and reports them: what no GPU can run in some layout; what
 * does nothing (a kernel without a body is left out where there are others); what was followed to its end in one layout
 * alone (layouts unlike the file as written are left out); what takes no time. EXIT_INPUT: no case is left.
 */
enum exit_code predict_refuse_unable(struct arena *arena, struct prediction *prediction,
                                     struct diagnostics *diagnostics);
enum exit_code predict_refuse_idle(struct prediction *prediction, struct diagnostics *diagnostics);
enum exit_code predict_refuse_unlike(struct prediction *prediction, struct diagnostics *diagnostics);
/* Estimates all rows, by so many threads. Returns what others than the caller's worked, in seconds. */
double predict_estimate_rows(struct arena *arena, struct prediction *prediction, unsigned threads);
enum exit_code predict_refuse_timeless(struct prediction *prediction, struct diagnostics *diagnostics);
/* Sets the advice of rows, by so many threads. Requires the verdicts. */
void predict_advise(struct arena *arena, struct prediction *prediction, unsigned threads);
/* Adds a note to those of a launch unless it stands there. Of those that say how many warps stand for all at one place,
 * that with the largest error stays. */
void predict_note_once(struct arena *arena, struct case_result *result, const char *note);
/* Takes the notes of all rows into those of the launch, and sets how sure its times are. Requires the estimates. */
void predict_case_conclude(struct arena *arena, const struct prediction *prediction, struct case_result *result);
/* A launch in a variant, not yet evaluated; NULL where the kernel has no code there (reported). */
struct launch_view *predict_view(struct arena *arena, const struct prediction *result,
                                 const struct predict_options *options, const struct launch_case *launch,
                                 const struct variant *variant, struct diagnostics *diagnostics);
/* Places the arguments of all rows' views and evaluates their code, by so many threads, each form once for all rows
 * that execute the same. Returns what others than the caller's worked, in seconds. */
double predict_evaluate_rows(struct arena *arena, const struct prediction *result,
                             const struct predict_options *options, unsigned threads);
/*
 * Sets the combination. Requires the program's verdicts. written: the file as written, among the variants; build: how
 * variants get their code, which this sets variants and diagnostics of.
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
/* Recommends a row that is not the best one, and compares it with the layout as written, or where it is that with the
 * slowest. */
void verdict_recommend(const double *times, const unsigned *rows, unsigned count, unsigned recommended,
                       struct verdict *verdict);
/* Bytes that an element takes in all buffers, padding included. */
double verdict_element_bytes(const struct placement *placement);
/* What a kernel takes beside its start that copies so many elements from one layout to another. */
double verdict_conversion_seconds(const struct machine *machine, const struct placement *from,
                                  const struct placement *to, double elements);
/* What a row of the program pays where its records move between host and device, more than the layout as written. */
double verdict_switch_seconds(struct arena *arena, const struct prediction *prediction, const struct program_row *row);
/* What one copy over the bus takes, or the pages of managed memory that move, as measured for its size. */
double predict_copy_seconds(const struct machine *machine, enum memory_kind kind, bool to_device, double bytes);
struct observation;
/* Sets the prediction's transfers. observation: or NULL. */
void predict_transfers(struct arena *arena, struct prediction *prediction, const struct observation *observation);
/* Verdicts of one launch, one for each group that it uses. Requires the rows' estimates. */
void verdict_case(struct arena *arena, const struct prediction *prediction, struct case_result *result);
/* The program's rows, and one verdict for each group. Requires the estimates of all cases. */
void verdict_program(struct arena *arena, struct prediction *result, const struct variants *variants);
/* Sets the comparisons: of the kernels of options->compared, else of those that sweep/kernels.c finds. Requires the
 * estimates of all cases. */
void verdict_kernels(struct arena *arena, const struct predict_options *options, struct prediction *prediction);
/* Sets the cost of conversion. Requires the rows' views and estimates. */
void verdict_convert(const struct prediction *prediction, const struct case_result *result, struct verdict *verdict);
/* One sentence: how the recommended row differs from the contrast, in which number and on which line. Requires the
 * verdict's interval. */
const char *verdict_why(struct arena *arena, const struct case_result *result, const struct verdict *verdict);
/* What makes a row faster than another one of a like launch: which part of the machine, in which number, and where. */
const char *verdict_difference(struct arena *arena, const struct ranked_layout *fast, const struct ranked_layout *slow,
                               const char *slow_name);

#endif

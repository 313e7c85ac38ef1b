/*
 * What the files of the evaluator share.
 *
 * One run of the interpreter follows one warp, the representative, but every register carries besides its 32 lane values
 * its slope along each axis: how much all lanes grow from one block, warp or loop trip to the next. A comparison then says
 * not only how it came out but how far along the axes it comes out the same (a bound), so that a run ends with a box of
 * blocks and warps that provably do the same, and a loop with the number of trips that do. What is not linear along an
 * axis is "curved" there; where a curved value decides something, the axis is pinned to the representative.
 *
 *   plan.c    a function's slice, liveness
 *   operands.c operands resolved: parameters, addresses, constants
 *   value.c   registers: linear arithmetic
 *   bits.c    quotients, remainders, bit fields, logic along the axes
 *   scalar.c  one operation on plain numbers
 *   axes.c    axes, bounds, boxes
 *   magic.c   divisions by constants, written as products
 *   compare.c comparisons, predicates, choices
 *   exchange.c shuffles and votes
 *   step.c    executes one instruction of the slice
 *   product.c products, shifts, quotients
 *   memory.c  addresses, declared content, what a request touches
 *   warp.c    one warp from entry to exit: the stack of masks
 *   branch.c  where control goes, and what is assumed about it
 *   loop.c    loops: steady states
 *   advance.c loops: trips that are alike, in one go
 *   stretch.c loops of sampled warps that are not steady
 *   touch.c   what one request touches
 *   events.c  accesses whose sectors change with the alignment, summed over axes
 *   groups.c  warps of a block that one box can hold
 *   launch.c  covers the launch with boxes
 *   sum.c     counts of a run summed over its box
 *   sample.c  a sample of warps that stands for others, and its error
 */
#ifndef COALESCE_MODEL_EVALUATE_INTERNAL_H
#define COALESCE_MODEL_EVALUATE_INTERNAL_H

#include "model/execute/types.h"

/* ---- operands.c ---------------------------------------------------------------------- */

/* Width in bits of a register of that type; 1 for predicates. */
unsigned plan_type_bits(enum ptx_type type);
/* Gives the bytes of .param variables in call sequences their registers. */
void plan_parameters(struct planner *planner);
/* Resolves a step's sources, targets and callee. */
void plan_operands(struct planner *planner, struct step *step);
/* The register that stands for a byte of a .param variable, or NO_INDEX. */
uint32_t plan_parameter(const struct plan *plan, const char *symbol, int64_t offset);

/* ---- plan.c ---------------------------------------------------------------------------- */

/* Prepares a function; kernel parameters become constants. Plans of called functions are made once and kept in the list. */
const struct plan *plan_make(struct evaluator *evaluator, const struct ptx_function *function);
bool plan_in_loop(const struct plan *plan, uint32_t block, uint32_t loop);
/* The loop that the block's branch decides to leave or not, or PTX_NO_LOOP. */
uint32_t plan_decided_loop(const struct plan *plan, const struct plan_block *block);
/* Where an indexed branch goes. */
uint32_t plan_indexed_target(const struct plan *plan, const struct plan_block *block, uint64_t index);
/* Memory whose requests are counted. */
bool plan_is_memory(const struct ptx_insn *insn);
static inline bool set_has(const uint64_t *set, uint32_t index)
{
	return set[index / 64] >> (index % 64) & 1;
}

/* ---- value.c ----------------------------------------------------------------------------- */

static inline uint64_t bits_mask(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}
static inline int64_t bits_signed(uint64_t value, unsigned bits)
{
	return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}
static inline uint64_t value_lane(const struct value *value, unsigned lane)
{
	uint64_t raw = value->form == FORM_LINE ? value->base + (uint64_t)value->step * lane : value->lane[lane];

	return raw & bits_mask(value->bits);
}
static inline bool value_is_predicate(const struct value *value)
{
	return value->bits == 1;
}
/* Axes along which the value changes or is not linear. */
uint32_t value_varies(const struct run *run, const struct value *value);
/* The same in all lanes. */
bool value_is_uniform(const struct value *value, uint32_t mask);
/* A constant of the given width; slopes zero. */
void value_set(struct value *value, unsigned bits, uint64_t number);
void value_set_unknown(struct value *value, unsigned bits, enum value_doubt doubt, uint32_t origin);
void value_set_predicate(struct value *value, uint32_t lanes, uint32_t unknown, enum value_doubt doubt, uint32_t origin);
void value_copy(const struct run *run, struct value *to, const struct value *from);
/* a * factor_a + b * factor_b + constant, modulo 2^bits. b may be NULL; out may be a or b. */
void value_combine(const struct run *run, struct value *out, const struct value *a, uint64_t factor_a, const struct value *b,
                   uint64_t factor_b, uint64_t constant, unsigned bits);
/* Gives lanes of mask from `from` to `to`, others keep theirs. */
void value_blend(const struct run *run, struct value *to, const struct value *from, uint32_t mask);
/* Turns lanes into a line where the lanes of mask lie on one. */
void value_compact(struct value *value, uint32_t mask);
/* Least and greatest lane as numbers of that signedness. */
void value_range(const struct value *value, uint32_t mask, bool is_signed, int128 *least, int128 *greatest);
/* The value is read as a number, not modulo 2^bits: it must not wrap along the axes. */
void value_require_number(struct run *run, const struct value *value, uint32_t mask, bool is_signed);
/* It must stay within [least, greatest] along the axes, as it does here. */
void value_require_within(struct run *run, const struct value *value, uint32_t mask, bool is_signed, int128 least, int128 greatest);
/* The same number in more or fewer bits. One that is not linear stays so, along all axes where it changes, and ends none. */
void value_convert(struct run *run, struct value *out, const struct value *value, uint32_t mask, bool is_signed, unsigned bits);

/* ---- bits.c -------------------------------------------------------------------------------- */

/* floor(value / divisor) and what remains, of numbers of that signedness; either result may be NULL. */
void value_divide(struct run *run, const struct value *value, uint64_t divisor, uint32_t mask, bool is_signed,
                  struct value *quotient, struct value *remainder);
/* Bit logic: '&', '|', '^'. */
void value_logic(struct run *run, struct value *out, int operator, const struct value * a, const struct value *b, uint32_t mask,
                 unsigned bits);
/* length bits from bit position on. */
void value_field(struct run *run, struct value *out, const struct value *value, unsigned position, unsigned length, uint32_t mask);

/* ---- scalar.c -------------------------------------------------------------------------------- */

/* One operation on the sources as stored in registers. Returns false where the operation is not computed. */
bool scalar_apply(const struct ptx_insn *insn, const uint64_t sources[], unsigned count, uint64_t *result);
/* a compared with b as the instruction says. */
bool scalar_compare(const struct ptx_insn *insn, enum ptx_type type, uint64_t a, uint64_t b);

/* ---- axes.c ------------------------------------------------------------------------------------ */

/* The bound holds at the representative; makes it hold everywhere. */
void axes_require(struct run *run, const struct bound *bound);
/* From here on the representative stands for itself alone along these axes. */
void axes_pin(struct run *run, uint32_t axes);
/* Along the axis something repeats only every `period` positions. */
void axes_period(struct run *run, uint32_t axis, uint64_t period);
/* A new axis for a loop, or NO_AXIS. */
uint32_t axes_open(struct run *run);
/* Ends the innermost axis: what was required along it is required of the others for the one trip that was run. */
void axes_abandon(struct run *run);
/* Ends it with the number of trips for which all that was required holds. exit: the comparison that ends the loop, or NO_INDEX. */
void axes_close(struct run *run, uint32_t exit, struct trips *trips);
/* Trips that the bounds of a loop's axis allow so far. */
int64_t axes_peek(const struct run *run, uint32_t axis);
uint64_t greatest_divisor(uint64_t a, uint64_t b);

/* ---- magic.c ----------------------------------------------------------------------------------- */

/* Finds products of the block's registers with constants, and the shifts that make quotients of them. */
void magic_find(struct planner *planner, struct plan_block *block);

/* ---- compare.c --------------------------------------------------------------------------------- */

#define MOST_SOURCES 8

/* The instruction being executed, its sources read in the width of the operation. */
struct execution {
	struct run *run;
	struct activation *activation;
	const struct step *step;
	uint32_t mask, live;
	unsigned bits;
	bool is_signed;
	bool alike; /* a comparison of numbers that are the same in all lanes */
	unsigned count;
	const struct value *sources[MOST_SOURCES];
	struct value scratch[MOST_SOURCES];
	struct value result;
};

/* Lanes where a predicate, or its negation, is known to hold. */
uint32_t predicate_lanes(const struct value *value, bool negated);
/* Lanes where the comparison holds, as a predicate in result; the axes end where it changes. */
void compute_comparison(struct execution *x, enum ptx_type type);
void compute_setp(struct execution *x);
void compute_selp(struct execution *x);
/* min, max, abs of integers. */
void compute_extreme(struct execution *x);
void compute_set(struct execution *x);
/* operator: '&', '|', '^'. */
void combine_predicates(struct execution *x, int operator, const struct value * a, bool not_a, const struct value *b, bool not_b);

/* ---- exchange.c: lanes among themselves ---------------------------------------------------------- */

/* The quotient that the step computes, in result; false where it is none for these numbers. */
bool compute_magic(struct execution *x);
/* shfl, vote, activemask, elect; false for other operations. Results beyond the first are written. */
bool compute_exchange(struct execution *x);

/* ---- step.c --------------------------------------------------------------------------------------- */

const struct value *source_value(const struct run *run, const struct activation *activation, const struct source *source);
/* Computes the step's targets for the lanes of mask. live: the lanes of the whole entry. */
void step_compute(struct run *run, struct activation *activation, const struct step *step, uint32_t mask, uint32_t live);
/* Gives the target of that position the value. */
void execution_write(struct execution *x, unsigned which, const struct value *value);
/* Whether a source is unknown; then result is unknown too, and common to all lanes where the sources are. */
bool execution_doubtful(struct execution *x, unsigned bits);
void register_write(struct run *run, struct activation *activation, uint32_t reg, const struct value *value, uint32_t mask,
                    uint32_t live);

/* A number that is the same in all lanes and everywhere along the axes. */
bool source_is_plain(const struct execution *x, const struct value *value);
/* Any operation, lane by lane; the result is curved along all axes where the sources change. */
void compute_lanes(struct execution *x);

/* ---- product.c -------------------------------------------------------------------------------------- */

void compute_product(struct execution *x);
void compute_shift(struct execution *x);
/* div and rem by a positive number that is the same everywhere, of numbers that are and stay non-negative. */
void compute_division(struct execution *x);

/* ---- memory.c --------------------------------------------------------------------------------------- */

uint64_t variable_address(const struct ptx_module *module, const struct ptx_function *function, const char *symbol,
                          unsigned buffer_count, bool *found);
#define SHARED_WINDOW (UINT64_C(1) << 56)
#define LOCAL_WINDOW (UINT64_C(2) << 56)
#define PARAMETER_WINDOW (UINT64_C(3) << 56)
/* A number that looks random and is a function of its argument alone. */
uint64_t number_scramble(uint64_t number);
/* The same in [0, 1). */
double number_fraction(uint64_t number);
/* What the instruction loads, put in its targets. */
void memory_load(struct run *run, struct activation *activation, const struct step *step, const struct value *address,
                 uint32_t mask, uint32_t live);
/* Counts a memory instruction and loads its result where it is declared. */
void memory_access(struct run *run, struct activation *activation, const struct step *step, uint32_t mask, uint32_t live);

/* ---- touch.c ------------------------------------------------------------------------------------------- */

#define BANK_BYTES 4
#define SECTOR_SHIFT 5
#define LINE_SHIFT 7

/* What one request touches: of global and local memory sectors and lines, of shared memory passes and conflicts. */
struct touched {
	double first, second;
};
struct touched touch(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, enum ptx_space space);
/*
 * Pieces of 2^shift bytes that a line of lanes touches, in closed form: one without gaps, or in steps that keep lanes apart. Returns
 * false for others.
 */
bool line_pieces(uint64_t base, int64_t step, uint32_t mask, unsigned bytes, unsigned shift, double *count);

/* ---- events.c ------------------------------------------------------------------------------------------ */

/* Adds what the access touches, for all positions along the axes. */
void events_add(struct run *run, uint32_t slot, const struct value *address, uint32_t mask, const struct step *step,
                enum ptx_space space);
/* Passes of a shared-memory request to random words, on average. */
double expected_passes(unsigned lanes, unsigned bytes);
/* Addresses among the lanes of mask. */
double distinct_addresses(const struct value *address, uint32_t mask);
/* The vector by which counts grow along a launch axis. */
double *run_gradient(struct run *run, uint32_t axis);
/* The trips of a loop were found: events of its last trip stand for all of them. */
void events_repeat(struct run *run, uint32_t axis, const struct trips *trips);
/* Adds what all events touch in the whole box to the run's counts and gradients. */
void events_finish(struct run *run);
/* A loop is followed no longer: its events happened once. */
void events_forget(struct run *run, uint32_t axis);
/* Asks for steps along the axes by which events from `first` on are shifted by whole lines. */
void events_align(struct run *run, size_t first, uint32_t axes);
/* Counts the events from `first` on for the representative alone. */
void events_flush(struct run *run, size_t first);

/* ---- warp.c ---------------------------------------------------------------------------------------------- */

/* Registers for running a function, all zero. */
struct activation *activation_make(struct run *run, const struct plan *plan, struct activation *caller);
/* Runs a function for the lanes of mask until all have left it. */
void warp_run(struct run *run, struct activation *activation, uint32_t mask, double weight);
/* Lists what was assumed at an instruction; %s in format stands for detail. */
void warp_assume(struct run *run, uint32_t insn, const char *format, const char *detail) PRINTF_LIKE(3, 0);
/* Ends the run at the block it is in. */
void warp_cut(struct run *run, const struct activation *activation, const char *why);
/* What the instruction that made a value unknown brought, in words. */
const char *origin_text(const struct run *run, uint32_t origin);

void activation_push(struct run *run, struct activation *activation, struct entry entry);
/* Registers that lanes waiting below the top of the stack will read. */
void activation_update(struct activation *activation);
static inline struct entry *activation_top(struct activation *activation)
{
	return &activation->stack[activation->depth - 1];
}
/* An instruction of the kernel, or NULL. */
const struct ptx_insn *kernel_insn(const struct run *run, uint32_t index);

/* ---- branch.c ---------------------------------------------------------------------------------------------- */

/* How a guard comes out: lanes known to pass, and lanes of which it is not known. */
struct outcome {
	uint32_t yes, unknown, origin;
	bool common; /* unknown, but the same for all lanes */
};

struct outcome guard_outcome(const struct activation *activation, const struct step *step, uint32_t mask);
/* `share` of the lanes, in a fixed order that looks random. */
uint32_t some_lanes(uint32_t lanes, double share, uint32_t seed);
/* Counts an execution for the lanes of mask. */
void count_step(struct run *run, const struct activation *activation, const struct step *step, uint32_t mask);
/* Leaves the block that was just run. */
void branch_transfer(struct run *run, struct activation *activation, const struct plan_block *block);

/* ---- loop.c ------------------------------------------------------------------------------------------------ */

/*
 * Control reaches a loop's header. May advance the registers and counts by many trips; returns whether the loop was left,
 * and the entry is elsewhere.
 */
bool loop_arrive(struct run *run, struct activation *activation, struct entry *entry);
/* Control goes to `block` (PTX_NO_BLOCK: some lanes end): loops that it leaves are followed no longer. */
void loop_leave(struct run *run, struct activation *activation, uint32_t block);
/* Gives up following the loop; the trip that was run stands for itself. */
void frame_abandon(struct run *run, struct frame *frame);
/* Takes down live registers at this arrival. */
void frame_mark(struct run *run, struct frame *frame);
/* Takes down the counts. */
void frame_save_counts(struct run *run, struct frame *frame, unsigned which);
/* By how much a register grew since the mark, in all lanes alike; false where they differ. */
bool register_delta(const struct value *now, const struct value *then, uint32_t mask, int64_t *delta);
static inline bool frame_is_live(const struct frame *frame, uint32_t reg)
{
	return set_has(frame->activation->plan->blocks[frame->block].live, reg);
}
static inline void raise_degree(struct run *run, uint32_t degree)
{
	if (run->degree < degree)
		run->degree = degree;
}
/* Trips of the loop so far. */
uint64_t loop_trips(const struct run *run, const struct activation *activation, uint32_t loop);
/* The loop must not be advanced: what ends it is assumed. */
void loop_refuse(struct run *run, const struct activation *activation, uint32_t loop);

/* ---- groups.c ------------------------------------------------------------------------------------------------ */

/* Fills evaluator->groups. */
void group_warps(struct evaluator *evaluator);

/* ---- sum.c ------------------------------------------------------------------------------------------------------ */

/* Warps in a box. */
double box_volume(const struct box *box);
/* The part of the box that the run speaks for. */
struct box box_covered(const struct run *run, const struct box *box);
/* Adds the run's counts, for `volume` warps each, times weight. */
void counts_add(struct run *run, double *totals, double volume, double weight);
/* Sums counts that are a polynomial over the box. Returns false where a point turns out to differ after all. */
bool counts_add_polynomial(struct run *run, const struct box *covered, double *totals);

/* ---- sample.c --------------------------------------------------------------------------------------------------- */

/* Totals hold all executions: adds what scattered requests touch, as a sample of the launch's warps shows it. */
void sample_scattered(struct run *run, const struct boxes *launch, double *totals);
/* Adds the counts of the boxes that are left, as a sample of their warps shows them. */
void sample_rest(struct run *run, const struct boxes *left, double *totals);

/* ---- advance.c --------------------------------------------------------------------------------------------------- */

/* A register grows by so much in each of `periods` periods, and by the trips' slopes along the outer axes. */
void advance_register(struct run *run, const struct frame *frame, struct activation *activation, uint32_t reg, uint64_t delta,
                      int64_t periods);
/* Marks the axes along which the number of trips changes. */
void advance_note_slopes(struct run *run, const struct frame *frame);
/* Trips that change along launch axes make the counts grow along them. */
void advance_note_gradients(struct run *run, const struct frame *frame, bool polynomial);
/* Begins to look for a steady state again. */
void frame_restart(struct run *run, struct frame *frame);
/* All trips are alike: registers and counts are advanced to the last of them. */
void advance_alike(struct run *run, struct frame *frame, struct activation *activation);
/* Some of them stand for the others. */
void advance_window(struct run *run, struct frame *frame, struct activation *activation);
/* The block that follows the loop when its last branch, from `entry->from`, does not go back; PTX_NO_BLOCK: it is none such. */
uint32_t advance_exit(const struct frame *frame, const struct activation *activation, const struct entry *entry);
/* The comparison that decides whether the loop goes on, where nothing else needs to be known of the last trip, or NO_INDEX. */
uint32_t advance_exit_comparison(const struct frame *frame, const struct activation *activation, const struct entry *entry,
                                 uint32_t exit);
/* All trips are alike to the last, and control goes on behind the loop. */
void advance_out(struct run *run, struct frame *frame, struct activation *activation, struct entry *entry, uint32_t exit);
/* Counts of the sampled periods are continued as polynomials. */
void advance_polynomial(struct run *run, struct frame *frame, struct activation *activation);

/* ---- stretch.c --------------------------------------------------------------------------------------------------- */

/* Control is back at the header of a loop that is run trip by trip: may go over many of them. */
void stretch_arrive(struct run *run, struct frame *frame, struct activation *activation);

/* ---- launch.c ------------------------------------------------------------------------------------------------ */

/* Prepares plan, groups and counts. */
void launch_prepare(struct evaluator *evaluator);
struct run *run_make(struct evaluator *evaluator);
/* Runs the first warp of the box. */
void run_box(struct run *run, const struct box *box);
/* Declared content that is not linear is loaded: fewer steps are spent on exactness. */
void run_is_random(struct run *run);
/* Fills evaluator->result. */
void launch_evaluate(struct evaluator *evaluator);

/* ---- evaluate.c --------------------------------------------------------------------------------------------------------- */

struct evaluation *evaluation_make(struct arena *arena, const struct ptx_function *function);

#endif

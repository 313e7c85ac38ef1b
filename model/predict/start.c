/*
 * What launches of a program find in the L2: reuse distances, in bytes of lines, at the grain of the host's arrays.
 *
 *   A program is taken as copies from the host in the order of their text, of which the last l2.copied_bytes stay
 *   (benchmarks/operands/copied.cu); then its memsets and launches in the order in which they run.
 *   A launch in a loop of the host comes again after a round of it, which uses all that launches in the loop use.
 *
 *   distance(array, first)    = footprints of the distinct arrays used since the array's last use + the launch's own
 * footprint distance(array, further)  = footprints of the distinct arrays that a round uses footprint(launch, array)  =
 * min(bytes of the array, bytes of the sectors that its requests ask for) dirty                     = footprints of
 * stores to the arrays last used, as far back as the L2 is large
 *
 * Other launches count as written, this one in its own layout. Of a launch that runs more than once both are found.
 */
#include "model/predict/predict.h"

#include <math.h>

const char *const predict_start_names[] = {[START_COLD] = "cold", [START_PROGRAM] = "program", [START_WARM] = "warm"};

struct array_use {
	const struct host_array *array;
	struct reuse bytes;
	double dirty; /* bytes that are stored */
};
struct array_uses {
	struct array_use *list;
	unsigned count;
};

static const struct code_view *executed(const struct launch_view *view)
{
	return view->machine_code.evaluation ? &view->machine_code : &view->ptx;
}

/* The array of the host that a buffer of the launch belongs to; NULL where that is not known. */
static const struct host_array *array_of(const struct launch_view *view, unsigned buffer)
{
	const struct parameter *parameter = view->owners[buffer].parameter;
	const struct launch *found = view->launch->found;
	const struct kernel *kernel = view->launch->kernel;
	if (!found || !parameter || !found->arguments || view->owners[buffer].array_pointed)
		return NULL;
	for (unsigned p = 0; p < kernel->parameter_count; p++)
		if (&kernel->parameters[p] == parameter)
			return found->arguments[p].array;
	return NULL;
}

/* What a launch uses of a buffer, at most. */
static struct array_use footprint(const struct launch_view *view, unsigned buffer)
{
	const struct code_view *code = executed(view);
	double loaded = 0, stored = 0,
	       whole = view->buffers[buffer].bytes ? (double)view->buffers[buffer].bytes : INFINITY;
	for (size_t i = 0; i < code->function->insn_count; i++) {
		const struct insn_totals *totals = &code->evaluation->insns[i];
		unsigned flags = ptx_insn_flags(&code->function->insns[i]);
		if (totals->buffer != buffer || !(totals->executions > 0))
			continue;
		loaded += flags & (FLAG_LOAD | FLAG_ATOMIC) ? totals->sectors * SECTOR_BYTES : 0;
		stored += flags & (FLAG_STORE | FLAG_ATOMIC) ? totals->sectors * SECTOR_BYTES : 0;
	}
	double bytes = fmin(whole, loaded + stored);
	return (struct array_use){.array = array_of(view, buffer),
	                          .bytes = loaded > 0 ? (struct reuse){bytes, 0} : (struct reuse){0, bytes},
	                          .dirty = fmin(whole, stored)};
}

static struct reuse reuse_sum(struct reuse a, struct reuse b)
{
	return (struct reuse){a.loaded + b.loaded, a.stored + b.stored};
}

static double array_bytes(const struct host_array *array)
{
	return array->bytes.known ? (double)array->bytes.value : INFINITY;
}

/* Two uses of one array, as of parameters that are passed the same pointer: not more than the array has. */
static struct array_use uses_join(const struct array_use *a, const struct array_use *b)
{
	double whole = array_bytes(a->array);
	struct reuse bytes = reuse_sum(a->bytes, b->bytes);
	bytes.loaded = fmin(bytes.loaded, whole);
	bytes.stored = fmin(bytes.stored, whole - bytes.loaded);
	return (struct array_use){a->array, bytes, fmin(a->dirty + b->dirty, whole)};
}

static void use_add(struct arena *arena, struct array_uses *uses, struct array_use use)
{
	for (unsigned u = 0; u < uses->count; u++)
		if (use.array && uses->list[u].array == use.array) {
			uses->list[u] = uses_join(&uses->list[u], &use);
			return;
		}
	if (use.bytes.loaded + use.bytes.stored > 0)
		ARENA_PUSH(arena, uses->list, uses->count, use);
}

/* What a launch uses in one layout. */
static struct array_uses uses_of(struct arena *arena, const struct launch_view *view)
{
	struct array_uses uses = {0};
	for (unsigned b = 0; view->buffers && executed(view)->evaluation && b < view->buffer_count; b++)
		use_add(arena, &uses, footprint(view, b));
	return uses;
}

static bool is_used(const struct array_uses *uses, const struct host_array *array)
{
	for (unsigned u = 0; u < uses->count; u++)
		if (array && uses->list[u].array == array)
			return true;
	return false;
}

static struct reuse bytes_of(const struct array_uses *uses)
{
	struct reuse bytes = {0};
	for (unsigned u = 0; u < uses->count; u++)
		bytes = reuse_sum(bytes, uses->list[u].bytes);
	return bytes;
}

/* Bytes that the last uses left dirty, as far back as their lines fit the L2. */
static double dirty_of(const struct array_uses *uses, double l2_bytes)
{
	double dirty = 0, lines = 0;
	for (unsigned u = uses->count; u-- > 0 && lines < l2_bytes;) {
		double bytes = uses->list[u].bytes.loaded + uses->list[u].bytes.stored;
		dirty += uses->list[u].dirty * fmin(1, (l2_bytes - lines) / bytes);
		lines += bytes;
	}
	return dirty;
}

/* The array becomes the last one used. */
static void stack_touch(struct arena *arena, struct array_uses *stack, struct array_use use)
{
	unsigned kept = 0;
	for (unsigned u = 0; u < stack->count; u++) {
		const struct array_use *other = &stack->list[u];
		if (!use.array || other->array != use.array)
			stack->list[kept++] = *other;
		else {
			use.dirty = fmax(use.dirty, other->dirty);
			if (other->bytes.loaded + other->bytes.stored > use.bytes.loaded + use.bytes.stored)
				use.bytes = other->bytes;
		}
	}
	stack->count = kept;
	ARENA_PUSH(arena, stack->list, stack->count, use);
}

/* Bytes that others used since the array's last use; INFINITY: there is none. */
static struct reuse stack_distance(const struct array_uses *stack, const struct host_array *array)
{
	struct reuse bytes = {0};
	for (unsigned u = stack->count; array && u-- > 0;) {
		if (stack->list[u].array == array)
			return bytes;
		bytes = reuse_sum(bytes, stack->list[u].bytes);
	}
	return (struct reuse){INFINITY, INFINITY};
}

/* Where the host last copies to an array; NULL: it does not. */
static const struct host_reference *copied_find(const struct host_array *array)
{
	const struct host_reference *last = NULL;
	for (unsigned r = 0; r < array->reference_count; r++)
		if (array->references[r].use == HOST_COPY_IN)
			last = &array->references[r];
	return last;
}

/* Whether the L2 holds an array that the host copied: with all that it copies behind it in the text, it is no more than
 * what copies leave. */
static bool copy_stays(const struct analysis *analysis, const struct host_array *array, double copied_bytes)
{
	const struct host_reference *own = copied_find(array);
	double bytes = 0;
	for (unsigned a = 0; own && a < analysis->host_array_count; a++) {
		const struct host_reference *other = copied_find(analysis->host_arrays[a]);
		if (other && other->name.begin >= own->name.begin)
			bytes += array_bytes(analysis->host_arrays[a]);
	}
	return own && bytes <= copied_bytes;
}

/* What a memset uses: all of the array, where its bytes are not known. */
static struct array_use fill_use(const struct host_fill *fill)
{
	double whole = fill->array->bytes.known ? (double)fill->array->bytes.value : 0;
	double bytes = fill->bytes ? (double)fill->bytes : whole;
	return (struct array_use){fill->array, {0, bytes}, bytes};
}

/* The memsets that are made before a launch, and after the one before it. */
static void fills_touch(struct arena *arena, const struct analysis *analysis, struct array_uses *stack, uint64_t from,
                        uint64_t to)
{
	for (unsigned f = 0; f < analysis->host_fill_count; f++) {
		const struct host_fill *fill = &analysis->host_fills[f];
		if (fill->launches_before >= from && fill->launches_before < to)
			stack_touch(arena, stack, fill_use(fill));
	}
}

/* What the host copies to the L2 before any launch. */
static struct array_uses copies_find(struct arena *arena, const struct analysis *analysis, double copied_bytes)
{
	struct array_uses stack = {0};
	for (unsigned a = 0; a < analysis->host_array_count; a++)
		if (copy_stays(analysis, analysis->host_arrays[a], copied_bytes))
			stack_touch(arena, &stack,
			            (struct array_use){
					    analysis->host_arrays[a], {array_bytes(analysis->host_arrays[a]), 0}, 0});
	return stack;
}

static const struct launch_loop *loop_of(const struct case_result *result)
{
	return result->launch->found ? result->launch->found->loop : NULL;
}

/* Launches made before a case's first one. */
static uint64_t launches_before(const struct case_result *result)
{
	return result->launch->found ? result->launch->found->launches_before : 0;
}

static bool is_within(const struct launch_loop *loop, const struct launch_loop *around)
{
	while (loop && loop != around)
		loop = loop->around;
	return loop != NULL;
}

/* Whether launches of a case are made between two of another one: in its loop, or, of what is in none, by turns with
 * it. */
static bool is_between(const struct prediction *prediction, unsigned at, unsigned other)
{
	const struct case_result *cases = prediction->cases;
	const struct launch_loop *own = loop_of(&cases[at]);
	if (own)
		return is_within(loop_of(&cases[other]), own);
	for (unsigned c = at < other ? at : other; c <= (at < other ? other : at); c++)
		if (cases[c].launch->launches <= 1 || loop_of(&cases[c]))
			return false;
	return true;
}

/* written: what each case uses as written. */
struct starts {
	struct arena *arena;
	const struct prediction *prediction;
	enum launch_state state;
	struct array_uses *written;
};

/* What a round of its loop uses: the row's own, and of other cases what it does not use itself. */
static struct array_uses round_uses(const struct starts *starts, unsigned at, const struct array_uses *own)
{
	const struct analysis *analysis = starts->prediction->analysis;
	const struct launch_loop *own_loop = loop_of(&starts->prediction->cases[at]);
	struct array_uses all = {0};
	for (unsigned u = 0; u < own->count; u++)
		ARENA_PUSH(starts->arena, all.list, all.count, own->list[u]);
	for (unsigned c = 0; c < starts->prediction->case_count; c++) {
		const struct array_uses *uses = &starts->written[c];
		for (unsigned u = 0; u < uses->count && c != at && is_between(starts->prediction, at, c); u++)
			if (!is_used(&all, uses->list[u].array))
				use_add(starts->arena, &all, uses->list[u]);
	}
	for (unsigned f = 0; f < analysis->host_fill_count; f++) {
		const struct host_fill *fill = &analysis->host_fills[f];
		if (own_loop && is_within(fill->loop, own_loop) && !is_used(&all, fill->array))
			use_add(starts->arena, &all, fill_use(fill));
	}
	return all;
}

/* The L2 after the program's uses so far, or, further, after the round before. */
static const struct launch_start *start_make(const struct starts *starts, const struct launch_view *view,
                                             const struct array_uses *round, const struct array_uses *before,
                                             bool further)
{
	struct launch_start *start = arena_alloc(starts->arena, sizeof *start);
	struct reuse *distances = arena_array(starts->arena, view->buffer_count + 1, sizeof *distances);
	for (unsigned b = 0; b < view->buffer_count; b++)
		distances[b] = further ? bytes_of(round)
		                       : reuse_sum(bytes_of(round), stack_distance(before, array_of(view, b)));
	start->reuse = distances;
	start->dirty_bytes = dirty_of(further ? round : before, view->machine->l2_size_bytes.value);
	return start;
}

/* Whether the L2 may hold anything that the launch uses: some line is used again before as much as the L2 is large. */
static bool start_holds(const struct launch_view *view, const struct launch_start *start)
{
	bool holds = false;
	for (unsigned b = 0; b < view->buffer_count; b++)
		holds |= start->reuse[b].loaded + start->reuse[b].stored / 2 < view->machine->l2_size_bytes.value;
	return holds;
}

/* Whether a launch takes as long from both: neither holds anything, and as much is dirty. */
static bool starts_alike(const struct launch_view *view, const struct launch_start *a, const struct launch_start *b)
{
	return a->dirty_bytes == b->dirty_bytes && !start_holds(view, a) && !start_holds(view, b);
}

static void row_start(const struct starts *starts, unsigned at, const struct array_uses *stack,
                      struct ranked_layout *row)
{
	struct launch_view *view = row->view;
	struct array_uses own = uses_of(starts->arena, view);
	bool several = starts->state == START_PROGRAM && view->launch->launches > 1;
	struct array_uses round = several ? round_uses(starts, at, &own) : own;
	view->start = start_make(starts, view, &round, stack, several || starts->state == START_WARM);
	if (several)
		row->first_start = start_make(starts, view, &own, stack, false);
	if (several && starts_alike(view, view->start, row->first_start))
		row->first_start = NULL;
}

double predict_launches_seconds(const struct case_result *result, const struct ranked_layout *row)
{
	double launches = (double)result->launch->launches, seconds = row->estimate->time_seconds;
	return seconds * launches + (row->first_seconds > 0 ? row->first_seconds - seconds : 0);
}

/* The cases in the order in which their first launches are made. */
static const unsigned *cases_order(struct arena *arena, const struct prediction *prediction)
{
	unsigned *order = arena_array(arena, prediction->case_count + 1, sizeof *order);
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const uint64_t before = launches_before(&prediction->cases[c]);
		unsigned at = c;
		for (; at > 0 && launches_before(&prediction->cases[order[at - 1]]) > before; at--)
			order[at] = order[at - 1];
		order[at] = c;
	}
	return order;
}

void predict_starts_find(struct arena *arena, struct prediction *prediction, enum launch_state state)
{
	prediction->start = prediction->model->follows_start ? state : START_COLD;
	const struct machine_table *copied = machine_table_find(prediction->machine, "l2.copied_bytes");
	struct array_uses stack = copies_find(arena, prediction->analysis, copied ? copied->value[0] : 0);
	uint64_t made = 0;
	struct starts starts = {arena, prediction, prediction->start,
	                        arena_array(arena, prediction->case_count + 1, sizeof *starts.written)};
	for (unsigned c = 0; c < prediction->case_count && prediction->start != START_COLD; c++)
		starts.written[c] = uses_of(arena, prediction->cases[c].rows[0].view);
	const unsigned *order = cases_order(arena, prediction);
	for (unsigned i = 0; i < prediction->case_count && prediction->start != START_COLD; i++) {
		const unsigned c = order[i];
		struct case_result *result = &prediction->cases[c];
		const uint64_t before = launches_before(result) + 1;
		fills_touch(arena, prediction->analysis, &stack, made, before);
		made = made > before ? made : before;
		for (unsigned r = 0; r < result->row_count; r++)
			row_start(&starts, c, &stack, &result->rows[r]);
		for (unsigned u = 0; u < starts.written[c].count; u++)
			stack_touch(arena, &stack, starts.written[c].list[u]);
	}
}

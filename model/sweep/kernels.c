/*
 * Kernels that do the same job, held against each other: how many times as fast each is as the one before and as the
 * first, and what it makes of the memory.
 *
 *   bytes   = sum over arrays of min(bytes that lanes load, size of the array) + min(bytes that lanes store, size of
 * the array) GB/s    = bytes / time, which tutorials call effective bandwidth; its peak is DRAM's bandwidth lanes   =
 * thread executions / warp executions of instructions, 32 without divergence
 *
 * Which kernels they are the user says. Without that, those whose names begin with the same word (letters up to a
 * digit, an underscore or a capital after a small letter; not "kernel"), which write arrays of the same types, in
 * records the same members, none of them one that another only reads; whose results no other kernel takes together; and
 * which move bytes within a factor of two. The k-th launches of all of them are the k-th comparison.
 */
#include "model/sweep/sweep.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#define BYTES_RATIO_MOST 2.0

/* What is compared: all launches of a kernel, or of all instances of a template. */
struct contender {
	const char *name;
	const struct case_result **cases;
	unsigned count;
};
struct contenders {
	struct arena *arena;
	struct contender *list;
	unsigned count;
};

/* ---- names ------------------------------------------------------------------------- */

/* The name without namespaces and template arguments. */
static const char *base_name(struct arena *arena, const char *name)
{
	const char *last = name;
	for (const char *next = name; *next && *next != '<'; next++)
		if (next[0] == ':' && next[1] == ':')
			last = next + 2;
	return arena_strndup(arena, last, strcspn(last, "<"));
}

/* The word that a name begins with, or NULL where it says nothing: so do the names of calls of thrust. */
static const char *first_word(struct arena *arena, const char *name)
{
	size_t length = 0;
	while (isalpha((unsigned char)name[length]) &&
	       !(length > 0 && isupper((unsigned char)name[length]) && islower((unsigned char)name[length - 1])))
		length++;
	const char *word = arena_strndup(arena, name, length);
	return length < 2 || strcasecmp(word, "kernel") == 0 || strcmp(word, "thrust") == 0 ? NULL : word;
}

/* ---- who is compared ------------------------------------------------------------------ */

static bool launched_before(const struct case_result *a, const struct case_result *b)
{
	const struct launch *left = a->launch->found, *right = b->launch->found;
	if (!left || !right)
		return false;
	return left->place.line != right->place.line ? left->place.line < right->place.line
	                                             : left->place.column < right->place.column;
}

/* In the order of the launches in the file. */
static void case_insert(struct arena *arena, struct contender *contender, const struct case_result *result)
{
	ARENA_PUSH(arena, contender->cases, contender->count, result);
	for (unsigned i = contender->count - 1; i > 0 && launched_before(result, contender->cases[i - 1]); i--) {
		contender->cases[i] = contender->cases[i - 1];
		contender->cases[i - 1] = result;
	}
}

static void contenders_add(struct contenders *contenders, const char *name, const struct case_result *result)
{
	unsigned i = 0;
	while (i < contenders->count && strcmp(contenders->list[i].name, name) != 0)
		i++;
	if (i == contenders->count)
		ARENA_PUSH(contenders->arena, contenders->list, contenders->count, (struct contender){.name = name});
	case_insert(contenders->arena, &contenders->list[i], result);
}

static bool is_taken(const struct contenders *contenders, const struct case_result *result)
{
	for (unsigned i = 0; i < contenders->count; i++)
		for (unsigned c = 0; c < contenders->list[i].count; c++)
			if (contenders->list[i].cases[c] == result)
				return true;
	return false;
}

/* Those that a name of the user's means: of a template's name all instances together, of a pattern each kernel. */
static void contenders_named(struct contenders *contenders, const struct prediction *prediction, const char *name)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		const struct kernel *kernel = result->launch->kernel;
		if (case_kernel_named(kernel, name) && !is_taken(contenders, result))
			contenders_add(contenders,
			               strchr(name, '<') ? kernel->name : base_name(contenders->arena, kernel->name),
			               result);
	}
}

/* ---- the same job ------------------------------------------------------------------------- */

static bool parameter_is(const struct kernel *kernel, unsigned parameter, const struct leaf *leaf, bool written)
{
	for (unsigned a = 0; a < kernel->access_count; a++) {
		const struct access *access = kernel->accesses[a];
		if (access->array->parameter == &kernel->parameters[parameter] &&
		    (access->kind != ACCESS_LOAD) == written && (!leaf || !access->leaf || access->leaf == leaf))
			return true;
	}
	return false;
}

/* Types of the arrays that a kernel writes, of records with the members that it writes; "" for none. */
static const char *results_of(struct arena *arena, const struct kernel *kernel)
{
	const char *text = "";
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		const struct record *record = kernel->parameters[p].type.record;
		if (!kernel->parameters[p].is_pointer || !parameter_is(kernel, p, NULL, true))
			continue;
		text = arena_printf(arena, "%s%s;", text, kernel->parameters[p].type.spelling);
		for (unsigned l = 0; record && l < record->leaf_count; l++)
			if (parameter_is(kernel, p, &record->leaves[l], true))
				text = arena_printf(arena, "%s.%s;", text, record->leaves[l].path);
	}
	return text;
}

static const struct host_array *argument_array(const struct case_result *result, unsigned parameter)
{
	const struct launch *found = result->launch->found;
	return found && result->launch->kernel->parameters[parameter].is_pointer ? found->arguments[parameter].array
	                                                                         : NULL;
}

static bool case_uses(const struct case_result *result, const struct host_array *array, bool written)
{
	for (unsigned p = 0; p < result->launch->kernel->parameter_count; p++)
		if (argument_array(result, p) == array && parameter_is(result->launch->kernel, p, NULL, written))
			return true;
	return false;
}

/* An array that a makes and c only reads, other than `but`; NULL where there is none. */
static const struct host_array *fed_to(const struct case_result *a, const struct case_result *c,
                                       const struct host_array *but)
{
	for (unsigned p = 0; p < a->launch->kernel->parameter_count; p++) {
		const struct host_array *array = argument_array(a, p);
		if (array && array != but && parameter_is(a->launch->kernel, p, NULL, true) &&
		    case_uses(c, array, false) && !case_uses(c, array, true))
			return array;
	}
	return NULL;
}

/* Whether another kernel goes on with what both make, in arrays of their own: two halves of one job, not two ways to do
 * it. */
static bool halves(const struct prediction *prediction, const struct case_result *a, const struct case_result *b)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct host_array *own = fed_to(a, &prediction->cases[c], NULL);
		if (own && fed_to(b, &prediction->cases[c], own))
			return true;
	}
	return false;
}

static bool fits(struct arena *arena, const struct prediction *prediction, const struct contenders *set,
                 const char *word, const struct contender *other)
{
	const char *own = first_word(arena, other->name);
	const char *results = results_of(arena, other->cases[0]->launch->kernel);
	if (!own || strcmp(own, word) != 0 || !*results ||
	    strcmp(results, results_of(arena, set->list[0].cases[0]->launch->kernel)) != 0)
		return false;
	for (unsigned i = 0; i < set->count; i++)
		if (fed_to(set->list[i].cases[0], other->cases[0], NULL) ||
		    fed_to(other->cases[0], set->list[i].cases[0], NULL) ||
		    halves(prediction, set->list[i].cases[0], other->cases[0]))
			return false;
	return true;
}

/* ---- one of them ------------------------------------------------------------------------------ */

struct moved {
	double loaded, stored;
};

static struct moved bytes_moved(struct arena *arena, const struct launch_view *view, const struct code_view *code)
{
	struct moved *moved = arena_array(arena, view->buffer_count + 1, sizeof *moved), sum = {0};
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		const struct insn_totals *totals = &code->evaluation->insns[i];
		unsigned flags = ptx_insn_flags(&code->function->insns[i]);
		unsigned buffer = totals->buffer < view->buffer_count ? totals->buffer : view->buffer_count;
		double bytes = totals->lanes * ptx_insn_access_bytes(&code->function->insns[i]);
		if (code->function->insns[i].space != SPACE_GLOBAL && totals->buffer == UINT32_MAX)
			continue;
		moved[buffer].loaded += flags & (FLAG_LOAD | FLAG_ATOMIC) ? bytes : 0;
		moved[buffer].stored += flags & (FLAG_STORE | FLAG_ATOMIC) ? bytes : 0;
	}
	for (unsigned b = 0; b <= view->buffer_count; b++) {
		double size =
			b < view->buffer_count && view->buffers[b].bytes ? (double)view->buffers[b].bytes : INFINITY;
		sum.loaded += fmin(moved[b].loaded, size);
		sum.stored += fmin(moved[b].stored, size);
	}
	return sum;
}

static double bytes_needed(struct arena *arena, const struct launch_view *view, const struct code_view *code)
{
	const struct moved moved = bytes_moved(arena, view, code);
	return moved.loaded + moved.stored;
}

double sweep_stored_bytes(struct arena *arena, const struct launch_view *view)
{
	const struct code_view *code = cost_executed_code(view);
	return code->evaluation ? bytes_moved(arena, view, code).stored : NAN;
}

static double active_lanes(const struct code_view *code)
{
	double lanes = 0, executions = 0;
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		lanes += code->evaluation->insns[i].lanes;
		executions += code->evaluation->insns[i].executions;
	}
	return executions > 0 ? lanes / executions : NAN;
}

static const struct ranked_layout *row_of(const struct case_result *result)
{
	const struct verdict *verdict = result->verdict_count ? &result->verdicts[0] : NULL;
	if (!verdict)
		return &result->rows[0];
	return &result->rows[verdict->written < result->row_count ? verdict->written : verdict->recommended];
}

static struct kernel_variant variant_of(struct arena *arena, const struct prediction *prediction,
                                        const struct case_result *result)
{
	struct kernel_variant variant = {.result = result, .row = row_of(result), .step = NAN, .total = NAN};
	const struct counts *counts = &variant.row->estimate->counts;
	const struct code_view *code = cost_executed_code(variant.row->view);
	double requests = counts->ld_requests + counts->st_requests;
	bool evaluated = code->evaluation != NULL;
	variant.bytes = evaluated ? bytes_needed(arena, variant.row->view, code) : NAN;
	variant.active_lanes = evaluated ? active_lanes(code) : NAN;
	variant.divergent_branches = evaluated ? code->evaluation->divergent_branches : NAN;
	variant.bytes_per_second = variant.bytes / variant.row->estimate->time_seconds;
	variant.peak_share = variant.bytes_per_second / prediction->machine->dram_bandwidth_bytes_per_second.value;
	variant.sectors_per_request = requests > 0 ? (counts->ld_sectors + counts->st_sectors) / requests : NAN;
	return variant;
}

/* ---- a comparison ----------------------------------------------------------------------------- */

static void variant_add(struct arena *arena, struct kernel_comparison *comparison, struct kernel_variant variant)
{
	double time = variant.row->estimate->time_seconds;
	if (comparison->count > 0) {
		variant.step = comparison->variants[comparison->count - 1].row->estimate->time_seconds / time;
		variant.total = comparison->variants[0].row->estimate->time_seconds / time;
	}
	ARENA_PUSH(arena, comparison->variants, comparison->count, variant);
}

static double bytes_ratio(const struct kernel_comparison *comparison)
{
	double least = INFINITY, most = 0;
	for (unsigned i = 0; i < comparison->count; i++) {
		least = fmin(least, comparison->variants[i].bytes);
		most = fmax(most, comparison->variants[i].bytes);
	}
	return least > 0 ? most / least : NAN;
}

/* word: NULL where the user says who is compared. */
static void comparisons_add(const struct contenders *contenders, const char *word, struct prediction *prediction)
{
	bool more = contenders->count > 1;
	for (unsigned k = 0; more; k++) {
		struct kernel_comparison comparison = {.word = word};
		for (unsigned i = 0; i < contenders->count; i++)
			if (k < contenders->list[i].count)
				variant_add(contenders->arena, &comparison,
				            variant_of(contenders->arena, prediction, contenders->list[i].cases[k]));
		comparison.bytes_ratio = bytes_ratio(&comparison);
		more = comparison.count > 1;
		if (more && (!word || comparison.bytes_ratio <= BYTES_RATIO_MOST))
			ARENA_PUSH(contenders->arena, prediction->comparisons, prediction->comparison_count,
			           comparison);
	}
}

static void comparisons_find(struct arena *arena, struct prediction *prediction)
{
	struct contenders all = {.arena = arena};
	for (unsigned c = 0; c < prediction->case_count; c++)
		contenders_add(&all, base_name(arena, prediction->cases[c].launch->kernel->name),
		               &prediction->cases[c]);
	bool *taken = arena_array(arena, all.count + 1, sizeof *taken);
	for (unsigned i = 0; i < all.count; i++) {
		const char *word = first_word(arena, all.list[i].name);
		struct contenders set = {.arena = arena};
		if (taken[i] || !word)
			continue;
		ARENA_PUSH(arena, set.list, set.count, all.list[i]);
		for (unsigned j = i + 1; j < all.count; j++) {
			if (taken[j] || !fits(arena, prediction, &set, word, &all.list[j]))
				continue;
			ARENA_PUSH(arena, set.list, set.count, all.list[j]);
			taken[j] = true;
		}
		comparisons_add(&set, word, prediction);
	}
}

void verdict_kernels(struct arena *arena, const struct predict_options *options, struct prediction *prediction)
{
	struct contenders named = {.arena = arena};
	for (unsigned i = 0; i < options->compared_count; i++)
		contenders_named(&named, prediction, options->compared[i]);
	if (options->compared_count)
		comparisons_add(&named, NULL, prediction);
	else
		comparisons_find(arena, prediction);
}

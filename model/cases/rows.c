/*
 * Rows: loops over a part of an array that other arrays say. Three forms, of whole elements or of members of records:
 *
 *   neighbours   for (j = row[i]; j < row[i + 1]; j++)
 *   ends         for (j = begin[i]; j < end[i]; j++)
 *   counts       for (j = begin[i]; j < begin[i] + count[i]; j++)
 *
 * Their contents are assumed: every row has as many elements as all have on average, mean = elements of the array that
 * j walks through / rows, or as many as a loop of unknown length has trips.
 */
#include "model/cases/cases.h"

/* A loop over a row: what is loaded for its first element, and for its end. */
enum row_form { ROW_NEIGHBOURS, ROW_ENDS, ROW_COUNTS };
struct row_loop {
	enum row_form form;
	const struct access *begin, *end; /* NEIGHBOURS: of one array; COUNTS: end is how many elements the row has */
};

struct loads {
	const struct access **list;
	unsigned count;
};

/* ---- expressions ------------------------------------------------------------------------- */

static bool same_array(const struct access *a, const struct access *b)
{
	return a->array == b->array && a->leaf == b->leaf && !a->inner && !b->inner;
}

/* Whether two expressions have the same value: also where each loads it by an access of its own. */
static bool same_value(const struct expr *a, const struct expr *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->op != b->op || a->bits != b->bits || a->is_signed != b->is_signed || a->value != b->value ||
	    a->symbol != b->symbol || a->op == EXPR_UNKNOWN)
		return false;
	if (a->op == EXPR_LOAD)
		return same_array(a->load, b->load) && same_value(a->load->element, b->load->element);
	for (unsigned i = 0; i < ARRAY_COUNT(a->operands); i++)
		if (!same_value(a->operands[i], b->operands[i]))
			return false;
	return true;
}

/* Splits a sum into a constant and the rest, whose types may be cast on the way. */
static const struct expr *without_constant(const struct expr *expr, int64_t *constant)
{
	int64_t value;
	*constant = 0;
	while (expr->op == EXPR_CAST ||
	       ((expr->op == EXPR_ADD || expr->op == EXPR_SUB) && expr_is_constant(expr->operands[1], &value))) {
		if (expr->op != EXPR_CAST)
			*constant += expr->op == EXPR_ADD ? value : -value;
		expr = expr->operands[0];
	}
	return expr;
}

/* By how much the place of one load is behind that of another; false where that is not a constant. */
static bool places_differ(const struct access *a, const struct access *b, int64_t *apart)
{
	int64_t first, second;
	const struct expr *one = without_constant(a->element, &first), *other = without_constant(b->element, &second);
	*apart = second - first;
	return same_value(one, other);
}

/* Collects the loads of integers from array parameters in an expression, each place once. */
static void loads_collect(struct arena *arena, const struct expr *expr, struct loads *loads)
{
	if (!expr)
		return;
	if (expr->op == EXPR_LOAD && expr->load->array && expr->load->array->parameter && !expr->load->inner) {
		int64_t apart;
		for (unsigned i = 0; i < loads->count; i++)
			if (same_array(loads->list[i], expr->load) &&
			    places_differ(loads->list[i], expr->load, &apart) && apart == 0)
				return;
		ARENA_PUSH(arena, loads->list, loads->count, expr->load);
	}
	for (unsigned i = 0; i < ARRAY_COUNT(expr->operands); i++)
		loads_collect(arena, expr->operands[i], loads);
}

/* ---- loops over rows ------------------------------------------------------------------------ */

/* What the two loads of a loop bring, to see how its trips depend on them. */
struct probe {
	const struct access *begin, *end;
	int64_t first, last;
};

static bool probe_load(void *context, const struct access *access, const int64_t *values, int64_t *result)
{
	const struct probe *probe = context;
	(void)values;
	*result = same_array(access, probe->begin) ? probe->first : probe->last;
	return same_array(access, probe->begin) || same_array(access, probe->end);
}

static bool trips_with(const struct launch_case *launch, const struct loop *loop, struct probe probe, int64_t first,
                       int64_t last, int64_t *trips)
{
	probe.first = first;
	probe.last = last;
	return expr_evaluate(loop->trips, launch->symbols, probe_load, &probe, trips);
}

/* How the trips of a loop follow from two loads. Returns false where they do as in no form of rows. */
static bool form_of(const struct launch_case *launch, const struct loop *loop, const struct access *begin,
                    const struct access *end, enum row_form *form)
{
	const int64_t at = 1 << 16, more = 1 << 12;
	const struct probe probe = {.begin = begin, .end = end};
	int64_t apart, trips, moved, longer;
	if (same_array(begin, end)) {
		*form = ROW_NEIGHBOURS;
		return places_differ(begin, end, &apart) && (apart == 1 || apart == -1);
	}
	if (!places_differ(begin, end, &apart) || apart != 0 ||
	    !trips_with(launch, loop, probe, at, at + more, &trips) ||
	    !trips_with(launch, loop, probe, at + more, at + more, &moved) ||
	    !trips_with(launch, loop, probe, at, at + 2 * more, &longer))
		return false;
	*form = moved == trips ? ROW_COUNTS : ROW_ENDS;
	return longer > trips && (moved == trips || moved < trips);
}

static bool row_loop_find(struct arena *arena, const struct launch_case *launch, const struct loop *loop,
                          struct row_loop *rows)
{
	struct loads begins = {0}, all = {0};
	loads_collect(arena, loop->start, &begins);
	loads_collect(arena, loop->start, &all);
	loads_collect(arena, loop->trips, &all);
	for (unsigned b = 0; b < begins.count; b++)
		for (unsigned e = 0; e < all.count; e++) {
			*rows = (struct row_loop){.begin = begins.list[b], .end = all.list[e]};
			if (rows->begin != rows->end && form_of(launch, loop, rows->begin, rows->end, &rows->form))
				return true;
		}
	return false;
}

/* ---- contents --------------------------------------------------------------------------------- */

/* What the array, or the member of its records, holds, which is to be assumed; NULL where that is known. */
static struct content *content_open(struct arena *arena, struct launch_case *launch, const struct access *load)
{
	struct content *content = load->leaf ? NULL : case_content(launch, load->array);
	const struct parameter *parameter = load->array->parameter;
	if (content)
		return content->kind == CONTENT_UNKNOWN ? content : NULL;
	if (!load->leaf || load->leaf->count > 1 || !parameter->is_pointer ||
	    case_member_content(launch, parameter, load->leaf))
		return NULL;
	struct member_content member = {.parameter = parameter,
	                                .leaf = load->leaf,
	                                .content = {.element_bytes = (unsigned)load->leaf->type.size_bytes}};
	ARENA_PUSH(arena, launch->members, launch->member_count, member);
	return &launch->members[launch->member_count - 1].content;
}

static bool content_is_open(struct launch_case *launch, const struct access *load)
{
	const struct content *content = load->leaf ? case_member_content(launch, load->array->parameter, load->leaf)
	                                           : case_content(launch, load->array);
	return load->leaf ? !content && load->leaf->count == 1 : content && content->kind == CONTENT_UNKNOWN;
}

/* The most elements of an array that is indexed by where rows begin; 0 where none is known. */
static uint64_t walked_elements(struct arena *arena, struct launch_case *launch, const struct access *begin)
{
	uint64_t most = 0;
	for (unsigned i = 0; i < launch->kernel->access_count; i++) {
		const struct access *access = launch->kernel->accesses[i];
		const uint64_t *extent = case_extent(launch, access->array);
		struct loads loads = {0};
		loads_collect(arena, access->element, &loads);
		for (unsigned l = 0; extent && l < loads.count; l++)
			if (same_array(loads.list[l], begin) && *extent > most)
				most = *extent;
	}
	return most;
}

static const char *name_of(struct arena *arena, const struct access *load)
{
	return load->leaf ? arena_printf(arena, "%s.%s", load->array->name, load->leaf->path) : load->array->name;
}

/* Sets what is assumed of one of the arrays. */
static void content_assume(struct arena *arena, struct launch_case *launch, const struct access *load,
                           struct content content, const char *what, int64_t mean, bool is_average)
{
	const char *name = name_of(arena, load),
		   *value = arena_printf(arena, "%lld elements in each row", (long long)mean);
	struct content *open = content_open(arena, launch, load);
	content.element_bytes = open->element_bytes;
	*open = content;
	const char *note = arena_printf(arena, "content of %s %s is not known; assumed %s%s: give --index %s=", what,
	                                name, value, is_average ? ", the average" : " (--trips)", name);
	case_assume(arena, launch,
	            (struct case_assumption){
			    .kind = ASSUMED_ROWS, .name = name, .value = value, .number = mean, .note = note});
}

static void row_loop_assume(struct arena *arena, struct launch_case *launch, const struct row_loop *loop, double trips)
{
	const uint64_t extent = *case_extent(launch, loop->begin->array),
		       target = walked_elements(arena, launch, loop->begin);
	const uint64_t rows = loop->form == ROW_NEIGHBOURS && extent > 0 ? extent - 1 : extent;
	int64_t mean = rows && target ? (int64_t)((target + rows / 2) / rows) : (int64_t)trips;
	mean = mean > 0 ? mean : 1;
	content_assume(arena, launch, loop->begin, (struct content){.kind = CONTENT_SEQUENCE, .step = mean},
	               "row pointers", mean, rows && target);
	if (loop->form == ROW_ENDS)
		content_assume(arena, launch, loop->end,
		               (struct content){.kind = CONTENT_SEQUENCE, .step = mean, .low = mean}, "row ends", mean,
		               rows && target);
	if (loop->form == ROW_COUNTS)
		content_assume(arena, launch, loop->end,
		               (struct content){.kind = CONTENT_UNIFORM, .low = mean, .high = mean + 1}, "row lengths",
		               mean, rows && target);
}

void case_rows_assume(struct arena *arena, struct launch_case *launch, double trips)
{
	for (unsigned i = 0; i < launch->kernel->loop_count; i++) {
		struct row_loop rows;
		if (row_loop_find(arena, launch, launch->kernel->loops[i], &rows) &&
		    case_extent(launch, rows.begin->array) && content_is_open(launch, rows.begin) &&
		    content_is_open(launch, rows.end))
			row_loop_assume(arena, launch, &rows, trips);
	}
}

/*
 * Compiled code <-> source. A PTX memory instruction belongs to the array whose buffer its evaluated addresses lie in
 * and to the members its bytes cover there; the source access is the one of that array, member and kind whose line .loc
 * names, whose lanes move alike, and that the loop holds. A PTX loop belongs to the innermost source loop that holds
 * the line of its back branch. Trips of a PTX loop are those of the evaluation: the source's trips over the unroll
 * factor where the thesis's setp and add tell it (section 3.3), and right as well for remainder loops, and for counters
 * that the compiler has scaled (k * n instead of k), which setp and add misread.
 *
 * Requires: cfg, evaluation. Fills: struct code_match.
 */
#include "model/code/code.h"

#include <limits.h>
#include <string.h>

/* Where the lanes of the block's first warp access, once for all instructions that the access may belong to. */
struct lane_offsets {
	bool asked, known;
	uint32_t mask;
	uint64_t offsets[WARP_LANES];
};

/* The code that is being matched. */
struct matcher {
	struct arena *arena;
	const struct launch_view *view;
	const struct code_view *code;
	int64_t *values;              /* one per symbol of the kernel */
	struct lane_offsets *lanes;   /* one per access of the kernel */
	struct placed_access *placed; /* likewise */
};

/* ---- places --------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path ? path : "";
}

bool code_same_file(const char *a, const char *b)
{
	return strcmp(file_name(a), file_name(b)) == 0;
}

static bool is_generated(const struct place *place)
{
	return strcmp(file_name(place->file), GENERATED_FILE) == 0;
}

uint32_t code_source_place(const struct ptx_module *module, uint32_t place)
{
	while (place && is_generated(&module->places[place].place))
		place = module->places[place].inlined_at;
	return place;
}

uint32_t code_outer_place(const struct ptx_module *module, uint32_t place)
{
	return code_source_place(module, module->places[place].inlined_at);
}

struct place code_place_in(const struct code_view *code, uint32_t index, const char *file)
{
	const struct ptx_module *module = code->module;
	uint32_t innermost = code_source_place(module, code->function->insns[index].place), place = innermost;
	while (place && !code_same_file(module->places[place].place.file, file))
		place = code_outer_place(module, place);
	return module->places[place ? place : innermost].place;
}

struct place code_place(const struct launch_view *view, const struct code_view *code, uint32_t index)
{
	return code_place_in(code, index, view->launch->kernel->place.file);
}

/* The lines that .loc gives an instruction: its own and those of the calls it was inlined through. */
static bool line_is_of(const struct ptx_module *module, uint32_t place, unsigned line)
{
	for (place = code_source_place(module, place); place; place = code_outer_place(module, place))
		if (module->places[place].place.line == line)
			return true;
	return false;
}

/* ---- instructions ---------------------------------------------------------------- */

/* A memory instruction, and what its sample execution accesses. */
struct accessing {
	const struct ptx_insn *insn;
	const struct insn_totals *totals;
	const struct loop *around; /* source loop that its loop belongs to, or NULL */
	unsigned line;             /* that .loc gives it, often that of the first use */
	const struct buffer_owner *owner;
	const bool *covered; /* which fields of the owner's group its bytes cover; NULL: that cannot be told */
};

static bool is_global_access(const struct matcher *matcher, uint32_t index)
{
	unsigned flags = ptx_insn_flags(&matcher->code->function->insns[index]);
	return (flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC)) &&
	       matcher->code->evaluation->insns[index].buffer < matcher->view->buffer_count;
}

static enum access_kind kind_of(const struct ptx_insn *insn)
{
	unsigned flags = ptx_insn_flags(insn);
	return flags & FLAG_ATOMIC ? ACCESS_ATOMIC : flags & FLAG_STORE ? ACCESS_STORE : ACCESS_LOAD;
}

/* Where the first lane of the sample execution accesses the buffer; negative where there is none. */
static int64_t sample_offset(const struct matcher *matcher, const struct insn_totals *totals)
{
	unsigned buffer, lane = 0;
	int64_t offset = -1;
	while (lane < WARP_LANES && !(totals->sample_mask >> lane & 1))
		lane++;
	if (lane == WARP_LANES ||
	    !content_locate(totals->sample_address[lane], matcher->view->buffer_count, &buffer, &offset))
		return -1;
	return offset;
}

/* One flag for each field of the group: whether the instruction's bytes cover it. NULL where they cover none, or nobody
 * knows. */
static const bool *fields_covered(const struct matcher *matcher, const struct accessing *accessing)
{
	const struct placement *placement = accessing->owner->placement;
	int64_t offset = sample_offset(matcher, accessing->totals);
	bool *covered = NULL;
	for (unsigned byte = 0; offset >= 0 && byte < ptx_insn_access_bytes(accessing->insn); byte++) {
		unsigned field;
		if (!placement_locate(placement, accessing->owner->buffer, (uint64_t)offset + byte, &field, NULL, NULL))
			continue;
		if (!covered)
			covered = arena_array(matcher->arena, placement->group->field_count, sizeof *covered);
		covered[field] = true;
	}
	return covered;
}

static const char *field_names(struct arena *arena, const struct layout_group *group, const bool *covered)
{
	const char *names = NULL;
	for (unsigned f = 0; covered && f < group->field_count; f++)
		if (covered[f])
			names = names ? arena_printf(arena, "%s,%s", names, group->fields[f].path)
			              : group->fields[f].path;
	return names;
}

static bool lanes_move_alike(const struct matcher *matcher, const struct insn_totals *totals,
                             const struct placed_access *placed, struct lane_offsets *lanes)
{
	if (!lanes->asked)
		lanes->known =
			placed_lane_offsets(matcher->view, placed, matcher->values, lanes->offsets, &lanes->mask);
	lanes->asked = true;
	if (!lanes->known || (lanes->mask & totals->sample_mask) != lanes->mask)
		return false;
	for (unsigned lane = 1; lane < WARP_LANES; lane++)
		if ((lanes->mask >> lane & 1) && lanes->offsets[lane] - lanes->offsets[0] !=
		                                         totals->sample_address[lane] - totals->sample_address[0])
			return false;
	return true;
}

/* Whether the access's element of a member array lies in the buffer of the instruction, where each has a buffer of its
 * own. */
static bool in_its_buffer(const struct matcher *matcher, const struct accessing *accessing,
                          const struct placed_access *placed)
{
	const struct field_place *place = NULL;
	int64_t inner = 0;
	if (placed->placement && placed->field != WHOLE_ELEMENT)
		place = &placed->placement->fields[placed->field];
	if (!place || !place->is_split)
		return true;
	return (!placed->access->inner || expr_evaluate(placed->access->inner, matcher->values, NULL, NULL, &inner)) &&
	       inner == (int64_t)accessing->owner->buffer - place->buffer;
}

/*
 * Whether the first lane of the sample execution accesses what the access does in the first warp: tells elements of a
 * member array apart.
 */
static bool lanes_start_alike(const struct matcher *matcher, const struct accessing *accessing,
                              const struct placed_access *placed, const struct lane_offsets *lanes)
{
	return lanes->known && accessing->totals->sample_mask & lanes->mask & 1 &&
	       (int64_t)lanes->offsets[0] == sample_offset(matcher, accessing->totals) &&
	       in_its_buffer(matcher, accessing, placed);
}

/* Whether the source loop that an instruction's loop belongs to (NULL: none) holds the access. */
static bool loop_holds(const struct loop *around, const struct access *access)
{
	const struct loop *loop = access->loop;
	while (around && loop && loop != around)
		loop = loop->parent;
	return around && loop;
}

/* Whether a source access can be what an instruction does: same kind, same array, a member that its bytes cover. */
static bool is_possible(const struct accessing *accessing, const struct access *access,
                        const struct placed_access *placed)
{
	const struct buffer_owner *owner = accessing->owner;
	bool one_array = !owner->placement || owner->group->form == FORM_STRUCT || owner->group->holder;
	if (access->kind != kind_of(accessing->insn) || placed->placement != owner->placement)
		return false;
	if (one_array && (access->array->parameter != owner->parameter ||
	                  (owner->array_pointed && access->array != owner->array_pointed)))
		return false;
	return !accessing->covered || placed->field == WHOLE_ELEMENT || accessing->covered[placed->field];
}

/* Lines from an access down to the instruction's line; UINT_MAX where it lies above. */
static unsigned lines_below(const struct accessing *accessing, const struct access *access)
{
	return accessing->line >= access->place.line ? accessing->line - access->place.line : UINT_MAX;
}

/*
 * Whether an instruction is of the access's line, or nearly: a load that the compiler folds into the statement behind
 * it, whose value that uses, has the line of that statement.
 */
static int line_score(const struct matcher *matcher, const struct accessing *accessing, const struct access *access)
{
	if (line_is_of(matcher->code->module, accessing->insn->place, access->place.line))
		return 16;
	return access->kind == ACCESS_LOAD && lines_below(accessing, access) == 1 ? 15 : 0;
}

/* How well a source access fits an instruction; 0: not at all. */
static int score_of(const struct matcher *matcher, const struct accessing *accessing, unsigned index)
{
	const struct access *access = matcher->view->launch->kernel->accesses[index];
	const struct placed_access *placed = &matcher->placed[index];
	if (!is_possible(accessing, access, placed))
		return 0;
	return 1 + line_score(matcher, accessing, access) +
	       8 * lanes_move_alike(matcher, accessing->totals, placed, &matcher->lanes[index]) +
	       4 * loop_holds(accessing->around, access) +
	       2 * lanes_start_alike(matcher, accessing, placed, &matcher->lanes[index]);
}

/* Of accesses that fit equally well, the nearest above the instruction's line. */
static const struct access *access_that_fits(const struct matcher *matcher, const struct accessing *accessing)
{
	const struct kernel *kernel = matcher->view->launch->kernel;
	const struct access *best = NULL;
	unsigned best_below = UINT_MAX;
	int best_score = 0;
	for (unsigned a = 0; a < kernel->access_count; a++) {
		int score = score_of(matcher, accessing, a);
		unsigned below = lines_below(accessing, kernel->accesses[a]);
		if (score > best_score || (score > 0 && score == best_score && below < best_below)) {
			best = kernel->accesses[a];
			best_score = score;
			best_below = below;
		}
	}
	return best;
}

static struct insn_match match_insn(const struct matcher *matcher, uint32_t index, const struct loop *around)
{
	struct insn_match match = {0};
	if (!is_global_access(matcher, index))
		return match;
	struct accessing accessing = {.insn = &matcher->code->function->insns[index],
	                              .totals = &matcher->code->evaluation->insns[index],
	                              .around = around};
	const struct ptx_module *module = matcher->code->module;
	accessing.line = module->places[code_source_place(module, accessing.insn->place)].place.line;
	accessing.owner = &matcher->view->owners[accessing.totals->buffer];
	match.owner = accessing.owner;
	if (accessing.owner->placement) {
		accessing.covered = fields_covered(matcher, &accessing);
		match.member = field_names(matcher->arena, accessing.owner->group, accessing.covered);
	}
	match.access = access_that_fits(matcher, &accessing);
	return match;
}

/* ---- loops ------------------------------------------------------------------------- */

static const struct loop *loop_of_line(const struct kernel *kernel, unsigned line)
{
	const struct loop *found = NULL;
	for (unsigned l = 0; l < kernel->loop_count; l++) {
		const struct loop *loop = kernel->loops[l];
		bool holds = loop->first_line <= line && line <= loop->last_line;
		if (holds && (!found || loop->depth >= found->depth))
			found = loop;
	}
	return found;
}

const struct loop *code_source_loop(const struct launch_view *view, const struct code_view *code, uint32_t loop)
{
	const struct ptx_module *module = code->module;
	const struct loop *found = NULL;
	uint32_t place = code_source_place(module, code->function->cfg->loops[loop].place);
	for (; place && !found; place = code_outer_place(module, place))
		found = loop_of_line(view->launch->kernel, module->places[place].place.line);
	return found;
}

static double evaluated_trips(const struct loop_totals *totals)
{
	return totals->entries > 0 ? totals->trips / totals->entries : 0;
}

static struct placed_access *placed_accesses(struct arena *arena, const struct launch_view *view)
{
	const struct kernel *kernel = view->launch->kernel;
	struct placed_access *placed = arena_array(arena, kernel->access_count + 1, sizeof *placed);
	for (unsigned a = 0; a < kernel->access_count; a++)
		placed[a] = placed_find(view, kernel->accesses[a]);
	return placed;
}

const struct code_match *code_match_source(struct arena *arena, const struct launch_view *view)
{
	if (view->match)
		return view->match;
	const struct code_view *code = &view->ptx;
	struct code_match *match = arena_alloc(arena, sizeof *match);
	const struct ptx_cfg *cfg = code->function->cfg;
	struct matcher matcher = {.arena = arena, .view = view, .code = code};
	matcher.placed = placed_accesses(arena, view);
	matcher.values = arena_array(arena, view->launch->kernel->symbol_count + 1, sizeof *matcher.values);
	matcher.lanes = arena_array(arena, view->launch->kernel->access_count + 1, sizeof *matcher.lanes);
	match->insns = arena_array(arena, code->function->insn_count + 1, sizeof *match->insns);
	match->loops = arena_array(arena, cfg->loop_count + 1, sizeof *match->loops);
	match->loop_trips = arena_array(arena, cfg->loop_count + 1, sizeof *match->loop_trips);
	for (uint32_t l = 0; l < cfg->loop_count; l++) {
		match->loops[l] = code_source_loop(view, code, l);
		match->loop_trips[l] = evaluated_trips(&code->evaluation->loops[l]);
	}
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		const struct ptx_basic_block *block = &cfg->blocks[b];
		const struct loop *around = block->loop == PTX_NO_LOOP ? NULL : match->loops[block->loop];
		for (uint32_t i = block->first; i < block->first + block->count; i++)
			match->insns[i] = match_insn(&matcher, i, around);
	}
	return match;
}

/*
 * Compiled code <-> source. A PTX memory instruction belongs to the array whose buffer its evaluated addresses lie in and to the members its bytes
 * cover there; the source access is the one of that array, member and kind whose line .loc names, whose lanes move alike, and that the loop holds. A
 * PTX loop belongs to the innermost source loop that holds the line of its back branch. Trips of a PTX loop are those of the evaluation: the
 * source's trips over the unroll factor where the thesis's setp and add tell it (section 3.3), and right as well for remainder loops, and for counters
 * that the compiler has scaled (k * n instead of k), which setp and add misread.
 *
 * Requires: cfg, evaluation. Fills: struct code_match.
 */
#include "model/internal.h"

#include <string.h>

/* ---- instructions ---------------------------------------------------------------- */

static bool is_global_access(const struct estimate_input *input, uint32_t index)
{
	unsigned flags = ptx_insn_flags(&input->code->insns[index]);
	return (flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC)) && input->evaluation->insns[index].buffer < input->buffer_count;
}

static enum access_kind kind_of(const struct ptx_insn *insn)
{
	unsigned flags = ptx_insn_flags(insn);
	return flags & FLAG_ATOMIC ? ACCESS_ATOMIC : flags & FLAG_STORE ? ACCESS_STORE : ACCESS_LOAD;
}

static int64_t sample_offset(const struct estimate_input *input, uint32_t index)
{
	const struct insn_totals *totals = &input->evaluation->insns[index];
	unsigned buffer, lane = 0;
	int64_t offset = -1;
	while (lane < WARP_LANES && !(totals->sample_mask >> lane & 1))
		lane++;
	if (lane == WARP_LANES || !content_locate(totals->sample_address[lane], input->buffer_count, &buffer, &offset))
		return -1;
	return offset;
}

/* Bits of the group's fields that the instruction's bytes cover; 0 where that cannot be told. */
static uint64_t fields_covered(const struct placement *placement, unsigned buffer, int64_t offset, unsigned bytes)
{
	uint64_t fields = 0;
	for (unsigned byte = 0; offset >= 0 && byte < bytes; byte++) {
		unsigned field;
		if (placement_locate(placement, buffer, (uint64_t)offset + byte, &field, NULL, NULL) && field < 64)
			fields |= UINT64_C(1) << field;
	}
	return fields;
}

static const char *field_names(struct arena *arena, const struct layout_group *group, uint64_t fields)
{
	const char *names = NULL;
	for (unsigned f = 0; f < group->field_count && f < 64; f++)
		if (fields >> f & 1)
			names = names ? arena_printf(arena, "%s,%s", names, group->fields[f].path) : group->fields[f].path;
	return names;
}

static const char *file_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path ? path : "";
}

static bool is_generated(const struct place *place)
{
	return strcmp(file_name(place->file), GENERATED_FILE) == 0;
}

/* The innermost place that is no text of the rewriting's own, going outwards through inlined calls; 0: there is none. */
static uint32_t place_in_source(const struct ptx_module *module, uint32_t place)
{
	while (place && is_generated(&module->places[place].place))
		place = module->places[place].inlined_at;
	return place;
}

/* The next place outwards in the source. */
static uint32_t place_outwards(const struct ptx_module *module, uint32_t place)
{
	return place_in_source(module, module->places[place].inlined_at);
}

struct place insn_place(const struct estimate_input *input, uint32_t index)
{
	const struct ptx_module *module = input->module;
	uint32_t innermost = place_in_source(module, input->code->insns[index].place), place = innermost;
	while (place && strcmp(file_name(module->places[place].place.file), file_name(input->launch->kernel->place.file)) != 0)
		place = place_outwards(module, place);
	return module->places[place ? place : innermost].place;
}

/* The lines that .loc gives an instruction: its own and those of the calls it was inlined through. */
static bool line_is_of(const struct ptx_module *module, uint32_t place, unsigned line)
{
	for (place = place_in_source(module, place); place; place = place_outwards(module, place))
		if (module->places[place].place.line == line)
			return true;
	return false;
}

static bool lanes_move_alike(const struct estimate_input *input, const struct insn_totals *totals,
                             const struct placed_access *placed, int64_t *values)
{
	uint64_t offsets[WARP_LANES];
	uint32_t mask;
	if (!placed_lane_offsets(input, placed, values, offsets, &mask) || (mask & totals->sample_mask) != mask)
		return false;
	for (unsigned lane = 1; lane < WARP_LANES; lane++)
		if ((mask >> lane & 1) && offsets[lane] - offsets[0] != totals->sample_address[lane] - totals->sample_address[0])
			return false;
	return true;
}

struct candidate {
	const struct access *access;
	int score;
};

/* Whether the source loop that an instruction's loop belongs to (NULL: none) holds the access. */
static bool loop_holds(const struct loop *around, const struct access *access)
{
	const struct loop *loop = access->loop;
	while (around && loop && loop != around)
		loop = loop->parent;
	return around && loop;
}

static void candidate_consider(const struct estimate_input *input, uint32_t index, const struct access *access,
                               const struct loop *around, const struct buffer_owner *owner, uint64_t fields, int64_t *values,
                               struct candidate *best)
{
	const struct ptx_insn *insn = &input->code->insns[index];
	struct placed_access placed = access_place(input, access);
	if (access->kind != kind_of(insn) || placed.placement != owner->placement ||
	    (!owner->placement && access->array->parameter != owner->parameter))
		return;
	if (owner->placement && owner->group->form == FORM_STRUCT && access->array->parameter != owner->parameter)
		return;
	if (fields && placed.field != WHOLE_ELEMENT && !(fields >> placed.field & 1))
		return;
	int score = 1 + 8 * line_is_of(input->module, insn->place, access->place.line) +
	            4 * lanes_move_alike(input, &input->evaluation->insns[index], &placed, values) + 2 * loop_holds(around, access);
	if (score > best->score)
		*best = (struct candidate){access, score};
}

static struct insn_match match_insn(struct arena *arena, const struct estimate_input *input, uint32_t index,
                                    const struct loop *around, int64_t *values)
{
	struct insn_match match = {0};
	if (!is_global_access(input, index))
		return match;
	const struct buffer_owner *owner = &input->owners[input->evaluation->insns[index].buffer];
	uint64_t fields = 0;
	match.owner = owner;
	if (owner->placement) {
		fields = fields_covered(owner->placement, owner->buffer, sample_offset(input, index),
		                        ptx_insn_access_bytes(&input->code->insns[index]));
		match.member = field_names(arena, owner->group, fields);
	}
	struct candidate best = {NULL, 0};
	for (unsigned a = 0; a < input->launch->kernel->access_count; a++)
		candidate_consider(input, index, input->launch->kernel->accesses[a], around, owner, fields, values, &best);
	match.access = best.access;
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

static const struct loop *loop_of_place(const struct estimate_input *input, uint32_t place)
{
	const struct loop *found = NULL;
	for (place = place_in_source(input->module, place); place && !found; place = place_outwards(input->module, place))
		found = loop_of_line(input->launch->kernel, input->module->places[place].place.line);
	return found;
}

static double evaluated_trips(const struct estimate_input *input, uint32_t loop)
{
	const struct loop_totals *totals = &input->evaluation->loops[loop];
	return totals->entries > 0 ? totals->trips / totals->entries : 0;
}

struct code_match *match_code(struct arena *arena, const struct estimate_input *input)
{
	struct code_match *match = arena_alloc(arena, sizeof *match);
	const struct ptx_cfg *cfg = input->code->cfg;
	int64_t *values = arena_array(arena, input->launch->kernel->symbol_count + 1, sizeof *values);
	match->insns = arena_array(arena, input->code->insn_count + 1, sizeof *match->insns);
	match->loops = arena_array(arena, cfg->loop_count + 1, sizeof *match->loops);
	match->loop_trips = arena_array(arena, cfg->loop_count + 1, sizeof *match->loop_trips);
	for (uint32_t l = 0; l < cfg->loop_count; l++)
		match->loops[l] = loop_of_place(input, cfg->loops[l].place);
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		const struct ptx_block *block = &cfg->blocks[b];
		const struct loop *around = block->loop == PTX_NO_LOOP ? NULL : match->loops[block->loop];
		for (uint32_t i = block->first; i < block->first + block->count; i++)
			match->insns[i] = match_insn(arena, input, i, around, values);
	}
	for (uint32_t l = 0; l < cfg->loop_count; l++)
		match->loop_trips[l] = evaluated_trips(input, l);
	return match;
}

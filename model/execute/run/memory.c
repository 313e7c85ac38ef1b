/*
 * Memory instructions: addresses, the content that is declared, and what the lanes of one request touch.
 *
 * Spaces with addresses of their own begin at 0, and are seen through windows by generic addresses. Local memory is
 * interleaved: word w of lane l lies at 128 w + 4 l of the warp's own lines.
 */
#include "model/execute/run/steps.h"

#include <math.h>
#include <string.h>

#define LEAST_TELLING 8                  /* lanes, of which fewer say nothing of where others go */
#define ALIKE 4                          /* lanes of a sector, in the mean, that are too many for numbers that differ */
#define LEAST_PLACES 64                  /* sectors of a buffer that is no small table */
#define MOST_RAISED 65536                /* by which a lane raises a counter */
#define MOST_COUNTED (UINT32_C(1) << 30) /* numbers of a counter */

static const struct memory_buffer *buffer_at(const struct run *run, uint64_t address, unsigned *buffer, int64_t *offset)
{
	const struct evaluate_input *input = run->evaluator->input;

	return content_locate(address, input->buffer_count, buffer, offset) ? &input->buffers[*buffer] : NULL;
}

/* The variable of the module that an address begins in, and where in it. */
static const struct ptx_variable *variable_at(const struct run *run, uint64_t address, uint64_t *offset)
{
	const struct evaluate_input *input = run->evaluator->input;
	uint64_t first = content_address(input->buffer_count), index = (address - first) >> 32;

	*offset = (uint32_t)address;
	return address >= first && index < input->module->variable_count ? &input->module->variables[index] : NULL;
}

/* That of constant memory which holds these bytes. In machine code, where variables lie side by side, an address may go
 * on from one to another one. */
static const struct ptx_variable *constant_at(const struct run *run, uint64_t address, unsigned bytes, uint64_t *offset)
{
	const struct ptx_module *module = run->evaluator->input->module;
	const struct ptx_variable *variable = variable_at(run, address, offset);
	uint64_t place = variable ? variable->offset + *offset : 0;

	if (!variable || variable->space != SPACE_CONST || !run->evaluator->input->function->sass)
		return variable;
	for (size_t i = 0; i < module->variable_count; i++) {
		variable = &module->variables[i];
		*offset = place - variable->offset;
		if (variable->space == SPACE_CONST && place >= variable->offset && *offset + bytes <= variable->count)
			return variable;
	}
	return NULL;
}

/* What the host has put into constant memory there. */
static bool load_constant(const struct run *run, uint64_t address, unsigned bytes, uint64_t *result)
{
	uint64_t offset;
	const struct ptx_variable *variable = constant_at(run, address, bytes, &offset);

	return variable && variable->space == SPACE_CONST &&
	       plan_constant(run->evaluator->input, variable, offset, bytes, result);
}

/* What is declared of the byte at an offset in a buffer, or supposed where that is followed. */
static bool declared_in(const struct run *run, const struct memory_buffer *memory, int64_t offset,
                        struct content_place *place)
{
	return content_find(&memory->content, offset, place) &&
	       (!place->content->supposed || run->evaluator->input->supposes);
}

/* The same of the byte at an address. */
static bool declared_at(const struct run *run, uint64_t address, struct content_place *place)
{
	unsigned buffer;
	int64_t offset;
	const struct memory_buffer *memory = buffer_at(run, address, &buffer, &offset);

	return memory && declared_in(run, memory, offset, place);
}

/* The number in `bytes` bytes that a lane loads, whatever elements they are of or parts of. */
static bool load_lane(const struct run *run, uint64_t address, unsigned bytes, uint64_t *result)
{
	struct content_place place;
	unsigned buffer, length;
	int64_t offset;
	const struct memory_buffer *memory = buffer_at(run, address, &buffer, &offset);

	if (address >> 56 == PARAMETER_WINDOW >> 56)
		return plan_argument_at(run->evaluator->input, address - PARAMETER_WINDOW, bytes, result);
	if (!memory)
		return load_constant(run, address, bytes, result);
	*result = 0;
	for (unsigned done = 0; done < bytes; done += length) {
		uint64_t piece = 0;

		length = declared_in(run, memory, offset + done, &place) ? content_piece(&place, bytes - done, &piece)
		                                                         : 0;
		if (!length)
			return false;
		*result |= piece << 8 * done;
	}
	return true;
}

/* What is loaded there is only supposed. */
static void load_suppose(struct run *run, uint32_t index, uint64_t address)
{
	unsigned buffer;
	int64_t offset;
	struct content_place place;

	if (!declared_at(run, address, &place) || !place.content->supposed)
		return;
	warp_suppose(run, index, buffer_at(run, address, &buffer, &offset)->name, place.content);
	if (index < run->evaluator->plan->function->insn_count)
		run->supposed[index] = true;
}

/* Slopes of a sequence's elements, by those of their addresses; curved along the axes where an address is in the midst
 * of an element. */
static void sequence_slopes(const struct run *run, const struct warp_value *address, const struct content *content,
                            struct warp_value *elements)
{
	int64_t stride = content->stride_bytes ? (int64_t)content->stride_bytes : (int64_t)content->element_bytes;
	uint64_t each = (uint64_t)content_step(content) * (content->tile ? content->tile : 1u);

	if (content->tile)
		stride = content->tile_bytes;
	elements->curved = address->curved;
	for (uint32_t axis = 0; axis < run->axes.count; axis++) {
		if (address->slope[axis] % stride)
			elements->curved |= 1u << axis;
		elements->slope[axis] = (int64_t)((uint64_t)(address->slope[axis] / stride) * each);
	}
}

/* Makes what the lanes load linear: a sequence is, as far as the index is, and so are its elements' parts; other
 * content is not. */
static void load_slopes(struct run *run, const struct warp_value *address, unsigned bytes, uint32_t mask,
                        struct warp_value *result)
{
	unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0, width = result->bits;
	struct content_place place;
	struct warp_value elements = {0};

	result->curved = value_varies(&run->axes, address);
	if (!declared_at(run, value_lane(address, first), &place) || place.content->kind != CONTENT_SEQUENCE ||
	    place.byte + bytes > place.content->element_bytes) {
		if (result->curved || value_lane(address, first) >> 56 != PARAMETER_WINDOW >> 56)
			run_is_random(run);
		return;
	}
	value_set(&elements, 64, 0);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		if (!declared_at(run, value_lane(address, lane), &place) ||
		    !content_value(place.content, place.index, (int64_t *)&elements.lane[lane]))
			return;
	}
	elements.form = FORM_LANES;
	value_compact(&elements, mask);
	sequence_slopes(run, address, place.content, &elements);
	if (place.byte)
		value_divide(&run->axes, &elements, UINT64_C(1) << 8 * place.byte, mask, true, &elements, NULL);
	value_combine(&run->axes, result, &elements, 1, NULL, 0, 0, width);
}

/* What one element of a load brings, as the type says; unknown where the content is not declared. */
static void load_element(struct run *run, const struct step *step, const struct warp_value *address, unsigned element,
                         uint32_t mask, struct warp_value *result)
{
	unsigned bytes = step->bytes / (step->insn->vector ? step->insn->vector : 1u), width = 8 * bytes;
	bool known = address->doubt == KNOWN && bytes > 0 && bytes <= 8;
	struct warp_value place;

	value_combine(&run->axes, &place, address, 1, NULL, 0, (uint64_t)element * bytes, 64);
	for (uint32_t rest = mask; known && rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		known = load_lane(run, value_lane(&place, lane), bytes, &result->lane[lane]);
	}
	if (!known) {
		bool same = address->doubt != UNKNOWN && value_is_uniform(address, mask);

		value_set_unknown(result, 64, same ? SHIFTED : UNKNOWN, step->index);
		result->shift = ++run->shifts;
		return;
	}
	value_set(result, width, 0);
	result->form = FORM_LANES;
	value_compact(result, mask);
	load_suppose(run, step->index, value_lane(&place, mask ? (unsigned)__builtin_ctz(mask) : 0));
	load_slopes(run, &place, bytes, mask, result);
}

/* By how much each lane raises a counter, where that is written there; else 0. */
static uint64_t counter_step(const struct ptx_insn *insn)
{
	const struct ptx_operand *added = &insn->operands[insn->destinations + 1];

	if (insn->atomic == ATOMIC_INC)
		return 1;
	if (insn->operand_count < insn->destinations + 2u || added->kind != OPERAND_IMMEDIATE || added->value < 1 ||
	    added->value > MOST_RAISED)
		return 0;
	return (uint64_t)added->value;
}

/*
 * What the lanes get from an atomic operation. Those that raise one counter get numbers in a row, in some order that
 * does not matter, from a number on that is not known; one lane may do it for its warp. Numbers of warps that come one
 * after the other are supposed to lie side by side.
 */
static void load_counter(struct run *run, const struct step *step, const struct warp_value *address, uint32_t mask,
                         uint32_t live, struct warp_value *result)
{
	uint64_t by = ptx_insn_counts(step->insn) ? counter_step(step->insn) : 0, lanes = value_count(mask);
	bool alone = lanes == 1;

	value_set_unknown(result, 64, UNKNOWN, step->index);
	if (!mask || !ptx_insn_counts(step->insn))
		return;
	if (alone && !by)
		lanes = value_count(live) > 1 ? value_count(live) : WARP_LANES;
	result->base = run->turn * lanes * (by ? by : 1) % MOST_COUNTED;
	if (address->doubt == UNKNOWN || !value_is_uniform(address, mask) || (!alone && !by))
		return;
	result->doubt = SHIFTED;
	result->shift = ++run->shifts;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		result->lane[lane] = result->base + by * value_count(mask & ((1u << lane) - 1));
	result->form = FORM_LANES;
	value_compact(result, mask);
}

enum ptx_space memory_space(const struct step *step, const struct warp_value *address, uint32_t mask)
{
	uint64_t window = value_lane(address, mask ? (unsigned)__builtin_ctz(mask) : 0) >> 56;

	if (step->space != SPACE_GENERIC)
		return (enum ptx_space)step->space;
	return window == SHARED_WINDOW >> 56 ? SPACE_SHARED : window == LOCAL_WINDOW >> 56 ? SPACE_LOCAL : SPACE_GLOBAL;
}

/* An element that the warp has put into its local memory; false where that is not known. */
static bool load_local(struct run *run, const struct step *step, const struct warp_value *address, unsigned index,
                       unsigned bits, uint32_t mask, struct warp_value *result)
{
	unsigned bytes = step->bytes / (step->insn->vector ? step->insn->vector : 1u);
	struct local_element element = {index * bytes, bytes, bits,
	                                ptx_type_is_signed((enum ptx_type)step->insn->type)};

	return local_load(run, address, &element, mask, result);
}

void memory_load(struct run *run, struct activation *activation, const struct step *step,
                 const struct warp_value *address, uint32_t mask, uint32_t live)
{
	const struct compute_place place = activation_place(run, activation);
	struct warp_value result;
	bool is_local = run->local && memory_space(step, address, mask) == SPACE_LOCAL;

	for (unsigned i = 0; i < step->target_count; i++) {
		uint32_t reg = step->targets[i];

		if (reg == NO_INDEX)
			continue;
		if (activation->plan->bits[reg] == 1)
			value_set_predicate(&result, 0, ALL_LANES, UNKNOWN, step->index);
		else if (step->insn->operation != OP_ld)
			load_counter(run, step, address, mask, live, &result);
		else if (!is_local || !load_local(run, step, address, i, activation->plan->bits[reg], mask, &result))
			load_element(run, step, address, i, mask, &result);
		if (ptx_type_is_signed((enum ptx_type)step->insn->type) && result.bits > 1 &&
		    result.bits < activation->plan->bits[reg])
			value_convert(&run->axes, &result, &result, mask, true, activation->plan->bits[reg]);
		compute_write(&place, reg, &result, mask, live);
	}
}

static void lanes_of(const struct warp_value *address, uint32_t mask, uint64_t lanes[WARP_LANES])
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		lanes[lane] = mask >> lane & 1 ? value_lane(address, lane) : 0;
}

/* That an execution came to this buffer. */
static void note_buffer(struct insn_totals *totals, unsigned buffer)
{
	totals->several |= totals->buffer != UINT32_MAX && totals->buffer != buffer;
	totals->buffer = totals->several ? UINT32_MAX : buffer;
}

/* Which buffer an instruction touches, and its fullest execution so far. */
static void note_sample(struct run *run, uint32_t index, const struct warp_value *address, uint32_t mask)
{
	struct insn_totals *totals = &run->evaluator->result->insns[index];
	unsigned buffer = UINT32_MAX;
	int64_t offset;
	uint64_t first = value_lane(address, mask ? (unsigned)__builtin_ctz(mask) : 0);

	if (!content_locate(first, run->evaluator->input->buffer_count, &buffer, &offset))
		totals->several = true;
	note_buffer(totals, buffer);
	if (totals->sample_mask == ALL_LANES || value_count(mask) <= value_count(totals->sample_mask))
		return;
	totals->sample_mask = mask;
	lanes_of(address, mask, totals->sample_address);
}

/* Distinct members that `draws` independent draws from `count` give on average; infinitely many where count is 0. */
static double expected_distinct(double count, double draws)
{
	return count > 1 ? count * -expm1(draws * log1p(-1 / count)) : count > 0 ? 1 : draws;
}

/*
 * Of an address that is not known: every lane somewhere in the buffer, independently of the others. In shared memory
 * the most loaded bank decides; on average a few lanes of a full warp meet there.
 */
static void count_unknown(struct run *run, uint32_t index, const struct step *step, uint32_t slot, enum ptx_space space,
                          const struct warp_value *address, uint32_t mask)
{
	struct insn_counts *counts = counts_insn(&run->counting.counts, slot);
	double lanes = value_count(mask), bytes = step->bytes ? step->bytes : 1, extent = 0, passes;
	double pieces = bytes > SECTOR_BYTES ? ceil(bytes / SECTOR_BYTES) : 1;
	unsigned buffer;
	int64_t offset;
	const struct memory_buffer *memory =
		buffer_at(run, value_lane(address, (unsigned)__builtin_ctz(mask)), &buffer, &offset);

	run->counting.inexact = true;
	if (space == SPACE_SHARED) {
		passes = touch_random_passes((unsigned)lanes, step->bytes);
		counts->wavefronts += run->counting.weight * passes;
		counts->conflicts += run->counting.weight * (passes - ceil(bytes / 4 * lanes / WARP_LANES));
	} else {
		if (memory)
			note_buffer(&run->evaluator->result->insns[index], buffer);
		extent = memory ? (double)memory->bytes : step->home ? (double)plan_home_bytes(step) : 0;
		counts->sectors +=
			run->counting.weight * pieces * expected_distinct(extent / SECTOR_BYTES / pieces, lanes);
		counts->lines += run->counting.weight * expected_distinct(extent / LINE_BYTES, lanes);
	}
	if (step->flags & FLAG_ATOMIC)
		counts->addresses += run->counting.weight * expected_distinct(extent / bytes, lanes);
}

/*
 * An address that is not linear along the axes, on account of declared content or of its arithmetic: it is counted
 * here, and speaks for this position alone; but by a launch's shape it does not matter.
 */
static void count_scattered(struct run *run, uint32_t slot, const struct warp_value *address, uint32_t mask,
                            const struct step *step, enum ptx_space space)
{
	uint32_t launch = address->curved & run->axes.active & ((1u << run->axes.launch_count) - 1);
	struct evaluator *evaluator = run->evaluator;
	struct warp_value here;

	value_copy(&run->axes, &here, address);
	if (evaluator->mode == MODE_SHAPE) {
		evaluator->scattered[slot] = true;
		memset(here.slope, 0, sizeof(here.slope));
	} else if (launch) {
		evaluator->scatters = true;
		axes_pin(&run->axes, launch);
	}
	events_add(&run->counting, slot, &here, mask, step, space);
}

static void count_known(struct run *run, struct activation *activation, const struct step *step, uint32_t slot,
                        const struct warp_value *address, enum ptx_space space, uint32_t mask)
{
	uint32_t index = activation->caller ? run->calls.insn : step->index;
	struct insn_counts *counts = counts_insn(&run->counting.counts, slot);

	for (uint32_t axis = run->axes.launch_count; axis < run->axes.count; axis++)
		if (address->curved & run->axes.active & 1u << axis)
			run->axes.list[axis].soft = true;
	if (address->doubt == KNOWN)
		counts->known += run->counting.weight;
	else
		run->counting.inexact = true;
	if (step->flags & FLAG_ATOMIC)
		counts->addresses += touch_addresses(address, mask) * run->counting.weight;
	note_sample(run, index, address, mask);
	if (address->curved & run->axes.active)
		count_scattered(run, slot, address, mask, step, space);
	else
		events_add(&run->counting, slot, address, mask, step, space);
}

bool memory_says_little(const struct run *run, const struct step *step, const uint64_t lanes[WARP_LANES], uint32_t mask)
{
	const struct evaluate_input *input = run->evaluator->input;
	uint64_t places[WARP_LANES];
	unsigned distinct = 0, count = value_count(mask), buffer;
	int64_t offset;
	uint64_t first = lanes[mask ? __builtin_ctz(mask) : 0];

	if (!step->reals || !input->supposes || (count < LEAST_TELLING && !step->hashed) ||
	    !content_locate(first, input->buffer_count, &buffer, &offset) ||
	    input->buffers[buffer].bytes < LEAST_PLACES * SECTOR_BYTES)
		return false;
	if (step->hashed)
		return run->supposed[step->hashed - 1];
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint64_t place = lanes[__builtin_ctz(rest)] / SECTOR_BYTES;
		unsigned i = 0;

		while (i < distinct && places[i] != place)
			i++;
		if (i == distinct)
			places[distinct++] = place;
	}
	return distinct <= count / ALIKE;
}

/* An address by which numbers that are only supposed lead all lanes to the same few places is not known. Returns
 * whether it is one. */
static bool suppose_less(const struct run *run, const struct step *step, uint32_t mask, struct warp_value *address)
{
	uint64_t lanes[WARP_LANES];

	if (!step->reals || address->doubt != KNOWN || !mask)
		return false;
	lanes_of(address, mask, lanes);
	if (!memory_says_little(run, step, lanes, mask))
		return false;
	address->doubt = UNKNOWN;
	return true;
}

/* Says that lanes go where numbers from a counter lead. */
static void assume_row(struct run *run, const struct step *step, const struct warp_value *address)
{
	const struct ptx_insn *origin = address->doubt == SHIFTED ? warp_insn(run, address->origin) : NULL;

	if (origin && ptx_insn_counts(origin))
		warp_assume(run, step->index,
		            "address depends on %s on one number: lanes are taken to get numbers in a row; check it "
		            "with compare --ncu",
		            warp_origin(run, address->origin));
}

void memory_access(struct run *run, struct activation *activation, const struct step *step, uint32_t mask,
                   uint32_t live)
{
	const struct compute_place place = activation_place(run, activation);
	uint32_t slot = activation->caller ? activation->slot : step->slot;
	uint32_t index = activation->caller ? run->calls.insn : step->index;

	for (unsigned i = 0; i < step->source_count && i < 2; i++) {
		const struct warp_value *source = compute_source(&place, &step->sources[i]);
		struct warp_value address;
		enum ptx_space space;

		if (source->bits != 64) {
			value_convert(&run->axes, &address, source, mask, false, 64);
			source = &address;
		}
		value_combine(&run->axes, &address, source, 1, NULL, 0, i == 0 ? (uint64_t)step->offset : 0, 64);
		space = step->insn->operation == OP_cp_async && i == 0 ? SPACE_SHARED
		                                                       : memory_space(step, &address, mask);
		if (i == 0)
			memory_load(run, activation, step, &address, mask, live);
		if (i == 0 && space == SPACE_LOCAL)
			local_store(run, activation, step, &address, mask);
		if (slot == NO_SLOT || !step->is_counted || !mask)
			continue;
		bool supposed = i == 0 && suppose_less(run, step, mask, &address);
		if (address.doubt == UNKNOWN) {
			warp_assume(run, step->index,
			            step->home ? arena_printf(run->evaluator->arena,
			                                      "address depends on %%s: taken to be anywhere in %s, for "
			                                      "each lane; check "
			                                      "it with compare --ncu",
			                                      step->home->name)
			                       : "address depends on %s: taken to be anywhere, for each lane; check it "
			                         "with compare --ncu",
			            supposed ? step->hashed ? "numbers that are not known and scrambled, as a hash"
			                                    : "real numbers that are not known"
			                     : warp_origin(run, address.origin));
			run->evaluator->result->insns[index].is_table |= step->home != NULL;
			if (supposed)
				counts_insn(&run->counting.counts, slot)->known += run->counting.weight;
			count_unknown(run, index, step, slot, space, &address, mask);
			if (space == SPACE_GLOBAL)
				footprints_add(&run->counting, index, NULL, mask, step->bytes);
		} else {
			assume_row(run, step, &address);
			count_known(run, activation, step, slot, &address, space, mask);
			if (space == SPACE_GLOBAL)
				footprints_add(&run->counting, index, &address, mask, step->bytes);
		}
	}
}

/*
 * Memory instructions: addresses, the content that is declared, and what the lanes of one request touch.
 *
 * Pointers are plain numbers: buffer b begins at (b + 1) << 40, so that arithmetic on them is arithmetic. Spaces with
 * addresses of their own begin at 0, and are seen through windows by generic addresses. Local memory is interleaved: word w
 * of lane l lies at 128 w + 4 l of the warp's own lines.
 */
#include "model/execute/internal.h"

#include <math.h>
#include <string.h>

#define BUFFER_SHIFT 40

uint64_t buffer_address(unsigned buffer)
{
	return (uint64_t)(buffer + 1) << BUFFER_SHIFT;
}

bool buffer_locate(uint64_t address, unsigned buffer_count, unsigned *buffer, int64_t *offset)
{
	uint64_t nearest = (address + (UINT64_C(1) << (BUFFER_SHIFT - 1))) >> BUFFER_SHIFT;

	if (nearest == 0 || nearest > buffer_count)
		return false;
	*buffer = (unsigned)(nearest - 1);
	*offset = (int64_t)(address - buffer_address(*buffer));
	return true;
}

/* A number that looks random and is a function of its argument alone (splitmix64 by S. Vigna, public domain). */
uint64_t number_scramble(uint64_t number)
{
	number += UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

static int64_t sequence_step(const struct content *content)
{
	return content->step ? content->step : 1;
}

double number_fraction(uint64_t number)
{
	return (double)(number_scramble(number) >> 11) * 0x1p-53;
}

bool content_value(const struct content *content, unsigned buffer, int64_t index, int64_t *value)
{
	uint64_t span = (uint64_t)content->high - (uint64_t)content->low;

	switch (content->kind) {
	case CONTENT_SEQUENCE:
		*value = (int64_t)((uint64_t)index * (uint64_t)sequence_step(content));
		return true;
	case CONTENT_UNIFORM:
		*value = span ? (int64_t)((uint64_t)content->low + number_scramble((uint64_t)index ^ (uint64_t)buffer << 48) % span)
		              : content->low;
		return true;
	case CONTENT_VALUES:
		if (index < 0 || (uint64_t)index >= content->count)
			return false;
		*value = content->values[index];
		return true;
	default:
		return false;
	}
}

/* Whether an element of the content begins at the offset, and which. */
static bool element_at(const struct content *content, int64_t offset, int64_t *index)
{
	int64_t size = content->element_bytes, stride = content->stride_bytes ? (int64_t)content->stride_bytes : size, rest;

	offset -= content->offset_bytes;
	if (content->kind == CONTENT_UNKNOWN || size == 0 || offset < 0)
		return false;
	if (!content->tile) {
		*index = offset / stride;
		return offset % stride == 0;
	}
	rest = content->tile_bytes ? offset % content->tile_bytes : -1;
	if (rest < 0 || rest % size || rest / size >= content->tile)
		return false;
	*index = offset / content->tile_bytes * content->tile + rest / size;
	return true;
}

const struct content *content_at(const struct content *content, int64_t offset, int64_t *index)
{
	while (content && !element_at(content, offset, index))
		content = content->next;
	return content;
}

static const struct memory_buffer *buffer_at(const struct run *run, uint64_t address, unsigned *buffer, int64_t *offset)
{
	const struct evaluate_input *input = run->evaluator->input;

	return buffer_locate(address, input->buffer_count, buffer, offset) ? &input->buffers[*buffer] : NULL;
}

/* One element that a lane loads from a buffer with declared content. */
static bool load_lane(const struct run *run, uint64_t address, unsigned bytes, uint64_t *result)
{
	unsigned buffer;
	int64_t offset, index, value;
	const struct memory_buffer *memory = buffer_at(run, address, &buffer, &offset);
	const struct content *content = memory ? content_at(&memory->content, offset, &index) : NULL;

	if (!content || content->element_bytes != bytes || !content_value(content, buffer, index, &value))
		return false;
	*result = (uint64_t)value;
	return true;
}

/* Slopes of what is loaded: a sequence is as linear as the index, other content is not. */
static void load_slopes(struct run *run, const struct value *address, uint64_t first_address, struct value *result)
{
	unsigned buffer;
	int64_t offset, index, stride;
	const struct memory_buffer *memory = buffer_at(run, first_address, &buffer, &offset);
	const struct content *content = memory ? content_at(&memory->content, offset, &index) : NULL;
	bool tiled = content && content->tile;

	result->curved = value_varies(run, address);
	if (!content || content->kind != CONTENT_SEQUENCE) {
		run_is_random(run);
		return;
	}
	stride = content->stride_bytes ? (int64_t)content->stride_bytes : (int64_t)content->element_bytes;
	if (tiled)
		stride = content->tile_bytes;
	result->curved = address->curved;
	for (uint32_t axis = 0; axis < run->axis_count; axis++) {
		if (address->slope[axis] % stride)
			result->curved |= 1u << axis;
		result->slope[axis] = bits_signed((uint64_t)(address->slope[axis] / stride) * (tiled ? content->tile : 1u) *
		                                          (uint64_t)sequence_step(content),
		                                  result->bits);
	}
}

/* What one element of a load brings; unknown where the content is not declared. */
static void load_element(struct run *run, const struct step *step, const struct value *address, unsigned element, uint32_t mask,
                         struct value *result)
{
	unsigned bytes = step->bytes / (step->insn->vector ? step->insn->vector : 1u);
	enum ptx_type type = (enum ptx_type)step->insn->type;
	unsigned width = plan_type_bits(type), first = mask ? (unsigned)__builtin_ctz(mask) : 0;
	bool known = address->doubt == KNOWN && bytes > 0 && bytes <= 8;

	value_set(result, 64, 0);
	for (uint32_t rest = mask; known && rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		uint64_t raw = 0;

		known = load_lane(run, value_lane(address, lane) + (uint64_t)element * bytes, bytes, &raw);
		result->lane[lane] = ptx_type_is_signed(type) ? (uint64_t)bits_signed(raw, width) : raw & bits_mask(width);
	}
	if (!known) {
		bool same = address->doubt != UNKNOWN && value_is_uniform(address, mask);

		value_set_unknown(result, 64, same ? SHIFTED : UNKNOWN, step->index);
		return;
	}
	result->form = FORM_LANES;
	value_compact(result, mask);
	load_slopes(run, address, value_lane(address, first) + (uint64_t)element * bytes, result);
}

void memory_load(struct run *run, struct activation *activation, const struct step *step, const struct value *address,
                 uint32_t mask, uint32_t live)
{
	struct value result;

	for (unsigned i = 0; i < step->target_count; i++) {
		uint32_t reg = step->targets[i];

		if (reg == NO_INDEX)
			continue;
		if (activation->plan->bits[reg] == 1)
			value_set_predicate(&result, 0, ALL_LANES, UNKNOWN, step->index);
		else if (step->insn->operation != OP_ld)
			value_set_unknown(&result, 64, UNKNOWN, step->index);
		else
			load_element(run, step, address, i, mask, &result);
		register_write(run, activation, reg, &result, mask, live);
	}
}

static void lanes_of(const struct value *address, uint32_t mask, uint64_t lanes[WARP_LANES])
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		lanes[lane] = mask >> lane & 1 ? value_lane(address, lane) : 0;
}

/* Which buffer an instruction touches, and its fullest execution so far. */
static void note_sample(struct run *run, uint32_t index, const struct value *address, uint32_t mask)
{
	struct insn_totals *totals = &run->evaluator->result->insns[index];
	unsigned buffer;
	int64_t offset;
	uint64_t first = value_lane(address, mask ? (unsigned)__builtin_ctz(mask) : 0);

	if (!buffer_locate(first, run->evaluator->input->buffer_count, &buffer, &offset))
		buffer = UINT32_MAX;
	if (!totals->sample_mask)
		totals->buffer = buffer;
	else if (totals->buffer != buffer)
		totals->buffer = UINT32_MAX;
	if (__builtin_popcount(mask) <= __builtin_popcount(totals->sample_mask))
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
 * Of an address that is not known: every lane somewhere in the buffer, independently of the others. In shared memory the
 * most loaded bank decides; on average a few lanes of a full warp meet there.
 */
static void count_unknown(struct run *run, const struct step *step, uint32_t slot, enum ptx_space space,
                          const struct value *address, uint32_t mask)
{
	double *counts = &run->counts[run->evaluator->layout.slots + (size_t)slot * SLOT_COUNTS];
	double lanes = __builtin_popcount(mask), bytes = step->bytes ? step->bytes : 1, extent = 0, passes;
	double pieces = bytes > SECTOR_BYTES ? ceil(bytes / SECTOR_BYTES) : 1;
	unsigned buffer;
	int64_t offset;
	const struct memory_buffer *memory = buffer_at(run, value_lane(address, (unsigned)__builtin_ctz(mask)), &buffer, &offset);

	run->inexact = true;
	if (space == SPACE_SHARED) {
		passes = expected_passes((unsigned)lanes, step->bytes);
		counts[SLOT_WAVEFRONTS] += run->weight * passes;
		counts[SLOT_CONFLICTS] += run->weight * (passes - ceil(bytes / 4 * lanes / WARP_LANES));
	} else {
		extent = memory ? (double)memory->bytes : 0;
		counts[SLOT_SECTORS] += run->weight * pieces * expected_distinct(extent / SECTOR_BYTES / pieces, lanes);
		counts[SLOT_LINES] += run->weight * expected_distinct(extent / LINE_BYTES, lanes);
	}
	if (step->flags & FLAG_ATOMIC)
		counts[SLOT_ADDRESSES] += run->weight * expected_distinct(extent / bytes, lanes);
}

/* The space that a generic address leads to. */
static enum ptx_space space_of(const struct step *step, const struct value *address, uint32_t mask)
{
	uint64_t window = value_lane(address, mask ? (unsigned)__builtin_ctz(mask) : 0) >> 56;

	if (step->space != SPACE_GENERIC)
		return (enum ptx_space)step->space;
	return window == SHARED_WINDOW >> 56 ? SPACE_SHARED : window == LOCAL_WINDOW >> 56 ? SPACE_LOCAL : SPACE_GLOBAL;
}

/*
 * An address that is not linear along the axes, on account of declared content or of its arithmetic: it is counted here, and speaks for
 * this position alone; but by a launch's shape it does not matter.
 */
static void count_scattered(struct run *run, uint32_t slot, const struct value *address, uint32_t mask, const struct step *step,
                            enum ptx_space space)
{
	uint32_t launch = address->curved & run->active & ((1u << run->launch_count) - 1);
	struct evaluator *evaluator = run->evaluator;
	struct value here;

	value_copy(run, &here, address);
	if (evaluator->mode == MODE_SHAPE) {
		evaluator->scattered[slot] = true;
		memset(here.slope, 0, sizeof(here.slope));
	} else if (launch) {
		evaluator->scatters = true;
		axes_pin(run, launch);
	}
	events_add(run, slot, &here, mask, step, space);
}

static void count_known(struct run *run, struct activation *activation, const struct step *step, uint32_t slot,
                        const struct value *address, enum ptx_space space, uint32_t mask)
{
	uint32_t index = activation->caller ? run->call_insn : step->index;
	double *counts = &run->counts[run->evaluator->layout.slots + (size_t)slot * SLOT_COUNTS];

	for (uint32_t axis = run->launch_count; axis < run->axis_count; axis++)
		if (address->curved & run->active & 1u << axis)
			run->axes[axis].soft = true;
	if (address->doubt == KNOWN)
		counts[SLOT_KNOWN] += run->weight;
	else
		run->inexact = true;
	if (step->flags & FLAG_ATOMIC)
		counts[SLOT_ADDRESSES] += distinct_addresses(address, mask) * run->weight;
	note_sample(run, index, address, mask);
	if (address->curved & run->active)
		count_scattered(run, slot, address, mask, step, space);
	else
		events_add(run, slot, address, mask, step, space);
}

void memory_access(struct run *run, struct activation *activation, const struct step *step, uint32_t mask, uint32_t live)
{
	uint32_t slot = activation->caller ? activation->slot : step->slot;

	for (unsigned i = 0; i < step->source_count && i < 2; i++) {
		const struct value *source = source_value(run, activation, &step->sources[i]);
		struct value address;
		enum ptx_space space;

		if (source->bits != 64) {
			value_convert(run, &address, source, mask, false, 64);
			source = &address;
		}
		value_combine(run, &address, source, 1, NULL, 0, i == 0 ? (uint64_t)step->offset : 0, 64);
		space = step->insn->operation == OP_cp_async && i == 0 ? SPACE_SHARED : space_of(step, &address, mask);
		if (i == 0)
			memory_load(run, activation, step, &address, mask, live);
		if (slot == NO_SLOT || !step->is_counted || !mask)
			continue;
		if (address.doubt == UNKNOWN) {
			warp_assume(run, step->index, "address depends on %s: taken to be anywhere, for each lane",
			            origin_text(run, address.origin));
			count_unknown(run, step, slot, space, &address, mask);
		} else {
			count_known(run, activation, step, slot, &address, space, mask);
		}
	}
}

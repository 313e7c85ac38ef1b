/*
 * Dependences of fixed latency, and the table of what they need.
 *
 * Straight code: from an instruction to a later one that control reaches by falling through, branches not taken
 * included. A label between them does not matter: who comes from elsewhere has made its own results before. What waits
 * on a scoreboard is left out on both sides.
 */
#include "tests/tools/latency/latency.h"
#include "ptxparse/sass/decode/decode.h"
#include "ptxparse/sass/flow.h"
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

#define NO_BARRIER 7

static const uint8_t cycles[SASS_PRODUCER_COUNT][SASS_READER_COUNT] = {
#define X(producer, reader, least) [SASS_PRODUCER_##producer][SASS_READER_##reader] = (least),
#include "tests/tools/latency/latency.def"
#undef X
};

unsigned sass_latency(enum sass_producer producer, enum sass_reader reader)
{
	return cycles[producer][reader];
}

const char *sass_producer_name(enum sass_producer producer)
{
	static const char *const names[] = {"none",
#define X(name, what) what,
	                                    SASS_PRODUCERS(X)
#undef X
	};

	return names[producer];
}

const char *sass_reader_name(enum sass_reader reader)
{
	static const char *const names[] = {"none",
#define X(name, what) what,
	                                    SASS_READERS(X)
#undef X
	};

	return names[reader];
}

/* ---- what an instruction is ------------------------------------------------------------------- */

static bool is_uniform(const struct sass_insn *insn)
{
	return insn->opcode[0] == 'U';
}

/* Conversions at the rate of the ALU. */
static bool packs(const struct sass_insn *insn)
{
	return sass_opcode_is(insn, "I2FP") || sass_opcode_is(insn, "F2FP");
}

static enum sass_producer uniform_producer(const struct sass_insn *insn)
{
	return sass_opcode_is(insn, "UMOV")   ? SASS_PRODUCER_UNIFORM_MOVE
	       : sass_opcode_is(insn, "ULDC") ? SASS_PRODUCER_UNIFORM_CONSTANT
	                                      : SASS_PRODUCER_UNIFORM;
}

static enum sass_producer producer_of(const struct sass_insn *insn)
{
	if (sass_opcode_is(insn, "VOTEU") || sass_opcode_is(insn, "R2UR") || sass_opcode_is(insn, "S2UR"))
		return SASS_PRODUCER_NONE;
	if (is_uniform(insn))
		return uniform_producer(insn);
	if (sass_opcode_is(insn, "VIADD"))
		return SASS_PRODUCER_FMA;
	if (packs(insn))
		return SASS_PRODUCER_ALU;
	switch (insn->entry->unit) {
	case UNIT_FP32:
		return SASS_PRODUCER_FMA;
	case UNIT_INT_MULTIPLY:
		return sass_has(insn, "WIDE") || sass_has(insn, "HI") ? SASS_PRODUCER_WIDE : SASS_PRODUCER_FMA;
	case UNIT_INT:
	case UNIT_SHIFT_COMPARE:
	case UNIT_MOVE:
		return SASS_PRODUCER_ALU;
	case UNIT_FP16:
		return sass_has(insn, "MMA") ? SASS_PRODUCER_HALF_MMA : SASS_PRODUCER_HALF;
	case UNIT_FP64:
		return SASS_PRODUCER_DOUBLE;
	default:
		return SASS_PRODUCER_NONE;
	}
}

static enum sass_producer predicate_producer(enum sass_producer producer)
{
	switch (producer) {
	case SASS_PRODUCER_NONE:
		return SASS_PRODUCER_NONE;
	case SASS_PRODUCER_DOUBLE:
		return SASS_PRODUCER_DOUBLE_PREDICATE;
	case SASS_PRODUCER_UNIFORM:
	case SASS_PRODUCER_UNIFORM_MOVE:
	case SASS_PRODUCER_UNIFORM_CONSTANT:
		return SASS_PRODUCER_UNIFORM_PREDICATE;
	default:
		return SASS_PRODUCER_PREDICATE;
	}
}

static enum sass_reader reader_of(const struct sass_insn *insn)
{
	if (is_uniform(insn))
		return SASS_READER_UNIFORM;
	if (sass_opcode_is(insn, "VIADD"))
		return SASS_READER_FMA;
	if (packs(insn))
		return SASS_READER_ALU;
	switch (insn->entry->unit) {
	case UNIT_FP32:
	case UNIT_INT_MULTIPLY:
		return SASS_READER_FMA;
	case UNIT_INT:
	case UNIT_SHIFT_COMPARE:
	case UNIT_MOVE:
		return SASS_READER_ALU;
	case UNIT_FP16:
		return SASS_READER_HALF;
	case UNIT_FP64:
		return SASS_READER_DOUBLE;
	case UNIT_LOAD_STORE:
		return SASS_READER_MEMORY;
	case UNIT_SFU:
	case UNIT_CONVERT:
	case UNIT_SHUFFLE:
		return SASS_READER_VARIABLE;
	default:
		return SASS_READER_NONE;
	}
}

/* ---- results on their way -------------------------------------------------------------------------- */

struct result {
	enum sass_producer producer;
	uint32_t insn;
	unsigned issued;
};

struct walk {
	const struct sass_listing *listing;
	void (*visit)(void *context, const struct sass_dependence *dependence);
	void *context;
	struct result results[KEY_FIXED]; /* by key: registers and predicates, uniform ones too */
	unsigned now;
};

static bool is_predicate(unsigned key)
{
	return (key >= KEY_PREDICATES && key < KEY_TRUE) || (key >= KEY_UNIFORM_PREDICATES && key < KEY_FIXED);
}

static bool is_register(unsigned key)
{
	return key < KEY_ZERO || (key >= KEY_UNIFORMS && key < KEY_UNIFORMS + 255);
}

static void key_read(struct walk *walk, uint32_t index, unsigned key, enum sass_reader reader)
{
	const struct result *result;
	struct sass_dependence dependence;

	if ((!is_register(key) && !is_predicate(key)) || reader == SASS_READER_NONE)
		return;
	result = &walk->results[key];
	if (result->producer == SASS_PRODUCER_NONE)
		return;
	dependence =
		(struct sass_dependence){result->producer, reader, result->insn, index, walk->now - result->issued};
	walk->visit(walk->context, &dependence);
}

static void key_write(struct walk *walk, uint32_t index, unsigned key, enum sass_producer producer)
{
	if (is_register(key))
		walk->results[key] = (struct result){producer, index, walk->now};
	else if (is_predicate(key))
		walk->results[key] = (struct result){predicate_producer(producer), index, walk->now};
}

/* Registers that an operand stands for: two of doubles and wide products, as many as its width has of what memory
 * moves. */
static unsigned width_of(const struct sass_insn *insn, bool last_source)
{
	if (insn->entry->unit == UNIT_FP64 || (last_source && sass_has(insn, "WIDE")))
		return 2;
	if (insn->entry->unit == UNIT_LOAD_STORE)
		return sass_has(insn, "128") ? 4 : sass_has(insn, "64") ? 2 : 1;
	return 1;
}

static bool writes_nothing(const struct sass_insn *insn)
{
	return insn->entry->operation == OP_st || insn->entry->operation == OP_red ||
	       insn->entry->unit == UNIT_CONTROL || insn->entry->unit == UNIT_BARRIER;
}

/*
 * How many of the operands are written: a comparison's two predicates; else a predicate that stands before the
 * register, the register, and predicates that stand between it and the sources (a carry).
 */
static unsigned written_count(const struct sass_insn *insn)
{
	bool compares =
		insn->entry->operation == OP_setp || sass_opcode_is(insn, "PLOP3") || sass_opcode_is(insn, "UPLOP3");
	unsigned count = 0;

	if (writes_nothing(insn))
		return 0;
	while (count < insn->operand_count && count < (compares ? 2u : 1u) &&
	       insn->operands[count].kind == SASS_REGISTER && insn->operands[count].key >= KEY_PREDICATES)
		count++;
	if (compares || count >= insn->operand_count)
		return count;
	count++;
	for (unsigned i = count; i < insn->operand_count; i++) {
		if (insn->operands[i].kind != SASS_REGISTER || insn->operands[i].key < KEY_PREDICATES)
			return i;
	}
	return count;
}

static void operand_read(struct walk *walk, uint32_t index, const struct sass_operand *operand, unsigned width,
                         enum sass_reader reader)
{
	if (operand->kind == SASS_REGISTER && operand->key >= KEY_PREDICATES)
		key_read(walk, index, operand->key, reader == SASS_READER_GUARD ? reader : SASS_READER_PREDICATE);
	for (unsigned i = 0; operand->kind == SASS_REGISTER && operand->key < KEY_PREDICATES && i < width; i++)
		key_read(walk, index, operand->key + i, reader);
	for (unsigned i = 0; operand->kind == SASS_ADDRESS && i < operand->term_count; i++) {
		key_read(walk, index, operand->terms[i].key, reader);
		if (operand->terms[i].wide)
			key_read(walk, index, operand->terms[i].key + 1u, reader);
	}
}

static void insn_read(struct walk *walk, uint32_t index, const struct sass_insn *insn, unsigned written)
{
	bool control = insn->entry->unit == UNIT_CONTROL && !is_uniform(insn);
	enum sass_reader reader = control ? SASS_READER_GUARD : reader_of(insn);

	if (insn->guarded)
		key_read(walk, index, insn->guard, SASS_READER_GUARD);
	for (unsigned i = written; i < insn->operand_count; i++) {
		const struct sass_operand *operand = &insn->operands[i];

		bool addend = reader == SASS_READER_FMA && i == written + 2 && sass_has(insn, "WIDE");

		if (!control || (operand->kind == SASS_REGISTER && operand->key >= KEY_PREDICATES))
			operand_read(walk, index, operand, width_of(insn, i == written + 2),
			             addend ? SASS_READER_ADDEND : reader);
	}
}

static void insn_write(struct walk *walk, uint32_t index, const struct sass_insn *insn, unsigned written, bool fixed)
{
	enum sass_producer producer = fixed && !sass_opcode_is(insn, "CS2R") ? producer_of(insn) : SASS_PRODUCER_NONE;
	unsigned width = !fixed ? 4 : sass_has(insn, "64") || sass_opcode_is(insn, "CS2R") ? 2 : width_of(insn, true);

	for (unsigned i = 0; i < written; i++) {
		const struct sass_operand *operand = &insn->operands[i];

		if (operand->kind != SASS_REGISTER)
			continue;
		for (unsigned k = 0; k < (operand->key < KEY_PREDICATES ? width : 1); k++)
			key_write(walk, index, operand->key + k, producer);
	}
}

/* Control does not come from this instruction to the next. */
static bool ends_stretch(const struct sass_insn *insn)
{
	enum sass_kind kind = sass_kind_of(insn);

	return (kind == KIND_BRANCH && !insn->guarded && insn->operand_count < 2) ||
	       (kind == KIND_EXIT && !insn->guarded) || kind == KIND_RETURN || kind == KIND_CALL ||
	       kind == KIND_INDEXED;
}

void sass_dependences_each(const struct sass_listing *listing,
                           void (*visit)(void *context, const struct sass_dependence *), void *context)
{
	struct walk walk = {.listing = listing, .visit = visit, .context = context};

	for (uint32_t i = 0; i < listing->insn_count; i++) {
		const struct sass_insn *insn = &listing->insns[i];
		struct sass_control control = decode_control(listing->code + (size_t)i * SASS_INSN_BYTES);

		if (insn->entry) {
			unsigned written = written_count(insn);

			insn_read(&walk, i, insn, written);
			insn_write(&walk, i, insn, written, control.write_barrier == NO_BARRIER);
		}
		if (!insn->entry || ends_stretch(insn))
			memset(walk.results, 0, sizeof(walk.results));
		walk.now += control.stall ? control.stall : 1;
	}
}

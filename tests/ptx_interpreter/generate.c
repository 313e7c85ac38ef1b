/*
 * Random kernels: nested loops with constant, triangular and lane-dependent bounds, guards, early exits, strides,
 * remainders, shifts, selections, shared memory, predicated and vector accesses; on grids and blocks of one to three
 * dimensions.
 *
 * Every variable is a 32-bit register of which an interval is known, so that loops end and addresses stay near their
 * buffers. Nothing depends on what is loaded.
 */
#include "tests/ptx_interpreter/compare.h"

#include <string.h>

#define MOST_VARIABLES 24
#define MOST_NUMBER 200000

struct variable {
	unsigned reg;
	int64_t low, high;
};

struct generator {
	struct text text;
	uint64_t state;
	unsigned registers, predicates, addresses, labels, depth, statements;
	struct variable variables[MOST_VARIABLES];
	unsigned variable_count;
	const char *leave; /* label that a break goes to, or NULL */
	bool uniform;      /* all threads come here */
	bool long_loops;
};

static uint64_t next_random(struct generator *g)
{
	g->state ^= g->state << 13;
	g->state ^= g->state >> 7;
	g->state ^= g->state << 17;
	return g->state * UINT64_C(0x2545f4914f6cdd1d) >> 11;
}

static unsigned below(struct generator *g, unsigned limit)
{
	return (unsigned)(next_random(g) % limit);
}

static bool chance(struct generator *g, unsigned percent)
{
	return below(g, 100) < percent;
}

static int64_t pick(struct generator *g, const int *list, size_t count)
{
	return list[below(g, (unsigned)count)];
}

#define PICK(g, ...) pick((g), (const int[]){__VA_ARGS__}, ARRAY_COUNT(((const int[]){__VA_ARGS__})))

static struct variable any_variable(struct generator *g)
{
	return g->variables[below(g, g->variable_count)];
}

/* A new variable; the oldest random one is forgotten where there are too many. */
static struct variable keep(struct generator *g, unsigned reg, int64_t low, int64_t high)
{
	struct variable variable = {reg, low, high};

	if (g->variable_count == MOST_VARIABLES)
		g->variables[6 + below(g, MOST_VARIABLES - 6)] = variable;
	else
		g->variables[g->variable_count++] = variable;
	return variable;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Emits an instruction of two sources, the second a number. */
static struct variable with_number(struct generator *g, const char *spelling, struct variable a, int64_t number,
                                   int64_t low, int64_t high)
{
	unsigned reg = g->registers++;

	text_printf(&g->text, "\t%s %%r%u, %%r%u, %lld;\n", spelling, reg, a.reg, (long long)number);
	return (struct variable){reg, low, high};
}

static struct variable with_variable(struct generator *g, const char *spelling, struct variable a, struct variable b,
                                     int64_t low, int64_t high)
{
	unsigned reg = g->registers++;

	text_printf(&g->text, "\t%s %%r%u, %%r%u, %%r%u;\n", spelling, reg, a.reg, b.reg);
	return (struct variable){reg, low, high};
}

static struct variable made_natural(struct generator *g, struct variable a)
{
	return a.low >= 0 ? a : with_number(g, "max.s32", a, 0, 0, most(a.high, 0));
}

static struct variable divided(struct generator *g, struct variable a)
{
	int64_t divisor = PICK(g, 2, 3, 4, 5, 7, 8, 10, 12, 16, 32);
	bool is_signed = chance(g, 50);

	a = made_natural(g, a);
	if (chance(g, 50))
		return with_number(g, is_signed ? "div.s32" : "div.u32", a, divisor, a.low / divisor, a.high / divisor);
	return with_number(g, is_signed ? "rem.s32" : "rem.u32", a, divisor, 0, divisor - 1);
}

static struct variable compared(struct generator *g, struct variable a, struct variable b)
{
	static const char *const compares[] = {"lt", "le", "gt", "ge", "eq", "ne"};
	unsigned predicate = g->predicates++, reg = g->registers++;

	text_printf(&g->text, "\tsetp.%s.s32 %%p%u, %%r%u, %%r%u;\n", compares[below(g, 6)], predicate, a.reg, b.reg);
	text_printf(&g->text, "\tselp.b32 %%r%u, %%r%u, %%r%u, %%p%u;\n", reg, a.reg, b.reg, predicate);
	return (struct variable){reg, least(a.low, b.low), most(a.high, b.high)};
}

/* Operations on bits of numbers that are not negative. */
static struct variable bitwise(struct generator *g, struct variable a, struct variable b)
{
	unsigned shift = below(g, 6), length = 1 + below(g, 5), reg;
	int64_t mask = chance(g, 60) ? (1 << (1 + below(g, 6))) - 1 : PICK(g, -32, -8, 24, 5, 0x3e0, 12);

	a = made_natural(g, a);
	b = made_natural(g, b);
	switch (below(g, 7)) {
	case 0:
		return with_number(g, chance(g, 50) ? "shr.u32" : "shr.s32", a, shift, a.low >> shift, a.high >> shift);
	case 1:
		return with_number(g, "and.b32", a, mask, 0, mask > 0 ? least(mask, a.high) : a.high);
	case 2:
		return with_number(g, "xor.b32", a, PICK(g, 1, 2, 3, 8, 16, 31), 0, 2 * a.high + 64);
	case 3:
		return with_number(g, "or.b32", a, PICK(g, 1, 2, 4, 7, 64), 0, 2 * a.high + 128);
	case 4:
		reg = g->registers++;
		text_printf(&g->text, "\tbfe.u32 %%r%u, %%r%u, %u, %u;\n", reg, a.reg, shift, length);
		return (struct variable){reg, 0, (1 << length) - 1};
	case 5:
		return with_variable(g, chance(g, 50) ? "and.b32" : "xor.b32", a, b, 0, 2 * most(a.high, b.high) + 1);
	default: {
		struct variable high = with_number(g, "shl.b32", a, 3, a.low * 8, a.high * 8);
		struct variable low = with_number(g, "and.b32", b, 7, 0, 7);

		return with_variable(g, "or.b32", high, low, 0, high.high + 7);
	}
	}
}

/* A random expression of one operation or two. */
static struct variable expression(struct generator *g)
{
	struct variable a = any_variable(g), b = any_variable(g);
	int64_t number = PICK(g, -7, -3, -1, 0, 1, 2, 3, 4, 5, 8, 12, 16, 31, 32, 33, 64, 100);
	int64_t corners[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};

	switch (below(g, 12)) {
	case 0:
		return with_variable(g, "add.s32", a, b, a.low + b.low, a.high + b.high);
	case 1:
		return with_variable(g, "sub.s32", a, b, a.low - b.high, a.high - b.low);
	case 2:
		return with_number(g, "add.s32", a, number, a.low + number, a.high + number);
	case 3:
		return with_number(g, "mul.lo.s32", a, number, least(a.low * number, a.high * number),
		                   most(a.low * number, a.high * number));
	case 4:
		return with_number(g, "shl.b32", a, 1 + number % 3 * (number > 0), least(a.low * 8, a.low),
		                   most(a.high * 8, a.high));
	case 5:
		return with_variable(g, "min.s32", a, b, least(a.low, b.low), least(a.high, b.high));
	case 6:
		return with_variable(g, "max.s32", a, b, most(a.low, b.low), most(a.high, b.high));
	case 7:
		return divided(g, a);
	case 8:
		return compared(g, a, b);
	case 9:
		return with_variable(g, "mul.lo.s32", a, b,
		                     least(least(corners[0], corners[1]), least(corners[2], corners[3])),
		                     most(most(corners[0], corners[1]), most(corners[2], corners[3])));
	default:
		return bitwise(g, a, b);
	}
}

/* A variable whose interval is not too wide. */
static struct variable tamed(struct generator *g, struct variable a, int64_t limit)
{
	if (a.low < -limit || a.high > limit) {
		a = with_number(g, "rem.s32", a, limit, -limit + 1, limit - 1);
	}
	return a;
}

static void define(struct generator *g)
{
	struct variable a = tamed(g, expression(g), MOST_NUMBER);

	keep(g, a.reg, a.low, a.high);
}

static unsigned condition(struct generator *g)
{
	static const char *const compares[] = {"lt", "le", "gt", "ge", "eq", "ne"};
	unsigned predicate = g->predicates++;
	struct variable a = any_variable(g), b = any_variable(g);

	if (chance(g, 50))
		text_printf(&g->text, "\tsetp.%s.s32 %%p%u, %%r%u, %d;\n", compares[below(g, 6)], predicate, a.reg,
		            (int)below(g, 70));
	else
		text_printf(&g->text, "\tsetp.%s.s32 %%p%u, %%r%u, %%r%u;\n", compares[below(g, 6)], predicate, a.reg,
		            b.reg);
	return predicate;
}

static void guard(struct generator *g)
{
	unsigned predicate;

	if (!chance(g, 15))
		return;
	predicate = condition(g);
	text_printf(&g->text, "\t@%s%%p%u", chance(g, 30) ? "!" : "", predicate);
}

/* Address of element `index` of `bytes` bytes; the register's number. */
static unsigned address(struct generator *g, struct variable index, unsigned bytes)
{
	unsigned wide = g->addresses, at = g->addresses + 1, base = below(g, 2);

	g->addresses += 2;
	if (chance(g, 60)) {
		text_printf(&g->text, "\tmul.wide.s32 %%rd%u, %%r%u, %u;\n", wide, index.reg, bytes);
	} else {
		text_printf(&g->text, "\tcvt.s64.s32 %%rd%u, %%r%u;\n", at, index.reg);
		text_printf(&g->text, "\tmul.lo.s64 %%rd%u, %%rd%u, %u;\n", wide, at, bytes);
	}
	text_printf(&g->text, "\tadd.s64 %%rd%u, %%rd%u, %%rd%u;\n", at, base, wide);
	return at;
}

static void global_access(struct generator *g)
{
	static const struct {
		const char *load, *store;
		unsigned bytes;
	} kinds[] = {
		{"ld.global.f32 %f1, ", "st.global.f32 ", 4},
		{"ld.global.u8 %rs1, ", "st.global.u8 ", 1},
		{"ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, ", "st.global.v4.f32 ", 16},
		{"ld.global.v2.f32 {%f1, %f2}, ", "st.global.v2.f32 ", 8},
		{"ld.global.f64 %fd1, ", "st.global.f64 ", 8},
		{"ld.global.u16 %rs1, ", "st.global.u16 ", 2},
		{"ld.global.f32 %f2, ", "red.global.add.u32 ", 4},
	};
	static const char *const stored[] = {"%f1", "%rs1", "{%f1, %f2, %f3, %f4}", "{%f1, %f2}", "%fd1", "%rs1", "1"};
	unsigned kind = chance(g, 50) ? 0 : below(g, ARRAY_COUNT(kinds));
	struct variable index = tamed(g, chance(g, 60) ? any_variable(g) : expression(g), MOST_NUMBER);
	unsigned scale = chance(g, 70) ? 1 : 1 + below(g, 4);
	unsigned at = address(g, index, kinds[kind].bytes * scale);
	unsigned offset = kinds[kind].bytes * below(g, 4);

	guard(g);
	if (chance(g, 60))
		text_printf(&g->text, "\t%s[%%rd%u+%u];\n", kinds[kind].load, at, offset);
	else
		text_printf(&g->text, "\t%s[%%rd%u+%u], %s;\n", kinds[kind].store, at, offset, stored[kind]);
}

static void shared_access(struct generator *g)
{
	unsigned bytes = 4u << below(g, 3), reg;
	struct variable index = with_number(g, "and.b32", made_natural(g, any_variable(g)), 255, 0, 255);
	static const char *const names[] = {"f32 ", "v2.f32 ", "v4.f32 "};
	static const char *const data[] = {"%f1", "{%f1, %f2}", "{%f1, %f2, %f3, %f4}"};
	unsigned which = bytes == 4 ? 0 : bytes == 8 ? 1 : 2;

	index = with_number(g, "mul.lo.s32", index, (int64_t)bytes, 0, 255 * (int64_t)bytes);
	reg = g->registers++;
	text_printf(&g->text, "\tmov.u32 %%r%u, tile;\n\tadd.s32 %%r%u, %%r%u, %%r%u;\n", reg, reg + 1, reg, index.reg);
	g->registers++;
	guard(g);
	if (chance(g, 50))
		text_printf(&g->text, "\tld.shared.%s%s, [%%r%u];\n", names[which], data[which], reg + 1);
	else
		text_printf(&g->text, "\tst.shared.%s[%%r%u], %s;\n", names[which], reg + 1, data[which]);
}

static void statements(struct generator *g, unsigned count);

/* Statements whose variables nobody sees afterwards. */
static void scope(struct generator *g, unsigned count)
{
	struct variable known[MOST_VARIABLES];
	unsigned known_count = g->variable_count;

	memcpy(known, g->variables, sizeof(known));
	statements(g, count);
	memcpy(g->variables, known, sizeof(known));
	g->variable_count = known_count;
}

static void branch_both(struct generator *g)
{
	unsigned label = g->labels++, predicate = condition(g);
	bool other = chance(g, 40), uniform = g->uniform;

	g->uniform = false;
	text_printf(&g->text, "\t@%%p%u bra $ELSE%u;\n", predicate, label);
	scope(g, 1 + below(g, 3));
	if (other)
		text_printf(&g->text, "\tbra $END%u;\n", label);
	text_printf(&g->text, "$ELSE%u:\n", label);
	if (other) {
		scope(g, 1 + below(g, 3));
		text_printf(&g->text, "$END%u:\n", label);
	}
	g->uniform = uniform;
}

/* Changes a variable in place in both or one of the sides, as loops do with counters and pointers. */
static void update(struct generator *g, struct variable *variable, int64_t trips)
{
	int64_t number = PICK(g, -4, -1, 1, 1, 2, 3, 4, 8, 32);

	if (chance(g, 20)) {
		unsigned predicate = condition(g);

		text_printf(&g->text, "\t@%%p%u ", predicate);
	}
	text_printf(&g->text, "\tadd.s32 %%r%u, %%r%u, %lld;\n", variable->reg, variable->reg, (long long)number);
	variable->low += number < 0 ? number * trips : 0;
	variable->high += number > 0 ? number * trips : 0;
}

/* What a loop of the given shape needs. */
struct loop {
	unsigned label, counter, predicate;
	int64_t step, trips;
	struct variable bound;
	int64_t start_low, start_high;
};

/* A counter that starts somewhere and a bound above; trips says how many there are at most. */
static struct loop loop_make(struct generator *g)
{
	struct loop loop = {.label = g->labels++, .counter = g->registers++};
	struct variable start = tamed(g, any_variable(g), g->long_loops ? 500 : 60);
	unsigned limit = g->depth == 0 ? 90 : g->depth == 1 ? 24 : 8;

	if (g->long_loops)
		limit = g->depth == 0 ? 2000 : g->depth == 1 ? 300 : 20;

	loop.step = PICK(g, 1, 1, 1, 2, 3, 4, 8);
	loop.bound = tamed(g, any_variable(g), limit);
	if (chance(g, 55)) {
		loop.start_low = loop.start_high = below(g, 4);
		text_printf(&g->text, "\tmov.u32 %%r%u, %lld;\n", loop.counter, (long long)loop.start_low);
	} else {
		loop.start_low = start.low;
		loop.start_high = start.high;
		text_printf(&g->text, "\tmov.u32 %%r%u, %%r%u;\n", loop.counter, start.reg);
	}
	loop.trips = most(1, (loop.bound.high - loop.start_low) / loop.step + 1);
	return loop;
}

static void loop_body(struct generator *g, const struct loop *loop)
{
	static char labels[8][24];
	struct variable known[MOST_VARIABLES];
	unsigned known_count = g->variable_count;
	const char *outer = g->leave;
	bool uniform = g->uniform;

	memcpy(known, g->variables, sizeof(known));
	snprintf(labels[g->depth], sizeof(labels[0]), "$OUT%u", loop->label);
	g->uniform = false;
	g->leave = labels[g->depth];
	g->depth++;
	keep(g, loop->counter, loop->start_low, most(loop->start_high, loop->bound.high + loop->step));
	scope(g, 1 + below(g, 4));
	g->depth--;
	g->leave = outer;
	g->uniform = uniform;
	memcpy(g->variables, known, sizeof(known));
	g->variable_count = known_count;
}

static void loop_for(struct generator *g)
{
	struct variable carried = tamed(g, any_variable(g), 1000);
	unsigned carrier = g->registers++, predicate = g->predicates++;
	bool test_first = chance(g, 40);
	struct loop loop;
	struct variable moving;

	text_printf(&g->text, "\tmov.u32 %%r%u, %%r%u;\n", carrier, carried.reg);
	loop = loop_make(g);
	moving = (struct variable){carrier, carried.low - 4 * loop.trips, carried.high + 32 * loop.trips};
	keep(g, moving.reg, moving.low, moving.high);
	if (!test_first) {
		text_printf(&g->text, "\tsetp.ge.s32 %%p%u, %%r%u, %%r%u;\n", predicate, loop.counter, loop.bound.reg);
		text_printf(&g->text, "\t@%%p%u bra $OUT%u;\n", predicate, loop.label);
	}
	text_printf(&g->text, "$LOOP%u:\n", loop.label);
	if (test_first) {
		text_printf(&g->text, "\tsetp.ge.s32 %%p%u, %%r%u, %%r%u;\n", predicate, loop.counter, loop.bound.reg);
		text_printf(&g->text, "\t@%%p%u bra $OUT%u;\n", predicate, loop.label);
	}
	loop_body(g, &loop);
	update(g, &moving, loop.trips);
	text_printf(&g->text, "\tadd.s32 %%r%u, %%r%u, %lld;\n", loop.counter, loop.counter, (long long)loop.step);
	if (test_first) {
		text_printf(&g->text, "\tbra $LOOP%u;\n", loop.label);
	} else {
		text_printf(&g->text, "\tsetp.lt.s32 %%p%u, %%r%u, %%r%u;\n", predicate, loop.counter, loop.bound.reg);
		text_printf(&g->text, "\t@%%p%u bra $LOOP%u;\n", predicate, loop.label);
	}
	text_printf(&g->text, "$OUT%u:\n", loop.label);
}

/* for (s = 64; s > 0; s >>= 1), or doubling. */
static void loop_shift(struct generator *g)
{
	unsigned predicate = g->predicates++;
	bool down = chance(g, 50);
	struct loop loop = {
		.label = g->labels++, .counter = g->registers++, .step = 1, .start_low = 1, .start_high = 64};

	loop.bound = (struct variable){0, 1, 64};
	text_printf(&g->text, "\tmov.u32 %%r%u, %d;\n$LOOP%u:\n", loop.counter, down ? 64 : 1, loop.label);
	loop_body(g, &loop);
	text_printf(&g->text, "\t%s %%r%u, %%r%u, 1;\n", down ? "shr.u32" : "shl.b32", loop.counter, loop.counter);
	text_printf(&g->text, "\tsetp.%s.s32 %%p%u, %%r%u, %d;\n", down ? "gt" : "lt", predicate, loop.counter,
	            down ? 0 : 100);
	text_printf(&g->text, "\t@%%p%u bra $LOOP%u;\n$OUT%u:\n", predicate, loop.label, loop.label);
}

static void statement(struct generator *g)
{
	unsigned choice = below(g, 100);

	if (choice < 30) {
		define(g);
	} else if (choice < 58) {
		global_access(g);
	} else if (choice < 66) {
		shared_access(g);
	} else if (choice < 76) {
		branch_both(g);
	} else if (choice < 90 && g->depth < 3) {
		loop_for(g);
	} else if (choice < 92 && g->depth < 2) {
		loop_shift(g);
	} else if (choice < 94 && g->leave) {
		text_printf(&g->text, "\t@%%p%u bra %s;\n", condition(g), g->leave);
	} else if (choice < 95) {
		text_printf(&g->text, "\t@%%p%u ret;\n", condition(g));
		g->uniform = false;
	} else if (g->uniform && g->depth == 0) {
		text_puts(&g->text, "\tbar.sync 0;\n");
	} else {
		text_puts(&g->text, "\tfma.rn.f32 %f3, %f1, %f2, %f3;\n");
	}
}

static void statements(struct generator *g, unsigned count)
{
	while (count--) {
		if (g->statements++ > 60)
			return;
		statement(g);
	}
}

/* Thread and block numbers, sizes, and the usual global indices. */
static void prologue(struct generator *g, const struct trial *trial)
{
	static const char axes[] = "xyz";
	unsigned index;

	text_puts(&g->text, "\tld.param.u64 %rd0, [k_0];\n\tld.param.u64 %rd1, [k_1];\n");
	text_puts(&g->text, "\tld.param.u32 %r0, [k_2];\n\tld.param.u32 %r1, [k_3];\n");
	g->addresses = 2;
	g->registers = 2;
	keep(g, 0, trial->arguments[2].value, trial->arguments[2].value);
	keep(g, 1, trial->arguments[3].value, trial->arguments[3].value);
	for (unsigned axis = 0; axis < 3; axis++) {
		int64_t threads = trial->block[axis], blocks = trial->grid[axis];

		if (threads * blocks == 1)
			continue;
		index = g->registers;
		text_printf(&g->text,
		            "\tmov.u32 %%r%u, %%tid.%c;\n\tmov.u32 %%r%u, %%ctaid.%c;\n\tmov.u32 %%r%u, %%ntid.%c;\n",
		            index, axes[axis], index + 1, axes[axis], index + 2, axes[axis]);
		text_printf(&g->text, "\tmad.lo.s32 %%r%u, %%r%u, %%r%u, %%r%u;\n", index + 3, index + 1, index + 2,
		            index);
		g->registers += 4;
		keep(g, index, 0, threads - 1);
		keep(g, index + 1, 0, blocks - 1);
		keep(g, index + 3, 0, threads * blocks - 1);
		keep(g, index + 3, 0, threads * blocks - 1);
	}
}

static void shape(struct generator *g, struct trial *trial)
{
	static const uint32_t blocks[][3] = {
		{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {33, 1, 1},  {48, 1, 1}, {16, 16, 1},
		{8, 8, 1},  {32, 4, 1}, {64, 2, 1},  {10, 3, 2},  {4, 4, 4},  {8, 4, 3},
		{20, 1, 1}, {16, 5, 1}, {32, 2, 2},  {256, 1, 1}, {1, 32, 1}, {5, 7, 1},
	};
	unsigned which = below(g, ARRAY_COUNT(blocks));

	memcpy(trial->block, blocks[which], sizeof(trial->block));
	trial->grid[0] = 1 + below(g, g->long_loops ? 40 : 7);
	trial->grid[1] = chance(g, 40) ? 1 + below(g, 4) : 1;
	trial->grid[2] = chance(g, 15) ? 1 + below(g, 3) : 1;
	trial->argument_count = 4;
	trial->buffer_count = 2;
	for (unsigned i = 0; i < 2; i++) {
		trial->arguments[i].kind = ARGUMENT_POINTER;
		trial->arguments[i].buffer = i;
		trial->buffers[i].name = i ? "b" : "a";
		trial->arguments[2 + i].kind = ARGUMENT_VALUE;
		trial->arguments[2 + i].value = below(g, g->long_loops ? 1000 : 120);
	}
}

void trial_generate(struct arena *arena, uint64_t seed, struct trial *trial)
{
	struct generator g = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 88172645463325252u, .uniform = true};
	struct text body;

	for (int i = 0; i < 8; i++)
		next_random(&g);
	memset(trial, 0, sizeof(*trial));
	g.long_loops = seed % 4 == 0;
	shape(&g, trial);
	prologue(&g, trial);
	statements(&g, 4 + below(&g, g.long_loops ? 3 : 8));
	text_puts(&g.text, "\tret;\n}\n");
	body = g.text;
	memset(&g.text, 0, sizeof(g.text));
	text_puts(&g.text,
	          ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_0, .param .u64 k_1, "
	          ".param .u32 k_2, .param .u32 k_3)\n{\n\t.reg .f32 %f<8>;\n\t.reg .f64 %fd<4>;\n\t.reg .b16 %rs<4>;\n"
	          "\t.shared .align 16 .b8 tile[8192];\n");
	text_printf(&g.text, "\t.reg .pred %%p<%u>;\n\t.reg .b32 %%r<%u>;\n\t.reg .b64 %%rd<%u>;\n", g.predicates + 1,
	            g.registers + 1, g.addresses + 1);
	text_append(&g.text, body.data, body.length);
	trial->text = arena_strndup(arena, g.text.data, g.text.length);
	trial->name = arena_printf(arena, "seed %llu", (unsigned long long)seed);
	trial->kernel = "k";
	text_release(&body);
	text_release(&g.text);
}

/*
 * Random kernels for the oracle: loops of all sorts, branches, jumps, locals, pointers, records, indirect indices, device functions.
 *
 * The bound of each integer is tracked, so that no arithmetic overflows and every address stays inside the arrays of trace.cpp.
 */
#ifndef COALESCE_TESTS_HOST_ORACLE_GENERATE_H
#define COALESCE_TESTS_HOST_ORACLE_GENERATE_H

#include <stdint.h>
#include <string.h>

#include "base/base.h"

#define GENERATE_VARIABLES 24
#define GENERATE_BOUND 200000

struct generator {
	uint64_t state;
	struct text *out;
	int64_t bounds[GENERATE_VARIABLES]; /* of local v<i> */
	bool is_fixed[GENERATE_VARIABLES];  /* a loop variable: not assigned in the body */
	unsigned variables, names, depth, loops;
};

static uint64_t generate_random(struct generator *g, uint64_t below)
{
	g->state ^= g->state << 13;
	g->state ^= g->state >> 7;
	g->state ^= g->state << 17;
	return (g->state >> 11) % below;
}

static bool generate_chance(struct generator *g, unsigned percent)
{
	return generate_random(g, 100) < percent;
}

/* Appends an expression of type int; returns a bound of its magnitude. */
static int64_t generate_expression(struct generator *g, struct text *out, unsigned depth);

static int64_t generate_leaf(struct generator *g, struct text *out)
{
	static const struct {
		const char *text;
		int64_t bound;
	} leaves[] = {{"(int)threadIdx.x", 3},
	              {"(int)threadIdx.y", 1},
	              {"(int)blockIdx.x", 1},
	              {"(int)(blockIdx.x * blockDim.x + threadIdx.x)", 7},
	              {"n", 16},
	              {"m", 16},
	              {"(int)blockDim.x", 4},
	              {"(int)gridDim.x", 2},
	              {"LIMIT", 9}};
	uint64_t which = generate_random(g, 16);

	if (which < 4 && g->variables) {
		uint64_t variable = generate_random(g, g->variables);

		text_printf(out, "v%llu", (unsigned long long)variable);
		return g->bounds[variable];
	}
	if (which < 7) {
		text_printf(out, "%d", 1 + (int)generate_random(g, 11));
		return 12;
	}
	which = generate_random(g, ARRAY_COUNT(leaves));
	text_puts(out, leaves[which].text);
	return leaves[which].bound;
}

/* a op b, each in parentheses; the right side a constant where it must be one. */
static int64_t generate_binary(struct generator *g, struct text *out, unsigned depth)
{
	struct text left = {0}, right = {0};
	int64_t a = generate_expression(g, &left, depth - 1), b = generate_expression(g, &right, depth - 1), bound = a + b;
	int constant = 2 + (int)generate_random(g, 6);

	if (strcmp(left.data, right.data) == 0) {
		text_release(&right);
		text_puts(&right, "m");
		b = 16;
	}
	switch (generate_random(g, 14)) {
	case 0:
	case 1:
	case 2:
		text_printf(out, "(%s) + (%s)", left.data, right.data);
		break;
	case 3:
	case 4:
		text_printf(out, "(%s) - (%s)", left.data, right.data);
		break;
	case 5:
	case 6:
		if (a * b <= GENERATE_BOUND) {
			text_printf(out, "(%s) * (%s)", left.data, right.data);
			bound = a * b;
		} else {
			text_printf(out, "(%s) - (%s)", right.data, left.data);
		}
		break;
	case 7:
		text_printf(out, "(%s) / %d", left.data, constant);
		bound = a;
		break;
	case 8:
		text_printf(out, "(%s) %% %d", left.data, constant);
		bound = constant;
		break;
	case 9:
		text_printf(out, "(%s) >> %d", left.data, constant);
		bound = a + 1;
		break;
	case 10:
		text_printf(out, "(%s) & %d", left.data, constant * 8 - 1);
		bound = constant * 8;
		break;
	case 11:
		text_printf(out, "(%s) < (%s) ? (%s) : %d", left.data, right.data, left.data, constant);
		bound = a > constant ? a : constant;
		break;
	case 12:
		text_printf(out, "min(%s, max(%s, %d))", left.data, right.data, constant);
		bound = a + b + constant;
		break;
	default:
		text_printf(out, "(int)((unsigned)(%s) * %du + (unsigned)(%s))", left.data, constant, right.data);
		bound = a * constant + b;
		break;
	}
	text_release(&left);
	text_release(&right);
	return bound;
}

static int64_t generate_expression(struct generator *g, struct text *out, unsigned depth)
{
	struct text inner = {0};
	int64_t bound;

	if (depth == 0 || generate_chance(g, 25))
		return generate_leaf(g, out);
	switch (generate_random(g, 12)) {
	case 0:
		bound = generate_expression(g, &inner, depth - 1);
		text_printf(out, "-(%s)", inner.data);
		break;
	case 1:
		bound = 15;
		generate_expression(g, &inner, depth - 1);
		text_printf(out, "idx[%s]", inner.data);
		break;
	case 2:
		bound = generate_expression(g, &inner, depth - 1) * 3 + 1;
		text_printf(out, "triple(%s)", inner.data);
		break;
	case 3:
		bound = generate_expression(g, &inner, depth - 1) + 9;
		text_printf(out, "wrap(%s, m)", inner.data);
		break;
	default:
		return generate_binary(g, out, depth);
	}
	text_release(&inner);
	return bound;
}

/* An expression whose bound is small enough to be stored. */
static int64_t generate_bounded(struct generator *g, struct text *out, int64_t most)
{
	struct text inner = {0};
	int64_t bound = generate_expression(g, &inner, 3);

	if (bound > most) {
		text_printf(out, "(%s) %% 61", inner.data);
		bound = 61;
	} else {
		text_puts(out, inner.data);
	}
	text_release(&inner);
	return bound;
}

static void generate_indent(struct generator *g)
{
	for (unsigned i = 0; i <= g->depth; i++)
		text_puts(g->out, "\t");
}

static void generate_statements(struct generator *g, unsigned count);

static void generate_access(struct generator *g)
{
	struct text first = {0}, second = {0};
	const char *a, *b;

	generate_bounded(g, &first, GENERATE_BOUND);
	generate_bounded(g, &second, GENERATE_BOUND);
	a = first.data;
	b = second.data;
	switch (generate_random(g, 12)) {
	case 0:
	case 1:
		text_printf(g->out, "a[%s] = 1;\n", a);
		break;
	case 2:
		text_printf(g->out, "a[%s] += b[%s];\n", a, b);
		break;
	case 3:
		text_printf(g->out, "p[%s].y = p[%s].x;\n", a, b);
		break;
	case 4:
		text_printf(g->out, "(p + (%s))->v[(%s) & 3] = 0;\n", a, b);
		break;
	case 5:
		text_printf(g->out, "*(a + (%s)) = b[%s] + 2;\n", a, b);
		break;
	case 6:
		text_printf(g->out, "{ particle t = p[%s]; t.x = 1; p[%s] = t; }\n", a, b);
		break;
	case 7:
		text_printf(g->out, "{ float *q = a + (%s); q[%s] = 0; q += 3; *q = q[1]; }\n", a, b);
		break;
	case 8:
		text_printf(g->out, "{ particle &q = p[%s]; q.y += q.v[2]; set(b[%s]); }\n", a, b);
		break;
	case 9:
		text_printf(g->out, "atomicAdd(&a[%s], 1.0f);\n", a);
		break;
	case 10:
		text_printf(g->out, "if (%s < %s && b[%s] >= 0) a[%s] = 0;\n", a, b, a, b);
		break;
	default:
		text_printf(g->out, "c[%s]++;\n", a);
		break;
	}
	text_release(&first);
	text_release(&second);
}

/* first: the first statement, or NULL. */
static void generate_block(struct generator *g, unsigned count, const char *first)
{
	unsigned variables = g->variables;

	text_puts(g->out, "{\n");
	g->depth++;
	if (first) {
		generate_indent(g);
		text_puts(g->out, first);
	}
	generate_statements(g, count);
	g->depth--;
	generate_indent(g);
	text_puts(g->out, "}\n");
	g->variables = variables;
}

static void generate_branch(struct generator *g)
{
	struct text condition = {0};

	generate_bounded(g, &condition, GENERATE_BOUND);
	switch (generate_random(g, 5)) {
	case 0:
		text_printf(g->out,
		            "switch ((%s) & 3) { case 0: a[1] = 0; break; case 2: a[2] = 0; case 1: a[v0] = 0; break; default: "
		            "a[4] = 0; }\n",
		            condition.data);
		break;
	case 1:
		text_printf(g->out, "if ((%s) %% 5 == 1) %s\n", condition.data, g->loops ? "continue;" : "return;");
		break;
	case 2:
		text_printf(g->out, "if ((%s) %% 7 == 2) %s\n", condition.data,
		            g->loops && generate_chance(g, 30) ? "break;" : "a[7] = 0;");
		break;
	default:
		text_printf(g->out, "if ((%s) > %d) ", condition.data, (int)generate_random(g, 9));
		generate_block(g, 2, NULL);
		if (generate_chance(g, 50)) {
			generate_indent(g);
			text_puts(g->out, "else ");
			generate_block(g, 2, NULL);
		}
		break;
	}
	text_release(&condition);
}

/* A new local; returns its number. */
static unsigned generate_variable(struct generator *g, int64_t bound, bool is_fixed)
{
	g->bounds[g->variables] = bound;
	g->is_fixed[g->variables] = is_fixed;
	return g->variables++;
}

/* A loop of at most some ten iterations; names are unique by their position in scope. */
static void generate_loop(struct generator *g)
{
	unsigned variables = g->variables, v = g->variables, step = 1 + (unsigned)generate_random(g, 3);
	struct text start = {0}, first = {0};

	generate_bounded(g, &start, 12);
	switch (generate_random(g, 7)) {
	case 0:
		text_printf(g->out, "for (int v%u = %s; v%u < n + 4; v%u += %u) ", v, start.data, v, v, step);
		break;
	case 1:
		text_printf(g->out, "for (int v%u = n; v%u >= m - 8; v%u -= %u) ", v, v, v, step);
		break;
	case 2:
		text_printf(g->out, "for (int v%u = 0; v%u <= %u; v%u++) ", v, v, step * 2, v);
		break;
	case 3:
		text_printf(g->out, "for (int v%u = 16; v%u > 0; v%u %s) ", v, v, v, generate_chance(g, 50) ? ">>= 1" : "/= 2");
		break;
	case 4:
		text_printf(
			g->out,
			"for (int v%u = (int)(blockIdx.x * blockDim.x + threadIdx.x); v%u < 4 * n; v%u += blockDim.x * gridDim.x) ",
			v, v, v);
		break;
	case 5:
		text_printf(g->out, "for (unsigned u%u = 1; u%u < 20; u%u *= 2) ", v, v, v);
		text_printf(&first, "int v%u = (int)u%u;\n", v, v);
		break;
	default:
		text_printf(g->out, "for (int v%u = v%u & 7; v%u != %u; v%u++) ", v, v ? v - 1 : 0, v, 9 + step, v);
		break;
	}
	text_release(&start);
	generate_variable(g, 64, true);
	g->loops++;
	generate_block(g, 2, first.data);
	text_release(&first);
	g->loops--;
	g->variables = variables;
}

/* while and do loops with a variable that is stepped in the body. */
static void generate_while(struct generator *g)
{
	unsigned v = generate_variable(g, 64, true), loops = g->loops;
	bool is_do = generate_chance(g, 40);

	text_printf(g->out, "int v%u = (int)threadIdx.x;\n", v);
	generate_indent(g);
	text_puts(g->out, is_do ? "do {\n" : "");
	if (!is_do)
		text_printf(g->out, "while (v%u < n) {\n", v);
	g->depth++;
	g->loops = 0;
	generate_indent(g);
	generate_access(g);
	generate_indent(g);
	text_printf(g->out, "v%u += 2;\n", v);
	g->depth--;
	g->loops = loops;
	generate_indent(g);
	text_puts(g->out, "}");
	if (is_do)
		text_printf(g->out, " while (v%u < m);\n", v);
	text_puts(g->out, "\n");
	g->bounds[v] = 64;
}

static void generate_assignment(struct generator *g)
{
	uint64_t v = g->variables ? generate_random(g, g->variables) : 0;
	struct text value = {0};

	if (!g->variables || g->is_fixed[v] || (g->loops && g->bounds[v] > 2000)) {
		generate_access(g);
		return;
	}
	if (generate_chance(g, 50)) {
		int step = (int)generate_random(g, 5) - 2;

		text_printf(g->out, "v%llu += %d;\n", (unsigned long long)v, step);
		g->bounds[v] += g->loops ? 3000 : 3;
	} else {
		int64_t bound = generate_bounded(g, &value, 1000);

		text_printf(g->out, g->loops ? "v%llu = (%s) %% 61;\n" : "v%llu = %s;\n", (unsigned long long)v, value.data);
		g->bounds[v] = bound > g->bounds[v] ? bound : g->bounds[v];
	}
	text_release(&value);
}

static void generate_declaration(struct generator *g)
{
	struct text value = {0};
	int64_t bound = generate_bounded(g, &value, 1000);

	text_printf(g->out, "int v%u = %s;\n", g->variables, value.data);
	generate_variable(g, bound < 64 ? 64 : bound, false);
	text_release(&value);
}

#include "tests/host_oracle/generate_forms.h"

static void generate_statement(struct generator *g)
{
	uint64_t which = generate_random(g, 26);

	generate_indent(g);
	if (which < 4 && g->variables < GENERATE_VARIABLES - 4)
		generate_declaration(g);
	else if (which < 7 && g->depth < 4 && g->loops < 3 && g->variables < GENERATE_VARIABLES - 4)
		generate_loop(g);
	else if (which < 8 && g->loops < 2 && g->variables < GENERATE_VARIABLES - 4)
		generate_while(g);
	else if (which < 11 && g->depth < 5)
		generate_branch(g);
	else if (which < 13)
		generate_assignment(g);
	else if (which < 20)
		generate_access(g);
	else
		generate_form(g);
}

static void generate_statements(struct generator *g, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		generate_statement(g);
}

/* A file of kernels k0, k1, ... */
static void generate_file(struct text *out, uint64_t seed, unsigned kernels)
{
	text_puts(out, "#define LIMIT 9\n"
	               "struct particle { float x, y; float v[4]; };\n"
	               "__device__ int triple(int i) { return 3 * i + 1; }\n"
	               "__device__ int wrap(int i, int n) { if (i >= n) return i - n; return i; }\n"
	               "__device__ void set(float &place) { place = 3; }\n");
	text_puts(out, generate_helpers);
	for (unsigned i = 0; i < kernels; i++) {
		struct generator g = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + i * UINT64_C(0xbf58476d1ce4e5b9) + 1,
		                      .out = out};

		for (unsigned warm = 0; warm < 5; warm++)
			generate_random(&g, 2);
		text_printf(out,
		            "__global__ void k%u(float *a, float *b, particle *p, int *c, const volatile int *idx, int n, int m, "
		            "float4 *f, cell *w, unsigned u) {\n",
		            i);
		text_puts(out, "\tint v0 = threadIdx.x + 1;\n");
		generate_variable(&g, 64, false);
		generate_statements(&g, 6);
		text_puts(out, "}\n");
	}
}

#endif

/*
 * Control flow against brute force: random graphs written as PTX, parsed and analysed; reachability, dominators,
 * post-dominators, natural loops and irreducible regions compared with their definitions.
 */
#include "ptxparse/ptxparse.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define NODES 14 /* at most, without the exit */

/* What a block ends with. */
enum ending { FALL, JUMP, BRANCH, RETURN, MAYBE_RETURN, TABLE, ENDINGS };

/* edge[a][b]; node count is the exit. */
struct oracle {
	unsigned count;
	bool edge[NODES + 1][NODES + 1];
	bool live[NODES + 1];
	bool dominates[NODES + 1][NODES + 1];
	bool post_dominates[NODES + 1][NODES + 1];
};

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(random_state >> 33) % limit;
}

/* ---- random graphs as text ------------------------------------------------------------- */

static void block_write(struct text *out, struct oracle *oracle, unsigned b, enum ending ending)
{
	unsigned target = random_below(oracle->count), other = random_below(oracle->count);
	static const char *const formats[] = {
		[FALL] = "L%u: mov.u32 %%r1, 0;\n",
		[JUMP] = "L%u: bra L%u;\n",
		[BRANCH] = "L%u: @%%p1 bra L%u;\n",
		[RETURN] = "L%u: ret;\n",
		[MAYBE_RETURN] = "L%u: @!%%p1 ret;\n",
		[TABLE] = "L%u: T%u: .branchtargets L%u, L%u; brx.idx %%r1, T%u;\n",
	};
	if (ending == TABLE)
		text_printf(out, "L%u: T%u: .branchtargets L%u, L%u; brx.idx %%r1, T%u;\n", b, b, target, other, b);
	else
		text_printf(out, formats[ending], b, target);
	if (ending == FALL || ending == BRANCH || ending == MAYBE_RETURN)
		oracle->edge[b][b + 1] = true;
	if (ending == JUMP || ending == BRANCH || ending == TABLE)
		oracle->edge[b][target] = true;
	if (ending == TABLE)
		oracle->edge[b][other] = true;
	if (ending == RETURN || ending == MAYBE_RETURN)
		oracle->edge[b][oracle->count] = true;
}

/* Random blocks, then a return, then a dead block that names every label, so that each begins a block. */
static void graph_write(struct text *out, struct oracle *oracle, unsigned count, unsigned mix)
{
	static const enum ending mixes[][4] = {{FALL, BRANCH, BRANCH, JUMP},
	                                       {BRANCH, BRANCH, BRANCH, FALL},
	                                       {BRANCH, MAYBE_RETURN, TABLE, RETURN},
	                                       {BRANCH, TABLE, JUMP, FALL}};
	memset(oracle, 0, sizeof(*oracle));
	oracle->count = count;
	text_puts(out,
	          ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {\n.reg .pred %p<2>; .reg .b32 %r<2>;\n");
	for (unsigned b = 0; b + 1 < count; b++)
		block_write(out, oracle, b, mixes[mix % 4][random_below(4)]);
	block_write(out, oracle, count - 1, RETURN);
	text_puts(out, "ALL: .branchtargets L0");
	for (unsigned b = 1; b < count; b++)
		text_printf(out, ", L%u", b);
	text_puts(out, ";\nbrx.idx %r1, ALL;\n}\n");
}

/* ---- definitions ---------------------------------------------------------------------------- */

/* Nodes reached from `from` along edges (or against them) without entering `without`. */
static void reach(const struct oracle *oracle, unsigned from, unsigned without, bool backward, bool reached[NODES + 1])
{
	unsigned stack[NODES + 1], top = 0;
	memset(reached, 0, (NODES + 1) * sizeof(*reached));
	if (from == without)
		return;
	reached[from] = true;
	stack[top++] = from;
	while (top > 0) {
		unsigned at = stack[--top];
		for (unsigned n = 0; n <= oracle->count; n++) {
			bool edge = backward ? oracle->edge[n][at] : oracle->edge[at][n];
			if (edge && !reached[n] && n != without && (!backward || oracle->live[n])) {
				reached[n] = true;
				stack[top++] = n;
			}
		}
	}
}

static void oracle_solve(struct oracle *oracle)
{
	bool all[NODES + 1], without[NODES + 1];
	const unsigned none = NODES + 5;
	reach(oracle, 0, none, false, oracle->live);
	for (unsigned a = 0; a <= oracle->count; a++) {
		reach(oracle, 0, a, false, without);
		for (unsigned b = 0; b <= oracle->count; b++)
			oracle->dominates[a][b] = oracle->live[b] && !without[b];
	}
	if (!oracle->live[oracle->count])
		return;
	reach(oracle, oracle->count, none, true, all);
	for (unsigned a = 0; a <= oracle->count; a++) {
		reach(oracle, oracle->count, a, true, without);
		for (unsigned b = 0; b <= oracle->count; b++)
			oracle->post_dominates[a][b] = all[b] && !without[b];
	}
}

/* The strict dominator that all other strict dominators dominate; UINT32_MAX where there is none. */
static uint32_t immediate(bool dominates[NODES + 1][NODES + 1], unsigned count, unsigned b)
{
	for (unsigned a = 0; a <= count; a++) {
		bool nearest = a != b && dominates[a][b];
		for (unsigned c = 0; c <= count && nearest; c++)
			nearest = c == b || !dominates[c][b] || dominates[c][a];
		if (nearest)
			return a;
	}
	return UINT32_MAX;
}

/* The blocks that reach an edge back to the header without passing it: a natural loop; false where there is none. */
static bool natural_loop(const struct oracle *oracle, unsigned header, bool body[NODES + 1])
{
	bool found = false, some[NODES + 1];
	memset(body, 0, (NODES + 1) * sizeof(*body));
	for (unsigned latch = 0; latch < oracle->count; latch++) {
		if (!oracle->live[latch] || !oracle->edge[latch][header] || !oracle->dominates[header][latch])
			continue;
		found = true;
		reach(oracle, latch, header, true, some);
		for (unsigned n = 0; n < oracle->count; n++)
			body[n] |= some[n];
	}
	body[header] = found;
	return found;
}

/* Whether a reaches b over at least one edge, without the edges to a dominator when forward_only. */
static bool connected(const struct oracle *oracle, unsigned a, unsigned b, bool forward_only)
{
	struct oracle part = *oracle;
	bool reached[NODES + 1];
	for (unsigned i = 0; forward_only && i <= oracle->count; i++)
		for (unsigned j = 0; j <= oracle->count; j++)
			part.edge[i][j] &= !oracle->dominates[j][i];
	for (unsigned next = 0; next <= oracle->count; next++)
		if (part.edge[a][next]) {
			reach(&part, next, NODES + 5, false, reached);
			if (reached[b])
				return true;
		}
	return false;
}

static bool is_reducible(const struct oracle *oracle)
{
	for (unsigned n = 0; n < oracle->count; n++)
		if (oracle->live[n] && connected(oracle, n, n, true))
			return false;
	return true;
}

/* ---- comparisons -------------------------------------------------------------------------------- */

static void blocks_compare(const struct oracle *oracle, const struct ptx_cfg *cfg)
{
	assert_int_equal(cfg->block_count, oracle->count + 1);
	for (uint32_t b = 0; b < oracle->count; b++) {
		const struct ptx_basic_block *block = &cfg->blocks[b];
		uint32_t post = immediate(((struct oracle *)oracle)->post_dominates, oracle->count, b);
		assert_int_equal(block->reachable, oracle->live[b]);
		if (!block->reachable)
			continue;
		assert_int_equal(block->dominator, immediate(((struct oracle *)oracle)->dominates, oracle->count, b));
		assert_int_equal(block->post_dominator, post == oracle->count ? PTX_NO_BASIC_BLOCK : post);
		for (uint32_t p = 0; p < oracle->count; p++) {
			bool listed = false;
			for (uint32_t k = 0; k < block->predecessor_count; k++)
				listed |= block->predecessors[k] == p;
			assert_int_equal(listed, oracle->edge[p][b]);
		}
	}
}

static bool holds(const struct ptx_loop *loop, uint32_t block)
{
	for (uint32_t k = 0; k < loop->block_count; k++)
		if (loop->blocks[k] == block)
			return true;
	return false;
}

static void loops_compare(const struct oracle *oracle, const struct ptx_cfg *cfg)
{
	unsigned natural = 0, irreducible = 0;
	bool body[NODES + 1];
	for (uint32_t l = 0; l < cfg->loop_count; l++) {
		const struct ptx_loop *loop = &cfg->loops[l];
		irreducible += loop->irreducible;
		if (loop->irreducible)
			continue;
		assert_true(natural_loop(oracle, loop->header, body));
		for (uint32_t b = 0; b < oracle->count; b++)
			assert_int_equal(holds(loop, b), body[b]);
	}
	for (uint32_t header = 0; header < oracle->count; header++) {
		if (!natural_loop(oracle, header, body))
			continue;
		natural++;
		uint32_t l = 0;
		while (l < cfg->loop_count && cfg->loops[l].header != header)
			l++;
		assert_true(l < cfg->loop_count);
		for (uint32_t b = 0; b < oracle->count; b++)
			assert_true(!body[b] || holds(&cfg->loops[l], b));
	}
	assert_int_equal(is_reducible(oracle), irreducible == 0);
	if (irreducible == 0)
		assert_int_equal(cfg->loop_count, natural);
}

/* The outermost loops are the cycles that nothing leads back to: the strongly connected parts. */
static void outermost_compare(const struct oracle *oracle, const struct ptx_cfg *cfg)
{
	for (uint32_t a = 0; a < oracle->count; a++) {
		uint32_t outer = cfg->blocks[a].loop;
		bool cyclic = oracle->live[a] && connected(oracle, a, a, false);
		assert_int_equal(outer != PTX_NO_LOOP, cyclic);
		while (outer != PTX_NO_LOOP && cfg->loops[outer].parent != PTX_NO_LOOP)
			outer = cfg->loops[outer].parent;
		for (uint32_t b = 0; outer != PTX_NO_LOOP && b < oracle->count; b++) {
			bool together =
				oracle->live[b] && connected(oracle, a, b, false) && connected(oracle, b, a, false);
			assert_int_equal(holds(&cfg->loops[outer], b), together);
		}
	}
}

static void graph_check(unsigned count, unsigned mix)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct text text = {0};
	struct oracle oracle;
	struct ptx_module *module;
	diagnostics_init(&diagnostics, arena);
	graph_write(&text, &oracle, count, mix);
	oracle_solve(&oracle);
	module = ptx_parse(arena, "random.ptx", text.data, text.length, &diagnostics);
	assert_non_null(module);
	ptx_function_analyse(arena, &module->functions[0]);
	blocks_compare(&oracle, module->functions[0].cfg);
	loops_compare(&oracle, module->functions[0].cfg);
	outermost_compare(&oracle, module->functions[0].cfg);
	text_release(&text);
	arena_release(arena);
}

static void random_graphs_agree_with_the_definitions(void **state)
{
	(void)state;
	random_state = 1;
	for (unsigned i = 0; i < 4000; i++)
		graph_check(2 + random_below(NODES - 1), i);
}

/* Which of both happened is counted, lest all graphs be of one kind. */
static void random_graphs_are_of_all_kinds(void **state)
{
	unsigned reducible = 0, endless = 0, dead = 0, looping = 0;
	(void)state;
	random_state = 1;
	for (unsigned i = 0; i < 1000; i++) {
		struct text text = {0};
		struct oracle oracle;
		bool body[NODES + 1];
		graph_write(&text, &oracle, 2 + random_below(NODES - 1), i);
		oracle_solve(&oracle);
		reducible += is_reducible(&oracle);
		endless += !oracle.live[oracle.count];
		dead += !oracle.live[oracle.count - 1];
		looping += natural_loop(&oracle, random_below(oracle.count), body);
		text_release(&text);
	}
	assert_in_range(reducible, 100, 900);
	assert_in_range(endless, 20, 900);
	assert_in_range(dead, 50, 950);
	assert_in_range(looping, 50, 900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs_agree_with_the_definitions),
		cmocka_unit_test(random_graphs_are_of_all_kinds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

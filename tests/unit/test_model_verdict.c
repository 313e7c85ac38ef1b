/* Ranking, ties and recommendation; the sentence that says why; trust. */
#include "model/cost/parts.h"
#include "model/predict/predict.h"
#include "model/trust/trust.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static struct verdict rank(struct arena *arena, const double *times, unsigned count, unsigned written)
{
	static const unsigned rows[] = {0, 1, 2, 3};
	struct verdict verdict = {0};
	verdict_rank(arena, times, rows, count, written, &verdict);
	return verdict;
}

static void test_best_and_ties(void **state)
{
	struct arena *arena = arena_create();
	struct verdict verdict = rank(arena, (double[]){10, 8, 8.1, 9}, 4, 0);
	(void)state;
	assert_int_equal(verdict.best, 1);
	assert_int_equal(verdict.recommended, 1);
	assert_int_equal(verdict.tie_count, 1);
	assert_int_equal(verdict.ties[0], 2);
	arena_release(arena);
}

/* Nobody should rewrite code for two per cent. */
static void test_written_is_kept_in_a_tie(void **state)
{
	struct arena *arena = arena_create();
	struct verdict verdict = rank(arena, (double[]){8.1, 8, 20, 30}, 4, 0);
	(void)state;
	assert_int_equal(verdict.best, 1);
	assert_int_equal(verdict.recommended, 0);
	verdict = rank(arena, (double[]){8.2, 8, 20, 30}, 4, 0);
	assert_int_equal(verdict.recommended, 1);
	arena_release(arena);
}

static void test_written_layout_not_ranked(void **state)
{
	struct arena *arena = arena_create();
	struct verdict verdict = rank(arena, (double[]){3, 2}, 2, UINT_MAX);
	(void)state;
	assert_int_equal(verdict.written, UINT_MAX);
	assert_int_equal(verdict.recommended, 1);
	arena_release(arena);
}

static uint32_t address_mask(uint64_t address[WARP_LANES], unsigned stride, unsigned lanes)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] = (uint64_t)lane * stride;
	return lanes == WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
}

static void test_coalescing_classes(void **state)
{
	uint64_t address[WARP_LANES];
	uint32_t mask = address_mask(address, 0, 32);
	(void)state;
	assert_int_equal(cost_coalescing_of(address, mask, 4, 1), BROADCAST);
	mask = address_mask(address, 4, 32);
	assert_int_equal(cost_coalescing_of(address, mask, 4, 4), COALESCED);
	mask = address_mask(address, 12, 32);
	assert_int_equal(cost_coalescing_of(address, mask, 4, 12), PARTIAL);
	mask = address_mask(address, 128, 32);
	assert_int_equal(cost_coalescing_of(address, mask, 4, 32), UNCOALESCED);
	mask = address_mask(address, 16, 32);
	assert_int_equal(cost_coalescing_of(address, mask, 16, 16), COALESCED);
}

/* ---- why, and trust -------------------------------------------------------------------- */

static const struct layout written_layout = {.name = "aos"}, other_layout = {.name = "soa"};

/* A launch in two layouts: fast, and slow as written. Both begin alike: 20 us and 30 us, 1000 and 1500 cycles of
 * latency. */
struct setting {
	struct layout_group group;
	struct launch_case launch;
	struct evaluation evaluation;
	struct launch_view view;
	struct machine machine;
	struct prediction prediction;
	struct case_result result;
	struct ranked_layout rows[2];
	struct estimate fast, slow;
	struct limit limits[2][8];
	struct access_estimate accesses[2];
};

static void estimate_set(struct setting *setting, unsigned row, struct estimate *estimate, double cycles)
{
	static const char *const names[] = {"issue", "l1", "shared", "l2", "dram", "atomics", "launch", "latency"};
	*estimate = (struct estimate){
		.time_seconds = cycles / 50e6, .cycles_per_warp = cycles, .bound = "latency", .occupancy = 0.5};
	estimate->counts =
		(struct counts){.warp_instructions = 1e6, .ld_requests = 1e5, .ld_sectors = 4e5, .st_requests = 1e4};
	estimate->limits = setting->limits[row];
	estimate->limit_count = ARRAY_COUNT(names);
	for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
		setting->limits[row][i] = (struct limit){names[i], i + 1 == ARRAY_COUNT(names) ? cycles : 200};
	setting->accesses[row] = (struct access_estimate){.array = "p",
	                                                  .kind = ACCESS_LOAD,
	                                                  .place = {.line = 7},
	                                                  .width_bytes = 4,
	                                                  .executions = 8,
	                                                  .sectors_per_request = 4,
	                                                  .cycles = cycles};
	estimate->accesses = &setting->accesses[row];
	estimate->access_count = 1;
}

static void setting_make(struct setting *setting)
{
	*setting = (struct setting){.group = {.name = "pair"}, .machine = {.calibrated = "a run"}};
	setting->view.machine_code.evaluation = &setting->evaluation;
	setting->prediction.machine = &setting->machine;
	setting->prediction.model = cost_model_find(TRUST_MODEL);
	estimate_set(setting, 0, &setting->fast, 1000);
	estimate_set(setting, 1, &setting->slow, 1500);
	setting->rows[0] = (struct ranked_layout){
		.group = &setting->group, .layout = &other_layout, .estimate = &setting->fast, .view = &setting->view};
	setting->rows[1] = (struct ranked_layout){.group = &setting->group,
	                                          .layout = &written_layout,
	                                          .estimate = &setting->slow,
	                                          .view = &setting->view};
	setting->result = (struct case_result){.launch = &setting->launch, .rows = setting->rows, .row_count = 2};
}

static void limit_let(struct setting *setting, const char *name, double fast, double slow)
{
	for (unsigned i = 0; i < ARRAY_COUNT(setting->limits[0]); i++) {
		if (strcmp(setting->limits[0][i].name, name) != 0)
			continue;
		setting->limits[0][i].cycles = fast;
		setting->limits[1][i].cycles = slow;
	}
	setting->slow.bound = name;
}

static void why_is(struct setting *setting, const char *wanted)
{
	struct arena *arena = arena_create();
	struct verdict verdict = {.group = &setting->group, .recommended = 0, .written = 1, .contrast = 1};
	assert_string_equal(verdict_why(arena, &setting->result, &verdict), wanted);
	arena_release(arena);
}

static void test_why_issue(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	limit_let(&setting, "issue", 800, 1400);
	setting.slow.counts.warp_instructions = 1.75e6;
	why_is(&setting, "soa is 1.50 times as fast as aos: instruction issue: 1 million warp instructions are "
	                 "executed instead of "
	                 "1.75 million");
	setting.slow.counts.warp_instructions = 1.01e6;
	why_is(&setting,
	       "soa is 1.50 times as fast as aos: instruction issue: it is busy for 800 cycles instead of 1400");
}

static void test_why_l1(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	limit_let(&setting, "l1", 800, 1400);
	setting.slow.counts.ld_sectors = 1.6e6;
	setting.accesses[1].sectors_per_request = 16;
	why_is(&setting,
	       "soa is 1.50 times as fast as aos: L1: 400000 sectors are loaded and stored instead of 1.6 million; "
	       "reading p (line 7) touches 4 sectors at a time instead of 16");
}

static void test_why_requests(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	limit_let(&setting, "l1", 800, 1400);
	setting.slow.counts.ld_requests = 2e5;
	setting.accesses[1].executions = 16;
	why_is(&setting,
	       "soa is 1.50 times as fast as aos: L1: 110000 memory instructions are executed instead of 210000"
	       "; reading p (line 7) takes a warp 8 memory instructions instead of 16");
}

static void test_why_shared(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	limit_let(&setting, "shared", 800, 1400);
	setting.slow.counts.shared_bank_conflicts = 5000;
	why_is(&setting,
	       "soa is 1.50 times as fast as aos: shared memory: 0 passes go to bank conflicts instead of 5000");
}

static void test_why_l2(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	limit_let(&setting, "l2", 800, 1400);
	setting.fast.counts.l2_read_sectors = 1e6;
	setting.slow.counts.l2_read_sectors = 2e6;
	why_is(&setting, "soa is 1.50 times as fast as aos: L2: 32 MB cross it instead of 64 MB");
}

/* What bounds the slower one is named, also where another part grows more. */
static void test_why_dram(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	limit_let(&setting, "l1", 100, 1300);
	limit_let(&setting, "dram", 800, 1400);
	setting.fast.counts.dram_read_bytes = 128e6;
	setting.slow.counts.dram_read_bytes = 512e6;
	setting.accesses[1].kind = setting.accesses[0].kind = ACCESS_STORE;
	setting.accesses[1].sectors_per_request = 16;
	why_is(&setting, "soa is 1.50 times as fast as aos: DRAM: 128 MB cross it instead of 512 MB; writing p (line "
	                 "7) touches 4 "
	                 "sectors at a time instead of 16");
}

static void test_why_atomics(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	limit_let(&setting, "atomics", 800, 1400);
	setting.accesses[1].kind = setting.accesses[0].kind = ACCESS_ATOMIC;
	setting.accesses[1].sectors_per_request = 32;
	why_is(&setting, "soa is 1.50 times as fast as aos: atomics: 32 sectors a warp are touched instead of 256; "
	                 "updating p (line 7) touches 4 sectors at a time instead of 32");
}

/* Latency: resident warps where they explain it; else what an instruction waits; and where that does not differ, that
 * nothing does. */
static void test_why_latency(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	setting.slow.occupancy = 0.25;
	why_is(&setting, "soa is 1.50 times as fast as aos: latency: 50 % of the warps that an SM can hold are "
	                 "resident instead of "
	                 "25 %");
	setting.slow.occupancy = 0.5;
	why_is(&setting, "soa is 1.50 times as fast as aos: latency: an instruction of aos waits 1.50 times as long "
	                 "for what it needs; "
	                 "neither traffic nor resident warps explain it");
	setting.slow.counts.warp_instructions = 1.5e6;
	limit_let(&setting, "issue", 10, 15);
	setting.slow.bound = "latency";
	why_is(&setting, "soa is 1.50 times as fast as aos: latency: neither instructions nor traffic nor resident "
	                 "warps differ enough "
	                 "to explain it");
}

/* A part that is hardly used explains nothing, however much its number differs. */
static void test_why_leaves_out_idle_parts(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	limit_let(&setting, "dram", 10, 100);
	setting.slow.bound = "latency";
	setting.fast.counts.dram_read_bytes = 1e3;
	setting.slow.counts.dram_read_bytes = 1e6;
	why_is(&setting, "soa is 1.50 times as fast as aos: latency: an instruction of aos waits 1.50 times as long "
	                 "for what it needs; "
	                 "neither traffic nor resident warps explain it");
}

static void test_why_without_limits(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	setting.fast.limit_count = setting.slow.limit_count = 0;
	setting.accesses[1].sectors_per_request = 16;
	why_is(&setting,
	       "soa is 1.50 times as fast as aos: reading p (line 7) takes a warp 8 memory instructions and 32 sectors "
	       "instead of 8 and 128");
}

static void test_why_nothing_differs(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	setting.slow.time_seconds = setting.fast.time_seconds * 1.01;
	why_is(&setting, "No other layout of pair is predicted to differ by more than 2 %");
}

static struct verdict trusted(struct setting *setting)
{
	struct arena *arena = arena_create();
	struct verdict verdict = {.group = &setting->group, .recommended = 0, .written = 1, .contrast = 1};
	trust_verdict(arena, &setting->prediction, &setting->result, &verdict);
	arena_release(arena);
	return verdict;
}

static void test_trust_interval(void **state)
{
	struct setting setting;
	struct verdict verdict;
	(void)state;
	setting_make(&setting);
	verdict = trusted(&setting);
	assert_true(verdict.ratio_low < 1.5 && verdict.ratio_high > 1.5);
	assert_true(fabs(verdict.ratio_low * verdict.ratio_high - 1.5 * 1.5) < 1e-9);
	setting.machine.calibrated = NULL;
	assert_true(trusted(&setting).ratio_high > verdict.ratio_high);
	assert_int_equal(trusted(&setting).confidence, CONFIDENCE_LOW);
}

static void test_trust_times(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	trust_times(&setting.prediction, &setting.result);
	assert_true(setting.slow.low > 0 && setting.slow.low <= 1 && setting.slow.high >= 1);
	assert_true(setting.slow.time_seconds == 1500 / 50e6);
}

/* The wider the margin the more it is trusted; never highly where something was assumed. */
static void test_trust_confidence(void **state)
{
	struct setting setting;
	struct assumption assumption = {.text = "branch on data loaded from x"};
	enum confidence confidence;
	(void)state;
	setting_make(&setting);
	setting.slow.time_seconds = 100 * setting.fast.time_seconds;
	confidence = trusted(&setting).confidence;
	setting.slow.time_seconds = 1.001 * setting.fast.time_seconds;
	assert_true(trusted(&setting).confidence >= confidence);
	setting.slow.time_seconds = 100 * setting.fast.time_seconds;
	setting.evaluation.assumptions = &assumption;
	setting.evaluation.assumption_count = 1;
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[0]), "assumed");
	assert_true(trusted(&setting).confidence != CONFIDENCE_HIGH);
	setting.launch.assumed = true;
	assert_int_equal(trusted(&setting).confidence, CONFIDENCE_LOW);
}

/* Rows that a sample does not tell apart are no ground for a verdict; the interval says so. */
static void test_trust_of_poor_samples(void **state)
{
	struct setting setting;
	struct verdict exact, sampled;
	(void)state;
	setting_make(&setting);
	setting.slow.time_seconds = 5 * setting.fast.time_seconds;
	exact = trusted(&setting);
	assert_true(exact.confidence != CONFIDENCE_LOW);
	setting.evaluation.sampled_warps = 64;
	setting.evaluation.standard_error = 0.8;
	sampled = trusted(&setting);
	assert_int_equal(sampled.confidence, CONFIDENCE_LOW);
	assert_true(sampled.ratio_low < exact.ratio_low && sampled.ratio_high > exact.ratio_high);
	setting.evaluation.standard_error = 0.05;
	assert_int_equal(trusted(&setting).confidence, exact.confidence);
	setting.evaluation.standard_error = NAN;
	assert_int_equal(trusted(&setting).confidence, CONFIDENCE_LOW);
	assert_true(trusted(&setting).ratio_low == 0);
}

static void test_trust_of_other_models(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	setting.prediction.model = cost_model_find("thesis");
	assert_int_equal(trusted(&setting).confidence, CONFIDENCE_LOW);
	assert_true(trusted(&setting).ratio_low == 0);
}

static void test_trust_classes(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "core");
	setting.slow.bound = "dram";
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "dram");
	setting.slow.bound = "launch";
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "launch");
	setting.slow.counts.st_sectors = 12 * setting.slow.counts.st_requests;
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "stores");
	setting.slow.counts.ld_sectors = 100 * setting.slow.counts.st_sectors;
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "launch");
	setting.accesses[1].class = UNCOALESCED;
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "scattered");
	setting.accesses[1].hit_rate = 1;
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "launch");
	setting.accesses[1].kind = ACCESS_ATOMIC;
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "atomics");
	setting.view.machine_code.evaluation = NULL;
	assert_string_equal(trust_class_name(&setting.result, &setting.rows[1]), "assumed");
}

/* A part that is busy for long, and that another layout needs less of, objects; simpler models that cannot be asked
 * leave it open. */
static void test_trust_objections(void **state)
{
	struct setting setting;
	struct arena *arena = arena_create();
	struct verdict verdict = {.group = &setting.group, .recommended = 0, .written = 1, .contrast = 1};
	struct objections all = {.heard = true};
	(void)state;
	setting_make(&setting);
	trust_objections_find(arena, &setting.result, &verdict);
	assert_int_equal(verdict.objections.part_count, 0);
	assert_false(verdict.objections.heard);
	assert_false(trust_unopposed(&verdict.objections));
	limit_let(&setting, "l2", 210, 200);
	limit_let(&setting, "dram", 90, 10);
	limit_let(&setting, "issue", 400, 200);
	trust_objections_find(arena, &setting.result, &verdict);
	assert_int_equal(verdict.objections.part_count, 1);
	assert_string_equal(verdict.objections.parts[0], "issue");
	assert_true(trust_unopposed(&all));
	trust_objections_add(arena, &verdict.objections, &all);
	trust_objections_add(arena, &verdict.objections, &all);
	assert_int_equal(all.part_count, 1);
	assert_false(trust_unopposed(&all));
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best_and_ties),
		cmocka_unit_test(test_written_is_kept_in_a_tie),
		cmocka_unit_test(test_written_layout_not_ranked),
		cmocka_unit_test(test_coalescing_classes),
		cmocka_unit_test(test_why_issue),
		cmocka_unit_test(test_why_l1),
		cmocka_unit_test(test_why_requests),
		cmocka_unit_test(test_why_shared),
		cmocka_unit_test(test_why_l2),
		cmocka_unit_test(test_why_dram),
		cmocka_unit_test(test_why_atomics),
		cmocka_unit_test(test_why_latency),
		cmocka_unit_test(test_why_leaves_out_idle_parts),
		cmocka_unit_test(test_why_without_limits),
		cmocka_unit_test(test_why_nothing_differs),
		cmocka_unit_test(test_trust_interval),
		cmocka_unit_test(test_trust_times),
		cmocka_unit_test(test_trust_confidence),
		cmocka_unit_test(test_trust_of_poor_samples),
		cmocka_unit_test(test_trust_of_other_models),
		cmocka_unit_test(test_trust_classes),
		cmocka_unit_test(test_trust_objections),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The full model's parts against brute force and against what was measured: store buffer, requests, the path behind the
 * L1. */
#include "model/cost/full/path.h"
#include "model/cost/full/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct machine *load(struct arena *arena, const char *name)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const struct machine *machine = machine_load(arena, name, &diagnostics);
	assert_non_null(machine);
	return machine;
}

static struct full_machine numbers(struct arena *arena, const char *name)
{
	struct full_machine machine;
	full_machine_read(load(arena, name), &(struct full_streams){2048, 1}, &machine);
	return machine;
}

static void assert_near(double value, double expected, double share)
{
	if (fabs(value - expected) > share * fabs(expected))
		fail_msg("%g instead of %g", value, expected);
}

/* ---- numbers --------------------------------------------------------------------------- */

/* Every machine file gives numbers that can be divided by, whether it was calibrated or not. */
static void test_numbers(void **state)
{
	static const char *const names[] = {"h200", "h100",   "a100",    "v100",   "p100",
	                                    "t4",   "gtx980", "rtx3090", "rtx4090"};
	(void)state;
	for (unsigned i = 0; i < ARRAY_COUNT(names); i++) {
		struct arena *arena = arena_create();
		struct full_machine machine = numbers(arena, names[i]);
		assert_true(machine.clock_hz > 1e8 && machine.sms > 0 && machine.schedulers > 0);
		for (unsigned p = 0; p < FULL_PIPES; p++)
			assert_true(machine.pipe[p] >= 0.9 && machine.pipe[p] < 1000);
		for (unsigned m = 0; m < FULL_MIXES; m++)
			for (unsigned w = 0; w < FULL_WIDTHS; w++)
				assert_true(machine.dram_rate[m][w] > 1);
		assert_true(machine.l1_latency > 0 && machine.l2_latency > machine.l1_latency &&
		            machine.dram_latency > machine.l2_latency);
		assert_true(machine.port_line > 0 && machine.l2_sector > 0 && machine.store_flit > 0 &&
		            machine.block_cycles > 0);
		arena_release(arena);
	}
}

/* ---- store buffer ------------------------------------------------------------------------------- */

static void bytes_of_word(struct full_bytes *bytes, unsigned word)
{
	bytes->half[word / 16] |= UINT64_C(0xf) << word % 16 * 4;
}

/* One store of a record of `words` words by all lanes: word `member` of each. */
static void record_store(struct full_stores *stores, uint64_t line, unsigned words, unsigned member, double time)
{
	for (unsigned l = 0; l < words; l++) {
		struct full_bytes bytes = {{0, 0}};
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			if ((lane * words + member) / 32 == l)
				bytes_of_word(&bytes, (lane * words + member) % 32);
		full_stores_add(stores, line + l, &bytes, 0, false, time);
	}
}

/* `warps` warps take turns, each storing all members of its records, 4 cycles apart. Returns lines sent for each that
 * is touched. */
static double lines_sent(struct arena *arena, unsigned words, unsigned warps)
{
	struct full_machine machine = numbers(arena, "h200");
	struct full_stores *stores = full_stores_make(arena, &machine, 1.0 / machine.sms, NULL);
	for (unsigned member = 0; member < words; member++)
		for (unsigned warp = 0; warp < warps; warp++)
			record_store(stores, warp * 100, words, member, member * 4);
	full_stores_finish(stores);
	return full_stores_counts(stores).lines / words / warps;
}

/* Measured (merge.*): one warp's stores all merge; those of four warps at once do for records of 5 words, none for 8.
 */
static void test_stores_merge(void **state)
{
	struct arena *arena = arena_create();
	(void)state;
	assert_true(lines_sent(arena, 8, 1) == 1);
	assert_true(lines_sent(arena, 5, 4) == 1);
	assert_true(lines_sent(arena, 8, 4) == 8);
	arena_release(arena);
}

/* Cycles of one SM for a warp's store of one float in so many, against the measured table: all strides within 3 %. */
static void test_stores_cost(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *file = load(arena, "h200");
	struct full_machine machine = numbers(arena, "h200");
	const struct machine_table *table = machine_table_find(file, "stride_cycles.l2_store_one_sm_4_bytes");
	(void)state;
	for (unsigned stride = 1; stride <= 32; stride++) {
		struct full_stores *stores = full_stores_make(arena, &machine, 1.0 / machine.sms, NULL);
		for (unsigned i = 0; i < 100; i++)
			for (unsigned l = 0; l < stride; l++) {
				struct full_bytes bytes = {{0, 0}};
				for (unsigned lane = 0; lane < WARP_LANES; lane++)
					if (lane * stride / 32 == l)
						bytes_of_word(&bytes, lane * stride % 32);
				if (bytes.half[0] | bytes.half[1])
					full_stores_add(stores, i * stride + l, &bytes, 0, false, 0);
			}
		full_stores_finish(stores);
		assert_near(full_stores_counts(stores).flits * machine.store_flit / 100, table->value[stride - 1],
		            0.03);
	}
	arena_release(arena);
}

/* ---- requests -------------------------------------------------------------------------------------- */

static struct full_request strided(const struct full_machine *machine, unsigned bytes, unsigned stride, unsigned first)
{
	struct full_request request;
	struct trace_event event = {.kind = TRACE_REQUEST,
	                            .mask = UINT32_MAX,
	                            .space = SPACE_GLOBAL,
	                            .address = TRACE_KNOWN,
	                            .bytes = bytes,
	                            .base = (UINT64_C(1) << 40) + first * LINE_BYTES,
	                            .step = (int64_t)bytes * stride};
	full_request_make(machine, &event, FULL_LOAD, 0, 0, 0, &request);
	return request;
}

/* Passes over 64 places to begin at: which banks of tags lines lie in depends on it. */
static double passes_mean(const struct full_machine *machine, unsigned bytes, unsigned stride)
{
	double sum = 0;
	for (unsigned first = 0; first < 64; first++)
		sum += strided(machine, bytes, stride, first).passes;
	return sum / 64;
}

/* SM cycles of a warp load that hits the L1, by width and stride, against the measured tables: banks and tags explain
 * them within 12 %. */
static void test_requests_passes(void **state)
{
	static const struct {
		const char *table;
		unsigned bytes, most;
	} rows[] = {{"stride_cycles.l1_load_4_bytes", 4, 32},
	            {"stride_cycles.l1_load_8_bytes", 8, 8},
	            {"stride_cycles.l1_load_16_bytes", 16, 4}};
	struct arena *arena = arena_create();
	const struct machine *file = load(arena, "h200");
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned r = 0; r < ARRAY_COUNT(rows); r++)
		for (unsigned stride = 1; stride <= rows[r].most; stride++)
			assert_near(passes_mean(&machine, rows[r].bytes, stride),
			            machine_table_find(file, rows[r].table)->value[stride - 1], 0.12);
	arena_release(arena);
}

/* A warp's load of a word of line first + lane * stride, each lane in a bank of its own; or of the words of records at
 * random places. */
static struct full_request by_lines(const struct full_machine *machine, const uint64_t address[WARP_LANES])
{
	struct full_request request;
	struct trace_event event = {.kind = TRACE_REQUEST,
	                            .mask = UINT32_MAX,
	                            .space = SPACE_GLOBAL,
	                            .address = TRACE_KNOWN,
	                            .bytes = 4,
	                            .lanes = (uint64_t *)address};
	full_request_make(machine, &event, FULL_LOAD, 0, 0, 0, &request);
	return request;
}

/* Cycles of loads that hit, by the distance of their lanes' lines, against benchmarks/measured/tags-h200.csv: the code
 * of the tags' banks explains them all. */
static void test_tag_banks(void **state)
{
	static const struct {
		unsigned stride;
		double cycles;
	} rows[] = {{1, 8.56},     {2, 8.50},     {3, 11.78},    {4, 8.50},     {5, 10.66},    {6, 11.53},
	            {7, 13.70},    {9, 12.42},    {11, 12.44},   {12, 12.55},   {14, 12.06},   {16, 8.03},
	            {17, 9.65},    {18, 11.29},   {28, 13.56},   {31, 12.03},   {37, 11.25},   {48, 14.09},
	            {56, 14.05},   {61, 14.71},   {64, 8.01},    {384, 14.03},  {640, 10.03},  {768, 11.01},
	            {1152, 11.01}, {1280, 16.01}, {1920, 12.00}, {3072, 14.10}, {5632, 14.03}, {7168, 14.03}};
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned r = 0; r < ARRAY_COUNT(rows); r++) {
		uint64_t address[WARP_LANES];
		double sum = 0;
		for (unsigned first = 0; first < 8; first++) {
			for (unsigned lane = 0; lane < WARP_LANES; lane++)
				address[lane] = (UINT64_C(1) << 41) +
				                (first + (uint64_t)lane * rows[r].stride) * LINE_BYTES + lane * 4;
			sum += by_lines(&machine, address).passes;
		}
		assert_near(sum / 8, rows[r].cycles, 0.03);
	}
	arena_release(arena);
}

/* Cycles of four loads from records of so many words that the L2 has, against the same, over four: what the lines that
 * meet in a pass of the tags ask the banks of the data for. */
static void test_missing_passes(void **state)
{
	static const struct {
		unsigned record;
		double cycles;
	} rows[] = {{4, 14.69}, {8, 17.08}, {12, 14.18}, {16, 23.09}, {20, 14.58}, {24, 16.95}, {32, 31.86}};
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned r = 0; r < ARRAY_COUNT(rows); r++) {
		uint64_t address[WARP_LANES];
		unsigned count = 1;
		double sum = 0;
		while (2 * count * rows[r].record <= (1u << 20) * 7 / 5)
			count *= 2;
		for (unsigned load = 0; load < 400; load++) {
			for (unsigned lane = 0; lane < WARP_LANES; lane++) {
				uint32_t place =
					((load / 4 * 57 * WARP_LANES + lane) * 64 + load / 4) * UINT32_C(2654435761) >>
						9 &
					(count - 1);
				address[lane] = (UINT64_C(1) << 41) + ((uint64_t)place * rows[r].record + load % 4) * 4;
			}
			struct full_request request = by_lines(&machine, address);
			sum += full_l1_missing_passes(&machine, &request);
			assert_float_equal(request.missing_passes, full_l1_missing_passes(&machine, &request), 0);
		}
		assert_near(sum / 400, rows[r].cycles, 0.1);
	}
	arena_release(arena);
}

/* Lines and sectors against counting each lane's bytes. */
static void test_requests_touch(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned stride = 0; stride < 40; stride++) {
		struct full_request request = strided(&machine, 8, stride, 0);
		bool sectors[1024] = {false}, lines[256] = {false};
		unsigned sector_count = 0, line_count = 0;
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			for (unsigned b = 0; b < 8; b++) {
				sectors[(lane * 8 * stride + b) / SECTOR_BYTES] = true;
				lines[(lane * 8 * stride + b) / LINE_BYTES] = true;
			}
		for (unsigned i = 0; i < ARRAY_COUNT(sectors); i++)
			sector_count += sectors[i];
		for (unsigned i = 0; i < ARRAY_COUNT(lines); i++)
			line_count += lines[i];
		assert_int_equal(request.sector_count, sector_count);
		assert_int_equal(request.line_count, line_count);
	}
	arena_release(arena);
}

/* ---- behind the L1 ------------------------------------------------------------------------------------ */

static struct full_path *path_make(struct arena *arena, const struct full_machine *machine,
                                   struct full_traffic *traffic, double first)
{
	for (unsigned s = 0; s < 2; s++) {
		traffic->shares[s] = arena_array(arena, 1, sizeof *traffic->shares[s]);
		traffic->shares[s][0] = (struct full_share){.first = first, .samples = 1};
	}
	traffic->irregular = arena_array(arena, 1, sizeof *traffic->irregular);
	for (unsigned w = 0; w < FULL_WIDTHS; w++)
		traffic->read_cycles[w] = traffic->write_cycles[w] = machine->sms / machine->dram_rate[0][w];
	return full_path_make(arena, machine, traffic, machine->sms, 1);
}

/* Cycles until the last of `count` coalesced loads of new lines is there. */
static double stream(struct arena *arena, const struct full_machine *machine, double first, unsigned count)
{
	struct full_traffic traffic = {0};
	struct full_path *path = path_make(arena, machine, &traffic, first);
	double last = 0;
	for (unsigned i = 0; i < count; i++) {
		struct full_request request = strided(machine, 4, 1, 0);
		uint8_t missing[FULL_LINES] = {0xf};
		request.line[0] += i;
		last = full_path_fetch(path, 0, &request, missing, 0, false);
	}
	return last;
}

/* All SMs streaming from DRAM take the time of bytes over bandwidth, and one latency; from the L2 the time of its
 * sectors. */
static void test_path_streams(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	unsigned count = 20000;
	double dram = count * 128.0 * machine.sms / machine.dram_rate[0][0],
	       l2 = count * fmax(machine.l2_line, 4 * machine.l2_sector);
	(void)state;
	assert_near(stream(arena, &machine, 1, count), dram + machine.dram_latency, 0.01);
	assert_near(stream(arena, &machine, 0, count), l2 + machine.l2_latency, 0.01);
	arena_release(arena);
}

/* Cycles that a request for so many lines anywhere takes after long silence, in the mean of many. */
static double lone_mean(struct arena *arena, const struct full_machine *machine, unsigned lines)
{
	const unsigned count = 4000, silence = 100000;
	struct full_traffic traffic = {0};
	struct full_path *path = path_make(arena, machine, &traffic, 1);
	double sum = 0;
	for (unsigned i = 0; i < count; i++) {
		struct full_request request = strided(machine, 4, 1, 0);
		uint8_t missing[FULL_LINES];
		memset(missing, 1, sizeof missing);
		request.line_count = lines;
		for (unsigned k = 0; k < lines; k++)
			request.line[k] = content_scramble((uint64_t)i * FULL_LINES + k) >> 20;
		sum += full_path_fetch(path, 0, &request, missing, (double)i * silence, false) - (double)i * silence;
	}
	return sum / count;
}

/*
 * A lone load waits for the latency of where its data are; one for several lines for the slowest: of n from an
 * exponential distribution its mean times 1 + 1/2 + ... + 1/n.
 */
static void test_path_latency(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200"), even = machine;
	double spread = machine_table_at(machine.busy_spread[0], 0);
	(void)state;
	memset(machine.l2_further, 0, sizeof machine.l2_further);
	even = machine;
	even.dram_spread = 0;
	memset(even.busy_spread, 0, sizeof even.busy_spread);
	assert_near(stream(arena, &machine, 0, 1), machine.l2_latency, 0.03);
	assert_near(stream(arena, &even, 1, 1), machine.dram_latency + machine.dram_line + machine.dram_crowd, 0.03);
	assert_near(lone_mean(arena, &machine, 1), lone_mean(arena, &even, 1), 0.01);
	assert_near(lone_mean(arena, &machine, 8) - lone_mean(arena, &even, 8), 1.718 * spread, 0.05);
	assert_near(lone_mean(arena, &machine, 32) - lone_mean(arena, &even, 32), 3.058 * spread, 0.08);
	arena_release(arena);
}

/* Cycles that a load of these sectors of a line takes by itself, of as many SMs, which drive out dirty lines for such a
 * share of DRAM's time. */
static double alone(struct arena *arena, const struct full_machine *machine, uint8_t sectors, double sms, double driven)
{
	struct full_traffic traffic = {0};
	struct full_path *path = path_make(arena, machine, &traffic, 1);
	struct full_request request = strided(machine, 4, 1, 0);
	path->share = sms / machine->sms;
	path->load = path->driven = driven;
	return full_path_fetch(path, 0, &request, &sectors, 0, false);
}

/* What parts_of_lines.cu and trips.cu measured: a whole line takes longer than a sector of it, that of all SMs than
 * that of one, and both the longer the more is driven out of the L2. */
static void test_path_waits(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	double sector, least = 0;
	(void)state;
	memset(machine.l2_further, 0, sizeof machine.l2_further);
	sector = alone(arena, &machine, 1, 1, 0);
	assert_near(alone(arena, &machine, 0xf, 1, 0) - sector, 18, 0.01);
	assert_near(alone(arena, &machine, 3, 1, 0), sector, 0.001);
	assert_near(alone(arena, &machine, 1, machine.sms, 0) - sector, 13, 0.02);
	for (double share = 0.005; share < 0.4; share *= 2) {
		double sum = 0;
		for (unsigned i = 0; i < 1000; i++)
			sum += machine_table_at(machine.driven_wait, share) *
			       full_dram_latency_bounded(-log((i + 0.5) / 1000) - 1) * 3 / 1000;
		assert_near(sum, machine_table_at(machine.driven_wait, share), 0.01);
		assert_true(alone(arena, &machine, 1, 1, share) > sector + least);
		least = alone(arena, &machine, 1, 1, share) - sector;
	}
	arena_release(arena);
}

/* Half lines whose other halves nobody asks for cost DRAM what was measured of them, whole lines what streams cost. */
static void test_half_lines(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	const struct machine_table *table = machine_table_find(load(arena, "h200"), "half_lines.alone_seconds");
	(void)state;
	for (unsigned apart = 1; apart <= 4; apart *= 2) {
		struct full_traffic traffic = {0};
		struct full_path *path = path_make(arena, &machine, &traffic, 1);
		double last = 0, granules = 0;
		traffic.shares[0][0].alone = 1;
		for (unsigned i = 0; i < 2000; i++) {
			struct full_request request = {.line_count = 16, .sector_count = 32, .lane_count = 32};
			uint8_t missing[FULL_LINES];
			for (unsigned l = 0; l < 16; l++) {
				request.line[l] = ((uint64_t)i * 16 + l) * apart;
				missing[l] = request.sectors[l] = 3;
			}
			last = full_path_fetch(path, 0, &request, missing, 0, false);
			granules += 16;
		}
		double each = machine_table_at(table, apart * 128.0) * apart * 128 / (table->value[0] * 64);
		assert_near(last, granules * 64 * each * machine.sms / machine.dram_rate[0][2], 0.02);
	}
	arena_release(arena);
}

/* Lanes that read the same 8 or 16 bytes of shared memory are served together as measured. */
static void test_shared_broadcast(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *file = load(arena, "h200");
	struct full_machine machine = numbers(arena, "h200");
	static const char *const names[] = {"broadcast_cycles.shared_8_bytes", "broadcast_cycles.shared_16_bytes"};
	(void)state;
	for (unsigned wide = 0; wide < 2; wide++) {
		const struct machine_table *table = machine_table_find(file, names[wide]);
		for (unsigned i = 0; i < table->count; i++) {
			uint64_t lanes[WARP_LANES];
			struct trace_event event = {.kind = TRACE_REQUEST,
			                            .space = SPACE_SHARED,
			                            .mask = UINT32_MAX,
			                            .bytes = 8u << wide,
			                            .address = TRACE_KNOWN,
			                            .lanes = lanes};
			struct full_request request;
			for (unsigned lane = 0; lane < WARP_LANES; lane++)
				lanes[lane] = lane % (unsigned)table->at[i] * event.bytes;
			full_request_make(&machine, &event, FULL_LOAD, 0, 0, 0, &request);
			assert_near(request.passes, table->value[i], 0.03);
		}
	}
	arena_release(arena);
}

/* Bytes that come from DRAM for so many granules asked of a random set of 4096 by one SM of one, two a line. */
static double random_fetched(struct arena *arena, const struct full_machine *machine, bool even, unsigned granules)
{
	struct full_traffic traffic = {0};
	struct full_path *path = path_make(arena, machine, &traffic, 1);
	traffic.shares[0][0].set = 4096.0 * machine->sms;
	traffic.shares[0][0].even = even;
	for (unsigned i = 0; i < granules / 32; i++) {
		struct full_request request = {.line_count = 16, .sector_count = 64, .lane_count = 32};
		uint8_t missing[FULL_LINES];
		for (unsigned l = 0; l < 16; l++) {
			request.line[l] = (uint64_t)i * 16 + l;
			missing[l] = request.sectors[l] = 15;
		}
		full_path_fetch(path, 0, &request, missing, 0, false);
	}
	return full_path_counted(path)->dram_bytes / machine->granule;
}

/* Of a random set ever fewer granules are new, U (1 - exp(-n / U)) of n; where they come evenly all, until each has
 * come. */
static void test_random_sets(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned granules = 1024; granules <= 16384; granules *= 2) {
		assert_near(random_fetched(arena, &machine, false, granules), 4096 * -expm1(-(double)granules / 4096),
		            0.02);
		assert_near(random_fetched(arena, &machine, true, granules), fmin(granules, 4096), 0.01);
	}
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_half_lines),     cmocka_unit_test(test_shared_broadcast),
		cmocka_unit_test(test_numbers),        cmocka_unit_test(test_stores_merge),
		cmocka_unit_test(test_stores_cost),    cmocka_unit_test(test_requests_passes),
		cmocka_unit_test(test_requests_touch), cmocka_unit_test(test_path_streams),
		cmocka_unit_test(test_path_latency),   cmocka_unit_test(test_path_waits),
		cmocka_unit_test(test_tag_banks),      cmocka_unit_test(test_missing_passes),
		cmocka_unit_test(test_random_sets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

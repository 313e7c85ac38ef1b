/*
 * What the model takes of a machine file, key by key.
 *
 * A table of a calibration run is read where the file, or its relative's of the same compute
 * capability, has it. Else rates follow from the numbers that every file has. What does not follow
 * from them stands in TAKEN. No number of a GPU stands here.
 */
#include "model/cost/full/full.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WHOLE 0.03     /* so much off, at most */
#define STORE_FLITS 40 /* of a store to 32 sectors of 8 lines: one for each, and one for each line */
#define STREAMS 4      /* from so many arrays on DRAM is busy */

/* Plain numbers of the evidence: X(field, key). machine.def says which GPU has one of its own, and how others scale it.
 */
#define TAKEN(X)                                                                                                       \
	X(uniform_latency, "latency.uniform_cycles")                                                                   \
	X(constant_word, "constant.word_cycles")                                                                       \
	X(constant_room, "constant.cache_bytes")                                                                       \
	X(uniform_room, "constant.uniform_cache_bytes")                                                                \
	X(register_banks, "register.banks")                                                                            \
	X(register_reads, "register.reads_per_bank_cycle")                                                             \
	X(register_slack, "register.slack_cycles")                                                                     \
	X(fresh, "register.fresh_cycles")                                                                              \
	X(address_after, "register.address_after_cycles")                                                              \
	X(data_after, "register.data_after_cycles")                                                                    \
	X(global_issue, "issue.global_cycles")                                                                         \
	X(wide_issue, "issue.wide_cycles")                                                                             \
	X(special_issue, "issue.special_cycles")                                                                       \
	X(taken_branch, "issue.taken_branch_cycles")                                                                   \
	X(branch_fetch, "issue.taken_branch_fetch_cycles")                                                             \
	X(reconvergence, "issue.reconvergence_cycles")                                                                 \
	X(load_accept, "lsu.miss_cycles")                                                                              \
	X(miss_lines, "lsu.miss_lines")                                                                                \
	X(address_cycles, "lsu.issue_cycles_per_scheduler")                                                            \
	X(special_turn, "lsu.special_cycles")                                                                          \
	X(queue, "lsu.queue_entries")                                                                                  \
	X(store_cycles, "lsu.store_cycles")                                                                            \
	X(loads_in_flight, "lsu.loads_in_flight")                                                                      \
	X(lockstep_cycles, "lsu.lockstep_cycles")                                                                      \
	X(l1_ways, "l1.ways")                                                                                          \
	X(warp_pass, "l1.warp_pass_cycles")                                                                            \
	X(shared_none, "l1.shared_none_bytes")                                                                         \
	X(shared_none_most, "l1.shared_none_most_bytes")                                                               \
	X(shared_unneeded, "l1.shared_unneeded_bytes")                                                                 \
	X(dram_line, "dram.line_cycles")                                                                               \
	X(dram_crowd, "dram.crowd_cycles")                                                                             \
	X(dram_together, "dram.together_cycles")                                                                       \
	X(dram_spread, "dram.latency_spread_cycles")                                                                   \
	X(store_lines, "store.lines")                                                                                  \
	X(store_queue, "store.queue_flits")                                                                            \
	X(store_wait, "store.wait_cycles")                                                                             \
	X(store_backlog, "store.backlog_cycles")                                                                       \
	X(store_dram_backlog, "store.dram_backlog_cycles")                                                             \
	X(read_cycles, "store.read_cycles")                                                                            \
	X(idle, "bandwidth.dram_loops_idle_share")                                                                     \
	X(first_block, "launch.first_block_cycles")                                                                    \
	X(block_warp, "launch.first_block_warp_cycles")                                                                \
	X(first_warp, "launch.first_warp_cycles")                                                                      \
	X(first_warps, "launch.first_warps")                                                                           \
	X(late_warp, "launch.late_warp_cycles")                                                                        \
	X(cold_start, "launch.cold_cycles")                                                                            \
	X(cold_scheduler, "launch.cold_scheduler_cycles")                                                              \
	X(start_cycles, "launch.start_cycles")                                                                         \
	X(dirty_bytes, "l2.dirty_bytes")                                                                               \
	X(dirty_kept, "l2.dirty_kept_bytes")                                                                           \
	X(incomplete_bytes, "l2.incomplete_bytes")                                                                     \
	X(meeting_sms, "coalescer.sms")                                                                                \
	X(meeting_most, "coalescer.requests")                                                                          \
	X(meeting_kept, "coalescer.kept_share")                                                                        \
	X(launch_sectors, "l2.launch_sectors")                                                                         \
	X(exchange_cycles, "lsu.exchange_cycles")                                                                      \
	X(exposed_dram, "atomics.exposed_dram_share")                                                                  \
	X(store_part_dram, "store.part_dram_share")                                                                    \
	X(store_part, "store.part_line_seconds")                                                                       \
	X(store_again, "store.again_sector_flits")                                                                     \
	X(again_whole, "store.again_whole_seconds")                                                                    \
	X(exposed_l2, "atomics.exposed_l2_share")

static double number(const struct machine *machine, const char *name, double otherwise)
{
	const struct machine_table *table = machine_table_find(machine, name);
	return table ? table->value[0] : otherwise;
}

/* A number that every machine has, of its own or of its relative: model/machine/relative.c makes sure. */
static double taken(const struct machine *machine, const char *name)
{
	const struct machine_table *table = machine_table_find(machine, name);
	if (!table)
		bug("%s is read, but machine.def has no row for it that every GPU needs", name);
	return table->value[0];
}

static double number_at(const struct machine *machine, const char *name, double at, double otherwise)
{
	const struct machine_table *table = machine_table_find(machine, name);
	return table ? machine_table_at(table, at) : otherwise;
}

static double number_most(const struct machine *machine, const char *name, double otherwise)
{
	const struct machine_table *table = machine_table_find(machine, name);
	double most = 0;
	for (unsigned i = 0; table && i < table->count; i++)
		most = fmax(most, table->value[i]);
	return table ? most : otherwise;
}

/* Pipes take whole cycles: what was measured is a little more by the loop around it. */
static double whole(double cycles)
{
	double rounded = round(cycles);
	return fabs(cycles - rounded) < WHOLE * rounded ? rounded : cycles;
}

/* Cycles that one instruction takes a scheduler's pipe: measured for the SM, without what the loop around it took. */
static double busy(const struct machine *machine, const char *name, double lanes)
{
	char issue[96], count[96];
	double schedulers = machine->sm_schedulers.value;
	snprintf(issue, sizeof issue, "issue_cycles.%s", name);
	snprintf(count, sizeof count, "sass_instructions.%s", name);
	const struct machine_table *table = machine_table_find(machine, issue);
	if (!table)
		return lanes > 0 ? fmax(1, machine->sm_warp_lanes.value * schedulers / lanes) : 1;
	return whole(table->value[0] * schedulers / number(machine, count, 1));
}

static void pipes_read(const struct machine *machine, struct full_machine *out)
{
	out->pipe[FULL_FMA] = busy(machine, "float_add", machine->lanes_fp32.value);
	out->pipe[FULL_FMA_HEAVY] = busy(machine, "integer_multiply", machine->lanes_int_multiply.value);
	out->pipe[FULL_ALU] = busy(machine, "integer_add", machine->lanes_int_add.value);
	out->pipe[FULL_FP64] = busy(machine, "double_fma", machine->lanes_fp64.value);
	out->pipe[FULL_XU] = busy(machine, "sfu", machine->lanes_sfu.value);
	out->pipe[FULL_UNIFORM] = out->pipe[FULL_ALU];
	out->pipe[FULL_LSU] = out->pipe[FULL_GLOBAL] = 1;
	out->pipe[FULL_TENSOR] = out->pipe[FULL_XU];
	out->pipe[FULL_CONTROL] = 1;
	out->wide_multiply = busy(machine, "integer_multiply_wide", machine->lanes_int_multiply.value / 2);
	out->slow_convert = busy(machine, "double_to_float", machine->lanes_sfu.value);
	out->special_latency = machine->latency_sfu_cycles.value;
	out->convert_latency = number(machine, "latency.float_to_integer_cycles", out->special_latency);
	out->double_convert_latency = number(machine, "latency.double_to_float_cycles", out->special_latency);
	out->shuffle_latency = machine->latency_shuffle_cycles.value;
	out->register_latency = taken(machine, "read.sm_number_round_cycles_1_warps") -
	                        taken(machine, "read.nothing_round_cycles_1_warps");
	out->constant_latency = number_at(machine, "constant.load_cycles", 512, 0);
	out->shared_latency = machine->shared_latency_cycles.value;
}

/* barrier.cycles is linear in the block's warps. */
static void barrier_read(const struct machine *machine, struct full_machine *out)
{
	double first = number_at(machine, "barrier.cycles", 1, machine->latency_barrier_cycles.value);
	double all = number_at(machine, "barrier.cycles", WARP_LANES, first);
	out->barrier_per_warp = (all - first) / (WARP_LANES - 1);
	out->barrier_base = first - out->barrier_per_warp;
}

/* A bit of a bank's number is the parity of the line's number folded, of the bits that a mask of l1.tag_bank_masks has.
 */
static void tag_banks_read(const struct machine *machine, struct full_machine *out)
{
	const struct machine_table *masks = machine_table_find(machine, "l1.tag_bank_masks");
	if (!masks || masks->count != FULL_TAG_BITS)
		return;
	for (unsigned b = 0; b < FULL_TAG_BITS; b++) {
		uint64_t mask = (uint64_t)masks->value[b];
		while (mask >> out->tag_bits)
			out->tag_bits++;
		for (unsigned byte = 0; byte < FULL_TAG_BYTES; byte++)
			for (uint64_t value = 0; value <= UINT8_MAX; value++)
				out->tag_bank[byte][value] |=
					(uint8_t)(__builtin_parityll(mask & value << byte * CHAR_BIT) << b);
	}
	if (out->tag_bits > FULL_TAG_BYTES * CHAR_BIT)
		out->tag_bits = 0;
}

/* A set's number is the exclusive or of the codes of the bits of the line's number: of those below the first of
 * l1.set_codes the bit itself. Codes that skip a bit or name no set are as none. */
static void set_codes_read(const struct machine *machine, struct full_machine *out)
{
	const struct machine_table *codes = machine_table_find(machine, "l1.set_codes");
	if (!codes || !codes->count || codes->at[0] < 1 || codes->at[0] > FULL_SET_BITS ||
	    codes->at[0] + codes->count > FULL_SET_BYTES * CHAR_BIT)
		return;
	for (size_t i = 0; i < codes->count; i++)
		if (codes->at[i] != codes->at[0] + (double)i || !(codes->value[i] < ldexp(1, (int)codes->at[0])))
			return;
	out->set_bits = (unsigned)codes->at[0];
	out->set_known = out->set_bits + codes->count;
	for (unsigned bit = 0; bit < FULL_SET_BYTES * CHAR_BIT; bit++) {
		unsigned code = bit < out->set_bits    ? 1u << bit
		                : bit < out->set_known ? (unsigned)codes->value[bit - out->set_bits]
		                                       : 0;
		for (unsigned value = 0; value <= UINT8_MAX; value++)
			if (value >> bit % CHAR_BIT & 1)
				out->set_code[bit / CHAR_BIT][value] ^= (uint16_t)code;
	}
}

static void lsu_read(const struct machine *machine, struct full_machine *out)
{
	double tags = machine->l1_tags_per_cycle.value;
	for (unsigned lines = 0; lines <= WARP_LANES; lines++)
		out->tag_cycles[lines] =
			number_at(machine, "tag_cycles.grouped", lines, fmax(1, tags > 0 ? lines / tags : 1));
	tag_banks_read(machine, out);
	set_codes_read(machine, out);
	double narrow = number(machine, "latency.l1_load_4_bytes_and_add_cycles", 0);
	out->wide_latency[1] = number(machine, "latency.l1_load_8_bytes_and_add_cycles", narrow) - narrow;
	out->wide_latency[2] = number(machine, "latency.l1_load_16_bytes_and_add_cycles", narrow) - narrow;
	out->l1_latency = machine->l1_hit_latency_cycles.value;
	out->l1_size = machine->l1_size_bytes.value;
	out->l1_lines = machine_table_find(machine, "l1.lines");
	out->l1_bytes = number(machine, "l1.data_bytes", machine->l1_size_bytes.value);
}

/* Per SM with all SMs at work. The tables give cycles by stride: at 8 floats a lane has a sector to itself, at 32 a
 * line. */
/* What places of the L2 take beyond the mean of them, by the share of lines and SMs that are so far apart. */
static void further_read(const struct machine *machine, double further[FULL_PLACES])
{
	const struct machine_table *shares = machine_table_find(machine, "l2.latency_distribution");
	double all = 0, mean = 0, before = 0;
	unsigned at = 0;
	for (size_t i = 0; shares && i < shares->count; i++) {
		all += shares->value[i];
		mean += shares->value[i] * shares->at[i];
	}
	for (unsigned p = 0; all > 0 && p < FULL_PLACES; p++) {
		while (at + 1 < shares->count && before + shares->value[at] < (p + 0.5) / FULL_PLACES * all)
			before += shares->value[at++];
		further[p] = shares->at[at] - mean / all;
	}
}

static void l2_read(const struct machine *machine, struct full_machine *out)
{
	double sector = SECTOR_BYTES * out->sms * out->clock_hz / machine->l2_bandwidth_bytes_per_second.value,
	       lanes = WARP_LANES;
	out->l2_sector = number_at(machine, "stride_cycles.l2_load_4_bytes", 8, sector * lanes) / lanes;
	out->l2_line = number_at(machine, "stride_cycles.l2_load_4_bytes", 32, sector * lanes) / lanes;
	out->port_sector = number_at(machine, "stride_cycles.l2_load_one_sm_4_bytes", 8, lanes / 4) / lanes;
	out->port_line = number_at(machine, "stride_cycles.l2_load_one_sm_4_bytes", 32, lanes) / lanes;
	out->store_flit = number_at(machine, "stride_cycles.l2_store_one_sm_4_bytes", 8, STORE_FLITS) / STORE_FLITS;
	out->l2_store_flit =
		number_at(machine, "stride_cycles.l2_store_4_bytes", 8, sector * STORE_FLITS) / STORE_FLITS;
	out->l2_latency = number(machine, "l2.mean_hit_latency_cycles",
	                         (machine->l2_hit_latency_cycles.value + machine->l2_far_hit_latency_cycles.value) / 2);
	further_read(machine, out->l2_further);
	out->l2_bytes = machine->l2_size_bytes.value;
	out->l2_slices = round(taken(machine, "l2.slices"));
	out->l2_reach = out->l2_bytes / fmax(1, machine->l2_partitions.value);
}

/*
 * Loads alone wait for latency where few threads are resident, which the simulation finds by itself: the most over all
 * occupancies. Mixes lose where many streams are open: what was measured at this occupancy and with so many arrays. A
 * loop, one element per thread and a record per thread are three ways to stream; the best one is DRAM's. Less than
 * STREAMS arrays of 4 bytes do not keep it busy, which is latency again. In loops of blocks that stay until the end
 * warps drift apart, so that each comes to lines beside another's at a time of its own, and what the slowest SMs have
 * left keeps DRAM less busy: what was measured of such loops, their end included; of reads the most of all widths, as
 * the simulation waits for those of narrow words.
 */
static double dram_rate(const struct machine *machine, const char *mix, unsigned width,
                        const struct full_streams *streams, double otherwise)
{
	static const char *const widths[FULL_WIDTHS] = {"4", "8", "16"};
	char name[96];
	snprintf(name, sizeof name, "bandwidth.dram_%s_%s_bytes", mix, widths[width]);
	double loop = strcmp(mix, "read") == 0 ? number_most(machine, name, otherwise)
	                                       : number_at(machine, name, fmax(streams->threads, 1024), otherwise);
	snprintf(name, sizeof name, "bandwidth.dram_%s_%s_bytes_one_per_thread", mix, widths[width]);
	double one = number(machine, name, 0);
	snprintf(name, sizeof name, "bandwidth.dram_%s_%s_bytes_members", mix, widths[width]);
	return fmax(fmax(loop, one), number_at(machine, name, fmax(streams->arrays, STREAMS), 0)) /
	       machine->sm_clock_hz.value;
}

double full_dram_rate(const struct full_machine *machine, unsigned width, double share)
{
	static const double shares[FULL_MIXES] = {0, 1 / 3.0, 0.5, 1};
	unsigned m = 1;
	while (m + 1 < FULL_MIXES && share > shares[m])
		m++;
	double part = (share - shares[m - 1]) / (shares[m] - shares[m - 1]), from = machine->dram_rate[m - 1][width];
	double turning =
		machine->turning && share > shares[FULL_MIXES - 2] ? machine_table_at(machine->turning, share) : 1;
	return (from + part * (machine->dram_rate[m][width] - from)) * turning;
}

static void dram_read(const struct machine *machine, const struct full_streams *streams, struct full_machine *out)
{
	static const char *const mixes[FULL_MIXES] = {"read", "two_reads_one_write", "copy", "write"};
	double read = machine->dram_read_bandwidth_bytes_per_second.value;
	if (!(read > 0))
		read = machine->dram_bandwidth_bytes_per_second.value;
	for (unsigned m = 0; m < FULL_MIXES; m++)
		for (unsigned w = 0; w < FULL_WIDTHS; w++) {
			out->dram_rate[m][w] = dram_rate(machine, mixes[m], w, streams, read);
			out->dram_most = fmax(out->dram_most, out->dram_rate[m][w]);
		}
	for (unsigned m = 0; m < FULL_MIXES - 1; m++)
		for (unsigned w = 0; w + 1 < FULL_WIDTHS; w++)
			out->dram_rate[m][w] = fmax(out->dram_rate[m][w], out->dram_rate[m][FULL_WIDTHS - 1]);
	out->dram_latency = machine->dram_latency_cycles.value;
	out->granule = fmax(SECTOR_BYTES, machine->dram_access_granularity_bytes.value);
	out->random = machine_table_find(machine, "curve.random_sectors_per_second");
	out->turning = machine_table_find(machine, "bandwidth.dram_turning_share");
	out->driven = machine_table_find(machine, "l2.driven_bytes");
	out->first_share = number(machine, "launch.first_blocks_share", 1);
	out->branch_far = machine_table_find(machine, "issue.taken_branch_far_cycles");
	out->driven_wait = machine_table_find(machine, "loaded.driven_wait_cycles");
	out->driven_by_parts = machine_table_find(machine, "l2.driven_by_parts_bytes");
	out->random_adds = machine_table_find(machine, "curve.random_adds_per_second");
	out->meeting_l2 = machine_table_find(machine, "coalescer.l2_joined_share");
	out->meeting_dram = machine_table_find(machine, "coalescer.dram_joined_share");
	out->loaded_rate = machine_table_find(machine, "loaded.dram_bytes_per_second");
	out->loaded_latency = machine_table_find(machine, "loaded.dram_latency_cycles");
	static const char *const kinds[FULL_OTHERS] = {"read", "copy", "write"};
	for (unsigned k = 0; k < FULL_OTHERS; k++) {
		char name[64];
		snprintf(name, sizeof name, "loaded.%s_wait_cycles", kinds[k]);
		out->busy_wait[k] = machine_table_find(machine, name);
		snprintf(name, sizeof name, "loaded.%s_spread_cycles", kinds[k]);
		out->busy_spread[k] = machine_table_find(machine, name);
		snprintf(name, sizeof name, "loaded.%s_apart_share", kinds[k]);
		out->busy_apart[k] = machine_table_find(machine, name);
	}
	out->alone = machine_table_find(machine, "half_lines.alone_seconds");
	out->both = machine_table_find(machine, "half_lines.both_seconds");
	for (unsigned r = 0; r < FULL_RUNS; r++) {
		char name[64];
		snprintf(name, sizeof name, "runs.dram_read_%u_lines_seconds", 1u << r);
		out->runs_read[r] = machine_table_find(machine, name);
		snprintf(name, sizeof name, "runs.dram_write_%u_lines_seconds", 1u << r);
		out->runs_write[r] = machine_table_find(machine, name);
	}
}

/* Cycles of one SM for a warp's request, where all SMs send such requests to many lines. */
static double atomic_cycles(const struct machine *machine, const char *name, double lanes,
                            const struct full_machine *out)
{
	double rate = number_at(machine, name, lanes, 0);
	return rate > 0 ? out->sms * out->clock_hz / rate : 0;
}

static void atomics_read(const struct machine *machine, struct full_machine *out)
{
	const double sectors_of_line = (double)LINE_BYTES / SECTOR_BYTES;
	out->atomic_same = taken(machine, "atomics.red_u32_same_address") / out->clock_hz;
	out->atomic_float_same = taken(machine, "atomics.red_f32_same_address") / out->clock_hz;
	out->atomic_line = taken(machine, "atomics.red_u32_line_per_lane") / out->clock_hz;
	out->atomic_rate = machine_table_find(machine, "slices.u32_lines_per_second");
	out->slice_places = machine_table_find(machine, "slices.places");
	out->atomic_most = number_most(machine, "slices.u32_lines_per_second", 0) / out->clock_hz;
	out->atomic_whole = number_at(machine, "pattern.u32_neighbours_1_lines", 1, 1) /
	                    number_at(machine, "pattern.u32_neighbours_1_lines", SECTOR_BYTES / 4.0, 1);
	out->atomic_request = atomic_cycles(machine, "pattern.u32_lines_4096_lines", 1, out);
	out->atomic_line_more = (fmin(atomic_cycles(machine, "pattern.u32_lines_4096_lines", WARP_LANES, out),
	                              WARP_LANES * out->sms / out->atomic_line) -
	                         out->atomic_request) /
	                        (WARP_LANES - 1);
	out->atomic_sector_more =
		(atomic_cycles(machine, "pattern.u32_sectors_4096_lines", sectors_of_line, out) - out->atomic_request) /
		(sectors_of_line - 1);
	out->exchange_trip = taken(machine, "bins.shared_f32_1_warps") / WARP_LANES;
	out->exchange_window = taken(machine, "bins.shared_f32_32_warps") / WARP_LANES;
	out->atomic_returning =
		taken(machine, "atomics.atom_u32_line_per_lane") / taken(machine, "atomics.red_u32_line_per_lane");
	out->atomic_latency = number(machine, "latency.atomic_global_cycles", out->l2_latency);
	out->shared_atomic_latency = number(machine, "latency.atomic_shared_cycles", out->shared_latency);
}

void full_machine_read(const struct machine *machine, const struct full_streams *streams, struct full_machine *out)
{
	memset(out, 0, sizeof *out);
	out->clock_hz = machine->sm_clock_hz.value;
	out->sms = (unsigned)machine->sm_count.value;
	out->schedulers = (unsigned)fmin(machine->sm_schedulers.value, FULL_SCHEDULERS);
	out->warps = (unsigned)machine->sm_max_warps.value;
#define X(field, key) out->field = taken(machine, key);
	TAKEN(X)
#undef X
	pipes_read(machine, out);
	barrier_read(machine, out);
	lsu_read(machine, out);
	l2_read(machine, out);
	dram_read(machine, streams, out);
	atomics_read(machine, out);
	out->dirty_found = 1;
	out->event_seconds = machine->launch_event_overhead_seconds.value;
	out->record_seconds = taken(machine, "launch.empty_record_seconds") - out->start_cycles / out->clock_hz;
	out->block_cycles = taken(machine, "launch.block_of_256_seconds") * out->clock_hz;
	out->block_turn = taken(machine, "launch.block_of_1024_seconds") * out->clock_hz * out->sms * out->warps *
	                  WARP_LANES / 1024;
}

/*
 * What the model takes of a machine file.
 *
 * Where a file holds a calibration run's evidence, its tables are read; where it does not, rates are derived from the keys that
 * every file has, and what no key gives stands in ASSUMED with its reason. Nothing here is fitted to a program.
 */
#include "model/cost/full/full.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WHOLE 0.03            /* so much off, at most */
#define L2_SLICE_BYTES 655360 /* 60 MiB in 96 (slices.cu); as additions to neighbouring lines say, 50 MiB in 80 */
#define L2_SLICES 96          /* where nobody has measured any additions */
#define STREAMS 4             /* from so many arrays on DRAM is busy */
#define LOOP_STREAMS 3        /* in loops */

/*
 * Numbers that nobody has measured yet: X(field, key, value, reason). A machine file may hold the key in its evidence; else the value stands for it.
 */
#define ASSUMED(X)                                                                                                                 \
	X(uniform_latency, "latency.uniform_cycles", 12, "ULDC")                                                                   \
	X(constant_word, "constant.word_cycles", 2, "constants: LDC by 8 to 32 warps, one word or several")                        \
	X(constant_room, "constant.cache_bytes", 2048, "constants: LDC by 32 warps of tables of 256 bytes to 64 KB")               \
	X(uniform_room, "constant.uniform_cache_bytes", 256, "constants: filter by ULDC, tables of 64 bytes to 4 KB")              \
	X(register_banks, "register.banks", 2, "patched machine code: register number modulo 2")                                   \
	X(register_reads, "register.reads_per_bank_cycle", 1, "patched machine code")                                              \
	X(register_slack, "register.slack_cycles", 1,                                                                              \
	  "patched machine code: two registers of one bank and of the other in turn take 1 cycle")                                 \
	X(fresh, "register.fresh_cycles", 6,                                                                                       \
	  "fresh: what was computed 4, 5, 6 cycles ago, not 7, waits for a shared access's read")                                  \
	X(address_after, "register.address_after_cycles", 1, "fresh: an access to shared memory a place before it")                \
	X(data_after, "register.data_after_cycles", 2, "fresh: a store to shared memory two places before it")                     \
	X(global_issue, "issue.global_cycles", 2, "a load from global memory among multiplications takes two issue cycles")        \
	X(wide_issue, "issue.wide_cycles", 3, "patched machine code: an IMAD.WIDE among NOPs takes three issue cycles")            \
	X(special_issue, "issue.special_cycles", 2, "patched machine code: a MUFU among FADDs takes two issue cycles")             \
	X(taken_branch, "issue.taken_branch_cycles", 10, "units: loops of one warp, 4 cycles a trip beyond their stall counts")    \
	X(branch_fetch, "issue.taken_branch_fetch_cycles", 2, "skips: loops of 8 to 24 roots, 8 warps: 11.4 cycles; 10 issue")     \
	X(reconvergence, "issue.reconvergence_cycles", 13, "units: roots, divisions of one warp, beyond their taken branch")       \
	X(load_accept, "lsu.miss_cycles", 1.6, "misses of one line each are accepted one in 1.6 cycles")                           \
	X(miss_lines, "lsu.miss_lines", 16, "words: records of 18 to 28 words in order, eight that come from the L2")              \
	X(address_cycles, "lsu.issue_cycles_per_scheduler", 4, "queue.*: four warps of one scheduler, LDG, LDS, STG, STS alike")   \
	X(special_turn, "lsu.special_cycles", 4,                                                                                   \
	  "mixed: 4 loads that hit and 0, 1, 2, 3 special functions take a scheduler 16, 21, 24, 27 cycles; from shared memory "   \
	  "16")                                                                                                                    \
	X(queue, "lsu.queue_entries", 64, "queue.hit_lanes_32_bytes_apart_*: 64 wait in the SM before issue slows")                \
	X(store_cycles, "lsu.store_cycles", 2, "queue.store_lanes_4_bytes_apart_32_warps: a store in two cycles")                  \
	X(loads_in_flight, "lsu.loads_in_flight", 512,                                                                             \
	  "cold loads of 16 and 32 warps: 512 issue at once, from 576 on they wait; so do hits on pending lines")                  \
	X(lockstep_cycles, "lsu.lockstep_cycles", 1.5e6,                                                                           \
	  "L1 hit rates and DRAM bytes of the experiment on drift: 259 to 288 and 831 GB, of records of 20 and 32 bytes")          \
	X(l1_ways, "l1.ways", 4, "replaced: of five lines of a set none stays")                                                    \
	X(warp_pass, "l1.warp_pass_cycles", 2, "conflicts: loads of one warp, of shared memory too, as more lanes ask for a bank") \
	X(shared_none, "l1.shared_none_bytes", 1024, "replaced: what blocks without shared memory are given as if they had")       \
	X(shared_none_most, "l1.shared_none_most_bytes", 32768, "replaced: what all of these get at most")                         \
	X(shared_unneeded, "l1.shared_unneeded_bytes", 135168, "replaced: shared memory that a launch gets beyond its need")       \
	X(l2_copy, "l2.copy_cycles", 0, "copies_of_lines: half of the lines that SMs of the other half have fetched")              \
	X(dram_line, "dram.line_cycles", 18, "parts_of_lines: a load of a whole line takes longer than one of a sector of it")     \
	X(dram_crowd, "dram.crowd_cycles", 15, "parts_of_lines: loads of all SMs take longer than those of one, one at a time")    \
	X(dram_together, "dram.together_cycles", 87, "together: the SM that is nearest to a line asks for it first")               \
	X(dram_spread, "dram.latency_spread_cycles", 130, "slowest: loads that need several lines wait for the last of them")      \
	X(store_lines, "store.lines", 28, "merging: two stores to 28 lines each become one, to 30 or 32 they do not")              \
	X(store_queue, "store.queue_flits", 10, "merging: of lines of two flits ten leave one a cycle, further ones one in two")   \
	X(store_wait, "store.wait_cycles", 12,                                                                                     \
	  "merging: a line is gone 9 to 14 cycles after it came where nothing else is stored")                                     \
	X(store_part_dram, "store.part_dram_share", 0.45, "several: of that DRAM has no time for anything else")                   \
	X(store_part, "store.part_line_seconds", 3.4e-11,                                                                          \
	  "several: stores of words of records, for each line that the L2 is sent of which it has to read something")              \
	X(store_again, "store.again_sector_flits", 0.15, "writing 4, 5, 8 and 16 words of as many, one after the other")           \
	X(again_whole, "store.again_whole_seconds", 3e-12,                                                                         \
	  "parts: a further store to sectors that are read or become whole, beside DRAM's work")                                   \
	X(store_backlog, "store.backlog_cycles", 800, "stores wait in queues as long as loads do")                                 \
	X(store_dram_backlog, "store.dram_backlog_cycles", 2400,                                                                   \
	  "order: requests of stores after loads of the same records, by which of 800 to 5000 gives them best")                    \
	X(read_cycles, "store.read_cycles", 14, "until a store has read its registers")                                            \
	X(idle, "bandwidth.dram_loops_idle_share", 0.1, "loops: what SMs do until each ends, added up, up to 1.1 of the launch")   \
	X(first_block, "launch.first_block_cycles", 23.3, "starts: blocks of 1 to 8 warps 24.3 to 31.5 cycles apart on an SM")     \
	X(block_warp, "launch.first_block_warp_cycles", 1, "starts: and so many more for each of their warps")                     \
	X(first_warp, "launch.first_warp_cycles", 3.06, "starts: blocks of 32 warps 98 cycles apart, of 16 46")                    \
	X(first_warps, "launch.first_warps", 40, "starts: from so many warps of an SM on they take longer")                        \
	X(late_warp, "launch.late_warp_cycles", 17, "starts: blocks of 2, 4, 8 warps 33, 90, 190 cycles apart then")               \
	X(cold_start, "launch.cold_cycles", 150,                                                                                   \
	  "starts: an SM's first block, of one or two warps, takes 129 to 158 cycles longer to its second clock than later ones")  \
	X(cold_scheduler, "launch.cold_scheduler_cycles", 17,                                                                      \
	  "choice: first instructions of an SM's first block 12, 36, 60 cycles later by scheduler, in the median of 25 launches")  \
	X(start_cycles, "launch.start_cycles", 300,                                                                                \
	  "cold: launches of one word per thread, what they take beyond an empty kernel")                                          \
	X(dirty_bytes, "l2.dirty_bytes", 28.4e6, "ncu: what the L2 holds back of a kernel that wrote 240 MB")                      \
	X(dirty_kept, "l2.dirty_kept_bytes", 44e6, "ncu: streams leave dirty what they wrote among the last 42 to 48 MB")          \
	X(incomplete_bytes, "l2.incomplete_bytes", 7.5e6,                                                                          \
	  "begun: of lines that have sectors written in part all but the last 7 to 8 MB are completed from DRAM within the "       \
	  "launch")                                                                                                                \
	X(meeting_sms, "coalescer.sms", 16.5, "meeting: SMs of which any two can send one request")                                \
	X(meeting_most, "coalescer.requests", 4, "meeting: 4 SMs send one request, 6 and 8 two, 12 three")                         \
	X(meeting_kept, "coalescer.kept_share", 0.55, "meeting: of lines in the L2 that are read in 2 parts 0.7 join, in 4 0.4")   \
	X(launch_sectors, "l2.launch_sectors", 1500, "ncu: read for a launch that loads nothing")                                  \
	X(exchange_cycles, "lsu.exchange_cycles", 2,                                                                               \
	  "32 warps that add floats to 32 words of one bank: 592 cycles each, 528 of them for the loads")                          \
	X(exposed_dram, "atomics.exposed_dram_share", 0.45,                                                                        \
	  "beside, sums: beside streams additions take longer than either alone: by 0.3 to 0.8 of the lesser")                     \
	X(exposed_l2, "atomics.exposed_l2_share", 0.9,                                                                             \
	  "beside: the same beside stores of records by words, which the L2 takes 5 to 9 times as long for: 0.55 to 0.91")         \
	X(lone_fill, "l2.lone_fill_passes", 1.4,                                                                                   \
	  "regions: records by permuted lanes take as long as the L2 does for their sectors and 1.4 for each granule")             \
	X(sparse_set, "strided.set_bytes", 1073741824, "the set of strided.dram_*_seconds")

static double number(const struct machine *machine, const char *name, double otherwise)
{
	const struct machine_table *table = machine_table_find(machine, name);
	return table ? table->value[0] : otherwise;
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
	out->special_latency = number(machine, "latency.sfu_cycles", 18);
	out->convert_latency = number(machine, "latency.float_to_integer_cycles", out->special_latency);
	out->double_convert_latency = number(machine, "latency.double_to_float_cycles", out->special_latency);
	out->shuffle_latency = number(machine, "latency.shuffle_cycles", 24);
	out->register_latency = number(machine, "read.sm_number_round_cycles_1_warps", 25) -
	                        number(machine, "read.nothing_round_cycles_1_warps", 0);
	out->constant_latency = number_at(machine, "constant.load_cycles", 512, 40);
	out->shared_latency = number(machine, "shared.latency_cycles", 24);
}

/* barrier.cycles is linear in the block's warps. */
static void barrier_read(const struct machine *machine, struct full_machine *out)
{
	double first = number_at(machine, "barrier.cycles", 1, number(machine, "latency.barrier_cycles", 16));
	double all = number_at(machine, "barrier.cycles", WARP_LANES, first);
	out->barrier_per_warp = (all - first) / (WARP_LANES - 1);
	out->barrier_base = first - out->barrier_per_warp;
}

/* A bit of a bank's number is the parity of the line's number folded, of the bits that a mask of l1.tag_bank_masks has. */
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
				out->tag_bank[byte][value] |= (uint8_t)(__builtin_parityll(mask & value << byte * CHAR_BIT) << b);
	}
	if (out->tag_bits > FULL_TAG_BYTES * CHAR_BIT)
		out->tag_bits = 0;
}

/* A set's number is the exclusive or of the codes of the bits of the line's number: of those below the first of l1.set_codes the bit itself. Codes that skip a bit or name no set are as none. */
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
		out->tag_cycles[lines] = number_at(machine, "tag_cycles.grouped", lines, fmax(1, tags > 0 ? lines / tags : 1));
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

/* Per SM with all SMs at work. The tables give cycles by stride: at 8 floats a lane has a sector to itself, at 32 a line. */
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
	double sector = SECTOR_BYTES * out->sms * out->clock_hz / machine->l2_bandwidth_bytes_per_second.value, lanes = WARP_LANES;
	out->l2_sector = number_at(machine, "stride_cycles.l2_load_4_bytes", 8, sector * lanes) / lanes;
	out->l2_line = number_at(machine, "stride_cycles.l2_load_4_bytes", 32, sector * lanes) / lanes;
	out->port_sector = number_at(machine, "stride_cycles.l2_load_one_sm_4_bytes", 8, lanes / 4) / lanes;
	out->port_line = number_at(machine, "stride_cycles.l2_load_one_sm_4_bytes", 32, lanes) / lanes;
	out->store_flit = number_at(machine, "stride_cycles.l2_store_one_sm_4_bytes", 8, 40) / 40;
	out->l2_store_flit = number_at(machine, "stride_cycles.l2_store_4_bytes", 8, sector * 40) / 40;
	out->l2_latency = number(machine, "l2.mean_hit_latency_cycles",
	                         (machine->l2_hit_latency_cycles.value + machine->l2_far_hit_latency_cycles.value) / 2);
	further_read(machine, out->l2_further);
	out->l2_by_sm = machine_table_find(machine, "l2.latency_by_sm");
	out->l2_bytes = machine->l2_size_bytes.value;
	out->l2_slices = number(machine, "l2.slices",
	                        machine_table_find(machine, "slices.u32_lines_per_second") ? round(out->l2_bytes / L2_SLICE_BYTES)
	                                                                                   : L2_SLICES);
	out->l2_reach = out->l2_bytes / fmax(1, machine->l2_partitions.value);
}

/*
 * Loads alone wait for latency where few threads are resident, which the simulation finds by itself: the most over all occupancies. Mixes lose where many
 * streams are open: what was measured at this occupancy and with so many arrays. A loop, one element per thread and a record per thread are three ways to
 * stream; the best one is DRAM's. Less than STREAMS arrays of 4 bytes do not keep it busy, which is latency again. In loops of blocks that stay until the end warps drift apart, so that each comes to lines beside another's at a time of its own, and
 * what the slowest SMs have left keeps DRAM less busy: what was measured of such loops, their end included; of reads the most of all widths, as the simulation waits for those of narrow words.
 */
static double dram_rate(const struct machine *machine, const char *mix, unsigned width, const struct full_streams *streams,
                        double otherwise)
{
	static const char *const widths[FULL_WIDTHS] = {"4", "8", "16"};
	char name[96];
	snprintf(name, sizeof name, "bandwidth.dram_%s_%s_bytes_loops", mix, widths[width]);
	double loops = streams->loops ? number_at(machine, name, fmax(streams->arrays, LOOP_STREAMS), 0) : 0;
	if (loops > 0)
		return loops / machine->sm_clock_hz.value;
	snprintf(name, sizeof name, "bandwidth.dram_%s_%s_bytes", mix, widths[width]);
	double loop = strcmp(mix, "read") == 0 ? number_most(machine, name, otherwise)
	                                       : number_at(machine, name, fmax(streams->threads, 1024), otherwise);
	snprintf(name, sizeof name, "bandwidth.dram_%s_%s_bytes_one_per_thread", mix, widths[width]);
	double one = number(machine, name, 0);
	snprintf(name, sizeof name, "bandwidth.dram_%s_%s_bytes_members", mix, widths[width]);
	return fmax(fmax(loop, one), number_at(machine, name, fmax(streams->arrays, STREAMS), 0)) / machine->sm_clock_hz.value;
}

double full_dram_rate(const struct full_machine *machine, unsigned width, double share)
{
	static const double shares[FULL_MIXES] = {0, 1 / 3.0, 0.5, 1};
	unsigned m = 1;
	while (m + 1 < FULL_MIXES && share > shares[m])
		m++;
	double part = (share - shares[m - 1]) / (shares[m] - shares[m - 1]), from = machine->dram_rate[m - 1][width];
	double turning = machine->turning && share > shares[FULL_MIXES - 2] ? machine_table_at(machine->turning, share) : 1;
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
			const struct full_streams passing = {streams->threads, streams->arrays, false};
			out->dram_rate[m][w] = dram_rate(machine, mixes[m], w, streams, read);
			out->dram_most = fmax(out->dram_most, dram_rate(machine, mixes[m], w, &passing, read));
		}
	for (unsigned m = 0; m < (streams->loops ? 1 : FULL_MIXES - 1); m++)
		for (unsigned w = 0; w + 1 < FULL_WIDTHS; w++)
			out->dram_rate[m][w] = fmax(out->dram_rate[m][w], out->dram_rate[m][FULL_WIDTHS - 1]);
	out->dram_latency = machine->dram_latency_cycles.value;
	out->granule = fmax(SECTOR_BYTES, machine->dram_access_granularity_bytes.value);
	out->random = machine_table_find(machine, "curve.random_sectors_per_second");
	out->random_apart = machine_table_find(machine, "curve.random_apart_sectors_per_second");
	out->random_alone = machine_table_find(machine, "curve.random_alone_sectors_per_second");
	out->turning = machine_table_find(machine, "bandwidth.dram_turning_share");
	out->driven = machine_table_find(machine, "l2.driven_bytes");
	out->driven_by_parts = machine_table_find(machine, "l2.driven_by_parts_bytes");
	out->branch_far = machine_table_find(machine, "issue.taken_branch_far_cycles");
	out->driven_wait = machine_table_find(machine, "loaded.driven_wait_cycles");
	out->random_cold = machine_table_find(machine, "curve.random_cold_granules_per_second");
	out->random_adds = machine_table_find(machine, "curve.random_adds_per_second");
	out->random_span = machine_table_find(machine, "curve.random_span_sectors_per_second");
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
	out->sparse_read = machine_table_find(machine, "strided.dram_read_seconds");
	out->sparse_write = machine_table_find(machine, "strided.dram_write_seconds");
	out->regions_write[0] = machine_table_find(machine, "regions.dram_write_line_seconds");
	out->regions_write[1] = machine_table_find(machine, "regions.dram_write_half_seconds");
	out->regions_write[2] = machine_table_find(machine, "regions.dram_write_straddling_seconds");
	for (unsigned r = 0; r < FULL_RUNS; r++) {
		char name[64];
		snprintf(name, sizeof name, "runs.dram_read_%u_lines_seconds", 1u << r);
		out->runs_read[r] = machine_table_find(machine, name);
		snprintf(name, sizeof name, "runs.dram_write_%u_lines_seconds", 1u << r);
		out->runs_write[r] = machine_table_find(machine, name);
	}
}

/* Cycles of one SM for a warp's request, where all SMs send such requests to many lines. */
static double atomic_cycles(const struct machine *machine, const char *name, double lanes, const struct full_machine *out)
{
	double rate = number_at(machine, name, lanes, 0);
	return rate > 0 ? out->sms * out->clock_hz / rate : 0;
}

static void atomics_read(const struct machine *machine, struct full_machine *out)
{
	const double sectors_of_line = (double)LINE_BYTES / SECTOR_BYTES;
	double sectors = machine->l2_bandwidth_bytes_per_second.value / SECTOR_BYTES;
	out->atomic_same = number(machine, "atomics.red_u32_same_address", out->clock_hz) / out->clock_hz;
	out->atomic_float_same = number(machine, "atomics.red_f32_same_address", out->clock_hz) / out->clock_hz;
	out->atomic_line = number(machine, "atomics.red_u32_line_per_lane", sectors / 2) / out->clock_hz;
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
	out->exchange_trip = number(machine, "bins.shared_f32_1_warps", 3 * WARP_LANES * out->shared_latency) / WARP_LANES;
	out->exchange_window = number(machine, "bins.shared_f32_32_warps", out->exchange_trip * WARP_LANES / 2) / WARP_LANES;
	out->atomic_returning =
		number(machine, "atomics.atom_u32_line_per_lane", 1) / number(machine, "atomics.red_u32_line_per_lane", 1);
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
	out->calibrated = machine_table_find(machine, "stride_cycles.l2_load_4_bytes") != NULL;
#define X(field, key, value, reason) out->field = number(machine, key, value);
	ASSUMED(X)
#undef X
	pipes_read(machine, out);
	barrier_read(machine, out);
	lsu_read(machine, out);
	l2_read(machine, out);
	dram_read(machine, streams, out);
	atomics_read(machine, out);
	out->event_seconds = machine->launch_event_overhead_seconds.value;
	out->block_cycles = number(machine, "launch.block_of_256_seconds", 0.6e-9) * out->clock_hz;
	out->block_turn = number(machine, "launch.block_of_1024_seconds", 0.68e-9) * out->clock_hz * out->sms * out->warps *
	                  WARP_LANES / 1024;
}

/*
 * Bytes that the launch touches, DRAM's rate for them, and dirty lines that it drives out.
 *
 *   touched = full_coverage_find(): granules read, sectors written, each once
 *   rate    = full_dram_rate(width, share of DRAM's bytes that is written)
 *   others  = max(driven_bytes(lines), parts_driven_bytes(lines begun)) * share found dirty
 *   driven  = max(0, others - lines that the launch leaves dirty instead)
 *   longer  = of coverage: lines in runs; full_sparse_factor(): half lines
 *
 * Loads drive out their part at once, stores the rest. Sectors that stay incomplete are neither
 * read nor written (store_path.c). full_random_rates(): random sets, by the bytes of their lines.
 * Numbers: bandwidth.dram_*, l2.dirty_*, l2.driven_*, half_lines.*, curve.random_*, loaded.*.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

#define FAR_BYTES 1e18 /* a set of which the L2 has nothing */
/* of all that is stored: less drives out nothing, as a counter beside sectors that all stay incomplete */
#define LEAST_STORED 0.01

/* Bytes that the launch leaves dirty in the L2: of those that it completes by reading what lacks it writes all but the
 * last at once. */
static double left_bytes(const struct full_machine *machine, double written, double incomplete, double touched)
{
	double whole = written - incomplete,
	       own = touched > 0 ? whole / touched * fmin(touched, machine->dirty_kept) : 0;
	return fmin(machine->dirty_bytes, own + fmin(incomplete, machine->incomplete_bytes));
}

/* Dirty bytes that so many bytes of lines which come into the L2 drive out of it. */
static double driven_bytes(const struct full_machine *machine, double lines)
{
	double even = machine->dirty_bytes / machine->l2_bytes * lines;
	return fmin(machine->dirty_bytes, machine->driven ? machine_table_at(machine->driven, lines) : even);
}

/* The same of lines of which sectors are stored to in part. */
static double parts_driven_bytes(const struct full_machine *machine, double lines)
{
	return machine->driven_by_parts ? fmin(machine->dirty_bytes, machine_table_at(machine->driven_by_parts, lines))
	                                : 0;
}

/* Bytes of lines that a launch touches; of them, that loads bring; that stores begin of which sectors stay incomplete;
 * of these sectors, that no load brings. */
struct launch_lines {
	double all, read, begun, lacking;
};

/*
 * Others wrote before what the launch drives out of the L2, beyond what it leaves there instead, `left`. What loads
 * bring drives out its part at once, stores the rest. Of sectors stored to in part the last are left incomplete.
 */
static void rates_set(const struct full_machine *machine, const struct launch_lines *lines, double left,
                      struct full_traffic *traffic)
{
	double read = traffic->read_bytes, written = traffic->written_bytes - traffic->open_bytes;
	double old = machine->dirty_found *
	             fmax(driven_bytes(machine, lines->all), parts_driven_bytes(machine, lines->begun));
	double writing = fmax(machine->dirty_found < 1 ? 0 : written, written + old - left),
	       by_loads = lines->all > 0 ? old * lines->read / lines->all : 0;
	double moved = read + lines->lacking + writing, share = moved > 0 ? writing / moved : 0;
	bool writes = written > LEAST_STORED * traffic->written_bytes;
	by_loads = writes ? fmin(by_loads, writing) : writing;
	traffic->driven_share = by_loads / fmax(1, read + by_loads);
	for (unsigned w = 0; w < FULL_WIDTHS; w++) {
		double cycles = machine->sms / full_dram_rate(machine, w, share);
		traffic->read_cycles[w] = cycles * (1 + by_loads / fmax(1, read));
		traffic->write_cycles[w] = cycles * (writes ? (writing - by_loads) / written : 1);
	}
	traffic->parts_driven = lines->begun > 0 && writes ? fmax(0, writing - by_loads - written) / written : 0;
}

/* What lies apart takes DRAM longer by these shares. absent: share of what is stored to that the L2 does not hold
 * before. */
static void scattered_longer(struct full_traffic *traffic, double read, double written, double absent)
{
	for (unsigned w = 0; w < FULL_WIDTHS; w++) {
		traffic->read_cycles[w] *= 1 + read;
		traffic->write_cycles[w] *= (1 + written) * absent;
	}
}

static const double *held_by_insn(struct arena *arena, const struct full_work *work)
{
	double *held = work->held ? arena_array(arena, work->function->insn_count + 1, sizeof *held) : NULL;
	for (uint32_t i = 0; held && i < work->function->insn_count; i++)
		held[i] = work->held[full_buffer_of(work, i)];
	return held;
}

void full_traffic_make(struct arena *arena, const struct full_work *work, struct full_traffic *traffic)
{
	const struct full_machine *machine = work->machine;
	double read = 0, written = 0, stored = 0, incomplete = 0, touched = 0, met = 0, read_longer = 0,
	       written_longer = 0;
	struct launch_lines lines = {0};
	bool *parted = arena_array(arena, work->buffer_count + 1, sizeof *parted);
	const struct full_coverage *coverage = full_coverage_find(arena, work);
	traffic->parted = parted;
	traffic->buffer_count = work->buffer_count;
	traffic->touched = arena_array(arena, work->buffer_count + 1, sizeof *traffic->touched);
	for (unsigned b = 0; b <= work->buffer_count; b++) {
		const struct full_coverage *own = &coverage[b];
		double absent = work->held ? 1 - work->held[b] : 1, own_written = absent * own->written;
		stored += own->written;
		read += absent * own->read;
		written += own_written;
		parted[b] = own->incomplete > 0 && absent > 0;
		incomplete += own_written * own->incomplete;
		lines.lacking += own_written * own->incomplete;
		read_longer += absent * own->read * (own->read_longer - 1);
		written_longer += own_written * (own->write_longer - 1);
		traffic->touched[b] = fmax(own->read, own->written);
		touched += traffic->touched[b];
		met += own->either;
		lines.all += absent * own->lines;
		lines.read += absent * own->read_lines;
		lines.begun += absent * own->lines * own->incomplete;
	}
	traffic->read_bytes = read;
	traffic->written_bytes = written;
	traffic->touched_bytes = touched;
	traffic->left_bytes = left_bytes(machine, written, incomplete, met);
	lines.read = fmin(lines.read, lines.all);
	double open = lines.begun > 0 ? fmin(1, machine->incomplete_bytes / lines.begun) : 0;
	traffic->open_bytes = incomplete * open;
	lines.lacking *= 1 - open;
	rates_set(machine, &lines, left_bytes(machine, written - incomplete, 0, met), traffic);
	double driven = written > 0 ? fmax(0, written - traffic->left_bytes) / written : 0;
	scattered_longer(traffic, read > 0 ? read_longer / read : 0,
	                 written > 0 ? driven * written_longer / written : 0, stored > 0 ? written / stored : 1);
	traffic->held = held_by_insn(arena, work);
	traffic->irregular = arena_array(arena, work->function->insn_count + 1, sizeof *traffic->irregular);
	for (unsigned later = 0; later < 2; later++)
		traffic->shares[later] =
			arena_array(arena, work->function->insn_count + 1, sizeof *traffic->shares[later]);
}

/* What a random granule costs that is fetched: each takes the place of a whole line, of which some are dirty. */
static double driven_cycles(const struct full_machine *machine, const struct full_random *random,
                            const struct full_traffic *traffic)
{
	double beside =
		machine->dirty_found * driven_bytes(machine, fmax(0, traffic->read_bytes - random->granules_fetched));
	double lines = machine->dirty_found * machine->dirty_bytes / machine->l2_bytes *
	               (random->lines_fetched + traffic->left_bytes);
	double old = fmin(machine->dirty_bytes, lines + beside), rest = fmin(machine->dirty_bytes, beside);
	double driven =
		fmin(random->lines_fetched, fmax(0, old - fmax(rest, traffic->left_bytes))) * full_line_longer(machine);
	double granules = random->granules_fetched / machine->granule;
	return granules > 0 ? driven / granules * machine->sms / full_dram_rate(machine, 0, 0.5) : 0;
}

/* Granules asked for again that the L2 does not have any more. */
static double granules_lost(const struct full_machine *machine, const struct full_random *random)
{
	return (1 - random->held) * fmax(0, random->granules_asked - random->granules_fetched) / machine->granule;
}

/* The set without anything beside it of which the L2 loses as much. What is asked for evenly comes again sooner than by
 * turns, which is not known better: as a set larger by what is beside. */
static double set_alike(const struct full_machine *machine, const struct full_random *random)
{
	double asked = random->granules_asked / machine->granule,
	       kept = asked > 0 ? 1 - granules_lost(machine, random) / asked : 1;
	if (random->even)
		return random->lines + random->beside;
	return fmax(random->lines, kept < 1 ? machine->l2_reach / fmax(kept, machine->l2_reach / FAR_BYTES) : 0);
}

void full_random_rates(const struct full_machine *machine, const struct full_random *random,
                       struct full_traffic *traffic)
{
	if (!machine->random || !(random->lines > 0))
		return;
	double bytes = set_alike(machine, random), all = machine->sms * machine->clock_hz;
	traffic->random_cycles = all / machine_table_at(machine->random, bytes);
	traffic->random_far_cycles = all / machine_table_at(machine->random, FAR_BYTES);
	traffic->random_near_cycles = all / machine_table_at(machine->random, 0);
	traffic->random_driven_cycles = driven_cycles(machine, random, traffic);
	traffic->random_in_l2 = bytes < machine->l2_bytes;
}

double full_random_work(const struct full_traffic *traffic, double sectors, unsigned fresh, unsigned beside)
{
	if (traffic->random_in_l2)
		return sectors * traffic->random_cycles;
	double line = LINE_BYTES * traffic->read_cycles[0], more = full_later(0, line / traffic->random_far_cycles - 1);
	return traffic->random_cycles * (fresh - beside + more * beside) +
	       (sectors - fresh) * traffic->random_near_cycles + fresh * traffic->random_driven_cycles;
}

double full_sparse_factor(const struct full_machine *machine, const struct full_share *share, double apart)
{
	const struct machine_table *alone = machine->alone, *both = machine->both;
	if (!alone || !both)
		return 1;
	apart = full_later(LINE_BYTES, full_sooner(apart, alone->at[alone->count - 1]));
	double longer = machine_table_at(alone, apart) * apart / (alone->value[0] * machine->granule);
	return 1 + share->alone * (longer - 1) + share->half * (machine_table_at(both, apart) / both->value[0] - 1);
}

/* What a load takes longer where all that keeps DRAM busy is reading. */
static double reading_wait(const struct full_machine *machine, double rate_now)
{
	const struct machine_table *rate = machine->loaded_rate, *latency = machine->loaded_latency;
	if (!rate || !latency)
		return 0;
	double at = fmax(rate->value[0], fmin(rate_now, rate->value[rate->count - 1]));
	unsigned i = 1;
	while (i + 1 < rate->count && rate->value[i] < at)
		i++;
	double part = (at - rate->value[i - 1]) / (rate->value[i] - rate->value[i - 1]);
	return fmax(0, latency->value[i - 1] + part * (latency->value[i] - latency->value[i - 1]) - latency->value[0]);
}

static double busy_at(const struct machine_table *const tables[FULL_OTHERS], unsigned which, double rate,
                      double otherwise)
{
	return tables[which] ? machine_table_at(tables[which], rate) : otherwise;
}

void full_busy_make(const struct full_machine *machine, struct full_busy_table *table)
{
	static const unsigned mixes[FULL_OTHERS] = {0, FULL_MIXES - 2, FULL_MIXES - 1};
	for (unsigned k = 0; k < FULL_OTHERS; k++)
		for (unsigned l = 0; l < FULL_LOADS; l++) {
			double most = machine->dram_rate[mixes[k]][FULL_WIDTHS - 1] * machine->clock_hz,
			       rate = (double)l / (FULL_LOADS - 1) * most, reading = reading_wait(machine, rate);
			table->at[k][l] =
				(struct full_busy){k == 0 ? reading : busy_at(machine->busy_wait, k, rate, reading),
			                           busy_at(machine->busy_spread, k, rate, machine->dram_spread),
			                           busy_at(machine->busy_apart, k, rate, 0)};
		}
}

/* ---- shares of an SM's granules ------------------------------------------------------------------------ */

void full_share_add(struct full_share *sum, const struct full_share *share)
{
	sum->first += share->first;
	sum->wait += share->wait;
	sum->near += share->near;
	sum->half += share->half;
	sum->alone += share->alone;
	sum->joined += share->joined;
	sum->both += share->both;
	sum->samples++;
}

struct full_share full_share_mean(const struct full_share *sum)
{
	double n = sum->samples;
	return (struct full_share){.first = sum->first / n,
	                           .wait = sum->wait / n,
	                           .near = sum->near / n,
	                           .half = sum->half / n,
	                           .alone = sum->alone / n,
	                           .joined = sum->joined / n,
	                           .both = sum->both / n,
	                           .samples = sum->samples};
}

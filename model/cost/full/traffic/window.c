/*
 * Which granules of 64 bytes this SM fetches from DRAM, and which others fetch too.
 *
 * All SMs are taken to run in lockstep. Where S SMs ask for a granule in the same step,
 *
 *   from DRAM   1 / S        where nobody asked before
 *   under way   1 - 1 / S    and wherever another SM asked earlier in the same run of a basic block
 *   in the L2                where another SM, or a block of a wave before, asked earlier
 *
 * After the launch has fetched all once, min(1, L2 / bytes) of it is kept: bytes that it touches,
 * or those asked for since the `near` block that asks for the same (launch/l2_reuse.c). Assumed:
 * lockstep, which SMs leave in long loops.
 */
#include "model/cost/full/traffic/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 24 /* granules of an instruction that are looked for */
#define LOOKUPS 200000

struct window_sample {
	uint64_t granule;
	uint32_t insn;
	uint8_t order, warp;
};

/* A block of the wave on another SM. */
struct window_peer {
	uint64_t far; /* blocks from the window's */
	unsigned sm, place;
	bool over;   /* it belongs to a wave before */
	bool shares; /* it asks for a granule of a sample */
	uint64_t number;
	int64_t apart[FULL_WINDOW_CLASSES]; /* bytes from what its place's own block asks for to what it does, by class
	                                     */
	bool whole[FULL_WINDOW_CLASSES];    /* that is lines, from the window's own block */
};

struct window_pass {
	struct full_window window;
	const struct full_work *work;
	struct full_traffic *traffic;
	struct arena *arena;
	struct window_sample *samples;
	unsigned sample_count;
	size_t peer_count;
	struct window_peer *peers;
	uint64_t own; /* number of the window's block */
};

static int sample_compare(const void *a, const void *b)
{
	uint64_t x = ((const struct window_sample *)a)->granule, y = ((const struct window_sample *)b)->granule;
	return (x > y) - (x < y);
}

/* The granules that the block touches, in their order, with the request that does it first. */
static void samples_collect(struct window_pass *pass)
{
	const struct full_window *window = &pass->window;
	pass->samples = arena_array(pass->arena, window->touch_count + 1, sizeof *pass->samples);
	for (size_t slot = full_window_filled(window, 0); slot < window->slots;
	     slot = full_window_filled(window, slot + 1)) {
		const struct full_window_touch *touch = &window->touches[slot];
		if (full_window_place_of(touch->key) == 0)
			pass->samples[pass->sample_count++] =
				(struct window_sample){full_window_granule_of(touch->key),
			                               window->requests[touch->order].insn, touch->order, touch->warp};
	}
	qsort(pass->samples, pass->sample_count, sizeof *pass->samples, sample_compare);
}

/* ---- who else asks for a granule ------------------------------------------------------------------- */

struct askers {
	uint64_t sms[FULL_SMS / 64], same[FULL_SMS / 64],
		all[FULL_SMS / 64]; /* in the same step; and for the same of its line; in any */
	uint64_t near;              /* blocks to the nearest of those */
	bool pending, before;       /* earlier in the same basic block; before that */
	bool mate;                  /* for the other half of its line; or it is not asked who does */
};

/* Blocks before a wave of which the L2 still has all that they asked for, at least; so many as two waves at most. */
static uint64_t blocks_kept(const struct full_work *work, uint64_t first, uint64_t wave)
{
	double blocks = (double)work->grid[0] * work->grid[1] * work->grid[2], sectors = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++)
		sectors += work->evaluation->insns[i].sectors;
	double kept = work->machine->l2_reach / fmax(1, sectors / blocks * SECTOR_BYTES);
	return (uint64_t)fmin(kept, (double)(first < 2 * wave ? first : 2 * wave));
}

/* The blocks of the wave that run on other SMs than the window's, and blocks before it, with where they ask. */
static void peers_make(struct window_pass *pass, uint64_t own, uint64_t first, uint64_t end)
{
	unsigned sms = pass->work->machine->sms;
	uint64_t kept = blocks_kept(pass->work, first, end - first);
	pass->peers = arena_array(pass->arena, end - first + kept + 1, sizeof *pass->peers);
	for (uint64_t block = first - kept; block < end; block++) {
		struct window_peer *peer = &pass->peers[pass->peer_count];
		int64_t at[3];
		peer->over = block < first;
		peer->shares = false;
		peer->number = block;
		if (!peer->over && block % sms == own % sms)
			continue;
		full_window_block(&pass->window, block, at);
		peer->far = block > own ? block - own : own - block;
		peer->sm = (unsigned)(block % sms) % FULL_SMS;
		peer->place = full_window_place(&pass->window, at);
		for (unsigned c = 0; c < pass->window.classes; c++) {
			peer->apart[c] = full_window_apart(&pass->window, c, at);
			peer->whole[c] = peer->place == 0 && peer->apart[c] % LINE_BYTES == 0;
		}
		pass->peer_count++;
	}
}

/* What the block asks of the sample's granule. */
static void block_ask(const struct window_pass *pass, const struct window_sample *sample, struct window_peer *peer,
                      struct askers *askers)
{
	for (unsigned c = 0; c < pass->window.classes; c++) {
		const struct full_window_touch *touch =
			full_window_touch(&pass->window, sample->granule, peer->place, c, peer->apart[c]);
		askers->mate = askers->mate ||
		               full_window_touch(&pass->window, sample->granule ^ 1, peer->place, c, peer->apart[c]);
		if (!touch)
			continue;
		peer->shares = true;
		if (!askers->near || peer->far < askers->near)
			askers->near = peer->far;
		askers->before |= peer->over;
		if (peer->over)
			return;
		askers->all[peer->sm / 64] |= UINT64_C(1) << peer->sm % 64;
		if (touch->order == sample->order && peer->whole[c])
			askers->same[peer->sm / 64] |= UINT64_C(1) << peer->sm % 64;
		if (touch->order == sample->order)
			askers->sms[peer->sm / 64] |= UINT64_C(1) << peer->sm % 64;
		else if (touch->order < sample->order &&
		         pass->window.requests[touch->order].entry == pass->window.requests[sample->order].entry)
			askers->pending = true;
		else if (touch->order < sample->order)
			askers->before = true;
	}
}

/* Whether the sample's request asks for the line's other half, too. */
static bool is_whole(const struct window_pass *pass, const struct window_sample *sample)
{
	const struct full_window_touch *mate = full_window_asks(&pass->window, pass->window.at, sample->granule ^ 1);
	return mate && mate->order == sample->order && mate->warp == sample->warp;
}

/* Whether another one of its block asks for that, of one beside it or of others, or none. */
static void mate_find(const struct window_pass *pass, const struct window_sample *sample, bool others,
                      struct full_share *share)
{
	bool later = others;
	for (int beside = 0; beside < 7; beside++) {
		int64_t at[3] = {pass->window.at[0], pass->window.at[1], pass->window.at[2]};
		if (beside)
			at[(beside - 1) / 2] += beside % 2 ? 1 : -1;
		later |= full_window_asks(&pass->window, at, sample->granule ^ 1) != NULL;
	}
	share->half = later;
	share->alone = !later;
}

static struct full_share sample_share(const struct window_pass *pass, const struct window_sample *sample)
{
	bool whole = is_whole(pass, sample);
	struct askers askers = {.mate = whole};
	double others = 0;
	for (size_t i = 0; i < pass->peer_count; i++)
		block_ask(pass, sample, &pass->peers[i], &askers);
	for (unsigned i = 0; i < FULL_SMS / 64; i++)
		others += __builtin_popcountll(askers.sms[i]);
	struct full_share share = {.near = (double)askers.near};
	if (!whole)
		mate_find(pass, sample, askers.mate, &share);
	full_merging_share(pass->work, pass->own, askers.same, askers.all, &share);
	if (askers.before)
		return share;
	share.first = askers.pending ? 0 : 1 / (1 + others);
	share.wait = 1 - share.first;
	return share;
}

/* Looks for samples of each instruction, evenly over its granules, in the blocks of the wave [first, end). */
static void shares_find(struct window_pass *pass, uint64_t own, uint64_t first, uint64_t end)
{
	peers_make(pass, own, first, end);
	struct full_share *shares = pass->traffic->shares[0];
	double lookups = (double)(end - first) * pass->window.classes;
	size_t insns = pass->work->function->insn_count;
	double *count = arena_array(pass->arena, insns, sizeof *count),
	       *taken = arena_array(pass->arena, insns, sizeof *taken);
	unsigned distinct = 0;
	for (unsigned i = 0; i < pass->sample_count; i++)
		distinct += count[pass->samples[i].insn]++ == 0;
	double each = fmin(SAMPLES, fmax(2, LOOKUPS / fmax(1, lookups * distinct)));
	for (unsigned i = 0; i < pass->sample_count; i++) {
		const struct window_sample *sample = &pass->samples[i];
		double *seen = &taken[sample->insn];
		double stride = fmax(1, count[sample->insn] / each);
		if (fmod((*seen)++, stride) >= 1)
			continue;
		struct full_share share = sample_share(pass, sample);
		full_share_add(&shares[sample->insn], &share);
	}
	for (size_t i = 0; i < insns; i++)
		if (shares[i].samples > 0)
			shares[i] = full_share_mean(&shares[i]);
}

/* The buffer that an instruction's requests go to, by the window or else by the evaluation; UINT_MAX: not known. */
static unsigned buffer_of(const struct window_pass *pass, uint32_t insn)
{
	const struct full_work *work = pass->work;
	unsigned buffer;
	int64_t offset;
	for (unsigned i = 0; i < pass->window.count; i++)
		if (pass->window.requests[i].insn == insn &&
		    content_locate(pass->window.requests[i].base, work->buffer_count, &buffer, &offset))
			return buffer;
	return work->evaluation->insns[insn].buffer;
}

static int class_of(const struct window_pass *pass, uint32_t insn)
{
	for (unsigned i = 0; i < pass->window.count; i++)
		if (pass->window.requests[i].insn == insn && !pass->window.requests[i].irregular)
			return pass->window.requests[i].class;
	return -1;
}

/* What is scattered over the same buffer in the window, for an instruction beyond it. */
static struct full_share share_scattered(struct window_pass *pass, uint32_t insn, unsigned buffer)
{
	const struct full_share *shares = pass->traffic->shares[0];
	for (uint32_t i = 0; i < pass->work->function->insn_count; i++)
		if (shares[i].samples && pass->traffic->irregular[i] && buffer_of(pass, i) == buffer) {
			pass->traffic->irregular[insn] = true;
			return shares[i];
		}
	return (struct full_share){.first = 1};
}

/*
 * Instructions that were never first in the window take the mean of those that are shifted alike, or else of those on
 * the same buffer; where all of these are scattered, what they are.
 */
static struct full_share share_alike(struct window_pass *pass, uint32_t insn)
{
	const struct full_share *shares = pass->traffic->shares[0];
	struct full_share sum = {0};
	int class = class_of(pass, insn);
	unsigned buffer = buffer_of(pass, insn);
	for (uint32_t i = 0; i < pass->work->function->insn_count; i++) {
		if (!shares[i].samples || pass->traffic->irregular[i] || buffer_of(pass, i) != buffer ||
		    (class >= 0 && class_of(pass, i) != class))
			continue;
		full_share_add(&sum, &shares[i]);
	}
	if (!sum.samples)
		return class < 0 ? share_scattered(pass, insn, buffer) : (struct full_share)
		{
			.first = 1
		};
	sum = full_share_mean(&sum);
	sum.samples = 0;
	return sum;
}

/* The block, or the one beside it that is not at the grid's edge, where some lanes may have nothing to do. */
static uint64_t inner_block(const struct full_work *work, uint64_t block)
{
	uint64_t stride = 1;
	int64_t at[3];
	full_place(work, block, at);
	for (unsigned axis = 0; axis < 3; stride *= work->grid[axis++])
		if (work->grid[axis] > 2 && at[axis] == 0)
			block += stride;
		else if (work->grid[axis] > 2 && at[axis] + 1 == (int64_t)work->grid[axis])
			block -= stride;
	return block;
}

void full_window_shares(struct arena *arena, const struct full_work *work, struct full_traffic *traffic)
{
	uint64_t blocks = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2];
	uint64_t wave = (uint64_t)round(work->resident * work->active), own;
	struct window_pass *pass = arena_alloc(arena, sizeof *pass);
	*pass = (struct window_pass){.window.work = work, .work = work, .traffic = traffic, .arena = arena};
	wave = wave < blocks ? wave : blocks;
	own = wave / 2 + (blocks / wave / 2) * wave;
	own = own < blocks ? own : blocks - 1;
	own = inner_block(work, own);
	pass->own = own = full_window_make(arena, &pass->window, own, blocks);
	samples_collect(pass);
	uint64_t first = own / wave * wave, end = first + wave < blocks ? first + wave : blocks;
	shares_find(pass, own, first, end);
	full_irregular(arena, work, traffic, pass->window.requests, pass->window.count);
	for (size_t i = 0; i < work->function->insn_count; i++) {
		struct full_share *cold = &traffic->shares[0][i];
		if (!cold->samples && full_loads(work, (uint32_t)i))
			*cold = share_alike(pass, (uint32_t)i);
	}
}

/*
 * What a request takes in the L1's tags and data.
 *
 *   bank bit b     = parity(line & mask b)                                      l1.tag_bank_masks
 *   passes         = max(lines of the fullest tag bank, words of the fullest data bank)
 *   missing passes = sum over tag passes of the lines that the fullest data bank has a word of
 *
 * The second is for what hits, the third for what comes back from beyond. A tag pass takes the next
 * line of each of the four tag banks, in the order of lanes.
 */
#include "model/cost/full/run.h"

#include <limits.h>

#define TAG_BANKS (1 << FULL_TAG_BITS)

/* Words of the lines of one bank of tags, in the order in which they are looked for. */
struct tag_queue {
	unsigned count;
	uint32_t words[FULL_LINES];
};

static uint8_t tag_bank(const struct full_machine *machine, uint64_t line)
{
	uint8_t bank = 0;
	line ^= line >> machine->tag_bits ^ line >> 2 * machine->tag_bits;
	for (unsigned byte = 0; byte < FULL_TAG_BYTES; byte++)
		bank ^= machine->tag_bank[byte][(uint8_t)(line >> byte * CHAR_BIT)];
	return bank;
}

/* How many lines of one pass of the tags the fullest bank of the data has a word of. */
static unsigned data_passes(const struct tag_queue *queues, unsigned pass)
{
	uint32_t more[TAG_BANKS + 1] = {UINT32_MAX};
	unsigned most = TAG_BANKS;
	for (unsigned b = 0; b < TAG_BANKS; b++)
		for (unsigned n = TAG_BANKS; n > 0 && pass < queues[b].count; n--)
			more[n] |= more[n - 1] & queues[b].words[pass];
	while (most > 1 && !more[most])
		most--;
	return most;
}

void full_l1_passes(const struct full_machine *machine, struct full_request *request)
{
	unsigned lines = request->line_count, counts[TAG_BANKS] = {0}, longest = 0;
	request->missing_passes = 0;
	request->tag_passes =
		lines <= WARP_LANES ? machine->tag_cycles[lines] : machine->tag_cycles[WARP_LANES] * lines / WARP_LANES;
	if (machine->tag_bits && lines > 1) {
		for (unsigned i = 0; i < lines; i++)
			counts[request->tag_bank[i] = tag_bank(machine, request->line[i])]++;
		for (unsigned b = 0; b < TAG_BANKS; b++)
			longest = counts[b] > longest ? counts[b] : longest;
		request->tag_passes = longest;
	}
	request->passes = full_later(request->bank_passes, request->tag_passes);
}

double full_l1_missing_passes(const struct full_machine *machine, struct full_request *request)
{
	struct tag_queue queues[TAG_BANKS];
	unsigned lines = machine->tag_bits && request->line_count > 1 ? request->line_count : 0, longest = 0,
		 missing = 0;
	if (request->missing_passes > 0)
		return request->missing_passes;
	for (unsigned b = 0; b < TAG_BANKS; b++)
		queues[b].count = 0;
	for (unsigned i = 0; i < lines; i++) {
		struct tag_queue *queue = &queues[request->tag_bank[i]];
		queue->words[queue->count++] = request->words[i];
	}
	for (unsigned b = 0; b < TAG_BANKS; b++)
		longest = queues[b].count > longest ? queues[b].count : longest;
	for (unsigned pass = 0; pass < longest; pass++)
		missing += data_passes(queues, pass);
	request->missing_passes = full_later(request->passes, missing);
	return request->missing_passes;
}

/*
 * What a program copies beside its kernels: the copies of a recording, or those of the source as far as their sizes and
 * numbers are known. A copy over the bus takes what was measured for its size and its memory's kind; one on the device
 * reads and writes DRAM, and a memset writes it. Managed memory moves to the device and back once, as in switching.c.
 */
#include "model/observe/observe.h"
#include "model/predict/predict.h"

/* The transfers of that kind; added where there are none yet. */
static struct program_transfer *transfer_of(struct arena *arena, struct prediction *prediction,
                                            enum transfer_direction direction, enum memory_kind memory)
{
	for (unsigned i = 0; i < prediction->transfer_count; i++)
		if (prediction->transfers[i].direction == direction && prediction->transfers[i].memory == memory)
			return &prediction->transfers[i];
	ARENA_PUSH(arena, prediction->transfers, prediction->transfer_count,
	           ((struct program_transfer){.direction = direction, .memory = memory}));
	return &prediction->transfers[prediction->transfer_count - 1];
}

/* Of one copy. */
static double seconds_of(const struct machine *machine, const struct program_transfer *transfer, double bytes)
{
	const double dram = machine->dram_bandwidth_bytes_per_second.value;
	switch (transfer->direction) {
	case TRANSFER_ON_DEVICE:
		return 2 * bytes / dram;
	case TRANSFER_FILL:
		return bytes / dram;
	default:
		return predict_copy_seconds(machine, transfer->memory, transfer->direction == TRANSFER_TO_DEVICE,
		                            bytes);
	}
}

/* bytes: of each. */
static void transfer_add(const struct machine *machine, struct program_transfer *transfer, uint64_t times, double bytes)
{
	transfer->times += times;
	transfer->bytes += (double)times * bytes;
	transfer->seconds += bytes > 0 ? (double)times * seconds_of(machine, transfer, bytes) : 0;
}

static void recorded_add(struct arena *arena, struct prediction *prediction, const struct observation *observation)
{
	static const enum transfer_direction directions[] = {[OBSERVED_TO_DEVICE] = TRANSFER_TO_DEVICE,
	                                                     [OBSERVED_TO_HOST] = TRANSFER_TO_HOST,
	                                                     [OBSERVED_ON_DEVICE] = TRANSFER_ON_DEVICE,
	                                                     [OBSERVED_ON_HOST] = TRANSFER_DIRECTIONS,
	                                                     [OBSERVED_FILL] = TRANSFER_FILL};
	for (unsigned i = 0; i < observation->copy_count; i++) {
		const struct observed_copy *copy = &observation->copies[i];
		if (directions[copy->move] == TRANSFER_DIRECTIONS)
			continue;
		struct program_transfer *transfer = transfer_of(arena, prediction, directions[copy->move],
		                                                copy->pinned ? MEMORY_PINNED : MEMORY_PAGEABLE);
		transfer_add(prediction->machine, transfer, copy->times, (double)copy->bytes);
	}
	for (unsigned d = TRANSFER_TO_DEVICE; observation->managed_bytes && d <= TRANSFER_TO_HOST; d++)
		transfer_add(prediction->machine,
		             transfer_of(arena, prediction, (enum transfer_direction)d, MEMORY_MANAGED),
		             observation->managed_times,
		             (double)observation->managed_bytes / (double)observation->managed_times);
}

static void said_add(struct arena *arena, struct prediction *prediction)
{
	const struct analysis *analysis = prediction->analysis;
	for (unsigned i = 0; i < analysis->host_copy_count; i++) {
		const struct host_copy *copy = &analysis->host_copies[i];
		struct program_transfer *transfer = transfer_of(
			arena, prediction, copy->to_device ? TRANSFER_TO_DEVICE : TRANSFER_TO_HOST, copy->kind);
		transfer->is_partial |= !copy->is_known || !copy->bytes;
		transfer_add(prediction->machine, transfer, copy->times, (double)copy->bytes);
	}
}

void predict_transfers(struct arena *arena, struct prediction *prediction, const struct observation *observation)
{
	if (observation)
		recorded_add(arena, prediction, observation);
	else
		said_add(arena, prediction);
}

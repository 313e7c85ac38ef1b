/*
 * What stores mean for the L2 and DRAM: each byte is written to DRAM once.
 *
 * A sector that is whole, or was loaded, pays DRAM's write when it comes. Another one waits in the
 * ring `open` until it is whole, or until this SM's lines in the ring are more than its share of
 * l2.incomplete_bytes: part_close() then has DRAM read the sector and write it. Further stores to a
 * line that lacks something keep DRAM busy for store.part_dram_share of the L2's time for it. Where
 * several SMs write pieces of each sector, each SM pays for its bytes (enum way). Assumed: where
 * other SMs complete the ends of rows, half of the lines come a second time.
 */
#include "model/cost/full/path.h"

#define ENDS 0.5 /* of the lines that two warps write a part of each comes after the other's */
#define SECTORS (LINE_BYTES / SECTOR_BYTES)

static struct full_written *written_slot(struct full_path *path, uint64_t line)
{
	size_t slot = (size_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (path->written_slots - 1);
	while (path->written[slot].key && path->written[slot].key != line + 1)
		slot = (slot + 1) & (path->written_slots - 1);
	return &path->written[slot];
}

static void written_grow(struct full_path *path)
{
	struct full_written *old = path->written;
	size_t slots = path->written_slots;
	path->written_slots *= 4;
	path->written = arena_array(path->arena, path->written_slots, sizeof *path->written);
	for (size_t i = 0; i < slots; i++)
		if (old[i].key)
			*written_slot(path, old[i].key - 1) = old[i];
}

static uint32_t sector_of(const struct full_bytes *bytes, unsigned sector)
{
	return (uint32_t)(bytes->half[sector / 2] >> (sector % 2 * SECTOR_BYTES));
}

/* Of these sectors those that lack something, in granules that no load has asked for. */
static unsigned lacking(const struct full_path *path, const struct full_written *written, const float *seen,
                        unsigned sectors)
{
	unsigned count = 0;
	for (unsigned g = 0; g < path->granules; g++)
		if (!(seen && seen[g] >= 0))
			count += full_sectors((uint8_t)(sectors & written->lacking & path->masks[g]));
	return count;
}

/* The work of writing these sectors of a line, once. Returns its cycles, of all SMs. */
static double sectors_pay(struct full_path *path, struct full_written *written, unsigned sectors, unsigned spread)
{
	unsigned due = sectors & ~written->paid;
	written->paid |= (uint8_t)due;
	return full_sectors((uint8_t)due) * SECTOR_BYTES * path->traffic->write_cycles[spread];
}

/* Whether stores leave sectors of the line's buffer incomplete, beside the ends of what they write. */
static bool is_parted(const struct full_traffic *traffic, uint64_t line)
{
	unsigned buffer;
	int64_t offset;
	return !traffic->parted || !content_locate(line * LINE_BYTES, traffic->buffer_count, &buffer, &offset) ||
	       traffic->parted[buffer];
}

/*
 * Sectors that no store has come to for long: what lacks of them is read, and they are written. Sectors of a granule
 * that different stores began are given up apart, and read apart.
 */
static void part_close(struct full_path *path, const struct full_part *part)
{
	struct full_written *written = written_slot(path, part->line);
	const float *seen = full_residency_find(path->seen, part->line);
	double filled = lacking(path, written, seen, part->sectors) * SECTOR_BYTES;
	double cycles = filled * path->traffic->read_cycles[FULL_WIDTHS - 1] * (1 - path->traffic->driven_share);
	path->counts.filled_bytes += filled;
	path->completed += full_sectors(part->sectors & written->lacking) * SECTOR_BYTES;
	full_server_take(&path->dram, 0, cycles * path->share, &path->counts.dram_busy);
	full_path_dram(path, path->loaded, sectors_pay(path, written, part->sectors, part->spread) * path->share, true);
}

/* Of the line these sectors lack something now, and those do not any more. */
static void lacking_set(struct full_path *path, struct full_written *written, unsigned more, unsigned less)
{
	unsigned lacks = (written->lacking | more) & ~less;
	path->open_lines += (lacks != 0) - (written->lacking != 0);
	written->lacking = (uint8_t)lacks;
}

static void first_close(struct full_path *path)
{
	const struct full_part *first = &path->open[path->open_first];
	part_close(path, first);
	lacking_set(path, written_slot(path, first->line), 0, first->sectors);
	path->open_first = (path->open_first + 1) % FULL_OPEN_LINES;
	path->open_count--;
}

/* Sectors not written whole wait for the rest of their bytes, in lines of incomplete_bytes in the whole L2; of a run
 * that is a part of the launch in as much less of them. */
static void part_open(struct full_path *path, uint64_t line, unsigned sectors, unsigned spread)
{
	while (path->open_count && (path->open_lines + 1 > path->open_most || path->open_count == FULL_OPEN_LINES))
		first_close(path);
	path->open[(path->open_first + path->open_count++) % FULL_OPEN_LINES] =
		(struct full_part){line, (uint8_t)sectors, (uint8_t)spread};
}

/* Sectors of a line that a store comes to, as masks: for the first time; whole now, or loaded before, or the ends of
 * what is written; not so; a bit of each that stores came to before. */
struct stored {
	unsigned begun, complete, partly, again;
	bool ends, further; /* beside such as it writes whole; the line has had a store before */
	double seconds;     /* what sectors cost that become whole by a further store */
};

static struct stored stored_find(const struct full_path *path, const struct full_written *written,
                                 const struct full_bytes *bytes, const float *seen, bool parted)
{
	struct stored stored = {.further = written->bytes.half[0] || written->bytes.half[1]};
	for (unsigned s = 0; s < SECTORS; s++) {
		uint32_t now = sector_of(bytes, s), before = sector_of(&written->bytes, s);
		bool whole = (now | before) == UINT32_MAX ||
		             (path->granules && seen && seen[s * path->granules / SECTORS] >= 0);
		if (!now)
			continue;
		stored.begun |= (unsigned)!before << s;
		stored.complete |= (unsigned)(whole || !parted) << s;
		stored.partly |= (unsigned)!whole << s;
		stored.ends |= now == UINT32_MAX;
		if (!before || now == UINT32_MAX)
			continue;
		stored.again |= 1u << s;
		stored.seconds += whole ? path->machine->again_whole : 0;
	}
	return stored;
}

/* Whether a store leaves something that the L2 has to complete, or keep until another one does, where it has as many
 * such lines as it holds. */
static bool store_lacks(const struct full_path *path, const struct stored *stored, bool parted)
{
	double held = path->open_most * LINE_BYTES * path->machine->sms * path->share;
	return stored->partly && (parted ? path->completed > 0 : stored->ends && path->filled > held);
}

double full_path_write(struct full_path *path, uint64_t line, const struct full_bytes *bytes, unsigned spread,
                       double time, struct full_write *more)
{
	const struct full_machine *machine = path->machine;
	double completed = path->completed;
	struct full_written *written = written_slot(path, line);
	const bool gone = written->key && path->filled - written->filled > machine->l2_reach,
		   parted = is_parted(path->traffic, line);
	if (!written->key && 2 * ++path->written_count > path->written_slots) {
		written_grow(path);
		written = written_slot(path, line);
	}
	if (!written->key || gone)
		*written = (struct full_written){.key = line + 1, .lacking = written->lacking};
	const float *seen = full_residency_find(path->seen, line);
	struct stored stored = stored_find(path, written, bytes, seen, parted);
	const bool held = stored.further || (seen && full_path_holds(path, seen));
	written->bytes.half[0] |= bytes->half[0];
	written->bytes.half[1] |= bytes->half[1];
	written->filled = path->filled;
	if (stored.begun)
		part_open(path, line, stored.begun, spread);
	lacking_set(path, written, stored.begun & ~stored.complete, stored.complete);
	*more = (struct full_write){.again = full_sectors((uint8_t)stored.again),
	                            .lacks = store_lacks(path, &stored, parted)};
	if (more->lacks)
		stored.seconds += (parted ? stored.further : ENDS) * machine->store_part_dram * machine->store_part;
	path->filled += (held ? 0 : LINE_BYTES) * path->share * machine->sms;
	double work =
		sectors_pay(path, written, stored.complete, spread) + stored.seconds * machine->clock_hz * machine->sms;
	full_path_dram(path, time, work * path->share, true);
	more->driven = (path->completed - completed) * path->traffic->parts_driven / LINE_BYTES;
	return path->dram;
}

double full_path_close(struct full_path *path)
{
	while (path->open_count)
		first_close(path);
	return path->counts.filled_bytes;
}

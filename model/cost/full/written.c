/*
 * Lines that an SM has stored to, as they come to the L2: each byte is written to DRAM once; sectors that stay incomplete are completed by reading when so many others have been begun (l2.incomplete_bytes),
 * and what comes to a sector again costs beside DRAM's work (store.again_*).
 */
#include "model/cost/full/path.h"

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

/* Cycles of DRAM beyond the usual for the only half of a line that is written, `apart` bytes from the next one. */
static double alone_cycles(const struct full_path *path, double apart)
{
	const struct full_machine *machine = path->machine;
	if (!machine->sparse_write || !machine->sparse_read)
		return 0;
	double seconds = machine_table_at(machine->sparse_write, apart) - machine_table_at(machine->sparse_read, apart);
	double near = machine_table_at(machine->sparse_write, machine->granule) -
	              machine_table_at(machine->sparse_read, machine->granule);
	double last = machine->sparse_write->at[machine->sparse_write->count - 1];
	return (seconds * full_sooner(apart, last) - near * machine->granule) / machine->sparse_set * machine->clock_hz *
	       machine->sms;
}

/* Whether some of these sectors are written in part. */
static bool some_partial(const struct full_written *written, unsigned sectors)
{
	for (unsigned s = 0; s < SECTORS; s++)
		if (sectors >> s & 1 && sector_of(&written->bytes, s) != UINT32_MAX)
			return true;
	return false;
}

/*
 * Sectors that no store has come to for long: what lacks of them is read, by granules, and half a line costs more than its bytes. Sectors of a granule that different
 * stores began are given up apart, and read apart.
 */
static void part_close(struct full_path *path, const struct full_part *part)
{
	const struct full_written *written = written_slot(path, part->line);
	const float *seen = full_seen_find(path->seen, part->line);
	uint64_t gap = part->line > path->closed ? part->line - path->closed : path->closed - part->line;
	unsigned halves = 0, filled = 0;
	bool whole = false;
	for (unsigned g = 0; g < path->granules; g++) {
		unsigned mask = path->masks[g], own = part->sectors & mask;
		for (unsigned s = 0; s < SECTORS; s++)
			if (mask >> s & 1 && sector_of(&written->bytes, s)) {
				halves++;
				break;
			}
		whole |= own && !some_partial(written, own);
		filled += own && some_partial(written, own) && !(seen && full_asked_at(&seen[g]) >= 0);
	}
	path->closed = part->line;
	double cycles =
		filled * path->machine->granule * path->traffic->read_cycles[FULL_WIDTHS - 1] * (1 - path->traffic->driven_share);
	if (halves == 1 && path->granules > 1 && !whole)
		cycles += alone_cycles(path, full_sooner((double)(gap ? gap : 1), FULL_FAR) * LINE_BYTES);
	path->counts.filled_bytes += filled * path->machine->granule;
	full_server_take(&path->dram, 0, cycles * path->share, &path->counts.dram_busy);
}

static void first_close(struct full_path *path)
{
	const struct full_part *first = &path->open[path->open_first];
	part_close(path, first);
	path->open_sectors -= full_sectors(first->sectors);
	path->open_first = (path->open_first + 1) % FULL_OPEN_LINES;
	path->open_count--;
}

/* Sectors not written whole wait for the rest of their bytes, incomplete_bytes of them in the whole L2. */
static void part_open(struct full_path *path, uint64_t line, unsigned sectors)
{
	double most = path->machine->incomplete_bytes / path->machine->sms / SECTOR_BYTES;
	while (path->open_count &&
	       (path->open_sectors + full_sectors((uint8_t)sectors) > most || path->open_count == FULL_OPEN_LINES))
		first_close(path);
	path->open[(path->open_first + path->open_count++) % FULL_OPEN_LINES] = (struct full_part){line, (uint8_t)sectors};
	path->open_sectors += full_sectors((uint8_t)sectors);
}

double full_path_write(struct full_path *path, uint64_t line, const struct full_bytes *bytes, unsigned spread, double time,
                       struct full_write *more)
{
	double filled = path->counts.filled_bytes;
	struct full_written *written = written_slot(path, line);
	bool gone = written->key && path->filled - written->filled > path->machine->l2_reach;
	const float *seen = full_seen_find(path->seen, line);
	unsigned fresh = 0, begun = 0;
	double again = 0;
	*more = (struct full_write){0, 0};
	if (!written->key && 2 * ++path->written_count > path->written_slots) {
		written_grow(path);
		written = written_slot(path, line);
	}
	if (!written->key || gone)
		*written = (struct full_written){.key = line + 1};
	for (unsigned s = 0; s < SECTORS; s++) {
		bool before = sector_of(&written->bytes, s) != 0, now = sector_of(bytes, s) != 0;
		fresh += now && !before;
		begun |= (unsigned)(now && !before) << s;
		if (!now || !before || sector_of(bytes, s) == UINT32_MAX)
			continue;
		bool whole = (sector_of(bytes, s) | sector_of(&written->bytes, s)) == UINT32_MAX;
		whole |= path->granules && seen && full_asked_at(&seen[s * path->granules / SECTORS]) >= 0;
		again += whole ? path->machine->again_whole : path->machine->again_incomplete;
		more->again++;
	}
	written->bytes.half[0] |= bytes->half[0];
	written->bytes.half[1] |= bytes->half[1];
	written->filled = path->filled;
	if (begun)
		part_open(path, line, begun);
	path->filled += fresh * SECTOR_BYTES * path->share * path->machine->sms;
	again *= path->machine->clock_hz * path->machine->sms;
	double work = (fresh * SECTOR_BYTES * path->traffic->write_cycles[spread] + again) * path->share;
	full_path_dram(path, time, work, true);
	more->filled = (path->counts.filled_bytes - filled) / SECTOR_BYTES;
	return path->dram;
}

double full_path_close(struct full_path *path)
{
	while (path->open_count)
		first_close(path);
	return path->counts.filled_bytes;
}

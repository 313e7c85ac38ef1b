/*
 * What a program pays for another layout of its records, beside its kernels, at each copy of them between host and device:
 *
 *   records that stay records   (bytes in the new layout - bytes as written) / rate of the link       where padding makes them larger
 *   others                      a launch + bytes read / DRAM's read rate + bytes written / its write rate
 *
 * The second is the kernel that `coalesce rewrite` writes, which converts what was copied. Copies whose size is not known move the whole array.
 */
#include "model/predict.h"

#include <math.h>

/* Bytes of an element in all buffers, padding included. */
static double element_bytes(const struct placement *placement)
{
	double bytes = 0;
	for (unsigned b = 0; b < placement->buffer_count; b++)
		bytes += (double)placement->bytes_per_tile[b];
	return bytes / placement->tile;
}

/* Whether an element lies in one piece, as the host declares, fills and copies it. */
static bool is_whole(const struct placement *placement)
{
	return placement->buffer_count == 1 && placement->tile == 1;
}

/* Bytes of the largest array of a group in any launch, as written. */
static double array_bytes(const struct prediction *prediction, const struct layout_group *group)
{
	double bytes = 0;
	for (unsigned c = 0; c < prediction->case_count; c++)
		for (unsigned r = 0; r < prediction->cases[c].row_count; r++) {
			const struct ranked_layout *row = &prediction->cases[c].rows[r];
			for (unsigned b = 0; row->group == group && row->layout == group->written && b < row->view->buffer_count;
			     b++)
				if (row->view->owners[b].group == group)
					bytes = fmax(bytes, (double)row->view->buffers[b].bytes);
		}
	return bytes;
}

double verdict_switch_seconds(struct arena *arena, const struct prediction *prediction, const struct program_row *row)
{
	const struct analysis *analysis = prediction->analysis;
	const struct machine *machine = prediction->machine;
	const struct layout_group *group = row->group;
	double seconds = 0;
	if (row->layout == group->written || !group->record)
		return 0;
	const struct placement *written = layout_place(arena, group->written, group, LAYOUT_TILE_DEFAULT);
	const struct placement *other = layout_place(arena, row->layout, group, row->tile ? row->tile : LAYOUT_TILE_DEFAULT);
	double growth = element_bytes(other) / element_bytes(written);
	for (unsigned i = 0; i < analysis->host_copy_count; i++) {
		const struct host_copy *copy = &analysis->host_copies[i];
		if (copy->record != group->record)
			continue;
		double bytes = copy->bytes ? (double)copy->bytes : array_bytes(prediction, group);
		double convert = machine->launch_overhead_seconds.value +
		                 bytes / machine->dram_read_bandwidth_bytes_per_second.value +
		                 bytes * growth / machine->dram_write_bandwidth_bytes_per_second.value;
		double grow = fmax(0, growth - 1) * bytes / machine->link_bandwidth_bytes_per_second.value;
		seconds += (double)copy->times * (is_whole(other) && is_whole(written) ? grow : convert);
	}
	return seconds;
}

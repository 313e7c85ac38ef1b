/*
 * What a program pays for another layout of its records, beside its kernels, each time that they move between host and
 * device:
 *
 *   records that stay records   (bytes in the new layout - bytes as written) / rate of the memory's kind       where
 * padding makes them larger others                      a launch and the wait for it + the kernel that converts
 * (sweep/conversion.c) + the memory for what was copied, where it is allocated anew
 *
 * The second is what `coalesce rewrite` writes: memory is kept from copy to copy where copies come again and wait.
 * Managed memory is filled in the new layout by the host, and nothing is converted. Copies whose size is not known move
 * the whole array.
 */
#include "model/predict/predict.h"

#include <math.h>

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
			for (unsigned b = 0;
			     row->group == group && row->layout == group->written && b < row->view->buffer_count; b++)
				if (row->view->owners[b].group == group)
					bytes = fmax(bytes, (double)row->view->buffers[b].bytes);
		}
	return bytes;
}

/* A number of the evidence at a place of its axis; 0 where no file has it. */
static double evidence_at(const struct machine *machine, const char *name, double at)
{
	const struct machine_table *table = machine_table_find(machine, name);
	return table ? machine_table_at(table, at) : 0;
}

/* Bytes a second of copies and pages that move. */
static double copy_rate(const struct machine *machine, enum memory_kind kind, bool to_device)
{
	static const char *const names[][2] = {
		[MEMORY_PAGEABLE] = {"host.pageable_out_bytes_per_second", "host.pageable_in_bytes_per_second"},
		[MEMORY_MANAGED] = {"host.managed_out_bytes_per_second", "host.managed_in_bytes_per_second"}};
	double link = machine->link_bandwidth_bytes_per_second.value;
	double rate = kind == MEMORY_PINNED ? link : evidence_at(machine, names[kind][to_device], 0);
	return rate > 0 ? fmin(rate, link) : link;
}

double predict_copy_seconds(const struct machine *machine, enum memory_kind kind, bool to_device, double bytes)
{
	static const char *const names[][2] = {
		[MEMORY_PAGEABLE] = {"host.pageable_out_seconds", "host.pageable_in_seconds"},
		[MEMORY_PINNED] = {"host.pinned_out_seconds", "host.pinned_in_seconds"}};
	const struct machine_table *table =
		kind == MEMORY_MANAGED ? NULL : machine_table_find(machine, names[kind][to_device]);
	const double least = bytes / machine->link_bandwidth_bytes_per_second.value;
	if (!table || !table->at)
		return bytes / copy_rate(machine, kind, to_device);
	const double last = table->at[table->count - 1];
	return fmax(least,
	            bytes > last ? table->value[table->count - 1] * bytes / last : machine_table_at(table, bytes));
}

/* One copy's part. */
static double copy_seconds(const struct machine *machine, const struct host_copy *copy, const struct placement *written,
                           const struct placement *other, double bytes)
{
	double element = verdict_element_bytes(written), growth = verdict_element_bytes(other) / element - 1;
	if (copy->kind == MEMORY_MANAGED || (is_whole(other) && is_whole(written)))
		return fmax(0, growth) * bytes / copy_rate(machine, copy->kind, copy->to_device);
	double seconds = evidence_at(machine, "host.launch_seconds", 0);
	if (copy->is_async || (copy->is_known && copy->times == 1))
		seconds += evidence_at(machine, "host.allocation_seconds", bytes);
	return seconds + verdict_conversion_seconds(machine, copy->to_device ? written : other,
	                                            copy->to_device ? other : written, bytes / element);
}

double verdict_switch_seconds(struct arena *arena, const struct prediction *prediction, const struct program_row *row)
{
	const struct analysis *analysis = prediction->analysis;
	const struct layout_group *group = row->group;
	double seconds = 0;
	if (row->layout == group->written || !group->record)
		return 0;
	const struct placement *written = layout_place(arena, group->written, group, LAYOUT_TILE_DEFAULT);
	const struct placement *other =
		layout_place(arena, row->layout, group, row->tile ? row->tile : LAYOUT_TILE_DEFAULT);
	for (unsigned i = 0; i < analysis->host_copy_count; i++) {
		const struct host_copy *copy = &analysis->host_copies[i];
		if (copy->record == group->record)
			seconds += (double)copy->times *
			           copy_seconds(prediction->machine, copy, written, other,
			                        copy->bytes ? (double)copy->bytes : array_bytes(prediction, group));
	}
	return seconds;
}

/*
 * What it costs to convert records from the layout as written into the recommended one, and after how many launches
 * that has paid:
 *
 *   pack     = start of a launch + the longer of
 *                bytes read / DRAM's read rate + bytes written / its write rate
 *                what its stores take of the L2, by their strides (stride_cycles.l2_store_* of the machine file; where
 * it has none, nothing) back     = the same the other way round host     = (bytes read + bytes written) / rate of the
 * link: there in one layout, back in the other; what the host takes to copy comes on top launches = cost / (time of a
 * launch as written - time of it in the recommended layout)
 *
 * The kernel is the one that `coalesce rewrite` writes: a thread for each element, which copies its scalars one after
 * another. All sectors that it reads are used, and read once. Bytes are those of the whole records, padding and members
 * that this kernel does not touch included.
 */
#include "model/predict/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of all arrays that hold a group in that row. */
static double group_bytes(const struct ranked_layout *row)
{
	double bytes = 0;
	for (unsigned b = 0; b < row->view->buffer_count; b++)
		if (row->view->owners[b].group == row->group)
			bytes += (double)row->view->buffers[b].bytes;
	return bytes;
}

/* What starting a launch takes in the time that a row says; an empty kernel's where the model does not have it apart.
 */
static double start_seconds(const struct machine *machine, const struct estimate *estimate)
{
	for (unsigned i = 0; i < estimate->limit_count; i++)
		if (strcmp(estimate->limits[i].name, "launch") == 0)
			return estimate->limits[i].cycles / machine->sm_clock_hz.value;
	return machine->launch_overhead_seconds.value;
}

/* Elements of a group's arrays, padding of tiles included. */
static double group_elements(const struct ranked_layout *row, const struct placement *placement)
{
	double elements = 0;
	for (unsigned b = 0; b < row->view->buffer_count; b++)
		if (row->view->owners[b].group == row->group && row->view->owners[b].buffer == 0)
			elements += (double)row->view->buffers[b].bytes / (double)placement->bytes_per_tile[0] *
			            placement->tile;
	return elements;
}

static const struct placement *placement_of(const struct ranked_layout *row)
{
	return code_placement_of(row->view->groups, row->view->placements, row->group);
}

/* What the L2 takes for the stores to a layout, a scalar a thread at a time, all SMs at work. */
static double store_seconds(const struct machine *machine, const struct placement *placement, double elements)
{
	double cycles = 0;
	for (unsigned f = 0; f < placement->group->field_count; f++) {
		const unsigned size = (unsigned)placement->group->fields[f].size_bytes;
		char name[64];
		snprintf(name, sizeof name, "stride_cycles.l2_store_%u_bytes", size < 4 ? 4 : size);
		const struct machine_table *table = machine_table_find(machine, name);
		if (table)
			cycles += (double)placement->group->fields[f].count *
			          machine_table_at(table, (double)placement->fields[f].stride_bytes / size);
	}
	return cycles * elements / machine->sm_warp_lanes.value /
	       (machine->sm_count.value * machine->sm_clock_hz.value);
}

double verdict_element_bytes(const struct placement *placement)
{
	double bytes = 0;
	for (unsigned b = 0; b < placement->buffer_count; b++)
		bytes += (double)placement->bytes_per_tile[b];
	return bytes / placement->tile;
}

double verdict_conversion_seconds(const struct machine *machine, const struct placement *from,
                                  const struct placement *to, double elements)
{
	double dram = elements * (verdict_element_bytes(from) / machine->dram_read_bandwidth_bytes_per_second.value +
	                          verdict_element_bytes(to) / machine->dram_write_bandwidth_bytes_per_second.value);
	double l2 = store_seconds(machine, to, elements);
	return dram > l2 ? dram : l2;
}

void verdict_convert(const struct prediction *prediction, const struct case_result *result, struct verdict *verdict)
{
	if (verdict->written >= result->row_count || verdict->written == verdict->recommended)
		return;
	const struct ranked_layout *written = &result->rows[verdict->written],
				   *chosen = &result->rows[verdict->recommended];
	double read = group_bytes(written), gain = written->estimate->time_seconds - chosen->estimate->time_seconds;
	if (read <= 0 || group_bytes(chosen) <= 0 || gain <= 0)
		return;
	const struct machine *machine = prediction->machine;
	const double start = start_seconds(machine, chosen->estimate), bytes = read + group_bytes(chosen);
	const struct placement *from = placement_of(written), *to = placement_of(chosen);
	const double elements = group_elements(written, from);
	verdict->conversion =
		(struct conversion){.bytes = bytes,
	                            .pack_seconds = start + verdict_conversion_seconds(machine, from, to, elements),
	                            .back_seconds = start + verdict_conversion_seconds(machine, to, from, elements),
	                            .host_seconds = bytes / machine->link_bandwidth_bytes_per_second.value};
	verdict->conversion.pack_launches = ceil(verdict->conversion.pack_seconds / gain);
	verdict->conversion.host_launches = ceil(verdict->conversion.host_seconds / gain);
}

/*
 * What it costs to convert records from the layout as written into the recommended one, and after how many launches that has paid:
 *
 *   pack     = start of a launch + bytes read / DRAM's read rate + bytes written / its write rate: a kernel that copies each element, all of whose sectors are used
 *   host     = (bytes read + bytes written) / rate of the link: there in one layout, back in the other; what the host takes to copy comes on top
 *   launches = cost / (time of a launch as written - time of it in the recommended layout)
 *
 * Bytes are those of the whole records, padding and members that this kernel does not touch included.
 */
#include "model/predict.h"

#include <math.h>
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

/* What starting a launch takes in the time that a row says; an empty kernel's where the model does not have it apart. */
static double start_seconds(const struct machine *machine, const struct estimate *estimate)
{
	for (unsigned i = 0; i < estimate->limit_count; i++)
		if (strcmp(estimate->limits[i].name, "launch") == 0)
			return estimate->limits[i].cycles / machine->sm_clock_hz.value;
	return machine->launch_overhead_seconds.value;
}

static struct conversion conversion_between(const struct machine *machine, double start, double read, double written)
{
	struct conversion conversion = {.bytes = read + written};
	conversion.pack_seconds = start + read / machine->dram_read_bandwidth_bytes_per_second.value +
	                          written / machine->dram_write_bandwidth_bytes_per_second.value;
	conversion.host_seconds = (read + written) / machine->link_bandwidth_bytes_per_second.value;
	return conversion;
}

void verdict_convert(const struct prediction *prediction, const struct case_result *result, struct verdict *verdict)
{
	if (verdict->written >= result->row_count || verdict->written == verdict->recommended)
		return;
	const struct ranked_layout *written = &result->rows[verdict->written], *chosen = &result->rows[verdict->recommended];
	double read = group_bytes(written), gain = written->estimate->time_seconds - chosen->estimate->time_seconds;
	if (read <= 0 || group_bytes(chosen) <= 0 || gain <= 0)
		return;
	verdict->conversion = conversion_between(prediction->machine, start_seconds(prediction->machine, chosen->estimate), read,
	                                         group_bytes(chosen));
	verdict->conversion.pack_launches = ceil(verdict->conversion.pack_seconds / gain);
	verdict->conversion.host_launches = ceil(verdict->conversion.host_seconds / gain);
}

/*
 * --ncu: predicted counters under Nsight Compute's names, as `ncu --csv --metrics ...` prints measured ones, to be laid
 * beside them. A launch in a layout is a profiled launch: the process's name is the layout, IDs count on. Counters that
 * the model does not say are left out, and so is what only a run knows (process, host).
 */
#include "cli/report/report.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

/* Cycles of all warps by the stall, for each instruction issued. */
static double stalled(const struct launch_view *view, const struct estimate *estimate, enum cost_stall stall)
{
	double cycles = 0;
	if (!estimate->insns)
		return NAN;
	for (uint32_t i = 0; i < view->machine_code.function->insn_count; i++)
		cycles += estimate->insns[i].stalls[stall];
	return ratio(cycles, estimate->counts.warp_instructions);
}

static double waited(const struct launch_view *view, const struct estimate *estimate, const char *name)
{
	for (unsigned s = 0; s < COST_STALL_COUNT; s++)
		if (strcmp(cost_stall_name((enum cost_stall)s), name) == 0)
			return stalled(view, estimate, (enum cost_stall)s);
	return NAN;
}

/* X(metric, unit, what it is, value of `estimate` in `view`) */
#define METRICS(X)                                                                                                     \
	X("gpu__time_duration.sum", "ns", "time", 1e9 * estimate->time_seconds)                                        \
	X("smsp__inst_executed.sum", "inst", "instructions of warps", estimate->counts.warp_instructions)              \
	X("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request", "loads, global memory",                        \
	  estimate->counts.ld_requests)                                                                                \
	X("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "their sectors", estimate->counts.ld_sectors)    \
	X("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "sector/request",                    \
	  "sectors of a load", ratio(estimate->counts.ld_sectors, estimate->counts.ld_requests))                       \
	X("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "request", "stores, global memory",                       \
	  estimate->counts.st_requests)                                                                                \
	X("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", "their sectors", estimate->counts.st_sectors)    \
	X("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "sector/request",                    \
	  "sectors of a store", ratio(estimate->counts.st_sectors, estimate->counts.st_requests))                      \
	X("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "request", "loads, local memory",                          \
	  estimate->counts.local_ld_requests)                                                                          \
	X("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "sector", "their sectors",                                  \
	  estimate->counts.local_ld_sectors)                                                                           \
	X("l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "request", "stores, local memory",                         \
	  estimate->counts.local_st_requests)                                                                          \
	X("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "sector", "their sectors",                                  \
	  estimate->counts.local_st_sectors)                                                                           \
	X("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "request", "atomic operations whose result is used",    \
	  estimate->counts.atomic_requests)                                                                            \
	X("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "sector", "their sectors",                               \
	  estimate->counts.atomic_sectors)                                                                             \
	X("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "request", "reductions",                                 \
	  estimate->counts.reduction_requests)                                                                         \
	X("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "sector", "their sectors",                                \
	  estimate->counts.reduction_sectors)                                                                          \
	X("smsp__inst_executed_op_shared_ld.sum", "inst", "loads, shared memory", estimate->counts.shared_ld_requests) \
	X("smsp__inst_executed_op_shared_st.sum", "inst", "stores, shared memory",                                     \
	  estimate->counts.shared_st_requests)                                                                         \
	X("smsp__inst_executed_op_shared_atom.sum", "inst", "atomic operations, shared memory",                        \
	  estimate->counts.shared_atomic_requests)                                                                     \
	X("l1tex__t_sector_hit_rate.pct", "%", "hits of the L1", 100 * estimate->counts.l1_hit_rate)                   \
	X("lts__t_sectors_op_read.sum", "sector", "read at the L2", estimate->counts.l2_read_sectors)                  \
	X("lts__t_sectors_op_write.sum", "sector", "written at the L2", estimate->counts.l2_write_sectors)             \
	X("lts__t_sector_hit_rate.pct", "%", "hits of the L2", 100 * estimate->counts.l2_hit_rate)                     \
	X("dram__bytes_read.sum", "byte", "read from DRAM", estimate->counts.dram_read_bytes)                          \
	X("dram__bytes_write.sum", "byte", "written to DRAM",                                                          \
	  estimate->counts.dram_write_bytes - estimate->counts.l2_dirty_bytes)                                         \
	X("dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", "of DRAM's peak",                                 \
	  100 * report_dram_share(view->machine, estimate))                                                            \
	X("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "", "bank conflicts",                                  \
	  estimate->counts.shared_bank_conflicts)                                                                      \
	X("launch__registers_per_thread", "register/thread", "registers",                                              \
	  estimate->registers ? estimate->registers : NAN)                                                             \
	X("sm__maximum_warps_per_active_cycle_pct", "%", "occupancy", 100 * estimate->occupancy)                       \
	STALL("long_scoreboard")                                                                                       \
	STALL("short_scoreboard")                                                                                      \
	STALL("lg_throttle")                                                                                           \
	STALL("mio_throttle")                                                                                          \
	STALL("math_pipe_throttle")                                                                                    \
	STALL("barrier")                                                                                               \
	STALL("wait")                                                                                                  \
	STALL("not_selected")                                                                                          \
	STALL("selected")
/* Cycles that a warp waits for that reason for each instruction that is issued. */
#define STALL(reason)                                                                                                  \
	X("smsp__average_warps_issue_stalled_" reason "_per_issue_active.ratio", "inst", "waits: " reason,             \
	  waited(view, estimate, reason))

#define X(metric, unit, what, value) {metric, unit, what},
const struct report_metric report_metrics[] = {METRICS(X)};
#undef X
const unsigned report_metric_count = ARRAY_COUNT(report_metrics);

double report_metric(const struct launch_view *view, const struct estimate *estimate, unsigned which)
{
	unsigned at = 0;
#define X(metric, unit, what, value)                                                                                   \
	if (at++ == which)                                                                                             \
		return value;
	METRICS(X)
#undef X
	return NAN;
}

/* ---- CSV -------------------------------------------------------------------------------- */

static void field_print(struct text *out, const char *field, char after)
{
	text_puts(out, "\"");
	for (; *field; field++)
		text_printf(out, *field == '"' ? "\"\"" : "%c", *field);
	text_printf(out, "\"%c", after);
}

static const char *dimensions(struct arena *arena, const uint32_t value[3])
{
	return arena_printf(arena, "(%u, %u, %u)", value[0], value[1], value[2]);
}

static const char *value_text(struct arena *arena, double value)
{
	return value == floor(value) ? arena_printf(arena, "%.0f", value) : arena_printf(arena, "%.2f", value);
}

static void row_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                      const struct case_result *result, const struct ranked_layout *row, unsigned id)
{
	const char *capability = arena_printf(arena, "%u.%u", prediction->machine->capability_major,
	                                      prediction->machine->capability_minor);
	for (unsigned m = 0; m < report_metric_count; m++) {
		double value = report_metric(row->view, row->estimate, m);
		if (!isfinite(value))
			continue;
		field_print(out, arena_printf(arena, "%u", id), ',');
		field_print(out, "0", ',');
		field_print(out, report_layout_label(arena, row->layout, row->tile), ',');
		field_print(out, "coalesce", ',');
		field_print(out, result->launch->kernel->name, ',');
		field_print(out, "1", ',');
		field_print(out, "7", ',');
		field_print(out, dimensions(arena, result->launch->block), ',');
		field_print(out, dimensions(arena, result->launch->grid), ',');
		field_print(out, "0", ',');
		field_print(out, capability, ',');
		field_print(out, "Command line profiler metrics", ',');
		field_print(out, report_metrics[m].name, ',');
		field_print(out, report_metrics[m].unit, ',');
		field_print(out, value_text(arena, value), '\n');
	}
}

void report_ncu(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	unsigned id = 0;
	text_puts(
		out,
		"\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
		"Size\","
		"\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n");
	for (unsigned c = 0; c < prediction->case_count; c++)
		for (unsigned r = 0; r < prediction->cases[c].row_count; r++)
			row_print(out, arena, prediction, &prediction->cases[c], &prediction->cases[c].rows[r], id++);
}

/*
 * Whether a launch runs at all on a machine, and does anything: what cannot run has no time, and what touches no memory
 * has nothing to lay out.
 */
#include "model/cost/cost.h"

/* The shared memory that a block takes: what ptxas says where it was asked, else what the source declares; and what the
 * launch adds. */
static uint64_t shared_bytes(const struct launch_view *view)
{
	uint64_t fixed = view->resources ? view->resources->shared_bytes : view->launch->kernel->shared_bytes;
	return fixed + view->launch->dynamic_shared_bytes;
}

/* An extent of the grid or block that no GPU takes. */
static const char *extent_problem(struct arena *arena, const char *what, unsigned axis, int64_t value, uint32_t most)
{
	if (value < 1)
		return arena_printf(arena, "%s.%c is %lld, and at least 1 is needed: the launch fails", what,
		                    "xyz"[axis], (long long)value);
	if (value > most)
		return arena_printf(arena, "%s.%c is %lld, and at most %u is possible: the launch fails", what,
		                    "xyz"[axis], (long long)value, most);
	return NULL;
}

static const char *dimensions_problem(struct arena *arena, const struct launch_case *launch,
                                      const struct machine_limits *limits)
{
	const struct refused_extent *refused = &launch->refused;
	const char *problem = NULL;
	if (refused->name)
		return extent_problem(arena, refused->name, refused->axis, refused->value, INT32_MAX);
	for (unsigned axis = 0; axis < 3 && !problem; axis++)
		problem = extent_problem(arena, "gridDim", axis, launch->grid[axis], limits->grid[axis]);
	if (!problem)
		problem = extent_problem(arena, "blockDim", 2, launch->block[2], limits->block[2]);
	return problem;
}

static const char *block_problem(struct arena *arena, const struct launch_view *view,
                                 const struct machine_limits *limits)
{
	const uint32_t *block = view->launch->block;
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2], shared = shared_bytes(view);
	unsigned registers = view->resources ? view->resources->registers : 0;
	if (threads > limits->threads_per_block)
		return arena_printf(arena, "a block has %llu threads, and at most %u are possible",
		                    (unsigned long long)threads, limits->threads_per_block);
	if (shared > limits->shared_opt_in_bytes ||
	    cost_blocks_per_sm(view->machine, (unsigned)threads, 0, shared) == 0)
		return arena_printf(arena, "a block takes %llu bytes of shared memory, and at most %llu are possible",
		                    (unsigned long long)shared, (unsigned long long)limits->shared_opt_in_bytes);
	if (cost_blocks_per_sm(view->machine, (unsigned)threads, registers, shared) == 0)
		return arena_printf(arena, "%llu threads of %u registers each are more than an SM's %.0f registers",
		                    (unsigned long long)threads, registers, view->machine->sm_registers.value);
	return NULL;
}

/* A cluster that is too large, or does not divide the grid. */
static const char *cluster_problem(struct arena *arena, const struct launch_view *view,
                                   const struct machine_limits *limits)
{
	const uint32_t *cluster = view->ptx.function ? view->ptx.function->cluster_blocks : NULL;
	if (!cluster || cluster[0] == 0)
		return NULL;
	uint64_t blocks = (uint64_t)cluster[0] * cluster[1] * cluster[2];
	if (blocks > limits->cluster_blocks)
		return arena_printf(arena, "a cluster has %llu blocks, and at most %u are possible",
		                    (unsigned long long)blocks, limits->cluster_blocks);
	for (unsigned axis = 0; axis < 3; axis++)
		if (view->launch->grid[axis] % cluster[axis])
			return arena_printf(
				arena, "gridDim.%c is %u, which is no multiple of the cluster's %u: the launch fails",
				"xyz"[axis], view -> launch -> grid[axis], cluster[axis]);
	return NULL;
}

const char *cost_launch_problem(struct arena *arena, const struct launch_view *view)
{
	const struct machine_limits limits = machine_limits(view->machine);
	const char *problem = dimensions_problem(arena, view->launch, &limits);
	if (!problem)
		problem = block_problem(arena, view, &limits);
	return problem ? problem : cluster_problem(arena, view, &limits);
}

const char *cost_launch_asks(struct arena *arena, const struct launch_view *view)
{
	const struct machine_limits limits = machine_limits(view->machine);
	const uint32_t *cluster = view->ptx.function ? view->ptx.function->cluster_blocks : NULL;
	uint64_t shared = shared_bytes(view), blocks = cluster ? (uint64_t)cluster[0] * cluster[1] * cluster[2] : 0;
	if (shared > limits.shared_bytes)
		return arena_printf(
			arena,
			"a block of %s takes %llu bytes of shared memory: above %llu the launch fails without "
			"cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize)",
			view->launch->kernel->name, (unsigned long long)shared,
			(unsigned long long)limits.shared_bytes);
	if (blocks > limits.portable_cluster_blocks)
		return arena_printf(arena,
		                    "a cluster of %s has %llu blocks: above %u the launch fails without "
		                    "cudaFuncSetAttribute(cudaFuncAttributeNonPortableClusterSizeAllowed)",
		                    view->launch->kernel->name, (unsigned long long)blocks,
		                    limits.portable_cluster_blocks);
	return NULL;
}

/* Whether an instruction can be seen from outside of its thread. */
static bool is_effect(const struct ptx_insn *insn)
{
	if (ptx_insn_flags(insn) & (FLAG_CALL | FLAG_BARRIER))
		return true;
	return (ptx_insn_flags(insn) & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC)) && insn->space != SPACE_PARAM &&
	       insn->space != SPACE_CONST;
}

/* Whether issuing all instructions takes longer than a launch alone does. */
static bool takes_time(const struct launch_view *view)
{
	const struct machine *machine = view->machine;
	double slots = machine->sm_count.value * machine->sm_schedulers.value * machine->sm_issue_per_scheduler.value;
	double seconds = cost_executed_code(view)->evaluation->warp_instructions / slots / machine->sm_clock_hz.value;
	return seconds > machine->launch_overhead_seconds.value;
}

bool cost_launch_does_nothing(const struct launch_view *view)
{
	if (!view->ptx.evaluation)
		return view->launch->kernel->access_count == 0;
	for (size_t i = 0; i < view->ptx.function->insn_count; i++)
		if (view->ptx.evaluation->insns[i].executions > 0 && is_effect(&view->ptx.function->insns[i]))
			return false;
	return !takes_time(view);
}

/*
 * Whether a launch runs at all on a machine, and does anything: what cannot run has no time, and what touches no memory has nothing to lay out.
 */
#include "model/cost/cost.h"

/* The shared memory that a block takes: what ptxas says where it was asked, else what the source declares; and what the launch adds. */
static uint64_t shared_bytes(const struct launch_view *view)
{
	uint64_t fixed = view->resources ? view->resources->shared_bytes : view->launch->kernel->shared_bytes;
	return fixed + view->launch->dynamic_shared_bytes;
}

const char *cost_launch_problem(struct arena *arena, const struct launch_view *view)
{
	const struct machine *machine = view->machine;
	const uint32_t *block = view->launch->block;
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2], shared = shared_bytes(view);
	uint64_t most = (uint64_t)machine->sm_max_threads_per_block.value;
	unsigned registers = view->resources ? view->resources->registers : 0;
	if (threads > most)
		return arena_printf(arena, "a block has %llu threads, and at most %llu are possible", (unsigned long long)threads,
		                    (unsigned long long)most);
	if (cost_blocks_per_sm(machine, (unsigned)threads, 0, shared) == 0)
		return arena_printf(arena,
		                    "a block takes %llu bytes of shared memory, and an SM has %.0f, of which %.0f are reserved",
		                    (unsigned long long)shared, machine->sm_shared_memory_bytes.value,
		                    machine->sm_shared_memory_reserved_per_block_bytes.value);
	if (cost_blocks_per_sm(machine, (unsigned)threads, registers, shared) == 0)
		return arena_printf(arena, "%llu threads of %u registers each are more than an SM's %.0f registers",
		                    (unsigned long long)threads, registers, machine->sm_registers.value);
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

bool cost_launch_does_nothing(const struct launch_view *view)
{
	if (!view->ptx.evaluation)
		return view->launch->kernel->access_count == 0;
	for (size_t i = 0; i < view->ptx.function->insn_count; i++)
		if (view->ptx.evaluation->insns[i].executions > 0 && is_effect(&view->ptx.function->insns[i]))
			return false;
	return true;
}

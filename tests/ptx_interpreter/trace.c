/* Traces held against the interpreter: the same events in the same order, warp by warp. */
#include "tests/ptx_interpreter/compare.h"

struct trace_watch {
	struct tracer *tracer;
	struct trace **traces; /* of the warps of the block that is run */
	bool *lost, any_lost;  /* something was assumed: no longer to be compared */
	struct text *difference;
	uint64_t events;
};

struct trace_watch *trace_watch_make(struct arena *arena, const struct evaluate_input *input, struct text *difference)
{
	struct trace_watch *watch = arena_alloc(arena, sizeof(*watch));

	watch->tracer = tracer_make(arena, input);
	watch->traces = arena_array(arena, tracer_warps(watch->tracer) + 1, sizeof(struct trace *));
	watch->lost = arena_array(arena, tracer_warps(watch->tracer) + 1, sizeof(bool));
	watch->difference = difference;
	return watch;
}

uint64_t trace_watch_events(const struct trace_watch *watch)
{
	return watch->events;
}

bool trace_watch_lost(const struct trace_watch *watch)
{
	return watch->any_lost;
}

/* The next event of the warp that the oracle's is of; warps are opened when they are first met, and closed at their
 * end. */
static void next_event(struct trace_watch *watch, const struct interpreter_event *event, struct trace_event *got)
{
	struct trace **trace = &watch->traces[event->warp];

	if (!*trace) {
		*trace = trace_open(watch->tracer, event->block, event->warp);
		watch->lost[event->warp] = false;
	}
	trace_next(*trace, got);
	watch->lost[event->warp] |= trace_assumed(*trace);
	watch->any_lost |= watch->lost[event->warp];
	if (event->kind == INTERPRETER_EXIT) {
		trace_close(*trace);
		*trace = NULL;
	}
}

static bool same_addresses(const struct interpreter_event *event, const struct trace_event *got)
{
	uint64_t address[WARP_LANES];

	trace_lanes(got, address);
	if (event->mask && (got->address != TRACE_KNOWN || got->space != event->space))
		return false;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		if (event->mask >> lane & 1 && address[lane] != event->address[lane] &&
		    (event->space == SPACE_GLOBAL || (address[lane] & UINT32_MAX) != event->address[lane]))
			return false;
	return true;
}

static bool same_event(const struct interpreter_event *event, const struct trace_event *got)
{
	static const enum trace_kind kinds[] = {[INTERPRETER_BLOCK] = TRACE_BLOCK,
	                                        [INTERPRETER_REQUEST] = TRACE_REQUEST,
	                                        [INTERPRETER_BARRIER] = TRACE_BARRIER,
	                                        [INTERPRETER_EXIT] = TRACE_EXIT};

	if (got->kind != kinds[event->kind] || got->block != event->basic_block || got->insn != event->insn ||
	    got->mask != event->mask)
		return false;
	return event->kind != INTERPRETER_REQUEST || same_addresses(event, got);
}

void trace_watch_see(void *context, const struct interpreter_event *event)
{
	struct trace_watch *watch = context;
	struct trace_event got = {.kind = TRACE_EXIT};

	if (watch->difference->length)
		return;
	next_event(watch, event, &got);
	if (watch->lost[event->warp])
		return;
	watch->events++;
	if (!same_event(event, &got))
		text_printf(watch->difference,
		            "block %u,%u,%u warp %u: event %d in block %u at %u, lanes %#x, first address %#llx; is %d "
		            "in block %u "
		            "at %u, "
		            "lanes %#x, first address %#llx\n",
		            event->block[0], event->block[1], event->block[2], event->warp, (int)got.kind, got.block,
		            got.insn, got.mask, (unsigned long long)(got.lanes ? got.lanes[0] : got.base),
		            (int)event->kind, event->basic_block, event->insn, event->mask,
		            (unsigned long long)(event->address ? event->address[0] : 0));
}

/*
 * Streams, events and captured graphs. The device's clock is the host's plus the work that it was given, so that
 * programs which calibrate by times see plausible ones: a copy takes its bytes over the link, a kernel a cycle for each
 * thread of an SM. No prediction depends on them.
 */
#include "model/observe/runtime/runtime.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double worked_seconds;

void runtime_work(double seconds)
{
	double speed = runtime_clock_speed();
	worked_seconds += speed > 0 ? speed * seconds : seconds;
}

static double device_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + worked_seconds;
}

/* ---- streams and events --------------------------------------------------------------------- */

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	*stream = calloc(1, 64);
	return *stream ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
	(void)flags;
	return cudaStreamCreate(stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
	(void)flags;
	(void)priority;
	return cudaStreamCreate(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	(void)stream; /* its handle stays: a program may still name it */
	return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *context)
{
	(void)stream;
	function(context);
	return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *context, unsigned flags)
{
	(void)flags;
	callback(stream, cudaSuccess, context);
	return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
	(void)stream;
	*priority = 0;
	return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
	(void)stream;
	*flags = 0;
	return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	*least = 0;
	*greatest = -5;
	return cudaSuccess;
}

struct event {
	double seconds;
	bool recorded;
};

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	*event = calloc(1, sizeof(struct event));
	return *event ? cudaSuccess : cudaErrorMemoryAllocation;
}

#undef cudaEventCreateWithFlags
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
	(void)flags;
	return cudaEventCreate(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	(void)stream;
	if (!event)
		return cudaErrorInvalidResourceHandle;
	runtime_enter();
	*(struct event *)event = (struct event){device_seconds(), true};
	return runtime_end(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
	(void)flags;
	return cudaEventRecord(event, stream);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
	const struct event *first = (const struct event *)begin, *last = (const struct event *)end;
	runtime_enter();
	if (!first || !last || !first->recorded || !last->recorded)
		return runtime_end(cudaErrorInvalidResourceHandle);
	*milliseconds = (float)(1e3 * (last->seconds - first->seconds));
	return runtime_end(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	(void)event;
	return cudaSuccess;
}

/* ---- graphs -------------------------------------------------------------------------------- */

/* What a graph does, in order. A graph and what is made executable of it are the same list. */
struct captured_step {
	void (*replay)(void *context);
	void *context;
};
struct captured_graph {
	struct captured_step *steps;
	unsigned count;
};
static struct captured_graph *capturing;

bool runtime_captured(void (*replay)(void *context), const void *context, size_t bytes)
{
	if (!capturing)
		return false;
	struct captured_step *steps = realloc(capturing->steps, (capturing->count + 1) * sizeof *steps);
	void *copy = malloc(bytes);
	if (!steps || !copy)
		return false;
	memcpy(copy, context, bytes);
	capturing->steps = steps;
	capturing->steps[capturing->count++] = (struct captured_step){replay, copy};
	return true;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	(void)stream;
	(void)mode;
	runtime_enter();
	capturing = calloc(1, sizeof *capturing);
	return runtime_end(capturing ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	(void)stream;
	runtime_enter();
	*graph = (cudaGraph_t)capturing;
	capturing = NULL;
	return runtime_end(*graph ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	(void)stream;
	*status = capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
	return cudaSuccess;
}

#if CUDART_VERSION >= 12000
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags)
{
	(void)flags;
	*executable = (cudaGraphExec_t)graph;
	return cudaSuccess;
}
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, cudaGraphNode_t *node, char *text,
                                 size_t bytes)
{
	(void)node;
	(void)text;
	(void)bytes;
	*executable = (cudaGraphExec_t)graph;
	return cudaSuccess;
}
#endif

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags)
{
	(void)flags;
	*executable = (cudaGraphExec_t)graph;
	return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
	const struct captured_graph *graph = (const struct captured_graph *)executable;
	(void)stream;
	runtime_enter();
	for (unsigned i = 0; graph && i < graph->count; i++)
		graph->steps[i].replay(graph->steps[i].context);
	return runtime_end(graph ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
	if (!nodes)
		*count = ((const struct captured_graph *)graph)->count;
	return nodes ? (cudaError_t)runtime_unknown("cudaGraphGetNodes") : cudaSuccess;
}

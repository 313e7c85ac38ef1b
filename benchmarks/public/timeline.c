/*
 * Times every launch, copy and memset of a CUDA program, without a change to the program and without slowing its
 * kernels.
 *
 *     gcc -shared -fPIC -O2 -I$CUDA/include -o timeline.so timeline.c -L$CUPTI -lcupti
 *     CUDA_INJECTION64_PATH=./timeline.so TIMELINE=out.jsonl ./program
 *
 * Writes one JSON object a line, in the order in which the activities began:
 *     {"kind": "kernel", "name": mangled, "grid": [x, y, z], "block": [x, y, z], "registers": n, "shared": bytes,
 * "start": ns, "ns": duration}
 *     {"kind": "copy", "direction": CUpti_ActivityMemcpyKind, "bytes": n, "start": ns, "ns": duration}
 *     {"kind": "memset", "bytes": n, "start": ns, "ns": duration}
 */
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFER_BYTES (8u << 20)
#define BUFFER_ALIGN 8u

static FILE *out;

static void CUPTIAPI buffer_request(uint8_t **buffer, size_t *size, size_t *most)
{
	*buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
	*size = *buffer ? BUFFER_BYTES : 0;
	*most = 0;
}

static void record_write(const CUpti_Activity *record)
{
	if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
		const CUpti_ActivityKernel10 *k = (const void *)record;
		fprintf(out,
		        "{\"kind\": \"kernel\", \"name\": \"%s\", \"grid\": [%d, %d, %d], \"block\": [%d, %d, %d], "
		        "\"registers\": "
		        "%d, \"shared\": %d, "
		        "\"start\": %llu, \"ns\": %llu}\n",
		        k->name, k->gridX, k->gridY, k->gridZ, k->blockX, k->blockY, k->blockZ, k->registersPerThread,
		        k->staticSharedMemory + k->dynamicSharedMemory, (unsigned long long)k->start,
		        (unsigned long long)(k->end - k->start));
	} else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
		const CUpti_ActivityMemcpy6 *c = (const void *)record;
		fprintf(out,
		        "{\"kind\": \"copy\", \"direction\": %d, \"bytes\": %llu, \"start\": %llu, \"ns\": %llu}\n",
		        c->copyKind, (unsigned long long)c->bytes, (unsigned long long)c->start,
		        (unsigned long long)(c->end - c->start));
	} else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
		const CUpti_ActivityMemset4 *m = (const void *)record;
		fprintf(out, "{\"kind\": \"memset\", \"bytes\": %llu, \"start\": %llu, \"ns\": %llu}\n",
		        (unsigned long long)m->bytes, (unsigned long long)m->start,
		        (unsigned long long)(m->end - m->start));
	}
}

static void CUPTIAPI buffer_complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	CUpti_Activity *record = NULL;
	(void)context, (void)stream, (void)size;
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
		record_write(record);
	free(buffer);
}

static void finish(void)
{
	cuptiActivityFlushAll(1);
	fclose(out);
}

/* Called by the CUDA driver when it starts. Returns 1, as it asks for. */
int InitializeInjection(void)
{
	const char *path = getenv("TIMELINE");
	out = path ? fopen(path, "w") : NULL;
	if (!out)
		return 1;
	cuptiActivityRegisterCallbacks(buffer_request, buffer_complete);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
	atexit(finish);
	return 1;
}

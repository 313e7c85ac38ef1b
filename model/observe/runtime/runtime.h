/*
 * model/observe/runtime: a stand-in for the CUDA runtime. It is linked with the host half of a user's program, which
 * then runs without a GPU: device memory is host memory, copies are memcpy, kernels run where they were translated to C
 * and time is left (execute.c). Every launch, allocation, copy and memset goes into a log of JSON lines (observe.h has
 * the format).
 *
 *   log.c      the log, a mapped file: what stands there survives any end of the process
 *   memory.c   allocations, and who wrote each last
 *   content.c  what allocations hold, each content once
 *   copy.c     copies, memsets, symbols
 *   digest.c   what launches leave in memory, for runs that are compared
 *   keep.c     what copies bring to the host, for runs that are compared
 *   clock.c    the host's clocks, which runs that are compared have in common
 *   module.c   fat binaries: sizes of arguments, registers, variables
 *   launch.c   launches, grouped by what they do
 *   execute.c  kernels that run on this CPU
 *   device.c   properties, attributes, occupancy of the machine in device.h, which the builder writes
 *   stream.c   streams, events, graphs made by capture
 *   unknown.c  every other name of the runtime
 *
 * One lock guards all state. Functions with the prefix runtime_ expect it to be held, but for runtime_enter() and
 * runtime_end().
 */
#ifndef COALESCE_MODEL_OBSERVE_RUNTIME_RUNTIME_H
#define COALESCE_MODEL_OBSERVE_RUNTIME_RUNTIME_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes the lock; runtime_end() gives it back, keeps the error for cudaGetLastError(), and returns it. */
void runtime_enter(void);
cudaError_t runtime_end(cudaError_t error);

/* ---- log.c --------------------------------------------------------------------------- */

/* A number in the log that grows in place. */
struct runtime_counter {
	char *digits; /* NULL: the log is full, or there is none */
	uint64_t value;
};
/* Appends a line. Text goes through runtime_log_text() first. */
void runtime_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Appends a line that ends in "times", which the counter holds at 0. */
struct runtime_counter runtime_log_counted(const char *format, ...) __attribute__((format(printf, 1, 2)));
void runtime_count(struct runtime_counter *counter);
/* One more event of that number: the order of all. */
void runtime_order(unsigned event);
/* Appends {head,"data":"BASE64"}. False where the log has no room for it. */
bool runtime_log_data(const char *head, const void *data, size_t bytes);
/* The text as JSON wants it, without quotes; the caller frees it. */
char *runtime_log_text(const char *text);
unsigned runtime_event_new(void);

/* ---- memory.c ------------------------------------------------------------------------ */

enum runtime_kind { RUNTIME_DEVICE, RUNTIME_MANAGED, RUNTIME_PINNED, RUNTIME_VARIABLE, RUNTIME_REGISTERED };
/* KERNEL: one that did not run; EXECUTED: one that did. */
enum runtime_writer { RUNTIME_NOBODY, RUNTIME_HOST, RUNTIME_COPY, RUNTIME_SET, RUNTIME_KERNEL, RUNTIME_EXECUTED };
#define RUNTIME_KERNELS_MOST 4
/* Kernels that got a pointer into an allocation since the host wrote it; more than RUNTIME_KERNELS_MOST are counted
 * alone. */
struct runtime_passed {
	unsigned kernel, argument;
};
struct runtime_allocation {
	char *base;
	size_t size;
	unsigned id;
	enum runtime_kind kind;
	enum runtime_writer writer;
	struct runtime_passed passed[RUNTIME_KERNELS_MOST];
	unsigned passed_count;
	uint64_t version, content_version; /* of what the host put there; the one that content is of */
	unsigned content;                  /* number of its content, 0: none */
};
/* The allocation that an address lies in, or NULL. */
struct runtime_allocation *runtime_find(const void *address);
/* Zeroed memory of that kind; NULL where the card has no room. */
struct runtime_allocation *runtime_allocate(size_t size, enum runtime_kind kind);
void runtime_release(struct runtime_allocation *allocation);
/* The host side wrote so many bytes of it. Where that is not all, kernels that may have written it still count. */
void runtime_written(struct runtime_allocation *allocation, enum runtime_writer writer, size_t bytes);
void runtime_passed_add(struct runtime_allocation *allocation, unsigned kernel, unsigned argument);
size_t runtime_used(void);

/* ---- content.c ----------------------------------------------------------------------- */

/* The number of what an allocation holds, logged at the first time; 0 where that has more than `most` bytes. */
unsigned runtime_content(struct runtime_allocation *allocation, size_t most);

/* ---- copy.c -------------------------------------------------------------------------- */

/* The device's memory of a variable that the program registered, or of an address inside it; NULL: there is none. */
struct runtime_variable {
	const void *module;
	const char *host, *name;
	bool constant;
	struct runtime_allocation *memory;
};
/* Takes over module, host, name and constant. pointer: of managed memory, where the host keeps its address. */
void runtime_variable_add(struct runtime_variable variable, size_t size, const void *initial, void **pointer);
/* The memory of a module's variable, or NULL. */
void *runtime_variable_named(const void *module, const char *name);
/* Sums up all variables. */
void runtime_variables_digest(void);
/* Whether kernels can write a variable of the module. */
bool runtime_module_has_variables(const void *module);
/* Whether results of kernels were copied to the host since the last call. */
bool runtime_results_read(void);

/* ---- keep.c -------------------------------------------------------------------------- */

/* Keeps what a copy has brought to the host: rows of so many bytes, pitch bytes apart. */
void runtime_keep(const void *rows, size_t pitch, size_t width, size_t height);

/* ---- clock.c ------------------------------------------------------------------------- */

/* How fast clocks go that are not the system's; 0: they are. */
double runtime_clock_speed(void);

/* ---- module.c ------------------------------------------------------------------------ */

#define RUNTIME_PARAMETERS_MOST 256
struct runtime_parameter {
	unsigned offset, size;
	bool is_const;       /* a pointer to what the kernel cannot write through it */
	size_t content_most; /* bytes of content worth keeping, by its type */
};
struct runtime_kernel {
	const void *host, *module;
	const char *name;              /* mangled */
	const struct cpu_kernel *code; /* translated, or NULL */
	unsigned id;                   /* from 1 on, set by its first launch; 0: none yet */
	struct runtime_parameter *parameters;
	unsigned parameter_count;
	unsigned registers, shared_bytes, local_bytes, threads_most;
	int carveout, dynamic_shared_most; /* cudaFuncSetAttribute() */
};
/* The hash of a module's PTX, as cpu_hash() makes it, or NULL. */
const char *runtime_module_text(const void *module);
/* By the host's function or by a handle; NULL: it is none. */
struct runtime_kernel *runtime_kernel_find(const void *function);

/* ---- launch.c ------------------------------------------------------------------------ */

struct runtime_launch {
	struct runtime_kernel *kernel;
	dim3 grid, block;
	size_t shared;
	bool cooperative;
};
/* Records a launch whose arguments lie one after another at the parameters' offsets. */
cudaError_t runtime_launch(const struct runtime_launch *launch, const unsigned char *arguments);

/* ---- execute.c ----------------------------------------------------------------------- */

/* A pointer among the arguments of a launch. */
struct runtime_pointer {
	unsigned argument, at; /* at: byte in the argument */
	struct runtime_allocation *to;
	size_t offset;
};
/* Runs a launch. Returns NULL where it ran to its end, else why it did not; *fault: what the kernel does is to blame,
 * not a limit. */
const char *runtime_execute(const struct runtime_launch *launch, const unsigned char *arguments,
                            const struct runtime_pointer *pointers, unsigned pointer_count, bool *fault);
/* How many launches have run: each may have written any memory. */
uint64_t runtime_executed_count(void);

/* ---- digest.c ------------------------------------------------------------------------ */

/* Sums up what a launch has left in the memory that it got pointers to. */
void runtime_digest_launch(const struct runtime_kernel *kernel, const struct runtime_pointer *pointers,
                           unsigned pointer_count);
/* An allocation is about to be freed. */
void runtime_digest_release(const struct runtime_allocation *allocation);
void runtime_digest_variable(const char *name, const struct runtime_allocation *memory);

/* ---- device.c ------------------------------------------------------------------------ */

extern const struct cudaDeviceProp *runtime_device(void);

/* ---- stream.c ------------------------------------------------------------------------ */

/* The device worked so many seconds. */
void runtime_work(double seconds);
/* Whether what is asked for now goes into a graph: then the function is called at each launch of it, and frees nothing.
 */
bool runtime_captured(void (*replay)(void *context), const void *context, size_t bytes);

/* ---- unknown.c ----------------------------------------------------------------------- */

/* Logs the name of a function that does not exist here, once, and returns cudaErrorNotSupported. */
int runtime_unknown(const char *name);

#endif

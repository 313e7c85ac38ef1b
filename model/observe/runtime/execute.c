/*
 * Launches that really run: kernels that were translated from their PTX, in a shared object beside the program. The
 * time for them is limited. What a kernel that did not run may have written is not known; a kernel that may read it
 * does not run, either.
 */
#include "model/cpu/support/support.h"
#include "model/observe/runtime/runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	bool opened;
	const struct cpu_module *modules;
	unsigned module_count;
	const char *(*run)(struct cpu_launch *launch);
	double seconds; /* left */
	double bytes;   /* of device memory, at most: kernels touch what was only asked for */
	bool variables_unknown, reversed;
	uint64_t count;
} executor;

uint64_t runtime_executed_count(void)
{
	return executor.count;
}

static void executor_open(void)
{
	const char *path = getenv("COALESCE_KERNELS"), *seconds = getenv("COALESCE_KERNEL_SECONDS"),
		   *bytes = getenv("COALESCE_KERNEL_BYTES");
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	executor.opened = true;
	executor.reversed = getenv("COALESCE_KERNELS_REVERSED") != NULL;
	executor.seconds = seconds ? strtod(seconds, NULL) : 0;
	executor.bytes = bytes ? strtod(bytes, NULL) : 0;
	if (!library)
		return;
	executor.modules = dlsym(library, "cpu_modules");
	executor.module_count = *(const unsigned *)dlsym(library, "cpu_module_count");
	*(void **)&executor.run = dlsym(library, "cpu_run");
}

/* ---- kernels and variables ------------------------------------------------------------------ */

static void *variable_make(const struct cpu_variable *variable)
{
	size_t align = variable->align < 16 ? 16 : variable->align;
	char *memory = aligned_alloc(align, (variable->bytes + align) / align * align);
	if (!memory)
		return NULL;
	memset(memory, 0, variable->bytes);
	memcpy(memory, variable->initial,
	       variable->initial_bytes < variable->bytes ? variable->initial_bytes : variable->bytes);
	return memory;
}

/* Variables that the program registered lie where its host code finds them; those of the compiler in memory of their
 * own. */
static void variables_bind(const struct cpu_module *module, const void *registered)
{
	for (unsigned v = 0; v < module->variable_count; v++) {
		void *memory = runtime_variable_named(registered, module->variables[v].name);
		if (!module->addresses[v])
			module->addresses[v] = memory ? memory : variable_make(&module->variables[v]);
	}
}

static const struct cpu_kernel *kernel_find(const struct runtime_kernel *kernel)
{
	const char *text = runtime_module_text(kernel->module);
	for (unsigned m = 0; text && m < executor.module_count; m++) {
		const struct cpu_module *module = &executor.modules[m];
		if (strcmp(module->text, text) != 0)
			continue;
		for (unsigned k = 0; k < module->kernel_count; k++)
			if (strcmp(module->kernels[k].name, kernel->name) == 0) {
				variables_bind(module, kernel->module);
				return &module->kernels[k];
			}
	}
	return NULL;
}

/* ---- one launch --------------------------------------------------------------------------------- */

/* Whether a launch may read what a kernel that did not run may have written. */
static bool reads_unknown(const struct runtime_kernel *kernel, const struct runtime_pointer *pointers, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (pointers[i].to->writer == RUNTIME_KERNEL)
			return true;
	return executor.variables_unknown && runtime_module_has_variables(kernel->module);
}

static const char *launch_run(const struct runtime_launch *launch, const unsigned char *arguments, bool *fault)
{
	struct cpu_launch run = {.kernel = launch->kernel->code,
	                         .parameters = arguments,
	                         .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
	                         .block = {launch->block.x, launch->block.y, launch->block.z},
	                         .dynamic_shared_bytes = (unsigned)launch->shared,
	                         .seconds = executor.seconds,
	                         .reversed = executor.reversed};
	const char *why = executor.run(&run);
	executor.seconds -= run.used;
	executor.count++;
	*fault = why && !run.limited;
	return why && executor.seconds <= 0 ? "the time for kernels is over" : why;
}

const char *runtime_execute(const struct runtime_launch *launch, const unsigned char *arguments,
                            const struct runtime_pointer *pointers, unsigned pointer_count, bool *fault)
{
	struct runtime_kernel *kernel = launch->kernel;
	const char *why = NULL;
	*fault = false;
	if (!executor.opened)
		executor_open();
	if (!executor.run)
		why = "kernels do not run";
	else if (!kernel->code && !(kernel->code = kernel_find(kernel)))
		why = "it has no PTX in the program";
	else if (kernel->code->refused)
		why = kernel->code->refused;
	else if ((double)runtime_used() > executor.bytes)
		why = "the program has more device memory than half of --limit-memory";
	else if (executor.seconds <= 0)
		why = "the time for kernels is over";
	else if (reads_unknown(kernel, pointers, pointer_count))
		why = "it may read what a kernel that did not run may have written";
	else
		why = launch_run(launch, arguments, fault);
	if (why && runtime_module_has_variables(kernel->module))
		executor.variables_unknown = true;
	return why;
}

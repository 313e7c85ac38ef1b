/*
 * Variables in device memory: __device__, __constant__ and __managed__ ones, by the addresses of their shadows in the
 * host's code.
 */
#include "model/observe/runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOGGED_BYTES_MOST 65536 /* of a write that is logged with its data */
#define LOGGED_WRITES_MOST 256

static struct runtime_variable *variables;
static unsigned variable_count, logged_writes;

void runtime_variable_add(struct runtime_variable variable, size_t size, const void *initial, void **pointer)
{
	struct runtime_variable *list = realloc(variables, (variable_count + 1) * sizeof *variables);
	variable.memory = runtime_allocate(size, pointer ? RUNTIME_MANAGED : RUNTIME_VARIABLE);
	if (!list || !variable.memory)
		return;
	variables = list;
	variables[variable_count++] = variable;
	if (initial)
		memcpy(variable.memory->base, initial, size);
	if (pointer)
		*pointer = variable.memory->base;
}

void *runtime_variable_named(const void *module, const char *name)
{
	for (unsigned i = 0; i < variable_count; i++)
		if (variables[i].module == module && strcmp(variables[i].name, name) == 0)
			return variables[i].memory->base;
	return NULL;
}

bool runtime_module_has_variables(const void *module)
{
	for (unsigned i = 0; i < variable_count; i++)
		if (variables[i].module == module && !variables[i].constant)
			return true;
	return false;
}

void runtime_variables_digest(void)
{
	for (unsigned i = 0; i < variable_count; i++)
		runtime_digest_variable(variables[i].name, variables[i].memory);
}

static struct runtime_variable *variable_find(const void *symbol)
{
	for (unsigned i = 0; i < variable_count; i++)
		if (variables[i].host == symbol || variables[i].memory->base == symbol)
			return &variables[i];
	return NULL;
}

/* The memory at an offset in a variable that has so many bytes from there on; NULL: it has not. */
static char *variable_at(const struct runtime_variable *variable, size_t offset, size_t bytes)
{
	bool fits = variable && offset <= variable->memory->size && bytes <= variable->memory->size - offset;
	return fits ? variable->memory->base + offset : NULL;
}

static void write_log(const struct runtime_variable *variable, size_t offset, size_t bytes)
{
	char head[600];
	char *name = runtime_log_text(variable->name);
	if (name && bytes <= LOGGED_BYTES_MOST && logged_writes < LOGGED_WRITES_MOST && strlen(name) < 400) {
		snprintf(head, sizeof head, "{\"symbol\":\"%s\",\"bytes\":%zu,\"offset\":%zu", name,
		         variable->memory->size, offset);
		logged_writes += runtime_log_data(head, variable->memory->base + offset, bytes);
	}
	free(name);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
	runtime_enter();
	const struct runtime_variable *variable = variable_find(symbol);
	char *to = variable_at(variable, offset, bytes);
	runtime_end(cudaSuccess);
	(void)kind;
	if (!to) {
		runtime_enter();
		return runtime_end(variable ? cudaErrorInvalidValue : cudaErrorInvalidSymbol);
	}
	bool changes = memcmp(to, from, bytes) != 0 || variable->memory->writer == RUNTIME_NOBODY;
	cudaError_t error = cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
	runtime_enter();
	if (error == cudaSuccess && changes)
		write_log(variable, offset, bytes);
	return runtime_end(error);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
	(void)kind;
	runtime_enter();
	char *from = variable_at(variable_find(symbol), offset, bytes);
	cudaError_t error = runtime_end(from ? cudaSuccess : cudaErrorInvalidSymbol);
	return error == cudaSuccess ? cudaMemcpy(to, from, bytes, cudaMemcpyDefault) : error;
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
	runtime_enter();
	*pointer = variable_at(variable_find(symbol), 0, 0);
	return runtime_end(*pointer ? cudaSuccess : cudaErrorInvalidSymbol);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
	runtime_enter();
	const struct runtime_variable *variable = variable_find(symbol);
	*size = variable ? variable->memory->size : 0;
	return runtime_end(variable ? cudaSuccess : cudaErrorInvalidSymbol);
}

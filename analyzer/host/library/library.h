/*
 * analyzer/host/library: what the headers of the system and of CUDA offer to host code that decides on launches.
 * object.c has the types that are followed and what their constructors make, library.c strings, containers, owning
 * pointers, memory and swaps; stream.c texts that are read from; arguments.c main's command line and what reads it;
 * device.c what the runtime tells of the device. Names begin with host_.
 */
#ifndef COALESCE_ANALYZER_HOST_LIBRARY_LIBRARY_H
#define COALESCE_ANALYZER_HOST_LIBRARY_LIBRARY_H

#include "analyzer/host/host.h"

/* ---- object.c -------------------------------------------------------------------------------- */

/* More elements of a container that grows are not followed. */
#define ELEMENTS_MAX 64

enum library_type {
	TYPE_OTHER,
	TYPE_CONTAINER,
	TYPE_ARRAY,
	TYPE_MAP,
	TYPE_STRING,
	TYPE_STREAM,
	TYPE_POINTER,
	TYPE_FUNCTION
};

/* Which of them a type is, by its name without template arguments: std::vector, thrust::device_vector, ... */
enum library_type host_library_type(const struct source_type *type);
/* The object that a constructor of the system's headers makes: a string, a container; NULL for others. */
const struct host_constant *host_library_object(struct host *host, const struct node *node);

/* Where the value of a key stands among the members of a map; false for keys that are not known. */
bool host_map_slot(const struct host_constant *key, uint64_t *slot);

/* ---- library.c ------------------------------------------------------------------------------- */

/* What a call of a function or method of the system's headers gives; NULL where it is none that is known. */
const struct host_constant *host_library(struct host *host, const struct node *node,
                                         const struct host_constant *const *arguments);
/* Puts a value where an argument points to: &x, or a pointer that is known. */
void host_set_argument(struct host *host, const struct node *argument, const struct host_constant *value);
/* Puts a pointer to so many bytes of that kind there; device memory counts as PAGEABLE. */
void host_allocate(struct host *host, const struct node *argument, const struct host_constant *bytes,
                   enum memory_kind kind);

/* ---- bytes.c --------------------------------------------------------------------------------- */

/* memcpy(), memmove() and memset() to a variable of the host; NULL for other calls. */
const struct host_constant *host_copy_bytes(struct host *host, const struct node *node,
                                            const struct host_constant *const *arguments);

/* ---- element.c ------------------------------------------------------------------------------- */

/* Where a node names an element of a container, or a member of one: it has that value from now on; NULL: any. */
void host_store_element(struct host *host, const struct node *node, const struct host_constant *value);
/* Whether a name is in a list that NULL ends. */
bool host_is_one_of(const char *name, const char *const *names);

/* ---- stream.c -------------------------------------------------------------------------------- */

/* in >> n, where the stream is a text; NULL for others. */
const struct host_constant *host_read_stream(struct host *host, const struct node *node);
/* What a stream on a file says of itself; NULL for other calls. */
const struct host_constant *host_stream_state(struct host *host, const struct node *node);

/* ---- symbol.c -------------------------------------------------------------------------------- */

/* cudaMemcpyToSymbol(): takes down what is copied; NULL for other calls. */
const struct host_constant *host_symbol_copy(struct host *host, const struct node *node,
                                             const struct host_constant *const *arguments);

/* ---- device.c -------------------------------------------------------------------------------- */

/* prop.multiProcessorCount, prop.maxGridSize[0] and their like; NULL for other members and elements. */
const struct host_constant *host_device_property(struct host *host, const struct node *node);
/* Calls of the runtime that ask for the device or for occupancy; NULL for others. */
const struct host_constant *host_device_call(struct host *host, const struct node *node,
                                             const struct host_constant *const *arguments);

/* ---- arguments.c ----------------------------------------------------------------------------- */

/* Gives main its argc and argv, where the program's command line is known. */
void host_bind_arguments(struct host *host, const struct source_function *function);
/* Parts of a std::string and places in it: substr, find. NULL for other names. */
const struct host_constant *host_text_part(struct host *host, const char *name, const char *text,
                                           const struct host_constant *first, const struct host_constant *second);
/* Functions that read strings: atoi, strtol, std::stoi, strcmp, getopt, sscanf; NULL for others. */
const struct host_constant *host_parse(struct host *host, const struct node *node,
                                       const struct host_constant *const *arguments);

#endif

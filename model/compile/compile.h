/*
 * compile: device code -> PTX, machine code, and what ptxas says of each kernel. What the compiler does with a layout
 * is the reason why this tool reads PTX at all, so every layout is compiled for real, in one call.
 *
 *   compile.c  which road is taken, and reading what it gives
 *   store.c    what NVRTC gave, kept for other processes
 *   programs.c a unit cut into programs, compiled beside each other
 *   nvcc.c     one run of nvcc: takes everything, and reads the toolkit's headers each time; also for whole programs,
 * whether they compile call.c     what nvcc is called with: nothing that a shell could read (call.h) nvrtc.c NVIDIA's
 * run-time compiler, loaded in a child process (nvrtc.h) slice.c    a translation unit for NVRTC: options, headers that
 * it need not read, and what it must not be given
 *
 * NVRTC gives the code that nvcc gives in a third of the time, but takes device code alone. Whatever it refuses, nvcc
 * compiles. Prefix: compile_, nvrtc_, nvcc_.
 */
#ifndef COALESCE_MODEL_COMPILE_COMPILE_H
#define COALESCE_MODEL_COMPILE_COMPILE_H

#include "base/toolkit/toolkit.h"
#include "model/compile/call.h"
#include "model/compile/nvrtc.h"
#include "ptxparse/ptxparse.h"
#include "ptxparse/sass/sass.h"

/* Which compiler: AUTO takes NVRTC where it is there and takes the code, else nvcc. X(name, text). */
#define COMPILE_ROADS(X) X(AUTO, auto) X(NVRTC, nvrtc) X(NVCC, nvcc)
enum compile_road {
#define X(name, text) COMPILE_##name,
	COMPILE_ROADS(X)
#undef X
};

struct compile_header {
	const char *name, *text;
};
struct compile_request {
	const struct toolkit *toolkit;
	const char *target;      /* "sm_90" */
	const char *source_path; /* quoted includes are searched in its folder */
	const char *text;
	const struct compile_header *headers; /* of compile_check_program(): files beside the text */
	unsigned header_count;
	const char *const *flags; /* of the user: -D, -I, -std= */
	unsigned flag_count;
	const char *const *instances; /* names of the kernels that the text must give code of, for NVRTC; nvcc finds
	                                 them in the text */
	unsigned instance_count;
	bool machine_code;                  /* also read the machine code */
	const struct ptx_content *contents; /* of variables in constant memory, that the host is known to fill */
	size_t content_count;
	enum compile_road road;
	struct nvrtc_warming *warming; /* NVRTC being opened, or NULL: then nvcc compiles */
	struct process_limits limits;
	struct compile_store *store; /* or NULL */
	bool *exceeded;              /* set where a compiler reached a limit (reported): another would too; or NULL */
	struct tool_time *time;      /* what compile_text() takes is added, also where it fails; or NULL */
};
/* A part of a unit that can be compiled alone. */
struct compile_program {
	const char *text;
	const char *const *instances;
	unsigned instance_count;
};

/* What ptxas says of one kernel. */
struct kernel_resources {
	const char *mangled;
	unsigned registers, barriers;
	uint64_t stack_bytes, spill_store_bytes, spill_load_bytes, shared_bytes;
};

struct compilation {
	const struct ptx_module *module; /* analysed */
	struct kernel_resources *resources;
	unsigned resource_count;
	const struct ptx_module *machine_code; /* what ptxas made of it, or NULL */
	const char *compiler;                  /* "nvrtc" or "nvcc" */
	const char *refusal;                   /* why it is not NVRTC, or NULL */
	struct tool_time time;                 /* in compilers */
};

/* Keeps what NVRTC compiles for processes that are forked later; NULL where there is no memory for it. It lasts as long
 * as the arena. */
struct compile_store;
struct compile_store *compile_store_create(struct arena *arena);
/*
 * Compiles a translation unit. Returns NULL when the compiler fails (its messages are reported, with the source's lines
 * where #line gives them) or is missing.
 */
struct compilation *compile_text(struct arena *arena, const struct compile_request *request,
                                 struct diagnostics *diagnostics);
/*
 * Compiles programs with NVRTC, by at most `threads` threads; of the request all but text and instances is taken.
 * Returns one compilation for each; NULL where NVRTC does not take one of them (*refusal says why): then the whole is
 * for nvcc. *time: what all took is added.
 */
struct compilation **compile_programs(struct arena *arena, const struct compile_request *request,
                                      const struct compile_program *programs, unsigned count, unsigned threads,
                                      const char **refusal, struct tool_time *time, struct diagnostics *diagnostics);
/* Reads and analyses a PTX file of the user's. NULL when it cannot be read or parsed (reported). */
const struct ptx_module *compile_read_ptx(struct arena *arena, const char *path, bool follow,
                                          struct diagnostics *diagnostics);
/* What messages of compile_check_program() call the text. */
#define COMPILE_CHECKED_FILE "program.cu"
/*
 * Whether the text compiles as a program's source, kernels and host side, with nvcc; what is wrong is reported, with
 * COMPILE_CHECKED_FILE as the file where it is in the text. Where nvcc cannot be started a note says so, and the text
 * counts as right. Of the request it takes toolkit, target, source_path, text, headers and flags.
 */
bool compile_check_program(struct arena *arena, const struct compile_request *request, struct diagnostics *diagnostics);
const struct kernel_resources *compile_resources(const struct compilation *compilation, const char *mangled);

/* ---- between the files of the room ---------------------------------------------------- */

/* What a road leaves. failed: its messages are errors of the user's code, or it could not be run. */
struct compile_output {
	bool failed, exceeded; /* exceeded: a limit was reached */
	const char *ptx;
	size_t ptx_length;
	const void *cubin;
	size_t cubin_length;
	const char *messages; /* of ptxas */
	struct tool_time time;
};
/* NVRTC where it is wanted, there, and may be asked; else NULL, and why (NULL: it is not wanted). */
const struct nvrtc *compile_nvrtc_wanted(const struct compile_request *request, const char **refusal,
                                         struct tool_time *time);
/* Reads what a compiler left. Returns NULL where it is no PTX (reported). */
struct compilation *compile_output_read(struct arena *arena, const struct compile_request *request,
                                        const struct compile_output *output, struct diagnostics *diagnostics);
/* The line of NVRTC's messages that says why it gave up. */
const char *compile_first_error(struct arena *arena, const char *messages);
/* One run of nvcc; what is wrong is reported. */
struct compile_output compile_nvcc(struct arena *arena, const struct compile_request *request,
                                   struct diagnostics *diagnostics);
/* With NVRTC; nothing is reported, since nvcc says it better. */
struct compile_output compile_nvrtc(struct arena *arena, const struct nvrtc *nvrtc,
                                    const struct compile_request *request);
/* Why NVRTC should not be asked: a flag or a construct for which its code is another than nvcc's. NULL: it may be. */
const char *compile_nvrtc_refusal(const struct compile_request *request);
/* An -I folder that is not absolute is relative to where the user stands, not to the folder a compiler runs in. */
const char *compile_flag(struct arena *arena, const char *flag);
/* The folder of a file, absolute. */
const char *compile_folder(struct arena *arena, const char *path);

#endif

/*
 * libcoalesce: what `coalesce predict` does, for other programs: which memory layout of a CUDA kernel's records is
 * fastest on a GPU, by how much, and why.
 *
 *     struct coalesce_request *request = coalesce_request_create("nbody.cu");
 *     coalesce_request_option(request, "machine", "a100");
 *     struct coalesce_prediction *prediction = coalesce_predict(request);
 *     ... coalesce_prediction_status(), coalesce_verdict(), coalesce_view(prediction, "json", NULL) ...
 *     coalesce_prediction_free(prediction);
 *     coalesce_request_free(request);
 *
 * Failures are values: no function ends the process, prints, or changes the locale, signals or environment of its
 * caller. A request and a prediction are used by one thread at a time; different ones by different threads at once.
 * libclang reads the source in a child process of its own, made by fork(); a thread of the caller's should not be
 * inside of dlopen() at that moment.
 *
 * What a function gives belongs to the handle that it was asked of, and is valid until that is freed; nothing else is
 * freed by the caller. Every function takes NULL for a handle. Texts are UTF-8 and end with a zero.
 *
 * Versions: the number of COALESCE_API is that of the shared library's name (libcoalesce.so.1) and of its symbols.
 * Under the same number functions, members at the end of structures and numbers of enumerations may be added, none is
 * changed or dropped.
 */
#ifndef COALESCE_H
#define COALESCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COALESCE_API 1

#if defined(__GNUC__)
#define COALESCE_EXPORT __attribute__((visibility("default")))
#else
#define COALESCE_EXPORT
#endif

/* How a call ended; the same numbers as the program's exit codes, but for the last. */
enum coalesce_status {
	COALESCE_OK = 0,
	COALESCE_INPUT = 1,        /* the source could not be analysed */
	COALESCE_USAGE = 2,        /* an option, index or name that there is not */
	COALESCE_TOOL_MISSING = 3, /* no CUDA toolkit, say: the message tells how to get it */
	COALESCE_BUG = 70,         /* a bug of ours; the handle can be freed, and other ones be used */
	COALESCE_MEMORY = 71       /* out of memory */
};
/* "ok", "input", ... */
COALESCE_EXPORT const char *coalesce_status_name(enum coalesce_status status);
/* Of the library that is loaded: "1.0.0", and its COALESCE_API. */
COALESCE_EXPORT const char *coalesce_version(void);
COALESCE_EXPORT unsigned coalesce_api(void);

/* ---- what is asked ------------------------------------------------------------------------------ */

struct coalesce_request;

/* path: of the source file, as messages show it. NULL where there is no memory. */
COALESCE_EXPORT struct coalesce_request *coalesce_request_create(const char *path);
COALESCE_EXPORT void coalesce_request_free(struct coalesce_request *request);
/* The source itself, copied: then nothing has to lie at the path, whose folder still is the one of #include "...". */
COALESCE_EXPORT enum coalesce_status coalesce_request_text(struct coalesce_request *request, const char *text,
                                                           size_t length);
/*
 * An option of `coalesce predict` that says what is predicted, by its name without dashes: ("machine", "a100"), ("arg",
 * "n=1<<20"), ("group", "x,y,z"); value NULL for one that takes none ("explain": the views explain and html also say
 * what changes would be worth). `coalesce help predict` lists them. An option may be given as often as there.
 * COALESCE_USAGE for what is no option or no value of it: then the request is as before, and coalesce_request_error()
 * says why.
 */
COALESCE_EXPORT enum coalesce_status coalesce_request_option(struct coalesce_request *request, const char *name,
                                                             const char *value);
/* A flag of nvcc: "-DN=4096", "-Iinclude", "-std=c++17". */
COALESCE_EXPORT enum coalesce_status coalesce_request_flag(struct coalesce_request *request, const char *flag);
/* The next word of the command line with which the program that is read would be called. */
COALESCE_EXPORT enum coalesce_status coalesce_request_argument(struct coalesce_request *request, const char *word);
/* Why the last call was refused; "" where it was not. */
COALESCE_EXPORT const char *coalesce_request_error(const struct coalesce_request *request);

/* ---- the answer --------------------------------------------------------------------------------- */

struct coalesce_prediction;

/* Predicts; takes from tenths of a second to seconds. NULL only where there is no memory at all. The request may be
 * asked again, changed or freed. */
COALESCE_EXPORT struct coalesce_prediction *coalesce_predict(const struct coalesce_request *request);
COALESCE_EXPORT void coalesce_prediction_free(struct coalesce_prediction *prediction);
/* COALESCE_OK where there is a verdict; else messages say why there is none, and there are no kernels. */
COALESCE_EXPORT enum coalesce_status coalesce_prediction_status(const struct coalesce_prediction *prediction);

/*
 * The structures below are filled up to the size that the caller's compiler knows, and zero beyond what the library
 * knows: pass sizeof. COALESCE_USAGE where there is no such index. A number that is not known is NAN, a text that there
 * is not NULL.
 */

enum coalesce_severity { COALESCE_NOTE = 0, COALESCE_WARNING = 1, COALESCE_ERROR = 2 };
struct coalesce_message {
	enum coalesce_severity severity;
	unsigned line, column; /* from 1; 0: not known */
	const char *file, *text;
};
COALESCE_EXPORT size_t coalesce_message_count(const struct coalesce_prediction *prediction);
COALESCE_EXPORT enum coalesce_status coalesce_message(const struct coalesce_prediction *prediction, size_t index,
                                                      struct coalesce_message *message, size_t size);

/* A kernel as the file launches it. The same kernel launched otherwise is another one. */
struct coalesce_kernel {
	const char *name;
	const char *confidence; /* "high", "medium" or "low": the lowest of its verdicts' */
	unsigned line;          /* of its definition */
	uint32_t grid[3], block[3];
	uint64_t launches;
	size_t layout_count, verdict_count;
};
COALESCE_EXPORT size_t coalesce_kernel_count(const struct coalesce_prediction *prediction);
COALESCE_EXPORT enum coalesce_status coalesce_kernel(const struct coalesce_prediction *prediction, size_t index,
                                                     struct coalesce_kernel *kernel, size_t size);
/* In place of a kernel's index: the program, whose times are sums over all launches. Its name, grid and block are not
 * known. */
#define COALESCE_PROGRAM ((size_t)-1)

/* One record in one layout. Of the program, and of a kernel that has no code in it, only the first five are known. */
struct coalesce_layout {
	const char *record; /* NULL: a kernel without records */
	const char *layout; /* "aos", "soa", "aosa", "asta", "asta/64" where the tile is not 32; "as-written" without a
	                       record */
	double time_us;
	double low_us, high_us; /* between which the time is expected */
	const char *bound;      /* what limits it: "dram", "latency", ... */
	double cycles_per_warp, occupancy;
	double warp_instructions, load_requests, load_sectors, store_requests, store_sectors, dram_read_bytes,
		dram_write_bytes;
	unsigned registers; /* per thread; 0: not known */
};
COALESCE_EXPORT enum coalesce_status coalesce_layout(const struct coalesce_prediction *prediction, size_t kernel,
                                                     size_t index, struct coalesce_layout *layout, size_t size);

/* Which layout one record should have. Layouts are named as in struct coalesce_layout. */
struct coalesce_verdict {
	const char *record;
	const char *written;          /* the file's own */
	const char *best;             /* the least time */
	const char *recommended;      /* as written where that is as good as the best, else the best */
	const char *compared_with;    /* written; where that is recommended, the slowest */
	double ratio;                 /* time of compared_with over that of recommended */
	double ratio_low, ratio_high; /* between which it is expected */
	const char *confidence;
	const char *why; /* a sentence */
	const char *const *ties;
	size_t tie_count;
};
COALESCE_EXPORT enum coalesce_status coalesce_verdict(const struct coalesce_prediction *prediction, size_t kernel,
                                                      size_t index, struct coalesce_verdict *verdict, size_t size);

/*
 * A view of it all as text, as the program writes it: "json", "table", "explain", "ncu", "sarif", "dot", "html"; NULL
 * where there is no such view or no verdict. length may be NULL.
 */
COALESCE_EXPORT const char *coalesce_view(struct coalesce_prediction *prediction, const char *name, size_t *length);

#ifdef __cplusplus
}
#endif

#endif

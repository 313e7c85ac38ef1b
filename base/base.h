/*
 * base: what every folder needs and no folder owns. Arenas, growing arrays, interned strings, text buffers, diagnostics
 * with source line and caret, child processes, and files that appear whole or not at all. Nothing here knows CUDA, PTX
 * or GPUs; the room base/toolkit/ alone knows where a CUDA toolkit lies, and it is no part of this face. Each file
 * below uses those above it only.
 */
#ifndef COALESCE_BASE_BASE_H
#define COALESCE_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define NO_RETURN __attribute__((noreturn))

#define ARRAY_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Exit codes of the program; fixed by the interface, see README. */
enum exit_code {
	EXIT_VERDICT = 0,      /* a verdict was given */
	EXIT_INPUT = 1,        /* the input could not be analysed */
	EXIT_USAGE = 2,        /* wrong usage */
	EXIT_TOOL_MISSING = 3, /* a needed tool is missing */
	EXIT_GATE = 4,         /* --gate: the layout as written is too slow */
	EXIT_BUG = 70          /* a bug of ours */
};

/* ---- failure.c: how the program ends when nothing else is left ---------- */

/* Prints "coalesce: internal error: ..." on stderr and exits with EXIT_BUG. For states that only a bug of ours can
 * reach. */
void bug(const char *format, ...) PRINTF_LIKE(1, 2) NO_RETURN;
/* Prints "coalesce: error: out of memory" and exits with EXIT_INPUT: an analysis that does not fit in memory has no
 * answer. */
void out_of_memory(void) NO_RETURN;

/* What bug() or out_of_memory() said. code: EXIT_BUG or EXIT_INPUT. */
struct failure {
	enum exit_code code;
	char text[240];
};
/* Runs run(context). False, with *failure set, where bug() or out_of_memory() was called in this thread meanwhile:
 * nothing is printed, the process goes on. */
bool failure_catch(void (*run)(void *context), void *context, struct failure *failure);

/* ---- text.c: a growing text buffer -------------------------------------- */

/* Invariant: data is NULL while length is 0 and nothing was appended, else terminated by a zero. */
struct text {
	char *data;
	size_t length, capacity;
};
void text_append(struct text *text, const char *data, size_t length);
void text_puts(struct text *text, const char *string);
void text_printf(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_vprintf(struct text *text, const char *format, va_list arguments) PRINTF_LIKE(2, 0);
/*
 * Appends words of a paragraph, broken into lines of at most `width` columns: the first continues at `column`, the
 * others begin with `indent` spaces. A word longer than that has a line of its own. Ends without a newline; returns the
 * column reached.
 */
size_t text_wrap(struct text *text, const char *paragraph, size_t column, size_t indent, size_t width);
/* Columns that text takes on a screen: its UTF-8 characters. */
size_t text_columns(const char *string);
/* Frees the buffer and makes it empty again. */
void text_release(struct text *text);

/* ---- arena.c: memory that lives until its arena is released ------------- */

/* An arena owns every object allocated from it and frees them together. Under -fsanitize=address each is a malloc of
 * its own, so that overruns are seen. */
struct arena;

/* Returns a new empty arena; the caller releases it with arena_release(). */
struct arena *arena_create(void);
/* Returns one that ends with `parent`, for what another thread allocates. */
struct arena *arena_create_within(struct arena *parent);
/* Frees the arena and all objects in it. NULL is allowed. */
void arena_release(struct arena *arena);
/*
 * Returns an arena inside zeroed memory of the caller's, which holds the arena too and outlives it: memory that
 * processes share, say. It ends the program when that memory is used up, and is not released.
 */
struct arena *arena_create_inside(void *memory, size_t size);
/* Calls finish(context) when the arena is released, before its memory is freed; later ones first. */
void arena_at_release(struct arena *arena, void (*finish)(void *context), void *context);
/* Returns size bytes of zeroed memory, aligned for any type. Never NULL: running out of memory ends the program. */
void *arena_alloc(struct arena *arena, size_t size);
/* Returns a zeroed array of count elements of size bytes; ends the program when the product overflows. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* Copies the first length bytes of text and adds a terminating zero. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
/* Formats into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
/* Bytes handed out so far, for the benchmark of memory use. */
size_t arena_bytes(const struct arena *arena);

/*
 * Appends to an array that grows inside an arena: `list` is an lvalue pointer, `count` an lvalue of type size_t or
 * unsigned. Capacity is the next power of two of the count (at least 4), so no capacity is stored; old storage stays in
 * the arena until it is released.
 */
#define ARENA_PUSH(arena, list, count, ...)                                                                            \
	((list) = arena_grow((arena), (list), (count), sizeof(*(list))), (list)[(count)++] = (__VA_ARGS__))
/* The storage ARENA_PUSH needs for one more element than count; use the macro. */
void *arena_grow(struct arena *arena, void *list, size_t count, size_t size);

/* ---- suggest.c: what a mistyped name may mean ----------------------------- */

/* The name that differs least from a wrong one, in at most a third of its letters and one; NULL where none does. */
const char *text_closest(const char *wrong, const char *const *names, unsigned count);
/* "; did you mean 'soa'? There are: aos, soa"; "; there are: ..." where none is close; "" for no names. */
const char *text_suggestion(struct arena *arena, const char *wrong, const char *const *names, unsigned count);

/* ---- intern.c: equal strings become equal pointers ---------------------- */

struct intern;
/* Returns a new table; its strings live as long as arena, which also owns the table. */
struct intern *intern_create(struct arena *arena);
/* Returns the one copy of the given text (terminated by a zero). */
const char *intern_text(struct intern *table, const char *text, size_t length);

/* ---- ending.c: what a signal that ends the program has to take along ---- */

/*
 * Waits for SIGINT, SIGTERM and SIGHUP in a thread of its own, and blocks them in the calling thread and those that it
 * starts. On such a signal children end, temporary files go, and the program exits with 128 + the signal. Signals that
 * were ignored before stay ignored. Not called in a library: there the program's own handlers stay.
 */
void ending_watch(void);
/* What a signal does to a child. GROUP: it leads a group that is killed. WORKER: it is asked to end, and cleans up. */
enum ending_child { ENDING_CHILD, ENDING_GROUP, ENDING_WORKER };
/* The child ends when we do, until it is dropped; one that is not positive is none. Neither call returns once a signal
 * has come. */
void ending_add_child(pid_t child, enum ending_child kind);
void ending_drop_child(pid_t child);
/*
 * Makes a file as mkostemp() does and returns its descriptor, or -1 with errno set. The file goes when a signal ends
 * the program, until its path is dropped; there is no moment at which it exists and a signal does not know it.
 */
int ending_make_file(char *template);
void ending_drop_path(const char *path);
/* Held around fork(). In the child nothing is registered any more. */
void ending_fork_begin(void);
void ending_fork_end(bool in_child);
/* In a child, before another program starts: signals do what they usually do. */
void ending_usual_signals(void);
/*
 * Makes a fresh private folder below $TMPDIR and returns its path, or NULL with errno set. It lies below /tmp where
 * TMPDIR is unset, relative, or contains what a shell could read: nvcc hands paths to one.
 */
char *directory_temporary(struct arena *arena);
/* Removes a folder made by directory_temporary() with all files in it. */
void directory_remove(const char *path);
/* Whether text holds nothing that a shell or nvcc could read as more than text: letters, digits, UTF-8, and _./+:=@%-
 */
bool text_is_plain(const char *text);

/* ---- file.c: reading and writing files whole ---------------------------- */

/*
 * Reads a whole file into the arena, with a terminating zero after it. Returns NULL with errno set when it
 * cannot be read, is a directory, or is larger than 1 GiB. length may be NULL.
 */
char *file_read(struct arena *arena, const char *path, size_t *length);
/*
 * Writes the file whole or not at all: into a temporary file beside path, then renamed over it. Returns 0, or -1 with
 * errno set.
 * "-" writes to stdout; an existing path that is no regular file (/dev/stdout) is written directly.
 */
int file_write(const char *path, const void *data, size_t length);
bool file_exists(const char *path);
/* Makes a folder and those above it. Returns 0 or -1 with errno set. */
int directory_create(const char *path);
/* $XDG_CACHE_HOME/coalesce, else $HOME/.cache/coalesce, made when missing; NULL where neither can be had. */
char *directory_cache(struct arena *arena);
/* The first executable of that name on PATH, or NULL. */
char *program_find(struct arena *arena, const char *name);
/* The folder that holds the running program, or the library that this is in, or NULL. Used to find machine files and
 * toolkits beside it. */
char *program_directory(struct arena *arena);

/* ---- diagnostics.c: file:line:col: error: message, source line, caret --- */

/* A place in a source file. line and column count from 1; 0 means unknown. file may be NULL. */
struct place {
	const char *file;
	unsigned line, column;
};

/* A remark says what the reader can do nothing about: it is shown on request. A note ends with what to do. */
enum severity { SEVERITY_REMARK, SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct diagnostic {
	enum severity severity;
	struct place place;
	const char *message;
};

/* Collects diagnostics in the order reported, equal ones once. Reporting prints nothing: see diagnostics_print(). */
struct diagnostics {
	struct arena *arena;
	struct diagnostic *list;
	size_t count;
	size_t errors;             /* how many of list are errors */
	unsigned width;            /* columns of the screen that they are printed for; 0: lines as long as they are */
	size_t *slots, slot_count; /* hash table of positions in list plus one, to find repeated ones; 0: free */
};

/* Starts an empty list whose messages live in arena. */
void diagnostics_init(struct diagnostics *diagnostics, struct arena *arena);
void diagnostics_report(struct diagnostics *diagnostics, enum severity severity, struct place place, const char *format,
                        ...) PRINTF_LIKE(4, 5);
/* Reports all of others. */
void diagnostics_append(struct diagnostics *diagnostics, const struct diagnostics *others);
/*
 * Prints diagnostics of at least the given severity from index `first` on, as a compiler does:
 *   file.cu:12:9: error: no member named 'w'
 *      12 |     p[i].w = 0;
 *         |         ^
 * The source line is read from the place's file; where it cannot be read only the first line is printed.
 * Control characters in it are made visible; lines over 160 bytes, or the width, are cut around the caret, and messages
 * wrapped at the width.
 */
void diagnostics_print(const struct diagnostics *diagnostics, size_t first, enum severity least, FILE *stream);
/* "remark", "note", "warning" or "error". */
const char *severity_name(enum severity severity);

/* ---- process.c: child processes ------------------------------------------ */

/* Limits of a child. Zero stands for PROCESS_LIMIT_SECONDS and PROCESS_LIMIT_BYTES. */
struct process_limits {
	double seconds; /* processor time, of the child and what it starts */
	uint64_t bytes; /* memory of each process */
};
#define PROCESS_LIMIT_SECONDS 120.0
#define PROCESS_LIMIT_BYTES ((uint64_t)4 << 30)
struct process_limits process_limits_complete(struct process_limits limits);
/* Wall time after which a child with that limit that has not worked at all hangs. */
double process_hang_seconds(double limit_seconds);

struct process_result {
	int status; /* exit status; 128 + signal when killed by one; -1 when it could not be started (errno in error) */
	int error;  /* errno when status is -1 */
	bool timed_out;  /* it reached its limit of time and was killed */
	bool hung;       /* it did not work for long, and was killed; timed_out is set too */
	bool swelled;    /* it used more memory than its box gives it, and was killed; timed_out is set too */
	char *out, *err; /* captured output, terminated by a zero, in the arena; at most 64 MiB each */
	size_t out_length, err_length;
	double seconds, processor_seconds; /* wall time; user and system time of it and of what it started */
};
struct process_request {
	const char *const *argv;       /* argv[0] is searched on PATH; up to NULL */
	const char *directory;         /* its working folder, or NULL */
	const char *temporary;         /* its TMPDIR, or NULL: ours */
	struct process_limits limits;  /* bytes 0: no limit of memory */
	const struct process_box *box; /* or NULL */
};
#define PROCESS_NOT_STARTED 126 /* status of a child whose box cannot be entered, or program not be started */
/* What a program gets that is not trusted. */
struct process_box {
	/* Called in the child, in its folder, before the program starts; nothing that takes a lock may be. False: it
	 * does not start. */
	bool (*enter)(const void *context);
	const void *context;
	const char *const *environment; /* all of its variables, up to NULL */
	uint64_t resident_bytes;        /* memory that its group may really use; 0: any */
};
/*
 * Runs a program with stdin empty, and waits for it. It is killed with its whole process group when the group has taken
 * limits.seconds of processor time, or hangs, or exceeds its box's memory.
 */
struct process_result process_run_limited(struct arena *arena, const struct process_request *request);
/* The same without a limit of memory. */
struct process_result process_run(struct arena *arena, const char *const argv[], const char *directory,
                                  double limit_seconds);
/*
 * A child made by fork() alone inherits what other threads have locked. Between begin and end of "locking" a thread may
 * hold locks of libraries that such a child takes (the loader's, say); process_fork() is fork(), at a moment when none
 * does. The child has taken over no path and child of ending.c's.
 */
void process_locking_begin(void);
void process_locking_end(void);
pid_t process_fork(void);
/* process_fork() for a child that works as the program does: a signal lets it clean up. ending_drop_child() when it is
 * reaped. */
pid_t process_fork_worker(void);
/* Seconds on a monotonic clock. */
double clock_seconds(void);

#endif

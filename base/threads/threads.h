/*
 * base/threads: work that several threads do at once. Prefix: threads_.
 */
#ifndef COALESCE_BASE_THREADS_THREADS_H
#define COALESCE_BASE_THREADS_THREADS_H

/* How many cores nobody uses at this moment but the caller, at least 1; COALESCE_IDLE_CORES says otherwise. */
unsigned threads_idle_cores(void);
/*
 * Calls work(context, i) once for each i below count, in any order, by at most `threads` threads, of which the calling
 * one is the first. What one call writes no other may touch. A failure of one (bug(), out_of_memory()) is the caller's
 * when all have stopped. Returns what the other threads have worked: seconds of processor time.
 */
double threads_run(unsigned threads, unsigned count, void (*work)(void *context, unsigned index), void *context);

#endif

/*
 * base/clock: what something takes, in wall time and in processor time. A loaded machine changes the first; the second
 * says what the work costs. Prefix: clock_.
 */
#ifndef COALESCE_BASE_CLOCK_CLOCK_H
#define COALESCE_BASE_CLOCK_CLOCK_H

/* Seconds. processor: of a thread or of a process with its children, user and system. */
struct duration {
	double wall, processor;
};

/* What has passed on the wall's clock since some fixed moment, and what the calling thread has worked since it began.
 */
struct duration clock_thread(void);
/* What has passed since clock_thread() gave `begin` to the same thread. */
struct duration clock_thread_since(struct duration begin);
/* What has passed on the wall's clock since some fixed moment, and what this process and its children that have ended
 * have worked, all threads together. */
struct duration clock_process(void);
/*
 * What tools took that were called. elsewhere: processor time, not in the calling thread, of tools and of what we did
 * ourselves in other threads; so of the caller's processor time between two moments, elsewhere added, what is not spent
 * is our own.
 */
struct tool_time {
	struct duration spent;
	double elsewhere;
};
struct tool_time clock_tools_sum(struct tool_time a, struct tool_time b);
struct duration clock_sum(struct duration a, struct duration b);
struct duration clock_difference(struct duration a, struct duration b);

#endif

/*
 * Clocks of POSIX.
 */
#include "base/clock/clock.h"

#include <sys/resource.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct duration clock_thread(void)
{
	return (struct duration){seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_THREAD_CPUTIME_ID)};
}

struct duration clock_thread_since(struct duration begin)
{
	return clock_difference(clock_thread(), begin);
}

static double processor_of(int who)
{
	struct rusage used = {0};

	getrusage(who, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

struct duration clock_process(void)
{
	return (struct duration){seconds_of(CLOCK_MONOTONIC),
	                         processor_of(RUSAGE_SELF) + processor_of(RUSAGE_CHILDREN)};
}

struct duration clock_sum(struct duration a, struct duration b)
{
	return (struct duration){a.wall + b.wall, a.processor + b.processor};
}

struct duration clock_difference(struct duration a, struct duration b)
{
	return (struct duration){a.wall - b.wall, a.processor - b.processor};
}

struct tool_time clock_tools_sum(struct tool_time a, struct tool_time b)
{
	return (struct tool_time){clock_sum(a.spent, b.spent), a.elsewhere + b.elsewhere};
}

/*
 * The host's clocks. In runs that are compared they begin at a fixed time, and each look at one takes a step, so that
 * what a program prints of times is the same in each run at one speed. Else they are the system's.
 */
#include "model/observe/runtime/runtime.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FIRST_SECOND 1767225600 /* 2026-01-01 */
#define STEP_NANOSECONDS 1000

double runtime_clock_speed(void)
{
	static double speed = -1;
	if (speed < 0) {
		const char *text = getenv("COALESCE_CLOCK_SPEED");
		speed = text ? strtod(text, NULL) : 0;
	}
	return speed;
}

/* Nanoseconds since the program looked at a clock first. */
static uint64_t clock_look(void)
{
	static uint64_t looks;
	return (uint64_t)(runtime_clock_speed() * STEP_NANOSECONDS *
	                  (double)__atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED));
}

static bool is_system(clockid_t which)
{
	return runtime_clock_speed() <= 0 || which == CLOCK_THREAD_CPUTIME_ID;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
	if (is_system(which))
		return (int)syscall(SYS_clock_gettime, which, now);
	uint64_t passed = clock_look();
	*now = (struct timespec){(time_t)(FIRST_SECOND + passed / 1000000000), (long)(passed % 1000000000)};
	return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec precise;
	(void)zone;
	int error = clock_gettime(CLOCK_REALTIME, &precise);
	*now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
	return error;
}

time_t time(time_t *now)
{
	struct timespec precise;
	clock_gettime(CLOCK_REALTIME, &precise);
	if (now)
		*now = precise.tv_sec;
	return precise.tv_sec;
}

clock_t clock(void)
{
	struct timespec precise;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &precise);
	long long passed = is_system(CLOCK_PROCESS_CPUTIME_ID) ? precise.tv_sec : precise.tv_sec - FIRST_SECOND;
	return (clock_t)(passed * CLOCKS_PER_SEC + precise.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}

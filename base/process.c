/*
 * Child processes with captured output and a time limit.
 *
 * The child leads a process group of its own, so that what it started (nvcc
 * starts cicc and ptxas) ends with it when the limit is reached. posix_spawn
 * shares our memory until the program starts, so a large analysis costs no
 * copy of its page tables.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CAPTURE_BYTES_MAX ((size_t)64 << 20)
/* How often we look whether the child has ended while a pipe stays open; the time limit is exact to this. */
#define LOOK_MILLISECONDS 20

extern char **environ;

/* A running child: its pipes (-1 when closed) and what came out of them. */
struct child {
	pid_t pid;
	int pipes[2];
	struct text output[2];
};

double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- forking ----------------------------------------------------------------------- */

static pthread_rwlock_t locking = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

void process_locking_begin(void)
{
	pthread_rwlock_rdlock(&locking);
}

void process_locking_end(void)
{
	pthread_rwlock_unlock(&locking);
}

pid_t process_fork(void)
{
	pthread_rwlock_wrlock(&locking);
	pid_t child = fork();
	if (child != 0)
		pthread_rwlock_unlock(&locking);
	return child;
}

/* ---- starting ------------------------------------------------------------------- */

/* Fills in what happens in the child before the program starts. Returns 0 or an errno. */
static int add_actions(posix_spawn_file_actions_t *actions, const int ends[2], const char *directory)
{
	int error = 0;

	if (directory)
		error = posix_spawn_file_actions_addchdir_np(actions, directory);
	if (!error)
		error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, ends[0], STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, ends[1], STDERR_FILENO);
	return error;
}

/* A group of its own, no blocked signal, and SIGPIPE as usual. Returns 0 or an errno. */
static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, usual;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_setpgroup(attributes, 0);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &usual);
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* Starts the program with its output going to ends. Returns 0 or an errno. */
static int spawn(pid_t *pid, const char *const argv[], const int ends[2], const char *directory)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (!error) {
		error = add_actions(&actions, ends, directory);
		if (!error)
			error = set_attributes(&attributes);
		if (!error)
			error = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static void close_pipe(int *descriptor)
{
	if (*descriptor >= 0)
		close(*descriptor);
	*descriptor = -1;
}

/* Makes the pipes and starts the child. Returns 0 or an errno; then nothing is left open. */
static int child_start(struct child *child, const char *const argv[], const char *directory)
{
	int out[2] = {-1, -1}, err[2] = {-1, -1}, error = 0;

	if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
		error = errno;
	if (!error)
		error = spawn(&child->pid, argv, (const int[2]){out[1], err[1]}, directory);
	close_pipe(&out[1]);
	close_pipe(&err[1]);
	if (error) {
		close_pipe(&out[0]);
		close_pipe(&err[0]);
	}
	child->pipes[0] = out[0];
	child->pipes[1] = err[0];
	return error;
}

/* ---- listening ------------------------------------------------------------------- */

/* Reads what pipe i has ready; keeps at most CAPTURE_BYTES_MAX of it and closes it at its end. */
static void child_read(struct child *child, int i)
{
	char block[65536];
	ssize_t got = read(child->pipes[i], block, sizeof(block));
	size_t room = CAPTURE_BYTES_MAX - child->output[i].length;

	if (got > 0)
		text_append(&child->output[i], block, (size_t)got < room ? (size_t)got : room);
	else if (got == 0 || errno != EINTR)
		close_pipe(&child->pipes[i]);
}

/* Waits up to the given time for output and reads it. Returns whether there was any, or its end. */
static bool child_listen(struct child *child, int milliseconds)
{
	struct pollfd polled[2] = {{child->pipes[0], POLLIN, 0}, {child->pipes[1], POLLIN, 0}};
	bool any = false;

	if (poll(polled, 2, milliseconds) <= 0)
		return false;
	for (int i = 0; i < 2; i++) {
		if (child->pipes[i] >= 0 && polled[i].revents) {
			child_read(child, i);
			any = true;
		}
	}
	return any;
}

/* Whether the child has ended. It stays a zombie, so that its group's number cannot become another's. */
static bool child_ended(const struct child *child)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_pid == child->pid;
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Ends the child and all of its group; returns its exit status, or 128 + the signal that ended it. */
static int child_end(const struct child *child, double *processor_seconds)
{
	struct rusage used = {0};
	int status = 0;

	kill(-child->pid, SIGKILL);
	while (wait4(child->pid, &status, 0, &used) < 0 && errno == EINTR)
		continue;
	*processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/*
 * Collects output until the child has ended, or the deadline has passed. Returns whether it ended in time. What the
 * child left running in the background does not hold us up; what is still in the pipes is left to be read.
 */
static bool child_collect(struct child *child, double deadline)
{
	for (;;) {
		bool open = child->pipes[0] >= 0 || child->pipes[1] >= 0;

		if (clock_seconds() >= deadline)
			return false;
		child_listen(child, open ? LOOK_MILLISECONDS : 1);
		if (child_ended(child))
			return true;
	}
}

struct process_result process_run(struct arena *arena, const char *const argv[], const char *directory, double limit_seconds)
{
	struct process_result result = {.status = -1, .out = arena_strdup(arena, ""), .err = arena_strdup(arena, "")};
	struct child child = {.pipes = {-1, -1}};
	double start = clock_seconds();

	result.error = child_start(&child, argv, directory);
	if (result.error)
		return result;
	result.timed_out = !child_collect(&child, start + limit_seconds);
	result.status = child_end(&child, &result.processor_seconds);
	while (child_listen(&child, 0))
		continue;
	result.seconds = clock_seconds() - start;
	result.out = arena_strndup(arena, child.output[0].data, child.output[0].length);
	result.err = arena_strndup(arena, child.output[1].data, child.output[1].length);
	result.out_length = child.output[0].length;
	result.err_length = child.output[1].length;
	for (int i = 0; i < 2; i++) {
		close_pipe(&child.pipes[i]);
		text_release(&child.output[i]);
	}
	return result;
}

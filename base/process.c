/*
 * Child processes with captured output and limits.
 *
 * The child leads a process group of its own, so that what it started (nvcc starts cicc and ptxas) ends with it when a
 * limit is reached, or a signal ends us. The limit of time counts the group's processor time: a loaded machine does not
 * change it. posix_spawn shares our memory until the program starts, so a large analysis costs no copy of its pages.
 */
#include "base/base.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CAPTURE_BYTES_MAX ((size_t)64 << 20)
/* How often we look whether the child has ended while a pipe stays open, and what it has worked. */
#define LOOK_MILLISECONDS 20
#define WORK_LOOK_SECONDS 0.5
#define BOX_LOOK_SECONDS 0.05
#define HANG_SECONDS 60.0
#define HANG_SECONDS_LEAST 5.0
#define FILE_BYTES_MOST ((rlim_t)1 << 30) /* of a file that the child writes */

extern char **environ;

/* A running child: its pipes (-1 when closed) and what came out of them. */
struct child {
	pid_t pid;
	int pipes[2];
	struct text output[2];
	double limit_seconds, start;
	double work, work_changed; /* processor time of its group, and when that last grew */
	double looked;
	uint64_t resident_most; /* 0: any */
	bool hung, swelled;
};

struct process_limits process_limits_complete(struct process_limits limits)
{
	if (!(limits.seconds > 0))
		limits.seconds = PROCESS_LIMIT_SECONDS;
	if (limits.bytes == 0)
		limits.bytes = PROCESS_LIMIT_BYTES;
	return limits;
}

double process_hang_seconds(double limit_seconds)
{
	double seconds = limit_seconds < HANG_SECONDS ? limit_seconds : HANG_SECONDS;

	return seconds > HANG_SECONDS_LEAST ? seconds : HANG_SECONDS_LEAST;
}

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
	ending_fork_begin();
	pid_t child = fork();
	ending_fork_end(child == 0);
	if (child != 0)
		pthread_rwlock_unlock(&locking);
	else
		pthread_rwlock_init(&locking, NULL);
	return child;
}

pid_t process_fork_worker(void)
{
	pid_t child = process_fork();

	if (child == 0)
		ending_watch();
	else if (child > 0)
		ending_add_child(child, ENDING_WORKER);
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

/* A group of its own, no blocked signal, and those that we ignore as usual. Returns 0 or an errno. */
static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, usual;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawnattr_setpgroup(attributes, 0);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &usual);
	return posix_spawnattr_setflags(attributes,
	                                POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* Starts the program with its output going to ends. Returns 0 or an errno. */
static int spawn(pid_t *pid, const struct process_request *request, char *const environment[], const int ends[2])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (!error) {
		error = add_actions(&actions, ends, request->directory);
		if (!error)
			error = set_attributes(&attributes);
		if (!error)
			error = posix_spawnp(pid, request->argv[0], &actions, &attributes, (char *const *)request->argv,
			                     environment);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* The descriptors and the folder of a child in a box, then the program. Returns only where that fails. */
static void box_start(const struct process_request *request, const int ends[2])
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ending_usual_signals();
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(ends[0], STDOUT_FILENO) < 0 ||
	    dup2(ends[1], STDERR_FILENO) < 0)
		return;
	if (setsid() < 0 || (request->directory && chdir(request->directory) != 0))
		return;
	if (request->box->enter(request->box->context))
		execve(request->argv[0], (char *const *)request->argv, (char *const *)request->box->environment);
}

/* Starts a program, whose path argv[0] is, in its box. It leads a session, and so a group. Returns 0 or an errno. */
static int spawn_in_box(pid_t *pid, const struct process_request *request, const int ends[2])
{
	*pid = process_fork();
	if (*pid < 0)
		return errno;
	if (*pid == 0) {
		box_start(request, ends);
		_exit(PROCESS_NOT_STARTED);
	}
	return 0;
}

/* Our environment, with another TMPDIR where one is wanted. */
static char **environment_make(struct arena *arena, const char *temporary)
{
	char **list = NULL;
	size_t count = 0;

	if (!temporary)
		return environ;
	for (char **variable = environ; *variable; variable++)
		if (strncmp(*variable, "TMPDIR=", 7) != 0)
			ARENA_PUSH(arena, list, count, *variable);
	ARENA_PUSH(arena, list, count, arena_printf(arena, "TMPDIR=%s", temporary));
	ARENA_PUSH(arena, list, count, NULL);
	return list;
}

static void limit_set(pid_t child, __rlimit_resource_t resource, rlim_t most)
{
	struct rlimit limit;

	if (prlimit(child, resource, NULL, &limit) != 0 || limit.rlim_cur <= most)
		return;
	limit.rlim_cur = most;
	prlimit(child, resource, &limit, NULL);
}

/* The child has just begun; what it starts takes its limits over. */
static void limits_set(pid_t child, uint64_t bytes)
{
	limit_set(child, RLIMIT_CORE, 0);
	if (bytes == 0)
		return;
	limit_set(child, RLIMIT_DATA, bytes);
	limit_set(child, RLIMIT_FSIZE, FILE_BYTES_MOST);
}

static void close_pipe(int *descriptor)
{
	if (*descriptor >= 0)
		close(*descriptor);
	*descriptor = -1;
}

/* Makes the pipes and starts the child. Returns 0 or an errno; then nothing is left open. */
static int child_start(struct arena *arena, struct child *child, const struct process_request *request)
{
	char **environment = environment_make(arena, request->temporary);
	int out[2] = {-1, -1}, err[2] = {-1, -1}, error = 0;

	if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
		error = errno;
	if (!error)
		error = request->box ? spawn_in_box(&child->pid, request, (const int[2]){out[1], err[1]})
		                     : spawn(&child->pid, request, environment, (const int[2]){out[1], err[1]});
	if (!error) {
		ending_add_child(child->pid, ENDING_GROUP);
		limits_set(child->pid, request->limits.bytes);
	}
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

/* ---- the limit of time ------------------------------------------------------------- */

/* What a group uses: processor time in ticks, and pages. */
struct group_usage {
	double ticks, pages;
};

/*
 * Reads a line of /proc/PID/stat: adds the processor time of the process and of the children it has waited for, and its
 * resident pages, where it is in the group.
 */
static void stat_add(const char *stat, pid_t group, struct group_usage *use)
{
	const char *fields = strrchr(stat, ')');
	unsigned long long times[4], pages;
	int of;

	if (!fields ||
	    sscanf(fields,
	           ") %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu %*d %*d %*d %*d %*u %*u %llu", &of,
	           &times[0], &times[1], &times[2], &times[3], &pages) != 6 ||
	    of != group)
		return;
	use->ticks += (double)(times[0] + times[1] + times[2] + times[3]);
	use->pages += (double)pages;
}

/* What all processes of a group use; false where /proc does not say. */
static bool group_use(pid_t group, struct group_usage *use)
{
	DIR *directory = opendir("/proc");
	char path[300], line[1024];

	if (!directory)
		return false;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
		FILE *stream = isdigit((unsigned char)entry->d_name[0]) ? fopen(path, "re") : NULL;

		if (stream && fgets(line, sizeof line, stream))
			stat_add(line, group, use);
		if (stream)
			fclose(stream);
	}
	closedir(directory);
	return true;
}

/* Whether the child has reached its limit, or hangs. Without /proc the wall time counts. */
static bool child_exceeds(struct child *child)
{
	double now = clock_seconds(), work;
	struct group_usage use = {0};

	if (now - child->looked < (child->resident_most ? BOX_LOOK_SECONDS : WORK_LOOK_SECONDS))
		return false;
	child->looked = now;
	if (!group_use(child->pid, &use))
		return now - child->start > child->limit_seconds;
	work = use.ticks / (double)sysconf(_SC_CLK_TCK);
	child->swelled =
		child->resident_most && use.pages * (double)sysconf(_SC_PAGESIZE) > (double)child->resident_most;
	if (work > child->work) {
		child->work = work;
		child->work_changed = now;
	}
	child->hung = now - child->work_changed > process_hang_seconds(child->limit_seconds);
	return child->hung || child->swelled || work > child->limit_seconds;
}

/*
 * Collects output until the child has ended, or exceeds its limit. Returns whether it ended by itself. What the child
 * left running in the background does not hold us up; what is still in the pipes is left to be read.
 */
static bool child_collect(struct child *child)
{
	child->start = child->looked = child->work_changed = clock_seconds();
	for (;;) {
		bool open = child->pipes[0] >= 0 || child->pipes[1] >= 0;

		child_listen(child, open ? LOOK_MILLISECONDS : 1);
		if (child_ended(child))
			return true;
		if (child_exceeds(child))
			return false;
	}
}

struct process_result process_run_limited(struct arena *arena, const struct process_request *request)
{
	struct process_result result = {.status = -1, .out = arena_strdup(arena, ""), .err = arena_strdup(arena, "")};
	struct child child = {.pipes = {-1, -1}, .limit_seconds = process_limits_complete(request->limits).seconds};
	double start = clock_seconds();

	child.resident_most = request->box ? request->box->resident_bytes : 0;
	result.error = child_start(arena, &child, request);
	if (result.error)
		return result;
	result.timed_out = !child_collect(&child);
	result.hung = child.hung;
	result.swelled = child.swelled;
	result.status = child_end(&child, &result.processor_seconds);
	ending_drop_child(child.pid);
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

struct process_result process_run(struct arena *arena, const char *const argv[], const char *directory,
                                  double limit_seconds)
{
	return process_run_limited(
		arena,
		&(struct process_request){.argv = argv, .directory = directory, .limits = {.seconds = limit_seconds}});
}

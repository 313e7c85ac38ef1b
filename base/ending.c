/*
 * What a signal that ends the program has to take along: children, and temporary files.
 *
 * A handler could not do it: it may neither lock nor walk a folder. So a thread waits for the signals, which are
 * blocked everywhere else. It takes the lock of the list and never gives it back: a thread that would add or drop
 * something afterwards waits, so nothing new begins, and no thread reports that a child was killed.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NANOSECONDS 5000000L
#define REMOVE_WALKS 100
#define WORKER_LOOKS 600 /* as long as workers are given to clean up: 3 s */

/* A child (path is NULL) or a path. */
struct ending_entry {
	char *path;
	pid_t child;
	enum ending_child kind;
};
static struct {
	pthread_mutex_t lock;
	struct ending_entry *list;
	size_t count, capacity;
} ending = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* ---- the list ------------------------------------------------------------------------ */

/* With the lock held. Takes over the path; false, with the path freed, when memory is out. */
static bool entry_append(struct ending_entry entry)
{
	if (ending.count == ending.capacity) {
		size_t capacity = ending.capacity ? 2 * ending.capacity : 8;
		struct ending_entry *list = realloc(ending.list, capacity * sizeof *list);

		if (!list) {
			free(entry.path);
			return false;
		}
		ending.list = list;
		ending.capacity = capacity;
	}
	ending.list[ending.count++] = entry;
	return true;
}

static bool entry_is(const struct ending_entry *entry, pid_t child, const char *path)
{
	return path ? entry->path && strcmp(entry->path, path) == 0 : !entry->path && entry->child == child;
}

static void entry_drop(pid_t child, const char *path)
{
	pthread_mutex_lock(&ending.lock);
	for (size_t i = ending.count; i-- > 0;)
		if (entry_is(&ending.list[i], child, path)) {
			free(ending.list[i].path);
			ending.list[i] = ending.list[--ending.count];
			break;
		}
	pthread_mutex_unlock(&ending.lock);
}

void ending_add_child(pid_t child, enum ending_child kind)
{
	if (child <= 0)
		return;
	pthread_mutex_lock(&ending.lock);
	entry_append((struct ending_entry){.child = child, .kind = kind});
	pthread_mutex_unlock(&ending.lock);
}

void ending_drop_child(pid_t child)
{
	entry_drop(child, NULL);
}

int ending_make_file(char *template)
{
	char *path = strdup(template);
	int descriptor = -1;

	if (!path)
		return -1;
	pthread_mutex_lock(&ending.lock);
	descriptor = mkostemp(template, O_CLOEXEC);
	if (descriptor < 0)
		free(path);
	else if (!entry_append((struct ending_entry){.path = strcpy(path, template)})) {
		close(descriptor);
		unlink(template);
		descriptor = -1;
	}
	pthread_mutex_unlock(&ending.lock);
	return descriptor;
}

void ending_drop_path(const char *path)
{
	entry_drop(0, path);
}

void ending_fork_begin(void)
{
	pthread_mutex_lock(&ending.lock);
}

void ending_fork_end(bool in_child)
{
	if (in_child) {
		for (size_t i = 0; i < ending.count; i++)
			free(ending.list[i].path);
		ending.count = 0;
	}
	pthread_mutex_unlock(&ending.lock);
}

/* ---- the end ------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *position)
{
	(void)status, (void)kind, (void)position;
	return remove(path);
}

static void tree_remove(const char *path)
{
	const int open_directories = 16;

	nftw(path, remove_entry, open_directories, FTW_DEPTH | FTW_PHYS);
}

static void children_signal(void)
{
	for (size_t i = 0; i < ending.count; i++) {
		const struct ending_entry *entry = &ending.list[i];

		if (!entry->path)
			kill(entry->kind == ENDING_GROUP ? -entry->child : entry->child,
			     entry->kind == ENDING_WORKER ? SIGTERM : SIGKILL);
	}
}

/* Waits until the child is gone. When *looks are used up it is killed. */
static void child_await(const struct ending_entry *entry, unsigned *looks)
{
	const struct timespec pause = {0, LOOK_NANOSECONDS};

	while (waitpid(entry->child, NULL, WNOHANG) == 0) {
		if (*looks == 0)
			kill(entry->child, SIGKILL);
		else
			--*looks;
		nanosleep(&pause, NULL);
	}
}

/* Removes a folder into which the other threads may still write: what they add while we walk it needs a further walk.
 */
static void tree_remove_contended(const char *path)
{
	const struct timespec pause = {0, LOOK_NANOSECONDS};

	for (unsigned walks = 0; walks < REMOVE_WALKS; walks++) {
		tree_remove(path);
		if (access(path, F_OK) != 0)
			return;
		nanosleep(&pause, NULL);
	}
}

/* What the thread that waits for signals is given. */
struct watch {
	sigset_t signals;
	sem_t begun;
};

static void *watch(void *context)
{
	struct watch *watch = context;
	unsigned looks = WORKER_LOOKS;
	int number = SIGTERM;

	sem_post(&watch->begun);
	sigwait(&watch->signals, &number);
	pthread_mutex_lock(&ending.lock);
	children_signal();
	for (size_t i = 0; i < ending.count; i++)
		if (!ending.list[i].path)
			child_await(&ending.list[i], &looks);
	for (size_t i = 0; i < ending.count; i++)
		if (ending.list[i].path)
			tree_remove_contended(ending.list[i].path);
	_exit(128 + number);
}

/*
 * Starts the thread, and waits until it runs: a thread that begins allocates, and a fork at that moment would leave a
 * sanitizer's allocator locked in the child. Returns false where there is no thread.
 */
static bool watch_start(struct watch *watching)
{
	pthread_attr_t attributes;
	pthread_t thread;
	bool started;

	sem_init(&watching->begun, 0, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	started = pthread_create(&thread, &attributes, watch, watching) == 0;
	pthread_attr_destroy(&attributes);
	while (started && sem_wait(&watching->begun) != 0)
		continue;
	return started;
}

void ending_watch(void)
{
	static struct watch watching;
	static pid_t watched; /* the process that has the thread: one is enough for all commands */
	struct sigaction action;

	sigemptyset(&watching.signals);
	for (size_t i = 0; i < ARRAY_COUNT(ending_signals); i++)
		if (sigaction(ending_signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&watching.signals, ending_signals[i]);
	pthread_sigmask(SIG_BLOCK, &watching.signals, NULL);
	if (watched == getpid())
		return;
	watched = getpid();
	if (!watch_start(&watching))
		pthread_sigmask(SIG_UNBLOCK, &watching.signals, NULL);
}

void ending_usual_signals(void)
{
	static const int ignored[] = {SIGPIPE, SIGXFSZ};
	sigset_t none;

	for (size_t i = 0; i < ARRAY_COUNT(ignored); i++)
		signal(ignored[i], SIG_DFL);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
}

/* ---- temporary folders ------------------------------------------------------------------ */

bool text_is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+:=@%-";

	for (; *text; text++)
		if (!strchr(plain, *text) && (unsigned char)*text < 0x80)
			return false;
	return true;
}

char *directory_temporary(struct arena *arena)
{
	const char *parent = getenv("TMPDIR");
	bool usable = parent && *parent == '/' && text_is_plain(parent);
	char *path = arena_printf(arena, "%s/coalesce-XXXXXX", usable ? parent : "/tmp");
	char *copy;

	pthread_mutex_lock(&ending.lock);
	path = mkdtemp(path);
	copy = path ? strdup(path) : NULL;
	if (path && (!copy || !entry_append((struct ending_entry){.path = copy}))) {
		rmdir(path);
		path = NULL;
	}
	pthread_mutex_unlock(&ending.lock);
	return path;
}

void directory_remove(const char *path)
{
	tree_remove(path);
	ending_drop_path(path);
}

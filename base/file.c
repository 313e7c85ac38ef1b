/*
 * Files read whole, files written whole or not at all, and the few folders
 * the program keeps things in.
 */
#include "base/base.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((off_t)1 << 30)

/* ---- reading ------------------------------------------------------------------- */

/* Reads at most size bytes, less only at the end of the file. Returns how many, or -1 with errno set. */
static ssize_t read_all(int descriptor, char *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = read(descriptor, data + done, size - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/* Reads what has no known size, a pipe say, to its end. */
static char *read_stream(struct arena *arena, int descriptor, size_t *length)
{
	struct text text = {0};
	char block[16384], *data = NULL;
	ssize_t got;

	while ((got = read_all(descriptor, block, sizeof(block))) > 0 && (off_t)text.length <= FILE_BYTES_MAX)
		text_append(&text, block, (size_t)got);
	if ((off_t)text.length > FILE_BYTES_MAX) {
		errno = EFBIG;
	} else if (got == 0) {
		data = arena_strndup(arena, text.data, text.length);
		*length = text.length;
	}
	text_release(&text);
	return data;
}

/* What pipes and devices held when they were first read: a second reading would find nothing. Kept until the process
 * ends. */
static struct stream {
	char *path, *data;
	size_t length;
	struct stream *next;
} * streams;
static pthread_mutex_t streams_mutex = PTHREAD_MUTEX_INITIALIZER;

static const struct stream *stream_find(const char *path)
{
	const struct stream *stream;

	pthread_mutex_lock(&streams_mutex);
	for (stream = streams; stream && strcmp(stream->path, path) != 0;)
		stream = stream->next;
	pthread_mutex_unlock(&streams_mutex);
	return stream;
}

static void stream_keep(const char *path, const char *data, size_t length)
{
	struct stream *stream = malloc(sizeof(*stream));

	if (!stream || !(stream->path = strdup(path)) || !(stream->data = malloc(length + 1)))
		out_of_memory();
	memcpy(stream->data, data, length);
	stream->length = length;
	pthread_mutex_lock(&streams_mutex);
	stream->next = streams;
	streams = stream;
	pthread_mutex_unlock(&streams_mutex);
}

static bool file_is_stream(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* Reads an open file; see file_read(). */
static char *read_descriptor(struct arena *arena, int descriptor, size_t *length)
{
	struct stat status;
	ssize_t got;
	char *data;

	if (fstat(descriptor, &status) != 0)
		return NULL;
	if (S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return NULL;
	}
	if (!S_ISREG(status.st_mode) || status.st_size == 0)
		return read_stream(arena, descriptor, length);
	if (status.st_size > FILE_BYTES_MAX) {
		errno = EFBIG;
		return NULL;
	}
	data = arena_alloc(arena, (size_t)status.st_size + 1);
	got = read_all(descriptor, data, (size_t)status.st_size);
	if (got < 0)
		return NULL;
	*length = (size_t)got;
	return data;
}

char *file_read(struct arena *arena, const char *path, size_t *length)
{
	const struct stream *kept = stream_find(path);
	int descriptor, error;
	size_t ignored;
	char *data;

	length = length ? length : &ignored;
	if (kept) {
		*length = kept->length;
		return arena_strndup(arena, kept->data, kept->length);
	}
	descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return NULL;
	data = read_descriptor(arena, descriptor, length);
	error = errno;
	close(descriptor);
	if (data && file_is_stream(path))
		stream_keep(path, data, *length);
	errno = error;
	return data;
}

/* ---- writing ------------------------------------------------------------------- */

/* Writes all bytes. Returns 0, or -1 with errno set. */
static int write_all(int descriptor, const char *data, size_t length)
{
	while (length) {
		ssize_t written = write(descriptor, data, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		data += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Closes the descriptor; returns result, or -1 when closing failed. errno of an earlier failure is kept. */
static int close_after(int descriptor, int result)
{
	int error = errno;

	if (close(descriptor) != 0 && result == 0)
		return -1;
	errno = error;
	return result;
}

/* Writes into what exists and is no regular file: a device, a pipe. */
static int write_in_place(const char *path, const char *data, size_t length)
{
	int descriptor = open(path, O_WRONLY | O_CLOEXEC);

	return descriptor < 0 ? -1 : close_after(descriptor, write_all(descriptor, data, length));
}

/* The permissions a newly created file gets. */
static mode_t new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Writes beside path and renames over it; the file gets the given permissions. */
static int write_and_rename(const char *path, mode_t mode, const char *data, size_t length)
{
	struct text beside = {0};
	int descriptor, result, error;

	text_printf(&beside, "%s.XXXXXX", path);
	descriptor = ending_make_file(beside.data);
	result = descriptor < 0 ? -1 : write_all(descriptor, data, length);
	if (descriptor >= 0) {
		if (result == 0)
			result = fchmod(descriptor, mode);
		result = close_after(descriptor, result);
		if (result == 0)
			result = rename(beside.data, path);
		error = errno;
		if (result != 0)
			unlink(beside.data);
		ending_drop_path(beside.data);
		errno = error;
	}
	text_release(&beside);
	return result;
}

int file_write(const char *path, const void *data, size_t length)
{
	struct stat status;
	char *target;
	int result;

	if (strcmp(path, "-") == 0)
		return fflush(stdout) == 0 ? write_all(STDOUT_FILENO, data, length) : -1;
	if (stat(path, &status) != 0)
		return errno == ENOENT ? write_and_rename(path, new_file_mode(), data, length) : -1;
	if (!S_ISREG(status.st_mode))
		return write_in_place(path, data, length);
	target = realpath(path, NULL);
	if (!target)
		return -1;
	result = write_and_rename(target, status.st_mode & 07777, data, length);
	free(target);
	return result;
}

/* ---- files and folders --------------------------------------------------------- */

bool file_exists(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0;
}

static bool is_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Makes one folder; it is no failure when it is there already. */
static int make_one(const char *path)
{
	if (mkdir(path, 0777) == 0 || (errno == EEXIST && is_directory(path)))
		return 0;
	return -1;
}

int directory_create(const char *path)
{
	struct text prefix = {0};
	size_t length = strlen(path);
	int result = 0;

	for (size_t i = 1; i <= length && result == 0; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		prefix.length = 0;
		text_append(&prefix, path, i);
		result = make_one(prefix.data);
	}
	text_release(&prefix);
	return result;
}

char *directory_cache(struct arena *arena)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path;

	if (cache && *cache == '/')
		path = arena_printf(arena, "%s/coalesce", cache);
	else if (home && *home == '/')
		path = arena_printf(arena, "%s/.cache/coalesce", home);
	else
		return NULL;
	return directory_create(path) == 0 && access(path, W_OK) == 0 ? path : NULL;
}

static bool is_program(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *program_find(struct arena *arena, const char *name)
{
	const char *path = getenv("PATH");
	char *candidate;

	if (strchr(name, '/'))
		return is_program(name) ? arena_strdup(arena, name) : NULL;
	while (path) {
		size_t length = strcspn(path, ":");

		candidate = length ? arena_printf(arena, "%.*s/%s", (int)length, path, name)
		                   : arena_printf(arena, "./%s", name);
		if (is_program(candidate))
			return candidate;
		path = path[length] ? path + length + 1 : NULL;
	}
	return NULL;
}

/* Path of the file that this code was loaded from: the program, or a library in one. */
static const char *own_path(void)
{
	static const char here, own[] = "/proc/self/exe";
	struct link_map *map = NULL;
	Dl_info info;

	if (dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) && map && map->l_name[0] == '/')
		return map->l_name;
	return access(own, F_OK) == 0 ? own : (const char *)(uintptr_t)getauxval(AT_EXECFN);
}

char *program_directory(struct arena *arena)
{
	const char *own = own_path();
	char *path = own ? realpath(own, NULL) : NULL, *slash, *directory;

	if (!path)
		return NULL;
	slash = strrchr(path, '/');
	directory = arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1);
	free(path);
	return directory;
}

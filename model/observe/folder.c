/*
 * A copy of a folder to run in: programs read beside themselves, and write there. What is large or too much is a link
 * into the original, which cannot be written from the box. What lies beside the folders above is linked too, so that
 * ../data leads where it should.
 */
#include "model/observe/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPIED_FILE_BYTES_MOST ((off_t)16 << 20)
#define COPIED_BYTES_MOST ((uint64_t)256 << 20)
#define COPIED_FILES_MOST 4000
#define LINKS_MOST 2000 /* beside a folder */
#define LEVELS_LINKED 4
#define DEPTH_MOST 12

struct copying {
	struct arena *arena;
	dev_t device; /* and inode: of the folder that the copy lies in, which is not copied */
	ino_t inode;
	uint64_t bytes;
	unsigned files;
};

static bool file_copy(int from, int to)
{
	char block[65536];
	ssize_t got;
	while ((got = read(from, block, sizeof block)) > 0)
		if (write(to, block, (size_t)got) != got)
			return false;
	return got == 0;
}

static void entry_copy(struct copying *copying, const char *from, const char *to, const struct stat *status)
{
	int source = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int target =
		source < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600 | (status->st_mode & 0700));
	if (target >= 0 && file_copy(source, target)) {
		copying->bytes += (uint64_t)status->st_size;
		copying->files++;
	}
	if (source >= 0)
		close(source);
	if (target >= 0)
		close(target);
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool is_full(const struct copying *copying)
{
	return copying->bytes > COPIED_BYTES_MOST || copying->files > COPIED_FILES_MOST;
}

/* Copies what lies in a folder into another one, which exists. */
static void content_copy(struct copying *copying, const char *from, const char *to, unsigned depth)
{
	DIR *directory = opendir(from);
	for (const struct dirent *entry; directory && (entry = readdir(directory));) {
		const char *source = arena_printf(copying->arena, "%s/%s", from, entry->d_name);
		const char *target = arena_printf(copying->arena, "%s/%s", to, entry->d_name);
		struct stat status;
		if (is_dots(entry->d_name) || lstat(source, &status) != 0 ||
		    (status.st_dev == copying->device && status.st_ino == copying->inode))
			continue;
		bool small = !is_full(copying) && entry->d_name[0] != '.';
		if (S_ISREG(status.st_mode) && small && status.st_size <= COPIED_FILE_BYTES_MOST)
			entry_copy(copying, source, target, &status);
		else if (S_ISDIR(status.st_mode) && small && depth < DEPTH_MOST && mkdir(target, 0700) == 0)
			content_copy(copying, source, target, depth + 1);
		else
			(void)!symlink(source, target);
	}
	if (directory)
		closedir(directory);
}

/* Links what lies in a folder, but for one name, into another one. */
static void neighbours_link(struct arena *arena, const char *from, const char *to, const char *except)
{
	DIR *directory = opendir(from);
	unsigned count = 0;
	for (const struct dirent *entry; directory && count < LINKS_MOST && (entry = readdir(directory));)
		if (!is_dots(entry->d_name) && strcmp(entry->d_name, except) != 0) {
			(void)!symlink(arena_printf(arena, "%s/%s", strcmp(from, "/") == 0 ? "" : from, entry->d_name),
			               arena_printf(arena, "%s/%s", to, entry->d_name));
			count++;
		}
	if (directory)
		closedir(directory);
}

/* Makes the folders that lead to a path, each below the last, and links the neighbours of the last few. Returns the
 * innermost. */
static const char *path_make(struct arena *arena, const char *path, const char *below)
{
	unsigned levels = 0, level = 0;
	for (const char *next = path; *next; next++)
		levels += *next == '/';
	for (const char *begin = path; *begin == '/'; level++) {
		size_t length = strcspn(begin + 1, "/");
		const char *above = begin == path ? "/" : arena_strndup(arena, path, (size_t)(begin - path));
		const char *name = arena_strndup(arena, begin + 1, length);
		if (level + LEVELS_LINKED >= levels)
			neighbours_link(arena, above, below, name);
		below = arena_printf(arena, "%s/%s", below, name);
		if (mkdir(below, 0700) != 0)
			return NULL;
		begin += 1 + length;
	}
	return below;
}

const char *observe_folder_copy(struct arena *arena, const char *folder, const char *below)
{
	struct copying copying = {.arena = arena};
	const char *copy = path_make(arena, folder, below);
	struct stat status;
	if (stat(below, &status) == 0) {
		copying.device = status.st_dev;
		copying.inode = status.st_ino;
	}
	if (copy)
		content_copy(&copying, folder, copy, 0);
	return copy;
}

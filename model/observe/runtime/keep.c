/*
 * What copies bring to the host, in a file of its own, for runs that are compared: of each copy a head and its bytes,
 * row by row. A head of zeros ends what is too much to be kept.
 */
#include "model/observe/copies.h"
#include "model/observe/runtime/runtime.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
	bool opened;
	int file;
	uint64_t bytes;
} keeper;

static void keeper_open(void)
{
	const char *path = getenv("COALESCE_COPIES");
	keeper.opened = true;
	keeper.file = path ? open(path, O_WRONLY | O_CLOEXEC) : -1;
}

static void keeper_write(const void *data, size_t bytes)
{
	const char *next = data;
	while (bytes && keeper.file >= 0) {
		ssize_t written = write(keeper.file, next, bytes);
		if (written <= 0) {
			close(keeper.file);
			keeper.file = -1;
			return;
		}
		next += written;
		bytes -= (size_t)written;
	}
}

void runtime_keep(const void *rows, size_t pitch, size_t width, size_t height)
{
	struct copies_head head = {(uint64_t)(uintptr_t)rows, pitch, width, height};
	if (!keeper.opened)
		keeper_open();
	if (keeper.file < 0 || keeper.bytes > COPIES_BYTES_MOST)
		return;
	keeper.bytes += sizeof head + width * height;
	if (keeper.bytes > COPIES_BYTES_MOST)
		head = (struct copies_head){0};
	keeper_write(&head, sizeof head);
	for (size_t y = 0; y < head.height; y++)
		keeper_write((const char *)rows + y * pitch, width);
}

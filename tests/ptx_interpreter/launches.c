/* Reads a PTX file that begins with lines `// launch KERNEL grid X,Y,Z block X,Y,Z [shared BYTES] [estimated] args
 * ...`. */
#include "tests/ptx_interpreter/compare.h"

#include <stdlib.h>
#include <string.h>

static void read_extent(uint32_t extent[3], const char *text)
{
	extent[0] = extent[1] = extent[2] = 1;
	for (unsigned i = 0; text && i < 3; i++) {
		extent[i] = (uint32_t)strtoul(text, NULL, 10);
		text = strchr(text, ',');
		text = text ? text + 1 : NULL;
	}
}

/* {A,B,...}: a struct of numbers of 4 bytes. */
static void read_struct(struct arena *arena, struct argument *argument, char *word)
{
	uint8_t *bytes = arena_array(arena, 64, sizeof(uint32_t));

	argument->kind = ARGUMENT_BYTES;
	argument->bytes = bytes;
	for (unsigned i = 0; i < 64 && (*word == '{' || *word == ','); i++) {
		uint32_t number = (uint32_t)strtoll(word + 1, &word, 0);

		memcpy(bytes + i * sizeof(number), &number, sizeof(number));
	}
}

/* pN: buffer N; pN=seq, pN=uniform:LOW:HIGH: with that content, of 4 bytes; @OFFSET/STRIDE behind that: in records;
 * else a struct or a number. */
static void read_argument(struct arena *arena, struct trial *trial, char *word)
{
	struct argument *argument = &trial->arguments[trial->argument_count++];
	char *content = strchr(word, '=');
	struct memory_buffer *buffer;

	if (word[0] == '{') {
		read_struct(arena, argument, word);
		return;
	}
	if (word[0] != 'p') {
		argument->kind = ARGUMENT_VALUE;
		argument->value = strtoll(word, NULL, 0);
		return;
	}
	argument->kind = ARGUMENT_POINTER;
	argument->buffer = (unsigned)strtoul(word + 1, NULL, 10) % TRIAL_ARGUMENTS;
	buffer = &trial->buffers[argument->buffer];
	buffer->name = word;
	if (trial->buffer_count <= argument->buffer)
		trial->buffer_count = argument->buffer + 1;
	if (!content)
		return;
	*content++ = 0;
	buffer->content.element_bytes = 4;
	buffer->content.kind = CONTENT_SEQUENCE;
	if (!strncmp(content, "uniform:", 8)) {
		buffer->content.kind = CONTENT_UNIFORM;
		buffer->content.low = strtoll(content + 8, &content, 0);
		buffer->content.high = strtoll(content + 1, &content, 0);
	}
	content = strchr(content, '@');
	if (content) {
		buffer->content.offset_bytes = (unsigned)strtoul(content + 1, &content, 10);
		buffer->content.stride_bytes = (unsigned)strtoul(content + 1, NULL, 10);
	}
}

static void read_launch(struct arena *arena, struct trial *trial, char *line)
{
	char *rest = NULL, *word = strtok_r(line, " ", &rest);

	trial->kernel = word;
	read_extent(trial->grid, NULL);
	read_extent(trial->block, NULL);
	while ((word = strtok_r(NULL, " ", &rest))) {
		if (!strcmp(word, "grid"))
			read_extent(trial->grid, strtok_r(NULL, " ", &rest));
		else if (!strcmp(word, "block"))
			read_extent(trial->block, strtok_r(NULL, " ", &rest));
		else if (!strcmp(word, "shared"))
			trial->dynamic_shared_bytes = strtoull(strtok_r(NULL, " ", &rest), NULL, 10);
		else if (!strcmp(word, "estimated"))
			trial->estimated = true;
		else if (strcmp(word, "args") && trial->argument_count < TRIAL_ARGUMENTS)
			read_argument(arena, trial, word);
	}
}

struct trial *trials_read(struct arena *arena, const char *path, size_t *count)
{
	static const char start[] = "// launch ";
	const char *text = file_read(arena, path, NULL), *line = text;
	struct trial *trials = NULL;

	*count = 0;
	while (line && !strncmp(line, start, sizeof(start) - 1)) {
		const char *from = line + sizeof(start) - 1, *end = strchr(line, '\n');
		struct trial trial = {.name = path, .text = text};

		if (!end)
			break;
		read_launch(arena, &trial, arena_strndup(arena, from, (size_t)(end - from)));
		ARENA_PUSH(arena, trials, *count, trial);
		line = end + 1;
	}
	return trials;
}

/*
 * Recordings. A line is read by the row of its first key. Nothing in it is believed: numbers are in range, references
 * lead to what stands before, sizes agree with the data.
 */
#include "model/observe/internal.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#define SCHEMA "coalesce-observation/1"
#define NUMBER_MOST (INT64_C(1) << 53)
#define KERNELS_MOST 4096
#define NAME_BYTES_MOST 65536
#define TIMES_MOST (INT64_C(1) << 40)

struct recording {
	struct arena *arena;
	struct observation *observation;
	struct observed_kernel **kernels; /* by number less one */
	unsigned kernel_count;
	struct observed_content **contents;
	unsigned content_count;
	const char *problem;
};

/* ---- values ------------------------------------------------------------------------------- */

static void fail(struct recording *reader, const char *problem)
{
	if (!reader->problem)
		reader->problem = problem;
}

static uint64_t number_of(struct recording *reader, const json_t *value, int64_t most)
{
	json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
	if (number < 0 || number > most) {
		fail(reader, "a number is missing or out of range");
		return 0;
	}
	return (uint64_t)number;
}

static uint64_t number(struct recording *reader, const json_t *line, const char *key, int64_t most)
{
	return number_of(reader, json_object_get(line, key), most);
}

static const char *name(struct recording *reader, const json_t *line, const char *key)
{
	const json_t *value = json_object_get(line, key);
	if (!json_is_string(value) || json_string_length(value) > NAME_BYTES_MOST) {
		fail(reader, "a name is missing");
		return "";
	}
	return arena_strdup(reader->arena, json_string_value(value));
}

static int base64_digit(char digit)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found = digit ? strchr(digits, digit) : NULL;
	return found ? (int)(found - digits) : -1;
}

/* The bytes in "data": `bytes` of them. NULL where there are not so many. */
static const uint8_t *data_of(struct recording *reader, const json_t *line, uint64_t bytes)
{
	const json_t *value = json_object_get(line, "data");
	size_t length = json_is_string(value) ? json_string_length(value) : 0;
	const char *text = json_is_string(value) ? json_string_value(value) : "";
	if (length % 4 || bytes > length / 4 * 3 || length / 4 * 3 - bytes > 2) {
		fail(reader, "data has another length than is said");
		return NULL;
	}
	uint8_t *data = arena_array(reader->arena, length / 4 * 3 + 1, 1), *out = data;
	for (size_t i = 0; i < length; i += 4) {
		unsigned word = 0;
		for (unsigned k = 0; k < 4; k++) {
			int digit = text[i + k] == '=' ? 0 : base64_digit(text[i + k]);
			if (digit < 0)
				fail(reader, "data is no base64");
			word = word << 6 | (unsigned)(digit & 63);
		}
		*out++ = (uint8_t)(word >> 16);
		*out++ = (uint8_t)(word >> 8);
		*out++ = (uint8_t)word;
	}
	return data;
}

static void axes(struct recording *reader, const json_t *line, const char *key, uint64_t values[3])
{
	const json_t *list = json_object_get(line, key);
	for (unsigned axis = 0; axis < 3; axis++) {
		values[axis] = number_of(reader, json_array_get(list, axis), INT32_MAX);
		if (values[axis] == 0)
			fail(reader, "a grid or a block has no extent");
	}
}

static const struct observed_kernel *kernel_of(struct recording *reader, const json_t *value)
{
	uint64_t id = number_of(reader, value, KERNELS_MOST);
	if (id == 0 || id > reader->kernel_count) {
		fail(reader, "a kernel is not known");
		return NULL;
	}
	return reader->kernels[id - 1];
}

/* ---- lines --------------------------------------------------------------------------------- */

static void kernel_read(struct recording *reader, const json_t *line)
{
	struct observed_kernel *kernel = arena_alloc(reader->arena, sizeof *kernel);
	kernel->name = name(reader, line, "name");
	if (number(reader, line, "kernel", KERNELS_MOST) != reader->kernel_count + 1)
		fail(reader, "kernels are not numbered in order");
	ARENA_PUSH(reader->arena, reader->kernels, reader->kernel_count, kernel);
}

static void content_read(struct recording *reader, const json_t *line)
{
	struct observed_content *content = arena_alloc(reader->arena, sizeof *content);
	content->bytes = number(reader, line, "bytes", NUMBER_MOST);
	if (json_object_get(line, "fill"))
		content->fill = (uint8_t)number(reader, line, "fill", UINT8_MAX);
	else
		content->data = data_of(reader, line, content->bytes);
	if (number(reader, line, "content", KERNELS_MOST) != reader->content_count + 1)
		fail(reader, "contents are not numbered in order");
	ARENA_PUSH(reader->arena, reader->contents, reader->content_count, content);
}

static void symbol_read(struct recording *reader, const json_t *line)
{
	struct observed_write write = {.name = name(reader, line, "symbol"),
	                               .bytes = number(reader, line, "bytes", INT32_MAX),
	                               .offset = number(reader, line, "offset", INT32_MAX)};
	const json_t *data = json_object_get(line, "data");
	size_t length = json_is_string(data) ? json_string_length(data) : 0;
	write.size = length / 4 * 3;
	for (size_t i = 0; i < 2 && i < length; i++)
		write.size -= json_string_value(data)[length - 1 - i] == '=';
	write.data = data_of(reader, line, write.size);
	if (write.offset > write.bytes || write.size > write.bytes - write.offset)
		fail(reader, "a write leaves its variable");
	ARENA_PUSH(reader->arena, reader->observation->writes, reader->observation->write_count, write);
}

static enum observed_writer writer_read(struct recording *reader, const json_t *value)
{
	static const char *const names[] = {"nobody", "host", "copy", "set", "kernel", "executed"};
	for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
		if (json_is_string(value) && strcmp(json_string_value(value), names[i]) == 0)
			return (enum observed_writer)i;
	fail(reader, "a writer is not known");
	return OBSERVED_NOBODY;
}

static void pointer_read(struct recording *reader, const json_t *value, struct observed_launch *launch)
{
	struct observed_pointer pointer = {.argument = (unsigned)number(reader, value, "argument", UINT16_MAX),
	                                   .at = (unsigned)number(reader, value, "at", UINT16_MAX),
	                                   .offset = number(reader, value, "offset", NUMBER_MOST),
	                                   .bytes = number(reader, value, "bytes", NUMBER_MOST),
	                                   .writer = writer_read(reader, json_object_get(value, "writer")),
	                                   .more = json_is_true(json_object_get(value, "more"))};
	uint64_t content = number(reader, value, "content", KERNELS_MOST);
	const json_t *passed = json_object_get(value, "passed");
	if (content > reader->content_count || pointer.offset >= pointer.bytes ||
	    pointer.argument >= launch->argument_count)
		fail(reader, "a pointer leads nowhere");
	else if (content)
		pointer.content = reader->contents[content - 1];
	if (pointer.content && pointer.content->bytes != pointer.bytes)
		fail(reader, "a content has another size than its memory");
	for (size_t i = 0; i < json_array_size(passed) && !reader->problem; i++) {
		const json_t *pair = json_array_get(passed, i);
		struct observed_passed one = {kernel_of(reader, json_array_get(pair, 0)),
		                              (unsigned)number_of(reader, json_array_get(pair, 1), UINT16_MAX)};
		ARENA_PUSH(reader->arena, pointer.passed, pointer.passed_count, one);
	}
	ARENA_PUSH(reader->arena, launch->pointers, launch->pointer_count, pointer);
}

static int hex_digit(char digit)
{
	return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static void argument_read(struct recording *reader, const json_t *value, struct observed_launch *launch)
{
	const char *text = json_is_string(value) ? json_string_value(value) : "?";
	size_t length = strlen(text);
	struct observed_argument argument = {.size = (unsigned)(length / 2)};
	uint8_t *bytes = arena_array(reader->arena, length / 2 + sizeof(uint64_t), 1);
	for (size_t i = 0; i + 1 < length; i += 2) {
		const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
		if (high < 0 || low < 0) {
			fail(reader, "an argument is no hexadecimal number");
			return;
		}
		bytes[i / 2] = (uint8_t)(high << 4 | low);
	}
	if (length % 2 || length > 2 * UINT16_MAX)
		fail(reader, "an argument is no hexadecimal number");
	argument.bytes = bytes;
	ARENA_PUSH(reader->arena, launch->arguments, launch->argument_count, argument);
}

static void launch_read(struct recording *reader, const json_t *line)
{
	struct observed_launch launch = {.kernel = kernel_of(reader, json_object_get(line, "of")),
	                                 .event = number(reader, line, "launch", INT32_MAX),
	                                 .shared = number(reader, line, "shared", INT32_MAX),
	                                 .times = number(reader, line, "times", TIMES_MOST),
	                                 .follows = json_is_true(json_object_get(line, "follows"))};
	const json_t *arguments = json_object_get(line, "arguments"), *pointers = json_object_get(line, "pointers");
	axes(reader, line, "grid", launch.grid);
	axes(reader, line, "block", launch.block);
	for (size_t i = 0; i < json_array_size(arguments) && !reader->problem; i++)
		argument_read(reader, json_array_get(arguments, i), &launch);
	for (size_t i = 0; i < json_array_size(pointers) && !reader->problem; i++)
		pointer_read(reader, json_array_get(pointers, i), &launch);
	if (launch.times)
		ARENA_PUSH(reader->arena, reader->observation->launches, reader->observation->launch_count, launch);
}

/* The launch that a later line tells of. */
static struct observed_launch *launch_of(struct recording *reader, const json_t *line, const char *key)
{
	uint64_t event = number(reader, line, key, INT32_MAX);
	for (unsigned i = reader->observation->launch_count; i-- > 0;)
		if (reader->observation->launches[i].event == event)
			return &reader->observation->launches[i];
	fail(reader, "a launch is not known");
	return NULL;
}

static void executed_read(struct recording *reader, const json_t *line)
{
	struct observed_launch *launch = launch_of(reader, line, "executed");
	uint64_t times = number(reader, line, "times", TIMES_MOST);
	if (launch)
		launch->executed += times;
}

static void skipped_read(struct recording *reader, const json_t *line)
{
	struct observed_launch *launch = launch_of(reader, line, "skipped");
	const char *why = name(reader, line, "why");
	if (number(reader, line, "times", TIMES_MOST) && launch && !launch->skipped) {
		launch->skipped = why;
		launch->fault = json_is_true(json_object_get(line, "fault"));
	}
}

static void unknown_read(struct recording *reader, const json_t *line)
{
	ARENA_PUSH(reader->arena, reader->observation->unknown, reader->observation->unknown_count,
	           name(reader, line, "unknown"));
}

static void refused_read(struct recording *reader, const json_t *line)
{
	ARENA_PUSH(reader->arena, reader->observation->refused, reader->observation->refused_count,
	           name(reader, line, "refused"));
}

static void cut_read(struct recording *reader, const json_t *line)
{
	reader->observation->cut |= strcmp(name(reader, line, "cut"), "launches") == 0;
}

static void stopped_read(struct recording *reader, const json_t *line)
{
	(void)line;
	reader->observation->stopped = true;
}

static void copy_read(struct recording *reader, const json_t *line)
{
	static const char *const names[] = {"to device", "to host", "on device", "on host"};
	struct observed_copy copy = {.move = OBSERVED_FILL,
	                             .pinned = json_is_true(json_object_get(line, "pinned")),
	                             .bytes = number(reader, line, "bytes", NUMBER_MOST),
	                             .times = number(reader, line, "times", TIMES_MOST)};
	const char *kind = json_object_get(line, "copy") ? name(reader, line, "kind") : NULL;
	for (unsigned i = 0; kind && i < ARRAY_COUNT(names); i++)
		if (strcmp(kind, names[i]) == 0)
			copy.move = (enum observed_move)i;
	if (kind && copy.move == OBSERVED_FILL)
		fail(reader, "a copy is of no known kind");
	ARENA_PUSH(reader->arena, reader->observation->copies, reader->observation->copy_count, copy);
}

static void allocate_read(struct recording *reader, const json_t *line)
{
	const uint64_t bytes = number(reader, line, "bytes", NUMBER_MOST),
		       times = number(reader, line, "times", TIMES_MOST);
	uint64_t all;
	if (strcmp(name(reader, line, "kind"), "managed") != 0)
		return;
	if (__builtin_mul_overflow(bytes, times, &all) ||
	    __builtin_add_overflow(reader->observation->managed_bytes, all, &reader->observation->managed_bytes))
		fail(reader, "there is more managed memory than addresses");
	reader->observation->managed_times += times;
}

/* Events whose order nothing reads yet: their numbers have to be such. */
static void event_read(struct recording *reader, const json_t *line)
{
	number(reader, line, "times", TIMES_MOST);
}

static const struct {
	const char *key;
	void (*read)(struct recording *reader, const json_t *line);
} rows[] = {{"kernel", kernel_read},     {"content", content_read},   {"symbol", symbol_read},
            {"launch", launch_read},     {"executed", executed_read}, {"skipped", skipped_read},
            {"order", event_read},       {"copy", copy_read},         {"set", copy_read},
            {"allocate", allocate_read}, {"unknown", unknown_read},   {"refused", refused_read},
            {"cut", cut_read},           {"stopped", stopped_read}};

static void line_read(struct recording *reader, const json_t *line)
{
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
		if (json_object_get(line, rows[i].key)) {
			rows[i].read(reader, line);
			return;
		}
	fail(reader, "a line is of no known kind");
}

static void head_read(struct recording *reader, const json_t *line)
{
	const json_t *schema = json_object_get(line, "schema");
	if (!json_is_string(schema) || strcmp(json_string_value(schema), SCHEMA) != 0) {
		fail(reader, "its first line does not say \"schema\": \"" SCHEMA "\"");
		return;
	}
	reader->observation->machine = name(reader, line, "machine");
	reader->observation->ended = name(reader, line, "ended");
}

/* ---- the whole -------------------------------------------------------------------------------- */

const struct observation *observe_parse(struct arena *arena, const char *text, size_t length, const char **problem)
{
	struct recording reader = {.arena = arena};
	unsigned line_number = 0;
	reader.observation = arena_alloc(arena, sizeof *reader.observation);
	for (const char *next = text, *end = text + length; next < end && !reader.problem;) {
		const char *newline = memchr(next, '\n', (size_t)(end - next));
		size_t size = newline ? (size_t)(newline - next) : (size_t)(end - next);
		json_error_t error;
		json_t *line = json_loadb(next, size, 0, &error);
		line_number++;
		if (!json_is_object(line))
			fail(&reader, "it is no object of JSON");
		else
			(line_number == 1 ? head_read : line_read)(&reader, line);
		json_decref(line);
		next += size + 1;
	}
	if (line_number == 0)
		fail(&reader, "it is empty");
	*problem = reader.problem ? arena_printf(arena, "line %u: %s", line_number, reader.problem) : NULL;
	return reader.problem ? NULL : reader.observation;
}

const struct observation *observe_read(struct arena *arena, const char *path, struct diagnostics *diagnostics)
{
	size_t length;
	const char *problem, *text = file_read(arena, path, &length);
	if (!text) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "cannot read the recording: %s", strerror(errno));
		return NULL;
	}
	const struct observation *observation = observe_parse(arena, text, length, &problem);
	if (!observation)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "no recording of --observe: %s", problem);
	return observation;
}

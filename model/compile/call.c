/*
 * Words for nvcc. See call.h: links for paths, a header for macros, and TMPDIR in the folder of the call.
 */
#include "model/compile/call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MACRO_HEADER "coalesce_macros.h"

/* ---- macros ------------------------------------------------------------------------------ */

static bool is_macro(const char *flag)
{
	return strncmp(flag, "-D", 2) == 0 || strncmp(flag, "-U", 2) == 0;
}

/* Whether a macro of a flag is among those of some others. */
static bool macro_among(const char *flag, const char *const *others, unsigned count)
{
	size_t length = strcspn(flag + 2, "=(");

	for (unsigned i = 0; i < count; i++)
		if (strcspn(others[i] + 2, "=(") == length && strncmp(others[i] + 2, flag + 2, length) == 0)
			return true;
	return false;
}

/* nvcc takes a comma for the end of a macro; text_is_plain() has none. A blank line ends what a backslash continues. */
static void macro_write(struct text *header, const char *flag)
{
	size_t name = strcspn(flag + 2, "=");
	const char *value = flag[2 + name] ? flag + 2 + name + 1 : "1";

	if (flag[1] == 'U')
		text_printf(header, "#undef %s\n", flag + 2);
	else
		text_printf(header, "#define %.*s %s\n\n", (int)name, flag + 2, value);
}

const char *nvcc_macro_header(struct arena *arena, const char *const *flags, unsigned count, const char ***left,
                              unsigned *left_count)
{
	const char **hidden = NULL, *copy = NULL;
	unsigned hidden_count = 0;
	struct text header = {0};

	*left = NULL;
	*left_count = 0;
	for (unsigned i = 0; i < count; i++) {
		if (!is_macro(flags[i]) || (text_is_plain(flags[i]) && !macro_among(flags[i], hidden, hidden_count))) {
			ARENA_PUSH(arena, *left, *left_count, flags[i]);
			continue;
		}
		ARENA_PUSH(arena, hidden, hidden_count, flags[i]);
		macro_write(&header, flags[i]);
	}
	if (header.length)
		copy = arena_strdup(arena, header.data);
	text_release(&header);
	return copy;
}

/* ---- words ------------------------------------------------------------------------------- */

bool nvcc_call_begin(struct nvcc_call *call, struct arena *arena, const char *nvcc, struct process_limits limits)
{
	*call = (struct nvcc_call){.arena = arena, .limits = process_limits_complete(limits)};
	call->directory = directory_temporary(arena);
	ARENA_PUSH(arena, call->words, call->word_count, nvcc);
	return call->directory != NULL;
}

void nvcc_call_end(struct nvcc_call *call)
{
	if (call->directory)
		directory_remove(call->directory);
	call->directory = NULL;
}

void nvcc_call_word(struct nvcc_call *call, const char *word)
{
	ARENA_PUSH(call->arena, call->words, call->word_count, word);
}

static const char *link_path(const struct nvcc_call *call, unsigned number)
{
	return arena_printf(call->arena, "%s/path_%u", call->directory, number);
}

/* A name that nvcc may be told: the path itself, or a link to it. A link that cannot be made names nothing. */
static const char *plain_path(struct nvcc_call *call, const char *path)
{
	char *absolute = realpath(path, NULL);
	const char *name = arena_strdup(call->arena, absolute ? absolute : path);

	free(absolute);
	if (text_is_plain(name))
		return name;
	unsigned number = call->linked_count;
	ARENA_PUSH(call->arena, call->linked, call->linked_count, name);
	(void)!symlink(name, link_path(call, number));
	return link_path(call, number);
}

void nvcc_call_path(struct nvcc_call *call, const char *flag, const char *path)
{
	nvcc_call_word(call, arena_printf(call->arena, "%s%s", flag, plain_path(call, path)));
}

bool nvcc_call_flags(struct nvcc_call *call, const char *const *flags, unsigned count)
{
	const char **left, *header = nvcc_macro_header(call->arena, flags, count, &left, &count);
	const char *path = arena_printf(call->arena, "%s/" MACRO_HEADER, call->directory);

	if (header && file_write(path, header, strlen(header)) != 0)
		return false;
	if (header) {
		nvcc_call_word(call, "-include");
		nvcc_call_word(call, path);
	}
	for (unsigned i = 0; i < count; i++) {
		if (strncmp(left[i], "-I", 2) == 0)
			nvcc_call_path(call, "-I", left[i] + 2);
		else if (left[i][0] == '-')
			nvcc_call_word(call, left[i]);
		else
			nvcc_call_path(call, "", left[i]);
	}
	return true;
}

struct process_result nvcc_call_run(const struct nvcc_call *call)
{
	const char **argv = arena_array(call->arena, (size_t)call->word_count + 1, sizeof *argv);

	memcpy(argv, call->words, call->word_count * sizeof *argv);
	return process_run_limited(call->arena, &(struct process_request){.argv = argv,
	                                                                  .directory = call->directory,
	                                                                  .temporary = call->directory,
	                                                                  .limits = call->limits});
}

const char *nvcc_call_restored(const struct nvcc_call *call, const char *text)
{
	struct text out = {0};
	const char *begin = arena_printf(call->arena, "%s/path_", call->directory), *found, *copy;

	if (call->linked_count == 0)
		return text;
	for (; (found = strstr(text, begin)); text = found) {
		char *end;
		unsigned long number = strtoul(found + strlen(begin), &end, 10);

		text_append(&out, text, (size_t)(found - text));
		text_puts(&out, number < call->linked_count ? call->linked[number] : begin);
		found = end;
	}
	text_puts(&out, text);
	copy = arena_strdup(call->arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

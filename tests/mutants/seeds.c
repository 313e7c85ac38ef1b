/*
 * Reads seeds.txt: the commands that mutants are made of. Its head says how it is written.
 */
#include "mutants.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define MADE_MOST 32

struct made {
	const char *name;
	struct blob data;
};
struct reader {
	struct arena *arena;
	seed_maker make;
	struct target *targets;
	unsigned target_count, line;
	struct made made[MADE_MOST];
	unsigned made_count;
	const char *wrong;
};
/* A line's words; `first` is the file that the line's first pattern stands for, or NULL. */
struct line {
	char **words;
	unsigned count;
};

static struct line line_split(struct arena *arena, const char *text)
{
	struct line line = {0};
	char *rest = arena_strdup(arena, text);
	for (char *word = strtok_r(rest, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		ARENA_PUSH(arena, line.words, line.count, word);
	return line;
}

/* Puts {dir} and {name} of a file into a word. */
static const char *word_fill(struct arena *arena, const char *word, const char *file)
{
	const char *slash = file ? strrchr(file, '/') : NULL,
		   *name = slash  ? slash + 1
	                   : file ? file
	                          : "",
		   *dot = strrchr(name, '.');
	struct text text = {0};
	for (; *word; word++)
		if (strncmp(word, "{dir}", 5) == 0) {
			text_append(&text, file, (size_t)(slash - file));
			word += 4;
		} else if (strncmp(word, "{name}", 6) == 0) {
			text_append(&text, name, dot ? (size_t)(dot - name) : strlen(name));
			word += 5;
		} else {
			text_append(&text, word, 1);
		}
	const char *filled = arena_strndup(arena, text.data ? text.data : "", text.length);
	text_release(&text);
	return filled;
}

static struct blob file_data(struct reader *reader, const char *path)
{
	struct blob data = {0};
	for (unsigned i = 0; i < reader->made_count; i++)
		if (strncmp(path, "made/", 5) == 0 && strcmp(reader->made[i].name, path + 5) == 0)
			return reader->made[i].data;
	data.data = file_read(reader->arena, path, &data.length);
	if (!data.data)
		reader->wrong = arena_printf(reader->arena, "cannot read %s", path);
	return data;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Two inputs of a name get different ones. */
static const char *name_free(struct arena *arena, const struct seed *seed, const char *name)
{
	for (unsigned i = 0; i < seed->word_count; i++)
		if (seed->words[i].name && strcmp(seed->words[i].name, name) == 0)
			return name_free(arena, seed, arena_printf(arena, "2-%s", name));
	return name;
}

static void word_add(struct reader *reader, struct seed *seed, const char *word)
{
	struct arena *arena = reader->arena;
	const char *at = strchr(word, '@');
	struct seed_word one = {WORD_PLAIN, word, NULL, {0}};
	if (*word == '%')
		one = (struct seed_word){WORD_OUTPUT, "", word + 1, {0}};
	else if (*word == '~')
		one = (struct seed_word){WORD_MUTABLE, word + 1, NULL, {0}};
	else if (at)
		one = (struct seed_word){WORD_FILE, arena_strndup(arena, word, (size_t)(at - word)),
		                         name_free(arena, seed, base_name(at + 1)), file_data(reader, at + 1)};
	else if (*word == '+')
		one = (struct seed_word){WORD_FILE, "", base_name(word + 1), file_data(reader, word + 1)};
	if (*word == '+')
		ARENA_PUSH(arena, seed->beside, seed->beside_count, one);
	else
		ARENA_PUSH(arena, seed->words, seed->word_count, one);
}

static void seed_add(struct reader *reader, const struct line *line, const char *file)
{
	struct seed seed = {0};
	for (unsigned i = 0; i < line->count; i++) {
		const char *word = line->words[i], *pattern = strchr(word, '@');
		if (*word == '^')
			continue;
		if (pattern && strchr(pattern, '*'))
			word = arena_printf(reader->arena, "%.*s@%s", (int)(pattern - word), word, file);
		word_add(reader, &seed, word_fill(reader->arena, word, file));
	}
	struct target *target = &reader->targets[reader->target_count - 1];
	if (seed.word_count > CASE_WORDS_MOST)
		reader->wrong = "too many words";
	ARENA_PUSH(reader->arena, target->seeds, target->seed_count, seed);
}

static bool is_left_out(const struct line *line, const char *path)
{
	for (unsigned i = 0; i < line->count; i++)
		if (line->words[i][0] == '^' && strstr(path, line->words[i] + 1))
			return true;
	return false;
}

/* A seed for each file of the line's first pattern. */
static void seeds_add(struct reader *reader, const struct line *line)
{
	const char *pattern = NULL;
	glob_t found = {0};
	for (unsigned i = 0; i < line->count && !pattern; i++)
		pattern = strchr(line->words[i], '@') ? strchr(line->words[i], '@') + 1 : NULL;
	if (!pattern || !strchr(pattern, '*')) {
		seed_add(reader, line, pattern);
		return;
	}
	if (glob(pattern, 0, NULL, &found) != 0)
		reader->wrong = arena_printf(reader->arena, "no file is %s", pattern);
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (!is_left_out(line, found.gl_pathv[i]))
			seed_add(reader, line, arena_strdup(reader->arena, found.gl_pathv[i]));
	globfree(&found);
}

static void target_add(struct reader *reader, const struct line *line)
{
	struct target target = {.name = line->count > 1 ? line->words[1] : NULL,
	                        .compiles = line->count > 2 && strcmp(line->words[2], "compiles") == 0};
	if (!target.name)
		reader->wrong = "a target needs a name";
	ARENA_PUSH(reader->arena, reader->targets, reader->target_count, target);
}

static void made_add(struct reader *reader, const struct line *line)
{
	struct made made = {.name = line->count > 2 ? line->words[1] : ""};
	if (line->count <= 2 || reader->made_count == MADE_MOST) {
		reader->wrong = "what is made needs a name and a command";
		return;
	}
	made.data = reader->make(reader->arena, (int)line->count - 2, line->words + 2);
	if (!made.data.data)
		reader->wrong = "the command fails";
	reader->made[reader->made_count++] = made;
}

static void line_read(struct reader *reader, const char *text)
{
	struct line line = line_split(reader->arena, text);
	if (line.count == 0 || line.words[0][0] == '#')
		return;
	if (strcmp(line.words[0], "target") == 0)
		target_add(reader, &line);
	else if (strcmp(line.words[0], "made") == 0)
		made_add(reader, &line);
	else if (reader->target_count == 0)
		reader->wrong = "a command before the first target";
	else
		seeds_add(reader, &line);
}

bool seeds_read(struct arena *arena, const char *path, seed_maker make, struct target **targets, unsigned *count)
{
	struct reader reader = {.arena = arena, .make = make};
	char *rest = file_read(arena, path, NULL);
	if (!rest) {
		fprintf(stderr, "mutants: cannot read %s\n", path);
		return false;
	}
	for (char *line = strsep(&rest, "\n"); line && !reader.wrong; line = strsep(&rest, "\n")) {
		reader.line++;
		line_read(&reader, line);
	}
	if (reader.wrong)
		fprintf(stderr, "%s:%u: error: %s\n", path, reader.line, reader.wrong);
	*targets = reader.targets;
	*count = reader.target_count;
	return !reader.wrong;
}

/*
 * One command in a folder of its own. The number of a mutant decides its seed, which of its inputs change, and how.
 */
#include "mutants.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned line_count(struct blob text)
{
	unsigned count = 0;
	for (size_t i = 0; i < text.length; i++)
		count += text.data[i] == '\n';
	return count;
}

/* Changes one of the lines, each of which is JSON. */
static struct blob lines_mutate(struct arena *arena, struct blob text)
{
	unsigned line = chance_below(line_count(text));
	char *begin = text.data;
	while (line-- > 0)
		begin = strchr(begin, '\n') + 1;
	size_t before = (size_t)(begin - text.data), length = strcspn(begin, "\n");
	struct blob changed = json_mutate(arena, (struct blob){arena_strndup(arena, begin, length), length});
	struct blob all = {.length = before + changed.length + text.length - before - length};
	all.data = arena_alloc(arena, all.length + 1);
	memcpy(all.data, text.data, before);
	memcpy(all.data + before, changed.data, changed.length);
	memcpy(all.data + before + changed.length, begin + length, text.length - before - length + 1);
	return all;
}

static struct blob input_mutate(struct arena *arena, const struct target *target, const char *name, struct blob data)
{
	const char *dot = strrchr(name, '.');
	const struct seed *other = &target->seeds[chance_below(target->seed_count)];
	struct blob piece = {0};
	for (unsigned i = 0; i < other->word_count; i++)
		piece = other->words[i].kind == WORD_FILE ? other->words[i].data : piece;
	if (dot && strcmp(dot, ".json") == 0)
		return json_mutate(arena, data);
	if (dot && strcmp(dot, ".jsonl") == 0 && chance_below(2))
		return lines_mutate(arena, data);
	return dot && strcmp(dot, ".cubin") == 0 ? bytes_mutate(arena, data) : words_mutate(arena, data, piece);
}

static unsigned changeable_count(const struct seed *seed)
{
	unsigned count = 0;
	for (unsigned i = 0; i < seed->word_count; i++)
		count += seed->words[i].kind == WORD_FILE || seed->words[i].kind == WORD_MUTABLE;
	return count;
}

/* A word of the command line after a change. */
static char *word_mutate(struct arena *arena, const char *text)
{
	const char *equals = strchr(text, '=');
	const int head = equals ? (int)(equals - text) + 1 : 0;
	struct blob word = {(char *)text, strlen(text)};
	if (chance_below(3) == 0)
		return arena_printf(arena, "%.*s%s", head, text, chance_number());
	word = words_mutate(arena, word, word);
	return arena_strndup(arena, word.data, word.length);
}

/* The word as the command gets it; a file is written. */
static char *word_write(struct arena *arena, const struct target *target, const struct seed_word *word, bool change,
                        const char *folder, struct blob *input)
{
	char *path = word->name ? arena_printf(arena, "%s/%s", folder, word->name) : NULL;
	switch (word->kind) {
	case WORD_FILE:
		*input = change ? input_mutate(arena, target, word->name, word->data) : word->data;
		file_write(path, input->data, input->length);
		return arena_printf(arena, "%s%s", word->text, path);
	case WORD_OUTPUT:
		return path;
	case WORD_MUTABLE:
		return change ? word_mutate(arena, word->text) : arena_strdup(arena, word->text);
	case WORD_PLAIN:
		break;
	}
	return arena_strdup(arena, word->text);
}

struct mutant case_write(struct arena *arena, const struct target *target, const struct seed *seed, uint64_t number,
                         const char *folder)
{
	struct mutant mutant = {.seed = seed, .word_count = (int)seed->word_count};
	unsigned sure = chance_below(changeable_count(seed)), at = 0;
	for (unsigned i = 0; i < seed->beside_count; i++)
		file_write(arena_printf(arena, "%s/%s", folder, seed->beside[i].name), seed->beside[i].data.data,
		           seed->beside[i].data.length);
	for (unsigned i = 0; i < seed->word_count; i++) {
		const struct seed_word *word = &seed->words[i];
		bool can = word->kind == WORD_FILE || word->kind == WORD_MUTABLE;
		bool change = can && number && (at++ == sure || chance_below(4) == 0);
		mutant.words[i] = word_write(arena, target, word, change, folder, &mutant.inputs[i]);
	}
	return mutant;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *position)
{
	(void)status, (void)kind;
	return position->level ? remove(path) : 0;
}

void folder_empty(const char *folder)
{
	const int open_directories = 16;
	nftw(folder, remove_entry, open_directories, FTW_DEPTH | FTW_PHYS);
}

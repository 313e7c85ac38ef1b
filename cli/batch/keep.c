/*
 * Finished cases of a batch that was interrupted, or of one before it: each result lies in a folder under a name that
 * is a hash of all that it depends on. What that is stands in key_make(); where it cannot be known (a header whose name
 * a macro makes) there is no key, and the case is predicted each time.
 */
#include "base/toolkit/toolkit.h"
#include "cli/batch/batch.h"

#include <string.h>

#define INCLUDES_MAX 4096

/* Two hashes (FNV-1a) of the same bytes from different beginnings. */
struct hash {
	uint64_t parts[2];
};

static void hash_bytes(struct hash *hash, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		for (unsigned p = 0; p < ARRAY_COUNT(hash->parts); p++)
			hash->parts[p] = (hash->parts[p] ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
}

/* With its zero, so that "a", "bc" is another than "ab", "c". */
static void hash_text(struct hash *hash, const char *text)
{
	hash_bytes(hash, text, strlen(text) + 1);
}

/* ---- files --------------------------------------------------------------------------------- */

struct key {
	struct arena *arena;
	struct hash hash;
	const struct suite_case *entry;
	const char **seen; /* files in it, so that a circle of headers ends */
	unsigned seen_count;
	bool unknown; /* something it depends on cannot be known */
};

static bool key_has_seen(struct key *key, const char *path)
{
	for (unsigned i = 0; i < key->seen_count; i++)
		if (strcmp(key->seen[i], path) == 0)
			return true;
	ARENA_PUSH(key->arena, key->seen, key->seen_count, path);
	key->unknown = key->unknown || key->seen_count > INCLUDES_MAX;
	return key->unknown;
}

static void key_source(struct key *key, const char *path);

/* A header of the user's: beside the file that names it, or in a folder that an option names. Others belong to the
 * toolkit or to the machine. */
static void key_include(struct key *key, const char *folder, const char *name)
{
	const char *path = arena_printf(key->arena, "%s%s", *name == '/' ? "" : folder, name);
	if (file_exists(path))
		key_source(key, path);
	for (unsigned w = 0; w < key->entry->word_count; w++) {
		const char *word = key->entry->words[w], *in = strncmp(word, "-I", 2) == 0 ? word + 2 : word;
		path = arena_printf(key->arena, "%s/%s", in, name);
		if (file_exists(path))
			key_source(key, path);
	}
}

/* The name in `<a.h>` or `"a.h"`; NULL where a macro stands there. */
static const char *included_name(struct arena *arena, const char *text)
{
	char closing = *text == '<' ? '>' : *text;
	const char *end = *text == '<' || *text == '"' ? strchr(text + 1, closing) : NULL;
	return end ? arena_strndup(arena, text + 1, (size_t)(end - text - 1)) : NULL;
}

/* Follows all that a file includes, in whatever branch of the preprocessor. */
static void key_includes(struct key *key, const char *path, const char *text)
{
	const char *slash = strrchr(path, '/');
	const char *folder = slash ? arena_strndup(key->arena, path, (size_t)(slash - path) + 1) : "";
	for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		const char *next = line + strspn(line, " \t");
		if (*next != '#')
			continue;
		next += 1 + strspn(next + 1, " \t");
		if (strncmp(next, "include", 7) != 0)
			continue;
		const char *name = included_name(key->arena, next + 7 + strspn(next + 7, " \t"));
		if (name)
			key_include(key, folder, name);
		key->unknown = key->unknown || !name;
	}
}

static void key_source(struct key *key, const char *path)
{
	size_t length = 0;
	if (key_has_seen(key, path))
		return;
	const char *text = file_read(key->arena, path, &length);
	if (!text) {
		key->unknown = true;
		return;
	}
	hash_bytes(&key->hash, text, length + 1);
	key_includes(key, path, text);
}

/* A word of the command line, and the file that it names, or that what stands after its "=" names: indices, PTX, a
 * build's commands. */
static void key_word(struct key *key, const char *word)
{
	const char *equals = strchr(word, '='), *file = equals ? equals + 1 : word;
	const char *build = arena_printf(key->arena, "%s/compile_commands.json", word);
	hash_text(&key->hash, word);
	if (*file && file_exists(build))
		key_source(key, build);
	else if (*file && file_exists(file))
		key_source(key, file);
}

/* ---- the rest of a key ------------------------------------------------------------------------ */

static void key_measured(struct key *key, const struct measured_case *measured)
{
	for (unsigned k = 0; measured && k < measured->kernel_count; k++) {
		const struct measured_kernel *kernel = &measured->kernels[k];
		hash_text(&key->hash, kernel->name);
		for (unsigned l = 0; l < kernel->layout_count; l++)
			hash_bytes(&key->hash, (const char *)&kernel->layouts[l].median, sizeof(double));
	}
	for (unsigned i = 0; measured && i < measured->option_count; i++)
		hash_text(&key->hash, measured->options[i]);
}

static void key_machine(struct key *key, const char *name)
{
	struct diagnostics ignored;
	diagnostics_init(&ignored, key->arena);
	const struct machine *machine = machine_load(key->arena, name, &ignored);
	if (machine)
		key_source(key, machine->path);
	key->unknown = key->unknown || !machine;
}

/* What the suite says of a case: it stands in the result. */
static void key_entry(struct key *key)
{
	const struct suite_case *entry = key->entry;
	const char *const texts[] = {entry->id, entry->group, entry->size};
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		hash_text(&key->hash, texts[i]);
	for (unsigned j = 0; j < entry->job_count; j++) {
		const struct suite_job *job = &entry->jobs[j];
		hash_text(&key->hash, job->name);
		hash_text(&key->hash, job->size);
		hash_bytes(&key->hash, (const char *)&job->times, sizeof job->times);
		for (unsigned k = 0; k < job->kernel_count; k++)
			hash_text(&key->hash, job->kernels[k]);
	}
}

static void key_options(struct key *key, const struct batch_request *request, const struct comparisons *comparisons)
{
	for (unsigned w = 0; w < key->entry->word_count; w++)
		key_word(key, key->entry->words[w]);
	for (unsigned m = 0; m < comparisons->model_count; m++)
		hash_text(&key->hash, comparisons->models[m]);
	hash_bytes(&key->hash, (const char *)&request->readings, sizeof request->readings);
	hash_text(&key->hash, comparisons->counted ? "counted" : "");
}

/* ---- the folder ------------------------------------------------------------------------------ */

struct batch_keep {
	const char *folder;
	struct hash tools; /* the program, the toolkit and libclang as they are here */
};

const struct batch_keep *batch_keep_open(struct arena *arena, const char *folder)
{
	struct batch_keep *keep = arena_alloc(arena, sizeof *keep);
	const struct toolkit toolkit = toolkit_find(arena);
	size_t length = 0;
	const char *own = file_read(arena, "/proc/self/exe", &length);
	if (!own || directory_create(folder) != 0)
		return NULL;
	*keep = (struct batch_keep){folder, {{UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4)}}};
	hash_bytes(&keep->tools, own, length);
	hash_text(&keep->tools, toolkit.version ? toolkit.version : "");
	hash_text(&keep->tools, analysis_clang_version(arena));
	return keep;
}

const char *batch_keep_path(struct arena *arena, const struct batch_request *request,
                            const struct comparisons *comparisons, unsigned index)
{
	const struct batch_keep *keep = request->keep;
	const struct suite_case *entry = &request->suite->cases[index];
	struct command_line line;
	if (!keep ||
	    !batch_suite_line(arena, entry, request->machine ? request->machine : request->suite->machine, &line))
		return NULL;
	struct key key = {.arena = arena, .hash = keep->tools, .entry = entry};
	key_machine(&key, option_text(&line.machine, ""));
	key_source(&key, entry->file);
	key_entry(&key);
	key_options(&key, request, comparisons);
	if (request->measurement)
		key_measured(&key, measure_case_find(request->measurement, entry->measured));
	if (key.unknown)
		return NULL;
	return arena_printf(arena, "%s/%016llx%016llx", keep->folder, (unsigned long long)key.hash.parts[0],
	                    (unsigned long long)key.hash.parts[1]);
}

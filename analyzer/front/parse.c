/*
 * Parsing: libclang's flags, the precompiled header, and which of clang's diagnostics matter.
 *
 * A .cu file is parsed for the device, so that __CUDA_ARCH__ and kernels are as nvcc sees them; host functions are
 * parsed in that pass too. Nearly all of the time goes into the toolkit's headers. They are the same for every file, so
 * the empty CUDA file is kept as a precompiled header in the user's cache folder, under a key of everything that it
 * depends on. Whatever goes wrong with the cache, the file is parsed without it.
 *
 * The prelude in front of the toolkit's headers declares threadIdx and its like as plain structures (clang's own header
 * makes them properties whose names libclang does not show).
 */
#include "analyzer/front/clang.h"
#include "analyzer/front/prelude.h"
#include "analyzer/source/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARGUMENTS_MAX 256

static const char prelude_path[] = "/coalesce/prelude.h";
static const char empty_path[] = "/coalesce/empty.cu";
static const char atomics_path[] = "/coalesce/atomics.h";

/* Arguments of one parse. */
struct arguments {
	const char *list[ARGUMENTS_MAX];
	int count;
};

static void argument_push(struct arguments *arguments, const char *argument)
{
	if (arguments->count < ARGUMENTS_MAX)
		arguments->list[arguments->count++] = argument;
}

static void arguments_toolkit(struct front *front, struct arguments *arguments, const struct analyzer_options *options)
{
	if (!options->cuda_root)
		return;
	argument_push(arguments, arena_printf(front->arena, "--cuda-path=%s", options->cuda_root));
	argument_push(arguments, "-isystem");
	argument_push(arguments, arena_printf(front->arena, "%s/include", options->cuda_root));
	if (options->cuda_cccl) {
		argument_push(arguments, "-isystem");
		argument_push(arguments, options->cuda_cccl);
	}
}

/* Where clang's own headers came along with the program (a wheel), libclang is told so; else it finds them beside
 * itself. */
static void arguments_headers(struct front *front, struct arguments *arguments)
{
	const char *own = program_directory(front->arena), *number = strpbrk(front_version(front->arena), "0123456789");
	const char *folder =
		arena_printf(front->arena, "%s/../share/coalesce/clang/%d", own ? own : ".", number ? atoi(number) : 0);

	if (!file_exists(folder))
		return;
	argument_push(arguments, "-resource-dir");
	argument_push(arguments, folder);
}

static struct arguments arguments_common(struct front *front, const struct analyzer_options *options)
{
	struct arguments arguments = {.count = 0};
	static const char *const fixed[] = {"-x",
	                                    "cuda",
	                                    "--cuda-device-only",
	                                    "-nocudainc",
	                                    "-nocudalib",
	                                    "-Wno-unknown-cuda-version",
	                                    "-Wno-everything",
	                                    "-ferror-limit=0",
	                                    "-fmodules-validate-system-headers"};

	for (unsigned i = 0; i < ARRAY_COUNT(fixed); i++)
		argument_push(&arguments, fixed[i]);
	argument_push(&arguments, arena_printf(front->arena, "--cuda-gpu-arch=%s",
	                                       options->architecture ? options->architecture : "sm_90"));
	arguments_headers(front, &arguments);
	arguments_toolkit(front, &arguments, options);
	for (unsigned i = 0; i < options->flag_count; i++)
		if (flags_matter_to_source(options->flags[i]))
			argument_push(&arguments, options->flags[i]);
		else if (strcmp(options->flags[i], "--extended-lambda") == 0)
			argument_push(&arguments, "-D__CUDACC_EXTENDED_LAMBDA__=1");
	return arguments;
}

/* ---- the precompiled header ------------------------------------------------------------ */

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t length)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return hash_bytes(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Size and time of a file, so that a toolkit installed anew in the same folder is another one. */
static uint64_t hash_file_identity(uint64_t hash, const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return hash_text(hash, "none");
	hash = hash_bytes(hash, &status.st_size, sizeof(status.st_size));
	return hash_bytes(hash, &status.st_mtim, sizeof(status.st_mtim));
}

/*
 * Whether the headers of the toolkit could read a macro of that name: names reserved to the implementation, and the
 * prefixes that NVIDIA documents. All other -D and every -I leave the precompiled header as it is.
 */
static bool headers_read_macro(const char *name)
{
	static const char *const prefixes[] = {"_", "CU", "NV", "NDEBUG", "THRUST", "CCCL", "LIBCUDACXX"};

	for (unsigned i = 0; i < ARRAY_COUNT(prefixes); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* The part of a user's flags that the precompiled header depends on: all but -I, -isystem and harmless -D. */
static bool flag_matters(const char *flag, const char *previous)
{
	static const char *const folders[] = {"-I", "-isystem", "-iquote", "-include"};

	if (strncmp(flag, "-D", 2) == 0 && flag[2])
		return headers_read_macro(flag + 2);
	if (previous && strcmp(previous, "-D") == 0)
		return headers_read_macro(flag);
	for (unsigned i = 0; i < ARRAY_COUNT(folders); i++)
		if (strncmp(flag, folders[i], strlen(folders[i])) == 0 ||
		    (previous && strcmp(previous, folders[i]) == 0))
			return false;
	return strcmp(flag, "-D") != 0;
}

/* Keeps in `arguments` only what the precompiled header is made with. */
static void arguments_keep_mattering(struct arguments *arguments, unsigned user_from)
{
	int kept = (int)user_from;

	for (int i = (int)user_from; i < arguments->count; i++) {
		const char *previous = i > (int)user_from ? arguments->list[i - 1] : NULL;
		bool splits = previous && strcmp(previous, "-D") == 0;

		if (!flag_matters(arguments->list[i], previous))
			continue;
		if (splits)
			arguments->list[kept++] = "-D";
		arguments->list[kept++] = arguments->list[i];
	}
	arguments->count = kept;
}

static const char *cache_path(struct front *front, const struct arguments *arguments,
                              const struct analyzer_options *options)
{
	const char *folder = options->use_cache && options->cuda_root ? directory_cache(front->arena) : NULL;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	if (!folder)
		return NULL;
	hash = hash_text(hash, front_version(front->arena));
	hash = hash_text(hash_text(hash, prelude_toolkit), atomics);
	for (int i = 0; i < arguments->count; i++)
		hash = hash_text(hash, arguments->list[i]);
	hash = hash_file_identity(hash, arena_printf(front->arena, "%s/include/cuda_runtime.h", options->cuda_root));
	hash = hash_file_identity(hash, arena_printf(front->arena, "%s/include/cuda.h", options->cuda_root));
	return arena_printf(front->arena, "%s/cuda-%016llx.pch", folder, (unsigned long long)hash);
}

static bool has_errors(CXTranslationUnit translation_unit)
{
	unsigned count = clang_getNumDiagnostics(translation_unit);
	bool found = false;

	for (unsigned i = 0; i < count && !found; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(translation_unit, i);

		found = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
		clang_disposeDiagnostic(diagnostic);
	}
	return found;
}

/* The files that exist in memory only. */
struct memory_files {
	struct CXUnsavedFile list[3];
};

static struct memory_files memory_files(const struct analyzer_options *options)
{
	const char *prelude = options->cuda_root ? prelude_toolkit : prelude_bare;

	return (struct memory_files){{{prelude_path, prelude, strlen(prelude)},
	                              {empty_path, "\n", 1},
	                              {atomics_path, atomics, sizeof(atomics) - 1}}};
}

/* Makes the precompiled header at path, whole or not at all. Returns whether it is there. */
static bool cache_fill(struct front *front, CXIndex index, struct arguments arguments,
                       const struct analyzer_options *options, const char *path)
{
	struct memory_files files = memory_files(options);
	const char *temporary = arena_printf(front->arena, "%s.%ld", path, (long)getpid());
	CXTranslationUnit empty = NULL;
	bool done = false;

	argument_push(&arguments, "-include");
	argument_push(&arguments, prelude_path);
	if (clang_parseTranslationUnit2(index, empty_path, arguments.list, arguments.count, files.list,
	                                ARRAY_COUNT(files.list), CXTranslationUnit_ForSerialization,
	                                &empty) != CXError_Success)
		return false;
	if (!has_errors(empty) &&
	    clang_saveTranslationUnit(empty, temporary, CXSaveTranslationUnit_None) == CXSaveError_None)
		done = rename(temporary, path) == 0;
	if (!done)
		unlink(temporary);
	clang_disposeTranslationUnit(empty);
	return done;
}

/* ---- parsing ------------------------------------------------------------------------------- */

/* Parses with one more flag into front->translation_unit. */
static enum CXErrorCode parse_with(struct front *front, CXIndex index, const struct analyzer_options *options,
                                   struct arguments arguments, const char *flag, const char *file)
{
	struct memory_files files = memory_files(options);
	unsigned own = ARRAY_COUNT(files.list);
	struct CXUnsavedFile *all = arena_array(front->arena, own + front->changed_count, sizeof(*all));

	memcpy(all, files.list, sizeof(files.list));
	if (front->changed_count)
		memcpy(all + own, front->changed, front->changed_count * sizeof(*all));
	argument_push(&arguments, flag);
	argument_push(&arguments, file);
	return clang_parseTranslationUnit2(index, options->path, arguments.list, arguments.count, all,
	                                   own + front->changed_count, CXTranslationUnit_KeepGoing,
	                                   &front->translation_unit);
}

/* Parses with the precompiled header, which is made when there is none, and made anew when it is of no use. */
static enum CXErrorCode parse_with_cache(struct front *front, CXIndex index, const struct analyzer_options *options,
                                         struct arguments arguments, struct arguments mattering, const char *cache)
{
	enum CXErrorCode error = CXError_ASTReadError;

	*front->unit->cache = cache;
	if (file_exists(cache))
		error = parse_with(front, index, options, arguments, "-include-pch", cache);
	if (error != CXError_ASTReadError)
		return error;
	unlink(cache);
	if (cache_fill(front, index, mattering, options, cache))
		error = parse_with(front, index, options, arguments, "-include-pch", cache);
	return error;
}

static enum CXErrorCode parse(struct front *front, CXIndex index, const struct analyzer_options *options)
{
	struct arguments arguments = arguments_common(front, options), mattering = arguments;
	const char *cache;
	enum CXErrorCode error = CXError_ASTReadError;

	arguments_keep_mattering(&mattering, (unsigned)arguments.count - options->flag_count);
	cache = cache_path(front, &mattering, options);
	if (cache)
		error = parse_with_cache(front, index, options, arguments, mattering, cache);
	if (error == CXError_Success || error == CXError_Crashed)
		return error;
	return parse_with(front, index, options, arguments, "-include", prelude_path);
}

/* ---- the entry ------------------------------------------------------------------------------ */

static bool read_translation_unit(struct front *front)
{
	front->main_file = clang_getFile(front->translation_unit, front->unit->path);
	front_read_functions(front);
	if (front_report_errors(front))
		return false;
	return front_require_kernel(front);
}

/* Makes a text the one that is analysed; one that is not the file's own libclang reads from memory. */
static void text_take(struct front *front, const struct source_text *source, bool given)
{
	struct stat status;

	front->unit->source = source;
	front->unit->text = source->text;
	front->unit->text_length = source->length;
	front->changed_count = 0;
	if (source->piece_count > 1 || given || stat(front->unit->path, &status) != 0 || !S_ISREG(status.st_mode))
		ARENA_PUSH(front->arena, front->changed, front->changed_count,
		           (struct CXUnsavedFile){front->unit->path, source->text, source->length});
}

/* Parses, and again with what has to be changed in headers. */
static enum CXErrorCode parse_text(struct front *front, CXIndex index, const struct analyzer_options *options,
                                   const struct source_text *source)
{
	enum CXErrorCode error;

	text_take(front, source, options->text != NULL);
	error = parse(front, index, options);
	if (error != CXError_Success || !front_find_redeclared(front))
		return error;
	clang_disposeTranslationUnit(front->translation_unit);
	front->translation_unit = NULL;
	return parse(front, index, options);
}

/* Parses the source read anew: with names that clash renamed, perhaps without what stands for calls, and with its
 * headers where they are. */
static enum CXErrorCode parse_anew(struct front *front, CXIndex index, const struct analyzer_options *options,
                                   bool keeps_calls, bool alone)
{
	struct source_request request = {.path = front->unit->path,
	                                 .options = options,
	                                 .clashes = front->clashes,
	                                 .keeps_calls = keeps_calls || options->keeps_calls,
	                                 .alone = alone};
	const struct source_text *source = source_text_read(front->arena, &request, front->unit->diagnostics);

	if (!source)
		return CXError_Failure;
	if (front->translation_unit)
		clang_disposeTranslationUnit(front->translation_unit);
	front->translation_unit = NULL;
	return parse_text(front, index, options, source);
}

/* Parses the file with all that comes into its text; if that has errors, without what clashes in it, what stands for
 * calls, its headers. */
#define CLASH_TRIES 3 /* a type that is defined twice hides what stands in it */
static enum CXErrorCode parse_either(struct front *front, CXIndex index, const struct analyzer_options *options)
{
	enum CXErrorCode error = parse_text(front, index, options, front->unit->source);

	for (unsigned tries = 0; tries < CLASH_TRIES && error == CXError_Success && front_find_clashes(front); tries++)
		error = parse_anew(front, index, options, false, false);
	if (error == CXError_Success && front->unit->source->follows_calls && front_report_calls(front))
		error = parse_anew(front, index, options, true, false);
	if (!front->unit->source->has_headers || front->unit->source->other_count > 0 ||
	    (error == CXError_Success && !has_errors(front->translation_unit)))
		return error;
	return parse_anew(front, index, options, front->unit->source->follows_calls == false, true);
}

/* In a child process libclang's memory goes with the process. */
static bool unit_read(struct source_unit *unit, const struct analyzer_options *options, bool as_it_stands)
{
	struct front front = {.arena = unit->arena, .unit = unit, .names = intern_create(unit->arena)};
	struct duration begin = clock_thread();
	CXIndex index = clang_createIndex(1, 0);
	bool done = false;
	int saved = front_silence();
	enum CXErrorCode error =
		as_it_stands ? parse_text(&front, index, options, unit->source) : parse_either(&front, index, options);

	front_unsilence(saved);
	unit->clang = clock_thread_since(begin);
	if (error == CXError_Success)
		done = read_translation_unit(&front);
	else
		diagnostics_report(
			unit->diagnostics, SEVERITY_ERROR, (struct place){unit->path, 0, 0},
			"libclang gave up on this file%s",
			error == CXError_Crashed ? ": it crashed, as it does on code that is nested too deeply" : "");
	if (options->in_process) {
		if (front.translation_unit)
			clang_disposeTranslationUnit(front.translation_unit);
		clang_disposeIndex(index);
	}
	return done;
}

bool front_read(struct source_unit *unit, const struct analyzer_options *options)
{
	return unit_read(unit, options, false);
}

bool front_read_as_it_stands(struct source_unit *unit, const struct analyzer_options *options)
{
	return unit_read(unit, options, true);
}

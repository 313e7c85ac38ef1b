/*
 * Where the CUDA toolkit lies.
 *
 * A toolkit is a folder with bin/nvcc and the headers in include/ (NVIDIA's
 * installers and pip wheels) or targets/<platform>/include/ (conda), or
 * Debian's package: /usr/bin/nvcc, /usr/include and /usr/lib/cuda. Its version
 * is the CUDA_VERSION of cuda.h, which clang reads as well.
 */
#include "base/toolkit/toolkit.h"

#include <stdlib.h>
#include <string.h>

#if defined(__aarch64__)
#define PLATFORM "sbsa-linux"
#else
#define PLATFORM "x86_64-linux"
#endif

#define DEBIAN_ROOT "/usr/lib/cuda"

static const char *path_join(struct arena *arena, const char *folder, const char *name)
{
	return arena_printf(arena, "%s/%s", folder, name);
}

/* Returns folder/name when it exists, else NULL. */
static const char *path_below(struct arena *arena, const char *folder, const char *name)
{
	const char *path = path_join(arena, folder, name);

	return file_exists(path) ? path : NULL;
}

/* Returns the folder that holds path. */
static const char *parent_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return ".";
	return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

/* Reads "#define CUDA_VERSION 13000" in cuda.h, no further than there, as "13.0"; NULL when there is none. */
static const char *read_version(struct arena *arena, const char *include)
{
	static const char define[] = "#define CUDA_VERSION ";
	FILE *header = fopen(path_join(arena, include, "cuda.h"), "re");
	char line[256];
	long number = 0;

	while (header && number == 0 && fgets(line, sizeof(line), header))
		if (strncmp(line, define, strlen(define)) == 0)
			number = strtol(line + strlen(define), NULL, 10);
	if (header)
		fclose(header);
	return number > 0 ? arena_printf(arena, "%ld.%ld", number / 1000, number % 1000 / 10) : NULL;
}

/* Fills in the rest of a toolkit whose nvcc is known. Returns whether root and include hold a whole one. */
static bool accept(struct arena *arena, struct toolkit *toolkit, const char *root, const char *include)
{
	if (!file_exists(root) || !path_below(arena, include, "cuda_runtime.h"))
		return false;
	toolkit->version = read_version(arena, include);
	if (!toolkit->version)
		return false;
	toolkit->root = root;
	toolkit->include = include;
	toolkit->cccl = path_below(arena, include, "cccl");
	toolkit->ptxas = path_below(arena, parent_of(arena, toolkit->nvcc), "ptxas");
	return true;
}

/* Looks at the layouts that a toolkit with this nvcc may have. */
static bool around_nvcc(struct arena *arena, struct toolkit *toolkit, const char *nvcc)
{
	const char *bin = parent_of(arena, nvcc), *root = parent_of(arena, bin);

	toolkit->nvcc = nvcc;
	if (strcmp(root, "/usr") != 0 && accept(arena, toolkit, root, path_join(arena, root, "include")))
		return true;
	if (accept(arena, toolkit, root, path_join(arena, root, "targets/" PLATFORM "/include")))
		return true;
	return (strcmp(bin, "/usr/bin") == 0 || strcmp(bin, "/usr/lib/nvidia-cuda-toolkit/bin") == 0) &&
	       accept(arena, toolkit, DEBIAN_ROOT, "/usr/include");
}

/* Returns the file that path is a symbolic link to, or path itself. */
static const char *resolve(struct arena *arena, const char *path)
{
	char *resolved = realpath(path, NULL);
	const char *copy = resolved ? arena_strdup(arena, resolved) : path;

	free(resolved);
	return copy;
}

/* Asks an nvcc that is a script calling another for that one's path: a dry run prints its folder. NULL when it does
 * not. */
static const char *ask_nvcc(struct arena *arena, const char *nvcc)
{
	static const char here[] = "#$ _HERE_=";
	const char *const argv[] = {nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null", NULL};
	const double limit_seconds = 10;
	struct process_result result = process_run(arena, argv, NULL, limit_seconds);
	const char *found = result.status == 0 ? strstr(result.err, here) : NULL;

	if (!found)
		return NULL;
	found += strlen(here);
	return arena_printf(arena, "%.*s/nvcc", (int)strcspn(found, "\n"), found);
}

/* Looks around an nvcc, around the file that it is a link to, and around the one that it calls. NULL is allowed. */
static bool from_nvcc(struct arena *arena, struct toolkit *toolkit, const char *nvcc)
{
	const char *called;

	if (!nvcc)
		return false;
	if (around_nvcc(arena, toolkit, nvcc) || around_nvcc(arena, toolkit, resolve(arena, nvcc)))
		return true;
	called = ask_nvcc(arena, nvcc);
	return called && around_nvcc(arena, toolkit, called);
}

/* Looks in root/bin; root may be NULL or empty. */
static bool from_root(struct arena *arena, struct toolkit *toolkit, const char *root)
{
	return root && *root && from_nvcc(arena, toolkit, program_find(arena, path_join(arena, root, "bin/nvcc")));
}

/* Looks in toolkit/ beside the folder of the running program, where tools/setup puts it. */
static bool from_project(struct arena *arena, struct toolkit *toolkit)
{
	const char *directory = program_directory(arena);

	return directory && from_root(arena, toolkit, path_join(arena, parent_of(arena, directory), "toolkit"));
}

/* Looks where users and installers put toolkits, in the order of the header. */
static bool from_usual_places(struct arena *arena, struct toolkit *toolkit)
{
	return from_root(arena, toolkit, getenv("CUDA_HOME")) || from_root(arena, toolkit, getenv("CUDA_PATH")) ||
	       from_nvcc(arena, toolkit, program_find(arena, "nvcc")) || from_project(arena, toolkit) ||
	       from_root(arena, toolkit, "/usr/local/cuda");
}

struct toolkit toolkit_find(struct arena *arena)
{
	static const char none[] =
		"no CUDA toolkit (nvcc) found: install one and put nvcc on PATH, set COALESCE_CUDA to "
		"its folder, or run tools/setup in the source tree";
	static const char bad[] = "no CUDA toolkit in COALESCE_CUDA=%s: it needs bin/nvcc and include/cuda_runtime.h";
	struct toolkit toolkit = {0};
	const char *chosen = getenv("COALESCE_CUDA");

	if (chosen && *chosen)
		return from_root(arena, &toolkit, chosen)
		               ? toolkit
		               : (struct toolkit){.reason = arena_printf(arena, bad, chosen)};
	return from_usual_places(arena, &toolkit) ? toolkit : (struct toolkit){.reason = none};
}

/*
 * coalesce doctor: what was found of all that the commands need, and how to get what is missing.
 */
#include "base/toolkit/toolkit.h"
#include "cli/cli.h"

#include <jansson.h>
#include <link.h>
#include <string.h>

/* One thing looked for. */
struct health_check {
	const char *name;
	bool needed;        /* for predictions */
	const char *found;  /* what and where, or NULL */
	const char *advice; /* where it is missing: what is not possible, and how to get it */
};

struct findings {
	struct arena *arena;
	struct health_check *list;
	unsigned count;
};

static void finding_add(struct findings *findings, const char *name, bool needed, const char *found, const char *advice)
{
	struct health_check finding = {name, needed, found, advice};
	ARENA_PUSH(findings->arena, findings->list, findings->count, finding);
}

/* ---- looking ----------------------------------------------------------------------------- */

struct library {
	struct arena *arena;
	const char *wanted, *path;
};

static int library_look(struct dl_phdr_info *info, size_t size, void *context)
{
	struct library *library = context;
	(void)size;
	const char *name = strrchr(info->dlpi_name, '/');
	if (name && strncmp(name + 1, library->wanted, strlen(library->wanted)) == 0)
		library->path = arena_strdup(library->arena, info->dlpi_name);
	return 0;
}

/* The path of a library that this process has loaded, by how its file's name begins; NULL where there is none. */
static const char *library_find(struct arena *arena, const char *wanted)
{
	struct library library = {arena, wanted, NULL};
	dl_iterate_phdr(library_look, &library);
	return library.path;
}

/* NVRTC of the toolkit: with it nvcc need not read the CUDA headers for each prediction. */
static void nvrtc_look(struct findings *findings, const struct toolkit *toolkit)
{
	const char *reason = toolkit->reason;
	bool there = nvrtc_open(findings->arena, toolkit, &reason) != NULL;
	finding_add(findings, "NVRTC", false, there ? library_find(findings->arena, "libnvrtc.") : NULL,
	            arena_printf(findings->arena, "%s: nvcc compiles instead, which takes longer", reason));
}

static void toolkit_look(struct findings *findings)
{
	struct arena *arena = findings->arena;
	struct toolkit toolkit = toolkit_find(arena);
	finding_add(findings, "CUDA toolkit", true,
	            toolkit.reason ? NULL : arena_printf(arena, "%s, nvcc %s", toolkit.version, toolkit.nvcc), toolkit.reason);
	nvrtc_look(findings, &toolkit);
	finding_add(findings, "host compiler", true, program_find(arena, "g++"), "nvcc needs g++: install it");
}

static void machines_look(struct findings *findings)
{
	struct arena *arena = findings->arena;
	struct diagnostics diagnostics;
	unsigned count;
	diagnostics_init(&diagnostics, arena);
	machine_list(arena, &count, &diagnostics);
	const char *found =
		arena_printf(arena, "%u good%s", count,
	                     diagnostics.errors ? arena_printf(arena, ", %zu errors in others", diagnostics.errors) : "");
	finding_add(
		findings, "machine files", true, count ? found : NULL,
		"no machine file was found: they lie in machines/ beside the program's folder, or where `make install` puts them");
}

static struct findings findings_make(struct arena *arena)
{
	struct findings findings = {.arena = arena};
	const char *missing = cli_gpu_missing();
	finding_add(&findings, "coalesce", true, COALESCE_VERSION, NULL);
	toolkit_look(&findings);
	finding_add(&findings, "libclang", true, library_find(arena, "libclang"), "no source file can be read: install libclang");
	machines_look(&findings);
	finding_add(&findings, "cache folder", false, directory_cache(arena),
	            "every run reads the CUDA headers anew: set XDG_CACHE_HOME or HOME to a folder that can be written");
	finding_add(&findings, "GPU", false, missing ? NULL : "one or more",
	            missing ? arena_printf(arena, "measure and calibrate need one: %s", missing) : NULL);
	return findings;
}

/* ---- showing ------------------------------------------------------------------------------ */

static const char *state_of(const struct health_check *finding)
{
	return finding->found ? "found" : finding->needed ? "missing" : "absent";
}

static void findings_print(struct text *out, const struct findings *findings, const struct report_style *style)
{
	for (unsigned i = 0; i < findings->count; i++) {
		const struct health_check *finding = &findings->list[i];
		text_printf(out, "%-14s %-8s ", finding->name, state_of(finding));
		text_wrap(out, finding->found ? finding->found : finding->advice, 24, 24, style->width);
		text_puts(out, "\n");
	}
}

static json_t *findings_json(const struct findings *findings)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < findings->count; i++) {
		const struct health_check *finding = &findings->list[i];
		json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:s?, s:s?}", "name", finding->name, "state",
		                                      state_of(finding), "needed", finding->needed, "found", finding->found,
		                                      "advice", finding->found ? NULL : finding->advice));
	}
	return json_pack("{s:s, s:o}", "schema", "coalesce/doctor/1", "findings", list);
}

enum exit_code command_doctor(struct arena *arena, const struct command_line *line)
{
	struct report_style style;
	struct text out = {0};
	enum exit_code code = EXIT_VERDICT;
	if (!cli_style(&line->color, &style))
		return EXIT_USAGE;
	const struct findings findings = findings_make(arena);
	for (unsigned i = 0; i < findings.count; i++)
		if (findings.list[i].needed && !findings.list[i].found)
			code = EXIT_TOOL_MISSING;
	if (line->json.count)
		cli_json(&out, findings_json(&findings));
	else
		findings_print(&out, &findings, &style);
	return cli_print(&out, code);
}

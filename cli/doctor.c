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
	bool needed;         /* for predictions */
	const char *found;   /* where it is, or what it is; NULL: it is not there */
	const char *version; /* or NULL */
	const char *advice;  /* where it is missing: what is not possible, and how to get it */
};

struct findings {
	struct arena *arena;
	struct health_check *list;
	unsigned count;
	bool gpu;
};

static void finding_add(struct findings *findings, struct health_check finding)
{
	ARENA_PUSH(findings->arena, findings->list, findings->count, finding);
}

/* What a program says of its version: what follows `before` in its output, up to a blank or comma; NULL where it does
 * not run. */
static const char *version_ask(struct arena *arena, const char *program, const char *option, const char *before)
{
	const char *const words[] = {program, option, NULL};
	struct process_result run =
		program ? process_run(arena, words, NULL, 10) : (struct process_result){.status = -1};
	const char *found = run.status == 0 ? strstr(run.out, before) : NULL;
	return found ? arena_strndup(arena, found + strlen(before), strcspn(found + strlen(before), " ,\n")) : NULL;
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
	const char *reason = NULL, *advice = "it comes with the toolkit";
	bool there = nvrtc_open(findings->arena, toolkit, &reason) != NULL;
	if (!there && !toolkit->reason)
		advice = arena_printf(findings->arena, "%s: nvcc compiles instead, which takes longer", reason);
	finding_add(findings,
	            (struct health_check){"NVRTC", false, there ? library_find(findings->arena, "libnvrtc.so") : NULL,
	                                  toolkit->version, advice});
}

static void toolkit_look(struct findings *findings)
{
	struct arena *arena = findings->arena;
	const struct toolkit toolkit = toolkit_find(arena);
	const char *advice = "";
	if (toolkit.reason)
		advice = arena_printf(
			arena,
			"%s. `tools/setup` puts NVIDIA's compiler into toolkit/: 270 MB of wheels; neither root nor a "
			"GPU is needed",
			toolkit.reason);
	finding_add(findings, (struct health_check){"CUDA toolkit", true, toolkit.nvcc, toolkit.version, advice});
	nvrtc_look(findings, &toolkit);
}

static void compiler_look(struct findings *findings)
{
	const char *compiler = program_find(findings->arena, "g++");
	finding_add(findings, (struct health_check){"host compiler", true, compiler,
	                                            version_ask(findings->arena, compiler, "-dumpfullversion", ""),
	                                            "nvcc needs g++: apt-get install g++"});
}

static void machines_look(struct findings *findings)
{
	struct arena *arena = findings->arena;
	struct diagnostics diagnostics;
	unsigned count;
	diagnostics_init(&diagnostics, arena);
	const struct machine **machines = machine_list(arena, &count, &diagnostics);
	const char *found = "";
	for (unsigned i = 0; i < count; i++)
		found = arena_printf(arena, "%s%s%s", found, i ? ", " : "", machines[i]->id);
	if (diagnostics.errors)
		found = arena_printf(arena, "%s; %zu errors in others", found, diagnostics.errors);
	finding_add(
		findings,
		(struct health_check){
			"machine files", true, count ? found : NULL, NULL,
			"none was found: they lie in machines/ beside the program's folder, or where `make install` "
			"puts them"});
}

static void libclang_look(struct findings *findings)
{
	const char *words = analysis_clang_version(findings->arena), *number = strpbrk(words, "0123456789");
	finding_add(findings,
	            (struct health_check){"libclang", true, library_find(findings->arena, "libclang"),
	                                  number ? arena_strndup(findings->arena, number, strcspn(number, " ")) : words,
	                                  "no source file can be read: install libclang"});
}

static struct findings findings_make(struct arena *arena)
{
	struct findings findings = {.arena = arena};
	const char *missing = cli_gpu_missing();
	findings.gpu = !missing;
	finding_add(&findings,
	            (struct health_check){
			    "coalesce", false, program_directory(arena), COALESCE_VERSION,
			    "its own folder is not known, nor machine files and a toolkit beside it: /proc is "
			    "not mounted"});
	toolkit_look(&findings);
	compiler_look(&findings);
	libclang_look(&findings);
	machines_look(&findings);
	finding_add(&findings, (struct health_check){"cache folder", false, directory_cache(arena), NULL,
	                                             "every run reads the CUDA headers anew: set XDG_CACHE_HOME or "
	                                             "HOME to a folder that can be written"});
	finding_add(&findings,
	            (struct health_check){
			    "GPU", false, missing ? NULL : "one or more", NULL,
			    missing ? arena_printf(arena, "%s; only measure and calibrate need one", missing) : NULL});
	return findings;
}

/* ---- showing ------------------------------------------------------------------------------ */

static const char *state_of(const struct health_check *finding)
{
	return finding->found ? "found" : finding->needed ? "missing" : "absent";
}

static bool lacks(const struct findings *findings)
{
	for (unsigned i = 0; i < findings->count; i++)
		if (findings->list[i].needed && !findings->list[i].found)
			return true;
	return false;
}

static void findings_print(struct text *out, const struct findings *findings, const struct report_style *style)
{
	for (unsigned i = 0; i < findings->count; i++) {
		const struct health_check *finding = &findings->list[i];
		const char *what = finding->found ? finding->found : finding->advice;
		if (finding->found && finding->version)
			what = arena_printf(findings->arena, "%s, %s", finding->version, what);
		text_printf(out, "%-14s %-8s ", finding->name, state_of(finding));
		text_wrap(out, what, 24, 24, style->width - 1);
		text_puts(out, "\n");
	}
	text_puts(out, "\n");
	text_wrap(out,
	          lacks(findings) ? "Nothing can be predicted until what is missing is there."
	          : findings->gpu
	                  ? "All there to predict, rewrite, compare, bundle, measure and calibrate."
	                  : "All there to predict, rewrite, compare and bundle; measure and calibrate need a GPU.",
	          0, 2, style->width);
	text_puts(out, "\n");
}

static json_t *findings_json(const struct findings *findings)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < findings->count; i++) {
		const struct health_check *finding = &findings->list[i];
		json_array_append_new(list,
		                      json_pack("{s:s, s:s, s:b, s:s?, s:s?, s:s?}", "name", finding->name, "state",
		                                state_of(finding), "needed", finding->needed, "found", finding->found,
		                                "version", finding->found ? finding->version : NULL, "advice",
		                                finding->found ? NULL : finding->advice));
	}
	return json_pack("{s:s, s:o}", "schema", "coalesce/doctor/1", "findings", list);
}

enum exit_code command_doctor(struct arena *arena, const struct command_line *line)
{
	struct report_style style;
	struct text out = {0};
	if (!cli_style(&line->color, &style))
		return EXIT_USAGE;
	const struct findings findings = findings_make(arena);
	if (line->json.count)
		cli_json(&out, findings_json(&findings));
	else
		findings_print(&out, &findings, &style);
	return cli_print(&out, lacks(&findings) ? EXIT_TOOL_MISSING : EXIT_VERDICT);
}

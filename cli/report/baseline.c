/*
 * Findings that somebody accepted: a file of them, which gates and warnings pass over. A finding is a record of a file
 * in the layout that it is written in; once it is written in another one, it is judged again.
 */
#include "cli/report/report.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_baseline {
	const char *folder; /* of the file, without links and dots; "" for the root */
	json_t *root;       /* owned by the caller of report_baseline_release() */
};

static const char *folder_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	char whole[PATH_MAX];
	const char *folder = !slash ? "." : slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
	if (!realpath(folder, whole))
		return "";
	return strcmp(whole, "/") == 0 ? "" : arena_strdup(arena, whole);
}

/* A source as the baseline names it: from its folder where it lies in it, else from the root. */
static const char *file_name(struct arena *arena, const struct report_baseline *baseline, const char *path)
{
	char whole[PATH_MAX];
	size_t above = strlen(baseline->folder);
	if (!realpath(path, whole))
		return path;
	bool inside = strncmp(whole, baseline->folder, above) == 0 && whole[above] == '/';
	return arena_strdup(arena, inside ? whole + above + 1 : whole);
}

static const char *member(const json_t *finding, const char *name)
{
	const char *text = json_string_value(json_object_get(finding, name));
	return text ? text : "";
}

/* Whether every finding names its file, record and layout; reported where one does not. */
static bool findings_check(const char *path, const json_t *root, struct diagnostics *diagnostics)
{
	const json_t *list = json_object_get(root, "findings");
	bool good = json_is_array(list);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *finding = json_array_get(list, i);
		good = good && *member(finding, "file") && *member(finding, "record") && *member(finding, "written");
	}
	if (!good)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "\"findings\" takes a list of objects with \"file\", \"record\" and \"written\"");
	return good;
}

struct report_baseline *report_baseline_open(struct arena *arena, const char *path, bool may_be_missing,
                                             struct diagnostics *diagnostics)
{
	struct report_baseline *baseline = arena_alloc(arena, sizeof *baseline);
	const bool missing = access(path, F_OK) != 0 && errno == ENOENT;
	*baseline = (struct report_baseline){folder_of(arena, path), NULL};
	if (missing && may_be_missing)
		baseline->root = json_pack("{s:s, s:[]}", "schema", "coalesce/baseline/1", "findings");
	else if (missing)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "there is no such file; --write-baseline writes it");
	else
		baseline->root = json_file_read(arena, path, "coalesce/baseline/1", diagnostics);
	if (baseline->root && !findings_check(path, baseline->root, diagnostics)) {
		json_decref(baseline->root);
		baseline->root = NULL;
	}
	return baseline->root ? baseline : NULL;
}

void report_baseline_release(struct report_baseline *baseline)
{
	if (baseline)
		json_decref(baseline->root);
}

/* The file that declares a record, or that uses the arrays. */
static const char *group_file(const struct prediction *prediction, const struct layout_group *group)
{
	const struct place place = report_group_place(prediction, group);
	return place.file ? place.file : prediction->analysis->path;
}

bool report_is_accepted(struct arena *arena, const struct report_baseline *baseline,
                        const struct prediction *prediction, const struct verdict *verdict)
{
	const json_t *list = baseline ? json_object_get(baseline->root, "findings") : NULL;
	if (verdict->written == UINT_MAX || json_array_size(list) == 0)
		return false;
	const struct program_row *written = &prediction->program[verdict->written];
	const char *file = file_name(arena, baseline, group_file(prediction, verdict->group));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *finding = json_array_get(list, i);
		if (strcmp(member(finding, "file"), file) == 0 &&
		    strcmp(member(finding, "record"), verdict->group->name) == 0 &&
		    strcmp(member(finding, "written"), written->layout->name) == 0)
			return true;
	}
	return false;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static int compare_findings(const void *a, const void *b)
{
	const json_t *left = *(json_t *const *)a, *right = *(json_t *const *)b;
	int order = strcmp(member(left, "file"), member(right, "file"));
	return order ? order : strcmp(member(left, "record"), member(right, "record"));
}

static bool is_of(const struct report_baseline *baseline, struct arena *arena, const struct prediction *prediction,
                  const json_t *finding)
{
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		const struct layout_group *group = prediction->program_verdicts[v].group;
		if (strcmp(member(finding, "record"), group->name) == 0 &&
		    strcmp(member(finding, "file"), file_name(arena, baseline, group_file(prediction, group))) == 0)
			return true;
	}
	return false;
}

static json_t *finding_of(struct arena *arena, const struct report_baseline *baseline,
                          const struct prediction *prediction, const struct verdict *verdict)
{
	return json_pack("{s:s, s:s, s:s, s:s}", "file",
	                 file_name(arena, baseline, group_file(prediction, verdict->group)), "record",
	                 verdict->group->name, "written", prediction->program[verdict->written].layout->name, "best",
	                 prediction->program[verdict->best].layout->name);
}

json_t *report_baseline_with(struct arena *arena, const struct report_baseline *baseline,
                             const struct prediction *prediction, double percent)
{
	const json_t *old = json_object_get(baseline->root, "findings");
	json_t **list = NULL, *sorted = json_array();
	unsigned count = 0;
	for (size_t i = 0; i < json_array_size(old); i++)
		if (!is_of(baseline, arena, prediction, json_array_get(old, i)))
			ARENA_PUSH(arena, list, count, json_incref(json_array_get(old, i)));
	for (unsigned v = 0; v < prediction->program_verdict_count; v++)
		if (report_gate_exceeds(prediction, &prediction->program_verdicts[v], percent))
			ARENA_PUSH(arena, list, count,
			           finding_of(arena, baseline, prediction, &prediction->program_verdicts[v]));
	if (count)
		qsort(list, count, sizeof *list, compare_findings);
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(sorted, list[i]);
	return json_pack("{s:s, s:o}", "schema", "coalesce/baseline/1", "findings", sorted);
}

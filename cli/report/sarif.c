/*
 * SARIF 2.1.0 (OASIS), for what shows findings in pull requests: a result for each record that another layout would
 * make faster, with the rewriting as its fix; for each access of the layouts as written that does not coalesce.
 */
#include "cli/report/report.h"

#include <ctype.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const struct rule {
	const char *id, *name, *summary, *help, *level;
} rules[] = {
	{"record-layout", "RecordLayout", "A record would be faster in another layout",
         "The kernels were compiled and evaluated with this record in each layout; another one than the layout as "
         "written is "
         "predicted to be faster. The fix "
         "rewrites the file; `coalesce rewrite` does the same, and `coalesce explain` shows each access.",
         "warning"},
	{"uncoalesced-access", "UncoalescedAccess", "The lanes of a warp touch many sectors at once",
         "The 32 lanes of a warp address more 32-byte sectors than their bytes fill. Each sector is moved whole, so "
         "most of what "
         "is moved is not used. Neighbouring "
         "lanes should address neighbouring bytes.",
         "note"},
	{"analysis-note", "AnalysisNote", "What the analysis says of this place",
         "Something was assumed in place of what cannot be analysed, or is worth a try. The message says which option "
         "tells more.",
         "note"},
};
enum { RULE_LAYOUT, RULE_ACCESS, RULE_NOTE };

/* ---- places ------------------------------------------------------------------------------- */

/* A path as a URI: relative ones stay relative, what a URI cannot hold is escaped. */
static const char *uri_of(struct arena *arena, const char *path)
{
	struct text text = {0};
	text_puts(&text, *path == '/' ? "file://" : "");
	for (; *path; path++) {
		if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
			text_append(&text, path, 1);
		else
			text_printf(&text, "%%%02X", (unsigned)(unsigned char)*path);
	}
	const char *uri = arena_strndup(arena, text.data ? text.data : "", text.length);
	text_release(&text);
	return uri;
}

static json_t *location_json(struct arena *arena, const char *file, unsigned line, unsigned column)
{
	json_t *physical = json_pack("{s:{s:s}}", "artifactLocation", "uri", uri_of(arena, file));
	json_t *region = json_object();
	if (line)
		json_object_set_new(region, "startLine", json_integer(line));
	if (line && column)
		json_object_set_new(region, "startColumn", json_integer(column));
	if (line)
		json_object_set(physical, "region", region);
	json_decref(region);
	return json_pack("[{s:o}]", "physicalLocation", physical);
}

static json_t *result_json(unsigned rule, const char *message, json_t *locations)
{
	return json_pack("{s:s, s:i, s:s, s:{s:s}, s:o}", "ruleId", rules[rule].id, "ruleIndex", (int)rule, "level",
	                 rules[rule].level, "message", "text", message, "locations", locations);
}

/* ---- fixes -------------------------------------------------------------------------------- */

/* The file with one record in the layout of a row of the program, the others as written; NULL where it cannot be
 * rewritten as a whole. */
static const char *rewritten_text(struct arena *arena, const struct prediction *prediction,
                                  const struct program_row *row)
{
	const struct layout_groups *groups = &prediction->groups;
	struct placement **placements = arena_array(arena, groups->count + 1, sizeof *placements);
	struct diagnostics ignored;
	diagnostics_init(&ignored, arena);
	for (unsigned g = 0; g < groups->count; g++) {
		bool own = groups->list[g] == row->group;
		placements[g] = layout_place(arena, own ? row->layout : groups->list[g]->written, groups->list[g],
		                             own && row->tile ? row->tile : LAYOUT_TILE_DEFAULT);
	}
	const struct rewritten *rewritten =
		layout_rewrite(arena, prediction->analysis, groups, placements, REWRITE_PROGRAM, &ignored);
	return rewritten && rewritten->host_complete && rewritten->file_count == 1 && ignored.errors == 0
	               ? rewritten->text
	               : NULL;
}

/* Fixes for a result: one that rewrites the file, or none. */
static json_t *fixes_json(struct arena *arena, const struct prediction *prediction, const struct program_row *row)
{
	const char *path = prediction->analysis->path, *old = prediction->analysis->source->main_text;
	const char *new = old ? rewritten_text(arena, prediction, row) : NULL;
	unsigned count = 0;
	const struct report_hunk *hunks = new ? report_hunks(arena, old, new, &count) : NULL;
	json_t *replacements = json_array(), *fixes = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(replacements,
		                      json_pack("{s:{s:i, s:i, s:i, s:i}, s:{s:s}}", "deletedRegion", "startLine",
		                                (int)hunks[i].first, "startColumn", 1, "endLine",
		                                (int)(hunks[i].first + hunks[i].removed), "endColumn", 1,
		                                "insertedContent", "text", hunks[i].added));
	if (count)
		json_array_append_new(fixes, json_pack("{s:{s:s}, s:[{s:{s:s}, s:O}]}", "description", "text",
		                                       arena_printf(arena, "rewrite %s as %s", row->group->name,
		                                                    report_layout_label(arena, row->layout, row->tile)),
		                                       "artifactChanges", "artifactLocation", "uri",
		                                       uri_of(arena, path), "replacements", replacements));
	json_decref(replacements);
	return fixes;
}

/* ---- results ------------------------------------------------------------------------------ */

struct place report_group_place(const struct prediction *prediction, const struct layout_group *group)
{
	if (group->record && group->record->place.line)
		return group->record->place;
	for (unsigned b = 0; b < prediction->groups.binding_count; b++)
		if (prediction->groups.bindings[b].group == group)
			return prediction->groups.bindings[b].kernel->place;
	return (struct place){NULL, 0, 0};
}

static void layout_results(json_t *results, struct arena *arena, const struct prediction *prediction,
                           const struct report_baseline *baseline)
{
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		const struct verdict *verdict = &prediction->program_verdicts[v];
		if (verdict->written == UINT_MAX || verdict->written == verdict->recommended)
			continue;
		const struct program_row *written = &prediction->program[verdict->written];
		const struct program_row *best = &prediction->program[verdict->recommended];
		struct place place = report_group_place(prediction, verdict->group);
		const char *message = arena_printf(
			arena, "record %s is predicted %.2f times as fast on %s as %s than as written (%s)",
			verdict->group->name, written->time_seconds / best->time_seconds, prediction->machine->name,
			report_layout_label(arena, best->layout, best->tile),
			report_layout_label(arena, written->layout, written->tile));
		json_t *result = result_json(RULE_LAYOUT, message,
		                             location_json(arena, place.file ? place.file : prediction->analysis->path,
		                                           place.line, place.column));
		json_t *fixes = fixes_json(arena, prediction, best);
		if (json_array_size(fixes))
			json_object_set(result, "fixes", fixes);
		if (report_is_kept(prediction, verdict->group))
			json_object_set_new(result, "suppressions", json_pack("[{s:s}]", "kind", "inSource"));
		else if (report_is_accepted(arena, baseline, prediction, verdict))
			json_object_set_new(result, "suppressions", json_pack("[{s:s}]", "kind", "external"));
		json_decref(fixes);
		json_array_append_new(results, result);
	}
}

static void access_result(json_t *results, struct arena *arena, const struct prediction *prediction,
                          const struct launch_case *launch, const struct access_estimate *access)
{
	if ((access->class != UNCOALESCED && access->class != PARTIAL) || !access->place.line)
		return;
	const char *file = access->place.file ? access->place.file : prediction->analysis->path;
	const char *message = arena_printf(arena,
	                                   "kernel %s: this %s of %s%s%s touches %.3g sectors of 32 bytes per warp, "
	                                   "%.3g would hold the bytes of 32 lanes",
	                                   launch->kernel->name, report_access_kind(access->kind),
	                                   access->array ? access->array : "memory", access->member ? "." : "",
	                                   access->member ? access->member : "", access->sectors_per_request,
	                                   fmax(1, access->width_bytes));
	json_array_append_new(results,
	                      result_json(RULE_ACCESS, message,
	                                  location_json(arena, file, access->place.line, access->place.column)));
}

/* An access of shared memory whose lanes meet in banks. */
static void shared_result(json_t *results, struct arena *arena, const struct prediction *prediction,
                          const struct launch_case *launch, const struct shared_access *access)
{
	const char *file = access->place.file ? access->place.file : prediction->analysis->path;
	if (!access->place.line || access->conflicts_per_request < 1)
		return;
	json_array_append_new(results,
	                      result_json(RULE_ACCESS,
	                                  arena_printf(arena,
	                                               "kernel %s: this %s of shared memory takes %.3g wavefronts per "
	                                               "warp, %.3g of them bank conflicts",
	                                               launch->kernel->name, report_access_kind(access->kind),
	                                               access->wavefronts_per_request, access->conflicts_per_request),
	                                  location_json(arena, file, access->place.line, access->place.column)));
}

/* Accesses of each launch as the file has it. */
static void access_results(json_t *results, struct arena *arena, const struct prediction *prediction)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		const struct ranked_layout *row =
			result->verdict_count ? report_written_row(result, &result->verdicts[0]) : result->rows;
		for (unsigned a = 0; row && result->row_count && a < row->estimate->access_count; a++)
			access_result(results, arena, prediction, result->launch, &row->estimate->accesses[a]);
		for (unsigned a = 0; row && result->row_count && a < row->estimate->shared_count; a++)
			shared_result(results, arena, prediction, result->launch, &row->estimate->shared[a]);
	}
}

static void note_results(json_t *results, struct arena *arena, const struct diagnostics *messages)
{
	for (size_t i = 0; i < messages->count; i++) {
		const struct diagnostic *one = &messages->list[i];
		if (one->place.file && one->place.line)
			json_array_append_new(results, result_json(RULE_NOTE, one->message,
			                                           location_json(arena, one->place.file,
			                                                         one->place.line, one->place.column)));
	}
}

/* ---- the log ------------------------------------------------------------------------------ */

static json_t *rules_json(void)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ARRAY_COUNT(rules); i++)
		json_array_append_new(list,
		                      json_pack("{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}}", "id", rules[i].id,
		                                "name", rules[i].name, "shortDescription", "text", rules[i].summary,
		                                "fullDescription", "text", rules[i].help, "help", "text", rules[i].help,
		                                "defaultConfiguration", "level", rules[i].level));
	return list;
}

struct json_t *report_sarif(struct arena *arena, const struct prediction *prediction,
                            const struct report_context *context)
{
	json_t *results = json_array();
	layout_results(results, arena, prediction, context->baseline);
	access_results(results, arena, prediction);
	note_results(results, arena, context->messages);
	return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:s, s:[{s:b}], s:o}]}", "$schema",
	                 "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", "tool", "driver",
	                 "name", "coalesce", "version", context->version, "rules", rules_json(), "columnKind",
	                 "unicodeCodePoints", "invocations", "executionSuccessful", 1, "results", results);
}

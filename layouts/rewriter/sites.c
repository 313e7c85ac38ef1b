/*
 * Which files of a program call functions of ours. Each file is compiled by itself, so that each gets its own copies of
 * those that it calls.
 */
#include "layouts/rewriter/rewriter.h"

/* Whether a path is that of a source file, which no other file includes. */
static bool is_source_file(const struct source_text *source, const char *path)
{
	bool found = path == source->path;

	for (unsigned o = 0; o < source->other_count && !found; o++)
		found = path == source->others[o];
	return found;
}

static struct rewriter_site *site_at(struct rewriter *rewriter, struct rewriter_sites *sites, const char *path,
                                     unsigned name_count)
{
	struct rewriter_site site = {.path = path, .position = rewriter->source->length};

	for (unsigned s = 0; s < sites->count; s++)
		if (sites->list[s].path == path)
			return &sites->list[s];
	site.calls = arena_array(rewriter->arena, name_count + 1, sizeof(*site.calls));
	ARENA_PUSH(rewriter->arena, sites->list, sites->count, site);
	return &sites->list[sites->count - 1];
}

/* Takes down which of the functions an edit's text calls, and in which file. */
static void edit_look(struct rewriter *rewriter, struct rewriter_sites *sites, const struct edit *edit,
                      const char *const *names, unsigned name_count)
{
	const char *text = edit_render_copy(&rewriter->edits, edit->range, NULL);
	const char *path = analysis_place(rewriter->analysis, edit->range.begin).file;
	unsigned position = edit_file_scope(rewriter->source, edit->range.begin);

	for (unsigned n = 0; n < name_count; n++) {
		struct rewriter_site *site;

		if (!edit_text_has_word(text, strlen(text), names[n]) ||
		    !is_source_file(rewriter->analysis->source, path))
			continue;
		site = site_at(rewriter, sites, path, name_count);
		site->calls[n] = true;
		site->position = position < site->position ? position : site->position;
	}
}

/* Functions that no file was seen to call stand at the place that was planned. */
static void rest_place(struct rewriter_sites *sites, struct rewriter_site *planned, unsigned name_count)
{
	for (unsigned n = 0; n < name_count; n++) {
		bool is_called = false;

		for (unsigned s = 0; s < sites->count; s++)
			is_called = is_called || sites->list[s].calls[n];
		planned->calls[n] = planned->calls[n] || !is_called;
	}
}

struct rewriter_sites rewriter_sites_find(struct rewriter *rewriter, const char *const *names, unsigned name_count,
                                          unsigned position)
{
	const struct source_text *source = rewriter->analysis->source;
	const char *path =
		position < rewriter->source->length ? analysis_place(rewriter->analysis, position).file : NULL;
	bool is_divided = source && source->other_count > 0 && path && is_source_file(source, path);
	struct rewriter_sites sites = {NULL, 0};
	struct rewriter_site *planned;

	if (is_divided)
		edit_sort(&rewriter->edits);
	for (unsigned e = 0, done = 0; is_divided && e < rewriter->edits.count; e++) {
		const struct edit *edit = &rewriter->edits.list[e];

		if (edit->range.begin < done || edit->range.begin == edit->range.end)
			continue;
		edit_look(rewriter, &sites, edit, names, name_count);
		done = edit->range.end;
	}
	planned = site_at(rewriter, &sites, path, name_count);
	planned->position = position;
	rest_place(&sites, planned, name_count);
	return sites;
}

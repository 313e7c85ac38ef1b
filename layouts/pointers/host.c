/*
 * The host side: what was done for each member is done for the records. Those of one object that are allocated, cleared
 * or freed in one block become one; they are allocated with the first and freed with the last. Copies stay one for each
 * member: a helper puts the values in their places.
 */
#include "layouts/pointers/internal.h"

struct host_edit {
	struct rewriter *rewriter;
	struct rehost_plan *host;
	struct rehost_helpers *helpers;
	struct pointers_use *uses;
	unsigned use_count;
	bool good;
};

static const struct layout_group *group_of(const struct host_edit *edit)
{
	return edit->host->plan->group;
}

static const struct placement *placement_of(const struct host_edit *edit)
{
	return edit->host->plan->placement;
}

static void refuse(struct host_edit *edit, struct place place, const char *name, const char *reason)
{
	diagnostics_report(edit->rewriter->diagnostics, SEVERITY_NOTE, place, "host side left as it is: %s: %s", name,
	                   reason);
	edit->good = false;
}

/* ---- what belongs together --------------------------------------------------------------------- */

static bool same_text(const struct edit_source *source, struct range a, struct range b)
{
	return a.end - a.begin == b.end - b.begin &&
	       memcmp(source->text + a.begin, source->text + b.begin, a.end - a.begin) == 0;
}

/* Whether two uses become one: they do the same for members of the same object in one block. */
static bool are_joined(const struct host_edit *edit, const struct pointers_use *a, const struct pointers_use *b)
{
	const struct edit_source *source = edit->rewriter->source;

	return a->action == b->action && (a->action <= POINTERS_CLEAR || a->action == POINTERS_BETWEEN) &&
	       same_text(source, a->object, b->object) && same_text(source, a->source_object, b->source_object) &&
	       same_text(source, a->kind, b->kind) && same_text(source, a->last, b->last) &&
	       a->is_source == b->is_source &&
	       source->tokens[edit_token_at(source, a->mention->name.begin)].brace ==
	               source->tokens[edit_token_at(source, b->mention->name.begin)].brace;
}

/* How many elements a use is of, as the source spells it before any edit. */
static const char *count_text(const struct host_edit *edit, const struct pointers_use *use)
{
	struct edits none = {.arena = edit->rewriter->arena, .source = edit->rewriter->source};
	const char *type = group_of(edit)->fields[use->field].type;
	struct rehost_element element = {type, type, group_of(edit)->fields[use->field].name, type};
	struct text out = {0};
	const char *copy;

	rehost_count_write(&out, &none, NULL, use->bytes, &element);
	copy = arena_strdup(none.arena, out.data);
	text_release(&out);
	return copy;
}

/* Whether a token is spelled as one of those that name a use's object: to allocate its members does not change its
 * others. */
static bool names_object(const struct edit_source *source, unsigned token, const struct pointers_use *use)
{
	struct range name = {source->tokens[token].begin, source->tokens[token].end};

	for (unsigned i = edit_token_at(source, use->object.begin); source->tokens[i].begin < use->object.end; i++)
		if (same_text(source, name, (struct range){source->tokens[i].begin, source->tokens[i].end}))
			return true;
	return false;
}

/* Whether what a use's count is made of stays as it is between a place and the use. */
static bool is_known_at(const struct host_edit *edit, const struct pointers_use *use, unsigned place)
{
	const struct edit_source *source = edit->rewriter->source;
	unsigned from = edit_token_at(source, place), begin = edit_token_at(source, use->bytes.begin);

	for (unsigned i = begin; i < edit_token_at(source, use->bytes.end); i++)
		if (source->tokens[i].kind == TOKEN_IDENTIFIER && !edit_is(source, i, "sizeof") &&
		    !names_object(source, i, use) && edit_name_changes(source, i, from, begin))
			return false;
	return true;
}

/* Checks that the uses joined with one are of each member once, and of as many elements. */
static void joined_check(struct host_edit *edit, const struct pointers_use *use)
{
	for (unsigned f = 0; f < group_of(edit)->field_count; f++) {
		unsigned count = 0;

		for (unsigned u = 0; u < edit->use_count; u++) {
			const struct pointers_use *other = &edit->uses[u];

			if (other->field != f || !are_joined(edit, use, other))
				continue;
			count++;
			if (use->action <= POINTERS_MAKE &&
			    (strcmp(count_text(edit, use), count_text(edit, other)) != 0 ||
			     !is_known_at(edit, other, use->call.whole.begin)))
				refuse(edit, other->mention->place, other->mention->member,
				       "not known to have as many elements as those it is joined with");
		}
		if (count != 1)
			refuse(edit, use->mention->place, group_of(edit)->fields[f].name,
			       "not allocated, cleared or freed once and beside those it is joined with");
	}
}

/* Whether it is the first (or last) of those it is joined with. */
static bool is_extreme(const struct host_edit *edit, const struct pointers_use *use, bool last)
{
	for (unsigned u = 0; u < edit->use_count; u++)
		if (are_joined(edit, use, &edit->uses[u]) &&
		    (last ? edit->uses[u].call.whole.begin > use->call.whole.begin
		          : edit->uses[u].call.whole.begin < use->call.whole.begin))
			return false;
	return true;
}

/* ---- copies of whole records ------------------------------------------------------------------------ */

/* Whether a token stands in the statement of a use that is joined with one. */
static bool is_in_joined(const struct host_edit *edit, const struct pointers_use *use, struct range token)
{
	for (unsigned u = 0; u < edit->use_count; u++)
		if (are_joined(edit, use, &edit->uses[u]) &&
		    range_contains(edit_call_statement(edit->rewriter->source, &edit->uses[u].call), token))
			return true;
	return false;
}

/* Whether nothing is done between the first and the last of the uses joined with one. */
static bool follow_directly(const struct host_edit *edit, const struct pointers_use *use)
{
	const struct edit_source *source = edit->rewriter->source;
	unsigned first = use->call.whole.begin, last = first;

	for (unsigned u = 0; u < edit->use_count; u++) {
		unsigned begin = edit->uses[u].call.whole.begin;

		if (!are_joined(edit, use, &edit->uses[u]))
			continue;
		first = begin < first ? begin : first;
		last = begin > last ? begin : last;
	}
	for (unsigned i = edit_token_at(source, first); i < edit_token_at(source, last); i++)
		if (!is_in_joined(edit, use, (struct range){source->tokens[i].begin, source->tokens[i].end}))
			return false;
	return true;
}

/* Whether a copy between two objects is one of all members, one after another: of whole records. */
static bool copies_records(const struct host_edit *edit, const struct pointers_use *use)
{
	for (unsigned f = 0; use->action == POINTERS_BETWEEN && f < group_of(edit)->field_count; f++) {
		unsigned count = 0;

		for (unsigned u = 0; u < edit->use_count; u++)
			count += edit->uses[u].field == f && are_joined(edit, use, &edit->uses[u]) &&
			         strcmp(count_text(edit, use), count_text(edit, &edit->uses[u])) == 0;
		if (count != 1)
			return false;
	}
	return use->action == POINTERS_BETWEEN && follow_directly(edit, use);
}

/* ---- may every use be rewritten? --------------------------------------------------------------------- */

static void mention_check(struct host_edit *edit, const struct member_mention *mention)
{
	const bool tiled = placement_of(edit)->tile > 1;
	struct pointers_use use;

	if (mention->record == group_of(edit)->holder && !mention->member) {
		refuse(edit, mention->place, group_of(edit)->name, "made from a list of its members");
		return;
	}
	if (pointers_field(group_of(edit), mention) == group_of(edit)->field_count ||
	    !range_is_empty(mention->element) || pointers_is_device(edit->rewriter, mention->name.begin))
		return;
	if (!pointers_use_read(edit->rewriter, group_of(edit), mention, &use) ||
	    (tiled && use.is_async && use.action == POINTERS_SET))
		refuse(edit, mention->place, mention->member, "used other than in plain allocation, copy and release");
	else
		ARENA_PUSH(edit->rewriter->arena, edit->uses, edit->use_count, use);
}

static void unread_refuse(void *context, unsigned offset, const char *name)
{
	refuse(context, analysis_place(((struct host_edit *)context)->rewriter->analysis, offset), name,
	       "whose member this is was not read");
}

/* Single members of tiles are copied within the device alone, at once. */
static void copies_check(struct host_edit *edit)
{
	for (unsigned u = 0; u < edit->use_count; u++) {
		const struct pointers_use *use = &edit->uses[u];

		if (placement_of(edit)->tile > 1 && use->action == POINTERS_BETWEEN && !copies_records(edit, use) &&
		    (use->is_async || !edit_range_is(edit->rewriter->source, use->kind, "cudaMemcpyDeviceToDevice")))
			refuse(edit, use->mention->place, use->mention->member,
			       "copied alone between host and device, both of which have tiles");
	}
}

static void uses_check(struct host_edit *edit)
{
	for (unsigned m = 0; m < edit->rewriter->analysis->mention_count; m++)
		mention_check(edit, &edit->rewriter->analysis->mentions[m]);
	pointers_unread_visit(edit->rewriter, group_of(edit), unread_refuse, edit);
	for (unsigned u = 0; u < edit->use_count; u++)
		if (edit->uses[u].action <= POINTERS_CLEAR && is_extreme(edit, &edit->uses[u], false))
			joined_check(edit, &edit->uses[u]);
	copies_check(edit);
}

/* ---- the texts -------------------------------------------------------------------------------------------- */

/* A use being rewritten. */
struct use_edit {
	const struct host_edit *edit;
	const struct pointers_use *use;
	const char *helper; /* the function of ours that does it, or NULL */
};

/* "g.records" */
static void records_write(struct text *out, const struct edits *edits, const struct edit *at,
                          const struct use_edit *site, struct range object)
{
	if (!range_is_empty(object))
		edit_render(out, edits, object, at);
	text_puts(out, site->edit->host->plan->merged_name);
}

/* "&g.records->rho, sizeof(Grid_record)", of tiles "g.records->rho, sizeof(*g.records)". */
static void member_write(struct text *out, const struct edits *edits, const struct edit *at,
                         const struct use_edit *site, struct range object, bool pitch)
{
	const struct placement *placement = placement_of(site->edit);

	text_puts(out, placement->tile > 1 ? "" : "&");
	records_write(out, edits, at, site, object);
	text_printf(out, "->%s", placement->group->fields[site->use->field].name);
	if (pitch)
		text_printf(out, ", sizeof(%s)", site->edit->host->plan->type_name);
}

static void count_write(struct text *out, const struct edits *edits, const struct edit *at, const struct use_edit *site)
{
	const char *type = group_of(site->edit)->fields[site->use->field].type;
	struct rehost_element element = {type, type, group_of(site->edit)->fields[site->use->field].name, type};

	rehost_count_write(out, edits, at, site->use->bytes, &element);
}

static void last_write(struct text *out, const struct edits *edits, const struct edit *at, const struct use_edit *site)
{
	if (range_is_empty(site->use->last))
		return;
	text_puts(out, ", ");
	edit_render(out, edits, site->use->last, at);
}

/* Bytes of as many records as a use is of: "n * sizeof(Grid_record)". */
static void bytes_write(struct text *out, const struct edits *edits, const struct edit *at, const struct use_edit *site)
{
	unsigned tile = placement_of(site->edit)->tile;

	text_puts(out, tile > 1 ? "(" : "");
	count_write(out, edits, at, site);
	if (tile > 1)
		text_printf(out, " + %u) / %u", tile - 1, tile);
	text_printf(out, " * sizeof(%s)", site->edit->host->plan->type_name);
}

static void make_write(struct text *out, const struct edits *edits, const struct edit *at)
{
	const struct use_edit *site = at->context;

	records_write(out, edits, at, site, site->use->object);
	text_printf(out, " = (%s *)malloc(", site->edit->host->plan->type_name);
	bytes_write(out, edits, at, site);
	text_puts(out, ")");
}

/* Whole records from object to object: one copy. */
static void records_copy_write(struct text *out, const struct edits *edits, const struct edit *at)
{
	const struct use_edit *site = at->context;

	edit_render(out, edits, site->use->call.name, at);
	text_puts(out, "(");
	records_write(out, edits, at, site, site->use->object);
	text_puts(out, ", ");
	records_write(out, edits, at, site, site->use->source_object);
	text_puts(out, ", ");
	bytes_write(out, edits, at, site);
	text_puts(out, ", ");
	edit_render(out, edits, site->use->kind, at);
	last_write(out, edits, at, site);
	text_puts(out, ")");
}

static void allocate_write(struct text *out, const struct edits *edits, const struct edit *at)
{
	const struct use_edit *site = at->context;
	struct range before = {site->use->call.arguments[0].begin, site->use->object.begin};

	edit_render(out, edits, site->use->call.name, at);
	text_puts(out, "(");
	edit_render(out, edits, before, at);
	records_write(out, edits, at, site, site->use->object);
	text_puts(out, ", ");
	bytes_write(out, edits, at, site);
	last_write(out, edits, at, site);
	text_puts(out, ")");
}

static void free_write(struct text *out, const struct edits *edits, const struct edit *at)
{
	const struct use_edit *site = at->context;

	edit_render(out, edits, site->use->call.name, at);
	text_puts(out, "(");
	records_write(out, edits, at, site, site->use->object);
	last_write(out, edits, at, site);
	text_puts(out, ")");
}

static void clear_write(struct text *out, const struct edits *edits, const struct edit *at)
{
	const struct use_edit *site = at->context;

	records_write(out, edits, at, site, site->use->object);
	text_puts(out, " = ");
	edit_render(out, edits, site->use->value, at);
}

/* Host and device, in the order of cudaMemcpy. */
static void copy_write(struct text *out, const struct edits *edits, const struct edit *at)
{
	const struct use_edit *site = at->context;
	const char *type = group_of(site->edit)->fields[site->use->field].type;
	bool to_host = site->use->action == POINTERS_TO_HOST, tiled = placement_of(site->edit)->tile > 1;

	text_printf(out, "%s(", site->helper);
	for (unsigned side = 0; side < 2; side++) {
		if ((side == 0) == to_host)
			edit_render(out, edits, site->use->host, at);
		else
			member_write(out, edits, at, site, site->use->object, true);
		if ((side == 0) == to_host && tiled)
			text_printf(out, ", sizeof(%s)", type);
		text_puts(out, ", ");
	}
	count_write(out, edits, at, site);
	last_write(out, edits, at, site);
	text_puts(out, ")");
}

static void between_write(struct text *out, const struct edits *edits, const struct edit *at)
{
	const struct use_edit *site = at->context;
	const char *type = group_of(site->edit)->fields[site->use->field].type;

	text_printf(out, "%s(",
	            site->helper          ? site->helper
	            : site->use->is_async ? "cudaMemcpy2DAsync"
	                                  : "cudaMemcpy2D");
	member_write(out, edits, at, site, site->use->object, !site->helper);
	text_puts(out, ", ");
	member_write(out, edits, at, site, site->use->source_object, true);
	text_puts(out, ", ");
	if (!site->helper)
		text_printf(out, "sizeof(%s), ", type);
	count_write(out, edits, at, site);
	if (!site->helper) {
		text_puts(out, ", ");
		edit_render(out, edits, site->use->kind, at);
	}
	last_write(out, edits, at, site);
	text_puts(out, ")");
}

static void set_write(struct text *out, const struct edits *edits, const struct edit *at)
{
	const struct use_edit *site = at->context;

	text_printf(out, "%s(",
	            site->helper          ? site->helper
	            : site->use->is_async ? "cudaMemset2DAsync"
	                                  : "cudaMemset2D");
	member_write(out, edits, at, site, site->use->object, true);
	text_puts(out, ", ");
	edit_render(out, edits, site->use->value, at);
	text_puts(out, ", ");
	if (!site->helper)
		text_printf(out, "sizeof(%s), ", group_of(site->edit)->fields[site->use->field].type);
	count_write(out, edits, at, site);
	last_write(out, edits, at, site);
	text_puts(out, ")");
}

/* ---- the edits ---------------------------------------------------------------------------------------------- */

/* Takes a call or assignment away: its whole statement, or, inside another expression, all but its result. */
static void use_remove(const struct host_edit *edit, const struct pointers_use *use)
{
	struct range statement = edit_call_statement(edit->rewriter->source, &use->call);

	if (statement.end > 0)
		edit_add(&edit->rewriter->edits, edit_with_space(edit->rewriter->source, statement), "");
	else
		edit_add(&edit->rewriter->edits, use->call.whole, "cudaSuccess");
}

/* The function of ours that does what a use does, marked as used; NULL where the runtime has one. */
static const char *helper_of(const struct host_edit *edit, const struct pointers_use *use)
{
	bool tiled = placement_of(edit)->tile > 1;

	if (use->action == POINTERS_TO_DEVICE || use->action == POINTERS_TO_HOST)
		return rehost_copy_helper(edit->helpers, tiled, use->action == POINTERS_TO_DEVICE, use->is_async);
	if (!tiled || use->action < POINTERS_BETWEEN)
		return NULL;
	return rehost_helper_use(edit->helpers, use->action == POINTERS_SET ? HELPER_SET_TILES : HELPER_BETWEEN_TILES);
}

static void use_edit(const struct host_edit *edit, const struct pointers_use *use)
{
	static edit_writer *const writers[] = {[POINTERS_ALLOCATE] = allocate_write, [POINTERS_MAKE] = make_write,
	                                       [POINTERS_FREE] = free_write,         [POINTERS_CLEAR] = clear_write,
	                                       [POINTERS_TO_DEVICE] = copy_write,    [POINTERS_TO_HOST] = copy_write,
	                                       [POINTERS_BETWEEN] = between_write,   [POINTERS_SET] = set_write};
	struct use_edit *site = arena_alloc(edit->rewriter->arena, sizeof(*site));
	bool whole = copies_records(edit, use);

	if (use->is_source)
		return;
	if ((use->action <= POINTERS_CLEAR || whole) && !is_extreme(edit, use, use->action == POINTERS_FREE)) {
		use_remove(edit, use);
		return;
	}
	*site = (struct use_edit){edit, use, whole ? NULL : helper_of(edit, use)};
	edit_add_writer(&edit->rewriter->edits, use->call.whole, whole ? records_copy_write : writers[use->action],
	                site);
}

/* Checks and rewrites the host's mentions. */
static bool host_edit(struct rewriter *rewriter, struct rehost_plan *host, struct rehost_helpers *helpers)
{
	struct host_edit *edit = arena_alloc(rewriter->arena, sizeof(*edit));

	*edit = (struct host_edit){.rewriter = rewriter, .host = host, .helpers = helpers, .good = true};
	uses_check(edit);
	for (unsigned u = 0; edit->good && u < edit->use_count; u++) {
		unsigned place = edit_before_declaration(
			rewriter->source, edit_outermost(rewriter->source, edit->uses[u].mention->name.begin));

		use_edit(edit, &edit->uses[u]);
		host->position = place < host->position ? place : host->position;
	}
	return edit->good;
}

/* ---- the entry ------------------------------------------------------------------------------ */

bool pointers_edit(struct rewriter *rewriter, struct rehost_plan *host, struct rehost_helpers *helpers)
{
	const struct group_plan *plan = host->plan;

	pointers_holder_edit(rewriter, plan);
	for (unsigned m = 0; m < rewriter->analysis->mention_count; m++) {
		const struct member_mention *mention = &rewriter->analysis->mentions[m];

		if (pointers_field(plan->group, mention) < plan->group->field_count &&
		    !range_is_empty(mention->element))
			pointers_element_edit(rewriter, plan, mention);
	}
	return rewriter->purpose == REWRITE_COMPILE || host_edit(rewriter, host, helpers);
}

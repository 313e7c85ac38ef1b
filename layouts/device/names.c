/*
 * Local names of elements: `point &q = p[e];`, `point *q = &p[e];`, `point *q = p + e;`. Where each mention of the name
 * takes a scalar out of the element, the name goes: `q.x` becomes what `p[e].x` would, with the index kept in a
 * variable of its own where it is more than an unchanging one. So plain code stays plain; all other local pointers and
 * references go through proxies.
 */
#include "layouts/device/internal.h"

/* One mention of a name: `q.pos.x`, `q->w[k]`. */
struct mention {
	unsigned begin, end; /* tokens, end behind the last */
	unsigned inner;      /* token of the first index, end where there is none */
	unsigned field;
	struct range statement; /* of a method's call, `q.drift(dt);`: all of it, and nothing of the above but begin and
	                           end counts */
};

/* ---- what is declared ------------------------------------------------------------------------ */

/* Whether tokens [begin, end) are the type of a declaration: nothing but words and `::`. */
static bool is_type(const struct edit_source *source, unsigned begin, unsigned end)
{
	for (unsigned i = begin; i < end; i++)
		if ((source->tokens[i].kind != TOKEN_IDENTIFIER && !edit_is(source, i, "::")) ||
		    edit_is(source, i, "static") || edit_is(source, i, "return"))
			return false;
	return end > begin;
}

/* Reads the declaration whose value is the reference; false where it is none of the three forms. */
static bool declaration_read(const struct edit_source *source, const struct reference *reference,
                             struct device_name *name)
{
	unsigned first = edit_token_at(source, reference->whole.begin),
		 end = edit_token_at(source, reference->whole.end);
	bool sum = reference->kind == REFERENCE_OTHER && edit_is(source, end, "+");
	bool address = !sum && first > 0 && edit_is(source, first - 1, "&");
	unsigned declared = first - (address ? 3 : 2);

	if (first < 5 || (reference->kind == REFERENCE_OTHER && !sum) || !edit_is(source, declared + 1, "=") ||
	    source->tokens[declared].kind != TOKEN_IDENTIFIER)
		return false;
	name->is_pointer = sum || address;
	if (!edit_is(source, declared - 1, name->is_pointer ? "*" : "&"))
		return false;
	name->index = reference->index;
	name->first = edit_declaration_first(source, declared);
	name->token = declared;
	while (sum && end < source->token_count && !edit_is(source, end, ";") && !edit_is(source, end, ","))
		end = source->tokens[end].match > end ? source->tokens[end].match + 1 : end + 1;
	if (sum)
		name->index = (struct range){source->tokens[edit_token_at(source, reference->whole.end) + 1].begin,
		                             source->tokens[end - 1].end};
	name->end = end + 1;
	return edit_is(source, end, ";") && is_type(source, name->first, declared - 1);
}

/* The path of the record in the element with a point behind it: "" for all of it, "pos." for p[i].pos. */
static const char *record_prefix(struct arena *arena, const struct edit_source *source,
                                 const struct reference *reference)
{
	unsigned tail = edit_reference_tail(source, reference);

	if (reference->kind == REFERENCE_OTHER || tail >= source->token_count ||
	    source->tokens[tail].begin >= reference->whole.end)
		return "";
	return arena_printf(
		arena, "%s.",
		edit_single_line(arena, edit_copy(arena, source,
	                                          (struct range){source->tokens[tail].end, reference->whole.end})));
}

/* ---- how it is used ---------------------------------------------------------------------------- */

/* Reads the mention at token i; false where it is not a scalar of the element. */
static bool mention_read(struct arena *arena, const struct edit_source *source, const struct device_name *name,
                         unsigned i, struct mention *mention)
{
	const struct layout_group *group = name->plan->group;
	const char *path = name->prefix;
	unsigned f = group->field_count;

	mention->begin = i++;
	if (!edit_is(source, i, name->is_pointer ? "->" : "."))
		return false;
	for (; f == group->field_count; i++) {
		struct range word;

		if (i + 1 >= source->token_count || source->tokens[i + 1].kind != TOKEN_IDENTIFIER)
			return false;
		word = (struct range){source->tokens[i + 1].begin, source->tokens[i + 1].end};
		path = arena_printf(arena, "%s%s", path, edit_copy(arena, source, word));
		for (f = 0; f < group->field_count && strcmp(group->fields[f].path, path) != 0; f++)
			;
		i++;
		if (f == group->field_count && !edit_is(source, i + 1, "."))
			return false;
		path = arena_printf(arena, "%s.", path);
	}
	mention->field = f;
	mention->inner = i;
	for (unsigned d = 0; d < group->fields[f].dimension_count; d++, i = source->tokens[i].match + 1)
		if (!edit_is(source, i, "[") || edit_is(source, mention->begin - 1, "&"))
			return false;
	mention->end = i;
	return !edit_is(source, i, "(");
}

/* Whether token i is the name itself, not a member of that name. */
static bool is_mention(const struct edit_source *source, const struct device_name *name, unsigned i)
{
	return edit_is(source, i, name->name) && !edit_is(source, i - 1, ".") && !edit_is(source, i - 1, "->");
}

/* Reads the mention at token i as the call of a method; false where it is none, or the record cannot be lent. */
static bool method_read(const struct rewriter *rewriter, const struct device_name *name, unsigned i,
                        struct mention *mention)
{
	const struct edit_source *source = rewriter->source;

	*mention = (struct mention){.begin = i, .end = i + 1};
	if (name->is_pointer || !name->record || name->plan->group->family || !edit_is(source, i + 1, ".") ||
	    !edit_is(source, i + 3, "(") ||
	    !device_lending_read(source, (struct range){source->tokens[i].begin, source->tokens[i].end},
	                         &mention->statement))
		return false;
	for (unsigned f = 0; f < name->plan->group->field_count; f++)
		if (name->plan->group->fields[f].dimension_count > 0)
			return false;
	for (unsigned t = i + 1; source->tokens[t].begin < mention->statement.end; t++)
		if (is_mention(source, name, t))
			return false;
	return device_record_kind(rewriter, name->record) >= DEVICE_RECORD_RAW;
}

/* Whether all mentions of the name in its block are scalars of the element or calls of its methods, and no macro can
 * spell one. */
static bool mentions_check(const struct rewriter *rewriter, const struct device_name *name)
{
	const struct edit_source *source = rewriter->source;
	struct mention mention;

	for (unsigned i = 0; i < source->token_count; i++) {
		const struct edit_token *token = &source->tokens[i];

		if (edit_is_directive(source, i, "define") &&
		    edit_text_has_word(source->text + token->begin, token->end - token->begin, name->name))
			return false;
		if (i >= name->end && i < name->scope_end && is_mention(source, name, i) &&
		    !mention_read(rewriter->arena, source, name, i, &mention) &&
		    !method_read(rewriter, name, i, &mention))
			return false;
	}
	return true;
}

/* Whether the index is one variable that keeps its value as long as the name is known. */
static bool index_stays(const struct edit_source *source, const struct device_name *name)
{
	unsigned i = edit_token_at(source, name->index.begin);

	return edit_token_at(source, name->index.end) == i + 1 && source->tokens[i].kind == TOKEN_IDENTIFIER &&
	       !edit_name_changes(source, i, name->end, name->scope_end);
}

bool device_name_read(struct rewriter *rewriter, const struct group_plan *plan, const struct reference *reference,
                      struct device_name *name)
{
	const struct edit_source *source = rewriter->source;

	*name = (struct device_name){.plan = plan, .parameter = reference->parameter->index};
	if (plan->group->form != FORM_STRUCT || plan->group->written_tile > 0 || reference->leaf ||
	    !declaration_read(source, reference, name) || source->tokens[name->token].brace == EDIT_NO_TOKEN)
		return false;
	name->name = edit_copy(rewriter->arena, source,
	                       (struct range){source->tokens[name->token].begin, source->tokens[name->token].end});
	name->prefix = record_prefix(rewriter->arena, source, reference);
	if (reference->kind != REFERENCE_OTHER)
		name->record = device_reference_part(rewriter->arena, source, reference, plan->group->record).record;
	name->scope_end = source->tokens[source->tokens[name->token].brace].match;
	if (!mentions_check(rewriter, name))
		return false;
	if (range_is_empty(name->index))
		name->index_name = "0";
	else if (index_stays(source, name))
		name->index_name = edit_copy(rewriter->arena, source, name->index);
	else
		name->variable = name->index_name =
			rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_index", name->name));
	return true;
}

/* ---- edits --------------------------------------------------------------------------------------- */

struct mention_edit {
	const struct device_name *name;
	const char *const *pointers;
	struct mention mention;
};

static void mention_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct mention_edit *site = edit->context;
	const struct edit_source *source = edits->source;
	const struct placement *placement = site->name->plan->placement;
	struct row_site texts = {site->pointers, site->mention.field, site->name->index_name, site->name->index_name,
	                         ""};

	if (site->mention.inner < site->mention.end)
		texts.inner = edit_render_copy(edits,
		                               (struct range){source->tokens[site->mention.inner].begin,
		                                              source->tokens[site->mention.end - 1].end},
		                               edit);
	placement->layout->access(out, placement, &texts);
}

/* Writes the index's own variable where the element's name was declared. */
static void variable_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct device_name *name = edit->context;

	text_printf(out, "const auto %s = ", name->variable);
	edit_render(out, edits, name->index, edit);
	text_puts(out, ";");
}

/* Makes the call of a method one of a copy, from which what it changes is written back. */
static void method_edit(struct rewriter *rewriter, const struct kernel_plan *kernel, const struct device_name *name,
                        const struct mention *mention)
{
	const struct edit_source *source = rewriter->source;
	struct device_lending *lending = arena_alloc(rewriter->arena, sizeof(*lending));

	*lending = (struct device_lending){
		.rewriter = rewriter,
		.plan = name->plan,
		.kernel = kernel->kernel,
		.parameter = name->parameter,
		.pointers = kernel->pointers[name->parameter],
		.path = arena_strndup(rewriter->arena, name->prefix, strlen(name->prefix) - (*name->prefix != 0)),
		.mention = {source->tokens[mention->begin].begin, source->tokens[mention->begin].end},
		.statement = mention->statement,
		.index_name = name->index_name};
	lending->is_plain = device_lending_is_plain(rewriter, name->plan->group, lending->mention);
	device_lending_edit(rewriter, lending, name->record);
}

static void name_edit(struct rewriter *rewriter, const struct kernel_plan *kernel, const struct device_name *name)
{
	const struct edit_source *source = rewriter->source;
	struct range statement = {source->tokens[name->first].begin, source->tokens[name->end - 1].end};

	if (name->variable)
		edit_add_writer(&rewriter->edits, statement, variable_write, name);
	else
		edit_add(&rewriter->edits, edit_whole_lines(source, statement), "");
	for (unsigned i = name->end; i < name->scope_end; i++) {
		struct mention_edit *site = arena_alloc(rewriter->arena, sizeof(*site));

		*site = (struct mention_edit){.name = name, .pointers = kernel->pointers[name->parameter]};
		if (!is_mention(source, name, i))
			continue;
		if (!mention_read(rewriter->arena, source, name, i, &site->mention)) {
			if (method_read(rewriter, name, i, &site->mention))
				method_edit(rewriter, kernel, name, &site->mention);
			continue;
		}
		edit_add_writer(&rewriter->edits,
		                (struct range){source->tokens[i].begin, source->tokens[site->mention.end - 1].end},
		                mention_write, site);
	}
}

void device_names_edit(struct rewriter *rewriter, const struct kernel_plan *kernel)
{
	for (unsigned n = 0; n < kernel->name_count; n++)
		name_edit(rewriter, kernel, kernel->names[n]);
}

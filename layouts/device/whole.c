/*
 * Records read and written as a whole. Where one is read, its members are listed in braces: `point{p_x[i], p_y[i]}`.
 * Where a statement writes one, it becomes a block that computes the value first: `{ const point value = q; p_x[i] =
 * value.x; p_y[i] = value.y; }`.
 *
 * Only for records without member arrays. Braces need an aggregate; a record that is made without arguments first is filled by a
 * function (loaders.c). All others go through proxies (proxies.c).
 */
#include "layouts/device/internal.h"

/* ---- what is named ------------------------------------------------------------------------ */

/* The path of the record in the element: "" for all of it, "position" for p[i].position. */
static const char *record_path(struct arena *arena, const struct edit_source *source, const struct reference *reference)
{
	unsigned tail = edit_reference_tail(source, reference);

	if (tail >= source->token_count || source->tokens[tail].begin >= reference->whole.end)
		return "";
	return edit_single_line(arena, edit_copy(arena, source, (struct range){source->tokens[tail].end, reference->whole.end}));
}

/*
 * Index of the semicolon that ends the statement that begins with the reference; EDIT_NO_TOKEN where it begins none, or
 * where the statement holds more than one expression.
 */
static unsigned statement_end(const struct edit_source *source, const struct reference *reference)
{
	unsigned first = edit_token_at(source, reference->whole.begin), i = edit_token_at(source, reference->whole.end);
	bool begins = first > 0 &&
	              (edit_is(source, first - 1, ";") || edit_is(source, first - 1, "{") || edit_is(source, first - 1, "}") ||
	               edit_is(source, first - 1, ")") || edit_is(source, first - 1, "else"));

	if (!begins)
		return EDIT_NO_TOKEN;
	while (i < source->token_count && !edit_is(source, i, ";") && !edit_is(source, i, ")") && !edit_is(source, i, "}") &&
	       !edit_is(source, i, ","))
		i = source->tokens[i].match > i ? source->tokens[i].match + 1 : i + 1;
	return edit_is(source, i, ";") ? i : EDIT_NO_TOKEN;
}

static bool is_assigned(const struct edit_source *source, const struct reference *reference)
{
	return edit_is(source, edit_token_at(source, reference->whole.end), "=");
}

/* Whether a method of the record is called: `p[i].scale(2)`. */
static bool is_method_call(const struct edit_source *source, const struct reference *reference)
{
	unsigned behind = edit_token_at(source, reference->whole.end);

	return edit_is(source, behind, ".") && edit_is(source, behind + 2, "(");
}

/* Whether the record is changed by the statement that begins with it: `p[i] += q;`, `p[i].scale(2);`. */
static bool is_updated(const struct edit_source *source, const struct reference *reference)
{
	static const char *const operators[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
	unsigned behind = edit_token_at(source, reference->whole.end);
	bool changes = is_method_call(source, reference);

	for (unsigned o = 0; o < ARRAY_COUNT(operators); o++)
		changes |= edit_is(source, behind, operators[o]);
	return changes && reference->is_written;
}

/* Whether a reference is declared by the statement in which the record stands, and might outlive a copy. */
static bool binds_reference(const struct edit_source *source, const struct reference *reference)
{
	for (unsigned i = edit_token_at(source, reference->whole.begin); i-- > 2;) {
		if (edit_is(source, i, ";") || edit_is(source, i, "{") || edit_is(source, i, "}"))
			return false;
		if (edit_is(source, i, "=") && edit_is(source, i - 2, "&"))
			return true;
	}
	return false;
}

/* Whether a copy of the record serves as well: it is read as a value, by a method, or by an operator. */
static bool copy_serves(const struct edit_source *source, const struct reference *reference)
{
	unsigned first = edit_token_at(source, reference->whole.begin);

	if (!reference->is_read || reference->is_written)
		return false;
	return !reference->address_taken ||
	       (!(first > 0 && edit_is(source, first - 1, "&")) && !binds_reference(source, reference));
}

/* Whether the record at that path of the element has member arrays. */
static bool has_member_arrays(const struct layout_group *group, const char *path)
{
	const char *rest;

	for (unsigned f = 0; f < group->field_count; f++)
		if (group->fields[f].dimension_count > 0 && device_field_belongs(&group->fields[f], path, &rest))
			return true;
	return false;
}

bool device_whole_can_be_listed(const struct rewriter *rewriter, const struct group_plan *plan, const struct reference *reference)
{
	const struct edit_source *source = rewriter->source;
	const struct record *record = device_reference_record(source, reference, plan->group->record);
	unsigned behind = edit_token_at(source, reference->whole.end);
	bool member = edit_is(source, behind, ".") || edit_is(source, behind, "->");
	enum device_record_kind kind;

	if (has_member_arrays(plan->group, record_path(rewriter->arena, source, reference)) || reference->index_has_side_effects ||
	    (member && !is_method_call(source, reference)))
		return false;
	kind = device_record_kind(rewriter, record);
	if (is_assigned(source, reference))
		return statement_end(source, reference) != EDIT_NO_TOKEN && kind >= DEVICE_RECORD_OPEN;
	if (is_updated(source, reference))
		return statement_end(source, reference) != EDIT_NO_TOKEN && kind >= DEVICE_RECORD_FILLED;
	return copy_serves(source, reference) && kind >= DEVICE_RECORD_FILLED;
}

/* ---- how it is written ---------------------------------------------------------------------- */

struct whole_edit {
	const struct group_plan *plan;
	const struct reference *reference;
	const char *const *pointers;
	const char *path, *type;
	struct range value;  /* what is assigned; empty: nothing is */
	struct range change; /* what changes the record, behind it; empty: nothing does */
	const char *name;    /* of the value that is assigned or changed */
	const char *loader;  /* the function that makes the record; NULL: its members are listed */
	const char *index;
	struct range lead;                 /* of a record that is lent: what stands before it in the statement */
	const struct device_lending *lent; /* or NULL */
};

/* Writes one field of the element. */
static void whole_field_write(struct text *out, struct arena *arena, const struct whole_edit *whole, unsigned field)
{
	struct row_site site = {whole->pointers, field, whole->index, edit_single_line(arena, whole->index), ""};

	whole->plan->placement->layout->access(out, whole->plan->placement, &site);
}

/* Whether a kernel of that text is known to write the field of what it lends. */
static bool field_is_stored(const struct device_lending *lending, const struct kernel *kernel, unsigned field)
{
	for (unsigned a = 0; a < kernel->access_count; a++) {
		const struct access *access = kernel->accesses[a];

		if (access->kind != ACCESS_LOAD && access->array->parameter == &kernel->parameters[lending->parameter] &&
		    access->leaf && strcmp(access->leaf->path, lending->plan->group->fields[field].path) == 0)
			return true;
	}
	return false;
}

/* The same of all instances of the kernel's text. */
static bool field_may_be_stored(const struct device_lending *lending, unsigned field)
{
	const struct analysis *analysis = lending->rewriter->analysis;
	bool stored = false;

	for (unsigned k = 0; k < analysis->kernel_count; k++)
		stored |= rewriter_kernels_share_text(analysis->kernels[k], lending->kernel) &&
		          field_is_stored(lending, analysis->kernels[k], field);
	return stored;
}

/* Whether a field has to be written back: all, where it is not known which ones change. */
static bool lending_changes(const struct device_lending *lending, unsigned field)
{
	bool any = false;

	for (unsigned f = 0; f < lending->plan->group->field_count; f++)
		any |= field_may_be_stored(lending, f);
	return !any || !lending->is_plain || field_may_be_stored(lending, field);
}

/* Writes the record: the values of all fields between braces, typed or as an initialiser, or the call of the function that makes it. */
static void whole_read_write(struct text *out, struct arena *arena, struct whole_edit *whole, bool typed)
{
	const char *rest, *separator = "";

	if (whole->loader) {
		text_printf(out, "%s(", whole->loader);
		device_loader_arguments(out, whole->plan, whole->path, whole->pointers);
		text_printf(out, ", %s)", whole->index);
		return;
	}
	text_printf(out, "%s{", typed ? whole->type : "");
	for (unsigned f = 0; f < whole->plan->group->field_count; f++) {
		if (!device_field_belongs(&whole->plan->group->fields[f], whole->path, &rest))
			continue;
		text_puts(out, separator);
		whole_field_write(out, arena, whole, f);
		separator = ", ";
		whole->index = edit_single_line(arena, whole->index);
	}
	text_puts(out, "}");
}

/* Writes the statements that give all fields the value's, or those that whoever it is lent to changes. */
static void whole_store_write(struct text *out, struct arena *arena, struct whole_edit *whole)
{
	const char *rest;

	for (unsigned f = 0; f < whole->plan->group->field_count; f++) {
		if (!device_field_belongs(&whole->plan->group->fields[f], whole->path, &rest) ||
		    (whole->lent && !lending_changes(whole->lent, f)))
			continue;
		whole_field_write(out, arena, whole, f);
		text_printf(out, " = %s.%s; ", whole->name, rest);
		whole->index = edit_single_line(arena, whole->index);
	}
	text_puts(out, "}");
}

static void whole_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	struct whole_edit whole = *(const struct whole_edit *)edit->context;

	whole.index = whole.lent && whole.lent->index_name ? whole.lent->index_name : "0";
	if (whole.lent && !range_is_empty(whole.lent->index))
		whole.index = edit_render_copy(edits, whole.lent->index, edit);
	else if (!whole.lent && !range_is_empty(whole.reference->index))
		whole.index = edit_render_copy(edits, whole.reference->index, edit);
	if (!range_is_empty(whole.value)) {
		text_printf(out, "{ const %s %s = %s; ", whole.type, whole.name, edit_render_copy(edits, whole.value, edit));
		whole_store_write(out, edits->arena, &whole);
	} else if (!range_is_empty(whole.change)) {
		text_printf(out, "{ %s %s = ", whole.type, whole.name);
		whole_read_write(out, edits->arena, &whole, false);
		text_printf(out, "; %s%s%s; ", range_is_empty(whole.lead) ? "" : edit_render_copy(edits, whole.lead, edit),
		            whole.name, edit_render_copy(edits, whole.change, edit));
		whole_store_write(out, edits->arena, &whole);
	} else {
		whole_read_write(out, edits->arena, &whole, true);
	}
}

void device_whole_edit(struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                       const struct reference *reference, const char *const *pointers)
{
	const struct edit_source *source = rewriter->source;
	struct whole_edit *whole = arena_alloc(rewriter->arena, sizeof(*whole));
	unsigned behind = edit_token_at(source, reference->whole.end), end = statement_end(source, reference);
	struct range range = reference->whole;

	const struct record *record = device_reference_record(source, reference, plan->group->record);

	*whole = (struct whole_edit){.plan = plan, .reference = reference, .pointers = pointers};
	whole->path = record_path(rewriter->arena, source, reference);
	whole->type = *whole->path ? NULL : device_record_spelling(rewriter, reference->parameter, plan->group);
	whole->type = whole->type ? whole->type : edit_spelling(rewriter->arena, record->type.spelling);
	whole->name = rewriter_name(rewriter, "value");
	if (is_assigned(source, reference))
		whole->value = (struct range){source->tokens[behind + 1].begin, source->tokens[end - 1].end};
	else if (is_updated(source, reference))
		whole->change = (struct range){reference->whole.end, source->tokens[end - 1].end};
	if (range_is_empty(whole->value) && device_record_kind(rewriter, record) == DEVICE_RECORD_FILLED)
		whole->loader = device_loader(rewriter, plan, kernel, record, whole->path);
	if (!range_is_empty(whole->value) || !range_is_empty(whole->change))
		range.end = source->tokens[end].end;
	edit_add_writer(&rewriter->edits, range, whole_write, whole);
}

/* ---- records that are lent ------------------------------------------------------------------ */

/* Whether tokens [begin, end) are a call, of what names lead to, with the argument that begins at a token. */
static bool is_call_with(const struct edit_source *source, unsigned begin, unsigned end, unsigned argument)
{
	unsigned open = begin;

	while (open < end && (source->tokens[open].kind == TOKEN_IDENTIFIER || edit_is(source, open, "::") ||
	                      edit_is(source, open, ".") || edit_is(source, open, "->")))
		open++;
	if (open == begin || !edit_is(source, open, "(") || source->tokens[open].match + 1 != end)
		return false;
	for (unsigned i = open + 1; i < argument; i++)
		if (source->tokens[i].match > argument)
			return false;
	return !edit_is(source, begin, "return");
}

bool device_lending_read(const struct edit_source *source, struct range mention, struct range *statement)
{
	unsigned first = edit_token_at(source, mention.begin), behind = edit_token_at(source, mention.end), begin, end;
	bool method = edit_is(source, behind, ".") && edit_is(source, behind + 2, "(");

	if (first == 0 || (!method && ((!edit_is(source, first - 1, "(") && !edit_is(source, first - 1, ",")) ||
	                               (!edit_is(source, behind, ")") && !edit_is(source, behind, ",")))))
		return false;
	for (end = behind; end < source->token_count && !edit_is(source, end, ";") && !edit_is(source, end, "}"); end++)
		if (source->tokens[end].match > end)
			end = source->tokens[end].match;
	for (begin = first; begin > 0 && !edit_is(source, begin - 1, ";") && !edit_is(source, begin - 1, "{") &&
	                    !edit_is(source, begin - 1, "}") && !edit_is(source, begin - 1, "else") &&
	                    source->tokens[begin - 1].kind != TOKEN_DIRECTIVE &&
	                    !(edit_is(source, begin - 1, ")") && source->tokens[begin].kind == TOKEN_IDENTIFIER);)
		begin--;
	*statement = (struct range){source->tokens[begin].begin, end < source->token_count ? source->tokens[end].end : 0};
	if (!edit_is(source, end, ";") || (method && begin != first))
		return false;
	return method || is_call_with(source, begin, end, first);
}

/* ---- what becomes of a lent record ------------------------------------------------------------ */

/* Token behind the scalar of the element that tokens `name.path` name; EDIT_NO_TOKEN where they name none. */
static unsigned scalar_end(const struct edit_source *source, const struct layout_group *group, unsigned name)
{
	struct edit_match match;

	for (unsigned f = 0; f < group->field_count; f++)
		if (edit_is(source, name + 1, ".") && edit_match_at(source, name + 2, group->fields[f].path, &match) &&
		    !edit_is(source, match.end, ".") && !edit_is(source, match.end, "("))
			return match.end;
	return EDIT_NO_TOKEN;
}

/* Whether an identifier names a record that is a member, or a method of the record itself. */
static bool names_part(const struct edit_source *source, const struct layout_group *group, unsigned i, unsigned braces)
{
	const char *text = source->text + source->tokens[i].begin;
	size_t length = source->tokens[i].end - source->tokens[i].begin;

	for (unsigned f = 0; f < group->field_count; f++)
		if (strncmp(group->fields[f].path, text, length) == 0 && group->fields[f].path[length] == '.')
			return true;
	for (unsigned k = 0; edit_is(source, i + 1, "(") && k < source->token_count; k++)
		if (source->tokens[k].brace == braces && source->tokens[k].end - source->tokens[k].begin == length &&
		    memcmp(source->text + source->tokens[k].begin, text, length) == 0 && edit_is(source, k + 1, "("))
			return true;
	return false;
}

/* Whether a function's body, which opens at a token, names nothing but scalars of its parameter, or as a method of its object, and takes no address. */
static bool body_is_plain(const struct edit_source *source, const struct layout_group *group, unsigned open, const char *parameter)
{
	for (unsigned i = open + 1; i < source->tokens[open].match; i++) {
		bool operand = source->tokens[i - 1].kind == TOKEN_IDENTIFIER || source->tokens[i - 1].kind == TOKEN_NUMBER ||
		               edit_is(source, i - 1, ")") || edit_is(source, i - 1, "]");

		if (edit_is(source, i, "asm") || edit_is(source, i, "this") || (edit_is(source, i, "&") && !operand))
			return false;
		if (source->tokens[i].kind != TOKEN_IDENTIFIER || edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->"))
			continue;
		if (parameter ? edit_is(source, i, parameter) && scalar_end(source, group, i) == EDIT_NO_TOKEN
		              : names_part(source, group, i, source->tokens[open].brace))
			return false;
	}
	return true;
}

/* The name of a parameter that is a reference: the last word of its declaration; NULL where it is none. */
static const char *reference_parameter(struct arena *arena, const struct edit_source *source, unsigned open, unsigned position)
{
	struct range ranges[16];
	unsigned count = edit_list_split(source, open, ranges, ARRAY_COUNT(ranges)), last;

	if (position >= count)
		return NULL;
	last = edit_token_at(source, ranges[position].end) - 1;
	if (source->tokens[last].kind != TOKEN_IDENTIFIER || !edit_is(source, last - 1, "&"))
		return NULL;
	return edit_copy(arena, source, (struct range){source->tokens[last].begin, source->tokens[last].end});
}

/* The parenthesis of the parameters where token i begins the definition of a function of that name, or of `operator()` for none. */
static unsigned definition_open(const struct edit_source *source, unsigned i, const char *name)
{
	unsigned open = name ? i + 1 : i + 3, behind;

	if (!edit_is(source, i, name ? name : "operator") ||
	    (!name && (!edit_is(source, i + 1, "(") || !edit_is(source, i + 2, ")"))) || !edit_is(source, open, "(") ||
	    edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->"))
		return EDIT_NO_TOKEN;
	for (behind = source->tokens[open].match + 1; edit_is(source, behind, "const") || edit_is(source, behind, "noexcept");
	     behind++)
		;
	return edit_is(source, behind, "{") ? open : EDIT_NO_TOKEN;
}

/* Whether all functions of that name (NULL: `operator()`) are plain in what they do with their argument of that position; position -1: with their object. */
static bool functions_are_plain(const struct rewriter *rewriter, const struct layout_group *group, const char *name, int position)
{
	const struct edit_source *source = rewriter->source;
	unsigned found = 0;

	for (unsigned i = 1; i < source->token_count; i++) {
		unsigned open = definition_open(source, i, name), brace;
		const char *parameter = NULL;

		if (open == EDIT_NO_TOKEN)
			continue;
		for (brace = source->tokens[open].match; !edit_is(source, brace, "{"); brace++)
			;
		if (position >= 0)
			parameter = reference_parameter(rewriter->arena, source, open, (unsigned)position);
		if ((position >= 0 && !parameter) || !body_is_plain(source, group, brace, parameter))
			return false;
		found++;
	}
	return found > 0 || (name && position >= 0 && functions_are_plain(rewriter, group, NULL, position));
}

bool device_lending_is_plain(const struct rewriter *rewriter, const struct layout_group *group, struct range mention)
{
	const struct edit_source *source = rewriter->source;
	unsigned first = edit_token_at(source, mention.begin), behind = edit_token_at(source, mention.end), name = behind + 1;
	struct range ranges[16];
	int position = -1;

	if (!edit_is(source, behind, ".")) {
		for (name = first; name > 0 && !(edit_is(source, name, "(") && source->tokens[name].match > first); name--)
			;
		for (unsigned k = edit_list_split(source, name, ranges, ARRAY_COUNT(ranges)); k-- > 0;)
			if (ranges[k].begin == mention.begin)
				position = (int)k;
		if (position < 0 || name-- == 0)
			return false;
	}
	return functions_are_plain(
		rewriter, group,
		edit_copy(rewriter->arena, source, (struct range){source->tokens[name].begin, source->tokens[name].end}), position);
}

/* ---- the lending ----------------------------------------------------------------------------- */

bool device_whole_can_be_lent(const struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                              const struct reference *reference)
{
	const struct edit_source *source = rewriter->source;
	struct range statement;

	if (plan->group->form != FORM_STRUCT || plan->group->family || reference->kind != REFERENCE_ELEMENT || reference->leaf ||
	    reference->reason || reference->index_has_side_effects || !range_contains(kernel->definition, reference->whole) ||
	    has_member_arrays(plan->group, record_path(rewriter->arena, source, reference)) ||
	    device_record_kind(rewriter, device_reference_record(source, reference, plan->group->record)) < DEVICE_RECORD_FILLED ||
	    !device_lending_read(source, reference->whole, &statement))
		return false;
	for (unsigned r = 0; r < kernel->reference_count; r++) {
		const struct reference *other = &kernel->references[r];

		if (other != reference && range_contains(statement, other->whole) &&
		    !range_contains(reference->whole, other->whole) &&
		    other->parameter->type.record == reference->parameter->type.record)
			return false;
	}
	return true;
}

void device_lending_edit(struct rewriter *rewriter, const struct device_lending *lending, const struct record *record)
{
	const struct edit_source *source = rewriter->source;
	struct whole_edit *whole = arena_alloc(rewriter->arena, sizeof(*whole));
	unsigned end = edit_token_at(source, lending->statement.end) - 1;

	*whole = (struct whole_edit){.plan = lending->plan,
	                             .pointers = lending->pointers,
	                             .path = lending->path,
	                             .type = edit_spelling(rewriter->arena, record->type.spelling),
	                             .name = rewriter_name(rewriter, "value"),
	                             .lead = {lending->statement.begin, lending->mention.begin},
	                             .change = {lending->mention.end, source->tokens[end - 1].end},
	                             .lent = lending};
	if (device_record_kind(rewriter, record) == DEVICE_RECORD_FILLED)
		whole->loader = device_loader(rewriter, lending->plan, lending->kernel, record, lending->path);
	edit_add_writer(&rewriter->edits, lending->statement, whole_write, whole);
}

void device_whole_lend(struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                       const struct reference *reference, const char *const *pointers)
{
	struct device_lending *lending = arena_alloc(rewriter->arena, sizeof(*lending));

	*lending = (struct device_lending){.rewriter = rewriter,
	                                   .plan = plan,
	                                   .kernel = kernel,
	                                   .parameter = reference->parameter->index,
	                                   .pointers = pointers,
	                                   .path = record_path(rewriter->arena, rewriter->source, reference),
	                                   .mention = reference->whole,
	                                   .index = reference->index,
	                                   .is_plain = device_lending_is_plain(rewriter, plan->group, reference->whole)};
	device_lending_read(rewriter->source, reference->whole, &lending->statement);
	device_lending_edit(rewriter, lending, device_reference_record(rewriter->source, reference, plan->group->record));
}

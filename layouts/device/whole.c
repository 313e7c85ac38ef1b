/*
 * Records read and written as a whole. Where one is read, its members are listed in braces: `point{p_x[i], p_y[i]}`.
 * Where a statement writes one, it becomes a block that computes the value first: `{ const point value = q; p_x[i] =
 * value.x; p_y[i] = value.y; }`.
 *
 * Member arrays go scalar by scalar where no proxy can stand for the record. Braces need an aggregate; a record that is
 * made without arguments first is filled by a function (loaders.c). All others go through proxies (proxies.c).
 */
#include "layouts/device/internal.h"

/* ---- what is named ------------------------------------------------------------------------ */

/*
 * Index of the semicolon that ends the statement that begins with the reference; EDIT_NO_TOKEN where it begins none, or
 * where the statement holds more than one expression.
 */
static unsigned statement_end(const struct edit_source *source, const struct reference *reference)
{
	unsigned first = edit_token_at(source, reference->whole.begin), i = edit_token_at(source, reference->whole.end);
	bool begins = first > 0 && (edit_is(source, first - 1, ";") || edit_is(source, first - 1, "{") ||
	                            edit_is(source, first - 1, "}") || edit_is(source, first - 1, ")") ||
	                            edit_is(source, first - 1, "else"));

	if (!begins)
		return EDIT_NO_TOKEN;
	while (i < source->token_count && !edit_is(source, i, ";") && !edit_is(source, i, ")") &&
	       !edit_is(source, i, "}") && !edit_is(source, i, ","))
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
	static const char *const operators[] = {
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
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

/* Whether the record that is named has member arrays. */
static bool has_member_arrays(const struct layout_group *group, const struct device_part *part)
{
	const char *rest;

	for (unsigned f = 0; f < group->field_count; f++)
		if (group->fields[f].dimension_count > part->inner_count &&
		    device_field_belongs(&group->fields[f], part->path, &rest))
			return true;
	return false;
}

/* Whether the indices that lead to the record in the element do nothing but count, so that they can be repeated. */
static bool inner_is_plain(const struct edit_source *source, const struct reference *reference)
{
	for (unsigned i = edit_reference_tail(source, reference);
	     i < source->token_count && source->tokens[i].begin < reference->whole.end; i++)
		if ((edit_is(source, i, "(") && source->tokens[i - 1].kind == TOKEN_IDENTIFIER) ||
		    edit_is(source, i, "++") || edit_is(source, i, "--") || edit_is(source, i, "="))
			return false;
	return true;
}

/* Whether the record that is named is the argument of a function of the file, not of a method. */
static bool is_function_argument(const struct rewriter *rewriter, const struct reference *reference)
{
	const struct edit_source *source = rewriter->source;
	struct edit_call call;
	unsigned name;

	if (!edit_call_around(source, reference->whole, &call))
		return false;
	name = edit_token_at(source, call.name.begin);
	return name > 0 && !edit_is(source, name - 1, ".") && !edit_is(source, name - 1, "->");
}

/* Whether the record that is named is all that a variable gets: `point q = p[i];`. */
static bool is_initial_value(const struct edit_source *source, const struct reference *reference)
{
	unsigned first = edit_token_at(source, reference->whole.begin),
		 behind = edit_token_at(source, reference->whole.end);

	return first > 0 && edit_is(source, first - 1, "=") &&
	       (edit_is(source, behind, ";") || edit_is(source, behind, ","));
}

/* Whether a proxy, for which not every operator and method of the record is there, can stand for the record. */
static bool proxy_serves(const struct rewriter *rewriter, const struct reference *reference)
{
	if (is_assigned(rewriter->source, reference))
		return true;
	if (is_method_call(rewriter->source, reference) || is_updated(rewriter->source, reference))
		return false;
	return is_function_argument(rewriter, reference) ||
	       (!reference->address_taken && is_initial_value(rewriter->source, reference));
}

bool device_whole_can_be_listed(const struct rewriter *rewriter, const struct group_plan *plan,
                                const struct reference *reference)
{
	const struct edit_source *source = rewriter->source;
	struct device_part part = device_reference_part(rewriter->arena, source, reference, plan->group->record);
	unsigned behind = edit_token_at(source, reference->whole.end);
	bool member = edit_is(source, behind, ".") || edit_is(source, behind, "->");
	bool arrays = has_member_arrays(plan->group, &part);
	enum device_record_kind kind;

	if (!part.record ||
	    (arrays &&
	     (part.inner_count > 0 || (!device_proxy_refusal(rewriter, plan) && proxy_serves(rewriter, reference)))) ||
	    !inner_is_plain(source, reference) || reference->index_has_side_effects ||
	    (member && !is_method_call(source, reference)))
		return false;
	kind = device_record_kind(rewriter, part.record);
	if (is_assigned(source, reference))
		return statement_end(source, reference) != EDIT_NO_TOKEN && kind >= DEVICE_RECORD_OPEN;
	if (kind < (part.inner_count > 0 ? DEVICE_RECORD_LISTED : DEVICE_RECORD_RAW))
		return false;
	if (is_updated(source, reference))
		return statement_end(source, reference) != EDIT_NO_TOKEN;
	return copy_serves(source, reference);
}

/* ---- how it is written ---------------------------------------------------------------------- */

struct whole_edit {
	const struct group_plan *plan;
	const struct reference *reference;
	const char *const *pointers;
	const struct record *record;
	const char *path, *type;
	const char *inner; /* the indices that lead to the record in the element */
	unsigned inner_count;
	const char *counters[4];
	struct range value;  /* what is assigned; empty: nothing is */
	struct range change; /* what changes the record, behind it; empty: nothing does */
	const char *name;    /* of the value that is assigned or changed */
	const char *loader;  /* the function that makes the record; NULL: its members are listed */
	const char *index;
	struct range lead;                 /* of a record that is lent: what stands before it in the statement */
	const struct device_lending *lent; /* or NULL */
	const char *step; /* what statements of a block are indented by, each on a line of its own; NULL: all on one */
};

/* Writes one field of the element. */
static void whole_field_write(struct text *out, struct arena *arena, const struct whole_edit *whole, unsigned field)
{
	struct row_site site = {whole->pointers, field, whole->index, edit_single_line(arena, whole->index),
	                        whole->inner};

	whole->plan->placement->layout->access(out, whole->plan->placement, &site);
}

/* Whether a kernel of that text is known to write the field of what it lends. */
static bool field_is_stored(const struct device_lending *lending, const struct kernel *kernel, unsigned field)
{
	for (unsigned a = 0; a < kernel->access_count; a++) {
		const struct access *access = kernel->accesses[a];

		if (access->kind != ACCESS_LOAD &&
		    access->array->parameter == &kernel->parameters[lending->parameter] && access->leaf &&
		    row_field_holds(&lending->plan->group->fields[field], access->leaf))
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
		stored |= layout_kernels_share_text(analysis->kernels[k], lending->kernel) &&
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

/* Writes the record: the values of all fields between braces, typed or as an initialiser, or the call of the function
 * that makes it. */
static void whole_read_write(struct text *out, struct arena *arena, struct whole_edit *whole, bool typed)
{
	const char *rest, *separator = "";

	if (whole->loader) {
		text_printf(out, "%s(", whole->loader);
		device_loader_arguments(out, whole->plan, whole->path, whole->pointers);
		text_printf(out, ", %s)", whole->index);
		return;
	}
	text_printf(out, "%s{", typed ? rewriter_type_name(whole->type) : "");
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
	struct device_copy copy = {.plan = whole->plan,
	                           .pointers = whole->pointers,
	                           .inner = whole->inner,
	                           .inner_count = whole->inner_count,
	                           .record = whole->record,
	                           .value = whole->name,
	                           .path = whole->path,
	                           .counters = whole->counters,
	                           .stores = true};
	const char *rest;

	for (unsigned f = 0; f < whole->plan->group->field_count; f++) {
		if (!device_field_belongs(&whole->plan->group->fields[f], whole->path, &rest) ||
		    (whole->lent && !lending_changes(whole->lent, f)))
			continue;
		copy.index = whole->index;
		device_field_copy(out, arena, &copy, f);
		whole->index = edit_single_line(arena, whole->index);
	}
	text_puts(out, "}");
}

/* Whether the record is the value of a variable that has its type's name and hides it there: `station station = p[i];`.
 */
static bool initialises_namesake(const struct edit_source *source, const struct whole_edit *whole)
{
	unsigned first = edit_token_at(source, whole->reference->whole.begin);
	const char *type = rewriter_type_name(whole->type);

	return first > 2 && edit_is(source, first - 1, "=") && edit_is(source, first - 2, type) &&
	       edit_is(source, first - 3, type);
}

/* Writes a block, `{ a; b; }`, with each statement on a line of its own. */
static void block_write(struct text *out, const struct edits *edits, const struct edit *edit, const char *block,
                        const char *step)
{
	unsigned depth = 0;

	for (const char *c = block; *c; c++) {
		depth += *c == '(' || *c == '{';
		depth -= *c == ')' || *c == '}';
		text_append(out, c, 1);
		if (c[1] != ' ' || !((c == block) || (*c == ';' && depth == 1)))
			continue;
		edit_separator(out, edits->source, edit->range.begin);
		text_puts(out, c[2] == '}' ? "" : step);
		c++;
	}
}

/* What the statements of a block that takes the place of one at an offset are indented by; NULL where that shares its
 * line, or is a branch. */
static const char *block_step(const struct rewriter *rewriter, unsigned begin)
{
	const struct edit_source *source = rewriter->source;
	unsigned first = edit_token_at(source, begin), line = begin;

	while (line > 0 && strchr(" \t", source->text[line - 1]))
		line--;
	if (rewriter->purpose == REWRITE_COMPILE || line == 0 || source->text[line - 1] != '\n' ||
	    (!edit_is(source, first - 1, ";") && !edit_is(source, first - 1, "{") && !edit_is(source, first - 1, "}")))
		return NULL;
	return rewriter->indentation;
}

static void whole_write_line(struct text *out, const struct edits *edits, const struct edit *edit)
{
	struct whole_edit whole = *(const struct whole_edit *)edit->context;

	if (whole.inner_count > 0)
		whole.inner = device_reference_inner(edits, edit, whole.reference,
		                                     edit_token_at(edits->source, whole.reference->whole.end));
	whole.index = whole.lent && whole.lent->index_name ? whole.lent->index_name : "0";
	if (whole.lent && !range_is_empty(whole.lent->index))
		whole.index = edit_render_copy(edits, whole.lent->index, edit);
	else if (!whole.lent && !range_is_empty(whole.reference->index))
		whole.index = edit_render_copy(edits, whole.reference->index, edit);
	if (!range_is_empty(whole.value)) {
		text_printf(out, "{ const %s %s = %s; ", whole.type, whole.name,
		            edit_render_copy(edits, whole.value, edit));
		whole_store_write(out, edits->arena, &whole);
	} else if (!range_is_empty(whole.change)) {
		text_printf(out, "{ %s %s = ", whole.type, whole.name);
		whole_read_write(out, edits->arena, &whole, false);
		text_printf(out, "; %s%s%s; ",
		            range_is_empty(whole.lead) ? "" : edit_render_copy(edits, whole.lead, edit), whole.name,
		            edit_render_copy(edits, whole.change, edit));
		whole_store_write(out, edits->arena, &whole);
	} else {
		whole_read_write(out, edits->arena, &whole, !initialises_namesake(edits->source, &whole));
	}
}

static void whole_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct whole_edit *whole = edit->context;
	struct text block = {0};

	if (!whole->step) {
		whole_write_line(out, edits, edit);
		return;
	}
	whole_write_line(&block, edits, edit);
	block_write(out, edits, edit, block.data, whole->step);
	text_release(&block);
}

void device_whole_edit(struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                       const struct reference *reference, const char *const *pointers)
{
	const struct edit_source *source = rewriter->source;
	struct whole_edit *whole = arena_alloc(rewriter->arena, sizeof(*whole));
	unsigned behind = edit_token_at(source, reference->whole.end), end = statement_end(source, reference);
	struct range range = reference->whole;
	struct device_part part = device_reference_part(rewriter->arena, source, reference, plan->group->record);
	const struct record *record = part.record;
	bool filled =
		has_member_arrays(plan->group, &part) || device_record_kind(rewriter, record) < DEVICE_RECORD_LISTED;

	*whole = (struct whole_edit){.plan = plan,
	                             .reference = reference,
	                             .pointers = pointers,
	                             .record = record,
	                             .path = part.path,
	                             .inner = "",
	                             .inner_count = part.inner_count};
	for (unsigned d = 0; d < ARRAY_COUNT(whole->counters); d++)
		whole->counters[d] = rewriter_name(rewriter, arena_printf(rewriter->arena, "i%u", d));
	whole->type = *whole->path ? NULL : device_record_spelling(rewriter, reference->parameter, plan->group);
	whole->type = whole->type ? whole->type : rewriter_record_name(rewriter, record);
	whole->name = rewriter_name(rewriter, "value");
	if (is_assigned(source, reference))
		whole->value = (struct range){source->tokens[behind + 1].begin, source->tokens[end - 1].end};
	else if (is_updated(source, reference))
		whole->change = (struct range){reference->whole.end, source->tokens[end - 1].end};
	if (range_is_empty(whole->value) && filled)
		whole->loader = device_loader(rewriter, plan, kernel, record, whole->path);
	if (!range_is_empty(whole->value) || !range_is_empty(whole->change)) {
		range.end = source->tokens[end].end;
		whole->step = block_step(rewriter, range.begin);
	}
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
	*statement =
		(struct range){source->tokens[begin].begin, end < source->token_count ? source->tokens[end].end : 0};
	if (!edit_is(source, end, ";") || (method && begin != first))
		return false;
	return method || is_call_with(source, begin, end, first);
}

/* ---- the lending ----------------------------------------------------------------------------- */

bool device_whole_can_be_lent(const struct rewriter *rewriter, const struct group_plan *plan,
                              const struct kernel *kernel, const struct reference *reference)
{
	const struct edit_source *source = rewriter->source;
	struct range statement;
	struct device_part part = device_reference_part(rewriter->arena, source, reference, plan->group->record);

	if (plan->group->form != FORM_STRUCT || plan->group->family || reference->kind != REFERENCE_ELEMENT ||
	    reference->leaf || reference->reason || reference->index_has_side_effects ||
	    !range_contains(kernel->definition, reference->whole) || !part.record || part.inner_count > 0 ||
	    has_member_arrays(plan->group, &part) || device_record_kind(rewriter, part.record) < DEVICE_RECORD_RAW ||
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
	                             .record = record,
	                             .path = lending->path,
	                             .inner = "",
	                             .type = rewriter_record_name(rewriter, record),
	                             .name = rewriter_name(rewriter, "value"),
	                             .lead = {lending->statement.begin, lending->mention.begin},
	                             .change = {lending->mention.end, source->tokens[end - 1].end},
	                             .lent = lending,
	                             .step = block_step(rewriter, lending->statement.begin)};
	if (device_record_kind(rewriter, record) < DEVICE_RECORD_LISTED)
		whole->loader = device_loader(rewriter, lending->plan, lending->kernel, record, lending->path);
	edit_add_writer(&rewriter->edits, lending->statement, whole_write, whole);
}

void device_whole_lend(struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                       const struct reference *reference, const char *const *pointers)
{
	struct device_lending *lending = arena_alloc(rewriter->arena, sizeof(*lending));
	struct device_part part =
		device_reference_part(rewriter->arena, rewriter->source, reference, plan->group->record);

	*lending =
		(struct device_lending){.rewriter = rewriter,
	                                .plan = plan,
	                                .kernel = kernel,
	                                .parameter = reference->parameter->index,
	                                .pointers = pointers,
	                                .path = part.path,
	                                .mention = reference->whole,
	                                .index = reference->index,
	                                .is_plain = device_lending_is_plain(rewriter, plan->group, reference->whole)};
	device_lending_read(rewriter->source, reference->whole, &lending->statement);
	device_lending_edit(rewriter, lending, part.record);
}

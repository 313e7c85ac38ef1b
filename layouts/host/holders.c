/*
 * Objects of the program's own that hold device memory: `DeviceBuffer<point> p(n)`, of which launches take `p.get()`. A
 * class template that does no more with its type than to multiply a number of elements by its size holds the new
 * buffers as well, one object each.
 */
#include "layouts/host/internal.h"

/* ---- the class ------------------------------------------------------------------------------ */

/* The braces of a class template `template <typename T> class NAME { ... }`; EDIT_NO_TOKEN where the text has none. */
static unsigned class_braces(const struct edit_source *source, const char *name)
{
	for (unsigned i = 5; i + 1 < source->token_count; i++) {
		bool is_class = edit_is(source, i - 1, "class") || edit_is(source, i - 1, "struct");

		if (!is_class || !edit_is(source, i, name) || !edit_is(source, i - 2, ">") ||
		    !edit_is(source, i - 5, "<") ||
		    (!edit_is(source, i - 4, "typename") && !edit_is(source, i - 4, "class")))
			continue;
		if (edit_is(source, i + 1, "{"))
			return i + 1;
	}
	return EDIT_NO_TOKEN;
}

/* The name of the only parameter of the constructor that takes a number: its token, or EDIT_NO_TOKEN. */
static unsigned constructor_count(const struct edit_source *source, unsigned braces, const char *name)
{
	for (unsigned i = braces + 1; i < source->tokens[braces].match; i++) {
		unsigned close = source->tokens[i + 1].match;
		bool plain = true;

		if (!edit_is(source, i, name) || edit_is(source, i - 1, "~") || !edit_is(source, i + 1, "(") ||
		    close < i + 4)
			continue;
		for (unsigned k = i + 2; k < close; k++)
			plain &= source->tokens[k].kind == TOKEN_IDENTIFIER || edit_is(source, k, "::");
		if (plain)
			return close - 1;
	}
	return EDIT_NO_TOKEN;
}

/* Whether the name at token i is the count, or a member that is made equal to it. */
static bool is_count(const struct edit_source *source, unsigned braces, unsigned i, unsigned count)
{
	const struct edit_token *name = &source->tokens[i], *wanted = &source->tokens[count];
	size_t length = name->end - name->begin, wanted_length = wanted->end - wanted->begin;

	if (length == wanted_length && memcmp(source->text + name->begin, source->text + wanted->begin, length) == 0)
		return true;
	for (unsigned k = braces + 1; k + 3 < source->tokens[braces].match; k++)
		if (source->tokens[k].end - source->tokens[k].begin == length &&
		    memcmp(source->text + source->tokens[k].begin, source->text + name->begin, length) == 0 &&
		    (edit_is(source, k + 1, "(") || edit_is(source, k + 1, "{") || edit_is(source, k + 1, "=")) &&
		    source->tokens[k + 2].end - source->tokens[k + 2].begin == wanted_length &&
		    memcmp(source->text + source->tokens[k + 2].begin, source->text + wanted->begin, wanted_length) ==
		            0)
			return true;
	return false;
}

/* Whether objects of the class are made with a number of elements, and allocate that many of its type. */
static bool class_counts_elements(const struct edit_source *source, const char *name)
{
	unsigned braces = class_braces(source, name), count;
	struct edit_match match;
	bool found = false;

	if (braces == EDIT_NO_TOKEN)
		return false;
	count = constructor_count(source, braces, name);
	for (unsigned i = braces; count != EDIT_NO_TOKEN && i < source->tokens[braces].match; i++)
		if (edit_match_at(source, i, "cudaMalloc(@address, $count * sizeof($type))", &match) ||
		    edit_match_at(source, i, "cudaMalloc(@address, sizeof($type) * $count)", &match)) {
			if (!is_count(source, braces, edit_token_at(source, edit_hole(&match, "count").begin), count))
				return false;
			found = true;
		}
	return found;
}

/* ---- the object ---------------------------------------------------------------------------------- */

/* Whether a block of braces is around token i. */
static bool is_around(const struct edit_source *source, unsigned brace, unsigned i)
{
	for (unsigned outer = source->tokens[i].brace; outer != EDIT_NO_TOKEN; outer = source->tokens[outer].brace)
		if (outer == brace)
			return true;
	return false;
}

/* Reads the declaration whose name is token i: `DeviceBuffer<point> p(n);`. */
static bool declaration_read(const struct rewriter *rewriter, unsigned i, struct rehost_holder *holder)
{
	const struct edit_source *source = rewriter->source;
	unsigned first, close;

	if (i < 5 || !edit_is(source, i - 1, ">") || !edit_is(source, i - 3, "<") ||
	    source->tokens[i - 4].kind != TOKEN_IDENTIFIER ||
	    (!edit_is(source, i + 1, "(") && !edit_is(source, i + 1, "{")))
		return false;
	close = source->tokens[i + 1].match;
	first = i - 4;
	while (first >= 2 && edit_is(source, first - 1, "::"))
		first -= 2;
	holder->declaration = (struct range){source->tokens[first].begin, source->tokens[close + 1].end};
	holder->class_name = (struct range){source->tokens[first].begin, source->tokens[i - 4].end};
	holder->record = (struct range){source->tokens[i - 2].begin, source->tokens[i - 2].end};
	holder->name = (struct range){source->tokens[i].begin, source->tokens[i].end};
	holder->count = (struct range){source->tokens[i + 2].begin, source->tokens[close - 1].end};
	return close > i + 2 && edit_is(source, close + 1, ";") &&
	       (edit_is(source, first - 1, ";") || edit_is(source, first - 1, "{") ||
	        edit_is(source, first - 1, "}")) &&
	       source->tokens[i].brace != EDIT_NO_TOKEN &&
	       class_counts_elements(source,
	                             edit_copy(rewriter->arena, source,
	                                       (struct range){source->tokens[i - 4].begin, source->tokens[i - 4].end}));
}

const struct rehost_holder *rehost_holder_of(const struct rewriter *rewriter, const struct rehost_plan *host,
                                             struct range argument)
{
	unsigned token = edit_token_at(rewriter->source, argument.begin);

	for (unsigned h = 0; h < host->holder_count; h++) {
		unsigned declared = edit_token_at(rewriter->source, host->holders[h].name.begin);

		if (edit_is(rewriter->source, token, host->holders[h].spelling) && declared < token &&
		    is_around(rewriter->source, rewriter->source->tokens[declared].brace, token))
			return &host->holders[h];
	}
	return NULL;
}

/* Whether what launches take of a holder is `p.get()` or `p.data`, nothing else. */
static bool is_taken(const struct edit_source *source, struct range argument)
{
	struct edit_match match;

	return edit_match_range(source, argument, "$name.$get()", &match) ||
	       edit_match_range(source, argument, "$name.$get", &match);
}

static bool can_follow(const struct rehost_plan *host)
{
	bool follows = host->plan->group->form == FORM_STRUCT && host->plan->group->written_tile == 0 &&
	               !rewriter_joins_pointers(host->plan);

	for (unsigned f = 0; f < host->plan->group->field_count; f++)
		follows &= host->plan->group->fields[f].count == 1;
	return follows;
}

bool rehost_holder_add(const struct rewriter *rewriter, struct rehost_plan *host, struct range argument)
{
	const struct edit_source *source = rewriter->source;
	unsigned token = edit_token_at(source, argument.begin);
	struct rehost_holder holder = {0};

	if (range_is_empty(argument) || !is_taken(source, argument) || !can_follow(host))
		return false;
	if (rehost_holder_of(rewriter, host, argument))
		return true;
	holder.spelling = edit_copy(rewriter->arena, source,
	                            (struct range){source->tokens[token].begin, source->tokens[token].end});
	for (unsigned i = token; i-- > 0;)
		if (edit_is(source, i, holder.spelling) && declaration_read(rewriter, i, &holder) &&
		    is_around(source, source->tokens[i].brace, token)) {
			ARENA_PUSH(rewriter->arena, host->holders, host->holder_count, holder);
			return true;
		}
	return false;
}

/* ---- what is done with it ------------------------------------------------------------------------- */

/* Whether the only parameter of a holder's method is a reference that it may write to; false where its class does not
 * tell. */
static bool direction_read(const struct rewriter *rewriter, const struct rehost_holder *holder,
                           struct rehost_upload *upload)
{
	const struct edit_source *source = rewriter->source;
	unsigned type = edit_token_at(source, holder->class_name.end) - 1, braces;
	const char *method = edit_copy(rewriter->arena, source, upload->method);

	braces = class_braces(source, edit_copy(rewriter->arena, source,
	                                        (struct range){source->tokens[type].begin, source->tokens[type].end}));
	for (unsigned i = braces; braces != EDIT_NO_TOKEN && i < source->tokens[braces].match; i++) {
		bool is_const = false, is_reference = false;

		if (!edit_is(source, i, method) || !edit_is(source, i + 1, "(") || source->tokens[i].brace != braces)
			continue;
		for (unsigned k = i + 2; k < source->tokens[i + 1].match; k++) {
			is_const |= edit_is(source, k, "const");
			is_reference |= edit_is(source, k, "&");
			if (edit_is(source, k, "&&") || edit_is(source, k, "*"))
				return false;
		}
		upload->fills_vector = is_reference && !is_const;
		return true;
	}
	return false;
}

/* Reads `p.upload(records);`: the statement, the method and the vector. */
static bool upload_read(const struct rewriter *rewriter, const struct rehost_plan *host,
                        const struct rehost_holder *holder, unsigned i, struct rehost_upload *upload)
{
	const struct edit_source *source = rewriter->source;
	struct edit_match match;

	if (!edit_match_at(source, i, "$name.$method($vector);", &match) ||
	    (!edit_is(source, i - 1, ";") && !edit_is(source, i - 1, "{") && !edit_is(source, i - 1, "}")))
		return false;
	upload->statement = (struct range){source->tokens[match.begin].begin, source->tokens[match.end - 1].end};
	upload->method = edit_hole(&match, "method");
	return rehost_vector_read(rewriter, host, edit_hole(&match, "vector"), &upload->vector) &&
	       direction_read(rewriter, holder, upload);
}

/* Calls visit with each token that names the object, but that of its declaration; stops where it returns false. */
static bool mentions_visit(struct rewriter *rewriter, struct rehost_plan *host, const struct rehost_holder *holder,
                           bool (*visit)(struct rewriter *rewriter, struct rehost_plan *host,
                                         const struct rehost_holder *holder, unsigned token))
{
	const struct edit_source *source = rewriter->source;
	unsigned declared = edit_token_at(source, holder->name.begin), brace = source->tokens[declared].brace;

	for (unsigned i = declared + 1; i < source->tokens[brace].match; i++)
		if (edit_is(source, i, holder->spelling) && !edit_is(source, i - 1, ".") &&
		    !edit_is(source, i - 1, "->") && !edit_is(source, i - 1, "::") && !visit(rewriter, host, holder, i))
			return false;
	return true;
}

static bool mention_check(struct rewriter *rewriter, struct rehost_plan *host, const struct rehost_holder *holder,
                          unsigned token)
{
	struct range name = {rewriter->source->tokens[token].begin, rewriter->source->tokens[token].end};
	struct rehost_upload upload;

	if (rehost_is_launch_argument(rewriter, host->plan->group, name))
		return true;
	if (upload_read(rewriter, host, holder, token, &upload))
		return !upload.fills_vector || !host->plan->placement->layout->declare ||
		       rehost_refuse(rewriter, host, analysis_place(rewriter->analysis, name.begin), holder->spelling,
		                     "its records are read back into a vector, which is done member by member alone");
	return rehost_refuse(rewriter, host, analysis_place(rewriter->analysis, name.begin), holder->spelling,
	                     "what holds its memory is more than passed to kernels, and copied to or from a vector");
}

void rehost_holders_check(struct rewriter *rewriter, struct rehost_plan *host)
{
	for (unsigned h = 0; h < host->holder_count; h++)
		mentions_visit(rewriter, host, &host->holders[h], mention_check);
}

/* ---- edits -------------------------------------------------------------------------------------------- */

/* The name of the object for one buffer. */
static const char *buffer_name(const struct rewriter *rewriter, const struct rehost_plan *host,
                               const struct rehost_holder *holder, unsigned buffer)
{
	if (host->plan->placement->layout->declare)
		return holder->spelling;
	return rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_%s", holder->spelling,
	                                            host->plan->placement->buffers[buffer].name));
}

static const char *buffer_type(const struct rehost_plan *host, unsigned buffer)
{
	return host->plan->placement->layout->declare
	               ? host->plan->type_name
	               : host->plan->group->fields[host->plan->placement->buffers[buffer].field].type;
}

/* Replaces the declaration: objects of one type share one. */
static void holder_edit(struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_holder *holder)
{
	const struct edit_source *source = rewriter->source;
	unsigned tile = host->plan->placement->tile, opens = edit_token_at(source, holder->name.begin) + 1;
	const char *count = edit_copy(rewriter->arena, source, holder->count), *type = NULL;
	bool braces = edit_is(source, opens, "{");
	struct text out = {0};

	if (tile > 1)
		count = arena_printf(rewriter->arena, edit_is_primary(count) ? "(%s + %u) / %u" : "((%s) + %u) / %u",
		                     count, tile - 1, tile);
	for (unsigned b = 0; b < host->plan->placement->buffer_count; b++) {
		bool shares = type && strcmp(type, buffer_type(host, b)) == 0;

		if (type && !shares) {
			text_puts(&out, ";");
			edit_separator(&out, source, holder->declaration.begin);
		}
		type = buffer_type(host, b);
		if (!shares)
			text_printf(&out, "%s<%s>", edit_copy(rewriter->arena, source, holder->class_name), type);
		text_printf(&out, "%s %s%s%s%s", shares ? "," : "", buffer_name(rewriter, host, holder, b),
		            braces ? "{" : "(", count, braces ? "}" : ")");
	}
	text_puts(&out, ";");
	edit_add(&rewriter->edits, holder->declaration, arena_strdup(rewriter->arena, out.data));
	text_release(&out);
}

/* Writes the call for one buffer: with the values of the vector, or so that they come to it. */
static void upload_write(struct text *out, const struct rewriter *rewriter, struct rehost_plan *host,
                         const struct rehost_holder *holder, const struct rehost_upload *upload, unsigned buffer)
{
	const struct layout_field *field = &host->plan->group->fields[host->plan->placement->buffers[buffer].field];
	const char *name = buffer_name(rewriter, host, holder, buffer);
	const char *method = edit_copy(rewriter->arena, rewriter->source, upload->method);

	if (upload->fills_vector) {
		text_printf(out, "%s(%s, &%s::%s, [&](std::vector<%s> &values) { %s.%s(values); });",
		            rehost_helper_use(host->helpers, HELPER_SCATTERED), upload->vector.name,
		            upload->vector.record, field->path, field->type, name, method);
		return;
	}
	text_printf(out, "%s.%s(", name, method);
	rehost_vector_write(out, rewriter, host, &upload->vector, buffer);
	text_puts(out, ");");
}

static bool upload_edit(struct rewriter *rewriter, struct rehost_plan *host, const struct rehost_holder *holder,
                        unsigned token)
{
	const struct edit_source *source = rewriter->source;
	struct rehost_upload upload;
	struct text out = {0};

	if (!upload_read(rewriter, host, holder, token, &upload))
		return true;
	for (unsigned b = 0; b < host->plan->placement->buffer_count; b++) {
		if (b > 0)
			edit_separator(&out, source, upload.statement.begin);
		upload_write(&out, rewriter, host, holder, &upload, b);
	}
	edit_add(&rewriter->edits, upload.statement, arena_strdup(rewriter->arena, out.data));
	text_release(&out);
	return true;
}

void rehost_holders_edit(struct rewriter *rewriter, struct rehost_plan *host)
{
	for (unsigned h = 0; h < host->holder_count; h++) {
		holder_edit(rewriter, host, &host->holders[h]);
		mentions_visit(rewriter, host, &host->holders[h], upload_edit);
	}
}

const char *rehost_holder_pointers(const struct rewriter *rewriter, const struct rehost_plan *host,
                                   const struct rehost_holder *holder, struct range argument)
{
	unsigned token = edit_token_at(rewriter->source, argument.begin);
	const char *taken = edit_copy(rewriter->arena, rewriter->source,
	                              (struct range){rewriter->source->tokens[token].end, argument.end});
	const char *text = NULL;

	for (unsigned b = 0; b < host->plan->placement->buffer_count; b++)
		text = arena_printf(rewriter->arena, "%s%s%s%s", text ? text : "", text ? ", " : "",
		                    buffer_name(rewriter, host, holder, b), taken);
	return text;
}

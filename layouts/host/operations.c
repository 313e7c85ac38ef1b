/*
 * What a call of the CUDA runtime does with a device pointer of the host.
 */
#include <stdio.h>

#include "layouts/host/internal.h"

/* The member whose variable an expression is, or NULL. Other functions may have variables of the same name. */
static const struct rehost_member *expression_member(const struct rewriter *rewriter, const struct rehost_plan *host,
                                                     struct range expression)
{
	unsigned last = edit_token_at(rewriter->source, expression.end);
	const struct host_array *array = last > 0 ? rehost_array_at(rewriter, rewriter->source->tokens[last - 1].begin) : NULL;

	for (unsigned m = 0; array && m < host->member_count; m++)
		if (host->members[m].array == array && edit_is_variable(rewriter->source, expression, array->name, false))
			return &host->members[m];
	return NULL;
}

static unsigned whole_field(const struct rehost_plan *host, const struct rehost_member *member)
{
	return host->plan->group->form == FORM_ARRAYS ? member->field : ALL_FIELDS;
}

/* Whether an expression is `&p->x` of the member's variable; then field is x. */
static bool expression_is_field(const struct rewriter *rewriter, const struct rehost_plan *host, struct range expression,
                                const struct rehost_member *member, unsigned *field)
{
	const struct edit_source *source = rewriter->source;
	unsigned i = edit_token_at(source, expression.begin);
	struct range path = {0, expression.end};

	if (!edit_is(source, i, "&") || !edit_is(source, i + 1, member->array->name) || !edit_is(source, i + 2, "->"))
		return false;
	path.begin = source->tokens[i + 2].end;
	for (*field = 0; *field < host->plan->group->field_count; ++*field)
		if (edit_range_is(source, path, host->plan->group->fields[*field].path))
			return true;
	return false;
}

/* Whether `cudaMemcpy`'s last argument is that kind, or the analyzer found out that it means it. */
static bool is_kind(const struct rewriter *rewriter, struct range kind, const char *name, bool found)
{
	return edit_range_is(rewriter->source, kind, name) || (found && edit_range_is(rewriter->source, kind, "cudaMemcpyDefault"));
}

/* cudaMemcpy(to, from, bytes, kind) */
static bool copy_read(const struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                      const struct host_reference *reference, struct rehost_operation *operation)
{
	const struct range *arguments = operation->call.arguments;
	const struct rehost_member *to = expression_member(rewriter, host, arguments[0]);
	const struct rehost_member *from = expression_member(rewriter, host, arguments[1]);

	operation->bytes = arguments[2];
	operation->field = whole_field(host, member);
	if (to == member && from && is_kind(rewriter, arguments[3], "cudaMemcpyDeviceToDevice", true)) {
		operation->action = REHOST_BETWEEN;
		operation->source = from;
		operation->source_field = whole_field(host, from);
	} else if (to && from == member) {
		operation->action = REHOST_NONE;
		return is_kind(rewriter, arguments[3], "cudaMemcpyDeviceToDevice", true);
	} else if (to == member && is_kind(rewriter, arguments[3], "cudaMemcpyHostToDevice", reference->use == HOST_COPY_IN)) {
		operation->action = REHOST_TO_DEVICE;
		operation->host = arguments[1];
	} else if (from == member && is_kind(rewriter, arguments[3], "cudaMemcpyDeviceToHost", reference->use == HOST_COPY_OUT)) {
		operation->action = REHOST_TO_HOST;
		operation->host = arguments[0];
	}
	return operation->action != REHOST_NONE;
}

/*
 * Whether device pointer, pitch and width name one scalar of each element: `p, sizeof(float), sizeof(float)` or
 * `&p->x, sizeof(point), sizeof(float)`.
 */
static bool pitched_field(const struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                          struct range device, struct range pitch, struct range width, unsigned *field)
{
	const struct edit_source *source = rewriter->source;
	const char *name = member->array->name, *type;

	if (host->plan->group->form == FORM_ARRAYS) {
		*field = member->field;
		type = arena_printf(rewriter->arena, "sizeof(%s)", host->plan->group->fields[*field].type);
		return edit_is_variable(source, device, name, false) && edit_range_is(source, width, type) &&
		       edit_range_is(source, pitch, type);
	}
	if (!expression_is_field(rewriter, host, device, member, field))
		return false;
	type = host->plan->group->record->type.spelling;
	return edit_range_is(source, width, arena_printf(rewriter->arena, "sizeof(%s)", host->plan->group->fields[*field].type)) &&
	       (edit_range_is(source, pitch, arena_printf(rewriter->arena, "sizeof(%s)", type)) ||
	        edit_range_is(source, pitch, arena_printf(rewriter->arena, "sizeof(struct %s)", type)) ||
	        edit_range_is(source, pitch, arena_printf(rewriter->arena, "sizeof(*%s)", name)));
}

/* cudaMemcpy2D(to, pitch, from, pitch, width, count, kind) */
static bool pitched_copy_read(const struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                              struct rehost_operation *operation)
{
	const struct range *arguments = operation->call.arguments;
	bool in = is_kind(rewriter, arguments[6], "cudaMemcpyHostToDevice", false);

	if (!in && !is_kind(rewriter, arguments[6], "cudaMemcpyDeviceToHost", false))
		return false;
	operation->action = in ? REHOST_TO_DEVICE : REHOST_TO_HOST;
	operation->host = arguments[in ? 2 : 0];
	operation->pitch = arguments[in ? 3 : 1];
	operation->count = arguments[5];
	return pitched_field(rewriter, host, member, arguments[in ? 0 : 2], arguments[in ? 1 : 3], arguments[4], &operation->field);
}

/* cudaMemset2D(p, pitch, value, width, count) */
static bool pitched_set_read(const struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                             struct rehost_operation *operation)
{
	const struct range *arguments = operation->call.arguments;

	operation->action = REHOST_SET;
	operation->value = arguments[2];
	operation->count = arguments[4];
	return pitched_field(rewriter, host, member, arguments[0], arguments[1], arguments[3], &operation->field);
}

/* Whether an expression is `p->x`, a member of the variable's first tile; then field is x. */
static bool expression_is_tile(const struct rewriter *rewriter, const struct rehost_plan *host, struct range expression,
                               const struct rehost_member **member, unsigned *field)
{
	const struct edit_source *source = rewriter->source;
	unsigned i = edit_token_at(source, expression.begin);
	struct range name, path = {0, expression.end};

	if (!edit_is(source, i + 1, "->"))
		return false;
	name = (struct range){source->tokens[i].begin, source->tokens[i].end};
	path.begin = source->tokens[i + 1].end;
	*member = expression_member(rewriter, host, name);
	for (*field = 0; *member && *field < host->plan->group->field_count; ++*field)
		if (host->plan->group->fields[*field].count == 1 &&
		    edit_range_is(source, path, host->plan->group->fields[*field].path))
			return true;
	return false;
}

/* The calls that this program writes for tiles: copy_to_tiles(p->x, sizeof(*p), host, pitch, count) and its like. */
static bool tile_call_read(const struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                           struct rehost_operation *operation)
{
	const struct edit_source *source = rewriter->source;
	const struct range *arguments = operation->call.arguments;
	const struct rehost_member *named;

	if (edit_call_is(source, &operation->call, "copy_to_tiles", 5)) {
		operation->action = REHOST_TO_DEVICE;
		operation->host = arguments[2];
		operation->pitch = arguments[3];
		operation->count = arguments[4];
		return expression_is_tile(rewriter, host, arguments[0], &named, &operation->field);
	}
	if (edit_call_is(source, &operation->call, "copy_from_tiles", 5)) {
		operation->action = REHOST_TO_HOST;
		operation->host = arguments[0];
		operation->pitch = arguments[1];
		operation->count = arguments[4];
		return expression_is_tile(rewriter, host, arguments[2], &named, &operation->field);
	}
	if (edit_call_is(source, &operation->call, "set_tiles", 4)) {
		operation->action = REHOST_SET;
		operation->value = arguments[2];
		operation->count = arguments[3];
		return expression_is_tile(rewriter, host, arguments[0], &named, &operation->field);
	}
	if (!edit_call_is(source, &operation->call, "copy_between_tiles", 4))
		return false;
	operation->action = REHOST_BETWEEN;
	operation->count = arguments[3];
	if (!expression_is_tile(rewriter, host, arguments[0], &named, &operation->field) ||
	    !expression_is_tile(rewriter, host, arguments[1], &operation->source, &operation->source_field))
		return false;
	if (named != member)
		operation->action = REHOST_NONE;
	return true;
}

/* std::swap(p, q): a swap of each pair of pointers; records of arrays that are joined into one cannot be swapped. */
static bool swap_read(const struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                      struct rehost_operation *operation)
{
	const struct rehost_member *left = expression_member(rewriter, host, operation->call.arguments[0]);
	const struct rehost_member *right = expression_member(rewriter, host, operation->call.arguments[1]);
	struct range statement = edit_call_statement(rewriter->source, &operation->call);

	operation->source = right;
	operation->action = left == member && host->plan->placement->buffer_count > 1 ? REHOST_SWAP : REHOST_NONE;
	return left && right && host->plan->group->form == FORM_STRUCT && !range_is_empty(statement);
}

/* Whether the tokens from i are `= NAME ;` and name is the token after `=`. */
static bool assigns_token(const struct edit_source *source, unsigned i, unsigned *name)
{
	*name = i + 1;
	return edit_is(source, i, "=") && i + 2 < source->token_count && source->tokens[i + 1].kind == TOKEN_IDENTIFIER &&
	       edit_is(source, i + 2, ";");
}

static bool tokens_equal(const struct edit_source *source, unsigned a, unsigned b)
{
	unsigned length = source->tokens[a].end - source->tokens[a].begin;

	return source->tokens[b].end - source->tokens[b].begin == length &&
	       memcmp(source->text + source->tokens[a].begin, source->text + source->tokens[b].begin, length) == 0;
}

/*
 * Whether tokens from `first` are `t = a; a = b; b = t;` behind `*` or `auto`, and where the declaration of t begins.
 */
static bool exchange_tokens(const struct edit_source *source, unsigned first, unsigned *begin)
{
	unsigned a, b, t;

	if (first < 2 || first + 12 > source->token_count || !assigns_token(source, first + 1, &a) ||
	    !assigns_token(source, first + 5, &b) || !assigns_token(source, first + 9, &t) || !tokens_equal(source, first, t) ||
	    !tokens_equal(source, a, first + 4) || !tokens_equal(source, b, first + 8))
		return false;
	*begin = first - 1;
	if (!edit_is(source, *begin, "*") && !edit_is(source, *begin, "auto"))
		return false;
	while (*begin > 0 && (source->tokens[*begin - 1].kind == TOKEN_IDENTIFIER || edit_is(source, *begin - 1, "::")))
		--*begin;
	return *begin > 0 &&
	       (edit_is(source, *begin - 1, ";") || edit_is(source, *begin - 1, "{") || edit_is(source, *begin - 1, "}"));
}

/* `T *t = a; a = b; b = t;`: read as a call whose text is the three statements; at mentions but the first, nothing. */
static bool exchange_read(const struct rewriter *rewriter, const struct rehost_plan *host, const struct host_reference *reference,
                          struct rehost_operation *operation)
{
	static const unsigned mentions[] = {2, 4, 6, 8};
	const struct edit_source *source = rewriter->source;
	unsigned name = edit_token_at(source, reference->name.begin), begin;

	for (unsigned m = 0; m < ARRAY_COUNT(mentions); m++) {
		unsigned first = name - mentions[m];

		if (name < mentions[m] + 2 || !exchange_tokens(source, first, &begin))
			continue;
		operation->action = m == 0 ? REHOST_EXCHANGE : REHOST_NONE;
		operation->temporary = (struct range){source->tokens[first].begin, source->tokens[first].end};
		operation->call.whole = (struct range){source->tokens[begin].begin, source->tokens[first + 11].end};
		operation->source = expression_member(
			rewriter, host, (struct range){source->tokens[first + 6].begin, source->tokens[first + 6].end});
		return operation->source && host->plan->group->form == FORM_STRUCT &&
		       expression_member(rewriter, host,
		                         (struct range){source->tokens[first + 2].begin, source->tokens[first + 2].end});
	}
	return false;
}

/* `p = NULL;`, a statement of its own: read as a call whose text is the assignment. */
static bool clear_read(const struct rewriter *rewriter, struct range name, struct rehost_operation *operation)
{
	static const char *const nulls[] = {"NULL", "nullptr", "0"};
	const struct edit_source *source = rewriter->source;
	unsigned i = edit_token_at(source, name.begin);

	for (unsigned n = 0; n < ARRAY_COUNT(nulls); n++) {
		if (!edit_is(source, i + 1, "=") || !edit_is(source, i + 2, nulls[n]))
			continue;
		operation->action = REHOST_CLEAR;
		operation->value = (struct range){source->tokens[i + 2].begin, source->tokens[i + 2].end};
		operation->call.name = name;
		operation->call.whole = (struct range){name.begin, operation->value.end};
		return !range_is_empty(edit_call_statement(source, &operation->call));
	}
	return false;
}

/* Whether a call is of that function, or of its Async form with or without a stream; then which. */
static bool call_may_wait(const struct edit_source *source, const char *name, unsigned argument_count,
                          struct rehost_operation *operation)
{
	char async_name[32];

	snprintf(async_name, sizeof(async_name), "%sAsync", name);
	operation->is_async = edit_call_is(source, &operation->call, async_name, argument_count) ||
	                      edit_call_is(source, &operation->call, async_name, argument_count + 1);
	if (operation->is_async && operation->call.argument_count > argument_count)
		operation->stream = operation->call.arguments[argument_count];
	return operation->is_async || edit_call_is(source, &operation->call, name, argument_count);
}

bool rehost_operation_read(const struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                           const struct host_reference *reference, struct rehost_operation *operation)
{
	const struct edit_source *source = rewriter->source;
	const char *name = member->array->name;
	const struct edit_call *call = &operation->call;

	*operation = (struct rehost_operation){0};
	if (clear_read(rewriter, reference->name, operation) || exchange_read(rewriter, host, reference, operation))
		return true;
	if (!edit_call_around(source, reference->name, &operation->call))
		return false;
	operation->field = whole_field(host, member);
	if (edit_call_is(source, call, "cudaMalloc", 2)) {
		operation->action = REHOST_ALLOCATE;
		operation->bytes = call->arguments[1];
		return edit_is_variable(source, call->arguments[0], name, true);
	}
	if (edit_call_is(source, call, "cudaFree", 1)) {
		operation->action = REHOST_FREE;
		return edit_is_variable(source, call->arguments[0], name, false);
	}
	if (edit_call_is(source, call, "swap", 2))
		return swap_read(rewriter, host, member, operation);
	if (host->plan->group->written_tile > 0)
		return tile_call_read(rewriter, host, member, operation);
	if (call_may_wait(source, "cudaMemset", 3, operation)) {
		operation->action = REHOST_SET;
		operation->value = call->arguments[1];
		operation->bytes = call->arguments[2];
		return edit_is_variable(source, call->arguments[0], name, false) &&
		       !(operation->is_async && host->plan->placement->tile > 1);
	}
	if (call_may_wait(source, "cudaMemcpy", 4, operation))
		return copy_read(rewriter, host, member, reference, operation) &&
		       !(operation->is_async && host->plan->placement->tile > 1 && operation->action == REHOST_BETWEEN);
	if (edit_call_is(source, call, "cudaMemcpy2D", 7))
		return pitched_copy_read(rewriter, host, member, operation);
	return edit_call_is(source, call, "cudaMemset2D", 5) && pitched_set_read(rewriter, host, member, operation);
}

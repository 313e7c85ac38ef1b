/*
 * What a call of the CUDA runtime does with a device pointer of the host: a table of calls as patterns
 * (text/pattern.c). The names of their holes say what each argument means; what is read from them must name the pointer
 * in the way that the table's function checks, or the call is nothing that can be rewritten.
 */
#include "layouts/host/internal.h"

static unsigned whole_field(const struct rehost_plan *host, const struct rehost_member *member)
{
	return host->plan->group->form == FORM_ARRAYS ? member->field : ALL_FIELDS;
}

/* One mention of a pointer being read. */
struct mention_reading {
	const struct rewriter *rewriter;
	const struct rehost_plan *host;
	const struct rehost_member *member;
	const struct host_reference *reference;
	struct edit_match match;
};

static struct range hole(const struct mention_reading *reading, const char *name)
{
	return edit_hole(&reading->match, name);
}

static const struct rehost_member *hole_member(const struct mention_reading *reading, const char *name)
{
	return rehost_expression_member(reading->rewriter, reading->host, hole(reading, name));
}

/* Whether the hole is the member's own variable, or its address. */
static bool hole_is_variable(const struct mention_reading *reading, const char *name, bool address)
{
	struct range expression = hole(reading, name);
	unsigned last = edit_token_at(reading->rewriter->source, expression.end);

	return last > 0 &&
	       rehost_is_mentioned_at(reading->member->array, reading->rewriter->source->tokens[last - 1].begin) &&
	       edit_is_variable(reading->rewriter->source, expression, reading->member->array->name, address);
}

static bool hole_is(const struct mention_reading *reading, const char *name, const char *spelling)
{
	return edit_range_is(reading->rewriter->source, hole(reading, name), spelling);
}

/* Whether a copy's kind is that one, or the analyzer found out that it means it. */
static bool is_kind(const struct mention_reading *reading, const char *kind, bool found)
{
	return hole_is(reading, "kind", kind) || (found && hole_is(reading, "kind", "cudaMemcpyDefault"));
}

/*
 * The member whose variable a hole is, or a pointer to one of its elements, `p + i` or `&p[i]`, where each member has a
 * buffer of its own: then first is i.
 */
static const struct rehost_member *side_member(const struct mention_reading *reading, const char *name,
                                               struct range *first)
{
	static const char *const patterns[] = {"$p + @first", "&$p[@first]"};
	const struct rehost_plan *host = reading->host;
	struct edit_match match;

	for (unsigned p = 0; p < ARRAY_COUNT(patterns) && !host->plan->placement->layout->declare; p++)
		if (edit_match_range(reading->rewriter->source, hole(reading, name), patterns[p], &match)) {
			*first = edit_hole(&match, "first");
			return rehost_expression_member(reading->rewriter, host, edit_hole(&match, "p"));
		}
	return hole_member(reading, name);
}

/* ---- whole arrays ------------------------------------------------------------------------- */

static bool allocate_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_ALLOCATE;
	return hole_is_variable(reading, "address", true);
}

static bool free_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_FREE;
	return hole_is_variable(reading, "device", false);
}

static bool set_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_SET;
	return hole_is_variable(reading, "device", false);
}

static bool copy_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	struct range to_first = {0, 0}, from_first = {0, 0};
	const struct rehost_member *to = side_member(reading, "to", &to_first),
				   *from = side_member(reading, "from", &from_first);
	enum host_use use = reading->reference->use;

	operation->first = to == reading->member ? to_first : from_first;
	operation->source_first = from_first;
	if (to && from && is_kind(reading, "cudaMemcpyDeviceToDevice", true)) {
		operation->action = to == reading->member ? REHOST_BETWEEN : REHOST_NONE;
		operation->source = from;
		operation->source_field = whole_field(reading->host, from);
		return to != from && (to == reading->member || from == reading->member);
	}
	if (from != reading->member && to == reading->member &&
	    is_kind(reading, "cudaMemcpyHostToDevice", use == HOST_COPY_IN)) {
		operation->action = REHOST_TO_DEVICE;
		operation->host = hole(reading, "from");
	} else if (!to && from == reading->member && is_kind(reading, "cudaMemcpyDeviceToHost", use == HOST_COPY_OUT)) {
		operation->action = REHOST_TO_HOST;
		operation->host = hole(reading, "to");
	}
	return operation->action != REHOST_NONE;
}

/* A swap of each pair of pointers; records of arrays that are joined into one cannot be swapped. */
static bool swap_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	const struct rehost_member *left = hole_member(reading, "left"), *right = hole_member(reading, "right");
	struct range statement = edit_call_statement(reading->rewriter->source, &operation->call);

	operation->source = right;
	if (left == reading->member && reading->host->plan->placement->buffer_count > 1)
		operation->action = REHOST_SWAP;
	return left && right && reading->host->plan->group->form == FORM_STRUCT && !range_is_empty(statement);
}

/* ---- one member of records ------------------------------------------------------------------ */

/* Whether a range is `sizeof` of the type, with or without `struct`, or of what the variable points to. */
static bool is_size_of(const struct mention_reading *reading, struct range range, const char *type,
                       const char *variable)
{
	struct edit_match match;
	struct range operand;

	if (!edit_match_range(reading->rewriter->source, range, "sizeof(@operand)", &match))
		return false;
	operand = edit_hole(&match, "operand");
	if (edit_match_range(reading->rewriter->source, operand, "struct @type", &match))
		operand = edit_hole(&match, "type");
	if (edit_range_is(reading->rewriter->source, operand, type))
		return true;
	return variable && edit_match_range(reading->rewriter->source, operand, "*$name", &match) &&
	       edit_range_is(reading->rewriter->source, edit_hole(&match, "name"), variable);
}

/* Whether an expression is `&p->x` of the member's variable; then field is x. */
static bool is_field(const struct mention_reading *reading, struct range expression, unsigned *field)
{
	const struct layout_group *group = reading->host->plan->group;
	const struct edit_source *source = reading->rewriter->source;
	struct edit_match match;

	if (!edit_match_range(source, expression, "&$name->@path", &match) ||
	    !edit_range_is(source, edit_hole(&match, "name"), reading->member->array->name))
		return false;
	for (*field = 0; *field < group->field_count; ++*field)
		if (edit_range_is(source, edit_hole(&match, "path"), group->fields[*field].path))
			return true;
	return false;
}

/* Whether a hole is the size of a field's type, by whatever name. */
static bool is_size_of_field(const struct mention_reading *reading, const char *name, const struct layout_field *field)
{
	return is_size_of(reading, hole(reading, name), field->type, NULL) ||
	       (field->leaf && is_size_of(reading, hole(reading, name), field->leaf->type.spelling, NULL));
}

/*
 * Whether device pointer, pitch and width name one scalar of each element: `p, sizeof(float), sizeof(float)` or
 * `&p->x, sizeof(point), sizeof(float)`.
 */
static bool pitched_field(const struct mention_reading *reading, const char *device, const char *pitch, unsigned *field)
{
	const struct layout_group *group = reading->host->plan->group;
	const char *name = reading->member->array->name;

	if (group->form == FORM_ARRAYS) {
		*field = reading->member->field;
		return hole_is_variable(reading, device, false) &&
		       is_size_of_field(reading, "width", &group->fields[*field]) &&
		       is_size_of_field(reading, pitch, &group->fields[*field]);
	}
	return is_field(reading, hole(reading, device), field) &&
	       is_size_of_field(reading, "width", &group->fields[*field]) &&
	       is_size_of(reading, hole(reading, pitch), reading->member->type, name);
}

static bool pitched_copy_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	bool in = is_kind(reading, "cudaMemcpyHostToDevice", false);

	if (!in && !is_kind(reading, "cudaMemcpyDeviceToHost", false))
		return false;
	operation->action = in ? REHOST_TO_DEVICE : REHOST_TO_HOST;
	operation->host = hole(reading, in ? "from" : "to");
	operation->pitch = hole(reading, in ? "from_pitch" : "to_pitch");
	return pitched_field(reading, in ? "to" : "from", in ? "to_pitch" : "from_pitch", &operation->field);
}

/* One member of records whose values lie together on the host. */
static bool member_in_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_TO_DEVICE;
	operation->host = hole(reading, "host");
	return is_field(reading, hole(reading, "member"), &operation->field) &&
	       reading->host->plan->group->fields[operation->field].count == 1;
}

static bool member_out_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_TO_HOST;
	operation->host = hole(reading, "host");
	return is_field(reading, hole(reading, "member"), &operation->field) &&
	       reading->host->plan->group->fields[operation->field].count == 1;
}

static bool pitched_set_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_SET;
	return pitched_field(reading, "device", "device_pitch", &operation->field);
}

/* ---- one member of tiles --------------------------------------------------------------------- */

/* Whether the hole is `p->x`, a member of the first tile of a variable of the group; then field is x. */
static const struct rehost_member *hole_tile(const struct mention_reading *reading, const char *name, unsigned *field)
{
	const struct layout_group *group = reading->host->plan->group;
	const struct edit_source *source = reading->rewriter->source;
	const struct rehost_member *member;
	struct edit_match match;

	if (!edit_match_range(source, hole(reading, name), "$name->@path", &match))
		return NULL;
	member = rehost_expression_member(reading->rewriter, reading->host, edit_hole(&match, "name"));
	for (*field = 0; *field < group->field_count; ++*field)
		if (group->fields[*field].count == 1 &&
		    edit_range_is(source, edit_hole(&match, "path"), group->fields[*field].path))
			return member;
	return NULL;
}

static bool tiles_in_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_TO_DEVICE;
	operation->host = hole(reading, "host");
	return hole_tile(reading, "tile", &operation->field) != NULL;
}

static bool tiles_out_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_TO_HOST;
	operation->host = hole(reading, "host");
	return hole_tile(reading, "tile", &operation->field) != NULL;
}

static bool tiles_set_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	operation->action = REHOST_SET;
	return hole_tile(reading, "tile", &operation->field) != NULL;
}

static bool tiles_between_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	const struct rehost_member *to = hole_tile(reading, "tile", &operation->field);

	operation->source = hole_tile(reading, "from_tile", &operation->source_field);
	operation->action = to == reading->member ? REHOST_BETWEEN : REHOST_NONE;
	return to && operation->source;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Of records; of tiles; of both. */
enum call_of { OF_RECORDS = 1, OF_TILES = 2, OF_ANY = 3 };
/*
 * What a call looks like. The holes bytes, value, count, pitch and stream go into the operation by their names (stream:
 * what stands last, and stays so); the function reads the others.
 */
static const struct call_shape {
	const char *pattern;
	bool (*read)(const struct mention_reading *reading, struct rehost_operation *operation);
	enum call_of of;
	bool is_async;
} shapes[] = {
	{"cudaMalloc(@address, @bytes)", allocate_read, OF_ANY, false},
	{"cudaMallocManaged(@address, @bytes)", allocate_read, OF_ANY, false},
	{"cudaMallocManaged(@address, @bytes, @stream)", allocate_read, OF_ANY, false},
	{"cudaMallocAsync(@address, @bytes, @stream)", allocate_read, OF_ANY, false},
	{"cudaFree(@device)", free_read, OF_ANY, false},
	{"cudaFreeAsync(@device, @stream)", free_read, OF_ANY, false},
	{"swap(@left, @right)", swap_read, OF_ANY, false},
	{"cudaMemset(@device, @value, @bytes)", set_read, OF_RECORDS, false},
	{"cudaMemsetAsync(@device, @value, @bytes)", set_read, OF_RECORDS, true},
	{"cudaMemsetAsync(@device, @value, @bytes, @stream)", set_read, OF_RECORDS, true},
	{"cudaMemcpy(@to, @from, @bytes, @kind)", copy_read, OF_RECORDS, false},
	{"cudaMemcpyAsync(@to, @from, @bytes, @kind)", copy_read, OF_RECORDS, true},
	{"cudaMemcpyAsync(@to, @from, @bytes, @kind, @stream)", copy_read, OF_RECORDS, true},
	{"cudaMemcpy2D(@to, @to_pitch, @from, @from_pitch, @width, @count, @kind)", pitched_copy_read, OF_RECORDS,
         false},
	{"cudaMemset2D(@device, @device_pitch, @value, @width, @count)", pitched_set_read, OF_RECORDS, false},
	{"copy_to_records(@member, @record_bytes, @host, @count)", member_in_read, OF_RECORDS, false},
	{"copy_from_records(@host, @member, @record_bytes, @count)", member_out_read, OF_RECORDS, false},
	{"copy_to_tiles(@tile, @tile_bytes, @host, @pitch, @count)", tiles_in_read, OF_TILES, false},
	{"copy_from_tiles(@host, @pitch, @tile, @tile_bytes, @count)", tiles_out_read, OF_TILES, false},
	{"copy_between_tiles(@tile, @from_tile, @tile_bytes, @count)", tiles_between_read, OF_TILES, false},
	{"copy_between_tiles_async(@tile, @from_tile, @tile_bytes, @count, @stream)", tiles_between_read, OF_TILES,
         true},
	{"set_tiles(@tile, @tile_bytes, @value, @count)", tiles_set_read, OF_TILES, false},
	{"set_tiles_async(@tile, @tile_bytes, @value, @count, @stream)", tiles_set_read, OF_TILES, true},
};

/* Whether a call has members of objects among its arguments: of which object a pointer is does not follow from the
 * pointer's name. */
static bool has_objects(const struct mention_reading *reading, const struct edit_call *call)
{
	const struct edit_source *source = reading->rewriter->source;

	for (unsigned a = 0; a < call->argument_count; a++) {
		unsigned last = edit_token_at(source, call->arguments[a].end);
		struct range name = {source->tokens[last - 1].begin, source->tokens[last - 1].end};

		if (rehost_expression_member(reading->rewriter, reading->host, call->arguments[a]) &&
		    !range_is_empty(edit_object_before(source, name)))
			return true;
	}
	return false;
}

/* Reads the call around the mention by the row of the table that it looks like. */
static bool call_read(struct mention_reading *reading, struct rehost_operation *operation)
{
	const struct edit_source *source = reading->rewriter->source;
	enum call_of of = reading->host->plan->group->written_tile > 0 ? OF_TILES : OF_RECORDS;

	for (unsigned s = 0; s < ARRAY_COUNT(shapes); s++) {
		if (!(shapes[s].of & of) ||
		    !edit_match_range(source, operation->call.whole, shapes[s].pattern, &reading->match))
			continue;
		operation->field = whole_field(reading->host, reading->member);
		operation->is_async = shapes[s].is_async;
		operation->bytes = hole(reading, "bytes");
		operation->value = hole(reading, "value");
		operation->count = hole(reading, "count");
		operation->pitch = hole(reading, "pitch");
		operation->stream = hole(reading, "stream");
		return shapes[s].read(reading, operation) &&
		       !(operation->source && has_objects(reading, &operation->call));
	}
	return false;
}

/* ---- statements that are no calls --------------------------------------------------------------- */

/* The token at which the specifiers of the local pointer named at token `name` begin; 0 where it is not declared there.
 */
static unsigned local_begin(const struct edit_source *source, unsigned name)
{
	unsigned begin = name - 1;

	if (name < 2 || (!edit_is(source, begin, "*") && !edit_is(source, begin, "auto")))
		return 0;
	while (begin > 0 && (source->tokens[begin - 1].kind == TOKEN_IDENTIFIER || edit_is(source, begin - 1, "::")))
		begin--;
	if (begin == 0 ||
	    (!edit_is(source, begin - 1, ";") && !edit_is(source, begin - 1, "{") && !edit_is(source, begin - 1, "}")))
		return 0;
	return begin;
}

/*
 * `T *t = a; a = b; b = t;`: read as a call whose text is the three statements; at mentions but the first, nothing. The
 * mention may stand in any of the three.
 */
static bool exchange_read(struct mention_reading *reading, struct rehost_operation *operation)
{
	static const char *const patterns[] = {"$t = $a; $a = $b; $b = $t;", "$t = ($a); ($a) = ($b); ($b) = $t;"};
	const struct edit_source *source = reading->rewriter->source;
	unsigned name = edit_token_at(source, reading->reference->name.begin), ends = 0, begin = 0;
	struct range first;

	for (unsigned t = name; t > 0 && ends < 3 && begin == 0; t--) {
		ends += edit_is(source, t, ";");
		for (unsigned p = 0; p < ARRAY_COUNT(patterns) && begin == 0; p++)
			if (edit_match_at(source, t, patterns[p], &reading->match) && reading->match.end > name)
				begin = local_begin(source, t);
	}
	if (begin == 0)
		return false;
	first = hole(reading, "a");
	operation->action = first.begin == reading->reference->name.begin ? REHOST_EXCHANGE : REHOST_NONE;
	operation->temporary = hole(reading, "t");
	operation->call.whole = (struct range){source->tokens[begin].begin, source->tokens[reading->match.end - 1].end};
	operation->source = hole_member(reading, "b");
	return operation->source && reading->host->plan->group->form == FORM_STRUCT && hole_member(reading, "a");
}

/* `SWAP(a, b, T *);` of a macro of the file's that exchanges two pointers. */
static bool exchange_macro_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	const struct rewriter *rewriter = reading->rewriter;
	const struct rehost_member *left, *right;

	if (!edit_call_around(rewriter->source, reading->reference->name, &operation->call) ||
	    !edit_macro_exchanges(rewriter->arena, rewriter->source, &operation->call))
		return false;
	left = rehost_expression_member(rewriter, reading->host, operation->call.arguments[0]);
	right = rehost_expression_member(rewriter, reading->host, operation->call.arguments[1]);
	operation->action = left == reading->member ? REHOST_EXCHANGE_MACRO : REHOST_NONE;
	operation->source = right;
	if (operation->call.argument_count == 3)
		operation->temporary = operation->call.arguments[2];
	return left && right && left != right && !has_objects(reading, &operation->call) &&
	       reading->host->plan->group->form == FORM_STRUCT &&
	       !range_is_empty(edit_call_statement(rewriter->source, &operation->call));
}

/* Reads `p = q;` around a name: its tokens are begin, begin + 1, ... */
static bool assignment_at(const struct edit_source *source, struct range name, unsigned *begin)
{
	struct edit_match match;
	struct edit_call call = {0};
	unsigned i = edit_token_at(source, name.begin);

	*begin = i > 2 && edit_is(source, i - 1, "=") ? i - 2 : i;
	if (range_is_empty(name) || !edit_match_at(source, *begin, "$p = $q;", &match))
		return false;
	call.whole = (struct range){source->tokens[*begin].begin, source->tokens[*begin + 2].end};
	return !range_is_empty(edit_call_statement(source, &call));
}

const struct host_array *rehost_assigned(const struct rewriter *rewriter, const struct host_reference *reference)
{
	unsigned begin;

	if (!assignment_at(rewriter->source, reference->name, &begin))
		return NULL;
	return rehost_array_at(
		rewriter,
		rewriter->source
			->tokens[rewriter->source->tokens[begin].begin == reference->name.begin ? begin + 2 : begin]
			.begin);
}

/* `p = q;` of two pointers of the group: read as a call whose text is the assignment, at the mention of p; at that of
 * q, nothing. */
static bool assign_read(const struct mention_reading *reading, struct rehost_operation *operation)
{
	const struct edit_source *source = reading->rewriter->source;
	const struct rehost_member *to;
	unsigned begin;

	if (reading->host->plan->group->form != FORM_STRUCT || reading->host->plan->group->family ||
	    !assignment_at(source, reading->reference->name, &begin))
		return false;
	operation->call.name = (struct range){source->tokens[begin].begin, source->tokens[begin].end};
	operation->call.whole = (struct range){source->tokens[begin].begin, source->tokens[begin + 2].end};
	to = rehost_expression_member(reading->rewriter, reading->host, operation->call.name);
	operation->source = rehost_expression_member(
		reading->rewriter, reading->host,
		(struct range){source->tokens[begin + 2].begin, source->tokens[begin + 2].end});
	if (source->tokens[begin].begin == reading->reference->name.begin &&
	    !rewriter_joins_pointers(reading->host->plan) && reading->host->plan->placement->buffer_count > 1)
		operation->action = REHOST_ASSIGN;
	return to && operation->source;
}

/* `p = NULL;`, a statement of its own: read as a call whose text is the assignment. */
static bool clear_read(struct mention_reading *reading, struct rehost_operation *operation)
{
	static const char *const patterns[] = {"$p = NULL", "$p = nullptr", "$p = 0"};
	const struct edit_source *source = reading->rewriter->source;
	struct range name = reading->reference->name, object = edit_object_before(source, name);

	for (unsigned n = 0; n < ARRAY_COUNT(patterns); n++) {
		if (!edit_match_at(source, edit_token_at(source, name.begin), patterns[n], &reading->match))
			continue;
		operation->action = REHOST_CLEAR;
		operation->value = (struct range){source->tokens[reading->match.end - 1].begin,
		                                  source->tokens[reading->match.end - 1].end};
		operation->call.name = name;
		operation->call.whole = (struct range){object.begin, operation->value.end};
		return !range_is_empty(edit_call_statement(source, &operation->call));
	}
	return false;
}

bool rehost_operation_read(const struct rewriter *rewriter, const struct rehost_plan *host,
                           const struct rehost_member *member, const struct host_reference *reference,
                           struct rehost_operation *operation)
{
	struct mention_reading reading = {rewriter, host, member, reference, {0}};

	*operation = (struct rehost_operation){0};
	if (clear_read(&reading, operation) || exchange_read(&reading, operation))
		return true;
	*operation = (struct rehost_operation){0};
	if (assign_read(&reading, operation) || exchange_macro_read(&reading, operation))
		return true;
	*operation = (struct rehost_operation){0};
	return edit_call_around(rewriter->source, reference->name, &operation->call) && call_read(&reading, operation);
}

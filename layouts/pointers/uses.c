/*
 * What host code does with a member: a table of calls as patterns (text/pattern.c). The names of their holes say what
 * each argument means.
 */
#include "layouts/pointers/internal.h"

struct use_reading {
	const struct rewriter *rewriter;
	const struct layout_group *group;
	struct pointers_use *use;
	struct edit_match match;
};

static struct range hole(const struct use_reading *reading, const char *name)
{
	return edit_hole(&reading->match, name);
}

/* Token at which the object begins of which the member at token i is taken; i itself where the member is named alone.
 */
static unsigned object_begin(const struct edit_source *source, unsigned i)
{
	while (i >= 2 && (edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->"))) {
		i -= 2;
		while (source->tokens[i].match < i && i > 0) {
			i = source->tokens[i].match;
			if (source->tokens[i - 1].kind != TOKEN_IDENTIFIER)
				break;
			i--;
		}
	}
	return i;
}

/* What a mention's member is taken from, with its point or arrow. */
static struct range object_of(const struct rewriter *rewriter, const struct member_mention *mention)
{
	unsigned token = edit_token_at(rewriter->source, mention->name.begin);

	return (struct range){rewriter->source->tokens[object_begin(rewriter->source, token)].begin,
	                      mention->name.begin};
}

/* Whether a range is the object's member, as it is or its address, perhaps cast. */
static bool is_member(const struct use_reading *reading, struct range range, const struct member_mention *mention,
                      bool address)
{
	const struct edit_source *source = reading->rewriter->source;
	struct range object = object_of(reading->rewriter, mention);
	unsigned i = edit_token_at(source, range.begin);

	if (range_is_empty(range) || range.end != mention->name.end)
		return false;
	if (edit_is(source, i, "(") && source->tokens[source->tokens[i].match].end < object.begin + 1)
		i = source->tokens[i].match + 1;
	if (address && !edit_is(source, i++, "&"))
		return false;
	return source->tokens[i].begin == object.begin;
}

static bool hole_is_member(const struct use_reading *reading, const char *name, bool address)
{
	return is_member(reading, hole(reading, name), reading->use->mention, address);
}

static bool kind_is(const struct use_reading *reading, const char *kind)
{
	return edit_range_is(reading->rewriter->source, hole(reading, "kind"), kind);
}

/* The mention of the same member at the end of a range, which is nothing but that; or NULL. */
static const struct member_mention *mention_in(const struct use_reading *reading, struct range range)
{
	const struct analysis *analysis = reading->rewriter->analysis;

	for (unsigned m = 0; m < analysis->mention_count; m++) {
		const struct member_mention *mention = &analysis->mentions[m];

		if (pointers_field(reading->group, mention) < reading->group->field_count &&
		    mention->name.end == range.end && is_member(reading, range, mention, false))
			return mention;
	}
	return NULL;
}

/* ---- the calls ------------------------------------------------------------------------------------ */

static bool allocate_read(const struct use_reading *reading)
{
	reading->use->action = POINTERS_ALLOCATE;
	return hole_is_member(reading, "address", true);
}

static bool free_read(const struct use_reading *reading)
{
	reading->use->action = POINTERS_FREE;
	return hole_is_member(reading, "device", false);
}

static bool set_read(const struct use_reading *reading)
{
	reading->use->action = POINTERS_SET;
	return hole_is_member(reading, "device", false);
}

static bool copy_read(const struct use_reading *reading)
{
	struct pointers_use *use = reading->use;
	const struct member_mention *to = mention_in(reading, hole(reading, "to")),
				    *from = mention_in(reading, hole(reading, "from"));

	if (to && from) {
		use->action = POINTERS_BETWEEN;
		use->is_source = from == use->mention;
		use->source = from;
		use->source_object = object_of(reading->rewriter, from);
		return pointers_field(reading->group, to) == pointers_field(reading->group, from) &&
		       (kind_is(reading, "cudaMemcpyDeviceToDevice") || kind_is(reading, "cudaMemcpyHostToDevice") ||
		        kind_is(reading, "cudaMemcpyDeviceToHost"));
	}
	use->action = to ? POINTERS_TO_DEVICE : POINTERS_TO_HOST;
	use->host = hole(reading, to ? "from" : "to");
	return (to == use->mention && kind_is(reading, "cudaMemcpyHostToDevice")) ||
	       (from == use->mention && kind_is(reading, "cudaMemcpyDeviceToHost"));
}

static const struct use_shape {
	const char *pattern;
	bool (*read)(const struct use_reading *reading);
	bool is_async;
} shapes[] = {
	{"cudaMalloc(@address, @bytes)", allocate_read, false},
	{"cudaMallocManaged(@address, @bytes)", allocate_read, false},
	{"cudaMallocManaged(@address, @bytes, @last)", allocate_read, false},
	{"cudaMallocAsync(@address, @bytes, @last)", allocate_read, false},
	{"cudaMallocHost(@address, @bytes)", allocate_read, false},
	{"cudaFree(@device)", free_read, false},
	{"cudaFreeHost(@device)", free_read, false},
	{"free(@device)", free_read, false},
	{"cudaFreeAsync(@device, @last)", free_read, false},
	{"cudaMemset(@device, @value, @bytes)", set_read, false},
	{"cudaMemsetAsync(@device, @value, @bytes, @last)", set_read, true},
	{"cudaMemcpy(@to, @from, @bytes, @kind)", copy_read, false},
	{"cudaMemcpyAsync(@to, @from, @bytes, @kind, @last)", copy_read, true},
};

static bool call_read(struct use_reading *reading)
{
	const struct edit_source *source = reading->rewriter->source;
	struct pointers_use *use = reading->use;

	for (unsigned s = 0; s < ARRAY_COUNT(shapes); s++) {
		if (!edit_match_range(source, use->call.whole, shapes[s].pattern, &reading->match))
			continue;
		use->bytes = hole(reading, "bytes");
		use->value = hole(reading, "value");
		use->kind = hole(reading, "kind");
		use->last = hole(reading, "last");
		use->is_async = shapes[s].is_async;
		return shapes[s].read(reading);
	}
	return false;
}

/* Sets the call to an assignment that ends with a range; false where it is no statement of its own. */
static bool assignment_read(const struct use_reading *reading, struct range value)
{
	struct pointers_use *use = reading->use;

	use->call.whole = (struct range){use->object.begin, value.end};
	use->call.name = (struct range){use->object.begin, use->object.begin};
	return !range_is_empty(edit_call_statement(reading->rewriter->source, &use->call));
}

/* `h.rho = (float *)malloc(bytes);`, a statement of its own. */
static bool make_read(struct use_reading *reading)
{
	const struct edit_source *source = reading->rewriter->source;
	struct pointers_use *use = reading->use;

	if (!edit_match_at(source, edit_token_at(source, use->mention->name.begin), "$m = ($t *)malloc(@bytes);",
	                   &reading->match))
		return false;
	use->action = POINTERS_MAKE;
	use->bytes = hole(reading, "bytes");
	return assignment_read(reading, (struct range){0, source->tokens[reading->match.end - 2].end});
}

/* `g.rho = NULL;`, a statement of its own. */
static bool clear_read(struct use_reading *reading)
{
	static const char *const patterns[] = {"$m = NULL;", "$m = nullptr;", "$m = 0;"};
	const struct edit_source *source = reading->rewriter->source;
	struct pointers_use *use = reading->use;

	for (unsigned n = 0; n < ARRAY_COUNT(patterns); n++) {
		if (!edit_match_at(source, edit_token_at(source, use->mention->name.begin), patterns[n],
		                   &reading->match))
			continue;
		use->action = POINTERS_CLEAR;
		use->value = (struct range){source->tokens[reading->match.end - 2].begin,
		                            source->tokens[reading->match.end - 2].end};
		return assignment_read(reading, use->value);
	}
	return false;
}

bool pointers_use_read(const struct rewriter *rewriter, const struct layout_group *group,
                       const struct member_mention *mention, struct pointers_use *use)
{
	struct use_reading reading = {rewriter, group, use, {0}};

	*use = (struct pointers_use){.mention = mention, .field = pointers_field(group, mention)};
	use->object = object_of(rewriter, mention);
	return clear_read(&reading) || make_read(&reading) ||
	       (edit_call_around(rewriter->source, mention->name, &use->call) && call_read(&reading));
}

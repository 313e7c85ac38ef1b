/*
 * Families: groups of records that are instances of one class template. Their fields' types are read in the template's
 * own text: one that is a template parameter is spelled as the argument that stands for it at each place, all others
 * have to be the same in every instance.
 */
#include <ctype.h>

#include "layouts/groups/groups.h"

#define PARAMETERS_MOST 8
/* What member_parameter() says of members of another type, and of those that the text does not tell of. */
#define TYPE_FIXED (-1)
#define TYPE_UNKNOWN (-2)

/* ---- the template's text ------------------------------------------------------------- */

/* A class template's parameters and where its members are declared. */
struct template_text {
	const struct edit_source *source;
	unsigned first, keyword, open; /* tokens: `template`, `struct`, the brace */
	const char *names[PARAMETERS_MOST];
	unsigned count;
};

static const char *token_copy(struct arena *arena, const struct edit_source *source, unsigned i)
{
	return edit_copy(arena, source, (struct range){source->tokens[i].begin, source->tokens[i].end});
}

/* Reads the parameters between token `open`, which is `<`, and its partner; false where one has a default, no name, or
 * arguments. */
static bool parameters_read(struct arena *arena, struct template_text *text, unsigned open, unsigned close)
{
	const struct edit_source *source = text->source;

	for (unsigned i = open + 1; i <= close; i++) {
		if (edit_is(source, i, "=") || edit_is(source, i, "<") || edit_is(source, i, "..."))
			return false;
		if (i < close && !edit_is(source, i, ","))
			continue;
		if (text->count == PARAMETERS_MOST || i < open + 3 || source->tokens[i - 1].kind != TOKEN_IDENTIFIER)
			return false;
		text->names[text->count++] = token_copy(arena, source, i - 1);
	}
	return text->count > 0;
}

static bool template_read(struct arena *arena, const struct edit_source *source, const struct record *record,
                          struct template_text *text)
{
	unsigned i = edit_record_keyword(source, record->range.begin), close;

	*text = (struct template_text){.source = source, .keyword = i};
	for (text->open = i; text->open < source->token_count && !edit_is(source, text->open, "{"); text->open++) {
		if (edit_is(source, text->open, ";") || edit_is(source, text->open, ":"))
			return false;
		if (edit_is(source, text->open, "("))
			text->open = source->tokens[text->open].match;
	}
	if (range_is_empty(record->range) || i < 4 || text->open >= source->token_count || !edit_is(source, i - 1, ">"))
		return false;
	for (close = --i; i > 1 && !edit_is(source, i, "<"); i--)
		;
	text->first = i - 1;
	return edit_is(source, i - 1, "template") && parameters_read(arena, text, i, close);
}

/* Whether token i is a member's name where it is declared. */
static bool declares_member(const struct template_text *text, unsigned i, const char *name)
{
	static const char *const behind[] = {";", ",", "[", "=", "{"};
	bool declares = false;

	for (unsigned b = 0; b < ARRAY_COUNT(behind); b++)
		declares |= edit_is(text->source, i + 1, behind[b]);
	return declares && text->source->tokens[i].brace == text->open && edit_is(text->source, i, name);
}

/* Which parameter is the type of the member of that name. */
static int member_parameter(const struct template_text *text, const char *name)
{
	const struct edit_source *source = text->source;
	unsigned i = text->open + 1, begin;

	while (i < source->tokens[text->open].match && !declares_member(text, i, name))
		i++;
	if (i >= source->tokens[text->open].match)
		return TYPE_UNKNOWN;
	for (begin = i; begin > text->open + 1 && !edit_is(source, begin - 1, ";") &&
	                !edit_is(source, begin - 1, "}") && !edit_is(source, begin - 1, ":");)
		begin--;
	for (unsigned p = 0; p < text->count; p++)
		if (edit_is(source, begin, text->names[p]) && source->tokens[begin + 1].kind == TOKEN_IDENTIFIER)
			return (int)p;
	return TYPE_FIXED;
}

/* ---- which groups are one ------------------------------------------------------------------ */

static bool are_instances(const struct layout_group *a, const struct layout_group *b)
{
	size_t length = strcspn(a->name, "<");

	return a->form == FORM_STRUCT && b->form == FORM_STRUCT && a->record->range.begin == b->record->range.begin &&
	       a->record->range.end == b->record->range.end && a->name[length] == '<' &&
	       strncmp(a->name, b->name, length + 1) == 0 && a->written_tile == b->written_tile;
}

/* Whether field f of two instances differs in nothing but its type, and in that only where a parameter says so. */
static bool fields_agree(const struct layout_group *a, const struct layout_group *b, unsigned f, int parameter)
{
	const struct layout_field *left = &a->fields[f], *right = &b->fields[f];

	if (strcmp(left->path, right->path) != 0 || left->count != right->count ||
	    left->dimension_count != right->dimension_count ||
	    memcmp(left->dimensions, right->dimensions, sizeof(left->dimensions)) != 0)
		return false;
	return parameter >= 0 || (parameter == TYPE_FIXED && strcmp(left->type, right->type) == 0);
}

/* The parameters that the fields' types are, or NULL where the groups' fields do not agree. */
static const int *parameters_of_fields(const struct group_finder *finder, const struct template_text *text,
                                       const struct layout_group *group)
{
	int *parameters = arena_array(finder->arena, group->field_count + 1, sizeof(*parameters));

	for (unsigned f = 0; f < group->field_count; f++) {
		parameters[f] =
			strchr(group->fields[f].path, '.') ? TYPE_FIXED : member_parameter(text, group->fields[f].path);
		for (unsigned g = 0; g < finder->groups->count; g++) {
			const struct layout_group *other = finder->groups->list[g];

			if (are_instances(group, other) &&
			    (group->field_count != other->field_count || !fields_agree(group, other, f, parameters[f])))
				return NULL;
		}
	}
	return parameters;
}

/* The group of the kernel's parameter p, or NULL. */
static const struct layout_group *bound_group(const struct group_finder *finder, const struct kernel *kernel,
                                              unsigned p)
{
	for (unsigned b = 0; b < finder->groups->binding_count; b++)
		if (finder->groups->bindings[b].parameter == &kernel->parameters[p])
			return finder->groups->bindings[b].group;
	return NULL;
}

/* Whether two kernels of one text take different instances of the family for a parameter. */
static bool kernels_share(const struct group_finder *finder, const struct kernel *a, const struct kernel *b,
                          const struct layout_group *group)
{
	if (a->definition.begin != b->definition.begin || a->definition.end != b->definition.end ||
	    range_is_empty(a->definition))
		return false;
	for (unsigned p = 0; p < a->parameter_count && p < b->parameter_count; p++) {
		const struct layout_group *left = bound_group(finder, a, p), *right = bound_group(finder, b, p);

		if (left && right && left != right && are_instances(left, group) && are_instances(right, group))
			return true;
	}
	return false;
}

static bool family_is_shared(const struct group_finder *finder, const struct layout_group *group)
{
	for (unsigned a = 0; a < finder->analysis->kernel_count; a++)
		for (unsigned b = a + 1; b < finder->analysis->kernel_count; b++)
			if (kernels_share(finder, finder->analysis->kernels[a], finder->analysis->kernels[b], group))
				return true;
	return false;
}

static const char *parameters_text(struct arena *arena, const struct template_text *text)
{
	const char *list = text->names[0];

	for (unsigned p = 1; p < text->count; p++)
		list = arena_printf(arena, "%s, %s", list, text->names[p]);
	return arena_printf(arena, "<%s>", list);
}

/* "Vec3" of "ns::Vec3<float>". */
static const char *template_name(struct arena *arena, const struct layout_group *group)
{
	const char *name = arena_strndup(arena, group->name, strcspn(group->name, "<")), *colon = strrchr(name, ':');

	return colon ? colon + 1 : name;
}

static const struct layout_family *family_make(const struct group_finder *finder, const struct layout_group *group)
{
	struct layout_family *family = arena_alloc(finder->arena, sizeof(*family));
	const struct edit_source *source = finder->groups->source;
	struct template_text text;

	if (!template_read(finder->arena, source, group->record, &text))
		return NULL;
	family->field_parameters = parameters_of_fields(finder, &text, group);
	if (!family->field_parameters)
		return NULL;
	family->name = template_name(finder->arena, group);
	family->header = edit_single_line(
		finder->arena,
		edit_copy(finder->arena, source,
	                  (struct range){source->tokens[text.first].begin, source->tokens[text.keyword - 1].end}));
	family->parameters = parameters_text(finder->arena, &text);
	family->is_shared = family_is_shared(finder, group);
	family->least_bytes = UINT64_MAX;
	for (unsigned g = 0; g < finder->groups->count; g++)
		if (are_instances(group, finder->groups->list[g]) &&
		    finder->groups->list[g]->size_bytes < family->least_bytes)
			family->least_bytes = finder->groups->list[g]->size_bytes;
	return family;
}

void group_families_find(struct group_finder *finder)
{
	for (unsigned a = 0; a < finder->groups->count; a++)
		for (unsigned b = a + 1; b < finder->groups->count; b++) {
			struct layout_group *first = finder->groups->list[a], *second = finder->groups->list[b];

			if (second->family || !are_instances(first, second))
				continue;
			if (!first->family)
				first->family = family_make(finder, first);
			second->family = first->family;
		}
}

/* ---- spellings ---------------------------------------------------------------------------------- */

/* Splits "Vec3<A, B>" into its arguments; returns how many there are, at most PARAMETERS_MOST, 0 where it is no such
 * name. */
static unsigned arguments_split(struct arena *arena, const char *spelling, const char **arguments)
{
	const char *begin = strchr(spelling, '<');
	unsigned count = 0, depth = 0;

	for (const char *p = begin; p && *p; p++) {
		depth += *p == '<' || *p == '(';
		if ((*p == ',' && depth == 1) || (*p == '>' && depth == 1)) {
			if (count == PARAMETERS_MOST)
				return 0;
			for (begin++; *begin == ' '; begin++)
				;
			arguments[count++] = arena_strndup(arena, begin, (size_t)(p - begin));
			begin = p;
		}
		depth -= *p == '>' || *p == ')';
		if (depth == 0)
			return p[1] == '\0' ? count : 0;
	}
	return 0;
}

const struct placement *group_family_placement(struct arena *arena, const struct placement *placement,
                                               const char *spelling)
{
	const struct layout_family *family = placement->group->family;
	struct layout_group *group = arena_alloc(arena, sizeof(*group));
	struct placement *spelled = arena_alloc(arena, sizeof(*spelled));
	const char *arguments[PARAMETERS_MOST], *parameters[PARAMETERS_MOST];
	unsigned count = arguments_split(arena, spelling, arguments);

	if (count == 0 || count != arguments_split(arena, family->parameters, parameters))
		return NULL;
	*group = *placement->group;
	*spelled = *placement;
	spelled->group = group;
	group->name = spelling;
	group->fields = arena_array(arena, group->field_count + 1, sizeof(*group->fields));
	for (unsigned f = 0; f < group->field_count; f++) {
		group->fields[f] = placement->group->fields[f];
		if (family->field_parameters[f] >= 0)
			group->fields[f].type = arguments[family->field_parameters[f]];
	}
	return spelled;
}

const char *group_family_type(struct arena *arena, const char *type_name, const char *spelling)
{
	return arena_printf(arena, "%.*s%s", (int)strcspn(type_name, "<"), type_name, strchr(spelling, '<'));
}

const char *group_family_base(struct arena *arena, const struct layout_group *group)
{
	struct text base = {0};
	const char *copy;

	text_puts(&base, group->family->name);
	for (const char *p = strchr(group->name, '<'); *p; p++) {
		bool is_word = isalnum((unsigned char)*p) || *p == '_';

		if (is_word)
			text_append(&base, p, 1);
		else if (base.data[base.length - 1] != '_' && p[1])
			text_puts(&base, "_");
	}
	copy = arena_strdup(arena, base.data);
	text_release(&base);
	return copy;
}

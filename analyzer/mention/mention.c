/*
 * The search: all bodies of the file, device and host. A template's text is there once for each instance, and mentioned
 * once.
 *
 * Members of other records that have the same names are mentioned too: only then is it known of every such name in the
 * text whose it is.
 */
#include "analyzer/mention/mention.h"

#include <string.h>

struct mention_search {
	struct analysis *analysis;
	const struct source_unit *unit;
	const struct record **records; /* that kernels take by value, with pointers in them */
	unsigned record_count;
	const struct source_function *function; /* whose body is read */
};

/* ---- which records ---------------------------------------------------------------------- */

static bool is_searched(const struct mention_search *search, const struct record *record)
{
	for (unsigned r = 0; r < search->record_count; r++)
		if (search->records[r] == record)
			return true;
	return false;
}

static void records_collect(struct mention_search *search)
{
	for (unsigned k = 0; k < search->analysis->kernel_count; k++) {
		const struct kernel *kernel = search->analysis->kernels[k];

		for (unsigned a = 0; a < kernel->array_count; a++) {
			const struct array *array = kernel->arrays[a];

			if (array->leaf && array->parameter && !is_searched(search, array->parameter->type.record))
				ARENA_PUSH(search->unit->arena, search->records, search->record_count,
				           array->parameter->type.record);
		}
	}
}

static const struct member *pointer_named(const struct record *record, const char *name)
{
	for (unsigned m = 0; m < record->member_count; m++)
		if (strcmp(record->members[m].name, name) == 0 && record->members[m].type.scalar == SCALAR_POINTER)
			return &record->members[m];
	return NULL;
}

/* Whether a pointer in one of the records has the name. */
static bool is_name_searched(const struct mention_search *search, const char *name)
{
	for (unsigned r = 0; r < search->record_count; r++)
		if (pointer_named(search->records[r], name))
			return true;
	return false;
}

/* ---- the mentions ------------------------------------------------------------------------------ */

static bool was_seen(const struct analysis *analysis, const struct member_mention *mention)
{
	for (unsigned m = analysis->mention_count; m-- > 0;)
		if (analysis->mentions[m].place.line == mention->place.line &&
		    analysis->mentions[m].place.column == mention->place.column &&
		    analysis->mentions[m].name.begin == mention->name.begin)
			return true;
	return false;
}

static void mention_push(struct mention_search *search, struct member_mention mention)
{
	if (!was_seen(search->analysis, &mention))
		ARENA_PUSH(search->unit->arena, search->analysis->mentions, search->analysis->mention_count, mention);
}

/* The member's own token at the end of what names it; an empty range where a macro spells it. */
static struct range name_of(const struct mention_search *search, const struct node *member)
{
	const char *name = member->declaration->name;
	struct range range = member->range;
	unsigned length = (unsigned)strlen(name);

	if (range.end - range.begin < length || strncmp(search->unit->text + range.end - length, name, length) != 0)
		return (struct range){0, 0};
	return (struct range){range.end - length, range.end};
}

static void member_push(struct mention_search *search, const struct node *member, const struct node *subscript)
{
	struct member_mention mention = {.record = node_member_record(member, search->function->object),
	                                 .member = member->declaration->name,
	                                 .name = name_of(search, member),
	                                 .place = member->place};

	if (subscript && mention.name.end && subscript->range.end > mention.name.end &&
	    search->unit->text[subscript->range.end - 1] == ']' &&
	    subscript->children[1]->range.begin > mention.name.end &&
	    subscript->children[1]->range.end < subscript->range.end) {
		mention.element = (struct range){mention.name.begin, subscript->range.end};
		mention.index = subscript->children[1]->range;
		mention.index_has_side_effects = node_has_effects(subscript->children[1]);
	}
	mention_push(search, mention);
}

static bool is_member(const struct mention_search *search, const struct node *node)
{
	return node && node->kind == NODE_MEMBER && node->declaration->kind == DECLARATION_FIELD &&
	       is_name_searched(search, node->declaration->name);
}

static bool mention_visit(void *context, const struct node *node)
{
	struct mention_search *search = context;
	const struct node *base = node->kind == NODE_SUBSCRIPT ? node_strip_casts(node->children[0]) : NULL;

	if (is_member(search, base)) {
		member_push(search, base, node);
		node_visit(base->children[0], mention_visit, search);
		node_visit(node->children[1], mention_visit, search);
		return false;
	}
	if (is_member(search, node))
		member_push(search, node, NULL);
	if (node->kind == NODE_LIST && node->child_count > 0 && node->type &&
	    is_searched(search, node->type->type.record))
		mention_push(search, (struct member_mention){.record = node->type->type.record, .place = node->place});
	return true;
}

void mention_find_all(struct analysis *analysis, const struct source_unit *unit)
{
	struct mention_search search = {.analysis = analysis, .unit = unit};

	records_collect(&search);
	for (unsigned f = 0; search.record_count > 0 && f < unit->function_count; f++)
		if (unit->functions[f]->body && unit->functions[f]->in_main_file) {
			search.function = unit->functions[f];
			node_visit(unit->functions[f]->body, mention_visit, &search);
		}
}

/*
 * What index arrays hold: declared by --index ARRAY=WHAT, or --index ARRAY.MEMBER=WHAT for an integer member of the array's records; else
 * assumed uniform over the elements of the array that is indexed.
 */
#include "model/cases/cases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads a text file of integers. Returns false and reports where it is none. */
static bool index_file_read(struct arena *arena, const char *path, struct content *content, struct diagnostics *diagnostics)
{
	char *text = file_read(arena, path, NULL);
	int64_t *values = NULL;
	size_t count = 0;
	if (!text) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "cannot read the index file: %s",
		                   strerror(errno));
		return false;
	}
	for (char *next = text + strspn(text, " \t\r\n,"), *end; *next; next = end + strspn(end, " \t\r\n,")) {
		errno = 0;
		long long value = strtoll(next, &end, 0);
		if (end == next || errno) {
			unsigned line = 1;
			for (char *p = text; p < next; p++)
				line += *p == '\n';
			diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, line, 0}, "not an integer");
			return false;
		}
		ARENA_PUSH(arena, values, count, (int64_t)value);
	}
	content->kind = CONTENT_VALUES;
	content->values = values;
	content->count = count;
	return count > 0;
}

static bool content_parse(struct arena *arena, const struct named_value *option, struct content *content,
                          struct diagnostics *diagnostics)
{
	long long low, high;
	char rest;
	if (strcmp(option->value, "seq") == 0) {
		content->kind = CONTENT_SEQUENCE;
		return true;
	}
	if (sscanf(option->value, "seq:%lld%c", &low, &rest) == 1) {
		*content = low ? (struct content){.kind = CONTENT_SEQUENCE, .step = low}
		               : (struct content){.kind = CONTENT_UNIFORM, .high = 1};
		return true;
	}
	if (sscanf(option->value, "uniform:%lld:%lld%c", &low, &high, &rest) == 2 && low < high) {
		*content = (struct content){.kind = CONTENT_UNIFORM, .low = low, .high = high};
		return true;
	}
	if (strncmp(option->value, "uniform:", 8) == 0) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "--index %s=%s: expected uniform:LOW:HIGH with LOW < HIGH", option->name, option->value);
		return false;
	}
	return index_file_read(arena, option->value, content, diagnostics);
}

/* The array parameter whose loaded values an index is made of, or NULL. */
static const struct parameter *index_source(const struct expr *expr)
{
	if (!expr)
		return NULL;
	if (expr->op == EXPR_LOAD && expr->load->array && !expr->load->leaf)
		return expr->load->array->parameter;
	for (unsigned i = 0; i < 3; i++) {
		const struct parameter *found = index_source(expr->operands[i]);
		if (found)
			return found;
	}
	return NULL;
}

static void contents_assume(struct arena *arena, struct launch_case *launch)
{
	for (unsigned i = 0; i < launch->kernel->access_count; i++) {
		const struct access *access = launch->kernel->accesses[i];
		const struct parameter *source = index_source(access->element), *target = access->array->parameter;
		if (!source || !target || launch->contents[source->index].kind != CONTENT_UNKNOWN)
			continue;
		uint64_t extent = launch->extents[target->index];
		if (extent == 0)
			extent = launch->extents[target->index] = launch->extents[source->index];
		if (extent == 0)
			continue;
		launch->contents[source->index] = (struct content){.kind = CONTENT_UNIFORM, .high = (int64_t)extent};
		case_note(arena, launch,
		          arena_printf(arena,
		                       "content of index array %s is not known; assumed uniform in 0..%llu: give --index %s=",
		                       source->name, (unsigned long long)(extent - 1), source->name));
	}
}

const struct leaf *case_member_named(const struct parameter *parameter, const char *name)
{
	const struct record *record = parameter->type.record;
	size_t length = strlen(parameter->name);
	if (!record || strncmp(name, parameter->name, length) != 0 || name[length] != '.')
		return NULL;
	for (unsigned l = 0; l < record->leaf_count; l++)
		if (strcmp(record->leaves[l].path, name + length + 1) == 0 && record->leaves[l].type.scalar != SCALAR_FLOAT)
			return &record->leaves[l];
	return NULL;
}

const struct content *case_member_content(const struct launch_case *launch, const struct parameter *parameter,
                                          const struct leaf *leaf)
{
	for (unsigned m = 0; m < launch->member_count; m++)
		if (launch->members[m].parameter == parameter && strcmp(launch->members[m].leaf->path, leaf->path) == 0)
			return &launch->members[m].content;
	return NULL;
}

/* What the user says of members of records. Options later on the command line win. */
static void member_contents_fill(struct arena *arena, struct launch_case *launch, const struct case_options *options,
                                 struct diagnostics *diagnostics)
{
	for (unsigned o = options->index_count; o-- > 0;)
		for (unsigned p = 0; p < launch->kernel->parameter_count; p++) {
			const struct parameter *parameter = &launch->kernel->parameters[p];
			const struct leaf *leaf = case_member_named(parameter, options->indexes[o].name);
			struct member_content member = {.parameter = parameter, .leaf = leaf};
			if (!leaf || !parameter->is_pointer || case_member_content(launch, parameter, leaf) ||
			    !content_parse(arena, &options->indexes[o], &member.content, diagnostics))
				continue;
			member.content.element_bytes = (unsigned)leaf->type.size_bytes;
			ARENA_PUSH(arena, launch->members, launch->member_count, member);
			if (leaf->count > 1)
				case_note(arena, launch,
				          arena_printf(arena,
				                       "--index %s: %s is a member array: measuring programs hold it, predictions "
				                       "do not follow it",
				                       options->indexes[o].name, leaf->path));
		}
}

void case_contents_fill(struct arena *arena, struct launch_case *launch, const struct case_options *options,
                        struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++) {
		const struct parameter *parameter = &launch->kernel->parameters[i];
		const struct named_value *option = case_option(options->indexes, options->index_count, parameter->name);
		if (option && parameter->is_pointer)
			content_parse(arena, option, &launch->contents[i], diagnostics);
	}
	member_contents_fill(arena, launch, options, diagnostics);
	contents_assume(arena, launch);
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++)
		launch->contents[i].element_bytes = (unsigned)launch->kernel->parameters[i].type.size_bytes;
}

/*
 * Which kernels and parameters a name means.
 *
 * A kernel answers to its name as in the source, without its namespaces, without its template arguments, and to shell
 * patterns of these. A parameter answers to its name, with or without a kernel before it (kernel:n); a member of a
 * record passed by value to "g.n".
 */
#include "model/cases/cases.h"

#include <fnmatch.h>
#include <string.h>

/* ---- kernels -------------------------------------------------------------------- */

/* The name behind its namespaces; those of template arguments do not count. */
static const char *unqualified(const char *name)
{
	const char *last = name;
	for (const char *next = name; *next && *next != '<'; next++)
		if (next[0] == ':' && next[1] == ':')
			last = next + 2;
	return last;
}

static bool pattern_fits(const char *pattern, const char *name, size_t length)
{
	char text[512];
	if (length >= sizeof text)
		return false;
	memcpy(text, name, length);
	text[length] = '\0';
	return strcmp(pattern, text) == 0 || fnmatch(pattern, text, 0) == 0;
}

bool case_kernel_named(const struct kernel *kernel, const char *pattern)
{
	const char *names[] = {kernel->name, unqualified(kernel->name)};
	const char *patterns[] = {pattern, unqualified(pattern)};
	for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
		if (pattern_fits(patterns[i], names[i], strlen(names[i])) ||
		    pattern_fits(patterns[i], names[i], strcspn(names[i], "<")) ||
		    pattern_fits(pattern, names[i], strlen(names[i])) ||
		    pattern_fits(pattern, names[i], strcspn(names[i], "<")))
			return true;
	return false;
}

bool case_kernel_selected(const struct kernel *kernel, const struct case_options *options)
{
	for (unsigned i = 0; i < options->kernel_count; i++)
		if (case_kernel_named(kernel, options->kernels[i]))
			return true;
	return options->kernel_count == 0;
}

/* ---- parameters ------------------------------------------------------------------ */

const char *case_option_kernel(struct arena *arena, const char *name, const char **rest)
{
	const char *split = NULL;
	for (const char *next = name; *next; next++)
		if (*next == ':' && next[1] != ':' && (next == name || next[-1] != ':'))
			split = next;
	*rest = split ? split + 1 : name;
	return split ? arena_strndup(arena, name, (size_t)(split - name)) : NULL;
}

const struct named_value *case_option(struct arena *arena, const struct named_value *list, unsigned count,
                                      const struct kernel *kernel, const char *name)
{
	const struct named_value *found = NULL;
	bool found_own = false;
	for (unsigned i = 0; i < count; i++) {
		const char *rest, *own = case_option_kernel(arena, list[i].name, &rest);
		if (strcmp(rest, name) != 0 || (own && !case_kernel_named(kernel, own)) || (found_own && !own))
			continue;
		found = &list[i];
		found_own = own != NULL;
	}
	return found;
}

const struct leaf *case_member_named(const struct parameter *parameter, const char *called, const char *name)
{
	const struct record *record = parameter->type.record;
	size_t length = strlen(called);
	if (!record || strncmp(name, called, length) != 0 || name[length] != '.')
		return NULL;
	for (unsigned l = 0; l < record->leaf_count; l++)
		if (strcmp(record->leaves[l].path, name + length + 1) == 0)
			return &record->leaves[l];
	return NULL;
}

const char *case_host_name(const struct kernel *kernel, const struct launch *found, const struct parameter *parameter)
{
	const struct host_array *array = NULL;
	if (found && parameter->is_pointer && parameter->index < found->kernel->parameter_count)
		array = found->arguments[parameter->index].array;
	for (unsigned p = 0; array && p < kernel->parameter_count; p++)
		if (strcmp(kernel->parameters[p].name, array->name) == 0)
			return NULL;
	return array ? array->name : NULL;
}

static bool parameter_named(const struct parameter *parameter, const char *called, const char *option, const char *name)
{
	const struct leaf *leaf = case_member_named(parameter, called, name);
	bool scalars = strcmp(option, "arg") == 0;
	if (strcmp(called, name) == 0)
		return parameter->is_pointer != scalars;
	if (leaf && !parameter->is_pointer && !scalars)
		return leaf->type.scalar == SCALAR_POINTER;
	return leaf && parameter->is_pointer != scalars && strcmp(option, "extent") != 0 &&
	       (scalars || leaf->type.scalar != SCALAR_FLOAT);
}

/* ---- did you mean ------------------------------------------------------------------ */

struct names {
	struct arena *arena;
	const char **list;
	unsigned count;
};

static void name_add(struct names *names, const char *name)
{
	for (unsigned i = 0; i < names->count; i++)
		if (strcmp(names->list[i], name) == 0)
			return;
	ARENA_PUSH(names->arena, names->list, names->count, name);
}

/* ---- checks --------------------------------------------------------------------------- */

static void kernels_check(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                          struct diagnostics *diagnostics)
{
	struct names names = {.arena = arena};
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		name_add(&names, analysis->kernels[k]->name);
	for (unsigned i = 0; i < options->kernel_count; i++) {
		bool found = false;
		for (unsigned k = 0; k < analysis->kernel_count; k++)
			found = found || case_kernel_named(analysis->kernels[k], options->kernels[i]);
		if (!found)
			diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
			                   "%s has no kernel named '%s'%s", analysis->path, options->kernels[i],
			                   text_suggestion(arena, options->kernels[i], names.list, names.count));
	}
}

static void parameter_names_collect(struct names *names, const struct parameter *parameter, const char *option)
{
	const struct record *record = parameter->is_pointer ? NULL : parameter->type.record;
	if (!record && parameter_named(parameter, parameter->name, option, parameter->name))
		name_add(names, parameter->name);
	for (unsigned l = 0; record && l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		const char *name = arena_printf(names->arena, "%s.%s", parameter->name, leaf->path);
		bool is_scalar = leaf->type.scalar != SCALAR_POINTER, wants_scalar = strcmp(option, "arg") == 0;
		if (is_scalar == wants_scalar && leaf->count == 1 &&
		    parameter_named(parameter, parameter->name, option, name))
			name_add(names, name);
	}
}

/* The names that a value can be given for in a kernel. */
static void names_collect(struct names *names, const struct kernel *kernel, const char *option)
{
	for (unsigned p = 0; p < kernel->parameter_count; p++)
		parameter_names_collect(names, &kernel->parameters[p], option);
	for (unsigned c = 0; c < kernel->constant_count && strcmp(option, "arg") == 0; c++)
		parameter_names_collect(names, kernel->constants[c], option);
}

/* Whether a launch passes an array for a parameter that the host calls so. */
static bool passed_named(const struct kernel *kernel, const struct parameter *parameter, const char *option,
                         const char *name)
{
	bool found = false;
	for (unsigned l = 0; l < kernel->launch_count && !found; l++) {
		const char *called = case_host_name(kernel, kernel->launches[l], parameter);
		found = called && parameter_named(parameter, called, option, name);
	}
	return found;
}

static bool name_found(const struct kernel *kernel, const char *option, const char *name)
{
	for (unsigned c = 0; c < kernel->constant_count && strcmp(option, "arg") == 0; c++)
		if (parameter_named(kernel->constants[c], kernel->constants[c]->name, option, name))
			return true;
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		const struct parameter *parameter = &kernel->parameters[p];
		if (parameter_named(parameter, parameter->name, option, name) ||
		    (strcmp(option, "index") == 0 && passed_named(kernel, parameter, option, name)))
			return true;
	}
	return false;
}

static void name_check(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                       const char *option, const char *given, struct diagnostics *diagnostics)
{
	const char *name, *own = case_option_kernel(arena, given, &name);
	struct names names = {.arena = arena};
	bool found = false;
	for (unsigned k = 0; k < analysis->kernel_count && !found; k++) {
		const struct kernel *kernel = analysis->kernels[k];
		if (!case_kernel_selected(kernel, options) || (own && !case_kernel_named(kernel, own)))
			continue;
		found = name_found(kernel, option, name);
		names_collect(&names, kernel, option);
	}
	if (found)
		return;
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
	                   "--%s %s: no kernel has %s of that name%s", option, given,
	                   strcmp(option, "arg") == 0 ? "a scalar parameter"
	                   : strchr(name, '.') && strcmp(option, "index") == 0
	                           ? "an array of records with an integer member"
	                           : "an array",
	                   text_suggestion(arena, name, names.list, names.count));
}

void case_options_check(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                        struct diagnostics *diagnostics)
{
	kernels_check(arena, analysis, options, diagnostics);
	for (unsigned i = 0; i < options->argument_count; i++)
		name_check(arena, analysis, options, "arg", options->arguments[i].name, diagnostics);
	for (unsigned i = 0; i < options->extent_count; i++)
		name_check(arena, analysis, options, "extent", options->extents[i].name, diagnostics);
	for (unsigned i = 0; i < options->index_count; i++)
		name_check(arena, analysis, options, "index", options->indexes[i].name, diagnostics);
}

/*
 * Names of kernels, as code inside a variant's namespace has them.
 */
#include <ctype.h>
#include <stdlib.h>

#include "layouts/text/text.h"
#include "layouts/types/types.h"

bool layout_kernels_share_text(const struct kernel *a, const struct kernel *b)
{
	return a->definition.begin == b->definition.begin && a->definition.end == b->definition.end;
}

const char *layout_kernel_name(struct arena *arena, const struct kernel *kernel)
{
	return arena_strndup(arena, kernel->name, strcspn(kernel->name, "<"));
}

/* The namespaces around a kernel, from its mangled name: "a::b::", without unnamed ones. */
static const char *kernel_scope(struct arena *arena, const struct kernel *kernel)
{
	const char *name = layout_kernel_name(arena, kernel), *scope = "", *p = kernel->mangled;

	if (!p || strncmp(p, "_ZN", 3) != 0)
		return scope;
	for (p += 3; isdigit((unsigned char)*p);) {
		char *end;
		unsigned long length = strtoul(p, &end, 10);

		if (length > strlen(end) || (length == strlen(name) && strncmp(end, name, length) == 0))
			return scope;
		if (strncmp(end, "_GLOBAL__N", 10) != 0)
			scope = arena_printf(arena, "%s%.*s::", scope, (int)length, end);
		p = end + length;
	}
	return scope;
}

/* Whether another function has the same name, so that its address alone would be ambiguous. */
static bool kernel_is_overloaded(const struct analysis *analysis, const struct kernel *kernel)
{
	const size_t length = strcspn(kernel->name, "<");

	for (unsigned k = 0; k < analysis->kernel_count; k++) {
		const char *other = analysis->kernels[k]->name;

		if (!layout_kernels_share_text(kernel, analysis->kernels[k]) &&
		    strncmp(kernel->name, other, length) == 0 && (other[length] == '<' || other[length] == '\0'))
			return true;
	}
	for (unsigned f = 0; f < analysis->function_count; f++) {
		const struct function *function = &analysis->functions[f];

		if (function->is_device && !function->is_kernel && !function->is_member &&
		    strncmp(kernel->name, function->name, length) == 0 && function->name[length] == '\0')
			return true;
	}
	return false;
}

bool layout_kernel_is_unnamed(const struct kernel *kernel)
{
	for (const char *p = strstr(kernel->name, "(anonymous"); p; p = strstr(p + 1, "(anonymous"))
		if (strncmp(p, "(anonymous namespace)::", 23) != 0)
			return true;
	return strstr(kernel->name, "(lambda") || strstr(kernel->name, "(unnamed");
}

/* An enumeration's name as code at file scope finds it; NULL where the file defines none of that name. */
static const char *enumeration_name(struct arena *arena, const struct edit_source *source, const char *name)
{
	for (unsigned i = 1; i < source->token_count; i++)
		if (edit_is(source, i, name) &&
		    (edit_is(source, i - 1, "enum") ||
		     (i > 1 && edit_is(source, i - 2, "enum") && source->tokens[i - 1].kind == TOKEN_IDENTIFIER)))
			return arena_printf(arena, "%s%s", edit_namespaces(arena, source, i), name);
	return NULL;
}

/* The enumeration that is the type of a template's parameter number n; NULL where it is something else. */
static const char *value_parameter(struct arena *arena, const struct edit_source *source, const struct kernel *kernel,
                                   unsigned n)
{
	unsigned i = edit_token_at(source, kernel->definition.begin) + 2, depth = 0;
	struct edit_match match;

	if (!edit_is(source, i - 2, "template"))
		return NULL;
	for (; i < source->token_count && n > 0; i++) {
		depth += edit_is(source, i, "<");
		if (edit_is(source, i, ">") && depth-- == 0)
			return NULL;
		if (source->tokens[i].match > i)
			i = source->tokens[i].match;
		n -= depth == 0 && edit_is(source, i, ",");
	}
	if (!edit_match_at(source, i, "$type $name", &match))
		return NULL;
	return enumeration_name(arena, source, edit_copy(arena, source, edit_hole(&match, "type")));
}

/* A kernel's name with the values of enumerations, which are spelled as numbers, made values of their type. */
static const char *name_with_values(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel,
                                    const char *name)
{
	const char *arguments = strchr(name, '<');
	const struct edit_source *source, *words;
	struct text out = {0};
	unsigned depth = 0, n = 0;

	if (!arguments)
		return name;
	source = edit_source_read(arena, analysis->text, analysis->text_length);
	words = edit_source_read(arena, arguments + 1, strlen(arguments + 1));
	text_append(&out, name, (size_t)(arguments + 1 - name));
	for (unsigned i = 0, done = 0; i < words->token_count; done = words->tokens[i++].end) {
		bool alone =
			depth == 0 && words->tokens[i].kind == TOKEN_NUMBER && (i == 0 || edit_is(words, i - 1, ","));
		const char *type = alone ? value_parameter(arena, source, kernel, n) : NULL;

		depth += edit_is(words, i, "<");
		depth -= edit_is(words, i, ">") && depth > 0;
		n += depth == 0 && edit_is(words, i, ",");
		text_append(&out, words->text + done, words->tokens[i].begin - done);
		text_puts(&out, type ? arena_printf(arena, "(%s)", type) : "");
		text_append(&out, words->text + words->tokens[i].begin, words->tokens[i].end - words->tokens[i].begin);
	}
	name = arena_strdup(arena, out.data);
	text_release(&out);
	return name;
}

const char *layout_variant_kernel(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel)
{
	if (kernel->is_template_pattern || layout_kernel_is_unnamed(kernel) || kernel_is_overloaded(analysis, kernel))
		return NULL;
	return arena_printf(arena, "%s%s", kernel_scope(arena, kernel),
	                    name_with_values(arena, analysis, kernel, edit_spelling(arena, kernel->name)));
}

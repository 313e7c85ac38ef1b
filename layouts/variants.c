/*
 * Compiling all rewritten files at once: the translation unit around them. device/compile.c has what is done to each.
 *
 * A file in a namespace may not include system headers, may not define the same extern "C" function as its siblings,
 * and has to find the macros as they were at its start. So the file's includes stand before all variants, at file
 * scope, under the macros that the file defines for them; what the file itself defined is undone after them and again
 * after each variant.
 *
 * That cannot do for every file: a header may use names that the file declares before it includes it, or declare
 * functions that the file defines. So each variant is a translation unit by itself too (layout_variant_unit()), for
 * when the whole does not compile.
 */
#include <ctype.h>
#include <stdlib.h>

#include "layouts/layouts.h"
#include "layouts/rewriter/rewriter.h"

/* ---- all of them ----------------------------------------------------------------------------- */

/* The name that a #define or #undef is about. */
static const char *directive_macro(struct arena *arena, const struct edit_source *source, unsigned i)
{
	const struct edit_source *words = edit_source_read(arena, source->text + source->tokens[i].begin + 1,
	                                                   source->tokens[i].end - source->tokens[i].begin - 1);

	if (words->token_count < 2 || words->tokens[1].kind != TOKEN_IDENTIFIER)
		return NULL;
	return edit_copy(arena, words, (struct range){words->tokens[1].begin, words->tokens[1].end});
}

/* Collects the names of all macros that the file defines, each once. */
static const char **macros_collect(struct arena *arena, const struct edit_source *source, unsigned *count)
{
	const char **names = NULL;

	for (unsigned i = 0; i < source->token_count; i++) {
		const char *name = edit_is_directive(source, i, "define") || edit_is_directive(source, i, "undef")
		                           ? directive_macro(arena, source, i)
		                           : NULL;
		bool known = false;

		for (unsigned n = 0; name && n < *count; n++)
			known |= strcmp(names[n], name) == 0;
		if (name && !known)
			ARENA_PUSH(arena, names, *count, name);
	}
	return names;
}

/*
 * Writes a directive of the part before the variants; a macro that it defines or undefines gets or loses a mark that
 * it is the file's own.
 */
static void prefix_directive(struct text *out, struct arena *arena, const struct edit_source *source, unsigned i)
{
	static const char *const conditionals[] = {"if", "ifdef", "ifndef", "elif", "else", "endif"};
	bool define = edit_is_directive(source, i, "define"), undef = edit_is_directive(source, i, "undef");
	bool wanted = define || undef || edit_is_outer_include(source, i);

	for (unsigned c = 0; c < ARRAY_COUNT(conditionals); c++)
		wanted |= edit_is_directive(source, i, conditionals[c]);
	if (!wanted)
		return;
	text_append(out, source->text + source->tokens[i].begin, source->tokens[i].end - source->tokens[i].begin);
	text_puts(out, "\n");
	if (define || undef) {
		const char *name = directive_macro(arena, source, i);

		if (name)
			text_printf(out, "#%s coalesce_defined_%s\n", define ? "define" : "undef", name);
	}
}

/* Writes the includes under the file's macros, and then undoes those macros that are the file's own. */
static void prefix_write(struct text *out, struct arena *arena, const struct edit_source *source,
                         const char *const *macros, unsigned macro_count)
{
	for (unsigned i = 0; i < source->token_count; i++)
		prefix_directive(out, arena, source, i);
	for (unsigned m = 0; m < macro_count; m++)
		text_printf(out, "#ifdef coalesce_defined_%s\n#undef %s\n#undef coalesce_defined_%s\n#endif\n",
		            macros[m], macros[m], macros[m]);
}

/* What a variant finds of the file's macros: those that were there before all. */
static void macros_keep(struct text *out, const char *const *macros, unsigned macro_count)
{
	text_puts(out, "#ifndef __CUDACC_RTC__\n");
	for (unsigned m = 0; m < macro_count; m++)
		text_printf(out, "#pragma push_macro(\"%s\")\n", macros[m]);
	text_puts(out, "#endif\n");
}

/* Makes that so again; NVRTC has no such pragma, and is told which macros the command line gives. */
static void macros_restore(struct text *out, const char *const *macros, unsigned macro_count)
{
	text_puts(out, "#ifdef __CUDACC_RTC__\n");
	for (unsigned m = 0; m < macro_count; m++)
		text_printf(out, "#ifndef " LAYOUT_GIVEN_MACRO "%s\n#undef %s\n#endif\n", macros[m], macros[m]);
	text_puts(out, "#else\n");
	for (unsigned m = 0; m < macro_count; m++)
		text_printf(out, "#pragma pop_macro(\"%s\")\n", macros[m]);
	text_puts(out, "#endif\n");
}

/* Writes a variant as it stands in its namespace: its includes are before all variants, and no name is C's. */
static void variant_write(struct text *out, struct arena *arena, const char *text)
{
	const struct edit_source *source = edit_source_read(arena, text, strlen(text));
	struct edits edits = {.arena = arena, .source = source, .keep_lines = true};

	for (unsigned i = 0; i < source->token_count; i++) {
		struct range range = {source->tokens[i].begin, source->tokens[i].end};

		if (edit_is_outer_include(source, i))
			edit_add(&edits, range, "");
		if (i > 0 && edit_is(source, i, "\"C\"") && edit_is(source, i - 1, "extern"))
			edit_add(&edits, range, "\"C++\"");
	}
	edit_sort(&edits);
	edit_render(out, &edits, (struct range){edit_mark_length(text, strlen(text)), source->length}, NULL);
}

/* Collects the namespaces that the file opens, each once: "a::b". */
static const char **namespaces_collect(struct arena *arena, const struct edit_source *source, unsigned *count)
{
	const char **names = NULL;

	for (unsigned i = 0; i < source->token_count; i++) {
		const char *name = edit_is(source, i, "{") ? edit_namespace_name(arena, source, i) : NULL;
		bool known = false;

		if (!name)
			continue;
		name = arena_printf(arena, "%s%s", edit_namespaces(arena, source, i), name);
		for (unsigned n = 0; n < *count; n++)
			known |= strcmp(names[n], name) == 0;
		if (!known)
			ARENA_PUSH(arena, names, *count, name);
	}
	return names;
}

/*
 * A namespace that the file opens may be one of its headers' too, where it lies outside of the variants. So there is
 * such a namespace in any case, and inside a variant its like has all that it has. Writes one or the other, on one
 * line.
 */
static void namespaces_write(struct text *out, const char *const *names, unsigned count, bool inside)
{
	for (unsigned n = 0; n < count; n++) {
		unsigned depth = 0;

		for (const char *p = names[n]; *p; depth++) {
			size_t length = strcspn(p, ":");

			text_printf(out, "namespace %.*s { ", (int)length, p);
			p += length + strspn(p + length, ":");
		}
		if (inside)
			text_printf(out, "using namespace ::%s; ", names[n]);
		while (depth-- > 0)
			text_puts(out, "} ");
		text_puts(out, "\n");
	}
}

/* Defines, or undefines again, the macros of the kernels that are not wanted in a variant. */
static void unwanted_write(struct text *out, const struct analysis *analysis, const bool *wanted, const char *directive)
{
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		if (!wanted[k])
			text_printf(out, "#%s " LAYOUT_WITHOUT_MACRO "%u\n", directive, k);
}

char *layout_variants(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants,
                      unsigned count)
{
	return layout_variants_part(arena, analysis, variants, 0, count, NULL);
}

char *layout_variants_part(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants,
                           unsigned first, unsigned count, const bool *wanted)
{
	const struct edit_source *source = edit_source_read(arena, analysis->text, analysis->text_length);
	unsigned macro_count = 0, namespace_count = 0;
	const char **macros = macros_collect(arena, source, &macro_count), **namespaces;
	struct text out = {0};
	char *copy;

	namespaces = namespaces_collect(arena, source, &namespace_count);
	prefix_write(&out, arena, source, macros, macro_count);
	namespaces_write(&out, namespaces, namespace_count, false);
	for (unsigned v = first; v < first + count; v++) {
		const bool *kernels = wanted ? &wanted[(size_t)v * analysis->kernel_count] : NULL;

		macros_keep(&out, macros, macro_count);
		if (kernels)
			unwanted_write(&out, analysis, kernels, "define");
		text_printf(&out, "namespace coalesce_%u {\n", v);
		namespaces_write(&out, namespaces, namespace_count, true);
		text_puts(&out, rewriter_line_marker(arena, analysis, 0));
		variant_write(&out, arena, variants[v]->text);
		text_puts(&out, "}\n");
		if (kernels)
			unwanted_write(&out, analysis, kernels, "undef");
		macros_restore(&out, macros, macro_count);
	}
	copy = arena_strdup(arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

/* Whether the analysed text has rows of records as one array, where the user's does not. */
static bool has_flattened_rows(const struct source_text *source)
{
	for (unsigned p = 0; source && p < source->piece_count; p++)
		if (source->pieces[p].is_flattened)
			return true;
	return false;
}

const char *layout_variant_unit(struct arena *arena, const struct analysis *analysis, const struct rewritten *variant)
{
	static const char mark[] = "\xEF\xBB\xBF";
	const char *text =
		variant->as_written && !has_flattened_rows(analysis->source) ? analysis->text : variant->text;

	text += strncmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
	return arena_printf(arena, "%s%s", rewriter_line_marker(arena, analysis, 0), text);
}

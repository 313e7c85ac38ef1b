/*
 * Compiling all rewritten files at once: the translation unit around them. device/compile.c has what is done to each.
 *
 * A file in a namespace may not include system headers, may not define the same extern "C" function as its siblings,
 * and has to find the macros as they were at its start. So the file's includes stand before all variants, at file
 * scope, under the macros that the file defines for them; what the file itself defined is undone after them and again
 * after each variant. Host functions lose their bodies: they would need the rewritten host side, and only kernels are
 * wanted. Template kernels are instantiated by taking their addresses.
 */
#include <ctype.h>
#include <stdlib.h>

#include "layouts/rewriter.h"

/* ---- names of kernels --------------------------------------------------------------------- */

/* The namespaces around a kernel, from its mangled name: "a::b::", without unnamed ones. */
static const char *kernel_scope(struct arena *arena, const struct kernel *kernel)
{
	const char *name = rewriter_kernel_name(arena, kernel), *scope = "", *p = kernel->mangled;

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

/* Whether another definition has the same name, so that its address alone would be ambiguous. */
static bool kernel_is_overloaded(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel)
{
	for (unsigned k = 0; k < analysis->kernel_count; k++) {
		const struct kernel *other = analysis->kernels[k];

		if (!rewriter_kernels_share_text(kernel, other) &&
		    strcmp(rewriter_kernel_name(arena, kernel), rewriter_kernel_name(arena, other)) == 0)
			return true;
	}
	return false;
}

bool layout_kernel_is_unnamed(const struct kernel *kernel)
{
	return strstr(kernel->name, "(lambda") || strstr(kernel->name, "(unnamed") || strstr(kernel->name, "(anonymous");
}

const char *layout_variant_kernel(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel)
{
	if (kernel->is_template_pattern || layout_kernel_is_unnamed(kernel) || kernel_is_overloaded(arena, analysis, kernel))
		return NULL;
	return arena_printf(arena, "%s%s", kernel_scope(arena, kernel), kernel->name);
}

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
static void prefix_write(struct text *out, struct arena *arena, const struct edit_source *source, const char *const *macros,
                         unsigned macro_count)
{
	for (unsigned i = 0; i < source->token_count; i++)
		prefix_directive(out, arena, source, i);
	for (unsigned m = 0; m < macro_count; m++)
		text_printf(out, "#ifdef coalesce_defined_%s\n#undef %s\n#undef coalesce_defined_%s\n#endif\n", macros[m],
		            macros[m], macros[m]);
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

char *layout_variants(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants, unsigned count)
{
	const struct edit_source *source = edit_source_read(arena, analysis->text, analysis->text_length);
	unsigned macro_count = 0;
	const char **macros = macros_collect(arena, source, &macro_count);
	struct text out = {0};
	char *copy;

	prefix_write(&out, arena, source, macros, macro_count);
	for (unsigned v = 0; v < count; v++) {
		macros_keep(&out, macros, macro_count);
		text_printf(&out, "namespace coalesce_%u {\n%s", v, rewriter_line_marker(arena, source, analysis->path, 0));
		text_puts(&out, variants[v]->text);
		text_puts(&out, "}\n");
		macros_restore(&out, macros, macro_count);
	}
	copy = arena_strdup(arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

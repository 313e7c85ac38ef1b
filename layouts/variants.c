/*
 * Compiling all rewritten files at once: what is done to each so that it can stand in a namespace of its own, and the
 * translation unit around them.
 *
 * A file in a namespace may not include system headers, may not define the same extern "C" function as its siblings,
 * and has to find the macros as they were at its start. So the file's includes stand before all variants, at file
 * scope, under the macros that the file defines for them; what the file itself defined is undone after them and again
 * after each variant. Host functions lose their bodies: they would need the rewritten host side, and only kernels are
 * wanted. Template kernels are instantiated by taking their addresses.
 */
#include <ctype.h>
#include <stdlib.h>

#include "layouts/internal.h"

/* ---- one variant --------------------------------------------------------------------------- */

/* Whether a directive is of that kind: `#include` with any space around. */
static bool is_directive(const struct source *source, unsigned i, const char *kind)
{
	const char *p = source->text + source->tokens[i].begin + 1;
	size_t length = strlen(kind);

	if (source->tokens[i].kind != TOKEN_DIRECTIVE)
		return false;
	while (*p == ' ' || *p == '\t')
		p++;
	return strncmp(p, kind, length) == 0 && !isalnum((unsigned char)p[length]) && p[length] != '_';
}

/* Whether token i stands at file scope or only inside extern "C" blocks. */
static bool is_at_file_scope(const struct source *source, unsigned i)
{
	unsigned brace = source->tokens[i].brace;

	while (brace != NO_TOKEN && brace >= 2 && source_is(source, brace - 2, "extern"))
		brace = source->tokens[brace].brace;
	return brace == NO_TOKEN;
}

/* Whether the directive is left to the text before all variants. */
static bool is_hoisted_include(const struct source *source, unsigned i)
{
	return is_directive(source, i, "include") && is_at_file_scope(source, i);
}

/* The namespaces around a kernel, from its mangled name: "a::b::", without unnamed ones. */
static const char *kernel_scope(struct arena *arena, const struct kernel *kernel)
{
	const char *name = kernel_source_name(arena, kernel), *scope = "", *p = kernel->mangled;

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

		if (!kernels_share_text(kernel, other) &&
		    strcmp(kernel_source_name(arena, kernel), kernel_source_name(arena, other)) == 0)
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

/* Adds an array of the kernels' addresses at the end: instantiates templates, and keeps static kernels. */
static void instances_edit(struct rewriter *rewriter)
{
	struct range end = {rewriter->source->length, rewriter->source->length};
	struct text out = {0};

	text_puts(&out, "\nvoid *const coalesce_kernels[] = {(void *)0");
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct analysis *analysis = rewriter->analysis;
		const char *name = layout_variant_kernel(rewriter->arena, analysis, analysis->kernels[k]);

		if (name)
			text_printf(&out, ", (void *)%s", name);
	}
	text_puts(&out, "};\n");
	edits_add(&rewriter->edits, end, arena_strdup(rewriter->arena, out.data));
	text_release(&out);
}

void compile_edit(struct rewriter *rewriter)
{
	const struct source *source = rewriter->source;

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];

		struct range body = function_braces(source, function);

		if (function->is_host && !function->is_device && !range_is_empty(body) && source->text[body.begin] == '{')
			edits_add(&rewriter->edits, body, "{}");
	}
	for (unsigned i = 0; i < source->token_count; i++) {
		struct range range = {source->tokens[i].begin, source->tokens[i].end};

		if (is_hoisted_include(source, i))
			edits_add(&rewriter->edits, range, "");
		if (i > 0 && source_is(source, i, "\"C\"") && source_is(source, i - 1, "extern"))
			edits_add(&rewriter->edits, range, "\"C++\"");
	}
	instances_edit(rewriter);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* The name that a #define or #undef is about. */
static const char *directive_macro(struct arena *arena, const struct source *source, unsigned i)
{
	const struct source *words =
		source_read(arena, source->text + source->tokens[i].begin + 1, source->tokens[i].end - source->tokens[i].begin - 1);

	if (words->token_count < 2 || words->tokens[1].kind != TOKEN_IDENTIFIER)
		return NULL;
	return source_copy(arena, words, (struct range){words->tokens[1].begin, words->tokens[1].end});
}

/* Collects the names of all macros that the file defines, each once. */
static const char **macros_collect(struct arena *arena, const struct source *source, unsigned *count)
{
	const char **names = NULL;

	for (unsigned i = 0; i < source->token_count; i++) {
		const char *name = is_directive(source, i, "define") || is_directive(source, i, "undef")
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
static void prefix_directive(struct text *out, struct arena *arena, const struct source *source, unsigned i)
{
	static const char *const conditionals[] = {"if", "ifdef", "ifndef", "elif", "else", "endif"};
	bool define = is_directive(source, i, "define"), undef = is_directive(source, i, "undef");
	bool wanted = define || undef || is_hoisted_include(source, i);

	for (unsigned c = 0; c < ARRAY_COUNT(conditionals); c++)
		wanted |= is_directive(source, i, conditionals[c]);
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
static void prefix_write(struct text *out, struct arena *arena, const struct source *source, const char *const *macros,
                         unsigned macro_count)
{
	for (unsigned i = 0; i < source->token_count; i++)
		prefix_directive(out, arena, source, i);
	for (unsigned m = 0; m < macro_count; m++)
		text_printf(out, "#ifdef coalesce_defined_%s\n#undef %s\n#undef coalesce_defined_%s\n#endif\n", macros[m],
		            macros[m], macros[m]);
}

static void pragmas_write(struct text *out, const char *verb, const char *const *macros, unsigned macro_count)
{
	for (unsigned m = 0; m < macro_count; m++)
		text_printf(out, "#pragma %s_macro(\"%s\")\n", verb, macros[m]);
}

char *layout_variants(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants, unsigned count)
{
	const struct source *source = source_read(arena, analysis->text, analysis->text_length);
	unsigned macro_count = 0;
	const char **macros = macros_collect(arena, source, &macro_count);
	struct text out = {0};
	char *copy;

	prefix_write(&out, arena, source, macros, macro_count);
	for (unsigned v = 0; v < count; v++) {
		pragmas_write(&out, "push", macros, macro_count);
		text_printf(&out, "namespace coalesce_%u {\n%s", v, line_marker(arena, source, analysis->path, 0));
		text_puts(&out, variants[v]->text);
		text_puts(&out, "}\n");
		pragmas_write(&out, "pop", macros, macro_count);
	}
	copy = arena_strdup(arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

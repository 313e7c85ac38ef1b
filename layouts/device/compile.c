/*
 * What is done to a rewritten file so that its kernels can be compiled alone.
 *
 * Host code would need the rewritten host side, and only kernels are wanted. So host functions go: the whole definition
 * where nothing else at file scope names them, and always that of a method outside of its class, which may be declared
 * in a header; else the body. Template kernels are instantiated, and static ones kept, by taking their addresses. A
 * kernel whose code is not wanted in a layout can be left out there by a macro (LAYOUT_WITHOUT_MACRO), so that each
 * different kernel is compiled once.
 */
#include "analyzer/source/source.h"
#include "layouts/device/internal.h"

/* Whether the braces that open at token i are those of a class. */
static bool braces_are_class(const struct edit_source *source, unsigned i)
{
	while (i > 0 && !edit_is(source, i - 1, ";") && !edit_is(source, i - 1, "}") && !edit_is(source, i - 1, "{") &&
	       !edit_is(source, i - 1, ")") && source->tokens[i - 1].kind != TOKEN_DIRECTIVE) {
		i--;
		if (edit_is(source, i, "class") || edit_is(source, i, "struct") || edit_is(source, i, "union"))
			return true;
	}
	return false;
}

/* Whether token i stands in the braces of a class. */
static bool is_in_class(const struct edit_source *source, unsigned i)
{
	for (unsigned brace = source->tokens[i].brace; brace != EDIT_NO_TOKEN; brace = source->tokens[brace].brace)
		if (braces_are_class(source, brace))
			return true;
	return false;
}

static bool is_host_only(const struct function *function)
{
	return function->is_host && !function->is_device;
}

/* Whether an offset lies in the definition of a host function. */
static bool is_in_host_function(const struct rewriter *rewriter, unsigned offset)
{
	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];

		if (is_host_only(function) && function->definition.begin <= offset && offset < function->definition.end)
			return true;
	}
	return false;
}

/*
 * Whether code that stays names the function: a variable's initialiser, a declaration of a friend. A kernel of that
 * name does not count: its address would be ambiguous if the function stayed.
 */
static bool is_named_elsewhere(const struct rewriter *rewriter, const struct function *function)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++)
		if (strcmp(layout_kernel_name(rewriter->arena, rewriter->analysis->kernels[k]), function->name) == 0)
			return false;
	for (unsigned i = 0; i < rewriter->source->token_count; i++)
		if (edit_is(rewriter->source, i, function->name) &&
		    !is_in_host_function(rewriter, rewriter->source->tokens[i].begin))
			return true;
	return false;
}

/* Takes away what C files have: nothing of it is for the device, and not all of it is C++. */
static void c_files_edit(struct rewriter *rewriter)
{
	const struct source_text *source = rewriter->analysis->source;

	for (unsigned p = 0; source && p < source->piece_count; p++) {
		const struct source_piece *piece = &source->pieces[p];

		if (!piece->original && piece->begin < piece->end && source_is_c(source, piece->path))
			edit_add(&rewriter->edits, (struct range){piece->begin, piece->end}, "");
	}
}

/* Whether a function stands in a file that is taken away. */
static bool is_in_c(const struct rewriter *rewriter, const struct function *function)
{
	return rewriter->analysis->source && source_is_c(rewriter->analysis->source, function->place.file);
}

/* Takes a host function away, or its body, which may begin with `try`. */
static void host_function_edit(struct rewriter *rewriter, const struct function *function)
{
	const struct edit_source *source = rewriter->source;
	struct range body = edit_function_braces(source, function);
	unsigned first = edit_token_at(source, function->definition.begin);

	if (range_is_empty(body) ||
	    (source->text[body.begin] != '{' && !edit_is(source, edit_token_at(source, body.begin), "try")))
		return;
	if (!is_in_class(source, first) && edit_declaration_first(source, first) == first &&
	    (function->is_member || !is_named_elsewhere(rewriter, function)))
		edit_add(&rewriter->edits, (struct range){function->definition.begin, body.end}, "");
	else
		edit_add(&rewriter->edits, body, "{}");
}

/* Adds an array of the kernels' addresses at the end. NVRTC is told their names instead. */
static void instances_edit(struct rewriter *rewriter)
{
	struct range end = {rewriter->source->length, rewriter->source->length};
	struct text out = {0};

	text_puts(&out, "\n#ifndef __CUDACC_RTC__\nvoid *const coalesce_kernels[] = {(void *)0");
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct analysis *analysis = rewriter->analysis;
		const char *name = layout_variant_kernel(rewriter->arena, analysis, analysis->kernels[k]);

		if (name && !rewriter->kernel_plans[k].is_apart)
			text_printf(&out, "\n#ifndef " LAYOUT_WITHOUT_MACRO "%u\n, (void *)%s\n#endif", k, name);
	}
	text_puts(&out, "\n};\n#endif\n");
	edit_add(&rewriter->edits, end, arena_strdup(rewriter->arena, out.data));
	text_release(&out);
}

/* The first kernel with the text of kernel k: another one is an instance of the same template. */
static unsigned kernel_first(const struct analysis *analysis, unsigned k)
{
	unsigned first = 0;

	while (!layout_kernels_share_text(analysis->kernels[first], analysis->kernels[k]))
		first++;
	return first;
}

/* Adds directives around a kernel's definition. Templates stay: they have no code but in their instances. */
static void kernel_hide_edit(struct rewriter *rewriter, unsigned k)
{
	const struct range range = rewriter->analysis->kernels[k]->definition;
	unsigned first = edit_token_at(rewriter->source, range.begin);

	if (range_is_empty(range) || kernel_first(rewriter->analysis, k) != k ||
	    edit_is(rewriter->source, first, "template") || edit_declaration_first(rewriter->source, first) != first ||
	    is_in_class(rewriter->source, first))
		return;
	edit_add(&rewriter->edits, (struct range){range.begin, range.begin},
	         arena_printf(rewriter->arena, "\n#ifndef " LAYOUT_WITHOUT_MACRO "%u\n%s", k,
	                      rewriter_line_marker(rewriter->arena, rewriter->analysis, range.begin)));
	edit_add(&rewriter->edits, (struct range){range.end, range.end},
	         arena_printf(rewriter->arena, "\n#endif\n%s",
	                      rewriter_line_marker(rewriter->arena, rewriter->analysis, range.end)));
}

void device_compile_edit(struct rewriter *rewriter)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++)
		kernel_hide_edit(rewriter, k);
	for (unsigned f = 0; f < rewriter->analysis->function_count; f++)
		if (is_host_only(&rewriter->analysis->functions[f]) &&
		    !is_in_c(rewriter, &rewriter->analysis->functions[f]))
			host_function_edit(rewriter, &rewriter->analysis->functions[f]);
	c_files_edit(rewriter);
	instances_edit(rewriter);
}

/*
 * What is done to a rewritten file so that it can be compiled inside a namespace, beside its siblings.
 */
#include "layouts/device/internal.h"

/* Adds an array of the kernels' addresses at the end: instantiates templates, and keeps static kernels. */
static void instances_edit(struct rewriter *rewriter)
{
	struct range end = {rewriter->source->length, rewriter->source->length};
	struct text out = {0};

	text_puts(&out, "\n#ifndef __CUDACC_RTC__\nvoid *const coalesce_kernels[] = {(void *)0");
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct analysis *analysis = rewriter->analysis;
		const char *name = layout_variant_kernel(rewriter->arena, analysis, analysis->kernels[k]);

		if (name)
			text_printf(&out, ", (void *)%s", name);
	}
	text_puts(&out, "};\n#endif\n");
	edit_add(&rewriter->edits, end, arena_strdup(rewriter->arena, out.data));
	text_release(&out);
}

/* Hides a host function from NVRTC, which takes code for the device alone and need not know the types in its head. */
static void host_function_hide(struct rewriter *rewriter, const struct function *function)
{
	const struct range range = function->definition;
	const char *path = rewriter->analysis->path;

	if (range_is_empty(range) || function->is_member)
		return;
	edit_add(&rewriter->edits, (struct range){range.begin, range.begin},
	         arena_printf(rewriter->arena, "\n#ifndef __CUDACC_RTC__\n%s",
	                      rewriter_line_marker(rewriter->arena, rewriter->source, path, range.begin)));
	edit_add(&rewriter->edits, (struct range){range.end, range.end},
	         arena_printf(rewriter->arena, "\n#endif\n%s",
	                      rewriter_line_marker(rewriter->arena, rewriter->source, path, range.end)));
}

void device_compile_edit(struct rewriter *rewriter)
{
	const struct edit_source *source = rewriter->source;

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];

		struct range body = edit_function_braces(source, function);

		if (function->is_host && !function->is_device && !range_is_empty(body) && source->text[body.begin] == '{') {
			edit_add(&rewriter->edits, body, "{}");
			host_function_hide(rewriter, function);
		}
	}
	for (unsigned i = 0; i < source->token_count; i++) {
		struct range range = {source->tokens[i].begin, source->tokens[i].end};

		if (edit_is_outer_include(source, i))
			edit_add(&rewriter->edits, range, "");
		if (i > 0 && edit_is(source, i, "\"C\"") && edit_is(source, i - 1, "extern"))
			edit_add(&rewriter->edits, range, "\"C++\"");
	}
	instances_edit(rewriter);
}

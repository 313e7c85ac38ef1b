/*
 * From a cubin to a module: kernels with parameters and variables, translated and analysed.
 */
#include "ptxparse/sass/translate/translate.h"
#include "ptxparse/sass/decode/decode.h"
#include "ptxparse/sass/listing/listing.h"
#include "ptxparse/graph/graph.h"

#include <string.h>

#define SYMBOL_OBJECT 1

static struct ptx_module *fail(struct diagnostics *diagnostics, const char *path, const char *reason)
{
	struct place place = {path, 0, 0};

	diagnostics_report(diagnostics, SEVERITY_ERROR, place, "cannot read machine code: %s", reason);
	return NULL;
}

/* Variables in global and constant memory. */
static void variables_read(struct ptx_module *module, const struct cubin *cubin)
{
	for (size_t i = 0; i < cubin->symbol_count; i++) {
		const struct cubin_symbol *symbol = &cubin->symbols[i];
		const char *section =
			symbol->section < cubin->section_count ? cubin->sections[symbol->section].name : "";
		bool global = strncmp(section, ".nv.global", 10) == 0, constant = strcmp(section, ".nv.constant3") == 0;
		struct ptx_variable variable = {.name = symbol->name,
		                                .type = PTX_b8,
		                                .align_bytes = 1,
		                                .count = symbol->size,
		                                .offset = symbol->value,
		                                .space = global ? SPACE_GLOBAL : SPACE_CONST};

		if (constant)
			cubin_variable_fill(module->arena, cubin, symbol, &variable);
		if (symbol->type == SYMBOL_OBJECT && (global || constant))
			ARENA_PUSH(module->arena, module->variables, module->variable_count, variable);
	}
}

/* Where diverged lanes meet, as the code says. */
static void meeting_set(struct ptx_function *function, const struct sass_flow *flow)
{
	struct arena *scratch = arena_create();
	uint32_t *block_at = arena_array(scratch, function->insn_count + 1, sizeof(*block_at)), at = 0;

	for (size_t i = 0; i <= function->insn_count; i++)
		block_at[i] = PTX_NO_BASIC_BLOCK;
	for (uint32_t b = 0; b < function->cfg->block_count; b++)
		block_at[function->cfg->blocks[b].first] = b;
	for (uint32_t b = 0; b < function->cfg->block_count; b++) {
		struct ptx_basic_block *block = &function->cfg->blocks[b];
		uint32_t meet;

		while (at + 1 < flow->block_count && flow->blocks[at + 1].emitted <= block->first)
			at++;
		meet = flow->blocks[at].meet;
		block->post_dominator =
			meet == SASS_NO_BLOCK ? PTX_NO_BASIC_BLOCK : block_at[flow->blocks[meet].emitted];
	}
	arena_release(scratch);
}

/* What the machine instruction of that number became; UINT32_MAX where it is none of the kernel's. */
static uint32_t insn_at(const struct sass_translation *t, uint32_t number)
{
	for (size_t i = 0; i < t->insn_count; i++)
		if (!t->insns[i].synthetic && t->insns[i].line == number + 1 &&
		    t->controls[i].address == number * SASS_INSN_BYTES)
			return (uint32_t)i;
	return UINT32_MAX;
}

static void function_fill(struct sass_translation *t, struct ptx_function *function, const struct sass_listing *listing)
{
	const struct cubin_kernel *info = t->info;

	function->name = listing->name;
	function->is_kernel = function->has_body = true;
	function->parameters = info->parameters;
	function->parameter_count = info->parameter_count;
	function->registers = t->registers;
	function->register_count = t->register_count;
	function->insns = t->insns;
	function->insn_count = t->insn_count;
	function->line = 1;
	memcpy(function->required_threads, info->required_threads, sizeof(function->required_threads));
	memcpy(function->maximum_threads, info->maximum_threads, sizeof(function->maximum_threads));
	function->shared_bytes = info->shared_bytes;
	function->local_bytes = info->stack_bytes;
	t->code->control = t->controls;
	t->code->register_count = info->register_count;
	t->code->stack_bytes = info->stack_bytes;
	t->code->code_bytes = listing->insn_count * SASS_INSN_BYTES;
	t->code->cold_calls = t->flow->cold_calls;
	t->code->cold_insn = insn_at(t, t->flow->cold_first);
	t->code->calls = t->calls;
	t->code->call_count = t->call_count;
	function->sass = t->code;
}

/* Returns why it cannot be translated, or NULL. */
static const char *kernel_translate(struct ptx_module *module, const struct cubin *cubin,
                                    const struct sass_listings *listings, const struct sass_listing *listing,
                                    struct diagnostics *diagnostics)
{
	struct arena *scratch = arena_create();
	struct sass_translation *t = arena_alloc(scratch, sizeof(*t));
	struct sass_flow flow = {.arena = scratch, .listings = listings, .cubin = cubin, .kernel = listing};
	struct cubin_kernel info;
	struct ptx_function function = {0};

	cubin_kernel_read(module->arena, cubin, listing->name, listings->architecture, &info);
	sass_flow_build(&flow);
	if (flow.too_large || listing->insn_count == 0) {
		arena_release(scratch);
		return flow.too_large ? "a kernel with the functions it calls is too large" : "a kernel is empty";
	}
	t->arena = module->arena;
	t->scratch = scratch;
	t->module = module;
	t->flow = &flow;
	t->info = &info;
	t->cubin = cubin;
	t->diagnostics = diagnostics;
	t->code = arena_alloc(module->arena, sizeof(*t->code));
	sass_blocks_translate(t, &flow);
	function_fill(t, &function, listing);
	ptx_function_analyse(module->arena, &function);
	meeting_set(&function, &flow);
	ARENA_PUSH(module->arena, module->functions, module->function_count, function);
	arena_release(scratch);
	return NULL;
}

static struct ptx_module *module_create(struct arena *arena, const char *path)
{
	struct ptx_module *module = arena_alloc(arena, sizeof(*module));

	module->arena = arena;
	module->path = arena_strdup(arena, path ? path : "<cubin>");
	module->address_bits = 64;
	return module;
}

static struct ptx_module *kernels_translate(struct ptx_module *module, const struct cubin *cubin,
                                            const struct sass_listings *listings, struct diagnostics *diagnostics)
{
	module->target = arena_printf(module->arena, "sm_%u", listings->architecture);
	variables_read(module, cubin);
	for (size_t i = 0; i < listings->count; i++) {
		const struct sass_listing *listing = &listings->list[i];
		const char *reason = NULL;

		if (listing->symbol && listing->symbol->is_entry)
			reason = kernel_translate(module, cubin, listings, listing, diagnostics);
		if (reason)
			return fail(diagnostics, module->path, reason);
	}
	return module;
}

struct ptx_module *sass_parse(struct arena *arena, const char *path, const void *cubin_bytes, size_t cubin_length,
                              struct diagnostics *diagnostics)
{
	return sass_parse_filled(arena, path, cubin_bytes, cubin_length, NULL, 0, diagnostics);
}

struct ptx_module *sass_parse_filled(struct arena *arena, const char *path, const void *cubin_bytes,
                                     size_t cubin_length, const struct ptx_content *contents, size_t content_count,
                                     struct diagnostics *diagnostics)
{
	struct ptx_module *module = module_create(arena, path);
	struct cubin cubin = {.contents = contents, .content_count = content_count};
	struct sass_listings listings = {0};
	const char *reason = cubin_open(arena, cubin_bytes, cubin_length, &cubin);

	if (!reason)
		reason = decode_cubin(module, &cubin, &listings);
	return reason ? fail(diagnostics, module->path, reason)
	              : kernels_translate(module, &cubin, &listings, diagnostics);
}

struct ptx_module *sass_parse_listing(struct arena *arena, const char *path, const void *cubin_bytes,
                                      size_t cubin_length, const char *json, size_t json_length,
                                      struct diagnostics *diagnostics)
{
	struct ptx_module *module = module_create(arena, path);
	struct cubin cubin = {0};
	struct sass_listings listings = {0};
	const char *reason = cubin_open(arena, cubin_bytes, cubin_length, &cubin);

	if (!reason)
		reason = listing_read_all(module, &cubin, json, json_length, &listings);
	return reason ? fail(diagnostics, module->path, reason)
	              : kernels_translate(module, &cubin, &listings, diagnostics);
}

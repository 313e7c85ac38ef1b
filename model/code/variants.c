/*
 * Variants: the assignments of layouts to groups that have to be compared, one rewritten source each, and the compiled
 * function of each kernel in each of them. Variant 0 is the file as written; then, for each group, each layout that is
 * ranked, the other groups as written. Equal assignments are one variant. Instances of one class template that a kernel
 * template takes in one text change together.
 */
#include "model/code/code.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct placement **placements_written(struct arena *arena, const struct layout_groups *groups)
{
	struct placement **placements = arena_array(arena, groups->count + 1, sizeof *placements);
	for (unsigned g = 0; g < groups->count; g++)
		placements[g] = layout_place(arena, groups->list[g]->written, groups->list[g], LAYOUT_TILE_DEFAULT);
	return placements;
}

static bool placement_is_written(const struct placement *placement)
{
	return placement->layout == placement->group->written;
}

/* An assignment before this one that gives the same: that of another instance of the group's template in the same text.
 */
static const struct variant *variant_same(const struct variants *variants, const struct layout_groups *groups,
                                          const struct variant *variant)
{
	const struct layout_family *family = groups->list[variant->group]->family;
	for (unsigned v = 1; family && family->is_shared && v < variants->count; v++) {
		const struct variant *other = &variants->list[v];
		if (groups->list[other->group]->family == family && other->layout == variant->layout &&
		    other->tile == variant->tile)
			return other;
	}
	return NULL;
}

static void variant_add(struct arena *arena, struct variants *variants, unsigned group, const struct layout *layout,
                        unsigned tile, const struct variant_request *request)
{
	struct variant variant = {.group = group, .layout = layout, .tile = layout->tiled ? tile : 0};
	struct placement **placements = placements_written(arena, request->groups);
	const struct layout_family *family = request->groups->list[group]->family;
	for (unsigned g = 0; g < request->groups->count; g++)
		if (g == group || (family && family->is_shared && request->groups->list[g]->family == family))
			placements[g] = layout_place(arena, layout, request->groups->list[g],
			                             layout->tiled ? tile : LAYOUT_TILE_DEFAULT);
	const struct variant *same = variant_same(variants, request->groups, &variant);
	if (same)
		variant.rewritten = same->rewritten;
	else if (placement_is_written(placements[group]))
		variant.rewritten = variants->list[0].rewritten;
	else
		variant.rewritten = layout_rewrite(arena, request->analysis, request->groups, placements,
		                                   REWRITE_COMPILE, request->diagnostics);
	if (variant.rewritten)
		ARENA_PUSH(arena, variants->list, variants->count, variant);
}

void code_variants(struct arena *arena, const struct variant_request *request, struct variants *variants)
{
	struct placement **written = placements_written(arena, request->groups);
	struct variant first = {.group = UINT_MAX};
	first.rewritten = layout_rewrite(arena, request->analysis, request->groups, written, REWRITE_COMPILE,
	                                 request->diagnostics);
	if (!first.rewritten)
		bug("the file as written was refused by the rewriter");
	ARENA_PUSH(arena, variants->list, variants->count, first);
	for (unsigned g = 0; g < request->groups->count; g++)
		for (unsigned l = 0; l < request->rank_count; l++)
			for (unsigned t = 0; t < (request->rank[l]->tiled ? request->tile_count : 1); t++)
				variant_add(arena, variants, g, request->rank[l], request->tiles[t], request);
}

struct rewritten **code_variants_distinct(struct arena *arena, struct variants *variants, unsigned *count)
{
	struct rewritten **distinct = NULL;
	*count = 0;
	for (unsigned v = 0; v < variants->count; v++) {
		unsigned i = 0;
		while (i < *count && distinct[i] != variants->list[v].rewritten)
			i++;
		if (i == *count)
			ARENA_PUSH(arena, distinct, *count, variants->list[v].rewritten);
		variants->list[v].unit = i;
	}
	return distinct;
}

const struct placement *code_placement_of(const struct layout_groups *groups, struct placement *const *placements,
                                          const struct layout_group *group)
{
	for (unsigned g = 0; g < groups->count; g++)
		if (groups->list[g] == group)
			return placements[g];
	return NULL;
}

const struct variant_kernel *code_kernel_in(const struct rewritten *rewritten, const struct kernel *kernel)
{
	for (unsigned k = 0; k < rewritten->kernel_count; k++)
		if (rewritten->kernels[k].kernel == kernel)
			return &rewritten->kernels[k];
	bug("a rewritten file lacks a kernel");
}

static bool kernel_uses(const struct layout_groups *groups, const struct kernel *kernel,
                        const struct layout_group *group)
{
	for (unsigned b = 0; b < groups->binding_count; b++)
		if (groups->bindings[b].kernel == kernel && groups->bindings[b].group == group)
			return true;
	return false;
}

/* Whether a variant rewrites the kernel. */
static bool kernel_changes(const struct layout_groups *groups, const struct kernel *kernel,
                           const struct variant *variant)
{
	return variant->group != UINT_MAX && kernel_uses(groups, kernel, groups->list[variant->group]) &&
	       code_kernel_in(variant->rewritten, kernel)->changed;
}

bool code_variant_wanted(const struct layout_groups *groups, const struct variants *variants,
                         const struct kernel *kernel, const struct variant *variant)
{
	if (variant->group != UINT_MAX)
		return kernel_changes(groups, kernel, variant);
	for (unsigned v = 0; v < variants->count; v++)
		if (kernel_changes(groups, kernel, &variants->list[v]))
			return false;
	return true;
}

/* ---- finding a variant's function in the PTX ---------------------------------------- */

#define SHARED_NAME 4096 /* a type's name counts for more than any number of equal characters */

/* The last component of a kernel's source name without template arguments: "scale" of "ns::scale<float>". */
static const char *base_name(struct arena *arena, const char *name)
{
	size_t length = strcspn(name, "<");
	const char *begin = name;
	for (size_t i = 0; i + 1 < length; i++)
		if (name[i] == ':' && name[i + 1] == ':')
			begin = name + i + 2;
	return arena_strndup(arena, begin, length - (size_t)(begin - name));
}

/* What follows a component of a mangled name; NULL where it has none such. */
static const char *after_component(const char *mangled, const char *component)
{
	const char *found = strstr(mangled, component);
	return found ? found + strlen(component) : NULL;
}

/* How much of a mangled name one part of it takes, and how much of that counts where names of one unit are held against
 * those of another. */
struct name_part {
	size_t length, counts;
};

static struct name_part name_part_at(const char *at)
{
	char *name;
	size_t digits, length;
	if (*at >= '1' && *at <= '9') {
		length = strtoul(at, &name, 10);
		digits = (size_t)(name - at);
		length = digits + strnlen(name, length);
		return (struct name_part){length, strncmp(name, "coalesce_", strlen("coalesce_")) == 0 ? 0 : length};
	}
	if (*at == 'L' && at[1] >= 'a' && at[1] <= 'z') {
		length = strcspn(at, "E");
		return (struct name_part){length, length};
	}
	if (*at == 'T' || (*at == 'S' && (at[1] < 'a' || at[1] > 'z'))) {
		length = strcspn(at, "_");
		return (struct name_part){length + (at[length] == '_'), *at == 'T' ? length : 0};
	}
	return (struct name_part){1, *at != 'N' && *at != 'E'};
}

/* The rest of a mangled name without what depends on the namespace that a variant's text stands in: that itself, what
 * nests names, and what refers back to them. */
static const char *plain_name(struct arena *arena, const char *rest)
{
	char *plain = arena_array(arena, strlen(rest) + 1, 1);
	size_t length = 0;
	while (*rest) {
		struct name_part part = name_part_at(rest);
		memcpy(plain + length, rest, part.counts);
		length += part.counts;
		rest += part.length;
	}
	return plain;
}

/* How many of the names in one stand in the other: types that template arguments name. */
static size_t names_shared(struct arena *arena, const char *own, const char *other)
{
	size_t shared = 0;
	while (*own) {
		struct name_part part = name_part_at(own);
		if (*own >= '1' && *own <= '9' && strstr(other, arena_strndup(arena, own, part.length)))
			shared++;
		own += part.length;
	}
	return shared;
}

static size_t common_prefix(const char *a, const char *b)
{
	size_t n = 0;
	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static bool holds_line_of(const struct ptx_module *module, const struct ptx_function *function,
                          const struct kernel *kernel, const struct analysis *analysis)
{
	unsigned first = analysis_place(analysis, kernel->definition.begin).line;
	unsigned last = analysis_place(analysis, kernel->definition.end).line;
	for (size_t i = 0; i < function->insn_count; i++) {
		const struct ptx_place *place = &module->places[function->insns[i].place];
		if (!place->inlined_at && place->place.line >= first && place->place.line <= last)
			return true;
	}
	return false;
}

/* How the mangled names of a variant's kernels begin. */
static const char *variant_prefix(struct arena *arena, const struct variant *variant)
{
	const char *space = arena_printf(arena, "coalesce_%u", variant->unit);
	return variant->alone ? "" : arena_printf(arena, "_ZN%zu%s", strlen(space), space);
}

const struct compilation *code_compilation(const struct variant *variant, const struct kernel *kernel,
                                           const struct analysis *analysis)
{
	for (unsigned k = 0; variant->compilations && k < analysis->kernel_count; k++)
		if (analysis->kernels[k] == kernel)
			return variant->compilations[k];
	return NULL;
}

struct ptx_function *code_function(struct arena *arena, const struct variant *variant, const struct ptx_module *module,
                                   const struct kernel *kernel, const struct analysis *analysis)
{
	bool elsewhere = kernel->definition.begin == kernel->definition.end;
	const char *prefix = elsewhere ? "" : variant_prefix(arena, variant);
	const char *base = base_name(arena, kernel->name), *name = arena_printf(arena, "%zu%s", strlen(base), base);
	const char *own_rest = after_component(kernel->mangled, name),
		   *own = own_rest ? plain_name(arena, own_rest) : "";
	struct ptx_function *best = NULL;
	size_t best_score = 0;
	for (size_t f = 0; f < module->function_count; f++) {
		struct ptx_function *function = &module->functions[f];
		bool here = function->is_kernel && function->has_body &&
		            strncmp(function->name, prefix, strlen(prefix)) == 0;
		const char *rest = here ? after_component(function->name, name) : NULL;
		if (!rest)
			continue;
		const char *plain = plain_name(arena, rest);
		size_t score = 1 + SHARED_NAME * names_shared(arena, own, plain) + 4 * common_prefix(plain, own) +
		               (holds_line_of(module, function, kernel, analysis) ? 2u : 0u);
		if (score > best_score) {
			best = function;
			best_score = score;
		}
	}
	return best;
}

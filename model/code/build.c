/*
 * Code for all variants: the user's own PTX where it was given, the rest compiled in one translation unit, which NVRTC
 * may get in parts, one for each idle core. Where that does not compile each variant is compiled by itself, so that one
 * bad layout costs only itself.
 */
#include "model/code/code.h"

#include <string.h>

/* Fewer kernels than this are not worth a program of their own. */
#define PROGRAM_KERNELS 2
/* More kernels than this are not compiled in one program: what NVRTC takes for one grows with the square of their
 * number. */
#define MOST_PART_KERNELS 150

/* ---- the user's own ---------------------------------------------------------------------- */

static const struct named_value *ptx_file_of(const struct code_build *build, const struct variant *variant)
{
	for (unsigned i = 0; i < build->ptx_file_count && variant->layout; i++)
		if (strcmp(build->ptx_files[i].name, variant->layout->name) == 0)
			return &build->ptx_files[i];
	return NULL;
}

/* Reads the user's own PTX for the layouts that have one. *missing: whether some row is left for the compiler. */
static bool own_code_read(struct arena *arena, struct code_build *build, bool *missing)
{
	*missing = build->ptx_file_count == 0 || build->variants->count == 1;
	for (unsigned v = 1; v < build->variants->count; v++) {
		struct variant *variant = &build->variants->list[v];
		const struct named_value *file = ptx_file_of(build, variant);
		if (!file) {
			*missing = true;
			continue;
		}
		variant->own = compile_read_ptx(arena, file->value, true, build->diagnostics);
		variant->has_code = variant->alone = true;
		if (!variant->own)
			return false;
	}
	return true;
}

/* ---- which kernels in which unit ----------------------------------------------------------- */

/* The distinct sources of all variants, and what of them is to be compiled. */
struct units {
	struct rewritten **list;
	unsigned count;
	bool *wanted;      /* for each unit and kernel */
	unsigned *kernels; /* wanted ones of each unit */
};

static struct units units_make(struct arena *arena, const struct code_build *build)
{
	const struct analysis *analysis = build->analysis;
	struct units units = {0};

	units.list = code_variants_distinct(arena, build->variants, &units.count);
	units.wanted = arena_array(arena, (size_t)units.count * analysis->kernel_count + 1, sizeof *units.wanted);
	units.kernels = arena_array(arena, units.count, sizeof *units.kernels);
	for (unsigned v = 0; v < build->variants->count; v++) {
		const struct variant *variant = &build->variants->list[v];
		for (unsigned k = 0; k < analysis->kernel_count; k++)
			if (!variant->has_code &&
			    code_variant_wanted(build->groups, build->variants, analysis->kernels[k], variant))
				units.wanted[variant->unit * analysis->kernel_count + k] = true;
	}
	for (unsigned u = 0; u < units.count; u++)
		for (unsigned k = 0; k < analysis->kernel_count; k++)
			units.kernels[u] += units.wanted[u * analysis->kernel_count + k];
	return units;
}

/* ---- cutting them into programs -------------------------------------------------------------- */

/* What is compiled as one program: kernels of units that lie beside each other. */
struct unit_part {
	unsigned first, count; /* units */
	bool *wanted;          /* for each unit and kernel */
	unsigned kernels;
};

/* Cuts a unit into parts of at most MOST_PART_KERNELS kernels. */
static void unit_cut(struct arena *arena, const struct units *units, unsigned kernel_count, unsigned u,
                     struct unit_part **parts, unsigned *count)
{
	for (unsigned k = 0; k < kernel_count; k++) {
		size_t at = (size_t)u * kernel_count + k;
		struct unit_part *last = *count ? &(*parts)[*count - 1] : NULL;
		if (!units->wanted[at])
			continue;
		if (!last || last->first != u || last->kernels == MOST_PART_KERNELS) {
			ARENA_PUSH(arena, *parts, *count, ((struct unit_part){.first = u, .count = 1}));
			last = &(*parts)[*count - 1];
			last->wanted =
				arena_array(arena, (size_t)units->count * kernel_count + 1, sizeof *last->wanted);
		}
		last->wanted[at] = true;
		last->kernels++;
	}
}

/* Adds what the second part has to the first, behind which it lies. */
static void part_join(const struct units *units, unsigned kernel_count, struct unit_part *part,
                      const struct unit_part *next)
{
	part->count = next->first + next->count - part->first;
	part->kernels += next->kernels;
	for (size_t i = 0; i < (size_t)units->count * kernel_count; i++)
		part->wanted[i] |= next->wanted[i];
}

/* Cuts the units into parts of about as many kernels each: about `most`, or more where these would be too large.
 * Returns their number. */
static unsigned units_cut(struct arena *arena, const struct units *units, unsigned kernel_count, unsigned most,
                          struct unit_part **parts)
{
	unsigned total = 0, done = 0, count = 0, pieces = 0, wanted;
	struct unit_part *piece = NULL;

	for (unsigned u = 0; u < units->count; u++) {
		total += units->kernels[u];
		unit_cut(arena, units, kernel_count, u, &piece, &pieces);
	}
	wanted = most < total / PROGRAM_KERNELS ? most : total / PROGRAM_KERNELS;
	if (wanted < (total + MOST_PART_KERNELS - 1) / MOST_PART_KERNELS)
		wanted = (total + MOST_PART_KERNELS - 1) / MOST_PART_KERNELS;
	*parts = piece;
	for (unsigned p = 0; p < pieces; p++) {
		bool begins = count == 0 || done * wanted >= total * count;
		done += piece[p].kernels;
		if (begins)
			(*parts)[count++] = piece[p];
		else
			part_join(units, kernel_count, &(*parts)[count - 1], &piece[p]);
	}
	return count;
}

/* A part with the names of its kernels, as NVRTC must be told them: "coalesce_0::scale<float>". */
static struct compile_program program_make(struct arena *arena, const struct code_build *build,
                                           const struct units *units, const struct unit_part *part)
{
	const struct analysis *analysis = build->analysis;
	struct compile_program program = {
		.text = layout_variants_part(arena, analysis, units->list, part->first, part->count, part->wanted)};
	const char **names = NULL;

	for (unsigned u = part->first; u < part->first + part->count; u++)
		for (unsigned k = 0; k < analysis->kernel_count; k++) {
			const char *name = part->wanted[u * analysis->kernel_count + k]
			                           ? layout_variant_kernel(arena, analysis, analysis->kernels[k])
			                           : NULL;

			if (name)
				ARENA_PUSH(arena, names, program.instance_count,
				           arena_printf(arena, "coalesce_%u::%s", u, name));
		}
	program.instances = names;
	return program;
}

/* ---- compiling ------------------------------------------------------------------------------- */

static void compilation_add(struct arena *arena, struct code_build *build, struct compilation *compilation)
{
	ARENA_PUSH(arena, build->compilations, build->compilation_count, compilation);
}

/* Gives a variant code: of the kernels that are wanted, or of all (NULL). */
static void variant_compiled(struct arena *arena, const struct code_build *build, struct variant *variant,
                             const bool *wanted, const struct compilation *compilation)
{
	unsigned count = build->analysis->kernel_count;

	if (!variant->compilations)
		variant->compilations = arena_array(arena, count + 1, sizeof *variant->compilations);
	for (unsigned k = 0; k < count; k++)
		if (!wanted || wanted[k])
			variant->compilations[k] = compilation;
	variant->has_code = true;
}

/* Gives the variants of a part's units their code. */
static void part_compiled(struct arena *arena, struct code_build *build, const struct unit_part *part,
                          struct compilation *compilation)
{
	compilation_add(arena, build, compilation);
	for (unsigned v = 0; v < build->variants->count; v++) {
		struct variant *variant = &build->variants->list[v];
		if (!variant->own && variant->unit >= part->first && variant->unit < part->first + part->count)
			variant_compiled(arena, build, variant,
			                 &part->wanted[(size_t)variant->unit * build->analysis->kernel_count],
			                 compilation);
	}
}

/* Compiles the units in parts beside each other. Returns false where NVRTC does not take them, and why. */
static bool parts_compile(struct arena *arena, struct code_build *build, const struct units *units,
                          const char **refusal)
{
	struct unit_part *parts;
	unsigned count = units_cut(arena, units, build->analysis->kernel_count, build->programs, &parts);
	struct compile_program *programs = arena_array(arena, count + 1, sizeof *programs);
	struct compilation **compilations;

	for (unsigned p = 0; p < count; p++)
		programs[p] = program_make(arena, build, units, &parts[p]);
	compilations = compile_programs(arena, &build->request, programs, count, build->programs, refusal, &build->time,
	                                build->diagnostics);
	for (unsigned p = 0; compilations && p < count; p++)
		part_compiled(arena, build, &parts[p], compilations[p]);
	return compilations != NULL;
}

/* Compiles all units in one program, by nvcc. Returns whether that went well; what is wrong is not reported, but for a
 * limit. */
static bool whole_compile(struct arena *arena, struct code_build *build, const struct units *units, const char *refusal)
{
	const struct unit_part all = {0, units->count, units->wanted, 0};
	struct compile_program whole = program_make(arena, build, units, &all);
	struct compile_request request = build->request;
	struct compilation *compilation;
	struct diagnostics ignored;

	diagnostics_init(&ignored, arena);
	request.road = COMPILE_NVCC;
	request.text = whole.text;
	compilation = compile_text(arena, &request, &ignored);
	if (!compilation && !*request.exceeded)
		return false;
	diagnostics_append(build->diagnostics, &ignored);
	if (!compilation)
		return false;
	compilation->refusal = refusal;
	part_compiled(arena, build, &all, compilation);
	return true;
}

/* What is said of a layout whose code does not compile: the rest stands without it. */
static void layout_missing(const struct code_build *build, const struct variant *variant,
                           const struct diagnostics *messages)
{
	const struct diagnostic *first = messages->count ? &messages->list[0] : NULL;
	diagnostics_report(build->diagnostics, SEVERITY_WARNING,
	                   first ? first->place : (struct place){build->analysis->path, 0, 0},
	                   "layout %s of %s is left out: its code does not compile: %s", variant->layout->name,
	                   build->groups->list[variant->group]->name, first ? first->message : "no reason given");
}

/* Compiles a variant as a translation unit of its own. Of the file as written, what is wrong is an error. refusal: why
 * it is not NVRTC that does so. */
static bool variant_compile(struct arena *arena, struct code_build *build, struct variant *variant, const char *refusal)
{
	struct compile_request request = build->request;
	struct diagnostics messages;
	bool as_written = variant->rewritten->as_written;
	diagnostics_init(&messages, arena);
	request.road = COMPILE_NVCC;
	request.text = layout_variant_unit(arena, build->analysis, variant->rewritten);
	struct compilation *compilation = compile_text(arena, &request, as_written ? build->diagnostics : &messages);
	if (!compilation) {
		if (!as_written)
			layout_missing(build, variant, &messages);
		return !as_written;
	}
	compilation->refusal = refusal;
	compilation_add(arena, build, compilation);
	for (unsigned v = 0; v < build->variants->count; v++)
		if (!build->variants->list[v].has_code && build->variants->list[v].rewritten == variant->rewritten) {
			variant_compiled(arena, build, &build->variants->list[v], NULL, compilation);
			build->variants->list[v].alone = true;
		}
	return true;
}

bool code_build(struct arena *arena, struct code_build *build)
{
	const char *refusal = NULL;
	bool missing, compiled, exceeded = false;

	build->request.exceeded = &exceeded;
	build->request.time = &build->time;
	if (!own_code_read(arena, build, &missing))
		return false;
	if (!missing)
		return true;
	struct units units = units_make(arena, build);
	compiled = parts_compile(arena, build, &units, &refusal) ||
	           (!exceeded && whole_compile(arena, build, &units, refusal));
	if (exceeded)
		return false;
	for (unsigned v = 0; !compiled && v < build->variants->count; v++)
		if (!build->variants->list[v].has_code &&
		    !variant_compile(arena, build, &build->variants->list[v], refusal))
			return false;
	return true;
}

const struct ptx_content *code_symbols(struct arena *arena, const struct analysis *analysis)
{
	struct ptx_content *contents = arena_array(arena, analysis->host_symbol_count + 1, sizeof *contents);
	for (unsigned i = 0; i < analysis->host_symbol_count; i++) {
		const struct host_symbol *symbol = &analysis->host_symbols[i];
		contents[i] = (struct ptx_content){symbol->name, symbol->bytes, symbol->known, symbol->size};
	}
	return contents;
}

/*
 * Code for all variants: the user's own PTX where it was given, the rest compiled in one translation unit, which NVRTC may get in parts, one for each idle core. Where
 * that does not compile each variant is compiled by itself, so that one bad layout costs only itself.
 */
#include "model/code/code.h"

#include <string.h>

/* Fewer kernels than this are not worth a program of their own. */
#define PROGRAM_KERNELS 2

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
		variant->module = compile_read_ptx(arena, file->value, true, build->diagnostics);
		variant->alone = true;
		if (!variant->module)
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
			if (!variant->module && code_variant_wanted(build->groups, build->variants, analysis->kernels[k], variant))
				units.wanted[variant->unit * analysis->kernel_count + k] = true;
	}
	for (unsigned u = 0; u < units.count; u++)
		for (unsigned k = 0; k < analysis->kernel_count; k++)
			units.kernels[u] += units.wanted[u * analysis->kernel_count + k];
	return units;
}

/* The wanted kernels of some units, as NVRTC must be told them: "coalesce_0::scale<float>". */
static struct compile_program program_make(struct arena *arena, const struct code_build *build, const struct units *units,
                                           unsigned first, unsigned count)
{
	const struct analysis *analysis = build->analysis;
	struct compile_program program = {.text = layout_variants_part(arena, analysis, units->list, first, count, units->wanted)};
	const char **names = NULL;

	for (unsigned u = first; u < first + count; u++)
		for (unsigned k = 0; k < analysis->kernel_count; k++) {
			const char *name = units->wanted[u * analysis->kernel_count + k]
			                           ? layout_variant_kernel(arena, analysis, analysis->kernels[k])
			                           : NULL;

			if (name)
				ARENA_PUSH(arena, names, program.instance_count, arena_printf(arena, "coalesce_%u::%s", u, name));
		}
	program.instances = names;
	return program;
}

/* ---- compiling ------------------------------------------------------------------------------- */

static void variant_compiled(struct variant *variant, const struct compilation *compilation, bool alone)
{
	variant->compilation = compilation;
	variant->module = compilation->module;
	variant->alone = alone;
}

static void compilation_add(struct arena *arena, struct code_build *build, struct compilation *compilation)
{
	ARENA_PUSH(arena, build->compilations, build->compilation_count, compilation);
}

/* Gives the variants of some units their code. */
static void units_compiled(struct arena *arena, struct code_build *build, unsigned first, unsigned count,
                           struct compilation *compilation)
{
	compilation_add(arena, build, compilation);
	for (unsigned v = 0; v < build->variants->count; v++) {
		struct variant *variant = &build->variants->list[v];
		if (!variant->module && variant->unit >= first && variant->unit < first + count)
			variant_compiled(variant, compilation, false);
	}
}

/* Cuts the units into at most `most` parts of about as many kernels each. Returns the number of parts; ends[p] is the unit after part p. */
static unsigned units_cut(const struct units *units, unsigned most, unsigned *ends)
{
	unsigned total = 0, done = 0, parts = 0;

	for (unsigned u = 0; u < units->count; u++)
		total += units->kernels[u];
	if (most > total / PROGRAM_KERNELS)
		most = total / PROGRAM_KERNELS;
	for (unsigned u = 0; u < units->count; u++) {
		done += units->kernels[u];
		if (u + 1 == units->count || (most > 1 && done < total && done * most >= total * (parts + 1)))
			ends[parts++] = u + 1;
	}
	return parts;
}

/* Compiles the units in parts beside each other. Returns false where NVRTC does not take them, and why. */
static bool parts_compile(struct arena *arena, struct code_build *build, const struct units *units, const char **refusal)
{
	unsigned *ends = arena_array(arena, units->count, sizeof *ends);
	unsigned count = units_cut(units, build->programs, ends);
	struct compile_program *programs = arena_array(arena, count, sizeof *programs);
	struct compilation **compilations;

	for (unsigned p = 0, first = 0; p < count; first = ends[p++])
		programs[p] = program_make(arena, build, units, first, ends[p] - first);
	compilations = compile_programs(arena, &build->request, programs, count, refusal, &build->time, build->diagnostics);
	for (unsigned p = 0, first = 0; compilations && p < count; first = ends[p++])
		units_compiled(arena, build, first, ends[p] - first, compilations[p]);
	return compilations != NULL;
}

/* Compiles all units in one program, by nvcc. Returns whether that went well; what is wrong is not reported, but for a limit. */
static bool whole_compile(struct arena *arena, struct code_build *build, const struct units *units, const char *refusal)
{
	struct compile_program whole = program_make(arena, build, units, 0, units->count);
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
	units_compiled(arena, build, 0, units->count, compilation);
	return true;
}

/* What is said of a layout whose code does not compile: the rest stands without it. */
static void layout_missing(const struct code_build *build, const struct variant *variant, const struct diagnostics *messages)
{
	const struct diagnostic *first = messages->count ? &messages->list[0] : NULL;
	diagnostics_report(build->diagnostics, SEVERITY_WARNING, first ? first->place : (struct place){build->analysis->path, 0, 0},
	                   "layout %s of %s is left out: its code does not compile: %s", variant->layout->name,
	                   build->groups->list[variant->group]->name, first ? first->message : "no reason given");
}

/* Compiles a variant as a translation unit of its own. Of the file as written, what is wrong is an error. refusal: why it is not NVRTC that does so. */
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
		if (!build->variants->list[v].module && build->variants->list[v].rewritten == variant->rewritten)
			variant_compiled(&build->variants->list[v], compilation, true);
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
	compiled = parts_compile(arena, build, &units, &refusal) || (!exceeded && whole_compile(arena, build, &units, refusal));
	if (exceeded)
		return false;
	for (unsigned v = 0; !compiled && v < build->variants->count; v++)
		if (!build->variants->list[v].module && !variant_compile(arena, build, &build->variants->list[v], refusal))
			return false;
	return true;
}

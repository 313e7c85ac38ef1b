/*
 * Launch cases: which kernels run with which grid, block and arguments. Taken from the launches in the file as far as
 * constants go, overridden by
 * --grid, --block, --arg, --extent, --index. What nobody says is assumed, and each assumption is a note: the files
 * beside this one say what.
 */
#include "layouts/layouts.h"
#include "model/cases/cases.h"

#include <string.h>

#define TRIPS_ASSUMED 8 /* as the evaluator does */

/* ---- one case, all cases ---------------------------------------------------------------- */

/* Grid and block, as they are or changed. */
static void dimensions_fill(struct arena *arena, struct launch_case *launch, const struct launch_case *before,
                            const struct case_options *options, struct diagnostics *diagnostics)
{
	case_dimensions_fill(arena, launch, launch->found, options);
	if (launch->found && launch->found->shared_bytes.known && launch->found->shared_bytes.value > 0)
		launch->dynamic_shared_bytes = (uint64_t)launch->found->shared_bytes.value;
	if (launch->found && launch->found->kernel != launch->kernel && !options->block.given)
		case_instance_fit(arena, launch);
	for (unsigned c = 0; before && c < options->change_count; c++) {
		const char *problem = case_dimensions_change(launch, &options->changes[c]);
		if (problem)
			diagnostics_report(diagnostics, SEVERITY_ERROR, launch->kernel->place, "kernel %s: %s",
			                   launch->kernel->name, problem);
		case_grid_follow(launch, before, &options->changes[c]);
	}
}

/* before: the launch without changes of numbers, or NULL where there are none. */
static struct launch_case case_make(struct arena *arena, const struct kernel *kernel, const struct launch *found,
                                    const struct case_options *options, struct launch_case *before,
                                    struct diagnostics *diagnostics)
{
	double trips = options->trips > 0 ? options->trips : TRIPS_ASSUMED;
	struct launch_case launch = {.kernel = kernel, .found = found, .launches = found ? found->count : 1};
	const unsigned numbers = kernel->parameter_count + kernel->constant_count + 1;
	launch.known = arena_array(arena, numbers, sizeof *launch.known);
	launch.values = arena_array(arena, numbers, sizeof *launch.values);
	launch.extents = arena_array(arena, kernel->parameter_count + 1, sizeof *launch.extents);
	launch.contents = arena_array(arena, kernel->parameter_count + 1, sizeof *launch.contents);
	launch.bytes = arena_array(arena, numbers, sizeof *launch.bytes);
	launch.bytes_known = arena_array(arena, numbers, sizeof *launch.bytes_known);
	dimensions_fill(arena, &launch, before, options, diagnostics);
	if (found && !found->count_known)
		case_note(arena, &launch,
		          arena_printf(arena,
		                       "how often line %u launches %s is not known; counted %s; --observe counts it",
		                       found->place.line, kernel->name,
		                       found->count == 1
		                               ? "once"
		                               : arena_printf(arena, "%llu times", (unsigned long long)found->count)));
	if (found && found->stands_for)
		case_note(arena, &launch, arena_printf(arena, "line %u: %s", found->place.line, found->stands_for));
	case_scalars_fill(arena, &launch, found, options, diagnostics);
	case_scalars_assume(arena, &launch, found, trips);
	case_extents_fill(arena, &launch, before, options, diagnostics);
	if (!before)
		case_beyond_note(arena, &launch, diagnostics);
	case_contents_fill(arena, &launch, options, trips, diagnostics);
	return launch;
}

/* The options with changed scalars among the values that the user gives, where those of the kernel alone go before. */
static struct case_options options_changed(struct arena *arena, const struct case_options *options)
{
	struct case_options changed = *options;
	changed.arguments = NULL;
	changed.argument_count = 0;
	for (unsigned i = 0; i < options->argument_count; i++)
		ARENA_PUSH(arena, changed.arguments, changed.argument_count, options->arguments[i]);
	for (unsigned c = 0; c < options->change_count; c++) {
		const struct case_change *change = &options->changes[c];
		struct named_value value = {change->scalar, arena_printf(arena, "%lld", (long long)change->value)};
		if (change->scalar)
			ARENA_PUSH(arena, changed.arguments, changed.argument_count, value);
	}
	return changed;
}

static struct launch_case case_with_changes(struct arena *arena, const struct kernel *kernel,
                                            const struct launch *found, const struct case_options *options,
                                            struct diagnostics *diagnostics)
{
	struct launch_case before = case_make(arena, kernel, found, options, NULL, diagnostics);
	if (options->change_count == 0)
		return before;
	const struct case_options changed = options_changed(arena, options);
	return case_make(arena, kernel, found, &changed, &before, diagnostics);
}

/* Whether records passed by value hold the same as far as that is known. */
static bool bytes_equal(const struct launch_case *a, const struct launch_case *b, unsigned parameter)
{
	uint64_t size = a->kernel->parameters[parameter].type.size_bytes;
	return !a->bytes[parameter] ||
	       (memcmp(a->bytes[parameter], b->bytes[parameter], size) == 0 &&
	        memcmp(a->bytes_known[parameter], b->bytes_known[parameter], size * sizeof(bool)) == 0);
}

static bool is_null(const struct launch_case *launch, unsigned parameter)
{
	return launch->found && launch->found->arguments[parameter].is_null;
}

static bool case_equal(const struct launch_case *a, const struct launch_case *b)
{
	unsigned n = a->kernel->parameter_count;
	if (a->kernel != b->kernel || memcmp(a->grid, b->grid, sizeof a->grid) != 0 ||
	    memcmp(a->block, b->block, sizeof a->block) != 0 || a->dynamic_shared_bytes != b->dynamic_shared_bytes)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (is_null(a, i) != is_null(b, i) || a->known[i] != b->known[i] || a->values[i] != b->values[i] ||
		    a->extents[i] != b->extents[i] || !bytes_equal(a, b, i))
			return false;
	for (unsigned i = 0; i < a->pointee_count; i++)
		if (a->pointees[i].extent != b->pointees[i].extent)
			return false;
	return true;
}

static void case_add(struct arena *arena, struct launch_case **cases, unsigned *count, struct launch_case launch)
{
	for (unsigned i = 0; i < *count; i++) {
		if (case_equal(&(*cases)[i], &launch)) {
			(*cases)[i].launches += launch.launches;
			return;
		}
	}
	ARENA_PUSH(arena, *cases, *count, launch);
}

/* The cases of a kernel's launches: those that the program was seen to make, or those that the source says, or one that
 * is assumed. */
static void kernel_cases(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel,
                         const struct case_options *options, struct launch_case **cases, unsigned *count,
                         struct diagnostics *diagnostics)
{
	const struct kernel *launched = kernel->launch_count ? kernel : case_sibling(analysis, kernel);
	struct launch *const *launches = options->observed ? options->observed->list
	                                 : launched        ? launched->launches
	                                                   : NULL;
	unsigned launch_count = options->observed ? options->observed->count : launched ? launched->launch_count : 0;
	bool any = false;
	for (unsigned l = 0; l < launch_count; l++) {
		if (options->observed && launches[l]->kernel != kernel)
			continue;
		case_add(arena, cases, count, case_with_changes(arena, kernel, launches[l], options, diagnostics));
		any = true;
	}
	if (!any && options->observed && options->kernel_count == 0)
		diagnostics_report(diagnostics, SEVERITY_NOTE, kernel->place,
		                   "%s is left out: the program did not launch it; --kernel '%s' predicts it",
		                   kernel->name, kernel->name);
	else if (!any)
		case_add(arena, cases, count, case_with_changes(arena, kernel, NULL, options, diagnostics));
}

bool case_find_all(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                   struct launch_case **cases, unsigned *count, struct diagnostics *diagnostics)
{
	size_t before = diagnostics->errors;
	case_options_check(arena, analysis, options, diagnostics);
	for (unsigned k = 0; k < analysis->kernel_count && diagnostics->errors == before; k++) {
		const struct kernel *kernel = analysis->kernels[k];
		if (kernel->is_template_pattern || !case_kernel_selected(kernel, options))
			continue;
		if (layout_kernel_is_unnamed(kernel)) {
			diagnostics_report(diagnostics, SEVERITY_NOTE, kernel->place,
			                   "%s is left out: give its type a name, as other code cannot ask for an "
			                   "instance without one",
			                   kernel->name);
			continue;
		}
		if (kernel->is_left_alone && options->kernel_count == 0 && !options->observed) {
			diagnostics_report(
				diagnostics, SEVERITY_NOTE, kernel->place,
				"%s is left out: main does not launch it with the command line that is given; --kernel "
				"'%s' predicts it",
				kernel->name, kernel->name);
			continue;
		}
		kernel_cases(arena, analysis, kernel, options, cases, count, diagnostics);
	}
	return diagnostics->errors == before;
}

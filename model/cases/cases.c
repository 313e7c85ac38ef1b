/*
 * Launch cases: which kernels run with which grid, block and arguments. Taken from the launches in the file as far as constants go, overridden by
 * --grid, --block, --arg, --extent, --index. What nobody says is assumed, and each assumption is a note:
 *   - a grid or block that is not constant: 1024 blocks of 256 threads;
 *   - a scalar that is not constant: the number of threads along x, the usual meaning of `n` in `if (i < n)`; less where a member array that
 *     is indexed with it has fewer elements;
 *   - the content of an index array: uniform over the elements of the array it indexes (case_contents.c).
 */
#include "layouts/layouts.h"
#include "model/cases/cases.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define ASSUMED_GRID 1024
#define ASSUMED_BLOCK 256

static bool integer_parse(const char *text, int64_t *value)
{
	char *end;
	errno = 0;
	long long number = strtoll(text, &end, 0);
	*value = number;
	return end != text && *end == '\0' && errno == 0;
}

/* ---- grid and block ----------------------------------------------------------- */

static bool host_dimensions(const struct host_value values[3], uint32_t result[3])
{
	for (unsigned axis = 0; axis < 3; axis++) {
		if (!values[axis].known || values[axis].value < 1 || values[axis].value > INT32_MAX)
			return false;
		result[axis] = (uint32_t)values[axis].value;
	}
	return true;
}

/* Dimensions that a branch or loop of the host may set otherwise. */
static void dimensions_note(struct arena *arena, struct launch_case *launch, const char *what, const struct host_value values[3])
{
	for (unsigned axis = 0; axis < 3; axis++)
		if (values[axis].assumed) {
			case_note(arena, launch,
			          arena_printf(arena, "%s of %s is assumed %lld along %c: %s: give --%s", what,
			                       launch->kernel->name, (long long)values[axis].value, "xyz"[axis],
			                       values[axis].reason, what));
			return;
		}
}

static void dimensions_fill(struct arena *arena, struct launch_case *launch, const char *what, const struct dimensions *given,
                            const struct host_value *found, uint32_t assumed, uint32_t result[3])
{
	if (given->given) {
		memcpy(result, given->value, 3 * sizeof result[0]);
	} else if (!found || !host_dimensions(found, result)) {
		result[0] = assumed;
		result[1] = result[2] = 1;
		launch->assumed = true;
		case_note(arena, launch,
		          arena_printf(arena, "%s of %s is not constant%s%s; assumed %u: give --%s", what, launch->kernel->name,
		                       found && found[0].reason ? ": " : "", found && found[0].reason ? found[0].reason : "",
		                       assumed, what));
	} else {
		dimensions_note(arena, launch, what, found);
	}
}

/* ---- arguments ------------------------------------------------------------------ */

static bool argument_from_option(const struct launch_case *launch, const struct parameter *parameter,
                                 const struct case_options *options, struct diagnostics *diagnostics)
{
	const struct named_value *option = case_option(options->arguments, options->argument_count, parameter->name);
	if (!option)
		return false;
	if (!integer_parse(option->value, &launch->values[parameter->index]))
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "--arg %s=%s: not an integer",
		                   option->name, option->value);
	launch->known[parameter->index] = true;
	return true;
}

/* Sets the scalars; marks in assumed those that nobody says. */
static void arguments_fill(struct arena *arena, struct launch_case *launch, const struct launch *found,
                           const struct case_options *options, bool *assumed, struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++) {
		const struct parameter *parameter = &launch->kernel->parameters[i];
		const struct host_value *host = found ? &found->arguments[i] : NULL;
		if (parameter->is_pointer || argument_from_option(launch, parameter, options, diagnostics))
			continue;
		if (host && host->known) {
			launch->known[i] = true;
			launch->values[i] = host->value;
			if (host->assumed && parameter->symbol)
				case_note(arena, launch,
				          arena_printf(arena, "value of parameter %s of %s is assumed %lld: %s: give --arg %s=",
				                       parameter->name, launch->kernel->name, (long long)host->value, host->reason,
				                       parameter->name));
		} else if (parameter->symbol) {
			launch->known[i] = true;
			launch->values[i] = (int64_t)launch->grid[0] * launch->block[0];
			assumed[i] = true;
		}
	}
}

static void symbols_fill(struct arena *arena, struct launch_case *launch)
{
	const struct kernel *kernel = launch->kernel;
	launch->symbols = arena_array(arena, kernel->symbol_count + 1, sizeof *launch->symbols);
	launch->symbol_known = arena_array(arena, kernel->symbol_count + 1, sizeof *launch->symbol_known);
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		const struct symbol *symbol = kernel->symbols[i];
		bool constant = symbol->kind == SYMBOL_BLOCK_SIZE || symbol->kind == SYMBOL_GRID_SIZE;
		if (constant)
			launch->symbols[i] =
				symbol->kind == SYMBOL_BLOCK_SIZE ? launch->block[symbol->axis] : launch->grid[symbol->axis];
		else if (symbol->kind == SYMBOL_PARAMETER)
			launch->symbols[i] = launch->values[symbol->parameter->index];
		launch->symbol_known[i] = constant || (symbol->kind == SYMBOL_PARAMETER && launch->known[symbol->parameter->index]);
	}
}

/* Largest value of each symbol; an iterator's is its trip count for the largest values of the symbols before it, less one. */
static int64_t *symbol_maxima(struct arena *arena, const struct launch_case *launch)
{
	const struct kernel *kernel = launch->kernel;
	int64_t *maxima = arena_array(arena, kernel->symbol_count + 1, sizeof *maxima);
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		const struct symbol *symbol = kernel->symbols[i];
		int64_t trips = 0;
		maxima[i] = launch->symbols[i];
		if (symbol->kind == SYMBOL_THREAD)
			maxima[i] = (int64_t)launch->block[symbol->axis] - 1;
		else if (symbol->kind == SYMBOL_BLOCK)
			maxima[i] = (int64_t)launch->grid[symbol->axis] - 1;
		else if (symbol->kind == SYMBOL_ITERATOR && symbol->loop->trips &&
		         expr_evaluate(symbol->loop->trips, maxima, NULL, NULL, &trips) && trips > 0)
			maxima[i] = trips - 1;
	}
	return maxima;
}

/* ---- assumed scalars ------------------------------------------------------------------ */

/* Whether every index into a member array stays inside of it, and at least one is made of the parameter, when it has that value. */
static bool inner_indices_fit(struct arena *arena, struct launch_case *launch, const struct parameter *parameter, int64_t value)
{
	int64_t kept = launch->symbols[parameter->symbol->index];
	bool fit = true;
	launch->symbols[parameter->symbol->index] = value;
	const int64_t *maxima = symbol_maxima(arena, launch);
	for (unsigned i = 0; i < launch->kernel->access_count && fit; i++) {
		const struct access *access = launch->kernel->accesses[i];
		int64_t index = 0;
		if (access->inner && access->leaf && expr_evaluate(access->inner, maxima, NULL, NULL, &index))
			fit = index < (int64_t)access->leaf->count;
	}
	launch->symbols[parameter->symbol->index] = kept;
	return fit;
}

/* The largest value up to the number of threads that keeps the indices into member arrays inside of them; that number where none does. */
static int64_t value_that_fits(struct arena *arena, struct launch_case *launch, const struct parameter *parameter)
{
	int64_t threads = launch->values[parameter->index], fits = 0, beyond = threads;
	if (inner_indices_fit(arena, launch, parameter, threads) || !inner_indices_fit(arena, launch, parameter, 0))
		return threads;
	while (beyond - fits > 1) {
		int64_t middle = fits + (beyond - fits) / 2;
		if (inner_indices_fit(arena, launch, parameter, middle))
			fits = middle;
		else
			beyond = middle;
	}
	return fits;
}

/* Limits the assumed scalars, and says what each was assumed to be. */
static void assumptions_settle(struct arena *arena, struct launch_case *launch, const struct launch *found, const bool *assumed)
{
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++) {
		const struct parameter *parameter = &launch->kernel->parameters[i];
		const char *reason = found ? found->arguments[i].reason : NULL;
		if (!assumed[i])
			continue;
		int64_t threads = launch->values[i], value = value_that_fits(arena, launch, parameter);
		launch->values[i] = launch->symbols[parameter->symbol->index] = value;
		case_note(arena, launch,
		          arena_printf(arena, "value of parameter %s of %s is not known%s%s; assumed %lld, %s: give --arg %s=",
		                       parameter->name, launch->kernel->name, reason ? ": " : "", reason ? reason : "",
		                       (long long)value,
		                       value == threads ? "the number of threads along x"
		                                        : "the most that a member array indexed with it allows",
		                       parameter->name));
	}
}

/* ---- extents and index arrays ------------------------------------------------------- */

/* The largest index of an affine access: symbols with negative coefficients count as 0. */
static int64_t largest_index(const struct affine *affine, const int64_t *maxima)
{
	int64_t sum = affine->constant;
	for (unsigned t = 0; t < affine->term_count; t++) {
		int64_t product = affine->terms[t].coefficient;
		for (unsigned s = 0; s < affine->terms[t].symbol_count; s++)
			product *= maxima[affine->terms[t].symbols[s]->index];
		if (affine->terms[t].coefficient > 0)
			sum += product;
	}
	return sum;
}

static uint64_t extent_from_accesses(const struct launch_case *launch, const struct parameter *parameter, const int64_t *maxima)
{
	int64_t largest = -1;
	for (unsigned i = 0; i < launch->kernel->access_count; i++) {
		const struct access *access = launch->kernel->accesses[i];
		if (access->array == parameter->array && !access->affine.reason) {
			int64_t index = largest_index(&access->affine, maxima);
			largest = index > largest ? index : largest;
		}
	}
	return (uint64_t)(largest + 1);
}

static uint64_t extent_from_host(const struct host_array *array, const struct parameter *parameter)
{
	if (!array || !array->bytes.known || array->bytes.value <= 0 || parameter->type.size_bytes == 0)
		return 0;
	return (uint64_t)array->bytes.value / parameter->type.size_bytes;
}

static void extents_fill(struct arena *arena, struct launch_case *launch, const struct launch *found,
                         const struct case_options *options, struct diagnostics *diagnostics)
{
	const int64_t *maxima = symbol_maxima(arena, launch);
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++) {
		const struct parameter *parameter = &launch->kernel->parameters[i];
		const struct named_value *option = case_option(options->extents, options->extent_count, parameter->name);
		int64_t value = 0;
		if (!parameter->is_pointer)
			continue;
		if (option && (!integer_parse(option->value, &value) || value < 1))
			diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
			                   "--extent %s=%s: not a positive integer", option->name, option->value);
		uint64_t extent = option ? (uint64_t)value : extent_from_host(found ? found->arguments[i].array : NULL, parameter);
		launch->extents[i] = extent ? extent : extent_from_accesses(launch, parameter, maxima);
	}
}

/* ---- one case, all cases ---------------------------------------------------------------- */

static struct launch_case case_make(struct arena *arena, const struct kernel *kernel, const struct launch *found,
                                    const struct case_options *options, struct diagnostics *diagnostics)
{
	struct launch_case launch = {.kernel = kernel, .launches = found ? found->count : 1};
	launch.known = arena_array(arena, kernel->parameter_count + 1, sizeof *launch.known);
	launch.values = arena_array(arena, kernel->parameter_count + 1, sizeof *launch.values);
	launch.extents = arena_array(arena, kernel->parameter_count + 1, sizeof *launch.extents);
	launch.contents = arena_array(arena, kernel->parameter_count + 1, sizeof *launch.contents);
	dimensions_fill(arena, &launch, "grid", &options->grid, found ? found->grid : NULL, ASSUMED_GRID, launch.grid);
	dimensions_fill(arena, &launch, "block", &options->block, found ? found->block : NULL, ASSUMED_BLOCK, launch.block);
	if (found && found->shared_bytes.known && found->shared_bytes.value > 0)
		launch.dynamic_shared_bytes = (uint64_t)found->shared_bytes.value;
	if (found && !found->count_known)
		case_note(arena, &launch,
		          arena_printf(arena, "how often line %u launches %s is not known; counted %s", found->place.line,
		                       kernel->name,
		                       found->count == 1 ? "once"
		                                         : arena_printf(arena, "%llu times", (unsigned long long)found->count)));
	bool *assumed = arena_array(arena, kernel->parameter_count + 1, sizeof *assumed);
	arguments_fill(arena, &launch, found, options, assumed, diagnostics);
	symbols_fill(arena, &launch);
	assumptions_settle(arena, &launch, found, assumed);
	extents_fill(arena, &launch, found, options, diagnostics);
	case_contents_fill(arena, &launch, options, diagnostics);
	return launch;
}

static bool case_equal(const struct launch_case *a, const struct launch_case *b)
{
	unsigned n = a->kernel->parameter_count;
	if (a->kernel != b->kernel || memcmp(a->grid, b->grid, sizeof a->grid) != 0 ||
	    memcmp(a->block, b->block, sizeof a->block) != 0 || a->dynamic_shared_bytes != b->dynamic_shared_bytes)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (a->known[i] != b->known[i] || a->values[i] != b->values[i] || a->extents[i] != b->extents[i])
			return false;
	return true;
}

static bool kernel_selected(const struct kernel *kernel, const char *name)
{
	if (!name || strcmp(kernel->name, name) == 0)
		return true;
	size_t length = strlen(name);
	return strncmp(kernel->name, name, length) == 0 && kernel->name[length] == '<';
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

/* Whether the kernel has a scalar or array parameter of that name; for members, also a record's integer member: "p.next". */
static bool parameter_named(const struct kernel *kernel, const char *name, bool pointer, bool members)
{
	for (unsigned i = 0; i < kernel->parameter_count; i++)
		if (kernel->parameters[i].is_pointer == pointer &&
		    (strcmp(kernel->parameters[i].name, name) == 0 || (members && case_member_named(&kernel->parameters[i], name))))
			return true;
	return false;
}

/* Every name given by an option must be a parameter of some selected kernel. */
static void names_check(const struct analysis *analysis, const struct case_options *options, const char *option,
                        const struct named_value *list, unsigned count, bool pointer, struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < count; i++) {
		bool found = false;
		for (unsigned k = 0; k < analysis->kernel_count && !found; k++)
			found = kernel_selected(analysis->kernels[k], options->kernel) &&
			        parameter_named(analysis->kernels[k], list[i].name, pointer, strcmp(option, "index") == 0);
		if (!found)
			diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
			                   "--%s %s: no kernel has %s of that name", option, list[i].name,
			                   strchr(list[i].name, '.') ? "an array of records with an integer member"
			                   : pointer                 ? "an array parameter"
			                                             : "a scalar parameter");
	}
}

static void options_check(const struct analysis *analysis, const struct case_options *options, struct diagnostics *diagnostics)
{
	bool found = false;
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		found = found || kernel_selected(analysis->kernels[k], options->kernel);
	if (!found)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "%s has no kernel named '%s'",
		                   analysis->path, options->kernel);
	names_check(analysis, options, "arg", options->arguments, options->argument_count, false, diagnostics);
	names_check(analysis, options, "extent", options->extents, options->extent_count, true, diagnostics);
	names_check(analysis, options, "index", options->indexes, options->index_count, true, diagnostics);
}

bool case_find_all(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                   struct launch_case **cases, unsigned *count, struct diagnostics *diagnostics)
{
	size_t before = diagnostics->errors;
	options_check(analysis, options, diagnostics);
	for (unsigned k = 0; k < analysis->kernel_count && diagnostics->errors == before; k++) {
		const struct kernel *kernel = analysis->kernels[k];
		if (kernel->is_template_pattern || !kernel_selected(kernel, options->kernel))
			continue;
		if (layout_kernel_is_unnamed(kernel)) {
			diagnostics_report(
				diagnostics, SEVERITY_NOTE, kernel->place,
				"%s is left out: it is an instance for a type without a name, which no other text can ask for",
				kernel->name);
			continue;
		}
		for (unsigned l = 0; l < kernel->launch_count; l++)
			case_add(arena, cases, count, case_make(arena, kernel, kernel->launches[l], options, diagnostics));
		if (kernel->launch_count == 0)
			case_add(arena, cases, count, case_make(arena, kernel, NULL, options, diagnostics));
	}
	return diagnostics->errors == before;
}

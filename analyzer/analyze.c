/*
 * The analysis of a file, in order: read the syntax, walk each kernel, find its references, walk the host side, verify.
 */
#include "analyzer/front/front.h"
#include "analyzer/host/host.h"
#include "analyzer/mention/mention.h"
#include "analyzer/passes.h"
#include "analyzer/rows/rows.h"
#include "analyzer/source/source.h"

#include <stdlib.h>
#include <string.h>

/*
 * Kernels in the order of the text; instances of one template after one another in the order in which they are named.
 */
static int kernel_compare(const void *left, const void *right)
{
	const struct source_function *a = *(struct source_function *const *)left,
				     *b = *(struct source_function *const *)right;

	if (a->in_main_file != b->in_main_file)
		return a->in_main_file ? 1 : -1;
	if (a->in_main_file && a->definition.begin != b->definition.begin)
		return a->definition.begin < b->definition.begin ? -1 : 1;
	if (a->place.line != b->place.line)
		return a->place.line < b->place.line ? -1 : 1;
	if (a->place.column != b->place.column)
		return a->place.column < b->place.column ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool has_instance(const struct source_unit *unit, const struct source_function *pattern)
{
	for (unsigned i = 0; i < unit->function_count; i++)
		if (!unit->functions[i]->is_pattern && unit->functions[i]->is_kernel &&
		    unit->functions[i]->place.line == pattern->place.line &&
		    unit->functions[i]->place.column == pattern->place.column)
			return true;
	return false;
}

/* The kernels with a body, and templates of which there is no instance. */
static struct source_function **kernels_of(const struct source_unit *unit, unsigned *count)
{
	struct source_function **list =
		arena_array(unit->arena, unit->function_count + 1, sizeof(struct source_function *));

	*count = 0;
	for (unsigned i = 0; i < unit->function_count; i++) {
		struct source_function *function = unit->functions[i];

		if (function->is_kernel &&
		    (function->is_pattern ? !has_instance(unit, function) : function->body != NULL))
			list[(*count)++] = function;
	}
	qsort(list, *count, sizeof(struct source_function *), kernel_compare);
	return list;
}

static void read_kernels(struct analysis *analysis, struct source_unit *unit)
{
	unsigned count;
	struct source_function **functions = kernels_of(unit, &count);

	unit->environment = arena_array(unit->arena, unit->slot_count + 1, sizeof(*unit->environment));
	unit->scratch = arena_array(unit->arena, unit->slot_count + 1, sizeof(*unit->scratch));
	for (unsigned i = 0; i < count; i++) {
		struct kernel *kernel = kernel_read(unit->arena, unit, functions[i], unit->diagnostics);

		if (kernel->is_template_pattern)
			diagnostics_report(
				unit->diagnostics, SEVERITY_NOTE, kernel->place,
				"the kernel template '%s' is left out: launch or instantiate it in this file",
				kernel->name);
		if (!kernel->is_template_pattern && functions[i]->in_main_file)
			kernel_find_references(unit->arena, unit, kernel, functions[i]);
		ARENA_PUSH(unit->arena, analysis->kernels, analysis->kernel_count, kernel);
	}
}

/* ---- records ------------------------------------------------------------------------------- */

static int record_compare(const void *left, const void *right)
{
	const struct record *a = *(struct record *const *)left, *b = *(struct record *const *)right;

	return strcmp(a->name, b->name);
}

static void add_record(struct analysis *analysis, struct record *record)
{
	for (unsigned i = 0; i < analysis->record_count; i++)
		if (analysis->records[i] == record)
			return;
	ARENA_PUSH(analysis->arena, analysis->records, analysis->record_count, record);
}

/* The records that kernels index. */
static void collect_records(struct analysis *analysis)
{
	for (unsigned i = 0; i < analysis->kernel_count; i++)
		for (unsigned j = 0; j < analysis->kernels[i]->array_count; j++)
			if (analysis->kernels[i]->arrays[j]->element.record)
				add_record(analysis, analysis->kernels[i]->arrays[j]->element.record);
	if (analysis->record_count)
		qsort(analysis->records, analysis->record_count, sizeof(struct record *), record_compare);
}

/* ---- functions ------------------------------------------------------------------------------- */

static int function_compare(const void *left, const void *right)
{
	const struct function *a = left, *b = right;

	return a->definition.begin < b->definition.begin ? -1 : a->definition.begin > b->definition.begin;
}

static bool has_function(const struct analysis *analysis, struct range definition)
{
	for (unsigned i = 0; i < analysis->function_count; i++)
		if (analysis->functions[i].definition.begin == definition.begin)
			return true;
	return false;
}

/* Functions defined in the file; a template and its instances once. */
static void collect_functions(struct analysis *analysis, const struct source_unit *unit)
{
	for (unsigned i = 0; i < unit->function_count; i++) {
		const struct source_function *function = unit->functions[i];

		if (!function->in_main_file || function->is_lambda || function->definition.end == 0 ||
		    has_function(analysis, function->definition))
			continue;
		ARENA_PUSH(analysis->arena, analysis->functions, analysis->function_count,
		           (struct function){.name = function->short_name,
		                             .definition = function->definition,
		                             .body = function->body_range,
		                             .is_host = function->is_host,
		                             .is_device = function->is_device || function->is_kernel,
		                             .is_kernel = function->is_kernel,
		                             .is_member = function->is_method,
		                             .place = function->place});
	}
	if (analysis->function_count)
		qsort(analysis->functions, analysis->function_count, sizeof(*analysis->functions), function_compare);
}

/* ---- the entry ---------------------------------------------------------------------------------- */

static void host_walk(struct analysis *analysis, struct source_unit *unit, const struct analyzer_options *options)
{
	struct host host = {.arena = unit->arena,
	                    .unit = unit,
	                    .options = options,
	                    .analysis = analysis,
	                    .pool = {.arena = unit->arena}};
	unsigned slots = unit->slot_count + HOST_OWN_SLOTS;

	host.environment = arena_array(unit->arena, slots, sizeof(*host.environment));
	host.arrays = arena_array(unit->arena, slots, sizeof(struct host_array *));
	host.chains = arena_array(unit->arena, HOST_CHAINS, sizeof(struct host_chain *));
	host_find_arrays(&host);
	host_find_launches(&host);
}

/* As before host_walk(). */
static void host_forget(struct analysis *analysis, struct source_unit *unit)
{
	analysis->launches = NULL;
	analysis->launch_count = 0;
	analysis->host_arrays = NULL;
	analysis->host_array_count = 0;
	analysis->host_symbols = NULL;
	analysis->host_symbol_count = 0;
	analysis->host_contents = NULL;
	analysis->host_content_count = 0;
	for (unsigned i = 0; i < analysis->kernel_count; i++) {
		analysis->kernels[i]->launches = NULL;
		analysis->kernels[i]->launch_count = 0;
	}
	for (unsigned i = 0; i < unit->function_count; i++)
		unit->functions[i]->is_called = unit->functions[i]->is_passed = unit->functions[i]->is_walked = false;
}

/* What the host copies to the variables in constant memory that kernels read. */
static void constants_fill(struct analysis *analysis)
{
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned c = 0; c < analysis->kernels[k]->constant_count; c++)
			for (unsigned s = 0; s < analysis->host_symbol_count; s++)
				if (strcmp(analysis->host_symbols[s].name, analysis->kernels[k]->constants[c]->name) ==
				    0)
					analysis->kernels[k]->constants[c]->copied = &analysis->host_symbols[s];
}

/* What host code puts into members of the records that parameters point to: those of a record follow each other. */
static void stated_fill(struct analysis *analysis, struct parameter *parameter)
{
	for (unsigned i = 0; i < analysis->host_content_count && parameter->is_pointer; i++) {
		const struct host_content *content = &analysis->host_contents[i];

		if (content->record != parameter->type.record)
			continue;
		parameter->stated = parameter->stated_count ? parameter->stated : content;
		parameter->stated_count++;
	}
}

static void contents_fill(struct analysis *analysis)
{
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned p = 0; p < analysis->kernels[k]->parameter_count; p++)
			stated_fill(analysis, &analysis->kernels[k]->parameters[p]);
}

static unsigned launched_kernels(const struct analysis *analysis)
{
	unsigned count = 0;

	for (unsigned i = 0; i < analysis->kernel_count; i++)
		count += analysis->kernels[i]->launch_count > 0;
	return count;
}

struct argument_search {
	const struct source_function *function;
	bool found;
};

static bool argument_visit(void *context, const struct node *node)
{
	struct argument_search *search = context;

	for (unsigned i = 0; node->kind == NODE_REFERENCE && i < search->function->parameter_count; i++)
		search->found = search->found || node->declaration == search->function->parameters[i];
	return !search->found;
}

/* The main that asks for its arguments, or NULL. */
static const struct source_function *curious_main(const struct source_unit *unit)
{
	for (unsigned i = 0; i < unit->function_count; i++) {
		struct argument_search search = {unit->functions[i], false};

		if (!search.function->body || search.function->is_method || strcmp(search.function->name, "main") != 0)
			continue;
		node_visit(search.function->body, argument_visit, &search);
		return search.found ? search.function : NULL;
	}
	return NULL;
}

/*
 * Where the command line is not given, main is followed as called without arguments, if it launches the same kernels
 * then; else with nothing known about them.
 */
static void read_host(struct analysis *analysis, struct source_unit *unit, const struct analyzer_options *options)
{
	static const char *const none[1];
	const struct source_function *curious = options->arguments ? NULL : curious_main(unit);
	struct diagnostics *diagnostics = unit->diagnostics, attempts[2];
	struct analyzer_options without = *options;
	unsigned kernels;

	without.arguments = none;
	for (unsigned i = 0; curious && i < ARRAY_COUNT(attempts); i++) {
		diagnostics_init(&attempts[i], unit->arena);
		unit->diagnostics = &attempts[i];
		kernels = launched_kernels(analysis);
		host_forget(analysis, unit);
		host_walk(analysis, unit, i == 0 ? options : &without);
	}
	unit->diagnostics = diagnostics;
	if (curious && kernels > 0 && launched_kernels(analysis) == kernels) {
		diagnostics_append(diagnostics, &attempts[1]);
		diagnostics_report(diagnostics, SEVERITY_NOTE, curious->place,
		                   "main is followed as called without arguments: give its arguments behind `--`");
		return;
	}
	host_forget(analysis, unit);
	host_walk(analysis, unit, options);
}

/* A text with more behind its end, in a piece that stands for nothing in the file. */
static const struct source_text *source_with(struct arena *arena, const struct source_text *source, const char *more)
{
	struct source_text *longer = arena_alloc(arena, sizeof(*longer));
	struct source_piece piece = {.begin = (unsigned)source->length,
	                             .path = source->path,
	                             .line = source->line_count,
	                             .column = 1,
	                             .original = ""};

	*longer = (struct source_text){.path = source->path, .text = arena_printf(arena, "%s\n%s", source->text, more)};
	longer->length = strlen(longer->text);
	piece.end = (unsigned)longer->length;
	for (unsigned p = 0; p < source->piece_count; p++)
		ARENA_PUSH(arena, longer->pieces, longer->piece_count, source->pieces[p]);
	ARENA_PUSH(arena, longer->pieces, longer->piece_count, piece);
	for (unsigned l = 0; l < source->line_count; l++)
		ARENA_PUSH(arena, longer->line_starts, longer->line_count, source->line_starts[l]);
	for (size_t i = source->length; i < longer->length; i++)
		if (longer->text[i] == '\n')
			ARENA_PUSH(arena, longer->line_starts, longer->line_count, (unsigned)i + 1);
	return longer;
}

/* Notes why rows of records stay what they are: the first error of the text in which they are one array. */
static void flattened_refuse(struct diagnostics *diagnostics, const struct diagnostics *said)
{
	for (size_t i = 0; i < said->count; i++)
		if (said->list[i].severity == SEVERITY_ERROR) {
			diagnostics_report(
				diagnostics, SEVERITY_NOTE, said->list[i].place,
				"rows of records keep their layout: change what needs them as rows here (%s)",
				said->list[i].message);
			return;
		}
}

static unsigned instance_count(const struct source_unit *unit)
{
	unsigned count = 0;

	for (unsigned i = 0; i < unit->function_count; i++)
		count += unit->functions[i]->is_kernel && !unit->functions[i]->is_pattern && unit->functions[i]->body;
	return count;
}

/* Reads the flattened text; false where it has errors, or a kernel is missing whose template's arguments follow from a
 * row's length. */
static bool flattened_read(struct source_unit *flat, const struct source_unit *unit,
                           const struct analyzer_options *options)
{
	if (!front_read_as_it_stands(flat, options))
		return false;
	if (instance_count(flat) == instance_count(unit))
		return true;
	diagnostics_report(flat->diagnostics, SEVERITY_ERROR, (struct place){unit->path, 0, 0},
	                   "the length of a row is an argument of a kernel's template");
	return false;
}

/*
 * Reads a unit, and once more with rows of records flattened, where kernels take such, or else with buffers declared as
 * the records that they hold. A flattened text that is no C++ any more is given up.
 */
static bool unit_read(struct source_unit *unit, const struct analyzer_options *options)
{
	struct source_unit flat = *unit;
	struct diagnostics *diagnostics = unit->diagnostics, said[2];
	bool done, has_rows;

	for (unsigned i = 0; i < ARRAY_COUNT(said); i++)
		diagnostics_init(&said[i], unit->arena);
	unit->diagnostics = &said[0];
	flat.diagnostics = &said[1];
	done = front_read(unit, options);
	flat.source = done ? rows_flatten(unit) : NULL;
	has_rows = flat.source != NULL;
	if (done && !has_rows)
		flat.source = rows_recast(unit);
	if (flat.source && flattened_read(&flat, unit, options)) {
		flat.clang = clock_sum(flat.clang, unit->clang);
		*unit = flat;
	} else if (has_rows) {
		flattened_refuse(unit->diagnostics, flat.diagnostics);
	}
	diagnostics_append(diagnostics, unit->diagnostics);
	unit->diagnostics = diagnostics;
	return done;
}

struct analysis *analyze_here(struct arena *arena, const struct analyzer_options *options,
                              struct diagnostics *diagnostics, const char **cache)
{
	struct analysis *analysis = arena_alloc(arena, sizeof(*analysis));
	struct source_unit unit = {
		.arena = arena, .diagnostics = diagnostics, .path = arena_strdup(arena, options->path), .cache = cache};

	unit.source = source_text_read(
		arena,
		&(struct source_request){.path = unit.path, .options = options, .keeps_calls = options->keeps_calls},
		diagnostics);
	if (!unit.source)
		return NULL;
	if (options->appended)
		unit.source = source_with(arena, unit.source, options->appended);
	if (!unit_read(&unit, options))
		return NULL;
	analysis->arena = arena;
	analysis->path = unit.path;
	analysis->source = unit.source;
	analysis->text = unit.text;
	analysis->text_length = unit.text_length;
	analysis->clang = unit.clang;
	read_kernels(analysis, &unit);
	collect_records(analysis);
	mention_find_all(analysis, &unit);
	held_find_all(analysis, &unit);
	collect_functions(analysis, &unit);
	read_host(analysis, &unit, options);
	constants_fill(analysis);
	contents_fill(analysis);
	analysis_check(analysis);
	return analysis;
}

const char *const *analysis_build_flags(struct arena *arena, const char *build, const char *path, unsigned *count,
                                        struct diagnostics *diagnostics)
{
	return front_build_flags(arena, build, path, count, diagnostics);
}

const char *analysis_clang_version(struct arena *arena)
{
	return front_version(arena);
}

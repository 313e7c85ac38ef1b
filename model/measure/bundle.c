/*
 * A measuring program for the launches of a file: the kernels in all layouts (layout_variants()), the common parts
 * (bundle_*.cu), a table for each launch, and a Makefile. It needs nvcc and a GPU, nothing else.
 */
#include "base/toolkit/toolkit.h"
#include "model/measure/bundle_plan.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The lines of the parts that all measuring programs share. */
static const char *const common_lines[] = {
#include "model/measure/bundle_kernels.inc"
#include "model/measure/bundle_arrays.inc"
#include "model/measure/bundle_runtime.inc"
};

/* ---- what the results say of themselves ----------------------------------------------- */

/* The members of a JSON object as text, without its braces; releases the object. */
static char *members_text(struct arena *arena, json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(10));
	json_decref(object);
	if (!text)
		bug("JSON of a bundle");
	char *members = arena_strndup(arena, text + 1, strlen(text) - 2);
	free(text);
	return members;
}

static json_t *dimensions_json(const uint32_t value[3])
{
	return json_pack("[I,I,I]", (json_int_t)value[0], (json_int_t)value[1], (json_int_t)value[2]);
}

static json_t *arguments_json(const struct launch_case *launch)
{
	json_t *object = json_object();
	for (unsigned p = 0; p < launch->kernel->parameter_count; p++)
		if (!launch->kernel->parameters[p].is_pointer &&
		    launch->kernel->parameters[p].type.scalar != SCALAR_FLOAT && launch->known[p])
			json_object_set_new(object, launch->kernel->parameters[p].name,
			                    json_integer(launch->values[p]));
	return object;
}

static const char *content_text(struct arena *arena, const struct content *content)
{
	if (content->kind == CONTENT_UNIFORM)
		return arena_printf(arena, "uniform:%lld:%lld", (long long)content->low, (long long)content->high);
	if (content->kind == CONTENT_SEQUENCE && content->low)
		return arena_printf(arena, "seq:%lld:%lld", (long long)content_step(content), (long long)content->low);
	if (content->kind == CONTENT_SEQUENCE && content->step)
		return arena_printf(arena, "seq:%lld", (long long)content->step);
	return content->kind == CONTENT_UNKNOWN ? "real" : content->kind == CONTENT_SEQUENCE ? "seq" : "list";
}

static json_t *arrays_json(struct arena *arena, const struct bundle_launch *plan)
{
	json_t *list = json_array();
	for (unsigned a = 0; a < plan->array_count; a++) {
		const struct bundle_array *array = &plan->arrays[a];
		json_t *contents = json_object();
		for (unsigned s = 0; s < array->scalar_count; s++)
			json_object_set_new(contents, array->scalars[s].name,
			                    json_string(content_text(arena, &array->scalars[s].content)));
		json_array_append_new(list, json_pack("{s:s, s:I, s:b, s:o}", "name", array->name, "elements",
		                                      (json_int_t)array->elements, "output", (int)array->output,
		                                      "contents", contents));
	}
	return list;
}

char *bundle_launch_json(struct arena *arena, const struct bundle_launch *plan)
{
	const struct launch_case *launch = plan->launch;
	json_t *notes = json_array();
	for (unsigned n = 0; n < launch->note_count; n++)
		json_array_append_new(notes, json_string(launch->notes[n]));
	return members_text(arena,
	                    json_pack("{s:s, s:i, s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "name", launch->kernel->name,
	                              "line", (int)launch->kernel->place.line, "grid", dimensions_json(launch->grid),
	                              "block", dimensions_json(launch->block), "launches", (json_int_t)launch->launches,
	                              "dynamic_shared_bytes", (json_int_t)launch->dynamic_shared_bytes, "arguments",
	                              arguments_json(launch), "arrays", arrays_json(arena, plan), "notes", notes));
}

static const char *base_name(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static char *case_json(struct arena *arena, const char *id, const char *path, const char *const *words,
                       unsigned word_count)
{
	json_t *options = json_array();
	for (unsigned w = 0; w < word_count; w++)
		json_array_append_new(options, json_string(words[w]));
	return members_text(arena, json_pack("{s:s, s:s, s:o}", "id", id, "file", base_name(path), "options", options));
}

/* ---- measure.cu ---------------------------------------------------------------------------- */

/* Ends the user's macros of the command line: they are meant for the kernels above. */
static void macros_end(struct text *out, const struct analyzer_options *source)
{
	for (unsigned i = 0; i < source->flag_count; i++) {
		const char *flag = source->flags[i];
		if (strncmp(flag, "-D", 2) == 0)
			text_printf(out, "#undef %.*s\n", (int)strcspn(flag + 2, "=("), flag + 2);
	}
}

static void launch_write(struct text *out, const struct bundle_launch *plan, unsigned number, const char *json)
{
	const struct launch_case *launch = plan->launch;
	text_puts(out, "\t{");
	bundle_literal_write(out, launch->kernel->name);
	text_puts(out, ",\n\t ");
	bundle_literal_write(out, json);
	text_printf(out, ",\n\t {%u, %u, %u}, {%u, %u, %u}, %llu, arrays_%u, %u, variants_%u, %u, rows_%u, %u},\n",
	            launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
	            launch->block[2], (unsigned long long)launch->dynamic_shared_bytes, number, plan->array_count,
	            number, plan->variant_count, number, plan->row_count);
}

static void main_write(struct text *out, struct arena *arena, const struct bundle_launch *plans, unsigned count,
                       const char *json)
{
	text_puts(out, "\nnamespace coalesce_measure {\nstatic const kernel kernels[] = {\n");
	for (unsigned i = 0; i < count; i++)
		launch_write(out, &plans[i], i, bundle_launch_json(arena, &plans[i]));
	text_puts(out, "};\n}\n\nint main(int count, char **arguments)\n{\n\treturn "
	               "coalesce_measure::measure_all(count, arguments, ");
	bundle_literal_write(out, json);
	text_printf(out, ",\n\t                                      coalesce_measure::kernels, %u);\n}\n", count);
}

/* The line number that text appended now has. */
static unsigned line_next(const struct text *text)
{
	unsigned line = 1;
	for (size_t i = 0; i < text->length; i++)
		line += text->data[i] == '\n';
	return line;
}

static const char *program_text(const struct bundle_request *request, struct rewritten *const *units,
                                unsigned unit_count, const struct bundle_launch *plans, unsigned plan_count,
                                const char *json)
{
	const struct analyzer_options *source = &request->options->analyzer;
	struct text out = {0};
	text_printf(&out,
	            "/* Measures the kernels of %s in %u variants. Written by coalesce; `make` builds it, ./measure "
	            "runs it. */\n",
	            base_name(source->path), unit_count);
	text_puts(&out, layout_variants(request->arena, request->prediction->analysis, units, unit_count));
	text_printf(&out, "#line %u \"measure.cu\"\n", line_next(&out) + 1);
	macros_end(&out, source);
	for (size_t i = 0; i < ARRAY_COUNT(common_lines); i++)
		text_puts(&out, common_lines[i]);
	for (unsigned i = 0; i < plan_count; i++)
		bundle_tables_write(&out, request, &plans[i], i);
	main_write(&out, request->arena, plans, plan_count, json);
	const char *copy = arena_strdup(request->arena, out.data);
	text_release(&out);
	return copy;
}

/* ---- Makefile ---------------------------------------------------------------------------------- */

/* A word for a shell inside of a Makefile. */
static void word_write(struct text *out, const char *word)
{
	text_puts(out, " '");
	for (; *word; word++)
		text_printf(out, *word == '\'' ? "'\\'%c" : *word == '$' ? "$%c" : "%c", *word);
	text_puts(out, "'");
}

static const char *makefile_text(struct arena *arena, const struct bundle *bundle)
{
	struct text out = {0};
	text_printf(&out,
	            "# make: builds ./measure; make results: writes measure.json. ARCH is the GPU's architecture.\n"
	            "NVCC ?= nvcc\nARCH ?= %s\nNVCCFLAGS = -O3 -lineinfo -w",
	            bundle->target);
	for (unsigned i = 0; i < bundle->flag_count; i++)
		word_write(&out, bundle->flags[i]);
	text_puts(&out, "\n\nmeasure: measure.cu\n\t$(NVCC) -arch=$(ARCH) $(NVCCFLAGS) -o $@ measure.cu\n"
	                "\nresults: measure\n\t./measure >measure.json.new\n\tmv measure.json.new measure.json\n"
	                "\nclean:\n\trm -f measure measure.json measure.json.new\n\n.PHONY: results clean\n");
	const char *copy = arena_strdup(arena, out.data);
	text_release(&out);
	return copy;
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static struct bundle_launch *plans_make(const struct bundle_request *request, unsigned *count)
{
	struct launch_case *cases = NULL;
	struct bundle_launch *plans = NULL, plan;
	unsigned case_count = 0;
	*count = 0;
	if (!case_find_all(request->arena, request->prediction->analysis, &request->options->cases, &cases, &case_count,
	                   request->diagnostics))
		return NULL;
	for (unsigned c = 0; c < case_count; c++)
		if (bundle_launch_plan(request, &cases[c], &plan))
			ARENA_PUSH(request->arena, plans, *count, plan);
	return plans;
}

static struct bundle *bundle_write(const struct bundle_request *request, struct rewritten *const *units,
                                   unsigned unit_count, const struct bundle_launch *plans, unsigned plan_count,
                                   const char *json)
{
	struct bundle *bundle = arena_alloc(request->arena, sizeof *bundle);
	struct toolkit toolkit = toolkit_find(request->arena);
	bool exact;
	bundle->target = machine_target(request->arena, request->prediction->machine, &exact);
	bundle->kernel_count = plan_count;
	if (!bundle_includes(request->arena, &toolkit, &request->options->analyzer, bundle, request->diagnostics))
		return NULL;
	struct bundle_file program = {"measure.cu", program_text(request, units, unit_count, plans, plan_count, json)};
	struct bundle_file makefile = {"Makefile", makefile_text(request->arena, bundle)};
	ARENA_PUSH(request->arena, bundle->files, bundle->file_count, program);
	ARENA_PUSH(request->arena, bundle->files, bundle->file_count, makefile);
	return bundle;
}

struct bundle *bundle_make(struct arena *arena, const struct predict_options *options, const char *id,
                           const char *const *words, unsigned word_count, struct diagnostics *diagnostics,
                           enum exit_code *exit_code)
{
	struct variants variants = {0};
	unsigned unit_count, plan_count;
	struct prediction *prediction = predict(arena, options, STAGE_GROUPS, diagnostics, exit_code);
	if (!prediction)
		return NULL;
	struct variant_request wanted = {.analysis = prediction->analysis,
	                                 .groups = &prediction->groups,
	                                 .rank = options->rank,
	                                 .rank_count = options->rank_count,
	                                 .tiles = options->tiles,
	                                 .tile_count = options->tile_count,
	                                 .diagnostics = diagnostics};
	code_variants(arena, &wanted, &variants);
	struct rewritten **units = code_variants_distinct(arena, &variants, &unit_count);
	struct bundle_request request = {arena, prediction, options, &variants, diagnostics};
	struct bundle_launch *plans = plans_make(&request, &plan_count);
	*exit_code = EXIT_INPUT;
	if (plan_count == 0) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){options->analyzer.path, 0, 0},
		                   "no kernel here can be measured");
		return NULL;
	}
	struct bundle *bundle = bundle_write(&request, units, unit_count, plans, plan_count,
	                                     case_json(arena, id, options->analyzer.path, words, word_count));
	if (bundle)
		*exit_code = EXIT_VERDICT;
	return bundle;
}

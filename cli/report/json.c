/*
 * predict --json: the object of schema coalesce/predict/1. Numbers the model does not say are null.
 */
#include "cli/report/report.h"
#include "model/trust/trust.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>
#include <math.h>

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* A count: written as an integer where it is one. */
static json_t *count_number(double value)
{
	return isfinite(value) && value == floor(value) && fabs(value) < 9e15 ? json_integer((json_int_t)value)
	                                                                      : number(value);
}

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *dimensions_json(const uint32_t value[3])
{
	return json_pack("[I,I,I]", (json_int_t)value[0], (json_int_t)value[1], (json_int_t)value[2]);
}

static json_t *texts_json(const char *const *list, unsigned count)
{
	json_t *array = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(array, json_string(list[i]));
	return array;
}

static json_t *counts_json(const struct counts *counts)
{
	json_t *object = json_object();
#define COUNT(name) json_object_set_new(object, #name, count_number(counts->name))
#define SHARE(name) json_object_set_new(object, #name, number(counts->name))
	COUNT(warp_instructions);
	COUNT(ld_requests);
	COUNT(ld_sectors);
	COUNT(st_requests);
	COUNT(st_sectors);
	SHARE(l1_hit_rate);
	COUNT(l2_read_sectors);
	COUNT(l2_write_sectors);
	SHARE(l2_hit_rate);
	COUNT(dram_read_bytes);
	COUNT(dram_write_bytes);
	COUNT(shared_bank_conflicts);
	COUNT(local_ld_requests);
	COUNT(local_ld_sectors);
	COUNT(local_st_requests);
	COUNT(local_st_sectors);
	COUNT(shared_ld_requests);
	COUNT(shared_st_requests);
	COUNT(shared_atomic_requests);
	COUNT(atomic_requests);
	COUNT(atomic_sectors);
	COUNT(reduction_requests);
	COUNT(reduction_sectors);
#undef COUNT
#undef SHARE
	return object;
}

/* What an access of either memory says first. */
static json_t *access_begin(const char *array, const char *member, const char *space, enum access_kind kind,
                            struct place place)
{
	json_t *object = json_object();
	json_object_set_new(object, "array", text_or_null(array));
	json_object_set_new(object, "member", text_or_null(member));
	json_object_set_new(object, "space", json_string(space));
	json_object_set_new(object, "kind", json_string(report_access_kind(kind)));
	json_object_set_new(object, "line", json_integer(place.line));
	json_object_set_new(object, "column", json_integer(place.column));
	return object;
}

static json_t *access_json(const struct access_estimate *access)
{
	json_t *object = access_begin(access->array, access->member, "global", access->kind, access->place);
	json_object_set_new(object, "width", json_integer(access->width_bytes));
	json_object_set_new(object, "executions_per_warp", number(access->executions));
	json_object_set_new(object, "sectors_per_request", number(access->sectors_per_request));
	json_object_set_new(object, "hit_rate", number(access->hit_rate));
	json_object_set_new(object, "cycles_per_warp", number(access->cycles));
	json_object_set_new(object, "class", json_string(cost_coalescing_name(access->class)));
	return object;
}

static json_t *shared_json(const struct shared_access *access)
{
	json_t *object = access_begin(NULL, NULL, "shared", access->kind, access->place);
	json_object_set_new(object, "width", json_integer(access->width_bytes));
	json_object_set_new(object, "executions_per_warp", number(access->executions));
	json_object_set_new(object, "sectors_per_request", json_null());
	json_object_set_new(object, "hit_rate", json_null());
	json_object_set_new(object, "cycles_per_warp", json_null());
	json_object_set_new(object, "wavefronts_per_request", number(access->wavefronts_per_request));
	json_object_set_new(object, "bank_conflicts_per_request", number(access->conflicts_per_request));
	json_object_set_new(object, "class",
	                    json_string(access->conflicts_per_request > 0 ? "conflicts" : "conflict-free"));
	return object;
}

static json_t *accesses_json(const struct estimate *estimate)
{
	json_t *list = json_array();
	for (unsigned a = 0; a < estimate->access_count; a++)
		json_array_append_new(list, access_json(&estimate->accesses[a]));
	for (unsigned a = 0; a < estimate->shared_count; a++)
		json_array_append_new(list, shared_json(&estimate->shared[a]));
	return list;
}

static json_t *tile_json(unsigned tile)
{
	return tile ? json_integer(tile) : json_null();
}

static json_t *limits_json(const struct estimate *estimate)
{
	json_t *object = json_object();
	for (unsigned i = 0; i < estimate->limit_count; i++)
		json_object_set_new(object, estimate->limits[i].name, number(estimate->limits[i].cycles));
	return object;
}

static json_t *stalls_json(const struct line_cost *line)
{
	json_t *object = json_object();
	for (unsigned s = 0; s < COST_STALL_COUNT; s++)
		json_object_set_new(object, cost_stall_name((enum cost_stall)s), number(line->stalls[s]));
	return object;
}

static json_t *line_json(const struct line_costs *lines, const struct line_cost *line)
{
	json_t *object = json_object();
	json_object_set_new(object, "file", json_string(report_file_name(line->place.file)));
	json_object_set_new(object, "line", json_integer(line->place.line));
	json_object_set_new(object, "warp_instructions", count_number(line->instructions));
	json_object_set_new(object, "requests", count_number(line->requests));
	json_object_set_new(object, "sectors", count_number(line->sectors));
	json_object_set_new(object, "ideal_sectors", count_number(line->ideal_sectors));
	json_object_set_new(object, "shared_bank_conflicts", count_number(line->conflicts));
	json_object_set_new(object, "l1_hit_rate", number(line->loaded > 0 ? 1 - line->missed / line->loaded : NAN));
	json_object_set_new(object, "l2_hit_rate", number(line->missed > 0 ? 1 - line->far / line->missed : NAN));
	json_object_set_new(object, "cycles", number(line->cycles));
	json_object_set_new(object, "share", number(lines->cycles > 0 ? line->cycles / lines->cycles : NAN));
	if (!lines->simulated)
		return object;
	json_object_set_new(object, "stalls", stalls_json(line));
	json_object_set_new(object, "waits_for_line", line->source ? json_integer(line->source) : json_null());
	return object;
}

static json_t *lines_json(struct arena *arena, const struct ranked_layout *row)
{
	const struct line_costs lines = explain_lines(arena, row->view, row->estimate);
	json_t *list = json_array();
	for (unsigned l = 0; l < lines.count; l++)
		json_array_append_new(list, line_json(&lines, &lines.list[l]));
	return list;
}

static json_t *advice_json(const struct ranked_layout *row)
{
	static const char *const names[] = {"neighbours", "near", "early"};
	json_t *list = json_array();
	for (unsigned a = 0; a < row->advice_count; a++)
		json_array_append_new(list, json_pack("{s:i, s:s, s:f}", "line", (int)row->advice[a].supposed.line,
		                                      "suppose", names[row->advice[a].supposed.kind], "time_us",
		                                      1e6 * row->advice[a].time_seconds));
	return list;
}

static json_t *layout_json(struct arena *arena, const struct prediction *prediction, const struct case_result *result,
                           const struct ranked_layout *row, bool lines)
{
	const struct estimate *estimate = row->estimate;
	json_t *object = json_object();
	json_object_set_new(object, "record", row->group ? json_string(row->group->name) : json_null());
	json_object_set_new(object, "layout", json_string(row->group ? row->layout->name : "as-written"));
	json_object_set_new(object, "tile", tile_json(row->tile));
	json_object_set_new(object, "time_us", number(estimate->time_seconds * 1e6));
	if (row->first_seconds > 0)
		json_object_set_new(object, "first_us", number(row->first_seconds * 1e6));
	json_object_set_new(object, "lower_bound", json_boolean(estimate->lower_bound));
	json_object_set_new(object, "cycles_per_warp", number(estimate->cycles_per_warp));
	json_object_set_new(object, "bound", json_string(estimate->bound));
	json_object_set_new(object, "registers", estimate->registers ? json_integer(estimate->registers) : json_null());
	json_object_set_new(object, "occupancy", number(estimate->occupancy));
	if (estimate->limit_count)
		json_object_set_new(object, "limits", limits_json(estimate));
	if (estimate->low > 0)
		json_object_set_new(object, "interval", json_pack("[f,f]", estimate->low, estimate->high));
	json_object_set_new(
		object, "time_confidence",
		json_string(report_confidence(trust_known(prediction) ? trust_time(result, row) : CONFIDENCE_LOW)));
	if (trust_known(prediction))
		json_object_set_new(object, "error_class", json_string(trust_class_name(result, row)));
	json_object_set_new(object, "counts", counts_json(&estimate->counts));
	json_object_set_new(object, "accesses", accesses_json(estimate));
	if (lines) {
		json_object_set_new(object, "lines", lines_json(arena, row));
		json_object_set_new(object, "advice", advice_json(row));
		if (row->unrolling.factor)
			json_object_set_new(object, "unroll",
			                    json_pack("{s:i, s:s, s:f}", "factor", (int)row->unrolling.factor, "loops",
			                              row->unrolling.lines, "time_us",
			                              1e6 * row->unrolling.time_seconds));
	}
	return object;
}

/* "p", or "g.rho" of an array that a record passed by value points to. */
static const char *binding_name(struct arena *arena, const struct layout_binding *binding)
{
	return binding->leaf ? arena_printf(arena, "%s.%s", binding->parameter->name, binding->leaf->path)
	                     : binding->parameter->name;
}

static json_t *group_json(struct arena *arena, const struct prediction *prediction, const struct layout_group *group,
                          const struct kernel *kernel)
{
	json_t *members = json_array(), *arrays = json_array();
	for (unsigned f = 0; f < group->field_count; f++)
		json_array_append_new(members, json_string(group->fields[f].path));
	for (unsigned b = 0; b < prediction->groups.binding_count; b++)
		if (prediction->groups.bindings[b].group == group && prediction->groups.bindings[b].kernel == kernel)
			json_array_append_new(arrays,
			                      json_string(binding_name(arena, &prediction->groups.bindings[b])));
	return json_pack("{s:s, s:s, s:o, s:o}", "name", group->name, "form",
	                 group->form == FORM_STRUCT ? "struct" : "arrays", "members", members, "arrays", arrays);
}

static json_t *conversion_json(const struct conversion *conversion)
{
	return json_pack("{s:o, s:f, s:f, s:f, s:o, s:o}", "bytes", count_number(conversion->bytes), "pack_us",
	                 1e6 * conversion->pack_seconds, "back_us", 1e6 * conversion->back_seconds, "host_us",
	                 1e6 * conversion->host_seconds, "pack_launches", count_number(conversion->pack_launches),
	                 "host_launches", count_number(conversion->host_launches));
}

/* Fields of a verdict. With several records each has its own; the first one's also stand in the kernel itself. */
/* Whether the roofline was asked and has no other layout faster. */
static bool roofline_agrees(const struct verdict *verdict)
{
	for (unsigned m = 0; m < verdict->objections.model_count; m++)
		if (strcmp(verdict->objections.models[m], "roofline") == 0)
			return false;
	return verdict->objections.heard;
}

static void verdict_fields(json_t *object, const struct verdict *verdict, const char *const *labels)
{
	json_t *ties = json_array(), *rivals = json_array();
	for (unsigned t = 0; t < verdict->tie_count; t++)
		json_array_append_new(ties, json_string(labels[verdict->ties[t]]));
	for (unsigned r = 0; r < verdict->rival_count; r++)
		json_array_append_new(rivals, json_string(labels[verdict->rivals[r]]));
	json_object_set_new(object, "written",
	                    verdict->written == UINT_MAX ? json_string(verdict->group->written->name)
	                                                 : json_string(labels[verdict->written]));
	json_object_set_new(object, "best", json_string(labels[verdict->best]));
	json_object_set_new(object, "recommended", json_string(labels[verdict->recommended]));
	json_object_set_new(object, "ties", ties);
	json_object_set_new(object, "may_be_as_fast", rivals);
	json_object_set_new(object, "compared_with", json_string(labels[verdict->contrast]));
	if (verdict->may_gain != UINT_MAX)
		json_object_set_new(object, "may_gain", json_string(labels[verdict->may_gain]));
	if (verdict->ratio_low > 0)
		json_object_set_new(object, "ratio_interval",
		                    json_pack("[f,f]", verdict->ratio_low, verdict->ratio_high));
	json_object_set_new(object, "roofline_agrees", json_boolean(roofline_agrees(verdict)));
	json_object_set_new(object, "other_models",
	                    verdict->objections.heard
	                            ? texts_json(verdict->objections.models, verdict->objections.model_count)
	                            : json_null());
	json_object_set_new(object, "takes_more",
	                    texts_json(verdict->objections.parts, verdict->objections.part_count));
	json_object_set_new(object, "confidence", json_string(report_confidence(verdict->confidence)));
	if (verdict->why)
		json_object_set_new(object, "why", json_string(verdict->why));
	if (verdict->holds)
		json_object_set_new(object, "holds", json_string(verdict->holds));
	if (verdict->conversion.bytes > 0)
		json_object_set_new(object, "conversion", conversion_json(&verdict->conversion));
}

static json_t *verdicts_json(const struct verdict *verdicts, unsigned count, const char *const *labels)
{
	json_t *array = json_array();
	for (unsigned v = 0; v < count; v++) {
		json_t *object = json_pack("{s:s}", "record", verdicts[v].group->name);
		verdict_fields(object, &verdicts[v], labels);
		json_array_append_new(array, object);
	}
	return array;
}

static void no_verdict_fields(json_t *object)
{
	json_object_set_new(object, "written", json_string("as-written"));
	json_object_set_new(object, "best", json_string("as-written"));
	json_object_set_new(object, "recommended", json_string("as-written"));
	json_object_set_new(object, "ties", json_array());
}

static json_t *case_json(struct arena *arena, const struct prediction *prediction, const struct case_result *result,
                         bool lines)
{
	const struct launch_case *launch = result->launch;
	const char **labels = arena_array(arena, result->row_count + 1, sizeof *labels);
	json_t *object = json_object(), *groups = json_array(), *layouts = json_array();
	for (unsigned v = 0; v < result->verdict_count; v++)
		json_array_append_new(groups, group_json(arena, prediction, result->verdicts[v].group, launch->kernel));
	for (unsigned r = 0; r < result->row_count; r++) {
		labels[r] = report_layout_label(arena, result->rows[r].layout, result->rows[r].tile);
		json_array_append_new(layouts, layout_json(arena, prediction, result, &result->rows[r], lines));
	}
	json_object_set_new(object, "name", json_string(launch->kernel->name));
	json_object_set_new(object, "line", json_integer(launch->kernel->place.line));
	json_object_set_new(object, "grid", dimensions_json(launch->grid));
	json_object_set_new(object, "block", dimensions_json(launch->block));
	json_object_set_new(object, "launches", json_integer((json_int_t)launch->launches));
	json_object_set_new(object, "groups", groups);
	json_object_set_new(object, "layouts", layouts);
	if (result->verdict_count)
		verdict_fields(object, &result->verdicts[0], labels);
	else
		no_verdict_fields(object);
	if (result->verdict_count > 1)
		json_object_set_new(object, "verdicts", verdicts_json(result->verdicts, result->verdict_count, labels));
	json_object_set_new(object, "confidence", json_string(report_confidence(trust_launch(prediction, result))));
	json_object_set_new(object, "notes", texts_json(result->notes, result->note_count));
	return object;
}

static json_t *extents_json(const int64_t value[3])
{
	return json_pack("[I,I,I]", (json_int_t)value[0], (json_int_t)value[1], (json_int_t)value[2]);
}

/* The launches that the GPU refuses, or of which nothing true could be said. */
static json_t *refused_json(const struct prediction *prediction)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < prediction->refused_count; i++) {
		const struct launch_case *launch = prediction->refused[i].launch;
		int64_t grid[3], block[3];
		case_dimensions_said(launch, grid, block);
		json_array_append_new(list,
		                      json_pack("{s:s, s:i, s:o, s:o, s:I, s:s}", "name", launch->kernel->name, "line",
		                                (int)launch->kernel->place.line, "grid", extents_json(grid), "block",
		                                extents_json(block), "launches", (json_int_t)launch->launches, "reason",
		                                prediction->refused[i].reason));
	}
	return list;
}

/* The best layout of each record, ranked with the others as written. */
static json_t *combination_json(const struct prediction *prediction, const char *const *labels)
{
	json_t *object = json_object();
	for (unsigned v = 0; v < prediction->program_verdict_count; v++)
		json_object_set_new(object, prediction->program_verdicts[v].group->name,
		                    json_string(labels[prediction->program_verdicts[v].recommended]));
	return object;
}

/* A record's own verdict, with its layouts. */
static json_t *record_json(const struct prediction *prediction, const struct verdict *verdict, const json_t *layouts,
                           const char *const *labels)
{
	json_t *object = json_pack("{s:s}", "record", verdict->group->name), *own = json_array();
	verdict_fields(object, verdict, labels);
	json_object_set_new(object, "interval",
	                    verdict->ratio_low > 0 ? json_pack("[f,f]", verdict->ratio_low, verdict->ratio_high)
	                                           : json_null());
	for (unsigned r = 0; r < prediction->program_count; r++)
		if (prediction->program[r].group == verdict->group)
			json_array_append(own, json_array_get(layouts, r));
	json_object_set_new(object, "layouts", own);
	return object;
}

static json_t *records_json(const struct prediction *prediction, const json_t *layouts, const char *const *labels)
{
	json_t *list = json_array();
	for (unsigned v = 0; v < prediction->program_verdict_count; v++)
		json_array_append_new(list, record_json(prediction, &prediction->program_verdicts[v], layouts, labels));
	return list;
}

static json_t *program_json(struct arena *arena, const struct prediction *prediction,
                            const struct report_context *context)
{
	const char **labels = arena_array(arena, prediction->program_count + 1, sizeof *labels);
	json_t *object = json_object(), *layouts = json_array();
	for (unsigned r = 0; r < prediction->program_count; r++) {
		const struct program_row *row = &prediction->program[r];
		labels[r] = report_layout_label(arena, row->layout, row->tile);
		json_t *entry = json_pack("{s:s, s:s}", "record", row->group->name, "layout", row->layout->name);
		json_object_set_new(entry, "tile", tile_json(row->tile));
		json_object_set_new(entry, "time_us", number(row->time_seconds * 1e6));
		if (row->switch_seconds > 0)
			json_object_set_new(entry, "copies_us", number(row->switch_seconds * 1e6));
		if (row->check)
			json_object_set_new(entry, "check", report_check_json(row->check));
		json_array_append_new(layouts, entry);
	}
	json_object_set_new(object, "layouts", layouts);
	json_object_set_new(object, "cost", report_cost_json(arena, prediction));
	json_object_set_new(object, "records", records_json(prediction, layouts, labels));
	json_object_set_new(object, "actions", report_actions_json(arena, prediction, context->commands));
	if (prediction->program_verdict_count)
		verdict_fields(object, &prediction->program_verdicts[0], labels);
	else
		no_verdict_fields(object);
	if (prediction->program_verdict_count > 1) {
		json_object_set_new(
			object, "verdicts",
			verdicts_json(prediction->program_verdicts, prediction->program_verdict_count, labels));
		json_object_set_new(object, "combination", combination_json(prediction, labels));
	}
	if (prediction->combination)
		json_object_set_new(object, "together", report_together_json(prediction->combination));
	return object;
}

/* ---- what it was made with ------------------------------------------------------------- */

static json_t *gate_json(struct arena *arena, const struct prediction *prediction, const struct report_gate *gate)
{
	json_t *object = json_pack("{s:f, s:b}", "percent", gate->percent, "passed", !gate->failed);
	if (!gate->verdict)
		return object;
	const struct program_row *written = &prediction->program[gate->verdict->written];
	const struct program_row *best = &prediction->program[gate->verdict->best];
	json_object_set_new(object, "record", json_string(written->group->name));
	json_object_set_new(object, "written", json_string(report_layout_label(arena, written->layout, written->tile)));
	json_object_set_new(object, "best", json_string(report_layout_label(arena, best->layout, best->tile)));
	json_object_set_new(object, "slower_percent", number(gate->slower_percent));
	json_object_set_new(object, "kernel",
	                    gate->worst ? json_string(gate->worst->launch->kernel->name) : json_null());
	return object;
}

static json_t *messages_json(const struct diagnostics *diagnostics)
{
	json_t *list = json_array();
	for (size_t i = 0; i < diagnostics->count; i++) {
		const struct diagnostic *one = &diagnostics->list[i];
		json_array_append_new(list,
		                      json_pack("{s:s, s:s?, s:i, s:i, s:s}", "severity", severity_name(one->severity),
		                                "file", one->place.file, "line", (int)one->place.line, "column",
		                                (int)one->place.column, "message", one->message));
	}
	return list;
}

static void context_fields(json_t *root, const struct report_context *context)
{
	json_object_set_new(root, "tool", json_pack("{s:s, s:s}", "name", "coalesce", "version", context->version));
	json_object_set_new(root, "compiler", text_or_null(context->compiler));
	json_object_set_new(root, "options", texts_json(context->options, context->option_count));
	json_object_set_new(root, "messages", messages_json(context->messages));
}

struct json_t *report_json(struct arena *arena, const struct prediction *prediction,
                           const struct report_context *context)
{
	json_t *root = json_object(), *kernels = json_array();
	json_object_set_new(root, "schema", json_string("coalesce/predict/1"));
	json_object_set_new(root, "file", json_string(prediction->analysis->path));
	if (prediction->analysis->source->other_count)
		json_object_set_new(
			root, "other_files",
			texts_json(prediction->analysis->source->others, prediction->analysis->source->other_count));
	json_object_set_new(root, "machine", json_string(prediction->machine->name));
	json_object_set_new(root, "model", json_string(prediction->model->name));
	if (prediction->model->follows_start)
		json_object_set_new(root, "start", json_string(predict_start_names[prediction->start]));
	if (prediction->model->stands_for)
		json_object_set_new(root, "computed_as", json_string(prediction->model->stands_for));
	context_fields(root, context);
	unsigned assumption_count;
	const char **assumptions =
		machine_assumptions(arena, prediction->machine, prediction->model->numbers, &assumption_count, NULL);
	json_object_set_new(root, "assumed", texts_json(assumptions, assumption_count));
	json_object_set_new(root, "assumptions", report_assumptions_json(prediction));
	for (unsigned c = 0; c < prediction->case_count; c++)
		json_array_append_new(kernels, case_json(arena, prediction, &prediction->cases[c], context->lines));
	json_object_set_new(root, "kernels", kernels);
	if (prediction->refused_count)
		json_object_set_new(root, "refused", refused_json(prediction));
	json_object_set_new(root, "program", program_json(arena, prediction, context));
	if (context->gate)
		json_object_set_new(root, "gate", gate_json(arena, prediction, context->gate));
	return root;
}

/*
 * Calls of function templates that make device memory of the type that they are given: `T *p = device_alloc<T>(n)`, `T
 * *p = upload(vector)`. What such a template does for one type it does for another, so it is called for each new
 * pointer. Its own text must say that its argument is a number of elements. Of a vector of records it gets one made of
 * it: member by member, or in the records that the layout has.
 */
#include "layouts/host/internal.h"

/* ---- vectors ------------------------------------------------------------------------------- */

bool rehost_vector_read(const struct rewriter *rewriter, const struct rehost_plan *host, struct range name,
                        struct rehost_vector *vector)
{
	static const char *const patterns[] = {"vector<$type> $name", "vector<$type> &$name"};
	const struct edit_source *source = rewriter->source;
	struct edit_match match;

	if (host->plan->group->form != FORM_STRUCT || host->plan->group->written_tile > 0)
		return false;
	for (unsigned f = 0; f < host->plan->group->field_count; f++)
		if (host->plan->group->fields[f].count > 1 || strchr(host->plan->group->fields[f].path, '.'))
			return false;
	*vector = (struct rehost_vector){.name = edit_copy(rewriter->arena, source, name)};
	for (unsigned i = 0; i < source->token_count; i++)
		for (unsigned p = 0; p < ARRAY_COUNT(patterns); p++)
			if (edit_match_at(source, i, patterns[p], &match) &&
			    edit_range_is(source, edit_hole(&match, "name"), vector->name)) {
				const char *record = edit_copy(rewriter->arena, source, edit_hole(&match, "type"));

				if (vector->record && strcmp(vector->record, record) != 0)
					return false;
				vector->record = record;
			}
	return vector->record != NULL;
}

void rehost_vector_write(struct text *out, const struct rewriter *rewriter, struct rehost_plan *host,
                         const struct rehost_vector *vector, unsigned buffer)
{
	if (host->plan->placement->layout->declare) {
		host->packer = rewriter_name(rewriter, arena_printf(rewriter->arena, "as_%s", host->plan->type_name));
		host->packed_record = vector->record;
		text_printf(out, "%s(%s)", host->packer, vector->name);
		return;
	}
	text_printf(out, "%s(%s, &%s::%s)", rehost_helper_use(host->helpers, HELPER_GATHERED), vector->name,
	            vector->record, host->plan->group->fields[host->plan->placement->buffers[buffer].field].path);
}

void rehost_packer_write(struct text *out, const struct rehost_plan *host)
{
	const struct placement *placement = host->plan->placement;
	const char *type = host->plan->type_name, *const pointers[] = {"packed"};

	if (!host->packer)
		return;
	text_printf(out, "static std::vector<%s> %s(const std::vector<%s> &records)\n{\n", type, host->packer,
	            host->packed_record);
	if (placement->tile > 1)
		text_printf(out, "\tstd::vector<%s> packed((records.size() + %u) / %u);\n\n", type, placement->tile - 1,
		            placement->tile);
	else
		text_printf(out, "\tstd::vector<%s> packed(records.size());\n\n", type);
	text_puts(out, "\tfor (size_t i = 0; i < records.size(); i++) {\n");
	for (unsigned f = 0; f < host->plan->group->field_count; f++) {
		text_puts(out, "\t\t");
		placement->layout->access(out, placement, &(struct row_site){pointers, f, "i", "i", ""});
		text_printf(out, " = records[i].%s;\n", host->plan->group->fields[f].path);
	}
	text_puts(out, "\t}\n\treturn packed;\n}\n\n");
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Whether tokens [begin, end) name one type that may be the record's, perhaps by another name: `point`, `struct point`,
 * `geometry::point`. */
static bool tokens_name_record(const struct edit_source *source, unsigned begin, unsigned end)
{
	static const char *const others[] = {"void",     "bool",   "char",  "short",  "int", "long",
	                                     "unsigned", "signed", "float", "double", "auto"};

	for (unsigned i = begin; i < end; i++) {
		if (source->tokens[i].kind != TOKEN_IDENTIFIER && !edit_is(source, i, "::"))
			return false;
		for (unsigned o = 0; o < ARRAY_COUNT(others); o++)
			if (edit_is(source, i, others[o]))
				return false;
	}
	return end > begin;
}

/* Whether an argument is told what the record's size is. */
static bool argument_has_size(const struct edit_source *source, struct range argument, const char *record)
{
	for (unsigned i = edit_token_at(source, argument.begin);
	     i < source->token_count && source->tokens[i].begin < argument.end; i++)
		if (edit_is(source, i, "sizeof") || edit_is(source, i, record))
			return true;
	return false;
}

/* Token of the `<` before a call's parenthesis at `open`; `open` itself where there are no template arguments. */
static unsigned template_arguments(const struct edit_source *source, unsigned first, unsigned open)
{
	unsigned less = open - 1;

	if (!edit_is(source, open - 1, ">"))
		return open;
	while (less > first && !edit_is(source, less, "<"))
		less--;
	return less;
}

bool rehost_maker_read(const struct rewriter *rewriter, const struct rehost_plan *host, struct range range,
                       struct rehost_maker *maker)
{
	const struct edit_source *source = rewriter->source;
	unsigned first = edit_token_at(source, range.begin), last = edit_token_at(source, range.end), open, less;

	*maker = (struct rehost_maker){0};
	if (range_is_empty(range) || last == 0 || !edit_is(source, last - 1, ")") ||
	    source->tokens[last - 1].match == last - 1)
		return false;
	open = source->tokens[last - 1].match;
	if (open <= first || host->plan->group->form != FORM_STRUCT)
		return false;
	less = template_arguments(source, first, open);
	if (less == first || (less < open && !tokens_name_record(source, less + 1, open - 1)) ||
	    !tokens_name_record(source, first, less))
		return false;
	maker->name = (struct range){source->tokens[less - 1].begin, source->tokens[less - 1].end};
	maker->called = (struct range){source->tokens[first].begin, source->tokens[less - 1].end};
	maker->argument_count = edit_list_split(source, open, maker->arguments, REHOST_MAKER_ARGUMENTS);
	for (unsigned a = 0; a < maker->argument_count; a++)
		if (argument_has_size(source, maker->arguments[a], host->plan->base))
			return false;
	if (less == open)
		return maker->argument_count == 1 &&
		       rehost_vector_read(rewriter, host, maker->arguments[0], &maker->vector);
	return maker->argument_count == 1;
}

/* Whether the name at token i is multiplied by the size of a type there. */
static bool is_times_size(const struct edit_source *source, unsigned i)
{
	struct edit_match match;

	return edit_match_at(source, i, "$count * sizeof($type)", &match) ||
	       (i >= 5 && edit_match_at(source, i - 5, "sizeof($type) * $count", &match));
}

/* Whether all that a function does with its first parameter is to multiply it by the size of a type. */
static bool counts_elements(const struct rewriter *rewriter, const struct function *function)
{
	const struct edit_source *source = rewriter->source;
	struct range braces = edit_function_braces(source, function);
	struct edit_function tokens;
	unsigned uses = 0;

	if (!edit_function_read(source, function, &tokens) || tokens.close == tokens.open + 1)
		return false;
	for (unsigned i = tokens.close; i < source->token_count && source->tokens[i].begin < braces.end; i++) {
		if (!edit_range_is(source, (struct range){source->tokens[i].begin, source->tokens[i].end},
		                   edit_copy(rewriter->arena, source,
		                             (struct range){source->tokens[tokens.close - 1].begin,
		                                            source->tokens[tokens.close - 1].end})))
			continue;
		if (!is_times_size(source, i))
			return false;
		uses++;
	}
	return uses > 0;
}

static bool maker_counts_elements(const struct rewriter *rewriter, const struct rehost_maker *maker)
{
	const struct function *found = NULL;

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++)
		if (edit_range_is(rewriter->source, maker->name, rewriter->analysis->functions[f].name)) {
			if (found)
				return false;
			found = &rewriter->analysis->functions[f];
		}
	return found && maker->argument_count == 1 && counts_elements(rewriter, found);
}

bool rehost_maker_can_follow(const struct rewriter *rewriter, const struct rehost_plan *host,
                             const struct rehost_maker *maker)
{
	const struct placement *placement = host->plan->placement;

	if (host->plan->group->written_tile > 0)
		return false;
	for (unsigned f = 0; !placement->layout->declare && f < host->plan->group->field_count; f++)
		if (host->plan->group->fields[f].count > 1)
			return false;
	return maker->vector.name || maker_counts_elements(rewriter, maker);
}

void rehost_maker_write(struct text *out, const struct rewriter *rewriter, struct rehost_plan *host,
                        const struct rehost_maker *maker, unsigned buffer)
{
	const struct placement *placement = host->plan->placement;
	const struct edit_source *source = rewriter->source;
	const char *type = placement->layout->declare
	                           ? host->plan->type_name
	                           : host->plan->group->fields[placement->buffers[buffer].field].type;
	const char *argument = edit_copy(rewriter->arena, source, maker->arguments[0]);

	text_puts(out, edit_copy(rewriter->arena, source, maker->called));
	if (maker->vector.name) {
		text_puts(out, "(");
		rehost_vector_write(out, rewriter, host, &maker->vector, buffer);
	} else if (placement->tile > 1) {
		text_printf(out, edit_is_primary(argument) ? "<%s>((%s + %u) / %u" : "<%s>(((%s) + %u) / %u", type,
		            argument, placement->tile - 1, placement->tile);
	} else {
		text_printf(out, "<%s>(%s", type, argument);
	}
	text_puts(out, ")");
}

/* ---- pointers of the group as values --------------------------------------------------------- */

/* Whether tokens [begin, end) can be evaluated several times. */
static bool is_repeatable(const struct edit_source *source, unsigned begin, unsigned end)
{
	static const char *const changing[] = {"=", "++", "--", "+=", "-=", "?"};

	for (unsigned i = begin; i < end; i++) {
		if (edit_is(source, i, "(") && i > begin && source->tokens[i - 1].kind == TOKEN_IDENTIFIER)
			return false;
		for (unsigned c = 0; c < ARRAY_COUNT(changing); c++)
			if (edit_is(source, i, changing[c]))
				return false;
	}
	return true;
}

bool rehost_selection_read(const struct rewriter *rewriter, const struct rehost_plan *host, struct range range,
                           struct rehost_selection *selection)
{
	const struct edit_source *source = rewriter->source;
	unsigned begin = edit_token_at(source, range.begin), end = edit_token_at(source, range.end), question = end;

	*selection = (struct rehost_selection){.whole = range, .operands = {end - 1, end - 1}, .count = 1};
	if (range_is_empty(range) || host->plan->group->form != FORM_STRUCT || host->plan->group->family)
		return false;
	if (end > begin + 4 && edit_is(source, end - 4, "?") && edit_is(source, end - 2, ":")) {
		question = end - 4;
		selection->operands[0] = end - 3;
		selection->count = 2;
	}
	if (question == end ? end != begin + 1 : !is_repeatable(source, begin, question))
		return false;
	for (unsigned o = 0; o < selection->count; o++) {
		selection->arrays[o] = rehost_array_at(rewriter, source->tokens[selection->operands[o]].begin);
		if (!selection->arrays[o] || selection->arrays[o]->element.record != host->plan->group->record)
			return false;
	}
	return true;
}

bool rehost_selection_declared(const struct rewriter *rewriter, const struct rehost_plan *host,
                               const struct host_array *array, struct rehost_selection *selection)
{
	struct edit_declaration declaration;

	for (unsigned r = 0; r < array->reference_count; r++) {
		struct range name = array->references[r].name;

		if (array->references[r].use != HOST_DECLARE || range_is_empty(name) ||
		    !edit_declaration_read(rewriter->source, name, &declaration))
			continue;
		for (unsigned d = 0; d < declaration.declarator_count; d++)
			if (declaration.declarators[d].end == name.end)
				return rehost_selection_read(rewriter, host, declaration.initialisers[d], selection);
	}
	return false;
}

static bool is_operand(const struct rewriter *rewriter, const struct rehost_selection *selection, struct range mention)
{
	for (unsigned o = 0; o < selection->count; o++)
		if (rewriter->source->tokens[selection->operands[o]].begin == mention.begin)
			return true;
	return false;
}

bool rehost_is_selected(const struct rewriter *rewriter, const struct rehost_plan *host, struct range mention)
{
	struct rehost_selection selection;

	for (unsigned m = 0; m < host->member_count; m++)
		if (!host->members[m].parameter.function &&
		    rehost_selection_declared(rewriter, host, host->members[m].array, &selection) &&
		    is_operand(rewriter, &selection, mention))
			return true;
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned l = 0; plan->changed && l < plan->kernel->launch_count; l++)
			for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
				if (plan->bindings[p] && plan->bindings[p]->group == host->plan->group &&
				    range_contains(plan->kernel->launches[l]->arguments[p].range, mention) &&
				    rehost_selection_read(rewriter, host, plan->kernel->launches[l]->arguments[p].range,
				                          &selection) &&
				    is_operand(rewriter, &selection, mention))
					return true;
	}
	return false;
}

const char *rehost_selection_text(const struct rewriter *rewriter, const struct rehost_plan *host,
                                  const struct rehost_selection *selection, unsigned buffer)
{
	const struct edit_source *source = rewriter->source;
	unsigned at = selection->whole.begin;
	const char *text = "";

	for (unsigned o = 0; o < selection->count; o++) {
		const struct edit_token *token = &source->tokens[selection->operands[o]];
		const char *name = selection->arrays[o]->name;

		for (unsigned m = 0; !rewriter_joins_pointers(host->plan) && m < host->member_count; m++)
			if (host->members[m].array == selection->arrays[o])
				name = host->members[m].names[buffer];
		text = arena_printf(
			rewriter->arena, "%s%s%s", text,
			at < token->begin ? edit_copy(rewriter->arena, source, (struct range){at, token->begin}) : "",
			name);
		at = token->end;
	}
	return edit_single_line(rewriter->arena, text);
}

bool rehost_is_in_freed_list(const struct rewriter *rewriter, struct range mention)
{
	static const char *const loops[] = {
		"for (void *$p : $all) cudaFree($p);", "for (void *$p : $all) $check(cudaFree($p));",
		"for (auto $p : $all) cudaFree($p);", "for (auto $p : $all) $check(cudaFree($p));"};
	const struct edit_source *source = rewriter->source;
	unsigned i = edit_token_at(source, mention.begin), open = source->tokens[i].brace, mentions = 0;
	const char *name;
	bool freed = false;

	if (open == EDIT_NO_TOKEN || open < 6 || !edit_is(source, open - 1, "=") || !edit_is(source, open - 2, "]") ||
	    !edit_is(source, open - 3, "[") || !edit_is(source, open - 5, "*") || !edit_is(source, open - 6, "void") ||
	    (!edit_is(source, i - 1, "{") && !edit_is(source, i - 1, ",")) ||
	    (!edit_is(source, i + 1, "}") && !edit_is(source, i + 1, ",")))
		return false;
	name = edit_copy(rewriter->arena, source,
	                 (struct range){source->tokens[open - 4].begin, source->tokens[open - 4].end});
	for (unsigned t = open; t < source->token_count && source->tokens[t].brace != EDIT_NO_TOKEN; t++) {
		struct edit_match match;

		mentions += edit_is(source, t, name);
		for (unsigned l = 0; edit_is(source, t, "for") && l < ARRAY_COUNT(loops); l++)
			freed |= edit_match_at(source, t, loops[l], &match) &&
			         edit_range_is(source, edit_hole(&match, "all"), name);
	}
	return freed && mentions == 1;
}

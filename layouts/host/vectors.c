/*
 * Vectors of records on the host that templates of the program's own send to the device: what they send instead is made of such a vector, member by member, or
 * in the records that the layout has.
 */
#include "layouts/host/internal.h"

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
	text_printf(out, "%s(%s, &%s::%s)", rehost_helper_use(host->helpers, HELPER_GATHERED), vector->name, vector->record,
	            host->plan->group->fields[buffer].path);
}

void rehost_packer_write(struct text *out, const struct rehost_plan *host)
{
	const struct placement *placement = host->plan->placement;
	const char *type = host->plan->type_name, *const pointers[] = {"packed"};

	if (!host->packer)
		return;
	text_printf(out, "static std::vector<%s> %s(const std::vector<%s> &records)\n{\n", type, host->packer, host->packed_record);
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

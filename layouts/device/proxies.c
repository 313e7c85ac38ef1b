/*
 * Proxies: types that stand for `point *` and `point &` in device code where a record's members lie apart.
 *
 * A pointer is the new pointers and an index; an element is a struct of references to the members, which converts to
 * the record and takes its values. Both vanish when the compiler inlines them. For members of joined arrays an
 * element is a plain reference, and only the pointer is needed.
 */
#include "layouts/device/internal.h"

#include <string.h>

/* ---- can there be any? ----------------------------------------------------------------------- */

static bool is_tiled(const struct group_plan *plan)
{
	return plan->placement->tile > 1;
}

/* Whether a record in the record, at any depth, has a type without a name. */
static bool has_unnamed_part(struct arena *arena, const struct record *record)
{
	for (unsigned m = 0; record && m < record->member_count; m++) {
		const struct record *part = record_inside(&record->members[m]);
		const char *name = part ? edit_spelling(arena, part->name) : "";
		if (strstr(name, "(unnamed") || strstr(name, "(anonymous") || has_unnamed_part(arena, part))
			return true;
	}
	return false;
}

const char *device_proxy_refusal(const struct rewriter *rewriter, const struct group_plan *plan)
{
	const struct layout_group *group = plan->group;
	if (group->record && device_record_kind(rewriter, group->record) < DEVICE_RECORD_RAW)
		return "it cannot be made without arguments, or has private members";
	for (unsigned f = 0; f < group->field_count; f++) {
		if (strchr(group->fields[f].path, '.') && has_unnamed_part(rewriter->arena, group->record))
			return "the type of a member has no name";
		if (group->form == FORM_STRUCT && group_field_is_scattered(group, f))
			return "a member is an array of records";
	}
	return NULL;
}

const struct device_proxy *device_proxy_find(struct rewriter *rewriter, const struct group_plan *plan,
                                             const struct layout_binding *binding)
{
	const char *base = plan->base, *prefix = binding->parameter->is_const ? "const_" : "";
	struct device_proxy *proxy;
	for (unsigned i = 0; i < rewriter->proxy_count; i++) {
		proxy = rewriter->proxies[i];
		if (proxy->plan == plan && proxy->field == binding->field &&
		    proxy->is_const == binding->parameter->is_const) {
			if (binding->kernel->definition.begin < proxy->position)
				proxy->position = binding->kernel->definition.begin;
			return proxy;
		}
	}
	if (plan->group->form == FORM_ARRAYS)
		base = arena_printf(rewriter->arena, "%s_%s", plan->base, plan->group->fields[binding->field].name);
	proxy = arena_alloc(rewriter->arena, sizeof(*proxy));
	*proxy = (struct device_proxy){.plan = plan,
	                               .field = binding->field,
	                               .is_const = binding->parameter->is_const,
	                               .position = binding->kernel->definition.begin};
	proxy->pointer_name = rewriter_name(rewriter, arena_printf(rewriter->arena, "%s%s_pointer", prefix, base));
	proxy->reference_name = rewriter_name(rewriter, arena_printf(rewriter->arena, "%s%s_reference", prefix, base));
	ARENA_PUSH(rewriter->arena, rewriter->proxies, rewriter->proxy_count, proxy);
	return proxy;
}

void device_proxy_declare(struct text *out, const struct device_proxy *proxy, const char *name,
                          const char *const *pointers)
{
	text_printf(out, "%s %s = {", proxy->pointer_name, name);
	for (unsigned b = 0; b < proxy->plan->placement->buffer_count; b++)
		text_printf(out, "%s, ", pointers[b]);
	text_puts(out, "0};");
}

/* ---- pieces ------------------------------------------------------------------------------------- */

/* A proxy being written. */
struct writer {
	struct text *out;
	struct arena *arena;
	const struct rewriter *rewriter;
	const struct device_proxy *proxy;
	const struct group_plan *plan;
	const struct device_proxy
		*constant; /* the const proxy of the same records, that this one converts to, or NULL */
};

#define INLINE "__host__ __device__ "

/* The name of a pointer's member for a buffer: "x_values", "records". */
static const char *buffer_name(const struct writer *writer, unsigned buffer)
{
	if (writer->plan->placement->buffer_count == 1)
		return "records";
	return arena_printf(writer->arena, "%s_values", writer->plan->placement->buffers[buffer].name);
}

static const char *constness(const struct writer *writer)
{
	return writer->proxy->is_const ? "const " : "";
}

/* The type of an element: the struct of references, or "float &". */
static const char *element_type(const struct writer *writer)
{
	if (writer->plan->group->form == FORM_STRUCT)
		return arena_printf(writer->arena, "%s ", writer->proxy->reference_name);
	return arena_printf(writer->arena, "%s%s &", constness(writer),
	                    writer->plan->group->fields[writer->proxy->field].type);
}

/* The field of the element at `index`, of a pointer's own members; inner: "[0]" or "". */
static void field_write(const struct writer *writer, unsigned field, const char *inner)
{
	const struct placement *placement = writer->plan->placement;
	const char **names = arena_array(writer->arena, placement->buffer_count, sizeof(*names));
	struct row_site site = {names, field, "index", "index", inner};
	for (unsigned b = 0; b < placement->buffer_count; b++)
		names[b] = buffer_name(writer, b);
	placement->layout->access(writer->out, placement, &site);
}

/* ---- the pointer ---------------------------------------------------------------------------------- */

/* Writes a conversion to the const proxy. */
static void conversion_write(const struct writer *writer)
{
	const char *name = writer->constant->pointer_name;
	text_printf(writer->out, "\t" INLINE "operator %s() const { return %s{", name, name);
	for (unsigned b = 0; b < writer->plan->placement->buffer_count; b++)
		text_printf(writer->out, "%s, ", buffer_name(writer, b));
	text_puts(writer->out, "index}; }\n");
}

/* Writes how far two pointers are apart, which may have come as different parameters. */
static void distance_write(const struct writer *writer)
{
	const char *name = writer->proxy->pointer_name, *buffer = buffer_name(writer, 0);
	static const char *const rare[] = {">", "<=", ">="};
	const struct placement *placement = writer->plan->placement;
	struct text *out = writer->out;
	text_printf(out, "\t" INLINE "long long operator-(const %s &other) const { return ", name);
	text_printf(out, "(%s - other.%s)", buffer, buffer);
	if (placement->layout->tiled)
		text_printf(out, " * %u", placement->tile);
	text_puts(out, " + index - other.index; }\n");
	text_printf(out, "\t" INLINE "bool operator==(const %s &other) const { return *this - other == 0; }\n", name);
	text_printf(out, "\t" INLINE "bool operator!=(const %s &other) const { return *this - other != 0; }\n", name);
	text_printf(out, "\t" INLINE "bool operator<(const %s &other) const { return *this - other < 0; }\n", name);
	for (unsigned o = 0; o < ARRAY_COUNT(rare); o++)
		if (writer->plan->group->record &&
		    rewriter_compares(writer->rewriter, writer->plan->group->record->name, rare[o]))
			text_printf(out,
			            "\t" INLINE
			            "bool operator%s(const %s &other) const { return *this - other %s 0; }\n",
			            rare[o], name, rare[o]);
}

static void pointer_write(const struct writer *writer)
{
	const char *name = writer->proxy->pointer_name, *element = element_type(writer);
	const struct placement *placement = writer->plan->placement;
	struct text *out = writer->out;
	text_printf(out, "struct %s {\n", name);
	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct row_pointer spelling = {constness(writer), "", buffer_name(writer, b)};
		text_puts(out, "\t");
		placement->layout->pointer(out, placement, b, writer->plan->type_name, &spelling);
		text_puts(out, ";\n");
	}
	text_puts(out, "\tlong long index;\n\n");
	text_printf(out, "\t" INLINE "%soperator*() const;\n", element);
	if (writer->plan->group->form == FORM_STRUCT)
		text_printf(out, "\t" INLINE "%soperator->() const;\n", element);
	text_printf(out, "\t" INLINE "%soperator[](long long i) const;\n", element);
	text_printf(out, "\t" INLINE "%s &operator+=(long long i) { index += i; return *this; }\n", name);
	text_printf(out, "\t" INLINE "%s &operator-=(long long i) { index -= i; return *this; }\n", name);
	text_printf(out, "\t" INLINE "%s &operator++() { return *this += 1; }\n", name);
	text_printf(out, "\t" INLINE "%s &operator--() { return *this -= 1; }\n", name);
	text_printf(out, "\t" INLINE "%s operator++(int) { %s old = *this; *this += 1; return old; }\n", name, name);
	text_printf(out, "\t" INLINE "%s operator--(int) { %s old = *this; *this -= 1; return old; }\n", name, name);
	text_printf(out, "\t" INLINE "%s operator+(long long i) const { %s sum = *this; return sum += i; }\n", name,
	            name);
	text_printf(out, "\t" INLINE "%s operator-(long long i) const { %s sum = *this; return sum -= i; }\n", name,
	            name);
	distance_write(writer);
	if (writer->constant)
		conversion_write(writer);
	text_puts(out, "};\n\n");
}

/* ---- the element ----------------------------------------------------------------------------------- */

/* Calls visit for each member of a record that is no record; path from the outermost record. */
static unsigned field_at(const struct layout_group *group, const char *path)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (strcmp(group->fields[f].path, path) == 0)
			return f;
	bug("no field %s", path);
}

static const char *member_path(struct arena *arena, const char *prefix, const struct member *member)
{
	return *prefix ? arena_printf(arena, "%s.%s", prefix, member->name) : member->name;
}

/* Copies every scalar of a record: `value.x = x;` or, back, `x = value.x;`. */
static void scalars_write(const struct writer *writer, const struct record *record, const char *prefix, bool back)
{
	for (unsigned m = 0; m < record->member_count; m++) {
		const struct member *member = &record->members[m];
		const char *path = member_path(writer->arena, prefix, member), *index = "";

		if (record_inside(member)) {
			scalars_write(writer, member->type.record, path, back);
			continue;
		}
		for (unsigned d = 0; d < member->dimension_count; d++) {
			text_printf(writer->out, "for (int i%u = 0; i%u < %u; i%u++) ", d, d, member->dimensions[d], d);
			index = arena_printf(writer->arena, "%s[i%u]", index, d);
		}
		text_printf(writer->out, back ? "this->%s%s = value.%s%s; " : "value.%s%s = this->%s%s; ", path, index,
		            path, index);
	}
}

/* Passes an operator on to a copy of the value; one that assigns, from there back. */
static void operator_write(const struct writer *writer, const struct device_method *method, const char *type,
                           const char *name, const char *indent)
{
	bool subscripts = strcmp(method->name, "[]") == 0;
	const char *sign = subscripts ? "[" : method->name, *behind = subscripts ? "]" : "";

	if (!method->is_unary)
		text_printf(writer->out,
		            "template <typename right_type, typename = decltype((*(%s *)0) %s *(const right_type "
		            "*)0%s)>\n%s",
		            type, sign, behind, indent);
	if (method->changes)
		text_printf(writer->out, INLINE "const %s &", name);
	else
		text_puts(writer->out, INLINE "auto ");
	text_printf(writer->out, "operator%s(%s) const { %s value = *this; ", method->name,
	            method->is_unary ? "" : "const right_type &right", type);
	text_puts(writer->out, method->changes ? "" : "return ");
	if (method->is_unary)
		text_printf(writer->out, "%svalue; ", sign);
	else
		text_printf(writer->out, subscripts ? "value[right]; " : "value %s right; ", sign);
	text_puts(writer->out, method->changes ? "return *this = value; }\n" : "}\n");
}

/* Passes a method on to a copy of the value; one that changes it, from there back. */
static void method_write(const struct writer *writer, const struct device_method *method, const char *type,
                         const char *name, const char *indent)
{
	const char *call = arena_printf(writer->arena, "value.%s(arguments...)", method->name);

	text_printf(writer->out, "template <typename... argument_types>\n%s" INLINE, indent);
	if (method->changes && method->result == RESULT_ITSELF)
		text_printf(writer->out, "const %s &", name);
	else
		text_puts(writer->out, method->changes && method->result == RESULT_NOTHING ? "void " : "auto ");
	text_printf(writer->out, "%s(argument_types &&...arguments) const { %s%s value = *this; ", method->name,
	            method->changes ? "" : "const ", type);
	if (!method->changes)
		text_printf(writer->out, "return %s; }\n", call);
	else if (method->result == RESULT_VALUE)
		text_printf(writer->out, "auto result = %s; *this = value; return result; }\n", call);
	else
		text_printf(writer->out, "%s; %s*this = value; }\n", call,
		            method->result == RESULT_ITSELF ? "return " : "");
}

/* What can be done with a value of the record, where it takes more than the conversion. */
static void methods_write(const struct writer *writer, const struct record *record, const char *name,
                          const char *indent)
{
	const char *type = rewriter_record_name(writer->rewriter, record);
	unsigned count;
	const struct device_method *methods = device_record_methods(writer->rewriter, record, &count);

	for (unsigned m = 0; m < count; m++) {
		if (methods[m].changes && writer->proxy->is_const)
			continue;
		text_puts(writer->out, indent);
		if (methods[m].is_operator)
			operator_write(writer, &methods[m], type, name, indent);
		else
			method_write(writer, &methods[m], type, name, indent);
	}
}

/* Conversion to the record and, where it is not const, assignment from it. */
static void values_write(const struct writer *writer, const struct record *record, const char *name, const char *indent)
{
	const char *type = rewriter_record_name(writer->rewriter, record);

	text_printf(writer->out, "%s" INLINE "operator %s() const { %s ", indent, type,
	            device_record_variable(writer->rewriter, record, "value"));
	scalars_write(writer, record, "", false);
	text_puts(writer->out, "return value; }\n");
	methods_write(writer, record, name, indent);
	if (writer->proxy->is_const)
		return;
	text_printf(writer->out, "%s" INLINE "const %s &operator=(const %s &value) const { ", indent, name, type);
	scalars_write(writer, record, "", true);
	text_puts(writer->out, "return *this; }\n");
	text_printf(writer->out,
	            "%s" INLINE "const %s &operator=(const %s &other) const { return *this = (%s)other; }\n", indent,
	            name, name, type);
}

/* The type of a member array in tiles, whose scalars lie a tile's lanes apart: from dimension d on. */
static void tiled_array_write(const struct writer *writer, const struct member *member, unsigned d)
{
	const char *type = edit_spelling(writer->arena, member->type.spelling);
	unsigned stride = writer->plan->placement->tile;

	text_printf(writer->out, "struct %s{ %s%s *first; ", d > 0 ? arena_printf(writer->arena, "row%u ", d) : "",
	            constness(writer), type);
	if (d + 1 < member->dimension_count) {
		for (unsigned below = d + 1; below < member->dimension_count; below++)
			stride *= member->dimensions[below];
		tiled_array_write(writer, member, d + 1);
		text_printf(writer->out, "; " INLINE "row%u operator[](int i) const { return {first + i * %u}; } }",
		            d + 1, stride);
	} else {
		text_printf(writer->out, INLINE "%s%s &operator[](int i) const { return first[i * %u]; } }",
		            constness(writer), type, stride);
	}
}

/* The struct of references for the member at a path: no struct around it and no member has its name. */
static const char *nested_name(const struct writer *writer, const char *path)
{
	char *base = arena_printf(writer->arena, "%s_reference", path);

	for (char *at = strchr(base, '.'); at; at = strchr(at, '.'))
		*at = '_';
	return rewriter_name(writer->rewriter, base);
}

/* Declares the references to a record's members; records in it become structs of their own. */
static void members_write(const struct writer *writer, const struct record *record, const char *prefix,
                          const char *indent)
{
	for (unsigned m = 0; m < record->member_count; m++) {
		const struct member *member = &record->members[m];
		const char *path = member_path(writer->arena, prefix, member);
		struct text *out = writer->out;

		if (record_inside(member)) {
			const char *name = nested_name(writer, path),
				   *inside = arena_printf(writer->arena, "%s\t", indent);

			text_printf(out, "%sstruct %s {\n", indent, name);
			members_write(writer, member->type.record, path, inside);
			values_write(writer, member->type.record, name, inside);
			text_printf(out, "%s} %s;\n", indent, member->name);
		} else if (member->dimension_count == 0) {
			text_printf(out, "%s%s%s &%s;\n", indent, constness(writer),
			            edit_spelling(writer->arena, member->type.spelling), member->name);
		} else if (is_tiled(writer->plan)) {
			text_puts(out, indent);
			tiled_array_write(writer, member, 0);
			text_printf(out, " %s;\n", member->name);
		} else {
			text_printf(out, "%s%s%s (&%s)", indent, constness(writer),
			            edit_spelling(writer->arena, member->type.spelling), member->name);
			for (unsigned d = 0; d < member->dimension_count; d++)
				text_printf(out, "[%u]", member->dimensions[d]);
			text_puts(out, ";\n");
		}
	}
}

static void reference_write(const struct writer *writer)
{
	const struct record *record = writer->plan->group->record;
	const char *name = writer->proxy->reference_name;

	text_printf(writer->out, "struct %s {\n\t%s address_;\n", name, writer->proxy->pointer_name);
	members_write(writer, record, "", "\t");
	text_puts(writer->out, "\n");
	text_printf(writer->out, "\t" INLINE "%s operator&() const { return address_; }\n",
	            writer->proxy->pointer_name);
	text_printf(writer->out, "\t" INLINE "const %s *operator->() const { return this; }\n", name);
	values_write(writer, record, name, "\t");
	text_puts(writer->out, "};\n\n");
}

/* The references of an element, in the order of the members: "x_values[index], {...}". */
static void initialisers_write(const struct writer *writer, const struct record *record, const char *prefix)
{
	for (unsigned m = 0; m < record->member_count; m++) {
		const struct member *member = &record->members[m];
		const char *path = member_path(writer->arena, prefix, member), *first = "";

		text_puts(writer->out, m > 0 ? ", " : "");
		if (record_inside(member)) {
			text_puts(writer->out, "{");
			initialisers_write(writer, member->type.record, path);
			text_puts(writer->out, "}");
		} else if (member->dimension_count > 0 && is_tiled(writer->plan)) {
			text_puts(writer->out, "{&");
			for (unsigned d = 0; d < member->dimension_count; d++)
				first = arena_printf(writer->arena, "%s[0]", first);
			field_write(writer, field_at(writer->plan->group, path), first);
			text_puts(writer->out, "}");
		} else {
			field_write(writer, field_at(writer->plan->group, path), "");
		}
	}
}

/* The pointer's functions that need the element's type. */
static void dereference_write(const struct writer *writer)
{
	const char *name = writer->proxy->pointer_name, *element = element_type(writer);
	struct text *out = writer->out;

	text_printf(out, INLINE "inline %s%s::operator*() const { return ", element, name);
	if (writer->plan->group->form == FORM_STRUCT) {
		text_printf(out, "%s{*this, ", writer->proxy->reference_name);
		initialisers_write(writer, writer->plan->group->record, "");
		text_puts(out, "}");
	} else {
		field_write(writer, writer->proxy->field, "");
	}
	text_puts(out, "; }\n");
	if (writer->plan->group->form == FORM_STRUCT)
		text_printf(out, INLINE "inline %s%s::operator->() const { return **this; }\n", element, name);
	text_printf(out, INLINE "inline %s%s::operator[](long long i) const { return *(*this + i); }\n\n", element,
	            name);
}

/* ---- all of them ------------------------------------------------------------------------------------- */

static void proxy_write(struct writer *writer)
{
	if (writer->plan->group->form == FORM_STRUCT) {
		text_printf(
			writer->out,
			"/* Stand for `%s%s *` and `%s%s &` where the kernels have their own layout. */\nstruct %s;\n",
			constness(writer), writer->plan->group->name, constness(writer), writer->plan->group->name,
			writer->proxy->reference_name);
		pointer_write(writer);
		reference_write(writer);
	} else {
		text_printf(writer->out, "/* Stands for `%s%s *`: member %s of the records. */\n", constness(writer),
		            writer->plan->group->fields[writer->proxy->field].type,
		            writer->plan->group->fields[writer->proxy->field].name);
		pointer_write(writer);
	}
	dereference_write(writer);
}

/* The const proxy of the same records, or NULL. */
static const struct device_proxy *constant_of(const struct rewriter *rewriter, const struct device_proxy *proxy)
{
	for (unsigned i = 0; !proxy->is_const && i < rewriter->proxy_count; i++) {
		const struct device_proxy *other = rewriter->proxies[i];

		if (other->is_const && other->plan == proxy->plan && other->field == proxy->field)
			return other;
	}
	return NULL;
}

/* Whether a changed kernel uses the proxy. */
static bool is_used(const struct rewriter *rewriter, const struct device_proxy *proxy)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++)
		for (unsigned p = 0; p < rewriter->kernel_plans[k].kernel->parameter_count; p++)
			if (rewriter->kernel_plans[k].changed && rewriter->kernel_plans[k].proxies[p] == proxy)
				return true;
	return proxy->is_held && proxy->plan->used;
}

/* Inserts the definitions of a group's proxies, before the first kernel that has one. */
static void group_proxies_edit(struct rewriter *rewriter, const struct group_plan *plan)
{
	unsigned place = rewriter->source->length;
	struct text out = {0};

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < rewriter->proxy_count; i++) {
			struct device_proxy *proxy = rewriter->proxies[i];
			struct writer writer = {
				&out, rewriter->arena, rewriter, proxy, plan, constant_of(rewriter, proxy)};

			if (proxy->plan != plan || proxy->is_const != (pass == 0) || !is_used(rewriter, proxy))
				continue;
			place = proxy->position < place ? proxy->position : place;
			if (writer.constant && !is_used(rewriter, writer.constant))
				writer.constant = NULL;
			proxy_write(&writer);
		}
	if (out.length == 0)
		return;
	place = device_place_before(rewriter->source, place);
	edit_add(&rewriter->edits, (struct range){place, place}, rewriter_block(rewriter, &out, place));
}

void device_proxies_edit(struct rewriter *rewriter)
{
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		group_proxies_edit(rewriter, &rewriter->group_plans[g]);
}

/*
 * The texts of the calls that take the place of one.
 *
 * Everything is done member by member: cudaMemcpy2D leads from values that lie pitch bytes apart on the host to
 * values that lie one record, or one scalar, apart on the device. Tiles have helpers with the same arguments.
 */
#include "layouts/host/internal.h"

/* Writes the indices of a scalar in a member array: "[1][0]". */
static void inner_write(struct text *out, const struct layout_field *field, unsigned inner)
{
	uint64_t below = field->count;

	for (unsigned d = 0; d < field->dimension_count; d++) {
		below /= field->dimensions[d];
		text_printf(out, "[%u]", (unsigned)(inner / below));
		inner %= (unsigned)below;
	}
}

/* The pointer to one of the buffers, at the element that the call begins with: "p_x", "p_x + i". */
static void buffer_write(struct text *out, const struct edits *edits, const struct edit *edit,
                         const struct rehost_call_edit *call, const struct rehost_member *member, unsigned buffer)
{
	struct range first = member == call->member ? call->operation.first : call->operation.source_first;

	text_puts(out, member->names[buffer]);
	if (range_is_empty(first))
		return;
	text_puts(out, " + ");
	edit_render(out, edits, first, edit);
}

/* The field's place on the device: "p_x", "&p->x", "p->x[1]". */
static void device_write(struct text *out, const struct edits *edits, const struct edit *edit,
                         const struct rehost_call_edit *call, const struct rehost_member *member,
                         const struct rehost_part *part)
{
	if (is_separate(call)) {
		buffer_write(out, edits, edit, call, member, part->buffer);
		return;
	}
	text_printf(out, "%s%s->%s", is_tiled(call) ? "" : "&", member->names[0], field_of(call, part->field)->name);
	if (is_tiled(call))
		inner_write(out, field_of(call, part->field), part->inner);
}

/* Bytes of the field in one element: "sizeof(float)", "4 * sizeof(float)". */
static void width_write(struct text *out, const struct rehost_call_edit *call, const struct rehost_part *part)
{
	const struct layout_field *field = field_of(call, part->field);

	if (!is_tiled(call) && field->count > 1 && !placement_of(call)->fields[part->field].is_split)
		text_printf(out, "%llu * ", (unsigned long long)field->count);
	text_printf(out, "sizeof(%s)", field->type);
}

/* Bytes from the field in one element, or tile, to that in the next. */
static void device_pitch_write(struct text *out, const struct rehost_call_edit *call,
                               const struct rehost_member *member, const struct rehost_part *part)
{
	if (is_separate(call))
		width_write(out, call, part);
	else if (is_tiled(call))
		text_printf(out, "sizeof(*%s)", member->names[0]);
	else
		text_printf(out, "sizeof(%s)", call->member->plan->type_name);
}

/* Where the specifiers of what token i may declare begin: those of its statement, or of its own parameter. */
static unsigned specifiers_begin(const struct edit_source *source, unsigned i)
{
	unsigned first = i, comma = i;

	for (; first > 0 && source->tokens[first - 1].kind != TOKEN_DIRECTIVE; first--) {
		if (edit_is(source, first - 1, ";") || edit_is(source, first - 1, "{") ||
		    edit_is(source, first - 1, "}"))
			return first;
		if (edit_is(source, first - 1, "(") && source->tokens[first - 1].match >= i)
			return comma < i ? comma : first;
		if (edit_is(source, first - 1, ",") && comma == i)
			comma = first;
	}
	return first;
}

/* Whether the name at token i is declared with bounds that make it, or what it points to, an array of arrays:
 * `h[4][8]`, `(*h)[8]`. */
static bool has_rows(const struct edit_source *source, unsigned i)
{
	return (edit_is(source, i + 1, "[") && edit_is(source, source->tokens[i + 1].match + 1, "[")) ||
	       (edit_is(source, i + 1, ")") && edit_is(source, i + 2, "["));
}

/* Whether the declaration in which token i is declared spells the element's type, as it is or as the type of a
 * container's elements. */
static bool is_declared_with(const struct edit_source *source, unsigned i, const struct rehost_member *member)
{
	if (i == 0 ||
	    (source->tokens[i - 1].kind != TOKEN_IDENTIFIER && !edit_is(source, i - 1, "*") &&
	     !edit_is(source, i - 1, "&") && !edit_is(source, i - 1, ">") && !edit_is(source, i - 1, ",")) ||
	    has_rows(source, i))
		return false;
	for (unsigned first = specifiers_begin(source, i); first < i; first++) {
		struct range name = {source->tokens[first].begin, source->tokens[first].end};

		if (edit_range_is(source, name, member->type) || edit_range_is(source, name, member->spelled))
			return true;
	}
	return false;
}

/*
 * Whether the host's pointer is known to point to records: the variable that it names is declared with their type, and
 * is named alone, as the operand of a sum, by `data()` or by the address of an element.
 */
static bool points_to_records(const struct rehost_call_edit *call)
{
	static const char *const patterns[] = {"$name", "$name + @sum", "$name.data()", "&$name[@index]",
	                                       "&($name[@index])"};
	const struct edit_source *source = call->rewriter->source;
	struct edit_match match;
	bool known = false;

	for (unsigned p = 0; p < ARRAY_COUNT(patterns) && !known; p++)
		known = edit_match_range(source, call->operation.host, patterns[p], &match);
	for (unsigned i = 0; known && i < source->token_count && source->tokens[i].begin <= call->operation.host.begin;
	     i++) {
		struct range token = {source->tokens[i].begin, source->tokens[i].end}, name = edit_hole(&match, "name");

		if (token.end - token.begin == name.end - name.begin &&
		    memcmp(source->text + token.begin, source->text + name.begin, name.end - name.begin) == 0 &&
		    is_declared_with(source, i, call->member))
			return true;
	}
	return false;
}

/* The field's place on the host: what the call names, or that member of the records it points to. */
static void host_write(struct text *out, const struct edits *edits, const struct edit *edit,
                       const struct rehost_call_edit *call, const struct rehost_part *part)
{
	const char *host = edit_render_copy(edits, call->operation.host, edit);
	const struct layout_field *field = field_of(call, part->field);

	if (call->operation.field != ALL_FIELDS) {
		text_puts(out, host);
		return;
	}
	if (!points_to_records(call))
		text_printf(out, edit_is_primary(host) ? "&((%s *)%s)->%s" : "&((%s *)(%s))->%s", call->member->written,
		            host, field->path);
	else
		text_printf(out, edit_is_primary(host) ? "&%s->%s" : "&(%s)->%s", host, field->path);
	if (is_tiled(call) || placement_of(call)->fields[part->field].is_split)
		inner_write(out, field, part->inner);
}

static void host_pitch_write(struct text *out, const struct edits *edits, const struct edit *edit,
                             const struct rehost_call_edit *call, const struct rehost_part *part)
{
	if (call->operation.pitch.end > 0)
		edit_render(out, edits, call->operation.pitch, edit);
	else if (is_dense(call))
		text_printf(out, "sizeof(%s)", field_of(call, part->field)->type);
	else
		text_printf(out, "sizeof(%s)", call->member->written);
}

/* The number of elements. */
static void elements_write(struct text *out, const struct edits *edits, const struct edit *edit,
                           const struct rehost_call_edit *call)
{
	struct rehost_element element = rehost_member_element(call->member);

	if (call->operation.count.end > 0)
		edit_render(out, edits, call->operation.count, edit);
	else if (call->host->plan->group->written_tile > 0)
		rehost_tiled_count_write(out, edits, edit, call->operation.bytes, &element,
		                         call->host->plan->group->written_tile);
	else
		rehost_count_write(out, edits, edit, call->operation.bytes, &element);
}

/* The number of elements of the largest of the joined arrays, or of the array. */
static void largest_write(struct text *out, const struct edits *edits, const struct edit *edit,
                          const struct rehost_call_edit *call)
{
	if (call->size_count == 0)
		elements_write(out, edits, edit, call);
	for (unsigned s = 0; s < call->size_count; s++) {
		struct rehost_element element = rehost_member_element(call->size_members[s]);

		if (s + 1 < call->size_count)
			text_printf(out, "%s(", call->helpers->names[HELPER_LARGER]);
		rehost_count_write(out, edits, edit, call->sizes[s], &element);
		text_puts(out, s + 1 < call->size_count ? ", " : "");
	}
	for (unsigned s = 1; s < call->size_count; s++)
		text_puts(out, ")");
}

/* A stream, or flags, as the call has them. */
static void last_argument_write(struct text *out, const struct edits *edits, const struct edit *edit,
                                const struct rehost_call_edit *call)
{
	if (range_is_empty(call->operation.stream))
		return;
	text_puts(out, ", ");
	edit_render(out, edits, call->operation.stream, edit);
}

/* "cudaMalloc(&p_x, n * sizeof(float))" */
static void allocate_write(struct text *out, const struct edits *edits, const struct edit *edit,
                           const struct rehost_call_edit *call, const struct rehost_part *part)
{
	struct range pointer = call->operation.call.arguments[0];
	unsigned name = edit_token_at(edits->source, pointer.end) - 1, tile = placement_of(call)->tile;

	pointer.end = edits->source->tokens[name].begin;
	edit_render(out, edits, call->operation.call.name, edit);
	text_puts(out, "(");
	edit_render(out, edits, pointer, edit);
	text_printf(out, "%s, ", call->member->names[part->buffer]);
	text_puts(out, is_tiled(call) ? "(" : "");
	largest_write(out, edits, edit, call);
	if (is_tiled(call))
		text_printf(out, " + %u) / %u", tile - 1, tile);
	text_puts(out, " * ");
	if (is_separate(call))
		width_write(out, call, part);
	else
		text_printf(out, "sizeof(%s)", call->member->plan->type_name);
	last_argument_write(out, edits, edit, call);
	text_puts(out, ")");
}

/* The name of a function of the runtime, in the form that does not wait where the call has that. */
static const char *runtime_name(const struct rehost_call_edit *call, const char *name)
{
	return call->operation.is_async ? arena_printf(call->rewriter->arena, "%sAsync", name) : name;
}

/* The last argument of calls that do not wait. */
static void stream_write(struct text *out, const struct edits *edits, const struct edit *edit,
                         const struct rehost_call_edit *call)
{
	if (!call->operation.is_async)
		return;
	text_puts(out, ", ");
	if (range_is_empty(call->operation.stream))
		text_puts(out, "0");
	else
		edit_render(out, edits, call->operation.stream, edit);
}

/* Bytes of all values of a field where they lie together: "n * sizeof(float)". */
static void dense_bytes_write(struct text *out, const struct edits *edits, const struct edit *edit,
                              const struct rehost_call_edit *call, const struct rehost_part *part)
{
	elements_write(out, edits, edit, call);
	text_puts(out, " * ");
	width_write(out, call, part);
}

/* Writes the two sides of a copy, each with its pitch where that is asked for. */
static void sides_write(struct text *out, const struct edits *edits, const struct edit *edit,
                        const struct rehost_call_edit *call, const struct rehost_part *part, bool host_pitch,
                        bool device_pitch)
{
	bool in = call->operation.action == REHOST_TO_DEVICE;

	for (unsigned side = 0; side < 2; side++) {
		bool on_device = (side == 0) == in;

		if (on_device)
			device_write(out, edits, edit, call, call->member, part);
		else
			host_write(out, edits, edit, call, part);
		text_puts(out, on_device ? (device_pitch ? ", " : "") : (host_pitch ? ", " : ""));
		if (on_device && device_pitch)
			device_pitch_write(out, call, call->member, part);
		if (!on_device && host_pitch)
			host_pitch_write(out, edits, edit, call, part);
		text_puts(out, ", ");
	}
}

/* A copy between host and device. */
static void copy_write(struct text *out, const struct edits *edits, const struct edit *edit,
                       const struct rehost_call_edit *call, const struct rehost_part *part)
{
	bool in = call->operation.action == REHOST_TO_DEVICE, dense = is_dense(call) && !is_tiled(call);
	bool helps = is_tiled(call) || (dense && !is_separate(call));
	const char *name;

	if (helps)
		name = rehost_copy_helper(call->helpers, is_tiled(call), in, call->operation.is_async);
	else
		name = runtime_name(call, dense ? "cudaMemcpy" : "cudaMemcpy2D");
	text_printf(out, "%s(", name);
	sides_write(out, edits, edit, call, part, !dense, !dense || helps);
	if (!helps && dense) {
		dense_bytes_write(out, edits, edit, call, part);
	} else {
		if (!helps) {
			width_write(out, call, part);
			text_puts(out, ", ");
		}
		elements_write(out, edits, edit, call);
	}
	if (!helps)
		text_puts(out, in ? ", cudaMemcpyHostToDevice" : ", cudaMemcpyDeviceToHost");
	stream_write(out, edits, edit, call);
	text_puts(out, ")");
}

/* The host's pointer to records. */
static void records_write(struct text *out, const struct edits *edits, const struct edit *edit,
                          const struct rehost_call_edit *call)
{
	const char *host = edit_render_copy(edits, call->operation.host, edit);

	if (!points_to_records(call))
		text_printf(out, edit_is_primary(host) ? "(%s%s *)%s" : "(%s%s *)(%s)",
		            call->operation.action == REHOST_TO_DEVICE ? "const " : "", call->member->written, host);
	else
		text_puts(out, host);
}

void rehost_packed_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct rehost_call_edit *call = edit->context;
	bool to_host = call->operation.action == REHOST_TO_HOST;

	text_printf(out, "%s(", packing_use(call->host->packing, to_host, call->operation.is_async));
	for (unsigned side = 0; side < 2; side++) {
		if ((side == 0) == to_host) {
			records_write(out, edits, edit, call);
			text_puts(out, ", ");
		} else {
			for (unsigned b = 0; b < placement_of(call)->buffer_count; b++) {
				buffer_write(out, edits, edit, call, call->member, b);
				text_puts(out, ", ");
			}
		}
	}
	elements_write(out, edits, edit, call);
	stream_write(out, edits, edit, call);
	text_puts(out, ")");
}

/* The function that does to members of tiles, or of records in stride, what the call does. */
static const char *strided_name(const struct rehost_call_edit *call, enum rehost_helper helper,
                                enum rehost_helper async, const char *name)
{
	if (!is_tiled(call))
		return runtime_name(call, name);
	return call->helpers->names[call->operation.is_async ? async : helper];
}

/* A copy from device to device, of the same field or, for joined arrays, from another. */
static void between_write(struct text *out, const struct edits *edits, const struct edit *edit,
                          const struct rehost_call_edit *call, const struct rehost_part *part)
{
	struct rehost_part from = *part;

	if (call->operation.source_field != ALL_FIELDS)
		from.field = call->operation.source_field;
	if (is_separate(call)) {
		text_printf(out, "%s(", runtime_name(call, "cudaMemcpy"));
		buffer_write(out, edits, edit, call, call->member, part->buffer);
		text_puts(out, ", ");
		buffer_write(out, edits, edit, call, call->operation.source, part->buffer);
		text_puts(out, ", ");
		dense_bytes_write(out, edits, edit, call, part);
		text_puts(out, ", cudaMemcpyDeviceToDevice");
		stream_write(out, edits, edit, call);
		text_puts(out, ")");
		return;
	}
	text_printf(out, "%s(", strided_name(call, HELPER_BETWEEN_TILES, HELPER_BETWEEN_TILES_ASYNC, "cudaMemcpy2D"));
	device_write(out, edits, edit, call, call->member, part);
	text_puts(out, ", ");
	if (!is_tiled(call)) {
		device_pitch_write(out, call, call->member, part);
		text_puts(out, ", ");
	}
	device_write(out, edits, edit, call, call->operation.source, &from);
	text_puts(out, ", ");
	device_pitch_write(out, call, call->operation.source, part);
	text_puts(out, ", ");
	if (!is_tiled(call)) {
		width_write(out, call, part);
		text_puts(out, ", ");
	}
	elements_write(out, edits, edit, call);
	text_puts(out, is_tiled(call) ? "" : ", cudaMemcpyDeviceToDevice");
	stream_write(out, edits, edit, call);
	text_puts(out, ")");
}

static void set_write(struct text *out, const struct edits *edits, const struct edit *edit,
                      const struct rehost_call_edit *call, const struct rehost_part *part)
{
	if (is_separate(call)) {
		text_printf(out, "%s(", runtime_name(call, "cudaMemset"));
		buffer_write(out, edits, edit, call, call->member, part->buffer);
		text_puts(out, ", ");
		edit_render(out, edits, call->operation.value, edit);
		text_puts(out, ", ");
		dense_bytes_write(out, edits, edit, call, part);
		stream_write(out, edits, edit, call);
		text_puts(out, ")");
		return;
	}
	text_printf(out, "%s(", strided_name(call, HELPER_SET_TILES, HELPER_SET_TILES_ASYNC, "cudaMemset2D"));
	device_write(out, edits, edit, call, call->member, part);
	text_puts(out, ", ");
	device_pitch_write(out, call, call->member, part);
	text_puts(out, ", ");
	edit_render(out, edits, call->operation.value, edit);
	text_puts(out, ", ");
	if (!is_tiled(call)) {
		width_write(out, call, part);
		text_puts(out, ", ");
	}
	elements_write(out, edits, edit, call);
	stream_write(out, edits, edit, call);
	text_puts(out, ")");
}

/* The three statements for one buffer: "auto t_x = p_x;", "p_x = q_x;", "q_x = t_x;". */
static void exchange_write(struct text *out, const struct edits *edits, const struct edit *edit,
                           const struct rehost_call_edit *call, const struct rehost_part *part)
{
	const char *from = call->member->names[part->buffer], *to = call->operation.source->names[part->buffer];
	const char *name = edit_render_copy(edits, call->operation.temporary, edit);

	if (call->part_count > 1)
		name = rewriter_name(call->rewriter, arena_printf(edits->arena, "%s_%s", name,
		                                                  placement_of(call)->buffers[part->buffer].name));
	text_printf(out, "auto %s = %s;", name, from);
	edit_separator(out, edits->source, call->statement.begin);
	text_printf(out, "%s = %s;", from, to);
	edit_separator(out, edits->source, call->statement.begin);
	text_printf(out, "%s = %s;", to, name);
}

/* "SWAP(p_x, q_x, auto)" */
static void exchange_macro_write(struct text *out, const struct edits *edits, const struct edit *edit,
                                 const struct rehost_call_edit *call, const struct rehost_part *part)
{
	const char *names[] = {call->member->names[part->buffer], call->operation.source->names[part->buffer]};
	unsigned next = 0;

	edit_render(out, edits, call->operation.call.name, edit);
	for (unsigned a = 0; a < call->operation.call.argument_count; a++) {
		bool is_type = call->operation.call.arguments[a].begin == call->operation.temporary.begin;

		text_printf(out, "%s%s", a > 0 ? ", " : "(", is_type ? "auto" : names[next]);
		next += !is_type && next == 0;
	}
	text_puts(out, ")");
}

void rehost_part_write(struct text *out, const struct edits *edits, const struct edit *edit,
                       const struct rehost_call_edit *call, const struct rehost_part *part)
{
	switch (call->operation.action) {
	case REHOST_ALLOCATE:
		allocate_write(out, edits, edit, call, part);
		break;
	case REHOST_TO_DEVICE:
	case REHOST_TO_HOST:
		copy_write(out, edits, edit, call, part);
		break;
	case REHOST_BETWEEN:
		between_write(out, edits, edit, call, part);
		break;
	case REHOST_SET:
		set_write(out, edits, edit, call, part);
		break;
	case REHOST_FREE:
		edit_render(out, edits, call->operation.call.name, edit);
		text_printf(out, "(%s", call->member->names[part->buffer]);
		last_argument_write(out, edits, edit, call);
		text_puts(out, ")");
		break;
	case REHOST_SWAP:
		text_printf(out, "swap(%s, %s)", call->member->names[part->buffer],
		            call->operation.source->names[part->buffer]);
		break;
	case REHOST_CLEAR:
		text_printf(out, "%s = ", call->member->names[part->buffer]);
		edit_render(out, edits, call->operation.value, edit);
		break;
	case REHOST_EXCHANGE:
		exchange_write(out, edits, edit, call, part);
		break;
	case REHOST_EXCHANGE_MACRO:
		exchange_macro_write(out, edits, edit, call, part);
		break;
	case REHOST_ASSIGN:
		text_printf(out, "%s = %s", call->member->names[part->buffer],
		            call->operation.source->names[part->buffer]);
		break;
	case REHOST_NONE:
		bug("a call that does nothing is rewritten");
	}
}

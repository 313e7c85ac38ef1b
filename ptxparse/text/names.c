/*
 * Names, scopes and labels.
 *
 * Every distinct spelling has one record in a hash table; what it means is a chain of bindings, the innermost scope's
 * first, so that a look-up costs the same at any depth, and a scope that ends takes its bindings off their names.
 *
 * Labels are used before they are defined, and inline assembly defines the same label in scope after scope. So uses
 * stay open, in a chain by name, until a scope ends that defines the label: it closes those made inside it. Each use is
 * closed once.
 */
#include <stdlib.h>
#include <string.h>

#include "ptxparse/text/reader.h"

/* ---- the table of spellings ------------------------------------------------------ */

static uint32_t hash_of(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash ^ hash >> 15;
}

/* The slot that holds the spelling, or the empty one where it belongs. */
static struct ptx_name_slot *slot_find(const struct ptx_parser *parser, const char *text, size_t length, uint32_t hash)
{
	size_t mask = parser->name_capacity - 1, at = hash & mask;
	for (; parser->names[at].name; at = (at + 1) & mask) {
		const struct ptx_name *name = parser->names[at].name;
		if (parser->names[at].hash == hash && name->length == length && memcmp(name->text, text, length) == 0)
			break;
	}
	return &parser->names[at];
}

static struct ptx_name_slot *slots_create(size_t capacity)
{
	struct ptx_name_slot *slots = calloc(capacity, sizeof *slots);
	if (!slots)
		bug("out of memory");
	return slots;
}

static void table_grow(struct ptx_parser *parser)
{
	struct ptx_name_slot *old = parser->names;
	size_t old_capacity = parser->name_capacity;
	parser->name_capacity *= 2;
	parser->names = slots_create(parser->name_capacity);
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].name)
			*slot_find(parser, old[i].name->text, old[i].name->length, old[i].hash) = old[i];
	free(old);
}

struct ptx_name *ptx_name_get(struct ptx_parser *parser, const char *text, size_t length)
{
	uint32_t hash = hash_of(text, length);
	struct ptx_name_slot *slot = slot_find(parser, text, length, hash);
	struct ptx_name *name = slot->name;
	if (name)
		return name;
	name = arena_alloc(parser->scratch, sizeof *name);
	*slot = (struct ptx_name_slot){name, hash};
	name->text = arena_strndup(parser->arena, text, length);
	name->length = (uint32_t)length;
	if (++parser->name_count * 2 > parser->name_capacity)
		table_grow(parser);
	return name;
}

struct ptx_name *ptx_name_find(const struct ptx_parser *parser, const char *text, size_t length)
{
	return slot_find(parser, text, length, hash_of(text, length))->name;
}

/* ---- the names that PTX gives a meaning -------------------------------------------- */

/* Special registers whose value nobody can know; %envreg0..31 and %pm0..7 are added by number. */
static const char *const other_specials[] = {
	"%tid",
	"%ntid",
	"%ctaid",
	"%nctaid",
	"%smid",
	"%nsmid",
	"%gridid",
	"%is_explicit_cluster",
	"%clusterid",
	"%clusterid.x",
	"%clusterid.y",
	"%clusterid.z",
	"%nclusterid",
	"%nclusterid.x",
	"%nclusterid.y",
	"%nclusterid.z",
	"%cluster_ctaid",
	"%cluster_ctaid.x",
	"%cluster_ctaid.y",
	"%cluster_ctaid.z",
	"%cluster_nctaid",
	"%cluster_nctaid.x",
	"%cluster_nctaid.y",
	"%cluster_nctaid.z",
	"%cluster_ctarank",
	"%cluster_nctarank",
	"%clock",
	"%clock_hi",
	"%clock64",
	"%globaltimer",
	"%globaltimer_lo",
	"%globaltimer_hi",
	"%aggr_smem_size",
	"%reserved_smem_offset_begin",
	"%reserved_smem_offset_end",
	"%reserved_smem_offset_cap",
	"%reserved_smem_offset_0",
	"%reserved_smem_offset_1",
	"%current_graph_exec",
	"%tid.w",
	"%ntid.w",
	"%ctaid.w",
	"%nctaid.w",
};

static void special_add(struct ptx_parser *parser, const char *text, unsigned special)
{
	ptx_name_get(parser, text, strlen(text))->special = (uint8_t)(special + 1);
}

static void specials_numbered(struct ptx_parser *parser, const char *format, int count)
{
	char text[32];
	for (int i = 0; i < count; i++) {
		snprintf(text, sizeof text, format, i);
		special_add(parser, text, SPECIAL_OTHER);
	}
}

void ptx_names_init(struct ptx_parser *parser)
{
	char text[16];
	parser->name_capacity = 1024;
	parser->names = slots_create(parser->name_capacity);
	for (unsigned i = 0; i < SPECIAL_OTHER; i++)
		special_add(parser, ptx_special_name(i), i);
	for (size_t i = 0; i < ARRAY_COUNT(other_specials); i++)
		special_add(parser, other_specials[i], SPECIAL_OTHER);
	specials_numbered(parser, "%%envreg%d", 32);
	specials_numbered(parser, "%%pm%d", 8);
	specials_numbered(parser, "%%pm%d_64", 8);
	for (unsigned i = 1; i < PTX_TYPE_COUNT; i++) {
		int length = snprintf(text, sizeof text, ".%s", ptx_type_name(i));
		ptx_name_get(parser, text, (size_t)length)->type = (uint8_t)i;
	}
}

void ptx_names_release(struct ptx_parser *parser)
{
	free(parser->names);
}

/* ---- scopes -------------------------------------------------------------------------- */

void ptx_scope_open(struct ptx_parser *parser)
{
	if (parser->depth == MAXIMUM_SCOPES) {
		ptx_error_here(parser, "scopes nest deeper than %d", MAXIMUM_SCOPES);
		return;
	}
	parser->depth++;
	parser->scopes[parser->depth] = (struct ptx_scope){NULL, parser->reference_count};
}

/* Where the meanings of a name as kind are kept: `%r<8>` does not get in the way of a register that is called %r. */
static struct ptx_binding **chain_of(struct ptx_name *name, int kind)
{
	return kind == BIND_RANGE ? &name->ranges : &name->binding;
}

static struct ptx_binding *binding_allocate(struct ptx_parser *parser)
{
	struct ptx_binding *binding = parser->free_bindings;
	if (!binding)
		return arena_alloc(parser->scratch, sizeof *binding);
	parser->free_bindings = binding->next;
	return binding;
}

struct ptx_binding *ptx_name_bind(struct ptx_parser *parser, struct ptx_name *name, int kind, uint32_t depth)
{
	struct ptx_binding **chain = chain_of(name, kind), *binding = *chain;
	if (binding && binding->depth == depth) {
		if ((int)binding->kind != kind)
			ptx_error_here(parser, "'%.80s' is declared twice, as different things", name->text);
		return binding;
	}
	binding = binding_allocate(parser);
	*binding = (struct ptx_binding){.shadowed = *chain,
	                                .next = parser->scopes[depth].bindings,
	                                .name = name,
	                                .kind = kind,
	                                .depth = depth,
	                                .index = PTX_NO_REGISTER,
	                                .vector = 1};
	*chain = binding;
	parser->scopes[depth].bindings = binding;
	parser->nested_ranges += kind == BIND_RANGE && depth > 1;
	return binding;
}

/* The uses of a label made since its scope began mean this label. */
static void references_close(const struct ptx_binding *label, uint32_t first)
{
	struct ptx_name *name = label->name;
	while (name->references && name->references->position >= first) {
		struct ptx_reference *reference = name->references;
		name->references = reference->older;
		reference->operand->kind = OPERAND_LABEL;
		reference->operand->symbol = NULL;
		reference->operand->value = label->index;
		reference->resolved = true;
	}
}

void ptx_scope_close(struct ptx_parser *parser)
{
	struct ptx_scope *scope = &parser->scopes[parser->depth];
	struct ptx_binding *binding = scope->bindings, *next;
	for (; binding; binding = next) {
		next = binding->next;
		if (binding->kind == BIND_LABEL)
			references_close(binding, scope->first_reference);
		parser->nested_ranges -= binding->kind == BIND_RANGE && binding->depth > 1;
		*chain_of(binding->name, binding->kind) = binding->shadowed;
		binding->next = parser->free_bindings;
		parser->free_bindings = binding;
	}
	scope->bindings = NULL;
	if (!parser->failed)
		parser->depth--;
}

/* ---- registers ------------------------------------------------------------------------ */

/* "%r12" with its last digits from `digits` on as a number below count. */
static bool number_below(const struct ptx_name *name, size_t digits, uint64_t count)
{
	uint64_t value = 0;
	for (size_t i = digits; i < name->length; i++)
		value = value * 10 + (uint64_t)(name->text[i] - '0');
	return value < count;
}

/* The innermost declaration `prefix<count>` that covers the name, or NULL. */
static struct ptx_binding *range_find(struct ptx_parser *parser, const struct ptx_name *name)
{
	struct ptx_binding *best = NULL;
	size_t first = name->length;
	while (first > 1 && name->text[first - 1] >= '0' && name->text[first - 1] <= '9' && name->length - first < 10)
		first--;
	for (size_t digits = first; digits < name->length; digits++) {
		const struct ptx_name *prefix = ptx_name_find(parser, name->text, digits);
		for (struct ptx_binding *b = prefix ? prefix->ranges : NULL; b; b = b->shadowed)
			if ((!best || b->depth > best->depth) && number_below(name, digits, b->count))
				best = b;
	}
	return best;
}

static struct ptx_binding *register_of_range(struct ptx_parser *parser, struct ptx_name *name,
                                             const struct ptx_binding *range)
{
	struct ptx_binding *binding = ptx_name_bind(parser, name, BIND_REGISTER, range->depth);
	binding->type = range->type;
	binding->vector = range->vector;
	return binding;
}

/* "v.x": an element of the vector register v. "r.b0", "r.h1": a part of r, which is taken as r itself. */
static struct ptx_binding *component_resolve(struct ptx_parser *parser, struct ptx_name *name, const char *dot)
{
	struct ptx_name *base = ptx_name_get(parser, name->text, (size_t)(dot - name->text));
	struct ptx_binding *whole = ptx_name_resolve(parser, base), *part;
	if (!whole || whole->kind != BIND_REGISTER)
		return NULL;
	if (whole->vector == 1)
		return whole;
	part = ptx_name_bind(parser, name, BIND_REGISTER, whole->depth);
	part->type = whole->type;
	return part;
}

struct ptx_binding *ptx_name_resolve(struct ptx_parser *parser, struct ptx_name *name)
{
	struct ptx_binding *binding = name->binding, *range;
	const char *dot;
	if (binding && (binding->kind != BIND_REGISTER || parser->nested_ranges == 0))
		return binding;
	range = range_find(parser, name);
	if (range && (!binding || range->depth > binding->depth))
		return register_of_range(parser, name, range);
	if (binding || name->special)
		return binding;
	dot = memchr(name->text, '.', name->length);
	return dot ? component_resolve(parser, name, dot) : NULL;
}

uint32_t ptx_register_number(struct ptx_parser *parser, struct ptx_binding *binding)
{
	struct ptx_register *reg;
	if (binding->index != PTX_NO_REGISTER)
		return binding->index;
	binding->index = (uint32_t)parser->registers.count;
	reg = ptx_pool_push(&parser->registers);
	reg->name = binding->name->text;
	reg->type = binding->type;
	return binding->index;
}

/* ---- labels ------------------------------------------------------------------------------ */

void ptx_label_define(struct ptx_parser *parser, const struct ptx_token *label)
{
	struct ptx_binding *binding = label->name->binding;
	parser->last_label = *label;
	if (binding && binding->kind == BIND_LABEL && binding->depth == parser->depth) {
		ptx_error(parser, label->line, label->text, "the label '%.80s' is defined twice", label->name->text);
		return;
	}
	binding = ptx_name_bind(parser, label->name, BIND_LABEL, parser->depth);
	binding->index = (uint32_t)parser->insns.count;
}

void ptx_label_refer(struct ptx_parser *parser, const struct ptx_token *at, struct ptx_operand *operand)
{
	struct ptx_name *name = ptx_name_get(parser, operand->symbol, strlen(operand->symbol));
	struct ptx_reference *reference = parser->free_references;
	if (reference)
		parser->free_references = reference->next;
	else
		reference = arena_alloc(parser->scratch, sizeof *reference);
	*reference = (struct ptx_reference){.older = name->references,
	                                    .next = parser->all_references,
	                                    .name = name,
	                                    .operand = operand,
	                                    .at = at->text,
	                                    .line = at->line,
	                                    .position = parser->reference_count++};
	name->references = reference;
	parser->all_references = reference;
}

void ptx_labels_finish(struct ptx_parser *parser)
{
	struct ptx_reference *reference = parser->all_references, *next, *missing = NULL;
	for (; reference; reference = next) {
		next = reference->next;
		if (!reference->resolved)
			missing = reference;
		reference->name->references = NULL;
		reference->next = parser->free_references;
		parser->free_references = reference;
	}
	parser->all_references = NULL;
	parser->reference_count = 0;
	if (missing)
		ptx_error(parser, missing->line, missing->at, "there is no label '%.80s'", missing->name->text);
}

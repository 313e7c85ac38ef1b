/*
 * Records: members and their offsets as clang lays them out for the device, nested records and base classes flattened
 * into leaves.
 *
 * A record that has something that no other layout can carry (union, bit-field, virtual function) says so in
 * opaque_reason; as a member of another record it moves as a whole where it can.
 */
#include "analyzer/front/clang.h"

#include <stdlib.h>
#include <string.h>

struct record_reading {
	struct front *front;
	struct record *record;
	CXType type;
	const char *opaque;
};

/* The members keep their places; the record as a whole can still be moved. */
static void record_opaque(struct record *record, const char *reason)
{
	if (record->opaque_reason)
		return;
	record->opaque_reason = reason;
	record->moves_whole = true;
}

/* Not even the record as a whole can be moved into an array of its own. */
static void record_fixed(struct record *record, const char *reason)
{
	if (!record->opaque_reason || record->moves_whole)
		record->opaque_reason = reason;
	record->moves_whole = false;
}

/* Adds a leaf; prefix and name make its path. */
static void leaf_push(struct front *front, struct record *record, const char *prefix, const char *name,
                      struct leaf leaf)
{
	char *identifier;

	leaf.path = *prefix && *name ? arena_printf(front->arena, "%s.%s", prefix, name) : *name ? name : prefix;
	identifier = arena_strdup(front->arena, leaf.path);
	for (char *c = identifier; *c; c++)
		if (*c == '.')
			*c = '_';
	leaf.identifier = identifier;
	ARENA_PUSH(front->arena, record->leaves, record->leaf_count, leaf);
}

/* More leaves than a record of any program has; nested records can multiply. */
#define LEAVES_MAX 4096

/* Why a record keeps its layout for the sake of a member, or base class, of that reason. */
static const char *member_reason(struct front *front, const struct member *member, const char *reason)
{
	const char *name =
		*member->name ? arena_printf(front->arena, "its member %s", member->name) : "a member without a name";

	return strncmp(reason, "it ", 3) == 0 ? arena_printf(front->arena, "%s %s", name, reason + 3)
	                                      : arena_printf(front->arena, "in %s, %s", name, reason);
}

/* Decides how a member that is a record is laid out: member by member, as a whole, or not at all. */
static void member_part(struct front *front, struct record *record, struct member *member)
{
	const struct record *inner = member->type.record;

	if (!inner || inner->leaf_count == 0)
		return;
	member->is_whole = record_moves_whole(inner, member->count > 1);
	if (inner->opaque_reason && !inner->moves_whole)
		record_fixed(record, member_reason(front, member, inner->opaque_reason));
	else if (member->is_whole && (!*member->name || strchr(inner->name, '(')))
		record_opaque(record, member_reason(front, member,
		                                    inner->opaque_reason ? inner->opaque_reason : "it has no name"));
}

/* Adds the leaves of a member: itself, or those of the record it is, at its offset and as often as it is repeated. */
static void leaves_push(struct front *front, struct record *record, const struct member *member)
{
	const struct record *inner = member->type.record;

	if (!inner || inner->leaf_count == 0) {
		leaf_push(front, record, "", member->name,
		          (struct leaf){.type = member->type,
		                        .offset_bytes = member->offset_bytes,
		                        .count = member->count,
		                        .stride_bytes = member->type.size_bytes});
		return;
	}
	for (unsigned i = 0; i < inner->leaf_count && record->leaf_count < LEAVES_MAX; i++) {
		struct leaf leaf = inner->leaves[i];

		if (leaf.count == 1)
			leaf.stride_bytes = member->count > 1 ? member->type.size_bytes : leaf.stride_bytes;
		leaf.offset_bytes += member->offset_bytes;
		leaf.count *= member->count;
		leaf.whole = member->is_whole ? member->name
		             : leaf.whole && *member->name
		                     ? arena_printf(front->arena, "%s.%s", member->name, leaf.whole)
		                     : leaf.whole;
		leaf_push(front, record, member->name, leaf.path, leaf);
	}
	if (record->leaf_count >= LEAVES_MAX)
		record_opaque(record, "it has too many members");
}

/* Takes the dimensions of a member array off its type. */
static const struct source_type *member_dimensions(struct member *member, const struct source_type *type)
{
	member->count = 1;
	while (type->shape == SHAPE_ARRAY) {
		if (member->dimension_count < ARRAY_COUNT(member->dimensions))
			member->dimensions[member->dimension_count++] = (unsigned)type->count;
		member->count *= type->count;
		type = type->target;
	}
	return type;
}

/* Whether a record has a member of that name. */
static bool has_member(const struct record *record, const char *name)
{
	for (unsigned m = 0; *name && m < record->member_count; m++)
		if (strcmp(record->members[m].name, name) == 0)
			return true;
	return false;
}

static enum CXVisitorResult member_visit(CXCursor cursor, CXClientData data)
{
	struct record_reading *reading = data;
	struct front *front = reading->front;
	struct record *record = reading->record;
	struct member member = {.name = front_text(front, clang_getCursorSpelling(cursor))};
	const struct source_type *type = front_type(front, clang_getCursorType(cursor));
	long long offset_bits = clang_Cursor_getOffsetOfField(cursor);
	enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(cursor);

	if (has_member(record, member.name))
		record_opaque(record, arena_printf(front->arena, "its base class has a member %s, too", member.name));
	if (clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(clang_getCursorType(cursor))))
		member.name = "";
	member.type = member_dimensions(&member, type)->type;
	member.offset_bytes = offset_bits > 0 ? (uint64_t)offset_bits / 8 : 0;
	member.is_bitfield = clang_Cursor_isBitField(cursor) != 0;
	member.range = front_range(front, clang_getCursorExtent(cursor), NULL);
	member.place = front_place(front, clang_getCursorLocation(cursor));
	if (member.is_bitfield) {
		record_opaque(record, "it has a bit-field");
		if (member.type.size_bytes)
			member.offset_bytes -= member.offset_bytes % member.type.size_bytes;
	}
	if (type->shape == SHAPE_REFERENCE)
		record_fixed(record, "it has a reference");
	if (offset_bits < 0 || member.count == 0)
		record_fixed(record, "it has a member of unknown size");
	member_part(front, record, &member);
	record->has_private |= access == CX_CXXPrivate || access == CX_CXXProtected;
	ARENA_PUSH(front->arena, record->members, record->member_count, member);
	leaves_push(front, record, &member);
	return CXVisit_Continue;
}

/* Adds the members of a base class that lies at an offset. */
static void members_inherit(struct front *front, struct record *record, struct record *base, uint64_t offset)
{
	for (unsigned m = 0; m < base->member_count; m++) {
		struct member member = base->members[m];

		if (has_member(record, member.name))
			record_opaque(record, arena_printf(front->arena, "two of its base classes have a member %s",
			                                   member.name));
		member.is_inherited = true;
		member.offset_bytes += offset;
		ARENA_PUSH(front->arena, record->members, record->member_count, member);
		leaves_push(front, record, &member);
	}
	if (base->opaque_reason && base->moves_whole)
		record_opaque(record,
		              arena_printf(front->arena, "in its base class %s, %s", base->name, base->opaque_reason));
	else if (base->opaque_reason)
		record_fixed(record,
		             arena_printf(front->arena, "in its base class %s, %s", base->name, base->opaque_reason));
	record->has_private |= base->has_private;
	record->inherited_count = record->member_count;
}

/* Base classes: their members are the record's too. */
static enum CXVisitorResult base_visit(CXCursor cursor, CXClientData data)
{
	struct record_reading *reading = data;
	const struct source_type *base = front_type(reading->front, clang_getCursorType(cursor));
	long long offset_bits = clang_getOffsetOfBase(clang_getTypeDeclaration(reading->type), cursor);

	ARENA_PUSH(reading->front->arena, reading->record->bases, reading->record->base_count,
	           ((struct record_base){base->type.record, offset_bits > 0 ? (uint64_t)offset_bits / 8 : 0}));
	if (clang_isVirtualBase(cursor) || offset_bits < 0)
		record_fixed(reading->record, "it has a virtual base class");
	else if (!base->type.record && base->type.size_bytes > 1)
		record_opaque(reading->record, "it has a base class of the system's headers");
	else if (base->type.record)
		members_inherit(reading->front, reading->record, base->type.record, (uint64_t)offset_bits / 8);
	return CXVisit_Continue;
}

static enum CXChildVisitResult virtual_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct record *record = data;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(cursor))
		record_fixed(record, "it has a virtual function");
	return CXChildVisit_Continue;
}

static int leaf_compare(const void *left, const void *right)
{
	const struct leaf *a = left, *b = right;

	return a->offset_bytes < b->offset_bytes   ? -1
	       : a->offset_bytes > b->offset_bytes ? 1
	                                           : strcmp(a->path, b->path);
}

/* The text of the definition up to its `;`, from `typedef` or `template` where it begins so. */
static struct range record_range(struct front *front, CXCursor declaration)
{
	CXCursor pattern = clang_getSpecializedCursorTemplate(declaration);
	struct range range =
		front_range(front, clang_getCursorExtent(clang_Cursor_isNull(pattern) ? declaration : pattern), NULL);
	const char *text = front->unit->text;
	unsigned at = range.begin;
	static const char keyword[] = "typedef";
	const unsigned keyword_length = sizeof(keyword) - 1;

	if (range.begin == range.end)
		return range;
	while (at > 0 && strchr(" \t\r\n", text[at - 1]))
		at--;
	if (at >= keyword_length && strncmp(text + at - keyword_length, keyword, keyword_length) == 0)
		range.begin = at - keyword_length;
	while (range.end < front->unit->text_length && text[range.end] != ';')
		range.end++;
	if (range.end < front->unit->text_length)
		range.end++;
	return range;
}

/* Whether a leaf lies where its type may not, in the first element or in any behind it: "packed" or less aligned than
 * its members. */
static bool is_packed(const struct record *record)
{
	for (unsigned i = 0; i < record->leaf_count; i++) {
		const struct leaf *leaf = &record->leaves[i];
		uint64_t align = leaf->type.align_bytes;

		if (!leaf->whole && align &&
		    (leaf->offset_bytes % align || leaf->stride_bytes % align || record->type.size_bytes % align ||
		     record->type.align_bytes < align))
			return true;
	}
	return false;
}

void front_record_read(struct front *front, struct record *record, CXType type)
{
	CXCursor declaration = clang_getTypeDeclaration(type);
	struct record_reading reading = {front, record, type, NULL};

	record->place = front_place(front, clang_getCursorLocation(declaration));
	record->range = record_range(front, declaration);
	if (clang_getCursorKind(declaration) == CXCursor_UnionDecl)
		record_opaque(record, "it is a union");
	clang_visitCXXBaseClasses(type, base_visit, &reading);
	clang_Type_visitFields(type, member_visit, &reading);
	clang_visitChildren(declaration, virtual_visit, record);
	if (record->leaf_count)
		qsort(record->leaves, record->leaf_count, sizeof(*record->leaves), leaf_compare);
	for (unsigned i = 1; i < record->leaf_count; i++)
		if (record->leaves[i].offset_bytes == record->leaves[i - 1].offset_bytes && !record->leaves[i].whole)
			record_opaque(record, "it has a union");
	if (is_packed(record))
		record_opaque(record, "it is packed, or has a packed member");
	ARENA_PUSH(front->arena, front->unit->records, front->unit->record_count, record);
}

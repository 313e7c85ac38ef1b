/*
 * Types: sizes and alignments as clang has them for the device. Records of system headers are opaque scalars, except
 * the toolkit's vector types; what is in the others, records.c reads.
 */
#include "analyzer/front/clang.h"

#include <stdlib.h>
#include <string.h>

static size_t pointer_hash(const void *pointer)
{
	return (size_t)(((uintptr_t)pointer >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

/* The slot of a key: the one that has it, or the free one where it belongs. */
static struct front_type_slot *type_find(struct front_type_slot *slots, size_t capacity, const void *key)
{
	size_t at = pointer_hash(key) & (capacity - 1);

	while (slots[at].key && slots[at].key != key)
		at = (at + 1) & (capacity - 1);
	return &slots[at];
}

static struct source_type *type_remember(struct front *front, const void *key)
{
	struct source_type *type = arena_alloc(front->arena, sizeof(*type));

	if (2 * (front->type_count + 1) > front->type_capacity) {
		size_t capacity = front->type_capacity ? 2 * front->type_capacity : 256;
		struct front_type_slot *slots = arena_array(front->arena, capacity, sizeof(*slots));

		for (size_t i = 0; i < front->type_capacity; i++)
			if (front->types[i].key)
				*type_find(slots, capacity, front->types[i].key) = front->types[i];
		front->types = slots;
		front->type_capacity = capacity;
	}
	front->type_count++;
	*type_find(front->types, front->type_capacity, key) = (struct front_type_slot){key, type};
	return type;
}

/* ---- scalars ------------------------------------------------------------------------ */

static bool is_signed_kind(enum CXTypeKind kind)
{
	return kind == CXType_Char_S || kind == CXType_SChar || kind == CXType_Short || kind == CXType_Int ||
	       kind == CXType_Long || kind == CXType_LongLong || kind == CXType_WChar || kind == CXType_Int128;
}

/* The shape of a canonical type, and its arithmetic where it has one. */
static void type_classify(struct source_type *type, enum CXTypeKind kind)
{
	switch (kind) {
	case CXType_Void:
		type->shape = SHAPE_VOID;
		break;
	case CXType_Bool:
		type->shape = SHAPE_BOOL;
		break;
	case CXType_Char_U:
	case CXType_UChar:
	case CXType_UShort:
	case CXType_UInt:
	case CXType_ULong:
	case CXType_ULongLong:
	case CXType_Char16:
	case CXType_Char32:
	case CXType_Char_S:
	case CXType_SChar:
	case CXType_Short:
	case CXType_Int:
	case CXType_Long:
	case CXType_LongLong:
	case CXType_WChar:
		type->shape = SHAPE_INTEGER;
		type->is_signed = is_signed_kind(kind);
		break;
	case CXType_Float:
	case CXType_Double:
	case CXType_LongDouble:
	case CXType_Half:
	case CXType_Float16:
	case CXType_BFloat16:
		type->shape = SHAPE_FLOAT;
		break;
	case CXType_Pointer:
	case CXType_NullPtr:
		type->shape = SHAPE_POINTER;
		break;
	case CXType_LValueReference:
	case CXType_RValueReference:
		type->shape = SHAPE_REFERENCE;
		break;
	case CXType_ConstantArray:
	case CXType_IncompleteArray:
	case CXType_VariableArray:
	case CXType_DependentSizedArray:
		type->shape = SHAPE_ARRAY;
		break;
	case CXType_FunctionProto:
	case CXType_FunctionNoProto:
		type->shape = SHAPE_FUNCTION;
		break;
	default:
		type->shape = SHAPE_OTHER;
		break;
	}
}

static enum scalar_class scalar_class_of(const struct source_type *type)
{
	switch (type->shape) {
	case SHAPE_BOOL:
		return SCALAR_UNSIGNED;
	case SHAPE_INTEGER:
		return type->is_signed ? SCALAR_SIGNED : SCALAR_UNSIGNED;
	case SHAPE_FLOAT:
		return SCALAR_FLOAT;
	case SHAPE_POINTER:
		return SCALAR_POINTER;
	default:
		return SCALAR_OTHER;
	}
}

/* ---- records --------------------------------------------------------------------------- */

/* The toolkit's vector types: float4, uchar3, dim3 and their like. */
static bool is_vector_name(const char *name)
{
	static const char *const bases[] = {"char",  "uchar",    "short",     "ushort", "int",    "uint", "long",
	                                    "ulong", "longlong", "ulonglong", "float",  "double", "dim"};

	for (unsigned i = 0; i < ARRAY_COUNT(bases); i++) {
		size_t length = strlen(bases[i]);

		if (strncmp(name, bases[i], length) == 0 && name[length] >= '1' && name[length] <= '4' &&
		    (name[length + 1] == 0 || name[length + 1] == '_'))
			return true;
	}
	return false;
}

/* Gives a record type its record, where it is one of the file's or a vector type. */
static void type_add_record(struct front *front, struct source_type *source, CXType type)
{
	CXCursor declaration = clang_getTypeDeclaration(type);
	bool is_system = clang_Location_isInSystemHeader(clang_getCursorLocation(declaration)) != 0;
	bool is_vector = is_system && is_vector_name(source->type.spelling);
	bool is_builtin =
		is_system && strncmp(source->type.spelling, "__cuda_builtin_", strlen("__cuda_builtin_")) == 0;

	source->shape = SHAPE_RECORD;
	if ((is_system && !is_vector && !is_builtin) || source->type.size_bytes == 0)
		return;
	source->type.record = arena_alloc(front->arena, sizeof(*source->type.record));
	source->type.record->name = source->type.spelling;
	source->type.record->is_vector_type = is_vector;
	source->type.record->type = source->type;
	front_record_read(front, source->type.record, type);
}

/* A qualified record type shares the record of the unqualified one. */
static void type_fill_record(struct front *front, struct source_type *source, CXType type)
{
	CXType plain = clang_getCanonicalType(clang_getUnqualifiedType(type));

	if (plain.data[0] == type.data[0]) {
		type_add_record(front, source, type);
	} else {
		source->shape = SHAPE_RECORD;
		source->type = front_type(front, plain)->type;
	}
}

/* ---- the entry ---------------------------------------------------------------------------- */

static CXType element_type(CXType type)
{
	return type.kind == CXType_Pointer || type.kind == CXType_LValueReference || type.kind == CXType_RValueReference
	               ? clang_getPointeeType(type)
	               : clang_getArrayElementType(type);
}

/* Spelling without const, volatile and the words struct, class, union. */
static const char *type_spelling(struct front *front, CXType type)
{
	const char *text = front_text(front, clang_getTypeSpelling(clang_getUnqualifiedType(type)));
	static const char *const words[] = {"struct ", "class ", "union ", "enum "};

	for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
		if (strncmp(text, words[i], strlen(words[i])) == 0)
			return text + strlen(words[i]);
	return text;
}

/*
 * Whether libclang may be asked for a type's size: for the types of overloaded names and other placeholders it crashes.
 */
static bool has_layout(enum CXTypeKind kind)
{
	return kind != CXType_Overload && kind != CXType_Dependent && kind != CXType_Unexposed && kind != CXType_Void &&
	       kind != CXType_FunctionProto && kind != CXType_FunctionNoProto;
}

static void type_fill(struct front *front, struct source_type *source, CXType type)
{
	bool is_complete = has_layout(type.kind);
	long long size = is_complete ? clang_Type_getSizeOf(type) : 0,
		  align = is_complete ? clang_Type_getAlignOf(type) : 0;
	CXType underlying =
		type.kind == CXType_Enum
			? clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)))
			: type;

	source->type.spelling = type_spelling(front, type);
	source->type.size_bytes = size > 0 ? (uint64_t)size : 0;
	source->type.align_bytes = align > 0 ? (uint32_t)align : 0;
	type_classify(source, underlying.kind);
	source->bits = (uint8_t)(source->type.size_bytes <= 16 ? 8 * source->type.size_bytes : 0);
	source->is_const = clang_isConstQualifiedType(type) != 0;
	source->is_volatile = clang_isVolatileQualifiedType(type) != 0;
	source->is_restrict = clang_isRestrictQualifiedType(type) != 0;
	if (source->shape == SHAPE_ARRAY)
		source->count = clang_getArraySize(type) > 0 ? (uint64_t)clang_getArraySize(type) : 0;
	if (source->shape == SHAPE_ARRAY || source->shape == SHAPE_REFERENCE || type.kind == CXType_Pointer)
		source->target = front_type(front, element_type(type));
	if (source->shape == SHAPE_FUNCTION)
		source->target = front_type(front, clang_getResultType(type));
	if (type.kind == CXType_Record)
		type_fill_record(front, source, type);
	if (source->shape == SHAPE_ARRAY && source->target->is_const)
		source->is_const = true;
	source->type.scalar = scalar_class_of(source);
	if (source->shape == SHAPE_POINTER)
		ARENA_PUSH(front->arena, front->unit->pointers, front->unit->pointer_count, source);
}

static struct source_type *type_of(struct front *front, CXType type)
{
	CXType canonical = clang_getCanonicalType(type);
	static struct source_type none = {.type = {.spelling = "?", .scalar = SCALAR_OTHER}, .shape = SHAPE_OTHER};
	struct source_type *source;
	struct front_type_slot *slot;

	if (canonical.kind == CXType_Invalid || !canonical.data[0])
		return &none;
	if (front->type_capacity) {
		slot = type_find(front->types, front->type_capacity, canonical.data[0]);
		if (slot->key)
			return slot->type;
	}
	source = type_remember(front, canonical.data[0]);
	type_fill(front, source, canonical);
	return source;
}

const struct source_type *front_type(struct front *front, CXType type)
{
	return type_of(front, type);
}

struct source_type *front_type_without_fields(struct front *front, CXType type)
{
	struct source_type *record = type_of(front, type);

	return record->shape == SHAPE_RECORD && !record->type.record && !record->fields && record->type.size_bytes
	               ? record
	               : NULL;
}

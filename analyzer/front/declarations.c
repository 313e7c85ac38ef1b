/*
 * Declarations: variables, parameters, fields and functions, one object for each cursor; and which functions are read.
 *
 * Read are the kernels and host functions that stand outside system headers, and every function of that kind that one
 * of them names: device functions, instantiations of templates, methods, lambdas. Patterns of templates are listed, not
 * read.
 */
#include "analyzer/front/clang.h"
#include "analyzer/source/source.h"

#include <string.h>

/* ---- the table of declarations --------------------------------------------------------- */

static struct front_declaration_slot *slot_find(struct front_declaration_slot *slots, size_t capacity, CXCursor cursor)
{
	size_t at = (clang_hashCursor(cursor) * (size_t)0x9e3779b1u) & (capacity - 1);

	while (slots[at].declaration && !clang_equalCursors(slots[at].cursor, cursor))
		at = (at + 1) & (capacity - 1);
	return &slots[at];
}

static void slots_grow(struct front *front)
{
	size_t capacity = front->declaration_capacity ? 2 * front->declaration_capacity : 512;
	struct front_declaration_slot *slots = arena_array(front->arena, capacity, sizeof(*slots));

	for (size_t i = 0; i < front->declaration_capacity; i++)
		if (front->declarations[i].declaration)
			*slot_find(slots, capacity, front->declarations[i].cursor) = front->declarations[i];
	front->declarations = slots;
	front->declaration_capacity = capacity;
}

static struct source_declaration *declaration_lookup(struct front *front, CXCursor cursor)
{
	return front->declaration_capacity
	               ? slot_find(front->declarations, front->declaration_capacity, cursor)->declaration
	               : NULL;
}

static struct source_declaration *declaration_remember(struct front *front, CXCursor cursor)
{
	struct source_declaration *declaration = arena_alloc(front->arena, sizeof(*declaration));

	if (2 * (front->declaration_count + 1) > front->declaration_capacity)
		slots_grow(front);
	front->declaration_count++;
	*slot_find(front->declarations, front->declaration_capacity, cursor) =
		(struct front_declaration_slot){cursor, declaration};
	return declaration;
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Attributes and parameters: the direct children of a function or variable. */
struct decoration {
	struct front *front;
	struct source_declaration *declaration;
	bool is_global, is_device, is_host;
	CXCursor body;
	struct source_function *function;
};

static enum CXChildVisitResult decoration_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct decoration *decoration = data;

	(void)parent;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_CUDAGlobalAttr:
		decoration->is_global = true;
		break;
	case CXCursor_CUDADeviceAttr:
		decoration->is_device = true;
		if (decoration->declaration->storage == STORAGE_PLAIN)
			decoration->declaration->storage = STORAGE_DEVICE;
		break;
	case CXCursor_CUDAHostAttr:
		decoration->is_host = true;
		break;
	case CXCursor_CUDASharedAttr:
		decoration->declaration->storage = STORAGE_SHARED;
		break;
	case CXCursor_CUDAConstantAttr:
		decoration->declaration->storage = STORAGE_CONSTANT;
		break;
	case CXCursor_CompoundStmt:
	case CXCursor_CXXTryStmt:
		decoration->body = cursor;
		break;
	case CXCursor_ParmDecl:
		if (decoration->function)
			ARENA_PUSH(decoration->front->arena, decoration->function->parameters,
			           decoration->function->parameter_count, front_declaration(decoration->front, cursor));
		break;
	default:
		break;
	}
	return CXChildVisit_Continue;
}

/* threadIdx, blockIdx, blockDim, gridDim of the system headers. */
static enum builtin builtin_of(const char *name)
{
	static const struct {
		const char *name;
		enum builtin builtin;
	} table[] = {{"threadIdx", BUILTIN_THREAD},
	             {"blockIdx", BUILTIN_BLOCK},
	             {"blockDim", BUILTIN_BLOCK_SIZE},
	             {"gridDim", BUILTIN_GRID_SIZE}};

	for (unsigned i = 0; i < ARRAY_COUNT(table); i++)
		if (strcmp(name, table[i].name) == 0)
			return table[i].builtin;
	return BUILTIN_NONE;
}

/* A parameter declared as an array is a pointer. */
static void decay_parameter(struct front *front, struct source_declaration *declaration)
{
	struct source_type *type;

	if (declaration->type->shape != SHAPE_ARRAY)
		return;
	type = arena_alloc(front->arena, sizeof(*type));
	type->shape = SHAPE_POINTER;
	type->bits = 64;
	type->target = declaration->type->target;
	type->type = (struct type){.spelling = arena_printf(front->arena, "%s *", type->target->type.spelling),
	                           .size_bytes = 8,
	                           .align_bytes = 8,
	                           .scalar = SCALAR_POINTER};
	declaration->type = type;
}

static void variable_fill(struct front *front, struct source_declaration *declaration, CXCursor cursor)
{
	struct decoration decoration = {.front = front, .declaration = declaration};
	CXCursor initializer;

	declaration->slot = front->unit->slot_count++;
	declaration->is_extern = clang_Cursor_getStorageClass(cursor) == CX_SC_Extern;
	if (declaration->kind == DECLARATION_PARAMETER) {
		decay_parameter(front, declaration);
		return;
	}
	declaration->is_global = clang_Cursor_hasVarDeclGlobalStorage(cursor) == 1;
	if (declaration->in_system_header)
		declaration->builtin = builtin_of(declaration->name);
	clang_visitChildren(cursor, decoration_visit, &decoration);
	if (declaration->storage == STORAGE_CONSTANT)
		ARENA_PUSH(front->arena, front->unit->constants, front->unit->constant_count, declaration);
	initializer = clang_Cursor_getVarDeclInitializer(cursor);
	if (!clang_Cursor_isNull(initializer) && declaration->builtin == BUILTIN_NONE)
		declaration->initializer = front_expression(front, initializer);
}

static void field_fill(struct front *front, struct source_declaration *declaration, CXCursor cursor)
{
	long long offset_bits = clang_Cursor_getOffsetOfField(cursor);
	CXCursor class_template = clang_getSpecializedCursorTemplate(clang_getCursorSemanticParent(cursor));

	declaration->is_instance = !clang_Cursor_isNull(class_template);
	if (declaration->type->shape == SHAPE_POINTER)
		declaration->slot = front->unit->slot_count++;
	declaration->offset_bytes = offset_bits > 0 ? (uint64_t)offset_bits / 8 : 0;
	declaration->is_bitfield = clang_Cursor_isBitField(cursor) != 0;
	if (declaration->is_bitfield && declaration->type->type.size_bytes)
		declaration->offset_bytes -= declaration->offset_bytes % declaration->type->type.size_bytes;
}

/* ---- functions -------------------------------------------------------------------------------- */

/* Which of a template's parameters are of type bool: bit i for the i-th. */
struct template_parameters {
	unsigned count;
	uint64_t is_bool;
};

static enum CXChildVisitResult template_parameter_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct template_parameters *parameters = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_NonTypeTemplateParameter &&
	    clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Bool && parameters->count < 64)
		parameters->is_bool |= UINT64_C(1) << parameters->count;
	if (kind == CXCursor_NonTypeTemplateParameter || kind == CXCursor_TemplateTypeParameter ||
	    kind == CXCursor_TemplateTemplateParameter)
		parameters->count++;
	return CXChildVisit_Continue;
}

static void push_template_argument(struct front *front, struct text *text, CXCursor cursor, unsigned position,
                                   bool is_bool)
{
	long long value;

	switch (clang_Cursor_getTemplateArgumentKind(cursor, position)) {
	case CXTemplateArgumentKind_Type:
		text_puts(text,
		          front_type(front, clang_Cursor_getTemplateArgumentType(cursor, position))->type.spelling);
		break;
	case CXTemplateArgumentKind_Integral:
		value = clang_Cursor_getTemplateArgumentValue(cursor, position);
		if (is_bool)
			text_puts(text, value ? "true" : "false");
		else
			text_printf(text, "%lld", value);
		break;
	default:
		text_puts(text, "?");
		break;
	}
}

/* "<float, 128>" for instantiations, else "". */
static const char *template_arguments(struct front *front, CXCursor cursor)
{
	int count = clang_Cursor_getNumTemplateArguments(cursor);
	struct template_parameters parameters = {0, 0};
	struct text text = {0};
	const char *result;

	if (count <= 0)
		return "";
	clang_visitChildren(clang_getSpecializedCursorTemplate(cursor), template_parameter_visit, &parameters);
	for (unsigned i = 0; i < (unsigned)count; i++) {
		text_puts(&text, i ? ", " : "<");
		push_template_argument(front, &text, cursor, i, i < 64 && (parameters.is_bool >> i & 1) != 0);
	}
	text_puts(&text, ">");
	result = intern_text(front->names, text.data, text.length);
	text_release(&text);
	return result;
}

/* The cursor that has the body, or the cursor itself where there is none. */
static CXCursor definition_of(CXCursor cursor)
{
	CXCursor definition = clang_getCursorDefinition(cursor);

	return clang_Cursor_isNull(definition) ? cursor : definition;
}

/* Copies member by member: the compiler's own, or one of the toolkit's types. */
static bool is_copying(CXCursor cursor)
{
	if (!clang_CXXMethod_isDefaulted(cursor) && !clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
		return false;
	return clang_CXXConstructor_isCopyConstructor(cursor) || clang_CXXConstructor_isMoveConstructor(cursor) ||
	       clang_CXXMethod_isCopyAssignmentOperator(cursor) || clang_CXXMethod_isMoveAssignmentOperator(cursor);
}

static void function_fill_class(struct front *front, struct source_function *function, CXCursor cursor)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	CXCursor parent = clang_getCursorSemanticParent(cursor);

	function->is_method = kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
	                      kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
	if (!function->is_method)
		return;
	function->is_const_method = clang_CXXMethod_isConst(cursor) != 0;
	function->is_virtual = clang_CXXMethod_isVirtual(cursor) != 0;
	function->is_static_method = clang_CXXMethod_isStatic(cursor) != 0;
	function->is_constructor = kind == CXCursor_Constructor;
	function->is_conversion = kind == CXCursor_ConversionFunction;
	function->is_copy = is_copying(cursor);
	function->object = front_type(front, clang_getCursorType(parent));
	function->is_lambda = strncmp(function->object->type.spelling, "(lambda", strlen("(lambda")) == 0;
}

struct source_declaration *front_unnamed_variable(struct front *front, const char *name, const struct source_type *type,
                                                  struct place place)
{
	struct source_declaration *variable = arena_alloc(front->arena, sizeof(*variable));

	variable->kind = DECLARATION_VARIABLE;
	variable->name = name;
	variable->type = type;
	variable->place = place;
	variable->slot = front->unit->slot_count++;
	return variable;
}

/* The definition's text begins with the template's head, where the function is an instance made from one's text. */
static CXCursor text_cursor(CXCursor cursor)
{
	CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);

	if (clang_Cursor_isNull(pattern))
		return cursor;
	pattern = definition_of(pattern);
	return clang_equalLocations(clang_getCursorLocation(pattern), clang_getCursorLocation(cursor)) ? pattern
	                                                                                               : cursor;
}

/* libclang does not show constexpr: such functions are for host and device alike. */
static bool is_constexpr(const struct front *front, const struct source_function *function)
{
	static const char keyword[] = "constexpr";

	return function->definition.begin < function->name_range.begin &&
	       memmem(front->unit->text + function->definition.begin,
	              function->name_range.begin - function->definition.begin, keyword, sizeof(keyword) - 1) != NULL;
}

/* Queues the body to be read, where this function is one whose body is needed. */
static void function_queue(struct front *front, struct source_function *function, CXCursor cursor)
{
	ARENA_PUSH(front->arena, front->pending, front->pending_count, function);
	ARENA_PUSH(front->arena, front->pending_cursors, front->pending_cursor_count, cursor);
}

/* The parameters that are references or pointers, by kind, to what is constant, or to what is not. */
static uint32_t parameters_to(CXCursor cursor, enum CXTypeKind kind, bool constant)
{
	CXType type = clang_getCursorType(cursor), parameter;
	int count = clang_getNumArgTypes(type);
	uint32_t found = 0;

	for (int i = 0; i < count && i < 32; i++) {
		parameter = clang_getCanonicalType(clang_getArgType(type, (unsigned)i));
		if (parameter.kind == kind &&
		    (clang_isConstQualifiedType(clang_getPointeeType(parameter)) != 0) == constant)
			found |= UINT32_C(1) << i;
	}
	return found;
}

static void function_fill(struct front *front, struct source_declaration *declaration, CXCursor cursor)
{
	struct source_function *function = arena_alloc(front->arena, sizeof(*function));
	struct decoration decoration = {
		.front = front, .declaration = declaration, .body = clang_getNullCursor(), .function = function};
	CXCursor definition = definition_of(cursor);

	declaration->function = function;
	function->self = declaration;
	function->in_system_header = declaration->in_system_header;
	function->short_name = declaration->name;
	function->name = declaration->name;
	function->place = declaration->place;
	if (function->in_system_header) {
		function->is_method = clang_getCursorKind(cursor) == CXCursor_CXXMethod;
		function->is_constructor = clang_getCursorKind(cursor) == CXCursor_Constructor;
		function->is_conversion = clang_getCursorKind(cursor) == CXCursor_ConversionFunction;
		function->is_static_method = function->is_method && clang_CXXMethod_isStatic(cursor) != 0;
		function->is_const_method = function->is_method && clang_CXXMethod_isConst(cursor) != 0;
		function->is_copy = (function->is_constructor || function->is_method) && is_copying(cursor);
		function->changed_parameters = parameters_to(cursor, CXType_LValueReference, false);
		function->kept_parameters = parameters_to(cursor, CXType_Pointer, true);
		return;
	}
	function->is_pattern = clang_getCursorKind(cursor) == CXCursor_FunctionTemplate;
	function->result = front_type(front, clang_getCursorResultType(cursor));
	function->name = arena_printf(front->arena, "%s%s", declaration->name, template_arguments(front, cursor));
	function_fill_class(front, function, cursor);
	clang_visitChildren(definition, decoration_visit, &decoration);
	if (function->is_constructor && front_is_inherited(cursor))
		front_inherited_parameters(front, function, cursor);
	function->is_kernel = decoration.is_global;
	function->is_device = decoration.is_device;
	function->is_host = decoration.is_host || (!decoration.is_global && !decoration.is_device);
	function->order = front->unit->function_count;
	ARENA_PUSH(front->arena, front->unit->functions, front->unit->function_count, function);
	function->place = declaration->place = front_place(front, clang_getCursorLocation(definition));
	function->in_main_file = source_text_has(front->unit->source, function->place.file);
	function->definition = front_range(front, clang_getCursorExtent(text_cursor(definition)), NULL);
	function->name_range = front_range(front, clang_Cursor_getSpellingNameRange(definition, 0, 0), NULL);
	function->is_device = function->is_device || is_constexpr(front, function);
	if (function->is_kernel && !function->is_pattern)
		function->mangled = front_text(front, clang_Cursor_getMangling(cursor));
	if (clang_Cursor_isNull(decoration.body))
		return;
	function->body_range = front_range(front, clang_getCursorExtent(decoration.body), NULL);
	if (function->is_pattern)
		return;
	if (function->is_constructor)
		function->constructed =
			front_unnamed_variable(front, function->short_name, function->object, function->place);
	function_queue(front, function, function->is_constructor ? definition : decoration.body);
}

/* ---- cursor to declaration ------------------------------------------------------------------------ */

static enum declaration_kind declaration_kind_of(enum CXCursorKind kind)
{
	switch (kind) {
	case CXCursor_VarDecl:
		return DECLARATION_VARIABLE;
	case CXCursor_ParmDecl:
		return DECLARATION_PARAMETER;
	case CXCursor_FieldDecl:
		return DECLARATION_FIELD;
	case CXCursor_FunctionDecl:
	case CXCursor_FunctionTemplate:
	case CXCursor_CXXMethod:
	case CXCursor_Constructor:
	case CXCursor_Destructor:
	case CXCursor_ConversionFunction:
		return DECLARATION_FUNCTION;
	default:
		return DECLARATION_OTHER;
	}
}

struct source_declaration *front_declaration(struct front *front, CXCursor cursor)
{
	enum declaration_kind kind = declaration_kind_of(clang_getCursorKind(cursor));
	struct source_declaration *declaration;

	if (kind == DECLARATION_OTHER)
		return NULL;
	cursor = kind == DECLARATION_FUNCTION   ? clang_getCanonicalCursor(cursor)
	         : kind == DECLARATION_VARIABLE ? definition_of(cursor)
	                                        : cursor;
	declaration = declaration_lookup(front, cursor);
	if (declaration)
		return declaration;
	declaration = declaration_remember(front, cursor);
	declaration->kind = kind;
	declaration->name = front_text(front, clang_getCursorSpelling(cursor));
	declaration->in_system_header = clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) != 0;
	if (kind != DECLARATION_FUNCTION) {
		declaration->type = front_type(front, clang_getCursorType(cursor));
		declaration->range = front_range(front, clang_getCursorExtent(cursor), NULL);
		declaration->name_range = front_range(front, clang_Cursor_getSpellingNameRange(cursor, 0, 0), NULL);
	}
	declaration->place = front_place(front, clang_getCursorLocation(cursor));
	if (kind == DECLARATION_FUNCTION)
		function_fill(front, declaration, cursor);
	else if (kind == DECLARATION_FIELD)
		field_fill(front, declaration, cursor);
	else
		variable_fill(front, declaration, cursor);
	return declaration;
}

/* ---- the file's functions ---------------------------------------------------------------------------- */

/* A method of a class template that stands outside of it: a pattern, of which instances are read where they are called.
 */
static bool is_of_class_template(CXCursor cursor)
{
	enum CXCursorKind kind = clang_getCursorKind(clang_getCursorSemanticParent(cursor));

	return kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

static enum CXChildVisitResult top_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct front *front = data;

	(void)parent;
	if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
		return CXChildVisit_Continue;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_Namespace:
	case CXCursor_LinkageSpec:
	case CXCursor_UnexposedDecl:
	case CXCursor_StructDecl:
	case CXCursor_ClassDecl:
		return CXChildVisit_Recurse;
	case CXCursor_FunctionDecl:
	case CXCursor_FunctionTemplate:
	case CXCursor_CXXMethod:
	case CXCursor_Constructor:
	case CXCursor_Destructor:
		if (clang_isCursorDefinition(cursor) && !is_of_class_template(cursor))
			front_declaration(front, cursor);
		return CXChildVisit_Continue;
	default:
		return CXChildVisit_Continue;
	}
}

void front_read_functions(struct front *front)
{
	clang_visitChildren(clang_getTranslationUnitCursor(front->translation_unit), top_visit, front);
	while (front->pending_next < front->pending_count) {
		unsigned next = front->pending_next++;

		front->depth = 0;
		front->pending[next]->body = front_statement(front, front->pending_cursors[next]);
	}
}

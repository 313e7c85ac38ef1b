/*
 * Device memory that host code allocates as floats, or as nothing, and names again as records:
 *
 *     float *buffer;                     rec *buffer;
 *     cudaMalloc(&buffer, size);         cudaMalloc(&buffer, size);
 *     rec *p = (rec *)buffer;
 *     kernel<<<g, b>>>(p);               kernel<<<g, b>>>(buffer);
 *
 * The text on the right says the same with one pointer. It is read in the stead of the left where all that is done with
 * the buffer is to pass it to the runtime and to cast it.
 */
#include "analyzer/rows/internal.h"
#include "analyzer/source/source.h"

#include <string.h>

/* A local pointer to something else, and the record that it is cast to. */
struct buffer {
	const struct source_declaration *pointer;
	const struct source_type *record; /* NULL: none yet */
	unsigned seen, known;             /* mentions; those that are understood */
	bool is_allocated, contradicts;
};
/* Another name of a buffer, which is passed on alone: it points to the same memory throughout. */
struct alias {
	const struct source_declaration *pointer;
	struct buffer *buffer;
	unsigned seen, known;
};
struct recast {
	struct rows *rows;
	struct buffer *list;
	unsigned count;
	struct alias *aliases;
	unsigned alias_count;
};

/* ---- buffers ------------------------------------------------------------------------------ */

static struct buffer *buffer_of(const struct recast *recast, const struct source_declaration *declaration)
{
	for (unsigned b = 0; declaration && b < recast->count; b++)
		if (recast->list[b].pointer == declaration)
			return &recast->list[b];
	return NULL;
}

static struct alias *alias_of(const struct recast *recast, const struct source_declaration *declaration)
{
	for (unsigned a = 0; declaration && a < recast->alias_count; a++)
		if (recast->aliases[a].pointer == declaration)
			return &recast->aliases[a];
	return NULL;
}

static bool buffer_visit(void *context, const struct node *node)
{
	struct recast *recast = context;
	const struct source_declaration *declared = node->kind == NODE_DECLARE ? node->declaration : NULL;

	if (declared && !declared->is_global && declared->type->shape == SHAPE_POINTER && declared->type->target &&
	    (declared->type->target->shape == SHAPE_FLOAT || declared->type->target->shape == SHAPE_VOID ||
	     declared->type->target->shape == SHAPE_INTEGER))
		ARENA_PUSH(recast->rows->arena, recast->list, recast->count, (struct buffer){.pointer = declared});
	return true;
}

/* The buffer that an expression casts to a pointer to records; NULL where it does something else. */
static struct buffer *cast_of(const struct recast *recast, const struct node *node)
{
	bool casts = node && node->kind == NODE_CAST && node->type->shape == SHAPE_POINTER && node->type->target &&
	             node->type->target->type.record && !node->type->target->is_const;

	return casts ? buffer_of(recast, node_variable(node)) : NULL;
}

/* Takes a cast for one that is understood. */
static void cast_take(struct buffer *buffer, const struct node *cast)
{
	const struct source_type *record = cast->type->target;

	buffer->contradicts |= buffer->record && buffer->record->type.record != record->type.record;
	buffer->record = record;
	buffer->known++;
}

/* Takes the arguments of a call of the runtime. */
static void runtime_take(const struct recast *recast, const struct node *call)
{
	const struct source_declaration *called = call->declaration;

	if (!called || !called->in_system_header || strncmp(called->name, "cuda", strlen("cuda")) != 0)
		return;
	for (unsigned a = 0; a < node_argument_count(call); a++) {
		const struct node *argument = node_argument(call, a) ? node_strip_casts(node_argument(call, a)) : NULL;
		bool address = argument && argument->kind == NODE_UNARY && argument->op == OPERATOR_ADDRESS;
		struct buffer *buffer =
			argument ? buffer_of(recast, node_variable(address ? argument->children[0] : argument)) : NULL;

		if (!buffer)
			continue;
		buffer->known++;
		buffer->is_allocated |= address && strncmp(called->name, "cudaMalloc", strlen("cudaMalloc")) == 0;
	}
}

/* Takes what a launch or a call passes by value for a pointer of its own. */
static void passed_take(const struct recast *recast, const struct node *call)
{
	const struct source_function *function = call->declaration ? call->declaration->function : NULL;

	for (unsigned a = 0; function && a < node_argument_count(call) && a < function->parameter_count; a++) {
		const struct node *argument = node_argument(call, a);
		struct alias *alias = argument && function->parameters[a]->type->shape == SHAPE_POINTER
		                              ? alias_of(recast, node_variable(argument))
		                              : NULL;

		if (alias)
			alias->known++;
	}
}

/* Takes a declaration for another name of a buffer, where it is. */
static void alias_take(struct recast *recast, const struct node *declare)
{
	struct buffer *buffer = cast_of(recast, node_child(declare, 0));

	if (!buffer)
		return;
	cast_take(buffer, node_child(declare, 0));
	ARENA_PUSH(recast->rows->arena, recast->aliases, recast->alias_count,
	           (struct alias){.pointer = declare->declaration, .buffer = buffer});
}

static bool use_visit(void *context, const struct node *node)
{
	struct recast *recast = context;
	struct buffer *buffer = node->kind == NODE_REFERENCE ? buffer_of(recast, node->declaration) : NULL;
	struct alias *alias = node->kind == NODE_REFERENCE ? alias_of(recast, node->declaration) : NULL;

	if (buffer)
		buffer->seen++;
	if (alias)
		alias->seen++;
	if (node->kind == NODE_CALL)
		runtime_take(recast, node);
	if (node->kind == NODE_CALL || node->kind == NODE_LAUNCH)
		passed_take(recast, node);
	if (node->kind == NODE_DECLARE)
		alias_take(recast, node);
	for (unsigned a = 0; node->kind == NODE_LAUNCH && a < node_argument_count(node); a++)
		if (cast_of(recast, node_argument(node, a)))
			cast_take(cast_of(recast, node_argument(node, a)), node_argument(node, a));
	return true;
}

static bool becomes_records(const struct buffer *buffer)
{
	return buffer && buffer->record && buffer->is_allocated && !buffer->contradicts &&
	       buffer->known == buffer->seen;
}

/* ---- declarations --------------------------------------------------------------------------- */

/* Where a declarator and its statement lie. */
struct statement {
	struct range whole, declarator; /* whole: with its semicolon; declarator: with its initialiser */
	bool is_first, is_last;
};

/* The offset of the bracket that opens what closes at an offset. */
static unsigned opening(const struct rows *rows, unsigned close)
{
	unsigned depth = 0, at = close;

	for (; at > 0; at--) {
		depth += strchr(")]}", rows->unit->text[at]) != NULL;
		if (strchr("([{", rows->unit->text[at]) && --depth == 0)
			break;
	}
	return at;
}

/* Reads the statement that declares a variable; false where it is another kind of declaration. */
static bool statement_read(const struct rows *rows, const struct source_declaration *declaration,
                           struct statement *statement)
{
	const char *text = rows->unit->text;
	unsigned begin = declaration->name_range.begin, end = declaration->name_range.end, comma = 0;

	if (!rows_text_is(rows, declaration->name_range, declaration->name))
		return false;
	for (; begin > 0 && !strchr(";{}(", text[begin - 1]); begin--) {
		if (strchr(")]", text[begin - 1]))
			begin = opening(rows, begin - 1) + 1;
		else if (text[begin - 1] == ',' && !comma)
			comma = begin;
	}
	if (begin == 0 || text[begin - 1] == '(')
		return false;
	begin = rows_skip(rows, begin);
	for (; !strchr(",;", text[end]); end++)
		if (strchr("([{", text[end]))
			end = rows_closing(rows, end);
	statement->declarator = (struct range){comma, end};
	statement->is_first = comma == 0;
	statement->is_last = text[end] == ';';
	if (statement->is_first)
		statement->declarator.begin = begin + (unsigned)strcspn(text + begin, "*");
	for (; text[end] != ';' && end < rows->unit->text_length; end++)
		if (strchr("([{", text[end]))
			end = rows_closing(rows, end);
	statement->whole = (struct range){begin, end + 1};
	return statement->declarator.begin < statement->declarator.end;
}

/* Declares a buffer as a pointer to records. */
static bool buffer_declare(struct rows *rows, const struct buffer *buffer)
{
	struct statement statement;
	struct range rest;
	const char *declared;

	if (!statement_read(rows, buffer->pointer, &statement))
		return false;
	rest = (struct range){buffer->pointer->name_range.begin, statement.declarator.end};
	declared = arena_printf(rows->arena, "%s *%s;", buffer->record->type.spelling, rows_copy(rows, rest));
	if (statement.is_first && statement.is_last) {
		rows_edit(rows, statement.whole, declared);
		return true;
	}
	rows_insert(rows, statement.whole.begin, arena_printf(rows->arena, "%s ", declared));
	if (statement.is_first)
		statement.declarator.end = rows_skip(rows, statement.declarator.end + 1);
	else
		statement.declarator.begin--;
	rows_edit(rows, statement.declarator, "");
	return true;
}

/* ---- the edits ------------------------------------------------------------------------------- */

/* The buffer that a variable is another name of; NULL: none. */
static const struct buffer *named_again(const struct recast *recast, const struct source_declaration *declaration)
{
	const struct alias *alias = alias_of(recast, declaration);

	return alias && becomes_records(alias->buffer) ? alias->buffer : NULL;
}

/* Takes the declaration of another name away, with the blanks before it. */
static bool name_remove(struct rows *rows, const struct source_declaration *declaration)
{
	struct statement statement;

	if (!statement_read(rows, declaration, &statement) || !statement.is_first || !statement.is_last)
		return false;
	while (statement.whole.begin > 0 && strchr(" \t", rows->unit->text[statement.whole.begin - 1]))
		statement.whole.begin--;
	rows_edit(rows, statement.whole, "");
	return true;
}

static bool edit_visit(void *context, const struct node *node)
{
	struct recast *recast = context;
	struct rows *rows = recast->rows;
	const struct buffer *again = node->kind == NODE_REFERENCE ? named_again(recast, node->declaration) : NULL;

	if (again && !rows_text_is(rows, node->range, node->declaration->name))
		rows_refuse(rows, node->place, ROWS_MACRO_REASON);
	else if (again)
		rows_edit(rows, node->range, again->pointer->name);
	if (node->kind == NODE_DECLARE && named_again(recast, node->declaration) &&
	    !name_remove(rows, node->declaration))
		rows_refuse(rows, node->place, "declared with others");
	for (unsigned a = 0; node->kind == NODE_LAUNCH && a < node_argument_count(node); a++) {
		const struct buffer *cast = cast_of(recast, node_argument(node, a));

		if (becomes_records(cast) && node_argument(node, a)->is_explicit)
			rows_edit(rows, node_argument(node, a)->range, cast->pointer->name);
	}
	return !(node->kind == NODE_DECLARE && named_again(recast, node->declaration));
}

static void function_recast(struct rows *rows, const struct source_function *function)
{
	struct recast recast = {.rows = rows};

	if (function->is_kernel || function->is_device || function->is_pattern || !function->body ||
	    !function->in_main_file)
		return;
	node_visit(function->body, buffer_visit, &recast);
	node_visit(function->body, use_visit, &recast);
	for (unsigned a = 0; a < recast.alias_count; a++)
		recast.aliases[a].buffer->contradicts |= recast.aliases[a].known != recast.aliases[a].seen;
	for (unsigned b = 0; b < recast.count; b++)
		if (becomes_records(&recast.list[b]) && !buffer_declare(rows, &recast.list[b]))
			recast.list[b].contradicts = true;
	node_visit(function->body, edit_visit, &recast);
}

const struct source_text *rows_recast(const struct source_unit *unit)
{
	struct rows rows = {.arena = unit->arena, .unit = unit};
	struct source_text *text;

	for (unsigned f = 0; f < unit->function_count; f++)
		function_recast(&rows, unit->functions[f]);
	if (rows.problem || rows.edit_count == 0)
		return NULL;
	text = rows_text(&rows);
	if (text)
		text->is_recast = true;
	return text;
}

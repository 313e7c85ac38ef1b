/*
 * What two files of a program define, each for itself, by one name: static functions and variables, device code, types.
 * nvcc compiles each file alone; here all stand in one text. Of two the later gets another name, or the earlier where
 * the later may not have one. Types and operators with the same text are left out of the later file.
 */
#include "analyzer/front/clang.h"
#include "analyzer/source/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Something that stands in no function and no class. Texts are interned. */
struct clash_entry {
	const char *scope, *name; /* scope: "a::b" without unnamed namespaces */
	const char *path;
	struct range range;
	bool is_definition, is_type;
	bool is_record; /* a type, and no enumerator */
	bool is_own;    /* nothing outside of its file can mean it */
};
struct clash_search {
	struct front *front;
	const struct source_text *source;
	CXFile file;
	const char *scope;
	struct clash_entry *list;
	unsigned count;
};

/* ---- what the files declare ---------------------------------------------------------------- */

static enum CXChildVisitResult device_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	bool *is_device = data;

	(void)parent;
	*is_device |= clang_getCursorKind(cursor) == CXCursor_CUDADeviceAttr ||
	              clang_getCursorKind(cursor) == CXCursor_CUDAConstantAttr;
	return CXChildVisit_Continue;
}

/* Whether it is declared __device__ or __constant__: without -rdc each file has its own. */
static bool is_device(CXCursor declaration)
{
	bool is = false;

	clang_visitChildren(declaration, device_visit, &is);
	return is;
}

static bool is_type(enum CXCursorKind kind)
{
	return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl ||
	       kind == CXCursor_EnumDecl || kind == CXCursor_EnumConstantDecl || kind == CXCursor_TypedefDecl ||
	       kind == CXCursor_TypeAliasDecl || kind == CXCursor_ClassTemplate;
}

/* Whether a declaration's name may be another in its file. */
static bool is_own(CXCursor declaration, enum CXCursorKind kind, const char *name)
{
	enum CXLinkageKind linkage = clang_getCursorLinkage(declaration);

	if (strcmp(name, "main") == 0)
		return false;
	return is_type(kind) || linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal ||
	       kind == CXCursor_FunctionTemplate || is_device(declaration) ||
	       (kind == CXCursor_FunctionDecl && clang_Cursor_isFunctionInlined(declaration));
}

/* The identifier at an offset of the text; "" where there is none, or a word of the language. */
static const char *word_at(const struct clash_search *search, unsigned offset)
{
	static const char *const keywords[] = {"struct", "class", "union", "enum", "typedef"};
	const char *text = search->source->text + offset;
	size_t length = strspn(text, SOURCE_WORD_CHARACTERS);

	for (unsigned k = 0; k < ARRAY_COUNT(keywords); k++)
		if (strlen(keywords[k]) == length && strncmp(text, keywords[k], length) == 0)
			return "";
	return intern_text(search->front->names, text, length);
}

/* The name of a declaration; clang takes it from a type that is defined once more. */
static const char *name_of(const struct clash_search *search, CXCursor cursor, unsigned offset)
{
	const char *name = front_text(search->front, clang_getCursorSpelling(cursor));

	return *name == '\0' || strchr(name, '(') ? word_at(search, offset) : name;
}

/* Takes a declaration in; returns whether it stands in the text. */
static void entry_take(struct clash_search *search, CXCursor cursor)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	struct clash_entry entry = {.scope = search->scope, .is_definition = clang_isCursorDefinition(cursor)};
	unsigned offset;
	CXFile file;

	clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, &offset);
	if (file != search->file || offset >= search->source->length)
		return;
	entry.name = name_of(search, cursor, offset);
	if (*entry.name == '\0' || !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(cursor)))
		return;
	entry.path = source_place(search->source, offset).file;
	entry.range = front_range(search->front, clang_getCursorExtent(cursor), NULL);
	entry.is_type = is_type(kind);
	entry.is_record = entry.is_type && kind != CXCursor_EnumConstantDecl;
	entry.is_own = is_own(cursor, kind, entry.name);
	entry.is_definition |= kind == CXCursor_EnumConstantDecl;
	ARENA_PUSH(search->front->arena, search->list, search->count, entry);
}

static enum CXChildVisitResult entries_visit(CXCursor cursor, CXCursor parent, CXClientData data);

/* Takes in what a namespace has. */
static void namespace_take(struct clash_search *search, CXCursor cursor)
{
	const char *outer = search->scope, *name = front_text(search->front, clang_getCursorSpelling(cursor));

	if (*name && !strchr(name, '(')) {
		name = arena_printf(search->front->arena, "%s::%s", outer, name);
		search->scope = intern_text(search->front->names, name, strlen(name));
	}
	clang_visitChildren(cursor, entries_visit, search);
	search->scope = outer;
}

static enum CXChildVisitResult entries_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct clash_search *search = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_Namespace)
		namespace_take(search, cursor);
	else if (kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl)
		clang_visitChildren(cursor, entries_visit, search);
	else if (kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl || kind == CXCursor_FunctionTemplate ||
	         is_type(kind))
		entry_take(search, cursor);
	if (kind == CXCursor_EnumDecl)
		clang_visitChildren(cursor, entries_visit, search);
	return CXChildVisit_Continue;
}

/* ---- types that are defined once more ---------------------------------------------------------- */

/* The offset of the word, of those that types begin with, before the name at an offset; the offset itself where there
 * is none. */
static size_t keyword_before(const char *text, size_t name)
{
	static const char *const words[] = {"struct ", "class ", "union ", "enum "};
	size_t template = name;

	for (size_t at = name; at > 0 && !strchr(";{}", text[at - 1]); at--) {
		for (unsigned w = 0; w < ARRAY_COUNT(words) && template == name; w++)
			if (strncmp(text + at - 1, words[w], strlen(words[w])) == 0)
				template = at - 1;
		if (strncmp(text + at - 1, "template", strlen("template")) == 0)
			return at - 1;
	}
	return template;
}

/* Takes in a type that an error says to be defined twice: clang leaves the second out of its tree. */
static void redefined_take(struct clash_search *search, CXDiagnostic error)
{
	unsigned offset;
	struct clash_entry entry;
	CXFile file;

	clang_getFileLocation(clang_getDiagnosticLocation(error), &file, NULL, NULL, &offset);
	if (file != search->file || offset >= search->source->length ||
	    !strstr(front_text(search->front, clang_getDiagnosticSpelling(error)), "redefinition of '"))
		return;
	entry = (struct clash_entry){.name = word_at(search, offset),
	                             .is_definition = true,
	                             .is_type = true,
	                             .is_record = true,
	                             .is_own = true};
	entry.range.begin = (unsigned)keyword_before(search->source->text, offset);
	entry.range.end = source_braces_end(search->source, offset);
	entry.path = source_place(search->source, offset).file;
	for (unsigned i = 0; i < search->count && entry.range.begin < offset && offset < entry.range.end; i++)
		if (search->list[i].is_type && search->list[i].name == entry.name &&
		    search->list[i].range.begin < entry.range.begin) {
			entry.scope = search->list[i].scope;
			ARENA_PUSH(search->front->arena, search->list, search->count, entry);
			return;
		}
}

static void redefined_find(struct clash_search *search)
{
	for (unsigned i = 0; i < clang_getNumDiagnostics(search->front->translation_unit); i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(search->front->translation_unit, i);

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
			redefined_take(search, diagnostic);
		clang_disposeDiagnostic(diagnostic);
	}
}

/* ---- members of its name --------------------------------------------------------------------- */

struct member_search {
	const struct clash_search *clashes;
	const char *path, *name;
	bool found;
};

static enum CXChildVisitResult member_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct member_search *search = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor), in = clang_getCursorKind(parent);
	bool in_class = in == CXCursor_StructDecl || in == CXCursor_ClassDecl || in == CXCursor_UnionDecl ||
	                in == CXCursor_ClassTemplate || in == CXCursor_EnumDecl;
	unsigned offset;
	CXFile file;

	if (in_class && front_text(search->clashes->front, clang_getCursorSpelling(cursor)) == search->name) {
		clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, &offset);
		search->found |= file == search->clashes->file && offset < search->clashes->source->length &&
		                 source_place(search->clashes->source, offset).file == search->path;
	}
	return kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || is_type(kind) ? CXChildVisit_Recurse
	                                                                                   : CXChildVisit_Continue;
}

/* Whether a class or an enumeration of a file has a member of that name. */
static bool has_member(const struct clash_search *search, const char *path, const char *name)
{
	struct member_search members = {search, path, name, false};

	clang_visitChildren(clang_getTranslationUnitCursor(search->front->translation_unit), member_visit, &members);
	return members.found;
}

/* ---- other names -------------------------------------------------------------------------------- */

static bool is_same_name(const struct clash_entry *a, const struct clash_entry *b)
{
	return a->name == b->name && a->scope == b->scope;
}

/* Whether all of that name which its file sees is its own. */
static bool is_movable(const struct clash_search *search, const struct clash_entry *entry)
{
	for (unsigned i = 0; i < search->count; i++) {
		const struct clash_entry *other = &search->list[i];

		if (!is_same_name(entry, other))
			continue;
		if (other->path == entry->path ? !other->is_own
		                               : source_text_share(search->source, entry->path, other->path))
			return false;
	}
	return strncmp(entry->name, "operator", strlen("operator")) != 0;
}

/* The name with that of its file behind it: "blocks_energy"; with a number where another file's is the same. */
static const char *name_in_file(const struct front *front, const char *name, const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	char *longer = arena_printf(front->arena, "%s_%.*s", name, (int)strcspn(file, "."), file);
	unsigned same = 0;

	for (char *letter = longer; *letter; letter++)
		if (!isalnum((unsigned char)*letter))
			*letter = '_';
	for (unsigned r = 0; r < front->clashes.rename_count; r++)
		same += strcmp(front->clashes.renames[r].name, name) == 0 &&
		        strncmp(front->clashes.renames[r].replacement, longer, strlen(longer)) == 0;
	return same ? arena_printf(front->arena, "%s_%u", longer, same + 1) : longer;
}

/* Gives what a file has by a name another one, there and, where it is a header, in the files that include it. */
static void rename_add(const struct clash_search *search, const struct clash_entry *entry)
{
	struct front *front = search->front;
	struct source_rename rename = {.path = entry->path, .name = entry->name, .is_global = *entry->scope == '\0'};

	for (unsigned r = 0; r < front->clashes.rename_count; r++)
		if (strcmp(front->clashes.renames[r].path, rename.path) == 0 &&
		    strcmp(front->clashes.renames[r].name, rename.name) == 0)
			return;
	rename.replacement = name_in_file(front, rename.name, rename.path);
	rename.has_member = has_member(search, rename.path, rename.name);
	ARENA_PUSH(front->arena, front->clashes.renames, front->clashes.rename_count, rename);
	for (unsigned i = 0; i < search->source->inclusion_count; i++) {
		rename.path = search->source->inclusions[i].file;
		if (strcmp(search->source->inclusions[i].header, entry->path) == 0)
			ARENA_PUSH(front->arena, front->clashes.renames, front->clashes.rename_count, rename);
	}
}

/* ---- what both have ------------------------------------------------------------------------------- */

/* The declaration that an entry is a part of, with the semicolon of a type: `typedef struct row { ... } row;`. */
static struct range statement_of(const struct clash_search *search, const struct clash_entry *entry)
{
	struct range whole = entry->range;

	for (unsigned i = 0; i < search->count; i++) {
		struct range range = search->list[i].range;

		if (range.begin < whole.end && whole.begin < range.end) {
			whole.begin = range.begin < whole.begin ? range.begin : whole.begin;
			whole.end = range.end > whole.end ? range.end : whole.end;
		}
	}
	if (entry->is_type)
		whole.end += (unsigned)strcspn(search->source->text + whole.end, ";") + 1;
	return whole;
}

/* Whether a passage of the text is one of its file. */
static bool is_whole(const struct source_text *source, struct range range)
{
	return range.end <= source->length &&
	       source_place(source, range.begin).file == source_place(source, range.end - 1).file &&
	       source_offset(source, range.end - 1) - source_offset(source, range.begin) == range.end - 1 - range.begin;
}

/* Leaves out of the later file what both have with the same text. Returns whether they do. */
static bool repeat_add(const struct clash_search *search, const struct clash_entry *kept,
                       const struct clash_entry *entry)
{
	struct source_clashes *clashes = &search->front->clashes;
	struct range first = statement_of(search, kept), again = statement_of(search, entry);
	struct source_repeat repeat = {.path = entry->path, .kept_path = kept->path};

	if (!is_whole(search->source, first) || !is_whole(search->source, again) ||
	    !source_passages_agree(search->source, first, again))
		return false;
	repeat.begin = source_offset(search->source, again.begin);
	repeat.end = repeat.begin + again.end - again.begin;
	repeat.kept_begin = source_offset(search->source, first.begin);
	repeat.kept_end = repeat.kept_begin + first.end - first.begin;
	for (unsigned r = 0; r < clashes->repeat_count; r++)
		if (clashes->repeats[r].path == repeat.path && clashes->repeats[r].begin == repeat.begin)
			return true;
	ARENA_PUSH(search->front->arena, clashes->repeats, clashes->repeat_count, repeat);
	return true;
}

/* ---- the entry ------------------------------------------------------------------------------------------ */

/* Tells the reader that two files have different types of one name. */
static void difference_note(const struct clash_search *search, const struct clash_entry *first,
                            const struct clash_entry *entry)
{
	if (first->is_record && entry->is_record)
		diagnostics_report(
			search->front->unit->diagnostics, SEVERITY_NOTE,
			source_place(search->source, entry->range.begin),
			"'%s' is another type than in %s, and each file keeps its own: rename one to tell them apart",
			entry->name, first->path);
}

/* Keeps two definitions of one name apart, where they stand in files that do not share one. */
static void pair_part(const struct clash_search *search, const struct clash_entry *first,
                      const struct clash_entry *entry)
{
	bool is_operator = strncmp(entry->name, "operator", strlen("operator")) == 0;

	if (!is_same_name(first, entry) || first->path == entry->path ||
	    source_text_share(search->source, first->path, entry->path))
		return;
	if (((first->is_type && entry->is_type) || (is_operator && entry->is_own)) && repeat_add(search, first, entry))
		return;
	if (!is_movable(search, entry) && !is_movable(search, first))
		return;
	difference_note(search, first, entry);
	rename_add(search, is_movable(search, entry) ? entry : first);
}

static int repeat_compare(const void *left, const void *right)
{
	const struct source_repeat *a = left, *b = right;

	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

bool front_find_clashes(struct front *front)
{
	struct clash_search search = {
		.front = front, .source = front->unit->source, .scope = intern_text(front->names, "", 0)};

	const unsigned before = front->clashes.rename_count + front->clashes.repeat_count;

	if (search.source->other_count == 0)
		return false;
	search.file = front->main_file = clang_getFile(front->translation_unit, front->unit->path);
	clang_visitChildren(clang_getTranslationUnitCursor(front->translation_unit), entries_visit, &search);
	redefined_find(&search);
	for (unsigned e = 0; e < search.count; e++)
		for (unsigned f = 0; f < e && search.list[e].is_definition; f++)
			if (search.list[f].is_definition)
				pair_part(&search, &search.list[f], &search.list[e]);
	if (front->clashes.repeat_count)
		qsort(front->clashes.repeats, front->clashes.repeat_count, sizeof(*front->clashes.repeats),
		      repeat_compare);
	return front->clashes.rename_count + front->clashes.repeat_count > before;
}

/*
 * What one text cannot have that a compiler takes.
 *
 * Functions that a header declares for the host and the file defines for the device too. nvcc takes the declaration to be for both; clang says that one
 * cannot overload the other. So the header is read again with the missing words in front of its declaration.
 *
 * And names that two files of a program have each for itself: static functions and constants, device code. In the later file they get another.
 */
#include "analyzer/front/clang.h"
#include "analyzer/source/source.h"

#include <ctype.h>

#include <stdlib.h>
#include <string.h>

static const char words[] = "__host__ __device__ ";

/* A declaration that lacks the words. */
struct lacking {
	const char *file;
	unsigned offset;
};
struct lackings {
	struct lacking *list;
	unsigned count;
};

static int lacking_compare(const void *left, const void *right)
{
	const struct lacking *a = left, *b = right;
	int order = strcmp(a->file, b->file);

	return order ? order : a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Notes where the declaration begins that an error's note points to, unless that is in the main file, whose text must stay. */
static void lacking_push(struct front *front, struct lackings *lackings, CXDiagnostic note)
{
	CXCursor declaration = clang_getCursor(front->translation_unit, clang_getDiagnosticLocation(note));
	struct lacking lacking;
	CXFile file;

	if (clang_getCursorKind(declaration) != CXCursor_FunctionDecl && clang_getCursorKind(declaration) != CXCursor_CXXMethod)
		return;
	clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(declaration)), &file, NULL, NULL, &lacking.offset);
	if (!file || file == clang_getFile(front->translation_unit, front->unit->path))
		return;
	lacking.file = front_text(front, clang_getFileName(file));
	ARENA_PUSH(front->arena, lackings->list, lackings->count, lacking);
}

static void error_read(struct front *front, struct lackings *lackings, CXDiagnostic error)
{
	CXDiagnosticSet notes;

	if (!strstr(front_text(front, clang_getDiagnosticSpelling(error)), "cannot overload __host__ function"))
		return;
	notes = clang_getChildDiagnostics(error);
	for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
		CXDiagnostic note = clang_getDiagnosticInSet(notes, i);

		lacking_push(front, lackings, note);
		clang_disposeDiagnostic(note);
	}
}

/* The text of a file with the words put in; NULL where it cannot be read. */
static const char *text_with_words(struct front *front, const struct lacking *list, unsigned count)
{
	size_t length, from = 0;
	bool main_file = front->unit->source->piece_count == 1 && strcmp(list[0].file, front->unit->path) == 0;
	const char *text = main_file ? front->unit->text : file_read(front->arena, list[0].file, &length);
	struct text out = {0};
	const char *copy;

	if (!text)
		return NULL;
	if (main_file)
		length = front->unit->text_length;
	for (unsigned i = 0; i < count; i++) {
		if (list[i].offset < from || list[i].offset > length || (i > 0 && list[i].offset == list[i - 1].offset))
			continue;
		text_printf(&out, "%.*s%s", (int)(list[i].offset - from), text + from, words);
		from = list[i].offset;
	}
	text_puts(&out, text + from);
	copy = arena_strdup(front->arena, out.data);
	text_release(&out);
	return copy;
}

bool front_find_redeclared(struct front *front)
{
	unsigned count = clang_getNumDiagnostics(front->translation_unit), before = front->changed_count, same;
	struct lackings lackings = {NULL, 0};

	for (unsigned i = 0; i < count; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(front->translation_unit, i);

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
			error_read(front, &lackings, diagnostic);
		clang_disposeDiagnostic(diagnostic);
	}
	if (lackings.count)
		qsort(lackings.list, lackings.count, sizeof(*lackings.list), lacking_compare);
	for (unsigned i = 0; i < lackings.count; i += same) {
		const char *file = lackings.list[i].file, *text;

		for (same = 1; i + same < lackings.count && strcmp(lackings.list[i + same].file, file) == 0;)
			same++;
		text = text_with_words(front, &lackings.list[i], same);
		if (text)
			ARENA_PUSH(front->arena, front->changed, front->changed_count,
			           (struct CXUnsavedFile){file, text, strlen(text)});
	}
	return front->changed_count > before;
}

/* ---- names of several files ------------------------------------------------------------------ */

static enum CXChildVisitResult device_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	bool *is_device = data;

	(void)parent;
	*is_device |=
		clang_getCursorKind(cursor) == CXCursor_CUDADeviceAttr || clang_getCursorKind(cursor) == CXCursor_CUDAConstantAttr;
	return CXChildVisit_Continue;
}

/* Whether it is declared __device__ or __constant__: without -rdc each file has its own. */
static bool is_device(CXCursor declaration)
{
	bool is = false;

	clang_visitChildren(declaration, device_visit, &is);
	return is;
}

/* Whether a declaration's name may be another in its file: nothing outside of that can mean it. */
static bool is_own(struct front *front, CXCursor declaration)
{
	enum CXCursorKind kind = clang_getCursorKind(declaration);
	enum CXLinkageKind linkage = clang_getCursorLinkage(declaration);

	if (strcmp(front_text(front, clang_getCursorSpelling(declaration)), "main") == 0)
		return false;
	if (kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl || linkage == CXLinkage_Internal ||
	    linkage == CXLinkage_UniqueExternal)
		return true;
	return kind == CXCursor_FunctionTemplate || is_device(declaration) ||
	       (kind == CXCursor_FunctionDecl && clang_Cursor_isFunctionInlined(declaration));
}

/* The name with that of its file behind it: "blocks_energy". */
static const char *name_in_file(struct arena *arena, const char *name, const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	char *longer = arena_printf(arena, "%s_%.*s", name, (int)strcspn(file, "."), file);

	for (char *letter = longer; *letter; letter++)
		if (!isalnum((unsigned char)*letter))
			*letter = '_';
	return longer;
}

static void clash_read(struct front *front, CXDiagnostic error)
{
	CXSourceLocation location = clang_getDiagnosticLocation(error);
	const struct source_text *source = front->unit->source;
	const char *said = front_text(front, clang_getDiagnosticSpelling(error));
	CXCursor declaration = clang_getCursor(front->translation_unit, location);
	struct source_rename rename;
	unsigned offset;
	CXFile file;

	clang_getFileLocation(location, &file, NULL, NULL, &offset);
	if ((!strstr(said, "redefinition") && !strstr(said, "cannot be overloaded")) ||
	    file != clang_getFile(front->translation_unit, front->unit->path) || offset >= source->length ||
	    !is_own(front, declaration))
		return;
	rename.path = source_place(source, offset).file;
	rename.name = front_text(front, clang_getCursorSpelling(declaration));
	rename.replacement = name_in_file(front->arena, rename.name, rename.path);
	for (unsigned o = 0; o < source->other_count; o++)
		if (rename.path == source->others[o])
			ARENA_PUSH(front->arena, front->renames, front->rename_count, rename);
}

bool front_find_clashes(struct front *front)
{
	unsigned count = front->unit->source->other_count ? clang_getNumDiagnostics(front->translation_unit) : 0;

	for (unsigned i = 0; i < count; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(front->translation_unit, i);

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
			clash_read(front, diagnostic);
		clang_disposeDiagnostic(diagnostic);
	}
	return front->rename_count > 0;
}

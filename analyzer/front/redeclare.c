/*
 * Functions that a header declares for the host and the file defines for the device too. nvcc takes the declaration to
 * be for both; clang says that one cannot overload the other. So the header is read again with the missing words in
 * front of its declaration.
 */
#include "analyzer/front/clang.h"

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

/* Notes where the declaration begins that an error's note points to, unless that is in the main file, whose text must
 * stay. */
static void lacking_push(struct front *front, struct lackings *lackings, CXDiagnostic note)
{
	CXCursor declaration = clang_getCursor(front->translation_unit, clang_getDiagnosticLocation(note));
	struct lacking lacking;
	CXFile file;

	if (clang_getCursorKind(declaration) != CXCursor_FunctionDecl &&
	    clang_getCursorKind(declaration) != CXCursor_CXXMethod)
		return;
	clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(declaration)), &file, NULL, NULL,
	                      &lacking.offset);
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

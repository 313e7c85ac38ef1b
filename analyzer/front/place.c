/*
 * Places and ranges: libclang's locations as line and column, and as byte ranges of the analysed text, which libclang
 * takes for the main file.
 *
 * Its lines come from a table of ours: libclang's own search is the dearest part of asking for a location. Locations
 * inside macro arguments are those of the argument's text; inside macro bodies, those of the macro's call.
 */
#include "analyzer/front/clang.h"
#include "analyzer/source/source.h"

#include <string.h>

const char *front_text(struct front *front, CXString string)
{
	const char *text = clang_getCString(string);
	const char *copy = intern_text(front->names, text ? text : "", text ? strlen(text) : 0);

	clang_disposeString(string);
	return copy;
}

/* The name of a file that is not the main file; NULL for none. */
static const char *other_file_name(struct front *front, CXFile file)
{
	if (!file)
		return NULL;
	if (file != front->other_file) {
		front->other_file = file;
		front->other_name = front_text(front, clang_getFileName(file));
	}
	return front->other_name;
}

struct place front_place(struct front *front, CXSourceLocation location)
{
	CXFile file;
	unsigned line, column, offset;

	clang_getFileLocation(location, &file, NULL, NULL, &offset);
	if (file == front->main_file)
		return source_place(front->unit->source, offset);
	clang_getFileLocation(location, &file, &line, &column, NULL);
	return (struct place){other_file_name(front, file), line, column};
}

struct range front_range(struct front *front, CXSourceRange extent, struct place *place)
{
	CXFile first_file, last_file;
	unsigned begin, end;
	CXSourceLocation start = clang_getRangeStart(extent);

	clang_getFileLocation(start, &first_file, NULL, NULL, &begin);
	clang_getFileLocation(clang_getRangeEnd(extent), &last_file, NULL, NULL, &end);
	if (place)
		*place = first_file == front->main_file ? source_place(front->unit->source, begin)
		                                        : front_place(front, start);
	if (first_file != front->main_file || last_file != front->main_file || end < begin ||
	    end > front->unit->text_length)
		return (struct range){0, 0};
	return (struct range){begin, end};
}

const char *front_version(struct arena *arena)
{
	CXString version = clang_getClangVersion();
	const char *copy = arena_strdup(arena, clang_getCString(version));

	clang_disposeString(version);
	return copy;
}

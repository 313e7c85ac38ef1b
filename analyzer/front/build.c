/*
 * compile_commands.json: the flags with which a build compiles a file, as far as they matter for reading it.
 */
#include <clang-c/CXCompilationDatabase.h>

#include "analyzer/front/front.h"

#include <stdlib.h>
#include <string.h>

static const char *copied(struct arena *arena, CXString string)
{
	const char *text = arena_strdup(arena, clang_getCString(string) ? clang_getCString(string) : "");

	clang_disposeString(string);
	return text;
}

static const char *const *command_flags(struct arena *arena, CXCompileCommand command, const char *file,
                                        unsigned *count, struct diagnostics *diagnostics)
{
	struct flags_words arguments = {NULL, 0};
	unsigned argument_count = clang_CompileCommand_getNumArgs(command);

	for (unsigned i = 1; i < argument_count; i++)
		ARENA_PUSH(arena, arguments.list, arguments.count,
		           copied(arena, clang_CompileCommand_getArg(command, i)));
	return flags_of_call(arena, copied(arena, clang_CompileCommand_getDirectory(command)), file, &arguments, count,
	                     diagnostics);
}

/* The folder of compile_commands.json, which itself may be named. */
static const char *folder_of(struct arena *arena, const char *build)
{
	const char *slash = strrchr(build, '/'), *name = slash ? slash + 1 : build;

	if (strcmp(name, "compile_commands.json") != 0)
		return build;
	return slash == build ? "/" : slash ? arena_strndup(arena, build, (size_t)(slash - build)) : ".";
}

const char *const *front_build_flags(struct arena *arena, const char *build, const char *path, unsigned *count,
                                     struct diagnostics *diagnostics)
{
	const char *directory = folder_of(arena, build);
	CXCompilationDatabase_Error error = CXCompilationDatabase_NoError;
	int saved = front_silence();
	CXCompilationDatabase database = clang_CompilationDatabase_fromDirectory(directory, &error);
	struct place place = {arena_printf(arena, "%s/compile_commands.json", directory), 0, 0};
	const char *const *flags = NULL;
	char *absolute = realpath(path, NULL);
	CXCompileCommands commands;

	front_unsilence(saved);
	*count = 0;
	if (error != CXCompilationDatabase_NoError) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, place, "it cannot be read");
		free(absolute);
		return NULL;
	}
	commands = clang_CompilationDatabase_getCompileCommands(database, absolute ? absolute : path);
	free(absolute);
	if (clang_CompileCommands_getSize(commands) > 0)
		flags = command_flags(arena, clang_CompileCommands_getCommand(commands, 0), place.file, count,
		                      diagnostics);
	else
		diagnostics_report(diagnostics, SEVERITY_WARNING, place, "it has no command for '%s'", path);
	clang_CompileCommands_dispose(commands);
	clang_CompilationDatabase_dispose(database);
	return flags;
}

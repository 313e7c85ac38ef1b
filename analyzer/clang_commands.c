/*
 * compile_commands.json: the flags with which a build compiles a file, as far as they matter for reading it.
 */
#include <clang-c/CXCompilationDatabase.h>

#include "analyzer/internal.h"

#include <stdlib.h>
#include <string.h>

/* A flag's name without its value; takes_folder: the value is a folder or file, relative to the command's folder. */
static const struct flag {
	const char *name, *as;
	bool takes_folder;
} flags[] = {
	{"-D", "-D", false},
	{"-U", "-U", false},
	{"--define-macro", "-D", false},
	{"--undefine-macro", "-U", false},
	{"-isystem", "-isystem", true},
	{"--system-include", "-isystem", true},
	{"-include", "-include", true},
	{"--pre-include", "-include", true},
	{"--include-path", "-I", true},
	{"-iquote", "-iquote", true},
	{"-I", "-I", true},
	{"-std", "-std=", false},
	{"--std", "-std=", false},
};

struct flag_list {
	struct arena *arena;
	const char *folder;
	const char **list;
	unsigned count;
};

/*
 * The row of the flag that an argument begins with; *value is what follows in the same argument, NULL where the next
 * one is the value.
 */
static const struct flag *flag_of(const char *argument, const char **value)
{
	for (unsigned i = 0; i < ARRAY_COUNT(flags); i++) {
		size_t length = strlen(flags[i].name);
		bool is_short = flags[i].name[2] == 0;

		if (strncmp(argument, flags[i].name, length) != 0)
			continue;
		if (argument[length] == 0) {
			*value = NULL;
			return &flags[i];
		}
		if (argument[length] == '=' || is_short) {
			*value = argument + length + (argument[length] == '=');
			return &flags[i];
		}
	}
	return NULL;
}

static void push_flag(struct flag_list *found, const struct flag *flag, const char *value)
{
	if (flag->takes_folder && value[0] != '/')
		value = arena_printf(found->arena, "%s/%s", found->folder, value);
	if (flag->as[1] == 'i') {
		ARENA_PUSH(found->arena, found->list, found->count, flag->as);
		ARENA_PUSH(found->arena, found->list, found->count, arena_strdup(found->arena, value));
	} else {
		ARENA_PUSH(found->arena, found->list, found->count,
		           arena_printf(found->arena, "%s%s", flag->as, value));
	}
}

static const char *copied(struct arena *arena, CXString string)
{
	const char *text = arena_strdup(arena, clang_getCString(string) ? clang_getCString(string) : "");

	clang_disposeString(string);
	return text;
}

static void read_command(struct flag_list *found, CXCompileCommand command)
{
	unsigned count = clang_CompileCommand_getNumArgs(command);

	found->folder = copied(found->arena, clang_CompileCommand_getDirectory(command));
	for (unsigned i = 1; i < count; i++) {
		const char *argument = copied(found->arena, clang_CompileCommand_getArg(command, i)), *value;
		const struct flag *flag = flag_of(argument, &value);

		if (flag && !value && i + 1 < count)
			value = copied(found->arena, clang_CompileCommand_getArg(command, ++i));
		if (flag && value)
			push_flag(found, flag, value);
	}
}

const char *const *compile_commands_flags(struct arena *arena, const char *directory, const char *path, unsigned *count,
                                          struct diagnostics *diagnostics)
{
	CXCompilationDatabase_Error error = CXCompilationDatabase_NoError;
	int saved = front_silence();
	CXCompilationDatabase database = clang_CompilationDatabase_fromDirectory(directory, &error);
	struct place place = {arena_printf(arena, "%s/compile_commands.json", directory), 0, 0};
	struct flag_list found = {.arena = arena};
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
		read_command(&found, clang_CompileCommands_getCommand(commands, 0));
	else
		diagnostics_report(diagnostics, SEVERITY_WARNING, place, "it has no command for '%s'", path);
	clang_CompileCommands_dispose(commands);
	clang_CompilationDatabase_dispose(database);
	*count = found.count;
	return found.list;
}

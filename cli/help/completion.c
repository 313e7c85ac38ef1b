/*
 * Completion scripts. Each holds the commands, their options, and the names that an option takes; for all else the
 * shell completes paths.
 */
#include "cli/help/help.h"

#include <string.h>

/*
 * Names that an option's argument may be, apart by spaces; "" where there are none to list. Machine files come and go:
 * the shell asks for them, by a command in parentheses after `ask`.
 */
static const char *candidates(struct arena *arena, const struct option_row *row, const char *ask)
{
	const char *at = row->values ? strchr(row->values, '@') : NULL, *list = "";
	unsigned count = 0;
	if (!at || row->form == FORM_NAME_VALUE)
		return "";
	if (strncmp(at, "@machines", strlen("@machines")) == 0)
		return arena_printf(arena, "%s(coalesce completion machines)", ask);
	const char **names =
		help_names(arena, arena_strndup(arena, at, 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz")), &count);
	for (unsigned i = 0; i < count; i++)
		list = arena_printf(arena, "%s%s%s", list, i ? " " : "", names[i]);
	return list;
}

/* The help without what a shell's quotes would end at. */
static const char *quoted(struct arena *arena, const char *text)
{
	char *copy = arena_strdup(arena, text);
	for (char *c = copy; *c; c++)
		if (strchr("'`[]:\"$\\", *c))
			*c = ' ';
	return copy;
}

static void options_list(struct text *out, const struct command *command)
{
	for (unsigned i = 0; i < option_row_count; i++)
		if (strchr(option_rows[i].commands, command->letter))
			text_printf(out, " %s", option_rows[i].spelling);
}

/* ---- bash ------------------------------------------------------------------------------ */

static void bash_print(struct text *out, struct arena *arena, const struct command *commands, unsigned count)
{
	text_puts(out,
	          "_coalesce()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
	          "\tCOMPREPLY=()\n\tif [ \"$COMP_CWORD\" -eq 1 ] || [ \"${COMP_WORDS[1]}\" = help ]; "
	          "then\n\t\twords='help "
	          "completion");
	for (unsigned i = 0; i < count; i++)
		text_printf(out, " %s", commands[i].name);
	text_puts(out,
	          "'\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n\t\treturn\n\tfi\n\tcase $before in\n");
	for (unsigned i = 0; i < option_row_count; i++) {
		const char *names = candidates(arena, &option_rows[i], "$");
		if (*names)
			text_printf(out,
			            "\t%s) COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); [ \"${#COMPREPLY[@]}\" -gt 0 "
			            "] && return "
			            ";;\n",
			            option_rows[i].spelling, names);
	}
	text_puts(out, "\tesac\n\tcase ${COMP_WORDS[1]} in\n");
	for (unsigned i = 0; i < count; i++) {
		text_printf(out, "\t%s) words='", commands[i].name);
		options_list(out, &commands[i]);
		text_puts(out, "' ;;\n");
	}
	text_puts(out, "\tcompletion) words='bash zsh fish'; COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return "
	               ";;\n\tesac\n"
	               "\tcase $word in\n\t-*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
	               "\t*) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n\tesac\n}\n"
	               "complete -o filenames -F _coalesce coalesce\n");
}

/* ---- zsh ------------------------------------------------------------------------------- */

static void zsh_option(struct text *out, struct arena *arena, const struct option_row *row)
{
	const char *names = candidates(arena, row, "$");
	text_printf(out, " \\\n\t\t\"*%s[%s]", row->spelling, quoted(arena, row->help));
	if (row->argument)
		text_printf(out, ":%s:%s", quoted(arena, row->argument),
		            *names ? arena_printf(arena, "(%s)", names) : "_files");
	text_puts(out, "\"");
}

static void zsh_print(struct text *out, struct arena *arena, const struct command *commands, unsigned count)
{
	text_puts(out, "#compdef coalesce\n_coalesce()\n{\n\tlocal -a commands\n\tcommands=(");
	for (unsigned i = 0; i < count; i++)
		text_printf(out, "\n\t\t'%s:%s'", commands[i].name, quoted(arena, commands[i].summary));
	text_puts(out, "\n\t\t'help:lists the options of a command'\n\t\t'completion:prints a completion script'\n\t)\n"
	               "\tif (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n\t\t_describe command "
	               "commands\n\t\treturn\n\tfi\n"
	               "\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n");
	for (unsigned i = 0; i < count; i++) {
		text_printf(out, "\t%s)\n\t\t_arguments", commands[i].name);
		for (unsigned r = 0; r < option_row_count; r++)
			if (strchr(option_rows[r].commands, commands[i].letter))
				zsh_option(out, arena, &option_rows[r]);
		text_puts(out, " \\\n\t\t'*:file:_files' ;;\n");
	}
	text_puts(out, "\tcompletion) _values shell bash zsh fish ;;\n\tesac\n}\n_coalesce \"$@\"\n");
}

/* ---- fish ------------------------------------------------------------------------------ */

static void fish_option(struct text *out, struct arena *arena, const struct command *command,
                        const struct option_row *row)
{
	const char *names = candidates(arena, row, ""), *name = row->spelling + strspn(row->spelling, "-");
	text_printf(out, "complete -c coalesce -n '__fish_seen_subcommand_from %s' -%c %s -d '%s'", command->name,
	            row->spelling[1] == '-' ? 'l' : 's', name, quoted(arena, row->help));
	if (row->argument && *names)
		text_printf(out, " -x -a '%s'", names);
	else if (row->argument)
		text_puts(out, " -r");
	text_puts(out, "\n");
}

static void fish_print(struct text *out, struct arena *arena, const struct command *commands, unsigned count)
{
	text_puts(out,
	          "complete -c coalesce -n __fish_use_subcommand -f -a help -d 'lists the options of a command'\n"
	          "complete -c coalesce -n __fish_use_subcommand -f -a completion -d 'prints a completion script'\n"
	          "complete -c coalesce -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n");
	for (unsigned i = 0; i < count; i++) {
		text_printf(out, "complete -c coalesce -n __fish_use_subcommand -f -a %s -d '%s'\n", commands[i].name,
		            quoted(arena, commands[i].summary));
		text_printf(out, "complete -c coalesce -n '__fish_seen_subcommand_from help' -f -a %s\n",
		            commands[i].name);
		for (unsigned r = 0; r < option_row_count; r++)
			if (strchr(option_rows[r].commands, commands[i].letter))
				fish_option(out, arena, &commands[i], &option_rows[r]);
	}
}

bool help_completion(struct text *out, struct arena *arena, const struct command *commands, unsigned count,
                     const char *word)
{
	static const struct {
		const char *shell;
		void (*print)(struct text *out, struct arena *arena, const struct command *commands, unsigned count);
	} shells[] = {{"bash", bash_print}, {"zsh", zsh_print}, {"fish", fish_print}};
	for (size_t i = 0; i < ARRAY_COUNT(shells); i++) {
		if (strcmp(shells[i].shell, word) != 0)
			continue;
		shells[i].print(out, arena, commands, count);
		return true;
	}
	if (strcmp(word, "machines") != 0)
		return false;
	const char **names = help_names(arena, "@machines", &count);
	for (unsigned i = 0; i < count; i++)
		text_printf(out, "%s\n", names[i]);
	return true;
}

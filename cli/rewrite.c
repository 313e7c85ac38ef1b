/*
 * coalesce rewrite FILE.cu --layout L -o OUT.cu: the file with its records in layout L, kernel and host side.
 */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

static enum exit_code rewrite_to(struct arena *arena, const struct command_line *line, const struct prediction *prediction,
                                 const struct layout *layout, unsigned tile, struct diagnostics *diagnostics)
{
	const struct layout_groups *groups = &prediction->groups;
	const char *output = option_text(&line->output, NULL);
	struct placement **placements = arena_array(arena, groups->count + 1, sizeof *placements);
	if (groups->count == 0) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){line->file, 0, 0},
		                   "no records to lay out: kernels index no struct; give --group for separate arrays");
		return EXIT_INPUT;
	}
	for (unsigned g = 0; g < groups->count; g++)
		placements[g] = layout_place(arena, layout, groups->list[g], layout->tiled ? tile : LAYOUT_TILE_DEFAULT);
	struct rewritten *rewritten = layout_rewrite(arena, prediction->analysis, groups, placements, REWRITE_PROGRAM, diagnostics);
	if (!rewritten)
		return EXIT_INPUT;
	if (file_write(output, rewritten->text, strlen(rewritten->text)) != 0) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){output, 0, 0}, "cannot write: %s", strerror(errno));
		return EXIT_INPUT;
	}
	if (!rewritten->host_complete)
		diagnostics_report(
			diagnostics, SEVERITY_WARNING, (struct place){line->file, 0, 0},
			"the kernels are rewritten, but the host side is left as it is where the notes say: change it by hand");
	return EXIT_VERDICT;
}

enum exit_code command_rewrite(struct arena *arena, const struct command_line *line)
{
	struct predict_options options = {0};
	struct diagnostics diagnostics;
	enum exit_code code = EXIT_USAGE;
	const char *name = option_text(&line->layout, NULL);
	const struct layout *layout = name ? layout_find(name) : NULL;
	if (!line->file || !name || !line->output.count)
		return cli_usage_error("rewrite needs a file, --layout L and -o FILE");
	if (!layout)
		return cli_usage_error("unknown layout '%s'", name);
	if (!options_fill(arena, line, &options))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	options.rank_count = 0;
	options.layouts.recognise_tiles = true;
	struct prediction *prediction = predict(arena, &options, STAGE_GROUPS, &diagnostics, &code);
	if (prediction)
		code = rewrite_to(arena, line, prediction, layout, options.tiles[0], &diagnostics);
	cli_diagnostics(&diagnostics, line->quiet.count > 0, code);
	return code;
}

/*
 * Columns of text.
 */
#include "cli/tables/tables.h"

#include <math.h>
#include <string.h>

#define GAP 2

struct tables_grid tables_grid_make(struct arena *arena, unsigned rows, unsigned count)
{
	struct tables_grid grid = {.rows = rows, .count = count, .needed = 1};
	grid.cells = arena_array(arena, (size_t)rows * count + 1, sizeof *grid.cells);
	for (unsigned i = 0; i < rows * count; i++)
		grid.cells[i] = "";
	return grid;
}

void tables_cell(struct arena *arena, struct tables_grid *grid, unsigned row, unsigned column, const char *format, ...)
{
	struct text text = {0};
	va_list arguments;
	va_start(arguments, format);
	text_vprintf(&text, format, arguments);
	va_end(arguments);
	grid->cells[row * grid->count + column] = arena_strndup(arena, text.data ? text.data : "", text.length);
	text_release(&text);
}

static size_t column_width(const struct tables_grid *grid, unsigned column)
{
	size_t width = 0;
	for (unsigned row = 0; row < grid->rows; row++) {
		size_t own = text_columns(grid->cells[row * grid->count + column]);
		width = own > width ? own : width;
	}
	return width;
}

static unsigned columns_that_fit(const struct tables_grid *grid, const struct report_style *style)
{
	size_t used = 0;
	for (unsigned column = 0; column < grid->count; column++) {
		used += GAP + column_width(grid, column);
		if (used > style->width && column >= grid->needed)
			return column;
	}
	return grid->count;
}

static void row_print(struct text *out, const struct tables_grid *grid, unsigned row, unsigned columns)
{
	size_t empty = 0;
	for (unsigned column = 0; column < columns; column++) {
		const char *cell = grid->cells[row * grid->count + column];
		size_t rest = column_width(grid, column) - text_columns(cell);
		bool left = column == 0 || column < grid->left;
		empty += GAP + (left ? 0 : rest);
		if (*cell) {
			text_printf(out, "%*s%s", (int)empty, "", cell);
			empty = 0;
		} else {
			empty += column_width(grid, column) - rest;
		}
		empty += left ? rest : 0;
	}
}

void tables_grid_print(struct text *out, const struct tables_grid *grid, const struct report_style *style)
{
	unsigned columns = columns_that_fit(grid, style);
	for (unsigned row = 0; row < grid->rows; row++) {
		const char *colour = row == 0 ? "\x1b[2m" : row == grid->chosen ? "\x1b[32m" : NULL;
		text_puts(out, style->colour && colour ? colour : "");
		row_print(out, grid, row, columns);
		text_puts(out, style->colour && colour ? "\x1b[0m\n" : "\n");
	}
}

const char *tables_short(struct arena *arena, double value)
{
	static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
	unsigned i = 0;
	if (!isfinite(value))
		return "-";
	while (i + 1 < ARRAY_COUNT(prefixes) && fabs(value) >= 9999.5) {
		value /= 1000;
		i++;
	}
	return arena_printf(arena, "%.*f%s",
	                    i == 0 || fabs(value) >= 999.5 ? 0
	                    : fabs(value) >= 99.95         ? 1
	                                                   : 2,
	                    value, prefixes[i]);
}

void tables_paragraph(struct text *out, const struct report_style *style, const char *paragraph)
{
	text_puts(out, "  ");
	text_wrap(out, paragraph, 2, 4, style->width);
	text_puts(out, "\n");
}

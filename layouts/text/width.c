/*
 * Lines that became wider than a file's own are broken between statements or behind commas.
 */
#include "layouts/text/text.h"

/* Files narrower than that say nothing of a limit; those up to the usual one keep to it. */
#define WIDTH_SILENT 72
#define WIDTH_USUAL 80
#define WIDTH_UNTOLD 100
#define TAB_WIDTH 8

static unsigned column_after(unsigned column, char c)
{
	if (c == '\t')
		return column + TAB_WIDTH - column % TAB_WIDTH;
	return column + ((unsigned char)c < 0x80 || (unsigned char)c >= 0xC0);
}

static unsigned columns_of(const char *text, size_t length)
{
	unsigned column = 0;

	for (size_t i = 0; i < length; i++)
		column = text[i] == '\r' ? column : column_after(column, text[i]);
	return column;
}

static unsigned widest(const char *text)
{
	unsigned most = 0;

	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n");
		unsigned columns = columns_of(line, length);

		most = columns > most ? columns : most;
		line += length + (line[length] == '\n');
	}
	return most;
}

#define BRACKETS 32
/* Where a line is being read: the columns behind the parentheses and brackets that are open, the braces that were
 * opened in it. */
struct line_scan {
	unsigned open[BRACKETS], depth, braces, column;
	bool launches; /* `<<<` is open */
	char quote;
};
/*
 * A place where a line may be broken, behind a statement, a comma or an operator; at 0: none. rank: the less, the
 * better: between statements, then outside of parentheses.
 */
struct line_break {
	size_t at;
	unsigned rank;
	bool is_late; /* not in the first third of what may stand on the line */
	struct line_scan scan;
};

/* Passes a character of a literal or of code; returns whether it is one of code. */
static bool character_pass(struct line_scan *scan, const char *line, size_t i, size_t length)
{
	bool is_quote =
		line[i] == '"' || (line[i] == '\'' && i + 2 < length && (line[i + 1] == '\\' || line[i + 2] == '\''));

	scan->column = column_after(scan->column, line[i]);
	if (scan->quote) {
		if (line[i] == scan->quote && (line[i - 1] != '\\' || (i > 1 && line[i - 2] == '\\')))
			scan->quote = 0;
		return false;
	}
	if (is_quote)
		scan->quote = line[i];
	if ((line[i] == '(' || line[i] == '[') && ++scan->depth < BRACKETS)
		scan->open[scan->depth] = scan->column;
	scan->depth -= (line[i] == ')' || line[i] == ']') && scan->depth > 0;
	if (i > 1 && strncmp(line + i - 2, "<<<", 3) == 0 && ++scan->depth < BRACKETS) {
		scan->open[scan->depth] = scan->column;
		scan->launches = true;
	} else if (i > 1 && scan->launches && strncmp(line + i - 2, ">>>", 3) == 0) {
		scan->depth -= scan->depth > 0;
		scan->launches = false;
	}
	scan->braces += line[i] == '{';
	scan->braces -= line[i] == '}' && scan->braces > 0;
	return !is_quote;
}

#define RANK_NONE 0xffffu
/* The rank of a break behind character i, which a space follows. */
static unsigned break_rank(const struct line_scan *scan, const char *line, size_t i)
{
	bool spaced = i > 0 && line[i - 1] == ' ';
	bool doubled = i > 1 && (line[i] == '&' || line[i] == '|') && line[i - 1] == line[i] && line[i - 2] == ' ';

	bool opens = line[i] == '{' && i > 1 && spaced && (line[i - 2] == ')' || line[i - 2] == 't');

	if ((opens || line[i] == ';') && scan->depth == 0 && line[i + 2] != '}')
		return 0;
	if (line[i] == ',')
		return 2 * scan->depth + 1;
	if (doubled || (spaced && (line[i] == '+' || line[i] == '-')))
		return 2 * scan->depth + 2;
	return spaced && strchr("*/=", line[i]) ? 2 * scan->depth + 3 : RANK_NONE;
}

/* The best place up to a width, or the first there is. scan: the line's beginning. */
static struct line_break break_find(const char *line, size_t length, unsigned width, struct line_scan scan)
{
	struct line_break found = {.at = 0};
	unsigned third = scan.column + (width - (scan.column < width ? scan.column : width)) / 3;

	for (size_t i = 0; i + 2 < length && (scan.quote || line[i] != '/' || line[i + 1] != '/'); i++) {
		struct line_break place = {.at = i + 1};
		bool is_code = character_pass(&scan, line, i, length);

		place.rank = is_code && line[i + 1] == ' ' ? break_rank(&scan, line, i) : RANK_NONE;
		place.is_late = scan.column >= third || place.rank == 0;
		place.scan = scan;
		if (place.rank == RANK_NONE)
			continue;
		if (found.at == 0 ||
		    (scan.column <= width &&
		     (place.is_late > found.is_late || (place.is_late == found.is_late && place.rank <= found.rank))))
			found = place;
	}
	return found;
}

/*
 * Begins the line that follows a break: a statement where its block stands, else below what stands in the open
 * parenthesis, or one step deeper than the broken line.
 */
static unsigned continuation_begin(struct text *out, const char *line, unsigned width, const struct line_break *place,
                                   const char *indentation)
{
	size_t blank = strspn(line, " \t");
	unsigned column = columns_of(line, blank), depth = place->scan.depth < BRACKETS ? place->scan.depth : 0;
	unsigned around = place->rank > 0 ? place->scan.open[depth] : 0;

	text_puts(out, "\n");
	text_append(out, line, blank);
	if (around > column && around <= width / 2) {
		for (; column < around; column++)
			text_puts(out, " ");
		return column;
	}
	for (unsigned step = place->rank > 0 ? 0 : 1; step < (place->rank > 0 ? 1 : place->scan.braces + 1); step++) {
		text_puts(out, indentation);
		column += columns_of(indentation, strlen(indentation));
	}
	return column;
}

/* Writes one line, broken as often as it takes. */
static void line_write(struct text *out, const char *line, size_t length, unsigned width, const char *indentation)
{
	const char *whole = line, *end = line + length;
	struct line_scan scan = {.column = 0};

	while (scan.column + columns_of(line, (size_t)(end - line)) > width) {
		struct line_break place = break_find(line, (size_t)(end - line), width, scan);

		if (place.at == 0)
			break;
		text_append(out, line, place.at);
		line += place.at + strspn(line + place.at, " ");
		scan = place.scan;
		scan.column = continuation_begin(out, whole, width, &place, indentation);
	}
	text_append(out, line, (size_t)(end - line));
}

static bool is_continued(const char *line, size_t length)
{
	while (length > 0 && line[length - 1] == '\r')
		length--;
	return length > 0 && line[length - 1] == '\\';
}

static unsigned limit_of(const char *before)
{
	unsigned own = widest(before);

	return own > WIDTH_USUAL ? own : own >= WIDTH_SILENT ? WIDTH_USUAL : WIDTH_UNTOLD;
}

char *edit_fit_lines(struct arena *arena, const char *before, const char *text, const char *indentation)
{
	unsigned width = limit_of(before);
	bool continues = false;
	struct text out = {0};
	char *copy;

	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n"), blank = strspn(line, " \t");

		if (columns_of(line, length) <= width || line[blank] == '#' || continues || is_continued(line, length))
			text_append(&out, line, length);
		else
			line_write(&out, line, length, width, indentation);
		continues = is_continued(line, length);
		line += length;
		if (*line == '\n')
			text_append(&out, line++, 1);
	}
	copy = arena_strdup(arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

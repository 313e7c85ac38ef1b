/*
 * Diagnostics as a compiler prints them: file:line:col, the source line, and
 * a caret under the column.
 *
 * Columns count bytes, as clang's do. On the screen a tab goes to the next
 * multiple of eight, every UTF-8 character is taken to be one column wide, and
 * a byte that is no printable text is shown as \xNN.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define TAB_COLUMNS 8
#define SHOWN_BYTES_MAX 160

void diagnostics_init(struct diagnostics *diagnostics, struct arena *arena)
{
	*diagnostics = (struct diagnostics){.arena = arena};
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_diagnostic(const struct diagnostic *a, const struct diagnostic *b)
{
	return a->place.line == b->place.line && a->place.column == b->place.column && a->severity == b->severity &&
	       same_text(a->place.file, b->place.file) && same_text(a->message, b->message);
}

static size_t diagnostic_hash(const struct diagnostic *diagnostic)
{
	uint64_t hash =
		UINT64_C(0xcbf29ce484222325) ^ ((uint64_t)diagnostic->place.line << 32 | diagnostic->place.column);

	for (const char *c = diagnostic->message; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	return (size_t)(hash ^ hash >> 29);
}

/* The slot of an equal diagnostic, or the free one where it belongs. */
static size_t *slot_find(const struct diagnostics *diagnostics, const struct diagnostic *diagnostic)
{
	size_t at = diagnostic_hash(diagnostic) & (diagnostics->slot_count - 1);

	while (diagnostics->slots[at] > 0 && diagnostics->slots[at] <= diagnostics->count &&
	       !same_diagnostic(&diagnostics->list[diagnostics->slots[at] - 1], diagnostic))
		at = (at + 1) & (diagnostics->slot_count - 1);
	return &diagnostics->slots[at];
}

/* Makes room for one more. */
static void slots_reserve(struct diagnostics *diagnostics)
{
	if (2 * (diagnostics->count + 1) <= diagnostics->slot_count)
		return;
	diagnostics->slot_count = diagnostics->slot_count ? 2 * diagnostics->slot_count : 64;
	diagnostics->slots = arena_array(diagnostics->arena, diagnostics->slot_count, sizeof *diagnostics->slots);
	for (size_t i = 0; i < diagnostics->count; i++)
		*slot_find(diagnostics, &diagnostics->list[i]) = i + 1;
}

void diagnostics_report(struct diagnostics *diagnostics, enum severity severity, struct place place, const char *format,
                        ...)
{
	struct diagnostic new = {.severity = severity, .place = place};
	struct text text = {0};
	va_list arguments;
	size_t *slot;

	va_start(arguments, format);
	text_vprintf(&text, format, arguments);
	va_end(arguments);
	new.message = text.data ? text.data : "";
	slots_reserve(diagnostics);
	slot = slot_find(diagnostics, &new);
	if (*slot > 0 && *slot <= diagnostics->count) {
		text_release(&text);
		return;
	}
	*slot = diagnostics->count + 1;
	new.message = arena_strndup(diagnostics->arena, new.message, text.length);
	new.place.file = place.file ? arena_strdup(diagnostics->arena, place.file) : NULL;
	text_release(&text);
	ARENA_PUSH(diagnostics->arena, diagnostics->list, diagnostics->count, new);
	diagnostics->errors += severity == SEVERITY_ERROR;
}

void diagnostics_append(struct diagnostics *diagnostics, const struct diagnostics *others)
{
	for (size_t i = 0; i < others->count; i++)
		diagnostics_report(diagnostics, others->list[i].severity, others->list[i].place, "%s",
		                   others->list[i].message);
}

const char *severity_name(enum severity severity)
{
	switch (severity) {
	case SEVERITY_REMARK:
		return "remark";
	case SEVERITY_NOTE:
		return "note";
	case SEVERITY_WARNING:
		return "warning";
	case SEVERITY_ERROR:
		return "error";
	}
	bug("severity_name: no severity %d", (int)severity);
}

/* ---- showing text ------------------------------------------------------------ */

/* Returns how many bytes the UTF-8 character has that begins with this one; 0 where none does. */
static size_t utf8_bytes(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xC2 || first > 0xF4)
		return 0;
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* Whether a terminal shows the character as one: no control, no surrogate, nothing that reverses the line's direction.
 */
static bool is_printable(uint32_t character)
{
	if (character < 0x20 || (character >= 0x7F && character < 0xA0))
		return false;
	if ((character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069))
		return false;
	return character <= 0x10FFFF && (character < 0xD800 || character > 0xDFFF);
}

/*
 * Returns how many bytes of [text, text + length) form one printable character in well-formed UTF-8, 0 where they form
 * none. length is at least 1.
 */
static size_t printable_bytes(const char *text, size_t length)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *byte = (const unsigned char *)text;
	size_t bytes = utf8_bytes(byte[0]);
	uint32_t character;

	if (bytes == 0 || bytes > length)
		return 0;
	character = bytes == 1 ? byte[0] : byte[0] & (0xFFu >> (bytes + 1));
	for (size_t i = 1; i < bytes; i++) {
		if ((byte[i] & 0xC0) != 0x80)
			return 0;
		character = character << 6 | (byte[i] & 0x3F);
	}
	return character >= least[bytes] && is_printable(character) ? bytes : 0;
}

/* Appends the character at text in visible form; returns its bytes and adds its width on the screen to *columns. */
static size_t show_character(struct text *shown, const char *text, size_t length, size_t *columns)
{
	size_t bytes = printable_bytes(text, length);

	if (bytes) {
		text_append(shown, text, bytes);
		*columns += 1;
		return bytes;
	}
	if (*text == '\t') {
		size_t spaces = TAB_COLUMNS - *columns % TAB_COLUMNS;

		text_printf(shown, "%*s", (int)spaces, "");
		*columns += spaces;
		return 1;
	}
	text_printf(shown, "\\x%02X", (unsigned)(unsigned char)*text);
	*columns += 4;
	return 1;
}

/* Prints a message or name with control characters made visible; newlines stay. */
static void print_visible(const char *text, FILE *stream)
{
	struct text shown = {0};
	size_t length = strlen(text), columns = 0;

	for (size_t i = 0; i < length;) {
		if (text[i] == '\n') {
			text_append(&shown, &text[i++], 1);
			columns = 0;
		} else {
			i += show_character(&shown, text + i, length - i, &columns);
		}
	}
	fputs(shown.data ? shown.data : "", stream);
	text_release(&shown);
}

/* ---- the source line ---------------------------------------------------------- */

/* A part of a file's text: a line, or what is shown of it. */
struct span {
	const char *text;
	size_t length;
};

/* The file read last, so that diagnostics of one file read it once, and where the line shown last begins. */
struct source_cache {
	struct arena *arena;
	const char *file, *text;
	size_t length, line_begin, shown_most; /* bytes of a line that are shown */
	unsigned line;
};

/* Returns line number `line` of the text without its end; text is NULL where there is no such line. */
static struct span find_line(struct source_cache *cache, unsigned line)
{
	const char *end = cache->text + cache->length, *text, *newline;
	struct span span = {NULL, 0};

	if (line < cache->line || cache->line == 0) {
		cache->line = 1;
		cache->line_begin = 0;
	}
	for (; cache->line < line; cache->line++) {
		text = cache->text + cache->line_begin;
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			return span;
		cache->line_begin = (size_t)(newline + 1 - cache->text);
	}
	text = cache->text + cache->line_begin;
	if (line == 0 || text == end)
		return span;
	newline = memchr(text, '\n', (size_t)(end - text));
	span = (struct span){text, (size_t)((newline ? newline : end) - text)};
	if (span.length && span.text[span.length - 1] == '\r')
		span.length--;
	return span;
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Returns the part of a line that is shown: all of it, or so many bytes around the caret, not cutting characters. */
static struct span cut_around(struct span line, size_t caret, size_t most)
{
	size_t begin, end;

	if (line.length <= most)
		return line;
	begin = caret > most / 2 ? caret - most / 2 : 0;
	if (begin > line.length - most)
		begin = line.length - most;
	end = begin + most;
	while (begin > 0 && begin < caret && is_continuation(line.text[begin]))
		begin++;
	while (end > caret && end < line.length && is_continuation(line.text[end]))
		end--;
	return (struct span){line.text + begin, end - begin};
}

/* Prints the line with its number, cut where it is long, and a caret under column (counted from 1, 0 for none). */
static void print_source_line(struct span line, struct place place, size_t most, FILE *stream)
{
	size_t caret = place.column ? place.column - 1 : 0, columns = 0, caret_columns = 0;
	struct text shown = {0};
	struct span part;
	const char *before, *after;

	if (caret > line.length)
		caret = line.length;
	part = cut_around(line, caret, most);
	before = part.text > line.text ? "..." : "";
	after = part.text + part.length < line.text + line.length ? "..." : "";
	for (size_t i = 0; i < part.length;) {
		if (part.text + i <= line.text + caret)
			caret_columns = columns;
		i += show_character(&shown, part.text + i, part.length - i, &columns);
	}
	if (part.text + part.length == line.text + caret)
		caret_columns = columns;
	fprintf(stream, "%5u | %s%s%s\n", place.line, before, shown.data ? shown.data : "", after);
	if (place.column)
		fprintf(stream, "%5s | %*s^\n", "", (int)(strlen(before) + caret_columns), "");
	text_release(&shown);
}

/* `a.cu:12:9: error: message`, wrapped where the width is known and the message has no lines of its own. */
static void print_message(const struct diagnostic *diagnostic, unsigned width, FILE *stream)
{
	struct place place = diagnostic->place;
	struct text text = {0};

	text_puts(&text, place.file ? place.file : "coalesce");
	if (place.file && place.line)
		text_printf(&text, place.column ? ":%u:%u" : ":%u", place.line, place.column);
	text_printf(&text, ": %s: ", severity_name(diagnostic->severity));
	if (width == 0 || strchr(diagnostic->message, '\n'))
		text_puts(&text, diagnostic->message);
	else
		text_wrap(&text, diagnostic->message, text_columns(text.data), 4, width);
	print_visible(text.data, stream);
	fputc('\n', stream);
	text_release(&text);
}

static void print_one(const struct diagnostic *diagnostic, unsigned width, struct source_cache *cache, FILE *stream)
{
	struct place place = diagnostic->place;
	struct span line;

	print_message(diagnostic, width, stream);
	if (!place.file || !place.line)
		return;
	if (!same_text(cache->file, place.file)) {
		cache->file = place.file;
		cache->text = file_read(cache->arena, place.file, &cache->length);
		cache->line = 0;
	}
	line = cache->text ? find_line(cache, place.line) : (struct span){NULL, 0};
	if (line.text)
		print_source_line(line, place, cache->shown_most, stream);
}

#define ERRORS_SHOWN 20

void diagnostics_print(const struct diagnostics *diagnostics, size_t first, enum severity least, FILE *stream)
{
	const unsigned frame = 14; /* columns beside the line: its number, and dots where it is cut */
	size_t fits = diagnostics->width > 2 * frame ? diagnostics->width - frame : SHOWN_BYTES_MAX;
	struct source_cache cache = {.arena = arena_create(),
	                             .shown_most = fits < SHOWN_BYTES_MAX ? fits : SHOWN_BYTES_MAX};

	size_t errors = 0;

	for (size_t i = first; i < diagnostics->count; i++) {
		errors += diagnostics->list[i].severity == SEVERITY_ERROR;
		if (diagnostics->list[i].severity >= least &&
		    (diagnostics->list[i].severity != SEVERITY_ERROR || errors <= ERRORS_SHOWN))
			print_one(&diagnostics->list[i], diagnostics->width, &cache, stream);
	}
	if (errors > ERRORS_SHOWN)
		fprintf(stream, "coalesce: %zu more errors are not shown\n", errors - ERRORS_SHOWN);
	arena_release(cache.arena);
}

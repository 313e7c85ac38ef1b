/*
 * Text in HTML.
 */
#include "cli/report/html/html.h"

#include <string.h>

void html_text(struct text *out, const char *string)
{
	static const char special[] = "&<>\"'";
	static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
	for (; *string; string++) {
		const char *found = strchr(special, *string);
		if (found)
			text_puts(out, names[found - special]);
		else if ((unsigned char)*string >= 0x20 || *string == '\t')
			text_append(out, string, 1);
	}
}

void html_printf(struct text *out, const char *format, ...)
{
	struct text own = {0};
	va_list arguments;
	va_start(arguments, format);
	text_vprintf(&own, format, arguments);
	va_end(arguments);
	html_text(out, own.data);
	text_release(&own);
}

void html_heading(struct text *out, struct arena *arena, const char *word)
{
	const struct report_term *term = report_term(arena, word);
	if (!term)
		bug("docs/glossary.md has no '%s'", word);
	text_puts(out, "<th scope=\"col\" title=\"");
	html_text(out, term->text);
	text_puts(out, "\">");
	html_text(out, word);
	text_puts(out, "</th>");
}

void html_glossary(struct text *out, struct arena *arena)
{
	unsigned count;
	const struct report_term *terms = report_terms(arena, &count);
	text_puts(out,
	          "<h2 id=\"words\">Words</h2>\n<details><summary>What the words of this page mean</summary>\n<dl>\n");
	for (unsigned i = 0; i < count; i++) {
		text_puts(out, "<dt>");
		html_text(out, terms[i].names);
		text_puts(out, "</dt><dd>");
		html_text(out, terms[i].text);
		text_puts(out, "</dd>\n");
	}
	text_puts(out, "</dl></details>\n");
}

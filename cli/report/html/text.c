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

/*
 * How text on a terminal looks: colours, and paragraphs broken at its width.
 */
#include "cli/report/report.h"

const char *report_bold(const struct report_style *style)
{
	return style->colour ? "\x1b[1m" : "";
}

const char *report_green(const struct report_style *style)
{
	return style->colour ? "\x1b[32m" : "";
}

const char *report_faint(const struct report_style *style)
{
	return style->colour ? "\x1b[2m" : "";
}

const char *report_plain(const struct report_style *style)
{
	return style->colour ? "\x1b[0m" : "";
}

void report_paragraph(struct text *out, const struct report_style *style, const char *head, const char *paragraph)
{
	if (!paragraph)
		return;
	text_printf(out, "  %s", head);
	text_wrap(out, paragraph, 2 + text_columns(head), 4, style->width);
	text_puts(out, "\n");
}

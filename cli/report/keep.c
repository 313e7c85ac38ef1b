/*
 * Records that the source wants as they are: `// coalesce: keep` on the first line of the record, or in the comments
 * above it.
 */
#include "cli/report/report.h"

#include <string.h>

static const char mark[] = "coalesce: keep";

static size_t line_begin(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

static bool has_mark(const char *text, size_t begin, size_t end)
{
	return memmem(text + begin, end - begin, mark, strlen(mark)) != NULL;
}

/* Whether a line is a comment, or a line of one. */
static bool is_comment(const char *text, size_t begin, size_t end)
{
	while (begin < end && (text[begin] == ' ' || text[begin] == '\t'))
		begin++;
	return begin < end && (text[begin] == '*' || (end - begin >= 2 && text[begin] == '/' &&
	                                              (text[begin + 1] == '/' || text[begin + 1] == '*')));
}

bool report_is_kept(const struct prediction *prediction, const struct layout_group *group)
{
	const struct analysis *analysis = prediction->analysis;
	const struct record *record = group->holder ? group->holder : group->record;
	if (!record || record->range.end <= record->range.begin || record->range.begin >= analysis->text_length)
		return false;
	const char *text = analysis->text,
		   *end = memchr(text + record->range.begin, '\n', analysis->text_length - record->range.begin);
	size_t begin = line_begin(text, record->range.begin), last = end ? (size_t)(end - text) : analysis->text_length;
	if (has_mark(text, begin, last))
		return true;
	while (begin > 0) {
		size_t above = line_begin(text, begin - 1);
		if (!is_comment(text, above, begin - 1))
			return false;
		if (has_mark(text, above, begin - 1))
			return true;
		begin = above;
	}
	return false;
}

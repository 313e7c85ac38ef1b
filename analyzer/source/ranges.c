/*
 * The calls: which they are, and from where to where their ranges go.
 */
#include "analyzer/source/ranges.h"

#include <stdlib.h>
#include <string.h>

/* Algorithms whose kernels are the library's own: they are in no prediction. */
static const char *const unseen[] = {"transform_if",
                                     "transform_reduce",
                                     "transform_inclusive_scan",
                                     "transform_exclusive_scan",
                                     "reduce",
                                     "reduce_by_key",
                                     "inner_product",
                                     "sort",
                                     "sort_by_key",
                                     "stable_sort",
                                     "stable_sort_by_key",
                                     "inclusive_scan",
                                     "exclusive_scan",
                                     "generate",
                                     "tabulate",
                                     "remove_if",
                                     "copy_if",
                                     "unique",
                                     "count_if"};

struct finder {
	struct arena *arena;
	const struct line_reader *file;
	const char *suffix;
	struct diagnostics *diagnostics;
	struct source_changes changes;
};

static void note(const struct finder *finder, size_t offset, const char *algorithm, const char *text)
{
	if (finder->diagnostics)
		diagnostics_report(finder->diagnostics, SEVERITY_NOTE,
		                   (struct place){finder->file->path, source_line_of(finder->file, offset),
		                                  source_column_of(finder->file, offset)},
		                   "thrust::%s %s", algorithm, text);
}

/* ---- what names stand for --------------------------------------------------------------------- */

static bool text_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The last name in `a.b->c`; NULL where an expression ends otherwise. */
static const char *last_name(const char *expression)
{
	size_t i = strlen(expression), end = i;

	while (i > 0 && strchr(SOURCE_WORD_CHARACTERS, expression[i - 1]))
		i--;
	return i < end && !strchr("0123456789", expression[i]) ? expression + i : NULL;
}

/* The template that a name is declared as an object of: "device_vector" of `thrust::device_vector<float> &v`; NULL
 * where none is seen. */
static const char *template_of(const struct finder *finder, const char *name)
{
	const struct line_reader *file = finder->file;
	size_t next;

	for (size_t at = 0; at < file->length; at = next) {
		size_t length = source_word_next(file, &at), i = at, begin;

		next = at + (length ? length : 1);
		if (strlen(name) != length || strncmp(file->text + at, name, length) != 0)
			continue;
		while (i > 0 && strchr(" \t\r\n&", file->text[i - 1]))
			i--;
		if (i == 0 || file->text[i - 1] != '>')
			continue;
		for (int depth = 0; i > 0; i--) {
			depth += (file->text[i - 1] == '>') - (file->text[i - 1] == '<');
			if (depth == 0 || strchr(";{}", file->text[i - 1]))
				break;
		}
		for (begin = i > 0 ? i - 1 : 0; begin > 0 && strchr(SOURCE_WORD_CHARACTERS, file->text[begin - 1]);)
			begin--;
		return i > 0 ? arena_strndup(finder->arena, file->text + begin, i - 1 - begin) : NULL;
	}
	return NULL;
}

/* What a name is initialised with by `auto name = ...;`; empty where it is not. */
static struct passage initialiser_of(const struct finder *finder, struct passage name)
{
	const struct line_reader *file = finder->file;
	const char *word = source_passage_text(finder->arena, file, name);
	size_t next;

	for (size_t at = 0; at < name.begin; at = next) {
		size_t length = source_word_next(file, &at), value;

		next = at + (length ? length : 1);
		if (at + length >= name.begin || strlen(word) != length || strncmp(file->text + at, word, length) != 0)
			continue;
		value = at + length + strspn(file->text + at + length, " \t\r\n");
		if (at < 5 || strncmp(file->text + at - 5, "auto ", 5) != 0 || file->text[value] != '=' ||
		    file->text[value + 1] == '=')
			continue;
		for (next = value + 1; next < file->length && file->text[next] != ';';)
			next = strchr("([{", file->text[next]) ? source_bracket_end(file, next) : next + 1;
		return source_passage_trim(file, (struct passage){value + 1, next});
	}
	return (struct passage){0, 0};
}

/* An expression, or what the name that it is was initialised with. */
static struct passage resolve(const struct finder *finder, struct passage passage)
{
	size_t length = strspn(finder->file->text + passage.begin, SOURCE_WORD_CHARACTERS);
	struct passage value = {0, 0};

	if (length > 0 && passage.begin + length == passage.end)
		value = initialiser_of(finder, passage);
	return value.end > value.begin ? value : passage;
}

/* ---- ranges -------------------------------------------------------------------------------------- */

/* What stands in the brackets of `name...(x)`, where the expression is that call; else NULL. */
static const char *call_argument(const struct finder *finder, const char *expression, const char *name)
{
	const char *open;

	if (strncmp(expression, "thrust::", strlen("thrust::")) == 0)
		expression += strlen("thrust::");
	open = strpbrk(expression, "({");
	if (strncmp(expression, name, strlen(name)) != 0 || !open ||
	    strchr(SOURCE_WORD_CHARACTERS, expression[strlen(name)]) ||
	    !strchr(")}", expression[strlen(expression) - 1]))
		return NULL;
	return arena_strndup(finder->arena, open + 1, strlen(open + 1) - 1);
}

static const char *counted(const struct finder *finder, const char *expression)
{
	const char *value = call_argument(finder, expression, "make_counting_iterator");

	return value ? value : call_argument(finder, expression, "counting_iterator");
}

/* `x` of `x.begin()`, where its elements are in device memory; *problem says why they are not, or is not known. */
static const char *container(const struct finder *finder, const char *expression, const char **problem)
{
	const char *end = text_ends_with(expression, ".begin()")    ? ".begin()"
	                  : text_ends_with(expression, ".cbegin()") ? ".cbegin()"
	                                                            : NULL;
	const char *owner, *name, *kind;

	if (!end)
		return NULL;
	owner = arena_strndup(finder->arena, expression, strlen(expression) - strlen(end));
	name = last_name(owner);
	kind = name ? template_of(finder, name) : NULL;
	if (!kind)
		*problem = arena_printf(finder->arena, "it is not seen what '%s' is", owner);
	else if (strcmp(kind, "device_vector") != 0 && strcmp(kind, "universal_vector") != 0)
		*problem = "";
	return owner;
}

/* The pointer of a range that begins with an expression; NULL where that is not known (*problem). */
static const char *pointer_of(const struct finder *finder, const char *expression, bool is_raw, const char **problem)
{
	const char *owner = container(finder, expression, problem), *name = last_name(expression), *inner;

	if (owner)
		return *problem ? NULL : arena_printf(finder->arena, "thrust::raw_pointer_cast(%s.data())", owner);
	inner = call_argument(finder, expression, "device_pointer_cast");
	inner = inner ? inner : call_argument(finder, expression, "device_ptr");
	if (inner)
		return inner;
	if (name == expression && template_of(finder, name) && strcmp(template_of(finder, name), "device_ptr") == 0)
		return arena_printf(finder->arena, "thrust::raw_pointer_cast(%s)", name);
	if (is_raw && !strstr(expression, "iterator"))
		return expression;
	*problem = strstr(expression, "zip_iterator")
	                   ? "it goes over a zip iterator"
	                   : arena_printf(finder->arena, "it is not seen what '%s' points to", expression);
	return NULL;
}

/* The kernel's parameter for a range: the name of what it goes over, where that is one and the functor does not use it.
 */
static const char *parameter_name(const struct finder *finder, const struct source_call *call, const char *expression,
                                  unsigned r)
{
	const char *owner = expression, *end = strstr(expression, ".begin()"), *name;

	if (end && end[strlen(".begin()")] == '\0')
		owner = arena_strndup(finder->arena, expression, (size_t)(end - expression));
	name = last_name(owner);
	if (!name || source_passage_has_word(finder->file, call->functor, name))
		return arena_printf(finder->arena, "range%u", r);
	for (unsigned i = 0; i < r; i++)
		if (strcmp(call->ranges[i].name, name) == 0)
			return arena_printf(finder->arena, "range%u", r);
	return name;
}

/* Reads where a range begins; NULL, or why that is not known. */
static const char *range_begin(const struct finder *finder, struct source_call *call, struct passage passage,
                               bool is_raw)
{
	struct source_range *range = &call->ranges[call->range_count];
	const char *expression = source_passage_text(finder->arena, finder->file, resolve(finder, passage)),
		   *problem = NULL;

	*range = (struct source_range){.first = counted(finder, expression)};
	range->name = parameter_name(finder, call, source_passage_text(finder->arena, finder->file, passage),
	                             call->range_count);
	if (range->first)
		range->name = "thrust_first";
	else
		range->pointer = pointer_of(finder, expression, is_raw, &problem);
	call->range_count++;
	return problem;
}

/* The elements from the begin of the first range to an end. */
static const char *count_between(const struct finder *finder, const struct source_call *call, struct passage begin,
                                 struct passage end)
{
	const char *from = source_passage_text(finder->arena, finder->file, begin);
	const char *to = source_passage_text(finder->arena, finder->file, end);
	const char *last = counted(finder, source_passage_text(finder->arena, finder->file, resolve(finder, end))),
		   *problem = NULL;
	const char *owner = container(finder, from, &problem), *rest = to + strlen(from);

	if (strncmp(to, from, strlen(from)) == 0 && rest[strspn(rest, " ")] == '+')
		return rest + strspn(rest, " ") + 1;
	if (owner && strncmp(to, owner, strlen(owner)) == 0 &&
	    (strcmp(to + strlen(owner), ".end()") == 0 || strcmp(to + strlen(owner), ".cend()") == 0))
		return arena_printf(finder->arena, "%s.size()", owner);
	if (call->ranges[0].first && last)
		return strcmp(call->ranges[0].first, "0") == 0
		               ? last
		               : arena_printf(finder->arena, "(%s) - (%s)", last, call->ranges[0].first);
	return arena_printf(finder->arena, "(%s) - (%s)", to, from);
}

/* ---- calls ---------------------------------------------------------------------------------------- */

/* Whether an argument says where the algorithm runs; *is_host where that is not on the device. */
static bool is_policy(const struct finder *finder, struct passage passage, bool *is_device, bool *is_host)
{
	const char *text = source_passage_text(finder->arena, finder->file, passage);

	*is_host = strcmp(text, "thrust::host") == 0 || strcmp(text, "thrust::seq") == 0;
	*is_device = strcmp(text, "thrust::device") == 0 ||
	             strncmp(text, "thrust::cuda::par", strlen("thrust::cuda::par")) == 0;
	return *is_host || *is_device;
}

/* Whether the call is a statement: nobody uses what it gives. */
static bool is_statement(const struct line_reader *file, size_t begin, size_t end)
{
	while (begin > 0 && strchr(" \t\r\n:", file->text[begin - 1]))
		begin--;
	end += strspn(file->text + end, " \t\r\n");
	return begin > 0 && strchr(";{})\n", file->text[begin - 1]) && file->text[end] == ';';
}

/* Reads the arguments of a call; NULL, or why they cannot be followed: "" where nothing is to be said. */
static const char *arguments_read(const struct finder *finder, struct source_call *call, struct passage inside)
{
	struct passages list = source_list_split(finder->file, inside);
	const bool transform = strcmp(call->algorithm, "transform") == 0,
		   counts = strcmp(call->algorithm, "for_each_n") == 0;
	bool is_device = false, is_host = false;
	const char *problem;
	unsigned at;

	if (list.count == 0)
		return "has no arguments";
	at = is_policy(finder, list.list[0], &is_device, &is_host);
	if (is_host || list.count < at + 3 + transform || list.count > at + 3 + 2 * transform)
		return is_host ? "" : "its arguments are not known ones";
	call->functor = resolve(finder, list.list[list.count - 1]);
	problem = range_begin(finder, call, list.list[at], is_device);
	call->count = counts ? source_passage_text(finder->arena, finder->file, list.list[at + 1])
	                     : count_between(finder, call, list.list[at], list.list[at + 1]);
	for (unsigned r = at + 2; !problem && r + 1 < list.count; r++)
		problem = range_begin(finder, call, list.list[r], is_device);
	if (!problem && transform && !call->ranges[call->range_count - 1].pointer)
		problem = "it writes no memory";
	return problem;
}

static void call_take(struct finder *finder, size_t begin, size_t name, size_t open)
{
	struct source_call call = {
		.begin = begin,
		.end = source_bracket_end(finder->file, open),
		.line = source_line_of(finder->file, begin),
		.algorithm = source_passage_text(finder->arena, finder->file,
	                                         source_passage_trim(finder->file, (struct passage){name, open}))};
	const char *problem = is_statement(finder->file, call.begin, call.end) ? NULL : "what it gives is used";

	if (!problem)
		problem = arguments_read(finder, &call, (struct passage){open + 1, call.end - 1});
	if (!finder->suffix) {
		if (!problem || *problem)
			note(finder, call.begin, call.algorithm,
			     "is not rewritten: its kernel is the library's own; write a kernel in its place");
		return;
	}
	if (!problem)
		problem = source_call_write(finder->arena, finder->file, &call, finder->suffix, &finder->changes);
	if (!problem)
		note(finder, call.begin, call.algorithm,
		     "is taken for a kernel with a thread for each element, in blocks of 256; --block gives another "
		     "size");
	else if (*problem)
		note(finder, call.begin, call.algorithm,
		     arena_printf(finder->arena, "is not predicted: %s; write a kernel in its place", problem));
}

/* Looks at the word at an offset, behind `thrust::`. */
static void word_take(struct finder *finder, size_t begin, size_t name, size_t length)
{
	static const char *const followed[] = {"for_each", "for_each_n", "transform"};
	const char *text = finder->file->text;
	size_t open = name + length + strspn(text + name + length, " \t\r\n");

	for (size_t i = 0; text[open] == '(' && i < ARRAY_COUNT(followed); i++)
		if (strlen(followed[i]) == length && strncmp(followed[i], text + name, length) == 0)
			call_take(finder, begin, name, open);
	for (size_t i = 0; text[open] == '(' && i < ARRAY_COUNT(unseen); i++)
		if (strlen(unseen[i]) == length && strncmp(unseen[i], text + name, length) == 0)
			note(finder, begin, unseen[i],
			     "is not predicted: its kernels are the library's own; measure them");
}

static int change_compare(const void *left, const void *right)
{
	const struct source_change *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

struct source_changes source_ranges_find(struct arena *arena, const struct line_reader *file, const char *suffix,
                                         struct diagnostics *diagnostics)
{
	struct finder finder = {.arena = arena, .file = file, .suffix = suffix, .diagnostics = diagnostics};
	size_t next;

	for (size_t at = 0; strstr(file->text, "thrust::") && at < file->length; at = next) {
		size_t length = source_word_next(file, &at), name = at + length + 2;

		next = at + (length ? length : 1);
		if (length == strlen("thrust") && strncmp(file->text + at, "thrust::", strlen("thrust::")) == 0)
			word_take(&finder, at, name, strspn(file->text + name, SOURCE_WORD_CHARACTERS));
	}
	if (suffix)
		source_lambdas_find(arena, file, suffix, &finder.changes);
	if (finder.changes.count)
		qsort(finder.changes.list, finder.changes.count, sizeof(*finder.changes.list), change_compare);
	return finder.changes;
}

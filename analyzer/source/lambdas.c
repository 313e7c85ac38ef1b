/*
 * Device lambdas that are arguments of the program's own functions, `run([=] __device__(int i) { p[i].x += dt; })`: the
 * text is read as if each were an object of a class with the name of its line, so that a kernel template has an
 * instance that code can ask for. The body stays the file's own text:
 *
 *   template <typename T0, typename T1> struct lambda_line11 { T0 *p; T1 dt; __device__ auto operator()(int i) const
 * BODY }; template <typename T0, typename T1> lambda_line11<T0, T1> make_lambda_line11(T0 *p, T1 dt) { return
 * lambda_line11<T0, T1>{p, dt}; }
 *
 * What such a class cannot say stays a lambda: captures by reference or of `this`, parameters that are `auto`,
 * templates and methods around it.
 */
#include "analyzer/source/ranges.h"

#include <string.h>

/* Where the brackets begin that end before an offset, with `__host__` between; the offset itself where there are none.
 */
static size_t captures_begin(const struct line_reader *file, size_t offset)
{
	static const char host[] = "__host__";
	const size_t length = sizeof(host) - 1;
	size_t end = offset;

	while (end > 0 && strchr(" \t\r\n", file->text[end - 1]))
		end--;
	if (end > length && strncmp(file->text + end - length, host, length) == 0)
		end -= length;
	while (end > 0 && strchr(" \t\r\n", file->text[end - 1]))
		end--;
	if (end == 0 || file->text[end - 1] != ']')
		return offset;
	while (end > 0 && file->text[end - 1] != '[')
		end--;
	return end > 0 && source_bracket_end(file, end - 1) <= offset ? end - 1 : offset;
}

/* Whether a function of the file's own stands around an offset: no method, no template. */
static bool is_in_plain_function(const struct line_reader *file, size_t offset)
{
	size_t begin = source_outermost(file, offset), open = begin + strcspn(file->text + begin, "({;");
	struct passage head = {begin, open};

	if (open >= offset || file->text[open] != '(' || source_passage_has_word(file, head, "template") ||
	    source_passage_has_word(file, head, "namespace"))
		return false;
	for (size_t i = begin; i + 1 < open; i++)
		if (strncmp(file->text + i, "::", 2) == 0)
			return false;
	return true;
}

static bool is_changed(const struct source_changes *changes, size_t offset)
{
	for (unsigned c = 0; c < changes->count; c++)
		if (changes->list[c].begin <= offset && offset < changes->list[c].end)
			return true;
	return false;
}

/* The lists that a class with the captures is written with: "typename T0, ", "T0 *p; ", "T0, ", "T0 *p, ", "p, " of
 * what is passed and of members. */
struct capture_lists {
	const char *types, *members, *names, *parameters, *arguments, *values;
};

static struct capture_lists lists_of(struct arena *arena, const struct source_captures *captures)
{
	struct capture_lists lists = {"", "", "", "", "", ""};

	for (unsigned c = 0; c < captures->count; c++) {
		const struct source_capture *capture = &captures->list[c];
		const char *comma = c ? ", " : "", *star = capture->is_pointer ? "*" : "";

		lists.types = arena_printf(arena, "%s%stypename T%u", lists.types, comma, c);
		lists.members = arena_printf(arena, "%sT%u %s%s; ", lists.members, c, star, capture->name);
		lists.names = arena_printf(arena, "%s%sT%u", lists.names, comma, c);
		lists.parameters = arena_printf(arena, "%s%sT%u %s%s", lists.parameters, comma, c, star, capture->name);
		lists.arguments = arena_printf(arena, "%s%s%s", lists.arguments, comma, capture->value);
		lists.values = arena_printf(arena, "%s%s%s", lists.values, comma, capture->name);
	}
	return lists;
}

static void segment_add(struct arena *arena, const struct line_reader *file, struct source_change *change,
                        const char *text, struct passage passage)
{
	struct source_segment segment = {.text = text, .line = change->line, .column = 1};

	if (!text) {
		segment.begin = passage.begin;
		segment.end = passage.end;
		segment.line = source_line_of(file, passage.begin);
		segment.column = source_column_of(file, passage.begin);
	}
	ARENA_PUSH(arena, change->segments, change->segment_count, segment);
}

/* Adds the class and what makes an object of it before the function around, and the object in the lambda's place. */
static void lambda_write(struct arena *arena, const struct line_reader *file, size_t begin,
                         const struct source_lambda *lambda, const struct source_captures *captures, const char *name,
                         struct source_changes *changes)
{
	struct capture_lists lists = lists_of(arena, captures);
	size_t place = source_outermost(file, begin);
	unsigned line = source_line_of(file, begin);
	struct source_change class = {.begin = place, .end = place, .line = line},
			     object = {.begin = begin, .end = lambda->body.end, .line = line, .is_inline = true};
	const char *header = captures->count ? arena_printf(arena, "template <%s> ", lists.types) : "",
		   *type = captures->count ? arena_printf(arena, "%s<%s>", name, lists.names) : name;
	bool is_mutable =
		source_passage_has_word(file, (struct passage){lambda->parameters.end, lambda->body.begin}, "mutable");

	segment_add(arena, file, &class,
	            arena_printf(arena, "%sstruct %s { %s__device__ auto operator()(%s)%s", header, name, lists.members,
	                         source_passage_text(arena, file, lambda->parameters), is_mutable ? "" : " const"),
	            lambda->body);
	segment_add(arena, file, &class, NULL, lambda->body);
	segment_add(arena, file, &class,
	            arena_printf(arena, "}; %sinline %s make_%s(%s) { return %s{%s}; }", header, type, name,
	                         lists.parameters, type, lists.values),
	            lambda->body);
	segment_add(arena, file, &object, arena_printf(arena, "make_%s(%s)", name, lists.arguments), lambda->body);
	ARENA_PUSH(arena, changes->list, changes->count, class);
	ARENA_PUSH(arena, changes->list, changes->count, object);
}

void source_lambdas_find(struct arena *arena, const struct line_reader *file, const char *suffix,
                         struct source_changes *changes)
{
	unsigned last_line = 0, number = 0;
	size_t next;

	for (size_t at = 0; at < file->length; at = next) {
		size_t length = source_word_next(file, &at), begin;
		struct source_lambda lambda;
		struct source_captures captures;
		const char *name;
		unsigned line;

		next = at + (length ? length : 1);
		if (at >= file->length || length != strlen("__device__") ||
		    strncmp(file->text + at, "__device__", length) != 0)
			continue;
		begin = captures_begin(file, at);
		if (begin == at || is_changed(changes, begin) || !is_in_plain_function(file, begin) ||
		    !source_lambda_read(file, (struct passage){begin, file->length}, &lambda) ||
		    source_passage_has_word(file, lambda.parameters, "auto"))
			continue;
		captures = source_lambda_captures(arena, file, &lambda);
		if (captures.problem)
			continue;
		line = source_line_of(file, begin);
		number = line == last_line ? number + 1 : 1;
		last_line = line;
		name = number > 1 ? arena_printf(arena, "lambda_line%u_%u%s", line, number, suffix)
		                  : arena_printf(arena, "lambda_line%u%s", line, suffix);
		lambda_write(arena, file, begin, &lambda, &captures, name, changes);
		next = lambda.body.end;
	}
}

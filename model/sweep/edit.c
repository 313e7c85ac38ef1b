/*
 * The file's text at a point: with other values of macros, constants and template arguments that it defines itself, and
 * with pragmas before loops. Edits never add or remove a line, so that places stay what they are. Names are searched in
 * a copy of the text in which comments and literals are blank.
 */
#include "model/sweep/sweep.h"

#include <ctype.h>
#include <string.h>

/* ---- a text without comments and literals ---------------------------------------------- */

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Where a comment or literal that begins at `at` ends. */
static size_t blank_end(const char *text, size_t at)
{
	const char quote = text[at];
	if (quote == '/' && text[at + 1] == '/')
		return at + strcspn(text + at, "\n");
	if (quote == '/') {
		const char *end = strstr(text + at + 2, "*/");
		return end ? (size_t)(end - text) + 2 : strlen(text);
	}
	for (at++; text[at] && text[at] != quote && text[at] != '\n'; at++)
		if (text[at] == '\\' && text[at + 1])
			at++;
	return at + (text[at] == quote);
}

static char *text_blanked(struct arena *arena, const char *text)
{
	char *blanked = arena_strdup(arena, text);
	for (size_t at = 0; blanked[at];) {
		bool comment = text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*');
		bool digits = at > 0 && isalnum((unsigned char)text[at - 1]) && text[at] == '\'';
		size_t end = comment || text[at] == '"' || (text[at] == '\'' && !digits) ? blank_end(text, at) : at + 1;
		for (size_t i = at; end > at + 1 && i < end; i++)
			if (blanked[i] != '\n')
				blanked[i] = ' ';
		at = end;
	}
	return blanked;
}

static size_t spaces_after(const char *text, size_t at)
{
	return at + strspn(text + at, " \t");
}

/* Whether a word stands there whole. */
static bool word_at(const char *text, size_t at, const char *word)
{
	size_t length = strlen(word);
	return strncmp(text + at, word, length) == 0 && !is_letter(text[at + length]) &&
	       (at == 0 || !is_letter(text[at - 1]));
}

/* ---- definitions ------------------------------------------------------------------------- */

struct definition_search {
	struct arena *arena;
	const char *text; /* blanked */
	const char *name, *value;
	struct sweep_edit *edits;
	unsigned count;
	bool guarded;
};

/* The value from `at` up to `end`, without the spaces around it. */
static void value_add(struct definition_search *search, size_t at, size_t end)
{
	at = spaces_after(search->text, at);
	while (end > at && isspace((unsigned char)search->text[end - 1]))
		end--;
	if (end > at)
		ARENA_PUSH(search->arena, search->edits, search->count,
		           (struct sweep_edit){at, end - at, search->value});
}

/* "#define NAME value", "#ifndef NAME", "#if !defined(NAME)". */
static void directive_read(struct definition_search *search, size_t at)
{
	size_t word = spaces_after(search->text, at + 1), line_end = at + strcspn(search->text + at, "\n");
	if (word_at(search->text, word, "define")) {
		size_t name = spaces_after(search->text, word + strlen("define"));
		if (word_at(search->text, name, search->name) && search->text[name + strlen(search->name)] != '(')
			value_add(search, name + strlen(search->name), line_end);
		return;
	}
	if (!word_at(search->text, word, "ifndef") && !word_at(search->text, word, "if"))
		return;
	for (size_t i = word; i < line_end; i++)
		search->guarded = search->guarded || word_at(search->text, i, search->name);
}

/* "const int NAME = value;" and its like: whether `const` or `constexpr` stands before in the same declaration. */
static bool is_constant(const char *text, size_t at)
{
	size_t begin = at;
	while (begin > 0 && !strchr(";{}()#", text[begin - 1]))
		begin--;
	for (size_t i = begin; i < at; i++)
		if (word_at(text, i, "const") || word_at(text, i, "constexpr"))
			return true;
	return false;
}

static void constant_read(struct definition_search *search, size_t at)
{
	size_t equals = spaces_after(search->text, at + strlen(search->name));
	bool initialised = search->text[equals] == '=' && search->text[equals + 1] != '=';
	if (initialised && is_constant(search->text, at))
		value_add(search, equals + 1, equals + 1 + strcspn(search->text + equals + 1, ";,"));
}

/* ---- template arguments ------------------------------------------------------------------- */

/* The end of a list in angle brackets that begins at `at`, behind it; 0: it does not end. *index: in which item the
 * place is. */
static size_t angles_end(const char *text, size_t at)
{
	int depth = 0;
	for (; text[at] && !strchr(";{}", text[at]); at++) {
		depth += (text[at] == '<') - (text[at] == '>');
		if (depth == 0)
			return at + 1;
	}
	return 0;
}

/* Item `index` of a list in angle brackets: from *begin to *end. */
static bool angles_item(const char *text, size_t at, unsigned index, size_t *begin, size_t *end)
{
	size_t behind = angles_end(text, at);
	int depth = 0;
	*begin = at + 1;
	for (size_t i = at + 1; behind && i < behind; i++) {
		bool ends = depth == 0 && (text[i] == ',' || i == behind - 1);
		depth += (strchr("<(", text[i]) != NULL) - (strchr(">)", text[i]) != NULL);
		if (!ends)
			continue;
		*end = i;
		if (index-- == 0)
			return true;
		*begin = i + 1;
	}
	return false;
}

/* Which parameter of a template's list is called so, as the last word of its declaration; UINT32_MAX: none. */
static unsigned parameter_index(const char *text, size_t at, const char *name)
{
	size_t begin, end;
	for (unsigned index = 0; angles_item(text, at, index, &begin, &end); index++)
		for (size_t i = begin; i < end; i++)
			if (word_at(text, i, name) && strspn(text + i + strlen(name), " \t\n=,>") > 0)
				return index;
	return UINT32_MAX;
}

/* The kernel that a template's list is of: its name, or NULL. */
static const char *template_kernel(struct arena *arena, const char *text, size_t at)
{
	size_t open = at + strcspn(text + at, ";{"), begin, end;
	bool kernel = false;
	for (size_t i = at; i < open; i++)
		kernel = kernel || word_at(text, i, "__global__");
	while (kernel && at < open && text[at] != '(') {
		bool attribute = word_at(text, at, "__launch_bounds__");
		at += attribute ? strcspn(text + at, ")") + 1 : 1;
	}
	for (end = at; kernel && end > 0 && isspace((unsigned char)text[end - 1]); end--)
		;
	for (begin = end; kernel && begin > 0 && is_letter(text[begin - 1]); begin--)
		;
	return kernel && end > begin ? arena_strndup(arena, text + begin, end - begin) : NULL;
}

/* The argument in all launches "kernel<a, b><<<". */
static void launches_read(struct definition_search *search, const char *kernel, unsigned index)
{
	for (size_t at = 0; search->text[at]; at++) {
		size_t begin, end, open = at + strlen(kernel);
		if (!word_at(search->text, at, kernel))
			continue;
		open = spaces_after(search->text, open);
		size_t behind =
			search->text[open] == '<' && search->text[open + 1] != '<' ? angles_end(search->text, open) : 0;
		if (behind && strncmp(search->text + spaces_after(search->text, behind), "<<<", 3) == 0 &&
		    angles_item(search->text, open, index, &begin, &end))
			value_add(search, begin, end);
	}
}

static void template_read(struct definition_search *search, size_t at)
{
	size_t open = at + strlen("template") + strspn(search->text + at + strlen("template"), " \t\n");
	size_t behind = search->text[open] == '<' ? angles_end(search->text, open) : 0;
	unsigned index = behind ? parameter_index(search->text, open, search->name) : UINT32_MAX;
	const char *kernel = index != UINT32_MAX ? template_kernel(search->arena, search->text, behind) : NULL;
	if (kernel)
		launches_read(search, kernel, index);
}

static void edits_sort(struct sweep_edit *edits, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		for (unsigned j = i; j > 0 && edits[j].at < edits[j - 1].at; j--) {
			struct sweep_edit other = edits[j];
			edits[j] = edits[j - 1];
			edits[j - 1] = other;
		}
}

struct sweep_edit *sweep_definition_edits(struct arena *arena, const char *text, const char *name, const char *value,
                                          unsigned *count, bool *guarded)
{
	struct definition_search search = {
		.arena = arena, .text = text_blanked(arena, text), .name = name, .value = value};
	for (size_t at = 0; search.text[at]; at++) {
		if (search.text[at] == '#')
			directive_read(&search, at);
		else if (word_at(search.text, at, name))
			constant_read(&search, at);
		else if (word_at(search.text, at, "template"))
			template_read(&search, at);
	}
	edits_sort(search.edits, search.count);
	*count = search.count;
	*guarded = search.guarded;
	return search.edits;
}

/* ---- launch bounds ------------------------------------------------------------------------- */

/* The block of a launch at a point, in threads. */
static uint64_t block_threads(const struct sweep *sweep, const struct sweep_point *point, const uint32_t written[3])
{
	const uint32_t *block = written;
	for (unsigned a = 0; sweep && a < sweep->axis_count; a++) {
		const struct sweep_axis *axis = &sweep->axes[a];
		bool shaped = axis->kind == SWEEP_SHAPE &&
		              memcmp(axis->dimensions[axis->own], written, 3 * sizeof *written) == 0;
		if (shaped || axis->kind == SWEEP_SAID_BLOCK)
			block = axis->dimensions[point->at[a]];
	}
	return (uint64_t)block[0] * block[1] * block[2];
}

/* Whether a kernel is called so in the text: its name without namespaces and template arguments. */
static bool is_called(const struct kernel *kernel, const char *name, size_t length)
{
	size_t end = strcspn(kernel->name, "<"), begin = end;
	while (begin > 0 && is_letter(kernel->name[begin - 1]))
		begin--;
	return end - begin == length && strncmp(kernel->name + begin, name, length) == 0;
}

/* Where the name of the kernel stands that `__global__` at `at` is of; 0: there is none, or it has bounds. */
static size_t kernel_name(const char *text, size_t at, size_t *length)
{
	size_t line = at, end = at + strcspn(text + at, "(;{"), begin;
	while (line > 0 && text[line - 1] != '\n')
		line--;
	if (text[spaces_after(text, line)] == '#' || text[end] != '(')
		return 0;
	while (isspace((unsigned char)text[end - 1]))
		end--;
	for (begin = end; is_letter(text[begin - 1]); begin--)
		;
	*length = end - begin;
	return *length == 0 || word_at(text, begin, "__launch_bounds__") ? 0 : begin;
}

struct sweep_edit *sweep_bounds_edits(struct arena *arena, const struct prediction *first, const struct sweep *sweep,
                                      const struct sweep_point *point, unsigned blocks, unsigned *count)
{
	const char *source = first->analysis->source ? first->analysis->source->main_text : NULL;
	const char *text = source ? text_blanked(arena, source) : "";
	struct sweep_edit *edits = NULL;
	*count = 0;
	for (size_t at = 0; text[at]; at++) {
		size_t length = 0, name = word_at(text, at, "__global__") ? kernel_name(text, at, &length) : 0;
		uint64_t threads = 0;
		for (unsigned c = 0; name && c < first->case_count; c++) {
			const struct launch_case *launch = first->cases[c].launch;
			uint64_t own = block_threads(sweep, point, launch->block);
			if (is_called(launch->kernel, text + name, length) && own > threads)
				threads = own;
		}
		if (threads)
			ARENA_PUSH(arena, edits, *count,
			           (struct sweep_edit){name, 0,
			                               arena_printf(arena, "__launch_bounds__(%llu, %u) ",
			                                            (unsigned long long)threads, blocks)});
	}
	return edits;
}

/* ---- all edits ------------------------------------------------------------------------------- */

const char *sweep_text_edit(struct arena *arena, const char *text, const struct sweep_edit *edits, unsigned count)
{
	struct text out = {0};
	size_t from = 0;
	text_puts(&out, "");
	for (unsigned e = 0; e < count; e++) {
		if (edits[e].at < from)
			continue;
		text_append(&out, text + from, edits[e].at - from);
		text_puts(&out, edits[e].text);
		from = edits[e].at + edits[e].length;
	}
	text_puts(&out, text + from);
	const char *copy = arena_strdup(arena, out.data);
	text_release(&out);
	return copy;
}

const char *sweep_text_at(struct arena *arena, const struct sweep *sweep, const struct sweep_point *point,
                          const struct prediction *first)
{
	const struct analysis *analysis = first->analysis;
	const char *text = analysis->source ? analysis->source->main_text : NULL;
	struct sweep_edit *all = NULL;
	unsigned all_count = 0;
	for (unsigned a = 0; text && a < sweep->axis_count; a++) {
		const struct sweep_axis *axis = &sweep->axes[a];
		struct sweep_edit *edits = NULL;
		unsigned count = 0;
		bool guarded;
		if (axis->has_own && axis->own == point->at[a])
			continue;
		if (axis->kind == SWEEP_UNROLL)
			edits = sweep_unroll_edits(arena, analysis, NULL, (unsigned)point->at[a], &count);
		if (axis->kind == SWEEP_BOUNDS)
			edits = sweep_bounds_edits(arena, first, sweep, point, (unsigned)point->at[a], &count);
		if (axis->kind == SWEEP_DEFINITION)
			edits = sweep_definition_edits(arena, text, axis->name, sweep_value(arena, axis, point->at[a]),
			                               &count, &guarded);
		for (unsigned e = 0; e < count; e++)
			ARENA_PUSH(arena, all, all_count, edits[e]);
	}
	edits_sort(all, all_count);
	return all_count ? sweep_text_edit(arena, text, all, all_count) : NULL;
}

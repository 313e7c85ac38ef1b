/*
 * The pieces that rewriting is made of: tokens, edits, calls, declarations, and sizes taken apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "layouts/layouts.h"
#include "layouts/host/internal.h"

static struct range find(const struct edit_source *source, const char *what)
{
	const char *at = strstr(source->text, what);

	assert_non_null(at);
	return (struct range){(unsigned)(at - source->text), (unsigned)(at - source->text + (long)strlen(what))};
}

/* The tokens of a text, joined by bars. */
static char *tokens_of(struct arena *arena, const char *text)
{
	const struct edit_source *source = edit_source_read(arena, text, strlen(text));
	char *joined = arena_strdup(arena, "");

	for (unsigned i = 0; i < source->token_count; i++)
		joined = arena_printf(arena, "%s%s%.*s", joined, i > 0 ? "|" : "",
		                      (int)(source->tokens[i].end - source->tokens[i].begin),
		                      text + source->tokens[i].begin);
	return joined;
}

static void tokens(void **state)
{
	static const char *const cases[][2] = {
		{"p->x+=1'000.5e-3f;", "p|->|x|+=|1'000.5e-3f|;"},
		{"a /* b */ c // d\n e", "a|c|e"},
		{"k<<<1, 2>>>(p)", "k|<<|<|1|,|2|>>|>|(|p|)"},
		{"s = \"a\\\"b // c\"; 'x'", "s|=|\"a\\\"b // c\"|;|'x'"},
		{"R\"x(a \" )\" b)x\" c", "R\"x(a \" )\" b)x\"|c"},
		{"#define A \\\n 1 /* x\n y */ 2\nb", "#define A \\\n 1 /* x\n y */ 2|b"},
		{"a # b", "a|#|b"},
		{"\"open\nb", "\"open|b"},
		{"", ""},
	};
	struct arena *arena = arena_create();

	(void)state;
	for (unsigned c = 0; c < ARRAY_COUNT(cases); c++)
		assert_string_equal(tokens_of(arena, cases[c][0]), cases[c][1]);
	arena_release(arena);
}

static void brackets_pair_up(void **state)
{
	struct arena *arena = arena_create();
	const char *text = "f(a[1], { b }) } (";
	const struct edit_source *source = edit_source_read(arena, text, strlen(text));

	(void)state;
	assert_int_equal(source->tokens[1].match, 10);
	assert_int_equal(source->tokens[3].match, 5);
	assert_int_equal(source->tokens[8].brace, 7);
	assert_int_equal(source->tokens[11].match, 11);
	assert_int_equal(source->tokens[12].match, 12);
	arena_release(arena);
}

/* Writes what an edit's range holds in square brackets, with the edits inside done. */
static void bracket_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	text_puts(out, "[");
	edit_render(out, edits, edit->range, edit);
	text_puts(out, "]");
}

static void edits_nest(void **state)
{
	struct arena *arena = arena_create();
	const char *text = "a bb\nccc d";
	struct edits edits = {.arena = arena, .source = edit_source_read(arena, text, strlen(text))};

	(void)state;
	edit_add(&edits, find(edits.source, "ccc"), "C");
	edit_add_writer(&edits, find(edits.source, "bb\nccc"), bracket_write, NULL);
	edit_add(&edits, (struct range){2, 2}, "<");
	edit_add(&edits, (struct range){10, 10}, ">");
	edit_sort(&edits);
	assert_string_equal(edit_render_copy(&edits, (struct range){0, 10}, NULL), "a <[bb\nC] d>");
	assert_string_equal(edit_render_copy(&edits, (struct range){5, 8}, NULL), "C");
	arena_release(arena);
}

static void replaced_lines_are_kept(void **state)
{
	struct arena *arena = arena_create();
	const char *text = "a(b,\n  c,\n  d)";
	struct edits edits = {
		.arena = arena, .source = edit_source_read(arena, text, strlen(text)), .keep_lines = true};

	(void)state;
	edit_add(&edits, find(edits.source, "b,\n  c,\n  d"), "x");
	edit_sort(&edits);
	assert_string_equal(edit_render_copy(&edits, (struct range){0, edits.source->length}, NULL), "a(x\n\n)");
	arena_release(arena);
}

static void sizes(void **state)
{
	static const char *const cases[][2] = {
		{"n * sizeof(float)", "n"},
		{"(size_t)N * N * sizeof(float)", "(size_t)N * N"},
		{"sizeof(float) * n", "n"},
		{"sizeof(float) * N * N", "(size_t)N * N"},
		{"n * sizeof *p", "n"},
		{"n * sizeof(p[0])", "n"},
		{"n * sizeof(real)", "n"},
		{"(n + 1) / 2 * sizeof(float)", "(n + 1) / 2"},
		{"bytes", "bytes / sizeof(float)"},
		{"f(n)", "f(n) / sizeof(float)"},
		{"n * sizeof(double)", "(n * sizeof(double)) / sizeof(float)"},
		{"n * sizeof(float) + 4", "(n * sizeof(float) + 4) / sizeof(float)"},
		{"sizeof(host)", "sizeof(host) / sizeof(float)"},
	};
	struct rehost_element element = {"float", "real", "p", "float"};

	(void)state;
	for (unsigned c = 0; c < ARRAY_COUNT(cases); c++) {
		struct arena *arena = arena_create();
		struct edits edits = {.arena = arena};
		struct text out = {0};

		edits.source = edit_source_read(arena, cases[c][0], strlen(cases[c][0]));
		rehost_count_write(&out, &edits, NULL, (struct range){0, edits.source->length}, &element);
		assert_string_equal(out.data, cases[c][1]);
		text_release(&out);
		arena_release(arena);
	}
}

static void calls(void **state)
{
	struct arena *arena = arena_create();
	const char *text = "int f() { CHECK(g(a, (b, c), &d)); if (x) h<4>(p + 1); y = std::k(q); }";
	const struct edit_source *source = edit_source_read(arena, text, strlen(text));
	struct edit_call call;

	(void)state;
	assert_true(edit_call_around(source, find(source, "d)"), &call));
	assert_true(edit_call_is(source, &call, "g", 3));
	assert_true(edit_range_is(source, call.arguments[1], "(b, c)"));
	assert_true(edit_range_is(source, edit_call_statement(source, &call), "CHECK(g(a, (b, c), &d));"));
	assert_true(edit_call_around(source, find(source, "p +"), &call));
	assert_true(edit_call_is(source, &call, "h", 1));
	assert_int_equal(edit_call_statement(source, &call).end, 0);
	assert_true(edit_call_around(source, find(source, "q)"), &call));
	assert_int_equal(edit_call_statement(source, &call).end, 0);
	assert_false(edit_call_around(source, find(source, "y ="), &call));
	arena_release(arena);
}

static void declarations(void **state)
{
	struct arena *arena = arena_create();
	const char *text = "static const struct point h[2] = {{1, 2}}, *a, *b = NULL; float *f(int *x); a::b *c;";
	const struct edit_source *source = edit_source_read(arena, text, strlen(text));
	struct edit_declaration declaration;

	(void)state;
	assert_true(edit_declaration_read(source, find(source, "b = NULL"), &declaration));
	assert_true(edit_range_is(source, declaration.specifiers, "static const struct point"));
	assert_int_equal(declaration.declarator_count, 3);
	assert_true(edit_range_is(source, declaration.declarators[1], "*a"));
	assert_true(edit_range_is(source, declaration.initialisers[2], "NULL"));
	assert_true(edit_declaration_read(source, find(source, "c;"), &declaration));
	assert_true(edit_range_is(source, declaration.specifiers, "a::b"));
	arena_release(arena);
}

static void places_before_declarations(void **state)
{
	struct arena *arena = arena_create();
	const char *text =
		"int a;\n\n/* What f\n   does. */\ntemplate <int N>\nint f();\nnamespace n {\nint g() { int z; }\n}\n";
	const struct edit_source *source = edit_source_read(arena, text, strlen(text));

	(void)state;
	assert_int_equal(edit_before_declaration(source, find(source, "template").begin), find(source, "/*").begin);
	assert_int_equal(edit_outermost(source, find(source, "z;").begin), find(source, "namespace").begin);
	assert_true(edit_has_identifier(source, "N"));
	assert_false(edit_has_identifier(source, "does"));
	arena_release(arena);
}

/* What a pattern's holes are filled with: "t=q a=p ...", or "no" where it does not match the beginning (or all) of the
 * text. */
static char *holes_of(struct arena *arena, const char *text, const char *pattern, bool whole)
{
	const struct edit_source *source = edit_source_read(arena, text, strlen(text));
	struct range range = {0, (unsigned)strlen(text)};
	struct edit_match match;
	char *joined = arena_strdup(arena, "");

	if (whole ? !edit_match_range(source, range, pattern, &match) : !edit_match_at(source, 0, pattern, &match))
		return arena_strdup(arena, "no");
	for (unsigned h = 0; h < match.count; h++)
		joined = arena_printf(arena, "%s%s%s=%s", joined, h > 0 ? " " : "", match.holes[h].name,
		                      edit_copy(arena, source, match.holes[h].range));
	return joined;
}

static void patterns(void **state)
{
	static const struct {
		const char *text, *pattern, *holes;
		bool whole;
	} cases[] = {
		{"float *t; t = p; p = q; q = t;", "$t = $a", "no", false},
		{"t = p; p = q; q = t; next", "$t = $a; $a = $b; $b = $t;", "t=t a=p b=q", false},
		{"t = p; p = q; r = t;", "$t = $a; $a = $b; $b = $t;", "no", false},
		{"copy(a, f(b, c), (d), 4 * n)", "copy(@to, @from, @bytes, @kind)",
	         "to=a from=f(b, c) bytes=(d) kind=4 * n", true},
		{"copy(a, b, c)", "copy(@to, @from, @bytes, @kind)", "no", true},
		{"copy(a, b, c, d, e)", "copy(@to, @from, @bytes, @kind)", "no", true},
		{"copy(a, b, c, d) + 1", "copy(@to, @from, @bytes, @kind)", "no", true},
		{"copyAll(a)", "copy(@to)", "no", false},
		{"a >> 2 >> 5", "@operand >> #number", "operand=a >> 2 number=5", true},
		{"a[i] >> n", "@operand >> #number", "no", true},
		{"&p->pos.x", "&$name->@path", "name=p path=pos.x", true},
		{"p )", "$p(@x)", "no", false},
		{"", "$p", "no", true},
	};
	struct arena *arena = arena_create();

	(void)state;
	for (unsigned c = 0; c < ARRAY_COUNT(cases); c++)
		assert_string_equal(holes_of(arena, cases[c].text, cases[c].pattern, cases[c].whole), cases[c].holes);
	arena_release(arena);
}

static void patches(void **state)
{
	static const char *const cases[][3] = {
		{"a\nb\n", "a\nb\n", ""},
		{"", "a\n", "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n"},
		{"a\n", "", "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n"},
		{"1\n2\n3\n4\n5\n", "1\n2\n3\n4\nx\n5\n", "--- f\n+++ f\n@@ -2,4 +2,5 @@\n 2\n 3\n 4\n+x\n 5\n"},
		{"a\nb\nc", "a\nB\nc", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n\\ No newline at end of file\n"},
		{"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
	         "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
		{"a\n1\n2\nb\n", "A\n1\n2\nB\n", "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n-b\n+B\n"},
	};
	struct arena *arena = arena_create();

	(void)state;
	for (unsigned c = 0; c < ARRAY_COUNT(cases); c++)
		assert_string_equal(layout_diff(arena, "f", cases[c][0], cases[c][1]), cases[c][2]);
	arena_release(arena);
}

/* Lines that became too wide are broken; others, directives and literals stay. */
static void lines_that_fit(void **state)
{
	struct arena *arena = arena_create();
	char before[128], *text;

	(void)state;
	memset(before, 'x', 78);
	strcpy(before + 78, "\n");
	text = edit_fit_lines(
		arena, before,
		"void function(const float *first_of_all, const float *second_of_all, const float *third_of_all, int "
		"n)\n"
		"#define MACRO(a, b, c) aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, "
		"bbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
		"\tputs(\"aaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccc, "
		"dddddddddddd\");\n"
		"\tfirst_statement_of_the_line(1, 2, 3, 4); second_statement_of_the_line(1, 2, 3, 4); third(5);\n"
		"short(1, 2);\n",
		"\t");
	assert_string_equal(text, "void function(const float *first_of_all, const float *second_of_all,\n"
	                          "              const float *third_of_all, int n)\n"
	                          "#define MACRO(a, b, c) aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, "
	                          "bbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
	                          "\tputs(\"aaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbb, "
	                          "cccccccccccccccccccccccccc, dddddddddddd\");\n"
	                          "\tfirst_statement_of_the_line(1, 2, 3, 4);\n"
	                          "\tsecond_statement_of_the_line(1, 2, 3, 4); third(5);\n"
	                          "short(1, 2);\n");
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens),         cmocka_unit_test(patterns),
		cmocka_unit_test(patches),        cmocka_unit_test(brackets_pair_up),
		cmocka_unit_test(edits_nest),     cmocka_unit_test(replaced_lines_are_kept),
		cmocka_unit_test(sizes),          cmocka_unit_test(calls),
		cmocka_unit_test(declarations),   cmocka_unit_test(places_before_declarations),
		cmocka_unit_test(lines_that_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

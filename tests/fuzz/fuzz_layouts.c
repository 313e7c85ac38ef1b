/*
 * Whatever bytes a file has: its tokens are in order and inside it, brackets pair up, and everything that looks around
 * a place in the text stays inside the file.
 */
#include <stdint.h>
#include <stdlib.h>

#include "layouts/device/internal.h"

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

static void tokens_check(const struct edit_source *source)
{
	unsigned end = 0;

	for (unsigned i = 0; i < source->token_count; i++) {
		const struct edit_token *token = &source->tokens[i];

		CHECK(token->begin >= end && token->end > token->begin && token->end <= source->length);
		CHECK(token->match < source->token_count && source->tokens[token->match].match == i);
		CHECK(token->brace == EDIT_NO_TOKEN || token->brace < i);
		end = token->end;
	}
}

/* Looks around every token as rewriting does. */
static void places_check(struct arena *arena, const struct edit_source *source)
{
	static const struct device_alias_types types = {
		.names = {"point", "float"}, .count = 2, .references = {true, true}};

	for (unsigned i = 0; i < source->token_count && i < 200; i++) {
		struct range name = {source->tokens[i].begin, source->tokens[i].end};
		struct edit_declaration declaration;
		struct edit_call call;
		struct device_alias alias;
		const char *reason;

		if (edit_call_around(source, name, &call)) {
			CHECK(call.whole.begin <= name.begin && call.whole.end <= source->length);
			CHECK(edit_call_statement(source, &call).end <= source->length);
		}
		if (edit_declaration_read(source, name, &declaration))
			CHECK(declaration.whole.begin <= name.begin && name.end <= declaration.whole.end);
		if (device_alias_read(source, i, &types, &alias))
			CHECK(alias.first == i && alias.name > i);
		edit_is_variable(source, name, "p", true);
		CHECK(edit_before_declaration(source, name.begin) <= name.begin);
		CHECK(edit_outermost(source, name.begin) <= name.begin);
		device_locals_can_be_auto(source, i, source->token_count, &types, &reason);
	}
	CHECK(edit_single_line(arena, source->text) != NULL);
}

/* Edits that replace every tenth token by itself in brackets; what is left must be the file. */
static void edits_check(struct arena *arena, const struct edit_source *source)
{
	struct edits edits = {.arena = arena, .source = source};
	struct text out = {0};

	for (unsigned i = 0; i < source->token_count; i += 10)
		edit_add(&edits, (struct range){source->tokens[i].begin, source->tokens[i].end}, "");
	edit_sort(&edits);
	edit_render(&out, &edits, (struct range){0, source->length}, NULL);
	size_t removed = 0;
	for (unsigned i = 0; i < source->token_count; i += 10)
		removed += source->tokens[i].end - source->tokens[i].begin;
	CHECK(out.length + removed == source->length);
	text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_create();
	char *text = arena_strndup(arena, (const char *)data, size);
	struct edit_source *source = edit_source_read(arena, text, size);

	tokens_check(source);
	places_check(arena, source);
	edits_check(arena, source);
	arena_release(arena);
	return 0;
}

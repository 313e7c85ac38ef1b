/*
 * Streams that read from a text: std::istringstream in(argv[1]); in >> n. Such a stream is the text that it has still
 * to read.
 *
 * A stream on a file is taken to be open: `if (!in) return -1` is not what a program is run for. What is read from it
 * is not known.
 */
#include "analyzer/host/library/library.h"

#include <stdlib.h>
#include <string.h>

/* The stream that `in >> a >> b` reads from. */
static const struct node *stream_of(const struct node *node)
{
	node = node_strip_casts(node);
	while (node && node->kind == NODE_CALL && node->declaration &&
	       strcmp(node->declaration->name, "operator>>") == 0)
		node = node_strip_casts(node->children[0] ? node->children[0] : node_child(node, 1));
	return node;
}

/* What a text begins with, as a value of a type; *end is behind it. NULL where it is nothing of the type. */
static const struct host_constant *value_read(struct host *host, const char *text, const struct source_type *type,
                                              char **end)
{
	const struct host_constant *value;

	if (type_is_integral(type))
		value = host_integer(host, strtoll(text, end, 10));
	else if (type->shape == SHAPE_FLOAT)
		value = host_real(host, strtod(text, end));
	else
		return NULL;
	return *end != text ? host_convert(host, value, type) : NULL;
}

const struct host_constant *host_read_stream(struct host *host, const struct node *node)
{
	bool is_method = node->children[0] != NULL;
	const struct node *stream = stream_of(node), *target = node_child(node, is_method ? 1 : 2);
	const struct host_constant *text, *value;
	char *end = NULL;

	if (strcmp(node->declaration->name, "operator>>") != 0 || !stream || !target || !target->type ||
	    !host_place_of(host, stream).variable)
		return NULL;
	if (is_method && node_strip_casts(node->children[0]) != stream)
		host_evaluate(host, node->children[0]);
	text = host_evaluate(host, stream);
	if (text->kind != CONSTANT_STRING)
		return NULL;
	value = value_read(host, text->text, type_strip_reference(target->type), &end);
	host_store(host, target, value ? value : host_unknown(host, "what is read from a text"));
	host_store(host, stream, value ? host_string(host, end) : host_unknown(host, "a text that was read from"));
	return host_evaluate(host, stream);
}

const struct host_constant *host_stream_state(struct host *host, const struct node *node)
{
	static const struct {
		const char *name;
		bool value;
	} states[] = {{"is_open", true}, {"operator!", false}, {"operator bool", true},
	              {"good", true},    {"fail", false},      {"bad", false}};
	const struct node *object = node_strip_casts(node->children[0]);
	const char *spelling = object && object->type ? type_strip_reference(object->type)->type.spelling : "";

	if (!strstr(spelling, "fstream"))
		return NULL;
	for (unsigned i = 0; i < ARRAY_COUNT(states); i++)
		if (strcmp(node->declaration->name, states[i].name) == 0)
			return host_integer(host, states[i].value);
	return NULL;
}

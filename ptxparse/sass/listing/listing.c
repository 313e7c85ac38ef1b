/*
 * The JSON that nvdisasm prints: [header, functions, line table]. A function is {"function-name", "start", "length",
 * "sass-instructions": [{"predicate", "opcode", "operands", "source-file-id", "source-line"}]}; file and line are
 * given where they change. Encodings are not in it: they stand in the cubin's .text section, 16 bytes for each
 * instruction.
 */
#include "ptxparse/sass/listing/listing.h"
#include "ptxparse/sass/handlers/handlers.h"

#include <jansson.h>
#include <string.h>

struct listing_reader {
	struct ptx_module *module;
	const struct cubin *cubin;
	struct intern *names;
	const char **files;
	size_t file_count;
	uint32_t file, line; /* of the instruction before */
	uint32_t place;
};

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* ---- places ------------------------------------------------------------------------------ */

static void files_read(struct listing_reader *reader, const json_t *table)
{
	const json_t *directories = json_object_get(table, "directories"), *files = json_object_get(table, "files");

	reader->file_count = json_array_size(files);
	reader->files = arena_array(reader->module->arena, reader->file_count + 1, sizeof(*reader->files));
	for (size_t i = 0; i < reader->file_count; i++) {
		const json_t *file = json_array_get(files, i);
		json_int_t index = json_integer_value(json_object_get(file, "dir-idx"));
		const char *directory = json_string_value(json_array_get(directories, (size_t)(index < 0 ? 0 : index)));
		const char *name = text_of(file, "file");

		reader->files[i] = directory && *directory && *name != '/'
		                           ? arena_printf(reader->module->arena, "%s/%s", directory, name)
		                           : arena_strdup(reader->module->arena, name);
	}
}

/* Places of one function: equal neighbours share one. */
static void place_read(struct listing_reader *reader, const json_t *insn)
{
	const json_t *file = json_object_get(insn, "source-file-id"), *line = json_object_get(insn, "source-line");
	struct ptx_module *module = reader->module;
	struct ptx_place place = {0};
	uint32_t number = (uint32_t)json_integer_value(line), index = (uint32_t)json_integer_value(file);

	if (!line || (reader->place && reader->file == index && reader->line == number))
		return;
	reader->file = index;
	reader->line = number;
	place.place.file = index < reader->file_count ? reader->files[index] : NULL;
	place.place.line = number;
	ARENA_PUSH(module->arena, module->places, module->place_count, place);
	reader->place = (uint32_t)module->place_count - 1;
}

/* ---- functions ------------------------------------------------------------------------------ */

static const char *insn_read(struct listing_reader *reader, const json_t *object, struct sass_insn *insn)
{
	const char *opcode = text_of(object, "opcode"), *predicate = text_of(object, "predicate");

	if (!*opcode)
		return "an instruction has no opcode";
	insn->opcode = intern_text(reader->names, opcode, strlen(opcode));
	insn->entry = sass_opcode_find(insn->opcode);
	insn->guard = KEY_NONE;
	if (*predicate == '@' && !listing_guard_read(predicate, insn))
		return "a predicate is none";
	listing_operands_read(reader->module->arena, text_of(object, "operands"), insn);
	place_read(reader, object);
	insn->place = reader->place;
	return NULL;
}

/* The listing of the section, made when it is new: room for all of its instructions, with no operation until read. */
static struct sass_listing *listing_of(struct listing_reader *reader, struct sass_listings *listings, uint32_t section)
{
	const struct cubin_section *code = &reader->cubin->sections[section];
	struct sass_listing *listing;
	struct sass_operand *none;

	for (size_t i = 0; i < listings->count; i++)
		if (listings->list[i].section == section)
			return &listings->list[i];
	listing = &listings->list[listings->count++];
	listing->name = strncmp(code->name, ".text.", 6) == 0 ? code->name + 6 : code->name;
	listing->section = section;
	listing->code = code->data;
	listing->insn_count = code->data ? (uint32_t)(code->size / SASS_INSN_BYTES) : 0;
	listing->insns = arena_array(reader->module->arena, listing->insn_count + 1u, sizeof(*listing->insns));
	none = arena_array(reader->module->arena, SASS_OPERANDS, sizeof(*none));
	for (uint32_t i = 0; i < listing->insn_count; i++) {
		listing->insns[i].operands = none;
		listing->insns[i].opcode = "NOP";
		listing->insns[i].entry = sass_opcode_find("NOP");
		listing->insns[i].guard = KEY_NONE;
	}
	return listing;
}

/* A function's instructions go where they stand in its section, which may hold further functions. */
static const char *function_read(struct listing_reader *reader, const json_t *object, struct sass_listings *listings)
{
	const json_t *insns = json_object_get(object, "sass-instructions");
	const struct cubin_symbol *symbol = cubin_symbol_find(reader->cubin, text_of(object, "function-name"));
	json_int_t start = json_integer_value(json_object_get(object, "start"));
	size_t count = json_array_size(insns);
	const char *reason = NULL;
	struct sass_listing *listing;

	if (!json_is_array(insns) || start < 0 || start % SASS_INSN_BYTES != 0)
		return "a function has no instructions";
	if (!symbol || symbol->section >= reader->cubin->section_count)
		return "a function of the listing is not in the cubin";
	listing = listing_of(reader, listings, symbol->section);
	if (symbol->is_entry)
		listing->symbol = symbol;
	start /= SASS_INSN_BYTES;
	if ((uint64_t)start > listing->insn_count || count > listing->insn_count - (uint64_t)start)
		return "a function is longer than its section";
	reader->place = 0;
	for (size_t i = 0; i < count && !reason; i++) {
		struct sass_insn *insn = &listing->insns[(size_t)start + i];

		*insn = (struct sass_insn){0};
		reason = insn_read(reader, json_array_get(insns, i), insn);
	}
	return reason;
}

static const char *functions_read(struct listing_reader *reader, const json_t *root, struct sass_listings *listings)
{
	const json_t *functions = json_array_get(root, 1);
	const json_t *version = json_object_get(json_object_get(json_array_get(root, 0), "SM"), "version");
	const char *reason = NULL;

	if (!json_is_array(functions) || !version)
		return "it is no listing by nvdisasm -json";
	listings->architecture = (unsigned)(10 * json_integer_value(json_object_get(version, "major")) +
	                                    json_integer_value(json_object_get(version, "minor")));
	if (listings->architecture < 70)
		return "machine code before sm_70 has another form";
	listings->list = arena_array(reader->module->arena, json_array_size(functions) + 1, sizeof(*listings->list));
	for (size_t i = 0; i < json_array_size(functions) && !reason; i++)
		reason = function_read(reader, json_array_get(functions, i), listings);
	return reason;
}

const char *listing_read_all(struct ptx_module *module, const struct cubin *cubin, const char *json, size_t length,
                             struct sass_listings *listings)
{
	struct listing_reader reader = {.module = module, .cubin = cubin, .names = intern_create(module->arena)};
	json_error_t error;
	json_t *root = json_loadb(json, length, 0, &error);
	const char *reason;

	if (!root)
		return arena_printf(module->arena, "line %d: %s", error.line, error.text);
	ARENA_PUSH(module->arena, module->places, module->place_count, (struct ptx_place){0});
	files_read(&reader, json_array_get(root, 2));
	reason = functions_read(&reader, root, listings);
	json_decref(root);
	return reason;
}

/*
 * The rows of integer.def, real.def, memory.def and control.def, and how their texts are read. A text that does not
 * follow decode.h is a bug of ours.
 */
#include "ptxparse/sass/decode/form.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TABLE(name, ...) static const char *const table_##name[] = {__VA_ARGS__};
#include "ptxparse/sass/decode/tables.def"
#include "ptxparse/sass/decode/words.def"
#undef TABLE

static const struct decode_table tables[] = {
#define TABLE(name, ...) {#name, table_##name, ARRAY_COUNT(table_##name)},
#include "ptxparse/sass/decode/tables.def"
#include "ptxparse/sass/decode/words.def"
#undef TABLE
};

static const struct decode_row {
	uint8_t first, last;
	uint16_t code;
	const char *name, *modifiers, *operands;
} rows[] = {
#define FORM(first, last, code, name, modifiers, operands) {first, last, code, name, modifiers, operands},
#include "ptxparse/sass/decode/integer.def"
#include "ptxparse/sass/decode/real.def"
#include "ptxparse/sass/decode/memory.def"
#include "ptxparse/sass/decode/control.def"
#undef FORM
};

/* ---- fields ---- */

unsigned decode_field_read(const struct decode_bits *bits, const struct decode_field *field)
{
	unsigned value = 0, shift = 0;

	for (unsigned i = 0; i < field->count; i++) {
		value |= (unsigned)decode_number(bits, field->pieces[i].at, field->pieces[i].width) << shift;
		shift += field->pieces[i].width;
	}
	return value;
}

unsigned decode_field_width(const struct decode_field *field)
{
	unsigned width = 0;

	for (unsigned i = 0; i < field->count; i++)
		width += field->pieces[i].width;
	return width;
}

/* ---- texts ---- */

struct form_reader {
	const struct decode_row *row;
	const char *at;
};

static NO_RETURN void wrong(const struct form_reader *reader)
{
	bug("machine instruction form 0x%03x %s: cannot read '%.40s'", reader->row->code, reader->row->name,
	    reader->at);
}

static bool accept(struct form_reader *reader, char wanted)
{
	if (*reader->at != wanted)
		return false;
	reader->at++;
	return true;
}

static unsigned number_read(struct form_reader *reader, int base)
{
	char *end;
	unsigned long number = strtoul(reader->at, &end, base);

	if (end == reader->at)
		wrong(reader);
	reader->at = end;
	return (unsigned)number;
}

/* 73 or 74-77, several joined by +. */
static void field_read(struct form_reader *reader, struct decode_field *field)
{
	do {
		unsigned at = number_read(reader, 10), last = accept(reader, '-') ? number_read(reader, 10) : at;

		if (field->count == ARRAY_COUNT(field->pieces) || last < at || last > 127)
			wrong(reader);
		field->pieces[field->count].at = (uint8_t)at;
		field->pieces[field->count++].width = (uint8_t)(last - at + 1);
	} while (accept(reader, '+'));
}

static size_t name_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
}

static const struct decode_table *table_find(struct form_reader *reader, size_t length)
{
	for (size_t i = 0; i < ARRAY_COUNT(tables); i++)
		if (strncmp(tables[i].name, reader->at, length) == 0 && tables[i].name[length] == 0) {
			reader->at += length;
			return &tables[i];
		}
	wrong(reader);
}

/* ---- modifiers ---- */

static void word_read(struct form_reader *reader, struct decode_word *word)
{
	bool clear = accept(reader, '!'), always = accept(reader, '.');
	size_t length = name_length(reader->at);

	word->text = reader->at;
	word->length = length;
	if (always) {
		reader->at += length;
		return;
	}
	if (length == 7 && strncmp(reader->at, "product", 7) == 0) {
		word->kind = WORD_PRODUCT;
		reader->at += length;
		return;
	}
	if (islower((unsigned char)*reader->at)) {
		word->kind = WORD_CHOICE;
		word->table = table_find(reader, length);
	} else {
		word->kind = clear ? WORD_CLEAR : WORD_SET;
		reader->at += length;
	}
	if (!accept(reader, '@'))
		wrong(reader);
	field_read(reader, &word->field);
}

static void words_read(struct form_reader *reader, struct decode_form *form)
{
	for (reader->at = reader->row->modifiers; *reader->at; reader->at += *reader->at == ' ') {
		if (form->word_count == MOST_WORDS)
			wrong(reader);
		if (strncmp(reader->at, "@U", 2) == 0) {
			form->uniform_guard = true;
			reader->at += 2;
			continue;
		}
		word_read(reader, &form->words[form->word_count++]);
	}
}

/* ---- operands ---- */

/* ?, ??, =f?, 74?, !74?, 74&?, 74|??, ... */
static void presence_read(struct form_reader *reader, struct decode_slot *slot)
{
	for (unsigned i = 0; i < ARRAY_COUNT(slot->when); i++) {
		bool clear = accept(reader, '!');

		if (!isdigit((unsigned char)*reader->at))
			break;
		slot->when[i] = (uint8_t)number_read(reader, 10);
		slot->when_clear[i] = clear;
		slot->join = accept(reader, '|') ? JOIN_OR : JOIN_AND;
		if (slot->join == JOIN_OR || accept(reader, '&') || !accept(reader, '?'))
			break;
		if (!isdigit((unsigned char)*reader->at) && *reader->at != '!')
			return;
	}
	if (accept(reader, '=')) {
		slot->absent = DEFAULT_NUMBER;
		slot->absent_number = number_read(reader, 16);
		accept(reader, '?');
	} else if (accept(reader, '?')) {
		slot->absent = accept(reader, '?') ? DEFAULT_NOT_TRUE : DEFAULT_TRUE;
	}
}

static void flag_read(struct form_reader *reader, uint8_t *flag)
{
	*flag = (uint8_t)number_read(reader, 10);
}

static void flags_read(struct form_reader *reader, struct decode_slot *slot)
{
	for (;;) {
		if (accept(reader, '-'))
			flag_read(reader, &slot->negated);
		else if (accept(reader, '|'))
			flag_read(reader, &slot->absolute);
		else if (accept(reader, '!'))
			flag_read(reader, &slot->not );
		else if (accept(reader, '*'))
			flag_read(reader, &slot->reuse);
		else if (accept(reader, '~'))
			flag_read(reader, slot->negated == NO_BIT ? &slot->complement : &slot->tilde);
		else
			break;
	}
	if (!accept(reader, ':'))
		return;
	slot->table = table_find(reader, name_length(reader->at));
	if (accept(reader, '@'))
		field_read(reader, &slot->field);
}

static void address_read(struct form_reader *reader, struct decode_slot *slot)
{
	while (*reader->at && *reader->at != ']') {
		char part = *reader->at++;
		uint8_t number = (uint8_t)number_read(reader, 10);

		switch (part) {
		case 'r':
			slot->address.base = number;
			break;
		case 'u':
			slot->address.uniform = number;
			if (accept(reader, '/'))
				slot->address.uniform_when = (uint8_t)number_read(reader, 10);
			break;
		case 'w':
			slot->address.wide = number;
			break;
		case 'x':
			slot->address.scale = number;
			break;
		case 'd':
			slot->address.descriptor = number;
			break;
		case 'i':
			slot->address.offset = number;
			if (!accept(reader, '.'))
				wrong(reader);
			slot->address.offset_width = (uint8_t)number_read(reader, 10);
			break;
		default:
			wrong(reader);
		}
	}
	if (!accept(reader, ']'))
		wrong(reader);
}

static unsigned slot_width(const struct decode *decode, char kind)
{
	switch (kind) {
	case 'R':
		return 8;
	case 'U':
	case 'G':
		return decode->uniform_width;
	case 'P':
	case 'Q':
	case 'S':
		return 3;
	case 'B':
		return 4;
	default:
		return 0;
	}
}

static void slot_read(const struct decode *decode, struct form_reader *reader, struct decode_slot *slot)
{
	*slot = (struct decode_slot){.negated = NO_BIT,
	                             .complement = NO_BIT,
	                             .absolute = NO_BIT,
	                             .not = NO_BIT,
	                             .reuse = NO_BIT,
	                             .when = {NO_BIT, NO_BIT},
	                             .tilde = NO_BIT};
	memset(&slot->address, NO_BIT, sizeof(slot->address));
	presence_read(reader, slot);
	slot->kind = *reader->at++;
	if (slot->kind == 'p' || slot->kind == 'q') {
		slot->flipped = true;
		slot->kind = slot->kind == 'p' ? 'P' : 'Q';
	}
	slot->width = (uint8_t)slot_width(decode, slot->kind);
	if (slot->kind == '[') {
		address_read(reader, slot);
	} else if (slot->kind == 'N') {
		slot->text = reader->at;
		slot->text_length = strcspn(reader->at, " ");
		reader->at += slot->text_length;
	} else if (slot->kind == 'T' || slot->kind == 'K') {
		field_read(reader, &slot->field);
	} else if (isdigit((unsigned char)*reader->at)) {
		slot->at = (uint8_t)number_read(reader, 10);
		slot->low_part = decode->architecture >= 90 && (slot->kind == 'Y' || slot->kind == 'Z');
		slot->kind = slot->kind == 'y' ? 'Y' : slot->kind;
		if (accept(reader, '.'))
			slot->width = (uint8_t)number_read(reader, 10);
	}
	flags_read(reader, slot);
	if (*reader->at && *reader->at != ' ')
		wrong(reader);
}

static void slots_read(const struct decode *decode, struct form_reader *reader, struct decode_form *form)
{
	for (reader->at = reader->row->operands; *reader->at; reader->at += *reader->at == ' ') {
		if (form->slot_count == SASS_OPERANDS)
			wrong(reader);
		slot_read(decode, reader, &form->slots[form->slot_count++]);
	}
}

/* ---- forms ---- */

struct decode *decode_open(struct arena *arena, unsigned architecture)
{
	struct decode *decode = arena_alloc(arena, sizeof(*decode));

	decode->arena = arena;
	decode->texts = intern_create(arena);
	decode->architecture = architecture;
	decode->uniform_width = architecture >= 100 ? 8 : 6;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (architecture >= rows[i].first && architecture <= rows[i].last)
			decode->rows[rows[i].code] = (uint16_t)(i + 1);
	return decode;
}

const struct decode_form *decode_form_find(struct decode *decode, unsigned code)
{
	struct form_reader reader;
	struct decode_form *form = decode->forms[code];

	if (form || !decode->rows[code])
		return form;
	form = arena_alloc(decode->arena, sizeof(*form));
	reader.row = &rows[decode->rows[code] - 1];
	form->name = reader.row->name;
	words_read(&reader, form);
	slots_read(decode, &reader, form);
	decode->forms[code] = form;
	return form;
}

/*
 * The builders: what the grammar's actions and the scanner call, in the order of the text.
 */
#ifndef COALESCE_PTXPARSE_TEXT_BUILDERS_H
#define COALESCE_PTXPARSE_TEXT_BUILDERS_H

#include "ptxparse/text/reader.h"

/* ---- constants.c: numbers and constant expressions ---------------------------- */

bool ptx_constant_read_integer(struct ptx_constant *constant, const char *text, size_t length);
bool ptx_constant_read_real(struct ptx_constant *constant, const char *text, size_t length);
/* operator: the grammar's token. */
struct ptx_constant ptx_constant_binary(struct ptx_parser *parser, int operator, struct ptx_constant left,
                                        struct ptx_constant right);
struct ptx_constant ptx_constant_unary(struct ptx_parser *parser, int operator, struct ptx_constant value);
struct ptx_constant ptx_constant_choose(struct ptx_constant condition, struct ptx_constant yes, struct ptx_constant no);
/* (.s64) or (.u64) before an expression. */
struct ptx_constant ptx_constant_cast(const struct ptx_token *type, struct ptx_constant value);
/* The bits as they stand in an object of that type. */
uint64_t ptx_constant_as(struct ptx_constant constant, enum ptx_type type);

/* ---- operands.c: operands and instructions ------------------------------------- */

void ptx_operand_word(struct ptx_parser *parser, const struct ptx_token *word, bool negated);
/* The second of p|q. */
void ptx_operand_pair(struct ptx_parser *parser, const struct ptx_token *word);
void ptx_operand_constant(struct ptx_parser *parser, struct ptx_constant constant);
/* A word plus bytes: what stands between [ ] or for a symbol's address. */
void ptx_operand_sum(struct ptx_parser *parser, const struct ptx_token *word, struct ptx_constant offset);
void ptx_operand_subscript(struct ptx_parser *parser, const struct ptx_token *array, struct ptx_constant index);
/* array[register]: an address that nobody knows. */
void ptx_operand_subscript_unknown(struct ptx_parser *parser, const struct ptx_token *array);
void ptx_operand_address(struct ptx_parser *parser); /* the operand just pushed is an address */
void ptx_vector_begin(struct ptx_parser *parser);
void ptx_vector_end(struct ptx_parser *parser);
void ptx_instruction_guard(struct ptx_parser *parser, const struct ptx_token *predicate, bool negated);
void ptx_opcode_begin(struct ptx_parser *parser, const struct ptx_token *opcode);
/* A modifier that stands apart from its opcode: `ld .global`. */
struct ptx_token ptx_opcode_append(struct ptx_parser *parser, const struct ptx_token *opcode, const char *modifier);
struct ptx_token ptx_opcode_append_space(struct ptx_parser *parser, const struct ptx_token *opcode, int space);
void ptx_instruction_end(struct ptx_parser *parser, const struct ptx_token *opcode);
void ptx_call_begin(struct ptx_parser *parser);
void ptx_call_word(struct ptx_parser *parser, const struct ptx_token *word);
void ptx_call_group_begin(struct ptx_parser *parser);
void ptx_call_group_end(struct ptx_parser *parser);
void ptx_call_end(struct ptx_parser *parser, const struct ptx_token *opcode);
void ptx_branch_targets_begin(struct ptx_parser *parser);
void ptx_branch_target(struct ptx_parser *parser, const struct ptx_token *label);
void ptx_branch_targets_end(struct ptx_parser *parser);
void ptx_directive_unknown(struct ptx_parser *parser, const struct ptx_token *directive);

/* ---- declarations.c: functions, variables, registers, module directives ---------- */

void ptx_module_version(struct ptx_parser *parser, struct ptx_constant version);
void ptx_module_target(struct ptx_parser *parser, const struct ptx_token *target);
void ptx_module_address_size(struct ptx_parser *parser, struct ptx_constant bits);
void ptx_module_finish(struct ptx_parser *parser);
void ptx_declaration_begin(struct ptx_parser *parser, int space, bool is_extern);
void ptx_declaration_register(struct ptx_parser *parser);
void ptx_declaration_qualifier(struct ptx_parser *parser, const struct ptx_token *qualifier);
void ptx_declaration_align(struct ptx_parser *parser, struct ptx_constant bytes);
void ptx_dimension_add(struct ptx_parser *parser, const struct ptx_constant *count);
void ptx_register_declare(struct ptx_parser *parser, const struct ptx_token *word);
void ptx_register_declare_range(struct ptx_parser *parser, const struct ptx_token *word, struct ptx_constant count);
void ptx_variable_begin(struct ptx_parser *parser);
void ptx_variable_end(struct ptx_parser *parser, const struct ptx_token *word);
void ptx_initial_begin(struct ptx_parser *parser);
void ptx_initial_open(struct ptx_parser *parser);
void ptx_initial_close(struct ptx_parser *parser);
void ptx_initial_constant(struct ptx_parser *parser, struct ptx_constant value);
void ptx_initial_symbol(struct ptx_parser *parser);
void ptx_initial_opaque(struct ptx_parser *parser);
void ptx_parameter_end(struct ptx_parser *parser, const struct ptx_token *word);
void ptx_function_begin(struct ptx_parser *parser, bool is_kernel);
void ptx_function_name(struct ptx_parser *parser, const struct ptx_token *word);
void ptx_function_tuning(struct ptx_parser *parser, const struct ptx_token *directive);
void ptx_function_body(struct ptx_parser *parser);
void ptx_function_end(struct ptx_parser *parser);
void ptx_prototype_begin(struct ptx_parser *parser);
void ptx_prototype_end(struct ptx_parser *parser);
void ptx_numbers_clear(struct ptx_parser *parser);
void ptx_numbers_add(struct ptx_parser *parser, struct ptx_constant value);

/* ---- places.c: .file, .loc, .debug_str --------------------------------------------- */

void ptx_places_init(struct ptx_parser *parser);
void ptx_file_add(struct ptx_parser *parser, struct ptx_constant number, const struct ptx_token *path);
void ptx_loc_begin(struct ptx_parser *parser, struct ptx_constant file, struct ptx_constant line,
                   struct ptx_constant column);
void ptx_loc_end(struct ptx_parser *parser);
/* Instead of ptx_loc_end(): function_name LABEL + offset, inlined_at FILE LINE COLUMN. */
void ptx_loc_inlined(struct ptx_parser *parser, const struct ptx_token *keyword, const struct ptx_token *label,
                     struct ptx_constant offset);
void ptx_loc_inlined_at(struct ptx_parser *parser, const struct ptx_token *keyword, struct ptx_constant file,
                        struct ptx_constant line, struct ptx_constant column);
void ptx_section_begin(struct ptx_parser *parser, const struct ptx_token *name);
void ptx_section_label(struct ptx_parser *parser, const struct ptx_token *label);
void ptx_section_byte(struct ptx_parser *parser, struct ptx_constant value);
/* Fills module->places. */
void ptx_places_finish(struct ptx_parser *parser);
void ptx_places_release(struct ptx_parser *parser);

#endif

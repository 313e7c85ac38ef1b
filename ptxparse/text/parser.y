/*
 * The syntax of PTX ISA 9.0, chapters 4, 5, 7, 9 and 11. Opcodes and modifiers are words, not keywords: what an
 * instruction means is looked up when it ends (spelling.c). No action is more than a call of a builder (builders.h).
 *
 * Directives without a semicolon (.loc, .file, .version, .target, .address_size) end by what follows them.
 */
%code requires {
#include <string.h>

#include "ptxparse/text/builders.h"
}

%define api.prefix {ptx_yy}
%define api.pure full
%define parse.error detailed
%param {void *scanner}
%parse-param {struct ptx_parser *parser}
%expect 0

%union {
	struct ptx_token token;
	struct ptx_constant constant;
	int number;
}

%token <token> WORD "a name" DIRECTIVE "a directive" STRING "a string" CALL "call"
%token <constant> NUMBER "a number" REAL "a floating-point number"
%token <number> SPACE "a state space" LINKAGE "a linkage directive"
%token VERSION ".version" TARGET ".target" ADDRESS_SIZE ".address_size" FILE_NAME ".file" LOC ".loc" SECTION ".section"
%token ENTRY ".entry" FUNC ".func" ALIAS ".alias" PRAGMA ".pragma" REG ".reg" ALIGN ".align" ATTRIBUTE ".attribute"
%token CALLPROTOTYPE ".callprototype" CALLTARGETS ".calltargets" BRANCHTARGETS ".branchtargets"
%token SHIFT_LEFT "<<" SHIFT_RIGHT ">>" EQUAL "==" NOT_EQUAL "!=" LESS_EQUAL "<=" GREATER_EQUAL ">=" AND "&&" OR "||"

%type <token> opcode call
%type <constant> constant terms offset
%type <number> linkages

%right '?' ':'
%left OR
%left AND
%left '|'
%left '^'
%left '&'
%left EQUAL NOT_EQUAL
%left '<' '>' LESS_EQUAL GREATER_EQUAL
%left SHIFT_LEFT SHIFT_RIGHT
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%code {
int ptx_yylex(YYSTYPE *value, void *scanner);
static void ptx_yyerror(void *scanner, struct ptx_parser *parser, const char *message);
}

%%

module
	: %empty
	| module directive
	;

directive
	: VERSION REAL                             { ptx_module_version(parser, $2); }
	| TARGET targets
	| ADDRESS_SIZE NUMBER                      { ptx_module_address_size(parser, $2); }
	| ALIAS WORD ',' WORD ';'
	| place
	| section
	| pragma
	| function
	| declaration
	| DIRECTIVE some_operands ';'                       { ptx_directive_unknown(parser, &$1); }
	| ';'
	;

targets
	: WORD                                     { ptx_module_target(parser, &$1); }
	| targets ',' WORD
	;

pragma
	: PRAGMA strings ';'
	;

strings
	: STRING
	| strings ',' STRING
	;

linkages
	: LINKAGE
	| linkages LINKAGE                         { $$ = $1 || $2; }
	;

/* ---- places in the source, debug sections ---- */

place
	: FILE_NAME NUMBER STRING file_stamp       { ptx_file_add(parser, $2, &$3); }
	| location                                 { ptx_loc_end(parser); }
	| location ',' WORD WORD offset            { ptx_loc_inlined(parser, &$3, &$4, $5); }
	  ',' WORD NUMBER NUMBER NUMBER            { ptx_loc_inlined_at(parser, &$8, $9, $10, $11); }
	;

file_stamp
	: %empty
	| ',' NUMBER ',' NUMBER
	;

location
	: LOC NUMBER NUMBER NUMBER                 { ptx_loc_begin(parser, $2, $3, $4); }
	;

offset
	: %empty                                   { $$ = (struct ptx_constant){0}; }
	| '+' NUMBER                               { $$ = $2; }
	;

section
	: SECTION DIRECTIVE                        { ptx_section_begin(parser, &$2); }
	  '{' section_items '}'
	;

section_items
	: %empty
	| section_items WORD ':'                   { ptx_section_label(parser, &$2); }
	| section_items DIRECTIVE section_values
	;

section_values
	: section_value
	| section_values ',' section_value
	;

section_value
	: NUMBER                                   { ptx_section_byte(parser, $1); }
	| '-' NUMBER
	| WORD
	| WORD '+' NUMBER
	| WORD '-' WORD
	| DIRECTIVE
	| DIRECTIVE '+' NUMBER
	;

/* ---- variables and registers ---- */

declaration
	: declaration_start qualifiers declarators ';'
	;

declaration_start
	: SPACE                                    { ptx_declaration_begin(parser, $1, false); }
	| linkages SPACE                           { ptx_declaration_begin(parser, $2, $1); }
	;

qualifiers
	: %empty
	| qualifiers DIRECTIVE                     { ptx_declaration_qualifier(parser, &$2); }
	| qualifiers ALIGN NUMBER                  { ptx_declaration_align(parser, $3); }
	| qualifiers SPACE
	| qualifiers attribute
	;

attribute
	: ATTRIBUTE '(' attribute_values ')'
	;

attribute_values
	: attribute_value
	| attribute_values ',' attribute_value
	;

attribute_value
	: DIRECTIVE
	| DIRECTIVE '(' NUMBER ',' NUMBER ')'
	;

declarators
	: declarator
	| declarators ',' declarator
	;

declarator
	: { ptx_variable_begin(parser); }
	  WORD dimensions initial                  { ptx_variable_end(parser, &$2); }
	;

dimensions
	: %empty
	| dimensions '[' ']'                       { ptx_dimension_add(parser, NULL); }
	| dimensions '[' constant ']'              { ptx_dimension_add(parser, &$3); }
	;

initial
	: %empty
	| '='                                      { ptx_initial_begin(parser); }
	  initial_value
	;

initial_values
	: initial_value
	| initial_values ',' initial_value
	;

initial_value
	: constant                                 { ptx_initial_constant(parser, $1); }
	| WORD                                     { ptx_initial_symbol(parser); }
	| WORD terms                               { ptx_initial_symbol(parser); }
	| WORD '(' initial_value ')'
	| WORD '(' initial_value ')' terms
	| NUMBER '(' WORD ')'                      { ptx_initial_symbol(parser); }
	| NUMBER '(' WORD terms ')'                { ptx_initial_symbol(parser); }
	| WORD '=' WORD                            { ptx_initial_opaque(parser); }
	| WORD '=' constant                        { ptx_initial_opaque(parser); }
	| '{' '}'
	| '{'                                      { ptx_initial_open(parser); }
	  initial_values comma '}'                 { ptx_initial_close(parser); }
	;

comma
	: %empty
	| ','
	;

registers
	: register
	| registers ',' register
	;

register
	: WORD                                     { ptx_register_declare(parser, &$1); }
	| WORD '<' NUMBER '>'                      { ptx_register_declare_range(parser, &$1, $3); }
	;

/* ---- functions ---- */

function
	: function_kind attributes results
	  WORD                                     { ptx_function_name(parser, &$4); }
	  results tunings function_rest            { ptx_function_end(parser); }
	;

function_kind
	: FUNC                                     { ptx_function_begin(parser, false); }
	| ENTRY                                    { ptx_function_begin(parser, true); }
	| linkages FUNC                            { ptx_function_begin(parser, false); }
	| linkages ENTRY                           { ptx_function_begin(parser, true); }
	;

function_rest
	: ';'
	| '{'                                      { ptx_function_body(parser); }
	  statements '}'
	;

attributes
	: %empty
	| attributes attribute
	;

results
	: %empty
	| '(' ')'
	| '(' parameters ')'
	;

parameters
	: parameter
	| parameters ',' parameter
	;

parameter
	: parameter_storage qualifiers WORD dimensions { ptx_parameter_end(parser, &$3); }
	;

parameter_storage
	: SPACE                                    { ptx_declaration_begin(parser, $1, false); }
	| REG                                      { ptx_declaration_register(parser); }
	;

tunings
	: %empty
	| tunings DIRECTIVE                        { ptx_numbers_clear(parser); }
	  numbers                                  { ptx_function_tuning(parser, &$2); }
	| tunings pragma
	;

numbers
	: %empty
	| number_list
	;

number_list
	: NUMBER                                   { ptx_numbers_add(parser, $1); }
	| number_list ',' NUMBER                   { ptx_numbers_add(parser, $3); }
	;

/* ---- statements ---- */

statements
	: %empty
	| statements statement
	;

statement
	: WORD ':'                                 { ptx_label_define(parser, &$1); }
	| instruction
	| guard instruction
	| place
	| pragma
	| declaration
	| REG                                      { ptx_declaration_register(parser); }
	  qualifiers registers ';'
	| '{'                                      { ptx_scope_open(parser); }
	  statements '}'                           { ptx_scope_close(parser); }
	| CALLPROTOTYPE                            { ptx_prototype_begin(parser); }
	  results WORD results tunings ';'         { ptx_prototype_end(parser); }
	| CALLTARGETS words ';'
	| BRANCHTARGETS                            { ptx_branch_targets_begin(parser); }
	  branch_targets ';'                       { ptx_branch_targets_end(parser); }
	| DIRECTIVE some_operands ';'                       { ptx_directive_unknown(parser, &$1); }
	| ';'
	;

words
	: WORD
	| words ',' WORD
	;

branch_targets
	: WORD                                     { ptx_branch_target(parser, &$1); }
	| branch_targets ',' WORD                  { ptx_branch_target(parser, &$3); }
	;

guard
	: '@' WORD                                 { ptx_instruction_guard(parser, &$2, false); }
	| '@' '!' WORD                             { ptx_instruction_guard(parser, &$3, true); }
	;

instruction
	: opcode some_operands ';'                          { ptx_instruction_end(parser, &$1); }
	| call call_parts ';'                      { ptx_call_end(parser, &$1); }
	;

opcode
	: WORD                                     { $$ = $1; ptx_opcode_begin(parser, &$1); }
	| opcode DIRECTIVE                         { $$ = ptx_opcode_append(parser, &$1, $2.name->text); }
	| opcode SPACE                             { $$ = ptx_opcode_append_space(parser, &$1, $2); }
	;

call
	: CALL                                     { $$ = $1; ptx_call_begin(parser); }
	| call DIRECTIVE                           { $$ = ptx_opcode_append(parser, &$1, $2.name->text); }
	;

call_parts
	: call_part
	| call_parts ',' call_part
	;

call_part
	: WORD                                     { ptx_call_word(parser, &$1); }
	| '('                                      { ptx_call_group_begin(parser); }
	  some_operands ')'                                 { ptx_call_group_end(parser); }
	;

/* ---- operands ---- */

some_operands
	: %empty
	| operands
	;

operands
	: operand
	| operands ',' operand
	;

operand
	: element
	| vector
	| vector '|' WORD                          { ptx_operand_pair(parser, &$3); }
	| WORD '|' WORD                            { ptx_operand_word(parser, &$1, false); ptx_operand_pair(parser, &$3); }
	| WORD '[' constant ']'                    { ptx_operand_subscript(parser, &$1, $3); }
	| WORD '[' WORD ']'                        { ptx_operand_subscript_unknown(parser, &$1); }
	| WORD '[' WORD terms ']'                  { ptx_operand_subscript_unknown(parser, &$1); }
	| '[' addresses ']'
	;

element
	: WORD                                     { ptx_operand_word(parser, &$1, false); }
	| '!' WORD                                 { ptx_operand_word(parser, &$2, true); }
	| '-' WORD                                 { ptx_operand_word(parser, &$2, true); }
	| WORD terms                               { ptx_operand_sum(parser, &$1, $2); }
	| constant                                 { ptx_operand_constant(parser, $1); }
	;

elements
	: element
	| elements ',' element
	;

vector
	: '{'                                      { ptx_vector_begin(parser); }
	  elements '}'                             { ptx_vector_end(parser); }
	;

addresses
	: address
	| addresses ',' address
	;

address
	: WORD                                     { ptx_operand_word(parser, &$1, false); ptx_operand_address(parser); }
	| WORD terms                               { ptx_operand_sum(parser, &$1, $2); ptx_operand_address(parser); }
	| constant                                 { ptx_operand_constant(parser, $1); ptx_operand_address(parser); }
	| vector
	;

/* ---- constant expressions ---- */

terms
	: '+' constant                             { $$ = $2; }
	| '-' constant                             { $$ = ptx_constant_unary(parser, '-', $2); }
	| terms '+' constant                       { $$ = ptx_constant_binary(parser, '+', $1, $3); }
	| terms '-' constant                       { $$ = ptx_constant_binary(parser, '-', $1, $3); }
	;

constant
	: NUMBER
	| REAL
	| '(' constant ')'                         { $$ = $2; }
	| '(' DIRECTIVE ')' constant %prec UNARY   { $$ = ptx_constant_cast(&$2, $4); }
	| '+' constant %prec UNARY                 { $$ = $2; }
	| '-' constant %prec UNARY                 { $$ = ptx_constant_unary(parser, '-', $2); }
	| '~' constant %prec UNARY                 { $$ = ptx_constant_unary(parser, '~', $2); }
	| '!' constant %prec UNARY                 { $$ = ptx_constant_unary(parser, '!', $2); }
	| constant '+' constant                    { $$ = ptx_constant_binary(parser, '+', $1, $3); }
	| constant '-' constant                    { $$ = ptx_constant_binary(parser, '-', $1, $3); }
	| constant '*' constant                    { $$ = ptx_constant_binary(parser, '*', $1, $3); }
	| constant '/' constant                    { $$ = ptx_constant_binary(parser, '/', $1, $3); }
	| constant '%' constant                    { $$ = ptx_constant_binary(parser, '%', $1, $3); }
	| constant '&' constant                    { $$ = ptx_constant_binary(parser, '&', $1, $3); }
	| constant '|' constant                    { $$ = ptx_constant_binary(parser, '|', $1, $3); }
	| constant '^' constant                    { $$ = ptx_constant_binary(parser, '^', $1, $3); }
	| constant '<' constant                    { $$ = ptx_constant_binary(parser, '<', $1, $3); }
	| constant '>' constant                    { $$ = ptx_constant_binary(parser, '>', $1, $3); }
	| constant SHIFT_LEFT constant             { $$ = ptx_constant_binary(parser, SHIFT_LEFT, $1, $3); }
	| constant SHIFT_RIGHT constant            { $$ = ptx_constant_binary(parser, SHIFT_RIGHT, $1, $3); }
	| constant EQUAL constant                  { $$ = ptx_constant_binary(parser, EQUAL, $1, $3); }
	| constant NOT_EQUAL constant              { $$ = ptx_constant_binary(parser, NOT_EQUAL, $1, $3); }
	| constant LESS_EQUAL constant             { $$ = ptx_constant_binary(parser, LESS_EQUAL, $1, $3); }
	| constant GREATER_EQUAL constant          { $$ = ptx_constant_binary(parser, GREATER_EQUAL, $1, $3); }
	| constant AND constant                    { $$ = ptx_constant_binary(parser, AND, $1, $3); }
	| constant OR constant                     { $$ = ptx_constant_binary(parser, OR, $1, $3); }
	| constant '?' constant ':' constant       { $$ = ptx_constant_choose($1, $3, $5); }
	;

%%

/* bison says "syntax error, unexpected ..., expecting ..." and "memory exhausted" when its stack is full. */
static void ptx_yyerror(void *scanner, struct ptx_parser *parser, const char *message)
{
	static const char prefix[] = "syntax error, ";
	(void)scanner;
	if (strcmp(message, "memory exhausted") == 0)
		message = "nested too deeply";
	else if (strncmp(message, prefix, sizeof prefix - 1) == 0)
		message += sizeof prefix - 1;
	ptx_error_here(parser, "%s", message);
}

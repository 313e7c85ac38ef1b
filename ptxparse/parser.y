/*
 * The syntax of PTX ISA 9.0, chapters 4, 5, 7, 9 and 11. Opcodes and modifiers are words, not keywords: what an
 * instruction means is looked up when it ends (spelling.c). No action is more than a call of a builder (internal.h).
 *
 * Directives without a semicolon (.loc, .file, .version, .target, .address_size) end by what follows them.
 */
%code requires {
#include <string.h>

#include "ptxparse/internal.h"
}

%define api.prefix {ptx_yy}
%define api.pure full
%define parse.error detailed
%param {void *scanner}
%parse-param {struct parser *parser}
%expect 0

%union {
	struct token token;
	struct constant constant;
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
static void ptx_yyerror(void *scanner, struct parser *parser, const char *message);
}

%%

module
	: %empty
	| module directive
	;

directive
	: VERSION REAL                             { module_version(parser, $2); }
	| TARGET targets
	| ADDRESS_SIZE NUMBER                      { module_address_size(parser, $2); }
	| ALIAS WORD ',' WORD ';'
	| place
	| section
	| pragma
	| function
	| declaration
	| DIRECTIVE some_operands ';'                       { directive_unknown(parser, &$1); }
	| ';'
	;

targets
	: WORD                                     { module_target(parser, &$1); }
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
	: FILE_NAME NUMBER STRING file_stamp       { file_add(parser, $2, &$3); }
	| location                                 { location_end(parser); }
	| location ',' WORD WORD offset            { location_inlined(parser, &$3, &$4, $5); }
	  ',' WORD NUMBER NUMBER NUMBER            { location_inlined_at(parser, &$8, $9, $10, $11); }
	;

file_stamp
	: %empty
	| ',' NUMBER ',' NUMBER
	;

location
	: LOC NUMBER NUMBER NUMBER                 { location_begin(parser, $2, $3, $4); }
	;

offset
	: %empty                                   { $$ = (struct constant){0}; }
	| '+' NUMBER                               { $$ = $2; }
	;

section
	: SECTION DIRECTIVE                        { section_begin(parser, &$2); }
	  '{' section_items '}'
	;

section_items
	: %empty
	| section_items WORD ':'                   { section_label(parser, &$2); }
	| section_items DIRECTIVE section_values
	;

section_values
	: section_value
	| section_values ',' section_value
	;

section_value
	: NUMBER                                   { section_byte(parser, $1); }
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
	: SPACE                                    { declaration_begin(parser, $1, false); }
	| linkages SPACE                           { declaration_begin(parser, $2, $1); }
	;

qualifiers
	: %empty
	| qualifiers DIRECTIVE                     { declaration_qualifier(parser, &$2); }
	| qualifiers ALIGN NUMBER                  { declaration_align(parser, $3); }
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
	: { variable_begin(parser); }
	  WORD dimensions initial                  { variable_end(parser, &$2); }
	;

dimensions
	: %empty
	| dimensions '[' ']'                       { dimension_add(parser, NULL); }
	| dimensions '[' constant ']'              { dimension_add(parser, &$3); }
	;

initial
	: %empty
	| '='                                      { initial_begin(parser); }
	  initial_value
	;

initial_values
	: initial_value
	| initial_values ',' initial_value
	;

initial_value
	: constant                                 { initial_constant(parser, $1); }
	| WORD                                     { initial_symbol(parser); }
	| WORD terms                               { initial_symbol(parser); }
	| WORD '(' initial_value ')'
	| WORD '(' initial_value ')' terms
	| NUMBER '(' WORD ')'                      { initial_symbol(parser); }
	| NUMBER '(' WORD terms ')'                { initial_symbol(parser); }
	| WORD '=' WORD                            { initial_opaque(parser); }
	| WORD '=' constant                        { initial_opaque(parser); }
	| '{' '}'
	| '{'                                      { initial_open(parser); }
	  initial_values comma '}'                 { initial_close(parser); }
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
	: WORD                                     { register_declare(parser, &$1); }
	| WORD '<' NUMBER '>'                      { register_declare_range(parser, &$1, $3); }
	;

/* ---- functions ---- */

function
	: function_kind attributes results
	  WORD                                     { function_name(parser, &$4); }
	  results tunings function_rest            { function_end(parser); }
	;

function_kind
	: FUNC                                     { function_begin(parser, false); }
	| ENTRY                                    { function_begin(parser, true); }
	| linkages FUNC                            { function_begin(parser, false); }
	| linkages ENTRY                           { function_begin(parser, true); }
	;

function_rest
	: ';'
	| '{'                                      { function_body(parser); }
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
	: parameter_storage qualifiers WORD dimensions { parameter_end(parser, &$3); }
	;

parameter_storage
	: SPACE                                    { declaration_begin(parser, $1, false); }
	| REG                                      { declaration_register(parser); }
	;

tunings
	: %empty
	| tunings DIRECTIVE                        { numbers_clear(parser); }
	  numbers                                  { function_tuning(parser, &$2); }
	| tunings pragma
	;

numbers
	: %empty
	| number_list
	;

number_list
	: NUMBER                                   { numbers_add(parser, $1); }
	| number_list ',' NUMBER                   { numbers_add(parser, $3); }
	;

/* ---- statements ---- */

statements
	: %empty
	| statements statement
	;

statement
	: WORD ':'                                 { label_define(parser, &$1); }
	| instruction
	| guard instruction
	| place
	| pragma
	| declaration
	| REG                                      { declaration_register(parser); }
	  qualifiers registers ';'
	| '{'                                      { scope_open(parser); }
	  statements '}'                           { scope_close(parser); }
	| CALLPROTOTYPE                            { prototype_begin(parser); }
	  results WORD results tunings ';'         { prototype_end(parser); }
	| CALLTARGETS words ';'
	| BRANCHTARGETS                            { branch_targets_begin(parser); }
	  branch_targets ';'                       { branch_targets_end(parser); }
	| DIRECTIVE some_operands ';'                       { directive_unknown(parser, &$1); }
	| ';'
	;

words
	: WORD
	| words ',' WORD
	;

branch_targets
	: WORD                                     { branch_target(parser, &$1); }
	| branch_targets ',' WORD                  { branch_target(parser, &$3); }
	;

guard
	: '@' WORD                                 { instruction_guard(parser, &$2, false); }
	| '@' '!' WORD                             { instruction_guard(parser, &$3, true); }
	;

instruction
	: opcode some_operands ';'                          { instruction_end(parser, &$1); }
	| call call_parts ';'                      { call_end(parser, &$1); }
	;

opcode
	: WORD                                     { $$ = $1; opcode_begin(parser, &$1); }
	| opcode DIRECTIVE                         { $$ = opcode_append(parser, &$1, $2.name->text); }
	| opcode SPACE                             { $$ = opcode_append_space(parser, &$1, $2); }
	;

call
	: CALL                                     { $$ = $1; call_begin(parser); }
	| call DIRECTIVE                           { $$ = opcode_append(parser, &$1, $2.name->text); }
	;

call_parts
	: call_part
	| call_parts ',' call_part
	;

call_part
	: WORD                                     { call_word(parser, &$1); }
	| '('                                      { call_group_begin(parser); }
	  some_operands ')'                                 { call_group_end(parser); }
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
	| vector '|' WORD                          { operand_pair(parser, &$3); }
	| WORD '|' WORD                            { operand_word(parser, &$1, false); operand_pair(parser, &$3); }
	| WORD '[' constant ']'                    { operand_subscript(parser, &$1, $3); }
	| WORD '[' WORD ']'                        { operand_subscript_unknown(parser, &$1); }
	| WORD '[' WORD terms ']'                  { operand_subscript_unknown(parser, &$1); }
	| '[' addresses ']'
	;

element
	: WORD                                     { operand_word(parser, &$1, false); }
	| '!' WORD                                 { operand_word(parser, &$2, true); }
	| '-' WORD                                 { operand_word(parser, &$2, true); }
	| WORD terms                               { operand_sum(parser, &$1, $2); }
	| constant                                 { operand_constant(parser, $1); }
	;

elements
	: element
	| elements ',' element
	;

vector
	: '{'                                      { vector_begin(parser); }
	  elements '}'                             { vector_end(parser); }
	;

addresses
	: address
	| addresses ',' address
	;

address
	: WORD                                     { operand_word(parser, &$1, false); operand_address(parser); }
	| WORD terms                               { operand_sum(parser, &$1, $2); operand_address(parser); }
	| constant                                 { operand_constant(parser, $1); operand_address(parser); }
	| vector
	;

/* ---- constant expressions ---- */

terms
	: '+' constant                             { $$ = $2; }
	| '-' constant                             { $$ = constant_unary(parser, '-', $2); }
	| terms '+' constant                       { $$ = constant_binary(parser, '+', $1, $3); }
	| terms '-' constant                       { $$ = constant_binary(parser, '-', $1, $3); }
	;

constant
	: NUMBER
	| REAL
	| '(' constant ')'                         { $$ = $2; }
	| '(' DIRECTIVE ')' constant %prec UNARY   { $$ = constant_cast(&$2, $4); }
	| '+' constant %prec UNARY                 { $$ = $2; }
	| '-' constant %prec UNARY                 { $$ = constant_unary(parser, '-', $2); }
	| '~' constant %prec UNARY                 { $$ = constant_unary(parser, '~', $2); }
	| '!' constant %prec UNARY                 { $$ = constant_unary(parser, '!', $2); }
	| constant '+' constant                    { $$ = constant_binary(parser, '+', $1, $3); }
	| constant '-' constant                    { $$ = constant_binary(parser, '-', $1, $3); }
	| constant '*' constant                    { $$ = constant_binary(parser, '*', $1, $3); }
	| constant '/' constant                    { $$ = constant_binary(parser, '/', $1, $3); }
	| constant '%' constant                    { $$ = constant_binary(parser, '%', $1, $3); }
	| constant '&' constant                    { $$ = constant_binary(parser, '&', $1, $3); }
	| constant '|' constant                    { $$ = constant_binary(parser, '|', $1, $3); }
	| constant '^' constant                    { $$ = constant_binary(parser, '^', $1, $3); }
	| constant '<' constant                    { $$ = constant_binary(parser, '<', $1, $3); }
	| constant '>' constant                    { $$ = constant_binary(parser, '>', $1, $3); }
	| constant SHIFT_LEFT constant             { $$ = constant_binary(parser, SHIFT_LEFT, $1, $3); }
	| constant SHIFT_RIGHT constant            { $$ = constant_binary(parser, SHIFT_RIGHT, $1, $3); }
	| constant EQUAL constant                  { $$ = constant_binary(parser, EQUAL, $1, $3); }
	| constant NOT_EQUAL constant              { $$ = constant_binary(parser, NOT_EQUAL, $1, $3); }
	| constant LESS_EQUAL constant             { $$ = constant_binary(parser, LESS_EQUAL, $1, $3); }
	| constant GREATER_EQUAL constant          { $$ = constant_binary(parser, GREATER_EQUAL, $1, $3); }
	| constant AND constant                    { $$ = constant_binary(parser, AND, $1, $3); }
	| constant OR constant                     { $$ = constant_binary(parser, OR, $1, $3); }
	| constant '?' constant ':' constant       { $$ = constant_choose($1, $3, $5); }
	;

%%

/* bison says "syntax error, unexpected ..., expecting ..." and "memory exhausted" when its stack is full. */
static void ptx_yyerror(void *scanner, struct parser *parser, const char *message)
{
	static const char prefix[] = "syntax error, ";
	(void)scanner;
	if (strcmp(message, "memory exhausted") == 0)
		message = "nested too deeply";
	else if (strncmp(message, prefix, sizeof prefix - 1) == 0)
		message += sizeof prefix - 1;
	parser_error_here(parser, "%s", message);
}

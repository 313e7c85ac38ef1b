/*
 * How often guards of the code hold, by the conditions of the source.
 *
 * A compiler may turn a condition round: the branch around the statement of an if is taken where the condition does not
 * hold. Which way is which is told by the lines of the two sides: one has lines of the first or the second statement.
 * Where neither has, the statement is a bare jump, and its side goes straight to where both sides meet; or nobody knows
 * lines, and the side that goes there is the one without the statement.
 *
 * Requires: cfg. Fills: struct guard_share.
 */
#include "model/code/code.h"

#include <string.h>

#define NO_DEFINITION UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

struct reader {
	const struct launch_view *view;
	const struct code_view *code;
	const struct branch_options *options;
	const struct kernel *kernel;
	uint32_t *definition; /* by register: the instruction that writes it, NO_DEFINITION, SEVERAL */
	bool *visited;        /* blocks of a side */
	uint32_t *work;
};

/* ---- conditions ------------------------------------------------------------------------- */

/* Lines of one statement of an if in its file; first > last where there is none on a line of its own. */
struct statement_lines {
	unsigned first, last;
};

static struct statement_lines lines_behind(unsigned line, unsigned first, unsigned last)
{
	return (struct statement_lines){first > line ? first : line + 1, last};
}

static struct statement_lines then_lines(const struct choice *choice)
{
	bool apart = choice->else_first > choice->place.line && choice->else_first <= choice->then_last;
	return lines_behind(choice->place.line, choice->then_first, apart ? choice->else_first - 1 : choice->then_last);
}

static struct statement_lines else_lines(const struct choice *choice)
{
	return lines_behind(choice->place.line, choice->else_first, choice->else_last);
}

/* Whether one of the places that an instruction belongs to, in the file of the choice, is on one of the lines. */
static bool is_within(const struct reader *reader, const struct ptx_insn *insn, const struct choice *choice,
                      struct statement_lines lines)
{
	const struct ptx_module *module = reader->code->module;
	for (uint32_t p = code_source_place(module, insn->place); p; p = code_outer_place(module, p)) {
		const struct place *place = &module->places[p].place;
		if (lines.first <= place->line && place->line <= lines.last &&
		    code_same_file(place->file, choice->place.file))
			return true;
	}
	return false;
}

/* The if whose condition an instruction belongs to, innermost of inlined functions first; or NULL. */
static const struct choice *choice_of(const struct reader *reader, const struct ptx_insn *insn)
{
	const struct ptx_module *module = reader->code->module;
	for (uint32_t p = code_source_place(module, insn->place); p; p = code_outer_place(module, p))
		for (unsigned c = 0; c < reader->kernel->choice_count; c++) {
			const struct choice *choice = &reader->kernel->choices[c];
			const struct place *place = &module->places[p].place;
			if (place->line == choice->place.line && code_same_file(place->file, choice->place.file))
				return choice;
		}
	return NULL;
}

/* The innermost if one of whose statements an instruction belongs to; or NULL. */
static const struct choice *choice_around(const struct reader *reader, const struct ptx_insn *insn)
{
	const struct choice *found = NULL;
	for (unsigned c = 0; c < reader->kernel->choice_count; c++) {
		const struct choice *choice = &reader->kernel->choices[c];
		bool holds = is_within(reader, insn, choice, then_lines(choice)) ||
		             is_within(reader, insn, choice, else_lines(choice));
		if (holds && (!found || choice->then_first >= found->then_first))
			found = choice;
	}
	return found;
}

/* The instruction that makes the predicate which guards another one, or that one itself. */
static const struct ptx_insn *condition_insn(const struct reader *reader, const struct ptx_insn *insn)
{
	uint32_t definition =
		insn->guard < reader->code->function->register_count ? reader->definition[insn->guard] : NO_DEFINITION;
	return definition < SEVERAL ? &reader->code->function->insns[definition] : insn;
}

/* ---- sides of a branch -------------------------------------------------------------------- */

static void side_enter(const struct reader *reader, uint32_t block, uint32_t *count)
{
	if (block == PTX_NO_BASIC_BLOCK || reader->visited[block])
		return;
	reader->visited[block] = true;
	reader->work[(*count)++] = block;
}

static bool block_has(const struct reader *reader, uint32_t b, const struct choice *choice,
                      struct statement_lines lines)
{
	const struct ptx_basic_block *block = &reader->code->function->cfg->blocks[b];
	for (uint32_t i = block->first; i < block->first + block->count; i++)
		if (is_within(reader, &reader->code->function->insns[i], choice, lines))
			return true;
	return false;
}

/* Whether the code from `start` to where the branch's sides meet has one of the lines. */
static bool side_has(const struct reader *reader, uint32_t branch, uint32_t start, const struct choice *choice,
                     struct statement_lines lines)
{
	const struct ptx_cfg *cfg = reader->code->function->cfg;
	uint32_t count = 0;
	memset(reader->visited, 0, cfg->block_count * sizeof *reader->visited);
	reader->visited[branch] = true;
	if (cfg->blocks[branch].join != PTX_NO_BASIC_BLOCK)
		reader->visited[cfg->blocks[branch].join] = true;
	side_enter(reader, start, &count);
	for (uint32_t i = 0; i < count; i++) {
		const struct ptx_basic_block *block = &cfg->blocks[reader->work[i]];
		if (block_has(reader, reader->work[i], choice, lines))
			return true;
		for (unsigned s = 0; s < 2; s++)
			side_enter(reader, block->successors[s], &count);
		for (uint32_t t = 0; t < block->target_count; t++)
			side_enter(reader, block->targets[t], &count);
	}
	return false;
}

/* Which of the sides has lines that the other one has not: 1 the target, -1 the one that follows, 0 neither or both. */
static int side_of_lines(const struct reader *reader, uint32_t branch, const struct choice *choice,
                         struct statement_lines lines)
{
	const struct ptx_basic_block *block = &reader->code->function->cfg->blocks[branch];
	if (lines.first > lines.last)
		return 0;
	return (int)side_has(reader, branch, block->successors[1], choice, lines) -
	       (int)side_has(reader, branch, block->successors[0], choice, lines);
}

/* Whether the branch that ends a block is taken where the condition does not hold. */
static bool branch_is_inverted(const struct reader *reader, uint32_t branch, const struct choice *choice)
{
	const struct ptx_basic_block *block = &reader->code->function->cfg->blocks[branch];
	uint32_t fall = block->successors[0], target = block->successors[1];
	bool leaves = choice && choice->leaves;
	int then = choice ? side_of_lines(reader, branch, choice, then_lines(choice)) : 0;
	int otherwise = choice && !then ? side_of_lines(reader, branch, choice, else_lines(choice)) : 0;
	if (then || otherwise)
		return then < 0 || otherwise > 0;
	if (target == block->join || fall == block->join)
		return (target == block->join) != leaves;
	return target > fall;
}

/* Whether an instruction with a guard is executed where the condition does not hold. */
static bool guard_is_inverted(const struct reader *reader, const struct ptx_insn *insn, const struct choice *choice)
{
	bool leaves = choice && choice->leaves;
	if (ptx_insn_flags(insn) & FLAG_EXIT)
		return !leaves;
	if (!choice || is_within(reader, insn, choice, then_lines(choice)))
		return false;
	return leaves || is_within(reader, insn, choice, else_lines(choice));
}

/* ---- shares -------------------------------------------------------------------------------- */

/* Sets what the user says of the line that a condition stands on, else of all. */
static void share_tell(const struct reader *reader, const struct place *place, struct guard_share *share)
{
	const struct branch_options *options = reader->options;
	share->condition = options->probability;
	share->told = options->told;
	for (unsigned i = 0; i < options->line_count; i++)
		if (options->lines[i].line == place->line && code_same_file(place->file, reader->kernel->place.file)) {
			share->condition = options->lines[i].probability;
			share->told = true;
		}
}

static struct guard_share share_of(const struct reader *reader, uint32_t index, uint32_t block)
{
	const struct ptx_insn *insn = &reader->code->function->insns[index], *condition = condition_insn(reader, insn);
	const struct choice *choice = insn->operation == OP_bra ? choice_of(reader, insn) : NULL;
	struct guard_share share = {0};
	choice = choice ? choice : choice_of(reader, condition);
	choice = choice ? choice : choice_around(reader, insn);
	struct place place =
		choice ? choice->place
		       : code_place(reader->view, reader->code, (uint32_t)(condition - reader->code->function->insns));
	share_tell(reader, &place, &share);
	share.inverted = insn->operation == OP_bra ? branch_is_inverted(reader, block, choice)
	                                           : guard_is_inverted(reader, insn, choice);
	return share;
}

static void definitions_find(struct arena *arena, struct reader *reader)
{
	const struct ptx_function *function = reader->code->function;
	reader->definition = arena_array(arena, function->register_count + 1, sizeof *reader->definition);
	memset(reader->definition, 0xff, function->register_count * sizeof *reader->definition);
	for (uint32_t i = 0; i < function->insn_count; i++)
		for (unsigned d = 0; d < function->insns[i].destinations; d++) {
			const struct ptx_operand *operand = &function->insns[i].operands[d];
			if (operand->kind == OPERAND_REGISTER && operand->reg < function->register_count)
				reader->definition[operand->reg] =
					reader->definition[operand->reg] == NO_DEFINITION ? i : SEVERAL;
		}
}

const struct guard_share *code_guard_shares(struct arena *arena, const struct launch_view *view,
                                            const struct code_view *code, const struct branch_options *options)
{
	const struct ptx_cfg *cfg = code->function->cfg;
	struct reader reader = {.view = view, .code = code, .options = options, .kernel = view->launch->kernel};
	struct guard_share *shares = arena_array(arena, code->function->insn_count + 1, sizeof *shares);
	definitions_find(arena, &reader);
	reader.visited = arena_array(arena, cfg->block_count + 1, sizeof *reader.visited);
	reader.work = arena_array(arena, cfg->block_count + 1, sizeof *reader.work);
	for (uint32_t b = 0; b < cfg->block_count; b++)
		for (uint32_t i = cfg->blocks[b].first; i < cfg->blocks[b].first + cfg->blocks[b].count; i++)
			if (code->function->insns[i].guarded)
				shares[i] = share_of(&reader, i, b);
	return shares;
}

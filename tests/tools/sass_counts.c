/*
 * Executed warp instructions of a launch, from machine code.
 *
 *   sass_counts CUBIN JSON KERNEL X[,Y[,Z]] X[,Y[,Z]] [ARGUMENT...]
 *   sass_counts CUBIN JSON                          dumps the machine code
 *
 * JSON is what `nvdisasm -json -g CUBIN` prints; KERNEL is part of a mangled name; then grid and block. An ARGUMENT is
 * pN for buffer N, fNUMBER for a float, else an integer. Prints `warp-instructions COUNT`, requests and sectors of
 * global loads and stores, and what was assumed. With SASS_COUNTS=all in the environment, a line for each machine
 * instruction.
 */
#include "model/execute/execute.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ARGUMENTS 64

struct job {
	struct arena *arena;
	struct evaluate_input input;
	struct argument arguments[MOST_ARGUMENTS];
	struct memory_buffer buffers[MOST_ARGUMENTS];
};

static void read_extent(uint32_t extent[3], const char *text)
{
	extent[0] = extent[1] = extent[2] = 1;
	for (unsigned i = 0; text && i < 3; i++) {
		extent[i] = (uint32_t)strtoul(text, NULL, 10);
		text = strchr(text, ',');
		text = text ? text + 1 : NULL;
	}
}

static void read_argument(struct job *job, unsigned index, const char *word)
{
	struct argument *argument = &job->arguments[index];
	float real = word[0] == 'f' ? strtof(word + 1, NULL) : 0;
	uint32_t bits;

	argument->kind = word[0] == 'p' ? ARGUMENT_POINTER : ARGUMENT_VALUE;
	memcpy(&bits, &real, sizeof(bits));
	if (word[0] == 'p')
		argument->buffer = (unsigned)strtoul(word + 1, NULL, 10) % MOST_ARGUMENTS;
	else
		argument->value = word[0] == 'f' ? (int64_t)bits : strtoll(word, NULL, 0);
	job->buffers[argument->buffer].name = "memory";
}

static const struct ptx_function *find_kernel(const struct ptx_module *module, const char *part)
{
	for (size_t i = 0; i < module->function_count; i++)
		if (strstr(module->functions[i].name, part))
			return &module->functions[i];
	return NULL;
}

static bool is_global(const struct ptx_insn *insn)
{
	return !insn->synthetic && (insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC) &&
	       insn->operation != OP_cp_async;
}

static void print_totals(const struct ptx_function *function, const struct evaluation *evaluation)
{
	double issued = 0, requests[2] = {0}, sectors[2] = {0};

	for (size_t i = 0; i < function->insn_count; i++) {
		const struct ptx_insn *insn = &function->insns[i];
		const struct insn_totals *totals = &evaluation->insns[i];

		issued += insn->synthetic ? 0 : totals->issued;
		if ((insn->operation == OP_ld || insn->operation == OP_st) && is_global(insn)) {
			requests[insn->operation == OP_st] += totals->executions;
			sectors[insn->operation == OP_st] += totals->sectors;
		}
	}
	printf("warp-instructions %.0f\n", issued);
	printf("loads %.0f requests %.0f sectors\nstores %.0f requests %.0f sectors\n", requests[0], sectors[0],
	       requests[1], sectors[1]);
	printf("exact %d\n", evaluation->exact);
	for (unsigned i = 0; i < evaluation->assumption_count; i++)
		printf("assumed: %s\n", evaluation->assumptions[i].text);
}

static void print_all(const struct ptx_function *function, const struct evaluation *evaluation)
{
	for (size_t i = 0; i < function->insn_count; i++)
		if (!function->insns[i].synthetic)
			printf("0x%04x %-28s %.0f\n", function->sass->control[i].address, function->insns[i].spelling,
			       evaluation->insns[i].issued);
}

static void dump(const struct ptx_module *module)
{
	struct text text = {0};

	ptx_dump_sass(&text, module);
	fputs(text.data ? text.data : "", stdout);
	text_release(&text);
}

static int run(struct job *job, char **words, int count)
{
	struct diagnostics diagnostics;
	size_t cubin_length, json_length;
	const char *cubin = file_read(job->arena, words[1], &cubin_length),
		   *json = file_read(job->arena, words[2], &json_length);
	const struct evaluation *evaluation;

	diagnostics_init(&diagnostics, job->arena);
	if (cubin && json)
		job->input.module =
			sass_parse_listing(job->arena, words[1], cubin, cubin_length, json, json_length, &diagnostics);
	diagnostics_print(&diagnostics, 0, SEVERITY_WARNING, stderr);
	if (job->input.module && count == 3) {
		dump(job->input.module);
		return 0;
	}
	if (job->input.module && count >= 6)
		job->input.function = find_kernel(job->input.module, words[3]);
	if (!job->input.function) {
		fprintf(stderr, "sass_counts: no such kernel, cubin or listing\n");
		return 1;
	}
	read_extent(job->input.grid, words[4]);
	read_extent(job->input.block, words[5]);
	for (int i = 6; i < count && i - 6 < MOST_ARGUMENTS; i++)
		read_argument(job, (unsigned)i - 6, words[i]);
	job->input.arguments = job->arguments;
	job->input.buffers = job->buffers;
	job->input.buffer_count = MOST_ARGUMENTS;
	job->input.branch_probability = 0.5;
	evaluation = exec_evaluate(job->arena, &job->input);
	if (getenv("SASS_COUNTS"))
		print_all(job->input.function, evaluation);
	print_totals(job->input.function, evaluation);
	return 0;
}

int main(int count, char **words)
{
	struct job job = {.arena = arena_create()};
	int status = 2;

	if (count != 3 && count < 6)
		fprintf(stderr, "usage: sass_counts CUBIN JSON KERNEL GRID BLOCK [ARGUMENT...]\n");
	else
		status = run(&job, words, count);
	arena_release(job.arena);
	return status;
}

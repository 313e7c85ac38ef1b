/* Modules as C: the functions of each, and tables of its kernels and variables. */
#include "model/cpu/internal.h"
#include "model/cpu/support/support.h"

#include <string.h>

const char *cpu_hash(struct arena *arena, const char *text, size_t length)
{
	return arena_printf(arena, "%016llx", (unsigned long long)cpu_text_hash(text, length));
}

void cpu_refuse(struct cpu_translation *t, const struct ptx_insn *insn, const char *why)
{
	if (!t->function->refused)
		t->function->refused = insn ? arena_printf(t->arena, "%s (%s)", why, insn->spelling) : why;
}

struct cpu_function *cpu_function_find(const struct cpu_translation *t, const char *name)
{
	const struct ptx_function *found = ptx_module_find(t->module, name);

	return found ? &t->functions[found - t->module->functions] : NULL;
}

/* ---- one function ------------------------------------------------------------------------------ */

static void registers_write(struct cpu_translation *t)
{
	const struct cpu_function *function = t->function;
	bool any = false;

	text_printf(t->out, "struct M%uR%u { ", t->number, function->number);
	for (uint32_t reg = 0; reg <= function->ptx->register_count; reg++) {
		const char *type = cpu_register_type(function->ptx, reg);

		if (function->home[reg] == CPU_MANY && type)
			text_printf(t->out, "%s r%u[CPU_LANES]; ", type, reg);
		any |= function->home[reg] == CPU_MANY && type;
	}
	text_printf(t->out, "%s};\n", any ? "" : "u8 none; ");
}

static void flow_write(struct cpu_translation *t)
{
	const struct cpu_function *function = t->function;
	unsigned cases = function->case_count;

	if (function->ptx->is_kernel) {
		text_printf(t->out,
		            "static void M%uF%u(struct cpu_warp *w)\n{\nstruct M%uR%u *restrict R = w->registers;\n"
		            "struct cpu_flow *F = &w->flow;\nconst size_t frame = 0;\n",
		            t->number, function->number, t->number, function->number);
		return;
	}
	text_printf(t->out,
	            "static void M%uF%u(struct cpu_warp *w, u32 entry, size_t frame)\n{\nstruct M%uR%u registers = "
	            "{0}, *R = "
	            "&registers;\n"
	            "u32 at[%u] = {0}, held[%u] = {0};\nu64 filled[%u] = {0};\n"
	            "struct cpu_flow flow = {.live = entry, .at = at, .held = held, .filled = filled, .case_count = "
	            "%u}, *F = &flow;\n"
	            "cpu_park(F, 0, entry);\n",
	            t->number, function->number, t->number, function->number, cases, cases, (cases + 63) / 64, cases);
}

static void function_write(struct cpu_translation *t)
{
	const struct cpu_function *function = t->function;

	t->uses = arena_array(t->arena, function->ptx->register_count + 1, sizeof *t->uses);
	registers_write(t);
	flow_write(t);
	text_puts(t->out,
	          "const struct cpu_block *B = w->block;\nconst unsigned char *P = B->launch->parameters;\n"
	          "unsigned char *const SH = B->shared;\nu32 m, g, h = 0, id = 0, wanted, truths;\n"
	          "u64 t0[CPU_LANES], t1[CPU_LANES], t2[CPU_LANES], t3[CPU_LANES], t4[CPU_LANES], t5[CPU_LANES];\n"
	          "next:\nswitch (cpu_pick(F, &m)) {\n");
	for (uint32_t c = 0; c < function->case_count; c++)
		text_printf(t->out, "case %u: goto L%u;\n", c, c);
	text_puts(t->out, "default: return;\n}\n");
	for (uint32_t s = 0; s < function->segment_count; s++)
		cpu_segment_write(t, s);
	text_puts(t->out,
	          function->ptx->is_kernel ? "tired: return;\n}\n" : "tired: cpu_turn_again(w); goto next;\n}\n");
}

static void spellings_check(struct cpu_translation *t)
{
	const struct ptx_function *ptx = t->function->ptx;

	for (size_t i = 0; i < ptx->insn_count; i++)
		if (!cpu_is_nothing(&ptx->insns[i]) && !cpu_spelling_known(&ptx->insns[i]))
			cpu_refuse(t, &ptx->insns[i], "it is not translated");
}

/* Writes a function, unless it is refused. */
static void function_translate(struct cpu_translation *t, struct cpu_function *function, struct text *out)
{
	struct text text = {0};

	t->function = function;
	t->out = &text;
	spellings_check(t);
	if (!function->refused)
		function_write(t);
	if (!function->refused)
		text_append(out, text.data, text.length);
	text_release(&text);
}

/* ---- who calls whom --------------------------------------------------------------------------- */

/* Wants a function and all that it calls. Returns the first reason why one of them is refused, or NULL. */
static const char *wanted_mark(struct cpu_translation *t, struct cpu_function *function)
{
	const char *reason = function->refused;

	if (function->wanted)
		return reason;
	function->wanted = true;
	for (size_t i = 0; i < function->ptx->insn_count; i++) {
		const struct ptx_insn *insn = &function->ptx->insns[i];
		const struct ptx_operand *callee = &insn->operands[insn->destinations];
		struct cpu_function *called = insn->operation == OP_call && callee->kind == OPERAND_SYMBOL
		                                      ? cpu_function_find(t, callee->symbol)
		                                      : NULL;

		if (called && called->ptx->has_body && !reason)
			reason = wanted_mark(t, called);
	}
	return reason;
}

static bool calls_functions(const struct ptx_function *function)
{
	for (size_t i = 0; i < function->insn_count; i++)
		if (function->insns[i].operation == OP_call && !cpu_is_builtin(&function->insns[i]))
			return true;
	return false;
}

/* Refuses each kernel that calls what is refused. */
static void refusals_spread(struct cpu_translation *t)
{
	for (size_t f = 0; f < t->module->function_count; f++) {
		const char *reason;

		if (!t->functions[f].ptx->is_kernel)
			continue;
		for (size_t i = 0; i < t->module->function_count; i++)
			t->functions[i].wanted = false;
		reason = wanted_mark(t, &t->functions[f]);
		t->functions[f].refused = reason;
	}
}

/* ---- tables --------------------------------------------------------------------------------------- */

static void string_write(struct text *out, const char *bytes, size_t count)
{
	text_puts(out, "\"");
	for (size_t i = 0; i < count; i++)
		text_printf(out, "\\%03o", (unsigned)(uint8_t)bytes[i]);
	text_puts(out, "\"");
}

static void kernel_row_write(const struct cpu_translation *t, const struct cpu_function *function, struct text *out)
{
	const struct ptx_function *ptx = function->ptx;

	text_puts(out, "{");
	string_write(out, ptx->name, strlen(ptx->name));
	if (function->refused) {
		text_puts(out, ", ");
		string_write(out, function->refused, strlen(function->refused));
		text_puts(out, "},\n");
		return;
	}
	text_printf(out, ", 0, M%uF%u, sizeof(struct M%uR%u), %u, %llu, %llu, %d},\n", t->number, function->number,
	            t->number, function->number, function->case_count, (unsigned long long)ptx->shared_bytes,
	            (unsigned long long)function->frame_bytes, calls_functions(ptx));
}

static void variables_write(const struct cpu_translation *t, struct text *out)
{
	text_printf(out, "static const struct cpu_variable M%u_variables[] = {\n", t->number);
	for (size_t i = 0; i < t->module->variable_count; i++) {
		const struct ptx_variable *variable = &t->module->variables[i];
		unsigned long long bytes = variable->count * ptx_type_bytes((enum ptx_type)variable->type);

		text_puts(out, "{");
		string_write(out, variable->name, strlen(variable->name));
		text_printf(out, ", %llu, %u, ", variable->space == SPACE_SHARED ? 0 : bytes,
		            variable->align_bytes ? variable->align_bytes : 1);
		string_write(out, (const char *)variable->initial, variable->initial ? variable->initial_bytes : 0);
		text_printf(out, ", %llu},\n", variable->initial ? (unsigned long long)variable->initial_bytes : 0);
	}
	text_puts(out, "{0}};\n");
}

static void kernels_write(const struct cpu_translation *t, struct text *out)
{
	text_printf(out, "static const struct cpu_kernel M%u_kernels[] = {\n", t->number);
	for (size_t i = 0; i < t->module->function_count; i++)
		if (t->functions[i].ptx->is_kernel && t->functions[i].ptx->has_body)
			kernel_row_write(t, &t->functions[i], out);
	text_puts(out, "{0}};\n");
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static void functions_plan(struct cpu_translation *t)
{
	t->functions = arena_array(t->arena, t->module->function_count + 1, sizeof *t->functions);
	for (size_t i = 0; i < t->module->function_count; i++) {
		struct cpu_function *function = &t->functions[i];

		*function = (struct cpu_function){.ptx = &t->module->functions[i], .number = (unsigned)i};
		t->function = function;
		if (function->ptx->has_body)
			cpu_plan(t);
	}
}

static void module_write(struct cpu_translation *t, struct text *out)
{
	functions_plan(t);
	text_printf(out, "static void *M%u_addresses[%zu];\n", t->number, t->module->variable_count + 1);
	for (size_t i = 0; i < t->module->function_count; i++)
		if (t->functions[i].ptx->has_body && !t->functions[i].ptx->is_kernel)
			text_printf(out, "static void M%uF%zu(struct cpu_warp *w, u32 entry, size_t frame);\n",
			            t->number, i);
	for (size_t i = 0; i < t->module->function_count; i++)
		if (t->functions[i].ptx->has_body)
			function_translate(t, &t->functions[i], out);
	refusals_spread(t);
	kernels_write(t, out);
	variables_write(t, out);
}

static unsigned kernel_count(const struct ptx_module *module)
{
	unsigned count = 0;

	for (size_t i = 0; i < module->function_count; i++)
		count += module->functions[i].is_kernel && module->functions[i].has_body;
	return count;
}

void cpu_translate(struct arena *arena, const struct cpu_source *sources, unsigned count, struct text *out)
{
	text_puts(out, "#include \"model/cpu/support/calls.h\"\n#include \"model/cpu/support/run.h\"\n"
	               "#define LANE unsigned char *const S = w->local + frame + (size_t)l * w->local_stride; (void)S\n"
	               "#define JUMP(c) { if (F->pending) { cpu_park(F, c, m); goto next; } goto L##c; }\n"
	               "#define BACK(c) { if (--w->fuel < 0) { cpu_park(F, c, m); goto tired; } JUMP(c) }\n");
	for (unsigned i = 0; i < count; i++)
		module_write(&(struct cpu_translation){.arena = arena, .module = sources[i].module, .number = i}, out);
	text_puts(out, "const struct cpu_module cpu_modules[] = {\n");
	for (unsigned i = 0; i < count; i++)
		text_printf(out, "{\"%s\", M%u_kernels, %u, M%u_variables, %zu, M%u_addresses},\n", sources[i].hash, i,
		            kernel_count(sources[i].module), i, sources[i].module->variable_count, i);
	text_printf(out, "{0}};\nconst unsigned cpu_module_count = %u;\n", count);
}

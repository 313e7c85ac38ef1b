/*
 * The stable text form of machine code: instructions with what they do, then their control fields.
 */
#include "ptxparse/ptxparse.h"

static void control_dump(struct text *out, const struct sass_control *control)
{
	text_printf(out, "stall %u%s", control->stall, control->yield ? " yield" : "");
	if (control->write_barrier != 7)
		text_printf(out, " write %u", control->write_barrier);
	if (control->read_barrier != 7)
		text_printf(out, " read %u", control->read_barrier);
	if (control->wait_mask)
		text_printf(out, " wait 0x%02x", control->wait_mask);
	if (control->reuse)
		text_printf(out, " reuse 0x%x", control->reuse);
}

static void controls_dump(struct text *out, const struct ptx_function *function)
{
	const struct sass_code *code = function->sass;

	text_printf(out, "machine code of %s: %u registers, %u bytes of stack, %u bytes\n", function->name,
	            code->register_count, code->stack_bytes, code->code_bytes);
	for (size_t i = 0; i < function->insn_count; i++) {
		if (function->insns[i].synthetic)
			continue;
		text_printf(out, "    %zu: 0x%04x %s: ", i, code->control[i].address, function->insns[i].spelling);
		control_dump(out, &code->control[i]);
		text_puts(out, "\n");
	}
}

void ptx_dump_sass(struct text *out, const struct ptx_module *module)
{
	ptx_dump(out, module);
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].sass)
			controls_dump(out, &module->functions[i]);
}

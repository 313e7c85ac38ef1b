/*
 * A cubin for people: each instruction with what its encoding tells the scheduler, and its source line.
 */
#include "ptxparse/sass/cubin/cubin.h"
#include "ptxparse/sass/decode/decode.h"

#include <string.h>

#define INSTRUCTION_COLUMN 62

/* "B--2--- R- W0 Y S04": counters waited for, set when sources are read, set when the result is there, yield, stall. */
static void control_list(struct text *out, const struct sass_control *control)
{
	text_puts(out, "B");
	for (unsigned i = 0; i < 6; i++)
		text_printf(out, "%c", control->wait_mask >> i & 1 ? '0' + (int)i : '-');
	text_printf(out, " R%c W%c %c S%02u", control->read_barrier == 7 ? '-' : '0' + control->read_barrier,
	            control->write_barrier == 7 ? '-' : '0' + control->write_barrier, control->yield ? 'Y' : '-',
	            control->stall);
}

static void place_list(struct text *out, const struct ptx_module *module, uint32_t index)
{
	for (const char *before = "  "; index; before = " < ") {
		const struct ptx_place *place = &module->places[index];
		const char *file = place->place.file ? strrchr(place->place.file, '/') : NULL;

		text_printf(out, "%s%s:%u", before,
		            file                ? file + 1
		            : place->place.file ? place->place.file
		                                : "?",
		            place->place.line);
		index = place->inlined_at;
	}
}

static void insn_list(struct text *out, const struct ptx_module *module, const struct sass_listing *listing,
                      uint32_t index)
{
	const struct sass_insn *insn = &listing->insns[index];
	struct sass_control control = decode_control(listing->code + (size_t)index * SASS_INSN_BYTES);
	size_t start;

	text_printf(out, "    0x%04x  ", index * SASS_INSN_BYTES);
	control_list(out, &control);
	text_puts(out, "  ");
	start = out->length;
	decode_print(out, insn, false);
	if (insn->place) {
		text_printf(out, "%*s",
		            out->length - start < INSTRUCTION_COLUMN ? (int)(INSTRUCTION_COLUMN - out->length + start)
		                                                     : 0,
		            "");
		place_list(out, module, insn->place);
	}
	text_puts(out, "\n");
}

/* The decoder writes a question mark for an opcode that it does not know, and behind one in a form that it does not
 * know. */
static bool is_unknown(const struct sass_insn *insn)
{
	return strchr(insn->opcode, '?') != NULL;
}

/* Each form that is not known is reported once. */
static void listing_list(struct text *out, const struct ptx_module *module, const struct cubin *cubin,
                         const struct sass_listing *listing, struct diagnostics *diagnostics)
{
	struct cubin_kernel kernel;

	cubin_kernel_read(module->arena, cubin, listing->name, cubin->architecture, &kernel);
	text_printf(out, "%s %s: %u registers, %u bytes of stack, %llu bytes of shared memory, %u instructions\n",
	            listing->symbol ? "kernel" : "function", listing->name, kernel.register_count, kernel.stack_bytes,
	            (unsigned long long)kernel.shared_bytes, listing->insn_count);
	for (uint32_t i = 0; i < listing->insn_count; i++) {
		const struct cubin_symbol *function =
			cubin_function_at(cubin, listing->section, (uint64_t)i * SASS_INSN_BYTES);

		if (function && i)
			text_printf(out, "  %s:\n", function->name);
		insn_list(out, module, listing, i);
		if (is_unknown(&listing->insns[i]))
			diagnostics_report(diagnostics, SEVERITY_WARNING, (struct place){module->path, 0, 0},
			                   "machine instruction '%.60s' is not known", listing->insns[i].opcode);
	}
}

bool sass_list(struct text *out, struct arena *arena, const char *path, const void *bytes, size_t length,
               struct diagnostics *diagnostics)
{
	struct ptx_module module = {.arena = arena, .path = path};
	struct cubin cubin = {0};
	struct sass_listings listings = {0};
	const char *reason = cubin_open(arena, bytes, length, &cubin);

	if (!reason)
		reason = decode_cubin(&module, &cubin, &listings);
	if (reason) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "cannot read machine code: %s", reason);
		return false;
	}
	text_printf(out,
	            "machine code for sm_%u\n"
	            "B: scoreboards waited for; R, W: scoreboard set when sources are read, when the result is there; "
	            "Y: yields; "
	            "S: cycles "
	            "until the warp's next instruction\n",
	            listings.architecture);
	for (size_t i = 0; i < listings.count; i++)
		listing_list(out, &module, &cubin, &listings.list[i], diagnostics);
	return true;
}

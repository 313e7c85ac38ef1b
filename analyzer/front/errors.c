/*
 * Which of clang's errors matter. Those in the code of the host do not: only what they cost (a launch, a header,
 * something declared for all) is warned of. Those in kernels and in what kernels use forbid the analysis.
 */
#include "analyzer/front/clang.h"

#include <string.h>

/* Records nested more deeply are not looked into. */
#define RECORD_DEPTH_MAX 64

static bool range_holds(struct range range, unsigned offset)
{
	return range.begin <= offset && offset < range.end;
}

/* ---- records that kernels use --------------------------------------------------------------------- */

struct record_search {
	const struct record *record;
	bool found;
};

static bool record_holds(const struct record *outer, const struct record *record, unsigned depth)
{
	for (unsigned i = 0; outer && depth < RECORD_DEPTH_MAX && i < outer->member_count; i++)
		if (record_holds(outer->members[i].type.record, record, depth + 1))
			return true;
	return outer == record;
}

static bool type_uses(const struct source_type *type, const struct record *record)
{
	while (type && type->target)
		type = type->target;
	return type && record_holds(type->type.record, record, 0);
}

static bool record_visit(void *context, const struct node *node)
{
	struct record_search *search = context;

	search->found = search->found || type_uses(node->type, search->record) ||
	                (node->kind == NODE_DECLARE && type_uses(node->declaration->type, search->record));
	return !search->found;
}

/* Whether a kernel or a device function has something of that type. */
static bool is_used_by_kernels(const struct source_unit *unit, const struct record *record)
{
	struct record_search search = {record, false};

	for (unsigned i = 0; i < unit->function_count && !search.found; i++) {
		const struct source_function *function = unit->functions[i];

		if (!function->is_kernel && !function->is_device)
			continue;
		for (unsigned j = 0; j < function->parameter_count; j++)
			search.found = search.found || type_uses(function->parameters[j]->type, record);
		node_visit(function->body, record_visit, &search);
	}
	return search.found;
}

/* ---- how much an error matters ---------------------------------------------------------------- */

/*
 * Whether an error at that offset of the file concerns what kernels do: it lies in a kernel, a device function, or a
 * record that these use.
 */
static bool concerns_kernels(const struct source_unit *unit, unsigned offset)
{
	bool in_host = false, in_device = false;

	for (unsigned i = 0; i < unit->function_count; i++) {
		const struct source_function *function = unit->functions[i];
		bool is_device = function->is_kernel || function->is_device;

		if (!range_holds(function->definition, offset))
			continue;
		in_device = in_device || is_device;
		in_host = in_host || !(is_device || function->is_method);
	}
	if (in_host || in_device)
		return !in_host;
	for (unsigned i = 0; i < unit->record_count; i++)
		if (range_holds(unit->records[i]->range, offset) && is_used_by_kernels(unit, unit->records[i]))
			return true;
	return false;
}

/* Whether the line at an offset holds a kernel's launch. */
static bool line_launches(const struct source_unit *unit, unsigned offset)
{
	unsigned end = offset;

	while (offset > 0 && unit->text[offset - 1] != '\n')
		offset--;
	for (; end < unit->text_length && unit->text[end] != '\n'; end++)
		;
	return memmem(unit->text + offset, end - offset, "<<<", 3) != NULL;
}

/* Whether an error behind the file's last word says that a kernel or a device function there has no end. */
static bool is_cut_off(const struct source_unit *unit, const char *said)
{
	size_t end = unit->text_length;

	while (end > 0 && strchr(" \t\r\n", unit->text[end - 1]))
		end--;
	return end > 0 && strncmp(said, "expected ", strlen("expected ")) == 0 &&
	       concerns_kernels(unit, (unsigned)end - 1);
}

bool front_has_kernel(const struct source_unit *unit)
{
	for (unsigned i = 0; i < unit->function_count; i++)
		if (unit->functions[i]->is_kernel)
			return true;
	return false;
}

static bool is_missing_header(struct front *front, CXDiagnostic diagnostic)
{
	return strstr(front_text(front, clang_getDiagnosticSpelling(diagnostic)), "file not found") != NULL;
}

/* Whether a kernel is defined in the file of a place. */
static bool has_kernel_of(struct front *front, CXSourceLocation location)
{
	const char *file = front_place(front, location).file;

	for (unsigned i = 0; file && i < front->unit->function_count; i++)
		if (front->unit->functions[i]->is_kernel && front->unit->functions[i]->place.file == file)
			return true;
	return false;
}

/* Whether an offset lies outside all functions of the file: what is declared there may be used by kernels. */
static bool is_outside(const struct source_unit *unit, unsigned offset)
{
	for (unsigned i = 0; i < unit->function_count; i++)
		if (unit->functions[i]->in_main_file && range_holds(unit->functions[i]->definition, offset))
			return false;
	return true;
}

/* The file that a diagnostic's first note points to; NULL without one. */
static const char *noted_file(struct front *front, CXDiagnostic diagnostic)
{
	CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
	CXDiagnostic note = clang_getNumDiagnosticsInSet(notes) > 0 ? clang_getDiagnosticInSet(notes, 0) : NULL;
	const char *file = note ? front_place(front, clang_getDiagnosticLocation(note)).file : NULL;

	if (note)
		clang_disposeDiagnostic(note);
	return file;
}

/* The other of two files of a program that define one thing; NULL where a diagnostic says something else. */
static const char *clashing_file(struct front *front, CXDiagnostic diagnostic)
{
	const char *said = front_text(front, clang_getDiagnosticSpelling(diagnostic)), *file;

	if (front->unit->source->other_count == 0 ||
	    (!strstr(said, "redefinition of '") && !strstr(said, "conflicting types for 'main'")))
		return NULL;
	file = noted_file(front, diagnostic);
	return file != front_place(front, clang_getDiagnosticLocation(diagnostic)).file ? file : NULL;
}

/* nvcc leaves the text of inline assembly to ptxas, which reads %smid where libclang wants %%smid. */
static bool is_assembly(struct front *front, CXDiagnostic diagnostic)
{
	return strcmp(front_text(front, clang_getDiagnosticCategoryText(diagnostic)), "Inline Assembly Issue") == 0;
}

/* Whether it stands in a file of C, which is read as C++ here. */
static bool is_in_c(struct front *front, CXDiagnostic diagnostic)
{
	return source_is_c(front->unit->source, front_place(front, clang_getDiagnosticLocation(diagnostic)).file);
}

/*
 * How much an error matters: ERROR where it concerns kernels or none was found, WARNING where launches, headers or what
 * is declared for all are missing, else NOTE.
 */
static enum severity error_weight(struct front *front, CXDiagnostic diagnostic, bool any_kernel)
{
	CXFile file;
	unsigned offset;

	if (any_kernel && is_in_c(front, diagnostic) && !is_missing_header(front, diagnostic))
		return SEVERITY_NOTE;
	if (clashing_file(front, diagnostic))
		return SEVERITY_ERROR;
	if (!any_kernel)
		return clang_Location_isInSystemHeader(clang_getDiagnosticLocation(diagnostic)) ? SEVERITY_NOTE
		                                                                                : SEVERITY_ERROR;
	clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
	if (is_assembly(front, diagnostic))
		return SEVERITY_NOTE;
	if (is_missing_header(front, diagnostic))
		return SEVERITY_WARNING;
	if (file != front->main_file)
		return has_kernel_of(front, clang_getDiagnosticLocation(diagnostic)) ? SEVERITY_ERROR : SEVERITY_NOTE;
	if (offset >= front->unit->text_length)
		return is_cut_off(front->unit, front_text(front, clang_getDiagnosticSpelling(diagnostic)))
		               ? SEVERITY_ERROR
		               : SEVERITY_NOTE;
	if (concerns_kernels(front->unit, offset))
		return SEVERITY_ERROR;
	return line_launches(front->unit, offset) || is_outside(front->unit, offset) ? SEVERITY_WARNING : SEVERITY_NOTE;
}

/* What the user can do about it, to be put after the message. */
static const char *hint_of(struct front *front, CXDiagnostic diagnostic)
{
	const char *other = clashing_file(front, diagnostic);

	if (is_missing_header(front, diagnostic))
		return ": -I names its folder, as for nvcc, or -p a folder with compile_commands.json";
	return other ? arena_printf(front->arena,
	                            ": %s defines it too, so that nvcc does not link these files into one program",
	                            other)
	             : "";
}

/* Notes the first error in a C file. last: the file of the last note. */
static void c_report(struct front *front, CXDiagnostic diagnostic, const char **last)
{
	struct place place = front_place(front, clang_getDiagnosticLocation(diagnostic));

	if (place.file != *last)
		diagnostics_report(front->unit->diagnostics, SEVERITY_NOTE, place,
		                   "this C file is read as C++: change this to what C++ takes too, to have its "
		                   "function followed (%s)",
		                   front_text(front, clang_getDiagnosticSpelling(diagnostic)));
	*last = place.file;
}

bool front_report_errors(struct front *front)
{
	unsigned count = clang_getNumDiagnostics(front->translation_unit);
	bool any_kernel = front_has_kernel(front->unit), failed = false;
	const char *last_c = NULL;

	for (unsigned i = 0; i < count; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(front->translation_unit, i);

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
			enum severity weight = error_weight(front, diagnostic, any_kernel);

			if (weight == SEVERITY_NOTE && any_kernel && is_in_c(front, diagnostic))
				c_report(front, diagnostic, &last_c);
			if (weight != SEVERITY_NOTE)
				diagnostics_report(front->unit->diagnostics, weight,
				                   front_place(front, clang_getDiagnosticLocation(diagnostic)), "%s%s",
				                   front_text(front, clang_getDiagnosticSpelling(diagnostic)),
				                   hint_of(front, diagnostic));
			failed = failed || weight == SEVERITY_ERROR;
		}
		clang_disposeDiagnostic(diagnostic);
	}
	return failed;
}

/* The first kernel, if asked for the first with a body or a template's pattern; NULL where there is none. */
static const struct source_function *kernel_find(const struct source_unit *unit, bool with_body)
{
	for (unsigned i = 0; i < unit->function_count; i++) {
		const struct source_function *function = unit->functions[i];

		if (function->is_kernel && (!with_body || function->body || function->is_pattern))
			return function;
	}
	return NULL;
}

bool front_require_kernel(struct front *front)
{
	const struct source_unit *unit = front->unit;
	const struct source_function *declared = kernel_find(unit, false);

	if (kernel_find(unit, true))
		return true;
	if (declared)
		diagnostics_report(unit->diagnostics, SEVERITY_ERROR, declared->place,
		                   "kernel '%s' " ANALYZER_KERNEL_ELSEWHERE
		                   ": its body is in another file, which is the one to analyse",
		                   declared->name);
	else
		diagnostics_report(unit->diagnostics, SEVERITY_ERROR, (struct place){unit->path, 0, 0},
		                   ANALYZER_NO_KERNEL "(__global__ function) in %s",
		                   unit->source->other_count ? "these files" : "this file");
	return false;
}

bool front_report_calls(struct front *front)
{
	unsigned count = clang_getNumDiagnostics(front->translation_unit);
	CXFile main_file = clang_getFile(front->translation_unit, front->unit->path), file;
	bool found = false;

	for (unsigned i = 0; i < count && !found; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(front->translation_unit, i);

		clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, NULL);
		found = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && file == main_file;
		if (found)
			diagnostics_report(front->unit->diagnostics, SEVERITY_NOTE,
			                   front_place(front, clang_getDiagnosticLocation(diagnostic)),
			                   "calls of thrust are not predicted: %s; write a kernel in their place",
			                   front_text(front, clang_getDiagnosticSpelling(diagnostic)));
		clang_disposeDiagnostic(diagnostic);
	}
	return found;
}

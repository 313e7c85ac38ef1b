/*
 * What the compiler made of the timed loops: the machine code of this program, read through cuobjdump where it is on the PATH. Each
 * loop must hold the intended instructions in the intended number and hardly any other; a microbenchmark that the compiler changed
 * measures something else. Needs no GPU.
 */
#include "calibrate.h"
#include "instructions.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>

/* A function's instructions in order: address and text without predicate. */
struct instruction {
	unsigned long address;
	std::string text;
};
typedef std::vector<instruction> function_body;

/* Instructions that a loop may hold beside the intended ones: counter, compare, branch, and a few moves. */
#define OTHERS_ALLOWED 8

static bool parse_instruction(const char *line, instruction &out)
{
	char *rest = nullptr;
	while (*line == ' ' || *line == '\t')
		line++;
	if (strncmp(line, "/*", 2) != 0)
		return false;
	out.address = strtoul(line + 2, &rest, 16);
	if (strncmp(rest, "*/", 2) != 0)
		return false;
	rest += 2 + strspn(rest + 2, " \t");
	if (*rest == '@') {
		rest += strcspn(rest, " ");
		rest += strspn(rest, " ");
	}
	out.text.assign(rest, strcspn(rest, ";"));
	return !out.text.empty() && strchr(rest, ';');
}

/* The machine code of the running program; empty where cuobjdump is missing. */
static std::map<std::string, function_body> read_functions()
{
	std::map<std::string, function_body> functions;
	char path[4096], line[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	if (length <= 0)
		return functions;
	path[length] = 0;
	FILE *stream = popen(("cuobjdump -sass '" + std::string(path) + "' 2>/dev/null").c_str(), "r");
	function_body *current = nullptr;
	while (stream && fgets(line, sizeof line, stream)) {
		instruction found;
		if (const char *name = strstr(line, "Function : ")) {
			std::string key(name + 11, strcspn(name + 11, "\n "));
			current = functions.count(key) ? nullptr : &functions[key];
		} else if (current && parse_instruction(line, found))
			current->push_back(found);
	}
	if (stream)
		pclose(stream);
	return functions;
}

/* Where a branch goes; its own address and more where it is none or goes forward. */
static unsigned long branch_target(const instruction &at)
{
	if (at.text.compare(0, 3, "BRA") != 0)
		return ~0ul;
	size_t place = at.text.rfind("0x");
	return place == std::string::npos ? ~0ul : strtoul(at.text.c_str() + place, nullptr, 16);
}

/* The longest stretch from a backward branch's target to the branch that holds no other such stretch. */
static function_body innermost_loop(const function_body &body)
{
	function_body best;
	for (const instruction &branch : body) {
		unsigned long target = branch_target(branch);
		if (target >= branch.address)
			continue;
		function_body loop;
		bool innermost = true;
		for (const instruction &at : body)
			if (at.address >= target && at.address <= branch.address) {
				loop.push_back(at);
				unsigned long inner = branch_target(at);
				innermost = innermost && (at.address == branch.address || inner >= at.address);
			}
		if (innermost && loop.size() > best.size())
			best = loop;
	}
	return best;
}

static bool opcode_is(const std::string &text, const std::string &opcode)
{
	return text.compare(0, opcode.size(), opcode) == 0 &&
	       (text.size() == opcode.size() || strchr(". ", text[opcode.size()]));
}

static std::vector<std::string> split_text(const std::string &text, char separator)
{
	std::vector<std::string> parts;
	size_t from = 0;
	while (from < text.size()) {
		size_t to = text.find(separator, from);
		to = to == std::string::npos ? text.size() : to;
		if (to > from)
			parts.push_back(text.substr(from, to - from));
		from = to + 1;
	}
	return parts;
}

/* Instructions of the loop that have one of the opcodes "A|B". */
static size_t count_opcode(const function_body &loop, const std::string &alternatives)
{
	size_t count = 0;
	for (const instruction &at : loop)
		for (const std::string &opcode : split_text(alternatives, '|'))
			if (opcode_is(at.text, opcode)) {
				count++;
				break;
			}
	return count;
}

/*
 * Whether the loop of the one function whose name contains `name` holds each opcode of the list `times` times and at most `others` more.
 * Puts the length of the loop into *length.
 */
static bool check_loop(const std::map<std::string, function_body> &functions, const std::string &name,
                       const std::string &opcodes, size_t times, size_t others, size_t *length)
{
	for (const auto &entry : functions) {
		if (entry.first.find(name) == std::string::npos)
			continue;
		function_body loop = innermost_loop(entry.second);
		std::map<std::string, size_t> wanted;
		size_t expected = 0;
		bool right = !loop.empty();
		for (const std::string &opcode : split_text(opcodes, ' '))
			wanted[opcode] += times;
		for (const auto &need : wanted) {
			right = right && count_opcode(loop, need.first) >= need.second;
			expected += need.second;
		}
		if (expected && loop.size() > expected + others)
			right = false;
		*length = loop.size();
		if (!right)
			progress("  SASS of %s: %zu instructions in the loop, not %zu of %s", name.c_str(), loop.size(),
			         times, opcodes.c_str());
		return right;
	}
	progress("  SASS: no function %s", name.c_str());
	return false;
}

/* The further loops: part of the mangled name, opcode, times, other instructions allowed. */
static const struct {
	const char *name, *opcode;
	size_t times, others;
} loops[] = {
	{"10short_loop", "IMAD", 1, 4},
	{"10accumulate", "FFMA", 512, 8},
	{"5chaseILb0E", "LDG", 16, 8},
	{"12chase_shared", "LDS", 16, 8},
	{"11probe_lines", "LDG", 34, 40},
	{"13access_windowIL4path0ELi1ELb0E", "LDG", 8, 16},
	{"13access_windowIL4path0ELi2ELb0E", "LDG", 8, 20},
	{"13access_windowIL4path0ELi4ELb0E", "LDG", 8, 28},
	{"13access_windowIL4path2ELi1ELb0E", "LDS", 8, 16},
	{"13access_windowIL4path2ELi2ELb0E", "LDS", 8, 20},
	{"13access_windowIL4path2ELi4ELb0E", "LDS", 8, 28},
	{"13access_windowIL4path2ELi1ELb1E", "STS", 8, 12},
	{"13access_windowIL4path2ELi2ELb1E", "STS", 8, 12},
	{"13access_windowIL4path2ELi4ELb1E", "STS", 8, 12},
	{"12access_sweepILi1ELb0E", "LDG", 8, 80},
	{"12access_sweepILi2ELb0E", "LDG", 8, 80},
	{"12access_sweepILi4ELb0E", "LDG", 8, 90},
	{"12access_sweepILi1ELb1E", "STG", 8, 80},
	{"12access_sweepILi2ELb1E", "STG", 8, 80},
	{"12access_sweepILi4ELb1E", "STG", 8, 80},
	{"6roundsILi1ELi4E", "LDG", 1, 30},
	{"6roundsILi64ELi4E", "LDG", 64, 64},
	{"6roundsILi64ELi128E", "LDG", 64, 64},
	{"12follow_pairs", "LDG", 4, 6},
	{"12follow_twice", "LDG", 4, 6},
	{"8barriers", "BAR", 16, 6},
	{"12atomic_chainIL4path1E", "ATOMG|ATOM", 8, 6},
	{"12atomic_chainIL4path2E", "ATOMS", 8, 6},
};

struct expectation {
	const char *name, *opcodes;
	size_t unroll;
};
#define X(NAME, KIND, UNROLL, SASS, PTX) {#NAME, SASS, UNROLL},
static const expectation classes[] = {INSTRUCTIONS(X)};
#undef X

bool check_sass(bool report)
{
	std::map<std::string, function_body> functions = read_functions();
	bool right = !functions.empty();
	if (functions.empty()) {
		progress("SASS not checked: no cuobjdump on the PATH");
		return false;
	}
	for (const expectation &row : classes) {
		size_t chain = 0, burst = 0;
		std::string type = format("%zuop_%sE", strlen(row.name) + 3, row.name);
		bool fine =
			check_loop(functions, "9dependentI" + type, row.opcodes, row.unroll, OTHERS_ALLOWED, &chain);
		fine = check_loop(functions, "11independentI" + type, row.opcodes, row.unroll, OTHERS_ALLOWED,
		                  &burst) &&
		       fine;
		if (report)
			record_property(
				std::string("sass_instructions.") + row.name, "count",
				(double)chain / (double)row.unroll,
				std::string("instructions of the timed loop per application, slow paths left out") +
					(fine ? "" : "; NOT AS EXPECTED"));
		right = right && fine;
	}
	for (const auto &row : loops) {
		size_t length;
		right = check_loop(functions, row.name, row.opcode, row.times, row.others, &length) && right;
	}
	if (report)
		record_property("sass.as_expected", "boolean", right,
		                "every timed loop holds the intended machine instructions, by cuobjdump");
	progress("SASS of %zu instruction classes and %zu further loops: %s", sizeof classes / sizeof classes[0],
	         sizeof loops / sizeof loops[0], right ? "as expected" : "NOT as expected");
	return right;
}

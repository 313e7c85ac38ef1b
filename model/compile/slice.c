/*
 * A translation unit for NVRTC. It is the text that nvcc gets: layout_variants() hides host functions and what else is
 * nvcc's alone behind
 * __CUDACC_RTC__. Headers of the host are found empty, or with the few types and constants that device code takes from
 * them: their functions are the host's, and CUDA's own mathematics is built in. What is missing after all is an error
 * here, and compiled by nvcc.
 *
 * -default-device takes declarations without __device__ as the device's: prototypes, variables and methods of the host
 * do no harm then.
 */
#include "layouts/layouts.h"
#include "model/compile/compile.h"

#include <string.h>

/* ---- headers ----------------------------------------------------------------------------- */

#define INTEGER_TYPES                                                                                                  \
	"typedef signed char int8_t;typedef unsigned char uint8_t;typedef short int16_t;typedef unsigned short "       \
	"uint16_t;"                                                                                                    \
	"typedef int int32_t;typedef unsigned int uint32_t;typedef long int64_t;typedef unsigned long uint64_t;"       \
	"typedef long intptr_t;typedef unsigned long uintptr_t;"
#define INTEGER_LIMITS                                                                                                 \
	"#define CHAR_BIT 8\n#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n#define SHRT_MAX 32767\n#define USHRT_MAX " \
	"65535\n"                                                                                                      \
	"#define INT_MAX 2147483647\n#define INT_MIN (-INT_MAX - 1)\n#define UINT_MAX 4294967295U\n"                   \
	"#define LONG_MAX 9223372036854775807L\n#define LONG_MIN (-LONG_MAX - 1L)\n#define ULONG_MAX "                 \
	"18446744073709551615UL\n"                                                                                     \
	"#define LLONG_MAX 9223372036854775807LL\n#define LLONG_MIN (-LLONG_MAX - 1LL)\n"                              \
	"#define ULLONG_MAX 18446744073709551615ULL\n"
#define FLOAT_LIMITS                                                                                                   \
	"#define FLT_MAX 3.40282346638528859811704183484516925e+38F\n#define FLT_MIN "                                 \
	"1.17549435082228750796873653722224568e-38F\n"                                                                 \
	"#define FLT_EPSILON 1.19209289550781250000000000000000000e-7F\n"                                              \
	"#define DBL_MAX ((double)1.79769313486231570814527423731704357e+308L)\n"                                      \
	"#define DBL_MIN ((double)2.22507385850720138309023271733240406e-308L)\n"                                      \
	"#define DBL_EPSILON ((double)2.22044604925031308084726333618164062e-16L)\n"
#define MATH_CONSTANTS                                                                                                 \
	"#define M_E 2.7182818284590452354\n#define M_LOG2E 1.4426950408889634074\n#define M_LOG10E "                  \
	"0.43429448190325182765\n"                                                                                     \
	"#define M_LN2 0.69314718055994530942\n#define M_LN10 2.30258509299404568402\n#define M_PI "                   \
	"3.14159265358979323846\n"                                                                                     \
	"#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n#define M_1_PI "                \
	"0.31830988618379067154\n"                                                                                     \
	"#define M_2_PI 0.63661977236758134308\n#define M_2_SQRTPI 1.12837916709551257390\n#define M_SQRT2 "           \
	"1.41421356237309504880\n"                                                                                     \
	"#define M_SQRT1_2 0.70710678118654752440\n"
#define INTEGER_MAXIMA                                                                                                 \
	"#define INT8_MAX 127\n#define INT16_MAX 32767\n#define INT32_MAX 2147483647\n#define UINT8_MAX 255\n"         \
	"#define UINT16_MAX 65535\n#define UINT32_MAX 4294967295U\n#define INT64_MAX 9223372036854775807L\n"           \
	"#define UINT64_MAX 18446744073709551615UL\n#define SIZE_MAX 18446744073709551615UL\n"
#define ONCE "#pragma once\n"

static const struct nvrtc_header headers[] = {
	{"stdint.h", ONCE INTEGER_TYPES "\n" INTEGER_MAXIMA},
	{"cstdint", ONCE "#include <stdint.h>\n"},
	{"inttypes.h", ONCE "#include <stdint.h>\n"},
	{"limits.h", ONCE INTEGER_LIMITS},
	{"climits", ONCE "#include <limits.h>\n"},
	{"float.h", ONCE FLOAT_LIMITS},
	{"cfloat", ONCE "#include <float.h>\n"},
	{"math.h", ONCE MATH_CONSTANTS},
	{"cmath", ONCE "#include <math.h>\n"},
	{"stdio.h", ONCE "struct FILE;\n"},
	{"cstdio", ONCE "#include <stdio.h>\n"},
#define EMPTY(name)                                                                                                    \
	{                                                                                                              \
		name, ONCE                                                                                             \
	}
	EMPTY("algorithm"),
	EMPTY("array"),
	EMPTY("assert.h"),
	EMPTY("bitset"),
	EMPTY("cassert"),
	EMPTY("cctype"),
	EMPTY("cerrno"),
	EMPTY("chrono"),
	EMPTY("clocale"),
	EMPTY("condition_variable"),
	EMPTY("csignal"),
	EMPTY("cstdarg"),
	EMPTY("cstddef"),
	EMPTY("cstdlib"),
	EMPTY("cstring"),
	EMPTY("ctime"),
	EMPTY("ctype.h"),
	EMPTY("cuda.h"),
	EMPTY("cuda_runtime.h"),
	EMPTY("cuda_runtime_api.h"),
	EMPTY("deque"),
	EMPTY("device_launch_parameters.h"),
	EMPTY("errno.h"),
	EMPTY("exception"),
	EMPTY("filesystem"),
	EMPTY("forward_list"),
	EMPTY("fstream"),
	EMPTY("functional"),
	EMPTY("future"),
	EMPTY("getopt.h"),
	EMPTY("initializer_list"),
	EMPTY("iomanip"),
	EMPTY("ios"),
	EMPTY("iosfwd"),
	EMPTY("iostream"),
	EMPTY("istream"),
	EMPTY("iterator"),
	EMPTY("list"),
	EMPTY("locale"),
	EMPTY("map"),
	EMPTY("memory"),
	EMPTY("mutex"),
	EMPTY("new"),
	EMPTY("numbers"),
	EMPTY("numeric"),
	EMPTY("optional"),
	EMPTY("ostream"),
	EMPTY("queue"),
	EMPTY("random"),
	EMPTY("regex"),
	EMPTY("set"),
	EMPTY("shared_mutex"),
	EMPTY("signal.h"),
	EMPTY("sstream"),
	EMPTY("stack"),
	EMPTY("stdarg.h"),
	EMPTY("stdbool.h"),
	EMPTY("stddef.h"),
	EMPTY("stdexcept"),
	EMPTY("stdlib.h"),
	EMPTY("streambuf"),
	EMPTY("string"),
	EMPTY("string.h"),
	EMPTY("string_view"),
	EMPTY("strings.h"),
	EMPTY("sys/resource.h"),
	EMPTY("sys/stat.h"),
	EMPTY("sys/time.h"),
	EMPTY("sys/types.h"),
	EMPTY("system_error"),
	EMPTY("thread"),
	EMPTY("time.h"),
	EMPTY("tuple"),
	EMPTY("typeinfo"),
	EMPTY("unistd.h"),
	EMPTY("unordered_map"),
	EMPTY("unordered_set"),
	EMPTY("utility"),
	EMPTY("variant"),
	EMPTY("vector"),
#undef EMPTY
};

/* ---- what is not asked ---------------------------------------------------------------------- */

static bool flag_is_common(const char *flag)
{
	static const char *const beginnings[] = {
		"-D",     "-U",      "-I",      "-std=",           "--use_fast_math",
		"--ftz=", "--prec-", "--fmad=", "--maxrregcount=", "--extended-lambda"};
	for (unsigned i = 0; i < ARRAY_COUNT(beginnings); i++)
		if (strncmp(flag, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

const char *compile_nvrtc_refusal(const struct compile_request *request)
{
	for (unsigned i = 0; i < request->flag_count; i++)
		if (!flag_is_common(request->flags[i]))
			return "a flag that nvcc knows";
	if (strstr(request->text, "__NVCC__"))
		return "the code asks whether nvcc compiles it";
	if (strstr(request->text, "__shared__"))
		return "shared memory, whose addresses have 32 bits in nvcc's code and 64 in NVRTC's";
	return NULL;
}

/* ---- options -------------------------------------------------------------------------------- */

static const char **options_make(struct arena *arena, const struct compile_request *request, unsigned *count)
{
	const char **options = NULL;
	const char *fixed[] = {"-minimal",
	                       "-default-device",
	                       "-w",
	                       "-lineinfo",
	                       "--ptxas-options=-v",
	                       arena_printf(arena, "--gpu-architecture=%s", request->target),
	                       arena_printf(arena, "-I%s", compile_folder(arena, request->source_path))};

	for (unsigned i = 0; i < ARRAY_COUNT(fixed); i++)
		ARENA_PUSH(arena, options, *count, fixed[i]);
	for (unsigned i = 0; i < request->flag_count; i++) {
		const char *flag = request->flags[i];

		ARENA_PUSH(arena, options, *count, compile_flag(arena, flag));
		if (strncmp(flag, "-D", 2) == 0)
			ARENA_PUSH(arena, options, *count,
			           arena_printf(arena, "-D" LAYOUT_GIVEN_MACRO "%.*s", (int)strcspn(flag + 2, "="),
			                        flag + 2));
	}
	return options;
}

/* ---- what is not taken ------------------------------------------------------------------------ */

/* Whether a text that begins at a name names a kernel of the module; *length becomes the name's. */
static bool names_kernel(struct arena *arena, const char *ptx, const char *text, size_t *length)
{
	*length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
	return *length > 0 && (*text < '0' || *text > '9') &&
	       strstr(ptx, arena_printf(arena, ".entry %.*s(", (int)*length, text));
}

/* A table of kernels that the host keeps is taken to be the device's; kernels that may be called get other code. */
static bool holds_kernels(struct arena *arena, const char *ptx)
{
	size_t length;

	for (const char *table = strstr(ptx, "] = {"); table; table = strstr(table, "] = {")) {
		const char *end = table + strcspn(table, "\n");

		for (table += strlen("] = {"); table < end; table += length ? length : 1)
			if (names_kernel(arena, ptx, table, &length))
				return true;
	}
	return false;
}

struct compile_output compile_nvrtc(struct arena *arena, const struct nvrtc *nvrtc,
                                    const struct compile_request *request)
{
	unsigned option_count = 0;
	const char **options = options_make(arena, request, &option_count);
	const struct nvrtc_request compiled = {.name = "variants.cu",
	                                       .text = request->text,
	                                       .options = options,
	                                       .option_count = option_count,
	                                       .headers = headers,
	                                       .header_count = ARRAY_COUNT(headers),
	                                       .instances = request->instances,
	                                       .instance_count = request->instance_count,
	                                       .limits = request->limits,
	                                       .store = request->store};
	struct nvrtc_result result = nvrtc_compile(arena, nvrtc, &compiled);
	bool refused = result.compiled && holds_kernels(arena, result.ptx);

	return (struct compile_output){.failed = !result.compiled || refused,
	                               .exceeded = result.exceeded,
	                               .ptx = result.ptx,
	                               .ptx_length = result.ptx_length,
	                               .cubin = result.cubin,
	                               .cubin_length = result.cubin_length,
	                               .messages = refused ? "error: kernels in a table of the host's" : result.log,
	                               .time = {.spent = result.spent, .elsewhere = result.spent.processor}};
}

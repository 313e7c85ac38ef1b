/* What kernels call that has no code of its own: printf, malloc, free, a failed assertion. */
#ifndef COALESCE_MODEL_CPU_SUPPORT_CALLS_H
#define COALESCE_MODEL_CPU_SUPPORT_CALLS_H

#include "model/cpu/support/lanes.h"

/* Prints one conversion, whose specification ends with its letter. Returns the argument's place after it. */
static const unsigned char *cpu_convert(const char *specification, const unsigned char *argument)
{
	char letter = specification[strlen(specification) - 1];
	bool is_long = strchr(specification, 'l') || strchr(specification, 'j') || strchr(specification, 'z');
	size_t size = strchr("eEfFgGaAsp", letter) || is_long ? 8 : 4;
	argument += (size - (size_t)argument % size) % size;
	if (strchr("eEfFgGaA", letter))
		printf(specification, as_f64(ld_u64(argument)));
	else if (letter == 's')
		printf(specification, (const char *)(uintptr_t)ld_u64(argument));
	else if (letter == 'p')
		printf(specification, (void *)(uintptr_t)ld_u64(argument));
	else if (is_long)
		printf(specification, (long long)ld_u64(argument));
	else
		printf(specification, ld_u32(argument));
	return argument + size;
}

static u32 cpu_vprintf(const char *format, const unsigned char *arguments)
{
	char specification[64];
	u32 count = 0;
	while (*format) {
		size_t plain = strcspn(format, "%"), length;
		fwrite(format, 1, plain, stdout);
		format += plain;
		if (!*format)
			break;
		length = 1 + strspn(format + 1, "0123456789.+-# hlLjzt");
		if (format[length] == '%' || !format[length] || length + 2 > sizeof specification ||
		    !strchr("diouxXceEfFgGaAsp", format[length])) {
			putchar('%');
			format += length + (format[length] != '\0');
			continue;
		}
		memcpy(specification, format, length + 1);
		specification[length + 1] = '\0';
		arguments = cpu_convert(specification, arguments);
		format += length + 1;
		count++;
	}
	return count;
}

__attribute__((noreturn)) static void cpu_assertfail(const char *text, const char *file, u32 line, const char *function)
{
	fflush(stdout);
	fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
	cpu_leave("an assertion fails");
}

#endif

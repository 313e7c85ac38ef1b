/*
 * How the program ends when nothing else is left: a bug of ours, or no memory.
 */
#include "base/base.h"

#include <stdlib.h>

void bug(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("coalesce: internal error: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(EXIT_BUG);
}

void out_of_memory(void)
{
	fputs("coalesce: error: out of memory\n", stderr);
	exit(EXIT_INPUT);
}

/*
 * How the program ends when nothing else is left: a bug of ours, or no memory. Who must not end (another program that
 * called us, a child that has to say more than a status) catches it: then the failure is a value.
 */
#include "base/base.h"

#include <setjmp.h>
#include <stdlib.h>

/* Where a failure of this thread is caught. */
struct landing {
	jmp_buf place;
	struct failure *failure;
};
static _Thread_local struct landing *landing;

static NO_RETURN void land(enum exit_code code, const char *format, va_list arguments)
{
	landing->failure->code = code;
	vsnprintf(landing->failure->text, sizeof landing->failure->text, format, arguments);
	longjmp(landing->place, 1);
}

bool failure_catch(void (*run)(void *context), void *context, struct failure *failure)
{
	struct landing own = {.failure = failure}, *volatile outer = landing;
	volatile bool good = false;

	landing = &own;
	if (setjmp(own.place) == 0) {
		run(context);
		good = true;
	}
	landing = outer;
	return good;
}

void bug(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (landing)
		land(EXIT_BUG, format, arguments);
	fflush(stdout);
	fputs("coalesce: internal error: ", stderr);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(EXIT_BUG);
}

static NO_RETURN void out_of_memory_land(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	land(EXIT_INPUT, format, arguments);
	/* cppcheck-suppress va_end_missing ; land() does not come back */
}

void out_of_memory(void)
{
	if (landing)
		out_of_memory_land("out of memory");
	fputs("coalesce: error: out of memory\n", stderr);
	exit(EXIT_INPUT);
}

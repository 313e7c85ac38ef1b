/*
 * What the program knows of the terminals that it writes to: their widths, and progress on stderr.
 *
 * Progress is shown by a timer's signal, so that nothing that runs has to know of it. The handler only writes; system
 * calls that it interrupts are restarted.
 */
#include "cli/say/say.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#define WIDTH_MOST 100
#define WIDTH_LEAST 60
#define PROGRESS_WIDTH 60

/* ---- width ---------------------------------------------------------------------------- */

unsigned cli_terminal_width(int descriptor)
{
	struct winsize size;
	if (!isatty(descriptor) || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
	    size.ws_col > WIDTH_MOST)
		return WIDTH_MOST;
	return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col;
}

unsigned cli_stderr_width(void)
{
	return isatty(STDERR_FILENO) ? cli_terminal_width(STDERR_FILENO) : 0;
}

/* ---- progress --------------------------------------------------------------------------- */

static struct {
	char what[PROGRESS_WIDTH];
	volatile sig_atomic_t seconds;
} progress;

static void progress_write(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
	(void)ignored;
}

static void progress_tick(int signal)
{
	char number[] = "    0 s ";
	(void)signal;
	progress.seconds++;
	for (int place = 4, rest = progress.seconds; place >= 0 && rest > 0; place--, rest /= 10)
		number[place] = (char)('0' + rest % 10);
	progress_write("\r");
	progress_write(progress.what);
	progress_write(number);
}

static void timer_set(long seconds)
{
	struct itimerval every = {{seconds, 0}, {seconds, 0}};
	setitimer(ITIMER_REAL, &every, NULL);
}

void cli_progress_begin(const char *what, bool quiet)
{
	struct sigaction action = {.sa_handler = progress_tick, .sa_flags = SA_RESTART};
	if (quiet || !isatty(STDERR_FILENO))
		return;
	snprintf(progress.what, sizeof progress.what, "%s", what);
	progress.seconds = 0;
	sigaction(SIGALRM, &action, NULL);
	timer_set(1);
}

void cli_progress_say(const char *what)
{
	sigset_t alarm, before;
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, &before);
	snprintf(progress.what, sizeof progress.what, "%-*s", PROGRESS_WIDTH - 1, what);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cli_progress_end(void)
{
	timer_set(0);
	if (progress.seconds > 0)
		progress_write("\r\x1b[K");
	progress.seconds = 0;
}

/*
 * libclang reports crashes and unreadable databases on stderr by itself; what there is to say about them, diagnostics
 * say.
 */
#include "analyzer/front/front.h"

#include <fcntl.h>
#include <unistd.h>

int front_silence(void)
{
	int saved = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

	fflush(stderr);
	if (saved >= 0 && nothing >= 0)
		dup2(nothing, STDERR_FILENO);
	if (nothing >= 0)
		close(nothing);
	return saved;
}

void front_unsilence(int saved)
{
	fflush(stderr);
	if (saved < 0)
		return;
	dup2(saved, STDERR_FILENO);
	close(saved);
}

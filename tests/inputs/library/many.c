/*
 * Predicts a file many times in one process, with a refused option each time. Prints how much the resident memory has
 * grown since the first tenth, in KiB.
 */
#include <coalesce.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long resident_kib(void)
{
	FILE *stream = fopen("/proc/self/statm", "r");
	long pages = 0;
	if (!stream || fscanf(stream, "%*d %ld", &pages) != 1)
		pages = 0;
	if (stream)
		fclose(stream);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int predict_once(const char *path)
{
	struct coalesce_request *request = coalesce_request_create(path);
	int refused = coalesce_request_option(request, "machine", "no such machine") == COALESCE_USAGE;
	struct coalesce_prediction *prediction = coalesce_predict(request);
	int good = coalesce_prediction_status(prediction) == COALESCE_OK && coalesce_view(prediction, "json", NULL);
	coalesce_prediction_free(prediction);
	coalesce_request_free(request);
	return refused && good;
}

int main(int count, char **arguments)
{
	long rounds = count == 3 ? strtol(arguments[2], NULL, 10) : 0, before = 0;
	for (long i = 0; i < rounds; i++) {
		if (!predict_once(arguments[1]))
			return 1;
		if (i == rounds / 10)
			before = resident_kib();
	}
	printf("%ld\n", resident_kib() - before);
	return rounds < 10;
}

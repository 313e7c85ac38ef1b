/*
 * Asks libcoalesce which layout the records of a CUDA file should have, for the GPUs named on the command line.
 *
 *     cc example.c $(pkg-config --cflags --libs coalesce) -o example
 *     ./example nbody.cu h200 a100
 */
#include <coalesce.h>

#include <stdio.h>

static void messages_print(const struct coalesce_prediction *prediction)
{
	struct coalesce_message message;
	for (size_t i = 0; coalesce_message(prediction, i, &message, sizeof message) == COALESCE_OK; i++)
		if (message.severity == COALESCE_ERROR)
			fprintf(stderr, "%s:%u: %s\n", message.file ? message.file : "error", message.line,
			        message.text);
}

static void kernel_print(const struct coalesce_prediction *prediction, size_t index)
{
	struct coalesce_kernel kernel;
	struct coalesce_layout layout;
	struct coalesce_verdict verdict;
	coalesce_kernel(prediction, index, &kernel, sizeof kernel);
	printf("  kernel %s, %u x %u threads\n", kernel.name, kernel.grid[0], kernel.block[0]);
	for (size_t i = 0; coalesce_layout(prediction, index, i, &layout, sizeof layout) == COALESCE_OK; i++)
		printf("    %-10s %12.3f us, limited by %s\n", layout.layout, layout.time_us, layout.bound);
	for (size_t i = 0; coalesce_verdict(prediction, index, i, &verdict, sizeof verdict) == COALESCE_OK; i++)
		printf("    record %s: %s, %.2f times as fast as %s (confidence %s)\n", verdict.record,
		       verdict.recommended, verdict.ratio, verdict.compared_with, verdict.confidence);
}

/* Returns whether there is a verdict. */
static int predict_for(const char *file, const char *machine)
{
	struct coalesce_request *request = coalesce_request_create(file);
	struct coalesce_prediction *prediction = NULL;
	enum coalesce_status status = coalesce_request_option(request, "machine", machine);
	if (status == COALESCE_OK) {
		prediction = coalesce_predict(request);
		status = coalesce_prediction_status(prediction);
	} else {
		fprintf(stderr, "error: %s\n", coalesce_request_error(request));
	}
	messages_print(prediction);
	if (status == COALESCE_OK)
		printf("%s for %s\n", file, machine);
	for (size_t k = 0; k < coalesce_kernel_count(prediction); k++)
		kernel_print(prediction, k);
	coalesce_prediction_free(prediction);
	coalesce_request_free(request);
	return status == COALESCE_OK;
}

int main(int count, char **arguments)
{
	int good = count > 2;
	if (!good)
		fprintf(stderr, "usage: %s FILE.cu MACHINE...\n", arguments[0]);
	for (int i = 2; i < count; i++)
		good = predict_for(arguments[1], arguments[i]) && good;
	return good ? 0 : 1;
}

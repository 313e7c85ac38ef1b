/*
 * What libcoalesce says to wrong use, and of a text that lies in no file; each check names itself when it fails. The caller sees that nothing else is printed.
 */
#include <coalesce.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failed;

static void check(int condition, const char *what)
{
	if (condition)
		return;
	printf("wrong: %s\n", what);
	failed = 1;
}

static const char source[] = "struct body { float x, y, z, mass; };\n"
			     "__global__ void drift(struct body *bodies, int count)\n"
			     "{\n"
			     "	int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
			     "	if (i < count)\n"
			     "		bodies[i].x += STEP * bodies[i].mass;\n"
			     "}\n"
			     "void run(struct body *bodies) { drift<<<4096, 256>>>(bodies, 4096 * 256); }\n";

static void try_requests(struct coalesce_request *request)
{
	check(coalesce_request_option(request, "machine", "h200") == COALESCE_OK, "a good option");
	check(strcmp(coalesce_request_error(request), "") == 0, "no error after a good option");
	check(coalesce_request_option(request, "mashine", "h200") == COALESCE_USAGE, "an unknown option");
	check(strstr(coalesce_request_error(request), "mashine") != NULL, "the unknown option is named");
	check(coalesce_request_option(request, "grid", "many") == COALESCE_USAGE, "a bad value");
	check(coalesce_request_option(request, "layouts", "aos,soap") == COALESCE_USAGE, "an unknown layout");
	check(coalesce_request_option(request, "machine", "abacus") == COALESCE_USAGE, "an unknown machine");
	check(coalesce_request_option(request, "model", "crystal ball") == COALESCE_USAGE, "an unknown model");
	check(coalesce_request_option(request, "compiler", "cc") == COALESCE_USAGE, "an unknown compiler");
	check(coalesce_request_option(request, "tile", "33") == COALESCE_USAGE, "no tile");
	check(strstr(coalesce_request_error(request), "tile takes") && !strstr(coalesce_request_error(request), "--"),
	      "names have no dashes");
	check(coalesce_request_flag(request, "-UA$(touch x)") == COALESCE_USAGE, "a flag that no compiler takes so");
	check(coalesce_request_option(request, "html", "page.html") == COALESCE_USAGE, "an option of the program's output");
	check(coalesce_request_flag(request, "--json") == COALESCE_USAGE, "an option is no flag");
	check(coalesce_request_flag(request, "file.cu") == COALESCE_USAGE, "a path is no flag");
	check(coalesce_request_option(request, NULL, NULL) == COALESCE_USAGE, "NULL for a name");
	check(coalesce_request_flag(request, "-DSTEP=0.5f") == COALESCE_OK, "a flag");
	check(coalesce_request_text(request, "a\0b", 3) == COALESCE_USAGE, "a text with a zero");
	check(coalesce_request_text(request, source, sizeof source - 1) == COALESCE_OK, "a text");
}

static void try_failures(void)
{
	struct coalesce_request *request = coalesce_request_create("nowhere/missing.cu");
	struct coalesce_prediction *prediction = coalesce_predict(request);
	struct coalesce_message message;
	struct coalesce_kernel kernel;
	check(coalesce_prediction_status(prediction) == COALESCE_INPUT, "a missing file");
	check(coalesce_message_count(prediction) > 0, "a missing file has a message");
	check(coalesce_message(prediction, 0, &message, sizeof message) == COALESCE_OK && message.severity == COALESCE_ERROR &&
	              strcmp(message.file, "nowhere/missing.cu") == 0,
	      "the message names the file");
	check(coalesce_kernel_count(prediction) == 0, "no kernels");
	check(coalesce_kernel(prediction, COALESCE_PROGRAM, &kernel, sizeof kernel) == COALESCE_USAGE, "no program");
	check(coalesce_view(prediction, "json", NULL) == NULL, "no view");
	coalesce_prediction_free(prediction);
	coalesce_request_free(request);
	check(coalesce_predict(NULL) == NULL && coalesce_prediction_status(NULL) == COALESCE_MEMORY, "NULL for handles");
	coalesce_prediction_free(NULL);
	coalesce_request_free(NULL);
}

static void try_structures(struct coalesce_prediction *prediction)
{
	struct {
		struct coalesce_kernel face;
		char later[16];
	} kernel;
	const char *name_alone = NULL;
	struct coalesce_layout layout;
	struct coalesce_verdict verdict;
	memset(&kernel, 7, sizeof kernel);
	check(coalesce_kernel(prediction, 0, &kernel.face, sizeof kernel) == COALESCE_OK, "a kernel");
	check(strcmp(kernel.face.name, "drift") == 0 && kernel.face.line == 2 && kernel.face.grid[0] == 4096 &&
	              kernel.face.block[0] == 256 && kernel.face.launches == 1,
	      "what stands in it");
	check(kernel.later[0] == 0 && kernel.later[15] == 0, "members of a later version are zero");
	check(coalesce_kernel(prediction, 0, (struct coalesce_kernel *)(void *)&name_alone, sizeof name_alone) == COALESCE_OK &&
	              strcmp(name_alone, "drift") == 0,
	      "a caller of an earlier version");
	check(coalesce_kernel(prediction, 1, &kernel.face, sizeof kernel.face) == COALESCE_USAGE, "no second kernel");
	check(coalesce_layout(prediction, 0, kernel.face.layout_count, &layout, sizeof layout) == COALESCE_USAGE, "no such layout");
	for (size_t i = 0; i < kernel.face.layout_count; i++) {
		check(coalesce_layout(prediction, 0, i, &layout, sizeof layout) == COALESCE_OK && layout.time_us > 0 &&
		              layout.load_sectors > 0 && strcmp(layout.record, "body") == 0,
		      "a layout");
	}
	check(coalesce_verdict(prediction, 0, 0, &verdict, sizeof verdict) == COALESCE_OK && strcmp(verdict.written, "aos") == 0 &&
	              verdict.ratio > 1 && verdict.why && *verdict.why,
	      "a verdict");
	check(coalesce_layout(prediction, COALESCE_PROGRAM, 0, &layout, sizeof layout) == COALESCE_OK && layout.time_us > 0 &&
	              isnan(layout.occupancy) && layout.bound == NULL,
	      "a layout of the program");
	check(coalesce_verdict(prediction, COALESCE_PROGRAM, 0, &verdict, sizeof verdict) == COALESCE_OK,
	      "a verdict of the program");
}

int main(void)
{
	static const char *const views[] = {"json", "table", "explain", "ncu", "sarif", "dot", "html"};
	struct coalesce_request *request = coalesce_request_create("drift.cu");
	check(coalesce_api() == COALESCE_API, "the library's number is the header's");
	check(coalesce_version()[0] >= '0' && strcmp(coalesce_status_name(COALESCE_TOOL_MISSING), "tool missing") == 0, "names");
	try_requests(request);
	struct coalesce_prediction *prediction = coalesce_predict(request);
	coalesce_request_free(request);
	check(coalesce_prediction_status(prediction) == COALESCE_OK, "a text is predicted");
	try_structures(prediction);
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		size_t length = 0;
		const char *text = coalesce_view(prediction, views[i], &length);
		check(text && length > 0 && strlen(text) == length && text == coalesce_view(prediction, views[i], NULL), views[i]);
	}
	check(coalesce_view(prediction, "opera", NULL) == NULL, "an unknown view");
	coalesce_prediction_free(prediction);
	try_failures();
	return failed;
}

/*
 * The prediction of a request, and what was said meanwhile.
 */
#include "library/library.h"
#include "model/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

const char *coalesce_version(void)
{
	return COALESCE_VERSION;
}

unsigned coalesce_api(void)
{
	return COALESCE_API;
}

const char *coalesce_status_name(enum coalesce_status status)
{
	switch (status) {
	case COALESCE_OK:
		return "ok";
	case COALESCE_INPUT:
		return "input";
	case COALESCE_USAGE:
		return "usage";
	case COALESCE_TOOL_MISSING:
		return "tool missing";
	case COALESCE_BUG:
		return "bug";
	case COALESCE_MEMORY:
		return "memory";
	}
	return "unknown";
}

/* ---- predicting ---------------------------------------------------------------------------- */

struct library_work {
	const struct coalesce_request *request;
	struct coalesce_prediction *prediction;
};

/* The prediction with what its assumptions matter; NULL where there is none. */
static const struct prediction *predict_all(struct coalesce_prediction *own, const struct predict_options *options,
                                            enum exit_code *code)
{
	struct prediction *made = predict(own->arena, options, STAGE_ESTIMATE, &own->diagnostics, code);
	const struct sweep_request request = {.first = made, .options = options, .jobs = 1};
	if (made)
		sweep_influences(own->arena, &request, made);
	return made;
}

static void work_do(void *context)
{
	const struct library_work *work = context;
	struct coalesce_prediction *own = work->prediction;
	struct predict_options options = {0};
	enum exit_code code = EXIT_USAGE;
	own->arena = arena_create();
	diagnostics_init(&own->diagnostics, own->arena);
	cli_messages_keep(&own->diagnostics);
	if (library_request_read(own->arena, work->request, &own->line, &options))
		own->result = predict_all(own, &options, &code);
	own->status = own->result ? COALESCE_OK : (enum coalesce_status)code;
	if (own->result)
		library_facts(own);
}

struct coalesce_prediction *coalesce_predict(const struct coalesce_request *request)
{
	struct coalesce_prediction *own = request ? calloc(1, sizeof *own) : NULL;
	struct library_work work = {request, own};
	if (!own)
		return NULL;
	enum coalesce_status status = library_run(work_do, &work, &own->failure);
	if (status != COALESCE_OK) {
		own->status = status;
		own->result = NULL;
		own->kernel_count = 0;
	}
	return own;
}

void coalesce_prediction_free(struct coalesce_prediction *prediction)
{
	if (!prediction)
		return;
	arena_release(prediction->arena);
	free(prediction);
}

enum coalesce_status coalesce_prediction_status(const struct coalesce_prediction *prediction)
{
	return prediction ? prediction->status : COALESCE_MEMORY;
}

/* ---- messages ------------------------------------------------------------------------------ */

/* A failure is the last message. */
size_t coalesce_message_count(const struct coalesce_prediction *prediction)
{
	return prediction ? prediction->diagnostics.count + (prediction->failure.text[0] != '\0') : 0;
}

static const enum coalesce_severity severities[] = {[SEVERITY_REMARK] = COALESCE_NOTE,
                                                    [SEVERITY_NOTE] = COALESCE_NOTE,
                                                    [SEVERITY_WARNING] = COALESCE_WARNING,
                                                    [SEVERITY_ERROR] = COALESCE_ERROR};

enum coalesce_status coalesce_message(const struct coalesce_prediction *prediction, size_t index,
                                      struct coalesce_message *message, size_t size)
{
	struct coalesce_message own = {.severity = COALESCE_ERROR};
	if (!message || index >= coalesce_message_count(prediction))
		return COALESCE_USAGE;
	if (index < prediction->diagnostics.count) {
		const struct diagnostic *one = &prediction->diagnostics.list[index];
		own = (struct coalesce_message){severities[one->severity], one->place.line, one->place.column,
		                                one->place.file, one->message};
	} else {
		own.text = prediction->failure.text;
	}
	library_copy(message, size, &own, sizeof own);
	return COALESCE_OK;
}

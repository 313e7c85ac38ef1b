/*
 * Plain JSON, read quickly: whatever the quick reader takes is what the library makes of the same text, value for
 * value.
 */
#include "base/json/json.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	json_error_t error;

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	json_t *own = json_text_read(text, size, NULL),
	       *wanted = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
	if (own && (!wanted || !json_equal(own, wanted))) {
		fprintf(stderr, "the library reads: %s\n", wanted ? "something else" : error.text);
		abort();
	}
	json_decref(own);
	json_decref(wanted);
	free(text);
	return 0;
}

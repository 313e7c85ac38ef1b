/*
 * Expressions: folding and normal forms keep the value, for every string of bytes. (Whole files go through libclang;
 * tests/e2e/analyzer_robust.py throws those at the program.)
 */
#include "tests/host_oracle/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *wrong = expression_check(data, size < 400 ? size : 400);

	if (wrong) {
		fprintf(stderr, "%s\n", wrong);
		abort();
	}
	return 0;
}

/*
 * Random numbers: splitmix64, which gives equal numbers on every machine.
 */
#include "mutants.h"

static uint64_t state;

static uint64_t chance_next(void)
{
	state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = state;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void chance_begin(uint64_t seed)
{
	state = seed * UINT64_C(0x2545f4914f6cdd1d);
}

unsigned chance_below(size_t bound)
{
	return bound ? (unsigned)(chance_next() % bound) : 0;
}

unsigned chance_changes(void)
{
	unsigned changes = 1;
	while (changes < 6 && chance_below(2))
		changes++;
	return changes;
}

const char *chance_number(void)
{
	static const char *const numbers[] = {"0",
	                                      "-1",
	                                      "1",
	                                      "2",
	                                      "3",
	                                      "33",
	                                      "1025",
	                                      "65536",
	                                      "2147483647",
	                                      "2147483648",
	                                      "4294967296",
	                                      "9223372036854775807",
	                                      "18446744073709551615",
	                                      "18446744073709551616",
	                                      "-9223372036854775808",
	                                      "1e308",
	                                      "1e400",
	                                      "-1e400",
	                                      "1e-400",
	                                      "5e-324",
	                                      "0.5",
	                                      "-0.0",
	                                      "1e30",
	                                      "07",
	                                      "0x",
	                                      "1 << 40",
	                                      "1.5f",
	                                      "nan",
	                                      "inf"};
	return numbers[chance_below(ARRAY_COUNT(numbers))];
}

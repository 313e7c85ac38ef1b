/*
 * The file of what copies bring to the host, which the stand-in for the CUDA runtime writes and the comparison reads:
 * of each copy this head, then its rows without gaps.
 */
#ifndef COALESCE_MODEL_OBSERVE_COPIES_H
#define COALESCE_MODEL_OBSERVE_COPIES_H

#include <stdint.h>

#define COPIES_BYTES_MOST ((uint64_t)256 << 20)
struct copies_head {
	uint64_t to, pitch, width, height; /* address on the host; bytes; rows */
};

#endif

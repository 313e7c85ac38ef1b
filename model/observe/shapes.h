/*
 * Shapes of arrays in device memory, which the comparison writes and the stand-in for the CUDA runtime reads, line by
 * line:
 *
 *   kernel NUMBER NAME                mangled; launches of these are counted
 *   whole ARGUMENT PARAMETER          each pointer in the argument leads to plain memory
 *   field ARGUMENT AT PARAMETER FIELD INNER SHIFT TILE_BYTES OFFSET STRIDE SIZE
 *
 * Behind the pointer at byte AT of a field's argument lies a member of records. Its element e lies at
 * (e >> SHIFT) * TILE_BYTES + OFFSET + (e & (1 << SHIFT) - 1) * STRIDE.
 *
 * The stand-in answers with the lines "LAUNCH KERNEL PARAMETER AT FIELD INNER LAST SUM ELEMENTS" and "variable NAME SUM
 * BYTES". AT is 0 for members; LAST is 1 for what memory holds when it is freed or the program ends. Where one key is
 * asked for (COALESCE_MEMORY_SHOWN), it writes the scalars themselves instead.
 */
#ifndef COALESCE_MODEL_OBSERVE_SHAPES_H
#define COALESCE_MODEL_OBSERVE_SHAPES_H

#include <inttypes.h>

#define SHAPES_NAME_MOST 4000
#define SHAPES_NO_FIELD UINT16_MAX /* plain memory: elements are bytes */

#define SHAPES_KERNEL_READ "kernel %u %4000s"
#define SHAPES_KERNEL "kernel %u %s\n"
#define SHAPES_WHOLE "whole %u %u\n"
#define SHAPES_FIELD "field %u %u %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n"
#define SHAPES_KEY "%" PRIu64 " %u %u %u %u %u %u"
#define SHAPES_VARIABLE "variable %s"

#endif

/* Fat binaries as nvcc puts them uncompressed into a program: entries of PTX and machine code, one after another. The
 * stand-in reads this header, too. */
#ifndef COALESCE_MODEL_OBSERVE_FATBIN_H
#define COALESCE_MODEL_OBSERVE_FATBIN_H

#include <stdint.h>

#define FATBIN_MAGIC 0xBA55ED50u
#define FATBIN_PTX 1
#define FATBIN_ELF 2

struct fatbin_header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes;
};
struct fatbin_entry {
	uint16_t kind, version;
	uint32_t header_bytes;
	uint64_t bytes;
};

#endif

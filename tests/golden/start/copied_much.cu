/* args: --start program */
/* More is copied than stays: a comes from DRAM, and b, which the host sets, does not. */
#define COUNT (1 << 21)
#include "copied.cu"

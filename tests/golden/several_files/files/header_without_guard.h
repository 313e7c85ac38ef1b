#define COUNT 4096
#define TWICE(x) \
	((x) + (x)) /* in a comment
	that goes on */
typedef struct row {
	float a, b;
} row;
static __device__ float twice(float x) { return TWICE(x); }

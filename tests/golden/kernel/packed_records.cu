// Packed records keep their layout: by a pragma, by an attribute, a member alone, one inside another, and one whose members are all aligned.
#pragma pack(push, 1)
struct by_pragma { char tag; float v; double w; };
#pragma pack(pop)
#pragma pack(push, 2)
struct by_two { char tag; float v; };
#pragma pack(pop)
struct __attribute__((packed)) by_attribute { char tag; float v; };
struct one_member { char tag; float v __attribute__((packed)); };
struct outer { by_attribute inner[2]; float w; };
struct __attribute__((packed)) aligned_members { float x, y; };
struct __attribute__((packed, aligned(4))) aligned_again { float x, y; };
struct __attribute__((packed)) aligned_inside { char tag; __align__(8) float v; float w; };
struct __attribute__((packed)) bytes { char a, b, c; };
__global__ void k(by_pragma *a, by_two *b, by_attribute *c, one_member *d, outer *e, aligned_members *f, aligned_again *g, aligned_inside *h, bytes *s, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i].v = b[i].v + c[i].v + d[i].v + e[i].inner[1].v + e[i].w + f[i].y + g[i].y + h[i].w + s[i].b;
}

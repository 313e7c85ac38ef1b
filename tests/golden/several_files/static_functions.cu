/* Host and device functions of one name, a macro and a static variable that two files have each for itself. */
struct quote { float strike, rate; };
void price(quote *, int);
#define real double
static int calls = 1;
static float discount(real r, int n) { return n / (1 + r); }
int main()
{
	quote *d;

	cudaMalloc(&d, 4096 * calls * sizeof(quote));
	price(d, 4096);
	cudaDeviceSynchronize();
	return discount(0, calls) != 1;
}

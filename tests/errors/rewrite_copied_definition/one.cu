struct row { float x, y; };
void fill(row *d, int n);
int main()
{
	row *d;
	cudaMalloc(&d, 4096 * sizeof(row));
	fill(d, 4096);
}

void run(int n);
int twice(n)
int n;
{
	return 2 * n;
}
int main() { run(4096); return 0; }

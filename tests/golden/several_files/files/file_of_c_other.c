int thrice(n)
int n;
{
	int class = 3;
	return class * n;
}

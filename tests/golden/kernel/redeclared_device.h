unsigned long hash(unsigned long seed);
struct counter {
	int next(int by);
	int now;
};

// Flags found by helper functions that look at strings character by character.
#include <cstdlib>
#include <cstring>
__global__ void k(float *a, int n, int m) { a[threadIdx.x] = n + m; }
static int skip(char delimiter, const char *text) {
	int start = 0;
	while (text[start] == delimiter)
		start++;
	return start >= (int)strlen(text) - 1 ? 0 : start;
}
static bool check_flag(const int argc, const char **argv, const char *name) {
	bool found = false;
	for (int i = 1; i < argc; i++) {
		const char *text = &argv[i][skip('-', argv[i])], *equal = strchr(text, '=');
		int length = (int)(equal == 0 ? strlen(text) : equal - text);
		if (length == (int)strlen(name) && !strncasecmp(text, name, length)) {
			found = true;
			continue;
		}
	}
	return found;
}
static int flag_value(const int argc, const char **argv, const char *name) {
	int value = -1;
	for (int i = 1; i < argc; i++) {
		const char *text = &argv[i][skip('-', argv[i])];
		int length = (int)strlen(name);
		if (!strncasecmp(text, name, length))
			value = length + 1 <= (int)strlen(text) ? atoi(&text[length + (text[length] == '=')]) : 0;
	}
	return value;
}
int main(int argc, char **argv) {
	dim3 size(320, 640);
	if (check_flag(argc, (const char **)argv, "help"))
		exit(EXIT_SUCCESS);
	if (check_flag(argc, (const char **)argv, "width"))
		size.x = flag_value(argc, (const char **)argv, "width");
	if (check_flag(argc, (const char **)argv, "height"))
		size.y = flag_value(argc, (const char **)argv, "height");
	if (size.x % 32) {
		exit(EXIT_FAILURE);
	}
	k<<<dim3(size.x / 32, size.y / 32), dim3(32, 32)>>>(nullptr, size.x, size.y);
}

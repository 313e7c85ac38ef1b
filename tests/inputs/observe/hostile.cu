// New processes, sockets, signals to others, owners of files and files outside of the program's folder are refused; files beside it are not.
// launch: refused 31x1x1 32x1x1 0 1
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
__global__ void refused(int *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
static bool writes(const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	bool written = file >= 0 && write(file, "x", 1) == 1;
	if (file >= 0)
		close(file);
	return written;
}
int main()
{
	int *x, bits = 0;
	char outside[4096];
	snprintf(outside, sizeof outside, "%s/coalesce-observe-outside", getenv("HOME") ? getenv("HOME") : "");
	for (int i = 0; i < 1000; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		if (child > 0)
			return 2;
	}
	bits |= 1;
	bits |= socket(AF_INET, SOCK_STREAM, 0) < 0 ? 2 : 0;
	bits |= kill(getppid(), 0) < 0 && kill(-1, 0) < 0 ? 4 : 0;
	bits |= !writes(outside) && !writes("/etc/coalesce-observe-outside") ? 8 : 0;
	bits |= writes("beside.txt") && chmod("/tmp", 0777) < 0 && system("true") != 0 ? 16 : 0;
	cudaMalloc(&x, 1 << 20);
	refused<<<bits, 32>>>(x);
	return cudaDeviceSynchronize();
}

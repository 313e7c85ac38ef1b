/*
 * A small stand-in for the toolkit's headers and the C++ library's: what the programs of the tests use, declared. Mutants are read with it, since reading the real ones
 * takes most of the time; nothing is compiled with it.
 */
#pragma GCC system_header
#define CUDART_VERSION 13000
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define NULL 0
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#define INT_MAX 2147483647
#define FLT_MAX 3.402823466e+38f
#define INFINITY __builtin_inff()
#define RAND_MAX 2147483647
#define M_PI 3.14159265358979323846
#define assert(x) ((void)0)
#define CUDA_BOTH __attribute__((host)) __attribute__((device))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;
typedef unsigned char uchar;

#define VECTOR1(T, N) struct N##1 { T x; };
#define VECTOR2(T, N, A) struct __attribute__((aligned(A))) N##2 { T x, y; }; CUDA_BOTH N##2 make_##N##2(T x, T y);
#define VECTOR3(T, N) struct N##3 { T x, y, z; }; CUDA_BOTH N##3 make_##N##3(T x, T y, T z);
#define VECTOR4(T, N, A) struct __attribute__((aligned(A))) N##4 { T x, y, z, w; }; CUDA_BOTH N##4 make_##N##4(T x, T y, T z, T w);
#define VECTORS(T, N, A) VECTOR1(T, N) VECTOR2(T, N, 2 * A) VECTOR3(T, N) VECTOR4(T, N, (4 * A > 16 ? 16 : 4 * A))
VECTORS(char, char, 1)
VECTORS(unsigned char, uchar, 1)
VECTORS(short, short, 2)
VECTORS(unsigned short, ushort, 2)
VECTORS(int, int, 4)
VECTORS(unsigned, uint, 4)
VECTORS(long, long, 8)
VECTORS(long long, longlong, 8)
VECTORS(unsigned long long, ulonglong, 8)
VECTORS(float, float, 4)
VECTORS(double, double, 8)
struct dim3 {
	unsigned x, y, z;
	CUDA_BOTH dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
	CUDA_BOTH dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
typedef cudaError_t cudaError;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
struct cudaChannelFormatDesc { int x, y, z, w, f; };
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxThreadsPerBlock = 1 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1 };
struct cudaDeviceProp {
	char name[256];
	size_t totalGlobalMem, sharedMemPerBlock;
	int multiProcessorCount, maxThreadsPerBlock, maxThreadsPerMultiProcessor, warpSize, major, minor, clockRate, l2CacheSize, maxGridSize[3];
};

extern "C" {
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocHost(void **, size_t, unsigned = 0);
cudaError_t cudaMallocManaged(void **, size_t, unsigned = 1);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaHostAlloc(void **, size_t, unsigned);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaDeviceReset();
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
int printf(const char *, ...);
int fprintf(void *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int puts(const char *);
int sscanf(const char *, const char *, ...);
int fscanf(void *, const char *, ...);
void *fopen(const char *, const char *);
int fclose(void *);
size_t fread(void *, size_t, size_t, void *);
extern void *stderr, *stdout, *stdin;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void exit(int);
void abort();
int atoi(const char *);
long atol(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **);
int rand();
void srand(unsigned);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
size_t strlen(const char *);
char *strchr(const char *, int);
char *strstr(const char *, const char *);
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
long time(long *);
extern char *optarg;
extern int optind;
int getopt(int, char *const *, const char *);
struct option { const char *name; int has_arg, *flag, val; };
int getopt_long(int, char *const *, const char *, const option *, int *);
}
#define required_argument 1
#define no_argument 0
template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> cudaError_t cudaMallocHost(T **, size_t, unsigned = 0);
template <class T> cudaError_t cudaMallocManaged(T **, size_t, unsigned = 1);
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <class T> cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T> cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T> cudaError_t cudaLaunchKernel(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <class T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T, size_t = 0, int = 0);
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache);

#define FLOATING1(name) CUDA_BOTH double name(double); CUDA_BOTH float name(float); CUDA_BOTH float name##f(float);
#define FLOATING2(name) CUDA_BOTH double name(double, double); CUDA_BOTH float name(float, float); CUDA_BOTH float name##f(float, float);
FLOATING1(sqrt) FLOATING1(exp) FLOATING1(log) FLOATING1(log2) FLOATING1(sin) FLOATING1(cos) FLOATING1(tan) FLOATING1(tanh) FLOATING1(fabs)
FLOATING1(floor) FLOATING1(ceil) FLOATING1(round) FLOATING1(rsqrt) FLOATING1(cbrt) FLOATING1(erf) FLOATING1(erfc) FLOATING1(exp2) FLOATING1(log10) FLOATING1(acos) FLOATING1(atan) FLOATING1(rint)
FLOATING2(pow) FLOATING2(fmax) FLOATING2(fmin) FLOATING2(atan2) FLOATING2(fmod) FLOATING2(hypot)
CUDA_BOTH float fmaf(float, float, float);
CUDA_BOTH double fma(double, double, double);
CUDA_BOTH int abs(int);
CUDA_BOTH void sincosf(float, float *, float *);
__attribute__((device)) int min(int, int);
__attribute__((device)) unsigned min(unsigned, unsigned);
__attribute__((device)) float min(float, float);
__attribute__((device)) int max(int, int);
__attribute__((device)) unsigned max(unsigned, unsigned);
__attribute__((device)) float max(float, float);
#define INTRINSIC template <class T> __attribute__((device))
__attribute__((device)) void __syncthreads();
__attribute__((device)) void __syncwarp(unsigned = 0xffffffff);
__attribute__((device)) void __threadfence();
INTRINSIC T __shfl_sync(unsigned, T, int, int = 32);
INTRINSIC T __shfl_down_sync(unsigned, T, unsigned, int = 32);
INTRINSIC T __shfl_up_sync(unsigned, T, unsigned, int = 32);
INTRINSIC T __shfl_xor_sync(unsigned, T, int, int = 32);
__attribute__((device)) unsigned __ballot_sync(unsigned, int);
__attribute__((device)) int __popc(unsigned);
__attribute__((device)) int __clz(int);
__attribute__((device)) int __ffs(int);
__attribute__((device)) float __expf(float);
__attribute__((device)) float __logf(float);
__attribute__((device)) float __cosf(float);
__attribute__((device)) float __sinf(float);
__attribute__((device)) float __powf(float, float);
__attribute__((device)) float __fdividef(float, float);
__attribute__((device)) float __fsqrt_rn(float);
__attribute__((device)) int __float_as_int(float);
__attribute__((device)) float __int_as_float(int);
__attribute__((device)) float __saturatef(float);
__attribute__((device)) int __mul24(int, int);
INTRINSIC T __ldg(const T *);
INTRINSIC T __ldcg(const T *);
INTRINSIC T __ldcs(const T *);
INTRINSIC T atomicAdd(T *, T);
INTRINSIC T atomicSub(T *, T);
INTRINSIC T atomicMin(T *, T);
INTRINSIC T atomicMax(T *, T);
INTRINSIC T atomicOr(T *, T);
INTRINSIC T atomicAnd(T *, T);
INTRINSIC T atomicXor(T *, T);
INTRINSIC T atomicExch(T *, T);
INTRINSIC T atomicCAS(T *, T, T);

namespace std {
using ::size_t; using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t; using ::uint8_t;
using ::atoi; using ::atof; using ::strtol; using ::strtoul; using ::exit; using ::malloc; using ::free; using ::rand; using ::printf; using ::strcmp; using ::memcpy;
using ::sqrt; using ::exp; using ::log; using ::sin; using ::cos; using ::fabs; using ::pow; using ::fmax; using ::fmin; using ::floor; using ::ceil;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> typename remove_reference<T>::type &&move(T &&t);
template <class T> T &&forward(typename remove_reference<T>::type &t);
template <class T> void swap(T &, T &);
template <class T, class U = T> T exchange(T &, U &&);
template <class T> const T &min(const T &, const T &);
template <class T> const T &max(const T &, const T &);
template <class A, class B> struct pair { A first; B second; };
template <class T, size_t N> struct array {
	T items[N];
	T &operator[](size_t i) { return items[i]; }
	const T &operator[](size_t i) const { return items[i]; }
	size_t size() const { return N; }
	T *data() { return items; }
};
template <class T> struct allocator { };
template <class T, class A = allocator<T>> class vector {
public:
	vector();
	explicit vector(size_t);
	vector(size_t, const T &);
	vector(const vector &);
	vector &operator=(const vector &);
	~vector();
	T &operator[](size_t);
	const T &operator[](size_t) const;
	T &at(size_t);
	size_t size() const;
	bool empty() const;
	T *data();
	const T *data() const;
	T *begin();
	T *end();
	const T *begin() const;
	const T *end() const;
	T &back();
	T &front();
	void push_back(const T &);
	template <class... U> T &emplace_back(U &&...);
	void resize(size_t);
	void reserve(size_t);
	void clear();
};
class string {
public:
	static const size_t npos = -1;
	string();
	string(const char *);
	string(const string &);
	string &operator=(const string &);
	~string();
	size_t size() const;
	size_t length() const;
	size_t find(char, size_t = 0) const;
	size_t find(const char *, size_t = 0) const;
	string substr(size_t = 0, size_t = npos) const;
	const char *c_str() const;
	bool empty() const;
	char &operator[](size_t);
	string &operator+=(const string &);
};
bool operator==(const string &, const string &);
bool operator==(const string &, const char *);
bool operator!=(const string &, const char *);
string operator+(const string &, const string &);
string operator+(const string &, const char *);
string operator+(const char *, const string &);
string to_string(int);
int stoi(const string &, size_t * = nullptr, int = 10);
long stol(const string &, size_t * = nullptr, int = 10);
unsigned long stoul(const string &, size_t * = nullptr, int = 10);
float stof(const string &, size_t * = nullptr);
double stod(const string &, size_t * = nullptr);
struct ostream {
	template <class T> ostream &operator<<(const T &);
	ostream &operator<<(ostream &(*)(ostream &));
};
ostream &endl(ostream &);
extern ostream cout, cerr;
struct ifstream {
	explicit ifstream(const char *);
	explicit ifstream(const string &);
	template <class T> ifstream &operator>>(T &);
	explicit operator bool() const;
};
struct exception {
	exception();
	virtual ~exception();
	virtual const char *what() const;
};
struct runtime_error : exception { runtime_error(const string &); };
struct invalid_argument : exception { invalid_argument(const string &); };
template <class T> class unique_ptr {
	T *held;

public:
	unique_ptr(T * = nullptr);
	template <class U> unique_ptr(unique_ptr<U> &&);
	~unique_ptr();
	T *operator->() const { return held; }
	T &operator*() const { return *held; }
	T *get() const { return held; }
	void reset(T * = nullptr);
};
template <class T, class... A> unique_ptr<T> make_unique(A &&...a) { return unique_ptr<T>(new T(forward<A>(a)...)); }
template <class F> class function;
template <class R, class... A> class function<R(A...)> {
public:
	template <class F> function(F);
	R operator()(A...) const;
};
namespace chrono {
struct duration { double count() const; };
struct time_point { };
duration operator-(time_point, time_point);
struct high_resolution_clock { static time_point now(); };
struct steady_clock { static time_point now(); };
}
}
void *operator new(size_t, void *) noexcept;

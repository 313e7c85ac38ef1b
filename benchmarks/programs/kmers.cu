/*
 * Short read processing: k-mer counting in an open addressing table, k-mer
 * support per read, and banded affine-gap alignment against the reference.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cstdint>
#include <vector>

#define K              21
#define READ_WORDS     8          /* 16 bases per 32-bit word */
#define READ_MAX       (READ_WORDS * 16)
#define KMER_MASK      ((1ULL << (2 * K)) - 1)
#define SLOT_EMPTY     0xFFFFFFFFFFFFFFFFULL
#define LOG_SLOTS      22
#define N_SLOTS        (1u << LOG_SLOTS)
#define SPECTRUM       256
#define HALF_BAND      7
#define BAND           (2 * HALF_BAND + 1)
#define MATCH          2
#define MISMATCH       (-3)
#define GAP_OPEN       5
#define GAP_EXT        1
#define NEG_INF        (-10000)

#define CUDA_SAFE(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \
    fprintf(stderr, "Error %s at %s:%d\n", cudaGetErrorString(e), __FILE__, __LINE__); exit(-1); } } while (0)

typedef unsigned long long u64;

typedef struct {
    uint32_t bases[READ_WORDS];
    uint16_t length;
    uint8_t  mapq, strand;
    int32_t  position;     /* approximate origin on the reference */
    int32_t  id;
} Read;
typedef struct {
    u64 kmer;
    unsigned int count;
    int first_read;
} KmerSlot;
typedef struct {
    short h, e, f;
    unsigned char op;      /* 1 diagonal, 2 gap in reference, 3 gap in read */
    unsigned char base;
} Cell;
typedef struct {
    int score;
    int end_offset;
    short matches, mismatches, insertions, deletions;
} Alignment;
typedef struct {
    float mean_count;
    unsigned short weak;   /* k-mers seen once or twice */
    unsigned short total;
} Support;

#define BASE_AT(r, i) (((r)->bases[(i) >> 4] >> (((i) & 15) * 2)) & 3u)

__device__ unsigned int kmer_hash(u64 x) {
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185ULL;
    x ^= x >> 27;
    x *= 0x81dadef4bc2dd44dULL;
    x ^= x >> 33;
    return (unsigned int)x & (N_SLOTS - 1);
}

/* shift one base into the k-mer and its reverse complement, return the smaller one */
__device__ u64 roll_kmer(u64 &fwd, u64 &rev, u64 b) {
    fwd = ((fwd << 2) | b) & KMER_MASK;
    rev = (rev >> 2) | ((3ULL - b) << (2 * (K - 1)));
    return fwd < rev ? fwd : rev;
}

__global__ void reset_slots(KmerSlot *slots) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N_SLOTS) {
        slots[i].kmer = SLOT_EMPTY;
        slots[i].count = 0;
        slots[i].first_read = 0x7fffffff;
    }
}

__global__ void count_kmers(const Read *reads, int n_reads, KmerSlot *slots) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n_reads) return;
    const Read *rd = &reads[r];
    u64 fwd = 0, rev = 0;
    for (int i = 0; i < rd->length; i++) {
        u64 key = roll_kmer(fwd, rev, BASE_AT(rd, i));
        if (i < K - 1) continue;
        unsigned int s = kmer_hash(key);
        for (unsigned int tries = 0; tries < N_SLOTS; tries++) {
            u64 old = atomicCAS(&slots[s].kmer, SLOT_EMPTY, key);
            if (old == SLOT_EMPTY || old == key) {
                atomicAdd(&slots[s].count, 1u);
                atomicMin(&slots[s].first_read, rd->id);
                break;
            }
            s = (s + 1) & (N_SLOTS - 1);
        }
    }
}

__global__ void kmer_spectrum(const KmerSlot *slots, unsigned int *spectrum) {
    __shared__ unsigned int bins[SPECTRUM];
    for (int b = threadIdx.x; b < SPECTRUM; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < N_SLOTS; i += gridDim.x * blockDim.x)
        if (slots[i].kmer != SLOT_EMPTY)
            atomicAdd(&bins[min(slots[i].count, SPECTRUM - 1u)], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < SPECTRUM; b += blockDim.x)
        if (bins[b]) atomicAdd(&spectrum[b], bins[b]);
}

__global__ void read_support(const Read *reads, int n_reads, const KmerSlot *slots, Support *support) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n_reads) return;
    u64 fwd = 0, rev = 0; unsigned int sum = 0;
    Support out = {0.f, 0, 0};
    for (int i = 0; i < reads[r].length; i++) {
        u64 key = roll_kmer(fwd, rev, BASE_AT(&reads[r], i));
        if (i < K - 1) continue;
        unsigned int s = kmer_hash(key), c = 0;
        while (slots[s].kmer != SLOT_EMPTY) {
            if (slots[s].kmer == key) { c = slots[s].count; break; }
            s = (s + 1) & (N_SLOTS - 1);
        }
        sum += c;
        out.total++;
        if (c <= 2) out.weak++;
    }
    out.mean_count = out.total ? (float)sum / out.total : 0.f;
    support[r] = out;
}

/* Column j of the band is reference offset i + j (the window starts HALF_BAND
 * before the read position).  Free end gaps on the reference. */
__global__ void banded_align(const Read *reads, int n_reads, const unsigned char *ref, int ref_len,
                             Cell *cells, Alignment *aln) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n_reads) return;
    const Read *rd = &reads[r];
    Cell *my = cells + (size_t)r * READ_MAX * BAND;
    int start = rd->position - HALF_BAND, len = rd->length;
    for (int i = 0; i < len; i++) {
        unsigned int q = BASE_AT(rd, i);
        const Cell *up = my + max(i - 1, 0) * BAND;     /* only used for i > 0 */
        Cell left = {NEG_INF, NEG_INF, NEG_INF, 0, 0};
        for (int j = 0; j < BAND; j++) {
            int g = start + i + j;
            unsigned int t = (g >= 0 && g < ref_len) ? ref[g] : 4u;
            int diag = i > 0 ? up[j].h : 0;
            int e = NEG_INF;                            /* from above: read base against gap */
            if (i > 0 && j + 1 < BAND)
                e = max(up[j + 1].h - GAP_OPEN, up[j + 1].e - GAP_EXT);
            int f = max(left.h - GAP_OPEN, left.f - GAP_EXT);
            int h = diag + (q == t ? MATCH : MISMATCH);
            Cell c;
            c.op = 1;
            if (e > h) { h = e; c.op = 2; }
            if (f > h) { h = f; c.op = 3; }
            c.h = (short)max(h, NEG_INF); c.e = (short)max(e, NEG_INF); c.f = (short)max(f, NEG_INF);
            c.base = (unsigned char)t;
            my[i * BAND + j] = c;
            left = c;
        }
    }
    int best = NEG_INF * 2, where = 0;
    for (int j = 0; j < BAND; j++) {
        int h = my[(len - 1) * BAND + j].h;
        if (h > best) { best = h; where = j; }
    }
    Alignment a = {best, where, 0, 0, 0, 0};
    aln[r] = a;
}

__global__ void traceback(const Read *reads, int n_reads, const Cell *cells, Alignment *aln) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n_reads) return;
    const Cell *my = cells + (size_t)r * READ_MAX * BAND;
    Alignment a = aln[r];
    int i = reads[r].length - 1, j = a.end_offset;
    while (i >= 0 && j >= 0 && j < BAND) {
        Cell c = my[i * BAND + j];
        if (c.op == 1) {
            if (c.base == BASE_AT(&reads[r], i)) a.matches++; else a.mismatches++;
            i--;
        }
        else if (c.op == 2) { a.insertions++; i--; j++; }
        else { a.deletions++; j--; }
    }
    aln[r] = a;
}

static uint64_t rs = 1234567;
static uint32_t rnd() { rs = rs * 6364136223846793005ULL + 1ULL; return (uint32_t)(rs >> 32); }

int main() {
    const int ref_len = 300000, n_reads = 60000, n_align = 30000, runs = 5;
    std::vector<unsigned char> ref(ref_len);
    for (auto &b : ref) b = rnd() & 3;
    std::vector<Read> reads(n_reads);
    for (int r = 0; r < n_reads; r++) {
        Read &rd = reads[r];
        memset(&rd, 0, sizeof(rd));
        rd.length = (uint16_t)(100 + rnd() % (READ_MAX - 100 + 1));
        rd.position = rnd() % (ref_len - 2 * READ_MAX);
        rd.id = r; rd.mapq = rnd() % 60;
        int g = rd.position;
        for (int i = 0; i < rd.length; i++) {
            uint32_t roll = rnd() % 2000;
            uint32_t b = ref[g];
            if (roll < 10) b = (b + 1 + rnd() % 3) & 3;      /* substitution */
            else if (roll < 12) g++;                         /* deletion */
            else if (roll < 14) g--;                         /* insertion */
            rd.bases[i >> 4] |= b << ((i & 15) * 2);
            g++;
        }
        rd.position += (int)(rnd() % 5) - 2;
    }
    Read *d_reads; KmerSlot *d_slots; unsigned int *d_spec; Support *d_sup;
    unsigned char *d_ref; Cell *d_cells; Alignment *d_aln;
    CUDA_SAFE(cudaMalloc(&d_reads, n_reads * sizeof(Read)));
    CUDA_SAFE(cudaMalloc(&d_slots, (size_t)N_SLOTS * sizeof(KmerSlot)));
    CUDA_SAFE(cudaMalloc(&d_spec, SPECTRUM * sizeof(unsigned int)));
    CUDA_SAFE(cudaMalloc(&d_sup, n_reads * sizeof(Support)));
    CUDA_SAFE(cudaMalloc(&d_ref, ref_len));
    CUDA_SAFE(cudaMalloc(&d_cells, (size_t)n_align * READ_MAX * BAND * sizeof(Cell)));
    CUDA_SAFE(cudaMalloc(&d_aln, n_align * sizeof(Alignment)));
    CUDA_SAFE(cudaMemcpy(d_reads, reads.data(), n_reads * sizeof(Read), cudaMemcpyHostToDevice));
    CUDA_SAFE(cudaMemcpy(d_ref, ref.data(), ref_len, cudaMemcpyHostToDevice));
    for (int it = 0; it < runs; it++) {
        CUDA_SAFE(cudaMemset(d_spec, 0, SPECTRUM * sizeof(unsigned int)));
        reset_slots<<<N_SLOTS / 256, 256>>>(d_slots);
        count_kmers<<<(n_reads + 127) / 128, 128>>>(d_reads, n_reads, d_slots);
        kmer_spectrum<<<528, 256>>>(d_slots, d_spec);
        read_support<<<(n_reads + 127) / 128, 128>>>(d_reads, n_reads, d_slots, d_sup);
        banded_align<<<(n_align + 63) / 64, 64>>>(d_reads, n_align, d_ref, ref_len, d_cells, d_aln);
        traceback<<<(n_align + 63) / 64, 64>>>(d_reads, n_align, d_cells, d_aln);
        CUDA_SAFE(cudaGetLastError());
    }
    CUDA_SAFE(cudaDeviceSynchronize());
    std::vector<unsigned int> spec(SPECTRUM);
    std::vector<Support> sup(n_reads);
    std::vector<Alignment> aln(n_align);
    CUDA_SAFE(cudaMemcpy(spec.data(), d_spec, SPECTRUM * sizeof(unsigned int), cudaMemcpyDeviceToHost));
    CUDA_SAFE(cudaMemcpy(sup.data(), d_sup, n_reads * sizeof(Support), cudaMemcpyDeviceToHost));
    CUDA_SAFE(cudaMemcpy(aln.data(), d_aln, n_align * sizeof(Alignment), cudaMemcpyDeviceToHost));
    long long distinct = 0, weak = 0, score = 0, match = 0, gaps = 0;
    for (unsigned int c : spec) distinct += c;
    for (auto &s : sup) weak += s.weak;
    for (auto &a : aln) { score += a.score; match += a.matches; gaps += a.insertions + a.deletions; }
    printf("distinct %lld weak %lld score %lld matches %lld gaps %lld\n", distinct, weak, score, match, gaps);
    cudaFree(d_reads); cudaFree(d_slots); cudaFree(d_spec); cudaFree(d_sup);
    cudaFree(d_ref); cudaFree(d_cells); cudaFree(d_aln);
    return 0;
}

// Batched Kalman filter: one thread per track, constant velocity model.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda_runtime.h>

#define NX 4
#define NZ 2

#define CUCHK(x)                                                           \
    {                                                                      \
        cudaError_t _e = (x);                                              \
        if (_e != cudaSuccess) {                                           \
            fprintf(stderr, "cuda: %s (%d)\n", cudaGetErrorString(_e), __LINE__); \
            return 1;                                                      \
        }                                                                  \
    }

enum TrackStatus { TENTATIVE = 0, CONFIRMED = 1, LOST = 2 };

struct Track {
    float x[NX];            // px, py, vx, vy
    float P[NX][NX];
    float score;            // log likelihood ratio
    unsigned int id;
    int   hits, misses;
    unsigned char status;
};

struct Measurement {
    float z[NZ];
    float R[3];             // xx, xy, yy
    int   valid;
};

struct Truth {
    float px, py, vx, vy;
    float turnRate;
    unsigned int seed;
};

struct Summary {
    double errPos, errVel, nees;
    unsigned int confirmed, lost;
};

// ---- small fixed-size matrix helpers
template <int N, int M, int K>
__device__ inline void matmul(const float (&A)[N][M], const float (&B)[M][K], float (&C)[N][K])
{
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = 0; j < K; j++) {
            float s = 0.f;
#pragma unroll
            for (int k = 0; k < M; k++) s += A[i][k] * B[k][j];
            C[i][j] = s;
        }
}

template <int N, int M, int K>
__device__ inline void matmul_bt(const float (&A)[N][M], const float (&B)[K][M], float (&C)[N][K])
{
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = 0; j < K; j++) {
            float s = 0.f;
#pragma unroll
            for (int k = 0; k < M; k++) s += A[i][k] * B[j][k];
            C[i][j] = s;
        }
}

__device__ inline float uniform01(unsigned int& s)
{
    s ^= s << 13; s ^= s >> 17; s ^= s << 5;
    return ((s >> 8) + 0.5f) * (1.0f / 16777216.0f);
}

__device__ inline void gauss2(unsigned int& s, float& a, float& b)
{
    float r = sqrtf(-2.0f * logf(uniform01(s)));
    float t = 6.2831853f * uniform01(s);
    a = r * cosf(t);
    b = r * sinf(t);
}

// move the simulated targets and produce one radar-like measurement each
__global__ void simulate(Truth* truth, Measurement* meas, int n, float dt, float pd)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Truth t = truth[i];
    float c = cosf(t.turnRate * dt), s = sinf(t.turnRate * dt);
    float vx = c * t.vx - s * t.vy, vy = s * t.vx + c * t.vy;
    t.vx = vx; t.vy = vy;
    t.px += vx * dt;
    t.py += vy * dt;

    // range noise along the line of sight, bearing noise across it
    float range = sqrtf(t.px * t.px + t.py * t.py) + 1.0f;
    float ux = t.px / range, uy = t.py / range;
    float sr = 5.0f, sb = 0.002f * range + 1.0f;
    float g0, g1;
    gauss2(t.seed, g0, g1);
    Measurement m;
    m.z[0] = t.px + sr * g0 * ux - sb * g1 * uy;
    m.z[1] = t.py + sr * g0 * uy + sb * g1 * ux;
    m.R[0] = sr * sr * ux * ux + sb * sb * uy * uy + 0.1f;
    m.R[1] = (sr * sr - sb * sb) * ux * uy;
    m.R[2] = sr * sr * uy * uy + sb * sb * ux * ux + 0.1f;
    m.valid = uniform01(t.seed) < pd;
    truth[i] = t;
    meas[i] = m;
}

__global__ void predict(Track* tracks, int n, float dt, float q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Track& tr = tracks[i];
    if (tr.status == LOST) return;

    float F[NX][NX] = { { 1, 0, dt, 0 }, { 0, 1, 0, dt }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } };
    float P[NX][NX], FP[NX][NX], out[NX][NX];
    for (int a = 0; a < NX; a++)
        for (int b = 0; b < NX; b++) P[a][b] = tr.P[a][b];
    matmul(F, P, FP);
    matmul_bt(FP, F, out);

    float q11 = q * dt * dt * dt / 3.0f, q12 = q * dt * dt / 2.0f, q22 = q * dt;
    out[0][0] += q11; out[1][1] += q11;
    out[2][2] += q22; out[3][3] += q22;
    out[0][2] += q12; out[2][0] += q12;
    out[1][3] += q12; out[3][1] += q12;

    tr.x[0] += dt * tr.x[2];
    tr.x[1] += dt * tr.x[3];
    for (int a = 0; a < NX; a++)
        for (int b = 0; b < NX; b++) tr.P[a][b] = out[a][b];
}

__global__ void update(Track* tracks, const Measurement* meas, int n, float gate)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Track tr = tracks[i];
    if (tr.status == LOST) return;

    bool used = false;
    if (meas[i].valid) {
        float r0 = meas[i].R[0], r1 = meas[i].R[1], r2 = meas[i].R[2];
        float y0 = meas[i].z[0] - tr.x[0], y1 = meas[i].z[1] - tr.x[1];
        float s00 = tr.P[0][0] + r0, s01 = tr.P[0][1] + r1, s11 = tr.P[1][1] + r2;
        float det = s00 * s11 - s01 * s01;
        float id = 1.0f / det;
        float Si[NZ][NZ] = { { s11 * id, -s01 * id }, { -s01 * id, s00 * id } };
        float d2 = y0 * (Si[0][0] * y0 + Si[0][1] * y1) + y1 * (Si[1][0] * y0 + Si[1][1] * y1);
        if (d2 < gate) {
            used = true;
            float PHt[NX][NZ], K[NX][NZ];
            for (int a = 0; a < NX; a++) { PHt[a][0] = tr.P[a][0]; PHt[a][1] = tr.P[a][1]; }
            matmul(PHt, Si, K);
            for (int a = 0; a < NX; a++) tr.x[a] += K[a][0] * y0 + K[a][1] * y1;

            // Joseph form: (I-KH) P (I-KH)^T + K R K^T
            float A[NX][NX], AP[NX][NX], Pn[NX][NX];
            for (int a = 0; a < NX; a++)
                for (int b = 0; b < NX; b++) A[a][b] = (a == b ? 1.0f : 0.0f) - (b < NZ ? K[a][b] : 0.0f);
            matmul(A, tr.P, AP);
            matmul_bt(AP, A, Pn);
            float R[NZ][NZ] = { { r0, r1 }, { r1, r2 } }, KR[NX][NZ], KRK[NX][NX];
            matmul(K, R, KR);
            matmul_bt(KR, K, KRK);
            for (int a = 0; a < NX; a++)
                for (int b = 0; b < NX; b++) tr.P[a][b] = Pn[a][b] + KRK[a][b];
            tr.score += 2.0f - 0.5f * d2 - 0.1f * logf(det);
        }
    }
    if (used) {
        tr.hits++;
        tr.misses = 0;
        if (tr.hits >= 3) tr.status = CONFIRMED;
    } else {
        tr.misses++;
        tr.score -= 1.0f;
        if (tr.misses > 4) tr.status = LOST;
    }
    tracks[i] = tr;
}

__global__ void evaluate(const Track* tracks, const Truth* truth, int n, Summary* sum)
{
    __shared__ float sp[256], sv[256], sn[256];
    __shared__ unsigned int nconf, nlost;
    int t = threadIdx.x;
    if (t == 0) nconf = nlost = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + t;
    float ep = 0.f, ev = 0.f, nees = 0.f;
    if (i < n) {
        const Track& tr = tracks[i];
        if (tr.status == LOST) atomicAdd(&nlost, 1u);
        else {
            if (tr.status == CONFIRMED) atomicAdd(&nconf, 1u);
            float dx = tr.x[0] - truth[i].px, dy = tr.x[1] - truth[i].py;
            float du = tr.x[2] - truth[i].vx, dv = tr.x[3] - truth[i].vy;
            ep = dx * dx + dy * dy;
            ev = du * du + dv * dv;
            float det = tr.P[0][0] * tr.P[1][1] - tr.P[0][1] * tr.P[1][0];
            nees = (tr.P[1][1] * dx * dx - 2.0f * tr.P[0][1] * dx * dy + tr.P[0][0] * dy * dy) / det;
        }
    }
    sp[t] = ep; sv[t] = ev; sn[t] = nees;
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (t < s) { sp[t] += sp[t + s]; sv[t] += sv[t + s]; sn[t] += sn[t + s]; }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(&sum->errPos, (double)sp[0]);
        atomicAdd(&sum->errVel, (double)sv[0]);
        atomicAdd(&sum->nees, (double)sn[0]);
        atomicAdd(&sum->confirmed, nconf);
        atomicAdd(&sum->lost, nlost);
    }
}

static float uni(float lo, float hi) { return lo + (hi - lo) * (rand() / (float)RAND_MAX); }

int main()
{
    const int n = 1500000, frames = 8, bs = 256, nb = (n + bs - 1) / bs;
    const float dt = 0.5f;
    srand(555);
    Track* tracks = (Track*)calloc(n, sizeof(Track));
    Truth* truth = (Truth*)malloc(n * sizeof(Truth));
    for (int i = 0; i < n; i++) {
        Truth* g = &truth[i];
        g->px = uni(-20000.f, 20000.f); g->py = uni(-20000.f, 20000.f);
        g->vx = uni(-150.f, 150.f);     g->vy = uni(-150.f, 150.f);
        g->turnRate = uni(-0.05f, 0.05f);
        g->seed = (unsigned int)i * 2654435761u + 12345u;
        if (g->seed == 0) g->seed = 1;
        Track* t = &tracks[i];
        t->x[0] = g->px + uni(-40.f, 40.f); t->x[1] = g->py + uni(-40.f, 40.f);
        t->x[2] = t->x[3] = 0.0f;
        t->P[0][0] = t->P[1][1] = 600.0f;
        t->P[2][2] = t->P[3][3] = 8000.0f;
        t->id = i + 1;
        t->status = TENTATIVE;
    }

    Track* dtracks; Truth* dtruth; Measurement* dmeas; Summary* dsum;
    CUCHK(cudaMalloc(&dtracks, n * sizeof(Track)));
    CUCHK(cudaMalloc(&dtruth, n * sizeof(Truth)));
    CUCHK(cudaMalloc(&dmeas, n * sizeof(Measurement)));
    CUCHK(cudaMalloc(&dsum, sizeof(Summary)));
    CUCHK(cudaMemcpy(dtracks, tracks, n * sizeof(Track), cudaMemcpyHostToDevice));
    CUCHK(cudaMemcpy(dtruth, truth, n * sizeof(Truth), cudaMemcpyHostToDevice));

    Summary s;
    for (int f = 0; f < frames; f++) {
        simulate<<<nb, bs>>>(dtruth, dmeas, n, dt, 0.9f);
        predict<<<nb, bs>>>(dtracks, n, dt, 10.0f);
        update<<<nb, bs>>>(dtracks, dmeas, n, 13.8f);
        CUCHK(cudaMemset(dsum, 0, sizeof(Summary)));
        evaluate<<<nb, bs>>>(dtracks, dtruth, n, dsum);
        CUCHK(cudaGetLastError());
        CUCHK(cudaMemcpy(&s, dsum, sizeof(Summary), cudaMemcpyDeviceToHost));
    }
    CUCHK(cudaMemcpy(tracks, dtracks, n * sizeof(Track), cudaMemcpyDeviceToHost));
    double score = 0;
    for (int i = 0; i < n; i++) score += tracks[i].score;
    printf("rms pos %.4f rms vel %.4f nees %.4f confirmed %u lost %u score %.3f\n",
           sqrt(s.errPos / (n - s.lost)), sqrt(s.errVel / (n - s.lost)), s.nees / (n - s.lost),
           s.confirmed, s.lost, score / n);
    cudaFree(dtracks); cudaFree(dtruth); cudaFree(dmeas); cudaFree(dsum);
    free(tracks); free(truth);
    return 0;
}

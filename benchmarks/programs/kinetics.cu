// Combustion-like chemical kinetics, one reactor per cell: 16 species plus
// temperature, Arrhenius rates, explicit RK4 and an embedded RK23 kernel,
// transport between neighbouring cells by operator splitting
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define HANDLE(err) (handleError(err, __FILE__, __LINE__))
static void handleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}

struct Species {
    double H2, O2, H2O, H, O, OH, HO2, H2O2;
    double CO, CO2, HCO, CH4, CH3, CH2O, N2, NO;
};

struct CellInfo {
    double T;          // K
    double pressure;   // atm
    double heat;       // heat release, arbitrary unit
    float  dtNext;     // suggested step
    int    steps, rejected;
    bool   ignited;
};

__device__ __forceinline__ double arrh(double A, double n, double Ea, double T, double logT)
{
    return A * exp(n * logT - Ea / (1.987 * T));
}

// y + a * x over all species
__device__ Species axpy(double a, const Species &x, const Species &y)
{
    Species r;
    r.H2 = y.H2 + a * x.H2;       r.O2 = y.O2 + a * x.O2;
    r.H2O = y.H2O + a * x.H2O;    r.H = y.H + a * x.H;
    r.O = y.O + a * x.O;          r.OH = y.OH + a * x.OH;
    r.HO2 = y.HO2 + a * x.HO2;    r.H2O2 = y.H2O2 + a * x.H2O2;
    r.CO = y.CO + a * x.CO;       r.CO2 = y.CO2 + a * x.CO2;
    r.HCO = y.HCO + a * x.HCO;    r.CH4 = y.CH4 + a * x.CH4;
    r.CH3 = y.CH3 + a * x.CH3;    r.CH2O = y.CH2O + a * x.CH2O;
    r.N2 = y.N2 + a * x.N2;       r.NO = y.NO + a * x.NO;
    return r;
}

struct Rates { double k[14]; };

__device__ void computeRates(double T, Rates &r)
{
    double lt = log(T / 1000.0);
    r.k[0] = arrh(8.0e3, -0.4, 16600.0, T, lt);     // H + O2 -> O + OH
    r.k[1] = arrh(6.0e3, 2.7, 6300.0, T, lt);       // O + H2 -> H + OH
    r.k[2] = arrh(9.0e3, 1.5, 3430.0, T, lt);       // OH + H2 -> H + H2O
    r.k[3] = arrh(5.0e3, 0.0, 0.0, T, lt);          // H + O2 (+M) -> HO2
    r.k[4] = arrh(7.0e3, 0.0, 300.0, T, lt);        // HO2 + H -> OH + OH
    r.k[5] = arrh(1.0e3, 0.0, -1600.0, T, lt);      // HO2 + HO2 -> H2O2 + O2
    r.k[6] = arrh(3.0e4, 0.0, 48000.0, T, lt);      // H2O2 -> OH + OH
    r.k[7] = arrh(4.0e2, 1.2, 70.0, T, lt);         // CO + OH -> CO2 + H
    r.k[8] = arrh(7.0e3, 2.0, 8700.0, T, lt);       // CH4 + H -> CH3 + H2
    r.k[9] = arrh(6.0e3, 1.6, 3100.0, T, lt);       // CH4 + OH -> CH3 + H2O
    r.k[10] = arrh(8.0e3, 0.0, 0.0, T, lt);         // CH3 + O -> CH2O + H
    r.k[11] = arrh(5.0e3, 1.2, -450.0, T, lt);      // CH2O + OH -> HCO + H2O
    r.k[12] = arrh(4.0e3, 0.0, 0.0, T, lt);         // HCO + O2 -> CO + HO2
    r.k[13] = arrh(2.0e2, 0.0, 38000.0, T, lt);     // N2 + O + O2/2 -> 2 NO
}

__device__ Species rhs(const Species &s, const Rates &r, double &q)
{
    double w0 = r.k[0] * s.H * s.O2;
    double w1 = r.k[1] * s.O * s.H2;
    double w2 = r.k[2] * s.OH * s.H2;
    double w3 = r.k[3] * s.H * s.O2 * (s.N2 + 10.0 * s.H2O);
    double w4 = r.k[4] * s.HO2 * s.H;
    double w5 = r.k[5] * s.HO2 * s.HO2;
    double w6 = r.k[6] * s.H2O2;
    double w7 = r.k[7] * s.CO * s.OH;
    double w8 = r.k[8] * s.CH4 * s.H;
    double w9 = r.k[9] * s.CH4 * s.OH;
    double w10 = r.k[10] * s.CH3 * s.O;
    double w11 = r.k[11] * s.CH2O * s.OH;
    double w12 = r.k[12] * s.HCO * s.O2;
    double w13 = r.k[13] * s.N2 * s.O;
    Species d;
    d.H2 = -w1 - w2 + w8;
    d.O2 = -w0 - w3 + w5 - w12 - 0.5 * w13;
    d.H2O = w2 + w9 + w11;
    d.H = -w0 + w1 + w2 - w3 - w4 + w7 - w8 + w10;
    d.O = w0 - w1 - w10 - w13;
    d.OH = w0 + w1 - w2 + 2.0 * w4 + 2.0 * w6 - w7 - w9 - w11;
    d.HO2 = w3 - w4 - 2.0 * w5 + w12;
    d.H2O2 = w5 - w6;
    d.CO = w12 - w7;
    d.CO2 = w7;
    d.HCO = w11 - w12;
    d.CH4 = -w8 - w9;
    d.CH3 = w8 + w9 - w10;
    d.CH2O = w10 - w11;
    d.N2 = -w13;
    d.NO = 2.0 * w13;
    q = 15.0 * w2 + 48.0 * w3 + 36.0 * w4 + 25.0 * w7 + 14.0 * w9 + 68.0 * w10 + 30.0 * w11 - 17.0 * w0;
    return d;
}

__device__ void clip(Species &s)
{
    double *p = &s.H2;
    for (int i = 0; i < (int)(sizeof(Species) / sizeof(double)); i++) p[i] = p[i] < 0.0 ? 0.0 : p[i];
}

__global__ void rk4Step(Species *y, CellInfo *info, int n, double dt, int sub)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id >= n) return;
    Species s = y[id];
    double T = info[id].T, heat = 0.0;
    for (int it = 0; it < sub; it++) {
        Rates r;
        computeRates(T, r);
        double q1, q2, q3, q4;
        Species k1 = rhs(s, r, q1);
        Species acc = axpy(dt / 6.0, k1, s);
        Species k2 = rhs(axpy(0.5 * dt, k1, s), r, q2);
        acc = axpy(dt / 3.0, k2, acc);
        Species k3 = rhs(axpy(0.5 * dt, k2, s), r, q3);
        acc = axpy(dt / 3.0, k3, acc);
        Species k4 = rhs(axpy(dt, k3, s), r, q4);
        s = axpy(dt / 6.0, k4, acc);
        clip(s);
        double q = dt * (q1 + 2.0 * q2 + 2.0 * q3 + q4) / 6.0;
        heat += q;
        T = fmin(T + 60.0 * q, 3000.0);
    }
    y[id] = s;
    info[id].T = T;
    info[id].heat += heat;
    info[id].steps += sub;
    if (T > 1800.0) info[id].ignited = true;
}

// Bogacki-Shampine 2(3), error from a few controlling radicals
__global__ void rk23Adaptive(Species *y, CellInfo *info, int n, double span, int maxSteps)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id >= n) return;
    Species s = y[id]; CellInfo ci = info[id];
    double t = 0.0, dt = ci.dtNext;
    Rates r;
    computeRates(ci.T, r);
    for (int it = 0; it < maxSteps && t < span; it++) {
        dt = fmin(dt, span - t);
        double q1, q2, q3, q4;
        Species k1 = rhs(s, r, q1);
        Species k2 = rhs(axpy(0.5 * dt, k1, s), r, q2);
        Species k3 = rhs(axpy(0.75 * dt, k2, s), r, q3);
        Species z = axpy(2.0 * dt / 9.0, k1, s);
        z = axpy(dt / 3.0, k2, z);
        z = axpy(4.0 * dt / 9.0, k3, z);
        Species k4 = rhs(z, r, q4);
        double eH = dt * (-5.0 / 72 * k1.H + k2.H / 12 + k3.H / 9 - k4.H / 8);
        double eOH = dt * (-5.0 / 72 * k1.OH + k2.OH / 12 + k3.OH / 9 - k4.OH / 8);
        double eO = dt * (-5.0 / 72 * k1.O + k2.O / 12 + k3.O / 9 - k4.O / 8);
        double err = (fabs(eH) + fabs(eOH) + fabs(eO)) / 1e-6;
        if (err <= 1.0 || dt < 1e-9) {
            s = z; clip(s);
            t += dt;
            double q = dt * (2.0 * q1 + 3.0 * q2 + 4.0 * q3) / 9.0;
            ci.heat += q;
            ci.T = fmin(ci.T + 60.0 * q, 3000.0);
            ci.steps++;
        } else { ci.rejected++; }
        dt *= fmin(2.0, fmax(0.3, 0.9 * cbrt(1.0 / fmax(err, 1e-10))));
    }
    ci.dtNext = (float)fmax(dt, 1e-8);
    y[id] = s;
    info[id] = ci;
}

// exchange of the light species and heat along x on the 2-D sheet of cells
__global__ void transport(const Species *__restrict__ in, const CellInfo *__restrict__ ci,
                          Species *__restrict__ out, double *Tout, int nx, int ny, double c)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x;
    int iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix >= nx || iy >= ny) return;
    int id = iy * nx + ix;
    int l = ix > 0 ? id - 1 : id, r = ix < nx - 1 ? id + 1 : id;
    Species s = in[id];
    s.H2 += 2.0 * c * (in[l].H2 - 2.0 * in[id].H2 + in[r].H2);
    s.H += 3.0 * c * (in[l].H - 2.0 * in[id].H + in[r].H);
    s.O += c * (in[l].O - 2.0 * in[id].O + in[r].O);
    s.OH += c * (in[l].OH - 2.0 * in[id].OH + in[r].OH);
    out[id] = s;
    Tout[id] = ci[id].T + c * (ci[l].T - 2.0 * ci[id].T + ci[r].T);
}

__global__ void storeT(CellInfo *info, const double *T, int n)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id < n) info[id].T = T[id];
}

int main()
{
    const int nx = 1024, ny = 512, n = nx * ny;
    Species *h = (Species *)calloc(n, sizeof(Species));
    CellInfo *hi = (CellInfo *)calloc(n, sizeof(CellInfo));
    srand(31415);
    for (int i = 0; i < n; i++) {
        double phi = 0.6 + 0.8 * rand() / RAND_MAX;
        double x = (i % nx) / (double)nx;
        h[i].CH4 = 0.06 * phi;  h[i].H2 = 0.04 * phi;
        h[i].O2 = 0.19;         h[i].N2 = 0.72;
        h[i].H = 1e-5 + 1e-4 * exp(-50.0 * (x - 0.5) * (x - 0.5));
        h[i].OH = 1e-6;         h[i].O = 1e-6;
        hi[i].T = 1000.0 + 400.0 * exp(-30.0 * (x - 0.5) * (x - 0.5)) + 50.0 * rand() / RAND_MAX;
        hi[i].pressure = 1.0;   hi[i].dtNext = 1e-5f;
    }
    Species *y, *y2; CellInfo *info; double *T;
    HANDLE(cudaMalloc(&y, n * sizeof(Species)));
    HANDLE(cudaMalloc(&y2, n * sizeof(Species)));
    HANDLE(cudaMalloc(&info, n * sizeof(CellInfo)));
    HANDLE(cudaMalloc(&T, n * sizeof(double)));
    HANDLE(cudaMemcpy(y, h, n * sizeof(Species), cudaMemcpyHostToDevice));
    HANDLE(cudaMemcpy(info, hi, n * sizeof(CellInfo), cudaMemcpyHostToDevice));

    dim3 tb(32, 4), tg(nx / 32, ny / 4);
    for (int step = 0; step < 6; step++) {
        rk4Step<<<(n + 127) / 128, 128>>>(y, info, n, 2.0e-5, 2);
        rk23Adaptive<<<(n + 63) / 64, 64>>>(y, info, n, 1.0e-4, 8);
        transport<<<tg, tb>>>(y, info, y2, T, nx, ny, 0.05);
        storeT<<<(n + 255) / 256, 256>>>(info, T, n);
        HANDLE(cudaGetLastError());
        Species *tmp = y; y = y2; y2 = tmp;
    }
    HANDLE(cudaMemcpy(h, y, n * sizeof(Species), cudaMemcpyDeviceToHost));
    HANDLE(cudaMemcpy(hi, info, n * sizeof(CellInfo), cudaMemcpyDeviceToHost));
    double w = 0, t = 0; long st = 0;
    for (int i = 0; i < n; i++) { w += h[i].H2O + h[i].CO2; t += hi[i].T; st += hi[i].steps; }
    printf("kinetics: products %.8e mean T %.5f steps %ld\n", w / n, t / n, st);
    cudaFree(y); cudaFree(y2); cudaFree(info); cudaFree(T);
    free(h); free(hi);
    return 0;
}

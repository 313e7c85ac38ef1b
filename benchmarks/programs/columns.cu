// columns.cu
// Single column physics: radiation (grey, two sweeps), convective adjustment,
// vertical diffusion (tridiagonal solve), saturation, precipitation.
// One thread handles one column and loops over the levels.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>

#define NLEV 48
#define CUDA_OK(stmt)                                                                               \
    if (cudaError_t rc = (stmt); rc != cudaSuccess) {                                               \
        std::fprintf(stderr, "%s -> %s (line %d)\n", #stmt, cudaGetErrorString(rc), __LINE__);      \
        std::exit(1);                                                                               \
    }

namespace phys {
constexpr float g = 9.81f;
constexpr float cp = 1004.0f;
constexpr float Rd = 287.0f;
constexpr float Lv = 2.5e6f;
constexpr float sigma = 5.67e-8f;
}

struct Level {
    float p;        // pressure, Pa
    float dp;       // layer thickness, Pa
    float z;        // height of mid level, m
    float T;        // temperature, K
    float qv;       // vapour
    float qc;       // cloud water
    float qr;       // rain
    float u, v;     // wind
    float tke, cloud;
    float heating;  // K/s
};

struct Surface {
    float  Ts, albedo, roughness, soilWater;
    double precip;      // accumulated, kg/m2
    float  fluxDown;
    int    landType;    // 0 sea, 1 land
};

__device__ inline float qsat(float T, float p)
{
    float es = 610.94f * expf(17.625f * (T - 273.15f) / (T - 30.11f));
    es = fminf(es, 0.5f * p);
    return 0.622f * es / (p - 0.378f * es);
}

__device__ inline float opticalDepth(const Level &l)
{
    return (0.12f * l.qv + 60.0f * l.qc * l.cloud + 2.0e-5f) * l.dp / phys::g;
}

__global__ void radiation(Level *levels, Surface *sfc, int ncol, float cosz)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= ncol) return;
    Level *L = levels + (size_t)col * NLEV;

    // level 0 is the top of the atmosphere; sweep down
    float down = 0.0f, sw = 1361.0f * cosz;
    for (int k = 0; k < NLEV; k++) {
        float trans = expf(-opticalDepth(L[k]));
        float T2 = L[k].T * L[k].T;
        float emit = phys::sigma * T2 * T2 * (1.0f - trans);
        float absSw = sw * (0.004f + 0.5f * L[k].cloud * (1.0f - expf(-30.0f * L[k].qc * L[k].dp / phys::g)) * 0.1f);
        float newDown = down * trans + emit;
        L[k].heating = (down - newDown + absSw) * phys::g / (phys::cp * L[k].dp);
        down = newDown;
        sw -= absSw;
    }
    sfc[col].fluxDown = down + sw * (1.0f - sfc[col].albedo);

    float up = phys::sigma * powf(sfc[col].Ts, 4.0f);
    for (int k = NLEV - 1; k >= 0; k--) {
        float trans = expf(-opticalDepth(L[k]));
        float T2 = L[k].T * L[k].T;
        float newUp = up * trans + phys::sigma * T2 * T2 * (1.0f - trans);
        L[k].heating += (up - newUp) * phys::g / (phys::cp * L[k].dp);
        up = newUp;
    }
}

__global__ void applyHeating(Level *levels, size_t n, float dt)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    float h = levels[i].heating * dt;
    levels[i].T += fminf(fmaxf(h, -2.0f), 2.0f);
}

__global__ void convectiveAdjust(Level *levels, int ncol)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= ncol) return;
    Level *L = &levels[(size_t)col * NLEV];
    const float crit = 0.0065f;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = NLEV - 1; k > 0; k--) {   // mix to the critical lapse rate
            float lapse = (L[k].T - L[k - 1].T) / fmaxf(L[k - 1].z - L[k].z, 1.0f);
            if (lapse > crit) {
                float dT = (lapse - crit) * (L[k - 1].z - L[k].z);
                float w = L[k].dp / (L[k].dp + L[k - 1].dp);
                L[k].T -= dT * (1.0f - w); L[k - 1].T += dT * w;
                float qm = w * L[k].qv + (1.0f - w) * L[k - 1].qv;
                L[k].qv = 0.8f * L[k].qv + 0.2f * qm;
                L[k - 1].qv = 0.8f * L[k - 1].qv + 0.2f * qm;
            }
        }
    }
}

// implicit diffusion of wind, Thomas algorithm with local work arrays
__global__ void diffuseWind(Level *levels, const Surface *__restrict__ sfc, int ncol, float dt)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= ncol) return;
    Level *L = levels + (size_t)col * NLEV;
    float cw[NLEV], du[NLEV], dv[NLEV];
    float kUp = 0.0f, cPrev = 0.0f, uPrev = 0.0f, vPrev = 0.0f;
    for (int k = 0; k < NLEV; k++) {
        float kDn = 0.0f;
        if (k < NLEV - 1) {
            float K = 0.1f + 20.0f * sqrtf(fmaxf(0.5f * (L[k].tke + L[k + 1].tke), 0.0f));
            float dz = L[k].z - L[k + 1].z;
            kDn = dt * K / (dz * dz);
        }
        float drag = 0.0f;
        if (k == NLEV - 1) {
            float cd = 0.4f / logf(fmaxf(L[k].z, 10.0f) / sfc[col].roughness);
            drag = dt * cd * cd * sqrtf(L[k].u * L[k].u + L[k].v * L[k].v) / fmaxf(L[k].z, 10.0f);
        }
        float m = 1.0f / (1.0f + kUp + kDn + drag - kUp * cPrev);
        cw[k] = kDn * m;
        du[k] = (L[k].u + kUp * uPrev) * m;
        dv[k] = (L[k].v + kUp * vPrev) * m;
        cPrev = cw[k]; uPrev = du[k]; vPrev = dv[k];
        kUp = kDn;
    }
    float un = 0.0f, vn = 0.0f;
    for (int k = NLEV - 1; k >= 0; k--) {
        float un1 = du[k] + cw[k] * un, vn1 = dv[k] + cw[k] * vn;
        if (k < NLEV - 1) {
            float dz = L[k].z - L[k + 1].z;
            float shear = ((un1 - un) * (un1 - un) + (vn1 - vn) * (vn1 - vn)) / (dz * dz);
            L[k].tke = fminf((L[k].tke + dt * 2.0f * shear) / (1.0f + dt * 2.0e-3f), 10.0f);
        }
        L[k].u = un = un1;
        L[k].v = vn = vn1;
    }
}

// pointwise saturation adjustment, cloud fraction and autoconversion
__global__ void microphysics(Level *levels, size_t n, float dt)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        Level &l = levels[i];
        float T = l.T, qv = l.qv, qc = l.qc, qs = qsat(T, l.p);
        float gam = phys::Lv * phys::Lv * qs / (phys::cp * 461.5f * T * T);
        float cond = (qv - qs) / (1.0f + gam);
        cond = fmaxf(cond, -qc);
        qv -= cond; qc += cond;
        T += phys::Lv / phys::cp * cond;
        l.cloud = fminf(fmaxf((qv / qs - 0.75f) * 4.0f, 0.0f), 1.0f);
        float autoc = fminf(1.0e-3f * fmaxf(qc - 3.0e-4f, 0.0f) * dt, qc);
        l.qr += autoc;
        l.qc = qc - autoc; l.qv = qv; l.T = T;
    }
}

__global__ void rainFall(Level *levels, Surface *sfc, int ncol, float dt)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= ncol) return;
    Level *L = levels + (size_t)col * NLEV;
    float flux = 0.0f;      // kg/m2 per step
    for (int k = 0; k < NLEV; k++) {
        float mass = L[k].dp / phys::g;
        float rho = L[k].p / (phys::Rd * L[k].T);
        float q = L[k].qr + flux / mass;
        float vt = 6.0f * powf(fmaxf(q * rho * 1000.0f, 1.0e-8f), 0.125f);
        float frac = fminf(vt * dt * rho / mass, 1.0f);
        flux = q * frac * mass;
        L[k].qr = q * (1.0f - frac);
    }
    sfc[col].precip += flux;
    if (sfc[col].landType == 1) {
        float net = sfc[col].fluxDown - phys::sigma * powf(sfc[col].Ts, 4.0f);
        sfc[col].Ts += dt * net / 2.0e5f;
        sfc[col].soilWater = fminf(sfc[col].soilWater + 0.001f * flux, 1.0f);
    }
}

int main()
{
    const int nx = 512, ny = 256, ncol = nx * ny;
    const size_t n = (size_t)ncol * NLEV;
    std::vector<Level> lev(n); std::vector<Surface> sfc(ncol);
    srand(2718);
    for (int c = 0; c < ncol; c++) {
        float lat = ((c / nx) + 0.5f) / ny * 3.14159f - 1.5708f;
        Surface s = {};
        s.Ts = 300.0f - 40.0f * sinf(lat) * sinf(lat);
        s.landType = rand() % 10 < 3;
        s.albedo = s.landType ? 0.25f : 0.07f; s.roughness = s.landType ? 0.1f : 0.0005f;
        sfc[c] = s;
        float pert = (rand() % 1000) / 1000.0f, wet = 0.5f + (rand() % 500) / 1000.0f;
        for (int k = 0; k < NLEV; k++) {
            Level &l = lev[(size_t)c * NLEV + k];
            l.dp = 100000.0f / NLEV; l.p = (k + 0.5f) * l.dp;
            l.z = -7400.0f * logf(l.p / 100500.0f);
            l.T = fmaxf(s.Ts - 0.0070f * l.z + pert, 205.0f);
            float es = 611.0f * expf(17.6f * (l.T - 273.15f) / (l.T - 30.0f));
            l.qv = wet * 0.622f * es / l.p * expf(-l.z / 9000.0f);
            l.qc = l.qr = l.cloud = l.heating = 0.0f;
            l.u = 5.0f + 0.002f * l.z * cosf(lat);
            l.v = 2.0f * pert - 1.0f; l.tke = 0.2f;
        }
    }

    Level *dLev; Surface *dSfc;
    CUDA_OK(cudaMalloc(&dLev, n * sizeof(Level)));
    CUDA_OK(cudaMalloc(&dSfc, ncol * sizeof(Surface)));
    CUDA_OK(cudaMemcpy(dLev, lev.data(), n * sizeof(Level), cudaMemcpyHostToDevice));
    CUDA_OK(cudaMemcpy(dSfc, sfc.data(), ncol * sizeof(Surface), cudaMemcpyHostToDevice));

    const float dt = 120.0f;
    const int tb = 128, gcol = (ncol + tb - 1) / tb, gpt = (int)((n + 255) / 256);
    for (int step = 0; step < 6; step++) {
        radiation<<<gcol, tb>>>(dLev, dSfc, ncol, 0.3f + 0.1f * step);
        applyHeating<<<gpt, 256>>>(dLev, n, dt);
        convectiveAdjust<<<gcol, tb>>>(dLev, ncol);
        diffuseWind<<<gcol, tb>>>(dLev, dSfc, ncol, dt);
        microphysics<<<2640, 256>>>(dLev, n, dt);
        rainFall<<<gcol, tb>>>(dLev, dSfc, ncol, dt);
        CUDA_OK(cudaGetLastError());
    }
    CUDA_OK(cudaMemcpy(lev.data(), dLev, n * sizeof(Level), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(sfc.data(), dSfc, ncol * sizeof(Surface), cudaMemcpyDeviceToHost));
    double t = 0, u = 0, pr = 0;
    for (size_t i = 0; i < n; i++) { t += lev[i].T; u += lev[i].u; }
    for (auto &s : sfc) pr += s.precip;
    printf("columns: mean T %.4f mean u %.4f precip %.6f\n", t / n, u / n, pr / ncol);
    cudaFree(dLev); cudaFree(dSfc);
    return 0;
}

// Star catalogue tools: proper motion propagation, equatorial -> galactic
// and ecliptic coordinates, photometric distance, cross-match between two
// catalogues (both sorted in declination bands).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define GPU_ASSERT(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}

const double PI = 3.14159265358979323846;
#define DEG2RAD 0.017453292519943295
#define MAS2RAD 4.84813681109536e-9

struct Vec3 {
    double x, y, z;
};
__device__ Vec3 operator+(const Vec3 &a, const Vec3 &b) { return Vec3{a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ Vec3 operator*(double s, const Vec3 &a) { return Vec3{s * a.x, s * a.y, s * a.z}; }
__device__ double dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Star {
    long long id;
    double ra, dec;           // rad
    double pmra, pmdec;       // mas / yr, pmra includes cos(dec)
    double parallax;          // mas
    double rv;                // km/s
    double gLon, gLat;        // galactic
    double eLon, eLat;        // ecliptic
    float  mag, color;
    float  absMag;
    int    flags;
};

struct Source {
    double ra, dec;
    float  flux;
    float  posErr;            // arcsec
    int    starIndex;         // result of match
    float  sep;               // arcsec
};

struct Band {
    int first, last;          // range of stars, [first, last)
    double decLo, decHi;
};

__constant__ double GAL[3][3] = {
    {-0.0548755604162154, -0.8734370902348850, -0.4838350155487132},
    { 0.4941094278755837, -0.4448296299600112,  0.7469822444972189},
    {-0.8676661490190047, -0.1980763734312015,  0.4559837761750669}};

__device__ Vec3 unitVector(double ra, double dec)
{
    double sr, cr, sd, cd;
    sincos(ra, &sr, &cr);
    sincos(dec, &sd, &cd);
    return Vec3{cd * cr, cd * sr, sd};
}

__device__ void toSpherical(const Vec3 &v, double *lon, double *lat)
{
    double l = atan2(v.y, v.x);
    *lon = l < 0.0 ? l + 2.0 * PI : l;
    *lat = atan2(v.z, sqrt(v.x * v.x + v.y * v.y));
}

// rigorous propagation of the position including perspective acceleration
__global__ void propagate(Star *stars, int n, double years)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    double ra = stars[i].ra, dec = stars[i].dec;
    double sr, cr, sd, cd;
    sincos(ra, &sr, &cr);
    sincos(dec, &sd, &cd);
    Vec3 r = {cd * cr, cd * sr, sd};
    Vec3 p = {-sr, cr, 0.0};
    Vec3 q = {-sd * cr, -sd * sr, cd};
    double plx = stars[i].parallax;
    double mur = stars[i].rv * plx / 4.740470446 * MAS2RAD;
    Vec3 mu = stars[i].pmra * MAS2RAD * p + stars[i].pmdec * MAS2RAD * q;
    Vec3 u = (1.0 + mur * years) * r + years * mu;
    double f = 1.0 / sqrt(dot(u, u));
    double newRa, newDec;
    toSpherical(f * u, &newRa, &newDec);
    stars[i].ra = newRa;
    stars[i].dec = newDec;
    stars[i].parallax = plx * f;
}

__global__ void galactic(Star *stars, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    Vec3 v = unitVector(stars[i].ra, stars[i].dec);
    Vec3 g;
    g.x = GAL[0][0] * v.x + GAL[0][1] * v.y + GAL[0][2] * v.z;
    g.y = GAL[1][0] * v.x + GAL[1][1] * v.y + GAL[1][2] * v.z;
    g.z = GAL[2][0] * v.x + GAL[2][1] * v.y + GAL[2][2] * v.z;
    toSpherical(g, &stars[i].gLon, &stars[i].gLat);
}

__global__ void ecliptic(Star *stars, int n, double eps)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    double se = sin(eps), ce = cos(eps);
    Vec3 v = unitVector(stars[i].ra, stars[i].dec);
    Vec3 e = {v.x, ce * v.y + se * v.z, -se * v.y + ce * v.z};
    double lon, lat;
    toSpherical(e, &lon, &lat);
    stars[i].eLon = lon;
    stars[i].eLat = lat;
}

__global__ void photometry(Star *stars, int n, float extinction)
{
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float plx = (float)stars[i].parallax;
        if (plx <= 0.05f) { stars[i].flags |= 1; continue; }
        float dist = 1000.0f / plx;
        float sb = fabsf(sinf((float)stars[i].gLat));
        float ag = extinction * dist * 0.001f / (1.0f + 8.0f * sb);
        float am = stars[i].mag - 5.0f * log10f(dist) + 5.0f - ag;
        stars[i].absMag = am;
        if (am > 4.0f * stars[i].color + 8.0f) stars[i].flags |= 2;   // white dwarf candidate
    }
}

// nearest star for each source, search through the own band and both neighbours
__global__ void crossMatch(const Star *__restrict__ stars, const Band *__restrict__ bands, int nBands,
                           Source *src, int nSrc, double radius)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= nSrc) return;
    double ra = src[i].ra, dec = src[i].dec;
    int b = (int)((dec + 0.5 * PI) / PI * nBands);
    b = max(0, min(nBands - 1, b));
    double best = radius * radius;
    int bestIdx = -1;
    for (int k = max(0, b - 1); k <= min(nBands - 1, b + 1); k++) {
        if (dec + radius < bands[k].decLo || dec - radius > bands[k].decHi) continue;
        double cd = cos(dec);
        double width = radius / fmax(cd, 1e-3);
        // stars of one band are sorted in ra: lower bound by bisection
        int lo = bands[k].first, hi = bands[k].last;
        double target = ra - width;
        while (lo < hi) {
            int mid = (lo + hi) >> 1;
            if (stars[mid].ra < target) lo = mid + 1;
            else hi = mid;
        }
        for (int j = lo; j < bands[k].last && stars[j].ra <= ra + width; j++) {
            double dd = stars[j].dec - dec;
            if (fabs(dd) > radius) continue;
            double dr = (stars[j].ra - ra) * cd;
            double d2 = dr * dr + dd * dd;
            if (d2 < best) { best = d2; bestIdx = j; }
        }
    }
    src[i].starIndex = bestIdx;
    src[i].sep = bestIdx >= 0 ? (float)(sqrt(best) / DEG2RAD * 3600.0) : -1.0f;
}

static unsigned long long rngState = 88172645463325252ULL;
static double uni()
{
    rngState ^= rngState << 13; rngState ^= rngState >> 7; rngState ^= rngState << 17;
    return (double)(rngState >> 11) / 9007199254740992.0;
}

int main()
{
    const int nBands = 1024, perBand = 1536, n = nBands * perBand, nSrc = 1000000;
    std::vector<Star> stars(n);
    std::vector<Band> bands(nBands);
    std::vector<double> ras(perBand);
    for (int b = 0; b < nBands; b++) {
        bands[b].first = b * perBand;
        bands[b].last = (b + 1) * perBand;
        bands[b].decLo = -0.5 * PI + PI * b / nBands;
        bands[b].decHi = -0.5 * PI + PI * (b + 1) / nBands;
        for (double &r : ras) r = 2.0 * PI * uni();
        std::sort(ras.begin(), ras.end());
        for (int k = 0; k < perBand; k++) {
            Star s = {};
            s.id = (long long)b * 100000 + k;
            s.ra = ras[k];
            s.dec = bands[b].decLo + (bands[b].decHi - bands[b].decLo) * uni();
            s.pmra = 40.0 * (uni() - 0.5);
            s.pmdec = 40.0 * (uni() - 0.5);
            s.parallax = 0.02 + 5.0 * uni() * uni();
            s.rv = 120.0 * (uni() - 0.5);
            s.mag = (float)(8.0 + 12.0 * uni());
            s.color = (float)(-0.2 + 2.5 * uni());
            stars[bands[b].first + k] = s;
        }
    }
    std::vector<Source> src(nSrc);
    for (auto &o : src) {
        o = Source{};
        const Star &s = stars[(int)(uni() * (n - 1))];
        double off = 3.0 / 3600.0 * DEG2RAD;
        o.ra = s.ra + off * (uni() - 0.5);
        o.dec = s.dec + off * (uni() - 0.5);
        o.flux = powf(10.0f, -0.4f * (s.mag - 20.0f));
        o.posErr = 1.0f;
        o.starIndex = -1;
    }

    Star *dStars; Band *dBands; Source *dSrc;
    GPU_ASSERT(cudaMalloc(&dStars, n * sizeof(Star)));
    GPU_ASSERT(cudaMalloc(&dBands, nBands * sizeof(Band)));
    GPU_ASSERT(cudaMalloc(&dSrc, nSrc * sizeof(Source)));
    GPU_ASSERT(cudaMemcpy(dStars, stars.data(), n * sizeof(Star), cudaMemcpyHostToDevice));
    GPU_ASSERT(cudaMemcpy(dBands, bands.data(), nBands * sizeof(Band), cudaMemcpyHostToDevice));
    GPU_ASSERT(cudaMemcpy(dSrc, src.data(), nSrc * sizeof(Source), cudaMemcpyHostToDevice));

    const int nt = 256, nb = (n + nt - 1) / nt;
    for (int it = 0; it < 6; it++) {
        // match before the stars move out of ra order by more than the radius
        crossMatch<<<(nSrc + 127) / 128, 128>>>(dStars, dBands, nBands, dSrc, nSrc, 20.0 / 3600.0 * DEG2RAD);
        propagate<<<nb, nt>>>(dStars, n, 0.5);
        galactic<<<nb, nt>>>(dStars, n);
        ecliptic<<<nb, nt>>>(dStars, n, 23.4392911 * DEG2RAD);
        photometry<<<1056, nt>>>(dStars, n, 0.7f);
        GPU_ASSERT(cudaGetLastError());
    }
    GPU_ASSERT(cudaDeviceSynchronize());
    GPU_ASSERT(cudaMemcpy(stars.data(), dStars, n * sizeof(Star), cudaMemcpyDeviceToHost));
    GPU_ASSERT(cudaMemcpy(src.data(), dSrc, nSrc * sizeof(Source), cudaMemcpyDeviceToHost));
    double sum = 0.0, sep = 0.0;
    int matched = 0, wd = 0;
    for (auto &s : stars) { sum += s.gLat * s.gLat + s.eLon; wd += (s.flags & 2) != 0; }
    for (auto &o : src) if (o.starIndex >= 0) { matched++; sep += o.sep; }
    printf("stars: %.6f matched %d mean sep %.5f wd %d\n", sum, matched, sep / std::max(matched, 1), wd);
    cudaFree(dStars); cudaFree(dBands); cudaFree(dSrc);
    return 0;
}

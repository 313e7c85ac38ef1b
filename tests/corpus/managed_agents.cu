// args: --agents 200000 --steps 50
#include <cstdio>
#include <cstring>
#include <cstdlib>
struct Agent { float x, y, heading, speed; int state; };
struct Settings { int agents = 1000, steps = 10; float width = 100.0f; };
static Settings parse(int argc, char **argv)
{
    Settings s;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--agents") == 0 && i + 1 < argc) s.agents = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--steps") && i + 1 < argc) s.steps = atoi(argv[++i]);
        else { fprintf(stderr, "unknown option %s\n", argv[i]); exit(1); }
    }
    return s;
}
__global__ void move(Agent *agents, int n, float width)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        Agent &a = agents[i];
        a.x += cosf(a.heading) * a.speed;
        a.y += sinf(a.heading) * a.speed;
        if (a.x > width) a.x -= width;
        if (a.y > width) a.y -= width;
        a.state = a.speed > 1 ? 1 : 0;
    }
}
int main(int argc, char **argv)
{
    Settings settings = parse(argc, argv);
    Agent *agents;
    cudaMallocManaged(&agents, settings.agents * sizeof(Agent));
    for (int i = 0; i < settings.agents; i++) {
        agents[i].x = agents[i].y = 0;
        agents[i].heading = i * 0.1f;
        agents[i].speed = 1;
        agents[i].state = 0;
    }
    int device = 0, sms = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaMemPrefetchAsync(agents, settings.agents * sizeof(Agent), cudaMemLocation{cudaMemLocationTypeDevice, device}, 0);
    for (int t = 0; t < settings.steps; t++) move<<<sms * 8, 256>>>(agents, settings.agents, settings.width);
    cudaDeviceSynchronize();
    printf("%f\n", agents[0].x);
    cudaFree(agents);
}

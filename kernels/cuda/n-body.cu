// Bodies that attract each other, every one all the others: the steps of a leapfrog.
//
//   kick(velocities, bodies, n, softening, dt)   velocities += dt * what all bodies pull
//   drift(bodies, velocities, n, dt)             bodies += dt * velocities
//
// bodies: n of (x, y, z, mass); velocities: n of (x, y, z, unused), which a kick with dt = 1 makes accelerations of where
// they are zero. softening > 0 keeps close pairs, and a body and itself, from dividing by zero. The gravitational constant
// is 1. Any n.
//
// Launch: blocks of BLOCK threads (256; -DBLOCK=), a grid of ceil(n / BLOCK). For speed compile with --ftz=true: without it
// each rsqrtf() has instructions around it for denormal numbers, which a softened distance never is.
//
// Tile by tile through shared memory, after Lars Nyland, Mark Harris and Jan Prins, "Fast N-Body Simulation with CUDA" (GPU
// Gems 3, chapter 31, 2007). A kick has n * n interactions, which are counted as 20 flops each, as they do it.

#ifndef BLOCK
#define BLOCK 256
#endif

extern "C" __global__ void __launch_bounds__(BLOCK)
kick(float4 *__restrict__ velocities, const float4 *__restrict__ bodies, int n, float softening, float dt)
{
  __shared__ float4 tile[BLOCK];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const float4 nobody = make_float4(0, 0, 0, 0); // without mass: it pulls nothing
  const float4 me = i < n ? bodies[i] : nobody;
  const float softened = softening * softening;

  float3 pull = make_float3(0, 0, 0);
  for (int begin = 0; begin < n; begin += BLOCK) {
    const int mine = begin + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : nobody;
    __syncthreads();
    #pragma unroll 16
    for (int j = 0; j < BLOCK; j++) {
      const float4 other = tile[j];
      const float x = other.x - me.x, y = other.y - me.y, z = other.z - me.z;
      const float inverse = rsqrtf(x * x + (y * y + (z * z + softened)));
      const float weight = other.w * inverse * (inverse * inverse);
      pull.x += x * weight;
      pull.y += y * weight;
      pull.z += z * weight;
    }
    __syncthreads();
  }
  if (i >= n) return;
  velocities[i].x += dt * pull.x;
  velocities[i].y += dt * pull.y;
  velocities[i].z += dt * pull.z;
}

extern "C" __global__ void drift(float4 *bodies, const float4 *velocities, int n, float dt)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 velocity = velocities[i];
  bodies[i].x += dt * velocity.x;
  bodies[i].y += dt * velocity.y;
  bodies[i].z += dt * velocity.z;
}

// Bodies that attract each other, every one all the others: the steps of a leapfrog.
//
//   kick(velocities, bodies, tile, n, softening, dt)   velocities += dt * what all bodies pull
//   drift(bodies, velocities, n, dt)                   bodies += dt * velocities
//
// bodies: n of (x, y, z, mass); velocities: n of (x, y, z, unused), which a kick with dt = 1 makes accelerations of where
// they are zero; tile: local memory, a float4 for each work-item of a group. softening > 0 keeps close pairs, and a body
// and itself, from dividing by zero. The gravitational constant is 1. Any n.
//
// Launch: any local size, global: n, rounded up to a whole number of groups.
//
// Tile by tile through local memory, after Lars Nyland, Mark Harris and Jan Prins, "Fast N-Body Simulation with CUDA" (GPU
// Gems 3, chapter 31, 2007). A kick has n * n interactions, which are counted as 20 flops each, as they do it.

__kernel void kick(__global float4 *velocities, __global const float4 *bodies, __local float4 *tile, int n,
                   float softening, float dt)
{
  const int i = get_global_id(0), width = get_local_size(0);
  const float4 nobody = (float4)(0.0f); // without mass: it pulls nothing
  const float4 me = i < n ? bodies[i] : nobody;

  float4 pull = nobody;
  for (int begin = 0; begin < n; begin += width) {
    const int mine = begin + (int)get_local_id(0);
    tile[get_local_id(0)] = mine < n ? bodies[mine] : nobody;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < width; j++) {
      const float4 other = tile[j];
      float4 apart = other - me;
      apart.w = softening;
      const float inverse = rsqrt(dot(apart, apart));
      pull += apart * (other.w * inverse * (inverse * inverse));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  pull.w = 0.0f;
  if (i < n) velocities[i] += dt * pull;
}

__kernel void drift(__global float4 *bodies, __global const float4 *velocities, int n, float dt)
{
  const int i = get_global_id(0);
  if (i >= n) return;
  float4 velocity = velocities[i];
  velocity.w = 0.0f;
  bodies[i] += dt * velocity;
}

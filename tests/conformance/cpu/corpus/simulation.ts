import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Small simulations and transforms. */
export const simulationCases: readonly Case[] = [
  kernelCase({
    name: 'n-body',
    source: `
      // Forces of all bodies on all others, a tile of them in shared memory at a time.
      __device__ float3 pull(float4 a, float4 b, float3 force)
      {
        float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), strength = b.w * inverse * inverse * inverse;
        return make_float3(force.x + dx * strength, force.y + dy * strength, force.z + dz * strength);
      }
      __global__ void forces(const float4 *bodies, float3 *out, int n)
      {
        extern __shared__ float4 tile[];
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        float4 self = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
        float3 force = make_float3(0, 0, 0);
        for (int base = 0; base < n; base += blockDim.x) {
          int j = base + threadIdx.x;
          tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
          __syncthreads();
          for (int k = 0; k < blockDim.x; k++) force = pull(self, tile[k], force);
          __syncthreads();
        }
        if (i < n) out[i] = force;
      }`,
    buffers: (random) => ({ bodies: random.floats(4 * 150, 0, 1), out: new Float32Array(450) }),
    launches: ({ bodies, out }) => [{ kernel: 'forces', args: [bodies, out, 150], block: 64, grid: 3, shared: 1024 }],
    expected: ({ bodies }) => {
      const place = (i: number, k: number): number => at(bodies, 4 * i + k);
      return {
        out: range(450, (e) => {
          const [i, axis] = [Math.floor(e / 3), e % 3];
          return sum(150, (j) => {
            const squared = sum(3, (k) => (place(j, k) - place(i, k)) ** 2) + 0.01;
            return (place(j, 3) * (place(j, axis) - place(i, axis))) / squared ** 1.5;
          });
        }),
      };
    },
    tolerance: { relative: 1e-4, absolute: 2e-3 },
  }),

  kernelCase({
    name: 'mandelbrot',
    source: `
      __global__ void mandelbrot(int *steps, int width, int height, double left, double top, double pixel, int most)
      {
        int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
        if (px >= width || py >= height) return;
        double cx = left + px * pixel, cy = top - py * pixel, x = 0, y = 0;
        int n = 0;
        while (n < most && x * x + y * y <= 4) {
          double t = x * x - y * y + cx;
          y = 2 * x * y + cy;
          x = t;
          n++;
        }
        steps[py * width + px] = n;
      }`,
    options: ['--fmad=false'],
    buffers: () => ({ steps: new Int32Array(70 * 50) }),
    launches: ({ steps }) => [
      { kernel: 'mandelbrot', args: [steps, 70, 50, -2.25, 1.25, 0.05, 200], block: [16, 8], grid: [5, 7] },
    ],
    expected: () => ({
      steps: range(3500, (i) => {
        const [cx, cy] = [-2.25 + (i % 70) * 0.05, 1.25 - Math.floor(i / 70) * 0.05];
        const orbit: [number, number][] = [[0, 0]];
        for (let [x, y] = [0, 0]; orbit.length <= 200 && x * x + y * y <= 4; orbit.push([x, y])) {
          [x, y] = [x * x - y * y + cx, 2 * x * y + cy];
        }
        return orbit.length - 1;
      }),
    }),
  }),

  kernelCase({
    name: 'game-of-life',
    source: `
      __global__ void generation(const unsigned char *now, unsigned char *next, int width, int height)
      {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x >= width || y >= height) return;
        int alive = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) alive += now[(y + dy + height) % height * width + (x + dx + width) % width];
        next[y * width + x] = alive == 3 || (alive == 2 && now[y * width + x]);
      }`,
    buffers: (random) => ({ a: random.bytes(40 * 30, 0, 2), b: new Uint8Array(40 * 30) }),
    launches: ({ a, b }) =>
      range(10, (g) => ({
        kernel: 'generation',
        args: [...(g % 2 === 0 ? [a, b] : [b, a]), 40, 30],
        block: [8, 8],
        grid: [5, 4],
      })),
    expected: ({ a }) => {
      let alive = new Set(range(1200).filter((i) => a[i] === 1));
      for (let g = 0; g < 10; g++) {
        const around = new Map<number, number>();
        for (const cell of alive) {
          for (let k = 0; k < 9; k++) {
            const [dx, dy] = [(k % 3) - 1, Math.floor(k / 3) - 1];
            const [x, y] = [((cell % 40) + dx + 40) % 40, (Math.floor(cell / 40) + dy + 30) % 30];
            if (k !== 4) around.set(y * 40 + x, (around.get(y * 40 + x) ?? 0) + 1);
          }
        }
        const before = alive;
        alive = new Set(
          [...around].filter(([c, count]) => count === 3 || (count === 2 && before.has(c))).map(([c]) => c),
        );
      }
      return { a: range(1200, (i) => Number(alive.has(i))) };
    },
  }),

  kernelCase({
    name: 'fft-radix-2',
    source: `
      // In place in shared memory: bits reversed, then log2(n) rounds of butterflies.
      __global__ void fft(float2 *data, int n, int bits)
      {
        extern __shared__ float2 cache[];
        int t = threadIdx.x;
        for (int i = t; i < n; i += blockDim.x) cache[__brev(i) >> (32 - bits)] = data[blockIdx.x * n + i];
        __syncthreads();
        for (int half = 1; half < n; half *= 2) {
          int k = t & (half - 1), low = 2 * (t - k) + k;
          float s, c;
          sincosf(-3.14159265358979f * k / half, &s, &c);
          float2 a = cache[low], b = cache[low + half];
          float re = b.x * c - b.y * s, im = b.x * s + b.y * c;
          cache[low] = make_float2(a.x + re, a.y + im);
          cache[low + half] = make_float2(a.x - re, a.y - im);
          __syncthreads();
        }
        for (int i = t; i < n; i += blockDim.x) data[blockIdx.x * n + i] = cache[i];
      }`,
    buffers: (random) => ({ data: random.floats(2 * 3 * 128) }),
    launches: ({ data }) => [{ kernel: 'fft', args: [data, 128, 7], block: 64, grid: 3, shared: 1024 }],
    expected: ({ data }) => ({
      data: range(3 * 128, (e) => {
        const [row, k] = [e - (e % 128), e % 128];
        const wave = (of: (re: number, im: number, angle: number) => number): number =>
          sum(128, (i) => of(at(data, 2 * (row + i)), at(data, 2 * (row + i) + 1), (-2 * Math.PI * i * k) / 128));
        return [
          wave((re, im, angle) => re * Math.cos(angle) - im * Math.sin(angle)),
          wave((re, im, angle) => re * Math.sin(angle) + im * Math.cos(angle)),
        ];
      }).flat(),
    }),
    tolerance: { absolute: 5e-5 },
  }),

  kernelCase({
    name: 'k-means-step',
    source: `
      __global__ void assign(const float2 *points, const float2 *centres, int *owner, float *sums, int *counts, int n, int k)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        float2 p = points[i];
        float least = 3.4e38f;
        int best = -1;
        for (int c = 0; c < k; c++) {
          float dx = p.x - centres[c].x, dy = p.y - centres[c].y, d = dx * dx + dy * dy;
          if (d < least) { least = d; best = c; }
        }
        owner[i] = best;
        atomicAdd(&sums[2 * best], p.x);
        atomicAdd(&sums[2 * best + 1], p.y);
        atomicAdd(&counts[best], 1);
      }
      __global__ void move(float2 *centres, const float *sums, const int *counts)
      {
        int c = threadIdx.x;
        if (counts[c]) centres[c] = make_float2(sums[2 * c] / counts[c], sums[2 * c + 1] / counts[c]);
      }`,
    buffers: (random) => ({
      points: random.floats(800),
      centres: random.floats(10),
      owner: new Int32Array(400),
      sums: new Float32Array(10),
      counts: new Int32Array(5),
    }),
    launches: ({ points, centres, owner, sums, counts }) => [
      { kernel: 'assign', args: [points, centres, owner, sums, counts, 400, 5], block: 64, grid: 7 },
      { kernel: 'move', args: [centres, sums, counts], block: 5 },
    ],
    expected: ({ points, centres }) => {
      const owner = range(400, (i) => {
        const distances = range(5, (c) =>
          Math.hypot(...[0, 1].map((k) => at(points, 2 * i + k) - at(centres, 2 * c + k))),
        );
        return distances.indexOf(Math.min(...distances));
      });
      return {
        owner,
        counts: range(5, (c) => owner.filter((o) => o === c).length),
        centres: range(10, (e) => {
          const members = range(400).filter((i) => owner[i] === Math.floor(e / 2));
          return members.reduce((a, i) => a + at(points, 2 * i + (e % 2)), 0) / members.length;
        }),
      };
    },
    tolerance: { absolute: 1e-5 },
  }),

  kernelCase({
    name: 'ray-spheres',
    source: `
      struct Ray { float3 from, along; };
      struct Sphere { float3 centre; float radius; };
      __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
      __device__ bool hit(const Ray &ray, const Sphere &s, float &t)
      {
        float3 to = make_float3(s.centre.x - ray.from.x, s.centre.y - ray.from.y, s.centre.z - ray.from.z);
        float middle = dot(to, ray.along);
        float3 aside = make_float3(to.x - middle * ray.along.x, to.y - middle * ray.along.y, to.z - middle * ray.along.z);
        float squared = s.radius * s.radius - dot(aside, aside);
        if (squared < 0) return false;
        t = middle - sqrtf(squared);
        return true;
      }
      __global__ void trace(const Sphere *spheres, int count, float *depth, int *which)
      {
        int x = threadIdx.x, y = blockIdx.x;
        Ray ray = { make_float3(x / 16.0f - 1, y / 16.0f - 1, -5), make_float3(0, 0, 1) };
        float nearest = 1e30f;
        int found = -1;
        for (int s = 0; s < count; s++) {
          float t;
          if (hit(ray, spheres[s], t) && t < nearest) { nearest = t; found = s; }
        }
        depth[y * 32 + x] = nearest;
        which[y * 32 + x] = found;
      }`,
    buffers: (random) => ({
      spheres: Float32Array.from(
        range(6, () => [random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), 0.45]).flat(),
      ),
      depth: new Float32Array(1024),
      which: new Int32Array(1024),
    }),
    launches: ({ spheres, depth, which }) => [
      { kernel: 'trace', args: [spheres, 6, depth, which], block: 32, grid: 32 },
    ],
    // Along z, a sphere is a disc with a height: no ray is needed.
    expected: ({ spheres }) => {
      const hits = range(1024, (i) => {
        const [px, py] = [(i % 32) / 16 - 1, Math.floor(i / 32) / 16 - 1];
        const depths = range(6, (s) => {
          const [x, y, z, r] = [...spheres.subarray(4 * s, 4 * s + 4)] as [number, number, number, number];
          const left = r * r - (px - x) ** 2 - (py - y) ** 2;
          return left < 0 ? 1e30 : z + 5 - Math.sqrt(left);
        });
        const nearest = Math.min(...depths);
        return [nearest, nearest === 1e30 ? -1 : depths.indexOf(nearest)] as const;
      });
      return { depth: hits.map(([d]) => d), which: hits.map(([, s]) => s) };
    },
    tolerance: { relative: 2e-4 },
  }),
];

import { double2 } from '../../../../../src/opencl/kernel/vectors.ts';
import { at, range, sum } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

/** Small programs of the kind that people write. */
export const simulationCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'n-body',
    source: `
      kernel void bodies(global const float4 *p, global float4 *v, global float4 *q, float dt, float soft) {
        local float4 tile[32];
        size_t i = get_global_id(0), n = get_global_size(0), l = get_local_id(0);
        float4 own = p[i];
        float3 pull = 0;
        for (size_t t = 0; t < n; t += 32) {
          tile[l] = p[t + l];
          barrier(CLK_LOCAL_MEM_FENCE);
          for (int k = 0; k < 32; k++) {
            float3 d = tile[k].xyz - own.xyz;
            float r = rsqrt(dot(d, d) + soft);
            pull += d * (tile[k].w * r * r * r);
          }
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        v[i].xyz += dt * pull;
        q[i] = (float4)(own.xyz + dt * v[i].xyz, own.w);
      }`,
    buffers: (random) => ({ p: random.floats(4 * 96, 0.1, 1), v: random.floats(4 * 96), q: new Float32Array(4 * 96) }),
    launches: ({ p, v, q }) => [{ kernel: 'bodies', args: [p, v, q, 0.01, 0.05], global: 96, local: 32 }],
    expected: ({ p, v }) => ({
      q: range(4 * 96, (i) => {
        const [b, k] = [Math.floor(i / 4), i % 4];
        if (k === 3) return at(p, i);
        const pull = sum(96, (o) => {
          const d = range(3, (j) => at(p, 4 * o + j) - at(p, 4 * b + j));
          const r = 1 / Math.sqrt(d.reduce((a, x) => a + x * x, 0) + Math.fround(0.05));
          return at(d, k) * at(p, 4 * o + 3) * r ** 3;
        });
        return at(p, i) + 0.01 * (at(v, i) + 0.01 * pull);
      }),
    }),
    tolerance: { relative: 1e-4, absolute: 1e-5 },
  }),

  openCLCase({
    name: 'mandelbrot',
    source: `
      kernel void mandelbrot(global int *out, double2 from, double step, int most) {
        int x = get_global_id(0), y = get_global_id(1), n = 0;
        double2 c = from + (double2)(x, y) * step, z = c;
        while (n < most && z.x * z.x + z.y * z.y <= 4) {
          double t = z.x * z.x - z.y * z.y + c.x;
          z.y = 2 * z.x * z.y + c.y;
          z.x = t;
          n++;
        }
        out[y * get_global_size(0) + x] = n;
      }`,
    buffers: () => ({ out: new Int32Array(48 * 32) }),
    launches: ({ out }) => [
      { kernel: 'mandelbrot', args: [out, double2(-2, -1), 0.0625, 60], global: [48, 32], local: [16, 4] },
    ],
    expected: () => ({
      out: range(48 * 32, (i) => {
        const [cx, cy] = [-2 + (i % 48) * 0.0625, -1 + Math.floor(i / 48) * 0.0625];
        let [x, y, n] = [cx, cy, 0];
        while (n < 60 && x * x + y * y <= 4) {
          [x, y] = [x * x - y * y + cx, 2 * x * y + cy];
          n++;
        }
        return n;
      }),
    }),
  }),

  openCLCase({
    name: 'fourier-transform',
    source: `
      float2 product(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
      // One pass of radix 2; halves of the input become pairs of the output.
      kernel void fft_pass(global const float2 *in, global float2 *out, int p) {
        int i = get_global_id(0), n = get_global_size(0), k = i & (p - 1);
        float angle = -M_PI_F * k / p;
        float2 a = in[i], b = product(in[i + n], (float2)(cos(angle), sin(angle)));
        int j = ((i - k) << 1) + k;
        out[j] = a + b;
        out[j + p] = a - b;
      }`,
    buffers: (random) => ({ a: random.floats(256), b: new Float32Array(256) }),
    launches: ({ a, b }) =>
      range(7, (pass) => ({
        kernel: 'fft_pass',
        args: [...(pass % 2 === 0 ? [a, b] : [b, a]), 1 << pass],
        global: 64,
        local: 16,
      })),
    expected: ({ a }) => ({
      b: range(128, (k) => {
        const angle = (j: number): number => (-2 * Math.PI * j * k) / 128;
        const real = sum(128, (j) => at(a, 2 * j) * Math.cos(angle(j)) - at(a, 2 * j + 1) * Math.sin(angle(j)));
        return [real, sum(128, (j) => at(a, 2 * j) * Math.sin(angle(j)) + at(a, 2 * j + 1) * Math.cos(angle(j)))];
      }).flat(),
    }),
    tolerance: { relative: 1e-5, absolute: 1e-5 },
  }),

  openCLCase({
    name: 'k-means-step',
    source: `
      kernel void assign_means(global const float2 *points, constant float2 *means, int k, global int *owner,
                               global int *sums, global int *counts) {
        float2 p = points[get_global_id(0)];
        int best = 0;
        float least = MAXFLOAT;
        for (int m = 0; m < k; m++) {
          float2 d = p - means[m];
          float square = d.x * d.x + d.y * d.y;
          if (square < least) least = square, best = m;
        }
        owner[get_global_id(0)] = best;
        atomic_add(&sums[2 * best], convert_int_rte(p.x * 1024));
        atomic_add(&sums[2 * best + 1], convert_int_rte(p.y * 1024));
        atomic_inc(&counts[best]);
      }
      kernel void move_means(global const int2 *sums, global const int *counts, global float2 *means) {
        int m = get_global_id(0);
        if (counts[m]) means[m] = convert_float2(sums[m]) / 1024 / counts[m];
      }`,
    buffers: (random) => ({
      points: random.floats(2 * 300, -8, 8).map((v) => Math.round(v * 1024) / 1024),
      means: random.floats(10, -8, 8).map((v) => Math.round(v * 16) / 16),
      owner: new Int32Array(300),
      sums: new Int32Array(10),
      counts: new Int32Array(5),
    }),
    launches: ({ points, means, owner, sums, counts }) => [
      { kernel: 'assign_means', args: [points, means, 5, owner, sums, counts], global: 300, local: 20 },
      { kernel: 'move_means', args: [sums, counts, means], global: 5, local: null },
    ],
    expected: ({ points, means }) => {
      const owner = range(300, (i) => {
        const far = range(5, (m) =>
          Math.fround(
            Math.fround((at(points, 2 * i) - at(means, 2 * m)) ** 2) +
              Math.fround((at(points, 2 * i + 1) - at(means, 2 * m + 1)) ** 2),
          ),
        );
        return far.indexOf(Math.min(...far));
      });
      const total = (m: number, k: number): number =>
        sum(300, (i) => (owner[i] === m ? at(points, 2 * i + k) * 1024 : 0));
      const counts = range(5, (m) => owner.filter((o) => o === m).length);
      return {
        owner,
        counts,
        sums: range(10, (i) => total(Math.floor(i / 2), i % 2)),
        means: range(10, (i) => {
          const count = at(counts, Math.floor(i / 2));
          return count === 0 ? at(means, i) : total(Math.floor(i / 2), i % 2) / 1024 / count;
        }),
      };
    },
    tolerance: { ulps: 3 },
  }),

  openCLCase({
    name: 'monte-carlo',
    source: `
      uint next(uint *state) {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        return *state ^= *state << 5;
      }
      kernel void monte_carlo(global uint *states, global uint *inside, int n) {
        uint state = states[get_global_id(0)], count = 0;
        for (int k = 0; k < n; k++) {
          uint x = next(&state) >> 16, y = next(&state) >> 16;
          count += x * x < (x * x + y * y) && ((ulong)x * x + (ulong)y * y) < 0x100000000ul;
        }
        states[get_global_id(0)] = state;
        inside[get_global_id(0)] = count;
      }`,
    buffers: (random) => ({ states: random.uints(128, 1), inside: new Uint32Array(128) }),
    launches: ({ states, inside }) => [{ kernel: 'monte_carlo', args: [states, inside, 50], global: 128, local: 32 }],
    expected: ({ states }) => {
      const inside: number[] = [];
      const after = Array.from(states, (first) => {
        let state = first;
        const next = (): number => {
          state ^= state << 13;
          state ^= state >>> 17;
          return (state ^= state << 5) >>> 0;
        };
        let count = 0;
        for (let k = 0; k < 50; k++) {
          const [x, y] = [next() >>> 16, next() >>> 16];
          const square = Math.imul(x, x) >>> 0;
          if (square < (square + Math.imul(y, y)) >>> 0 && x * x + y * y < 2 ** 32) count++;
        }
        inside.push(count);
        return state >>> 0;
      });
      return { states: after, inside };
    },
  }),

  openCLCase({
    name: 'breadth-first-levels',
    source: `
      kernel void level(global const int2 *edges, int m, global int *levels, int now, global int *changed) {
        int e = get_global_id(0);
        if (e >= m) return;
        int2 edge = edges[e];
        if (levels[edge.x] == now && atomic_cmpxchg(&levels[edge.y], -1, now + 1) == -1) atomic_inc(changed);
      }`,
    buffers: (random) => ({
      edges: random.ints(2 * 400, 0, 150),
      levels: Int32Array.from(range(150, (v) => (v === 0 ? 0 : -1))),
      changed: new Int32Array(1),
    }),
    launches: ({ edges, levels, changed }) =>
      range(12, (now) => ({ kernel: 'level', args: [edges, 400, levels, now, changed], global: 448, local: 64 })),
    expected: ({ edges, levels }) => {
      const out = [...levels];
      for (let now = 0; now < 12; now++) {
        for (let e = 0; e < 400; e++) {
          const [a, b] = [at(edges, 2 * e), at(edges, 2 * e + 1)];
          if (out[a] === now && out[b] === -1) out[b] = now + 1;
        }
      }
      return { levels: out, changed: [out.filter((v) => v > 0).length] };
    },
  }),
];

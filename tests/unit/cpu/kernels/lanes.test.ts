import { beforeAll, describe, expect, test } from '@jest/globals';
import { programOf, TestDevice } from '../../../helpers/cpu-program.ts';

const LIMIT = 300_000;
const SOURCE = `
extern "C" __global__ void sums(const int *x, const int *w, int *out, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < taps; k++) sum += x[i + k] * w[k] + (x[i] >> (k & 3));
  out[i] = sum;
}
extern "C" __global__ void gathered(const int *x, const int *at, int *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int place = i, sum = 0;
  for (int k = 0; k < rounds; k++) {
    place = at[place];
    sum = place % 7 == 3 ? sum - x[place] : sum + x[place] / (k + 1);
  }
  out[(n - 1 - i) * 2] = sum;
  out[(n - 1 - i) * 2 + 1] = min(place, abs(sum));
}
extern "C" __global__ void mixes(const int *x, double *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = x[i];
  for (int k = 0; k < rounds; k++) {
    v ^= v << 3; v += k; v ^= v >> 5; v -= v << 1; v ^= v << 7; v += v >> 2; v ^= k << 4;
    v = max(v, -100000); v = min(v, 1 << 20); v ^= v >> 3; v += v & 12345; v |= 2; v -= i; v ^= v << 2;
    v += x[v & 3] + (v & 1023) / (k + 3);
  }
  out[2 * i] = v * 0.5;
}
extern "C" __global__ void types(const unsigned char *p, const short *q, long long *wide, double *real, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long sum = i;
  double value = 0.5;
  for (int k = 0; k < rounds; k++) {
    sum = sum * 3 + p[i] - q[i + k];
    value = value * 0.75 + (double)q[i] / (p[k] + 1.0);
  }
  wide[i] = sum;
  real[i] = value;
}
extern "C" __global__ void tiles(const float *x, float *out, int n) {
  __shared__ float tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, last = 0;
  float own = i < n ? x[i] : 0.0f, sum = 0;
  for (int from = 0; from < n; from += blockDim.x) {
    tile[t] = from + t < n ? x[from + t] : 0.0f;
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      float d = tile[k] - own;
      if (d > 0.0f) last = from + k;
      sum += d * d;
    }
    __syncthreads();
  }
  if (i < n) { out[2 * i] = sum; out[2 * i + 1] = (float)last; }
}`;

describe('loops of threads side by side', () => {
  let device: TestDevice;
  beforeAll(() => {
    device = new TestDevice(programOf(SOURCE));
  }, LIMIT);
  const mixed = (i: number): number => (Math.imul(i, 2_654_435_761) >>> 8) & 0xffff;
  const at = (list: ArrayLike<number>, i: number): number => list[i] ?? 0;
  // Rows with and without threads that are left over.
  const shapes = [1, 3, 4, 5, 31, 64].map((block) => [block, 2 * block + 1] as const);

  test.each(shapes)('sums and what is the same for all (blocks of %i)', (block, n) => {
    const x = Array.from({ length: n + 9 }, (_, i) => mixed(i) - 30_000);
    const w = Array.from({ length: 9 }, (_, i) => i * i - 20);
    const out = device.i32(new Array<number>(n).fill(0));
    device.launch('sums', [3], [block], [device.i32(x).address, device.i32(w).address, out.address, n, 9]);
    const expected = Array.from({ length: n }, (_, i) =>
      w.reduce((sum, weight, k) => (sum + Math.imul(at(x, i + k), weight) + (at(x, i) >> (k & 3))) | 0, 0),
    );
    expect([...out.view]).toEqual(expected);
  });

  test.each(shapes)('places apart, divisions, choices (blocks of %i)', (block, n) => {
    const x = Array.from({ length: n }, (_, i) => mixed(i + 77) - 20_000);
    const list = Array.from({ length: n }, (_, i) => mixed(i) % n);
    const out = device.i32(new Array<number>(2 * n).fill(0));
    device.launch('gathered', [3], [block], [device.i32(x).address, device.i32(list).address, out.address, n, 6]);
    const expected = new Int32Array(2 * n);
    for (let i = 0; i < n; i++) {
      let [place, sum] = [i, 0];
      for (let k = 0; k < 6; k++) {
        place = at(list, place);
        sum = place % 7 === 3 ? sum - at(x, place) : sum + Math.trunc(at(x, place) / (k + 1));
      }
      expected.set([sum, Math.min(place, Math.abs(sum))], (n - 1 - i) * 2);
    }
    expect([...out.view]).toEqual([...expected]);
  });

  test.each(shapes)('much arithmetic with a place apart and a division (blocks of %i)', (block, n) => {
    const x = Array.from({ length: n + 4 }, (_, i) => mixed(i) - 10_000);
    const out = device.allocate(16 * n);
    const results = new Float64Array(device.memory.buffer, out, 2 * n).fill(-1);
    device.launch('mixes', [3], [block], [device.i32(x).address, out, n, 7]);
    const expected = new Float64Array(2 * n).fill(-1);
    for (let i = 0; i < n; i++) {
      let v = at(x, i);
      for (let k = 0; k < 7; k++) {
        v ^= v << 3;
        v = (v + k) | 0;
        v ^= v >> 5;
        v = (v - (v << 1)) | 0;
        v ^= v << 7;
        v = (v + (v >> 2)) | 0;
        v ^= k << 4;
        v = Math.min(Math.max(v, -100_000), 1 << 20);
        v ^= v >> 3;
        v = (v + (v & 12_345)) | 2;
        v = (v - i) | 0;
        v ^= v << 2;
        v = (v + at(x, v & 3) + Math.trunc((v & 1023) / (k + 3))) | 0;
      }
      expected[2 * i] = v * 0.5;
    }
    expect([...results]).toEqual([...expected]);
  });

  test.each(shapes)('numbers of other widths (blocks of %i)', (block, n) => {
    const rounds = 5;
    const memory = device.memory.buffer;
    const p = device.allocate(n + rounds);
    const bytes = new Uint8Array(memory, p, n + rounds);
    bytes.set(Array.from(bytes, (_, i) => mixed(i) & 255));
    const q = device.allocate(2 * (n + rounds));
    const shorts = new Int16Array(memory, q, n + rounds);
    shorts.set(Array.from(shorts, (_, i) => mixed(i + 5) - 32_768));
    const [wide, real] = [device.allocate(8 * n), device.allocate(8 * n)];
    device.launch('types', [3], [block], [p, q, wide, real, n, rounds]);
    const sums: bigint[] = [];
    const values: number[] = [];
    for (let i = 0; i < n; i++) {
      let [sum, value] = [BigInt(i), 0.5];
      for (let k = 0; k < rounds; k++) {
        sum = BigInt.asIntN(64, sum * 3n + BigInt(at(bytes, i)) - BigInt(at(shorts, i + k)));
        value = value * 0.75 + at(shorts, i) / (at(bytes, k) + 1);
      }
      sums.push(sum);
      values.push(value);
    }
    expect([...new BigInt64Array(memory, wide, n)]).toEqual(sums);
    expect([...new Float64Array(memory, real, n)]).toEqual(values);
  });

  test.each(shapes)('between barriers (blocks of %i)', (block, n) => {
    const x = Float32Array.from({ length: n }, (_, i) => mixed(i) / 64);
    const out = device.f32(new Array<number>(2 * n).fill(0));
    device.launch('tiles', [3], [block], [device.f32(x).address, out.address, n]);
    const expected = new Float32Array(2 * n);
    for (let i = 0; i < n; i++) {
      let [sum, last] = [0, 0];
      for (let from = 0; from < n; from += block) {
        for (let k = 0; k < block; k++) {
          const d = Math.fround((from + k < n ? at(x, from + k) : 0) - at(x, i));
          if (d > 0) last = from + k;
          sum = Math.fround(sum + Math.fround(d * d));
        }
      }
      expected.set([sum, last], 2 * i);
    }
    expect([...out.view]).toEqual([...expected]);
  });
});

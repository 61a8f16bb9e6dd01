import * as cuda from 'rawkernel/cuda';
import {
  kernelSource,
  noise,
  pullAt,
  rowOfProduct,
  someBodies,
  sumOf,
  transposed,
  worstOf,
} from '../../helpers/shared-kernels.ts';
import type { CudaBench } from '../cuda.ts';
import type { Case, Side } from '../harness.ts';
import { rateSide } from '../rate.ts';

const COPY = 'copy bandwidth';
const ROUNDS = 11;
/** What cupy_computation.py has too: the sizes and the shapes are the same there. */
const FULL = { copy: 1 << 30, sum: 1 << 26, side: 8192, product: 4096, bodies: 65_536, launches: 20, slow: 5 };
/** The embedded device is slower by some orders of magnitude. */
const SMALL = { copy: 1 << 26, sum: 1 << 22, side: 1024, product: 256, bodies: 2048, launches: 2, slow: 1 };
const SOFTENING = 0.1;
/** Of an interaction of two bodies, as everybody counts them. */
const FLOPS = 20;

/** Kernels that compute, as a fraction of what the device can do. */
export function* computationSuite(bench: CudaBench): Generator<Case> {
  const size = bench.device.isEmbedded ? SMALL : FULL;
  yield* memoryCases(bench, size);
  yield* sgemmCase(bench, size);
  yield* nBodyCase(bench, size);
}

type Sizes = typeof FULL;

/** What only moves data, beside a copy. */
function* memoryCases(bench: CudaBench, size: Sizes): Generator<Case> {
  using from = cuda.memAlloc(size.copy);
  using to = cuda.memAlloc(size.copy);
  cuda.memsetD32(from, 0, size.copy / 4);
  // A byte that is copied is read and written.
  const copy = rateSide(COPY, 2 * size.copy, size.launches, () => {
    cuda.memcpyDtoDAsync(to, from, size.copy, null);
  });
  yield ofSides(`copy of ${mebibytes(size.copy)}, read and written`, 'GB/s', [
    { ...copy, name: 'rawkernel' },
    ...theirs(bench, COPY),
  ]);
  yield* reductionCase(bench, size, copy);
  yield* transposeCase(bench, size, copy);
}

function* reductionCase(bench: CudaBench, { sum: n, launches }: Sizes, copy: Side): Generator<Case> {
  using module = new cuda.SourceModule(kernelSource('cuda/reduction.cu'));
  const [block, blocks] = [512, 4 * bench.device.multiprocessorCount];
  const kernel = module.getFunction('reduction');
  const first = kernel.prepare({ block, grid: blocks });
  const second = kernel.prepare({ block });
  const numbers = new Float32Array(n).map((_, i) => (i % 1001) / 1000);
  using from = cuda.toDevice(numbers);
  using sums = cuda.memAlloc(4 * blocks);
  using sum = cuda.memAlloc(4);
  const run = (): void => {
    first(sums, from, n);
    second(sum, sums, blocks);
  };
  run();
  const [found = NaN] = cuda.fromDevice(sum, 'f32');
  check('reduction', Math.abs(found / sumOf(numbers) - 1), 1e-6);
  yield ofSides(`reduction of ${mebibytes(4 * n)}, read`, 'GB/s', [
    copy,
    rateSide('rawkernel', 4 * n, launches, run),
    ...theirs(bench, 'reduction'),
  ]);
}

function* transposeCase(bench: CudaBench, { side, launches }: Sizes, copy: Side): Generator<Case> {
  using module = new cuda.SourceModule(kernelSource('cuda/transpose.cu'));
  const transpose = module.getFunction('transpose').prepare({ block: [32, 8], grid: [side / 32, side / 32] });
  // As floats these are exact.
  const matrix = new Float32Array(side * side).map((_, i) => i % 1_000_003);
  using from = cuda.toDevice(matrix);
  using to = cuda.memAlloc(matrix.byteLength);
  const run = (): void => {
    transpose(to, from, side, side);
  };
  run();
  check('transpose', worstOf(cuda.fromDevice(to, 'f32'), transposed(matrix, side, side)), 0);
  yield ofSides(`transpose of ${side} x ${side} floats, read and written`, 'GB/s', [
    copy,
    rateSide('rawkernel', 2 * matrix.byteLength, launches, run),
    ...theirs(bench, 'transpose'),
  ]);
}

function* sgemmCase(bench: CudaBench, { product: n, slow }: Sizes): Generator<Case> {
  using module = new cuda.SourceModule(kernelSource('cuda/sgemm.cu'));
  const sgemm = module.getFunction('sgemm').prepare({ block: 256, grid: [n / 128, n / 128] });
  const [a, b] = [noise(n * n, 1), noise(n * n, 2)];
  using left = cuda.toDevice(a);
  using right = cuda.toDevice(b);
  using c = cuda.memAlloc(a.byteLength);
  const run = (): void => {
    sgemm(c, left, right, n, n, n);
  };
  run();
  const found = cuda.fromDevice(c, 'f32');
  for (const row of [0, 1, 127, n / 2, n - 1]) {
    const wanted = rowOfProduct(a.subarray(row * n), b, n, n);
    check('sgemm', worstOf(found.subarray(row * n, (row + 1) * n), wanted), 1e-4);
  }
  yield ofSides(`sgemm of ${n} x ${n}`, 'GFLOP/s', [
    ceilingSide(bench.device),
    rateSide('rawkernel', 2 * n ** 3, slow, run),
    ...theirs(bench, 'sgemm'),
  ]);
}

/** Not all that an interaction does is a multiplication with an addition: about three quarters of the ceiling is all there is. */
function* nBodyCase(bench: CudaBench, { bodies: n, slow }: Sizes): Generator<Case> {
  using module = new cuda.SourceModule(kernelSource('cuda/n-body.cu'), { ftz: true });
  const kick = module.getFunction('kick').prepare({ block: 256, grid: n / 256 });
  const given = someBodies(n);
  using bodies = cuda.toDevice(given);
  using velocities = cuda.toDevice(new Float32Array(4 * n));
  const run = (): void => {
    kick(velocities, bodies, n, SOFTENING, 1);
  };
  run();
  const found = cuda.fromDevice(velocities, 'f32');
  for (const i of [0, 1, 255, n / 2, n - 1]) {
    const wanted = pullAt(given, i, SOFTENING);
    check('n-body', worstOf(found.subarray(4 * i, 4 * i + 4), wanted) / Math.hypot(...wanted), 1e-3);
  }
  yield ofSides(`n-body, ${n} bodies, ${FLOPS} flops an interaction`, 'GFLOP/s', [
    ceilingSide(bench.device),
    rateSide('rawkernel', FLOPS * n * n, slow, run),
    ...theirs(bench, 'n-body'),
  ]);
}

function ofSides(name: string, unit: Case['unit'], sides: Case['sides']): Case {
  return { name, unit, sides, rounds: ROUNDS };
}

/** Peers have the sizes of a GPU. */
function theirs(bench: CudaBench, wanted: string): readonly Side[] {
  return bench.device.isEmbedded ? [] : bench.theirs(wanted);
}

/** A multiplication and an addition a cycle on all lanes; the embedded device has none. */
function ceilingSide(device: cuda.Device): Side | undefined {
  if (device.isEmbedded) return undefined;
  const [major, minor] = device.computeCapability;
  // Turing, Volta and the A100 have half of the lanes.
  const lanes = 10 * major + minor < 86 ? 64 : 128;
  const perCycle = device.multiprocessorCount * lanes * 2;
  const gigaflops = (perCycle * device.getAttribute('CLOCK_RATE')) / 1e6;
  return { name: 'FP32 ceiling by clock', round: () => gigaflops };
}

/** Refuse a wrong result: the time of a wrong kernel means nothing. */
function check(name: string, error: number, most: number): void {
  if (!(error <= most)) throw new Error(`${name} is off by ${error}; ${most} is allowed`);
}

function mebibytes(bytes: number): string {
  return `${bytes / (1 << 20)} MiB`;
}

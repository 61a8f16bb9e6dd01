import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { LIBRARY_FOLDER } from '../../../../src/cpu/files/folders.ts';
import type { Bench } from '../kernels/device-functions/bench.ts';
import { benchOf, COMPILE_MS } from '../kernels/device-functions/compile.ts';

const source = readFileSync(new URL('../kernels/device-functions/headers.cu', import.meta.url), 'utf8');
let bench: Bench;
beforeAll(async () => {
  bench = await benchOf(source);
}, COMPILE_MS);

test('the test includes every header that is not a part of another', () => {
  const parts =
    /^(?:rawkernel|curand(?!_kernel)|sm_[36]|sm_20_i|builtin_types|driver_types|device_atomic|device_double|cuda_pipeline_)/;
  const folder = `${LIBRARY_FOLDER}/include`;
  const included = new Set(Array.from(source.matchAll(/#include <(.+)>/g), ([, name]) => name));
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length + 1).replaceAll('\\', '/'));
  const missing = names.filter((name) => !parts.test(name) && !included.has(name));
  expect(missing.sort()).toEqual(
    ['algorithm', 'cuda/std/initializer_list', 'functional', 'initializer_list', 'limits', 'stdarg.h', 'stdbool.h', 'type_traits', 'utility'], // prettier-ignore
  );
});

test('complex numbers and constants', () => {
  const f = new Float32Array(12);
  const d = new Float64Array(4);
  bench.run('complexes', 1, 1, [f, d]);
  expect([...f]).toEqual([3, 4, 5, -4, Math.fround(Math.PI), Infinity, NaN, -1, 2, 10, 2, 5]);
  expect([...d]).toEqual([-5, 20, Math.SQRT2, -1]);
});

test('cuda::atomic and references to it', () => {
  const p = Int32Array.of(100, 0);
  const u = new Uint32Array(6);
  const f = Float32Array.of(1);
  bench.run('atomics', 64, 1, [p, u, f]);
  const shared = (7 + 128) | (1 << 20);
  expect([...p, ...f]).toEqual([100 + 2016, 63, 33]);
  // The bit may have been set before some of the sums.
  expect([...u]).toEqual([shared, 0, shared, shared, 3, 2]);
});

test('tuples, bits, copies in the background, limits', () => {
  const p = new Int32Array(13);
  bench.run('others', 1, 1, [p]);
  const c = 99;
  expect([...p]).toEqual([
    ...[1 + 25 + c, 1 + 25 + c + 1, 1 + 2 + c, 34, 1],
    ...[8 + 1500, 64 + 32 + 6, 0x3f80_0000, 24],
    ...[1 + 2 + c, 0, 3 + 8 + 6, 1 + 2 + 5 + 32],
  ]);
});

test('the names of cuda::std are in std', () => {
  const p = new Int32Array(10);
  bench.run('plain', 1, 1, [p]);
  expect([...p]).toEqual([103, 76, 74, 50, 808, 311, 721, 123, 44, 53]);
});

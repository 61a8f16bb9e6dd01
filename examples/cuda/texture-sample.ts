// Read a texture between two elements, and beyond the edge.
// After the texture example of cuda.core.
// requires: cuda, arrays
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

using mod = new cuda.SourceModule(`
__global__ void sample(float *out, cudaTextureObject_t texture, const float2 *places)
{
  out[threadIdx.x] = tex2D<float>(texture, places[threadIdx.x].x, places[threadIdx.x].y);
}`);
const sample = mod.getFunction('sample');

// The element in column x of row y is 10 y + x.
const elements = Float32Array.from({ length: 16 }, (_, i) => 10 * Math.floor(i / 4) + (i % 4));
using image = cuda.toArray(elements, { width: 4, height: 4, dtype: 'f32' });
using bytes = cuda.toArray(Uint8Array.from(elements), { width: 4, height: 4, dtype: 'u8' });

const results: boolean[] = [];
/** Read at coordinates `[x, y]`, and compare. */
function check(
  label: string,
  array: cuda.OpaqueArray,
  options: cuda.TextureOptions,
  cases: readonly { at: readonly [x: number, y: number]; gives: number }[],
): void {
  using texture = new cuda.Texture(array, options);
  const out = new Float32Array(cases.length);
  const places = Float32Array.from(cases.flatMap(({ at }) => at));
  sample(cuda.Out(out), texture, cuda.In(places), { block: cases.length });
  const texts = cases.map(({ at }, i) => `(${at.join(', ')}) ${out[i]?.toPrecision(3)}`);
  console.log(`${label}: ${texts.join('; ')}`);
  results.push(cases.every(({ gives }, i) => Math.abs((out[i] ?? NaN) - gives) < 1e-4));
}

check('nearest element', image, {}, [
  { at: [1.5, 2.5], gives: 21 },
  { at: [1.9, 2.1], gives: 21 },
]);
check('blended', image, { filterMode: 'linear' }, [
  { at: [1.5, 2.5], gives: 21 },
  { at: [2, 2.5], gives: 21.5 },
  { at: [2, 2], gives: 16.5 },
  { at: [1.75, 0.5], gives: 1.25 },
]);
check('clamp', image, { addressMode: 'clamp' }, [
  { at: [-3, 0.5], gives: 0 },
  { at: [7, 3.5], gives: 33 },
]);
check('border', image, { addressMode: 'border', borderColor: [-1], filterMode: 'linear' }, [
  { at: [7, 0.5], gives: -1 },
  { at: [4, 0.5], gives: 1 }, // half 3, half -1
]);
check('wrap', image, { addressMode: 'wrap', normalizedCoords: true }, [
  { at: [1.375, 0.125], gives: 1 },
  { at: [-0.125, 0.125], gives: 3 },
]);
check('mirror', image, { addressMode: 'mirror', normalizedCoords: true }, [
  { at: [1.375, 0.125], gives: 2 },
  { at: [-0.125, 0.125], gives: 0 },
]);
check('bytes as 0 to 1', bytes, { normalizedReads: true }, [
  { at: [0.5, 0.5], gives: 0 },
  { at: [3.5, 3.5], gives: 33 / 255 },
]);

const passed = results.every(Boolean);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

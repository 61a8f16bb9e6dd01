import { beforeAll, expect, test } from '@jest/globals';
import { ATTACH, debug, type Debugged } from '../../../helpers/jit-debugger.ts';

const PROGRAM = `import { Worker } from 'node:worker_threads';
import { cuda, jit, type F32 } from '@/src/cuda/jit/index.ts';

interface Unused { readonly lines: 'that no JavaScript has' }
const blur = jit((x: F32, out: F32, bias: number) => {
  const column = cuda.grid(1);
  const tile = cuda.shared.array([2, 4], 'f32');
  const [j, row]: [number, number] = [cuda.threadIdx.x, cuda.threadIdx.y];
  tile[row]![j] = x[column + 8 * row]!;
  cuda.syncthreads();
  let sum = bias; // stop
  if (j > 0) sum += tile[row]![j - 1]!;
  cuda.syncthreads(); // barrier
  out[column + 8 * row] = sum / 2;
});
const x = Float32Array.from({ length: 16 }, (_, i) => i);
const out = new Float32Array(16);
${ATTACH}
blur.simulate([2, 1], [4, 2])(x, out, 0.5);
worker.postMessage('done');
`;

const lineOf = (marker: string): number => PROGRAM.split('\n').findIndex((line) => line.endsWith(marker)) + 1;
const [stop, barrier] = [lineOf('// stop'), lineOf('// barrier')];

let debugged: Debugged;
let stops: Debugged['stops'];

beforeAll(async () => {
  debugged = await debug(PROGRAM, {
    breakpoints: [
      { line: stop, condition: 'threadIdx.x === 3 && threadIdx.y === 1 && blockIdx.x === 1' },
      { line: barrier, condition: 'cuda.threadIdx.x === 1 && cuda.threadIdx.y === 0 && cuda.blockIdx.x === 0' },
    ],
    evaluate: [
      'cuda.threadIdx.x',
      'threadIdx.y',
      'blockIdx.x',
      'blockDim.y',
      'x[column + 8 * row]',
      'tile.shape[1]',
      'tile[1][2]',
      'tile[2]',
    ],
    steps: 1,
  });
  ({ stops } = debugged);
});

test('the map has the text and the file that the author wrote', () => {
  expect(debugged.map).toMatchObject({ sourcesContent: [debugged.text], sources: [debugged.url] });
});

test('a breakpoint with a condition stops in one thread, at the line that the author wrote', () => {
  const found = stops.filter(({ isStep }) => !isStep);
  expect(found.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual([stop, barrier]);
  for (const { source } of stops) expect(source).toBe(debugged.url);
});

test('the variables have their names and values, the thread and the block are there', () => {
  const [found] = stops.filter(({ isStep, line }) => !isStep && line === stop);
  expect(found?.scope).toMatchObject({
    column: 7,
    j: 3,
    row: 1,
    bias: 0.5,
    sum: null,
    threadIdx: 'Object',
    cuda: 'Thread',
  });
  expect(Object.keys(found?.scope ?? {})).toEqual(
    expect.arrayContaining(['x', 'out', 'tile', 'blockIdx', 'blockDim', 'gridDim']),
  );
  expect(found?.values).toEqual({
    'cuda.threadIdx.x': 3,
    'threadIdx.y': 1,
    'blockIdx.x': 1,
    'blockDim.y': 2,
    'x[column + 8 * row]': 15,
    'tile.shape[1]': 4,
    'tile[1][2]': 14,
  });
});

test('a step goes to the next line that the author wrote', () => {
  const at = stops.findIndex(({ isStep, line }) => !isStep && line === stop);
  expect(stops[at + 1]).toMatchObject({ isStep: true, line: stop + 1, scope: { sum: 0.5, j: 3, row: 1 } });
});

test('a step over a barrier stays in the thread', () => {
  const at = stops.findIndex(({ isStep, line }) => !isStep && line === barrier);
  expect(stops[at]).toMatchObject({ values: { 'cuda.threadIdx.x': 1, 'threadIdx.y': 0, 'blockIdx.x': 0 } });
  expect(stops[at + 1]).toMatchObject({
    isStep: true,
    line: barrier + 1,
    scope: { column: 1, j: 1, row: 0, sum: 0.5 },
    values: { 'cuda.threadIdx.x': 1, 'threadIdx.y': 0, 'blockIdx.x': 0 },
  });
});

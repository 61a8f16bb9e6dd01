import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { runBuilt } from '../../helpers/child.ts';
import { needs } from '../../helpers/require.ts';

const PROGRAM = `
  import 'rawkernel/cuda/autoinit';
  import { memAlloc, memcpyDtoHAsync, memcpyHtoD, nvtx, profile, SourceModule, Stream } from 'rawkernel/cuda';

  const module = new SourceModule(
    'namespace ns { __global__ void twice(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; } }',
  );
  const stream = new Stream();
  const memory = memAlloc(4096);
  const profiling = profile();
  const range = nvtx.range('the work');
  memcpyHtoD(memory, new Float32Array(1024).fill(1));
  module.getFunction('twice')(memory, 1024, { block: 256, grid: 4 });
  stream.synchronize();
  for (let i = 0; i < 3; i++) module.getFunction('twice')(memory, 1024, { block: 256, grid: 4, stream });
  const back = new Float32Array(1024);
  memcpyDtoHAsync(back, memory, stream);
  await stream.done();
  range.end();
  profiling[Symbol.dispose]();
  memory.free();
  stream.close();
  module.close();
  console.log(back[0], back[1023]);`;

interface Slice {
  readonly ph: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string; readonly grid?: readonly number[] };
}

const built = needs.build();
const device = needs.nvrtc();
const { test } = built.missing === undefined ? device : built;
const folder = mkdtempSync(join(tmpdir(), 'rawkernel-profiling-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('RAWKERNEL_TRACE=timeline shows launches and copies on the rows of their streams, in their order', async () => {
  const path = join(folder, 'trace.json');
  const ended = await runBuilt(PROGRAM, { RAWKERNEL_TRACE: `timeline:${path}` });
  expect(ended).toMatchObject({ code: 0, stdout: '16 16\n' });
  const all = JSON.parse(readFileSync(path, 'utf8')) as readonly Slice[];
  const rows = all.filter(({ name, args }) => name === 'thread_name' && args?.name?.startsWith('stream'));
  expect(rows.map(({ args }) => args?.name)).toEqual([
    'stream (default)',
    expect.stringMatching(/^stream 0x[\da-f]+$/),
  ]);
  const [first, second] = rows.map(({ pid, tid }) =>
    all.filter((event) => event.ph === 'X' && event.pid === pid && event.tid === tid).sort((a, b) => a.ts - b.ts),
  );
  expect(first?.map(({ name }) => name)).toEqual(['MemcpyHtoD', 'ns::twice']);
  expect(second?.map(({ name }) => name)).toEqual(['ns::twice', 'ns::twice', 'ns::twice', 'MemcpyDtoH']);
  expect(second?.[0]?.args?.grid).toEqual([4, 1, 1]);
  const range = all.find(({ name }) => name === 'the work');
  for (const slice of [...(first ?? []), ...(second ?? [])]) {
    expect(slice.dur).toBeGreaterThanOrEqual(0);
    expect(slice.ts).toBeGreaterThan(range?.ts ?? Infinity);
  }
  expect(second?.at(-1)?.ts).toBeGreaterThan(first?.at(-1)?.ts ?? Infinity);
});

test('RAWKERNEL_TRACE=calls prints the calls, and the launches with their shape', async () => {
  const ended = await runBuilt(PROGRAM, { RAWKERNEL_TRACE: 'calls' });
  expect(ended).toMatchObject({ code: 0, stdout: '16 16\n' });
  const lines = ended.stderr
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('rawkernel: '));
  expect(lines.filter((line) => !/^\w+\(.*\) = \S+( \{.*\})? {2}\d+\.\d us$/.test(line))).toEqual([]);
  expect(
    lines.filter((line) => line.startsWith('cuLaunchKernelEx(config={grid [4, 1, 1] block [256, 1, 1]')),
  ).toHaveLength(4);
  expect(lines.some((line) => /^cuMemAlloc\(dptr=\*, bytesize=4096\) = 0 \{dptr=0x/.test(line))).toBe(true);
});

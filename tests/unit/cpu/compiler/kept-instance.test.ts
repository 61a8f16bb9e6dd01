import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { withCompileScope } from '../../../../src/core/compile-scope.ts';
import { compileOpenCL } from '../../../../src/cpu/compiler/client.ts';
import { KeptCore } from '../../../../src/cpu/compiler/kept-instance.ts';
import { keepAdapterIn, makeHeapRoomy } from '../../../../src/cpu/compiler/roomy-heap.ts';
import { wasm } from '../../../../src/cpu/abi/webassembly.ts';
import { compileText } from '../../../helpers/cpu-program.ts';
import { root } from '../../../helpers/root.ts';

const PAGE = 65_536;
const fileOf = (name: string): Buffer => readFileSync(join(root, 'node_modules/@yowasp/clang/gen', name));

/** An instance without code: what a run does is a function of the test. */
function fakeCore(run: (bytes: Uint8Array) => void) {
  const parts = { stackEnd: 2 * PAGE, dataEnd: 3 * PAGE, heapEnd: 200 * PAGE, end: 204 * PAGE };
  const memory = { buffer: new ArrayBuffer(parts.end) };
  new Uint8Array(memory.buffer).fill(7, parts.stackEnd, parts.stackEnd + 100);
  const sp = { value: parts.stackEnd };
  const core = new KeptCore({ exports: { memory, sp, s: () => run(new Uint8Array(memory.buffer)) } }, parts);
  const bytesNow = (): Buffer => Buffer.from(memory.buffer.slice(0));
  const start = (ended: () => void): void => (core.once(ended).exports['_start'] as () => void)();
  return { core, memory, parts, sp, bytesNow, start };
}

describe('an instance that is used again', () => {
  test('is what it was: stack, data, heap, the pages behind the heap and the pointer of the stack', () => {
    const { core, parts, sp, bytesNow, start } = fakeCore((bytes) => {
      sp.value = 100;
      const { stackEnd, dataEnd, heapEnd, end } = parts;
      for (const at of [stackEnd - 1, stackEnd - PAGE, stackEnd, dataEnd - 1]) bytes[at] = 1;
      for (const at of [dataEnd, dataEnd + 20 * PAGE, dataEnd + 60 * PAGE, heapEnd, end - 1]) bytes[at] = 1;
    });
    const before = bytesNow();
    let ends = 0;
    start(() => ends++);
    expect(bytesNow().equals(before)).toBe(false);
    core.clear();
    expect(bytesNow().equals(before)).toBe(true);
    expect([ends, sp.value]).toEqual([1, parts.stackEnd]);
  });

  test('is used after an exit, not after a fault, and not after its memory has grown', () => {
    let error: Error | undefined = Object.assign(new Error('Exited'), { code: 1 });
    const { core, memory, parts, start } = fakeCore(() => {
      if (error) throw error;
      memory.buffer = new ArrayBuffer(parts.end + PAGE);
    });
    let ends = 0;
    expect(() => start(() => ends++)).toThrow('Exited');
    expect(ends).toBe(1);
    error = new wasm.RuntimeError('unreachable');
    expect(() => start(() => ends++)).toThrow('unreachable');
    expect([ends, core.fits]).toEqual([1, true]);
    error = undefined;
    start(() => ends++);
    expect([ends, core.fits]).toEqual([2, false]);
  });
});

describe("the tools' code", () => {
  test('gets a larger heap wherever it names the end of its heap', () => {
    const before = fileOf('llvm.core.wasm');
    const core = Buffer.from(before);
    const parts = makeHeapRoomy(core);
    expect(parts).toMatchObject({ stackEnd: 8 << 20, dataEnd: 278 * PAGE });
    // An i32.const of the old end, in the five bytes that the linker leaves for an address.
    const end = Buffer.from('418080d88800', 'hex');
    const count = (bytes: Buffer): number => {
      let found = 0;
      for (let at = bytes.indexOf(end); at >= 0; at = bytes.indexOf(end, at + 1)) found++;
      return found;
    };
    expect([count(before), count(core)]).toEqual([4, 0]);
  });

  test('takes pages from behind the heap in the adapter', () => {
    const adapter = fileOf('llvm.core2.wasm');
    const before = Buffer.from(adapter);
    const parts = { stackEnd: 0, dataEnd: PAGE, heapEnd: 790 * PAGE, end: 794 * PAGE };
    keepAdapterIn(adapter, parts);
    expect(adapter.equals(before)).toBe(false);
    expect(() => new wasm.Module(adapter)).not.toThrow();
  });

  test('stays as it is where it is not known', () => {
    const other = fileOf('llvm.core3.wasm');
    const before = Buffer.from(other);
    expect(makeHeapRoomy(other)).toBeUndefined();
    keepAdapterIn(other, { stackEnd: 0, dataEnd: PAGE, heapEnd: 2 * PAGE, end: 3 * PAGE });
    expect(other.equals(before)).toBe(true);
  });
});

test('a program is the same in a new compiler and after others, right and wrong ones', () => {
  const source = (name: string): string =>
    `__global__ void ${name}(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;
         if (i < n) a[i] = sinf(a[i]) + ${name.length}; }`;
  const codeOf = (name: string) => Buffer.from(compileText(source(name)).program?.wasm ?? []).toString('hex');
  const openCL = (text: string) =>
    compileOpenCL({
      ...{ language: 'opencl', source: text, file: '<kernel>', options: '', headers: {}, objects: [] },
      ...{ result: 'program', checked: false },
    }).log;
  // A compilation that takes too long ends the process, so that the next one is the first of a new one.
  const doubling = Array.from({ length: 40 }, (_, i) => `#define A${i + 1} A${i} + A${i}\n`).join('');
  const renew = () =>
    withCompileScope({ timeoutMs: 300, cache: false }, () =>
      compileText(`#define A0 1\n${doubling}__global__ void k(int *p) { *p = A40; }`),
    );
  expect(renew().log).toContain('took longer');
  const first = codeOf('one');
  expect(first).not.toBe('');
  const others = [
    () => compileText('__global__ void wrong(int *p) { *p = missing; }').log,
    () => compileText(`__global__ void deep(int *p) { *p = ${'('.repeat(20_000)}1${')'.repeat(20_000)}; }`).log,
    () => compileText('extern "C" __device__ int f(int); __global__ void k(int *p) { *p = f(1); }').log,
    () => openCL('__kernel void wrong(__global int *p) { *p = missing; }'),
    () => openCL(`__kernel void k(__global int *p) { *p = ${'1 + '.repeat(50_000)}*p; }`),
  ];
  for (const other of others) {
    expect(other()).toContain('error');
    expect(codeOf('another')).not.toBe(first);
    expect(codeOf('one')).toBe(first);
  }
  expect(renew().log).toContain('took longer');
  expect(codeOf('another')).not.toBe('');
  expect(codeOf('one')).toBe(first);
}, 120_000);

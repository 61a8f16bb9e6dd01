import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cuda from '../../src/cuda/index.ts';
import { withDevice } from '../helpers/cuda.ts';
import { needs } from '../helpers/require.ts';
import { size, tell } from './growth.ts';
import { checkPart, PART, sizeThatFits, UNIT, valueAt } from './large-buffer.ts';
import { manyAtOnce, type Many } from './many.ts';

const SOURCE = `
__device__ int mine;
extern "C" __global__ void tell(int *to, int n) { to[0] = mine + n; }
extern "C" __global__ void add(int *x, int n) { x[threadIdx.x] += n; }
extern "C" __global__ void fill(unsigned *to, unsigned long long count) {
  unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
    to[i] = (unsigned)i ^ (unsigned)(i >> 32) * 0x9e3779b9u;
}`;
const WANTED = 32 * 2 ** 30;

needs.cuda().describe('many objects at once', () => {
  withDevice();
  let program: cuda.Program;
  let module: cuda.Module;
  beforeAll(() => {
    program = cuda.Program.compile(SOURCE);
    module = program.toModule();
  });
  afterAll(() => {
    module.close();
  });

  const free = (): number => cuda.memGetInfo().free;
  async function many<T extends Disposable>(what: Many<T>): Promise<void> {
    await manyAtOnce(what, { free });
  }
  const wrongIn = (memory: cuda.DeviceAllocation, right: (i: number) => number): number[] =>
    [...cuda.fromDevice(memory, 'i32')].flatMap((value, i) => (value === right(i) ? [] : [i]));

  test('10,000 buffers hold each its own content', async () => {
    const words = (i: number): number => 1 + (i % 97);
    await many({
      name: 'live buffers',
      count: 10_000,
      make: (i) => cuda.toDevice(new Int32Array(words(i)).fill(i)),
      use: (all) => {
        const add = module.getFunction('add');
        all.forEach((memory, i) => {
          add(memory, i, { block: words(i) });
        });
        expect(all.flatMap((memory, i) => wrongIn(memory, () => 2 * i).slice(0, 1))).toEqual([]);
        expect(new Set(all.map(({ ptr }) => ptr)).size).toBe(all.length);
      },
    });
  });

  test('1,000 streams have each work of its own', async () => {
    const count = 1_000;
    using memory = cuda.memAlloc(4 * count);
    const add = module.getFunction('add');
    await many({
      name: 'streams',
      count,
      make: () => new cuda.Stream({ nonBlocking: true }),
      use: async (all) => {
        // A copy that waits, since these streams do not wait for the default one.
        cuda.memcpyHtoD(memory, new Int32Array(count));
        for (let round = 0; round < 10; round++) {
          all.forEach((stream, i) => {
            add(memory.slice(4 * i, 4), i, { block: 1, stream });
          });
        }
        await Promise.all(all.map((stream) => stream.done()));
        expect(wrongIn(memory, (i) => 10 * i)).toEqual([]);
      },
    });
  });

  test('1,000 modules of one image have each variables of their own', async () => {
    const count = 1_000;
    using memory = cuda.memAlloc(4 * count);
    await many({
      name: 'modules',
      count,
      make: () => cuda.moduleFromBuffer(program.code),
      use: (all) => {
        all.forEach((each, i) => {
          cuda.memcpyHtoD(each.getGlobal('mine'), Int32Array.of(3 * i));
        });
        all.forEach((each, i) => {
          each.getFunction('tell')(memory.slice(4 * i, 4), cuda.int32(7), { block: 1 });
        });
        expect(wrongIn(memory, (i) => 3 * i + 7)).toEqual([]);
      },
    });
  });

  test('a buffer beyond 32 bits is filled and read back by parts', () => {
    const start = performance.now();
    const { isEmbedded } = cuda.currentDevice();
    // The embedded device's memory ends at 4 GiB.
    const bytes = sizeThatFits(isEmbedded ? 2 ** 30 : WANTED, free(), 2 ** 30);
    if (bytes === undefined) {
      process.stderr.write(`Skipping the large buffer: ${size(free())} of device memory are free\n`);
      return;
    }
    using memory = cuda.memAlloc(bytes);
    expect(memory.byteLength).toBe(bytes);
    module.getFunction('fill')(memory, cuda.uint64(bytes / UNIT), { grid: 4096, block: 256 });
    // One in the last part, behind all that 32 bits reach.
    const marked = bytes - PART + 4096;
    cuda.memsetD32(memory.slice(marked), 0x5eed, 256);
    const part = new Uint32Array(PART / UNIT);
    for (let at = 0; at < bytes; at += PART) {
      cuda.memcpyDtoH(part, memory.slice(at, PART));
      if (at + PART === bytes) {
        expect(part.subarray(1024, 1024 + 256).every((value) => value === 0x5eed)).toBe(true);
        for (let i = 1024; i < 1024 + 256; i++) part[i] = valueAt(at / UNIT + i);
      }
      checkPart(part, at);
    }
    tell('parts of a large buffer', bytes / PART, start, `${size(bytes)} in all`);
  });
});

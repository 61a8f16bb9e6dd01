import { expect } from '@jest/globals';
import { memcpyDtoH, memcpyHtoD, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { InOut, Out } from '../../../src/cuda/copy/transfer.ts';
import type { KernelFunction } from '../../../src/cuda/kernel/function.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { refTest, useRef } from '../../helpers/ref.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
struct Pair { float x; int n; };
__global__ void sum(float *out, Pair pair, int add, double times) { out[0] = (pair.x * pair.n + add) * times; }
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
`;

needs.cuda().describe('values of ref-napi', () => {
  withDevice();

  refTest('arrays, structs and numbers are host memory', () => {
    const { array, struct, alloc } = useRef();
    const Ints = array('int');
    using memory = toDevice(new Ints([1, 2]));
    const back = new Ints([0, 0]);
    memcpyDtoH(back, memory);
    expect([back.buffer.readInt32LE(0), back.buffer.readInt32LE(4)]).toEqual([1, 2]);
    memcpyHtoD(memory, new (struct({ x: 'float', n: 'int' }))({ x: 0, n: 7 }));
    using part = memAlloc(4);
    memcpyHtoD(part, alloc('int', 9));
    const number = alloc('int', 0);
    memcpyDtoH(number, part);
    expect(number.readInt32LE()).toBe(9);
  });

  refTest('structs and numbers are arguments by value, of the size and kind of the parameter', () => {
    const { struct, alloc, array } = useRef();
    using module = new SourceModule(SOURCE);
    const sum: KernelFunction = module.getFunction('sum');
    const out = new Float32Array(1);
    const pair = new (struct({ x: 'float', n: 'int' }))({ x: 1.5, n: 4 });
    const shape = { block: 1 } as const;
    const call = (...args: readonly unknown[]): void => {
      sum(Out(out), ...(args as [number]), shape);
    };
    call(pair, alloc('int', 10), alloc('double', 2));
    expect(out[0]).toBe(32);
    expect(() => call(pair, alloc('float', 10), 2)).toThrow(TypeError);
    expect(() => call(pair, 10, alloc('float', 2))).toThrow(TypeError);
    expect(() => call(new (array('int'))([1, 2, 3]), 10, 2)).toThrow(/has 8 bytes; an? \w+ has 12/);
  });

  refTest('arrays go there and back with a launch', () => {
    const ints = new (useRef().array('int'))([3, 4]);
    using module = new SourceModule(SOURCE);
    module.getFunction('twice')(InOut(ints), { block: 2 });
    expect([ints.buffer.readInt32LE(0), ints.buffer.readInt32LE(4)]).toEqual([6, 8]);
  });
});

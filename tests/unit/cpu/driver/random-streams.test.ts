import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cpuDriver } from '../../../../src/cpu/driver-table.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { randomOf } from '../../../helpers/math-points.ts';
import { cpuTestProgram } from '../../../helpers/wasm-kernels.ts';

const COUNT = 250;

/** A stream of the test, or an event: the operations that have ended when its next one begins, as bits. */
interface Line {
  readonly stream: cuda.Stream | null;
  readonly kind: 'legacy' | 'blocking' | 'free';
  behind: bigint;
}
interface Operation {
  readonly isKernel: boolean;
  readonly behind: bigint;
}

const has = (bits: bigint, index: number): boolean => ((bits >> BigInt(index)) & 1n) !== 0n;

let context: cuda.Context;
let module: cuda.Module;
beforeAll(() => {
  useTables({ driver: cpuDriver({ workers: 3, memoryBytes: 64 << 20, timeoutMs: 20_000 }) });
  context = new cuda.Context();
  module = cuda.moduleFromBuffer(cpuTestProgram());
});
afterAll(() => {
  module.close();
  context.close();
});

/** Random operations, and what CUDA says of their order ("Stream synchronization behavior" of the Driver API). */
class Trial {
  readonly #random: () => number;
  readonly #lines: Line[];
  readonly #events = Array.from({ length: 3 }, () => ({ event: new cuda.Event(), behind: 0n }));
  readonly #operations: Operation[] = [];
  readonly #list: cuda.DeviceAllocation = cuda.memAlloc(4 * (COUNT + 1));
  readonly #values: cuda.DeviceAllocation = cuda.memAlloc(4 * COUNT);
  readonly #seen: cuda.DeviceAllocation = cuda.memAlloc(4 * COUNT);

  constructor(seed: number) {
    this.#random = randomOf(seed);
    const make = (kind: Line['kind']): Line => ({
      stream: kind === 'legacy' ? null : new cuda.Stream({ nonBlocking: kind === 'free' }),
      kind,
      behind: 0n,
    });
    this.#lines = (['legacy', 'blocking', 'blocking', 'free', 'free'] as const).map(make);
    for (const memory of [this.#list, this.#values, this.#seen]) cuda.memsetD8(memory, 0, memory.byteLength);
    context.synchronize();
  }

  #upTo(count: number): number {
    return Math.floor(this.#random() * count);
  }

  run(): void {
    while (this.#operations.length < COUNT) this.#step();
    context.synchronize();
    this.#check();
    for (const { stream } of this.#lines) stream?.close();
    for (const { event } of this.#events) event.close();
    for (const memory of [this.#list, this.#values, this.#seen]) memory.free();
  }

  #step(): void {
    // The legacy stream seldom: it joins all blocking ones.
    const line = this.#lines[this.#random() < 0.05 ? 0 : 1 + this.#upTo(4)] as Line;
    const one = this.#events[this.#upTo(3)] as { readonly event: cuda.Event; behind: bigint };
    const choice = this.#random();
    if (choice < 0.1) {
      one.event.record(line.stream);
      one.behind = this.#behind(line);
    } else if (choice < 0.2) {
      if (line.stream === null) return;
      line.stream.waitForEvent(one.event);
      line.behind |= one.behind;
    } else this.#operate(line, choice);
  }

  #behind({ kind, behind }: Line): bigint {
    if (kind === 'free') return behind;
    if (kind === 'blocking') return behind | (this.#lines[0] as Line).behind;
    return this.#lines.reduce((all, line) => (line.kind === 'free' ? all : all | line.behind), 0n);
  }

  #operate(line: Line, choice: number): void {
    const index = this.#operations.length;
    const behind = this.#behind(line);
    const isKernel = choice < 0.75;
    if (isKernel) this.#append(line, index);
    else cuda.memcpyDtoDAsync(at(this.#seen, index), at(this.#list, 0), 4, line.stream);
    this.#operations.push({ isKernel, behind });
    line.behind = behind | (1n << BigInt(index));
    // A kernel that is not behind this operation yet would miss its value.
    const other = this.#upTo(index + 1);
    if (has(line.behind, other)) cuda.memsetD32Async(at(this.#values, other), 0, 1, line.stream);
  }

  #append({ stream }: Line, index: number): void {
    cuda.memsetD32Async(at(this.#values, index), index + 1, 1, stream);
    const value = cuda.int64(at(this.#values, index));
    const spins = cuda.int64(BigInt(1 + this.#upTo(20) ** 4));
    module.getFunction('append')(this.#list, value, spins, { block: 1, ...(stream ? { stream } : {}) });
  }

  #check(): void {
    const list = new Int32Array(COUNT + 1);
    const seen = new Int32Array(COUNT);
    cuda.memcpyDtoH(list, this.#list);
    cuda.memcpyDtoH(seen, this.#seen);
    const kernels = this.#operations.flatMap(({ isKernel }, index) => (isKernel ? [index] : []));
    const order = [...list.subarray(1, 1 + (list[0] as number))].map((value) => value - 1);
    expect(order.toSorted((a, b) => a - b)).toEqual(kernels);
    // A copy of the list's length has a place between the kernels, too.
    const place = this.#operations.map(({ isKernel }, index) =>
      isKernel ? order.indexOf(index) : (seen[index] as number) - 0.5,
    );
    const wrong = this.#operations.flatMap(({ behind }, index) =>
      place.flatMap((before, other) =>
        has(behind, other) && before > (place[index] as number) ? [`${index} before ${other}`] : [],
      ),
    );
    expect(wrong).toEqual([]);
  }
}

function at(memory: cuda.DeviceAllocation, index: number): bigint {
  return BigInt(memory.ptr) + BigInt(4 * index);
}

test.each([1, 2, 3, 4, 5, 6])(
  'random operations in five streams keep the order that CUDA promises: seed %i',
  (seed) => {
    new Trial(seed).run();
  },
);

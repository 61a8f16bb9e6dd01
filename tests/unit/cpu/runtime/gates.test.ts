import { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test as plainTest } from '@jest/globals';
import { Status } from '../../../../src/cpu/abi/status.ts';
import { cpuDriver, stateOf } from '../../../../src/cpu/driver-table.ts';
import type { CpuContext, CpuStream } from '../../../../src/cpu/driver/objects.ts';
import type { DriverState } from '../../../../src/cpu/driver/state.ts';
import { gateOn } from '../../../../src/cpu/driver/stream-gate.ts';
import { loseOpen } from '../../../../src/cpu/runtime/context-fault.ts';
import { Slot, slotBase } from '../../../../src/cpu/runtime/control.ts';
import { Gatekeeper } from '../../../../src/cpu/runtime/gate.ts';
import { CommandQueue } from '../../../../src/cpu/runtime/queue.ts';
import type { DriverTable } from '../../../../src/cuda/sys/tables.ts';
import { addressOf } from '../../../../src/ffi/memory.ts';
import { moduleFile } from '../../../helpers/build-record.js';
import { needs } from '../../../helpers/require.ts';
import { root } from '../../../helpers/root.ts';
import { until } from '../../../helpers/until.ts';
import { cpuTestProgram } from '../../../helpers/wasm-kernels.ts';

const LIMIT_MS = 300;
const LOST = 719;

/** Calls of the driver's table, without the objects above it: each test has a device of its own. */
class Device {
  readonly table: DriverTable;
  readonly state: DriverState;
  readonly #cells: bigint;

  constructor(timeoutMs = 0) {
    this.table = cpuDriver({ workers: 2, memoryBytes: 64 << 20, timeoutMs });
    this.state = stateOf(this.table);
    this.table.cuInit(0);
    this.newContext();
    this.#cells = made((out) => this.table.cuMemAlloc(out, 64));
    this.table.cuMemsetD8(this.#cells as never, 0, 64);
  }

  get context(): CpuContext {
    return this.state.current as CpuContext;
  }

  newContext(): bigint {
    return made((out) => this.table.cuCtxCreate(out, 0, 0));
  }

  use(context: bigint): void {
    this.table.cuCtxSetCurrent(context as never);
  }

  newStream(): CpuStream {
    return this.state.streams.get(Number(made((out) => this.table.cuStreamCreate(out, 1)))) as CpuStream;
  }

  gate(stream: CpuStream = this.context.legacy): number {
    return gateOn(this.state, [stream], undefined) as number;
  }

  keeper(): Gatekeeper {
    return new Gatekeeper(this.state.engine.control);
  }

  /** Set a cell to 1 in the order of a stream. */
  mark(cell: number, stream: CpuStream = this.context.legacy): void {
    const at = this.#cells + BigInt(4 * cell);
    expect(this.table.cuMemsetD32Async(at as never, 1, 1, BigInt(stream.handle) as never)).toBe(0);
  }

  cells(count: number): number[] {
    const { view } = this.state.memory;
    return Array.from({ length: count }, (_, cell) => view.getInt32(Number(this.#cells) + 4 * cell, true));
  }

  sync(): number {
    return this.table.cuCtxSynchronize();
  }

  isDone(sequence: number): boolean {
    return this.state.engine.queue.done(sequence);
  }

  /** Launch a kernel that runs until the next cell is not 0. */
  hold(): void {
    const module = made((out) => this.table.cuModuleLoadData(out, cpuTestProgram()));
    const kernel = made((out) => this.table.cuModuleGetFunction(out, module as never, 'hold'));
    const argument = BigUint64Array.of(this.#cells + 32n);
    const list = BigUint64Array.of(addressOf(argument));
    expect(this.table.cuLaunchKernel(kernel as never, 1, 1, 1, 1, 1, 1, 0, 0n as never, list, 0n)).toBe(0);
  }
}

/** What a function writes to its out-parameter. */
function made(call: (out: BigUint64Array) => number): bigint {
  const out = new BigUint64Array(1);
  expect(call(out)).toBe(0);
  return out[0] as bigint;
}

const { test } = needs.build();

describe('gates', () => {
  test('lasts until it is opened: what is behind it waits, other streams go on', async () => {
    const device = new Device();
    const other = device.newStream();
    const shut = device.gate();
    device.mark(0);
    device.mark(1, other);
    device.table.cuStreamSynchronize(BigInt(other.handle) as never);
    await until('the gate is reached', () => device.keeper().isReached(shut));
    expect([device.cells(2), device.isDone(shut)]).toEqual([[0, 1], false]);
    expect(device.keeper().open(shut, false)).toBe(true);
    expect(device.sync()).toBe(0);
    expect([device.cells(1), device.state.engine.queue.skipped(shut)]).toEqual([[1], false]);
  });

  test('are still, or memory may be touched while they are shut', async () => {
    const device = new Device();
    const { queue } = device.state.engine;
    const whileStill = (): number | undefined => queue.whileStill(() => 1);
    expect(whileStill()).toBe(1);
    const still = device.state.engine.gate([], device.context.index, true) as number;
    device.state.await(device.context.legacy, still);
    device.mark(0);
    await until('the still gate is reached', () => device.keeper().isReached(still));
    expect([whileStill(), device.cells(1)]).toEqual([1, [0]]);
    const other = device.gate(device.newStream());
    await until('the other gate is reached', () => device.keeper().isReached(other));
    expect([whileStill(), queue.lanes.isShut]).toEqual([undefined, true]);
    device.keeper().open(other, false);
    await until('the other gate is past', () => device.isDone(other));
    expect(whileStill()).toBe(1);
    device.keeper().open(still, false);
    expect(device.sync()).toBe(0);
    expect([whileStill(), device.cells(1)]).toEqual([1, [1]]);
  });

  test('no worker is busy with them: more gates than workers, and commands run', async () => {
    const device = new Device();
    const shut = Array.from({ length: 6 }, () => device.gate(device.newStream()));
    await until('all gates are reached', () => shut.every((one) => device.keeper().isReached(one)));
    device.hold();
    await until('a kernel runs', () => device.state.engine.queue.started((device.state.engine.queue.next - 1) | 0));
    for (const one of shut.reverse()) device.keeper().open(one, false);
    device.mark(9, device.newStream());
    expect(device.sync()).toBe(0);
  });

  test('that is opened before it is reached does not hold what comes after', () => {
    const device = new Device();
    const [first, second] = [device.gate(), device.gate()];
    device.mark(0);
    device.keeper().open(second, false);
    expect(device.isDone(second)).toBe(false);
    device.keeper().open(first, false);
    expect([device.sync(), device.cells(1)]).toEqual([0, [1]]);
  });

  test('is opened by another thread while this one sleeps', () => {
    const device = new Device();
    const shut = device.gate();
    device.mark(0);
    const file = pathToFileURL(join(root, moduleFile('cpu/runtime/gate'))).href;
    const thread = new Worker(
      `import(${JSON.stringify(file)}).then(({ Gatekeeper }) => {
        const { control, gate } = require('node:worker_threads').workerData;
        const keeper = new Gatekeeper(new Int32Array(control));
        const look = () => (keeper.isReached(gate) ? keeper.open(gate, false) : setTimeout(look, 1));
        look();
      });`,
      { eval: true, workerData: { control: device.state.engine.control.buffer, gate: shut } },
    );
    thread.unref();
    expect([device.sync(), device.cells(1)]).toEqual([0, [1]]);
  });

  test('of a context with a fault counts as skipped', () => {
    const device = new Device();
    const shut = device.gate();
    device.keeper().open(shut, true);
    expect([device.sync(), device.state.engine.queue.skipped(shut)]).toEqual([0, true]);
  });

  test('in serial order two of them are shut at once, and only what follows them waits', async () => {
    const device = new Device();
    device.state.engine.queue.serial = true;
    const [a, b, c] = [device.newStream(), device.newStream(), device.newStream()];
    device.mark(0, a);
    const shut = [device.gate(a), device.gate(b)];
    await until('both are reached', () => shut.every((one) => device.keeper().isReached(one)));
    device.mark(1, c);
    await until('another stream goes on', () => device.cells(2)[1] === 1);
    device.keeper().open(shut[0] as number, false);
    device.mark(2, a);
    await until('what follows the open one has run', () => device.cells(3)[2] === 1);
    device.mark(3, b);
    expect(device.cells(4)[3]).toBe(0);
    device.keeper().open(shut[1] as number, false);
    expect([device.sync(), device.cells(4)]).toEqual([0, [1, 1, 1, 1]]);
  });

  test('outlasts the end of a kernel of another context that exceeds the time limit', async () => {
    const device = new Device(LIMIT_MS);
    const healthy = BigInt(device.context.handle);
    const shut = device.gate();
    device.mark(0);
    await until('the gate is reached', () => device.keeper().isReached(shut));
    device.newContext();
    device.hold();
    expect(device.sync()).toBe(Status.LAUNCH_TIMEOUT);
    device.use(healthy);
    expect([device.isDone(shut), device.cells(1)]).toEqual([false, [0]]);
    await until('new workers reach it', () => device.keeper().isReached(shut));
    device.keeper().open(shut, false);
    expect([device.sync(), device.cells(1)]).toEqual([0, [1]]);
  });

  test('does not hold the end of the process for long', () => {
    const device = new Device();
    device.gate();
    const before = performance.now();
    device.state.engine.farewell.wait();
    expect(performance.now() - before).toBeLessThan(1900);
    expect([device.state.engine.queue.idle, device.state.engine.farewell.unfinished]).toEqual([true, undefined]);
  });
});

describe('a new control block', () => {
  const join = (queue: CommandQueue, context: number, after: readonly number[]): number => {
    queue.follow(after, context);
    return queue.join(context);
  };
  const begin = (queue: CommandQueue, sequence: number): void => {
    queue.control[slotBase(sequence) + Slot.NEXT] = 1;
  };

  plainTest('has the gates and what had not begun, and not the commands of a context that was lost', () => {
    const queue = new CommandQueue(() => undefined);
    const running = join(queue, 0, []);
    const behind = join(queue, 0, [running]);
    const gate = queue.gate([], 1);
    const waiting = join(queue, 1, [gate]);
    begin(queue, running);
    begin(queue, gate);
    const old = new Gatekeeper(queue.control);
    loseOpen(queue, LOST, running, false);
    queue.restart();
    expect([running, behind, gate, waiting].map((one) => queue.done(one))).toEqual([true, true, false, false]);
    expect([queue.skipped(running), queue.skipped(behind)]).toEqual([true, true]);
    expect(old.open(gate, false)).toBe(false);
    expect(queue.done(gate)).toBe(false);
    expect(new Gatekeeper(queue.control).open(gate, false)).toBe(true);
    expect(queue.idle).toBe(false);
  });

  plainTest(
    'keeps commands of a lost context that stand behind a gate of another, for the workers to pass over',
    () => {
      const queue = new CommandQueue(() => undefined);
      const gate = queue.gate([], 1);
      const behind = join(queue, 0, [gate]);
      const running = join(queue, 0, []);
      begin(queue, gate);
      begin(queue, running);
      loseOpen(queue, LOST, running, false);
      queue.restart();
      expect([gate, behind, running].map((one) => queue.done(one))).toEqual([false, false, true]);
    },
  );

  plainTest('is empty where every context is lost', () => {
    const queue = new CommandQueue(() => undefined);
    const gate = queue.gate([], 1);
    join(queue, 0, [gate]);
    loseOpen(queue, LOST, gate, true);
    queue.restart();
    expect(queue.idle).toBe(true);
  });
});

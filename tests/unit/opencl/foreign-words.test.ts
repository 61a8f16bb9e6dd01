import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { embeddedDescribe, embeddedOpenCL } from '../../helpers/opencl-devices.ts';

// Values of which the language, not this package, would complain where they are used without a look.

interface Given {
  readonly context: cl.Context;
  readonly queue: cl.CommandQueue;
  readonly kernel: cl.Kernel;
  readonly buffer: cl.Buffer;
  readonly device: cl.Device;
}
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const bare = Object.create(null) as object;
const hole: unknown[] = new Array<unknown>(1);
const cycle: unknown[] = [];
cycle.push(cycle, 1);
const stubborn = { toString: () => ({}), valueOf: () => ({}) };

const exported = (context: cl.Context, kind: object): number => {
  using semaphore = new cl.Semaphore(context);
  return semaphore.exportHandle(kind as never);
};

const CALLS: readonly (readonly [name: string, call: (given: Given) => unknown])[] = [
  ['SubDevice.isPossible() of nothing', () => cl.SubDevice.isPossible(undefined as never, { equally: 1 })],
  ['SubDevice.isPossible() of no way', ({ device }) => cl.SubDevice.isPossible(device, undefined as never)],
  ['createSubDevices() of no way', ({ device }) => device.createSubDevices(undefined as never)],
  ['svmEmpty() of nothing', ({ context }) => cl.svmEmpty(context, 0, Symbol('n') as never, 'f32')],
  ['fsvmEmpty() of a revoked proxy', ({ context }) => cl.fsvmEmpty(context, 4, revoked as never)],
  ['svmEmptyLike() of nothing', ({ context }) => cl.svmEmptyLike(context, 0, undefined as never)],
  ['ImageFormat.equals() nothing', () => new cl.ImageFormat(0x10b5, 0x10de).equals(undefined as never)],
  ['createSomeContext() of numbers', () => cl.createSomeContext({ answers: [1] as never })],
  ['createSomeContext() of a number', () => cl.createSomeContext({ answers: 1 as never })],
  [
    'createSomeContext() with a number of a mode',
    () => cl.createSomeContext({ answers: ['rawkernel'], check: 5 as never }),
  ],
  ['Buffer.fromExternal() of nothing', ({ context }) => cl.Buffer.fromExternal(context, undefined as never)],
  ['Buffer.subRegion() of a symbol', ({ buffer }) => buffer.subRegion(Symbol('at') as never)],
  ['Semaphore.exportHandle() of what has no text', ({ context }) => exported(context, bare)],
  ['Semaphore.exportHandle() of an array', ({ context }) => exported(context, cycle)],
  ['new SVMAllocator() of no flags', ({ context }) => new cl.SVMAllocator(context, bare as never)],
  [
    'new SVMAllocator() of no alignment',
    ({ context }) => new cl.SVMAllocator(context, 1, { alignment: bare as never }),
  ],
  ['Kernel.setExecInfo() of nothing', ({ kernel }) => kernel.setExecInfo(undefined as never)],
  ['new Kernel() of no program', ({ context }) => new cl.Kernel(context as never, 'twice')],
  ['new Kernel() of a revoked proxy', () => new cl.Kernel(revoked as never, 'twice')],
  ['getInfo() of a symbol in an array', ({ device }) => device.getInfo([Symbol('x')] as never)],
  ['getInfo() of what has no text', ({ context }) => context.getInfo(stubborn as never)],
  ['Platform.getDevices() of an object', ({ device }) => device.platform.getDevices({} as never)],
  ['Platform.atLeast() of what has no text', ({ device }) => device.platform.atLeast(stubborn as never, 0)],
  ['Program.fromBinaries() of nothing', () => cl.Program.fromBinaries(undefined as never, [])],
  ['enqueueMarker() on a revoked proxy', () => cl.enqueueMarker(revoked as never)],
  [
    'waitForEvents() of a revoked proxy',
    () => {
      cl.waitForEvents([revoked as never]);
    },
  ],
  ['new SVMAllocation() of null options', ({ context }) => new cl.SVMAllocation(context, 1, 64, null as never)],
  ['new SVMAllocation() of an object', ({ context }) => new cl.SVMAllocation(context, {} as never, 64)],
  ['new SVMAllocation() of a bigint', ({ context }) => new cl.SVMAllocation(context, 1, 64n as never)],
  ['new Buffer() of null', ({ context }) => new cl.Buffer(context, null as never, 64)],
  ['new Buffer() with flags of a bigint', ({ context }) => new cl.Buffer(context, 1n as never, 64)],
  ['fromBuiltInKernels() of a device', ({ context }) => cl.Program.fromBuiltInKernels(context, ['x'], {} as never)],
  ['fromBuiltInKernels() of null', () => cl.Program.fromBuiltInKernels(null as never, ['x'])],
  ['new CommandQueue() of what inherits', ({ context }) => new cl.CommandQueue(Object.create(context) as cl.Context)],
  ['new CommandQueue() of a proxy', ({ context }) => new cl.CommandQueue(new Proxy(context, {}))],
  [
    'captureCall() into no file',
    ({ kernel, queue, buffer }) => {
      cl.captureCall(1 as never, kernel, queue, 1, null, buffer);
    },
  ],
  ['struct() of a list that holds itself', () => cl.struct({ x: cycle as never })],
  ['enqueueMigrate() of a hole', ({ queue }) => cl.enqueueMigrate(queue, hole as never)],
  ['enqueueSVMMigrate() of a hole', ({ queue }) => cl.enqueueSVMMigrate(queue, hole as never)],
  ['Kernel.setExecInfo() of a hole', ({ kernel }) => kernel.setExecInfo({ svmPointers: hole as never })],
  ['createSubDevices() of a hole', ({ device }) => device.createSubDevices({ counts: hole as never })],
  ['fromBinaries() of a hole', ({ context }) => cl.Program.fromBinaries(context, hole as never)],
  ['fromBuiltInKernels() of a hole', ({ context }) => cl.Program.fromBuiltInKernels(context, hole as never)],
  ['fromBuiltInKernels() for a hole', ({ context }) => cl.Program.fromBuiltInKernels(context, ['x'], hole as never)],
  ['createSomeContext() of a hole', () => cl.createSomeContext({ answers: hole as never })],
  ['enqueueFill() with a null prototype', ({ queue, buffer }) => cl.enqueueFill(queue, buffer, bare as never)],
];

embeddedDescribe()('what a documented function says is ours', () => {
  let given: Given;
  beforeAll(() => {
    const device = embeddedOpenCL as cl.Device;
    const context = new cl.Context([device]);
    const queue = new cl.CommandQueue(context);
    using program = new cl.Program(context, '__kernel void twice(__global int *a) { a[0] *= 2; }').build();
    const kernel = new cl.Kernel(program, 'twice');
    const buffer = new cl.Buffer(context, cl.MemFlags.READ_WRITE, 64);
    given = { context, queue, kernel, buffer, device };
  });
  afterAll(() => {
    for (const object of [given.buffer, given.kernel, given.queue, given.context]) object.close();
  });

  test.each(CALLS)('%s', (_, call) => {
    let error: unknown;
    try {
      call(given);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(Error);
    const { message } = error as Error;
    expect(message).toMatch(/must|takes|take |is 1|is a string|knows no|needs/);
    expect(message).not.toMatch(/Cannot|is not a function|iterable|undefined \(/);
  });
});

import { expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { opencl } from '../../../src/opencl/select.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const { READ_WRITE } = cl.MemFlags;

needs.opencl().describe.each(openclRows)('Objects from foreign handles: %s', (_, device) => {
  test('compute as if they were made here, and outlive their makers', () => {
    const made = new cl.Context(device);
    const makersQueue = new cl.CommandQueue(made, { profiling: true });
    const makersBuffer = new cl.Buffer(made, READ_WRITE, 64);
    using ctx = cl.Context.fromHandle(made.handle);
    using queue = cl.CommandQueue.fromHandle(ctx, makersQueue.handle);
    using buffer = cl.Buffer.fromHandle(ctx, makersBuffer.handle);
    expect([ctx.devices, ctx.platform, ctx.identity]).toEqual([[device], device.platform, made.identity]);
    expect([queue.device, queue.profiling, queue.outOfOrder]).toEqual([device, true, false]);
    expect([buffer.byteLength, buffer.flags, buffer.offset]).toEqual([64, READ_WRITE, 0]);
    for (const one of [makersBuffer, makersQueue, made]) one.close();
    using prg = new cl.Program(ctx, '__kernel void f(__global int *a) { a[get_global_id(0)] = 7; }').build();
    const event = prg.kernels.f(queue, 16, null, buffer);
    event.wait();
    expect(event.duration).toBeGreaterThanOrEqual(0n);
    const result = new Int32Array(16);
    cl.enqueueCopy(queue, result, buffer);
    expect(result).toEqual(new Int32Array(16).fill(7));
  });

  test('take a reference of their own, or the one that there is', () => {
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using buffer = new cl.Buffer(ctx, READ_WRITE, 64);
    const counts = (): number[] => [ctx, queue, buffer].map((one) => one.referenceCount);
    const before = counts();
    const copies = [
      cl.Context.fromHandle(ctx.handle),
      cl.CommandQueue.fromHandle(ctx, queue.handle),
      cl.Buffer.fromHandle(ctx, buffer.handle),
    ];
    expect(counts().slice(1)).toEqual(before.slice(1).map((count) => count + 1));
    for (const copy of copies) copy.close();
    expect(counts().slice(1)).toEqual(before.slice(1));
    opencl().clRetainMemObject(buffer.handle);
    const taken = cl.Buffer.fromHandle(ctx, buffer.handle, { retain: false });
    expect(buffer.referenceCount).toBe(2);
    taken.close();
    expect(buffer.referenceCount).toBe(1);
  });

  test('an event is waited for, and waited behind', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using other = new cl.CommandQueue(ctx);
    using go = new cl.UserEvent(ctx);
    const marker = cl.enqueueMarker(queue, { waitFor: [go] });
    const foreign = cl.eventFromHandle(ctx, marker.pending('test') as never);
    const behind = cl.enqueueMarker(other, { waitFor: [foreign] });
    expect([foreign.isDone, behind.isDone]).toEqual([false, false]);
    queue.flush();
    go.setStatus(0);
    await foreign.done();
    await behind.done();
    // Of a marker that waits, NVIDIA's driver tells a type of its own.
    expect([cl.CommandType.MARKER, 0x4003]).toContain(foreign.getInfo('COMMAND_TYPE'));
    expect(foreign.getInfo('COMMAND_TYPE')).toBe(marker.getInfo('COMMAND_TYPE'));
  });

  test('wrong values and objects of another context are refused', () => {
    using ctx = new cl.Context(device);
    using other = new cl.Context(device);
    using queue = new cl.CommandQueue(other);
    using buffer = new cl.Buffer(other, READ_WRITE, 64);
    const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNORM_INT8);
    using image = new cl.Image(ctx, READ_WRITE, format, [4, 4]);
    expect(() => cl.CommandQueue.fromHandle(ctx, queue.handle)).toThrow('belongs to another context');
    expect(() => cl.Buffer.fromHandle(ctx, buffer.handle)).toThrow('belongs to another context');
    expect(() => cl.Buffer.fromHandle(ctx, image.handle)).toThrow('must be a buffer');
    for (const handle of [0n, -1n, 1n << 64n]) expect(() => cl.Context.fromHandle(handle as never)).toThrow(RangeError);
    for (const handle of [1, null, 'x']) expect(() => cl.Buffer.fromHandle(ctx, handle as never)).toThrow(TypeError);
    expect(() => cl.Context.fromHandle(ctx.handle, { own: true } as never)).toThrow("no option 'own'");
    expect([queue.referenceCount, buffer.referenceCount]).toEqual([1, 1]);
  });

  test('images have the type, format and shape that they were made with', () => {
    if (lacks(device, 'images', device.imageSupport)) return;
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNSIGNED_INT8);
    const shapes = [
      { shape: [8] },
      { shape: [8, 4] },
      { shape: [8, 4, 2] },
      { shape: [8, 3], isArray: true },
      { shape: [8, 4, 3], isArray: true },
    ] as const;
    for (const descriptor of shapes) {
      using made = new cl.Image(ctx, READ_WRITE, format, descriptor);
      using image = cl.Image.fromHandle(ctx, made.handle);
      expect([image.type, image.shape, image.extent, image.flags]).toEqual([
        ...[made.type, [...descriptor.shape], made.extent, READ_WRITE],
      ]);
      expect(image.format.equals(format)).toBe(true);
      expect(made.referenceCount).toBe(2);
      const pixels = new Uint8Array(descriptor.shape.reduce<number>((a, b) => a * b, 4)).fill(9);
      const whole = { origin: [0, 0, 0], region: image.extent } as const;
      cl.enqueueCopy(queue, image, pixels, whole);
      made.close();
      const result = new Uint8Array(pixels.length);
      cl.enqueueCopy(queue, result, image, whole);
      expect(result).toEqual(pixels);
    }
  });

  test('samplers are as they were made', () => {
    if (lacks(device, 'images', device.imageSupport)) return;
    using ctx = new cl.Context(device);
    using other = new cl.Context(device);
    using made = new cl.Sampler(ctx, true, cl.AddressingMode.REPEAT, cl.FilterMode.LINEAR);
    using sampler = cl.Sampler.fromHandle(ctx, made.handle);
    expect(made.referenceCount).toBe(2);
    expect(() => cl.Sampler.fromHandle(other, made.handle)).toThrow('belongs to another context');
    made.close();
    expect([sampler.normalizedCoords, sampler.addressingMode, sampler.filterMode]).toEqual([
      ...[true, cl.AddressingMode.REPEAT, cl.FilterMode.LINEAR],
    ]);
  });

  test('pipes are as they were made', () => {
    using ctx = new cl.Context(device);
    if (lacks(device, 'pipes', cl.Pipe.isSupported(ctx))) return;
    using made = new cl.Pipe(ctx, 4, 16);
    using pipe = cl.Pipe.fromHandle(ctx, made.handle);
    expect([pipe.packetSize, pipe.maxPackets, pipe.flags]).toEqual([4, 16, made.flags]);
    expect(() => cl.Buffer.fromHandle(ctx, made.handle)).toThrow('must be a buffer');
  });

  test('programs are at the stage in which they are, kernels know their parameters', () => {
    using ctx = new cl.Context(device);
    using other = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using memory = new cl.Buffer(ctx, READ_WRITE, 16);
    const source = '__kernel void f(__global int *a, int x) { a[get_global_id(0)] = x; }';
    const values = (): number[] => {
      const result = new Int32Array(4);
      cl.enqueueCopy(queue, result, memory);
      return [...result];
    };
    using made = new cl.Program(ctx, source).build('-DUNUSED', { cache: false });
    using program = cl.Program.fromHandle(ctx, made.handle);
    expect([program.source, program.kernelNames, program.devices]).toEqual([source, ['f'], [device]]);
    expect(program.options).toContain('-DUNUSED');
    program.kernels['f']?.(queue, 4, null, memory, 3);
    expect(values()).toEqual([3, 3, 3, 3]);
    expect(() => program.build()).toThrow('already built');
    expect(() => cl.Program.fromHandle(other, made.handle)).toThrow('belongs to another context');

    using kernel = new cl.Kernel(made, 'f');
    using again = cl.Kernel.fromHandle(ctx, kernel.handle);
    expect([again.name, again.parameterCount, again.signature]).toEqual(['f', 2, kernel.signature]);
    expect(() => again(queue, 4, null, memory, 0.5)).toThrow(/int x/);
    again(queue, 4, null, memory, 5);
    // Each of the two sets arguments of which the other does not know.
    kernel(queue, 4, null, memory, 6);
    again(queue, 4, null, memory, 5);
    expect(values()).toEqual([5, 5, 5, 5]);
    expect(() => cl.Kernel.fromHandle(other, kernel.handle)).toThrow('belongs to another context');

    using fresh = new cl.Program(ctx, source);
    using unbuilt = cl.Program.fromHandle(ctx, fresh.handle);
    expect(() => unbuilt.kernelNames).toThrow('build() the program first');
    expect(unbuilt.build().kernelNames).toEqual(['f']);
  });

  test('shared memory of another library is used and not freed', () => {
    using ctx = new cl.Context(device);
    const has =
      device.platform.atLeast(2, 0) && (device.svmCapabilities & cl.DeviceSvmCapabilities.COARSE_GRAIN_BUFFER) !== 0;
    if (lacks(device, 'shared memory', has)) return;
    using queue = new cl.CommandQueue(ctx);
    using made = cl.csvmEmpty(ctx, 4, 'i32');
    using memory = cl.SVMAllocation.fromHandle(ctx, made.address, 16, made.flags, { type: 'i32' });
    cl.enqueueSVMMemFill(queue, memory, cl.int32(7));
    expect(() => memory.enqueueRelease(queue)).toThrow('the memory belongs to the library that allocated it');
    memory.close();
    using map = made.map(queue, cl.MapFlags.READ);
    expect([...map.array]).toEqual([7, 7, 7, 7]);
    expect(() => cl.SVMAllocation.fromHandle(ctx, 0n, 16)).toThrow(RangeError);
    expect(() => cl.SVMAllocation.fromHandle(ctx, made.address, 6, made.flags, { type: 'i32' })).toThrow(
      /not a multiple/,
    );
  });

  test('images, pipes and buffers are told apart', () => {
    using ctx = new cl.Context(device);
    using buffer = new cl.Buffer(ctx, READ_WRITE, 64);
    expect(() => cl.Image.fromHandle(ctx, buffer.handle)).toThrow('must be an image');
    expect(() => cl.Pipe.fromHandle(ctx, buffer.handle)).toThrow('must be a pipe');
    expect(buffer.referenceCount).toBe(1);
    for (const from of [cl.Image, cl.Sampler, cl.Pipe, cl.Program, cl.Kernel]) {
      expect(() => from.fromHandle(ctx, 0n as never)).toThrow(RangeError);
      expect(() => from.fromHandle(ctx, 'x' as never)).toThrow(TypeError);
      expect(() => from.fromHandle(5 as never, 1n as never)).toThrow(TypeError);
    }
  });
});

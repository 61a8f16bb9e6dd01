import { expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, mindsLists, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  const cannot = (partition: cl.Partition): boolean =>
    lacks(device, `division ${JSON.stringify(partition)}`, cl.SubDevice.isPossible(device, partition));

  test('Platform.getDevices gives devices of the type that is asked for', () => {
    const { CPU, GPU, ACCELERATOR, ALL } = cl.DeviceType;
    for (const type of [CPU, GPU, ACCELERATOR]) {
      for (const found of device.platform.getDevices(type)) expect(found.type & type).toBe(type);
    }
    expect(device.platform.getDevices(ALL)).toContain(device);
  });

  test('Device.createSubDevices divides into equal parts, which are devices of their own', () => {
    if (cannot({ equally: 1 })) return;
    const parts = device.createSubDevices({ equally: 1 });
    expect(parts).toHaveLength(device.maxComputeUnits);
    const [part] = parts as [cl.SubDevice];
    expect(parts.every(({ maxComputeUnits }) => maxComputeUnits === 1)).toBe(true);
    expect([part.parent, part.platform, part.name]).toEqual([device, device.platform, device.name]);
    expect(part.getInfo('PARENT_DEVICE')).toBe(device.raw);
    for (const other of parts.slice(1)) other.close();

    using ctx = new cl.Context(part);
    using queue = new cl.CommandQueue(ctx);
    using prg = new cl.Program(
      ctx,
      '__kernel void f(__global int *a) { a[get_global_id(0)] = get_global_id(0); }',
    ).build();
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 16);
    prg.kernels.f(queue, 4, null, a);
    const result = new Int32Array(4);
    cl.enqueueCopy(queue, result, a);
    expect([...result]).toEqual([0, 1, 2, 3]);
    part.close();
    part.close();
    expect(part.maxComputeUnits).toBe(1);
    expect(() => new cl.Context(part)).toThrow(cl.ClosedError);
  });

  test('Device.createSubDevices divides by counts', () => {
    if (cannot({ counts: [1] })) return;
    const counts = device.maxComputeUnits > 1 ? [1, device.maxComputeUnits - 1] : [1];
    for (const partition of [{ counts }, [0x1087, ...counts, 0]] as cl.Partition[]) {
      const parts = device.createSubDevices(partition);
      expect(parts.map(({ maxComputeUnits }) => maxComputeUnits)).toEqual(counts);
      for (const part of parts) part.close();
      expect(() => parts[0]?.name).toThrow(cl.ClosedError);
    }
    expect(() => device.createSubDevices({ counts: [device.maxComputeUnits, 1] })).toThrow(
      /add up to \d+ compute units/,
    );
  });

  test('Device.createSubDevices refuses impossible partitions', () => {
    const wrong = (partition: unknown) => () => device.createSubDevices(partition as never);
    for (const partition of [{ equally: 0 }, { equally: 1.5 }, { counts: [0] }, { affinityDomain: 0 }]) {
      expect(wrong(partition)).toThrow(RangeError);
    }
    for (const partition of [
      {},
      [],
      null,
      { equal: 1 },
      { equally: 1, counts: [1] },
      { counts: [] },
      1,
      { counts: 1 },
    ]) {
      expect(wrong(partition)).toThrow(TypeError);
    }
    expect(wrong([0x7fff])).toThrow(/cannot be divided/);
  });

  test('Device.hostTimer and deviceAndHostTimer tell the time, or what has none says so', () => {
    const times = ((): bigint[] | string => {
      try {
        const { device: deviceTime, host } = device.deviceAndHostTimer();
        return [deviceTime, host, device.hostTimer()];
      } catch (error) {
        return String(error);
      }
    })();
    if (typeof times === 'string') {
      expect(times).toMatch(/CL_INVALID_OPERATION|CL_INVALID_VALUE|needs OpenCL 2\.1/);
      return;
    }
    const [deviceTime = 0n, host = 0n, later = 0n] = times;
    expect(deviceTime).toBeGreaterThan(0n);
    expect(later).toBeGreaterThanOrEqual(host);
  });

  test('Device.uuid and pciBusInfo are there with their extensions', () => {
    const { uuid, pciBusInfo } = device;
    expect(uuid !== undefined).toBe(device.hasExtension('cl_khr_device_uuid'));
    if (uuid !== undefined) expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    if (device.hasExtension('cl_khr_pci_bus_info')) expect(pciBusInfo?.bus).toBeGreaterThanOrEqual(0);
  });

  test('handle is what the driver knows an object by', () => {
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    using prg = new cl.Program(ctx, '__kernel void f(__global int *a) { a[0] = 1; }').build();
    using f = prg.kernel('f');
    for (const { handle } of [ctx, queue, a, prg, f]) expect(handle).toBeGreaterThan(0n);
    expect(queue.getInfo('CONTEXT')).toBe(ctx.handle);
    expect(a.getInfo('CONTEXT')).toBe(ctx.handle);
    expect(f.getInfo('PROGRAM')).toBe(prg.handle);
    a.close();
    expect(() => a.handle).toThrow(cl.ClosedError);
  });

  test('context_dep_memoize: what is made of a context has it, and a WeakMap knows it by that', () => {
    const made = new WeakMap<cl.Context, number>();
    let count = 0;
    const numberOf = ({ context }: { readonly context: cl.Context }): number => {
      if (!made.has(context)) made.set(context, count++);
      return made.get(context) ?? NaN;
    };
    using first = new cl.Context(device);
    using second = new cl.Context(device);
    using queue = new cl.CommandQueue(first);
    using buffer = new cl.Buffer(first, cl.MemFlags.READ_WRITE, 64);
    using part = buffer.subRegion(0, 32);
    using prg = new cl.Program(first, '__kernel void f(__global int *a) { a[0] = 1; }');
    using other = new cl.Buffer(second, cl.MemFlags.READ_WRITE, 64);
    expect([queue, buffer, part, prg, other].map(numberOf)).toEqual([0, 0, 0, 0, 1]);
  });

  test('getInfo takes any number with a kind, on every class', () => {
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    using prg = new cl.Program(ctx, '__kernel void f(__global int *a) { a[0] = 1; }').build();
    using f = prg.kernel('f');
    const event = prg.kernels.f(queue, 1, null, a);
    expect(device.platform.getInfo(cl.PlatformInfo.NAME[0], 'string')).toBe(device.platform.name);
    const memory: bigint = device.getInfo(cl.DeviceInfo.GLOBAL_MEM_SIZE[0], 'u64');
    expect(Number(memory)).toBe(device.globalMemSize);
    expect(ctx.getInfo(cl.ContextInfo.DEVICES[0], 'handles')).toEqual([device.raw]);
    expect(ctx.getInfo('NUM_DEVICES')).toBe(1);
    expect(queue.getInfo(cl.QueueInfo.DEVICE[0], 'handle')).toBe(device.raw);
    expect(queue.getInfo('PROPERTIES')).toBe(0);
    expect(a.getInfo(cl.MemInfo.SIZE[0], 'size')).toBe(64);
    expect(a.getInfo(cl.MemInfo.TYPE[0], 'uints')).toEqual([cl.MemObjectType.BUFFER]);
    expect([a.getInfo('MAP_COUNT'), a.getInfo('HOST_PTR'), a.getInfo('OFFSET')]).toEqual([0, 0n, 0]);
    expect(prg.getInfo(cl.ProgramInfo.NUM_KERNELS[0], 'u64')).toBe(1n);
    expect(f.getInfo(cl.KernelInfo.FUNCTION_NAME[0], 'string')).toBe('f');
    expect(f.getInfo('PROGRAM')).toBe(f.getInfo(cl.KernelInfo.PROGRAM[0], 'u64'));
    event.wait();
    expect(event.getInfo('COMMAND_EXECUTION_STATUS')).toBe(cl.CommandExecutionStatus.COMPLETE);
    expect(event.getInfo('COMMAND_TYPE')).toBe(cl.CommandType.NDRANGE_KERNEL);
    expect(event.getInfo('COMMAND_QUEUE')).toBe(queue.handle);
    expect(() => event.getInfo('REFERENCE_COUNT')).toThrow('has ended');
    using go = new cl.UserEvent(ctx);
    expect(go.getInfo('COMMAND_TYPE')).toBe(cl.CommandType.USER);
    expect(go.getInfo(cl.EventInfo.CONTEXT[0], 'handle')).toBe(ctx.use('test'));
    for (const subject of [device.platform, device, ctx, queue, a, prg, f, go]) {
      const ask = subject.getInfo.bind(subject) as (param: number, kind: string) => unknown;
      expect(() => ask(0x7fff_0000, 'uint')).toThrow(cl.OpenCLError);
      expect(() => ask(1, 'text')).toThrow(/takes the kind/);
    }
  });

  test('CommandQueue takes hints and lists of properties where the device knows them', () => {
    using ctx = new cl.Context(device);
    for (const [option, extension] of [
      ['priority', 'cl_khr_priority_hints'],
      ['throttle', 'cl_khr_throttle_hints'],
    ] as const) {
      const make = (value: unknown): cl.CommandQueue => new cl.CommandQueue(ctx, { [option]: value });
      expect(() => make('fast')).toThrow(TypeError);
      if (device.hasExtension(extension)) make('low').close();
      else expect(() => make('low')).toThrow(`needs ${extension}`);
    }
    const list = (properties: unknown) => (): cl.CommandQueue => new cl.CommandQueue(ctx, { properties } as never);
    for (const wrong of [[1], 1, {}, null]) expect(list(wrong)).toThrow(TypeError);
    for (const wrong of [
      [1, -1],
      [0, 0],
      [1, NaN],
    ])
      expect(list(wrong)).toThrow(RangeError);
    if (lacks(device, 'check of queue properties', mindsLists(device))) return;
    expect(list([0x7fff_0000, 1])).toThrow(/INVALID|needs OpenCL 2\.0/);
  });

  test('Pipe and DeviceQueue are made where the device has them; elsewhere they say what is missing', () => {
    using ctx = new cl.Context(device);
    const pipe = (): void => new cl.Pipe(ctx, 4, 16).close();
    if (cl.Pipe.isSupported(ctx)) pipe();
    else expect(pipe).toThrow(/has no pipes|needs OpenCL 2\.0/);
    const queue = (): void => new cl.DeviceQueue(ctx).close();
    if (device.platform.atLeast(2, 0) && device.queueOnDeviceMaxSize > 0) queue();
    else expect(queue).toThrow(/kernels cannot enqueue|needs OpenCL 2\.0/);
    expect(() => new cl.Pipe(ctx, 0, 1)).toThrow(RangeError);
    expect(() => new cl.Pipe(ctx, 4, 2 ** 40)).toThrow(RangeError);
    expect(() => new cl.Pipe(ctx, 4, 4, mf.COPY_HOST_PTR)).toThrow(RangeError);
  });
});

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as cl from '../../../../src/opencl/index.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import type { OpenCLTable } from '../../../../src/opencl/sys/tables.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

// What none of the drivers at hand has, on a table that has it.

let fake: FakeOpenCL;
const said: { extensions: string; numbers: Map<number, number | Uint8Array>; version: string } = {
  extensions: '',
  numbers: new Map(),
  version: '',
};
let lists: number[][];

beforeEach(() => {
  fake = fakeOpenCL();
  fake.platforms = [{ name: 'Fake', version: 'OpenCL 3.0 Fake', devices: [['Fake CPU', 2]] }];
  said.extensions = '';
  said.numbers = new Map<number, number | Uint8Array>([
    [cl.DeviceInfo.PIPE_SUPPORT[0], 1],
    [cl.DeviceInfo.PIPE_MAX_PACKET_SIZE[0], 1024],
    [cl.DeviceInfo.QUEUE_ON_DEVICE_MAX_SIZE[0], 4096],
  ]);
  lists = [];
  useOpenCL(table());
});
afterEach(() => {
  useOpenCL(undefined);
});

/** The fake, with more to tell, and with pipes and properties of queues. */
function table(): OpenCLTable {
  const clGetDeviceInfo: OpenCLTable['clGetDeviceInfo'] = (device, param, size, value, total) => {
    const answer =
      param === cl.DeviceInfo.EXTENSIONS[0]
        ? new TextEncoder().encode(`${said.extensions}\0`)
        : said.numbers.get(param);
    if (answer === undefined) return fake.table.clGetDeviceInfo(device, param, size, value, total);
    const bytes = typeof answer === 'number' ? new Uint8Array(new BigUint64Array([BigInt(answer)]).buffer) : answer;
    if (total !== 0n) (total as BigUint64Array)[0] = BigInt(bytes.length);
    if (value !== 0n) (value as Uint8Array).set(bytes);
    return 0;
  };
  const made = (...args: unknown[]): never => {
    (args.at(-1) as Int32Array)[0] = 0;
    return 0x77n as never;
  };
  return {
    ...fake.table,
    clGetDeviceInfo,
    clCreatePipe: made,
    clReleaseMemObject: () => 0,
    clReleaseCommandQueue: () => 0,
    clSetDefaultDeviceCommandQueue: () => 0,
    clCreateCommandQueueWithProperties: (...args) => {
      lists.push(Array.from(args[2] as BigUint64Array, Number));
      return made(...args);
    },
  };
}

describe('CommandQueue', () => {
  test('hands its hints and properties over', () => {
    said.extensions = 'cl_khr_priority_hints cl_khr_throttle_hints';
    using ctx = cl.createSomeContext();
    using queue = new cl.CommandQueue(ctx, {
      priority: 'high',
      throttle: 'low',
      profiling: true,
      properties: [0x9999, 5],
    });
    expect(queue.profiling).toBe(true);
    expect(lists).toEqual([[0x1093, 2, 0x1096, 1, 0x1097, 4, 0x9999, 5, 0]]);
  });

  test('says which extension or version a hint needs', () => {
    using ctx = cl.createSomeContext();
    const hint = (): cl.CommandQueue => new cl.CommandQueue(ctx, { priority: 'medium' });
    expect(hint).toThrow('CommandQueue: priority needs cl_khr_priority_hints, which Fake CPU does not have');
    fake.platforms = [{ name: 'Old', version: 'OpenCL 1.2 Fake', devices: [['Fake CPU', 2]] }];
    useOpenCL(table());
    using old = cl.createSomeContext();
    const list = (): cl.CommandQueue => new cl.CommandQueue(old, { properties: [1, 2] });
    expect(list).toThrow('needs OpenCL 2.0; Old has OpenCL 1.2 Fake');
  });
});

describe('DeviceQueue', () => {
  test('is made with its size, and becomes the default', () => {
    using ctx = cl.createSomeContext();
    using queue = new cl.DeviceQueue(ctx, { size: 2048, isDefault: true, profiling: true });
    expect(lists).toEqual([[0x1093, 1 | 2 | 4 | 8, 0x1094, 2048, 0]]);
    queue.makeDefault();
    expect(() => new cl.DeviceQueue(ctx, { size: 8192 })).toThrow('from 1 to 4096, got 8192');
    expect(() => new cl.DeviceQueue(ctx, { length: 1 } as never)).toThrow("no option 'length'");
  });

  test('is an argument of kernels', () => {
    fake.parameters = [['queue_t', 'q']];
    using ctx = cl.createSomeContext();
    using queue = new cl.CommandQueue(ctx);
    using inner = new cl.DeviceQueue(ctx);
    using prg = new cl.Program(ctx, '// not told').build('', { cache: false });
    using f = new cl.Kernel(prg, 'f');
    f(queue, 1, null, inner);
    expect([...(fake.arguments.get(0)?.bytes ?? [])]).toEqual([0x77, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('Pipe', () => {
  test('tells its sizes, and is an argument of kernels', () => {
    fake.parameters = [['pipe int', 'p']];
    using ctx = cl.createSomeContext();
    using pipe = new cl.Pipe(ctx, 4, 100);
    expect([pipe.packetSize, pipe.maxPackets, cl.Pipe.isSupported(ctx)]).toEqual([4, 100, true]);
    expect(() => new cl.Pipe(ctx, 2048, 1)).toThrow('packets of 2048 bytes are too large; the device allows 1024');
    using queue = new cl.CommandQueue(ctx);
    using prg = new cl.Program(ctx, '// not told').build('', { cache: false });
    using f = new cl.Kernel(prg, 'f');
    f(queue, 1, null, pipe);
    expect(fake.arguments.get(0)?.byteLength).toBe(8);
  });

  test('says that a device has none', () => {
    said.numbers.set(cl.DeviceInfo.PIPE_SUPPORT[0], 0);
    using ctx = cl.createSomeContext();
    expect(() => new cl.Pipe(ctx, 4, 1)).toThrow('Fake CPU has no pipes');
    expect(cl.Pipe.isSupported(ctx)).toBe(false);
  });
});

describe('Device', () => {
  const first = (): cl.Device => cl.getPlatforms()[0]?.getDevices()[0] as cl.Device;

  test('tells its UUID', () => {
    said.extensions = 'cl_khr_device_uuid';
    said.numbers.set(
      cl.DeviceInfo.UUID_KHR[0],
      Uint8Array.from({ length: 16 }, (_, i) => 16 + i),
    );
    expect(first().uuid).toBe('10111213-1415-1617-1819-1a1b1c1d1e1f');
  });

  test.each([
    [
      'cl_khr_pci_bus_info',
      [[0x410f, Uint8Array.from(new Uint8Array(Uint32Array.of(1, 2, 3, 4).buffer))]],
      [1, 2, 3, 4],
    ],
    [
      'cl_nv_device_attribute_query',
      [
        [0x4008, 5],
        [0x4009, 0x1a],
        [0x400a, 6],
      ],
      [6, 5, 3, 2],
    ],
    [
      'cl_amd_device_attribute_query',
      [[0x4037, Uint8Array.of(1, ...new Array<number>(20).fill(0), 7, 8, 9)]],
      [0, 7, 8, 9],
    ],
    ['cl_amd_device_attribute_query', [], undefined],
    ['', [], undefined],
  ] as const)('tells its place on the PCI bus by %s', (extension, answers, expected) => {
    said.extensions = extension;
    for (const [param, answer] of answers as readonly (readonly [number, number | Uint8Array])[]) {
      said.numbers.set(param, answer);
    }
    const info = first().pciBusInfo;
    expect(info && [info.domain, info.bus, info.device, info.function]).toEqual(expected && [...expected]);
  });
});

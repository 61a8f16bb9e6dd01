import { expect, test } from '@jest/globals';
import { Context, Device, memAlloc, Stream, toDevice, type DeviceAllocation } from '../../../src/cuda/index.ts';
import * as xp from '../../../src/cuda/array/index.ts';
import { Communicator } from '../../../src/nccl/index.ts';
import { elements, type NcclDType } from '../../../src/nccl/elements.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';

const driver = withFakeDriver();
const fake = withFakeNccl();
const SIZE = 4;
const RANK = 1;

type Call = (comm: Communicator, memory: DeviceAllocation) => Promise<void>;

const f32 = { dtype: 'f32' } as const;

test.each<[why: string, call: Call, message: string]>([
  [
    'no memory',
    (comm) => comm.allReduce(5 as never, f32),
    'Communicator.allReduce: x must be an array in CUDA memory or device memory, got 5',
  ],
  ['a host array', (comm) => comm.allReduce(new Float32Array(4) as never, f32), 'got a Float32Array'],
  [
    'an address of the host',
    (comm) => comm.allReduce(0x1234n, { ...f32, count: 1 }),
    'must be device memory, got the address 0x1234, which CUDA does not know',
  ],
  [
    'nothing tells the dtype',
    (comm, m) => comm.allReduce(m),
    "nothing tells what the memory holds; give dtype, such as { dtype: 'f32' }",
  ],
  [
    'i16',
    (comm, m) => comm.allReduce(m, { dtype: 'i16' as never }),
    "NCCL has no elements of dtype i16; reduce x.astype('i32'), or move x.view('u8')",
  ],
  ['bool', (comm, m) => comm.broadcast(m, { dtype: 'bool' as never }), 'NCCL has no elements of dtype bool'],
  ['an unknown dtype', (comm, m) => comm.allReduce(m, { dtype: 'f33' as never }), 'dtype must be one of i8, u8, i32'],
  [
    'an unknown op',
    (comm, m) => comm.allReduce(m, { ...f32, op: 'xor' as never }),
    "op must be 'sum', 'prod', 'max', 'min', 'avg' or a PreMulSum, got the string \"xor\"",
  ],
  [
    'a product of complex numbers',
    (comm, m) => comm.allReduce(m, { dtype: 'c64', op: 'prod' }),
    "op must be 'sum' or 'avg' for c64, got 'prod'",
  ],
  [
    'a count that is too large',
    (comm, m) => comm.allReduce(m, { ...f32, count: 17 }),
    'x must have 17 elements (68 bytes), got 16 (64 bytes)',
  ],
  ['a negative count', (comm, m) => comm.allReduce(m, { ...f32, count: -1 }), 'count must be an integer >= 0, got -1'],
  [
    'an unknown option',
    (comm, m) => comm.allReduce(m, { ...f32, root: 0 } as never),
    "Communicator.allReduce has no option 'root'; it knows stream, count, dtype, timeoutMs, op, out",
  ],
  [
    'a root beyond the ranks',
    (comm, m) => comm.broadcast(m, { ...f32, root: 4 }),
    'root must be an integer from 0 to 3, got 4',
  ],
  ['a peer beyond the ranks', (comm, m) => comm.send(m, -1, f32), 'to must be an integer from 0 to 3, got -1'],
  [
    'no out',
    (comm, m) => comm.allGather(m, f32),
    'out must be given, got undefined: it gets 4 times the elements of x',
  ],
  [
    'an out that is too small',
    (comm, m) => comm.allGather(m, { ...f32, out: m.slice(0, 16) }),
    'out must have 64 elements (256 bytes), got 4 (16 bytes)',
  ],
  [
    'memory that the ranks do not divide',
    (comm, m) => comm.reduceScatter(m.slice(0, 20), { ...f32, out: m }),
    'x has 5 elements, which must be a multiple of 4, the number of ranks',
  ],
  [
    'bytes that are not whole elements',
    (comm, m) => comm.allReduce(m.slice(0, 6), f32),
    'x has 6 bytes, which must be a multiple of 4, the size of f32',
  ],
  [
    'an overlap',
    (comm, m) => comm.allReduce(m.slice(0, 32), { ...f32, out: m.slice(16, 32) }),
    'they may overlap in place only: out is x itself',
  ],
  [
    'a part at the wrong place',
    (comm, m) => comm.allGather(m.slice(0, 16), { ...f32, out: m }),
    'x is the part of out that begins at element 4 (rank x count)',
  ],
  ['allToAll in place', (comm, m) => comm.allToAll(m, { ...f32, out: m.slice(0) }), 'they must not overlap'],
  [
    'not a stream',
    (comm, m) => comm.allReduce(m, { ...f32, stream: 5 as never }),
    'stream must be a Stream or null, got 5',
  ],
  ['no time', (comm, m) => comm.allReduce(m, { ...f32, timeoutMs: 0 }), 'timeoutMs must be an integer from 1'],
  ['not options', (comm, m) => comm.allReduce(m, 5 as never), 'must be an options object, got 5'],
])('%s is refused before NCCL is called', async (_why, call, message) => {
  using comm = await communicator({ rank: RANK });
  using memory = memAlloc(64);
  expect(() => call(comm, memory)).toThrow(message);
  expect(fake.started).toEqual([]);
});

test('closed memory, closed streams, arrays with gaps and arrays of other dtypes are refused', async () => {
  using comm = await communicator();
  const closed = memAlloc(64);
  closed.close();
  expect(() => comm.allReduce(closed, f32)).toThrow('is closed');
  const array = xp.empty([4, 4]);
  expect(() => comm.allReduce(array.T)).toThrow(
    'x must be contiguous: elements one after another; got shape [4, 4] with strides [1, 4]. Pass .copy() of it',
  );
  using wide = xp.empty([4, 4], { dtype: 'f64' });
  expect(() => comm.allReduce(array, { out: wide })).toThrow('out must have elements of dtype f32, got f64');
  using longer = xp.empty(17);
  expect(() => comm.allReduce(array, { out: longer })).toThrow(
    'out must have 16 elements, got 17; give { count } to use a part',
  );
  array.close();
  expect(() => comm.allReduce(array)).toThrow('is closed');
  const stream = new Stream();
  stream.close();
  expect(() => comm.allReduce(wide, { stream })).toThrow('is closed');
});

test('a call that was made before is checked as the first time where anything differs', async () => {
  using comm = await communicator();
  using array = xp.empty(16);
  using stream = new Stream();
  for (const options of [undefined, { stream }, {}, { count: 8 }, { count: 8, stream }, { op: 'max' }] as const) {
    await comm.allReduce(array, options);
    await comm.allReduce(array, options);
  }
  expect(fake.started.flat().map(({ args }) => [args['count'], args['op'], args['stream']])).toEqual(
    [
      [16, 0, 0n],
      [16, 0, stream.handle],
      [16, 0, stream.handle],
      [8, 0, stream.handle],
      [8, 0, stream.handle],
      [16, 2, stream.handle],
    ].flatMap((row) => [row, row]),
  );
  await comm.broadcast(array);
  await comm.broadcast(array, { count: 3 });
  expect(
    fake.started
      .flat()
      .slice(-2)
      .map(({ routine, args }) => [routine, args['count']]),
  ).toEqual([
    ['ncclBroadcast', 16],
    ['ncclBroadcast', 3],
  ]);
  await comm.allReduce(array, { count: 8 });
  const wrong =
    (options: unknown): (() => Promise<void>) =>
    () =>
      comm.allReduce(array, options as never);
  expect(wrong({ count: 8, ops: 'sum' })).toThrow("Communicator.allReduce has no option 'ops'");
  expect(wrong({ ops: 'sum' })).toThrow("has no option 'ops'");
  expect(wrong({ count: -1 })).toThrow('count must be');
  expect(wrong({ count: 8, stream: 5 })).toThrow('stream must be a Stream or null, got 5');
  expect(wrong(null)).toThrow('must be an options object, got null');
  expect(wrong('count')).toThrow('must be an options object');
  stream.close();
  expect(wrong({ count: 8, stream })).toThrow('is closed');
  array.close();
  expect(wrong({ count: 8 })).toThrow('is closed');
});

test('one rank: a mean is its own numbers, and NCCL has no product of 8-bit floats', async () => {
  using comm = await communicator({ rank: 0, size: 1 });
  using memory = memAlloc(64);
  await comm.allReduce(memory, { dtype: 'f8e4m3', op: 'avg' });
  expect(fake.started.flat()[0]?.args['op']).toBe(0);
  using factor = await comm.createPreMulSum(memory, 'f8e5m2');
  expect(() => comm.reduceScatter(memory, { dtype: 'f8e5m2', op: factor, out: memory })).toThrow(
    'op must not be a PreMulSum of f8e5m2 where there is one rank',
  );
});

test('memory and streams of another device are refused', async () => {
  driver.devices = 2;
  using comm = await communicator({ name: 'first' });
  const before = Context.current;
  const other = new Context(new Device(1));
  using memory = memAlloc(64);
  using array = xp.empty(4);
  using stream = new Stream();
  before?.makeCurrent();
  expect(() => comm.allReduce(memory, f32)).toThrow(
    "must be in the memory of device 0, that of the communicator (rank 0 of 4 of 'first'), got memory of device 1",
  );
  expect(() => comm.allReduce(array)).toThrow(
    'got an array of another context; make it while communicator.context is current',
  );
  using mine = memAlloc(64);
  expect(() => comm.allReduce(mine, { ...f32, stream })).toThrow('stream must be one of the communicator');
  other.close();
  before?.makeCurrent();
  driver.devices = 1;
});

test('a context that is not the primary one is refused', async () => {
  const before = Context.current;
  const own = new Context(new Device(0), { own: true });
  await expect(communicator()).rejects.toThrow(
    'context must be the primary context of device 0, the only one that NCCL works in',
  );
  own.close();
  before?.makeCurrent();
  await expect(communicator({ context: 5 as never })).rejects.toThrow('context must be a Context, got 5');
  await expect(communicator({ rank: 4 })).rejects.toThrow('rank must be an integer from 0 to 3, got 4');
  await expect(communicator({ id: new Uint8Array(128) as never })).rejects.toThrow('UniqueId.fromBytes(bytes)');
  await expect(communicator({ onTimeout: 'x' as never })).rejects.toThrow(
    "onTimeout must be 'abort', 'exit' or 'report'",
  );
});

test('a device twice, and several devices whose launches block, are refused', async () => {
  driver.devices = 2;
  await expect(Communicator.initAll([0, 0])).rejects.toThrow('got device 0 twice');
  await expect(Communicator.initAll([])).rejects.toThrow('got an empty one');
  await expect(Communicator.initAll(['x' as never])).rejects.toThrow(
    'a device must be a Device, its number or a Context',
  );
  process.env['CUDA_LAUNCH_BLOCKING'] = '1';
  try {
    await expect(Communicator.initAll([0, 1])).rejects.toThrow('CUDA_LAUNCH_BLOCKING must not be 1');
    const [only] = await Communicator.initAll([0]);
    only?.close();
  } finally {
    delete process.env['CUDA_LAUNCH_BLOCKING'];
    driver.devices = 1;
  }
});

test('memory that was copied to knows its dtype; one that is given wins', async () => {
  using comm = await communicator();
  using memory = toDevice(new Float64Array(8));
  await comm.allReduce(memory);
  await comm.allReduce(memory, { dtype: 'u8' });
  expect(fake.started.map(([call]) => [call?.args['datatype'], call?.args['count']])).toEqual([
    [8, 8],
    [1, 64],
  ]);
});

test('a function that the installed NCCL lacks is refused before anything is sent', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  const { ncclAlltoAll } = fake.table;
  const lacks = Object.getOwnPropertyDescriptor(fake.table, 'ncclAlltoAll') as PropertyDescriptor;
  Object.defineProperty(fake.table, 'ncclAlltoAll', {
    configurable: true,
    get: () => {
      throw new Error('ncclAlltoAll is not in NCCL 2.27');
    },
  });
  expect(() => comm.allToAll(x, { ...f32, out: x })).toThrow();
  Object.defineProperty(fake.table, 'ncclAlltoAll', lacks);
  expect(fake.table.ncclAlltoAll).toBe(ncclAlltoAll);
});

const names = Object.keys(elements) as NcclDType[];
const REDUCTIONS = { sum: 0, prod: 1, max: 2, min: 3, avg: 4 } as const;

/** What NCCL must get, worked out from the manual and not from the code. */
const EXPECTED: Readonly<Record<string, { sent: number; got: number; root: boolean; reduces: boolean }>> = {
  allReduce: { sent: 1, got: 1, root: false, reduces: true },
  reduce: { sent: 1, got: 1, root: true, reduces: true },
  broadcast: { sent: 1, got: 1, root: true, reduces: false },
  allGather: { sent: 1, got: SIZE, root: false, reduces: false },
  reduceScatter: { sent: SIZE, got: 1, root: false, reduces: true },
  allToAll: { sent: SIZE, got: SIZE, root: false, reduces: false },
  gather: { sent: 1, got: SIZE, root: true, reduces: false },
  scatter: { sent: SIZE, got: 1, root: true, reduces: false },
};

/** A count that differs from case to case. */
function* counts(): Generator<number> {
  for (let i = 0; ; i++) yield 1 + ((i * 7) % 9);
}

test.each(Object.keys(EXPECTED))(
  '%s arrives at NCCL as the manual has it, with each dtype, op and root',
  async (name) => {
    using comm = await communicator({ rank: RANK });
    const { sent, got, root: hasRoot, reduces } = EXPECTED[name] as (typeof EXPECTED)[string];
    const method = (comm as unknown as Record<string, (x: unknown, options: unknown) => Promise<void>>)[name];
    const count = counts();
    for (const dtype of names) {
      const row = elements[dtype];
      for (const op of reduces ? (Object.keys(REDUCTIONS) as (keyof typeof REDUCTIONS)[]) : [undefined]) {
        if (row.parts === 2 && op !== undefined && op !== 'sum' && op !== 'avg') continue;
        for (const root of hasRoot ? [0, 1, 2, 3] : [undefined]) {
          const n = count.next().value as number;
          using x = memAlloc(sent * n * row.size);
          using out = memAlloc(got * n * row.size);
          fake.started.length = 0;
          await method?.call(comm, x, { dtype, out, ...(root === undefined ? {} : { root }), ...(op ? { op } : {}) });
          const args = fake.started[0]?.[0]?.args ?? {};
          expect(args['count'] ?? args['sendcount'] ?? args['recvcount']).toBe(n * row.parts);
          expect(args['datatype']).toBe(row.type);
          expect(args['op']).toBe(op && REDUCTIONS[op]);
          expect(args['root']).toBe(root);
          const isRoot = root === RANK;
          if (isRoot || !['scatter', 'broadcast'].includes(name)) expect(args['sendbuff']).toBe(x.ptr);
          if (isRoot || !['reduce', 'gather'].includes(name)) expect(args['recvbuff']).toBe(out.ptr);
        }
      }
    }
  },
);

test('in place is what the manual has for each operation', async () => {
  using comm = await communicator({ rank: RANK });
  using memory = memAlloc(64);
  const part = memory.slice(RANK * 16, 16);
  await comm.allGather(part, { ...f32, out: memory });
  await comm.reduceScatter(memory, { ...f32, out: part });
  await comm.gather(part, { ...f32, out: memory, root: RANK });
  await comm.scatter(memory, { ...f32, out: part, root: RANK });
  await comm.scatter(null, { ...f32, out: part });
  await comm.gather(part, f32);
  await comm.reduce(memory, { ...f32, root: 3 });
  expect(fake.started).toHaveLength(7);
});

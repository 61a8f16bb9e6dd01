import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sweepFlights } from '../../../src/core/in-flight.ts';
import { TimelineFile } from '../../../src/core/timeline.ts';
import { Context } from '../../../src/cuda/device/context.ts';
import { memcpyDtoHAsync, memcpyHtoD } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer } from '../../../src/cuda/module/module.ts';
import { useTables } from '../../../src/cuda/select.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { functions } from '../../../src/cuda/sys/driver.ts';
import { DriverTimeline } from '../../../src/cuda/timeline.ts';
import { wrapTable } from '../../../src/ffi/bind.ts';
import { fakeDriver, type FakeDriver } from '../../helpers/fake-driver.ts';
import { expectWarnings } from '../../helpers/warnings.ts';
import { turns } from '../../helpers/until.ts';

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly cat?: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

const PTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry _ZN2ns5scaleIfEEvPT_i(.param .u64 a, .param .u32 b) { ret; }
`;

let folder: string;
let path: string;
let file: TimelineFile;
let fake: FakeDriver;
let watcher: DriverTimeline;
let context: Context;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rawkernel-timeline-'));
  path = join(folder, 'trace.json');
  file = new TimelineFile(path);
  fake = fakeDriver();
  watcher = new DriverTimeline(fake.table, file);
  useTables({ driver: wrapTable(functions, fake.table, (...call) => watcher.watch(...call)) });
  context = new Context();
});
afterEach(() => {
  sweepFlights();
  context.close();
  // It stays for what is collected later.
  useTables({ driver: fake.table });
  rmSync(folder, { recursive: true, force: true });
});

function events(): readonly TraceEvent[] {
  watcher.finish();
  file.close();
  return JSON.parse(readFileSync(path, 'utf8')) as readonly TraceEvent[];
}

const rowsOf = (all: readonly TraceEvent[]): Record<string, number> =>
  Object.fromEntries(
    all.filter(({ name }) => name === 'thread_name').map(({ tid, args }) => [String(args?.['name']), tid]),
  );

test('a launch, a copy and a wait are slices of their rows', () => {
  using stream = new Stream();
  using memory = memAlloc(64);
  using module = moduleFromBuffer(PTX);
  memcpyHtoD(memory, new Uint8Array(64));
  module.getFunction('scale')(memory, 3, { block: [32, 2], grid: 4, shared: 16, stream });
  memcpyDtoHAsync(new Uint8Array(64), memory, stream);
  stream.synchronize();
  const all = events();
  const rows = rowsOf(all);
  expect(Object.keys(rows).sort()).toEqual(
    ['main thread', 'stream (default)', `stream 0x${stream.handle.toString(16)}`].sort(),
  );
  const onDevice = all.filter(({ ph, pid }) => ph === 'X' && pid !== process.pid);
  expect(onDevice.map(({ name, cat, tid, dur, args }) => ({ name, cat, tid, dur, args }))).toEqual([
    { name: 'MemcpyHtoD', cat: 'copy', tid: rows['stream (default)'], dur: 1500, args: { bytes: 64 } },
    {
      name: 'ns::scale',
      cat: 'kernel',
      tid: rows[`stream 0x${stream.handle.toString(16)}`],
      dur: 1500,
      args: { grid: [4, 1, 1], block: [32, 2, 1], shared: 16 },
    },
    {
      name: 'MemcpyDtoH',
      cat: 'copy',
      tid: rows[`stream 0x${stream.handle.toString(16)}`],
      dur: 1500,
      args: { bytes: 64 },
    },
  ]);
  const onHost = all.filter(({ ph, pid }) => ph === 'X' && pid === process.pid);
  expect(onHost.map(({ name, cat }) => [name, cat])).toEqual(
    expect.arrayContaining([
      ['cuModuleLoadDataEx', 'call'],
      ['cuLaunchKernelEx', 'kernel'],
      ['cuStreamSynchronize', 'wait'],
    ]),
  );
});

test('an arrow leads from each call to its work', () => {
  using memory = memAlloc(64);
  memcpyHtoD(memory, new Uint8Array(64));
  memcpyHtoD(memory, new Uint8Array(64));
  const all = events();
  const ids = (ph: string): unknown[] => all.filter((event) => event.ph === ph).map(({ id }) => id);
  expect(ids('s')).toEqual([1, 2]);
  expect(ids('f')).toEqual([1, 2]);
});

test('no event is left, neither of finished work nor of a failed call', () => {
  using memory = memAlloc(64);
  for (let i = 0; i < 600; i++) memcpyHtoD(memory, new Uint8Array(64));
  fake.fail.set('cuMemcpyHtoD', 1);
  expect(() => memcpyHtoD(memory, new Uint8Array(64))).toThrow('CUDA_ERROR_INVALID_VALUE');
  fake.fail.clear();
  expect(events().filter(({ ph, name }) => ph === 'X' && name === 'MemcpyHtoD')).toHaveLength(600);
  expect(fake.live.event).toBe(0);
});

test('a call returns the status of the driver, even if measuring fails', () => {
  using memory = memAlloc(64);
  for (const routine of ['cuEventCreate', 'cuEventRecord', 'cuEventElapsedTime', 'cuCtxGetDevice']) {
    fake.fail.set(routine, 999);
    expect(() => memcpyHtoD(memory, new Uint8Array(64))).not.toThrow();
    watcher.finish();
    fake.fail.clear();
  }
  expect(events().filter(({ ph, pid }) => ph === 'X' && pid !== process.pid)).toEqual([]);
  expect(fake.live.event).toBe(0);
});

test('the end of a context ends what was measured in it', () => {
  const own = new Context(context.device, { own: true });
  const memory = memAlloc(64);
  memcpyHtoD(memory, new Uint8Array(64));
  memory.free();
  own.close();
  expect(fake.live.event).toBe(0);
  context.makeCurrent();
  expect(events().filter(({ name }) => name === 'MemcpyHtoD')).toHaveLength(1);
});

test('a file that cannot be written is a warning, once', async () => {
  const warnings = expectWarnings('RAWKERNEL_TRACE');
  const nowhere = new TimelineFile(join(folder, 'no', 'such', 'folder.json'));
  for (let i = 0; i < 600; i++) nowhere.mark('x', 'test', nowhere.hostRow, i);
  nowhere.close();
  await turns(5);
  expect(warnings).toHaveLength(1);
});

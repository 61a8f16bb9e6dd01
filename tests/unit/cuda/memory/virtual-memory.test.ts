import { afterEach, describe, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { CudaError } from '../../../../src/cuda/errors.ts';
import { Event } from '../../../../src/cuda/stream/event.ts';
import { memIpcHandle, openIpcMemory } from '../../../../src/cuda/memory/ipc.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { AddressRange, memGranularity, PhysicalMemory } from '../../../../src/cuda/memory/virtual-memory.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();
const UNIT = 65_536;

afterEach(() => {
  fake.fail.clear();
  fake.onCall = undefined;
  const { physical, reserved, mapped, opened, memory, event } = fake.live;
  expect({ physical, reserved, mapped, opened, memory, event }).toEqual({
    physical: 0,
    reserved: 0,
    mapped: 0,
    opened: 0,
    memory: 0,
    event: 0,
  });
  expect(liveObjects()).toEqual({ Context: 1 });
});

describe('AddressRange', () => {
  test('maps physical memory, and keeps it while it is mapped', () => {
    using range = new AddressRange(4 * UNIT);
    const memory = new PhysicalMemory(UNIT);
    range.map(UNIT, memory);
    memory.close();
    expect([fake.live.physical, fake.live.mapped]).toEqual([1, 1]);
    range.unmap(UNIT);
    expect([fake.live.physical, fake.live.mapped]).toEqual([0, 0]);
    expect(() => {
      range.unmap(UNIT);
    }).toThrow(/nothing was mapped at 65536/);
  });

  test('close() unmaps all, after the context has finished', () => {
    const range = new AddressRange(4 * UNIT);
    using memory = new PhysicalMemory(UNIT);
    range.map(0, memory);
    range.map(2 * UNIT, memory);
    const calls: string[] = [];
    fake.onCall = (name) => calls.push(name);
    range.close();
    fake.onCall = undefined;
    expect(calls.filter((name) => /Synchronize|Unmap|AddressFree/.test(name))).toEqual([
      'cuCtxSynchronize',
      'cuMemUnmap',
      'cuMemUnmap',
      'cuMemAddressFree',
    ]);
    expect(() => range.ptr).toThrow(ClosedError);
  });

  test('setAccess() covers what is mapped without a gap', () => {
    using range = new AddressRange(4 * UNIT);
    using memory = new PhysicalMemory(UNIT);
    for (const at of [0, UNIT, 3 * UNIT]) range.map(at, memory);
    const sizes: unknown[] = [];
    fake.onCall = (name, args) => {
      if (name === 'cuMemSetAccess') sizes.push([args[0], args[1], ...(args[2] as Uint32Array)]);
    };
    range.setAccess(new Device(0), 'readwrite');
    range.setAccess(new Device(0), 'read', 3 * UNIT);
    fake.onCall = undefined;
    expect(sizes).toEqual([
      [range.ptr, 2 * UNIT, 1, 0, 3],
      [range.ptr + BigInt(3 * UNIT), UNIT, 1, 0, 1],
    ]);
    expect(range.getAccess(new Device(0))).toBe('readwrite');
    expect(range.slice(16, 32).ptr).toBe(range.ptr + 16n);
  });

  test('what does not fit is a RangeError', () => {
    using range = new AddressRange(2 * UNIT);
    using memory = new PhysicalMemory(2 * UNIT);
    expect(() => {
      range.map(UNIT, memory);
    }).toThrow(/65536 \+ 131072 bytes; the range has 131072/);
    expect(() => {
      range.map(0, {} as never);
    }).toThrow(TypeError);
    expect(() => {
      range.setAccess(new Device(0), 'read');
    }).toThrow(/byteLength must be an integer >= 1, got 0/);
    expect(() => range.slice(0, 3 * UNIT)).toThrow(RangeError);
    expect(() => new AddressRange(0)).toThrow(RangeError);
    expect(() => new AddressRange(UNIT, { address: 5 as never })).toThrow(TypeError);
  });

  test('a mapping that fails leaves nothing', () => {
    using range = new AddressRange(UNIT);
    using memory = new PhysicalMemory(UNIT);
    fake.fail.set('cuMemMap', 1);
    expect(() => {
      range.map(0, memory);
    }).toThrow(CudaError);
    expect(fake.live.mapped).toBe(0);
  });
});

test('PhysicalMemory goes to other processes by descriptors', () => {
  using memory = new PhysicalMemory(UNIT, { shareable: true });
  expect(memory.exportHandle()).toBe(78);
  using twin = PhysicalMemory.fromHandle(78, UNIT);
  expect([twin.byteLength, fake.live.physical]).toEqual([UNIT, 2]);
  expect(() => PhysicalMemory.fromHandle(-1, UNIT)).toThrow(RangeError);
  expect(() => new PhysicalMemory(UNIT, { share: true } as never)).toThrow(/has no option 'share'/);
});

test('memGranularity() asks for the device', () => {
  expect(memGranularity()).toBe(UNIT);
  expect(memGranularity({ device: new Device(0), recommended: true })).toBe(UNIT);
  expect(() => memGranularity({ device: 0 as never })).toThrow(TypeError);
});

test('memory of another process is closed, not freed', () => {
  using mine = memAlloc(64);
  const handle = memIpcHandle(mine);
  expect([...handle]).toEqual(new Array<number>(64).fill(7));
  let given: unknown;
  fake.onCall = (name, args) => {
    if (name === 'cuIpcOpenMemHandle') given = args[1];
  };
  const theirs = openIpcMemory(handle);
  fake.onCall = undefined;
  expect(given).toEqual({ reserved: handle });
  expect([theirs.byteLength, fake.live.opened]).toEqual([64, 1]);
  theirs.free();
  expect(() => openIpcMemory(handle, 65)).toThrow(/the memory has 64 bytes; 65 were asked for/);
  expect(() => openIpcMemory(new Uint8Array(8))).toThrow(/takes the 64 bytes of a handle/);
});

test('an event of another process', () => {
  using event = new Event({ interprocess: true, timing: false });
  const handle = event.ipcHandle();
  expect(handle[0]).toBe(9);
  using opened = Event.fromIpcHandle(handle);
  expect(opened.query()).toBe(true);
  expect(() => Event.fromIpcHandle('x' as never)).toThrow(TypeError);
});

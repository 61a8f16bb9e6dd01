import { afterEach, expect, test } from '@jest/globals';
import { ClosedError, Device, EventSet, liveObjects } from '../../../src/nvml/index.ts';
import { withFakeNvml } from '../../helpers/nvml.ts';
import { turns, until } from '../../helpers/until.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

const fake = withFakeNvml();
const [first, second] = fake.gpus as [(typeof fake.gpus)[0], (typeof fake.gpus)[0]];
const XID = 0x8n;
const PSTATE = 0x4n;

afterEach(() => {
  fake.fail.clear();
  fake.events.length = 0;
  expect(liveObjects()).toEqual({});
  expect(fake.sets.size).toBe(0);
});

test('a set collects what it was told to', () => {
  using set = new EventSet();
  expect(set.register(new Device(0), ['xidCriticalError', 'pState'])).toBe(set);
  set.register(new Device(1), ['clock']);
  expect([...fake.sets.values()]).toEqual([
    {
      registered: [
        [first.handle, XID | PSTATE],
        [second.handle, 0x10n],
      ],
    },
  ]);
  expect(new Device(0).supportedEvents).toContain('xidCriticalError');
});

test('waiting gives the next event, or undefined in the end', () => {
  using set = new EventSet();
  set.register(new Device(1), ['xidCriticalError']);
  fake.events.push({ gpu: second.handle, type: XID, data: 79n }, { gpu: second.handle, type: PSTATE, data: 5n });
  const event = set.wait(1000);
  expect(event).toMatchObject({ type: 'xidCriticalError', xid: 79, gpuInstanceId: undefined });
  expect(event?.device.uuid).toBe(second.uuid);
  expect(set.wait(0)).toMatchObject({ type: 'pState', xid: undefined });
  expect(set.wait(0)).toBeUndefined();
});

test('an event of a newer type is unknown', () => {
  using set = new EventSet();
  fake.events.push({ gpu: first.handle, type: 1n << 40n, data: 0n });
  expect(set.wait(0)?.type).toBe('unknown');
});

test('waiting without blocking', async () => {
  using set = new EventSet();
  const asked = (): number => fake.calls.filter((routine) => routine === 'nvmlEventSetWait').length;
  const next = set.next({ intervalMs: 1 });
  const before = asked();
  await until('the set was asked once more', () => asked() > before);
  fake.events.push({ gpu: first.handle, type: XID, data: 13n });
  await expect(next).resolves.toMatchObject({ xid: 13 });
  await expect(set.next({ timeoutMs: 5, intervalMs: 1 })).resolves.toBeUndefined();
  await expect(set.next({ timeoutMs: 0 })).resolves.toBeUndefined();
});

test('waiting can be stopped', async () => {
  using set = new EventSet();
  const controller = new AbortController();
  const next = set.next({ signal: controller.signal });
  await turns();
  controller.abort();
  await expect(next).rejects.toMatchObject({ name: 'AbortError' });
  await expect(set.next({ signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('the reason of a signal is told, before a wait as within it', async () => {
  using set = new EventSet();
  const reason = new Error('enough');
  const controller = new AbortController();
  const next = set.next({ signal: controller.signal, intervalMs: 1000 });
  controller.abort(reason);
  await expect(next).rejects.toBe(reason);
  await expect(set.next({ signal: controller.signal })).rejects.toBe(reason);
  await expect(set.next({ signal: {} as never })).rejects.toThrow('signal must be an AbortSignal, got an Object');
});

test('a set that is closed collects nothing', async () => {
  const set = new EventSet();
  const next = set.next({ intervalMs: 1 });
  set.close();
  set.close();
  await expect(next).rejects.toThrow(ClosedError);
  expect(() => set.wait(0)).toThrow(ClosedError);
  expect(() => set.register(new Device(0), ['clock'])).toThrow(ClosedError);
});

test('what the driver refuses is an error, and leaves nothing', () => {
  fake.fail.set('nvmlEventSetCreate', 3);
  expect(() => new EventSet()).toThrow(expect.objectContaining({ code: 'NVML_ERROR_NOT_SUPPORTED' }));
  fake.fail.clear();
  using set = new EventSet();
  expect(() => set.register(new Device(0), ['gpuRecoveryAction'])).toThrow(
    expect.objectContaining({ code: 'NVML_ERROR_NOT_SUPPORTED' }),
  );
  fake.fail.set('nvmlEventSetWait', 15);
  expect(() => set.wait(0)).toThrow(expect.objectContaining({ code: 'NVML_ERROR_GPU_IS_LOST' }));
});

test('a set that cannot be freed is a warning', async () => {
  const warnings = expectWarnings('RAWKERNEL_CLEANUP');
  const set = new EventSet();
  fake.fail.set('nvmlEventSetFree', 999);
  set.close();
  await turns();
  expect(warnings.map(String)).toEqual(['GpuWarning: nvmlEventSetFree failed: NVML_ERROR_UNKNOWN']);
  fake.sets.clear();
});

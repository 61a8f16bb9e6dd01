import { expect, test } from '@jest/globals';
import { memAlloc as memAllocCuda, type DeviceAllocation } from '../../../src/cuda/index.ts';
import { memAlloc, RegisteredBuffer } from '../../../src/nccl/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';

const driver = withFakeDriver();
const fake = withFakeNccl();

test('a registration keeps its memory, and is given up before it', async () => {
  const comm = await communicator();
  const memory = memAllocCuda(64);
  const live = driver.live.memory;
  const registered = await comm.registerBuffer(memory);
  expect(registered).toBeInstanceOf(RegisteredBuffer);
  expect(fake.live.get('registration')).toBe(1);
  memory.close();
  expect(driver.live.memory).toBe(live);
  comm.close();
  expect(fake.comms.size).toBe(1);
  registered.close();
  registered.close();
  expect(fake.live.size).toBe(0);
  expect(driver.live.memory).toBe(live - 1);
  expect(fake.calls.slice(-2)).toEqual(['ncclCommDeregister', 'ncclCommDestroy']);
});

test('a window wants aligned memory, which memAlloc() gives', async () => {
  using comm = await communicator();
  using memory = memAlloc(8192);
  expect(memory.ptr % 4096n).toBe(0n);
  // The driver knows NCCL's memory; the fake does not.
  driver.fail.set('cuPointerGetAttribute', 0);
  await expect(comm.registerWindow(memory.slice(8) as unknown as DeviceAllocation)).rejects.toThrow(
    'x must begin at a multiple of 4096 bytes',
  );
  using window = await comm.registerWindow(memory, { symmetric: true });
  expect(window.byteLength).toBe(8192);
  driver.fail.clear();
});

test('what a busy communicator registered is given up once it is idle', async () => {
  using comm = await communicator();
  using memory = memAllocCuda(64);
  const registered = await comm.registerBuffer(memory);
  fake.isStuck = true;
  const call = comm.allReduce(memory, { dtype: 'f32' });
  registered.close();
  expect(fake.live.get('registration')).toBe(1);
  fake.isStuck = false;
  await call;
  expect(fake.live.size).toBe(0);
});

test('a sum of products is of its communicator and dtype', async () => {
  using comm = await communicator();
  using other = await communicator();
  using memory = memAllocCuda(64);
  using op = await comm.createPreMulSum(0.5, 'f32');
  await comm.allReduce(memory, { dtype: 'f32', op });
  expect(fake.started[0]?.[0]?.args['op']).toBe(5);
  expect(() => comm.allReduce(memory, { dtype: 'f64', op })).toThrow("createPreMulSum(scalar, 'f64')");
  expect(() => other.allReduce(memory, { dtype: 'f32', op })).toThrow('got one of another communicator');
  using scalar = memAllocCuda(2);
  await expect(comm.createPreMulSum(scalar, 'f32')).rejects.toThrow('scalar must have 4 bytes, one f32, got 2');
  await expect(comm.createPreMulSum('x' as never, 'f32')).rejects.toThrow('scalar must be a number or device memory');
  await expect(comm.createPreMulSum(1.5, 'i32')).rejects.toThrow('scalar');
  await expect(comm.createPreMulSum(1.5, 'f8e4m3')).rejects.toThrow('scalar must be device memory for f8e4m3');
  using onDevice = await comm.createPreMulSum(scalar, 'f16');
  expect(onDevice.dtype).toBe('f16');
});

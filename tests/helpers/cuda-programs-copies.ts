import * as entry from '../../src/cuda/index.ts';
import { host } from './cuda-programs-shared.ts';
import { read, type Program } from './faults.ts';
import { retrying } from './retrying.ts';

const cuda = retrying(entry);
const FLOATS = { width: 4, height: 2, dtype: 'f32' } as const;

function peerCopies(): void {
  using a = cuda.memAlloc(256);
  using b = cuda.memAlloc(256);
  using stream = new cuda.Stream();
  cuda.memcpyPeer(a, b);
  cuda.memcpyPeerAsync(a, b, 64, {}, stream);
  const box = new cuda.Memcpy3DPeer();
  box.setSrcDevice(a);
  box.setDstDevice(b);
  Object.assign(box, { srcPitch: 8, dstPitch: 8, srcHeight: 2, dstHeight: 2, widthInBytes: 8, height: 2, depth: 2 });
  box.run();
  box.runAsync(stream);
}

function batches(): void {
  using a = cuda.memAlloc(64);
  using b = cuda.memAlloc(64);
  using stream = new cuda.Stream();
  const list = [
    { dst: a, src: host() },
    { dst: b, src: a },
    { dst: host(), src: b },
  ];
  cuda.memcpyBatchAsync(list, stream);
  // The legacy default stream takes no batches.
  cuda.memcpyBatchAsync(list, null, { sourceOrder: 'call' });
  const box = new cuda.Memcpy3D();
  box.setSrcDevice(a);
  box.setDstDevice(b);
  Object.assign(box, { srcPitch: 8, dstPitch: 8, srcHeight: 2, dstHeight: 2, widthInBytes: 8, height: 2, depth: 2 });
  cuda.memcpy3DBatchAsync([box], stream);
  cuda.memcpy3DBatchAsync([box, box], null, { sourceOrder: 'call' });
}

function arrays(): void {
  using array = new cuda.OpaqueArray(FLOATS);
  using stream = new cuda.Stream();
  const box = new cuda.Memcpy2D();
  box.setSrcHost(host());
  box.setDstArray(array);
  Object.assign(box, { srcPitch: 16, widthInBytes: 16, height: 2 });
  box.run();
  box.run({ aligned: true });
  box.runAsync(stream);
  read(array.width);
}

function devicePools(): void {
  const device = new cuda.Device(0);
  using usual = cuda.MemPool.default(device);
  using now = cuda.MemPool.current();
  using own = new cuda.MemPool({ releaseThreshold: 1024, shareable: true });
  own.makeCurrent();
  now.makeCurrent();
  own.exportHandle();
  using a = own.alloc(64);
  cuda.MemPool.exportPointer(a);
  read(usual.used, own.used);
  using onHost = new cuda.MemPool({ location: 'host' });
  read(onHost.location);
}

function shares(): void {
  const unit = cuda.memGranularity();
  using block = new cuda.PhysicalMemory(unit, { shareable: true });
  using other = cuda.PhysicalMemory.fromHandle(block.exportHandle(), unit);
  read(other.byteLength);
}

function values(): void {
  using stream = new cuda.Stream();
  using a = cuda.memAlloc(16);
  stream.writeValue(a, 1);
  stream.writeValue(a, 1, { bits: 64 });
  stream.waitValue(a, 1);
  stream.waitValue(a, 1, { bits: 64 });
  stream.batchMemOp([
    { write: a, value: 1 },
    { wait: a, value: 1 },
  ]);
  read(stream.isDone());
}

function busIds(): void {
  const device = new cuda.Device('0000:01:00.0');
  read(device.busId);
}

/** Programs of copies between devices, in lists, to arrays and in streams. */
export const COPY_PROGRAMS: Readonly<Record<string, Program>> = {
  peerCopies,
  batches,
  arrays,
  devicePools,
  shares,
  values,
  busIds,
};

import koffi from 'koffi';
import * as cuda from 'rawkernel/cuda';
import { scaled, type CudaBench } from '../cuda.ts';
import { nsPerCall, type Case, type Side } from '../harness.ts';

const SIZES = [4, 4096, 1 << 20, 64 << 20, 1024 * (1 << 20)];
const NAMES = ['4 B', '4 KiB', '1 MiB', '64 MiB', '1 GiB'];
/** From here on it is the bandwidth that counts. */
const LARGE = 1 << 20;
/** Bytes that a round moves at most, and calls that it makes at most. */
const ROUND_BYTES = 1024 * (1 << 20);
const ROUND_CALLS = 200;
const DIRECTIONS = ['host to device', 'device to host', 'device to device'] as const;

interface Ends {
  readonly device: cuda.DeviceAllocation;
  readonly other: cuda.DeviceAllocation;
  readonly host: Uint8Array<ArrayBuffer>;
  readonly stream: cuda.Stream;
}

/** Copies of 4 B to 1 GiB, from pageable and from page-locked memory. */
export function* transferSuite(bench: CudaBench): Generator<Case> {
  using stream = new cuda.Stream();
  for (const [i, bytes] of SIZES.entries()) {
    using device = cuda.memAlloc(bytes);
    using other = cuda.memAlloc(bytes);
    const pinned = cuda.pagelockedEmpty(bytes, 'u8').fill(1);
    const pageable = new Uint8Array(bytes).fill(1);
    const size = NAMES[i] ?? '';
    for (const [direction, way] of DIRECTIONS.entries()) {
      for (const [kind, host] of [['page-locked', pinned] as const, ['pageable', pageable] as const]) {
        if (direction === 2 && kind === 'pageable') continue;
        const ends = { device, other, host, stream };
        const memory = direction === 2 ? '' : `, ${kind}`;
        yield copyCase(bench, `${way}, ${size}${memory}`, direction, bytes, ends, `${way} ${kind} ${bytes}`);
        if (kind === 'page-locked') yield asyncCase(bench, `${way}, ${size}${memory}, async`, direction, bytes, ends);
      }
    }
    cuda.pagelockedFree(pinned);
  }
}

function rounds(bytes: number): { readonly count: number; readonly rounds: number } {
  return {
    count: Math.max(1, Math.min(ROUND_CALLS, Math.floor(ROUND_BYTES / bytes))),
    rounds: bytes > LARGE ? 7 : Infinity,
  };
}

/** Nanoseconds of a small copy, bandwidth of a large one. */
function asFigure(side: Side | undefined, bytes: number): Side | undefined {
  return bytes < LARGE ? side : scaled(side, (ns) => bytes / ns);
}

function copyCase(
  bench: CudaBench,
  name: string,
  direction: number,
  bytes: number,
  { device, other, host }: Ends,
  wanted: string,
): Case {
  const { count, rounds: most } = rounds(bytes);
  const run = [
    () => {
      cuda.memcpyHtoD(device, host);
    },
    () => {
      cuda.memcpyDtoH(host, device);
    },
    () => {
      cuda.memcpyDtoD(other, device);
      cuda.Context.current?.synchronize();
    },
  ][direction];
  if (!run) throw new RangeError(`no direction ${direction}`);
  const c = bench.c('copy', direction, ...ends(direction, { device, other, host }), bytes, count);
  const sides = [c, { name: 'rawkernel', round: () => nsPerCall(count, run) }, ...bench.theirs(wanted)];
  return {
    name,
    unit: bytes < LARGE ? 'ns' : 'GB/s',
    rounds: most,
    sides: sides.map((side) => asFigure(side, bytes)),
  };
}

function asyncCase(bench: CudaBench, name: string, direction: number, bytes: number, given: Ends): Case {
  const { device, other, host, stream } = given;
  const { count, rounds: most } = rounds(bytes);
  const small = bytes < LARGE;
  const run = [
    () => {
      cuda.memcpyHtoDAsync(device, host, stream);
    },
    () => {
      cuda.memcpyDtoHAsync(host, device, stream);
    },
    () => {
      cuda.memcpyDtoDAsync(other, device, bytes, stream);
    },
  ][direction];
  if (!run) throw new RangeError(`no direction ${direction}`);
  const round = (): number => {
    const start = process.hrtime.bigint();
    const issued = nsPerCall(count, run);
    stream.synchronize();
    return small ? issued : Number(process.hrtime.bigint() - start) / count;
  };
  const c = bench.c('copy_async', direction, ...ends(direction, given), bytes, stream.handle, count, small ? 0 : 1);
  return {
    name,
    unit: small ? 'ns' : 'GB/s',
    rounds: most,
    sides: [c, { name: 'rawkernel', round }].map((side) => asFigure(side, bytes)),
  };
}

/** Where to and where from, as C takes it. */
function ends(direction: number, { device, other, host }: Omit<Ends, 'stream'>): readonly [bigint, bigint] {
  const address = koffi.address(host);
  if (direction === 0) return [device.ptr, address];
  return direction === 1 ? [address, device.ptr] : [other.ptr, device.ptr];
}

import koffi from 'koffi';
import * as cl from 'rawkernel/opencl';
import { nsPerCall, type Case, type Side } from '../harness.ts';
import type { OpenCLCases } from './opencl.ts';

const SIZES = [4, 4096, 1 << 20, 64 << 20];
const NAMES = ['4 B', '4 KiB', '1 MiB', '64 MiB', '1 GiB'];
/** Only where the memory is the device's own. */
const LARGEST = 1024 * (1 << 20);
/** From here on it is the bandwidth that counts. */
const LARGE = 1 << 20;
const ROUND_CALLS = 200;
const DIRECTIONS = ['host to device', 'device to host', 'device to device'] as const;

interface Ends {
  readonly device: cl.Buffer;
  readonly other: cl.Buffer;
  readonly host: Uint8Array<ArrayBuffer>;
}

/** Copies of 4 B to 1 GiB, from pageable memory and, of GPUs, from memory that the driver has locked. */
export function* copyCases(bench: OpenCLCases): Generator<Case> {
  const { ctx, queue } = bench;
  const isGPU = (bench.device.type & cl.DeviceType.GPU) !== 0;
  const { ALLOC_HOST_PTR, READ_WRITE } = cl.MemFlags;
  for (const [i, bytes] of [...SIZES, ...(isGPU ? [LARGEST] : [])].entries()) {
    using device = new cl.Buffer(ctx, READ_WRITE, bytes);
    using other = new cl.Buffer(ctx, READ_WRITE, bytes);
    using staging = new cl.Buffer(ctx, READ_WRITE | ALLOC_HOST_PTR, isGPU ? bytes : 4);
    using map = cl.enqueueMapBuffer(queue, staging, cl.MapFlags.READ | cl.MapFlags.WRITE);
    const locked = map.array.fill(1);
    const pageable = new Uint8Array(bytes).fill(1);
    const kinds = { ...(isGPU ? { 'page-locked': locked } : {}), pageable };
    for (const [direction, way] of DIRECTIONS.entries()) {
      for (const [kind, host] of Object.entries(direction === 2 ? { '': pageable } : kinds)) {
        const words = [way, kind].filter((word) => word !== '');
        const name = [...words.slice(0, 1), NAMES[i], ...words.slice(1)].join(', ');
        const one = { direction, bytes, ends: { device, other, host }, isGPU };
        yield copyCase(bench, name, `${words.join(' ')} ${bytes}`, one);
        if (bytes >= 4096) yield asyncCase(bench, `${name}, async`, `${words.join(' ')} ${bytes} async`, one);
      }
    }
  }
}

interface Copy {
  readonly direction: number;
  readonly bytes: number;
  readonly ends: Ends;
  readonly isGPU: boolean;
}

/** Calls of a round, which moves that much at most. */
function callsOf({ bytes, isGPU }: Copy): number {
  return Math.max(1, Math.min(ROUND_CALLS, Math.floor((isGPU ? LARGEST : LARGEST / 8) / bytes)));
}

function caseOf(name: string, bytes: number, sides: readonly (Side | undefined)[]): Case {
  const isLarge = bytes >= LARGE;
  return {
    name,
    unit: isLarge ? 'GB/s' : 'ns',
    rounds: bytes > LARGE ? 7 : Infinity,
    sides: isLarge ? sides.map((side) => side && asBandwidth(side, bytes)) : sides,
  };
}

function asBandwidth({ name, round }: Side, bytes: number): Side {
  return { name, round: async () => bytes / (await round()) };
}

/** The copy as a call of ours. */
function callOf({ queue }: OpenCLCases, { direction, ends }: Copy, options: cl.CopyOptions = {}): () => void {
  const { device, other, host } = ends;
  const [dest, src] = direction === 0 ? [device, host] : direction === 1 ? [host, device] : [other, device];
  return () => {
    cl.enqueueCopy(queue, dest, src, options);
  };
}

/** To where, and from where, as C takes them. */
function endsOf({ direction, ends }: Copy): readonly bigint[] {
  const { device, other, host } = ends;
  const address: bigint = koffi.address(host);
  if (direction === 0) return [device.handle, address];
  return direction === 1 ? [address, device.handle] : [other.handle, device.handle];
}

function copyCase(bench: OpenCLCases, name: string, wanted: string, copy: Copy): Case {
  const { c, queue, settle, theirs } = bench;
  const { direction, bytes } = copy;
  const count = callsOf(copy);
  const call = callOf(bench, copy);
  const run =
    direction < 2
      ? call
      : () => {
          call();
          settle();
        };
  return caseOf(name, bytes, [
    c('copy', direction, queue.handle, ...endsOf(copy), bytes, count),
    { name: 'rawkernel', round: () => nsPerCall(count, run) },
    ...theirs(wanted),
  ]);
}

/** What a small copy costs the host; a large one until its end. */
function asyncCase(bench: OpenCLCases, name: string, wanted: string, copy: Copy): Case {
  const { c, queue, settle, theirs } = bench;
  const { direction, bytes } = copy;
  const count = callsOf(copy);
  const isLarge = bytes >= LARGE;
  const call = callOf(bench, copy, direction < 2 ? { blocking: false } : {});
  const round = (): number => {
    const start = process.hrtime.bigint();
    const issued = nsPerCall(count, call);
    settle();
    return isLarge ? Number(process.hrtime.bigint() - start) / count : issued;
  };
  return caseOf(name, bytes, [
    c('copy_async', direction, queue.handle, ...endsOf(copy), bytes, count, isLarge ? 1 : 0),
    { name: 'rawkernel', round },
    ...theirs(wanted),
  ]);
}

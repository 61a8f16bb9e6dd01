import * as cuda from 'rawkernel/cuda';
import * as cudaArrays from 'rawkernel/cuda/array';
import * as cl from 'rawkernel/opencl';
import * as clArrays from 'rawkernel/opencl/array';
import type { CudaBench } from './cuda.ts';
import { msOf, type Side } from './harness.ts';
import type { OpenCLBench } from './opencl.ts';
import type { Peer } from './peers/peer.ts';
import { rateSide } from './rate.ts';

/** The arrays of one half; those of the other have the same signatures. */
export type Arrays = typeof clArrays;
type Array = ReturnType<Arrays['empty']>;

/** A device whose arrays are measured. */
export interface ArrayBench {
  readonly xp: Arrays;
  /** What says where arrays are made. */
  readonly lane: { readonly queue?: cl.CommandQueue };
  /** Whether the device is a processor: it is measured with smaller arrays. */
  readonly isProcessor: boolean;
  /** The driver's copy of a whole array. */
  readonly copy: (to: Array, from: Array) => void;
  /** Units of `amount` in a nanosecond of the device. */
  readonly rate: (name: string, amount: number, launches: number, run: () => void) => Side;
  /** The device runs dry. */
  readonly settle: () => void;
  /** The peers' sides of a case. */
  readonly theirs: (wanted: string) => readonly Side[];
}

export function cudaArrayBench(bench: CudaBench): ArrayBench {
  return {
    xp: cudaArrays,
    lane: {},
    isProcessor: bench.device.isEmbedded,
    copy: (to, from) => {
      cuda.memcpyDtoDAsync(to, from, from.nbytes, null);
    },
    rate: rateSide,
    settle: () => cuda.Context.current?.synchronize(),
    theirs: theirsOf(bench.peers, bench.device.isEmbedded),
  };
}

export function openclArrayBench(bench: OpenCLBench, peers: readonly Peer[]): ArrayBench {
  const isProcessor = bench.device.type !== cl.DeviceType.GPU;
  const { queue } = bench;
  const settle = (): void => {
    queue.finish();
  };
  return {
    xp: clArrays,
    lane: { queue },
    isProcessor,
    copy: (to, from) => {
      cl.enqueueCopy(queue, to, from);
    },
    rate: (name, amount, launches, run) => ({
      name,
      round: () => {
        run();
        settle();
        const ms = msOf(() => {
          for (let i = 0; i < launches; i++) run();
          settle();
        });
        return (amount * launches) / (ms * 1e6);
      },
    }),
    settle,
    theirs: theirsOf(peers, isProcessor),
  };
}

/** NumPy has the sizes of a processor, the others those of a GPU; short arrays are the same everywhere. */
function theirsOf(peers: readonly Peer[], isProcessor: boolean): (wanted: string) => readonly Side[] {
  return (wanted) =>
    peers
      .filter(({ name }) => wanted.startsWith('short') || (name === 'NumPy') === isProcessor)
      .flatMap((peer) => peer.sides(wanted));
}

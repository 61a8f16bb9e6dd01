import koffi from 'koffi';
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';
import { compileBaseline } from './native/baseline.ts';
import type { Peer } from './peers/peer.ts';
import type { BareCall, Side } from './harness.ts';

const DRIVER = process.env['RAWKERNEL_LIBCUDA'] ?? (process.platform === 'win32' ? 'nvcuda.dll' : 'libcuda.so.1');
const LAUNCH: readonly string[] = ['void *', 'unsigned int', 'void *', 'int', 'uint64_t *', 'int'];
const COPY: readonly string[] = ['int', 'uint64_t', 'uint64_t', 'size_t'];

/** The functions of cuda.c. */
type Loop =
  | 'launch'
  | 'launch_ex'
  | 'launches'
  | 'launch_and_wait'
  | 'graph_launch'
  | 'alloc_free'
  | 'alloc_free_async'
  | 'event_record'
  | 'event_create'
  | 'event_elapsed'
  | 'stream_create'
  | 'module_load'
  | 'copy'
  | 'copy_async';

/** And those that call once. */
type Call = 'keep_launch' | 'launch_kept';

/** The result, then the parameters. */
const PROTOTYPES: Readonly<Record<Loop | Call, readonly [string, ...string[]]>> = {
  keep_launch: ['int', 'void *', 'void *', 'void *'],
  launch_kept: ['int'],
  launch: ['double', ...LAUNCH],
  launch_ex: ['double', 'void *', 'void *', 'void *', 'int'],
  launches: ['double', ...LAUNCH],
  launch_and_wait: ['double', ...LAUNCH],
  graph_launch: ['double', 'void *', 'void *', 'int'],
  alloc_free: ['double', 'size_t', 'int'],
  alloc_free_async: ['double', 'size_t', 'void *', 'int'],
  event_record: ['double', 'void *', 'void *', 'int'],
  event_create: ['double', 'int'],
  event_elapsed: ['double', 'void *', 'void *', 'int'],
  stream_create: ['double', 'int'],
  module_load: ['double', 'void *', 'int'],
  copy: ['double', ...COPY, 'int'],
  copy_async: ['double', ...COPY, 'void *', 'int', 'int'],
};

/** What the CUDA suites share. */
export interface CudaBench {
  readonly device: cuda.Device;
  /** The CUDA version of the driver. */
  readonly driver: string;
  readonly peers: readonly Peer[];
  /** The peers' sides of a case. */
  readonly theirs: (wanted: string) => readonly Side[];
  /** A side in C, where there are a compiler and a driver. */
  readonly c: (name: Loop, ...args: unknown[]) => Side | undefined;
  /** A function in C that is not a loop, where there are a compiler and a driver. */
  readonly call: (name: Call) => ((...args: unknown[]) => number) | undefined;
  /** The driver's function of that C prototype, called without anything of ours between; undefined on the embedded device. */
  readonly bare: (prototype: string) => BareCall | undefined;
}

/** What C's sides are called. */
const C = 'C';

export function openCuda(peers: readonly Peer[]): CudaBench {
  const device = new cuda.Device(0);
  const native = device.isEmbedded ? undefined : compileBaseline('cuda.c', DRIVER, PROTOTYPES);
  const library = device.isEmbedded ? undefined : koffi.load(DRIVER);
  return {
    device,
    driver: cuda.driverVersion().join('.'),
    peers,
    theirs: (wanted) => peers.flatMap((peer) => peer.sides(wanted)),
    c: (name, ...args) => native && { name: C, round: () => native[name](...args) },
    call: (name) => native?.[name],
    bare: (prototype) => library?.func(prototype),
  };
}

/** A side in another unit. */
export function scaled(side: Side | undefined, convert: (value: number) => number): Side | undefined {
  return side && { name: side.name, round: async () => convert(await side.round()) };
}

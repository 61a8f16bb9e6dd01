import koffi from 'koffi';
import * as cl from 'rawkernel/opencl';
import type { BareCall, Side } from './harness.ts';
import { compileBaseline } from './native/baseline.ts';

const LOADER = process.env['RAWKERNEL_LIBOPENCL'] ?? (process.platform === 'win32' ? 'OpenCL.dll' : 'libOpenCL.so.1');
const LAUNCH = ['void *', 'void *', 'uint64_t *', 'int', 'int'] as const;
const COPY = ['int', 'void *', 'void *', 'void *', 'size_t', 'int'] as const;
const PROTOTYPES = {
  launch: ['double', ...LAUNCH, 'int', 'int', 'int'],
  launches: ['double', ...LAUNCH, 'int', 'int'],
  launch_and_wait: ['double', ...LAUNCH, 'int'],
  create_release: ['double', 'void *', 'uint64_t', 'size_t', 'int'],
  copy: ['double', ...COPY],
  copy_async: ['double', ...COPY, 'int'],
  map_unmap: ['double', 'void *', 'void *', 'uint64_t', 'size_t', 'int'],
  marker: ['double', 'void *', 'int', 'int'],
  replay: ['double', 'void *', 'void *', 'void *', 'int'],
} as const satisfies Readonly<Record<Routine, readonly [string, ...string[]]>>;

/** A function of `native/opencl.c`. */
export type Routine =
  | 'launch'
  | 'launches'
  | 'launch_and_wait'
  | 'create_release'
  | 'copy'
  | 'copy_async'
  | 'map_unmap'
  | 'marker'
  | 'replay';

/** A device to be measured, and what its cases share. */
export interface OpenCLBench {
  /** A short name of the driver. */
  readonly name: string;
  readonly version: string;
  /** The platform's full name, for peers. */
  readonly platform: string;
  readonly device: cl.Device;
  readonly ctx: cl.Context;
  readonly queue: cl.CommandQueue;
  /** A side in C, where there is a compiler; the embedded device has no functions that C could call. */
  readonly c: (name: Routine, ...args: unknown[]) => Side | undefined;
  /** The driver's function of that C prototype, called without anything of ours between; undefined on the embedded device. */
  readonly bare: (prototype: string) => BareCall | undefined;
}

const NAMES = { Portable: 'PoCL', NVIDIA: 'NVIDIA', rawkernel: 'embedded device' } as const;

/** The first device of each platform, one after the other. */
export function* openclBenches(): Generator<OpenCLBench> {
  // The embedded device comes last: once it has a context, each call looks whose object it is about.
  const devices = cl.getPlatforms().flatMap((platform) => platform.getDevices().slice(0, 1));
  const isNative = devices.some((device) => !device.isEmbedded);
  const native = isNative ? compileBaseline('opencl.c', LOADER, PROTOTYPES) : undefined;
  const library = isNative ? koffi.load(LOADER) : undefined;
  for (const device of devices) {
    using ctx = new cl.Context([device]);
    using queue = new cl.CommandQueue(ctx);
    const { platform } = device;
    const name = Object.entries(NAMES).find(([word]) => platform.name.includes(word))?.[1] ?? platform.name;
    yield {
      name,
      version: `${platform.version}, ${device.name}`,
      platform: platform.name,
      device,
      ctx,
      queue,
      c: (routine, ...args) => {
        if (!native || device.isEmbedded) return undefined;
        return { name: 'C', round: () => native[routine](...args) };
      },
      bare: (prototype) => (device.isEmbedded ? undefined : library?.func(prototype)),
    };
  }
}

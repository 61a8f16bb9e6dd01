import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import { LibraryNotFoundError, SymbolNotFoundError } from '../../src/core/errors.ts';
import { hasToolchain } from '../../src/cpu/compiler/toolchain.ts';
import { nvJitLink } from '../../src/cuda/libraries/nvjitlink/table.ts';
import { nvvm } from '../../src/cuda/libraries/nvvm/table.ts';
import { driver, nvrtc } from '../../src/cuda/select.ts';
import { isEmbedded } from '../../src/cuda/selection.ts';
import { ArrayFormat, DeviceAttribute } from '../../src/cuda/sys/enums.ts';
import { structs } from '../../src/cuda/sys/structs.ts';
import { NVRTC, toolkits } from '../../src/cuda/toolkit.ts';
import { openLibrary, type LibraryDescription } from '../../src/ffi/library.ts';
import { nccl } from '../../src/nccl/select.ts';
import { nvml } from '../../src/nvml/select.ts';
import { opencl } from '../../src/opencl/select.ts';
import { isFullRun, leaveOut } from './left-out.ts';
import { root } from './root.ts';

/** `describe` and `test`, which skip when something is missing. */
export interface Needs {
  readonly describe: typeof describe.skip;
  readonly test: typeof test.skip;
  /** Why they skip. */
  readonly missing: string | undefined;
}

/**
 * What a test can need of a machine: `needs.nvrtc().test('…', …)` or `const { describe } = needs.cuda()`.
 * Each looks for the capability itself, never for a platform, and says on stderr why tests are skipped.
 */
export const needs = {
  /** This many CUDA devices. */
  cuda: (count = 1): Needs => need(cudaDevices(count)),
  /** A CUDA device that is not the embedded one. */
  gpu: (): Needs => need(isEmbedded() ? 'the CUDA device is the embedded one' : cudaDevices(1)),
  /** A CUDA device whose attribute is not 0: `needs.attribute('CLUSTER_LAUNCH')`. */
  attribute: (name: keyof typeof DeviceAttribute): Needs =>
    need(cudaDevices(1) ?? (deviceHas(name) ? undefined : `the CUDA device has no ${name}`)),
  /** A CUDA device whose attribute is 0. */
  noAttribute: (name: keyof typeof DeviceAttribute): Needs =>
    need(cudaDevices(1) ?? (deviceHas(name) ? `the CUDA device has ${name}` : undefined)),
  /** A CUDA device with arrays, textures and surfaces. */
  arrays: (): Needs => need(cudaDevices(1) ?? (makesArrays() ? undefined : 'the CUDA device makes no arrays')),
  /** The compiler of what CUDA runs on: NVRTC, or the embedded one. */
  nvrtc: (): Needs => need(libraryMissing(nvrtc)),
  /** NVRTC itself, which compiles for a fake driver. */
  nativeNvrtc: (): Needs => needs.library(NVRTC),
  /** The embedded device's compiler. */
  clang: (): Needs => need(hasToolchain() ? undefined : 'the embedded device has no compiler'),
  /** A compiler with precompiled headers: NVRTC 12.8. */
  pch: (): Needs => need(libraryMissing(nvrtc) ?? (isEmbedded() ? 'the compiler is the embedded one' : pchMissing())),
  /** An NVRTC without them. */
  noPch: (): Needs =>
    need(libraryMissing(nvrtc) ?? (pchMissing() === undefined ? 'NVRTC has precompiled headers' : undefined)),
  /** A Node.js that runs TypeScript. */
  typeStripping: (): Needs =>
    need(
      (process.features as { readonly typescript?: unknown }).typescript
        ? undefined
        : 'this Node.js does not take types away',
    ),
  /** nvJitLink's library. */
  nvjitlink: (): Needs => need(libraryMissing(nvJitLink)),
  /** libNVVM. */
  nvvm: (): Needs => need(libraryMissing(nvvm)),
  /** nvcc with its host compiler, and a device that runs what it makes. */
  nvcc: (): Needs =>
    need(
      isEmbedded()
        ? 'the embedded CPU device runs nothing that nvcc makes'
        : (commandMissing(
            'nvcc',
            toolkits().map((home) => join(home, 'bin', 'nvcc')),
          ) ?? (process.platform === 'win32' ? undefined : commandMissing('gcc'))),
    ),
  /** This many GPUs that NVML can be asked about. */
  nvml: (count = 1): Needs => need(nvmlDevices(count)),
  /** NCCL, and this many CUDA devices: the installed library, or the embedded device's. */
  nccl: (count = 1): Needs => need(ncclMissing(count)),
  /** An OpenCL platform with this many devices. */
  opencl: (count = 1): Needs => need(openclDevices(count)),
  /** A library, such as a loader. */
  library: (description: LibraryDescription): Needs => need(libraryMissing(() => openLibrary(description))),
  /** A program that is on the PATH and knows `--version`. */
  command: (name: string): Needs => need(commandMissing(name)),
  /** A file system of its own, which only the administrator can make, and containers often not even he. */
  tmpfs: (): Needs => need(tmpfsMissing()),
  /** A file of the machine, such as a header. */
  file: (path: string): Needs => need(existsSync(path) ? undefined : `there is no ${path}`),
  /** Time: quick runs leave it out. */
  full: (): Needs => need(isFullRun ? undefined : 'npm run test:full takes the time'),
  /** The built package, which must not be older than its sources. */
  build: (): Needs => {
    const stale = process.env['RAWKERNEL_TEST_STALE'];
    if (stale) throw new Error(stale);
    return need(existsSync(join(root, 'dist')) ? undefined : 'there is no dist: npm run build');
  },
};

function tmpfsMissing(): string | undefined {
  const missing = 'no file system can be mounted here, so that no disk is full';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return missing;
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-mount-'));
  try {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) return missing;
    spawnSync('umount', [folder]);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const said = new Set<string>();

function need(missing: string | undefined): Needs {
  if (missing === undefined) return { describe, test, missing };
  if (!said.has(missing)) process.stderr.write(`Tests skipped: ${missing}\n`);
  said.add(missing);
  leaveOut();
  return { describe: describe.skip, test: test.skip, missing };
}

function cudaDevices(wanted: number): string | undefined {
  const missing = libraryMissing(driver);
  if (missing !== undefined) return missing;
  const table = driver();
  const status = table.cuInit(0);
  if (status !== 0) return `the CUDA driver does not start (cuInit: ${status})`;
  const count = new Int32Array(1);
  table.cuDeviceGetCount(count);
  return tooFew('CUDA', count[0] ?? 0, wanted);
}

function nvmlDevices(wanted: number): string | undefined {
  const missing = libraryMissing(nvml);
  if (missing !== undefined) return missing;
  const table = nvml();
  const status = table.nvmlInitWithFlags(0);
  if (status !== 0) return `NVML does not start (nvmlInitWithFlags: ${status})`;
  const count = new Uint32Array(1);
  table.nvmlDeviceGetCount(count);
  table.nvmlShutdown();
  return tooFew('NVIDIA', count[0] ?? 0, wanted);
}

function ncclMissing(wanted: number): string | undefined {
  const devices = cudaDevices(wanted);
  if (devices !== undefined) return devices;
  if (isEmbedded() && !existsSync(join(root, 'src/cpu/nccl-device.ts'))) {
    return 'the embedded device has no NCCL';
  }
  return libraryMissing(nccl);
}

function deviceHas(name: keyof typeof DeviceAttribute): boolean {
  const value = new Int32Array(1);
  return driver().cuDeviceGetAttribute(value, DeviceAttribute[name], 0) === 0 && value[0] !== 0;
}

function makesArrays(): boolean {
  const table = driver();
  const slot = new BigUint64Array(1);
  if (table.cuDevicePrimaryCtxRetain(slot, 0) !== 0) return false;
  table.cuCtxPushCurrent(slot[0] as Parameters<typeof table.cuCtxPushCurrent>[0]);
  const { size, fields } = structs.CUDA_ARRAY3D_DESCRIPTOR;
  const description = new DataView(new ArrayBuffer(size));
  description.setBigUint64(fields.Width, 1n, true);
  description.setUint32(fields.Format, ArrayFormat.FLOAT, true);
  description.setUint32(fields.NumChannels, 1, true);
  const made = table.cuArray3DCreate(slot, description) === 0;
  if (made) table.cuArrayDestroy(slot[0] as Parameters<typeof table.cuArrayDestroy>[0]);
  table.cuCtxPopCurrent(slot);
  table.cuDevicePrimaryCtxRelease(0);
  return made;
}

function openclDevices(wanted: number): string | undefined {
  const missing = libraryMissing(opencl);
  if (missing !== undefined) return missing;
  const table = opencl();
  const count = new Uint32Array(1);
  if (table.clGetPlatformIDs(0, 0n, count) !== 0 || count[0] === undefined) return 'there is no OpenCL platform';
  const platforms = new BigUint64Array(count[0]);
  table.clGetPlatformIDs(platforms.length, platforms, 0n);
  let most = 0;
  for (const platform of platforms) {
    const devices = new Uint32Array(1);
    table.clGetDeviceIDs(platform as Parameters<typeof table.clGetDeviceIDs>[0], ALL_DEVICES, 0, 0n, devices);
    most = Math.max(most, devices[0] ?? 0);
  }
  return tooFew('OpenCL', most, wanted);
}

const ALL_DEVICES = 0xffff_ffff;

function tooFew(kind: string, count: number, wanted: number): string | undefined {
  return count >= wanted ? undefined : `${wanted} ${kind} device${wanted === 1 ? '' : 's'} wanted, ${count} found`;
}

function libraryMissing(open: () => unknown): string | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    if (!(error instanceof LibraryNotFoundError)) throw error;
    return error.message.split('\n')[0];
  }
}

function pchMissing(): string | undefined {
  try {
    nvrtc().nvrtcGetPCHHeapSize(new BigUint64Array(1));
    return undefined;
  } catch (error) {
    if (!(error instanceof SymbolNotFoundError)) throw error;
    return 'this NVRTC has no precompiled headers';
  }
}

function commandMissing(name: string, paths: readonly string[] = []): string | undefined {
  const found = [name, ...paths].some((path) => spawnSync(path, ['--version']).status === 0);
  return found ? undefined : `${name} is not installed`;
}

import { cacheEnabled, cacheKey, cacheRead, cacheWrite } from '../../core/cache.ts';
import { nameOf } from '../../core/check.ts';
import { hostByteLength, hostBytes } from '../../core/host-memory.ts';
import { includedHeaders } from '../../core/includes.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { cl, withReclaim } from '../call.ts';
import type { Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { OpenCLError, openclError } from '../errors.ts';
import { readBytes } from '../info.ts';
import { attributeBytes, attributesOf, readAttributes, type KernelAttributes } from './kernel-attributes.ts';
import type { Plan } from './plan.ts';
import { poclFault } from './pocl-binary.ts';
import type { RawProgram } from './raw-program.ts';
import { ProgramInfo, status } from '../sys/enums.ts';

/** A build on disk. */
export interface CacheEntry {
  readonly key: string;
  /** A program of the binaries, not built yet; undefined where the disk has no binaries that the driver accepts. */
  readonly raw: RawProgram | undefined;
  /** Those of its kernels. */
  readonly attributes?: KernelAttributes;
}

const INVALID_BINARY = status.CL_INVALID_BINARY[0];

/** A program of a source text. */
export function createFromSource(context: Context, source: string): RawProgram {
  return createFromText(context.use('Program'), source);
}

/** The same, by the driver's context. */
export function createFromText(owner: Opaque<'cl_context'>, source: string): RawProgram {
  const bytes = new TextEncoder().encode(source);
  if (bytes.length === 0) throw new TypeError('Program: the source is empty');
  const strings = new BigUint64Array([addressOf(bytes)]);
  const lengths = new BigUint64Array([BigInt(bytes.length)]);
  return withReclaim(() => cl.clCreateProgramWithSource(owner, 1, strings, lengths));
}

/** A program of binaries, one for each device. */
export function createFromBinaries(
  context: Context,
  devices: readonly Device[],
  binaries: readonly Uint8Array[],
): RawProgram {
  if (!(Array.isArray as (value: unknown) => boolean)(devices)) {
    throw new TypeError(`Program.fromBinaries takes a list of Devices, got ${nameOf(devices)}`);
  }
  if (!(Array.isArray as (value: unknown) => boolean)(binaries) || binaries.length !== devices.length) {
    throw new TypeError(
      `Program.fromBinaries takes a binary for each of ${devices.length} devices, got ${nameOf(binaries)}`,
    );
  }
  const foreign = devices.findIndex((device) => !context.devices.includes(device));
  if (foreign >= 0) throw new TypeError('Program.fromBinaries: devices must be of the context');
  const lengths = new BigUint64Array(
    Array.from(binaries, (binary, i) => BigInt(hostByteLength(binary, `Program.fromBinaries: binary ${i}`))),
  );
  binaries.forEach((binary, i) => {
    const fault = poclFault(hostBytes(binary, `Program.fromBinaries: binary ${i}`), devices[i]?.driverVersion ?? '');
    if (fault === undefined) return;
    throw openclError('clCreateProgramWithBinary', INVALID_BINARY, { reason: `Binary ${i} is damaged: ${fault}` });
  });
  const pointers = new BigUint64Array(binaries.map((binary) => addressOf(binary)));
  const ids = new BigUint64Array(devices.map((device) => device.raw));
  const statuses = new Int32Array(devices.length);
  const owner = context.use('Program');
  return withReclaim(() => cl.clCreateProgramWithBinary(owner, ids.length, ids, lengths, pointers, statuses));
}

/** The binaries of a built program, in the order of its devices. */
export function readBinaries(program: RawProgram, count: number): Uint8Array<ArrayBuffer>[] {
  const query = cl.clGetProgramInfo.bind(undefined, program);
  const sizes = new BigUint64Array(readBytes(query, ProgramInfo.BINARY_SIZES[0]).buffer);
  const binaries = Array.from(sizes.subarray(0, count), (size) => new Uint8Array(Number(size)));
  // The query takes an address for each device, and NULL for binaries that are not asked for.
  const pointers = new BigUint64Array(sizes.length);
  binaries.forEach((binary, i) => (pointers[i] = binary.length > 0 ? addressOf(binary) : 0n));
  cl.clGetProgramInfo(program, ProgramInfo.BINARIES[0], pointers.byteLength, pointers, 0n);
  return binaries;
}

/** Look a build up on disk; undefined where it cannot be known whether an entry fits. */
export function cachedBinaries(
  context: Context,
  devices: readonly Device[],
  source: string,
  options: string,
): CacheEntry | undefined {
  if (!cacheEnabled()) return undefined;
  const headers = includedHeaders(source, [...includeFolders(options), process.cwd()]);
  if (!headers) return undefined;
  const { checks } = context;
  const key = cacheKey({ api: 'opencl', source, options, headers, checks, devices: devices.map(identityOf) });
  const parts = cacheRead(key);
  const attributes = attributesOf(parts?.[devices.length]);
  if (!parts || !attributes) return { key, raw: undefined };
  try {
    return { key, raw: createFromBinaries(context, devices, parts.slice(0, devices.length)), attributes };
  } catch (error) {
    if (error instanceof OpenCLError || error instanceof RangeError) return { key, raw: undefined };
    throw error;
  }
}

/** The facts that are kept with a build. */
export interface BuiltProgram {
  readonly binaries: readonly Uint8Array[];
  readonly kernelNames: readonly string[];
  readonly source: string;
  readonly options: string;
}

/** Keep a build on disk where its plan says so; returns the known attributes of its kernels. */
export function keepBuild(plan: Plan, program: BuiltProgram): KernelAttributes {
  const keys = [plan.cached ? undefined : plan.key, plan.instead].filter((key) => key !== undefined);
  if (keys.length === 0) return plan.attributes ?? new Map<string, string>();
  const { binaries, kernelNames, source, options } = program;
  const attributes = plan.attributes ?? readAttributes(plan.raw, kernelNames, source + options);
  const complete = binaries.every((binary) => binary.length > 0);
  if (complete) for (const key of keys) cacheWrite(key, [...binaries, attributeBytes(attributes)]);
  return attributes;
}

/** The facts that a binary depends on besides its source. */
function identityOf(device: Device): string {
  const { platform } = device;
  const parts = [platform.name, platform.version, device.vendor, device.name, device.version, device.driverVersion];
  return parts.join('\n');
}

function includeFolders(options: string): string[] {
  const pattern = /(?:^|\s)(?:"-I\s*([^"]+)"|-I\s*(?:"([^"]+)"|(\S+)))/g;
  return [...options.matchAll(pattern)].map(([, whole, quoted, bare]) => whole ?? quoted ?? bare ?? '');
}

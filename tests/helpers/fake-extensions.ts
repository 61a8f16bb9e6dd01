import { entriesOf } from '../../src/ffi/prototype.ts';
import type { OpenCLTable } from '../../src/opencl/sys/tables.ts';
import { DeviceInfo } from '../../src/opencl/sys/enums.ts';
import { EXTENSIONS, extensionFunctions } from '../../src/opencl/sys/extensions.ts';
import type { FakeOpenCL } from './fake-opencl.ts';
import { strictTable } from './strict-table.ts';

export interface FakeExtensions {
  /** The fake's table, with a device that has extensions. */
  readonly table: OpenCLTable;
  /** Each call of an extension's function: its key, and its arguments as they came. */
  readonly calls: (readonly [name: string, args: readonly unknown[]])[];
  /** What the device answers to further queries. */
  readonly numbers: Map<number, Uint8Array>;
}

/**
 * Every function of every extension, on a device of a fake: they note their calls, make handles, and do nothing else.
 *
 * @param versions - of the extensions that the device has; an empty text leaves the version out
 */
export function fakeExtensions(fake: FakeOpenCL, versions: Readonly<Record<string, string>>): FakeExtensions {
  const calls: FakeExtensions['calls'] = [];
  let next = 0x9000n;
  const functions: Record<string, (...args: never[]) => unknown> = {};
  for (const [name, text] of entriesOf(extensionFunctions)) {
    functions[name] = (...args: unknown[]) => {
      calls.push([name, args.map(copied)]);
      const last = args.at(-1);
      if (text.includes('errcode_ret')) {
        (last as Int32Array)[0] = 0;
        return (next += 0x10n);
      }
      if (text.endsWith('_Out_ cl_event *event)') && last !== 0n) (last as BigUint64Array)[0] = next += 0x10n;
      return 0;
    };
  }
  const numbers = new Map<number, Uint8Array>([
    [DeviceInfo.EXTENSIONS[0], new TextEncoder().encode(`${Object.keys(versions).join(' ')}\0`)],
    [DeviceInfo.EXTENSIONS_WITH_VERSION[0], nameVersions(versions)],
  ]);
  const clGetDeviceInfo: OpenCLTable['clGetDeviceInfo'] = (device, param, size, value, total) => {
    const bytes = numbers.get(param);
    if (bytes === undefined) return fake.table.clGetDeviceInfo(device, param, size, value, total);
    if (total !== 0n) (total as BigUint64Array)[0] = BigInt(bytes.length);
    if (value !== 0n) (value as Uint8Array).set(bytes);
    return 0;
  };
  const table = Object.defineProperty({ ...fake.table, clGetDeviceInfo }, EXTENSIONS, {
    value: strictTable(extensionFunctions, functions, 'OpenCL'),
    // A table with more functions is made of this one.
    enumerable: true,
  });
  return { table, calls, numbers };
}

/** Callers use their arrays again. */
function copied(value: unknown): unknown {
  return ArrayBuffer.isView(value) ? (value as Uint8Array).slice() : value;
}

/** What a device tells of its extensions' versions; an empty text leaves one out. */
export function nameVersions(versions: Readonly<Record<string, string>>): Uint8Array {
  const told = Object.entries(versions).filter(([, version]) => version !== '');
  const bytes = new Uint8Array(68 * told.length);
  told.forEach(([name, version], i) => {
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    new DataView(bytes.buffer).setUint32(68 * i, (major << 22) | (minor << 12) | patch, true);
    new TextEncoder().encodeInto(name, bytes.subarray(68 * i + 4));
  });
  return bytes;
}

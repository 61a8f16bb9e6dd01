import { MAKER } from '../core/maker.ts';
import type { Handle } from '../core/handle.ts';
import { nameOf } from '../core/check.ts';
import { isHostMemory, trueByteLength } from '../core/host-memory.ts';
import { hostOf } from '../core/ref-value.ts';
import { dtypes, type DType } from '../core/dtype.ts';
import { KernelArgAddressQualifier, KernelArgInfo } from '../opencl/sys/enums.ts';
import { readString } from '../opencl/info.ts';
import { bytesOf, isArray, kernel as kernelOf, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { CLObject, type Kind, type Raw } from './handle.ts';
import { noteLocalMemory } from './local-memory.ts';
import { CLKernel } from './objects.ts';
import { Parameters } from './parameter.ts';

/** The objects that a kernel uses through its arguments: the driver does not keep them alive. */
type Held = Map<number, Handle<bigint>>;

const heldBy = new WeakMap<CLKernel, Held>();

/** A new kernel, with the objects of its arguments. */
export function ownedKernel(raw: bigint): CLKernel {
  const held: Held = new Map();
  const destroy = (value: bigint): void => {
    try {
      cl.clReleaseKernel(value as Raw<'CLKernel'>);
    } finally {
      for (const handle of held.values()) handle.release();
    }
  };
  const kernel = new CLKernel(MAKER, raw, { owns: true, destroy });
  heldBy.set(kernel, held);
  return kernel;
}

/** Keep the object of an argument alive, in place of the argument's earlier object. */
export function hold(kernel: CLKernel, index: number, handle: Handle<bigint> | undefined): void {
  const held = heldBy.get(kernel);
  if (!held) return;
  const before = held.get(index);
  if (handle) held.set(index, handle.retain());
  else held.delete(index);
  before?.release();
}

/** The objects of a kind in a kernel's arguments. */
export function heldHandles(kernel: CLKernel, kind: string): Handle<bigint>[] | undefined {
  const handles = [...(heldBy.get(kernel)?.values() ?? [])].filter((handle) => handle.kind === kind);
  return handles.length > 0 ? handles : undefined;
}

/** Types that take an object of the driver, by pattern. */
const OBJECTS: readonly (readonly [type: RegExp, kind: Kind])[] = [
  [/\*\s*$|^cl_mem$|^image\w*_t$|^pipe\b/, 'CLMem'],
  [/^sampler_t$/, 'CLSampler'],
  [/^queue_t$/, 'CLCommandQueue'],
];

const SCALARS: Readonly<Record<string, DType>> = {
  char: 'i8',
  uchar: 'u8',
  short: 'i16',
  ushort: 'u16',
  int: 'i32',
  uint: 'u32',
  long: 'i64',
  ulong: 'u64',
  half: 'f16',
  float: 'f32',
  double: 'f64',
};

const VECTOR = /^([a-z]+)(2|3|4|8|16)$/;

/**
 * Set an argument of a kernel.
 *
 * @param args - the kernel, the argument's position, the name of its type, and its value. Types are those of OpenCL C:
 * numbers, short vectors as arrays (`'float4'`, `[1, 2, 3, 4]`), `'float*'` or `'cl_mem'` for memory, `'image2d_t'`,
 * `'sampler_t'`, `'local'` with a size in bytes; a struct is a host array with its bytes, and the struct's name. null asks
 * the driver for the type
 */
export function setKernelArg(...args: [kernel: CLKernel, index: number, type: string | null, value: unknown]): 0 {
  expectArguments(args, 3);
  const kernel = kernelOf(args[0], 0);
  const index = uint(args[1], 1);
  const named = args[2] as unknown;
  const value = args[3];
  if (named !== null && named !== undefined && typeof named !== 'string') {
    throw new Error('Typename has to be given as string');
  }
  const type = typeof named === 'string' ? plain(named) : typeOf(kernel, index);
  const parameters = Parameters.of(args[0], kernel);
  if (type === 'local') {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw failure('CL_INVALID_ARG_VALUE');
    parameters.check(index, 'local');
    const status = set(args[0], index, value, 0n);
    noteLocalMemory(args[0], index, value);
    return status;
  }
  const [, kind] = OBJECTS.find(([pattern]) => pattern.test(type)) ?? [];
  if (kind) {
    const raw = CLObject.raw(value, kind);
    parameters.checkObject(index, kind, raw);
    return set(args[0], index, 8, BigUint64Array.of(raw), CLObject.record(value as CLObject<Kind>));
  }
  const bytes = valueBytes(type, value);
  parameters.check(index, 'value');
  parameters.checkSize(index, bytes.byteLength);
  return set(args[0], index, bytes.byteLength, bytes);
}

function set(
  kernel: CLKernel,
  index: number,
  byteLength: number,
  value: ArrayBufferView | bigint,
  handle?: Handle<bigint>,
): 0 {
  const status = cl.clSetKernelArg(kernelOf(kernel, 0), index, byteLength, value);
  hold(kernel, index, handle);
  noteLocalMemory(kernel, index, undefined);
  return status as 0;
}

/** A type without qualifiers, and with the names that OpenCL C prefers. */
function plain(type: string): string {
  const name = type
    .replace(/\b(?:__)?(?:global|constant|private|const|restrict|volatile|read_only|write_only|read_write)\b/g, '')
    .replace(/\bunsigned (char|short|int|long)\b/, 'u$1')
    .trim();
  return /^(?:__)?local\b/.test(name) ? 'local' : name;
}

function typeOf(kernel: Raw<'CLKernel'>, index: number): string {
  const query = cl.clGetKernelArgInfo.bind(undefined, kernel, index);
  const space = new Uint32Array(1);
  query(KernelArgInfo.ADDRESS_QUALIFIER[0], 4, space, 0n);
  return space[0] === KernelArgAddressQualifier.LOCAL ? 'local' : plain(readString(query, KernelArgInfo.TYPE_NAME[0]));
}

function valueBytes(type: string, value: unknown): Uint8Array {
  if (type === 'bool') return new Uint8Array(Uint32Array.of(value ? 1 : 0).buffer);
  const scalar = Object.hasOwn(SCALARS, type) ? SCALARS[type] : undefined;
  if (scalar) return numbers(scalar, [value], 1);
  const [, element = '', lanes = ''] = VECTOR.exec(type) ?? [];
  const dtype = Object.hasOwn(SCALARS, element) ? SCALARS[element] : undefined;
  if (dtype) {
    const count = Number(lanes);
    if (!isArray(value))
      throw failure('CL_INVALID_ARG_VALUE', new TypeError(`${type} takes an array of numbers, got ${nameOf(value)}`));
    if (value.length !== count) {
      throw failure('CL_INVALID_ARG_SIZE', new RangeError(`${type} takes ${count} numbers, got ${value.length}`));
    }
    // A vector of three is as large as one of four.
    return numbers(dtype, value, count === 3 ? 4 : count);
  }
  const memory = hostOf(value);
  if (isHostMemory(memory) && trueByteLength(memory) > 0) return bytesOf(memory).slice();
  throw new Error(`Unsupported OpenCL argument type: ${type}`);
}

function numbers(dtype: DType, values: readonly unknown[], lanes: number): Uint8Array {
  const { size, kind, write } = dtypes[dtype];
  const view = new DataView(new ArrayBuffer(size * lanes));
  values.forEach((value, i) => write(view, i * size, kind === 'float' ? float(value) : integer(value, size)));
  return new Uint8Array(view.buffer);
}

function float(value: unknown): number {
  if (typeof value === 'number') return value;
  throw failure('CL_INVALID_ARG_VALUE', new TypeError(`The value must be a number, got ${nameOf(value)}`));
}

/** Numbers of up to 32 bits wrap around as they do in C. */
function integer(value: unknown, size: number): number | bigint {
  if (size === 8) {
    if (typeof value === 'bigint') return value;
    if (Number.isFinite(value)) return BigInt(Math.trunc(value as number));
  } else if (Number.isInteger(value) && (value as number) >= -(2 ** 31) && (value as number) < 2 ** 32) {
    return value as number;
  }
  throw failure('CL_INVALID_ARG_VALUE', new TypeError(`The value must be an integer, got ${nameOf(value)}`));
}

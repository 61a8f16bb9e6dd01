import { nameOf } from '../core/host-memory.ts';
import { ArgumentBlock, describeSlot, pointerError, writerFor, type PointerRules, type Slot } from '../core/pack.ts';
import { parseDeclarations, parseType, type AddressSpace, type CType } from '../core/signature.ts';
import { checkInteger } from '../core/host-memory.ts';
import { Value } from '../core/value.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { addressOf } from '../ffi/memory.ts';
import { Buffer } from './buffer.ts';
import { cl } from './call.ts';
import type { Context } from './context.ts';
import { OpenCLError } from './errors.ts';
import { readInfo } from './info.ts';
import type { OpenCLTable } from './select.ts';
import { KernelArgAddressQualifier, KernelArgInfo, KernelArgTypeQualifier } from './sys/enums.ts';

type RawKernel = Opaque<'cl_kernel'>;

/**
 * Local memory of a work-group, for a `__local` pointer of a kernel.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * const scratch = new cl.LocalMemory(64 * 4);
 * console.log(scratch.byteLength);
 * ```
 */
export class LocalMemory {
  readonly #byteLength: number;

  /**
   * @param byteLength - bytes for each work-group
   * @throws RangeError it is no integer of at least 1
   */
  constructor(byteLength: number) {
    this.#byteLength = checkInteger(byteLength, 'LocalMemory: byteLength', 1);
  }

  /** Bytes for each work-group. */
  get byteLength(): number {
    return this.#byteLength;
  }
}

/** What a kernel takes: a number in the parameter's own type, a typed value, a buffer (null: no memory), local memory. */
export type KernelArgument = number | bigint | Value | Buffer | LocalMemory | null;

/** One parameter, as far as it is known. */
export interface KernelParameter {
  readonly name: string | undefined;
  readonly type: CType | undefined;
}

const SPACES: ReadonlyMap<number, AddressSpace> = new Map([
  [KernelArgAddressQualifier.GLOBAL, 'global'],
  [KernelArgAddressQualifier.LOCAL, 'local'],
  [KernelArgAddressQualifier.CONSTANT, 'constant'],
  [KernelArgAddressQualifier.PRIVATE, 'private'],
]);
const IMAGES = /^(image\w*_t|sampler_t|pipe|queue_t|event_t)\b/;

/** The parameters: what the driver says, else what the source says, else their number alone. */
export function kernelParameters(kernel: RawKernel, name: string, count: number, source: string): KernelParameter[] {
  const declared = lazy(() => {
    const found = parseDeclarations(source, 'opencl').filter((declaration) => declaration.name === name);
    const parameters = found.at(-1)?.parameters;
    return parameters?.length === count ? parameters : undefined;
  });
  return Array.from({ length: count }, (_, i) => {
    const told = reported(kernel, i);
    if (told?.type && told.type.size !== undefined) return told;
    return declared()?.[i] ?? told ?? { name: undefined, type: undefined };
  });
}

function reported(kernel: RawKernel, index: number): KernelParameter | undefined {
  const query = cl.clGetKernelArgInfo.bind(undefined, kernel, index);
  const ask = (name: keyof typeof KernelArgInfo): unknown => readInfo(KernelArgInfo, query, name, undefined, 'Kernel');
  try {
    const typeName = ask('TYPE_NAME') as string;
    if (typeName === '') return undefined;
    const isConst = (Number(ask('TYPE_QUALIFIER')) & KernelArgTypeQualifier.CONST) !== 0;
    const pointer = typeName.endsWith('*');
    const type = parseType(
      pointer && isConst && !typeName.startsWith('const ') ? `const ${typeName}` : typeName,
      'opencl',
    );
    const space = SPACES.get(ask('ADDRESS_QUALIFIER') as number);
    const name = ask('NAME') as string;
    return { name: name === '' ? undefined : name, type: space && pointer ? { ...type, space } : type };
  } catch (error) {
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}

/** Check one argument and hand it to the driver; returns the driver's status. */
export type Setter = (value: unknown) => number;

/** What the setters of one kernel share. */
export interface Binding {
  readonly table: OpenCLTable;
  readonly kernel: RawKernel;
  readonly name: string;
  readonly context: Context;
}

/** A setter for each parameter. They write into one block, whose address is taken once. */
export function argumentSetters(parameters: readonly KernelParameter[], binding: Binding): Setter[] {
  let end = 0;
  const slots = parameters.map(({ name, type }, index): Slot => {
    const byteOffset = Math.ceil(end / 8) * 8;
    const byteLength = type?.kind === 'pointer' ? 8 : (type?.size ?? 8);
    end = byteOffset + byteLength;
    return { kernel: binding.name, index, name, type, byteOffset, byteLength };
  });
  const block = new ArgumentBlock(end);
  const base = addressOf(block.u8);
  const { identity } = binding.context;
  const method = `argument of ${binding.name}`;
  const pointers: PointerRules = {
    address: (value) => {
      if (value === null) return 0n;
      if (!(value instanceof Buffer)) return undefined;
      if (value.context.identity !== identity) throw new TypeError(`${binding.name}: a Buffer of another context came`);
      return value.use(method);
    },
    wanted: 'a Buffer, or null',
    hostAdvice: 'make a Buffer of it with MemFlags.COPY_HOST_PTR',
  };
  return slots.map((slot) => {
    const { type } = slot;
    if (!type || type.size === undefined) return valueSetter(slot, binding, pointers, block, base);
    if (type.kind === 'pointer' && type.space === 'local') return localSetter(slot, binding);
    return fixedSetter(slot, binding, pointers, block, base);
  });
}

function fixedSetter(slot: Slot, binding: Binding, pointers: PointerRules, block: ArgumentBlock, base: bigint): Setter {
  const { table, kernel } = binding;
  const { index, byteLength } = slot;
  const write = writerFor(slot, pointers);
  const address = base + BigInt(slot.byteOffset);
  if (slot.type?.kind !== 'int' && slot.type?.kind !== 'float') {
    return (value) => {
      write(block, value);
      return table.clSetKernelArg(kernel, index, byteLength, address);
    };
  }
  // The driver keeps a number until another is set.
  let last: unknown;
  return (value) => {
    if (Object.is(value, last) && typeof value === 'number') return 0;
    last = undefined;
    write(block, value);
    const status = table.clSetKernelArg(kernel, index, byteLength, address);
    if (status === 0) last = value;
    return status;
  };
}

function localSetter(slot: Slot, { table, kernel }: Binding): Setter {
  const what = describeSlot(slot);
  return (value) => {
    if (!(value instanceof LocalMemory)) {
      throw new TypeError(`${what} is local memory: pass new LocalMemory(bytes); ${nameOf(value)} came`);
    }
    return table.clSetKernelArg(kernel, slot.index, value.byteLength, 0n);
  };
}

/** The size is not known here, only to the driver: a struct, or a kernel that came without its types. */
function valueSetter(slot: Slot, binding: Binding, pointers: PointerRules, block: ArgumentBlock, base: bigint): Setter {
  const { table, kernel } = binding;
  const { index, type } = slot;
  const what = describeSlot(slot);
  const address = base + BigInt(slot.byteOffset);
  return (value) => {
    if (value instanceof Value) {
      const bytes = new DataView(new ArrayBuffer(value.byteLength));
      value.writeTo(bytes, 0);
      return table.clSetKernelArg(kernel, index, value.byteLength, bytes);
    }
    if (!type) {
      if (value instanceof LocalMemory) return table.clSetKernelArg(kernel, index, value.byteLength, 0n);
      const pointer = pointers.address(value);
      if (pointer !== undefined) {
        block.u64[slot.byteOffset >> 3] = pointer;
        return table.clSetKernelArg(kernel, index, 8, address);
      }
      if (typeof value !== 'number' && typeof value !== 'bigint') throw pointerError(slot, pointers, value);
      throw new TypeError(
        `${what}: its C type is not known: pass a typed value such as int32(…); ${nameOf(value)} came`,
      );
    }
    if (IMAGES.test(type.text))
      throw new TypeError(`${what}: images, samplers, pipes and queues are not supported yet`);
    throw new TypeError(
      `${what} is passed by value: pass a struct(…) value or a typed value such as int32(…); ${nameOf(value)} came`,
    );
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

import { tagOn } from '../../core/element-tag.ts';
import { describeFacts, PublicObject } from '../../core/public-object.ts';
import { nameOf } from '../../core/check.ts';
import {
  ArgumentBlock,
  describeSlot,
  elementChecker,
  pointerError,
  writerFor,
  type PointerRules,
  type Slot,
  type Writer,
} from '../../core/pack.ts';
import { refBytes, refNumber, type RefPointer, type RefValue } from '../../core/ref-value.ts';
import { parseDeclarations, parseType, type AddressSpace, type CType } from '../../core/signature.ts';
import { checkInteger } from '../../core/check.ts';
import { handleOf } from '../../core/resource.ts';
import { Value } from '../../core/value.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { ArrayPlace, isDeviceArray, placeOf, type DeviceArray } from '../memory/array-place.ts';
import { Buffer } from '../memory/buffer.ts';
import { isSVM, type SVMMemory } from '../memory/svm-memory.ts';
import { cl } from '../call.ts';
import { OpenCLError } from '../errors.ts';
import { readInfo } from '../info.ts';
import type { Binding, Setter } from './binding.ts';
import { objectHandle, objectSetter, type Access, type ObjectArgument } from './object-arguments.ts';
import {
  KernelArgAccessQualifier,
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelArgTypeQualifier,
} from '../sys/enums.ts';

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
export class LocalMemory extends PublicObject {
  readonly #byteLength: number;

  /**
   * @param byteLength - bytes for each work-group
   * @throws RangeError it is not an integer of at least 1
   */
  constructor(byteLength: number) {
    super();
    this.#byteLength = checkInteger(byteLength, 'LocalMemory: byteLength', 1);
  }

  /** Bytes for each work-group. */
  get byteLength(): number {
    return this.#byteLength;
  }
}
describeFacts(LocalMemory, ({ byteLength }) => ({ byteLength }));

/**
 * An argument of a kernel: a number in the parameter's own type, a typed value, a buffer or an array (null: no memory), shared or
 * local memory, an image, a sampler, a pipe, a queue on the device.
 */
export type KernelArgument =
  | number
  | bigint
  | Value
  | Buffer
  | DeviceArray
  | SVMMemory
  | LocalMemory
  | ObjectArgument
  | RefValue
  | RefPointer
  | null;

/** One parameter, as far as it is known. */
export interface KernelParameter {
  readonly name: string | undefined;
  readonly type: CType | undefined;
  /** How the kernel uses an image or a pipe, where the driver reports it. */
  readonly access?: Access | undefined;
}

const SPACES: ReadonlyMap<number, AddressSpace> = new Map([
  [KernelArgAddressQualifier.GLOBAL, 'global'],
  [KernelArgAddressQualifier.LOCAL, 'local'],
  [KernelArgAddressQualifier.CONSTANT, 'constant'],
  [KernelArgAddressQualifier.PRIVATE, 'private'],
]);
const ACCESSES: ReadonlyMap<number, Access> = new Map([
  [KernelArgAccessQualifier.READ_ONLY, 'read_only'],
  [KernelArgAccessQualifier.WRITE_ONLY, 'write_only'],
  [KernelArgAccessQualifier.READ_WRITE, 'read_write'],
]);

/** The parameters: from the driver, else from the source, else their number alone. */
export function kernelParameters(kernel: RawKernel, name: string, count: number, source: string): KernelParameter[] {
  const declared = lazy(() => {
    const found = parseDeclarations(source, 'opencl').filter((declaration) => declaration.name === name);
    const parameters = found.at(-1)?.parameters;
    return parameters?.length === count ? parameters : undefined;
  });
  return Array.from({ length: count }, (_, i) => {
    const told = reported(kernel, i);
    if (!told?.type || (told.type.size === undefined && told.access === undefined)) {
      return declared()?.[i] ?? told ?? { name: undefined, type: undefined };
    }
    if (!pointsToName(told.type)) return told;
    // The driver reports the name of a typedef, the source its type.
    const element = declared()?.[i]?.type.element;
    return element === undefined ? told : { ...told, type: { ...told.type, element } };
  });
}

function pointsToName({ kind, element }: CType): boolean {
  return (
    kind === 'pointer' &&
    element !== undefined &&
    !/\bvoid$/.test(element) &&
    parseType(element, 'opencl').kind === 'named'
  );
}

function reported(kernel: RawKernel, index: number): KernelParameter | undefined {
  const query = cl.clGetKernelArgInfo.bind(undefined, kernel, index);
  const ask = (name: keyof typeof KernelArgInfo): unknown => readInfo(KernelArgInfo, query, name, undefined, 'Kernel');
  try {
    const typeName = ask('TYPE_NAME') as string;
    if (typeName === '') return undefined;
    const qualifiers = Number(ask('TYPE_QUALIFIER'));
    const isConst = (qualifiers & KernelArgTypeQualifier.CONST) !== 0;
    const pointer = typeName.endsWith('*');
    const isPipe = (qualifiers & KernelArgTypeQualifier.PIPE) !== 0;
    const type = isPipe
      ? pipeOf(typeName)
      : parseType(pointer && isConst && !typeName.startsWith('const ') ? `const ${typeName}` : typeName, 'opencl');
    const space = SPACES.get(ask('ADDRESS_QUALIFIER') as number);
    const name = ask('NAME') as string;
    const access = ACCESSES.get(ask('ACCESS_QUALIFIER') as number);
    return { name: name === '' ? undefined : name, type: space && pointer ? { ...type, space } : type, access };
  } catch (error) {
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}

/** For a pipe the driver reports the type of the packets. */
function pipeOf(packet: string): CType {
  return { ...parseType('pipe_t', 'opencl'), text: packet.startsWith('pipe') ? packet : `pipe ${packet}` };
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
  const method = `argument of ${binding.name}`;
  const pointers: PointerRules = {
    address: (value) => {
      if (value === null) return 0n;
      if (!(value instanceof Buffer)) {
        if (!isDeviceArray(value)) return undefined;
        const { buffer, writes } = placeOf(value, method);
        checkContextOf(buffer, binding);
        binding.submission.use(writes);
        return buffer.use(method);
      }
      checkContextOf(value as Buffer, binding);
      binding.submission.use(value.uses);
      return value.use(method);
    },
    elements: (value) => tagOn(value) ?? 0,
    dialect: 'opencl',
    bytesAdvice: 'make it from new Uint8Array(array.buffer, array.byteOffset, array.byteLength)',
    wanted: 'a Buffer, an NDArray, an SVMAllocation, or null',
    hostAdvice: 'make a Buffer of it with MemFlags.COPY_HOST_PTR',
  };
  return slots.map((slot) => {
    const { type } = slot;
    const object = objectSetter(slot, binding, block, base, parameters[slot.index]?.access);
    if (object) return object;
    if (!type || type.size === undefined) return valueSetter(slot, binding, pointers, block, base);
    if (type.kind === 'pointer' && type.space === 'local') return localSetter(slot, binding);
    return fixedSetter(slot, binding, pointers, block, base);
  });
}

function fixedSetter(slot: Slot, binding: Binding, pointers: PointerRules, block: ArgumentBlock, base: bigint): Setter {
  const { table, kernel, isForeign } = binding;
  const { index, byteLength } = slot;
  const write = writerFor(slot, pointers);
  const address = base + BigInt(slot.byteOffset);
  if (slot.type?.kind === 'pointer') {
    return pointerSetter(slot, binding, write, elementChecker(slot, pointers), block, address);
  }
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
    if (status === 0 && !isForeign) last = value;
    return status;
  };
}

function pointerSetter(
  { index, byteLength, byteOffset, type }: Slot,
  binding: Binding,
  write: Writer,
  checkElements: ((value: unknown) => void) | undefined,
  block: ArgumentBlock,
  address: bigint,
): Setter {
  const { table, kernel, name, isForeign, submission } = binding;
  const method = `argument of ${name}`;
  // The driver keeps a buffer, too. Remembering the wrapper would keep it from the collector.
  let last: unknown;
  const use = readsOnly(type) ? 'reads' : 'writes';
  const at = byteOffset >> 3;
  const setPlace = (place: ArrayPlace): number => {
    const { buffer } = place;
    const owned = handleOf(buffer, method);
    if (owned !== last) {
      last = undefined;
      checkContextOf(buffer, binding);
      block.u64[at] = owned.value;
      const status = table.clSetKernelArg(kernel, index, byteLength, address);
      if (status !== 0) return status;
      if (!isForeign) last = owned;
    }
    submission.use(place[use]);
    return 0;
  };
  return (value) => {
    if (value instanceof ArrayPlace) return setPlace(value);
    if (!(value instanceof Buffer)) {
      if (isDeviceArray(value)) {
        checkElements?.(value);
        return setPlace(placeOf(value, method));
      }
      last = undefined;
      if (isSVM(value)) {
        checkElements?.(value);
        return setSVM(value, index, binding);
      }
      write(block, value);
      return table.clSetKernelArg(kernel, index, byteLength, address);
    }
    const owned = handleOf(value, method);
    if (owned === last) {
      submission.use(value.uses);
      return 0;
    }
    last = undefined;
    write(block, value);
    const status = table.clSetKernelArg(kernel, index, byteLength, address);
    if (status === 0 && !isForeign) last = owned;
    return status;
  };
}

function checkContextOf({ context }: Buffer, binding: Binding): void {
  if (context.identity === binding.context.identity) return;
  throw new TypeError(`${binding.name}: memory must belong to the kernel's context, got a Buffer of another context`);
}

/** Whether a kernel only reads what is behind a pointer. */
function readsOnly(type: CType | undefined): boolean {
  return type?.space === 'constant' || /^(?:volatile )?const\b/.test(type?.element ?? '');
}

function setSVM(memory: SVMMemory, index: number, binding: Binding): number {
  const { table, kernel, context, name, submission } = binding;
  binding.hadSVM = true;
  const pointer = memory.pointer(context, `argument of ${name}`);
  submission.use(memory.uses);
  // Platforms without shared memory do not have the other function.
  if (pointer === 0n) return table.clSetKernelArg(kernel, index, 8, NOTHING);
  const status = table.clSetKernelArgSVMPointer(kernel, index, pointer);
  if (status !== 0) binding.routine = 'clSetKernelArgSVMPointer';
  return status;
}

/** NULL, where the driver reads it. */
const NOTHING = new BigUint64Array(1);

function localSetter(slot: Slot, { table, kernel }: Binding): Setter {
  const what = describeSlot(slot);
  return (value) => {
    if (!(value instanceof LocalMemory)) {
      throw new TypeError(`${what} is local memory: pass new LocalMemory(bytes), got ${nameOf(value)}`);
    }
    return table.clSetKernelArg(kernel, slot.index, value.byteLength, 0n);
  };
}

/** Only the driver knows the size: of a struct, or of any parameter of a kernel whose types are not known. */
function valueSetter(slot: Slot, binding: Binding, pointers: PointerRules, block: ArgumentBlock, base: bigint): Setter {
  const { table, kernel } = binding;
  const { index, type } = slot;
  const what = describeSlot(slot);
  const address = base + BigInt(slot.byteOffset);
  const wanted = lazy(() => (type?.kind === 'named' ? binding.structSize(type.text) : undefined));
  const checkSize = (byteLength: number): void => {
    const size = wanted();
    if (size === undefined || size === byteLength) return;
    throw new TypeError(`${what} must have ${size} bytes, got ${byteLength}`);
  };
  return (value) => {
    if (value instanceof Value) {
      checkSize(value.byteLength);
      const bytes = new DataView(new ArrayBuffer(value.byteLength));
      value.writeTo(bytes, 0);
      return table.clSetKernelArg(kernel, index, value.byteLength, bytes);
    }
    const own = refBytes(value) ?? refNumber(value)?.bytes;
    if (own) {
      checkSize(own.byteLength);
      return table.clSetKernelArg(kernel, index, own.byteLength, own);
    }
    if (!type) {
      if (value instanceof LocalMemory) return table.clSetKernelArg(kernel, index, value.byteLength, 0n);
      if (isSVM(value)) return setSVM(value, index, binding);
      const pointer = pointers.address(value) ?? objectHandle(value, binding, `argument of ${binding.name}`);
      if (pointer !== undefined) {
        block.u64[slot.byteOffset >> 3] = pointer;
        return table.clSetKernelArg(kernel, index, 8, address);
      }
      if (typeof value !== 'number' && typeof value !== 'bigint') throw pointerError(slot, pointers, value);
      throw new TypeError(
        `${what}: its C type is not known: pass a typed value such as int32(…), got ${nameOf(value)}`,
      );
    }
    throw new TypeError(
      `${what} is passed by value: pass a struct(…) value or a typed value such as int32(…), got ${nameOf(value)}`,
    );
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

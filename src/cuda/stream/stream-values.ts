import { readChoice, readFlag } from '../../core/choice.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { deviceRange, type DeviceMemory, type DevicePointer } from '../memory/device-pointer.ts';
import { StreamMemOp, StreamWaitValue, StreamWriteValue } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

/** How a stream waits for a value. */
export interface WaitValueOptions {
  /** 32 by default; 64 needs the device attribute CAN_USE_64_BIT_STREAM_MEM_OPS. */
  readonly bits?: 32 | 64;
  /**
   * When to go on: 'geq' (by default) if memory - value, as a signed number, is not negative; 'eq' if they are equal; 'and' if
   * they have a bit in common; 'nor' if there is a bit that neither has.
   */
  readonly compare?: 'geq' | 'eq' | 'and' | 'nor';
  /** Make earlier writes of other devices visible, too. */
  readonly flush?: boolean;
}

/** How a stream writes a value. */
export interface WriteValueOptions {
  /** 32 by default. */
  readonly bits?: 32 | 64;
  /** Write without waiting until earlier writes are visible. */
  readonly noBarrier?: boolean;
}

/** One of {@link Stream.batchMemOp}: a wait, or a write. */
export type BatchMemOp =
  | (WaitValueOptions & { readonly wait: DeviceMemory; readonly value: number | bigint })
  | (WriteValueOptions & { readonly write: DeviceMemory; readonly value: number | bigint });

/** One memory operation, checked: what the driver is told. */
export interface ValueOperation {
  readonly address: DevicePointer;
  readonly wide: boolean;
  readonly value: bigint;
  readonly flags: number;
}

const COMPARE = {
  geq: StreamWaitValue.GEQ,
  eq: StreamWaitValue.EQ,
  and: StreamWaitValue.AND,
  nor: StreamWaitValue.NOR,
} as const;

export function waitOperation(memory: DeviceMemory, value: number | bigint, options: WaitValueOptions): ValueOperation {
  checkOptions(options, ['bits', 'compare', 'flush'], 'Stream.waitValue');
  const { compare = 'geq' } = options;
  const flush = readFlag(options.flush, 'flush') ? StreamWaitValue.FLUSH : 0;
  const flags = readChoice(compare, COMPARE, 'compare') | flush;
  return { ...operation(memory, value, options.bits, 'Stream.waitValue'), flags };
}

export function writeOperation(
  memory: DeviceMemory,
  value: number | bigint,
  options: WriteValueOptions,
): ValueOperation {
  checkOptions(options, ['bits', 'noBarrier'], 'Stream.writeValue');
  const flags = readFlag(options.noBarrier, 'noBarrier')
    ? StreamWriteValue.NO_MEMORY_BARRIER
    : StreamWriteValue.DEFAULT;
  return { ...operation(memory, value, options.bits, 'Stream.writeValue'), flags };
}

const { size: PARAMS_BYTES, fields } = structs.CUstreamBatchMemOpParams;
/** The driver takes fewer than 256. */
const MAX_OPERATIONS = 255;

/** Several operations, checked, as CUstreamBatchMemOpParams. */
export function batchParams(operations: readonly BatchMemOp[]): Uint8Array<ArrayBuffer> {
  if (!Array.isArray(operations)) {
    throw new TypeError(`Stream.batchMemOp takes an array of operations, got ${nameOf(operations)}`);
  }
  const { length } = operations;
  if (length === 0 || length > MAX_OPERATIONS) {
    throw new RangeError(`Stream.batchMemOp takes 1 to ${MAX_OPERATIONS} operations, got ${length}`);
  }
  const view = new DataView(new ArrayBuffer(PARAMS_BYTES * length));
  [...(operations as BatchMemOp[])].forEach((operation, i) => {
    const [wait, { address, wide, value, flags }] = readOperation(operation, i);
    const [narrowKind, wideKind] = wait
      ? [StreamMemOp.WAIT_VALUE_32, StreamMemOp.WAIT_VALUE_64]
      : [StreamMemOp.WRITE_VALUE_32, StreamMemOp.WRITE_VALUE_64];
    const at = PARAMS_BYTES * i;
    view.setInt32(at + fields.operation, wide ? wideKind : narrowKind, true);
    // A write lies as a wait does.
    view.setBigUint64(at + fields['waitValue.address'], address, true);
    view.setBigUint64(at + fields['waitValue.value'], value, true);
    view.setUint32(at + fields['waitValue.flags'], flags, true);
  });
  return new Uint8Array(view.buffer);
}

function readOperation(operation: unknown, index: number): readonly [wait: boolean, operation: ValueOperation] {
  if (typeof operation === 'object' && operation !== null && 'wait' in operation !== 'write' in operation) {
    const { wait, write, value, ...options } = operation as Record<string, never>;
    return 'wait' in operation
      ? [true, waitOperation(wait as never, value as never, options)]
      : [false, writeOperation(write as never, value as never, options)];
  }
  throw new TypeError(
    `Stream.batchMemOp: operation ${index} must be { wait: memory, value } or { write: memory, value }, got ${nameOf(operation)}`,
  );
}

function operation(memory: DeviceMemory, value: unknown, bits: unknown, method: string): Omit<ValueOperation, 'flags'> {
  if (bits !== undefined && bits !== 32 && bits !== 64) {
    throw new RangeError(`${method}: bits must be 32 or 64, got ${nameOf(bits)}`);
  }
  const wide = bits === 64;
  const bytes = wide ? 8 : 4;
  const address = deviceRange(memory, bytes, `${method}: the memory`);
  if (address % BigInt(bytes) !== 0n) throw new RangeError(`${method}: the address is not a multiple of ${bytes}`);
  return { address, wide, value: wholeNumber(value, wide ? 64 : 32, `${method}: the value`) };
}

function wholeNumber(value: unknown, bits: 32 | 64, what: string): bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw new TypeError(`${what} must be a number or a bigint, got ${nameOf(value)}`);
  }
  const whole = typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value) : -1n;
  if (whole < 0n || whole >= 1n << BigInt(bits)) {
    throw new RangeError(`${what} must be an integer from 0 to 2^${bits} - 1, got ${String(value)}`);
  }
  return whole;
}

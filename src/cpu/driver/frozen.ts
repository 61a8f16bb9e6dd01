import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { LaunchAttributeId } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { addressOf } from '../../ffi/memory.ts';
import type { Step } from './graph-store.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import type { DriverState } from './state.ts';

type CUstream = Opaque<'CUstream'>;

const CONFIG = structs.CUlaunchConfig;
const ATTRIBUTE_BYTES = structs.CUlaunchAttribute.size;
const EXTRA = CONFIG.size + ATTRIBUTE_BYTES;
const ARGUMENTS = EXTRA + 48;
/** Bytes of a launch's shape: grid, block and dynamic shared memory. */
export const SHAPE_BYTES = 28;
const BUFFER_POINTER = 1n;
const BUFFER_SIZE = 2n;

/** A launch with copies of its arguments and its shape, so that it can run again. */
export interface FrozenLaunch {
  readonly step: Step;
  /** Make the launch cooperative, or not. */
  readonly setCooperative: (on: boolean) => void;
}

/**
 * Copy a launch.
 *
 * @param shape - grid, block and dynamic shared memory: 7 words
 * @returns undefined for incomplete arguments
 */
export function freeze(
  state: DriverState,
  table: Pick<DriverTable, 'cuLaunchKernelEx'>,
  raw: bigint,
  shape: Uint8Array,
  params: Out,
  extra: Out,
  cooperative: boolean,
): FrozenLaunch | undefined {
  const kernel = state.functions.get(Number(raw))?.kernel;
  if (!kernel) return undefined;
  const args = extra === 0n ? gathered(params, kernel.parameters, kernel.argumentBytes) : packed(extra);
  if (!args || args.length < kernel.argumentBytes) return undefined;
  // One buffer holds everything that the addresses point to, so that a view of it keeps all of it alive.
  const memory = new ArrayBuffer(ARGUMENTS + 8 * Math.max(1, Math.ceil(args.length / 8)));
  const words = new BigUint64Array(memory);
  const attribute = new Uint32Array(memory, CONFIG.size, ATTRIBUTE_BYTES / 4);
  const start = addressOf(memory);
  const setCooperative = (on: boolean): void => {
    attribute.set([on ? LaunchAttributeId.COOPERATIVE : LaunchAttributeId.IGNORE, 0, on ? 1 : 0]);
  };
  new Uint8Array(memory).set(shape.subarray(0, SHAPE_BYTES));
  new Uint8Array(memory).set(args, ARGUMENTS);
  words[CONFIG.fields.attrs / 8] = start + BigInt(CONFIG.size);
  words[CONFIG.fields.numAttrs / 8] = 1n;
  const extraAt = start + BigInt(EXTRA);
  words.set(
    [BUFFER_POINTER, start + BigInt(ARGUMENTS), BUFFER_SIZE, extraAt + 40n, 0n, BigInt(args.length)],
    EXTRA / 8,
  );
  setCooperative(cooperative);
  return {
    step: (stream) => {
      words[CONFIG.fields.hStream / 8] = stream;
      return table.cuLaunchKernelEx(start, raw as Opaque<'CUfunction'>, 0n, extraAt);
    },
    setCooperative,
  };
}

/** The arguments of an `extra` list. */
function packed(extra: Out): Uint8Array<ArrayBuffer> | undefined {
  const words = new BigUint64Array(bytesAt(extra, 48).slice(0, 48).buffer);
  let pointer = 0n;
  let size = 0;
  for (let i = 0; i + 1 < words.length && words[i] !== 0n; i += 2) {
    const value = words[i + 1] ?? 0n;
    if (words[i] === BUFFER_POINTER) pointer = value;
    else if (words[i] === BUFFER_SIZE) size = Number(new BigUint64Array(bytesAt(value, 8).slice().buffer)[0]);
    else return undefined;
  }
  if (size === 0) return new Uint8Array(0);
  return pointer === 0n ? undefined : new Uint8Array(bytesAt(pointer, size).slice().buffer);
}

/** Arguments one by one, each at an address of its own. */
function gathered(
  params: Out,
  parameters: readonly { readonly offset: number; readonly size: number }[],
  byteLength: number,
): Uint8Array<ArrayBuffer> | undefined {
  const args = new Uint8Array(byteLength);
  if (parameters.length === 0) return args;
  if (params === 0n) return undefined;
  const addresses = new BigUint64Array(bytesAt(params, 8 * parameters.length).slice(0, 8 * parameters.length).buffer);
  for (const [i, { offset, size }] of parameters.entries()) {
    const address = addresses[i] ?? 0n;
    if (address === 0n) return undefined;
    args.set(bytesAt(address, size).subarray(0, size), offset);
  }
  return args;
}

/** A stream's handle, as the table's functions take it. */
export function streamOfStep(stream: bigint): CUstream {
  return stream as CUstream;
}

import { arraySource, isArraySource } from './array-source.ts';
import { ELEMENTS, type ElementName } from './element-type.ts';
import type { ShapedArray } from './npy.ts';
import { UsageError } from '../output.ts';
import { describeParameter, isLike, isLocal, isPointer, pointee, type Parameter } from './parameter.ts';

/** The typed values and vectors that a half exports, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** An argument as it was written, with its array read or made. */
export type Given =
  | { readonly kind: 'array'; readonly text: string; readonly array: ShapedArray }
  | { readonly kind: 'local'; readonly text: string; readonly byteLength: number }
  | { readonly kind: 'null'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string };

/** The halves' names of typed numbers. */
const TYPED: Readonly<Record<ElementName, string>> = {
  i8: 'int8',
  u8: 'uint8',
  i16: 'int16',
  u16: 'uint16',
  i32: 'int32',
  u32: 'uint32',
  i64: 'int64',
  u64: 'uint64',
  f16: 'float16',
  bf16: 'bfloat16',
  f32: 'float32',
  f64: 'float64',
};

/** Read one `--arg`. */
export function readArgument(text: string): Given {
  if (isArraySource(text)) return { kind: 'array', text, array: arraySource(text) };
  if (text === 'null') return { kind: 'null', text };
  const bytes = /^local:(.*)$/.exec(text)?.[1];
  if (bytes === undefined) return { kind: 'number', text };
  if (/^[1-9]\d*$/.test(bytes)) return { kind: 'local', text, byteLength: Number(bytes) };
  throw new UsageError(`${text}: write local:BYTES`);
}

/** Refuse arguments that are not what the kernel takes. */
export function checkArguments(
  given: readonly Given[],
  parameters: readonly Parameter[] | undefined,
  signature: string,
): void {
  if (parameters && parameters.length !== given.length) {
    const wanted = parameters.length === 1 ? '1 argument' : `${parameters.length} arguments`;
    throw new UsageError(`${signature} takes ${wanted}, got ${given.length}: one --arg for each`);
  }
  for (const [i, one] of given.entries()) {
    const parameter = parameters?.[i];
    if (!parameter) continue;
    const what = describeParameter(i, parameter);
    if (isPointer(parameter)) {
      if (isLocal(parameter) && one.kind !== 'local') {
        throw new UsageError(`${what} is local memory: write local:BYTES, not ${one.text}`);
      }
      if (one.kind === 'number' || (one.kind === 'local' && parameter.type.startsWith('__global'))) {
        throw new UsageError(`${what} is a pointer: write an array, such as zeros:1024:f32, not ${one.text}`);
      }
      const wanted = pointee(parameter);
      if (one.kind === 'array' && wanted && !isLike(wanted, one.array.kind)) {
        throw new UsageError(`${what} points to ${wanted.name}; ${one.text} has ${one.array.kind.name}`);
      }
    } else if (one.kind !== 'number' && BUILT_IN.test(parameter.type)) {
      throw new UsageError(`${what} is a number, got '${one.text}'`);
    }
  }
}

const BUILT_IN = /^(?:unsigned |signed )?(?:bool|u?char|u?short|u?int|u?long(?: long)?|float|double|half|__half)$/;

/**
 * The number that a text stands for, as a kernel takes it in this parameter.
 *
 * @param values - the typed values and vectors of the half that launches
 */
export function numberFor(text: string, index: number, parameter: Parameter | undefined, values: Values): unknown {
  const what = describeParameter(index, parameter);
  const [, plain = text, type] = /^(.*):(\w+)$/.exec(text) ?? [];
  if (type !== undefined) return typedNumber(plain, type, what, values);
  if (!parameter && /^[-+]?[\d.]/.test(text)) {
    throw new UsageError(`${what}: the file does not tell its type: write ${text}:i32, ${text}:f32 or what it is`);
  }
  const parts = text.split(',');
  if (parts.length > 1) return vector(parts, parameter, what, values);
  return one(text, parameter?.type ?? '', what, values);
}

function typedNumber(text: string, type: string, what: string, values: Values): unknown {
  const make = Object.hasOwn(TYPED, type) ? values[TYPED[type as ElementName]] : undefined;
  if (typeof make === 'function') return (make as (value: unknown) => unknown)(literal(text, what));
  throw new UsageError(`${what}: '${type}' is not a type of a number; there is ${Object.keys(ELEMENTS).join(', ')}`);
}

function vector(parts: readonly string[], parameter: Parameter | undefined, what: string, values: Values): unknown {
  const make = values[parameter?.type ?? ''];
  const numbers = parts.map((part) => literal(part, what));
  if (typeof make === 'function') return (make as (...lanes: unknown[]) => unknown)(...numbers);
  throw new UsageError(`${what} is not a vector, got ${parts.length} numbers`);
}

function one(text: string, type: string, what: string, values: Values): unknown {
  if (text === 'true' || text === 'false') return type === 'bool' ? text === 'true' : Number(text === 'true');
  const value = literal(text, what);
  if (typeof value !== 'bigint') return value;
  if (!/long|int|size/.test(type)) return Number(value);
  const name = type.includes('unsigned') || type.startsWith('u') ? 'uint64' : 'int64';
  return (values[name] as (value: bigint) => unknown)(value);
}

/** A number; a bigint where a number would round it. */
function literal(text: string, what: string): number | bigint {
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(text.trim()) ?? [];
  const negative = sign === '-';
  if (/^(?:inf|infinity)$/i.test(digits)) return negative ? -Infinity : Infinity;
  if (/^nan$/i.test(digits)) return NaN;
  if (/^(?:\d+|0x[\da-f]+|0b[01]+)$/i.test(digits)) {
    const value = negative ? -BigInt(digits) : BigInt(digits);
    const number = Number(value);
    if (number === 0 && negative) return -0;
    return Number.isSafeInteger(number) ? number : value;
  }
  // C's suffixes are a habit: 1.5f.
  const value = /^[\d.]/.test(digits) ? Number(digits.replace(/f$/, '')) : NaN;
  if (Number.isNaN(value))
    throw new UsageError(`${what}: '${text}' is neither a number nor an array, such as zeros:1024:f32 or a.npy`);
  return negative ? -value : value;
}

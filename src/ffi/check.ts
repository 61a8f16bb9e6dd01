import { types } from 'node:util';
import { trueByteLength } from '../core/host-extent.ts';
import { kindOf, type CTypes, type Kind } from './ctype.ts';
import { plainView } from './memory.ts';
import type { Parameter, Prototype } from './prototype.ts';

/** Throws where an argument is wrong. */
type Check = (value: unknown, args: unknown[], index: number) => void;

const RANGES: Partial<Record<Kind, readonly [min: number, max: number]>> = {
  i8: [-0x80, 0x7f],
  u8: [0, 0xff],
  i16: [-0x8000, 0x7fff],
  u16: [0, 0xffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
  u32: [0, 0xffff_ffff],
};
const U64_MAX = (1n << 64n) - 1n;
const I64_MAX = (1n << 63n) - 1n;

/**
 * Checks of one call's arguments, or nothing to check. Koffi turns a detached array, a wild number or a missing
 * argument into NULL or garbage without a word; here each becomes an error that names the routine and the parameter.
 * Memory that koffi does not take is replaced among the arguments by a view that it takes.
 */
export function argumentChecks(prototype: Prototype, types?: CTypes): (args: unknown[]) => void {
  const checks = prototype.params.map((parameter) => checkFor(parameter, prototype.symbol, types));
  const count = checks.length;
  return (args) => {
    if (args.length !== count) {
      throw new TypeError(`${prototype.symbol} takes ${count} argument${count === 1 ? '' : 's'}, got ${args.length}`);
    }
    for (let i = 0; i < count; i++) checks[i]?.(args[i], args, i);
  };
}

function checkFor(parameter: Parameter, symbol: string, types: CTypes | undefined): Check {
  const where = `${symbol}: ${parameter.name}`;
  if (parameter.stars > 0) {
    if (parameter.type === 'char' && parameter.stars === 1 && !parameter.out) return stringCheck(where);
    return pointerCheck(where);
  }
  const kind = kindOf(parameter.type, types);
  const range = RANGES[kind];
  if (range) return intCheck(where, parameter.type, range[0], range[1]);
  switch (kind) {
    case 'handle':
      return handleCheck(where, parameter.type, 0n);
    case 'object':
      return handleCheck(where, parameter.type, 1n);
    case 'i64':
      return wideCheck(where, parameter.type, -I64_MAX - 1n, I64_MAX);
    case 'u64':
    case 'usize':
      return wideCheck(where, parameter.type, 0n, U64_MAX);
    case 'bytes64':
      return bytesCheck(where, 'reserved', 64);
    case 'bytes128':
      return bytesCheck(where, 'internal', 128);
    default:
      return (value) => {
        if (typeof value !== 'number') throw new TypeError(`${where} must be a number, got ${describe(value)}`);
      };
  }
}

/** Of a struct by value that is nothing but bytes. */
function bytesCheck(where: string, field: string, length: number): Check {
  return (value) => {
    const bytes = (value as Readonly<Record<string, unknown>> | null | undefined)?.[field];
    if (ArrayBuffer.isView(bytes) && trueByteLength(bytes) === length) return;
    throw new TypeError(`${where} must be { ${field}: ${length} bytes }, got ${describe(value)}`);
  };
}

function handleCheck(where: string, type: string, least: bigint): Check {
  return (value) => {
    if (typeof value !== 'bigint' || value < least || value > U64_MAX) {
      throw new TypeError(
        `${where} must be a ${type} (a bigint${least === 1n ? ', not NULL' : ''}), got ${describe(value)}`,
      );
    }
  };
}

function intCheck(where: string, type: string, min: number, max: number): Check {
  return (value) => {
    if (typeof value !== 'number') throw new TypeError(`${where} must be a number, got ${describe(value)}`);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new RangeError(`${where} must be an integer from ${min} to ${max} (${type}), got ${value}`);
    }
  };
}

function wideCheck(where: string, type: string, min: bigint, max: bigint): Check {
  return (value) => {
    if (typeof value === 'number') {
      if (Number.isSafeInteger(value) && (value >= 0 || min < 0n)) return;
    } else if (typeof value !== 'bigint') {
      throw new TypeError(`${where} must be a number or a bigint, got ${describe(value)}`);
    } else if (value >= min && value <= max) return;
    throw new RangeError(`${where} must be an integer from ${min} to ${max} (${type}), got ${value}`);
  };
}

function stringCheck(where: string): Check {
  return (value) => {
    if (typeof value !== 'string') throw new TypeError(`${where} must be a string, got ${describe(value)}`);
    if (value.includes('\0')) throw new TypeError(`${where} must not contain a NUL character`);
  };
}

function pointerCheck(where: string): Check {
  return (value, args, index) => {
    if (typeof value === 'bigint') {
      if (value < 0n || value > U64_MAX) throw new RangeError(`${where} is not an address: ${value}`);
      return;
    }
    const view = ArrayBuffer.isView(value);
    if (!view && !types.isAnyArrayBuffer(value)) {
      throw new TypeError(`${where} must be an array, a buffer or an address (0n for NULL), got ${describe(value)}`);
    }
    if (trueByteLength(value) === 0) {
      throw new RangeError(`${where} is an empty or detached ${view ? 'array' : 'buffer'}`);
    }
    const plain = plainView(value);
    if (plain !== value) args[index] = plain;
  };
}

function describe(value: unknown): string {
  return value === null ? 'null' : typeof value === 'number' ? String(value) : typeof value;
}

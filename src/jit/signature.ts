import { nameOf } from '../core/check.ts';
import { scalar, SCALARS, typeText, type ElementType, type KernelType, type ScalarName } from './kernel-type.ts';
import { NUMPY_NAMES } from './operation/value.ts';

/** NumPy's short names, as Numba's signatures have them: `f4[:]`. */
const SHORT: Readonly<Record<string, ElementType>> = {
  b1: 'bool',
  bool: 'bool',
  i1: 'i8',
  u1: 'u8',
  i2: 'i16',
  u2: 'u16',
  i4: 'i32',
  u4: 'u32',
  i8: 'i8',
  u8: 'u8',
  f2: 'f16',
  f4: 'f32',
  float16: 'f16',
  bfloat16: 'bf16',
};

const PARAMETER = /^(\w+)\s*(?:\[([\s:,1]*)\])?$/;
const WHOLE = /^(?:void\s*)?\((.*)\)$/s;
const MAX_RANK = 4;

/** Parse `void(f32[], f32[,], i32)`, or the same in Numba's words: `void(float32[:], float32[:, :], int32)`. */
export function parseSignature(text: unknown, what: string): readonly KernelType[] {
  const inner = typeof text === 'string' ? WHOLE.exec(text.trim())?.[1] : undefined;
  if (inner === undefined) {
    throw new TypeError(`${what} must be given a signature as 'void(f32[], i32)', got ${nameOf(text)}`);
  }
  const pieces = split(inner);
  return pieces.map((piece) => parseType(piece.trim(), what));
}

/** At commas that are in no brackets. */
function split(text: string): readonly string[] {
  if (text.trim() === '') return [];
  const pieces: string[] = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '[') depth++;
    if (letter === ']') depth--;
    if (letter === ',' && depth === 0) pieces.push('');
    else pieces.push(`${pieces.pop() ?? ''}${letter}`);
  }
  return pieces;
}

function parseType(text: string, what: string): KernelType {
  const [, name = '', axes] = PARAMETER.exec(text) ?? [];
  const element = elementNamed(name);
  if (element === undefined) {
    throw new TypeError(
      `${what}: a type of the signature must be one of ${[...Object.keys(SCALARS), 'f16', 'bf16'].join(', ')}, or an array of it as f32[] or f32[,], got ${JSON.stringify(text)}`,
    );
  }
  if (axes === undefined) {
    if (Object.hasOwn(SCALARS, element)) return scalar(element as ScalarName);
    throw new TypeError(`${what}: ${element} is what arrays store, got it for a number; write f32`);
  }
  const rank = axes.split(',').length;
  if (rank > MAX_RANK) throw new RangeError(`${what}: an array must have 1 to ${MAX_RANK} axes, got ${rank}`);
  return { kind: 'array', element, rank, space: 'global', isFlat: true };
}

function elementNamed(name: string): ElementType | undefined {
  if (Object.hasOwn(SCALARS, name)) return name as ScalarName;
  if (name === 'f16' || name === 'bf16') return name;
  return NUMPY_NAMES[name] ?? SHORT[name];
}

/** `(f32[], i32)` */
export function signatureText(types: readonly KernelType[]): string {
  return `(${types.map(typeText).join(', ')})`;
}

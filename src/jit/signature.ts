import { nameOf } from '../core/check.ts';
import { checkTypes, type StructTypes } from '../core/struct.ts';
import { kernelStruct } from './described-struct.ts';
import {
  scalar,
  SCALARS,
  typeText,
  type ElementType,
  type KernelType,
  type ScalarName,
  type StructType,
} from './kernel-type.ts';
import { ELEMENT_NAMES } from './element-names.ts';

const PARAMETER = /^(\w+)\s*(?:\[([\s:,1]*)\])?$/;
const WHOLE = /^(?:void\s*)?\((.*)\)$/s;
const MAX_RANK = 4;

type Structs = ReadonlyMap<string, KernelType>;

/**
 * The structs that a signature may name.
 *
 * @throws TypeError a value that is not a struct, or a name that is an element's
 */
export function structsOf(types: unknown, what: string): Structs {
  checkTypes(types, what);
  return new Map(
    Object.entries((types ?? {}) as StructTypes).map(([name, type]) => {
      if (elementNamed(name) === undefined && /^\w+$/.test(name))
        return [name, kernelStruct(type, `${what}: types.${name}`)];
      throw new TypeError(`${what}: the name of a struct must be a word that is not an element type, got ${name}`);
    }),
  );
}

/** Parse `void(f32[], f32[,], i32)`, or the same in Numba's words: `void(float32[:], float32[:, :], int32)`. */
export function parseSignature(text: unknown, what: string, structs: Structs = new Map()): readonly KernelType[] {
  const inner = typeof text === 'string' ? WHOLE.exec(text.trim())?.[1] : undefined;
  if (inner === undefined) {
    throw new TypeError(`${what} must be given a signature as 'void(f32[], i32)', got ${nameOf(text)}`);
  }
  const pieces = split(inner);
  return pieces.map((piece) => parseType(piece.trim(), what, structs));
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

function parseType(text: string, what: string, structs: Structs): KernelType {
  const [, name = '', axes] = PARAMETER.exec(text) ?? [];
  const struct = structs.get(name);
  if (struct?.kind === 'struct') return axes === undefined ? struct : arrayOfStructs(struct, axes, what);
  const element = elementNamed(name);
  if (element === undefined) {
    throw new TypeError(
      `${what}: a type of the signature must be one of ${[...Object.keys(SCALARS), 'f16', 'bf16'].join(', ')}, a struct of { types }, or an array of it as f32[] or f32[,], got ${JSON.stringify(text)}`,
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

function arrayOfStructs(element: StructType, axes: string, what: string): KernelType {
  const rank = axes.split(',').length;
  if (rank > 1) throw new RangeError(`${what}: an array of structs must have 1 axis, got ${rank}`);
  return { kind: 'array', element, rank, space: 'global', isFlat: true };
}

function elementNamed(name: string): ElementType | undefined {
  return Object.hasOwn(ELEMENT_NAMES, name) ? ELEMENT_NAMES[name as keyof typeof ELEMENT_NAMES] : undefined;
}

/** `(f32[], i32)` */
export function signatureText(types: readonly KernelType[]): string {
  return `(${types.map(typeText).join(', ')})`;
}

import type { DType } from '../core/dtype.ts';

/** The name of a scalar type in a kernel. Halves and bfloat16 are what arrays store; a kernel computes with `f32`. */
export type ScalarName = 'bool' | 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';

/** What an array stores. */
export type ElementType = ScalarName | Extract<DType, 'f16' | 'bf16'>;

/** A number, or a truth value. */
export interface ScalarType {
  readonly kind: 'scalar';
  readonly name: ScalarName;
  /** Made of constants alone: it takes the type of what it meets, as in NEP 50. */
  readonly weak?: boolean;
}

/** Where an array is. */
export type Space = 'global' | 'shared' | 'local' | 'constant';

/** The elements of an array, and how they are found. */
export interface ArrayType {
  readonly kind: 'array';
  readonly element: ElementType | StructType;
  readonly rank: number;
  readonly space: Space;
  /** Whether elements follow each other, the last index first. Other arrays bring their strides. */
  readonly isFlat: boolean;
}

/** Values by position, each of a type of its own. */
export interface TupleType {
  readonly kind: 'tuple';
  readonly items: readonly KernelType[];
}

/** Values by name. */
export interface StructType {
  readonly kind: 'struct';
  readonly fields: readonly (readonly [name: string, type: KernelType])[];
  /** A vector of CUDA and OpenCL: `float4`. */
  readonly vector?: string;
}

/** Nothing: what a kernel returns. */
export interface VoidType {
  readonly kind: 'void';
}

/** Not known yet: a variable that no assignment before has given a type. */
export interface UnknownType {
  readonly kind: 'unknown';
}

export type KernelType = ScalarType | ArrayType | TupleType | StructType | VoidType | UnknownType;

export const VOID: VoidType = { kind: 'void' };
export const UNKNOWN: UnknownType = { kind: 'unknown' };
export const BOOL: ScalarType = { kind: 'scalar', name: 'bool' };
export const I32: ScalarType = { kind: 'scalar', name: 'i32' };
export const U32: ScalarType = { kind: 'scalar', name: 'u32' };
export const I64: ScalarType = { kind: 'scalar', name: 'i64' };
export const U64: ScalarType = { kind: 'scalar', name: 'u64' };
export const F32: ScalarType = { kind: 'scalar', name: 'f32' };
export const F64: ScalarType = { kind: 'scalar', name: 'f64' };
export const WEAK_INT: ScalarType = { kind: 'scalar', name: 'i32', weak: true };
export const WEAK_FLOAT: ScalarType = { kind: 'scalar', name: 'f64', weak: true };

/** The facts of a scalar type. */
export interface ScalarFacts {
  readonly bits: number;
  readonly kind: 'bool' | 'int' | 'float';
  readonly signed: boolean;
}

const facts = (bits: number, kind: ScalarFacts['kind'], signed: boolean): ScalarFacts => ({ bits, kind, signed });

export const SCALARS: Readonly<Record<ScalarName, ScalarFacts>> = {
  bool: facts(8, 'bool', false),
  i8: facts(8, 'int', true),
  u8: facts(8, 'int', false),
  i16: facts(16, 'int', true),
  u16: facts(16, 'int', false),
  i32: facts(32, 'int', true),
  u32: facts(32, 'int', false),
  i64: facts(64, 'int', true),
  u64: facts(64, 'int', false),
  f32: facts(32, 'float', true),
  f64: facts(64, 'float', true),
};

export function scalar(name: ScalarName): ScalarType {
  return { kind: 'scalar', name };
}

export function isFloat(type: KernelType): boolean {
  return type.kind === 'scalar' && SCALARS[type.name].kind === 'float';
}

/** Integers and truth values. */
export function isInteger(type: KernelType): boolean {
  return type.kind === 'scalar' && SCALARS[type.name].kind !== 'float';
}

export function isWide(type: KernelType): boolean {
  return isInteger(type) && SCALARS[(type as ScalarType).name].bits === 64;
}

/** The type of a value that an element has when it is read. */
export function valueOf(element: ElementType): ScalarType;
export function valueOf(element: ArrayType['element']): ScalarType | StructType;
export function valueOf(element: ArrayType['element']): ScalarType | StructType {
  if (typeof element !== 'string') return element;
  return scalar(element === 'f16' || element === 'bf16' ? 'f32' : element);
}

export function isSame(a: KernelType, b: KernelType): boolean {
  return a === b || keyOf(a) === keyOf(b);
}

/** A text that two types share only where they are the same. */
export function keyOf(type: KernelType): string {
  switch (type.kind) {
    case 'scalar':
      return type.weak === true ? `${type.name}~` : type.name;
    case 'array':
      return `${keyOf(elementAsType(type.element))}[${','.repeat(type.rank - 1)}]${type.isFlat ? '' : 'A'}@${type.space}`;
    case 'tuple':
      return `(${type.items.map(keyOf).join(',')})`;
    case 'struct':
      return `{${type.vector ?? ''}${type.fields.map(([name, field]) => `${name}:${keyOf(field)}`).join(',')}}`;
    default:
      return type.kind;
  }
}

/** Halves, too, for their names. */
function elementAsType(element: ArrayType['element']): KernelType {
  return typeof element === 'string' ? scalar(element as ScalarName) : element;
}

/** As users write it in a signature: `f32[,]`. */
export function typeText(type: KernelType): string {
  switch (type.kind) {
    case 'scalar':
      return type.weak === true ? (isFloat(type) ? 'a number with a fraction' : 'an integer constant') : type.name;
    case 'array':
      return `${typeText(elementAsType(type.element))}[${','.repeat(type.rank - 1)}]`;
    case 'tuple':
      return `[${type.items.map(typeText).join(', ')}]`;
    case 'struct':
      return type.vector ?? `{ ${type.fields.map(([name, field]) => `${name}: ${typeText(field)}`).join(', ')} }`;
    default:
      return type.kind;
  }
}

/** What a variable has that was given both: the wider one of two numbers; undefined where nothing holds both. */
export function join(a: KernelType, b: KernelType): KernelType | undefined {
  if (a.kind === 'unknown') return b;
  if (b.kind === 'unknown' || isSame(a, b)) return a;
  if (a.kind === 'scalar' && b.kind === 'scalar') return joinScalars(a, b);
  if (a.kind === 'tuple' && b.kind === 'tuple' && a.items.length === b.items.length) {
    const items = a.items.map((item, i) => join(item, b.items[i] as KernelType));
    return items.every((item) => item !== undefined) ? { kind: 'tuple', items } : undefined;
  }
  if (a.kind === 'struct' && b.kind === 'struct') return joinStructs(a, b);
  return undefined;
}

function joinStructs(a: StructType, b: StructType): StructType | undefined {
  if (a.vector !== b.vector || a.fields.length !== b.fields.length) return undefined;
  const fields: [string, KernelType][] = [];
  const others = new Map(b.fields);
  for (const [name, field] of a.fields) {
    const other = others.get(name);
    const joined = other && join(field, other);
    if (joined === undefined) return undefined;
    fields.push([name, joined]);
  }
  return { ...a, fields };
}

function joinScalars(a: ScalarType, b: ScalarType): ScalarType | undefined {
  if (a.name === 'bool' || b.name === 'bool') return undefined;
  if (a.name === b.name) return a.weak === true ? b : a;
  return arithmeticType(a, b);
}

/**
 * The type that two numbers are computed in. Constants take the other's type where it holds them. Else a float before an
 * integer, the wider one before the other; integers below 32 bits are computed in `i32`; signed and unsigned of one width in
 * the next wider signed one.
 */
export function arithmeticType(a: ScalarType, b: ScalarType): ScalarType {
  if (a.weak === true && b.weak === true) return isFloat(a) || isFloat(b) ? WEAK_FLOAT : WEAK_INT;
  if (a.weak === true) return withConstant(b, a);
  if (b.weak === true) return withConstant(a, b);
  const [x, y] = [SCALARS[a.name], SCALARS[b.name]];
  if (x.kind === 'float' && y.kind === 'float') return x.bits >= y.bits ? a : b;
  if (x.kind === 'float') return a;
  if (y.kind === 'float') return b;
  const [p, q] = [promoted(a), promoted(b)];
  if (p.name === q.name) return p;
  if (SCALARS[p.name].signed === SCALARS[q.name].signed) return SCALARS[p.name].bits >= SCALARS[q.name].bits ? p : q;
  return I64;
}

// A fraction that meets an integer is JavaScript's number.
function withConstant(type: ScalarType, constant: ScalarType): ScalarType {
  if (isFloat(type)) return type;
  return isFloat(constant) ? F64 : promoted(type);
}

/** What an integer is computed in: `i32` for narrower ones. */
export function promoted(type: ScalarType): ScalarType {
  if (isFloat(type) || type.weak === true) return type;
  return SCALARS[type.name].bits < 32 ? I32 : type;
}

/** The type of a variable or an argument whose value is made of constants alone. */
export function settled<T extends KernelType>(type: T): T;
export function settled(type: KernelType): KernelType {
  if (type.kind === 'scalar') return type.weak === true ? scalar(type.name) : type;
  if (type.kind === 'tuple') return { kind: 'tuple', items: type.items.map((item) => settled(item)) };
  if (type.kind === 'struct')
    return { ...type, fields: type.fields.map(([name, field]) => [name, settled(field)] as const) };
  return type;
}

import { PtxError } from './ptx-error.ts';

/** What a register or an operand of a type holds. */
export interface PtxType {
  readonly bits: number;
  /** Bits, an unsigned or signed integer, a floating-point number, a predicate. */
  readonly kind: 'b' | 'u' | 's' | 'f' | 'p';
  /** The type in LLVM's text; numbers of 16 bits are kept as bits. */
  readonly ir: string;
}

const TYPES = new Map<string, PtxType>([
  ['pred', { bits: 1, kind: 'p', ir: 'i1' }],
  ['f32', { bits: 32, kind: 'f', ir: 'float' }],
  ['f64', { bits: 64, kind: 'f', ir: 'double' }],
  ['tf32', { bits: 32, kind: 'b', ir: 'i32' }],
  ...['f16', 'bf16'].map((name) => [name, { bits: 16, kind: 'f', ir: 'i16' }] as const),
  ...['f16x2', 'bf16x2'].map((name) => [name, { bits: 32, kind: 'b', ir: 'i32' }] as const),
  ...(['b', 'u', 's'] as const).flatMap((kind) =>
    [8, 16, 32, 64].map((bits) => [`${kind}${bits}`, { bits, kind, ir: `i${bits}` }] as const),
  ),
]);

/** Whether a part of an opcode is a type. */
export function isType(name: string): boolean {
  return TYPES.has(name);
}

/** A type by its name without the dot. */
export function typeOf(name: string): PtxType {
  const type = TYPES.get(name);
  if (!type) throw new PtxError(`PTX type '.${name}' is not translated by the CPU device`);
  return type;
}

/** The integer type in LLVM's text with as many bits. */
export function bitsType({ bits }: PtxType): string {
  return `i${bits}`;
}

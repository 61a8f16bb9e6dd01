import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { literal } from '../kernel/literal.ts';
import { ALL, NUMBERS, type Row, isComplex } from './operation.ts';

/** The greatest finite number of each dtype of floats. */
const GREATEST: Readonly<Partial<Record<ArrayDType, number>>> = {
  f16: 65504,
  bf16: 0xff * 2 ** 120,
  f32: 0xffffff * 2 ** 104,
  f64: Number.MAX_VALUE,
};

function finite(x: string, t: ArrayDType, dtype: ArrayDType): string {
  const most = literal(GREATEST[dtype] ?? Number.MAX_VALUE, t);
  return `(${x} != ${x} ? 0 : ${x} > ${most} ? ${most} : ${x} < -${most} ? -${most} : ${x})`;
}

/** Parts of complex numbers, and choices. */
export interface OtherOperations {
  /** The real part. */
  readonly real: Row<1, 'real'>;
  /** The imaginary part; of a real number 0. */
  readonly imag: Row<1, 'real'>;
  /** The number with the other sign of its imaginary part. */
  readonly conj: Row<1, 'same'>;
  /** The angle of a complex number from the positive real axis, in radians; of a negative number pi. */
  readonly angle: Row<1, 'part'>;
  /** Whether the imaginary part is 0. */
  readonly isreal: Row<1, 'bool'>;
  /** Whether the imaginary part is other than 0. */
  readonly iscomplex: Row<1, 'bool'>;
  /** The number, or 0 instead of NaN, and the greatest finite number of the dtype instead of an infinite one. */
  readonly nanToNum: Row<1, 'same'>;
  /** The second where the first is true, else the third. */
  readonly where: Row<3, 'choice'>;
}

export const otherOperations: OtherOperations = {
  real: { arity: 1, rule: 'real', kinds: NUMBERS, text: ([a = ''], t) => (isComplex(t) ? `${a}.x` : a) },
  imag: { arity: 1, rule: 'real', kinds: NUMBERS, text: ([a = ''], t) => (isComplex(t) ? `${a}.y` : `(${t})0`) },
  conj: {
    arity: 1,
    rule: 'same',
    kinds: NUMBERS,
    text: ([a = ''], t) => (isComplex(t) ? `${t.toUpperCase()}(${a}.x, -${a}.y)` : a),
  },
  angle: {
    arity: 1,
    rule: 'part',
    kinds: ALL,
    text: ([a = ''], t) => (isComplex(t) ? `atan2(${a}.y, ${a}.x)` : `atan2((${t})0, ${a})`),
  },
  isreal: { arity: 1, rule: 'bool', kinds: ALL, text: ([a = ''], t) => (isComplex(t) ? `(${a}.y == 0)` : 'true') },
  iscomplex: { arity: 1, rule: 'bool', kinds: ALL, text: ([a = ''], t) => (isComplex(t) ? `(${a}.y != 0)` : 'false') },
  nanToNum: {
    arity: 1,
    rule: 'same',
    kinds: ALL,
    text: ([a = ''], t, [dtype = t] = []) => {
      const { kind, part } = arrayDTypes[t];
      if (kind === 'complex') {
        return `${t.toUpperCase()}(${finite(`${a}.x`, part, part)}, ${finite(`${a}.y`, part, part)})`;
      }
      return kind === 'float' ? finite(a, t, dtype) : a;
    },
  },
  where: {
    arity: 3,
    rule: 'choice',
    kinds: ALL,
    text: ([condition = '', a = '', b = '']) => `(${condition} ? ${a} : ${b})`,
  },
};

import type { FunctionGroup, FunctionRow } from './table.ts';

const INTS = [7, -7, 0, 1, -(2 ** 31), 5, -1, 2 ** 31 - 1];
const LONGS = INTS.map(BigInt).concat([-(2n ** 63n), 2n ** 63n - 1n, 2n ** 40n]);
const REALS = [300.7, -1.5, 200, 1e6, -1e6, 3e9, -3e9, 1e20, -1e20, Infinity, -Infinity, NaN, -129, 65536.5];

/** What a quotient by zero is: on a GPU all bits are set. */
const bits32 = (of: (a: number, b: number) => number) => (a: number, b: number) => (b === 0 ? -1 : of(a, b) | 0);
const bits64 = (of: (a: bigint, b: bigint) => bigint) => (a: bigint, b: bigint) =>
  b === 0n ? -1n : BigInt.asIntN(64, of(a, b));
const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);

/** As a conversion instruction does it: to 32 or 64 bits, too large ones to the greatest; what is left over is cut off. */
function converted(bits: number, signed: boolean, isDouble: boolean) {
  const wide = bits === 64 ? 64n : 32n;
  const [least, most] = signed ? [-(2n ** (wide - 1n)), 2n ** (wide - 1n) - 1n] : [0n, 2n ** wide - 1n];
  const nan = bits === 64 || isDouble ? 2n ** (wide - 1n) : 0n;
  const whole = (x: number): bigint => {
    if (Number.isNaN(x)) return nan;
    if (x >= Number(most)) return most;
    return x <= Number(least) ? least : BigInt(Math.trunc(x));
  };
  return (x: number): bigint => {
    const cut = signed ? BigInt.asIntN(bits, whole(x)) : BigInt.asUintN(bits, whole(x));
    return BigInt.asIntN(64, cut);
  };
}

const casts = (isDouble: boolean): FunctionRow[] =>
  (
    [
      ['signed char', 8, true],
      ['unsigned char', 8, false],
      ['short', 16, true],
      ['unsigned short', 16, false],
      ['int', 32, true],
      ['unsigned', 32, false],
      ['long long', 64, true],
      ['unsigned long long', 64, false],
    ] as const
  ).map(([type, bits, signed]) => [`(long long)(${type})a`, converted(bits, signed, isDouble)]);

/** Divisions and conversions of which C++ leaves the result open: no fault, and the values of a GPU (an H100). */
export const ARITHMETIC: readonly FunctionGroup[] = [
  {
    name: 'division of 32 bits by anything',
    inputs: ['int', 'int'],
    values: [INTS, [0, -1, 3, -(2 ** 31)]],
    output: 'int',
    rows: [
      ['a / b', bits32((a, b) => a / b)],
      ['a % b', bits32((a, b) => a % b)],
      ['(int)((unsigned)a / (unsigned)b)', bits32((a, b) => Math.floor((a >>> 0) / (b >>> 0)))],
      ['(int)((unsigned)a % (unsigned)b)', bits32((a, b) => (a >>> 0) % (b >>> 0))],
      ['a / 0', (): number => -1],
      ['a % 0', (): number => -1],
      ['a / -1', (a: number): number => -a | 0],
      ['a % -1', (): number => 0],
    ],
  },
  {
    name: 'division of 64 bits by anything',
    inputs: ['long long', 'long long'],
    values: [LONGS, [0n, -1n, 3n, -(2n ** 63n)]],
    output: 'long long',
    rows: [
      ['a / b', bits64((a, b) => a / b)],
      ['a % b', bits64((a, b) => a % b)],
      ['(long long)((unsigned long long)a / (unsigned long long)b)', bits64((a, b) => u64(a) / u64(b))],
      ['(long long)((unsigned long long)a % (unsigned long long)b)', bits64((a, b) => u64(a) % u64(b))],
    ],
  },
  {
    name: 'division of 16 bits by anything',
    inputs: ['unsigned short', 'unsigned short'],
    values: [[7, 0, 32768, 65535], [0, 3, 65535]], // prettier-ignore
    output: 'int',
    rows: [
      ['(short)a / (short)b', bits32((a, b) => ((a << 16) >> 16) / ((b << 16) >> 16))],
      ['a % b', bits32((a, b) => a % b)],
    ],
  },
  {
    name: 'floats to integers',
    inputs: ['float'],
    values: [REALS.map(Math.fround)],
    output: 'long long',
    rows: casts(false),
  },
  { name: 'doubles to integers', inputs: ['double'], values: [REALS], output: 'long long', rows: casts(true) },
  {
    name: 'constants to integers',
    inputs: ['int'],
    values: [[0]],
    output: 'int',
    rows: [
      ['(int)1e20f', (): number => 2 ** 31 - 1],
      ['(int)(a + 1e10)', (): number => 2 ** 31 - 1],
      ['(int)(unsigned char)(a + 300.0f)', (): number => 44],
    ],
  },
];

const TYPES = ['int', 'unsigned', 'long long', 'char', 'bool'];
const ONE =
  `sqrt fabs floor ceil trunc rint nearbyint round exp exp2 exp10 expm1 log log2 log10 log1p logb rsqrt cbrt rcbrt sin cos
  tan sinpi cospi asin acos atan sinh cosh tanh asinh acosh atanh erf erfc erfinv erfcinv erfcx normcdf normcdfinv tgamma lgamma
  j0 j1 y0 y1 cyl_bessel_i0 cyl_bessel_i1`.split(/\s+/);
const TWO = 'copysign fmin fmax fdim fmod remainder pow hypot atan2 nextafter'.split(' ');
const CLASSES = 'isnan isinf isfinite isnormal signbit ilogb lrint llrint lround llround'.split(' ');

const is = (type: string, expression: string): string => `__is_same(decltype(${expression}), ${type})`;
const all = (...conditions: readonly string[]): FunctionRow => [conditions.join(' && '), () => 1];
/** Equal, or no number both. */
const same = (x: string, y: string): string => `(${x} == ${y} || (${x} != ${x} && ${y} != ${y}))`;

/** Every math function takes integers as doubles; with a float they are floats, as NVRTC has it. */
export const OVERLOADS: readonly FunctionGroup[] = [
  {
    name: 'integers as arguments of math functions',
    include: 'cmath',
    inputs: ['int'],
    values: [[1, 0, 3, -2]],
    output: 'int',
    rows: [
      ...ONE.map((f) =>
        all(
          ...TYPES.map((type) => is('double', `${f}((${type})a)`)),
          same(`${f}(a)`, `${f}((double)a)`),
          is('float', `${f}(1.0f)`),
        ),
      ),
      ...TWO.map((f) =>
        all(
          ...TYPES.map((type) => is('double', `${f}((${type})a, 2)`)),
          ...TYPES.map((type) => is('float', `${f}((${type})a, 2.0f)`)),
          ...[is('float', `${f}(2.0f, a)`), is('double', `${f}(2.0, a)`), is('double', `${f}(a, 2.0)`)],
          ...[
            is('double', `${f}(2.0f, 1.0)`),
            is('float', `${f}(2.0f, 1.0f)`),
            same(`${f}(a, 2)`, `${f}((double)a, 2.0)`),
          ],
        ),
      ),
      ...CLASSES.map((f) =>
        all(...TYPES.map((type) => same(`${f}((${type})1)`, `${f}(1.0)`)), same(`${f}(a)`, `${f}((double)a)`)),
      ),
      ...['ldexp', 'scalbn', 'scalbln'].map((f) =>
        all(
          ...TYPES.map((type) => is('double', `${f}((${type})a, 2)`)),
          ...[
            `${f}(a, 3) == 8.0 * a`,
            is('float', `${f}(1.0f, a)`),
            is('float', `${f}(1.0f, 2.0)`),
            `${f}(1, 2.5f) == 4`,
          ],
        ),
      ),
      ...['jn', 'yn'].map((f) =>
        all(is('double', `${f}(2, a)`), is('float', `${f}(a, 2.0f)`), same(`${f}(2, a)`, `${f}(2, (double)a)`)),
      ),
      ...['rhypot', 'norm3d', 'rnorm3d', 'norm4d', 'rnorm4d'].map((f) => {
        const list = (x: string): string =>
          Array<string>(f.includes('h') ? 2 : Number(/\d/.exec(f)?.[0]))
            .fill(x)
            .join();
        return all(
          is('double', `${f}(${list('a')})`),
          is('double', `${f}(${list('1.0f')})`),
          is('float', `${f.replace(/(\dd)?$/, '$1f')}(${list('a')})`),
        );
      }),
      all(
        is('double', 'fma(a, 2, 3)'),
        is('float', 'fma(1.0f, 2.0f, a)'),
        is('float', 'fma(a, a, 1.0f)'),
        'fma(a, 2, 3) == 2 * a + 3',
      ),
      all(
        is('double', 'frexp(a, (int *)0)'),
        is('double', 'remquo(a, 2, (int *)0)'),
        is('float', 'remquo(1.0f, a, (int *)0)'),
      ),
      all(
        is('double', 'modf(a, (double *)0)'),
        is('float', 'modf(a, (float *)0)'),
        is('void', 'sincos(a, (double *)0, (double *)0)'),
      ),
      all(
        is('int', 'min(a, a)'),
        is('unsigned', 'min(a, 2u)'),
        is('int', 'max((short)a, (short)2)'),
        is('long long', 'max(2ll, a)'),
      ),
      all(
        is('float', 'min(1.0f, a)'),
        is('double', 'max(1.0f, 2.0)'),
        'min(a, 2) == (a < 2 ? a : 2)',
        'max(a, 2.5) == (a > 2.5 ? a : 2.5)',
      ),
      all(
        is('int', 'abs((char)a)'),
        is('int', 'abs((short)a)'),
        is('long long', 'abs((long long)a)'),
        is('float', 'abs(1.0f)'),
        'abs(a) >= 0',
      ),
      all(
        is('double', 'std::sqrt(a)'),
        is('double', 'std::pow(a, 2)'),
        is('double', 'std::ldexp(a, 2)'),
        is('double', 'std::fma(a, a, a)'),
      ),
      all(
        'isgreater(a, -3.0f)',
        '!isless(a, -3)',
        'isgreaterequal(a, a)',
        'islessequal(a, a)',
        '!islessgreater(a, a)',
        '!isunordered(a, 1)',
      ),
    ],
  },
];

import type { Language } from './element.ts';

const FLOAT_FUNCTIONS =
  `sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p sqrt rsqrt cbrt pow fabs
  floor ceil round trunc rint fmod fmin fmax fdim hypot copysign erf erfc lgamma tgamma fma ldexp nextafter`.split(
    /\s+/,
  );

const VECTORS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double'].flatMap(
  (type) =>
    [2, 3, 4].map((lanes): [string, string] => {
      const names = ['x', 'y', 'z', 'w'].slice(0, lanes).join(', ');
      return [`make_${type}${lanes}`, `#define make_${type}${lanes}(${names}) ((${type}${lanes})(${names}))`];
    }),
);

/** CUDA's words, for texts that OpenCL compiles. */
const CUDA_WORDS: ReadonlyMap<string, string> = new Map([
  ...['__device__', '__host__', '__forceinline__', '__restrict__'].map((word): [string, string] => [
    word,
    `#define ${word}`,
  ]),
  ...FLOAT_FUNCTIONS.map((name): [string, string] => [`${name}f`, `#define ${name}f ${name}`]),
  ...['sin', 'cos', 'tan', 'exp', 'log', 'pow'].map((name): [string, string] => [
    `__${name}f`,
    `#define __${name}f native_${name === 'pow' ? 'powr' : name}`,
  ]),
  ['__fdividef', '#define __fdividef native_divide'],
  ['__float_as_int', '#define __float_as_int as_int'],
  ['__int_as_float', '#define __int_as_float as_float'],
  ['__float_as_uint', '#define __float_as_uint as_uint'],
  ['__uint_as_float', '#define __uint_as_float as_float'],
  ['__popc', '#define __popc(x) popcount((int)(x))'],
  ['__clz', '#define __clz(x) clz((int)(x))'],
  ...VECTORS,
]);

/** OpenCL's words, for texts that CUDA compiles. */
const OPENCL_WORDS: ReadonlyMap<string, string> = new Map([
  ...['__global', '__private'].map((word): [string, string] => [word, `#define ${word}`]),
  ['uchar', 'typedef unsigned char uchar;'],
  ['ushort', 'typedef unsigned short ushort;'],
  ['uint', 'typedef unsigned int uint;'],
  ['ulong', 'typedef unsigned long ulong;'],
  ...['sin', 'cos', 'tan', 'exp', 'log', 'powr'].map((name): [string, string] => [
    `native_${name}`,
    `#define native_${name} __${name === 'powr' ? 'pow' : name}f`,
  ]),
  ['native_divide', '#define native_divide __fdividef'],
  ['native_sqrt', '#define native_sqrt sqrtf'],
  ['as_int', '#define as_int __float_as_int'],
  ['as_uint', '#define as_uint __float_as_uint'],
  ['as_float', '#define as_float __int_as_float'],
  ['mad', '#define mad fma'],
  ['popcount', '#define popcount __popc'],
  ['clamp', '#define clamp(x, least, most) min(max(x, least), most)'],
]);

/** Constants that OpenCL C has, and C's headers, which CUDA's compiler at run time lacks. */
const CONSTANTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    INFINITY: 'FLOAT_U32(0x7f800000u)',
    NAN: 'FLOAT_U32(0x7fc00000u)',
    FLT_MAX: '3.402823466e+38f',
    FLT_MIN: '1.175494351e-38f',
    FLT_EPSILON: '1.192092896e-07f',
    DBL_MAX: '1.7976931348623157e+308',
    DBL_MIN: '2.2250738585072014e-308',
    DBL_EPSILON: '2.2204460492503131e-16',
    INT_MAX: '2147483647',
    INT_MIN: '(-2147483647 - 1)',
    UINT_MAX: '4294967295u',
    LONG_MAX: '9223372036854775807L',
    LONG_MIN: '(-9223372036854775807L - 1)',
    ULONG_MAX: '18446744073709551615uL',
    M_PI: '3.14159265358979323846',
    M_PI_F: '3.14159265358979f',
    M_E: '2.71828182845904523536',
    M_E_F: '2.71828182845904f',
  }).map(([name, value]) => [name, `#ifndef ${name}\n#define ${name} ${value}\n#endif`]),
);

const COMPLEX_FUNCTIONS: readonly (readonly [name: string, text: (t: string, T: string) => string])[] = [
  ['new(re, im)', (_, T) => `${T}(re, im)`],
  ['fromreal(re)', (_, T) => `${T}(re, 0)`],
  ['real(a)', () => '((a).x)'],
  ['imag(a)', () => '((a).y)'],
  ['abs(a)', () => 'hypot((a).x, (a).y)'],
  ['conj(a)', (_, T) => `${T}((a).x, -(a).y)`],
  ['neg(a)', (_, T) => `${T}(-(a).x, -(a).y)`],
  ['add(a, b)', (t) => `complex_add_${t}(a, b)`],
  ['sub(a, b)', (t) => `complex_sub_${t}(a, b)`],
  ['mul(a, b)', (t) => `complex_mul_${t}(a, b)`],
  ['mulr(a, b)', (_, T) => `${T}((a).x * (b), (a).y * (b))`],
  ['rmul(a, b)', (_, T) => `${T}((a) * (b).x, (a) * (b).y)`],
  ['divide(a, b)', (t) => `complex_div_${t}(a, b)`],
  ['pow(a, b)', (t) => `complex_pow_${t}(a, b)`],
  ...['exp', 'log', 'sqrt', 'sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh'].map(
    (name) => [`${name}(a)`, (t: string) => `complex_${name}_${t}(a)`] as const,
  ),
];

/** PyOpenCL's functions of complex numbers, in both languages, and CUDA's. */
const COMPLEX_WORDS: ReadonlyMap<string, string> = new Map([
  ...(['c64', 'c128'] as const).flatMap((t) => {
    const type = t === 'c64' ? 'cfloat' : 'cdouble';
    const functions = COMPLEX_FUNCTIONS.map(([name, text]): [string, string] => [
      `${type}_${name.slice(0, name.indexOf('('))}`,
      `#define ${type}_${name} ${text(t, t.toUpperCase())}`,
    ]);
    return [[`${type}_t`, `#define ${type}_t ${t}`] as [string, string], ...functions];
  }),
  ['PYOPENCL_ELWISE_CONTINUE', '#define PYOPENCL_ELWISE_CONTINUE continue'],
]);

/** Words that a language lacks and the other one has, and their definitions. */
export const languageWords: Readonly<Record<Language, readonly ReadonlyMap<string, string>[]>> = {
  cuda: [OPENCL_WORDS, CONSTANTS, COMPLEX_WORDS],
  opencl: [CUDA_WORDS, COMPLEX_WORDS],
};

/**
 * The headers of C and C++ for NVRTC, which has none: what device code may use, and nothing else. Most functions are
 * built into NVRTC, so that most of a header is nothing at all. Types of 64 bits are `long long`, as in NVIDIA's own
 * library, so that both can be read in one program; existing macros take precedence.
 */

/** A header that is read once. */
function once(text: string): string {
  return `#pragma once\n${text}`;
}

/** Macros that are not defined yet. */
function macros(list: Readonly<Record<string, string | number>>): string {
  return Object.entries(list)
    .map(([name, body]) => `#ifndef ${name.replace(/\(.*/, '')}\n#define ${name} ${body}\n#endif\n`)
    .join('');
}

/** C++'s names for what C has. */
function inStd(names: string): string {
  const uses = names.split(' ').map((name) => `using ::${name};`);
  return `namespace std {\n${uses.join('\n')}\n}\n`;
}

const BUILT_IN = once('');

const WIDTHS = [8, 16, 32, 64] as const;
const KINDS = ['', '_least', '_fast'] as const;
const WORDS = { 8: 'char', 16: 'short', 32: 'int', 64: 'long long' } as const;
const SUFFIXES = { 8: '', 16: '', 32: '', 64: 'LL' } as const;
const MAX = { 8: '127', 16: '32767', 32: '2147483647', 64: '9223372036854775807LL' } as const;
const MAX_UNSIGNED = { 8: '255', 16: '65535', 32: '4294967295U', 64: '18446744073709551615ULL' } as const;

const INTEGER_TYPES = WIDTHS.flatMap((bits) =>
  KINDS.flatMap((kind) => [
    `typedef signed ${WORDS[bits]} int${kind}${bits}_t;`,
    `typedef unsigned ${WORDS[bits]} uint${kind}${bits}_t;`,
  ]),
);
const INTEGER_NAMES = [
  ...WIDTHS.flatMap((bits) => KINDS.flatMap((kind) => [`int${kind}${bits}_t`, `uint${kind}${bits}_t`])),
  ...['intptr_t', 'uintptr_t', 'intmax_t', 'uintmax_t'],
].join(' ');

function integerLimits(): Record<string, string> {
  const list: Record<string, string> = {};
  for (const bits of WIDTHS) {
    for (const kind of KINDS) {
      const name = `${kind.toUpperCase()}${bits}`;
      list[`INT${name}_MAX`] = MAX[bits];
      list[`INT${name}_MIN`] = `(-${MAX[bits]} - 1)`;
      list[`UINT${name}_MAX`] = MAX_UNSIGNED[bits];
    }
    list[`INT${bits}_C(value)`] = SUFFIXES[bits] === '' ? 'value' : `value##${SUFFIXES[bits]}`;
    list[`UINT${bits}_C(value)`] = bits < 32 ? 'value' : `value##U${SUFFIXES[bits]}`;
  }
  for (const name of ['INTPTR', 'INTMAX', 'PTRDIFF']) {
    list[`${name}_MAX`] = MAX[64];
    list[`${name}_MIN`] = `(-${MAX[64]} - 1)`;
  }
  for (const name of ['UINTPTR', 'UINTMAX', 'SIZE']) list[`${name}_MAX`] = MAX_UNSIGNED[64];
  return { ...list, 'INTMAX_C(value)': 'value##LL', 'UINTMAX_C(value)': 'value##ULL' };
}

const STDINT = once(
  [
    ...INTEGER_TYPES,
    'typedef int64_t intptr_t;\ntypedef uint64_t uintptr_t;',
    'typedef int64_t intmax_t;\ntypedef uint64_t uintmax_t;\n',
  ].join('\n') + macros(integerLimits()),
);

const FORMATS = Object.fromEntries(
  ['d', 'i', 'u', 'x', 'X', 'o'].flatMap((letter) =>
    [...WIDTHS.map((bits) => [bits, bits === 64 ? 'll' : ''] as const), ['PTR', 'll'], ['MAX', 'll']].map(
      ([width, size]) => [`PRI${letter}${width}`, `"${size}${letter}"`],
    ),
  ),
);

/** `long` has 64 bits but on Windows. */
const LONGS = ['#ifdef _WIN64', 'INT_MAX UINT_MAX', '#else', 'LLONG_MAX ULLONG_MAX', '#endif']
  .map((line) => {
    const [most = '', mostUnsigned = ''] = line.split(' ');
    return line.startsWith('#') ? `${line}\n` : macros({ LONG_MAX: most, ULONG_MAX: mostUnsigned });
  })
  .join('');

const LIMITS = once(
  macros({
    ...{
      CHAR_BIT: 8,
      SCHAR_MIN: '(-128)',
      SCHAR_MAX: 127,
      UCHAR_MAX: 255,
      CHAR_MIN: 'SCHAR_MIN',
      CHAR_MAX: 'SCHAR_MAX',
    },
    ...{ SHRT_MIN: '(-SHRT_MAX - 1)', SHRT_MAX: '0x7fff', USHRT_MAX: '0xffff' },
    ...{ INT_MIN: '(-INT_MAX - 1)', INT_MAX: '0x7fffffff', UINT_MAX: '0xffffffff' },
    ...{ LLONG_MIN: '(-LLONG_MAX - 1)', LLONG_MAX: '0x7fffffffffffffffLL', ULLONG_MAX: '0xffffffffffffffffULL' },
    LONG_MIN: '(-LONG_MAX - 1)',
  }) + LONGS,
);

const FLOAT = once(
  macros({
    ...{ FLT_RADIX: 2, FLT_MANT_DIG: 24, FLT_DIG: 6, FLT_DECIMAL_DIG: 9, FLT_EVAL_METHOD: 0, DECIMAL_DIG: 17 },
    ...{ FLT_MIN_EXP: '(-125)', FLT_MAX_EXP: 128, FLT_MIN_10_EXP: '(-37)', FLT_MAX_10_EXP: 38 },
    ...{ FLT_MIN: '1.17549435e-38F', FLT_MAX: '3.40282347e+38F', FLT_EPSILON: '1.1920929e-7F' },
    ...{ FLT_TRUE_MIN: '1.40129846e-45F', DBL_TRUE_MIN: '4.9406564584124654e-324' },
    ...{ DBL_MANT_DIG: 53, DBL_DIG: 15, DBL_DECIMAL_DIG: 17, DBL_MIN_EXP: '(-1021)', DBL_MAX_EXP: 1024 },
    ...{ DBL_MIN_10_EXP: '(-307)', DBL_MAX_10_EXP: 308, DBL_EPSILON: '2.2204460492503131e-16' },
    ...{ DBL_MIN: '2.2250738585072014e-308', DBL_MAX: '1.7976931348623157e+308' },
  }),
);

const CLASSES = ['float:INT:0x7f800000:0x7fffff', 'double:LONGLONG:0x7ff0000000000000LL:0xfffffffffffffLL']
  .map((line) => {
    const [type = '', kind = '', exponent = '', fraction = ''] = line.split(':');
    const [word, bits] = kind === 'INT' ? ['int', '__float_as_int'] : ['long long', '__double_as_longlong'];
    return [
      `__host__ __device__ inline int fpclassify(${type} value) {`,
      `  const ${word} bits = ${bits}(value), exponent = bits & ${exponent}, fraction = bits & ${fraction};`,
      `  if (exponent == ${exponent}) return fraction ? FP_NAN : FP_INFINITE;`,
      '  return exponent ? FP_NORMAL : fraction ? FP_SUBNORMAL : FP_ZERO;\n}',
      `__host__ __device__ inline bool isnormal(${type} value) { return fpclassify(value) == FP_NORMAL; }\n`,
    ].join('\n');
  })
  .join('');

const MATH = once(
  macros({
    ...{ INFINITY: '__int_as_float(0x7f800000)', NAN: '__int_as_float(0x7fc00000)', HUGE_VALF: 'INFINITY' },
    ...{ HUGE_VAL: '__longlong_as_double(0x7ff0000000000000LL)' },
    ...{ FP_NAN: 0, FP_INFINITE: 1, FP_ZERO: 2, FP_SUBNORMAL: 3, FP_NORMAL: 4 },
    ...{ M_E: '2.7182818284590452354', M_LOG2E: '1.4426950408889634074', M_LOG10E: '0.43429448190325182765' },
    ...{ M_LN2: '0.69314718055994530942', M_LN10: '2.30258509299404568402', M_PI: '3.14159265358979323846' },
    ...{ M_PI_2: '1.57079632679489661923', M_PI_4: '0.78539816339744830962', M_1_PI: '0.31830988618379067154' },
    ...{ M_2_PI: '0.63661977236758134308', M_2_SQRTPI: '1.12837916709551257390' },
    ...{ M_SQRT2: '1.41421356237309504880', M_SQRT1_2: '0.70710678118654752440' },
  }) + CLASSES,
);

const FUNCTIONS =
  'acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin ' +
  'fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nearbyint nextafter pow ' +
  'remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc';
const CMATH = once(
  '#include <math.h>\n' +
    inStd(
      `${FUNCTIONS} ${FUNCTIONS.split(' ').join('f ')}f abs nan nanf isnan isinf isfinite signbit isnormal fpclassify`,
    ),
);

/** Read anew each time, as in C. NVRTC's built-in header is the same. */
const ASSERT = `#ifdef NDEBUG
#undef assert
#define assert(expression) ((void)0)
#define RAWKERNEL_NO_ASSERT
#elif defined RAWKERNEL_NO_ASSERT || !defined assert
#undef assert
#undef RAWKERNEL_NO_ASSERT
#define assert(expression) \\
  ((expression) ? (void)0 : __assertfail(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif
`;

const STDDEF = once(
  `typedef double max_align_t;\n${macros({ NULL: '0', 'offsetof(type, member)': '((size_t)__INTADDR__(&(((type *)0)->member)))' })}`,
);
const CSTDDEF = once(
  `#include <stddef.h>\n${inStd('size_t ptrdiff_t')}namespace std {\ntypedef decltype(nullptr) nullptr_t;\n}\n`,
);
const STDLIB = once(
  `#include <stddef.h>\n${macros({ EXIT_SUCCESS: 0, EXIT_FAILURE: 1 })}typedef unsigned char u_char;\n` +
    'typedef unsigned short ushort;\ntypedef unsigned int uint;\ntypedef unsigned long ulong;\n',
);
const TIME = once('#include <stddef.h>\n');

const CUDA = once(
  '#ifndef CUDA_VERSION\n#define CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)\n#endif\n',
);

/** Headers whose names begin no path of the toolkit's: no other source provides them. */
export const STANDARD_HEADERS: Readonly<Record<string, string>> = {
  'assert.h': ASSERT,
  'float.h': FLOAT,
  'inttypes.h': once(`#include <stdint.h>\n${macros(FORMATS)}`),
  'limits.h': LIMITS,
  'math.h': MATH,
  'memory.h': BUILT_IN,
  'stdarg.h': BUILT_IN,
  'stdbool.h': BUILT_IN,
  'stddef.h': STDDEF,
  'stdint.h': STDINT,
  'stdio.h': once('#include <stddef.h>\n'),
  'stdlib.h': STDLIB,
  'string.h': once('#include <stddef.h>\n'),
  'time.h': TIME,
  'sys/types.h': STDLIB,
  cassert: '#include <assert.h>\n',
  cfloat: '#include <float.h>\n',
  cinttypes: once(`#include <inttypes.h>\n${inStd(INTEGER_NAMES)}`),
  climits: '#include <limits.h>\n',
  cmath: CMATH,
  cstdarg: once(inStd('va_list')),
  cstdbool: BUILT_IN,
  cstddef: CSTDDEF,
  cstdint: once(`#include <stdint.h>\n${inStd(INTEGER_NAMES)}`),
  cstdio: once(`#include <stdio.h>\n${inStd('printf size_t')}`),
  cstdlib: once(`#include <stdlib.h>\n${inStd('size_t malloc free abs labs llabs')}`),
  cstring: once(`#include <string.h>\n${inStd('size_t memcpy memset')}`),
  ctime: once(inStd('clock_t clock size_t')),
  initializer_list: BUILT_IN,
  new: BUILT_IN,
  'cuda.h': CUDA,
  'cuda_runtime.h': CUDA,
  'cuda_runtime_api.h': CUDA,
  'builtin_types.h': BUILT_IN,
  'device_functions.h': BUILT_IN,
  'device_launch_parameters.h': BUILT_IN,
  'driver_types.h': BUILT_IN,
  'host_defines.h': BUILT_IN,
  'math_functions.h': '#include <math.h>\n',
  'vector_functions.h': BUILT_IN,
  'vector_types.h': BUILT_IN,
};

import type { Words } from './words.ts';

type Scalar = 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';
type HelperText = (words: Words, type: Scalar, space: string) => string;

/** Functions that neither language has, with JavaScript's meaning: the texts of those that a kernel calls come before it. */
const HELPERS: Readonly<Record<string, HelperText>> = {
  js_max: (words, t) => extreme(words, t, 'max', '>'),
  js_min: (words, t) => extreme(words, t, 'min', '<'),
  js_round: (words, t) => {
    const type = words.types[t];
    const floor = words.name === 'cuda' && t === 'f32' ? 'floorf' : 'floor';
    return `${words.device} ${type} js_round_${t}(${type} x) {
  const ${type} below = ${floor}(x);
  // From -0.5 on up to 0 the result is -0.
  if (below == -1 && x >= ${literal(-0.5, t)}) return ${literal(-0, t)};
  return x - below >= ${literal(0.5, t)} ? below + ${literal(1, t)} : below;
}`;
  },
  js_sign: (words, t) => {
    const type = words.types[t];
    return `${words.device} ${type} js_sign_${t}(${type} x) {
  return x > 0 ? ${literal(1, t)} : x < 0 ? ${literal(-1, t)} : x;
}`;
  },
  // C17, F.10.4.4: 1 to any power is 1, and -1 to an infinite one. ECMA-262, Number::exponentiate: NaN.
  js_pow: (words, t) => {
    const type = words.types[t];
    const pow = words.name === 'cuda' && t === 'f32' ? 'powf' : 'pow';
    return `${words.device} ${type} js_pow_${t}(${type} x, ${type} y) {
  return (x == 1 || x == -1) && y - y != 0 ? y - y : ${pow}(x, y);
}`;
  },
  js_square: (words, t) => {
    const type = words.types[t];
    return `${words.device} ${type} js_square_${t}(${type} x) {
  return x * x;
}`;
  },
  // By squaring: Knuth, The Art of Computer Programming, volume 2, 4.6.3.
  integer_power: (words, t) => {
    const type = words.types[t];
    const unsigned = words.types[unsignedOf(t)];
    return `${words.device} ${type} integer_power_${t}(${type} x, int n) {
  ${unsigned} result = 1, factor = (${unsigned})x;
  for (; n > 0; n >>= 1) {
    if (n & 1) result *= factor;
    factor *= factor;
  }
  return (${type})result;
}`;
  },
  floor_quotient: (words, t) => {
    const type = words.types[t];
    return `${words.device} ${type} floor_quotient_${t}(${type} a, ${type} b) {
  const ${type} quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}`;
  },
  atomic_add: (words, t, space) => combination(words, t, space, 'add', 'old + value'),
  atomic_sub: (words, t, space) => combination(words, t, space, 'sub', 'old - value'),
  atomic_max: (words, t, space) => combination(words, t, space, 'max', larger(t, '>')),
  atomic_min: (words, t, space) => combination(words, t, space, 'min', larger(t, '<')),
  atomic_nanmax: (words, t, space) => combination(words, t, space, 'nanmax', 'old >= value ? old : value'),
  atomic_nanmin: (words, t, space) => combination(words, t, space, 'nanmin', 'old <= value ? old : value'),
  atomic_and_: (words, t, space) => combination(words, t, space, 'and_', 'old & value'),
  atomic_or_: (words, t, space) => combination(words, t, space, 'or_', 'old | value'),
  atomic_xor: (words, t, space) => combination(words, t, space, 'xor', 'old ^ value'),
  atomic_exch: (words, t, space) => combination(words, t, space, 'exch', 'value'),
  atomic_inc: (words, t, space) => combination(words, t, space, 'inc', 'old >= value ? 0 : old + 1'),
  atomic_dec: (words, t, space) => combination(words, t, space, 'dec', 'old == 0 || old > value ? value : old - 1'),
  atomic_cas: (words, t, space) => {
    const { type, pointer, word, bits, value } = parts(words, t, space);
    return `${extension(words, t)}${words.device} ${type} atomic_cas_${t}${space}(${pointer}, ${type} old, ${type} next) {
  return ${value(`${swap(words, t)}((${word.pointer})address, ${bits('old')}, ${bits('next')})`)};
}`;
  },
};

/** NaN on either side is the result, as it is Math.max's. */
function larger(t: Scalar, sign: string): string {
  return t.startsWith('f') ? `old ${sign} value || old != old ? old : value` : `old ${sign} value ? old : value`;
}

function literal(value: number, t: Scalar): string {
  const text = Object.is(value, -0) ? '-0.0' : value.toFixed(1);
  return t === 'f32' ? `${text}f` : text;
}

function unsignedOf(t: Scalar): 'u32' | 'u64' {
  return t.endsWith('64') ? 'u64' : 'u32';
}

function extreme(words: Words, t: Scalar, name: string, sign: string): string {
  const type = words.types[t];
  // 0 is above -0, which compares as its equal.
  const zeros = name === 'max' ? 'a + b' : '-(-a - b)';
  return `${words.device} ${type} js_${name}_${t}(${type} a, ${type} b) {
  if (a == 0 && b == 0) return ${zeros};
  return a ${sign} b || a != a ? a : b;
}`;
}

function parts(
  words: Words,
  t: Scalar,
  space: string,
): {
  type: string;
  pointer: string;
  word: { type: string; pointer: string };
  bits: (x: string) => string;
  value: (x: string) => string;
} {
  const type = words.types[t];
  const unsigned = words.types[unsignedOf(t)];
  const before = space === '_global' ? '__global ' : space === '_local' ? '__local ' : '';
  const isVolatile = words.name === 'opencl' ? 'volatile ' : '';
  const isFloat = t.startsWith('f');
  const [toBits, fromBits] =
    words.name === 'opencl'
      ? [`as_${unsigned}`, `as_${type}`]
      : t === 'f32'
        ? ['__float_as_uint', '__uint_as_float']
        : ['(unsigned long long)__double_as_longlong', '__longlong_as_double'];
  return {
    type,
    pointer: `${isVolatile}${before}${type} *address`,
    word: { type: unsigned, pointer: `${isVolatile}${before}${unsigned} *` },
    bits: (x) => (isFloat ? `${toBits}(${x})` : `(${unsigned})(${x})`),
    value: (x) => (isFloat ? `${fromBits}(${x})` : `(${type})${x}`),
  };
}

function swap(words: Words, t: Scalar): string {
  if (words.name === 'cuda') return 'atomicCAS';
  return t.endsWith('64') ? 'atom_cmpxchg' : 'atomic_cmpxchg';
}

function extension(words: Words, t: Scalar): string {
  return words.name === 'opencl' && t.endsWith('64')
    ? '#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n'
    : '';
}

/** The function by which OpenCL combines integers of 32 bits itself. */
const NATIVE: Readonly<Record<string, string>> = {
  add: 'atomic_add',
  sub: 'atomic_sub',
  max: 'atomic_max',
  min: 'atomic_min',
  nanmax: 'atomic_max',
  nanmin: 'atomic_min',
  and_: 'atomic_and',
  or_: 'atomic_or',
  xor: 'atomic_xor',
  exch: 'atomic_xchg',
};

/** What is there before; another value goes in by comparing and swapping until no other thread came between. */
function combination(words: Words, t: Scalar, space: string, name: string, result: string): string {
  const { type, pointer, word, bits, value } = parts(words, t, space);
  const head = `${words.device} ${type} atomic_${name}_${t}${space}(${pointer}, ${type} value)`;
  const native = NATIVE[name];
  if (
    words.name === 'opencl' &&
    native !== undefined &&
    (t === 'i32' || t === 'u32' || (t === 'f32' && name === 'exch'))
  )
    return `${head} {\n  return ${native}(address, value);\n}`;
  return `${extension(words, t)}${head} {
  ${word.type} seen = ${swap(words, t)}((${word.pointer})address, 0, 0);
  for (;;) {
    const ${word.type} before = seen;
    const ${type} old = ${value('before')};
    seen = ${swap(words, t)}((${word.pointer})address, before, ${bits(result)});
    if (seen == before) return old;
  }
}`;
}

const CALL = /\b((?:js|integer|floor|atomic)_[a-z_]+?)_([iuf](?:32|64))(_global|_local)?\(/g;

/** The texts of all helpers that a text calls. */
export function helpersIn(text: string, words: Words): readonly string[] {
  const found = new Map<string, string>();
  for (const [call, name = '', type = '', space = ''] of text.matchAll(CALL)) {
    const make = Object.hasOwn(HELPERS, name) ? HELPERS[name] : undefined;
    if (make && !found.has(call)) found.set(call, make(words, type as Scalar, space));
  }
  return [...found.values()];
}

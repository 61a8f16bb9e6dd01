import { nameOf } from '../../core/check.ts';
import type { StructTypes } from '../../core/struct.ts';
import { structDeclarations } from '../../core/struct-text.ts';
import type { Language } from './element.ts';

/** What users' texts are compiled with, beside the kernel of theirs. */
export interface UserTextOptions {
  /** C that comes before the kernel: functions, macros, headers. */
  readonly preamble?: string | undefined;
  /** Options of the compiler. */
  readonly options?: readonly string[] | undefined;
  /** Structs by their names in C: their declarations come before the preamble. */
  readonly types?: StructTypes | undefined;
}

/** The head of a source and what follows the prelude: structs, names of the other language, the user's preamble. */
export interface UserText {
  readonly head: string;
  readonly preamble: string;
}

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

const WORDS: Readonly<Record<Language, readonly ReadonlyMap<string, string>[]>> = {
  cuda: [OPENCL_WORDS, COMPLEX_WORDS],
  opencl: [CUDA_WORDS, COMPLEX_WORDS],
};

/** Whole numbers of 16-bit floats are a type of a header, or of an extension. */
const HALVES: Readonly<Record<Language, readonly (readonly [word: RegExp, text: string])[]>> = {
  cuda: [
    [/\b(?:__half2?|half2?)\b/, '#include <cuda_fp16.h>\n'],
    [/\b__nv_bfloat16\b/, '#include <cuda_bf16.h>\n'],
  ],
  opencl: [[/\bhalf\d*\b/, '#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n']],
};

/** Lines of headers at the beginning of a preamble. */
const HEADERS = /^(?:[ \t]*(?:#[ \t]*include\b.*)?\r?\n)+/;

/**
 * What comes before a kernel with a user's texts. Of the other language's words those are defined that the texts use.
 *
 * @param texts - all that the user has written beside the preamble, and the parameters of functions
 */
export function userText(
  language: Language,
  { preamble = '', types }: UserTextOptions,
  texts: readonly string[],
): UserText {
  const ended = preamble === '' || preamble.endsWith('\n') ? preamble : `${preamble}\n`;
  const headers = HEADERS.exec(ended)?.[0] ?? '';
  const own = ended.slice(headers.length);
  const all = [...texts, ended].join('\n');
  const head =
    HALVES[language].flatMap(([word, text]) => (word.test(all) ? [text] : [])).join('') + headers.trimStart();
  const words = new Set(Array.from(all.matchAll(/[A-Za-z_]\w*/g), ([word]) => word));
  const defined = WORDS[language].flatMap((known) => {
    return Array.from(known).flatMap(([word, text]) => (words.has(word) && !defines(own, word) ? [`${text}\n`] : []));
  });
  const structs = types === undefined ? '' : structDeclarations(types, language);
  const parts = [defined.join(''), structs, own].filter((part) => part !== '');
  return { head, preamble: parts.map((part) => `${part}\n`).join('') };
}

/** A text as statements: with the semicolon that may be left out. */
export function statements(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || /[;}]$/.test(trimmed)) return trimmed;
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1);
  return last.includes('//') ? `${trimmed}\n;` : `${trimmed};`;
}

/** Whether a text makes a macro of a word itself. */
function defines(text: string, word: string): boolean {
  return new RegExp(`#[ \\t]*define[ \\t]+${word}\\b`).test(text);
}

/** Refuse what is no text. */
export function checkText(value: unknown, what: string): asserts value is string {
  if (typeof value === 'string') return;
  throw new TypeError(`${what} must be a text in C, got ${nameOf(value)}`);
}

/** Refuse what is neither left out nor a text, or a list of them. */
export function checkUserOptions({ preamble, options }: UserTextOptions, what: string): void {
  if (preamble !== undefined) checkText(preamble, `${what}: preamble`);
  if (options === undefined) return;
  if (Array.isArray(options) && options.every((option) => typeof option === 'string')) return;
  throw new TypeError(`${what}: options must be a list of the compiler's options, got ${nameOf(options)}`);
}

const NAME = /^[A-Za-z_]\w*$/;

/** The name of a kernel; `kernel` is a word of OpenCL C. */
export function kernelName(value: unknown, usual: string, what: string): string {
  if (value === undefined) return usual;
  if (typeof value === 'string' && NAME.test(value) && value !== 'kernel' && !value.startsWith('__')) return value;
  throw new TypeError(`${what}: name must be one of a function in C, other than kernel, got ${nameOf(value)}`);
}

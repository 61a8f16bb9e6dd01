import { ELEMENTS, type ElementKind, type ElementName } from './element-type.ts';

/** A parameter of a kernel, as its signature declares it. */
export interface Parameter {
  readonly name: string | undefined;
  /** C's spelling: `const float *`, `int`. */
  readonly type: string;
}

const TYPE_WORDS = /^(?:const|unsigned|signed|char|short|int|long|float|double|bool|half|__half|void)$/;

/** The parameters in `add(float *a, const float *b, int n)`; undefined where it has no list. */
export function parametersOf(signature: string): Parameter[] | undefined {
  if (!signature.endsWith(')')) return undefined;
  const text = signature.slice(openingOf(signature) + 1, -1).trim();
  return text === '' ? [] : pieces(text).map(readParameter);
}

function readParameter(text: string): Parameter {
  const [, type = '', name = ''] = /^(.*[\s*&])([A-Za-z_]\w*)$/.exec(text.trim()) ?? [];
  if (type.trim() === '' || TYPE_WORDS.test(name)) return { name: undefined, type: text.trim() };
  // A qualifier alone is not a type: `const float2`.
  if (/^(?:const|volatile)$/.test(type.trim())) return { name: undefined, type: text.trim() };
  return { name, type: type.trim() };
}

/** Where the parameter list begins. */
function openingOf(signature: string): number {
  let depth = 0;
  for (let i = signature.length - 1; i >= 0; i--) {
    if (signature[i] === ')') depth++;
    else if (signature[i] === '(' && --depth === 0) return i;
  }
  return -1;
}

function pieces(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charAt(i);
    if ('(<['.includes(letter)) depth++;
    else if (')>]'.includes(letter)) depth--;
    else if (letter === ',' && depth === 0) {
      found.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...found, text.slice(start)];
}

export function isPointer({ type }: Parameter): boolean {
  return type.endsWith('*');
}

/** Whether a pointer of OpenCL points to the memory of a group. */
export function isLocal({ type }: Parameter): boolean {
  return type.startsWith('__local');
}

const BASES: Readonly<Record<string, ElementName>> = {
  char: 'i8',
  'signed char': 'i8',
  'unsigned char': 'u8',
  uchar: 'u8',
  bool: 'u8',
  short: 'i16',
  'unsigned short': 'u16',
  ushort: 'u16',
  int: 'i32',
  'unsigned int': 'u32',
  unsigned: 'u32',
  uint: 'u32',
  long: 'i64',
  'unsigned long': 'u64',
  ulong: 'u64',
  'long long': 'i64',
  'unsigned long long': 'u64',
  longlong: 'i64',
  ulonglong: 'u64',
  half: 'f16',
  __half: 'f16',
  __nv_bfloat16: 'bf16',
  float: 'f32',
  double: 'f64',
};

/** The elements that a pointer points to; undefined for structs and `void`. */
export function pointee({ type }: Parameter): ElementKind | undefined {
  const plain = type
    .replace(/\*$/, '')
    .replace(/\b(?:const|volatile|restrict|__restrict__|__global|__local|__constant)\b/g, '')
    .trim();
  // A vector's elements lie one after the other.
  const base = BASES[plain] ?? BASES[plain.replace(/\d+$/, '')];
  return base === undefined ? undefined : ELEMENTS[base];
}

/** Whether elements of one type may stand for another's: integers of one size may, and the bits of a half float. */
export function isLike(a: ElementKind, b: ElementKind): boolean {
  if (a === b) return true;
  const areIntegers = !a.isFloat && !b.isFloat;
  const areBits = a.bytes === 2 && a.isFloat !== b.isFloat;
  return a.bytes === b.bytes && (areIntegers || areBits);
}

/** `argument 2 (const float *b)` */
export function describeParameter(index: number, parameter: Parameter | undefined): string {
  if (!parameter) return `argument ${index}`;
  const { type, name } = parameter;
  if (name === undefined) return `argument ${index} (${type})`;
  return `argument ${index} (${type}${type.endsWith('*') ? '' : ' '}${name})`;
}

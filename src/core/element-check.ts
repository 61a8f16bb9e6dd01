import { dtypes, type DType } from './dtype.ts';
import { TAKEN } from './element-table.ts';
import { tagName, tags, type ElementTag } from './element-tag.ts';
import { nameOf } from './check.ts';
import { isHostMemory } from './host-memory.ts';
import { parseType, type CType, type Dialect } from './signature.ts';

/** What memory a pointer takes. */
export interface Pointee {
  /** The tags of the memory that does not fit; 0 where nothing is compared. */
  readonly refused: ElementTag;
  /** How its elements are called in C, without `const`. */
  readonly text: string;
  /** The dtype that fits best. */
  readonly dtype: DType;
}

interface Elements {
  readonly taken: ElementTag;
  readonly dtype: DType;
}

const ALL = Object.values(tags).reduce((all, tag) => all | tag, 0);
/** The integers of each size. */
const SIZES = new Map<number | undefined, DType>([
  [1, 'i8'],
  [2, 'i16'],
  [4, 'i32'],
  [8, 'i64'],
]);
const FLOATS = new Map<number | undefined, DType>([
  [2, 'f16'],
  [4, 'f32'],
  [8, 'f64'],
]);
const UNSIGNED: Readonly<Partial<Record<DType, DType>>> = { i8: 'u8', i16: 'u16', i32: 'u32', i64: 'u64' };

function taken(row: keyof typeof TAKEN): ElementTag {
  return TAKEN[row].reduce((all: ElementTag, name) => all | tags[name], 0);
}

/**
 * What memory a parameter takes, by what it points to. As in C++, a `double *` is no `float *`; signed and unsigned integers
 * of one size pass for each other; vectors and complex numbers take arrays of their elements. Nothing is compared where the
 * pointee is `void`, a struct, or a name whose meaning is not known here, nor for `char *` and `unsigned char *`: through
 * these the language reads memory of any type, as code that counts pitches in bytes does.
 *
 * @returns undefined where nothing is compared
 */
export function pointeeOf(type: CType | undefined, dialect: Dialect): Pointee | undefined {
  if (type?.kind !== 'pointer' || type.element === undefined) return undefined;
  // A pointer to arrays points to their elements.
  const text = type.element.replace(/^(?:(?:const|volatile) )+/, '').replace(/(?:\[[^\]]*\])+$/, '');
  const pointed = elementType(text, dialect);
  const elements = isByte(pointed) ? undefined : elementsOf(pointed, dialect);
  return elements && { refused: ALL & ~elements.taken, text, dtype: elements.dtype };
}

function isByte(type: CType): boolean {
  return type.kind === 'int' && type.size === 1 && type.text !== 'signed char';
}

/** The type, or of a complex number that of its parts. */
function elementType(text: string, dialect: Dialect): CType {
  const complex = /^(?:\w+::)*complex<(float|double|__half)>$/.exec(text);
  return parseType(complex?.[1] ?? text, dialect);
}

function elementsOf(type: CType, dialect: Dialect): Elements | undefined {
  switch (type.kind) {
    case 'int':
      return integers(type, dialect);
    case 'float':
      return elementsLike(type.text.includes('bfloat16') ? 'bf16' : FLOATS.get(type.size));
    case 'bool':
      return { taken: taken('bool'), dtype: 'u8' };
    case 'pointer':
      return /[()]/.test(type.text) ? undefined : { taken: taken('pointer'), dtype: 'u64' };
    case 'vector':
      return vectors(type, dialect);
    case 'named':
      return undefined;
    default:
      return type.kind satisfies never;
  }
}

function elementsLike(dtype: DType | undefined): Elements | undefined {
  return dtype && { taken: taken(dtype), dtype };
}

function integers({ text, size, signed }: CType, dialect: Dialect): Elements | undefined {
  const found = SIZES.get(size);
  if (!found) return undefined;
  const dtype = signed ? found : (UNSIGNED[found] ?? found);
  const isNarrow = dialect === 'cuda' && process.platform === 'win32' && /^(?:unsigned )?long$/.test(text);
  return { taken: taken(isNarrow ? 'long' : dtype), dtype };
}

/** An array of the elements; of one integer for each whole vector, too: pixels, packed halves. */
function vectors({ element = '', lanes, size }: CType, dialect: Dialect): Elements | undefined {
  const found = elementsOf(elementType(element, dialect), dialect);
  const whole = lanes > 1 ? elementsLike(SIZES.get(size)) : undefined;
  return found && { ...found, taken: found.taken | (whole?.taken ?? 0) };
}

/**
 * The error of memory whose elements are not those of the parameter.
 *
 * @param what - the kernel and the parameter, for the message
 * @param value - memory, or the host array that is copied there
 * @param bytesAdvice - how memory of the device goes for bytes
 */
export function elementError(
  what: string,
  { text, dtype }: Pointee,
  tag: ElementTag,
  value: unknown,
  bytesAdvice: string,
): TypeError {
  const came = isHostMemory(value) ? nameOf(value) : `${nameOf(value)} of ${tagName(tag)}`;
  const cure = isHostMemory(value) ? convert(tag, dtype) : `make it from ${arrayOf(dtype)}`;
  const bytes = isHostMemory(value) ? 'new Uint8Array(array.buffer, array.byteOffset, array.byteLength)' : bytesAdvice;
  return new TypeError(
    `${what} must be memory of ${text}, got ${came}: ${cure}; to pass its bytes as they are: ${bytes}`,
  );
}

function convert(tag: ElementTag, dtype: DType): string {
  if (dtypes[dtype].size === 2 && dtypes[dtype].kind === 'float') return `pass ${arrayOf(dtype)}`;
  const wide = (tag & (tags.i64 | tags.u64)) !== 0;
  const wanted = dtype === 'i64' || dtype === 'u64';
  const map = wide === wanted ? '' : wanted ? ', BigInt' : ', Number';
  return `convert it, ${dtypes[dtype].array.name}.from(array${map})`;
}

function arrayOf(dtype: DType): string {
  const { name } = dtypes[dtype].array;
  if (dtype === 'f16' || dtype === 'bf16') return `a ${name} of the bits`;
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;
}

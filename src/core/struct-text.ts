import { nameOf } from './check.ts';
import { dtypes, type DType } from './dtype.ts';
import { parseType, type Dialect } from './signature.ts';

/** Where a struct's type has its fields, for its text in C. */
export const FIELDS: unique symbol = Symbol.for('rawkernel.struct.fields');

/** What a struct's text is made from. */
interface Described {
  readonly [FIELDS]: Readonly<Record<string, unknown>>;
}

/** A vector's type, as far as its text goes. */
interface VectorFacts {
  readonly name: string;
  readonly byteLength: number;
  readonly alignment: number;
}

/** C's names; halves are their bits, OpenCL's pointers addresses, which no struct of a kernel's argument may have. */
export const C_NAMES: Readonly<Record<Dialect, Readonly<Record<DType | 'bool' | 'ptr', string>>>> = {
  cuda: {
    i8: 'signed char',
    u8: 'unsigned char',
    i16: 'short',
    u16: 'unsigned short',
    i32: 'int',
    u32: 'unsigned int',
    i64: 'long long',
    u64: 'unsigned long long',
    f16: 'unsigned short',
    bf16: 'unsigned short',
    f32: 'float',
    f64: 'double',
    bool: 'bool',
    ptr: 'void *',
  },
  opencl: {
    i8: 'char',
    u8: 'uchar',
    i16: 'short',
    u16: 'ushort',
    i32: 'int',
    u32: 'uint',
    i64: 'long',
    u64: 'ulong',
    f16: 'ushort',
    bf16: 'ushort',
    f32: 'float',
    f64: 'double',
    bool: 'uchar',
    ptr: 'ulong',
  },
};

/**
 * The declarations of structs, each after those that it has in its fields. A struct in a field has the name that `types` gives it,
 * or that of the outer one and of the field: `Ray_origin`.
 *
 * @throws TypeError a name that C does not take, or a vector of the other half of the package
 */
export function structDeclarations(types: Readonly<Record<string, unknown>>, dialect: Dialect): string {
  const names = new Map(Object.entries(types).map(([name, type]) => [type, name]));
  const written = new Set<unknown>();
  const texts: string[] = [];
  const write = (type: unknown, name: string): void => {
    if (written.has(type)) return;
    written.add(type);
    names.set(type, name);
    checkName(name, 'The name of a struct');
    const fields = Object.entries((type as Described)[FIELDS]).map(([field, of]) => {
      checkName(field, `A field of ${name}`);
      const nested = innermost(of);
      if (isDescribed(nested)) write(nested, names.get(nested) ?? `${name}_${field}`);
      return `  ${declare(field, of, dialect, names, name)};\n`;
    });
    texts.push(`typedef struct {\n${fields.join('')}} ${name};\n`);
  };
  for (const [name, type] of Object.entries(types)) write(type, name);
  return texts.join('\n');
}

/** Whether a value is a struct's type. */
function isDescribed(type: unknown): type is Described {
  return typeof type === 'function' && FIELDS in type;
}

/** The type of the elements of arrays. */
function innermost(type: unknown): unknown {
  let at = type;
  while (Array.isArray(at)) at = (at as unknown[])[0];
  return at;
}

function declare(
  field: string,
  type: unknown,
  dialect: Dialect,
  names: ReadonlyMap<unknown, string>,
  struct: string,
): string {
  let lengths = '';
  let at = type;
  for (; Array.isArray(at); at = (at as unknown[])[0]) lengths += `[${String((at as unknown[])[1])}]`;
  const known = typeof at === 'string' ? C_NAMES[dialect][at as DType] : names.get(at);
  const text = known ?? vectorName(at as VectorFacts, dialect, `${struct}.${field}`);
  return `${text}${text.endsWith('*') ? '' : ' '}${field}${lengths}`;
}

function vectorName({ name, byteLength, alignment }: VectorFacts, dialect: Dialect, what: string): string {
  const { size, align } = parseType(name, dialect);
  if (size === byteLength && align === alignment) return name;
  const own = dialect === 'cuda' ? 'CUDA C++' : 'OpenCL C';
  const takes = size === undefined ? 'has no such type' : `has it with ${size} bytes, aligned to ${align ?? size}`;
  throw new TypeError(
    `${what} must be a vector of ${own}, got ${name} with ${byteLength} bytes, aligned to ${alignment}; ${own} ${takes}; import it from 'rawkernel/${dialect}'`,
  );
}

/** Names that are types or words of the language, as far as they are likely. */
const WORDS = new Set(
  `auto bool break case char class const continue default do double else enum extern false float for goto half if inline int long
  new private register restrict return short signed sizeof static struct switch template this true typedef union unsigned
  void volatile while`.split(/\s+/),
);

function checkName(name: unknown, what: string): void {
  if (typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) && !WORDS.has(name) && !Object.hasOwn(dtypes, name))
    return;
  throw new TypeError(`${what} must be a name in C, got ${nameOf(name)}`);
}

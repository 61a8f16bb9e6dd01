import { dtypes, type DType, type DTypeInfo, type DTypes } from '../../core/dtype.ts';
import { UsageError } from '../output.ts';

/** The command line's name of an element type. */
export type ElementName = DType;

/** The array that holds elements; half floats and bfloat16 as their bits. */
export type Elements = DTypes[DType];

/** How the elements of one type are made and read. */
export interface ElementKind {
  readonly name: ElementName;
  readonly bytes: number;
  readonly isFloat: boolean;
  /** Over whole elements of a buffer. */
  readonly over: (buffer: ArrayBuffer) => Elements;
  readonly get: (view: DataView, at: number) => number | bigint;
  /** Integers wrap around, and lose their fraction. */
  readonly set: (view: DataView, at: number, value: number) => void;
}

/** The types by their names. */
export const ELEMENTS: Readonly<Record<ElementName, ElementKind>> = Object.fromEntries(
  Object.values(dtypes).map((type) => [type.name, elementOf(type)]),
) as Record<ElementName, ElementKind>;

function elementOf({ name, size, kind, array, read, write }: DTypeInfo): ElementKind {
  const isFloat = kind === 'float';
  const isWide = !isFloat && size === 8;
  return {
    name,
    bytes: size,
    isFloat,
    over: (buffer) => new array(buffer) as Elements,
    get: read,
    set: isWide
      ? (view, at, value) => {
          write(view, at, BigInt(Math.trunc(value)));
        }
      : write,
  };
}

/** The type of a name that a user wrote. */
export function elementKind(name: string, where: string): ElementKind {
  if (Object.hasOwn(ELEMENTS, name)) return ELEMENTS[name as ElementName];
  throw new UsageError(`${where}: '${name}' is not an element type; there is ${Object.keys(ELEMENTS).join(', ')}`);
}

/** The elements of an array as numbers. */
export function numbersOf(kind: ElementKind, array: Elements): (number | bigint)[] {
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  return Array.from({ length: array.length }, (_, i) => kind.get(view, i * kind.bytes));
}

/** An array of one number, however long. */
export function filled(kind: ElementKind, length: number, value: number): Elements {
  const array = kind.over(new ArrayBuffer(length * kind.bytes));
  const [first = 0] = generate(kind, 1, () => value);
  // A new array holds zeros, and its pages take no memory until they are written.
  return value === 0 ? array : array.fill(first as never);
}

/** An array whose elements a function gives. */
export function generate(kind: ElementKind, length: number, element: (index: number) => number): Elements {
  const array = kind.over(new ArrayBuffer(length * kind.bytes));
  const view = new DataView(array.buffer);
  for (let i = 0; i < length; i++) kind.set(view, i * kind.bytes, element(i));
  return array;
}

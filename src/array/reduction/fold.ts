import { arrayDTypes, type ArrayDType } from '../dtype.ts';

/** The dtype that elements are counted in: 32 bits where they fit. */
export type CountType = 'u32' | 'u64';

/** A struct as a part of what is kept. */
export interface StructField {
  /** Its name in C, which is declared before. */
  readonly name: string;
  readonly byteLength: number;
}

/** A part of what is kept. */
export interface Field {
  readonly name: string;
  /** Its dtype, as it is computed with: neither a half nor a truth value. Of a struct, that of its bytes. */
  readonly dtype: ArrayDType;
  /** The struct that it is. */
  readonly struct?: StructField;
  /** Its text before the first element. */
  readonly start: string;
}

/**
 * How elements become one: a state is what is kept of those that were seen. All members are texts in C. The state is a number
 * where there is one field, else a struct.
 */
export interface Fold {
  readonly fields: readonly Field[];
  /** The name of the type of states. */
  readonly state: string;
  /** Functions that the texts call. */
  readonly functions?: string;
  /** Whether the places of elements matter. */
  readonly isPlaced?: boolean;
  /** Whether a state is rounded with each element: the fewer go into one, the more exact is the result. */
  readonly isRounded?: boolean;
  /**
   * The state with another element.
   *
   * @param at - the place of the element among the reduced ones, in row-major order
   * @param isOrdered - whether every element comes behind the ones of the state
   */
  readonly put: (state: string, element: string, at: string, isOrdered: boolean) => string;
  /** What elements are looked through by first, where few of them make the state. */
  readonly scout?: Scout;
  /** The state of the elements of two. */
  readonly join: (a: string, b: string) => string;
  /** What comes of a state; `divisor` is a number of the kernel. */
  readonly result: (state: string) => string;
  /** The dtype of {@link result}; of a struct, that of its bytes. */
  readonly type: ArrayDType;
  /** The dtype of the number `divisor`, where there is one. */
  readonly divisor?: 'f32' | 'f64';
}

/** A fold that is faster than another one, and tells among which elements those are that give the other one its state. */
export interface Scout {
  readonly fold: Fold;
  /** Whether elements with such a state of this fold, behind those of another state, matter to the other fold. */
  readonly matters: (state: string, next: string) => string;
}

/** Bytes of a field. */
export function bytesOfField({ dtype, struct }: Field): number {
  return struct?.byteLength ?? arrayDTypes[dtype].size;
}

/** The lines that give a state its value before the first element. */
export function startLines({ fields }: Fold, state: string): string[] {
  return fields.map(({ name, start }) => `${fields.length === 1 ? state : `${state}.${name}`} = ${start};`);
}

/** The text of a field of a state. */
export function fieldOf({ fields }: Fold, state: string, name: string): string {
  return fields.length === 1 ? state : `${state}.${name}`;
}

/** The type of states, where it is a struct, and the functions of a fold. */
export function foldPreamble({ fields, state, functions = '' }: Fold): string {
  if (fields.length === 1) return functions === '' ? '' : `${functions.trim()}\n\n`;
  const members = fields.map(({ name, dtype }) => `  ${dtype} ${name};\n`).join('');
  return `typedef struct {\n${members}} ${state};\n\n${functions === '' ? '' : `${functions.trim()}\n\n`}`;
}

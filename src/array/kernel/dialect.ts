import type { ArrayDType } from '../dtype.ts';

/** A parameter of a generated kernel. */
export interface Parameter {
  readonly name: string;
  readonly dtype: ArrayDType;
  /** Memory of such elements, or one number. */
  readonly kind: 'output' | 'input' | 'number';
  /** Its type in each language, where no dtype stands for it: a struct, by value or as the elements of memory. */
  readonly type?: Readonly<Record<Dialect['name'], string>> | undefined;
  /** Memory whose elements the kernel reaches by no other parameter. */
  readonly isAlone?: boolean;
}

/**
 * How kernels are written in one language. The bodies of kernels are the same in both: they use the names that `prelude`
 * defines. What users read in a kernel's head is the language's own.
 */
export interface Dialect {
  readonly name: 'cuda' | 'opencl';
  /** Type names, places of a thread, address spaces, barriers; see `cuda-dialect.ts`. */
  readonly prelude: string;
  /** What a source needs before everything else to use these dtypes. */
  readonly head: (dtypes: ReadonlySet<ArrayDType>) => string;
  /**
   * The head of a kernel, up to its opening brace; `threads` are those of a group, `residents` the groups of a multiprocessor, where
   * that is to limit registers.
   */
  readonly signature: (name: string, parameters: readonly Parameter[], threads?: number, residents?: number) => string;
  /** Functions of the language's own that take the place of those of the same names in `helper.ts`. */
  readonly helpers: Readonly<Record<string, string>>;
}

/** The type of an element in memory, by the names of the prelude. */
export function storageType(dtype: ArrayDType): string {
  return dtype === 'bool' ? 'u8' : dtype;
}

/** The type of an element while it is computed with: halves are floats then, truth values are `bool`. */
export function registerType(dtype: ArrayDType): string {
  return dtype === 'f16' || dtype === 'bf16' ? 'f32' : dtype;
}

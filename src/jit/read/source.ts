import type { FunctionText } from './function-text.ts';
import type { ConstantSet } from './reading.ts';

/** A function and the constants that it is given. */
export interface Source {
  readonly text: FunctionText;
  readonly constants: ConstantSet | undefined;
  /** Whether it is a kernel, which returns nothing. */
  readonly isKernel: boolean;
  /** Of a stencil: which arrays are indexed from the element that is computed. */
  readonly stencil?: Stencil | undefined;
}

/** How a stencil indexes its arrays. Behind its arguments come the places of the element, an integer for each axis. */
export interface Stencil {
  readonly rank: number;
  /** Parameters whose indices are usual ones. */
  readonly standard: ReadonlySet<string>;
  /** How far elements are read along each axis, where indices vary. */
  readonly neighborhood: readonly (readonly [number, number])[] | undefined;
}

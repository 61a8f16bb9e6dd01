import type * as Acorn from 'acorn';
import type { Expression, Label, Span, Statement, Variable } from '../tree.ts';
import type { Reading } from './reading.ts';

/** What statements ask of the reader besides: names that they declare, and what the function returns. */
export interface Body extends Reading {
  /** Read a statement: none for an empty one, several for a list of declarations. */
  statement(node: Acorn.Statement): readonly Statement[];
  /** Read in a scope of its own. */
  inScope<T>(read: () => T): T;
  declare(name: string, span: Span, isHoisted: boolean): Variable;
  /** The value of a return; undefined where there is none. */
  returned(value: Expression | undefined, span: Span): Expression | undefined;
  /** Read with a label that jumps may name. */
  labelled<T>(name: string, span: Span, read: (label: Label) => T): T;
  /** The label of a name; undefined where none is around. */
  labelNamed(name: string): Label | undefined;
  readonly isKernel: boolean;
}

import type { Expression, Operation, OperationText, Span } from '../tree.ts';
import { isFloat, type KernelType, type ScalarType } from '../kernel-type.ts';
import type { Reading } from '../read/reading.ts';

/** A call of what a kernel has by itself. */
export interface BuiltinCall {
  readonly reading: Reading;
  readonly args: readonly Expression[];
  readonly span: Span;
  /** As it is written: `cuda.atomic.add`. */
  readonly path: string;
}

/** A name of kernels: `cuda.grid`, `Math.sqrt`, `cuda.threadIdx.x`. */
export interface Builtin {
  /** How it is written: `grid(ndim)`; without brackets it is a value. */
  readonly usage: string;
  /** The least and the largest number of arguments; undefined for a value. */
  readonly arity?: readonly [least: number, most: number];
  /** Whether it is an array that a declaration names. */
  readonly isDeclared?: boolean;
  readonly read: (call: BuiltinCall) => Expression;
}

/** Whether an argument has no type yet: neither has the call. */
export function hasUnknown({ args }: BuiltinCall): boolean {
  return args.some(({ type }) => type.kind === 'unknown');
}

export type BuiltinTable = Readonly<Record<string, Builtin>>;

/** The letter of C's functions for a float: `sqrtf`. */
function suffix(type: KernelType): string {
  return (type as ScalarType).name === 'f32' ? 'f' : '';
}

/** A function that has one name in C, JavaScript's another. */
export function named(name: string, js: string, options: Partial<Operation> = {}): Operation {
  const list = (args: readonly string[]): string => args.join(', ');
  return {
    name,
    cuda: (args, type) => `${name}${isFloat(type) ? suffix(type) : ''}(${list(args)})`,
    opencl: (args) => `${name}(${list(args)})`,
    js: (args) => `${js}(${list(args)})`,
    ...options,
  };
}

/** A function of our own, with a text for each type that it is used with: see `c-helper.ts`. */
export function helped(name: string, js: string, options: Partial<Operation> = {}): Operation {
  const call: OperationText = (args, _, types) => `${name}_${(types[0] as ScalarType).name}(${args.join(', ')})`;
  return { name, cuda: call, opencl: call, js: (args) => `${js}(${args.join(', ')})`, ...options };
}

/** A text of JavaScript that is given the name of the result's type, too: `$m.abs('i32', x)`. */
export function typed(js: string): OperationText {
  return (args, type) => `${js}(${[`'${(type as ScalarType).name}'`, ...args].join(', ')})`;
}

/** The text of JavaScript for what waits for other threads: the thread says what it waits for, and is given the result. */
export function asking(name: string): OperationText {
  return (args) => `yield $.ask(${[`'${name}'`, args.at(-1) ?? '', ...args.slice(0, -1)].join(', ')})`;
}

export function callOf(operation: Operation, args: readonly Expression[], type: KernelType, span: Span): Expression {
  return { kind: 'call', operation, args, type, start: span.start, end: span.end };
}

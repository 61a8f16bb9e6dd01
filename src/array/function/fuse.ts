import { nameOf } from '../../core/check.ts';
import { isWeakScalar } from '../dtype.ts';
import { FusedValue, formulaOf, type FusedOperand, type Trace } from '../expression/fused-value.ts';
import type { Formula } from '../expression/formula.ts';
import { scalarCode } from '../apply.ts';
import { Fused, type FuseOptions } from '../fused.ts';
import { NDArray, type Operand } from '../ndarray.ts';
import { checkOperand } from '../operand.ts';

/** What a function that is fused may return: a value, or a list of them. */
export type FusedResult = FusedValue | readonly [FusedValue, ...FusedValue[]];

/** The arrays of a fused function's results. */
export type FusedArrays<R extends FusedResult> = R extends FusedValue ? NDArray : { -readonly [I in keyof R]: NDArray };

/** A function of arrays and scalars that is computed in one kernel; {@link fuse} makes it. */
export interface FusedFunction<P extends readonly FusedValue[], R extends FusedResult> {
  /** Compute. At least one operand must be an array. */
  (...operands: readonly [...{ readonly [I in keyof P]: Operand }, options?: FuseOptions | undefined]): FusedArrays<R>;
  /** Inside of another fused function: a part of that one's kernel. */
  (...operands: readonly [...{ readonly [I in keyof P]: FusedOperand }]): R;
}

interface Traced {
  readonly fused: Fused;
  readonly isList: boolean;
}

const WHAT = 'fuse';

/**
 * Make one kernel of a function of elementwise operations. It is called once for each set of dtypes, with what stands for its
 * operands; numbers in it that are no operands stay what they were then. Dtypes are those that the operations give one by one;
 * halves are rounded once, at the end.
 *
 * @param define - operations on its operands and on numbers; it returns a value, or a list of values: several arrays
 */
export function fuse<P extends readonly FusedValue[], R extends FusedResult>(
  define: (...operands: P) => R,
): FusedFunction<P, R> {
  if (typeof define !== 'function') throw new TypeError(`fuse must be given a function, got ${nameOf(define)}`);
  const traces = new Map<string, Traced>();
  const run = (...args: readonly unknown[]): unknown => {
    const isLast = args.length > 0 && isOptions(args.at(-1));
    const operands = isLast ? args.slice(0, -1) : args;
    if (operands.length < define.length) {
      throw new TypeError(`${WHAT}: the function must be given ${define.length} operands, got ${operands.length}`);
    }
    if (operands.some((operand) => operand instanceof FusedValue)) return inline(define, operands);
    const key = operands.map(keyOf).join();
    let traced = traces.get(key);
    if (traced === undefined) {
      traced = trace(define as unknown as (...operands: FusedValue[]) => unknown, operands as readonly Operand[]);
      traces.set(key, traced);
    }
    const results = traced.fused.run(operands, isLast ? (args.at(-1) as FuseOptions) : undefined);
    return traced.isList ? results : results[0];
  };
  return run as unknown as FusedFunction<P, R>;
}

/** What stands at the end and is no operand. */
function isOptions(value: unknown): boolean {
  const isObject = typeof value === 'object' || value === undefined;
  return (
    isObject && value !== null && !(value instanceof NDArray || value instanceof FusedValue || isWeakScalar(value))
  );
}

function keyOf(operand: unknown, i: number): string {
  checkOperand(operand, `${WHAT}: operand ${i}`);
  return operand instanceof NDArray ? operand.dtype : String(scalarCode(operand));
}

/** As a part of another function: each operand is to be a value of that. */
function inline(define: (...operands: never) => unknown, operands: readonly unknown[]): unknown {
  return (define as (...operands: readonly unknown[]) => unknown)(...operands);
}

function trace(define: (...operands: FusedValue[]) => unknown, operands: readonly Operand[]): Traced {
  installRefusals();
  const current: Trace = { isOpen: true, operations: 0 };
  const values = operands.map((operand, index) => {
    const type = operand instanceof NDArray ? { dtype: operand.dtype } : { scalar: operand };
    return new FusedValue(current, { kind: 'value', index }, type);
  });
  try {
    const result = define(...values);
    const isList = Array.isArray(result);
    const formulas = (isList ? (result as readonly unknown[]) : [result]).map((value): Formula => {
      if (value instanceof FusedValue) return formulaOf(value, current);
      throw new TypeError(
        `${WHAT}: the function must return a value that it computed, or a list of them, got ${nameOf(value)}`,
      );
    });
    if (formulas.length === 0) throw new TypeError(`${WHAT}: the function must return a value, got an empty list`);
    const fused = new Fused(formulas, {
      what: WHAT,
      nameOf: (value) => `operand ${value}`,
      at: (_, run) => run(),
    });
    return { fused, isList };
  } finally {
    current.isOpen = false;
  }
}

const refusedFields = ['shape', 'strides', 'offset', 'size', 'length', 'ptr'];
let isInstalled = false;

/** Have what arrays can and fused values cannot throw, and say what can be done. Methods of arrays are there by now. */
function installRefusals(): void {
  if (isInstalled) return;
  isInstalled = true;
  const names = new Set<string | symbol>([...refusedFields, Symbol.iterator, Symbol.toPrimitive]);
  for (let at: object = NDArray.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  for (const name of names) {
    if (name in FusedValue.prototype) continue;
    Object.defineProperty(FusedValue.prototype, name, {
      configurable: true,
      get(): never {
        throw new TypeError(refusal(name));
      },
    });
  }
}

function refusal(name: string | symbol): string {
  const holds = 'A fused function must hold elementwise operations of its operands alone';
  if (name === Symbol.toPrimitive)
    return `${holds}, got an operator or a condition of JavaScript; write add, less, where`;
  if (name === Symbol.iterator) return `${holds}, got a loop over the elements of one`;
  return `${holds}, got ${String(name)}; compute that outside and pass it as an operand`;
}

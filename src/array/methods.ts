import { nameInCamelCase } from '../core/renamed.ts';
import type { Applied } from './apply.ts';
import { applied } from './applied.ts';
import { DISPLAY, displayed, INSPECT, inspected, toText } from './display.ts';
import { clipTo } from './function/clip.ts';
import { diagonal, trace } from './function/diagonal.ts';
import { dot, matmul } from './function/product.ts';
import { iterate, toPrimitive } from './function/protocol.ts';
import { reductionMethods } from './function/reduce.ts';
import { cummax, cummin, cumprod, cumsum } from './function/scan.ts';
import { argpartition, partition, topk } from './function/partition.ts';
import { median, percentile, quantile } from './function/quantile.ts';
import { argsort, sort } from './function/sort.ts';
import { get, item, read, set, toArray } from './function/transfer.ts';
import { NDArray, type OutOptions } from './ndarray.ts';
import { shortNames } from './operation/alias.ts';
import { shapeGetters, shapeMethods } from './shape-method-table.ts';

type AnyMethod = (this: NDArray, ...args: never[]) => unknown;

function install(name: string | symbol, method: AnyMethod): void {
  Object.defineProperty(NDArray.prototype, name, { configurable: true, writable: true, value: method });
}

/** A function whose first parameter is the array, as a method. */
function asMethod(run: (array: NDArray, ...args: never[]) => unknown): AnyMethod {
  return function method(this: NDArray, ...args: never[]): unknown {
    return run(this, ...args);
  };
}

function elementwise(operation: Applied): AnyMethod {
  const { arity } = operation.operation;
  if (arity === 1) {
    return function method(this: NDArray, options?: OutOptions): NDArray {
      return operation.run([this], options);
    };
  }
  if (arity === 2) {
    return function method(this: NDArray, other: unknown, options?: OutOptions): NDArray {
      return operation.run([this, other], options);
    };
  }
  return function method(this: NDArray, second: unknown, third: unknown, options?: OutOptions): NDArray {
    return operation.run([this, second, third], options);
  };
}

const methods: Readonly<Record<string, (array: NDArray, ...args: never[]) => unknown>> = {
  ...reductionMethods,
  ...shapeMethods,
  argpartition,
  argsort,
  clip: clipTo,
  cummax,
  cummin,
  cumprod,
  cumsum,
  diagonal,
  dot,
  get,
  item,
  matmul,
  median,
  partition,
  percentile,
  quantile,
  read,
  set,
  sort,
  toArray,
  toString: toText,
  topk,
  trace,
};

let isInstalled = false;

/**
 * Give arrays their methods. Called where arrays are made: a bundler leaves out a module that is imported for what it does alone.
 */
export function installMethods(): void {
  if (isInstalled) return;
  isInstalled = true;
  for (const [name, operation] of Object.entries(applied)) install(name, elementwise(operation));
  for (const [short, name] of Object.entries(shortNames)) install(short, elementwise(applied[name]));
  for (const [name, run] of Object.entries(methods)) install(name, asMethod(run));
  install(Symbol.toPrimitive, asMethod(toPrimitive));
  install(Symbol.iterator, asMethod(iterate));
  install(INSPECT, asMethod(inspected));
  install(DISPLAY, asMethod(displayed));
  for (const [name, run] of Object.entries(shapeGetters)) {
    Object.defineProperty(NDArray.prototype, name, {
      configurable: true,
      get(this: NDArray) {
        return run(this);
      },
    });
  }
  nameInCamelCase(NDArray);
}

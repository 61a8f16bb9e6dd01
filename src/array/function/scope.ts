import { nameOf } from '../../core/check.ts';
import { NDArray } from '../ndarray.ts';
import { openScope } from '../open-scope.ts';

/** Arrays that no scope closes. */
const kept = new WeakSet<object>();

/**
 * Run a function, and close each array that was made in it and is not in what it returns: an array, or a list or plain object
 * with arrays, to any depth. What a scope returns inside of another one belongs to that. Arrays that were there before stay
 * open.
 *
 * @param run - must not be `async`: arrays would be closed while they are waited for
 * @throws TypeError the function returned a promise; the arrays are closed
 */
export function scope<T>(run: () => T): T {
  const outer = openScope.add;
  const made = new Set<NDArray>();
  openScope.add = (array) => made.add(array as NDArray);
  let result: T;
  try {
    result = run();
  } catch (error) {
    openScope.add = outer;
    closeAll(made, true);
    throw error;
  }
  openScope.add = outer;
  if (isPromise(result)) {
    // What comes later finds closed arrays; the error below says why.
    result.then(undefined, () => undefined);
    closeAll(made, true);
    throw new TypeError(
      'scope: the function must not be async, got a promise; read with get() in it, or await outside of it',
    );
  }
  const returned = new Set<object>();
  collect(result, returned);
  for (const array of made) {
    if (!returned.has(array) && !kept.has(array)) continue;
    made.delete(array);
    if (!kept.has(array)) outer?.(array);
  }
  closeAll(made, false);
  return result;
}

/** Keep an array open that a {@link scope} would close: it is yours to close. Returns the array. */
export function keep<A extends NDArray>(array: A): A {
  if (!(array instanceof NDArray)) throw new TypeError(`keep must be given an NDArray, got ${nameOf(array)}`);
  kept.add(array);
  return array;
}

function closeAll(arrays: Iterable<NDArray>, hasFailed: boolean): void {
  let failure: { readonly error: unknown } | undefined;
  for (const array of arrays) {
    if (hasFailed && kept.has(array)) continue;
    try {
      array.close();
    } catch (error) {
      failure ??= { error };
    }
  }
  // The first error is what the user wants to hear of.
  if (failure !== undefined && !hasFailed) throw failure.error;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** The objects in a value, through lists and plain objects. */
function collect(value: unknown, found: Set<object>): void {
  if (typeof value !== 'object' || value === null || found.has(value)) return;
  found.add(value);
  if (value instanceof NDArray) return;
  if (Array.isArray(value)) for (const each of value) collect(each, found);
  else if (isPlain(value)) for (const each of Object.values(value)) collect(each, found);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

import { nameOf } from '../core/check.ts';

/** A call in an error, with the list that the numbers should have been. */
type Call = (list: string) => string;

/**
 * Refuse a shape or axes that are given number by number, as NumPy's methods take them: the numbers behind the first one would be
 * taken for other arguments, or for none.
 *
 * @param args - those of the call, from the first number on
 * @param call - what should have been called; by default the function with the list alone
 * @throws TypeError there are several numbers
 */
export function checkOneList(name: string, args: ArrayLike<unknown>, call: Call = (list) => `${name}(${list})`): void {
  if (args.length < 2 || !isNumber(args[1]) || !isNumber(args[0])) return;
  const numbers = Array.from(args).filter(isNumber);
  throw new TypeError(
    `${name} must be given one list, ${call(`[${numbers.map(nameOf).join(', ')}]`)}, got ${numbers.length} numbers`,
  );
}

/** {@link checkOneList} of a function whose first argument is the array. */
export function checkOneListBehind(name: string, args: IArguments): void {
  if (args.length > 2) checkOneList(name, Array.prototype.slice.call(args, 1));
}

/** The same of a value behind the list: `full([2, 3], 7)`. */
export function checkOneListBefore(name: string, args: readonly unknown[]): void {
  if (args.length < 3 || !args.every(isNumber)) return;
  checkOneList(name, args.slice(0, -1), (list) => `${name}(${list}, ${nameOf(args.at(-1))})`);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

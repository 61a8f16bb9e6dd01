import { nameOf } from './check.ts';

/**
 * The error of what has the methods of an object of ours and not its private state: a proxy of it, or what inherits from
 * it. The runtime's own words speak of private members.
 */
export function notMade(value: object, cause?: unknown): TypeError {
  return new TypeError(
    `The object must be one that rawkernel made, got a proxy of one or an object that inherits from one (${nameOf(value)}); pass the object itself`,
    cause === undefined ? undefined : { cause },
  );
}

import { WebCLException } from './exception.ts';

let running = 0;

/** Call a callback of the program. */
export function runCallback(call: () => void): void {
  running++;
  try {
    call();
  } finally {
    running--;
  }
}

/** Refuse a call in a callback that takes long or waits. */
export function refuseInCallback(what: string): void {
  if (running === 0) return;
  throw new WebCLException(
    'INVALID_OPERATION',
    `${what} must not be called in a callback: it would hold up the program`,
  );
}

/** Refuse a callback that cannot be called. */
export function checkCallback(value: unknown): asserts value is (...args: never[]) => unknown {
  if (typeof value !== 'function') throw new TypeError('A callback must be a function');
}

/** Whether a callback was given; a value other than a function, undefined or null is refused. */
export function isCallback(value: unknown): value is (...args: never[]) => unknown {
  if (value === undefined || value === null) return false;
  checkCallback(value);
  return true;
}

import type { Dims } from '../../core/dims.ts';
import { checkOptions } from '../../core/check.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';

/** The options of a kernel call, after its arguments. */
export interface KernelCallOptions extends EnqueueOptions {
  /** Where the global ids begin, in work-items: `[x, y, z]`. Default: 0 */
  readonly offset?: Dims;
  /** Whether a global size of 0 is allowed: then nothing runs, and the event is that of a marker. Default: false */
  readonly allowEmpty?: boolean;
}

const CALL_OPTIONS = ['waitFor', 'offset', 'allowEmpty'];

/** The options of a call, if its last argument is an options object. */
export function callOptionsOf(value: unknown, name: string): KernelCallOptions | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // Plain objects may come from another realm, whose Object.prototype is not ours.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
  if (prototype !== null && !Object.hasOwn(prototype, 'hasOwnProperty')) return undefined;
  checkOptions(value, CALL_OPTIONS, name);
  return value;
}

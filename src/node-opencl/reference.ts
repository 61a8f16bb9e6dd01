import { expectArguments } from './failure.ts';
import { CLObject, type Kind } from './handle.ts';
import type { CLCommandQueue, CLContext, CLEvent, CLKernel, CLMem, CLProgram, CLSampler } from './objects.ts';

type Count<T> = (object: T) => 0;

/** Add a reference to the driver's object; the wrapper owns it too. */
export const retainCommandQueue: Count<CLCommandQueue> = counting('CLCommandQueue', 'retain');
/** Give a reference back. A wrapper that has none left does nothing. */
export const releaseCommandQueue: Count<CLCommandQueue> = counting('CLCommandQueue', 'release');

/** Add a reference to the driver's object; the wrapper owns it too. */
export const retainContext: Count<CLContext> = counting('CLContext', 'retain');
/** Give a reference back. A wrapper that has none left does nothing. */
export const releaseContext: Count<CLContext> = counting('CLContext', 'release');

/** Add a reference to the driver's object; the wrapper owns it too. */
export const retainEvent: Count<CLEvent> = counting('CLEvent', 'retain');
/** Give a reference back. A wrapper that has none left does nothing. */
export const releaseEvent: Count<CLEvent> = counting('CLEvent', 'release');

/** Add a reference to the driver's object; the wrapper owns it too. */
export const retainKernel: Count<CLKernel> = counting('CLKernel', 'retain');
/** Give a reference back. A wrapper that has none left does nothing. */
export const releaseKernel: Count<CLKernel> = counting('CLKernel', 'release');

/** Add a reference to the driver's object; the wrapper owns it too. */
export const retainMemObject: Count<CLMem> = counting('CLMem', 'retain');
/** Give a reference back. A wrapper that has none left does nothing. */
export const releaseMemObject: Count<CLMem> = counting('CLMem', 'release');

/** Add a reference to the driver's object; the wrapper owns it too. */
export const retainProgram: Count<CLProgram> = counting('CLProgram', 'retain');
/** Give a reference back. A wrapper that has none left does nothing. */
export const releaseProgram: Count<CLProgram> = counting('CLProgram', 'release');

/** Add a reference to the driver's object; the wrapper owns it too. */
export const retainSampler: Count<CLSampler> = counting('CLSampler', 'retain');
/** Give a reference back. A wrapper that has none left does nothing. */
export const releaseSampler: Count<CLSampler> = counting('CLSampler', 'release');

function counting<T>(kind: Kind, count: 'retain' | 'release'): Count<T> {
  return (...args) => {
    expectArguments(args, 1);
    return CLObject[count](args[0], kind);
  };
}

import { expectArguments } from './failure.ts';
import { CLObject, type Kind } from './handle.ts';
import type { CLCommandQueue, CLContext, CLEvent, CLKernel, CLMem, CLProgram, CLSampler } from './objects.ts';

type Count<T> = (object: T) => 0;

/** Retain the driver's object; the wrapper owns the new reference, too. */
export const retainCommandQueue: Count<CLCommandQueue> = counting('CLCommandQueue', 'retain');
/** Release one reference. Does nothing for a wrapper that has none left. */
export const releaseCommandQueue: Count<CLCommandQueue> = counting('CLCommandQueue', 'release');

/** Retain the driver's object; the wrapper owns the new reference, too. */
export const retainContext: Count<CLContext> = counting('CLContext', 'retain');
/** Release one reference. Does nothing for a wrapper that has none left. */
export const releaseContext: Count<CLContext> = counting('CLContext', 'release');

/** Retain the driver's object; the wrapper owns the new reference, too. */
export const retainEvent: Count<CLEvent> = counting('CLEvent', 'retain');
/** Release one reference. Does nothing for a wrapper that has none left. */
export const releaseEvent: Count<CLEvent> = counting('CLEvent', 'release');

/** Retain the driver's object; the wrapper owns the new reference, too. */
export const retainKernel: Count<CLKernel> = counting('CLKernel', 'retain');
/** Release one reference. Does nothing for a wrapper that has none left. */
export const releaseKernel: Count<CLKernel> = counting('CLKernel', 'release');

/** Retain the driver's object; the wrapper owns the new reference, too. */
export const retainMemObject: Count<CLMem> = counting('CLMem', 'retain');
/** Release one reference. Does nothing for a wrapper that has none left. */
export const releaseMemObject: Count<CLMem> = counting('CLMem', 'release');

/** Retain the driver's object; the wrapper owns the new reference, too. */
export const retainProgram: Count<CLProgram> = counting('CLProgram', 'retain');
/** Release one reference. Does nothing for a wrapper that has none left. */
export const releaseProgram: Count<CLProgram> = counting('CLProgram', 'release');

/** Retain the driver's object; the wrapper owns the new reference, too. */
export const retainSampler: Count<CLSampler> = counting('CLSampler', 'retain');
/** Release one reference. Does nothing for a wrapper that has none left. */
export const releaseSampler: Count<CLSampler> = counting('CLSampler', 'release');

function counting<T>(kind: Kind, count: 'retain' | 'release'): Count<T> {
  return (...args) => {
    expectArguments(args, 1);
    return CLObject[count](args[0], kind);
  };
}

import { UsageError } from './output.ts';

/** Which halves a command is about. */
export interface What {
  readonly cuda: boolean;
  readonly opencl: boolean;
}

/** The argument `[what]` of info, doctor and bench. */
export function readWhat([what, ...rest]: readonly string[]): What {
  if (rest.length > 0) throw new UsageError(`One of cuda and opencl is enough; '${rest.join(' ')}' came besides`);
  if (what === undefined || what === 'all') return { cuda: true, opencl: true };
  if (what !== 'cuda' && what !== 'opencl') throw new UsageError(`'${what}' is not known: it is cuda, opencl or all`);
  return { cuda: what === 'cuda', opencl: what === 'opencl' };
}

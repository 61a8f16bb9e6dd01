import { UsageError } from './output.ts';

/** Which halves a command is about. */
export interface What {
  readonly cuda: boolean;
  readonly opencl: boolean;
}

/** The argument `[what]` of info, doctor and bench. */
export function readWhat([what, ...rest]: readonly string[]): What {
  if (rest.length > 0) throw new UsageError(`Only one of cuda and opencl may be given, got also '${rest.join(' ')}'`);
  if (what === undefined || what === 'all') return { cuda: true, opencl: true };
  if (what !== 'cuda' && what !== 'opencl') throw new UsageError(`'${what}' is not known: it is cuda, opencl or all`);
  return { cuda: what === 'cuda', opencl: what === 'opencl' };
}

import type { CpuPlace } from '../abi/program.ts';

/** An error with the place in the user's source that it is about. */
export class KernelError extends Error {
  override readonly name = 'KernelError';
  readonly place: CpuPlace | undefined;
  readonly line: number;

  constructor(message: string, line: number, place?: CpuPlace) {
    super(message);
    this.line = line;
    this.place = place;
  }
}

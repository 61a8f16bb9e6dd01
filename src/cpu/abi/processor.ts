import { cpus } from 'node:os';

/** The processor's name, as the system gives it; the architecture where there is no name. */
export function processorName(): string {
  return cpus()[0]?.model.trim() ?? process.arch;
}

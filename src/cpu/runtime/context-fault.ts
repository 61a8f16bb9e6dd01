import { contextFaultWord, contextWord } from './control.ts';

/** The fault that ended the kernels of a context. */
export interface ContextFault {
  /** A CUDA status. */
  readonly status: number;
  /** The number of the command that caused it. */
  readonly sequence: number;
}

/** The first fault of a context, if it has one. */
export function faultOf(control: Int32Array, context: number): ContextFault | undefined {
  const status = Atomics.load(control, contextWord(context));
  return status === 0 ? undefined : { status, sequence: Atomics.load(control, contextFaultWord(context)) };
}

/** Note a fault; an earlier fault stays. Commands run one by one, so that concurrent notes name the same command. */
export function noteFault(control: Int32Array, context: number, status: number, sequence: number): void {
  if (Atomics.load(control, contextWord(context)) !== 0) return;
  Atomics.store(control, contextFaultWord(context), sequence);
  Atomics.compareExchange(control, contextWord(context), 0, status);
}

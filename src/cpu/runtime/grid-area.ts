/** How the memory of each block of a cooperative launch is laid out; all in bytes. */
export interface BlockLayout {
  /** From one block to the next. */
  readonly stride: number;
  /** Where the dynamic shared memory is. */
  readonly shared: number;
  /** The address of static shared memory and the code's other data of a block. */
  readonly local: number;
}

/** Before the context: the state in which the block is to be called again. */
export const CONTEXT_AT = 256;
const LINE = 256;

/** Room for a block that waits for others: all that a worker would else have for whichever block it runs. */
export function layOutBlock(context: number, shared: number, local: number, align: number): BlockLayout {
  const up = (bytes: number, to: number): number => Math.ceil(bytes / to) * to;
  const sharedAt = up(CONTEXT_AT + context, LINE);
  const localAt = up(sharedAt + shared, Math.max(LINE, align));
  return { stride: up(localAt + local, Math.max(LINE, align)), shared: sharedAt, local: localAt };
}

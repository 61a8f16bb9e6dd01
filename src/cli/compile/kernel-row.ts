/** A line of `rawkernel compile`: the resources of a kernel; undefined where unknown. */
export interface KernelRow {
  readonly signature: string;
  readonly symbol?: string;
  /** Of a thread. */
  readonly registers?: number | undefined;
  /** Static shared or local memory of a block, in bytes. */
  readonly sharedBytes?: number | undefined;
  /** Local or private memory of a thread, in bytes. */
  readonly localBytes?: number | undefined;
  /** Registers that did not fit: what a thread stores of them, in bytes. */
  readonly spillBytes?: number | undefined;
  /** Threads of a block, at most. */
  readonly maxThreads?: number | undefined;
}

/** The verbose output of the assembler for each kernel, by symbol. */
export function readAssemblerLog(log: string): ReadonlyMap<string, Omit<KernelRow, 'signature'>> {
  const found = new Map<string, Omit<KernelRow, 'signature'>>();
  const sections = log.split(/^.*Compiling entry function '/m).slice(1);
  for (const section of sections) {
    const symbol = section.slice(0, section.indexOf("'"));
    const number = (pattern: RegExp): number | undefined => {
      const digits = pattern.exec(section)?.[1];
      return digits === undefined ? undefined : Number(digits);
    };
    const registers = number(/Used (\d+) registers/);
    if (registers === undefined) continue;
    found.set(symbol, {
      registers,
      sharedBytes: number(/(\d+) bytes smem/) ?? 0,
      localBytes: number(/(\d+) bytes stack frame/) ?? 0,
      spillBytes: number(/(\d+) bytes spill stores/) ?? 0,
    });
  }
  return found;
}

/** A log without the assembler's lines about kernels. */
export function withoutAssemblerLog(log: string): string {
  return log
    .split('\n')
    .filter((line) => !/^ptxas (?:info|\s+\.)|^\s+\d+ bytes stack frame/.test(line))
    .join('\n');
}

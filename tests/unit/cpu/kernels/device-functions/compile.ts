import { compileCudaLater } from '../../../../../src/cpu/compiler/client.ts';
import { Bench } from './bench.ts';

/** Clang on a machine that does other things too. */
export const COMPILE_MS = 300_000;

/** Compile kernels, with these options, to be run in this thread. */
export async function benchOf(source: string, options: readonly string[] = []): Promise<Bench> {
  const request = { source, file: 'functions.cu', options, expressions: [], includes: [], checked: false as const };
  const { program, log } = await compileCudaLater(request);
  if (!program) throw new Error(log);
  return new Bench(program);
}

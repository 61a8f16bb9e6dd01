import { compileProgram } from '../../../../src/cpu/compiler/pipeline.ts';
import { loadToolchain, type Toolchain } from '../../../../src/cpu/compiler/toolchain.ts';
import { Bench } from './bench.ts';

/** Clang on a machine that does other things too. */
export const COMPILE_MS = 300_000;

let toolchain: Promise<Toolchain> | undefined;

/** Compile kernels in this thread. */
export async function benchOf(source: string): Promise<Bench> {
  toolchain ??= loadToolchain();
  const request = { source, file: 'functions.cu', options: [], expressions: [], includes: [], checked: false };
  const { program, log } = compileProgram(await toolchain, request);
  if (!program) throw new Error(log);
  return new Bench(program);
}

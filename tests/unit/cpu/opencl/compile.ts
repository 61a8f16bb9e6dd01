import { compileOpenCLLater } from '../../../../src/cpu/compiler/client.ts';
import type { OpenCLRequest } from '../../../../src/cpu/compiler/opencl/request.ts';
import { OpenCLBench } from './bench.ts';

/** Clang on a machine that does other things too. */
export const COMPILE_MS = 300_000;

/** A compilation of one source into a program. */
export function requestOf(source: string, options = ''): OpenCLRequest {
  return {
    language: 'opencl',
    source,
    file: '<source>',
    options,
    headers: {},
    objects: [],
    result: 'program',
    checked: false,
  };
}

/** Compile kernels, to be run in this thread. */
export async function openCLBench(source: string, options = ''): Promise<OpenCLBench> {
  const { program, log } = await compileOpenCLLater(requestOf(source, options));
  if (!program) throw new Error(log);
  return new OpenCLBench(program);
}

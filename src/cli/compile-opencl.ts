import * as cl from '../opencl/index.ts';
import { openclDevice } from './choose-device.ts';
import type { CompiledFile, CompileOptions } from './compile.ts';
import type { KernelRow } from './kernel-row.ts';
import type { IO } from './output.ts';
import { progress } from './progress.ts';
import { openclOptions, type SourceFile } from './source-file.ts';

/** Compile OpenCL C for a device. */
export async function compileOpenCL(
  source: SourceFile,
  wantsCode: boolean,
  options: CompileOptions,
  rest: readonly string[],
  io: IO,
): Promise<CompiledFile> {
  const device = openclDevice(options.device);
  const context = new cl.Context(device);
  try {
    const work = cl.Program.compile<string>(context, source.text, openclOptions(options, rest));
    const program = await progress(io, `compiling ${source.path}`, work);
    try {
      return {
        target: device.name,
        code: wantsCode ? program.binaries[0] : undefined,
        kernels: program.kernelNames.map((name) => describe(program, name, device)),
        log: [...program.logs.values()].join('\n'),
      };
    } finally {
      program.close();
    }
  } finally {
    context.close();
  }
}

function describe(program: cl.Program, name: string, device: cl.Device): KernelRow {
  const kernel = program.kernel(name);
  try {
    const { localMemSize, privateMemSize, workGroupSize } = kernel.workGroupInfo(device);
    return {
      signature: kernel.signature,
      sharedBytes: localMemSize,
      localBytes: privateMemSize,
      maxThreads: workGroupSize,
    };
  } finally {
    kernel.close();
  }
}

import * as cl from '../../opencl/index.ts';
import { openclDevice } from '../choose-device.ts';
import { Closing } from '../closing.ts';
import type { CompiledFile, CompileOptions } from './compiled-file.ts';
import type { KernelRow } from './kernel-row.ts';
import type { IO } from '../output.ts';
import { progress } from '../progress.ts';
import { openclOptions, type SourceFile } from '../source-file.ts';

/** Compile OpenCL C for a device. */
export async function compileOpenCL(
  source: SourceFile,
  wantsCode: boolean,
  options: CompileOptions,
  rest: readonly string[],
  io: IO,
): Promise<CompiledFile> {
  const device = openclDevice(options.device);
  const closing = new Closing();
  try {
    const context = closing.keep(new cl.Context(device));
    const work = cl.Program.compile<string>(context, source.text, openclOptions(options, rest));
    const program = closing.keep(await progress(io, `compiling ${source.path}`, work));
    return {
      target: device.name,
      code: wantsCode ? program.binaries[0] : undefined,
      kernels: program.kernelNames.map((name) => describe(closing.keep(program.kernel(name)), device)),
      log: [...program.logs.values()].join('\n'),
    };
  } finally {
    closing.close();
  }
}

function describe(kernel: cl.Kernel, device: cl.Device): KernelRow {
  const { localMemSize, privateMemSize, workGroupSize } = kernel.workGroupInfo(device);
  return {
    signature: kernel.signature,
    sharedBytes: localMemSize,
    localBytes: privateMemSize,
    maxThreads: workGroupSize,
  };
}

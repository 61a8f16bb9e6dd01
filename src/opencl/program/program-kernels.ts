import type { Opaque } from '../../ffi/ctype.ts';
import { cl } from '../call.ts';
import { readString } from '../info.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { BuiltProgram } from './built-program.ts';
import { kernelMaker } from './kernel-maker.ts';
import { KernelInfo } from '../sys/enums.ts';
import type { RawProgram } from './raw-program.ts';

// Names that are read of any object: by await, by printing, by test runners.
const PROBES = new Set([
  'then',
  'toJSON',
  'constructor',
  'toString',
  'valueOf',
  'asymmetricMatch',
  '$$typeof',
  'nodeType',
]);

/** Make a kernel of a program. */
export function makeKernel(program: BuiltProgram, name: string): Kernel {
  return kernelMaker()(program, name) as Kernel;
}

/** A program's kernels as properties of an object. */
export function kernelsOf(program: { readonly kernelNames: readonly string[]; kernel(name: string): Kernel }): unknown {
  return new Proxy(Object.create(null) as object, {
    get: (_, name) => {
      if (typeof name !== 'string') return undefined;
      if (PROBES.has(name) && !program.kernelNames.includes(name)) return undefined;
      return program.kernel(name);
    },
    has: (_, name) => typeof name === 'string' && program.kernelNames.includes(name),
    ownKeys: () => [...program.kernelNames],
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === 'string' && program.kernelNames.includes(name)
        ? { configurable: true, enumerable: true, value: program.kernel(name) }
        : undefined,
  });
}

/** The names of a program's kernels, for platforms before OpenCL 1.2: it makes them all to ask each for its name. */
export function namesInProgram(program: RawProgram): readonly string[] {
  const count = new Uint32Array(1);
  cl.clCreateKernelsInProgram(program, 0, 0n, count);
  const kernels = new BigUint64Array(count[0] ?? 0);
  if (kernels.length > 0) cl.clCreateKernelsInProgram(program, kernels.length, kernels, 0n);
  try {
    return Array.from(kernels, (raw) =>
      readString(cl.clGetKernelInfo.bind(undefined, raw as Opaque<'cl_kernel'>), KernelInfo.FUNCTION_NAME[0]),
    );
  } finally {
    for (const raw of kernels) cl.clReleaseKernel(raw as Opaque<'cl_kernel'>);
  }
}

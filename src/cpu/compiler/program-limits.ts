import { capabilityOf, type CpuKernel } from '../abi/program.ts';
import { KernelError } from './kernel-error.ts';
import type { Annotation } from './prepare/annotations.ts';
import type { Prepared } from './prepare/prepare.ts';

/** Constant memory of a module, in bytes (CUDA Programming Guide, Technical Specifications per Compute Capability). */
const CONSTANT = 0x1_0000;
/** Static shared memory of a kernel; more has to be dynamic (the guide's chapters of each capability). */
const SHARED = 0xc000;
/** Parameters of a kernel: since CUDA 12.1 more where the compute capability is 7.0 or higher. */
const PARAMETERS = 4096;
const MANY_PARAMETERS = 32_764;

/**
 * Refuse what ptxas refuses, so that a program which runs here can be loaded by a GPU's driver too.
 *
 * @param kernels - with the shared memory that they use
 */
export function refuseBeyondLimits(
  arch: string,
  { variables, kernels: prepared }: Prepared,
  kernels: readonly CpuKernel[],
  annotations: () => readonly Annotation[],
): void {
  const constants = variables.filter(({ constant }) => constant);
  const bytes = constants.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (bytes > CONSTANT) {
    const [largest] = [...constants].sort((a, b) => b.byteLength - a.byteLength);
    const line = annotations().find(({ kind, symbol }) => kind === 'constant' && symbol === largest?.symbol)?.line;
    throw new KernelError(
      `the program uses too much global constant data (${hex(bytes)} bytes, ${hex(CONSTANT)} max), of which ` +
        `${largest?.symbol ?? ''} has ${hex(largest?.byteLength ?? 0)}: make it a __device__ const array or a pointer argument`,
      line ?? 0,
    );
  }
  const lineOf = (name: string): number => prepared.find(({ symbol }) => symbol.replace(/"/g, '') === name)?.line ?? 0;
  const limit = capabilityOf(arch) >= 70 ? MANY_PARAMETERS : PARAMETERS;
  for (const { symbol, sharedBytes, argumentBytes } of kernels) {
    if (sharedBytes > SHARED) {
      throw new KernelError(
        `entry function '${symbol}' uses too much shared data (${hex(sharedBytes)} bytes, ${hex(SHARED)} max): ` +
          'declare the array as extern __shared__, set MAX_DYNAMIC_SHARED_SIZE_BYTES of the kernel, and give its size at the launch',
        lineOf(symbol),
      );
    }
    if (argumentBytes > limit) {
      throw new KernelError(
        `formal parameter space overflowed (${argumentBytes} bytes required, max ${limit} bytes allowed) in function ` +
          `'${symbol}': pass a pointer to the data, or put it into __constant__ memory`,
        lineOf(symbol),
      );
    }
  }
}

function hex(bytes: number): string {
  return `0x${bytes.toString(16)}`;
}

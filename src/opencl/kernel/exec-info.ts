import { checkGiven, nameOf } from '../../core/check.ts';
import { cl } from '../call.ts';
import type { Context } from '../device/context.ts';
import { requireVersion } from '../device/requirement.ts';
import { OpenCLError } from '../errors.ts';
import { unsupported } from '../extension.ts';
import { isSVM, type SVMMemory } from '../memory/svm-memory.ts';
import { KernelExecInfo, status as statuses } from '../sys/enums.ts';
import type { RawKernel } from './kernel-base.ts';

/** The memory that a kernel reaches without having it as an argument. */
export interface KernelExecSettings {
  /** Shared memory to which memory of the arguments has pointers. */
  readonly svmPointers?: readonly SVMMemory[];
  /** Whether it follows pointers to any host memory. */
  readonly fineGrainSystem?: boolean;
}

const INVALID_OPERATION = statuses.CL_INVALID_OPERATION[0];

/** Tell the driver; returns the memory that launches use from now on. */
export function setExecInfo(
  raw: RawKernel,
  context: Context,
  info: KernelExecSettings,
  what: string,
): readonly SVMMemory[] | undefined {
  checkGiven(info, ['svmPointers', 'fineGrainSystem'], what);
  requireVersion(context.platform, 2, 0, what);
  const { svmPointers, fineGrainSystem } = info;
  if (fineGrainSystem !== undefined) {
    const flag = Uint32Array.of(fineGrainSystem ? 1 : 0);
    cl.clSetKernelExecInfo(raw, KernelExecInfo.SVM_FINE_GRAIN_SYSTEM, flag.byteLength, flag);
  }
  if (svmPointers === undefined) return undefined;
  if (!Array.isArray(svmPointers) || svmPointers.length === 0) {
    throw new TypeError(
      `${what}: svmPointers must be an array of at least one SVMAllocation, got ${nameOf(svmPointers)}`,
    );
  }
  const pointers = Array.from(svmPointers, (memory: unknown) => {
    if (!isSVM(memory)) throw new TypeError(`${what}: svmPointers holds ${nameOf(memory)}; it takes SVMAllocations`);
    return memory.pointer(context, what);
  });
  const list = new BigUint64Array(pointers);
  try {
    cl.clSetKernelExecInfo(raw, KernelExecInfo.SVM_PTRS, list.byteLength, list);
  } catch (error) {
    if (!(error instanceof OpenCLError) || error.status !== INVALID_OPERATION) throw error;
    throw unsupported(
      error.routine,
      'Kernels of this platform cannot follow pointers in memory: pass each as an argument',
    );
  }
  return svmPointers as readonly SVMMemory[];
}

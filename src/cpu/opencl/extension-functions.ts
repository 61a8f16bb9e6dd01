import { entriesOf } from '../../ffi/prototype.ts';
import { hostBytes, sizesAt } from './pointer.ts';
import type { ExtensionTable } from '../../opencl/sys/tables.ts';
import { extensionFunctions as prototypes } from '../../opencl/sys/extensions.ts';
import { bindRows, type Rows } from '../abi/rows.ts';
import { encodeWides } from './answer.ts';
import { Code } from './code.ts';
import { commandBufferFunctions } from './command-buffer-functions.ts';
import { kernelFunctions, mostItems } from './kernel-functions.ts';
import { chooseLocal, type Sizes } from './range.ts';
import { semaphoreFunctions } from './semaphore-functions.ts';
import type { OpenCLState } from './state.ts';

type Names = 'clGetKernelSuggestedLocalWorkSizeKHR' | 'clGetKernelSubGroupInfoKHR';

const ownFunctions: Rows<OpenCLState, ExtensionTable, Names> = {
  clGetKernelSubGroupInfoKHR: kernelFunctions.clGetKernelSubGroupInfo,
  clGetKernelSuggestedLocalWorkSizeKHR: (state, queueHandle, kernelHandle, dimensions, _offset, global, local) => {
    const queue = state.queues.find(queueHandle);
    if (!queue) return Code.INVALID_COMMAND_QUEUE;
    const kernel = state.kernels.find(kernelHandle);
    if (!kernel) return Code.INVALID_KERNEL;
    if (kernel.program.context !== queue.context) return Code.INVALID_CONTEXT;
    if (!kernel.program.buildFor(queue.device).loaded) return Code.INVALID_PROGRAM_EXECUTABLE;
    if (kernel.incomplete) return Code.INVALID_KERNEL_ARGS;
    if (dimensions < 1 || dimensions > 3) return Code.INVALID_WORK_DIMENSION;
    if (global === 0n) return Code.INVALID_GLOBAL_WORK_SIZE;
    const sizes: Sizes = [1, 1, 1];
    for (const [i, size] of sizesAt(global, dimensions).entries()) sizes[i] = size;
    if (sizes.includes(0)) return Code.INVALID_GLOBAL_WORK_SIZE;
    const found =
      kernel.facts.requiredSize ?? chooseLocal(sizes, mostItems(kernel), queue.device.units, kernel.build.uniform);
    const bytes = encodeWides(found.slice(0, dimensions));
    const target = local === 0n ? undefined : hostBytes(local, bytes.length);
    target?.set(bytes);
    return target ? Code.SUCCESS : Code.INVALID_VALUE;
  },
};

const rows = { ...ownFunctions, ...commandBufferFunctions, ...semaphoreFunctions };

/** The functions of extensions. Functions of extensions that the device lacks answer INVALID_OPERATION. */
export function extensionFunctions(state: OpenCLState): ExtensionTable {
  const table: Record<string, unknown> = bindRows(state, rows);
  for (const [name] of entriesOf(prototypes)) table[name] ??= () => Code.INVALID_OPERATION;
  return table as unknown as ExtensionTable;
}

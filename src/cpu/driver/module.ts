import type { DriverTable } from '../../cuda/sys/tables.ts';
import { capabilityOf, decodeProgram, type CpuKernel, type CpuProgram } from '../abi/program.ts';
import { Status } from '../abi/status.ts';
import { CAPABILITY, Limits } from './attributes.ts';
import { emptyKernels, targetOf } from './empty-ptx.ts';
import { bytesAt, putInt, putWide, type Out } from '../abi/out.ts';
import { jitLogs } from './jit-logs.ts';
import { linkPrograms } from './linked-program.ts';
import type { CpuContext, CpuFunction, CpuModule } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuModuleLoadData'
  | 'cuModuleLoadDataEx'
  | 'cuModuleUnload'
  | 'cuModuleGetFunction'
  | 'cuModuleGetGlobal'
  | 'cuModuleGetFunctionCount'
  | 'cuModuleEnumerateFunctions'
  | 'cuModuleGetLoadingMode';

/** Why a module does not load: the status, and a line for the error log. */
interface Refusal {
  readonly status: number;
  readonly log: string;
}

const EAGER = 1;
const REFUSALS = {
  damaged: Status.INVALID_IMAGE,
  unresolved: Status.INVALID_PTX,
  memory: Status.OUT_OF_MEMORY,
} as const;
/** Why other code does not run here. */
export const FOREIGN: string =
  'Only programs that were compiled for the CPU device run on it: compile the source with SourceModule. ' +
  "PTX and cubins of NVIDIA's compilers do not run here.";

/** Programs of the CPU device's compiler, loaded. */
export const moduleFunctions: Rows<DriverState, DriverTable, Names> = {
  cuModuleLoadData: (state, out, code) => loadData(state, out, code, () => undefined),
  cuModuleLoadDataEx: (state, out, code, count, options, values) => {
    const logs = jitLogs(count, options, values);
    return logs ? loadData(state, out, code, (text) => logs.error(text)) : Status.INVALID_VALUE;
  },
  cuModuleUnload: (state, raw) =>
    withModule(state, raw, () => {
      state.unload(Number(raw));
      return Status.SUCCESS;
    }),
  cuModuleGetFunction: (state, out, raw, name) =>
    withModule(state, raw, ({ functions }) => {
      const found = functions.get(name);
      return found ? putWide(out, found.handle) : Status.NOT_FOUND;
    }),
  cuModuleGetGlobal: (state, address, size, raw, name) =>
    withModule(state, raw, ({ loaded }) => {
      const found = loaded?.program.variables.get(name);
      if (!found) return Status.NOT_FOUND;
      putWide(address, found[1]);
      return putWide(size, found[0].byteLength);
    }),
  cuModuleGetFunctionCount: (state, out, raw) => withModule(state, raw, ({ functions }) => putInt(out, functions.size)),
  cuModuleEnumerateFunctions: (state, out, count, raw) =>
    withModule(state, raw, ({ functions }) => {
      const handles = [...functions.values()].slice(0, count).map(({ handle }) => BigInt(handle));
      const bytes = bytesAt(out, 8 * handles.length);
      bytes.set(new Uint8Array(BigUint64Array.from(handles).buffer).subarray(0, bytes.length));
      return Status.SUCCESS;
    }),
  cuModuleGetLoadingMode: (_state, out) => putInt(out, EAGER),
};

function functionsOf(
  state: DriverState,
  module: CpuModule,
  kernels: readonly CpuKernel[],
  program: number | undefined,
): void {
  kernels.forEach((kernel, index) => {
    const handle = state.newHandle();
    const dynamicShared = Math.max(0, Limits.SHARED - kernel.sharedBytes);
    const made: CpuFunction = { handle, module, kernel, index, program, dynamicShared, carveout: -1 };
    module.functions.set(kernel.symbol, made);
    state.functions.set(handle, made);
  });
}

function enter(state: DriverState, context: CpuContext, module: CpuModule): number {
  const handle = state.newHandle();
  state.modules.set(handle, module);
  context.modules.add(handle);
  return handle;
}

function load(state: DriverState, context: CpuContext, program: CpuProgram): number | Refusal {
  const other = foreign(program.arch);
  if (other) return other;
  if (program.object !== undefined) {
    const { program: whole, log } = linkPrograms([{ name: program.file, program }]);
    return whole ? load(state, context, whole) : { status: Status.INVALID_PTX, log };
  }
  const loaded = state.loader.load(program, { context }, context.moduleSpace);
  if ('reason' in loaded) return { status: REFUSALS[loaded.reason], log: loaded.log };
  const made: CpuModule = { context, loaded, functions: new Map(), ends: [] };
  functionsOf(state, made, program.kernels, loaded.program.image.id);
  return enter(state, context, made);
}

function open(state: DriverState, code: Uint8Array): number | Refusal {
  const context = state.current;
  if (!context) return { status: Status.INVALID_CONTEXT, log: '' };
  const program = decodeProgram(code);
  if (program) return load(state, context, program);
  const kernels = emptyKernels(code);
  if (!kernels) return { status: Status.NO_BINARY_FOR_GPU, log: `error: ${FOREIGN}` };
  const other = foreign(targetOf(code) ?? '');
  if (other) return other;
  const made: CpuModule = { context, loaded: undefined, functions: new Map(), ends: [] };
  functionsOf(state, made, kernels, undefined);
  return enter(state, context, made);
}

function loadData(state: DriverState, out: Out, code: Out, log: (text: string) => void): number {
  const refused = state.refuse();
  if (refused !== 0) return refused;
  // An address alone does not tell how many bytes may be read.
  if (typeof code === 'bigint') return Status.NOT_SUPPORTED;
  const answer = open(state, bytesAt(code, 0));
  if (typeof answer === 'number') return putWide(out, answer);
  log(answer.log);
  return answer.status;
}

function withModule(state: DriverState, raw: bigint, run: (module: CpuModule) => number): number {
  const module = state.modules.get(Number(raw));
  return state.refuse() || (module ? run(module) : Status.INVALID_HANDLE);
}

/** Why this device refuses code for an architecture. Machine code runs on its own architecture, PTX on later ones too. */
export function foreign(arch: string): Refusal | undefined {
  const wanted = capabilityOf(arch);
  if (!arch.startsWith('sm_')) {
    const log = `error: PTX for ${arch} is too new for this device, which runs compute_${CAPABILITY} and older`;
    return wanted <= CAPABILITY ? undefined : { status: Status.INVALID_PTX, log };
  }
  const fits = wanted <= CAPABILITY && Math.floor(wanted / 10) === Math.floor(CAPABILITY / 10);
  return fits ? undefined : { status: Status.NO_BINARY_FOR_GPU, log: `error: the code is for ${arch}` };
}

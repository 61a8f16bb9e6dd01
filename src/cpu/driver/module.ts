import type { DriverTable } from '../../cuda/select.ts';
import { JitOption } from '../../cuda/sys/enums.ts';
import { viewOf } from '../../ffi/memory.ts';
import { capabilityOf, decodeProgram, type CpuKernel, type CpuProgram } from '../program.ts';
import { hostFunctions } from '../runtime/host.ts';
import { PrintBuffer } from '../runtime/print-buffer.ts';
import {
  dynamicLink,
  globalValue,
  instantiate,
  LoadedProgram,
  unresolved,
  type HostFunctions,
  type ProgramImage,
} from '../runtime/program.ts';
import { Status } from '../status.ts';
import { wasm, type WasmModule } from '../webassembly.ts';
import { CAPABILITY, Limits } from './attributes.ts';
import { emptyKernels, targetOf } from './empty-ptx.ts';
import { bytesAt, putInt, putText, putWide, type Out } from './out.ts';
import type { CpuContext, CpuFunction, CpuModule, DriverState } from './state.ts';

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
/** CUDA knows fewer. */
const MOST_OPTIONS = 256;
const LINE = 256;
const SCRATCH_STACK = 16 * 1024;
const FOREIGN =
  'Only programs that were compiled for the CPU device run on it: compile the source with SourceModule. ' +
  "PTX and cubins of NVIDIA's compilers do not run here.";

/** Programs of the CPU device's compiler, loaded. */
export function moduleFunctions(state: DriverState): Pick<DriverTable, Names> {
  let host: HostFunctions | undefined;
  let nextProgram = 1;

  /** What a program may import; on this thread nothing calls it. */
  const hostOf = (): HostFunctions =>
    (host ??= hostFunctions({
      control: state.engine.control,
      prints: new PrintBuffer(state.engine.control, new Uint8Array(16)),
      memory: () => state.memory,
      guard: () => state.memory.guard,
      running: { program: 0, kernel: 0, context: 0, firstBlock: 0, command: 0, report: false, findings: 0 },
    }));

  const functionsOf = (module: CpuModule, kernels: readonly CpuKernel[], program: number | undefined): void => {
    kernels.forEach((kernel, index) => {
      const handle = state.newHandle();
      const dynamicShared = Math.max(0, Limits.SHARED - kernel.sharedBytes);
      const made: CpuFunction = { handle, module, kernel, index, program, dynamicShared, carveout: -1 };
      module.functions.set(kernel.symbol, made);
      state.functions.set(handle, made);
    });
  };

  const enter = (context: CpuContext, module: CpuModule): number => {
    const handle = state.newHandle();
    state.modules.set(handle, module);
    context.modules.add(handle);
    return handle;
  };

  const load = (context: CpuContext, program: CpuProgram): number | Refusal => {
    const other = foreign(program.arch);
    if (other) return other;
    const module = compiled(program);
    if (!module) return { status: Status.INVALID_IMAGE, log: 'error: the code of the program is damaged' };
    const missing = unresolved(module, hostOf());
    if (missing.length > 0) {
      return { status: Status.INVALID_PTX, log: `error: unresolved: ${[...new Set(missing)].join(', ')}` };
    }
    if (program.checked !== false && state.engine.turnOnChecks(program.checked === 'all') !== Status.SUCCESS) {
      return { status: Status.OUT_OF_MEMORY, log: 'error: no room for the tables of the checked mode' };
    }
    const memory: number[] = [];
    const owner = { context };
    const allocate = (byteLength: number, align: number, owned: boolean): number | undefined => {
      const address = state.memory.allocate(byteLength + (align > LINE ? align : 0), owned ? owner : undefined);
      if (address === undefined) return undefined;
      memory.push(address);
      return Math.ceil(address / align) * align;
    };
    const fail = (): Refusal => {
      for (const address of memory) state.memory.release(address);
      return { status: Status.OUT_OF_MEMORY, log: '' };
    };
    const link = dynamicLink(module);
    const memoryBase = allocate(Math.max(16, link.memoryBytes), link.memoryAlign, true);
    const stack = allocate(SCRATCH_STACK, 16, false);
    if (memoryBase === undefined || stack === undefined) return fail();
    state.memory.bytes.fill(0, memoryBase, memoryBase + link.memoryBytes);
    const image = { module, memoryBase, tableSize: link.tableSize };
    // Instantiating writes the data; the workers' instances see that it is done.
    const instance = instantiate(image, state.memory.memory, stack + SCRATCH_STACK, hostOf());
    (instance.exports['__wasm_apply_data_relocs'] as (() => void) | undefined)?.();
    state.memory.guard?.write(memoryBase, link.memoryBytes);
    state.memory.release(stack);
    memory.pop();
    const align = Math.max(16, globalValue(instance, '__tls_align'));
    const unit = Math.max(LINE, align);
    const tlsStride = Math.ceil(Math.max(16, globalValue(instance, '__tls_size')) / unit) * unit;
    const tlsBase = allocate(tlsStride * state.workers, align, false);
    if (tlsBase === undefined) return fail();
    const id = nextProgram++;
    const symbols = program.kernels.map(({ symbol }) => symbol);
    const checked = program.checked !== false;
    const whole: ProgramImage = { ...image, id, tlsBase, tlsStride, tlsAlign: align, symbols, checked };
    const loaded = new LoadedProgram(program, whole, instance);
    const made: CpuModule = { context, loaded, functions: new Map(), memory };
    functionsOf(made, program.kernels, id);
    state.engine.addProgram(loaded);
    return enter(context, made);
  };

  const open = (code: Uint8Array): number | Refusal => {
    const context = state.current;
    if (!context) return { status: Status.INVALID_CONTEXT, log: '' };
    const program = decodeProgram(code);
    if (program) return load(context, program);
    const kernels = emptyKernels(code);
    if (!kernels) return { status: Status.NO_BINARY_FOR_GPU, log: `error: ${FOREIGN}` };
    const other = foreign(targetOf(code) ?? '');
    if (other) return other;
    const made: CpuModule = { context, loaded: undefined, functions: new Map(), memory: [] };
    functionsOf(made, kernels, undefined);
    return enter(context, made);
  };

  const loadData = (out: Out, code: Out, log: (text: string) => void): number => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    // Of an address alone nobody knows how much may be read.
    if (typeof code === 'bigint') return Status.NOT_SUPPORTED;
    const answer = open(bytesAt(code, 0));
    if (typeof answer === 'number') return putWide(out, answer);
    log(answer.log);
    return answer.status;
  };

  const withModule = (raw: bigint, run: (module: CpuModule) => number): number => {
    const module = state.modules.get(Number(raw));
    return state.refuse() || (module ? run(module) : Status.INVALID_HANDLE);
  };

  return {
    cuModuleLoadData: (out, code) => loadData(out, code, () => undefined),
    cuModuleLoadDataEx: (out, code, count, options, values) => {
      if (count > MOST_OPTIONS || (count > 0 && (options === 0n || values === 0n))) return Status.INVALID_VALUE;
      const logs = jitLogs(count, options, values);
      for (const { at, room } of logs.values()) putText(at, '', room);
      return loadData(out, code, (text) => {
        const log = logs.get(JitOption.ERROR_LOG_BUFFER);
        if (log) putText(log.at, text, log.room);
      });
    },
    cuModuleUnload: (raw) =>
      withModule(raw, () => {
        state.unload(Number(raw));
        return Status.SUCCESS;
      }),
    cuModuleGetFunction: (out, raw, name) =>
      withModule(raw, ({ functions }) => {
        const found = functions.get(name);
        return found ? putWide(out, found.handle) : Status.NOT_FOUND;
      }),
    cuModuleGetGlobal: (address, size, raw, name) =>
      withModule(raw, ({ loaded }) => {
        const found = loaded?.variables.get(name);
        if (!found) return Status.NOT_FOUND;
        putWide(address, found[1]);
        return putWide(size, found[0].byteLength);
      }),
    cuModuleGetFunctionCount: (out, raw) => withModule(raw, ({ functions }) => putInt(out, functions.size)),
    cuModuleEnumerateFunctions: (out, count, raw) =>
      withModule(raw, ({ functions }) => {
        const handles = [...functions.values()].slice(0, count).map(({ handle }) => BigInt(handle));
        const bytes = bytesAt(out, 8 * handles.length);
        bytes.set(new Uint8Array(BigUint64Array.from(handles).buffer).subarray(0, bytes.length));
        return Status.SUCCESS;
      }),
    cuModuleGetLoadingMode: (out) => putInt(out, EAGER),
  };
}

/** Why code for an architecture is none for this device: machine code fits its own, PTX every later one. */
function foreign(arch: string): Refusal | undefined {
  const wanted = capabilityOf(arch);
  if (!arch.startsWith('sm_')) {
    const log = `error: PTX for ${arch} is too new for this device, which runs compute_${CAPABILITY} and older`;
    return wanted <= CAPABILITY ? undefined : { status: Status.INVALID_PTX, log };
  }
  const fits = wanted <= CAPABILITY && Math.floor(wanted / 10) === Math.floor(CAPABILITY / 10);
  return fits ? undefined : { status: Status.NO_BINARY_FOR_GPU, log: `error: the code is for ${arch}` };
}

function compiled({ wasm: code }: CpuProgram): WasmModule | undefined {
  try {
    return new wasm.Module(code);
  } catch {
    return undefined;
  }
}

interface JitLog {
  readonly at: Out;
  readonly room: number;
}

/** The log buffers among the options of a load. */
function jitLogs(count: number, options: Out, values: Out): Map<number, JitLog> {
  const logs = new Map<number, JitLog>();
  if (count === 0) return logs;
  const optionBytes = bytesAt(options, 4 * count);
  const valueBytes = bytesAt(values, 8 * count);
  const kinds = new DataView(optionBytes.buffer, optionBytes.byteOffset, 4 * count);
  const words = new DataView(valueBytes.buffer, valueBytes.byteOffset, 8 * count);
  const given = new Map<number, bigint>();
  for (let i = 0; i < count; i++) given.set(kinds.getInt32(4 * i, true), words.getBigUint64(8 * i, true));
  for (const [buffer, size] of [
    [JitOption.INFO_LOG_BUFFER, JitOption.INFO_LOG_BUFFER_SIZE_BYTES],
    [JitOption.ERROR_LOG_BUFFER, JitOption.ERROR_LOG_BUFFER_SIZE_BYTES],
  ] as const) {
    const address = given.get(buffer) ?? 0n;
    const room = Number(given.get(size) ?? 0n);
    if (address !== 0n && room > 0) logs.set(buffer, { at: new Uint8Array(viewOf(address, room)), room });
  }
  return logs;
}

import type { CpuProgram } from '../abi/program.ts';
import { wasm, type WasmModule } from '../abi/webassembly.ts';
import type { Engine } from './engine.ts';
import type { Space } from './granules.ts';
import { ChildLaunches } from './child-launches.ts';
import { hostFunctions } from './host.ts';
import { PrintBuffer } from './print-buffer.ts';
import {
  asksForPeers,
  dynamicLink,
  globalValue,
  instantiate,
  launchesKernels,
  LoadedProgram,
  unresolved,
  type HostFunctions,
  type ProgramImage,
} from './program.ts';

/** A program on the device, and the memory that was allocated for it. */
export interface Loaded {
  readonly program: LoadedProgram;
  readonly memory: readonly number[];
}

/** Why a program cannot be loaded. */
export interface LoadRefusal {
  readonly reason: 'damaged' | 'unresolved' | 'memory';
  /** A line for a log; '' where the reason is enough. */
  readonly log: string;
}

const LINE = 256;
const SCRATCH_STACK = 16 * 1024;

/** Loads programs into device memory, and unloads them. */
export class ProgramLoader {
  readonly #engineOf: () => Engine;
  #host: HostFunctions | undefined;
  #next = 1;

  constructor(engineOf: () => Engine) {
    this.#engineOf = engineOf;
  }

  /**
   * @param owner - the owner of the program's variables
   * @param space - the part of the memory that they are in
   */
  load(program: CpuProgram, owner: object, space?: Space): Loaded | LoadRefusal {
    const engine = this.#engineOf();
    const device = engine.memory;
    const module = compiled(program);
    if (!module) return { reason: 'damaged', log: 'error: the code of the program is damaged' };
    const host = this.#hostOf(engine);
    const missing = [...new Set(unresolved(module, host))];
    if (missing.length > 0) return { reason: 'unresolved', log: `error: unresolved: ${missing.join(', ')}` };
    const checked = program.checked !== false;
    if (checked && engine.turnOnChecks(program.checked !== 'bounds') !== 0) {
      return { reason: 'memory', log: 'error: no room for the tables of the checked mode' };
    }
    const memory: number[] = [];
    const allocate = (byteLength: number, align: number, owned: boolean): number | undefined => {
      const room = byteLength + (align > LINE ? align : 0);
      const address = owned ? device.allocate(room, owner, 'global', space) : device.allocate(room);
      if (address === undefined) return undefined;
      memory.push(address);
      return Math.ceil(address / align) * align;
    };
    const fail = (): LoadRefusal => {
      for (const address of memory) device.release(address);
      return { reason: 'memory', log: '' };
    };
    const link = dynamicLink(module);
    const memoryBase = allocate(Math.max(16, link.memoryBytes), link.memoryAlign, true);
    const stack = allocate(SCRATCH_STACK, 16, false);
    if (memoryBase === undefined || stack === undefined) return fail();
    device.bytes.fill(0, memoryBase, memoryBase + link.memoryBytes);
    const image = { module, memoryBase, tableSize: link.tableSize };
    // This instantiation writes the data; the instances of the workers find that it is done.
    const instance = instantiate(image, device.memory, stack + SCRATCH_STACK, host);
    (instance.exports['__wasm_apply_data_relocs'] as (() => void) | undefined)?.();
    device.guard?.write(memoryBase, link.memoryBytes);
    device.release(stack);
    memory.pop();
    const tlsAlign = Math.max(16, globalValue(instance, '__tls_align'));
    const unit = Math.max(LINE, tlsAlign);
    const tlsStride = Math.ceil(Math.max(16, globalValue(instance, '__tls_size')) / unit) * unit;
    const tlsBase = allocate(tlsStride * engine.workers, tlsAlign, false);
    if (tlsBase === undefined) return fail();
    const symbols = program.kernels.map(({ symbol }) => symbol);
    const limits = program.kernels.map(({ maxThreads, sharedBytes }) => ({ maxThreads, sharedBytes }));
    const launches = launchesKernels(module) ? limits : undefined;
    const whole: ProgramImage = {
      ...image,
      id: this.#next++,
      tlsBase,
      tlsStride,
      tlsAlign,
      symbols,
      checked,
      launches,
      peers: asksForPeers(module),
    };
    const loaded = new LoadedProgram(program, whole, instance);
    engine.addProgram(loaded);
    return { program: loaded, memory };
  }

  /** Unload a program when all present commands have finished. */
  unload({ program, memory }: Loaded): void {
    const engine = this.#engineOf();
    engine.afterAll(() => {
      engine.removeProgram(program);
      for (const address of memory) engine.memory.release(address);
    });
  }

  /** The functions that a program may import; this thread never calls them. */
  #hostOf(engine: Engine): HostFunctions {
    if (this.#host) return this.#host;
    const worker = {
      control: engine.control,
      prints: new PrintBuffer(engine.control, new Uint8Array(16)),
      memory: () => engine.memory,
      guard: () => engine.memory.guard,
      baseOf: () => 0n,
      running: { program: 0, kernel: 0, context: 0, firstBlock: 0, command: 0, report: false, findings: 0 },
      limitsOf: () => undefined,
    };
    return (this.#host = { ...hostFunctions(worker), ...new ChildLaunches(worker).functions });
  }
}

function compiled({ wasm: code }: CpuProgram): WasmModule | undefined {
  try {
    return new wasm.Module(code);
  } catch {
    return undefined;
  }
}

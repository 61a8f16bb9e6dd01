import { wasm, type WasmGlobal, type WasmInstance, type WasmModule } from '../abi/webassembly.ts';
import { toSink, type FdWrite, type Memory } from './tool-output.ts';
import { Exported, PAGE, type MemoryParts } from './roomy-heap.ts';

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What one run has: the core, and the instance that its imports lead to. */
interface Pair {
  readonly shim: WasmInstance;
  readonly core: KeptCore;
}

const SYSTEM = 'wasi_snapshot_preview1';
const CHUNK = PAGE;
/**
 * Zeros of this length end a written part of the stack or the heap. Behind a longer block that nobody wrote to, a later
 * run might find old bytes instead of zeros, as a native program does in each block that it allocates.
 */
const GAP = 4 << 20;

const roomy = new WeakMap<WasmModule, MemoryParts>();
let shim: WasmInstance | undefined;
let kept: Pair | undefined;

/** Have the runs of a module share one instance. */
export function keepInstancesOf(module: WasmModule, parts: MemoryParts): void {
  roomy.set(module, parts);
}

/**
 * Have the toolchain's package use an instance again. It makes one for each run of a tool, and most of a short run is
 * then its system calls: they map, and clear, the memory of the data, the stack and the heap page by page. Only for a
 * process that runs nothing else.
 */
export function shareInstances(): void {
  const Instance = wasm.Instance;
  // The package makes first the shim, a table of functions without imports, then the core, then what fills the table.
  const instanceOf = (module: WasmModule, imports?: Imports): WasmInstance => {
    if (imports === undefined) {
      shim = kept?.shim ?? new Instance(module, {});
      return shim;
    }
    const parts = roomy.get(module);
    if (!parts || !shim) return new Instance(module, imports);
    const pair = kept ?? { shim, core: coreOf(Instance, module, imports, parts) };
    kept = undefined;
    return pair.core.once(() => (kept = pair.core.fits ? pair : undefined));
  };
  Object.assign(wasm, {
    Instance: function (module: WasmModule, imports?: Imports): WasmInstance {
      return instanceOf(module, imports);
    },
  });
}

function coreOf(Instance: typeof wasm.Instance, module: WasmModule, imports: Imports, parts: MemoryParts): KeptCore {
  const system = imports[SYSTEM] as { readonly fd_write: FdWrite };
  const fd_write = toSink(system.fd_write, () => core.memory);
  const core = new KeptCore(new Instance(module, { ...imports, [SYSTEM]: { ...system, fd_write } }), parts);
  return core;
}

/** Clear the kept instance now, so that the next run need not. */
export function clearKept(): void {
  kept?.core.clear();
}

/** An instance that is what it was when it was made, as often as it is used. */
export class KeptCore {
  readonly memory: Memory;
  readonly #start: () => void;
  readonly #stackPointer: WasmGlobal;
  readonly #parts: MemoryParts;
  /** The data of a new instance. */
  readonly #data: Uint8Array;
  #used = false;

  constructor({ exports }: WasmInstance, parts: MemoryParts) {
    this.memory = exports[Exported.MEMORY] as Memory;
    this.#start = exports[Exported.START] as () => void;
    this.#stackPointer = exports[Exported.STACK_POINTER] as WasmGlobal;
    this.#parts = parts;
    this.#data = new Uint8Array(this.memory.buffer).slice(parts.stackEnd, parts.dataEnd);
    this.#offerPages();
  }

  /** Whether the memory is as large as it was: where it has grown, the heap of another run would not be the same. */
  get fits(): boolean {
    return this.memory.buffer.byteLength === this.#parts.end;
  }

  /**
   * The instance for one run.
   *
   * @param ended - the run has ended, and not by a fault
   */
  once(ended: () => void): WasmInstance {
    this.clear();
    const run = (): void => {
      this.#used = true;
      try {
        this.#start();
      } catch (error) {
        if (isExit(error)) ended();
        throw error;
      }
      ended();
    };
    return { exports: { memory: this.memory, _start: run } };
  }

  clear(): void {
    if (!this.#used) return;
    this.#used = false;
    const { stackEnd, dataEnd, heapEnd, end } = this.#parts;
    this.#stackPointer.value = stackEnd;
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.set(this.#data, stackEnd);
    clearUp(bytes.subarray(dataEnd, heapEnd));
    clearDown(bytes.subarray(0, stackEnd));
    bytes.fill(0, heapEnd, end);
    this.#offerPages();
  }

  /** The adapter's pages begin behind the one that holds the number of the next. */
  #offerPages(): void {
    const { heapEnd } = this.#parts;
    new DataView(this.memory.buffer).setUint32(heapEnd, heapEnd / PAGE + 1, true);
  }
}

/** The package's own error, which carries the status out of the tool. */
function isExit(error: unknown): boolean {
  return error instanceof Error && typeof (error as { readonly code?: unknown }).code === 'number';
}

const ZEROS = Buffer.alloc(CHUNK);

function clearUp(bytes: Uint8Array): void {
  for (let at = 0, gap = 0; at < bytes.length && gap < GAP; at += CHUNK) {
    gap = clearChunk(bytes.subarray(at, at + CHUNK)) ? 0 : gap + CHUNK;
  }
}

function clearDown(bytes: Uint8Array): void {
  for (let at = bytes.length, gap = 0; at > 0 && gap < GAP; at -= CHUNK) {
    gap = clearChunk(bytes.subarray(at - CHUNK, at)) ? 0 : gap + CHUNK;
  }
}

/** @returns whether something was written there */
function clearChunk(chunk: Uint8Array): boolean {
  if (ZEROS.equals(chunk)) return false;
  chunk.fill(0);
  return true;
}

import type { CpuKernel, CpuProgram, CpuReference, CpuVariable } from '../abi/program.ts';
import { PEER_EXPORTS } from '../abi/peers.ts';
import { wasm, type WasmGlobal, type WasmInstance, type WasmMemory, type WasmModule } from '../abi/webassembly.ts';

/** The parts of a program that a worker needs to run it. */
export interface ProgramImage {
  readonly id: number;
  readonly module: WasmModule;
  readonly memoryBase: number;
  readonly tableSize: number;
  /** The address of the first worker's thread-local block, and the distance to the next worker's. */
  readonly tlsBase: number;
  readonly tlsStride: number;
  readonly tlsAlign: number;
  /** The kernels' symbols, by index. */
  readonly symbols: readonly string[];
  /** Whether its code uses the tables of the checked mode. */
  readonly checked: boolean;
  /** Of a program whose kernels launch kernels: what each of them may have. */
  readonly launches?: readonly KernelLimits[] | undefined;
  /** Whether its code asks before each access if the context may reach the memory. */
  readonly peers?: boolean;
}

/** What bounds the launch of a kernel. */
export interface KernelLimits {
  readonly maxThreads: number;
  readonly sharedBytes: number;
}

/** The linker's description of a position-independent module. */
export interface DynamicLink {
  readonly memoryBytes: number;
  readonly memoryAlign: number;
  readonly tableSize: number;
}

/** Functions that kernels call in their host, by name. */
export type HostFunctions = Readonly<Record<string, (...args: never[]) => unknown>>;

const MEMORY_INFO = 1;
const TABLE_BASE = 1;
const PROVIDED = ['memory', '__indirect_function_table', '__memory_base', '__table_base', '__stack_pointer'];

/** A program that is loaded: its code, its place in device memory, its kernels and variables by symbol. */
export class LoadedProgram {
  readonly program: CpuProgram;
  readonly image: ProgramImage;
  readonly kernels: ReadonlyMap<string, readonly [kernel: CpuKernel, index: number]>;
  readonly variables: ReadonlyMap<string, readonly [variable: CpuVariable, address: number]>;
  /** Texture and surface references by their names. */
  readonly references: ReadonlyMap<string, readonly [reference: CpuReference, address: number]>;

  constructor(program: CpuProgram, image: ProgramImage, instance: WasmInstance) {
    this.program = program;
    this.image = image;
    this.kernels = new Map(program.kernels.map((kernel, index) => [kernel.symbol, [kernel, index]]));
    const offset = (symbol: string): number => globalValue(instance, symbol);
    const placed = <T extends { readonly symbol: string }>(one: T): readonly [T, number] => {
      return [one, image.memoryBase + offset(one.symbol)];
    };
    const isThere = ({ symbol }: { readonly symbol: string }): boolean => symbol in instance.exports;
    this.variables = new Map(program.variables.filter(isThere).map((one) => [one.symbol, placed(one)]));
    this.references = new Map((program.references ?? []).filter(isThere).map((one) => [one.name, placed(one)]));
  }
}

/** Read the `dylink.0` section. */
export function dynamicLink(module: WasmModule): DynamicLink {
  const section = wasm.Module.customSections(module, 'dylink.0')[0];
  let link: DynamicLink = { memoryBytes: 0, memoryAlign: 16, tableSize: 0 };
  if (!section) return link;
  const bytes = new Uint8Array(section);
  let at = 0;
  const leb = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const kind = leb();
    const end = leb() + at;
    if (kind === MEMORY_INFO) {
      const memoryBytes = leb();
      const memoryAlign = 2 ** leb();
      link = { memoryBytes, memoryAlign, tableSize: leb() };
    }
    at = end;
  }
  return link;
}

/** Whether kernels of a module launch kernels. */
export function launchesKernels(module: WasmModule): boolean {
  return wasm.Module.imports(module).some(({ module: from, name }) => from === 'rt' && name === 'launch');
}

/** Whether a module asks before each access if the context may reach the memory. */
export function asksForPeers(module: WasmModule): boolean {
  return wasm.Module.exports(module).some(({ name }) => name === PEER_EXPORTS[0]);
}

/** The functions that a module imports and the device lacks: names that the compiler could not resolve. */
export function unresolved(module: WasmModule, host: HostFunctions): string[] {
  return wasm.Module.imports(module)
    .filter(({ module: from, name, kind }) => {
      if (from === 'rt') return !(name in host);
      if (from === 'GOT.mem') return false;
      return kind === 'function' || from === 'GOT.func' || !PROVIDED.includes(name);
    })
    .map(({ name }) => name);
}

/** Make an instance for one thread: its own stack and table over the common memory. */
export function instantiate(
  image: Pick<ProgramImage, 'module' | 'memoryBase' | 'tableSize'>,
  memory: WasmMemory,
  stackTop: number,
  host: HostFunctions,
): WasmInstance {
  const wide = (value: number, mutable = false): unknown => new wasm.Global({ value: 'i64', mutable }, BigInt(value));
  const env = {
    memory,
    __indirect_function_table: new wasm.Table({ element: 'anyfunc', initial: TABLE_BASE + image.tableSize }),
    __memory_base: wide(image.memoryBase),
    __table_base: new wasm.Global({ value: 'i32' }, TABLE_BASE),
    __stack_pointer: wide(stackTop, true),
  };
  const addresses: Record<string, WasmGlobal> = {};
  for (const { module: from, name } of wasm.Module.imports(image.module)) {
    if (from === 'GOT.mem') addresses[name] = new wasm.Global({ value: 'i64', mutable: true }, 0n);
  }
  const imports = { env, rt: host, 'GOT.mem': addresses, 'GOT.func': {} };
  const instance = new wasm.Instance(image.module, imports);
  // The module knows the addresses of its own variables only after instantiation.
  for (const [name, address] of Object.entries(addresses)) {
    address.value = BigInt(image.memoryBase + globalValue(instance, name));
  }
  return instance;
}

/** The value of an exported constant; 0 for a missing one. */
export function globalValue(instance: WasmInstance, name: string): number {
  const global = instance.exports[name] as { readonly value: bigint | number } | undefined;
  return Number(global?.value ?? 0);
}

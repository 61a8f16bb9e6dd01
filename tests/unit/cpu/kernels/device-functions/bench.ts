import { dynamicLink, globalValue, instantiate, type HostFunctions } from '../../../../../src/cpu/runtime/program.ts';
import type { CpuKernel, CpuProgram } from '../../../../../src/cpu/abi/program.ts';
import { ARRAYS, type CudaType, type Value } from './table.ts';
import { wasm, type WasmInstance, type WasmMemory } from '../../../../../src/cpu/abi/webassembly.ts';

const PAGE = 65536;
const STACK_BYTES = 1 << 20;
const HEAP_BYTES = 1 << 20;

/** An array of a kernel's arguments: copied in before the launch and out after it. */
export type Data =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>;

/** The values as an array of a type. */
export function dataOf(type: CudaType, values: readonly Value[]): Data {
  return (ARRAYS[type] as unknown as { from(values: readonly Value[]): Data }).from(values);
}

type Size = readonly [x: number, y: number, z: number];
type Run = (args: bigint, first: number, blocks: number, ...sizes: (number | bigint)[]) => void;

/** Runs kernels of one program in this thread, in a memory of its own, with no more of the runtime than its loader. */
export class Bench {
  readonly #program: CpuProgram;
  readonly #memory: WasmMemory;
  readonly #instance: WasmInstance;
  #top = PAGE;

  constructor(program: CpuProgram) {
    const module = new wasm.Module(program.wasm);
    const link = dynamicLink(module);
    this.#program = program;
    this.#memory = new wasm.Memory({ initial: 1024, maximum: 1024, shared: true });
    const memoryBase = this.#take(link.memoryBytes, 2 ** Math.max(4, link.memoryAlign));
    const stackTop = this.#take(STACK_BYTES) + STACK_BYTES;
    this.#instance = instantiate(
      { module, memoryBase, tableSize: link.tableSize },
      this.#memory,
      stackTop,
      this.#host(),
    );
    this.#call('__wasm_apply_data_relocs');
    const tls = this.#take(globalValue(this.#instance, '__tls_size'), 64);
    this.#call('__wasm_init_tls', BigInt(tls));
  }

  /** Launch a kernel over one-dimensional data; numbers are passed as 32-bit integers. */
  run(symbol: string, block: number | Size, grid: number | Size, args: readonly (Data | number)[]): void {
    const kernel = this.#program.kernels.find((one) => one.symbol === symbol);
    if (!kernel) throw new Error(`no kernel ${symbol}`);
    const mark = this.#top;
    const [dx, dy, dz] = typeof block === 'number' ? [block, 1, 1] : block;
    const [gx, gy, gz] = typeof grid === 'number' ? [grid, 1, 1] : grid;
    const packed = this.#take(kernel.argumentBytes);
    const view = new DataView(this.#memory.buffer);
    const places = args.map((value, i) => {
      const { offset } = kernel.parameters[i] ?? { offset: 0 };
      if (typeof value === 'number') {
        view.setInt32(packed + offset, value, true);
        return 0;
      }
      const place = this.#take(value.byteLength);
      view.setBigUint64(packed + offset, BigInt(place), true);
      bytes(this.#memory.buffer, place, value).set(new Uint8Array(value.buffer));
      return place;
    });
    const context = this.#take(contextBytes(kernel, dx * dy * dz));
    const start = this.#instance.exports[`run_${symbol}`] as Run;
    start(BigInt(packed), 0, gx * gy * gz, dx, dy, dz, gx, gy, gz, BigInt(context), 0n);
    args.forEach((value, i) => {
      if (typeof value !== 'number')
        new Uint8Array(value.buffer).set(bytes(this.#memory.buffer, places[i] ?? 0, value));
    });
    this.#top = mark;
  }

  #take(size: number, align = 16): number {
    const place = Math.ceil(this.#top / align) * align;
    this.#top = place + size;
    return place;
  }

  #call(name: string, ...args: bigint[]): void {
    (this.#instance.exports[name] as ((...args: bigint[]) => void) | undefined)?.(...args);
  }

  #host(): HostFunctions {
    // Nothing is given back: a test does not last.
    let heap = this.#take(HEAP_BYTES);
    return {
      malloc: (size: bigint): bigint => {
        const place = heap;
        heap += Math.ceil(Number(size) / 16) * 16;
        return BigInt(place);
      },
      free: () => undefined,
      printf: () => 0,
      clock: () => process.hrtime.bigint(),
      sleep: () => undefined,
      assertion: () => {
        throw new Error('an assertion failed');
      },
      fault: (kind: number) => {
        throw new Error(`fault ${String(kind)}`);
      },
    };
  }
}

function bytes(memory: SharedArrayBuffer, place: number, { byteLength }: Data): Uint8Array {
  return new Uint8Array(memory, place, byteLength);
}

function contextBytes({ contextBytes, contextFixed }: CpuKernel, threads: number): number {
  return contextBytes * Math.ceil(threads / 16) * 16 + contextFixed + 64;
}

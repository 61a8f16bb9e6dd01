import { compileCuda } from '../../src/cpu/compiler/client.ts';
import type { CompileRequest } from '../../src/cpu/compiler/request.ts';
import type { CpuProgram } from '../../src/cpu/abi/program.ts';
import { wasm, type WasmMemory } from '../../src/cpu/abi/webassembly.ts';

/** Addresses in the memory of a test: program, thread-local block, stack, arguments, dynamic shared memory, context. */
const AT = {
  base: 1 << 20,
  tls: 8 << 20,
  stack: 12 << 20,
  args: 12 << 20,
  shared: 13 << 20,
  context: 14 << 20,
  heap: 48 << 20,
};
const PAGES = 1600;

/** What a kernel reported instead of going on. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly kind: number;
  readonly address: bigint;
  readonly detail: bigint;
  readonly site: number;

  constructor(kind: number, address: bigint, detail: bigint, site: number) {
    super(`fault ${kind} at ${address}, detail ${detail}, site ${site}`);
    this.kind = kind;
    this.address = address;
    this.detail = detail;
    this.site = site;
  }
}

/** Compile with defaults. */
export function compileText(source: string, options: Partial<CompileRequest> = {}): ReturnType<typeof compileCuda> {
  return compileCuda({
    source,
    file: 'kernel.cu',
    options: [],
    expressions: [],
    includes: [],
    checked: false,
    ...options,
  });
}

/** Compile what has to compile. */
export function programOf(source: string, options: Partial<CompileRequest> = {}): CpuProgram {
  const { program, log } = compileText(source, options);
  if (!program) throw new Error(log);
  return program;
}

type RunFunction = (...args: (bigint | number)[]) => void;

/** A program in a memory of its own, whose kernels run on this thread. */
export class TestDevice {
  readonly program: CpuProgram;
  readonly memory: WasmMemory = new wasm.Memory({ initial: PAGES, maximum: 65536, shared: true });
  readonly exports: Readonly<Record<string, unknown>>;
  #top = AT.heap;

  constructor(program: CpuProgram) {
    this.program = program;
    const global = (type: 'i32' | 'i64', value: bigint | number, mutable = false): object =>
      new wasm.Global({ value: type, mutable }, value);
    const env = {
      memory: this.memory,
      __indirect_function_table: new wasm.Table({ initial: 256, element: 'anyfunc' }),
      __memory_base: global('i64', BigInt(AT.base)),
      __table_base: global('i32', 1),
      __stack_pointer: global('i64', BigInt(AT.stack), true),
    };
    const rt = {
      printf: () => 0,
      assertion: () => {
        throw new Fault(8, 0n, 0n, 0);
      },
      clock: () => 0n,
      sleep: () => undefined,
      malloc: (bytes: bigint) => BigInt(this.allocate(Number(bytes))),
      free: () => undefined,
      deep: () => {
        throw new RangeError('stack');
      },
      fault: (kind: number, address: bigint, detail: bigint, site: number) => {
        throw new Fault(kind, address, detail, site);
      },
    };
    const { exports } = new wasm.Instance(new wasm.Module(program.wasm), { env, rt });
    this.exports = exports;
    (exports['__wasm_apply_data_relocs'] as (() => void) | undefined)?.();
    (exports['__wasm_init_tls'] as ((base: bigint) => void) | undefined)?.(BigInt(AT.tls));
  }

  allocate(byteLength: number): number {
    const address = this.#top;
    this.#top += (byteLength + 255) & ~255;
    return address;
  }

  /** An array on the device, filled. */
  i32(values: ArrayLike<number>): { readonly address: number; readonly view: Int32Array } {
    const address = this.allocate(values.length * 4);
    const view = new Int32Array(this.memory.buffer, address, values.length);
    view.set(values);
    return { address, view };
  }

  u32(values: ArrayLike<number>): { readonly address: number; readonly view: Uint32Array } {
    const { address, view } = this.i32(values);
    return { address, view: new Uint32Array(view.buffer, address, view.length) };
  }

  f32(values: ArrayLike<number>): { readonly address: number; readonly view: Float32Array } {
    const { address } = this.i32(values);
    const view = new Float32Array(this.memory.buffer, address, values.length);
    view.set(values);
    return { address, view };
  }

  /** The address of a variable. */
  addressOf(symbol: string): number {
    return AT.base + Number((this.exports[symbol] as { readonly value: bigint }).value);
  }

  /** Run a kernel, whole. Numbers become what the parameter is; arrays of bytes are copied. */
  launch(
    symbol: string,
    grid: readonly number[],
    block: readonly number[],
    args: readonly (number | bigint | Uint8Array)[],
  ): void {
    const kernel = this.program.kernels.find((one) => one.symbol === symbol);
    if (!kernel) throw new Error(`no kernel ${symbol}`);
    const view = new DataView(this.memory.buffer);
    for (const [i, { offset, size, ptx }] of kernel.parameters.entries()) {
      const at = AT.args + offset;
      const value = args[i];
      if (value instanceof Uint8Array) new Uint8Array(this.memory.buffer, at, size).set(value.subarray(0, size));
      else if (ptx === 'f32') view.setFloat32(at, Number(value), true);
      else if (ptx === 'f64') view.setFloat64(at, Number(value), true);
      else {
        const bytes = new Uint8Array(
          BigUint64Array.of(BigInt.asUintN(64, BigInt(value ?? 0))).buffer,
          0,
          Math.min(8, size),
        );
        new Uint8Array(this.memory.buffer, at, size).set(bytes);
      }
    }
    const [gx = 1, gy = 1, gz = 1] = grid;
    const [dx = 1, dy = 1, dz = 1] = block;
    const run = this.exports[`run_${symbol}`] as RunFunction;
    const sizes = [dx, dy, dz, gx, gy, gz];
    run(BigInt(AT.args), 0, gx * gy * gz, ...sizes, BigInt(AT.context), BigInt(AT.shared));
  }
}

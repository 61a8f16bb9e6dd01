import type { DType, DTypes } from '../../../../src/core/dtype.ts';
import { ImageRecord } from '../../../../src/cpu/abi/opencl-image.ts';
import { LaunchRecord } from '../../../../src/cpu/abi/opencl-launch.ts';
import type { CpuKernel, CpuParameter, CpuProgram, OpenCLArgument } from '../../../../src/cpu/abi/program.ts';
import { formatPrint } from '../../../../src/cpu/runtime/printf.ts';
import { dynamicLink, globalValue, instantiate, type HostFunctions } from '../../../../src/cpu/runtime/program.ts';
import { wasm, type WasmInstance, type WasmMemory } from '../../../../src/cpu/abi/webassembly.ts';

const PAGE = 65536;
const STACK_BYTES = 1 << 20;
const SHARED_BYTES = 228 * 1024;

/** An array behind a pointer: copied in before the launch and out after it. */
export type Data = DTypes[DType];

/** An image with its elements, which are copied out again too. */
export interface TestImage {
  readonly data: Data;
  readonly order: number;
  readonly type: number;
  readonly elementBytes: number;
  readonly width: number;
  readonly height?: number;
  readonly depth?: number;
  readonly layers?: number;
}

/** A number for a value or a sampler, an array for a pointer or a struct, room in local memory, an image. */
export type Argument = number | bigint | Data | { readonly local: number } | TestImage;

/** Sizes of up to three dimensions. */
export type Sizes = readonly number[];

/** What a kernel is launched over. */
export interface Range {
  readonly global: Sizes;
  readonly local: Sizes;
  readonly offset?: Sizes;
}

type Run = (args: bigint, first: number, blocks: number, ...sizes: (number | bigint)[]) => void;
type Triple = readonly [number, number, number];

/** Runs kernels in OpenCL C in this thread, in a memory of its own, with no more of the runtime than its loader. */
export class OpenCLBench {
  /** What kernels have printed. */
  printed = '';
  readonly #program: CpuProgram;
  readonly #memory: WasmMemory;
  readonly #instance: WasmInstance;
  readonly #shared: number;
  #top = PAGE;

  constructor(program: CpuProgram) {
    const module = new wasm.Module(program.wasm);
    const link = dynamicLink(module);
    this.#program = program;
    this.#memory = new wasm.Memory({ initial: 1024, maximum: 1024, shared: true });
    const memoryBase = this.#take(link.memoryBytes, 2 ** Math.max(4, link.memoryAlign));
    const stackTop = this.#take(STACK_BYTES) + STACK_BYTES;
    this.#shared = this.#take(SHARED_BYTES, 128);
    const image = { module, memoryBase, tableSize: link.tableSize };
    this.#instance = instantiate(image, this.#memory, stackTop, this.#host());
    this.#call('__wasm_apply_data_relocs');
    this.#call('__wasm_init_tls', BigInt(this.#take(globalValue(this.#instance, '__tls_size'), 128)));
  }

  /** A kernel by its name. */
  kernel(symbol: string): CpuKernel {
    const kernel = this.#program.kernels.find((one) => one.symbol === symbol);
    if (!kernel) throw new Error(`no kernel ${symbol}`);
    return kernel;
  }

  /** Run a kernel over a range, in as many launches as its smaller groups at the ends make necessary. */
  run(symbol: string, { global, local, offset = [] }: Range, args: readonly Argument[]): void {
    const kernel = this.kernel(symbol);
    const mark = this.#top;
    const block = this.#take(kernel.argumentBytes, 16);
    const view = new DataView(this.#memory.buffer);
    const back: (() => void)[] = [];
    let locals = 0;
    args.forEach((value, i) => {
      const parameter = kernel.parameters[i] ?? { offset: 0, size: 0, ptx: '' };
      const { kind } = kernel.opencl?.arguments[i] ?? ({ kind: 'value' } as OpenCLArgument);
      const at = block + parameter.offset;
      if (typeof value !== 'object') setNumber(view, at, parameter, value);
      else if ('local' in value) {
        view.setBigUint64(at, BigInt(locals), true);
        locals += Math.ceil(value.local / 128) * 128;
      } else if ('data' in value) view.setBigUint64(at, BigInt(this.#image(value, back)), true);
      else if (kind === 'value') bytesAt(this.#memory, at, value).set(bytesOf(value));
      else view.setBigUint64(at, BigInt(this.#buffer(value, back)), true);
    });
    const size = triple(global, 1);
    const whole = triple(local, 1);
    const record = block + (kernel.opencl?.launchOffset ?? 0);
    for (const part of partsOf(size, whole)) {
      this.#describe(record, part, size, whole, triple(offset, 0), global.length);
      const threads = part.local.reduce((a, b) => a * b);
      const context = this.#take(kernel.contextBytes * Math.ceil(threads / 16) * 16 + kernel.contextFixed + 64);
      const start = this.#instance.exports[`run_${symbol}`] as Run;
      const groups = part.groups.reduce((a, b) => a * b);
      const shared = BigInt(locals > 0 ? this.#shared : 0);
      start(BigInt(block), 0, groups, ...part.local, ...part.groups, BigInt(context), shared);
    }
    for (const copy of back) copy();
    this.#top = mark;
  }

  #describe(at: number, part: Part, size: Triple, whole: Triple, offset: Triple, dimensions: number): void {
    const view = new DataView(this.#memory.buffer);
    for (const d of [0, 1, 2] as const) {
      const wide = (field: number, value: number): void => view.setBigUint64(at + field + 8 * d, BigInt(value), true);
      const word = (field: number, value: number): void => view.setUint32(at + field + 4 * d, value, true);
      wide(LaunchRecord.ORIGIN, offset[d] + part.first[d] * whole[d]);
      wide(LaunchRecord.OFFSET, offset[d]);
      wide(LaunchRecord.SIZE, size[d]);
      word(LaunchRecord.GROUP_BASE, part.first[d]);
      word(LaunchRecord.GROUPS, Math.ceil(size[d] / whole[d]));
      word(LaunchRecord.LOCAL, whole[d]);
    }
    view.setUint32(at + LaunchRecord.WORK_DIM, dimensions, true);
  }

  #buffer(data: Data, back: (() => void)[]): number {
    const place = this.#take(data.byteLength, 128);
    bytesAt(this.#memory, place, data).set(bytesOf(data));
    back.push(() => {
      bytesOf(data).set(bytesAt(this.#memory, place, data));
    });
    return place;
  }

  #image(image: TestImage, back: (() => void)[]): number {
    const { width, height = 1, depth = 1, layers = 1, elementBytes } = image;
    const place = this.#buffer(image.data, back);
    const record = this.#take(ImageRecord.BYTES);
    const view = new DataView(this.#memory.buffer);
    const row = width * elementBytes;
    view.setBigUint64(record + ImageRecord.DATA, BigInt(place), true);
    view.setUint32(record + ImageRecord.WIDTH, width, true);
    view.setUint32(record + ImageRecord.HEIGHT, height, true);
    view.setUint32(record + ImageRecord.DEPTH, depth, true);
    view.setUint32(record + ImageRecord.ARRAY_SIZE, layers, true);
    view.setBigUint64(record + ImageRecord.ROW_PITCH, BigInt(row), true);
    view.setBigUint64(record + ImageRecord.SLICE_PITCH, BigInt(row * height), true);
    view.setUint32(record + ImageRecord.CHANNEL_ORDER, image.order, true);
    view.setUint32(record + ImageRecord.CHANNEL_TYPE, image.type, true);
    view.setUint32(record + ImageRecord.ELEMENT_BYTES, elementBytes, true);
    return record;
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
    return {
      printf: (format: bigint, list: bigint) => {
        const { buffer } = this.#memory;
        const memory = { bytes: new Uint8Array(buffer), view: new DataView(buffer) };
        const { text, directives } = formatPrint(memory, Number(format), Number(list));
        this.printed += text;
        return directives;
      },
      fault: (kind: number) => {
        throw new Error(`fault ${kind}`);
      },
    };
  }
}

/** Groups of one size in a range. */
interface Part {
  readonly first: Triple;
  readonly groups: Triple;
  readonly local: Triple;
}

function partsOf(size: Triple, whole: Triple): Part[] {
  const along = ([0, 1, 2] as const).map((d) => {
    const full = Math.floor(size[d] / whole[d]);
    const rest = size[d] % whole[d];
    return [
      ...(full > 0 ? [{ first: 0, groups: full, local: whole[d] }] : []),
      ...(rest > 0 ? [{ first: full, groups: 1, local: rest }] : []),
    ];
  });
  const [xs = [], ys = [], zs = []] = along;
  return zs.flatMap((z) =>
    ys.flatMap((y) =>
      xs.map((x) => ({
        first: [x.first, y.first, z.first] as const,
        groups: [x.groups, y.groups, z.groups] as const,
        local: [x.local, y.local, z.local] as const,
      })),
    ),
  );
}

function triple([x, y, z]: Sizes, otherwise: number): Triple {
  return [x ?? otherwise, y ?? otherwise, z ?? otherwise];
}

function setNumber(view: DataView, at: number, { size, ptx }: CpuParameter, value: number | bigint): void {
  if (ptx === 'f32') view.setFloat32(at, Number(value), true);
  else if (ptx === 'f64') view.setFloat64(at, Number(value), true);
  else if (size === 8) view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
  else if (size === 4) view.setUint32(at, Number(value), true);
  else if (size === 2) view.setUint16(at, Number(value), true);
  else view.setUint8(at, Number(value));
}

function bytesOf({ buffer, byteOffset, byteLength }: Data): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function bytesAt({ buffer }: WasmMemory, place: number, { byteLength }: Data): Uint8Array {
  return new Uint8Array(buffer, place, byteLength);
}

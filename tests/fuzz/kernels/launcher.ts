import { fromDevice, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import type { KernelReport } from '../../../src/core/kernel-report.ts';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { memAlloc, type DeviceAllocation } from '../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import * as cl from '../../../src/opencl/index.ts';
import { isEmbedded } from '../../../src/opencl/selection.ts';
import type { Language } from './emit.ts';
import { BYTES, type ArrayOf, type Element, type Program } from './program.ts';

/** What a launch left, and what was said of it. */
export interface Launched {
  readonly memory: Readonly<Record<string, readonly number[]>>;
  readonly reports: readonly KernelReport[];
}

/** Kernels of one source text. */
export interface Compiled extends Disposable {
  launch(kernel: string, program: Program): Launched;
}

/** The checked mode of one language. */
export interface Launcher extends Disposable {
  compile(source: string): Compiled;
}

export function launcherOf(language: Language): Launcher {
  return language === 'cuda' ? new CudaLauncher() : new OpenCLLauncher();
}

const VIEWS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const satisfies Record<Element, unknown>;
type View = InstanceType<(typeof VIEWS)[Element]>;

function viewOf(element: Element, numbers: readonly number[]): View {
  return element === 'u64' ? BigUint64Array.from(numbers, BigInt) : VIEWS[element].from(numbers);
}

const global = ({ arrays }: Program): ArrayOf[] => arrays.filter(({ space }) => space !== 'shared');

class CudaLauncher implements Launcher {
  readonly #context = new Context(new Device(0), { check: 'report' });

  compile(source: string): Compiled {
    const module = new SourceModule(source, { cache: false });
    const context = this.#context;
    return {
      launch(kernel, program) {
        const known = context.reports.length;
        const memory: [ArrayOf, DeviceAllocation][] = global(program).map((one) => {
          const numbers = program.contents[one.name];
          return [one, numbers ? toDevice(viewOf(one.element, numbers)) : memAlloc(one.length * BYTES[one.element])];
        });
        try {
          const [x, y, z] = program.block;
          module.getFunction(kernel)(...memory.map(([, { ptr }]) => ptr), { block: [x, y, z], grid: program.grid });
          context.synchronize();
          const reports = context.reports.slice(known);
          const results = memory.map(([{ name, element }, allocation]) => {
            const bytes = fromDevice(allocation, 'u8');
            return [name, Array.from<number | bigint, number>(new VIEWS[element](bytes.buffer), Number)] as const;
          });
          return { memory: Object.fromEntries(results), reports };
        } finally {
          for (const [, allocation] of memory) allocation.close();
        }
      },
      [Symbol.dispose]: () => module.close(),
    };
  }

  [Symbol.dispose](): void {
    this.#context.close();
  }
}

class OpenCLLauncher implements Launcher {
  readonly #context: cl.Context;
  readonly #queue: cl.CommandQueue;

  constructor() {
    const platform = cl.getPlatforms().find(({ raw }) => isEmbedded(raw));
    if (!platform) throw new Error('OpenCL has no embedded device here: set RAWKERNEL_DEVICE=cpu');
    this.#context = new cl.Context(platform.getDevices(), { check: 'report' });
    this.#queue = new cl.CommandQueue(this.#context);
  }

  compile(source: string): Compiled {
    const program = new cl.Program(this.#context, source).build('-cl-std=CL3.0', { cache: false });
    const context = this.#context;
    const queue = this.#queue;
    const { READ_WRITE, COPY_HOST_PTR } = cl.MemFlags;
    return {
      launch(kernel, one) {
        const known = context.reports.length;
        const memory: [ArrayOf, cl.Buffer][] = global(one).map((array) => {
          const numbers = one.contents[array.name];
          return [
            array,
            numbers
              ? new cl.Buffer(context, READ_WRITE | COPY_HOST_PTR, viewOf(array.element, numbers))
              : new cl.Buffer(context, READ_WRITE, array.length * BYTES[array.element]),
          ];
        });
        try {
          const [x, y, z] = one.block;
          using entry = program.kernel(kernel);
          entry(queue, [x * one.grid, y, z], [x, y, z], ...memory.map(([, buffer]) => buffer));
          queue.finish();
          const reports = context.reports.slice(known);
          const results = memory.map(([{ name, element, length }, buffer]) => {
            const view = new VIEWS[element](length);
            cl.enqueueCopy(queue, view, buffer);
            return [name, Array.from<number | bigint, number>(view, Number)] as const;
          });
          queue.finish();
          return { memory: Object.fromEntries(results), reports };
        } finally {
          for (const [, buffer] of memory) buffer.close();
        }
      },
      [Symbol.dispose]: () => program.close(),
    };
  }

  [Symbol.dispose](): void {
    this.#queue.close();
    this.#context.close();
  }
}

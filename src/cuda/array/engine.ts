import { nameOf } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import type { Adopted, AdoptOptions } from '../../array/engine.ts';
import { alignmentOf } from '../../array/adopted.ts';
import type { ArrayDType } from '../../array/dtype.ts';
import type {
  ArrayKernel,
  ArrayMemory,
  DeviceFacts,
  Engine,
  Lane,
  LaneOptions,
  LaunchArgument,
} from '../../array/engine.ts';
import { cudaDialect, portableCudaDialect } from '../../array/kernel/cuda-dialect.ts';
import type { Dialect } from '../../array/kernel/dialect.ts';
import type { Layout } from '../../array/layout.ts';
import { installMethods } from '../../array/methods.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { beforeContextCloses, deviceOf, inContext, requireContext } from '../device/context.ts';
import { memcpyDtoHAsync, memcpyHtoDAsync } from '../copy/memcpy.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';
import { lend } from '../pool/client-pool.ts';
import { DeviceMemoryPool } from '../pool/device-memory-pool.ts';
import { SourceModule } from '../module/source-module.ts';
import { Stream, streamHandle } from '../stream/stream.ts';
import { cu } from '../call.ts';
import { recording } from '../captures.ts';
import { configure } from '../kernel/function.ts';
import { noteUse } from '../lifetime/recording.ts';
import { NULL } from '../../ffi/ctype.ts';
import { captureStatus } from '../lifetime/hold-on-stream.ts';
import { farewellOn } from '../pool/stream-allocation.ts';
import { CaptureStatus } from '../sys/enums.ts';
import { adopt, type Borrowed } from './adopt.ts';
import { CudaMemory, type OwnMemory } from './memory.ts';
import { NDArray } from './ndarray.ts';
import { UseOrder, waitFor } from './use-order.ts';

type CUcontext = Opaque<'CUcontext'>;

/** The legacy default stream, by the handle that libraries exchange. */
const LEGACY = 1n as Opaque<'CUstream'>;

/** Arrays in one CUDA context. */
export class CudaEngine implements Engine {
  readonly dialect: Dialect;
  readonly facts: DeviceFacts;
  readonly defaultLane: Lane = null;
  readonly #context: Handle<CUcontext>;
  readonly #modules: SourceModule[] = [];
  readonly #kernels = new Map<string, ArrayKernel>();
  #pool: DeviceMemoryPool | undefined;

  constructor(context: Handle<CUcontext>) {
    installMethods();
    this.#context = context;
    const device = deviceOf(context);
    this.dialect = device.isEmbedded ? portableCudaDialect : cudaDialect;
    this.facts = {
      name: device.name,
      packBytes: device.isEmbedded ? 0 : 16,
      warp: device.warpSize,
      groupSize: 256,
      groups: device.multiprocessorCount * (device.isEmbedded ? 1 : 8),
      promisesProgress: true,
      sharedBytes: 48 * 1024,
      parameterBytes: 4096,
      hasDoubles: true,
      hasWideAtomics: true,
    };
    beforeContextCloses(context, () => {
      this.#close();
    });
  }

  laneOf(options: LaneOptions | undefined, method: string): Lane | undefined {
    const stream = options?.stream;
    if (options?.queue !== undefined) {
      throw new TypeError(`${method}: CUDA has streams, got a queue (${nameOf(options.queue)}); write { stream }`);
    }
    if (stream !== undefined) streamHandle(stream as Stream | null, method);
    return stream;
  }

  allocate(byteLength: number, lane: Lane): CudaMemory {
    this.#pool ??= inContext(this.#context, () => new DeviceMemoryPool());
    // eslint-disable-next-line prefer-const -- the block's end knows it, which is made before
    let order: UseOrder | undefined;
    const stream = lane as Stream | null;
    const { handle, farewell } = lend(this.#pool, byteLength, stream, 'NDArray', 'NDArray', () => {
      order?.end();
    });
    order = new UseOrder(farewell, stream);
    return new CudaMemory(this, handle as unknown as Handle<bigint>, byteLength, 16, order);
  }

  wrap(memory: ArrayMemory, dtype: ArrayDType, layout: Layout): NDArray {
    return new NDArray(memory, dtype, layout);
  }

  build(source: string, name: string, options: readonly string[] = []): ArrayKernel {
    const key = `${options.join(' ')}\n${name}\n${source}`;
    const known = this.#kernels.get(key);
    if (known) return known;
    const module = inContext(
      this.#context,
      () => new SourceModule(source, { fileName: `${name}.cu`, options }) as SourceModule,
    );
    this.#modules.push(module);
    // The launch's limits were looked at by the first one: its shape is the package's own from then on.
    const launcher = configure(module.getFunction(name), { block: 1 }, name);
    const start = (args: LaunchArgument[]): void => {
      launcher.pack(args, args.length);
      launcher.launch();
      if (recording.active > 0) noteUse(module);
    };
    const kernel: ArrayKernel = {
      launch: (lane, groups, width, height, args, written) => {
        const stream = lane as Stream | null;
        const raw = streamHandle(stream, name);
        let memories = 0;
        for (let i = 0; i < args.length; i++) {
          const arg = args[i];
          if (typeof arg !== 'object') break;
          const { order, handle } = arg as OwnMemory;
          order.use(stream, raw, memories++ < written, handle);
          args[i] = handle.value;
        }
        launcher.shape(groups, width, height, raw);
        start(args);
      },
      launchGrid: (lane, sizes, args, isWritten) => {
        const stream = lane as Stream | null;
        const raw = streamHandle(stream, name);
        launcher.configure(sizes, raw);
        let memories = 0;
        for (let i = 0; i < args.length; i++) {
          const arg = args[i];
          if (typeof arg !== 'object') continue;
          const { order, handle } = arg as OwnMemory;
          order.use(stream, raw, isWritten[memories++] === true, handle);
          args[i] = handle.value;
        }
        start(args as LaunchArgument[]);
      },
    };
    this.#kernels.set(key, kernel);
    return kernel;
  }

  write(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): void {
    // The default stream is that of the current context, which may be another one.
    inContext(this.#context, () => {
      const stream = this.#use(memory, lane, true);
      memcpyHtoDAsync(addressAt(memory, byteOffset), bytes, stream);
      synchronize(stream);
    });
  }

  read(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): void {
    inContext(this.#context, () => {
      const stream = this.#use(memory, lane, false);
      memcpyDtoHAsync(bytes, addressAt(memory, byteOffset), stream);
      synchronize(stream);
    });
  }

  async readLater(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): Promise<void> {
    const stream = inContext(this.#context, () => {
      const used = this.#use(memory, lane, false);
      memcpyDtoHAsync(bytes, addressAt(memory, byteOffset), used);
      return used;
    });
    if (stream) {
      await stream.done();
      return;
    }
    using legacy = inContext(this.#context, () => Stream.fromHandle(1n));
    await legacy.done();
  }

  adopt(value: unknown, options: AdoptOptions, what: string): Adopted | undefined {
    return adopt(value, options, what, (borrowed, name) => this.#borrow(borrowed, name));
  }

  isRecording(lane: Lane): boolean {
    if (recording.active === 0) return false;
    // The legacy stream takes no work beside any stream that is being captured.
    return lane === null || captureStatus(streamHandle(lane as Stream | null, 'NDArray')) !== CaptureStatus.NONE;
  }

  /** Memory that something else owns: its record keeps that. */
  #borrow({ address, byteLength, owner, kept, producer, lane }: Borrowed, what: string): CudaMemory {
    const stream = (lane ?? null) as Stream | null;
    const raw = streamHandle(stream, what);
    if (producer !== undefined && producer !== raw && !(producer === LEGACY && raw === NULL)) waitFor(producer, raw);
    const farewell = farewellOn(stream, what);
    const order = new UseOrder(farewell, stream);
    const keeping = owner === undefined ? [kept] : [];
    const context = this.#context;
    const end = (): void => {
      try {
        inContext(context, () => order.end());
      } finally {
        farewell.kept?.release();
        keeping.pop();
      }
    };
    const handle = new Handle('NDArray', address, end, owner ? [owner, context] : [context]);
    return new CudaMemory(this, handle, byteLength, alignmentOf(address), order);
  }

  #use(memory: ArrayMemory, lane: Lane, isWrite: boolean): Stream | null {
    const stream = lane as Stream | null;
    const { order, handle } = memory as OwnMemory;
    order.use(stream, streamHandle(stream, 'NDArray'), isWrite, handle);
    return stream;
  }

  #close(): void {
    this.#kernels.clear();
    engines.delete(this.#context);
    for (const module of this.#modules.splice(0)) module.close();
    this.#pool?.close();
    this.#pool = undefined;
  }
}

function addressAt(memory: ArrayMemory, byteOffset: number): DevicePointer {
  return (memory.handle.value + BigInt(byteOffset)) as DevicePointer;
}

function synchronize(stream: Stream | null): void {
  if (stream) stream.synchronize();
  else cu.cuStreamSynchronize(NULL);
}

const engines = new WeakMap<Handle<CUcontext>, CudaEngine>();

/** The arrays' part of the current context. */
export function currentEngine(): CudaEngine {
  const context = requireContext('NDArray');
  let engine = engines.get(context);
  if (engine === undefined) {
    engine = new CudaEngine(context);
    engines.set(context, engine);
  }
  return engine;
}

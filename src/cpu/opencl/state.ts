import { types } from '../../opencl/sys/ctypes.ts';
import { callbacks } from '../../opencl/sys/opencl.ts';
import { callAddress } from '../../ffi/callback.ts';
import type { Out } from '../abi/out.ts';
import { faultOf } from '../runtime/context-fault.ts';
import { Engine } from '../runtime/engine.ts';
import type { EngineFinding } from '../runtime/finding.ts';
import { ProgramLoader } from '../runtime/loader.ts';
import { DeviceMemory, ifRoom } from '../runtime/memory.ts';
import { EMBEDDED_PLATFORM } from '../../core/embedded-handle.ts';
import type { KernelReport } from '../../core/kernel-report.ts';
import { environmentCheckMode, type CheckMode } from '../../core/check-mode.ts';
import { DeviceReports, type Ending } from '../reports/device-reports.ts';
import type { DeviceSetup } from '../reports/device-setup.ts';
import { encodeText } from './answer.ts';
import { Code } from './code.ts';
import type { ClCommandBuffer } from './command-buffer.ts';
import type { OpenCLCompiler } from './compiler.ts';
import { ClContext, type Callback } from './context.ts';
import { ClDevice } from './device.ts';
import type { ClEvent, Command, EventArguments, WaitList } from './event.ts';
import { EventCallbacks } from './event-callbacks.ts';
import type { ClKernel } from './kernel.ts';
import { ClMemory, type MemoryParts } from './memory.ts';
import { Handles } from './object.ts';
import { widesAt } from './pointer.ts';
import { ClProgram } from './program.ts';
import { ClQueue } from './queue.ts';
import type { ClSampler } from './sampler.ts';
import type { ClSemaphore } from './semaphore.ts';
import type { Bytes } from './rect.ts';
import { Scheduler } from './scheduler.ts';

const NO_EVENTS: readonly ClEvent[] = [];

/** The state that the OpenCL functions share: the devices, and the objects by their handles. */
export class OpenCLState {
  readonly platform: bigint = EMBEDDED_PLATFORM;
  readonly devices: Handles<ClDevice> = new Handles();
  readonly contexts: Handles<ClContext> = new Handles();
  readonly queues: Handles<ClQueue> = new Handles();
  readonly memories: Handles<ClMemory> = new Handles();
  readonly samplers: Handles<ClSampler> = new Handles();
  readonly programs: Handles<ClProgram> = new Handles();
  readonly kernels: Handles<ClKernel> = new Handles();
  readonly events: Handles<ClEvent> = new Handles();
  readonly semaphores: Handles<ClSemaphore> = new Handles();
  readonly commandBuffers: Handles<ClCommandBuffer> = new Handles();
  /** Shared virtual memory: its owner and its size, by the device's address. */
  readonly svm: Map<number, { readonly context: ClContext; readonly byteLength: number }> = new Map();
  /** The devices, each of the whole processor. */
  readonly roots: readonly ClDevice[];
  readonly compiler: OpenCLCompiler;
  readonly loader: ProgramLoader = new ProgramLoader(() => this.engine);
  readonly scheduler: Scheduler = new Scheduler(() => this.engine, this.events);
  /** The user's callbacks for events. */
  readonly eventCallbacks: EventCallbacks = new EventCallbacks(this.scheduler, (callback, event, status) => {
    this.notify('cl_event_notify', callback, event, status);
  });
  readonly reports: DeviceReports;
  readonly #setup: DeviceSetup;
  readonly #memoryBytes: number | undefined;
  /** The context with the latest known fault. */
  failed: ClContext | undefined;
  #memory: DeviceMemory | undefined;
  #engine: Engine | undefined;

  /** @param devices - how many devices there are */
  constructor(setup: DeviceSetup, compiler: OpenCLCompiler, memoryBytes: number | undefined, devices = 1) {
    this.#setup = setup;
    this.reports = new DeviceReports(setup.print);
    this.#memoryBytes = memoryBytes;
    this.compiler = compiler;
    this.roots = Array.from({ length: devices }, () => new ClDevice(setup.workers));
    for (const root of this.roots) this.devices.add(root);
    this.scheduler.listener = this.eventCallbacks;
    this.scheduler.onFault = (context) => this.#tellFault(context);
  }

  /** The device's memory. The first access reserves its address space. */
  get memory(): DeviceMemory {
    return (this.#memory ??= new DeviceMemory(this.#memoryBytes));
  }

  get engine(): Engine {
    return (this.#engine ??= this.#start());
  }

  #start(): Engine {
    const { workers, timeoutMs, atEnd } = this.#setup;
    const found = (finding: EngineFinding): void => this.reports.add(finding, this.memory);
    const engine = new Engine(this.memory, { workers, timeoutMs, found });
    // Registered after the engine has started: without an engine, nothing has run.
    atEnd(() => this.#end());
    return engine;
  }

  /** Devices by their handles, or a status. */
  devicesAt(pointer: Out, count: number): ClDevice[] | number {
    const list: ClDevice[] = [];
    for (const handle of widesAt(pointer, count)) {
      const device = this.devices.find(handle);
      if (!device) return Code.INVALID_DEVICE;
      list.push(device);
    }
    return list;
  }

  /** The events of a wait list, or a status. */
  eventsAt({ count, list: pointer }: WaitList, context?: ClContext): readonly ClEvent[] | number {
    if (count === 0) return pointer === 0n ? NO_EVENTS : Code.INVALID_EVENT_WAIT_LIST;
    if (pointer === 0n) return Code.INVALID_EVENT_WAIT_LIST;
    const list: ClEvent[] = [];
    for (const handle of widesAt(pointer, count)) {
      const event = this.events.find(handle);
      if (!event) return Code.INVALID_EVENT_WAIT_LIST;
      if (event.context !== (context ?? list[0]?.context ?? event.context)) return Code.INVALID_CONTEXT;
      list.push(event);
    }
    return list;
  }

  /**
   * Make a command and enqueue it.
   *
   * @param make - checks the arguments and returns the command, or a status
   */
  enqueue(
    queueHandle: bigint,
    type: number,
    events: EventArguments,
    make: (queue: ClQueue) => Command | number,
    blocking = false,
  ): number {
    const queue = this.queues.find(queueHandle);
    if (!queue) return Code.INVALID_COMMAND_QUEUE;
    const command = make(queue);
    if (typeof command === 'number') return command;
    const waits = this.eventsAt(events, queue.context);
    if (typeof waits === 'number') return waits;
    return this.scheduler.enqueue(queue, type, waits, command, blocking, events.out);
  }

  addContext(
    devices: readonly ClDevice[],
    properties: readonly bigint[],
    notify: Callback | undefined,
  ): bigint | number {
    const mode = environmentCheckMode();
    const index = ifRoom(() => this.engine.openContext());
    if (index === undefined) return Code.OUT_OF_HOST_MEMORY;
    const reports = this.reports.open(index);
    const context = new ClContext(index, reports, devices, properties, notify, (gone) => this.#closeContext(gone));
    const status = mode ? this.check(context, mode) : Code.SUCCESS;
    if (status === Code.SUCCESS) return this.contexts.add(context);
    context.release();
    return status;
  }

  /** Set the check mode of later builds in a context: a status. */
  check(context: ClContext, mode: CheckMode): number {
    if (this.engine.turnOnChecks(mode.checks !== 'bounds') !== 0) return Code.OUT_OF_RESOURCES;
    context.check = mode;
    context.reports.collects = mode.report;
    return Code.SUCCESS;
  }

  addQueue(context: ClContext, device: ClDevice, properties: number, list: readonly bigint[]): bigint {
    const gone = (queue: ClQueue): void => {
      this.scheduler.pump();
      this.tell(context);
      this.queues.remove(queue);
    };
    return this.queues.add(new ClQueue(context, device, properties, list, gone));
  }

  /** Allocate memory for a context's object; undefined when there is no memory. */
  allocate(context: ClContext, byteLength: number): number | undefined {
    this.engine.collect();
    return this.memory.allocate(byteLength, context);
  }

  addMemory(parts: MemoryParts): bigint {
    return this.memories.add(new ClMemory(parts, (gone) => this.#freeMemory(gone)));
  }

  addProgram(context: ClContext, devices: readonly ClDevice[], source: string | undefined): bigint {
    return this.programs.add(new ClProgram(context, devices, source, (gone) => this.#forgetProgram(gone)));
  }

  /** Device memory for copies. */
  get bytes(): Bytes {
    const { bytes, guard } = this.memory;
    return { bytes, guard };
  }

  /** Write bytes of the host. */
  put(address: number, bytes: Uint8Array): void {
    this.memory.bytes.set(bytes, address);
    this.memory.guard?.write(address, bytes.length);
  }

  /** Call a native callback of the user's. */
  notify(kind: keyof typeof callbacks, callback: Callback, ...args: (bigint | number | ArrayBufferView)[]): void {
    callAddress(callback.notify, callbacks[kind], [...args, callback.data], types);
  }

  #closeContext(context: ClContext): void {
    this.contexts.remove(context);
    const { engine } = this;
    engine.afterAll(() => {
      this.#read(context);
      this.reports.close(context.index);
      context.fault = faultOf(engine.control, context.index);
      context.closed = true;
      engine.closeContext(context.index);
      for (const callback of context.destructors.reverse()) {
        this.notify('cl_context_destructor_notify', callback, context.handle);
      }
    });
  }

  /** Give the reports on a context's kernels to the program. */
  hear(context: ClContext): readonly KernelReport[] {
    this.#read(context);
    return context.reports.hear();
  }

  /** Print the faults that the program has not received, before a context's objects are freed. */
  tell(context?: ClContext): void {
    if (!this.#engine) return;
    for (const one of context ? [context] : this.contexts.all()) {
      if (one.closed || this.engine.status(one.index) === 0) continue;
      this.#read(one);
      one.reports.tell();
    }
  }

  #read(context: ClContext): void {
    this.engine.checks.read();
    if (context.closed) return;
    context.reports.explain(faultOf(this.engine.control, context.index), this.#setup.timeoutMs);
  }

  /** At the end of the process: wait for running kernels and read their findings. */
  #end(): Ending {
    const { farewell } = this.engine;
    farewell.wait(() => this.scheduler.pump());
    this.engine.collect();
    this.engine.flush();
    for (const context of this.contexts.all()) this.#read(context);
    return this.reports.end(this.memory.guard ? farewell.unfinished : undefined);
  }

  /** Pass a context's fault to its callback, once. */
  #tellFault(context: ClContext): void {
    this.failed = context;
    this.#read(context);
    if (!context.notify || context.told) return;
    context.told = true;
    this.notify('cl_context_notify', context.notify, encodeText(context.reports.all.join('\n')), 0n, 0);
  }

  #forgetProgram(program: ClProgram): void {
    this.programs.remove(program);
    this.tell(program.context);
    const loaded = new Set([...program.builds.values()].map((build) => build.loaded));
    for (const one of loaded) if (one) this.loader.unload(one);
  }

  #freeMemory(memory: ClMemory): void {
    this.memories.remove(memory);
    this.tell(memory.context);
    this.engine.afterAll(() => {
      for (const address of memory.owned) this.memory.release(address);
      for (const callback of memory.destructors.reverse()) this.notify('cl_mem_notify', callback, memory.handle);
    });
  }
}

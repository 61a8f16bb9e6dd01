import { environmentCheckMode, type CheckMode } from '../../core/check-mode.ts';
import type { KernelReport } from '../../core/kernel-report.ts';
import { isExiting } from '../../core/runtime-process.ts';
import { CpuIpc } from '../ipc/ipc.ts';
import { DeviceReports, type Ending } from '../reports/device-reports.ts';
import type { DeviceSetup } from '../reports/device-setup.ts';
import { faultOf } from '../runtime/context-fault.ts';
import { FaultKind } from '../runtime/fault.ts';
import { Engine } from '../runtime/engine.ts';
import type { EngineFinding } from '../runtime/finding.ts';
import { DeviceMemory, ifRoom } from '../runtime/memory.ts';
import { ProgramLoader } from '../runtime/loader.ts';
import { Status } from '../abi/status.ts';
import type { Capturing } from './capturing.ts';
import { CpuDevices } from './devices.ts';
import { CpuImages } from './images.ts';
import {
  CpuContext,
  type CpuEvent,
  type CpuFunction,
  type CpuModule,
  type CpuStream,
  type ManagedRange,
  type RegisteredRange,
} from './objects.ts';
import { CpuPools } from './pools.ts';
import { addTails, ahead, setTail } from './stream-order.ts';

const CELLS = 512;
const FIRST_HANDLE = 0x1000;
const HANDLE_STEP = 0x10;
/** The state that the driver's functions share: the device, and the objects by their handles. */
export class DriverState {
  readonly contexts: Map<number, CpuContext> = new Map();
  readonly streams: Map<number, CpuStream> = new Map();
  readonly events: Map<number, CpuEvent> = new Map();
  readonly modules: Map<number, CpuModule> = new Map();
  readonly functions: Map<number, CpuFunction> = new Map();
  /** Managed memory, by its start. */
  readonly managed: Map<number, ManagedRange> = new Map();
  /** Registered host memory, by its address. */
  readonly registered: Map<bigint, RegisteredRange> = new Map();
  readonly images: CpuImages = new CpuImages();
  readonly devices: CpuDevices;
  readonly pools: CpuPools;
  /** The contexts of this thread, the current one last; undefined for none. */
  readonly stack: (CpuContext | undefined)[] = [];
  readonly workers: number;
  readonly loader: ProgramLoader = new ProgramLoader(() => this.engine);
  capturing: Capturing | undefined;
  /** The context that last refused a call after a fault of its kernels. */
  failed: CpuContext | undefined;
  readonly reports: DeviceReports;
  readonly #memoryBytes: number | undefined;
  readonly #setup: DeviceSetup;
  #memory: DeviceMemory | undefined;
  #engine: Engine | undefined;
  #ipc: CpuIpc | undefined;
  #nextHandle = FIRST_HANDLE;
  readonly #streamIds = new WeakMap<CpuStream, number>();
  #lastStreamId = 0;
  readonly #cells: number[] = [];

  /** @param devices - how many devices there are */
  constructor(setup: DeviceSetup, memoryBytes?: number, devices = 1) {
    this.#setup = setup;
    this.devices = new CpuDevices(devices, () => this.memory);
    this.pools = new CpuPools(() => this.newHandle(), this.devices);
    this.#memoryBytes = memoryBytes;
    this.workers = setup.workers;
    this.reports = new DeviceReports(setup.print);
  }

  /** The device's memory. The first access reserves its address space. */
  get memory(): DeviceMemory {
    return (this.#memory ??= new DeviceMemory(this.#memoryBytes, this.devices.granules));
  }

  get engine(): Engine {
    return (this.#engine ??= this.#start());
  }

  /** What other processes see of it, and it of them. */
  get ipc(): CpuIpc {
    return (this.#ipc ??= new CpuIpc(this.memory));
  }

  #start(): Engine {
    const { atEnd } = this.#setup;
    const found = (finding: EngineFinding): void => {
      const known = finding.kind === FaultKind.PEER ? { ...finding, peer: this.#peerOf(finding) } : finding;
      this.reports.add(known, this.memory);
    };
    const engine = new Engine(this.memory, { ...this.#setup, found });
    // Registered after the engine has started: without an engine, nothing has run.
    atEnd(() => this.#end());
    return engine;
  }

  /** The devices that an access without peer access is about. */
  #peerOf({ context, address }: EngineFinding): EngineFinding['peer'] {
    const from = [...this.contexts.values()].find(({ index }) => index === context);
    const found = this.devices.placeOf(Number(address));
    return from && found && { of: from.device, ...found };
  }

  get current(): CpuContext | undefined {
    return this.stack.at(-1);
  }

  /** The status of a device's ordinal. */
  known(device: number): number {
    return this.devices.list[device] ? Status.SUCCESS : Status.INVALID_DEVICE;
  }

  /** Allocate memory of a context, or of a pool; undefined where its device has none left. */
  allocate(
    byteLength: number,
    owner: object,
    { device, space }: Pick<CpuContext, 'device' | 'space'>,
  ): number | undefined {
    if (!this.devices.hasRoom(device, byteLength)) return undefined;
    return this.memory.allocate(byteLength, owner, 'global', space);
  }

  /** The ordinal of the device that has an allocation. */
  deviceOf(start: number, context: CpuContext): number {
    return this.pools.of(start)?.device ?? context.device;
  }

  newHandle(): number {
    return (this.#nextHandle += HANDLE_STEP);
  }

  /** The status with which the current context refuses a call; 0 where it does not. */
  refuse(): number {
    const context = this.current;
    if (!context) return Status.INVALID_CONTEXT;
    return this.refusal(context);
  }

  /** The status with which a context refuses a call; 0 where it does not. */
  refusal(context: CpuContext): number {
    if (!context.alive) return Status.CONTEXT_IS_DESTROYED;
    const status = this.engine.status(context.index);
    if (status !== Status.SUCCESS) this.failed = context;
    return status;
  }

  /** The stream of a handle in the current context. */
  streamOf(handle: number): CpuStream | undefined {
    if (handle > 2) return this.streams.get(handle);
    return handle === 2 ? this.current?.perThread : this.current?.legacy;
  }

  /** A stream's number. Streams are numbered from 1 in the order of their first queries. */
  streamId(stream: CpuStream): number {
    const id = this.#streamIds.get(stream) ?? ++this.#lastStreamId;
    this.#streamIds.set(stream, id);
    return id;
  }

  /** Tell the engine what a stream's next command waits for. */
  precede(stream: CpuStream): void {
    const { legacy } = stream.context;
    if (stream !== legacy && legacy.tails.length > 0) this.#forgetLegacy(legacy);
    this.engine.queue.follow(ahead(stream), stream.context.index);
  }

  /** Most commands of other streams come long after the default stream's last one. */
  #forgetLegacy(legacy: CpuStream): void {
    const { queue } = this.engine;
    if (legacy.tails.every((tail) => queue.done(tail))) legacy.tails = [];
  }

  /** Whether a stream's next command would wait for nothing. */
  isFree(stream: CpuStream): boolean {
    this.precede(stream);
    return this.engine.queue.isFree;
  }

  /** Note that the last enqueued command belongs to this stream. */
  enqueued(stream: CpuStream): void {
    setTail(stream, (stream.context.last = (this.engine.queue.next - 1) | 0));
  }

  /** Let a stream's next command wait for another command, too. */
  await(stream: CpuStream, sequence: number): void {
    const { queue } = this.engine;
    if (queue.done(sequence) || stream.tails.includes(sequence)) return;
    addTails(stream, [...stream.tails.filter((tail) => !queue.done(tail)), sequence]);
  }

  /** Wait for commands of a context, and answer with the context's status. */
  finish(context: CpuContext, sequences: readonly number[]): number {
    for (const sequence of sequences) this.engine.wait(sequence);
    if (sequences.length === 0) this.engine.flush();
    return this.refusal(context);
  }

  /** Wait for all commands of a context, and answer with its status. */
  finishAll(context: CpuContext): number {
    this.settle(context);
    this.engine.flush();
    return this.refusal(context);
  }

  /** Wait for all commands of a context: they may use what is to be freed. */
  settle({ last, index }: Pick<CpuContext, 'last'> & Partial<Pick<CpuContext, 'index'>>): void {
    if (last !== undefined) this.engine.waitUpTo(last, index);
  }

  /** Whether a command has finished. The check also ends kernels that exceed the time limit. */
  finished(sequence: number | undefined): boolean {
    if (sequence === undefined) return true;
    const { engine } = this;
    if (!engine.queue.done(sequence)) {
      engine.check();
      if (!engine.queue.done(sequence)) return false;
    }
    engine.collect();
    engine.flush();
    return true;
  }

  openContext(device: number, primary: boolean, flags: number): CpuContext | undefined {
    const mode = environmentCheckMode();
    const index = ifRoom(() => this.engine.openContext());
    if (index === undefined) return undefined;
    const context = new CpuContext(this.newHandle(), index, this.reports.open(index), { device, primary, flags });
    const isOpen = this.devices.open(context, this.engine);
    if (!isOpen || (mode && this.check(context, mode) !== Status.SUCCESS)) {
      this.devices.close(context, this.engine);
      this.reports.close(index);
      this.engine.closeContext(index);
      return undefined;
    }
    this.contexts.set(context.handle, context);
    return context;
  }

  /** Set the check mode of programs that are compiled while a context is current, from now on: a status. */
  check(context: CpuContext, mode: CheckMode): number {
    const status = this.engine.turnOnChecks(mode.checks !== 'bounds');
    if (status !== Status.SUCCESS) return status;
    context.check = mode;
    context.reports.collects = mode.report;
    return status;
  }

  /** Give the reports on a context's kernels to the program. */
  hear(context: CpuContext): readonly KernelReport[] {
    this.#read(context);
    return context.reports.hear();
  }

  /** Print the reports that the program has not received, before objects that its kernels used are freed. */
  tell(): void {
    if (!this.#engine) return;
    for (const context of this.contexts.values()) {
      this.#read(context);
      context.reports.tell();
    }
  }

  #read(context: CpuContext): void {
    this.engine.checks.read();
    context.reports.explain(faultOf(this.engine.control, context.index), this.#setup.timeoutMs);
  }

  /** At the end of the process: wait for running kernels and read their findings. */
  #end(): Ending {
    const { farewell } = this.engine;
    farewell.wait();
    this.engine.flush();
    for (const context of this.contexts.values()) this.#read(context);
    return this.reports.end(this.memory.guard ? farewell.unfinished : undefined);
  }

  /** Wait for a context's commands, and free all of its objects. */
  empty(context: CpuContext): void {
    if (isExiting()) this.engine.farewell.wait();
    this.settle(context);
    for (const address of context.memory) {
      this.forgetAllocation(address);
      this.memory.release(address);
    }
    this.images.empty(this.memory, context);
    for (const [address, range] of this.registered) if (range.context === context) this.registered.delete(address);
    for (const address of context.hostMemory.keys()) this.memory.release(address);
    for (const address of context.imports) while (this.ipc.shared.has(address)) this.ipc.shared.close(address);
    for (const handle of context.modules) this.unload(handle);
    for (const handle of context.events) this.forgetEvent(handle);
    for (const { handle } of context.streams) this.streams.delete(handle);
    for (const set of [context.memory, context.hostMemory, context.imports, context.streams]) set.clear();
  }

  closeContext(context: CpuContext): void {
    this.empty(context);
    this.#read(context);
    this.reports.close(context.index);
    context.alive = false;
    this.contexts.delete(context.handle);
    for (const other of this.contexts.values()) other.peers.delete(context);
    this.devices.close(context, this.engine);
    this.engine.closeContext(context.index);
  }

  unload(handle: number): void {
    const module = this.modules.get(handle);
    if (!module) return;
    this.modules.delete(handle);
    module.context.modules.delete(handle);
    for (const { handle: raw } of module.functions.values()) this.functions.delete(raw);
    for (const end of module.ends) end();
    if (module.loaded) this.loader.unload(module.loaded);
  }

  /** Forget the pool and the managed state of a freed allocation. */
  forgetAllocation(address: number): void {
    this.pools.forget(address);
    this.managed.delete(address);
  }

  /** Whether an address is in a `__managed__` variable. */
  inManagedVariable(address: number): boolean {
    for (const { loaded } of this.modules.values()) {
      for (const [{ managed, byteLength }, start] of loaded?.program.variables.values() ?? []) {
        if (managed && address >= start && address < start + byteLength) return true;
      }
    }
    return false;
  }

  /** Eight bytes of device memory for a time stamp; undefined when there is no memory. */
  takeCell(): number | undefined {
    if (this.#cells.length === 0) {
      const base = this.memory.allocate(8 * CELLS);
      if (base === undefined) return undefined;
      for (let i = CELLS - 1; i >= 0; i--) this.#cells.push(base + 8 * i);
    }
    return this.#cells.pop();
  }

  /** A handle for an event. */
  addEvent(event: CpuEvent): number {
    const handle = this.newHandle();
    this.events.set(handle, event);
    event.context.events.add(handle);
    return handle;
  }

  forgetEvent(handle: number): void {
    const event = this.events.get(handle);
    if (!event) return;
    this.events.delete(handle);
    event.context.events.delete(handle);
    const { shared, cell } = event;
    const give = (): void => {
      if (shared) this.ipc.dropEvent(shared);
      else this.#cells.push(cell);
    };
    if (!shared && this.finished(event.last)) give();
    else this.engine.afterAll(give);
  }
}

import type { CpuKernel } from '../abi/program.ts';
import { Status } from '../abi/status.ts';
import { Afterwards } from './afterwards.ts';
import { ArgumentRing } from './argument-ring.ts';
import { milliseconds } from './clock.ts';
import { clearFault, loseOpen } from './context-fault.ts';
import {
  contextWord,
  FROM_HOST,
  GRID_ROUNDS,
  Kind,
  MAX_CONTEXTS,
  PART_BYTES,
  SHARED_BYTES,
  Slot,
  Word,
} from './control.ts';
import { Farewell } from './farewell.ts';
import { endingOf, type Ending } from './engine-ending.ts';
import { crewOf, type Crew, type EngineOptions } from './engine-options.ts';
import { DeviceHeap } from './heap.ts';
import { shareOf, writeShape, type LaunchHow, type LaunchShape } from './launch-shape.ts';
import { LaunchChecks } from './launch-checks.ts';
import { LaunchMemory, takeRoom, writeArea } from './launch-memory.ts';
import { rangesFor, ROOM, writeRanges } from './launch-ranges.ts';
import type { DeviceMemory } from './memory.ts';
import { describeMove } from './move.ts';
import { WorkerPool } from './pool.ts';
import { PrintBuffer } from './print-buffer.ts';
import type { LoadedProgram } from './program.ts';
import { CommandQueue } from './queue.ts';
import { TimeLimit } from './time-limit.ts';

const RING_BYTES = 1 << 20;
const PRINT_BYTES = 1 << 20;
const HEAP_BYTES = 8 << 20;
const MIN_STACK = 1 << 20;
/** The distance between the data of two workers, so that they do not share cache lines. */
const LINE = 256;
const FIRST = [0, 0, 0] as const;

/** Runs commands: launches, copies, fills and time stamps, each after those that the queue was told it follows. */
export class Engine {
  readonly memory: DeviceMemory;
  readonly queue: CommandQueue = new CommandQueue(() => this.check());
  readonly checks: LaunchChecks;
  readonly farewell: Farewell = new Farewell(this);
  readonly #options: EngineOptions;
  readonly #prints = new SharedArrayBuffer(PRINT_BYTES);
  #printBuffer: PrintBuffer = new PrintBuffer(this.queue.control, new Uint8Array(this.#prints));
  readonly #programs = new Map<number, LoadedProgram>();
  #ring: ArgumentRing | undefined;
  #pool: WorkerPool | undefined;
  #sharedBase = 0;
  #stack = { base: 0, stride: 0 };
  readonly #areas: LaunchMemory;
  /** The size of the heap of kernels' `malloc`. */
  heapBytes: number = HEAP_BYTES;
  readonly #afterwards: Afterwards = new Afterwards(this.queue);
  readonly #contexts = new Set<number>();
  readonly #limit: TimeLimit;
  #started = 0;
  /** The latest cooperative launch. */
  #lastGrid: number | undefined;
  /** Called when gates are in another control block. */
  readonly moved: Set<() => void> = new Set();

  constructor(memory: DeviceMemory, options: EngineOptions) {
    this.memory = memory;
    this.#options = options;
    this.#areas = new LaunchMemory(memory, options.workers, (release) => this.afterAll(release));
    this.#limit = new TimeLimit(this.queue, options.timeoutMs);
    this.checks = new LaunchChecks({
      memory,
      control: () => this.control,
      waitForAll: () => this.queue.waitForAll(),
      programOf: (id) => this.#programs.get(id)?.program,
      found: options.found,
    });
    // The same seed draws the same order only if the same launches follow each other.
    this.queue.serial = this.checks.order.seed !== undefined;
  }

  get workers(): number {
    return this.#options.workers;
  }

  get control(): Int32Array {
    return this.queue.control;
  }

  /** A new context's number, which its commands carry; undefined where there are too many contexts. */
  openContext(): number | undefined {
    for (let index = 0; index < MAX_CONTEXTS; index++) {
      if (this.#contexts.has(index)) continue;
      this.#contexts.add(index);
      clearFault(this.control, index);
      // A worker starts while the program compiles its first kernel.
      if (this.#ready()) this.#startWorkers(1);
      return index;
    }
    return undefined;
  }

  closeContext(index: number): void {
    this.#contexts.delete(index);
  }

  /** The first fault of a context, or 0. */
  status(context: number): number {
    return Atomics.load(this.control, contextWord(context));
  }

  /** Forget the fault of a context. */
  clear(context: number): void {
    clearFault(this.control, context);
  }

  /**
   * Keep the tables of the checked mode from now on.
   *
   * @param records - also record writes and their threads
   * @returns a CUDA status
   */
  turnOnChecks(records: boolean): number {
    if (!this.#ready() || !this.checks.turnOn(records, this.heapBytes)) return Status.OUT_OF_MEMORY;
    // The tables have one launch for each access, not what it may run beside.
    this.queue.serial = true;
    return Status.SUCCESS;
  }

  /** Set the size of the heap of kernels' `malloc`. False after the first kernel: then it is fixed. */
  resizeHeap(byteLength: number): boolean {
    if (Atomics.load(this.control, Word.HEAP_BASE) !== 0) return false;
    this.heapBytes = Math.min(2 ** 30, Math.max(64 * 1024, byteLength));
    return true;
  }

  /** Stack of each worker; called with nothing running. */
  resizeStacks(threadBytes: number): void {
    const stride = Math.ceil(Math.max(MIN_STACK, threadBytes + MIN_STACK / 4) / LINE) * LINE;
    if (stride === this.#stack.stride || !this.#ready()) return;
    this.queue.waitForAll();
    const base = this.memory.allocate(stride * this.workers);
    if (base === undefined) return;
    this.memory.release(this.#stack.base);
    this.#stack = { base, stride };
    this.#pool?.moveStacks(base, stride);
  }

  addProgram(program: LoadedProgram): void {
    this.#programs.set(program.image.id, program);
    this.#pool?.load(program.image);
  }

  removeProgram(program: LoadedProgram): void {
    this.checks.read();
    this.#programs.delete(program.image.id);
    this.#pool?.unload(program.image.id);
  }

  /**
   * Enqueue a kernel. Afterwards the number of the command is `queue.next` minus 1.
   *
   * @returns a CUDA status
   */
  launch(
    program: number,
    kernel: CpuKernel,
    index: number,
    context: number,
    args: Uint8Array,
    shape: LaunchShape,
    { cooperative, report, host, first = FIRST }: LaunchHow,
  ): number {
    if (!this.#ready()) return Status.OUT_OF_MEMORY;
    // One by one: destructuring an array is slow.
    const blocks = (shape[0] as number) * (shape[1] as number) * (shape[2] as number);
    const threads = (shape[3] as number) * (shape[4] as number) * (shape[5] as number);
    const loaded = this.#programs.get(program);
    const image = loaded?.image;
    const launching = image?.launches ? loaded?.program.kernels : undefined;
    const area =
      image && cooperative && kernel.cooperative
        ? this.#areas.forGrid(kernel, image, threads, blocks, shape[6] as number, launching)
        : this.#areas.forBlocks(kernel, threads, launching);
    if (!area) return Status.LAUNCH_OUT_OF_RESOURCES;
    const { grid } = area;
    // The blocks of all grids have the same memory.
    if (grid && this.#lastGrid !== undefined) this.queue.also(this.#lastGrid);
    const rounds = (grid ? GRID_ROUNDS : 0) + (launching ? GRID_ROUNDS : 0);
    const epoch = this.checks.count(image?.checked === true, Math.max(1, rounds));
    const base = this.queue.reserve();
    if (image?.checked === true) this.checks.note(base, args, host);
    const ranges = loaded ? rangesFor(kernel, loaded, args, this.memory) : undefined;
    const address = (this.#ring as ArgumentRing).take(args.length + (ranges ? ROOM + ranges.length : 0));
    this.memory.bytes.set(args, address);
    const control = this.control;
    control[base + Slot.PROGRAM] = program;
    control[base + Slot.KERNEL] = index;
    control[base + Slot.ARGUMENTS] = address;
    writeRanges(this.memory, control, base, address + args.length, ranges);
    writeShape(control, base, shape, first);
    control[base + Slot.EPOCH] = epoch;
    control[base + Slot.REPORT] = report ? 1 : 0;
    control[base + Slot.ORDER] = this.checks.order.next();
    writeArea(control, base, area);
    if (launching) control[base + Slot.DEPTH] = 0;
    // Blocks of a cooperative launch may also wait for each other in a loop of their own, so no share holds two of
    // them.
    const chunk = cooperative ? 1 : shareOf(blocks, this.workers);
    const crew = crewOf(launching !== undefined, cooperative, blocks * threads);
    const sequence = this.#submit(base, Kind.LAUNCH, context, blocks, chunk, crew);
    if (grid) this.#lastGrid = sequence;
    return Status.SUCCESS;
  }

  /** Enqueue a copy within the memory. */
  copy(context: number, to: number, from: number, byteLength: number): number {
    return this.#move(Kind.COPY, context, to, from, byteLength, 0, 0);
  }

  /** Enqueue a copy of bytes that the caller may change at once; at most {@link Engine.stageable}. */
  upload(context: number, to: number, source: Uint8Array): number {
    if (!this.#ready()) return Status.OUT_OF_MEMORY;
    const base = this.queue.reserve();
    const from = (this.#ring as ArgumentRing).take(source.length);
    this.memory.bytes.set(source, from);
    describeMove(this.control, base, to, from, source.length, FROM_HOST, 0);
    this.#submit(base, Kind.COPY, context, Math.ceil(source.length / PART_BYTES), 1);
    return Status.SUCCESS;
  }

  /** The most bytes that {@link Engine.upload} takes. */
  get stageable(): number {
    return RING_BYTES >>> 4;
  }

  /** Enqueue a fill with a value of 1, 2 or 4 bytes. */
  fill(context: number, to: number, byteLength: number, value: number, width: number): number {
    return this.#move(Kind.FILL, context, to, 0, byteLength, value, width);
  }

  /** Enqueue the writing of the time to memory, in milliseconds as a double. */
  stamp(context: number, to: number): number {
    return this.#move(Kind.EVENT, context, to, 0, 1, 0, 0);
  }

  #move(
    kind: number,
    context: number,
    to: number,
    from: number,
    byteLength: number,
    value: number,
    width: number,
  ): number {
    if (!this.#ready()) return Status.OUT_OF_MEMORY;
    const base = this.queue.reserve();
    (this.#ring as ArgumentRing).take(0);
    describeMove(this.control, base, to, from, byteLength, value, width);
    this.#submit(base, kind, context, Math.ceil(byteLength / PART_BYTES), 1);
    return Status.SUCCESS;
  }

  /** Enqueue a gate, as the queue does, which a thread with a `Gatekeeper` opens; undefined where memory is full. */
  gate(after: readonly number[], context: number, isStill = false): number | undefined {
    if (!this.#ready()) return undefined;
    this.#startWorkers(1);
    const sequence = this.queue.gate(after, context, isStill);
    this.#startMore();
    this.collect();
    return sequence;
  }

  #submit(base: number, kind: number, context: number, parts: number, chunk: number, crew: Crew = 'parts'): number {
    const control = this.control;
    control[base + Slot.KIND] = kind;
    control[base + Slot.CONTEXT] = context;
    control[base + Slot.PARTS] = parts;
    control[base + Slot.CHUNK] = chunk;
    const hands = crew === 'all' ? this.workers : Math.min(this.workers, Math.ceil(parts / chunk));
    this.#startWorkers(hands, crew === 'few');
    const sequence = this.queue.submit(hands);
    if (this.queue.isHead) this.#limit.start(sequence);
    this.#startMore();
    this.collect();
    return sequence;
  }

  /** Sleep until a command has finished, and write the output of kernels. */
  wait(sequence: number): void {
    if (!this.queue.done(sequence)) this.queue.wait(sequence);
    this.#hear();
  }

  /** As the queue's function does, and write the output of kernels. */
  waitUpTo(sequence: number, context?: number): void {
    this.queue.waitUpTo(sequence, context);
    this.#hear();
  }

  #hear(): void {
    this.checks.read();
    this.collect();
    this.flush();
  }

  /** Write the output of kernels. */
  flush(): void {
    for (const { bytes, error } of this.#printBuffer.read()) (error ? process.stderr : process.stdout).write(bytes);
  }

  /** Call a function when all present commands have finished. */
  afterAll(run: () => void): void {
    this.#afterwards.add(run);
  }

  /** Call those functions whose commands have finished. */
  collect(): void {
    this.#afterwards.collect();
  }

  /** End the running commands; their contexts are lost. */
  abandon(): void {
    if (!this.queue.idle) this.#abort({ status: Status.LAUNCH_FAILED, cause: this.queue.first, every: true });
  }

  /** Check whether a kernel exceeds the time limit, or a worker has ended; then end all workers. */
  check(): void {
    const ending = this.#pool && endingOf(this.queue, this.#limit, this.#pool, this.#started);
    if (ending) this.#abort(ending);
    this.#pool?.startLate();
    this.queue.watchWorkers(this.#pool?.started ?? 0);
  }

  #abort({ status, cause, every }: Ending): void {
    this.#pool?.terminate();
    this.#pool = undefined;
    loseOpen(this.queue, status, cause, every);
    const heapBroken = Atomics.load(this.control, Word.HEAP_LOCK) !== 0;
    this.queue.restart();
    this.#printBuffer = new PrintBuffer(this.control, new Uint8Array(this.#prints));
    if (heapBroken) this.#prepareHeap(Atomics.load(this.control, Word.HEAP_BASE) >>> 0);
    for (const moved of this.moved) moved();
    if (!this.queue.idle) this.#startWorkers(this.queue.lanes.busy);
  }

  /**
   * Allocate the memory that commands need: space for arguments, the workers' stacks and shared memory, the heap of
   * kernels.
   */
  #ready(): boolean {
    if (this.#ring) return true;
    const { memory, workers } = this;
    const room = takeRoom(memory, [RING_BYTES, MIN_STACK * workers, SHARED_BYTES * workers], this.heapBytes);
    if (!room) return false;
    const [ring = 0, stack = 0, shared = 0, heap = 0] = room;
    this.#stack = { base: stack, stride: MIN_STACK };
    this.#sharedBase = shared;
    this.#prepareHeap(heap);
    this.#ring = new ArgumentRing(this.queue, ring, RING_BYTES);
    return true;
  }

  #prepareHeap(base: number): void {
    DeviceHeap.prepare(this.control, this.memory.words, base, this.heapBytes);
    this.memory.guard?.hide(base, this.heapBytes);
  }

  /** Start workers until there are this many. */
  #startWorkers(count: number, isLight = false): void {
    const pool = this.#pool ?? this.#makePool();
    if (pool.started >= count) return;
    pool.ensure(count, isLight);
    this.queue.watchWorkers(pool.started);
  }

  /**
   * Start a worker for each lane that has commands, however light they are: the kernel of one lane may wait for that of
   * another.
   */
  #startMore(): void {
    if (this.queue.lanes.used > 1 && (this.#pool?.started ?? 0) < this.workers)
      this.#startWorkers(this.queue.lanes.busy);
  }

  #makePool(): WorkerPool {
    const setup = {
      control: this.control,
      prints: this.#prints,
      memory: this.memory.memory,
      shared: this.#sharedBase,
    };
    const pool = new WorkerPool(setup, this.workers, this.#stack);
    for (const { image } of this.#programs.values()) pool.load(image);
    this.#started = milliseconds();
    return (this.#pool = pool);
  }
}

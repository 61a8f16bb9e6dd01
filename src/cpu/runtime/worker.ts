import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { ThreadStart } from '../../core/kernel-thread.ts';
import { PEER_EXPORTS } from '../abi/peers.ts';
import type { WasmGlobal, WasmInstance, WasmMemory } from '../abi/webassembly.ts';
import { ChildLaunches } from './child-launches.ts';
import { milliseconds } from './clock.ts';
import { noteFault } from './context-fault.ts';
import {
  contextAccessWord,
  contextWord,
  firstShare,
  FROM_HOST,
  Kind,
  Left,
  MAX_SHARES,
  PART_BYTES,
  Slot,
  Word,
} from './control.ts';
import { isMeant, KernelFault, PeerFault } from './fault.ts';
import type { Running } from './finding.ts';
import { reachGate } from './gate.ts';
import { hostFunctions } from './host.ts';
import { CONTEXT_AT } from './grid-area.ts';
import type { MemoryGuard } from './guard.ts';
import { PrintBuffer } from './print-buffer.ts';
import type { PrintMemory } from './printf.ts';
import { instantiate, type ProgramImage } from './program.ts';
import { seedOf, shuffled } from './shuffle.ts';
import { WorkList } from './work-list.ts';
import { WorkerChecks } from './worker-checks.ts';
import type { Loaded, Run, RunBlock } from './worker-program.ts';

/** The first message of a worker. */
export interface WorkerData {
  readonly index: number;
  readonly control: SharedArrayBuffer;
  readonly prints: SharedArrayBuffer;
  readonly memory: WasmMemory;
  /** Where this worker's dynamic shared memory begins. */
  readonly shared: number;
}

/** The messages of the main thread. */
export type WorkerMessage =
  | { readonly type: 'load'; readonly image: ProgramImage }
  | { readonly type: 'unload'; readonly id: number }
  | { readonly type: 'stack'; readonly base: number; readonly stride: number };

/** The state of a block that has not started. */
const START = 1;
/** What functions that do not call themselves may need where a recursion ends. */
const STACK_RESERVE = 1 << 17;

const { port, begun } = workerData as ThreadStart;
Atomics.wait(begun, 0, 0);
const { index, control: controlBuffer, prints, memory, shared } = received() as WorkerData;
const control = new Int32Array(controlBuffer);
const list = new WorkList(control, index);
const programs = new Map<number, Loaded>();
const running: Running = { program: 0, kernel: 0, context: 0, firstBlock: 0, command: 0, report: false, findings: 0 };
let bytes = new Uint8Array(memory.buffer);
let view = new DataView(memory.buffer);
let stackTop = 0;
let stackEnd = 0;
let messages = 0;

const checks = new WorkerChecks({
  control,
  running,
  shared,
  memory: () => {
    reach(Infinity);
    return bytes.buffer;
  },
});
const seen = {
  control,
  running,
  guard: (): MemoryGuard | undefined => checks.guard,
  memory: (): PrintMemory => {
    reach(Infinity);
    return { bytes, view };
  },
};
const children = new ChildLaunches({
  ...seen,
  limitsOf: (kernel) => programs.get(running.program)?.image.launches?.[kernel],
});
const imports = hostFunctions({
  ...seen,
  prints: new PrintBuffer(control, new Uint8Array(prints)),
  baseOf: (address) => {
    const base = programs.get(running.program)?.instance?.exports['__rk_base'];
    // Programs of earlier versions have none.
    return base === undefined ? 0n : (base as (address: bigint) => bigint)(address);
  },
});
const host = { ...imports, ...children.functions };

/** Update the views after the memory has grown, so that they reach at least to `end` if the memory does. */
function reach(end: number): void {
  if (bytes.length >= end) return;
  // Another thread's growth is visible here for certain only after a call of `grow` in this thread.
  memory.grow(0);
  if (memory.buffer === bytes.buffer) return;
  bytes = new Uint8Array(memory.buffer);
  view = new DataView(memory.buffer);
}

function received(): unknown {
  return (receiveMessageOnPort(port) as { readonly message: unknown } | undefined)?.message;
}

function receive(): void {
  const sent = Atomics.load(control, Word.MESSAGES);
  if (sent === messages) return;
  messages = sent;
  for (
    let message = received() as WorkerMessage | undefined;
    message;
    message = received() as WorkerMessage | undefined
  ) {
    switch (message.type) {
      case 'load':
        programs.set(message.image.id, { image: message.image, instance: undefined, runs: [] });
        break;
      case 'unload':
        programs.delete(message.id);
        break;
      default:
        stackTop = message.base + (index + 1) * message.stride;
        stackEnd = stackTop - message.stride + STACK_RESERVE;
        // An instance keeps its stack pointer, so that the next launch makes new instances.
        for (const loaded of programs.values()) reset(loaded);
    }
  }
}

function reset(loaded: Loaded): void {
  loaded.instance = undefined;
  loaded.runs.length = 0;
}

function instanceOf(loaded: Loaded): WasmInstance {
  if (loaded.instance) return loaded.instance;
  const { image } = loaded;
  const made = (loaded.instance = instantiate(image, memory, stackTop, host));
  startLocal(loaded, made, image.tlsBase + index * image.tlsStride);
  return made;
}

/** Initialise the thread-local variables, which include shared memory, at an address. */
function startLocal({ image }: Loaded, instance: WasmInstance, address: number): void {
  (instance.exports['__wasm_init_tls'] as ((base: bigint) => void) | undefined)?.(BigInt(address));
  (instance.exports['__rk_stack'] as ((end: bigint) => void) | undefined)?.(BigInt(stackEnd));
  if (image.checked) checks.start(instance, address, image.tlsStride);
}

function entry(loaded: Loaded, kernel: number): Run {
  const known = loaded.runs[kernel];
  if (known) return known;
  return (loaded.runs[kernel] = instanceOf(loaded).exports[`run_${loaded.image.symbols[kernel]}`] as Run);
}

function launch(base: number, first: number, count: number): void {
  const program = control[base + Slot.PROGRAM] as number;
  running.program = program;
  running.kernel = control[base + Slot.KERNEL] as number;
  running.context = control[base + Slot.CONTEXT] as number;
  running.firstBlock = first;
  running.command = base;
  running.report = control[base + Slot.REPORT] === 1;
  running.findings = 0;
  children.start();
  const loaded = programs.get(program);
  if (!loaded) throw new Error(`The program ${program} is not loaded`);
  if (!loaded.image.checked) checks.leave();
  try {
    const order = (control[base + Slot.ORDER] as number) >>> 0;
    if (loaded.image.peers === true) admit(loaded);
    if (control[base + Slot.GRID_AREA] !== 0) {
      for (let part = first; part < first + count; part++) launchBlock(loaded, base, inTurn(part, base, order), order);
      return;
    }
    const run = entry(loaded, running.kernel);
    if (loaded.image.checked && loaded.instance) checks.enter(loaded.instance);
    if (order === 0) {
      launchBlocks(run, base, first, count);
      return;
    }
    for (let part = first; part < first + count; part++) {
      const block = inTurn(part, base, order);
      running.firstBlock = block;
      shuffle(loaded.instance, seedOf(order, block));
      launchBlocks(run, base, block, 1);
    }
  } catch (error) {
    const refused = refusedBy(loaded);
    // The stack pointer and the kernel's data of its block are not reliable now.
    reset(loaded);
    throw refused === 0 ? error : new PeerFault(refused, { cause: error });
  }
}

/** Tell a program what memory the running context may reach. */
function admit(loaded: Loaded): void {
  const table = instanceOf(loaded).exports[PEER_EXPORTS[0]] as WasmGlobal;
  table.value = control[contextAccessWord(running.context)] as number;
}

/** The address of the access that was refused; 0 where none was. */
function refusedBy({ instance }: Loaded): number {
  return Number((instance?.exports[PEER_EXPORTS[1]] as WasmGlobal | undefined)?.value ?? 0);
}

function launchBlocks(run: Run, base: number, first: number, count: number): void {
  const unsigned = (at: number): number => (control[base + at] as number) >>> 0;
  run(
    BigInt(unsigned(Slot.ARGUMENTS)),
    first,
    count,
    control[base + Slot.BLOCK] as number,
    control[base + Slot.BLOCK + 1] as number,
    control[base + Slot.BLOCK + 2] as number,
    control[base + Slot.GRID] as number,
    control[base + Slot.GRID + 1] as number,
    control[base + Slot.GRID + 2] as number,
    BigInt(unsigned(Slot.SCRATCH) + index * unsigned(Slot.SCRATCH_STRIDE)),
    control[base + Slot.SHARED] === 0 ? 0n : BigInt(shared),
  );
}

/** The block that runs as the nth one. */
function inTurn(part: number, base: number, order: number): number {
  return order === 0 ? part : shuffled(part, control[base + Slot.PARTS] as number, order);
}

/** Set the order of threads for the next block from a seed. Programs of earlier versions lack the function. */
function shuffle(instance: WasmInstance | undefined, seed: number): void {
  (instance?.exports['__rk_shuffle'] as ((seed: number) => void) | undefined)?.(seed);
}

/** Run a block of a cooperative launch up to its next barrier of the grid, in memory of its own. */
function launchBlock(loaded: Loaded, base: number, block: number, order: number): void {
  const unsigned = (at: number): number => (control[base + at] as number) >>> 0;
  const area = unsigned(Slot.GRID_AREA) + block * unsigned(Slot.GRID_STRIDE);
  reach(area + unsigned(Slot.GRID_STRIDE));
  const isFirst = Atomics.load(control, base + Slot.ROUND) === 0;
  const from = isFirst ? START : view.getInt32(area, true);
  if (from === 0) return;
  const { image } = loaded;
  const instance = instanceOf(loaded);
  const local = instance.exports['__tls_base'] as WasmGlobal | undefined;
  const own = local?.value;
  if (isFirst && image.checked) checks.guard?.give(area, unsigned(Slot.GRID_STRIDE), 'private');
  if (isFirst) startLocal(loaded, instance, area + unsigned(Slot.GRID_LOCAL));
  else if (local) local.value = BigInt(area + unsigned(Slot.GRID_LOCAL));
  if (image.checked) {
    checks.enterGrid(instance, area + unsigned(Slot.GRID_SHARED), control[base + Slot.ROUND] as number);
  }
  running.firstBlock = block;
  if (order !== 0) shuffle(instance, seedOf(order, block + unsigned(Slot.ROUND)));
  const run = instance.exports[`grid_${image.symbols[running.kernel]}`] as RunBlock;
  const left = run(
    BigInt(unsigned(Slot.ARGUMENTS)),
    block,
    from,
    unsigned(Slot.BLOCK),
    unsigned(Slot.BLOCK + 1),
    unsigned(Slot.BLOCK + 2),
    unsigned(Slot.GRID),
    unsigned(Slot.GRID + 1),
    unsigned(Slot.GRID + 2),
    BigInt(area + CONTEXT_AT),
    control[base + Slot.SHARED] === 0 ? 0n : BigInt(area + unsigned(Slot.GRID_SHARED)),
  );
  if (local && own !== undefined) local.value = own;
  view.setInt32(area, left, true);
  if (left !== 0) Atomics.or(control, base + Slot.LEFT, Left.ROUND);
}

function copy(base: number, part: number): void {
  const size = (control[base + Slot.BYTES] as number) >>> 0;
  const at = part * PART_BYTES;
  const from = ((control[base + Slot.FROM] as number) >>> 0) + at;
  const to = ((control[base + Slot.TO] as number) >>> 0) + at;
  const length = Math.min(PART_BYTES, size - at);
  reach(Math.max(from, to) + length);
  bytes.copyWithin(to, from, from + length);
  if (control[base + Slot.VALUE] === FROM_HOST) checks.guard?.write(to, length);
  else checks.guard?.copy(to, from, length);
}

function fill(base: number, part: number): void {
  const size = (control[base + Slot.BYTES] as number) >>> 0;
  const at = part * PART_BYTES;
  const to = ((control[base + Slot.TO] as number) >>> 0) + at;
  const length = Math.min(PART_BYTES, size - at);
  reach(to + length);
  const value = control[base + Slot.VALUE] as number;
  const width = control[base + Slot.WIDTH] as number;
  if (width === 4) new Int32Array(bytes.buffer, to, length / 4).fill(value);
  else if (width === 2) new Int16Array(bytes.buffer, to, length / 2).fill(value);
  else bytes.fill(value, to, to + length);
  checks.guard?.write(to, length);
}

function execute(base: number, first: number, count: number): void {
  switch (control[base + Slot.KIND]) {
    case Kind.LAUNCH:
      launch(base, first, count);
      break;
    case Kind.JOIN:
      break;
    case Kind.EVENT: {
      const to = (control[base + Slot.TO] as number) >>> 0;
      reach(to + 8);
      view.setFloat64(to, milliseconds(), true);
      break;
    }
    default:
      for (let part = first; part < first + count; part++) {
        if (control[base + Slot.KIND] === Kind.COPY) copy(base, part);
        else fill(base, part);
      }
  }
}

/** Take parts of a command until none is left. */
function work(base: number): void {
  if (control[base + Slot.KIND] === Kind.GATE) {
    if (Atomics.add(control, base + Slot.NEXT, 1) === 0 && reachGate(control, base, list.lane)) list.complete(base);
    return;
  }
  const isLaunch = control[base + Slot.KIND] === Kind.LAUNCH;
  const context = control[base + Slot.CONTEXT] as number;
  const status = contextWord(context);
  for (;;) {
    const share = Atomics.add(control, base + Slot.NEXT, 1);
    const parts = Atomics.load(control, base + Slot.PARTS);
    const chunk = Atomics.load(control, base + Slot.CHUNK);
    // While a share is not done the command stays what it is. Behind the last one it may become a kernel's launch, which
    // says so before it has parts of its own.
    const child = isLaunch ? Atomics.load(control, base + Slot.CHILD) : 0;
    const first = (share & (MAX_SHARES - 1)) * chunk;
    if (firstShare(child) !== (share & -MAX_SHARES) || first >= parts) return;
    const count = Math.min(chunk, parts - first);
    if (Atomics.load(control, status) !== 0) Atomics.store(control, base + Slot.SKIPPED, 1);
    else {
      try {
        execute(base, first, count);
      } catch (error) {
        const known = error instanceof KernelFault ? error : undefined;
        const fault = known?.status ?? checks.noteTrap(error);
        if (!running.report || !known || isMeant(known.kind)) noteFault(control, context, fault, list.head);
      }
    }
    if (Atomics.add(control, base + Slot.DONE, count) + count !== parts) continue;
    if (Atomics.load(control, base + Slot.LEFT) !== 0 && goOn(base, status)) continue;
    list.complete(base);
    return;
  }
}

/** Start what is left of a command: the next round of its grid, or a launch that a kernel has made. False if it ends. */
function goOn(base: number, status: number): boolean {
  const isHeld = (Atomics.load(control, base + Slot.LEFT) & Left.ROUND) !== 0;
  if (isHeld && Atomics.load(control, status) === 0) nextRound(base);
  else {
    if (isHeld) Atomics.store(control, base + Slot.SKIPPED, 1);
    // It also frees them after a fault.
    if (!children.next(base)) return false;
  }
  list.call(Infinity);
  return true;
}

/** All blocks of a grid have arrived at a barrier of the grid, or have ended. */
function nextRound(base: number): void {
  Atomics.and(control, base + Slot.LEFT, ~Left.ROUND);
  Atomics.add(control, base + Slot.ROUND, 1);
  Atomics.store(control, base + Slot.DONE, 0);
  // From here on other workers may take parts.
  Atomics.store(control, base + Slot.NEXT, 0);
}

Atomics.add(control, Word.READY, 1);
for (;;) {
  const { rounds } = list;
  const base = list.take();
  if (base < 0) {
    list.sleep(rounds);
    continue;
  }
  receive();
  work(base);
  list.leave();
}

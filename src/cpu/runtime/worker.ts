import { receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import type { WasmInstance, WasmMemory } from '../webassembly.ts';
import { milliseconds } from './clock.ts';
import { activeMark, activeWord, contextWord, Kind, PART_BYTES, reached, Slot, slotBase, Word } from './control.ts';
import { FaultKind, find, hostFunctions, type Running } from './host.ts';
import { faultOf } from './fault.ts';
import { PrintBuffer } from './print-buffer.ts';
import { instantiate, type ProgramImage } from './program.ts';

/** What a worker is started with. */
export interface WorkerData {
  readonly index: number;
  readonly control: SharedArrayBuffer;
  readonly prints: SharedArrayBuffer;
  readonly memory: WasmMemory;
  readonly port: MessagePort;
  readonly report: boolean;
  /** Where this worker's dynamic shared memory begins. */
  readonly shared: number;
}

/** What the main thread sends. */
export type WorkerMessage =
  | { readonly type: 'load'; readonly image: ProgramImage }
  | { readonly type: 'unload'; readonly id: number }
  | { readonly type: 'stack'; readonly base: number; readonly stride: number };

type Run = (
  args: bigint,
  firstBlock: number,
  blocks: number,
  dx: number,
  dy: number,
  dz: number,
  gx: number,
  gy: number,
  gz: number,
  context: bigint,
  shared: bigint,
) => void;

interface Loaded {
  readonly image: ProgramImage;
  instance: WasmInstance | undefined;
  readonly runs: (Run | undefined)[];
}

/** Looks at a counter before the thread goes to sleep: waking a thread takes longer than that. */
const SPINS = 300;

const { index, control: controlBuffer, prints, memory, port, report, shared } = workerData as WorkerData;
const control = new Int32Array(controlBuffer);
const programs = new Map<number, Loaded>();
const running: Running = { program: 0, kernel: 0, context: 0, firstBlock: 0 };
let bytes = new Uint8Array(memory.buffer);
let view = new DataView(memory.buffer);
let stackTop = 0;
let messages = 0;

const host = hostFunctions({
  control,
  prints: new PrintBuffer(control, new Uint8Array(prints)),
  memory: () => {
    reach(Infinity);
    return { bytes, view };
  },
  report,
  running,
});

/** See the memory as long as it is by now: at least up to `end`, if it is that long. */
function reach(end: number): void {
  if (bytes.length >= end) return;
  // Another thread's growth shows here at once only after a call of one's own.
  memory.grow(0);
  if (memory.buffer === bytes.buffer) return;
  bytes = new Uint8Array(memory.buffer);
  view = new DataView(memory.buffer);
}

function receive(): void {
  const sent = Atomics.load(control, Word.MESSAGES);
  if (sent === messages) return;
  messages = sent;
  for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
    const { message } = got as unknown as { readonly message: WorkerMessage };
    switch (message.type) {
      case 'load':
        programs.set(message.image.id, { image: message.image, instance: undefined, runs: [] });
        break;
      case 'unload':
        programs.delete(message.id);
        break;
      default:
        stackTop = message.base + (index + 1) * message.stride;
        // An instance keeps its stack pointer: the next launch makes new ones.
        for (const loaded of programs.values()) reset(loaded);
    }
  }
}

function reset(loaded: Loaded): void {
  loaded.instance = undefined;
  loaded.runs.length = 0;
}

function entry(loaded: Loaded, kernel: number): Run {
  const known = loaded.runs[kernel];
  if (known) return known;
  const { image } = loaded;
  if (!loaded.instance) {
    loaded.instance = instantiate(image, memory, stackTop, host);
    const start = loaded.instance.exports['__wasm_init_tls'] as ((base: bigint) => void) | undefined;
    start?.(BigInt(image.tlsBase + index * image.tlsStride));
  }
  return (loaded.runs[kernel] = loaded.instance.exports[`run_${image.symbols[kernel]}`] as Run);
}

function launch(base: number, first: number, count: number): void {
  const program = control[base + Slot.PROGRAM] as number;
  running.program = program;
  running.kernel = control[base + Slot.KERNEL] as number;
  running.context = control[base + Slot.CONTEXT] as number;
  running.firstBlock = first;
  const loaded = programs.get(program);
  if (!loaded) throw new Error(`The program ${program} is not loaded`);
  try {
    entry(loaded, running.kernel)(
      BigInt((control[base + Slot.ARGUMENTS] as number) >>> 0),
      first,
      count,
      control[base + Slot.BLOCK] as number,
      control[base + Slot.BLOCK + 1] as number,
      control[base + Slot.BLOCK + 2] as number,
      control[base + Slot.GRID] as number,
      control[base + Slot.GRID + 1] as number,
      control[base + Slot.GRID + 2] as number,
      BigInt(
        ((control[base + Slot.SCRATCH] as number) >>> 0) +
          index * ((control[base + Slot.SCRATCH_STRIDE] as number) >>> 0),
      ),
      control[base + Slot.SHARED] === 0 ? 0n : BigInt(shared),
    );
  } catch (error) {
    // The stack pointer and whatever the kernel kept for its block are not to be relied on.
    reset(loaded);
    throw error;
  }
}

function copy(base: number, part: number): void {
  const size = (control[base + Slot.BYTES] as number) >>> 0;
  const at = part * PART_BYTES;
  const from = ((control[base + Slot.FROM] as number) >>> 0) + at;
  const to = ((control[base + Slot.TO] as number) >>> 0) + at;
  const length = Math.min(PART_BYTES, size - at);
  reach(Math.max(from, to) + length);
  bytes.copyWithin(to, from, from + length);
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
}

function execute(base: number, first: number, count: number): void {
  switch (control[base + Slot.KIND]) {
    case Kind.LAUNCH:
      launch(base, first, count);
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
function work(sequence: number): void {
  const base = slotBase(sequence);
  const parts = control[base + Slot.PARTS] as number;
  const chunk = control[base + Slot.CHUNK] as number;
  const status = contextWord(control[base + Slot.CONTEXT] as number);
  for (;;) {
    // Seen unsigned: every worker adds a chunk beyond the end.
    const first = Atomics.add(control, base + Slot.NEXT, chunk) >>> 0;
    if (first >= parts) return;
    const count = Math.min(chunk, parts - first);
    if (Atomics.load(control, status) === 0) {
      try {
        execute(base, first, count);
      } catch (error) {
        const fault = faultOf(error);
        if (!fault.known) find({ control, running }, FaultKind.TRAP, fault.status, 0n, 0n, -1);
        Atomics.compareExchange(control, status, 0, fault.status);
      }
    }
    if (Atomics.add(control, base + Slot.DONE, count) + count === parts) complete(sequence);
  }
}

function complete(sequence: number): void {
  const completed = (sequence + 1) | 0;
  Atomics.store(control, Word.COMPLETED, completed);
  Atomics.notify(control, Word.COMPLETED);
  if (Atomics.load(control, Word.WAITING) === 1 && reached(completed, Atomics.load(control, Word.WANTED))) {
    Atomics.add(control, Word.SIGNAL, 1);
    Atomics.notify(control, Word.SIGNAL);
  }
}

/** Wait until a word is no longer what it was. */
function await_(word: number, value: number): void {
  for (let i = 0; i < SPINS; i++) if (Atomics.load(control, word) !== value) return;
  Atomics.wait(control, word, value);
}

Atomics.add(control, Word.READY, 1);
for (;;) {
  const sequence = Atomics.load(control, Word.COMPLETED);
  if (sequence === Atomics.load(control, Word.SUBMITTED)) {
    await_(Word.SUBMITTED, sequence);
    continue;
  }
  // The main thread uses a command's place again only when no worker looks at it.
  Atomics.store(control, activeWord(index), activeMark(sequence));
  if (Atomics.load(control, Word.COMPLETED) === sequence) {
    receive();
    work(sequence);
  }
  Atomics.store(control, activeWord(index), 0);
  if (Atomics.load(control, Word.COMPLETED) === sequence) await_(Word.COMPLETED, sequence);
}

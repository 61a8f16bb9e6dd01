import type { HostTrace } from '../../core/host-place.ts';
import { loadSourceFrames } from '../../core/diagnostics.ts';
import type { CpuProgram } from '../abi/program.ts';
import { Word } from './control.ts';
import { FaultKind } from './fault.ts';
import { takeFindings, type EngineFinding } from './finding.ts';
import { DeviceHeap } from './heap.ts';
import { LaunchNotes } from './launch-notes.ts';
import { LaunchOrder } from './launch-order.ts';
import type { DeviceMemory } from './memory.ts';

/** Launches that the marks of the checked mode can tell apart. */
const MAX_EPOCHS = 0x7fff;
/** The most findings that are kept until the next call of `take`. */
const MAX_FINDINGS = 1000;

/** The engine, as far as its checks need it. */
export interface CheckedEngine {
  readonly memory: DeviceMemory;
  readonly control: () => Int32Array;
  /** Sleep until nothing is enqueued. */
  readonly waitForAll: () => void;
  readonly programOf: (id: number) => CpuProgram | undefined;
  /** Called with each finding. */
  readonly found: (finding: EngineFinding) => void;
}

/** The engine's part of the checked mode: tables, numbers of launches, and the list of findings. */
export class LaunchChecks {
  readonly #engine: CheckedEngine;
  readonly #findings: EngineFinding[] = [];
  /** Places of indices that were found wrong. */
  readonly #indices = new Set<string>();
  readonly #notes = new LaunchNotes();
  readonly order: LaunchOrder = new LaunchOrder();
  #next = 1;

  constructor(engine: CheckedEngine) {
    this.#engine = engine;
  }

  /**
   * Keep the tables from now on. The heap of kernels must exist already.
   *
   * @param records - also record writes and their threads
   * @returns false where there is no room for the tables
   */
  turnOn(records: boolean, heapBytes: number): boolean {
    const { memory } = this.#engine;
    if (memory.guard && (memory.guard.records || !records)) return true;
    loadSourceFrames();
    const control = this.#engine.control();
    this.#engine.waitForAll();
    if (!memory.turnOnGuard(records)) return false;
    const { guard } = memory;
    if (!new DeviceHeap(control, () => memory.words).empty) {
      // The users of the present memory, and its writes, are unknown.
      const base = Atomics.load(control, Word.HEAP_BASE) >>> 0;
      guard?.give(base, heapBytes, 'global');
      guard?.write(base, heapBytes);
    }
    Atomics.store(control, Word.GUARDED, guard?.records === true ? 2 : 1);
    return true;
  }

  /**
   * The number of the next launch. When all numbers are used up, the records of earlier launches are cleared and the
   * numbers start again.
   *
   * @param checked - false for a kernel without checks: its writes are not recorded, so all memory counts as written
   * after it
   * @param rounds - the count of numbers that the launch needs
   */
  count(checked: boolean, rounds: number): number {
    const { memory } = this.#engine;
    if (!memory.guard) return 0;
    if (!checked) memory.trust();
    if (this.#next + rounds > MAX_EPOCHS) {
      this.#engine.waitForAll();
      memory.forgetKernels();
      this.#next = 1;
    }
    const epoch = this.#next;
    this.#next += rounds;
    return epoch;
  }

  /** Note a launch of checked code. Earlier findings refer to earlier launches. */
  note(command: number, args: Uint8Array, host: HostTrace | undefined): void {
    this.read();
    this.#notes.add(command, args, host);
  }

  /** Read the new findings, while their programs are still known. */
  read(): void {
    const { programOf, found } = this.#engine;
    const control = this.#engine.control();
    if (Atomics.load(control, Word.FAULTS) === 0) return;
    for (const taken of takeFindings(control, programOf)) {
      if (this.#isSaid(taken)) continue;
      const finding = { ...taken, order: this.order.seed, launch: this.#notes.of(taken.command) };
      found(finding);
      if (this.#findings.length < MAX_FINDINGS) this.#findings.push(finding);
    }
  }

  /**
   * Whether a finding repeats an earlier one: a wrong index is reported before its access, which is then out of bounds.
   */
  #isSaid({ kind, kernel, context, place }: EngineFinding): boolean {
    const key = `${context} ${kernel} ${place?.file}:${place?.line}:${place?.column}`;
    if (kind === FaultKind.INDEX) this.#indices.add(key);
    return kind === FaultKind.OUT_OF_BOUNDS && this.#indices.has(key);
  }

  /** The findings since the last call. */
  take(): readonly EngineFinding[] {
    this.read();
    return this.#findings.splice(0);
  }
}

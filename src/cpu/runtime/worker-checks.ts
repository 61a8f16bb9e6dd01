import type { WasmInstance } from '../abi/webassembly.ts';
import { GRID_ROUNDS, SHARED_BYTES, Slot, Word } from './control.ts';
import { FaultKind, faultOf, PeerFault, Reason, statusOf } from './fault.ts';
import { noteFinding, type Running } from './finding.ts';
import { MemoryGuard } from './guard.ts';

/** Where the number of a launch stands in the mark of an access. */
const EPOCH_SHIFT = 49n;
/** Blocks that the mark of an access can tell apart. */
const MAX_BLOCKS = 1 << 23;

/** A worker, as far as its checks need it. */
export interface CheckedWorker {
  readonly control: Int32Array;
  readonly running: Running;
  /** Where the worker's dynamic shared memory begins. */
  readonly shared: number;
  /** All of the memory, as long as it can become. */
  readonly memory: () => SharedArrayBuffer;
}

type Know = (ranges: bigint, count: number) => void;
type Enter = (tag: bigint, dynamic: bigint, bytes: number, excused: number) => void;

/** A worker's part of the checked mode. */
export class WorkerChecks {
  readonly #worker: CheckedWorker;
  #guard: MemoryGuard | undefined;
  /** The instance that had the dynamic shared memory last, and how much of it. */
  #user: WasmInstance | undefined;
  #dynamicBytes = -1;
  /** The address of the program's `Now` record: running thread and block, latest site. 0 for an unchecked program. */
  #where = 0;

  constructor(worker: CheckedWorker) {
    this.#worker = worker;
  }

  /** The tables of the checked mode, if it is on. */
  get guard(): MemoryGuard | undefined {
    const level = Atomics.load(this.#worker.control, Word.GUARDED);
    if (level === 0) return undefined;
    this.#guard ??= new MemoryGuard(this.#worker.memory(), level === 2);
    this.#guard.records = level === 2;
    return this.#guard;
  }

  /** Clear the records of shared variables, since the counts of barriers start again. */
  start(instance: WasmInstance, address: number, byteLength: number): void {
    this.guard?.forget(address, byteLength);
    (instance.exports['__rk_start'] as () => void)();
  }

  /** The next program is not checked. */
  leave(): void {
    this.#where = 0;
  }

  /** Called before a checked program runs some blocks. */
  enter(instance: WasmInstance): void {
    const { control, running, shared } = this.#worker;
    const wanted = (control[running.command + Slot.SHARED] as number) >>> 0;
    const { guard } = this;
    if (wanted !== this.#dynamicBytes || instance !== this.#user) {
      guard?.hide(shared, SHARED_BYTES);
      guard?.give(shared, wanted, 'shared');
      guard?.forget(shared, Math.max(wanted, this.#dynamicBytes));
      this.#dynamicBytes = wanted;
      this.#user = instance;
    }
    this.#tell(instance, shared, wanted, control[running.command + Slot.CHILD] as number);
  }

  /**
   * Called before a checked program runs a block of a cooperative launch, which has memory of its own.
   *
   * @param shared - the address of the block's dynamic shared memory
   */
  enterGrid(instance: WasmInstance, shared: number, round: number): void {
    const { control, running } = this.#worker;
    const wanted = (control[running.command + Slot.SHARED] as number) >>> 0;
    if (round === 0) this.guard?.give(shared, wanted, 'shared');
    if (round === 0) this.guard?.forget(shared, wanted);
    this.#tell(instance, shared, wanted, round);
  }

  #tell({ exports }: WasmInstance, shared: number, byteLength: number, round: number): void {
    const { control, running } = this.#worker;
    this.#where = Number((exports['__rk_where'] as () => bigint)());
    const epoch = (control[running.command + Slot.EPOCH] as number) + Math.min(round, GRID_ROUNDS - 1);
    const size = (i: number): number => control[running.command + Slot.GRID + i] as number;
    const excused = (round >= GRID_ROUNDS - 1 ? 1 : 0) | (size(0) * size(1) * size(2) > MAX_BLOCKS ? 2 : 0);
    (exports['__rk_enter'] as Enter)(BigInt(epoch) << EPOCH_SHIFT, BigInt(shared), byteLength, excused);
    const isChild = (control[running.command + Slot.CHILD] as number) > 0;
    const count = isChild ? 0 : (control[running.command + Slot.RANGE_COUNT] as number);
    // Programs of earlier versions have no ranges.
    const know = exports['__rk_know'] as Know | undefined;
    know?.(BigInt((control[running.command + Slot.RANGES] as number) >>> 0), count);
  }

  /** Note the trap or exception that ended a kernel, and return its status. */
  noteTrap(error: unknown): number {
    const { control, running, memory } = this.#worker;
    const isPeer = error instanceof PeerFault;
    const { status, reason } = isPeer ? { status: statusOf(FaultKind.PEER), reason: Reason.ADDRESS } : faultOf(error);
    const where = this.#where;
    const note = isPeer
      ? { kind: FaultKind.PEER, status, reason, address: BigInt(error.address >>> 0) }
      : { kind: FaultKind.TRAP, status, reason };
    if (where === 0) {
      noteFinding(control, running, note);
      return status;
    }
    const [thread, block, site = 0] = new Uint32Array(memory(), where, 3);
    const known = (isPeer || reason === Reason.POINTER) && site > 0 ? { site: site - 1 } : {};
    noteFinding(control, running, { ...note, thread, block, ...known });
    return status;
  }
}

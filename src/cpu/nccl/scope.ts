import type { DriverTable } from '../../cuda/sys/tables.ts';
import type { CpuContext } from '../driver/objects.ts';
import type { DriverState } from '../driver/state.ts';
import { CommWord, setStatus, textOf } from './comm-words.ts';
import { CpuComm, type CommSetup } from './communicator.ts';
import { Group } from './group.ts';
import { Result } from './numbers.ts';
import { ProgressClient } from './progress-client.ts';

/** The device that the ranks of this thread are on. */
export interface NcclDevice {
  readonly state: DriverState;
  readonly driver: DriverTable;
  /** The ordinal of a context's device. Default: what the driver says of the current context. */
  readonly ordinalOf?: (context: CpuContext) => number;
}

/** Handles of communicators do not look like the driver's. */
const FIRST_HANDLE = 0x6e63_0000;
const HANDLE_STEP = 0x10;

/** The communicators of a thread. */
export class NcclScope {
  readonly state: DriverState;
  readonly driver: DriverTable;
  readonly comms: Map<number, CpuComm> = new Map();
  readonly group: Group = new Group(this);
  /** Allocations of ncclMemAlloc, by the address that the program has. */
  readonly allocations: Map<bigint, bigint> = new Map();
  /** About the last error of this thread. */
  lastError = '';
  readonly #ordinalOf: ((context: CpuContext) => number) | undefined;
  #progress: ProgressClient | undefined;
  #nextHandle = FIRST_HANDLE;

  constructor({ state, driver, ordinalOf }: NcclDevice) {
    this.state = state;
    this.driver = driver;
    this.#ordinalOf = ordinalOf;
  }

  get progress(): ProgressClient {
    return (this.#progress ??= new ProgressClient(this.state.engine));
  }

  newHandle(): number {
    return (this.#nextHandle += HANDLE_STEP);
  }

  /** Note what is wrong, and answer with a status. */
  say(status: number, text: string): number {
    this.lastError = text;
    return status;
  }

  /** The current context, and the ordinal of its device; undefined where there is none. */
  get place(): { readonly context: CpuContext; readonly device: number } | undefined {
    const context = this.state.current;
    if (!context) return undefined;
    if (this.#ordinalOf) return { context, device: this.#ordinalOf(context) };
    const device = new Int32Array(1);
    return this.driver.cuCtxGetDevice(device) === 0 ? { context, device: device[0] as number } : undefined;
  }

  newComm(setup: Omit<CommSetup, 'handle'>): CpuComm {
    const comm = new CpuComm({ ...setup, handle: this.newHandle() });
    this.comms.set(comm.handle, comm);
    return comm;
  }

  /** Run a function with a communicator, in whatever state it is. */
  withComm(handle: bigint, run: (comm: CpuComm) => number): number {
    const comm = this.comms.get(Number(handle));
    if (comm) return run(comm);
    return this.say(
      Result.INVALID_ARGUMENT,
      handle === 0n ? 'The communicator is NULL' : 'There is no such communicator',
    );
  }

  /** Run a function with a communicator that nothing is in progress on, and that has no error. */
  withReady(handle: bigint, run: (comm: CpuComm) => number): number {
    return this.withComm(handle, (comm) => {
      const status = this.statusOf(comm);
      if (status === Result.SUCCESS) return run(comm);
      if (status !== Result.IN_PROGRESS) return this.say(status, textOf(comm.words));
      return this.say(
        Result.INVALID_ARGUMENT,
        'Attempt to use communicator before the previous operation returned ncclSuccess',
      );
    });
  }

  /** A communicator's asynchronous result. */
  statusOf(comm: CpuComm): number {
    const status = this.#withChildren(comm);
    if (status !== Result.SUCCESS || !comm.isFinalized) return status;
    return this.isIdle(comm) ? status : Result.IN_PROGRESS;
  }

  /** A child that could not be made leaves its error to the parent. */
  #withChildren(comm: CpuComm): number {
    for (const child of comm.children) {
      const status = Atomics.load(child.words, CommWord.STATUS);
      if (status === Result.IN_PROGRESS) return status;
      comm.children.delete(child);
      if (status === Result.SUCCESS) child.done();
      else setStatus(comm.words, status, textOf(child.words));
    }
    return comm.status;
  }

  /** Whether the operations of a communicator have ended. */
  isIdle({ lastGate }: CpuComm): boolean {
    return lastGate === undefined || this.state.finished(lastGate);
  }

  /** Forget a communicator, and close its links. */
  drop(comm: CpuComm, abort: boolean): void {
    this.comms.delete(comm.handle);
    this.progress.ask({ type: 'drop', comm: comm.handle, abort }, comm.words);
    comm.ended?.();
  }

  /** The rank and the number of ranks are known before the communicator is there. */
  static know({ words }: CpuComm, rank: number, size: number): void {
    Atomics.store(words, CommWord.RANK, rank);
    Atomics.store(words, CommWord.SIZE, size);
  }
}

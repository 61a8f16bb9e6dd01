import type { CpuStream } from '../driver/objects.ts';
import { textOf } from './comm-words.ts';
import type { CpuComm } from './communicator.ts';
import type { Batch, BatchScope } from './batch.ts';
import { launch } from './launch.ts';
import type { Operation } from './messages.ts';
import { Result } from './numbers.ts';
import { settled } from './progress-client.ts';

/** A communicator that is being made. */
export interface Making {
  readonly comm: CpuComm;
  /** Whether the call waits for it. */
  readonly blocking: boolean;
  /** Tell the progress thread. */
  readonly start: () => void;
  /** Called when a call has waited for it. */
  readonly done?: () => void;
  /** Take the handle back from where it was written. */
  readonly undo: () => void;
}

/** What a group asks of its thread. */
export interface GroupScope extends BatchScope {
  /** Forget a communicator. */
  readonly drop: (comm: CpuComm, isFailed: boolean) => void;
}

/** The calls between ncclGroupStart and ncclGroupEnd of a thread. */
export class Group {
  readonly #scope: GroupScope;
  #depth = 0;
  #error: number = Result.SUCCESS;
  #makings: Making[] = [];
  #batches = new Map<CpuComm, Batch>();

  constructor(scope: GroupScope) {
    this.#scope = scope;
  }

  start(): void {
    this.#depth++;
  }

  /** Note the status of a call inside of the group: the end of the group reports the first error. */
  note(status: number): number {
    if (
      this.#depth > 0 &&
      status !== Result.SUCCESS &&
      status !== Result.IN_PROGRESS &&
      this.#error === Result.SUCCESS
    ) {
      this.#error = status;
    }
    return status;
  }

  /** Make a communicator: at the group's end, or now. */
  make(making: Making): number {
    if (this.#depth === 0) return this.#make([making]);
    this.#makings.push(making);
    return Result.SUCCESS;
  }

  /** Enqueue an operation: at the group's end, or now. */
  add(comm: CpuComm, operation: Operation, stream: CpuStream): number {
    if (this.#depth === 0) {
      return launch(this.#scope, { comm, operations: [operation], streams: new Set([stream]) });
    }
    let batch = this.#batches.get(comm);
    if (!batch) this.#batches.set(comm, (batch = { comm, operations: [], streams: new Set() }));
    batch.operations.push(operation);
    batch.streams.add(stream);
    return Result.SUCCESS;
  }

  /** @param simulate - is given the batches instead of their start */
  end(simulate?: (batches: readonly Batch[]) => void): number {
    if (this.#depth === 0) return this.#scope.say(Result.INVALID_USAGE, 'ncclGroupEnd: not in a group call');
    if (--this.#depth > 0) return Result.SUCCESS;
    const [makings, batches, error] = [this.#makings, [...this.#batches.values()], this.#error];
    this.#makings = [];
    this.#batches = new Map();
    this.#error = Result.SUCCESS;
    const mixed = isMixed([...makings, ...batches.map(({ comm }) => comm)]);
    if (error !== Result.SUCCESS || mixed) {
      for (const { comm, undo } of makings) {
        this.#scope.comms.delete(comm.handle);
        comm.ended?.();
        undo();
      }
      if (error !== Result.SUCCESS) return error;
      const text = 'Blocking and nonblocking communicators are not allowed in the same group';
      return this.#scope.say(Result.INVALID_ARGUMENT, text);
    }
    if (simulate) {
      simulate(batches);
      return Result.SUCCESS;
    }
    const made = makings.length > 0 ? this.#make(makings) : Result.SUCCESS;
    if (made !== Result.SUCCESS && made !== Result.IN_PROGRESS) return made;
    return this.#launch(batches, made);
  }

  #launch(batches: readonly Batch[], before: number): number {
    let result = before;
    for (const batch of batches) {
      const status = launch(this.#scope, batch);
      if (status === Result.IN_PROGRESS) result = status;
      else if (status !== Result.SUCCESS) return status;
    }
    return result;
  }

  /** Make communicators together. Blocking ones are there afterwards, or are not at all. */
  #make(makings: readonly Making[]): number {
    for (const { start } of makings) start();
    const blocking = makings.filter((one) => one.blocking);
    let result: number = blocking.length < makings.length ? Result.IN_PROGRESS : Result.SUCCESS;
    for (const { comm, done, undo } of blocking) {
      const status = settled(comm.words);
      if (status === Result.SUCCESS) {
        done?.();
        continue;
      }
      result = this.#scope.say(status, textOf(comm.words));
      this.#scope.drop(comm, true);
      undo();
    }
    return result;
  }
}

function isMixed(all: readonly { readonly blocking: boolean }[]): boolean {
  return all.some(({ blocking }) => blocking) && all.some(({ blocking }) => !blocking);
}

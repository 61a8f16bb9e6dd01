import { CommandExecutionStatus } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import type { ClContext } from './context.ts';
import type { ClMemory } from './memory.ts';
import { ClObject } from './object.ts';

/** The results of {@link Command.submit} that are not a negative status. */
export const Outcome = {
  /** The command has ended. */
  DONE: 0,
  /** The command is in the engine's queue. */
  SUBMITTED: 1,
  /** This thread must perform the command, after the commands in the engine's queue. */
  ON_HOST: 2,
} as const;

/** The events that a command waits for, as the caller gives them. */
export interface WaitList {
  readonly count: number;
  /** Handles of events; 0n for an empty list. */
  readonly list: Out;
}

/** The last arguments of every function that enqueues a command. */
export interface EventArguments extends WaitList {
  /** Receives the handle of the command's event; 0n where the caller asks for no event. */
  readonly out: Out;
}

/** No wait list and no event. */
export const NO_EVENT_ARGUMENTS: EventArguments = { count: 0, list: 0n, out: 0n };

/** The work of a command; empty for a marker. */
export interface Command {
  /** Put it into the engine's queue, behind the commands that it waits for: an {@link Outcome} or a negative status. */
  readonly submit?: (() => number) | undefined;
  /** Perform it on this thread, after the commands that it waits for have ended: a status. */
  readonly perform?: (() => number) | undefined;
  /** Called when it must wait: copies the arguments that may change meanwhile. */
  readonly keep?: (() => void) | undefined;
  /** Memory objects that must not be freed before it is submitted. */
  readonly memory?: readonly ClMemory[] | undefined;
}

/** An event that waits for another one. */
export interface Dependent {
  readonly event: ClEvent;
  /** Whether the other event is in its wait list: then its failure is passed on. */
  readonly listed: boolean;
}

/** The parts of a queue that its events need. */
export interface EventQueue {
  readonly handle: bigint;
  /** Whether commands get time stamps. */
  readonly profiling: boolean;
}

const { QUEUED, COMPLETE } = CommandExecutionStatus;

const NONE: readonly number[] = [];

/** The event of a command, or a user event. */
export class ClEvent extends ClObject {
  readonly context: ClContext;
  /** Undefined for a user event. */
  readonly queue: EventQueue | undefined;
  readonly type: number;
  command: Command | undefined;
  /** {@link CommandExecutionStatus}, or a negative status. */
  status: number = QUEUED;
  /** The engine's numbers of its first and its last command; `sequence` is undefined before it is submitted. */
  first = 0;
  sequence: number | undefined;
  /** The commands of the engine that it waits for. */
  after: readonly number[] = NONE;
  /** The number of events that it waits for and that are not in the engine's queue. */
  waiting = 0;
  /** An event of its wait list has failed. */
  dependencyFailed = false;
  dependents: Dependent[] | undefined;
  /** The first of the recorded commands that this event represents. */
  since: ClEvent | undefined;
  /** Milliseconds of the engine's clock. */
  queued = 0;
  submitted = 0;
  started = 0;
  ended = 0;
  /** The device address of its time stamps, on a profiling queue. */
  cells: number | undefined;
  readonly #gone: (event: ClEvent) => void;

  constructor(context: ClContext, queue: EventQueue | undefined, type: number, gone: (event: ClEvent) => void) {
    super();
    this.context = context;
    this.queue = queue;
    this.type = type;
    this.#gone = gone;
  }

  /** Whether it has ended, without a look at the engine. */
  get over(): boolean {
    return this.status <= COMPLETE;
  }

  /** Wait for one more command of the engine. Most wait for one: a list that grows would take more memory. */
  follow(sequence: number): void {
    this.after = this.after.length === 0 ? [sequence] : [...this.after, sequence];
  }

  destroy(): void {
    this.#gone(this);
  }
}

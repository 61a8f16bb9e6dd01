import { CommandExecutionStatus } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import type { ClContext } from './context.ts';
import type { ClMemory } from './memory.ts';
import { ClObject } from './object.ts';

/** What {@link Command.submit} answers besides a negative status. */
export const Outcome = {
  /** It is done already. */
  DONE: 0,
  /** It is in the engine's queue. */
  SUBMITTED: 1,
  /** It has to wait for what is in the engine's queue, and then to be performed by this thread. */
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

/** What a command does. A marker does nothing. */
export interface Command {
  /** Put it into the engine's queue, behind all that it waits for: an {@link Outcome} or a negative status. */
  readonly submit?: (() => number) | undefined;
  /** Do it on this thread, after all that it waits for has ended: a status. */
  readonly perform?: (() => number) | undefined;
  /** Called when it has to wait: what it was enqueued with may change meanwhile. */
  readonly keep?: (() => void) | undefined;
  /** What must not be freed before it is submitted. */
  readonly memory?: readonly ClMemory[] | undefined;
}

/** An event that waits for another one. */
export interface Dependent {
  readonly event: ClEvent;
  /** It stands in its wait list: a failure is handed on. */
  readonly listed: boolean;
}

/** The parts of a queue that its events need. */
export interface EventQueue {
  readonly handle: bigint;
  /** Whether commands get time stamps. */
  readonly profiling: boolean;
}

const { QUEUED, COMPLETE } = CommandExecutionStatus;

/** A command, from its enqueueing to its end; or an event that the user sets. */
export class ClEvent extends ClObject {
  readonly context: ClContext;
  /** Undefined for an event of the user's. */
  readonly queue: EventQueue | undefined;
  readonly type: number;
  command: Command | undefined;
  /** {@link CommandExecutionStatus}, or a negative status. */
  status: number = QUEUED;
  /** The engine's numbers of its first and its last command, once it has some. */
  first = 0;
  sequence: number | undefined;
  /** The latest of the engine's commands that it waits for. */
  after: number | undefined;
  /** How many events it waits for that are not in the engine's queue. */
  waiting = 0;
  /** An event of its wait list has failed. */
  dependencyFailed = false;
  dependents: Dependent[] | undefined;
  /** The first of the recorded commands that this event stands for. */
  since: ClEvent | undefined;
  /** Milliseconds of the engine's clock. */
  queued = 0;
  submitted = 0;
  started = 0;
  ended = 0;
  /** Where the engine writes when it started and ended, for a queue that wants it. */
  cells: number | undefined;
  readonly #gone: (event: ClEvent) => void;

  constructor(context: ClContext, queue: EventQueue | undefined, type: number, gone: (event: ClEvent) => void) {
    super();
    this.context = context;
    this.queue = queue;
    this.type = type;
    this.#gone = gone;
  }

  /** Whether it has ended, as far as anybody has looked. */
  get over(): boolean {
    return this.status <= COMPLETE;
  }

  destroy(): void {
    this.#gone(this);
  }
}

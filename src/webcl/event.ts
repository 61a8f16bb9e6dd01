import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import { nameOf } from '../core/check.ts';
import { isArray } from '../node-opencl/argument.ts';
import type { CLEvent } from '../node-opencl/objects.ts';
import { checkCallback, runCallback } from './callback.ts';
import { constants } from './constants.ts';
import { checkLive, cl, isLive, WebCLException } from './exception.ts';
import { answer, number64 } from './object.ts';
import type { Owner } from './owner.ts';

/**
 * The completion of a command. An event is made empty; the command that it is passed to fills it.
 *
 * @example
 * ```ts
 * import { webcl, WebCLEvent } from 'rawkernel/webcl';
 *
 * const context = webcl.createContext();
 * const event = new WebCLEvent();
 * context.createCommandQueue().enqueueMarker(event);
 * webcl.waitForEvents([event]);
 * webcl.releaseAll();
 * ```
 */
export class WebCLEvent extends PublicObject {
  #handle: CLEvent | undefined;
  #context: Owner | undefined;
  #queue: object | null = null;

  /** A property: `webcl.EVENT_COMMAND_EXECUTION_STATUS`. */
  getInfo(name: number): unknown {
    const handle = WebCLEvent.handleOf(this);
    const own = {
      [constants.EVENT_CONTEXT]: () => this.#context,
      [constants.EVENT_COMMAND_QUEUE]: () => this.#queue,
      [constants.EVENT_COMMAND_EXECUTION_STATUS]: () =>
        (cl.getEventInfo(handle, constants.EVENT_COMMAND_EXECUTION_STATUS) as number) | 0,
    };
    return answer(name, { prefix: /^EVENT_/, own }, (asked) => cl.getEventInfo(handle, asked));
  }

  /** When the command passed through a stage, in nanoseconds. */
  getProfilingInfo(name: number): number {
    const handle = WebCLEvent.handleOf(this);
    const ask = (asked: number): unknown =>
      number64(cl.getEventProfilingInfo(handle, asked) as readonly [number, number]);
    return answer(name, { prefix: /^PROFILING_/ }, ask) as number;
  }

  /**
   * Call a function with the event when its command has ended: `webcl.COMPLETE`, the only status to wait for. An event
   * that is released before calls nothing.
   */
  setCallback(commandExecCallbackType: number, notify: (event: WebCLEvent) => void): void {
    const handle = WebCLEvent.handleOf(this);
    checkCallback(notify);
    if (commandExecCallbackType !== constants.COMPLETE) {
      throw new WebCLException('INVALID_VALUE', 'A callback can only wait for COMPLETE');
    }
    cl.setEventCallback(handle, constants.COMPLETE, (_data, _status, own) => {
      cl.releaseEvent(own);
      if (isLive(handle, 'CLEvent')) {
        runCallback(() => {
          notify(this);
        });
      }
    });
  }

  /** Release the event: it stays empty for ever. */
  release(): void {
    if (this.#handle) cl.releaseEvent(this.#handle);
  }

  static #is(value: unknown): value is WebCLEvent {
    return typeof value === 'object' && value !== null && #handle in value;
  }

  /**
   * The raw event of a command; an empty event is refused.
   * @internal
   */
  static handleOf(event: unknown): CLEvent {
    if (!WebCLEvent.#is(event))
      throw new WebCLException('INVALID_EVENT', `The event must be a WebCLEvent, got ${nameOf(event)}`);
    const handle = event.#handle;
    if (!handle) throw new WebCLException('INVALID_EVENT', 'The event is empty: no command was given the event');
    checkLive(handle, 'CLEvent');
    return handle;
  }

  /**
   * The events to wait for; empty ones, released ones and those of other contexts are refused.
   *
   * @param context - default: the first event's
   * @internal
   */
  static waitList(list: unknown, context?: Owner): CLEvent[] {
    if (!isArray(list) || !list.every((event) => WebCLEvent.#is(event))) {
      throw new WebCLException(
        'INVALID_EVENT_WAIT_LIST',
        `The wait list must be an array of WebCLEvents, got ${nameOf(list)}`,
      );
    }
    const handles = list.map((event) => {
      if (event.#handle && isLive(event.#handle, 'CLEvent')) return event.#handle;
      const state = event.#handle ? 'was released' : 'has no command yet';
      throw new WebCLException('INVALID_EVENT_WAIT_LIST', `An event of the list ${state}`);
    });
    const [first] = list;
    const own = context ?? (first && first.#context);
    if (list.some((event) => event.#context !== own)) {
      throw new WebCLException('INVALID_CONTEXT', 'The events of the list must be of one context');
    }
    return handles;
  }

  /**
   * Refuse an event that already has a command.
   * @internal
   */
  static checkEmpty(event: unknown): asserts event is WebCLEvent {
    if (WebCLEvent.#is(event) && !event.#handle) return;
    throw new WebCLException('INVALID_EVENT', 'A command needs an empty event: pass new WebCLEvent()');
  }

  /** @internal */
  static fill(event: WebCLEvent, handle: CLEvent, context: Owner, queue: object | null): void {
    event.#handle = handle;
    event.#context = context;
    event.#queue = queue;
    context.family.add(event);
  }
}

/** An event that the program ends. A user event that is released before ends with -1. */
export class WebCLUserEvent extends WebCLEvent {
  /** @internal */
  constructor(maker: Maker, context: Owner, handle: CLEvent) {
    super();
    checkMade(maker === MAKER, 'WebCLUserEvent', 'call context.createUserEvent()');
    WebCLEvent.fill(this, handle, context, null);
  }

  /** End the event: with `webcl.COMPLETE`, or with a negative error. */
  setStatus(executionStatus: number): void {
    const handle = WebCLEvent.handleOf(this);
    if (!Number.isInteger(executionStatus) || executionStatus > 0 || executionStatus < -0x8000_0000) {
      throw new WebCLException('INVALID_VALUE', 'The status must be COMPLETE or a negative error');
    }
    cl.setUserEventStatus(handle, executionStatus);
  }
}

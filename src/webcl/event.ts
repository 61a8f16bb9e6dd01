import type { CLEvent } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import type { WebCLContext } from './context.ts';
import { cl, WebCLException } from './exception.ts';
import { answer, checkCallback, number64 } from './object.ts';
import type { WebCLCommandQueue } from './queue.ts';

/**
 * What becomes of a command. It is made empty, and filled by the command that it is passed to.
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
export class WebCLEvent {
  #handle: CLEvent | undefined;
  #context: WebCLContext | undefined;
  #queue: WebCLCommandQueue | null = null;

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

  /** Call a function with the event when its command has ended: `webcl.COMPLETE`, the only status there is to wait for. */
  setCallback(commandExecCallbackType: number, notify: (event: WebCLEvent) => void): void {
    const handle = WebCLEvent.handleOf(this);
    checkCallback(notify);
    if (commandExecCallbackType !== constants.COMPLETE) {
      throw new WebCLException('INVALID_VALUE', 'A callback waits for COMPLETE');
    }
    cl.setEventCallback(handle, constants.COMPLETE, (_data, _status, own) => {
      cl.releaseEvent(own);
      notify(this);
    });
  }

  /** Let go of the event: it is empty for ever. */
  release(): void {
    if (this.#handle) cl.releaseEvent(this.#handle);
  }

  /**
   * The event of a command, which is refused while it is empty.
   * @internal
   */
  static handleOf(event: unknown): CLEvent {
    if (!(typeof event === 'object' && event !== null && #handle in event)) {
      throw new WebCLException('INVALID_EVENT', 'That is no WebCLEvent');
    }
    if (event.#handle) return event.#handle;
    throw new WebCLException('INVALID_EVENT', 'No command has this event yet');
  }

  /**
   * Refuse an event that a command has already.
   * @internal
   */
  static checkEmpty(event: unknown): asserts event is WebCLEvent {
    if (typeof event === 'object' && event !== null && #handle in event && !event.#handle) return;
    throw new WebCLException('INVALID_EVENT', 'A command wants an event of its own: new WebCLEvent()');
  }

  /** @internal */
  static fill(event: WebCLEvent, handle: CLEvent, context: WebCLContext, queue: WebCLCommandQueue | null): void {
    event.#handle = handle;
    event.#context = context;
    event.#queue = queue;
    context.family.add(event);
  }
}

/** An event that the program ends. */
export class WebCLUserEvent extends WebCLEvent {
  /** @internal */
  constructor(context: WebCLContext, handle: CLEvent) {
    super();
    WebCLEvent.fill(this, handle, context, null);
  }

  /** End it: with `webcl.COMPLETE`, or with a negative error. */
  setStatus(executionStatus: number): void {
    cl.setUserEventStatus(WebCLEvent.handleOf(this), executionStatus);
  }
}

/** Refuse to block on an event that only this thread can end. */
export function checkNoOpenUserEvents(events: readonly WebCLEvent[]): void {
  for (const event of events) {
    if (!(event instanceof WebCLUserEvent)) continue;
    if ((event.getInfo(constants.EVENT_COMMAND_EXECUTION_STATUS) as number) <= 0) continue;
    throw new WebCLException(
      'INVALID_EVENT_WAIT_LIST',
      'A blocking call would wait for ever for a user event of this thread',
    );
  }
}

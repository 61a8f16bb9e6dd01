import { ClosedError } from '../../core/errors.ts';
import { claim, Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/check.ts';
import { MAKER } from '../../core/maker.ts';
import { handleOf } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { openclError } from '../errors.ts';
import { CommandType, status as statuses } from '../sys/enums.ts';
import { Event, forgetEvent } from './event.ts';

type RawEvent = Opaque<'cl_event'>;

/** The state that an event shares with its owning record. */
interface UserEventRecord {
  set: boolean;
  /** Functions to call once the status is set. */
  readonly after: (() => void)[];
}

/**
 * An event that the program sets itself; commands can wait for it.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using go = new cl.UserEvent(ctx);
 * const marker = cl.enqueueMarker(queue, { waitFor: [go] });
 * go.setStatus(cl.CommandExecutionStatus.COMPLETE);
 * marker.wait();
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateUserEvent.html | clCreateUserEvent}
 */
export class UserEvent extends Event {
  readonly #record: UserEventRecord;
  readonly #handle: Handle<RawEvent>;
  readonly #disown: () => void;

  /** @throws {@link OpenCLMemoryError} CL_OUT_OF_HOST_MEMORY */
  constructor(context: Context) {
    checkContext(context, 'UserEvent');
    const owner = handleOf(context, 'UserEvent');
    const raw = cl.clCreateUserEvent(owner.value);
    super(MAKER, raw, context.identity, undefined, CommandType.USER);
    const record: UserEventRecord = { set: false, after: [] };
    this.#record = record;
    // A user event that the program can no longer set would keep its waiters and their memory for ever.
    const abandon = (): void => {
      // Drivers accept a status only for a live event: first the status, then the release.
      if (!record.set) cleanup('UserEvent', () => cl.clSetUserEventStatus(raw, -1));
      cleanup('UserEvent', () => cl.clReleaseEvent(raw));
      end(record);
    };
    this.#handle = new Handle('UserEvent', raw, abandon, [owner]);
    this.#disown = claim(this, this.#handle);
  }

  /** Whether {@link UserEvent.setStatus} was called. */
  get isSet(): boolean {
    return this.#record.set;
  }

  /**
   * End the event, once: the commands that wait for it go on, or fail with a negative status.
   *
   * Host: does not block.
   *
   * @param status - 0 (`CommandExecutionStatus.COMPLETE`) or a negative error code
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: it was set before
   */
  setStatus(status: number): void {
    const raw = this.#handle.value;
    if (this.closed) throw new ClosedError('UserEvent', 'setStatus');
    const checked = checkInteger(status, 'UserEvent.setStatus: status', -0x8000_0000, 0);
    if (this.#record.set) {
      throw openclError('clSetUserEventStatus', INVALID_OPERATION, { reason: 'A user event can be set only once' });
    }
    cl.clSetUserEventStatus(raw, checked);
    end(this.#record);
  }

  /**
   * Release the event. An event that was never set ends with status -1, so that no command waits for it for ever; its
   * {@link Event.done} and {@link Event.reached} reject with a {@link ClosedError}.
   */
  override close(): void {
    if (this.closed) return;
    super.close();
    forgetEvent(this);
    this.#disown();
    this.#handle.release();
  }

  /** @internal */
  override get blockers(): readonly UserEvent[] | undefined {
    return this.isSet || this.closed ? undefined : [this];
  }

  /** @internal */
  whenSet(run: () => void): void {
    if (this.#record.set) run();
    else this.#record.after.push(run);
  }
}

function end(record: UserEventRecord): void {
  record.set = true;
  for (const run of record.after.splice(0)) run();
}

const INVALID_OPERATION = statuses.CL_INVALID_OPERATION[0];

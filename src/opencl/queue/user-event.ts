import { ClosedError } from '../../core/errors.ts';
import { claim, Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/host-memory.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { openclError } from '../errors.ts';
import { Event } from './event.ts';

type RawEvent = Opaque<'cl_event'>;

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
  readonly #record: { set: boolean };
  readonly #handle: Handle<RawEvent>;
  readonly #disown: () => void;

  /** @throws {@link OpenCLMemoryError} CL_OUT_OF_HOST_MEMORY */
  constructor(context: Context) {
    checkContext(context, 'UserEvent');
    const owner = context.owned('UserEvent');
    const raw = cl.clCreateUserEvent(owner.value);
    super(raw, undefined, undefined);
    const record = { set: false };
    this.#record = record;
    // A user event that nobody can set any more would keep its waiters and their memory for ever.
    const abandon = (): void => {
      if (!record.set) cleanup('UserEvent', () => cl.clSetUserEventStatus(raw, -1));
      record.set = true;
      cleanup('UserEvent', () => cl.clReleaseEvent(raw));
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
      throw openclError('clSetUserEventStatus', INVALID_OPERATION, { reason: 'A user event is set once only' });
    }
    cl.clSetUserEventStatus(raw, checked);
    this.#record.set = true;
  }

  /** Let go of the event. One that was never set ends with status -1, so that nothing waits for it for ever. */
  override close(): void {
    if (this.closed) return;
    super.close();
    this.#disown();
    this.#handle.release();
  }

  /** @internal */
  override get blockers(): readonly UserEvent[] | undefined {
    return this.isSet || this.closed ? undefined : [this];
  }

  /** @internal */
  override giveBack(): void {
    // The handle owns the driver's event: it has to outlive its completion, for `close` to know it.
  }
}

const INVALID_OPERATION = -59;
